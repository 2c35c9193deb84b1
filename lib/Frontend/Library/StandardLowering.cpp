//===- StandardLowering.cpp - the vocabulary around tensors ---------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Library/StandardLowering.h"
#include "Frontend/Ast/Code.h"
#include "Frontend/Ast/Surroundings.h"
#include "Frontend/Ast/Types.h"
#include "Frontend/Build/CallCounter.h"
#include "Frontend/Build/FunctionBuilder.h"
#include "Frontend/Build/Lowerer.h"
#include "Frontend/Build/PlaceFinder.h"
#include "Frontend/Build/StoreLowering.h"
#include "Frontend/Build/ViewLowering.h"
#include "Frontend/Library/AssignmentLowering.h"
#include "Frontend/Library/ListLowering.h"
#include "Frontend/Library/OptionLowering.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;
using llvm::StringRef;

bool StandardLowering::call(const CallSite &C, ValueId &Result) {
  if (C.Name == "operator=" && C.Object)
    return assignment(C, Result);
  if (C.Object) {
    QualType T = C.Object->getType();
    if (C.Name == "reset" && C.Args.empty() && Kinds.isTensor(T))
      if (Place P = Places.place(C.Object)) {
        Stores.storeTo(P, Build.constNone(C.E), C.E);
        return true;
      }
    // optional<Tensor>::emplace(t)
    if (C.Name == "emplace" && C.Args.size() == 1 && Kinds.isTensor(T) &&
        Kinds.isTensor(C.Args[0]->getType()))
      if (Place P = Places.place(C.Object)) {
        Result = Lower.value(C.Args[0]);
        Stores.storeTo(P, Result, C.E);
        Stores.movedFrom(C.Args[0]);
        return true;
      }
    // unique_ptr<Tensor>::reset(p)
    if (C.Name == "reset" && C.Args.size() <= 1 &&
        Kinds.isOwner(strip(C.Object)->getType()))
      if (Place P = Places.place(C.Object); P && P.Exact) {
        Stores.storeTo(
            P, C.Args.empty() ? Build.constNone(C.E) : Lower.value(C.Args[0]),
            C.E);
        return true;
      }
    if (C.Name == "swap" && C.Args.size() == 1 &&
        Places.place(C.Object).Exact && Places.place(C.Args[0]).Exact &&
        Kinds.kind(T) == Kind::List) {
      Assignments.swap(C.Object, C.Args[0]);
      return true;
    }
    if (Kinds.isWrapper(T))
      if (optionalCall(C, Result))
        return true;
    switch (Kinds.kind(T)) {
    case Kind::List:
      if (Lists.call(C, Result))
        return true;
      break;
    case Kind::Options:
      return Options.call(C, Result);
    case Kind::Scalar:
    case Kind::Symbol:
      if (deviceCall(C, Result))
        return true;
      // Scalar::toInt(), to<T>(), SymInt::expect_int(), conversions.
      if (C.Args.empty() &&
          (StringRef(C.Name).starts_with("to") || C.Name == "expect_int" ||
           C.Name == "guard_int" || C.Name == "as_int_unchecked" ||
           isa<CXXConversionDecl>(C.Callee)) &&
          Kinds.kind(C.E->getType()) != Kind::Other) {
        Result = Lower.value(C.Object);
        return true;
      }
      break;
    default:
      break;
    }
  }
  return function(C, Result);
}

/// `device.type()`, `device.is_cuda()`.
bool StandardLowering::deviceCall(const CallSite &C, ValueId &Result) {
  const CXXRecordDecl *R = recordOf(C.Object->getType());
  if (!R || !Kinds.name(*R).ends_with("::Device") || !C.Args.empty())
    return false;
  StringRef Is = C.Name;
  if (Is == "type") {
    Result = Lower.value(C.Object);
    return true;
  }
  if (!Is.consume_front("is_"))
    return false;
  const ValueId Device = Lower.value(C.Object);
  Result = Build.emitValue(
      Op::CmpEq, C.E, {Device, Build.constText(ConstKind::Symbol, Is, C.E)});
  Build.last().Text = C.Name;
  return true;
}

//===----------------------------------------------------------------------===//
// Assignment
//===----------------------------------------------------------------------===//

/// `y = x` makes y another handle of x's tensor; `x[i] = y`, whose left side is
/// a temporary, writes elements (libtorch's operator= for rvalues).
bool StandardLowering::assignment(const CallSite &C, ValueId &Result) {
  if (C.Args.size() != 1)
    return false;
  const Expr *Source = C.Args[0];
  QualType T = C.Object->getType();
  Kind K = Kinds.kind(T);
  const auto *Method = cast<CXXMethodDecl>(C.Callee);
  if (Kinds.isPlainTensor(T) && Method->getRefQualifier() == RQ_RValue) {
    ValueId Self = Lower.value(C.Object), Other = Lower.value(Source);
    program::Stmt &S = Build.emit(Op::Update, C.E);
    S.Text = "=";
    S.Args.push_back({"self", Self, Role::Read, NoId});
    S.Args.push_back({"other", Other, Role::Read, NoId});
    S.Object = Build.range(C.Object->getSourceRange());
    S.Discarded = Around.isDiscarded(*C.E);
    if (const auto *O = dyn_cast<CXXOperatorCallExpr>(C.E))
      S.Callee = Build.range(O->getOperatorLoc());
    Result = Build.result(S);
    Counts.count(C, Op::Const);
    return true;
  }
  if (K == Kind::Other && ((Kinds.fields(T).empty() && !Kinds.isOwner(T)) ||
                           !Places.place(C.Object).Exact))
    return false;
  ValueId V = Lower.value(Source);
  Result = V;
  // std::tie(a, b) = f();
  if (const auto *Tie = dyn_cast<CallExpr>(strip(C.Object));
      Tie && Tie->getDirectCallee() &&
      Kinds.name(*Tie->getDirectCallee()) == "std::tie") {
    for (unsigned I = 0; I < Tie->getNumArgs(); ++I) {
      const auto *Name = dyn_cast<DeclRefExpr>(strip(Tie->getArg(I)));
      if (Name && Kinds.name(*Name->getDecl()) == "std::ignore")
        continue;
      ValueId Index = Build.constInt(I, C.E);
      ValueId Element = Build.emitValue(Op::ListGet, C.E, {V, Index});
      Assignments.assign(Tie->getArg(I), Element, C.E);
    }
    return true;
  }
  Result = V = Views.viewOfShortLived(*Source, V, false);
  Stores.movedFrom(Source);
  Assignments.assign(C.Object, V, C.E);
  return true;
}

//===----------------------------------------------------------------------===//
// Optionals
//===----------------------------------------------------------------------===//

bool StandardLowering::optionalCall(const CallSite &C, ValueId &Result) {
  if (C.Name == "operator*" || C.Name == "operator->" || C.Name == "value" ||
      C.Name == "getTensorRef" || C.Name == "get") {
    Result = Lower.value(C.Object);
    return true;
  }
  if (C.Name == "has_value" || C.Name == "operator bool") {
    ValueId V = Lower.value(C.Object);
    if (Kinds.isTensor(C.Object->getType())) {
      program::Stmt &S = Build.emit(Op::Defined, C.E);
      S.Args.push_back({"self", V, Role::Read, NoId});
      Result = Build.result(S);
    } else {
      Result = Build.emitOther(Op::Opaque, "has_value", C.E, V);
    }
    return true;
  }
  if (C.Name == "value_or" && C.Args.size() == 1) {
    ValueId A = Lower.value(C.Object), B = Lower.value(C.Args[0]);
    Result = Build.emitValue(Op::Phi, C.E, {A, B});
    return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Free functions and operators
//===----------------------------------------------------------------------===//

/// What a call of \p Callee compares its two numbers for.
static std::optional<Op> comparisonTold(const FunctionDecl &Callee,
                                        Types &Kinds) {
  static constexpr std::pair<Attribute, Op> All[] = {
      {Attribute::TellsEqual, Op::CmpEq},
      {Attribute::TellsUnequal, Op::CmpNe},
      {Attribute::TellsLess, Op::CmpLt},
      {Attribute::TellsLessEqual, Op::CmpLe},
      {Attribute::TellsGreater, Op::CmpGt},
      {Attribute::TellsGreaterEqual, Op::CmpGe}};
  const Attributes Has = Kinds.model().attributesOf(Kinds.name(Callee), false);
  for (const auto &[Tells, O] : All)
    if (Has.has(Tells))
      return O;
  return std::nullopt;
}

const Expr *frontend::glogMessage(const Expr *E, Types &Kinds) {
  const auto *D = dyn_cast<DeclRefExpr>(strip(E));
  const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  const Expr *Init = V && V->hasInit() ? strip(V->getInit()) : nullptr;
  while (const auto *Made = dyn_cast_or_null<CXXConstructExpr>(Init))
    Init = Made->getNumArgs() == 1 ? strip(Made->getArg(0)) : nullptr;
  const auto *Call = dyn_cast_or_null<CallExpr>(Init);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  return Callee && comparisonTold(*Callee, Kinds) ? Call : nullptr;
}

/// The condition of glog's CHECK_EQ(a, b): `while (m = Check_EQImpl(a, b, "a ==
/// b"))` the message, which is null where there is none.
bool StandardLowering::glogMessageIsThere(const CallSite &C, ValueId &Result) {
  if (!C.Object || C.Name != "operator bool")
    return false;
  const Expr *Message = glogMessage(C.Object, Kinds);
  if (Message)
    Result = Lower.value(Message);
  return Message;
}

/// What ASSERT_EQ(a, b) and CHECK_LT(a, b) compare, with the text of both
/// before or behind.
bool StandardLowering::numbersCompared(const CallSite &C, ValueId &Result) {
  const std::optional<Op> Told = comparisonTold(*C.Callee, Kinds);
  if (!Told)
    return false;
  llvm::SmallVector<const Expr *, 2> Numbers;
  for (const Expr *A : C.Args)
    if (const Kind K = Kinds.kind(A->getType());
        K == Kind::Int || K == Kind::Bool)
      Numbers.push_back(A);
  if (Numbers.size() != 2)
    return false;
  const ValueId A = Lower.value(Numbers[0]), B = Lower.value(Numbers[1]);
  Result = Build.emitValue(*Told, C.E, {A, B});
  return true;
}

/// What conditions and assertions are wrapped in.
bool StandardLowering::wrappedCondition(const CallSite &C, ValueId &Result) {
  const StringRef N = Kinds.name(*C.Callee);
  if (N == "__builtin_expect" || N == "__builtin_expect_with_probability") {
    Result = Lower.value(C.Args[0]);
    return true;
  }
  if (numbersCompared(C, Result) || glogMessageIsThere(C, Result))
    return true;
  if (N != "__builtin_assume" || C.Args.size() != 1)
    return false;
  const ValueId V = Lower.condition(C.Args[0]);
  program::Stmt &S = Build.emit(Op::Assume, C.E);
  S.Args.push_back({"", V, Role::Read, NoId});
  return true;
}

/// Functions that make a tuple or an owner.
bool StandardLowering::maker(const CallSite &C, ValueId &Result) {
  const StringRef N = Kinds.name(*C.Callee);
  if (N == "std::make_tuple" || N == "std::make_pair" ||
      N == "std::forward_as_tuple") {
    llvm::SmallVector<ValueId, 4> Elements;
    for (const Expr *A : C.Args) {
      Elements.push_back(Lower.value(A));
      Stores.movedFrom(A);
    }
    Result = Build.emitValue(Op::List, C.E, Elements);
    return true;
  }
  if ((N == "std::make_unique" || N == "std::make_shared") &&
      Kinds.isOwner(C.E->getType())) {
    llvm::SmallVector<ValueId, 1> Made;
    for (const Expr *A : C.Args)
      Made.push_back(Lower.value(A));
    Result = Build.emitOther(Op::Opaque, C.Name, C.E, Made);
    return true;
  }
  // A target: assignment() reads its arguments as places.
  if (N == "std::tie")
    Result = Build.emitOther(Op::Opaque, "tie", C.E, {});
  return N == "std::tie";
}

/// Comparisons of lists, dtypes, devices.
bool StandardLowering::comparison(const CallSite &C, ValueId &Result) {
  if (!C.IsOperator || (C.Name != "operator==" && C.Name != "operator!="))
    return false;
  llvm::SmallVector<const Expr *, 2> Sides;
  if (C.Object)
    Sides.push_back(C.Object);
  Sides.append(C.Args.begin(), C.Args.end());
  auto Comparable = [&](const Expr *E) {
    Kind K = Kinds.kind(E->getType());
    return K == Kind::List || K == Kind::Symbol || K == Kind::Scalar ||
           K == Kind::Int || K == Kind::Bool;
  };
  if (Sides.size() != 2 || !Comparable(Sides[0]) || !Comparable(Sides[1]))
    return false;
  const ValueId A = Lower.value(Sides[0]), B = Lower.value(Sides[1]);
  Result = Build.emitValue(C.Name == "operator==" ? Op::CmpEq : Op::CmpNe, C.E,
                           {A, B});
  return true;
}

bool StandardLowering::function(const CallSite &C, ValueId &Result) {
  if (wrappedCondition(C, Result))
    return true;
  const StringRef N = Kinds.name(*C.Callee);
  // `torch::cuda::is_available()`: about no tensor at all.
  if (!C.Object && C.Args.empty() && Kinds.kind(C.E->getType()) == Kind::Bool) {
    const Api *Asked = Kinds.model().find(
        C.Name, N, false,
        [](const Api &, const ApiCondition &) { return true; });
    if (Asked && Asked->O == Op::HasDevice) {
      program::Stmt &S = Build.emit(Op::HasDevice, C.E);
      S.Text = N.str();
      Result = Build.result(S);
      return true;
    }
  }
  if (!C.Object && C.Args.size() == 1 &&
      Kinds.model().attributesOf(N, false).has(Attribute::HandsOn)) {
    Result = Lower.value(C.Args[0]);
    return true;
  }
  if (!C.Object && C.Args.size() == 2 &&
      (N == "c10::makeArrayRef" || N == "std::next" || N == "std::prev") &&
      C.Args[0]->getType()->isPointerType()) {
    ValueId A = Lower.value(C.Args[0]), B = Lower.value(C.Args[1]);
    Result = Build.derives(Build.emitOther(Op::Opaque, C.Name, C.E, {A, B}),
                           C.E->getType());
    return true;
  }
  if (ValueId I = Lists.tupleIndex(C)) {
    Result = Build.emitValue(Op::ListGet, C.E, {Lower.value(C.Args[0]), I});
    return true;
  }
  if (maker(C, Result))
    return true;
  if ((N == "std::min" || N == "std::max") && C.Args.size() == 2 &&
      llvm::all_of(C.Args, [&](const Expr *A) {
        return Kinds.kind(A->getType()) == Kind::Int;
      })) {
    ValueId A = Lower.value(C.Args[0]), B = Lower.value(C.Args[1]);
    Result =
        Build.emitValue(N == "std::min" ? Op::IMin : Op::IMax, C.E, {A, B});
    return true;
  }
  if (N == "std::swap" && C.Args.size() == 2) {
    if (Kinds.kind(C.Args[0]->getType()) == Kind::Other &&
        Kinds.fields(C.Args[0]->getType()).empty())
      return false;
    Assignments.swap(C.Args[0], C.Args[1]);
    return true;
  }
  if (N == "std::exchange" && C.Args.size() == 2) {
    Result = Lower.value(C.Args[0]);
    Assignments.assign(C.Args[0], Lower.value(C.Args[1]), C.Args[0]);
    return true;
  }
  if (!C.Object && Kinds.kind(C.E->getType()) == Kind::Options &&
      C.Args.size() <= 1)
    return Options.function(C, Result);
  return comparison(C, Result);
}
