//===- GraphMemory.cpp - when nodes of a graph have values ----------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parts of tensor-uninitialized-read and tensor-dangling-data-pointer. A node
// of ggml has values from when a graph has run until its memory is another's:
//
//   y = ggml_mul_mat(ctx, w, x);         a description of what is to come
//   ggml_gallocr_alloc_graph(a, gf);     has memory, once who reads it has run
//                                        that of others, unless it is an output
//   ggml_backend_graph_compute(b, gf);   has values
//   ggml_gallocr_alloc_graph(a, other);  all memory of 'a' is given out again
//
// Quantifier: one node, which is known wherever it is used. Before it has
// values: all paths, and nothing on them may compute it.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/CheckRun.h"
#include "Analysis/Checks/Wording.h"
#include "Analysis/Flow/Closure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace tensortidy::analysis {

using namespace program;

namespace {

/// Which nodes, graphs and pointers values are.
class GraphValues {
public:
  explicit GraphValues(const CheckRun &C) : C(C), F(C.F), Held(C.Held) {}

  /// Visits what some path comes to.
  template <class Fn> void forEach(Fn &&Call) const {
    const std::vector<bool> &Comes = C.Opaque.Comes;
    forEachStmt(F, [&](BlockId B, const Stmt &S) {
      if (B < Comes.size() && Comes[B])
        Call(S);
    });
  }

  static bool isAlias(const Stmt &S) {
    return S.O == Op::GgmlView || S.O == Op::GgmlReshape ||
           S.O == Op::GgmlPermute || S.O == Op::GgmlAlias ||
           S.O == Op::GgmlInPlace;
  }
  /// What a graph computes, into memory of its own.
  static bool isNode(const Stmt &S) {
    return opClass(S.O) == OpClass::Graph && S.O != Op::GgmlNew &&
           !S.is(Attribute::MakesLeaf) && !isAlias(S);
  }

  /// All that \p V may be, looked up in objects that were made of their fields
  /// as well; empty where that is not known.
  std::vector<const Stmt *> origins(ValueId V, unsigned Depth = 0) const {
    std::vector<const Stmt *> Found;
    for (const Stmt *S : Held.origins(V)) {
      if (S->O != Op::ListGet || Depth > 8) {
        Found.push_back(S);
        continue;
      }
      for (const Stmt *Whole : origins(S->Args[0].Value, Depth + 1)) {
        const auto Part = partOf(*Whole, *S, Depth);
        if (Part.empty())
          return {S};
        Found.insert(Found.end(), Part.begin(), Part.end());
      }
    }
    return Found;
  }
  const Stmt *origin(ValueId V) const {
    const auto From = origins(V);
    return From.size() == 1 ? From[0] : nullptr;
  }

  /// What computes the memory that \p V names; null where that is not known.
  const Stmt *memory(ValueId V) const {
    for (unsigned Depth = 0; Depth < 24; ++Depth) {
      const Stmt *S = origin(V);
      const Arg *Self = S && isAlias(*S) ? findArg(*S, "self") : nullptr;
      if (!Self)
        return S;
      V = Self->Value;
    }
    return nullptr;
  }
  const Stmt *node(ValueId V) const {
    const Stmt *S = memory(V);
    return S && isNode(*S) ? S : nullptr;
  }

  /// Whether two values are one object for certain: made by one statement, or
  /// both in a variable that has it from its beginning.
  bool isSame(ValueId V, ValueId W) const {
    const Stmt *X = origin(V), *Y = origin(W);
    if (X && Y && isHeld(*X) && isHeld(*Y))
      return isOneVariable(holder(*X), holder(*Y));
    if (X || Y)
      return X == Y;
    return isOneVariable(loaded(V), loaded(W));
  }
  /// Whether they are two.
  bool differ(ValueId V, ValueId W) const {
    const Stmt *X = origin(V), *Y = origin(W);
    return X && Y && X != Y;
  }

  VarId loaded(ValueId V) const { return C.Flow.Values.loaded(V); }

  /// What messages call \p V, or what it is a view of; or empty.
  std::string name(ValueId V) const {
    std::string Name = Held.name(V);
    for (unsigned Depth = 0; Name.empty() && Depth < 24; ++Depth) {
      const Stmt *S = origin(V);
      const Arg *Self = S && isAlias(*S) ? findArg(*S, "self") : nullptr;
      if (!Self)
        break;
      V = Self->Value;
      Name = Held.name(V);
    }
    return Name;
  }

  /// What the function calls the variable that \p Node is put into; or empty.
  std::string nameOf(const Stmt &Node) const {
    for (const DefUse::Use &U : C.Flow.Values.Uses[Node.Result])
      if (U.S->O == Op::Store && !F.Vars[U.S->Var].Name.empty())
        return called(F, U.S->Var, U.S->Context);
    return "";
  }

  /// Places what is told of a read of \p Node: at the call, if a function is
  /// given the node to read it.
  Finding foundAt(const Stmt &Read, unsigned Level, const Stmt &Node) const {
    Finding Found(Check::UninitializedRead, Level, Read);
    const uint32_t Call = outermostCall(F, Read.Context);
    if (!Call || Call == outermostCall(F, Node.Context)) {
      Found.At = &Read;
    } else {
      Found.Where = Found.Point = F.Contexts[Call].Where;
      Found.InCall = true;
      Found.Notes.push_back({Read.point(), "read here"});
    }
    return Found;
  }
  /// What messages call \p V there.
  std::string nameIn(const Finding &Found, ValueId V) const {
    for (unsigned Depth = 0; Found.InCall && Depth < 24; ++Depth) {
      const Stmt *D = Held.def(V);
      const bool IsTheirs = D && D->O == Op::Load && F.Vars[D->Var].Context;
      const auto From =
          IsTheirs ? Held.reaching(*D) : std::vector<const Stmt *>();
      if (From.size() != 1)
        break;
      V = From[0]->Args[0].Value;
    }
    return quoted(name(V), "a node");
  }

  const CheckRun &C;
  const Function &F;
  const Handles &Held;

private:
  /// owner.get()
  static bool isHeld(const Stmt &S) {
    return S.calls(Attribute::GivesPointer) && !S.Args.empty();
  }
  VarId holder(const Stmt &S) const {
    return S.Args[0].Var != NoId ? S.Args[0].Var : loaded(S.Args[0].Value);
  }
  /// Nothing gives it another value.
  bool isOneVariable(VarId V, VarId W) const {
    return V != NoId && V == W && C.Flow.Values.Stores[V].empty();
  }

  std::vector<const Stmt *> partOf(const Stmt &Whole, const Stmt &Get,
                                   unsigned Depth) const {
    int64_t I = Get.Imm;
    if (Get.Args.size() > 1) {
      const Stmt *N = Held.def(Get.Args[1].Value);
      if (!N || N->O != Op::Const || N->Const != ConstKind::Int)
        return {};
      I = N->Imm;
    }
    if (Whole.O != Op::List || I < 0 ||
        static_cast<size_t>(I) >= Whole.Args.size())
      return {};
    return origins(Whole.Args[static_cast<size_t>(I)].Value, Depth + 1);
  }
};

//===----------------------------------------------------------------------===//
// Memory that is given to nodes which come later
//===----------------------------------------------------------------------===//

///   y = ggml_mul_mat(ctx, w, x); z = ggml_add(ctx, y, b);
///   ggml_gallocr_alloc_graph(alloc, graph); ...
///   ggml_backend_tensor_get(y, ...);   // z may lie there
class NoOutputs {
public:
  /// \p Told: reads of which more is known.
  NoOutputs(CheckRun &C, const GraphValues &Of,
            const llvm::SmallPtrSetImpl<const Stmt *> &Told)
      : C(C), Of(Of), Told(Told) {}

  void check() {
    Of.forEach([&](const Stmt &S) {
      if (S.is(Attribute::SharesMemory))
        Shares.push_back(&S);
      if (S.is(Attribute::ReadsBlock) || S.is(Attribute::ReadsValues))
        Reads.push_back(&S);
      if (S.is(Attribute::KeepsNode))
        keep(S);
    });
    if (Shares.empty() || KeepsSome)
      return;
    for (const Stmt *S : Reads)
      read(*S);
  }

private:
  void keep(const Stmt &S) {
    bool Known = false;
    for (const Arg &A : S.Args)
      if (const Stmt *Node = A.Value ? Of.memory(A.Value) : nullptr) {
        Kept.insert(Node);
        Known = true;
      }
    KeepsSome = KeepsSome || !Known;
  }

  void read(const Stmt &S) {
    const Arg *Self = findArg(S, "self");
    const Stmt *Node = Self ? Of.node(Self->Value) : nullptr;
    if (!Node || Kept.contains(Node) || Told.contains(&S))
      return;
    const Stmt *Given = nullptr, *Reader = nullptr;
    for (const Stmt *T : Shares)
      if (C.Held.runsAfter(*Node, *T) && C.Held.runsAfter(*T, S, Node))
        Given = T;
    Of.forEach([&](const Stmt &T) {
      if (GraphValues::isNode(T) && &T != Node &&
          llvm::any_of(T.Args, [&](const Arg &A) {
            return A.Value && A.Value != T.Result && Of.memory(A.Value) == Node;
          }))
        Reader = &T;
    });
    if (!Given || !Reader)
      return;
    Finding Found = Of.foundAt(S, 1, *Node);
    Found.Message = "reads " + Of.nameIn(Found, Self->Value) +
                    ", which is no output of its graph: its memory is given to "
                    "nodes that come later";
    Found.Notes.push_back(
        {Reader->point(), "once this has run, nothing needs it any more"});
    Found.Notes.push_back(
        {Given->point(), quoted(Given->Text, "this") +
                             " gives memory out; ggml_set_output() before it "
                             "keeps that of the node"});
    C.Out.push_back(std::move(Found));
  }

  CheckRun &C;
  const GraphValues &Of;
  const llvm::SmallPtrSetImpl<const Stmt *> &Told;
  std::vector<const Stmt *> Shares, Reads;
  llvm::SmallPtrSet<const Stmt *, 4> Kept;
  bool KeepsSome = false; ///< of a node that is not known
};

//===----------------------------------------------------------------------===//
// Values that nothing has computed
//===----------------------------------------------------------------------===//

///   y = ggml_mul_mat(ctx, w, x);
///   ggml_build_forward_expand(graph, y);
///   float first = ggml_get_f32_1d(y, 0);   // the graph has not run
class EarlyReads {
public:
  /// \p Told: gets the reads that are told.
  EarlyReads(CheckRun &C, const GraphValues &Of,
             llvm::SmallPtrSetImpl<const Stmt *> &Told)
      : C(C), Of(Of), Told(Told) {}

  void check() {
    bool HasNodes = false, IsRead = false;
    Of.forEach([&](const Stmt &S) {
      HasNodes = HasNodes || GraphValues::isNode(S);
      IsRead = IsRead || S.O == Op::DataPtr || S.is(Attribute::ReadsBlock) ||
               S.is(Attribute::ReadsValues);
      relate(S);
    });
    if (!HasNodes || !IsRead)
      return;
    Of.forEach([&](const Stmt &S) {
      if (mayRun(S))
        Runs.push_back(&S);
      use(S);
    });
    llvm::SmallPtrSet<const Stmt *, 4> Nodes;
    for (const Access &Read : Reads)
      if (isEarly(Read)) {
        Told.insert(Read.At);
        if (Nodes.insert(Read.Node).second)
          tell(Read);
      }
  }

private:
  struct Access {
    const Stmt *Node, *At;
    ValueId Name; ///< the node, as it is named there
  };

  /// Notes who holds graphs, and the contexts they are in.
  void relate(const Stmt &S) {
    if (opClass(S.O) != OpClass::Graph && !S.is(Attribute::Output))
      return;
    for (const Arg &A : S.Args)
      if (A.Name == "ctx" || A.Name == "cgraph") {
        if (const Stmt *D = C.Held.def(A.Value))
          Holders.insert(D);
        for (VarId V = Of.loaded(A.Value); V < C.F.Vars.size();
             V = C.F.Vars[V].Base)
          HolderVars.insert(V); // and the object it is in
      }
  }

  bool holds(const Arg &A) const {
    const Stmt *D = C.Held.def(A.Value);
    return Holders.contains(D) || HolderVars.count(A.Var) ||
           (D && D->O == Op::Load && HolderVars.count(D->Var));
  }

  /// Whether a graph, or a context, may be in what is given to user code.
  bool mayHold(const Arg &A) const {
    const Stmt *D = C.Held.def(A.Value);
    const VarId V = A.Var != NoId ? A.Var : Of.loaded(A.Value);
    if (V != NoId) {
      const Variable &Var = C.F.Vars[V];
      return Var.Type == VarType::Other || Var.Type == VarType::Tensor ||
             (Var.Type == VarType::List && !Var.OfInts);
    }
    if (!D || D->IsScalar || D->O == Op::Const || D->O == Op::DataPtr)
      return false;
    const OpClass K = opClass(D->O);
    return K != OpClass::Query && K != OpClass::Integer &&
           K != OpClass::Condition;
  }

  bool mayRun(const Stmt &S) const {
    if (!S.isOpaque() || S.is(Attribute::LeavesValues) ||
        S.is(Attribute::OwnMemory))
      return false;
    if (S.is(Attribute::RunsGraph) || S.Reaches == Reach::All)
      return true;
    if (S.Reaches == Reach::Arguments)
      return S.O == Op::Opaque &&
             llvm::any_of(S.Args, [&](const Arg &A) { return holds(A); });
    return llvm::any_of(S.Args, [&](const Arg &A) { return mayHold(A); }) ||
           llvm::any_of(C.F.Vars, [](const Variable &Var) {
             return (Var.IsMember && Var.Base == ThisBase) || Var.IsStatic;
           });
  }

  bool mayPoint(ValueId V) const {
    const Stmt *D = C.Held.def(V);
    if (!D || D->IsScalar)
      return false;
    if (D->O == Op::Load)
      return C.F.Vars[D->Var].Type == VarType::Other;
    return D->isOpaque() || D->O == Op::DataPtr || D->O == Op::Phi ||
           D->O == Op::ListGet;
  }

  /// The data_ptr()s that \p V may come from.
  std::vector<const Stmt *> pointers(ValueId V, bool &Only) const {
    std::vector<const Stmt *> Found;
    Only = true;
    closure(V, [&](ValueId At, auto Add) {
      const auto From = Of.origins(At);
      Only = Only && !From.empty();
      for (const Stmt *S : From)
        if (S->O == Op::DataPtr)
          Found.push_back(S);
        else if (S->isOpaque() && S->Derives && !S->Args.empty())
          Add(S->Args[0].Value);
        else
          Only = false;
      return true;
    });
    return Found;
  }

  enum class Does : uint8_t { Nothing, Reads, Writes };
  /// What \p S does behind the pointer that is its operand number \p I.
  static Does behind(const Stmt &S, size_t I) {
    switch (S.O) {
    case Op::Element:
    case Op::Deref:
      return S.IsScalar && I == 0 ? Does::Reads : Does::Writes;
    case Op::Compare:
    case Op::Cast:
      return Does::Nothing;
    default:
      break;
    }
    if (!S.isOpaque()) // in a list others may find it
      return S.O == Op::List ? Does::Writes : Does::Nothing;
    if (S.Derives || S.is(Attribute::Prints))
      return Does::Nothing;
    if (!S.calls(Attribute::Copies))
      return Does::Writes;
    const bool From = S.is(Attribute::CopiesSecond)  ? I == 1
                      : S.is(Attribute::CopiesFirst) ? I <= 1
                      : S.is(Attribute::WritesThird) ? I == 0
                      : S.is(Attribute::WritesFirst)
                          ? I != 0
                          : S.Args[I].R != Role::Write;
    return From ? Does::Reads : Does::Writes;
  }

  void use(const Stmt &S) {
    const Arg *Self = findArg(S, "self"), *To = findArg(S, "dst");
    if (To && opClass(S.O) == OpClass::Query)
      touch(To->Value, S, Writes);
    if (Self && S.is(Attribute::WritesValues))
      touch(Self->Value, S, Writes);
    else if (Self &&
             (S.is(Attribute::ReadsBlock) || S.is(Attribute::ReadsValues)))
      touch(Self->Value, S, Reads);
    for (size_t I = 0; I < S.Args.size(); ++I)
      if (const Does What = behind(S, I);
          What != Does::Nothing && mayPoint(S.Args[I].Value))
        useMemory(S, S.Args[I].Value, What == Does::Reads);
  }

  void useMemory(const Stmt &S, ValueId Pointer, bool IsRead) {
    bool Only = false;
    const auto From = pointers(Pointer, Only);
    for (const Stmt *P : From)
      if (const Arg *Self = findArg(*P, "self"))
        touch(Self->Value, S,
              IsRead && Only && From.size() == 1 ? Reads : Writes);
  }

  void touch(ValueId V, const Stmt &S, std::vector<Access> &Into) const {
    if (const Stmt *Node = Of.node(V))
      Into.push_back({Node, &S, V});
  }

  bool isEarly(const Access &Read) const {
    auto MayBeBefore = [&](const Stmt *S) {
      return S != Read.At && C.Held.runsAfter(*Read.Node, *S) &&
             C.Held.runsAfter(*S, *Read.At, Read.Node);
    };
    return !Read.At->InTry && C.Held.runsAfter(*Read.Node, *Read.At) &&
           llvm::none_of(Runs, MayBeBefore) &&
           llvm::none_of(Writes, [&](const Access &W) {
             return W.Node == Read.Node && MayBeBefore(W.At);
           });
  }

  void tell(const Access &Read) {
    Finding Found = Of.foundAt(*Read.At, 0, *Read.Node);
    Found.Message = "reads values of " + Of.nameIn(Found, Read.Name) +
                    ", which nothing has computed yet";
    Found.Notes.push_back(
        {Read.Node->point(),
         quoted(Read.Node->Text, "this") +
             " adds a node; it has values when a graph with it has run"});
    for (const Stmt *S : Runs)
      if (S->is(Attribute::RunsGraph) && C.Held.runsAfter(*Read.At, *S)) {
        Found.Notes.push_back({S->point(), "the graph runs here"});
        break;
      }
    C.Out.push_back(std::move(Found));
  }

  CheckRun &C;
  const GraphValues &Of;
  llvm::SmallPtrSetImpl<const Stmt *> &Told;
  std::vector<Access> Reads, Writes;
  std::vector<const Stmt *> Runs; ///< what may compute nodes
  llvm::SmallPtrSet<const Stmt *, 4> Holders;
  std::set<VarId> HolderVars;
};

//===----------------------------------------------------------------------===//
// Memory that is given out a second time
//===----------------------------------------------------------------------===//

///   ggml_gallocr_alloc_graph(alloc, first);    // gives y memory
///   ggml_backend_graph_compute(backend, first);
///   z = ggml_add(ctx, y, b); ...               // in another graph
///   ggml_gallocr_alloc_graph(alloc, second);   // gives z what y has
class GivenAgain {
public:
  GivenAgain(CheckRun &C, const GraphValues &Of) : C(C), Of(Of) {}

  void check() {
    Of.forEach([&](const Stmt &S) {
      if (S.calls(Attribute::SharesMemory) && S.Args.size() == 2)
        Gives.push_back(&S);
    });
    if (Gives.size() < 2)
      return;
    for (const Stmt *Again : Gives)
      for (const Stmt *First : Gives)
        if (isAgain(*First, *Again) && tell(*First, *Again))
          break;
  }

private:
  static ValueId allocator(const Stmt &S) { return S.Args[0].Value; }
  static ValueId graph(const Stmt &S) { return S.Args[1].Value; }

  /// Whether \p Again gives another graph memory of the same allocator.
  bool isAgain(const Stmt &First, const Stmt &Again) const {
    return &First != &Again && C.Held.runsAfter(First, Again) &&
           Of.differ(graph(First), graph(Again)) &&
           Of.isSame(allocator(First), allocator(Again));
  }

  using Nodes = llvm::SmallSetVector<const Stmt *, 16>;
  /// What was put into the graph of \p S before it.
  Nodes nodes(const Stmt &S) const {
    Nodes All;
    Of.forEach([&](const Stmt &Puts) {
      const Arg *Into = findArg(Puts, "cgraph"), *Last = findArg(Puts, "self");
      if (!Puts.is(Attribute::Output) || !Into || !Last ||
          !Of.isSame(Into->Value, graph(S)) || !C.Held.runsAfter(Puts, S))
        return;
      for (const Stmt *D : Of.origins(Last->Value))
        All.insert(D);
    });
    for (size_t I = 0; I < All.size() && I < 4096; ++I)
      if (const Stmt *Node = All[I]; opClass(Node->O) == OpClass::Graph)
        for (const Arg &A : Node->Args)
          if (A.Value && A.Value != Node->Result)
            for (const Stmt *D : Of.origins(A.Value))
              All.insert(D);
    return All;
  }

  /// Whether others may have given \p Node memory before \p First did.
  bool mayHaveOwn(const Stmt &Node, const Stmt &First) const {
    const Arg *Context = findArg(Node, "ctx");
    bool May = !Context;
    Of.forEach([&](const Stmt &S) {
      const bool Unknown = S.isOpaque() && S.Reaches > Reach::Arguments;
      if (May || (!Unknown && !S.is(Attribute::OwnMemory)) ||
          !C.Held.runsAfter(Node, S) || !C.Held.runsAfter(S, First))
        return;
      May = llvm::any_of(S.Args, [&](const Arg &A) {
        return A.Value && (Of.isSame(A.Value, Context->Value) ||
                           Of.memory(A.Value) == &Node);
      });
    });
    return May;
  }

  bool tell(const Stmt &First, const Stmt &Again) {
    const Nodes Before = nodes(First);
    for (const Stmt *Reader : nodes(Again)) {
      if (opClass(Reader->O) != OpClass::Graph || Before.contains(Reader) ||
          !C.Held.runsAfter(First, *Reader))
        continue;
      for (const Arg &A : Reader->Args) {
        const Stmt *Node =
            A.Value && A.Value != Reader->Result ? Of.node(A.Value) : nullptr;
        if (!Node || !Before.contains(Node) ||
            !C.Held.runsAfter(*Node, First) ||
            !C.Held.runsAfter(First, Again, Node) || mayHaveOwn(*Node, First))
          continue;
        tell(First, Again, *Reader, *Node);
        return true;
      }
    }
    return false;
  }

  void tell(const Stmt &First, const Stmt &Again, const Stmt &Reader,
            const Stmt &Node) {
    Finding Found(Check::DanglingDataPointer, 0, Again);
    Found.At = &Again;
    Found.Message =
        "gives out the memory of " + quoted(Of.nameOf(Node), "a node") +
        " again, which this graph reads: its allocator takes it for free";
    Found.Notes.push_back(
        {First.point(), quoted(First.Text, "this") +
                            " gave it that memory, for the time that its own "
                            "graph runs"});
    Found.Notes.push_back(
        {Reader.point(),
         "read here; a copy in a tensor with memory of its own, "
         "or another allocator, would keep its values"});
    C.Out.push_back(std::move(Found));
  }

  CheckRun &C;
  const GraphValues &Of;
  std::vector<const Stmt *> Gives;
};

} // namespace

void tellGraphNodes(CheckRun &C) {
  const GraphValues Of(C);
  llvm::SmallPtrSet<const Stmt *, 4> Told;
  EarlyReads(C, Of, Told).check();
  NoOutputs(C, Of, Told).check();
}

void tellGraphMemory(CheckRun &C) {
  const GraphValues Of(C);
  GivenAgain(C, Of).check();
}

} // namespace tensortidy::analysis
