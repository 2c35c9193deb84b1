//===- HtmlCode.cpp - code in a page --------------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Output/HtmlCode.h"
#include "Output/HtmlPage.h"
#include "clang/Basic/IdentifierTable.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"

using namespace clang;
using llvm::StringRef;

namespace tensortidy::tool {

namespace {

constexpr uint8_t Marked = 0x80;

/// The class of a token in the style sheet: a keyword, a string, a number, a
/// comment; 0 for what is not coloured.
uint8_t classOf(const Token &T, StringRef Spelling, bool IsDirective,
                IdentifierTable &Names, const LangOptions &Language) {
  switch (T.getKind()) {
  case tok::comment:
    return 'c';
  case tok::numeric_constant:
    return 'd';
  case tok::raw_identifier:
    return IsDirective || Names.get(Spelling).isKeyword(Language) ? 'k' : 0;
  case tok::hash:
    return IsDirective ? 'k' : 0;
  default:
    return tok::isStringLiteral(T.getKind()) || T.is(tok::char_constant) ||
                   T.is(tok::header_name)
               ? 's'
               : 0;
  }
}

LangOptions cxx() {
  LangOptions Language;
  Language.CPlusPlus = Language.CPlusPlus11 = Language.CPlusPlus14 =
      Language.CPlusPlus17 = Language.CPlusPlus20 = Language.Bool =
          Language.LineComment = Language.CXXOperatorNames = true;
  return Language;
}

} // namespace

HtmlCode::HtmlCode(StringRef From) : Text(From.str()), Styles(From.size(), 0) {
  Starts.push_back(0);
  for (size_t I = 0; I < Text.size(); ++I)
    if (Text[I] == '\n' && I + 1 < Text.size())
      Starts.push_back(I + 1);
  colour();
}

/// Tokens, whether or not the code makes sense.
void HtmlCode::colour() {
  const LangOptions Language = cxx();
  IdentifierTable Names(Language);
  Lexer Lex(SourceLocation(), Language, Text.c_str(), Text.c_str(),
            Text.c_str() + Text.size());
  Lex.SetCommentRetentionState(true);
  Token T;
  bool AfterHash = false, IsLast = false;
  while (!IsLast) {
    IsLast = Lex.LexFromRawLexer(T);
    const size_t End = Lex.getBufferLocation() - Text.c_str();
    const size_t Begin = End - T.getLength();
    const bool IsHash = T.is(tok::hash) && T.isAtStartOfLine();
    const StringRef Spelling = StringRef(Text).slice(Begin, End);
    const uint8_t Class =
        classOf(T, Spelling, IsHash || AfterHash, Names, Language);
    AfterHash = IsHash;
    for (size_t I = Begin; Class && I < End; ++I)
      Styles[I] = Class;
  }
}

std::pair<size_t, size_t> HtmlCode::boundsOf(size_t Number) const {
  const size_t Begin = Starts[Number - 1];
  const size_t Next = Number < Starts.size() ? Starts[Number] : Text.size();
  return {Begin,
          Begin + StringRef(Text).slice(Begin, Next).rtrim("\r\n").size()};
}

size_t HtmlCode::offsetOf(const Place::Point &P) const {
  if (P.Line == 0 || P.Line > Starts.size())
    return Text.size();
  const auto [Begin, End] = boundsOf(P.Line);
  return std::min(Begin + P.Column - 1, End);
}

void HtmlCode::mark(const Place &At) {
  const size_t End = offsetOf(At.End);
  for (size_t I = offsetOf(At.Begin); I < End; ++I)
    Styles[I] |= Marked;
}

void HtmlCode::print(llvm::raw_ostream &OS, size_t Number) const {
  auto [At, End] = boundsOf(Number);
  while (At < End) {
    const size_t From = At;
    while (At < End && Styles[At] == Styles[From])
      ++At;
    const bool IsMarked = Styles[From] & Marked;
    const char Class = static_cast<char>(Styles[From] & ~Marked);
    if (IsMarked)
      OS << "<mark>";
    if (Class)
      OS << "<span class=\"" << Class << "\">";
    OS << Esc{StringRef(Text).slice(From, At)};
    if (Class)
      OS << "</span>";
    if (IsMarked)
      OS << "</mark>";
  }
}

} // namespace tensortidy::tool
