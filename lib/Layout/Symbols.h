//===- Symbols.h - what the symbols of sizes stand for ----------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A size, an integer, or an atom: what is no polynomial (min, max, an inexact
// quotient) is a symbol that remembers what it was made of, the same for the
// same operands.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_LAYOUT_SYMBOLS_H
#define TENSORTIDY_LAYOUT_SYMBOLS_H

#include "Layout/Polynomial.h"
#include <map>
#include <set>
#include <string>

namespace tensortidy::layout {

/// What a symbol stands for.
struct SymbolInfo {
  enum Kind : unsigned char {
    Size,    ///< a size: at least 0
    Integer, ///< any integer (a parameter, a loop counter)
    Stride,  ///< a stride or offset of an opaque tensor: at least 0
    Floor,   ///< floor(A / B)
    Ceil,    ///< ceil(A / B)
    Min,     ///< min(A, B)
    Max,     ///< max(A, B)
    Mod,     ///< A % B
    Sum,     ///< a size that is the sum A, kept as one factor: T - 1
    Big,     ///< an expression too large to carry
  };
  Kind K = Size;
  bool Rest = false; ///< of a segment: dimensions of unknown number
  std::string Name;
  bool Named = false; ///< the name is the user's variable
  uint32_t Line = 0;  ///< that gave the name; 0: not known
  /// What else it is called: elsewhere, or before it got that name.
  struct Alias {
    std::string Name;
    bool Named;
    uint32_t Line;
  };
  std::vector<Alias> Aliases;
  SymExpr A, B;
  /// Of a size that two tensors broadcast to: the one that the code has a name
  /// for, which it is unless that one is 1. 0: there is none, or several.
  SymExpr WhereMany;
  bool HasMany = false; ///< WhereMany was set
  uint32_t Owner = ~0u; ///< loop whose iterations may give it new values
  bool Joined = false;  ///< stands for what several paths or iterations gave

  /// Whether it stands for several values, of iterations or of paths.
  bool varies() const { return Joined || Owner != ~0u; }

  /// The best name so far is \p New; the old one is kept beside it.
  void call(std::string New, bool IsVariable, uint32_t At) {
    const std::string Old = std::exchange(Name, std::move(New));
    if (!Old.empty() && Old != "?")
      alias(Old, Named, Line);
    Named = IsVariable;
    Line = At;
  }
  /// It is \p Size unless that is 1.
  void broadcasts(const SymExpr &Size) {
    WhereMany = !HasMany || WhereMany == Size ? Size : SymExpr(0);
    HasMany = true;
  }
  /// \p Also is another name.
  void alias(std::string Also, bool IsVariable, uint32_t At) {
    bool New = Also != Name && Aliases.size() < 8;
    for (const Alias &A : Aliases)
      New = New && A.Name != Also;
    if (New)
      Aliases.push_back({std::move(Also), IsVariable, At});
  }
};

/// Writes a mark in place of a symbol's name, where the name is chosen once the
/// whole message and its reader are known.
struct SymbolMarks {
  virtual ~SymbolMarks() = default;
  virtual std::string mark(SymbolId S, const SymbolInfo &I) const = 0;
  /// \p Name without the marks in it, to count what will be read.
  virtual std::string plain(const std::string &Name) const = 0;
};

/// All symbols of one analysis. Atoms are hash-consed.
class Symbols {
public:
  SymbolId fresh(SymbolInfo::Kind K, std::string Name, bool Named = false) {
    SymbolInfo I;
    I.K = K;
    I.Name = std::move(Name);
    I.Named = Named;
    Infos.push_back(std::move(I));
    return static_cast<SymbolId>(Infos.size() - 1);
  }
  SymbolId atom(SymbolInfo::Kind K, const SymExpr &A, const SymExpr &B) {
    auto Key = std::make_pair(K, std::make_pair(A, B));
    auto It = Atoms.find(Key);
    if (It != Atoms.end())
      return It->second;
    SymbolId S = fresh(K, "");
    Infos[S].A = A;
    Infos[S].B = B;
    for (const SymExpr *E : {&A, &B})
      for (const auto &T : E->terms())
        for (unsigned I = 0; I < T.M.Count; ++I)
          if (Infos[T.M.S[I]].Owner != ~0u)
            Infos[S].Owner = Infos[T.M.S[I]].Owner;
    Atoms.emplace(std::move(Key), S);
    return S;
  }
  /// The user's variable for a sum that is too long for a message, unless
  /// several have that name.
  void nameSum(const SymExpr &E, const std::string &Name) {
    if (SumNames.insert(Name).second)
      Infos[atom(SymbolInfo::Sum, E, SymExpr())].Name = Name;
  }
  /// The symbol to eliminate of two candidates: never a user's name in favour
  /// of an internal one, then the newer one; atoms last, as their meaning
  /// would be lost.
  bool isBetterGone(SymbolId S, SymbolId Than) const {
    auto Score = [&](SymbolId X) {
      const SymbolInfo &I = Infos[X];
      int Sc = I.Named ? 0 : 2;
      if (I.K == SymbolInfo::Stride)
        Sc += 4;
      if (I.K >= SymbolInfo::Floor)
        Sc -= 3;
      return Sc;
    };
    int A = Score(S), B = Score(Than);
    return A != B ? A > B : S > Than;
  }
  SymbolInfo &operator[](SymbolId S) { return Infos[S]; }
  const SymbolInfo &operator[](SymbolId S) const { return Infos[S]; }
  size_t size() const { return Infos.size(); }
  /// Null: names are written as they are.
  const SymbolMarks *Marks = nullptr;

private:
  std::vector<SymbolInfo> Infos;
  std::set<std::string> SumNames;
  std::map<std::pair<SymbolInfo::Kind, std::pair<SymExpr, SymExpr>>, SymbolId>
      Atoms;
};

} // namespace tensortidy::layout

#endif
