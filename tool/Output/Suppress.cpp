//===- Suppress.cpp - comments that silence findings ----------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Output/Suppress.h"
#include "clang/Format/Format.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"

using clang::tidy::ClangTidyError;
using llvm::StringRef;

namespace tensortidy::tool {

std::string badReason(StringRef Why) {
  if (Why.trim().empty())
    return "is empty, and the comment is to say why";
  if (llvm::any_of(Why, [](unsigned char C) { return C < 0x20 || C == 0x7f; }))
    return "has more than one line";
  if (Why.rtrim().ends_with("\\") || Why.rtrim().ends_with("?\?/"))
    return "ends in a backslash, which would make the next line a comment";
  if (Why.contains("NOLINT"))
    return "has NOLINT in it, which clang-tidy would take for one more";
  return "";
}

namespace {

/// The lines of a text, and where one may be inserted.
class Layout {
public:
  explicit Layout(StringRef Text)
      : Text(Text), Starts{Text.starts_with("\xef\xbb\xbf") ? 3U : 0U} {
    for (size_t I = 0; I < Text.size(); ++I)
      if (Text[I] == '\n')
        Starts.push_back(I + 1);
    findTokens();
  }

  unsigned count() const { return static_cast<unsigned>(Starts.size()); }
  size_t start(unsigned Line) const { return Starts[Line - 1]; }
  /// Without the line break.
  StringRef line(unsigned Line) const {
    return Text.substr(start(Line))
        .take_until([](char C) { return C == '\n'; })
        .rtrim('\r');
  }
  StringRef indent(unsigned Line) const {
    return line(Line).take_while([](char C) { return C == ' ' || C == '\t'; });
  }
  size_t end(unsigned Line) const { return start(Line) + line(Line).size(); }

  bool mayPrecede(unsigned Line) const {
    return Line == 1 || (!isContinued(Line - 1) && !isInToken(start(Line)));
  }
  bool mayFollow(unsigned Line) const {
    return !isContinued(Line) && !isInToken(end(Line));
  }

private:
  /// Whether a backslash joins the next line to it.
  bool isContinued(unsigned Line) const {
    return line(Line).rtrim(" \t").ends_with("\\");
  }

  /// Whether \p Offset has something of one token, or of a comment, on both
  /// sides.
  bool isInToken(size_t Offset) const {
    auto It = Tokens.lower_bound(Offset); // by end
    return It != Tokens.end() && It->first != Offset && It->second < Offset;
  }

  void findTokens() {
    const clang::LangOptions Options =
        clang::format::getFormattingLangOpts(clang::format::getLLVMStyle());
    const std::string Terminated = Text.str();
    clang::Lexer Lex(clang::SourceLocation(), Options, Terminated.data(),
                     Terminated.data(), Terminated.data() + Terminated.size());
    Lex.SetCommentRetentionState(true);
    clang::Token Tok;
    for (bool Last = false; !Last;) {
      Last = Lex.LexFromRawLexer(Tok);
      const size_t End = Lex.getBufferLocation() - Terminated.data();
      Tokens[End] = End - Tok.getLength();
    }
  }

  StringRef Text;
  std::vector<size_t> Starts;
  std::map<size_t, size_t> Tokens; ///< end to begin
};

class Writer {
public:
  Writer(StringRef Text, StringRef Why) : L(Text), Why(Why.trim().str()) {}

  std::vector<std::vector<Edit>> write(const SilencedLines &Lines) {
    std::map<std::pair<unsigned, unsigned>, std::set<std::string>> Blocks;
    for (const auto &[Line, Checks] : Lines) {
      if (Line > L.count())
        continue;
      if (L.mayPrecede(Line))
        above(Line, Checks);
      else if (L.mayFollow(Line))
        insert(L.end(Line), " // NOLINT" + remark(Checks));
      else
        Blocks[around(Line)].insert(Checks.begin(), Checks.end());
    }
    for (const auto &[Where, Checks] : Blocks)
      block(Where.first, Where.second, Checks);
    return std::move(All);
  }

private:
  static std::string list(const std::set<std::string> &Checks) {
    return llvm::join(Checks, ",");
  }
  std::string remark(const std::set<std::string> &Checks) const {
    return "(" + list(Checks) + "): " + Why;
  }

  static Edit insertion(size_t Offset, std::string Text) {
    return {"", static_cast<unsigned>(Offset), 0, std::move(Text)};
  }
  void insert(size_t Offset, std::string Text) {
    All.push_back({insertion(Offset, std::move(Text))});
  }

  /// A second comment would hold for the first one's line: they are joined.
  void above(unsigned Line, const std::set<std::string> &Checks) {
    constexpr StringRef Marker = "NOLINTNEXTLINE(";
    if (Line > 1) {
      const StringRef Before = L.line(Line - 1);
      const size_t At = Before.find(Marker);
      const size_t Close = Before.find(')', At);
      if (At != StringRef::npos && Close != StringRef::npos) {
        const bool None =
            Before.slice(At + Marker.size(), Close).trim().empty();
        return insert(L.start(Line - 1) + Close,
                      (None ? "" : ",") + list(Checks));
      }
    }
    insert(L.start(Line),
           L.indent(Line).str() + "// NOLINTNEXTLINE" + remark(Checks) + "\n");
  }

  /// The first line that may have one above it, and the first behind, of which
  /// \p Line is in the middle; 0: the end of the text.
  std::pair<unsigned, unsigned> around(unsigned Line) const {
    unsigned First = Line, Behind = Line + 1;
    while (!L.mayPrecede(First))
      --First;
    while (Behind <= L.count() && !L.mayPrecede(Behind))
      ++Behind;
    return {First, Behind <= L.count() ? Behind : 0};
  }

  void block(unsigned First, unsigned Behind,
             const std::set<std::string> &Checks) {
    if (!Behind)
      return; // the text ends in the middle of something
    const std::string Indent = L.indent(First).str();
    All.push_back({insertion(L.start(First),
                             Indent + "// NOLINTBEGIN" + remark(Checks) + "\n"),
                   insertion(L.start(Behind),
                             Indent + "// NOLINTEND(" + list(Checks) + ")\n")});
  }

  Layout L;
  const std::string Why;
  std::vector<std::vector<Edit>> All;
};

} // namespace

std::vector<std::vector<Edit>>
suppressions(StringRef Text, const SilencedLines &Lines, StringRef Why) {
  return Writer(Text, Why).write(Lines);
}

void Suppressions::add(llvm::ArrayRef<ClangTidyError> Findings,
                       const FileResult &R) {
  for (const ClangTidyError &E : Findings) {
    const std::string Path = pathIn(E.Message.FilePath, E.BuildDirectory);
    for (const SourceText &S : R.Sources) {
      // clang-tidy's own complaint about such comments is none to silence.
      if (S.Path != Path || E.DiagnosticName == "clang-tidy-nolint")
        continue;
      auto [It, New] = Files.try_emplace(realPath(Path, ""));
      SourceText &Known = It->second.Source;
      if (New)
        Known = S;
      else
        Known.Changed |= S.Changed || Known.Text != S.Text;
      const StringRef Before =
          StringRef(S.Text).take_front(E.Message.FileOffset);
      It->second.Checks[Before.count('\n') + 1].insert(E.DiagnosticName);
    }
  }
}

void Suppressions::suggest(Fixes &To, StringRef Why) const {
  for (const auto &[File, Of] : Files) {
    To.addSource(File, Of.Source);
    for (std::vector<Edit> &Fix :
         suppressions(Of.Source.Text, Of.Checks, Why)) {
      for (Edit &E : Fix)
        E.File = File;
      To.add(std::move(Fix));
    }
  }
}

} // namespace tensortidy::tool
