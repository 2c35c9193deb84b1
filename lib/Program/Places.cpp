//===- Places.cpp - what pointers to variables name -----------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program/Places.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>
#include <tuple>

namespace tensortidy::program {

namespace {

/// What is known of a value: nothing yet, nothing at all, the variables whose
/// address it may be (none: null), a number, or a list of such. There is one
/// object for each content (see Contents), so that states are cheap to copy and
/// to compare.
struct Content {
  enum Kind : uint8_t { Never, Anything, Address, Number, List } K = Never;
  llvm::SmallVector<VarId, 2> Of;
  int64_t N = 0;
  llvm::SmallVector<const Content *, 0> Elements;

  bool operator<(const Content &O) const {
    return std::tie(K, N, Of, Elements) < std::tie(O.K, O.N, O.Of, O.Elements);
  }
};
using Known = const Content *;

/// The contents that one function's variables have.
class Contents {
public:
  Known never() const { return Never; }
  Known anything() const { return Anything; }
  Known address(llvm::ArrayRef<VarId> Of) {
    Content C = of(Content::Address);
    C.Of.assign(Of.begin(), Of.end());
    return unique(std::move(C));
  }
  Known number(int64_t N) {
    Content C = of(Content::Number);
    C.N = N;
    return unique(std::move(C));
  }
  Known list(llvm::ArrayRef<Known> Elements) {
    Content C = of(Content::List);
    C.Elements.assign(Elements.begin(), Elements.end());
    return unique(std::move(C));
  }

private:
  static Content of(Content::Kind K) {
    Content C;
    C.K = K;
    return C;
  }
  Known unique(Content C) { return &*All.insert(std::move(C)).first; }

  std::set<Content> All;
  const Known Never = unique(of(Content::Never)),
              Anything = unique(of(Content::Anything));
};

/// The most variables that one pointer is followed to.
constexpr size_t MostTargets = 4;

class Places {
public:
  explicit Places(Function &F) : F(F) {}

  void run() {
    if (!prepare())
      return;
    // What escapes changes what calls do, so that more may escape.
    size_t Before;
    unsigned Round = 0;
    do {
      Before = Escaped.size();
      if (++Round > MostRounds || !solve())
        return;
    } while (Escaped.size() != Before);
    rewrite();
    release();
  }

private:
  using State = llvm::DenseMap<VarId, Known>;
  static constexpr unsigned MostRounds = 6, MostVisits = 40;

  //===--------------------------------------------------------------------===//
  // Variables
  //===--------------------------------------------------------------------===//

  /// Whether any address is taken.
  bool prepare() {
    for (VarId V = 0; V < F.Vars.size(); ++V)
      if (F.Vars[V].Base != NoId && F.Vars[V].Base != ThisBase)
        Parts[{F.Vars[V].Base, F.Vars[V].Identity}] = V;
    forEachStmt(F, [&](BlockId, const Stmt &S) {
      if (S.O == Op::AddressOf && !S.Args.empty() && S.Args[0].Var != NoId) {
        const VarId V = S.Args[0].Var;
        const bool Only = S.Args[0].R == Role::Read &&
                          F.Vars[V].Context == S.Context && root(V) == V &&
                          isLocal(V);
        if (!Taken.try_emplace(V, Only).second)
          Taken[V] &= Only;
      }
    });
    return !Taken.empty();
  }

  VarId root(VarId V) const {
    while (F.Vars[V].Base != NoId && F.Vars[V].Base != ThisBase)
      V = F.Vars[V].Base;
    return V;
  }

  /// Whether only this function knows \p V, but for what has its address.
  bool isLocal(VarId V) const {
    const Variable &Root = F.Vars[root(V)];
    return !Root.IsMember && !Root.IsStatic && !Root.IsReference &&
           !(Root.IsParam && Root.IsReference) && Root.Base == NoId;
  }

  /// Whether \p V is \p Whole or a part of it.
  bool isPartOf(VarId V, VarId Whole) const {
    for (; V != NoId && V != ThisBase; V = F.Vars[V].Base)
      if (V == Whole)
        return true;
    return false;
  }

  bool hasPointee(VarId V) const {
    for (; V != NoId && V != ThisBase; V = F.Vars[V].Base)
      if (F.Vars[V].IsPointee)
        return true;
    return false;
  }

  /// Whether calls that are not seen may change \p V.
  bool isOpen(VarId V) const {
    const VarId R = root(V);
    if (!isLocal(V) || hasPointee(V))
      return true;
    if (!F.Vars[R].IsCaptured)
      return false;
    auto It = Taken.find(R);
    return It == Taken.end() || !It->second || Escaped.count(R);
  }

  /// The part of \p Base that \p Like is of another object.
  VarId part(VarId Base, VarId Like) {
    auto [It, New] = Parts.try_emplace({Base, F.Vars[Like].Identity},
                                       static_cast<VarId>(F.Vars.size()));
    if (!New)
      return It->second;
    Variable V = F.Vars[Like];
    const Variable &Whole = F.Vars[Base];
    const size_t Dot = llvm::StringRef(V.Name).find_last_of(".>");
    if (V.IsPointee)
      V.Name = Whole.Name.empty() ? "" : "*" + Whole.Name;
    else if (Dot != std::string::npos)
      V.Name =
          (Whole.IsPointee ? Whole.Name.substr(1) + "->" : Whole.Name + ".") +
          V.Name.substr(Dot + 1);
    V.Base = Base;
    V.Context = Whole.Context;
    V.IsParam = Whole.IsParam;
    V.IsCaptured = Whole.IsCaptured;
    V.IsStatic = Whole.IsStatic;
    V.DeclaredIn = Whole.DeclaredIn;
    F.Vars.push_back(std::move(V));
    return It->second;
  }

  /// The variables that \p V is; itself where nothing is known.
  llvm::SmallVector<VarId, 2> resolve(const State &In, VarId V) {
    const VarId Base = F.Vars[V].Base;
    if (Base == NoId || Base == ThisBase || !hasPointee(V))
      return {V};
    llvm::SmallVector<VarId, 2> All;
    for (VarId B : resolve(In, Base)) {
      if (!F.Vars[V].IsPointee) {
        All.push_back(part(B, V));
        continue;
      }
      const Known To = held(In, B);
      const bool Fits = To->K == Content::Address && !To->Of.empty() &&
                        llvm::all_of(To->Of, [&](VarId T) {
                          return F.Vars[T].Type == F.Vars[V].Type;
                        });
      if (!Fits)
        All.push_back(part(B, V));
      else
        for (VarId T : To->Of)
          if (!llvm::is_contained(All, T))
            All.push_back(T);
    }
    return All;
  }

  Known held(const State &In, VarId V) const {
    auto It = In.find(V);
    if (It != In.end())
      return It->second;
    const Variable &Root = F.Vars[root(V)];
    return Root.IsParam || !isLocal(V) || hasPointee(V) ? Of.anything()
                                                        : Of.never();
  }

  //===--------------------------------------------------------------------===//
  // Values
  //===--------------------------------------------------------------------===//

  /// What \p V is the address of may be known to anybody from here on.
  void escape(Known V) {
    for (VarId T : V->Of)
      Escaped.insert(root(T));
    for (Known E : V->Elements)
      escape(E);
  }

  Known join(Known A, Known B) {
    if (A->K == Content::Never || A == B)
      return B;
    if (B->K == Content::Never)
      return A;
    if (A->K == Content::Address && B->K == Content::Address) {
      auto All = A->Of;
      for (VarId T : B->Of)
        if (!llvm::is_contained(All, T))
          All.push_back(T);
      llvm::sort(All);
      if (All.size() <= MostTargets)
        return Of.address(All);
    }
    if (A->K == Content::List && B->K == Content::List &&
        A->Elements.size() == B->Elements.size()) {
      auto All = A->Elements;
      for (size_t I = 0; I < All.size(); ++I)
        All[I] = join(All[I], B->Elements[I]);
      return Of.list(All);
    }
    escape(A);
    escape(B);
    return Of.anything();
  }

  bool joinInto(State &To, const State &From) {
    bool Changed = false;
    for (const auto &[V, K] : From) {
      Known &Old = To.try_emplace(V, Of.never()).first->second;
      const Known New = join(Old, K);
      Changed |= New != Old;
      Old = New;
    }
    return Changed;
  }

  Known value(ValueId V) const {
    const auto It = Values.find(V);
    return It == Values.end() ? Of.never() : It->second;
  }

  Known element(Known List, std::optional<Known> Index) {
    if (List->K != Content::List)
      return List->K == Content::Never ? List : Of.anything();
    if (Index && (*Index)->K == Content::Number) {
      const int64_t N = (*Index)->N;
      const bool Inside =
          N >= 0 && N < static_cast<int64_t>(List->Elements.size());
      return Inside ? List->Elements[N] : Of.anything();
    }
    Known All = Of.never();
    for (Known E : List->Elements)
      All = join(All, E);
    return All;
  }

  static bool compute(Op O, int64_t A, int64_t B, int64_t &R) {
    if (O == Op::IAdd)
      return !__builtin_add_overflow(A, B, &R);
    if (O == Op::ISub)
      return !__builtin_sub_overflow(A, B, &R);
    return O == Op::IMul && !__builtin_mul_overflow(A, B, &R);
  }

  /// The one variable behind pointer \p P, of type \p Type, or NoId.
  VarId target(Known P, VarType Type) const {
    return P->K == Content::Address && P->Of.size() == 1 &&
                   F.Vars[P->Of[0]].Type == Type
               ? P->Of[0]
               : NoId;
  }

  bool isFirst(const Stmt &S, size_t I) {
    if (S.Args.size() <= I || !S.Args[I].Value)
      return true;
    const Known At = value(S.Args[I].Value);
    return At->K == Content::Number && At->N == 0;
  }

  //===--------------------------------------------------------------------===//
  // Statements
  //===--------------------------------------------------------------------===//

  void set(State &S, VarId V, Known K) {
    if (isOpen(V)) // somebody else may read it there
      escape(K);
    S[V] = K;
  }

  void forget(State &S, VarId V) {
    for (auto &[W, K] : S)
      if (K != Of.anything() && isPartOf(W, V)) {
        escape(K);
        K = Of.anything();
      }
    S[V] = Of.anything();
  }

  /// Code that is not seen runs.
  void forgetOpen(State &S) {
    for (auto &[V, K] : S)
      if (K != Of.anything() && isOpen(V)) {
        escape(K);
        K = Of.anything();
      }
  }

  void store(State &St, const Stmt &S) {
    const Known To = S.Args.empty() ? Of.address({}) : value(S.Args[0].Value);
    const auto All = resolve(St, S.Var);
    if (All.size() == 1 && !hasPointee(All[0]))
      return set(St, All[0], To);
    if (All.size() == 1) {
      escape(To);
      Unresolved.insert(S.Context);
      forgetOpen(St);
      return;
    }
    for (VarId V : All)
      set(St, V, join(held(St, V), To));
  }

  /// Whether what has the address of \p V is known everywhere, so that all
  /// writes there name it.
  bool isFollowed(VarId V) const {
    auto It = Taken.find(V);
    return It != Taken.end() && It->second && !Escaped.count(V);
  }

  void written(State &St, const Stmt &S) {
    for (const Arg &A : S.Args) {
      if (A.Var == NoId || A.R != Role::Write ||
          (S.O == Op::CalleeWrites && isFollowed(A.Var)))
        continue;
      for (VarId V : resolve(St, A.Var)) {
        if (hasPointee(V)) {
          Unresolved.insert(S.Context);
          forgetOpen(St);
        }
        if (S.O == Op::Opaque)
          Escaped.insert(root(V)); // by its address, perhaps
        forget(St, V);
      }
    }
  }

  /// `l[i] = v` of a local array.
  bool storedElement(State &St, const Stmt &S) {
    if (S.O != Op::Assign || S.Args.size() != 2 || S.Args[1].Var == NoId ||
        !S.Args[0].Value)
      return false;
    const auto All = resolve(St, S.Args[1].Var);
    if (All.size() != 1 || hasPointee(All[0]))
      return false;
    const Known L = held(St, All[0]);
    if (L->K != Content::List)
      return false;
    auto Elements = L->Elements;
    for (Known &E : Elements)
      E = join(E, value(S.Args[0].Value));
    set(St, All[0], Of.list(Elements));
    return true;
  }

  Known result(State &St, const Stmt &S) {
    auto At = [&](size_t I) {
      return I < S.Args.size() && S.Args[I].Value ? value(S.Args[I].Value)
                                                  : Of.never();
    };
    switch (S.O) {
    case Op::Const:
      return S.Const == ConstKind::Int    ? Of.number(S.Imm)
             : S.Const == ConstKind::None ? Of.address({})
                                          : Of.anything();
    case Op::AddressOf:
      if (!S.Args.empty() && S.Args[0].Var != NoId) {
        const auto All = resolve(St, S.Args[0].Var);
        return llvm::any_of(All, [&](VarId V) { return hasPointee(V); })
                   ? Of.anything()
                   : Of.address(All);
      }
      break;
    case Op::Load: {
      Known All = Of.never();
      for (VarId V : resolve(St, S.Var))
        All = join(All, held(St, V));
      return All;
    }
    case Op::List: {
      llvm::SmallVector<Known, 0> Elements;
      for (size_t I = 0; I < S.Args.size(); ++I)
        Elements.push_back(At(I));
      return Of.list(Elements);
    }
    case Op::ListSet: {
      if (At(0)->K != Content::List)
        break;
      auto Elements = At(0)->Elements;
      const Known I = At(1);
      for (size_t E = 0; E < Elements.size(); ++E)
        if (I->K != Content::Number)
          Elements[E] = join(Elements[E], At(2));
        else if (I->N == static_cast<int64_t>(E))
          Elements[E] = At(2);
      return Of.list(Elements);
    }
    case Op::ListGet:
      return element(At(0), S.Args.size() > 1 ? At(1) : Of.number(S.Imm));
    case Op::Element:
      if (At(0)->K == Content::List)
        return element(At(0),
                       S.Args.size() > 1 ? std::optional(At(1)) : std::nullopt);
      return Of.anything(); // what is read through it
    case Op::Phi: {
      Known All = Of.never();
      for (size_t I = 0; I < S.Args.size(); ++I)
        All = join(All, At(I));
      return All;
    }
    case Op::Deref:
      if (S.Args.size() == 1)
        if (const VarId V = target(At(0), VarType::Other); V != NoId)
          return held(St, V);
      return Of.anything();
    case Op::IAdd:
    case Op::ISub:
    case Op::IMul:
      if (int64_t R; At(0)->K == Content::Number &&
                     At(1)->K == Content::Number &&
                     compute(S.O, At(0)->N, At(1)->N, R))
        return Of.number(R);
      return Of.anything();
    case Op::Compare:
    case Op::CmpEq:
    case Op::CmpNe:
    case Op::Not:
    case Op::ListSize:
      return Of.anything(); // looks at it
    default:
      break;
    }
    for (size_t I = 0; I < S.Args.size(); ++I)
      escape(At(I));
    return Of.anything();
  }

  void execute(State &St, const Stmt &S) {
    switch (S.O) {
    case Op::Store:
      return store(St, S);
    case Op::ScopeEnd:
      St.erase(S.Var);
      return;
    case Op::StoreElement:
      if (value(S.Args[0].Value)->K != Content::Address)
        Unresolved.insert(S.Context);
      escape(value(S.Args[2].Value));
      return;
    case Op::CalleeWrites:
      if (writesUnseen(S))
        written(St, S);
      return;
    default:
      break;
    }
    if (storedElement(St, S))
      return;
    const Known R = result(St, S);
    written(St, S);
    if (S.O == Op::Opaque && !S.IsScalar)
      forgetOpen(St);
    if (S.Result) {
      Known &Old = Values.try_emplace(S.Result, Of.never()).first->second;
      NewValues |= Old != R;
      Old = R;
    }
  }

  /// Whether the body that stands before \p S writes what it does not name.
  bool writesUnseen(const Stmt &S) const {
    for (uint32_t C : Unresolved)
      for (uint32_t P = C; P; P = F.Contexts[P].Parent)
        if (P == static_cast<uint32_t>(S.Imm))
          return true;
    return false;
  }

  //===--------------------------------------------------------------------===//
  // Solving
  //===--------------------------------------------------------------------===//

  bool solve() {
    At.assign(F.Blocks.size(), std::nullopt);
    std::vector<unsigned> Visits(F.Blocks.size());
    std::vector<BlockId> Work{F.Entry};
    At[F.Entry].emplace();
    while (!Work.empty()) {
      const BlockId B = Work.back();
      Work.pop_back();
      if (++Visits[B] > MostVisits)
        return false;
      State Now = *At[B];
      NewValues = false;
      for (const Stmt &S : F.Blocks[B].Stmts)
        execute(Now, S);
      for (BlockId To : F.Blocks[B].Succs) {
        if (To == NoId)
          continue;
        const bool New = !At[To];
        if (New)
          At[To].emplace();
        if (joinInto(*At[To], Now) || New || NewValues)
          Work.push_back(To);
      }
    }
    return true;
  }

  //===--------------------------------------------------------------------===//
  // Rewriting
  //===--------------------------------------------------------------------===//

  void rewrite() {
    for (BlockId B = 0; B < F.Blocks.size(); ++B) {
      if (!At[B])
        continue;
      State Now = *At[B];
      auto Old = std::move(F.Blocks[B].Stmts);
      llvm::SmallVector<Stmt, 0> New;
      New.reserve(Old.size());
      for (const Stmt &S : Old) {
        replace(Now, S, New);
        execute(Now, S);
      }
      F.Blocks[B].Stmts = std::move(New);
    }
  }

  static Stmt beside(Op O, const Stmt &S) {
    Stmt N;
    N.O = O;
    N.Where = S.Where;
    N.Context = S.Context;
    N.InMacro = S.InMacro;
    N.InTry = S.InTry;
    N.Expected = S.Expected;
    N.IsScalar = true;
    return N;
  }

  static Stmt mayChange(llvm::ArrayRef<VarId> All, const Stmt &At) {
    Stmt N = beside(Op::MayChange, At);
    for (VarId V : All)
      N.Args.push_back({"", 0, Role::Write, V});
    return N;
  }

  /// A load of one of \p All.
  void loadAny(const Stmt &S, llvm::ArrayRef<VarId> All,
               llvm::SmallVectorImpl<Stmt> &To) {
    if (F.Vars[All[0]].Type != VarType::Tensor) {
      Stmt N = beside(Op::Unknown, S);
      N.Result = S.Result;
      To.push_back(std::move(N));
      return;
    }
    Stmt L = beside(Op::List, S);
    L.IsScalar = false;
    for (VarId V : All) {
      Stmt N = S;
      N.Var = V;
      N.Result = F.NextValue++;
      L.Args.push_back({"", N.Result, Role::Read, NoId});
      To.push_back(std::move(N));
    }
    L.Result = F.NextValue++;
    Stmt I = beside(Op::Unknown, S);
    I.IsScalar = false;
    I.Result = F.NextValue++;
    Stmt G = beside(Op::ListGet, S);
    G.IsScalar = false;
    G.Result = S.Result;
    G.Args.push_back({"", L.Result, Role::Read, NoId});
    G.Args.push_back({"", I.Result, Role::Read, NoId});
    OneOf[S.Result].assign(All.begin(), All.end());
    To.push_back(std::move(L));
    To.push_back(std::move(I));
    To.push_back(std::move(G));
  }

  /// `*p` and `*p = v` of a \p Type, by the pointer's value.
  bool throughValue(Stmt &S) {
    const bool Writes = S.O == Op::StoreElement;
    if ((!Writes && S.O != Op::Deref && S.O != Op::Element) || S.Args.empty() ||
        !S.Args[0].Value || !isFirst(S, 1))
      return false;
    const Known P = value(S.Args[0].Value);
    if (P->K != Content::Address || P->Of.size() != 1)
      return false;
    const VarType Type = F.Vars[P->Of[0]].Type;
    if (Writes && (Type != VarType::Int && Type != VarType::Bool))
      return false;
    if (!Writes && Type != VarType::Int && Type != VarType::Bool &&
        Type != VarType::Tensor)
      return false;
    const ValueId V = Writes ? S.Args[2].Value : 0;
    S.O = Writes ? Op::Store : Op::Load;
    S.Var = P->Of[0];
    S.Text.clear();
    S.Args.clear();
    if (V)
      S.Args.push_back({"", V, Role::Read, NoId});
    return true;
  }

  void replace(const State &Before, Stmt S, llvm::SmallVectorImpl<Stmt> &To) {
    if (S.O == Op::CalleeWrites) {
      if (!writesUnseen(S))
        return;
      llvm::erase_if(S.Args, [&](const Arg &A) { return isFollowed(A.Var); });
      if (S.Args.empty())
        return;
    }
    if (throughValue(S)) {
      To.push_back(std::move(S));
      return;
    }
    if (S.O == Op::StoreElement)
      if (const Known P = value(S.Args[0].Value);
          P->K == Content::Address && !P->Of.empty())
        To.push_back(mayChange(P->Of, S));
    if (S.Var != NoId && hasPointee(S.Var) && S.O != Op::ScopeEnd) {
      const auto All = resolve(Before, S.Var);
      if (All.size() > 1 && S.O == Op::Load)
        return loadAny(S, All, To);
      if (All.size() > 1) {
        To.push_back(mayChange(All, S));
        return;
      }
      S.Var = All[0];
    }
    for (size_t I = 0; I < S.Args.size(); ++I) {
      if (S.Args[I].Var == NoId || !hasPointee(S.Args[I].Var))
        continue;
      const auto All = resolve(Before, S.Args[I].Var);
      S.Args[I].Var = All[0];
      for (VarId V : llvm::ArrayRef<VarId>(All).drop_front())
        S.Args.push_back({"", 0, S.Args[I].R, V});
    }
    const Arg *Self =
        opClass(S.O) == OpClass::InPlaceMeta ? findArg(S, "self") : nullptr;
    const auto Any = Self ? OneOf.find(Self->Value) : OneOf.end();
    Stmt After;
    if (Any != OneOf.end())
      After = mayChange(Any->second, S);
    To.push_back(std::move(S));
    if (!After.Args.empty())
      To.push_back(std::move(After));
  }

  /// Calls cannot change what nobody else has the address of.
  void release() {
    for (const auto &[V, Only] : Taken)
      if (isFollowed(V))
        for (VarId W = 0; W < F.Vars.size(); ++W)
          if (!hasPointee(W) && root(W) == V)
            F.Vars[W].IsCaptured = false;
  }

  Function &F;
  Contents Of;
  std::map<std::pair<VarId, uint64_t>, VarId> Parts;
  llvm::DenseMap<VarId, bool> Taken; ///< true: and known by that alone
  llvm::DenseSet<VarId> Escaped;
  llvm::DenseSet<uint32_t> Unresolved; ///< contexts that write elsewhere
  llvm::DenseMap<ValueId, Known> Values;
  bool NewValues = false; ///< of the block that is read
  std::map<ValueId, llvm::SmallVector<VarId, 2>> OneOf;
  std::vector<std::optional<State>> At;
};

} // namespace

void resolvePlaces(Function &F) { Places(F).run(); }

} // namespace tensortidy::program
