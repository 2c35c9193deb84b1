//===- Transfer.cpp - what each statement does -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/Transfer.h"
#include "Analysis/Transfer/Conditions.h"
#include "Analysis/Transfer/CopyOps.h"
#include "Analysis/Transfer/DTypes.h"
#include "Analysis/Transfer/Describe.h"
#include "Analysis/Transfer/FreshOps.h"
#include "Analysis/Transfer/Ggml.h"
#include "Analysis/Transfer/Lists.h"
#include "Analysis/Transfer/Needs.h"
#include "Analysis/Transfer/Operands.h"
#include "Analysis/Transfer/Overwrite.h"
#include "Analysis/Transfer/Pointers.h"
#include "Analysis/Transfer/Promotion.h"
#include "Analysis/Transfer/Questions.h"
#include "Analysis/Transfer/Ranks.h"
#include "Analysis/Transfer/Results.h"
#include "Analysis/Transfer/Sites.h"
#include "Analysis/Transfer/Values.h"
#include "Analysis/Transfer/ViewOps.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

/// Whether \p O reads, makes or changes a tensor.
static bool isTensorOp(Op O) {
  switch (opClass(O)) {
  case OpClass::Structure:
    return O == Op::Weight;
  case OpClass::Integer:
  case OpClass::Condition:
  case OpClass::Effect:
    return false;
  default:
    return true;
  }
}

static void executeTensor(const Context &Ctx, State &W, const Stmt &S);

static void executeOpaque(const Context &Ctx, State &W, const Stmt &S);

static void store(const Context &Ctx, State &W, const Stmt &S);

static void load(const Context &Ctx, State &W, const Stmt &S);

bool execute(const Context &Ctx, State &W, const Stmt &S) {
  if (S.Where.Line)
    Ctx.Ids.Line = S.Where.Line;
  if (S.isOpaque()) {
    ggmlReads(Ctx, W, S);
    executeOpaque(Ctx, W, S);
    return true;
  }
  switch (S.O) {
  case Op::Load:
    load(Ctx, W, S);
    return true;
  case Op::Store:
    store(Ctx, W, S);
    return true;
  case Op::List:
  case Op::ListOf:
  case Op::ListGet:
  case Op::ListSet:
  case Op::ListInsert:
  case Op::ListErase:
  case Op::ListSize:
    executeList(Ctx, W, S);
    return true;
  case Op::Phi: {
    // Only one arm ran in this state.
    Value V;
    unsigned Seen = 0;
    for (const Arg &A : S.Args)
      if (W.Temps.count(A.Value)) {
        V = W.Temps[A.Value];
        ++Seen;
      }
    if (Seen == 0) // paths of both arms have met: chooseArms()
      V = value(W, S.Result);
    setResult(W, S, Seen <= 1 ? V : Value());
    return true;
  }
  case Op::ScopeEnd:
    W.Vars.set(S.Var, Value());
    return true;
  case Op::FullExprEnd:
    return true;
  case Op::Temporary:
  case Op::ListCopy:
    setResult(W, S, S.Args.empty() ? Value() : value(W, S.Args[0].Value));
    return true;
  case Op::Assume: {
    Value V = S.Args.empty() ? Value() : value(W, S.Args[0].Value);
    if (V.K != Value::Bool)
      return true;
    Truth T = evaluate(Ctx, W, *V.C);
    return T == Truth::Yes || (T != Truth::No && assume(Ctx, W, *V.C, true));
  }
  case Op::Return:
    ggmlReads(Ctx, W, S);
    return false;
  case Op::Throw:
    return false;
  default:
    break;
  }
  if (isGgml(S.O)) {
    ggmlReads(Ctx, W, S);
    executeGgml(Ctx, W, S);
  } else if (isEmptyLater(Ctx, W, S))
    return false;
  else if (isTensorOp(S.O))
    executeTensor(Ctx, W, S);
  else
    executeValue(Ctx, W, S);
  return true;
}

static ObjId anyTensor(const Context &Ctx, State &W, const Stmt &S);

/// %r = load $v
static void load(const Context &Ctx, State &W, const Stmt &S) {
  if (S.Var >= Ctx.F.Vars.size())
    return;
  const Variable &Var = Ctx.F.Vars[S.Var];
  Value V = W.Vars[S.Var];
  if (V.K == Value::Unknown) {
    if (Var.Type == VarType::Int) {
      V = Value::integer(Ctx.Ids.symbol({SymbolKey::Variable, NoId, S.Var},
                                        SymbolInfo::Integer,
                                        called(Ctx, S.Var)));
      SymbolInfo &Info = Ctx.Table[*V.I.asSymbol()];
      Info.Named = !Var.Name.empty();
      Info.Line = Var.Where.Line;
    } else if (Var.Type == VarType::Bool)
      V = Value::condition(
          atom("var" + std::to_string(S.Var), called(Ctx, S.Var)));
    else if (Var.Type == VarType::Tensor && V.T == AnyTensor)
      V = Value::tensor(anyTensor(Ctx, W, S));
    W.Vars.set(S.Var, V);
  }
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

/// \p Size is \p Text to who reads \p S, if it has a name only elsewhere.
static void nameHere(const Context &Ctx, const Stmt &S, const SymExpr &Size,
                     const std::string &Text) {
  const auto Id = Ctx.F.Contexts.size() > 1 ? Size.asSymbol() : std::nullopt;
  if (!Id || Ctx.Table[*Id].Rest || Text.empty())
    return;
  if (const uint32_t Of = contextOf(Ctx.Table[*Id].Name); Of != S.Context)
    Ctx.Table[*Id].alias(Text, false, S.Context ? 0 : Ctx.Ids.Line);
}

static void havoc(const Context &Ctx, State &W, VarId V, const Stmt &S);

/// store $v %a
static void store(const Context &Ctx, State &W, const Stmt &S) {
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

static void forget(Object &O);

/// Whatever else is called: it may change what it is given to write.
static void executeOpaque(const Context &Ctx, State &W, const Stmt &S) {
  const Value Points = usePointers(Ctx, W, S);
  // Variables it may write are listed. What a lambda captures or a pointer
  // points to can change at any call.
  if ((S.O == Op::Opaque || S.O == Op::CalleeWrites) && !S.IsScalar &&
      S.Text != "operator->")
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
    const bool Stays =
        A.Var != NoId && W.Vars[A.Var].K == Value::List &&
        (S.Text == "data" || S.Text == "begin" || S.Text == "end") &&
        llvm::none_of(*W.Vars[A.Var].Elems, [](const Value &E) {
          return E.K == Value::Int || E.K == Value::Tensor;
        });
    if (A.Var != NoId && !Stays && !writesElement(Ctx.F, S, A))
      havoc(Ctx, W, A.Var, S);
    // Only who is given a reference transposes the tensor in place: a handle
    // by value or by const reference is read, as everywhere in libtorch.
    if (A.Value)
      if (Object *O = tensor(W, value(W, A.Value)); O && !O->Ggml)
        forget(*O);
  }
  if (S.Text == "broadcast_tensors" || S.Text == "meshgrid")
    return expandAll(Ctx, W, S);
  setResult(W, S, S.IsScalar ? Value::number() : Points);
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

static void applyTensorOp(const Context &Ctx, State &W, const Stmt &S);

/// What a statement about tensors does, and what is noted of it for the checks.
static void executeTensor(const Context &Ctx, State &W, const Stmt &S) {
  const OpClass Class = opClass(S.O);
  if (Class == OpClass::MaybeCopy) {
    const unsigned Before = Ctx.Facts.Copies[&S].paths();
    ProvRef Prov;
    if (const Object *Self = tensorArg(Ctx, W, S, "self"))
      Prov = Self->Prov;
    applyTensorOp(Ctx, W, S);
    noteCopy(Ctx, W, S, Before);
    Ctx.Facts.Copies[&S].Prov = std::move(Prov);
    noteSelf(Ctx, W, S);
  } else {
    if (findArg(S, "needs"))
      needs(Ctx, W, S);
    applyTensorOp(Ctx, W, S);
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
}

static void executeInPlace(const Context &Ctx, State &W, const Stmt &S,
                           Object *Self);

static void metadataChanges(State &W, const Object &O);

static void executeQuery(const Context &Ctx, State &W, const Stmt &S,
                         Object *Self);

/// A statement about tensors, by what it makes.
static void applyTensorOp(const Context &Ctx, State &W, const Stmt &S) {
  Object *Self = tensorArg(Ctx, W, S, "self");
  // References into the object table stay valid: results are other entries.
  switch (opClass(S.O)) {
  case OpClass::Query:
  case OpClass::Access:
    return executeQuery(Ctx, W, S, Self);
  case OpClass::View:
    return executeView(Ctx, W, S, Self);
  case OpClass::MaybeCopy:
  case OpClass::Copy:
    return executeCopy(Ctx, W, S, Self);
  case OpClass::InPlaceMeta:
    if (Self)
      metadataChanges(W, *Self);
    return executeInPlace(Ctx, W, S, Self);
  case OpClass::InPlaceData:
    return executeInPlace(Ctx, W, S, Self);
  default:
    return executeFresh(Ctx, W, S, Self);
  }
}

/// A number that nobody knows.
static void unknownInt(const Context &Ctx, State &W, const Stmt &S) {
  setResult(W, S,
            Value::integer(valueSymbol(Ctx, S, SymbolInfo::Integer, "?")));
}

/// The place of a dimension that \p S names, in the pseudo layout of \p Self.
std::optional<int64_t> dimArg(const Context &Ctx, State &W, const Stmt &S,
                              Object *Self, llvm::StringRef Name,
                              std::optional<int64_t> Default) {
  const auto D = intArg(W, S, Name, Default);
  return D && Self ? place(Ctx, W, *Self, *D) : std::nullopt;
}

static void access(const Context &Ctx, State &W, const Stmt &S, Object &O);

/// Reads what a tensor is, or its memory.
static void executeQuery(const Context &Ctx, State &W, const Stmt &S,
                         Object *Self) {
  switch (S.O) {
  case Op::Size:
  case Op::Stride: {
    auto D = dimArg(Ctx, W, S, Self, "dim");
    if (!D)
      return unknownInt(Ctx, W, S);
    int64_t N = static_cast<int64_t>(Self->L.rank());
    int64_t At = *D < 0 ? *D + N : *D;
    if (At < 0 || At >= N) {
      site(Ctx, W, S, {Self}, wrapDim(W.Ar, *D, static_cast<size_t>(N), false));
      return unknownInt(Ctx, W, S);
    }
    Ctx.Facts.Answered.insert(&S);
    const SymExpr &Asked = S.O == Op::Size
                               ? Self->L.Sizes[static_cast<size_t>(At)]
                               : Self->L.Strides[static_cast<size_t>(At)];
    // x.unsqueeze(1).size(2) is x.size(1), in the user's words.
    if (const auto Id = Asked.asSymbol(); Id && !Self->Name.empty()) {
      SymbolInfo &Called = Ctx.Table[*Id];
      const auto Dim = intArg(W, S, "dim");
      const std::string Of = nameAt(Ctx, S, *Self);
      const std::string Here = (Of.empty() ? Self->Name : Of) +
                               (S.O == Op::Size ? ".size(" : ".stride(") +
                               (Dim ? std::to_string(*Dim) : "?") + ")";
      if (!Called.Named && Dim && llvm::StringRef(Called.Name).contains(")."))
        Called.call(Here, false, Ctx.Ids.Line);
      else if (Dim)
        nameHere(Ctx, S, Asked, Here);
    }
    return setResult(W, S, Value::integer(Asked));
  }
  case Op::Sizes:
  case Op::Strides: {
    if (!Self || !Self->HasLayout)
      return setResult(W, S, Value());
    if (Self->Segment >= 0) {
      Value V;
      if (S.O == Op::Sizes) {
        V.K = Value::Symbol;
        V.Text = "%sizes";
        V.T = operand(W, S, "self").T;
      }
      return setResult(W, S, std::move(V));
    }
    std::vector<Value> E;
    for (const SymExpr &X : S.O == Op::Sizes ? Self->L.Sizes : Self->L.Strides)
      E.push_back(Value::integer(X));
    return setResult(W, S, Value::list(std::move(E)));
  }
  case Op::Dim:
    if (!Self || !Self->HasLayout)
      return unknownInt(Ctx, W, S);
    return setResult(W, S, rank(Ctx, W, operand(W, S, "self").T, *Self));
  case Op::Numel:
    if (!Self || !Self->HasLayout)
      return unknownInt(Ctx, W, S);
    return setResult(W, S, Value::integer(numel(W.Ar, Self->L.Sizes)));
  case Op::StorageOffset:
    if (!Self || !Self->HasLayout)
      return unknownInt(Ctx, W, S);
    return setResult(W, S, Value::integer(Self->L.Offset));
  case Op::IsContiguous: {
    auto C = std::make_shared<Condition>();
    bool Known = true;
    C->F = formatArg(W, S, MemoryFormat::Contiguous, Known);
    if (!Self || !Known)
      return setResult(
          W, S, Value::condition(atom("v" + std::to_string(S.Result), "")));
    C->K = Condition::Contiguous;
    C->T = operand(W, S, "self").T;
    C->Where = S.Where;
    return setResult(W, S, Value::condition(std::move(C)));
  }
  case Op::Defined: {
    auto C = std::make_shared<Condition>();
    C->K = Condition::Defined;
    C->T = operand(W, S, "self").T;
    return setResult(W, S, Value::condition(std::move(C)));
  }
  case Op::IsSameSize: {
    auto C = std::make_shared<Condition>();
    C->K = Condition::SameSizes;
    C->T = operand(W, S, "self").T;
    C->Other = operand(W, S, "other").T;
    return setResult(
        W, S,
        Value::condition(C->T && C->Other
                             ? CondRef(std::move(C))
                             : atom("v" + std::to_string(S.Result), "")));
  }
  case Op::SuggestMemoryFormat: {
    Value V;
    V.K = Value::Symbol;
    V.Text = "%format";
    V.T = operand(W, S, "self").T;
    if (Self && Self->HasLayout && Self->Segment < 0)
      if (auto Fmt = suggestMemoryFormat(W.Ar, Self->L))
        V.Text = name(*Fmt);
    return setResult(W, S, V.T ? std::move(V) : Value());
  }
  case Op::DTypeOf:
  case Op::OptionsOf: {
    Value V;
    V.K = Value::Symbol;
    if (Self) {
      V.Text = Self->DType;
      if (S.O == Op::DTypeOf) // which it may be found to be
        V.T = operand(W, S, "self").T;
    }
    if (S.O == Op::OptionsOf && V.Text.empty())
      V.Text = "unknown";
    return setResult(W, S, std::move(V));
  }
  case Op::QueryOther:
    if (S.Text == "ggml_set_output" || S.Text == "ggml_build_forward_expand")
      for (const Arg &A : S.Args)
        if (const Object *O = tensor(W, value(W, A.Value)))
          Ctx.Facts.Outputs.insert(O->Storage);
    return setResult(W, S, Value());
  case Op::DeviceOf:
  case Op::Backward:
    return setResult(W, S, Value());
  case Op::DataPtr:
  case Op::Accessor:
    if (Self)
      access(Ctx, W, S, *Self);
    return setResult(W, S,
                     Self && S.O == Op::DataPtr && !Self->Ggml
                         ? pointerTo(S, *Self)
                         : Value());
  case Op::Item:
    if (Self && Self->HasLayout) {
      SymExpr N = numel(W.Ar, Self->L.Sizes);
      auto One = W.Ar.eq(N, SymExpr(1));
      if (One.no() && One.UnlessOne.empty())
        layoutFails(Ctx, W, S, {Self},
                    refuse<Symbolic>(Rule::ManyElements, {N}), {});
      else
        ++(One.yes() ? Ctx.Facts.Sites[&S].Ok : Ctx.Facts.Sites[&S].Unknown);
    }
    return unknownInt(Ctx, W, S);

  default:
    return setResult(W, S, Value());
  }
}

/// data_ptr<T>() and accessor<T, N>() throw unless dtype and rank are those. A
/// tensor of unknown rank has that one from here on.
static void access(const Context &Ctx, State &W, const Stmt &S, Object &O) {
  const Value Wanted = operand(W, S, "dtype");
  // A macro's body may be compiled for every dtype and run for one.
  if (Wanted.K == Value::Symbol && !Wanted.Text.empty() && !O.DType.empty() &&
      !S.InMacro && !S.TypesVary) {
    if (Wanted.Text == O.DType || Wanted.Text == storedAs(O.DType))
      ++Ctx.Facts.Sites[&S].Ok;
    else
      dtypeFails(Ctx, W, S, O, Wanted.Text);
  }
  auto Rank = intArg(W, S, "dims");
  if (!Rank || !O.HasLayout)
    return;
  if (O.Segment >= 0) {
    setRank(Ctx, W, O, static_cast<unsigned>(*Rank));
    return;
  }
  const auto Have = static_cast<int64_t>(O.L.rank());
  if (Have == *Rank)
    ++Ctx.Facts.Sites[&S].Ok;
  else
    layoutFails(
        Ctx, W, S, {&O},
        refuse<Symbolic>(Rule::RankWanted, {SymExpr(*Rank), SymExpr(Have)}),
        {});
}

/// Nothing is known of the tensor's layout any more.
static void forget(Object &O) {
  O.HasLayout = false;
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

/// transpose_ and its kin: the tensor itself has the layout from here on.
void changeLayout(const Context &Ctx, State &W, const Stmt &S, Object &Self,
                  const LayoutOutcome<Symbolic> &Out) {
  ProvRef P = provenance(Ctx, W, S, &Self, false);
  Self.HasLayout = Out.ok();
  if (Out.ok())
    Self.L = *Out;
  Self.Prov = std::move(P);
  Self.Root = false;
  Self.NotContiguous = false;
  setResult(W, S, operand(W, S, "self"));
}

/// The sizes of what \p S computes before it writes it, where they are known.
/// What does not fit together there is refused here.
static std::optional<SymDims> computed(const Context &Ctx, State &W,
                                       const Stmt &S) {
  Stmt T = S;
  T.O = S.Computes;
  llvm::erase_if(T.Args, [](const Arg &A) { return A.Name == "out"; });
  executeFresh(Ctx, W, T, tensorArg(Ctx, W, T, "self"));
  if (const auto It = Ctx.Facts.Sites.find(&T); It != Ctx.Facts.Sites.end()) {
    LayoutSite Of = std::move(It->second);
    Ctx.Facts.Sites.erase(It);
    LayoutSite &Site = Ctx.Facts.Sites[&S];
    Site.Ok += Of.Ok;
    Site.Unknown += Of.Unknown;
    Site.Failed += Of.Failed;
    std::move(Of.Failures.begin(), Of.Failures.end(),
              std::back_inserter(Site.Failures));
  }
  const Object *O = tensor(W, value(W, S.Result));
  if (!O || !O->HasLayout || O->Segment >= 0)
    return std::nullopt;
  return O->L.Sizes;
}

/// Changes self, or what its storage holds.
static void executeInPlace(const Context &Ctx, State &W, const Stmt &S,
                           Object *Self) {
  switch (S.O) {
  case Op::TransposeInPlace:
    return transposeDims(Ctx, W, S, Self);
  case Op::TInPlace:
    return transposeMatrix(Ctx, W, S, Self);
  case Op::SqueezeInPlace:
  case Op::UnsqueezeInPlace: {
    if (!Self || !Self->HasLayout)
      return setResult(W, S, operand(W, S, "self"));
    const auto I = intArg(W, S, "dim");
    if (!I || Self->Segment >= 0)
      return changeLayout(Ctx, W, S, *Self, LayoutOutcome<Symbolic>::unknown());
    const auto Out = S.O == Op::SqueezeInPlace ? squeeze(W.Ar, Self->L, *I)
                                               : unsqueeze(W.Ar, Self->L, *I);
    site(Ctx, W, S, {Self}, Out);
    return changeLayout(Ctx, W, S, *Self, Out);
  }
  case Op::Resize: {
    if (Self) {
      auto N = sizesArg(Ctx, W, S, "size");
      ProvRef P = provenance(Ctx, W, S, Self, false);
      bool Known = true;
      const MemoryFormat Format =
          formatArg(W, S, MemoryFormat::Contiguous, Known);
      // The same sizes leave the strides alone, unless a format is asked for.
      bool Same = N && Self->HasLayout && Self->Segment < 0 &&
                  N->size() == Self->L.rank() && !findArg(S, "memory_format");
      for (size_t D = 0; Same && D < N->size(); ++D)
        Same = W.Ar.eq((*N)[D], Self->L.Sizes[D]).yes();
      bool WasDense = Self->HasLayout && isContiguous(W.Ar, Self->L).yes() &&
                      (Self->Segment < 0 || Self->SegmentDense);
      // What fits into the memory it has stays there.
      const bool Fits = Same || (N && WasDense && Self->Segment < 0 &&
                                 W.Ar.lt(numel(W.Ar, Self->L.Sizes),
                                         numel(W.Ar, *N)) == Truth::No);
      RunResult::SelfSite &Site = Ctx.Facts.SelfSites[&S];
      ++(Fits ? Site.Shares : Site.Other);
      if (!Same) {
        if (!Self->HasLayout)
          Self->L.Offset = valueSymbol(Ctx, S, SymbolInfo::Stride, "?");
        Self->HasLayout = false;
        Self->Resized = !WasDense;
        Self->Segment = -1;
        Self->Root = false;
        if (N && Known)
          if (auto Strides = formatStrides(W.Ar, *N, Format); Strides.ok()) {
            Self->HasLayout = true;
            Self->L.Sizes = *N;
            Self->L.Strides = *Strides;
          }
      }
      Self->NotContiguous = false;
      Self->Prov = std::move(P);
    }
    return setResult(W, S, operand(W, S, "self"));
  }
  case Op::OtherMeta:
    if (Self && Self->Ggml) { // ne or nb is assigned
      for (unsigned D = 0; D < Self->L.rank(); ++D) {
        Self->L.Sizes[D] = valueSymbol(Ctx, S, SymbolInfo::Size, "?", 200 + D);
        Self->L.Strides[D] =
            valueSymbol(Ctx, S, SymbolInfo::Stride, "?", 204 + D);
      }
      Self->Root = false;
    } else if (Self) {
      Self->HasLayout = false;
      Self->Root = false;
    }
    return setResult(W, S, operand(W, S, "self"));
  case Op::Overwrite:
  case Op::Update:
    writes(Ctx, W, S, "self");
    if (S.Computes != Op::Opaque)
      computed(Ctx, W, S);
    return setResult(W, S, operand(W, S, "self"));
  case Op::RequiresGrad:
    return setResult(W, S, operand(W, S, "self"));
  case Op::OutWrite: {
    Value V = operand(W, S, "out");
    writes(Ctx, W, S, "out");
    std::optional<SymDims> Sizes;
    if (S.Computes != Op::Opaque)
      Sizes = computed(Ctx, W, S);
    if (Object *O = tensor(W, V)) {
      O->Root = false;
      // Resized when its shape does not fit.
      O->HasLayout = O->HasLayout && O->Segment < 0 && Sizes &&
                     Sizes->size() == O->L.rank();
      for (size_t D = 0; O->HasLayout && D < O->L.rank(); ++D)
        O->HasLayout = W.Ar.eq(O->L.Sizes[D], (*Sizes)[D]).yes();
    }
    return setResult(W, S, V);
  }
  default:
    return setResult(W, S, Value());
  }
}

} // namespace tensortidy::analysis
