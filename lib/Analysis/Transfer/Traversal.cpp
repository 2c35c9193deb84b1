//===- Traversal.cpp - how a tensor lies in memory -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/Traversal.h"
#include "Analysis/Transfer/Lists.h"
#include "Analysis/Transfer/Relevance.h"
#include "Analysis/Transfer/Sites.h"
#include "Layout/Contiguity.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

bool isOne(const Symbolic &Ar, const SymExpr &E) {
  return Ar.eq(E, SymExpr(1)).yes();
}

/// Whether a stride is less than another, sizes of 1 aside.
bool isSmaller(const Symbolic &Ar, const SymExpr &A, const SymExpr &B) {
  if (Ar.lt(A, B) == Truth::Yes)
    return true;
  auto Times = Ar.divExact(B, A);
  return Times && !isOne(Ar, *Times) && Ar.eq(B, A).no();
}

/// Whether memory holds the elements without gaps; then \p Order has the
/// dimensions as they lie there, outermost first.
Density density(const Symbolic &Ar, const SymLayout &L,
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
      return Open ? Density::Unknown : Density::Gaps;
  }
  return Density::Dense;
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

Traversal traversal(const Symbolic &Ar, const SymLayout &L,
                    const std::vector<SymExpr> &Shape) {
  std::vector<size_t> Memory, Dims;
  const Density Packed = density(Ar, L, Memory);
  for (size_t D = 0; D < L.rank(); ++D)
    if (!isOne(Ar, L.Sizes[D]))
      Dims.push_back(D);
  return {Packed, splits(Ar, Shape, L.Sizes, Dims),
          Packed == Density::Dense && splits(Ar, Shape, L.Sizes, Memory)};
}

/// Both have the same sizes, and an element that lies elsewhere.
bool liesElsewhere(const Symbolic &Ar, const Object &X, const Object &Y) {
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
bool isIncidental(const ProvRef &Prov) {
  for (const Provenance *P = Prov.get(); P; P = P->Parent.get()) {
    if (P->What.empty() || P->Checked)
      continue;
    const OpClass K = opClass(P->O);
    if (P->O == Op::AsStrided || P->O == Op::EmptyStrided ||
        P->O == Op::EmptyPermuted ||
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

/// Of what a pointer was taken of. What holds unless dimensions that nobody
/// counted are 1 may not hold at all.
Answer<SymExpr> contiguity(const Context &Ctx, const State &W,
                           const Object &O) {
  if (!O.HasLayout || (O.Segment >= 0 && !O.SegmentDense))
    return Truth::Unknown;
  auto Is = isContiguous(W.Ar, O.L);
  return Is.no() && (!O.isApart() || !restIn(Ctx, W, Is.UnlessOne).empty())
             ? Truth::Unknown
             : Is;
}

} // namespace tensortidy::analysis
