//===- Analyse.cpp - analyse one file in this process ---------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analyse.h"
#include "Frontend/Frontend.h"
#include "Invocation.h"
#include "Models/ModelFiles.h"
#include "Tidy/Compat.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/Version.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Sema/SemaConsumer.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Support/FileSystem.h"
#include <cstdlib>

using namespace clang;
using namespace clang::tidy;
using namespace clang::tooling;

namespace tensortidy::tool {

namespace {

/// What the parts of one run share.
struct Run {
  ClangTidyContext &Tidy;
  tidy::Session &Session;
  const models::ApiModel &Model;
  bool ReadEverything;
  llvm::StringSet<> &Late;              ///< files with bodies that were put off
  const SharedHeader *Shared = nullptr; ///< what the command begins with
};

/// Narrows what clang-tidy walks to the declarations of the linted files: what
/// the checks cost then depends on the code linted and not on what it includes.
/// Passes over the bodies that nobody asks for.
class ScopeCollector : public SemaConsumer {
public:
  ScopeCollector(const Run &R, CompilerInstance &Compiler)
      : R(R), Compiler(Compiler), Start(analysis::cpuSeconds()) {}

  void Initialize(ASTContext &Context) override {
    Filter.emplace(R.Tidy, Context);
    Read.emplace(R.Model, *Filter, Context.getSourceManager(),
                 Compiler.getPreprocessor().getHeaderSearchInfo(),
                 R.ReadEverything);
    Read->attach(Compiler, R.Late);
  }

  bool shouldSkipFunctionBody(Decl *D) override { return Read->passesOver(*D); }

  void InitializeSema(Sema &S) override { Semantics = &S; }
  void ForgetSema() override { Semantics = nullptr; }

  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    for (Decl *D : Group)
      add(D);
    // Others come while Sema is at its vtables, or an AST file is being read.
    if (Semantics && llvm::all_of(Group, isParsed))
      Read->passOverVtables(*Semantics);
    return true;
  }

  void HandleTranslationUnit(ASTContext &Context) override {
    // The declarations of a precompiled header are not handed over one by one.
    // In one of ours there is none that is linted.
    if (R.Shared) {
      addFiles(*R.Shared, Context.getSourceManager().getFileManager());
    } else if (Context.getExternalSource() && Filter->admitsHeaders()) {
      Scope.clear();
      for (Decl *D : Context.getTranslationUnitDecl()->decls())
        add(D);
    }
    Context.setTraversalScope(Scope);
    R.Session.Stats.Parse += analysis::cpuSeconds() - Start;
  }

private:
  /// Those that are looked at by their names.
  void addFiles(const SharedHeader &Shared, FileManager &Files) {
    const tidy::HeaderFilter Headers(R.Tidy.getOptions());
    for (const SharedHeader::Read &One : Shared.Files)
      if (Headers.admitsName(One.Name)) {
        llvm::SmallString<256> Path(One.Name);
        Files.makeAbsolutePath(Path);
        R.Session.Files.insert(Path.str().str());
      }
  }

  void add(Decl *D) {
    if (D->getLexicalDeclContext()->isTranslationUnit() &&
        !isInstantiation(D) && Filter->admits(D->getLocation()))
      Scope.push_back(D);
  }

  /// Whether the parser has just read \p D.
  static bool isParsed(const Decl *D) {
    const auto *V = dyn_cast<VarDecl>(D);
    return !D->isFromASTFile() && !isInstantiation(D) &&
           !(V && isTemplateInstantiation(V->getTemplateSpecializationKind()));
  }

  /// Reported here when it is made, but found through its template.
  static bool isInstantiation(const Decl *D) {
    const auto *F = dyn_cast<FunctionDecl>(D);
    return F && F->isTemplateInstantiation();
  }

  const Run R;
  CompilerInstance &Compiler;
  const double Start;
  Sema *Semantics = nullptr;
  std::optional<tidy::FileFilter> Filter;
  std::optional<BodyFilter> Read;
  std::vector<Decl *> Scope;
};

class LintAction : public ASTFrontendAction {
public:
  LintAction(const Run &R, ClangTidyASTConsumerFactory &Checks)
      : R(R), Checks(Checks) {}

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &Compiler,
                                                 StringRef File) override {
    std::vector<std::unique_ptr<ASTConsumer>> Consumers;
    Consumers.push_back(std::make_unique<ScopeCollector>(R, Compiler));
    Consumers.push_back(Checks.createASTConsumer(Compiler, File));
    return std::make_unique<MultiplexConsumer>(std::move(Consumers));
  }

private:
  const Run R;
  ClangTidyASTConsumerFactory &Checks;
};

class LintActionFactory : public FrontendActionFactory {
public:
  LintActionFactory(const Run &R,
                    IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> FS)
      : R(R), Checks(R.Tidy, std::move(FS)) {}

  /// The next command begins with \p Shared, or has nothing in common with
  /// others where that is null.
  void begin(const SharedHeader *Shared) { R.Shared = Shared; }

  std::unique_ptr<FrontendAction> create() override {
    return std::make_unique<LintAction>(R, Checks);
  }

  bool runInvocation(std::shared_ptr<CompilerInvocation> Invocation,
                     FileManager *Files,
                     std::shared_ptr<PCHContainerOperations> PCHContainerOps,
                     DiagnosticConsumer *Consumer) override {
    prepareInvocation(*Invocation, R.ReadEverything);
    if (R.Shared)
      R.Shared->use(*Invocation);
    return FrontendActionFactory::runInvocation(
        Invocation, Files, std::move(PCHContainerOps), Consumer);
  }

private:
  Run R;
  ClangTidyASTConsumerFactory Checks;
};

FileResult analyseHere(const Job &J,
                       std::unique_ptr<ClangTidyOptionsProvider> Provider,
                       const Request &Asked, Accesses *Disk,
                       llvm::ArrayRef<const SharedHeader *> Headers) {
  FileResult Result;
  llvm::raw_string_ostream Programs(Result.Programs);
  ClangTidyContext Context(std::move(Provider));
  tidy::Session Session;
  if (Asked.PrintProgram)
    Session.Programs = &Programs;
  Session.Layouts = Asked.PrintLayouts;
  tidy::attach(Context, &Session);
  std::optional<LayoutRecord> Layouts;
  if (Asked.Pictures)
    Layouts.emplace();

  // LLVM 19's consumer takes the header filter when it is made: of this file,
  // and not of whatever configuration stands above the working directory.
  Context.setCurrentFile(J.File);
  RecordingConsumer Consumer(Context);
  compat::CheckDiagnostics Engine(Context, Consumer);
  auto FS = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(
      sourceFileSystem(Disk));
  auto Model = modelOf(J.File, Context.getOptions(), *FS);
  llvm::StringSet<> Late;
  LintActionFactory Factory(
      {Context, Session, *Model, Asked.ReadEverything, Late}, FS);

  for (size_t I = 0; I < J.Commands.size(); ++I) {
    const SharedHeader *Shared = I < Headers.size() ? Headers[I] : nullptr;
    // Of what is linted nothing may be missing.
    if (Shared && Shared->hasFileFor(tidy::HeaderFilter(Context.getOptions())))
      Shared = nullptr;
    Factory.begin(Shared);
    if (Shared) {
      FS->pushOverlay(Shared->fileSystem());
      if (Disk)
        Shared->note(*Disk);
      ++Result.WithShared;
    }
    Result.HasCompileErrors |=
        runActions(
            prepared(J.Commands[I], Asked.ResourceDir), J.File,
            [&](StringRef Of) { return Context.getOptionsForFile(Of); }, FS,
            Consumer, Factory) != 0;
  }
  tidy::attach(Context, nullptr);
  Result.MissesFile = Consumer.beginsWithMissingFile();

  Result.Errors = Consumer.take();
  Result.HasLateErrors = llvm::any_of(Result.Errors, [&](const auto &E) {
    return E.DiagLevel == ClangTidyError::Error &&
           Late.contains(E.Message.FilePath);
  });
  Result.Silenced = Consumer.takeSilenced();
  Result.Sources = Consumer.sourcesOf({&Result.Errors, &Result.Silenced}, *FS);
  Result.Functions = std::move(Session.Functions);
  Result.Files = std::move(Session.Files);
  Result.Stats = Session.Stats;
  if (Layouts)
    for (const ClangTidyError &E : Result.Errors)
      if (auto Pictures = Layouts->picturesOf(E); !Pictures.empty())
        Result.Pictures[keyOf(E)] = std::move(Pictures);
  Programs.flush();
  return Result;
}

} // namespace

std::unique_ptr<models::ApiModel> modelOf(StringRef File,
                                          const ClangTidyOptions &Options,
                                          llvm::vfs::FileSystem &FS) {
  auto Given = Options.CheckOptions.find(tidy::ModelOption);
  auto Model = models::readUserModel(
      models::userModelFile(
          File, Given == Options.CheckOptions.end() ? "" : Given->second.Value,
          FS),
      FS);
  if (Model)
    return std::move(*Model);
  llvm::consumeError(Model.takeError());
  return std::make_unique<models::ApiModel>();
}

std::vector<std::string> environment() {
  std::vector<std::string> All{getClangFullVersion()};
  // What clang's driver and we look at.
  for (const char *Name :
       {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "COMPILER_PATH",
        "CCC_OVERRIDE_OPTIONS", "CLANG_NO_DEFAULT_CONFIG", "CUDA_HOME",
        "CUDA_PATH", "LIBRARY_PATH", "SDKROOT", "SOURCE_DATE_EPOCH"}) {
    const char *Value = std::getenv(Name);
    All.push_back(Value ? "=" + std::string(Value) : "");
  }
  return All;
}

std::vector<std::string> inputsOf(const Job &J, const ClangTidyOptions &Options,
                                  const Request &Asked) {
  llvm::SmallString<256> Cwd;
  if (llvm::sys::fs::current_path(Cwd))
    return {};
  std::vector<std::string> All = environment();
  All.insert(
      All.end(),
      {Cwd.str().str(), J.File, Asked.ResourceDir,
       (llvm::Twine(Asked.PrintProgram) + llvm::Twine(Asked.PrintLayouts) +
        llvm::Twine(Asked.ReadEverything) + llvm::Twine(Asked.Pictures))
           .str(),
       configurationAsText(Options)});
  const auto IsFile = [](const std::string &Arg) {
    return llvm::StringRef(Arg).starts_with("@");
  };
  for (const auto *Extra : {&Options.ExtraArgs, &Options.ExtraArgsBefore})
    if (*Extra && llvm::any_of(**Extra, IsFile))
      return {};
  for (const CompileCommand &Given : J.Commands) {
    const CompileCommand C = prepared(Given, Asked.ResourceDir);
    if (llvm::any_of(C.CommandLine, IsFile))
      return {};
    All.push_back(C.Directory);
    All.push_back(C.Filename);
    All.push_back(std::to_string(C.CommandLine.size()));
    llvm::append_range(All, C.CommandLine);
  }
  return All;
}

FileResult analyse(const Job &J,
                   std::unique_ptr<ClangTidyOptionsProvider> Provider,
                   const Request &Asked, Accesses *Disk,
                   llvm::ArrayRef<const SharedHeader *> Headers) {
  FileResult Result;
  runWithLargeStack([&] {
    Result = analyseHere(J, std::move(Provider), Asked, Disk, Headers);
  });
  return Result;
}

} // namespace tensortidy::tool
