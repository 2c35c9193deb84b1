//===- Main.cpp - the runtime against libtorch ----------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   tensortidy-differential [--seed S] [--programs N] [--first K]
//                           [--operations] [--reasons] [--whole] [--fault N]
//                           [--cpp FILE] [--every FILE] [--claims FILE]
//
// Runs random programs of 3 to 12 operations on the runtime and on libtorch.
// The first program in which an operation disagrees is shrunk and printed as
// C++ (--cpp: written to FILE, with the includes it needs; --whole: as it was
// drawn, not shrunk). --every writes programs in which every operation drawn
// occurs, to see that what is printed compiles; --claims writes all of them
// for test/claims. Exit status 1 when
// programs disagree, 2 when the generator did not do its duty.
//
// --fault N breaks layout rule N (lib/Layout/Fault.h) first: the exit status is
// 0 only if the comparison notices.
//
//===----------------------------------------------------------------------===//

#include "../libtorch.h"
#include "Layout/Fault.h"
#include "Program.h"
#include <ATen/Parallel.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>

using namespace differential;

namespace {

struct Options {
  uint64_t Seed = 1;
  int64_t Programs = 20000, First = 0;
  bool Operations = false, Reasons = false, Whole = false;
  int Fault = 0;
  std::string Cpp, Every, Claims;
};

bool parse(int Count, char **Words, Options &O) {
  for (int K = 1; K < Count; ++K) {
    const std::string Word = Words[K];
    const char *Value = K + 1 < Count ? Words[K + 1] : nullptr;
    if (Word == "--operations") {
      O.Operations = true;
      continue;
    }
    if (Word == "--reasons") {
      O.Reasons = true;
      continue;
    }
    if (Word == "--whole") {
      O.Whole = true;
      continue;
    }
    if (!Value)
      return false;
    ++K;
    if (Word == "--seed")
      O.Seed = std::strtoull(Value, nullptr, 10);
    else if (Word == "--programs")
      O.Programs = std::strtoll(Value, nullptr, 10);
    else if (Word == "--first")
      O.First = std::strtoll(Value, nullptr, 10);
    else if (Word == "--fault")
      O.Fault = std::atoi(Value + (*Value == 'T'));
    else if (Word == "--cpp")
      O.Cpp = Value;
    else if (Word == "--every")
      O.Every = Value;
    else if (Word == "--claims")
      O.Claims = Value;
    else
      return false;
  }
  return true;
}

/// What the programs did, to be printed and to be required.
struct Coverage {
  std::vector<int64_t> Runs, Throws;
  std::map<std::string, int64_t> Reasons;
  std::map<std::string, int64_t> Kinds; ///< operation + kind of disagreement
  int64_t Programs = 0, Steps = 0, Throwing = 0, Disagreeing = 0;
  int64_t Shortest = 1 << 20, Longest = 0;
};

/// Draws a step for the machine's state.
Step draw(Gen &G, const Machine &M, int Self) {
  const auto &Ops = operations();
  Step S;
  S.Self = Self;
  if (!M.Ours.empty()) {
    do
      S.Op = static_cast<size_t>(G.upTo(static_cast<int64_t>(Ops.size())));
    while ((Ops[S.Op].Flags & Rare) && G.chance(50));
    for (int K = 0; K < Ops[S.Op].Operands; ++K)
      S.In[K] = G.any();
  }
  Ops[S.Op].Make(G, S);
  for (int K = 0; K < Ops[S.Op].Operands; ++K)
    if (S.In[K] < 0) // nothing alive will do
      return draw(G, M, Self);
  for (int K = Ops[S.Op].Operands; K < 3; ++K)
    S.In[K] = -1;
  return S;
}

/// Runs one program; true when it disagrees.
bool runOne(Gen &G, Coverage &C, Program &P, Outcome &Last) {
  Machine M;
  G.Tensors = &M.Ours;
  const int64_t Length = G.between(3, 12);
  bool Threw = false, Bad = false;
  while (static_cast<int64_t>(P.size()) < Length && !Bad) {
    P.push_back(draw(G, M, static_cast<int>(P.size())));
    const Step &S = P.back();
    Last = M.run(S);
    ++C.Runs[S.Op];
    ++C.Steps;
    C.Throws[S.Op] += Last.Threw;
    if (Last.Reason)
      ++C.Reasons[Last.Reason];
    Threw |= Last.Threw;
    Bad = !Last.Kind.empty();
  }
  ++C.Programs;
  C.Throwing += Threw;
  if (!Bad) {
    C.Shortest = std::min(C.Shortest, static_cast<int64_t>(P.size()));
    C.Longest = std::max(C.Longest, static_cast<int64_t>(P.size()));
  }
  return Bad;
}

long long ll(int64_t V) { return static_cast<long long>(V); }

/// Prints what was covered; false when it is too little.
bool report(const Coverage &C, const Options &O) {
  const auto &Ops = operations();
  std::map<std::string, std::pair<int64_t, int64_t>> ByName;
  for (size_t K = 0; K < Ops.size(); ++K) {
    ByName[Ops[K].Name].first += C.Runs[K];
    ByName[Ops[K].Name].second += C.Throws[K];
  }
  std::printf("%lld programs of %lld to %lld operations, %lld operations of "
              "%zu kinds, %lld %% of the programs throw, for %zu reasons, "
              "%lld disagree\n",
              ll(C.Programs), ll(C.Shortest), ll(C.Longest), ll(C.Steps),
              ByName.size(),
              ll(100 * C.Throwing / std::max<int64_t>(C.Programs, 1)),
              C.Reasons.size(), ll(C.Disagreeing));
  for (const auto &[Name, Times] : C.Kinds)
    std::printf("  %s: %lld\n", Name.c_str(), ll(Times));
  if (O.Operations)
    for (const auto &[Name, Times] : ByName)
      std::printf("%8lld %8lld  %s\n", ll(Times.first), ll(Times.second),
                  Name.c_str());
  if (O.Reasons)
    for (const auto &[Name, Times] : C.Reasons)
      std::printf("%8lld  %s\n", ll(Times), Name.c_str());
  if (O.Programs < 100000) // few do not have all of them often enough
    return true;
  bool Enough = C.Shortest >= 3 && C.Longest <= 12;
  if (!Enough)
    std::printf("programs are not of 3 to 12 operations\n");
  for (const auto &[Name, Times] : ByName)
    // 200 times in 100,000 programs.
    if (Times.first * 500 < C.Programs) {
      std::printf("only %lld times: %s\n", ll(Times.first), Name.c_str());
      Enough = false;
    }
  if (C.Throwing * 4 < C.Programs) {
    std::printf("less than a quarter of the programs throw\n");
    Enough = false;
  }
  return Enough;
}

void writeCpp(const std::string &File, const std::string &Text,
              const std::string &Calls = "disagreement();") {
  std::ofstream Out(File);
  Out << "// Compiles with libtorch, or, with -DRUNTIME, the checked runtime.\n"
         "#ifdef RUNTIME\n#include <tensortidy/torch.h>\n#else\n"
         "#include <ATen/ATen.h>\n#endif\n#include <sstream>\n#include "
         "<vector>\n\n"
      << Text << "\nint main() { " << Calls << " }\n";
}

} // namespace

int main(int Count, char **Words) {
  Options O;
  if (!parse(Count, Words, O)) {
    std::fprintf(stderr,
                 "usage: tensortidy-differential [--seed S] [--programs N] "
                 "[--first K] [--operations] [--reasons] [--whole] "
                 "[--fault N] [--cpp FILE] [--every FILE] "
                 "[--claims FILE]\n");
    return 2;
  }
  at::NoGradGuard NoGrad;
  at::set_num_threads(1);
  libtorch::silenceWarnings();
  tt::set_libtorch(std::to_string(TORCH_VERSION_MAJOR) + "." +
                   std::to_string(TORCH_VERSION_MINOR));
  c10::SetStackTraceFetcher([] { return std::string(); });
  tensortidy::layout::SeededFault = O.Fault;

  Coverage C;
  C.Runs.resize(operations().size());
  C.Throws.resize(operations().size());
  std::string Every, Calls, Claims;
  for (int64_t N = O.First; N < O.First + O.Programs; ++N) {
    Gen G;
    G.Engine.seed(O.Seed * 1000003 + static_cast<uint64_t>(N));
    Program P;
    Outcome Last;
    const std::vector<int64_t> Before = C.Runs;
    const bool Bad = runOne(G, C, P, Last);
    if (!O.Every.empty() && std::any_of(P.begin(), P.end(), [&](const Step &S) {
          return Before[S.Op] == 0;
        })) {
      const std::string Name = "program" + std::to_string(N);
      Every += asCpp(P, Name);
      Calls += Name + "(); ";
    }
    // Every third as a function of its tensors.
    if (!O.Claims.empty() && !Bad)
      Claims += asClaims(P, "program" + std::to_string(N), N % 3 == 0);
    if (!Bad || (O.Fault && !runProgram(P)))
      continue;
    ++C.Disagreeing;
    const std::string Name =
        std::string(operations()[P.back().Op].Name) + ", " + Last.Kind;
    if (C.Kinds[Name]++ == 0 && C.Kinds.size() <= 40) {
      const Program Small = O.Whole ? P : shrink(P);
      const std::string Text = asCpp(Small, "disagreement");
      std::printf("program %lld of seed %llu, shrunk from %zu to %zu "
                  "operations:\n%s\n",
                  ll(N), static_cast<unsigned long long>(O.Seed), P.size(),
                  Small.size(), Text.c_str());
      if (!O.Cpp.empty())
        writeCpp(O.Cpp, Text);
    }
    if (O.Fault)
      break;
  }
  if (!O.Every.empty())
    writeCpp(O.Every, Every, Calls);
  if (!O.Claims.empty())
    writeCpp(O.Claims, Claims, "");
  if (O.Fault) {
    std::printf("fault T%d %s\n", O.Fault,
                C.Disagreeing ? "is caught" : "goes unnoticed");
    return C.Disagreeing ? 0 : 1;
  }
  const bool Enough = report(C, O);
  if (C.Disagreeing)
    return 1;
  return Enough ? 0 : 2;
}
