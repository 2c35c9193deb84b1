//===- LowerExpr.cpp - expressions that are not calls ---------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Lowering.h"

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

//===----------------------------------------------------------------------===//
// Places and assignment
//===----------------------------------------------------------------------===//

Place Lowering::place(const Expr *E) {
  E = strip(E);
  if (const auto *R = dyn_cast<DeclRefExpr>(E)) {
    const ValueDecl *D = R->getDecl();
    auto A = Aliases.find(D);
    if (A != Aliases.end())
      return A->second;
    if (const auto *B = dyn_cast<BindingDecl>(D))
      return {varFor(*B)};
    if (const auto *V = dyn_cast<VarDecl>(D)) {
      if (Kinds.kind(V->getType()) == Kind::Ellipsis)
        return {};
      return {varFor(*V)};
    }
    return {};
  }
  if (const auto *M = dyn_cast<MemberExpr>(E)) {
    const ValueDecl *D = M->getMemberDecl();
    if (const auto *V = dyn_cast<VarDecl>(D))
      return {varFor(*V)};
    if (!isa<FieldDecl>(D))
      return {};
    const Expr *Base = strip(M->getBase());
    if (const auto *U = dyn_cast<UnaryOperator>(Base);
        U && U->getOpcode() == UO_Deref)
      if (const Expr *Object = strip(U->getSubExpr()); isa<CXXThisExpr>(Object))
        Base = Object;
    if (const auto *This = dyn_cast<CXXThisExpr>(Base))
      return {memberVar(ThisBase, *D, !This->isImplicit())};
    if (M->isArrow()) {
      Place P = pointee(Base);
      return P && P.Exact ? Place{memberVar(P.Var, *D)} : Place();
    }
    Place P = place(Base);
    if (!P)
      return {};
    // A field of an element is somewhere inside the container.
    return P.Exact && Kinds.kind(Base->getType()) != Kind::List
               ? Place{memberVar(P.Var, *D)}
               : Place{P.Var, false};
  }
  if (auto Made = MadeBy.find(E); Made != MadeBy.end())
    return {Made->second};
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
    Place P = place(A->getBase());
    // p[i]: any object that p may point to.
    if (P && P.Exact && strip(A->getBase())->getType()->isPointerType())
      if (const VarId V = pointeeVar(P.Var, A->getType()); V != NoId)
        return {V, false};
    P.Exact = false;
    return P;
  }
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    return U->getOpcode() == UO_Deref ? pointee(U->getSubExpr()) : Place();
  if (const auto *C = dyn_cast<CallExpr>(E)) {
    CallSite S = callSite(*C);
    if (!S.Callee)
      return {};
    if (S.Object && S.Name == "operator*")
      if (Place P = pointee(S.Object))
        return P;
    if (S.Object && Kinds.isWrapper(S.Object->getType()) &&
        (S.Name == "operator*" || S.Name == "operator->" || S.Name == "value"))
      return place(S.Object);
    if (S.Object &&
        (Kinds.kind(S.Object->getType()) == Kind::List ||
         Kinds.isContainer(S.Object->getType())) &&
        (S.Name == "operator[]" || S.Name == "at" || S.Name == "back" ||
         S.Name == "front" || S.Name == "top")) {
      Place P = place(S.Object);
      P.Exact = false;
      return P;
    }
    // In-place methods return the tensor they were called on.
    if (S.Object && Kinds.isPlainTensor(S.Object->getType()) && E->isLValue() &&
        Kinds.isPlainTensor(E->getType()) &&
        (S.IsOperator || llvm::StringRef(S.Name).ends_with("_")))
      return place(S.Object);
    llvm::StringRef N = Kinds.name(*S.Callee);
    if ((N == "std::move" || N == "std::forward" || N == "std::as_const") &&
        S.Args.size() == 1)
      return place(S.Args[0]);
  }
  return {};
}

/// What a smart pointer of type \p T points to; null for other types.
static QualType pointedTo(QualType T, Types &Kinds,
                          const CXXRecordDecl *Module) {
  if (Module)
    return Module->getASTContext().getTypeDeclType(cast<TypeDecl>(Module));
  const auto *R =
      dyn_cast_or_null<ClassTemplateSpecializationDecl>(recordOf(T));
  if (!R)
    return QualType();
  const llvm::StringRef N = Kinds.name(*R);
  if (N != "std::unique_ptr" && N != "std::shared_ptr" &&
      N != "c10::intrusive_ptr")
    return QualType();
  return R->getTemplateArgs()[0].getAsType();
}

/// The object that a raw or smart pointer points to.
Place Lowering::pointee(const Expr *E) {
  E = strip(E);
  if (const auto *U = dyn_cast<UnaryOperator>(E);
      U && U->getOpcode() == UO_AddrOf)
    return place(U->getSubExpr());
  if (const auto *C = dyn_cast<CXXConstructExpr>(E))
    return C->getNumArgs() == 1 &&
                   C->getConstructor()->isCopyOrMoveConstructor()
               ? pointee(C->getArg(0))
               : Place();
  if (const auto *C = dyn_cast<CallExpr>(E); C && C->getNumArgs() <= 1) {
    // p.get(), and the operator of p->.
    const CallSite S = callSite(*C);
    if (S.Object && (S.Name == "operator->" || S.Name == "get")) {
      const QualType T = strip(S.Object)->getType(); // not a base of it
      if (Kinds.isWrapper(T))
        return place(S.Object);
      if (!pointedTo(T, Kinds, moduleImpl(T)).isNull())
        return pointee(S.Object);
    }
  }
  QualType T = E->getType().getNonReferenceType();
  T = T->isPointerType() ? T->getPointeeType()
                         : pointedTo(T, Kinds, moduleImpl(T));
  if (T.isNull() || Kinds.isPointerTensor(E->getType()))
    return {};
  if (const auto *R = dyn_cast<DeclRefExpr>(E))
    if (auto It = PointsTo.find(R->getDecl()); It != PointsTo.end())
      return {It->second};
  const Place P = place(E);
  return P && P.Exact ? Place{pointeeVar(P.Var, T)} : Place();
}

/// \p Element: what is assigned inside of a container, where it has a value.
void Lowering::storeTo(Place P, ValueId V, const Expr *At, ValueId Element) {
  if (!P)
    return;
  if (P.Exact && ElementRefs.count(P.Var)) {
    const ValueId Base = load(P.Var, At);
    program::Stmt &S = emit(Op::StoreElement, At);
    S.IsScalar = true;
    for (ValueId Operand : {Base, ValueId(0), V})
      S.Args.push_back({"", Operand, Role::Read, NoId});
    return;
  }
  if (!P.Exact) {
    program::Stmt &S = emit(Op::Assign, At);
    if (V)
      S.Args.push_back({"", V, Role::Keep, NoId});
    if (Element)
      S.Args.push_back({"element", Element, Role::Read, NoId});
    S.Args.push_back({"", 0, Role::Write, P.Var});
    reaches(Reach::Arguments);
    return;
  }
  write(P.Var, At->getType(), V, At);
}

/// `int n = x.numel();`: 64 bits become 32.
void Lowering::noteNarrowing(const Expr &E, QualType To, ValueId V) {
  QualType From = strip(&E)->getType();
  To = To.getNonReferenceType();
  if (!V || To->isDependentType() || From->isDependentType() ||
      !To->isIntegerType() || !From->isIntegerType() ||
      Context.getTypeSize(To) > 32 || Context.getTypeSize(From) < 64)
    return;
  for (program::Stmt &S : Out.Blocks[Here].Stmts)
    if (S.Result == V)
      S.Narrows = true;
}

/// `p[i] = v` through a raw pointer, an accessor or into a vector says where,
/// too.
void Lowering::storeElement(const Expr *Target, ValueId V, const Expr *At) {
  const Expr *Of = nullptr, *Index = nullptr;
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(Target)) {
    Of = A->getBase();
    Index = A->getIdx();
    if (!strip(Of)->getType()->isPointerType())
      return;
  } else if (const auto *C = dyn_cast<CXXOperatorCallExpr>(Target);
             C && C->getOperator() == OO_Subscript && C->getNumArgs() == 2) {
    Of = C->getArg(0);
    Index = C->getArg(1);
    const CXXRecordDecl *R = recordOf(Of->getType());
    const llvm::StringRef Class = R ? Kinds.name(*R) : llvm::StringRef();
    if ((Class != "std::vector" && !Class.contains("Accessor")) ||
        Kinds.kind(Index->getType()) != Kind::Int)
      return;
  } else if (const auto *D = dyn_cast<UnaryOperator>(Target);
             D && D->getOpcode() == UO_Deref &&
             D->getType()->isArithmeticType()) { // *p++ = v
    Of = D->getSubExpr();
  }
  if (!Of || isTensorish(At->getType()))
    return;
  const ValueId Base = val(Of), I = Index ? val(Index) : constInt(0, At);
  program::Stmt &S = emit(Op::StoreElement, At);
  S.IsScalar = true;
  for (ValueId Operand : {Base, I, V})
    S.Args.push_back({"", Operand, Role::Read, NoId});
}

/// The index of the element that \p Target is, and the list; 0 if none.
ValueId Lowering::elementOf(const Expr *Target, const Expr *&List) {
  Target = strip(Target);
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(Target)) {
    List = A->getBase();
    return Kinds.elementType(strip(List)->getType()).isNull()
               ? 0
               : val(A->getIdx());
  }
  if (const auto *M = dyn_cast<MemberExpr>(Target);
      M && !M->isArrow() && Kinds.tupleSize(M->getBase()->getType()) == 2) {
    List = M->getBase();
    return constInt(M->getMemberDecl()->getName() == "second", M);
  }
  const auto *C = dyn_cast<CallExpr>(Target);
  const CallSite S = C ? callSite(*C) : CallSite();
  if (!S.Callee)
    return 0;
  if (S.Object) {
    List = S.Object;
    return Kinds.elementType(strip(List)->getType()).isNull() ? 0
                                                              : elementIndex(S);
  }
  List = S.Args.empty() ? nullptr : S.Args[0];
  return tupleIndex(S);
}

void Lowering::assign(const Expr *Target, ValueId V, const Expr *At) {
  // t->ne[0] = n: the layout is not what it was.
  const Expr *Field = strip(Target);
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(Field))
    Field = strip(A->getBase());
  for (llvm::StringRef Name : {"ne", "nb", "type"})
    if (const MemberExpr *M = tensorField(Field, Name)) {
      ValueId Self = val(M->getBase());
      program::Stmt &S = emit(Op::OtherMeta, At);
      S.Args.push_back({"self", Self, Role::Read, NoId});
      return;
    }
  // l[i] = v; a list of handles then holds it as well.
  const Expr *List = nullptr;
  ValueId Index = elementOf(Target, List);
  if (Index && changeList(List, Op::ListSet, {Index, V}, At, 0, [&] {
        if (!Kinds.isIntVector(strip(List)->getType()))
          storeTo(place(List).inside(), V, At);
      }))
    return;
  storeElement(strip(Target), V, At);
  if (Place P = place(Target)) {
    const bool IsInside = !P.Exact && Out.Vars[P.Var].IsContainer;
    storeTo(P, V, At, IsInside ? val(Target) : 0);
    program::Stmt &S = Out.Blocks[Here].Stmts.back();
    if (S.O == Op::Store && Kinds.isPlainTensor(Target->getType()))
      S.Object = range(Target->getSourceRange());
    return;
  }
  // A field of an object that no variable leads to.
  if (const auto *M = dyn_cast<MemberExpr>(strip(Target));
      M && isa<FieldDecl>(M->getMemberDecl()) &&
      Kinds.kind(M->getBase()->getType()) != Kind::List) {
    program::Stmt &S = emit(Op::Assign, At);
    if (isTensorish(At->getType()))
      S.Args.push_back({"", V, Role::Keep, NoId});
    S.Args.push_back(
        {"", 0, Role::Write, memberVar(unknownObject(), *M->getMemberDecl())});
    return;
  }
  // Through a pointer or into an unknown object: it keeps the value.
  if (isTensorish(At->getType())) {
    program::Stmt &S = emit(Op::Assign, At);
    S.Args.push_back({"", V, Role::Keep, NoId});
    reaches(Reach::Members);
  }
}

/// `std::move(x)` handed to a move leaves x without a tensor, or elements.
void Lowering::movedFrom(const Expr *Source) {
  const auto *C = dyn_cast<CallExpr>(strip(Source));
  if (!C || !C->getDirectCallee() ||
      Kinds.name(*C->getDirectCallee()) != "std::move")
    return;
  Place P = place(Source);
  const CXXRecordDecl *R = recordOf(Source->getType());
  const bool IsList = R && Kinds.name(*R) == "std::vector";
  if (!P || !P.Exact ||
      !(IsList || Kinds.isPlainTensor(Source->getType()) ||
        isOwner(Source->getType())))
    return;
  ValueId Nothing =
      IsList ? emitValue(Op::List, Source, {}) : constNone(Source);
  program::Stmt &S = emit(Op::Store, Source);
  S.Var = P.Var;
  S.Moves = IsList;
  S.Args.push_back({"", Nothing, Role::Read, NoId});
}

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
