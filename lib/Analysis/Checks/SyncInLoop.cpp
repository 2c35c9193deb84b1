//===- SyncInLoop.cpp - tensor-sync-in-loop -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Five things a loop does for nothing:
//
//   for (i ...) s += x[i].item<float>();       elements of one tensor, each by
//                                              its own view and item()
//   for (i ...) y[i] = a[i] * w.item<float>(); the same number each time
//   for (i ...) x = x + mask.to(device);       the same transfer each time
//   for (...)   total += loss.item<float>();   level 2: read to be summed up
//   for (...)   v = loss.item<float>();        read each time, and printed
//               if (i % 50 == 0) print(v);     now and then
//
// Quantifier: every iteration of the loop, whatever the tensors are; the
// def-use chains say so. That an access is fit for an accessor needs all
// states: one rank, one dtype, on the CPU, indices in range.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/CheckRun.h"
#include "Analysis/Flow/Closure.h"
#include "llvm/ADT/STLExtras.h"

namespace tensortidy::analysis {

using namespace program;

namespace {

/// Fewer accesses than this cost nothing worth a change.
constexpr int64_t FewAccesses = 16;

/// x[i][j] and what is done with it.
struct Access {
  Access(const Stmt *S, BlockId B) : S(S), B(B) {}
  const Stmt *S; ///< item(), or a write of one number
  BlockId B;
  ValueId Base = 0;           ///< x
  const Stmt *Load = nullptr; ///< of x, when x is a variable
  std::vector<ValueId> Index; ///< i, j
  bool Plain = true;          ///< written as x[i][j], with operator[] alone
  bool IfElement = false;     ///< one element if x has no further dimensions
};

class Syncs {
public:
  explicit Syncs(CheckRun &C) : C(C), F(C.F), At(C.Loops) {}
  void run();

private:
  bool isElement(const Stmt &S) const;
  bool element(ValueId V, Access &A) const;
  bool worthReporting(const Access &A, LoopId L) const;
  std::optional<int64_t> tripCount(LoopId L) const;
  std::optional<int64_t> number(ValueId V) const;
  bool isLight(LoopId L) const;
  bool writesElement(const Stmt &S) const;
  bool writtenNumber(const Stmt &S) const;
  bool isPrinted(const Stmt &S) const;
  bool writesOne(const Stmt &S, Access &A) const;
  bool wrapsNumber(ValueId V) const;
  bool isCollected(ValueId V, LoopId L, unsigned Depth = 0) const;
  void elements(llvm::ArrayRef<Access> Group, LoopId L);
  void accessor(Finding &Found, llvm::ArrayRef<Access> Group, LoopId L) const;
  bool inRange(const Access &A, size_t Dim) const;
  bool sizeIs(const Access &A, size_t Dim, ValueId Bound) const;
  bool onCpu(ValueId V, BlockId From, unsigned Depth = 0) const;
  bool checkedOnCpu(VarId V, BlockId From) const;
  bool defaultDevice(const Stmt &S, BlockId From, unsigned Depth) const;
  bool sameNumber(const Stmt &S, BlockId B);
  void sameTransfer(const Stmt &S, BlockId B);
  void collected(const Stmt &S, BlockId B);
  const Stmt *remainder(BlockId B, LoopId L) const;
  bool isUsedWhere(ValueId V, const Stmt *&Test, LoopId L,
                   unsigned Depth = 0) const;
  bool usesDevice(LoopId L) const;
  bool seldomUsed(const Stmt &S, BlockId B);
  bool dataStays(ValueId V, LoopId L) const;
  std::string name(ValueId V, const char *Else) const;

  CheckRun &C;
  const Function &F;
  const LoopFacts &At;
};

std::string Syncs::name(ValueId V, const char *Else) const {
  const Stmt *S = At.Def[V];
  return S && S->O == Op::Load ? "'" + markVariable(F, S->Var, S->Context) + "'"
                               : Else;
}

/// Whether `x.index({i, j})` has integers alone for indices.
bool Syncs::isElement(const Stmt &S) const {
  const Arg *Indices = findArg(S, "indices");
  const Stmt *L = Indices ? At.Def[Indices->Value] : nullptr;
  if (!L || L->O != Op::List)
    return L && At.isInteger(Indices->Value);
  return !L->Args.empty() && llvm::all_of(L->Args, [&](const Arg &I) {
    return At.isInteger(I.Value);
  });
}

/// x.view({-1})[i] and x.flatten()[i] are elements of x, too.
static bool isRelayout(const Stmt &S) {
  switch (S.O) {
  case Op::View:
  case Op::Reshape:
  case Op::Flatten:
  case Op::Ravel:
  case Op::Contiguous:
  case Op::Squeeze:
    return true;
  default:
    return false;
  }
}

/// Follows x[i][j], x.select(0, i), x.index({i, j}) and rows kept in variables
/// down to x.
bool Syncs::element(ValueId V, Access &A) const {
  bool Written = true; // in the access's own expression
  for (unsigned Depth = 0; Depth < 24; ++Depth) {
    const Stmt *S = At.Def[V];
    if (!S)
      return false;
    const Arg *Self = findArg(*S, "self");
    if (S->O == Op::Select && Self && findArg(*S, "index")) {
      A.Plain =
          A.Plain && Written && S->is(Attribute::Subscript) && !S->InMacro;
      A.Index.insert(A.Index.begin(), findArg(*S, "index")->Value);
    } else if (S->O == Op::Index && Self && findArg(*S, "indices")) {
      if (!isElement(*S))
        return false;
      const Arg &I = *findArg(*S, "indices");
      if (const Stmt *L = At.Def[I.Value]; L->O == Op::List) {
        for (const Arg &One : llvm::reverse(L->Args))
          A.Index.insert(A.Index.begin(), One.Value);
        A.Plain = false;
      } else {
        A.Index.insert(A.Index.begin(), I.Value);
        A.Plain =
            A.Plain && Written && S->is(Attribute::Subscript) && !S->InMacro;
      }
    } else if (Self && !A.Index.empty() &&
               (S->O == Op::Detach || isRelayout(*S))) {
      A.Plain = false;
    } else if (ValueId Only =
                   S->O == Op::Load ? At.Values.onlyValue(S->Var) : 0;
               Only && At.Def[Only] &&
               (At.Def[Only]->O == Op::Select ||
                At.Def[Only]->O == Op::Index)) {
      Written = false;
      V = Only;
      continue;
    } else if (S->O == Op::Detach && Self) {
      A.Plain = false;
    } else {
      A.Base = V;
      A.Load = S->O == Op::Load ? S : nullptr;
      return !A.Index.empty();
    }
    V = Self->Value;
  }
  return false;
}

std::optional<int64_t> Syncs::number(ValueId V) const {
  const Stmt *S = At.Values.origin(V);
  if (S && S->O == Op::Const && S->Const == ConstKind::Int)
    return S->Imm;
  if (S && S->O == Op::Dim)
    return 4; // about as many as there are
  if (!S || S->O != Op::Size)
    return std::nullopt;
  const Arg *Self = findArg(*S, "self"), *Dim = findArg(*S, "dim");
  auto D = Dim ? number(Dim->Value) : std::nullopt;
  auto Fact = Self ? C.Opaque.InLoops.find(At.Def[Self->Value])
                   : C.Opaque.InLoops.end();
  int64_t N;
  if (!D || Fact == C.Opaque.InLoops.end() || *D < 0 ||
      *D >= static_cast<int64_t>(Fact->second.Sizes.size()) ||
      llvm::StringRef(Fact->second.Sizes[*D]).getAsInteger(10, N))
    return std::nullopt;
  return N;
}

/// How often a loop runs, where the code says it.
std::optional<int64_t> Syncs::tripCount(LoopId L) const {
  for (VarId V = 0; V < F.Vars.size(); ++V)
    if (auto Counts = At.counter(V); Counts && Counts->Of == L)
      if (auto Bound = number(Counts->Bound))
        return (*Bound - Counts->Start) / Counts->Step;
  return std::nullopt;
}

/// Whether the loop does little beside its accesses: no loop of its own, no
/// other tensor is made, nothing is printed, nothing is called that cannot be
/// seen.
bool Syncs::isLight(LoopId L) const {
  for (LoopId Inner = 0; Inner < F.Loops.size(); ++Inner)
    if (Inner != L && !F.Loops[Inner].RunsOnce && At.inside(Inner, L))
      return false;
  bool Light = true;
  forEachStmt(F, [&](BlockId B, const Stmt &S) {
    if (!Light || !At.blockInside(B, L))
      return;
    switch (opClass(S.O)) {
    case OpClass::Copy:
    case OpClass::Factory:
    case OpClass::Compute:
      Light = S.O == Op::TensorOf && wrapsNumber(S.Result);
      break;
    case OpClass::MaybeCopy:
      Light = S.O == Op::To || (S.O == Op::Index && isElement(S)) ||
              (isRelayout(S) && findArg(S, "self") &&
               At.sameTensor(findArg(S, "self")->Value, L));
      break;
    case OpClass::InPlaceData:
      Light = S.O == Op::RequiresGrad || writesElement(S);
      break;
    default:
      // User code may do anything, at any cost.
      Light = S.O != Op::Backward &&
              !(S.isOpaque() &&
                (S.Reaches >= Reach::Members || S.Forward ||
                 (S.is(Attribute::Prints) && At.everyIteration(B, L))));
    }
  });
  return Light;
}

/// Whether \p S may write a single element, by what is written: rows of tensors
/// are real work.
bool Syncs::writesElement(const Stmt &S) const {
  const Arg *Self = findArg(S, "self");
  if (!Self || (S.O != Op::Update && S.O != Op::Overwrite))
    return false;
  auto Fact = C.Opaque.InLoops.find(At.Def[Self->Value]);
  const int Rank = Fact == C.Opaque.InLoops.end() ? -1 : Fact->second.Rank;
  return Rank == 0 || findArg(S, "indices") || (Rank < 0 && writtenNumber(S));
}

/// A number made a tensor only to be written: `x[i][j] = torch::tensor(v)`.
bool Syncs::wrapsNumber(ValueId V) const {
  const Stmt *S = At.Def[V];
  const Arg *Of = S && S->O == Op::TensorOf ? findArg(*S, "data") : nullptr;
  return Of && At.isNumber(Of->Value) && At.Uses[V].size() == 1 &&
         (At.Uses[V][0].S->O == Op::Update ||
          At.Uses[V][0].S->O == Op::Overwrite);
}

/// Whether what \p S writes is a number.
bool Syncs::writtenNumber(const Stmt &S) const {
  const Arg *Number = nullptr;
  for (const char *Name : {"other", "value", "v"})
    if (const Arg *N = findArg(S, Name))
      Number = N;
  return Number && (At.isNumber(Number->Value) || wrapsNumber(Number->Value));
}

/// Whether \p S writes a number to one element, `x[i][j] = v`.
bool Syncs::writesOne(const Stmt &S, Access &A) const {
  const Arg *Self = findArg(S, "self");
  auto Fact = C.Opaque.InLoops.find(At.Def[Self->Value]);
  const int Rank =
      Fact == C.Opaque.InLoops.end() ? -1 : Fact->second.Rank; // -1: not known
  if (!writtenNumber(S))
    return false;
  const Arg *Indices = findArg(S, "indices");
  const Stmt *List = Indices ? At.Def[Indices->Value] : nullptr;
  if (S.O == Op::Update && List && List->O == Op::List) {
    A.Base = Self->Value;
    A.Plain = false;
    if (At.Def[A.Base]->O == Op::Load)
      A.Load = At.Def[A.Base];
    for (const Arg &I : List->Args) {
      if (!At.isInteger(I.Value))
        return false;
      A.Index.push_back(I.Value);
    }
    A.IfElement = Rank < 0;
    return Rank == static_cast<int>(A.Index.size()) ||
           (A.IfElement && A.Index.size() > 1);
  }
  A.IfElement = Rank < 0;
  return (S.O == Op::Update || S.O == Op::Overwrite) && Rank <= 0 &&
         element(Self->Value, A) && (!A.IfElement || A.Index.size() > 1);
}

/// Whether all that is done with the number is to print it.
bool Syncs::isPrinted(const Stmt &S) const {
  if (At.Uses[S.Result].empty())
    return false;
  return llvm::all_of(At.Uses[S.Result], [](const LoopFacts::Use &U) {
    return U.S->is(Attribute::Formats);
  });
}

/// The tensor is one for all iterations, and the element another each time.
bool Syncs::worthReporting(const Access &A, LoopId L) const {
  if (F.Loops[L].RunsOnce || !At.sameTensor(A.Base, L) || isPrinted(*A.S) ||
      llvm::all_of(A.Index, [&](ValueId I) { return At.invariant(I, L); }))
    return false;
  int64_t Count = 1;
  for (; L != NoId && At.sameTensor(A.Base, L); L = F.Loops[L].Parent) {
    auto Trips = tripCount(L);
    if (!Trips)
      return true;
    Count *= std::min<int64_t>(*Trips, FewAccesses);
  }
  return Count >= FewAccesses;
}

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

/// Whether a test that all paths to \p From pass, and that throws otherwise,
/// says that the parameter \p V is on the CPU.
bool Syncs::checkedOnCpu(VarId V, BlockId From) const {
  if (!At.Stores[V].empty())
    return false;
  auto Says = [&](ValueId Condition, bool Holds) {
    for (const Stmt *S = At.Def[Condition]; S;
         S = S->Args.empty() ? nullptr : At.Def[S->Args[0].Value]) {
      if (S->O == Op::Not) {
        Holds = !Holds;
        continue;
      }
      const bool Cpu = S->is(Attribute::IsCpu), Cuda = S->is(Attribute::IsCuda);
      if (!(Cpu && Holds) && !(Cuda && !Holds))
        return false;
      const Stmt *Of = S->Args.empty() ? nullptr : At.Def[S->Args[0].Value];
      if (Of && Of->O == Op::DeviceOf)
        Of = At.Def[Of->Args[0].Value];
      return Of && Of->O == Op::Load && Of->Var == V;
    }
    return false;
  };
  for (BlockId B = 0; B < F.Blocks.size(); ++B) {
    const Block &Blk = F.Blocks[B];
    for (const Stmt &S : Blk.Stmts)
      if (S.O == Op::Assume && !S.Args.empty() && Says(S.Args[0].Value, true) &&
          At.passes(B, From))
        return true;
    if (!Blk.Condition || Blk.Succs.size() != 2)
      continue;
    for (unsigned Arm = 0; Arm < 2; ++Arm) {
      const BlockId Other = Blk.Succs[1 - Arm];
      bool Throws = Other == NoId || F.Blocks[Other].Succs.empty();
      if (Throws && Says(Blk.Condition, Arm == 0) && At.passes(B, From))
        return true;
    }
  }
  return false;
}

/// Whether a factory, or whatever takes options, is left to the CPU.
bool Syncs::defaultDevice(const Stmt &S, BlockId From, unsigned Depth) const {
  for (const Arg &A : S.Args) {
    const Stmt *D = A.Value ? At.Def[A.Value] : nullptr;
    if (A.Name == "device" &&
        !(D && D->O == Op::Const &&
          (D->Const == ConstKind::None || D->Text == "cpu")))
      return false;
    if (A.Name != "options" && !(S.O == Op::OptionsOp && A.Name == "self"))
      continue;
    if (!D || Depth > 12)
      return false;
    const Arg *Of = findArg(*D, "self");
    if (D->O == Op::OptionsOf
            ? !Of || !onCpu(Of->Value, From, Depth + 1)
            : D->O != Op::OptionsOp || !defaultDevice(*D, From, Depth + 1))
      return false;
  }
  return true;
}

bool Syncs::onCpu(ValueId V, BlockId From, unsigned Depth) const {
  const Stmt *S = V ? At.Def[V] : nullptr;
  if (!S || Depth > 12)
    return false;
  if (S->O == Op::Load) {
    const Variable &Var = F.Vars[S->Var];
    if (Var.IsParam && !Var.IsMember && Var.Type == VarType::Tensor)
      return checkedOnCpu(S->Var, From);
    if (Var.IsMember || Var.IsStatic || Var.IsReference || Var.IsCaptured)
      return false;
    const auto &Stores = At.Stores[S->Var];
    return !Stores.empty() && llvm::all_of(Stores, [&](const Stmt *T) {
      return T && onCpu(T->Args[0].Value, From, Depth + 1);
    });
  }
  if (S->O == Op::To) {
    const Arg *Device = findArg(*S, "device");
    if (const Arg *Options = findArg(*S, "options"))
      if (const Stmt *O = At.Def[Options->Value])
        Device = findArg(*O, "device");
    if (findArg(*S, "other"))
      return false;
    if (Device) {
      const Stmt *D = At.Def[Device->Value];
      return D && D->O == Op::Const && D->Text == "cpu";
    }
    return defaultDevice(*S, From, Depth) && findArg(*S, "self") &&
           onCpu(findArg(*S, "self")->Value, From, Depth + 1);
  }
  switch (opClass(S->O)) {
  case OpClass::Factory: {
    const Arg *Self = findArg(*S, "self");
    return defaultDevice(*S, From, Depth) &&
           (!Self || onCpu(Self->Value, From, Depth + 1));
  }
  case OpClass::View:
  case OpClass::MaybeCopy:
  case OpClass::Copy:
    if (const Arg *Self = findArg(*S, "self"))
      return S->O != Op::OtherMaybeCopy && onCpu(Self->Value, From, Depth + 1);
    return false;
  default:
    return false;
  }
}

/// Whether \p Bound is the size of dimension \p Dim of the tensor.
bool Syncs::sizeIs(const Access &A, size_t Dim, ValueId Bound) const {
  auto N = number(Bound);
  auto Fact = C.Opaque.InLoops.find(A.Load);
  int64_t Size;
  if (N && Fact != C.Opaque.InLoops.end() && Dim < Fact->second.Sizes.size() &&
      !llvm::StringRef(Fact->second.Sizes[Dim]).getAsInteger(10, Size))
    return *N <= Size;
  const Stmt *S = At.Values.origin(Bound);
  if (S && S->O == Op::Size) {
    const Arg *Self = findArg(*S, "self"), *D = findArg(*S, "dim");
    const Stmt *Of = Self ? At.Def[Self->Value] : nullptr;
    auto Which = D ? number(D->Value) : std::nullopt;
    return Of && Of->O == Op::Load && Of->Var == A.Load->Var && Which &&
           *Which == static_cast<int64_t>(Dim);
  }
  // zeros({n, m}), with an n that never changes.
  const Stmt *Made = At.Values.origin(A.Base);
  const Arg *Sizes = Made && opClass(Made->O) == OpClass::Factory
                         ? findArg(*Made, "size")
                         : nullptr;
  const Stmt *List = Sizes ? At.Def[Sizes->Value] : nullptr;
  if (!S || S->O != Op::Load || !At.Stores[S->Var].empty() || !List ||
      List->O != Op::List || Dim >= List->Args.size())
    return false;
  const Variable &Var = F.Vars[S->Var];
  const Stmt *Given = At.Values.origin(List->Args[Dim].Value);
  return Var.IsParam && !Var.IsReference && !Var.IsCaptured && Given &&
         Given->O == Op::Load && Given->Var == S->Var;
}

/// Whether index \p Dim is neither negative nor too large.
bool Syncs::inRange(const Access &A, size_t Dim) const {
  const Stmt *I = At.Def[A.Index[Dim]];
  if (!I)
    return false;
  if (I->O == Op::Const) {
    auto Fact = C.Opaque.InLoops.find(A.Load);
    int64_t Size;
    return I->Const == ConstKind::Int && I->Imm >= 0 &&
           Fact != C.Opaque.InLoops.end() && Dim < Fact->second.Sizes.size() &&
           !llvm::StringRef(Fact->second.Sizes[Dim]).getAsInteger(10, Size) &&
           I->Imm < Size;
  }
  auto Counts = I->O == Op::Load ? At.counter(I->Var) : std::nullopt;
  return Counts && At.blockInside(A.B, Counts->Of) &&
         At.sameTensor(A.Base, Counts->Of) && sizeIs(A, Dim, Counts->Bound);
}

/// `float` for float32; null where no accessor is of that type.
static const char *elementType(llvm::StringRef DType) {
  static const std::pair<const char *, const char *> Types[] = {
      {"float32", "float"}, {"float64", "double"}, {"int64", "int64_t"},
      {"int32", "int"},     {"int16", "int16_t"},  {"int8", "int8_t"},
      {"uint8", "uint8_t"}, {"bool", "bool"}};
  for (const auto &[Name, Type] : Types)
    if (DType == Name)
      return Type;
  return nullptr;
}

/// Adds the edits that make every access go through one accessor, when all
/// that an accessor takes for granted is known.
void Syncs::accessor(Finding &Found, llvm::ArrayRef<Access> Group,
                     LoopId L) const {
  const Access &First = Group[0];
  auto Fact = C.Opaque.InLoops.find(First.Load);
  if (!First.Load || Fact == C.Opaque.InLoops.end())
    return;
  const char *Type = elementType(Fact->second.DType);
  const Variable &Var = F.Vars[First.Load->Var];
  const std::string Name = Var.Name + "_a";
  if (!Type || Fact->second.Rank < 1 || Var.IsMember ||
      Fact->second.Rank != static_cast<int>(First.Index.size()) ||
      !onCpu(First.Base, First.B) ||
      llvm::any_of(F.Vars, [&](const Variable &V) { return V.Name == Name; }))
    return;
  for (const Access &A : Group) {
    if (!A.Plain || !A.Load || A.S->InMacro || A.Load->InMacro ||
        A.Index.size() != First.Index.size())
      return;
    for (size_t D = 0; D < A.Index.size(); ++D)
      if (!inRange(A, D))
        return;
    if (A.S->O == Op::Item) {
      const Arg *As = findArg(*A.S, "dtype");
      if (!As || At.Def[As->Value]->Text != Fact->second.DType)
        return;
      continue;
    }
    // A write that autograd does not need to see, of what is a number.
    const Stmt *Made = At.Values.origin(First.Base);
    const Arg *Other = findArg(*A.S, "other");
    if (!A.S->is(Attribute::Assigns) || !A.S->Discarded || !Other ||
        !At.isNumber(Other->Value) || !Made ||
        opClass(Made->O) != OpClass::Factory || findArg(*Made, "options") ||
        llvm::StringRef(Type) == "bool")
      return;
  }
  // Before the outermost loop in which the tensor stays the same.
  while (
      F.Loops[L].Parent != NoId &&
      At.sameTensor(First.Base, F.Loops[L].Parent) &&
      !(Var.DeclaredIn != NoId && At.inside(Var.DeclaredIn, F.Loops[L].Parent)))
    L = F.Loops[L].Parent;
  // Nothing between the accessor and its uses makes the tensor another one.
  bool Moves = false;
  forEachStmt(F, [&](BlockId B, const Stmt &S) {
    if (opClass(S.O) == OpClass::InPlaceMeta && At.blockInside(B, L))
      Moves = true;
  });
  if (Moves)
    return;
  Found.Edits.push_back({Edit::InsertLine,
                         F.Loops[L].Where,
                         {},
                         "auto " + Name + " = " + Var.Name + ".accessor<" +
                             Type + ", " + std::to_string(First.Index.size()) +
                             ">();"});
  for (const Access &A : Group) {
    Found.Edits.push_back({Edit::RenameCallee, A.Load->Where, {}, Name});
    if (A.S->O == Op::Item)
      Found.Edits.push_back({Edit::DropCall, A.S->Where, A.S->Object, ""});
  }
}

void Syncs::elements(llvm::ArrayRef<Access> Group, LoopId L) {
  const Access &First = Group[0];
  bool Reads =
      llvm::any_of(Group, [](const Access &A) { return A.S->O == Op::Item; });
  bool Writes =
      llvm::any_of(Group, [](const Access &A) { return A.S->O != Op::Item; });
  const std::string X = name(First.Base, "a tensor");
  Finding Found(Check::SyncInLoop, 1, *First.S);
  Found.Message =
      "this loop " +
      std::string(Reads ? Writes ? "reads and writes " : "reads " : "writes ") +
      X +
      " number by number: each access makes a tensor, over a "
      "microsecond each" +
      (Reads && !onCpu(First.Base, First.B)
           ? ", and waits for the device it is on"
           : "") +
      (llvm::all_of(Group, [](const Access &A) { return A.IfElement; })
           ? " (where " + X + " has " + std::to_string(First.Index.size()) +
                 " dimensions)"
           : "");
  accessor(Found, Group, L);
  bool OnCpu = onCpu(First.Base, First.B);
  Found.Notes.push_back(
      {F.Loops[L].Where,
       OnCpu ? "an accessor made before the loop takes nanoseconds"
             : "once before the loop: take " + X +
                   " to the CPU and make an accessor, which takes "
                   "nanoseconds" +
                   (Writes ? "; after the loop: copy_() it back" : "")});
  for (const Access &A : Group.drop_front().take_front(3))
    Found.Notes.push_back({A.S->point(), "and here"});
  C.Out.push_back(std::move(Found));
}

//===----------------------------------------------------------------------===//
// The same in every iteration
//===----------------------------------------------------------------------===//

/// Whether the elements of \p V stay what they are in \p L: nothing that is
/// seen changes them, and nothing unseen can reach them.
bool Syncs::dataStays(ValueId V, LoopId L) const {
  return At.invariant(V, L) && (!At.CallsUnknown[L] || At.ownElements(V));
}

bool Syncs::sameNumber(const Stmt &S, BlockId B) {
  const Arg *Self = findArg(S, "self");
  LoopId Best = NoId;
  for (LoopId L = F.Blocks[B].InLoop; L != NoId; L = F.Loops[L].Parent) {
    if (F.Loops[L].RunsOnce || !At.everyIteration(B, L) ||
        !dataStays(Self->Value, L))
      break;
    if (tripCount(L).value_or(FewAccesses) >= FewAccesses)
      Best = L;
  }
  if (Best == NoId)
    return false;
  Finding Found(Check::SyncInLoop, 1, S);
  Found.Message = "item() reads the same number of " +
                  name(Self->Value, "the same tensor") +
                  " in every iteration; hoist it out of the loop";
  Found.Notes.push_back(
      {F.Loops[Best].Where, "nothing it depends on changes in this loop"});
  At.hoist(S, B, Found.Edits);
  C.Out.push_back(std::move(Found));
  return true;
}

/// The device that \p S takes its tensor to, or null.
static const Stmt *deviceOf(const Stmt &S, const LoopFacts &At) {
  const Arg *Device = findArg(S, "device");
  if (const Arg *Options = findArg(S, "options"))
    if (const Stmt *O = At.Def[Options->Value])
      Device = findArg(*O, "device");
  return Device ? At.Def[Device->Value] : nullptr;
}

void Syncs::sameTransfer(const Stmt &S, BlockId B) {
  const Arg *Self = findArg(S, "self");
  const Stmt *Device = deviceOf(S, At);
  if (!Device || C.Opaque.SureCopies.count(&S) ||
      (Device->Text == "cpu" && onCpu(Self->Value, B)))
    return;
  LoopId Best = NoId;
  for (LoopId L = F.Blocks[B].InLoop; L != NoId; L = F.Loops[L].Parent) {
    bool Scratch = false;
    if (F.Loops[L].RunsOnce || !At.everyIteration(B, L) ||
        !dataStays(Self->Value, L) ||
        !llvm::all_of(S.Args,
                      [&](const Arg &A) { return At.invariant(A.Value, L); }) ||
        !C.Held.staysInside(S, L, Scratch))
      break;
    Best = L;
  }
  if (Best == NoId)
    return;
  Finding Found(Check::SyncInLoop, 1, S);
  Found.Message = S.Text + "() makes the same transfer of " +
                  name(Self->Value, "the same tensor") +
                  " in every iteration, unless it is there already; hoist it "
                  "out of the loop";
  Found.Notes.push_back(
      {F.Loops[Best].Where, "nothing it depends on changes in this loop"});
  At.hoist(S, B, Found.Edits);
  C.Out.push_back(std::move(Found));
}

//===----------------------------------------------------------------------===//
// Read to be collected
//===----------------------------------------------------------------------===//

/// Whether all that loop \p L does with the number is to add it to a sum, or
/// to put it into a list.
bool Syncs::isCollected(ValueId V, LoopId L, unsigned Depth) const {
  if (At.Uses[V].empty() || Depth > 8)
    return false;
  return llvm::all_of(At.Uses[V], [&](const LoopFacts::Use &U) {
    if (!At.blockInside(U.B, L))
      return true;
    const Stmt &T = *U.S;
    if (T.O == Op::Store) {
      const Variable &Var = F.Vars[T.Var];
      const Stmt *Sum = At.Def[V];
      bool Adds = Sum->O == Op::IAdd || Sum->O == Op::Plus;
      bool IsLocal = Var.DeclaredIn != NoId && At.inside(Var.DeclaredIn, L);
      return llvm::all_of(At.Loads[T.Var], [&](const Stmt *Load) {
        const BlockId B = At.DefBlock[Load->Result];
        if (!At.blockInside(B, L))
          return true;
        if (IsLocal)
          return isCollected(Load->Result, L, Depth + 1);
        bool IsTerm = llvm::any_of(
            Sum->Args, [&](const Arg &A) { return A.Value == Load->Result; });
        // A look at the sum now and then is no reason to read each term.
        return Adds && (IsTerm || !At.everyIteration(B, L));
      });
    }
    if (T.calls(Attribute::Appends))
      return true;
    bool IsArithmetic = opClass(T.O) == OpClass::Integer ||
                        (T.isOpaque() && T.Result && T.IsScalar) ||
                        T.O == Op::Plus;
    return IsArithmetic && isCollected(T.Result, L, Depth + 1);
  });
}

void Syncs::collected(const Stmt &S, BlockId B) {
  const Arg *Self = findArg(S, "self");
  const LoopId L = F.Blocks[B].InLoop;
  if (F.Loops[L].RunsOnce || !At.everyIteration(B, L) ||
      onCpu(Self->Value, B) || !isCollected(S.Result, L))
    return;
  Finding Found(Check::SyncInLoop, 2, S);
  Found.Message = "item() waits for the device in every iteration, and the "
                  "number is only collected";
  Found.Notes.push_back({F.Loops[L].Where,
                         "collect detach()ed tensors in this loop, and read "
                         "them once after it"});
  C.Out.push_back(std::move(Found));
}

//===----------------------------------------------------------------------===//
// Read in every iteration, used in few
//===----------------------------------------------------------------------===//

/// The remainder that says whether an iteration of \p L comes to \p B:
/// `if (step % n == 0)`; null where none does.
const Stmt *Syncs::remainder(BlockId B, LoopId L) const {
  for (BlockId X = 0; X < F.Blocks.size(); ++X) {
    const Block &Test = F.Blocks[X];
    if (!Test.Condition || !At.blockInside(X, L) || Test.Succs.size() != 2)
      continue;
    const Stmt *Found = nullptr;
    closure(Test.Condition, [&](ValueId V, auto Add) {
      const Stmt *S = At.Values.origin(V);
      if (S && (opClass(S->O) == OpClass::Condition || S->O == Op::Phi))
        for (const Arg &A : S->Args)
          Add(A.Value);
      Found = S && S->O == Op::IMod ? S : nullptr;
      return !Found;
    });
    if (Found && llvm::any_of(Test.Succs, [&](BlockId Arm) {
          return Arm != NoId && At.blockInside(Arm, L) &&
                 !At.everyIteration(Arm, L) && At.passes(Arm, B);
        }))
      return Found;
  }
  return nullptr;
}

/// Whether all that \p L does with the number \p V stands where a remainder,
/// \p Test, says so.
bool Syncs::isUsedWhere(ValueId V, const Stmt *&Test, LoopId L,
                        unsigned Depth) const {
  return Depth < 8 &&
         llvm::all_of(
             At.Uses[V],
             [&](const LoopFacts::Use &U) {
               if (U.S->O == Op::Store) {
                 const Variable &Var = F.Vars[U.S->Var];
                 return Var.DeclaredIn != NoId &&
                        At.inside(Var.DeclaredIn, L) &&
                        At.Values.isOwn(U.S->Var) &&
                        llvm::all_of(At.Loads[U.S->Var], [&](const Stmt *Load) {
                          return isUsedWhere(Load->Result, Test, L, Depth + 1);
                        });
               }
               const Stmt *Found =
                   At.blockInside(U.B, L) ? remainder(U.B, L) : nullptr;
               Test = Found ? Found : Test;
               return Found != nullptr;
             });
}

/// Whether \p L takes tensors to a device, which it then has to wait for.
bool Syncs::usesDevice(LoopId L) const {
  bool Uses = false;
  forEachStmt(F, [&](BlockId B, const Stmt &S) {
    const Stmt *Device =
        S.O == Op::To && At.blockInside(B, L) ? deviceOf(S, At) : nullptr;
    Uses = Uses || (Device && Device->Text != "cpu");
  });
  return Uses;
}

bool Syncs::seldomUsed(const Stmt &S, BlockId B) {
  const Arg *Self = findArg(S, "self");
  const LoopId L = At.loopAround(B);
  const Stmt *Test = nullptr;
  if (L == NoId || !At.everyIteration(B, L) || S.Context ||
      onCpu(Self->Value, B) || !usesDevice(L) ||
      !isUsedWhere(S.Result, Test, L) || !Test)
    return false;
  Finding Found(Check::SyncInLoop, 1, S);
  Found.Message =
      "item() waits for the device in every iteration, for a number "
      "that is used in some: read it where it is used";
  Found.Notes.push_back({Test->Where, "this says in which"});
  C.Out.push_back(std::move(Found));
  return true;
}

void Syncs::run() {
  // By innermost loop and tensor.
  llvm::MapVector<std::pair<LoopId, uint64_t>, std::vector<Access>> Groups;
  auto Key = [&](const Access &A) {
    return A.Load ? A.Load->Var : F.Vars.size() + A.Base;
  };
  for (BlockId B = 0; B < F.Blocks.size(); ++B) {
    const LoopId L = F.Blocks[B].InLoop;
    if (L == NoId || !At.comesBack(B, L)) // at most once, on the way out
      continue;
    for (const Stmt &S : F.Blocks[B].Stmts) {
      const Arg *Self = findArg(S, "self");
      if (!Self)
        continue;
      Access A(&S, B);
      if (S.O == Op::Item) {
        if (element(Self->Value, A) && worthReporting(A, L) && isLight(L))
          Groups[{L, Key(A)}].push_back(std::move(A));
        else if (!sameNumber(S, B) && !seldomUsed(S, B))
          collected(S, B);
      } else if (S.O == Op::Update || S.O == Op::Overwrite) {
        if (writesOne(S, A) && worthReporting(A, L) && isLight(L))
          Groups[{L, Key(A)}].push_back(std::move(A));
      } else if (S.O == Op::To) {
        sameTransfer(S, B);
      }
    }
  }
  for (const auto &[Where, Group] : Groups)
    elements(Group, Where.first);
}

} // namespace

void checkSyncInLoop(CheckRun &C) {
  if (!C.F.Loops.empty())
    Syncs(C).run();
}

} // namespace tensortidy::analysis
