//===- Evidence.cpp - what success proves ---------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/Evidence.h"
#include "Layout/Ggml.h"
#include "llvm/ADT/StringExtras.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

/// Whether \p E is made of numbers that the code knows: of none that only this
/// analysis has a name for, and none that a loop changes.
static bool isSaid(const Context &Ctx, const SymExpr &E) {
  for (const auto &T : E.terms()) {
    if (T.C < 0)
      return false;
    for (unsigned I = 0; I < T.M.Count; ++I) {
      const SymbolInfo &Of = Ctx.Table[T.M.S[I]];
      if (Of.Name == "?" || Of.Rest || Of.varies() ||
          Of.K == SymbolInfo::Stride)
        return false;
    }
  }
  return true;
}

bool assumeAtLeast(const Context &Ctx, State &W, const SymExpr &Size0,
                   const SymExpr &Least0) {
  const SymExpr Size = W.Ar.norm(Size0), Least = W.Ar.norm(Least0);
  const auto Of = Size.asSymbol();
  if (!Of || Ctx.Table[*Of].Rest || Ctx.Table[*Of].Owner != NoId ||
      Ctx.Table[*Of].K > SymbolInfo::Stride || Least.contains(*Of) ||
      !isSaid(Ctx, Least) || W.Ar.lt(Size, Least) != Truth::Unknown)
    return false;
  // A size that is compared with a sum: so much is meant to be in it.
  const auto Parts = llvm::count_if(
      Least.terms(), [](const auto &T) { return T.M.Count > 0; });
  if (Parts > 1 && Ctx.Table[*Of].K == SymbolInfo::Size)
    W.Ar.assumeSize(Least);
  W.Ar.assumeAtLeast(*Of, Least);
  return true;
}

/// \p S goes on only where \p Size is \p Least, where a range ends, or more.
static void provesEnd(const Context &Ctx, State &W, const Stmt &S,
                      const SymExpr &Size, const SymExpr &Least) {
  if (isSaid(Ctx, W.Ar.norm(Least)))
    W.Ar.assumeSize(W.Ar.norm(Least));
  if (!assumeAtLeast(Ctx, W, Size, Least))
    return;
  Ctx.Facts.Shown.Floors.push_back(
      {Ctx.Block, *W.Ar.norm(Size).asSymbol(), W.Ar.norm(Least), S.point()});
}

void provesRange(const Context &Ctx, State &W, const Stmt &S,
                 const SymExpr &Size, const SymExpr &Start,
                 const SymExpr &Length) {
  if (!W.Ar.norm(Start).isZero() && isSaid(Ctx, W.Ar.norm(Start)) &&
      isSaid(Ctx, W.Ar.norm(Length)))
    provesEnd(Ctx, W, S, Size, W.Ar.add(Start, Length));
}

void provesIndex(const Context &Ctx, State &W, const Stmt &S,
                 const SymExpr &Size, const SymExpr &Index) {
  if (const auto Known = W.Ar.known(Index); Known && *Known > 0)
    provesEnd(Ctx, W, S, Size, SymExpr(*Known + 1));
}

/// \p Offset without whole steps of \p Step.
static SymExpr within(const Symbolic &Ar, const SymExpr &Offset,
                      SymbolId Step) {
  const SymExpr All = Ar.norm(Offset);
  SymExpr Rest;
  for (const auto &T : All.terms())
    if (!T.M.contains(Step))
      Rest = Ar.add(Rest, SymExpr::monomial(T.M, T.C));
  return Rest;
}

//   [ q q q q k k v v | q q q q k k v v | ... ]     k: 2 from 4 on, of each row
//
// Where rows are no longer than what is taken of each, an offset that is not so
// many rows would lead into the next one.
void provesRows(const Context &Ctx, State &W, const Stmt &S, const Object &Of,
                const SymLayout &L, const SymExpr &Offset) {
  using ggml::at;
  SymExpr Row(1); // from its first element to its last
  for (size_t I = 0; I < ggml::Rank; ++I) {
    const SymExpr &Size = L.Sizes[at(I)];
    const SymExpr Stride = W.Ar.norm(L.Strides[at(I)]);
    if (W.Ar.known(Size) == 1)
      continue;
    const auto Step = Stride.asSymbol();
    bool AllRows = Step.has_value();
    for (size_t D = 0; AllRows && D < ggml::Rank; ++D)
      if (W.Ar.eq(Of.L.Strides[at(D)], Stride).yes())
        AllRows = !W.Ar.eq(Of.L.Sizes[at(D)], Size).no();
    if (I > 0 && AllRows && !Row.contains(*Step))
      provesEnd(Ctx, W, S, Stride, W.Ar.add(within(W.Ar, Offset, *Step), Row));
    Row = W.Ar.add(Row, W.Ar.mul(W.Ar.sub(Size, SymExpr(1)), Stride));
  }
}

/// The two symbols of \p A and \p B, what they have in common aside.
static std::optional<Evidence::Pair> pairOf(const State &W, const SymExpr &A,
                                            const SymExpr &B) {
  SymExpr D = W.Ar.norm(W.Ar.sub(W.Ar.norm(A), W.Ar.norm(B)));
  if (const auto Common = D.commonMonomial(); Common.Count)
    D = D.dividedBy(Common);
  const auto &T = D.terms();
  if (T.size() != 2 || T[0].C != -T[1].C || T[0].M.Count != 1 ||
      T[1].M.Count != 1)
    return std::nullopt;
  return std::minmax(T[0].M.S[0], T[1].M.S[0]);
}

void noteShape(const Context &Ctx, const State &W, const Object &O) {
  constexpr size_t Most = 256;
  if (O.HasLayout && Ctx.H == Hypothesis::Opaque)
    for (const SymExpr &E : O.L.Sizes) {
      SymExpr Size = W.Ar.norm(E);
      if (const auto S = Size.asSymbol();
          S && Ctx.Table[*S].K == SymbolInfo::Sum)
        Size = Ctx.Table[*S].A;
      if (Size.terms().size() > 1 && Ctx.Facts.Shown.Sums.size() < Most)
        Ctx.Facts.Shown.Sums.insert(std::move(Size));
    }
  if (!O.HasLayout || O.Segment >= 0 || O.L.rank() < 2 ||
      Ctx.H != Hypothesis::Opaque || Ctx.Facts.Shown.Shapes.size() >= Most)
    return;
  // What it is expanded to is asked for, and may be what it has.
  if (O.Prov && (O.Prov->O == Op::Expand || O.Prov->O == Op::ExpandAs))
    return;
  SymDims Sizes;
  unsigned Single = 0;
  for (const SymExpr &E : O.L.Sizes) {
    Sizes.push_back(W.Ar.norm(E));
    Single += Sizes.back().asSymbol().has_value();
  }
  Ctx.Facts.Shown.Ggml = Ctx.Facts.Shown.Ggml || O.Ggml;
  if (Single > 0)
    Ctx.Facts.Shown.Shapes.insert(std::move(Sizes));
}

void noteRelated(const Context &Ctx, const State &W, const SymExpr &A,
                 const SymExpr &B) {
  if (const auto Both = pairOf(W, A, B))
    Ctx.Facts.Shown.Related.insert(*Both);
  for (const auto *P : {&A, &B})
    if (const auto S = W.Ar.norm(*P).asSymbol())
      if (const auto N = W.Ar.known(P == &A ? B : A))
        Ctx.Facts.Shown.RelatedNumbers.emplace(*S, *N);
}

void noteSplit(const Context &Ctx, const State &W, const SymExpr &Have,
               const SymExpr &Want) {
  SymExpr D = W.Ar.norm(W.Ar.sub(W.Ar.norm(Have), W.Ar.norm(Want)));
  if (const auto Common = D.commonMonomial(); Common.Count)
    D = D.dividedBy(Common);
  const auto &T = D.terms();
  if (T.size() != 2 || T[0].M.Count + T[1].M.Count < 3)
    return;
  for (unsigned I = 0; I < T[0].M.Count; ++I)
    for (unsigned J = 0; J < T[1].M.Count; ++J)
      Ctx.Facts.Shown.Split.insert(std::minmax(T[0].M.S[I], T[1].M.S[J]));
}

/// "n_heads" and "numHead" mean the same, and "C" may be "channels".
static bool areAlike(llvm::StringRef A, llvm::StringRef B) {
  auto Plain = [](llvm::StringRef Name) {
    std::string Letters;
    for (const char C : Name.substr(Name.find_last_of(".>:") + 1))
      if (llvm::isAlpha(C))
        Letters += llvm::toLower(C);
    llvm::StringRef Rest = Letters;
    for (const char *Word : {"num", "size", "dim", "count", "len", "features"})
      if (Rest.size() > llvm::StringRef(Word).size())
        if (!Rest.consume_front(Word))
          Rest.consume_back(Word);
    if (Rest.size() > 2)
      Rest.consume_back("s");
    return Rest.str();
  };
  const std::string X = Plain(A), Y = Plain(B);
  return X.empty() || Y.empty() || X == Y ||
         ((X.size() == 1 || Y.size() == 1) && X[0] == Y[0]);
}

/// The same by any of the names they have.
static bool areAlike(const SymbolInfo &A, const SymbolInfo &B) {
  const auto Named = [&](llvm::StringRef Name) {
    return areAlike(Name, B.Name) ||
           llvm::any_of(B.Aliases, [&](const SymbolInfo::Alias &Also) {
             return areAlike(Name, Also.Name);
           });
  };
  return Named(A.Name) ||
         llvm::any_of(A.Aliases, [&](const SymbolInfo::Alias &Also) {
           return Named(Also.Name);
         });
}

/// Adds the symbols of sizes that \p E is made of to \p To.
static void addFactors(const Symbols &Table, const SymExpr &E,
                       std::vector<SymbolId> &To) {
  for (const auto &T : E.terms())
    for (unsigned I = 0; I < T.M.Count; ++I)
      if (const SymbolInfo &Of = Table[T.M.S[I]]; Of.K == SymbolInfo::Sum)
        addFactors(Table, Of.A, To);
      else
        To.push_back(T.M.S[I]);
}

/// A size that has no name of its own, of a tensor that has a number or what
/// the caller configures as the size of another dimension:
///   [x.size(0), x.size(1), 40]     x.size(1) and 40
///   [x.size(0), x.size(1), top]    x.size(1) and top
/// Matrices of a few rows are square by what they are for, and of those in a
/// batch often only one dimension is tested.
static void addUnnamed(const Symbols &Table, const Evidence &Shown,
                       Axes &Found) {
  constexpr int64_t Few = 4;
  auto IsOwn = [&](SymbolId S) {
    const SymbolInfo &I = Table[S];
    // All of ggml's have four dimensions, weights that may be square as well.
    const bool MayBe = I.Named || (I.K == SymbolInfo::Size && !Shown.Ggml);
    return MayBe && I.K <= SymbolInfo::Integer && !I.varies() && !I.Rest &&
           I.Name != "?";
  };
  for (const SymDims &Sizes : Shown.Shapes) {
    if (llvm::count_if(Sizes,
                       [](const SymExpr &E) { return E.constant() != 1; }) < 3)
      continue;
    for (const SymExpr &Of : Sizes)
      for (const SymExpr &Other : Sizes) {
        const auto S = Of.asSymbol(), By = Other.asSymbol();
        if (!S || !IsOwn(*S) || By == S)
          continue;
        const auto N = Other.constant();
        if (N && *N > (Sizes.size() > 3 ? 1 : Few) &&
            !Shown.RelatedNumbers.count({*S, *N}))
          Found.Numbers.emplace(*S, *N);
        else if (By && IsOwn(*By) && Table[*S].K == SymbolInfo::Size &&
                 Table[*By].K == SymbolInfo::Integer &&
                 !Shown.Related.count(std::minmax(*S, *By)))
          Found.Strangers.insert(std::minmax(*S, *By));
      }
  }
}

/// The numbers whose products \p E adds up, without what all have in common:
///   heads*dim + 2*kv*dim     heads and kv
/// Who adds two numbers up does not take them for one. A difference says
/// nothing: it is what is left of one size.
static std::vector<SymbolId> addedUp(const Symbols &Table, SymExpr E) {
  std::vector<SymbolId> Found;
  if (llvm::any_of(E.terms(), [](const SymExpr::Term &T) { return T.C < 0; }))
    return Found;
  if (const auto Common = E.commonMonomial(); Common.Count)
    E = E.dividedBy(Common);
  for (const SymExpr::Term &T : E.terms())
    if (T.M.Count == 1 && Table[T.M.S[0]].K == SymbolInfo::Integer)
      Found.push_back(T.M.S[0]);
  return Found;
}

Axes axes(const Symbols &Table, const Evidence &Shown) {
  Axes Found;
  auto IsNamed = [&](SymbolId S) {
    const SymbolInfo &I = Table[S];
    const bool Is = I.K == SymbolInfo::Size || I.K == SymbolInfo::Integer;
    return Is && I.Named && !I.varies() && !I.Rest;
  };
  auto Named = [&](const SymExpr &E) -> std::optional<SymbolId> {
    const auto S = E.asSymbol();
    return S && IsNamed(*S) ? S : std::nullopt;
  };
  auto Add = [&](SymbolId A, SymbolId B, std::set<Axes::Pair> &To) {
    const Axes::Pair Both = std::minmax(A, B);
    if (A != B && !Shown.Related.count(Both))
      To.insert(Both);
  };
  // A matrix may have as many rows as columns by what it is for, whatever each
  // of the two sizes is made of.
  constexpr unsigned More = 3;
  for (const SymDims &Sizes : Shown.Shapes) {
    std::vector<std::vector<SymbolId>> Of; // by dimension
    for (const SymExpr &E : Sizes) {
      if (E.constant() == 1)
        continue;
      addFactors(Table, E, Of.emplace_back());
      llvm::erase_if(Of.back(), [&](SymbolId S) { return !IsNamed(S); });
    }
    for (size_t I = 0; Of.size() >= More && I < Of.size(); ++I)
      for (size_t J = I + 1; J < Of.size(); ++J)
        for (const SymbolId A : Of[I])
          for (const SymbolId B : Of[J])
            Add(A, B, Found.Beside);
  }
  for (const Axes::Pair &Both : Shown.Split)
    Found.Beside.erase(Both);
  for (const SymDims &Sizes : Shown.Shapes)
    for (size_t I = 0; I < Sizes.size(); ++I)
      for (size_t J = I + 1; J < Sizes.size(); ++J)
        if (const auto A = Named(Sizes[I]), B = Named(Sizes[J]); A && B)
          Add(*A, *B, Found.Strangers);
  addUnnamed(Table, Shown, Found);
  for (const SymExpr &E : Shown.Sums) {
    const auto All = addedUp(Table, E);
    for (size_t I = 0; I < All.size(); ++I)
      for (size_t J = I + 1; J < All.size(); ++J)
        if (IsNamed(All[I]) && IsNamed(All[J]) &&
            !areAlike(Table[All[I]], Table[All[J]]))
          Add(All[I], All[J], Found.Strangers);
  }
  for (auto X = Shown.Shapes.begin(); X != Shown.Shapes.end(); ++X)
    for (auto Y = std::next(X); Y != Shown.Shapes.end(); ++Y) {
      if (X->size() != Y->size())
        continue;
      std::optional<size_t> Other;
      unsigned Differ = 0, Same = 0;
      for (size_t I = 0; I < X->size(); ++I) {
        if ((*X)[I] != (*Y)[I]) {
          Other = I;
          ++Differ;
        } else {
          Same += (*X)[I].constant() != 1;
        }
      }
      if (Differ != 1 || Same == 0)
        continue;
      // What is read off a tensor may be what the code has a number for.
      const auto A = Named((*X)[*Other]), B = Named((*Y)[*Other]);
      if (A && B && Table[*A].K == SymbolInfo::Integer &&
          Table[*B].K == SymbolInfo::Integer && !areAlike(Table[*A], Table[*B]))
        Add(*A, *B, Found.Strangers);
    }
  return Found;
}

bool areOfOneTensor(const Context &Ctx, const State &W, const SymExpr &A0,
                    const SymExpr &B0) {
  const SymExpr A = W.Ar.norm(A0), B = W.Ar.norm(B0);
  const bool Are =
      A != B && llvm::any_of(Ctx.Facts.Shown.Shapes, [&](const SymDims &Sizes) {
        return llvm::is_contained(Sizes, A) && llvm::is_contained(Sizes, B);
      });
  Ctx.Facts.Shown.AsksShapes = Ctx.Facts.Shown.AsksShapes || !Are;
  return Are;
}

std::vector<Proof> proofs(const Context &Ctx, const State &W,
                          const SymDims &Dims) {
  std::map<SymbolId, const Evidence::Floor *> Best; // what says the most
  for (const Evidence::Floor &F : Ctx.Facts.Shown.Floors) {
    const auto Known = W.Ar.floors().find(F.Of);
    if (Known == W.Ar.floors().end() ||
        !llvm::is_contained(Known->second, F.Least) ||
        llvm::none_of(Dims, [&](const SymExpr &E) {
          return W.Ar.norm(E).contains(F.Of);
        }))
      continue;
    const Evidence::Floor *&Told = Best[F.Of];
    if (!Told || W.Ar.lt(F.Least, Told->Least) == Truth::No)
      Told = &F;
  }
  std::vector<Proof> Found;
  for (const auto &[Of, F] : Best)
    Found.push_back(
        {F->Where, W.Ar.str(SymExpr::symbol(Of)), W.Ar.str(F->Least)});
  return Found;
}

} // namespace tensortidy::analysis
