//===- Conditions.cpp - what branches and assertions teach -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Machine.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

CondRef Machine::atom(std::string Key, std::string Text) {
  auto C = std::make_shared<Condition>();
  C->K = Condition::Atom;
  C->Key = std::move(Key);
  C->Text = std::move(Text);
  return C;
}

CondRef Machine::toCondition(World &W, const Value &V, const std::string &Key) {
  (void)W;
  if (V.K == Value::Bool)
    return V.C;
  if (V.K == Value::Int) { // if (n): n != 0
    auto E = std::make_shared<Condition>();
    E->K = Condition::Equal;
    E->A = V.I;
    E->B = SymExpr(0);
    auto N = std::make_shared<Condition>();
    N->K = Condition::Not;
    N->L = std::move(E);
    return N;
  }
  return atom(Key, "");
}

/// Whether nothing but sizes occurs in \p E: integers may be 0, sizes may not
/// while there are elements.
bool Machine::onlySizes(const World &W, const SymExpr &E) {
  for (const auto &T : E.terms())
    for (unsigned I = 0; I < T.M.Count; ++I)
      if (W.Ar.kind(T.M.S[I]) != SymbolInfo::Size)
        return false;
  return true;
}

/// By the symbols, not their names: two counters may both be called `i`.
static std::string compareKey(const Symbolic &Ar, const Condition &C) {
  std::string Key = C.K == Condition::Equal ? "eq" : "lt";
  const SymExpr Difference = Ar.norm(Ar.sub(C.A, C.B));
  for (const auto &T : Difference.terms()) {
    Key += ' ' + std::to_string(T.C);
    for (unsigned I = 0; I < T.M.Count; ++I)
      Key += '*' + std::to_string(T.M.S[I]);
  }
  return Key;
}

bool outlivesLoops(llvm::StringRef Key) {
  uint64_t Object = 0;
  return Key.starts_with("var") ||
         (Key.consume_front("defined ") && !Key.getAsInteger(10, Object) &&
          Object >> 30);
}

/// Names what "one of two" says, where neither is known by itself.
static std::string conditionKey(const World &W, const Condition &C) {
  switch (C.K) {
  case Condition::Constant:
    return C.Flag ? "true" : "false";
  case Condition::Atom:
    return C.Key;
  case Condition::Not: {
    const std::string L = conditionKey(W, *C.L);
    return (outlivesLoops(L) ? "var not(" : "not(") + L + ")";
  }
  case Condition::And:
  case Condition::Or: {
    const std::string L = conditionKey(W, *C.L), R = conditionKey(W, *C.R);
    return std::string(outlivesLoops(L) && outlivesLoops(R) ? "var " : "") +
           (C.K == Condition::And ? "and(" : "or(") + L + ", " + R + ")";
  }
  case Condition::Equal:
  case Condition::Less:
    return compareKey(W.Ar, C);
  case Condition::Contiguous:
    return "contiguous " + std::to_string(C.T) + " " +
           std::to_string(static_cast<int>(C.F));
  case Condition::Defined:
    return "defined " + std::to_string(C.T);
  }
  return "";
}

Truth Machine::evaluate(const World &W, const Condition &C) const {
  switch (C.K) {
  case Condition::Constant:
    return truth(C.Flag);
  case Condition::Atom: {
    auto It = W.Assumed.find(C.Key);
    return It == W.Assumed.end() ? Truth::Unknown : truth(It->second.first);
  }
  case Condition::Not:
    return !evaluate(W, *C.L);
  case Condition::And:
  case Condition::Or: {
    const Truth L = evaluate(W, *C.L), Rt = evaluate(W, *C.R);
    const Truth T = C.K == Condition::And ? L && Rt : L || Rt;
    if (T != Truth::Unknown)
      return T;
    auto It = W.Assumed.find(conditionKey(W, C));
    return It == W.Assumed.end() ? T : truth(It->second.first);
  }
  case Condition::Equal:
  case Condition::Less: {
    Symbolic Ar = W.Ar;
    Ar.NonEmpty = false;
    Truth T;
    if (C.K == Condition::Equal) {
      auto A = Ar.eq(C.A, C.B);
      T = A.no() && !A.UnlessOne.empty() ? Truth::Unknown : A.T;
    } else {
      T = Ar.lt(C.A, C.B);
    }
    if (T != Truth::Unknown)
      return T;
    auto It = W.Assumed.find(compareKey(W.Ar, C));
    return It == W.Assumed.end() ? Truth::Unknown : truth(It->second.first);
  }
  case Condition::Contiguous: {
    const Object *Of = W.Objects.find(C.T);
    if (!Of || !Of->HasLayout)
      return Truth::Unknown;
    const Object &O = *Of;
    if (C.F == MemoryFormat::Contiguous && O.NotContiguous)
      return Truth::No;
    if (C.F != MemoryFormat::Contiguous && O.Segment >= 0)
      return Truth::Unknown;
    auto A = isContiguous(W.Ar, O.L, C.F);
    if (A.yes() && O.Segment >= 0 && !O.SegmentDense)
      return Truth::Unknown;
    return A.no() && !A.UnlessOne.empty() ? Truth::Unknown : A.T;
  }
  case Condition::Defined: {
    const Object *O = W.Objects.find(C.T);
    if (O && !O->Root)
      return Truth::Yes;
    auto As = W.Assumed.find("defined " + std::to_string(C.T));
    return As == W.Assumed.end() ? Truth::Unknown : truth(As->second.first);
  }
  }
  return Truth::Unknown;
}

bool Machine::assumeContiguous(World &W, ObjId T, MemoryFormat Fmt, bool Holds,
                               Range Where) {
  Object *Of = W.Objects.edit(T);
  if (!Of)
    return true;
  Object &O = *Of;
  if (Holds && !O.HasLayout && Fmt == MemoryFormat::Contiguous) {
    // Of unknown sizes, but contiguous.
    Object Dense = denseUnknown(W, (uint64_t(15) << 32) + T);
    O.HasLayout = true;
    O.L = Dense.L;
    O.Segment = 0;
    O.SegmentDense = true;
    auto P = std::make_shared<Provenance>();
    P->Where = Where;
    P->Checked = true;
    P->What = "is_contiguous()";
    P->Parent = O.Prov;
    O.Prov = std::move(P);
    return true;
  }
  if (!O.HasLayout)
    return true;
  if (!Holds) {
    if (Fmt == MemoryFormat::Contiguous)
      O.NotContiguous = true;
    return true;
  }
  if (Fmt == MemoryFormat::Preserve)
    return true;
  if (O.Segment >= 0 && Fmt != MemoryFormat::Contiguous) {
    if (!setRank(W, O, Fmt == MemoryFormat::ChannelsLast ? 4 : 5))
      return false;
  }
  auto Is = isContiguous(W.Ar, O.L, Fmt);
  // "No, unless a size is 1": possible, but not what a hypothesis is for.
  if (Is.no() && (Is.UnlessOne.empty() || H != Hypothesis::Opaque))
    return false;
  if (Is.yes() && (O.Segment < 0 || O.SegmentDense))
    return true;
  auto Strides = formatStrides(W.Ar, O.L.Sizes, Fmt);
  if (!Strides.ok())
    return false;
  for (size_t D = 0; D < O.L.rank(); ++D)
    if (auto S = O.L.Strides[D].asSymbol())
      if (Table[*S].K == SymbolInfo::Stride && !W.Ar.facts().count(*S))
        W.Ar.rewrite(*S, (*Strides)[D]);
  O.L.Strides = *Strides;
  O.SegmentDense = true;
  auto P = std::make_shared<Provenance>();
  P->Where = Where;
  P->Checked = true;
  P->What = Fmt == MemoryFormat::Contiguous
                ? "is_contiguous()"
                : std::string("is_contiguous(") + name(Fmt) + ")";
  P->Parent = O.Prov;
  O.Prov = std::move(P);
  return true;
}

bool Machine::assume(World &W, const Condition &C, bool Holds) {
  switch (C.K) {
  case Condition::Constant:
    return C.Flag == Holds;
  case Condition::Atom: {
    auto [It, New] = W.Assumed.emplace(C.Key, std::make_pair(Holds, C.Text));
    return New || It->second.first == Holds;
  }
  case Condition::Not:
    return assume(W, *C.L, !Holds);
  case Condition::And:
  case Condition::Or: {
    bool Both = (C.K == Condition::And) == Holds;
    if (Both)
      return assume(W, *C.L, Holds) && assume(W, *C.R, Holds);
    // One of two fails: only useful when the other is decided.
    Truth L = evaluate(W, *C.L), Rt = evaluate(W, *C.R);
    Truth Open = truth(!Holds);
    if (L == Open)
      return Rt == Open ? false : assume(W, *C.R, Holds);
    if (Rt == Open)
      return assume(W, *C.L, Holds);
    auto [It, New] = W.Assumed.emplace(conditionKey(W, C),
                                       std::make_pair(Holds, std::string()));
    return New || It->second.first == Holds;
  }
  case Condition::Equal: {
    std::string Key = compareKey(W.Ar, C);
    auto It = W.Assumed.find(Key);
    if (It != W.Assumed.end() && It->second.first != Holds)
      return false;
    W.Assumed[Key] = {Holds, ""};
    W.Empty = W.Empty ||
              (Holds && onlySizes(W, W.Ar.sub(C.A, C.B)) &&
               W.Ar.eq(C.A, C.B).no() && W.Ar.eq(C.A, C.B).UnlessOne.empty());
    if (!Holds)
      return true;
    for (const auto *P : {&C.A, &C.B}) {
      auto S = P->asSymbol();
      auto K = W.Ar.known(P == &C.A ? C.B : C.A);
      if (S && K && W.RankOf.count(*S)) {
        Object *O = W.Objects.edit(W.RankOf[*S]);
        if (O && O->Segment >= 0 && *K >= 0 && *K < 64 &&
            !setRank(W, *O, static_cast<unsigned>(*K)))
          return false;
      }
    }
    return W.Ar.assumeEqual(C.A, C.B);
  }
  case Condition::Less: {
    std::string Key = compareKey(W.Ar, C);
    auto It = W.Assumed.find(Key);
    if (It != W.Assumed.end() && It->second.first != Holds)
      return false;
    W.Assumed[Key] = {Holds, ""};
    const Truth Else = W.Ar.lt(C.A, C.B);
    // k < x.dim(), or not x.dim() < k
    const auto S = (Holds ? C.B : C.A).asSymbol();
    const auto K = W.Ar.known(Holds ? C.A : C.B);
    if (S && K && *K >= 0 && *K < 64 && W.RankOf.count(*S))
      if (Object *O = W.Objects.edit(W.RankOf[*S]))
        O->AtLeast = std::max(O->AtLeast, static_cast<unsigned>(*K) + Holds);
    W.Empty = W.Empty || (onlySizes(W, W.Ar.sub(C.A, C.B)) &&
                          Else != Truth::Unknown && Else != truth(Holds));
    return true;
  }
  case Condition::Contiguous:
    return assumeContiguous(W, C.T, C.F, Holds, C.Where);
  case Condition::Defined: {
    auto [It, New] = W.Assumed.emplace("defined " + std::to_string(C.T),
                                       std::make_pair(Holds, std::string()));
    return New || It->second.first == Holds;
  }
  }
  return true;
}

/// "when 'swap' is true and 'packed' is false", of the named conditions.
std::string Machine::pathText(const World &W) const {
  std::string T;
  for (const auto &A : W.Assumed)
    if (!A.second.second.empty())
      T += (T.empty() ? "when '" : " and '") + A.second.second + "' is " +
           (A.second.first ? "true" : "false");
  return T;
}

} // namespace tensortidy::analysis
