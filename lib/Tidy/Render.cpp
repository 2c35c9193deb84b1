//===- Render.cpp - findings to diagnostics -------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tidy/Render.h"
#include "Frontend/Frontend.h"
#include "clang-tidy/ClangTidyCheck.h"
#include "clang/Lex/Lexer.h"
#include <optional>

using namespace clang;

namespace tensortidy::tidy {

namespace {

using analysis::Edit;
using Hints = llvm::SmallVector<FixItHint, 2>;

/// Turns edit recipes into fix-its. Front end and analysis have decided that an
/// edit is right; what is decided here is only whether the text can be cut
/// there, and if any edit of a finding cannot, none is offered.
class Editor {
public:
  explicit Editor(const ASTContext &Context)
      : SM(Context.getSourceManager()), LangOpts(Context.getLangOpts()) {}

  Hints hints(llvm::ArrayRef<Edit> Edits) {
    Hints Result;
    for (const Edit &E : Edits)
      if (!add(E, Result))
        return {};
    return Result;
  }

private:
  bool add(const Edit &E, Hints &Out) {
    SourceLocation Begin = frontend::beginOf(E.Where);
    SourceLocation End = afterToken(frontend::endOf(E.Where));
    if (!inFile(Begin) || !inFile(End))
      return false;
    switch (E.K) {
    case Edit::RenameCallee:
      Out.push_back(FixItHint::CreateReplacement(
          CharSourceRange::getCharRange(Begin, End), E.Text));
      return true;
    case Edit::DropCall: {
      // `f(c, x)`: what stands before `x` goes, too.
      SourceLocation Kept = frontend::beginOf(E.Target);
      if (!inFile(Kept))
        return false;
      if (Kept != Begin)
        Out.push_back(FixItHint::CreateRemoval(
            CharSourceRange::getCharRange(Begin, Kept)));
      return drop(frontend::endOf(E.Target), End, Out);
    }
    case Edit::AssignBack: {
      SourceLocation From = frontend::beginOf(E.Target);
      SourceLocation To = afterToken(frontend::endOf(E.Target));
      if (!inFile(From) || !inFile(To))
        return false;
      llvm::StringRef Object(SM.getCharacterData(From),
                             SM.getCharacterData(To) -
                                 SM.getCharacterData(From));
      Out.push_back(FixItHint::CreateInsertion(Begin, Object.str() + " = "));
      return true;
    }
    case Edit::CopyInto:
      return intoCall(E, End, ".copy_(", Out);
    case Edit::PutInto:
      return intoCall(E, End, ", ", Out);
    case Edit::Insert:
      Out.push_back(FixItHint::CreateInsertion(Begin, E.Text));
      return true;
    case Edit::NameObject: {
      SourceLocation Decl = frontend::beginOf(E.Target);
      if (!inFile(Decl))
        return false;
      llvm::StringRef Object(SM.getCharacterData(Begin),
                             SM.getCharacterData(End) -
                                 SM.getCharacterData(Begin));
      auto [File, Offset] = SM.getDecomposedLoc(Decl);
      auto Indent = indentBefore(SM.getBufferData(File), Offset);
      if (!Indent)
        return false;
      Out.push_back(FixItHint::CreateInsertion(
          Decl, "auto " + E.Text + " = " + Object.str() + E.Call + ";\n" +
                    Indent->str()));
      Out.push_back(FixItHint::CreateReplacement(
          CharSourceRange::getCharRange(Begin, End), E.Text));
      return true;
    }
    case Edit::InsertLine: {
      auto [File, Offset] = SM.getDecomposedLoc(Begin);
      llvm::StringRef Text = SM.getBufferData(File);
      std::optional<llvm::StringRef> Indent = indentBefore(Text, Offset);
      if (!Indent || !statementMayPrecede(Text, Offset))
        return false;
      Out.push_back(
          FixItHint::CreateInsertion(Begin, E.Text + "\n" + Indent->str()));
      return true;
    }
    case Edit::Hoist:
      return hoist(Begin, End, frontend::beginOf(E.Target), Out);
    }
    return false;
  }

  /// Replaces the `=` behind the object by \p Text, and closes a parenthesis:
  ///   row = y            =>  row.copy_(y)
  ///   x.index_put_(i) = y  =>  x.index_put_(i, y)
  bool intoCall(const Edit &E, SourceLocation End, const char *Text,
                Hints &Out) {
    const SourceLocation Last = frontend::endOf(E.Target);
    const bool Reopens = E.K == Edit::PutInto; // the last token is a `)`
    SourceLocation From = Reopens ? Last : afterToken(Last);
    SourceLocation Behind = afterToken(Last);
    if (!inFile(From) || !inFile(Behind))
      return false;
    llvm::StringRef Rest(SM.getCharacterData(Behind),
                         SM.getCharacterData(End) -
                             SM.getCharacterData(Behind));
    const size_t Sign = Rest.find_first_not_of(" \t");
    if (Sign == llvm::StringRef::npos || Rest[Sign] != '=' ||
        (Reopens && *SM.getCharacterData(Last) != ')'))
      return false;
    const size_t Operand = Rest.find_first_not_of(" \t", Sign + 1);
    if (Operand == llvm::StringRef::npos)
      return false;
    Out.push_back(FixItHint::CreateReplacement(
        CharSourceRange::getCharRange(
            From, Behind.getLocWithOffset(static_cast<int>(Operand))),
        Text));
    Out.push_back(FixItHint::CreateInsertion(End, ")"));
    return true;
  }

  /// Removes what stands between \p LastToken and \p End.
  bool drop(SourceLocation LastToken, SourceLocation End, Hints &Out) {
    SourceLocation From = afterToken(LastToken);
    if (!inFile(From))
      return false;
    if (*SM.getCharacterData(End) != ' ') {
      Out.push_back(
          FixItHint::CreateRemoval(CharSourceRange::getCharRange(From, End)));
      return true;
    }
    // Clang takes a space after a removal with it, so `x.contiguous() + y`
    // would become `x+ y`; what replaces text does not get that treatment.
    const char *Kept = SM.getCharacterData(LastToken);
    Out.push_back(FixItHint::CreateReplacement(
        CharSourceRange::getCharRange(LastToken, End),
        llvm::StringRef(Kept, SM.getCharacterData(From) - Kept)));
    return true;
  }

  /// Moves the statement [Begin, End) to a line of its own before \p Loop:
  ///
  ///   for (...) {                    auto w = torch::ones({3, 3});
  ///     auto w = torch::ones(..  =>  for (...) {
  ///     use(w);                        use(w);
  bool hoist(SourceLocation Begin, SourceLocation End, SourceLocation Loop,
             Hints &Out) {
    if (!inFile(Loop))
      return false;
    auto [File, LoopOffset] = SM.getDecomposedLoc(Loop);
    auto [BeginFile, From] = SM.getDecomposedLoc(Begin);
    auto [EndFile, To] = SM.getDecomposedLoc(End);
    llvm::StringRef Text = SM.getBufferData(File);
    if (BeginFile != File || EndFile != File || From >= To ||
        To > Text.size() || LoopOffset >= From)
      return false;
    std::optional<llvm::StringRef> Indent = indentBefore(Text, LoopOffset);
    if (!Indent || !statementMayPrecede(Text, LoopOffset))
      return false;

    std::string Moved = Text.slice(From, To).str();
    if (Text.substr(To).ltrim(" \t").starts_with(";") && Moved.back() != ';') {
      To += Text.substr(To).find(';') + 1;
      Moved += ';';
    }
    Out.push_back(
        FixItHint::CreateInsertion(Loop, Moved + "\n" + Indent->str()));

    // Take the whole line when nothing else stands on it, with the line break
    // before it: the indentation after it would be cut into (see drop()).
    size_t CutFrom = From, CutTo = To;
    llvm::StringRef Rest =
        Text.substr(To).take_until([](char C) { return C == '\n'; });
    std::optional<llvm::StringRef> Own = indentBefore(Text, From);
    if (Own && CutFrom > Own->size() && Rest.trim(" \t\r").empty()) {
      CutFrom -= Own->size() + 1;
      CutTo += Rest.size();
    } else {
      CutTo += Rest.size() - Rest.ltrim(" \t").size();
    }
    SourceLocation Start = SM.getLocForStartOfFile(File);
    Out.push_back(FixItHint::CreateRemoval(CharSourceRange::getCharRange(
        Start.getLocWithOffset(CutFrom), Start.getLocWithOffset(CutTo))));
    return true;
  }

  /// The white space before \p Offset, when only that stands on its line.
  static std::optional<llvm::StringRef> indentBefore(llvm::StringRef Text,
                                                     size_t Offset) {
    size_t LineStart = Text.take_front(Offset).rfind('\n') + 1;
    llvm::StringRef Indent = Text.slice(LineStart, Offset);
    if (!Indent.trim(" \t").empty())
      return std::nullopt;
    return Indent;
  }

  /// Whether a new statement can stand at \p Offset: the code before it ends a
  /// statement or opens or closes a block, so the loop is not the lone body of
  /// an `if`, behind a label or under a pragma.
  bool statementMayPrecede(llvm::StringRef Text, size_t Offset) const {
    while (true) {
      llvm::StringRef Before = Text.take_front(Offset).rtrim();
      if (Before.empty())
        return false;
      if (Before.ends_with("*/")) {
        Offset = Before.rfind("/*");
        if (Offset == llvm::StringRef::npos)
          return false;
        continue;
      }
      size_t Comment = lineCommentBefore(Text, Before.size());
      if (Comment == Before.size())
        return llvm::StringRef(";{}").contains(Before.back());
      Offset = Comment;
    }
  }

  /// Where the `//` comment starts that the line up to \p Offset ends with, or
  /// \p Offset. Only a lexer can tell it from a string that holds slashes.
  size_t lineCommentBefore(llvm::StringRef Text, size_t Offset) const {
    const char *Line = Text.begin() + Text.take_front(Offset).rfind('\n') + 1;
    Lexer Lex(SourceLocation(), LangOpts, Text.begin(), Line, Text.end());
    Lex.SetCommentRetentionState(true);
    Token Tok;
    while (!Lex.LexFromRawLexer(Tok)) {
      size_t End = Lex.getBufferLocation() - Text.begin();
      if (End - Tok.getLength() >= Offset)
        break;
      if (Tok.is(tok::comment) && End >= Offset)
        return End - Tok.getLength();
    }
    return Offset;
  }

  SourceLocation afterToken(SourceLocation Loc) const {
    return Loc.isValid() && Loc.isFileID()
               ? Lexer::getLocForEndOfToken(Loc, 0, SM, LangOpts)
               : SourceLocation();
  }

  static bool inFile(SourceLocation Loc) {
    return Loc.isValid() && Loc.isFileID();
  }

  const SourceManager &SM;
  const LangOptions &LangOpts;
};

} // namespace

SourceLocation placeOf(const analysis::Finding &F) {
  SourceLocation Point = frontend::beginOf(F.Point);
  return Point.isValid() ? Point : frontend::beginOf(F.Where);
}

void render(const analysis::Finding &F, clang::tidy::ClangTidyCheck &Check,
            const ASTContext &Context) {
  // The text is an argument and not the format: it may hold a '%'.
  {
    auto Warning = Check.diag(placeOf(F), "%0");
    Warning << F.Message;
    SourceRange Underlined(frontend::beginOf(F.Where),
                           frontend::endOf(F.Where));
    if (Underlined.isValid())
      Warning << Underlined;
    for (const FixItHint &Hint : Editor(Context).hints(F.Edits))
      Warning << Hint;
  }
  for (const analysis::Note &N : F.Notes)
    Check.diag(frontend::beginOf(N.Where), "%0", DiagnosticIDs::Note) << N.Text;
}

} // namespace tensortidy::tidy
