//===- SourceKind.cpp - what the name of a file says it is ----------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SourceKind.h"
#include "clang/Driver/Types.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace types = clang::driver::types;
using llvm::StringRef;

namespace tensortidy::tool {

static StringRef extensionOf(StringRef File) {
  StringRef Extension = llvm::sys::path::extension(File);
  Extension.consume_front(".");
  return Extension;
}

static types::ID typeOf(StringRef File) {
  StringRef Extension = extensionOf(File);
  return Extension.empty() ? types::TY_INVALID
                           : types::lookupTypeForExtension(Extension);
}

bool isSource(StringRef File) {
  switch (typeOf(File)) {
  case types::TY_C:
  case types::TY_CXX:
  case types::TY_CXXModule:
  case types::TY_CUDA:
  case types::TY_ObjC:
  case types::TY_ObjCXX:
    return true;
  default:
    return false;
  }
}

bool isHeader(StringRef File) {
  StringRef Extension = extensionOf(File);
  return Extension.starts_with("h") || Extension == "cuh" || Extension == "inl";
}

bool isC(StringRef File) {
  return typeOf(File) == types::TY_C || typeOf(File) == types::TY_ObjC;
}

bool isCuda(StringRef File) {
  return typeOf(File) == types::TY_CUDA || extensionOf(File) == "cuh";
}

std::string absolutePath(StringRef Path, StringRef Directory) {
  llvm::SmallString<256> Out;
  if (llvm::sys::path::is_relative(Path))
    Out = Directory;
  llvm::sys::path::append(Out, Path);
  llvm::sys::fs::make_absolute(Out);
  llvm::sys::path::remove_dots(Out, /*remove_dot_dot=*/true);
  return Out.str().str();
}

} // namespace tensortidy::tool
