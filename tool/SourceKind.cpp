//===- SourceKind.cpp - what the name of a file says it is ----------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SourceKind.h"
#include "clang/Driver/Types.h"
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

} // namespace tensortidy::tool
