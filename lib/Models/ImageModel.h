//===- ImageModel.h - what the images of a library are ----------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A library's functions say in their own way what an image is made of: rows and
// columns by the names of their parameters, element types and channels by
// codes:
//
//   cv::Mat(int rows, int cols, int type)      type 16: channels 3, of uint8
//
// Attributes say what a function does with it (Program/Attributes.def).
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_MODELS_IMAGEMODEL_H
#define TENSORTIDY_MODELS_IMAGEMODEL_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tensortidy::models {

/// What one pixel is: three channels of uint8.
struct PixelType {
  std::string Element;   ///< "uint8"; empty: not said
  unsigned Channels = 0; ///< 0: not said
};

/// What the numbers mean that parameters of some names are given.
struct ImageCode {
  struct Range {
    int64_t First = 0, Last = 0;
    PixelType Is;
  };
  std::vector<std::string> Parameters; ///< none: what holds for all images
  /// Element types by the low bits; above them stands channels - 1.
  std::vector<std::string> Types;
  std::vector<Range> Values;
  std::optional<int64_t> Default; ///< the argument may be left out

  std::optional<PixelType> decode(int64_t Code) const;
};

/// The images of one library.
struct ImageApi {
  /// Namespaces and classes whose functions keep no image that they are given.
  std::vector<std::string> Scopes;
  /// Names of parameters.
  std::vector<std::string> Rows, Columns, Channels, From, To;
  std::vector<ImageCode> Codes;
  /// Class templates of images whose argument is the type of a pixel, and
  /// those of such pixels: element type and number of channels.
  std::vector<std::string> Typed, Pixels;
  /// Classes of images whose rows the library pads, where it allocates them.
  std::vector<std::string> Padded;

  /// The operand that a parameter of this name is: "rows"; or empty.
  llvm::StringRef operandOf(llvm::StringRef Parameter) const;
  /// Whether it describes the function of this qualified name.
  bool describes(llvm::StringRef Qualified) const;
};

/// Reads "6-7=1", "0=uint8*3", "0=uint8"; returns what is wrong.
llvm::StringRef parseCode(llvm::StringRef Text, ImageCode::Range &Out);

} // namespace tensortidy::models

#endif
