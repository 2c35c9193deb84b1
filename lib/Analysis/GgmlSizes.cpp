//===- GgmlSizes.cpp - sizes that ggml's operations ask for ---------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part of Transfer: what GGML_ASSERT says of sizes when a node is made. The
// model writes it as `fits`, terms with commas between them, about ne[i] of the
// operands:
//
//   self[0]=b[0]   equal            self[2]%mask[2]  the right divides the left
//   mask[1]>=self[1]                self%b, self=b   so for each dimension
//   #self=#b       equal numbers of elements
//
//===----------------------------------------------------------------------===//

#include "Analysis/Machine.h"
#include "Layout/Error.h"
#include "Layout/Ggml.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;
using ggml::at;

/// "'x'", or "operand 2" of the tensors in the call.
std::string Machine::ggmlOperand(World &W, const Stmt &S,
                                 llvm::StringRef Name) {
  unsigned Place = 0;
  for (const Arg &A : S.Args) {
    if (!tensor(W, value(W, A.Value)))
      continue;
    ++Place;
    if (A.Name != Name)
      continue;
    const Stmt *D = DefOf[A.Value];
    if (D && D->O == Op::Load && !F.Vars[D->Var].Name.empty())
      return "'" + F.Vars[D->Var].Name + "'";
    return "operand " + std::to_string(Place);
  }
  return "the tensor";
}

/// Whether \p A and \p B are equal. A tensor has four dimensions, most of them
/// 1 without a word: what has to be 1 for that is.
bool Machine::ggmlEqual(World &W, const SymExpr &A, const SymExpr &B) {
  auto Same = W.Ar.eq(A, B);
  if (Same.no() && Same.UnlessOne.empty())
    return false;
  W.Ar.assumeEqual(A, B);
  return true;
}

/// Sizes \p A and \p B do not fit, as \p Message says.
void Machine::ggmlMisfit(World &W, const Stmt &S, const std::string &Message,
                         const SymExpr &A, const SymExpr &B) {
  LayoutSite &Site = R.Sites[&S];
  // Sizes of 0 fit more than others. Who writes {n / k, k} knows that k divides
  // n.
  Symbolic Ar = W.Ar;
  Ar.NonEmpty = false;
  if (W.Empty || !Ar.eq(A, B).no() || hasQuotient(W, {A, B}))
    return;
  ++Site.Failed;
  if (Site.Failures.size() >= 4)
    return;
  LayoutFailure V;
  V.R = Rule::BroadcastSize;
  V.Message = callText(S, W) + ": " + Message;
  V.Verb = "aborts";
  for (const Arg &Operand : S.Args)
    if (const Object *O = tensor(W, value(W, Operand.Value)))
      if (auto N = ggmlSizesNote(W, S, *O))
        V.Notes.push_back(std::move(*N));
  V.Path = pathText(W);
  Site.Failures.push_back(std::move(V));
}

/// "'y' has ne [2, 3] here: ggml_new_tensor_2d(...)".
std::optional<Note> Machine::ggmlSizesNote(const World &W, const Stmt &S,
                                           const Object &O) const {
  const Provenance *P = O.Prov.get();
  while (P && (P->What.empty() || P->Checked))
    P = P->Parent.get();
  if (!P || P->Where.Begin == S.Where.Begin)
    return std::nullopt;
  return Note{P->Where, (O.Name.empty() ? "the operand" : "'" + O.Name + "'") +
                            " has ne " + ggmlText(W, O.L, false) +
                            " here: " + P->What};
}

/// Reshapes and copies into a shape: as many elements as there are.
void Machine::ggmlCount(World &W, const Stmt &S, const Object &Self,
                        const SymDims &New) {
  const SymExpr Have = numel(W.Ar, Self.L.Sizes), Want = numel(W.Ar, New);
  if (!ggmlEqual(W, Have, Want))
    ggmlMisfit(W, S,
               "shape " + listText(W.Ar, New) + " does not fit the " +
                   W.Ar.str(Have) + " elements of " + ggmlOperand(W, S, "self"),
               Have, Want);
}

void Machine::ggmlFits(World &W, const Stmt &S, llvm::StringRef Terms) {
  struct Side {
    llvm::StringRef Name;
    int Dim = -1; ///< or all of them
    bool Count = false;
  };
  auto Parse = [](llvm::StringRef Text) {
    Side R;
    R.Count = Text.consume_front("#");
    auto [Name, Dim] = Text.split('[');
    R.Name = Name;
    if (!Dim.empty())
      R.Dim = Dim[0] - '0';
    return R;
  };
  auto Ask = [&](char Relation, const Side &X, const Side &Y, unsigned DimX,
                 unsigned DimY) {
    // Another operand; the first may have moved.
    const Object *OX = ggmlArg(W, S, X.Name), *OY = ggmlArg(W, S, Y.Name);
    OX = tensorArg(W, S, X.Name);
    if (!OX || !OY)
      return;
    const SymExpr A =
        X.Count ? numel(W.Ar, OX->L.Sizes) : OX->L.Sizes[at(DimX)];
    const SymExpr B =
        Y.Count ? numel(W.Ar, OY->L.Sizes) : OY->L.Sizes[at(DimY)];
    auto Says = [&](const Side &O, unsigned Dim, const SymExpr &Size) {
      const std::string Operand = ggmlOperand(W, S, O.Name);
      return O.Count ? Operand + " has " + W.Ar.str(Size) + " elements"
                     : "ne[" + std::to_string(Dim) + "] of " + Operand +
                           " is " + W.Ar.str(Size);
    };
    const std::string Both = Says(X, DimX, A) + ", " + Says(Y, DimY, B);
    const auto KA = W.Ar.known(A), KB = W.Ar.known(B);
    switch (Relation) {
    case '=':
      if (!ggmlEqual(W, A, B))
        ggmlMisfit(W, S, Both, A, B);
      return;
    case '>':
      if (W.Ar.lt(A, B) == Truth::Yes)
        ggmlMisfit(W, S, Both, A, B);
      return;
    default: // %
      if (KA && KB ? *KB != 0 && *KA % *KB != 0 : W.Ar.lt(A, B) == Truth::Yes)
        ggmlMisfit(W, S, Both + ", which does not divide it", A, B);
    }
  };
  llvm::SmallVector<llvm::StringRef, 8> List;
  Terms.split(List, ',');
  for (llvm::StringRef Term : List) {
    Term = Term.trim();
    const size_t Middle = Term.find_first_of("=%>");
    const size_t Next = Term.find_first_not_of("=%>", Middle);
    const Side X = Parse(Term.take_front(Middle)), Y = Parse(Term.substr(Next));
    const char Relation = Term[Middle];
    if (X.Dim >= 0 || X.Count)
      Ask(Relation, X, Y, X.Dim < 0 ? 0 : unsigned(X.Dim),
          Y.Dim < 0 ? 0 : unsigned(Y.Dim));
    else
      for (unsigned D = 0; D < ggml::Rank; ++D)
        Ask(Relation, X, Y, D, D);
  }
}

} // namespace tensortidy::analysis
