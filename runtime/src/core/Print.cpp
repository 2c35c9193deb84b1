//===- Print.cpp - tensors as text ----------------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "core/Impl.h"
#include "core/Release.h"
#include <charconv>
#include <cmath>
#include <iomanip>
#include <iostream>

namespace tensortidy {

using detail::impl;
using layout::Change;

std::ostream &operator<<(std::ostream &Stream, ScalarType Type) {
  return Stream << toString(Type);
}
std::string_view TypeMeta::name() const {
  switch (Type) {
  case kByte:
    return "unsigned char";
  case kChar:
    return "signed char";
  case kShort:
    return "short int";
  case kInt:
    return "int";
  case kLong:
    return "long int";
  case kHalf:
    return "c10::Half";
  case kBFloat16:
    return "c10::BFloat16";
  case kFloat:
    return "float";
  case kDouble:
    return "double";
  case kBool:
    return "bool";
  default:
    return "nullptr (uninitialized)";
  }
}
std::ostream &operator<<(std::ostream &Stream, TypeMeta Type) {
  return Stream << Type.name();
}
std::ostream &operator<<(std::ostream &Stream, Layout) {
  return Stream << "Strided";
}
std::ostream &operator<<(std::ostream &Stream, Device Device) {
  return Stream << Device.str();
}
std::ostream &operator<<(std::ostream &Stream, DeviceType Type) {
  return Stream << Device(Type).str();
}
std::ostream &operator<<(std::ostream &Stream, const TensorOptions &Options) {
  auto Default = [](bool Given) { return Given ? "" : " (default)"; };
  Stream << "TensorOptions(dtype=" << Options.dtype()
         << Default(Options.has_dtype()) << ", device=" << Options.device()
         << Default(Options.has_device()) << ", layout=Strided"
         << Default(Options.has_layout())
         << ", requires_grad=" << std::boolalpha // stays, as in libtorch
         << Options.requires_grad()
         << Default(Options.requires_grad_opt().has_value())
         << ", pinned_memory=" << Options.pinned_memory()
         << Default(Options.has_pinned_memory()) << ", memory_format=";
  if (Options.has_memory_format())
    return Stream << *Options.memory_format_opt() << ")";
  return Stream << "(nullopt))";
}
std::ostream &operator<<(std::ostream &Stream, MemoryFormat Format) {
  switch (Format) {
  case MemoryFormat::Contiguous:
    return Stream << "Contiguous";
  case MemoryFormat::Preserve:
    return Stream << "Preserve";
  case MemoryFormat::ChannelsLast:
    return Stream << "ChannelsLast";
  default:
    return Stream << "ChannelsLast3d";
  }
}
std::ostream &operator<<(std::ostream &Stream,
                         const DeprecatedTypeProperties &Type) {
  return Stream << Type.toString();
}
std::ostream &operator<<(std::ostream &Stream, Half Value) {
  return Stream << float(Value);
}
namespace indexing {
std::ostream &operator<<(std::ostream &stream, const Slice &slice) {
  return stream << slice.start() << ':' << slice.stop() << ':' << slice.step();
}
std::ostream &operator<<(std::ostream &stream,
                         const TensorIndex &tensor_index) {
  switch (tensor_index.K) {
  case TensorIndex::IsNone:
    return stream << "None";
  case TensorIndex::IsEllipsis:
    return stream << "...";
  case TensorIndex::IsInteger:
    return stream << tensor_index.integer();
  case TensorIndex::IsBoolean:
    return stream << (tensor_index.boolean() ? "true" : "false");
  case TensorIndex::IsSlice:
    return stream << tensor_index.slice();
  default:
    return stream << tensor_index.tensor();
  }
}
std::ostream &operator<<(std::ostream &stream,
                         const std::vector<TensorIndex> &tensor_indices) {
  stream << '(';
  for (size_t K = 0; K < tensor_indices.size(); ++K)
    stream << (K ? ", " : "") << tensor_indices[K];
  return stream << ')';
}
} // namespace indexing
std::ostream &operator<<(std::ostream &Stream, const Scalar &Value) {
  if (Value.isFloatingPoint())
    return Stream << Value.toDouble();
  if (Value.isBoolean())
    return Stream << (Value.toBool() ? "true" : "false");
  return Stream << Value.toLong();
}
std::ostream &operator<<(std::ostream &Stream, IntArrayRef List) {
  return Stream << detail::text(List);
}

static const char *plainName(ScalarType Type) {
  switch (Type) {
  case kByte:
    return "uint8";
  case kChar:
    return "int8";
  case kShort:
    return "int16";
  case kInt:
    return "int32";
  case kLong:
    return "int64";
  case kHalf:
    return "float16";
  case kBFloat16:
    return "bfloat16";
  case kFloat:
    return "float32";
  case kDouble:
    return "float64";
  case kBool:
    return "bool";
  default:
    return "undefined";
  }
}

std::string describe(const Tensor &self) {
  if (!self.defined())
    return "undefined";
  std::string R = std::string(plainName(self.scalar_type())) + " " +
                  detail::text(self.sizes()) + ", strides " +
                  detail::text(self.strides());
  if (self.storage_offset())
    R += ", offset " + std::to_string(self.storage_offset());
  return R;
}

std::string Tensor::toString() const {
  if (!defined())
    return "UndefinedType";
  return std::string("CPU") + tensortidy::toString(scalar_type()) + "Type";
}
void Tensor::print() const {
  std::cerr << "[" << toString() << " " << detail::text(sizes()) << "]\n";
}

namespace {

/// Restores what a stream was told about numbers.
class Restore {
public:
  explicit Restore(std::ostream &Stream) : Stream(Stream), Before(nullptr) {
    Before.copyfmt(Stream);
  }
  Restore(const Restore &) = delete;
  ~Restore() { Stream.copyfmt(Before); }

private:
  std::ostream &Stream;
  std::ios Before;
};

/// Whole numbers and those without a notation of their own, %g.
void plain(std::ostream &Stream) { Stream.unsetf(std::ios_base::floatfield); }
/// log10, of what is a digit long at least.
double digits(double V) { return V == 0 ? 1 : std::floor(std::log10(V)) + 1; }

/// As few digits as give the number back: 0.1, 1e+16.
std::string shortest(double V) {
  if (!std::isfinite(V) || V == 0)
    return std::isnan(V) ? (std::signbit(V) ? "-nan" : "nan")
           : V == 0      ? (std::signbit(V) ? "-0" : "0")
                         : (V < 0 ? "-inf" : "inf");
  char Text[40];
  const auto End =
      std::to_chars(Text, Text + sizeof Text, V, std::chars_format::scientific);
  const std::string All(Text, End.ptr);
  const int Power = std::stoi(All.substr(All.find('e') + 1));
  if (Power < -4 || Power >= 16)
    return All;
  const auto Fixed =
      std::to_chars(Text, Text + sizeof Text, V, std::chars_format::fixed);
  return std::string(Text, Fixed.ptr);
}

/// How the numbers of a vector or matrix are written, all in one width. The
/// stream is told the notation.
struct Format {
  double Scale = 1; ///< numbers are divided by it, "100 *" stands before them
  int Width = 0;

  Format(std::ostream &Stream, const double *Data, int64_t Count) {
    bool Whole = true, Any = false;
    double Least = 1, Most = 1;
    for (int64_t K = 0; K < Count; ++K) {
      const double V = Data[K], Size = std::abs(V);
      if (!std::isfinite(V))
        continue;
      Whole = Whole && V == std::ceil(V);
      if (!Any)
        Least = Most = Size;
      Any = true;
      Least = std::min(Least, Size);
      // Once negative numbers widened nothing.
      if (V > Most || (Size > Most && detail::has(Change::PrintsWideNegatives)))
        Most = Size;
    }
    const double Low = Any ? digits(Least) : 1, High = Any ? digits(Most) : 1;
    if (Whole ? High > 9 : High - Low > 4) {
      const bool Long = !Whole && (std::abs(High) > 99 || std::abs(Low) > 99);
      Width = Long ? 12 : 11;
      Stream << std::scientific << std::setprecision(4);
    } else if (Whole) {
      Width = static_cast<int>(High) + 1;
      plain(Stream);
      if (detail::has(Change::PrintsShortest))
        Stream << std::setprecision(6);
    } else {
      const bool Scaled = High > 5 || High < 0;
      if (Scaled)
        Scale = std::pow(10, High - 1);
      Width = Scaled || High == 0 ? 7 : static_cast<int>(High) + 6;
      Stream << std::fixed << std::setprecision(4);
    }
  }
  void printScale(std::ostream &Stream) const {
    if (detail::has(Change::PrintsShortest)) {
      Stream << shortest(Scale) << " *\n";
      return;
    }
    const Restore R(Stream);
    plain(Stream);
    Stream << Scale << " *\n";
  }
};

/// A dense matrix, in as many columns at a time as fit into a line.
void printMatrix(std::ostream &Stream, const double *Data, int64_t Rows,
                 int64_t Columns, int64_t LineSize, const std::string &Indent) {
  const Format F(Stream, Data, Rows * Columns);
  const int64_t Fit = std::max<int64_t>(
      1, (LineSize - static_cast<int64_t>(Indent.size())) / (F.Width + 1));
  if (!detail::has(Change::PrintsShortest))
    Stream << Indent;
  for (int64_t First = 0; First < Columns; First += Fit) {
    const int64_t End = std::min(First + Fit, Columns);
    if (Fit < Columns)
      Stream << (First ? "\n" : "") << "Columns " << First + 1 << " to " << End
             << Indent;
    if (F.Scale != 1) {
      F.printScale(Stream);
      Stream << Indent;
    }
    for (int64_t R = 0; R < Rows; ++R) {
      for (int64_t C = First; C < End; ++C)
        Stream << (C > First ? " " : "") << std::setw(F.Width)
               << Data[R * Columns + C] / F.Scale;
      Stream << "\n";
      if (R + 1 < Rows)
        Stream << Indent << (F.Scale != 1 ? " " : "");
    }
  }
}

/// The matrices of the last two dimensions, the first dimension fastest.
void printBlocks(std::ostream &Stream, const double *Data, IntArrayRef Sizes,
                 int64_t LineSize) {
  const size_t Lead = Sizes.size() - 2;
  const int64_t Rows = Sizes[Lead], Columns = Sizes[Lead + 1];
  int64_t Blocks = 1;
  for (size_t D = 0; D < Lead; ++D)
    Blocks *= Sizes[D];
  detail::Dims At(Lead, 0);
  for (int64_t K = 0; K < Blocks; ++K) {
    int64_t Block = 0;
    Stream << (K ? "\n(" : "(");
    for (size_t D = 0; D < Lead; ++D) {
      Block = Block * Sizes[D] + At[D];
      Stream << At[D] + 1 << ",";
    }
    Stream << ".,.) = \n";
    printMatrix(Stream, Data + Block * Rows * Columns, Rows, Columns, LineSize,
                " ");
    for (size_t D = 0; D < Lead && ++At[D] == Sizes[D]; ++D)
      At[D] = 0;
  }
}

} // namespace

std::ostream &operator<<(std::ostream &Stream, const Tensor &self) {
  return print(Stream, self, 80);
}
void print(const Tensor &t, int64_t linesize) { print(std::cout, t, linesize); }
std::ostream &print(std::ostream &Stream, const Tensor &self,
                    int64_t linesize) {
  if (!self.defined())
    return Stream << "[ Tensor (undefined) ]";
  detail::reads(self, "print", Site::none());
  const Restore R(Stream);
  const Tensor Flat = self.to(kDouble).contiguous().view(-1);
  const auto *Data = Flat.data_ptr<double>();
  const IntArrayRef Sizes = self.sizes();
  if (Sizes.empty()) {
    plain(Stream);
    if (detail::has(Change::PrintsShortest))
      Stream << shortest(Data[0]) << "\n";
    else
      Stream << Data[0] << "\n";
  } else if (self.numel() == 0) {
    // only the type and the sizes
  } else if (Sizes.size() == 1) {
    const Format F(Stream, Data, Sizes[0]);
    if (F.Scale != 1)
      F.printScale(Stream);
    for (int64_t K = 0; K < Sizes[0]; ++K)
      Stream << std::setw(F.Width) << Data[K] / F.Scale << "\n";
  } else if (Sizes.size() == 2) {
    printMatrix(Stream, Data, Sizes[0], Sizes[1], linesize, "");
  } else {
    printBlocks(Stream, Data, Sizes, linesize);
  }
  Stream << "[ " << self.toString() << "{";
  for (size_t D = 0; D < Sizes.size(); ++D)
    Stream << (D ? "," : "") << Sizes[D];
  return Stream << "} ]";
}

} // namespace tensortidy
