//===- LostWrite.cpp - tensor-lost-write -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: every path copies. Ways to write to what nobody sees:
//
//   x.index({mask}) = y;          the target is the unnamed result of an
//   x.to(kDouble).add_(1);        operation that copies
//
//   auto p = x.contiguous();      the target is such a result under a name that
//   p.add_(1);                    nothing reads any more
//
//   auto *d = p.data_ptr<float>();    the same through a pointer, where the
//   d[i] = 0;                         function does nothing but write to it
//
// LostAssignment.cpp has those where only a handle is assigned.
//
// Level 0, or 1 where it is so unless a size is 1 or a layout contiguous, and
// for parameters passed by value.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/Lost.h"
#include "Analysis/Checks/Wording.h"
#include "Program/Writes.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace tensortidy::program;

namespace tensortidy::analysis {

namespace {

class LostWrites : Lost {
public:
  explicit LostWrites(CheckRun &C) : Lost(C) {
    forEachStmt(F, [&](BlockId, const Stmt &S) {
      AsksDType = AsksDType || S.O == Op::DTypeOf;
      if (S.O == Op::Runs)
        Run.insert(S.Where.Begin);
    });
  }

  void run() {
    auto IsForWrite = [&](const Stmt &Load) { return isForWrite(Load); };
    const LaterReads ButWrites(C.Flow, IsForWrite);
    for (BlockId B = 0; B < F.Blocks.size(); ++B) {
      llvm::BitVector Read = *ButWrites.at(B);
      llvm::SmallPtrSet<const Stmt *, 8> Dead;
      for (const Stmt &S : llvm::reverse(F.Blocks[B].Stmts)) {
        const VarId Target = namedTarget(S);
        if (Target != NoId && !Read.test(Target))
          Dead.insert(&S);
        ButWrites.step(S, Read);
      }
      for (const Stmt &S : F.Blocks[B].Stmts) {
        if (S.InTry)
          continue;
        if (Dead.contains(&S))
          named(S);
        else if (S.isOpaque() && !writtenOperand(S))
          unnamedPointer(S);
        else
          unnamed(S);
      }
    }
    for (VarId V = 0; V < F.Vars.size(); ++V)
      if (isLocal(V))
        throughPointer(V);
  }

private:
  /// Whether an in-place operation is all that \p Load is for.
  bool isForWrite(const Stmt &Load) const {
    const auto Found = users(Load.Result);
    return Found.size() == 1 && isChain(*Found.front(), Load.Result);
  }

  /// Whether \p S writes \p Self in place, and what it returns is at most
  /// written again: `p.mul_(2).add_(1);`
  bool isChain(const Stmt &S, ValueId Self, unsigned Depth = 0) const {
    const Arg *A = writtenOperand(S);
    if (!A || A->Value != Self || Depth > 8)
      return false;
    const auto Next = users(S.Result);
    return S.Discarded || !S.Result ||
           (Next.size() == 1 && isChain(*Next.front(), S.Result, Depth + 1));
  }

  /// A statement of its own that writes elements of its operand.
  static bool isWrite(const Stmt &S) {
    return (S.Discarded || !S.Result) && writtenOperand(S);
  }

  /// The local variable whose tensor \p S writes in place, or NoId.
  VarId namedTarget(const Stmt &S) const {
    const Arg *Self = isWrite(S) ? writtenOperand(S) : nullptr;
    const Stmt *Load = Self ? Values.def(Self->Value) : nullptr;
    while (Load && (Load->O == Op::Update || Load->O == Op::Overwrite) &&
           findArg(*Load, "self") && users(Load->Result).size() == 1)
      Load = Values.def(findArg(*Load, "self")->Value);
    return Load && Load->O == Op::Load && isLocal(Load->Var) && !S.Context
               ? Load->Var
               : NoId;
  }

  /// `x.to(torch::kHalf)`, and no more.
  bool convertsOnly(const Stmt &Made) const {
    const Arg *DType = Made.O == Op::To ? findArg(Made, "dtype") : nullptr;
    const Stmt *D = DType ? Values.def(DType->Value) : nullptr;
    return !AsksDType && D && D->O == Op::Const &&
           D->Const == ConstKind::Symbol &&
           llvm::all_of(Made.Args, [](const Arg &A) {
             return A.Name == "self" || A.Name == "dtype";
           });
  }

  /// Whether \p Made copies on every path; \p Condition says when it does, if
  /// not always. A reshape that is a view most of the time may be meant to be
  /// written, but not by \p Assigned: `x.flatten() = y` reads as if x were.
  bool copies(const Stmt &Made, bool Assigned, std::string &Condition) const {
    const OpClass K = opClass(Made.O);
    // A module or a function of other effects may keep what it returns.
    if (Made.Forward || Made.Text.empty())
      return false;
    if (K != OpClass::MaybeCopy)
      return K == OpClass::Copy || K == OpClass::Compute;
    auto It = C.Opaque.Copies.find(&Made);
    if (It == C.Opaque.Copies.end() || It->second.Shares) {
      // A conversion of a tensor whose dtype nobody knows leaves no note.
      auto Self = C.Opaque.SelfSites.find(&Made);
      if (It != C.Opaque.Copies.end() || !convertsOnly(Made) ||
          Self == C.Opaque.SelfSites.end() || Self->second.Shares)
        return false;
      Condition = "where it has another dtype";
      return true;
    }
    Condition = words(It->second.Unless);
    if (!It->second.Unknown)
      return It->second.Copies != 0;
    if (Made.O == Op::Index && !It->second.MayBeNumber.empty()) {
      Condition = "unless '" + It->second.MayBeNumber + "' is a single number";
      return true;
    }
    if (isLayoutCopy(Made) && copiesAnInput(Made, Assigned, Condition))
      return true;
    if (Made.O != Op::Contiguous && !convertsOnly(Made))
      return false;
    Condition = Made.O == Op::Contiguous ? "where it is not contiguous"
                                         : "where it has another dtype";
    return true;
  }

  static bool isLayoutCopy(const Stmt &S) {
    return S.O == Op::Reshape || S.O == Op::ReshapeAs || S.O == Op::Flatten ||
           S.O == Op::Ravel || S.O == Op::Contiguous;
  }

  /// The parameter that \p Made, or what it is a view of, is called on; NoId.
  VarId inputOf(const Stmt &Made) const {
    const Stmt *D = &Made;
    do {
      const Arg *Self = findArg(*D, "self");
      D = Self ? Values.def(Self->Value) : nullptr;
    } while (D && opClass(D->O) == OpClass::View);
    return D && D->O == Op::Load && F.Vars[D->Var].IsParam &&
                   stores(D->Var).empty()
               ? D->Var
               : NoId;
  }

  /// The same of a reshape() of a caller's tensor: `x.t().reshape(-1)` copies
  /// when x is contiguous, `x.flatten()` when it is not.
  bool copiesAnInput(const Stmt &Made, bool Assigned,
                     std::string &Condition) const {
    const VarId V = inputOf(Made);
    if (V == NoId || !C.Contiguous || !C.ChannelsLast || F.CallersVisible)
      return false;
    auto Site = [&](const RunResult &R) {
      auto It = R.Copies.find(&Made);
      return It == R.Copies.end() ? CopySite() : It->second;
    };
    const CopySite Dense = Site(*C.Contiguous), Last = Site(*C.ChannelsLast);
    const std::string Name = "'" + F.Vars[V].Name + "'";
    if (Dense.always() && Last.always())
      Condition = "when " + Name + " is contiguous" +
                  (Dense.Unless.empty() ? "" : ", " + words(Dense.Unless));
    else if ((Assigned || Made.O == Op::Contiguous) && Dense.Shares &&
             !Dense.Copies && !Dense.Unknown)
      Condition = "where " + Name + " is not contiguous";
    else
      return false;
    return true;
  }

  static std::string verb(const Stmt &S) {
    return S.is(Attribute::Assigns) ? std::string("this assignment")
           : S.isOpaque()           ? "what " + S.Text + "() writes"
           : isalpha(S.Text[0])     ? S.Text + "()"
                                    : S.Text;
  }

  /// ", unless H is 1" or " where it is not contiguous".
  static std::string added(const std::string &Condition) {
    if (Condition.empty())
      return "";
    return (llvm::StringRef(Condition).starts_with("unless") ? ", " : " ") +
           Condition;
  }

  /// `x.index({mask}) = y;`
  void unnamed(const Stmt &S) {
    const Arg *Self = isWrite(S) ? writtenOperand(S) : nullptr;
    const Stmt *Made = Self ? Values.def(Self->Value) : nullptr;
    std::string Unless;
    // x.index({mask}).slice(0, 1) = y writes to the copy, too, and so does
    // x.index({mask}).mul_(2).add_(1).
    while (Self && Made &&
           (opClass(Made->O) == OpClass::View || writtenOperand(*Made)) &&
           users(Self->Value).size() == 1) {
      Self = opClass(Made->O) == OpClass::View ? findArg(*Made, "self")
                                               : writtenOperand(*Made);
      Made = Self ? Values.def(Self->Value) : nullptr;
    }
    // scale(x.index({mask})), which writes its parameter.
    uint32_t Call = 0;
    if (Made && Made->O == Op::Load)
      if (const Stmt *Given = givenToWrite(Made->Var)) {
        Call = S.Context;
        Self = &Given->Args[0];
        Made = Values.def(Self->Value);
        if (Made && Made->Context) // reported where that body is analysed
          return;
      }
    if (!Made || users(Self->Value).size() != 1 || (S.Context && !Call) ||
        !copies(*Made, S.is(Attribute::Assigns), Unless))
      return;
    const bool Direct = writtenOperand(S) == Self;
    while (Call && F.Contexts[Call].Parent)
      Call = F.Contexts[Call].Parent;
    Finding Found = finding(
        S, Unless.empty() ? 0 : 1,
        (Call ? "what " + F.Contexts[Call].Callee + "() writes" : verb(S)) +
            " is lost: it " + (Call || S.isOpaque() ? "goes" : "writes") +
            " to the copy that " + Made->Text + "() makes" + added(Unless));
    if (Call) {
      Found.Where = Found.Point = F.Contexts[Call].Where;
      Found.InCall = true;
      Found.Notes.push_back({S.point(), "it is written here"});
    }
    if (Made->O == Op::Index) {
      Found.Notes.push_back(
          {Found.Point, "index_put_() writes to the elements themselves"});
      if (Direct && S.is(Attribute::Assigns) &&
          !Made->is(Attribute::Subscript) && (Made->Edits & EditRenameCallee) &&
          !S.InMacro) {
        Found.Edits.push_back(
            {Edit::RenameCallee, Made->Callee, {}, "index_put_"});
        Found.Edits.push_back({Edit::PutInto, S.Where, S.Object, ""});
      }
    } else {
      Found.Notes.push_back(
          {Made->point(), "write to the tensor itself, or keep the copy"});
    }
    C.Out.push_back(std::move(Found));
  }

  /// What a parameter of a followed call is bound to, where all that the body
  /// does is to write that in place; or null.
  const Stmt *givenToWrite(VarId V) const {
    const Variable &Var = F.Vars[V];
    const auto &Set = stores(V);
    if (!Var.Context || Var.Type != VarType::Tensor || Var.IsMember ||
        Var.IsCaptured || Var.IsResult || Set.size() != 1 ||
        Set.front()->Args.empty() || Touched.count(V) ||
        Set.front()->Where.Begin != F.Contexts[Var.Context].Where.Begin)
      return nullptr;
    return llvm::all_of(
               Values.Loads[V],
               [&](const Stmt *Load) {
                 return isForWrite(*Load) ||
                        llvm::all_of(users(Load->Result), [](const Stmt *User) {
                          return opClass(User->O) == OpClass::Query;
                        });
               })
               ? Set.front()
               : nullptr;
  }

  /// `step(out.contiguous().data_ptr<float>(), in);`
  void unnamedPointer(const Stmt &S) {
    const ValueId P = S.Context ? 0 : writtenPointer(S);
    const Stmt *Pointer = P ? Values.def(P) : nullptr;
    while (Pointer && Pointer->isOpaque() && Pointer->Derives &&
           Pointer->Args.size() == 1 && users(Pointer->Result).size() == 1)
      Pointer = Values.def(Pointer->Args[0].Value);
    const Arg *Self =
        Pointer && Pointer->O == Op::DataPtr && users(P).size() == 1
            ? findArg(*Pointer, "self")
            : nullptr;
    const Stmt *Made = Self ? Values.def(Self->Value) : nullptr;
    std::string When;
    if (!Made || (Made->O != Op::Contiguous && Made->O != Op::To) ||
        users(Self->Value).size() != 1 || !copies(*Made, false, When))
      return;
    Finding Found =
        finding(S, When.empty() ? 0 : 1,
                (S.O == Op::StoreElement ? std::string("this write")
                                         : "what " + S.Text + "() writes") +
                    " is lost: it goes to the copy that " + Made->Text +
                    "() makes" + added(When));
    Found.Notes.push_back(
        {Made->point(), "name the copy, and copy_() it back afterwards"});
    C.Out.push_back(std::move(Found));
  }

  /// Elements of another tensor, which somebody may have wanted to change
  /// there.
  static bool gathers(const Stmt &Made) { return Made.is(Attribute::Gathers); }

  struct Copied {
    const Stmt *Made = nullptr, *Of = nullptr; ///< null: it is none
    std::string When;
  };
  /// The only value that \p V ever has, where that is a copy of a variable for
  /// nobody else.
  Copied copyIn(VarId V) const {
    const auto &Set = stores(V);
    const Stmt *Made = Set.size() == 1 && !Set.front()->Args.empty()
                           ? Values.def(Set.front()->Args[0].Value)
                           : nullptr;
    while (Made && Made->O == Op::Load && F.Vars[Made->Var].IsResult) {
      const auto &Returned = stores(Made->Var); // by a call that is followed
      if (Returned.size() != 1 || Returned.front()->Args.empty() ||
          users(Made->Result).size() != 1 ||
          Values.Loads[Made->Var].size() != 1)
        return {};
      Made = Values.def(Returned.front()->Args[0].Value);
    }
    if (!Made || users(Made->Result).size() != 1 ||
        (opClass(Made->O) != OpClass::MaybeCopy && !gathers(*Made)))
      return {};
    const Arg *Self = findArg(*Made, "self");
    const Stmt *Of = Self ? Values.def(Self->Value) : nullptr;
    while (Of && opClass(Of->O) == OpClass::View &&
           users(Of->Result).size() == 1) { // x.t().contiguous()
      Self = findArg(*Of, "self");
      Of = Self ? Values.def(Self->Value) : nullptr;
    }
    // An element of a list of tensors goes by the list's name.
    if (Of && Of->O == Op::ListGet && !Of->Args.empty())
      Of = Values.def(Of->Args[0].Value);
    std::string When;
    if (!Of || Of->O != Op::Load || !copies(*Made, false, When))
      return {};
    return {Made, Of, std::move(When)};
  }

  /// `auto p = x.contiguous(); p.add_(1);`
  void named(const Stmt &S) {
    const VarId V = namedTarget(S);
    const auto [Made, Of, When] = copyIn(V);
    if (!Made)
      return;
    // No view of it, nor another handle.
    for (const Stmt *Load : Values.Loads[V]) {
      if (Load == Of) // p = p.contiguous()
        continue;
      for (const Stmt *User : users(Load->Result)) {
        const OpClass K = opClass(User->O);
        const bool Reads = K == OpClass::Query || K == OpClass::Compute ||
                           K == OpClass::InPlaceData || K == OpClass::Copy ||
                           User->O == Op::Item || isChain(*User, Load->Result);
        if (!(Reads || C.Held.endsBefore(Load->Result, S)) ||
            (User->Result && K == OpClass::InPlaceData &&
             !users(User->Result).empty() && !isChain(*User, Load->Result)))
          return;
      }
    }
    reportNamed(S, verb(S), V, *Of, *Made, When);
  }

  void reportNamed(const Stmt &S, const std::string &What, VarId V,
                   const Stmt &Of, const Stmt &Made, const std::string &When) {
    const std::string &Name = F.Vars[V].Name;
    std::string From = F.Vars[Of.Var].Name;
    if (F.Vars[Of.Var].Type == VarType::List)
      From += "[...]";
    // A function's body is its own matter, a lambda's stands here.
    const uint32_t Call = outermostCall(F, S.Context);
    Finding Found =
        finding(S, When.empty() ? 0 : 1,
                What + " is lost: nothing reads " +
                    (Name.empty() ? "" : "'" + Name + "', ") + "the copy of " +
                    (Of.Var == V ? "the caller's tensor" : "'" + From + "'") +
                    " that " + Made.Text + "() makes" + added(When));
    if (Call && F.Contexts[Call].IsLambda)
      Found.At = &S;
    else if (Call)
      Found.Where = Found.Point = F.Contexts[Call].Where;
    Found.Notes.push_back({Made.point(), "the copy is made here"});
    Found.Notes.push_back(
        {Found.Point,
         Made.O == Op::Index ? "index_put_() writes to the elements themselves"
         : gathers(Made)
             ? "index_copy_(), index_add_() and similar operations write to "
               "the elements themselves"
         : Of.Var == V
             ? "give the copy a name of its own, and copy_() it back afterwards"
         : Name.empty()
             ? "'" + From + "' itself is not written: a view of it would be"
             : "'" + From + ".copy_(" + Name + ")' afterwards takes it back"});
    C.Out.push_back(std::move(Found));
  }

  /// The pointer that \p S writes elements through, or 0: `p[i] = v`, and a
  /// function that takes pointers to read from and one to write to.
  ValueId writtenPointer(const Stmt &S) const {
    if (!S.isOpaque() || S.InTry)
      return 0;
    if (S.O == Op::StoreElement)
      return S.Args[0].Value;
    if (S.is(Attribute::WritesFirst) && !S.Args.empty())
      return S.Args[0].Value;
    if (S.is(Attribute::WritesThird) && S.Args.size() == 3)
      return S.Args[2].Value;
    const auto Written = writtenPointers(S);
    return Written.size() == 1 ? Written.front() : 0;
  }

  /// The pointers that a function writes through which takes others to read
  /// from, and so says which is which.
  llvm::SmallVector<ValueId, 4> writtenPointers(const Stmt &S) const {
    llvm::SmallVector<ValueId, 4> Written;
    bool Reads = false;
    for (const Arg &A : S.Args) {
      if (A.Var != NoId || A.R == Role::Keep)
        return {};
      if (A.R == Role::Write)
        Written.push_back(A.Value);
      else
        Reads = Reads || isPointer(A.Value);
    }
    if (!S.isOpaque() || S.InTry || !Reads || S.Result)
      Written.clear();
    return Written;
  }

  /// Whether \p V is there for \p S alone.
  bool isFor(VarId V, const Stmt &S) const {
    return llvm::all_of(Values.Loads[V], [&](const Stmt *Load) {
      return llvm::all_of(users(Load->Result), [&](const Stmt *User) {
        return opClass(User->O) == OpClass::Query ||
               (User->O == Op::DataPtr &&
                llvm::all_of(users(User->Result), [&](const Stmt *T) {
                  return T == &S || T->O == Op::Store;
                }));
      });
    });
  }

  /// `step(p, g, m, v)` where all that is written goes to copies: whoever calls
  /// it means the tensors themselves.
  bool writesCopies(const Stmt &S, ValueId P) const {
    const auto Written = writtenPointers(S);
    return Written.size() > 1 && llvm::is_contained(Written, P) &&
           llvm::all_of(Written, [&](ValueId Q) {
             const Stmt *Pointer = Values.def(Q);
             if (Pointer && Pointer->O == Op::Load) {
               const auto &Set = stores(Pointer->Var);
               Pointer = Set.size() == 1 && !Set.front()->Args.empty()
                             ? Values.def(Set.front()->Args[0].Value)
                             : nullptr;
             }
             const Arg *Self = Pointer && Pointer->O == Op::DataPtr
                                   ? findArg(*Pointer, "self")
                                   : nullptr;
             const Stmt *Load = Self ? Values.def(Self->Value) : nullptr;
             if (!Load || Load->O != Op::Load || !isLocal(Load->Var))
               return false;
             const Stmt *Made = copyIn(Load->Var).Made;
             return Made && Made->O == Op::Contiguous && isFor(Load->Var, S);
           });
  }

  bool isPointer(ValueId V) const {
    const Stmt *Def = Values.def(V);
    return Def && (Def->O == Op::DataPtr ||
                   (Def->O == Op::Load && F.Vars[Def->Var].Borrows));
  }

  /// Whether all that is done with pointer or accessor \p P is to write through
  /// it; \p Writes and \p Reads learn what goes through it.
  bool onlyWritten(ValueId P, std::vector<const Stmt *> &Writes,
                   std::vector<const Stmt *> &Reads, unsigned Depth = 0) const {
    return Depth < 6 && llvm::all_of(
                            users(P),
                            [&](const Stmt *User) {
                              return onlyWrites(*User, P, Writes, Reads, Depth);
                            });
  }

  /// The same of one statement that has \p P, or the variable it is in.
  bool onlyWrites(const Stmt &User, ValueId P,
                  std::vector<const Stmt *> &Writes,
                  std::vector<const Stmt *> &Reads, unsigned Depth) const {
    const bool Fills = User.is(Attribute::FillsRange);
    if (P && (Fills || writtenPointer(User) == P || writesCopies(User, P))) {
      Writes.push_back(&User);
      return true;
    }
    if (User.O == Op::Store)
      return pointerVariable(User, Writes, Reads, Depth + 1);
    if (!User.isOpaque())
      return false;
    if (User.O == Op::Closure)
      return isFollowedClosure(User);
    // Another pointer to the same memory: an accessor's row, `d + i`, `d++`.
    if (User.Derives)
      return onlyWritten(User.Result, Writes, Reads, Depth + 1);
    if (User.O == Op::Element ||
        (User.is(Attribute::Subscript) && User.IsScalar))
      Reads.push_back(&User);
    else
      return User.is(Attribute::AsksSizes) || User.O == Op::Compare;
    return true;
  }

  /// The same of the variable that \p Set gives a pointer: one of this
  /// function's, for nothing but this memory.
  bool pointerVariable(const Stmt &Set, std::vector<const Stmt *> &Writes,
                       std::vector<const Stmt *> &Reads, unsigned Depth) const {
    const VarId V = Set.Var;
    const Variable &Pointer = F.Vars[V];
    if (Pointer.IsMember || Pointer.IsStatic || Pointer.IsEnclosing ||
        Depth > 6)
      return false;
    // `d++` stores what it derives from itself.
    auto IsStep = [&](const Stmt &T) {
      const Stmt *From = T.Args.empty() ? nullptr : Values.def(T.Args[0].Value);
      const Stmt *Old = From && From->Derives && !From->Args.empty()
                            ? Values.def(From->Args[0].Value)
                            : nullptr;
      return Old && Old->O == Op::Load && Old->Var == V;
    };
    if (IsStep(Set))
      return true; // all of it is being looked at
    for (const Stmt *T : stores(V))
      if (T != &Set && !IsStep(*T))
        return false;
    for (const Stmt *S : Touched.lookup(V))
      if (S->O != Op::Assign && !onlyWrites(*S, 0, Writes, Reads, Depth))
        return false;
    for (const Stmt *Loaded : Values.Loads[V])
      if (!onlyWritten(Loaded->Result, Writes, Reads, Depth))
        return false;
    return true;
  }

  /// Whether the number \p V goes into what \p Writes store and nowhere else,
  /// as `a` and `b` of `float a = d[i], b = d[j]; d[i] = a - b; d[j] = a + b;`
  /// do.
  bool goesBack(ValueId V, const std::vector<const Stmt *> &Writes,
                unsigned Depth = 0) const {
    if (Depth > 8 || !V || Values.Tested[V])
      return false;
    return llvm::all_of(Values.Uses[V], [&](const DefUse::Use &U) {
      const Stmt &S = *U.S;
      if (S.O == Op::StoreElement)
        return S.Args.size() == 3 && S.Args[0].Value != V &&
               llvm::is_contained(Writes, &S);
      if (S.O == Op::Store)
        return holdsOnlyFor(S.Var, Writes, Depth);
      // Beside the statement that stores: `assign keep %a, write $d`.
      if (S.O == Op::Assign)
        return llvm::all_of(S.Args, [&](const Arg &A) {
          return A.Var == NoId || F.Vars[A.Var].Borrows ||
                 holdsOnlyFor(A.Var, Writes, Depth);
        });
      return isNumberOf(S) && goesBack(S.Result, Writes, Depth + 1);
    });
  }

  /// Whether what local \p V holds goes into what \p Writes store only.
  bool holdsOnlyFor(VarId V, const std::vector<const Stmt *> &Writes,
                    unsigned Depth) const {
    const Variable &Number = F.Vars[V];
    return !Number.IsMember && !Number.IsStatic && !Number.IsEnclosing &&
           llvm::all_of(Touched.lookup(V),
                        [](const Stmt *S) { return S->O == Op::Assign; }) &&
           llvm::all_of(Values.Loads[V], [&](const Stmt *Load) {
             return goesBack(Load->Result, Writes, Depth + 1);
           });
  }

  /// Arithmetic, and other statements that give a number of numbers.
  bool isNumberOf(const Stmt &S) const {
    return S.Result && S.IsScalar && llvm::all_of(S.Args, [](const Arg &A) {
             return A.Var == NoId && A.R != Role::Write;
           });
  }

  /// `auto p = x.contiguous(); auto *d = p.data_ptr<float>(); d[i] = 0;`
  void throughPointer(VarId V) {
    const auto [Made, Of, When] = copyIn(V);
    if (!Made || opClass(Made->O) != OpClass::MaybeCopy)
      return;
    std::vector<const Stmt *> Writes, Reads;
    for (const Stmt *Load : Values.Loads[V]) {
      if (Load == Of) // p = p.contiguous()
        continue;
      for (const Stmt *User : users(Load->Result)) {
        if (opClass(User->O) == OpClass::Query || isFollowedClosure(*User))
          continue;
        if (User->O != Op::DataPtr && User->O != Op::Accessor)
          return;
        if (!onlyWritten(User->Result, Writes, Reads))
          return;
      }
    }
    if (Writes.empty())
      return;
    // `d[i] += x` reads, too, but for nothing else.
    if (!llvm::all_of(Reads, [&](const Stmt *Read) {
          return llvm::any_of(Writes,
                              [&](const Stmt *W) {
                                return W->O == Op::StoreElement &&
                                       W->Where.Begin <= Read->Where.Begin &&
                                       Read->Where.End <= W->Where.End;
                              }) ||
                 goesBack(Read->Result, Writes);
        }))
      return;
    const Stmt &First = **std::min_element(
        Writes.begin(), Writes.end(), [](const Stmt *A, const Stmt *B) {
          return A->Where.Begin < B->Where.Begin;
        });
    reportNamed(First,
                First.O == Op::StoreElement
                    ? "this write"
                    : "what " + First.Text + "() writes",
                V, *Of, *Made, When);
  }

  /// A lambda that is run where it can be seen, and nowhere else: what it does
  /// stands in this function.
  bool isFollowedClosure(const Stmt &S) const {
    if (S.O != Op::Closure)
      return false;
    // A call of it has gone; who was given it stays after what it runs.
    auto IsFollowed = [&](const Stmt *Call) {
      return Call->isOpaque() && Run.count(Call->Where.Begin);
    };
    return llvm::all_of(users(S.Result), [&](const Stmt *User) {
      if (User->O != Op::Store)
        return IsFollowed(User);
      return llvm::all_of(Values.Loads[User->Var], [&](const Stmt *Load) {
        return llvm::all_of(users(Load->Result), IsFollowed);
      });
    });
  }

  llvm::DenseSet<unsigned> Run; ///< calls that run a closure given to them
  bool AsksDType = false;       ///< somebody knows of which dtype tensors are
};

} // namespace

void checkLostWrite(CheckRun &C) {
  LostWrites(C).run();
  tellLostAssignments(C);
  tellLostSwaps(C);
  tellLostHandles(C);
  tellLostRows(C);
}

} // namespace tensortidy::analysis
