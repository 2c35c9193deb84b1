//===- ListLowering.cpp - the vocabulary around tensors -------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lists of sizes and tensors, optionals, tensor options, tuples, std::move:
// classes that carry what a tensor program follows from one call to the next.
//
//===----------------------------------------------------------------------===//

#include "Frontend/Lower/Lowering.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;
using llvm::StringRef;

/// std::swap(A, B): each store says so, for memory goes with its list.
void Lowering::swapValues(const Expr *A, const Expr *B) {
  const ValueId Old[] = {val(A), val(B)};
  const Expr *Both[] = {A, B};
  for (unsigned I = 0; I < 2; ++I) {
    assign(Both[I], Old[1 - I], Both[I]);
    if (program::Stmt &S = Out.Blocks[Here].Stmts.back(); S.O == Op::Store)
      S.Swaps = true;
  }
}

bool Lowering::lowerLibrary(const CallSite &C, ValueId &Result) {
  if (C.Name == "operator=" && C.Object)
    return lowerTensorAssign(C, Result);
  if (C.Object) {
    QualType T = C.Object->getType();
    if (C.Name == "reset" && C.Args.empty() && Kinds.isTensor(T))
      if (Place P = place(C.Object)) {
        storeTo(P, constNone(C.E), C.E);
        return true;
      }
    // optional<Tensor>::emplace(t)
    if (C.Name == "emplace" && C.Args.size() == 1 && Kinds.isTensor(T) &&
        Kinds.isTensor(C.Args[0]->getType()))
      if (Place P = place(C.Object)) {
        Result = val(C.Args[0]);
        storeTo(P, Result, C.E);
        movedFrom(C.Args[0]);
        return true;
      }
    // unique_ptr<Tensor>::reset(p)
    if (C.Name == "reset" && C.Args.size() <= 1 &&
        isOwner(strip(C.Object)->getType()))
      if (Place P = place(C.Object); P && P.Exact) {
        storeTo(P, C.Args.empty() ? constNone(C.E) : val(C.Args[0]), C.E);
        return true;
      }
    if (C.Name == "swap" && C.Args.size() == 1 && place(C.Object).Exact &&
        place(C.Args[0]).Exact && Kinds.kind(T) == Kind::List) {
      swapValues(C.Object, C.Args[0]);
      return true;
    }
    if (Kinds.isWrapper(T))
      if (lowerWrapperCall(C, Result))
        return true;
    switch (Kinds.kind(T)) {
    case Kind::List:
      if (lowerListCall(C, Result))
        return true;
      break;
    case Kind::Options:
      return lowerOptionsCall(C, Result);
    case Kind::Scalar:
    case Kind::Symbol:
      // Scalar::toInt(), to<T>(), SymInt::expect_int(), conversions.
      if (C.Args.empty() &&
          (StringRef(C.Name).starts_with("to") || C.Name == "expect_int" ||
           C.Name == "guard_int" || C.Name == "as_int_unchecked" ||
           isa<CXXConversionDecl>(C.Callee)) &&
          Kinds.kind(C.E->getType()) != Kind::Other) {
        Result = val(C.Object);
        return true;
      }
      break;
    default:
      break;
    }
  }
  return lowerStdCall(C, Result);
}

//===----------------------------------------------------------------------===//
// Assignment
//===----------------------------------------------------------------------===//

/// A smart pointer to one tensor.
bool Lowering::isOwner(QualType T) {
  const auto *R =
      dyn_cast_or_null<ClassTemplateSpecializationDecl>(recordOf(T));
  if (!R || (Kinds.name(*R) != "std::unique_ptr" &&
             Kinds.name(*R) != "std::shared_ptr"))
    return false;
  const QualType Of = R->getTemplateArgs()[0].getAsType();
  return !Of->isArrayType() && Kinds.isPlainTensor(Of);
}

/// `y = x` makes y another handle of x's tensor; `x[i] = y`, whose left side is
/// a temporary, writes elements (libtorch's operator= for rvalues).
bool Lowering::lowerTensorAssign(const CallSite &C, ValueId &Result) {
  if (C.Args.size() != 1)
    return false;
  const Expr *Source = C.Args[0];
  QualType T = C.Object->getType();
  Kind K = Kinds.kind(T);
  const auto *Method = cast<CXXMethodDecl>(C.Callee);
  if (Kinds.isPlainTensor(T) && Method->getRefQualifier() == RQ_RValue) {
    ValueId Self = val(C.Object), Other = val(Source);
    program::Stmt &S = emit(Op::Update, C.E);
    S.Text = "=";
    S.Args.push_back({"self", Self, Role::Read, NoId});
    S.Args.push_back({"other", Other, Role::Read, NoId});
    S.Object = range(C.Object->getSourceRange());
    S.Discarded = isDiscarded(*C.E);
    if (const auto *O = dyn_cast<CXXOperatorCallExpr>(C.E))
      S.Callee = range(O->getOperatorLoc());
    Result = result(S);
    countCall(C, Op::Const);
    return true;
  }
  if (K == Kind::Other &&
      ((Kinds.fields(T).empty() && !isOwner(T)) || !place(C.Object).Exact))
    return false;
  ValueId V = val(Source);
  Result = V;
  // std::tie(a, b) = f();
  if (const auto *Tie = dyn_cast<CallExpr>(strip(C.Object));
      Tie && Tie->getDirectCallee() &&
      Kinds.name(*Tie->getDirectCallee()) == "std::tie") {
    for (unsigned I = 0; I < Tie->getNumArgs(); ++I) {
      const auto *Name = dyn_cast<DeclRefExpr>(strip(Tie->getArg(I)));
      if (Name && Kinds.name(*Name->getDecl()) == "std::ignore")
        continue;
      ValueId Index = constInt(I, C.E);
      ValueId Element = emitValue(Op::ListGet, C.E, {V, Index});
      assign(Tie->getArg(I), Element, C.E);
    }
    return true;
  }
  Result = V = viewOfShortLived(*Source, V, false);
  movedFrom(Source);
  assign(C.Object, V, C.E);
  return true;
}

//===----------------------------------------------------------------------===//
// Optionals
//===----------------------------------------------------------------------===//

bool Lowering::lowerWrapperCall(const CallSite &C, ValueId &Result) {
  if (C.Name == "operator*" || C.Name == "operator->" || C.Name == "value" ||
      C.Name == "getTensorRef" || C.Name == "get") {
    Result = val(C.Object);
    return true;
  }
  if (C.Name == "has_value" || C.Name == "operator bool") {
    ValueId V = val(C.Object);
    if (Kinds.isTensor(C.Object->getType())) {
      program::Stmt &S = emit(Op::Defined, C.E);
      S.Args.push_back({"self", V, Role::Read, NoId});
      Result = result(S);
    } else {
      Result = emitOther(Op::Opaque, "has_value", C.E, V);
    }
    return true;
  }
  if (C.Name == "value_or" && C.Args.size() == 1) {
    ValueId A = val(C.Object), B = val(C.Args[0]);
    Result = emitValue(Op::Phi, C.E, {A, B});
    return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

/// \p List becomes what \p O makes of it; false if it has no elements of its
/// own, or none that is known by name. \p Effect is run in between: what else
/// the change means to a list of handles.
bool Lowering::changeList(const Expr *List, Op O,
                          llvm::ArrayRef<ValueId> Operands, const Expr *At,
                          ValueId Before, llvm::function_ref<void()> Effect) {
  Place P = place(List);
  const QualType T = strip(List)->getType();
  if (!P || !P.Exact ||
      !(Kinds.isIntVector(T) || Kinds.isHandleVector(T) || Kinds.tupleSize(T)))
    return false;
  llvm::SmallVector<ValueId, 3> All{Before ? Before : load(P.Var, List)};
  All.append(Operands.begin(), Operands.end());
  const ValueId Changed = emitValue(O, At, All);
  if (Effect)
    Effect();
  storeTo(P, Changed, List);
  return true;
}

ValueId Lowering::lastIndex(const Expr *List, const Expr *At) {
  ValueId Size = emitValue(Op::ListSize, At, val(List));
  return emitValue(Op::ISub, At, {Size, constInt(1, At)});
}

/// The index of the element that `l[i]`, `l.at(i)`, `l.front()`, `l.back()` is.
ValueId Lowering::elementIndex(const CallSite &C) {
  if (C.Args.size() == 1 && (C.Name == "operator[]" || C.Name == "at"))
    return val(C.Args[0]);
  if (!C.Args.empty() || (C.Name != "front" && C.Name != "back"))
    return 0;
  return C.Name == "front" ? constInt(0, C.E) : lastIndex(C.Object, C.E);
}

/// The index that std::get<i>(t) is called with; 0 if it is another function.
ValueId Lowering::tupleIndex(const CallSite &C) {
  if (C.Object || C.Args.size() != 1 || Kinds.name(*C.Callee) != "std::get" ||
      Kinds.kind(C.Args[0]->getType()) != Kind::List)
    return 0;
  const TemplateArgumentList *T = C.Callee->getTemplateSpecializationArgs();
  return T && T->size() != 0 &&
                 T->get(0).getKind() == TemplateArgument::Integral
             ? constInt(T->get(0).getAsIntegral().getZExtValue(), C.E)
             : 0;
}

/// The index that `l.begin() + i` or `l.end() - 1` stands for; 0 if none.
/// \p Before is the list from which the iterator was taken: what others may do
/// with an iterator it cannot have suffered yet.
ValueId Lowering::iteratorIndex(const Expr *Iterator, const Expr *List,
                                ValueId &Before) {
  const Expr *E =
      Iterator->IgnoreParenImpCasts()->IgnoreUnlessSpelledInSource();
  if (const auto *C = dyn_cast<CXXOperatorCallExpr>(E);
      C && C->getNumArgs() == 2 &&
      (C->getOperator() == OO_Plus || C->getOperator() == OO_Minus)) {
    ValueId From = iteratorIndex(C->getArg(0), List, Before);
    if (!From || Kinds.kind(C->getArg(1)->getType()) != Kind::Int)
      return 0;
    return emitValue(C->getOperator() == OO_Plus ? Op::IAdd : Op::ISub, E,
                     {From, val(C->getArg(1))});
  }
  const auto *C = dyn_cast<CXXMemberCallExpr>(E);
  if (!C || !C->getMethodDecl() || !C->getMethodDecl()->getIdentifier())
    return 0;
  Place Of = place(C->getImplicitObjectArgument()), P = place(List);
  if (!Of || !P || !Of.Exact || !P.Exact || Of.Var != P.Var)
    return 0;
  Before = IteratorOf.lookup(C);
  if (!Before)
    return 0;
  StringRef N = C->getMethodDecl()->getName();
  return N == "begin" ? constInt(0, E) : emitValue(Op::ListSize, E, Before);
}

/// Whether an element of the vector type \p List made from \p E is that value,
/// as push_back() takes and emplace_back() may not.
bool Lowering::makesElement(const Expr &E, QualType List) {
  const QualType T = Kinds.elementType(List);
  return Kinds.kind(T) == Kind::Other
             ? Context.hasSameUnqualifiedType(E.getType().getNonReferenceType(),
                                              T.getNonReferenceType())
             : Kinds.kind(T) == Kinds.kind(E.getType());
}

/// push_back() and its kin.
bool Lowering::lowerListChange(const CallSite &C) {
  StringRef N = C.Name;
  const QualType T = strip(C.Object)->getType();
  const bool Handles = Kinds.isHandleVector(T);
  if (!Handles && !Kinds.isIntVector(T))
    return false;
  // Who holds the elements matters, of handles.
  auto Effect = [&] {
    if (Handles)
      lowerOpaque(C);
  };
  if ((N == "push_back" || N == "emplace_back") && C.Args.size() == 1 &&
      makesElement(*C.Args[0], T)) {
    ValueId V = val(C.Args[0]);
    return changeList(C.Object, Op::ListInsert,
                      {emitValue(Op::ListSize, C.E, val(C.Object)), V}, C.E, 0,
                      Effect);
  }
  if ((N == "push_front" || N == "emplace_front") && C.Args.size() == 1 &&
      makesElement(*C.Args[0], T))
    return changeList(C.Object, Op::ListInsert,
                      {constInt(0, C.E), val(C.Args[0])}, C.E, 0, Effect);
  if (N == "pop_front" && C.Args.empty())
    return changeList(C.Object, Op::ListErase, constInt(0, C.E), C.E, 0,
                      Effect);
  if (N == "clear" && C.Args.empty()) {
    Place P = place(C.Object);
    if (!P || !P.Exact)
      return false;
    Effect();
    storeTo(P, emitValue(Op::List, C.E, {}), C.Object);
    return true;
  }
  if (N == "reserve") { // changes nothing but where elements may go
    emitOther(Op::Opaque, "reserve", C.E, val(C.Object));
    return true;
  }
  if (Place P = place(C.Object);
      Handles && N == "resize" && P && P.Exact && C.Args.size() == 1) {
    ValueId Size = val(C.Args[0]), Old = load(P.Var, C.Object);
    ValueId Resized = emitValue(Op::ListOf, C.E, {Size, Old});
    Effect();
    storeTo(P, Resized, C.Object);
    return true;
  }
  if (N == "begin" || N == "end") {
    if (Place P = place(C.Object); P && P.Exact)
      IteratorOf[C.E] = load(P.Var, C.Object);
    return false;
  }
  if (N == "erase" && C.Args.size() == 1) {
    ValueId Before = 0, I = iteratorIndex(C.Args[0], C.Object, Before);
    return I && changeList(C.Object, Op::ListErase, I, C.E, Before, Effect);
  }
  if (Handles)
    return false;
  if (N == "pop_back" && C.Args.empty())
    return changeList(C.Object, Op::ListErase, lastIndex(C.Object, C.E), C.E);
  if (N == "insert" && C.Args.size() == 2 &&
      Kinds.kind(C.Args[1]->getType()) == Kind::Int) {
    ValueId Before = 0, I = iteratorIndex(C.Args[0], C.Object, Before);
    return I && changeList(C.Object, Op::ListInsert, {I, val(C.Args[1])}, C.E,
                           Before);
  }
  return false;
}

bool Lowering::lowerListCall(const CallSite &C, ValueId &Result) {
  StringRef N = C.Name;
  if (lowerListChange(C))
    return true;
  if (N == "size" || N == "length") {
    Result = emitValue(Op::ListSize, C.E, val(C.Object));
    return true;
  }
  if (N == "empty" && Kinds.kind(C.E->getType()) == Kind::Bool) {
    ValueId Size = emitValue(Op::ListSize, C.E, val(C.Object));
    Result = emitValue(Op::CmpEq, C.E, {Size, constInt(0, C.E)});
    return true;
  }
  if ((N == "operator[]" || N == "at" || N == "get") && C.Args.size() == 1) {
    ValueId L = val(C.Object), I = val(C.Args[0]);
    const ValueId Element = emitValue(Op::ListGet, C.E, {L, I});
    Out.Blocks[Here].Stmts.back().Text = N.str();
    Result = derives(Element, C.E->getType());
    return true;
  }
  if ((N == "front" || N == "back") && C.Args.empty()) {
    ValueId L = val(C.Object);
    ValueId I = N == "front" ? constInt(0, C.E) : lastIndex(C.Object, C.E);
    Result = derives(emitValue(Op::ListGet, C.E, {L, I}), C.E->getType());
    return true;
  }
  bool GivesList = Kinds.kind(C.E->getType()) == Kind::List;
  if (C.Args.empty() && GivesList &&
      (N == "vec" || N == "value" || N == "operator*" ||
       isa<CXXConversionDecl>(C.Callee))) {
    Result = ownElements(val(C.Object), C.Object->getType(), *C.E);
    return true;
  }
  if ((N == "equals" || N == "operator==" || N == "operator!=") &&
      C.Args.size() == 1 && Kinds.kind(C.Args[0]->getType()) == Kind::List) {
    ValueId A = val(C.Object), B = val(C.Args[0]);
    Result = emitValue(N == "operator!=" ? Op::CmpNe : Op::CmpEq, C.E, {A, B});
    return true;
  }
  return false;
}

/// \p V, a list of type \p From, as the list that \p E makes of it: a vector of
/// what a view shows has elements of its own.
ValueId Lowering::ownElements(ValueId V, QualType From, const Expr &E) {
  if (!V || !Kinds.borrows(From) || Kinds.borrows(E.getType()))
    return V;
  return emitValue(Op::ListCopy, &E, V);
}

/// The list that a pair of iterators `x.begin(), x.end()` spans, or null.
static const Expr *spannedBy(const Expr *Begin, const Expr *End) {
  auto Object = [](const Expr *E, StringRef Name) -> const Expr * {
    const auto *C = dyn_cast<CXXMemberCallExpr>(
        E->IgnoreParenImpCasts()->IgnoreUnlessSpelledInSource());
    if (!C || !C->getMethodDecl() || !C->getMethodDecl()->getIdentifier() ||
        C->getMethodDecl()->getName() != Name)
      return nullptr;
    return C->getImplicitObjectArgument()->IgnoreParenImpCasts();
  };
  const Expr *A = Object(Begin, "begin"), *B = Object(End, "end");
  // The same variable, or the same method of the same variable (x.sizes()).
  for (unsigned Depth = 0; A && B && Depth < 3; ++Depth) {
    const auto *RA = dyn_cast<DeclRefExpr>(A), *RB = dyn_cast<DeclRefExpr>(B);
    if (RA && RB)
      return RA->getDecl() == RB->getDecl() ? Object(Begin, "begin") : nullptr;
    const auto *CA = dyn_cast<CXXMemberCallExpr>(A),
               *CB = dyn_cast<CXXMemberCallExpr>(B);
    if (!CA || !CB || CA->getNumArgs() ||
        CA->getMethodDecl() != CB->getMethodDecl())
      return nullptr;
    A = CA->getImplicitObjectArgument()->IgnoreParenImpCasts();
    B = CB->getImplicitObjectArgument()->IgnoreParenImpCasts();
  }
  return nullptr;
}

bool Lowering::constructList(const CXXConstructExpr &E, ValueId &Result) {
  llvm::SmallVector<const Expr *, 4> Args;
  for (const Expr *A : E.arguments())
    if (!isa<CXXDefaultArgExpr>(A))
      Args.push_back(A);
  auto ListOf = [&](llvm::ArrayRef<const Expr *> Elements) {
    llvm::SmallVector<ValueId, 4> Values;
    for (const Expr *A : Elements) {
      Values.push_back(val(A));
      movedFrom(A);
    }
    Result = emitValue(Op::List, &E, Values);
    return true;
  };
  StringRef Class = Kinds.name(*E.getConstructor()->getParent());
  if (Kinds.tupleSize(E.getType()) == Args.size() && !Args.empty())
    return ListOf(Args);
  bool Owns = Class == "std::vector" || Class == "c10::SmallVector" ||
              Class == "at::DimVector";
  // Elements that nobody gave a value.
  auto Initial = [&](llvm::ArrayRef<QualType> Types, bool Zero) {
    llvm::SmallVector<ValueId, 4> Values;
    for (QualType T : Types)
      Values.push_back(Kinds.kind(T) == Kind::Tensor ? constNone(&E)
                       : Zero && Kinds.kind(T) == Kind::Int
                           ? constInt(0, &E)
                           : emitOther(Op::Unknown, "", &E, {}));
    Result = emitValue(Op::List, &E, Values);
    return true;
  };
  const QualType Element = Kinds.elementType(E.getType());
  constexpr uint64_t MaxInitial = 16;
  if (Args.empty()) {
    uint64_t Size = Kinds.arraySize(E.getType());
    if (const auto *A = Context.getAsConstantArrayType(E.getType()))
      Size = A->getSize().getZExtValue();
    if (Size && Size <= MaxInitial)
      return Initial(llvm::SmallVector<QualType, 4>(Size, Element), false);
    if (const auto Types = Kinds.tupleTypes(E.getType()); !Types.empty())
      return Initial(Types, true);
    return Size ? false : ListOf({});
  }
  if (Args.size() == 1) {
    Kind From = Kinds.kind(Args[0]->getType());
    if (From == Kind::None) {
      Result = constNone(&E);
      return true;
    }
    if (From == Kind::List) {
      Result = ownElements(val(Args[0]), Args[0]->getType(), E);
      return true;
    }
    if (Class == "torch::detail::TensorDataContainer" ||
        Class == "tensortidy::detail::TensorData") {
      Result = val(Args[0]);
      return true;
    }
    // ArrayRef(const T &) is a list of one, vector(n) one of n.
    if (!Owns && (From == Kind::Int || From == Kind::Tensor) &&
        Class != "torch::ExpandingArray")
      return ListOf(Args);
    Expr::EvalResult N;
    if (Class == "std::vector" && From == Kind::Int &&
        !Args[0]->isValueDependent() && Args[0]->EvaluateAsInt(N, Context) &&
        N.Val.getInt().ule(MaxInitial))
      return Initial(llvm::SmallVector<QualType, 4>(
                         N.Val.getInt().getZExtValue(), Element),
                     true);
    if (From == Kind::Int && Kinds.isHandleVector(E.getType())) {
      Result = emitValue(Op::ListOf, &E, val(Args[0]));
      return true;
    }
    return false;
  }
  if (Args.size() == 2) {
    if (const Expr *Whole = spannedBy(Args[0], Args[1])) {
      Result = ownElements(val(Whole), Whole->getType(), E);
      return true;
    }
    Expr::EvalResult R;
    if (Owns && Kinds.kind(Args[0]->getType()) == Kind::Int &&
        !Args[0]->isValueDependent() && Args[0]->EvaluateAsInt(R, Context) &&
        R.Val.getInt().ult(17)) {
      llvm::SmallVector<ValueId, 4> Values(R.Val.getInt().getZExtValue(),
                                           val(Args[1]));
      Result = emitValue(Op::List, &E, Values);
      return true;
    }
    if (Kinds.isHandleVector(E.getType()) &&
        Kinds.kind(Args[0]->getType()) == Kind::Int &&
        Kinds.kind(Args[1]->getType()) == Kind::Tensor) {
      Result = emitValue(Op::ListOf, &E, {val(Args[0]), val(Args[1])});
      return true;
    }
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Tensor options
//===----------------------------------------------------------------------===//

static StringRef optionName(StringRef Method) {
  return llvm::StringSwitch<StringRef>(Method)
      .Case("dtype", "dtype")
      .Case("device", "device")
      .Case("device_index", "device")
      .Case("layout", "layout")
      .Case("requires_grad", "requires_grad")
      .Case("pinned_memory", "pinned_memory")
      .Case("memory_format", "memory_format")
      .Default("");
}

/// What a single value in an options argument sets.
static StringRef optionOf(QualType T, Types &Kinds) {
  std::string Name;
  if (const auto *R = recordOf(T))
    Name = Kinds.name(*R).str();
  else if (const auto *E = T.getNonReferenceType()->getAs<EnumType>())
    Name = Kinds.name(*E->getDecl()).str();
  StringRef Last = StringRef(Name).rsplit("::").second;
  return llvm::StringSwitch<StringRef>(Last)
      .Case("ScalarType", "dtype")
      .Case("TypeMeta", "dtype")
      .Case("MemoryFormat", "memory_format")
      .Case("Layout", "layout")
      .Default("device");
}

bool Lowering::lowerOptionsCall(const CallSite &C, ValueId &Result) {
  StringRef Option = optionName(C.Name);
  if (Option.empty() || C.Args.size() > 1 ||
      Kinds.kind(C.E->getType()) != Kind::Options)
    return false;
  ValueId Self = val(C.Object), Value = 0;
  if (!C.Args.empty())
    Value = val(C.Args[0]);
  program::Stmt &S = emit(Op::OptionsOp, C.E);
  S.Args.push_back({"self", Self, Role::Read, NoId});
  if (Value)
    S.Args.push_back({Option.str(), Value, Role::Read, NoId});
  Result = result(S);
  return true;
}

bool Lowering::constructOptions(const CXXConstructExpr &E, ValueId &Result) {
  const Expr *Arg = E.getNumArgs() && !isa<CXXDefaultArgExpr>(E.getArg(0))
                        ? E.getArg(0)
                        : nullptr;
  if (Arg && Kinds.kind(Arg->getType()) == Kind::Options) {
    Result = val(Arg);
    return true;
  }
  ValueId Value = Arg ? val(Arg) : 0;
  program::Stmt &S = emit(Op::OptionsOp, &E);
  if (Arg)
    S.Args.push_back(
        {optionOf(Arg->getType(), Kinds).str(), Value, Role::Read, NoId});
  Result = result(S);
  return true;
}

//===----------------------------------------------------------------------===//
// Free functions and operators
//===----------------------------------------------------------------------===//

bool Lowering::lowerStdCall(const CallSite &C, ValueId &Result) {
  StringRef N = Kinds.name(*C.Callee);
  auto AllOf = [&](Kind K) {
    return llvm::all_of(
        C.Args, [&](const Expr *A) { return Kinds.kind(A->getType()) == K; });
  };
  if (N == "__builtin_expect" || N == "__builtin_expect_with_probability") {
    Result = val(C.Args[0]);
    return true;
  }
  // gtest's ASSERT_EQ(a, b): Compare("a", "b", a, b) as a condition.
  if (N == "testing::internal::EqHelper::Compare" && C.Args.size() == 4 &&
      Kinds.kind(C.Args[2]->getType()) == Kind::Int &&
      Kinds.kind(C.Args[3]->getType()) == Kind::Int) {
    const ValueId A = val(C.Args[2]), B = val(C.Args[3]);
    Result = emitValue(Op::CmpEq, C.E, {A, B});
    return true;
  }
  if (N == "__builtin_assume" && C.Args.size() == 1) {
    ValueId V = asBool(C.Args[0]);
    program::Stmt &S = emit(Op::Assume, C.E);
    S.Args.push_back({"", V, Role::Read, NoId});
    return true;
  }
  if (!C.Object && C.Args.size() == 1 &&
      (N == "std::move" || N == "std::forward" || N == "std::as_const" ||
       N == "c10::makeArrayRef" || N == "c10::typeMetaToScalarType" ||
       N == "tensortidy::typeMetaToScalarType" ||
       N == "c10::scalarTypeToTypeMeta" ||
       N == "at::borrow_from_optional_tensor" ||
       N == "c10::asIntArrayRefUnchecked" || N == "c10::asIntArrayRefSlow" ||
       N == "c10::fromIntArrayRef" || N == "c10::fromIntArrayRefSlow" ||
       N == "std::to_array" || N == "detail::scalar_type")) {
    Result = val(C.Args[0]);
    return true;
  }
  if (!C.Object && C.Args.size() == 2 &&
      (N == "c10::makeArrayRef" || N == "std::next" || N == "std::prev") &&
      C.Args[0]->getType()->isPointerType()) {
    ValueId A = val(C.Args[0]), B = val(C.Args[1]);
    Result =
        derives(emitOther(Op::Opaque, C.Name, C.E, {A, B}), C.E->getType());
    return true;
  }
  if (ValueId I = tupleIndex(C)) {
    Result = emitValue(Op::ListGet, C.E, {val(C.Args[0]), I});
    return true;
  }
  if (N == "std::make_tuple" || N == "std::make_pair" ||
      N == "std::forward_as_tuple") {
    llvm::SmallVector<ValueId, 4> Elements;
    for (const Expr *A : C.Args) {
      Elements.push_back(val(A));
      movedFrom(A);
    }
    Result = emitValue(Op::List, C.E, Elements);
    return true;
  }
  if ((N == "std::make_unique" || N == "std::make_shared") &&
      isOwner(C.E->getType())) {
    llvm::SmallVector<ValueId, 1> Made;
    for (const Expr *A : C.Args)
      Made.push_back(val(A));
    Result = emitOther(Op::Opaque, C.Name, C.E, Made);
    return true;
  }
  if (N == "std::tie") {
    // A target: lowerTensorAssign reads its arguments as places.
    Result = emitOther(Op::Opaque, "tie", C.E, {});
    return true;
  }
  if ((N == "std::min" || N == "std::max") && C.Args.size() == 2 &&
      AllOf(Kind::Int)) {
    ValueId A = val(C.Args[0]), B = val(C.Args[1]);
    Result = emitValue(N == "std::min" ? Op::IMin : Op::IMax, C.E, {A, B});
    return true;
  }
  if (N == "std::swap" && C.Args.size() == 2) {
    if (Kinds.kind(C.Args[0]->getType()) == Kind::Other &&
        Kinds.fields(C.Args[0]->getType()).empty())
      return false;
    swapValues(C.Args[0], C.Args[1]);
    return true;
  }
  if (N == "std::exchange" && C.Args.size() == 2) {
    Result = val(C.Args[0]);
    assign(C.Args[0], val(C.Args[1]), C.Args[0]);
    return true;
  }
  // dtype(kFloat), device(d) ... make options.
  if (!C.Object && Kinds.kind(C.E->getType()) == Kind::Options &&
      C.Args.size() <= 1) {
    StringRef Option = optionName(C.Name);
    if (Option.empty())
      return false;
    ValueId Value = !C.Args.empty()             ? val(C.Args[0])
                    : Option == "requires_grad" ? constBool(true, C.E)
                                                : 0;
    program::Stmt &S = emit(Op::OptionsOp, C.E);
    if (Value)
      S.Args.push_back({Option.str(), Value, Role::Read, NoId});
    Result = result(S);
    return true;
  }
  // Comparisons of lists, dtypes, devices.
  if (C.IsOperator && (C.Name == "operator==" || C.Name == "operator!=")) {
    llvm::SmallVector<const Expr *, 2> Sides;
    if (C.Object)
      Sides.push_back(C.Object);
    Sides.append(C.Args.begin(), C.Args.end());
    auto Comparable = [&](const Expr *E) {
      Kind K = Kinds.kind(E->getType());
      return K == Kind::List || K == Kind::Symbol || K == Kind::Scalar ||
             K == Kind::Int || K == Kind::Bool;
    };
    if (Sides.size() == 2 && Comparable(Sides[0]) && Comparable(Sides[1])) {
      ValueId A = val(Sides[0]), B = val(Sides[1]);
      Result = emitValue(C.Name == "operator==" ? Op::CmpEq : Op::CmpNe, C.E,
                         {A, B});
      return true;
    }
  }
  return false;
}

/// What cv::Mat's constructor says of its memory: `channels`, its innermost
/// size, of cv::Mat(rows, columns, CV_8UC3, data), and the rows and columns in
/// a cv::Size(columns, rows).
void Lowering::describeImage(const CallSite &C,
                             llvm::SmallVectorImpl<Arg> &Operands) {
  if (Kinds.name(*cast<CXXConstructorDecl>(C.Callee)->getParent()) != "cv::Mat")
    return;
  for (size_t I = 0; I < C.Args.size(); ++I) {
    const Expr *Size = strip(C.Args[I]);
    if (const auto *Copy = dyn_cast<CXXConstructExpr>(Size);
        Copy && Copy->getNumArgs() == 1)
      Size = strip(Copy->getArg(0));
    if (const auto *Named = dyn_cast<DeclRefExpr>(Size))
      if (const auto *V = dyn_cast<VarDecl>(Named->getDecl());
          V && V->getInit() && Scan.DeclOf.count(V))
        Size = strip(V->getInit());
    const auto *Made = dyn_cast<CXXConstructExpr>(Size);
    if (Made && Made->getNumArgs() == 2 &&
        Kinds.name(*Made->getConstructor()->getParent()) == "cv::Size_" &&
        Kinds.kind(Made->getArg(0)->getType()) == Kind::Int)
      for (unsigned Side : {1u, 0u})
        Operands.push_back({"", val(Made->getArg(Side)), Role::Read, NoId});
    Expr::EvalResult Type;
    if (!C.Params[I] || !C.Params[I]->getName().ends_with("type") ||
        C.Args[I]->isValueDependent() ||
        !C.Args[I]->EvaluateAsInt(Type, Context))
      continue;
    const int64_t Channels = ((Type.Val.getInt().getExtValue() >> 3) & 511) + 1;
    if (Channels > 1)
      Operands.push_back(
          {"channels", constInt(Channels, C.E), Role::Read, NoId});
  }
}
