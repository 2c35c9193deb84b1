//===- Conditions.cpp - what branches and assertions teach -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/Conditions.h"
#include "Analysis/Transfer/Lists.h"
#include "Analysis/Transfer/Objects.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

CondRef atom(std::string Key, std::string Text) {
  auto C = std::make_shared<Condition>();
  C->K = Condition::Atom;
  C->Key = std::move(Key);
  C->Text = std::move(Text);
  return C;
}

CondRef negation(CondRef C) {
  auto N = std::make_shared<Condition>();
  N->K = Condition::Not;
  N->L = std::move(C);
  return N;
}

static CondRef equalInts(const SymExpr &A, const SymExpr &B) {
  auto E = std::make_shared<Condition>();
  E->K = Condition::Equal;
  E->A = A;
  E->B = B;
  return E;
}

CondRef toCondition(const Context &Ctx, State &W, ValueId Of) {
  const Value V = value(W, Of);
  if (V.K == Value::Bool)
    return V.C;
  if (V.K == Value::Int) // if (n): n != 0
    return negation(equalInts(V.I, SymExpr(0)));
  return test(Ctx, W, Of);
}

static bool sameTest(const Context &Ctx, const State &W, program::ValueId Of,
                     std::string &Key, unsigned Depth);

/// What a test that nothing is known of is called. Where it asks the same of
/// the same variables once more, the answer is taken to be the same:
///   auto t = fits(x) ? at::kFloat : at::kInt;
///   ...
///   if (fits(x)) use(y.data_ptr<float>());
/// So it is of a ggml tensor under any name: no call changes its layout.
/// In loops, which would not end, only within one iteration.
static std::string testKey(const Context &Ctx, const State &W, ValueId Of) {
  const bool InLoop = Ctx.F.Blocks[Ctx.Flow.BlockOf[Of]].InLoop != NoId;
  std::string Key = InLoop ? "test" : "var test";
  if (sameTest(Ctx, W, Of, Key, 0) &&
      llvm::StringRef(Key).contains(InLoop ? "$of" : "$"))
    return Key;
  return "v" + std::to_string(Of);
}

/// A test that nothing is known of; \p Case says which answer is asked for.
CondRef test(const Context &Ctx, const State &W, ValueId Of, std::string Text,
             const std::string &Case) {
  CondRef C = atom(testKey(Ctx, W, Of) + Case, std::move(Text));
  noteTest(Ctx, Of, C->Key);
  return C;
}

/// \p Key asks for \p Of.
void noteTest(const Context &Ctx, ValueId Of, const std::string &Key) {
  std::vector<Object> Told;
  addGiven(Ctx, Of, Told, 0);
  if (!Told.empty())
    Ctx.Asked.Tested[Key] = std::move(Told);
}

/// Adds to \p Into the tensors that calls nobody models were asked of for \p
/// Of.
void addGiven(const Context &Ctx, ValueId Of, std::vector<Object> &Into,
              unsigned Depth) {
  const Stmt *D = Ctx.Flow.DefOf[Of];
  if (!D || Depth > 4)
    return;
  auto Add = [&](const std::vector<Object> &Told) {
    for (const Object &O : Told)
      if (!llvm::is_contained(Into, O))
        Into.push_back(O);
  };
  if (auto Told = Ctx.Asked.GivenToCall.find(Of);
      Told != Ctx.Asked.GivenToCall.end())
    Add(Told->second);
  if (auto Told = D->O == Op::Load ? Ctx.Asked.GivenToVariable.find(D->Var)
                                   : Ctx.Asked.GivenToVariable.end();
      Told != Ctx.Asked.GivenToVariable.end())
    Add(Told->second);
  for (const Arg &A : D->Args)
    addGiven(Ctx, A.Value, Into, Depth + 1);
}

/// Whether this path went by what code that nobody can see said of a tensor
/// that lies as \p O does:
///   x = packed(x) ? x : x.contiguous();
bool isVouchedFor(const Context &Ctx, const State &W, const Object &O) {
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

static bool sameTest(const Context &Ctx, const State &W, ValueId Of,
                     std::string &Key, unsigned Depth) {
  const Stmt *D = Ctx.Flow.DefOf[Of];
  if (!D || Depth > 8)
    return false;
  if (D->O == Op::Load) {
    if (const Value V = value(W, Of);
        Ctx.F.Vars[D->Var].IsGgml && V.K == Value::Tensor && V.T) {
      Key += " $of " + V.T.text();
      return true;
    }
    Key += " $" + std::to_string(D->Var);
    return D->Var < Ctx.Flow.StableVars.size() && Ctx.Flow.StableVars[D->Var];
  }
  if (D->O == Op::Const) {
    Key += ' ' + std::to_string(static_cast<int>(D->Const)) + ' ' +
           std::to_string(D->Imm) + D->Text;
    return true;
  }
  if (D->O == Op::Phi || D->O == Op::Unknown)
    return false;
  const Op Asks = D->O == Op::CmpNe ? Op::CmpEq : D->O; // turned over there
  Key += " (" + std::to_string(static_cast<int>(Asks)) + D->Text;
  for (const Arg &A : D->Args) {
    if (A.R == Role::Write || !A.Value ||
        !sameTest(Ctx, W, A.Value, Key, Depth + 1))
      return false;
  }
  Key += ')';
  return !D->Args.empty();
}

static bool isKnownDType(llvm::StringRef DType) {
  return !DType.empty() && DType[0] != '%';
}

/// What has to hold for two integers, lists of sizes or dtypes to be the same;
/// null when that cannot be said.
CondRef equality(const Value &X, const Value &Y) {
  if (X.K == Value::Int && Y.K == Value::Int)
    return equalInts(X.I, Y.I);
  auto C = std::make_shared<Condition>();
  if (X.K == Value::Bool && Y.K == Value::Bool) {
    auto Both = std::make_shared<Condition>();
    auto None = std::make_shared<Condition>();
    Both->K = None->K = Condition::And;
    Both->L = X.C;
    Both->R = Y.C;
    None->L = negation(X.C);
    None->R = negation(Y.C);
    C->K = Condition::Or;
    C->L = std::move(Both);
    C->R = std::move(None);
    return C;
  }
  auto IsSizes = [](const Value &V) {
    return V.K == Value::Symbol && V.Text == "%sizes";
  };
  auto Dims = [](const Value &V) -> std::optional<std::vector<SymExpr>> {
    std::vector<SymExpr> R;
    if (V.K != Value::List)
      return std::nullopt;
    for (const Value &E : *V.Elems) {
      if (E.K != Value::Int)
        return std::nullopt;
      R.push_back(E.I);
    }
    return R;
  };
  if (IsSizes(X) || IsSizes(Y)) {
    C->K = Condition::SameSizes;
    C->T = IsSizes(X) ? X.T : Y.T;
    const Value &With = IsSizes(X) ? Y : X;
    if (IsSizes(With)) {
      C->Other = With.T;
      return C;
    }
    auto Known = Dims(With);
    if (!Known)
      return nullptr;
    C->Dims = std::move(*Known);
    return C;
  }
  if (X.K == Value::List && Y.K == Value::List) {
    auto A = Dims(X), B = Dims(Y);
    if (!A || !B)
      return nullptr;
    C->Flag = A->size() == B->size();
    CondRef All = C;
    for (size_t I = 0; C->Flag && I < A->size(); ++I) {
      auto And = std::make_shared<Condition>();
      And->K = Condition::And;
      And->L = std::move(All);
      And->R = equalInts((*A)[I], (*B)[I]);
      All = std::move(And);
    }
    return All;
  }
  if (X.K != Value::Symbol || Y.K != Value::Symbol)
    return nullptr;
  if (const bool IsX = X.Text == "%format"; IsX || Y.Text == "%format") {
    const auto F = formatNamed(IsX ? Y.Text : X.Text);
    if (!F)
      return nullptr;
    C->K = Condition::Suggested;
    C->T = IsX ? X.T : Y.T;
    C->F = *F;
    return C;
  }
  const bool IsX = isKnownDType(X.Text), IsY = isKnownDType(Y.Text);
  if (IsX && IsY) {
    C->Flag = X.Text == Y.Text;
    return C;
  }
  const Value &Open = IsX ? Y : X, &With = IsX ? X : Y;
  if (!Open.T || !(IsX || IsY || With.T))
    return nullptr;
  C->K = Condition::SameDType;
  C->T = Open.T;
  if (IsX || IsY)
    C->Text = With.Text;
  else
    C->Other = With.T;
  return C;
}

/// Whether the sizes that \p C compares are the same.
static Truth sameSizes(const Context &Ctx, const State &W, const Condition &C) {
  const Object *O = W.Objects.find(C.T);
  const Object *P = C.Other ? W.Objects.find(C.Other) : nullptr;
  if (!O || !O->HasLayout || (C.Other && (!P || !P->HasLayout)))
    return Truth::Unknown;
  if (C.Other == C.T)
    return Truth::Yes;
  const auto &Dims = P ? P->L.Sizes : SymDims(C.Dims.begin(), C.Dims.end());
  const bool Open = O->Segment >= 0 || (P && P->Segment >= 0);
  if (Open)
    return (!P || P->Segment < 0) && O->AtLeast > Dims.size() ? Truth::No
                                                              : Truth::Unknown;
  if (O->L.rank() != Dims.size())
    return Truth::No;
  Truth All = Truth::Yes;
  for (size_t I = 0; I < Dims.size(); ++I)
    All = All && evaluate(Ctx, W, *equalInts(O->L.Sizes[I], Dims[I]));
  return All;
}

/// From here on two tensors have the same sizes, or one has those listed.
static bool assumeSameSizes(const Context &Ctx, State &W, const Condition &C) {
  Object *O = W.Objects.edit(C.T);
  Object *P = C.Other ? W.Objects.edit(C.Other) : nullptr;
  if (!O || !O->HasLayout || (C.Other && (!P || !P->HasLayout)) || O == P)
    return true;
  if (P && P->Segment >= 0 && O->Segment < 0)
    std::swap(O, P);
  if (P && P->Segment >= 0) {
    // Neither rank is known: from here on it is one, of the same sizes. What
    // is asked of one dimension of either is asked of both.
    const auto Front = std::max(O->Segment, P->Segment);
    const size_t Back = std::max(O->L.rank() - static_cast<size_t>(O->Segment),
                                 P->L.rank() - static_cast<size_t>(P->Segment));
    for (Object *X : {O, P}) {
      pullFront(Ctx, W, *X, static_cast<unsigned>(Front - X->Segment));
      pullBack(Ctx, W, *X,
               static_cast<unsigned>(
                   Back - (X->L.rank() - static_cast<size_t>(X->Segment))));
    }
    for (size_t I = 0; I < O->L.rank(); ++I)
      if (static_cast<int>(I) != O->Segment &&
          !W.Ar.assumeEqual(P->L.Sizes[I], O->L.Sizes[I]))
        return false;
    const auto At = static_cast<size_t>(O->Segment);
    W.Ar.assumeEqual(P->L.Sizes[At], O->L.Sizes[At]);
    P->L.Sizes[At] = O->L.Sizes[At];
    O->AtLeast = P->AtLeast = std::max(O->AtLeast, P->AtLeast);
    W.SameUnknownRanks = true;
    return true;
  }
  const SymDims Dims = P ? P->L.Sizes : SymDims(C.Dims.begin(), C.Dims.end());
  if (!setRank(Ctx, W, *O, static_cast<unsigned>(Dims.size())))
    return false;
  for (size_t I = 0; I < Dims.size(); ++I)
    if (!W.Ar.assumeEqual(O->L.Sizes[I], Dims[I]))
      return false;
  return true;
}

/// Whether the dtypes that \p C compares are the same.
static Truth sameDType(const State &W, const Condition &C) {
  const Object *O = W.Objects.find(C.T);
  const Object *P = C.Other ? W.Objects.find(C.Other) : nullptr;
  const std::string &With = P ? P->DType : C.Text;
  return !O || !isKnownDType(O->DType) || !isKnownDType(With)
             ? Truth::Unknown
             : truth(O->DType == With);
}

/// Whether nothing but sizes occurs in \p E: integers may be 0, sizes may not
/// while there are elements.
static bool onlySizes(const State &W, const SymExpr &E) {
  for (const auto &T : E.terms())
    for (unsigned I = 0; I < T.M.Count; ++I)
      if (W.Ar.kind(T.M.S[I]) != SymbolInfo::Size)
        return false;
  return true;
}

/// By the symbols, not their names: two counters may both be called `i`.
std::string compareKey(const Context &Ctx, const Symbolic &Ar,
                       const Condition &C) {
  std::string Key = C.K == Condition::Equal ? "eq" : "lt";
  const SymExpr Difference = Ar.norm(Ar.sub(C.A, C.B));
  bool Lasts = true;
  for (const auto &T : Difference.terms()) {
    Key += ' ' + std::to_string(T.C);
    for (unsigned I = 0; I < T.M.Count; ++I) {
      Key += '*' + std::to_string(T.M.S[I]);
      Lasts = Lasts && Ctx.Table[T.M.S[I]].Owner == ~0u;
    }
  }
  return Lasts ? "var " + Key : Key;
}

bool outlivesLoops(llvm::StringRef Key) {
  if (Key.starts_with("var"))
    return true;
  if (!Key.consume_front("defined "))
    return false;
  // What a variable held, and not what a value of an iteration is.
  for (const auto From : {ObjId::Variable, ObjId::Reloaded, ObjId::Earlier})
    if (Key.starts_with(ObjId::prefix(From)))
      return true;
  return false;
}

namespace {
/// A - B as C*S + K with C 1 or -1.
struct Difference {
  SymbolId S = 0;
  int64_t C = 0, K = 0;
};
} // namespace

static std::optional<Difference> difference(const Symbolic &Ar,
                                            const Condition &C) {
  Difference D;
  const SymExpr E = Ar.norm(Ar.sub(C.A, C.B));
  for (const auto &T : E.terms()) {
    if (std::abs(T.C) > (int64_t(1) << 40))
      return std::nullopt;
    if (T.M.Count == 0) {
      D.K = T.C;
    } else if (D.C == 0 && T.M.Count == 1 && std::abs(T.C) == 1) {
      D.S = T.M.S[0];
      D.C = T.C;
    } else {
      return std::nullopt;
    }
  }
  return D.C ? std::optional(D) : std::nullopt;
}

/// What the ranges of integers say of a comparison.
static Truth byRange(const State &W, const Condition &C) {
  const auto D = difference(W.Ar, C);
  auto It = D ? W.Ranges.find(D->S) : W.Ranges.end();
  if (It == W.Ranges.end())
    return Truth::Unknown;
  State::Range R = It->second; // of A - B
  if (D->C < 0) {
    std::swap(R.Least, R.Most);
    for (auto *End : {&R.Least, &R.Most})
      if (*End)
        *End = -**End;
  }
  const bool Above = R.Least && *R.Least + D->K > 0;
  const bool Below = R.Most && *R.Most + D->K < 0;
  if (C.K == Condition::Equal)
    return Above || Below ? Truth::No : Truth::Unknown;
  return Below                             ? Truth::Yes
         : R.Least && *R.Least + D->K >= 0 ? Truth::No
                                           : Truth::Unknown;
}

/// A comparison of what a loop changes, as it is in the first iteration, if
/// this is one.
static std::optional<Condition> inFirstIteration(const State &W,
                                                 const Condition &C) {
  if (W.Initial.empty())
    return std::nullopt;
  Condition First = C;
  for (SymExpr *E : {&First.A, &First.B})
    *E = W.Ar.substitute(W.Ar.norm(*E), W.Initial);
  if (First.A == W.Ar.norm(C.A) && First.B == W.Ar.norm(C.B))
    return std::nullopt;
  return First;
}

/// Whether no path takes a comparison this way: a loop from 0 to 4 does not end
/// before its first iteration.
static bool refuted(const State &W, const Condition &C, bool Holds) {
  const auto First = inFirstIteration(W, C);
  if (First) {
    const auto A = W.Ar.known(First->A), B = W.Ar.known(First->B);
    if (A && B && (C.K == Condition::Equal ? *A == *B : *A < *B) != Holds)
      return true;
  }
  return byRange(W, C) == truth(!Holds) ||
         (First && byRange(W, *First) == truth(!Holds));
}

static void limitTo(State &W, const Condition &C, bool Holds);

/// A comparison \p Holds, or does not.
static void limit(const Context &Ctx, State &W, const Condition &C,
                  bool Holds) {
  // A loop over the dimensions may run no time at all, which nobody means.
  auto IsRank = [&](const Condition &Of) {
    const auto D = difference(W.Ar, Of);
    return D && W.RankOf.count(D->S);
  };
  if (const auto First = inFirstIteration(W, C);
      First && !(Ctx.CountedOut && IsRank(*First)))
    limitTo(W, *First, Holds);
  if (!(Ctx.CountedOut && IsRank(C)))
    limitTo(W, C, Holds);
}

static void limitTo(State &W, const Condition &C, bool Holds) {
  const auto D = difference(W.Ar, C);
  if (!D || (C.K == Condition::Equal && !Holds))
    return;
  State::Range &R = W.Ranges[D->S];
  auto AtLeast = [&](int64_t X) { R.Least = std::max(R.Least.value_or(X), X); };
  auto AtMost = [&](int64_t X) { R.Most = std::min(R.Most.value_or(X), X); };
  // Where C*S + K is 0.
  const int64_t Zero = -D->K * D->C;
  if (C.K == Condition::Equal) {
    AtLeast(Zero);
    AtMost(Zero);
  } else if ((D->C > 0) == Holds) {
    AtMost(Holds ? Zero - 1 : Zero);
  } else {
    AtLeast(Holds ? Zero + 1 : Zero);
  }
}

/// Whether comparisons leave one of \p Sizes nothing but 1, or 0.
bool leftOne(const State &W, const std::vector<SymExpr> &Sizes) {
  return llvm::any_of(Sizes, [&](const SymExpr &E) {
    auto AtMostOne = [&](SymbolId S) {
      const auto It = W.Ranges.find(S);
      return It != W.Ranges.end() && It->second.Most && *It->second.Most <= 1;
    };
    const SymExpr N = W.Ar.norm(E); // a product of such is one, too
    if (N.terms().size() != 1 || N.terms()[0].C != 1)
      return false;
    const auto &M = N.terms()[0].M;
    return M.Count && std::all_of(M.S, M.S + M.Count, AtMostOne);
  });
}

/// Names what "one of two" says, where neither is known by itself.
static std::string conditionKey(const Context &Ctx, const State &W,
                                const Condition &C) {
  switch (C.K) {
  case Condition::Constant:
    return C.Flag ? "true" : "false";
  case Condition::Atom:
    return C.Key;
  case Condition::Not: {
    const std::string L = conditionKey(Ctx, W, *C.L);
    return (outlivesLoops(L) ? "var not(" : "not(") + L + ")";
  }
  case Condition::And:
  case Condition::Or: {
    const std::string L = conditionKey(Ctx, W, *C.L),
                      R = conditionKey(Ctx, W, *C.R);
    return std::string(outlivesLoops(L) && outlivesLoops(R) ? "var " : "") +
           (C.K == Condition::And ? "and(" : "or(") + L + ", " + R + ")";
  }
  case Condition::Equal:
  case Condition::Less:
    return compareKey(Ctx, W.Ar, C);
  case Condition::Contiguous:
    return "contiguous " + C.T.text() + " " +
           std::to_string(static_cast<int>(C.F));
  case Condition::Defined:
    return "defined " + C.T.text();
  case Condition::SameSizes: {
    std::string Key = "sizes " + C.T.text() + ' ' + C.Other.text();
    Condition Size; // each as if compared with 0
    Size.K = Condition::Equal;
    for (const SymExpr &E : C.Dims) {
      Size.A = E;
      Key += ", " + compareKey(Ctx, W.Ar, Size);
    }
    return Key;
  }
  case Condition::Suggested:
    return "format " + C.T.text() + ' ' + name(C.F);
  case Condition::SameDType:
    return "dtype " + C.T.text() + ' ' + C.Other.text() + C.Text;
  }
  return "";
}

Truth evaluate(const Context &Ctx, const State &W, const Condition &C) {
  switch (C.K) {
  case Condition::Constant:
    return truth(C.Flag);
  case Condition::Atom: {
    auto It = W.Assumed.find(C.Key);
    return It == W.Assumed.end() ? Truth::Unknown : truth(It->second.first);
  }
  case Condition::Not:
    return !evaluate(Ctx, W, *C.L);
  case Condition::And:
  case Condition::Or: {
    const Truth L = evaluate(Ctx, W, *C.L), Rt = evaluate(Ctx, W, *C.R);
    const Truth T = C.K == Condition::And ? L && Rt : L || Rt;
    if (T != Truth::Unknown)
      return T;
    auto It = W.Assumed.find(conditionKey(Ctx, W, C));
    return It == W.Assumed.end() ? T : truth(It->second.first);
  }
  case Condition::Equal:
  case Condition::Less: {
    Symbolic Ar = W.Ar;
    Ar.NonEmpty = false;
    Truth T;
    if (C.K == Condition::Equal) {
      auto A = Ar.eq(C.A, C.B);
      T = A.no() && !A.UnlessOne.empty() ? Truth::Unknown : A.T;
    } else {
      T = Ar.lt(C.A, C.B);
    }
    if (T == Truth::Unknown)
      T = byRange(W, C);
    if (T != Truth::Unknown)
      return T;
    auto It = W.Assumed.find(compareKey(Ctx, W.Ar, C));
    return It == W.Assumed.end() ? Truth::Unknown : truth(It->second.first);
  }
  case Condition::Contiguous: {
    const Object *Of = W.Objects.find(C.T);
    if (!Of || !Of->HasLayout)
      return Truth::Unknown;
    const Object &O = *Of;
    if (C.F == MemoryFormat::Contiguous && O.NotContiguous)
      return Truth::No;
    if (C.F != MemoryFormat::Contiguous && O.Segment >= 0)
      return Truth::Unknown;
    auto A = isContiguous(W.Ar, O.L, C.F);
    if (A.yes() && O.Segment >= 0 && !O.SegmentDense)
      return Truth::Unknown;
    return A.no() && !A.UnlessOne.empty() ? Truth::Unknown : A.T;
  }
  case Condition::Suggested: {
    const Object *O = W.Objects.find(C.T);
    if (O && O->HasLayout) {
      // Only tensors of four or five dimensions have a format.
      const auto Rank = formatRank(C.F);
      if (Rank &&
          (O->Segment < 0 ? *Rank != O->L.rank() : *Rank < O->leastRank()))
        return Truth::No;
      if (O->Segment < 0)
        if (auto F = suggestMemoryFormat(W.Ar, O->L))
          return truth(*F == C.F);
    }
    auto As = W.Assumed.find(conditionKey(Ctx, W, C));
    return As == W.Assumed.end() ? Truth::Unknown : truth(As->second.first);
  }
  case Condition::Defined: {
    const Object *O = W.Objects.find(C.T);
    if (O && !O->Root)
      return Truth::Yes;
    auto As = W.Assumed.find("defined " + C.T.text());
    return As == W.Assumed.end() ? Truth::Unknown : truth(As->second.first);
  }
  case Condition::SameSizes:
  case Condition::SameDType: {
    const Truth T =
        C.K == Condition::SameSizes ? sameSizes(Ctx, W, C) : sameDType(W, C);
    if (T != Truth::Unknown)
      return T;
    auto As = W.Assumed.find(conditionKey(Ctx, W, C));
    return As == W.Assumed.end() ? T : truth(As->second.first);
  }
  }
  return Truth::Unknown;
}

bool assumeContiguous(const Context &Ctx, State &W, ObjId T, MemoryFormat Fmt,
                      bool Holds, Range Where) {
  Object *Of = W.Objects.edit(T);
  if (!Of)
    return true;
  Object &O = *Of;
  if (Holds && !O.HasLayout && Fmt == MemoryFormat::Contiguous) {
    // Of unknown sizes, but contiguous.
    Object Dense = denseUnknown(
        Ctx, {SymbolKey::ContiguousObject, NoId, Ctx.Ids.number(T)});
    O.HasLayout = true;
    O.L = Dense.L;
    O.Segment = 0;
    O.SegmentDense = true;
    auto P = std::make_shared<Provenance>();
    P->Where = Where;
    P->Checked = true;
    P->What = "is_contiguous()";
    P->Parent = O.Prov;
    O.Prov = std::move(P);
    return true;
  }
  if (!O.HasLayout)
    return true;
  if (!Holds) {
    if (Fmt == MemoryFormat::Contiguous)
      O.NotContiguous = true;
    return true;
  }
  if (Fmt == MemoryFormat::Preserve)
    return true;
  if (O.Segment >= 0 && Fmt != MemoryFormat::Contiguous) {
    if (!setRank(Ctx, W, O, *formatRank(Fmt)))
      return false;
  }
  auto Is = isContiguous(W.Ar, O.L, Fmt);
  // "No, unless a size is 1": possible, but not what a hypothesis is for.
  if (Is.no() && (Is.UnlessOne.empty() || Ctx.H != Hypothesis::Opaque))
    return false;
  if (Is.yes() && (O.Segment < 0 || O.SegmentDense))
    return true;
  auto Strides = formatStrides(W.Ar, O.L.Sizes, Fmt);
  if (!Strides.ok())
    return false;
  for (size_t D = 0; D < O.L.rank(); ++D)
    if (auto S = O.L.Strides[D].asSymbol())
      if (Ctx.Table[*S].K == SymbolInfo::Stride && !W.Ar.facts().count(*S))
        W.Ar.rewrite(*S, (*Strides)[D]);
  O.L.Strides = *Strides;
  O.SegmentDense = true;
  auto P = std::make_shared<Provenance>();
  P->Where = Where;
  P->Checked = true;
  P->What = Fmt == MemoryFormat::Contiguous
                ? "is_contiguous()"
                : std::string("is_contiguous(") + name(Fmt) + ")";
  P->Parent = O.Prov;
  O.Prov = std::move(P);
  return true;
}

/// Each state has its own comparisons: with more of them time would grow with
/// their square.
static void remember(State &W, const std::string &Key, bool Holds,
                     const std::string &Words = "") {
  constexpr size_t MaxAssumed = 128;
  if (W.Assumed.size() < MaxAssumed)
    W.Assumed[Key] = {Holds, Words};
}

/// "x.dim() is 3": an equality as a message says it, or nothing.
static std::string wordsOf(const State &W, const Condition &C) {
  const auto D = difference(W.Ar, C);
  const std::string Name = D ? W.Ar.name(D->S) : "";
  return Name.empty() || Name.find('?') != std::string::npos
             ? ""
             : Name + " is " + std::to_string(-D->K * D->C);
}

/// More dimensions than any tensor has.
static constexpr int64_t MaxRank = 64;

/// The rank of \p O lies in \p Of; false when it cannot.
static bool limitRank(const Context &Ctx, State &W, Object &O,
                      const State::Range &Of) {
  if (Of.Least && *Of.Least > 0 && *Of.Least <= MaxRank)
    O.AtLeast = std::max(O.AtLeast, static_cast<unsigned>(*Of.Least));
  if (!Of.Most || *Of.Most > MaxRank || Ctx.CountedOut)
    return true;
  if (*Of.Most < static_cast<int64_t>(O.AtLeast))
    return false;
  return *Of.Most > static_cast<int64_t>(O.AtLeast) ||
         setRank(Ctx, W, O, O.AtLeast);
}

/// What comparisons leave of the rank that \p C asks for; false if nothing.
static bool limitRanks(const Context &Ctx, State &W, const Condition &C) {
  const auto D = difference(W.Ar, C);
  const auto Of = D ? W.RankOf.find(D->S) : W.RankOf.end();
  Object *O = Of != W.RankOf.end() ? W.Objects.edit(Of->second) : nullptr;
  if (!O || O->Segment < 0 || Ctx.CountedOut)
    return true;
  const auto Excluded = [&](int64_t Rank) {
    const SymExpr Symbol = SymExpr::symbol(D->S), Number(Rank);
    for (const auto &C : {equalInts(Symbol, Number), equalInts(Number, Symbol)})
      if (auto It = W.Assumed.find(compareKey(Ctx, W.Ar, *C));
          It != W.Assumed.end() && !It->second.first)
        return true;
    return false;
  };
  State::Range &R = W.Ranges[D->S];
  R.Least = std::max<int64_t>(R.Least.value_or(0), O->AtLeast);
  while (*R.Least < MaxRank && Excluded(*R.Least))
    ++*R.Least;
  bool Left = false;
  for (; R.Most && *R.Most > 0 && Excluded(*R.Most); Left = true)
    --*R.Most;
  // Nobody means the numbers that tests for other ranks leave over.
  W.Degenerate = W.Degenerate || (Left && *R.Most == 0);
  return limitRank(Ctx, W, *O, R);
}

/// Between two tests of a member: so many calls are looked at.
static constexpr unsigned MostCalls = 16;

/// Whether the opposite held before a call that may have changed a member.
static bool wasOtherwise(const Context &Ctx, const State &W, const Condition &C,
                         bool Holds) {
  if (Ctx.Asked.WasInt.empty())
    return false;
  Condition Before = C;
  for (unsigned Calls = 0; Calls < MostCalls; ++Calls) {
    const Condition After = Before;
    for (SymExpr *E : {&Before.A, &Before.B})
      *E = W.Ar.substitute(W.Ar.norm(*E), Ctx.Asked.WasInt);
    if (Before.A == W.Ar.norm(After.A) && Before.B == W.Ar.norm(After.B))
      return false;
    if (const Truth Was = evaluate(Ctx, W, Before); Was != Truth::Unknown)
      return Was == truth(!Holds);
  }
  return false;
}

/// The tests of sizes that are asked together with a test for the rank of the
/// same tensor, where \p Arm of block \p B says that they do not all hold:
///   if (x.dim() == 2 && x.size(1) == 1) x = x.squeeze(1);  // [n] or [n, 1]
static llvm::SmallVector<ValueId, 2> sizeTests(const Context &Ctx, BlockId B,
                                               unsigned Arm) {
  const auto Asks = [&](ValueId Of, Op What) -> VarId {
    const Stmt *S = Ctx.Flow.DefOf[Ctx.Flow.loops().origin(Of)];
    if (S && S->O == (What == Op::Dim ? Op::ListSize : Op::ListGet)) {
      S = Ctx.Flow.DefOf[Ctx.Flow.loops().origin(S->Args[0].Value)];
      What = Op::Sizes;
    }
    const Arg *Self = S && S->O == What ? findArg(*S, "self") : nullptr;
    const Stmt *Load = Self ? Ctx.Flow.DefOf[Self->Value] : nullptr;
    return Load && Load->O == Op::Load ? Load->Var : NoId;
  };
  llvm::SmallVector<VarId, 2> Ranks;
  // The parts of a test, and whether each must hold for the whole to.
  llvm::SmallVector<std::pair<ValueId, bool>, 8> Parts;
  const auto Take = [&](ValueId Test, bool Holds) {
    const size_t From = Parts.size();
    Parts.push_back({Test, true});
    for (size_t I = From; I < Parts.size() && I < From + 16; ++I) {
      const auto [V, Needed] = Parts[I];
      const Stmt *S = Ctx.Flow.DefOf[V];
      if (!S)
        continue;
      if (S->O == Op::And || S->O == Op::Or)
        for (const Arg &A : S->Args)
          Parts.push_back({A.Value, Needed && (S->O == Op::And) == Holds});
      else if (Needed && S->O == (Holds ? Op::CmpEq : Op::CmpNe))
        for (const Arg &A : S->Args)
          if (VarId Of = Asks(A.Value, Op::Dim); Of != NoId)
            Ranks.push_back(Of);
    }
  };
  const Block &Blk = Ctx.F.Blocks[B];
  Take(Blk.Condition, Arm == 1);
  llvm::SmallVector<std::pair<VarId, ValueId>, 4> Sizes;
  for (const auto &Part : Parts)
    if (const Stmt *S = Ctx.Flow.DefOf[Part.first];
        S && opClass(S->O) == OpClass::Condition)
      for (const Arg &A : S->Args)
        if (VarId Of = Asks(A.Value, Op::Size); Of != NoId)
          Sizes.push_back({Of, Part.first});
  // What was tested in blocks before this and leads to the same place.
  BlockId X = B;
  for (unsigned Steps = 0; Steps < 8 && !Sizes.empty(); ++Steps) {
    BlockId Before = NoId;
    unsigned Ways = 0;
    for (BlockId P = 0; P < Ctx.F.Blocks.size(); ++P)
      if (llvm::is_contained(Ctx.F.Blocks[P].Succs, X)) {
        Before = P;
        ++Ways;
      }
    if (Ways != 1 || Ctx.F.Blocks[Before].Succs.size() != 2 ||
        !Ctx.F.Blocks[Before].Condition)
      break;
    const auto &Succs = Ctx.F.Blocks[Before].Succs;
    const unsigned Skips = Succs[0] == X;
    if (Succs[Skips] == Blk.Succs[Arm] && Succs[0] != Succs[1])
      Take(Ctx.F.Blocks[Before].Condition, Skips == 1);
    X = Before;
  }
  llvm::SmallVector<ValueId, 2> R;
  for (const auto &[Of, Test] : Sizes)
    if (llvm::is_contained(Ranks, Of))
      R.push_back(Test);
  return R;
}

/// Whether this way only a size is another than the test for a rank asks for
/// with it. Nobody means what comes next for a matrix of more columns.
bool failsBySizeAlone(const Context &Ctx, State &W, BlockId B, unsigned Arm) {
  auto [It, New] = Ctx.Asked.SizeTests.try_emplace({B, Arm});
  if (New)
    It->second = sizeTests(Ctx, B, Arm);
  return llvm::any_of(It->second, [&](ValueId Test) {
    const CondRef C = toCondition(Ctx, W, Test);
    return C && evaluate(Ctx, W, *C) == Truth::Unknown;
  });
}

bool assume(const Context &Ctx, State &W, const Condition &C, bool Holds) {
  switch (C.K) {
  case Condition::Constant:
    return C.Flag == Holds;
  case Condition::Atom: {
    const std::string Words =
        C.Text.empty() ? ""
                       : "'" + C.Text + "' is " + (Holds ? "true" : "false");
    auto Was = Ctx.Asked.WasAtom.find(C.Key);
    for (unsigned Calls = 0;
         Calls < MostCalls && Was != Ctx.Asked.WasAtom.end(); ++Calls)
      if (auto As = W.Assumed.find(Was->second); As != W.Assumed.end()) {
        W.Degenerate = W.Degenerate || As->second.first != Holds;
        break;
      } else {
        Was = Ctx.Asked.WasAtom.find(Was->second);
      }
    auto [It, New] = W.Assumed.emplace(C.Key, std::make_pair(Holds, Words));
    return New || It->second.first == Holds;
  }
  case Condition::Not:
    return assume(Ctx, W, *C.L, !Holds);
  case Condition::And:
  case Condition::Or: {
    bool Both = (C.K == Condition::And) == Holds;
    if (Both)
      return assume(Ctx, W, *C.L, Holds) && assume(Ctx, W, *C.R, Holds);
    // One of two fails: only useful when the other is decided.
    Truth L = evaluate(Ctx, W, *C.L), Rt = evaluate(Ctx, W, *C.R);
    Truth Open = truth(!Holds);
    const std::string Key = conditionKey(Ctx, W, C);
    if (L == Open || Rt == Open) {
      if (L == Rt || !assume(Ctx, W, L == Open ? *C.R : *C.L, Holds))
        return false;
      // What is known of all paths, once one of each kind meet.
      remember(W, Key, Holds);
      return true;
    }
    for (const Condition *Part : {C.L.get(), C.R.get()}) {
      while (Part->K == Condition::Not)
        Part = Part->L.get();
      if (auto Of = Ctx.Asked.Tested.find(conditionKey(Ctx, W, *Part));
          Of != Ctx.Asked.Tested.end())
        Ctx.Asked.Tested.emplace(Key, Of->second);
    }
    auto [It, New] =
        W.Assumed.emplace(Key, std::make_pair(Holds, std::string()));
    return New || It->second.first == Holds;
  }
  case Condition::Equal: {
    std::string Key = compareKey(Ctx, W.Ar, C);
    auto It = W.Assumed.find(Key);
    if ((It != W.Assumed.end() && It->second.first != Holds) ||
        refuted(W, C, Holds))
      return false;
    remember(W, Key, Holds, Holds ? wordsOf(W, C) : "");
    limit(Ctx, W, C, Holds);
    W.Degenerate = W.Degenerate || wasOtherwise(Ctx, W, C, Holds);
    W.Degenerate = W.Degenerate || (Holds && onlySizes(W, W.Ar.sub(C.A, C.B)) &&
                                    W.Ar.eq(C.A, C.B).no() &&
                                    W.Ar.eq(C.A, C.B).UnlessOne.empty());
    if (!Holds)
      return limitRanks(Ctx, W, C);
    for (const auto *P : {&C.A, &C.B}) {
      auto S = P->asSymbol();
      auto K = W.Ar.known(P == &C.A ? C.B : C.A);
      if (S && K && W.RankOf.count(*S)) {
        Object *O = W.Objects.edit(W.RankOf[*S]);
        if (O && O->Segment >= 0 && *K >= 0 && *K < 64 && !Ctx.CountedOut &&
            !setRank(Ctx, W, *O, static_cast<unsigned>(*K)))
          return false;
      }
    }
    return W.Ar.assumeEqual(C.A, C.B);
  }
  case Condition::Less: {
    std::string Key = compareKey(Ctx, W.Ar, C);
    auto It = W.Assumed.find(Key);
    if ((It != W.Assumed.end() && It->second.first != Holds) ||
        refuted(W, C, Holds))
      return false;
    remember(W, Key, Holds);
    limit(Ctx, W, C, Holds);
    W.Degenerate = W.Degenerate || wasOtherwise(Ctx, W, C, Holds);
    const Truth Else = W.Ar.lt(C.A, C.B);
    if (!limitRanks(Ctx, W, C))
      return false;
    W.Degenerate =
        W.Degenerate || (onlySizes(W, W.Ar.sub(C.A, C.B)) &&
                         Else != Truth::Unknown && Else != truth(Holds));
    return true;
  }
  case Condition::Contiguous:
    return assumeContiguous(Ctx, W, C.T, C.F, Holds, C.Where);
  case Condition::Defined: {
    auto [It, New] = W.Assumed.emplace("defined " + C.T.text(),
                                       std::make_pair(Holds, std::string()));
    return New || It->second.first == Holds;
  }
  case Condition::Suggested: {
    const Truth Now = evaluate(Ctx, W, C);
    if (Now != Truth::Unknown)
      return Now == truth(Holds);
    remember(W, conditionKey(Ctx, W, C), Holds);
    Object *O = Holds ? W.Objects.edit(C.T) : nullptr;
    const auto Rank = formatRank(C.F);
    return !O || !Rank || !O->HasLayout || setRank(Ctx, W, *O, *Rank);
  }
  case Condition::SameSizes:
  case Condition::SameDType: {
    const Truth Now = evaluate(Ctx, W, C);
    if (Now != Truth::Unknown)
      return Now == truth(Holds);
    remember(W, conditionKey(Ctx, W, C), Holds);
    if (!Holds || C.K == Condition::SameSizes)
      return !Holds || assumeSameSizes(Ctx, W, C);
    Object *O = W.Objects.edit(C.T);
    Object *P = C.Other ? W.Objects.edit(C.Other) : nullptr;
    if (!O || O->Ggml)
      return true;
    if (P && !isKnownDType(P->DType))
      std::swap(O, P);
    const std::string &With = P ? P->DType : C.Text;
    if (isKnownDType(With))
      O->DType = With;
    return true;
  }
  }
  return true;
}

/// The most dimensions that tests leave \p O, of unknown rank.
std::optional<unsigned> mostRank(const Context &Ctx, const State &W,
                                 const Object &O) {
  if (O.Segment < 0 || Ctx.CountedOut)
    return std::nullopt;
  for (const auto &[Rank, Id] : W.RankOf)
    if (W.Objects.find(Id) == &O)
      if (auto It = W.Ranges.find(Rank);
          It != W.Ranges.end() && It->second.Most && *It->second.Most >= 0)
        return static_cast<unsigned>(*It->second.Most);
  return std::nullopt;
}

/// "when 'swap' is true and x.dim() is 3", of what branches decided.
std::string pathText(const State &W) {
  llvm::SetVector<llvm::StringRef> Words; // of two readings of a member, one
  for (const auto &A : W.Assumed)
    if (!A.second.second.empty())
      Words.insert(A.second.second);
  std::string When = llvm::join(Words, " and ");
  if (!When.empty())
    When = "when " + When;
  if (W.Repeats.empty())
    return When;
  return "in a later iteration" + (When.empty() ? "" : " " + When);
}

void addPath(std::string &When, llvm::StringRef Path) {
  if (!When.empty() && Path.consume_front("when"))
    When += " and";
  else
    When += " ";
  When += Path;
}

} // namespace tensortidy::analysis
