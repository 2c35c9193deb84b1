//===- ApiCallLowering.cpp - calls: API models and opaque calls -----------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Lower/Lowering.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;
using llvm::StringRef;

/// The object of `p->f()`: behind optional's operator-> it is the optional.
static const Expr *behindArrow(const Expr *Object) {
  const auto *Arrow =
      dyn_cast<CXXOperatorCallExpr>(Object->IgnoreParenImpCasts());
  return Arrow && Arrow->getOperator() == OO_Arrow ? Arrow->getArg(0) : Object;
}

CallSite Lowering::callSite(const CallExpr &E) {
  CallSite C;
  C.E = &E;
  C.Callee = E.getDirectCallee();
  C.IsOperator = isa<CXXOperatorCallExpr>(E);
  unsigned Skip = 0;
  if (const auto *M = dyn_cast<CXXMemberCallExpr>(&E)) {
    C.Object = M->getImplicitObjectArgument();
    if (C.Object && Kinds.isWrapper(behindArrow(C.Object)->getType()))
      C.Object = behindArrow(C.Object);
  } else if (const auto *M = dyn_cast_or_null<CXXMethodDecl>(C.Callee);
             M && C.IsOperator && M->isInstance()) {
    C.Object = E.getArg(0);
    Skip = 1;
  }
  C.IsMethod = C.Object != nullptr;
  for (unsigned I = Skip; I < E.getNumArgs(); ++I) {
    const Expr *A = E.getArg(I);
    if (isa<CXXDefaultArgExpr>(A))
      continue;
    C.Args.push_back(A);
    C.Params.push_back(C.Callee && I - Skip < C.Callee->getNumParams()
                           ? C.Callee->getParamDecl(I - Skip)
                           : nullptr);
  }
  if (C.Callee)
    C.Name = C.Callee->getDeclName().getAsString();
  C.OwnArgs = C.Args.size();
  return C;
}

/// The class whose forward() a module holder calls, or null.
static const CXXRecordDecl *moduleOf(QualType T, Types &Kinds) {
  const CXXRecordDecl *R = recordOf(T);
  for (unsigned Depth = 0; R && R->hasDefinition() && Depth < 4; ++Depth) {
    if (Kinds.model().role(Kinds.name(*R)) == TypeRole::Module)
      if (const auto *S = dyn_cast<ClassTemplateSpecializationDecl>(R))
        return recordOf(S->getTemplateArgs()[0].getAsType());
    R = R->getNumBases() ? recordOf(R->bases_begin()->getType()) : nullptr;
  }
  return nullptr;
}

const CXXRecordDecl *Lowering::moduleImpl(QualType T) {
  return moduleOf(T, Kinds);
}

ValueId Lowering::lowerCall(const CallExpr &E) {
  CallSite C = callSite(E);
  ValueId V = 0;
  if (C.Callee && (lowerHolds(C, V) || lowerLibrary(C, V)))
    return V;
  if (C.Callee) {
    CallSite WithSettings = C;
    addSettings(WithSettings);
    if (lowerModule(C, V) || lowerApi(WithSettings, V))
      return V;
  }
  return lowerOpaque(C);
}

void Lowering::countCall(const CallSite &C, std::optional<Op> Meaning) {
  if (Meaning) {
    if (leavesLayoutOpen(*Meaning))
      Out.Open.push_back(C.Name);
    else
      ++Out.Modelled;
    return;
  }
  if (!C.Callee || !Kinds.isLibrary(*C.Callee) ||
      Kinds.name(*C.Callee).starts_with("std::"))
    return;
  bool Touches = isTensorish(C.E->getType()) ||
                 (C.Object && isTensorish(C.Object->getType()));
  for (const Expr *A : C.Args)
    Touches |= isTensorish(A->getType());
  if (Touches)
    Out.Unmodelled.push_back(C.Object && !isTensorish(C.Object->getType())
                                 ? Kinds.name(*C.Callee).str()
                                 : C.Name);
}

//===----------------------------------------------------------------------===//
// Calls with a model
//===----------------------------------------------------------------------===//

static bool isKind(Kind K, ParamKind Wanted) {
  switch (Wanted) {
  case ParamKind::Any:
    return true;
  case ParamKind::Tensor:
    return K == Kind::Tensor;
  case ParamKind::List:
    return K == Kind::List;
  case ParamKind::Int:
    return K == Kind::Int;
  case ParamKind::Bool:
    return K == Kind::Bool;
  case ParamKind::Float:
    return K == Kind::Float;
  case ParamKind::Scalar:
    return K == Kind::Scalar;
  }
  return false;
}

/// The model's name of argument \p I: positional, or the callee's own.
static std::string paramName(const Api &A, const CallSite &C, size_t I) {
  if (I >= C.OwnArgs) { // .stride(new_stride)
    StringRef Name = C.Params[I] ? C.Params[I]->getName() : "";
    Name.consume_front("new_");
    return Name.str();
  }
  bool SkipSelf = C.IsMethod && !A.Params.empty() && A.Params[0] == "self";
  if (I + SkipSelf < A.Params.size())
    return A.Params[I + SkipSelf];
  StringRef Name = C.Params[I] ? C.Params[I]->getName() : "";
  Name.consume_back("_opt"); // at::detail::empty_cpu(size, dtype_opt)
  return Name.str();
}

/// Operations whose operands have names of their own, so none becomes `self`.
static bool namesAllOperands(Op O) {
  switch (O) {
  case Op::Linear:
  case Op::Cat:
  case Op::Stack:
  case Op::Ternary:
  case Op::FromBlob:
  case Op::TensorOf:
  case Op::OutWrite:
  case Op::Sized:
  case Op::Einsum:
    return true;
  default:
    return false;
  }
}

static void rename(llvm::MutableArrayRef<Arg> Operands,
                   llvm::ArrayRef<std::pair<std::string, std::string>> Names) {
  for (Arg &Operand : Operands)
    for (const auto &[From, To] : Names)
      if (Operand.Name == From) {
        Operand.Name = To;
        break;
      }
}

/// What a model sets.
ValueId Lowering::constant(const ApiConstant &K, const Expr *E) {
  if (K.Kind == ConstKind::Symbol)
    return constText(ConstKind::Symbol, K.Text, E);
  if (K.Kind == ConstKind::Bool)
    return constBool(K.Ints[0], E);
  if (K.Kind != ConstKind::None)
    return constInt(K.Ints[0], E);
  llvm::SmallVector<ValueId, 4> Ints;
  for (int64_t I : K.Ints)
    Ints.push_back(constInt(I, E));
  return emitValue(Op::List, E, Ints);
}

/// The dtype whose elements are of this C++ type; empty when none is.
static StringRef dtypeOf(QualType T) {
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
  case BuiltinType::Int:
    return "int32";
  case BuiltinType::Long:
  case BuiltinType::LongLong:
    return "int64";
  default:
    return "";
  }
}

static bool givesTensor(Op O) {
  switch (opClass(O)) {
  case OpClass::View:
  case OpClass::MaybeCopy:
  case OpClass::Copy:
  case OpClass::Factory:
  case OpClass::Compute:
  case OpClass::Graph:
    return true;
  default:
    return false;
  }
}

/// Whether the unit declares `ns::Class::name`, or with a `!` that it does not;
/// yes for no name.
bool Lowering::isDeclared(StringRef Function) const {
  if (Function.empty())
    return true;
  const bool Wanted = !Function.consume_front("!");
  llvm::SmallVector<StringRef, 4> Parts;
  Function.split(Parts, "::");
  const DeclContext *Scope = Context.getTranslationUnitDecl();
  for (StringRef Part : Parts) {
    auto Name = Context.Idents.find(Part);
    if (!Scope || Name == Context.Idents.end())
      return !Wanted;
    auto Found = Scope->lookup(DeclarationName(Name->getValue()));
    if (Found.empty())
      return !Wanted;
    Scope = dyn_cast<DeclContext>(Found.front());
    if (const auto *Class = dyn_cast_or_null<CXXRecordDecl>(Scope))
      Scope = Class->getDefinition();
  }
  return Wanted;
}

/// Whether \p C is a method of a tensor type that the user's model adds.
bool Lowering::isUsersObject(const CallSite &C) {
  if (!C.Object)
    return false;
  QualType T = C.Object->getType();
  const CXXRecordDecl *R =
      recordOf(T->isPointerType() ? T->getPointeeType() : T);
  return R && Kinds.model().isUsersType(Kinds.name(*R));
}

/// The dtype whose elements are of this C++ type, or empty.
static StringRef elementName(QualType T) {
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

/// `data_ptr<float>`, `accessor<float, 2>`: a dtype or a number.
ValueId Lowering::templateArgument(const TemplateArgument &A, const Expr *At) {
  if (A.getKind() == TemplateArgument::Integral)
    return constInt(A.getAsIntegral().getExtValue(), At);
  StringRef Name = A.getKind() == TemplateArgument::Type
                       ? elementName(A.getAsType())
                       : StringRef();
  return Name.empty() ? 0 : constText(ConstKind::Symbol, Name, At);
}

bool Lowering::lowerApi(const CallSite &C, ValueId &Result) {
  const CXXRecordDecl *Module =
      C.Object ? moduleOf(C.Object->getType(), Kinds) : nullptr;
  bool OnTensor = false;
  if (C.Object) {
    QualType T = C.Object->getType();
    OnTensor = Kinds.isTensor(T->isPointerType() ? T->getPointeeType() : T);
  }
  std::string Qualified = Kinds.name(*C.Callee).str();
  if (const auto *Ctor = dyn_cast<CXXConstructorDecl>(C.Callee))
    Qualified = Kinds.name(*Ctor->getParent()).str() +
                "::" + Ctor->getParent()->getNameAsString();
  bool IsUsers = Kinds.model().isUsers(Qualified);
  if (!OnTensor && !IsUsers && !Kinds.isLibrary(*C.Callee))
    return false;
  if (Module && C.Name == "operator()")
    Qualified = Kinds.name(*Module).str() + "::forward";
  else if (C.Object && !OnTensor)
    if (const CXXRecordDecl *R =
            recordOf(C.Object->getType()->isPointerType()
                         ? C.Object->getType()->getPointeeType()
                         : C.Object->getType()))
      Qualified = Kinds.name(*R).str() + "::" + C.Name;
  bool ReturnsTensor = isTensorish(C.E->getType());
  auto HasParam = [&](const Api &A, const ApiCondition &If) {
    if (If.Param.empty()) // `stream << tensor` is no shift
      return (ReturnsTensor || !givesTensor(A.O)) && A.In.hold(Unit.Library) &&
             isDeclared(A.Declared);
    for (size_t I = 0; I < C.Args.size(); ++I) {
      if (paramName(A, C, I) != If.Param)
        continue;
      Expr::EvalResult Value;
      if (If.Is)
        return !C.Args[I]->isValueDependent() &&
               C.Args[I]->EvaluateAsInt(Value, Context) &&
               (Value.Val.getInt() == *If.Is) != If.Differs;
      return isKind(Kinds.kind(C.Params[I] ? C.Params[I]->getType()
                                           : C.Args[I]->getType()),
                    If.Kind);
    }
    return false;
  };
  // A method of anything but a tensor must be named with its class; a standard
  // function never means a tensor operation.
  // A user's own function or type has no part in the library's names.
  bool Named = (C.Object && !OnTensor) || IsUsers || isUsersObject(C);
  StringRef Plain = Named ? StringRef() : StringRef(C.Name);
  if (StringRef(Qualified).starts_with("std::"))
    return false;
  const Api *A = Kinds.model().find(Plain, Qualified, OnTensor, HasParam);
  if (!A && C.Object && !OnTensor)
    A = Kinds.model().find(Plain, Kinds.name(*C.Callee), OnTensor, HasParam);
  const bool Touches =
      OnTensor || ReturnsTensor || llvm::any_of(C.Args, [&](const Expr *E) {
        return isTensorish(E->getType());
      });
  // A C library's names are its own; others may mean integers.
  if (A && !Touches && !IsUsers && !isGgml(A->O))
    A = nullptr;

  Api BySuffix;
  const Api *Base = nullptr;
  Op Computes = Op::Opaque;
  if (!A) {
    bool HasTensor = OnTensor || llvm::any_of(C.Args, [&](const Expr *E) {
                       return Kinds.isTensor(E->getType());
                     });
    if (Plain.empty() || C.IsOperator || !HasTensor ||
        !Kinds.model().findSuffix(Plain, BySuffix.O))
      return false;
    // exp_() asks of its operands what exp() does, and mm_out() what mm() does.
    const bool IsOut = BySuffix.O == Op::OutWrite;
    const StringRef BaseName =
        IsOut ? Plain.take_front(Plain.rfind("_out")) : Plain.drop_back();
    Base = Kinds.model().find(BaseName, "", OnTensor && !IsOut, HasParam);
    if (Base && !IsOut) {
      llvm::copy_if(Base->Rename, std::back_inserter(BySuffix.Rename),
                    [](const auto &R) { return R.first != "self"; });
      llvm::copy_if(Base->Set, std::back_inserter(BySuffix.Set),
                    [](const ApiConstant &K) { return K.Name == "needs"; });
      if (Base->O == Op::AddMM)
        Computes = Base->O;
    }
    A = &BySuffix;
  }
  if (Touches)
    countCall(C, A->O);
  if (A->O == Op::OutWrite) {
    Result = lowerOut(C, Base);
    return true;
  }
  if (A->O == Op::Assume) {
    // Its first argument is the condition; otherwise it does not return.
    if (!C.Args.empty()) {
      ValueId Condition = asBool(C.Args[0]);
      emit(Op::Assume, C.E).Args.push_back({"", Condition, Role::Read, NoId});
    }
    return true;
  }

  llvm::SmallVector<Arg, 4> Operands;
  if (OnTensor) {
    ValueId Self = 0;
    if (!C.Object->getType()->isPointerType())
      Self = val(C.Object);
    else if (isa<CXXThisExpr>(strip(C.Object)))
      Self = emitOther(Op::Deref, "*this", C.Object, {});
    else if (Place P = pointee(C.Object); P && P.Exact)
      Self = load(P.Var, C.Object);
    else
      Self = emitOther(Op::Deref, derefName(C.Object), C.Object, val(C.Object));
    Operands.push_back({"self", Self, Role::Read, NoId});
  }
  int FirstTensor = -1;
  for (size_t I = 0; I < C.Args.size(); ++I) {
    std::string Name = paramName(*A, C, I);
    if (FirstTensor < 0 && Kinds.isTensor(C.Args[I]->getType()))
      FirstTensor = Operands.size();
    Operands.push_back({Name, val(C.Args[I]), Role::Read, NoId});
  }
  rename(Operands, A->Rename);
  bool HasSelf =
      llvm::any_of(Operands, [](const Arg &O) { return O.Name == "self"; });
  if (!HasSelf && FirstTensor >= 0 && !namesAllOperands(A->O) &&
      opClass(A->O) != OpClass::Factory)
    Operands[FirstTensor].Name = "self";
  for (const auto &[Name, Parts] : A->Join) {
    llvm::SmallVector<ValueId, 4> Elements;
    for (StringRef Part : Parts) {
      int64_t Int;
      const StringRef Tensor = Part.take_until([](char B) { return B == '['; });
      const Arg *Operand = llvm::find_if(
          Operands, [&](const Arg &O) { return O.Name == Tensor; });
      if (!Part.getAsInteger(10, Int))
        Elements.push_back(constInt(Int, C.E));
      else if (Operand == Operands.end())
        break;
      else if (Tensor == Part)
        Elements.push_back(Operand->Value);
      else if (!Part.substr(Tensor.size() + 1)
                    .drop_back()
                    .getAsInteger(10, Int)) {
        const ValueId Of = Operand->Value, Dim = constInt(Int, C.E);
        program::Stmt &S = emit(Op::Size, C.E);
        S.Args.push_back({"self", Of, Role::Read, NoId});
        S.Args.push_back({"dim", Dim, Role::Read, NoId});
        Elements.push_back(result(S));
      }
    }
    if (Elements.size() == Parts.size())
      Operands.push_back(
          {Name, emitValue(Op::List, C.E, Elements), Role::Read, NoId, true});
  }
  // 'a | b': one text for each tensor of a tuple.
  llvm::SmallVector<std::pair<size_t, llvm::StringRef>, 2> PerResult;
  for (const ApiConstant &K : A->Set) {
    if (llvm::StringRef(K.Text).contains('|'))
      PerResult.emplace_back(Operands.size(), K.Text);
    Operands.push_back({K.Name, constant(K, C.E), Role::Read, NoId, true});
  }

  if (A->O == Op::Item)
    if (StringRef DType = dtypeOf(C.E->getType()); !DType.empty())
      Operands.push_back({"dtype", constText(ConstKind::Symbol, DType, C.E),
                          Role::Read, NoId, true});
  if (const auto *Given = C.Callee->getTemplateSpecializationArgs())
    for (size_t I = 0; I < std::min<size_t>(A->Template.size(), Given->size());
         ++I) {
      ValueId V = templateArgument(Given->get(I), C.E);
      if (V)
        Operands.push_back({A->Template[I], V, Role::Read, NoId, true});
    }
  if (A->O == Op::FromBlob)
    describeMemory(C, Operands);
  if (A->O == Op::TensorOf && !C.Args.empty())
    if (StringRef DType = literalDType(C.Args[0]); !DType.empty())
      Operands.push_back({"element", constText(ConstKind::Symbol, DType, C.E),
                          Role::Read, NoId, true});

  // A tuple of tensors is a list of that many results of the operation.
  unsigned Results =
      opClass(A->O) == OpClass::View || opClass(A->O) == OpClass::MaybeCopy
          ? 0
          : Kinds.tupleSize(C.E->getType());
  llvm::SmallVector<ValueId, 3> Made;
  for (unsigned I = 0; I < std::max(Results, 1u); ++I) {
    for (auto [At, Texts] : PerResult) {
      llvm::StringRef Text = Texts;
      for (unsigned Skip = 0; Skip < I; ++Skip)
        Text = Text.split('|').second;
      Operands[At].Value =
          constText(ConstKind::Symbol, Text.split('|').first.trim(), C.E);
    }
    program::Stmt &S = emit(A->O, C.E);
    S.Text = C.IsOperator ? StringRef(C.Name).drop_front(8).str() : C.Name;
    if (Module && C.Name == "operator()")
      S.Text = "forward";
    S.Forward = S.Text == "forward";
    S.Args.append(Operands.begin(), Operands.end());
    S.Computes = Computes;
    if (C.Object && OnTensor)
      S.Object = range(C.Object->getSourceRange());
    else if (A->O == Op::GgmlCont && FirstTensor >= 0)
      S.Object = range(C.Args[FirstTensor]->getSourceRange());
    SourceLocation NameLoc;
    const auto *Call = dyn_cast<CallExpr>(C.E);
    if (!Call)
      NameLoc = C.E->getExprLoc(); // a constructor
    else if (const auto *M =
                 dyn_cast<MemberExpr>(Call->getCallee()->IgnoreParens()))
      NameLoc = M->getMemberLoc();
    else if (const auto *O = dyn_cast<CXXOperatorCallExpr>(C.E))
      NameLoc = O->getOperatorLoc();
    else if (const auto *R = dyn_cast<DeclRefExpr>(
                 Call->getCallee()->IgnoreParenImpCasts()))
      NameLoc = R->getLocation();
    S.Callee = range(NameLoc);
    S.Edits = Call ? vetEdits(C, S.Callee) : 0;
    if (Named) // our advice has libtorch's names
      S.Edits &= ~EditRenameCallee;
    S.Discarded = Call && isDiscarded(*C.E);
    if (S.Discarded && mayAssignBack(C))
      S.Edits |= EditAssign;
    if (Kinds.kind(C.E->getType()) != Kind::Void)
      Made.push_back(result(S));
  }
  Result = Made.empty()  ? 0
           : Results > 0 ? emitValue(Op::List, C.E, Made)
                         : Made[0];
  return true;
}

/// The dtype of `tensor({{1, 2}, {3, 4}})`: integers become int64, and others
/// the default.
StringRef Lowering::literalDType(const Expr *E) {
  for (unsigned Depth = 0; Depth < 32; ++Depth) {
    E = strip(E);
    if (const auto *L = dyn_cast<CXXStdInitializerListExpr>(E))
      E = L->getSubExpr();
    else if (const auto *M = dyn_cast<MaterializeTemporaryExpr>(E))
      E = M->getSubExpr();
    else if (const auto *L = dyn_cast<InitListExpr>(E); L && L->getNumInits())
      E = L->getInit(0);
    else if (const auto *C = dyn_cast<CXXConstructExpr>(E);
             C && C->getNumArgs() && Kinds.kind(C->getType()) == Kind::List &&
             Kinds.elementType(C->getType()).isNull())
      E = C->getArg(0);
    else
      break;
  }
  const QualType Element = Kinds.elementType(E->getType());
  const StringRef Type = elementName(Element.isNull() ? E->getType() : Element);
  return Type == "int32" ? "int64" : Type == "float64" ? "float32" : Type;
}

/// What the type of from_blob()'s pointer tells: `element`, its dtype, and
/// `capacity`, the number of elements of an array. Bytes may be anything.
void Lowering::describeMemory(const CallSite &C,
                              llvm::SmallVectorImpl<Arg> &Operands) {
  const Expr *E = C.Args.empty() ? nullptr : C.Args[0]->IgnoreParenImpCasts();
  while (const auto *Cast = dyn_cast_or_null<ExplicitCastExpr>(E)) {
    if (!Cast->getType()->isVoidPointerType())
      break; // it says what the memory is
    E = Cast->getSubExpr()->IgnoreParenImpCasts();
  }
  if (!E)
    return;
  QualType T = E->getType();
  if (!T->isPointerType() && !T->isArrayType())
    return;
  QualType Element = T->isPointerType()
                         ? T->getPointeeType()
                         : QualType(T->getArrayElementTypeNoTypeQual(), 0);
  Element = QualType(Element->getBaseElementTypeUnsafe(), 0);
  const auto *B = Element->getAs<BuiltinType>();
  if (!B || Element->isVoidType())
    return;
  std::string Name;
  if (Context.getTypeSize(Element) == 8)
    Name = "byte"; // of what, only the options say
  else if (Element->isRealFloatingType())
    Name = Context.getTypeSize(Element) == 32   ? "float32"
           : Context.getTypeSize(Element) == 64 ? "float64"
                                                : "";
  else if (Element->isIntegerType() && !Element->isAnyCharacterType())
    Name = "int" + std::to_string(Context.getTypeSize(Element));
  if (Name.empty())
    return;
  Operands.push_back({"element", constText(ConstKind::Symbol, Name, C.E),
                      Role::Read, NoId, true});
  uint64_t Count = 0;
  if (const auto *A = Context.getAsConstantArrayType(T)) {
    Count = Context.getConstantArrayElementCount(A);
  } else if (const auto *Call = dyn_cast<CXXMemberCallExpr>(E);
             Call && Call->getMethodDecl() &&
             Call->getMethodDecl()->getIdentifier() &&
             Call->getMethodDecl()->getName() == "data") {
    Count = Kinds.arraySize(Call->getImplicitObjectArgument()->getType());
  }
  if (Count)
    Operands.push_back({"capacity", constInt(static_cast<int64_t>(Count), C.E),
                        Role::Read, NoId, true});
}

/// `f_out(out, ...)`: every tensor taken by non-const reference is overwritten.
/// \p Base is the operation whose result it writes, or null.
ValueId Lowering::lowerOut(const CallSite &C, const Api *Base) {
  llvm::SmallVector<ValueId, 2> Outs;
  llvm::SmallVector<Arg, 4> Inputs;
  if (C.Object)
    Inputs.push_back({"self", val(C.Object), Role::Read, NoId});
  Arg *FirstTensor = nullptr;
  Inputs.reserve(C.Args.size() + 1);
  for (size_t I = 0; I < C.Args.size(); ++I) {
    ValueId V = val(C.Args[I]);
    QualType T = C.Params[I] ? C.Params[I]->getType() : QualType();
    StringRef Name = C.Params[I] ? C.Params[I]->getName() : "";
    bool IsOut = !T.isNull() && Kinds.isPlainTensor(T) &&
                 T->isLValueReferenceType() &&
                 (!T.getNonReferenceType().isConstQualified() || Name == "out");
    if (IsOut) {
      Outs.push_back(V);
      continue;
    }
    Inputs.push_back({Name.str(), V, Role::Read, NoId});
    if (!FirstTensor && Kinds.isTensor(C.Args[I]->getType()))
      FirstTensor = &Inputs.back();
  }
  // Parameters of the base are told by their names.
  if (Base && (!Base->Params.empty() || !Base->Join.empty() || C.Object))
    Base = nullptr;
  if (Base) {
    rename(Inputs, Base->Rename);
    const bool HasSelf =
        llvm::any_of(Inputs, [](const Arg &A) { return A.Name == "self"; });
    if (!HasSelf && FirstTensor && !namesAllOperands(Base->O))
      FirstTensor->Name = "self";
    for (const ApiConstant &K : Base->Set)
      Inputs.push_back({K.Name, constant(K, C.E), Role::Read, NoId, true});
  }
  llvm::SmallVector<ValueId, 2> Results;
  for (ValueId O : Outs) {
    program::Stmt &S = emit(Op::OutWrite, C.E);
    S.Text = C.Name;
    S.Discarded = isDiscarded(*C.E);
    if (Base && Outs.size() == 1 && opClass(Base->O) == OpClass::Compute)
      S.Computes = Base->O;
    S.Args.push_back({"out", O, Role::Read, NoId});
    S.Args.append(Inputs.begin(), Inputs.end());
    Results.push_back(result(S));
  }
  if (Results.size() == 1)
    return Results[0];
  return emitValue(Op::List, C.E, Results);
}

//===----------------------------------------------------------------------===//
// Calls without one
//===----------------------------------------------------------------------===//

/// How a call whose meaning is not known may treat one argument:
///   T&, T* to non-const   may change it
///   a tensor handle       user code, and whoever takes it by value, may keep
///   it anything else         is read
void Lowering::opaqueArg(const Expr *E, QualType Param, bool UserCode,
                         llvm::SmallVectorImpl<Arg> &Into) {
  Arg A;
  const Expr *Inner = strip(E);
  if (isa<CXXThisExpr>(Inner))
    return;
  bool ByRef = Param->isLValueReferenceType() &&
               !Param.getNonReferenceType().isConstQualified();
  if (const auto *U = dyn_cast<UnaryOperator>(Inner);
      U && U->getOpcode() == UO_AddrOf)
    if (Place P = place(U->getSubExpr())) {
      bool Writes = Param->isPointerType()
                        ? !Param->getPointeeType().isConstQualified()
                        : true;
      if (Writes) {
        A.R = Role::Write;
        A.Var = P.Var;
        if (isTensorish(U->getSubExpr()->getType()))
          A.Value = val(U->getSubExpr());
        Into.push_back(std::move(A));
        return;
      }
    }
  if (ByRef || Param->isRValueReferenceType()) {
    if (Place P = place(E)) {
      A.R = Role::Write;
      A.Var = P.Var;
      if (isTensorish(E->getType()) || Kinds.kind(E->getType()) == Kind::List)
        A.Value = val(E);
      // What is moved from changes, and whoever took it may keep the tensor.
      if (!ByRef && isTensorish(E->getType()))
        Into.push_back({"", A.Value, Role::Keep, NoId});
      Into.push_back(std::move(A));
      return;
    }
  }
  if (Param->isPointerType() && !Param->getPointeeType().isConstQualified())
    if (Place P = pointee(E); P && P.Exact)
      Into.push_back({"", 0, Role::Write, P.Var});
  A.Value = val(E);
  noteNarrowing(*E, Param, A.Value);
  if (Kinds.isPointerTensor(E->getType()))
    A.R = Role::Read; // no call changes the layout behind it
  else if (holdsTensors(E->getType()))
    A.R = UserCode || !Param->isReferenceType() ? Role::Keep : Role::Read;
  else if (Param->isPointerType() &&
           !Param->getPointeeType().isConstQualified() &&
           !Param->isFunctionPointerType())
    A.R = Role::Write;
  if (A.Value)
    Into.push_back(std::move(A));
}

/// Words in names of what takes, or is, the layout of memory: "lda",
/// "row_stride", "transA".
static bool saysLayout(StringRef Name) {
  const std::string Lower = Name.lower();
  for (StringRef Word : {"stride", "pitch", "leading", "layout", "order",
                         "trans", "colmajor", "col_major", "permut", "format"})
    if (StringRef(Lower).contains(Word))
      return true;
  StringRef Rest = Lower;
  return Rest == "step" || Rest == "inc" || Rest == "incx" || Rest == "incy" ||
         Rest.starts_with("ld_") || Rest.ends_with("_ld") ||
         (Rest.consume_front("ld") && Rest.size() <= 1);
}

/// Libraries whose functions are told strides, or know another order.
static bool knowsLayout(StringRef Callee) {
  const std::string Lower = Callee.lower();
  for (StringRef Word : {"gemm", "gemv",   "trsm",   "trmm",  "syrk",   "getr",
                         "potr", "geqr",   "orgqr",  "syev",  "gesv",   "gesd",
                         "blas", "lapack", "solver", "cudnn", "miopen", "magma",
                         "mkl",  "dnnl",   "sparse", "fft"})
    if (StringRef(Lower).contains(Word))
      return true;
  return saysLayout(Callee);
}

/// Whether the call says how its pointers' memory lies, as far as names and
/// types tell. Analysis looks at the values.
bool Lowering::isGivenLayout(const CallSite &C) {
  if (!C.Callee || knowsLayout(C.Name))
    return true;
  if (Kinds.name(*C.Callee).starts_with("std::"))
    return false;
  for (size_t I = 0; I < C.Args.size(); ++I) {
    if (C.Params[I] && saysLayout(C.Params[I]->getName()))
      return true;
    const Expr *E = strip(C.Args[I]);
    const ValueDecl *D = nullptr;
    if (const auto *R = dyn_cast<DeclRefExpr>(E))
      D = R->getDecl();
    else if (const auto *M = dyn_cast<MemberExpr>(E))
      D = M->getMemberDecl();
    if (D && D->getIdentifier() && saysLayout(D->getName()))
      return true;
    // An object may hold strides; a stream does not, nor does a number.
    QualType T = C.Params[I] ? C.Params[I]->getType().getNonReferenceType()
                             : E->getType();
    if (T->isPointerType())
      T = T->getPointeeType();
    const CXXRecordDecl *R = recordOf(T);
    const Kind K = Kinds.kind(T);
    if (R && K == Kind::Other && elementName(T).empty() &&
        !StringRef(R->getName().lower()).contains("stream") &&
        !Kinds.name(*R).starts_with("std::") && R->getName() != "dim3" &&
        Kinds.name(*R) != "cv::Size_" && !R->getName().starts_with("__half") &&
        !R->getName().starts_with("__nv_bfloat16"))
      return true;
  }
  return false;
}

/// Whether argument \p I is taken by `T &&`.
static bool isForwarded(const FunctionTemplateDecl &F, unsigned I) {
  const auto Params = F.getTemplatedDecl()->parameters();
  if (Params.empty())
    return true;
  QualType T = Params[std::min<size_t>(I, Params.size() - 1)]->getType();
  if (const auto *Pack = T->getAs<PackExpansionType>())
    T = Pack->getPattern();
  return T->isRValueReferenceType();
}

ValueId Lowering::lowerOpaque(const CallSite &C) {
  bool UserCode = !C.Callee || !Kinds.isLibrary(*C.Callee);
  bool IsStd = C.Callee && Kinds.name(*C.Callee).starts_with("std::");
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(C.Callee);
  const CXXRecordDecl *Module =
      C.Object ? moduleOf(C.Object->getType(), Kinds) : nullptr;
  if (Module && C.Name == "operator()")
    UserCode = !Kinds.isLibrary(*Module);
  // A library's template that takes `T &&...` passes its arguments on.
  const FunctionTemplateDecl *Forwards = (!UserCode || Module) && C.Callee
                                             ? C.Callee->getPrimaryTemplate()
                                             : nullptr;
  bool RunsCallable = false;

  llvm::SmallVector<Arg, 6> Operands;
  const Expr *ThisObject = nullptr;
  if (C.Object) {
    const Expr *Object = strip(C.Object);
    bool Changes = Method && !Method->isConst() && !Module;
    Place Of =
        C.Object->getType()->isPointerType() ? pointee(C.Object) : Place();
    if (!Of || !Of.Exact)
      Of = place(C.Object);
    if (isa<CXXThisExpr>(Object)) {
      ThisObject = Object;
    } else if (Place P = Of; P && Changes) {
      Arg A{"", 0, Role::Write, P.Var};
      if (isTensorish(C.Object->getType()) || !P.Exact) // which element
        A.Value = val(C.Object);
      Operands.push_back(std::move(A));
    } else if (Kinds.kind(Object->getType()) != Kind::Void) {
      Operands.push_back({"", val(C.Object),
                          Changes && isTensorish(C.Object->getType())
                              ? Role::Write
                              : Role::Read,
                          NoId});
    }
  } else if (!C.Callee) {
    Operands.push_back(
        {"", val(cast<CallExpr>(C.E)->getCallee()), Role::Read, NoId});
  }
  const FunctionProtoType *Proto = nullptr;
  if (!C.Callee) { // through a pointer
    QualType T = cast<CallExpr>(C.E)->getCallee()->getType();
    if (T->isPointerType() || T->isReferenceType())
      T = T->getPointeeType();
    Proto = T->getAs<FunctionProtoType>();
  }
  for (size_t I = 0; I < C.Args.size(); ++I) {
    const Expr *E = C.Args[I];
    if (Kinds.kind(E->getType()) == Kind::Void)
      continue;
    if (const CXXRecordDecl *R = recordOf(E->getType()))
      RunsCallable |= R->isLambda() || Kinds.name(*R) == "std::function";
    QualType T = C.Params[I] ? C.Params[I]->getType() : E->getType();
    if (Proto && I < Proto->getNumParams())
      T = Proto->getParamType(I);
    if (Forwards && T->isReferenceType() && isForwarded(*Forwards, I))
      T = T.getNonReferenceType().withConst(),
      T = Context.getLValueReferenceType(T);
    size_t First = Operands.size();
    opaqueArg(E, T, UserCode || IsStd, Operands); // containers keep
    if (IsStd && C.Name == "push_back")
      for (size_t N = First; N < Operands.size(); ++N)
        Operands[N].Value = viewOfShortLived(*E, Operands[N].Value, false);
  }
  if (C.Object)
    if (const auto *L = dyn_cast<LambdaExpr>(strip(C.Object)))
      if (auto It = Scan.Immediate.find(L); It != Scan.Immediate.end())
        for (const VarDecl *V : It->second) {
          Place P = Aliases.count(V) ? Aliases[V] : Place{varFor(*V)};
          Operands.push_back({"", 0, Role::Write, P.Var});
        }
  countCall(C, std::nullopt);
  std::shared_ptr<const Call> Calls = bodyOf(C, Operands);
  program::Stmt &S = emit(Op::Opaque, C.E);
  S.Calls = S.Expected ? nullptr : std::move(Calls);
  S.Text = C.Name.empty() ? "call" : C.Name;
  if (Module && C.Name == "operator()")
    S.Text = "forward";
  S.Forward = S.Text == "forward";
  S.Strided = isGivenLayout(C);
  S.Args.append(Operands.begin(), Operands.end());
  // Whether it can change what outlives this function: members, globals.
  bool IsConstMethod =
      Method && Method->isConst() && !Method->getParent()->isLambda();
  bool IsLambda =
      Method && (Method->getParent()->isLambda() ||
                 Kinds.name(*Method->getParent()) == "std::function");
  Reach What = Reach::Arguments;
  if (RunsCallable || IsLambda || !C.Callee)
    What = Reach::All;
  else if (UserCode && IsConstMethod)
    What = Reach::Pointees;
  else if ((UserCode && !IsConstMethod) ||
           (ThisObject && Method && !Method->isConst()))
    What = Reach::Members;
  reaches(What);
  if (Kinds.kind(C.E->getType()) == Kind::Void)
    return 0;
  result(S);
  const bool Runs = IsStd && (C.Name == "async" || C.Name == "bind");
  // cv::Mat's copy has memory of its own.
  const bool Copies = Method && (C.Name == "clone" || C.Name == "cross") &&
                      Kinds.name(*Method->getParent()) == "cv::Mat";
  S.Derives =
      (Runs || (C.Object && !Copies && Kinds.borrows(C.Object->getType()))) &&
      Kinds.borrows(C.E->getType());
  return C.Object && (C.Name == "data" || C.Name == "c_str")
             ? temporary(*C.E, S.Result, dyingContainer(*strip(C.Object)), true)
             : S.Result;
}
