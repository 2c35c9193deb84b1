//===- Images.h - the memory of images --------------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An image is packed memory of rows, columns and channels of one type:
//
//   cv::Mat m(h, w, CV_8UC3)         [h, w, 3] of uint8
//   cv::cvtColor(m, m, ..._GRAY)     [h, w, 1]
//   m.convertTo(f, CV_32F)           f: [h, w, 1] of float32
//   from_blob(f.data, ...)
//
// What is not known of it has no value; what some code may have changed is not
// known at all.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_IMAGES_H
#define TENSORTIDY_ANALYSIS_IMAGES_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

/// What \p V holds, if that is an image.
std::optional<Image> imageOf(const Value &V);
/// The image that \p S hands on to be read or written by a call, before it is
/// forgotten: _OutputArray(m).
Value boundImage(const State &W, const Stmt &S);
/// What a call or a constructor makes of images: its result, and the variable
/// it writes. After the variables it may write were forgotten.
void changeImages(const Context &Ctx, State &W, const Stmt &S,
                  const Value &Bound);
/// What the address of image \p M, held by \p Var, is to code that reads
/// through it: a pointer to a tensor of gaps, where \p M may be a part.
Value imageAddress(const Context &Ctx, State &W, const Stmt &S, const Image &M,
                   VarId Var);
/// Finds out if \p S makes an image of other pixels around the memory of the
/// tensor that \p P points to.
void checkImageAround(const Context &Ctx, State &W, const Stmt &S,
                      const Pointee &P);
/// Who reads how far apart the rows of the image in \p Var are, or asks whether
/// they follow each other, is taken to know.
void knowsPitch(const Context &Ctx, State &W, VarId Var);
/// The bytes of the pixels of a row.
std::optional<SymExpr> rowBytes(const State &W, const Image &M);
/// Whether there is a gap behind each row, as far as sizes tell.
bool isPadded(const State &W, const Image &M);
/// An image that some memory is of.
struct ImageMemory {
  Image Of;
  std::string Name; ///< of the variable it was read from, or empty
};
/// The image whose memory \p V points to.
std::optional<ImageMemory> imageBehind(const Context &Ctx, const State &W,
                                       ValueId V);

/// The bytes from one row to the next of the image at whose memory \p V points,
/// as a field of it says.
std::optional<SymExpr> pitchBehind(const Context &Ctx, const State &W,
                                   ValueId V);

} // namespace tensortidy::analysis

#endif
