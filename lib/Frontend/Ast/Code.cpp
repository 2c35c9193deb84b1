//===- Code.cpp - questions that code answers by itself -------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Ast/Code.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;
using llvm::StringRef;

bool frontend::isCondition(const Expr *E) {
  E = E->IgnoreParenCasts();
  if (E->getType()->isBooleanType())
    return true;
  const auto *C = dyn_cast<CallExpr>(E);
  const FunctionDecl *F = C ? C->getDirectCallee() : nullptr;
  return F && F->getIdentifier() && C->getNumArgs() &&
         F->getName().starts_with("__builtin_expect") &&
         isCondition(C->getArg(0));
}

Attributes frontend::saidOf(const FunctionDecl *F, Types &Kinds) {
  if (!F)
    return {};
  Attributes All = Kinds.attributes(F->getDeclName().getAsString(), false);
  All |= Kinds.model().attributesOf(Kinds.name(*F), false);
  return All;
}

Attributes frontend::saidOfClass(const CXXRecordDecl *R, Types &Kinds) {
  if (!R)
    return {};
  Attributes All = Kinds.attributes(R->getName(), false);
  All |= Kinds.model().attributesOf(Kinds.name(*R), false);
  return All;
}

const ValueDecl *frontend::namedBy(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  if (const auto *R = dyn_cast<DeclRefExpr>(E))
    return R->getDecl();
  if (const auto *M = dyn_cast<MemberExpr>(E))
    return M->getMemberDecl();
  return nullptr;
}

const Expr *frontend::copied(const Expr *E) {
  E = strip(E);
  if (const auto *C = dyn_cast<CXXConstructExpr>(E);
      C && C->getConstructor()->isCopyOrMoveConstructor())
    E = strip(C->getArg(0));
  if (const auto *C = dyn_cast<CallExpr>(E);
      C && C->isCallToStdMove() && C->getNumArgs() == 1)
    E = strip(C->getArg(0));
  return E;
}

const Expr *frontend::strip(const Expr *E) {
  while (true) {
    if (const auto *P = dyn_cast<ParenExpr>(E))
      E = P->getSubExpr();
    else if (const auto *F = dyn_cast<FullExpr>(E))
      E = F->getSubExpr();
    else if (const auto *M = dyn_cast<MaterializeTemporaryExpr>(E))
      E = M->getSubExpr();
    else if (const auto *B = dyn_cast<CXXBindTemporaryExpr>(E))
      E = B->getSubExpr();
    else if (const auto *S = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
      E = S->getReplacement();
    else if (const auto *S = dyn_cast<CXXStdInitializerListExpr>(E))
      E = S->getSubExpr();
    else if (const auto *D = dyn_cast<CXXDefaultInitExpr>(E))
      E = D->getExpr();
    else if (const auto *C = dyn_cast<CastExpr>(E)) {
      switch (C->getCastKind()) {
      case CK_LValueToRValue:
      case CK_NoOp:
      case CK_DerivedToBase:
      case CK_UncheckedDerivedToBase:
      case CK_BaseToDerived:
      case CK_ConstructorConversion:
      case CK_UserDefinedConversion:
      case CK_ArrayToPointerDecay:
      case CK_FunctionToPointerDecay:
      case CK_IntegralCast:
      case CK_BooleanToSignedIntegral:
      case CK_NullToPointer:
      case CK_IntegralToFloating:
      case CK_FloatingCast:
      case CK_BitCast:
      case CK_LValueBitCast:
        E = C->getSubExpr();
        continue;
      case CK_IntegralToBoolean:
        if (!isCondition(C->getSubExpr()))
          return E;
        E = C->getSubExpr();
        continue;
      default:
        return E;
      }
    } else
      return E;
  }
}

std::string frontend::derefName(const Expr *Pointer) {
  const auto *R = dyn_cast<DeclRefExpr>(strip(Pointer));
  return R ? "*" + R->getNameInfo().getAsString() : "*";
}

const Expr *frontend::arrowObject(const Expr *E) {
  const auto *Arrow = dyn_cast<CXXOperatorCallExpr>(E->IgnoreParenImpCasts());
  return Arrow && Arrow->getOperator() == OO_Arrow ? Arrow->getArg(0) : E;
}

bool frontend::isAddress(const Expr *E, Types &Kinds) {
  E = E->IgnoreParenImpCasts();
  const auto *C = dyn_cast<CastExpr>(E);
  return C && C->getCastKind() == CK_PointerToIntegral &&
         Kinds.borrows(C->getSubExpr()->getType());
}

StringRef frontend::dtypeOf(QualType T) {
  const auto *B = T->getAs<BuiltinType>();
  switch (B ? B->getKind() : BuiltinType::Void) {
  case BuiltinType::Float:
    return "float32";
  case BuiltinType::Double:
    return "float64";
  case BuiltinType::Bool:
    return "bool";
  case BuiltinType::UChar:
    return "uint8";
  case BuiltinType::SChar:
    return "int8";
  case BuiltinType::Short:
    return "int16";
  case BuiltinType::UShort:
    return "uint16";
  case BuiltinType::Int:
    return "int32";
  case BuiltinType::UInt:
    return "uint32";
  case BuiltinType::Long:
  case BuiltinType::LongLong:
    return "int64";
  case BuiltinType::ULong:
  case BuiltinType::ULongLong:
    return "uint64";
  default:
    return "";
  }
}

StringRef frontend::elementName(QualType T) {
  T = T.getCanonicalType().getUnqualifiedType();
  if (const auto *R = T->getAsCXXRecordDecl()) {
    if (R->getName() == "complex")
      if (const auto *S = dyn_cast<ClassTemplateSpecializationDecl>(R))
        return llvm::StringSwitch<StringRef>(
                   elementName(S->getTemplateArgs()[0].getAsType()))
            .Case("float32", "complex64")
            .Case("float64", "complex128")
            .Default("");
    return llvm::StringSwitch<StringRef>(R->getName())
        .Case("Half", "float16")
        .Case("BFloat16", "bfloat16")
        .Default("");
  }
  return dtypeOf(T);
}

QualType frontend::pointee(QualType T) {
  T = T->isPointerType() ? T->getPointeeType()
                         : QualType(T->getArrayElementTypeNoTypeQual(), 0);
  for (;;) {
    T = QualType(T->getBaseElementTypeUnsafe(), 0);
    const auto *S = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
        T->getAsCXXRecordDecl());
    if (!S || !S->isInStdNamespace() || S->getName() != "array")
      return T;
    T = S->getTemplateArgs().get(0).getAsType().getCanonicalType();
  }
}

uint32_t frontend::unitBehind(const ASTContext &Context, const Expr &Pointer) {
  const Expr *E = Pointer.IgnoreParenImpCasts();
  for (;;) {
    const QualType T = E->getType();
    if (!T->isPointerType() && !T->isArrayType())
      return 0;
    const QualType Of = pointee(T);
    const auto *Cast = dyn_cast<ExplicitCastExpr>(E);
    if (!Cast || !(Of->isVoidType() || Of->isAnyCharacterType()))
      return Of->isAnyCharacterType() ? 1
             : elementName(Of).empty()
                 ? 0
                 : static_cast<uint32_t>(
                       Context.getTypeSizeInChars(Of).getQuantity());
    E = Cast->getSubExpr()->IgnoreParenImpCasts();
  }
}

const FunctionDecl *frontend::visibleBody(const FunctionDecl &F) {
  const FunctionDecl *Definition = nullptr;
  // A default constructor initialises fields whoever writes it.
  const auto *Ctor = dyn_cast<CXXConstructorDecl>(&F);
  const bool Initialises = Ctor && Ctor->isDefaultConstructor();
  return F.hasBody(Definition) && !Definition->isDependentContext() &&
                 !Definition->isVariadic() &&
                 (!Definition->isDefaulted() || Initialises) &&
                 !Definition->hasSkippedBody() &&
                 !Definition->hasAttr<WeakAttr>() &&
                 !F.getASTContext().getSourceManager().isInSystemHeader(
                     Definition->getLocation())
             ? Definition
             : nullptr;
}

const CXXMethodDecl *frontend::forwardOf(const CXXRecordDecl &Module) {
  const CXXMethodDecl *Forward = nullptr;
  for (const CXXMethodDecl *M : Module.methods())
    if (M->getIdentifier() && M->getName() == "forward") {
      if (Forward)
        return nullptr;
      Forward = M;
    }
  return Forward && !Forward->isVirtual() ? Forward : nullptr;
}

void frontend::shortest(const llvm::APFloat &F,
                        llvm::SmallVectorImpl<char> &Text) {
  constexpr unsigned Most = 17; // of a double
  for (unsigned Digits = 1; Digits <= Most; ++Digits) {
    Text.clear();
    F.toString(Text, Digits);
    if (llvm::APFloat(F.getSemantics(), StringRef(Text.data(), Text.size()))
            .bitwiseIsEqual(F))
      return;
  }
}
