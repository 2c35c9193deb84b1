//===- RecordLowering.cpp - objects of the user's classes, field by field -===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A variable of a class has a variable for each of its fields. A value of one,
// on its way from one variable to another, is the list of what they hold:
//
//   struct Heads { at::Tensor q; int64_t n; };
//   Heads h{x.t(), 4};           store $h.q %1, store $h.n %2
//   Heads g = h;                 %3 = load $h.q ... store $g.q %3 ...
//   return g;                    %7 = list %5 %6, return %7
//
// A constructor whose body can be seen runs on a temporary object, as a method
// does on a variable.
//
//===----------------------------------------------------------------------===//

#include "Frontend/Lower/Lowering.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;

/// The object of type \p T with these fields.
ValueId Lowering::whole(llvm::SmallVector<ValueId, 8> Fields, QualType T,
                        const clang::Stmt *At) {
  const ValueId Whole = derives(emitValue(Op::List, At, Fields), T);
  PartsOf[Whole] = std::move(Fields);
  return Whole;
}

/// What \p V, of type \p T, holds.
ValueId Lowering::read(VarId V, QualType T, const clang::Stmt *At) {
  const auto Fields = Kinds.fields(T);
  if (ElementRefs.count(V))
    return emitOther(Op::Element, "", At, {load(V, At), constInt(0, At)});
  if (Fields.empty())
    return load(V, At);
  llvm::SmallVector<ValueId, 8> All;
  for (const FieldDecl *F : Fields)
    All.push_back(read(memberVar(V, *F), F->getType(), At));
  return whole(std::move(All), T, At);
}

/// Makes \p Whole what \p V, of type \p T, holds; or \p Binds a reference.
void Lowering::write(VarId V, QualType T, ValueId Whole, const clang::Stmt *At,
                     bool Binds) {
  const auto Fields = Kinds.fields(T);
  for (unsigned I = 0; I < Fields.size(); ++I) {
    const QualType Type = Fields[I]->getType();
    write(memberVar(V, *Fields[I]), Type, part(Whole, I, Type, At), At, Binds);
  }
  if (!Fields.empty())
    return;
  program::Stmt &S = emit(Op::Store, At);
  S.Var = V;
  S.Binds = Binds;
  S.Args.push_back({"", Whole, Role::Read, NoId});
}

/// Field \p I of the object \p Whole; 0 when nothing is known of it.
ValueId Lowering::part(ValueId Whole, unsigned I, QualType T,
                       const clang::Stmt *At) {
  if (auto It = PartsOf.find(Whole); It != PartsOf.end())
    return It->second[I];
  if (!Whole)
    return 0;
  const ValueId Index = constInt(I, At);
  return derives(emitValue(Op::ListGet, At, {Whole, Index}), T);
}

/// `f(x).field`, or an element of a pair; 0 when it is none that is followed.
ValueId Lowering::fieldOf(const MemberExpr &M) {
  const auto *F = dyn_cast<FieldDecl>(M.getMemberDecl());
  const QualType T = M.getBase()->getType();
  if (!F || M.isArrow() || (Kinds.fields(T).empty() && Kinds.tupleSize(T) != 2))
    return 0;
  return part(val(M.getBase()), F->getFieldIndex(), F->getType(), &M);
}

/// What a field holds that nobody gave a value.
ValueId Lowering::initialField(const FieldDecl &F, const Expr *At) {
  const Expr *Init = F.getInClassInitializer();
  // The initializer is one expression for all objects: only what can be
  // written down anew is.
  ValueId V = 0;
  if (Init && constant(strip(Init), V))
    return V;
  if (!Init && Kinds.isTensor(F.getType()))
    return constNone(At);
  return emitOther(Op::Unknown, "", At, {});
}

/// `Heads{q, 4}`
bool Lowering::listRecord(const InitListExpr &E, ValueId &Result) {
  const auto Fields = Kinds.fields(E.getType());
  if (Fields.empty() || E.getNumInits() != Fields.size())
    return false;
  llvm::SmallVector<ValueId, 8> All;
  for (unsigned I = 0; I < Fields.size(); ++I) {
    const Expr *Init = E.getInit(I);
    All.push_back(isa<CXXDefaultInitExpr>(Init)
                      ? initialField(*Fields[I], Init)
                      : viewOfShortLived(*Init, val(Init), false));
  }
  Result = whole(std::move(All), E.getType(), &E);
  return true;
}

/// `Heads(q)`: the constructor's body runs on a variable without a name.
bool Lowering::constructRecord(const CallSite &Site, llvm::ArrayRef<Arg> Passed,
                               ValueId &Result) {
  const auto &E = *cast<CXXConstructExpr>(Site.E);
  const QualType T = E.getType();
  const auto Fields = Kinds.fields(T);
  if (Fields.empty())
    return false;
  const CXXConstructorDecl *Ctor = E.getConstructor();
  CallSite C = Site;
  Call To;
  C.Made = static_cast<VarId>(Out.Vars.size());
  const bool Follows = !isExpected(&E) && followed(C, To);
  // One that the compiler wrote runs what the fields are initialised with.
  if (Ctor->isDefaultConstructor() && !Ctor->isUserProvided() &&
      !(Follows && llvm::any_of(Fields, [&](const FieldDecl *F) {
          return F->getInClassInitializer() && Kinds.isTensor(F->getType());
        }))) {
    llvm::SmallVector<ValueId, 8> All;
    for (const FieldDecl *F : Fields)
      All.push_back(initialField(*F, &E));
    Result = whole(std::move(All), T, &E);
    return true;
  }
  if (!Follows)
    return false;
  Variable V;
  V.Where = range(E.getSourceRange());
  V.DeclaredIn = Out.Blocks[Here].InLoop;
  V.Borrows = Kinds.borrows(T);
  Out.Vars.push_back(std::move(V));
  Temporaries.push_back({C.Made, T});
  MadeBy[&E] = C.Made;

  // What it held when the statement ran before.
  program::Stmt &Before = emit(Op::Assign, &E);
  Before.IsScalar = true;
  Before.Args.push_back({"", 0, Role::Write, C.Made});
  reaches(Reach::Arguments);
  llvm::SmallVector<Arg, 6> Operands(Passed.begin(), Passed.end());
  Operands.push_back({"", 0, Role::Write, C.Made});
  std::shared_ptr<const Call> Body = bodyOf(C, Operands);
  program::Stmt &S = emit(Op::Opaque, &E);
  S.Text = C.Name;
  S.Strided = isGivenLayout(C);
  S.Calls = std::move(Body);
  S.Args.append(Operands.begin(), Operands.end());
  reaches(Reach::Members);
  Result = read(C.Made, T, &E);
  return true;
}

/// A full expression ends, and with it the objects it made.
void Lowering::endFullExpr(const clang::Stmt *At) {
  emit(Op::FullExprEnd, At);
  for (const auto &[V, T] : Temporaries)
    endScope(V, T);
  Temporaries.clear();
}

/// The lifetime of \p V, of type \p T, ends.
void Lowering::endScope(VarId V, QualType T) {
  for (const FieldDecl *F : llvm::reverse(Kinds.fields(T)))
    endScope(memberVar(V, *F), F->getType());
  emit(Op::ScopeEnd, nullptr).Var = V;
}
