//===- Gradients.cpp - what autograd records --------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/Gradients.h"
#include "Analysis/Flow/Closure.h"
#include "llvm/ADT/STLExtras.h"

namespace tensortidy::analysis {

using namespace program;

Saves keptBy(const Stmt &S) {
  if (S.O == Op::Linear || S.O == Op::Conv)
    return Saves::Factors;
  const bool IsNamed = S.O == Op::Unary || S.O == Op::Binary ||
                       S.O == Op::CloneDense || isProduct(S.O);
  return IsNamed ? savesOf(S) : Saves::Nothing;
}

static bool isParameter(const Stmt &S) {
  // With a third argument it may not require gradients.
  return S.is(Attribute::RegistersParameter) &&
         llvm::count_if(S.Args, [](const Arg &A) { return A.Value; }) == 2;
}

/// retain_grad() is of the same kind, and asks for nothing.
static bool switches(const Stmt &S) { return S.is(Attribute::AsksGradient); }

/// Whether options, or a call of requires_grad_(), ask for gradients.
Truth Gradients::asks(const Stmt &S) const {
  if (S.O != Op::OptionsOp && S.O != Op::RequiresGrad)
    return Truth::Unknown;
  const Arg *A = findArg(S, "requires_grad");
  if (!A)
    return switches(S) ? Truth::Yes : Truth::Unknown;
  const Stmt *D = Held.def(A->Value);
  if (!D || D->O != Op::Const || D->Const != ConstKind::Bool)
    return Truth::Unknown;
  return D->Imm ? Truth::Yes : Truth::No;
}

Gradients::Gradients(const CheckRun &C, bool Members)
    : C(C), F(C.F), Held(C.Held), Mentioned(C.F.IsForward) {
  forEachStmt(F, [&](BlockId, const Stmt &S) {
    Mentioned = Mentioned || S.O == Op::Backward || asks(S) == Truth::Yes ||
                isParameter(S);
    Switched = Switched || S.is(Attribute::SwitchesGradients);
    if (S.O == Op::RequiresGrad && switches(S))
      (asks(S) == Truth::Yes ? Marks : Freezes).push_back(&S);
    if (S.O == Op::Store && !S.Args.empty())
      if (const Stmt *G = Held.def(S.Args[0].Value))
        if (G->is(Attribute::NoGrad))
          Guards.push_back(&S);
  });
  if (Members && Mentioned)
    findMembers();
}

/// The frontend says of a member that it has the sizes of what the constructor
/// has registered.
void Gradients::findMembers() {
  auto Of = [&](const Arg &A) {
    const Stmt *Sizes = Held.def(A.Value);
    const Arg *Self = Sizes && Sizes->Before && Sizes->O == Op::Sizes
                          ? findArg(*Sizes, "self")
                          : nullptr;
    return Self ? Held.def(Self->Value) : nullptr;
  };
  forEachStmt(F, [&](BlockId, const Stmt &S) {
    if (S.O != Op::CmpEq || !S.Before || S.Args.size() != 2)
      return;
    const Stmt *Own = Of(S.Args[0]), *Like = Of(S.Args[1]);
    if (Own && Like && Own->O == Op::Load && isParameter(*Like))
      Parameters.insert(Own->Var);
  });
  forEachStmt(F, [&](BlockId, const Stmt &S) {
    if (S.O == Op::Store && !S.Before)
      Parameters.remove(S.Var);
  });
}

/// Where the scope of \p Guard ends; null: where the function does.
const Stmt *Gradients::endOf(const Stmt &Guard) const {
  const Stmt *End = nullptr;
  forEachStmt(F, [&](BlockId, const Stmt &T) {
    if (T.O == Op::ScopeEnd && T.Var == Guard.Var)
      End = &T;
  });
  return End;
}

/// Whether \p S runs in the call, of a function that is followed, in which
/// \p Guard lives, or in one from there.
bool Gradients::isWithinCall(const Stmt &Guard, const Stmt &S) const {
  uint32_t Call = S.Context;
  while (Call && Call != Guard.Context)
    Call = F.Contexts[Call].Parent;
  return Call == Guard.Context;
}

bool Gradients::isGuarded(const Stmt &S) const {
  return llvm::any_of(Guards, [&](const Stmt *Guard) {
    return isWithinCall(*Guard, S) && Held.runsAfter(*Guard, S, endOf(*Guard));
  });
}

const Stmt *Gradients::guard(const Stmt &S) const {
  for (const Stmt *Guard : Guards) {
    const Stmt *End = endOf(*Guard);
    if (isWithinCall(*Guard, S) && Held.always(*Guard, S) &&
        !(End && Held.runsAfter(*End, S, Guard)))
      return Guard;
  }
  return nullptr;
}

bool Gradients::isView(const Stmt &S) const {
  if (opClass(S.O) == OpClass::View)
    return true;
  auto It = C.Opaque.Copies.find(&S);
  return opClass(S.O) == OpClass::MaybeCopy && It != C.Opaque.Copies.end() &&
         It->second.Shares && !It->second.Copies && !It->second.Unknown;
}

bool Gradients::isPart(const Stmt &S) const {
  if (S.O != Op::ListGet || S.Args.empty())
    return false;
  const auto From = Held.origins(S.Args[0].Value);
  return !From.empty() &&
         llvm::all_of(From, [&](const Stmt *Of) { return isView(*Of); });
}

Truth Gradients::asksInOptions(const Stmt &Factory) const {
  const Arg *A = findArg(Factory, "options");
  for (unsigned Depth = 0; A && Depth < 8; ++Depth) {
    const auto From = Held.origins(A->Value);
    if (From.size() != 1)
      return Truth::Unknown;
    const Stmt &S = *From[0];
    // Those of a tensor say nothing of gradients.
    if (opClass(S.O) == OpClass::Query || S.O == Op::Const)
      return Truth::No;
    if (S.O != Op::OptionsOp)
      return Truth::Unknown;
    if (findArg(S, "requires_grad"))
      return asks(S);
    A = findArg(S, "self");
  }
  return A ? Truth::Unknown : Truth::No;
}

/// The call of requires_grad_() that every path from \p Made to \p Use
/// passes, when \p Made is all it is called on.
bool Gradients::isMarked(const Stmt &Made, const Stmt &Use) const {
  return llvm::any_of(Marks, [&](const Stmt *T) {
    const Arg *Self = findArg(*T, "self");
    if (!Self || !Held.always(*T, Use))
      return false;
    const auto Of = Held.origins(Self->Value);
    return Of.size() == 1 && Of[0] == &Made;
  });
}

Grad Gradients::gradOf(ValueId V) {
  // What comes round a loop is as what came in before, unless that fails.
  auto [It, New] = Known.try_emplace(V, Grad::Leaf);
  if (!New) {
    if (InProgress.contains(V))
      Assumed.insert(V);
    return It->second;
  }
  InProgress.insert(V);
  const size_t First = Order.size();
  Order.push_back(V);
  const Grad G = computeGrad(V);
  InProgress.erase(V);
  if (Assumed.erase(V) && G == Grad::Unknown) {
    for (size_t I = First + 1; I < Order.size(); ++I)
      Known.erase(Order[I]);
    Order.resize(First + 1);
  }
  return Known[V] = G;
}

Grad Gradients::computeGrad(ValueId V) {
  const Stmt *Use = Held.def(V);
  if (Use && Use->O == Op::Load && Parameters.contains(Use->Var) &&
      Freezes.empty())
    return Grad::Leaf;
  Grad G = Grad::Leaf;
  const auto From = Held.origins(V);
  for (const Stmt *S : From)
    G = std::min(G, gradOf(*S, *Use));
  if (From.empty())
    G = Grad::Unknown;
  return G == Grad::Unknown && isProved(V) ? Grad::Inner : G;
}

bool Gradients::isProved(ValueId V) const {
  const Stmt *D = Held.def(V);
  if (D && D->O == Op::Load && ProvedVars.count(D->Var))
    return true;
  const auto From = Held.origins(V);
  return From.size() == 1 && Proved.count(From[0]);
}

/// The tensors among the operands of \p S that its gradient goes to.
llvm::SmallVector<ValueId, 2> Gradients::sources(const Stmt &S) const {
  const bool Through = isView(S) || isDifferentiable(S);
  llvm::SmallVector<ValueId, 2> Tensors;
  if (isPart(S))
    return {S.Args[0].Value};
  if (!Through || S.O == Op::Update || isGuarded(S))
    return Tensors;
  // A loss is that of its first operand; its target is given.
  std::set<const Stmt *> Makers;
  for (const Arg &A : S.Args) {
    const Stmt *Given = A.Value ? Held.def(A.Value) : nullptr;
    if (!Given || C.Loops.isNumber(A.Value) || Given->O == Op::Const ||
        (isView(S) && A.Name != "self") ||
        (S.O == Op::Loss && A.Name != "self"))
      continue;
    const auto Of = Held.origins(A.Value);
    if ((Of.size() != 1 || Makers.insert(Of[0]).second) &&
        !llvm::is_contained(Tensors, A.Value))
      Tensors.push_back(A.Value);
  }
  return Tensors;
}

/// The nearest tensor that all of \p Parts are computed from and from nothing
/// else; 0 where there is none: `raw` of sin(raw[0]) and cos(raw[1]).
ValueId Gradients::commonSource(llvm::ArrayRef<ValueId> Parts) const {
  constexpr unsigned Longest = 24;
  // The first part's way, each statement with the value that it gives.
  llvm::SmallVector<std::pair<const Stmt *, ValueId>, 8> Way;
  for (size_t I = 0; I < Parts.size(); ++I) {
    ValueId V = Parts[I];
    bool Meets = I == 0;
    for (unsigned Depth = 0; V && Depth < Longest; ++Depth) {
      const auto From = Held.origins(V);
      if (From.size() != 1)
        break;
      if (I == 0) {
        Way.push_back({From[0], V});
      } else if (auto It = llvm::find_if(
                     Way, [&](const auto &At) { return At.first == From[0]; });
                 It != Way.end()) {
        Way.erase(Way.begin(), It);
        Meets = true;
        break;
      }
      const auto Next = sources(*From[0]);
      V = Next.size() == 1 ? Next[0] : 0;
    }
    if (!Meets)
      return 0;
  }
  return Way.empty() ? 0 : Way.front().second;
}

void Gradients::prove(ValueId Of) {
  closure(Of, [&](ValueId V, auto Add) {
    const Stmt *D = Held.def(V);
    if (D && D->O == Op::Load && F.Vars[D->Var].IsParam &&
        Held.isFixed(D->Var)) {
      ProvedVars.insert(D->Var);
      return true;
    }
    const auto From = Held.origins(V);
    if (From.size() != 1 || !Proved.insert(From[0]))
      return true;
    const auto Tensors = sources(*From[0]);
    if (Tensors.size() == 1)
      Add(Tensors.front());
    else if (const ValueId Common = Tensors.empty() ? 0 : commonSource(Tensors))
      Add(Common);
    return true;
  });
  Known.clear();
  Order.clear();
}

Grad Gradients::operand(const Stmt &S, llvm::StringRef Name) {
  const Arg *A = findArg(S, Name);
  return A ? gradOf(A->Value) : Grad::Unknown;
}

Grad Gradients::gradOf(const Stmt &S, const Stmt &Use) {
  // Frozen somewhere between: not followed.
  for (const Stmt *T : Freezes)
    if (Held.runsAfter(S, *T, &Use))
      return Grad::Unknown;
  if (S.O == Op::Weight || isParameter(S))
    return Grad::Leaf;
  const OpClass K = opClass(S.O);
  if (K == OpClass::Factory)
    return asksInOptions(S) == Truth::Yes || isMarked(S, Use) ? Grad::Leaf
                                                              : Grad::Unknown;
  if (S.O == Op::RequiresGrad) {
    if (asks(S) != Truth::Yes)
      return Grad::Unknown;
    const auto Of = Held.origins(findArg(S, "self")->Value);
    const bool Starts = !Of.empty() && llvm::all_of(Of, [](const Stmt *O) {
      return opClass(O->O) == OpClass::Factory || O->O == Op::Detach;
    });
    return Starts ? Grad::Leaf : Grad::Inner;
  }
  if (S.O == Op::Detach || S.O == Op::ViewDtype)
    return Grad::Unknown;
  if (isView(S))
    return operand(S, "self");
  if (isPart(S))
    return gradOf(S.Args[0].Value);
  if (isGuarded(S) || !isDifferentiable(S))
    return Grad::Unknown;
  if (Proved.count(&S))
    return Grad::Inner;
  for (const Arg &A : S.Args)
    if (A.Value && A.Name != "indices" && gradOf(A.Value) != Grad::Unknown)
      return Grad::Inner;
  return Grad::Unknown;
}

bool Gradients::isDifferentiable(const Stmt &S) const {
  if (const Arg *A = findArg(S, "dtype")) {
    const Stmt *D = Held.def(A->Value);
    if (!D || D->O != Op::Const || !llvm::StringRef(D->Text).contains("float"))
      return false;
  }
  switch (S.O) {
  case Op::Unary:
  case Op::Binary:
  case Op::Reduce:
  case Op::MatMul:
  case Op::MM:
  case Op::BMM:
  case Op::AddMM:
  case Op::Linear:
  case Op::Conv:
  case Op::Loss:
  case Op::Cat:
  case Op::Stack:
  case Op::List:
  case Op::Repeat:
  case Op::Reshape:
  case Op::Flatten:
  case Op::Contiguous:
  case Op::To:
  case Op::Clone:
  case Op::Update:
  case Op::SameSizes: // dropout() and others
    return true;
  case Op::Opaque: // a module whose forward() is not seen
    return S.Forward && !S.Calls;
  case Op::Sized: // a norm, a pool, a recurrent module
    return S.Forward || findArg(S, "weight");
  case Op::CloneDense: // argsort() and others are of that kind, too
    return keptBy(S) != Saves::Nothing;
  default:
    return false;
  }
}

bool Gradients::isLeftAlone(const Stmt &Made,
                            llvm::function_ref<void(ValueId)> Write) const {
  return Made.Result && isLeftAlone(Made.Result, Write, 0);
}

bool Gradients::isLeftAlone(ValueId Of, llvm::function_ref<void(ValueId)> Write,
                            unsigned Depth) const {
  constexpr unsigned Deepest = 4; // lists of lists
  const Fate All = Held.fate(Of);
  if (All.Kept || Depth > Deepest)
    return false;
  return llvm::all_of(All.Touches, [&](const Fate::Touch &T) {
    const Stmt &S = *T.S;
    if (S.is(Attribute::RegistersParameter))
      return false;
    switch (opClass(S.O)) {
    case OpClass::InPlaceData:
      if (S.O == Op::RequiresGrad)
        return false;
      if (T.A->Name == "self" || T.A->Name == "out")
        for (const Arg &A : S.Args)
          if (A.Value && A.Value != T.A->Value)
            Write(A.Value);
      return true;
    case OpClass::InPlaceMeta: // set_data() and the like
      return S.O != Op::Become && S.O != Op::OtherMeta;
    case OpClass::Structure:
    case OpClass::Effect:
      if (S.O == Op::ListCopy)
        return isLeftAlone(S.Result, Write, Depth + 1);
      if (S.O == Op::List || S.O == Op::ListGet || S.O == Op::ListSize ||
          S.O == Op::Phi || S.O == Op::OptionsOp || S.O == Op::Enters ||
          S.O == Op::Return)
        return true;
      return S.is(Attribute::Optimizes);
    case OpClass::Graph:
      return false;
    default:
      return true;
    }
  });
}

bool Gradients::hasNone(ValueId V,
                        llvm::SmallVectorImpl<const Stmt *> &Ends) const {
  constexpr size_t Most = 256;
  bool None = true;
  // Tensors that are marked in a list, or behind a name that is not known.
  for (const Stmt *T : Marks)
    None = None && Held.origins(findArg(*T, "self")->Value).size() == 1;
  const auto Seen = closure(
      V,
      [&](ValueId At, auto Add) {
        const Stmt *D = Held.def(At);
        if (!None || !D || C.Loops.isNumber(At) || D->O == Op::Const)
          return None = None && D;
        const auto From = Held.origins(At);
        None = !From.empty();
        for (const Stmt *S : From)
          None = None && comesWithout(*S, Add, Ends);
        return None;
      },
      Most);
  return None && Seen.size() < Most;
}

/// Whether \p S gives a tensor without gradients, if what \p Add is called
/// with has none.
bool Gradients::comesWithout(const Stmt &S,
                             llvm::function_ref<void(ValueId)> Add,
                             llvm::SmallVectorImpl<const Stmt *> &Ends) const {
  const OpClass K = opClass(S.O);
  if (K == OpClass::Query || K == OpClass::Integer || K == OpClass::Condition ||
      S.O == Op::Item || S.O == Op::Const)
    return true;
  const bool Makes = K == OpClass::Factory || K == OpClass::Compute ||
                     K == OpClass::Copy || K == OpClass::View;
  const bool Passes =
      !S.Forward && S.O != Op::Weight &&
      (Makes || K == OpClass::MaybeCopy || S.O == Op::List ||
       S.O == Op::ListCopy || S.O == Op::ListGet || S.O == Op::Phi);
  const Stmt *Guard = Makes ? guard(S) : nullptr;
  const bool Ended = Guard || K == OpClass::Factory || S.O == Op::Detach ||
                     S.is(Attribute::NoGradient);
  if ((!Passes && !Ended) || S.is(Attribute::RegistersParameter) ||
      (K == OpClass::Factory && asksInOptions(S) != Truth::No) ||
      (Makes && !isLeftAlone(S, Add)))
    return false;
  if (Ended) {
    Ends.push_back(Guard ? Guard : &S);
    return true;
  }
  for (const Arg &A : S.Args)
    if (A.Value)
      Add(A.Value);
  return true;
}

} // namespace tensortidy::analysis
