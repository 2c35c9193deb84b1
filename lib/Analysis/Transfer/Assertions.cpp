//===- Assertions.cpp - checks that cannot hold ---------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/Assertions.h"
#include "Analysis/Transfer/Conditions.h"
#include "Analysis/Transfer/Describe.h"
#include "Analysis/Transfer/Ggml.h"
#include "Analysis/Transfer/Operands.h"
#include "Analysis/Transfer/Relevance.h"
#include "Analysis/Transfer/Sites.h"
#include "Layout/Error.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

namespace {

/// A question that was asked of a tensor.
struct Question {
  const Stmt *Query;
  const Object *Of;
};

/// A part of a condition that what is known of tensors refutes.
struct Refuted {
  const Stmt *Part = nullptr;
  llvm::SmallVector<Question, 2> About; ///< none: numbers are compared
  std::vector<SymExpr> UnlessOne;
  std::vector<Answered> Numbers;
  bool ByCall = false; ///< numbers that are written in a call
};

class Refuter {
public:
  Refuter(const Context &Ctx, State &W) : Ctx(Ctx), W(W), Made(W) {
    // What tensors are by the way they were made: not what branches and checks
    // before this one found out, which it may be there to contradict. Members
    // are made by what is written to them.
    Made.Ar.setFacts(Ctx.Facts.Given);
    Made.Ranges.clear();
    Made.Assumed.clear();
    Made.Initial.clear();
  }
  std::optional<Refuted> refute(ValueId Of, const CondRef &C, bool Wanted,
                                unsigned Depth = 0);

private:
  std::optional<Refuted> part(const Stmt &S, const CondRef &C, bool Wanted);
  bool contradicts(const Condition &C, bool Wanted) const;
  std::string computed(const SymExpr &E) const;
  bool isWrittenInCall(ValueId V, const Stmt &S, Refuted &R,
                       unsigned Depth = 0) const;
  std::optional<Refuted> numbers(const Stmt &S, const Condition &C,
                                 bool Wanted) const;
  bool collect(ValueId V, llvm::SmallVectorImpl<Question> &About,
               unsigned Depth = 0);
  const Object *tensorOf(ValueId V);

  const Context &Ctx;
  State &W;
  State Made;
};

/// The tensor in \p V, or in the variable that it was read from.
const Object *Refuter::tensorOf(ValueId V) {
  if (const Object *O = tensor(W, value(W, V)))
    return O;
  const Stmt *Load = Ctx.Flow.DefOf[V];
  return Load && Load->O == Op::Load ? tensor(W, W.Vars[Load->Var]) : nullptr;
}

/// Adds the questions that \p V is computed from; false where one is of a
/// tensor that nothing is known of.
bool Refuter::collect(ValueId V, llvm::SmallVectorImpl<Question> &About,
                      unsigned Depth) {
  const Stmt *S = Ctx.Flow.Values.origin(V);
  if (!S || Depth > 8)
    return true;
  if (opClass(S->O) == OpClass::Query) {
    const Arg *Self = findArg(*S, "self");
    const Object *O = Self ? tensorOf(Self->Value) : nullptr;
    if (!O || (!O->HasLayout && S->O != Op::DTypeOf))
      return false;
    About.push_back({S, O});
    if (S->O != Op::IsSameSize)
      return true;
    const Arg *Other = findArg(*S, "other");
    O = Other ? tensorOf(Other->Value) : nullptr;
    if (O)
      About.push_back({S, O});
    return O != nullptr;
  }
  return llvm::all_of(S->Args, [&](const Arg &A) {
    return !A.Value || collect(A.Value, About, Depth + 1);
  });
}

/// Sizes are compared that no numbers of elements, but for none, make equal:
/// y.size(1) == x.size(1), where y is cat({x, x}, 1).
bool Refuter::contradicts(const Condition &C, bool Wanted) const {
  if (C.K != Condition::Equal || !Wanted || Made.Ar.known(C.A) ||
      Made.Ar.known(C.B))
    return false;
  const auto Is = Made.Ar.eq(C.A, C.B);
  return Is.no() && Is.UnlessOne.empty() &&
         !Made.Ar.known(Made.Ar.sub(C.A, C.B));
}

/// How \p E was computed: "head/4", whatever the code calls that.
std::string Refuter::computed(const SymExpr &E) const {
  const SymbolicText Text(W.Ar, /*Plain=*/true);
  const auto S = E.asSymbol();
  const SymbolInfo *Is = S ? &W.Ar.symbols()[*S] : nullptr;
  return Is && Is->K == SymbolInfo::Floor
             ? Text.str(Is->A, true) + "/" + Text.str(Is->B, true)
             : Text.str(E);
}

/// `head == rot` where rot is head/4. The constants that a build or a template
/// chose are no mistake.
std::optional<Refuted> Refuter::numbers(const Stmt &S, const Condition &C,
                                        bool Wanted) const {
  if (S.O != Op::CmpEq || S.TypesVary || !contradicts(C, Wanted))
    return std::nullopt;
  Refuted R;
  R.Part = &S;
  for (const auto &[At, Is] : {std::pair(0, C.A), std::pair(1, C.B)}) {
    const Stmt *Load = Ctx.Flow.DefOf[S.Args[static_cast<size_t>(At)].Value];
    const std::string Name =
        Load && Load->O == Op::Load ? called(Ctx, Load->Var) : "";
    std::string Text = computed(Is);
    if (!Name.empty() && Name != Text)
      R.Numbers.push_back({Answered::Sizes, Name, std::move(Text), ""});
  }
  return R.Numbers.empty() ? std::nullopt : std::optional(std::move(R));
}

/// Whether \p V is computed of numbers alone that the code of \p S or a call
/// of it writes; those of a call go to \p R.
bool Refuter::isWrittenInCall(ValueId V, const Stmt &S, Refuted &R,
                              unsigned Depth) const {
  const Stmt *Is = Ctx.Flow.DefOf[V], *From = Ctx.Flow.Values.origin(V);
  if (!Is || !From || Depth > 8 || From->IsNamed || From->TypesVary)
    return false;
  if (const auto N = writtenNumber(From)) {
    if (Is->O == Op::Load && From->Context != S.Context) {
      R.ByCall = true;
      R.Numbers.push_back(
          {Answered::Sizes, called(Ctx, Is->Var), std::to_string(*N), ""});
    }
    return !From->InMacro || From->Context == S.Context;
  }
  return opClass(From->O) == OpClass::Integer && From->Context == S.Context &&
         llvm::all_of(From->Args, [&](const Arg &A) {
           return isWrittenInCall(A.Value, S, R, Depth + 1);
         });
}

/// One comparison or question.
std::optional<Refuted> Refuter::part(const Stmt &S, const CondRef &C,
                                     bool Wanted) {
  Refuted R;
  R.Part = &S;
  if (!collect(S.Result, R.About))
    return std::nullopt;
  if (R.About.empty() && S.Context && S.Args.size() == 2 &&
      evaluate(Ctx, Made, *C) == truth(!Wanted) &&
      llvm::all_of(
          S.Args,
          [&](const Arg &A) { return isWrittenInCall(A.Value, S, R); }) &&
      R.ByCall)
    return R;
  if (R.About.empty())
    return numbers(S, *C, Wanted);
  const bool Never = contradicts(*C, Wanted);
  for (const Question &A : R.About) {
    // What a parameter is, only tests here can have told.
    if (A.Of->Root && !A.Of->Ggml && !S.Context && !Never)
      return std::nullopt;
    if (A.Query->O == Op::DTypeOf && (A.Query->TypesVary || S.TypesVary))
      return std::nullopt;
    if (isVouchedFor(Ctx, W, S, *A.Of))
      return std::nullopt;
  }
  if (C->K == Condition::Contiguous && Wanted) {
    // What is not counted lies in a row, and does not matter.
    const Object *O = W.Objects.find(C->T);
    if (!O || !O->HasLayout ||
        (O->Segment >= 0 && (!O->SegmentDense || !O->isApart() ||
                             C->F != MemoryFormat::Contiguous)))
      return std::nullopt;
    const auto Is = isContiguous(Made.Ar, O->L, C->F);
    if (!Is.no() || hasQuotient(Ctx, W, Is.UnlessOne) ||
        isPathDependent(W, Is.UnlessOne) ||
        isContiguous(W.Ar, O->L, C->F).yes())
      return std::nullopt;
    R.UnlessOne = Is.UnlessOne;
    return R;
  }
  if (!Never && evaluate(Ctx, Made, *C) != truth(!Wanted))
    return std::nullopt;
  return R;
}

/// Why \p C, which \p Of holds, is never \p Wanted; nothing where it may be.
std::optional<Refuted> Refuter::refute(ValueId Of, const CondRef &C,
                                       bool Wanted, unsigned Depth) {
  const Stmt *S = Ctx.Flow.Values.origin(Of);
  if (!S || !C || Depth > 16)
    return std::nullopt;
  if (S->O == Op::Not && C->K == Condition::Not && S->Args.size() == 1)
    return refute(S->Args[0].Value, C->L, !Wanted, Depth + 1);
  const bool Splits = (S->O == Op::And && C->K == Condition::And) ||
                      (S->O == Op::Or && C->K == Condition::Or);
  if (!Splits || S->Args.size() != 2)
    return part(*S, C, Wanted);
  const auto L = refute(S->Args[0].Value, C->L, Wanted, Depth + 1);
  const auto R = refute(S->Args[1].Value, C->R, Wanted, Depth + 1);
  // One part that fails is enough; of `a || b` both have to.
  if ((S->O == Op::And) == Wanted)
    return !L || (R && !L->UnlessOne.empty()) ? R : L;
  return L && R && L->UnlessOne.empty() && R->UnlessOne.empty() ? L
                                                                : std::nullopt;
}

} // namespace

/// Whether a path only comes to \p B to leave the function.
static bool isFailure(const Function &F, BlockId B) {
  const Block &Blk = F.Blocks[B];
  return Blk.Succs.empty() && !Blk.Stmts.empty() &&
         Blk.Stmts.back().O == Op::Throw;
}

/// Which arm of \p B is a failure, where the other one is not; or -1.
static int failingArm(const Function &F, BlockId B) {
  const Block &Blk = F.Blocks[B];
  if (!Blk.Condition || !Blk.Cases.empty() || Blk.Succs.size() != 2 ||
      Blk.Succs[0] == NoId || Blk.Succs[1] == NoId)
    return -1;
  const bool First = isFailure(F, Blk.Succs[0]),
             Second = isFailure(F, Blk.Succs[1]);
  return First == Second ? -1 : First ? 0 : 1;
}

/// Where a path that comes to \p B does something next.
static BlockId past(const Function &F, BlockId B) {
  for (unsigned Steps = 0; Steps < 8; ++Steps) {
    const Block &Blk = F.Blocks[B];
    const auto Next =
        llvm::find_if(Blk.Succs, [](BlockId S) { return S != NoId; });
    if (llvm::count_if(Blk.Succs, [](BlockId S) { return S != NoId; }) != 1 ||
        llvm::any_of(Blk.Stmts, [](const Stmt &S) {
          return S.O == Op::Store || opClass(S.O) != OpClass::Structure;
        }))
      break;
    B = *Next;
  }
  return B;
}

/// What \p A was asked for; nothing where that is not all known.
static std::optional<Answered> answer(const State &W, const Question &A,
                                      bool Strides) {
  const Object &O = *A.Of;
  if (A.Query->O == Op::DTypeOf)
    return Answered{Answered::DType, O.Name, O.DType, ""};
  if (O.Ggml)
    return Answered{Answered::GgmlSizes, O.Name, ggmlText(W, O.L, false),
                    Strides ? ggmlText(W, O.L, true) : ""};
  return Answered{Answered::Sizes, O.Name, dimsText(W, O, O.L.Sizes),
                  Strides ? dimsText(W, O, O.L.Strides) : ""};
}

/// The calls that brought \p S here, the outermost one last. A lambda that
/// runs where it is written is no call.
static llvm::SmallVector<uint32_t, 4> callsAround(const Function &F,
                                                  const Stmt &S) {
  llvm::SmallVector<uint32_t, 4> Calls;
  for (uint32_t C = S.Context; C; C = F.Contexts[C].Parent)
    if (F.Contexts[C].Around == NoId)
      Calls.push_back(C);
  return Calls;
}

/// Whether the function itself, or another call of it, had a part in the layout
/// of \p O: what is wrong within the call \p Of alone is reported there.
static bool isMadeOutside(const Context &Ctx, const Object &O, uint32_t Of) {
  auto IsWithin = [&](uint32_t C) {
    while (C && C != Of)
      C = Ctx.F.Contexts[C].Parent;
    return C == Of;
  };
  if (O.Root && O.Storage.From == ObjId::Variable &&
      O.Storage.Of < Ctx.F.Vars.size())
    return !Ctx.F.Vars[O.Storage.Of].Context;
  bool Here = false;
  for (const Provenance *P = O.Prov.get(); P && !Here; P = P->Parent.get())
    if (!P->What.empty())
      forEachStmt(Ctx.F, [&](BlockId, const Stmt &S) {
        Here |= !IsWithin(S.Context) && !S.Before &&
                S.point().Begin == P->Where.Begin;
      });
  return Here;
}

/// Whether \p C depends on the strides of a view of something opaque.
static bool asksStrides(const State &W, const Condition &C) {
  if (C.K == Condition::Contiguous) {
    const Object *O = W.Objects.find(C.T);
    return O && O->HasLayout && !O->Root && O->Segment < 0;
  }
  return (C.L && asksStrides(W, *C.L)) || (C.R && asksStrides(W, *C.R));
}

/// \p Fails: it does on this path, for one reason or another.
static void noteCheck(const Context &Ctx, State &W, const Stmt &Key, ValueId Of,
                      const CondRef &C, bool Wanted, bool Fails) {
  AssertSite &Site = Ctx.Facts.Asserts[&Key];
  const auto R = Refuter(Ctx, W).refute(Of, C, Wanted);
  if (!R || R->Part->Before || hasNoElements(Ctx, W, *R->Part)) {
    Site.Open += !Fails;
    Site.AsksStrides |= asksStrides(W, *C);
    return;
  }
  const auto Calls = callsAround(Ctx.F, *R->Part);
  if (!Calls.empty() && !R->ByCall &&
      llvm::none_of(R->About, [&](const Question &A) {
        return isMadeOutside(Ctx, *A.Of, Calls.back());
      })) {
    ++Site.Open;
    return;
  }
  if (Site.Failed++)
    return;
  AssertFailure &V = Site.First;
  V.Part = R->Part;
  V.Calls.assign(Calls.begin(), Calls.end());
  V.Unless = excepted(W, R->UnlessOne);
  V.Answers = R->Numbers;
  if (!R->About.empty())
    V.Prov = R->About.front().Of->Prov;
  for (const Question &A : R->About) {
    const bool Strides = A.Query->O == Op::IsContiguous ||
                         A.Query->O == Op::Stride ||
                         A.Query->O == Op::Strides || A.Query->O == Op::GgmlNb;
    if (auto Is = answer(W, A, Strides);
        Is && !llvm::is_contained(V.Answers, *Is))
      V.Answers.push_back(std::move(*Is));
    if (auto Made = sizesOrigin(W, *R->Part, *A.Of);
        Made && !llvm::is_contained(V.Origins, *Made))
      V.Origins.push_back(std::move(*Made));
  }
}

void noteBranch(const Context &Ctx, State &W, BlockId B, const CondRef &C,
                Truth T) {
  const Block &Blk = Ctx.F.Blocks[B];
  if (Blk.Succs.size() != 2)
    return;
  if (const int Fails = failingArm(Ctx.F, B); Fails >= 0) {
    const Stmt *Key = Ctx.Flow.DefOf[Blk.Condition];
    if (!Key)
      return;
    if (T == (Fails == 0 ? Truth::No : Truth::Yes))
      ++Ctx.Facts.Asserts[Key].Open;
    else
      noteCheck(Ctx, W, *Key, Blk.Condition, C, Fails != 0,
                T == (Fails == 0 ? Truth::Yes : Truth::No));
    return;
  }
  // `a || b` that is split over blocks, or `if (!a)` around checks alone: a
  // path that goes around them shows that what they ask need not hold.
  for (unsigned Arm = 0; Arm < 2; ++Arm) {
    if (Blk.Succs[0] == NoId || Blk.Succs[1] == NoId ||
        T == (Arm == 0 ? Truth::No : Truth::Yes))
      continue;
    const BlockId Past = past(Ctx.F, Blk.Succs[Arm]);
    llvm::SmallVector<const Stmt *, 4> Around;
    BlockId X = past(Ctx.F, Blk.Succs[1 - Arm]);
    for (unsigned Steps = 0; Steps < 8 && X != NoId && X != Past; ++Steps) {
      const Block &Other = Ctx.F.Blocks[X];
      BlockId Next = NoId;
      if (const int Fails = failingArm(Ctx.F, X); Fails >= 0) {
        Around.push_back(Ctx.Flow.DefOf[Other.Condition]);
        Next = Other.Succs[static_cast<size_t>(1 - Fails)];
      } else if (Other.Condition && Other.Cases.empty() &&
                 Other.Succs.size() == 2 && Other.Succs[0] != NoId &&
                 Other.Succs[1] != NoId) {
        Next = past(Ctx.F, Other.Succs[0]) == Past   ? Other.Succs[1]
               : past(Ctx.F, Other.Succs[1]) == Past ? Other.Succs[0]
                                                     : NoId;
      }
      X = Next == NoId ? NoId : past(Ctx.F, Next);
    }
    if (X == Past)
      for (const Stmt *Key : Around)
        if (Key)
          ++Ctx.Facts.Asserts[Key].Open;
  }
}

void noteAssertion(const Context &Ctx, State &W, const Stmt &S,
                   const CondRef &C) {
  const Truth T = evaluate(Ctx, W, *C);
  if (T == Truth::Yes)
    ++Ctx.Facts.Asserts[&S].Open;
  else
    noteCheck(Ctx, W, S, S.Args[0].Value, C, true, T == Truth::No);
}

} // namespace tensortidy::analysis
