//===- ImageReader.h - what cv::Mat says of its memory ----------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   cv::Mat(rows, columns, CV_8UC3, data)        channels=3
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_LIBRARY_IMAGEREADER_H
#define TENSORTIDY_FRONTEND_LIBRARY_IMAGEREADER_H

#include "Frontend/Ast/CallSite.h"

namespace clang {
class ASTContext;
} // namespace clang

namespace tensortidy::frontend {

class FunctionBuilder;
class Lowerer;
class Types;
struct BodyScan;

class ImageReader {
public:
  ImageReader(clang::ASTContext &Context, Types &Kinds, const BodyScan &Scan,
              FunctionBuilder &Build, Lowerer &Lower)
      : Context(Context), Kinds(Kinds), Scan(Scan), Build(Build), Lower(Lower) {
  }

  /// What cv::Mat's constructor says of its memory: `channels`, its innermost
  /// size, of cv::Mat(rows, columns, CV_8UC3, data), and the rows and columns
  /// in a cv::Size(columns, rows).
  void describe(const CallSite &C,
                llvm::SmallVectorImpl<program::Arg> &Operands);

private:
  clang::ASTContext &Context;
  Types &Kinds;
  const BodyScan &Scan;
  FunctionBuilder &Build;
  Lowerer &Lower;
};

} // namespace tensortidy::frontend

#endif
