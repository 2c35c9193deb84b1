//===- ObjectLowering.cpp - constructors, braces and lambdas --------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Lower/ObjectLowering.h"
#include "Frontend/Ast/Code.h"
#include "Frontend/Ast/Surroundings.h"
#include "Frontend/Ast/Types.h"
#include "Frontend/Build/FunctionBuilder.h"
#include "Frontend/Build/Lowerer.h"
#include "Frontend/Build/PlaceFinder.h"
#include "Frontend/Build/RecordLowering.h"
#include "Frontend/Build/ScopeLowering.h"
#include "Frontend/Build/StoreLowering.h"
#include "Frontend/Build/VariableTable.h"
#include "Frontend/Calls/ApiCallLowering.h"
#include "Frontend/Calls/BodyFinder.h"
#include "Frontend/Calls/ImageReader.h"
#include "Frontend/Calls/OpaqueCallLowering.h"
#include "Frontend/Library/ListLowering.h"
#include "Frontend/Library/OptionLowering.h"
#include "Program/Inline.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;

ValueId ObjectLowering::construct(const CXXConstructExpr &E) {
  QualType T = E.getType();
  Kind K = Kinds.kind(T);
  llvm::SmallVector<const Expr *, 4> Args;
  for (const Expr *A : E.arguments())
    if (!isa<CXXDefaultArgExpr>(A))
      Args.push_back(A);
  const CXXConstructorDecl *Ctor = E.getConstructor();
  ValueId V = 0;

  if (Ctor->isCopyOrMoveConstructor() && Args.size() == 1) {
    V = Lower.value(Args[0]);
    if (Ctor->isMoveConstructor())
      Stores.movedFrom(Args[0]);
    else if (K == Kind::List && strip(Args[0])->isGLValue() &&
             !Kinds.borrows(T) && isa<CallExpr>(strip(Args[0])))
      V = Build.emitValue(Op::ListCopy, &E, V); // a row of a vector of vectors
    return V;
  }
  if (K == Kind::Slice) {
    llvm::SmallVector<ValueId, 3> Bounds;
    for (const Expr *A : Args)
      Bounds.push_back(Lower.value(A));
    program::Stmt &S = Build.emit(Op::SliceIdx, &E);
    const char *Names[] = {"start", "stop", "step"};
    for (size_t I = 0; I < Bounds.size() && I < 3; ++I)
      S.Args.push_back({Names[I], Bounds[I], Role::Read, NoId});
    return Build.result(S);
  }
  if (K == Kind::List && Lists.construct(E, V))
    return V;
  if (K == Kind::Options && Options.construct(E, V))
    return V;
  if (K == Kind::Tensor && !Args.empty() &&
      Kinds.model().isUsersType(Kinds.name(*Ctor->getParent()))) {
    if (ApiCalls.call(constructorSite(E, Args), V))
      return V;
  }
  if (K == Kind::Tensor || K == Kind::Int || K == Kind::Bool ||
      K == Kind::Symbol || K == Kind::Float || K == Kind::Scalar) {
    if (Args.empty())
      return Build.constNone(&E);
    if (Args.size() == 1) {
      Kind From = Kinds.kind(Args[0]->getType());
      // TensorIndex(nullopt) is a new axis.
      if (From == Kind::None && K == Kind::Scalar)
        return Build.result(Build.emit(Op::NewAxisIdx, &E));
      if (const auto *S = dyn_cast<clang::StringLiteral>(strip(Args[0]));
          S && K == Kind::Scalar && S->getString() == "...")
        return Build.result(Build.emit(Op::EllipsisIdx, &E));
      if (From != Kind::Other || K == Kind::Scalar)
        return Lower.value(Args[0]);
    }
    // Device(kCUDA, index) and the like: its first argument says which.
    if (K == Kind::Scalar)
      return Lower.value(Args[0]);
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
    OpaqueCalls.argument(A, Param, UserCode, Operands);
    for (size_t N = First; N < Operands.size(); ++N)
      if (Kinds.ownsTensors(E.getType())) // a pointer to one, and its handle
        Operands[N].R = Role::Read;
      else if (Kinds.hasTensor(A->getType()) && Operands[N].R == Role::Read)
        Operands[N].R = Role::Keep;
  }
  const CallSite Site = constructorSite(E, Args);
  if (constructRecord(Site, Operands, V))
    return V;
  Images.describe(Site, Operands);
  program::Stmt &S = Build.emit(Op::Opaque, &E);
  S.Text = Site.Name;
  S.Has = Kinds.model().attributesOf(Kinds.name(*Ctor->getParent()), false);
  S.Strided = OpaqueCalls.isGivenLayout(Site);
  S.Args.append(Operands.begin(), Operands.end());
  Build.reaches(UserCode && !Ctor->isTrivial() && !Args.empty()
                    ? Reach::Members
                    : Reach::Arguments);
  V = Build.derives(Build.result(Build.last()), T);
  if (!UserCode && Kinds.ownsTensors(T)) // IValue(t)
    Build.last().Derives = true;
  return V;
}

/// `Heads(q)`: the constructor's body runs on a variable without a name.
bool ObjectLowering::constructRecord(const CallSite &Site,
                                     llvm::ArrayRef<Arg> Passed,
                                     ValueId &Result) {
  const auto &E = *cast<CXXConstructExpr>(Site.E);
  const QualType T = E.getType();
  const auto Fields = Kinds.fields(T);
  if (Fields.empty())
    return false;
  const CXXConstructorDecl *Ctor = E.getConstructor();
  CallSite C = Site;
  Call To;
  C.Made = Vars.next();
  const bool Follows = !Around.isExpected(&E) && Bodies.followed(C, To);
  // One that the compiler wrote runs what the fields are initialised with.
  if (Ctor->isDefaultConstructor() && !Ctor->isUserProvided() &&
      !(Follows && llvm::any_of(Fields, [&](const FieldDecl *F) {
          return F->getInClassInitializer() && Kinds.isTensor(F->getType());
        }))) {
    llvm::SmallVector<ValueId, 8> All;
    for (const FieldDecl *F : Fields)
      All.push_back(Records.initialField(*F, &E));
    Result = Records.whole(std::move(All), T, &E);
    return true;
  }
  if (!Follows)
    return false;
  Variable V;
  V.Where = Build.range(E.getSourceRange());
  V.DeclaredIn = Build.block().InLoop;
  V.Borrows = Kinds.borrows(T);
  Vars.add(std::move(V));
  Scopes.made(C.Made, T);
  Places.made(E, C.Made);

  // What it held when the statement ran before.
  program::Stmt &Before = Build.emit(Op::Assign, &E);
  Before.IsScalar = true;
  Before.Args.push_back({"", 0, Role::Write, C.Made});
  Build.reaches(Reach::Arguments);
  llvm::SmallVector<Arg, 6> Operands(Passed.begin(), Passed.end());
  Operands.push_back({"", 0, Role::Write, C.Made});
  std::shared_ptr<const Call> Body = Bodies.bodyOf(C, Operands);
  program::Stmt &S = Build.emit(Op::Opaque, &E);
  S.Text = C.Name;
  if (const auto *Ctor = dyn_cast<CXXConstructorDecl>(C.Callee))
    S.Has = Kinds.model().attributesOf(Kinds.name(*Ctor->getParent()), false);
  S.Strided = OpaqueCalls.isGivenLayout(C);
  S.Calls = std::move(Body);
  S.Args.append(Operands.begin(), Operands.end());
  Build.reaches(Reach::Members);
  Result = Records.read(C.Made, T, &E);
  return true;
}

ValueId ObjectLowering::braces(const InitListExpr &E) {
  Kind K = Kinds.kind(E.getType());
  if (E.getNumInits() == 1 && !E.getType()->isArrayType() &&
      (E.isTransparent() || K == Kind::Int || K == Kind::Bool ||
       K == Kind::Float || K == Kind::Symbol))
    return Lower.value(E.getInit(0));
  // std::array's braces hold the braces of its array.
  if (E.getNumInits() == 1 && Kinds.arraySize(E.getType()))
    return Lower.value(E.getInit(0));
  if (E.getNumInits() == 0 && (K == Kind::Int || K == Kind::Bool))
    return K == Kind::Int ? Build.constInt(0, &E) : Build.constBool(false, &E);
  if (ValueId V = 0; Records.fromBraces(E, V))
    return V;
  llvm::SmallVector<ValueId, 4> Elements;
  for (const Expr *I : E.inits())
    Elements.push_back(Lower.value(I));
  uint64_t Size = 0;
  if (const auto *A = Context.getAsConstantArrayType(E.getType()))
    Size = A->getSize().getZExtValue();
  bool Zeroes = Size > Elements.size() && Size <= 16 && E.getArrayFiller() &&
                Kinds.kind(E.getArrayFiller()->getType()) == Kind::Int;
  for (; Zeroes && Elements.size() < Size;)
    Elements.push_back(Build.constInt(0, &E));
  if (K == Kind::List && (Size == 0 || Size == Elements.size()))
    return Build.emitValue(Op::List, &E, Elements);
  program::Stmt &S = Build.emit(Op::Aggregate, &E);
  for (ValueId V : Elements)
    if (V)
      S.Args.push_back({"", V, Role::Keep, NoId});
  return Build.derives(Build.result(S), E.getType());
}

ValueId ObjectLowering::closure(const LambdaExpr &E) {
  llvm::SmallVector<Arg, 4> Captured;
  bool Points = false; // where something captured does
  auto Init = E.capture_init_begin();
  for (const LambdaCapture &C : E.captures()) {
    const Expr *I = Init == E.capture_init_end() ? nullptr : *Init++;
    if (!C.capturesVariable() || !I)
      continue;
    if (C.getCaptureKind() == LCK_ByRef) {
      if (Kinds.hasTensor(I->getType()))
        Captured.push_back({"", Lower.value(I), Role::Keep, NoId});
      else if (I->getType()->isPointerType() && Kinds.borrows(I->getType())) {
        Captured.push_back({"", Lower.value(I), Role::Read, NoId});
        Points = true;
      }
    } else if (Kinds.kind(I->getType()) != Kind::Other ||
               I->getType()->isRecordType() || Kinds.borrows(I->getType())) {
      Points |= Kinds.borrows(I->getType());
      Captured.push_back(
          {"", Lower.value(I),
           Kinds.holdsTensors(I->getType()) ? Role::Keep : Role::Read, NoId});
    }
  }
  program::Stmt &S = Build.emit(Op::Closure, &E);
  S.Args.append(Captured.begin(), Captured.end());
  Build.reaches(Reach::Arguments);
  const ValueId V = Build.result(Build.last());
  Build.last().Derives = Points;
  return V;
}
