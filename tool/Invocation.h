//===- Invocation.h - how a command of a file is parsed ---------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A header that is precompiled for many files must be parsed as these files
// are: both go through here.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_INVOCATION_H
#define TENSORTIDY_TOOL_INVOCATION_H

#include "Bodies.h"
#include "clang-tidy/ClangTidyOptions.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace clang {
class CompilerInstance;
class Sema;
} // namespace clang

namespace tensortidy::tool {

/// A command as clang's driver is given it, but for the extra arguments of the
/// configuration.
clang::tooling::CompileCommand prepared(clang::tooling::CompileCommand Command,
                                        llvm::StringRef ResourceDir);

/// The same with these.
clang::tooling::CommandLineArguments
withExtraArgs(clang::tooling::CommandLineArguments Args,
              const clang::tidy::ClangTidyOptions &Options);

/// Hands \p File, with a prepared \p Command and what \p OptionsOf says of it,
/// to \p Actions; 0 when there was no error.
int runActions(
    const clang::tooling::CompileCommand &Command, const std::string &File,
    llvm::function_ref<clang::tidy::ClangTidyOptions(llvm::StringRef)>
        OptionsOf,
    llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> FS,
    clang::DiagnosticConsumer &Diagnostics,
    clang::tooling::FrontendActionFactory &Actions);

/// Makes \p Invocation one that writes, loads and prints nothing, and that
/// passes over bodies unless \p ReadEverything.
void prepareInvocation(clang::CompilerInvocation &Invocation,
                       bool ReadEverything);

/// Passes over the bodies that nobody asks for, and puts off those of templates
/// that are asked for only where they are instantiated.
///
/// A body that is put off sees what is declared behind it as well (as with
/// -fdelayed-template-parsing), which may make it wrong. The tool then reads
/// everything.
class BodyFilter {
public:
  /// What is linted is in \p Linted.
  BodyFilter(const models::ApiModel &Model, tidy::FileFilter &Linted,
             const clang::SourceManager &SM, clang::HeaderSearch &Headers,
             bool ReadEverything)
      : Read(Model, Linted, SM, Headers), ReadEverything(ReadEverything) {}

  bool passesOver(clang::Decl &D);

  /// Forgets the foreign vtables that \p S has come to need since the last
  /// call. To be called for each declaration that the parser has read, and at
  /// no other time: Sema goes through them in the end.
  void passOverVtables(clang::Sema &S);

  /// Has \p Compiler, before it reads the main file, put off bodies; the files
  /// that they are in go to \p Late. Both must outlive the parsing.
  void attach(clang::CompilerInstance &Compiler, llvm::StringSet<> &Late);

private:
  Bodies Read;
  const bool ReadEverything;
  size_t Vtables = 0; ///< that have been looked at and are kept
};

/// Runs \p Fn on a thread with a stack for code that is nested some ten
/// thousand levels deep, or here where there is no such thread to be had:
/// parser and checks call themselves for each level.
void runWithLargeStack(llvm::function_ref<void()> Fn);

} // namespace tensortidy::tool

#endif
