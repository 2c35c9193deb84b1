//===- ImageCalls.h - what OpenCV's functions do to images ------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   cv::resize(a, b, cv::Size(w, h))
//     image=%a into=%b rows=%h columns=%w      beside what any call is given
//
// Analysis/Transfer/Images.h says what becomes of b.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_CALLS_IMAGECALLS_H
#define TENSORTIDY_FRONTEND_CALLS_IMAGECALLS_H

#include "Frontend/Ast/CallSite.h"

namespace tensortidy::frontend {

class Lowerer;

/// Adds the images that \p C, a function of OpenCV, reads and writes.
void describeImages(const CallSite &C, Types &Kinds, Lowerer &Lower,
                    llvm::SmallVectorImpl<program::Arg> &Operands);

} // namespace tensortidy::frontend

#endif
