//===- RedundantClone.cpp - tensor-redundant-clone -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: every path, with parameters of any layout. A clone() is redundant
// where one of these holds:
//
//   dying      this function made the tensor, nothing else can see its storage,
//              and nothing uses it after the clone
//   unchanged  the copy is only read, and while it is, nothing can change the
//              original
//   twice      another call of the same expression copies as well
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/CheckRun.h"
#include "Analysis/Checks/Wording.h"
#include "Analysis/Flow/Closure.h"
#include <set>

namespace tensortidy::analysis {

using namespace program;

namespace {

class Clones {
public:
  explicit Clones(CheckRun &C) : C(C), H(C.Held) {}
  void run();

private:
  bool dying(const Stmt &S, Finding &Found);
  bool diesHere(const Stmt &Made, const Stmt &S) const;
  bool unchanged(const Stmt &S, Finding &Found);
  bool savedFromChange(const Stmt &S, const Fate &Copy) const;
  bool twice(const Stmt &S, Finding &Found);
  bool convertsTwice(const Stmt &S, Finding &Found);
  bool convertsCopy(const Stmt &S, Finding &Found);
  bool joinsOne(const Stmt &S, Finding &Found);
  const Stmt *maker(const Stmt &S) const;
  std::vector<const Stmt *> makers(ValueId V) const;

  CheckRun &C;
  const Handles &H;
};

/// Whether autograd may need the result of \p S as it is, for the gradient.
bool savesResult(const Stmt &S) {
  return opClass(S.O) == OpClass::Compute && !S.is(Attribute::SparesResult);
}

/// Whether autograd may need an operand of \p S as it was.
bool savesOperand(const Handles &H, const Stmt &S) {
  const bool Spares = S.is(Attribute::SparesOperands);
  // Indices, masks and labels are saved as much as factors.
  if (S.O == Op::Update || S.O == Op::Index)
    return !Spares;
  if (S.O != Op::Binary) {
    return opClass(S.O) == OpClass::Compute && S.O != Op::Cat &&
           S.O != Op::Stack && S.O != Op::Repeat &&
           !(Spares && S.O == Op::Reduce);
  }
  const Arg *Other = findArg(S, "other");
  const Stmt *By = Other ? H.def(Other->Value) : nullptr;
  return !Spares && By && By->O != Op::Const &&
         opClass(By->O) != OpClass::Integer;
}

bool wantsGradient(const Handles &H, const Stmt &S) {
  for (const Arg &A : S.Args) {
    const Stmt *O = H.def(A.Value);
    if (O && O->O == Op::OptionsOp && findArg(*O, "requires_grad"))
      return true;
  }
  return findArg(S, "requires_grad");
}

/// "torch::zeros" is called zeros() in a message, operators by their sign.
std::string callee(const Stmt &S) {
  std::string Name = S.Text.empty() ? opName(S.O).str() : S.Text;
  return isalpha(static_cast<unsigned char>(Name[0])) ? Name + "()"
                                                      : "operator" + Name;
}

/// Only `self` is given: dtype, device and strides stay as they are.
bool isPlain(const Stmt &S) {
  for (const Arg &A : S.Args)
    if (A.Name != "self")
      return false;
  return !S.Args.empty();
}

/// The statement behind \p S's operand when nobody else uses its result.
const Stmt *Clones::maker(const Stmt &S) const {
  const Arg *Self = findArg(S, "self");
  const Stmt *M = Self ? H.def(Self->Value) : nullptr;
  return M && H.uses(M->Result) == 1 ? M : nullptr;
}

/// All that \p V may be, behind what hands its operand on or a copy of it:
/// x.contiguous() is x, or a tensor that nobody else has. Empty where one of
/// them is not made here.
std::vector<const Stmt *> Clones::makers(ValueId V) const {
  std::vector<const Stmt *> Found;
  bool Known = true;
  closure(V, [&](ValueId At, auto Add) {
    const std::vector<const Stmt *> Behind = H.origins(At);
    for (const Stmt *M : Behind) {
      const Arg *Self = M->O == Op::Contiguous || M->O == Op::To
                            ? findArg(*M, "self")
                            : nullptr;
      if (Self && !H.isFresh(*M) && !M->InTry)
        Add(Self->Value);
      else if (!llvm::is_contained(Found, M))
        Found.push_back(M);
    }
    return Known = !Behind.empty();
  });
  return Known ? Found : std::vector<const Stmt *>();
}

bool Clones::dying(const Stmt &S, Finding &Found) {
  const Arg *Self = findArg(S, "self");
  std::vector<const Stmt *> Makers = makers(Self->Value);
  if (Makers.empty())
    return false;
  llvm::sort(Makers, [](const Stmt *A, const Stmt *B) {
    return A->point().Begin < B->point().Begin;
  });
  // What is declared const is not to be changed by the name of another.
  const Stmt *Load = H.def(Self->Value);
  if (Load && Load->O == Op::Load && C.F.Vars[Load->Var].IsConst)
    return false;
  for (const Stmt *Made : Makers)
    if (!diesHere(*Made, S))
      return false;
  const Stmt &Made = *Makers.front();
  const std::string Name = H.name(Self->Value);
  Found.Message = "clone() copies " +
                  (!Name.empty()        ? quoted(Name, "")
                   : Makers.size() == 1 ? "the result of " + callee(Made)
                                        : "a result") +
                  ", which nothing uses afterwards";
  for (const Stmt *M : Makers)
    Found.Notes.push_back({M->point(), callee(*M) + " allocates it here"});
  return true;
}

/// \p Made is a tensor of the function's own that clone() \p S of it outlives.
bool Clones::diesHere(const Stmt &Made0, const Stmt &S) const {
  const Stmt *Made = &Made0;
  if (Made->InTry || !H.isFresh(*Made) || Made->O == Op::EmptyStrided ||
      Made->O == Op::EmptyPermuted || wantsGradient(H, *Made))
    return false;
  const Fate Source = H.fate(Made->Result, &S);
  if (Source.Escapes || Source.Returned)
    return false;
  bool Computed = false; // autograd may have saved it by then
  for (const Fate::Touch &Touch : Source.Touches) {
    const Stmt *T = Touch.S;
    // An original that several copies start from is kept as it is: the last
    // copy is like the others.
    if (H.runsAfter(S, *T, Made) || T->O == Op::Clone)
      return false;
    Computed = Computed || opClass(T->O) == OpClass::Compute;
  }
  // A second clone() of one tensor is another tensor.
  if (H.runsAfter(S, S, Made))
    return false;
  return !(Computed || savesResult(*Made)) || H.fate(S.Result).onlyRead();
}

/// The copy is computed with, and the original written later, or memory that
/// somebody else gives back: autograd may have saved the copy, and backward()
/// would find the original changed or gone.
///   y = y.mm(w.clone()); ... w.add_(1)
///   y = y.index_select(0, torch::from_blob(v.data(), {n}, at::kLong).clone())
bool Clones::savedFromChange(const Stmt &S, const Fate &Copy) const {
  if (llvm::none_of(Copy.Touches, [&](const Fate::Touch &T) {
        return savesOperand(H, *T.S);
      }))
    return false;
  const ValueId Self = findArg(S, "self")->Value;
  const Stmt *Original = H.origin(Self), *Memory = H.storage(Self);
  if (Memory && Memory->O == Op::FromBlob)
    return true;
  bool Changes = false;
  forEachStmt(C.F, [&](program::BlockId, const Stmt &T) {
    if (opClass(T.O) != OpClass::InPlaceData || T.O == Op::RequiresGrad)
      return;
    const Arg *Target = findArg(T, T.O == Op::OutWrite ? "out" : "self");
    const Stmt *Of = Target ? H.origin(Target->Value) : nullptr;
    const bool IsIt =
        Of && Original &&
        (Of == Original || (Of->O == Op::Load && Original->O == Op::Load &&
                            Of->Var == Original->Var));
    Changes = Changes || (IsIt && H.runsAfter(S, T));
  });
  return Changes;
}

bool Clones::unchanged(const Stmt &S, Finding &Found) {
  const Fate Copy = H.fate(S.Result);
  if (!Copy.onlyRead() || !Copy.Read)
    return false;
  for (const Fate::Touch &T : Copy.Touches)
    if (T.S->O == Op::Clone || (T.S->O == Op::Contiguous && maker(*T.S) == &S))
      return false; // reported there
  // A packed copy of a strided tensor may be what makes the reading fast, but
  // not that of one copy_(), which reads as clone() does.
  const bool CopiedOn =
      Copy.Touches.size() == 1 && Copy.Touches[0].S->O == Op::Overwrite;
  auto It = C.Opaque.Operands.find(&S);
  if (It == C.Opaque.Operands.end() || (It->second.Other && !CopiedOn))
    return false;
  const Arg *Self = findArg(S, "self");
  const Stmt *View = H.origin(Self->Value);
  if (!View || (It->second.Unknown && View->O != Op::Load && !CopiedOn) ||
      H.mayChange(S, Copy, Self->Value) || savedFromChange(S, Copy))
    return false;
  Found.Message = "clone() of " + quoted(H.name(Self->Value), "its operand") +
                  " is not needed: the copy is only read, and " +
                  "nothing changes the original meanwhile";
  return true;
}

/// `.contiguous().clone()` and `.clone().contiguous()`.
bool Clones::twice(const Stmt &S, Finding &Found) {
  const Stmt *Inner = maker(S);
  if (!Inner || !isPlain(S) || !isPlain(*Inner) || Inner->InMacro)
    return false;
  const bool CloneLast = S.O == Op::Clone;
  if (Inner->O != (CloneLast ? Op::Contiguous : Op::Clone))
    return false;
  const Stmt &Dense = CloneLast ? *Inner : S;
  auto It = C.Opaque.Contiguous.find(&Dense);
  if (It == C.Opaque.Contiguous.end() || It->second.Redundant)
    return false; // tensor-redundant-contiguous speaks of that
  const std::string Name = H.name(Inner->Args[0].Value);
  Found.Message = callee(*Inner) + " and " + callee(S) + " copy " +
                  quoted(Name, "the tensor") + " twice" +
                  // A clone may be contiguous where its operand is not: it
                  // packs what has gaps.
                  (!It->second.Unknown ? ""
                   : CloneLast         ? " unless it is contiguous"
                                       : " unless the clone is contiguous") +
                  "; clone(at::MemoryFormat::Contiguous) copies once";
  // Drop the first of the two; the other becomes clone(format).
  if ((Inner->Edits & EditDropCall) && (S.Edits & EditRenameCallee)) {
    Found.Edits.push_back({Edit::DropCall, Inner->Where, Inner->Object, ""});
    if (!CloneLast)
      Found.Edits.push_back({Edit::RenameCallee, S.Callee, Range(), "clone"});
    Range End = S.Where;
    End.Begin = End.End;
    Found.Edits.push_back(
        {Edit::Insert, End, Range(), "at::MemoryFormat::Contiguous"});
  }
  return true;
}

/// Every number of the first type is one of the second.
bool widens(llvm::StringRef From, llvm::StringRef To) {
  static const std::pair<llvm::StringRef, std::set<llvm::StringRef>> Exact[] = {
      {"bool",
       {"uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16",
        "float32", "float64"}},
      {"uint8", {"int16", "int32", "int64", "float16", "float32", "float64"}},
      {"int8", {"int16", "int32", "int64", "float16", "float32", "float64"}},
      {"int16", {"int32", "int64", "float32", "float64"}},
      {"int32", {"int64", "float64"}},
      {"float16", {"float32", "float64"}},
      {"bfloat16", {"float32", "float64"}},
      {"float32", {"float64"}}};
  for (const auto &Row : Exact)
    if (Row.first == From)
      return Row.second.count(To);
  return false;
}

/// `.to(a).to(b)`: to() with nothing but a dtype, where a keeps every number.
bool Clones::convertsTwice(const Stmt &S, Finding &Found) {
  const Stmt *Inner = maker(S);
  if (S.O != Op::To || !Inner || Inner->O != Op::To || Inner->InMacro)
    return false;
  auto DType = [&](const Stmt &T) -> std::string {
    std::string Type;
    for (const Arg &A : T.Args) {
      const Stmt *D = H.def(A.Value);
      if (A.Name == "self")
        continue;
      if (A.Name != "dtype" || !D || D->O != Op::Const ||
          D->Const != ConstKind::Symbol)
        return "";
      Type = D->Text;
    }
    return Type;
  };
  const std::string First = DType(*Inner), Last = DType(S);
  auto From = C.Opaque.Operands.find(Inner);
  if (First.empty() || Last.empty() || First == Last ||
      From == C.Opaque.Operands.end() || From->second.Mixed ||
      !widens(From->second.DType, First))
    return false;
  Found.Message = "two conversions copy twice: " + From->second.DType + " to " +
                  First + " keeps every value, so to(" + Last +
                  ") alone gives the same";
  if (Inner->Edits & EditDropCall)
    Found.Edits.push_back({Edit::DropCall, Inner->Where, Inner->Object, ""});
  return true;
}

/// `.clone().to(a)` and `.to(a).clone()`: one of them copies for nothing where
/// the other does.
bool Clones::convertsCopy(const Stmt &S, Finding &Found) {
  const Stmt *Inner = maker(S);
  if (!Inner || Inner->InMacro)
    return false;
  const bool CloneLast = S.O == Op::Clone;
  const Stmt &Clone = CloneLast ? S : *Inner, &To = CloneLast ? *Inner : S;
  if (Clone.O != Op::Clone || To.O != Op::To || !isPlain(Clone))
    return false;
  std::string Wanted;
  for (const Arg &A : To.Args) {
    const Stmt *D = H.def(A.Value);
    if (A.Name == "dtype" && D && D->O == Op::Const &&
        D->Const == ConstKind::Symbol)
      Wanted = D->Text;
    else if (A.Name != "self")
      return false;
  }
  auto From = C.Opaque.Operands.find(Inner);
  if (Wanted.empty() || From == C.Opaque.Operands.end() || From->second.Mixed)
    return false;
  const std::string &Has = From->second.DType;
  if (Has == Wanted)
    return false; // to() does nothing
  const std::string Name = H.name(Inner->Args[0].Value);
  Found.Message = callee(*Inner) + " and " + callee(S) + " copy " +
                  quoted(Name, "the tensor") + " twice" +
                  (Has.empty() ? ", unless it is " + Wanted + " already" : "") +
                  "; to(" + Wanted + ", false, /*copy=*/true) copies once";
  return true;
}

/// cat() and stack() of a list written with one tensor.
bool Clones::joinsOne(const Stmt &S, Finding &Found) {
  const Arg *Tensors = findArg(S, "tensors");
  const Stmt *List = Tensors ? H.def(Tensors->Value) : nullptr;
  if (List && List->O == Op::ListCopy && !List->Args.empty())
    List = H.def(List->Args[0].Value);
  if ((S.O != Op::Cat && S.O != Op::Stack) || !List || List->O != Op::List ||
      List->Args.size() != 1 || findArg(S, "at_least"))
    return false;
  const Stmt *One = H.def(List->Args[0].Value);
  if (!One)
    return false;
  const OpClass K = opClass(One->O);
  const bool IsTensor =
      One->O == Op::Load ? C.F.Vars[One->Var].Type == VarType::Tensor
                         : K == OpClass::View || K == OpClass::MaybeCopy ||
                               K == OpClass::Copy || K == OpClass::Compute ||
                               (K == OpClass::Factory && One->O != Op::Empty);
  // split() and the like give lists.
  if (!IsTensor || One->O == Op::Split || One->O == Op::SplitSizes ||
      One->O == Op::Chunk || One->O == Op::TensorSplit ||
      One->O == Op::Unbind || One->O == Op::OtherView)
    return false;
  Found.Message =
      callee(S) + " of one tensor only copies it" +
      (S.O == Op::Stack ? "; unsqueeze() gives the same sizes without a copy"
                        : "");
  return true;
}

void Clones::run() {
  forEachStmt(C.F, [&](BlockId, const Stmt &S) {
    const bool Copies = S.O == Op::Clone || S.O == Op::Contiguous ||
                        S.O == Op::To || S.O == Op::Cat || S.O == Op::Stack;
    if (!Copies)
      return;
    Finding Found(Check::RedundantClone, 1, S);
    bool Is = false, Clone = false, Drops = false;
    if (!S.InMacro && !S.InTry && !S.Discarded) {
      Is = twice(S, Found) || convertsTwice(S, Found) || joinsOne(S, Found);
      // Where the clone itself is not needed, that is told.
      const Stmt *Inner = S.O == Op::To ? maker(S) : nullptr;
      Finding Needless(Check::RedundantClone, 1, S);
      if (!Is && Inner && Inner->O == Op::Clone && isPlain(*Inner) &&
          !dying(*Inner, Needless) && !unchanged(*Inner, Needless))
        Is = convertsCopy(S, Found);
      if (!Is && S.O == Op::Clone && isPlain(S)) {
        Drops = dying(S, Found);
        Is = Clone = Drops || unchanged(S, Found);
        // Without the copy, results may keep the strides of the original.
        auto Of = C.Opaque.Operands.find(&S);
        Drops = Drops || (Is && !Of->second.Unknown);
        if (!Is)
          Is = convertsCopy(S, Found);
      }
    }
    if (!Is) {
      C.Silent.push_back({Check::RedundantClone, Found.Point.Begin});
      return;
    }
    auto Size = C.Opaque.AllocationSize.find(&S);
    if (Clone && Size != C.Opaque.AllocationSize.end() && Size->second.known())
      Found.Message += " (" + words(Size->second) + ")";
    if (Drops && (S.Edits & EditDropCall))
      Found.Edits.push_back({Edit::DropCall, S.Where, S.Object, ""});
    C.Out.push_back(std::move(Found));
  });
}

} // namespace

void checkRedundantClone(CheckRun &C) { Clones(C).run(); }

} // namespace tensortidy::analysis
