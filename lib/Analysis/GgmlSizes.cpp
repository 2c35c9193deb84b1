//===- GgmlSizes.cpp - sizes that ggml's operations ask for ---------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part of Transfer: what GGML_ASSERT says of sizes when a node is made. The
// model writes it as `needs` (Program/Sizes.h), about ne[i] of the operands:
//
//   "self[0]=b[0]; mask[1]<=self[1]; self[2] divides b[2]; b divides self"
//
//===----------------------------------------------------------------------===//

#include "Analysis/Machine.h"
#include "Layout/Error.h"
#include "Layout/Ggml.h"
#include "Program/Sizes.h"

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
  if (W.Moot || !Ar.eq(A, B).no() || hasQuotient(W, {A, B}))
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

/// A number of the model's, about ne[i] of the operands and its integers.
std::optional<SymExpr> Machine::ggmlNumber(World &W, const Stmt &S,
                                           const SizesNode &N) {
  auto Operand = [&](unsigned I) { return ggmlNumber(W, S, N.Operands[I]); };
  switch (N.K) {
  case SizesNode::Number:
    return SymExpr(N.Value);
  case SizesNode::Operand:
    return exprArg(W, S, N.Name);
  case SizesNode::Numel:
  case SizesNode::Index: {
    if (!ggmlArg(W, S, N.Name))
      return std::nullopt;
    const Object *O = tensorArg(W, S, N.Name);
    return N.K == SizesNode::Numel
               ? numel(W.Ar, O->L.Sizes)
               : O->L.Sizes[at(static_cast<size_t>(N.From.value_or(0)))];
  }
  case SizesNode::Add:
  case SizesNode::Mul: {
    const auto A = Operand(0), B = Operand(1);
    if (!A || !B)
      return std::nullopt;
    return W.Ar.asSize(N.K == SizesNode::Add ? W.Ar.add(*A, *B)
                                             : W.Ar.mul(*A, *B));
  }
  default:
    return std::nullopt;
  }
}

/// A size that the call or the model's text ("self[0]+p0") gives.
std::optional<SymExpr> Machine::ggmlSize(World &W, const Stmt &S,
                                         llvm::StringRef Name) {
  const Value V = operand(W, S, Name);
  if (V.K != Value::Symbol) {
    auto One = sizesArg(W, S, Name);
    return One && One->size() == 1 ? std::optional(One->front()) : std::nullopt;
  }
  const auto Text = parseSizes(V.Text);
  return Text && Text->size() == 1 ? ggmlNumber(W, S, Text->front())
                                   : std::nullopt;
}

void Machine::ggmlNeedsSizes(World &W, const Stmt &S, llvm::StringRef Text) {
  auto Size = [&](SizesNode N, unsigned Dim) {
    if (N.K == SizesNode::Operand) {
      N.K = SizesNode::Index;
      N.From = Dim;
    }
    return ggmlNumber(W, S, N);
  };
  auto Says = [&](const SizesNode &N, unsigned Dim, const SymExpr &Size) {
    const std::string Of = ggmlOperand(W, S, N.Name);
    return N.K == SizesNode::Numel ? Of + " has " + W.Ar.str(Size) + " elements"
                                   : "ne[" + std::to_string(Dim) + "] of " +
                                         Of + " is " + W.Ar.str(Size);
  };
  auto Ask = [&](const SizesNeed &N, unsigned DimL, unsigned DimR) {
    const auto L = Size(N.Left, DimL), R = Size(N.Right, DimR);
    if (!L || !R)
      return;
    const std::string TextL = Says(N.Left, DimL, *L),
                      TextR = Says(N.Right, DimR, *R);
    if (N.K == SizesNeed::Divides) {
      const auto By = W.Ar.known(*L), Of = W.Ar.known(*R);
      if (By && Of ? *By != 0 && *Of % *By != 0 : W.Ar.lt(*R, *L) == Truth::Yes)
        ggmlMisfit(W, S, TextR + ", " + TextL + ", which does not divide it",
                   *R, *L);
    } else if (N.K == SizesNeed::AtMost) {
      if (W.Ar.lt(*R, *L) == Truth::Yes)
        ggmlMisfit(W, S, TextL + ", " + TextR + ", which is less", *L, *R);
    } else if (!ggmlEqual(W, *L, *R)) {
      ggmlMisfit(W, S, TextL + ", " + TextR, *L, *R);
    }
  };
  const auto All = parseNeeds(Text);
  if (!All)
    return;
  for (const std::vector<SizesNeed> &Any : *All) {
    const SizesNeed &N = Any.front();
    auto Dim = [](const SizesNode &Node) {
      return static_cast<unsigned>(Node.From.value_or(0));
    };
    if (N.Left.K == SizesNode::Operand)
      for (unsigned D = 0; D < ggml::Rank; ++D)
        Ask(N, D, D);
    else
      Ask(N, Dim(N.Left), Dim(N.Right));
  }
}

} // namespace tensortidy::analysis
