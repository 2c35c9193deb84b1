//===- ApiCallLowering.cpp - calls that a model describes -----------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Calls/ApiCallLowering.h"
#include "Frontend/Ast/Code.h"
#include "Frontend/Ast/Surroundings.h"
#include "Frontend/Ast/Types.h"
#include "Frontend/Build/CallCounter.h"
#include "Frontend/Build/ConstantMaker.h"
#include "Frontend/Build/FunctionBuilder.h"
#include "Frontend/Build/Lowerer.h"
#include "Frontend/Build/PlaceFinder.h"
#include "Frontend/Build/UnitTable.h"
#include "Frontend/Edits/EditVetter.h"
#include "clang/AST/DeclTemplate.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Which operation
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
  // A declaration may leave it out; what has no name is a list's element.
  if (Name.empty() && opClass(A.O) > OpClass::Condition)
    return "argument" + std::to_string(I);
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
static bool isDeclared(StringRef Function, const ASTContext &Context) {
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
static bool isUsersObject(const CallSite &C, Types &Kinds) {
  if (!C.Object)
    return false;
  QualType T = C.Object->getType();
  const CXXRecordDecl *R =
      recordOf(T->isPointerType() ? T->getPointeeType() : T);
  return R && Kinds.model().isUsersType(Kinds.name(*R));
}

/// The dtype of `tensor({{1, 2}, {3, 4}})`: integers become int64, and others
/// the default.
static StringRef literalDType(const Expr *E, Types &Kinds) {
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

/// What a model says of one call.
struct ApiCallLowering::Meaning {
  const CallSite &C;
  const CXXRecordDecl *Module = nullptr; ///< whose forward() it runs
  std::string Qualified;
  bool OnTensor = false, ReturnsTensor = false, IsUsers = false;
  bool Named = false;   ///< with its class, or by a user
  bool Touches = false; ///< a tensor, or a list of them
  const Api *Found = nullptr;
  Api BySuffix; ///< what `exp_` or `mm_out` makes of `exp` or `mm`
  const Api *Base = nullptr;
  Op Computes = Op::Opaque;

  explicit Meaning(const CallSite &C) : C(C) {}
  const Api &api() const { return Found ? *Found : BySuffix; }
};

/// The name of the function by which models know it; false: of no library.
bool ApiCallLowering::qualify(Meaning &M) {
  const CallSite &C = M.C;
  M.Module = C.Object ? Kinds.moduleOf(C.Object->getType()) : nullptr;
  const QualType T = C.Object ? C.Object->getType() : QualType();
  const QualType Object =
      C.Object && T->isPointerType() ? T->getPointeeType() : T;
  M.OnTensor = C.Object && Kinds.isTensor(Object);
  M.Qualified = Kinds.name(*C.Callee).str();
  if (const auto *Ctor = dyn_cast<CXXConstructorDecl>(C.Callee))
    M.Qualified = Kinds.name(*Ctor->getParent()).str() +
                  "::" + Ctor->getParent()->getNameAsString();
  M.IsUsers = Kinds.model().isUsers(M.Qualified);
  if (!M.OnTensor && !M.IsUsers && !Kinds.isLibrary(*C.Callee))
    return false;
  if (M.Module && C.Name == "operator()")
    M.Qualified = Kinds.name(*M.Module).str() + "::forward";
  else if (C.Object && !M.OnTensor)
    if (const CXXRecordDecl *R = recordOf(Object))
      M.Qualified = Kinds.name(*R).str() + "::" + C.Name;
  M.ReturnsTensor = Kinds.hasTensor(C.E->getType());
  return true;
}

/// Whether condition \p If of \p A holds for the call.
bool ApiCallLowering::holds(const Meaning &M, const Api &A,
                            const ApiCondition &If) {
  const CallSite &C = M.C;
  if (If.Param.empty()) // `stream << tensor` is no shift
    return (M.ReturnsTensor || !givesTensor(A.O)) && A.In.hold(Unit.Library) &&
           isDeclared(A.Declared, Context);
  for (size_t I = 0; I < C.Args.size(); ++I) {
    if (paramName(A, C, I) != If.Param)
      continue;
    Expr::EvalResult Value;
    if (If.Is)
      return !C.Args[I]->isValueDependent() &&
             C.Args[I]->EvaluateAsInt(Value, Context) &&
             (Value.Val.getInt() == *If.Is) != If.Differs;
    return isKind(
        Kinds.kind(C.Params[I] ? C.Params[I]->getType() : C.Args[I]->getType()),
        If.Kind);
  }
  return false;
}

/// What the call means, by its own name or by that of another and a suffix.
bool ApiCallLowering::find(Meaning &M) {
  const CallSite &C = M.C;
  if (!qualify(M))
    return false;
  // A method of anything but a tensor must be named with its class; a standard
  // function never means a tensor operation.
  // A user's own function or type has no part in the library's names.
  M.Named = (C.Object && !M.OnTensor) || M.IsUsers || isUsersObject(C, Kinds);
  const StringRef Plain = M.Named ? StringRef() : StringRef(C.Name);
  if (StringRef(M.Qualified).starts_with("std::"))
    return false;
  auto Holds = [&](const Api &A, const ApiCondition &If) {
    return holds(M, A, If);
  };
  const ApiModel &Model = Kinds.model();
  M.Found = Model.find(Plain, M.Qualified, M.OnTensor, Holds);
  if (!M.Found && C.Object && !M.OnTensor)
    M.Found = Model.find(Plain, Kinds.name(*C.Callee), M.OnTensor, Holds);
  M.Touches =
      M.OnTensor || M.ReturnsTensor || llvm::any_of(C.Args, [&](const Expr *E) {
        return Kinds.hasTensor(E->getType());
      });
  // A C library's names are its own; others may mean integers.
  if (M.Found && !M.Touches && !M.IsUsers && !isGgml(M.Found->O))
    M.Found = nullptr;
  if (M.Found)
    return true;

  const bool HasTensor = M.OnTensor || llvm::any_of(C.Args, [&](const Expr *E) {
                           return Kinds.isTensor(E->getType());
                         });
  if (Plain.empty() || C.IsOperator || !HasTensor ||
      !Model.findSuffix(Plain, M.BySuffix.O))
    return false;
  // exp_() asks of its operands what exp() does, and mm_out() what mm() does.
  const bool IsOut = M.BySuffix.O == Op::OutWrite;
  const StringRef BaseName =
      IsOut ? Plain.take_front(Plain.rfind("_out")) : Plain.drop_back();
  M.Base = Model.find(BaseName, "", M.OnTensor && !IsOut, Holds);
  if (M.Base && !IsOut) {
    llvm::copy_if(M.Base->Rename, std::back_inserter(M.BySuffix.Rename),
                  [](const auto &R) { return R.first != "self"; });
    llvm::copy_if(M.Base->Set, std::back_inserter(M.BySuffix.Set),
                  [](const ApiConstant &K) { return K.Name == "needs"; });
    if (M.Base->O == Op::AddMM)
      M.Computes = M.Base->O;
  }
  return true;
}

/// The tensor that a method is called on.
ValueId ApiCallLowering::object(const CallSite &C) {
  if (!C.Object->getType()->isPointerType())
    return Lower.value(C.Object);
  if (isa<CXXThisExpr>(strip(C.Object)))
    return Build.emitOther(Op::Deref, "*this", C.Object, {});
  if (Place P = Places.pointee(C.Object); P && P.Exact)
    return Build.load(P.Var, C.Object);
  return Build.emitOther(Op::Deref, derefName(C.Object), C.Object,
                         Lower.value(C.Object));
}

/// What is passed, by the names of the model. The argument that is the first
/// tensor, or -1.
int ApiCallLowering::passed(const Meaning &M,
                            llvm::SmallVectorImpl<Arg> &Operands) {
  const CallSite &C = M.C;
  const Api &A = M.api();
  if (M.OnTensor)
    Operands.push_back({"self", object(C), Role::Read, NoId});
  int FirstTensor = -1;
  for (size_t I = 0; I < C.Args.size(); ++I) {
    std::string Name = paramName(A, C, I);
    if (FirstTensor < 0 && Kinds.isTensor(C.Args[I]->getType()))
      FirstTensor = Operands.size();
    Operands.push_back({Name, Lower.value(C.Args[I]), Role::Read, NoId});
  }
  rename(Operands, A.Rename);
  bool HasSelf =
      llvm::any_of(Operands, [](const Arg &O) { return O.Name == "self"; });
  if (!HasSelf && FirstTensor >= 0 && !namesAllOperands(A.O) &&
      opClass(A.O) != OpClass::Factory)
    Operands[FirstTensor].Name = "self";
  return FirstTensor;
}

/// Lists that the model makes of several operands: `[n, x[1], 4]`.
void ApiCallLowering::join(const Api &A, const Expr *At,
                           llvm::SmallVectorImpl<Arg> &Operands) {
  for (const auto &[Name, Parts] : A.Join) {
    llvm::SmallVector<ValueId, 4> Elements;
    for (StringRef Part : Parts) {
      int64_t Int;
      const StringRef Tensor = Part.take_until([](char B) { return B == '['; });
      const Arg *Operand = llvm::find_if(
          Operands, [&](const Arg &O) { return O.Name == Tensor; });
      if (!Part.getAsInteger(10, Int))
        Elements.push_back(Build.constInt(Int, At));
      else if (Operand == Operands.end())
        break;
      else if (Tensor == Part)
        Elements.push_back(Operand->Value);
      else if (!Part.substr(Tensor.size() + 1)
                    .drop_back()
                    .getAsInteger(10, Int)) {
        const ValueId Of = Operand->Value, Dim = Build.constInt(Int, At);
        program::Stmt &S = Build.emit(Op::Size, At);
        S.Args.push_back({"self", Of, Role::Read, NoId});
        S.Args.push_back({"dim", Dim, Role::Read, NoId});
        Elements.push_back(Build.result(S));
      }
    }
    if (Elements.size() == Parts.size())
      Operands.push_back({Name, Build.emitValue(Op::List, At, Elements),
                          Role::Read, NoId, true});
  }
}

/// What types, template arguments and literals say beside.
void ApiCallLowering::describeTypes(const Api &A, const CallSite &C,
                                    llvm::SmallVectorImpl<Arg> &Operands) {
  auto Give = [&](StringRef Name, ValueId V) {
    Operands.push_back({Name.str(), V, Role::Read, NoId, true});
  };
  if (A.O == Op::Item)
    if (StringRef DType = dtypeOf(C.E->getType()); !DType.empty())
      Give("dtype", Build.constText(ConstKind::Symbol, DType, C.E));
  if (const auto *Given = C.Callee->getTemplateSpecializationArgs())
    for (size_t I = 0; I < std::min<size_t>(A.Template.size(), Given->size());
         ++I)
      if (ValueId V = Constants.argument(Given->get(I), C.E))
        Give(A.Template[I], V);
  if (A.O == Op::FromBlob)
    describeMemory(C, Operands);
  if (A.O == Op::TensorOf && !C.Args.empty())
    if (StringRef DType = literalDType(C.Args[0], Kinds); !DType.empty())
      Give("element", Build.constText(ConstKind::Symbol, DType, C.E));
}

/// Where the name of the callee stands.
static SourceLocation nameOf(const CallSite &C) {
  const auto *Call = dyn_cast<CallExpr>(C.E);
  if (!Call)
    return C.E->getExprLoc(); // a constructor
  if (const auto *M = dyn_cast<MemberExpr>(Call->getCallee()->IgnoreParens()))
    return M->getMemberLoc();
  if (const auto *O = dyn_cast<CXXOperatorCallExpr>(C.E))
    return O->getOperatorLoc();
  if (const auto *R =
          dyn_cast<DeclRefExpr>(Call->getCallee()->IgnoreParenImpCasts()))
    return R->getLocation();
  return SourceLocation();
}

/// What the statement \p S says of the call and its text. \p Tensor: the
/// argument that is the first one.
void ApiCallLowering::describe(program::Stmt &S, const Meaning &M, int Tensor) {
  const CallSite &C = M.C;
  S.Text = C.IsOperator ? StringRef(C.Name).drop_front(8).str() : C.Name;
  if (M.Module && C.Name == "operator()")
    S.Text = "forward";
  S.Forward = S.Text == "forward";
  S.Narrows = S.O == Op::Accessor && C.Name == "packed_accessor32";
  S.Computes = M.Computes;
  S.Has = M.api().Has;
  S.Has |= Kinds.model().attributesOf(M.Qualified, !S.isOpaque());
  if (C.Object && M.OnTensor)
    S.Object = Build.range(C.Object->getSourceRange());
  else if (S.O == Op::GgmlCont && Tensor >= 0)
    S.Object = Build.range(C.Args[Tensor]->getSourceRange());
  const bool IsCall = isa<CallExpr>(C.E);
  S.Callee = Build.range(nameOf(C));
  S.Edits = IsCall ? Edits.vet(C, S.Callee) : 0;
  if (M.Named) // our advice has libtorch's names
    S.Edits &= ~EditRenameCallee;
  S.Discarded = IsCall && Around.isDiscarded(*C.E);
  if (S.Discarded && Edits.mayAssignBack(C))
    S.Edits |= EditAssign;
}

/// The operation itself; of a tuple of tensors one for each.
ValueId ApiCallLowering::operation(const Meaning &M) {
  const CallSite &C = M.C;
  const Api &A = M.api();
  llvm::SmallVector<Arg, 4> Operands;
  const int FirstTensor = passed(M, Operands);
  join(A, C.E, Operands);
  // 'a | b': one text for each tensor of a tuple.
  llvm::SmallVector<std::pair<size_t, llvm::StringRef>, 2> PerResult;
  for (const ApiConstant &K : A.Set) {
    if (llvm::StringRef(K.Text).contains('|'))
      PerResult.emplace_back(Operands.size(), K.Text);
    Operands.push_back(
        {K.Name, Constants.given(K, C.E), Role::Read, NoId, true});
  }
  describeTypes(A, C, Operands);
  if (A.Has.has(Attribute::MovesBlock))
    for (size_t I = 0; I < C.Args.size(); ++I)
      Operands[I + (M.OnTensor ? 1 : 0)].Unit = unitBehind(Context, *C.Args[I]);

  // A tuple of tensors is a list of that many results of the operation.
  unsigned Results =
      opClass(A.O) == OpClass::View || opClass(A.O) == OpClass::MaybeCopy
          ? 0
          : Kinds.tupleSize(C.E->getType());
  llvm::SmallVector<ValueId, 3> Made;
  for (unsigned I = 0; I < std::max(Results, 1u); ++I) {
    for (auto [At, Texts] : PerResult) {
      llvm::StringRef Text = Texts;
      for (unsigned Skip = 0; Skip < I; ++Skip)
        Text = Text.split('|').second;
      Operands[At].Value =
          Build.constText(ConstKind::Symbol, Text.split('|').first.trim(), C.E);
    }
    program::Stmt &S = Build.emit(A.O, C.E);
    S.Args.append(Operands.begin(), Operands.end());
    describe(S, M, FirstTensor);
    if (Kinds.kind(C.E->getType()) != Kind::Void)
      Made.push_back(Build.result(S));
  }
  return Made.empty()  ? 0
         : Results > 0 ? Build.emitValue(Op::List, C.E, Made)
                       : Made[0];
}

bool ApiCallLowering::call(const CallSite &C, ValueId &Result) {
  Meaning M(C);
  if (!find(M))
    return false;
  const Op O = M.api().O;
  if (M.Touches)
    Counts.count(C, O);
  if (O == Op::OutWrite) {
    Result = outCall(C, M.Base);
    return true;
  }
  if (O != Op::Assume) {
    Result = operation(M);
    return true;
  }
  // Its first argument is the condition; otherwise it does not return.
  if (!C.Args.empty()) {
    ValueId Condition = Lower.condition(C.Args[0]);
    Build.emit(Op::Assume, C.E)
        .Args.push_back({"", Condition, Role::Read, NoId});
  }
  return true;
}

/// The bytes of the object that \p E is the address of: an array, a
/// std::array, a number. 0: not known.
static uint64_t bytesOf(ASTContext &Context, Types &Kinds, const Expr *E) {
  const Expr *Object = nullptr;
  if (const auto *A = dyn_cast<UnaryOperator>(E);
      A && A->getOpcode() == UO_AddrOf) {
    Object = A->getSubExpr()->IgnoreParenImpCasts();
    Expr::EvalResult Index;
    if (const auto *At = dyn_cast<ArraySubscriptExpr>(Object);
        At && At->getIdx()->EvaluateAsInt(Index, Context) &&
        Index.Val.getInt() == 0)
      Object = At->getBase()->IgnoreParenImpCasts();
    else if (!isa<DeclRefExpr, MemberExpr>(Object) ||
             !(Object->getType()->isArithmeticType() ||
               Object->getType()->isArrayType()))
      return 0;
  } else if (const auto *C = dyn_cast<CXXMemberCallExpr>(E);
             C && C->getMethodDecl() && C->getMethodDecl()->getIdentifier() &&
             C->getMethodDecl()->getName() == "data") {
    Object = C->getImplicitObjectArgument();
    if (!Kinds.arraySize(Object->getType()))
      return 0;
  } else {
    Object = E;
    if (!E->getType()->isArrayType())
      return 0;
  }
  const QualType T = Object->getType().getNonReferenceType();
  if (!isa<DeclRefExpr, MemberExpr>(Object->IgnoreParenImpCasts()) ||
      T->isPointerType() || T->isIncompleteType() || T->isDependentType() ||
      (T->isArrayType() && !Context.getAsConstantArrayType(T)))
    return 0;
  return static_cast<uint64_t>(Context.getTypeSizeInChars(T).getQuantity());
}

/// Objects that have their elements elsewhere, if \p T is one: "std::vector".
static std::string handle(Types &Kinds, QualType T) {
  if (const CXXRecordDecl *R = T->getAsCXXRecordDecl()) {
    const std::string Name = Kinds.name(*R).str();
    if (Name == "std::vector" || Name == "std::unique_ptr" ||
        Name == "std::shared_ptr" || Name == "std::basic_string" ||
        Kinds.isPlainTensor(T))
      return Name;
  }
  return "";
}

/// What the type of from_blob()'s pointer tells: `element`, its dtype, or the
/// class of objects that hold none; `unit`, its bytes; `bytes` of an array.
/// Bytes may be anything.
void ApiCallLowering::describeMemory(const CallSite &C,
                                     llvm::SmallVectorImpl<Arg> &Operands) {
  const Expr *E = C.Args.empty() ? nullptr : C.Args[0]->IgnoreParenImpCasts();
  auto Give = [&](StringRef Name, ValueId V) {
    Operands.push_back({Name.str(), V, Role::Read, NoId, true});
  };
  auto Number = [&](StringRef Name, uint64_t N) {
    if (N)
      Give(Name, Build.constInt(static_cast<int64_t>(N), C.E));
  };
  const Expr *Inner = E;
  while (const auto *Cast = dyn_cast_or_null<ExplicitCastExpr>(Inner))
    Inner = Cast->getSubExpr()->IgnoreParenImpCasts();
  if (!Inner)
    return;
  auto IsMemory = [](QualType T) {
    return T->isPointerType() || T->isArrayType();
  };
  if (IsMemory(Inner->getType())) {
    const QualType Of = pointee(Inner->getType());
    std::string Class = handle(Kinds, Of);
    if (Class.empty() && Of->isPointerType() && Inner == E)
      Class = "pointer";
    if (!Class.empty())
      return Give("element",
                  Build.constText(ConstKind::Symbol, "of " + Class, C.E));
    Number("bytes", bytesOf(Context, Kinds, Inner));
    // What counts objects counts these; get() of what owns one has just that.
    const auto *Get = dyn_cast<CXXMemberCallExpr>(Inner);
    const auto *Owner =
        Get && Get->getMethodDecl() && Get->getMethodDecl()->getIdentifier() &&
                Get->getMethodDecl()->getName() == "get"
            ? dyn_cast_or_null<ClassTemplateSpecializationDecl>(
                  recordOf(Get->getImplicitObjectArgument()->getType()))
            : nullptr;
    const bool OwnsOne =
        Owner && Owner->getTemplateArgs().size() > 0 &&
        Owner->getTemplateArgs().get(0).getKind() == TemplateArgument::Type &&
        !Owner->getTemplateArgs().get(0).getAsType()->isArrayType();
    if (!Of->isVoidType() && !Of->isIncompleteType() &&
        !Of->isDependentType() && !Of->isFunctionType() && !OwnsOne)
      Number("unit", static_cast<uint64_t>(
                         Context.getTypeSizeInChars(Of).getQuantity()));
  }
  while (const auto *Cast = dyn_cast_or_null<ExplicitCastExpr>(E)) {
    if (!Cast->getType()->isVoidPointerType())
      break; // it says what the memory is
    E = Cast->getSubExpr()->IgnoreParenImpCasts();
  }
  if (!IsMemory(E->getType()))
    return;
  const QualType Element = pointee(E->getType());
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
  if (!Name.empty())
    Give("element", Build.constText(ConstKind::Symbol, Name, C.E));
}

/// `f_out(out, ...)`: every tensor taken by non-const reference is overwritten.
/// \p Base is the operation whose result it writes, or null.
ValueId ApiCallLowering::outCall(const CallSite &C, const Api *Base) {
  llvm::SmallVector<ValueId, 2> Outs;
  llvm::SmallVector<Arg, 4> Inputs;
  if (C.Object)
    Inputs.push_back({"self", Lower.value(C.Object), Role::Read, NoId});
  Arg *FirstTensor = nullptr;
  Inputs.reserve(C.Args.size() + 1);
  for (size_t I = 0; I < C.Args.size(); ++I) {
    ValueId V = Lower.value(C.Args[I]);
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
      Inputs.push_back(
          {K.Name, Constants.given(K, C.E), Role::Read, NoId, true});
  }
  llvm::SmallVector<ValueId, 2> Results;
  for (ValueId O : Outs) {
    program::Stmt &S = Build.emit(Op::OutWrite, C.E);
    S.Text = C.Name;
    S.Discarded = Around.isDiscarded(*C.E);
    if (Base && Outs.size() == 1 && opClass(Base->O) == OpClass::Compute)
      S.Computes = Base->O;
    S.Args.push_back({"out", O, Role::Read, NoId});
    S.Args.append(Inputs.begin(), Inputs.end());
    Results.push_back(Build.result(S));
  }
  if (Results.size() == 1)
    return Results[0];
  return Build.emitValue(Op::List, C.E, Results);
}
