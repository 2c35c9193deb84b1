//===- Shrink.cpp - the smallest program that still disagrees -------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Steps are dropped, operands replaced by what they were made from, lists
// shortened and numbers made smaller, as long as the last operation still shows
// the same kind of difference.
//
//===----------------------------------------------------------------------===//

#include "Generate.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <functional>
#include <numeric>

namespace differential {

namespace {

/// Smaller values to try for a number, best first.
std::vector<int64_t> smaller(int64_t V) {
  std::vector<int64_t> R;
  for (int64_t W : {int64_t(0), int64_t(1), int64_t(2), V / 2,
                    V > 0 ? V - 1 : V + 1, V < 0 ? -V : V})
    if ((std::abs(W) < std::abs(V) || (V < 0 && W == -V)) &&
        std::find(R.begin(), R.end(), W) == R.end())
      R.push_back(W);
  return R;
}

class Shrinker {
public:
  explicit Shrinker(Program P) : Small(std::move(P)) {
    const Verdict V = runProgram(Small);
    Small.resize(std::min(Small.size(), V.At + 1));
    Op = operations()[Small.back().Op].Name;
    Kind = V.What.Kind;
  }
  Program run() {
    for (bool Better = true; Better && Tries < 4000;) {
      Better = false;
      for (size_t K = Small.size(); K-- > 0;)
        Better |= edit(
            [&](Program &P) { P.erase(P.begin() + static_cast<long>(K)); });
      for (size_t K = 0; K < Small.size(); ++K)
        Better |= shrinkStep(K);
    }
    return Small;
  }

private:
  /// Keeps the edit if the program still shows the difference.
  bool edit(const std::function<void(Program &)> &Change) {
    Program P = Small;
    Change(P);
    if (P.empty())
      return false;
    ++Tries;
    const Verdict V = runProgram(P);
    if (!V || V.What.Kind != Kind || Op != operations()[P[V.At].Op].Name)
      return false;
    P.resize(V.At + 1);
    Small = std::move(P);
    return true;
  }
  bool shrinkStep(size_t K) {
    bool Better = false;
    auto Step = [&](Program &P) -> auto & { return P[K]; };
    // An earlier tensor instead of an operand. Two operands do not become one:
    // a result written into an operand, say, is not asked for.
    auto Is = [](const struct Step &S, int Id) {
      return std::find(std::begin(S.In), std::end(S.In), Id) != std::end(S.In);
    };
    for (int In = 0; In < 3 && K < Small.size(); ++In)
      for (size_t E = 0; E < K; ++E)
        if (const int Id = Many * Small[E].Self;
            Id < Small[K].In[In] && !Is(Small[K], Id))
          Better |= edit([&](Program &P) { Step(P).In[In] = Id; });
    for (int L = 0; L < 3; ++L) {
      for (size_t E = 0; K < Small.size() && E < Small[K].L[L].size(); ++E) {
        // A whole dimension: the same entry of both lists.
        if (L == 0 && Small[K].L[1].size() == Small[K].L[0].size())
          Better |= edit([&](Program &P) {
            for (int Both : {0, 1})
              Step(P).L[Both].erase(Step(P).L[Both].begin() +
                                    static_cast<long>(E));
          });
        if (E < Small[K].L[L].size())
          Better |= edit([&](Program &P) {
            Step(P).L[L].erase(Step(P).L[L].begin() + static_cast<long>(E));
          });
        // The parameters of a later step name the same dimension.
        if (E < Small[K].L[L].size())
          Better |= edit([&](Program &P) {
            Step(P).L[L].erase(Step(P).L[L].begin() + static_cast<long>(E));
            auto &Last = P.back();
            if (K + 1 < P.size() && E < Last.L[0].size())
              Last.L[0].erase(Last.L[0].begin() + static_cast<long>(E));
          });
        if (E < Small[K].L[L].size())
          for (int64_t V : smaller(Small[K].L[L][E]))
            if (edit([&](Program &P) { Step(P).L[L][E] = V; })) {
              Better = true;
              break;
            }
      }
    }
    for (int I = 0; I < 4 && K < Small.size(); ++I)
      for (int64_t V : smaller(Small[K].I[I]))
        if (edit([&](Program &P) { Step(P).I[I] = V; })) {
          Better = true;
          break;
        }
    if (K < Small.size() && Small[K].Number != 0)
      for (double V : {0.0, 1.0})
        if (Small[K].Number != V && Small[K].Number != 0)
          Better |= edit([&](Program &P) { Step(P).Number = V; });
    if (K < Small.size() && Small[K].Type != 6 && Small[K].In[0] < 0)
      Better |= edit([&](Program &P) { Step(P).Type = 6; });
    if (K < Small.size() && Small[K].Format != 0)
      Better |= edit([&](Program &P) { Step(P).Format = 0; });
    return Better;
  }

  Program Small;
  std::string Op, Kind;
  int Tries = 0;
};

//===--- as C++
//-------------------------------------------------------------===//

/// Replaces \p Word where it stands alone, not as a member.
std::string replaceWord(const std::string &Text, const std::string &Word,
                        const std::string &By) {
  auto InWord = [](char C) {
    return std::isalnum(static_cast<unsigned char>(C)) || C == '_';
  };
  std::string R;
  for (size_t At = 0; At < Text.size();) {
    const size_t End = At + Word.size();
    const bool Whole =
        Text.compare(At, Word.size(), Word) == 0 &&
        (At == 0 || (!InWord(Text[At - 1]) && Text[At - 1] != '.' &&
                     Text[At - 1] != ':' && Text[At - 1] != '"')) &&
        (End >= Text.size() || !InWord(Text[End]));
    if (Whole) {
      R += By;
      At = End;
    } else {
      R += Text[At++];
    }
  }
  return R;
}

std::string tensorName(int Id, const std::map<int, Form> &Forms) {
  const int Self = Id / Many, K = Id % Many;
  const std::string Name = "t" + std::to_string(Self);
  auto It = Forms.find(Self);
  if (It == Forms.end() || It->second == Form::One)
    return Name;
  if (It->second == Form::Pair)
    return "std::get<" + std::to_string(K) + ">(" + Name + ")";
  return Name + "[" + std::to_string(K) + "]";
}

std::string list(const Ints &L) { return "Ints" + listText(L); }
std::string indexText(const Step &S) {
  if (S.L[2].empty())
    return "at::empty(" + list(S.L[1]) + ", at::kLong)";
  return "at::tensor(" + list(S.L[2]) + ", at::kLong).view(" + list(S.L[1]) +
         ")";
}
std::string entriesText(const Step &S, const std::string &Tensor) {
  std::string R = "{";
  for (size_t K = 0; K + 3 < S.L[0].size(); K += 4) {
    const int64_t *E = &S.L[0][K];
    auto N = [&](int I) { return std::to_string(E[I]); };
    R += K ? ", " : "";
    switch (static_cast<IndexKind>(E[0])) {
    case IndexKind::Integer:
      R += N(1);
      break;
    case IndexKind::Range:
      R += "at::indexing::Slice(" + N(1) + ", " + N(2) + ", " + N(3) + ")";
      break;
    case IndexKind::All:
      R += "at::indexing::Slice()";
      break;
    case IndexKind::Dots:
      R += "\"...\"";
      break;
    case IndexKind::None:
      R += "at::indexing::None";
      break;
    case IndexKind::Tensor:
      R += Tensor;
      break;
    }
  }
  return R + "}";
}

} // namespace

std::string stepText(const Step &S, const std::map<int, Form> &Forms) {
  std::string T = operations()[S.Op].Text;
  auto Put = [&](const std::string &Word, const std::string &By) {
    T = replaceWord(T, Word, By);
  };
  auto Replace = [&](const std::string &What, const std::string &By) {
    for (size_t At = 0; (At = T.find(What, At)) != std::string::npos;
         At += By.size())
      T.replace(At, What.size(), By);
  };
  std::string Tensors = "{";
  for (int K = 0; K < 3 && K < S.I[1]; ++K)
    Tensors += (K ? ", " : "") +
               (S.In[K] < 0 ? "at::Tensor()" : tensorName(S.In[K], Forms));
  Replace("list()", "std::vector<at::Tensor>" + Tensors + "}");
  Replace("entries(indexing())", entriesText(S, indexText(S)));
  Replace("entries(x)", entriesText(S, "x"));
  Replace("indexing()", indexText(S));
  // A literal 0 is also a pointer, and a convolution's padding then a string.
  for (size_t K = 0; K < 4; ++K) {
    const int64_t V = K < S.L[0].size() ? S.L[0][K] : 1;
    Replace("pick(" + std::to_string(K) + ")", V ? std::to_string(V) : "+0");
  }
  Replace("printed(x)", "(std::ostringstream() << x, x)");
  Replace("weights()",
          "at::arange(" +
              std::to_string(std::accumulate(S.L[1].begin(), S.L[1].end(),
                                             int64_t(1),
                                             std::multiplies<int64_t>())) +
              ", at::kFloat).remainder(3).view(" + list(S.L[1]) + ")");
  for (int K = 0; K < 2; ++K)
    Put("l" + std::to_string(K), list(S.L[K]));
  int64_t Count = 1;
  for (int64_t V : S.L[0])
    Count *= V;
  Put("count", std::to_string(Count));
  for (int K = 0; K < 4; ++K)
    Put("i" + std::to_string(K), std::to_string(S.I[K]));
  for (int K = 0; K < 3; ++K)
    Put("b" + std::to_string(K), S.I[K] ? "true" : "false");
  auto Optional = [&](bool Has, int64_t V) {
    return Has ? "c10::optional<int64_t>(" + std::to_string(V) + ")"
               : std::string("c10::nullopt");
  };
  Put("o0", Optional(S.Has[0], S.I[0]));
  Put("o1", Optional(S.Has[0], S.I[1]));
  Put("o2", Optional(S.Has[1], S.I[2]));
  Put("type",
      std::string("at::k") + tt::toString(static_cast<tt::ScalarType>(S.Type)));
  static const char *Formats[] = {"Contiguous", "Preserve", "ChannelsLast",
                                  "ChannelsLast3d"};
  Put("format", std::string("at::MemoryFormat::") + Formats[S.Format]);
  Put("number", std::to_string(S.Number));
  Put("whole", "at::Scalar(" + std::to_string(S.I[0]) + ")");
  Put("ns", "at");
  const char *Names[] = {"x", "y", "z"};
  for (int K = 0; K < 3; ++K)
    if (S.In[K] >= 0)
      Put(Names[K], tensorName(S.In[K], Forms));
  return T;
}

Program shrink(Program P) { return Shrinker(std::move(P)).run(); }

std::string asCpp(const Program &P, const std::string &Name) {
  const Verdict V = runProgram(P);
  std::string R =
      "void " + Name + "() {\n  using Ints = std::vector<int64_t>;\n";
  for (const Step &S : P) {
    const bool Last = &S == &P.back();
    if (Last) {
      std::string Text = V.What.Kind + ": " + V.What.Text;
      R += "  // ";
      for (char C : Text)
        R += C == '\n' ? "\n  // " : std::string(1, C);
      R += "\n";
    }
    R += "  [[maybe_unused]] auto t" + std::to_string(S.Self) + " = " +
         stepText(S, V.Forms) + ";\n";
  }
  return R + "}\n";
}

} // namespace differential
