//===- Overwrite.cpp - writes to memory that overlaps ---------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Section C of the semantics: which writes meet the same element twice, and
// which of them libtorch notices.
//
//   x.expand({B, C}).add_(1)      stride 0: throws
//   x.unfold(0, 3, 1).add_(1)     windows overlap: wrong values
//   x[1:] += x[:-1]               shifted by one: throws, or wrong values
//   mm_out(m, m, w)               reads what it has overwritten: wrong values
//
//===----------------------------------------------------------------------===//

#include "Analysis/Machine.h"
#include "Layout/Overlap.h"
#include "llvm/ADT/STLExtras.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

namespace {
/// What libtorch 1.13 refuses: a written tensor with stride 0, an operand that
/// is the same memory, one that partly is. `Product`: operands are read after
/// parts of the result are written.
struct Guard {
  bool Known = false, Expanded = false, Full = false, Partial = false,
       Product = false;
};
} // namespace

static Guard guardOf(llvm::StringRef Name) {
  Name.consume_back("_outf") || Name.consume_back("_out") ||
      Name.consume_back("_");
  auto Is = [&](std::initializer_list<llvm::StringRef> Names) {
    return llvm::is_contained(Names, Name);
  };
  // Known, Expanded, Full, Partial, Product
  if (Is({"add",  "sub", "mul",   "div",  "pow",     "fmod",    "remainder",
          "copy", "neg", "exp",   "log",  "sqrt",    "sigmoid", "tanh",
          "relu", "abs", "clamp", "lerp", "addcmul", "addcdiv", "+=",
          "-=",   "*=",  "/=",    "=",    "maximum", "minimum", "cumsum"}))
    return {true, true, false, true, false};
  if (Is({"index_select", "gather", "take", "scatter", "scatter_add",
          "index_add", "index_copy", "cat", "stack"}))
    return {true, true, true, true, false};
  if (Is({"mm", "matmul", "addmm", "addmv", "linear"}))
    return {true, true, false, false, true};
  if (Is({"bmm", "mv"}))
    return {true, false, false, false, true};
  return {};
}

/// "unless N is 1", where the write is harmless, or nothing when it never is.
/// Nothing at all: the size may well be 1.
static std::optional<std::vector<SymExpr>> manyOf(const Symbolic &Ar,
                                                  const SymExpr &Size) {
  auto One = Ar.eq(Size, SymExpr(1));
  if (!One.no() || Ar.lt(Size, SymExpr(1)) == Truth::Yes)
    return std::nullopt;
  return One.UnlessOne;
}

static std::string quotedName(const Object &O, llvm::StringRef Else) {
  return O.Name.empty() ? Else.str() : "'" + O.Name + "'";
}

void Machine::writes(World &W, const Stmt &S, llvm::StringRef Target) {
  Object *Out = tensorArg(W, S, Target);
  const Guard G = guardOf(S.Text);
  if (!Out || !Out->HasLayout || !G.Known || W.Empty || R.Writes.count(&S))
    return;
  const std::string What =
      S.Text + (isalpha(S.Text[0]) || S.Text[0] == '_' ? "()" : "");
  const std::string To = quotedName(*Out, "its target");
  auto Report = [&](std::string Text, const std::vector<SymExpr> &UnlessOne,
                    bool Throws, const Object *Other = nullptr) {
    WriteSite &Site = R.Writes[&S];
    Site.Message = What + " " + std::move(Text);
    Site.Unless = unlessText(W, UnlessOne);
    Site.Throws = Throws;
    Site.Path = pathText(W);
    for (const Object *O : {const_cast<const Object *>(Out), Other})
      if (O)
        if (auto N = sizesNote(W, S, *O))
          Site.Notes.push_back(std::move(*N));
  };
  auto Plain = [](const Object &O, size_t D) {
    return O.Segment < 0 || static_cast<size_t>(O.Segment) != D;
  };

  const SymLayout &L = Out->L;
  for (size_t D = 0; D < L.rank(); ++D)
    if (Plain(*Out, D) && W.Ar.eq(L.Strides[D], SymExpr(0)).yes())
      if (auto Unless = manyOf(W.Ar, L.Sizes[D]))
        return Report("writes elements of " + To +
                          " more than once: a dimension of size " +
                          W.Ar.str(L.Sizes[D]) + " has stride 0",
                      *Unless, G.Expanded);
  if (Out->Segment < 0)
    for (size_t I = 0; I < L.rank(); ++I)
      for (size_t J = 0; J < L.rank(); ++J) {
        if (I == J || W.Ar.lt(SymExpr(0), L.Strides[I]) != Truth::Yes ||
            W.Ar.lt(SymExpr(1), L.Sizes[J]) != Truth::Yes)
          continue;
        auto K = W.Ar.divExact(L.Strides[J], L.Strides[I]);
        auto Steps = K ? W.Ar.known(*K) : std::nullopt;
        if (Steps && *Steps >= 1 &&
            W.Ar.lt(SymExpr(*Steps), L.Sizes[I]) == Truth::Yes)
          return Report("writes elements of " + To +
                            " more than once: its windows overlap",
                        {}, false);
      }

  // Storage made in a loop may be that of another iteration.
  const ObjId From = Out->Storage;
  if (!From || (From < BlockOf.size() && DefOf[From] &&
                F.Blocks[BlockOf[From]].InLoop != NoId))
    return;
  const ObjId OutId = operand(W, S, Target).T;
  for (const Arg &A : S.Args) {
    Value V = value(W, A.Value);
    const Object *In = A.Name == Target ? nullptr : tensor(W, V);
    if (!In || !In->HasLayout || In->Storage != From)
      continue;
    const SymLayout &X = Out->L, &Y = In->L;
    SymExpr Shift = W.Ar.norm(W.Ar.sub(Y.Offset, X.Offset));
    bool Same = V.T == OutId;
    if (Same || Shift.isZero()) {
      bool Bias =
          A.Name == "self" && llvm::StringRef(S.Text).starts_with("add");
      if ((Same && G.Product && !Bias) || (Same && G.Full))
        return Report("writes " + To + " while it still reads it", {}, G.Full,
                      In);
    }
    if (Same || X.rank() != Y.rank() || Out->Segment != In->Segment)
      continue;
    bool EqualSizes = true, EqualStrides = true;
    for (size_t D = 0; D < X.rank(); ++D) {
      EqualSizes = EqualSizes && W.Ar.eq(X.Sizes[D], Y.Sizes[D]).yes();
      EqualStrides = EqualStrides && W.Ar.eq(X.Strides[D], Y.Strides[D]).yes();
    }
    if (!EqualSizes)
      continue;
    const std::string Other = quotedName(*In, "an operand");
    bool Notices = G.Partial && overlap(W.Ar, X, Y, true) == Overlap::Partial;
    if (EqualStrides && !Shift.isZero()) {
      for (size_t D = 0; D < X.rank(); ++D) {
        auto K =
            Plain(*Out, D) ? W.Ar.divExact(Shift, X.Strides[D]) : std::nullopt;
        auto Steps = K ? W.Ar.known(*K) : std::nullopt;
        int64_t N = Steps ? std::abs(*Steps) : 0;
        if (N && W.Ar.lt(SymExpr(N), X.Sizes[D]) == Truth::Yes)
          return Report("writes " + To + " while it reads " + Other +
                            ", the same memory shifted by " + std::to_string(N),
                        {}, Notices, In);
      }
    } else if (!EqualStrides && Shift.isZero()) {
      for (size_t I = 0; I < X.rank(); ++I)
        for (size_t J = I + 1; J < X.rank(); ++J)
          if (W.Ar.eq(X.Strides[I], Y.Strides[J]).yes() &&
              W.Ar.eq(X.Strides[J], Y.Strides[I]).yes())
            if (auto Unless = manyOf(W.Ar, X.Sizes[I]))
              return Report("writes " + To + " while it reads " + Other +
                                ", the same memory transposed",
                            *Unless, Notices, In);
    }
  }
}

} // namespace tensortidy::analysis
