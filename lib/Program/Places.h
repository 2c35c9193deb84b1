//===- Places.h - what pointers to variables name ---------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The address of a variable is a value: variables, fields, lists and parameters
// hold it. What is read and written through one that is known is the variable
// itself:
//
//   at::Tensor *slots[2] = {&a, &b};    %3 = list %1 %2        (&a, &b)
//   Sink s{slots[1]};                   store $5 "s.out" %4    (&b)
//   *s.out = x.t();                     store $6 "*s.out"  =>  store $2 "b"
//
// Where it may be one of several, a write may change any of them, and a read
// gives what they have in common. A variable whose address goes nowhere else
// changes with no other call.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_PROGRAM_PLACES_H
#define TENSORTIDY_PROGRAM_PLACES_H

#include "Program/Program.h"

namespace tensortidy::program {

/// Puts variables for what known addresses lead to in \p F; once, when the
/// bodies of calls are in place.
void resolvePlaces(Function &F);

} // namespace tensortidy::program

#endif
