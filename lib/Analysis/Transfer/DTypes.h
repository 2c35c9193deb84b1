//===- DTypes.h - the element types that operations give ------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   int64 + float32  ->  float32      int64 / int64  ->  float32
//   bool  + int64    ->  int64        exp(int64)     ->  float32
//   float32 * 2.0    ->  float32      sum(bool)      ->  int64
//
// An element type is its name, and empty where it is not known.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_DTYPES_H
#define TENSORTIDY_ANALYSIS_DTYPES_H

#include "Program/Program.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <string>

namespace tensortidy::analysis {

/// Bytes of an element, 0 when not known.
int64_t itemSize(llvm::StringRef DType);
/// How ggml stores \p DType: so many elements together in so many bytes; of a
/// plain type one. No bytes: not known.
struct BlockSize {
  int64_t Elements = 1, Bytes = 0;
};
BlockSize blockSize(llvm::StringRef DType);

struct DTypeOperand {
  std::string DType;           ///< of a number: "int", "float" or empty
  std::optional<bool> HasDims; ///< of a tensor: one dimension or more
  bool IsNumber = false;
};

/// The dtype that \p O makes of these, where \p Rule says how.
std::string resultDType(program::Op O, std::optional<program::Attribute> Rule,
                        llvm::ArrayRef<DTypeOperand> Of);

/// Whether a result of type \p From may be stored as \p To, as far as known.
bool canStore(llvm::StringRef From, llvm::StringRef To);

/// The greatest number of a floating-point type that has less than float32;
/// nothing of the others.
std::optional<double> greatest(llvm::StringRef DType);
/// Whether \p DType is one of \p Wanted: "floating", "integral" (which bool
/// is), "number" (which it is not), or a dtype.
bool isDType(llvm::StringRef DType, llvm::StringRef Wanted);

/// What an element of \p DType is stored as: data_ptr<int8_t>() is of a tensor
/// of qint8, too.
llvm::StringRef storedAs(llvm::StringRef DType);

} // namespace tensortidy::analysis

#endif
