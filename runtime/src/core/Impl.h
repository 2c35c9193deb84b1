//===- Impl.h - what is behind a tensor handle ------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A TensorImpl is a layout::Layout<int64_t> over a StorageImpl. Operations ask
// lib/Layout for the layout of their result; orThrow() turns a refusal into an
// Error with the model's own text.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_RUNTIME_IMPL_H
#define TENSORTIDY_RUNTIME_IMPL_H

#include "core/Checked.h"
#include "Layout/Elementwise.h"
#include "Layout/Error.h"
#include "Layout/Overlap.h"
#include "Layout/Types.h"
#include "core/Memory.h"
#include "tensortidy/tensor.h"
#include <cstddef>
#include <limits>

namespace tensortidy::detail {

using layout::Concrete;
using Dims = layout::InlineDims;
using Shape = layout::Layout<int64_t>;
inline constexpr Concrete Ar;

// Both have libtorch's numbers.
static_assert(static_cast<int>(layout::DType::BFloat16) ==
              static_cast<int>(kBFloat16));
constexpr layout::DType layoutType(ScalarType T) {
  return static_cast<layout::DType>(T);
}
constexpr ScalarType scalarType(layout::DType T) {
  return static_cast<ScalarType>(T);
}

struct StorageImpl : Pooled<StorageImpl> {
  mutable Owners Refs;
  char *Data = nullptr;
  size_t Bytes = 0;
  bool Borrowed = false; ///< from_blob: not ours to resize
  void *State = nullptr; ///< what Free is called with, for borrowed memory
  void (*Free)(void *State, void *Data) = nullptr;
  int64_t Version = 0;            ///< counts writes
  const char *LastOp = "nothing"; ///< the last write
  Site LastWrite = Site::none();
  const char *Op = "allocation"; ///< what made it
  Site Made = Site::none();
  Watch Watched; ///< what is checked when it is used
};

struct TensorImpl : Pooled<TensorImpl> {
  mutable Owners Refs; ///< first, where handles look for it
  StorageImpl *Store;  ///< counted
  Shape L;
  ScalarType Type;
  bool Grad = false;
  const char *Op; ///< the operation that gave it this layout
  Site Made;

  TensorImpl(StorageImpl *Store, Shape &&L, ScalarType Type, const char *Op,
             Site Made)
      : Store(Store), L(std::move(L)), Type(Type), Op(Op), Made(Made) {}
  int64_t numel() const { return layout::numel(Ar, L.Sizes); }
  char *data() const {
    return Store->Data + static_cast<size_t>(L.Offset) * elementSize(Type);
  }
};

inline IntArrayRef ref(const Dims &D) { return {D.data(), D.size()}; }
inline Dims dims(IntArrayRef L) { return Dims(L.begin(), L.end()); }

//===--- texts ----------------------------------------------------------===//

inline std::string text(const char *S) { return S; }
inline std::string text(bool B) { return B ? "true" : "false"; }
inline std::string text(int64_t I) { return std::to_string(I); }
std::string text(IntArrayRef L);
std::string text(ScalarType T);
std::string text(MemoryFormat F);
inline std::string text(optional<int64_t> I) { return I ? text(*I) : "None"; }
/// " at FILE:LINE", or nothing where no place is known.
std::string place(Site Here);
/// "view([2, 3])"
template <class... Args> std::string call(const char *Op, const Args &...A) {
  std::string R = std::string(Op) + "(";
  [[maybe_unused]] const char *Separator = "";
  ((R += Separator + text(A), Separator = ", "), ...);
  return R + ")";
}

//===--- refusals -------------------------------------------------------===//

[[noreturn]] void fail(const std::string &Text, Site Here);
[[noreturn]] void fail(const std::string &Text, const Tensor &Of, Site Here);
[[noreturn]] void refuse(const layout::LayoutError<int64_t> &E,
                         const std::string &What, const Tensor *Of, Site Here);

/// The value of an outcome, which is inside it; throws what it refuses. \p What
/// gives the call as it was written.
template <class T, class F>
T &&orThrow(layout::Outcome<Concrete, T> &&O, const Tensor &Of, Site Here,
            F What) {
  if (!O.ok())
    refuse(O.error(), What(), &Of, Here);
  return std::move(*O);
}

/// The tensor's inside; throws for an undefined one.
[[noreturn]] void undefinedTensor(const char *Op, Site Here);
inline TensorImpl &meta(const Tensor &X, const char *Op, Site Here) {
  if (!X.defined())
    undefinedTensor(Op, Here);
  return *X.unsafeGetTensorImpl();
}
/// The same for what uses the memory, which must still be there.
[[noreturn]] void borrowEnded(const Tensor &X, const char *Op, Site Here);
[[noreturn]] void borrowEnded(const StorageImpl &S, const char *Op, Site Here);
inline TensorImpl &impl(const Tensor &X, const char *Op, Site Here) {
  TensorImpl &I = meta(X, Op, Here);
  if (I.Store->Watched.Ended)
    borrowEnded(X, Op, Here);
  return I;
}
inline TensorImpl &impl(const Tensor &X) { return *X.unsafeGetTensorImpl(); }

/// The dimension that \p Dim, which may count from the end, is of \p X.
inline size_t dimOf(const Tensor &X, int64_t Dim, const char *Op, Site Here) {
  return orThrow(layout::wrapDim(Ar, Dim, impl(X, Op, Here).L.rank()), X, Here,
                 [&] { return call(Op, Dim); });
}
/// Throws unless every size is 0 or more.
void requireSizes(IntArrayRef Sizes, const char *Op, Site Here);

//===--- making tensors -------------------------------------------------===//

StorageImpl *newStorage(size_t Bytes, const char *Op, Site Here);
/// A tensor of uninitialised memory with this layout.
Tensor allocate(Shape L, ScalarType Type, const char *Op, Site Here);
inline Tensor allocateDense(Dims Sizes, ScalarType Type, const char *Op,
                            Site Here) {
  return allocate(layout::denseLayout(Ar, std::move(Sizes)), Type, Op, Here);
}
/// A tensor on the storage of \p Base.
Tensor viewOf(const Tensor &Base, Shape &&L, const char *Op, Site Here);
/// \p X seen with another layout, for loops.
inline Tensor restrided(const Tensor &X, Shape L) {
  const TensorImpl &I = impl(X);
  return viewOf(X, std::move(L), I.Op, I.Made);
}
/// The number as a 0-dim tensor: int64, double or bool.
Tensor wrapped(const Scalar &S);
/// \p X as \p Type, itself when it has it; a copy keeps the strides' order.
Tensor castTo(const Tensor &X, ScalarType Type, Site Here);
/// Counts a write, for who saved the tensor.
inline void countWrite(const Tensor &X, const char *Op, Site Here) {
  StorageImpl &S = *impl(X).Store;
  ++S.Version;
  S.LastOp = Op;
  S.LastWrite = Here;
}
/// The same, of all elements of \p X.
inline void wrote(const Tensor &X, const char *Op, Site Here) {
  countWrite(X, Op, Here);
  if (impl(X).Store->Watched.Unwritten != Watch::None)
    markWritten(X);
}
/// The same, of those that \p Set sets in a tensor of bools with the same
/// sizes.
template <class F>
void wroteSome(const Tensor &X, const char *Op, Site Here, F Set) {
  countWrite(X, Op, Here);
  if (impl(X).Store->Watched.Unwritten == Watch::None)
    return;
  const Tensor Where = zeros(X.sizes(), kBool, Here);
  Set(Where);
  markWrittenWhere(X, Where);
}
/// Throws when elements of \p X were never written, or are in memory that
/// AddressSanitizer knows to be gone.
inline void reads(const Tensor &X, const char *Op, Site Here) {
  if (impl(X, Op, Here).Store->Watched.OnRead)
    checkRead(X, Op, Here);
}

//===--- rules of writing -----------------------------------------------===//

/// Throws when two indices of \p Out are one element.
void requireNoInternalOverlap(const Tensor &Out, const char *Op, Site Here);
/// Throws when \p In partly shares the memory of \p Out; with \p OrFull also
/// when it shares all of it.
void requireNoOverlap(const Tensor &Out, const Tensor &In, const char *Op,
                      Site Here, bool OrFull = false);
bool canCast(ScalarType From, ScalarType To);
/// Whether there is a bias; throws unless it has one element for each channel.
bool requireBias(const optional<Tensor> &Bias, int64_t Channels, const char *Op,
                 Site Here);

//===--- element types --------------------------------------------------===//

template <class T> struct Tag {
  using type = T;
};

/// Calls F with the Tag of the C++ type of \p Type, or \p Otherwise.
template <class F, class G>
auto dispatchInteger(ScalarType Type, F Function, G Otherwise) {
  switch (Type) {
  case kByte:
    return Function(Tag<uint8_t>());
  case kChar:
    return Function(Tag<int8_t>());
  case kShort:
    return Function(Tag<int16_t>());
  case kInt:
    return Function(Tag<int32_t>());
  case kLong:
    return Function(Tag<int64_t>());
  default:
    return Otherwise();
  }
}
/// Floating types only; \p Type must be one.
template <class F> auto dispatchFloating(ScalarType Type, F Function) {
  switch (Type) {
  case kHalf:
    return Function(Tag<Half>());
  case kBFloat16:
    return Function(Tag<BFloat16>());
  case kDouble:
    return Function(Tag<double>());
  default:
    return Function(Tag<float>());
  }
}
/// All but bool.
template <class F> auto dispatchNumber(ScalarType Type, F Function) {
  return dispatchInteger(Type, Function,
                         [&] { return dispatchFloating(Type, Function); });
}
template <class F> auto dispatch(ScalarType Type, F Function) {
  return Type == kBool ? Function(Tag<bool>()) : dispatchNumber(Type, Function);
}
/// Calls F with the Tag of the C++ type that elements of \p Type are computed
/// with.
template <class F> auto dispatchComputed(ScalarType Type, F Function) {
  return dispatchInteger(Type, Function, [&] {
    switch (Type) {
    case kBool:
      return Function(Tag<bool>());
    case kDouble:
      return Function(Tag<double>());
    default:
      return Function(Tag<float>());
    }
  });
}
/// By size, for loops that only move elements.
template <class F> auto dispatchSize(size_t Size, F Function) {
  switch (Size) {
  case 1:
    return Function(Tag<uint8_t>());
  case 2:
    return Function(Tag<uint16_t>());
  case 4:
    return Function(Tag<uint32_t>());
  default:
    return Function(Tag<uint64_t>());
  }
}

/// What is computed with: float for the 16-bit types.
template <class T>
using Compute =
    std::conditional_t<std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>,
                       float, T>;
template <class T>
inline constexpr bool IsFloating =
    std::is_floating_point_v<T> || std::is_same_v<T, Half> ||
    std::is_same_v<T, BFloat16>;

// Without branches, so that rows of them become vectors.
inline uint32_t choose(bool First, uint32_t A, uint32_t B) {
  const uint32_t Mask = -static_cast<uint32_t>(First);
  return (A & Mask) | (B & ~Mask);
}
inline float halfToFloat(uint16_t Bits) {
  const uint32_t Rest = (Bits & 0x7fffU) << 13;
  float Scaled;
  __builtin_memcpy(&Scaled, &Rest, sizeof Scaled);
  Scaled *= 0x1p112F; // exact, also of subnormals
  uint32_t Wide;
  __builtin_memcpy(&Wide, &Scaled, sizeof Wide);
  Wide |= (Rest >= 0x0f800000 ? 0x7f800000 : 0) | // infinite, or no number
          (Bits & 0x8000U) << 16;
  float R;
  __builtin_memcpy(&R, &Wide, sizeof R);
  return R;
}
inline uint16_t floatToHalf(float Value) {
  uint32_t Wide;
  __builtin_memcpy(&Wide, &Value, sizeof Wide);
  const uint32_t Sign = Wide >> 16 & 0x8000;
  Wide &= 0x7fffffff;
  float Small; // subnormal or zero: 0.5 is added, so that the sum rounds
  __builtin_memcpy(&Small, &Wide, sizeof Small);
  Small += 0.5F;
  uint32_t Tiny;
  __builtin_memcpy(&Tiny, &Small, sizeof Tiny);
  uint32_t R = (Wide + 0xfff + (Wide >> 13 & 1) - 0x38000000) >> 13;
  R = choose(Wide < 0x38800000, Tiny - 0x3f000000, R);
  R = choose(Wide >= 0x477ff000, 0x7c00, R); // rounds to infinity
  R = choose(Wide > 0x7f800000, 0x7e00, R);
  return static_cast<uint16_t>(Sign | R);
}
inline float bfloatToFloat(uint16_t Bits) {
  uint32_t Wide = static_cast<uint32_t>(Bits) << 16;
  float R;
  __builtin_memcpy(&R, &Wide, sizeof R);
  return R;
}
/// The number rounded to a bfloat16, which is the upper half; a NaN stays one.
inline uint32_t bfloatAbove(float Value) {
  uint32_t Wide;
  __builtin_memcpy(&Wide, &Value, sizeof Wide);
  const uint32_t Quiet = -static_cast<uint32_t>(Value != Value) & 0x7fc00000;
  return (Wide + 0x7fff + (Wide >> 16 & 1)) | Quiet;
}
inline uint16_t floatToBfloat(float Value) {
  return static_cast<uint16_t>(bfloatAbove(Value) >> 16);
}
/// \p X, or a NaN.
template <class T> T orNan(T X, bool IsNan) {
  std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t> Bits;
  __builtin_memcpy(&Bits, &X, sizeof Bits);
  Bits |= -static_cast<decltype(Bits)>(IsNan);
  __builtin_memcpy(&X, &Bits, sizeof Bits);
  return X;
}

/// Reads and writes elements as what is computed with.
template <class T> Compute<T> load(const T &V) {
  if constexpr (std::is_same_v<T, Half>)
    return halfToFloat(V.x);
  else if constexpr (std::is_same_v<T, BFloat16>)
    return bfloatToFloat(V.x);
  else
    return V;
}
/// C++'s conversions, without their undefined cases.
template <class To, class From> To convert(From V) {
  if constexpr (std::is_same_v<To, From>) {
    return V;
  } else if constexpr (std::is_same_v<To, bool>) {
    return V != From(0);
  } else if constexpr (std::is_integral_v<To> &&
                       std::is_floating_point_v<From>) {
    // Signed types of up to 32 bits go through int32, the others through int64,
    // as x86 and libtorch do; what does not fit there is its minimum.
    using Via = std::conditional_t<std::is_signed_v<To> && sizeof(To) <= 4,
                                   int32_t, int64_t>;
    constexpr From Least = From(std::numeric_limits<Via>::min());
    const bool Fits = V >= Least && V < -Least;
    return static_cast<To>(Fits ? static_cast<Via>(V)
                                : std::numeric_limits<Via>::min());
  } else {
    return static_cast<To>(V);
  }
}
template <class T, class C> void store(T &To, C V) {
  if constexpr (std::is_same_v<T, Half>)
    To.x = floatToHalf(static_cast<float>(V));
  else if constexpr (std::is_same_v<T, BFloat16>)
    To.x = floatToBfloat(static_cast<float>(V));
  else
    To = convert<T>(V);
}

} // namespace tensortidy::detail

#endif
