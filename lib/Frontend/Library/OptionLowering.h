//===- OptionLowering.h - tensor options ------------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   at::kFloat, at::TensorOptions().device(d)      %2 = options dtype=%1 ...
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_LIBRARY_OPTIONLOWERING_H
#define TENSORTIDY_FRONTEND_LIBRARY_OPTIONLOWERING_H

#include "Frontend/Ast/CallSite.h"

namespace tensortidy::frontend {

class FunctionBuilder;
class Lowerer;
class Types;

class OptionLowering {
  using ValueId = program::ValueId;

public:
  OptionLowering(Types &Kinds, FunctionBuilder &Build, Lowerer &Lower)
      : Kinds(Kinds), Build(Build), Lower(Lower) {}

  /// A method of TensorOptions. False: nothing that is followed.
  bool call(const CallSite &C, ValueId &Result);
  /// A function that makes options, `dtype(kFloat)`; likewise.
  bool function(const CallSite &C, ValueId &Result);
  bool construct(const clang::CXXConstructExpr &E, ValueId &Result);

private:
  Types &Kinds;
  FunctionBuilder &Build;
  Lowerer &Lower;
};

} // namespace tensortidy::frontend

#endif
