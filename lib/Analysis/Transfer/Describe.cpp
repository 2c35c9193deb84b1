//===- Describe.cpp - tensors, calls and paths in words -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/Describe.h"
#include "Analysis/Transfer/Comparisons.h"
#include "Analysis/Transfer/DTypes.h"
#include "Analysis/Transfer/Devices.h"
#include "Analysis/Transfer/Ggml.h"
#include "Analysis/Transfer/Operands.h"
#include "Layout/Error.h"
#include "llvm/ADT/StringExtras.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

std::string rootName(const Object &O) {
  if (!O.Name.empty())
    return O.Name;
  llvm::SmallVector<llvm::StringRef, 2> Calls; // the last one first
  const Provenance *P = O.Prov.get();
  for (; P && P->Assumed.empty(); P = P->Parent.get())
    if (!P->What.empty() && !P->Checked)
      Calls.push_back(P->What);
  if (!P || Calls.size() > 2)
    return "?";
  std::string Name = P->Assumed;
  for (llvm::StringRef Call : llvm::reverse(Calls)) {
    if (Call.contains("..."))
      return "?";
    const std::string Plain = withoutMarks(Name);
    const bool Names = Call.starts_with(Plain + "[") ||
                       Call.contains("(" + Plain + ")") ||
                       Call.contains("(" + Plain + ",");
    const uint32_t Of = contextOf(Name);
    Name = !Names       ? Name + "." + Call.str()
           : Of == NoId ? Call.str()
                        : markName(Call, Of);
  }
  return Name;
}

/// Each of \p Dims by \p Number.
static std::string
dimsText(const Object &O, const SymDims &Dims,
         llvm::function_ref<std::string(const SymExpr &)> Number) {
  std::vector<std::string> All;
  for (size_t D = 0; D < Dims.size(); ++D)
    All.push_back(static_cast<int>(D) == O.Segment ? "..." : Number(Dims[D]));
  return '[' + llvm::join(All, ", ") + ']';
}

std::string dimsText(const State &W, const Object &O, const SymDims &Dims) {
  return dimsText(O, Dims, [&](const SymExpr &E) { return W.Ar.str(E); });
}

void noteLayout(const Context &Ctx, State &W, const Stmt &S) {
  const Object *O = tensor(W, value(W, S.Result));
  if (!O)
    return;
  auto Number = [&](const SymExpr &E) {
    const SymExpr Normal = W.Ar.norm(E);
    for (const auto &T : Normal.terms())
      for (unsigned I = 0; I < T.M.Count; ++I)
        if (Ctx.Table[T.M.S[I]].K == SymbolInfo::Stride)
          return std::string("?");
    return W.Ar.str(E);
  };
  std::string Text = "unknown";
  if (O->HasLayout) {
    bool Dense =
        isContiguous(W.Ar, O->L).yes() && (O->Segment < 0 || O->SegmentDense);
    Text = dimsText(*O, O->L.Sizes, Number) + " strides " +
           (Dense && O->Segment >= 0 ? "contiguous"
                                     : dimsText(*O, O->L.Strides, Number));
  }
  Text += " storage " + O->Storage.text();
  if (O->HasLayout)
    Text += " offset " + Number(O->L.Offset);
  if (!O->DType.empty())
    Text += " " + O->DType;
  if (!O->Device.empty())
    Text += " on " + deviceText(O->Device);
  auto [It, New] = Ctx.Facts.ValueLayouts.try_emplace(S.Result, Text);
  if (!New && It->second != Text)
    It->second = "varies";
}

Appearance appearance(const Context &Ctx, const State &W, const Object &O) {
  const auto ByName = [](std::string Name) {
    return Name == "?" ? Appearance()
                       : Appearance{Appearance::Named, std::move(Name), "", ""};
  };
  if (!O.HasLayout || O.Segment >= 0)
    return ByName(rootName(O));
  const bool Dense = isContiguous(W.Ar, O.L).yes();
  if (O.Ggml) {
    const std::string Ne = ggmlText(W, O.L, false);
    if (Dense)
      return {Appearance::GgmlContiguous, "", Ne, ""};
    if (O.Root && !O.Name.empty())
      return ByName(O.Name);
    return {Appearance::Ggml, "", Ne, ggmlText(W, O.L, true)};
  }
  const std::string Sizes = listText(W.Ar, O.L.Sizes);
  if (Dense)
    return {Appearance::Contiguous, "", Sizes, ""};
  if (!hasUnknownStride(Ctx, W, O))
    return {Appearance::Strided, "", Sizes, listText(W.Ar, O.L.Strides)};
  const std::string Name = rootName(O);
  return Name == "?" ? Appearance{Appearance::Sized, "", Sizes, ""}
                     : ByName(Name);
}

bool hasUnknownStride(const Context &Ctx, const State &W, const Object &O) {
  for (const SymExpr &E : O.L.Strides) {
    const SymExpr Stride = W.Ar.norm(E);
    for (const auto &T : Stride.terms())
      for (unsigned I = 0; I < T.M.Count; ++I)
        if (Ctx.Table[T.M.S[I]].K == SymbolInfo::Stride)
          return true;
  }
  return false;
}

static std::string argText(const Context &Ctx, ValueId V, const State &W,
                           unsigned Depth) {
  const Stmt *D = V < Ctx.Flow.DefOf.size() ? Ctx.Flow.DefOf[V] : nullptr;
  if (!D || Depth > 4)
    return "...";
  if (D->O == Op::Load && D->Var < Ctx.F.Vars.size()) {
    // As it is written there.
    const llvm::StringRef Name = nameIn(Ctx.F, D->Var, D->Context);
    return Name.empty() ? "..."
                        : Name.str(); // what a call that was followed gave
  }
  if (D->O == Op::List) {
    std::string R = "{";
    for (const Arg &A : D->Args)
      R += (R.size() > 1 ? ", " : "") + argText(Ctx, A.Value, W, Depth + 1);
    return R + "}";
  }
  if (D->O == Op::Const) {
    if (D->Const == ConstKind::Int)
      return std::to_string(D->Imm);
    if (D->Const == ConstKind::Bool)
      return D->Imm ? "true" : "false";
    if (!D->Text.empty())
      return D->Text;
    return "{}";
  }
  const Value *X = W.Temps.find(V);
  if (X && X->K == Value::Int) {
    Symbolic Plain(W.Ar.symbols());
    return Plain.str(X->I);
  }
  return "...";
}

std::string callText(const Context &Ctx, const Stmt &S, const State &W) {
  std::string R = S.Text.empty() ? opName(S.O).str() : S.Text;
  const bool IsOperator = !R.empty() && !isalpha(R[0]) && R[0] != '_';
  if (R == "=")
    return Assignment;
  const auto Count =
      llvm::count_if(S.Args, [](const Arg &A) { return !A.Implied; });
  if (IsOperator && Count == 1)
    return R + argText(Ctx, S.Args[0].Value, W, 0);
  if (IsOperator && Count >= 2) {
    const std::string Left = argText(Ctx, S.Args[0].Value, W, 0);
    const std::string Right = argText(Ctx, S.Args[1].Value, W, 0);
    return R == "[]" ? Left + "[" + Right + "]" : Left + " " + R + " " + Right;
  }
  R += "(";
  bool First = true;
  for (const Arg &A : S.Args) {
    if (&A == S.Args.begin() && S.Object.Begin && A.Name != "ctx")
      continue; // the object of a member call
    if (A.Implied)
      continue;
    std::string Written = argText(Ctx, A.Value, W, 0);
    if (Written == "{}" && isGgml(S.O))
      Written = "NULL";
    llvm::StringRef Text = Written;
    if (A.Name == "ctx")
      Text.consume_front("this->");
    R += (First ? "" : ", ") + Text.str();
    First = false;
  }
  return R + ")";
}

Path path(const State &W) {
  Path P;
  for (const auto &A : W.Assumed)
    if (!A.second.second.Of.empty())
      P.Answers.push_back(A.second);
  P.Repeats = !W.Repeats.empty();
  return P;
}

std::string nameAt(const Context &Ctx, const Stmt &S, const Object &O) {
  if (S.O == Op::Load && Ctx.F.Vars[S.Var].Of == ImageField::Data)
    return O.Name; // of an image
  const Arg *A = findArg(S, S.is(Attribute::GivesRow) ? "image" : "self");
  const Stmt *D = A ? Ctx.Flow.DefOf[A->Value] : nullptr;
  if (D && D->O == Op::Load)
    return called(Ctx, D->Var, D->Context);
  return D && D->O == Op::ListGet ? O.Name : "";
}

Excepted excepted(const State &W, const std::vector<SymExpr> &Exceptions) {
  std::vector<SymExpr> Open; // what no comparison has ruled out
  for (const SymExpr &E : Exceptions)
    if (byRange(W, *equalInts(E, SymExpr(1))) != Truth::No)
      Open.push_back(E);
  Excepted R;
  R.Sizes = exceptionText(W.Ar, Open);
  R.Axes = llvm::any_of(Open, isDifference);
  return R;
}

Amount amount(const State &W, const Object &O) {
  if (!O.HasLayout || O.Segment >= 0)
    return {};
  const SymExpr N = numel(W.Ar, O.L.Sizes);
  const int64_t Item = itemSize(O.DType);
  return {W.Ar.str(Item ? W.Ar.mul(SymExpr(Item), N) : N), Item != 0};
}

/// \p Size is \p Text to who reads \p S, if it has a name only elsewhere.
void nameHere(const Context &Ctx, const Stmt &S, const SymExpr &Size,
              const std::string &Text) {
  const auto Id = Ctx.F.Contexts.size() > 1 ? Size.asSymbol() : std::nullopt;
  if (!Id || Ctx.Table[*Id].Rest || Text.empty())
    return;
  if (const uint32_t Of = contextOf(Ctx.Table[*Id].Name); Of != S.Context)
    Ctx.Table[*Id].alias(Text, false, S.Context ? 0 : Ctx.Ids.Line);
}

} // namespace tensortidy::analysis
