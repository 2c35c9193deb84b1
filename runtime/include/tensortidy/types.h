//===- types.h - the small types of the tensor API --------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Element types, lists of sizes, scalars, options, and the exception. The names
// and the spelling are libtorch's, so that code moves between the two.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TYPES_H
#define TENSORTIDY_TYPES_H

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tensortidy {

using std::nullopt;
using std::nullopt_t;
using std::optional;

class Tensor;
class Generator;

/// A violated rule. what() is the layout model's own text, then where the
/// tensor got its layout.
class Error : public std::runtime_error {
public:
  explicit Error(const std::string &Text, const char *Rule = "")
      : std::runtime_error(Text), Rule(Rule) {}
  const char *what_without_backtrace() const noexcept { return what(); }
  std::string msg() const { return what(); }
  /// The layout rule that refused, as "ViewStrides"; "" for other errors.
  const char *rule() const noexcept { return Rule; }

private:
  const char *Rule; // a literal
};
/// An index that names no element.
class IndexError : public Error {
public:
  using Error::Error;
};

class ValueError : public Error {
public:
  using Error::Error;
};
class TypeError : public Error {
public:
  using Error::Error;
};
class NotImplementedError : public Error {
public:
  using Error::Error;
};

/// The place of a call, taken by default arguments: what gave a tensor its
/// layout is named by file and line.
class Site {
public:
  static constexpr Site current(const char *File = __builtin_FILE(),
                                int Line = __builtin_LINE()) {
    return Site(File, Line);
  }
  /// Where no call is known, as inside operators.
  static constexpr Site none() { return Site(nullptr, 0); }
  const char *File;
  int Line;

private: // so that no brace list of an argument turns into one
  constexpr Site(const char *File, int Line) : File(File), Line(Line) {}
};

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

/// 16-bit numbers, computed with as float.
struct Half {
  uint16_t x = 0;
  Half() = default;
  Half(float Value);
  operator float() const;
};
struct BFloat16 {
  uint16_t x = 0;
  BFloat16() = default;
  BFloat16(float Value);
  operator float() const;
};

std::ostream &operator<<(std::ostream &Stream, Half Value);

/// Numbered as in libtorch.
enum class ScalarType : int8_t {
  Byte = 0,
  Char = 1,
  Short = 2,
  Int = 3,
  Long = 4,
  Half = 5,
  Float = 6,
  Double = 7,
  Bool = 11,
  BFloat16 = 15,
  Undefined = 22,
};
using Dtype = ScalarType;

constexpr ScalarType kByte = ScalarType::Byte, kUInt8 = kByte;
constexpr ScalarType kChar = ScalarType::Char, kInt8 = kChar;
constexpr ScalarType kShort = ScalarType::Short, kInt16 = kShort;
constexpr ScalarType kInt = ScalarType::Int, kInt32 = kInt;
constexpr ScalarType kLong = ScalarType::Long, kInt64 = kLong;
constexpr ScalarType kHalf = ScalarType::Half, kFloat16 = kHalf;
constexpr ScalarType kFloat = ScalarType::Float, kFloat32 = kFloat;
constexpr ScalarType kDouble = ScalarType::Double, kFloat64 = kDouble;
constexpr ScalarType kBool = ScalarType::Bool;
constexpr ScalarType kBFloat16 = ScalarType::BFloat16;
constexpr ScalarType kU8 = kByte, kI8 = kChar, kI16 = kShort, kI32 = kInt,
                     kI64 = kLong;
constexpr ScalarType kF16 = kHalf, kF32 = kFloat, kF64 = kDouble;

/// "Float"
const char *toString(ScalarType Type);
size_t elementSize(ScalarType Type);
constexpr bool isFloatingType(ScalarType T) {
  return T == kFloat || T == kDouble || T == kHalf || T == kBFloat16;
}
constexpr bool isIntegralType(ScalarType T, bool IncludeBool) {
  return (T >= kByte && T <= kLong) || (IncludeBool && T == kBool);
}
constexpr bool isSignedType(ScalarType T) { return T != kByte && T != kBool; }
constexpr bool isComplexType(ScalarType) { return false; }
std::ostream &operator<<(std::ostream &Stream, ScalarType Type);

/// The element type that a C++ type stands for.
template <class T> struct CppTypeToScalarType;
#define TENSORTIDY_SCALAR_TYPE(Cpp, Name)                                      \
  template <> struct CppTypeToScalarType<Cpp> {                                \
    static constexpr ScalarType value = ScalarType::Name;                      \
  };
TENSORTIDY_SCALAR_TYPE(uint8_t, Byte)
TENSORTIDY_SCALAR_TYPE(int8_t, Char)
TENSORTIDY_SCALAR_TYPE(int16_t, Short)
TENSORTIDY_SCALAR_TYPE(int32_t, Int)
TENSORTIDY_SCALAR_TYPE(int64_t, Long)
TENSORTIDY_SCALAR_TYPE(tensortidy::Half, Half)
TENSORTIDY_SCALAR_TYPE(float, Float)
TENSORTIDY_SCALAR_TYPE(double, Double)
TENSORTIDY_SCALAR_TYPE(bool, Bool)
TENSORTIDY_SCALAR_TYPE(tensortidy::BFloat16, BFloat16)
#undef TENSORTIDY_SCALAR_TYPE

/// What dtype() answers: an element type that is printed as in C++, "float".
class TypeMeta {
public:
  constexpr TypeMeta(ScalarType Type = ScalarType::Undefined) : Type(Type) {}
  constexpr operator ScalarType() const { return Type; }
  constexpr ScalarType toScalarType() const { return Type; }
  size_t itemsize() const { return elementSize(Type); }
  std::string_view name() const;
  template <class T> static constexpr TypeMeta Make() {
    return CppTypeToScalarType<T>::value;
  }
  template <class T> bool Match() const {
    return Type == CppTypeToScalarType<T>::value;
  }

private:
  ScalarType Type;
};
constexpr bool operator==(TypeMeta A, TypeMeta B) {
  return A.toScalarType() == B.toScalarType();
}
constexpr bool operator!=(TypeMeta A, TypeMeta B) { return !(A == B); }
constexpr bool operator==(TypeMeta A, ScalarType B) {
  return A.toScalarType() == B;
}
constexpr bool operator!=(TypeMeta A, ScalarType B) { return !(A == B); }
constexpr bool operator==(ScalarType A, TypeMeta B) { return B == A; }
constexpr bool operator!=(ScalarType A, TypeMeta B) { return !(B == A); }
std::ostream &operator<<(std::ostream &Stream, TypeMeta Type);
constexpr ScalarType typeMetaToScalarType(TypeMeta Type) { return Type; }
constexpr TypeMeta scalarTypeToTypeMeta(ScalarType Type) { return Type; }

ScalarType promoteTypes(ScalarType a, ScalarType b);
inline ScalarType promote_types(ScalarType a, ScalarType b) {
  return promoteTypes(a, b);
}
bool can_cast(ScalarType from, ScalarType to);
TypeMeta get_default_dtype();
inline ScalarType get_default_dtype_as_scalartype() {
  return get_default_dtype().toScalarType();
}
void set_default_dtype(ScalarType dtype);

enum class MemoryFormat : int8_t {
  Contiguous,
  Preserve,
  ChannelsLast,
  ChannelsLast3d,
};
enum class Layout : int8_t { Strided };
constexpr Layout kStrided = Layout::Strided;
std::ostream &operator<<(std::ostream &Stream, MemoryFormat Format);
std::ostream &operator<<(std::ostream &Stream, Layout Layout);

/// There is only the CPU; other devices are named so that code compiles, and
/// allocating on them throws.
enum class DeviceType : int8_t { CPU, CUDA };
constexpr DeviceType kCPU = DeviceType::CPU;
constexpr DeviceType kCUDA = DeviceType::CUDA;

class Device {
public:
  Device(DeviceType type, int8_t index = -1) : Type(type), Index(index) {}
  /// "cpu", "cuda", "cuda:1"
  Device(const std::string &device_string);
  Device(const char *device_string) : Device(std::string(device_string)) {}
  DeviceType type() const { return Type; }
  int8_t index() const { return Index; }
  bool has_index() const { return Index != -1; }
  bool is_cpu() const { return Type == DeviceType::CPU; }
  bool is_cuda() const { return Type == DeviceType::CUDA; }
  std::string str() const;
  friend bool operator==(Device A, Device B) {
    return A.Type == B.Type && A.Index == B.Index;
  }
  friend bool operator!=(Device A, Device B) { return !(A == B); }

private:
  DeviceType Type;
  int8_t Index;
};

std::ostream &operator<<(std::ostream &Stream, Device Device);
std::ostream &operator<<(std::ostream &Stream, DeviceType Type);

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

/// A borrowed run of elements. It does not own them: a list literal lives only
/// until the end of its statement.
template <class T> class ArrayRef {
public:
  using value_type = T;
  using iterator = const T *;
  using const_iterator = const T *;

  constexpr ArrayRef() = default;
  constexpr ArrayRef(const T &OneElt) : Data(&OneElt), Length(1) {}
  constexpr ArrayRef(const T *data, size_t length)
      : Data(data), Length(length) {}
  constexpr ArrayRef(const T *begin, const T *end)
      : Data(begin), Length(static_cast<size_t>(end - begin)) {}
  constexpr ArrayRef(const std::initializer_list<T> &Vec) : Length(Vec.size()) {
    Data = Vec.begin(); // lives as long as the full expression
  }
  template <size_t N>
  constexpr ArrayRef(const T (&Arr)[N]) : Data(Arr), Length(N) {}
  /// std::vector, std::array and what else has data() and size().
  template <class C,
            class = std::enable_if_t<std::is_convertible_v<
                decltype(std::declval<const C &>().data()), const T *>>>
  ArrayRef(const C &Container)
      : Data(Container.data()), Length(Container.size()) {}

  constexpr iterator begin() const { return Data; }
  constexpr iterator end() const { return Data + Length; }
  using reverse_iterator = std::reverse_iterator<iterator>;
  reverse_iterator rbegin() const { return reverse_iterator(end()); }
  reverse_iterator rend() const { return reverse_iterator(begin()); }
  constexpr const_iterator cbegin() const { return begin(); }
  constexpr const_iterator cend() const { return end(); }
  constexpr bool empty() const { return Length == 0; }
  constexpr const T *data() const { return Data; }
  constexpr size_t size() const { return Length; }
  constexpr const T &operator[](size_t Index) const { return Data[Index]; }
  const T &at(size_t Index) const {
    if (Index >= Length)
      throw Error("ArrayRef: index " + std::to_string(Index) +
                  " is out of range for length " + std::to_string(Length));
    return Data[Index];
  }
  const T &front() const { return at(0); }
  const T &back() const { return at(Length - 1); }
  ArrayRef slice(size_t N, size_t M) const { return {Data + N, M}; }
  ArrayRef slice(size_t N) const { return {Data + N, Length - N}; }
  std::vector<T> vec() const { return std::vector<T>(begin(), end()); }
  bool equals(ArrayRef RHS) const {
    if (Length != RHS.Length)
      return false;
    for (size_t I = 0; I < Length; ++I)
      if (!(Data[I] == RHS.Data[I]))
        return false;
    return true;
  }

private:
  const T *Data = nullptr;
  size_t Length = 0;
};

template <class T> bool operator==(ArrayRef<T> A, ArrayRef<T> B) {
  return A.equals(B);
}
template <class T> bool operator!=(ArrayRef<T> A, ArrayRef<T> B) {
  return !A.equals(B);
}
template <class T> bool operator==(const std::vector<T> &A, ArrayRef<T> B) {
  return ArrayRef<T>(A).equals(B);
}
template <class T> bool operator==(ArrayRef<T> A, const std::vector<T> &B) {
  return A.equals(ArrayRef<T>(B));
}
template <class T> bool operator!=(const std::vector<T> &A, ArrayRef<T> B) {
  return !ArrayRef<T>(A).equals(B);
}
template <class T> bool operator!=(ArrayRef<T> A, const std::vector<T> &B) {
  return !A.equals(ArrayRef<T>(B));
}

template <class T> ArrayRef<T> makeArrayRef(const T &OneElt) { return OneElt; }
template <class T> ArrayRef<T> makeArrayRef(const std::vector<T> &Vec) {
  return Vec;
}
template <class T> ArrayRef<T> makeArrayRef(const T *data, size_t length) {
  return {data, length};
}

/// A handle: copies name the same elements.
template <class T> class List {
public:
  using value_type = T;
  List() = default;
  List(std::initializer_list<T> initial_values)
      : Elements(std::make_shared<std::vector<T>>(initial_values)) {}
  explicit List(ArrayRef<T> initial_values)
      : Elements(std::make_shared<std::vector<T>>(initial_values.begin(),
                                                  initial_values.end())) {}
  List copy() const { return List(ArrayRef<T>(*Elements)); }
  size_t size() const { return Elements->size(); }
  bool empty() const { return Elements->empty(); }
  T get(size_t pos) const { return Elements->at(pos); }
  T &operator[](size_t pos) const { return Elements->at(pos); }
  void set(size_t pos, T value) const { Elements->at(pos) = std::move(value); }
  T extract(size_t pos) const { return std::move(Elements->at(pos)); }
  void push_back(T value) const { Elements->push_back(std::move(value)); }
  template <class... Args> void emplace_back(Args &&...args) const {
    Elements->emplace_back(std::forward<Args>(args)...);
  }
  void append(List lst) const {
    const std::vector<T> More = *lst.Elements;
    Elements->insert(Elements->end(), More.begin(), More.end());
  }
  void pop_back() const { Elements->pop_back(); }
  void clear() const { Elements->clear(); }
  void reserve(size_t new_cap) const { Elements->reserve(new_cap); }
  void resize(size_t count) const { Elements->resize(count); }
  void resize(size_t count, const T &value) const {
    Elements->resize(count, value);
  }
  auto begin() const { return Elements->begin(); }
  auto end() const { return Elements->end(); }
  auto erase(typename std::vector<T>::iterator pos) const {
    return Elements->erase(pos);
  }
  auto insert(typename std::vector<T>::iterator pos, T value) const {
    return Elements->insert(pos, std::move(value));
  }
  std::vector<T> vec() const { return *Elements; }
  bool is(const List &rhs) const { return Elements == rhs.Elements; }
  size_t use_count() const { return static_cast<size_t>(Elements.use_count()); }
  friend bool operator==(const List &A, const List &B) {
    return *A.Elements == *B.Elements;
  }
  friend bool operator!=(const List &A, const List &B) { return !(A == B); }

private:
  std::shared_ptr<std::vector<T>> Elements = std::make_shared<std::vector<T>>();
};

using IntArrayRef = ArrayRef<int64_t>;
using IntList = IntArrayRef;
using TensorList = ArrayRef<Tensor>;
std::ostream &operator<<(std::ostream &Stream, IntArrayRef List);

/// A list of dimensions, or none, which means all of them.
class OptionalIntArrayRef {
public:
  OptionalIntArrayRef() = default;
  OptionalIntArrayRef(nullopt_t) {}
  OptionalIntArrayRef(IntArrayRef List) : List(List), Has(true) {}
  OptionalIntArrayRef(const int64_t &One) : List(One), Has(true) {}
  OptionalIntArrayRef(const std::initializer_list<int64_t> &L)
      : List(L), Has(true) {}
  OptionalIntArrayRef(const std::vector<int64_t> &L) : List(L), Has(true) {}
  bool has_value() const { return Has; }
  explicit operator bool() const { return Has; }
  const IntArrayRef &value() const { return List; }
  const IntArrayRef &operator*() const { return List; }
  const IntArrayRef *operator->() const { return &List; }

private:
  IntArrayRef List;
  bool Has = false;
};

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

/// A number of any element type: boolean, integral or floating.
class Scalar {
public:
  Scalar() : Scalar(int64_t(0)) {}
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  Scalar(T Value) {
    if constexpr (std::is_same_v<T, bool>)
      K = Bool, I = Value;
    else if constexpr (std::is_integral_v<T>)
      K = Int, I = static_cast<int64_t>(Value);
    else
      K = Float, D = static_cast<double>(Value);
  }
  Scalar(Half Value) : Scalar(float(Value)) {}
  Scalar(BFloat16 Value) : Scalar(float(Value)) {}

  bool isFloatingPoint() const { return K == Float; }
  bool isIntegral(bool IncludeBool) const {
    return K == Int || (IncludeBool && K == Bool);
  }
  bool isBoolean() const { return K == Bool; }
  ScalarType type() const {
    return K == Float ? kDouble : K == Int ? kLong : kBool;
  }
  double toDouble() const { return K == Float ? D : static_cast<double>(I); }
  float toFloat() const { return to<float>(); }
  int64_t toLong() const { return K == Float ? to<int64_t>() : I; }
  int toInt() const { return to<int>(); }
  int16_t toShort() const { return to<int16_t>(); }
  int8_t toChar() const { return to<int8_t>(); }
  uint8_t toByte() const { return to<uint8_t>(); }
  Half toHalf() const { return to<Half>(); }
  BFloat16 toBFloat16() const { return to<BFloat16>(); }
  bool isComplex() const { return false; }
  bool toBool() const { return K == Float ? D != 0 : I != 0; }
  /// Throws when the value does not fit. A negative integer wraps around in an
  /// unsigned type, as it does in libtorch.
  template <class T> T to() const {
    if constexpr (std::is_same_v<T, bool>) {
      return toBool();
    } else if constexpr (std::is_integral_v<T>) {
      using Limits = std::numeric_limits<T>;
      constexpr auto Least = static_cast<double>(Limits::min());
      constexpr auto Most = static_cast<double>(Limits::max());
      bool Fits;
      if (K == Float) // the greatest int64 is not a double: one more is
        Fits = D >= Least && (sizeof(T) == 8 ? D < Most : D <= Most);
      else if (std::is_unsigned_v<T> && I < 0)
        Fits = I >= -static_cast<int64_t>(Limits::max());
      else
        Fits = sizeof(T) == 8 || (I >= static_cast<int64_t>(Limits::min()) &&
                                  I <= static_cast<int64_t>(Limits::max()));
      if (!Fits)
        overflow(CppTypeToScalarType<T>::value);
      return K == Float ? static_cast<T>(static_cast<int64_t>(D))
                        : static_cast<T>(I);
    } else {
      const double V = toDouble(), Size = V < 0 ? -V : V;
      double Most = 1.7976931348623157e308;
      if (std::is_same_v<T, float>)
        Most = 3.4028234663852886e38;
      else if (std::is_same_v<T, Half>)
        Most = 65504;
      else if (std::is_same_v<T, BFloat16>)
        Most = 3.3895313892515355e38;
      constexpr double Infinity = std::numeric_limits<double>::infinity();
      if (Size > Most && Size != Infinity)
        overflow(CppTypeToScalarType<T>::value);
      if constexpr (std::is_same_v<T, double>)
        return V;
      else
        return T(static_cast<float>(V));
    }
  }
  bool isSymInt() const { return false; }
  bool equal(const Scalar &O) const {
    return K == Float || O.K == Float ? toDouble() == O.toDouble() : I == O.I;
  }
  Scalar operator-() const { return K == Float ? Scalar(-D) : Scalar(-I); }

private:
  [[noreturn]] static void overflow(ScalarType Type);
  enum Kind : uint8_t { Bool, Int, Float } K = Int;
  union {
    int64_t I = 0;
    double D;
  };
};

std::ostream &operator<<(std::ostream &Stream, const Scalar &Value);

//===----------------------------------------------------------------------===//
// Options of factories and conversions
//===----------------------------------------------------------------------===//

class TensorOptions {
public:
  TensorOptions() = default;
  TensorOptions(ScalarType dtype) : Type(dtype) {}
  TensorOptions(TypeMeta dtype) : Type(dtype.toScalarType()) {}
  TensorOptions(tensortidy::Layout) : Laid(true) {}
  TensorOptions(Device device) : Place(device) {}
  TensorOptions(DeviceType device) : Place(Device(device)) {}
  TensorOptions(MemoryFormat memory_format) : Format(memory_format) {}

  TensorOptions dtype(optional<ScalarType> dtype) const {
    TensorOptions R = *this;
    R.Type = dtype;
    return R;
  }
  template <class T> TensorOptions dtype() const {
    return dtype(CppTypeToScalarType<T>::value);
  }
  TensorOptions device(optional<Device> device) const {
    TensorOptions R = *this;
    R.Place = device;
    return R;
  }
  TensorOptions device(DeviceType type, int8_t index = -1) const {
    return device(Device(type, index));
  }
  TensorOptions layout(optional<tensortidy::Layout> layout) const {
    TensorOptions R = *this;
    R.Laid = layout.has_value();
    return R;
  }
  TensorOptions requires_grad(optional<bool> requires_grad) const {
    TensorOptions R = *this;
    R.Grad = requires_grad;
    return R;
  }
  TensorOptions pinned_memory(optional<bool> pinned_memory) const {
    TensorOptions R = *this;
    R.Pinned = pinned_memory;
    return R;
  }
  TensorOptions memory_format(optional<MemoryFormat> memory_format) const {
    TensorOptions R = *this;
    R.Format = memory_format;
    return R;
  }
  TypeMeta dtype() const {
    return Type ? TypeMeta(*Type) : get_default_dtype();
  }
  Device device() const { return Place ? *Place : Device(kCPU); }
  tensortidy::Layout layout() const { return kStrided; }
  bool requires_grad() const { return Grad.value_or(false); }
  bool pinned_memory() const { return Pinned.value_or(false); }
  bool has_dtype() const { return Type.has_value(); }
  bool has_device() const { return Place.has_value(); }
  bool has_layout() const { return Laid; }
  bool has_memory_format() const { return Format.has_value(); }
  bool has_requires_grad() const { return Grad.has_value(); }
  bool has_pinned_memory() const { return Pinned.has_value(); }
  optional<bool> pinned_memory_opt() const { return Pinned; }
  optional<bool> requires_grad_opt() const { return Grad; }
  optional<ScalarType> dtype_opt() const { return Type; }
  optional<Device> device_opt() const { return Place; }
  optional<MemoryFormat> memory_format_opt() const { return Format; }

private:
  optional<ScalarType> Type;
  optional<Device> Place;
  optional<bool> Grad;
  optional<MemoryFormat> Format;
  bool Laid = false;     ///< there is but one layout
  optional<bool> Pinned; ///< all memory is the same to us
};

std::ostream &operator<<(std::ostream &Stream, const TensorOptions &Options);

inline TensorOptions dtype(ScalarType dtype) { return dtype; }
template <class T> TensorOptions dtype() {
  return CppTypeToScalarType<T>::value;
}
inline TensorOptions device(Device device) { return device; }
inline TensorOptions requires_grad(bool requires_grad = true) {
  return TensorOptions().requires_grad(requires_grad);
}
inline TensorOptions memory_format(MemoryFormat memory_format) {
  return memory_format;
}

} // namespace tensortidy

#endif
