//===- Layouts.cpp - layouts of the open files, for hover and hints -------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layouts.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using llvm::StringRef;
namespace json = llvm::json;

namespace tensortidy::tool {

namespace {

/// Bytes of the UTF-8 sequence that starts with \p Lead, and what it counts in
/// \p Unit.
std::pair<unsigned, unsigned> step(unsigned char Lead, OffsetUnit Unit) {
  unsigned Bytes = Lead < 0xC0 ? 1 : Lead < 0xE0 ? 2 : Lead < 0xF0 ? 3 : 4;
  if (Unit == OffsetUnit::Utf8)
    return {Bytes, Bytes};
  return {Bytes, Unit == OffsetUnit::Utf16 && Bytes == 4 ? 2 : 1};
}

unsigned charactersIn(StringRef Text, OffsetUnit Unit) {
  unsigned Count = 0;
  for (size_t I = 0; I < Text.size();) {
    auto [Bytes, Units] = step(static_cast<unsigned char>(Text[I]), Unit);
    I += Bytes;
    Count += Units;
  }
  return Count;
}

size_t bytesOf(StringRef Line, unsigned Characters, OffsetUnit Unit) {
  size_t I = 0;
  for (unsigned Count = 0; I < Line.size() && Count < Characters;) {
    auto [Bytes, Units] = step(static_cast<unsigned char>(Line[I]), Unit);
    I += Bytes;
    Count += Units;
  }
  return std::min(I, Line.size());
}

/// Also of a name that is not ASCII.
bool isWordCharacter(char C) {
  return llvm::isAlnum(C) || C == '_' || C == '$' ||
         (static_cast<unsigned char>(C) & 0x80);
}

/// An assignment stands for its whole expression: people look at the name it
/// begins with.
StringRef nameStored(StringRef Code) {
  return Code.take_while([](char C) {
    return isWordCharacter(C) || C == '.' || C == '>' || C == '-';
  });
}

json::Value position(StringRef Text, const std::vector<unsigned> &LineStarts,
                     unsigned Offset, OffsetUnit Unit) {
  auto Line = std::upper_bound(LineStarts.begin(), LineStarts.end(), Offset) -
              LineStarts.begin() - 1;
  unsigned Start = LineStarts[static_cast<size_t>(Line)];
  return json::Object{
      {"line", Line},
      {"character", charactersIn(Text.slice(Start, Offset), Unit)}};
}

} // namespace

void LayoutStore::put(StringRef File, StringRef Text,
                      std::vector<tidy::PlacedLayout> Layouts) {
  Document D;
  D.Text = Text.str();
  D.LineStarts.push_back(0);
  for (size_t I = 0; I < Text.size(); ++I)
    if (Text[I] == '\n')
      D.LineStarts.push_back(static_cast<unsigned>(I + 1));
  D.Layouts = std::move(Layouts);
  std::lock_guard<std::mutex> Lock(Mutex);
  Documents[File] = std::move(D);
}

void LayoutStore::drop(StringRef File) {
  std::lock_guard<std::mutex> Lock(Mutex);
  Documents.erase(File);
}

/// Where one points to ask for \p L: at the name of what is called, at the last
/// name of `this->weight`, at `parts` of `parts[0]`. What is in the brackets
/// are other things.
std::pair<unsigned, unsigned>
LayoutStore::Document::wordOf(const tidy::PlacedLayout &L) const {
  if (L.NameEnd && !StringRef("[(").contains(Text[L.NameBegin]))
    return {L.NameBegin, L.NameEnd};
  size_t End = L.End;
  if (L.Fact.IsStored)
    End = L.Begin + nameStored(StringRef(Text).slice(L.Begin, L.End)).size();
  if (End > L.Begin && (Text[End - 1] == ')' || Text[End - 1] == ']')) {
    unsigned Depth = 0;
    do {
      --End;
      Depth += Text[End] == ')' || Text[End] == ']' || Text[End] == '}';
      Depth -= Text[End] == '(' || Text[End] == '[' || Text[End] == '{';
    } while (Depth && End > L.Begin);
    if (Depth)
      return {0, 0}; // a bracket in a string
  }
  size_t Begin = End;
  while (Begin > L.Begin && isWordCharacter(Text[Begin - 1]))
    --Begin;
  return {static_cast<unsigned>(Begin), static_cast<unsigned>(End)};
}

/// \p Code on one line, of at most \p Most characters.
static std::string brief(StringRef Code, size_t Most) {
  std::string R;
  for (char C : Code)
    if (!llvm::isSpace(C))
      R += C;
    else if (!R.empty() && R.back() != ' ')
      R += ' ';
  if (R.size() > Most) {
    while (Most && (R[Most] & 0xC0) == 0x80)
      --Most;
    R = R.substr(0, Most) + "...";
  }
  return R;
}

std::string LayoutStore::Document::markdown(const tidy::PlacedLayout &L) const {
  const analysis::LayoutFact &F = L.Fact;
  std::string R = "**layout** of `";
  R += F.Name.empty() ? brief(StringRef(Text).slice(L.Begin, L.End), 60)
                      : F.Name;
  R += "`";
  if (!F.DType.empty())
    R += " (" + F.DType + ")";
  for (const std::string &Layout : F.Layouts)
    R += (F.Layouts.size() > 1 ? "  \non some path: `" : ": `") + Layout + "`";
  for (size_t I = 0; I < F.History.size(); ++I)
    R += "  \nfrom `" + brief(F.History[I].Text, 200) + "` (" + L.Places[I] +
         ")";
  return R;
}

std::optional<LayoutStore::Answer> LayoutStore::hover(StringRef File,
                                                      unsigned Line,
                                                      unsigned Character,
                                                      OffsetUnit Unit) const {
  std::lock_guard<std::mutex> Lock(Mutex);
  auto It = Documents.find(File);
  if (It == Documents.end() || Line >= It->second.LineStarts.size())
    return std::nullopt;
  const Document &D = It->second;
  StringRef Text = D.Text;
  size_t Start = D.LineStarts[Line];
  size_t At =
      Start +
      bytesOf(Text.substr(Start).take_until([](char C) { return C == '\n'; }),
              Character, Unit);
  const tidy::PlacedLayout *Best = nullptr;
  for (const tidy::PlacedLayout &L : D.Layouts) {
    auto [Begin, End] = D.wordOf(L);
    if (Begin <= At && At < End &&
        (!Best || L.End - L.Begin < Best->End - Best->Begin))
      Best = &L;
  }
  if (!Best)
    return std::nullopt;
  return Answer{
      D.markdown(*Best),
      json::Object{{"start", position(Text, D.LineStarts, Best->Begin, Unit)},
                   {"end", position(Text, D.LineStarts, Best->End, Unit)}}};
}

json::Array LayoutStore::hints(StringRef File, unsigned FirstLine,
                               unsigned LastLine, OffsetUnit Unit) const {
  json::Array Out;
  std::lock_guard<std::mutex> Lock(Mutex);
  auto It = Documents.find(File);
  if (It == Documents.end())
    return Out;
  const Document &D = It->second;
  for (const tidy::PlacedLayout &L : D.Layouts) {
    // Where paths differ a hint would be half true.
    if (!L.Fact.IsStored || L.Fact.Layouts.size() != 1)
      continue;
    StringRef Text = D.Text;
    StringRef Name = nameStored(Text.slice(L.Begin, L.End));
    unsigned End = L.Begin + static_cast<unsigned>(Name.size());
    json::Value Where = position(Text, D.LineStarts, End, Unit);
    int64_t Line = *Where.getAsObject()->getInteger("line");
    if (Name.empty() || Line < FirstLine || Line > LastLine)
      continue;
    Out.push_back(
        json::Object{{"position", std::move(Where)},
                     {"label", ": " + L.Fact.Layouts.front()},
                     {"kind", 1},
                     {"tooltip", json::Object{{"kind", "markdown"},
                                              {"value", D.markdown(L)}}},
                     {"paddingLeft", false},
                     {"paddingRight", true}});
  }
  return Out;
}

} // namespace tensortidy::tool
