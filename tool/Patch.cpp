//===- Patch.cpp - a change of a file as a patch --------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Patch.h"
#include "llvm/ADT/STLExtras.h"
#include <vector>

using clang::tooling::Replacement;
using clang::tooling::Replacements;
using llvm::StringRef;

namespace tensortidy::tool {

namespace {

constexpr size_t Context = 3;

/// The lines of a text, each with its end.
std::vector<StringRef> linesOf(StringRef Text) {
  std::vector<StringRef> Lines;
  while (!Text.empty()) {
    size_t Size = std::min(Text.find('\n'), Text.size() - 1) + 1;
    Lines.push_back(Text.take_front(Size));
    Text = Text.drop_front(Size);
  }
  return Lines;
}

/// The old lines [Begin, End) become New.
struct Change {
  size_t Begin, End;
  std::vector<std::string> New;
};

class Patch {
public:
  Patch(StringRef Old, const Replacements &Edits)
      : Old(Old), Lines(linesOf(Old)) {
    for (StringRef L : Lines)
      Starts.push_back(L.data() - Old.data());
    auto I = Edits.begin(), E = Edits.end();
    while (I != E) {
      // All edits that share a line are one change.
      auto First = I;
      size_t Begin = lineOf(I->getOffset());
      size_t End = endOf(*I);
      for (++I; I != E && lineOf(I->getOffset()) < End; ++I)
        End = std::max(End, endOf(*I));
      add(Begin, End, llvm::make_range(First, I));
    }
  }

  void print(llvm::raw_ostream &OS) const {
    long Shift = 0; // by how much new line numbers are ahead
    for (size_t I = 0; I < Changes.size();) {
      size_t Last = I;
      while (Last + 1 < Changes.size() &&
             Changes[Last + 1].Begin - Changes[Last].End <= 2 * Context)
        ++Last;
      printHunk(OS, I, Last, Shift);
      I = Last + 1;
    }
  }

  bool empty() const { return Changes.empty(); }

private:
  /// The number of the line that \p Offset is in, one past the last at the end.
  size_t lineOf(size_t Offset) const {
    size_t After = llvm::upper_bound(Starts, Offset) - Starts.begin();
    if (!After || (Offset == Old.size() && Old.ends_with("\n")))
      return Lines.size();
    return After - 1;
  }

  /// One past the last line that \p R has to do with. What ends where a line
  /// begins may have joined that line to the one before.
  size_t endOf(const Replacement &R) const {
    return std::min(lineOf(R.getOffset() + R.getLength()) + 1, Lines.size());
  }

  size_t startOf(size_t Line) const {
    return Line < Lines.size() ? Starts[Line] : Old.size();
  }

  template <class Range> void add(size_t Begin, size_t End, Range Edits) {
    Change Kept{Begin, std::max(Begin, End), {}};
    std::string Text;
    size_t At = startOf(Kept.Begin);
    for (const Replacement &R : Edits) {
      Text += Old.slice(At, R.getOffset());
      Text += R.getReplacementText();
      At = R.getOffset() + R.getLength();
    }
    Text += Old.slice(At, startOf(Kept.End));
    for (StringRef Line : linesOf(Text))
      Kept.New.push_back(Line.str());
    // What is the same at both ends is no part of it.
    size_t Same = 0;
    while (Kept.Begin < Kept.End && Same < Kept.New.size() &&
           Lines[Kept.Begin] == Kept.New[Same]) {
      ++Kept.Begin;
      ++Same;
    }
    Kept.New.erase(Kept.New.begin(), Kept.New.begin() + long(Same));
    while (Kept.Begin < Kept.End && !Kept.New.empty() &&
           Lines[Kept.End - 1] == Kept.New.back()) {
      --Kept.End;
      Kept.New.pop_back();
    }
    if (Kept.Begin != Kept.End || !Kept.New.empty())
      Changes.push_back(std::move(Kept));
  }

  static void printLine(llvm::raw_ostream &OS, char Kind, StringRef Line) {
    OS << Kind << Line;
    if (!Line.ends_with("\n"))
      OS << "\n\\ No newline at end of file\n";
  }

  static void printRange(llvm::raw_ostream &OS, char Kind, size_t First,
                         size_t Count) {
    // Of no lines, the number is that of the line before.
    OS << Kind << (Count ? First + 1 : First);
    if (Count != 1)
      OS << ',' << Count;
  }

  void printHunk(llvm::raw_ostream &OS, size_t First, size_t Last,
                 long &Shift) const {
    size_t Begin =
        Changes[First].Begin - std::min(Context, Changes[First].Begin);
    size_t End = std::min(Changes[Last].End + Context, Lines.size());
    long Growth = 0;
    for (size_t I = First; I <= Last; ++I)
      Growth +=
          long(Changes[I].New.size()) - long(Changes[I].End - Changes[I].Begin);
    OS << "@@ ";
    printRange(OS, '-', Begin, End - Begin);
    OS << ' ';
    printRange(OS, '+', size_t(long(Begin) + Shift),
               size_t(long(End - Begin) + Growth));
    OS << " @@\n";
    Shift += Growth;
    size_t At = Begin;
    for (size_t I = First; I <= Last; ++I) {
      for (; At < Changes[I].Begin; ++At)
        printLine(OS, ' ', Lines[At]);
      for (; At < Changes[I].End; ++At)
        printLine(OS, '-', Lines[At]);
      for (StringRef L : Changes[I].New)
        printLine(OS, '+', L);
    }
    for (; At < End; ++At)
      printLine(OS, ' ', Lines[At]);
  }

  StringRef Old;
  std::vector<StringRef> Lines;
  std::vector<size_t> Starts;
  std::vector<Change> Changes;
};

/// A name as git writes it: in quotes where it needs any, with a tab behind a
/// name that has spaces.
std::string nameInPatch(StringRef Prefix, StringRef Name) {
  std::string Text = (Prefix + Name).str(), Quoted = "\"";
  bool Needed = false;
  for (unsigned char C : Text) {
    bool Odd = C < ' ' || C == '"' || C == '\\' || C == 127;
    Needed |= Odd;
    if (Odd) {
      Quoted += '\\';
      for (int Bits : {6, 3, 0})
        Quoted += char('0' + (C >> Bits & 7));
    } else {
      Quoted += char(C);
    }
  }
  if (Needed)
    return Quoted + "\"";
  return StringRef(Text).contains(' ') ? Text + "\t" : Text;
}

} // namespace

void printPatch(llvm::raw_ostream &OS, StringRef Name, StringRef Old,
                const Replacements &Edits) {
  Patch P(Old, Edits);
  if (P.empty())
    return;
  OS << "--- " << nameInPatch("a/", Name) << "\n+++ " << nameInPatch("b/", Name)
     << '\n';
  P.print(OS);
}

} // namespace tensortidy::tool
