//===- Numpy.cpp - .npy, .npz, raw bytes, spans ---------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   .npy   \x93NUMPY 1 0 | length | {'descr': '<f4', 'fortran_order': False,
//                                    'shape': (2, 3), }  \n | elements
//   .npz   a zip archive of them, stored or deflated; found by its directory
//          at the end. Every number read is checked before it is used.
//
//===----------------------------------------------------------------------===//

#include "io/Archive.h"
#include "io/File.h"
#include "core/Impl.h"
#include "tensortidy/io.h"
#include <array>
#include <cstring>
#include <string_view>

namespace tensortidy {

using detail::allocateDense;
using detail::Ar;
using detail::ArchiveEntry;
using detail::ArchiveReader;
using detail::ArchiveWriter;
using detail::Dims;
using detail::dims;
using detail::fail;
using detail::getNumber;
using detail::impl;
using detail::InFile;
using detail::OutFile;
using detail::putNumber;
using detail::reads;

namespace {

//===--- the header of an array
//---------------------------------------------===//

struct Header {
  ScalarType Type = kFloat;
  bool Swap = false; ///< big-endian
  bool Fortran = false;
  Dims Sizes;
  uint64_t Bytes = 0; ///< of the elements
};

const char *descrOf(ScalarType Type) {
  switch (Type) {
  case kByte:
    return "|u1";
  case kChar:
    return "|i1";
  case kShort:
    return "<i2";
  case kInt:
    return "<i4";
  case kLong:
    return "<i8";
  case kHalf:
    return "<f2";
  case kFloat:
    return "<f4";
  case kDouble:
    return "<f8";
  case kBool:
    return "|b1";
  default:
    return "|V2"; // as NumPy saves ml_dtypes.bfloat16
  }
}

/// The Python literal of a header.
class HeaderParser {
public:
  HeaderParser(std::string_view Text, const std::string &Name)
      : Text(Text), Name(Name) {}

  Header parse() {
    Header H;
    bool HasType = false, HasOrder = false, HasShape = false;
    expect('{');
    while (!accept('}')) {
      const std::string Key = quoted();
      expect(':');
      if (Key == "descr") {
        type(H);
        HasType = true;
      } else if (Key == "fortran_order") {
        H.Fortran = boolean();
        HasOrder = true;
      } else if (Key == "shape") {
        shape(H.Sizes);
        HasShape = true;
      } else {
        bad("has an unknown key '" + Key + "'");
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    blanks();
    if (At != Text.size())
      bad("goes on after its end");
    if (!HasType || !HasOrder || !HasShape)
      bad("lacks one of descr, fortran_order and shape");
    int64_t Bytes = static_cast<int64_t>(elementSize(H.Type));
    for (int64_t S : H.Sizes)
      if (S == 0)
        Bytes = 0;
    for (int64_t S : H.Sizes)
      if (__builtin_mul_overflow(Bytes, S, &Bytes))
        bad("has a shape too large for any memory");
    H.Bytes = static_cast<uint64_t>(Bytes);
    return H;
  }

private:
  [[noreturn]] void bad(const std::string &What) const {
    throw Error(Name + ": the array header " + What);
  }
  void blanks() {
    while (At < Text.size() && std::strchr(" \n\t\r", Text[At]) && Text[At])
      ++At;
  }
  bool accept(char C) {
    blanks();
    if (At == Text.size() || Text[At] != C)
      return false;
    ++At;
    return true;
  }
  void expect(char C) {
    if (!accept(C))
      bad(std::string("has no '") + C + "' at character " + std::to_string(At));
  }
  std::string quoted() {
    blanks();
    const char Q = At < Text.size() ? Text[At] : '\0';
    const size_t End =
        Q == '\'' || Q == '"' ? Text.find(Q, At + 1) : std::string_view::npos;
    if (End == std::string_view::npos)
      bad("has no string at character " + std::to_string(At));
    std::string R(Text.substr(At + 1, End - At - 1));
    At = End + 1;
    return R;
  }
  bool boolean() {
    blanks();
    for (const bool B : {false, true}) {
      const std::string_view Word = B ? "True" : "False";
      if (Text.substr(At, Word.size()) == Word) {
        At += Word.size();
        return B;
      }
    }
    bad("has no True or False at character " + std::to_string(At));
  }
  void shape(Dims &To) {
    expect('(');
    while (!accept(')')) {
      blanks();
      const size_t Begin = At;
      int64_t V = 0;
      for (; At < Text.size() && Text[At] >= '0' && Text[At] <= '9'; ++At)
        if (__builtin_mul_overflow(V, 10, &V) ||
            __builtin_add_overflow(V, Text[At] - '0', &V))
          bad("has a size that is too large");
      if (At == Begin)
        bad("has no size at character " + std::to_string(At));
      accept('L'); // as Python 2 wrote it
      To.push_back(V);
      if (To.size() > 64)
        bad("has more than 64 dimensions");
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
  }
  void type(Header &H) {
    blanks();
    if (At < Text.size() && Text[At] == '[')
      throw Error(Name + ": arrays of structures are not supported");
    const std::string D = quoted();
    static constexpr ScalarType All[] = {kByte, kChar,    kShort, kInt,
                                         kLong, kHalf,    kFloat, kDouble,
                                         kBool, kBFloat16};
    for (const ScalarType T : All) {
      const char *Known = descrOf(T);
      if (D.size() != 3 || D.substr(1) != Known + 1)
        continue;
      if (!std::strchr("<>=|", D[0]))
        break;
      H.Type = T;
      H.Swap = D[0] == '>' && elementSize(T) > 1;
      return;
    }
    throw Error(Name + ": there is no element type for '" + D + "'");
  }

  std::string_view Text;
  std::string Name;
  size_t At = 0;
};

/// What is read from: a file, or memory.
class MemorySource {
public:
  MemorySource(const void *Data, uint64_t Size, std::string Name)
      : Data(static_cast<const char *>(Data)), Size(Size),
        Name(std::move(Name)) {}
  uint64_t left() const { return Size - At; }
  const std::string &name() const { return Name; }
  void read(void *To, uint64_t Bytes) {
    if (Bytes > left())
      throw Error(Name + " is cut short: " + std::to_string(Bytes) +
                  " bytes expected at byte " + std::to_string(At) +
                  ", there are " + std::to_string(Size));
    if (Bytes)
      std::memcpy(To, Data + At, Bytes);
    At += Bytes;
  }

private:
  const char *Data;
  uint64_t Size, At = 0;
  std::string Name;
};

void swapBytes(char *Data, uint64_t Bytes, size_t Size) {
  for (uint64_t I = 0; I < Bytes; I += Size)
    for (size_t A = 0, B = Size - 1; A < B; ++A, --B)
      std::swap(Data[I + A], Data[I + B]);
}

template <class Source>
Tensor readArray(Source &From, const char *Op, Site Here) {
  std::array<char, 12> Begin{};
  From.read(Begin.data(), 8);
  const std::string_view Head(Begin.data(), Begin.size());
  if (Head.substr(0, 6) != "\x93NUMPY")
    throw Error(From.name() + " is not a .npy file");
  const int Major = Begin[6];
  if (Major < 1 || Major > 3)
    throw Error(From.name() + ": format version " + std::to_string(Major) +
                " is unknown");
  const int Width = Major == 1 ? 2 : 4;
  From.read(Begin.data() + 8, static_cast<uint64_t>(Width));
  const uint64_t Length = getNumber(Head, 8, Width);
  if (Length > From.left())
    throw Error(From.name() + " is cut short: a header of " +
                std::to_string(Length) + " bytes does not fit");
  std::string Text(Length, '\0');
  From.read(Text.data(), Length);
  Header H = HeaderParser(Text, From.name()).parse();
  if (H.Bytes > From.left()) // before memory is asked for
    throw Error(From.name() + " is cut short: sizes " +
                detail::text(detail::ref(H.Sizes)) + " need " +
                std::to_string(H.Bytes) + " bytes, there are " +
                std::to_string(From.left()));
  Dims Stored = H.Sizes;
  if (H.Fortran)
    for (size_t I = 0; I < Stored.size(); ++I)
      Stored[I] = H.Sizes[Stored.size() - 1 - I];
  Tensor R = allocateDense(std::move(Stored), H.Type, Op, Here);
  char *Data = impl(R).Store->Data;
  From.read(Data, H.Bytes);
  if (H.Swap)
    swapBytes(Data, H.Bytes, elementSize(H.Type));
  if (H.Type == kBool) // anything but 0 and 1 is no bool
    for (uint64_t I = 0; I < H.Bytes; ++I)
      Data[I] = Data[I] != 0;
  return H.Fortran ? R.numpy_T(Here) : R;
}

//===--- writing
//------------------------------------------------------------===//

/// The tensor whose memory is written, and the header before it.
struct Array {
  std::string Head;
  Tensor Stored; ///< contiguous
  size_t bytes() const { return Stored.nbytes(); }
  const char *data() const { return impl(Stored).data(); }
};
Array arrayOf(const Tensor &X, const char *Op, Site Here) {
  const auto &L = impl(X, Op, Here).L;
  reads(X, Op, Here); // a file cannot say that it was never written
  Array A;
  bool Fortran = false;
  A.Stored = X;
  if (!X.is_contiguous()) {
    const Tensor Turned = X.numpy_T(Here);
    Fortran = Turned.is_contiguous();
    A.Stored = Fortran ? Turned : X.contiguous(MemoryFormat::Contiguous, Here);
  }
  std::string Dict = std::string("{'descr': '") + descrOf(impl(X).Type) +
                     "', 'fortran_order': " + (Fortran ? "True" : "False") +
                     ", 'shape': (";
  for (size_t I = 0; I < L.rank(); ++I)
    Dict += std::to_string(L.Sizes[I]) + (L.rank() == 1 ? "," : "") +
            (I + 1 < L.rank() ? ", " : "");
  Dict += "), }";
  // Elements begin at a multiple of 64.
  const bool Long = Dict.size() + 1 + 10 + 64 > 0xffff;
  const size_t Before = Long ? 12 : 10;
  while ((Before + Dict.size() + 1) % 64 != 0)
    Dict += ' ';
  Dict += '\n';
  A.Head = "\x93NUMPY";
  putNumber(A.Head, Long ? 2 : 1, 1);
  putNumber(A.Head, 0, 1);
  putNumber(A.Head, Dict.size(), Long ? 4 : 2);
  A.Head += Dict;
  return A;
}

/// \p Sizes of \p Type are exactly \p Length bytes.
Tensor allocateExactly(uint64_t Length, IntArrayRef Sizes, TensorOptions O,
                       const std::string &What, const char *Op, Site Here) {
  detail::requireSizes(Sizes, Op, Here);
  const ScalarType Type = O.dtype();
  int64_t Bytes = static_cast<int64_t>(elementSize(Type));
  bool Overflows = false;
  for (int64_t S : Sizes)
    Overflows = __builtin_mul_overflow(Bytes, S, &Bytes) || Overflows;
  if (Overflows || static_cast<uint64_t>(Bytes) != Length)
    fail(std::string(Op) + ": sizes " + detail::text(Sizes) + " of " +
             toString(Type) +
             (Overflows ? " overflow" : " need " + std::to_string(Bytes)) +
             " bytes, " + What + " has " + std::to_string(Length),
         Here);
  return allocateDense(dims(Sizes), Type, Op, Here);
}

} // namespace

void save_npy(const Tensor &x, const std::string &file, Site Here) {
  const Array A = arrayOf(x, "save_npy", Here);
  OutFile F(file);
  F.write(A.Head);
  F.write(A.data(), A.bytes());
  F.commit();
}
Tensor load_npy(const std::string &file, Site Here) {
  InFile F(file);
  return readArray(F, "load_npy", Here);
}
std::string to_npy(const Tensor &x, Site Here) {
  const Array A = arrayOf(x, "to_npy", Here);
  return A.bytes() ? A.Head + std::string(A.data(), A.bytes()) : A.Head;
}
Tensor from_npy(const void *data, size_t length, Site Here) {
  MemorySource M(data, length, "from_npy: the array");
  return readArray(M, "from_npy", Here);
}

void save_npz(const NamedTensors &tensors, const std::string &file,
              bool compressed, Site Here) {
#if !TENSORTIDY_ZLIB
  if (compressed)
    fail("save_npz: this build has no zlib, so it cannot compress", Here);
#endif
  if (tensors.size() > ArchiveWriter::Most)
    fail("save_npz: more than 65534 tensors", Here);
  OutFile F(file);
  ArchiveWriter W(
      [&](std::string_view Text) { F.write(Text.data(), Text.size()); });
  for (const auto &[Key, X] : tensors) {
    const Array A = arrayOf(X, "save_npz", Here);
    if (!W.add(Key + ".npy", A.Head, {A.data(), A.bytes()}, compressed))
      fail("save_npz: '" + Key +
               "' makes the archive larger than 4 GiB; use save_npy",
           Here);
  }
  W.end();
  F.commit();
}

NamedTensors load_npz(const std::string &file, Site Here) {
  InFile F(file);
  NamedTensors R;
  const ArchiveReader Archive(F);
  for (const ArchiveEntry &E : Archive.entries()) {
    const std::string Whole = Archive.contents(E);
    MemorySource M(Whole.data(), Whole.size(), file + ": '" + E.Name + "'");
    std::string Key = E.Name;
    if (Key.size() > 4 && Key.compare(Key.size() - 4, 4, ".npy") == 0)
      Key.resize(Key.size() - 4);
    R[Key] = readArray(M, "load_npz", Here);
  }
  return R;
}

std::vector<uint8_t> to_bytes(const Tensor &x, Site Here) {
  detail::reads(x, "to_bytes", Here);
  const Tensor C = x.contiguous(MemoryFormat::Contiguous, Here);
  const char *Data = impl(C).data();
  return std::vector<uint8_t>(Data, Data + C.nbytes());
}
Tensor from_bytes(const void *data, size_t length, IntArrayRef sizes,
                  TensorOptions options, Site Here) {
  Tensor R =
      allocateExactly(length, sizes, options, "the data", "from_bytes", Here);
  if (length)
    std::memcpy(impl(R).data(), data, length);
  return R;
}
void save_raw(const Tensor &x, const std::string &file, Site Here) {
  detail::reads(x, "save_raw", Here);
  const Tensor C = x.contiguous(MemoryFormat::Contiguous, Here);
  OutFile F(file);
  F.write(impl(C).data(), C.nbytes());
  F.commit();
}
Tensor load_raw(const std::string &file, IntArrayRef sizes,
                TensorOptions options, Site Here) {
  InFile F(file);
  Tensor R = allocateExactly(F.size(), sizes, options, file, "load_raw", Here);
  F.read(impl(R).data(), F.size());
  return R;
}

void detail::requireSpan(const Tensor &X, Site Here) {
  impl(X, "as_span", Here);
  if (!X.is_contiguous())
    fail("as_span: the elements do not lie in order, without gaps; use "
         "contiguous() first",
         X, Here);
}

} // namespace tensortidy
