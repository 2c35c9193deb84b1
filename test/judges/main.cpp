//===- main.cpp - runs the cases and compares the judges ------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   judges [--lint OUTPUT] [CASE...]
//
// Runs every case (or those named) and compares what happened with the
// comments in its source. With --lint, also compares the linter's text output
// for the same sources. Prints each disagreement; exit status 1 when there is
// one, 2 when a file cannot be read.
//
//===----------------------------------------------------------------------===//

#include "judge.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct Listed {
  std::string Name, File;
  int Line;
  judge::Body Run;
  bool NeedsDevice;
};

std::vector<Listed> &cases() {
  static std::vector<Listed> List;
  return List;
}

/// What a comment asks for: the line, one of the kinds below, the operation.
struct Expected {
  int Line;
  std::string Kind, Operation;
};

/// Raised by same(), copied() and require(): the case is wrong, whatever the
/// library does.
struct Failed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The file name without its folders: the linter may print another path.
std::string baseName(const std::string &Path) {
  return Path.substr(Path.find_last_of('/') + 1);
}

std::string wordAfter(const std::string &Text, const std::string &Marker) {
  const auto At = Text.find(Marker);
  if (At == std::string::npos)
    return {};
  const auto Begin = At + Marker.size();
  return Text.substr(Begin, Text.find_first_of(" \t\r", Begin) - Begin);
}

/// The kinds, what the line does, and the check that must report it, if any.
struct KindInfo {
  const char *Name;
  bool Throws;
  const char *Check;
};
constexpr KindInfo Kinds[] = {
    {"throws", true, "tensor-view-after-permute"},
    {"no-op", false, "tensor-redundant-contiguous"},
    {"mismatch", true, "tensor-shape-mismatch"},
    {"overlaps", true, "tensor-overlapping-write"},
    {"overwrites", false, "tensor-overlapping-write"},
    {"lost", false, "tensor-lost-write"},
    {"saved", true, "tensor-inplace-on-saved"},
    {"nan", false, "tensor-value-domain"},
    {"device", true, "tensor-device-mismatch"},
    {"refuses", true, nullptr},
};

const KindInfo &kind(const std::string &Name) {
  for (const KindInfo &K : Kinds)
    if (Name == K.Name)
      return K;
  std::abort();
}

std::vector<Expected> readComments(const std::string &File) {
  // __FILE__ may be relative to where the compiler ran.
  std::ifstream In(std::string(JUDGES_FOLDER "/") + baseName(File));
  if (!In) {
    std::fprintf(stderr, "judges: cannot read %s\n", File.c_str());
    std::exit(2);
  }
  std::vector<Expected> Result;
  std::string Text;
  for (int Line = 1; std::getline(In, Text); ++Line)
    for (const KindInfo &K : Kinds) {
      const auto Operation =
          wordAfter(Text, std::string("// ") + K.Name + ": ");
      if (!Operation.empty())
        Result.push_back({Line, K.Name, Operation});
    }
  return Result;
}

/// libtorch's texts do not always say which operation it was.
bool namesOperation([[maybe_unused]] const Expected &E) {
#ifdef JUDGE_LIBTORCH
  return E.Kind == "throws";
#else
  return true;
#endif
}

bool hasDevice() {
#ifdef JUDGE_LIBTORCH
  return torch::cuda::is_available();
#else
  return false;
#endif
}

class Judges {
public:
  Judges() {
    std::sort(cases().begin(), cases().end(),
              [](const Listed &A, const Listed &B) {
                return A.File != B.File ? A.File < B.File : A.Line < B.Line;
              });
    for (const Listed &C : cases())
      if (!Comments.count(C.File))
        Comments[C.File] = readComments(C.File);
  }

  void run(size_t Index) {
    const Listed &C = cases()[Index];
    if (C.NeedsDevice && !Device) {
      ++Skipped;
      return;
    }
    const Expected *Throws = nullptr;
    for (const Expected &E : Comments[C.File])
      if (kind(E.Kind).Throws && E.Line >= C.Line && E.Line < endOf(Index))
        Throws = &E;
    try {
      C.Run();
      if (Throws)
        complain(C.File, Throws->Line, C.Name + " did not throw");
    } catch (const Failed &E) {
      complain(C.File, C.Line, C.Name + ": " + E.what());
    } catch (const std::exception &E) {
      std::string Text = E.what();
      Text = Text.substr(0, Text.find('\n'));
      if (!Throws)
        complain(C.File, C.Line, C.Name + " threw: " + Text);
      else if (namesOperation(*Throws) &&
               Text.find(Throws->Operation) == std::string::npos)
        complain(C.File, Throws->Line,
                 C.Name + " threw something else: " + Text);
    }
    ++Ran;
  }

  /// Every warning stands on a line that asks for it, and the other way round.
  void compareLint(const std::string &Output) {
    std::ifstream In(Output);
    if (!In) {
      std::fprintf(stderr, "judges: cannot read %s\n", Output.c_str());
      std::exit(2);
    }
    std::set<std::string> Reported;
    for (std::string Text; std::getline(In, Text);) {
      const auto Warning = Text.find(": warning: ");
      const auto Bracket = Text.rfind('[');
      if (Warning == std::string::npos || Bracket == std::string::npos)
        continue;
      const auto Place = Text.substr(0, Text.rfind(':', Warning - 1));
      const auto Check =
          Text.substr(Bracket + 1, Text.find(']', Bracket) - Bracket - 1);
      Reported.insert(baseName(Place) + ": " + Check);
    }
    std::set<std::string> Wanted;
    for (const auto &[File, List] : Comments)
      for (const Expected &E : List)
        if (const char *Check = kind(E.Kind).Check)
          Wanted.insert(baseName(File) + ":" + std::to_string(E.Line) + ": " +
                        Check);
    for (const auto &W : Wanted)
      if (!Reported.count(W))
        complain(W + ": lint is silent");
    for (const auto &R : Reported)
      if (!Wanted.count(R))
        complain(R + ": lint reports what does not happen");
  }

  int finish() const {
    if (Skipped)
      std::printf("%u cases need a CUDA device and did not run\n", Skipped);
    std::printf("%u cases, %u disagreements\n", Ran, Complaints);
    return Complaints != 0;
  }

private:
  /// First line after the case: where the next one of its file starts.
  int endOf(size_t Index) const {
    const auto &List = cases();
    return Index + 1 < List.size() && List[Index + 1].File == List[Index].File
               ? List[Index + 1].Line
               : 1 << 30;
  }

  void complain(const std::string &Text) {
    std::printf("%s\n", Text.c_str());
    ++Complaints;
  }
  void complain(const std::string &File, int Line, const std::string &Text) {
    complain(baseName(File) + ":" + std::to_string(Line) + ": " + Text);
  }

  std::map<std::string, std::vector<Expected>> Comments;
  const bool Device = hasDevice();
  unsigned Ran = 0, Complaints = 0, Skipped = 0;
};

} // namespace

judge::Case::Case(const char *Name, const char *File, int Line, Body Run,
                  bool NeedsDevice) {
  cases().push_back({Name, File, Line, Run, NeedsDevice});
}

int64_t judge::number(int64_t Value) { return Value; }
bool judge::flag(bool Value) { return Value; }

void judge::same(const at::Tensor &Before, const at::Tensor &After) {
  if (Before.data_ptr() != After.data_ptr())
    throw Failed("a copy was made");
}

void judge::copied(const at::Tensor &Before, const at::Tensor &After) {
  if (Before.data_ptr() == After.data_ptr())
    throw Failed("no copy was made");
}

void judge::layout(const at::Tensor &Of, const std::vector<int64_t> &Sizes,
                   const std::vector<int64_t> &Strides, int64_t Offset) {
  auto Text = [](const auto &List) {
    std::string R;
    for (int64_t I : List)
      R += " " + std::to_string(I);
    return R;
  };
  if (Of.sizes().vec() != Sizes || Of.strides().vec() != Strides ||
      Of.storage_offset() != Offset)
    throw Failed("sizes" + Text(Of.sizes()) + ", strides" + Text(Of.strides()) +
                 ", offset " + std::to_string(Of.storage_offset()));
}

void judge::require(bool Condition) {
  if (!Condition)
    throw Failed("a required condition does not hold");
}

int main(int Count, char **Words) {
  std::string Lint;
  std::set<std::string> Only;
  for (int I = 1; I < Count; ++I) {
    const std::string Word = Words[I];
    if (Word == "--lint" && I + 1 < Count)
      Lint = Words[++I];
    else
      Only.insert(Word);
  }
  Judges J;
  for (size_t I = 0; I < cases().size(); ++I)
    if (Only.empty() || Only.count(cases()[I].Name))
      J.run(I);
  if (!Lint.empty())
    J.compareLint(Lint);
  return J.finish();
}
