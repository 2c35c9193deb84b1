//===- Compat.h - the differences between LLVM releases ---------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every `#if` on LLVM's version stands here, so that the code that uses the
// libraries reads the same for all of them.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TIDY_COMPAT_H
#define TENSORTIDY_TIDY_COMPAT_H

#include "clang-tidy/ClangTidy.h"
#include "clang-tidy/ClangTidyModule.h"
#include "llvm/ADT/FunctionExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Config/llvm-config.h"
#if LLVM_VERSION_MAJOR < 22
#include "clang-tidy/ClangTidyModuleRegistry.h"
#endif
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendOptions.h"
#if LLVM_VERSION_MAJOR < 22
#include "clang/Driver/Options.h"
#else
#include "clang/Options/Options.h"
#endif
#if LLVM_VERSION_MAJOR < 21
#include "clang/Serialization/InMemoryModuleCache.h"
#else
#include "clang/Serialization/ModuleCache.h"
#endif
#include "clang/Serialization/ASTWriter.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace tensortidy::compat {

/// The engine through which checks report, made for one run.
class CheckDiagnostics {
public:
  CheckDiagnostics(clang::tidy::ClangTidyContext &Context,
                   clang::DiagnosticConsumer &Consumer)
#if LLVM_VERSION_MAJOR < 21
      : Engine(new clang::DiagnosticIDs(), new clang::DiagnosticOptions(),
               &Consumer, /*ShouldOwnClient=*/false) {
    Context.setDiagnosticsEngine(&Engine);
  }
#else
      : CheckDiagnostics(Context, Consumer,
                         std::make_unique<clang::DiagnosticOptions>()) {
  }
#endif

private:
#if LLVM_VERSION_MAJOR >= 21
  CheckDiagnostics(clang::tidy::ClangTidyContext &Context,
                   clang::DiagnosticConsumer &Consumer,
                   std::unique_ptr<clang::DiagnosticOptions> Options)
      : Engine(ids(), *Options, &Consumer, /*ShouldOwnClient=*/false) {
    Context.setDiagnosticsEngine(std::move(Options), &Engine);
  }

  static llvm::IntrusiveRefCntPtr<clang::DiagnosticIDs> ids() {
#if LLVM_VERSION_MAJOR < 22
    return llvm::makeIntrusiveRefCnt<clang::DiagnosticIDs>();
#else
    return clang::DiagnosticIDs::create();
#endif
  }
#endif

  clang::DiagnosticsEngine Engine;
};

/// A consumer that stands before another one.
class HostedConsumer : public clang::DiagnosticConsumer {
#if LLVM_VERSION_MAJOR < 23
public:
  void finish() override { Host->finish(); }
#endif
protected:
  explicit HostedConsumer(clang::DiagnosticConsumer *Host) : Host(Host) {}

  clang::DiagnosticConsumer *Host;
};

/// Reports that too many errors were found; called while another diagnostic is
/// being handled, so the older engine has to wait for that one's end.
inline void reportTooManyErrors(clang::DiagnosticsEngine &Engine) {
#if LLVM_VERSION_MAJOR < 21
  Engine.SetDelayedDiagnostic(clang::diag::fatal_too_many_errors);
#else
  Engine.Report(clang::diag::fatal_too_many_errors);
#endif
}

/// The arguments of a compile command that a configuration takes out.
inline llvm::ArrayRef<std::string>
removedArgs(const clang::tidy::ClangTidyOptions &O) {
#if LLVM_VERSION_MAJOR < 22
  (void)O;
  return {};
#else
  if (!O.RemovedArgs)
    return {};
  return *O.RemovedArgs;
#endif
}

/// Which headers are not linted. Releases without a key of their own have it
/// under CheckOptions.
#if LLVM_VERSION_MAJOR < 19
inline constexpr const char *ExcludedHeadersKey = "ExcludeHeaderFilterRegex";
inline std::optional<std::string>
excludedHeaders(const clang::tidy::ClangTidyOptions &O) {
  auto It = O.CheckOptions.find(ExcludedHeadersKey);
  if (It == O.CheckOptions.end())
    return std::nullopt;
  return It->second.Value;
}
inline void excludeHeaders(clang::tidy::ClangTidyOptions &O,
                           llvm::StringRef Regex) {
  O.CheckOptions[ExcludedHeadersKey] = {Regex, /*Priority=*/10000};
}
#else
inline std::optional<std::string>
excludedHeaders(const clang::tidy::ClangTidyOptions &O) {
  return O.ExcludeHeaderFilterRegex;
}
inline void excludeHeaders(clang::tidy::ClangTidyOptions &O,
                           llvm::StringRef Regex) {
  O.ExcludeHeaderFilterRegex = Regex.str();
}
#endif

/// The name of a file of a source manager's table.
#if LLVM_VERSION_MAJOR < 18
inline llvm::StringRef nameOf(const clang::FileEntry *File) {
  return File->getName();
}
#else
inline llvm::StringRef nameOf(clang::FileEntryRef File) {
  return File.getName();
}
#endif

/// Whether a method is declared with `= 0`.
inline bool isPureVirtual(const clang::CXXMethodDecl &M) {
#if LLVM_VERSION_MAJOR < 18
  return M.isPure();
#else
  return M.isPureVirtual();
#endif
}

/// The language's options, to be changed.
inline clang::LangOptions &langOptions(clang::CompilerInvocation &I) {
#if LLVM_VERSION_MAJOR < 18
  return *I.getLangOpts();
#else
  return I.getLangOpts();
#endif
}

/// How the search for headers is told what a header is included by.
#if LLVM_VERSION_MAJOR < 18
using IncluderFile = const clang::FileEntry *;
#else
using IncluderFile = clang::OptionalFileEntryRef;
#endif

/// A file system before another one that changes when it is asked.
class ProxyFileSystem : public llvm::vfs::ProxyFileSystem {
public:
  using llvm::vfs::ProxyFileSystem::ProxyFileSystem;

  virtual std::error_code realPath(const llvm::Twine &Path,
                                   llvm::SmallVectorImpl<char> &Out) {
    return llvm::vfs::ProxyFileSystem::getRealPath(Path, Out);
  }
#if LLVM_VERSION_MAJOR < 19
  std::error_code getRealPath(const llvm::Twine &Path,
                              llvm::SmallVectorImpl<char> &Out) const final {
    return const_cast<ProxyFileSystem *>(this)->realPath(Path, Out);
  }
  virtual bool exists(const llvm::Twine &Path) { return bool(status(Path)); }
#else
  std::error_code getRealPath(const llvm::Twine &Path,
                              llvm::SmallVectorImpl<char> &Out) final {
    return realPath(Path, Out);
  }
#endif
};

/// Forgets what only some releases can write beside the syntax tree.
inline void resetOutputs(clang::FrontendOptions &O) {
#if LLVM_VERSION_MAJOR >= 19
  O.ModuleOutputPath.clear();
#endif
#if LLVM_VERSION_MAJOR < 21
  O.ARCMTAction = clang::FrontendOptions::ARCMT_None;
  O.ObjCMTAction = clang::FrontendOptions::ObjCMT_None;
  O.MTMigrateDir.clear();
  O.ARCMTMigrateReportOut.clear();
#else
  O.DumpMinimizationHintsPath.clear();
#endif
}

/// What readers of precompiled headers want to be given.
#if LLVM_VERSION_MAJOR < 21
inline auto moduleCache() {
  return std::make_unique<clang::InMemoryModuleCache>();
}
#else
inline auto moduleCache() { return clang::createCrossProcessModuleCache(); }
#endif

/// Writes what is parsed to \p Into as a precompiled header, unless there are
/// errors.
inline std::unique_ptr<clang::PCHGenerator>
headerWriter(clang::CompilerInstance &Compiler,
             std::shared_ptr<clang::PCHBuffer> Into) {
  return std::make_unique<clang::PCHGenerator>(
      Compiler.getPreprocessor(), Compiler.getModuleCache(), /*OutputFile=*/"",
      /*isysroot=*/"", std::move(Into),
#if LLVM_VERSION_MAJOR >= 22
      Compiler.getCodeGenOpts(),
#endif
      Compiler.getFrontendOpts().ModuleFileExtensions,
      /*AllowASTWithErrors=*/false, /*IncludeTimestamps=*/false);
}

/// What clangd gives a function for the options of each file.
using TidyProvider =
#if LLVM_VERSION_MAJOR < 21
    llvm::function_ref<void(clang::tidy::ClangTidyOptions &, llvm::StringRef)>;
#else
    llvm::unique_function<void(clang::tidy::ClangTidyOptions &, llvm::StringRef)
                              const>;
#endif

/// The options clang's driver knows, and those of them it takes from users.
#if LLVM_VERSION_MAJOR < 22
namespace driver_options = clang::driver::options;
inline const llvm::opt::OptTable &driverOptions() {
  return clang::driver::getDriverOptTable();
}
#else
namespace driver_options = clang::options;
inline const llvm::opt::OptTable &driverOptions() {
  return clang::getDriverOptTable();
}
#endif
/// What makes the driver ask a program which GPU there is.
inline constexpr unsigned DeviceQueryOptions[] = {
#if LLVM_VERSION_MAJOR < 21
    driver_options::OPT_amdgpu_arch_tool_EQ,
    driver_options::OPT_nvptx_arch_tool_EQ
#else
    driver_options::OPT_offload_arch_tool_EQ,
    driver_options::OPT_offload_targets_EQ
#endif
};
inline llvm::opt::InputArgList
parseDriverArgs(llvm::ArrayRef<const char *> Words, unsigned &MissingIndex,
                unsigned &MissingCount) {
#if LLVM_VERSION_MAJOR < 18
  return driverOptions().ParseArgs(Words, MissingIndex, MissingCount,
                                   /*FlagsToInclude=*/0,
                                   driver_options::NoDriverOption);
#else
  return driverOptions().ParseArgs(
      Words, MissingIndex, MissingCount,
      llvm::opt::Visibility(driver_options::ClangOption));
#endif
}

/// Since LLVM 23 this says why it failed. The next run tries again.
inline void pruneCache(llvm::StringRef Path, llvm::CachePruningPolicy Policy) {
#if LLVM_VERSION_MAJOR < 23
  llvm::pruneCache(Path, Policy);
#else
  llvm::consumeError(llvm::pruneCache(Path, Policy).takeError());
#endif
}

} // namespace tensortidy::compat

#endif
