//===- tensor.h - a checked tensor ------------------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tensor is sizes, strides and an offset over reference-counted storage:
//
//   Tensor x ----> [sizes 2,3 | strides 3,1 | offset 0] ---.
//   Tensor y ----> [sizes 3,2 | strides 1,3 | offset 0] ----> storage 0 1 2 3 4
//   5
//                                               y = x.t()
//
// Copying a Tensor shares all of it. Methods have libtorch's names, parameters
// and meaning; every layout answer comes from lib/Layout, and what a rule
// forbids throws tensortidy::Error, which says why and which call gave the
// tensor its layout. Include <tensortidy/torch.h> for the same API as torch::
// and at::.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TENSOR_H
#define TENSORTIDY_TENSOR_H

#include "tensortidy/owners.h"
#include "tensortidy/types.h"
#include <iterator>
#include <memory>
#include <mutex>
#include <string_view>
#include <tuple>
#include <utility>

/// Checks that cost something for each element (bounds of accessors) or each
/// allocation (red zones, memory never written). Layout checks are always on.
#ifndef TENSORTIDY_CHECKED
#define TENSORTIDY_CHECKED 1
#endif

namespace tensortidy {

namespace indexing {
struct TensorIndex;
} // namespace indexing
template <class T, size_t N, bool Checked = TENSORTIDY_CHECKED != 0>
class TensorAccessor;
template <class T, size_t N, class Index,
          bool Checked = TENSORTIDY_CHECKED != 0>
class PackedAccessor;
template <class T> class TemporaryPointer;
class BorrowScope;
template <class T> class MaybeOwned;

/// What the old type() answers.
class DeprecatedTypeProperties {
public:
  explicit DeprecatedTypeProperties(ScalarType Type) : Type(Type) {}
  ScalarType scalarType() const { return Type; }
  TypeMeta typeMeta() const { return Type; }
  std::string toString() const {
    return std::string("CPU") + tensortidy::toString(Type) + "Type";
  }
  bool is_cuda() const { return false; }
  bool is_sparse() const { return false; }
  operator TensorOptions() const { return Type; }
  friend bool operator==(const DeprecatedTypeProperties &A,
                         const DeprecatedTypeProperties &B) {
    return A.Type == B.Type;
  }
  friend bool operator!=(const DeprecatedTypeProperties &A,
                         const DeprecatedTypeProperties &B) {
    return !(A == B);
  }

private:
  ScalarType Type;
};
std::ostream &operator<<(std::ostream &Stream,
                         const DeprecatedTypeProperties &Type);

namespace detail {
struct TensorImpl;
struct StorageImpl;
struct Random;
/// Of the last handle.
void end(const TensorImpl *I) noexcept;
inline Owners &owners(const TensorImpl *I) { // which begins with them
  return *reinterpret_cast<Owners *>(const_cast<TensorImpl *>(I));
}
inline void retain(const TensorImpl *I) noexcept { owners(I).add(); }
inline void release(const TensorImpl *I) noexcept {
  if (owners(I).drop())
    end(I);
}
void retain(const StorageImpl *S) noexcept;
void release(const StorageImpl *S) noexcept;
/// \p At points into the memory, or is null.
[[noreturn]] void accessorBounds(int64_t Index, int64_t Size, size_t Dim,
                                 const void *At);
[[noreturn]] void accessorRank(int64_t Dim, size_t Rank, const void *At);
/// A pointer that pins \p S; pinAlive() throws when only pointers do.
void pin(const StorageImpl *S) noexcept;
void unpin(const StorageImpl *S) noexcept;
void pinAlive(const StorageImpl *S, Site Here);
/// Two pointers are taken for a range: throws when their memory is not one.
void pinsMeet(const StorageImpl *A, const StorageImpl *B, Site Here);
/// A raw pointer to \p S is handed out, through which it may be written.
void pinEscapes(const StorageImpl *S) noexcept;
} // namespace detail

/// The memory tensors share. A handle: copies name the same memory.
class Storage {
public:
  Storage() = default;
  explicit Storage(const detail::StorageImpl *S) : S(S) { detail::retain(S); }
  Storage(const Storage &O) : S(O.S) { detail::retain(S); }
  Storage(Storage &&O) noexcept : S(O.S) { O.S = nullptr; }
  Storage &operator=(Storage O) noexcept {
    std::swap(S, O.S);
    return *this;
  }
  ~Storage() { detail::release(S); }

  /// Throws when the memory was borrowed and is gone.
  void *data(Site Here = Site::current()) const;
  template <class T> T *data(Site Here = Site::current()) const {
    return static_cast<T *>(data(Here));
  }
  template <class T> T *unsafe_data(Site Here = Site::current()) const {
    return data<T>(Here);
  }
  size_t nbytes() const;
  /// How many tensors and handles share it.
  size_t use_count() const;
  bool is_alias_of(const Storage &other) const { return S == other.S; }
  explicit operator bool() const { return S != nullptr; }
  /// "zeros at attention.cpp:12": what allocated or borrowed it.
  std::string provenance() const;
  /// Throws when the red zones around it were written to.
  void verify(Site Here = Site::current()) const;
  const detail::StorageImpl *impl() const { return S; }

private:
  const detail::StorageImpl *S = nullptr;
};

#define HERE Site Here = Site::current()
/// name() and name_(), element by element.
#define TENSORTIDY_UNARY_METHODS(M)                                            \
  M(abs)                                                                       \
  M(absolute)                                                                  \
  M(acos)                                                                      \
  M(acosh)                                                                     \
  M(arccos)                                                                    \
  M(arccosh)                                                                   \
  M(arcsin)                                                                    \
  M(arcsinh)                                                                   \
  M(arctan)                                                                    \
  M(arctanh)                                                                   \
  M(digamma)                                                                   \
  M(erfinv)                                                                    \
  M(i0)                                                                        \
  M(lgamma)                                                                    \
  M(sinc)                                                                      \
  M(asin)                                                                      \
  M(asinh)                                                                     \
  M(atan)                                                                      \
  M(atanh)                                                                     \
  M(bitwise_not)                                                               \
  M(ceil)                                                                      \
  M(cos)                                                                       \
  M(cosh)                                                                      \
  M(deg2rad)                                                                   \
  M(erf)                                                                       \
  M(erfc)                                                                      \
  M(exp)                                                                       \
  M(exp2)                                                                      \
  M(expm1)                                                                     \
  M(fix)                                                                       \
  M(floor) M(frac) M(log) M(log10) M(log1p) M(log2) M(logical_not) M(neg)      \
      M(negative) M(rad2deg) M(reciprocal) M(relu) M(round) M(rsqrt) M(sgn)    \
          M(sigmoid) M(sign) M(sin) M(sinh) M(sqrt) M(square) M(tan) M(tanh)   \
              M(trunc)
/// name(other) and name_(other), with a tensor or a number.
#define TENSORTIDY_BINARY_METHODS(M)                                           \
  M(mul)                                                                       \
  M(multiply)                                                                  \
  M(div)                                                                       \
  M(divide)                                                                    \
  M(true_divide)                                                               \
  M(floor_divide)                                                              \
  M(remainder)                                                                 \
  M(fmod)                                                                      \
  M(eq)                                                                        \
  M(ne)                                                                        \
  M(not_equal)                                                                 \
  M(lt)                                                                        \
  M(less)                                                                      \
  M(le)                                                                        \
  M(less_equal)                                                                \
  M(gt)                                                                        \
  M(greater)                                                                   \
  M(ge)                                                                        \
  M(greater_equal)                                                             \
  M(bitwise_and)                                                               \
  M(bitwise_or)                                                                \
  M(bitwise_xor)                                                               \
  M(copysign) M(bitwise_left_shift) M(bitwise_right_shift) M(float_power)      \
      M(xlogy)
/// name(other), with a tensor only.
#define TENSORTIDY_TENSOR_BINARY_METHODS(M)                                    \
  M(maximum) M(minimum) M(fmax) M(fmin) M(logaddexp) M(logaddexp2)
/// name(other) and name_(other), with a tensor only.
#define TENSORTIDY_TENSOR_INPLACE_METHODS(M)                                   \
  M(atan2)                                                                     \
  M(arctan2)                                                                   \
  M(logical_and)                                                               \
  M(logical_or)                                                                \
  M(logical_xor) M(hypot) M(heaviside) M(nextafter) M(gcd) M(lcm) M(ldexp)

/// Names of how a kernel may see its pointer; all are plain here.
template <class T> struct DefaultPtrTraits {
  using PtrType = T *;
};
template <class T> struct RestrictPtrTraits {
  using PtrType = T *;
};

/// A pointer into a tensor that was a temporary. `auto p = x.clone().data_ptr
/// <float>(); p[0]` throws, as the memory was freed with the temporary.
/// Also an iterator, since `std::vector<float> v(x.view(-1).data_ptr<float>(),
/// x.view(-1).data_ptr<float>() + n)` is right while x has the memory.
template <class T> class TemporaryPointer {
public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = std::remove_cv_t<T>;
  using difference_type = std::ptrdiff_t;
  using pointer = T *;
  using reference = std::add_lvalue_reference_t<T>;

  TemporaryPointer(T *P, const detail::StorageImpl *S, Site Here)
      : P(P), S(S), Made(Here) {
    detail::pin(S);
  }
  TemporaryPointer(const TemporaryPointer &O) : P(O.P), S(O.S), Made(O.Made) {
    detail::pin(S);
  }
  TemporaryPointer &operator=(const TemporaryPointer &O) {
    detail::pin(O.S);
    detail::unpin(S);
    P = O.P, S = O.S, Made = O.Made;
    return *this;
  }
  ~TemporaryPointer() { detail::unpin(S); }

  T *get() const {
    detail::pinAlive(S, Made);
    return P;
  }
  /// As a plain pointer, which is checked no more.
  operator T *() const {
    T *R = get();
    detail::pinEscapes(S);
    return R;
  }
  template <class U,
            class = std::enable_if_t<std::is_void_v<T> && !std::is_void_v<U>>>
  explicit operator U *() const {
    return static_cast<U *>(operator T *());
  }
  explicit operator bool() const { return P != nullptr; }
  template <class U = T, class = std::enable_if_t<!std::is_void_v<U>>>
  U &operator*() const {
    return *get();
  }
  template <class U = T, class = std::enable_if_t<!std::is_void_v<U>>>
  U &operator[](std::ptrdiff_t I) const {
    return get()[I];
  }

  TemporaryPointer &operator+=(std::ptrdiff_t N) {
    P += N;
    return *this;
  }
  TemporaryPointer &operator-=(std::ptrdiff_t N) { return *this += -N; }
  TemporaryPointer &operator++() { return *this += 1; }
  TemporaryPointer &operator--() { return *this += -1; }
  TemporaryPointer operator++(int) {
    TemporaryPointer R = *this;
    ++*this;
    return R;
  }
  TemporaryPointer operator--(int) {
    TemporaryPointer R = *this;
    --*this;
    return R;
  }
  friend TemporaryPointer operator+(TemporaryPointer A, std::ptrdiff_t N) {
    return A += N;
  }
  friend TemporaryPointer operator+(std::ptrdiff_t N, TemporaryPointer A) {
    return A += N;
  }
  friend TemporaryPointer operator-(TemporaryPointer A, std::ptrdiff_t N) {
    return A -= N;
  }
  friend std::ptrdiff_t operator-(const TemporaryPointer &A,
                                  const TemporaryPointer &B) {
    detail::pinsMeet(A.S, B.S, A.Made);
    return A.P - B.P;
  }
#define TENSORTIDY_COMPARE(OP)                                                 \
  friend bool operator OP(const TemporaryPointer &A,                           \
                          const TemporaryPointer &B) {                         \
    return A.P OP B.P;                                                         \
  }
  TENSORTIDY_COMPARE(==)
  TENSORTIDY_COMPARE(!=)
  TENSORTIDY_COMPARE(<)
  TENSORTIDY_COMPARE(<=)
  TENSORTIDY_COMPARE(>)
  TENSORTIDY_COMPARE(>=)
#undef TENSORTIDY_COMPARE

private:
  T *P;
  const detail::StorageImpl *S;
  Site Made;
};

namespace detail {
/// An operand of an operator, with the place of the expression.
struct TensorHere {
  TensorHere(const Tensor &X, Site Here = Site::current()) : X(X), Here(Here) {}
  const Tensor &X;
  Site Here;
};
struct ScalarHere {
  template <class T, class = std::enable_if_t<std::is_convertible_v<T, Scalar>>>
  ScalarHere(T X, Site Here = Site::current()) : X(X), Here(Here) {}
  Scalar X;
  Site Here;
};
} // namespace detail

class Tensor {
public:
  Tensor() : Impl(nullptr) {}
  Tensor(const Tensor &x) : Impl(x.Impl) {
    if (Impl)
      detail::retain(Impl);
  }
  Tensor(Tensor &&x) noexcept : Impl(x.Impl) { x.Impl = nullptr; }
  ~Tensor() {
    if (Impl)
      detail::release(Impl);
  }
  /// A handle on \p Impl, which already counts it.
  static Tensor adopt(detail::TensorImpl *Impl) {
    Tensor R;
    R.Impl = Impl;
    return R;
  }

  /// `x = y` makes x name y's tensor; `x[0] = y`, `x.t() = y` copy into it.
  Tensor &operator=(const Tensor &x) & {
    Tensor Copy(x);
    std::swap(Impl, Copy.Impl);
    return *this;
  }
  Tensor &operator=(Tensor &&x) & noexcept {
    std::swap(Impl, x.Impl);
    return *this;
  }
  Tensor &operator=(const Tensor &rhs) && { return copy_(rhs); }
  Tensor &operator=(Tensor &&rhs) && { return copy_(rhs); }
  Tensor &operator=(const Scalar &v) && { return fill_(v); }

  //===--- questions ----------------------------------------------------===//
  bool defined() const { return Impl != nullptr; }
  int64_t dim() const;
  int64_t ndimension() const { return dim(); }
  int64_t numel() const;
  IntArrayRef sizes() const;
  IntArrayRef strides() const;
  int64_t size(int64_t dim) const;
  int64_t stride(int64_t dim) const;
  int64_t storage_offset() const;
  size_t element_size() const;
  size_t itemsize() const { return element_size(); }
  size_t nbytes() const;
  ScalarType scalar_type() const;
  TypeMeta dtype() const { return scalar_type(); }
  DeprecatedTypeProperties type() const {
    return DeprecatedTypeProperties(scalar_type());
  }
  Device device() const { return kCPU; }
  Layout layout() const { return kStrided; }
  TensorOptions options() const;
  bool
  is_contiguous(MemoryFormat memory_format = MemoryFormat::Contiguous) const;
  bool is_non_overlapping_and_dense() const;
  MemoryFormat
  suggest_memory_format(bool channels_last_strides_exact_match = false) const;
  bool is_floating_point() const { return isFloatingType(scalar_type()); }
  bool is_signed() const;
  bool is_cpu() const { return true; }
  // What there is not.
#define TENSORTIDY_IS_NOT(NAME)                                                \
  bool NAME() const { return false; }
  TENSORTIDY_IS_NOT(is_complex)
  TENSORTIDY_IS_NOT(is_conj)
  TENSORTIDY_IS_NOT(is_neg)
  TENSORTIDY_IS_NOT(is_cuda)
  TENSORTIDY_IS_NOT(is_xpu)
  TENSORTIDY_IS_NOT(is_xla)
  TENSORTIDY_IS_NOT(is_hip)
  TENSORTIDY_IS_NOT(is_mps)
  TENSORTIDY_IS_NOT(is_vulkan)
  TENSORTIDY_IS_NOT(is_metal)
  TENSORTIDY_IS_NOT(is_mkldnn)
  TENSORTIDY_IS_NOT(is_sparse)
  TENSORTIDY_IS_NOT(is_sparse_csr)
  TENSORTIDY_IS_NOT(is_nested)
  TENSORTIDY_IS_NOT(is_quantized)
  TENSORTIDY_IS_NOT(is_meta)
  TENSORTIDY_IS_NOT(is_lazy)
  TENSORTIDY_IS_NOT(is_inference)
  TENSORTIDY_IS_NOT(is_distributed)
  TENSORTIDY_IS_NOT(has_names)
  TENSORTIDY_IS_NOT(_is_zerotensor)
#undef TENSORTIDY_IS_NOT
  int64_t get_device() const { return -1; }
  bool is_nonzero() const;
  bool is_same(const Tensor &other) const noexcept {
    return Impl == other.Impl;
  }
  bool is_alias_of(const Tensor &other) const;
  bool is_set_to(const Tensor &tensor) const;
  bool is_same_size(const Tensor &other) const;
  bool equal(const Tensor &other) const;
  bool allclose(const Tensor &other, double rtol = 1e-05, double atol = 1e-08,
                bool equal_nan = false) const;
  bool has_storage() const { return defined(); }
  Storage storage() const;
  size_t use_count() const noexcept;
  void reset() { *this = Tensor(); }
  /// How often the storage was written to.
  int64_t _version() const;
  /// "transpose at attention.cpp:12": what gave the tensor its layout.
  std::string provenance() const;
  /// "CPUFloatType"
  std::string toString() const;
  void print() const;

  //===--- memory -------------------------------------------------------===//
  /// Of a temporary, a pointer that knows when the memory is gone; it becomes
  /// a plain one where one is asked for, as in `kernel(x.t().data_ptr<T>())`.
  void *data_ptr() const &;
  TemporaryPointer<void> data_ptr(HERE) const &&;
  template <class T> T *data_ptr() const & {
    return static_cast<T *>(typedData(scalarTypeOf<T>()));
  }
  template <class T> TemporaryPointer<T> data_ptr(HERE) const && {
    return TemporaryPointer<T>(static_cast<T *>(typedData(scalarTypeOf<T>())),
                               pinnedStorage(), Here);
  }
  const void *const_data_ptr() const & { return constData(); }
  void *mutable_data_ptr() const & { return data_ptr(); }
  template <class T> const T *const_data_ptr() const & {
    return static_cast<const T *>(constData(scalarTypeOf<T>()));
  }
  template <class T> T *mutable_data_ptr() const & { return data_ptr<T>(); }
  TemporaryPointer<const void> const_data_ptr(HERE) const &&;
  TemporaryPointer<void> mutable_data_ptr(HERE) const &&;
  template <class T> TemporaryPointer<const T> const_data_ptr(HERE) const && {
    return TemporaryPointer<const T>(
        static_cast<const T *>(constData(scalarTypeOf<T>())), pinnedStorage(),
        Here);
  }
  template <class T> TemporaryPointer<T> mutable_data_ptr(HERE) const && {
    return TemporaryPointer<T>(static_cast<T *>(typedData(scalarTypeOf<T>())),
                               pinnedStorage(), Here);
  }
  Scalar item(HERE) const;
  template <class T> T item(HERE) const { return item(Here).to<T>(); }
  template <class T, size_t N> TensorAccessor<T, N> accessor(HERE) const & {
    accessorRank(scalarTypeOf<T>(), N, Here);
    return TensorAccessor<T, N>(data_ptr<T>(), sizes().data(),
                                strides().data());
  }
  /// The accessor borrows the tensor's memory.
  template <class T, size_t N> TensorAccessor<T, N> accessor() && = delete;
  /// An accessor with sizes and strides of its own, to be passed by value.
  template <class T, size_t N, template <class> class = DefaultPtrTraits>
  PackedAccessor<T, N, int64_t> packed_accessor64(HERE) const & {
    accessorRank(scalarTypeOf<T>(), N, Here);
    return {data_ptr<T>(), sizes().data(), strides().data()};
  }
  template <class T, size_t N, template <class> class = DefaultPtrTraits>
  PackedAccessor<T, N, int32_t> packed_accessor32(HERE) const & {
    accessorRank(scalarTypeOf<T>(), N, Here);
    requireSmall(Here);
    return {data_ptr<T>(), sizes().data(), strides().data()};
  }
  /// The old name.
  template <class T, size_t N, template <class> class = DefaultPtrTraits>
  PackedAccessor<T, N, int64_t> packed_accessor(HERE) const & {
    return packed_accessor64<T, N>(Here);
  }
  template <class T, size_t N, template <class> class = DefaultPtrTraits,
            class Index = int64_t>
  PackedAccessor<T, N, Index> generic_packed_accessor(HERE) const & {
    if constexpr (sizeof(Index) == 8)
      return packed_accessor64<T, N>(Here);
    else
      return packed_accessor32<T, N>(Here);
  }
  template <class T, size_t N, template <class> class = DefaultPtrTraits>
  PackedAccessor<T, N, int64_t> packed_accessor64() && = delete;
  template <class T, size_t N, template <class> class = DefaultPtrTraits>
  PackedAccessor<T, N, int32_t> packed_accessor32() && = delete;

  //===--- views --------------------------------------------------------===//
  Tensor view(IntArrayRef size, HERE) const;
  Tensor view(ScalarType dtype, HERE) const;
  Tensor view_as(const Tensor &other, HERE) const;
  Tensor permute(IntArrayRef dims, HERE) const;
  Tensor transpose(int64_t dim0, int64_t dim1, HERE) const;
  Tensor swapaxes(int64_t axis0, int64_t axis1, HERE) const;
  Tensor swapdims(int64_t dim0, int64_t dim1, HERE) const;
  Tensor t(HERE) const;
  Tensor numpy_T(HERE) const;
  Tensor mT(HERE) const;
  Tensor mH(HERE) const;
  Tensor adjoint(HERE) const;
  Tensor matrix_H(HERE) const;
  Tensor movedim(IntArrayRef source, IntArrayRef destination, HERE) const;
  Tensor movedim(int64_t source, int64_t destination, HERE) const;
  Tensor moveaxis(IntArrayRef source, IntArrayRef destination, HERE) const;
  Tensor moveaxis(int64_t source, int64_t destination, HERE) const;
  Tensor select(int64_t dim, int64_t index, HERE) const;
  Tensor narrow(int64_t dim, int64_t start, int64_t length, HERE) const;
  Tensor narrow(int64_t dim, const Tensor &start, int64_t length, HERE) const;
  Tensor slice(int64_t dim = 0, optional<int64_t> start = nullopt,
               optional<int64_t> end = nullopt, int64_t step = 1, HERE) const;
  Tensor expand(IntArrayRef size, bool implicit = false, HERE) const;
  Tensor expand_as(const Tensor &other, HERE) const;
  Tensor broadcast_to(IntArrayRef size, HERE) const;
  Tensor squeeze(HERE) const;
  Tensor squeeze(int64_t dim, HERE) const;
  Tensor unsqueeze(int64_t dim, HERE) const;
  Tensor unfold(int64_t dimension, int64_t size, int64_t step, HERE) const;
  Tensor unflatten(int64_t dim, IntArrayRef sizes, HERE) const;
  Tensor diagonal(int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1,
                  HERE) const;
  Tensor as_strided(IntArrayRef size, IntArrayRef stride,
                    optional<int64_t> storage_offset = nullopt, HERE) const;
  std::vector<Tensor> split(int64_t split_size, int64_t dim = 0, HERE) const;
  std::vector<Tensor> split(IntArrayRef split_size, int64_t dim = 0,
                            HERE) const;
  std::vector<Tensor> split_with_sizes(IntArrayRef split_sizes, int64_t dim = 0,
                                       HERE) const;
  std::vector<Tensor> chunk(int64_t chunks, int64_t dim = 0, HERE) const;
  std::vector<Tensor> tensor_split(int64_t sections, int64_t dim = 0,
                                   HERE) const;
  std::vector<Tensor> tensor_split(IntArrayRef indices, int64_t dim = 0,
                                   HERE) const;
  /// At the elements of a vector, or in as many parts as a number says.
  std::vector<Tensor> tensor_split(const Tensor &tensor_indices_or_sections,
                                   int64_t dim = 0, HERE) const;
  std::vector<Tensor> unbind(int64_t dim = 0, HERE) const;
  std::vector<Tensor> unsafe_chunk(int64_t chunks, int64_t dim = 0,
                                   HERE) const {
    return chunk(chunks, dim, Here);
  }
  std::vector<Tensor> unsafe_split(int64_t split_size, int64_t dim = 0,
                                   HERE) const {
    return split(split_size, dim, Here);
  }
  std::vector<Tensor> unsafe_split_with_sizes(IntArrayRef split_sizes,
                                              int64_t dim = 0, HERE) const {
    return split_with_sizes(split_sizes, dim, Here);
  }
  std::vector<Tensor> hsplit(int64_t sections, HERE) const;
  std::vector<Tensor> vsplit(int64_t sections, HERE) const;
  std::vector<Tensor> dsplit(int64_t sections, HERE) const;
  std::vector<Tensor> hsplit(IntArrayRef indices, HERE) const;
  std::vector<Tensor> vsplit(IntArrayRef indices, HERE) const;
  std::vector<Tensor> dsplit(IntArrayRef indices, HERE) const;
  Tensor detach(HERE) const;
  Tensor alias(HERE) const;
  MaybeOwned<Tensor>
  expect_contiguous(MemoryFormat memory_format = MemoryFormat::Contiguous,
                    HERE) const &;
  Tensor data(HERE) const { return detach(Here); }
  /// The old name of data_ptr().
  template <class T> T *data() const & { return data_ptr<T>(); }
  template <class T> TemporaryPointer<T> data(HERE) const && {
    return std::move(*this).template data_ptr<T>(Here);
  }
  Tensor positive(HERE) const;

  /// Integers, slices, None, Ellipsis; with tensors among them, a copy.
  Tensor index(ArrayRef<indexing::TensorIndex> indices, HERE) const;
  Tensor index(std::initializer_list<indexing::TensorIndex> indices,
               HERE) const;
  Tensor index(const List<optional<Tensor>> &indices, HERE) const;
  Tensor operator[](detail::ScalarHere index) const;
  Tensor operator[](detail::TensorHere index) const;

  //===--- itself, a view or a copy -------------------------------------===//
  Tensor reshape(IntArrayRef shape, HERE) const;
  Tensor reshape_as(const Tensor &other, HERE) const;
  Tensor flatten(int64_t start_dim = 0, int64_t end_dim = -1, HERE) const;
  Tensor ravel(HERE) const;
  Tensor contiguous(MemoryFormat memory_format = MemoryFormat::Contiguous,
                    HERE) const;
  Tensor to(TensorOptions options = {}, bool non_blocking = false,
            bool copy = false, optional<MemoryFormat> memory_format = nullopt,
            HERE) const;
  Tensor to(Device device, ScalarType dtype, bool non_blocking = false,
            bool copy = false, optional<MemoryFormat> memory_format = nullopt,
            HERE) const;
  Tensor to(ScalarType dtype, bool non_blocking = false, bool copy = false,
            optional<MemoryFormat> memory_format = nullopt, HERE) const;
  Tensor to(const Tensor &other, bool non_blocking = false, bool copy = false,
            optional<MemoryFormat> memory_format = nullopt, HERE) const;
  Tensor to(TypeMeta dtype, bool non_blocking = false, bool copy = false,
            optional<MemoryFormat> memory_format = nullopt, HERE) const {
    return to(dtype.toScalarType(), non_blocking, copy, memory_format, Here);
  }
  Tensor toType(ScalarType t, HERE) const {
    return to(t, false, false, nullopt, Here);
  }
  Tensor type_as(const Tensor &other, HERE) const;
  Tensor cpu() const { return *this; }
  Tensor cuda(HERE) const;
  // Real numbers are their own conjugates, and lie in memory as they are.
  Tensor conj() const { return *this; }
  Tensor conj_physical() const { return *this; }
  Tensor resolve_conj() const { return *this; }
  Tensor resolve_neg() const { return *this; }
  Tensor to_dense(optional<ScalarType> dtype = nullopt, HERE) const {
    return to(dtype.value_or(scalar_type()), false, false, nullopt, Here);
  }

  //===--- copies -------------------------------------------------------===//
  Tensor clone(optional<MemoryFormat> memory_format = nullopt, HERE) const;
  Tensor repeat(IntArrayRef repeats, HERE) const;
  Tensor tile(IntArrayRef dims, HERE) const;
  Tensor repeat_interleave(int64_t repeats, optional<int64_t> dim = nullopt,
                           HERE) const;
  /// \p output_size must be the sum of the repeats.
  Tensor repeat_interleave(int64_t repeats, optional<int64_t> dim,
                           optional<int64_t> output_size, HERE) const;
  Tensor repeat_interleave(const Tensor &repeats, optional<int64_t> dim,
                           optional<int64_t> output_size, HERE) const;
  Tensor flip(IntArrayRef dims, HERE) const;
  Tensor roll(IntArrayRef shifts, IntArrayRef dims = {}, HERE) const;
  Tensor tril(int64_t diagonal = 0, HERE) const;
  Tensor triu(int64_t diagonal = 0, HERE) const;
  Tensor diag(int64_t diagonal = 0, HERE) const;
  Tensor index_select(int64_t dim, const Tensor &index, HERE) const;
  Tensor gather(int64_t dim, const Tensor &index, bool sparse_grad = false,
                HERE) const;
  Tensor take(const Tensor &index, HERE) const;
  Tensor masked_select(const Tensor &mask, HERE) const;
  Tensor masked_fill(const Tensor &mask, const Scalar &value, HERE) const;
  Tensor masked_fill(const Tensor &mask, const Tensor &value, HERE) const;
  Tensor where(const Tensor &condition, const Tensor &other, HERE) const;
  Tensor nonzero(HERE) const;
  Tensor argwhere(HERE) const { return nonzero(Here); }
  Tensor index_put(const List<optional<Tensor>> &indices, const Tensor &values,
                   bool accumulate = false, HERE) const;
  Tensor scatter(int64_t dim, const Tensor &index, const Tensor &src,
                 HERE) const;
  Tensor scatter_add(int64_t dim, const Tensor &index, const Tensor &src,
                     HERE) const;
  Tensor index_add(int64_t dim, const Tensor &index, const Tensor &source,
                   const Scalar &alpha = 1, HERE) const;
  Tensor index_fill(int64_t dim, const Tensor &index, const Scalar &value,
                    HERE) const;
  Tensor index_fill(int64_t dim, const Tensor &index, const Tensor &value,
                    HERE) const;
  Tensor scatter(int64_t dim, const Tensor &index, const Scalar &value,
                 HERE) const;
  Tensor scatter(int64_t dim, const Tensor &index, const Tensor &src,
                 std::string_view reduce, HERE) const;
  Tensor scatter(int64_t dim, const Tensor &index, const Scalar &value,
                 std::string_view reduce, HERE) const;
  Tensor scatter_reduce(int64_t dim, const Tensor &index, const Tensor &src,
                        std::string_view reduce, bool include_self = true,
                        HERE) const;
  Tensor masked_scatter(const Tensor &mask, const Tensor &source, HERE) const;
  Tensor index_copy(int64_t dim, const Tensor &index, const Tensor &source,
                    HERE) const;
  Tensor put(const Tensor &index, const Tensor &source, bool accumulate = false,
             HERE) const;
  Tensor take_along_dim(const Tensor &indices, optional<int64_t> dim = nullopt,
                        HERE) const;
  Tensor select_scatter(const Tensor &src, int64_t dim, int64_t index,
                        HERE) const;
  Tensor slice_scatter(const Tensor &src, int64_t dim = 0,
                       optional<int64_t> start = nullopt,
                       optional<int64_t> end = nullopt, int64_t step = 1,
                       HERE) const;
  Tensor as_strided_scatter(const Tensor &src, IntArrayRef size,
                            IntArrayRef stride,
                            optional<int64_t> storage_offset = nullopt,
                            HERE) const;
  Tensor diagonal_scatter(const Tensor &src, int64_t offset = 0,
                          int64_t dim1 = 0, int64_t dim2 = 1, HERE) const;
  std::vector<Tensor> nonzero_numpy(HERE) const;
  Tensor diag_embed(int64_t offset = 0, int64_t dim1 = -2, int64_t dim2 = -1,
                    HERE) const;
  Tensor diagflat(int64_t offset = 0, HERE) const;
  Tensor multinomial(int64_t num_samples, bool replacement = false, HERE) const;
  Tensor bernoulli(HERE) const;
  Tensor bernoulli(double p, HERE) const;
  Tensor multinomial(int64_t num_samples, bool replacement,
                     const optional<Generator> &generator, HERE) const;
  Tensor bernoulli(const optional<Generator> &generator, HERE) const;
  Tensor bernoulli(double p, const optional<Generator> &generator, HERE) const;
  Tensor repeat_interleave(const Tensor &repeats,
                           optional<int64_t> dim = nullopt, HERE) const;
  Tensor fliplr(HERE) const;
  Tensor flipud(HERE) const;
  Tensor rot90(int64_t k = 1, IntArrayRef dims = {0, 1}, HERE) const;
  Tensor narrow_copy(int64_t dim, int64_t start, int64_t length, HERE) const {
    return narrow(dim, start, length, Here)
        .clone(MemoryFormat::Contiguous, Here);
  }
  Tensor new_empty(IntArrayRef size, TensorOptions options = {}, HERE) const;
  Tensor new_zeros(IntArrayRef size, TensorOptions options = {}, HERE) const;
  Tensor new_ones(IntArrayRef size, TensorOptions options = {}, HERE) const;
  Tensor new_full(IntArrayRef size, const Scalar &fill_value,
                  TensorOptions options = {}, HERE) const;
  Tensor new_empty_strided(IntArrayRef size, IntArrayRef stride,
                           TensorOptions options = {}, HERE) const;
  Tensor pin_memory(optional<Device> = nullopt) const { return *this; }
  bool is_pinned(optional<Device> = nullopt) const { return false; }

  //===--- in place -----------------------------------------------------===//
  Tensor &copy_(const Tensor &src, bool non_blocking = false, HERE) const;
  Tensor &fill_(const Scalar &value, HERE) const;
  Tensor &fill_(const Tensor &value, HERE) const;
  Tensor &zero_(HERE) const;
  Tensor &masked_fill_(const Tensor &mask, const Scalar &value, HERE) const;
  Tensor &masked_fill_(const Tensor &mask, const Tensor &value, HERE) const;
  Tensor &index_put_(ArrayRef<indexing::TensorIndex> indices, Tensor const &rhs,
                     HERE) const;
  Tensor &index_put_(ArrayRef<indexing::TensorIndex> indices, const Scalar &v,
                     HERE) const;
  Tensor &index_put_(std::initializer_list<indexing::TensorIndex> indices,
                     Tensor const &rhs, HERE) const;
  Tensor &index_put_(std::initializer_list<indexing::TensorIndex> indices,
                     const Scalar &v, HERE) const;
  /// Indices by tensors; nullopt for a whole dimension.
  Tensor &index_put_(const List<optional<Tensor>> &indices,
                     const Tensor &values, bool accumulate = false, HERE) const;
  Tensor &scatter_(int64_t dim, const Tensor &index, const Tensor &src,
                   HERE) const;
  Tensor &scatter_(int64_t dim, const Tensor &index, const Scalar &value,
                   HERE) const;
  Tensor &scatter_add_(int64_t dim, const Tensor &index, const Tensor &src,
                       HERE) const;
  Tensor &index_fill_(int64_t dim, const Tensor &index, const Scalar &value,
                      HERE) const;
  Tensor &index_fill_(int64_t dim, const Tensor &index, const Tensor &value,
                      HERE) const;
  Tensor &fill_diagonal_(const Scalar &fill_value, bool wrap = false,
                         HERE) const;
  Tensor &index_add_(int64_t dim, const Tensor &index, const Tensor &source,
                     const Scalar &alpha = 1, HERE) const;
  Tensor &index_copy_(int64_t dim, const Tensor &index, const Tensor &source,
                      HERE) const;
  Tensor &tril_(int64_t diagonal = 0, HERE) const;
  Tensor &triu_(int64_t diagonal = 0, HERE) const;
  Tensor &uniform_(double from = 0, double to = 1, HERE) const;
  Tensor &normal_(double mean = 0, double std = 1, HERE) const;
  /// From \p from up to \p to; all that the type has when nothing is said.
  Tensor &random_(int64_t from, optional<int64_t> to, HERE) const;
  Tensor &random_(int64_t to, HERE) const;
  Tensor &random_(HERE) const;
  Tensor &bernoulli_(double p = 0.5, HERE) const;
  Tensor &bernoulli_(const Tensor &p, HERE) const;
  Tensor &exponential_(double lambd = 1, HERE) const;
  Tensor &cauchy_(double median = 0, double sigma = 1, HERE) const;
  Tensor &geometric_(double p, HERE) const;
  Tensor &log_normal_(double mean = 1, double std = 2, HERE) const;
  // The same from a generator of one's own.
#define GENERATOR const optional<Generator> &generator
  Tensor &uniform_(double from, double to, GENERATOR, HERE) const;
  Tensor &normal_(double mean, double std, GENERATOR, HERE) const;
  Tensor &random_(int64_t from, optional<int64_t> to, GENERATOR, HERE) const;
  Tensor &random_(int64_t to, GENERATOR, HERE) const;
  Tensor &random_(GENERATOR, HERE) const;
  Tensor &bernoulli_(double p, GENERATOR, HERE) const;
  Tensor &bernoulli_(const Tensor &p, GENERATOR, HERE) const;
  Tensor &exponential_(double lambd, GENERATOR, HERE) const;
  Tensor &cauchy_(double median, double sigma, GENERATOR, HERE) const;
  Tensor &geometric_(double p, GENERATOR, HERE) const;
  Tensor &log_normal_(double mean, double std, GENERATOR, HERE) const;
#undef GENERATOR
  Tensor &masked_scatter_(const Tensor &mask, const Tensor &source, HERE) const;
  Tensor &scatter_(int64_t dim, const Tensor &index, const Tensor &src,
                   std::string_view reduce, HERE) const;
  Tensor &scatter_(int64_t dim, const Tensor &index, const Scalar &value,
                   std::string_view reduce, HERE) const;
  Tensor &scatter_reduce_(int64_t dim, const Tensor &index, const Tensor &src,
                          std::string_view reduce, bool include_self = true,
                          HERE) const;
  Tensor &put_(const Tensor &index, const Tensor &source,
               bool accumulate = false, HERE) const;

  // The layout itself, which every handle on this tensor sees.
  Tensor &transpose_(int64_t dim0, int64_t dim1, HERE) const;
  Tensor &swapaxes_(int64_t axis0, int64_t axis1, HERE) const;
  Tensor &swapdims_(int64_t dim0, int64_t dim1, HERE) const;
  Tensor &t_(HERE) const;
  Tensor &squeeze_(HERE) const;
  Tensor &squeeze_(int64_t dim, HERE) const;
  Tensor &unsqueeze_(int64_t dim, HERE) const;
  const Tensor &as_strided_(IntArrayRef size, IntArrayRef stride,
                            optional<int64_t> storage_offset = nullopt,
                            HERE) const;
  const Tensor &resize_(IntArrayRef size,
                        optional<MemoryFormat> memory_format = nullopt,
                        HERE) const;
  const Tensor &resize_as_(const Tensor &the_template,
                           optional<MemoryFormat> memory_format = nullopt,
                           HERE) const;
  Tensor &set_(Storage source, HERE) const;
  Tensor &set_(Storage source, int64_t storage_offset, IntArrayRef size,
               IntArrayRef stride = {}, HERE) const;
  Tensor &set_(const Tensor &source, HERE) const;
  Tensor &set_(HERE) const;

  //===--- element by element -------------------------------------------===//
#define TENSORTIDY_UNARY(NAME)                                                 \
  Tensor NAME(HERE) const;                                                     \
  Tensor &NAME##_(HERE) const;
  TENSORTIDY_UNARY_METHODS(TENSORTIDY_UNARY)
#undef TENSORTIDY_UNARY
#define TENSORTIDY_BINARY(NAME)                                                \
  Tensor NAME(const Tensor &other, HERE) const;                                \
  Tensor NAME(const Scalar &other, HERE) const;                                \
  Tensor &NAME##_(const Tensor &other, HERE) const;                            \
  Tensor &NAME##_(const Scalar &other, HERE) const;
  TENSORTIDY_BINARY_METHODS(TENSORTIDY_BINARY)
#undef TENSORTIDY_BINARY
#define TENSORTIDY_BINARY(NAME) Tensor NAME(const Tensor &other, HERE) const;
  TENSORTIDY_TENSOR_BINARY_METHODS(TENSORTIDY_BINARY)
  TENSORTIDY_TENSOR_INPLACE_METHODS(TENSORTIDY_BINARY)
#undef TENSORTIDY_BINARY
#define TENSORTIDY_BINARY(NAME)                                                \
  Tensor &NAME##_(const Tensor &other, HERE) const;
  TENSORTIDY_TENSOR_INPLACE_METHODS(TENSORTIDY_BINARY)
#undef TENSORTIDY_BINARY
#define TENSORTIDY_SCALED(NAME)                                                \
  Tensor NAME(const Tensor &other, const Scalar &alpha = 1, HERE) const;       \
  Tensor NAME(const Scalar &other, const Scalar &alpha = 1, HERE) const;       \
  Tensor &NAME##_(const Tensor &other, const Scalar &alpha = 1, HERE) const;   \
  Tensor &NAME##_(const Scalar &other, const Scalar &alpha = 1, HERE) const;
  TENSORTIDY_SCALED(add)
  TENSORTIDY_SCALED(sub)
  TENSORTIDY_SCALED(subtract)
#undef TENSORTIDY_SCALED
#define TENSORTIDY_ROUNDED(NAME)                                               \
  Tensor NAME(const Tensor &other, optional<std::string_view> rounding_mode,   \
              HERE) const;                                                     \
  Tensor NAME(const Scalar &other, optional<std::string_view> rounding_mode,   \
              HERE) const;                                                     \
  Tensor &NAME##_(const Tensor &other,                                         \
                  optional<std::string_view> rounding_mode, HERE) const;       \
  Tensor &NAME##_(const Scalar &other,                                         \
                  optional<std::string_view> rounding_mode, HERE) const;
  TENSORTIDY_ROUNDED(div)
  TENSORTIDY_ROUNDED(divide)
#undef TENSORTIDY_ROUNDED
  /// To so many digits behind the point.
  Tensor round(int64_t decimals, HERE) const;
  Tensor &round_(int64_t decimals, HERE) const;
  Tensor pow(const Tensor &exponent, HERE) const;
  Tensor pow(const Scalar &exponent, HERE) const;
  Tensor &pow_(const Tensor &exponent, HERE) const;
  Tensor &pow_(const Scalar &exponent, HERE) const;
  Tensor clamp(const optional<Scalar> &min,
               const optional<Scalar> &max = nullopt, HERE) const;
  Tensor &clamp_(const optional<Scalar> &min,
                 const optional<Scalar> &max = nullopt, HERE) const;
  Tensor clamp_min(const Scalar &min, HERE) const;
  Tensor clamp_max(const Scalar &max, HERE) const;
  Tensor &clamp_min_(const Scalar &min, HERE) const;
  Tensor &clamp_max_(const Scalar &max, HERE) const;
  /// A bound for each element.
  Tensor clamp(const optional<Tensor> &min = {},
               const optional<Tensor> &max = {}, HERE) const;
  Tensor &clamp_(const optional<Tensor> &min = {},
                 const optional<Tensor> &max = {}, HERE) const;
  Tensor clamp_min(const Tensor &min, HERE) const;
  Tensor clamp_max(const Tensor &max, HERE) const;
  Tensor &clamp_min_(const Tensor &min, HERE) const;
  Tensor &clamp_max_(const Tensor &max, HERE) const;
  Tensor clip(const optional<Scalar> &min,
              const optional<Scalar> &max = nullopt, HERE) const;
  Tensor &clip_(const optional<Scalar> &min,
                const optional<Scalar> &max = nullopt, HERE) const;
  Tensor lerp(const Tensor &end, const Scalar &weight, HERE) const;
  Tensor lerp(const Tensor &end, const Tensor &weight, HERE) const;
  Tensor &lerp_(const Tensor &end, const Scalar &weight, HERE) const;
  Tensor &lerp_(const Tensor &end, const Tensor &weight, HERE) const;
  Tensor logit(optional<double> eps = nullopt, HERE) const;
  Tensor &logit_(optional<double> eps = nullopt, HERE) const;
  Tensor nan_to_num(optional<double> nan = nullopt,
                    optional<double> posinf = nullopt,
                    optional<double> neginf = nullopt, HERE) const;
  Tensor &nan_to_num_(optional<double> nan = nullopt,
                      optional<double> posinf = nullopt,
                      optional<double> neginf = nullopt, HERE) const;
  Tensor prelu(const Tensor &weight, HERE) const;
  Tensor hardshrink(const Scalar &lambd = 0.5, HERE) const;
  Tensor isclose(const Tensor &other, double rtol = 1e-05, double atol = 1e-08,
                 bool equal_nan = false, HERE) const;
  Tensor isneginf(HERE) const;
  Tensor isposinf(HERE) const;
  Tensor isreal(HERE) const;
  Tensor signbit(HERE) const;
  Tensor angle(HERE) const;
  Tensor addcmul(const Tensor &tensor1, const Tensor &tensor2,
                 const Scalar &value = 1, HERE) const;
  Tensor addcdiv(const Tensor &tensor1, const Tensor &tensor2,
                 const Scalar &value = 1, HERE) const;
  Tensor &addcmul_(const Tensor &tensor1, const Tensor &tensor2,
                   const Scalar &value = 1, HERE) const;
  Tensor &addcdiv_(const Tensor &tensor1, const Tensor &tensor2,
                   const Scalar &value = 1, HERE) const;
  Tensor isnan(HERE) const;
  Tensor isinf(HERE) const;
  Tensor isfinite(HERE) const;
  Tensor operator~() const { return bitwise_not(); }
  Tensor operator-() const { return neg(); }
  Tensor &operator+=(detail::TensorHere y) { return add_(y.X, 1, y.Here); }
  Tensor &operator+=(detail::ScalarHere y) { return add_(y.X, 1, y.Here); }
  Tensor &operator-=(detail::TensorHere y) { return sub_(y.X, 1, y.Here); }
  Tensor &operator-=(detail::ScalarHere y) { return sub_(y.X, 1, y.Here); }
  Tensor &operator*=(detail::TensorHere y) { return mul_(y.X, y.Here); }
  Tensor &operator*=(detail::ScalarHere y) { return mul_(y.X, y.Here); }
  Tensor &operator/=(detail::TensorHere y) { return div_(y.X, y.Here); }
  Tensor &operator/=(detail::ScalarHere y) { return div_(y.X, y.Here); }
  Tensor &operator&=(detail::TensorHere y) { return bitwise_and_(y.X, y.Here); }
  Tensor &operator|=(detail::TensorHere y) { return bitwise_or_(y.X, y.Here); }
  Tensor &operator^=(detail::TensorHere y) { return bitwise_xor_(y.X, y.Here); }

  //===--- reductions: the result is always dense -----------------------===//
  Tensor sum(optional<ScalarType> dtype = nullopt, HERE) const;
  Tensor sum(OptionalIntArrayRef dim, bool keepdim = false,
             optional<ScalarType> dtype = nullopt, HERE) const;
  Tensor mean(optional<ScalarType> dtype = nullopt, HERE) const;
  Tensor mean(OptionalIntArrayRef dim, bool keepdim = false,
              optional<ScalarType> dtype = nullopt, HERE) const;
  Tensor prod(optional<ScalarType> dtype = nullopt, HERE) const;
  Tensor prod(int64_t dim, bool keepdim = false,
              optional<ScalarType> dtype = nullopt, HERE) const;
  Tensor amax(IntArrayRef dim = {}, bool keepdim = false, HERE) const;
  Tensor amin(IntArrayRef dim = {}, bool keepdim = false, HERE) const;
  Tensor max(HERE) const;
  Tensor min(HERE) const;
  Tensor max(const Tensor &other, HERE) const;
  Tensor min(const Tensor &other, HERE) const;
  std::tuple<Tensor, Tensor> max(int64_t dim, bool keepdim = false, HERE) const;
  std::tuple<Tensor, Tensor> min(int64_t dim, bool keepdim = false, HERE) const;
  Tensor argmax(optional<int64_t> dim = nullopt, bool keepdim = false,
                HERE) const;
  Tensor argmin(optional<int64_t> dim = nullopt, bool keepdim = false,
                HERE) const;
  Tensor all(HERE) const;
  Tensor all(int64_t dim, bool keepdim = false, HERE) const;
  Tensor any(HERE) const;
  Tensor any(int64_t dim, bool keepdim = false, HERE) const;
  Tensor var(bool unbiased = true, HERE) const;
  Tensor var(OptionalIntArrayRef dim, bool unbiased = true,
             bool keepdim = false, HERE) const;
  Tensor std(bool unbiased = true, HERE) const;
  Tensor std(OptionalIntArrayRef dim, bool unbiased = true,
             bool keepdim = false, HERE) const;
  /// var(0) names a dimension; without these it would mean var(false).
  Tensor var(int dim, HERE) const {
    const int64_t One = dim;
    return var(OptionalIntArrayRef(One), true, false, Here);
  }
  Tensor std(int dim, HERE) const {
    const int64_t One = dim;
    return std(OptionalIntArrayRef(One), true, false, Here);
  }
  Tensor var(OptionalIntArrayRef dim, optional<int64_t> correction,
             bool keepdim = false, HERE) const;
  Tensor std(OptionalIntArrayRef dim, optional<int64_t> correction,
             bool keepdim = false, HERE) const;
  Tensor norm(const Scalar &p = 2, HERE) const;
  Tensor norm(const optional<Scalar> &p, ScalarType dtype, HERE) const;
  Tensor norm(const optional<Scalar> &p, IntArrayRef dim, bool keepdim,
              ScalarType dtype, HERE) const;
  Tensor norm(const optional<Scalar> &p, IntArrayRef dim, bool keepdim = false,
              HERE) const;
  Tensor logsumexp(IntArrayRef dim, bool keepdim = false, HERE) const;
  Tensor count_nonzero(optional<int64_t> dim = nullopt, HERE) const;
  Tensor cumsum(int64_t dim, optional<ScalarType> dtype = nullopt, HERE) const;
  Tensor cumprod(int64_t dim, optional<ScalarType> dtype = nullopt, HERE) const;
  Tensor softmax(int64_t dim, optional<ScalarType> dtype = nullopt, HERE) const;
  Tensor log_softmax(int64_t dim, optional<ScalarType> dtype = nullopt,
                     HERE) const;
  std::tuple<Tensor, Tensor> sort(int64_t dim = -1, bool descending = false,
                                  HERE) const;
  Tensor argsort(int64_t dim = -1, bool descending = false, HERE) const;
  std::tuple<Tensor, Tensor> topk(int64_t k, int64_t dim = -1,
                                  bool largest = true, bool sorted = true,
                                  HERE) const;

  Tensor &cumsum_(int64_t dim, optional<ScalarType> dtype = nullopt,
                  HERE) const;
  Tensor &cumprod_(int64_t dim, optional<ScalarType> dtype = nullopt,
                   HERE) const;
  Tensor logcumsumexp(int64_t dim, HERE) const;
  std::tuple<Tensor, Tensor> cummax(int64_t dim, HERE) const;
  std::tuple<Tensor, Tensor> cummin(int64_t dim, HERE) const;
  std::tuple<Tensor, Tensor> sort(optional<bool> stable, int64_t dim = -1,
                                  bool descending = false, HERE) const;
  Tensor argsort(bool stable, int64_t dim, bool descending = false, HERE) const;
  Tensor msort(HERE) const;
  Tensor median(HERE) const;
  std::tuple<Tensor, Tensor> median(int64_t dim, bool keepdim = false,
                                    HERE) const;
  Tensor nanmedian(HERE) const;
  std::tuple<Tensor, Tensor> nanmedian(int64_t dim, bool keepdim = false,
                                       HERE) const;
  std::tuple<Tensor, Tensor> mode(int64_t dim = -1, bool keepdim = false,
                                  HERE) const;
  std::tuple<Tensor, Tensor> kthvalue(int64_t k, int64_t dim = -1,
                                      bool keepdim = false, HERE) const;
  /// \p interpolation is linear, lower, higher, midpoint or nearest.
  Tensor quantile(double q, optional<int64_t> dim = nullopt,
                  bool keepdim = false,
                  std::string_view interpolation = "linear", HERE) const;
  Tensor quantile(const Tensor &q, optional<int64_t> dim = nullopt,
                  bool keepdim = false,
                  std::string_view interpolation = "linear", HERE) const;
  Tensor nanquantile(double q, optional<int64_t> dim = nullopt,
                     bool keepdim = false,
                     std::string_view interpolation = "linear", HERE) const;
  Tensor nanquantile(const Tensor &q, optional<int64_t> dim = nullopt,
                     bool keepdim = false,
                     std::string_view interpolation = "linear", HERE) const;
  /// The derivative of this order of digamma().
  Tensor polygamma(int64_t n, HERE) const;
  Tensor &polygamma_(int64_t n, HERE) const;
  Tensor mvlgamma(int64_t p, HERE) const;
  Tensor &mvlgamma_(int64_t p, HERE) const;
  /// The incomplete gamma functions of parameter self, from 0 and to infinity.
  Tensor igamma(const Tensor &other, HERE) const;
  Tensor &igamma_(const Tensor &other, HERE) const;
  Tensor igammac(const Tensor &other, HERE) const;
  Tensor &igammac_(const Tensor &other, HERE) const;
  std::tuple<Tensor, Tensor> aminmax(optional<int64_t> dim = nullopt,
                                     bool keepdim = false, HERE) const;
  Tensor nansum(OptionalIntArrayRef dim = nullopt, bool keepdim = false,
                optional<ScalarType> dtype = nullopt, HERE) const;
  Tensor nanmean(OptionalIntArrayRef dim = nullopt, bool keepdim = false,
                 optional<ScalarType> dtype = nullopt, HERE) const;
  Tensor count_nonzero(IntArrayRef dim, HERE) const;
  Tensor bincount(const optional<Tensor> &weights = {}, int64_t minlength = 0,
                  HERE) const;
  Tensor histc(int64_t bins = 100, const Scalar &min = 0, const Scalar &max = 0,
               HERE) const;
  Tensor diff(int64_t n = 1, int64_t dim = -1,
              const optional<Tensor> &prepend = {},
              const optional<Tensor> &append = {}, HERE) const;
  Tensor cov(int64_t correction = 1, const optional<Tensor> &fweights = {},
             const optional<Tensor> &aweights = {}, HERE) const;
  Tensor corrcoef(HERE) const;
  Tensor dist(const Tensor &other, const Scalar &p = 2, HERE) const;
  Tensor renorm(const Scalar &p, int64_t dim, const Scalar &maxnorm,
                HERE) const;
  Tensor &renorm_(const Scalar &p, int64_t dim, const Scalar &maxnorm,
                  HERE) const;
  Tensor sum_to_size(IntArrayRef size, HERE) const;

  //===--- products -----------------------------------------------------===//
  Tensor &baddbmm_(const Tensor &batch1, const Tensor &batch2,
                   const Scalar &beta = 1, const Scalar &alpha = 1, HERE) const;
  Tensor addbmm(const Tensor &batch1, const Tensor &batch2,
                const Scalar &beta = 1, const Scalar &alpha = 1, HERE) const;
  Tensor &addbmm_(const Tensor &batch1, const Tensor &batch2,
                  const Scalar &beta = 1, const Scalar &alpha = 1, HERE) const;
  Tensor addmv(const Tensor &mat, const Tensor &vec, const Scalar &beta = 1,
               const Scalar &alpha = 1, HERE) const;
  Tensor &addmv_(const Tensor &mat, const Tensor &vec, const Scalar &beta = 1,
                 const Scalar &alpha = 1, HERE) const;
  Tensor addr(const Tensor &vec1, const Tensor &vec2, const Scalar &beta = 1,
              const Scalar &alpha = 1, HERE) const;
  Tensor &addr_(const Tensor &vec1, const Tensor &vec2, const Scalar &beta = 1,
                const Scalar &alpha = 1, HERE) const;
  Tensor ger(const Tensor &vec2, HERE) const { return outer(vec2, Here); }
  Tensor vdot(const Tensor &other, HERE) const { return dot(other, Here); }
  Tensor inner(const Tensor &other, HERE) const;
  Tensor kron(const Tensor &other, HERE) const;
  Tensor cross(const Tensor &other, optional<int64_t> dim = nullopt,
               HERE) const;
  Tensor matmul(const Tensor &other, HERE) const;
  Tensor mm(const Tensor &mat2, HERE) const;
  Tensor bmm(const Tensor &mat2, HERE) const;
  Tensor mv(const Tensor &vec, HERE) const;
  Tensor dot(const Tensor &tensor, HERE) const;
  Tensor outer(const Tensor &vec2, HERE) const;
  Tensor addmm(const Tensor &mat1, const Tensor &mat2, const Scalar &beta = 1,
               const Scalar &alpha = 1, HERE) const;
  Tensor &addmm_(const Tensor &mat1, const Tensor &mat2, const Scalar &beta = 1,
                 const Scalar &alpha = 1, HERE) const;
  Tensor baddbmm(const Tensor &batch1, const Tensor &batch2,
                 const Scalar &beta = 1, const Scalar &alpha = 1, HERE) const;
  Tensor trace(HERE) const;

  //===--- linear algebra -----------------------------------------------===//
  Tensor det(HERE) const;
  std::tuple<Tensor, Tensor> slogdet(HERE) const;
  Tensor logdet(HERE) const;
  Tensor inverse(HERE) const;
  Tensor pinverse(double rcond = 1e-15, HERE) const;
  Tensor matrix_power(int64_t n, HERE) const;
  Tensor matrix_exp(HERE) const;
  Tensor lu_solve(const Tensor &LU_data, const Tensor &LU_pivots, HERE) const;
  std::tuple<Tensor, Tensor> geqrf(HERE) const;
  Tensor orgqr(const Tensor &input2, HERE) const;
  Tensor cholesky(bool upper = false, HERE) const;
  Tensor cholesky_inverse(bool upper = false, HERE) const;
  Tensor cholesky_solve(const Tensor &input2, bool upper = false, HERE) const;
  std::tuple<Tensor, Tensor> qr(bool some = true, HERE) const;
  std::tuple<Tensor, Tensor, Tensor> svd(bool some = true,
                                         bool compute_uv = true, HERE) const;
  std::tuple<Tensor, Tensor>
  triangular_solve(const Tensor &A, bool upper = true, bool transpose = false,
                   bool unitriangular = false, HERE) const;

  //===--- gradients: the flag only, there is no autograd ---------------===//
  bool requires_grad() const;
  const Tensor &set_requires_grad(bool requires_grad) const;
  Tensor &requires_grad_(bool requires_grad = true) const;
  Tensor &detach_() const;
  bool is_leaf() const { return true; }
  void retain_grad() const {}
  bool retains_grad() const { return false; }
  int64_t output_nr() const { return 0; }
  /// The other tensor's elements and layout, under this tensor's name.
  void set_data(const Tensor &new_data) const;
  void backward(const Tensor &gradient = {},
                optional<bool> retain_graph = nullopt,
                bool create_graph = false) const;
  Tensor grad() const;

  detail::TensorImpl *unsafeGetTensorImpl() const { return Impl; }

private:
  template <class T> static constexpr ScalarType scalarTypeOf() {
    return CppTypeToScalarType<std::remove_const_t<T>>::value;
  }
  void *typedData(ScalarType Wanted) const;
  const void *constData(ScalarType Wanted = ScalarType::Undefined) const;
  const detail::StorageImpl *pinnedStorage() const;
  void accessorRank(ScalarType Wanted, size_t Rank, Site Here) const;
  void requireSmall(Site Here) const;
  Tensor &self() const { return const_cast<Tensor &>(*this); }

  detail::TensorImpl *Impl;
};

/// A tensor that is borrowed, or owned where there was none to borrow.
template <class T> class MaybeOwned {
public:
  static MaybeOwned borrowed(const T &t) { return MaybeOwned(t); }
  static MaybeOwned owned(T &&t) { return MaybeOwned(std::move(t)); }
  const T &operator*() const { return Value; }
  const T *operator->() const { return &Value; }

private:
  explicit MaybeOwned(T Value) : Value(std::move(Value)) {}
  T Value;
};
inline MaybeOwned<Tensor> Tensor::expect_contiguous(MemoryFormat memory_format,
                                                    Site Here) const & {
  return MaybeOwned<Tensor>::owned(contiguous(memory_format, Here));
}

//===----------------------------------------------------------------------===//
// Accessors
//===----------------------------------------------------------------------===//

/// Elements by index, `a[i][j]`. It borrows the tensor.
template <class T, size_t N, bool Checked> class TensorAccessor {
public:
  using PtrType = T *;
  TensorAccessor(T *data, const int64_t *sizes, const int64_t *strides)
      : Data(data), Sizes(sizes), Strides(strides) {}
  IntArrayRef sizes() const { return {Sizes, N}; }
  IntArrayRef strides() const { return {Strides, N}; }
  int64_t size(int64_t i) const { return Sizes[known(i)]; }
  int64_t stride(int64_t i) const { return Strides[known(i)]; }
  T *data() const { return Data; }
  decltype(auto) operator[](int64_t i) const {
    if constexpr (Checked)
      if (static_cast<uint64_t>(i) >= static_cast<uint64_t>(Sizes[0]))
        detail::accessorBounds(i, Sizes[0], N, Data);
    if constexpr (N == 1)
      return (Data[Strides[0] * i]);
    else
      return TensorAccessor<T, N - 1, Checked>(Data + Strides[0] * i, Sizes + 1,
                                               Strides + 1);
  }

private:
  int64_t known(int64_t D) const {
    if constexpr (Checked)
      if (static_cast<uint64_t>(D) >= N)
        detail::accessorRank(D, N, Data);
    return D;
  }

  T *Data;
  const int64_t *Sizes, *Strides;
};

/// The same with its own sizes and strides, which may be 32 bits wide.
template <class T, size_t N, class Index, bool Checked> class PackedAccessor {
  /// What is left after some indices.
  template <size_t Left> struct Part {
    const PackedAccessor &Of;
    T *At;
    decltype(auto) operator[](Index i) const {
      constexpr size_t D = N - Left;
      if constexpr (Checked)
        if (i < 0 || i >= Of.Sizes[D])
          detail::accessorBounds(i, Of.Sizes[D], Left, Of.Data);
      T *To = At + static_cast<int64_t>(Of.Strides[D]) * i;
      if constexpr (Left == 1)
        return (*To);
      else
        return Part<Left - 1>{Of, To};
    }
  };

public:
  using PtrType = T *;
  PackedAccessor(T *data, const int64_t *sizes, const int64_t *strides)
      : Data(data) {
    for (size_t D = 0; D < N; ++D) {
      Sizes[D] = static_cast<Index>(sizes ? sizes[D] : 0);
      Strides[D] = static_cast<Index>(strides ? strides[D] : 0);
    }
  }
  Index size(int64_t i) const { return Sizes[known(i)]; }
  Index stride(int64_t i) const { return Strides[known(i)]; }
  T *data() const { return Data; }
  decltype(auto) operator[](Index i) const { return Part<N>{*this, Data}[i]; }
  PackedAccessor transpose(int64_t dim0, int64_t dim1) const {
    PackedAccessor R = *this;
    std::swap(R.Sizes[known(dim0)], R.Sizes[known(dim1)]);
    std::swap(R.Strides[dim0], R.Strides[dim1]);
    return R;
  }

private:
  int64_t known(int64_t D) const {
    if constexpr (Checked)
      if (static_cast<uint64_t>(D) >= N)
        detail::accessorRank(D, N, Data);
    return D;
  }

  T *Data;
  Index Sizes[N] = {}, Strides[N] = {};
};
template <class T, size_t N, template <class> class = DefaultPtrTraits>
using PackedTensorAccessor64 = PackedAccessor<T, N, int64_t>;
template <class T, size_t N, template <class> class = DefaultPtrTraits>
using PackedTensorAccessor32 = PackedAccessor<T, N, int32_t>;

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

namespace indexing {

constexpr nullopt_t None = nullopt;
struct EllipsisIndexType final {};
constexpr EllipsisIndexType Ellipsis{};

/// start:stop:step, each may be None.
struct Slice final {
  Slice(optional<int64_t> start_index = nullopt,
        optional<int64_t> stop_index = nullopt,
        optional<int64_t> step_index = nullopt)
      : Start(start_index), Stop(stop_index), Step(step_index.value_or(1)) {}
  /// What is not said stands for all there is.
  int64_t start() const { return Start.value_or(Step < 0 ? INT64_MAX : 0); }
  int64_t stop() const {
    return Stop.value_or(Step < 0 ? INT64_MIN : INT64_MAX);
  }
  int64_t step() const { return Step; }
  optional<int64_t> Start, Stop;
  int64_t Step;
};

struct TensorIndex final {
  enum Kind : uint8_t {
    IsNone,
    IsEllipsis,
    IsInteger,
    IsBoolean,
    IsSlice,
    IsTensor
  };
  TensorIndex(nullopt_t) : K(IsNone) {}
  TensorIndex(EllipsisIndexType) : K(IsEllipsis) {}
  TensorIndex(const char *str);
  TensorIndex(int64_t integer) : K(IsInteger), Integer(integer) {}
  TensorIndex(int integer) : K(IsInteger), Integer(integer) {}
  template <class T, class = std::enable_if_t<std::is_same_v<bool, T>>>
  TensorIndex(T boolean) : K(IsBoolean), Integer(boolean) {}
  TensorIndex(tensortidy::indexing::Slice slice) : K(IsSlice), Range(slice) {}
  TensorIndex(tensortidy::Tensor tensor)
      : K(IsTensor), Indices(std::move(tensor)) {}

  bool is_none() const { return K == IsNone; }
  bool is_ellipsis() const { return K == IsEllipsis; }
  bool is_integer() const { return K == IsInteger; }
  bool is_boolean() const { return K == IsBoolean; }
  bool is_slice() const { return K == IsSlice; }
  bool is_tensor() const { return K == IsTensor; }
  int64_t integer() const { return Integer; }
  bool boolean() const { return Integer != 0; }
  const tensortidy::indexing::Slice &slice() const { return Range; }
  const tensortidy::Tensor &tensor() const { return Indices; }

  Kind K;
  int64_t Integer = 0;
  tensortidy::indexing::Slice Range;
  tensortidy::Tensor Indices;
};

std::ostream &operator<<(std::ostream &stream, const Slice &slice);
std::ostream &operator<<(std::ostream &stream, const TensorIndex &tensor_index);
std::ostream &operator<<(std::ostream &stream,
                         const std::vector<TensorIndex> &tensor_indices);

} // namespace indexing
using indexing::Slice;
using indexing::TensorIndex;

//===----------------------------------------------------------------------===//
// Factories
//===----------------------------------------------------------------------===//

namespace detail {

/// What frees borrowed memory.
class Deleter {
public:
  template <class F, class = std::enable_if_t<std::is_invocable_v<F &, void *>>>
  Deleter(F Function)
      : State(new F(std::move(Function))), Run([](void *S, void *Data) {
          (*static_cast<F *>(S))(Data);
          delete static_cast<F *>(S);
        }),
        Drop([](void *S) { delete static_cast<F *>(S); }) {}
  Deleter(Deleter &&O) noexcept : State(O.State), Run(O.Run), Drop(O.Drop) {
    O.State = nullptr;
  }
  Deleter(const Deleter &) = delete;
  ~Deleter() { // of memory that no tensor took: it stays the caller's
    if (State)
      Drop(State);
  }
  void *State;
  void (*Run)(void *State, void *Data);
  void (*Drop)(void *State);
};

/// A number, or a list of lists of numbers.
class TensorData {
public:
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  TensorData(T Value) : Value(Value), Type(CppTypeToScalarType<T>::value) {}
  TensorData(std::initializer_list<TensorData> List)
      : Items(List), IsList(true) {}
  template <class T> TensorData(const std::vector<T> &List) : IsList(true) {
    for (const auto &V : List)
      Items.push_back(TensorData(static_cast<T>(V)));
  }
  template <class T> TensorData(ArrayRef<T> List) : IsList(true) {
    for (const auto &V : List)
      Items.push_back(TensorData(V));
  }

  std::vector<TensorData> Items;
  Scalar Value;
  ScalarType Type = kFloat;
  bool IsList = false;
};

} // namespace detail

Tensor empty(IntArrayRef size, TensorOptions options = {},
             optional<MemoryFormat> memory_format = nullopt, HERE);
Tensor empty_strided(IntArrayRef size, IntArrayRef stride,
                     TensorOptions options = {}, HERE);
Tensor zeros(IntArrayRef size, TensorOptions options = {}, HERE);
Tensor ones(IntArrayRef size, TensorOptions options = {}, HERE);
Tensor full(IntArrayRef size, const Scalar &fill_value,
            TensorOptions options = {}, HERE);
Tensor scalar_tensor(const Scalar &s, TensorOptions options = {}, HERE);
Tensor arange(const Scalar &end, TensorOptions options = {}, HERE);
Tensor arange(const Scalar &start, const Scalar &end,
              TensorOptions options = {}, HERE);
Tensor arange(const Scalar &start, const Scalar &end, const Scalar &step,
              TensorOptions options = {}, HERE);
Tensor linspace(const Scalar &start, const Scalar &end, int64_t steps,
                TensorOptions options = {}, HERE);
Tensor eye(int64_t n, TensorOptions options = {}, HERE);
Tensor eye(int64_t n, int64_t m, TensorOptions options = {}, HERE);
Tensor rand(IntArrayRef size, TensorOptions options = {}, HERE);
Tensor randn(IntArrayRef size, TensorOptions options = {}, HERE);
Tensor randint(int64_t high, IntArrayRef size, TensorOptions options = {},
               HERE);
Tensor randint(int64_t low, int64_t high, IntArrayRef size,
               TensorOptions options = {}, HERE);
Tensor randperm(int64_t n, TensorOptions options = {}, HERE);
/// Numbers as they are written: integers are int64, the others float.
Tensor tensor(const detail::TensorData &data, TensorOptions options = {}, HERE);

#define TENSORTIDY_LIKE(NAME)                                                  \
  Tensor NAME(const Tensor &self, TensorOptions options = {},                  \
              optional<MemoryFormat> memory_format = nullopt, HERE);
TENSORTIDY_LIKE(empty_like)
TENSORTIDY_LIKE(zeros_like)
TENSORTIDY_LIKE(ones_like)
TENSORTIDY_LIKE(rand_like)
TENSORTIDY_LIKE(randn_like)
#undef TENSORTIDY_LIKE
Tensor full_like(const Tensor &self, const Scalar &fill_value,
                 TensorOptions options = {},
                 optional<MemoryFormat> memory_format = nullopt, HERE);

/// Borrows \p data, which must live as long as the tensor and its views.
Tensor from_blob(void *data, IntArrayRef sizes,
                 const TensorOptions &options = {}, HERE);
Tensor from_blob(void *data, IntArrayRef sizes, IntArrayRef strides,
                 const TensorOptions &options = {}, HERE);
Tensor from_blob(void *data, IntArrayRef sizes, detail::Deleter deleter,
                 const TensorOptions &options = {}, HERE);
Tensor from_blob(void *data, IntArrayRef sizes, IntArrayRef strides,
                 detail::Deleter deleter, const TensorOptions &options = {},
                 HERE);

/// Says how long borrowed memory lives:
///
///   std::vector<float> v(6);
///   BorrowScope scope;
///   Tensor x = from_blob(v.data(), {2, 3}, scope);
///   scope.end();           // v goes away; from here x and its views throw
class BorrowScope {
public:
  BorrowScope() = default;
  BorrowScope(const BorrowScope &) = delete;
  BorrowScope &operator=(const BorrowScope &) = delete;
  ~BorrowScope() { end(Site::none()); }
  void end(Site Here = Site::current());

private:
  friend Tensor from_blob(void *, IntArrayRef, BorrowScope &,
                          const TensorOptions &, Site);
  friend Tensor from_blob(void *, IntArrayRef, IntArrayRef, BorrowScope &,
                          const TensorOptions &, Site);
  std::vector<Storage> Lent;
};
Tensor from_blob(void *data, IntArrayRef sizes, BorrowScope &scope,
                 const TensorOptions &options = {}, HERE);
Tensor from_blob(void *data, IntArrayRef sizes, IntArrayRef strides,
                 BorrowScope &scope, const TensorOptions &options = {}, HERE);

/// A tensor kept for later, as for a backward pass: unpack() throws when its
/// memory was written to since.
class SavedTensor {
public:
  SavedTensor() = default;
  explicit SavedTensor(const Tensor &x, HERE);
  Tensor unpack(HERE) const;

private:
  Tensor X;
  int64_t Version = 0;
  Site Made = Site::none();
};

/// Throws when something was written around any allocation, or into memory
/// that is gone but whose pointer was handed out.
void verify_memory(HERE);

/// Starts the random numbers of rand, randn ... anew.
void manual_seed(uint64_t seed);

/// A source of random numbers of one's own. Copies share it.
class Generator {
public:
  Generator() = default;
  bool defined() const { return State != nullptr; }
  void set_current_seed(uint64_t seed);
  uint64_t current_seed() const;
  /// Another copy, which draws the same numbers from here on.
  Generator clone() const;
  Device device() const { return kCPU; }
  std::mutex &mutex() const;

  explicit Generator(std::shared_ptr<detail::Random> State)
      : State(std::move(State)) {}
  const std::shared_ptr<detail::Random> &state() const { return State; }

private:
  std::shared_ptr<detail::Random> State;
};
constexpr uint64_t default_rng_seed_val = 67280421310721;
namespace detail {
Generator createCPUGenerator(uint64_t seed_val = default_rng_seed_val);
const Generator &getDefaultCPUGenerator();

/// As long as it lives, this thread draws from \p From, if that is one.
class Drawing {
public:
  explicit Drawing(const optional<Generator> &From);
  ~Drawing();
  Drawing(const Drawing &) = delete;
  Drawing &operator=(const Drawing &) = delete;

private:
  Random *Before;
};
} // namespace detail
struct CPUGeneratorImpl;
/// make_generator<CPUGeneratorImpl>(seed)
template <class Impl>
Generator make_generator(uint64_t seed = default_rng_seed_val) {
  static_assert(std::is_same_v<Impl, CPUGeneratorImpl>);
  return detail::createCPUGenerator(seed);
}

// The random numbers that a generator gives, where one is named.
#define GENERATOR const optional<Generator> &generator
#define DRAWN(RESULT, NAME, PARAMS, ARGS)                                      \
  inline RESULT NAME PARAMS {                                                  \
    const detail::Drawing From(generator);                                     \
    return NAME ARGS;                                                          \
  }
DRAWN(Tensor, rand,
      (IntArrayRef size, GENERATOR, TensorOptions options = {}, HERE),
      (size, options, Here))
DRAWN(Tensor, randn,
      (IntArrayRef size, GENERATOR, TensorOptions options = {}, HERE),
      (size, options, Here))
DRAWN(Tensor, randint,
      (int64_t high, IntArrayRef size, GENERATOR, TensorOptions options = {},
       HERE),
      (high, size, options, Here))
DRAWN(Tensor, randint,
      (int64_t low, int64_t high, IntArrayRef size, GENERATOR,
       TensorOptions options = {}, HERE),
      (low, high, size, options, Here))
DRAWN(Tensor, randperm,
      (int64_t n, GENERATOR, TensorOptions options = {}, HERE),
      (n, options, Here))
#define DRAWN_METHOD(NAME, PARAMS, ARGS)                                       \
  inline Tensor &Tensor::NAME PARAMS const {                                   \
    const detail::Drawing From(generator);                                     \
    return NAME ARGS;                                                          \
  }
DRAWN_METHOD(uniform_, (double from, double to, GENERATOR, Site Here),
             (from, to, Here))
DRAWN_METHOD(normal_, (double mean, double std, GENERATOR, Site Here),
             (mean, std, Here))
DRAWN_METHOD(random_,
             (int64_t from, optional<int64_t> to, GENERATOR, Site Here),
             (from, to, Here))
DRAWN_METHOD(random_, (int64_t to, GENERATOR, Site Here), (to, Here))
DRAWN_METHOD(random_, (GENERATOR, Site Here), (Here))
DRAWN_METHOD(bernoulli_, (double p, GENERATOR, Site Here), (p, Here))
DRAWN_METHOD(bernoulli_, (const Tensor &p, GENERATOR, Site Here), (p, Here))
DRAWN_METHOD(exponential_, (double lambd, GENERATOR, Site Here), (lambd, Here))
DRAWN_METHOD(cauchy_, (double median, double sigma, GENERATOR, Site Here),
             (median, sigma, Here))
DRAWN_METHOD(geometric_, (double p, GENERATOR, Site Here), (p, Here))
DRAWN_METHOD(log_normal_, (double mean, double std, GENERATOR, Site Here),
             (mean, std, Here))
#undef DRAWN_METHOD
#undef DRAWN
#undef GENERATOR

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

Tensor cat(TensorList tensors, int64_t dim = 0, HERE);
Tensor stack(TensorList tensors, int64_t dim = 0, HERE);
inline Tensor concat(TensorList tensors, int64_t dim = 0, HERE) {
  return cat(tensors, dim, Here);
}
inline Tensor concatenate(TensorList tensors, int64_t dim = 0, HERE) {
  return cat(tensors, dim, Here);
}
Tensor where(const Tensor &condition, const Tensor &self, const Tensor &other,
             HERE);
Tensor where(const Tensor &condition, const Scalar &self, const Tensor &other,
             HERE);
Tensor where(const Tensor &condition, const Tensor &self, const Scalar &other,
             HERE);
Tensor where(const Tensor &condition, const Scalar &self, const Scalar &other,
             HERE);
std::vector<Tensor> broadcast_tensors(TensorList tensors, HERE);
std::vector<Tensor> meshgrid(TensorList tensors,
                             std::string_view indexing = "ij", HERE);
Tensor pow(const Scalar &self, const Tensor &exponent, HERE);
Tensor rsub(const Tensor &self, const Tensor &other, const Scalar &alpha = 1,
            HERE);
Tensor rsub(const Tensor &self, const Scalar &other, const Scalar &alpha = 1,
            HERE);
Tensor gelu(const Tensor &self, std::string_view approximate = "none", HERE);
Tensor silu(const Tensor &self, HERE);
Tensor leaky_relu(const Tensor &self, const Scalar &negative_slope = 0.01,
                  HERE);
Tensor softplus(const Tensor &self, const Scalar &beta = 1,
                const Scalar &threshold = 20, HERE);
Tensor elu(const Tensor &self, const Scalar &alpha = 1, HERE);
/// scale * x, or scale * alpha * (exp(input_scale * x) - 1) below 0.
Tensor elu(const Tensor &self, const Scalar &alpha, const Scalar &scale,
           const Scalar &input_scale = 1, HERE);
Tensor hardtanh(const Tensor &self, const Scalar &min_val = -1,
                const Scalar &max_val = 1, HERE);
Tensor layer_norm(const Tensor &input, IntArrayRef normalized_shape,
                  const optional<Tensor> &weight = {},
                  const optional<Tensor> &bias = {}, double eps = 1e-05,
                  bool cudnn_enable = true, HERE);
Tensor linear(const Tensor &input, const Tensor &weight,
              const optional<Tensor> &bias = {}, HERE);
/// One number for all dimensions, or one for each.
Tensor conv1d(const Tensor &input, const Tensor &weight,
              const optional<Tensor> &bias = {}, IntArrayRef stride = 1,
              IntArrayRef padding = 0, IntArrayRef dilation = 1,
              int64_t groups = 1, HERE);
Tensor conv2d(const Tensor &input, const Tensor &weight,
              const optional<Tensor> &bias = {}, IntArrayRef stride = 1,
              IntArrayRef padding = 0, IntArrayRef dilation = 1,
              int64_t groups = 1, HERE);
Tensor max_pool2d(const Tensor &self, IntArrayRef kernel_size,
                  IntArrayRef stride = {}, IntArrayRef padding = 0,
                  IntArrayRef dilation = 1, bool ceil_mode = false, HERE);
Tensor avg_pool2d(const Tensor &self, IntArrayRef kernel_size,
                  IntArrayRef stride = {}, IntArrayRef padding = 0,
                  bool ceil_mode = false, bool count_include_pad = true,
                  optional<int64_t> divisor_override = nullopt, HERE);
Tensor adaptive_avg_pool2d(const Tensor &self, IntArrayRef output_size, HERE);
/// Numbers around the last dimensions, pairs from the last one on.
Tensor constant_pad_nd(const Tensor &self, IntArrayRef pad,
                       const Scalar &value = 0, HERE);
Tensor batch_norm(const Tensor &input, const optional<Tensor> &weight,
                  const optional<Tensor> &bias,
                  const optional<Tensor> &running_mean,
                  const optional<Tensor> &running_var, bool training,
                  double momentum, double eps, bool cudnn_enabled = true, HERE);
/// Sums of products over named dimensions: "bij,bjk->bik"; "..." stands for all
/// others.
Tensor einsum(std::string_view equation, TensorList tensors, HERE);
Tensor tensordot(const Tensor &self, const Tensor &other, IntArrayRef dims_self,
                 IntArrayRef dims_other, HERE);
Tensor hstack(TensorList tensors, HERE);
Tensor vstack(TensorList tensors, HERE);
inline Tensor row_stack(TensorList tensors, HERE) {
  return vstack(tensors, Here);
}
Tensor atleast_1d(const Tensor &self, HERE);
Tensor atleast_2d(const Tensor &self, HERE);
Tensor atleast_3d(const Tensor &self, HERE);
std::vector<Tensor> atleast_1d(TensorList tensors, HERE);
std::vector<Tensor> atleast_2d(TensorList tensors, HERE);
std::vector<Tensor> atleast_3d(TensorList tensors, HERE);
Tensor bernoulli(const Tensor &self, HERE);
Tensor bernoulli(const Tensor &self, double p, HERE);
Tensor isclose(const Tensor &self, const Tensor &other, double rtol = 1e-05,
               double atol = 1e-08, bool equal_nan = false, HERE);
Tensor nan_to_num(const Tensor &self, optional<double> nan = nullopt,
                  optional<double> posinf = nullopt,
                  optional<double> neginf = nullopt, HERE);
Tensor glu(const Tensor &self, int64_t dim = -1, HERE);
Tensor mse_loss(const Tensor &self, const Tensor &target, HERE);
Tensor dropout(const Tensor &input, double p, bool train, HERE);
Tensor embedding(const Tensor &weight, const Tensor &indices, HERE);

// The methods as functions.
#define TENSORTIDY_UNARY(NAME)                                                 \
  inline Tensor NAME(const Tensor &self, HERE) { return self.NAME(Here); }     \
  inline Tensor &NAME##_(const Tensor &self, HERE) {                           \
    return self.NAME##_(Here);                                                 \
  }
TENSORTIDY_UNARY_METHODS(TENSORTIDY_UNARY)
#undef TENSORTIDY_UNARY
#define TENSORTIDY_BINARY(NAME)                                                \
  inline Tensor NAME(const Tensor &self, const Tensor &other, HERE) {          \
    return self.NAME(other, Here);                                             \
  }                                                                            \
  inline Tensor NAME(const Tensor &self, const Scalar &other, HERE) {          \
    return self.NAME(other, Here);                                             \
  }
TENSORTIDY_BINARY_METHODS(TENSORTIDY_BINARY)
#undef TENSORTIDY_BINARY
#define TENSORTIDY_BINARY(NAME)                                                \
  inline Tensor NAME(const Tensor &self, const Tensor &other, HERE) {          \
    return self.NAME(other, Here);                                             \
  }
TENSORTIDY_TENSOR_BINARY_METHODS(TENSORTIDY_BINARY)
TENSORTIDY_TENSOR_INPLACE_METHODS(TENSORTIDY_BINARY)
#undef TENSORTIDY_BINARY
#define TENSORTIDY_SCALED(NAME)                                                \
  inline Tensor NAME(const Tensor &self, const Tensor &other,                  \
                     const Scalar &alpha = 1, HERE) {                          \
    return self.NAME(other, alpha, Here);                                      \
  }                                                                            \
  inline Tensor NAME(const Tensor &self, const Scalar &other,                  \
                     const Scalar &alpha = 1, HERE) {                          \
    return self.NAME(other, alpha, Here);                                      \
  }
TENSORTIDY_SCALED(add)
TENSORTIDY_SCALED(sub)
TENSORTIDY_SCALED(subtract)
#undef TENSORTIDY_SCALED

#define FORWARD(RESULT, NAME, PARAMS, ARGS)                                    \
  inline RESULT NAME PARAMS { return self.NAME ARGS; }
#define SELF const Tensor &self
FORWARD(Tensor, view_as, (SELF, const Tensor &other, HERE), (other, Here))
FORWARD(Tensor, permute, (SELF, IntArrayRef dims, HERE), (dims, Here))
FORWARD(Tensor, transpose, (SELF, int64_t dim0, int64_t dim1, HERE),
        (dim0, dim1, Here))
FORWARD(Tensor, swapaxes, (SELF, int64_t axis0, int64_t axis1, HERE),
        (axis0, axis1, Here))
FORWARD(Tensor, swapdims, (SELF, int64_t dim0, int64_t dim1, HERE),
        (dim0, dim1, Here))
FORWARD(Tensor, t, (SELF, HERE), (Here))
FORWARD(Tensor, adjoint, (SELF, HERE), (Here))
FORWARD(Tensor, movedim,
        (SELF, IntArrayRef source, IntArrayRef destination, HERE),
        (source, destination, Here))
FORWARD(Tensor, movedim, (SELF, int64_t source, int64_t destination, HERE),
        (source, destination, Here))
FORWARD(Tensor, moveaxis,
        (SELF, IntArrayRef source, IntArrayRef destination, HERE),
        (source, destination, Here))
FORWARD(Tensor, moveaxis, (SELF, int64_t source, int64_t destination, HERE),
        (source, destination, Here))
FORWARD(Tensor, select, (SELF, int64_t dim, int64_t index, HERE),
        (dim, index, Here))
FORWARD(Tensor, narrow,
        (SELF, int64_t dim, int64_t start, int64_t length, HERE),
        (dim, start, length, Here))
FORWARD(Tensor, narrow,
        (SELF, int64_t dim, const Tensor &start, int64_t length, HERE),
        (dim, start, length, Here))
FORWARD(Tensor, slice,
        (SELF, int64_t dim = 0, optional<int64_t> start = nullopt,
         optional<int64_t> end = nullopt, int64_t step = 1, HERE),
        (dim, start, end, step, Here))
FORWARD(Tensor, broadcast_to, (SELF, IntArrayRef size, HERE), (size, Here))
FORWARD(Tensor, squeeze, (SELF, HERE), (Here))
FORWARD(Tensor, squeeze, (SELF, int64_t dim, HERE), (dim, Here))
FORWARD(Tensor, unsqueeze, (SELF, int64_t dim, HERE), (dim, Here))
FORWARD(Tensor, diagonal,
        (SELF, int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1, HERE),
        (offset, dim1, dim2, Here))
FORWARD(Tensor, as_strided,
        (SELF, IntArrayRef size, IntArrayRef stride,
         optional<int64_t> storage_offset = nullopt, HERE),
        (size, stride, storage_offset, Here))
FORWARD(std::vector<Tensor>, split,
        (SELF, int64_t split_size, int64_t dim = 0, HERE),
        (split_size, dim, Here))
FORWARD(std::vector<Tensor>, split,
        (SELF, IntArrayRef split_size, int64_t dim = 0, HERE),
        (split_size, dim, Here))
FORWARD(std::vector<Tensor>, split_with_sizes,
        (SELF, IntArrayRef split_sizes, int64_t dim = 0, HERE),
        (split_sizes, dim, Here))
FORWARD(std::vector<Tensor>, chunk,
        (SELF, int64_t chunks, int64_t dim = 0, HERE), (chunks, dim, Here))
FORWARD(std::vector<Tensor>, tensor_split,
        (SELF, int64_t sections, int64_t dim = 0, HERE), (sections, dim, Here))
FORWARD(std::vector<Tensor>, tensor_split,
        (SELF, IntArrayRef indices, int64_t dim = 0, HERE),
        (indices, dim, Here))
FORWARD(std::vector<Tensor>, tensor_split,
        (SELF, const Tensor &tensor_indices_or_sections, int64_t dim = 0, HERE),
        (tensor_indices_or_sections, dim, Here))
FORWARD(std::vector<Tensor>, unbind, (SELF, int64_t dim = 0, HERE), (dim, Here))
FORWARD(Tensor, detach, (SELF, HERE), (Here))
FORWARD(Tensor, reshape, (SELF, IntArrayRef shape, HERE), (shape, Here))
FORWARD(Tensor, flatten,
        (SELF, int64_t start_dim = 0, int64_t end_dim = -1, HERE),
        (start_dim, end_dim, Here))
FORWARD(Tensor, ravel, (SELF, HERE), (Here))
FORWARD(Tensor, clone,
        (SELF, optional<MemoryFormat> memory_format = nullopt, HERE),
        (memory_format, Here))
FORWARD(Tensor, tile, (SELF, IntArrayRef dims, HERE), (dims, Here))
FORWARD(Tensor, repeat_interleave,
        (SELF, int64_t repeats, optional<int64_t> dim = nullopt, HERE),
        (repeats, dim, Here))
FORWARD(Tensor, repeat_interleave,
        (SELF, const Tensor &repeats, optional<int64_t> dim = nullopt, HERE),
        (repeats, dim, Here))
FORWARD(Tensor, repeat_interleave,
        (SELF, int64_t repeats, optional<int64_t> dim,
         optional<int64_t> output_size, HERE),
        (repeats, dim, output_size, Here))
FORWARD(Tensor, repeat_interleave,
        (SELF, const Tensor &repeats, optional<int64_t> dim,
         optional<int64_t> output_size, HERE),
        (repeats, dim, output_size, Here))
FORWARD(Tensor, flip, (SELF, IntArrayRef dims, HERE), (dims, Here))
FORWARD(Tensor, roll, (SELF, IntArrayRef shifts, IntArrayRef dims = {}, HERE),
        (shifts, dims, Here))
FORWARD(Tensor, tril, (SELF, int64_t diagonal = 0, HERE), (diagonal, Here))
FORWARD(Tensor, triu, (SELF, int64_t diagonal = 0, HERE), (diagonal, Here))
FORWARD(Tensor, diag, (SELF, int64_t diagonal = 0, HERE), (diagonal, Here))
FORWARD(Tensor, index_select, (SELF, int64_t dim, const Tensor &index, HERE),
        (dim, index, Here))
FORWARD(Tensor, gather,
        (SELF, int64_t dim, const Tensor &index, bool sparse_grad = false,
         HERE),
        (dim, index, sparse_grad, Here))
FORWARD(Tensor, take, (SELF, const Tensor &index, HERE), (index, Here))
FORWARD(Tensor, masked_select, (SELF, const Tensor &mask, HERE), (mask, Here))
FORWARD(Tensor, masked_fill,
        (SELF, const Tensor &mask, const Scalar &value, HERE),
        (mask, value, Here))
FORWARD(Tensor, masked_fill,
        (SELF, const Tensor &mask, const Tensor &value, HERE),
        (mask, value, Here))
FORWARD(Tensor, nonzero, (SELF, HERE), (Here))
FORWARD(Tensor, div,
        (SELF, const Tensor &other, optional<std::string_view> rounding_mode,
         HERE),
        (other, rounding_mode, Here))
FORWARD(Tensor, div,
        (SELF, const Scalar &other, optional<std::string_view> rounding_mode,
         HERE),
        (other, rounding_mode, Here))
FORWARD(Tensor, divide,
        (SELF, const Tensor &other, optional<std::string_view> rounding_mode,
         HERE),
        (other, rounding_mode, Here))
FORWARD(Tensor, divide,
        (SELF, const Scalar &other, optional<std::string_view> rounding_mode,
         HERE),
        (other, rounding_mode, Here))
FORWARD(Tensor, round, (SELF, int64_t decimals, HERE), (decimals, Here))
FORWARD(Tensor &, round_, (SELF, int64_t decimals, HERE), (decimals, Here))
FORWARD(Tensor, pow, (SELF, const Tensor &exponent, HERE), (exponent, Here))
FORWARD(Tensor, pow, (SELF, const Scalar &exponent, HERE), (exponent, Here))
FORWARD(Tensor, clamp,
        (SELF, const optional<Scalar> &min,
         const optional<Scalar> &max = nullopt, HERE),
        (min, max, Here))
FORWARD(Tensor, clamp_min, (SELF, const Scalar &min, HERE), (min, Here))
FORWARD(Tensor, clamp_max, (SELF, const Scalar &max, HERE), (max, Here))
FORWARD(Tensor, lerp, (SELF, const Tensor &end, const Scalar &weight, HERE),
        (end, weight, Here))
FORWARD(Tensor, lerp, (SELF, const Tensor &end, const Tensor &weight, HERE),
        (end, weight, Here))
FORWARD(Tensor, addcmul,
        (SELF, const Tensor &tensor1, const Tensor &tensor2,
         const Scalar &value = 1, HERE),
        (tensor1, tensor2, value, Here))
FORWARD(Tensor, addcdiv,
        (SELF, const Tensor &tensor1, const Tensor &tensor2,
         const Scalar &value = 1, HERE),
        (tensor1, tensor2, value, Here))
FORWARD(Tensor, isnan, (SELF, HERE), (Here))
FORWARD(Tensor, isinf, (SELF, HERE), (Here))
FORWARD(Tensor, isfinite, (SELF, HERE), (Here))
FORWARD(Tensor, sum, (SELF, optional<ScalarType> dtype = nullopt, HERE),
        (dtype, Here))
FORWARD(Tensor, sum,
        (SELF, OptionalIntArrayRef dim, bool keepdim = false,
         optional<ScalarType> dtype = nullopt, HERE),
        (dim, keepdim, dtype, Here))
FORWARD(Tensor, mean, (SELF, optional<ScalarType> dtype = nullopt, HERE),
        (dtype, Here))
FORWARD(Tensor, mean,
        (SELF, OptionalIntArrayRef dim, bool keepdim = false,
         optional<ScalarType> dtype = nullopt, HERE),
        (dim, keepdim, dtype, Here))
FORWARD(Tensor, prod, (SELF, optional<ScalarType> dtype = nullopt, HERE),
        (dtype, Here))
FORWARD(Tensor, prod,
        (SELF, int64_t dim, bool keepdim = false,
         optional<ScalarType> dtype = nullopt, HERE),
        (dim, keepdim, dtype, Here))
FORWARD(Tensor, amax, (SELF, IntArrayRef dim = {}, bool keepdim = false, HERE),
        (dim, keepdim, Here))
FORWARD(Tensor, amin, (SELF, IntArrayRef dim = {}, bool keepdim = false, HERE),
        (dim, keepdim, Here))
FORWARD(Tensor, max, (SELF, HERE), (Here))
FORWARD(Tensor, min, (SELF, HERE), (Here))
FORWARD(Tensor, max, (SELF, const Tensor &other, HERE), (other, Here))
FORWARD(Tensor, min, (SELF, const Tensor &other, HERE), (other, Here))
#define COMMA ,
FORWARD(std::tuple<Tensor COMMA Tensor>, max,
        (SELF, int64_t dim, bool keepdim = false, HERE), (dim, keepdim, Here))
FORWARD(std::tuple<Tensor COMMA Tensor>, min,
        (SELF, int64_t dim, bool keepdim = false, HERE), (dim, keepdim, Here))
FORWARD(std::tuple<Tensor COMMA Tensor>, sort,
        (SELF, int64_t dim = -1, bool descending = false, HERE),
        (dim, descending, Here))
FORWARD(Tensor, argsort,
        (SELF, int64_t dim = -1, bool descending = false, HERE),
        (dim, descending, Here))
FORWARD(Tensor, argmax,
        (SELF, optional<int64_t> dim = nullopt, bool keepdim = false, HERE),
        (dim, keepdim, Here))
FORWARD(Tensor, argmin,
        (SELF, optional<int64_t> dim = nullopt, bool keepdim = false, HERE),
        (dim, keepdim, Here))
FORWARD(Tensor, all, (SELF, HERE), (Here))
FORWARD(Tensor, all, (SELF, int64_t dim, bool keepdim = false, HERE),
        (dim, keepdim, Here))
FORWARD(Tensor, any, (SELF, HERE), (Here))
FORWARD(Tensor, any, (SELF, int64_t dim, bool keepdim = false, HERE),
        (dim, keepdim, Here))
FORWARD(Tensor, var, (SELF, bool unbiased = true, HERE), (unbiased, Here))
FORWARD(Tensor, var,
        (SELF, OptionalIntArrayRef dim, bool unbiased = true,
         bool keepdim = false, HERE),
        (dim, unbiased, keepdim, Here))
FORWARD(Tensor, std, (SELF, bool unbiased = true, HERE), (unbiased, Here))
FORWARD(Tensor, std,
        (SELF, OptionalIntArrayRef dim, bool unbiased = true,
         bool keepdim = false, HERE),
        (dim, unbiased, keepdim, Here))
FORWARD(Tensor, var,
        (SELF, OptionalIntArrayRef dim, optional<int64_t> correction,
         bool keepdim = false, HERE),
        (dim, correction, keepdim, Here))
FORWARD(Tensor, std,
        (SELF, OptionalIntArrayRef dim, optional<int64_t> correction,
         bool keepdim = false, HERE),
        (dim, correction, keepdim, Here))
FORWARD(Tensor, var, (SELF, int dim, HERE), (dim, Here))
FORWARD(Tensor, std, (SELF, int dim, HERE), (dim, Here))
FORWARD(Tensor, norm, (SELF, const Scalar &p = 2, HERE), (p, Here))
FORWARD(Tensor, norm,
        (SELF, const optional<Scalar> &p, IntArrayRef dim, bool keepdim = false,
         HERE),
        (p, dim, keepdim, Here))
FORWARD(Tensor, norm, (SELF, const optional<Scalar> &p, ScalarType dtype, HERE),
        (p, dtype, Here))
FORWARD(Tensor, norm,
        (SELF, const optional<Scalar> &p, IntArrayRef dim, bool keepdim,
         ScalarType dtype, HERE),
        (p, dim, keepdim, dtype, Here))
FORWARD(Tensor, logsumexp, (SELF, IntArrayRef dim, bool keepdim = false, HERE),
        (dim, keepdim, Here))
FORWARD(Tensor, count_nonzero, (SELF, optional<int64_t> dim = nullopt, HERE),
        (dim, Here))
FORWARD(Tensor, cumsum,
        (SELF, int64_t dim, optional<ScalarType> dtype = nullopt, HERE),
        (dim, dtype, Here))
FORWARD(Tensor, cumprod,
        (SELF, int64_t dim, optional<ScalarType> dtype = nullopt, HERE),
        (dim, dtype, Here))
FORWARD(Tensor, softmax,
        (SELF, int64_t dim, optional<ScalarType> dtype = nullopt, HERE),
        (dim, dtype, Here))
FORWARD(Tensor, log_softmax,
        (SELF, int64_t dim, optional<ScalarType> dtype = nullopt, HERE),
        (dim, dtype, Here))
FORWARD(Tensor, matmul, (SELF, const Tensor &other, HERE), (other, Here))
FORWARD(Tensor, mm, (SELF, const Tensor &mat2, HERE), (mat2, Here))
FORWARD(Tensor, bmm, (SELF, const Tensor &mat2, HERE), (mat2, Here))
FORWARD(Tensor, mv, (SELF, const Tensor &vec, HERE), (vec, Here))
FORWARD(Tensor, dot, (SELF, const Tensor &tensor, HERE), (tensor, Here))
FORWARD(Tensor, outer, (SELF, const Tensor &vec2, HERE), (vec2, Here))
FORWARD(Tensor, addmm,
        (SELF, const Tensor &mat1, const Tensor &mat2, const Scalar &beta = 1,
         const Scalar &alpha = 1, HERE),
        (mat1, mat2, beta, alpha, Here))
FORWARD(Tensor, baddbmm,
        (SELF, const Tensor &batch1, const Tensor &batch2,
         const Scalar &beta = 1, const Scalar &alpha = 1, HERE),
        (batch1, batch2, beta, alpha, Here))
FORWARD(Tensor, trace, (SELF, HERE), (Here))
FORWARD(int64_t, numel, (SELF), ())
FORWARD(int64_t, size, (SELF, int64_t dim), (dim))
FORWARD(int64_t, stride, (SELF, int64_t dim), (dim))
FORWARD(bool, is_floating_point, (SELF), ())
FORWARD(bool, is_signed, (SELF), ())
FORWARD(bool, is_complex, (SELF), ())
FORWARD(bool, equal, (SELF, const Tensor &other), (other))
FORWARD(bool, allclose,
        (SELF, const Tensor &other, double rtol = 1e-05, double atol = 1e-08,
         bool equal_nan = false),
        (other, rtol, atol, equal_nan))
FORWARD(std::tuple<Tensor COMMA Tensor>, sort,
        (SELF, optional<bool> stable, int64_t dim = -1, bool descending = false,
         HERE),
        (stable, dim, descending, Here))
FORWARD(Tensor, argsort,
        (SELF, bool stable, int64_t dim, bool descending = false, HERE),
        (stable, dim, descending, Here))
FORWARD(bool, is_nonzero, (SELF), ())
FORWARD(bool, is_same_size, (SELF, const Tensor &other), (other))
FORWARD(Tensor, alias, (SELF, HERE), (Here))
FORWARD(Tensor, conj, (SELF), ())
FORWARD(Tensor, conj_physical, (SELF), ())
FORWARD(Tensor, resolve_conj, (SELF), ())
FORWARD(Tensor, resolve_neg, (SELF), ())
FORWARD(bool, is_conj, (SELF), ())
FORWARD(bool, is_neg, (SELF), ())
FORWARD(Tensor, narrow_copy,
        (SELF, int64_t dim, int64_t start, int64_t length, HERE),
        (dim, start, length, Here))
FORWARD(Tensor &, zero_, (SELF, HERE), (Here))
FORWARD(Tensor &, fill_, (SELF, const Scalar &value, HERE), (value, Here))
FORWARD(Tensor &, fill_, (SELF, const Tensor &value, HERE), (value, Here))
FORWARD(Tensor &, clamp_,
        (SELF, const optional<Scalar> &min,
         const optional<Scalar> &max = nullopt, HERE),
        (min, max, Here))
FORWARD(Tensor &, clamp_min_, (SELF, const Scalar &min, HERE), (min, Here))
FORWARD(Tensor &, clamp_max_, (SELF, const Scalar &max, HERE), (max, Here))
FORWARD(Tensor &, nan_to_num_,
        (SELF, optional<double> nan = nullopt,
         optional<double> posinf = nullopt, optional<double> neginf = nullopt,
         HERE),
        (nan, posinf, neginf, Here))
FORWARD(std::vector<Tensor>, unsafe_chunk,
        (SELF, int64_t chunks, int64_t dim = 0, HERE), (chunks, dim, Here))
FORWARD(std::vector<Tensor>, unsafe_split,
        (SELF, int64_t split_size, int64_t dim = 0, HERE),
        (split_size, dim, Here))
FORWARD(std::vector<Tensor>, hsplit, (SELF, IntArrayRef indices, HERE),
        (indices, Here))
FORWARD(std::vector<Tensor>, vsplit, (SELF, IntArrayRef indices, HERE),
        (indices, Here))
FORWARD(std::vector<Tensor>, dsplit, (SELF, IntArrayRef indices, HERE),
        (indices, Here))
FORWARD(std::tuple<Tensor COMMA Tensor>, topk,
        (SELF, int64_t k, int64_t dim = -1, bool largest = true,
         bool sorted = true, HERE),
        (k, dim, largest, sorted, Here))
FORWARD(std::vector<Tensor>, hsplit, (SELF, int64_t sections, HERE),
        (sections, Here))
FORWARD(std::vector<Tensor>, vsplit, (SELF, int64_t sections, HERE),
        (sections, Here))
FORWARD(std::vector<Tensor>, dsplit, (SELF, int64_t sections, HERE),
        (sections, Here))
FORWARD(Tensor, scatter,
        (SELF, int64_t dim, const Tensor &index, const Tensor &src, HERE),
        (dim, index, src, Here))
FORWARD(Tensor, fliplr, (SELF, HERE), (Here))
FORWARD(Tensor, flipud, (SELF, HERE), (Here))
FORWARD(Tensor, rot90, (SELF, int64_t k = 1, IntArrayRef dims = {0, 1}, HERE),
        (k, dims, Here))
FORWARD(Tensor, unflatten, (SELF, int64_t dim, IntArrayRef sizes, HERE),
        (dim, sizes, Here))
#undef COMMA
#undef SELF
#undef FORWARD

//===--- into a tensor that is there ------------------------------------===//

// NAME_out(out, ...) writes into `out`, which keeps its strides when it has the
// result's sizes and is resized when it has not.
#define TENSORTIDY_UNARY(NAME)                                                 \
  Tensor &NAME##_out(Tensor &out, const Tensor &self, HERE);
TENSORTIDY_UNARY_METHODS(TENSORTIDY_UNARY)
#undef TENSORTIDY_UNARY
#define TENSORTIDY_BINARY(NAME)                                                \
  Tensor &NAME##_out(Tensor &out, const Tensor &self, const Tensor &other,     \
                     HERE);
TENSORTIDY_BINARY_METHODS(TENSORTIDY_BINARY)
TENSORTIDY_TENSOR_BINARY_METHODS(TENSORTIDY_BINARY)
TENSORTIDY_TENSOR_INPLACE_METHODS(TENSORTIDY_BINARY)
TENSORTIDY_BINARY(matmul)
TENSORTIDY_BINARY(mm)
TENSORTIDY_BINARY(bmm)
TENSORTIDY_BINARY(mv)
TENSORTIDY_BINARY(dot)
#undef TENSORTIDY_BINARY
Tensor &add_out(Tensor &out, const Tensor &self, const Tensor &other,
                const Scalar &alpha = 1, HERE);
Tensor &sub_out(Tensor &out, const Tensor &self, const Tensor &other,
                const Scalar &alpha = 1, HERE);
Tensor &pow_out(Tensor &out, const Tensor &self, const Tensor &exponent, HERE);
Tensor &cat_out(Tensor &out, TensorList tensors, int64_t dim = 0, HERE);
Tensor &stack_out(Tensor &out, TensorList tensors, int64_t dim = 0, HERE);
Tensor &sum_out(Tensor &out, const Tensor &self, OptionalIntArrayRef dim,
                bool keepdim = false, optional<ScalarType> dtype = nullopt,
                HERE);
Tensor &mean_out(Tensor &out, const Tensor &self, OptionalIntArrayRef dim,
                 bool keepdim = false, optional<ScalarType> dtype = nullopt,
                 HERE);
Tensor &index_select_out(Tensor &out, const Tensor &self, int64_t dim,
                         const Tensor &index, HERE);
Tensor &gather_out(Tensor &out, const Tensor &self, int64_t dim,
                   const Tensor &index, bool sparse_grad = false, HERE);
Tensor &softmax_out(Tensor &out, const Tensor &self, int64_t dim,
                    optional<ScalarType> dtype = nullopt, HERE);
Tensor &addmm_out(Tensor &out, const Tensor &self, const Tensor &mat1,
                  const Tensor &mat2, const Scalar &beta = 1,
                  const Scalar &alpha = 1, HERE);
#undef HERE

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

#define TENSORTIDY_OPERATOR(OP, METHOD, ALPHA, REVERSED)                       \
  inline Tensor operator OP(const Tensor &x, detail::TensorHere y) {           \
    return x.METHOD(y.X ALPHA, y.Here);                                        \
  }                                                                            \
  inline Tensor operator OP(const Tensor &x, detail::ScalarHere y) {           \
    return x.METHOD(y.X ALPHA, y.Here);                                        \
  }                                                                            \
  inline Tensor operator OP(detail::ScalarHere h, const Tensor &y) {           \
    const Scalar &x = h.X;                                                     \
    const Site Here = h.Here;                                                  \
    return REVERSED;                                                           \
  }
/// The number as a tensor of y's type, as libtorch makes it.
#define FILLED_LIKE_Y empty_like(y, {}, nullopt, Here).fill_(x, Here)
#define WITH_ALPHA , 1
TENSORTIDY_OPERATOR(+, add, WITH_ALPHA, y.add(x, 1, Here))
TENSORTIDY_OPERATOR(-, sub, WITH_ALPHA, FILLED_LIKE_Y.sub_(y, 1, Here))
#undef WITH_ALPHA
TENSORTIDY_OPERATOR(*, mul, , y.mul(x, Here))
TENSORTIDY_OPERATOR(/, div, , FILLED_LIKE_Y.div_(y, Here))
TENSORTIDY_OPERATOR(%, remainder, , FILLED_LIKE_Y.remainder_(y, Here))
#undef FILLED_LIKE_Y
TENSORTIDY_OPERATOR(<, lt, , y.gt(x, Here))
TENSORTIDY_OPERATOR(<=, le, , y.ge(x, Here))
TENSORTIDY_OPERATOR(>, gt, , y.lt(x, Here))
TENSORTIDY_OPERATOR(>=, ge, , y.le(x, Here))
TENSORTIDY_OPERATOR(==, eq, , y.eq(x, Here))
TENSORTIDY_OPERATOR(!=, ne, , y.ne(x, Here))
TENSORTIDY_OPERATOR(&, bitwise_and, , y.bitwise_and(x, Here))
TENSORTIDY_OPERATOR(|, bitwise_or, , y.bitwise_or(x, Here))
TENSORTIDY_OPERATOR(^, bitwise_xor, , y.bitwise_xor(x, Here))
#undef TENSORTIDY_OPERATOR
inline Tensor operator!(const Tensor &x) { return x.logical_not(); }

/// The elements, as libtorch prints them.
std::ostream &operator<<(std::ostream &Stream, const Tensor &self);
/// The same in lines of another length.
std::ostream &print(std::ostream &stream, const Tensor &tensor,
                    int64_t linesize);
void print(const Tensor &t, int64_t linesize = 80);
/// "float32 [2, 3], strides [1, 2], offset 4"
std::string describe(const Tensor &self);

} // namespace tensortidy

#endif
