//===- SharedHeaders.cpp - which headers a run precompiles ----------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedHeaders.h"
#include "Frontend/Frontend.h"
#include "Invocation.h"
#include "Leading.h"
#include "Models/ModelFiles.h"
#include "Places.h"
#include "SourceKind.h"
#include "Tidy/Compat.h"
#include "Tidy/Tidy.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace clang;
using namespace clang::tooling;

namespace tensortidy::tool {

namespace {

/// From so many files on a header may be precompiled for them, ...
constexpr unsigned FewestFiles = 3;
/// ... and from so many bytes of text.
constexpr double FewestBytes = 256 << 10;

// What it costs to parse and write one, and to use one, for each of its bytes
// in bytes that are parsed.
constexpr double ToMake = 1.6, ToUse = 0.2;

llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem>
overlay(Accesses *Disk = nullptr) {
  return llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(
      sourceFileSystem(Disk));
}

/// Runs \p Make's action with the compiler that a command asks for, changed by
/// \p Change.
class Actions : public FrontendActionFactory {
public:
  Actions(bool ReadEverything,
          std::function<std::unique_ptr<FrontendAction>()> Make,
          std::function<void(CompilerInvocation &)> Change)
      : ReadEverything(ReadEverything), Make(std::move(Make)),
        Change(std::move(Change)) {}

  std::unique_ptr<FrontendAction> create() override { return Make(); }
  bool runInvocation(std::shared_ptr<CompilerInvocation> Invocation,
                     FileManager *Files,
                     std::shared_ptr<PCHContainerOperations> PCHContainerOps,
                     DiagnosticConsumer *Consumer) override {
    prepareInvocation(*Invocation, ReadEverything);
    Change(*Invocation);
    return FrontendActionFactory::runInvocation(
        Invocation, Files, std::move(PCHContainerOps), Consumer);
  }

private:
  const bool ReadEverything;
  const std::function<std::unique_ptr<FrontendAction>()> Make;
  const std::function<void(CompilerInvocation &)> Change;
};

/// Looks at the beginnings of files, with the search paths of a compiler.
class LookAction : public PreprocessorFrontendAction {
public:
  explicit LookAction(std::function<void(CompilerInstance &)> Look)
      : Look(std::move(Look)) {}

protected:
  void ExecuteAction() override { Look(getCompilerInstance()); }

private:
  const std::function<void(CompilerInstance &)> Look;
};

//===----------------------------------------------------------------------===//
// To precompile a header
//===----------------------------------------------------------------------===//

struct Precompiled {
  llvm::ArrayRef<std::string> Headers; ///< that it is made of
  std::shared_ptr<PCHBuffer> Bytes = std::make_shared<PCHBuffer>();
  std::vector<SharedHeader::Read> Files;
  bool IsGuarded = true; ///< each of the headers is
};

/// Of a precompiled header no file is linted.
class Observer : public ASTConsumer {
public:
  Observer(Precompiled &Into, CompilerInstance &Compiler,
           const models::ApiModel &Model, bool ReadEverything)
      : Into(Into), Compiler(Compiler), Nothing(nothing(), sources()),
        Read(Model, Nothing, sources(), search(), ReadEverything) {}

  void Initialize(ASTContext &) override { Read.attach(Compiler, Late); }

  bool shouldSkipFunctionBody(Decl *D) override { return Read.passesOver(*D); }

  void HandleTranslationUnit(ASTContext &) override {
    for (auto It = sources().fileinfo_begin(); It != sources().fileinfo_end();
         ++It)
      Into.Files.push_back(
          {compat::nameOf(It->first).str(),
           SrcMgr::isSystem(search().getFileDirFlavor(It->first))});
    for (const std::string &Header : Into.Headers) {
      auto Entry = Compiler.getFileManager().getOptionalFileRef(Header);
      Into.IsGuarded &= Entry && search().isFileMultipleIncludeGuarded(*Entry);
    }
  }

private:
  static const clang::tidy::ClangTidyOptions &nothing() {
    static const clang::tidy::ClangTidyOptions None;
    return None;
  }
  SourceManager &sources() { return Compiler.getSourceManager(); }
  HeaderSearch &search() {
    return Compiler.getPreprocessor().getHeaderSearchInfo();
  }

  Precompiled &Into;
  CompilerInstance &Compiler;
  tidy::FileFilter Nothing;
  BodyFilter Read;
  llvm::StringSet<> Late;
};

class PrecompileAction : public ASTFrontendAction {
public:
  PrecompileAction(Precompiled &Into, const models::ApiModel &Model,
                   bool ReadEverything)
      : Into(Into), Model(Model), ReadEverything(ReadEverything) {}

  TranslationUnitKind getTranslationUnitKind() override { return TU_Prefix; }

protected:
  bool BeginSourceFileAction(CompilerInstance &Compiler) override {
    Compiler.getLangOpts().CompilingPCH = true;
    return true;
  }

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &Compiler,
                                                 StringRef) override {
    std::vector<std::unique_ptr<ASTConsumer>> Consumers;
    Consumers.push_back(
        std::make_unique<Observer>(Into, Compiler, Model, ReadEverything));
    Consumers.push_back(compat::headerWriter(Compiler, Into.Bytes));
    return std::make_unique<MultiplexConsumer>(std::move(Consumers));
  }

private:
  Precompiled &Into;
  const models::ApiModel &Model;
  const bool ReadEverything;
};

//===----------------------------------------------------------------------===//
// Flags
//===----------------------------------------------------------------------===//

/// The path of the user's model for \p J and a hash of its text.
std::string modelKey(const Job &J, llvm::vfs::FileSystem &FS) {
  auto Given = J.Options.CheckOptions.find(tidy::ModelOption);
  const std::string Path = models::userModelFile(
      J.File, Given == J.Options.CheckOptions.end() ? "" : Given->second.Value,
      FS);
  if (Path.empty())
    return "";
  auto Text = FS.getBufferForFile(Path);
  return Path + "\n" + (Text ? hashOf((*Text)->getBuffer()) : "");
}

/// What decides how a header that \p Command includes is parsed. Nothing when
/// that cannot be said.
std::vector<std::string> flagsOf(const Job &J, const CompileCommand &Command,
                                 const std::string &Model,
                                 const Request &Asked) {
  std::vector<std::string> All = environment();
  All.insert(All.end(),
             {"header 2", Asked.ResourceDir,
              std::to_string(Asked.ReadEverything), Model, Command.Directory,
              llvm::sys::path::extension(Command.Filename).str()});
  const std::string File = absolutePath(Command.Filename, Command.Directory);
  for (const std::string &Arg : withExtraArgs(
           prepared(Command, Asked.ResourceDir).CommandLine, J.Options)) {
    if (StringRef(Arg).starts_with("@"))
      return {};
    if (StringRef(Arg).starts_with("-") ||
        absolutePath(Arg, Command.Directory) != File)
      All.push_back(Arg);
  }
  return All;
}

} // namespace

//===----------------------------------------------------------------------===//
// Which ones
//===----------------------------------------------------------------------===//

/// Commands with the same flags.
struct SharedHeaders::Group {
  struct Member {
    unsigned Job;
    size_t Command;
    std::vector<LeadingLine> Lines;
  };
  std::vector<std::string> Flags;
  const Job *Like; ///< the first one's
  size_t Command;
  std::vector<Member> Members;
  double BytesBefore = 0; ///< of what the flags include
};

/// The beginnings of a group's files.
class SharedHeaders::Tree {
public:
  struct Node {
    std::string Text; ///< all lines from the first one on
    std::vector<std::string> Headers;
    double Bytes = 0;
    unsigned Files = 0; ///< that begin so
    std::map<std::string, size_t> Next;
    std::string Key;
    bool IsKept = false, IsBad = false;
  };

  Tree(const Group &G, const Cache &Kept) : Kept(Kept), Flags(G.Flags) {
    add({}, G.BytesBefore);
    for (const Group::Member &M : G.Members) {
      size_t At = 0;
      ++Nodes[0].Files;
      for (const LeadingLine &Line : M.Lines) {
        auto It = Nodes[At].Next.find(Line.Text);
        if (It == Nodes[At].Next.end()) {
          Node New;
          New.Text = Nodes[At].Text + Line.Text + "\n";
          New.Headers = Nodes[At].Headers;
          if (!Line.Header.empty())
            New.Headers.push_back(Line.Header);
          const size_t Index = add(std::move(New), double(Line.Bytes));
          It = Nodes[At].Next.emplace(Line.Text, Index).first;
        }
        At = It->second;
        ++Nodes[At].Files;
      }
      Ends.push_back(At);
      ++EndsAt[At];
    }
  }

  /// For each member, the node to begin with; -1: none.
  std::vector<int> choose() {
    Known.clear();
    Begin.assign(Nodes.size(), -1);
    pick(0, -1);
    std::vector<int> All;
    for (const size_t End : Ends)
      All.push_back(Begin[End]);
    return All;
  }

  std::vector<Node> Nodes;

private:
  size_t add(Node N, double Bytes) {
    N.Bytes = Bytes;
    std::vector<std::string> Inputs = Flags;
    Inputs.push_back(N.Text);
    N.Key = Cache::keyOf(Inputs, executable());
    N.IsKept = Kept.hasHeader(N.Key);
    Nodes.push_back(std::move(N));
    return Nodes.size() - 1;
  }

  struct Choice {
    double Cost;
    bool IsPicked;
  };

  bool canPick(const Node &N) const {
    return !N.IsBad && N.Bytes > 0 &&
           (N.IsKept || (N.Files >= FewestFiles && N.Bytes >= FewestBytes));
  }

  double below(size_t At, int Used) {
    const double Saved = Used < 0 ? 0 : Nodes[Used].Bytes * (1 - ToUse);
    auto Here = EndsAt.find(At);
    double Cost =
        Here == EndsAt.end() ? 0 : Here->second * (Nodes[At].Bytes - Saved);
    for (const auto &[Line, Next] : Nodes[At].Next)
      Cost += best(Next, Used).Cost;
    return Cost;
  }

  /// What all files that begin as \p At cost when \p Used is the last node
  /// above that is picked.
  Choice best(size_t At, int Used) {
    auto [It, New] = Known.try_emplace({At, Used});
    if (!New)
      return It->second;
    Choice C{below(At, Used), false};
    if (canPick(Nodes[At])) {
      const double Cost = below(At, static_cast<int>(At)) +
                          (Nodes[At].IsKept ? 0 : ToMake * Nodes[At].Bytes);
      if (Cost < C.Cost)
        C = {Cost, true};
    }
    return Known[{At, Used}] = C;
  }

  void pick(size_t At, int Used) {
    if (best(At, Used).IsPicked)
      Used = static_cast<int>(At);
    Begin[At] = Used;
    for (const auto &[Line, Next] : Nodes[At].Next)
      pick(Next, Used);
  }

  const Cache &Kept;
  const std::vector<std::string> &Flags;
  std::vector<size_t> Ends; ///< by member
  std::map<size_t, unsigned> EndsAt;
  std::map<std::pair<size_t, int>, Choice> Known;
  std::vector<int> Begin; ///< by node
};

/// Finds out what the files of \p G begin with.
void SharedHeaders::look(Group &G, llvm::ArrayRef<Job> Jobs) const {
  auto FS = overlay();
  auto Model = modelOf(G.Like->File, G.Like->Options, *FS);
  auto Look = [&](CompilerInstance &Compiler) {
    // A project's own is used as it is.
    if (!Compiler.getPreprocessorOpts().ImplicitPCHInclude.empty())
      return G.Members.clear();
    LeadingLines Lines(Compiler, *Model, G.Members.size() >= FewestFiles);
    G.BytesBefore = double(Lines.bytesBefore());
    for (Group::Member &M : G.Members) {
      const Job &J = Jobs[M.Job];
      M.Lines = Lines.of(absolutePath(J.File));
      // No further than nothing in them is linted.
      const tidy::HeaderFilter Filter(J.Options);
      M.Lines.erase(llvm::find_if(M.Lines,
                                  [&](const LeadingLine &Line) {
                                    return Filter.admits(Line.Header,
                                                         Line.IsSystem);
                                  }),
                    M.Lines.end());
    }
  };
  Actions Run(
      Asked.ReadEverything, [&] { return std::make_unique<LookAction>(Look); },
      [](CompilerInvocation &) {});
  IgnoringDiagConsumer Nobody;
  runActions(
      prepared(G.Like->Commands[G.Command], Asked.ResourceDir), G.Like->File,
      [&](StringRef) { return G.Like->Options; }, FS, Nobody, Run);
}

void SharedHeaders::plan(llvm::ArrayRef<Job> Jobs,
                         llvm::ArrayRef<unsigned> Pending) {
  if (Pending.size() < FewestFiles && !Kept.hasHeaders())
    return;
  std::map<std::vector<std::string>, Group> Groups;
  llvm::vfs::FileSystem &FS = *llvm::vfs::getRealFileSystem();
  for (const unsigned I : Pending) {
    const Job &J = Jobs[I];
    const std::string Model = modelKey(J, FS);
    for (size_t C = 0; C < J.Commands.size(); ++C) {
      std::vector<std::string> Flags = flagsOf(J, J.Commands[C], Model, Asked);
      if (Flags.empty())
        continue;
      Group &G = Groups[Flags];
      if (G.Members.empty())
        G = {std::move(Flags), &J, C, {}};
      G.Members.push_back({I, C, {}});
    }
  }
  for (auto &[Flags, G] : Groups)
    planGroup(G, Jobs);
}

void SharedHeaders::planGroup(Group &G, llvm::ArrayRef<Job> Jobs) {
  look(G, Jobs);
  Tree T(G, Kept);
  std::vector<int> Picked;
  // What is kept may prove to be of no use.
  for (bool IsSettled = false; !IsSettled;) {
    IsSettled = true;
    Picked = T.choose();
    for (const int At : Picked)
      if (At >= 0 && T.Nodes[At].IsKept && !ByKey.count(T.Nodes[At].Key)) {
        Tree::Node &N = T.Nodes[At];
        auto Header = Kept.findHeader(N.Key);
        if (Header && Header->isUsable()) {
          All.push_back({N.Key, N.Text, N.Headers, G.Like, G.Command, true,
                         std::move(Header)});
          ByKey[N.Key] = &All.back();
          ++Found;
        } else {
          IsSettled = false;
          N.IsBad = Header.has_value();
          N.IsKept = false;
        }
      }
  }
  for (size_t I = 0; I < G.Members.size(); ++I) {
    if (Picked[I] < 0)
      continue;
    const Tree::Node &N = T.Nodes[Picked[I]];
    Build *&B = ByKey[N.Key];
    if (!B) {
      All.push_back({N.Key, N.Text, N.Headers, G.Like, G.Command, false, {}});
      ToBuild.push_back(B = &All.back());
    }
    const Group::Member &M = G.Members[I];
    std::vector<Build *> &Of = Chosen[M.Job];
    Of.resize(Jobs[M.Job].Commands.size());
    Of[M.Command] = B;
  }
}

void SharedHeaders::build(unsigned Number) const {
  const Build &B = *ToBuild[Number];
  const Job &J = *B.Like;
  Accesses Disk;
  Precompiled Made;
  Made.Headers = B.Headers;
  runWithLargeStack([&] {
    auto FS = overlay(&Disk);
    auto Model = modelOf(J.File, J.Options, *FS);
    Actions Run(
        Asked.ReadEverything,
        [&] {
          return std::make_unique<PrecompileAction>(Made, *Model,
                                                    Asked.ReadEverything);
        },
        [&](CompilerInvocation &Invocation) {
          FrontendOptions &Front = Invocation.getFrontendOpts();
          const InputKind Kind = Front.Inputs.front().getKind();
          Front.Inputs.assign(
              {FrontendInputFile({B.Text, "shared header"}, Kind)});
          compat::langOptions(Invocation).PCHInstantiateTemplates = true;
        });
    IgnoringDiagConsumer Nobody;
    if (runActions(
            prepared(J.Commands[B.Command], Asked.ResourceDir), J.File,
            [&](StringRef) { return J.Options; }, FS, Nobody, Run) != 0)
      Made.IsGuarded = false;
  });
  if (Disk.unstable())
    return;
  llvm::StringRef Bytes;
  if (Made.Bytes->IsComplete && Made.IsGuarded)
    Bytes = {Made.Bytes->Data.data(), Made.Bytes->Data.size()};
  // It does not depend on the file that had these flags.
  const CompileCommand &Command = J.Commands[B.Command];
  Disk.forget(absolutePath(J.File));
  Disk.forget(absolutePath(Command.Filename, Command.Directory));
  Kept.keepHeader(B.Key, Bytes, Made.Files, Disk.list());
}

void SharedHeaders::built(unsigned Number) {
  Build &B = *ToBuild[Number];
  B.Tried = true;
  auto Header = Kept.findHeader(B.Key);
  if (Header && Header->isUsable())
    B.Result = std::move(Header);
}

void SharedHeaders::learn(unsigned Job, bool Fitted) {
  if (auto It = Chosen.find(Job); It != Chosen.end())
    for (Build *B : It->second)
      if (B)
        ++(Fitted ? B->Fits : B->Misfits);
}

bool SharedHeaders::isReady(unsigned Job) const {
  auto It = Chosen.find(Job);
  return It == Chosen.end() || llvm::all_of(It->second, [](const Build *B) {
           return !B || B->Tried;
         });
}

std::vector<const SharedHeader *> SharedHeaders::of(unsigned Job) const {
  std::vector<const SharedHeader *> Headers;
  if (auto It = Chosen.find(Job); It != Chosen.end())
    for (const Build *B : It->second)
      Headers.push_back(B && B->Result && !B->isUnfit() ? &*B->Result
                                                        : nullptr);
  return Headers;
}

} // namespace tensortidy::tool
