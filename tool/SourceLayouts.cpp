//===- SourceLayouts.cpp - the layouts in a source, for people ------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SourceLayouts.h"
#include "Sources.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>
#include <optional>
#include <tuple>

using clang::tidy::ClangTidyError;
using llvm::StringRef;
using tensortidy::tidy::PlacedLayout;

namespace tensortidy::tool {

namespace {

/// Where line \p Line begins and ends.
std::pair<size_t, size_t> boundsOf(StringRef Text, unsigned Line) {
  size_t Begin = 0;
  for (unsigned L = 1; L < Line; ++L) // npos + 1 is 0, of a file cut since
    Begin = Text.find('\n', Begin) + 1;
  return {Begin, std::min(Text.find('\n', Begin), Text.size())};
}

/// Of an expression of several lines the first.
std::string writtenAs(StringRef Text, const PlacedLayout &P) {
  return Text.slice(P.Begin, P.End)
      .take_until([](char C) { return C == '\n'; })
      .str();
}

Picture pictureOf(StringRef Text, const PlacedLayout &Of) {
  const analysis::DrawnLayout &D = Of.Fact.Drawn;
  const std::string What = writtenAs(Text, Of);
  Picture P;
  P.L.Sizes.assign(D.Sizes.begin(), D.Sizes.end());
  P.L.Strides.assign(D.Strides.begin(), D.Strides.end());
  P.L.Offset = D.Offset;
  P.Ggml = D.Ggml;
  P.What = What.size() > 100 ? What.substr(0, 97) + "..." : What;
  P.Where = D.Where;
  return P;
}

} // namespace

//===----------------------------------------------------------------------===//
// A line
//===----------------------------------------------------------------------===//

std::string layoutsOfLine(StringRef Text, llvm::ArrayRef<PlacedLayout> Found,
                          unsigned Line) {
  const auto [Begin, End] = boundsOf(Text, Line);
  std::string Out = Text.slice(Begin, End).str() + "\n";
  bool Any = false;
  for (const PlacedLayout &P : Found) {
    if (P.Begin < Begin || P.Begin >= End)
      continue;
    Any = true;
    Out += "  " + writtenAs(Text, P);
    if (!P.Fact.DType.empty())
      Out += "  " + P.Fact.DType;
    for (const std::string &L : P.Fact.Layouts)
      Out += (P.Fact.Layouts.size() > 1 ? "\n    on some path " : "  ") + L;
    Out += "\n";
    for (size_t I = 0; I < P.Fact.History.size(); ++I)
      Out += "    " + P.Places[I] + ": " + P.Fact.History[I].Text + "\n";
  }
  return Any ? Out : Out + "  no tensor with a known layout here\n";
}

std::string pictureOfLine(StringRef Text, llvm::ArrayRef<PlacedLayout> Found,
                          unsigned Line) {
  const auto [Begin, End] = boundsOf(Text, Line);
  const PlacedLayout *Last = nullptr;
  for (const PlacedLayout &P : Found) {
    if (P.Begin < Begin || P.Begin >= End)
      continue;
    // What can be drawn rather than what cannot, then what ends last.
    const auto Rank = [](const PlacedLayout &L) {
      return std::tuple(L.Fact.Drawn.Why.empty(), L.End, ~L.Begin);
    };
    if (!Last || Rank(P) > Rank(*Last))
      Last = &P;
  }
  if (!Last)
    return "";
  if (const std::string &Why = Last->Fact.Drawn.Why; !Why.empty())
    return Why + ": " + writtenAs(Text, *Last);
  return pictureOf(Text, *Last).svg();
}

//===----------------------------------------------------------------------===//
// A finding
//===----------------------------------------------------------------------===//

namespace {

/// What is drawn beside the tensor that a check speaks of.
enum class Beside {
  Nothing,
  Operand, ///< the other tensors of an operation
  Result,  ///< what the operation gives
  Copy,    ///< the same, or else the copy that the fix makes of the tensor
  Assumed, ///< the layout that the code takes it to have
};

/// The checks that are about layouts, and what the first picture is called.
struct LayoutCheck {
  const char *Name;
  Beside Second;
  const char *First;
};
const LayoutCheck LayoutChecks[] = {
    {"tensor-view-after-permute", Beside::Copy, "as it is"},
    {"tensor-redundant-contiguous", Beside::Nothing, "before and after"},
    {"tensor-shape-mismatch", Beside::Operand, "operand"},
    {"tensor-hidden-copy", Beside::Result, "as it is"},
    {"tensor-redundant-clone", Beside::Nothing, "copied"},
    {"tensor-memory-format", Beside::Result, "as it is"},
    {"tensor-lost-write", Beside::Nothing, "written to"},
    {"tensor-overlapping-write", Beside::Nothing, "written to"},
    {"tensor-raw-pointer-layout", Beside::Assumed, "as it is"},
};

struct Extent {
  size_t Begin, End;
};

/// What is underlined, or the caret alone.
Extent extentOf(const ClangTidyError &E) {
  Extent R{E.Message.FileOffset, E.Message.FileOffset};
  for (const clang::tooling::FileByteRange &Range : E.Message.Ranges)
    if (Range.FilePath == E.Message.FilePath) {
      R.Begin = std::min<size_t>(R.Begin, Range.FileOffset);
      R.End = std::max<size_t>(R.End, size_t(Range.FileOffset) + Range.Length);
    }
  return R;
}

bool isWhole(const PlacedLayout &P, Extent E) {
  return P.Begin == E.Begin && P.End == E.End;
}

/// Whether \p E gives the strides that \p P has on the first path, which is the
/// one that is drawn.
bool namesStrides(const ClangTidyError &E, const PlacedLayout &P) {
  for (const StringRef Word : {", strides [", ", nb ["}) {
    const auto [Sizes, Rest] = StringRef(P.Fact.Layouts.front()).split(Word);
    const StringRef Strides = Rest.take_until([](char C) { return C == ']'; });
    if (!Strides.empty() &&
        StringRef(E.Message.Message)
            .contains((Word.drop_front(2) + Strides + "]").str()))
      return true;
  }
  return false;
}

/// Whether \p P can be drawn, and is what \p E speaks of where paths differ.
bool isDrawn(const PlacedLayout &P, const ClangTidyError &E) {
  return P.Fact.Drawn.Why.empty() && !P.Fact.Layouts.empty() &&
         (P.Fact.Layouts.size() == 1 || namesStrides(E, P));
}

/// The tensors inside an expression that are inside no other one, in order.
std::vector<const PlacedLayout *> operandsOf(llvm::ArrayRef<PlacedLayout> Found,
                                             Extent Where) {
  std::vector<const PlacedLayout *> Inside;
  for (const PlacedLayout &P : Found)
    if (P.Begin >= Where.Begin && P.End <= Where.End && P.Begin < P.End &&
        !isWhole(P, Where))
      Inside.push_back(&P);
  llvm::stable_sort(Inside, [](const auto *A, const auto *B) {
    return std::tuple(A->Begin, ~A->End) < std::tuple(B->Begin, ~B->End);
  });
  std::vector<const PlacedLayout *> Outermost;
  for (const PlacedLayout *P : Inside)
    if (Outermost.empty() || P->Begin >= Outermost.back()->End)
      Outermost.push_back(P);
  return Outermost;
}

/// The one that \p E speaks of: by its name, by its strides, or the first if no
/// other one is meant. Null where that is not known.
const PlacedLayout *subjectOf(const ClangTidyError &E, StringRef Text,
                              llvm::ArrayRef<const PlacedLayout *> Operands) {
  const StringRef Message = E.Message.Message;
  for (const PlacedLayout *P : Operands)
    if (Message.contains("'" + writtenAs(Text, *P) + "'"))
      return P;
  for (const PlacedLayout *P : Operands)
    if (!P->Fact.Layouts.empty() && namesStrides(E, *P))
      return P;
  const StringRef Number = Message.split("operand ").second.take_front(1);
  const bool IsOther = !Number.empty() && llvm::isDigit(Number.front());
  return Operands.empty() || IsOther ? nullptr : Operands.front();
}

/// "B" -> "2" of "B=2, T=3".
std::map<StringRef, StringRef> numbersIn(StringRef Where) {
  std::map<StringRef, StringRef> Numbers;
  llvm::SmallVector<StringRef, 8> Parts;
  Where.split(Parts, ", ", /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef Part : Parts) {
    const auto [Name, Number] = Part.rsplit('=');
    Numbers[Name] = Number;
  }
  return Numbers;
}

/// Whether no name stands for two numbers: then the pictures can be compared.
bool agree(const Picture &A, const Picture &B) {
  const auto In = numbersIn(A.Where);
  return llvm::all_of(numbersIn(B.Where), [&](const auto &Entry) {
    auto It = In.find(Entry.first);
    return It == In.end() || It->second == Entry.second;
  });
}

bool isSame(const Picture &A, const Picture &B) {
  return A.L.Sizes == B.L.Sizes && A.L.Strides == B.L.Strides &&
         A.L.Offset == B.L.Offset;
}

int64_t elements(const Picture &P) {
  int64_t N = 1;
  for (const int64_t S : P.L.Sizes)
    N *= S;
  return N;
}

/// The same elements one behind the other, \p As says why.
Picture dense(Picture P, const char *As) {
  P.What += As;
  int64_t Stride = 1;
  for (size_t D = P.L.rank(); D-- > 0;) {
    P.L.Strides[D] = Stride;
    Stride *= P.L.Sizes[D];
  }
  P.L.Offset = 0;
  return P;
}

/// What the operation at \p Where makes of \p Before, if that is drawn with the
/// same numbers.
std::optional<Picture> resultOf(const ClangTidyError &E, Extent Where,
                                StringRef Text,
                                llvm::ArrayRef<PlacedLayout> Found,
                                const Picture &Before) {
  for (const PlacedLayout &P : Found)
    if (isWhole(P, Where) && isDrawn(P, E)) {
      Picture Result = pictureOf(Text, P);
      if (agree(Before, Result) && !isSame(Before, Result))
        return Result;
    }
  return std::nullopt;
}

} // namespace

std::vector<CaptionedPicture> picturesOf(const ClangTidyError &E,
                                         StringRef Text,
                                         llvm::ArrayRef<PlacedLayout> Found) {
  const auto *Check = llvm::find_if(LayoutChecks, [&](const LayoutCheck &C) {
    return E.DiagnosticName == C.Name;
  });
  if (Check == std::end(LayoutChecks))
    return {};
  const Extent Where = extentOf(E);
  const std::vector<const PlacedLayout *> Operands = operandsOf(Found, Where);
  std::vector<CaptionedPicture> Pictures;
  const auto Add = [&](Picture P) {
    Pictures.push_back({Check->First + (": '" + P.What + "'"), std::move(P)});
  };
  if (Check->Second == Beside::Operand) {
    constexpr size_t Most = 3;
    for (const PlacedLayout *P : Operands)
      if (isDrawn(*P, E) && Pictures.size() < Most)
        if (Picture Next = pictureOf(Text, *P);
            Pictures.empty() || agree(Pictures.front().P, Next))
          Add(std::move(Next));
    return Pictures;
  }
  const PlacedLayout *Subject = subjectOf(E, Text, Operands);
  if (!Subject || !isDrawn(*Subject, E))
    return {};
  const Picture First = pictureOf(Text, *Subject);
  Add(First);
  const Picture Copy = dense(First, ", copied"),
                Taken = dense(First, ", as if contiguous");
  switch (Check->Second) {
  case Beside::Nothing:
  case Beside::Operand:
    break;
  case Beside::Result:
  case Beside::Copy:
    // What has other elements is no view of it.
    if (auto Result = resultOf(E, Where, Text, Found, First);
        Result && (Check->Second == Beside::Result ||
                   elements(*Result) == elements(First)))
      Pictures.push_back({"after", std::move(*Result)});
    else if (Check->Second == Beside::Copy && !isSame(First, Copy))
      Pictures.push_back({"after: the copy, before it gets other sizes", Copy});
    if (Pictures.size() > 1)
      Pictures.front().Caption = "before: '" + First.What + "'";
    break;
  case Beside::Assumed:
    if (!isSame(First, Taken))
      Pictures.push_back({"as the pointer is used", Taken});
    break;
  }
  return Pictures;
}

LayoutRecord::LayoutRecord() {
  tidy::setLayoutSink(
      [this](StringRef File, StringRef Text, std::vector<PlacedLayout> Found) {
        All.push_back({File.str(), Text.str(), std::move(Found)});
      });
}

LayoutRecord::~LayoutRecord() { tidy::setLayoutSink(nullptr); }

std::vector<CaptionedPicture>
LayoutRecord::picturesOf(const ClangTidyError &E) const {
  const std::string File = pathIn(E.Message.FilePath, E.BuildDirectory);
  for (const Analysis &A : All)
    if (A.File == File)
      if (auto Pictures = tool::picturesOf(E, A.Text, A.Found);
          !Pictures.empty())
        return Pictures;
  return {};
}

} // namespace tensortidy::tool
