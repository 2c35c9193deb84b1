//===- NeedlessCopies.cpp - copies that nothing needs -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: every use of the copy that the function can make; one that keeps,
// names, shows or returns it, or code that is not seen, needs it.
//
//   ggml_add(x, ggml_repeat(b, x))          add repeats its second operand
//   ggml_cont(ggml_permute(ggml_cont(y)))   the outer one takes any strides
//   ggml_rope(ggml_reshape_3d(ggml_cont(ggml_view_2d(qkv))))
//                                           ggml_view_3d() gives the same
//   all = cat({all, x})                     in a loop: copies all of it again
//   zeros({n}).to(device)                   could be made there
//   out.copy_(x.cpu())                      copy_() moves by itself
//
// Which operands take strides, and which are repeated, the models say.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/NeedlessCopies.h"
#include "Analysis/Checks/Wording.h"
#include "llvm/ADT/STLExtras.h"

namespace tensortidy::analysis {

using namespace program;

namespace {

class NeedlessCopies {
public:
  explicit NeedlessCopies(CheckRun &C) : C(C), F(C.F), H(C.Held), At(C.Loops) {}
  void run();

private:
  struct Reader {
    const Stmt *S;
    const Arg *A;
    bool Permuted; ///< through a permutation
  };
  bool readers(ValueId V, bool Permuted, std::vector<Reader> &Into,
               unsigned Depth = 0, const Stmt *Rows = nullptr) const;
  bool splitsRows(const Stmt &Reshape, const Stmt &View) const;
  std::string said(const Stmt &S, const std::string &Name) const;

  void repeat(const Stmt &S);
  void cont(const Stmt &S);
  void grows(const Stmt &S, BlockId B);
  void joinsGrowing(const Stmt &S, BlockId B);
  bool onlyGrows(const Stmt &List, LoopId L) const;
  const Stmt *keptIn(const Stmt &S, LoopId L) const;
  bool isReadIn(VarId V, LoopId L, const Stmt *But) const;
  void madeElsewhere(const Stmt &S);
  void movedFirst(const Stmt &S);
  void tell(const Stmt &S, const std::string &Message,
            const Stmt *Note = nullptr, const std::string &Text = "");

  CheckRun &C;
  const Function &F;
  const Handles &H;
  const LoopFacts &At;
};

/// Whether \p Reshape leaves the rows of a 2-d \p View one by one, as its last
/// size: a view of more sizes does the same.
///   ggml_view_2d(x, d * h, n, ...)  ->  ggml_reshape_3d(y, d, h, n)
bool NeedlessCopies::splitsRows(const Stmt &Reshape, const Stmt &View) const {
  const Arg *Count = findArg(View, "ne1"), *Last = nullptr;
  for (const char *Name : {"ne1", "ne2", "ne3"})
    if (const Arg *A = findArg(Reshape, Name))
      Last = A;
  if (!Count || !Last || findArg(View, "ne2"))
    return false;
  const Stmt *X = H.def(Count->Value), *Y = H.def(Last->Value);
  return X && Y && X->O == Op::Load && Y->O == Op::Load && X->Var == Y->Var &&
         H.reaching(*X) == H.reaching(*Y);
}

/// All that reads the tensor \p V, through variables, permutations, and where
/// it is a copy of the view \p Rows through reshapes that split its rows; false
/// where something may that is not followed.
bool NeedlessCopies::readers(ValueId V, bool Permuted,
                             std::vector<Reader> &Into, unsigned Depth,
                             const Stmt *Rows) const {
  if (Depth > 6)
    return false;
  for (const LoopFacts::Use &U : At.Uses[V]) {
    const Stmt &S = *U.S;
    if (S.O == Op::Store) {
      if (!H.isLocal(S.Var))
        return false;
      for (const Stmt *Load : At.Loads[S.Var]) {
        const auto From = H.reaching(*Load);
        if (From.empty())
          return false;
        if (!llvm::is_contained(From, &S))
          continue;
        if (From.size() != 1 ||
            !readers(Load->Result, Permuted, Into, Depth + 1, Rows))
          return false;
      }
      continue;
    }
    const bool Splits =
        Rows && !Permuted && S.O == Op::GgmlReshape && splitsRows(S, *Rows);
    if (S.O == Op::GgmlPermute || Splits) {
      if (!readers(S.Result, Permuted || !Splits, Into, Depth + 1, Rows))
        return false;
      continue;
    }
    if (opClass(S.O) == OpClass::Query && S.O != Op::QueryOther)
      continue; // its sizes
    if (S.O == Op::GgmlNe)
      continue;
    Into.push_back({&S, U.A, Permuted});
  }
  return true;
}

/// What the model says of \p S by the name \p Name; empty: nothing.
std::string NeedlessCopies::said(const Stmt &S, const std::string &Name) const {
  const Arg *A = findArg(S, Name);
  const Stmt *D = A ? H.def(A->Value) : nullptr;
  return D && D->O == Op::Const ? D->Text : "";
}

void NeedlessCopies::tell(const Stmt &S, const std::string &Message,
                          const Stmt *Note, const std::string &Text) {
  Finding Found(Check::HiddenCopy, 1, S);
  Found.At = &S;
  Found.Message = Message;
  if (Note)
    Found.Notes.push_back({Note->point(), Text});
  // Whether it copies at all is another question.
  llvm::erase_if(C.Silent, [&](const SilentSite &Site) {
    return Site.Id == Check::HiddenCopy && Site.Begin == Found.Point.Begin;
  });
  C.Out.push_back(std::move(Found));
}

void NeedlessCopies::repeat(const Stmt &S) {
  if (!S.is(Attribute::RepeatsTo))
    return;
  const Arg *Like = findArg(S, "self"), *Of = findArg(S, "a");
  std::vector<Reader> All;
  if (!Like || !Of || !readers(S.Result, false, All) || All.size() != 1 ||
      All[0].Permuted)
    return;
  const Stmt &By = *All[0].S;
  const std::string Repeats = said(By, "repeats");
  const bool Commutes = findArg(By, "commutes") != nullptr;
  const Arg *Self = findArg(By, "self"), *B = findArg(By, "b");
  if (Repeats.empty() || !Self || !B || Self->Value == B->Value)
    return;
  const bool IsB = All[0].A == B;
  if (!IsB && !Commutes)
    return;
  // The other operand has the sizes that it is repeated to.
  const ValueId Other = IsB ? Self->Value : B->Value;
  const Stmt *X = H.latest(Other), *Y = H.latest(Like->Value);
  auto Loaded = [&](const Stmt *P, const Stmt *Q) {
    if (!P || !Q || P->O != Op::Load || Q->O != Op::Load || P->Var != Q->Var)
      return false;
    const auto A = H.reaching(*P), B = H.reaching(*Q);
    if (!A.empty() || !B.empty() || !F.Vars[P->Var].IsParam)
      return A == B && !A.empty();
    // A parameter, as it was given.
    return llvm::none_of(At.Stores[P->Var], [&](const Stmt *Store) {
      return !Store || H.runsAfter(*Store, *P) || H.runsAfter(*Store, *Q);
    });
  };
  if (!X || !(X == Y || Loaded(X, Y)))
    return;
  tell(S,
       S.Text + "() copies " + quoted(H.name(Of->Value), "its operand") +
           " to the sizes of " + quoted(H.name(Like->Value), "its operand") +
           " for nothing: " + By.Text +
           "() repeats its second operand by itself",
       &By, IsB ? "read here" : "read here: swap the operands");
}

void NeedlessCopies::cont(const Stmt &S) {
  const auto It = C.Opaque.Contiguous.find(&S);
  if (S.O != Op::GgmlCont || !S.is(Attribute::PacksOnly) ||
      It == C.Opaque.Contiguous.end() || It->second.Redundant ||
      It->second.Unreported || It->second.CopyWritten || It->second.Rewritten)
    return;
  const Arg *Self = findArg(S, "self");
  const Stmt *Of = Self ? H.latest(Self->Value) : nullptr;
  if (!Of || (Of->O != Op::GgmlPermute && Of->O != Op::GgmlView))
    return;
  const Stmt *Rows = Of->O == Op::GgmlView ? Of : nullptr;
  // As heads are moved; of batches in another order not all backends take all.
  auto Stays = [&](const char *Name, int64_t Dim) {
    const Arg *Axis = findArg(*Of, Name);
    const Stmt *D = Axis ? H.def(Axis->Value) : nullptr;
    return D && D->O == Op::Const && D->Imm == Dim;
  };
  const bool KeepsRows = Rows || (Stays("axis0", 0) && Stays("axis3", 3));
  const ObjId Made = ObjId::of(S.Result);
  std::vector<Reader> All;
  if (C.Opaque.Outputs.count(Made) || C.Opaque.Named.count(Made) ||
      !readers(S.Result, false, All, 0, Rows) || All.empty())
    return;
  for (const Reader &R : All) {
    const std::string Takes = said(*R.S, "strides_" + R.A->Name);
    if (Takes != "any" && !(Takes == "rows" && KeepsRows && !R.Permuted))
      return;
  }
  const bool One =
      llvm::all_of(All, [&](const Reader &R) { return R.S == All[0].S; });
  tell(S,
       S.Text + "() copies " +
           (It->second.Copies.empty() ? "the tensor"
                                      : It->second.Copies + " elements") +
           " for nothing: " +
           (One ? All[0].S->Text + "(), which reads it, takes"
                : "all that read it take") +
           " such strides",
       All[0].S, "read here");
}

/// The store that alone takes the result of \p S, into a variable that is
/// there before and after the loop \p L; or null.
const Stmt *NeedlessCopies::keptIn(const Stmt &S, LoopId L) const {
  const Stmt *Into = nullptr;
  for (const LoopFacts::Use &U : At.Uses[S.Result])
    if (U.S->O == Op::Store && !Into)
      Into = U.S;
    else
      return nullptr;
  if (!Into || !H.isLocal(Into->Var) ||
      (F.Vars[Into->Var].DeclaredIn != NoId &&
       At.inside(F.Vars[Into->Var].DeclaredIn, L)))
    return nullptr;
  return Into;
}

/// Whether \p L reads the elements of \p V, elsewhere than at \p But.
bool NeedlessCopies::isReadIn(VarId V, LoopId L, const Stmt *But) const {
  for (const Stmt *Load : At.Loads[V]) {
    if (Load == But || !At.blockInside(H.blockOf(*Load), L))
      continue;
    for (const LoopFacts::Use &U : At.Uses[Load->Result])
      if (opClass(U.S->O) != OpClass::Query)
        return true;
  }
  return false;
}

/// all = torch::cat({all, x}) in a loop, and nothing else reads `all` there.
void NeedlessCopies::grows(const Stmt &S, BlockId B) {
  const Arg *Tensors = findArg(S, "tensors");
  const Stmt *List = Tensors ? H.def(Tensors->Value) : nullptr;
  if (List && List->O == Op::ListCopy && !List->Args.empty())
    List = H.def(List->Args[0].Value);
  const LoopId L = At.loopAround(B);
  if (S.O != Op::Cat || !List || List->O != Op::List || List->Args.size() < 2 ||
      L == NoId)
    return;
  const Stmt *Into = keptIn(S, L);
  if (!Into)
    return;
  const Stmt *Grown = nullptr;
  for (const Arg &A : List->Args)
    if (const Stmt *D = H.def(A.Value);
        D && D->O == Op::Load && D->Var == Into->Var)
      Grown = D;
  if (!Grown || !llvm::is_contained(H.reaching(*Grown), Into) ||
      isReadIn(Into->Var, L, Grown))
    return;
  tell(S, S.Text + "() copies all of " +
              quoted(H.name(Grown->Result), "its operand") +
              " again in every iteration: collect the parts in a list and join "
              "them once");
}

/// Whether the list that \p List loads keeps in \p L what it has, and gets
/// more.
bool NeedlessCopies::onlyGrows(const Stmt &List, LoopId L) const {
  std::vector<const Stmt *> Work{&List}, Inserts;
  while (!Work.empty()) {
    const auto From = H.reaching(*Work.back());
    Work.pop_back();
    if (From.empty())
      return false;
    for (const Stmt *Store : From) {
      if (!At.blockInside(H.blockOf(*Store), L) ||
          llvm::is_contained(Inserts, Store))
        continue;
      const Stmt *Insert = H.def(Store->Args[0].Value);
      const Stmt *Into = Insert && Insert->O == Op::ListInsert
                             ? H.def(Insert->Args[0].Value)
                             : nullptr;
      if (!Into || Into->O != Op::Load || Into->Var != List.Var)
        return false;
      Inserts.push_back(Store);
      Work.push_back(Into);
    }
  }
  return !Inserts.empty();
}

/// parts.push_back(x); all = torch::stack(parts); in a loop that does not read
/// `all`.
void NeedlessCopies::joinsGrowing(const Stmt &S, BlockId B) {
  const Arg *Tensors = findArg(S, "tensors");
  const Stmt *List = Tensors ? H.def(Tensors->Value) : nullptr;
  const LoopId L = At.loopAround(B);
  if (!List || List->O != Op::Load || L == NoId || !At.everyIteration(B, L))
    return;
  const Stmt *Into = keptIn(S, L);
  if (!Into || isReadIn(Into->Var, L, nullptr) || !onlyGrows(*List, L))
    return;
  tell(S, S.Text + "() copies all of " +
              quoted(H.name(List->Result), "its operand") +
              " again in every iteration, and the loop does not read it: join "
              "them once, after the loop");
}

static bool isCreated(const Stmt &S) {
  switch (S.O) {
  case Op::Filled:
  case Op::Empty:
  case Op::Arange:
  case Op::Eye:
  case Op::Linspace:
    return !findArg(S, "self");
  default:
    return false;
  }
}

/// zeros({n}).to(device)
void NeedlessCopies::madeElsewhere(const Stmt &S) {
  const Arg *Self = findArg(S, "self");
  const Stmt *Made = Self ? H.def(Self->Value) : nullptr;
  if (S.O != Op::To || !Made || !isCreated(*Made) || H.uses(Made->Result) != 1)
    return;
  const Arg *Where = nullptr;
  for (const Arg &A : S.Args) {
    if (A.Name == "device" || A.Name == "dtype" || A.Name == "options")
      Where = &A;
    else if (A.Name != "self" && A.Name != "non_blocking")
      return;
  }
  const Stmt *To = Where ? H.def(Where->Value) : nullptr;
  // A factory takes the CPU and float32 for what it is not told.
  if (!To || (To->O == Op::Const && To->Text == "cpu"))
    return;
  const bool Moves = Where->Name == "device" ||
                     (To->O == Op::OptionsOp && findArg(*To, "device"));
  if (!Moves && C.Opaque.SureCopies.count(&S) == 0)
    return;
  tell(S,
       (S.Text.empty() ? "to" : S.Text) + "() copies what " + Made->Text +
           "() has just made: " + Made->Text + "() takes the " +
           (Moves ? "device" : "dtype") + " itself",
       Made, "made here");
}

/// out.copy_(x.cpu())
void NeedlessCopies::movedFirst(const Stmt &S) {
  const Arg *From = findArg(S, "src");
  const Stmt *Moved = From ? H.def(From->Value) : nullptr;
  if (S.O != Op::Overwrite || !S.is(Attribute::CopiesElements) || !Moved ||
      Moved->O != Op::To || H.uses(Moved->Result) != 1 || Moved->InMacro)
    return;
  for (const Arg &A : Moved->Args)
    if (A.Name != "self" && A.Name != "device" && A.Name != "dtype" &&
        A.Name != "options" && A.Name != "non_blocking" && A.Name != "other")
      return;
  const Arg *Self = findArg(*Moved, "self");
  tell(*Moved, Moved->Text + "() copies " +
                   (Self ? quoted(H.name(Self->Value), "its operand") : "it") +
                   " once more: copy_() moves and converts by itself");
}

void NeedlessCopies::run() {
  forEachStmt(F, [&](BlockId B, const Stmt &S) {
    if (S.InMacro || S.InTry || S.Expected)
      return;
    if (S.O == Op::GgmlLike)
      repeat(S);
    else if (S.O == Op::GgmlCont)
      cont(S);
    else if (S.O == Op::Cat || S.O == Op::Stack) {
      grows(S, B);
      joinsGrowing(S, B);
    } else if (S.O == Op::To)
      madeElsewhere(S);
    else if (S.O == Op::Overwrite)
      movedFirst(S);
  });
}

} // namespace

void checkNeedlessCopies(CheckRun &C) { NeedlessCopies(C).run(); }

} // namespace tensortidy::analysis
