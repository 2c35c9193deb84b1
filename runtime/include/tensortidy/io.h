//===- io.h - tensors to and from files and other libraries -----*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   torch::save(x, "x.pt");                    torch::load(x, "x.pt")
//   save_npy(x, "x.npy");                      numpy.load("x.npy")
//   save_npz({{"w", w}, {"b", b}}, "m.npz");   numpy.load("m.npz")["w"]
//   at::Tensor y = at::fromDLPack(toDLPack(x));       the same memory
//   for (float v : as_span<float>(x)) ...
//
// A file that is damaged or cut short throws Error and says where. Files are
// written beside their place and renamed, so no reader sees half of one.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_IO_H
#define TENSORTIDY_IO_H

#include "tensortidy/tensor.h"
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

struct DLManagedTensor; // <dlpack/dlpack.h>

namespace tensortidy {

namespace detail {
struct NamedTree;
} // namespace detail

//===--- libtorch's files -----------------------------------------------===//
// As torch::save() and torch::load() of libtorch's C++ interface write and read
// them: a tensor, or several, with their layouts and what they share. A file
// is read into the tensor that is there, whose other handles see it, and
// behind the tensors that a vector has.

void save(const Tensor &value, const std::string &file,
          Site Here = Site::current());
void save(const Tensor &value, std::ostream &stream,
          Site Here = Site::current());
void save(const std::vector<Tensor> &values, const std::string &file,
          Site Here = Site::current());
void save(const std::vector<Tensor> &values, std::ostream &stream,
          Site Here = Site::current());
void load(Tensor &value, const std::string &file, Site Here = Site::current());
void load(Tensor &value, std::istream &stream, Site Here = Site::current());
void load(std::vector<Tensor> &values, const std::string &file,
          Site Here = Site::current());
void load(std::vector<Tensor> &values, std::istream &stream,
          Site Here = Site::current());

namespace serialize {
/// Tensors and further archives by name.
class OutputArchive {
public:
  OutputArchive();
  void write(const std::string &key, const Tensor &tensor,
             bool is_buffer = false);
  void write(const std::string &key, OutputArchive &nested_archive);
  void save_to(const std::string &filename, Site Here = Site::current());
  void save_to(std::ostream &stream, Site Here = Site::current());

private:
  std::shared_ptr<detail::NamedTree> Content;
};
class InputArchive {
public:
  InputArchive();
  void load_from(const std::string &filename, optional<Device> = nullopt,
                 Site Here = Site::current());
  void load_from(std::istream &stream, optional<Device> = nullopt,
                 Site Here = Site::current());
  /// Into the tensor that is there; its other handles see it.
  void read(const std::string &key, Tensor &tensor, bool is_buffer = false);
  bool try_read(const std::string &key, Tensor &tensor, bool is_buffer = false);
  void read(const std::string &key, InputArchive &archive);
  bool try_read(const std::string &key, InputArchive &archive);
  std::vector<std::string> keys() const;

private:
  std::shared_ptr<const detail::NamedTree> Content;
};
} // namespace serialize
/// Modules, and handles of them.
template <class M, class... To>
auto save(const M &value, To &&...to)
    -> decltype(value->save(std::declval<serialize::OutputArchive &>())) {
  serialize::OutputArchive Archive;
  value->save(Archive);
  Archive.save_to(std::forward<To>(to)...);
}
template <class M, class... From>
auto load(M &value, From &&...from)
    -> decltype(value->load(std::declval<serialize::InputArchive &>())) {
  serialize::InputArchive Archive;
  Archive.load_from(std::forward<From>(from)...);
  value->load(Archive);
}

//===--- NumPy's files --------------------------------------------------===//
// Any layout is saved; column-major ones as they are (fortran_order). bfloat16,
// which NumPy lacks, is saved as '|V2'. Big-endian files are converted. Types
// this library lacks (uint16, complex, strings, objects) are refused.

void save_npy(const Tensor &x, const std::string &file,
              Site Here = Site::current());
Tensor load_npy(const std::string &file, Site Here = Site::current());
/// The same in memory.
std::string to_npy(const Tensor &x, Site Here = Site::current());
Tensor from_npy(const void *data, size_t length, Site Here = Site::current());

/// Archives of named tensors. Compressing, and loading what was compressed,
/// needs a build with zlib.
using NamedTensors = std::map<std::string, Tensor>;
void save_npz(const NamedTensors &tensors, const std::string &file,
              bool compressed = false, Site Here = Site::current());
NamedTensors load_npz(const std::string &file, Site Here = Site::current());

//===--- raw bytes ------------------------------------------------------===//
// The elements in order of index, as this machine stores them.

std::vector<uint8_t> to_bytes(const Tensor &x, Site Here = Site::current());
/// A copy of \p data, which must have exactly the length the sizes need.
Tensor from_bytes(const void *data, size_t length, IntArrayRef sizes,
                  TensorOptions options = {}, Site Here = Site::current());
void save_raw(const Tensor &x, const std::string &file,
              Site Here = Site::current());
Tensor load_raw(const std::string &file, IntArrayRef sizes,
                TensorOptions options = {}, Site Here = Site::current());

//===--- DLPack ---------------------------------------------------------===//

/// The tensor's own memory, for another library. It lives until that library
/// calls the deleter.
DLManagedTensor *toDLPack(const Tensor &x, Site Here = Site::current());
/// Another library's memory; its deleter runs once, when the last view dies.
/// The DLManagedTensor is consumed, unless this throws.
Tensor fromDLPack(DLManagedTensor *managed, Site Here = Site::current());

//===--- spans ----------------------------------------------------------===//

/// A borrowed run of elements, as std::span.
template <class T> class Span {
public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  constexpr Span() = default;
  constexpr Span(T *data, size_t size) : Data(data), Size(size) {}
  constexpr T *data() const { return Data; }
  constexpr size_t size() const { return Size; }
  constexpr bool empty() const { return Size == 0; }
  constexpr T *begin() const { return Data; }
  constexpr T *end() const { return Data + Size; }
  T &operator[](size_t Index) const {
#if TENSORTIDY_CHECKED
    if (Index >= Size)
      detail::accessorBounds(static_cast<int64_t>(Index),
                             static_cast<int64_t>(Size), 1, Data);
#endif
    return Data[Index];
  }

private:
  T *Data = nullptr;
  size_t Size = 0;
};

namespace detail {
void requireSpan(const Tensor &X, Site Here);
} // namespace detail

/// All elements of a contiguous tensor of type T (or const T); throws for
/// another type or layout. It borrows the tensor's memory.
template <class T>
Span<T> as_span(const Tensor &x, Site Here = Site::current()) {
  detail::requireSpan(x, Here);
  if constexpr (std::is_const_v<T>)
    return {x.template const_data_ptr<std::remove_const_t<T>>(),
            static_cast<size_t>(x.numel())};
  else
    return {x.template data_ptr<T>(), static_cast<size_t>(x.numel())};
}
template <class T> Span<T> as_span(Tensor &&x) = delete;

} // namespace tensortidy

#endif
