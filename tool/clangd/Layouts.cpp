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
  for (const tidy::PlacedLayout &L : D.Layouts)
    if (L.Begin <= At && At < L.End &&
        (!Best || L.End - L.Begin < Best->End - Best->Begin))
      Best = &L;
  if (!Best)
    return std::nullopt;
  const analysis::LayoutFact &F = Best->Fact;
  Answer A;
  A.Range =
      json::Object{{"start", position(Text, D.LineStarts, Best->Begin, Unit)},
                   {"end", position(Text, D.LineStarts, Best->End, Unit)}};
  A.Markdown = "**layout**";
  if (!F.Name.empty())
    A.Markdown += " of `" + F.Name + "`";
  if (!F.DType.empty())
    A.Markdown += " (" + F.DType + ")";
  for (const std::string &Layout : F.Layouts)
    A.Markdown +=
        (F.Layouts.size() > 1 ? "  \non some path: `" : ": `") + Layout + "`";
  for (const analysis::Note &N : F.History)
    A.Markdown +=
        "  \nfrom `" + N.Text + "` (line " + std::to_string(N.Where.Line) + ")";
  return A;
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
    // An assignment stands for its whole expression: the hint belongs to the
    // name it begins with.
    StringRef Name = Text.slice(L.Begin, L.End).take_while([](char C) {
      return llvm::isAlnum(C) || C == '_' || C == '.' || C == '>' || C == '-';
    });
    unsigned End = L.Begin + static_cast<unsigned>(Name.size());
    json::Value Where = position(Text, D.LineStarts, End, Unit);
    int64_t Line = *Where.getAsObject()->getInteger("line");
    if (Name.empty() || Line < FirstLine || Line > LastLine)
      continue;
    Out.push_back(json::Object{{"position", std::move(Where)},
                               {"label", ": " + L.Fact.Layouts.front()},
                               {"kind", 1},
                               {"paddingLeft", false},
                               {"paddingRight", true}});
  }
  return Out;
}

} // namespace tensortidy::tool
