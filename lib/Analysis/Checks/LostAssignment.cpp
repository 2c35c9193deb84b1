//===- LostAssignment.cpp - tensor-lost-write: handles --------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: every path. Only the handle is assigned, and nothing reads it any
// more:
//
//   auto row = x[0];              the elements of x stay
//   row = y;                      so of the elements of x.chunk(2)
//
//   torch::Tensor p = params[i];  what the list holds stays
//   p = 0.9 * p + w;
//
// Level 0, or 1 for parameters passed by value.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/Lost.h"

using namespace tensortidy::program;

namespace tensortidy::analysis {

namespace {

class LostAssignments : Lost {
public:
  explicit LostAssignments(CheckRun &C) : Lost(C) {}

  void run() {
    const LaterReads All(C.Flow);
    for (BlockId B = 0; B < F.Blocks.size(); ++B) {
      llvm::BitVector Live = *All.at(B);
      std::vector<const Stmt *> Dead;
      for (const Stmt &S : llvm::reverse(F.Blocks[B].Stmts)) {
        if (S.O == Op::Store && !Live.test(S.Var) && !S.InTry)
          Dead.push_back(&S);
        All.step(S, Live);
      }
      for (const Stmt *S : llvm::reverse(Dead)) // in the order of the text
        assigned(*S);
    }
    for (VarId V = 0; V < F.Vars.size(); ++V)
      if (!isLocal(V) && F.Vars[V].Type == VarType::List)
        elements(V);
  }

private:
  /// Whether \p V is read by \p S and by questions only: then assigning it is
  /// all that is done with it.
  bool isForAssignment(VarId V, const Stmt &S) const {
    for (const Stmt *Load : Values.Loads[V]) {
      if (Load->Where.Begin >= S.Where.Begin && Load->Where.End <= S.Where.End)
        continue;
      for (const Stmt *User : users(Load->Result))
        if (opClass(User->O) != OpClass::Query)
          return false;
    }
    return true;
  }

  /// Whether \p Element is that of a range-for, which is read in turn, or a
  /// part of it: `auto [name, tensor]`.
  bool isRangeElement(const Stmt &Element) const {
    if (Element.O != Op::ListGet || Element.Args.size() < 2)
      return false;
    const Stmt *List = Values.def(Element.Args[0].Value),
               *Index = Values.def(Element.Args[1].Value);
    return (Index && Index->O == Op::RangeIndex) ||
           (List && List->O == Op::Element);
  }

  /// What made the list that \p S takes an element of, where that is a view of
  /// another tensor, as `x.split(2)`; else null.
  const Stmt *splitOf(const Stmt &S) const {
    const Stmt *List = S.O == Op::ListGet && !S.Args.empty()
                           ? Values.def(S.Args[0].Value)
                           : nullptr;
    if (List && List->O == Op::Load) {
      const auto &Set = stores(List->Var);
      List = Set.size() == 1 && !Set.front()->Args.empty()
                 ? Values.def(Set.front()->Args[0].Value)
                 : nullptr;
    }
    return List && opClass(List->O) == OpClass::View ? List : nullptr;
  }

  /// The list that \p Old is an element of, or the other variable that it is
  /// the tensor of; or empty.
  std::string holderOf(const Stmt &Old, VarId V) const {
    const Stmt *List = Old.O == Op::ListGet && !Old.Args.empty()
                           ? Values.def(Old.Args[0].Value)
                           : nullptr;
    const Stmt &Of = List ? *List : Old;
    if (Of.O != Op::Load || Of.Var == V || F.Vars[Of.Var].Borrows ||
        F.Vars[Of.Var].Type != (List ? VarType::List : VarType::Tensor))
      return "";
    return F.Vars[Of.Var].Name;
  }

  /// `auto row = x[0]; row = y;`
  void assigned(const Stmt &S) {
    const VarId V = S.Var;
    // A declaration has the name it declares for a callee.
    if (!isLocal(V) || S.Callee.Begin || S.Context || S.InMacro ||
        S.Args.empty() || !isForAssignment(V, S))
      return;
    const Stmt *New = Values.def(S.Args[0].Value);
    if (!New || New->Where.Begin == S.Where.Begin || New->Forward)
      return; // std::tie(), or run for what it does beside
    if (New->Where.Begin < S.Where.Begin || New->Where.End > S.Where.End)
      return; // std::swap(): what it takes is meant to go
    const OpClass K = opClass(New->O);
    const bool Relayout = K == OpClass::View || K == OpClass::MaybeCopy;
    if (!Relayout && K != OpClass::Compute && K != OpClass::Copy &&
        K != OpClass::Factory && New->O != Op::Load)
      return;
    if (New->Text.empty() && New->O != Op::Load)
      return;
    // What it held before: one value, or nothing is said.
    const Stmt *Old = nullptr;
    for (const Stmt *T : stores(V)) {
      const Stmt *Made =
          T == &S || T->Args.empty() ? nullptr : Values.def(T->Args[0].Value);
      if (T == &S)
        continue;
      if (Old || !Made)
        return;
      Old = Made;
    }
    const Variable &Var = F.Vars[V];
    const std::string Quoted = "'" + Var.Name + "'";
    std::string Was, Advice;
    bool MayCopyInto = false;
    unsigned Level = 0;
    if (Var.IsParam) {
      if (Old || F.ReturnsTensor || F.Returns == VarType::List)
        return;
      Was = "the handle of this function, and the caller's tensor stays as it "
            "was";
      Advice = "return it, take " + Quoted +
               " by reference, or write in place to the tensor they share";
      Level = 1;
    } else if (Old && isRangeElement(*Old) && Var.InTemporary) {
      Was = "the handle in an unnamed list, and the tensor it came from stays "
            "as it was";
      Advice = "'" + Var.Name +
               ".copy_(...)' and other in-place operations write to the tensor "
               "itself";
    } else if (Old && isRangeElement(*Old)) {
      Was = "a copy of the container's handle";
      Advice = "take " + Quoted + " by reference to change the container";
    } else if (const Stmt *View = Old ? splitOf(*Old) : nullptr;
               View && !Relayout) {
      Was = "the handle, and the elements that " + View->Text +
            "() named stay as they were";
      Advice = "copy_() writes to the elements";
    } else if (const std::string Holder =
                   Old && !Relayout ? holderOf(*Old, V) : "";
               !Holder.empty()) {
      Was = "the handle, and the tensor that '" + Holder +
            "' holds stays as it "
            "was";
      Advice = "'" + Var.Name +
               ".copy_(...)' and other in-place operations write to the tensor "
               "itself";
    } else if (Old &&
               (opClass(Old->O) == OpClass::View || Old->O == Op::Index) &&
               !Old->Text.empty() && !Relayout) {
      Was = "the handle, and the elements that " + Old->Text +
            (isalpha(Old->Text[0]) ? "()" : "") + " named stay as they were";
      Advice = "copy_() writes to the elements";
      MayCopyInto = S.Object.Begin != 0;
    } else {
      return;
    }
    Finding Found = finding(S, Level,
                            "this assignment is lost: it changes only " + Was +
                                "; nothing reads " + Quoted + " again");
    Found.Notes.push_back({S.Where, Advice});
    if (MayCopyInto)
      Found.Edits.push_back({Edit::CopyInto, S.Where, S.Object, ""});
    C.Out.push_back(std::move(Found));
  }

  /// `auto parts = x.chunk(2); parts[0] = y;`, and nothing reads parts.
  void elements(VarId V) {
    const Variable &Var = F.Vars[V];
    if (Var.IsParam || Var.IsReference || Var.IsMember || Var.IsStatic ||
        Var.IsCaptured || Var.IsEnclosing || Var.Context)
      return;
    const Stmt *Whole = nullptr;
    llvm::SmallVector<const Stmt *, 4> Sets;
    for (const Stmt *S : stores(V)) {
      const Stmt *Made =
          S->Args.empty() ? nullptr : Values.def(S->Args[0].Value);
      if (Made && Made->O == Op::ListSet)
        Sets.push_back(Made);
      else if (!Made || Whole)
        return;
      else
        Whole = Made;
    }
    // for (auto pair : map) pair.second = y;
    const Stmt *From = Whole && Whole->O == Op::ListCopy && !Whole->Args.empty()
                           ? Values.def(Whole->Args[0].Value)
                           : nullptr;
    const bool IsElement = From && From->O == Op::Element;
    // A module's parameters: a list of its handles' copies.
    const bool OfModule = Whole && Whole->is(Attribute::ModuleTensors);
    if (!Whole || Sets.empty() ||
        (!IsElement && !OfModule && opClass(Whole->O) != OpClass::View) ||
        users(Whole->Result).size() != 1)
      return;
    for (const Stmt *S : Touched.lookup(V))
      if (S->O != Op::Assign)
        return;
    llvm::SmallVector<const Stmt *, 4> Gets;
    for (const Stmt *Load : Values.Loads[V])
      for (const Stmt *User : users(Load->Result))
        if (User->O == Op::ListGet)
          Gets.push_back(User);
        else if (User->O != Op::ListSize && User->O != Op::Assign &&
                 !(User->O == Op::ListSet &&
                   User->Args[0].Value == Load->Result))
          return;
    auto IsOther = [&](const Stmt &Get, const Stmt &Set) {
      const Stmt *I = Values.def(Get.Args[1].Value),
                 *J = Values.def(Set.Args[1].Value);
      return I && J && I->O == Op::Const && J->O == Op::Const &&
             I->Imm != J->Imm;
    };
    for (const Stmt *Set : llvm::reverse(Sets)) { // in the order of the text
      // What an element is assigned may come from it: that is no reason.
      if (llvm::any_of(Gets, [&](const Stmt *Get) {
            return !(Set->Where.Begin <= Get->Where.Begin &&
                     Get->Where.End <= Set->Where.End) &&
                   !IsOther(*Get, *Set) && C.Held.runsAfter(*Set, *Get);
          }))
        continue;
      const Stmt *New = Values.def(Set->Args[2].Value);
      const OpClass K = New ? opClass(New->O) : OpClass::Structure;
      const bool IsNew = K == OpClass::Compute || K == OpClass::Copy ||
                         K == OpClass::Factory || (New && New->O == Op::Load);
      // That of a view's element may be there for its layout.
      const bool IsRelayout = (IsElement || OfModule) &&
                              (K == OpClass::View || K == OpClass::MaybeCopy);
      if (!New || Set->InTry || Set->InMacro || Set->Context ||
          (!IsNew && !IsRelayout))
        continue;
      const std::string Quoted = "'" + Var.Name + "'";
      Finding Found = finding(
          *Set, 0,
          "this assignment is lost: it changes only " +
              (IsElement ? Quoted + ", a copy of the container's element"
               : OfModule
                   ? "the handle in " + Quoted +
                         ", and the module's tensor stays as it was"
                   : "the handle in " + Quoted + ", and the elements that " +
                         Whole->Text + "() named stay as they were") +
              "; nothing reads " + Quoted + " again");
      Found.Notes.push_back(
          {Set->Where, IsElement ? "take " + Quoted +
                                       " by reference to change the container"
                                 : "copy_() writes to the elements"});
      C.Out.push_back(std::move(Found));
    }
  }
};

} // namespace

void tellLostAssignments(CheckRun &C) { LostAssignments(C).run(); }

} // namespace tensortidy::analysis
