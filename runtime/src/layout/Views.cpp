//===- Views.cpp - operations that move no element ------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each asks lib/Layout for the layout and makes a tensor of it on the same
// storage; the in-place forms change the tensor every handle shares.
//
//===----------------------------------------------------------------------===//

#include "core/Impl.h"
#include "core/Release.h"

namespace tensortidy {

using detail::Ar;
using detail::call;
using detail::dims;
using detail::impl;
using detail::orThrow;
using detail::Shape;
using detail::viewOf;

// NOLINTBEGIN(bugprone-macro-parentheses)
#define LAYOUT impl(*this, Op, Here).L
/// The view RULE gives; the arguments say how the call was written.
#define VIEW(NAME, RULE, ...)                                                  \
  {                                                                            \
    static constexpr const char *Op = NAME;                                    \
    return viewOf(                                                             \
        *this,                                                                 \
        orThrow(RULE, *this, Here, [&] { return call(Op, ##__VA_ARGS__); }),   \
        Op, Here);                                                             \
  }
/// The same, into this tensor.
#define VIEW_IN_PLACE(NAME, RULE, ...)                                         \
  {                                                                            \
    static constexpr const char *Op = NAME;                                    \
    Shape L =                                                                  \
        orThrow(RULE, *this, Here, [&] { return call(Op, ##__VA_ARGS__); });   \
    detail::TensorImpl &I = impl(*this);                                       \
    I.L = std::move(L);                                                        \
    I.Op = Op;                                                                 \
    I.Made = Here;                                                             \
    return self();                                                             \
  }
// NOLINTEND(bugprone-macro-parentheses)

Tensor Tensor::view(IntArrayRef size, Site Here) const
    VIEW("view", layout::view(Ar, LAYOUT, size), size)

        Tensor Tensor::view_as(const Tensor &other, Site Here) const
    VIEW("view_as", layout::view(Ar, LAYOUT, other.sizes()), other.sizes())

        Tensor Tensor::view(ScalarType dtype, Site Here) const {
  const auto &I = impl(*this, "view", Here);
  Shape L = orThrow(layout::viewDtype(Ar, I.L,
                                      static_cast<int64_t>(elementSize(I.Type)),
                                      static_cast<int64_t>(elementSize(dtype))),
                    *this, Here, [&] { return call("view", dtype); });
  Tensor R = viewOf(*this, std::move(L), "view", Here);
  impl(R).Type = dtype;
  return R;
}

Tensor Tensor::permute(IntArrayRef dims, Site Here) const
    VIEW("permute", layout::permute(Ar, LAYOUT, dims), dims)

        Tensor Tensor::transpose(int64_t dim0, int64_t dim1, Site Here) const
    VIEW("transpose", layout::transpose(Ar, LAYOUT, dim0, dim1), dim0,
         dim1) Tensor Tensor::swapaxes(int64_t axis0, int64_t axis1,
                                       Site Here) const
    VIEW("swapaxes", layout::transpose(Ar, LAYOUT, axis0, axis1), axis0,
         axis1) Tensor Tensor::swapdims(int64_t dim0, int64_t dim1,
                                        Site Here) const
    VIEW("swapdims", layout::transpose(Ar, LAYOUT, dim0, dim1), dim0,
         dim1) Tensor &Tensor::transpose_(int64_t dim0, int64_t dim1,
                                          Site Here) const
    VIEW_IN_PLACE("transpose_", layout::transpose(Ar, LAYOUT, dim0, dim1), dim0,
                  dim1) Tensor &Tensor::swapaxes_(int64_t axis0, int64_t axis1,
                                                  Site Here) const
    VIEW_IN_PLACE("swapaxes_", layout::transpose(Ar, LAYOUT, axis0, axis1),
                  axis0,
                  axis1) Tensor &Tensor::swapdims_(int64_t dim0, int64_t dim1,
                                                   Site Here) const
    VIEW_IN_PLACE("swapdims_", layout::transpose(Ar, LAYOUT, dim0, dim1), dim0,
                  dim1)

        Tensor Tensor::t(Site Here) const
    VIEW("t", layout::t(Ar, LAYOUT)) Tensor &Tensor::t_(Site Here) const
    VIEW_IN_PLACE("t_",
                  layout::t(Ar, LAYOUT)) Tensor Tensor::numpy_T(Site Here) const
    VIEW("numpy_T",
         layout::reverseDims(Ar, LAYOUT)) Tensor Tensor::mT(Site Here) const {
  if (impl(*this, "mT", Here).L.rank() == 0)
    return *this;
  VIEW("mT", layout::mT(Ar, LAYOUT))
}
Tensor Tensor::mH(Site Here) const { return mT(Here); }
Tensor Tensor::adjoint(Site Here) const { return mT(Here); }
Tensor Tensor::matrix_H(Site Here) const {
  if (dim() != 2 && dim() != 0)
    detail::fail("matrix_H: expected a matrix", *this, Here);
  return mT(Here);
}

Tensor Tensor::movedim(IntArrayRef source, IntArrayRef destination,
                       Site Here) const
    VIEW("movedim", layout::movedim(Ar, LAYOUT, source, destination), source,
         destination) Tensor Tensor::movedim(int64_t source,
                                             int64_t destination,
                                             Site Here) const {
  return movedim(IntArrayRef(source), IntArrayRef(destination), Here);
}
Tensor Tensor::moveaxis(IntArrayRef source, IntArrayRef destination,
                        Site Here) const
    VIEW("moveaxis", layout::movedim(Ar, LAYOUT, source, destination), source,
         destination) Tensor Tensor::moveaxis(int64_t source,
                                              int64_t destination,
                                              Site Here) const {
  return moveaxis(IntArrayRef(source), IntArrayRef(destination), Here);
}

Tensor Tensor::select(int64_t dim, int64_t index, Site Here) const
    VIEW("select", layout::select(Ar, LAYOUT, dim, index), dim,
         index) Tensor Tensor::narrow(int64_t dim, int64_t start,
                                      int64_t length, Site Here) const
    VIEW("narrow",
         layout::narrow(Ar, LAYOUT, dim, start, length,
                        !detail::has(detail::Change::NarrowOfNothing)),
         dim, start,
         length) Tensor Tensor::slice(int64_t dim, optional<int64_t> start,
                                      optional<int64_t> end, int64_t step,
                                      Site Here) const
    VIEW("slice", layout::slice(Ar, LAYOUT, dim, start.value_or(0), end, step),
         dim, start, end, step)

        Tensor Tensor::expand(IntArrayRef size, bool /*implicit*/,
                              Site Here) const
    VIEW("expand", layout::expand(Ar, LAYOUT, dims(size)),
         size) Tensor Tensor::expand_as(const Tensor &other, Site Here) const
    VIEW("expand_as", layout::expand(Ar, LAYOUT, dims(other.sizes())),
         other.sizes()) Tensor Tensor::broadcast_to(IntArrayRef size,
                                                    Site Here) const
    VIEW("broadcast_to", layout::expand(Ar, LAYOUT, dims(size)), size)

        Tensor Tensor::squeeze(Site Here) const
    VIEW("squeeze",
         layout::squeeze(Ar, LAYOUT)) Tensor Tensor::squeeze(int64_t dim,
                                                             Site Here) const
    VIEW("squeeze", layout::squeeze(Ar, LAYOUT, dim),
         dim) Tensor Tensor::unsqueeze(int64_t dim, Site Here) const
    VIEW("unsqueeze", layout::unsqueeze(Ar, LAYOUT, dim),
         dim) Tensor &Tensor::squeeze_(Site Here) const
    VIEW_IN_PLACE("squeeze_", layout::squeeze(Ar, LAYOUT))
        Tensor &Tensor::squeeze_(int64_t dim, Site Here) const
    VIEW_IN_PLACE("squeeze_", layout::squeeze(Ar, LAYOUT, dim),
                  dim) Tensor &Tensor::unsqueeze_(int64_t dim, Site Here) const
    VIEW_IN_PLACE("unsqueeze_", layout::unsqueeze(Ar, LAYOUT, dim), dim)

        Tensor Tensor::unfold(int64_t dimension, int64_t size, int64_t step,
                              Site Here) const
    VIEW("unfold", layout::unfold(Ar, LAYOUT, dimension, size, step), dimension,
         size, step) Tensor Tensor::unflatten(int64_t dim, IntArrayRef sizes,
                                              Site Here) const
    VIEW("unflatten", layout::unflatten(Ar, LAYOUT, dim, dims(sizes)), dim,
         sizes) Tensor Tensor::diagonal(int64_t offset, int64_t dim1,
                                        int64_t dim2, Site Here) const
    VIEW("diagonal", layout::diagonal(Ar, LAYOUT, offset, dim1, dim2), offset,
         dim1, dim2)

        static int64_t storageElements(const Tensor &X) {
  const detail::TensorImpl &I = impl(X);
  return static_cast<int64_t>(I.Store->Bytes / elementSize(I.Type));
}
Tensor Tensor::as_strided(IntArrayRef size, IntArrayRef stride,
                          optional<int64_t> storage_offset, Site Here) const
    VIEW("as_strided",
         layout::asStrided(Ar, dims(size), dims(stride),
                           storage_offset.value_or(LAYOUT.Offset),
                           optional<int64_t>(storageElements(*this))),
         size, stride, storage_offset) const Tensor
        &Tensor::as_strided_(IntArrayRef size, IntArrayRef stride,
                             optional<int64_t> storage_offset, Site Here) const
    VIEW_IN_PLACE("as_strided_",
                  layout::asStrided(Ar, dims(size), dims(stride),
                                    storage_offset.value_or(LAYOUT.Offset),
                                    optional<int64_t>(storageElements(*this))),
                  size, stride, storage_offset)

        Tensor Tensor::detach(Site Here) const {
  return viewOf(*this, Shape(impl(*this, "detach", Here).L), "detach", Here);
}
Tensor Tensor::alias(Site Here) const {
  return viewOf(*this, Shape(impl(*this, "alias", Here).L), "alias", Here);
}

//===--- several views --------------------------------------------------===//

/// One view for each layout.
static std::vector<Tensor> views(const Tensor &Of, std::vector<Shape> Layouts,
                                 const char *Op, Site Here) {
  std::vector<Tensor> R;
  R.reserve(Layouts.size());
  for (Shape &L : Layouts)
    R.push_back(viewOf(Of, std::move(L), Op, Here));
  return R;
}
// NOLINTBEGIN(bugprone-macro-parentheses)
#define VIEWS(NAME, RULE, ...)                                                 \
  {                                                                            \
    static constexpr const char *Op = NAME;                                    \
    return views(                                                              \
        *this,                                                                 \
        orThrow(RULE, *this, Here, [&] { return call(Op, __VA_ARGS__); }), Op, \
        Here);                                                                 \
  }
// NOLINTEND(bugprone-macro-parentheses)

std::vector<Tensor> Tensor::split(int64_t split_size, int64_t dim,
                                  Site Here) const
    VIEWS("split", layout::split(Ar, LAYOUT, split_size, dim), split_size,
          dim) std::vector<Tensor> Tensor::split(IntArrayRef split_size,
                                                 int64_t dim, Site Here) const
    VIEWS("split", layout::splitWithSizes(Ar, LAYOUT, dims(split_size), dim),
          split_size, dim)
        std::vector<Tensor> Tensor::split_with_sizes(IntArrayRef split_sizes,
                                                     int64_t dim,
                                                     Site Here) const
    VIEWS("split_with_sizes",
          layout::splitWithSizes(Ar, LAYOUT, dims(split_sizes), dim),
          split_sizes,
          dim) std::vector<Tensor> Tensor::chunk(int64_t chunks, int64_t dim,
                                                 Site Here) const
    VIEWS("chunk", layout::chunk(Ar, LAYOUT, chunks, dim), chunks,
          dim) std::vector<Tensor> Tensor::tensor_split(int64_t sections,
                                                        int64_t dim,
                                                        Site Here) const
    VIEWS("tensor_split", layout::tensorSplit(Ar, LAYOUT, sections, dim),
          sections,
          dim) std::vector<Tensor> Tensor::tensor_split(IntArrayRef indices,
                                                        int64_t dim,
                                                        Site Here) const
    VIEWS("tensor_split", layout::tensorSplitAt(Ar, LAYOUT, dims(indices), dim),
          indices,
          dim) /// Equal parts along the dimension that is \p Dim, or 0 of a
               /// vector.
    static std::vector<Tensor> equalParts(const Tensor &X, int64_t Sections,
                                          int64_t Dim, int64_t Least,
                                          const char *Op, Site Here) {
  impl(X, Op, Here);
  if (X.dim() < Least)
    detail::fail(call(Op, Sections) + " needs at least " +
                     std::to_string(Least) + " dimensions",
                 X, Here);
  const int64_t D = X.dim() == 1 ? 0 : Dim;
  if (Sections <= 0 || X.size(D) % Sections != 0)
    detail::fail(call(Op, Sections) + ": size " + std::to_string(X.size(D)) +
                     " of dimension " + std::to_string(D) + " is not divisible",
                 X, Here);
  return X.tensor_split(Sections, D, Here);
}
std::vector<Tensor> Tensor::tensor_split(const Tensor &At, int64_t dim,
                                         Site Here) const {
  const detail::TensorImpl &I = impl(At, "tensor_split", Here);
  if (I.Type != kLong || I.L.rank() > 1)
    detail::fail("tensor_split: places are an int64 tensor of 0 or 1 "
                 "dimensions",
                 At, Here);
  if (I.L.rank() == 0)
    return tensor_split(At.item<int64_t>(Here), dim, Here);
  std::vector<int64_t> Places;
  for (int64_t K = 0; K < At.numel(); ++K)
    Places.push_back(At.select(0, K, Here).item<int64_t>(Here));
  return tensor_split(IntArrayRef(Places), dim, Here);
}
std::vector<Tensor> Tensor::hsplit(int64_t sections, Site Here) const {
  return equalParts(*this, sections, 1, 1, "hsplit", Here);
}
std::vector<Tensor> Tensor::vsplit(int64_t sections, Site Here) const {
  return equalParts(*this, sections, 0, 2, "vsplit", Here);
}
std::vector<Tensor> Tensor::dsplit(int64_t sections, Site Here) const {
  return equalParts(*this, sections, 2, 3, "dsplit", Here);
}
std::vector<Tensor> Tensor::unbind(int64_t dim, Site Here) const
    VIEWS("unbind", layout::unbind(Ar, LAYOUT, dim), dim)

    //===--- with at least some dimensions ------------------------------===//

    Tensor atleast_1d(const Tensor &self, Site Here) {
  return impl(self, "atleast_1d", Here).L.rank() == 0 ? self.reshape({1}, Here)
                                                      : self;
}
Tensor atleast_2d(const Tensor &self, Site Here) {
  const size_t Rank = impl(self, "atleast_2d", Here).L.rank();
  return Rank == 0   ? self.reshape({1, 1}, Here)
         : Rank == 1 ? self.unsqueeze(0, Here)
                     : self;
}
Tensor atleast_3d(const Tensor &self, Site Here) {
  const size_t Rank = impl(self, "atleast_3d", Here).L.rank();
  return Rank == 0   ? self.reshape({1, 1, 1}, Here)
         : Rank == 1 ? self.unsqueeze(0, Here).unsqueeze(-1, Here)
         : Rank == 2 ? self.unsqueeze(-1, Here)
                     : self;
}

} // namespace tensortidy
