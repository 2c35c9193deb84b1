//===- Text.h - the text form of tensor programs ----------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// print() and parse() are inverse: parse(print(F)) has the same text. Analysis
// tests and fuzzers write programs in this form.
//
//   function "f" returns_tensor
//     var $0 "x" tensor param
//     loop 0 for head=1 at 3:5
//   block 0 -> 1
//     %1 = load $0
//     %2 = const 0
//     %3 = list %1 %2
//     %4 = permute self=%1 dims=%3          ; 12:14
//   block 1 if %7 -> 2, 3
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_PROGRAM_TEXT_H
#define TENSORTIDY_PROGRAM_TEXT_H

#include "Program/Program.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

namespace tensortidy::program {

/// Prints the function; with \p Notes, what they say of a value follows its
/// statement as a comment line (`# %4: ...`).
void print(const Function &F, llvm::raw_ostream &OS,
           const std::map<ValueId, std::string> *Notes = nullptr);

/// Reads any number of functions; an error names the line.
llvm::Expected<std::vector<Function>> parse(llvm::StringRef Text);

} // namespace tensortidy::program

#endif
