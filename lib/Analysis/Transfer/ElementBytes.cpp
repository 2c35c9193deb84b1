//===- ElementBytes.cpp - the bytes of elements behind pointers -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/ElementBytes.h"
#include "Analysis/Transfer/DTypes.h"
#include "Analysis/Transfer/Operands.h"
#include "Analysis/Transfer/Pointers.h"
#include "Analysis/Transfer/Relevance.h"

namespace tensortidy::analysis {

using namespace program;

void misreads(const Context &Ctx, State &W, const Stmt &S, const Object &O) {
  const std::string As = operand(W, S, "seen").Text;
  const int64_t Item = itemSize(O.DType), Seen = itemSize(As);
  // Numbers of 16 bits may be looked at by twos, bytes as anything, and complex
  // numbers as what they consist of.
  const bool IsHalf = O.DType == "float16" || O.DType == "bfloat16";
  auto IsFloat = [](llvm::StringRef T) { return T.starts_with("float"); };
  auto IsComplex = [](llvm::StringRef T) {
    return T == "complex64" || T == "complex128";
  };
  if (Item < 2 || Seen < 2 || Item == Seen || IsComplex(O.DType) ||
      IsComplex(As) || (IsHalf && !IsFloat(As)) || hasNoElements(Ctx, W, S))
    return;
  if (PointerUse *U = wrongUse(Ctx, W, S, S, O, PointerUse::Type)) {
    U->Given = As;
    U->Real = O.DType;
  }
}

} // namespace tensortidy::analysis
