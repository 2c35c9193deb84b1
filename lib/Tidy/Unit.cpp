//===- Unit.cpp - one analysis for all checks of a file -------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tidy/Unit.h"
#include "Analysis/Analysis.h"
#include "Frontend/Frontend.h"
#include "Models/ModelFiles.h"
#include "Program/Text.h"
#include "Tidy/Compat.h"
#include "Tidy/Enclosing.h"
#include "Tidy/Render.h"
#include "Tidy/Tidy.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Regex.h"
#include <iterator>
#include <mutex>
#include <set>

using namespace clang;
using clang::tidy::ClangTidyContext;

namespace tensortidy::tidy {

//===----------------------------------------------------------------------===//
// Sessions and units, by context
//===----------------------------------------------------------------------===//

namespace {

/// clangd analyses files on several threads, each with a context of its own.
struct Registry {
  std::mutex Mutex;
  std::map<const ClangTidyContext *, std::weak_ptr<Unit>> Units;
  std::map<const ClangTidyContext *, Session *> Sessions;

  static Registry &get() {
    static Registry R;
    return R;
  }
};

Session *sessionOf(const ClangTidyContext &Context) {
  Registry &R = Registry::get();
  std::lock_guard<std::mutex> Lock(R.Mutex);
  auto It = R.Sessions.find(&Context);
  return It == R.Sessions.end() ? nullptr : It->second;
}

} // namespace

void attach(const ClangTidyContext &Context, Session *S) {
  Registry &R = Registry::get();
  std::lock_guard<std::mutex> Lock(R.Mutex);
  if (S)
    R.Sessions[&Context] = S;
  else
    R.Sessions.erase(&Context);
}

std::shared_ptr<Unit> Unit::of(ClangTidyContext &Context) {
  Registry &R = Registry::get();
  std::lock_guard<std::mutex> Lock(R.Mutex);
  std::weak_ptr<Unit> &Known = R.Units[&Context];
  std::shared_ptr<Unit> Current = Known.lock();
  // A unit that has run belongs to an earlier file, whose checks still live.
  if (!Current || Current->Done)
    Known = Current = std::make_shared<Unit>(Context);
  return Current;
}

//===----------------------------------------------------------------------===//
// The file filter
//===----------------------------------------------------------------------===//

struct FileFilter::Impl {
  const SourceManager &SM;
  const HeaderFilter Headers;
  llvm::DenseMap<FileID, bool> Known;

  Impl(const clang::tidy::ClangTidyOptions &Options, const SourceManager &SM)
      : SM(SM), Headers(Options) {}

  bool admitsHeader(FileID File, SourceLocation Loc) {
    if (!Headers.admitsSystem() && SM.isInSystemHeader(Loc))
      return false;
    auto Entry = SM.getFileEntryRefForID(File);
    return Entry && Headers.admitsName(Entry->getName());
  }
};

FileFilter::FileFilter(const clang::tidy::ClangTidyOptions &Options,
                       const SourceManager &SM)
    : I(std::make_unique<Impl>(Options, SM)) {}

FileFilter::FileFilter(const ClangTidyContext &Tidy, const SourceManager &SM)
    : FileFilter(Tidy.getOptions(), SM) {}

FileFilter::FileFilter(const ClangTidyContext &Tidy, const ASTContext &AST)
    : FileFilter(Tidy, AST.getSourceManager()) {}

HeaderFilter::HeaderFilter(const clang::tidy::ClangTidyOptions &Options)
    : SystemHeaders(Options.SystemHeaders.value_or(false)),
      Include(Options.HeaderFilterRegex.value_or("")),
      Exclude(compat::excludedHeaders(Options).value_or("")) {}

FileFilter::~FileFilter() = default;

bool FileFilter::admitsHeaders() const { return I->Headers.admitsAny(); }

std::set<std::string> FileFilter::files() const {
  std::set<std::string> Names;
  auto Add = [&](StringRef Name) {
    llvm::SmallString<256> Path(Name);
    I->SM.getFileManager().makeAbsolutePath(Path);
    Names.insert(Path.str().str());
  };
  if (auto Main = I->SM.getFileEntryRefForID(I->SM.getMainFileID()))
    Add(Main->getName());
  if (admitsHeaders())
    for (auto It = I->SM.fileinfo_begin(); It != I->SM.fileinfo_end(); ++It)
      if (StringRef Name = compat::nameOf(It->first);
          I->Headers.admitsName(Name))
        Add(Name);
  return Names;
}

bool FileFilter::admits(SourceLocation Loc) {
  if (Loc.isInvalid())
    return false;
  Loc = I->SM.getExpansionLoc(Loc);
  FileID File = I->SM.getFileID(Loc);
  if (File == I->SM.getMainFileID())
    return true;
  auto [It, New] = I->Known.try_emplace(File, false);
  if (New)
    It->second = I->admitsHeader(File, Loc);
  return It->second;
}

//===----------------------------------------------------------------------===//
// Layouts for editors
//===----------------------------------------------------------------------===//

static LayoutSink &layoutSink() {
  static LayoutSink Sink;
  return Sink;
}

void setLayoutSink(LayoutSink Sink) { layoutSink() = std::move(Sink); }

namespace {
/// The facts of a file's functions, one for each expression.
class LayoutCollector {
public:
  explicit LayoutCollector(const ASTContext &AST)
      : AST(AST), SM(AST.getSourceManager()) {}

  /// What one function's analysis gave.
  void add(std::vector<analysis::LayoutFact> Facts) {
    std::map<Place, PlacedLayout> Here;
    for (analysis::LayoutFact &Fact : Facts)
      if (auto At = placeOf(Fact.Where)) {
        auto [It, New] = Here.try_emplace(*At);
        PlacedLayout &P = It->second;
        if (New || isMadeOf(Fact, P.Fact)) {
          P = {At->first, At->second, 0, 0, std::move(Fact), {}};
          for (const analysis::Note &N : P.Fact.History)
            P.Places.push_back(lineOf(N.Where));
          if (auto Name = placeOf(P.Fact.Point))
            std::tie(P.NameBegin, P.NameEnd) = *Name;
        } else if (P.Fact.Layouts != Fact.Layouts) {
          P.Fact.Layouts.clear(); // several tensors, as in make_tuple(a, b)
        }
      }
    for (auto &[At, P] : Here) {
      auto [It, New] = Found.try_emplace(At, P);
      if (New)
        continue;
      // Another instantiation of the same text.
      analysis::LayoutFact &Have = It->second.Fact;
      Have.IsStored |= P.Fact.IsStored;
      for (std::string &Text : P.Fact.Layouts)
        if (!llvm::is_contained(Have.Layouts, Text))
          Have.Layouts.push_back(std::move(Text));
    }
  }

  void deliver() {
    auto Entry = SM.getFileEntryRefForID(SM.getMainFileID());
    if (!Entry)
      return;
    llvm::SmallString<256> Path(Entry->getName());
    SM.getFileManager().makeAbsolutePath(Path);
    llvm::sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
    std::vector<PlacedLayout> All;
    for (auto &F : Found)
      if (!F.second.Fact.Layouts.empty())
        All.push_back(std::move(F.second));
    layoutSink()(Path, SM.getBufferData(SM.getMainFileID()), std::move(All));
  }

private:
  using Place = std::pair<unsigned, unsigned>;

  /// Offsets in the main file.
  std::optional<Place> placeOf(const program::Range &R) const {
    SourceLocation Begin = frontend::beginOf(R), End = frontend::endOf(R);
    if (Begin.isInvalid() || Begin.isMacroID() || End.isInvalid() ||
        End.isMacroID() || SM.getFileID(Begin) != SM.getMainFileID() ||
        SM.getFileID(End) != SM.getMainFileID())
      return std::nullopt;
    End = Lexer::getLocForEndOfToken(End, 0, SM, AST.getLangOpts());
    if (End.isInvalid())
      return std::nullopt;
    return Place(SM.getFileOffset(Begin), SM.getFileOffset(End));
  }

  /// "line 8", of the main file; "ops.h:8", of another.
  std::string lineOf(const program::Range &R) const {
    const SourceLocation Loc = SM.getExpansionLoc(frontend::beginOf(R));
    const PresumedLoc Place =
        SM.getPresumedLoc(Loc, /*UseLineDirectives=*/false);
    if (Place.isInvalid())
      return "line " + std::to_string(R.Line);
    const std::string Line = std::to_string(Place.getLine());
    return SM.getFileID(Loc) == SM.getMainFileID()
               ? "line " + Line
               : llvm::sys::path::filename(Place.getFilename()).str() + ":" +
                     Line;
  }

  /// Whether \p Later is what a macro made of \p Early, one text for both.
  static bool isMadeOf(const analysis::LayoutFact &Later,
                       const analysis::LayoutFact &Early) {
    return !Early.History.empty() && Later.History.size() > 1 &&
           llvm::any_of(
               llvm::drop_begin(Later.History), [&](const analysis::Note &N) {
                 return N.Where.Begin == Early.History.front().Where.Begin &&
                        N.Text == Early.History.front().Text;
               });
  }

  const ASTContext &AST;
  const SourceManager &SM;
  std::map<Place, PlacedLayout> Found;
};
} // namespace

//===----------------------------------------------------------------------===//
// One check
//===----------------------------------------------------------------------===//

static unsigned defaultLevel(analysis::Check Id) {
  unsigned Level = 1;
  for (const analysis::OptionInfo &O : analysis::options())
    if (O.Id == Id && llvm::StringRef(O.Name) == "Level")
      llvm::StringRef(O.Default).getAsInteger(10, Level);
  return Level;
}

/// Whether it is an option of the check that is true or false.
static bool isSwitch(const analysis::OptionInfo &O, analysis::Check Id) {
  const llvm::StringRef Default = O.Default;
  return O.Id == Id && (Default == "true" || Default == "false");
}

static std::string optionOf(const ClangTidyContext &Context,
                            llvm::StringRef Name) {
  const auto &Given = Context.getOptions().CheckOptions;
  auto It = Given.find(Name);
  return It == Given.end() ? "" : It->second.Value;
}

TensorCheck::TensorCheck(analysis::Check Id, llvm::StringRef Name,
                         ClangTidyContext *Context)
    : ClangTidyCheck(Name, Context), Id(Id),
      Level(Options.get("Level", defaultLevel(Id))),
      Shared(Unit::of(*Context)) {
  for (const analysis::OptionInfo &O : analysis::options())
    if (isSwitch(O, Id)) {
      const llvm::StringRef Given = Options.get(O.Name, O.Default);
      if (Given.equals_insensitive("true") || Given == "1")
        On.insert(O.Name);
    }
  Shared->add(Id, this);
}

TensorCheck::~TensorCheck() { Shared->remove(Id, this); }

void TensorCheck::storeOptions(clang::tidy::ClangTidyOptions::OptionMap &Opts) {
  Options.store(Opts, "Level", Level);
  for (const analysis::OptionInfo &O : analysis::options())
    if (isSwitch(O, Id))
      Options.store(Opts, O.Name,
                    llvm::StringRef(isOn(O.Name) ? "true" : "false"));
  Shared->storeOptions(Opts);
}

void TensorCheck::registerPPCallbacks(const SourceManager &, Preprocessor *PP,
                                      Preprocessor *) {
  Shared->watch(*PP);
}

namespace {
/// A host that shows only part of a file (clangd, our command line) narrows the
/// traversal scope; the translation unit itself is then not visited, and the
/// first function is the occasion instead.
AST_MATCHER(FunctionDecl, standsInNarrowedScope) {
  (void)Node;
  (void)Builder;
  auto Scope = Finder->getASTContext().getTraversalScope();
  return Scope.empty() || !isa<TranslationUnitDecl>(Scope.front());
}
} // namespace

void TensorCheck::registerMatchers(ast_matchers::MatchFinder *Finder) {
  using namespace ast_matchers;
  if (!Shared->claimStart())
    return;
  Finder->addMatcher(translationUnitDecl(), this);
  Finder->addMatcher(functionDecl(standsInNarrowedScope()), this);
}

void TensorCheck::check(const ast_matchers::MatchFinder::MatchResult &Result) {
  Shared->run(*Result.Context);
}

//===----------------------------------------------------------------------===//
// The analysis of a file
//===----------------------------------------------------------------------===//

namespace {
/// Adds the time since the last call to one phase after the other.
class PhaseTimer {
public:
  void endOf(double &Phase) {
    double Now = analysis::cpuSeconds();
    Phase += Now - std::exchange(Last, Now);
  }

private:
  double Last = analysis::cpuSeconds();
};
} // namespace

static bool isLambda(const FunctionDecl &F) {
  const auto *M = dyn_cast<CXXMethodDecl>(&F);
  return M && M->getParent()->isLambda();
}

/// A body is analysed for itself and for each call of it. Of the findings at
/// one place the most certain stays, and of those one that needs no call.
static void keepOnePerPlace(std::vector<analysis::Finding> &All) {
  std::map<std::pair<analysis::Check, uint32_t>, std::pair<unsigned, bool>>
      Best;
  auto Key = [](const analysis::Finding &F) {
    return std::make_pair(F.Id, F.Point.Begin);
  };
  auto Rank = [](const analysis::Finding &F) {
    return std::make_pair(F.Level, F.InCall);
  };
  for (const analysis::Finding &F : All) {
    auto [It, New] = Best.try_emplace(Key(F), Rank(F));
    if (!New)
      It->second = std::min(It->second, Rank(F));
  }
  std::set<std::pair<analysis::Check, uint32_t>> Shown;
  llvm::erase_if(All, [&](const analysis::Finding &F) {
    return Rank(F) != Best[Key(F)] || !Shown.insert(Key(F)).second;
  });
}

/// As the diagnostic of \p F has it.
static FindingKey keyOf(const analysis::Finding &F, const ASTContext &AST) {
  const SourceManager &SM = AST.getSourceManager();
  return {analysis::checks()[static_cast<size_t>(F.Id)].Name,
          SM.getFileOffset(SM.getFileLoc(placeOf(F))), F.Message};
}

void Unit::watch(Preprocessor &Of) {
  PP = &Of;
  if (!Errors)
    Errors = watchErrors(Of.getDiagnostics());
}

void Unit::run(ASTContext &AST) {
  if (std::exchange(Done, true))
    return;
  Session Unattended;
  Session *Attached = sessionOf(Context);
  Session &S = Attached ? *Attached : Unattended;
  Statistics &Stats = S.Stats;
  static const ErrorLocations NoErrors;
  const ErrorLocations &Tainted = Errors ? *Errors : NoErrors;

  PhaseTimer Timer;
  FileFilter Filter(Context, AST);
  std::unique_ptr<models::ApiModel> Own = userModel(AST);
  const models::ApiModel &Model = Own ? *Own : models::builtinModel();
  frontend::Candidates Found = frontend::findFunctions(
      AST, Model, [&](SourceLocation Loc) { return Filter.admits(Loc); });
  Stats.Seen += Found.FunctionsSeen;
  Stats.WithTensors += Found.Functions.size();
  Timer.endOf(Stats.Find);

  // A line of a template or a generic lambda belongs to several functions:
  // what must hold for all of them waits until all are known.
  std::vector<analysis::Finding> All;
  std::set<std::pair<analysis::Check, uint32_t>> Silent;
  LayoutCollector Layouts(AST);
  analysis::Budget Limits;
  Limits.Observe = static_cast<bool>(layoutSink());
  Limits.Disregarded = disregarded();
  frontend::UnitFunctions Functions(AST, Model, Tainted);
  Functions.Library = PP ? frontend::libraryRelease(*PP) : 0;
  Functions.Replaced = std::move(Found.Replaced);
  Functions.Registered = std::move(Found.Registered);
  Functions.ConvertsModules = Found.ConvertsModules;
  Functions.Fields = std::move(Found.Fields);
  Functions.Made = std::move(Found.Made);
  Functions.Silently = std::move(Found.Silently);
  Functions.OnBackend = std::move(Found.OnBackend);
  Functions.Moved = std::move(Found.Moved);
  // Lambdas after the functions around them, which may have absorbed them.
  std::vector<std::vector<analysis::Finding>> Findings(Found.Functions.size());
  std::vector<size_t> Order;
  llvm::DenseSet<program::BodyId> Absorbed;
  for (const bool Lambdas : {false, true})
    for (size_t I = Found.Functions.size(); I-- > 0;)
      if (isLambda(*Found.Functions[I]) == Lambdas)
        Order.push_back(I);
  for (const size_t At : Order) {
    const FunctionDecl *F = Found.Functions[At];
    llvm::PrettyStackTraceFormat Trace("tensortidy: analysing '%s'",
                                       F->getNameAsString().c_str());
    const program::Function &P = Functions.get(*F);
    Stats.Modelled += P.Modelled;
    for (const std::string &Name : P.Open)
      ++Stats.Open[Name];
    for (const std::string &Name : P.Unmodelled)
      ++Stats.Unmodelled[Name];
    Timer.endOf(Stats.Lower);
    if (S.Programs && !S.Layouts)
      program::print(P, *S.Programs);

    program::GiveUp Reason = P.Reason;
    if (Reason == program::GiveUp::No && !Absorbed.count(Functions.idOf(*F))) {
      Limits.Describe = S.Layouts;
      analysis::FunctionResult R = analysis::analyse(P, Limits, &Functions);
      if (S.Programs && S.Layouts)
        program::print(P, *S.Programs, &R.ValueLayouts);
      Reason = R.Reason;
      Stats.CallsFollowed += R.Followed;
      Stats.CallsNotFollowed += R.NotFollowed;
      Stats.ViewSites += R.ViewSites;
      Stats.LayoutSites += R.LayoutSites;
      Stats.LayoutSitesDecided += R.LayoutSitesDecided;
      Stats.ViewSitesDecided += R.ViewSitesDecided;
      Stats.PointerSites += R.PointerSites;
      Stats.PointerSitesDecided += R.PointerSitesDecided;
      Stats.ContiguousSites += R.ContiguousSites;
      Stats.ContiguousSitesDecided += R.ContiguousSitesDecided;
      Stats.CopySites += R.CopySites;
      Stats.CopySitesDecided += R.CopySitesDecided;
      for (size_t I = 0; I < R.Silenced.size(); ++I)
        if (R.Silenced[I])
          Stats.Silenced[analysis::reasons()[I].Name] += R.Silenced[I];
      Timer.endOf(Stats.Analyse);
      for (const analysis::SilentSite &Site : R.Silent)
        Silent.insert({Site.Id, Site.Begin});
      Absorbed.insert(R.Absorbed.begin(), R.Absorbed.end());
      Findings[At] = std::move(R.Findings);
      Layouts.add(std::move(R.Layouts));
    }
    if (Reason == program::GiveUp::No)
      ++Stats.Analysed;
    else
      ++Stats.GivenUp[program::giveUpName(Reason).str()];
  }
  for (std::vector<analysis::Finding> &Of : Findings)
    std::move(Of.begin(), Of.end(), std::back_inserter(All));
  if (Limits.Observe)
    Layouts.deliver();
  keepOnePerPlace(All);
  S.Files.merge(Filter.files());
  for (const analysis::Finding &Finding : All)
    if (!Silent.count({Finding.Id, Finding.Point.Begin}) &&
        report(Finding, AST))
      S.Functions[keyOf(Finding, AST)] =
          functionAround(placeOf(Finding), Found.Functions, AST);
  Timer.endOf(Stats.Report);
}

void Unit::storeOptions(clang::tidy::ClangTidyOptions::OptionMap &Opts) const {
  for (llvm::StringRef Name : {ModelOption, AssertionsOption, DisregardOption})
    Opts[Name].Value = optionOf(Context, Name);
}

/// The reasons that are not in force, as bits; reports names that are none.
uint32_t Unit::disregarded() {
  uint32_t Bits = 0;
  llvm::SmallVector<llvm::StringRef, 4> Names;
  const std::string Option = optionOf(Context, DisregardOption);
  llvm::StringRef(Option).split(Names, ';', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef Name : Names) {
    const auto All = analysis::reasons();
    const auto *It = llvm::find_if(All, [&](const analysis::ReasonInfo &R) {
      return Name.trim() == R.Name;
    });
    if (It == All.end())
      Context.configurationDiag("%0 names no reason: '%1'",
                                DiagnosticIDs::Error)
          << DisregardOption << Name.trim();
    else
      Bits |= 1u << (It - All.begin());
  }
  return Bits;
}

/// The user's model of this file; null when he has none, or after a report of
/// what is wrong with it.
std::unique_ptr<models::ApiModel> Unit::userModel(ASTContext &AST) {
  const SourceManager &SM = AST.getSourceManager();
  auto Main = SM.getFileEntryRefForID(SM.getMainFileID());
  llvm::vfs::FileSystem &FS = SM.getFileManager().getVirtualFileSystem();
  std::string File = models::userModelFile(Main ? Main->getName() : "",
                                           optionOf(Context, ModelOption), FS);
  const std::string Assertions = optionOf(Context, AssertionsOption);
  if (File.empty() && Assertions.empty())
    return nullptr;
  auto Fails = [&](llvm::Error Why) {
    Context.configurationDiag("%0", DiagnosticIDs::Error)
        << llvm::toString(std::move(Why));
    return nullptr;
  };
  auto Model = models::readUserModel(File, FS);
  if (!Model)
    return Fails(Model.takeError());
  if (llvm::Error Why = models::addAssertions(Assertions, **Model))
    return Fails(std::move(Why));
  return std::move(*Model);
}

bool Unit::report(const analysis::Finding &F, ASTContext &AST) {
  // The one place where a level is compared, and an option looked at.
  TensorCheck *Check = at(F.Id);
  if (!Check || F.Level > Check->level() ||
      (F.Option && !Check->isOn(F.Option)))
    return false;
  render(F, *Check, AST);
  return true;
}

} // namespace tensortidy::tidy
