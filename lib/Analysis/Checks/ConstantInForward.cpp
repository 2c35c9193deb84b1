//===- ConstantInForward.cpp - tensor-constant-in-forward -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: the statement itself; no path or layout matters. Reported is a
// factory call of known value in forward() of a torch::nn::Module, all of whose
// arguments are constants, if what it makes is only read. In a loop it is
// tensor-allocation-in-loop's.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/CheckRun.h"
#include "Analysis/Checks/Wording.h"
#include "Analysis/Flow/Closure.h"
#include "llvm/ADT/STLExtras.h"

namespace tensortidy::analysis {

using namespace program;

/// `-x`, `2.0 * x`, `std::sqrt(x)`, `std::numeric_limits<float>::lowest()`.
static bool isArithmetic(const Stmt &S) {
  return S.IsScalar && (isFloatArithmetic(S.O) || S.calls(Attribute::Pure));
}

/// Whether a value is the same in every call. A device may differ: buffers move
/// with their module.
static bool isConstant(const CheckRun &C, ValueId V, unsigned Depth = 0) {
  const Stmt *S = C.Held.def(V);
  if (!S || Depth > 12 || S->O == Op::Phi)
    return false;
  switch (opClass(S->O)) {
  case OpClass::Structure:
    if (S->O == Op::Load) {
      const Stmt *Made = C.Held.store(S->Var);
      const Variable &Var = C.F.Vars[S->Var];
      // What the module was constructed with.
      if (Var.IsMember && Var.IsConst && Var.Base == ThisBase &&
          Var.Type == VarType::Int)
        return true;
      return C.Held.isFixed(S->Var) && Made && !Var.IsMember && !Var.IsParam &&
             isConstant(C, Made->Args[0].Value, Depth + 1);
    }
    break;
  case OpClass::Integer:
    break;
  case OpClass::Effect:
    if (!isArithmetic(*S))
      return false;
    break;
  default:
    return S->O == Op::DeviceOf;
  }
  for (const Arg &A : S->Args)
    if ((S->O == Op::OptionsOp && A.Name == "requires_grad") ||
        !isConstant(C, A.Value, Depth + 1))
      return false;
  return true;
}

/// Whether \p S stands in a function of the module's own that forward() calls,
/// not in another module's forward(), which is looked at by itself.
static bool isOwn(const CheckRun &C, const Stmt &S) {
  for (uint32_t Id = S.Context; Id; Id = C.F.Contexts[Id].Parent)
    if (C.F.Contexts[Id].IsForward)
      return false;
  return !S.Before;
}

/// Whether what is computed of \p V stays in the module: `if (!mask.defined())
/// mask = torch::ones({8, 8}).triu(1);` makes it once.
static bool isKept(const CheckRun &C, ValueId V) {
  const auto Computed = closure(
      V,
      [&](ValueId Of, auto Add) {
        for (const Fate::Touch &T : C.Held.fate(Of).Touches)
          switch (opClass(T.S->O)) {
          case OpClass::View:
          case OpClass::MaybeCopy:
          case OpClass::Copy:
          case OpClass::Compute:
            Add(T.S->Result);
            break;
          default:
            break;
          }
        return true;
      },
      /*Most=*/32);
  bool Kept = false;
  forEachStmt(C.F, [&](BlockId, const Stmt &S) {
    if (S.O != Op::Store || !C.F.Vars[S.Var].IsMember || S.Args.empty())
      return;
    for (const Stmt *Of : C.Held.origins(S.Args[0].Value))
      Kept = Kept || Computed.contains(Of->Result);
  });
  return Kept;
}

/// Whether a size is 1, or a list of ones: such a tensor costs little.
static bool isOne(const CheckRun &C, ValueId V) {
  const Stmt *S = C.Held.def(V);
  if (!S)
    return false;
  if (S->O == Op::ListCopy || S->O == Op::List)
    return llvm::all_of(S->Args,
                        [&](const Arg &A) { return isOne(C, A.Value); });
  return S->O == Op::Const && S->Const == ConstKind::Int && S->Imm == 1;
}

void checkConstantInForward(CheckRun &C) {
  if (!C.F.IsForward)
    return;
  forEachStmt(C.F, [&](BlockId B, const Stmt &S) {
    switch (S.O) {
    case Op::Arange:
    case Op::Filled:
    case Op::Eye:
    case Op::Linspace:
      break;
    case Op::TensorOf: { // of a list: a lone number is as well a Scalar
      const Stmt *List = S.Args.empty() ? nullptr : C.Held.def(S.Args[0].Value);
      for (unsigned Depth = 0; Depth < 4 && List; ++Depth)
        if (List->O == Op::ListCopy)
          List = C.Held.def(List->Args[0].Value);
        else if (const Stmt *Set =
                     List->O == Op::Load ? C.Held.store(List->Var) : nullptr;
                 Set && C.Held.isFixed(List->Var))
          List = C.Held.def(Set->Args[0].Value);
      if (!List || List->O != Op::List)
        return;
      break;
    }
    default:
      return;
    }
    const program::Range Point = S.point();
    const Arg *Size = findArg(S, "size");
    bool Is = !(Size && isOne(C, Size->Value)) && !S.InMacro &&
              C.F.Blocks[B].InLoop == NoId && !S.Discarded;
    for (const Arg &A : S.Args)
      Is = Is && isConstant(C, A.Value);
    const Fate Made = C.Held.fate(S.Result);
    Is = Is && Made.Read && !Made.Written && !Made.Escapes && !Made.Returned &&
         C.Held.onlyHeld(S.Result) && !isKept(C, S.Result);
    if (!Is) {
      C.Silent.push_back({Check::ConstantInForward, Point.Begin});
      return;
    }
    Finding Found(Check::ConstantInForward, 1, S);
    if (isOwn(C, S))
      Found.At = &S;
    Found.Message = (S.Text.empty() ? opName(S.O).str() : S.Text) +
                    "() builds the same tensor in each call of forward()";
    auto Bytes = C.Opaque.AllocationSize.find(&S);
    if (Bytes != C.Opaque.AllocationSize.end() && Bytes->second.known())
      Found.Message += " (" + words(Bytes->second) + ")";
    Found.Message +=
        "; make it once, in the constructor, with register_buffer()";
    C.Out.push_back(std::move(Found));
  });
}

} // namespace tensortidy::analysis
