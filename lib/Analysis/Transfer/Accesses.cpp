//===- Accesses.cpp - elements behind raw pointers -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/Accesses.h"
#include "Analysis/Transfer/Describe.h"
#include "Analysis/Transfer/Extents.h"
#include "Analysis/Transfer/Lists.h"
#include "Analysis/Transfer/Operands.h"
#include "Analysis/Transfer/Pointers.h"
#include "Analysis/Transfer/Relevance.h"
#include "Analysis/Transfer/Sites.h"
#include "Analysis/Transfer/Subscripts.h"
#include "Analysis/Transfer/Traversal.h"
#include "Layout/Contiguity.h"
#include "Layout/Error.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

namespace {

/// Loops that count up an index: `p[i*W + j]` has the shape [H, W].
struct Walk {
  struct Step {
    SymExpr By, Count;
  };
  std::vector<Step> Steps;
  SymExpr From; ///< without the counters

  bool same(const Symbolic &Ar, const Walk &O) const {
    return Steps.size() == O.Steps.size() && Ar.eq(From, O.From).yes() &&
           llvm::all_of(Steps, [&](const Step &S) {
             return llvm::any_of(O.Steps, [&](const Step &T) {
               return Ar.eq(S.By, T.By).yes() && Ar.eq(S.Count, T.Count).yes();
             });
           });
  }
};

/// `p[At]`, or `*p` where At is 0.
struct Access {
  Value P;
  SymExpr At;
  ValueId Pointer; ///< the expression in front of the brackets
};

} // namespace

std::optional<SymExpr> again(const Context &Ctx, const State &W, ValueId V,
                             unsigned Depth) {
  if (const Value Now = value(W, V); Now.K == Value::Int)
    return Now.I;
  const Stmt *D = V < Ctx.Flow.DefOf.size() ? Ctx.Flow.DefOf[V] : nullptr;
  if (!D || Depth > 6)
    return std::nullopt;
  auto Operand = [&](size_t I) {
    return I < D->Args.size() ? again(Ctx, W, D->Args[I].Value, Depth + 1)
                              : std::nullopt;
  };
  switch (D->O) {
  case Op::Const:
    if (D->Const == ConstKind::Int)
      return SymExpr(D->Imm);
    return std::nullopt;
  case Op::Load:
    if (W.Vars[D->Var].K == Value::Int)
      return W.Vars[D->Var].I;
    return std::nullopt;
  case Op::IAdd:
  case Op::ISub:
  case Op::IMul: {
    auto A = Operand(0), B = Operand(1);
    if (!A || !B)
      return std::nullopt;
    return D->O == Op::IAdd   ? W.Ar.add(*A, *B)
           : D->O == Op::ISub ? W.Ar.sub(*A, *B)
                              : W.Ar.mul(*A, *B);
  }
  case Op::Numel:
  case Op::Size: {
    const Arg *Self = findArg(*D, "self");
    const Stmt *Of = Self ? Ctx.Flow.DefOf[Self->Value] : nullptr;
    if (!Of || Of->O != Op::Load)
      return std::nullopt;
    const Value &Held = W.Vars[Of->Var];
    const Object *O =
        Held.K == Value::Tensor ? W.Objects.find(Held.T) : nullptr;
    if (!O || !O->HasLayout || (O->Segment >= 0 && D->O == Op::Numel))
      return std::nullopt;
    if (D->O == Op::Numel)
      return numel(W.Ar, O->L.Sizes);
    const Arg *Dim = findArg(*D, "dim");
    auto At = Dim ? again(Ctx, W, Dim->Value, Depth + 1) : std::nullopt;
    auto Known = At ? W.Ar.known(*At) : std::nullopt;
    const auto N = static_cast<int64_t>(O->L.rank());
    if (!Known || *Known < -N || *Known >= N ||
        (O->Segment >= 0 &&
         (*Known >= 0 ? *Known >= O->Segment : *Known + N <= O->Segment)))
      return std::nullopt;
    return O->L.Sizes[static_cast<size_t>(*Known < 0 ? *Known + N : *Known)];
  }
  default:
    return accessorSize(Ctx, W, *D);
  }
}

/// The loops that an index counts through, if it is a sum of their counters,
/// each times a number; nothing when one does not count up from 0 by 1.
static std::optional<Walk> walk(const Context &Ctx, State &W,
                                const SymExpr &Index) {
  Ctx.Flow.loops();
  Walk Found;
  SymExpr Rest = W.Ar.norm(Index);
  for (const auto &[V, C] : Ctx.Flow.counters()) {
    if (!Ctx.Flow.insideLoop(Ctx.Block, C.Of) || W.Vars[V].K != Value::Int)
      continue;
    auto Symbol = W.Vars[V].I.asSymbol();
    if (!Symbol || !Rest.contains(*Symbol))
      continue;
    auto Count = again(Ctx, W, C.Bound, 0);
    if (C.Start != 0 || C.Step != 1)
      return std::nullopt;
    if (!Count) // to a number that says nothing: `i < weights.size()`
      Count = Ctx.Ids.symbol({SymbolKey::Result, NoId, C.Bound, 0},
                             SymbolInfo::Integer, "?");
    std::map<SymbolId, SymExpr> Zero{{*Symbol, SymExpr(0)}},
        One{{*Symbol, SymExpr(1)}}, Two{{*Symbol, SymExpr(2)}};
    const SymExpr At0 = W.Ar.substitute(Rest, Zero),
                  At1 = W.Ar.substitute(Rest, One);
    const SymExpr By = W.Ar.sub(At1, At0);
    if (!W.Ar.eq(W.Ar.sub(W.Ar.substitute(Rest, Two), At1), By).yes())
      return std::nullopt;
    Found.Steps.push_back({By, *Count});
    Rest = At0;
  }
  Found.From = Rest;
  for (const auto &T : Rest.terms())
    for (unsigned I = 0; I < T.M.Count; ++I)
      for (const auto &[V, C] : Ctx.Flow.counters())
        if (W.Vars[V].K == Value::Int && W.Vars[V].I.asSymbol() == T.M.S[I])
          return std::nullopt;
  return Found;
}

namespace {
/// How a loop moves a pointer on: by one statement, in every iteration.
struct Moves {
  bool Known = true;
  const Stmt *By = nullptr;                ///< `p + n` or `p++`, stored to p
  program::LoopId Outside = program::NoId; ///< the loop in which p starts anew
};
} // namespace

static Moves movesOf(const Context &Ctx, VarId V) {
  const LoopFacts &Facts = Ctx.Flow.loops();
  Moves R;
  bool Starts = false;
  forEachStmt(Ctx.F, [&](BlockId B, const Stmt &S) {
    if (S.isOpaque())
      for (const Arg &A : S.Args)
        R.Known &=
            A.Var != V || A.R != Role::Write || writesElement(Ctx.F, S, A);
    if (S.O != Op::Store || S.Var != V || S.Args.empty())
      return;
    const Stmt *New = Ctx.Flow.DefOf[S.Args[0].Value];
    const Stmt *Old = New && New->isOpaque() && !New->Args.empty()
                          ? Ctx.Flow.DefOf[New->Args[0].Value]
                          : nullptr;
    if (Old && Old->O == Op::Load && Old->Var == V) {
      R.Known &= !R.By && Facts.everyIteration(B, Ctx.F.Blocks[B].InLoop);
      R.By = New;
      return;
    }
    // It starts where the tensor does.
    while (New && New->O == Op::Load && Facts.Stores[New->Var].size() == 1 &&
           Facts.Stores[New->Var][0])
      New = Ctx.Flow.DefOf[Facts.Stores[New->Var][0]->Args[0].Value];
    R.Known &= !Starts && New && New->O == Op::DataPtr;
    Starts = true;
    R.Outside = Ctx.F.Blocks[B].InLoop;
  });
  return R;
}

/// Adds the loops through which a pointer is moved on: `*p++` in the innermost
/// of two loops goes through both, as p[i*W + j] does. False where it is moved
/// in another way.
static bool takeSteps(const Context &Ctx, State &W, const Access &A,
                      Walk &Into) {
  Into.From = A.At;
  const Stmt *D =
      A.Pointer < Ctx.Flow.DefOf.size() ? Ctx.Flow.DefOf[A.Pointer] : nullptr;
  while (D && D->O == Op::Plus && !D->Args.empty())
    D = Ctx.Flow.DefOf[D->Args[0].Value];
  if (!D || D->O != Op::Load)
    return true;
  program::LoopId L = Ctx.F.Blocks[Ctx.Block].InLoop;
  while (L != program::NoId && !Ctx.Flow.Stored[L].count(D->Var))
    L = Ctx.F.Loops[L].Parent;
  if (L == program::NoId)
    return true;
  const Moves M = movesOf(Ctx, D->Var);
  if (!M.By)
    return true; // it is given a place anew
  if (!M.Known || Ctx.F.Blocks[Ctx.Flow.BlockOf[M.By->Result]].InLoop != L)
    return false;
  std::optional<SymExpr> By;
  if (M.By->O == Op::Plus)
    By = M.By->Args.size() == 2 ? again(Ctx, W, M.By->Args[1].Value, 0)
                                : std::optional(SymExpr(1));
  // What enterLoop() calls the distance it has gone.
  const SymExpr Gone =
      Ctx.Ids.symbol({SymbolKey::LoopDistance, Ctx.F.Loops[L].Head, D->Var},
                     SymbolInfo::Integer, called(Ctx, D->Var));
  Into.From =
      W.Ar.substitute(W.Ar.norm(A.At), {{*Gone.asSymbol(), SymExpr(0)}});
  for (; By && L != M.Outside; L = Ctx.F.Loops[L].Parent) {
    if (L == program::NoId)
      return false;
    std::optional<SymExpr> Count;
    for (const auto &[V, C] : Ctx.Flow.counters())
      if (C.Of == L && C.Start == 0 && C.Step == 1)
        Count = again(Ctx, W, C.Bound, 0);
    const program::LoopId Around = Ctx.F.Loops[L].Parent;
    if (!Count ||
        (Around != M.Outside && Around != program::NoId &&
         !Ctx.Flow.loops().everyIteration(Ctx.F.Loops[L].Head, Around)))
      return false;
    Into.Steps.push_back({*By, *Count});
    By = W.Ar.mul(*By, *Count);
  }
  return By.has_value();
}

/// `*p`, `*p++`.
bool isDeref(const Stmt &S) {
  return S.O == Op::Deref && S.IsScalar && S.Args.size() == 1;
}

/// Adds `p[i]` or `*p`, if \p S reads one.
static bool readPointer(State &W, const Stmt &S, std::vector<Access> &All) {
  const bool Deref = isDeref(S);
  if (!Deref && !(S.O == Op::Element && S.Args.size() == 2))
    return false;
  const Value P = value(W, S.Args[0].Value),
              I = Deref ? Value::integer(SymExpr(0))
                        : value(W, S.Args[1].Value);
  if (P.K != Value::Pointer || I.K != Value::Int)
    return false;
  All.push_back({P, W.Ar.add(P.I, I.I), S.Args[0].Value});
  return true;
}

/// The numbers that the symbols in \p Rest are multiplied by, for which nobody
/// counts: rows that an index names. Nothing where one is in two products.
static std::optional<std::vector<SymExpr>> gathers(const State &W,
                                                   const SymExpr &Rest) {
  std::vector<SymExpr> Found;
  std::set<SymbolId> Seen;
  for (const SymExpr::Term &T : Rest.terms())
    for (unsigned I = 0; I < T.M.Count; ++I) {
      const SymbolId S = T.M.S[I];
      if (W.Ar.kind(S) != SymbolInfo::Integer)
        continue;
      if (!Seen.insert(S).second)
        return std::nullopt;
      if (auto By =
              W.Ar.divExact(SymExpr::monomial(T.M, T.C), SymExpr::symbol(S)))
        Found.push_back(*By);
    }
  return Found;
}

/// `order[i] * 5 + 4`: one of the \p By places of a record, both written as
/// numbers.
static bool isPlaceIn(const State &W, const SymExpr &From, const SymExpr &By) {
  const auto Size = W.Ar.known(By);
  SymExpr Places(0);
  for (const SymExpr::Term &T : From.terms())
    if (T.M.Count == 0)
      Places = SymExpr(T.C);
  const auto Place = W.Ar.known(Places);
  return Size && Place && *Size > 1 && *Place >= 0 && *Place < *Size;
}

/// Whether the addresses that \p Through goes by go from row to row of \p O as
/// if it were dense, or through rows of two dimensions in steps of the outer
/// one. \p Row: as many elements are taken from there on, if that is known.
///   sizes [n, 5], strides [8, 1]     i*5 where i < n
///   sizes [B, T, D], strides [3*T*D, 3*D, 1]     i*3*T*D where i < B*T
/// \p Told: the steps are strides of it that the code names; what is wrong then
/// is an outer one, for rows of several dimensions together.
static std::optional<WrongStep> wrongStep(const State &W, const Object &O,
                                          const Walk &Through,
                                          const std::vector<SymExpr> &Row,
                                          bool Told = false) {
  if (!O.HasLayout || O.Segment >= 0 || O.L.rank() < 2)
    return std::nullopt;
  const SymDims &Sizes = O.L.Sizes, &Real = O.L.Strides,
                Dense = denseStrides(W.Ar, Sizes);
  const size_t Rank = O.L.rank();
  auto Is = [&](const SymExpr &A, const SymExpr &B) {
    return W.Ar.eq(A, B).yes();
  };
  auto IsStride = [&](const SymExpr &By) {
    for (size_t D = 0; D < Rank; ++D)
      if (!isOne(W.Ar, Sizes[D]) && Is(By, Real[D]))
        return true;
    return isOne(W.Ar, By);
  };
  /// Count is the number of rows of the dimensions First to D.
  auto Rows = [&](const SymExpr &Count, size_t D) -> std::optional<size_t> {
    SymExpr N(1);
    for (size_t First = D + 1; First-- > 0;) {
      N = W.Ar.mul(N, Sizes[First]);
      if (Is(N, Count))
        return First;
      if (First == 0 ||
          !Is(Real[First - 1], W.Ar.mul(Real[First], Sizes[First])))
        return std::nullopt;
    }
    return std::nullopt;
  };
  for (const Walk::Step &Step : Through.Steps)
    for (size_t D = 0; D + 1 < Rank; ++D) {
      const auto First = Rows(Step.Count, D);
      if (!First || isOne(W.Ar, Step.Count) || Is(Step.By, Real[D]))
        continue;
      const auto Differs = W.Ar.eq(Step.By, Real[D]);
      if (!Differs.no())
        continue;
      bool Outer = false;
      for (size_t E = *First; E < D; ++E)
        Outer = Outer || Is(Step.By, Real[E]);
      if (Outer || (!Told && Is(Step.By, Dense[D]) && !IsStride(Step.By)))
        return WrongStep{Step.By, Real[D]};
    }
  if (Told)
    return std::nullopt;
  // All of a row is taken from there.
  auto IsWhole = [&](const SymExpr &By) {
    return llvm::any_of(Row, [&](const SymExpr &N) { return Is(N, By); }) ||
           llvm::any_of(Through.Steps, [&](const Walk::Step &Step) {
             return isOne(W.Ar, Step.By) && Is(Step.Count, By);
           });
  };
  auto Skips = [&](const SymExpr &By, bool Place) -> std::optional<WrongStep> {
    for (size_t D = 0; D + 1 < Rank; ++D)
      if (Is(By, Dense[D]) && W.Ar.eq(By, Real[D]).no() &&
          (Place || IsWhole(By)))
        return WrongStep{By, Real[D]};
    return std::nullopt;
  };
  // Rows up to a number that says nothing of how many there are.
  for (const Walk::Step &Step : Through.Steps)
    if (!isOne(W.Ar, Step.Count) && !IsStride(Step.By))
      if (const auto Wrong = Skips(Step.By, false))
        return Wrong;
  const auto Gathered = gathers(W, Through.From);
  if (!Gathered || Gathered->size() != 1 || IsStride(Gathered->front()))
    return std::nullopt;
  return Skips(Gathered->front(),
               isPlaceIn(W, Through.From, Gathered->front()));
}

/// Where the pointer \p A is used in all loops around.
static std::optional<Walk> walkOf(const Context &Ctx, State &W,
                                  const Access &A) {
  Walk Moved;
  if (!takeSteps(Ctx, W, A, Moved))
    return std::nullopt;
  auto Through = walk(Ctx, W, Moved.From);
  if (Through)
    Through->Steps.insert(Through->Steps.end(), Moved.Steps.begin(),
                          Moved.Steps.end());
  return Through;
}

std::optional<WrongStep> wrongStepAt(const Context &Ctx, State &W,
                                     const Value &P, ValueId Pointer,
                                     const std::vector<SymExpr> &Row,
                                     bool Told) {
  const auto Through = walkOf(Ctx, W, {P, P.I, Pointer});
  return Through ? wrongStep(W, P.P->Of, *Through, Row, Told) : std::nullopt;
}

namespace {
/// Loops over the sizes of a tensor, whose rows have another size than the
/// index takes them for.
struct OtherRows {
  SymExpr Given, Real;   ///< what it takes for a row, and what a row has
  SymExpr A, B;          ///< right where these two sizes are equal
  size_t Dim = SIZE_MAX; ///< of whose size the loop has the other one
};
} // namespace

/// `p[i*H + j]` of [H, W], where i < H and j < W; `p[i*W + j]`, where i < W and
/// j < H. In what follows the steps of the loops chain up to \p Z elements.
static std::optional<OtherRows> otherRows(const State &W, const Object &O,
                                          const Walk &Through) {
  const size_t Rank = knownRank(O);
  if (!O.HasLayout || Rank < 2 || Through.Steps.size() < 2)
    return std::nullopt;
  // Each loop counts to the size of a dimension of its own.
  std::vector<bool> Taken(Rank);
  for (const Walk::Step &Step : Through.Steps) {
    size_t D = 0;
    while (D < Rank &&
           (Taken[D] || W.Ar.norm(O.L.Sizes[D]) != W.Ar.norm(Step.Count)))
      ++D;
    if (D == Rank || !W.Ar.norm(Step.Count).asSymbol())
      return std::nullopt;
    Taken[D] = true;
  }
  std::vector<Walk::Step> Rest = Through.Steps;
  SymExpr Z(1);
  for (auto Next = Rest.begin(); Next != Rest.end();) {
    Next = llvm::find_if(
        Rest, [&](const Walk::Step &S) { return W.Ar.eq(S.By, Z).yes(); });
    if (Next == Rest.end())
      break;
    Z = W.Ar.mul(Z, Next->Count);
    Rest.erase(Next);
    Next = Rest.begin();
  }
  for (const Walk::Step &Step : Rest)
    for (size_t A = 0; A < Rank; ++A)
      for (size_t B = 0; B < Rank; ++B) {
        const SymExpr &Is = O.L.Sizes[A], &Other = O.L.Sizes[B];
        const auto Same = W.Ar.eq(Is, Other);
        if (Same.yes() || (Same.no() && Same.UnlessOne.empty()) ||
            W.Ar.norm(W.Ar.mul(Step.By, Other)) != W.Ar.norm(W.Ar.mul(Z, Is)))
          continue;
        OtherRows R{Step.By, Z, Is, Other};
        SymExpr Row(1); // rows are as long as they are, and the loop is not
        for (size_t D = Rank; D-- > 0; Row = W.Ar.mul(Row, O.L.Sizes[D]))
          if (W.Ar.eq(Row, Step.By).yes() &&
              !W.Ar.eq(O.L.Sizes[D], Step.Count).yes())
            R.Dim = D;
        return R;
      }
  return std::nullopt;
}

/// Whether \p Through takes rows for those of another size; records it.
static bool rowsFail(const Context &Ctx, State &W, const Stmt &S,
                     const Pointee &To, const Walk &Through) {
  const Object &O = To.Of;
  const auto Wrong = otherRows(W, O, Through);
  if (!Wrong || hasNoElements(Ctx, W, S) || isVouchedFor(Ctx, W, S, O))
    return false;
  const std::vector<SymExpr> Unless{equalSizes(W, Wrong->A, Wrong->B)};
  if (isKnownToFit(Ctx, W, S, Wrong->Given, Wrong->Real, Unless))
    return false;
  const bool IsIndex = Wrong->Dim != SIZE_MAX;
  PointerUse *U = wrongUse(Ctx, W, S, *To.Taken, O,
                           IsIndex ? PointerUse::Subscript : PointerUse::Step);
  if (!U)
    return true;
  // The loop that is too long counts to the one, and the dimension has the
  // other.
  U->Given = W.Ar.str(IsIndex ? W.Ar.sub(Wrong->A, SymExpr(1)) : Wrong->Given);
  U->Real = W.Ar.str(IsIndex ? O.L.Sizes[Wrong->Dim] : Wrong->Real);
  if (IsIndex)
    U->Count = std::to_string(Wrong->Dim);
  U->Sizes = dimsText(W, O, O.L.Sizes);
  U->Strides = dimsText(W, O, O.L.Strides);
  U->Unless = excepted(W, Unless);
  return true;
}

/// Whether \p Through has a step that is no stride of \p O; records it.
static bool stepFails(const Context &Ctx, State &W, const Stmt &S,
                      const Pointee &To, const Walk &Through,
                      const Answer<SymExpr> &Is) {
  const auto Wrong = wrongStep(W, To.Of, Through, {});
  if (!Wrong)
    return false;
  pointerSteps(Ctx, W, S, To, *Wrong, Is);
  return true;
}

static void judgeAccesses(const Context &Ctx, State &W, const Stmt &S,
                          const std::vector<Access> &All, const SymExpr *RawAt,
                          bool OnlyBeside);

/// `p[i] * q[i]`: elements that belong together.
void pairPointers(const Context &Ctx, State &W, const Stmt &S) {
  if (S.O != Op::Times && S.O != Op::Divide && S.O != Op::Compare)
    return;
  std::vector<Access> All;
  for (const Arg &A : S.Args)
    if (const Stmt *D =
            A.Value < Ctx.Flow.DefOf.size() ? Ctx.Flow.DefOf[A.Value] : nullptr)
      readPointer(W, *D, All);
  if (All.size() == 2)
    judgeAccesses(Ctx, W, S, All, nullptr, true);
}

/// `p[i]` and `*p`, read or written.
void indexPointer(const Context &Ctx, State &W, const Stmt &S) {
  std::vector<Access> All;
  if (S.O != Op::StoreElement) {
    readPointer(W, S, All);
    return judgeAccesses(Ctx, W, S, All, nullptr, false);
  }
  const Value P = value(W, S.Args[0].Value), I = value(W, S.Args[1].Value);
  if (P.K == Value::Pointer && I.K == Value::Int)
    All.push_back({P, W.Ar.add(P.I, I.I), S.Args[0].Value});
  // What is written there comes from elements of others.
  bool Plain = false;
  if (I.K == Value::Int) {
    std::vector<std::pair<ValueId, unsigned>> Todo{{S.Args[2].Value, 0}};
    while (!Todo.empty()) {
      auto [V, Depth] = Todo.back();
      Todo.pop_back();
      const Stmt *D = V < Ctx.Flow.DefOf.size() ? Ctx.Flow.DefOf[V] : nullptr;
      if (!D || Depth > 6 || !D->isOpaque())
        continue;
      if (readPointer(W, *D, All)) {
        Plain = Plain || Depth == 0;
        continue;
      }
      for (const Arg &A : D->Args)
        Todo.emplace_back(A.Value, Depth + 1);
    }
  }
  const bool Raw = Plain && P.K != Value::Pointer && I.K == Value::Int;
  judgeAccesses(Ctx, W, S, All, Raw ? &I.I : nullptr, false);
}

/// Looks at the elements that \p S reads and writes together; \p RawAt is the
/// place of one in other memory. With \p OnlyBeside each has been looked at.
static void judgeAccesses(const Context &Ctx, State &W, const Stmt &S,
                          const std::vector<Access> &All, const SymExpr *RawAt,
                          bool OnlyBeside) {
  auto WalkOf = [&](const Access &A) { return walkOf(Ctx, W, A); };
  for (const Access &A : All) {
    const Pointee &To = *A.P.P;
    const Object &O = To.Of;
    const auto Is = contiguity(Ctx, W, O);
    PointerSite &Site = Ctx.Facts.Pointers[To.Taken];
    if (!OnlyBeside && reachesBeyond(Ctx, W, S, To, W.Ar.add(A.At, SymExpr(1))))
      continue;
    const bool Told = S.Args.size() > 1 && namesStride(Ctx, S.Args[1].Value, 0);
    // The stride may be in the pointer that the index goes on from.
    if (!OnlyBeside && (Told || namesStride(Ctx, A.Pointer, 0)))
      if (const auto Through = WalkOf(A))
        if (const auto Wrong = wrongStep(W, O, *Through, {}, true)) {
          pointerSteps(Ctx, W, S, To, *Wrong,
                       W.Ar.eq(Wrong->Given, Wrong->Real));
          continue;
        }
    if (!OnlyBeside && Is.yes() && Ctx.H == Hypothesis::Opaque)
      if (const auto Through = WalkOf(A);
          Through && rowsFail(Ctx, W, S, To, *Through))
        continue;
    if (OnlyBeside ? !Is.no() : leaves(Ctx, W, S, To, Is, !Told))
      continue;
    const auto Through = WalkOf(A);
    const bool Steps = Through && !OnlyBeside && !Told;
    if (!Through || !W.Ar.eq(Through->From, SymExpr(0)).yes()) {
      if (!Steps || !stepFails(Ctx, W, S, To, *Through, Is))
        ++Site.Ok;
      continue;
    }
    // The shape it goes through, if in a row.
    std::vector<Walk::Step> Rest = Through->Steps;
    std::vector<SymExpr> Shape;
    SymExpr Z(1);
    for (bool Found = true; Found && !Rest.empty();) {
      Found = false;
      for (size_t K = 0; K < Rest.size() && !Found; ++K)
        if (W.Ar.eq(Rest[K].By, Z).yes()) {
          Z = W.Ar.mul(Z, Rest[K].Count);
          Shape.insert(Shape.begin(), Rest[K].Count);
          Rest.erase(Rest.begin() + static_cast<long>(K));
          Found = true;
        }
    }
    if (Shape.empty() || !Rest.empty() ||
        !W.Ar.eq(Z, numel(W.Ar, O.L.Sizes)).yes()) {
      if (!Steps || !stepFails(Ctx, W, S, To, *Through, Is))
        ++Site.Ok;
      continue;
    }
    const Traversal How = traversal(W.Ar, O.L, Shape);
    if (!OnlyBeside && How.Packed == Density::Gaps) {
      pointerFails(Ctx, W, S, To, PointerUse::Row, Is);
      continue;
    }
    if (How.Packed != Density::Dense) {
      ++Site.Ok;
      continue;
    }
    if (!OnlyBeside && How.ByDims && !How.ByMemory) {
      pointerFails(Ctx, W, S, To, PointerUse::Shape, Is);
      continue;
    }
    // All in the order of memory: wrong beside another order.
    const Object *Beside = nullptr;
    for (const Access &B : All)
      if (liesElsewhere(W.Ar, O, B.P.P->Of))
        if (auto Other = WalkOf(B); Other && Through->same(W.Ar, *Other))
          Beside = &B.P.P->Of;
    auto Into = RawAt ? walk(Ctx, W, *RawAt) : std::nullopt;
    const bool Raw = Into && Through->same(W.Ar, *Into);
    if (Beside) {
      if (PointerUse *U = pointerFails(Ctx, W, S, To, PointerUse::Beside, Is))
        U->Other = Beside->Name;
    } else if (Raw) {
      pointerFails(Ctx, W, S, To, PointerUse::Order, Is);
    } else {
      ++Site.Ok;
    }
  }
}

void noteNarrow(const Context &Ctx, const State &W, const Stmt &S) {
  auto Outer = [&](const Stmt &Nb) {
    const Arg *Dim = findArg(Nb, "dim");
    const auto D =
        Dim ? writtenNumber(Ctx.Flow.Values.origin(Dim->Value)) : std::nullopt;
    return D && *D > 1;
  };
  auto Sizes = [&](auto &&Self, ValueId V, unsigned Depth) -> unsigned {
    const Stmt *D = Ctx.Flow.Values.origin(V); // through variables
    if (!D || Depth > 8)
      return 0;
    // What lies between rows of several dimensions is a product, too.
    if (D->O == Op::Numel || D->O == Op::GgmlNbytes ||
        (D->O == Op::GgmlNb && Outer(*D)))
      return 2;
    if (D->O == Op::Size)
      return 1;
    unsigned Sum = 0;
    if (D->O == Op::IMul)
      for (const Arg &A : D->Args)
        Sum += Self(Self, A.Value, Depth + 1);
    if (D->O == Op::IAdd || D->O == Op::Phi)
      for (const Arg &A : D->Args)
        Sum = std::max(Sum, Self(Self, A.Value, Depth + 1));
    return Sum;
  };
  if (S.O == Op::Accessor) { // packed_accessor32()
    const Arg *Self = findArg(S, "self");
    const Value Of = Self ? value(W, Self->Value) : Value();
    const Object *O = Of.K == Value::Tensor ? W.Objects.find(Of.T) : nullptr;
    if (!O || !O->HasLayout || O->Segment >= 0 ||
        !W.Ar.known(numel(W.Ar, O->L.Sizes)))
      Ctx.Facts.Narrowed[&S] = std::nullopt;
    return;
  }
  const Value V = value(W, S.Result);
  const auto Known = V.K == Value::Int ? W.Ar.known(V.I) : std::nullopt;
  const int64_t Most = S.ToSigned ? std::numeric_limits<int32_t>::max()
                                  : std::numeric_limits<uint32_t>::max();
  if (V.K == Value::Int && (!Known || *Known > Most) &&
      Sizes(Sizes, S.Result, 0) > 1)
    Ctx.Facts.Narrowed[&S] = Known;
}

} // namespace tensortidy::analysis
