//===- Main.cpp - clangd with the checks and the layouts ------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All of clangd is in LLVM's libraries. Two of its functions are replaced at
// link time (ld --wrap), so that opening a file shows findings without any
// configuration:
//
//   isFastTidyCheck      clangd runs only checks it knows to be fast; ours are
//   provideDefaultChecks adds tensor-* where the configuration does not say
//                        whether they run
//
//===----------------------------------------------------------------------===//

#include "BuildPaths.h"
#include "Pages.h"
#include "Proxy.h"
#include "Tidy/Compat.h"
#include "clang/Basic/Version.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using clang::tidy::ClangTidyOptions;
using llvm::StringRef;

namespace clang::clangd {
// None of clangd's headers is packaged; these are its declarations.
int clangdMain(int argc, char *argv[]);
} // namespace clang::clangd

//===----------------------------------------------------------------------===//
// What is replaced
//===----------------------------------------------------------------------===//

// Under the mangled names of clang::clangd::..., as --wrap wants.
#define FAST "_ZN5clang6clangd15isFastTidyCheckEN4llvm9StringRefE"
#define DEFAULTS "_ZN5clang6clangd20provideDefaultChecksEv"
std::optional<bool> theirFastCheck(StringRef Check) __asm__("__real_" FAST);
std::optional<bool> fastCheck(StringRef Check) __asm__("__wrap_" FAST);
tensortidy::compat::TidyProvider theirDefaults() __asm__("__real_" DEFAULTS);
tensortidy::compat::TidyProvider defaults() __asm__("__wrap_" DEFAULTS);

std::optional<bool> fastCheck(StringRef Check) {
  if (Check.starts_with("tensor-"))
    return true;
  return theirFastCheck(Check);
}

tensortidy::compat::TidyProvider defaults() {
  static const auto Provide = [](ClangTidyOptions &Options, StringRef File) {
    theirDefaults()(Options, File);
    std::string &Checks =
        Options.Checks ? *Options.Checks : Options.Checks.emplace();
    // Someone who names our checks, or turns all off, has decided.
    if (!StringRef(Checks).contains("tensor-") &&
        !StringRef(Checks).rtrim(", ").ends_with("-*"))
      Checks += Checks.empty() ? "tensor-*" : ",tensor-*";
  };
  return Provide;
}

namespace tensortidy::tool {

namespace {

std::string executableDir() {
  static int Anchor;
  std::string Path = llvm::sys::fs::getMainExecutable(nullptr, &Anchor);
  return llvm::sys::path::parent_path(Path).str();
}

/// Clang's own headers, unless they stand where clangd looks.
std::string resourceDir() {
  llvm::SmallString<256> Beside(executableDir());
  llvm::sys::path::append(Beside, "..", "lib", "clang",
                          CLANG_VERSION_MAJOR_STRING);
  return llvm::sys::fs::exists(Beside) ? "" : TENSORTIDY_RESOURCE_DIR;
}

} // namespace

int main(int Count, char **Words) {
  std::vector<char *> Arguments(Words, Words + Count);
  bool Speaks = true; // the protocol, on stdin and stdout
  bool HasResourceDir = false;
  for (int I = 1; I < Count; ++I) {
    StringRef Word = StringRef(Words[I]).ltrim('-');
    StringRef Name = Word.take_until([](char C) { return C == '='; });
    if (Name == "version")
      llvm::outs() << "tensortidy-clangd " TENSORTIDY_VERSION "\n";
    Speaks &= Name != "version" && !Name.starts_with("help") &&
              Name != "check" && Name != "lit-test" &&
              Word != "input-style=delimited";
    HasResourceDir |= Name == "resource-dir";
  }
  llvm::outs().flush();
  std::string Resources = "--resource-dir=" + resourceDir();
  if (!HasResourceDir && Resources.back() != '=')
    Arguments.insert(Arguments.begin() + 1, Resources.data());
  int Given = static_cast<int>(Arguments.size());
  Arguments.push_back(nullptr);
  if (!Speaks)
    return clang::clangd::clangdMain(Given, Arguments.data());

  static LayoutStore Layouts; // the threads of clangd outlive main
  tidy::setLayoutSink([](StringRef File, StringRef Text,
                         std::vector<tidy::PlacedLayout> Found) {
    Layouts.put(File, Text, std::move(Found));
  });
  static Proxy Between(Layouts, pagesUrl(executableDir()));
  if (!Between.start()) {
    llvm::errs() << "tensortidy-clangd: error: no pipes\n";
    return 2;
  }
  int Result = clang::clangd::clangdMain(Given, Arguments.data());
  llvm::outs().flush();
  Between.finish();
  return Result;
}

} // namespace tensortidy::tool

int main(int Count, char **Words) {
  return tensortidy::tool::main(Count, Words);
}
