//===- Factories.cpp - tensors from nothing -------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernels/Elementwise.h"
#include <cmath>
#include <cstring>
#include <utility>

namespace tensortidy {

using detail::allocate;
using detail::allocateDense;
using detail::Ar;
using detail::call;
using detail::dims;
using detail::impl;
using detail::orThrow;
using detail::Shape;

static void requireCpu(const TensorOptions &Options, const char *Op,
                       Site Here) {
  if (!Options.device().is_cpu())
    detail::fail(std::string(Op) + ": there is no device " +
                     Options.device().str(),
                 Here);
}
static Tensor &&finish(Tensor &&X, const TensorOptions &Options) {
  if (Options.requires_grad())
    X.set_requires_grad(true);
  return std::move(X);
}

/// For tensors that are handed out with nothing in them.
static Tensor unwritten(Tensor X) {
  detail::markUnwritten(X);
  return X;
}

/// Uninitialised memory; \p Type where the options name none.
static Tensor make(IntArrayRef Sizes, const TensorOptions &Options,
                   ScalarType Type, const char *Op, Site Here,
                   optional<MemoryFormat> Format = nullopt) {
  requireCpu(Options, Op, Here);
  detail::requireSizes(Sizes, Op, Here);
  if (Options.has_dtype())
    Type = Options.dtype();
  if (!Format || *Format == MemoryFormat::Contiguous)
    return finish(allocateDense(dims(Sizes), Type, Op, Here), Options);
  if (*Format == MemoryFormat::Preserve)
    detail::fail(call(Op, Sizes) + ": there is nothing to preserve", Here);
  Shape L;
  L.Sizes = dims(Sizes);
  L.Strides =
      orThrow(layout::formatStrides(Ar, L.Sizes,
                                    static_cast<layout::MemoryFormat>(*Format)),
              Tensor(), Here, [&] { return call(Op, Sizes); });
  return finish(allocate(std::move(L), Type, Op, Here), Options);
}

Tensor empty(IntArrayRef size, TensorOptions options,
             optional<MemoryFormat> memory_format, Site Here) {
  // The others ignore the memory format of their options, as in libtorch.
  return unwritten(
      make(size, options, get_default_dtype(), "empty", Here,
           memory_format ? memory_format : options.memory_format_opt()));
}
Tensor empty_strided(IntArrayRef size, IntArrayRef stride,
                     TensorOptions options, Site Here) {
  requireCpu(options, "empty_strided", Here);
  detail::requireSizes(size, "empty_strided", Here);
  Shape L = orThrow(layout::asStrided(Ar, dims(size), dims(stride), int64_t(0)),
                    Tensor(), Here,
                    [&] { return call("empty_strided", size, stride); });
  return unwritten(finish(
      allocate(std::move(L), options.dtype(), "empty_strided", Here), options));
}
Tensor zeros(IntArrayRef size, TensorOptions options, Site Here) {
  Tensor R = make(size, options, get_default_dtype(), "zeros", Here);
  if (R.nbytes())
    std::memset(R.data_ptr(), 0, R.storage().nbytes());
  return R;
}
Tensor ones(IntArrayRef size, TensorOptions options, Site Here) {
  Tensor R = make(size, options, get_default_dtype(), "ones", Here);
  R.fill_(1);
  return R;
}

/// The type of a factory that is given numbers: theirs, but doubles become
/// the default type.
static ScalarType typeOf(std::initializer_list<const Scalar *> Numbers) {
  bool Whole = true;
  for (const Scalar *S : Numbers)
    Whole = Whole && S->isIntegral(true);
  return Whole ? kLong : ScalarType(get_default_dtype());
}

Tensor full(IntArrayRef size, const Scalar &fill_value, TensorOptions options,
            Site Here) {
  Tensor R = make(size, options,
                  fill_value.isBoolean() ? kBool : typeOf({&fill_value}),
                  "full", Here);
  R.fill_(fill_value);
  return R;
}
Tensor scalar_tensor(const Scalar &s, TensorOptions options, Site Here) {
  Tensor R = make({}, options, get_default_dtype(), "scalar_tensor", Here);
  R.fill_(s);
  return R;
}
Tensor detail::wrapped(const Scalar &S) {
  Tensor R = allocateDense({}, S.type(), "scalar", Site::none());
  R.fill_(S, Site::none());
  return R;
}

Tensor arange(const Scalar &start, const Scalar &end, const Scalar &step,
              TensorOptions options, Site Here) {
  const double A = start.toDouble(), B = end.toDouble(), S = step.toDouble();
  if (S == 0 || !std::isfinite(A) || !std::isfinite(B) || (B - A) * S < 0)
    detail::fail("arange: no numbers from " + std::to_string(A) + " to " +
                     std::to_string(B) + " in steps of " + std::to_string(S),
                 Here);
  const ScalarType Type =
      options.dtype_opt().value_or(typeOf({&start, &end, &step}));
  const auto N = static_cast<int64_t>(std::ceil((B - A) / S));
  Tensor R = make(N, options, Type, "arange", Here);
  detail::dispatch(Type, [&](auto T) {
    using E = typename decltype(T)::type;
    auto *To = static_cast<E *>(R.data_ptr());
    for (int64_t K = 0; K < N; ++K)
      if constexpr (std::is_integral_v<E>)
        detail::store(To[K], start.toLong() + K * step.toLong());
      else
        detail::store(To[K], A + static_cast<double>(K) * S);
  });
  return R;
}
Tensor arange(const Scalar &start, const Scalar &end, TensorOptions options,
              Site Here) {
  return arange(start, end, Scalar(1), options, Here);
}
Tensor arange(const Scalar &end, TensorOptions options, Site Here) {
  return arange(Scalar(0), end, Scalar(1), options, Here);
}

Tensor linspace(const Scalar &start, const Scalar &end, int64_t steps,
                TensorOptions options, Site Here) {
  if (steps < 0)
    detail::fail("linspace: the number of steps is negative", Here);
  Tensor R = make(steps, options, get_default_dtype(), "linspace", Here);
  const double A = start.toDouble(), B = end.toDouble();
  detail::dispatch(R.scalar_type(), [&](auto T) {
    using E = typename decltype(T)::type;
    // libtorch's step has the type of the elements.
    using S = std::conditional_t<std::is_same_v<E, float>, float, double>;
    const auto Step = static_cast<double>(
        steps > 1 ? (static_cast<S>(B) - static_cast<S>(A)) /
                        static_cast<S>(steps - 1)
                  : S(0));
    auto *To = static_cast<E *>(R.data_ptr());
    for (int64_t K = 0; K < steps;
         ++K) // from both ends, so that both are exact
      detail::store(To[K], K < steps / 2
                               ? A + Step * static_cast<double>(K)
                               : B - Step * static_cast<double>(steps - 1 - K));
    if (steps == 1)
      detail::store(To[0], A);
  });
  return R;
}

Tensor eye(int64_t n, int64_t m, TensorOptions options, Site Here) {
  Tensor R = make({n, m}, options, get_default_dtype(), "eye", Here);
  R.zero_();
  R.diagonal().fill_(1);
  return R;
}
Tensor eye(int64_t n, TensorOptions options, Site Here) {
  return eye(n, n, options, Here);
}

//===--- tensor({{1, 2}, {3, 4}}) ---------------------------------------===//

static void measure(const detail::TensorData &D, detail::Dims &Sizes,
                    size_t Depth, ScalarType &Type, Site Here) {
  if (!D.IsList) {
    if (Depth != Sizes.size())
      detail::fail("tensor: a number stands where a list is expected", Here);
    if (Type != ScalarType::Undefined && Type != D.Type)
      detail::fail(std::string("tensor: numbers of types ") + toString(Type) +
                       " and " + toString(D.Type),
                   Here);
    Type = D.Type;
    return;
  }
  const auto N = static_cast<int64_t>(D.Items.size());
  if (Depth < Sizes.size() && Sizes[Depth] != N)
    detail::fail("tensor: lists of lengths " + std::to_string(Sizes[Depth]) +
                     " and " + std::to_string(N) + " at depth " +
                     std::to_string(Depth),
                 Here);
  for (const auto &Item : D.Items)
    measure(Item, Sizes, Depth + 1, Type, Here);
}
static void flattenData(const detail::TensorData &D, std::vector<Scalar> &To) {
  if (!D.IsList)
    To.push_back(D.Value);
  for (const auto &Item : D.Items)
    flattenData(Item, To);
}

Tensor tensor(const detail::TensorData &data, TensorOptions options,
              Site Here) {
  detail::Dims Sizes;
  for (const detail::TensorData *D = &data; D->IsList; D = &D->Items[0]) {
    Sizes.push_back(static_cast<int64_t>(D->Items.size()));
    if (D->Items.empty())
      break;
  }
  ScalarType Type = ScalarType::Undefined;
  measure(data, Sizes, 0, Type, Here);
  if (Type == kInt)
    Type = kLong;
  else if (Type == kDouble || Type == kFloat || Type == ScalarType::Undefined)
    Type = get_default_dtype();
  std::vector<Scalar> Flat;
  flattenData(data, Flat);
  Tensor R = make(detail::ref(Sizes), options, Type, "tensor", Here);
  detail::dispatch(R.scalar_type(), [&](auto T) {
    using E = typename decltype(T)::type;
    auto *To = static_cast<E *>(R.data_ptr());
    for (size_t K = 0; K < Flat.size(); ++K)
      if (Flat[K].isFloatingPoint())
        detail::store(To[K], Flat[K].toDouble());
      else
        detail::store(To[K], Flat[K].toLong());
  });
  return R;
}

//===--- like another tensor --------------------------------------------===//

static Tensor like(const Tensor &Self, const TensorOptions &Options,
                   optional<MemoryFormat> Format, const char *Op, Site Here) {
  const auto &I = impl(Self, Op, Here);
  requireCpu(Options, Op, Here);
  if (!Format)
    Format = Options.memory_format_opt();
  Shape L =
      orThrow(layout::copyAs(Ar, I.L,
                             static_cast<layout::MemoryFormat>(
                                 Format.value_or(MemoryFormat::Preserve))),
              Self, Here, [&] { return call(Op); });
  return finish(
      allocate(std::move(L), Options.dtype_opt().value_or(I.Type), Op, Here),
      Options);
}

Tensor empty_like(const Tensor &self, TensorOptions options,
                  optional<MemoryFormat> memory_format, Site Here) {
  return unwritten(like(self, options, memory_format, "empty_like", Here));
}
Tensor zeros_like(const Tensor &self, TensorOptions options,
                  optional<MemoryFormat> memory_format, Site Here) {
  Tensor R = like(self, options, memory_format, "zeros_like", Here);
  R.zero_();
  return R;
}
Tensor ones_like(const Tensor &self, TensorOptions options,
                 optional<MemoryFormat> memory_format, Site Here) {
  Tensor R = like(self, options, memory_format, "ones_like", Here);
  R.fill_(1);
  return R;
}
Tensor full_like(const Tensor &self, const Scalar &fill_value,
                 TensorOptions options, optional<MemoryFormat> memory_format,
                 Site Here) {
  Tensor R = like(self, options, memory_format, "full_like", Here);
  R.fill_(fill_value);
  return R;
}

Tensor Tensor::new_empty(IntArrayRef size, TensorOptions options,
                         Site Here) const {
  return unwritten(make(size, options, impl(*this, "new_empty", Here).Type,
                        "new_empty", Here));
}
Tensor Tensor::new_empty_strided(IntArrayRef size, IntArrayRef stride,
                                 TensorOptions options, Site Here) const {
  const ScalarType Type = impl(*this, "new_empty_strided", Here).Type;
  return empty_strided(
      size, stride, options.has_dtype() ? options : options.dtype(Type), Here);
}
Tensor Tensor::new_zeros(IntArrayRef size, TensorOptions options,
                         Site Here) const {
  Tensor R = make(size, options, impl(*this, "new_zeros", Here).Type,
                  "new_zeros", Here);
  R.zero_();
  return R;
}
Tensor Tensor::new_ones(IntArrayRef size, TensorOptions options,
                        Site Here) const {
  Tensor R =
      make(size, options, impl(*this, "new_ones", Here).Type, "new_ones", Here);
  R.fill_(1);
  return R;
}
Tensor Tensor::new_full(IntArrayRef size, const Scalar &fill_value,
                        TensorOptions options, Site Here) const {
  Tensor R =
      make(size, options, impl(*this, "new_full", Here).Type, "new_full", Here);
  R.fill_(fill_value);
  return R;
}

//===--- borrowed memory ------------------------------------------------===//

static Tensor borrow(void *Data, IntArrayRef Sizes, const detail::Dims &Strides,
                     const TensorOptions &Options, Site Here) {
  requireCpu(Options, "from_blob", Here);
  detail::requireSizes(Sizes, "from_blob", Here);
  Shape L = orThrow(
      layout::asStrided(Ar, dims(Sizes), Strides, int64_t(0)), Tensor(), Here,
      [&] { return call("from_blob", Sizes, detail::ref(Strides)); });
  const auto Span = static_cast<size_t>(layout::storageSpan(Ar, L));
  auto *S = new detail::StorageImpl;
  S->Data = static_cast<char *>(Data);
  S->Bytes = Span * elementSize(Options.dtype());
  S->Borrowed = true;
  S->Watched.OnRead = true;
  S->Op = "from_blob";
  S->Made = Here;
  return finish(Tensor::adopt(new detail::TensorImpl(
                    S, std::move(L), Options.dtype(), "from_blob", Here)),
                Options);
}
static Tensor &&owned(Tensor &&X, detail::Deleter D) {
  impl(X).Store->State = std::exchange(D.State, nullptr);
  impl(X).Store->Free = D.Run;
  return std::move(X);
}

Tensor from_blob(void *data, IntArrayRef sizes, const TensorOptions &options,
                 Site Here) {
  return borrow(data, sizes, layout::denseStrides(Ar, dims(sizes)), options,
                Here);
}
Tensor from_blob(void *data, IntArrayRef sizes, IntArrayRef strides,
                 const TensorOptions &options, Site Here) {
  return borrow(data, sizes, dims(strides), options, Here);
}
Tensor from_blob(void *data, IntArrayRef sizes, detail::Deleter deleter,
                 const TensorOptions &options, Site Here) {
  return owned(from_blob(data, sizes, options, Here), std::move(deleter));
}
Tensor from_blob(void *data, IntArrayRef sizes, IntArrayRef strides,
                 detail::Deleter deleter, const TensorOptions &options,
                 Site Here) {
  return owned(from_blob(data, sizes, strides, options, Here),
               std::move(deleter));
}

Tensor from_blob(void *data, IntArrayRef sizes, BorrowScope &scope,
                 const TensorOptions &options, Site Here) {
  Tensor R = from_blob(data, sizes, options, Here);
  scope.Lent.push_back(R.storage());
  return R;
}
Tensor from_blob(void *data, IntArrayRef sizes, IntArrayRef strides,
                 BorrowScope &scope, const TensorOptions &options, Site Here) {
  Tensor R = from_blob(data, sizes, strides, options, Here);
  scope.Lent.push_back(R.storage());
  return R;
}

} // namespace tensortidy
