//===- VariableTable.cpp - the variables of a tensor program --------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Build/VariableTable.h"
#include "Frontend/Ast/BodyScan.h"
#include "Frontend/Ast/Ranges.h"
#include "Frontend/Ast/Types.h"
#include "Frontend/Build/FunctionBuilder.h"
#include "clang/AST/DeclCXX.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;

VarType frontend::varType(QualType T, Types &Kinds) {
  switch (Kinds.kind(T)) {
  case Kind::Tensor:
    return VarType::Tensor;
  case Kind::Int:
    return VarType::Int;
  case Kind::Bool:
    return VarType::Bool;
  case Kind::List:
    return VarType::List;
  default:
    return VarType::Other;
  }
}

VariableTable::VariableTable(const FunctionDecl &Fn, program::Function &Out,
                             Types &Kinds, const BodyScan &Scan,
                             const FunctionBuilder &Build)
    : Fn(Fn), Kinds(Kinds), Scan(Scan), Build(Build), All(Out.Vars) {
  const auto *M = dyn_cast<CXXMethodDecl>(&Fn);
  if (!M || !M->getParent()->isLambda())
    return;
  for (const LambdaCapture &Captured : M->getParent()->captures())
    if (Captured.capturesVariable() && Captured.getCaptureKind() == LCK_ByCopy)
      CopiedIn.insert(Captured.getCapturedVar());
}

VarId VariableTable::add(Variable V) {
  All.push_back(std::move(V));
  return static_cast<VarId>(All.size() - 1);
}

VarId VariableTable::known(const ValueDecl &D) const {
  auto It = Ids.find(&D);
  return It == Ids.end() ? NoId : It->second;
}

static std::string variableName(const ValueDecl &D) {
  return D.getDeclName() ? D.getDeclName().getAsString() : std::string("_");
}

VarId VariableTable::of(const ValueDecl &D) {
  auto [It, New] = Ids.try_emplace(&D, All.size());
  if (!New)
    return It->second;
  VarId Id = It->second;
  Variable V;
  V.Name = variableName(D);
  V.Type = varType(D.getType(), Kinds);
  V.Borrows = Kinds.borrows(D.getType());
  const QualType Plain = D.getType().getNonReferenceType();
  V.OfInts = Kinds.isIntVector(Plain) ||
             (isa<ParmVarDecl>(&D) && Kinds.isIntView(Plain));
  V.IsContainer = Kinds.isContainer(D.getType());
  V.IsGgml = Kinds.isPointerTensor(D.getType());
  V.Where = Build.range(D.getSourceRange());
  const auto *Var = dyn_cast<VarDecl>(&D);
  if (const auto *B = dyn_cast<BindingDecl>(&D))
    Var = dyn_cast<VarDecl>(B->getDecomposedDecl());
  if (Var) {
    V.IsParam = isa<ParmVarDecl>(&D);
    V.IsStatic = Var->isStaticLocal();
    V.IsCaptured = Scan.Exposed.count(Var);
    if (V.IsParam)
      V.IsReference = D.getType()->isReferenceType();
    V.IsConst = (V.IsParam ? D.getType().getNonReferenceType() : D.getType())
                    .isConstQualified();
    bool IsLocal = V.IsParam ? cast<ParmVarDecl>(Var)->getDeclContext() == &Fn
                             : Scan.DeclOf.count(Var) != 0;
    if (!IsLocal) { // a global, or what a lambda captured
      V.IsMember = true;
      V.IsParam = false;
      V.IsReference = true;
      V.Identity = identityOf(D);
      V.IsEnclosing = Var->isLocalVarDeclOrParm();
      V.IsConst = V.IsConst && !V.IsEnclosing;
      V.IsCopy = CopiedIn.count(Var);
    }
    if (const DeclStmt *S = Scan.DeclOf.lookup(Var)) {
      auto In = Scan.InLoop.find(S);
      if (In != Scan.InLoop.end())
        V.DeclaredIn = In->second;
    }
  }
  if (Var && !V.IsMember && !Scan.Rebound.count(Var) && !V.IsCaptured)
    FixedPointers.insert(Id);
  All.push_back(std::move(V));
  return Id;
}

/// "*p" as part of a longer name: "p->".
static std::string pathTo(const Variable &V) {
  return V.IsPointee ? V.Name.substr(1) + "->" : V.Name + ".";
}

/// Tells classes apart that objects may be of; 0 for one that may be inside of,
/// or derived from, another.
static uint64_t classOf(const CXXRecordDecl *R, Types &Kinds) {
  while (R && R->hasDefinition() && R->getNumBases() == 1)
    R = recordOf(R->bases_begin()->getType());
  if (!R || !R->hasDefinition() || R->getNumBases() > 1 || R->isUnion())
    return 0;
  for (const FieldDecl *F : R->getDefinition()->fields())
    if (const auto *Of = QualType(F->getType()->getBaseElementTypeUnsafe(), 0)
                             ->getAsCXXRecordDecl();
        Of && !Kinds.isLibrary(*Of))
      return 0;
  return identityOf(*R);
}

VarId VariableTable::member(VarId Base, const ValueDecl &Field,
                            bool WritesThis) {
  auto *Canonical = cast<ValueDecl>(Field.getCanonicalDecl());
  auto [It, New] = Members.try_emplace({Base, Canonical}, All.size());
  if (!New)
    return It->second;
  VarId Id = It->second;
  Variable V;
  const bool Unnamed = Base != ThisBase && All[Base].Name.empty();
  if (!Unnamed)
    V.Name = (Base != ThisBase ? pathTo(All[Base])
              : WritesThis     ? "this->"
                               : "") +
             variableName(Field);
  V.Type = varType(Field.getType(), Kinds);
  V.Borrows = Kinds.borrows(Field.getType());
  V.IsContainer = Kinds.isContainer(Field.getType());
  V.IsGgml = Kinds.isPointerTensor(Field.getType());
  V.IsMember = true;
  V.Base = Base;
  V.Identity = identityOf(*Canonical);
  V.IsReference = Field.getType()->isReferenceType();
  V.Where = Build.range(Field.getSourceRange());
  if (const auto *F = dyn_cast<FieldDecl>(Canonical)) {
    const auto *Class = dyn_cast<CXXRecordDecl>(F->getParent());
    V.Class = classOf(Class, Kinds);
    if (Class && Kinds.isImage(Class))
      V.Of = Kinds.imageField(*F);
    if (!Kinds.fields(Class).empty())
      V.Field = static_cast<int>(F->getFieldIndex());
  }
  if (Base != ThisBase) {
    V.IsParam = All[Base].IsParam;
    V.IsCaptured = All[Base].IsCaptured;
    V.IsStatic = All[Base].IsStatic;
    V.DeclaredIn = All[Base].DeclaredIn;
  }
  All.push_back(std::move(V));
  return Id;
}

VarId VariableTable::pointee(VarId Pointer, QualType T) {
  constexpr unsigned Most = 200; // of which any two may be one object
  const CXXRecordDecl *R = recordOf(T);
  const bool IsPointer = T->isPointerType() && !Kinds.isPointerTensor(T);
  if (!IsPointer &&
      (!R || !R->hasDefinition() ||
       (Kinds.isTensor(T) ? !Kinds.isPlainTensor(T)
                          : Kinds.kind(T) != Kind::Other ||
                                Kinds.name(*R).starts_with("std::"))))
    return NoId;
  auto It = Members.find({Pointer, nullptr});
  if (It != Members.end())
    return It->second;
  if (Pointees == Most)
    return NoId;
  ++Pointees;
  Variable V;
  if (Pointer == ThisBase || !All[Pointer].Name.empty())
    V.Name = "*" + All[Pointer].Name;
  V.Type = varType(T, Kinds);
  V.IsMember = V.IsPointee = true;
  V.Base = Pointer;
  V.Borrows = IsPointer && Kinds.borrows(T);
  V.Class = classOf(R, Kinds);
  V.Identity = 1;
  V.IsCaptured = All[Pointer].IsCaptured;
  V.DeclaredIn = All[Pointer].DeclaredIn;
  All.push_back(std::move(V));
  return Members[{Pointer, nullptr}] = All.size() - 1;
}

VarId VariableTable::unknownObject() {
  if (Anything == NoId) {
    Anything = All.size();
    Variable V;
    V.IsMember = V.IsPointee = true;
    All.push_back(std::move(V));
  }
  return Anything;
}

bool VariableTable::isStable(VarId V) const {
  for (; V != NoId && V != ThisBase; V = All[V].Base)
    if (All[V].IsPointee && !FixedPointers.count(All[V].Base))
      return false;
  return true;
}
