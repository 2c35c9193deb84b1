//===- Inline.cpp - calls replaced by the bodies they run -----------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program/Inline.h"
#include "Program/Places.h"
#include "Program/Writes.h"
#include "llvm/ADT/ArrayRef.h"

namespace tensortidy::program {

namespace {

/// One function's statements on their way into the result: the root, or a body
/// in place of a call.
struct Instance {
  const Function *F = nullptr;
  const Instance *Caller = nullptr;
  BodyId Body = NoId;
  uint32_t Context = 0;
  ValueId FirstValue = 0;  ///< added to every value
  std::vector<VarId> Vars; ///< NoId: not mapped yet
  LoopId FirstLoop = 0;    ///< added to every loop
  LoopId InLoop = NoId;    ///< loop the call stands in
  VarId This = NoId;       ///< ThisBase, a variable of the result, or NoId
  /// Objects behind parameters that stay the pointers they are.
  llvm::SmallVector<std::pair<VarId, VarId>, 2> Pointees;
  VarId Returned = NoId;   ///< variable that takes the result
  BlockId Continue = NoId; ///< block after the call
  const Call *Bound = nullptr;
};

class Inliner {
public:
  Inliner(const Function &F, FunctionSource &Source, const InlineLimits &Limits)
      : Root(F), Source(Source), Limits(Limits) {}

  Function run() {
    // Everything but the statements, which are moved over one by one.
    Out.Name = Root.Name;
    Out.Where = Root.Where;
    Out.IsLambda = Root.IsLambda;
    Out.ReturnsTensor = Root.ReturnsTensor;
    Out.ReturnsBorrowed = Root.ReturnsBorrowed;
    Out.Returns = Root.Returns;
    Out.Identity = Root.Identity;
    Out.Around = Root.Around;
    Out.CallersVisible = Root.CallersVisible;
    Out.IsForward = Root.IsForward;
    Out.PerhapsUnrecorded = Root.PerhapsUnrecorded;
    Out.TakesGradients = Root.TakesGradients;
    Out.LeastGradients = Root.LeastGradients;
    Out.MostGradients = Root.MostGradients;
    Out.Reason = Root.Reason;
    Out.Entry = Root.Entry;
    Out.Vars = Root.Vars;
    Out.Params = Root.Params;
    Out.Named = Root.Named;
    Out.Loops = Root.Loops;
    Out.NextValue = Root.NextValue;
    Out.Unmodelled = Root.Unmodelled;
    Out.Modelled = Root.Modelled;
    Out.Contexts.emplace_back();
    for (VarId V = 0; V < Root.Vars.size(); ++V)
      remember(V);
    Instance I;
    I.F = &Root;
    I.This = ThisBase;
    for (VarId V = 0; V < Root.Vars.size(); ++V)
      I.Vars.push_back(V);
    Out.Blocks.resize(Root.Blocks.size());
    std::vector<BlockId> Blocks;
    for (BlockId B = 0; B < Root.Blocks.size(); ++B)
      Blocks.push_back(B);
    copyBlocks(I, Blocks);
    resolvePlaces(Out);
    completeWrites(Out);
    return std::move(Out);
  }

private:
  //===--------------------------------------------------------------------===//
  // Statements
  //===--------------------------------------------------------------------===//

  void copyBlocks(Instance &I, llvm::ArrayRef<BlockId> Blocks) {
    auto To = [&](BlockId B) { return B == NoId ? NoId : Blocks[B]; };
    for (BlockId B = 0; B < I.F->Blocks.size(); ++B) {
      const Block &From = I.F->Blocks[B];
      LoopId Loop = From.InLoop == NoId ? I.InLoop : From.InLoop + I.FirstLoop;
      BlockId Here = Blocks[B];
      Out.Blocks[Here].InLoop = Loop;
      bool Leaves = false;
      for (const Stmt &S : From.Stmts) {
        if (S.Calls && follow(I, S, Here, Loop))
          continue;
        if (I.Continue != NoId && S.O == Op::Return) {
          leave(I, S, Here);
          Leaves = true;
          break;
        }
        Out.Blocks[Here].Stmts.push_back(copy(I, S));
      }
      if (Leaves)
        continue;
      Block &End = Out.Blocks[Here];
      End.Condition = value(I, From.Condition);
      End.Cases = From.Cases;
      for (BlockId S : From.Succs)
        End.Succs.push_back(To(S));
    }
  }

  ValueId value(const Instance &I, ValueId V) const {
    return V ? V + I.FirstValue : 0;
  }

  Stmt copy(Instance &I, const Stmt &S) {
    Stmt N = S;
    N.Result = value(I, S.Result);
    N.Context = I.Context;
    if (S.Var != NoId)
      N.Var = var(I, S.Var);
    for (Arg &A : N.Args) {
      A.Value = value(I, A.Value);
      if (A.Var != NoId)
        A.Var = var(I, A.Var);
    }
    N.Calls = nullptr;
    return N;
  }

  Stmt &add(BlockId B, Op O, const Instance &I, const Stmt &At) {
    Out.Blocks[B].Stmts.emplace_back();
    Stmt &S = Out.Blocks[B].Stmts.back();
    S.O = O;
    S.Context = I.Context;
    S.Where = At.Where;
    S.InMacro = At.InMacro;
    S.TypesVary = At.TypesVary;
    return S;
  }

  /// `return %v`: the result's variable takes it, and the caller goes on.
  void leave(Instance &I, const Stmt &S, BlockId Here) {
    if (I.Returned != NoId && !S.Args.empty()) {
      Stmt &N = add(Here, Op::Store, I, S);
      N.Var = I.Returned;
      N.Args.push_back({"", value(I, S.Args[0].Value), Role::Read, NoId});
    }
    Out.Blocks[Here].Succs.push_back(I.Continue);
  }

  BlockId newBlock(LoopId Loop) {
    Out.Blocks.emplace_back();
    Out.Blocks.back().InLoop = Loop;
    return static_cast<BlockId>(Out.Blocks.size() - 1);
  }

  /// The body that call \p C runs, or null where it is not put in its place.
  const Function *bodyFor(const Instance &I, const Call &C) {
    unsigned Depth = 0;
    for (const Instance *P = &I; P; P = P->Caller, ++Depth)
      if (P->Body == C.Body)
        return nullptr;
    const Function *G = Depth > Limits.Depth ? nullptr : Source.body(C.Body);
    if (!G || G == &Root || G->Reason != GiveUp::No || G->Blocks.empty() ||
        G->Blocks.size() > Limits.BodyBlocks ||
        AddedBlocks + G->Blocks.size() > Limits.Blocks)
      return nullptr;
    size_t Statements = 0;
    for (const Block &B : G->Blocks)
      Statements += B.Stmts.size();
    if (Added + Statements > Limits.Statements)
      return nullptr;
    Added += Statements;
    AddedBlocks += G->Blocks.size() + 1;
    return G;
  }

  /// Puts the body in place of \p S, which ends block \p Here; \p Here is then
  /// the block after it. False: the call stays.
  bool follow(Instance &I, const Stmt &S, BlockId &Here, LoopId Loop) {
    const Call &C = *S.Calls;
    const Function *G = bodyFor(I, C);
    if (!G) {
      ++Out.NotFollowed;
      return false;
    }
    ++Out.Followed;

    Instance N;
    N.F = G;
    N.Caller = &I;
    N.Body = C.Body;
    N.Bound = &C;
    N.InLoop = Loop;
    N.FirstValue = Out.NextValue;
    Out.NextValue += G->NextValue;
    N.FirstLoop = static_cast<LoopId>(Out.Loops.size());
    if (C.IsHere) {
      N.Context = I.Context;
      if (!I.Context)
        Out.Absorbed.push_back(C.Body);
    } else {
      N.Context = static_cast<uint32_t>(Out.Contexts.size());
      CallContext &Of = Out.Contexts.emplace_back();
      Of.Where = S.Where;
      Of.Parent = I.Context;
      Of.Callee = G->Name;
      Of.IsForward = llvm::StringRef(G->Name).ends_with("::forward");
      Of.IsLambda = llvm::StringRef(G->Name).contains("lambda");
    }
    N.This = C.This == ThisKind::Same       ? I.This
             : C.This == ThisKind::Variable ? var(I, C.ThisVar)
                                            : NoId;
    if (G->IsLambda) { // `this` is that of the function it was made in
      N.This = NoId;
      for (const Instance *P = &I; P; P = P->Caller)
        if (P->F->Identity == G->Around) {
          N.This = P->This;
          if (!C.IsHere)
            Out.Contexts[N.Context].Around = P->Context;
          break;
        }
    }
    N.Vars.assign(G->Vars.size(), NoId);
    std::vector<BlockId> Blocks;
    for (const Block &B : G->Blocks)
      Blocks.push_back(newBlock(B.InLoop));
    for (const program::Loop &L : G->Loops) {
      program::Loop Copy = L;
      Copy.Parent = L.Parent == NoId ? Loop : L.Parent + N.FirstLoop;
      Copy.Head = L.Head == NoId ? NoId : Blocks[L.Head];
      Out.Loops.push_back(std::move(Copy));
    }
    BlockId After = newBlock(Loop);
    N.Continue = After;
    BlockId Entry = Blocks[G->Entry];
    if (C.PassedOn) {
      // It may run or not, with arguments nobody here knows.
      Stmt &Runs = add(Here, Op::Runs, I, S);
      Runs.IsScalar = true;
      Runs.Result = Out.NextValue++;
      // Of parallel_for(): whose shares the parameters are.
      if (S.Text == "parallel_for" && S.Args.size() > 2 && G->Params == 2)
        for (unsigned P = 0; P < 2; ++P)
          Runs.Args.push_back(
              {"", value(I, S.Args[P].Value), Role::Read, var(N, P)});
      Out.Blocks[Here].Condition = Runs.Result;
      Out.Blocks[Here].Succs = {Entry, After};
    } else {
      bindParameters(I, N, S, Here);
      if (S.Result) {
        Variable R;
        R.Type = G->Returns;
        R.DeclaredIn = Loop;
        R.Borrows = G->ReturnsBorrowed;
        R.IsResult = true;
        R.Context = N.Context;
        N.Returned = static_cast<VarId>(Out.Vars.size());
        Out.Vars.push_back(std::move(R));
      }
      Out.Blocks[Here].Succs.push_back(Entry);
    }
    copyBlocks(N, Blocks);
    if (C.PassedOn) {
      Stmt Stays = copy(I, S);
      Out.Blocks[After].Stmts.push_back(std::move(Stays));
    } else {
      writesThroughPointers(I, N, S, After);
      if (S.Result) {
        Stmt &L = add(After, Op::Load, I, S);
        L.Var = N.Returned;
        L.Result = value(I, S.Result);
        L.IsScalar = S.IsScalar;
      }
    }
    Here = After;
    return true;
  }

  void bindParameters(Instance &I, Instance &N, const Stmt &S, BlockId Here) {
    const Call &C = *S.Calls;
    for (VarId P = 0; P < N.F->Params && P < N.F->Vars.size(); ++P) {
      Binding B = P < C.Params.size() ? C.Params[P] : Binding();
      if (B.Var != NoId) {
        N.Vars[P] = var(I, B.Var);
        Out.Vars[N.Vars[P]].IsCaptured |= N.F->Vars[P].IsCaptured;
        if (!N.F->Vars[P].Name.empty())
          Out.Aliases.push_back({N.Context, N.Vars[P], N.F->Vars[P].Name});
        continue;
      }
      store(N, P, value(I, B.Value), S, Here);
      if (B.Pointee != NoId && isSetOnce(*N.F, P))
        N.Pointees.push_back({P, var(I, B.Pointee)});
    }
  }

  /// Variable \p V of \p N takes \p Value, and its fields their parts of it.
  void store(Instance &N, VarId V, ValueId Value, const Stmt &At,
             BlockId Here) {
    Stmt &Set = add(Here, Op::Store, N, At);
    Set.Var = var(N, V);
    if (Value)
      Set.Args.push_back({"", Value, Role::Read, NoId});
    if (N.F->Vars[V].Type != VarType::Other)
      return;
    for (VarId Part = 0; Part < N.F->Vars.size(); ++Part) {
      const Variable &Field = N.F->Vars[Part];
      if (Field.Base != V || Field.Field < 0)
        continue;
      ValueId Of = 0;
      if (Value) {
        Stmt &Get = add(Here, Op::ListGet, N, At);
        Get.Args.push_back({"", Value, Role::Read, NoId});
        Get.Imm = Field.Field;
        Get.Derives = Field.Borrows;
        Get.Result = Of = Out.NextValue++;
      }
      store(N, Part, Of, At, Here);
    }
  }

  /// What the body was given the address of may have changed, if its stores
  /// there name no variable.
  void writesThroughPointers(Instance &I, const Instance &N, const Stmt &S,
                             BlockId After) {
    llvm::SmallVector<VarId, 4> Vars;
    for (VarId V : N.Bound->Pointees)
      Vars.push_back(var(I, V));
    for (const Binding &B : N.Bound->Params)
      if (B.Pointee != NoId)
        if (VarId V = var(I, B.Pointee); llvm::none_of(
                N.Pointees, [&](const auto &P) { return P.second == V; }))
          Vars.push_back(V);
    if (Vars.empty())
      return;
    Stmt &W = add(After, Op::CalleeWrites, I, S);
    W.Imm = N.Context;
    for (VarId V : Vars)
      W.Args.push_back({"", 0, Role::Write, V});
  }

  //===--------------------------------------------------------------------===//
  // Variables
  //===--------------------------------------------------------------------===//

  /// What a variable of \p I is in the result.
  VarId var(Instance &I, VarId V) {
    if (V >= I.Vars.size())
      return V;
    if (I.Vars[V] == NoId) {
      VarId Made = makeVar(I, V);
      Out.Vars[Made].IsCaptured |= I.F->Vars[V].IsCaptured;
      I.Vars[V] = Made;
    }
    return I.Vars[V];
  }

  VarId makeVar(Instance &I, VarId V) {
    const Variable &Old = I.F->Vars[V];
    VarId Base = NoId;
    bool IsShared = false;
    if (Old.Base == ThisBase) {
      if (I.This == NoId)
        I.This = unknownObject();
      Base = I.This;
      IsShared = true;
    } else if (Old.Base != NoId) {
      if (Old.IsPointee)
        for (auto [Pointer, Object] : I.Pointees)
          if (Pointer == Old.Base && Out.Vars[Object].Type == Old.Type)
            return Object;
      Base = var(I, Old.Base);
      IsShared = true;
    } else if (Old.IsEnclosing && Old.Identity) {
      // The nearest caller that has the local: the lambda was made there.
      for (const Instance *P = I.Caller; P; P = P->Caller) {
        auto It = P->F->Named.find(Old.Identity);
        if (It != P->F->Named.end())
          if (!Old.IsCopy || isSetOnce(*P->F, It->second))
            return var(const_cast<Instance &>(*P), It->second);
      }
    } else {
      IsShared = Old.IsMember && Old.Identity;
    }
    if (IsShared && Old.Identity) {
      auto It = Shared.find({Base, Old.Identity});
      if (It != Shared.end())
        return It->second;
    }
    Variable N = Old;
    for (VarId &R : N.Refers)
      R = var(I, R);
    N.Base = Base;
    N.Context = I.Context;
    if (!Old.IsMember) { // a parameter or local: as good as a local here
      N.IsReference = Old.IsReference && !Old.IsParam;
      N.IsParam = false;
    } else if (Base != NoId && Base != ThisBase) {
      N.IsParam = Out.Vars[Base].IsParam;
      N.IsMember = true;
    }
    N.Decl = Range();
    N.DeclaredIn = Old.DeclaredIn == NoId ? (Old.IsMember ? NoId : I.InLoop)
                                          : Old.DeclaredIn + I.FirstLoop;
    VarId Id = static_cast<VarId>(Out.Vars.size());
    Out.Vars.push_back(std::move(N));
    if (IsShared)
      remember(Id);
    return Id;
  }

  /// A variable for an object that only the callee's `this` names.
  VarId unknownObject() {
    Variable N;
    N.IsMember = N.IsPointee = true;
    Out.Vars.push_back(std::move(N));
    return static_cast<VarId>(Out.Vars.size() - 1);
  }

  void remember(VarId V) {
    const Variable &Var = Out.Vars[V];
    if (Var.IsMember && Var.Identity && !Var.IsEnclosing)
      Shared.try_emplace({Var.Base, Var.Identity}, V);
  }

  /// Whether a local keeps the value it starts with.
  static bool isSetOnce(const Function &F, VarId V) {
    unsigned Stores = (V < F.Params) + 2 * F.Vars[V].IsCaptured;
    for (const Variable &Var : F.Vars)
      Stores += llvm::is_contained(Var.Refers, V);
    forEachStmt(F, [&](BlockId, const Stmt &S) {
      Stores += S.O == Op::Store && S.Var == V;
      if (S.isOpaque())
        for (const Arg &A : S.Args)
          Stores += A.R == Role::Write && A.Var == V;
    });
    return Stores <= 1;
  }

  const Function &Root;
  FunctionSource &Source;
  const InlineLimits &Limits;
  Function Out;
  size_t Added = 0, AddedBlocks = 0;
  llvm::DenseMap<std::pair<VarId, uint64_t>, VarId> Shared;
};

} // namespace

Function inlineCalls(const Function &F, FunctionSource &Source,
                     const InlineLimits &Limits) {
  return Inliner(F, Source, Limits).run();
}

} // namespace tensortidy::program
