//===- ObjectLowering.cpp - constructors, braces and lambdas --------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Lower/Lowering.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

/// A constructor as a call; \p Args without the default ones.
static CallSite constructorSite(const CXXConstructExpr &E,
                                llvm::ArrayRef<const Expr *> Args) {
  const CXXConstructorDecl &Ctor = *E.getConstructor();
  CallSite C;
  C.E = &E;
  C.Callee = &Ctor;
  C.Name = Ctor.getParent()->getNameAsString();
  C.Args.append(Args.begin(), Args.end());
  for (unsigned I = 0; I < Args.size(); ++I)
    C.Params.push_back(I < Ctor.getNumParams() ? Ctor.getParamDecl(I)
                                               : nullptr);
  return C;
}

ValueId Lowering::lowerConstruct(const CXXConstructExpr &E) {
  QualType T = E.getType();
  Kind K = Kinds.kind(T);
  llvm::SmallVector<const Expr *, 4> Args;
  for (const Expr *A : E.arguments())
    if (!isa<CXXDefaultArgExpr>(A))
      Args.push_back(A);
  const CXXConstructorDecl *Ctor = E.getConstructor();
  ValueId V = 0;

  if (Ctor->isCopyOrMoveConstructor() && Args.size() == 1) {
    V = val(Args[0]);
    if (Ctor->isMoveConstructor())
      movedFrom(Args[0]);
    else if (K == Kind::List && strip(Args[0])->isGLValue() &&
             !Kinds.borrows(T) && isa<CallExpr>(strip(Args[0])))
      V = emitValue(Op::ListCopy, &E, V); // a row of a vector of vectors
    return V;
  }
  if (K == Kind::Slice) {
    llvm::SmallVector<ValueId, 3> Bounds;
    for (const Expr *A : Args)
      Bounds.push_back(val(A));
    program::Stmt &S = emit(Op::SliceIdx, &E);
    const char *Names[] = {"start", "stop", "step"};
    for (size_t I = 0; I < Bounds.size() && I < 3; ++I)
      S.Args.push_back({Names[I], Bounds[I], Role::Read, NoId});
    return result(S);
  }
  if (K == Kind::List && constructList(E, V))
    return V;
  if (K == Kind::Options && constructOptions(E, V))
    return V;
  if (K == Kind::Tensor && !Args.empty() &&
      Kinds.model().isUsersType(Kinds.name(*Ctor->getParent()))) {
    if (lowerApi(constructorSite(E, Args), V))
      return V;
  }
  if (K == Kind::Tensor || K == Kind::Int || K == Kind::Bool ||
      K == Kind::Symbol || K == Kind::Float || K == Kind::Scalar) {
    if (Args.empty())
      return constNone(&E);
    if (Args.size() == 1) {
      Kind From = Kinds.kind(Args[0]->getType());
      // TensorIndex(nullopt) is a new axis.
      if (From == Kind::None && K == Kind::Scalar)
        return result(emit(Op::NewAxisIdx, &E));
      if (const auto *S = dyn_cast<clang::StringLiteral>(strip(Args[0]));
          S && K == Kind::Scalar && S->getString() == "...")
        return result(emit(Op::EllipsisIdx, &E));
      if (From != Kind::Other || K == Kind::Scalar)
        return val(Args[0]);
    }
    // Device(kCUDA, index) and the like: its first argument says which.
    if (K == Kind::Scalar)
      return val(Args[0]);
  }

  // Any other class: its constructor may keep what it is given.
  bool UserCode = !Kinds.isLibrary(*Ctor);
  llvm::SmallVector<Arg, 4> Operands;
  unsigned I = 0;
  for (const Expr *A : Args) {
    QualType Param = I < Ctor->getNumParams() ? Ctor->getParamDecl(I)->getType()
                                              : A->getType();
    ++I;
    if (!UserCode && Ctor->getPrimaryTemplate()) // passes them on
      Param = A->getType().getNonReferenceType().withConst();
    size_t First = Operands.size();
    opaqueArg(A, Param, UserCode, Operands);
    for (size_t N = First; N < Operands.size(); ++N)
      if (Kinds.ownsTensors(E.getType())) // a pointer to one, and its handle
        Operands[N].R = Role::Read;
      else if (isTensorish(A->getType()) && Operands[N].R == Role::Read)
        Operands[N].R = Role::Keep;
  }
  const CallSite Site = constructorSite(E, Args);
  if (constructRecord(Site, Operands, V))
    return V;
  describeImage(Site, Operands);
  program::Stmt &S = emit(Op::Opaque, &E);
  S.Text = Site.Name;
  S.Strided = isGivenLayout(Site);
  S.Args.append(Operands.begin(), Operands.end());
  reaches(UserCode && !Ctor->isTrivial() && !Args.empty() ? Reach::Members
                                                          : Reach::Arguments);
  V = derives(result(Out.Blocks[Here].Stmts.back()), T);
  if (!UserCode && Kinds.ownsTensors(T)) // IValue(t)
    Out.Blocks[Here].Stmts.back().Derives = true;
  return V;
}

ValueId Lowering::lowerInitList(const InitListExpr &E) {
  Kind K = Kinds.kind(E.getType());
  if (E.getNumInits() == 1 && !E.getType()->isArrayType() &&
      (E.isTransparent() || K == Kind::Int || K == Kind::Bool ||
       K == Kind::Float || K == Kind::Symbol))
    return val(E.getInit(0));
  // std::array's braces hold the braces of its array.
  if (E.getNumInits() == 1 && Kinds.arraySize(E.getType()))
    return val(E.getInit(0));
  if (E.getNumInits() == 0 && (K == Kind::Int || K == Kind::Bool))
    return K == Kind::Int ? constInt(0, &E) : constBool(false, &E);
  if (ValueId V = 0; listRecord(E, V))
    return V;
  llvm::SmallVector<ValueId, 4> Elements;
  for (const Expr *I : E.inits())
    Elements.push_back(val(I));
  uint64_t Size = 0;
  if (const auto *A = Context.getAsConstantArrayType(E.getType()))
    Size = A->getSize().getZExtValue();
  bool Zeroes = Size > Elements.size() && Size <= 16 && E.getArrayFiller() &&
                Kinds.kind(E.getArrayFiller()->getType()) == Kind::Int;
  for (; Zeroes && Elements.size() < Size;)
    Elements.push_back(constInt(0, &E));
  if (K == Kind::List && (Size == 0 || Size == Elements.size()))
    return emitValue(Op::List, &E, Elements);
  program::Stmt &S = emit(Op::Aggregate, &E);
  for (ValueId V : Elements)
    if (V)
      S.Args.push_back({"", V, Role::Keep, NoId});
  return derives(result(S), E.getType());
}

/// Making a closure changes nothing: what it may change later, any call may
/// (Variable::IsCaptured).
ValueId Lowering::lowerLambda(const LambdaExpr &E) {
  llvm::SmallVector<Arg, 4> Captured;
  bool Points = false; // where something captured does
  auto Init = E.capture_init_begin();
  for (const LambdaCapture &C : E.captures()) {
    const Expr *I = Init == E.capture_init_end() ? nullptr : *Init++;
    if (!C.capturesVariable() || !I)
      continue;
    if (C.getCaptureKind() == LCK_ByRef) {
      if (isTensorish(I->getType()))
        Captured.push_back({"", val(I), Role::Keep, NoId});
      else if (I->getType()->isPointerType() && Kinds.borrows(I->getType())) {
        Captured.push_back({"", val(I), Role::Read, NoId});
        Points = true;
      }
    } else if (Kinds.kind(I->getType()) != Kind::Other ||
               I->getType()->isRecordType() || Kinds.borrows(I->getType())) {
      Points |= Kinds.borrows(I->getType());
      Captured.push_back({"", val(I),
                          holdsTensors(I->getType()) ? Role::Keep : Role::Read,
                          NoId});
    }
  }
  program::Stmt &S = emit(Op::Closure, &E);
  S.Args.append(Captured.begin(), Captured.end());
  reaches(Reach::Arguments);
  const ValueId V = result(Out.Blocks[Here].Stmts.back());
  Out.Blocks[Here].Stmts.back().Derives = Points;
  return V;
}
