//===- Ranges.cpp - where the source has it -------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Ast/Ranges.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;
using namespace tensortidy;

SourceLocation frontend::beginOf(const program::Range &R) {
  return SourceLocation::getFromRawEncoding(R.Begin);
}
SourceLocation frontend::endOf(const program::Range &R) {
  return SourceLocation::getFromRawEncoding(R.End);
}

program::Range frontend::makeRange(SourceRange R, const SourceManager &SM) {
  program::Range Out;
  if (R.isInvalid())
    return Out;
  SourceLocation Begin = SM.getFileLoc(R.getBegin());
  SourceLocation End = SM.getFileLoc(R.getEnd());
  Out.Begin = Begin.getRawEncoding();
  Out.End = End.getRawEncoding();
  Out.Line = SM.getSpellingLineNumber(Begin);
  Out.Column = SM.getSpellingColumnNumber(Begin);
  return Out;
}
