//===- ByteBlocks.cpp - blocks of bytes behind pointers -------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/ByteBlocks.h"
#include "Analysis/Transfer/Accesses.h"
#include "Analysis/Transfer/BlobMemory.h"
#include "Analysis/Transfer/Comparisons.h"
#include "Analysis/Transfer/DTypes.h"
#include "Analysis/Transfer/Describe.h"
#include "Analysis/Transfer/Extents.h"
#include "Analysis/Transfer/Ggml.h"
#include "Analysis/Transfer/GgmlSizes.h"
#include "Analysis/Transfer/Lists.h"
#include "Analysis/Transfer/Operands.h"
#include "Analysis/Transfer/Pointers.h"
#include "Analysis/Transfer/Relevance.h"
#include "Layout/Contiguity.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

namespace {

/// The memory behind one pointer of a block of bytes.
struct Side {
  ValueId Pointer = 0;
  const Stmt *Taken = nullptr; ///< of a tensor: what takes its address
  Object Of;                   ///< that tensor
  VarId List = NoId;           ///< of a vector, which has its elements there
  std::string Name;
  int64_t Each = 0; ///< bytes of an element; 0: not known, or blocks
  bool AtStart = false;
  std::optional<SymExpr> Count; ///< of all elements
  std::optional<SymExpr> Bytes; ///< of what there is from the pointer on, each
  int64_t Parts = 1;            ///< counted as so many: of blocks of elements

  bool isTensor() const { return Taken != nullptr; }
};

/// A number of bytes: the product of some values.
struct ByteCount {
  llvm::SmallVector<ValueId, 4> Factors;
  SymExpr Bytes;
};

class Block {
public:
  Block(const Context &Ctx, State &W, const Stmt &S) : Ctx(Ctx), W(W), S(S) {}
  bool check();

private:
  bool readCount();
  std::optional<SymExpr> length(VarId List) const {
    auto N = lengthOfVector(Ctx, W, List).Is;
    return N ? N : lengthOfParam(Ctx, List);
  }
  std::optional<SymExpr> number(ValueId V) const;
  void addFactors(ValueId V, unsigned Depth = 0);
  void readSides();
  Side sideOf(const Arg &A);
  void tensorSide(Side &To, const Object &O, const Stmt &Taken);
  const Stmt *addressed(ValueId Pointer) const;
  bool isLengthOf(ValueId V, const Side &Of) const;
  std::optional<int64_t> bytesEach(const Side &Of) const;
  bool isRight(const Side &Of) const {
    return Of.Each && bytesEach(Of) == Of.Each;
  }
  bool checkUnit(const Side &Of);
  bool checkRows(const Side &Of);
  bool checkTypes(const Side &Of);
  bool checkEnd(const Side &Of);
  bool checkOffset();
  PointerUse *wrong(const Side &Of, PointerUse::Kind K);

  const Context &Ctx;
  State &W;
  const Stmt &S;
  ByteCount Moved;
  std::optional<SymExpr> Offset; ///< bytes of the tensor that are left out
  llvm::SmallVector<Side, 2> Sides;
};

} // namespace

/// Whether \p V counts elements: what it is computed from has no number in it
/// that may be the bytes of one.
static bool countsElements(const Context &Ctx, ValueId V, unsigned Depth = 0) {
  const Stmt *D = Ctx.Flow.Values.origin(V);
  if (!D || Depth > 6)
    return false;
  switch (D->O) {
  case Op::Numel:
  case Op::ListSize:
  case Op::Size:
  case Op::GgmlNe:
  case Op::GgmlRows:
  case Op::Load:
    return true;
  case Op::Const:
    return D->Const == ConstKind::Int && D->Imm > 2 && D->Imm != 4 &&
           D->Imm != 8 && D->Imm != 16;
  case Op::IMul:
    return llvm::all_of(D->Args, [&](const Arg &A) {
      return countsElements(Ctx, A.Value, Depth + 1);
    });
  default:
    return false;
  }
}

void Block::addFactors(ValueId V, unsigned Depth) {
  const Stmt *D = Ctx.Flow.Values.origin(V);
  if (D && D->O == Op::IMul && D->Args.size() == 2 && Depth < 6) {
    addFactors(D->Args[0].Value, Depth + 1);
    addFactors(D->Args[1].Value, Depth + 1);
  } else {
    Moved.Factors.push_back(V);
  }
}

/// What a factor is now; of `v.size()` as many as the vector was made with.
std::optional<SymExpr> Block::number(ValueId V) const {
  const Stmt *D = Ctx.Flow.Values.origin(V);
  const Stmt *List = D && D->O == Op::ListSize && !D->Args.empty()
                         ? Ctx.Flow.DefOf[D->Args[0].Value]
                         : nullptr;
  if (List && List->O == Op::Load)
    if (const auto N = length(List->Var))
      return N;
  return again(Ctx, W, V, 0);
}

/// The operands that say how many bytes there are.
bool Block::readCount() {
  const bool OfTensor = S.is(Attribute::MovesBlock);
  Moved.Bytes = SymExpr(1);
  for (llvm::StringRef Name : {OfTensor ? "size" : "bytes", "each", "count"})
    if (const Arg *A = findArg(S, Name))
      addFactors(A->Value);
  for (ValueId V : Moved.Factors) {
    const auto N = number(V);
    if (!N)
      return false;
    Moved.Bytes = W.Ar.mul(Moved.Bytes, *N);
  }
  if (OfTensor)
    Offset = exprArg(W, S, "offset");
  return !Moved.Factors.empty();
}

/// What made the address, without casts; of a tensor data_ptr().
const Stmt *Block::addressed(ValueId Pointer) const {
  const Stmt *D = Ctx.Flow.Values.origin(Pointer);
  for (unsigned Depth = 0;
       D && D->O == Op::Cast && D->Args.size() == 1 && Depth < 6; ++Depth)
    D = Ctx.Flow.Values.origin(D->Args[0].Value);
  return D;
}

void Block::tensorSide(Side &To, const Object &O, const Stmt &Taken) {
  To.Taken = &Taken;
  To.Of = O;
  To.Name = nameAt(Ctx, Taken, O);
  To.Each = itemSize(O.DType);
  if (O.HasLayout && !(O.Ggml && O.Segment >= 0))
    To.Count = numel(W.Ar, O.L.Sizes);
  if (O.Ggml && O.HasLayout && !O.DType.empty() &&
      isContiguous(W.Ar, O.L).yes()) {
    const BlockSize B = blockSize(O.DType);
    To.Parts = B.Bytes ? B.Elements : 1;
    To.Bytes = To.Parts > 1 ? W.Ar.mul(*To.Count, SymExpr(B.Bytes))
                            : ggmlRowBytes(Ctx, W, O.DType, *To.Count);
  }
}

Side Block::sideOf(const Arg &A) {
  Side To;
  To.Pointer = A.Value;
  To.Each = A.Unit;
  if (const Value V = value(W, A.Value); V.K == Value::Pointer) {
    tensorSide(To, V.P->Of, *V.P->Taken);
    To.AtStart = W.Ar.eq(V.I, SymExpr(0)).yes();
    return To;
  }
  const Stmt *D = A.Value ? addressed(A.Value) : nullptr;
  if (D && D->O == Op::DataPtr) {
    const Arg *Self = findArg(*D, "self");
    const Stmt *Held = Self ? Ctx.Flow.DefOf[Self->Value] : nullptr;
    const Object *O = Self ? tensor(W, value(W, Self->Value)) : nullptr;
    if (!O && Held && Held->O == Op::Load)
      O = tensor(W, W.Vars[Held->Var]);
    To.AtStart = true;
    if (O && O->Ggml)
      tensorSide(To, *O, *D);
    return To;
  }
  if (D && !D->Args.empty() && D->is(Attribute::GivesMemory)) {
    const Arg &Object = D->Args[0];
    const Stmt *Load = Object.Value ? Ctx.Flow.DefOf[Object.Value] : nullptr;
    To.List = Load ? (Load->O == Op::Load ? Load->Var : NoId) : Object.Var;
    To.AtStart = true;
  }
  if (To.List != NoId) {
    To.Name = called(Ctx, To.List, S.Context);
    To.Count = length(To.List);
    if (To.Count && To.Each)
      To.Bytes = W.Ar.mul(*To.Count, SymExpr(To.Each));
    return To;
  }
  if (const Stmt *Named = A.Value ? Ctx.Flow.DefOf[A.Value] : nullptr;
      Named && Named->O == Op::Load)
    To.Name = called(Ctx, Named->Var, S.Context);
  else if (Named && Named->is(Attribute::GivesPointer) && !Named->Args.empty())
    if (const Stmt *Owner = Ctx.Flow.DefOf[Named->Args[0].Value];
        Owner && Owner->O == Op::Load)
      To.Name = called(Ctx, Owner->Var, S.Context);
  if (!D || !To.Each)
    return To;
  if (const auto Memory =
          memoryBehind(Ctx, W, D->Result ? D->Result : A.Value, To.Each)) {
    To.Bytes = Memory->Bytes;
    if (To.AtStart)
      To.Count = W.Ar.divExact(*To.Bytes, SymExpr(To.Each));
  }
  return To;
}

void Block::readSides() {
  if (S.is(Attribute::MovesBlock)) {
    Side To;
    tensorSide(To, *tensorArg(Ctx, W, S, "self"), S);
    To.AtStart = Offset && W.Ar.eq(*Offset, SymExpr(0)).yes();
    Sides.push_back(std::move(To));
    if (const Arg *A = findArg(S, "data"))
      Sides.push_back(sideOf(*A));
    return;
  }
  for (const Arg &A : S.Args)
    if (A.Value && (A.Unit || value(W, A.Value).K == Value::Pointer ||
                    (A.Name.empty() && addressed(A.Value) &&
                     addressed(A.Value)->O == Op::DataPtr)))
      Sides.push_back(sideOf(A));
}

/// Whether \p V is asked of \p Of itself: `x.numel()`, `v.size()`.
bool Block::isLengthOf(ValueId V, const Side &Of) const {
  const Stmt *D = Ctx.Flow.Values.origin(V);
  if (!D || D->Args.empty())
    return false;
  const Stmt *Load = Ctx.Flow.DefOf[D->Args[0].Value];
  if (!Load || Load->O != Op::Load)
    return false;
  if (D->O == Op::ListSize)
    return Of.List != NoId && Load->Var == Of.List;
  const Object *O = D->O == Op::Numel ? tensor(W, W.Vars[Load->Var]) : nullptr;
  return O && Of.isTensor() && O->Storage == Of.Of.Storage &&
         O->L.Sizes == Of.Of.L.Sizes;
}

/// How many bytes for each of all elements of \p Of are moved: 4 in
/// `x.numel() * sizeof(float)`, 1 in `x.numel()`.
std::optional<int64_t> Block::bytesEach(const Side &Of) const {
  if (!Of.AtStart)
    return std::nullopt;
  auto Plausible = [](std::optional<int64_t> N) {
    return N && (*N == 1 || *N == 2 || *N == 4 || *N == 8 || *N == 16)
               ? N
               : std::nullopt;
  };
  // By what is asked, whatever it is.
  for (size_t I = 0; I < Moved.Factors.size(); ++I) {
    if (!isLengthOf(Moved.Factors[I], Of))
      continue;
    int64_t Each = 1;
    for (size_t J = 0; J < Moved.Factors.size(); ++J) {
      if (J == I)
        continue;
      const auto N = number(Moved.Factors[J]);
      const auto Known = N ? W.Ar.known(*N) : std::nullopt;
      if (!Known || *Known < 1 || *Known > 16)
        return std::nullopt;
      Each *= *Known;
    }
    return Plausible(Each);
  }
  if (!Of.Count || W.Ar.known(*Of.Count))
    return std::nullopt;
  const auto Each = W.Ar.divExact(Moved.Bytes, *Of.Count);
  const auto N = Plausible(Each ? W.Ar.known(*Each) : std::nullopt);
  // Other bytes than an element has are those of a factor.
  int64_t Given = 1;
  for (ValueId V : Moved.Factors) {
    const auto Is = number(V);
    const auto Known = Is ? W.Ar.known(*Is) : std::nullopt;
    Given *= Known && *Known > 0 && *Known <= 16 ? *Known : 1;
  }
  if (N && N != Of.Each && *N != Given)
    return std::nullopt;
  if (N == 1 && !llvm::all_of(Moved.Factors, [&](ValueId V) {
        const auto Is = number(V);
        const auto One = Is ? W.Ar.known(*Is) : std::nullopt;
        return countsElements(Ctx, V) || (One && *One == 1);
      }))
    return std::nullopt;
  return N;
}

PointerUse *Block::wrong(const Side &Of, PointerUse::Kind K) {
  const Side *At = Of.isTensor() ? &Of : nullptr;
  for (const Side &X : Sides)
    if (!At && X.isTensor())
      At = &X;
  if (!At || hasNoElements(Ctx, W, S))
    return nullptr;
  PointerUse *U = wrongUse(Ctx, W, S, *At->Taken, At->Of, K);
  if (!U)
    return nullptr;
  U->Name = Of.Name;
  U->Real = std::to_string(Of.Each);
  U->Other = Of.isTensor() ? Of.Of.DType : "";
  return U;
}

/// All elements are counted, with other bytes than they have.
bool Block::checkUnit(const Side &Of) {
  const auto N = Of.Each > 1 || Of.isTensor() ? bytesEach(Of) : std::nullopt;
  if (!N || !Of.Each || *N == Of.Each)
    return false;
  // Where the memory ends is what is told of memory that was made here.
  if (Of.Of.Holds && S.is(Attribute::CopiesSecond) &&
      W.Ar.le(Moved.Bytes, W.Ar.mul(*Of.Of.Holds, SymExpr(Of.Each))).no() &&
      !Of.Of.Ggml)
    return false;
  for (const Side &X : Sides) {
    if (&X == &Of)
      continue;
    // Bytes are their own number; and of what is no tensor, the other side may
    // be what is counted.
    const bool IsBytes = X.Each == 1 && (bytesEach(X) == 1 || !Of.isTensor());
    if (IsBytes || (!Of.isTensor() && isRight(X)) ||
        (!Of.isTensor() && X.Bytes && W.Ar.eq(*X.Bytes, Moved.Bytes).yes()))
      return false;
  }
  // A number of bytes may be what a vector was made with.
  if (const ValueId Given =
          Of.List != NoId ? lengthOfVector(Ctx, W, Of.List).Given : 0;
      Given && !countsElements(Ctx, Given))
    return false;
  if (!Of.isTensor() &&
      llvm::any_of(Sides, [](const Side &X) { return X.Each < 2; }) &&
      !llvm::any_of(Moved.Factors, [&](ValueId V) {
        const Stmt *D = Ctx.Flow.Values.origin(V);
        return D &&
               (D->O == Op::Numel || D->O == Op::ListSize || isLengthOf(V, Of));
      }))
    return false;
  if (PointerUse *U = wrong(Of, PointerUse::Bytes)) {
    U->Count = Of.Count ? W.Ar.str(*Of.Count) : "?";
    U->Given = std::to_string(*N);
  }
  return true;
}

/// `memcpy(p + i * w, q + i * w, w)`: rows of as many elements as bytes are
/// moved.
bool Block::checkRows(const Side &Of) {
  const Stmt *D = addressed(Of.Pointer);
  if (Of.Each < 2 || !D || !D->Derives || D->Args.size() != 2 ||
      (D->O != Op::Plus && D->O != Op::AddressOf) ||
      !llvm::all_of(
          Moved.Factors, [&](ValueId V) { return countsElements(Ctx, V); }))
    return false;
  const Stmt *By = Ctx.Flow.Values.origin(D->Args[1].Value);
  if (!By || By->O != Op::IMul || By->Args.size() != 2)
    return false;
  for (size_t I = 0; I < 2; ++I) {
    const auto Row = again(Ctx, W, By->Args[I].Value, 0);
    const Stmt *Index = Ctx.Flow.Values.origin(By->Args[1 - I].Value);
    if (!Row || !Index || Index->O != Op::Load ||
        !W.Ar.eq(*Row, Moved.Bytes).yes() ||
        !countsElements(Ctx, By->Args[I].Value))
      continue;
    if (PointerUse *U = wrong(Of, PointerUse::Rows)) {
      U->Count = W.Ar.str(*Row);
      U->Given = U->Count;
    }
    return true;
  }
  return false;
}

static bool isComplex(llvm::StringRef DType) {
  return DType == "complex64" || DType == "complex128";
}

/// Elements of one size are put where those of the tensor \p Of are.
bool Block::checkTypes(const Side &Of) {
  if (!Of.isTensor() || Of.Each < 2 || !Of.AtStart || !Of.Count ||
      isComplex(Of.Of.DType) ||
      !W.Ar.eq(Moved.Bytes, W.Ar.mul(*Of.Count, SymExpr(Of.Each))).yes())
    return false;
  for (const Side &X : Sides) {
    if (&X == &Of || X.Each < 2 || X.Each == Of.Each || !X.AtStart ||
        isComplex(X.Of.DType))
      continue;
    const bool AsMany = X.Count ? W.Ar.eq(*X.Count, *Of.Count).yes()
                                : llvm::any_of(Moved.Factors, [&](ValueId V) {
                                    return isLengthOf(V, X);
                                  });
    if (!AsMany)
      continue;
    if (PointerUse *U = wrong(Of, PointerUse::Mixed))
      U->Given = std::to_string(X.Each);
    return true;
  }
  return false;
}

/// The memory ends before.
bool Block::checkEnd(const Side &Of) {
  if (!Of.Bytes)
    return false;
  SymExpr To = Moved.Bytes;
  if (Of.Taken == &S) {
    if (!Offset)
      return false;
    To = W.Ar.add(To, *Offset);
  }
  const auto End = farthest(Ctx, W, W.Ar.mul(To, SymExpr(Of.Parts)));
  if (!End)
    return false;
  const auto Fits = W.Ar.le(*End, *Of.Bytes);
  if (!Fits.no() || hasNoElements(Ctx, W, S) ||
      isSilenced(Ctx, S, Silence::Divides,
                 hasQuotient(Ctx, W, {*End, *Of.Bytes})) ||
      isSilenced(Ctx, S, Silence::UncountedOne,
                 !restIn(Ctx, W, {*End, *Of.Bytes}).empty()) ||
      isSilenced(Ctx, S, Silence::TestedOne, mustBeOne(W, Fits.UnlessOne)) ||
      isSilenced(Ctx, S, Silence::PathDependent,
                 isPathDependent(W, {*End, *Of.Bytes})))
    return false;
  const auto Repeats = std::exchange(W.Repeats, {});
  if (PointerUse *U = wrong(Of, PointerUse::Short)) {
    const auto Whole = W.Ar.divExact(*Of.Bytes, SymExpr(Of.Parts));
    U->Given = W.Ar.str(*W.Ar.divExact(*End, SymExpr(Of.Parts)));
    U->Real = Whole ? W.Ar.str(*Whole) : "?";
    U->Unless =
        excepted(W, exceptions(W.Ar, Fits.UnlessOne, [&](const Symbolic &With) {
                   return With.le(*End, *Of.Bytes);
                 }));
  }
  W.Repeats = Repeats;
  return true;
}

/// The offset into a tensor is a number of its elements.
bool Block::checkOffset() {
  const Side &Of = Sides.front();
  if (!Offset || Of.Taken != &S || Of.Each < 2 || W.Ar.known(*Offset) ||
      !countsRows(Ctx, W, S, Of.Of, Of.Each))
    return false;
  if (PointerUse *U = wrong(Of, PointerUse::Start))
    U->Given = W.Ar.str(*Offset);
  return true;
}

bool Block::check() {
  if (!readCount())
    return false;
  readSides();
  if (llvm::none_of(Sides, [](const Side &X) { return X.isTensor(); }))
    return false;
  // Tensors first: they are what a message is about.
  llvm::stable_sort(Sides, [](const Side &A, const Side &B) {
    return A.isTensor() > B.isTensor();
  });
  auto Any = [&](auto Check) {
    return llvm::any_of(Sides,
                        [&](const Side &Of) { return (this->*Check)(Of); });
  };
  return Any(&Block::checkUnit) || Any(&Block::checkRows) ||
         Any(&Block::checkTypes) || Any(&Block::checkEnd) || checkOffset();
}

bool movesBytes(const Context &Ctx, State &W, const Stmt &S) {
  const bool Moves = S.is(Attribute::MovesBlock) || findArg(S, "bytes") ||
                     (findArg(S, "each") && findArg(S, "count"));
  return Moves && Block(Ctx, W, S).check();
}

} // namespace tensortidy::analysis
