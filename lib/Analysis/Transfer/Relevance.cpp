//===- Relevance.cpp - whether a fact is worth a finding -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/Relevance.h"
#include "Analysis/Transfer/Comparisons.h"
#include "Analysis/Transfer/Operands.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

bool isSilenced(const Context &Ctx, const Stmt &S, Silence Why, bool Applies) {
  if (!Applies || !isInForce(Ctx, Why))
    return false;
  Ctx.Facts.Silenced[Why].insert(&S);
  return true;
}

static bool isVouchedFor(const Context &Ctx, const State &W, const Object &O) {
  auto Same = [&](const SymDims &A, const SymDims &B) {
    return A.size() == B.size() &&
           std::equal(A.begin(), A.end(), B.begin(),
                      [&](const SymExpr &X, const SymExpr &Y) {
                        return W.Ar.eq(X, Y).yes();
                      });
  };
  return llvm::any_of(W.Assumed, [&](const auto &A) {
    auto At = Ctx.Asked.Tested.find(A.first);
    return At != Ctx.Asked.Tested.end() &&
           llvm::any_of(At->second, [&](const Object &T) {
             return T.Storage == O.Storage && T.Segment == O.Segment &&
                    Same(T.L.Sizes, O.L.Sizes) &&
                    Same(T.L.Strides, O.L.Strides);
           });
  });
}

bool isVouchedFor(const Context &Ctx, const State &W, const Stmt &S,
                  const Object &O) {
  return isSilenced(Ctx, S, Silence::Vouched, isVouchedFor(Ctx, W, O));
}

bool isDTypeVouchedFor(const Context &Ctx, const State &W, const Stmt &S,
                       const Object &O) {
  auto Vouches = [&](const Arg &A) {
    const ObjId T = value(W, A.Value).T;
    if (!T || W.Objects.find(T) != &O)
      return false;
    const std::string Case = dtypeCase(T), Learnt = dtypeKey(T);
    bool Same = false, IsLearnt = false;
    for (const auto &[Key, Held] : W.Assumed) {
      Same |= Held.first && llvm::StringRef(Key).ends_with(Case);
      IsLearnt |= llvm::StringRef(Key).starts_with(Learnt);
    }
    return Same && IsLearnt;
  };
  return isSilenced(Ctx, S, Silence::Vouched, llvm::any_of(S.Args, Vouches));
}

bool isNamedAfterBytes(const SymbolInfo &Integer) {
  const std::string Name = llvm::StringRef(Integer.Name).lower();
  return llvm::any_of(
      llvm::ArrayRef<llvm::StringRef>({"nb", "byte", "siz", "strid", "pitch"}),
      [&](llvm::StringRef Word) {
        return llvm::StringRef(Name).contains(Word);
      });
}

std::optional<std::pair<size_t, size_t>> mustBeEqual(Rule R) {
  switch (R) {
  case Rule::BroadcastSize:
  case Rule::ExpandSize:
  case Rule::UnflattenCount:
  case Rule::SplitSum:
  case Rule::CatSize:
  case Rule::StackSize:
  case Rule::ConvChannels:
  case Rule::InPlaceSize:
  case Rule::SizeWanted:
    return std::make_pair(0, 1);
  case Rule::MatMulSizes:
    return std::make_pair(1, 2);
  default:
    return std::nullopt;
  }
}

bool hasQuotient(const Context &Ctx, const State &W,
                 const std::vector<SymExpr> &Exprs, bool OrSum) {
  for (const SymExpr &E : Exprs) {
    const SymExpr N = W.Ar.norm(E);
    for (const auto &T : N.terms())
      for (unsigned I = 0; I < T.M.Count; ++I)
        if (const auto K = Ctx.Table[T.M.S[I]].K;
            K >= SymbolInfo::Floor && (OrSum || K != SymbolInfo::Sum))
          return true;
  }
  return false;
}

/// Whether \p R allows for sizes of 1, which stand for all others.
static bool broadcasts(Rule R) {
  return R == Rule::BroadcastSize || R == Rule::ExpandSize ||
         R == Rule::InPlaceSize;
}

std::vector<SymbolId> restIn(const Context &Ctx, const State &W,
                             const std::vector<SymExpr> &Exprs) {
  std::vector<SymbolId> Found;
  for (const SymExpr &E : Exprs) {
    const SymExpr N = W.Ar.norm(E);
    for (const auto &T : N.terms())
      for (unsigned I = 0; I < T.M.Count; ++I)
        if (Ctx.Table[T.M.S[I]].Rest)
          Found.push_back(T.M.S[I]);
  }
  return Found;
}

/// Whether it is written that what \p E refuses is 1: view() is asked for the
/// sizes of \p O but for a 1, or a size that nobody named should equal a 1.
///
///   x.mm(row.unsqueeze(0))       x is a column, though nothing else says so
static bool saysOne(const Context &Ctx, const State &W, const Object *O,
                    const LayoutError<SymExpr> &E) {
  if (const auto Equal = mustBeEqual(E.R)) {
    // A layer is made for the channels it gets, whatever their name there.
    const bool IsLayer = E.R == Rule::ConvChannels;
    auto Open = [&](const SymExpr &X) {
      const auto S = W.Ar.norm(X).asSymbol();
      return S && (IsLayer || (Ctx.Table[*S].K == SymbolInfo::Size &&
                               !Ctx.Table[*S].Named));
    };
    const SymExpr &X = E.Values[Equal->first], &Y = E.Values[Equal->second];
    return (W.Ar.known(X) == 1 && Open(Y)) || (W.Ar.known(Y) == 1 && Open(X));
  }
  if (E.R != Rule::ViewCount || !O || !O->HasLayout || O->Segment >= 0 ||
      E.NewSizes.size() != O->L.rank())
    return false;
  for (size_t D = 0; D < E.NewSizes.size(); ++D)
    if (!W.Ar.eq(E.NewSizes[D], SymExpr(1)).yes() &&
        !W.Ar.eq(E.NewSizes[D], O->L.Sizes[D]).yes())
      return false;
  return true;
}

bool isPathDependent(const State &W, const std::vector<SymExpr> &Exprs) {
  return llvm::any_of(W.PathDependent, [&](SymbolId S) {
    return llvm::any_of(Exprs, [&](const SymExpr &E) { return E.contains(S); });
  });
}

/// Whether a size that \p E is about is an integer of which a test found that
/// it is 0: view({n, C}) where n is 0 is of a tensor without elements.
static bool isOfNothing(const State &W, const LayoutError<SymExpr> &E) {
  const auto IsZero = [&](const SymExpr &Size) {
    return W.Ar.known(Size) == int64_t(0);
  };
  return llvm::any_of(W.Ar.facts(),
                      [&](const auto &F) {
                        return F.second.isZero() && !W.RankOf.count(F.first);
                      }) &&
         (E.R == Rule::ViewCount
              ? llvm::any_of(E.NewSizes, IsZero)
              : mustBeEqual(E.R) && llvm::any_of(E.Values, IsZero));
}

/// Whether the value \p V is one of several by the path, in all that it is
/// computed of.
static bool isChosen(const Context &Ctx, ValueId V, unsigned Depth = 0) {
  const Stmt *D = Depth < 8 ? Ctx.Flow.Values.origin(V) : nullptr;
  if (!D)
    return false;
  if (D->O == Op::Phi)
    return D->Args.size() > 1;
  if (D->O == Op::Load)
    return Ctx.Flow.Values.isOwn(D->Var) &&
           Ctx.Flow.Values.Stores[D->Var].size() > 1;
  return llvm::any_of(D->Args, [&](const Arg &A) {
    return A.Value && isChosen(Ctx, A.Value, Depth + 1);
  });
}

/// Whether \p S asks for a size that is 0 on this path and something else on
/// another: nobody makes a tensor of nothing there, the number stands for none.
///
///   n = isSparse ? 0 : x.size(0)       view({n, 3}) is for what is not sparse
static bool asksForChosenZero(const Context &Ctx, const State &W, const Stmt &S,
                              const LayoutError<SymExpr> &E) {
  if (E.R != Rule::ViewCount)
    return false;
  const auto IsZero = [&](const Arg &A) {
    const Value V = value(W, A.Value);
    return V.K == Value::Int && W.Ar.known(V.I) == int64_t(0) &&
           isChosen(Ctx, A.Value);
  };
  const Arg *Sizes = findArg(S, "size");
  const Stmt *List = Sizes ? Ctx.Flow.Values.origin(Sizes->Value) : nullptr;
  return List && List->O == Op::List && llvm::any_of(List->Args, IsZero);
}

/// Sizes where each one of the user's that was divided by another is a multiple
/// of it, as \p Of are made; nothing where they were divided otherwise.
static std::optional<Symbolic> divided(const Context &Ctx, const State &W,
                                       const std::vector<SymExpr> &Of) {
  auto IsPlain = [&](const SymExpr &E) {
    return E.terms().size() == 1 && E.terms()[0].C == 1 &&
           E.terms()[0].M.Count > 0 &&
           llvm::all_of(llvm::ArrayRef(E.terms()[0].M.S, E.terms()[0].M.Count),
                        [&](SymbolId S) {
                          return Ctx.Table[S].K <= SymbolInfo::Integer &&
                                 Ctx.Table[S].Named && !Ctx.Table[S].Joined;
                        });
  };
  Symbolic Ar = W.Ar;
  for (const SymExpr &E : Of) {
    const SymExpr N = W.Ar.norm(E);
    for (const auto &T : N.terms())
      for (unsigned I = 0; I < T.M.Count; ++I) {
        const SymbolInfo Q = Ctx.Table[T.M.S[I]];
        if (Q.K < SymbolInfo::Floor || Q.K == SymbolInfo::Sum)
          continue;
        if (Q.K != SymbolInfo::Floor || !IsPlain(Q.A) || !IsPlain(Q.B) ||
            !Ar.assumeEqual(Q.A, Ar.mul(SymExpr::symbol(T.M.S[I]), Q.B)))
          return std::nullopt;
      }
  }
  return Ar;
}

Symbolic whereDivided(const Context &Ctx, const State &W, const SymExpr &A,
                      const SymExpr &B) {
  if (!W.Ar.eq(A, B).unknown() || !hasQuotient(Ctx, W, {A, B}))
    return W.Ar;
  return divided(Ctx, W, {A, B}).value_or(W.Ar);
}

bool isMultiple(const Context &Ctx, const State &W, const SymExpr &A,
                const SymExpr &B) {
  const auto Ar = divided(Ctx, W, {A, B});
  return Ar && Ar->divExact(A, B) && Ar->eq(A, B).no();
}

bool isKnownToFit(const Context &Ctx, const State &W, const Stmt &S,
                  const SymExpr &A, const SymExpr &B,
                  const std::vector<SymExpr> &UnlessOne) {
  // Who writes {n / k, k} knows that k divides n. Four times that is too many.
  auto Times = [&](const SymExpr &X, const SymExpr &Y) {
    const auto Q = W.Ar.divExact(X, Y);
    return Q && W.Ar.known(*Q);
  };
  auto Differ = [&] {
    const auto Ar = divided(Ctx, W, {A, B});
    return Ar && Ar->eq(A, B).no();
  };
  auto Is = [&](Silence Why, bool Applies) {
    return isSilenced(Ctx, S, Why, Applies);
  };
  return Is(Silence::Divides, hasQuotient(Ctx, W, {A, B}) && !Times(A, B) &&
                                  !Times(B, A) && !Differ()) ||
         Is(Silence::TestedOne, mustBeOne(W, UnlessOne)) ||
         Is(Silence::PathDependent, isPathDependent(W, {A, B}));
}

/// Whether the path goes by the cases that two calls of one function told
/// apart: who calls it for two numbers knows how they fit.
///   at::zeros({n, basesOf(degree)});   if (basesOf(used) > 1) ...
static bool hasOtherCases(const Context &Ctx, const State &W) {
  std::map<llvm::StringRef, uint32_t> In; // the call, by its function
  return llvm::any_of(W.Assumed, [&](const auto &A) {
    const auto Case = Ctx.Asked.CaseIn.find(A.first);
    if (Case == Ctx.Asked.CaseIn.end())
      return false;
    const uint32_t Call = Case->second;
    return In.try_emplace(Ctx.F.Contexts[Call].Callee, Call).first->second !=
           Call;
  });
}

/// Whether the path goes by one tensor of an object that is defined, and by
/// another that is not: who sets one sets the other.
///   keys = keys.defined() ? cat({keys, k}) : k;  values = ... the same
static bool isHalfSet(const Context &Ctx, const State &W) {
  std::map<VarId, bool> Defined;
  return llvm::any_of(W.Assumed, [&](const auto &A) {
    const auto In = Ctx.Asked.DefinedIn.find(A.first);
    return In != Ctx.Asked.DefinedIn.end() &&
           Defined.try_emplace(In->second, A.second.first).first->second !=
               A.second.first;
  });
}

bool isRelevant(const Context &Ctx, const State &W, const Stmt &S,
                llvm::ArrayRef<const Object *> Of,
                const LayoutError<SymExpr> &E,
                const std::vector<SymExpr> &UnlessOne) {
  auto Is = [&](Silence Why, bool Applies) {
    return isSilenced(Ctx, S, Why, Applies);
  };
  // What holds unless the rest is 1 does not hold where there is no rest. And
  // who goes on with the channels alone knows that n - 4 windows are one.
  const Object *Only = Of.size() == 1 ? Of[0] : nullptr;
  // Who views [n, c] as [n, h, d] knows that c is h*d.
  if (E.R == Rule::ViewCount && llvm::any_of(UnlessOne, isSplit))
    return false;
  return !Is(Silence::UncountedOne, !restIn(Ctx, W, UnlessOne).empty()) &&
         !Is(Silence::TestedOne, mustBeOne(W, UnlessOne)) &&
         !Is(Silence::Divides,
             E.R != Rule::ViewStrides &&
                 hasQuotient(Ctx, W, UnlessOne, /*OrSum=*/!broadcasts(E.R))) &&
         !Is(Silence::PathDependent,
             isPathDependent(W, UnlessOne) || hasOtherCases(Ctx, W)) &&
         !Is(Silence::HalfSet, isHalfSet(Ctx, W)) &&
         !Is(Silence::TestedZero,
             isOfNothing(W, E) || asksForChosenZero(Ctx, W, S, E)) &&
         !Is(Silence::WrittenOne,
             !UnlessOne.empty() && saysOne(Ctx, W, Only, E));
}

} // namespace tensortidy::analysis
