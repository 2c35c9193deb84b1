//===- ListLowering.cpp - lists of sizes and tensors ----------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Library/ListLowering.h"
#include "Frontend/Ast/Code.h"
#include "Frontend/Ast/Types.h"
#include "Frontend/Build/FunctionBuilder.h"
#include "Frontend/Build/Lowerer.h"
#include "Frontend/Build/PlaceFinder.h"
#include "Frontend/Build/StoreLowering.h"
#include "Frontend/Calls/OpaqueCallLowering.h"
#include "clang/AST/DeclTemplate.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;
using llvm::StringRef;

bool ListLowering::change(const Expr *List, Op O,
                          llvm::ArrayRef<ValueId> Operands, const Expr *At,
                          ValueId Before, llvm::function_ref<void()> Effect) {
  Place P = Places.place(List);
  const QualType T = strip(List)->getType();
  if (!P || !P.Exact ||
      !(Kinds.isIntVector(T) || Kinds.isHandleVector(T) || Kinds.tupleSize(T)))
    return false;
  llvm::SmallVector<ValueId, 3> All{Before ? Before : Build.load(P.Var, List)};
  All.append(Operands.begin(), Operands.end());
  const ValueId Changed = Build.emitValue(O, At, All);
  if (Effect)
    Effect();
  Stores.storeTo(P, Changed, List);
  return true;
}

ValueId ListLowering::lastIndex(const Expr *List, const Expr *At) {
  ValueId Size = Build.emitValue(Op::ListSize, At, Lower.value(List));
  return Build.emitValue(Op::ISub, At, {Size, Build.constInt(1, At)});
}

ValueId ListLowering::elementIndex(const CallSite &C) {
  if (C.Args.size() == 1 && (C.Name == "operator[]" || C.Name == "at"))
    return Lower.value(C.Args[0]);
  if (!C.Args.empty() || (C.Name != "front" && C.Name != "back"))
    return 0;
  return C.Name == "front" ? Build.constInt(0, C.E) : lastIndex(C.Object, C.E);
}

ValueId ListLowering::tupleIndex(const CallSite &C) {
  if (C.Object || C.Args.size() != 1 || Kinds.name(*C.Callee) != "std::get" ||
      Kinds.kind(C.Args[0]->getType()) != Kind::List)
    return 0;
  const TemplateArgumentList *T = C.Callee->getTemplateSpecializationArgs();
  return T && T->size() != 0 &&
                 T->get(0).getKind() == TemplateArgument::Integral
             ? Build.constInt(T->get(0).getAsIntegral().getZExtValue(), C.E)
             : 0;
}

namespace {
/// `x.end() - 2`
struct Moved {
  const Expr *From;
  const Expr *By = nullptr; ///< null: not at all
  bool Back = false;
};
} // namespace

static Moved movedIterator(const Expr *E) {
  E = E->IgnoreParenImpCasts()->IgnoreUnlessSpelledInSource();
  if (const auto *C = dyn_cast<CXXOperatorCallExpr>(E);
      C && C->getNumArgs() == 2 &&
      (C->getOperator() == OO_Plus || C->getOperator() == OO_Minus))
    return {C->getArg(0), C->getArg(1), C->getOperator() == OO_Minus};
  if (const auto *B = dyn_cast<BinaryOperator>(E);
      B && (B->getOpcode() == BO_Add || B->getOpcode() == BO_Sub))
    return {B->getLHS(), B->getRHS(), B->getOpcode() == BO_Sub};
  return {E};
}

/// The index that `l.begin() + i` or `l.end() - 1` stands for; 0 if none.
/// \p Before is the list from which the iterator was taken: what others may do
/// with an iterator it cannot have suffered yet.
ValueId ListLowering::iteratorIndex(const Expr *Iterator, const Expr *List,
                                    ValueId &Before) {
  const Expr *E =
      Iterator->IgnoreParenImpCasts()->IgnoreUnlessSpelledInSource();
  if (const Moved M = movedIterator(E); M.By) {
    const ValueId From = iteratorIndex(M.From, List, Before);
    if (!From || Kinds.kind(M.By->getType()) != Kind::Int)
      return 0;
    return Build.emitValue(M.Back ? Op::ISub : Op::IAdd, E,
                           {From, Lower.value(M.By)});
  }
  const auto *C = dyn_cast<CXXMemberCallExpr>(E);
  if (!C || !C->getMethodDecl() || !C->getMethodDecl()->getIdentifier())
    return 0;
  Place Of = Places.place(C->getImplicitObjectArgument()),
        P = Places.place(List);
  if (!Of || !P || !Of.Exact || !P.Exact || Of.Var != P.Var)
    return 0;
  Before = IteratorOf.lookup(C);
  if (!Before)
    return 0;
  StringRef N = C->getMethodDecl()->getName();
  return N == "begin" ? Build.constInt(0, E)
                      : Build.emitValue(Op::ListSize, E, Before);
}

/// Whether an element of the vector type \p List made from \p E is that value,
/// as push_back() takes and emplace_back() may not.
bool ListLowering::makesElement(const Expr &E, QualType List) {
  const QualType T = Kinds.elementType(List);
  if (Kinds.isTensor(E.getType()) && Kinds.ownsTensors(T))
    return true; // IValue(x)
  return Kinds.kind(T) == Kind::Other
             ? Context.hasSameUnqualifiedType(E.getType().getNonReferenceType(),
                                              T.getNonReferenceType())
             : Kinds.kind(T) == Kinds.kind(E.getType());
}

/// push_back() and its kin.
bool ListLowering::changingCall(const CallSite &C) {
  StringRef N = C.Name;
  const QualType T = strip(C.Object)->getType();
  const bool Handles = Kinds.isHandleVector(T);
  if (!Handles && !Kinds.isIntVector(T))
    return false;
  // Who holds the elements matters, of handles.
  auto Effect = [&] {
    if (Handles)
      OpaqueCalls.call(C);
  };
  if ((N == "push_back" || N == "emplace_back") && C.Args.size() == 1 &&
      makesElement(*C.Args[0], T)) {
    ValueId V = Lower.value(C.Args[0]);
    Stores.noteNarrowing(*C.Args[0], Kinds.elementType(T), V);
    return change(
        C.Object, Op::ListInsert,
        {Build.emitValue(Op::ListSize, C.E, Lower.value(C.Object)), V}, C.E, 0,
        Effect);
  }
  if ((N == "push_front" || N == "emplace_front") && C.Args.size() == 1 &&
      makesElement(*C.Args[0], T))
    return change(C.Object, Op::ListInsert,
                  {Build.constInt(0, C.E), Lower.value(C.Args[0])}, C.E, 0,
                  Effect);
  if (N == "pop_front" && C.Args.empty())
    return change(C.Object, Op::ListErase, Build.constInt(0, C.E), C.E, 0,
                  Effect);
  if (N == "clear" && C.Args.empty()) {
    Place P = Places.place(C.Object);
    if (!P || !P.Exact)
      return false;
    Effect();
    Stores.storeTo(P, Build.emitValue(Op::List, C.E, {}), C.Object);
    return true;
  }
  if (N == "reserve") { // changes nothing but where elements may go
    Build.emitOther(Op::Opaque, "reserve", C.E, Lower.value(C.Object));
    return true;
  }
  if (Place P = Places.place(C.Object);
      Handles && N == "resize" && P && P.Exact && C.Args.size() == 1) {
    ValueId Size = Lower.value(C.Args[0]), Old = Build.load(P.Var, C.Object);
    ValueId Resized = Build.emitValue(Op::ListOf, C.E, {Size, Old});
    Effect();
    Stores.storeTo(P, Resized, C.Object);
    return true;
  }
  if (N == "begin" || N == "end") {
    if (Place P = Places.place(C.Object); P && P.Exact)
      IteratorOf[C.E] = Build.load(P.Var, C.Object);
    return false;
  }
  if (N == "erase" && C.Args.size() == 1) {
    ValueId Before = 0, I = iteratorIndex(C.Args[0], C.Object, Before);
    return I && change(C.Object, Op::ListErase, I, C.E, Before, Effect);
  }
  if (Handles)
    return false;
  if (N == "pop_back" && C.Args.empty())
    return change(C.Object, Op::ListErase, lastIndex(C.Object, C.E), C.E);
  if (N == "insert" && C.Args.size() == 2 &&
      Kinds.kind(C.Args[1]->getType()) == Kind::Int) {
    ValueId Before = 0, I = iteratorIndex(C.Args[0], C.Object, Before);
    return I && change(C.Object, Op::ListInsert, {I, Lower.value(C.Args[1])},
                       C.E, Before);
  }
  return false;
}

bool ListLowering::call(const CallSite &C, ValueId &Result) {
  StringRef N = C.Name;
  if (changingCall(C))
    return true;
  if (N == "size" || N == "length") {
    Result = Build.emitValue(Op::ListSize, C.E, Lower.value(C.Object));
    return true;
  }
  if (N == "empty" && Kinds.kind(C.E->getType()) == Kind::Bool) {
    ValueId Size = Build.emitValue(Op::ListSize, C.E, Lower.value(C.Object));
    Result = Build.emitValue(Op::CmpEq, C.E, {Size, Build.constInt(0, C.E)});
    return true;
  }
  if ((N == "operator[]" || N == "at" || N == "get") && C.Args.size() == 1) {
    ValueId L = Lower.value(C.Object), I = Lower.value(C.Args[0]);
    const ValueId Element = Build.emitValue(Op::ListGet, C.E, {L, I});
    Build.last().Text = N.str();
    Result = Build.derives(Element, C.E->getType());
    return true;
  }
  if ((N == "front" || N == "back") && C.Args.empty()) {
    ValueId L = Lower.value(C.Object);
    ValueId I =
        N == "front" ? Build.constInt(0, C.E) : lastIndex(C.Object, C.E);
    Result = Build.derives(Build.emitValue(Op::ListGet, C.E, {L, I}),
                           C.E->getType());
    return true;
  }
  Result = slice(C);
  if (Result)
    return true;
  bool GivesList = Kinds.kind(C.E->getType()) == Kind::List;
  if (C.Args.empty() && GivesList &&
      (N == "vec" || N == "value" || N == "operator*" ||
       isa<CXXConversionDecl>(C.Callee))) {
    Result = ownElements(Lower.value(C.Object), C.Object->getType(), *C.E);
    return true;
  }
  if ((N == "equals" || N == "operator==" || N == "operator!=") &&
      C.Args.size() == 1 && Kinds.kind(C.Args[0]->getType()) == Kind::List) {
    ValueId A = Lower.value(C.Object), B = Lower.value(C.Args[0]);
    Result =
        Build.emitValue(N == "operator!=" ? Op::CmpNe : Op::CmpEq, C.E, {A, B});
    return true;
  }
  return false;
}

/// \p V, a list of type \p From, as the list that \p E makes of it: a vector of
/// what a view shows has elements of its own.
ValueId ListLowering::ownElements(ValueId V, QualType From, const Expr &E) {
  if (!V || !Kinds.borrows(From) || Kinds.borrows(E.getType()))
    return V;
  return Build.emitValue(Op::ListCopy, &E, V);
}

/// The list that a pair of iterators `x.begin(), x.end()` spans, or null.
static const Expr *spannedBy(const Expr *Begin, const Expr *End,
                             StringRef Last = "end") {
  auto Object = [](const Expr *E, StringRef Name) -> const Expr * {
    const auto *C = dyn_cast<CXXMemberCallExpr>(
        E->IgnoreParenImpCasts()->IgnoreUnlessSpelledInSource());
    if (!C || !C->getMethodDecl() || !C->getMethodDecl()->getIdentifier() ||
        C->getMethodDecl()->getName() != Name)
      return nullptr;
    return C->getImplicitObjectArgument()->IgnoreParenImpCasts();
  };
  const Expr *A = Object(Begin, "begin"), *B = Object(End, Last);
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

/// The list that two iterators span, or the part of a list of numbers:
///   x.sizes().begin() + 1, x.sizes().end() - 1
ValueId ListLowering::spanned(const Expr *Begin, const Expr *End,
                              const Expr &E) {
  if (const Expr *Whole = spannedBy(Begin, End))
    return ownElements(Lower.value(Whole), Whole->getType(), E);
  const Moved From = movedIterator(Begin), To = movedIterator(End);
  if (From.Back || (!From.By && !To.By))
    return 0;
  const Expr *Of = spannedBy(From.From, To.From);
  const bool ToEnd = Of;
  if (!Of && To.By && !To.Back)
    Of = spannedBy(From.From, To.From, "begin");
  if (!Of ||
      (!Kinds.isIntView(Of->getType()) && !Kinds.isIntVector(Of->getType())))
    return 0;
  const ValueId List = Lower.value(Of);
  const ValueId First = From.By ? Lower.value(From.By) : Build.constInt(0, &E);
  ValueId Last =
      ToEnd ? Build.emitValue(Op::ListSize, &E, List) : Lower.value(To.By);
  if (ToEnd && To.By)
    Last = Build.emitValue(To.Back ? Op::ISub : Op::IAdd, &E,
                           {Last, Lower.value(To.By)});
  return ownElements(Build.emitValue(Op::ListSlice, &E, {List, First, Last}),
                     Of->getType(), E);
}

/// `l.slice(n, m)` of an ArrayRef: m elements from n on, or all.
ValueId ListLowering::slice(const CallSite &C) {
  if (C.Name != "slice" || C.Args.empty() || C.Args.size() > 2 ||
      !Kinds.isIntView(C.Object->getType()) || !Kinds.isIntView(C.E->getType()))
    return 0;
  const ValueId List = Lower.value(C.Object), First = Lower.value(C.Args[0]);
  const ValueId Last =
      C.Args.size() == 1
          ? Build.emitValue(Op::ListSize, C.E, List)
          : Build.emitValue(Op::IAdd, C.E, {First, Lower.value(C.Args[1])});
  return Build.emitValue(Op::ListSlice, C.E, {List, First, Last});
}

bool ListLowering::construct(const CXXConstructExpr &E, ValueId &Result) {
  llvm::SmallVector<const Expr *, 4> Args;
  for (const Expr *A : E.arguments())
    if (!isa<CXXDefaultArgExpr>(A))
      Args.push_back(A);
  auto ListOf = [&](llvm::ArrayRef<const Expr *> Elements) {
    llvm::SmallVector<ValueId, 4> Values;
    for (const Expr *A : Elements) {
      Values.push_back(Lower.value(A));
      Stores.movedFrom(A);
    }
    Result = Build.emitValue(Op::List, &E, Values);
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
      Values.push_back(Kinds.kind(T) == Kind::Tensor ? Build.constNone(&E)
                       : Zero && Kinds.kind(T) == Kind::Int
                           ? Build.constInt(0, &E)
                           : Build.emitOther(Op::Unknown, "", &E, {}));
    Result = Build.emitValue(Op::List, &E, Values);
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
      Result = Build.constNone(&E);
      return true;
    }
    if (From == Kind::List) {
      Result = ownElements(Lower.value(Args[0]), Args[0]->getType(), E);
      return true;
    }
    if (Class == "torch::detail::TensorDataContainer" ||
        Class == "tensortidy::detail::TensorData") {
      Result = Lower.value(Args[0]);
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
      Result = Build.emitValue(Op::ListOf, &E, Lower.value(Args[0]));
      return true;
    }
    return false;
  }
  if (Args.size() == 2) {
    Result = spanned(Args[0], Args[1], E);
    if (Result)
      return true;
    Expr::EvalResult R;
    if (Owns && Kinds.kind(Args[0]->getType()) == Kind::Int &&
        !Args[0]->isValueDependent() && Args[0]->EvaluateAsInt(R, Context) &&
        R.Val.getInt().ult(17)) {
      llvm::SmallVector<ValueId, 4> Values(R.Val.getInt().getZExtValue(),
                                           Lower.value(Args[1]));
      Result = Build.emitValue(Op::List, &E, Values);
      return true;
    }
    if (Kinds.isHandleVector(E.getType()) &&
        Kinds.kind(Args[0]->getType()) == Kind::Int &&
        Kinds.kind(Args[1]->getType()) == Kind::Tensor) {
      Result = Build.emitValue(Op::ListOf, &E,
                               {Lower.value(Args[0]), Lower.value(Args[1])});
      return true;
    }
  }
  return false;
}
