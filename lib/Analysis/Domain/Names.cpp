//===- Names.cpp - what a message calls things ----------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Domain/Names.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

// Marks: \1 N context ; name \2   and   \1 S run . symbol \2. No source has
// these characters in a name.
static constexpr char Open = '\1', Close = '\2';

std::string markName(llvm::StringRef Name, uint32_t Context) {
  if (Name.empty() || Name.contains(Open))
    return Name.str();
  return std::string(1, Open) + 'N' + std::to_string(Context) + ';' +
         Name.str() + Close;
}

std::string markVariable(const Function &F, VarId V, uint32_t At) {
  const Variable &Var = F.Vars[V];
  const llvm::StringRef Here = nameIn(F, V, At);
  if (F.Contexts.size() < 2) // nobody else's names
    return Here.str();
  if (Here != Var.Name)
    return markName(Here, At);
  // Members of this object and globals have one name everywhere.
  if (Var.IsMember && (Var.Base == NoId || Var.Base == ThisBase))
    return Var.Name;
  return markName(Var.Name, Var.Context);
}

std::string called(const Function &F, VarId V, uint32_t At) {
  return F.Vars[V].Name.empty() ? "" : markVariable(F, V, At);
}
std::string called(const Function &F, VarId V) {
  return called(F, V, F.Vars[V].Context);
}

/// Takes the next mark out of \p Rest; what stands before it is \p Before.
static bool nextMark(llvm::StringRef &Rest, llvm::StringRef &Before,
                     llvm::StringRef &Mark) {
  const size_t From = Rest.find(Open);
  if (From == llvm::StringRef::npos)
    return false;
  const size_t To = Rest.find(Close, From);
  if (To == llvm::StringRef::npos)
    return false;
  Before = Rest.take_front(From);
  Mark = Rest.slice(From + 1, To);
  Rest = Rest.drop_front(To + 1);
  return true;
}

static std::pair<uint32_t, llvm::StringRef> nameOf(llvm::StringRef Mark) {
  auto [Number, Name] = Mark.drop_front().split(';');
  uint32_t Context = 0;
  (void)Number.getAsInteger(10, Context);
  return {Context, Name};
}

uint32_t contextOf(llvm::StringRef Name) {
  llvm::StringRef Before, Mark;
  if (!Name.starts_with(std::string(1, Open) + 'N') ||
      !nextMark(Name, Before, Mark) || !Name.empty())
    return NoId;
  return nameOf(Mark).first;
}

std::string withoutMarks(llvm::StringRef Text) {
  std::string Out;
  llvm::StringRef Before, Mark;
  while (nextMark(Text, Before, Mark)) {
    Out += Before;
    if (Mark.starts_with("N"))
      Out += nameOf(Mark).second;
  }
  return Out + Text.str();
}

const SymbolMarks *symbolMarks(unsigned Run) {
  struct Marks final : SymbolMarks {
    unsigned Run = 0;
    std::string mark(SymbolId S, const SymbolInfo &I) const override {
      if (I.Name == "?" || I.Name == "...")
        return I.Name;
      return std::string(1, Open) + 'S' + std::to_string(Run) + '.' +
             std::to_string(S) + Close;
    }
    std::string plain(const std::string &Name) const override {
      return withoutMarks(Name);
    }
  };
  static const auto *const All = [] {
    auto *M = new Marks[Runs];
    for (unsigned I = 0; I < Runs; ++I)
      M[I].Run = I;
    return M;
  }();
  return &All[Run];
}

const std::set<uint32_t> *Names::standingAt(uint32_t Begin) const {
  if (!Begin || F.Contexts.size() <= 1)
    return nullptr;
  if (Standing.empty())
    forEachStmt(F, [&](BlockId, const Stmt &S) {
      Standing[S.point().Begin].insert(S.Context);
    });
  const auto It = Standing.find(Begin);
  return It == Standing.end() ? nullptr : &It->second;
}

/// Whether the text of \p Context can use names of context \p Name: it is the
/// same, or a lambda in it.
bool Names::sees(uint32_t Context, uint32_t Name) const {
  for (unsigned Depth = 0; Depth < 64; ++Depth) {
    if (Context == Name)
      return true;
    if (Context >= F.Contexts.size() || F.Contexts[Context].Around == NoId)
      return false;
    Context = F.Contexts[Context].Around;
  }
  return false;
}

/// "heads" of "ns::Block<int>::heads".
std::string Names::title(uint32_t Context) const {
  llvm::StringRef Whole = Context && Context < F.Contexts.size()
                              ? llvm::StringRef(F.Contexts[Context].Callee)
                              : llvm::StringRef(F.Name);
  if (Whole.contains("lambda"))
    return "lambda";
  if (Whole.contains("operator"))
    return Whole.substr(Whole.rfind("operator")).str();
  Whole = Whole.take_until([](char C) { return C == '<' || C == '('; });
  const std::string Last = Whole.rsplit("::").second.str();
  return !Last.empty()    ? Last
         : !Whole.empty() ? Whole.str()
         : Context        ? "callee"
                          : "caller";
}

bool Names::unmark(std::string &Words, uint32_t Context,
                   const std::set<uint32_t> *Also) const {
  if (Words.find(Open) == std::string::npos)
    return true;
  std::string Out;
  bool All = true;
  llvm::StringRef Rest = Words, Before, Mark;
  while (nextMark(Rest, Before, Mark)) {
    Out += Before;
    auto [Of, Name] = nameOf(Mark);
    bool Seen = sees(Context, Of);
    if (Also)
      for (uint32_t C : *Also)
        Seen = Seen || sees(C, Of);
    if (!Seen) {
      Name.consume_front("this->");
      Out += title(Of) + "::";
    }
    Out += Name;
    All = All && Seen;
  }
  Words = Out + Rest.str();
  return All;
}

/// What \p I may be called, best first.
std::vector<Names::Candidate> Names::candidates(const SymbolInfo &I,
                                                Reader At) const {
  std::vector<Candidate> All;
  auto Add = [&](const std::string &Name, bool IsVariable, uint32_t Line) {
    if (Name.empty() || Name == "?" || Name == "...")
      return;
    Candidate C{Name, Line, 0};
    const bool Seen = unmark(C.Text, At.Context);
    const bool Later = Seen && At.Line && Line > At.Line;
    C.Rank = 4 * !Seen + 2 * Later + !IsVariable;
    All.push_back(std::move(C));
  };
  Add(I.Name, I.Named, I.Line);
  for (const SymbolInfo::Alias &A : I.Aliases)
    Add(A.Name, A.Named, A.Line);
  llvm::stable_sort(All, [](const Candidate &X, const Candidate &Y) {
    return X.Rank < Y.Rank;
  });
  if (All.empty())
    All.push_back({I.Name.empty() ? "?" : I.Name, I.Line, 8});
  return All;
}

void Names::settle(const std::vector<Text> &Texts, Reader At) const {
  // The symbols in it, and what each may be called.
  struct Chosen {
    std::vector<Candidate> May;
    size_t Nth = 0;
    std::string Text;
  };
  using Key = std::pair<unsigned, SymbolId>;
  auto KeyOf = [](llvm::StringRef Mark) {
    auto [Run, Id] = Mark.drop_front().split('.');
    Key K{0, 0};
    (void)Run.getAsInteger(10, K.first);
    (void)Id.getAsInteger(10, K.second);
    return K;
  };
  std::vector<Key> Order;
  std::map<Key, Chosen> All;
  for (const Text &T : Texts) {
    llvm::StringRef Rest = *T.Words, Before, Mark;
    while (nextMark(Rest, Before, Mark)) {
      if (!Mark.starts_with("S"))
        continue;
      const Key K = KeyOf(Mark);
      if (K.first >= Runs || !Tables[K.first] ||
          K.second >= Tables[K.first]->size() || All.count(K))
        continue;
      Chosen C;
      C.May = candidates((*Tables[K.first])[K.second], At);
      C.Text = C.May.front().Text;
      All.emplace(K, std::move(C));
      Order.push_back(K);
    }
  }
  // Of one name, the latest keeps it. The others are called otherwise, or after
  // the line that gave them the name.
  auto Line = [&](const Key &K) {
    const Candidate &C = All[K].May[All[K].Nth];
    return At.Line && C.Line > At.Line ? 0 : C.Line;
  };
  std::vector<Key> Latest = Order;
  llvm::stable_sort(
      Latest, [&](const Key &X, const Key &Y) { return Line(X) > Line(Y); });
  std::set<std::pair<unsigned, std::string>> Taken;
  for (const Key &K : Latest) {
    Chosen &C = All[K];
    auto Free = [&](const std::string &Name) {
      return !Taken.count({K.first, Name});
    };
    const auto Other = llvm::find_if(
        C.May, [&](const Candidate &X) { return X.Rank < 4 && Free(X.Text); });
    if (!Free(C.Text) && Other != C.May.end()) {
      C.Text = Other->Text;
    } else if (!Free(C.Text)) {
      const uint32_t From = C.May.front().Line;
      std::string Told = C.Text + (From ? "@" + std::to_string(From) : "");
      for (unsigned I = 2; !Free(Told); ++I)
        Told = C.Text + "#" + std::to_string(I);
      C.Text = std::move(Told);
    }
    Taken.insert({K.first, C.Text});
  }
  for (const Text &T : Texts) {
    if (T.Words->find(Open) == std::string::npos)
      continue;
    std::string Out;
    llvm::StringRef Rest = *T.Words, Before, Mark;
    while (nextMark(Rest, Before, Mark)) {
      Out += Before;
      if (!Mark.starts_with("S")) {
        Out += Open + Mark.str() + Close;
        continue;
      }
      auto It = All.find(KeyOf(Mark));
      Out += It == All.end() ? "?" : It->second.Text;
    }
    Out += Rest;
    unmark(Out, At.Context, standingAt(T.Begin));
    *T.Words = std::move(Out);
  }
}

} // namespace tensortidy::analysis
