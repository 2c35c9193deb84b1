//===- Text.cpp - the text form of tensor programs ------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The grammar, one line each; `//` starts a comment:
//
//   function  "name" [lambda] [returns_tensor] [returns_borrowed] [forward]
//             [gradients] [entry N] [given_up "why"] [; L:C]
//   var       $N "name" type [param] [ref] [member] [static] [captured] [ggml]
//             [in N] [decl L:C] [; L:C]
//   loop      N kind [parent N] [head N] [once] [induction "i"] [; L:C]
//   calls     modelled N [open "name"...] [unmodelled "name"...]
//   block     N [in N] [if %N] [-> N, N...]        (`_`: an unreachable arm)
//   statement [%N =] op [$N] [const] [arg...] [#imm] ["text"]
//             [{frees adds ...}] [[macro discarded rename drop hoist assign]]
//             [; L:C [callee L:C]]
//   arg       [read|write|keep] [name=] [$N] [%N]  (`_`: no value; arguments
//             with a variable are separated by commas)
//   const     N | true | false | f"1.5" | sym"float32" | "text" | none
//
//===----------------------------------------------------------------------===//

#include "Program/Text.h"
#include "llvm/ADT/StringExtras.h"
#include <optional>

namespace tensortidy::program {

namespace {

constexpr llvm::StringLiteral VarTypes[] = {"tensor", "int", "bool", "list",
                                            "other"};
constexpr llvm::StringLiteral ImageFields[] = {"", "rows", "columns", "data",
                                               "pitch"};
constexpr llvm::StringLiteral LoopKinds[] = {"for", "range_for", "while", "do"};
constexpr llvm::StringLiteral Roles[] = {"read", "write", "keep"};
constexpr std::pair<EditKind, llvm::StringLiteral> EditNames[] = {
    {EditRenameCallee, "rename"},
    {EditDropCall, "drop"},
    {EditHoist, "hoist"},
    {EditAssign, "assign"},
    {EditNameObject, "name"}};
constexpr std::pair<bool Stmt::*, llvm::StringLiteral> Flags[] = {
    {&Stmt::InMacro, "macro"},     {&Stmt::TypesVary, "types_vary"},
    {&Stmt::InTry, "try"},         {&Stmt::Expected, "expected"},
    {&Stmt::IsScalar, "scalar"},   {&Stmt::Discarded, "discarded"},
    {&Stmt::Derives, "derives"},   {&Stmt::Narrows, "narrows"},
    {&Stmt::Strided, "strided"},   {&Stmt::Moves, "moves"},
    {&Stmt::Swaps, "swaps"},       {&Stmt::Forward, "forward"},
    {&Stmt::Keeps, "keeps"},       {&Stmt::Binds, "binds"},
    {&Stmt::Launches, "launches"}, {&Stmt::ToSigned, "to_signed"}};

/// The names an enum's values have in the text, and back.
template <class Enum, size_t N>
std::optional<Enum> fromName(const llvm::StringLiteral (&Names)[N],
                             llvm::StringRef Name) {
  for (size_t I = 0; I < N; ++I)
    if (Names[I] == Name)
      return static_cast<Enum>(I);
  return std::nullopt;
}

template <class Enum, size_t N>
llvm::StringRef toName(const llvm::StringLiteral (&Names)[N], Enum E) {
  return Names[static_cast<size_t>(E)];
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

class Printer {
public:
  Printer(llvm::raw_ostream &OS, const std::map<ValueId, std::string> *Notes)
      : OS(OS), Notes(Notes) {}

  void function(const Function &F) {
    OS << "function ";
    quoted(F.Name);
    flag(F.IsLambda, "lambda");
    flag(F.ReturnsTensor, "returns_tensor");
    flag(F.ReturnsBorrowed, "returns_borrowed");
    flag(F.CallersVisible, "callers_visible");
    flag(F.IsForward, "forward");
    flag(F.PerhapsUnrecorded, "perhaps_unrecorded");
    flag(F.TakesGradients, "gradients");
    if (F.MostGradients)
      OS << " inputs " << F.LeastGradients << ' ' << F.MostGradients;
    if (F.Entry)
      OS << " entry " << F.Entry;
    if (F.Reason != GiveUp::No) {
      OS << " given_up ";
      quoted(giveUpName(F.Reason));
    }
    location(F.Where);
    if (F.Reason == GiveUp::Malformed)
      OS << "  # " << verify(F, /*Strict=*/false) << '\n';
    for (VarId V = 0; V < F.Vars.size(); ++V)
      variable(V, F.Vars[V]);
    for (LoopId L = 0; L < F.Loops.size(); ++L)
      loop(L, F.Loops[L]);
    if (F.Modelled || !F.Open.empty() || !F.Unmodelled.empty()) {
      OS << "  calls modelled " << F.Modelled;
      for (auto [Word, Names] :
           {std::pair("open", &F.Open), {"unmodelled", &F.Unmodelled}}) {
        if (!Names->empty())
          OS << ' ' << Word;
        for (const std::string &Name : *Names) {
          OS << ' ';
          quoted(Name);
        }
      }
      OS << '\n';
    }
    for (BlockId B = 0; B < F.Blocks.size(); ++B)
      block(B, F.Blocks[B]);
  }

private:
  void quoted(llvm::StringRef Text) {
    OS << '"';
    for (char C : Text) {
      if (C == '\n')
        OS << "\\n";
      else if (C == '\t')
        OS << "\\t";
      else if (C == '\r')
        OS << "\\r";
      else if (C == '"' || C == '\\')
        OS << '\\' << C;
      else
        OS << C;
    }
    OS << '"';
  }

  void flag(bool Value, const char *Name) {
    if (Value)
      OS << ' ' << Name;
  }

  /// Ends a line.
  void location(const Range &R) {
    if (R.Line)
      OS << " ; " << R.Line << ':' << R.Column;
    OS << '\n';
  }

  void variable(VarId Id, const Variable &V) {
    OS << "  var $" << Id << ' ';
    quoted(V.Name);
    OS << ' ' << toName(VarTypes, V.Type);
    flag(V.IsParam, "param");
    flag(V.IsReference, "ref");
    flag(V.InTemporary, "unnamed");
    flag(V.IsMember, "member");
    flag(V.IsStatic, "static");
    flag(V.IsCaptured, "captured");
    flag(V.Borrows, "borrows");
    flag(V.OfInts, "ints");
    flag(V.IsContainer, "container");
    flag(V.IsOwnNumber, "own");
    flag(V.IsGgml, "ggml");
    if (V.Of != ImageField::None)
      OS << ' ' << toName(ImageFields, V.Of);
    if (V.DeclaredIn != NoId)
      OS << " in " << V.DeclaredIn;
    if (V.Decl.Line)
      OS << " decl " << V.Decl.Line << ':' << V.Decl.Column;
    location(V.Where);
  }

  void loop(LoopId Id, const Loop &L) {
    OS << "  loop " << Id << ' ' << toName(LoopKinds, L.Kind);
    if (L.Parent != NoId)
      OS << " parent " << L.Parent;
    if (L.Head != NoId)
      OS << " head " << L.Head;
    flag(L.RunsOnce, "once");
    flag(L.Parallel, "parallel");
    if (!L.Induction.empty()) {
      OS << " induction ";
      quoted(L.Induction);
    }
    location(L.Where);
  }

  void block(BlockId Id, const Block &B) {
    OS << "  block " << Id;
    if (B.InLoop != NoId)
      OS << " in " << B.InLoop;
    if (B.Condition)
      OS << (B.Cases.empty() ? " if %" : " switch %") << B.Condition;
    for (const CaseLabel &Case : B.Cases) {
      OS << ' ';
      if (Case.Value)
        OS << *Case.Value;
      else if (Case.isDefault())
        OS << '_';
      else
        quoted(Case.Name);
    }
    const char *Separator = " -> ";
    for (BlockId S : B.Succs) {
      OS << Separator;
      if (S == NoId)
        OS << '_';
      else
        OS << S;
      Separator = ", ";
    }
    OS << '\n';
    for (const Stmt &S : B.Stmts) {
      statement(S);
      if (Notes)
        if (auto It = Notes->find(S.Result); It != Notes->end())
          OS << "    # %" << S.Result << ": " << It->second << '\n';
    }
  }

  void constant(const Stmt &S) {
    switch (S.Const) {
    case ConstKind::None:
      OS << "none";
      if (!S.Text.empty()) {
        OS << ' ';
        quoted(S.Text);
      }
      return;
    case ConstKind::Int:
      OS << S.Imm;
      return;
    case ConstKind::Bool:
      OS << (S.Imm ? "true" : "false");
      return;
    case ConstKind::Float:
      OS << 'f';
      break;
    case ConstKind::Symbol:
      OS << "sym";
      break;
    case ConstKind::String:
      break;
    }
    quoted(S.Text);
  }

  void arguments(const Stmt &S) {
    bool Roled = S.O == Op::Opaque;
    for (const Arg &A : S.Args)
      Roled |= A.R != Role::Read || A.Var != NoId;
    const char *Separator = " ";
    for (const Arg &A : S.Args) {
      OS << Separator;
      if (Roled) {
        OS << toName(Roles, A.R) << ' ';
        Separator = ", ";
      }
      if (!A.Name.empty())
        OS << A.Name << '=';
      if (A.Var != NoId)
        OS << '$' << A.Var;
      if (A.Value)
        OS << (A.Var == NoId ? "%" : " %") << A.Value;
      else if (A.Var == NoId)
        OS << '_';
      if (A.Unit)
        OS << " by " << A.Unit;
    }
  }

  void statement(const Stmt &S) {
    OS << "    ";
    if (S.Result)
      OS << '%' << S.Result << " = ";
    OS << opName(S.O);
    if (S.Var != NoId)
      OS << " $" << S.Var;
    if (S.O == Op::Const) {
      OS << ' ';
      constant(S);
    } else if (S.O == Op::Opaque) {
      // The name comes first: it is what a reader looks for.
      OS << ' ';
      quoted(S.Text);
    }
    arguments(S);
    if (S.O != Op::Const) {
      if (S.Imm || (S.O == Op::ListGet && S.Args.size() < 2))
        OS << " #" << S.Imm;
      if (S.O != Op::Opaque && !S.Text.empty()) {
        OS << ' ';
        quoted(S.Text);
      }
    }
    if (!S.Has.empty()) {
      const char *Before = " {";
      for (size_t A = 0; A < NumAttributes; ++A)
        if (S.is(static_cast<Attribute>(A))) {
          OS << Before << attributeName(static_cast<Attribute>(A));
          Before = " ";
        }
      OS << '}';
    }
    const char *Separator = " [";
    auto Flag = [&](llvm::StringRef Name) {
      OS << Separator << Name;
      Separator = " ";
    };
    for (const auto &[Field, Name] : Flags)
      if (S.*Field)
        Flag(Name);
    for (const auto &[Kind, Name] : EditNames)
      if (S.Edits & Kind)
        Flag(Name);
    if (Separator[1] == '\0')
      OS << ']';
    if (S.Where.Line && S.Callee.Line) {
      OS << " ; " << S.Where.Line << ':' << S.Where.Column << " callee "
         << S.Callee.Line << ':' << S.Callee.Column << '\n';
      return;
    }
    location(S.Where);
  }

  llvm::raw_ostream &OS;
  const std::map<ValueId, std::string> *Notes;
};

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

/// Reads one line. The first mistake is kept in `Problem`; everything after it
/// is ignored by the caller.
class Line {
public:
  explicit Line(llvm::StringRef Text) : Rest(Text) { skip(); }

  bool atEnd() const { return Rest.empty(); }
  bool ok() const { return Problem.empty(); }
  std::string takeProblem() { return std::move(Problem); }

  void fail(const llvm::Twine &Text) {
    if (Problem.empty())
      Problem = Text.str();
    Rest = "";
  }

  bool peek(llvm::StringRef Token) const {
    // starts_with exists in every supported version, startswith does not.
    return Rest.starts_with(Token);
  }

  /// Takes punctuation.
  bool take(llvm::StringRef Token) {
    if (!peek(Token))
      return false;
    Rest = Rest.drop_front(Token.size());
    skip();
    return true;
  }

  void expect(llvm::StringRef Token) {
    if (!take(Token))
      fail("expected '" + Token + "' before '" + Rest + "'");
  }

  static bool isWordChar(char C) { return llvm::isAlnum(C) || C == '_'; }

  llvm::StringRef peekWord() const { return Rest.take_while(isWordChar); }

  /// Takes exactly this word.
  bool takeWord(llvm::StringRef Word) {
    if (peekWord() != Word)
      return false;
    return take(Word);
  }

  llvm::StringRef word() {
    llvm::StringRef Word = peekWord();
    if (Word.empty())
      fail("expected a word before '" + Rest + "'");
    else
      take(Word);
    return Word;
  }

  /// Takes `name=`, when that comes next; a name may have dots.
  std::string takeName() {
    llvm::StringRef Name = Rest.take_while(
        [](char C) { return isWordChar(C) || C == '.' || C == ':'; });
    if (Name.empty() || !Rest.drop_front(Name.size()).starts_with("="))
      return "";
    Rest = Rest.drop_front(Name.size() + 1);
    skip();
    return Name.str();
  }

  int64_t integer() {
    llvm::StringRef Digits = Rest;
    size_t N = Digits.starts_with("-") ? 1 : 0;
    while (N < Digits.size() && llvm::isDigit(Digits[N]))
      ++N;
    int64_t Value = 0;
    if (Digits.take_front(N).getAsInteger(10, Value))
      fail("expected a number before '" + Rest + "'");
    else
      take(Digits.take_front(N));
    return Value;
  }

  uint32_t id() {
    int64_t Value = integer();
    if (ok() && (Value < 0 || Value >= MaxId))
      fail("number " + llvm::Twine(Value) + " is out of range");
    return ok() ? static_cast<uint32_t>(Value) : 0;
  }

  std::string quoted() {
    std::string Text;
    if (!peek("\"")) {
      fail("expected a quoted name before '" + Rest + "'");
      return Text;
    }
    for (size_t I = 1; I < Rest.size(); ++I) {
      char C = Rest[I];
      if (C == '"') {
        Rest = Rest.drop_front(I + 1);
        skip();
        return Text;
      }
      if (C == '\\' && I + 1 < Rest.size()) {
        C = Rest[++I];
        C = C == 'n' ? '\n' : C == 't' ? '\t' : C == 'r' ? '\r' : C;
      }
      Text += C;
    }
    fail("a quoted name does not end");
    return Text;
  }

  Range position() {
    Range R;
    R.Line = id();
    expect(":");
    R.Column = id();
    return R;
  }

  /// Takes the `; L:C` a line may end with.
  Range location() { return take(";") ? position() : Range(); }

private:
  /// No real program comes near it; keeps a typing mistake from allocating
  /// gigabytes.
  static constexpr int64_t MaxId = 10'000'000;

  void skip() {
    Rest = Rest.ltrim(" \t\r");
    if (Rest.starts_with("//"))
      Rest = "";
  }

  llvm::StringRef Rest;
  std::string Problem;
};

class Parser {
public:
  explicit Parser(llvm::StringRef Text) : Text(Text) {}

  llvm::Expected<std::vector<Function>> run() {
    while (!Text.empty()) {
      llvm::StringRef Row;
      std::tie(Row, Text) = Text.split('\n');
      ++Number;
      Line L(Row);
      if (L.atEnd() || L.peek("#")) // a comment
        continue;
      row(L);
      if (L.ok() && !L.atEnd())
        L.fail("unexpected text at the end of the line");
      if (!L.ok())
        return error(Number, L.takeProblem());
    }
    if (std::string Problem = check(); !Problem.empty())
      return error(FunctionLine, Problem);
    return std::move(Functions);
  }

private:
  static llvm::Error error(unsigned Number, const llvm::Twine &What) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "line " + llvm::Twine(Number) + ": " + What);
  }

  void row(Line &L) {
    if (L.takeWord("function"))
      return function(L);
    if (Functions.empty())
      return L.fail("expected 'function'");
    if (L.takeWord("var"))
      return variable(L);
    if (L.takeWord("loop"))
      return loop(L);
    if (L.takeWord("calls"))
      return calls(L);
    if (L.takeWord("block"))
      return block(L);
    statement(L);
  }

  /// What is wrong with the function read last.
  std::string check() const {
    return Functions.empty() ? "" : verify(Functions.back());
  }

  void function(Line &L) {
    if (std::string Problem = check(); !Problem.empty())
      return L.fail("in the function before: " + Problem);
    Functions.emplace_back();
    InBlock = false;
    FunctionLine = Number;
    Function &F = Functions.back();
    F.Name = L.quoted();
    while (L.ok() && !L.atEnd()) {
      if (L.takeWord("lambda"))
        F.IsLambda = true;
      else if (L.takeWord("returns_tensor"))
        F.ReturnsTensor = true;
      else if (L.takeWord("returns_borrowed"))
        F.ReturnsBorrowed = true;
      else if (L.takeWord("callers_visible"))
        F.CallersVisible = true;
      else if (L.takeWord("forward"))
        F.IsForward = true;
      else if (L.takeWord("perhaps_unrecorded"))
        F.PerhapsUnrecorded = true;
      else if (L.takeWord("gradients"))
        F.TakesGradients = true;
      else if (L.takeWord("inputs")) {
        F.LeastGradients = L.id();
        F.MostGradients = L.id();
      } else if (L.takeWord("entry"))
        F.Entry = L.id();
      else if (L.takeWord("given_up"))
        F.Reason = giveUp(L);
      else
        break;
    }
    F.Where = L.location();
  }

  static GiveUp giveUp(Line &L) {
    std::string Name = L.quoted();
    for (unsigned I = 0; I <= static_cast<unsigned>(GiveUp::Malformed); ++I)
      if (giveUpName(static_cast<GiveUp>(I)) == Name)
        return static_cast<GiveUp>(I);
    L.fail("no reason is called '" + Name + "'");
    return GiveUp::No;
  }

  /// The next item of a table whose rows count from 0.
  template <class T>
  static T *next(Line &L, std::vector<T> &Items, const char *What) {
    uint32_t Id = L.id();
    if (!L.ok())
      return nullptr;
    if (Id != Items.size()) {
      L.fail(llvm::Twine(What) + " " + llvm::Twine(Id) + " follows " +
             llvm::Twine(Items.size()) + " others; they count from 0");
      return nullptr;
    }
    Items.emplace_back();
    return &Items.back();
  }

  void variable(Line &L) {
    L.expect("$");
    Variable *V = next(L, Functions.back().Vars, "variable");
    if (!V)
      return;
    V->Name = L.quoted();
    llvm::StringRef Type = L.word();
    if (auto T = fromName<VarType>(VarTypes, Type))
      V->Type = *T;
    else
      return L.fail("no variable type is called '" + Type + "'");
    while (L.ok() && !L.atEnd()) {
      if (L.takeWord("param"))
        V->IsParam = true;
      else if (L.takeWord("ref"))
        V->IsReference = true;
      else if (L.takeWord("unnamed"))
        V->InTemporary = true;
      else if (L.takeWord("member"))
        V->IsMember = true;
      else if (L.takeWord("static"))
        V->IsStatic = true;
      else if (L.takeWord("captured"))
        V->IsCaptured = true;
      else if (L.takeWord("ints"))
        V->OfInts = true;
      else if (L.takeWord("own"))
        V->IsOwnNumber = true;
      else if (L.takeWord("container"))
        V->IsContainer = true;
      else if (L.takeWord("ggml"))
        V->IsGgml = true;
      else if (L.takeWord("borrows"))
        V->Borrows = true;
      else if (auto Of = imageField(L))
        V->Of = *Of;
      else if (L.takeWord("local"))
        continue; // the default, for readers
      else if (L.takeWord("in"))
        V->DeclaredIn = L.id();
      else if (L.takeWord("decl"))
        V->Decl = L.position();
      else
        break;
    }
    V->Where = L.location();
  }

  static std::optional<ImageField> imageField(Line &L) {
    for (const ImageField F : {ImageField::Rows, ImageField::Columns,
                               ImageField::Data, ImageField::Pitch})
      if (L.takeWord(toName(ImageFields, F)))
        return F;
    return std::nullopt;
  }

  void loop(Line &L) {
    Loop *Lp = next(L, Functions.back().Loops, "loop");
    if (!Lp)
      return;
    llvm::StringRef Kind = L.word();
    if (auto K = fromName<LoopKind>(LoopKinds, Kind))
      Lp->Kind = *K;
    else
      return L.fail("no loop kind is called '" + Kind + "'");
    while (L.ok() && !L.atEnd()) {
      if (L.takeWord("parent"))
        Lp->Parent = L.id();
      else if (L.takeWord("head"))
        Lp->Head = L.id();
      else if (L.takeWord("once"))
        Lp->RunsOnce = true;
      else if (L.takeWord("parallel"))
        Lp->Parallel = true;
      else if (L.takeWord("induction"))
        Lp->Induction = L.quoted();
      else
        break;
    }
    Lp->Where = L.location();
  }

  void calls(Line &L) {
    Function &F = Functions.back();
    if (!L.takeWord("modelled"))
      return L.fail("expected 'modelled'");
    F.Modelled = L.id();
    if (L.takeWord("open"))
      while (L.peek("\""))
        F.Open.push_back(L.quoted());
    if (L.takeWord("unmodelled"))
      while (L.peek("\""))
        F.Unmodelled.push_back(L.quoted());
  }

  void block(Line &L) {
    Block *B = next(L, Functions.back().Blocks, "block");
    if (!B)
      return;
    InBlock = true;
    if (L.takeWord("in"))
      B->InLoop = L.id();
    if (L.takeWord("if")) {
      L.expect("%");
      B->Condition = L.id();
    } else if (L.takeWord("switch")) {
      L.expect("%");
      B->Condition = L.id();
      while (L.ok() && !L.atEnd() && !L.peek("->")) {
        if (L.takeWord("_"))
          B->Cases.emplace_back();
        else if (L.peek("\""))
          B->Cases.push_back({std::nullopt, L.quoted()});
        else
          B->Cases.push_back({L.integer(), ""});
      }
    }
    if (L.take("->")) {
      do
        B->Succs.push_back(L.takeWord("_") ? NoId : L.id());
      while (L.ok() && L.take(","));
    }
  }

  static void constant(Line &L, Stmt &S) {
    if (L.takeWord("none")) {
      S.Const = ConstKind::None;
      if (L.peek("\""))
        S.Text = L.quoted();
    } else if (L.takeWord("true")) {
      S.Const = ConstKind::Bool;
      S.Imm = 1;
    } else if (L.takeWord("false")) {
      S.Const = ConstKind::Bool;
    } else if (L.takeWord("f")) {
      S.Const = ConstKind::Float;
      S.Text = L.quoted();
    } else if (L.takeWord("sym")) {
      S.Const = ConstKind::Symbol;
      S.Text = L.quoted();
    } else if (L.peek("\"")) {
      S.Const = ConstKind::String;
      S.Text = L.quoted();
    } else {
      S.Const = ConstKind::Int;
      S.Imm = L.integer();
    }
  }

  static Arg argument(Line &L) {
    Arg A;
    if (auto R = fromName<Role>(Roles, L.peekWord())) {
      // `read=%1` is an argument called read.
      llvm::StringRef Word = L.peekWord();
      A.Name = L.takeName();
      if (A.Name.empty()) {
        A.R = *R;
        L.take(Word);
      }
    }
    if (A.Name.empty())
      A.Name = L.takeName();
    if (L.takeWord("_"))
      return A;
    bool HasVar = L.take("$");
    if (HasVar)
      A.Var = L.id();
    if (L.take("%"))
      A.Value = L.id();
    else if (!HasVar)
      L.fail("expected an argument");
    if (L.takeWord("by"))
      A.Unit = static_cast<uint32_t>(L.integer());
    return A;
  }

  static void attributes(Line &L, Stmt &S) {
    while (L.ok() && !L.take("}")) {
      llvm::StringRef Word = L.word();
      if (Attribute A; findAttribute(Word, A))
        S.Has.add(A);
      else
        L.fail("no attribute is called '" + Word + "'");
    }
  }

  static void flags(Line &L, Stmt &S) {
    while (L.ok() && !L.take("]")) {
      llvm::StringRef Word = L.word();
      const auto *It = llvm::find_if(
          EditNames, [&](const auto &E) { return E.second == Word; });
      if (It != std::end(EditNames))
        S.Edits |= It->first;
      else if (const auto *F = llvm::find_if(
                   Flags, [&](const auto &E) { return E.second == Word; });
               F != std::end(Flags))
        S.*(F->first) = true;
      else
        L.fail("no flag is called '" + Word + "'");
    }
  }

  void statement(Line &L) {
    Function &F = Functions.back();
    if (!InBlock)
      return L.fail("a statement stands before the first block");
    Stmt S;
    if (L.take("%")) {
      S.Result = L.id();
      L.expect("=");
      if (L.ok() && !S.Result)
        return L.fail("%0 means no value");
      F.NextValue = std::max(F.NextValue, S.Result + 1);
    }
    llvm::StringRef Name = L.word();
    if (L.ok() && !findOp(Name, S.O))
      return L.fail("no operation is called '" + Name + "'");
    if (S.O != Op::Opaque && L.take("$"))
      S.Var = L.id();
    if (S.O == Op::Const)
      constant(L, S);
    else if (S.O == Op::Opaque)
      S.Text = L.quoted();
    while (L.ok() && !L.atEnd() && !L.peek("#") && !L.peek("\"") &&
           !L.peek("{") && !L.peek("[") && !L.peek(";")) {
      S.Args.push_back(argument(L));
      L.take(",");
    }
    if (L.take("#"))
      S.Imm = L.integer();
    if (L.peek("\""))
      S.Text = L.quoted();
    if (L.take("{"))
      attributes(L, S);
    if (L.take("["))
      flags(L, S);
    if (L.take(";")) {
      S.Where = L.position();
      if (L.takeWord("callee"))
        S.Callee = L.position();
    }
    F.Blocks.back().Stmts.push_back(std::move(S));
  }

  llvm::StringRef Text;
  unsigned Number = 0, FunctionLine = 0;
  std::vector<Function> Functions;
  bool InBlock = false;
};

} // namespace

void print(const Function &F, llvm::raw_ostream &OS,
           const std::map<ValueId, std::string> *Notes) {
  Printer(OS, Notes).function(F);
}

llvm::Expected<std::vector<Function>> parse(llvm::StringRef Text) {
  return Parser(Text).run();
}

} // namespace tensortidy::program
