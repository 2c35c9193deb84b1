//===- Pointers.cpp - raw pointers into tensors -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A raw pointer forgets its tensor's strides. What code does with it tells
// which strides it takes them for:
//
//   y: sizes [B, T, C], strides [C*T, 1, T]        (memory is [B, C, T])
//   scale(p, B, T, C)          sizes in their order: [T*C, C, 1]
//   p[(b*T + t)*C + c]         the same, when t < T and c < C
//   out[i] = p[i]              element i of both, whose strides differ
//   memcpy(raw, p, nbytes)     the order of memory
//
// What is told strides, indexes with them, or goes through dense memory in any
// order (a sum) is right. So is, for all we know, anything else.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/Pointers.h"
#include "Analysis/Transfer/Accesses.h"
#include "Analysis/Transfer/Comparisons.h"
#include "Analysis/Transfer/DTypes.h"
#include "Analysis/Transfer/Describe.h"
#include "Analysis/Transfer/Devices.h"
#include "Analysis/Transfer/Extents.h"
#include "Analysis/Transfer/Images.h"
#include "Analysis/Transfer/Lists.h"
#include "Analysis/Transfer/Operands.h"
#include "Analysis/Transfer/Pitches.h"
#include "Analysis/Transfer/Questions.h"
#include "Analysis/Transfer/Relevance.h"
#include "Analysis/Transfer/Traversal.h"
#include "Layout/Contiguity.h"
#include "Layout/Error.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

Value pointerTo(const Stmt &S, const Object &O) {
  auto P = std::make_shared<Pointee>();
  P->Of = O;
  P->Taken = &S;
  Value V;
  V.K = Value::Pointer;
  V.P = std::move(P);
  return V;
}

/// Whether \p O is a gradient that autograd gives to the function, and nobody
/// was asked about: that of a sum is one number, expanded.
static bool isUncheckedGradient(const Context &Ctx, const State &W,
                                const Stmt &Use, const Object &O) {
  if (!Ctx.F.TakesGradients || O.Key.From != SymbolKey::OpaqueValue)
    return false;
  const Stmt *Taken = Ctx.Flow.Values.origin(O.Key.Of);
  const Stmt *List = Taken && Taken->O == Op::ListGet
                         ? Ctx.Flow.DefOf[Taken->Args[0].Value]
                         : nullptr;
  if (!List || List->O != Op::Load || !Ctx.F.Vars[List->Var].IsParam)
    return false;
  auto Holds = [&](const Arg &A) {
    return A.Value && Ctx.Flow.Values.origin(A.Value) == Taken;
  };
  bool Asked = isVouchedFor(Ctx, W, Use, O);
  forEachStmt(Ctx.F, [&](BlockId, const Stmt &S) {
    Asked |= (S.O == Op::Opaque || S.O == Op::List) && &S != &Use &&
             llvm::any_of(S.Args, Holds);
  });
  return !Asked;
}

/// Whether the use need not be looked at: the layout is right, or not known.
bool leaves(const Context &Ctx, State &W, const Stmt &S, const Pointee &P,
            const Answer<SymExpr> &Is, bool Dense) {
  PointerSite &Site = Ctx.Facts.Pointers[P.Taken];
  if (Is.no())
    return false;
  if (Is.yes()) {
    ++Site.Ok;
    return true;
  }
  ++Site.Unknown;
  const Object &O = P.Of;
  Site.Derived = Site.Derived || !O.Root;
  if (!Dense || !O.Root || Site.Unchecked)
    return true;
  PointerUse U;
  U.K = PointerUse::Unchecked;
  U.Use = &S;
  U.Name = nameAt(Ctx, *P.Taken, O);
  U.LastStride = O.HasLayout && !O.L.Strides.empty() &&
                 O.Segment != static_cast<int>(O.L.rank()) - 1 &&
                 isOne(W.Ar, O.L.Strides[O.L.rank() - 1]);
  U.Gradient = isUncheckedGradient(Ctx, W, S, O);
  Site.Unchecked = std::move(U);
  return true;
}

PointerUse *wrongUse(const Context &Ctx, State &W, const Stmt &S,
                     const Stmt &Taken, const Object &O, PointerUse::Kind K) {
  PointerSite &Site = Ctx.Facts.Pointers[&Taken];
  ++Site.Failed;
  // In the first iteration of a loop its rows are all that is seen.
  const bool Once = K == PointerUse::Step || K == PointerUse::Type;
  if (Site.Uses.size() >= (Once ? 1 : 4))
    return nullptr;
  PointerUse U;
  U.K = K;
  U.Use = &S;
  U.Name = nameAt(Ctx, Taken, O);
  U.Taken = path(W);
  U.Prov = O.Prov;
  Site.Uses.push_back(std::move(U));
  return &Site.Uses.back();
}

/// Adds a use that fails; null when the layout was made so on purpose, or the
/// path has no elements.
PointerUse *pointerFails(const Context &Ctx, State &W, const Stmt &S,
                         const Pointee &P, PointerUse::Kind K,
                         const Answer<SymExpr> &Contiguous) {
  const Object &O = P.Of;
  if (!Contiguous.no() || hasNoElements(Ctx, W, S) ||
      isVouchedFor(Ctx, W, S, O) ||
      isSilenced(Ctx, S, Silence::Arranged,
                 K != PointerUse::Row && !isIncidental(O.Prov) &&
                     !isContiguous(W.Ar, O.L).yes())) {
    ++Ctx.Facts.Pointers[P.Taken].Ok;
    return nullptr;
  }
  PointerUse *Use = wrongUse(Ctx, W, S, *P.Taken, O, K);
  if (!Use)
    return nullptr;
  PointerUse &U = *Use;
  U.Sizes = dimsText(W, O, O.L.Sizes);
  U.Strides = dimsText(W, O, O.L.Strides);
  U.Dense = dimsText(W, O, denseStrides(W.Ar, O.L.Sizes));
  if (!isContiguous(W.Ar, O.L).yes())
    U.Count = W.Ar.str(numel(W.Ar, O.L.Sizes));
  std::vector<size_t> Order;
  if (density(W.Ar, O.L, Order) == Density::Dense) {
    SymDims Sizes;
    for (size_t D : Order)
      Sizes.push_back(O.L.Sizes[D]);
    U.Memory = listText(W.Ar, Sizes);
  }
  // Elements in a row only have to be without gaps.
  U.Unless = excepted(
      W, exceptions(W.Ar, Contiguous.UnlessOne, [&](const Symbolic &Ar) {
        return K == PointerUse::Row ? isNonOverlappingAndDense(Ar, O.L)
                                    : isContiguous(Ar, O.L);
      }));
  return Use;
}

void pointerSteps(const Context &Ctx, State &W, const Stmt &S, const Pointee &P,
                  const WrongStep &Step, const Answer<SymExpr> &Contiguous) {
  if (PointerUse *U =
          pointerFails(Ctx, W, S, P, PointerUse::Step, Contiguous)) {
    U->Given = W.Ar.str(Step.Given);
    U->Real = W.Ar.str(Step.Real);
  }
}

bool reachesBeyond(const Context &Ctx, State &W, const Stmt &S,
                   const Pointee &P, const SymExpr &Count) {
  const Object &O = P.Of;
  if (!O.Holds)
    return false;
  const auto End = farthest(Ctx, W, W.Ar.add(O.L.Offset, Count));
  if (!End)
    return false;
  const auto Fits = W.Ar.le(*End, *O.Holds);
  if (!Fits.no() || hasNoElements(Ctx, W, S) ||
      isSilenced(Ctx, S, Silence::Divides,
                 hasQuotient(Ctx, W, {*End, *O.Holds})) ||
      isSilenced(Ctx, S, Silence::TestedOne, mustBeOne(W, Fits.UnlessOne)) ||
      isSilenced(Ctx, S, Silence::PathDependent,
                 isPathDependent(W, {*End, *O.Holds})))
    return false;
  // The last iteration of all, not a later one.
  const auto Repeats = std::exchange(W.Repeats, {});
  if (PointerUse *U = wrongUse(Ctx, W, S, *P.Taken, O, PointerUse::Beyond)) {
    U->Given = W.Ar.str(*End);
    U->Real = W.Ar.str(*O.Holds);
    U->Unless =
        excepted(W, exceptions(W.Ar, Fits.UnlessOne, [&](const Symbolic &With) {
                   return With.le(*End, *O.Holds);
                 }));
  }
  W.Repeats = Repeats;
  return true;
}

/// Whether a value comes from strides, by any path through the function.
bool namesStride(const Context &Ctx, ValueId V, unsigned Depth) {
  const Stmt *D = V < Ctx.Flow.DefOf.size() ? Ctx.Flow.DefOf[V] : nullptr;
  if (!D || Depth > 8)
    return false;
  if (D->O == Op::Stride || D->O == Op::Strides)
    return true;
  if (D->O == Op::Load)
    return llvm::any_of(Ctx.Flow.loops().Stores[D->Var], [&](const Stmt *S) {
      return S && !S->Args.empty() &&
             namesStride(Ctx, S->Args[0].Value, Depth + 1);
    });
  if (opClass(D->O) != OpClass::Structure &&
      opClass(D->O) != OpClass::Integer && !D->isOpaque())
    return false;
  return llvm::any_of(D->Args, [&](const Arg &A) {
    return namesStride(Ctx, A.Value, Depth + 1);
  });
}

/// How many elements `v.size()` has, if `v` got its size by `resize(n)` or a
/// constructor, and no statement of this block put anything into it since.
static std::optional<SymExpr> lengthOf(const Context &Ctx, const State &W,
                                       const Stmt *Size) {
  const Stmt *List = Size && Size->O == Op::ListSize && !Size->Args.empty()
                         ? Ctx.Flow.DefOf[Size->Args[0].Value]
                         : nullptr;
  if (!List || List->O != Op::Load)
    return std::nullopt;
  const auto &Stmts = Ctx.F.Blocks[Ctx.Block].Stmts;
  const Stmt *At = List;
  if (At < Stmts.data() || At >= Stmts.data() + Stmts.size())
    return std::nullopt;
  while (At-- != Stmts.data()) {
    const Stmt *Made = nullptr;
    if (At->O == Op::Store && At->Var == List->Var)
      Made = At->Args.empty() ? nullptr : Ctx.Flow.DefOf[At->Args[0].Value];
    else if (llvm::any_of(At->Args, [&](const Arg &A) {
               return A.Var == List->Var && A.R == Role::Write;
             }))
      Made = At;
    else
      continue;
    if (!Made || !Made->isOpaque())
      return std::nullopt;
    if (Made->is(Attribute::PointsToFirst))
      continue;
    if (!Made->is(Attribute::Resizes) && !Made->is(Attribute::MakesVector))
      return std::nullopt;
    for (const Arg &A : Made->Args)
      if (A.Value)
        return again(Ctx, W, A.Value, 0);
    return std::nullopt;
  }
  return std::nullopt;
}

/// Whether \p Args have the number of elements, or of bytes, of all of them.
static bool isWhole(const Context &Ctx, const State &W,
                    const std::vector<Given> &Args, const Pointee &P) {
  const SymExpr All = numel(W.Ar, P.Of.L.Sizes);
  for (const Given &A : Args) {
    const Value &V = A.V;
    const Stmt *D = A.Of ? Ctx.Flow.DefOf[A.Of] : nullptr;
    if (D && D->O == Op::QueryOther && D->is(Attribute::CountsBytes))
      return true;
    auto Counts = [&](ValueId V) {
      auto N = lengthOf(Ctx, W, V ? Ctx.Flow.DefOf[V] : nullptr);
      if (!N)
        N = again(Ctx, W, V, 0);
      return N && W.Ar.eq(*N, All).yes();
    };
    // numel() * element_size(), v.size() * sizeof(T)
    if (D && D->O == Op::IMul)
      for (const Arg &Factor : D->Args)
        if (Counts(Factor.Value))
          return true;
    if (D && D->O == Op::ListSize && Counts(A.Of))
      return true;
    if (V.K == Value::Pointer && V.P->Taken == P.Taken &&
        W.Ar.eq(V.I, All).yes())
      return true;
    if (V.K == Value::Pointer && V.P->Of.Name == P.Of.Name &&
        V.P->Of.Storage == P.Of.Storage && V.P->Of.L.Sizes == P.Of.L.Sizes &&
        W.Ar.eq(V.I, All).yes())
      return true;
    if (V.K == Value::Int && W.Ar.divExact(V.I, All))
      return true;
  }
  return false;
}

namespace {

/// What the numbers beside a pointer say of its tensor: which dimensions they
/// are the sizes of, in which order.
///   scale(p, B, T*C)      of [B, T, C]: runs 0..0 and 1..2
class Numbers {
public:
  Numbers(State &W, const Stmt &S, const Object &O,
          const std::vector<SymExpr> &Given)
      : W(W), S(S), O(O) {
    findRuns(Given);
    addChannels();
    compareOrder();
  }

  /// A number is something a stride is made of, and no size.
  bool Geometry = false;
  bool Others = false;  ///< there are numbers that are nothing of the tensor's
  bool Logical = false; ///< sizes in their order, which is not that of memory
  bool Swapped = false; ///< sizes in another order
  bool isEach() const {
    return llvm::all_of(Covered, [](bool B) { return B; });
  }
  bool hasRuns() const { return !Runs.empty(); }
  size_t dims() const { return Dims.size(); }

private:
  struct Run {
    size_t First, Last;
  };
  void findRuns(const std::vector<SymExpr> &Given);
  void addChannels();
  void compareOrder();

  State &W;
  const Stmt &S;
  const Object &O;
  std::vector<Run> Runs;
  std::vector<size_t> Dims; ///< those that are not 1
  std::vector<bool> Covered;
};

} // namespace

/// Whether \p E is how many blocks of a number of threads there are:
/// (n + 255) / 256, or the most there may be. That is no stride.
static bool countsBlocks(const State &W, const SymExpr &E) {
  const auto S = E.asSymbol();
  if (!S)
    return false;
  const SymbolInfo &I = W.Ar.symbols()[*S];
  const auto By = W.Ar.known(I.B);
  if (I.K == SymbolInfo::Ceil)
    return By.has_value();
  if (I.K == SymbolInfo::Min)
    return countsBlocks(W, I.A) || countsBlocks(W, I.B);
  return I.K == SymbolInfo::Floor && By && *By > 1 &&
         llvm::any_of(I.A.terms(), [&](const SymExpr::Term &T) {
           return T.M.Count == 0 && T.C == *By - 1;
         });
}

void Numbers::findRuns(const std::vector<SymExpr> &Given) {
  for (size_t D = 0; D < O.L.rank(); ++D)
    if (!isOne(W.Ar, O.L.Sizes[D]))
      Dims.push_back(D);
  for (const SymExpr &E : Given) {
    std::optional<Run> One;
    bool Many = false;
    for (size_t First = 0; First < Dims.size(); ++First) {
      SymExpr N(1);
      for (size_t Last = First; Last < Dims.size(); ++Last) {
        N = W.Ar.mul(N, O.L.Sizes[Dims[Last]]);
        if (!W.Ar.eq(N, E).yes())
          continue;
        Many = Many || One;
        One = Run{First, Last};
      }
    }
    if (One && !Many) {
      Runs.push_back(*One);
    } else if (!One && !isOne(W.Ar, E) && !countsBlocks(W, E)) {
      Others = Others || !W.Ar.known(E);
      // Something a stride is made of, and no size.
      for (size_t D : Dims) {
        const SymExpr &Stride = O.L.Strides[D];
        Geometry = Geometry || W.Ar.eq(Stride, E).yes() ||
                   (!W.Ar.known(E) && !Stride.isZero() &&
                    (W.Ar.divExact(Stride, E) ||
                     W.Ar.divExact(Stride, W.Ar.asSize(E))));
      }
    }
  }
}

/// An image has its channels innermost, however many they were before.
void Numbers::addChannels() {
  auto Covers = [&](size_t D) {
    return llvm::any_of(
        Runs, [D](const Run &R) { return R.First <= D && D <= R.Last; });
  };
  const auto Channels = exprArg(W, S, "channels");
  if (Channels && !isOne(W.Ar, *Channels) && O.Segment < 0 &&
      Dims.size() == 3 && Covers(0) && Covers(1) && !Covers(2) &&
      !W.Ar.known(O.L.Sizes[Dims[2]]))
    Runs.push_back({2, 2});
}

void Numbers::compareOrder() {
  Covered.assign(Dims.size(), false);
  for (size_t I = 0; I < Runs.size(); ++I) {
    for (size_t D = Runs[I].First; D <= Runs[I].Last; ++D)
      Covered[D] = true;
    for (size_t J = I + 1; J < Runs.size(); ++J)
      for (size_t D = Runs[I].First; D <= Runs[I].Last; ++D)
        for (size_t E = Runs[J].First; E <= Runs[J].Last; ++E) {
          const bool Inward = D != E && isSmaller(W.Ar, O.L.Strides[Dims[D]],
                                                  O.L.Strides[Dims[E]]);
          Logical = Logical || (D < E && Inward);
          Swapped = Swapped || D > E;
        }
  }
}

/// Whether strides among \p Args are not those of the tensor of the pointer \p
/// Of that they are for; records it.
static bool passesWrongStrides(const Context &Ctx, State &W, const Stmt &S,
                               const std::vector<Given> &Args, size_t Of,
                               const std::vector<SymExpr> &Numbered,
                               const Answer<SymExpr> &Is) {
  const Pointee &P = *Args[Of].V.P;
  auto Wrong = strangeStep(Ctx, W, Args, Of);
  if (!Wrong)
    Wrong = wrongStepAt(Ctx, W, Args[Of].V, Args[Of].Of, Numbered, true);
  if (Wrong) {
    pointerSteps(Ctx, W, S, P, *Wrong, W.Ar.eq(Wrong->Given, Wrong->Real));
    return true;
  }
  for (const SymExpr &Pitch : pitchesOf(Ctx, Args, Of))
    if (const auto Step = wrongPitch(W, P.Of, Pitch, Numbered)) {
      pointerSteps(Ctx, W, S, P, *Step,
                   Is.no() ? Is : W.Ar.eq(Step->Given, Step->Real));
      return true;
    }
  return false;
}

/// What the strides among \p Args leave unsaid of the tensor of the pointer
/// \p Of.
static void passStrides(const Context &Ctx, State &W, const Stmt &S,
                        const std::vector<Given> &Args, size_t Of,
                        const std::vector<SymExpr> &Numbered,
                        const Answer<SymExpr> &Is) {
  const Pointee &P = *Args[Of].V.P;
  PointerSite &Site = Ctx.Facts.Pointers[P.Taken];
  std::vector<size_t> Order;
  const auto Row = gapsWithin(W, P.Of, ownPitches(Ctx, W, Args, Of), Numbered);
  if (Is.no() && Row) {
    if (PointerUse *U = pointerFails(Ctx, W, S, P, PointerUse::Row, Is))
      U->Given = W.Ar.str(*Row);
  } else if (Is.yes() || density(W.Ar, P.Of.L, Order) != Density::Unknown) {
    ++Site.Ok;
  } else { // contiguous parameters may decide it
    ++Site.Unknown;
    Site.Derived |= !P.Of.Root;
  }
}

/// Whether a tensor that lies as \p O does was packed for the same call: it
/// takes all of them for packed, whatever sizes it gets.
static bool packsLike(const State &W, const std::vector<Given> &Args,
                      const Object &O) {
  return llvm::any_of(Args, [&](const Given &A) {
    const Object *B = A.V.K == Value::Pointer ? &A.V.P->Of : nullptr;
    const Provenance *Made = B ? maker(B->Prov) : nullptr;
    return Made && Made->O == Op::Contiguous && liesElsewhere(W.Ar, O, *B) &&
           Made->Of.Strides == listText(W.Ar, O.L.Strides);
  });
}

/// A call that gets pointers: what else it gets says what it takes them for.
static void passPointers(const Context &Ctx, State &W, const Stmt &S) {
  bool Strided = S.Strided;
  std::vector<SymExpr> Numbered;
  std::vector<const Object *> Tensors;
  auto Collect = [&](const Value &V) {
    if (V.K == Value::Int)
      Numbered.push_back(V.I);
    else if (V.K == Value::Tensor || V.T == AnyTensor)
      Tensors.push_back(V.K == Value::Tensor ? W.Objects.find(V.T) : nullptr);
  };
  const std::vector<Given> Args = givenTo(Ctx, W, S);
  for (const Given &A : Args) {
    Strided = Strided || namesStride(Ctx, A.Of, 0);
    Collect(A.V);
    if (A.V.K == Value::List)
      for (const Value &E : *A.V.Elems)
        Collect(E);
  }
  for (const Given &A : Args) {
    const Value &V = A.V;
    if (V.K != Value::Pointer)
      continue;
    const Pointee &P = *V.P;
    const Object &O = P.Of;
    PointerSite &Site = Ctx.Facts.Pointers[P.Taken];
    const auto Is = contiguity(Ctx, W, O);
    const bool Itself = llvm::any_of(Tensors, [&](const Object *T) {
      return !T || !T->Storage || T->Storage == O.Storage;
    });
    const auto At = static_cast<size_t>(&A - Args.data());
    if (Strided && !Itself) {
      if (passesWrongStrides(Ctx, W, S, Args, At, Numbered, Is))
        continue;
      if (!areOthers(Ctx, W, S, Args, At)) {
        passStrides(Ctx, W, S, Args, At, Numbered, Is);
        continue;
      }
    }
    if (Itself || Is.yes()) {
      ++Site.Ok;
      continue;
    }
    if (leaves(Ctx, W, S, P, Is, true))
      continue;
    if (!W.Ar.eq(V.I, SymExpr(0)).yes()) {
      if (const auto Wrong = wrongStepAt(Ctx, W, V, A.Of, Numbered))
        pointerSteps(Ctx, W, S, P, *Wrong, Is);
      else
        ++Site.Unknown;
      continue;
    }
    const Numbers Told(W, S, O, Numbered);
    const bool Counted = isWhole(Ctx, W, Args, P);
    const bool Whole = Counted || Told.isEach();
    const Object *Beside = nullptr;
    for (const Given &B : Args)
      if (B.V.K == Value::Pointer && liesElsewhere(W.Ar, O, B.V.P->Of))
        Beside = &B.V.P->Of;
    std::vector<size_t> Order;
    const Density Memory = density(W.Ar, O.L, Order);
    // A product's M, N and K are in no operand's order, and its rows may be
    // told by a number; what gets several parts of one tensor knows how they
    // lie.
    const bool Product = Told.Others && Told.dims() == 2;
    const bool Parts = llvm::any_of(Args, [&](const Given &B) {
      return B.V.K == Value::Pointer && B.V.P->Of.Storage == O.Storage &&
             !(B.V.P->Of.L.Offset == O.L.Offset);
    });
    const bool Swapped = Told.Swapped && !A.IsField;
    const bool Ordered = Told.Logical && !A.IsField;
    const bool Factor = Product && !Counted &&
                        (Memory != Density::Gaps || !areSizes(Ctx, W, Args, O));
    if (Memory == Density::Dense && Beside && !Ordered && !Told.Geometry &&
        !Parts && packsLike(W, Args, O)) {
      if (PointerUse *U = pointerFails(Ctx, W, S, P, PointerUse::Beside, Is))
        U->Other = Beside->Name;
    } else if (Told.Geometry || Swapped || Factor || Parts) {
      ++Site.Ok;
    } else if (Memory == Density::Gaps && Whole) {
      pointerFails(Ctx, W, S, P, PointerUse::Row, Is);
    } else if (Memory == Density::Dense && Ordered) {
      pointerFails(Ctx, W, S, P, PointerUse::Shape, Is);
    } else if (Memory == Density::Dense && Beside &&
               (Whole || !Told.hasRuns())) {
      if (PointerUse *U = pointerFails(Ctx, W, S, P, PointerUse::Beside, Is))
        U->Other = Beside->Name;
    } else if (Memory == Density::Unknown) {
      ++Site.Unknown; // contiguous parameters may decide it
      Site.Derived |= !O.Root;
    } else {
      ++Site.Ok;
    }
  }
}

/// Whether a part of an image goes where rows follow each other.
static bool isPartToPacked(const State &W, const Pointee &P, const Object &To) {
  return (P.Taken->O == Op::Load || P.Taken->is(Attribute::GivesRow)) &&
         isContiguous(W.Ar, To.L).yes();
}

/// Whether \p S reads or writes what it is given where the program runs. The
/// first operand of thrust's functions of these names may say otherwise.
static bool copiesOnHost(const Stmt &S) {
  return S.is(Attribute::OnHost) && S.Args.size() <= 3;
}

/// What copies all elements in the order of memory forgets their strides.
static void copyPointers(const Context &Ctx, State &W, const Stmt &S) {
  const bool ToFirst = S.is(Attribute::CopiesSecond);
  std::vector<Value> Of;
  for (const Arg &A : S.Args)
    Of.push_back(value(W, A.Value));
  const size_t SourceAt = ToFirst ? 1 : 0;
  for (size_t I = 0; I < Of.size(); ++I) {
    if (Of[I].K != Value::Pointer)
      continue;
    const Pointee &P = *Of[I].P;
    const Object &O = P.Of;
    PointerSite &Site = Ctx.Facts.Pointers[P.Taken];
    const auto Is = contiguity(Ctx, W, O);
    // memcpy(to, from, bytes), copy(p, p + n, to)
    const int64_t Item = itemSize(O.DType);
    std::vector<SymExpr> Counts;
    if (ToFirst && I < 2 && Of.size() > 2 && Of[2].K == Value::Int && Item)
      if (const auto N = W.Ar.divExact(Of[2].I, SymExpr(Item)))
        Counts.push_back(*N);
    if (reachesBeyond(Ctx, W, S, P,
                      Counts.empty() ? Of[I].I
                                     : W.Ar.add(Of[I].I, Counts.front())))
      continue;
    if (leaves(Ctx, W, S, P, Is, true))
      continue;
    for (const Value &V : Of)
      if (V.K == Value::Pointer && V.P->Taken == P.Taken)
        Counts.push_back(W.Ar.sub(V.I, Of[I].I));
    if (const auto Wrong =
            wrongStepAt(Ctx, W, Of[I], S.Args[I].Value, Counts)) {
      pointerSteps(Ctx, W, S, P, *Wrong, Is);
      continue;
    }
    // The other side: memory of a tensor, or raw memory.
    const Object *Other = nullptr;
    for (const Value &V : Of)
      if (V.K == Value::Pointer && V.P->Of.Storage != O.Storage)
        Other = &V.P->Of;
    const bool Source =
        I == SourceAt || (I == 1 && !ToFirst && !S.is(Attribute::CopiesFirst));
    if (!W.Ar.eq(Of[I].I, SymExpr(0)).yes() ||
        !isWhole(Ctx, W, givenTo(Ctx, W, S), P)) {
      ++Site.Ok;
    } else if (Other && !isPartToPacked(W, P, *Other)) {
      if (liesElsewhere(W.Ar, O, *Other)) {
        if (PointerUse *U = pointerFails(Ctx, W, S, P, PointerUse::Beside, Is))
          U->Other = Other->Name;
      } else {
        ++Site.Ok;
      }
    } else if (Source) {
      std::vector<size_t> Order;
      const Density Memory = density(W.Ar, O.L, Order);
      if (Memory == Density::Unknown)
        ++Site.Ok;
      else
        pointerFails(
            Ctx, W, S, P,
            Memory == Density::Gaps ? PointerUse::Row : PointerUse::Order, Is);
    } else {
      ++Site.Ok;
    }
  }
}

void blobOf(const Context &Ctx, State &W, const Stmt &S, const SymDims &Sizes) {
  const Value V = operand(W, S, "data");
  if (V.K != Value::Pointer ||
      imageBehind(Ctx, W, findArg(S, "data")->Value)) // checkBlob() asks more
    return;
  const Pointee &P = *V.P;
  const Object &O = P.Of;
  const auto Is = contiguity(Ctx, W, O);
  if (reachesBeyond(Ctx, W, S, P, W.Ar.add(V.I, numel(W.Ar, Sizes))))
    return;
  PointerSite &Site = Ctx.Facts.Pointers[P.Taken];
  if (leaves(Ctx, W, S, P, Is, true))
    return;
  if (!W.Ar.eq(V.I, SymExpr(0)).yes()) {
    if (const auto Wrong = wrongStepAt(Ctx, W, V, findArg(S, "data")->Value,
                                       {Sizes.begin(), Sizes.end()}))
      pointerSteps(Ctx, W, S, P, *Wrong, Is);
    return;
  }
  const Traversal How = traversal(W.Ar, O.L, {Sizes.begin(), Sizes.end()});
  if (!How.ByDims)
    ++Site.Ok;
  else if (How.Packed == Density::Gaps)
    pointerFails(Ctx, W, S, P, PointerUse::Row, Is);
  else if (How.Packed == Density::Dense && !How.ByMemory)
    pointerFails(Ctx, W, S, P, PointerUse::Shape, Is);
  else
    ++Site.Ok;
}

void moveBlock(const Context &Ctx, State &W, const Stmt &S, const Object &O) {
  if (!O.HasLayout || O.Segment >= 0)
    return;
  const Value To = pointerTo(S, O);
  const Arg *Size = findArg(S, "size");
  const Given Bytes{operand(W, S, "size"), Size ? Size->Value : 0, {}};
  std::vector<size_t> Order;
  if (density(W.Ar, O.L, Order) == Density::Gaps &&
      isWhole(Ctx, W, {Bytes}, *To.P))
    pointerFails(Ctx, W, S, *To.P, PointerUse::Row, contiguity(Ctx, W, O));
}

Value usePointers(const Context &Ctx, State &W, const Stmt &S) {
  auto IsPointer = [](const Value &V) { return V.K == Value::Pointer; };
  const bool Any = llvm::any_of(S.Args, [&](const Arg &A) {
    const Value V = value(W, A.Value);
    return IsPointer(V) || (S.O == Op::Opaque && V.K == Value::List &&
                            llvm::any_of(*V.Elems, IsPointer));
  });
  if (!Any && S.O != Op::StoreElement) {
    if (!Ctx.Facts.Pointers.empty() && S.IsScalar)
      pairPointers(Ctx, W, S);
    return Value();
  }
  const bool Back = S.O == Op::Minus;
  if (S.Derives && (Back || S.O == Op::Plus || S.O == Op::AddressOf)) {
    // p + n, p++, &p[n]: the same memory, elsewhere.
    Value To;
    std::optional<SymExpr> By;
    for (const Arg &A : S.Args) {
      const Value V = value(W, A.Value);
      if (V.K == Value::Pointer && To.K != Value::Pointer)
        To = V;
      else if (V.K == Value::Int)
        By = V.I;
      else
        return Value();
    }
    if (S.O != Op::AddressOf && S.Args.size() == 1)
      By = SymExpr(1);
    if (!By)
      return Value();
    To.I = Back ? W.Ar.sub(To.I, *By) : W.Ar.add(To.I, *By);
    return To;
  }
  // An address that is kept as a number is one still.
  if (S.O == Op::Cast)
    return S.Derives && S.Args.size() == 1 ? value(W, S.Args[0].Value)
                                           : Value();
  Ctx.Flow.loops();
  const bool Touches =
      S.O == Op::Element || S.O == Op::StoreElement || isDeref(S);
  if (Touches || copiesOnHost(S))
    for (const Arg &A : S.Args)
      if (const Value V = value(W, A.Value); V.K == Value::Pointer) {
        readsOnHost(Ctx, W, S, V.P->Of);
        if (Touches)
          break;
      }
  if (S.Launches)
    for (const Arg &A : S.Args)
      if (const Value V = value(W, A.Value); V.K == Value::Pointer)
        readsOnDevice(Ctx, W, S, V.P->Of);
  if (S.O == Op::Element || S.O == Op::StoreElement || isDeref(S))
    indexPointer(Ctx, W, S);
  else if (S.is(Attribute::Copies))
    copyPointers(Ctx, W, S);
  else if (program::isOperator(S.O) || S.O == Op::Assign)
    return Value();
  else {
    givesPointers(Ctx, W, S);
    passPointers(Ctx, W, S);
  }
  return Value();
}

} // namespace tensortidy::analysis
