//===- Analyse.cpp - analyse one file in this process ---------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analyse.h"
#include "Arguments.h"
#include "Bodies.h"
#include "Cuda.h"
#include "Frontend/Frontend.h"
#include "Models/ModelFiles.h"
#include "Tidy/Compat.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/Version.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Support/FileSystem.h"
#include <cstdlib>
#include <pthread.h>

using namespace clang;
using namespace clang::tidy;
using namespace clang::tooling;

namespace tensortidy::tool {

namespace {

/// What the parts of one run share.
struct Run {
  ClangTidyContext &Tidy;
  const models::ApiModel &Model;
  bool ReadEverything;
  double &ParseSeconds;
};

/// Narrows what clang-tidy walks to the declarations of the linted files: what
/// the checks cost then depends on the code linted and not on what it includes.
/// Passes over the bodies that nobody asks for.
class ScopeCollector : public ASTConsumer {
public:
  ScopeCollector(const Run &R, CompilerInstance &Compiler)
      : R(R), Compiler(Compiler), Start(analysis::cpuSeconds()) {}

  void Initialize(ASTContext &Context) override {
    Filter.emplace(R.Tidy, Context);
    Read.emplace(R.Model, *Filter, Context.getSourceManager(),
                 Compiler.getPreprocessor().getHeaderSearchInfo());
  }

  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    for (Decl *D : Group)
      add(D);
    return true;
  }

  bool shouldSkipFunctionBody(Decl *D) override {
    const FunctionDecl *F = D->getAsFunction();
    return F && (isForDevice(*F) || (!R.ReadEverything && !Read->areAsked(*F)));
  }

  void HandleTranslationUnit(ASTContext &Context) override {
    // The declarations of a precompiled header are not handed over one by one.
    if (Context.getExternalSource() && Filter->admitsHeaders()) {
      Scope.clear();
      for (Decl *D : Context.getTranslationUnitDecl()->decls())
        add(D);
    }
    Context.setTraversalScope(Scope);
    R.ParseSeconds += analysis::cpuSeconds() - Start;
  }

private:
  /// What runs on the device is not analysed, so that it need not parse either.
  static bool isForDevice(const FunctionDecl &F) {
    return F.hasAttr<CUDAGlobalAttr>() ||
           (isWritten<CUDADeviceAttr>(F) && !isWritten<CUDAHostAttr>(F));
  }

  void add(Decl *D) {
    if (D->getLexicalDeclContext()->isTranslationUnit() &&
        !isInstantiation(D) && Filter->admits(D->getLocation()))
      Scope.push_back(D);
  }

  template <class Attribute> static bool isWritten(const FunctionDecl &F) {
    const auto *A = F.getAttr<Attribute>();
    return A && !A->isImplicit();
  }

  /// Reported here when it is made, but found through its template.
  static bool isInstantiation(const Decl *D) {
    const auto *F = dyn_cast<FunctionDecl>(D);
    return F && F->isTemplateInstantiation();
  }

  const Run R;
  CompilerInstance &Compiler;
  const double Start;
  std::optional<tidy::FileFilter> Filter;
  std::optional<Bodies> Read;
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

/// Resets everything in a command that makes clang write a file, load code or
/// print: flags come from databases and from .clang-tidy files, which may be a
/// stranger's. After all arguments are parsed, so that it does not matter which
/// spelling asked for it.
void makeReadOnly(CompilerInvocation &Invocation) {
  Invocation.getDependencyOutputOpts() = DependencyOutputOptions();

  DiagnosticOptions &Diags = Invocation.getDiagnosticOpts();
  Diags.DiagnosticLogFile.clear();
  Diags.DiagnosticSerializationFile.clear();
  Diags.VerifyDiagnostics = false;

  FrontendOptions &Front = Invocation.getFrontendOpts();
  Front.OutputFile.clear();
  Front.StatsFile.clear();
  Front.ShowStats = false;
  Front.TimeTracePath.clear();
  Front.ModuleOutputPath.clear();
  Front.SymbolGraphOutputDir.clear();
  Front.FixItSuffix.clear();
  Front.Plugins.clear();
  Front.AddPluginActions.clear();
  Front.PluginArgs.clear();
  Front.ActionName.clear();
  Front.ASTMergeFiles.clear();
  Front.LLVMArgs.clear();
  Front.GenerateGlobalModuleIndex = false;
  compat::resetOutputs(Front);

  // Modules that clang builds by itself go to a cache on disk, which is pruned
  // now and then. Without their maps the same headers are included as text.
  LangOptions &Lang = Invocation.getLangOpts();
  Lang.ImplicitModules = false;
  Lang.DumpRecordLayouts = Lang.DumpRecordLayoutsSimple =
      Lang.DumpRecordLayoutsCanonical = Lang.DumpRecordLayoutsComplete =
          Lang.DumpVTableLayouts = false;
  Front.ModuleMapFiles.clear();
  HeaderSearchOptions &Headers = Invocation.getHeaderSearchOpts();
  Headers.ImplicitModuleMaps = false;
  Headers.ModuleCachePath.clear();
  Headers.ModuleUserBuildPath.clear();
  Headers.ModulesValidateOncePerBuildSession = false;
  Headers.DisableModuleHash = false;
  Headers.Verbose = false;
  Invocation.getPreprocessorOpts().DumpDeserializedPCHDecls = false;
}

class LintActionFactory : public FrontendActionFactory {
public:
  LintActionFactory(const Run &R,
                    IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> FS)
      : R(R), Checks(R.Tidy, std::move(FS)) {}

  std::unique_ptr<FrontendAction> create() override {
    return std::make_unique<LintAction>(R, Checks);
  }

  bool runInvocation(std::shared_ptr<CompilerInvocation> Invocation,
                     FileManager *Files,
                     std::shared_ptr<PCHContainerOperations> PCHContainerOps,
                     DiagnosticConsumer *Consumer) override {
    makeReadOnly(*Invocation);
    // As in clang-tidy: defines __clang_analyzer__.
    Invocation->getPreprocessorOpts().SetUpStaticAnalyzer = true;
    Invocation->getFrontendOpts().SkipFunctionBodies =
        Invocation->getLangOpts().CUDA || !R.ReadEverything;
    return FrontendActionFactory::runInvocation(
        Invocation, Files, std::move(PCHContainerOps), Consumer);
  }

private:
  const Run R;
  ClangTidyASTConsumerFactory Checks;
};

class OneCommand : public CompilationDatabase {
public:
  explicit OneCommand(CompileCommand C) : Command(std::move(C)) {}
  std::vector<CompileCommand> getCompileCommands(StringRef) const override {
    return {Command};
  }

private:
  CompileCommand Command;
};

/// A command as clang's driver is given it, but for the extra arguments of the
/// configuration.
CompileCommand prepared(CompileCommand Command, StringRef ResourceDir) {
  Arguments &Args = Command.CommandLine;
  if (!Args.empty())
    Args.insert(Args.begin() + 1, "-resource-dir=" + ResourceDir.str());
  // Before ClangTool drops some of it word by word: `-Xarch_host -MJx` is one.
  Args = withoutEffects(
      adjustArguments(Args, Command.Filename, Command.Directory));
  return Command;
}

CommandLineArguments withExtraArgs(CommandLineArguments Args,
                                   const ClangTidyOptions &Options) {
  // As in clang-tidy: what is removed may be added again.
  llvm::erase_if(Args, [&](const std::string &Arg) {
    return llvm::is_contained(compat::removedArgs(Options), Arg);
  });
  if (Options.ExtraArgsBefore)
    Args.insert(Args.begin() + (Args.empty() ? 0 : 1),
                Options.ExtraArgsBefore->begin(),
                Options.ExtraArgsBefore->end());
  if (Options.ExtraArgs)
    Args.insert(Args.end(), Options.ExtraArgs->begin(),
                Options.ExtraArgs->end());
  return withoutEffects(Args);
}

/// Runs \p Fn on a thread with \p Bytes of stack, or here where there is no
/// such thread to be had.
void runWithStack(size_t Bytes, llvm::function_ref<void()> Fn) {
  pthread_attr_t Attributes;
  pthread_t Thread;
  auto Start = [](void *Raw) -> void * {
    (*static_cast<llvm::function_ref<void()> *>(Raw))();
    return nullptr;
  };
  bool Started = false;
  if (pthread_attr_init(&Attributes) == 0) {
    Started = pthread_attr_setstacksize(&Attributes, Bytes) == 0 &&
              pthread_create(&Thread, &Attributes, Start, &Fn) == 0;
    pthread_attr_destroy(&Attributes);
  }
  if (Started)
    pthread_join(Thread, nullptr);
  else
    Fn();
}

/// The model that the analysis of \p File will use; of one that cannot be read
/// it says so itself.
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

FileResult analyseHere(const Job &J,
                       std::unique_ptr<ClangTidyOptionsProvider> Provider,
                       const Request &Asked, Accesses *Disk) {
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
  LintActionFactory Factory(
      {Context, *Model, Asked.ReadEverything, Session.Stats.Parse}, FS);

  for (const CompileCommand &Command : J.Commands) {
    OneCommand Commands(prepared(Command, Asked.ResourceDir));
    ClangTool Tool(Commands, {J.File},
                   std::make_shared<PCHContainerOperations>(), FS);
    for (const auto &[Path, Text] : cudaFiles())
      Tool.mapVirtualFile(Path, Text);
    Tool.setDiagnosticConsumer(&Consumer);
    Tool.setPrintErrorMessage(false);
    Tool.appendArgumentsAdjuster(
        [&](const CommandLineArguments &Args, StringRef File) {
          return withExtraArgs(Args, Context.getOptionsForFile(File));
        });
    // Once more: the first time was before the extra arguments.
    Tool.appendArgumentsAdjuster(getClangSyntaxOnlyAdjuster());
    Tool.appendArgumentsAdjuster(getStripPluginsAdjuster());
    Result.HasCompileErrors |= Tool.run(&Factory) != 0;
  }
  tidy::attach(Context, nullptr);

  Result.Errors = Consumer.take();
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

std::vector<std::string> inputsOf(const Job &J, const ClangTidyOptions &Options,
                                  const Request &Asked) {
  llvm::SmallString<256> Cwd;
  if (llvm::sys::fs::current_path(Cwd))
    return {};
  std::vector<std::string> All{
      getClangFullVersion(),
      Cwd.str().str(),
      J.File,
      Asked.ResourceDir,
      (llvm::Twine(Asked.PrintProgram) + llvm::Twine(Asked.PrintLayouts) +
       llvm::Twine(Asked.ReadEverything) + llvm::Twine(Asked.Pictures))
          .str(),
      configurationAsText(Options)};
  // What clang's driver and we look at.
  for (const char *Name :
       {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "COMPILER_PATH",
        "CCC_OVERRIDE_OPTIONS", "CLANG_NO_DEFAULT_CONFIG", "CUDA_HOME",
        "CUDA_PATH", "LIBRARY_PATH", "SDKROOT", "SOURCE_DATE_EPOCH"}) {
    const char *Value = std::getenv(Name);
    All.push_back(Value ? "=" + std::string(Value) : "");
  }
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
                   const Request &Asked, Accesses *Disk) {
  FileResult Result;
  runWithStack(size_t(512) << 20, [&] {
    Result = analyseHere(J, std::move(Provider), Asked, Disk);
  });
  return Result;
}

} // namespace tensortidy::tool
