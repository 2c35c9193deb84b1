//===- ExpressionLowering.cpp - expressions that are not calls ------------===//
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

/// Whether an expression of integer type is a condition that was cast, as in
/// `__builtin_expect(!!(c), 0)`.
static bool isCondition(const Expr *E) {
  E = E->IgnoreParenCasts();
  if (E->getType()->isBooleanType())
    return true;
  const auto *C = dyn_cast<CallExpr>(E);
  const FunctionDecl *F = C ? C->getDirectCallee() : nullptr;
  return F && F->getIdentifier() && C->getNumArgs() &&
         F->getName().starts_with("__builtin_expect") &&
         isCondition(C->getArg(0));
}

/// Drops what does not change the value a tensor program sees.
const Expr *Lowering::strip(const Expr *E) {
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

std::string Lowering::derefName(const Expr *Pointer) {
  const auto *R = dyn_cast<DeclRefExpr>(strip(Pointer));
  return R ? "*" + R->getNameInfo().getAsString() : "*";
}

ValueId Lowering::val(const Expr *E) {
  E = strip(E);
  auto It = Values.find(E);
  if (It != Values.end())
    return It->second;
  ValueId V = lowerExpr(E);
  Values[E] = V;
  // A number of unknown value is still no tensor: broadcasting needs to know.
  auto &Stmts = Out.Blocks[Here].Stmts;
  if (V && !Stmts.empty() && Stmts.back().Result == V &&
      (Stmts.back().isOpaque() || Stmts.back().O == Op::Load ||
       Stmts.back().O == Op::ListGet))
    Stmts.back().IsScalar =
        Stmts.back().IsScalar || E->getType()->isFloatingType() ||
        (isa<BinaryOperator, UnaryOperator>(E) && // built in: no code runs
         E->getType()->isArithmeticType()) ||
        (E->getType()->isRecordType() &&
         llvm::StringRef(Kinds.name(*E->getType()->getAsRecordDecl()))
             .ends_with("::Scalar"));
  return V;
}

ValueId Lowering::asBool(const Expr *E) {
  ValueId V = val(E);
  Kind K = Kinds.kind(strip(E)->getType());
  if (K == Kind::Int && !isCondition(E))
    return emitValue(Op::CmpNe, E, {V, constInt(0, E)});
  return V;
}

/// What the enumerator \p I of \p T is called in models; empty for others.
StringRef Lowering::symbolName(QualType T, const llvm::APSInt &I) {
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

/// Integers, bools and listed enumerators that are known when compiling.
bool Lowering::constant(const Expr *E, ValueId &Result) {
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
                  SizeOfPackExpr>(E)) {
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
    Result = constBool(I.getBoolValue(), E);
    return true;
  }
  if (Kinds.kind(T) == Kind::Symbol) {
    const StringRef Name = symbolName(T, I);
    if (!Name.empty())
      Result = constText(ConstKind::Symbol, Name, E);
    return !Name.empty();
  }
  if (!I.isRepresentableByInt64())
    return false;
  Result = constInt(I.getExtValue(), E);
  return true;
}

/// `t->field` of a tensor that is a pointer.
const MemberExpr *Lowering::tensorField(const Expr *E,
                                        llvm::StringRef Name) const {
  const auto *M = dyn_cast<MemberExpr>(strip(E));
  return M && M->getMemberDecl()->getName() == Name && M->isArrow() &&
                 Kinds.isPointerTensor(M->getBase()->getType())
             ? M
             : nullptr;
}

/// What the fields of a ggml_tensor mean.
bool Lowering::lowerTensorField(const Expr *E, ValueId &Out) {
  auto Ask = [&](Op O, const MemberExpr &M, ValueId Dim) {
    ValueId Self = val(M.getBase());
    program::Stmt &S = emit(O, E);
    S.Text = M.getMemberDecl()->getName().str();
    S.Args.push_back({"self", Self, Role::Read, NoId});
    if (Dim)
      S.Args.push_back({"dim", Dim, Role::Read, NoId});
    return result(S);
  };
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
    for (auto [Name, O] : {std::pair("ne", Op::GgmlNe), {"nb", Op::GgmlNb}})
      if (const MemberExpr *M = tensorField(A->getBase(), Name)) {
        ValueId Dim = val(A->getIdx());
        Out = Ask(O, *M, Dim);
        return true;
      }
  for (auto [Name, O] : {std::pair("ne", Op::GgmlNe), {"nb", Op::GgmlNb}})
    if (const MemberExpr *M = tensorField(E, Name)) {
      llvm::SmallVector<ValueId, 4> All;
      for (int I = 0; I < 4; ++I)
        All.push_back(Ask(O, *M, constInt(I, E)));
      Out = emitValue(Op::List, E, All);
      return true;
    }
  if (const MemberExpr *M = tensorField(E, "type")) {
    Out = Ask(Op::DTypeOf, *M, 0);
    return true;
  }
  if (const MemberExpr *M = tensorField(E, "data")) {
    Out = Ask(Op::DataPtr, *M, 0);
    return true;
  }
  return false;
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

/// "layers[il].wq", as the code has it where that is short.
static std::string pathText(const Expr &Of) {
  const Expr *E = Of.IgnoreParenImpCasts();
  if (const auto *R = dyn_cast<DeclRefExpr>(E))
    return R->getDecl()->getName().str();
  if (const auto *I = dyn_cast<IntegerLiteral>(E))
    return std::to_string(I->getValue().getSExtValue());
  if (const auto *M = dyn_cast<MemberExpr>(E)) {
    std::string Name = M->getMemberDecl()->getName().str();
    if (isa<CXXThisExpr>(M->getBase()->IgnoreParenImpCasts()))
      return Name;
    const std::string Base = pathText(*M->getBase());
    return Base.empty() || Name.empty()
               ? ""
               : Base + (M->isArrow() ? "->" : ".") + Name;
  }
  const Expr *Base = nullptr, *Index = nullptr;
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
    Base = A->getBase();
    Index = A->getIdx();
  } else if (const auto *C = dyn_cast<CXXOperatorCallExpr>(E);
             C && C->getOperator() == OO_Subscript && C->getNumArgs() == 2) {
    Base = C->getArg(0);
    Index = C->getArg(1);
  }
  if (!Base)
    return "";
  const std::string List = pathText(*Base), At = pathText(*Index);
  return List.empty() || At.empty() ? "" : List + "[" + At + "]";
}

/// What a field that nothing is known of is called: with a point in it.
static std::string fieldText(const MemberExpr &M) {
  constexpr size_t Longest = 40;
  const std::string Path = pathText(M);
  return llvm::StringRef(Path).contains('.') && Path.size() <= Longest
             ? Path
             : "." + M.getMemberDecl()->getName().str();
}

ValueId Lowering::lowerExpr(const Expr *E) {
  ValueId V = 0;
  if (constant(E, V))
    return V;
  if (Kinds.kind(E->getType()) == Kind::None)
    return constNone(E);
  if (lowerTensorField(E, V))
    return V;
  if (isa<DeclRefExpr, MemberExpr>(E)) {
    if (InConstructor)
      if (const ValueId Known = inConstructor(*E))
        return Known;
    if (const auto *M = dyn_cast<MemberExpr>(E)) {
      if (const ValueId Field = madeField(*M))
        return Field;
      if (const ValueId Weight = moduleWeight(*M))
        return Weight;
    }
    if (Place P = place(E); P && P.Exact)
      return read(P.Var, E->getType(), E);
    if (Kinds.kind(E->getType()) == Kind::Ellipsis)
      return result(emit(Op::EllipsisIdx, E));
    if (const auto *M = dyn_cast<MemberExpr>(E)) {
      if (const ValueId Field = fieldOf(*M)) {
        program::Stmt &Last = Out.Blocks[Here].Stmts.back();
        if (Last.O == Op::ListGet && Last.Result == Field &&
            isTensorish(E->getType()))
          Last.Text = fieldText(*M);
        return Field;
      }
      if (isa<FieldDecl>(M->getMemberDecl()) &&
          !isa<CXXThisExpr>(strip(M->getBase())))
        return emitOther(Op::Field,
                         isTensorish(E->getType())
                             ? fieldText(*M)
                             : M->getMemberDecl()->getName().str(),
                         E, val(M->getBase()));
    }
    if (const auto *R = dyn_cast<DeclRefExpr>(E);
        R && isa<FunctionDecl>(R->getDecl()))
      return emitOther(Op::FunctionRef, "", E, {});
    return emitOther(Op::Unknown, "", E, {});
  }
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    return lowerUnary(*U);
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return lowerBinary(*B);
  if (const auto *C = dyn_cast<CXXOperatorCallExpr>(E);
      C && C->getOperator() == OO_Star && C->getNumArgs() == 1)
    if (Place P = pointee(C->getArg(0)); P && P.Exact)
      return read(P.Var, E->getType(), E);
  if (const auto *C = dyn_cast<CXXOperatorCallExpr>(E);
      C && C->getNumArgs() == 2 && Kinds.isPointerClass(E->getType()) &&
      (C->getOperator() == OO_Plus || C->getOperator() == OO_Minus)) {
    const ValueId A = val(C->getArg(0)), B = val(C->getArg(1));
    const Op O = C->getOperator() == OO_Plus ? Op::Plus : Op::Minus;
    return derives(
        emitOther(O, getOperatorSpelling(C->getOperator()), E, {A, B}),
        E->getType());
  }
  if (const auto *C = dyn_cast<CallExpr>(E))
    return lowerCall(*C);
  if (const auto *C = dyn_cast<CXXConstructExpr>(E))
    return lowerConstruct(*C);
  if (const auto *I = dyn_cast<InitListExpr>(E))
    return lowerInitList(*I);
  if (const auto *L = dyn_cast<LambdaExpr>(E))
    return lowerLambda(*L);
  if (const auto *C = dyn_cast<ConditionalOperator>(E)) {
    bool Known;
    if (!C->getCond()->isValueDependent() &&
        C->getCond()->EvaluateAsBooleanCondition(Known, Context))
      return val(Known ? C->getTrueExpr() : C->getFalseExpr());
    ValueId A = val(C->getTrueExpr()), B = val(C->getFalseExpr());
    return emitValue(Op::Phi, E, {A, B});
  }
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
    if (Place P = place(A->getBase());
        P && Out.Vars[P.Var].Type == VarType::List && P.Exact) {
      ValueId L = load(P.Var, A->getBase()), I = val(A->getIdx());
      return derives(emitValue(Op::ListGet, E, {L, I}), E->getType());
    }
    ValueId Base = val(A->getBase()), I = val(A->getIdx());
    return emitOther(Op::Element, "", E, {Base, I});
  }
  if (const auto *F = dyn_cast<FloatingLiteral>(E)) {
    llvm::SmallString<16> Text;
    shortest(F->getValue(), Text);
    return constText(ConstKind::Float, Text, E);
  }
  if (const auto *S = dyn_cast<clang::StringLiteral>(E);
      S && S->getCharByteWidth() == 1)
    return constText(ConstKind::String, S->getString(), E);
  if (isa<CXXNullPtrLiteralExpr, GNUNullExpr>(E))
    return constNone(E);
  if (isa<ImplicitValueInitExpr, CXXScalarValueInitExpr>(E)) {
    Kind K = Kinds.kind(E->getType());
    if (K == Kind::Bool)
      return constBool(false, E);
    if (K == Kind::List || K == Kind::Other)
      return emitOther(Op::Unknown, "", E, {});
    return K == Kind::Int ? constInt(0, E) : constNone(E);
  }
  if (const auto *T = dyn_cast<CXXThrowExpr>(E)) {
    if (T->getSubExpr())
      val(T->getSubExpr());
    if (Scan.HasTry)
      return constNone(E); // the CFG's edge says where it leads
    emit(Op::Throw, E);
    return 0;
  }
  if (const auto *C = dyn_cast<CastExpr>(E);
      C && C->getCastKind() == CK_PointerToBoolean &&
      Kinds.isPointerTensor(C->getSubExpr()->getType()))
    return isDefined(C->getSubExpr(), E);
  if (const auto *C = dyn_cast<CastExpr>(E);
      C && C->getCastKind() == CK_IntegralToBoolean)
    return asBool(C->getSubExpr());
  return lowerOther(*E);
}

/// Anything else depends on its operands and is not known.
ValueId Lowering::lowerOther(const Expr &E) {
  llvm::SmallVector<ValueId, 4> Reads;
  for (const clang::Stmt *Child : E.children())
    if (const auto *C = dyn_cast_or_null<Expr>(Child))
      if (!isa<CXXThisExpr>(strip(C)) && Kinds.kind(C->getType()) != Kind::Void)
        Reads.push_back(val(C));
  const auto *Cast = dyn_cast<CastExpr>(&E);
  const ValueId V = emitOther(Cast                    ? Op::Cast
                              : isa<CXXNewExpr>(E)    ? Op::New
                              : isa<CXXDeleteExpr>(E) ? Op::Delete
                                                      : Op::Expression,
                              "", &E, Reads);
  Out.Blocks[Here].Stmts.back().Derives =
      isAddress(&E) || (Cast && Cast->getCastKind() == CK_IntegralToPointer);
  return V;
}

static bool isArithmetic(BinaryOperatorKind O, Op &Result) {
  switch (O) {
  case BO_Add:
    Result = Op::IAdd;
    return true;
  case BO_Sub:
    Result = Op::ISub;
    return true;
  case BO_Mul:
    Result = Op::IMul;
    return true;
  case BO_Div:
    Result = Op::IDiv;
    return true;
  case BO_Rem:
    Result = Op::IMod;
    return true;
  default:
    return false;
  }
}

static bool isComparison(BinaryOperatorKind O, Op &Result) {
  switch (O) {
  case BO_EQ:
    Result = Op::CmpEq;
    return true;
  case BO_NE:
    Result = Op::CmpNe;
    return true;
  case BO_LT:
    Result = Op::CmpLt;
    return true;
  case BO_LE:
    Result = Op::CmpLe;
    return true;
  case BO_GT:
    Result = Op::CmpGt;
    return true;
  case BO_GE:
    Result = Op::CmpGe;
    return true;
  default:
    return false;
  }
}

/// What an operator is called where its operands are no integers.
static Op operation(BinaryOperatorKind O) {
  switch (O) {
  case BO_Add:
    return Op::Plus;
  case BO_Sub:
    return Op::Minus;
  case BO_Mul:
    return Op::Times;
  case BO_Div:
    return Op::Divide;
  default:
    return BinaryOperator::isComparisonOp(O) ? Op::Compare : Op::Operator;
  }
}

ValueId Lowering::lowerUnary(const UnaryOperator &E) {
  const Expr *Sub = E.getSubExpr();
  Kind K = Kinds.kind(E.getType());
  switch (E.getOpcode()) {
  case UO_Plus:
  case UO_Extension:
    return val(Sub);
  case UO_Minus:
    if (K == Kind::Int)
      return emitValue(Op::INeg, &E, val(Sub));
    return emitOther(Op::Negate, "-", &E, val(Sub));
  case UO_LNot: {
    ValueId V = asBool(Sub);
    return emitValue(Op::Not, &E, V);
  }
  case UO_PreInc:
  case UO_PreDec:
  case UO_PostInc:
  case UO_PostDec: {
    ValueId Old = val(Sub), New;
    if (K == Kind::Int) {
      ValueId One = constInt(1, &E);
      New = emitValue(E.isIncrementOp() ? Op::IAdd : Op::ISub, &E, {Old, One});
    } else {
      New = derives(E.isIncrementOp() ? emitOther(Op::Plus, "++", &E, Old)
                                      : emitOther(Op::Minus, "--", &E, Old),
                    E.getType());
    }
    storeTo(place(Sub), New, &E);
    return E.isPrefix() ? New : Old;
  }
  case UO_AddrOf:
    if (isa<DeclRefExpr>(strip(Sub)) &&
        !isa<VarDecl>(cast<DeclRefExpr>(strip(Sub))->getDecl()))
      return emitOther(Op::AddressOf, "&", &E, {});
    if (const ValueId Address = addressOf(Sub, &E))
      return Address;
    return emitOther(Op::AddressOf, "&", &E, val(Sub));
  case UO_Deref:
    if (isa<CXXThisExpr>(strip(Sub)))
      return emitOther(Op::Deref, "*this", &E, {});
    if (Place P = pointee(Sub); P && P.Exact)
      return read(P.Var, E.getType(), &E);
    return emitOther(Op::Deref, derefName(Sub), &E, val(Sub));
  default:
    return lowerOther(E);
  }
}

/// `&p[i]`, which is p + i, of a pointer, an accessor or a span; 0 for the
/// address of anything else.
ValueId Lowering::addressOf(const Expr *E, const Expr *At) {
  E = strip(E);
  const Expr *Base = nullptr, *Index = nullptr;
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E);
      A && A->getBase()->IgnoreParenCasts()->getType()->isPointerType()) {
    Base = A->getBase();
    Index = A->getIdx();
  } else if (const auto *C = dyn_cast<CXXOperatorCallExpr>(E);
             C && C->getOperator() == OO_Subscript && C->getNumArgs() == 2 &&
             E->isGLValue() && Kinds.borrows(C->getArg(0)->getType())) {
    Base = C->getArg(0);
    Index = C->getArg(1);
  } else if (const auto *U = dyn_cast<UnaryOperator>(E);
             U && U->getOpcode() == UO_Deref &&
             E->getType()->isArithmeticType()) {
    Base = U->getSubExpr();
  }
  if (!Base || isTensorish(E->getType()))
    return 0;
  const ValueId Pointer = val(Base), I = Index ? val(Index) : 0;
  emitOther(Op::AddressOf, "&", At, {Pointer, I});
  program::Stmt &S = Out.Blocks[Here].Stmts.back();
  S.Derives = true;
  return S.Result;
}

/// `reinterpret_cast<uintptr_t>(p)`
bool Lowering::isAddress(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  const auto *C = dyn_cast<CastExpr>(E);
  return C && C->getCastKind() == CK_PointerToIntegral &&
         Kinds.borrows(C->getSubExpr()->getType());
}

/// Whether a pointer to a tensor is not null.
ValueId Lowering::isDefined(const Expr *Tensor, const Expr *At) {
  ValueId Self = val(Tensor);
  program::Stmt &S = emit(Op::Defined, At);
  S.Args.push_back({"self", Self, Role::Read, NoId});
  return result(S);
}

ValueId Lowering::lowerBinary(const BinaryOperator &E) {
  const Expr *L = E.getLHS(), *R = E.getRHS();
  BinaryOperatorKind Code = E.getOpcode();
  Op O;
  if (Code == BO_Assign) {
    ValueId V = val(R);
    assign(L, V, &E);
    return V;
  }
  if (const auto *C = dyn_cast<CompoundAssignOperator>(&E)) {
    ValueId Old = val(L), Operand = val(R), New;
    if (Kinds.kind(L->getType()) == Kind::Int &&
        Kinds.kind(C->getComputationResultType()) == Kind::Int &&
        isArithmetic(BinaryOperator::getOpForCompoundAssignment(Code), O))
      New = emitValue(O, &E, {Old, Operand});
    else
      New = derives(
          emitOther(operation(BinaryOperator::getOpForCompoundAssignment(Code)),
                    E.getOpcodeStr(), &E, {Old, Operand}),
          L->getType());
    assign(L, New, &E);
    return New;
  }
  if (Code == BO_Comma) {
    val(L);
    return val(R);
  }
  if (Code == BO_LAnd || Code == BO_LOr) {
    ValueId A = asBool(L), B = asBool(R);
    return emitValue(Code == BO_LAnd ? Op::And : Op::Or, &E, {A, B});
  }
  if (Code == BO_EQ || Code == BO_NE)
    for (auto [X, Null] : {std::pair(L, R), std::pair(R, L)})
      if (Kinds.isPointerTensor(X->getType()) &&
          Null->isNullPointerConstant(Context, Expr::NPC_NeverValueDependent)) {
        ValueId D = isDefined(X, &E);
        return Code == BO_NE ? D : emitValue(Op::Not, &E, D);
      }
  ValueId A = val(L), B = val(R);
  if (isArithmetic(Code, O) && Kinds.kind(E.getType()) == Kind::Int)
    return emitValue(O, &E, {A, B});
  auto Comparable = [&](const Expr *X) {
    Kind K = Kinds.kind(X->getType());
    // An integer compared as a floating-point number has been cast already.
    return K == Kind::Int || K == Kind::Bool || K == Kind::Symbol;
  };
  if (isComparison(Code, O) && Comparable(L) && Comparable(R))
    return emitValue(O, &E, {A, B});
  return derives(emitOther(operation(Code), E.getOpcodeStr(), &E, {A, B}),
                 E.getType());
}
