//===- Writes.h - what else a write changes ---------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A statement names the variable it writes. With that change its parts, and
// whatever may be the same object under another name:
//
//   p->w = y.t();                  store $5 "p->w" %3
//   q->w.view(-1);           =>    opaque "may change" write $7   ; q->w
//   ...                            %4 = load $7
//
// Two paths that end in the same field may be one object if a pointer stands in
// one of them and others can know the object of the other. What user code may
// reach, it may change.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_PROGRAM_WRITES_H
#define TENSORTIDY_PROGRAM_WRITES_H

#include "Program/Program.h"

namespace tensortidy::program {

/// Lists what the statements of \p F write beside what they name; once, when
/// the bodies of calls are in place.
void completeWrites(Function &F);

/// The one operand whose elements \p S writes, or null: `self` in place, `out`,
/// and of a function without a result what its operator's schema says.
const Arg *writtenOperand(const Stmt &S);

} // namespace tensortidy::program

#endif
