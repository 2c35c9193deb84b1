//===- ExpressionLowering.cpp - the value of each expression --------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Lower/ExpressionLowering.h"
#include "Frontend/Ast/BodyScan.h"
#include "Frontend/Ast/Code.h"
#include "Frontend/Ast/Types.h"
#include "Frontend/Build/ConstantMaker.h"
#include "Frontend/Build/FunctionBuilder.h"
#include "Frontend/Build/PlaceFinder.h"
#include "Frontend/Build/RecordLowering.h"
#include "Frontend/Build/VariableTable.h"
#include "Frontend/Library/StandardLowering.h"
#include "Frontend/Library/TensorFieldLowering.h"
#include "Frontend/Lower/CallLowering.h"
#include "Frontend/Lower/ObjectLowering.h"
#include "Frontend/Lower/OperatorLowering.h"
#include "Frontend/Modules/MemberLowering.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;

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

/// Whether \p E becomes an integer of 32 bits though nobody wrote a cast.
static bool isNarrowed(const Expr *E, const ASTContext &Context) {
  while (true) {
    if (const auto *M = dyn_cast<MaterializeTemporaryExpr>(E))
      E = M->getSubExpr();
    else if (const auto *F = dyn_cast<FullExpr>(E))
      E = F->getSubExpr();
    else if (const auto *P = dyn_cast<ParenExpr>(E))
      E = P->getSubExpr();
    else
      break;
  }
  const auto *C = dyn_cast<ImplicitCastExpr>(E);
  return C && C->getCastKind() == CK_IntegralCast &&
         !C->isPartOfExplicitCast() && !C->isValueDependent() &&
         Context.getTypeSize(C->getType()) <= 32 &&
         Context.getTypeSize(C->getSubExpr()->getType()) >= 64;
}

/// The dtype that a cast says `void *` memory has: static_cast<int *>(p).
static llvm::StringRef castDType(const Expr *E) {
  while (true) {
    if (const auto *F = dyn_cast<FullExpr>(E))
      E = F->getSubExpr();
    else if (const auto *P = dyn_cast<ParenExpr>(E))
      E = P->getSubExpr();
    else if (const auto *I = dyn_cast<ImplicitCastExpr>(E);
             I && !I->isPartOfExplicitCast())
      E = I->getSubExpr();
    else
      break;
  }
  const auto *C = dyn_cast<ExplicitCastExpr>(E);
  return C && C->getType()->isPointerType() &&
                 strip(C->getSubExpr())->getType()->isVoidPointerType()
             ? elementName(C->getType()->getPointeeType())
             : llvm::StringRef();
}

/// The last of \p Stmts that gives \p V; their end where another block does.
static auto makerOf(llvm::SmallVectorImpl<program::Stmt> &Stmts, ValueId V) {
  const auto It = std::find_if(Stmts.rbegin(), Stmts.rend(),
                               [&](const auto &S) { return S.Result == V; });
  return It == Stmts.rend() ? Stmts.end() : std::prev(It.base());
}

/// data_ptr() in a cast: what it is seen as there.
void ExpressionLowering::noteSeen(ValueId V, llvm::StringRef DType,
                                  const Expr *At) {
  auto &Stmts = Build.statements();
  const auto Maker = makerOf(Stmts, V);
  if (Maker == Stmts.end() || Maker->O != Op::DataPtr ||
      findArg(*Maker, "seen"))
    return;
  const size_t Index = Maker - Stmts.begin();
  const ValueId Seen = Build.constText(ConstKind::Symbol, DType.str(), At);
  Stmts[Index].Args.push_back({"seen", Seen, Role::Read, NoId, true});
  // An operand stands before what reads it.
  std::rotate(Stmts.begin() + Index, std::prev(Stmts.end()), Stmts.end());
}

ValueId ExpressionLowering::value(const Expr *E) {
  const bool Narrows = isNarrowed(E, Context);
  const llvm::StringRef Seen = castDType(E);
  const Expr *Spelled = E;
  E = strip(E);
  auto It = Values.find(E);
  const bool Known = It != Values.end();
  const ValueId V = Known ? It->second : lower(E);
  if (Narrows && V)
    if (const auto Maker = makerOf(Build.statements(), V);
        Maker != Build.statements().end()) {
      Maker->Narrows = true;
      Maker->ToSigned = Spelled->getType()->isSignedIntegerType();
    }
  if (V && !Seen.empty())
    noteSeen(V, Seen, E);
  if (V && !Known && Kinds.isHandle(E->getType()))
    Members.element(*E, V);
  if (Known)
    return V;
  Values[E] = V;
  // A number of unknown value is still no tensor: broadcasting needs to know.
  auto &Stmts = Build.statements();
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

ValueId ExpressionLowering::condition(const Expr *E) {
  ValueId V = value(E);
  Kind K = Kinds.kind(strip(E)->getType());
  if (K == Kind::Int && !isCondition(E))
    return Build.emitValue(Op::CmpNe, E, {V, Build.constInt(0, E)});
  return V;
}

/// A variable, a field, or a function by its name.
ValueId ExpressionLowering::named(const Expr *E) {
  if (const ValueId Known = Members.inConstructor(*E))
    return Known;
  const auto *M = dyn_cast<MemberExpr>(E);
  if (M) {
    if (const ValueId Field = Members.field(*M))
      return Field;
    if (const ValueId Weight = Members.weight(*M))
      return Weight;
  }
  if (Place P = Places.place(E); P && P.Exact)
    return Records.read(P.Var, E->getType(), E);
  if (Kinds.kind(E->getType()) == Kind::Ellipsis)
    return Build.result(Build.emit(Op::EllipsisIdx, E));
  if (M) {
    if (const ValueId Field = Records.fieldOf(*M)) {
      program::Stmt &Last = Build.last();
      if (Last.O == Op::ListGet && Last.Result == Field &&
          Kinds.hasTensor(E->getType()))
        Last.Text = fieldText(*M);
      return Field;
    }
    if (isa<FieldDecl>(M->getMemberDecl()) &&
        !isa<CXXThisExpr>(strip(M->getBase())))
      return Build.emitOther(Op::Field,
                             Kinds.hasTensor(E->getType())
                                 ? fieldText(*M)
                                 : M->getMemberDecl()->getName().str(),
                             E, value(M->getBase()));
  }
  if (const auto *R = dyn_cast<DeclRefExpr>(E);
      R && isa<FunctionDecl>(R->getDecl()))
    return Build.emitOther(Op::FunctionRef, "", E, {});
  return Build.emitOther(Op::Unknown, "", E, {});
}

/// What an operator of a class does as the built-in one; 0 for other calls.
ValueId ExpressionLowering::operatorCall(const CXXOperatorCallExpr &E) {
  if (E.getOperator() == OO_Star && E.getNumArgs() == 1)
    if (Place P = Places.pointee(E.getArg(0)); P && P.Exact)
      return Records.read(P.Var, E.getType(), &E);
  if (E.getNumArgs() != 2 || !Kinds.isPointerClass(E.getType()) ||
      (E.getOperator() != OO_Plus && E.getOperator() != OO_Minus))
    return 0;
  const ValueId A = value(E.getArg(0)), B = value(E.getArg(1));
  const Op O = E.getOperator() == OO_Plus ? Op::Plus : Op::Minus;
  return Build.derives(
      Build.emitOther(O, getOperatorSpelling(E.getOperator()), &E, {A, B}),
      E.getType());
}

ValueId ExpressionLowering::choice(const ConditionalOperator &E) {
  bool Known;
  if (!E.getCond()->isValueDependent() &&
      E.getCond()->EvaluateAsBooleanCondition(Known, Context))
    return value(Known ? E.getTrueExpr() : E.getFalseExpr());
  const ValueId A = value(E.getTrueExpr()), B = value(E.getFalseExpr());
  return Build.emitValue(Op::Phi, &E, {A, B});
}

ValueId ExpressionLowering::subscript(const ArraySubscriptExpr &E) {
  if (Place P = Places.place(E.getBase());
      P && Vars[P.Var].Type == VarType::List && P.Exact) {
    const ValueId L = Build.load(P.Var, E.getBase()), I = value(E.getIdx());
    return Build.derives(Build.emitValue(Op::ListGet, &E, {L, I}), E.getType());
  }
  const ValueId Base = value(E.getBase()), I = value(E.getIdx());
  return Build.emitOther(Op::Element, "", &E, {Base, I});
}

/// Literals that are no integers, and what is initialised without a value.
std::optional<ValueId> ExpressionLowering::literal(const Expr *E) {
  if (const auto *F = dyn_cast<FloatingLiteral>(E)) {
    llvm::SmallString<16> Text;
    shortest(F->getValue(), Text);
    return Build.constText(ConstKind::Float, Text, E);
  }
  if (const auto *S = dyn_cast<clang::StringLiteral>(E);
      S && S->getCharByteWidth() == 1)
    return Build.constText(ConstKind::String, S->getString(), E);
  if (isa<CXXNullPtrLiteralExpr, GNUNullExpr>(E))
    return Build.constNone(E);
  if (!isa<ImplicitValueInitExpr, CXXScalarValueInitExpr>(E))
    return std::nullopt;
  switch (Kinds.kind(E->getType())) {
  case Kind::Bool:
    return Build.constBool(false, E);
  case Kind::List:
  case Kind::Other:
    return Build.emitOther(Op::Unknown, "", E, {});
  case Kind::Int:
    return Build.constInt(0, E);
  default:
    return Build.constNone(E);
  }
}

ValueId ExpressionLowering::throws(const CXXThrowExpr &E) {
  if (E.getSubExpr())
    value(E.getSubExpr());
  if (Scan.HasTry)
    return Build.constNone(&E); // the CFG's edge says where it leads
  Build.emit(Op::Throw, &E);
  return 0;
}

ValueId ExpressionLowering::lower(const Expr *E) {
  ValueId V = 0;
  if (Constants.known(E, V))
    return V;
  if (Kinds.kind(E->getType()) == Kind::None)
    return Build.constNone(E);
  if (TensorFields.field(E, V))
    return V;
  if (isa<DeclRefExpr, MemberExpr>(E))
    return named(E);
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    return Operators.unary(*U);
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return Operators.binary(*B);
  if (const auto *C = dyn_cast<CXXOperatorCallExpr>(E))
    if (const ValueId Built = operatorCall(*C))
      return Built;
  if (const auto *C = dyn_cast<CallExpr>(E))
    return Calls.call(*C);
  if (const auto *C = dyn_cast<CXXConstructExpr>(E))
    return Objects.construct(*C);
  if (const auto *I = dyn_cast<InitListExpr>(E))
    return Objects.braces(*I);
  if (const auto *L = dyn_cast<LambdaExpr>(E))
    return Objects.closure(*L);
  if (const auto *C = dyn_cast<ConditionalOperator>(E))
    return choice(*C);
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
    return subscript(*A);
  if (const auto Literal = literal(E))
    return *Literal;
  if (const auto *T = dyn_cast<CXXThrowExpr>(E))
    return throws(*T);
  const auto *C = dyn_cast<CastExpr>(E);
  if (C && C->getCastKind() == CK_PointerToBoolean &&
      Kinds.isPointerTensor(C->getSubExpr()->getType()))
    return TensorFields.isDefined(C->getSubExpr(), E);
  if (C && C->getCastKind() == CK_PointerToBoolean)
    if (const Expr *Message = glogMessage(C->getSubExpr(), Kinds))
      return value(Message);
  if (C && C->getCastKind() == CK_IntegralToBoolean)
    return condition(C->getSubExpr());
  return Operators.other(*E);
}
