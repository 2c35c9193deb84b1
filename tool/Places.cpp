//===- Places.cpp - what comes with the tool, and where it is -------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Places.h"
#include "BuildPaths.h"
#include "clang/Basic/Version.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace tensortidy::tool {

std::string executable() {
  static int Anchor;
  return llvm::sys::fs::getMainExecutable(nullptr, &Anchor);
}

std::string executableDir() {
  return llvm::sys::path::parent_path(executable()).str();
}

std::string pluginPath() {
  llvm::SmallString<256> Lib(executableDir());
  llvm::sys::path::append(Lib, "..", TENSORTIDY_LIBDIR);
  llvm::sys::path::remove_dots(Lib, /*remove_dot_dot=*/true);
  const std::string Installed =
      (Lib + "/tensortidy/plugins/" TENSORTIDY_PLUGIN).str();
  const std::string Built = (Lib + "/" TENSORTIDY_PLUGIN).str();
  return llvm::sys::fs::exists(Built) ? Built : Installed;
}

std::string cudaDir() {
  llvm::SmallString<256> Path(executableDir());
  llvm::sys::path::append(Path, "..", TENSORTIDY_DATADIR, "tensortidy", "cuda");
  llvm::sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return Path.str().str();
}

std::string resourceDir() {
  llvm::SmallString<256> Beside(executableDir());
  llvm::sys::path::append(Beside, "..", "lib", "clang",
                          CLANG_VERSION_MAJOR_STRING);
  llvm::sys::path::remove_dots(Beside, /*remove_dot_dot=*/true);
  for (const llvm::Twine &Dir :
       {llvm::Twine(Beside), llvm::Twine(TENSORTIDY_RESOURCE_DIR),
        llvm::Twine("/usr/lib/llvm-" CLANG_VERSION_MAJOR_STRING
                    "/lib/clang/" CLANG_VERSION_MAJOR_STRING)})
    if (llvm::sys::fs::exists(Dir + "/include/stddef.h"))
      return Dir.str();
  return "";
}

} // namespace tensortidy::tool
