//===- Invocation.cpp - how a command of a file is parsed -----------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Invocation.h"
#include "Arguments.h"
#include "Cuda.h"
#include "Tidy/Compat.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Sema/Sema.h"
#include <pthread.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

using namespace clang;
using namespace clang::tidy;
using namespace clang::tooling;

namespace tensortidy::tool {

namespace {

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
  LangOptions &Lang = compat::langOptions(Invocation);
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

class OneCommand : public CompilationDatabase {
public:
  explicit OneCommand(CompileCommand C) : Command(std::move(C)) {}
  std::vector<CompileCommand> getCompileCommands(StringRef) const override {
    return {Command};
  }

private:
  CompileCommand Command;
};

/// Switches the parser from file to file.
class LateTemplates : public PPCallbacks {
public:
  LateTemplates(Bodies &Read, CompilerInstance &Compiler,
                llvm::StringSet<> &Late)
      : Read(Read), Compiler(Compiler), Late(Late) {}

  void FileChanged(SourceLocation Loc, FileChangeReason,
                   SrcMgr::CharacteristicKind, FileID) override {
    const bool IsLate = Read.areAskedLate(Loc);
    Compiler.getLangOpts().DelayedTemplateParsing = IsLate;
    const SourceManager &SM = Compiler.getSourceManager();
    if (auto File = SM.getFileEntryRefForID(SM.getFileID(Loc)); File && IsLate)
      Late.insert(tooling::getAbsolutePath(File->getName()));
  }

private:
  Bodies &Read;
  CompilerInstance &Compiler;
  llvm::StringSet<> &Late;
};

/// What runs on the device is not analysed, so that it need not parse either.
template <class Attribute> bool isWritten(const FunctionDecl &F) {
  const auto *A = F.getAttr<Attribute>();
  return A && !A->isImplicit();
}
bool isForDevice(const FunctionDecl &F) {
  return F.hasAttr<CUDAGlobalAttr>() ||
         (isWritten<CUDADeviceAttr>(F) && !isWritten<CUDAHostAttr>(F));
}

} // namespace

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

int runActions(const CompileCommand &Command, const std::string &File,
               llvm::function_ref<ClangTidyOptions(llvm::StringRef)> OptionsOf,
               llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> FS,
               DiagnosticConsumer &Diagnostics,
               FrontendActionFactory &Actions) {
  OneCommand Commands(Command);
  ClangTool Tool(Commands, {File}, std::make_shared<PCHContainerOperations>(),
                 std::move(FS));
  for (const auto &[Path, Text] : cudaFiles())
    Tool.mapVirtualFile(Path, Text);
  Tool.setDiagnosticConsumer(&Diagnostics);
  Tool.setPrintErrorMessage(false);
  Tool.appendArgumentsAdjuster(
      [&](const CommandLineArguments &Args, llvm::StringRef Of) {
        return withExtraArgs(Args, OptionsOf(Of));
      });
  // Once more: the first time was before the extra arguments.
  Tool.appendArgumentsAdjuster(getClangSyntaxOnlyAdjuster());
  Tool.appendArgumentsAdjuster(getStripPluginsAdjuster());
  return Tool.run(&Actions);
}

void prepareInvocation(CompilerInvocation &Invocation, bool ReadEverything) {
  makeReadOnly(Invocation);
  // As in clang-tidy: defines __clang_analyzer__.
  Invocation.getPreprocessorOpts().SetUpStaticAnalyzer = true;
  Invocation.getFrontendOpts().SkipFunctionBodies =
      compat::langOptions(Invocation).CUDA || !ReadEverything;
  // The process ends with the file.
  Invocation.getFrontendOpts().DisableFree = true;
}

bool BodyFilter::passesOver(Decl &D) {
  const FunctionDecl *F = D.getAsFunction();
  return F && (isForDevice(*F) || (!ReadEverything && !Read.areAsked(*F)));
}

void BodyFilter::passOverVtables(Sema &S) {
  if (ReadEverything)
    return;
  S.LoadExternalVTableUses();
  auto &Uses = S.VTableUses;
  // Fewer than before while a function is instantiated on its own.
  Vtables = std::min(Vtables, Uses.size());
  Uses.erase(std::remove_if(Uses.begin() + Vtables, Uses.end(),
                            [&](const Sema::VTableUse &Use) {
                              return Read.isForeign(*Use.first);
                            }),
             Uses.end());
  Vtables = Uses.size();
}

void BodyFilter::attach(CompilerInstance &Compiler, llvm::StringSet<> &Late) {
  // A command that asks for it has it everywhere.
  if (!ReadEverything && !Compiler.getLangOpts().DelayedTemplateParsing)
    Compiler.getPreprocessor().addPPCallbacks(
        std::make_unique<LateTemplates>(Read, Compiler, Late));
}

/// A syntax tree only grows: memory is taken in large pieces, and from the one
/// heap that can grow by them, also for the thread with the large stack.
static void prepareHeap() {
#ifdef __GLIBC__
  constexpr int Piece = 64 << 20;
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_TOP_PAD, Piece);
  mallopt(M_MMAP_THRESHOLD, Piece);
  mallopt(M_TRIM_THRESHOLD, 2 * Piece);
#endif
}

void runWithLargeStack(llvm::function_ref<void()> Fn) {
  constexpr size_t Bytes = size_t(512) << 20;
  prepareHeap();
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

} // namespace tensortidy::tool
