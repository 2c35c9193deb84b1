//===- Drawing.cpp - a small tensor and its storage, drawn ----------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Drawing.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <map>

namespace tensortidy::tool {

static constexpr int64_t MostElements = 64, MostCells = 200;

bool Picture::fits() const {
  int64_t Count = 1;
  for (int64_t S : L.Sizes) {
    if (S <= 0 || S > MostElements)
      return false;
    Count *= S;
    if (Count > MostElements)
      return false;
  }
  return L.rank() > 0;
}

void Picture::forEach(
    llvm::function_ref<void(const Index &, int64_t)> Visit) const {
  Index At(L.rank(), 0);
  for (;;) {
    int64_t Place = L.Offset;
    for (size_t D = 0; D < At.size(); ++D)
      Place += At[D] * L.Strides[D];
    Visit(At, Place);
    size_t D = At.size();
    while (D > 0 && ++At[D - 1] == L.Sizes[D - 1])
      At[--D] = 0;
    if (D == 0)
      return;
  }
}

size_t Picture::padding() const {
  size_t D = 0;
  while (Ggml && D + 2 < L.rank() && L.Sizes[D] == 1)
    ++D;
  return D;
}

std::string Picture::label(const Index &At, size_t Dims,
                           const char *Rest) const {
  std::vector<std::string> Parts;
  for (size_t D = padding(); D < At.size(); ++D)
    Parts.push_back(D < Dims ? std::to_string(At[D]) : Rest);
  if (Ggml)
    std::reverse(Parts.begin(), Parts.end());
  return llvm::join(Parts, ",");
}

std::string Picture::grid() const {
  std::string R;
  llvm::raw_string_ostream OS(R);
  size_t Number = 1, Label = 0;
  forEach([&](const Index &At, int64_t Place) {
    Number = std::max(Number, std::to_string(Place).size());
    Label = std::max(Label, label(At, L.rank() - 1, ":").size());
  });
  forEach([&](const Index &At, int64_t Place) {
    if (At.back() == 0)
      OS << "  "
         << llvm::left_justify("[" + label(At, L.rank() - 1, ":") + "]",
                               static_cast<unsigned>(Label) + 3);
    OS << ' ' << llvm::format_decimal(Place, static_cast<unsigned>(Number));
    if (At.back() + 1 == L.Sizes.back())
      OS << '\n';
  });
  return R;
}

namespace {

/// The colour of a step along the dimension \p FromLast, 0 the innermost.
const char *colourOf(size_t FromLast) {
  static const char *const Colours[] = {"#2a8f5b", "#d9822b", "#c23b4b",
                                        "#7a52b3"};
  return Colours[std::min<size_t>(FromLast, 3)];
}

/// From light to dark in index order.
std::string shadeOf(int64_t Nth, int64_t Count) {
  return llvm::formatv("hsl(212, 75%, {0}%)",
                       95 - (Count > 1 ? 32 * Nth / (Count - 1) : 0))
      .str();
}

struct Text {
  int64_t X, Y;
  std::string Words;
  int Size = 12;
  const char *Anchor = "middle", *Colour = "#1b1f24";
};

llvm::raw_ostream &operator<<(llvm::raw_ostream &OS, const Text &T) {
  OS << "<text x=\"" << T.X << "\" y=\"" << T.Y << "\" font-size=\"" << T.Size
     << "\" text-anchor=\"" << T.Anchor << "\" fill=\"" << T.Colour << "\">";
  for (char C : T.Words) // a name of a size may be anything
    if (C == '<')
      OS << "&lt;";
    else if (C == '&')
      OS << "&amp;";
    else
      OS << C;
  return OS << "</text>\n";
}

void rectangle(llvm::raw_ostream &OS, int64_t X, int64_t Y, int64_t Width,
               int64_t Height, llvm::StringRef Fill) {
  OS << "<rect x=\"" << X << "\" y=\"" << Y << "\" width=\"" << Width
     << "\" height=\"" << Height << "\" fill=\"" << Fill
     << "\" stroke=\"#57606a\"/>\n";
}

std::string numbers(layout::Dims<int64_t> D, bool Reverse) {
  if (Reverse)
    std::reverse(D.begin(), D.end());
  std::string R;
  for (int64_t N : D)
    R += (R.empty() ? "[" : ", ") + std::to_string(N);
  return R + "]";
}

} // namespace

std::string Picture::svg() const {
  int64_t Least = INT64_MAX, Most = 0, Count = 0;
  size_t LongestLabel = 1, LongestNumber = 1;
  std::map<int64_t, std::pair<std::string, int64_t>> Cells; // index, nth
  forEach([&](const Index &At, int64_t Place) {
    Least = std::min(Least, Place);
    Most = std::max(Most, Place);
    std::string Label = label(At, L.rank());
    auto [It, New] = Cells.try_emplace(Place, Label, Count);
    if (!New) // stride 0: one place, many elements
      It->second.first +=
          llvm::StringRef(It->second.first).ends_with("..") ? "" : "..";
    LongestLabel = std::max(LongestLabel, It->second.first.size());
    LongestNumber = std::max(LongestNumber, std::to_string(Place).size());
    ++Count;
  });
  if (Most - std::min<int64_t>(Least, 0) > MostCells)
    return "";
  Least = 0;

  const int64_t Margin = 20;
  const auto Cell =
      std::max<int64_t>(34, 6 * static_cast<int64_t>(LongestLabel) + 8);
  const int64_t Strip = (Most + 1) * Cell;
  const int64_t Small =
      std::max<int64_t>(26, 8 * static_cast<int64_t>(LongestNumber) + 8);
  const size_t Rank = L.rank();
  const int64_t Columns = L.Sizes[Rank - 1],
                Rows = Rank > 1 ? L.Sizes[Rank - 2] : 1;
  const int64_t BlockWidth = std::max<int64_t>(Columns * Small, 70) + 24,
                BlockHeight = Rows * 24 + (Rank > 2 ? 34 : 14);
  const int64_t Width = std::max<int64_t>({Strip, 520, BlockWidth});
  const int64_t Across = std::max<int64_t>(1, Width / BlockWidth);
  const int64_t Blocks = Count / (Rows * Columns);
  const int64_t BlocksTop = Where.empty() ? 70 : 90;
  const int64_t StripTitle =
      BlocksTop + (Blocks + Across - 1) / Across * BlockHeight + 26;

  // How high the arcs go.
  auto HeightOf = [&](int64_t Distance) {
    return std::min<int64_t>(110, 16 + 9 * std::abs(Distance));
  };
  int64_t Above = 0, Below = 0, Last = -1;
  forEach([&](const Index &, int64_t Place) {
    if (Last >= 0 && Place != Last)
      (Place > Last ? Above : Below) =
          std::max(Place > Last ? Above : Below, HeightOf(Place - Last));
    Last = Place;
  });
  const int64_t Base = StripTitle + 16 + Above, Bottom = Base + 38;
  const int64_t Legend = Bottom + Below + 26;

  std::string R;
  llvm::raw_string_ostream OS(R);
  OS << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\""
     << Width + 2 * Margin << "\" height=\"" << Legend + 34
     << "\" viewBox=\"0 0 " << Width + 2 * Margin << ' ' << Legend + 34
     << "\" font-family=\"ui-monospace, DejaVu Sans Mono, monospace\">\n"
     << "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<defs>\n";
  for (size_t D = 0; D < std::min<size_t>(Rank, 4); ++D)
    OS << "<marker id=\"tip" << D
       << "\" markerWidth=\"8\" markerHeight=\"8\" refX=\"6\" refY=\"3\" "
          "orient=\"auto\"><path d=\"M0,0 L6,3 L0,6 z\" fill=\""
       << colourOf(D) << "\"/></marker>\n";
  OS << "</defs>\n"
     << Text{Margin, 26,
             (Ggml ? "ne " : "sizes ") + numbers(L.Sizes, Ggml) +
                 (Ggml ? ", nb / type size " : ", strides ") +
                 numbers(L.Strides, Ggml) + ", offset " +
                 std::to_string(L.Offset),
             14, "start"};
  if (!Where.empty())
    OS << Text{Margin, 46, "drawn for " + Where, 12, "start", "#57606a"};
  OS << Text{Margin, BlocksTop - 18, "the tensor: each element's place",
             12,     "start",        "#57606a"};

  int64_t Nth = 0;
  forEach([&](const Index &At, int64_t Place) {
    const int64_t Block = Nth / (Rows * Columns);
    const int64_t X = Margin + Block % Across * BlockWidth,
                  Y = BlocksTop + Block / Across * BlockHeight +
                      (Rank > 2 ? 16 : 0);
    if (Rank > 2 && Nth % (Rows * Columns) == 0)
      OS << Text{X,  Y - 4,   "[" + label(At, Rank - 2, ":") + "]",
                 11, "start", "#57606a"};
    const int64_t Left = X + At[Rank - 1] * Small,
                  Top = Y + (Rank > 1 ? At[Rank - 2] : 0) * 24;
    rectangle(OS, Left, Top, Small, 24, shadeOf(Nth, Count));
    OS << Text{Left + Small / 2, Top + 16, std::to_string(Place)};
    ++Nth;
  });

  OS << Text{Margin, StripTitle, "the storage: place and index",
             12,     "start",    "#57606a"};
  for (int64_t Place = Least; Place <= Most; ++Place) {
    auto It = Cells.find(Place);
    const int64_t X = Margin + (Place - Least) * Cell;
    rectangle(OS, X, Base, Cell, 38,
              It == Cells.end() ? "#f6f8fa"
                                : shadeOf(It->second.second, Count));
    OS << Text{
        X + Cell / 2, Base + 16, std::to_string(Place),
        12,           "middle",  It == Cells.end() ? "#9aa4ae" : "#1b1f24"};
    if (It != Cells.end())
      OS << Text{X + Cell / 2, Base + 31, It->second.first,
                 10,           "middle",  "#24426b"};
  }

  // Which dimension advances from one element to the next.
  std::map<size_t, int64_t> Steps;
  Index Before;
  Last = -1;
  forEach([&](const Index &At, int64_t Place) {
    size_t D = 0;
    while (!Before.empty() && D + 1 < Rank && At[D] == Before[D])
      ++D;
    if (!Before.empty()) {
      const size_t FromLast = Rank - 1 - D;
      Steps[FromLast] = Place - Last;
      if (Place != Last) {
        const int64_t X0 = Margin + (Last - Least) * Cell + Cell / 2,
                      X1 = Margin + (Place - Least) * Cell + Cell / 2;
        const bool Back = Place < Last;
        const int64_t Y = Back ? Bottom : Base,
                      Bend = 2 * HeightOf(Place - Last) - 16;
        OS << "<path class=\"step\" d=\"M" << X0 + (Back ? -3 : 3) << ',' << Y
           << " Q" << (X0 + X1) / 2 << ',' << (Back ? Y + Bend : Y - Bend)
           << ' ' << X1 + (Back ? 3 : -3) << ',' << (Back ? Y + 2 : Y - 2)
           << "\" fill=\"none\" stroke-width=\"1.4\" stroke=\""
           << colourOf(FromLast) << "\" marker-end=\"url(#tip"
           << std::min<size_t>(FromLast, 3) << ")\"/>\n";
      }
    }
    Before = At;
    Last = Place;
  });

  int64_t X = Margin;
  for (auto [FromLast, Jump] : Steps) {
    const size_t D = Ggml ? FromLast : Rank - 1 - FromLast;
    std::string Words = "next in dimension " + std::to_string(D) + ": " +
                        (Jump < 0 ? "" : "+") + std::to_string(Jump);
    OS << Text{X, Legend, Words, 12, "start", colourOf(FromLast)};
    X += 8 * static_cast<int64_t>(Words.size()) + 16;
    if (X > Width)
      break;
  }
  OS << "</svg>\n";
  return R;
}

} // namespace tensortidy::tool
