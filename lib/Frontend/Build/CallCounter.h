//===- CallCounter.h - which calls have a model -----------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Coverage is a number that can be raised: what `--stats` says of calls.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_BUILD_CALLCOUNTER_H
#define TENSORTIDY_FRONTEND_BUILD_CALLCOUNTER_H

#include "Frontend/Ast/CallSite.h"

namespace tensortidy::frontend {

class Types;

class CallCounter {
public:
  CallCounter(program::Function &Out, Types &Kinds) : Out(Out), Kinds(Kinds) {}

  /// \p C was lowered as \p Meaning, or without a model.
  void count(const CallSite &C, std::optional<program::Op> Meaning);

private:
  program::Function &Out;
  Types &Kinds;
};

} // namespace tensortidy::frontend

#endif
