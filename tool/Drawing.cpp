//===- Drawing.cpp - a small tensor and its storage, drawn ----------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Drawing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>

namespace tensortidy::tool {

static constexpr int64_t MostElements = 64;

std::vector<int64_t> Picture::shown() const {
  std::vector<int64_t> Shown;
  for (int64_t S : L.Sizes)
    Shown.push_back(std::min(S, MostElements));
  auto Count = [&] {
    int64_t N = 1;
    for (int64_t S : Shown)
      N *= S = std::max<int64_t>(S, 1), N = std::min<int64_t>(N, 1 << 20);
    return N;
  };
  // The longest gives way, of several the outermost.
  while (Count() > MostElements)
    --*std::max_element(Shown.begin(), Shown.end());
  return Shown;
}

bool Picture::fits() const {
  for (int64_t S : L.Sizes)
    if (S <= 0)
      return false;
  return L.rank() > 0 &&
         std::equal(L.Sizes.begin(), L.Sizes.end(), shown().begin());
}

void Picture::forEach(
    llvm::function_ref<void(const Index &, int64_t)> Visit) const {
  const std::vector<int64_t> Shown = shown();
  Index At(L.rank(), 0);
  for (;;) {
    int64_t Place = L.Offset;
    for (size_t D = 0; D < At.size(); ++D)
      Place += At[D] * L.Strides[D];
    Visit(At, Place);
    size_t D = At.size();
    while (D > 0 && ++At[D - 1] == Shown[D - 1])
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
  const int64_t Light = 95 - (Count > 1 ? 32 * Nth / (Count - 1) : 0);
  return "hsl(212, 75%, " + std::to_string(Light) + "%)";
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

std::string Picture::title() const {
  return (Ggml ? "ne " : "sizes ") + numbers(L.Sizes, Ggml) +
         (Ggml ? ", nb / type size " : ", strides ") +
         numbers(L.Strides, Ggml) + ", offset " + std::to_string(L.Offset);
}

std::vector<std::pair<size_t, std::string>> Picture::legend() const {
  std::vector<std::pair<size_t, std::string>> Lines;
  const std::vector<int64_t> Shown = shown();
  for (size_t D = padding(); D < L.rank(); ++D) {
    if (L.Sizes[D] < 2)
      continue;
    std::string Words = "dimension " +
                        std::to_string(Ggml ? L.rank() - 1 - D : D) +
                        ": stride " + std::to_string(L.Strides[D]);
    // Those behind it go back to their first index at such a step.
    int64_t Jump = L.Strides[D];
    for (size_t I = D + 1; I < L.rank(); ++I)
      Jump -= (Shown[I] - 1) * L.Strides[I];
    if (Jump == 0)
      Words += L.Strides[D] ? "; its arrows stay in one place"
                            : ": all its indices share one place";
    else if (Jump != L.Strides[D])
      Words += std::string("; its arrows go ") + (Jump < 0 ? "" : "+") +
               std::to_string(Jump) + ", as the later dimensions start again";
    Lines.emplace_back(D, std::move(Words));
  }
  return Lines;
}

namespace {

/// Cells of the storage, in rows. Gaps of many become one cell.
class Storage {
public:
  static constexpr int64_t LongGap = 4;

  Storage(const std::vector<int64_t> &Used, int64_t MostAcross) {
    int64_t Next = std::min<int64_t>(0, Used.front());
    for (int64_t Place : Used) {
      if (Place - Next > LongGap)
        Cells.push_back({Next, true});
      else
        for (; Next < Place; ++Next)
          Cells.push_back({Next, false});
      At[Place] = static_cast<int64_t>(Cells.size());
      Cells.push_back({Place, false});
      Next = Place + 1;
    }
    const auto Count = static_cast<int64_t>(Cells.size());
    // Rows of about one length.
    const int64_t Rows = (Count + MostAcross - 1) / MostAcross;
    Across = (Count + Rows - 1) / Rows;
  }
  struct Cell {
    int64_t Place;
    bool IsGap; ///< stands for more than LongGap places
  };
  std::vector<Cell> Cells;
  int64_t Across = 1;
  int64_t rows() const {
    return (static_cast<int64_t>(Cells.size()) + Across - 1) / Across;
  }
  int64_t row(int64_t Place) const { return At.at(Place) / Across; }
  int64_t column(int64_t Place) const { return At.at(Place) % Across; }

private:
  std::map<int64_t, int64_t> At;
};

} // namespace

/// A picture as it is made: first where everything is, then line by line.
class Picture::Sketch {
public:
  explicit Sketch(const Picture &P)
      : P(P), Rank(P.L.rank()), Shown(P.shown()), Cut(!P.fits()),
        Words(P.legend()), OS(R) {
    findElements();
    Strip.emplace(Used, std::max<int64_t>(4, MostWidth / Cell));
    placeTensor();
    placeStorage();
  }
  Svg draw();

private:
  static constexpr int64_t Margin = 20, MostWidth = 760, CellHeight = 38;

  void findElements();
  void placeTensor();
  void placeStorage();
  /// How high the arrows of one row of the storage go.
  int64_t heightOf(int64_t From, int64_t To) const {
    return std::min<int64_t>(
        60, 14 + 5 * std::abs(Strip->column(To) - Strip->column(From)));
  }
  int64_t xOf(int64_t Place) const {
    return Margin + Strip->column(Place) * Cell + Cell / 2;
  }
  int64_t yOf(int64_t Place) const { return Base + Strip->row(Place) * Pitch; }
  void drawHead();
  void drawTensor();
  void drawStorage();
  void drawSteps();
  void drawStep(int64_t From, int64_t Place, size_t FromLast);
  void drawLegend();

  const Picture &P;
  const size_t Rank;
  const std::vector<int64_t> Shown;
  const bool Cut;
  const std::vector<std::pair<size_t, std::string>> Words;
  // What the storage has.
  std::map<int64_t, std::pair<std::string, int64_t>> Held; ///< index, nth
  std::vector<int64_t> Used;
  int64_t Count = 0, Cell = 0, Small = 0;
  std::optional<Storage> Strip;
  // The tensor: blocks of rows. A long row of one dimension is cut as well.
  int64_t InRow = 0, Columns = 0, Lines = 0, Elements = 0;
  int64_t BlockWidth = 0, BlockHeight = 0, Across = 0;
  bool CutsColumns = false, CutsRows = false, CutsBlocks = false;
  // From the top.
  int64_t BlocksTop = 0, StripTitle = 0, Base = 0, Pitch = 0, Legend = 0;
  int64_t Width = 0, Total = 0, Height = 0;
  std::string R;
  llvm::raw_string_ostream OS;
};

void Picture::Sketch::findElements() {
  size_t LongestLabel = 1, LongestNumber = 1;
  P.forEach([&](const Index &At, int64_t Place) {
    std::string Label = P.label(At, Rank);
    auto [It, New] = Held.try_emplace(Place, Label, Count);
    if (!New) // stride 0: one place, many elements
      It->second.first +=
          llvm::StringRef(It->second.first).ends_with("..") ? "" : "..";
    LongestLabel = std::max(LongestLabel, It->second.first.size());
    LongestNumber = std::max(LongestNumber, std::to_string(Place).size());
    ++Count;
  });
  for (const auto &Place : Held)
    Used.push_back(Place.first);
  Cell = std::max<int64_t>({34, 6 * static_cast<int64_t>(LongestLabel) + 8,
                            8 * static_cast<int64_t>(LongestNumber) + 6});
  Small = std::max<int64_t>(26, 8 * static_cast<int64_t>(LongestNumber) + 8);
}

void Picture::Sketch::placeTensor() {
  const auto &Sizes = P.L.Sizes;
  InRow = Shown[Rank - 1];
  CutsColumns = InRow < Sizes[Rank - 1];
  CutsRows = Rank > 1 && Shown[Rank - 2] < Sizes[Rank - 2];
  Columns = std::min<int64_t>(InRow, MostWidth / Small);
  Lines = (InRow + Columns - 1) / Columns;
  const int64_t Rows = (Rank > 1 ? Shown[Rank - 2] : 1) * Lines;
  BlockWidth = std::max<int64_t>((Columns + CutsColumns) * Small, 70) + 24;
  BlockHeight = (Rows + CutsRows) * 24 + (Rank > 2 ? 34 : 14);
  Width = std::max<int64_t>({Strip->Across * Cell, 520, BlockWidth - 24});
  Across = std::max<int64_t>(1, (Width + 24) / BlockWidth);
  Elements = Rank > 1 ? Shown[Rank - 2] * InRow : InRow;
  for (size_t D = 0; D + 2 < Rank; ++D)
    CutsBlocks = CutsBlocks || Shown[D] < Sizes[D];
}

void Picture::Sketch::placeStorage() {
  // The title, what is drawn, and for which numbers.
  BlocksTop = 70 + 20 * !P.What.empty() + 20 * !P.Where.empty();
  const int64_t Blocks = Count / Elements;
  StripTitle = BlocksTop + (Blocks + Across - 1) / Across * BlockHeight +
               (CutsBlocks ? 46 : 26);
  int64_t Above = 10, Below = 6, Last = 0;
  bool First = true;
  P.forEach([&](const Index &, int64_t Place) {
    if (!First && Place != Last && Strip->row(Place) == Strip->row(Last)) {
      int64_t &Most = Place > Last ? Above : Below;
      Most = std::max(Most, heightOf(Last, Place));
    }
    Last = Place;
    First = false;
  });
  Pitch = CellHeight + Above + Below + 8;
  Base = StripTitle + 12 + Above;
  Legend = Base + (Strip->rows() - 1) * Pitch + CellHeight + Below + 26;
  Height = Legend + 18 * static_cast<int64_t>(Words.size()) + 12;
  Total = std::max(
      Width,
      15 * static_cast<int64_t>(std::max(P.What.size(), P.Where.size() + 10)) /
          2);
  for (const auto &Line : Words)
    Total =
        std::max(Total, 15 * static_cast<int64_t>(Line.second.size()) / 2 + 26);
}

void Picture::Sketch::drawHead() {
  // Its own background, so that it is read on a dark page, too.
  OS << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\""
     << Total + 2 * Margin << "\" height=\"" << Height << "\" viewBox=\"0 0 "
     << Total + 2 * Margin << ' ' << Height
     << "\" font-family=\"ui-monospace, DejaVu Sans Mono, monospace\">\n"
     << "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<defs>\n";
  for (size_t D = 0; D < std::min<size_t>(Rank, 4); ++D)
    OS << "<marker id=\"tip" << D
       << "\" markerWidth=\"8\" markerHeight=\"8\" refX=\"6\" refY=\"3\" "
          "orient=\"auto\"><path d=\"M0,0 L6,3 L0,6 z\" fill=\""
       << colourOf(D) << "\"/></marker>\n";
  OS << "</defs>\n" << Text{Margin, 26, P.title(), 14, "start"};
  if (!P.What.empty())
    OS << Text{Margin, 46, P.What, 12, "start", "#57606a"};
  if (!P.Where.empty())
    OS << Text{Margin,
               46 + 20 * !P.What.empty(),
               "drawn for " + P.Where,
               12,
               "start",
               "#57606a"};
  OS << Text{Margin,
             BlocksTop - 18,
             Cut ? "the tensor: the place of each of the first indices; … "
                   "stands for those left out"
                 : "the tensor: each element's place",
             12,
             "start",
             "#57606a"};
}

void Picture::Sketch::drawTensor() {
  int64_t Nth = 0;
  P.forEach([&](const Index &At, int64_t Place) {
    const int64_t Block = Nth / Elements;
    const int64_t X = Margin + Block % Across * BlockWidth,
                  Y = BlocksTop + Block / Across * BlockHeight +
                      (Rank > 2 ? 16 : 0);
    if (Rank > 2 && Nth % Elements == 0)
      OS << Text{X,  Y - 4,   "[" + P.label(At, Rank - 2, ":") + "]",
                 11, "start", "#57606a"};
    const int64_t InLine = At[Rank - 1] % Columns;
    const int64_t Line =
        (Rank > 1 ? At[Rank - 2] : 0) * Lines + At[Rank - 1] / Columns;
    const int64_t Left = X + InLine * Small, Top = Y + Line * 24;
    rectangle(OS, Left, Top, Small, 24, shadeOf(Nth, Count));
    OS << Text{Left + Small / 2, Top + 16, std::to_string(Place)};
    if (CutsColumns && At[Rank - 1] + 1 == InRow)
      OS << Text{Left + Small + Small / 2, Top + 16, "…"};
    if (CutsRows && At[Rank - 2] + 1 == Shown[Rank - 2])
      OS << Text{Left + Small / 2, Top + 24 * Lines + 14, "…"};
    ++Nth;
  });
  if (CutsBlocks)
    OS << Text{Margin, StripTitle - 30, "…", 14, "start"};
}

void Picture::Sketch::drawStorage() {
  OS << Text{Margin, StripTitle, "the storage: place and index",
             12,     "start",    "#57606a"};
  for (size_t I = 0; I < Strip->Cells.size(); ++I) {
    const Storage::Cell &C = Strip->Cells[I];
    const auto Nr = static_cast<int64_t>(I);
    const int64_t X = Margin + Nr % Strip->Across * Cell,
                  Y = Base + Nr / Strip->Across * Pitch;
    auto It = Held.find(C.Place);
    const bool Holds = !C.IsGap && It != Held.end();
    rectangle(OS, X, Y, Cell, CellHeight,
              Holds ? shadeOf(It->second.second, Count) : "#f6f8fa");
    OS << Text{X + Cell / 2, Y + 16,   C.IsGap ? "…" : std::to_string(C.Place),
               12,           "middle", Holds ? "#1b1f24" : "#6e7781"};
    if (Holds)
      OS << Text{X + Cell / 2, Y + 31,   It->second.first,
                 10,           "middle", "#24426b"};
  }
  if (Cut)
    OS << Text{Margin + Strip->column(Used.back()) * Cell + Cell + 12,
               yOf(Used.back()) + 22, "…", 14};
}

/// From each element to the next in index order.
void Picture::Sketch::drawSteps() {
  Index Before;
  int64_t Last = 0;
  P.forEach([&](const Index &At, int64_t Place) {
    size_t D = 0;
    while (!Before.empty() && D + 1 < Rank && At[D] == Before[D])
      ++D;
    const bool Steps = !Before.empty() && Place != Last;
    const int64_t From = Last;
    Before = At;
    Last = Place;
    if (!Steps)
      return;
    drawStep(From, Place, Rank - 1 - D);
  });
}

void Picture::Sketch::drawStep(int64_t From, int64_t Place, size_t FromLast) {
  const int64_t X0 = xOf(From), X1 = xOf(Place);
  const int64_t Down = Strip->row(Place) - Strip->row(From);
  OS << "<path class=\"step\" d=\"M";
  if (Down == 0) {
    const bool Back = Place < From;
    const int64_t Y = yOf(From) + (Back ? CellHeight : 0),
                  Bend = 2 * heightOf(From, Place) - 14;
    OS << X0 + (Back ? -3 : 3) << ',' << Y << " Q" << (X0 + X1) / 2 << ','
       << (Back ? Y + Bend : Y - Bend) << ' ' << X1 + (Back ? 3 : -3) << ','
       << (Back ? Y + 2 : Y - 2);
  } else { // to another row
    const int64_t Y0 = yOf(From) + (Down > 0 ? CellHeight : 0),
                  Y1 = yOf(Place) + (Down > 0 ? -2 : CellHeight + 2),
                  Lift = Down > 0 ? 16 : -16;
    OS << X0 << ',' << Y0 << " C" << X0 << ',' << Y0 + Lift << ' ' << X1 << ','
       << Y1 - Lift << ' ' << X1 << ',' << Y1;
  }
  OS << "\" fill=\"none\" stroke-width=\"1.3\" stroke-opacity=\"0.85\" "
        "stroke=\""
     << colourOf(FromLast) << "\" marker-end=\"url(#tip"
     << std::min<size_t>(FromLast, 3) << ")\"/>\n";
}

void Picture::Sketch::drawLegend() {
  int64_t Y = Legend;
  for (const auto &[D, Line] : Words) {
    const char *const Colour = colourOf(Rank - 1 - D);
    OS << "<path d=\"M" << Margin << ',' << Y - 4 << " h16\" stroke=\""
       << Colour << "\" stroke-width=\"2\" marker-end=\"url(#tip"
       << std::min<size_t>(Rank - 1 - D, 3) << ")\"/>\n"
       << Text{Margin + 26, Y, Line, 12, "start", Colour};
    Y += 18;
  }
}

Svg Picture::Sketch::draw() {
  drawHead();
  drawTensor();
  drawStorage();
  drawSteps();
  drawLegend();
  OS << "</svg>\n";
  OS.flush();
  return {std::move(R), Total + 2 * Margin, Height};
}

Svg Picture::draw() const {
  if (L.rank() == 0 || llvm::any_of(L.Sizes, [](int64_t S) { return S <= 0; }))
    return {};
  return Sketch(*this).draw();
}

} // namespace tensortidy::tool
