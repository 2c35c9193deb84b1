//===- InplaceOnSaved.cpp - tensor-inplace-on-saved -------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: one path. On each way a tensor can get there it is known to
// require gradients; a path leads from what saved it to the write, and on to
// backward(), which throws.
//
//   auto y = torch::sigmoid(w);   // keeps y
//   y.mul_(2);                    // changes it
//   y.sum().backward();           // throws
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/CheckRun.h"
#include "Analysis/Checks/Saves.h"
#include "Analysis/Checks/Wording.h"
#include "Analysis/Flow/Closure.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

namespace tensortidy::analysis {

using namespace program;

namespace {

bool isName(llvm::StringRef Text) {
  return !Text.empty() && llvm::isAlpha(Text.front());
}

/// Which tensors \p S keeps. The text of a layer is the name that the user
/// gave it, and says nothing.
Saves keptBy(const Stmt &S) {
  if (S.O == Op::Linear || S.O == Op::Conv)
    return Saves::Factors;
  const bool IsNamed = S.O == Op::Unary || S.O == Op::Binary ||
                       S.O == Op::CloneDense || isProduct(S.O);
  return IsNamed ? savesOf(S) : Saves::Nothing;
}

/// What is known of a tensor: that it requires gradients, and whether it is
/// where they end.
enum class Grad : uint8_t { Unknown, Inner, Leaf };

class Gradients {
public:
  explicit Gradients(CheckRun &C) : C(C), F(C.F), Held(C.Held) {}

  void check() {
    if (!mentionsGradients() || F.IsLambda)
      return;
    forEachStmt(F, [&](BlockId, const Stmt &S) {
      if (isWrite(S))
        checkLeaf(S);
      if (S.O == Op::Backward && !S.InTry)
        if (const Arg *A = findArg(S, "self"))
          checkGraph(S, A->Value);
      // Whoever trains the module calls backward() on what this is part of.
      if (S.O == Op::Return && F.IsForward && !S.Args.empty())
        checkGraph(S, S.Args[0].Value);
    });
  }

private:
  /// Most functions do not; and who switches modes by calls is not followed.
  bool mentionsGradients() {
    bool Mentions = F.IsForward, Modes = false;
    forEachStmt(F, [&](BlockId, const Stmt &S) {
      Mentions = Mentions || S.O == Op::Backward || asks(S) == Truth::Yes ||
                 isParameter(S);
      Modes = Modes || S.is(Attribute::SwitchesGradients);
      if (S.O == Op::RequiresGrad && switches(S))
        (asks(S) == Truth::Yes ? Marks : Freezes).push_back(&S);
      if (S.O == Op::Store && !S.Args.empty())
        if (const Stmt *G = Held.def(S.Args[0].Value))
          if (G->is(Attribute::NoGrad))
            Guards.push_back(&S);
    });
    return Mentions && !Modes;
  }

  static bool isParameter(const Stmt &S) {
    // With a third argument it may not require gradients.
    return S.is(Attribute::RegistersParameter) &&
           llvm::count_if(S.Args, [](const Arg &A) { return A.Value; }) == 2;
  }

  /// retain_grad() is of the same kind, and asks for nothing.
  static bool switches(const Stmt &S) { return S.is(Attribute::AsksGradient); }

  /// Whether options, or a call of requires_grad_(), ask for gradients.
  Truth asks(const Stmt &S) const {
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

  /// Within a scope, of this function, that records nothing.
  bool isGuarded(const Stmt &S) const {
    return llvm::any_of(Guards, [&](const Stmt *Guard) {
      const Stmt *End = nullptr;
      forEachStmt(F, [&](BlockId, const Stmt &T) {
        if (T.O == Op::ScopeEnd && T.Var == Guard->Var)
          End = &T;
      });
      return Held.runsAfter(*Guard, S, End);
    });
  }

  static bool isWrite(const Stmt &S) {
    return (S.O == Op::Update || S.O == Op::Overwrite) && findArg(S, "self") &&
           !findArg(S, "guarded");
  }

  /// On every path.
  bool isView(const Stmt &S) const {
    if (opClass(S.O) == OpClass::View)
      return true;
    auto It = C.Opaque.Copies.find(&S);
    return opClass(S.O) == OpClass::MaybeCopy && It != C.Opaque.Copies.end() &&
           It->second.Shares && !It->second.Copies && !It->second.Unknown;
  }

  bool asksInOptions(const Stmt &Factory) const {
    const Arg *A = findArg(Factory, "options");
    for (unsigned Depth = 0; A && Depth < 8; ++Depth) {
      const auto From = Held.origins(A->Value);
      if (From.size() != 1 || From[0]->O != Op::OptionsOp)
        return false;
      if (const Truth T = asks(*From[0]); T != Truth::Unknown)
        return T == Truth::Yes;
      A = findArg(*From[0], "self");
    }
    return false;
  }

  /// The call of requires_grad_() that every path from \p Made to \p Use
  /// passes, when \p Made is all it is called on.
  bool isMarked(const Stmt &Made, const Stmt &Use) const {
    return llvm::any_of(Marks, [&](const Stmt *T) {
      const Arg *Self = findArg(*T, "self");
      if (!Self || !Held.always(*T, Use))
        return false;
      const auto Of = Held.origins(Self->Value);
      return Of.size() == 1 && Of[0] == &Made;
    });
  }

  Grad gradOf(ValueId V) {
    auto [It, New] = Known.try_emplace(V, Grad::Unknown);
    if (!New)
      return It->second;
    const Stmt *Use = Held.def(V);
    Grad G = Grad::Leaf;
    const auto From = Held.origins(V);
    for (const Stmt *S : From)
      G = std::min(G, gradOf(*S, *Use));
    if (From.empty())
      G = Grad::Unknown;
    if (G == Grad::Unknown && isProved(V))
      G = Grad::Inner;
    return Known[V] = G;
  }

  bool isProved(ValueId V) const {
    const Stmt *D = Held.def(V);
    if (D && D->O == Op::Load && ProvedVars.count(D->Var))
      return true;
    const auto From = Held.origins(V);
    return From.size() == 1 && Proved.count(From[0]);
  }

  /// backward() of \p Of returns only if that requires gradients, and so does
  /// what it is computed from, where that is one tensor. Otherwise it throws as
  /// well.
  void prove(ValueId Of) {
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
      const Stmt &S = *From[0];
      const bool Through = isView(S) || isDifferentiable(S);
      if (!Through || S.O == Op::Update || isGuarded(S))
        return true;
      // A loss is that of its first operand; its target is given.
      std::set<ValueId> Tensors;
      std::set<const Stmt *> Makers;
      for (const Arg &A : S.Args) {
        const Stmt *Given = A.Value ? Held.def(A.Value) : nullptr;
        if (!Given || C.Loops.isNumber(A.Value) || Given->O == Op::Const ||
            (isView(S) && A.Name != "self") ||
            (S.O == Op::Loss && A.Name != "self"))
          continue;
        const auto Of = Held.origins(A.Value);
        if (Of.size() != 1 || Makers.insert(Of[0]).second)
          Tensors.insert(A.Value);
      }
      if (Tensors.size() == 1)
        Add(*Tensors.begin());
      return true;
    });
  }

  Grad operand(const Stmt &S, llvm::StringRef Name) {
    const Arg *A = findArg(S, Name);
    return A ? gradOf(A->Value) : Grad::Unknown;
  }

  Grad gradOf(const Stmt &S, const Stmt &Use) {
    // Frozen somewhere between: not followed.
    for (const Stmt *T : Freezes)
      if (Held.runsAfter(S, *T, &Use))
        return Grad::Unknown;
    if (S.O == Op::Weight || isParameter(S))
      return Grad::Leaf;
    const OpClass K = opClass(S.O);
    if (K == OpClass::Factory)
      return asksInOptions(S) || isMarked(S, Use) ? Grad::Leaf : Grad::Unknown;
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
    if (isGuarded(S) || !isDifferentiable(S))
      return Grad::Unknown;
    if (Proved.count(&S))
      return Grad::Inner;
    for (const Arg &A : S.Args)
      if (A.Value && A.Name != "indices" && gradOf(A.Value) != Grad::Unknown)
        return Grad::Inner;
    return Grad::Unknown;
  }

  bool isDifferentiable(const Stmt &S) const {
    if (const Arg *A = findArg(S, "dtype")) {
      const Stmt *D = Held.def(A->Value);
      if (!D || D->O != Op::Const ||
          !llvm::StringRef(D->Text).contains("float"))
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
    case Op::Sized: // a norm, a pool, a recurrent module
      return S.Forward || findArg(S, "weight");
    case Op::CloneDense: // argsort() and others are of that kind, too
      return keptBy(S) != Saves::Nothing;
    default:
      return false;
    }
  }

  /// What is behind a tensor's storage: the statement that makes it, or a
  /// variable that nothing here stores.
  struct Base {
    const Stmt *Made = nullptr;
    VarId Var = NoId;
    bool operator==(const Base &B) const {
      return Made == B.Made && Var == B.Var;
    }
  };

  /// The one base of a value; nothing when it is not known, or one of several.
  std::optional<Base> base(ValueId V) const {
    std::optional<Base> Only;
    auto Found = [&](Base B) {
      const bool Same = !Only || *Only == B;
      Only = B;
      return Same;
    };
    bool Known = true;
    closure(V, [&](ValueId At, auto Add) {
      const Stmt *D = Held.def(At);
      if (D && D->O == Op::Load && F.Vars[D->Var].IsParam &&
          Held.isFixed(D->Var))
        return Known = Found({nullptr, D->Var});
      const auto From = Held.origins(At);
      Known = !From.empty();
      for (const Stmt *S : From) {
        const Arg *Self = findArg(*S, "self");
        const OpClass K = opClass(S->O);
        // data() has a version of its own.
        if ((S->O == Op::Detach && S->is(Attribute::OwnVersion)) ||
            (K == OpClass::MaybeCopy && !isView(*S) && !Held.copies(*S)))
          Known = false;
        else if (Self && (isView(*S) || K == OpClass::InPlaceData))
          Add(Self->Value);
        else
          Known = Known && Found({S, NoId});
      }
      return Known;
    });
    if (!Known)
      return std::nullopt;
    return Only;
  }

  static std::string callOf(const Stmt &S) {
    return isName(S.Text) ? S.Text + "()" : "'" + S.Text + "'";
  }

  /// "'y'", "a view of 'y'".
  std::string nameOf(ValueId V) const {
    std::string Prefix;
    const Stmt *S = Held.def(V);
    for (unsigned Depth = 0; S && Depth < 24; ++Depth) {
      const Arg *Self = findArg(*S, "self");
      if (!Self || !isView(*S))
        break;
      Prefix = "a view of ";
      V = Self->Value;
      S = Held.def(V);
    }
    return Prefix + quoted(Held.name(V), "a tensor");
  }

  void checkLeaf(const Stmt &S) {
    const ValueId Self = findArg(S, "self")->Value;
    if (S.InTry || gradOf(Self) != Grad::Leaf || isGuarded(S))
      return;
    Finding Found(Check::InplaceOnSaved, 0, S);
    Found.Message = callOf(S) + " changes " + nameOf(Self) +
                    " in place, a leaf that requires gradients; throws";
    if (const auto From = base(Self); From && From->Made)
      Found.Notes.push_back({From->Made->point(), "the leaf is made here"});
    Found.Notes.push_back(
        {S.point(), "a torch::NoGradGuard around it, or data(), allows it"});
    Found.At = &S;
    C.Out.push_back(std::move(Found));
  }

  /// What \p S keeps for its gradient.
  llvm::SmallVector<ValueId, 2> savedBy(const Stmt &S) {
    const Saves What = keptBy(S);
    auto First = [&](std::initializer_list<llvm::StringRef> Names) {
      for (llvm::StringRef N : Names)
        if (const Arg *A = findArg(S, N))
          return A->Value;
      return ValueId(0);
    };
    switch (What) {
    case Saves::Nothing:
      return {};
    case Saves::Result:
      return {S.Result};
    case Saves::Self:
      if (const Arg *A = findArg(S, "self"))
        return {A->Value};
      return {};
    case Saves::Factors:
    case Saves::Quotient: {
      const ValueId A = First({"mat1", "input", "self"}),
                    B = First({"mat2", "weight", "other"});
      llvm::SmallVector<ValueId, 2> Kept;
      if (!A || !B)
        return Kept;
      const bool OfA = gradOf(A) != Grad::Unknown,
                 OfB = gradOf(B) != Grad::Unknown;
      if (OfB)
        Kept.push_back(A);
      if (OfA || (OfB && What == Saves::Quotient))
        Kept.push_back(B);
      return Kept;
    }
    }
    return {};
  }

  /// \p End runs backward from \p Of, or returns it.
  void checkGraph(const Stmt &End, ValueId Of) {
    if (End.O == Op::Backward) {
      prove(Of);
      Known.clear();
    }
    // Everything the gradient goes through.
    llvm::SmallSetVector<const Stmt *, 16> Graph;
    closure(
        Of,
        [&](ValueId V, auto Add) {
          if (gradOf(V) != Grad::Unknown)
            for (const Stmt *S : Held.origins(V))
              if (Graph.insert(S))
                for (const Arg &A : S->Args)
                  if (A.Value)
                    Add(A.Value);
          return true;
        },
        /*Most=*/1000);
    for (const Stmt *S : Graph)
      for (const ValueId Kept : savedBy(*S))
        checkSaved(End, *S, Kept);
  }

  void checkSaved(const Stmt &End, const Stmt &Saver, ValueId Kept) {
    const auto Of = base(Kept);
    if (!Of)
      return;
    forEachStmt(F, [&](BlockId, const Stmt &W) {
      if (!isWrite(W) || W.InTry || &W == &Saver || !Held.runsAfter(Saver, W) ||
          !Held.runsAfter(W, End, &Saver))
        return;
      // A new tensor, or the same one?
      if (!Held.runsAfter(Saver, W, Of->Made == &Saver ? nullptr : Of->Made))
        return;
      const ValueId Self = findArg(W, "self")->Value;
      const auto There = base(Self);
      if (!There || !(*There == *Of) || !Said.insert(&W).second)
        return;
      const bool Runs = End.O == Op::Backward;
      Finding Found(Check::InplaceOnSaved, Runs ? 0 : 1, W);
      Found.Message = callOf(W) + " changes " + nameOf(Self) +
                      ", which the gradient of " + callOf(Saver) +
                      " needs; backward() throws" +
                      (Runs ? "" : " where the module is trained");
      Found.Notes.push_back({Saver.point(), "saved here for the gradient"});
      if (Runs)
        Found.Notes.push_back({End.point(), "backward() needs it here"});
      Found.At = &W;
      C.Out.push_back(std::move(Found));
    });
  }

  CheckRun &C;
  const Function &F;
  const Handles &Held;
  llvm::SmallVector<const Stmt *, 2> Marks, Freezes, Guards;
  llvm::DenseMap<ValueId, Grad> Known;
  /// What makes tensors of which backward() proves that they require gradients,
  /// and parameters that are such.
  llvm::SmallSetVector<const Stmt *, 16> Proved;
  std::set<VarId> ProvedVars;
  std::set<const Stmt *> Said;
};

} // namespace

void checkInplaceOnSaved(CheckRun &C) { Gradients(C).check(); }

} // namespace tensortidy::analysis
