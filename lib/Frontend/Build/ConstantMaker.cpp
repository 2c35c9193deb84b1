//===- ConstantMaker.cpp - what is known when compiling -------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Build/ConstantMaker.h"
#include "Frontend/Ast/Code.h"
#include "Frontend/Ast/Types.h"
#include "Frontend/Build/FunctionBuilder.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;
using llvm::StringRef;

StringRef ConstantMaker::symbolName(QualType T, const llvm::APSInt &I) {
  const auto *Enum = T->getAs<EnumType>();
  if (!Enum)
    return "";
  for (const EnumConstantDecl *C : Enum->getDecl()->enumerators())
    if (llvm::APSInt::isSameValue(C->getInitVal(), I)) {
      const StringRef Text =
          Kinds.model().symbol(Kinds.name(*Enum->getDecl()), C->getName());
      return Text.empty() ? C->getName() : Text;
    }
  return "";
}

/// `std::numeric_limits<int>::max()`
static bool isConstantCall(const Expr *E) {
  const auto *C = dyn_cast<CallExpr>(E);
  const FunctionDecl *F =
      C && !C->getNumArgs() && !isa<CXXMemberCallExpr, CXXOperatorCallExpr>(C)
          ? C->getDirectCallee()
          : nullptr;
  return F && F->isConstexpr();
}

/// `torch::kNone`, of a class that stands for it: the class is listed as an
/// enumerator of its namespace would be.
bool ConstantMaker::tag(const Expr &E, ValueId &Result) {
  const auto *R = dyn_cast<DeclRefExpr>(&E);
  const auto *V = R ? dyn_cast<VarDecl>(R->getDecl()) : nullptr;
  const CXXRecordDecl *Class = V ? V->getType()->getAsCXXRecordDecl() : nullptr;
  const auto *Around =
      Class ? dyn_cast<NamespaceDecl>(Class->getDeclContext()) : nullptr;
  const StringRef Text =
      Around && V->hasGlobalStorage()
          ? Kinds.model().symbol(Kinds.name(*Around), Class->getName())
          : StringRef();
  if (!Text.empty())
    Result = Build.constText(ConstKind::Symbol, Text, &E);
  return !Text.empty();
}

static bool isConstexpr(const Expr *E) {
  const auto *R = dyn_cast<DeclRefExpr>(E);
  const auto *V = R ? dyn_cast<VarDecl>(R->getDecl()) : nullptr;
  return V && V->isConstexpr();
}

/// `-1e9f`, `std::numeric_limits<float>::lowest()`, a constexpr variable.
bool ConstantMaker::real(const Expr &E, ValueId &Result) {
  const auto *Minus = dyn_cast<UnaryOperator>(&E);
  const Expr *Inner = Minus ? strip(Minus->getSubExpr()) : &E;
  const auto *Call = dyn_cast<CallExpr>(Inner); // INFINITY
  const bool IsKnown = isConstantCall(Inner) || isConstexpr(Inner) ||
                       (Call && Call->getBuiltinCallee());
  if (Minus ? Minus->getOpcode() != UO_Minus ||
                  !(isa<FloatingLiteral>(Inner) || IsKnown)
            : !IsKnown)
    return false;
  llvm::APFloat Is(0.0);
  if (E.isValueDependent() || !E.EvaluateAsFloat(Is, Context))
    return false;
  llvm::SmallString<16> Text;
  shortest(Is, Text);
  Result = Build.constText(ConstKind::Float, Text, &E);
  return true;
}

bool ConstantMaker::known(const Expr *E, ValueId &Result) {
  if (tag(*E, Result))
    return true;
  if (E->getType()->isRealFloatingType())
    return real(*E, Result);
  QualType T = E->getType();
  if (E->isValueDependent() || !T->isIntegralOrEnumerationType())
    return false;
  const ValueDecl *D = nullptr;
  if (const auto *R = dyn_cast<DeclRefExpr>(E))
    D = R->getDecl();
  else if (const auto *M = dyn_cast<MemberExpr>(E))
    D = M->getMemberDecl();
  if (D) {
    const auto *V = dyn_cast<VarDecl>(D);
    if (!isa<EnumConstantDecl>(D) &&
        !(V && V->getType().isConstQualified() && V->getAnyInitializer()))
      return false;
    if (V && isa<ParmVarDecl>(V))
      return false;
  } else if (const auto *U = dyn_cast<UnaryOperator>(E)) {
    if (U->getOpcode() != UO_Minus ||
        !isa<IntegerLiteral>(strip(U->getSubExpr())))
      return false;
  } else if (!isa<IntegerLiteral, CXXBoolLiteralExpr, CharacterLiteral,
                  UnaryExprOrTypeTraitExpr, TypeTraitExpr, CXXNoexceptExpr,
                  SizeOfPackExpr>(E) &&
             !isConstantCall(E)) {
    return false;
  }
  Expr::EvalResult R;
  if (!E->EvaluateAsInt(R, Context) || R.HasSideEffects)
    return false;
  const llvm::APSInt &I = R.Val.getInt();
  // In C an enumerator is an int.
  if (const auto *C = dyn_cast_or_null<EnumConstantDecl>(D))
    T = Context.getTypeDeclType(cast<TypeDecl>(C->getDeclContext()));
  if (T->isBooleanType()) {
    Result = Build.constBool(I.getBoolValue(), E);
    return true;
  }
  if (Kinds.kind(T) == Kind::Symbol) {
    const StringRef Name = symbolName(T, I);
    if (!Name.empty())
      Result = Build.constText(ConstKind::Symbol, Name, E);
    return !Name.empty();
  }
  if (!I.isRepresentableByInt64())
    return false;
  Result = Build.constInt(I.getExtValue(), E,
                          !isa<IntegerLiteral, UnaryOperator>(E));
  return true;
}

ValueId ConstantMaker::given(const ApiConstant &K, const Expr *E) {
  if (K.Kind == ConstKind::Symbol)
    return Build.constText(ConstKind::Symbol, K.Text, E);
  if (K.Kind == ConstKind::Bool)
    return Build.constBool(K.Ints[0], E);
  if (K.Kind != ConstKind::None)
    return Build.constInt(K.Ints[0], E);
  llvm::SmallVector<ValueId, 4> Ints;
  for (int64_t I : K.Ints)
    Ints.push_back(Build.constInt(I, E));
  return Build.emitValue(Op::List, E, Ints);
}

ValueId ConstantMaker::argument(const TemplateArgument &A, const Expr *At) {
  if (A.getKind() == TemplateArgument::Integral)
    return Build.constInt(A.getAsIntegral().getExtValue(), At);
  StringRef Name = A.getKind() == TemplateArgument::Type
                       ? elementName(A.getAsType())
                       : StringRef();
  return Name.empty() ? 0 : Build.constText(ConstKind::Symbol, Name, At);
}
