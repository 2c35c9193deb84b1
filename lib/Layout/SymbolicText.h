//===- SymbolicText.h - symbolic sizes as people write them -----*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   T*H*D    (T - 1)*H    min(5, T)    (c/r)*r    ceil(n/k)
//
// An atom reads as it was made, whatever facts say of it since.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_LAYOUT_SYMBOLICTEXT_H
#define TENSORTIDY_LAYOUT_SYMBOLICTEXT_H

#include "Layout/Symbolic.h"

namespace tensortidy::layout {

class SymbolicText {
public:
  /// With \p Plain names are written, and no marks.
  explicit SymbolicText(const Symbolic &Ar, bool Plain = false)
      : Ar(Ar), Table(Ar.symbols()), Plain(Plain) {}

  /// "T*H*D", "T - 1", "min(5, T)"; sums in parentheses when \p Nested.
  std::string str(const SymExpr &E0, bool Nested = false) const {
    const SymExpr E = Ar.norm(E0);
    if (E.terms().empty())
      return "0";
    std::string R;
    // Highest degree first, as people write it.
    for (size_t I = E.terms().size(); I-- > 0;) {
      const auto &T = E.terms()[I];
      int64_t C = T.C;
      if (!R.empty()) {
        R += C < 0 ? " - " : " + ";
        C = C < 0 ? -C : C;
      } else if (C < 0) {
        R += "-";
        C = -C;
      }
      if (T.M.Count == 0 || C != 1)
        R += std::to_string(C) + (T.M.Count ? "*" : "");
      if (E.terms().size() == 1 && C == 1 && T.M.Count == 1 &&
          Table[T.M.S[0]].K == SymbolInfo::Sum && !Nested)
        return R + sum(T.M.S[0], false);
      for (unsigned J = 0; J < T.M.Count; ++J)
        R += (J ? "*" : "") +
             (T.M.Count > 1 || C != 1 ? factor(T.M.S[J]) : name(T.M.S[J]));
    }
    return Nested && E.terms().size() > 1 ? "(" + R + ")" : R;
  }
  std::string name(SymbolId S) const {
    const SymbolInfo &I = Table[S];
    if (!I.WhereMany.isZero() && (I.Name.empty() || I.Name == "?"))
      return str(I.WhereMany, true);
    if (!I.Name.empty())
      return called(S);
    if (!Ar.facts().empty())
      return SymbolicText(Symbolic(Table), Plain).name(S);
    switch (I.K) {
    case SymbolInfo::Floor:
      return str(I.A, true) + "/" + divisor(I.B);
    case SymbolInfo::Ceil:
      return "ceil(" + str(I.A, true) + "/" + divisor(I.B) + ")";
    case SymbolInfo::Min:
      return "min(" + str(I.A) + ", " + str(I.B) + ")";
    case SymbolInfo::Max:
      return "max(" + str(I.A) + ", " + str(I.B) + ")";
    case SymbolInfo::Mod:
      return str(I.A, true) + "%" + divisor(I.B);
    case SymbolInfo::Sum:
      return sum(S, true);
    default:
      return "?";
    }
  }

private:
  std::string called(SymbolId S) const {
    const SymbolInfo &I = Table[S];
    if (!Table.Marks)
      return I.Name;
    return Plain ? Table.Marks->plain(I.Name) : Table.Marks->mark(S, I);
  }
  /// A sum as one factor; a formula of several lines is of no use in a message.
  std::string sum(SymbolId S, bool Nested) const {
    const SymbolInfo &I = Table[S];
    if (!I.Name.empty())
      return called(S);
    constexpr size_t Longest = 80;
    const Symbolic Bare(Table);
    if (SymbolicText(Bare, true).str(I.A, Nested).size() > Longest)
      return "(...)";
    return SymbolicText(Bare, Plain).str(I.A, Nested);
  }
  /// "(c/r)", where more stands around it.
  std::string factor(SymbolId S) const {
    const SymbolInfo &I = Table[S];
    const bool Divides = I.K == SymbolInfo::Floor || I.K == SymbolInfo::Mod;
    return I.Name.empty() && Divides ? "(" + name(S) + ")" : name(S);
  }
  /// "(r*r)", to the right of a division.
  std::string divisor(const SymExpr &E) const {
    const std::string R = str(E, true);
    return E.terms().size() == 1 && R.find_first_of("*/%") != std::string::npos
               ? "(" + R + ")"
               : R;
  }

  const Symbolic &Ar;
  Symbols &Table;
  bool Plain;
};

inline std::string Symbolic::str(const SymExpr &E, bool Nested) const {
  return SymbolicText(*this).str(E, Nested);
}

inline void Symbolic::nameSum(const SymExpr &E0,
                              const std::string &Name) const {
  constexpr size_t Long = 40;
  const Int E = norm(E0);
  if (E.Terms.size() > 1 && !Name.empty() &&
      SymbolicText(*this, true).str(E).size() > Long)
    Table->nameSum(E, Name);
}

} // namespace tensortidy::layout

#endif
