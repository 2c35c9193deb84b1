//===- BlobMemory.cpp - memory that from_blob() is given ------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/BlobMemory.h"
#include "Analysis/Transfer/Accesses.h"
#include "Analysis/Transfer/Operands.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

namespace {

/// Follows a pointer to what made its memory.
class MemoryFinder {
public:
  MemoryFinder(const Context &Ctx, State &W, std::optional<int64_t> Unit)
      : Ctx(Ctx), W(W), Unit(Unit) {}

  std::optional<BlobMemory> find(ValueId V, unsigned Depth = 0);
  VectorLength vectorSize(VarId V) const;

private:
  std::optional<BlobMemory> made(const Stmt &D, unsigned Depth);
  std::optional<BlobMemory> behind(const Stmt &D, unsigned Depth);
  std::optional<SymExpr> count(ValueId N) const;
  std::optional<BlobMemory> objects(const std::optional<SymExpr> &N,
                                    const Stmt *Made) const {
    if (!N || !Unit || Cast)
      return std::nullopt;
    return BlobMemory{W.Ar.mul(*N, SymExpr(*Unit)), Made};
  }

  const Context &Ctx;
  State &W;
  std::optional<int64_t> Unit; ///< bytes of what the pointer points to
  bool Cast = false;           ///< it pointed to something else before
};

} // namespace

/// The number \p N is now, if it was the same where the memory was made: what
/// its variables held then, they hold now.
std::optional<SymExpr> MemoryFinder::count(ValueId N) const {
  llvm::SmallVector<ValueId, 8> Parts{N};
  for (size_t I = 0; I < Parts.size() && I < 16; ++I) {
    const Stmt *D = Ctx.Flow.DefOf[Parts[I]];
    if (!D || (D->O == Op::Load && (Ctx.Flow.loops().Stores[D->Var].size() >
                                        size_t(!Ctx.F.Vars[D->Var].IsParam) ||
                                    Ctx.F.Vars[D->Var].IsCaptured)))
      return std::nullopt;
    for (const Arg &A : D->Args)
      Parts.push_back(A.Value);
  }
  return again(Ctx, W, N, 0);
}

/// How many elements vector \p V has: that it was made with, or resized to, and
/// nothing else changes it.
VectorLength MemoryFinder::vectorSize(VarId V) const {
  if (V == NoId || Ctx.F.Vars[V].Type != VarType::List ||
      Ctx.F.Vars[V].IsMember || Ctx.F.Vars[V].IsParam ||
      Ctx.F.Vars[V].IsReference || Ctx.F.Vars[V].Borrows)
    return {};
  // Elements of that list, as they are counted now.
  if (W.Vars[V].K == Value::List)
    return {SymExpr(static_cast<int64_t>(W.Vars[V].Elems->size())), 0};
  if (Ctx.F.Vars[V].IsCaptured)
    return {};
  auto Counted = [&](ValueId N) { return VectorLength{count(N), N}; };
  const Stmt *Made = nullptr, *Resized = nullptr;
  bool Other = false;
  for (const Stmt *T : Ctx.Flow.loops().Stores[V])
    if (T) { // what has no statement is looked at below
      Other = Other || Made;
      Made = Ctx.Flow.DefOf[T->Args[0].Value];
    }
  forEachStmt(Ctx.F, [&](BlockId, const Stmt &T) {
    for (const Arg &A : T.Args) {
      if (!T.isOpaque() || A.R != Role::Write || A.Var != V ||
          leavesMemory(T) || T.O == Op::StoreElement || T.O == Op::Assign)
        continue;
      Other = Other || Resized || !T.is(Attribute::Resizes);
      Resized = &T;
    }
  });
  if (!Made || Other)
    return {};
  const bool Empty = (Made->O == Op::List && Made->Args.empty()) ||
                     (Made->is(Attribute::MakesVector) && Made->Args.empty());
  if (Resized)
    return Empty && Resized->Args.size() > 1 ? Counted(Resized->Args[1].Value)
                                             : VectorLength();
  while (Made && Made->O == Op::ListCopy)
    Made = Ctx.Flow.DefOf[Made->Args[0].Value];
  if (!Made)
    return {};
  if (Made->O == Op::List) // written out, in braces
    return {SymExpr(static_cast<int64_t>(Made->Args.size())), 0};
  // vector(n), vector(n, x)
  return Made->is(Attribute::MakesVector) &&
                 (Made->Args.size() == 1 || Made->Args.size() == 2)
             ? Counted(Made->Args[0].Value)
             : VectorLength();
}

/// What a call or `new` gives.
std::optional<BlobMemory> MemoryFinder::made(const Stmt &D, unsigned Depth) {
  auto Operand = [&](size_t I) {
    return I < D.Args.size() ? count(D.Args[I].Value) : std::nullopt;
  };
  auto Bytes = [&](const std::optional<SymExpr> &N) {
    return N ? std::optional(BlobMemory{*N, &D}) : std::nullopt;
  };
  if (D.O == Op::New)
    return D.Text == "[]" ? objects(Operand(0), &D) : std::nullopt;
  if (D.O != Op::Opaque)
    return std::nullopt;
  if (D.is(Attribute::GivesBytes) && D.Args.size() == 1)
    return Bytes(Operand(0));
  if (D.is(Attribute::GivesBytesSecond) && D.Args.size() == 2)
    return Bytes(Operand(1));
  if (D.is(Attribute::GivesItems) && D.Args.size() == 2) {
    const auto N = Operand(0), Size = Operand(1);
    return Bytes(N && Size ? std::optional(W.Ar.mul(*N, *Size)) : std::nullopt);
  }
  if (D.is(Attribute::MakesObject))
    return D.Args.size() == 1 ? objects(Operand(0), &D) : std::nullopt;
  if ((D.is(Attribute::MakesOwner) || D.is(Attribute::MakesShared)) &&
      !D.Args.empty())
    return find(D.Args[0].Value, Depth + 1);
  return std::nullopt;
}

/// p + k, &p[k]: what is left behind it.
std::optional<BlobMemory> MemoryFinder::behind(const Stmt &D, unsigned Depth) {
  auto Of = find(D.Args[0].Value, Depth + 1);
  if (!Of || D.Args.size() == 1)
    return D.O == Op::AddressOf ? Of : std::nullopt;
  const Value By = value(W, D.Args[1].Value);
  const auto K = By.K == Value::Int ? std::optional(By.I) : std::nullopt;
  if (!K || !Unit || Cast)
    return std::nullopt;
  Of->Bytes = W.Ar.sub(Of->Bytes, W.Ar.mul(*K, SymExpr(*Unit)));
  return Of;
}

std::optional<BlobMemory> MemoryFinder::find(ValueId V, unsigned Depth) {
  const Stmt *D = V < Ctx.Flow.DefOf.size() ? Ctx.Flow.DefOf[V] : nullptr;
  if (!D || Depth > 8)
    return std::nullopt;
  if (D->O == Op::Load) {
    const Variable &Var = Ctx.F.Vars[D->Var];
    if (Var.Type == VarType::List)
      return objects(vectorSize(D->Var).Is, nullptr);
    const ValueId Only = Ctx.Flow.Values.onlyValue(D->Var);
    return Only ? find(Only, Depth + 1) : std::nullopt;
  }
  if (D->O == Op::Cast && D->Args.size() == 1) {
    Cast = true;
    return find(D->Args[0].Value, Depth + 1);
  }
  if (D->Derives && !D->Args.empty() &&
      (D->O == Op::Plus || D->O == Op::AddressOf))
    return behind(*D, Depth);
  if (!D->Args.empty() && D->is(Attribute::GivesPointer))
    return D->Args[0].Value ? find(D->Args[0].Value, Depth + 1) : std::nullopt;
  if (!D->Args.empty() && D->is(Attribute::GivesMemory)) {
    const Arg &A = D->Args[0];
    const Stmt *Of = A.Value ? Ctx.Flow.DefOf[A.Value] : nullptr;
    const VarId Vector = Of ? (Of->O == Op::Load ? Of->Var : NoId) : A.Var;
    return A.Value && !Of ? std::nullopt
                          : objects(vectorSize(Vector).Is, nullptr);
  }
  return made(*D, Depth);
}

VectorLength lengthOfVector(const Context &Ctx, State &W, VarId V) {
  return MemoryFinder(Ctx, W, std::nullopt).vectorSize(V);
}

std::optional<BlobMemory> memoryBehind(const Context &Ctx, State &W,
                                       ValueId Pointer, int64_t Unit) {
  return MemoryFinder(Ctx, W, Unit).find(Pointer);
}

std::optional<BlobMemory> blobMemory(const Context &Ctx, State &W,
                                     const Stmt &S) {
  if (const auto Bytes = exprArg(W, S, "bytes"))
    return BlobMemory{*Bytes, nullptr};
  const Arg *Data = findArg(S, "data");
  return Data ? MemoryFinder(Ctx, W, intArg(W, S, "unit")).find(Data->Value)
              : std::nullopt;
}

} // namespace tensortidy::analysis
