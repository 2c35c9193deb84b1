//===- ImageReader.h - what calls are given of images -----------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   cv::Mat(rows, columns, CV_8UC3, p)
//     rows=%r columns=%c data=%p dtype='uint8' channels=3
//   cv::resize(a, b, cv::Size(w, h))
//     image=%a into=%b columns=%w rows=%h
//   a(cv::Rect(x, y, w, h))
//     image=%a of_rows=%r of_columns=%c columns=%w rows=%h
//
// beside what any call is given. Models say what parameters and numbers mean
// (Models/ImageModel.h), Analysis/Transfer/Images.h what becomes of b.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_CALLS_IMAGEREADER_H
#define TENSORTIDY_FRONTEND_CALLS_IMAGEREADER_H

#include "Frontend/Ast/CallSite.h"

namespace clang {
class ASTContext;
} // namespace clang

namespace tensortidy::frontend {

class FunctionBuilder;
class Lowerer;
class PlaceFinder;
class VariableTable;
struct BodyScan;

class ImageReader {
public:
  ImageReader(clang::ASTContext &Context, Types &Kinds, const BodyScan &Scan,
              FunctionBuilder &Build, VariableTable &Vars, PlaceFinder &Places,
              Lowerer &Lower)
      : Context(Context), Kinds(Kinds), Scan(Scan), Build(Build), Vars(Vars),
        Places(Places), Lower(Lower) {}

  /// Adds what \p C, a function of a library with images, reads and writes of
  /// them. \p Operands: the object, if there is one, and the arguments.
  void describe(const CallSite &C,
                llvm::SmallVectorImpl<program::Arg> &Operands);

private:
  using Args = llvm::SmallVectorImpl<program::Arg>;
  bool isAbout(const CallSite &C);
  const clang::Expr *imageIn(const clang::Expr *E);
  TypeRole roleOf(const CallSite &C, size_t I);
  bool isPassed(clang::QualType T);
  const clang::Expr *objectOf(const CallSite &C);
  void images(const CallSite &C, program::Attributes Has, Args &Operands);
  void padding(const CallSite &C, const ImageApi &Api, program::Attributes Has,
               Args &Operands);
  void sizes(const CallSite &C, const clang::Expr *E, Args &Operands);
  void sizesOfValue(const CallSite &C, const clang::Expr *E, Args &Operands);
  void wholeSizes(const CallSite &C, const clang::Expr *Of, Args &Operands);
  void nameArguments(const CallSite &C, const ImageApi &Api, Args &Operands);
  void codes(const CallSite &C, const ImageApi &Api, Args &Operands);
  std::optional<int64_t> codeFor(const CallSite &C, const ImageCode &Code);
  bool typed(const CallSite &C, const ImageApi &Api, Args &Operands);

  clang::ASTContext &Context;
  Types &Kinds;
  const BodyScan &Scan;
  FunctionBuilder &Build;
  VariableTable &Vars;
  PlaceFinder &Places;
  Lowerer &Lower;
};

} // namespace tensortidy::frontend

#endif
