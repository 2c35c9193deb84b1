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
#include "Analysis/Transfer/Conditions.h"
#include "Analysis/Transfer/CopyOps.h"
#include "Analysis/Transfer/Lists.h"
#include "Analysis/Transfer/Objects.h"
#include "Analysis/Transfer/Sites.h"
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

Value pointerTo(const Stmt &S, const Object &O) {
  auto P = std::make_shared<Pointee>();
  P->Of = O;
  P->Taken = &S;
  Value V;
  V.K = Value::Pointer;
  V.P = std::move(P);
  return V;
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

static bool isOne(const Symbolic &Ar, const SymExpr &E) {
  return Ar.eq(E, SymExpr(1)).yes();
}

/// Whether a stride is less than another, sizes of 1 aside.
static bool isSmaller(const Symbolic &Ar, const SymExpr &A, const SymExpr &B) {
  if (Ar.lt(A, B) == Truth::Yes)
    return true;
  auto Times = Ar.divExact(B, A);
  return Times && !isOne(Ar, *Times) && Ar.eq(B, A).no();
}

namespace {
enum class Packing : uint8_t { Dense, Gaps, Unknown };
} // namespace

/// Whether memory holds the elements without gaps; then \p Order has the
/// dimensions as they lie there, outermost first.
static Packing packing(const Symbolic &Ar, const SymLayout &L,
                       std::vector<size_t> &Order) {
  std::vector<size_t> Rest;
  for (size_t D = 0; D < L.rank(); ++D)
    if (!isOne(Ar, L.Sizes[D]))
      Rest.push_back(D);
  SymExpr Z(1);
  while (!Rest.empty()) {
    bool Open = false, Found = false;
    for (size_t I = Rest.size(); I-- > 0 && !Found;) {
      const auto Same = Ar.eq(L.Strides[Rest[I]], Z);
      Open = Open || Same.unknown();
      if (Same.yes()) {
        Z = Ar.mul(Z, L.Sizes[Rest[I]]);
        Order.insert(Order.begin(), Rest[I]);
        Rest.erase(Rest.begin() + static_cast<long>(I));
        Found = true;
      }
    }
    if (!Found)
      return Open ? Packing::Unknown : Packing::Gaps;
  }
  return Packing::Dense;
}

/// Whether \p Shape splits \p Sizes, taken in \p Order, into runs: [B, T*C] of
/// [B, T, C].
static bool splits(const Symbolic &Ar, const std::vector<SymExpr> &Shape,
                   const SymDims &Sizes, const std::vector<size_t> &Order) {
  size_t At = Order.size();
  for (size_t I = Shape.size(); I-- > 0;) {
    if (isOne(Ar, Shape[I]))
      continue;
    SymExpr Run(1);
    do {
      if (At == 0)
        return false;
      Run = Ar.mul(Run, Sizes[Order[--At]]);
    } while (!Ar.eq(Run, Shape[I]).yes());
  }
  return At == 0;
}

/// How a tensor lies in memory, and whether \p Shape goes by its dimensions and
/// by that order.
struct Traversal {
  Packing Packed;
  bool ByDims, ByMemory;
};
static Traversal traversal(const Symbolic &Ar, const SymLayout &L,
                           const std::vector<SymExpr> &Shape) {
  std::vector<size_t> Memory, Dims;
  const Packing Packed = packing(Ar, L, Memory);
  for (size_t D = 0; D < L.rank(); ++D)
    if (!isOne(Ar, L.Sizes[D]))
      Dims.push_back(D);
  return {Packed, splits(Ar, Shape, L.Sizes, Dims),
          Packed == Packing::Dense && splits(Ar, Shape, L.Sizes, Memory)};
}

/// Both have the same sizes, and an element that lies elsewhere.
static bool liesElsewhere(const Symbolic &Ar, const Object &X,
                          const Object &Y) {
  if (!X.HasLayout || !Y.HasLayout || X.Segment >= 0 || Y.Segment >= 0 ||
      X.L.rank() != Y.L.rank())
    return false;
  bool Differ = false;
  for (size_t D = 0; D < X.L.rank(); ++D) {
    if (!Ar.eq(X.L.Sizes[D], Y.L.Sizes[D]).yes())
      return false;
    Differ = Differ || (!isOne(Ar, X.L.Sizes[D]) &&
                        Ar.eq(X.L.Strides[D], Y.L.Strides[D]).no());
  }
  return Differ;
}

/// Whether dimensions were moved or cut by code that may have forgotten it, and
/// not arranged on purpose (a memory format, strides of its own).
static bool isIncidental(const ProvRef &Prov) {
  for (const Provenance *P = Prov.get(); P; P = P->Parent.get()) {
    if (P->What.empty() || P->Checked)
      continue;
    const OpClass K = opClass(P->O);
    if (P->O == Op::AsStrided || P->O == Op::EmptyStrided ||
        llvm::StringRef(P->What).contains_insensitive("channels"))
      return false;
    if (P->FromContiguous)
      return K == OpClass::View || K == OpClass::InPlaceMeta;
    if (K == OpClass::Factory && P->O != Op::EmptyLike &&
        P->O != Op::FilledLike && P->O != Op::RandomLike)
      return false;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

/// Of what a pointer was taken of. What holds unless dimensions that nobody
/// counted are 1 may not hold at all.
static Answer<SymExpr> contiguity(const Context &Ctx, const State &W,
                                  const Object &O) {
  if (!O.HasLayout || (O.Segment >= 0 && !O.SegmentDense))
    return Truth::Unknown;
  auto Is = isContiguous(W.Ar, O.L);
  return Is.no() && (!O.isApart() || !restIn(Ctx, W, Is.UnlessOne).empty())
             ? Truth::Unknown
             : Is;
}

/// Whether the use need not be looked at: the layout is right, or not known.
static bool leaves(const Context &Ctx, State &W, const Stmt &S,
                   const Pointee &P, const Answer<SymExpr> &Is, bool Dense) {
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
  Site.Unchecked = std::move(U);
  return true;
}

/// Adds a use that fails; null when the layout was made so on purpose, or the
/// path has no elements.
static PointerUse *pointerFails(const Context &Ctx, State &W, const Stmt &S,
                                const Pointee &P, PointerUse::Kind K,
                                const Answer<SymExpr> &Contiguous) {
  PointerSite &Site = Ctx.Facts.Pointers[P.Taken];
  const Object &O = P.Of;
  if (W.Degenerate || !Contiguous.no() || isVouchedFor(Ctx, W, O) ||
      (K != PointerUse::Row && !isIncidental(O.Prov))) {
    ++Site.Ok;
    return nullptr;
  }
  ++Site.Failed;
  if (Site.Uses.size() >= 4)
    return nullptr;
  PointerUse U;
  U.K = K;
  U.Use = &S;
  U.Name = nameAt(Ctx, *P.Taken, O);
  auto Text = [&](const SymDims &Dims) {
    std::string List = "[";
    for (size_t D = 0; D < Dims.size(); ++D)
      List += (D ? ", " : "") +
              (static_cast<int>(D) == O.Segment ? "..." : W.Ar.str(Dims[D]));
    return List + "]";
  };
  U.Sizes = Text(O.L.Sizes);
  U.Strides = Text(O.L.Strides);
  U.Dense = Text(denseStrides(W.Ar, O.L.Sizes));
  U.Count = W.Ar.str(numel(W.Ar, O.L.Sizes));
  std::vector<size_t> Order;
  if (packing(W.Ar, O.L, Order) == Packing::Dense) {
    SymDims Sizes;
    for (size_t D : Order)
      Sizes.push_back(O.L.Sizes[D]);
    U.Memory = listText(W.Ar, Sizes);
  }
  // Elements in a row only have to be without gaps.
  U.Unless = unlessText(
      W, exceptions(W.Ar, Contiguous.UnlessOne, [&](const Symbolic &Ar) {
        return K == PointerUse::Row ? isNonOverlappingAndDense(Ar, O.L)
                                    : isContiguous(Ar, O.L);
      }));
  U.Path = pathText(W);
  U.Prov = O.Prov;
  Site.Uses.push_back(std::move(U));
  return &Site.Uses.back();
}

/// Whether a value comes from strides, by any path through the function.
static bool namesStride(const Context &Ctx, ValueId V, unsigned Depth) {
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
    if (Made->Text == "data" || Made->Text == "begin")
      continue;
    if (Made->Text != "resize" && Made->Text != "vector")
      return std::nullopt;
    for (const Arg &A : Made->Args)
      if (A.Value)
        return again(Ctx, W, A.Value, 0);
    return std::nullopt;
  }
  return std::nullopt;
}

/// Whether \p S is given the number of elements, or of bytes, of all of them.
static bool isWhole(const Context &Ctx, const State &W, const Stmt &S,
                    const Pointee &P) {
  const SymExpr All = numel(W.Ar, P.Of.L.Sizes);
  for (const Arg &A : S.Args) {
    const Value V = value(W, A.Value);
    const Stmt *D = A.Value ? Ctx.Flow.DefOf[A.Value] : nullptr;
    if (D && D->O == Op::QueryOther && D->Text == "nbytes")
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
    if (D && D->O == Op::ListSize && Counts(A.Value))
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

/// A call that gets pointers: what else it gets says what it takes them for.
static void passPointers(const Context &Ctx, State &W, const Stmt &S) {
  bool Told = S.Strided;
  std::vector<SymExpr> Given;
  std::vector<const Object *> Tensors;
  auto Collect = [&](const Value &V) {
    if (V.K == Value::Int)
      Given.push_back(V.I);
    else if (V.K == Value::Tensor || V.T == AnyTensor)
      Tensors.push_back(V.K == Value::Tensor ? W.Objects.find(V.T) : nullptr);
  };
  for (const Arg &A : S.Args) {
    Told = Told || namesStride(Ctx, A.Value, 0);
    const Value V = value(W, A.Value);
    Collect(V);
    if (V.K == Value::List)
      for (const Value &E : *V.Elems)
        Collect(E);
  }
  for (const Arg &A : S.Args) {
    const Value V = value(W, A.Value);
    if (V.K != Value::Pointer)
      continue;
    const Pointee &P = *V.P;
    const Object &O = P.Of;
    PointerSite &Site = Ctx.Facts.Pointers[P.Taken];
    const auto Is = contiguity(Ctx, W, O);
    const bool Itself = llvm::any_of(Tensors, [&](const Object *T) {
      return !T || !T->Storage || T->Storage == O.Storage;
    });
    if (Told || Itself || Is.yes()) {
      ++Site.Ok;
      continue;
    }
    if (leaves(Ctx, W, S, P, Is, true))
      continue;
    if (!W.Ar.eq(V.I, SymExpr(0)).yes()) {
      ++Site.Unknown;
      continue;
    }
    // Which dimensions the numbers are the sizes of, in their order.
    struct Run {
      size_t First, Last;
    };
    std::vector<Run> Runs;
    std::vector<size_t> Dims;
    for (size_t D = 0; D < O.L.rank(); ++D)
      if (!isOne(W.Ar, O.L.Sizes[D]))
        Dims.push_back(D);
    bool Whole = isWhole(Ctx, W, S, P), Geometry = false, Others = false;
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
      } else if (!One && !isOne(W.Ar, E)) {
        Others = Others || !W.Ar.known(E);
        // Something a stride is made of, and no size.
        for (size_t D : Dims) {
          const SymExpr &Stride = O.L.Strides[D];
          Geometry = Geometry || (W.Ar.known(E) ? W.Ar.eq(Stride, E).yes()
                                                : !Stride.isZero() &&
                                                      W.Ar.divExact(Stride, E));
        }
      }
    }
    // An image has its channels innermost, however many they were before.
    auto Covers = [&](size_t D) {
      return llvm::any_of(
          Runs, [D](const Run &R) { return R.First <= D && D <= R.Last; });
    };
    if (findArg(S, "channels") && O.Segment < 0 && Dims.size() == 3 &&
        Covers(0) && Covers(1) && !Covers(2) && !W.Ar.known(O.L.Sizes[Dims[2]]))
      Runs.push_back({2, 2});
    std::vector<bool> Covered(Dims.size(), false);
    bool Logical = false, Swapped = false;
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
    const bool Counted = Whole;
    Whole = Whole || llvm::all_of(Covered, [](bool B) { return B; });
    const Object *Beside = nullptr;
    for (const Arg &B : S.Args)
      if (const Value Q = value(W, B.Value);
          Q.K == Value::Pointer && liesElsewhere(W.Ar, O, Q.P->Of))
        Beside = &Q.P->Of;
    std::vector<size_t> Order;
    const Packing Memory = packing(W.Ar, O.L, Order);
    // A product's M, N and K are in no operand's order; and what gets several
    // parts of one tensor knows how they lie.
    const bool Product = Others && Dims.size() == 2;
    const bool Parts = llvm::any_of(S.Args, [&](const Arg &B) {
      const Value Q = value(W, B.Value);
      return Q.K == Value::Pointer && Q.P->Of.Storage == O.Storage &&
             !(Q.P->Of.L.Offset == O.L.Offset);
    });
    if (Geometry || Swapped || (Product && !Counted) || Parts) {
      ++Site.Ok;
    } else if (Memory == Packing::Gaps && Whole) {
      pointerFails(Ctx, W, S, P, PointerUse::Row, Is);
    } else if (Memory == Packing::Dense && Logical) {
      pointerFails(Ctx, W, S, P, PointerUse::Shape, Is);
    } else if (Memory == Packing::Dense && Beside && (Whole || Runs.empty())) {
      if (PointerUse *U = pointerFails(Ctx, W, S, P, PointerUse::Beside, Is))
        U->Other = Beside->Name.empty() ? "a tensor" : "'" + Beside->Name + "'";
    } else {
      ++Site.Ok;
    }
  }
}

/// memcpy() and its kin: the operands with the memory, or null.
static bool isCopy(const Stmt &S) {
  static const char *const Names[] = {"memcpy",    "memmove",
                                      "copy",      "copy_n",
                                      "fwrite",    "cudaMemcpy",
                                      "hipMemcpy", "cudaMemcpyAsync",
                                      "write",     "hipMemcpyAsync",
                                      "vector",    "assign",
                                      "insert",    "uninitialized_copy",
                                      "transform"};
  return llvm::is_contained(Names, S.Text);
}

/// What copies all elements in the order of memory forgets their strides.
static void copyPointers(const Context &Ctx, State &W, const Stmt &S) {
  const bool ToFirst = llvm::StringRef(S.Text).contains_insensitive("mem");
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
    if (leaves(Ctx, W, S, P, Is, true))
      continue;
    // The other side: memory of a tensor, or raw memory.
    const Object *Other = nullptr;
    for (const Value &V : Of)
      if (V.K == Value::Pointer && V.P->Of.Storage != O.Storage)
        Other = &V.P->Of;
    const bool Source =
        I == SourceAt || (I == 1 && !ToFirst && S.Text != "copy");
    if (!W.Ar.eq(Of[I].I, SymExpr(0)).yes() || !isWhole(Ctx, W, S, P)) {
      ++Site.Ok;
    } else if (Other) {
      if (liesElsewhere(W.Ar, O, *Other)) {
        if (PointerUse *U = pointerFails(Ctx, W, S, P, PointerUse::Beside, Is))
          U->Other = Other->Name.empty() ? "a tensor" : "'" + Other->Name + "'";
      } else {
        ++Site.Ok;
      }
    } else if (Source) {
      std::vector<size_t> Order;
      const Packing Memory = packing(W.Ar, O.L, Order);
      if (Memory == Packing::Unknown)
        ++Site.Ok;
      else
        pointerFails(
            Ctx, W, S, P,
            Memory == Packing::Gaps ? PointerUse::Row : PointerUse::Order, Is);
    } else {
      ++Site.Ok;
    }
  }
}

/// from_blob(p, sizes): a contiguous tensor over the same memory.
void blobOf(const Context &Ctx, State &W, const Stmt &S, const SymDims &Sizes) {
  const Value V = operand(W, S, "data");
  if (V.K != Value::Pointer || !W.Ar.eq(V.I, SymExpr(0)).yes())
    return;
  const Pointee &P = *V.P;
  const Object &O = P.Of;
  const auto Is = contiguity(Ctx, W, O);
  PointerSite &Site = Ctx.Facts.Pointers[P.Taken];
  if (leaves(Ctx, W, S, P, Is, true))
    return;
  const Traversal How = traversal(W.Ar, O.L, {Sizes.begin(), Sizes.end()});
  if (!How.ByDims)
    ++Site.Ok;
  else if (How.Packed == Packing::Gaps)
    pointerFails(Ctx, W, S, P, PointerUse::Row, Is);
  else if (How.Packed == Packing::Dense && !How.ByMemory)
    pointerFails(Ctx, W, S, P, PointerUse::Shape, Is);
  else
    ++Site.Ok;
}

//===----------------------------------------------------------------------===//
// Indexing
//===----------------------------------------------------------------------===//

/// What an expression of integers is, evaluated again here.
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
    return std::nullopt;
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
    if (C.Start != 0 || C.Step != 1 || !Count)
      return std::nullopt;
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
static bool isDeref(const Stmt &S) {
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

static void judgeAccesses(const Context &Ctx, State &W, const Stmt &S,
                          const std::vector<Access> &All, const SymExpr *RawAt,
                          bool OnlyBeside);

/// `p[i] * q[i]`: elements that belong together.
static void pairPointers(const Context &Ctx, State &W, const Stmt &S) {
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
static void indexPointer(const Context &Ctx, State &W, const Stmt &S) {
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
  auto WalkOf = [&](const Access &A) -> std::optional<Walk> {
    Walk Moved;
    if (!takeSteps(Ctx, W, A, Moved))
      return std::nullopt;
    auto Through = walk(Ctx, W, Moved.From);
    if (Through)
      Through->Steps.insert(Through->Steps.end(), Moved.Steps.begin(),
                            Moved.Steps.end());
    return Through;
  };
  for (const Access &A : All) {
    const Pointee &To = *A.P.P;
    const Object &O = To.Of;
    const auto Is = contiguity(Ctx, W, O);
    PointerSite &Site = Ctx.Facts.Pointers[To.Taken];
    const bool Told = S.Args.size() > 1 && namesStride(Ctx, S.Args[1].Value, 0);
    if (OnlyBeside ? !Is.no() : leaves(Ctx, W, S, To, Is, !Told))
      continue;
    const auto Through = WalkOf(A);
    if (!Through || !W.Ar.eq(Through->From, SymExpr(0)).yes()) {
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
      ++Site.Ok;
      continue;
    }
    const Traversal How = traversal(W.Ar, O.L, Shape);
    if (!OnlyBeside && How.Packed == Packing::Gaps) {
      pointerFails(Ctx, W, S, To, PointerUse::Row, Is);
      continue;
    }
    if (How.Packed != Packing::Dense) {
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
        U->Other = Beside->Name.empty() ? "a tensor" : "'" + Beside->Name + "'";
    } else if (Raw) {
      pointerFails(Ctx, W, S, To, PointerUse::Order, Is);
    } else {
      ++Site.Ok;
    }
  }
}

/// A number of elements, or a product of sizes, that becomes 32 bits wide.
void noteNarrow(const Context &Ctx, const State &W, const Stmt &S) {
  auto Sizes = [&](auto &&Self, ValueId V, unsigned Depth) -> unsigned {
    const Stmt *D = V < Ctx.Flow.DefOf.size() ? Ctx.Flow.DefOf[V] : nullptr;
    if (!D || Depth > 8)
      return 0;
    if (D->O == Op::Numel)
      return 2;
    if (D->O == Op::Size)
      return 1;
    unsigned Sum = 0;
    if (D->O == Op::IMul)
      for (const Arg &A : D->Args)
        Sum += Self(Self, A.Value, Depth + 1);
    return Sum;
  };
  const Value V = value(W, S.Result);
  if (V.K == Value::Int && !W.Ar.known(V.I) && Sizes(Sizes, S.Result, 0) > 1)
    Ctx.Facts.Narrowed.insert(&S);
}

Value usePointers(const Context &Ctx, State &W, const Stmt &S) {
  const bool Any = llvm::any_of(S.Args, [&](const Arg &A) {
    return value(W, A.Value).K == Value::Pointer;
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
  if (S.O == Op::Cast)
    return Value();
  Ctx.Flow.loops();
  if (S.O == Op::Element || S.O == Op::StoreElement || isDeref(S))
    indexPointer(Ctx, W, S);
  else if (isCopy(S))
    copyPointers(Ctx, W, S);
  else if (program::isOperator(S.O) || S.O == Op::Assign)
    return Value();
  else
    passPointers(Ctx, W, S);
  return Value();
}

} // namespace tensortidy::analysis
