//===- Program.cpp - names, lookups and the rules of the form -------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program/Program.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"

namespace tensortidy::program {

namespace {

struct OpInfo {
  const char *Name;
  OpClass Class;
  const char *Operands;
};

constexpr OpInfo Ops[] = {
#define TENSORTIDY_OP(Id, Name, Class, Operands, Text)                         \
  {Name, OpClass::Class, Operands},
#include "Program/Ops.def"
};

} // namespace

llvm::StringRef opName(Op O) { return Ops[static_cast<size_t>(O)].Name; }

OpClass opClass(Op O) { return Ops[static_cast<size_t>(O)].Class; }

llvm::StringRef nameIn(const Function &F, VarId V, uint32_t At) {
  for (unsigned Depth = 0; Depth < 64; ++Depth) {
    for (const VariableAlias &A : F.Aliases)
      if (A.Context == At && A.Var == V)
        return A.Name;
    if (At >= F.Contexts.size() || F.Contexts[At].Around == NoId)
      break;
    At = F.Contexts[At].Around;
  }
  return F.Vars[V].Name;
}

bool leavesMemory(const Stmt &S) {
  // The object of a method has no value of its own: a function fill(v) may do
  // anything to v.
  return S.is(Attribute::KeepsMemory) && !S.Args.empty() && !S.Args[0].Value;
}

bool fillsContainer(const Stmt &S) { return S.is(Attribute::Fills); }

bool leavesLayoutOpen(Op O) {
  return O == Op::Fresh || O == Op::OtherView || O == Op::OtherMaybeCopy ||
         O == Op::OtherMeta || O == Op::ViewDtype;
}

bool findOp(llvm::StringRef Name, Op &O) {
  static const llvm::StringMap<Op> ByName = [] {
    llvm::StringMap<Op> Map;
    for (size_t I = 0; I < std::size(Ops); ++I)
      Map[Ops[I].Name] = static_cast<Op>(I);
    return Map;
  }();
  auto It = ByName.find(Name);
  O = It == ByName.end() ? Op::Opaque : It->second;
  return It != ByName.end();
}

llvm::StringRef giveUpName(GiveUp G) {
  switch (G) {
  case GiveUp::No:
    return "analysed";
  case GiveUp::TooManyBlocks:
    return "too many blocks";
  case GiveUp::NoCfg:
    return "no control-flow graph";
  case GiveUp::HasErrors:
    return "has compile errors";
  case GiveUp::Coroutine:
    return "coroutine";
  case GiveUp::Dependent:
    return "uninstantiated template";
  case GiveUp::TooDeep:
    return "nested too deeply";
  case GiveUp::TooLong:
    return "analysis budget";
  case GiveUp::TooSlow:
    return "time budget";
  case GiveUp::Malformed:
    return "malformed program";
  }
  return "unknown";
}

const Arg *findArg(const Stmt &S, llvm::StringRef Name) {
  for (const Arg &A : S.Args)
    if (A.Name == Name)
      return &A;
  return nullptr;
}

unsigned givenSizes(const Stmt &S) {
  return llvm::count_if(S.Args, [](const Arg &A) {
    return A.Name.size() == 3 && llvm::StringRef(A.Name).starts_with("ne");
  });
}

namespace {

/// What operands an operation has, as Ops.def writes it.
class Schema {
public:
  /// \p Modelled: a model may name it, whose functions have further parameters.
  Schema(llvm::StringRef Text, bool Modelled) : Others(Modelled) {
    llvm::SmallVector<llvm::StringRef, 8> Words;
    Text.split(Words, ' ', -1, /*KeepEmpty=*/false);
    for (llvm::StringRef Word : Words) {
      const bool Optional = Word.consume_back("?");
      if (Word == "$")
        Variable = true;
      else if (Word == "...")
        Others = true;
      else if (Word == "%*")
        Most = ~0u;
      else if (Word == "%")
        Least += !Optional, ++Most;
      else
        Names.emplace_back(Word, Optional);
    }
  }

  /// What is wrong with the operands of \p S, or nothing.
  std::string problem(const Stmt &S, bool Strict) const {
    if (Variable != (S.Var != NoId))
      return Variable ? "names no variable" : "names a variable";
    unsigned Unnamed = 0;
    for (const Arg &A : S.Args) {
      Unnamed += A.Name.empty();
      if (!A.Name.empty() && !takes(A.Name))
        return "has no operand called '" + A.Name + "'";
    }
    if (Unnamed < Least || Unnamed > Most)
      return "has " + std::to_string(Unnamed) + " operands without a name";
    for (const auto &[Name, Optional] : Names)
      if (!Optional && (Strict || !Others) && !findArg(S, Name))
        return "has no '" + Name.str() + "'";
    return "";
  }

private:
  bool takes(llvm::StringRef Name) const {
    return Others ||
           llvm::any_of(Names, [&](const auto &N) { return N.first == Name; });
  }

  bool Others, Variable = false;
  unsigned Least = 0, Most = 0;
  llvm::SmallVector<std::pair<llvm::StringRef, bool>, 6> Names;
};

const Schema &schema(Op O) {
  static const std::vector<Schema> All = [] {
    std::vector<Schema> Schemas;
    for (const OpInfo &Info : Ops)
      Schemas.emplace_back(Info.Operands, Info.Class > OpClass::Condition &&
                                              Info.Class < OpClass::Effect);
    return Schemas;
  }();
  return All[static_cast<size_t>(O)];
}

/// The rules of the form, checked in one pass after collecting definitions.
class Verifier {
public:
  Verifier(const Function &F, bool Strict) : F(F), Strict(Strict) {}

  std::string run() {
    if (F.Reason != GiveUp::No && F.Blocks.empty())
      return "";
    if (F.Entry >= F.Blocks.size())
      return "the entry block does not exist";
    define();
    for (BlockId B = 0; B < F.Blocks.size() && Problem.empty(); ++B)
      checkBlock(B);
    for (LoopId L = 0; L < F.Loops.size() && Problem.empty(); ++L)
      checkLoop(L);
    for (VarId V = 0; V < F.Vars.size() && Problem.empty(); ++V)
      if (!isLoop(F.Vars[V].DeclaredIn))
        fail("variable $" + llvm::Twine(V) +
             " is declared in no loop there is");
    return Problem;
  }

private:
  /// Where a value is defined; statements count from 1, so 0 is "nowhere".
  struct Def {
    BlockId Block = NoId;
    size_t Position = 0;
  };

  void fail(const llvm::Twine &Text) {
    if (Problem.empty())
      Problem = Text.str();
  }

  bool isLoop(LoopId L) const { return L == NoId || L < F.Loops.size(); }

  void define() {
    for (BlockId B = 0; B < F.Blocks.size(); ++B) {
      size_t Position = 0;
      for (const Stmt &S : F.Blocks[B].Stmts) {
        ++Position;
        if (!S.Result)
          continue;
        if (S.Result >= F.NextValue)
          return fail("%" + llvm::Twine(S.Result) + " is past the last value");
        Def &D = Defs[S.Result];
        if (D.Position)
          return fail("%" + llvm::Twine(S.Result) + " is defined twice");
        D = {B, Position};
      }
    }
  }

  void checkUse(ValueId V, BlockId B, size_t Position) {
    auto It = Defs.find(V);
    if (It == Defs.end())
      return fail("%" + llvm::Twine(V) + " is used in block " + llvm::Twine(B) +
                  " and never defined");
    if (It->second.Block == B && It->second.Position >= Position)
      fail("%" + llvm::Twine(V) + " is used in block " + llvm::Twine(B) +
           " before it is defined");
  }

  void checkStmt(const Stmt &S, BlockId B, size_t Position) {
    auto Here = [&](const llvm::Twine &Text) {
      fail(llvm::Twine(opName(S.O)) + " in block " + llvm::Twine(B) + " " +
           Text);
    };
    if (S.Var != NoId && S.Var >= F.Vars.size())
      return Here("names a variable that does not exist");
    if (const std::string Text = schema(S.O).problem(S, Strict); !Text.empty())
      return Here(Text);
    if (const std::string Text = S.Has.problem(); !Text.empty())
      return Here(Text);
    if (S.Has.of(!S.isOpaque()) != S.Has)
      return Here(S.isOpaque() ? "has an attribute of operations"
                               : "has an attribute of other calls");
    if ((S.O == Op::Load || S.O == Op::Const) && !S.Result)
      return Here("has no result");
    for (const Arg &A : S.Args) {
      if (A.Value)
        checkUse(A.Value, B, Position);
      if (A.Var != NoId && A.Var >= F.Vars.size())
        Here("passes a variable that does not exist");
    }
  }

  void checkBlock(BlockId B) {
    const Block &Blk = F.Blocks[B];
    size_t Position = 0;
    for (const Stmt &S : Blk.Stmts)
      checkStmt(S, B, ++Position);
    if (Blk.Condition) {
      checkUse(Blk.Condition, B, Position + 1);
      if (Blk.Cases.empty() ? Blk.Succs.size() != 2
                            : Blk.Succs.size() != Blk.Cases.size())
        fail("block " + llvm::Twine(B) + " has a condition and not two arms");
    }
    for (BlockId S : Blk.Succs)
      if (S != NoId && S >= F.Blocks.size())
        fail("block " + llvm::Twine(B) + " leads to block " + llvm::Twine(S) +
             ", which does not exist");
    if (!isLoop(Blk.InLoop))
      fail("block " + llvm::Twine(B) + " is in no loop there is");
  }

  void checkLoop(LoopId L) {
    const Loop &Lp = F.Loops[L];
    if (!isLoop(Lp.Parent) || Lp.Parent == L)
      fail("loop " + llvm::Twine(L) + " has no parent there is");
    if (Lp.Head != NoId && Lp.Head >= F.Blocks.size())
      fail("loop " + llvm::Twine(L) + " starts at no block there is");
  }

  const Function &F;
  const bool Strict;
  llvm::DenseMap<ValueId, Def> Defs;
  std::string Problem;
};

} // namespace

std::optional<double> writtenReal(const Stmt *S) {
  if (const auto N = writtenNumber(S))
    return static_cast<double>(*N);
  double Is = 0;
  if (!S || S->O != Op::Const || S->Const != ConstKind::Float ||
      llvm::StringRef(S->Text).getAsDouble(Is))
    return std::nullopt;
  return Is;
}

std::string verify(const Function &F, bool Strict) {
  return Verifier(F, Strict).run();
}

} // namespace tensortidy::program
