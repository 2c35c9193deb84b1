//===- Print.cpp - tensors as text ----------------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Impl.h"
#include <cmath>
#include <cstdio>
#include <iostream>

namespace tensortidy {

using detail::impl;

std::ostream &operator<<(std::ostream &Stream, ScalarType Type) {
  return Stream << toString(Type);
}
std::ostream &operator<<(std::ostream &Stream, MemoryFormat Format) {
  return Stream << detail::text(Format);
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

/// The numbers of one tensor, all in one width.
struct Format {
  bool Floating = false, Whole = true, Exponent = false;
  int Width = 1;

  explicit Format(const Tensor &X) {
    Floating = isFloatingType(X.scalar_type());
    double Most = 0;
    bool Negative = false;
    const Tensor Flat = X.reshape(-1).to(kDouble);
    const auto *Data = Flat.data_ptr<double>();
    for (int64_t K = 0; K < Flat.numel(); ++K) {
      const double V = Data[K];
      Negative = Negative || V < 0;
      if (!std::isfinite(V))
        continue;
      Most = std::max(Most, std::abs(V));
      Whole = Whole && V == std::floor(V);
    }
    const int Digits = Most < 10 ? 1 : static_cast<int>(std::log10(Most)) + 1;
    Exponent = Floating && Digits > 9;
    Width = Exponent ? 10 : Floating && !Whole ? Digits + 5 : Digits;
    Width += Negative;
  }
  std::string operator()(const Scalar &S) const {
    char Text[64];
    if (!Floating)
      std::snprintf(Text, sizeof Text, "%*lld", Width,
                    static_cast<long long>(S.toLong()));
    else if (Exponent)
      std::snprintf(Text, sizeof Text, "%*.4e", Width, S.toDouble());
    else
      std::snprintf(Text, sizeof Text, "%*.*f", Width, Whole ? 0 : 4,
                    S.toDouble());
    return Text;
  }
};

void printMatrix(std::ostream &Stream, const Tensor &X, const Format &F) {
  for (int64_t R = 0; R < X.size(0); ++R) {
    for (int64_t C = 0; C < X.size(1); ++C)
      Stream << " " << F(X[R][C].item());
    Stream << "\n";
  }
}

void printBlocks(std::ostream &Stream, const Tensor &X, const Format &F,
                 const std::string &Prefix) {
  if (X.dim() == 2) {
    Stream << "(" << Prefix << ".,.) = \n";
    printMatrix(Stream, X, F);
    Stream << "\n";
    return;
  }
  for (int64_t K = 0; K < X.size(0); ++K)
    printBlocks(Stream, X[K], F, Prefix + std::to_string(K + 1) + ",");
}

} // namespace

std::ostream &operator<<(std::ostream &Stream, const Tensor &self) {
  if (!self.defined())
    return Stream << "[ Tensor (undefined) ]";
  detail::reads(self, "print", Site::none());
  if (self.dim() == 0) {
    Stream << Format(self)(self.item());
    return Stream << "\n[ " << self.toString() << "{} ]";
  }
  if (self.numel() != 0) {
    const Format F(self);
    if (self.dim() == 1)
      for (int64_t K = 0; K < self.size(0); ++K)
        Stream << " " << F(self[K].item()) << "\n";
    else if (self.dim() == 2)
      printMatrix(Stream, self, F);
    else
      printBlocks(Stream, self, F, "");
  }
  Stream << "[ " << self.toString() << "{";
  for (int64_t D = 0; D < self.dim(); ++D)
    Stream << (D ? "," : "") << self.size(D);
  return Stream << "} ]";
}

} // namespace tensortidy
