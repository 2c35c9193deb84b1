//===- Transfer.cpp - what each statement does -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/Transfer.h"
#include "Analysis/Transfer/Assertions.h"
#include "Analysis/Transfer/ByteBlocks.h"
#include "Analysis/Transfer/Conditions.h"
#include "Analysis/Transfer/CopyOps.h"
#include "Analysis/Transfer/DTypes.h"
#include "Analysis/Transfer/Describe.h"
#include "Analysis/Transfer/Devices.h"
#include "Analysis/Transfer/FreshOps.h"
#include "Analysis/Transfer/Ggml.h"
#include "Analysis/Transfer/Images.h"
#include "Analysis/Transfer/Lists.h"
#include "Analysis/Transfer/Needs.h"
#include "Analysis/Transfer/Operands.h"
#include "Analysis/Transfer/Pointers.h"
#include "Analysis/Transfer/Promotion.h"
#include "Analysis/Transfer/Questions.h"
#include "Analysis/Transfer/Ranks.h"
#include "Analysis/Transfer/Results.h"
#include "Analysis/Transfer/Singles.h"
#include "Analysis/Transfer/Subscripts.h"
#include "Analysis/Transfer/ViewOps.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

static ObjId anyTensor(const Context &Ctx, State &W, const Stmt &S);

/// Only one arm ran in this state.
TENSORTIDY_TRANSFER(Phi) {
  Value V;
  unsigned Seen = 0;
  for (const Arg &A : S.Args)
    if (const Value *One = W.Temps.find(A.Value)) {
      V = *One;
      ++Seen;
    }
  if (Seen == 0) // paths of both arms have met: chooseArms()
    V = value(W, S.Result);
  setResult(W, S, Seen <= 1 ? V : Value());
}

TENSORTIDY_TRANSFER(ScopeEnd) { W.Vars.set(S.Var, Value()); }

TENSORTIDY_TRANSFER(FullExprEnd) {}

static void sameValue(TENSORTIDY_OPERANDS) {
  setResult(W, S, S.Args.empty() ? Value() : value(W, S.Args[0].Value));
}
TENSORTIDY_TRANSFER_AS(Temporary, sameValue)
TENSORTIDY_TRANSFER_AS(ListCopy, sameValue)

/// execute() assumes it: the path may end there.
TENSORTIDY_TRANSFER(Assume) {}
TENSORTIDY_TRANSFER(Steps) {}
TENSORTIDY_TRANSFER(Remembers) {}

/// %r = load $v
TENSORTIDY_TRANSFER(Load) {
  if (S.Var >= Ctx.F.Vars.size())
    return;
  const Variable &Var = Ctx.F.Vars[S.Var];
  Value V = W.Vars[S.Var];
  if (V.K == Value::Unknown) {
    if (Var.Type == VarType::Int) {
      V = Value::integer(variableSymbol(Ctx, S.Var));
    } else if (Var.Type == VarType::Bool)
      V = Value::condition(
          atom("var" + std::to_string(S.Var), called(Ctx, S.Var)));
    else if (Var.Type == VarType::Tensor && V.T == AnyTensor)
      V = Value::tensor(anyTensor(Ctx, W, S));
    W.Vars.set(S.Var, V);
  }
  if (Var.Of == ImageField::Pitch && Var.Base != NoId)
    knowsPitch(Ctx, W, Var.Base);
  if (V.K == Value::Image && Var.Of == ImageField::Data &&
      itemSize(V.M->Type) == 1) // its address counts bytes
    V = imageAddress(Ctx, W, S, *V.M, Var.Base);
  setResult(W, S, V.K == Value::Unknown && S.IsScalar ? Value::number() : V);
}

/// Sizes that were called after an expression are those of the variable.
static void nameSizes(const Context &Ctx, const Object &O) {
  for (size_t D = 0; D < O.L.rank(); ++D)
    if (auto Id = O.L.Sizes[D].asSymbol();
        Id && !O.Name.empty() && Ctx.Ids.NamedByExpression.erase(*Id))
      Ctx.Table[*Id].call(O.Name + ".size(" + std::to_string(D) + ")", false,
                          Ctx.Ids.Line);
}

/// Whether context \p At is that of a caller of context \p Callee.
static bool calls(const Function &F, uint32_t At, uint32_t Callee) {
  while (Callee && Callee < F.Contexts.size()) {
    Callee = F.Contexts[Callee].Parent;
    if (Callee == At)
      return true;
  }
  return false;
}

static void havoc(const Context &Ctx, State &W, VarId V, const Stmt &S);

/// store $v %a
TENSORTIDY_TRANSFER(Store) {
  if (S.Var >= Ctx.F.Vars.size())
    return;
  const Variable &Var = Ctx.F.Vars[S.Var];
  const std::string Name = called(Ctx, S.Var, S.Context);
  Value V = S.Args.empty() ? Value() : value(W, S.Args[0].Value);
  ValueId From = S.Args.empty() ? 0 : S.Args[0].Value;
  if (Var.Type == VarType::Tensor && V.K == Value::Unknown && From) {
    if (tensorArg(Ctx, W, S, S.Args[0].Name))
      V = value(W, From);
  }
  if (From && (Var.Type == VarType::Int || Var.Type == VarType::Bool ||
               Var.Type == VarType::Other))
    addGiven(Ctx, From, Ctx.Asked.GivenToVariable[S.Var], 0);
  if (Var.IsStatic) // initialised once, and changed since for all we know
    return havoc(Ctx, W, S.Var, S);
  if (V.K == Value::Tensor)
    if (Object *O = tensor(W, V)) {
      if (!Name.empty() &&
          (O->Name.empty() || O->Name.find('(') != std::string::npos ||
           calls(Ctx.F, S.Context, contextOf(O->Name))))
        O->Name = Name;
      if (O->Ggml)
        nameGgml(Ctx, *O);
      else if (O->Segment < 0)
        nameSizes(Ctx, *O);
      for (size_t D = 0; O->HasLayout && !O->Ggml && O->Segment < 0 &&
                         D < O->L.rank() && !Name.empty();
           ++D)
        nameHere(Ctx, S, O->L.Sizes[D],
                 Name + ".size(" + std::to_string(D) + ")");
    }
  if (V.K == Value::Int) {
    W.Ar.nameSum(V.I, Name);
    if (auto Sym = V.I.asSymbol(); Sym && !Name.empty()) {
      SymbolInfo &Info = Ctx.Table[*Sym];
      // That of a parameter is not the line of the call.
      const uint32_t At = S.Context ? Var.Where.Line : Ctx.Ids.Line;
      if (!Info.Named)
        Info.call(Name, true, At);
      else
        Info.alias(Name, true, At);
    }
  }
  if (Var.Type == VarType::Int && isDevice(V)) // its number
    V = Value();
  if (Var.Type == VarType::Int && V.K == Value::Unknown && From)
    V = Value::integer(Ctx.Ids.symbol({SymbolKey::StoredValue, NoId, From},
                                      SymbolInfo::Integer, Name));
  if (Var.Type == VarType::Bool && V.K == Value::Unknown && From)
    V = Value::condition(test(Ctx, W, From, Name));
  if (V.K == Value::Bool && V.C && V.C->K == Condition::Atom &&
      V.C->Text.empty())
    V = Value::condition(atom(V.C->Key, Name));
  W.Vars.set(S.Var, std::move(V));
}

/// Nothing is known of the tensor's layout any more.
void forget(Object &O) {
  O.HasLayout = false;
  O.Holds = std::nullopt;
  O.Device.clear();
  O.Root = false;
  O.Segment = -1;
  O.NotContiguous = false;
}

/// \p O is about to change in place: another parameter, or the element of a
/// list, may be the same tensor.
static void metadataChanges(State &W, const Object &O) {
  if (!O.Root && !O.Listed)
    return;
  W.Objects.change(
      [&](ObjId, const Object &Other) {
        return &Other != &O && !Other.Ggml &&
               ((O.Root && Other.Root) || (O.Listed && Other.Listed));
      },
      [&](Object &Other) { forget(Other); });
}

/// A tensor without elements, or one number: who passes it on wants it resized,
/// or asks whether there is anything in it.
///   auto out = empty({0}); crop(x, out); if (!isEmpty(out)) out.permute(...)
static bool isPlaceholder(const State &W, const Object &O) {
  return O.HasLayout && O.Segment < 0 && !O.Root && !O.Ggml &&
         (O.L.rank() == 0 || llvm::any_of(
                                 O.L.Sizes,
                                 [&](const SymExpr &N) {
                                   const auto Known = W.Ar.known(N);
                                   return Known && *Known == 0;
                                 }));
}

/// Whatever else is called: it may change what it is given to write.
static void opaque(TENSORTIDY_OPERANDS) {
  movesBytes(Ctx, W, S);
  Value Points = usePointers(Ctx, W, S);
  const Value Bound = boundImage(W, S);
  if (S.is(Attribute::Subscript))
    indexAccessor(Ctx, W, S);
  if (const auto Size = accessorSize(Ctx, W, S))
    return setResult(W, S, Value::integer(*Size));
  // IValue(x) is x to who gets it, and std::string("cuda") a name.
  if (S.Args.size() == 1)
    if (const Value V = value(W, S.Args[0].Value);
        (V.K == Value::Tensor && S.is(Attribute::HoldsTensor)) ||
        (V.K == Value::Symbol && S.is(Attribute::SameText)))
      Points = V;
  // Variables it may write are listed. What a lambda captures or a pointer
  // points to can change at any call.
  if ((S.O == Op::Opaque || S.O == Op::CalleeWrites) && !S.IsScalar &&
      !S.is(Attribute::AccessesMember))
    for (VarId V : Ctx.Flow.Captured)
      havoc(Ctx, W, V, S);
  if (S.Result)
    for (const Arg &A : S.Args)
      if (const Object *O = tensor(W, value(W, A.Value)); O && O->HasLayout)
        if (auto &Of = Ctx.Asked.GivenToCall[S.Result];
            !llvm::is_contained(Of, *O))
          Of.push_back(*O);
  for (const Arg &A : S.Args) {
    if (A.R == Role::Keep || (A.R == Role::Read && S.Result))
      if (Object *O = tensor(W, value(W, A.Value)); O && isPlaceholder(W, *O))
        forget(*O);
    if (A.R != Role::Write)
      continue;
    // Elements may change, but not how many there are. Integers may be sizes,
    // which have to be known or not be there.
    const bool IsAccessor = A.Var != NoId && S.is(Attribute::Subscript) &&
                            W.Vars[A.Var].K == Value::Accessor;
    const bool Stays =
        IsAccessor ||
        (A.Var != NoId && W.Vars[A.Var].K == Value::List &&
         (S.is(Attribute::GivesMemory) || S.is(Attribute::GivesIterator)) &&
         llvm::none_of(*W.Vars[A.Var].Elems, [](const Value &E) {
           return E.K == Value::Int || E.K == Value::Tensor;
         }));
    if (A.Var != NoId && !Stays && !writesElement(Ctx.F, S, A) &&
        !leavesModule(Ctx, W, S, A))
      havoc(Ctx, W, A.Var, S);
    // Only who is given a reference transposes the tensor in place: a handle
    // by value or by const reference is read, as everywhere in libtorch.
    if (A.Value)
      if (Object *O = tensor(W, value(W, A.Value)); O && !O->Ggml)
        forget(*O);
  }
  if (S.is(Attribute::Broadcasts) || S.is(Attribute::MakesGrid))
    return expandAll(Ctx, W, S);
  setResult(W, S, S.IsScalar ? Value::number() : Points);
  changeImages(Ctx, W, S, Bound);
}

static void havoc(const Context &Ctx, State &W, VarId V, const Stmt &S) {
  if (V >= Ctx.F.Vars.size())
    return;
  const Variable &Var = Ctx.F.Vars[V];
  // The slot of the statement, so that each place has its own symbols.
  auto Number = [&] {
    return S.Result
               ? Ctx.Ids.number({SymbolKey::Havoc, Ctx.Block, V, S.Result})
               : Ctx.Ids.number({SymbolKey::Havoc, NoId, V, S.Where.Begin});
  };
  const Value Was = Var.IsMember ? W.Vars[V] : Value();
  switch (Var.Type) {
  case VarType::Tensor: { // made when it is read: most never are
    Value Any;
    Any.T = AnyTensor;
    return W.Vars.set(V, std::move(Any));
  }
  case VarType::Int: {
    SymExpr E = Ctx.Ids.symbol({SymbolKey::ChangedInt, NoId, Number()},
                               SymbolInfo::Integer, called(Ctx, V));
    Ctx.Table[*E.asSymbol()].Owner = Ctx.F.Blocks[Ctx.Block].InLoop;
    if (Was.K == Value::Int && Was.I.asSymbol() && !(Was.I == E))
      Ctx.Asked.WasInt.emplace(*E.asSymbol(), Was.I);
    W.Vars.set(V, Value::integer(E));
    return;
  }
  case VarType::Bool: {
    const std::string Now = "havoc" + std::to_string(Number());
    if (Was.K == Value::Bool && Was.C->K == Condition::Atom &&
        Was.C->Key != Now)
      Ctx.Asked.WasAtom.emplace(Now, Was.C->Key);
    return W.Vars.set(V, Value::condition(atom(Now, called(Ctx, V))));
  }
  default:
    W.Vars.set(V, Value());
  }
}

/// A new object for what \p S loads: some tensor.
static ObjId anyTensor(const Context &Ctx, State &W, const Stmt &S) {
  const Variable &Var = Ctx.F.Vars[S.Var];
  const uint32_t Number =
      Ctx.Ids.number({SymbolKey::ReloadedTensor, NoId, S.Var, S.Result});
  const ObjId Id{ObjId::Reloaded, 0, Number};
  Object O = opaque(Ctx, W, called(Ctx, S.Var, S.Context),
                    {SymbolKey::ReloadedTensor, NoId, Number});
  O.Storage = Id;
  if (Var.IsGgml)
    makeGgml(Ctx, W, O, Id);
  W.Objects.assign(Id, std::move(O));
  return Id;
}

/// A statement about tensors.
static void applyRule(const Context &Ctx, State &W, const Stmt &S) {
  // References into the object table stay valid: results are other entries.
  Object *Self = tensorArg(Ctx, W, S, "self");
  if (opClass(S.O) == OpClass::InPlaceMeta && Self)
    metadataChanges(W, *Self);
  ruleOf(S.O)(Ctx, W, S, Self);
}

/// What a statement about tensors does, and what is noted of it for the checks.
static void executeTensor(const Context &Ctx, State &W, const Stmt &S) {
  const OpClass Class = opClass(S.O);
  sameDevices(Ctx, W, S);
  noteFetch(Ctx, W, S);
  noteSingle(Ctx, W, S);
  if (Class == OpClass::MaybeCopy) {
    const unsigned Before = Ctx.Facts.Copies[&S].paths();
    ProvRef Prov;
    if (const Object *Self = tensorArg(Ctx, W, S, "self"))
      Prov = Self->Prov;
    applyRule(Ctx, W, S);
    noteCopy(Ctx, W, S, Before);
    Ctx.Facts.Copies[&S].Prov = std::move(Prov);
    noteSelf(Ctx, W, S);
  } else {
    if (findArg(S, "needs"))
      needs(Ctx, W, S);
    applyRule(Ctx, W, S);
  }
  promote(Ctx, W, S);
  if ((Class == OpClass::Compute || Class == OpClass::Copy) &&
      findArg(S, "dtype"))
    if (Object *O = tensor(W, value(W, S.Result))) {
      Value D = operand(W, S, "dtype");
      const Object *Named = D.K == Value::Symbol && findArg(S, D.Text)
                                ? tensor(W, operand(W, S, D.Text))
                                : nullptr;
      if (Named)
        O->DType = Named->DType;
      else if (D.K != Value::None && D.Text != "self")
        O->DType = D.K == Value::Symbol && D.Text != "unknown" ? D.Text : "";
    }
  if (Class == OpClass::Factory)
    if (Object *O = tensor(W, value(W, S.Result))) {
      setDType(Ctx, W, S, *O);
      if (S.O != Op::FromBlob)
        noteAllocation(Ctx, W, S, *O);
    }
  placeResult(Ctx, W, S);
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

/// Each operation has a rule, but for those without a model, which share one.
template <Op O, OpClass Class> static constexpr TransferRule *ruleFor() {
  if constexpr (Class == OpClass::Effect)
    return &opaque;
  else
    return &transfer<O>;
}

TransferRule *ruleOf(Op O) {
  static constexpr TransferRule *Rules[] = {
#define TENSORTIDY_OP(Id, Name, Class, Operands, Text)                         \
  ruleFor<Op::Id, OpClass::Class>(),
#include "Program/Ops.def"
  };
  return Rules[static_cast<size_t>(O)];
}

/// Whether the path goes on after what \p S checks.
static bool goesOn(const Context &Ctx, State &W, const Stmt &S) {
  switch (S.O) {
  case Op::Return:
  case Op::Throw:
    return false;
  case Op::Assume: {
    const Value V = S.Args.empty() ? Value() : value(W, S.Args[0].Value);
    if (V.K != Value::Bool)
      return true;
    const Truth T = evaluate(Ctx, W, *V.C);
    noteAssertion(Ctx, W, S, V.C);
    if (T != Truth::Unknown || !S.Before)
      return T == Truth::Yes || (T != Truth::No && assume(Ctx, W, *V.C, true));
    // Nobody asked: no message says that it holds "when" this is so.
    const auto Before = W.Assumed;
    const bool Holds = assume(Ctx, W, *V.C, true);
    W.Assumed = Before;
    if (!S.Context) // in a call, branches of the caller have found more
      Ctx.Facts.Given = W.Ar.facts();
    return Holds;
  }
  default:
    return !isEmptyLater(Ctx, W, S);
  }
}

bool execute(const Context &Ctx, State &W, const Stmt &S) {
  if (S.Where.Line)
    Ctx.Ids.Line = S.Where.Line;
  if (S.isOpaque() || S.O == Op::Return || isGgml(S.O))
    ggmlReads(Ctx, W, S);
  if (S.O == Op::Return && Ctx.F.MostGradients)
    noteReturned(Ctx, W, S);
  if (!goesOn(Ctx, W, S))
    return false;
  const OpClass Class = opClass(S.O);
  if (isGgml(S.O)) {
    Object *Self = ggmlOperands(Ctx, W, S);
    const bool NeedsSelf =
        Class == OpClass::Graph && S.O != Op::GgmlNew && S.O != Op::GgmlDense;
    if (NeedsSelf && !Self)
      ggmlAny(Ctx, W, S, nullptr);
    else
      ruleOf(S.O)(Ctx, W, S, Self);
  } else if (S.isOpaque() || Class == OpClass::Integer ||
             Class == OpClass::Condition ||
             (Class == OpClass::Structure && S.O != Op::Weight)) {
    ruleOf(S.O)(Ctx, W, S, nullptr);
  } else {
    executeTensor(Ctx, W, S);
  }
  return true;
}

} // namespace tensortidy::analysis
