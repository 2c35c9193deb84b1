//===- Answer.cpp - what `tensortidy explain` prints and draws ------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Answer.h"
#include "Drawing.h"
#include "Layout/Error.h"
#include "Layout/Exceptions.h"
#include "Layout/Reshape.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <map>

using namespace tensortidy::layout;
using llvm::StringRef;

namespace tensortidy::tool {

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Dimensions as the question counts them.
SymDims Answer::inOrder(SymDims D) const {
  if (X.Ggml)
    std::reverse(D.begin(), D.end());
  return D;
}

void Answer::row(std::string What, StringRef Note) {
  Rows.push_back({std::move(What), listText(Ar, inOrder(X.L.Sizes)),
                  listText(Ar, inOrder(X.L.Strides)),
                  describe() + (Note.empty() ? "" : "; " + Note.str())});
}

std::string Answer::describe() const {
  std::string R;
  auto Is = isContiguous(Ar, X.L);
  if (Is.yes())
    R = "contiguous";
  else if (isContiguous(Ar, X.L, MemoryFormat::ChannelsLast).yes())
    R = "channels_last";
  else if (isContiguous(Ar, X.L, MemoryFormat::ChannelsLast3d).yes())
    R = "channels_last_3d";
  else
    R = Is.no() ? "not contiguous" : "contiguous or not, by the sizes";
  if (Ar.known(X.L.Offset) != std::optional<int64_t>(0))
    R += ", offset " + Ar.str(X.L.Offset);
  if (!X.Pieces.empty())
    R += "; the first of " + std::to_string(X.Pieces.size());
  return R;
}

//===----------------------------------------------------------------------===//
// Steps without a result
//===----------------------------------------------------------------------===//

/// What a shape asks of the number of elements.
std::string Answer::condition(const SymDims &Sizes) const {
  SymExpr Product(1);
  bool Infers = false;
  for (const SymExpr &E : Sizes)
    if (Ar.known(E) == std::optional<int64_t>(-1))
      Infers = true;
    else
      Product = Ar.mul(Product, E);
  return (Infers ? " to be a multiple of " : " to be ") + Ar.str(Product);
}

void Answer::undecided(const Call &C, const std::optional<SymDims> &Sizes) {
  Rows.push_back({C.Text, "", "", "depends on the sizes: not decided"});
  Result.Failed = true;
  if (Sizes)
    Remarks += "\n" + C.Text + " needs " + Ar.str(numel(Ar, X.L.Sizes)) +
               condition(*Sizes) + "\n";
}

void Answer::refused(const Call &C, const Outcome &O, const std::string &Note) {
  Result.Failed = true;
  Rows.push_back({C.Text, "", "", X.Ggml ? "aborts" : "throws"});
  const bool OfStrides = O.error().R == Rule::ViewStrides;
  const std::string Count = Ar.str(numel(Ar, X.L.Sizes));
  if (X.Ggml && OfStrides)
    Remarks += "\n" + C.Text + " needs a contiguous tensor: ne " +
               listText(Ar, inOrder(X.L.Sizes)) + ", nb / type size " +
               listText(Ar, inOrder(X.L.Strides)) + "\n";
  else if (X.Ggml && O.error().R == Rule::ViewCount)
    Remarks += "\n" + C.Text + ": ne " +
               listText(Ar, inOrder(O.error().NewSizes)) +
               " does not fit the " + Count + " elements\n";
  else
    Remarks += "\n" + render(Ar, O.error(), C.Text) + "\n";
  const std::vector<SymExpr> Unless =
      OfStrides ? exceptions(Ar, O.unlessOne(),
                             [&](const Symbolic &With) {
                               return X.Ggml
                                          ? isContiguous(With, X.L)
                                          : works(computeStride(
                                                With, X.L, O.error().NewSizes));
                             })
                : std::vector<SymExpr>(O.unlessOne());
  if (!Unless.empty())
    Remarks += "  unless " + exceptionText(Ar, Unless) + "\n";
  if (!Note.empty())
    Remarks += "  " + Note + "\n";
  if (!OfStrides)
    return;
  const size_t Open = C.Text.find('(');
  const std::string Arguments =
      Open == std::string::npos ? "()" : C.Text.substr(Open);
  if (X.Ggml)
    Remarks += "  write ggml_cont before it: copies " + Count + " elements\n";
  else
    Remarks += "  write reshape" + Arguments + ": copies " + Count +
               " elements\n  or contiguous().view" + Arguments +
               ", which does the same\n";
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

void Answer::printRows() {
  llvm::raw_string_ostream OS(Result.Text);
  Rows.insert(Rows.begin(), {"", X.Ggml ? "ne" : "sizes",
                             X.Ggml ? "nb / type size" : "strides", ""});
  size_t W[3] = {0, 0, 0};
  for (const Row &R : Rows) {
    W[0] = std::max(W[0], R.What.size());
    W[1] = std::max(W[1], R.Sizes.size());
    W[2] = std::max(W[2], R.Strides.size());
  }
  for (const Row &R : Rows) {
    std::string Line;
    llvm::raw_string_ostream LS(Line);
    LS << llvm::left_justify(R.What, W[0]) << "  "
       << llvm::left_justify(R.Sizes, W[1]) << "  "
       << llvm::left_justify(R.Strides, W[2]) << "  " << R.Says;
    LS.flush();
    OS << StringRef(Line).rtrim() << '\n';
  }
}

/// The last layout, with small sizes in place of names.
void Answer::draw(llvm::ArrayRef<std::pair<std::string, SymbolId>> Names) {
  if (!X.IsThere || X.L.rank() == 0)
    return;
  for (bool AllTwo : {false, true}) {
    std::map<SymbolId, SymExpr> Sizes;
    std::string Chosen;
    int64_t N = 2;
    for (const auto &[Name, Id] : Names) {
      Sizes[Id] = SymExpr(N);
      Chosen += (Chosen.empty() ? "" : ", ") + Name + "=" + std::to_string(N);
      N = AllTwo || N == 3 ? 2 : 3;
    }
    Picture P;
    bool Plain = true;
    auto Number = [&](const SymExpr &E) {
      auto Known = Ar.known(Ar.substitute(E, Sizes));
      Plain &= Known.has_value();
      return Known.value_or(0);
    };
    for (size_t D = 0; D < X.L.rank(); ++D) {
      P.L.Sizes.push_back(Number(X.L.Sizes[D]));
      P.L.Strides.push_back(Number(X.L.Strides[D]));
    }
    P.L.Offset = Number(X.L.Offset);
    if (!Plain)
      return;
    P.Ggml = X.Ggml;
    P.Where = Chosen;
    if (!P.fits() && !AllTwo && !Chosen.empty())
      continue; // all of it, with smaller sizes
    if (P.fits())
      Result.Text += "\nplace of each element in the storage" +
                     (Chosen.empty() ? "" : ", for " + Chosen) + ":\n" +
                     P.grid();
    Result.Svg = P.svg();
    return;
  }
}

Explanation
Answer::take(llvm::ArrayRef<std::pair<std::string, SymbolId>> Names) {
  printRows();
  Result.Text += Remarks;
  draw(Names);
  return std::move(Result);
}

} // namespace tensortidy::tool
