//===- Transfer.cpp - what each statement does -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Machine.h"
#include "Layout/Error.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

using SymOutcome = LayoutOutcome<Symbolic>;

/// A number whose value does not matter.
static Value scalar() {
  Value V;
  V.K = Value::Symbol;
  V.Text = "%number";
  return V;
}

bool Machine::execute(World &W, const Stmt &S) {
  auto Int = [&](size_t I) -> std::optional<SymExpr> {
    Value V = I < S.Args.size() ? value(W, S.Args[I].Value) : Value();
    return V.K == Value::Int ? std::optional<SymExpr>(V.I) : std::nullopt;
  };
  auto Unknown = [&](SymbolInfo::Kind K = SymbolInfo::Integer) {
    return Value::integer(valueSymbol(S, K, "?"));
  };
  switch (S.O) {
  case Op::Const: {
    Value V;
    switch (S.Const) {
    case ConstKind::Int:
      V = Value::integer(SymExpr(S.Imm));
      break;
    case ConstKind::Bool: {
      auto C = std::make_shared<Condition>();
      C->Flag = S.Imm != 0;
      V = Value::condition(std::move(C));
      break;
    }
    case ConstKind::None:
      V.K = Value::None;
      break;
    case ConstKind::Symbol:
    case ConstKind::String:
      V.K = Value::Symbol;
      V.Text = S.Text;
      break;
    case ConstKind::Float:
      V = scalar();
      break;
    }
    setResult(W, S, std::move(V));
    return true;
  }
  case Op::Load: {
    if (S.Var >= F.Vars.size())
      return true;
    const Variable &Var = F.Vars[S.Var];
    Value V = W.Vars[S.Var];
    if (V.K == Value::Unknown) {
      if (Var.Type == VarType::Int) {
        V = Value::integer(keyed(NoId, (uint64_t(11) << 32) + S.Var, 0,
                                 SymbolInfo::Integer, Var.Name));
        Table[*V.I.asSymbol()].Named = !Var.Name.empty();
      } else if (Var.Type == VarType::Bool)
        V = Value::condition(atom("var" + std::to_string(S.Var), Var.Name));
      else if (Var.Type == VarType::Tensor && V.T == AnyTensor)
        V = Value::tensor(anyTensor(W, S));
      W.Vars.set(S.Var, V);
    }
    setResult(W, S, V.K == Value::Unknown && S.IsScalar ? scalar() : V);
    return true;
  }
  case Op::Store: {
    if (S.Var >= F.Vars.size())
      return true;
    const Variable &Var = F.Vars[S.Var];
    Value V = S.Args.empty() ? Value() : value(W, S.Args[0].Value);
    ValueId From = S.Args.empty() ? 0 : S.Args[0].Value;
    if (Var.Type == VarType::Tensor && V.K == Value::Unknown && From) {
      if (tensorArg(W, S, S.Args[0].Name))
        V = value(W, From);
    }
    if (Var.IsStatic) // initialised once, and changed since for all we know
      return havoc(W, S.Var, S), true;
    if (V.K == Value::Tensor)
      if (Object *O = tensor(W, V)) {
        if (!Var.Name.empty() &&
            (O->Name.empty() || O->Name.find('(') != std::string::npos))
          O->Name = Var.Name;
        if (O->Ggml)
          nameGgml(*O);
      }
    if (V.K == Value::Int)
      if (auto Sym = V.I.asSymbol()) {
        SymbolInfo &Info = Table[*Sym];
        if (!Info.Named && !Var.Name.empty()) {
          Info.Name = Var.Name;
          Info.Named = true;
        }
      }
    if (Var.Type == VarType::Int && V.K == Value::Unknown && From)
      V = Value::integer(keyed(NoId, (uint64_t(12) << 32) + From, 0,
                               SymbolInfo::Integer, Var.Name));
    if (Var.Type == VarType::Bool && V.K == Value::Unknown && From)
      V = Value::condition(atom("v" + std::to_string(From), Var.Name));
    if (V.K == Value::Bool && V.C && V.C->K == Condition::Atom &&
        V.C->Text.empty())
      V = Value::condition(atom(V.C->Key, Var.Name));
    W.Vars.set(S.Var, std::move(V));
    return true;
  }
  case Op::List: {
    std::vector<Value> E;
    for (const Arg &A : S.Args)
      E.push_back(value(W, A.Value));
    setResult(W, S, Value::list(std::move(E)));
    return true;
  }
  case Op::ListOf: {
    Value L = Value::each();
    for (const Arg &A : llvm::ArrayRef(S.Args).drop_front()) {
      const Value V = value(W, A.Value);
      L = joinLists(W, W, W, L, V.isList() ? V : Value::list({V}), NoId - 1,
                    static_cast<uint32_t>(F.Vars.size()) + S.Result);
      if (L.K != Value::Each)
        break;
    }
    setResult(W, S, std::move(L));
    return true;
  }
  case Op::ListGet: {
    Value L = S.Args.empty() ? Value() : value(W, S.Args[0].Value);
    std::optional<int64_t> I;
    if (S.Args.size() < 2)
      I = S.Imm;
    else if (auto E = Int(1))
      I = W.Ar.known(*E);
    if (L.K == Value::List && I) {
      int64_t N = static_cast<int64_t>(L.Elems->size());
      if (*I >= -N && *I < N) {
        setResult(W, S, (*L.Elems)[static_cast<size_t>(*I < 0 ? *I + N : *I)]);
        return true;
      }
    }
    if (L.K == Value::List && !I)
      L = anyOf(W, L, S.Result);
    if (L.K == Value::Each) {
      someElement(W, S, L);
      return true;
    }
    if (Object *O = I ? sizesOf(W, L) : nullptr) {
      auto P = place(W, *O, *I);
      if (P && *P >= 0 && *P < static_cast<int64_t>(O->L.rank())) {
        setResult(W, S, Value::integer(O->L.Sizes[static_cast<size_t>(*P)]));
        return true;
      }
    }
    setResult(W, S, Value());
    return true;
  }
  case Op::ListSet:
  case Op::ListInsert:
  case Op::ListErase:
    changeList(W, S);
    return true;
  case Op::ListSize: {
    Value L = S.Args.empty() ? Value() : value(W, S.Args[0].Value);
    if (const Object *O = sizesOf(W, L); O && O->HasLayout) {
      setResult(W, S, rank(W, L.T, *O));
      return true;
    }
    setResult(W, S,
              L.K == Value::List ? Value::integer(SymExpr(
                                       static_cast<int64_t>(L.Elems->size())))
                                 : Unknown(SymbolInfo::Size));
    return true;
  }
  case Op::Phi: {
    // Only one arm ran in this world.
    Value V;
    unsigned Seen = 0;
    for (const Arg &A : S.Args)
      if (W.Temps.count(A.Value)) {
        V = W.Temps[A.Value];
        ++Seen;
      }
    setResult(W, S, Seen == 1 ? V : Value());
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
    Truth T = evaluate(W, *V.C);
    return T == Truth::Yes || (T != Truth::No && assume(W, *V.C, true));
  }
  case Op::SliceIdx: {
    Value V;
    V.K = Value::Slice;
    V.Elems = std::make_shared<const std::vector<Value>>(std::vector<Value>{
        operand(W, S, "start"), operand(W, S, "stop"), operand(W, S, "step")});
    setResult(W, S, std::move(V));
    return true;
  }
  case Op::EllipsisIdx:
  case Op::NewAxisIdx: {
    Value V;
    V.K = S.O == Op::EllipsisIdx ? Value::Ellipsis : Value::NewAxis;
    setResult(W, S, std::move(V));
    return true;
  }
  case Op::OptionsOp: {
    // An options value: the dtype ("" if unknown) and the memory format.
    Value V, D = operand(W, S, "dtype"), From = operand(W, S, "self");
    if (D.K != Value::Symbol)
      D = From;
    V.K = From.K == Value::Unknown && findArg(S, "self") ? Value::Unknown
                                                         : Value::Symbol;
    V.Text = D.K == Value::Symbol ? D.Text : "";
    if (findArg(S, "memory_format"))
      V.Elems = std::make_shared<const std::vector<Value>>(
          1, operand(W, S, "memory_format"));
    else
      V.Elems = From.Elems;
    setResult(W, S, std::move(V));
    return true;
  }
  case Op::IAdd:
  case Op::ISub:
  case Op::IMul:
  case Op::IDiv:
  case Op::IMod:
  case Op::IMin:
  case Op::IMax: {
    auto A = Int(0), B = Int(1);
    if (!A || !B) {
      setResult(W, S, Unknown());
      return true;
    }
    SymExpr E;
    switch (S.O) {
    case Op::IAdd:
      E = W.Ar.add(*A, *B);
      break;
    case Op::ISub:
      E = W.Ar.sub(*A, *B);
      break;
    case Op::IMul:
      E = W.Ar.mul(*A, *B);
      break;
    case Op::IDiv: {
      auto KA = W.Ar.known(*A), KB = W.Ar.known(*B);
      if (KA && KB && *KB != 0)
        E = SymExpr(*KA / *KB); // towards zero
      else if (KB && *KB == 0)
        E = valueSymbol(S, SymbolInfo::Integer, "?");
      else
        E = W.Ar.floorDiv(*A, *B);
      break;
    }
    case Op::IMod:
      E = W.Ar.mod(*A, *B);
      break;
    case Op::IMin:
      E = W.Ar.min(*A, *B);
      break;
    default:
      E = W.Ar.max(*A, *B);
      break;
    }
    setResult(W, S, Value::integer(std::move(E)));
    return true;
  }
  case Op::INeg: {
    auto A = Int(0);
    setResult(W, S, A ? Value::integer(W.Ar.sub(SymExpr(0), *A)) : Unknown());
    return true;
  }
  case Op::CmpEq:
  case Op::CmpNe:
  case Op::CmpLt:
  case Op::CmpLe:
  case Op::CmpGt:
  case Op::CmpGe: {
    auto A = Int(0), B = Int(1);
    auto C = std::make_shared<Condition>();
    if (!A || !B) {
      const bool IsEq = S.O == Op::CmpEq, IsNe = S.O == Op::CmpNe;
      CondRef Equal = IsEq || IsNe ? equality(value(W, S.Args[0].Value),
                                              value(W, S.Args[1].Value))
                                   : nullptr;
      if (!Equal)
        Equal = atom("v" + std::to_string(S.Result), "");
      else if (IsNe)
        Equal = negation(Equal);
      setResult(W, S, Value::condition(std::move(Equal)));
      return true;
    }
    // a > b is b < a; a <= b is !(b < a).
    bool Swap = S.O == Op::CmpGt || S.O == Op::CmpLe;
    bool Negate = S.O == Op::CmpNe || S.O == Op::CmpLe || S.O == Op::CmpGe;
    C->K = S.O == Op::CmpEq || S.O == Op::CmpNe ? Condition::Equal
                                                : Condition::Less;
    C->A = Swap ? *B : *A;
    C->B = Swap ? *A : *B;
    C->Where = S.Where;
    CondRef Out = C;
    setResult(W, S, Value::condition(Negate ? negation(Out) : Out));
    return true;
  }
  case Op::Not:
  case Op::And:
  case Op::Or: {
    auto C = std::make_shared<Condition>();
    C->K = S.O == Op::Not   ? Condition::Not
           : S.O == Op::And ? Condition::And
                            : Condition::Or;
    auto Get = [&](size_t I) -> CondRef {
      if (I >= S.Args.size())
        return atom("v" + std::to_string(S.Result), "");
      return toCondition(W, value(W, S.Args[I].Value),
                         "v" + std::to_string(S.Args[I].Value));
    };
    C->L = Get(0);
    if (S.O != Op::Not)
      C->R = Get(1);
    setResult(W, S, Value::condition(std::move(C)));
    return true;
  }
  case Op::Opaque: {
    const Value Points = usePointers(W, S);
    // Variables it may write are listed. What a lambda captures or a pointer
    // points to can change at any call.
    if (!S.IsScalar && S.Text != "operator->" && S.Text != "&" &&
        S.Text != "lambda")
      for (VarId V : Captured)
        havoc(W, V, S);
    for (const Arg &A : S.Args) {
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
      if (A.Var != NoId && !Stays && !writesElement(S, A))
        havoc(W, A.Var, S);
      // Only who is given a reference transposes the tensor in place: a handle
      // by value or by const reference is read, as everywhere in libtorch.
      if (A.Value)
        if (Object *O = tensor(W, value(W, A.Value)); O && !O->Ggml)
          forget(*O);
    }
    setResult(W, S, S.IsScalar ? scalar() : Points);
    return true;
  }
  case Op::Return:
  case Op::Throw:
    return false;
  default:
    if (isGgml(S.O))
      return executeGgml(W, S), true;
    if (isEmptyLater(W, S))
      return false;
    if (opClass(S.O) == OpClass::MaybeCopy) {
      const unsigned Before = R.Copies[&S].paths();
      ProvRef Prov;
      if (const Object *Self = tensorArg(W, S, "self"))
        Prov = Self->Prov;
      executeTensor(W, S);
      noteCopy(W, S, Before);
      R.Copies[&S].Prov = std::move(Prov);
    } else {
      if (findArg(S, "needs"))
        needs(W, S);
      executeTensor(W, S);
    }
    promote(W, S);
    if ((opClass(S.O) == OpClass::Compute || opClass(S.O) == OpClass::Copy) &&
        findArg(S, "dtype"))
      if (Object *O = tensor(W, value(W, S.Result))) {
        Value D = operand(W, S, "dtype");
        if (D.K != Value::None && D.Text != "self")
          O->DType = D.K == Value::Symbol && D.Text != "unknown" ? D.Text : "";
      }
    if (opClass(S.O) == OpClass::MaybeCopy) {
      const Object *From = tensor(W, operand(W, S, "self"));
      const Object *To = tensor(W, value(W, S.Result));
      bool Shares =
          From && To && From->Storage == To->Storage && S.O != Op::SameSizes;
      // A conversion to the dtype it has, and to nothing else.
      if (S.O == Op::To)
        Shares = From && To && !From->DType.empty() &&
                 operand(W, S, "dtype").Text == From->DType &&
                 llvm::all_of(S.Args, [](const Arg &A) {
                   return A.Name == "self" || A.Name == "dtype" ||
                          A.Name == "non_blocking";
                 });
      RunResult::SelfSite &Site = R.SelfSites[&S];
      ++(Shares ? Site.Shares : Site.Other);
    }
    if (opClass(S.O) == OpClass::Factory)
      if (Object *O = tensor(W, value(W, S.Result))) {
        setDType(W, S, *O);
        if (S.O != Op::FromBlob)
          noteAllocation(W, S, *O);
      }
    return true;
  }
}

/// The dtype of a computed element: that of the operands when they agree on a
/// floating one. What becomes of integers differs between operations.
void Machine::promote(World &W, const Stmt &S) {
  switch (S.O) {
  case Op::Unary:
  case Op::Binary:
  case Op::Ternary:
  case Op::Reduce:
  case Op::CloneDense:
  case Op::Loss:
    break;
  default:
    return;
  }
  Object *Made = tensor(W, value(W, S.Result));
  if (!Made)
    return;
  Made->DType.clear();
  std::optional<std::string> Common;
  for (const Arg &A : S.Args)
    if (const Object *O = tensor(W, value(W, A.Value))) {
      if (O->DType == "bool")
        continue; // a mask, or the lesser operand
      if (Common && *Common != O->DType)
        return;
      Common = O->DType;
    }
  if (Common &&
      (llvm::StringRef(*Common).starts_with("float") || *Common == "bfloat16"))
    Made->DType = *Common;
}

/// A factory's dtype: what it is told, its operand's, or the default.
void Machine::setDType(World &W, const Stmt &S, Object &O) const {
  bool Told = false;
  for (const char *N : {"dtype", "options"}) {
    Value V = operand(W, S, N);
    Told = Told || (findArg(S, N) && V.K != Value::None);
    if (V.K == Value::Symbol && !V.Text.empty())
      O.DType = V.Text;
  }
  if (Told || !O.DType.empty() || S.O == Op::TensorOf)
    return;
  if (findArg(S, "self"))
    return; // as the operand's, which is not known
  O.DType = "float32";
  if (S.O == Op::Arange)
    for (const Arg &A : S.Args)
      if (value(W, A.Value).K == Value::Int)
        O.DType = "int64";
  if (S.O == Op::Filled && S.Text == "full")
    O.DType.clear(); // that of the value
}

/// Nothing is known of the tensor's layout any more.
void Machine::forget(Object &O) const {
  O.HasLayout = false;
  O.Root = false;
  O.Segment = -1;
  O.NotContiguous = false;
}

/// \p O is about to change in place: another parameter, or the element of a
/// list, may be the same tensor.
void Machine::metadataChanges(World &W, const Object &O) const {
  if (!O.Root && !O.Listed)
    return;
  W.Objects.change(
      [&](ObjId, const Object &Other) {
        return &Other != &O && !Other.Ggml &&
               ((O.Root && Other.Root) || (O.Listed && Other.Listed));
      },
      [&](Object &Other) { forget(Other); });
}

/// A new object for what \p S loads: some tensor.
ObjId Machine::anyTensor(World &W, const Stmt &S) {
  const Variable &Var = F.Vars[S.Var];
  const uint32_t Number = joinNumber(NoId, (uint64_t(S.Var) << 32) | S.Result);
  const uint64_t Key = (uint64_t(13) << 32) + Number;
  const ObjId Id = (uint32_t(5) << 28) + Number;
  Object O = opaque(W, Var.Name, Key);
  O.Storage = Id;
  if (Var.IsGgml)
    makeGgml(W, O, Id);
  W.Objects.set(Id, std::move(O));
  return Id;
}

/// \p V may have any value after \p S.
/// The tensor whose sizes \p L is, where they could not be listed, or null.
Object *Machine::sizesOf(World &W, const Value &L) const {
  return L.K == Value::Symbol && L.Text == "%sizes"
             ? tensor(W, Value::tensor(L.T))
             : nullptr;
}

/// The number of dimensions of \p O, which is \p T.
Value Machine::rank(World &W, ObjId T, const Object &O) {
  if (O.Segment < 0)
    return Value::integer(SymExpr(static_cast<int64_t>(O.L.rank())));
  SymExpr E = keyed(NoId, (uint64_t(14) << 32) + T, 0, SymbolInfo::Size,
                    O.Name + ".dim()");
  W.RankOf[*E.asSymbol()] = T;
  return Value::integer(E);
}

/// Whether \p S joins the tensors of a list that nobody filled on this path,
/// as when a loop ran not once: it throws, and means to.
bool Machine::isEmptyLater(const World &W, const Stmt &S) const {
  const Arg *A =
      S.O == Op::Cat || S.O == Op::Stack ? findArg(S, "tensors") : nullptr;
  if (!A || !A->Value || DefOf[A->Value]->O == Op::List)
    return false;
  return value(W, A->Value).hasNone();
}

/// cat or stack of any number of tensors that are alike.
void Machine::catenateEach(World &W, const Stmt &S, const Value &L,
                           std::optional<int64_t> Dim) {
  Object *Each = W.Objects.edit(L.T);
  if (!Each || !Each->HasLayout || !Dim || Each->Segment >= 0) {
    // Contiguous ones give a contiguous one.
    if (Each && Each->HasLayout && Each->SegmentDense &&
        (H != Hypothesis::ChannelsLast || !Each->Root))
      return resultDense(W, S, std::nullopt, Each);
    return resultUnknown(W, S, true, Each);
  }
  const bool IsCat = S.O == Op::Cat;
  auto One = IsCat ? layout::cat(W.Ar, {&Each->L}, *Dim)
                   : layout::stack(W.Ar, {&Each->L}, *Dim);
  if (!site(W, S, {Each}, One) || !One.ok())
    return resultUnknown(W, S, true, Each);
  const auto At = wrapDim(W.Ar, *Dim, One->rank());
  const bool Dense = isContiguous(W.Ar, *One).yes();
  SymDims Sizes = One->Sizes;
  Sizes[*At] = valueSymbol(S, SymbolInfo::Size, "?");
  resultSized(W, S, std::move(Sizes), Dense ? "dense" : "unknown", Each);
}

/// The list \p L, of which it does not matter how many elements it has.
Value Machine::anyOf(World &W, const Value &L, ValueId Slot) {
  return joinLists(W, W, W, L, Value::each(), NoId - 1,
                   static_cast<uint32_t>(F.Vars.size()) + Slot);
}

/// \p S takes some element of \p L: what differs between the elements is
/// another number each time.
///   each [N, d] strides [1, N]   ->   [N, d'] strides [1, N]
void Machine::someElement(World &W, const Stmt &S, const Value &L) {
  const Object *Each = W.Objects.find(L.T);
  if (!Each)
    return setResult(W, S, Value());
  Object O = *Each;
  std::map<SymbolId, SymExpr> New;
  const auto Differs = [&](SymbolId At) {
    return Table[At].Owner != NoId || Table[At].Joined;
  };
  auto Rename = [&](SymExpr &E) {
    E = W.Ar.norm(E);
    for (const auto &T : E.terms())
      for (unsigned I = 0; I < T.M.Count; ++I) {
        const SymbolId At = T.M.S[I];
        if (!Differs(At) || New.count(At))
          continue;
        const SymExpr N = keyed(S.Result, (uint64_t(33) << 32) + At, 0,
                                Table[At].K, Table[At].Name);
        Table[*N.asSymbol()].Rest = Table[At].Rest;
        Table[*N.asSymbol()].Owner = F.Blocks[Current].InLoop;
        New.emplace(At, N);
      }
    if (!New.empty())
      E = W.Ar.substitute(E, New);
  };
  for (SymExpr &E : O.L.Sizes)
    Rename(E);
  if (!New.empty())
    O.Key = 0;
  for (SymExpr &E : O.L.Strides)
    Rename(E);
  Rename(O.L.Offset);
  O.Name.clear();
  O.Storage = 0;
  result(W, S, std::move(O));
}

/// %r = list_set %l %i %v and its kin.
void Machine::changeList(World &W, const Stmt &S) {
  Value L = value(W, S.Args[0].Value);
  // Their number may have become known since.
  if (const Object *O = sizesOf(W, L); O && O->HasLayout && O->Segment < 0) {
    std::vector<Value> Sizes;
    for (const SymExpr &E : O->L.Sizes)
      Sizes.push_back(Value::integer(E));
    L = Value::list(std::move(Sizes));
  }
  const Value At = value(W, S.Args[1].Value);
  const Value New = S.Args.size() > 2 ? value(W, S.Args[2].Value) : Value();
  const auto Known = At.K == Value::Int ? W.Ar.known(At.I) : std::nullopt;
  const int64_t I = Known.value_or(-1);
  if (Object *O = tensor(W, New))
    O->Listed = true;
  constexpr size_t MaxElements = 64;
  const bool Any =
      L.K == Value::List && (!Known || L.Elems->size() >= MaxElements);
  if (Any)
    L = anyOf(W, L, S.Result);
  if (L.K == Value::Each)
    return setResult(
        W, S,
        S.O == Op::ListErase
            ? L
            : joinLists(W, W, W, L, Value::list({New}), NoId,
                        static_cast<uint32_t>(F.Vars.size()) + S.Result));
  if (L.K != Value::List)
    return setResult(W, S, Value());
  std::vector<Value> E = *L.Elems;
  const auto N = static_cast<int64_t>(E.size());
  const bool Inserts = S.O == Op::ListInsert;
  if (I >= 0 && I < N + Inserts) {
    if (Inserts)
      E.insert(E.begin() + I, New);
    else if (S.O == Op::ListErase)
      E.erase(E.begin() + I);
    else
      E[static_cast<size_t>(I)] = New;
    return setResult(W, S, Value::list(std::move(E)));
  }
  setResult(W, S, Value());
}

void Machine::havoc(World &W, VarId V, const Stmt &S) {
  if (V >= F.Vars.size())
    return;
  const Variable &Var = F.Vars[V];
  // The slot of the statement, so that each place has its own symbols.
  const uint64_t Key =
      (uint64_t(31) << 32) +
      joinNumber(S.Result ? Current : NoId - 1,
                 (uint64_t(V) << 32) | (S.Result ? S.Result : S.Where.Begin));
  switch (Var.Type) {
  case VarType::Tensor: { // made when it is read: most never are
    Value Any;
    Any.T = AnyTensor;
    return W.Vars.set(V, std::move(Any));
  }
  case VarType::Int: {
    SymExpr E = keyed(NoId, Key, 0, SymbolInfo::Integer, Var.Name);
    Table[*E.asSymbol()].Owner = F.Blocks[Current].InLoop;
    W.Vars.set(V, Value::integer(E));
    return;
  }
  case VarType::Bool:
    return W.Vars.set(
        V, Value::condition(atom("havoc" + std::to_string(Key), Var.Name)));
  default:
    W.Vars.set(V, Value());
  }
}

//===----------------------------------------------------------------------===//
// Tensor operations
//===----------------------------------------------------------------------===//

int64_t itemSize(llvm::StringRef DType) {
  if (DType == "float32" || DType == "int32")
    return 4;
  if (DType == "float64" || DType == "int64" || DType == "complex64")
    return 8;
  if (DType == "float16" || DType == "bfloat16" || DType == "int16")
    return 2;
  return DType == "uint8" || DType == "int8" || DType == "bool" ? 1 : 0;
}

/// "4*T bytes", "T elements", or nothing.
std::string Machine::sizeText(const World &W, const Object &O) const {
  if (!O.HasLayout || O.Segment >= 0)
    return "";
  SymExpr N = numel(W.Ar, O.L.Sizes);
  int64_t Item = itemSize(O.DType);
  return Item ? W.Ar.str(W.Ar.mul(SymExpr(Item), N)) + " bytes"
              : W.Ar.str(N) + " elements";
}

void Machine::noteAllocation(World &W, const Stmt &S, const Object &O) {
  std::string Size = sizeText(W, O);
  if (!Size.empty())
    R.AllocationSize[&S] = std::move(Size);
}

/// What is not said otherwise of a MaybeCopy operation on this path.
void Machine::noteCopy(World &W, const Stmt &S, unsigned PathsBefore) {
  CopySite &Site = R.Copies[&S];
  const Object *Made = tensor(W, value(W, S.Result));
  if (Site.paths() == PathsBefore) {
    const Object *Self = tensorArg(W, S, "self");
    const bool Shares = Made && Self && Self->Storage &&
                        Made->Storage == Self->Storage && Made->HasLayout;
    ++(Shares ? Site.Shares : Site.Unknown);
  }
  const std::string Size = Made ? sizeText(W, *Made) : "";
  if (PathsBefore == 0 && Size.find('?') == std::string::npos)
    Site.Size = Size;
  else if (Site.Size != Size)
    Site.Size.clear();
}

void Machine::noteOperand(const World &W, const Stmt &S, const Object &O) {
  auto [It, First] = R.Operands.try_emplace(&S);
  OperandSite &Site = It->second;
  Site.Mixed = Site.Mixed || (!First && Site.DType != O.DType);
  Site.DType = O.DType;
  const Truth Is = O.HasLayout ? isContiguous(W.Ar, O.L).T : Truth::Unknown;
  if ((Is == Truth::No && O.isApart()) || O.NotContiguous)
    ++Site.Other;
  else if (Is == Truth::Yes && (O.Segment < 0 || O.SegmentDense))
    ++Site.Dense;
  else
    ++Site.Unknown;
}

/// The tensor's name at this call: the variable it is called on, if one.
std::string Machine::nameAt(const Stmt &S, const Object &O) const {
  const Arg *A = findArg(S, "self");
  const Stmt *D = A ? DefOf[A->Value] : nullptr;
  if (D && D->O == Op::Load)
    return F.Vars[D->Var].Name;
  return D && D->O == Op::ListGet ? O.Name : "";
}

void Machine::view(World &W, const Stmt &S, Object &O, const SymDims &New0,
                   bool IsCheckSite) {
  if (IsCheckSite)
    R.Sites[&S].AsksStrides = true;
  if (!O.HasLayout) {
    ++R.Sites[&S].Unknown;
    Object N;
    N.Prov = provenance(W, S, &O, false);
    N.Storage = O.Storage;
    return result(W, S, std::move(N));
  }
  // The element counts are equal, or it throws for another reason. Learn that,
  // and what a -1 stands for.
  SymDims New = New0;
  SymExpr Count = numel(W.Ar, O.L.Sizes), Product(1);
  std::optional<size_t> Inferred;
  for (size_t I = 0; I < New.size(); ++I) {
    auto K = W.Ar.known(New[I]);
    if (K && *K == -1 && !Inferred)
      Inferred = I;
    else
      Product = W.Ar.mul(Product, New[I]);
  }
  if (Inferred) {
    auto Q = W.Ar.divExact(Count, Product);
    const std::string Of = rootName(O);
    const std::string Named = Of == "?" ? Of
                                        : Of + "." + S.Text + "(...).size(" +
                                              std::to_string(*Inferred) + ")";
    New[*Inferred] = Q ? W.Ar.asSize(*Q)
                       : valueSymbol(S, SymbolInfo::Size, Named,
                                     static_cast<unsigned>(64 + *Inferred));
    Product = W.Ar.mul(Product, New[*Inferred]);
  }
  auto Fits = inferSize(W.Ar, New0, Count);
  const bool Refused = Fits.failed() && Fits.unlessOne().empty();
  if (Fits.failed() && !W.Empty)
    layoutFails(W, S, {&O}, Fits.error(), Fits.unlessOne());
  // Of dimensions counted twice, the count is not the product.
  const bool Apart = O.isApart();
  bool Possible =
      !Refused && (!Apart || W.Ar.assumeEqual(Count, Product)) && !W.Empty;
  // A contiguous tensor views as anything of its element count, whether or not
  // the counts can be proved equal here.
  auto T = isContiguous(W.Ar, O.L).yes() && (O.Segment < 0 || O.SegmentDense)
               ? Outcome<Symbolic, SymDims>(denseStrides(W.Ar, New))
               : computeStride(W.Ar, O.L, New);
  // What nobody counted may not be there: then it fails for another reason, or
  // is no failure.
  std::vector<SymExpr> Unless;
  if (T.failed())
    Unless = T.unlessOne();
  if (const auto Rest = restIn(W, Unless); !Rest.empty()) {
    Symbolic Ar = W.Ar;
    for (SymbolId Id : Rest)
      Ar.rewrite(Id, SymExpr(1));
    auto Without = computeStride(Ar, O.L, New);
    if (Without.failed()) {
      llvm::erase_if(Unless,
                     [&](const SymExpr &E) { return !restIn(W, {E}).empty(); });
      Unless.insert(Unless.end(), Without.unlessOne().begin(),
                    Without.unlessOne().end());
    }
  }
  ProvRef P = provenance(W, S, &O, false);
  Object N;
  N.HasLayout = true;
  N.Storage = O.Storage;
  N.DType = O.DType;
  N.L.Sizes = New;
  N.L.Offset = O.L.Offset;
  if (T.ok()) {
    N.L.Strides = *T;
    if (Possible && !Fits.failed())
      ++R.Sites[&S].Ok;
  } else if (T.failed() && Possible) {
    N.L.Strides = denseStrides(W.Ar, New);
    if (!IsCheckSite && T.unlessOne().empty() && Apart)
      N.Storage = 0; // reshape() copies
    if (IsCheckSite)
      layoutFails(W, S, {&O}, T.error(), Unless);
  } else {
    if (Possible)
      ++R.Sites[&S].Unknown;
    for (unsigned D = 0; D < New.size(); ++D)
      N.L.Strides.push_back(valueSymbol(S, SymbolInfo::Stride, "?", 128 + D));
  }
  if (!IsCheckSite)
    copies(S,
           T.isUnknown() || (T.failed() && !Apart) ? Truth::Unknown
                                                   : truth(T.failed()),
           T.unlessOne(), W);
  N.Prov = std::move(P);
  result(W, S, std::move(N));
}

void Machine::copies(const Stmt &S, Truth Copies,
                     const std::vector<SymExpr> &UnlessOne, const World &W) {
  CopySite &Site = R.Copies[&S];
  ++(Copies == Truth::Yes  ? Site.Copies
     : Copies == Truth::No ? Site.Shares
                           : Site.Unknown);
  if (Copies == Truth::Yes && Site.Unless.empty())
    Site.Unless = unlessText(W, UnlessOne);
}

/// "unless T or H is 1", without conditions that another implies.
std::string Machine::unlessText(const World &W,
                                const std::vector<SymExpr> &Ones) const {
  std::vector<SymExpr> Conds;
  for (const SymExpr &U0 : Ones) {
    SymExpr U = W.Ar.norm(U0);
    bool Implied = false;
    for (const SymExpr &X : Ones) {
      SymExpr Y = W.Ar.norm(X);
      Implied = Implied || (Y != U && W.Ar.divExact(U, Y).has_value());
    }
    if (!Implied && std::find(Conds.begin(), Conds.end(), U) == Conds.end())
      Conds.push_back(U);
  }
  std::sort(Conds.begin(), Conds.end());
  std::string Text;
  for (size_t I = 0; I < Conds.size(); ++I)
    Text += (I == 0                  ? "unless "
             : I + 1 == Conds.size() ? " or "
                                     : ", ") +
            W.Ar.str(Conds[I]);
  return Text.empty() ? Text : Text + " is 1";
}

void Machine::noteFormat(World &W, const Stmt &S, const Object &O) {
  bool Known = true;
  const bool To = S.O == Op::To;
  const MemoryFormat Default =
      To ? MemoryFormat::Preserve : MemoryFormat::Contiguous;
  const MemoryFormat Fmt = formatArg(W, S, Default, Known);
  if (Known && Fmt == MemoryFormat::Preserve)
    return;
  const std::string Name = Known ? name(Fmt) : "";
  auto [It, First] = R.Formats.try_emplace(&S);
  FormatSite &Site = It->second;
  Site.Mixed = Site.Mixed || Name.empty() || (!First && Site.Format != Name);
  Site.Format = Name;
  Site.Prov = O.Prov;
  Site.Plain = true;
  for (const Arg &A : S.Args) {
    const Stmt *D = A.Name == "options" ? DefOf[A.Value] : nullptr;
    bool OnlyFormat = D && D->O == Op::OptionsOp;
    if (OnlyFormat)
      for (const Arg &B : D->Args)
        OnlyFormat = OnlyFormat && B.Name == "memory_format";
    Site.Plain = Site.Plain &&
                 (A.Name == "self" || A.Name == "memory_format" || OnlyFormat);
  }
  const bool Sized = Known && O.HasLayout && O.Segment < 0;
  bool Last = false;
  for (MemoryFormat F :
       {MemoryFormat::ChannelsLast, MemoryFormat::ChannelsLast3d})
    Last = Last || (Sized && isContiguous(W.Ar, O.L, F).yes());
  // With one channel or pixel a tensor is both, and nothing is given up.
  Last = Last && isContiguous(W.Ar, O.L).no();
  ++(Last ? Site.WasLast : Site.WasOther);
  if (!To)
    return;
  auto Suggested = Sized ? suggestMemoryFormat(W.Ar, O.L) : std::nullopt;
  auto Is = Sized ? isContiguous(W.Ar, O.L, Fmt)
                  : decltype(isContiguous(W.Ar, O.L, Fmt))();
  if (Suggested && *Suggested == Fmt && Is.no() && !W.Empty) {
    ++Site.Unchanged;
    Site.Unless = unlessText(W, Is.UnlessOne);
  } else {
    ++Site.Other;
  }
}

void Machine::contiguousCall(World &W, const Stmt &S, Object &O) {
  noteFormat(W, S, O);
  bool Known = true;
  MemoryFormat Fmt = formatArg(W, S, MemoryFormat::Contiguous, Known);
  ContiguousSite &Site = R.Contiguous[&S];
  Site.Format = Fmt == MemoryFormat::Contiguous ? "" : name(Fmt);
  if (!Known || !O.HasLayout || Fmt == MemoryFormat::Preserve) {
    ++Site.Unknown;
    if (Known && Fmt == MemoryFormat::Contiguous)
      return resultDense(W, S, std::nullopt, &O);
    return resultUnknown(W, S, false, &O);
  }
  if (Fmt != MemoryFormat::Contiguous && O.Segment >= 0 &&
      !setRank(W, O, Fmt == MemoryFormat::ChannelsLast ? 4 : 5)) {
    ++Site.Unknown;
    return resultUnknown(W, S, false, &O);
  }
  auto Is = isContiguous(W.Ar, O.L, Fmt);
  bool Yes = Is.yes() && (O.Segment < 0 || O.SegmentDense);
  if (Yes) {
    Site.Redundant += !O.Resized;
    if (!Site.Prov) {
      Site.Prov = O.Prov;
      Site.Name = nameAt(S, O);
    }
    return setResult(W, S, operand(W, S, "self"));
  }
  bool No = (Is.no() && O.isApart()) ||
            (Fmt == MemoryFormat::Contiguous && O.NotContiguous);
  ++(No ? Site.Other : Site.Unknown);
  copies(S, No ? Truth::Yes : Truth::Unknown, Is.UnlessOne, W);
  // Self or a packed copy: packed either way, up to strides of size-1 dims.
  auto Strides = formatStrides(W.Ar, O.L.Sizes, Fmt);
  if (!Strides.ok())
    return resultUnknown(W, S, false, &O);
  SymLayout L;
  L.Sizes = O.L.Sizes;
  L.Strides = *Strides;
  L.Offset = No ? SymExpr(0) : O.L.Offset;
  resultFresh(W, S, &O, SymOutcome(std::move(L)), O.Segment);
  if (Object *N = tensor(W, value(W, S.Result)))
    noteAllocation(W, S, *N);
}

/// What from_blob() is told that the memory is not.
void Machine::checkBlob(World &W, const Stmt &S,
                        const std::optional<SymDims> &Sizes) {
  BlobSite &Site = R.Blobs[&S];
  if (!Site.Message.empty())
    return;
  std::string Element = operand(W, S, "element").Text;
  Object Told;
  setDType(W, S, Told);
  // Half-precision numbers travel as 16-bit integers.
  const bool Half = Element == "int16" &&
                    (Told.DType == "float16" || Told.DType == "bfloat16");
  if (!Element.empty() && !Told.DType.empty() && Element != Told.DType &&
      !Half) {
    bool Given = findArg(S, "options") || findArg(S, "dtype");
    Site.Message = S.Text + "() takes memory of " + Element + " for " +
                   Told.DType + (Given ? "" : ", its default") +
                   ": the numbers are garbage";
    return;
  }
  if (!Sizes)
    return;
  std::optional<SymDims> Strides;
  if (findArg(S, "strides")) {
    Strides = sizesArg(W, S, "strides");
    if (!Strides)
      return;
    if (Strides->size() != Sizes->size()) {
      Site.Message = S.Text + "() gets " + std::to_string(Sizes->size()) +
                     " sizes and " + std::to_string(Strides->size()) +
                     " strides";
      return;
    }
    for (const SymExpr &St : *Strides)
      if (W.Ar.lt(St, SymExpr(0)) == Truth::Yes) {
        Site.Message = S.Text + "() gets a negative stride, " + W.Ar.str(St);
        return;
      }
  }
  Value Capacity = operand(W, S, "capacity");
  // The elements of a vector, as it is now.
  const Arg *Data = findArg(S, "data");
  const Stmt *From = Data ? DefOf[Data->Value] : nullptr;
  if (From && From->O == Op::Opaque && From->Text == "data" &&
      !From->Args.empty()) {
    const Arg &Of = From->Args[0];
    const Value V = Of.Var != NoId ? W.Vars[Of.Var] : value(W, Of.Value);
    if (V.K == Value::List)
      Capacity = Value::integer(SymExpr(static_cast<int64_t>(V.Elems->size())));
  }
  if (Capacity.K != Value::Int || Element != Told.DType)
    return;
  SymLayout L;
  L.Sizes = *Sizes;
  L.Strides = Strides ? *Strides : denseStrides(W.Ar, L.Sizes);
  for (const SymExpr &N : L.Sizes)
    if (W.Ar.lt(SymExpr(0), N) != Truth::Yes)
      return; // no element may be there to read
  SymExpr Needs = storageSpan(W.Ar, L);
  if (W.Ar.lt(Capacity.I, Needs) == Truth::Yes)
    Site.Message = S.Text + "() reads " + W.Ar.str(Needs) +
                   " elements of memory that has " + W.Ar.str(Capacity.I);
}

/// Whether an index tensor makes index() copy: all do but integers of no
/// dimension.
Truth Machine::indexCopies(World &W, const Value &Index) const {
  const Object *O = tensor(W, Index);
  if (!O)
    return Truth::Unknown;
  if (O->DType == "bool" ||
      (O->HasLayout &&
       (O->L.rank() > 1 || (O->Segment < 0 && O->L.rank() == 1))))
    return Truth::Yes;
  return Truth::Unknown;
}

void Machine::index(World &W, const Stmt &S, Object &O0) {
  Value L = operand(W, S, "indices");
  std::vector<Value> Idx;
  if (L.K == Value::List)
    Idx = *L.Elems;
  else if (L.K != Value::Unknown)
    Idx.push_back(L);
  else
    return resultUnknown(W, S, false, &O0);
  indexFits(W, S, O0, Idx);
  // What is indexed one by one has a dimension of its own, here and in O0.
  int64_t Leading = 0;
  for (const Value &V : Idx) {
    if (V.K == Value::Ellipsis)
      break;
    if (V.K == Value::Int || V.K == Value::Slice)
      place(W, O0, Leading++);
    else if (V.K != Value::None && V.K != Value::NewAxis)
      break;
  }
  Object O = O0;
  int64_t Dim = 0; // the next dimension; behind `...`, so many from the end
  bool FromEnd = false;
  for (size_t I = 0; I < Idx.size(); ++I) {
    const Value &V = Idx[I];
    SymOutcome Out = SymOutcome::unknown();
    switch (V.K) {
    case Value::Int:
    case Value::Slice: {
      auto P = place(W, O, FromEnd ? -Dim : Dim);
      if (!P)
        return resultUnknown(W, S, false, &O0);
      Dim += FromEnd ? -1 : V.K == Value::Slice;
      if (V.K == Value::Int) {
        Out = select(W.Ar, O.L, *P, V.I);
        if (O.Segment > *P)
          --O.Segment;
        O.changeRank(-1);
      } else {
        auto Get = [&](size_t K, int64_t Default) -> std::optional<SymExpr> {
          const Value &X = (*V.Elems)[K];
          if (X.K == Value::Int)
            return X.I;
          return X.K == Value::Unknown || X.K == Value::None ||
                         X.K == Value::NewAxis
                     ? std::optional<SymExpr>(Default)
                     : std::nullopt;
        };
        const Value &Stop = (*V.Elems)[1];
        std::optional<SymExpr> End;
        if (Stop.K == Value::Int)
          End = Stop.I;
        auto B = Get(0, 0), St = Get(2, 1);
        if (!B || !St)
          return resultUnknown(W, S, false, &O0);
        Out = slice(W.Ar, O.L, *P, *B, End, *St);
      }
      break;
    }
    case Value::None:
    case Value::NewAxis: {
      auto P = place(W, O, FromEnd ? -Dim - 1 : Dim, true);
      if (!P)
        return resultUnknown(W, S, false, &O0);
      Out = unsqueeze(W.Ar, O.L, *P);
      if (O.Segment >= *P)
        ++O.Segment;
      O.changeRank(1);
      Dim += !FromEnd;
      break;
    }
    case Value::Ellipsis: {
      int64_t After = 0;
      for (size_t J = I + 1; J < Idx.size(); ++J)
        After += Idx[J].K == Value::Int || Idx[J].K == Value::Slice;
      FromEnd = O.Segment >= 0;
      Dim = FromEnd ? After : static_cast<int64_t>(O.L.rank()) - After;
      continue;
    }
    default: // a tensor or boolean index copies
      if (V.K == Value::Tensor) {
        const Truth Copies = indexCopies(W, V);
        copies(S, Copies, {}, W);
        const Object *By = tensor(W, V);
        if (Copies == Truth::Unknown && By && By->Root)
          R.Copies[&S].MayBeNumber = By->Name;
      }
      return resultUnknown(W, S, V.K == Value::Tensor, &O0);
    }
    if (!Out.ok()) {
      site(W, S, {&O}, Out);
      return resultUnknown(W, S, false, &O0);
    }
    O.L = *Out;
  }
  resultView(W, S, O0, SymOutcome(O.L), O.Segment);
  if (Object *R = tensor(W, value(W, S.Result))) {
    R->AtLeast = O.AtLeast;
    R->Over = O.Over;
  }
}

void Machine::elementwise(World &W, const Stmt &S,
                          const std::vector<Value> &Vs) {
  std::vector<const SymLayout *> Ops;
  const SymLayout Scalar;
  const Object *First = nullptr;
  std::vector<const Object *> Tensors;
  int Segment = -1;
  bool Open = false, SameSegments = true, AllDense = true;
  for (const Value &V : Vs) {
    if (V.K == Value::Tensor) {
      const Object *O = tensor(W, V);
      if (!O || !O->HasLayout) {
        Open = true;
        continue;
      }
      if (!First) {
        First = O;
        Segment = O->Segment;
      }
      Tensors.push_back(O);
      SameSegments = SameSegments && O->Segment == Segment;
      AllDense = AllDense && isContiguous(W.Ar, O->L).yes() &&
                 (O->Segment < 0 || O->SegmentDense);
      Ops.push_back(&O->L);
    } else if (V.K == Value::Int || V.K == Value::Bool || V.Text == "%number") {
      Ops.push_back(&Scalar);
    } else if (V.K == Value::Unknown) {
      Open = true;
    }
  }
  if (Open || !First)
    return resultUnknown(W, S, true, First);
  SymDims Sizes = Ops[0]->Sizes;
  bool Sized = Segment < 0 || SameSegments;
  // Equal pseudo layouts have equal hidden dimensions only when the segments
  // have one size.
  for (const SymLayout *L : Ops)
    if (Segment >= 0 && L != &Scalar)
      Sized = Sized && L->rank() == First->L.rank() &&
              W.Ar.eq(L->Sizes[static_cast<size_t>(Segment)],
                      First->L.Sizes[static_cast<size_t>(Segment)])
                  .yes();
  for (size_t I = 1; Sized && I < Ops.size(); ++I) {
    auto B = broadcastSizes(W.Ar, Sizes, Ops[I]->Sizes);
    if (Segment < 0)
      site(W, S, Tensors, B);
    Sized = B.ok();
    if (Sized)
      Sizes = *B;
  }
  if (!Sized || !SameSegments) {
    // Broadcasting contiguous operands gives a contiguous result.
    return AllDense ? resultDense(W, S, std::nullopt, First)
                    : resultUnknown(W, S, true, First);
  }
  auto Out = layout::elementwise(W.Ar, Ops, Sizes);
  if (Out.ok() && Segment >= 0 && !First->SegmentDense)
    return resultUnknown(W, S, true, First);
  if (Out.ok())
    return resultFresh(W, S, First, std::move(Out), Segment);
  // Sizes are known, strides are not.
  Object N;
  N.Prov = provenance(W, S, First, true);
  N.HasLayout = Segment < 0;
  N.L.Sizes = Sizes;
  for (unsigned D = 0; D < Sizes.size(); ++D)
    N.L.Strides.push_back(valueSymbol(S, SymbolInfo::Stride, "?", 128 + D));
  result(W, S, std::move(N));
}

/// matmul(), or mm() and bmm() by the rank they want.
void Machine::product(World &W, const Stmt &S, llvm::StringRef Left,
                      llvm::StringRef Right, unsigned Rank) {
  Object *Y = tensorArg(W, S, Right), *X = tensorArg(W, S, Left);
  Y = tensorArg(W, S, Right);
  // Autocast converts halves, and nothing else.
  auto IsHalf = [](const Object &O) {
    return O.DType == "float16" || O.DType == "bfloat16";
  };
  if (X && Y && !X->DType.empty() && !Y->DType.empty() &&
      X->DType != Y->DType && !IsHalf(*X) && !IsHalf(*Y) && !S.InMacro &&
      !S.InArgument)
    dtypeFails(W, S, *Y, X->DType);
  if (X && Y && Rank)
    for (Object *O : {X, Y})
      if (O->Segment >= 0)
        setRank(W, *O, Rank);
  if (!X || !Y || !X->HasLayout || !Y->HasLayout || X->Segment >= 0 ||
      Y->Segment >= 0)
    return resultDense(W, S, std::nullopt, X);
  auto Sizes = [&] {
    return Rank ? productSizes(W.Ar, Rank, X->L.Sizes, Y->L.Sizes)
                : matmulSizes(W.Ar, X->L.Sizes, Y->L.Sizes);
  };
  auto Out = Sizes();
  bool Possible = site(W, S, {X, Y}, Out);
  size_t NX = X->L.rank(), NY = Y->L.rank();
  if (Possible && NX && NY) { // one that does not throw has equal inner sizes
    W.Ar.assumeEqual(X->L.Sizes[NX - 1], Y->L.Sizes[NY > 1 ? NY - 2 : 0]);
    Out = Sizes();
  }
  return resultDense(W, S,
                     Out.ok() ? std::optional<SymDims>(*Out) : std::nullopt, X);
}

/// The sizes of tensor({{1, 2}, {3, 4}}), of tensor(1) and of tensor(v).
std::optional<SymDims> Machine::literalSizes(World &W, const Stmt &S) {
  const Arg *Data = findArg(S, "data");
  Value V = operand(W, S, "data");
  SymDims Sizes;
  while (V.K == Value::List) {
    Sizes.push_back(SymExpr(static_cast<int64_t>(V.Elems->size())));
    V = V.Elems->empty() ? scalar() : V.Elems->front();
  }
  if (V.K != Value::Unknown && V.K != Value::Each)
    return Sizes;
  if (!Sizes.empty()) // of numbers, or of lists
    return std::nullopt;
  // A list that nobody knows is one of numbers.
  const Stmt *D = Data ? DefOf[Data->Value] : nullptr;
  if (D && D->O == Op::ListCopy)
    D = DefOf[D->Args[0].Value];
  if (D && D->O == Op::Load && F.Vars[D->Var].Type == VarType::List)
    return SymDims(1, valueSymbol(S, SymbolInfo::Size, "?"));
  return std::nullopt;
}

/// data_ptr<T>() and accessor<T, N>() throw unless dtype and rank are those. A
/// tensor of unknown rank has that one from here on.
void Machine::access(World &W, const Stmt &S, Object &O) {
  const Value Wanted = operand(W, S, "dtype");
  // A macro's body may be compiled for every dtype and run for one.
  if (Wanted.K == Value::Symbol && !Wanted.Text.empty() && !O.DType.empty() &&
      !S.InMacro && !S.InArgument) {
    if (Wanted.Text == O.DType)
      ++R.Sites[&S].Ok;
    else
      dtypeFails(W, S, O, Wanted.Text);
  }
  auto Rank = intArg(W, S, "dims");
  if (!Rank || !O.HasLayout)
    return;
  if (O.Segment >= 0) {
    setRank(W, O, static_cast<unsigned>(*Rank));
    return;
  }
  const auto Have = static_cast<int64_t>(O.L.rank());
  if (Have == *Rank)
    ++R.Sites[&S].Ok;
  else
    layoutFails(
        W, S, {&O},
        refuse<Symbolic>(Rule::RankWanted, {SymExpr(*Rank), SymExpr(Have)}),
        {});
}

void Machine::executeTensor(World &W, const Stmt &S) {
  Object *Self = tensorArg(W, S, "self");
  if (Self && opClass(S.O) == OpClass::InPlaceMeta)
    metadataChanges(W, *Self);
  // References into the object table stay valid: results are other entries.
  auto NoLayout = [&](bool Fresh = false) { resultUnknown(W, S, Fresh, Self); };
  auto UnknownInt = [&] {
    setResult(W, S, Value::integer(valueSymbol(S, SymbolInfo::Integer, "?")));
  };
  auto Dim =
      [&](llvm::StringRef Name,
          std::optional<int64_t> Default = {}) -> std::optional<int64_t> {
    auto D = intArg(W, S, Name, Default);
    return D && Self ? place(W, *Self, *D) : std::nullopt;
  };

  switch (S.O) {
  //--- queries -----------------------------------------------------------===//
  case Op::Size:
  case Op::Stride: {
    auto D = Dim("dim");
    if (!D)
      return UnknownInt();
    int64_t N = static_cast<int64_t>(Self->L.rank());
    int64_t At = *D < 0 ? *D + N : *D;
    if (At < 0 || At >= N) {
      site(W, S, {Self}, wrapDim(W.Ar, *D, static_cast<size_t>(N), false));
      return UnknownInt();
    }
    R.Answered.insert(&S);
    return setResult(
        W, S,
        Value::integer(S.O == Op::Size
                           ? Self->L.Sizes[static_cast<size_t>(At)]
                           : Self->L.Strides[static_cast<size_t>(At)]));
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
      return UnknownInt();
    return setResult(W, S, rank(W, operand(W, S, "self").T, *Self));
  case Op::Numel:
    if (!Self || !Self->HasLayout)
      return UnknownInt();
    return setResult(W, S, Value::integer(numel(W.Ar, Self->L.Sizes)));
  case Op::StorageOffset:
    if (!Self || !Self->HasLayout)
      return UnknownInt();
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
    if (Self && Self->HasLayout && Self->Segment < 0)
      if (auto Fmt = suggestMemoryFormat(W.Ar, Self->L)) {
        V.K = Value::Symbol;
        V.Text = name(*Fmt);
      }
    return setResult(W, S, std::move(V));
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
    return setResult(W, S, std::move(V));
  }
  case Op::QueryOther:
    if (S.Text == "ggml_set_output" || S.Text == "ggml_build_forward_expand")
      for (const Arg &A : S.Args)
        if (const Object *O = tensor(W, value(W, A.Value)))
          R.Outputs.insert(O->Storage);
    return setResult(W, S, Value());
  case Op::DeviceOf:
  case Op::Backward:
    return setResult(W, S, Value());
  case Op::DataPtr:
  case Op::Accessor:
    if (Self)
      access(W, S, *Self);
    return setResult(W, S,
                     Self && S.O == Op::DataPtr && !Self->Ggml
                         ? pointerTo(S, *Self)
                         : Value());
  case Op::Item:
    if (Self && Self->HasLayout) {
      SymExpr N = numel(W.Ar, Self->L.Sizes);
      auto One = W.Ar.eq(N, SymExpr(1));
      if (One.no() && One.UnlessOne.empty())
        layoutFails(W, S, {Self}, refuse<Symbolic>(Rule::ManyElements, {N}),
                    {});
      else
        ++(One.yes() ? R.Sites[&S].Ok : R.Sites[&S].Unknown);
    }
    return UnknownInt();

  //--- views
  //--------------------------------------------------------------===//
  case Op::View: {
    if (!Self)
      return setResult(W, S, Value());
    auto New = sizesArg(W, S, "size");
    if (!New) {
      Value V = operand(W, S, "size");
      if (const Object *O = sizesOf(W, V))
        if (O->HasLayout &&
            W.Ar.eq(numel(W.Ar, O->L.Sizes), numel(W.Ar, Self->L.Sizes))
                .yes() &&
            isContiguous(W.Ar, Self->L).yes()) {
          ++R.Sites[&S].Ok;
          return NoLayout();
        }
      ++R.Sites[&S].Unknown;
      return NoLayout();
    }
    return view(W, S, *Self, *New, true);
  }
  case Op::ViewAs: {
    Object *Other = tensorArg(W, S, "other");
    if (!Self)
      return setResult(W, S, Value());
    if (!Other || !Other->HasLayout || Other->Segment >= 0) {
      ++R.Sites[&S].Unknown;
      return NoLayout();
    }
    return view(W, S, *Self, SymDims(Other->L.Sizes), true);
  }
  case Op::Permute: {
    auto P = dimsArg(W, S, "dims");
    if (!Self || !P)
      return NoLayout();
    if (!Self->HasLayout)
      return NoLayout();
    if (Self->Segment >= 0 &&
        !setRank(W, *Self, static_cast<unsigned>(P->size())))
      return NoLayout();
    return resultView(W, S, *Self, permute(W.Ar, Self->L, *P));
  }
  case Op::Transpose:
  case Op::TransposeInPlace: {
    if (!Self)
      return NoLayout();
    auto Again = intArg(W, S, "dim0"), Other = intArg(W, S, "dim1");
    // One dimension from either end: they may be the same one.
    const bool Apart =
        !Self->HasLayout || Self->Segment < 0 || !Again || !Other ||
        (*Again < 0) == (*Other < 0) ||
        (*Again < 0 ? *Other - *Again : *Again - *Other) < Self->AtLeast;
    if (S.O == Op::Transpose && !Apart)
      return NoLayout();
    auto D0 = Dim("dim0");
    auto D1 = Dim("dim1");
    if (D0 && D1) // the second may have moved the first
      D0 = place(W, *Self, *Again);
    if (!D0 || !D1 || !Apart) {
      if (S.O == Op::TransposeInPlace)
        Self->HasLayout = false;
      return S.O == Op::Transpose ? NoLayout()
                                  : setResult(W, S, operand(W, S, "self"));
    }
    auto Out = transpose(W.Ar, Self->L, *D0, *D1);
    if (S.O == Op::Transpose)
      return resultView(W, S, *Self, std::move(Out), Self->Segment);
    site(W, S, {Self}, Out);
    ProvRef P = provenance(W, S, Self, false);
    Self->HasLayout = Out.ok();
    if (Out.ok())
      Self->L = *Out;
    Self->Prov = std::move(P);
    Self->Root = false;
    Self->NotContiguous = false;
    return setResult(W, S, operand(W, S, "self"));
  }
  case Op::T:
  case Op::TInPlace: {
    if (!Self)
      return NoLayout();
    // A parameter of unknown rank: a matrix is what people transpose. Of a
    // result nothing says so, and t() of a vector is the vector.
    bool Ok = Self->HasLayout &&
              (Self->Segment < 0 || (Self->Root && setRank(W, *Self, 2)));
    auto Out = Ok ? layout::t(W.Ar, Self->L) : SymOutcome::unknown();
    if (S.O == Op::T)
      return resultView(W, S, *Self, std::move(Out));
    site(W, S, {Self}, Out);
    ProvRef P = provenance(W, S, Self, false);
    Self->HasLayout = Out.ok();
    if (Out.ok())
      Self->L = *Out;
    Self->Prov = std::move(P);
    Self->Root = false;
    Self->NotContiguous = false;
    return setResult(W, S, operand(W, S, "self"));
  }
  case Op::MT: {
    if (!Self || !Self->HasLayout)
      return NoLayout();
    if (!place(W, *Self, -2))
      return NoLayout();
    auto N = static_cast<int64_t>(Self->L.rank());
    return resultView(W, S, *Self, transpose(W.Ar, Self->L, N - 2, N - 1),
                      Self->Segment);
  }
  case Op::NumpyT:
    if (!Self || !Self->HasLayout || Self->Segment >= 0)
      return NoLayout();
    return resultView(W, S, *Self, reverseDims(W.Ar, Self->L));
  case Op::MoveDim: {
    auto A = dimsArg(W, S, "source"), B = dimsArg(W, S, "destination");
    if (!Self || !Self->HasLayout || Self->Segment >= 0 || !A || !B)
      return NoLayout();
    return resultView(W, S, *Self, movedim(W.Ar, Self->L, *A, *B));
  }
  case Op::Narrow: {
    auto D = Dim("dim");
    auto B = exprArg(W, S, "start"), N = exprArg(W, S, "length");
    if (!D || !N)
      return NoLayout();
    return resultView(W, S, *Self,
                      narrow(W.Ar, Self->L, *D, B ? *B : SymExpr(0), *N),
                      Self->Segment);
  }
  case Op::Slice: {
    auto D = Dim("dim", 0);
    auto B = exprArg(W, S, "start"), E = exprArg(W, S, "end");
    auto St = exprArg(W, S, "step");
    Value VE = operand(W, S, "end");
    if (!D || (!E && VE.K != Value::None && findArg(S, "end")) ||
        (!St && findArg(S, "step")))
      return NoLayout();
    return resultView(
        W, S, *Self,
        slice(W.Ar, Self->L, *D, B ? *B : SymExpr(0), E, St ? *St : SymExpr(1)),
        Self->Segment);
  }
  case Op::Select: {
    auto D = Dim("dim", 0);
    if (!D)
      return NoLayout();
    auto I = exprArg(W, S, "index");
    int64_t At = *D < 0 ? *D + static_cast<int64_t>(Self->L.rank()) : *D;
    int Seg = Self->Segment > At ? Self->Segment - 1 : Self->Segment;
    return resultView(W, S, *Self,
                      select(W.Ar, Self->L, *D,
                             I ? *I : valueSymbol(S, SymbolInfo::Size, "?")),
                      Seg);
  }
  case Op::Index:
    if (Self && !Self->HasLayout) {
      // Which elements are taken decides all the same.
      const Value L = operand(W, S, "indices");
      bool Copies = L.K == Value::Tensor && indexCopies(W, L) == Truth::Yes;
      if (L.K == Value::List)
        for (const Value &V : *L.Elems)
          Copies = Copies ||
                   (V.K == Value::Tensor && indexCopies(W, V) == Truth::Yes);
      if (Copies)
        copies(S, Truth::Yes, {}, W);
      return NoLayout(Copies);
    }
    if (!Self)
      return NoLayout();
    return index(W, S, *Self);
  case Op::Expand:
  case Op::ExpandAs: {
    std::optional<SymDims> New;
    if (S.O == Op::Expand) {
      New = sizesArg(W, S, "size");
    } else if (Object *O = tensorArg(W, S, "other")) {
      if (O->HasLayout && O->Segment < 0)
        New = O->L.Sizes;
    }
    if (!Self || !Self->HasLayout || !New || Self->Segment >= 0)
      return NoLayout();
    return resultView(W, S, *Self, expand(W.Ar, Self->L, *New));
  }
  case Op::Squeeze: {
    if (!Self || !Self->HasLayout)
      return NoLayout();
    if (!findArg(S, "dim"))
      return resultView(W, S, *Self,
                        Self->Segment < 0 ? squeeze(W.Ar, Self->L)
                                          : SymOutcome::unknown());
    if (operand(W, S, "dim").K == Value::List) { // each of them
      auto Dims = dimsArg(W, S, "dim");
      if (!Dims || Self->Segment >= 0)
        return NoLayout();
      const auto Rank = static_cast<int64_t>(Self->L.rank());
      for (int64_t &D : *Dims)
        D = D < 0 ? D + Rank : D;
      std::sort(Dims->rbegin(), Dims->rend());
      SymOutcome Out = SymOutcome(Self->L);
      for (int64_t D : *Dims)
        if (Out.ok())
          Out = squeeze(W.Ar, SymLayout(*Out), D);
      return resultView(W, S, *Self, std::move(Out));
    }
    auto D = Dim("dim");
    if (!D)
      return NoLayout();
    int64_t At = *D < 0 ? *D + static_cast<int64_t>(Self->L.rank()) : *D;
    auto Out = squeeze(W.Ar, Self->L, *D);
    if (Out.isUnknown() && isContiguous(W.Ar, Self->L).yes() &&
        (Self->Segment < 0 || Self->SegmentDense)) {
      // Whether the dimension goes or not: contiguous all the same.
      Object O = *Self;
      SymExpr N = valueSymbol(S, SymbolInfo::Size, "?");
      if (!W.Ar.facts().count(*N.asSymbol()))
        W.Ar.rewrite(*N.asSymbol(), numel(W.Ar, Self->L.Sizes));
      O.L.Sizes = SymDims(1, N);
      O.L.Strides = SymDims(1, SymExpr(1));
      O.Segment = 0;
      O.SegmentDense = true;
      O.AtLeast = 0;
      O.Key = 0;
      O.Root = false;
      O.Name.clear();
      O.Prov = provenance(W, S, Self, false);
      return result(W, S, std::move(O));
    }
    int Seg = Out.ok() && Out->rank() < Self->L.rank() && Self->Segment > At
                  ? Self->Segment - 1
                  : Self->Segment;
    return resultView(W, S, *Self, std::move(Out), Seg);
  }
  case Op::Unsqueeze: {
    auto I = intArg(W, S, "dim");
    if (!Self || !I)
      return NoLayout();
    auto D = place(W, *Self, *I, true);
    if (!D)
      return NoLayout();
    int64_t At = *D < 0 ? *D + static_cast<int64_t>(Self->L.rank()) + 1 : *D;
    int Seg = Self->Segment >= At ? Self->Segment + 1 : Self->Segment;
    return resultView(W, S, *Self, unsqueeze(W.Ar, Self->L, *D), Seg);
  }
  case Op::Unfold: {
    auto D = Dim("dimension");
    auto N = exprArg(W, S, "size"), St = exprArg(W, S, "step");
    if (!D || !N || !St)
      return NoLayout();
    return resultView(W, S, *Self, unfold(W.Ar, Self->L, *D, *N, *St),
                      Self->Segment);
  }
  case Op::Unflatten: {
    auto D = Dim("dim");
    auto N = sizesArg(W, S, "sizes");
    if (!D || !N || Self->Segment >= 0)
      return NoLayout();
    return resultView(W, S, *Self, unflatten(W.Ar, Self->L, *D, *N));
  }
  case Op::Diagonal: {
    auto Off = intArg(W, S, "offset", 0), A = intArg(W, S, "dim1", 0),
         B = intArg(W, S, "dim2", 1);
    if (!Self || !Self->HasLayout || Self->Segment >= 0 || !Off || !A || !B)
      return NoLayout();
    return resultView(W, S, *Self, diagonal(W.Ar, Self->L, *Off, *A, *B));
  }
  case Op::AsStrided: {
    auto N = sizesArg(W, S, "size"), St = sizesArg(W, S, "stride");
    if (!Self || !N || !St)
      return NoLayout();
    auto Off = exprArg(W, S, "storage_offset");
    return resultView(W, S, *Self,
                      asStrided(W.Ar, *N, *St, Off ? *Off : Self->L.Offset));
  }
  case Op::Split:
  case Op::SplitSizes:
  case Op::Chunk:
  case Op::TensorSplit:
  case Op::Unbind: {
    auto D = Dim("dim", 0);
    bool ByOne = S.O == Op::Unbind || S.O == Op::TensorSplit;
    if (!D || (ByOne && Self->Segment >= 0)) {
      // The elements are views all the same, of layouts nobody knows.
      return setResult(W, S, Value());
    }
    if (S.O == Op::Chunk) {
      auto N = intArg(W, S, "chunks");
      if (!N)
        return setResult(W, S, Value());
      return resultList(W, S, *Self, chunk(W.Ar, Self->L, *N, *D));
    }
    if (S.O == Op::Split) {
      auto N = exprArg(W, S, "split_size");
      if (!N)
        return setResult(W, S, Value());
      return resultList(W, S, *Self, split(W.Ar, Self->L, *N, *D));
    }
    if (S.O == Op::Unbind) {
      auto At = wrapDim(W.Ar, *D, Self->L.rank());
      auto N = At.ok() && Self->L.rank() ? W.Ar.known(Self->L.Sizes[*At])
                                         : std::optional<int64_t>();
      if (!N || *N > 256)
        return setResult(W, S, Value());
      std::vector<SymLayout> Parts;
      for (int64_t I = 0; I < *N; ++I) {
        auto P = select(W.Ar, Self->L, *D, SymExpr(I));
        if (!P.ok())
          return setResult(W, S, Value());
        Parts.push_back(*P);
      }
      return resultList(W, S, *Self, std::move(Parts));
    }
    if (S.O == Op::SplitSizes) {
      auto N = sizesArg(W, S, "split_sizes");
      if (!N)
        return setResult(W, S, Value());
      return resultList(W, S, *Self, splitWithSizes(W.Ar, Self->L, *N, *D));
    }
    if (auto N = intArg(W, S, "sections"))
      return resultList(W, S, *Self, tensorSplit(W.Ar, Self->L, *N, *D));
    if (auto N = sizesArg(W, S, "indices"))
      return resultList(W, S, *Self, tensorSplitAt(W.Ar, Self->L, *N, *D));
    return setResult(W, S, Value());
  }
  case Op::Detach: {
    if (!Self)
      return NoLayout();
    Object O = *Self;
    O.Name.clear();
    return result(W, S, std::move(O));
  }
  case Op::SelfHandle:
    return setResult(W, S, operand(W, S, "self"));
  case Op::SameSizes: {
    if (!Self || !Self->HasLayout)
      return NoLayout();
    // Dense stays dense; otherwise the strides may be others.
    const bool Dense = isContiguous(W.Ar, Self->L).yes() &&
                       (Self->Segment < 0 || Self->SegmentDense);
    if (!Dense && Self->Segment >= 0)
      return NoLayout();
    Object O;
    O.Prov = provenance(W, S, Self, false);
    O.DType = Self->DType;
    O.HasLayout = true;
    O.L = Self->L;
    for (unsigned D = 0; !Dense && D < O.L.rank(); ++D)
      O.L.Strides[D] = valueSymbol(S, SymbolInfo::Stride, "?", 128 + D);
    O.Segment = Self->Segment;
    O.SegmentDense = Self->SegmentDense;
    O.rankFrom(*Self);
    O.Storage = Self->Storage; // perhaps
    copies(S, Truth::Unknown, {}, W);
    return result(W, S, std::move(O));
  }
  case Op::Weight:
    resultDense(W, S, sizesArg(W, S, "size"), nullptr);
    if (Object *O = tensor(W, value(W, S.Result)))
      O->Name = "weight";
    return;
  case Op::ViewDtype:
  case Op::OtherView:
  case Op::OtherMaybeCopy:
    return NoLayout();

  //--- self, view or copy
  //-------------------------------------------------===//
  case Op::Reshape:
  case Op::ReshapeAs:
  case Op::Flatten:
  case Op::Ravel: {
    if (!Self || !Self->HasLayout)
      return NoLayout();
    std::optional<SymDims> New;
    if (S.O == Op::Ravel) { // contiguous().view(-1)
      New = SymDims(1, numel(W.Ar, Self->L.Sizes));
      auto Is = isContiguous(W.Ar, Self->L);
      if (!Is.yes() || (Self->Segment >= 0 && !Self->SegmentDense)) {
        const ObjId Storage = Self->Storage;
        const bool Copies = Is.no() || Self->NotContiguous;
        resultDense(W, S, New, Self);
        if (Object *O = tensor(W, value(W, S.Result)); O && !Copies)
          O->Storage = Storage;
        return;
      }
    }
    if (S.O == Op::Reshape) {
      New = sizesArg(W, S, "shape");
    } else if (S.O == Op::ReshapeAs) {
      if (Object *O = tensorArg(W, S, "other"))
        if (O->HasLayout && O->Segment < 0)
          New = O->L.Sizes;
    } else if (S.O == Op::Flatten) {
      auto B = Dim("start_dim", 0);
      auto E = Dim("end_dim", -1);
      if (Self->Segment < 0 && B && E) {
        auto Z = flattenSizes(W.Ar, Self->L, *B, *E);
        site(W, S, {Self}, Z);
        if (Z.ok())
          New = *Z;
        if (New && New->size() == Self->L.rank() && !New->empty())
          return setResult(W, S, operand(W, S, "self"));
      }
    }
    if (!New)
      return isContiguous(W.Ar, Self->L).yes() && Self->SegmentDense
                 ? resultDense(W, S, std::nullopt, Self)
                 : NoLayout();
    // As view(), which tells what a -1 is; a refusal is a packed copy.
    view(W, S, *Self, *New, false);
    return;
  }
  case Op::Contiguous:
    if (!Self)
      return NoLayout();
    return contiguousCall(W, S, *Self);
  case Op::To: {
    if (!Self)
      return NoLayout();
    noteOperand(W, S, *Self);
    noteFormat(W, S, *Self);
    bool Known = true;
    MemoryFormat Fmt = formatArg(W, S, MemoryFormat::Preserve, Known);
    std::string DType;
    for (const char *N : {"dtype", "options"}) {
      Value V = operand(W, S, N);
      if (V.K == Value::Symbol && !V.Text.empty())
        DType = V.Text;
    }
    if (Object *O = tensorArg(W, S, "other"))
      DType = O->DType;
    if (!Self->HasLayout || !Known)
      return NoLayout();
    SymOutcome Out = SymOutcome::unknown();
    int Seg = Self->Segment;
    if (Fmt == MemoryFormat::Preserve) {
      // Self, or a copy with preserved strides: the same where it is dense.
      if (isContiguous(W.Ar, Self->L).yes() &&
          (Seg < 0 || Self->SegmentDense)) {
        Out = SymOutcome(Self->L);
      } else if (Seg < 0) {
        Out = preservedCopy(W.Ar, Self->L);
        bool Same = Out.ok() && Out->Strides == Self->L.Strides;
        bool Copies =
            !DType.empty() && !Self->DType.empty() && DType != Self->DType;
        if (!Same && !Copies)
          Out = SymOutcome::unknown();
      }
      if (!DType.empty() && !Self->DType.empty() && DType != Self->DType) {
        R.SureCopies.insert(&S);
        copies(S, Truth::Yes, {}, W);
      }
    } else if (Seg < 0) {
      // Decided by suggest_memory_format(), not by is_contiguous (trap T3).
      auto Suggested = suggestMemoryFormat(W.Ar, Self->L);
      if (Suggested && *Suggested != Fmt)
        Out = copyAs(W.Ar, Self->L, Fmt);
      else if (Suggested && isContiguous(W.Ar, Self->L, Fmt).yes())
        Out = SymOutcome(Self->L);
    }
    if (!Out.ok() && Seg < 0) {
      SymLayout L;
      L.Sizes = Self->L.Sizes;
      for (unsigned D = 0; D < L.Sizes.size(); ++D)
        L.Strides.push_back(valueSymbol(S, SymbolInfo::Stride, "?", 128 + D));
      Out = SymOutcome(std::move(L));
    }
    const std::string Becomes = DType.empty() ? Self->DType : DType;
    if (!Out.ok()) {
      resultUnknown(W, S, true, Self);
      if (Object *O = tensor(W, value(W, S.Result)))
        O->DType = Becomes;
      return;
    }
    Object O;
    O.Prov = provenance(W, S, Self, false);
    O.DType = Becomes;
    O.HasLayout = true;
    O.L = *Out;
    O.Segment = Seg;
    O.SegmentDense = Self->SegmentDense;
    O.rankFrom(*Self);
    return result(W, S, std::move(O));
  }

  //--- fresh tensors
  //------------------------------------------------------===//
  case Op::Clone:
  case Op::PreserveCopy:
  case Op::EmptyLike:
  case Op::FilledLike:
  case Op::RandomLike: {
    if (Self && S.O == Op::Clone)
      noteOperand(W, S, *Self);
    if (!Self || !Self->HasLayout)
      return NoLayout(true);
    bool Known = true;
    MemoryFormat Fmt = formatArg(W, S, MemoryFormat::Preserve, Known);
    if (!Known)
      return NoLayout(true);
    if (Self->Segment >= 0) {
      bool Dense = isContiguous(W.Ar, Self->L).yes() && Self->SegmentDense;
      if (Fmt == MemoryFormat::Contiguous ||
          (Fmt == MemoryFormat::Preserve && Dense))
        return resultFresh(W, S, Self,
                           SymOutcome(denseLayout(W.Ar, Self->L.Sizes)),
                           Self->Segment);
      return NoLayout(true);
    }
    auto Out = copyAs(W.Ar, Self->L, Fmt);
    if (!Out.ok()) {
      SymLayout L;
      L.Sizes = Self->L.Sizes;
      for (unsigned D = 0; D < L.Sizes.size(); ++D)
        L.Strides.push_back(valueSymbol(S, SymbolInfo::Stride, "?", 128 + D));
      Out = SymOutcome(std::move(L));
    }
    resultFresh(W, S, Self, std::move(Out));
    if (Object *O = tensor(W, value(W, S.Result)))
      noteAllocation(W, S, *O);
    return;
  }
  case Op::NarrowCopy: {
    auto D = Dim("dim");
    auto B = exprArg(W, S, "start"), N = exprArg(W, S, "length");
    if (!D || !N)
      return resultDense(W, S, std::nullopt, Self);
    auto Part = narrow(W.Ar, Self->L, *D, B ? *B : SymExpr(0), *N);
    if (!Part.ok())
      return resultDense(W, S, std::nullopt, Self);
    return resultFresh(W, S, Self, SymOutcome(denseLayout(W.Ar, Part->Sizes)),
                       Self->Segment);
  }
  case Op::CloneDense:
  case Op::MaskedFill:
    if (!Self || !Self->HasLayout)
      return resultDense(W, S, std::nullopt, Self);
    return resultFresh(W, S, Self, SymOutcome(denseLayout(W.Ar, Self->L.Sizes)),
                       Self->Segment);
  case Op::Empty:
  case Op::Filled:
  case Op::Random: {
    bool Known = true;
    MemoryFormat Fmt = formatArg(W, S, MemoryFormat::Contiguous, Known);
    auto New = sizesArg(W, S, "size");
    // Options from elsewhere may carry a memory format, which empty() heeds.
    if (S.O == Op::Empty && findArg(S, "options") &&
        operand(W, S, "options").K == Value::Unknown &&
        (!New || New->size() == 4 || New->size() == 5))
      return NoLayout(true);
    if (!Known)
      return NoLayout(true);
    if (!New) {
      Value V = operand(W, S, "size");
      const Object *O = sizesOf(W, V);
      if (O && O->HasLayout && Fmt == MemoryFormat::Contiguous) {
        const Object Of = *O;
        resultFresh(W, S, nullptr, SymOutcome(denseLayout(W.Ar, Of.L.Sizes)),
                    Of.Segment);
        if (Object *New = tensor(W, value(W, S.Result)))
          New->rankFrom(Of);
        return;
      }
      if (Fmt == MemoryFormat::Contiguous)
        return resultDense(W, S, std::nullopt, nullptr);
      return NoLayout(true);
    }
    SymLayout L;
    L.Sizes = *New;
    L.Offset = SymExpr(0);
    resultFresh(
        W, S, nullptr,
        copyAs(W.Ar, L,
               Fmt == MemoryFormat::Preserve ? MemoryFormat::Contiguous : Fmt));
    return;
  }
  case Op::Arange: {
    auto B = exprArg(W, S, "start"), E = exprArg(W, S, "end");
    if (E && !findArg(S, "step") && (B || !findArg(S, "start")))
      return resultDense(
          W, S, SymDims(1, W.Ar.asSize(B ? W.Ar.sub(*E, *B) : *E)), nullptr);
    return resultDense(W, S, SymDims(1, valueSymbol(S, SymbolInfo::Size, "?")),
                       nullptr);
  }
  case Op::Eye: {
    auto N = exprArg(W, S, "n"), M = exprArg(W, S, "m");
    SymDims D;
    D.push_back(N ? *N : valueSymbol(S, SymbolInfo::Size, "?", 0));
    D.push_back(M                  ? *M
                : !findArg(S, "m") ? D[0]
                                   : valueSymbol(S, SymbolInfo::Size, "?", 1));
    return resultDense(W, S, D, nullptr);
  }
  case Op::Linspace: {
    auto N = exprArg(W, S, "steps");
    return resultDense(
        W, S, SymDims(1, N ? *N : valueSymbol(S, SymbolInfo::Size, "?")),
        nullptr);
  }
  case Op::TensorOf:
    return resultDense(W, S, literalSizes(W, S), nullptr);
  case Op::DenseFresh:
    return resultDense(W, S, std::nullopt, tensorArg(W, S, "self"));
  case Op::EmptyStrided: {
    auto N = sizesArg(W, S, "size"), St = sizesArg(W, S, "stride");
    if (!N || !St)
      return NoLayout(true);
    return resultFresh(W, S, nullptr, asStrided(W.Ar, *N, *St, SymExpr(0)));
  }
  case Op::FromBlob: {
    auto N = sizesArg(W, S, "sizes");
    checkBlob(W, S, N);
    if (N && !findArg(S, "strides"))
      blobOf(W, S, *N);
    if (findArg(S, "strides")) {
      auto St = sizesArg(W, S, "strides");
      if (!N || !St)
        return NoLayout(true);
      return resultFresh(W, S, nullptr, asStrided(W.Ar, *N, *St, SymExpr(0)));
    }
    return resultDense(W, S, N, nullptr);
  }
  case Op::Unary:
    return elementwise(W, S, {operand(W, S, "self")});
  case Op::Binary:
    tensorArg(W, S, "other");
    return elementwise(W, S, {operand(W, S, "self"), operand(W, S, "other")});
  case Op::Ternary: {
    std::vector<Value> Vs;
    for (const char *N : {"a", "b", "c"}) {
      tensorArg(W, S, N);
      Vs.push_back(operand(W, S, N));
    }
    return elementwise(W, S, Vs);
  }
  case Op::Reduce: {
    if (!Self || !Self->HasLayout || Self->Segment >= 0)
      return resultDense(W, S, std::nullopt, Self);
    std::vector<int64_t> Over;
    if (findArg(S, "dim")) {
      auto D = dimsArg(W, S, "dim");
      if (!D && operand(W, S, "dim").K != Value::None)
        return resultDense(W, S, std::nullopt, Self);
      if (D)
        Over = *D;
    }
    Value K = operand(W, S, "keepdim");
    bool Keep = false;
    if (K.K == Value::Bool) {
      Truth T = evaluate(W, *K.C);
      if (T == Truth::Unknown)
        return resultDense(W, S, std::nullopt, Self);
      Keep = T == Truth::Yes;
    }
    auto Out = reduceSizes(W.Ar, Self->L.Sizes, Over, Keep);
    site(W, S, {Self}, Out);
    return resultDense(
        W, S, Out.ok() ? std::optional<SymDims>(*Out) : std::nullopt, Self);
  }
  case Op::Loss: {
    // Reduction::None is 0; a setting among `options` is not read.
    auto How = intArg(W, S, "reduction", 1);
    if (!How || findArg(S, "options"))
      return NoLayout(true);
    if (*How != 0)
      return resultDense(W, S, SymDims(), Self);
    if (!findArg(S, "unreduced"))
      return NoLayout(true);
    tensorArg(W, S, "other");
    return elementwise(W, S, {operand(W, S, "self"), operand(W, S, "other")});
  }
  case Op::MatMul:
  case Op::MM:
  case Op::BMM: {
    const unsigned Rank = S.O == Op::MM ? 2 : S.O == Op::BMM ? 3 : 0;
    return product(W, S, "self", S.O == Op::MatMul ? "other" : "mat2", Rank);
  }
  case Op::AddMM: {
    product(W, S, "mat1", "mat2", 2);
    // The bias is expanded to the product's sizes.
    Object *Made = tensor(W, value(W, S.Result));
    Object *Bias = tensorArg(W, S, "self");
    Made = tensor(W, value(W, S.Result));
    if (Made && Bias && Made->HasLayout && Bias->HasLayout &&
        Made->Segment < 0 && Bias->Segment < 0)
      site(W, S, {Bias}, expand(W.Ar, Bias->L, Made->L.Sizes));
    return;
  }
  case Op::Linear: {
    Object *X = tensorArg(W, S, "input"), *Wt = tensorArg(W, S, "weight");
    X = tensorArg(W, S, "input");
    // The last dimension may be one of those counted from the front.
    if (X && X->Segment > 0 && X->Segment + 1 == static_cast<int>(X->L.rank()))
      return resultDense(W, S, std::nullopt, X);
    if (!X || !X->HasLayout || !place(W, *X, -1) || X->L.rank() == 0)
      return resultDense(W, S, std::nullopt, X);
    SymExpr OutSize = valueSymbol(S, SymbolInfo::Size, "?");
    if (Wt && Wt->HasLayout && setRank(W, *Wt, 2)) {
      OutSize = Wt->L.Sizes[0];
      // Rows before the last dimension may be a segment: only a name in text.
      site(W, S, {X, Wt}, linearSizes(W.Ar, X->L.Sizes, Wt->L.Sizes));
      W.Ar.assumeEqual(X->L.Sizes.back(), Wt->L.Sizes[1]);
    }
    SymDims D = X->L.Sizes;
    D.back() = OutSize;
    return resultFresh(W, S, X, SymOutcome(denseLayout(W.Ar, D)), X->Segment);
  }
  case Op::Cat:
  case Op::Stack: {
    Value L = operand(W, S, "tensors");
    auto D = intArg(W, S, "dim", 0);
    std::vector<const SymLayout *> Ops;
    const Object *First = nullptr;
    if (L.K == Value::Each)
      return catenateEach(W, S, L, D);
    bool Ok = L.K == Value::List && D;
    const auto AtLeast = intArg(W, S, "at_least", 0);
    std::vector<const Object *> Tensors;
    if (Ok)
      for (const Value &V : *L.Elems) {
        const Object *O = tensor(W, V);
        Ok = Ok && O && O->HasLayout && O->Segment < 0 &&
             static_cast<int64_t>(O->L.rank()) >= AtLeast.value_or(0);
        if (Ok) {
          Ops.push_back(&O->L);
          Tensors.push_back(O);
        }
        First = First ? First : O;
      }
    if (!Ok)
      return resultUnknown(W, S, true, First);
    auto Out = S.O == Op::Cat ? layout::cat(W.Ar, Ops, *D)
                              : layout::stack(W.Ar, Ops, *D);
    site(W, S, Tensors, Out);
    bool OneType = true;
    for (const Object *O : Tensors)
      OneType = OneType && O->DType == First->DType;
    resultFresh(W, S, First, std::move(Out));
    if (Object *O = tensor(W, value(W, S.Result)); O && !OneType)
      O->DType.clear();
    return;
  }
  case Op::Repeat: {
    auto N = sizesArg(W, S, "repeats");
    if (!Self || !Self->HasLayout || Self->Segment >= 0 || !N ||
        N->size() < Self->L.rank())
      return resultDense(W, S, std::nullopt, Self);
    SymDims D = *N;
    size_t Lead = N->size() - Self->L.rank();
    for (size_t I = 0; I < Self->L.rank(); ++I)
      D[Lead + I] = W.Ar.mul(D[Lead + I], Self->L.Sizes[I]);
    return resultDense(W, S, D, Self);
  }
  case Op::IndexSelect: {
    auto D = Dim("dim");
    if (!D || Self->Segment >= 0)
      return resultDense(W, S, std::nullopt, Self);
    SymDims Z = Self->L.Sizes;
    auto At = wrapDim(W.Ar, *D, Z.size());
    if (!At.ok() || Z.empty())
      return resultDense(W, S, std::nullopt, Self);
    Object *I = tensorArg(W, S, "index");
    Self = tensorArg(W, S, "self");
    Z[*At] = I && I->HasLayout && setRank(W, *I, 1)
                 ? I->L.Sizes[0]
                 : valueSymbol(S, SymbolInfo::Size, "?");
    return resultDense(W, S, Z, Self);
  }
  case Op::Gather: {
    Object *I = tensorArg(W, S, "index");
    if (I && I->HasLayout && I->Segment < 0)
      return resultDense(W, S, I->L.Sizes, Self);
    return resultDense(W, S, std::nullopt, Self);
  }
  case Op::Sized:
    return sized(W, S);
  case Op::Conv:
    return convolution(W, S);
  case Op::Pool:
    return pool(W, S);
  case Op::Resample:
    return resample(W, S);
  case Op::Pad:
    return pad(W, S);
  case Op::Einsum:
    return einsum(W, S);
  case Op::Fresh:
    Self = tensorArg(W, S, "self");
    return NoLayout(true);

  //--- in place -------------------------------------------------------------//
  case Op::SqueezeInPlace:
  case Op::UnsqueezeInPlace: {
    if (Self && Self->HasLayout) {
      auto I = intArg(W, S, "dim");
      ProvRef P = provenance(W, S, Self, false);
      SymOutcome Out = SymOutcome::unknown();
      if (I && Self->Segment < 0)
        Out = S.O == Op::SqueezeInPlace ? squeeze(W.Ar, Self->L, *I)
                                        : unsqueeze(W.Ar, Self->L, *I);
      Self->HasLayout = Out.ok();
      if (Out.ok())
        Self->L = *Out;
      Self->Root = false;
      Self->NotContiguous = false;
      Self->Prov = std::move(P);
    }
    return setResult(W, S, operand(W, S, "self"));
  }
  case Op::Resize: {
    if (Self) {
      auto N = sizesArg(W, S, "size");
      ProvRef P = provenance(W, S, Self, false);
      // The same sizes leave the strides alone: only new ones are dense.
      bool Same = N && Self->HasLayout && Self->Segment < 0 &&
                  N->size() == Self->L.rank();
      for (size_t D = 0; Same && D < N->size(); ++D)
        Same = W.Ar.eq((*N)[D], Self->L.Sizes[D]).yes();
      bool WasDense = Self->HasLayout && isContiguous(W.Ar, Self->L).yes() &&
                      (Self->Segment < 0 || Self->SegmentDense);
      if (!Same) {
        Self->HasLayout = N.has_value();
        Self->Resized = !WasDense;
        Self->Segment = -1;
        Self->Root = false;
        if (N)
          Self->L = denseLayout(W.Ar, *N);
      }
      Self->NotContiguous = false;
      Self->Prov = std::move(P);
    }
    return setResult(W, S, operand(W, S, "self"));
  }
  case Op::OtherMeta:
    if (Self && Self->Ggml) { // ne or nb is assigned
      for (unsigned D = 0; D < Self->L.rank(); ++D) {
        Self->L.Sizes[D] = valueSymbol(S, SymbolInfo::Size, "?", 200 + D);
        Self->L.Strides[D] = valueSymbol(S, SymbolInfo::Stride, "?", 204 + D);
      }
      Self->Root = false;
    } else if (Self) {
      Self->HasLayout = false;
      Self->Root = false;
    }
    return setResult(W, S, operand(W, S, "self"));
  case Op::Overwrite:
  case Op::Update:
    writes(W, S, "self");
    return setResult(W, S, operand(W, S, "self"));
  case Op::RequiresGrad:
    return setResult(W, S, operand(W, S, "self"));
  case Op::OutWrite: {
    Value V = operand(W, S, "out");
    writes(W, S, "out");
    // Resized when its shape does not fit.
    if (Object *O = tensor(W, V)) {
      O->Root = false;
      O->HasLayout = false;
    }
    return setResult(W, S, V);
  }
  default:
    return setResult(W, S, Value());
  }
}

} // namespace tensortidy::analysis
