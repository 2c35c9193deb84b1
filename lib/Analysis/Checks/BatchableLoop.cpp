//===- BatchableLoop.cpp - tensor-batchable-loop -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for (i = 0; i < B; ++i)              x.matmul(w) does all rows at once
//     ys.push_back(x[i].matmul(w));
//   y = stack(ys);
//
// Quantifier: every iteration. A loop is reported where each iteration computes
// one row of the result from x[i] and from what the loop does not change, by
// operations that do the same to a batch. The ranks decide that: they are known
// in all states, follow from the operation, or the finding names its condition.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/CheckRun.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

namespace tensortidy::analysis {

using namespace program;

namespace {

/// What a value of one iteration is in the batched form.
struct Batch {
  static constexpr int Unknown = -2; ///< Rank
  enum Kind : uint8_t {
    No,    ///< it has none
    Fixed, ///< the same in every iteration
    Rows,  ///< one row, [i], of Text
  } K = No;
  int Rank = -1;           ///< of Text; -1: a number
  bool Kept = false;       ///< Rows: each has a first dimension, of size 1
  bool Done = false;       ///< something is computed
  bool Infix = false;      ///< Text needs parentheses
  bool Multiplies = false; ///< a product is computed
  VarId Of = NoId; ///< Rows: that of this variable, if only elements change
  std::string Text;
  std::string Count; ///< Rows: how many
  std::string Where; ///< what must hold of unknown ranks, or empty
};

class Batches {
public:
  explicit Batches(CheckRun &C) : C(C), F(C.F), At(C.Loops) {}
  void run();

private:
  Batch batch(ValueId V, unsigned Depth = 0);
  Batch operation(const Stmt &S, unsigned Depth);
  Batch product(Batch A, Batch B, int RankA = 0, int RankB = 0) const;
  Batch rowsOf(ValueId X, ValueId Index, int64_t Dim = 0) const;
  bool isElementOf(ValueId Row, VarId List) const;
  int rank(ValueId V) const;
  ValueId latest(ValueId V) const;
  const Stmt *consumer(VarId List) const;
  void collected(const Stmt &Push, BlockId B);
  void assigned(const Stmt &Write, BlockId B);
  bool worksElsewhere(const Batch &All);
  void report(const Batch &All, ValueId Row, const std::string &After,
              std::vector<Note> Notes);
  bool enter(BlockId B);
  Batch rowOfUnbound(const Stmt &Get) const;
  Batch keptRow(const Stmt &Part) const;
  void joined(const Stmt &Cat, BlockId B);

  CheckRun &C;
  const Function &F;
  const LoopFacts &At;
  LoopId L = NoId; ///< at hand
  VarId I = NoId;  ///< what counts its iterations
  Counter Counts;
};

int Batches::rank(ValueId V) const {
  auto It = C.Opaque.InLoops.find(At.Def[V]);
  return It == C.Opaque.InLoops.end() ? -1 : It->second.Rank;
}

/// x[i], or x.narrow(0, 0, n)[i] where the loop does not run over all of x; or
/// x.select(1, i), which is x.movedim(1, 0)[i].
Batch Batches::rowsOf(ValueId X, ValueId Index, int64_t Dimension) const {
  Batch R;
  const Stmt *D = At.Def[X], *By = At.Def[Index];
  if (!By || By->O != Op::Load || By->Var != I || !D || D->O != Op::Load ||
      !At.invariant(X, L) || rank(X) == 0 || Dimension < 0 ||
      (rank(X) > 0 && rank(X) <= Dimension))
    return R;
  const std::string At0 = std::to_string(Dimension);
  R.K = Batch::Rows;
  R.Rank = rank(X) < 0 ? Batch::Unknown : rank(X);
  R.Text = F.Vars[D->Var].Name;
  if (!Dimension)
    R.Of = D->Var;
  const Stmt *Bound = At.Values.origin(Counts.Bound);
  const Arg *Of =
      Bound && Bound->O == Op::Size ? findArg(*Bound, "self") : nullptr;
  const Arg *Dim = Of ? findArg(*Bound, "dim") : nullptr;
  const Stmt *Sized = Of ? At.Def[Of->Value] : nullptr;
  bool All = Dim && Sized && Sized->O == Op::Load && Sized->Var == D->Var &&
             At.Def[Dim->Value]->O == Op::Const &&
             At.Def[Dim->Value]->Imm == Dimension;
  const std::string Size =
      R.Rank > 0 ? C.Opaque.InLoops.find(D)
                       ->second.Sizes[static_cast<size_t>(Dimension)]
                 : "";
  std::string Count;
  const std::string First = Dimension ? ".movedim(" + At0 + ", 0)" : "";
  if (const Stmt *N = At.Def[Counts.Bound]; N && N->O == Op::Load)
    Count = F.Vars[N->Var].Name;
  else if (Bound && Bound->O == Op::Const)
    Count = std::to_string(Bound->Imm);
  else if (Sized && Sized->O == Op::Load && Dim &&
           At.Def[Dim->Value]->O == Op::Const) // of another tensor
    Count = F.Vars[Sized->Var].Name + ".size(" +
            std::to_string(At.Def[Dim->Value]->Imm) + ")";
  All = All || (!Count.empty() && Size == Count);
  if (All && Counts.Start == 0) {
    R.Count = Size.empty() ? R.Text + ".size(" + At0 + ")" : Size;
    R.Text += First;
    return R;
  }
  if (Count.empty())
    return Batch();
  if (Counts.Start)
    Count += " - " + std::to_string(Counts.Start);
  R.Count = Count;
  R.Text += ".narrow(" + At0 + ", " + std::to_string(Counts.Start) + ", " +
            Count + ")" + First;
  return R;
}

/// An element of x.unbind(0), of all of which the loop takes each.
Batch Batches::rowOfUnbound(const Stmt &Get) const {
  const Stmt *Held = At.Def[Get.Args[0].Value], *Made = Held;
  for (unsigned Depth = 0;
       Depth < 4 && Made && Made->O == Op::Load &&
       At.Stores[Made->Var].size() == 1 && At.Stores[Made->Var][0];
       ++Depth)
    Made = At.Def[At.Stores[Made->Var][0]->Args[0].Value];
  const Arg *Of = Made && Made->O == Op::Unbind && !Made->Context
                      ? findArg(*Made, "self")
                      : nullptr;
  const Stmt *X = Of ? At.Def[Of->Value] : nullptr;
  const Arg *Dim = Of ? findArg(*Made, "dim") : nullptr;
  const Stmt *D = Dim ? At.Def[Dim->Value] : nullptr;
  if (!X || X->O != Op::Load || (Dim && (!D || D->O != Op::Const || D->Imm)) ||
      F.Blocks[At.DefBlock[Get.Result]].InLoop != L ||
      !At.invariant(Of->Value, L))
    return Batch();
  const Stmt *Index = At.Def[Get.Args[1].Value];
  const Stmt *Bound = I != NoId ? At.Values.origin(Counts.Bound) : nullptr;
  const Stmt *Counted =
      Bound && Bound->O == Op::ListSize && !Bound->Args.empty()
          ? At.Def[Bound->Args[0].Value]
          : nullptr;
  const bool Each = Index && Index->O == Op::RangeIndex;
  if (!Each && !(Index && Index->O == Op::Load && Index->Var == I && Counted &&
                 Counted->O == Op::Load && Held->O == Op::Load &&
                 Counted->Var == Held->Var && Counts.Start == 0))
    return Batch();
  Batch R;
  R.K = Batch::Rows;
  R.Rank = rank(Of->Value) < 0 ? Batch::Unknown : rank(Of->Value);
  R.Text = F.Vars[X->Var].Name;
  R.Of = X->Var;
  R.Count = R.Rank > 0 ? C.Opaque.InLoops.find(X)->second.Sizes[0]
                       : R.Text + ".size(0)";
  return R;
}

/// x.narrow(0, i, 1), x.slice(0, i, i + 1): a row with its dimension.
Batch Batches::keptRow(const Stmt &Part) const {
  auto Given = [&](llvm::StringRef Name) -> const Stmt * {
    const Arg *A = findArg(Part, Name);
    return A ? At.Def[A->Value] : nullptr;
  };
  auto IsConst = [](const Stmt *S, int64_t N) {
    return S && S->O == Op::Const && S->Const == ConstKind::Int && S->Imm == N;
  };
  const Arg *Self = findArg(Part, "self"), *Start = findArg(Part, "start");
  const Stmt *Step = Given("step"), *End = Given("end");
  if (!Self || !Start || !IsConst(Given("dim"), 0) ||
      (Step && !IsConst(Step, 1)))
    return Batch();
  if (Part.O == Op::Narrow) {
    if (!IsConst(Given("length"), 1))
      return Batch();
  } else {
    const Stmt *From = End && End->O == Op::IAdd && End->Args.size() == 2
                           ? At.Def[End->Args[0].Value]
                           : nullptr;
    if (!From || From->O != Op::Load || From->Var != I ||
        !IsConst(At.Def[End->Args[1].Value], 1))
      return Batch();
  }
  Batch R = rowsOf(Self->Value, Start->Value);
  R.Kept = R.K == Batch::Rows;
  return R;
}

static std::string inBrackets(const Batch &B) {
  return B.Infix ? "(" + B.Text + ")" : B.Text;
}

/// \p RankA and \p RankB: those the operation asks of its operands, each a row
/// of the batch where that has rows; 0: any.
Batch Batches::product(Batch A, Batch B, int RankA, int RankB) const {
  for (auto [Of, Needs] : {std::pair(&A, RankA), std::pair(&B, RankB)})
    if (Needs && Of->Rank == Batch::Unknown)
      Of->Rank = Needs + (Of->K == Batch::Rows && !Of->Kept);
  Batch R;
  R.K = Batch::Rows;
  R.Done = R.Multiplies = true;
  R.Kept = A.Kept;
  R.Count = A.K == Batch::Rows ? A.Count : B.Count;
  const std::string X = inBrackets(A), Y = inBrackets(B);
  auto IsNone = [](int Rank) { return Rank == 0 || Rank == -1; };
  if (B.Kept || IsNone(A.Rank) || IsNone(B.Rank))
    return Batch();
  R.Where = A.Where;
  // A row has a dimension, or it would have thrown.
  if (A.K == Batch::Rows && !A.Kept && B.K == Batch::Fixed &&
      B.Rank == Batch::Unknown && A.Rank != 1) {
    R.Text = X + ".matmul(" + B.Text + ")";
    R.Rank = Batch::Unknown;
    R.Where += (R.Where.empty() ? " where '" : " and '") + B.Text +
               "' has at most two dimensions";
    return R;
  }
  if (A.K == Batch::Rows && !A.Kept && A.Rank == Batch::Unknown &&
      B.K == Batch::Fixed && B.Rank <= 2) {
    R.Text = X + ".matmul(" + B.Text + ")";
    R.Rank = Batch::Unknown;
    return R;
  }
  if (A.Rank < 1 || B.Rank < 1)
    return Batch();
  if (A.K == Batch::Rows && B.K == Batch::Fixed && B.Rank <= 2 && A.Rank >= 2) {
    if (A.Kept && B.Rank != 2)
      return Batch();
    R.Text = X + ".matmul(" + B.Text + ")";
    R.Rank = A.Rank + B.Rank - 2;
    return R;
  }
  if (A.K == Batch::Fixed && B.K == Batch::Rows) {
    if (A.Rank == 2 && B.Rank == 2) {
      R.Text = Y + ".matmul(" + X + ".t())";
      R.Rank = 2;
      return R;
    }
    if (A.Rank <= 2 && B.Rank == 3) {
      R.Text = "torch::matmul(" + A.Text + ", " + B.Text + ")";
      R.Rank = A.Rank + 1;
      return R;
    }
    return Batch();
  }
  if (A.K == Batch::Rows && B.K == Batch::Rows && !A.Kept && A.Rank == 3 &&
      B.Rank == 3) {
    R.Text = X + ".bmm(" + B.Text + ")";
    R.Rank = 3;
    return R;
  }
  return Batch();
}

Batch Batches::operation(const Stmt &S, unsigned Depth) {
  auto Of = [&](llvm::StringRef Name) {
    const Arg *A = findArg(S, Name);
    return A ? batch(A->Value, Depth + 1) : Batch();
  };
  const bool IsOperator = !S.Text.empty() && !isalpha(S.Text[0]);
  switch (S.O) {
  case Op::Select: {
    const Arg *Dim = findArg(S, "dim"), *Index = findArg(S, "index"),
              *Self = findArg(S, "self");
    const Stmt *D = Dim ? At.Def[Dim->Value] : nullptr;
    if (!Self || !Index || !D || D->O != Op::Const)
      return Batch();
    return rowsOf(Self->Value, Index->Value, D->Imm);
  }
  case Op::ListGet:
    return rowOfUnbound(S);
  case Op::Narrow:
  case Op::Slice:
    return keptRow(S);
  case Op::Index: {
    const Arg *Indices = findArg(S, "indices"), *Self = findArg(S, "self");
    const Stmt *D = Indices ? At.Def[Indices->Value] : nullptr;
    if (!Self || !D || (D->O == Op::List && D->Args.size() != 1))
      return Batch();
    return rowsOf(Self->Value,
                  D->O == Op::List ? D->Args[0].Value : Indices->Value);
  }
  case Op::Unsqueeze: {
    Batch R = Of("self");
    const Stmt *D =
        findArg(S, "dim") ? At.Def[findArg(S, "dim")->Value] : nullptr;
    if (R.K != Batch::Rows || R.Kept || !D || D->O != Op::Const ||
        D->Imm != 0 || (R.Rank != 2 && R.Rank != Batch::Unknown && !R.Done))
      return Batch();
    R.Kept = true;
    return R;
  }
  case Op::Unary: {
    Batch R = Of("self");
    if (R.K != Batch::Rows)
      return Batch();
    const std::string More = S.Args.size() > 1 ? "..." : "";
    R.Text = IsOperator       ? S.Text + inBrackets(R)
             : S.Object.Begin ? inBrackets(R) + "." + S.Text + "(" + More + ")"
                              : "torch::" + S.Text + "(" + R.Text +
                                    (More.empty() ? "" : ", ...") + ")";
    R.Infix = IsOperator;
    R.Done = true;
    return R;
  }
  case Op::Binary: {
    const Batch A = Of("self"), B = Of("other");
    if (A.K == Batch::No || B.K == Batch::No)
      return Batch();
    // Broadcasting aligns last dimensions: the batch's must stay in front.
    const bool Both = A.K == Batch::Rows && B.K == Batch::Rows;
    const Batch &Row = A.K == Batch::Rows ? A : B, &Other = &Row == &A ? B : A;
    const bool OfOne = A.Rank == Batch::Unknown && A.Of != NoId;
    const bool Aligned =
        Both ? A.Rank == B.Rank && (A.Rank > 0 || (OfOne && A.Of == B.Of))
        : Other.Rank == -1 ? Row.Rank != 0
                           : Other.Rank >= 0 && Other.Rank < Row.Rank;
    if (Row.K != Batch::Rows || !Aligned || (Both && A.Kept != B.Kept) ||
        S.Args.size() > 2)
      return Batch();
    Batch R = Row;
    R.Done = true;
    R.Multiplies = A.Multiplies || B.Multiplies;
    R.Infix = IsOperator;
    R.Text = IsOperator ? inBrackets(A) + " " + S.Text + " " + inBrackets(B)
             : S.Object.Begin
                 ? inBrackets(A) + "." + S.Text + "(" + B.Text + ")"
                 : "torch::" + S.Text + "(" + A.Text + ", " + B.Text + ")";
    return R;
  }
  case Op::MatMul:
    return product(Of("self"), Of("other"));
  case Op::MM:
    return product(Of("self"), Of("mat2"), 2, 2);
  case Op::Sized:
    return S.is(Attribute::MatrixVector) ? product(Of("self"), Of("vec"), 2, 1)
                                         : Batch();
  case Op::Linear: {
    Batch R = Of("input");
    const Batch W = Of("weight"), B = Of("bias");
    const bool HasBias = findArg(S, "bias");
    const Stmt *Made = At.Def[findArg(S, "weight")->Value];
    if (R.K != Batch::Rows || (R.Rank < 2 && R.Rank != Batch::Unknown))
      return Batch();
    if (Made && Made->O == Op::Weight) { // a module, which has its own
      R.Text = S.Text + "(" + R.Text + ")";
      R.Done = R.Multiplies = true;
      return R;
    }
    if (W.K != Batch::Fixed || (HasBias && B.K != Batch::Fixed))
      return Batch();
    R.Text = "torch::linear(" + R.Text + ", " + W.Text +
             (HasBias ? ", " + B.Text : "") + ")";
    R.Done = R.Multiplies = true;
    return R;
  }
  default:
    return Batch();
  }
}

/// What a variable was given last, in the same block, or \p V itself: `h` of
/// `auto h = x[i].mm(w); h = relu(h);`.
ValueId Batches::latest(ValueId V) const {
  const Stmt *Load = At.Def[V];
  if (!Load || Load->O != Op::Load || F.Vars[Load->Var].IsCaptured ||
      F.Vars[Load->Var].IsReference || F.Vars[Load->Var].IsMember)
    return V;
  ValueId Found = V;
  for (const Stmt &S : F.Blocks[At.DefBlock[V]].Stmts) {
    if (&S == Load)
      break;
    if (S.O == Op::Store && S.Var == Load->Var && !S.Args.empty())
      Found = S.Args[0].Value;
  }
  return Found;
}

Batch Batches::batch(ValueId V, unsigned Depth) {
  V = latest(V);
  const Stmt *S = At.Values.origin(V);
  // `auto &row` of a range-for.
  if (S && S->O == Op::Load && F.Vars[S->Var].DeclaredIn == L &&
      At.Stores[S->Var].size() == 1 && At.Stores[S->Var][0])
    if (const Stmt *Row = At.Def[At.Stores[S->Var][0]->Args[0].Value];
        Row && Row->O == Op::ListGet)
      S = Row;
  if (!S || Depth > 12)
    return Batch();
  if (At.invariant(V, L)) {
    Batch R;
    const Stmt *Written = At.Def[V];
    const bool IsNumber = At.isNumber(V);
    R.Rank = IsNumber ? -1 : rank(V);
    if (!IsNumber && R.Rank < 0) {
      if (Written->O != Op::Load ||
          F.Vars[Written->Var].Type != VarType::Tensor)
        return Batch();
      R.Rank = Batch::Unknown;
    }
    R.K = Batch::Fixed;
    R.Text = Written->O == Op::Load    ? F.Vars[Written->Var].Name
             : Written->O != Op::Const ? "..."
             : Written->Text.empty()   ? std::to_string(Written->Imm)
                                       : Written->Text;
    return R;
  }
  if (!At.blockInside(At.DefBlock[S->Result], L) || S->InTry)
    return Batch();
  return operation(*S, Depth);
}

/// The stack() or cat() that is all that is done with the list.
const Stmt *Batches::consumer(VarId List) const {
  const Stmt *R = nullptr;
  for (const Stmt *Load : At.Loads[List])
    for (const LoopFacts::Use &U : At.Uses[Load->Result]) {
      const Stmt &T = *U.S;
      if (T.O == Op::ListSize || T.O == Op::ListInsert || T.O == Op::ListSet ||
          (T.O == Op::ListGet && At.Uses[T.Result].empty()) ||
          T.keepsElement() || T.calls(Attribute::Reserves) ||
          T.calls(Attribute::Clears))
        continue;
      if (R || (T.O != Op::Stack && T.O != Op::Cat) || U.A->Name != "tensors" ||
          At.blockInside(U.B, L))
        return nullptr;
      R = &T;
    }
  return R;
}

/// Looks at the loop around \p B: whether all its iterations run, one after
/// the other, and come by \p B.
bool Batches::enter(BlockId B) {
  L = F.Blocks[B].InLoop;
  if (L == NoId || F.Loops[L].RunsOnce || F.Loops[L].Parallel ||
      At.CallsUnknown[L] || !At.everyIteration(B, L) || At.LeavesEarly[L])
    return false;
  for (I = 0; I < F.Vars.size(); ++I)
    if (auto R = At.counter(I); R && R->Of == L) {
      Counts = *R;
      const Stmt *N = At.Values.origin(Counts.Bound);
      bool IsShort = N && N->O == Op::Const && N->Imm - Counts.Start < 4;
      return Counts.Step == 1 && !IsShort && At.invariant(Counts.Bound, L);
    }
  I = NoId;
  Counts = Counter();
  return F.Loops[L].Kind == LoopKind::RangeFor;
}

void Batches::report(const Batch &All, ValueId Row, const std::string &After,
                     std::vector<Note> Notes) {
  const Stmt *S = At.Values.origin(latest(Row));
  while (S->O == Op::Unsqueeze)
    S = At.Values.origin(latest(findArg(*S, "self")->Value));
  Finding Found(Check::BatchableLoop, 1, *S);
  Found.Message = "this loop goes row by row; " +
                  (After.empty() ? All.Text : inBrackets(All) + After) +
                  " computes all rows at once" + All.Where;
  auto Fact = C.Opaque.InLoops.find(At.Values.origin(Row));
  if (After.empty() && !All.Kept && Fact != C.Opaque.InLoops.end() &&
      Fact->second.Rank + 1 == All.Rank) {
    Found.Message += ": [" + All.Count;
    for (const std::string &Size : Fact->second.Sizes)
      Found.Message += ", " + (Size.empty() ? "?" : Size);
    Found.Message += "]";
  }
  Found.Notes = std::move(Notes);
  C.Out.push_back(std::move(Found));
}

/// Whether `list[i] = row` puts \p Row where the loop counts.
bool Batches::isElementOf(ValueId Row, VarId List) const {
  for (const LoopFacts::Use &U : At.Uses[Row])
    if (U.S->O == Op::ListSet && U.S->Args.size() == 3) {
      const Stmt *Load = At.Def[U.S->Args[0].Value],
                 *By = At.Def[U.S->Args[1].Value];
      if (Load && Load->O == Op::Load && Load->Var == List && By &&
          By->O == Op::Load && By->Var == I)
        return true;
    }
  return false;
}

/// ys.push_back(f(x[i])) or ys[i] = f(x[i]), and later stack(ys) or cat(ys).
void Batches::collected(const Stmt &Push, BlockId B) {
  VarId List = NoId;
  ValueId Row = 0;
  for (const Arg &A : Push.Args) {
    if (A.R == Role::Write && A.Var != NoId)
      List = A.Var;
    else if (A.Value)
      Row = A.Value;
  }
  if (List == NoId || !Row || F.Vars[List].Type != VarType::List || !enter(B))
    return;
  const Variable &Var = F.Vars[List];
  if (!At.Values.isOwn(List) ||
      (Var.DeclaredIn != NoId && At.inside(Var.DeclaredIn, L)))
    return;
  const bool IsSet = Push.O == Op::Assign;
  if (IsSet && (I == NoId || Counts.Start != 0 || !isElementOf(Row, List)))
    return;
  unsigned Pushes = 0;
  bool Empty = true;
  for (const Stmt *S : At.Stores[List]) {
    const Stmt *D = S ? At.Def[S->Args[0].Value] : nullptr;
    Empty =
        Empty && (!S || (D && (D->O == Op::ListInsert || D->O == Op::ListSet ||
                               (D->O == Op::ListOf && IsSet) ||
                               (D->O == Op::List && D->Args.empty()))));
  }
  forEachStmt(F, [&](BlockId, const Stmt &S) {
    if (S.isOpaque() && !S.is(Attribute::Reserves) && !S.is(Attribute::Clears))
      for (const Arg &A : S.Args)
        Pushes += A.R == Role::Write && A.Var == List;
  });
  const Stmt *Join = consumer(List);
  if (!Join || Pushes != 1 || !Empty)
    return;
  const Batch All = batch(Row);
  if (All.K != Batch::Rows || !All.Done)
    return;
  int64_t Dim = 0;
  if (const Arg *A = findArg(*Join, "dim")) {
    const Stmt *D = At.Def[A->Value];
    if (!D || D->O != Op::Const || D->Const != ConstKind::Int)
      return;
    Dim = D->Imm;
  }
  std::string After;
  if (Join->O == Op::Cat) {
    if (Dim != 0 || (!All.Kept && All.Rank < 2))
      return;
    if (!All.Kept)
      After = ".flatten(0, 1)";
  } else {
    if (All.Kept)
      After = ".unsqueeze(1)";
    if (Dim != 0)
      After += ".movedim(0, " + std::to_string(Dim) + ")";
  }
  report(All, Row, After,
         {{Push.point(), "the rows are collected here"},
          {Join->point(),
           "and joined here, with a copy that is then not needed"}});
}

/// Whether the loop has products that need it, beside which copying rows is no
/// cost.
bool Batches::worksElsewhere(const Batch &All) {
  bool Works = false;
  if (!All.Multiplies)
    forEachStmt(F, [&](BlockId B, const Stmt &S) {
      Works = Works ||
              ((isProduct(S.O) || S.O == Op::Einsum || S.Forward) && S.Result &&
               At.blockInside(B, L) && batch(S.Result).K == Batch::No);
    });
  return Works;
}

/// out[i] = f(x[i]), out.index_put_({i}, f(x[i])).
void Batches::assigned(const Stmt &Write, BlockId B) {
  const Arg *Self = findArg(Write, "self");
  const bool Puts =
      Write.is(Attribute::PutsAt) && !findArg(Write, "accumulate");
  const Arg *From =
      Puts ? findArg(Write, "values")
           : findArg(Write, Write.O == Op::Update ? "other" : "src");
  const Stmt *Target = Puts ? &Write : Self ? At.Def[Self->Value] : nullptr;
  if (!From || !Target ||
      (!Puts && Target->O != Op::Select && Target->O != Op::Index) ||
      !(Puts || Write.is(Attribute::CopiesElements)) || !Write.Discarded ||
      !enter(B))
    return;
  // The result's rows: as those of an operand, but that they change.
  const Arg *Out = findArg(*Target, "self");
  const Arg *Index =
      findArg(*Target, Target->O == Op::Select ? "index" : "indices");
  const Stmt *Load = Out ? At.Def[Out->Value] : nullptr;
  const Stmt *By = Index ? At.Def[Index->Value] : nullptr;
  if (By && By->O == Op::List && By->Args.size() == 1)
    By = At.Def[By->Args[0].Value];
  if (Target->O == Op::Select) {
    const Arg *Dim = findArg(*Target, "dim");
    const Stmt *D = Dim ? At.Def[Dim->Value] : nullptr;
    if (!D || D->O != Op::Const || D->Imm != 0)
      return;
  }
  if (!Load || Load->O != Op::Load || !By || By->O != Op::Load ||
      By->Var != I || !At.sameTensor(Out->Value, L))
    return;
  const Batch All = batch(From->Value);
  if (All.K != Batch::Rows || !All.Done || All.Kept || worksElsewhere(All))
    return;
  // out = empty_like(x) has the rank of x, whatever that is.
  const Stmt *Made = At.Values.origin(Out->Value);
  const Arg *Like =
      Made && (Made->O == Op::EmptyLike || Made->O == Op::FilledLike ||
               Made->O == Op::RandomLike)
          ? findArg(*Made, "self")
          : nullptr;
  // zeros(x.sizes()) too.
  if (const Arg *Size = Made && (Made->O == Op::Empty || Made->O == Op::Filled)
                            ? findArg(*Made, "size")
                            : nullptr)
    if (const Stmt *Asked = At.Values.origin(Size->Value);
        Asked && Asked->O == Op::Sizes)
      Like = findArg(*Asked, "self");
  const Stmt *Of = Like ? At.Def[Like->Value] : nullptr;
  const bool SameRank = All.Rank == Batch::Unknown && Of && Of->O == Op::Load &&
                        Of->Var == All.Of;
  // What fits into a row of `out` has that many dimensions, or broadcasts.
  const bool Fits = All.Rank == Batch::Unknown && rank(Out->Value) > 1;
  if (rank(Out->Value) != All.Rank && !SameRank && !Fits)
    return;
  report(All, From->Value, "",
         {{Write.point(),
           "the rows are copied here, into '" + F.Vars[Load->Var].Name + "'"}});
}

/// `all = cat({all, f(x[i])})`: each time a copy of all the rows before.
void Batches::joined(const Stmt &Cat, BlockId B) {
  const Arg *Of = findArg(Cat, "tensors"), *Dim = findArg(Cat, "dim");
  const Stmt *List = Of ? At.Values.origin(Of->Value) : nullptr;
  while (List && List->O == Op::ListCopy)
    List = At.Def[List->Args[0].Value];
  const Stmt *D = Dim ? At.Def[Dim->Value] : nullptr;
  if (!List || List->O != Op::List || List->Args.size() != 2 ||
      (Dim && (!D || D->O != Op::Const || D->Imm != 0)))
    return;
  const Stmt *Before = At.Def[List->Args[0].Value];
  if (!Before || Before->O != Op::Load || !enter(B))
    return;
  const VarId V = Before->Var;
  if (!At.Values.isOwn(V) || F.Vars[V].DeclaredIn == L)
    return;
  // Nothing else in the loop reads it, and nothing but this makes it.
  unsigned Made = 0;
  for (const Stmt *S : At.Stores[V])
    if (S && At.blockInside(At.DefBlock[S->Args[0].Value], L)) {
      const Stmt *Value = At.Def[S->Args[0].Value];
      Made += Value == &Cat ? 1 : 2;
    }
  for (const Stmt *Load : At.Loads[V])
    if (Load != Before && At.blockInside(At.DefBlock[Load->Result], L))
      return;
  const Batch All = batch(List->Args[1].Value);
  if (Made != 1 || All.K != Batch::Rows || !All.Done ||
      (!All.Kept && All.Rank < 2))
    return;
  report(All, List->Args[1].Value, All.Kept ? "" : ".flatten(0, 1)",
         {{Cat.point(), "'" + F.Vars[V].Name +
                            "' grows here, by a copy of all rows before it "
                            "each time"}});
}

void Batches::run() {
  forEachStmt(F, [&](BlockId B, const Stmt &S) {
    if (F.Blocks[B].InLoop == NoId || S.InMacro)
      return;
    if (S.keepsElement())
      collected(S, B);
    else if (S.O == Op::Update || S.O == Op::Overwrite)
      assigned(S, B);
    else if (S.O == Op::Cat)
      joined(S, B);
  });
}

} // namespace

void checkBatchableLoop(CheckRun &C) {
  if (!C.F.Loops.empty())
    Batches(C).run();
}

} // namespace tensortidy::analysis
