//===- Arguments.cpp - what functions ask of their tensors ----------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tensortidy/torch.h"

namespace tensortidy {

/// The argument as it is named in errors.
static std::string named(const TensorArg &T) {
  return T.pos == 0
             ? std::string("'") + T.name + "'"
             : "argument #" + std::to_string(T.pos) + " '" + T.name + "'";
}
static void require(bool Holds, CheckedFrom C, const TensorArg &T,
                    const std::string &What) {
  if (!Holds)
    throw Error(std::string(C) + ": " + named(T) + " must " + What +
                ", it is " + (T->defined() ? describe(*T) : "not defined"));
}
void checkDim(CheckedFrom c, const TensorArg &t, int64_t dim) {
  require(t->dim() == dim, c, t, "have " + std::to_string(dim) + " dimensions");
}
void checkSize(CheckedFrom c, const TensorArg &t, IntArrayRef sizes) {
  checkDim(c, t, static_cast<int64_t>(sizes.size()));
  require(t->sizes() == sizes, c, t, "have sizes " + detail::joined(sizes));
}
void checkSize(CheckedFrom c, const TensorArg &t, int64_t dim, int64_t size) {
  require(t->size(dim) == size, c, t,
          "have size " + std::to_string(size) + " in dimension " +
              std::to_string(dim));
}
void checkNumel(CheckedFrom c, const TensorArg &t, int64_t numel) {
  require(t->numel() == numel, c, t,
          "have " + std::to_string(numel) + " elements");
}
void checkSameSize(CheckedFrom c, const TensorArg &t1, const TensorArg &t2) {
  require(t2->sizes() == t1->sizes(), c, t2,
          "have the sizes of " + named(t1) + ", " +
              detail::joined(t1->sizes()));
}
void checkContiguous(CheckedFrom c, const TensorArg &t) {
  require(t->is_contiguous(), c, t, "be contiguous");
}
void checkScalarTypes(CheckedFrom c, const TensorArg &t,
                      ArrayRef<ScalarType> types) {
  std::string Names;
  bool Is = false;
  for (ScalarType Type : types) {
    Names += std::string(Names.empty() ? "" : " or ") + toString(Type);
    Is = Is || t->scalar_type() == Type;
  }
  require(Is, c, t, "be of type " + Names);
}
void checkScalarType(CheckedFrom c, const TensorArg &t, ScalarType type) {
  checkScalarTypes(c, t, type);
}
void checkSameType(CheckedFrom c, const TensorArg &t1, const TensorArg &t2) {
  checkScalarType(c, t2, t1->scalar_type());
}
void checkDefined(CheckedFrom c, const TensorArg &t) {
  require(t->defined(), c, t, "be defined");
}
void checkAllSameSize(CheckedFrom c, ArrayRef<TensorArg> tensors) {
  for (const TensorArg &T : tensors)
    checkSameSize(c, tensors[0], T);
}
void checkAllSameType(CheckedFrom c, ArrayRef<TensorArg> tensors) {
  for (const TensorArg &T : tensors)
    checkSameType(c, tensors[0], T);
}
void checkAllContiguous(CheckedFrom c, ArrayRef<TensorArg> tensors) {
  for (const TensorArg &T : tensors)
    checkContiguous(c, T);
}
void checkAllDefined(CheckedFrom c, ArrayRef<TensorArg> t) {
  for (const TensorArg &T : t)
    checkDefined(c, T);
}

} // namespace tensortidy
