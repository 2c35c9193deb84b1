//===- Information.cpp - what --help and its like print -------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Information.h"
#include "Analysis/Facts/Finding.h"
#include "BuildPaths.h"
#include "Changes.h"
#include "Completion.h"
#include "Cuda.h"
#include "Places.h"
#include "clang/Basic/Version.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

namespace tensortidy::tool {

llvm::Expected<std::string> information(const Options &O) {
  if (O.Help)
    return helpText();
  if (O.Version)
    return "tensortidy " TENSORTIDY_VERSION " (LLVM " CLANG_VERSION_STRING
           ")\n";
  if (O.Completion) {
    std::string Script = completionScript(*O.Completion);
    if (Script.empty())
      return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                     "--completion is for bash, zsh or fish, "
                                     "not '" +
                                         *O.Completion + "'");
    return Script;
  }
  if (O.PluginPath) {
    std::string Path = pluginPath();
    if (!llvm::sys::fs::exists(Path))
      return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                     "the plugin is not installed: " + Path);
    return Path + "\n";
  }
  if (O.CudaFlags)
    return llvm::join(cudaFlags(cudaDir(), resourceDir(), cudaToolkit("")),
                      " ") +
           "\n";
  if (O.ListChanged) {
    auto Found = Changes::since(*O.Since);
    if (!Found)
      return Found.takeError();
    return llvm::join(Found->files(), "\n") +
           (Found->files().empty() ? "" : "\n");
  }
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  for (const analysis::CheckInfo &C : analysis::checks()) {
    OS << C.Name;
    OS.indent(30 - std::min<size_t>(29, llvm::StringRef(C.Name).size()))
        << "level " << C.Level << (C.HasFix ? "  fix  " : "       ")
        << C.Summary << '\n';
  }
  return Text;
}

} // namespace tensortidy::tool
