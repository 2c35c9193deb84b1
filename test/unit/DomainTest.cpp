//===- DomainTest.cpp - states: order, joins, what conditions teach -------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The program is text, and what must be known at a point is asserted there: the
// states that enter a block, one line each, of the variables that are read from
// there on.
//
//   n=3; y=[3, m] [m, 1]      variables; a tensor's sizes and strides
//   x=[x.size(0), ...]        of unknown rank, as many dimensions as are known
//   l={3, n}  l=each [4] [1]  lists
//   'c' is true               what the path assumes
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/Wording.h"
#include "Analysis/Domain/Join.h"
#include "Analysis/Domain/Names.h"
#include "Analysis/Transfer/Interpret.h"
#include "Program/Text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <functional>
#include <random>
#include <set>

using namespace tensortidy;
using namespace tensortidy::analysis;
using program::BlockId;
using testing::ElementsAre;

namespace {

//===----------------------------------------------------------------------===//
// What a state knows, in words
//===----------------------------------------------------------------------===//

std::string words(const State &S, const Object &O) {
  if (!O.HasLayout)
    return "[?]";
  std::string Sizes, Strides;
  for (size_t D = 0; D < O.L.rank(); ++D) {
    const bool Rest = static_cast<int>(D) == O.Segment;
    const char *Comma = D ? ", " : "";
    Sizes +=
        Comma +
        (Rest ? "..."
              : layout::SymbolicText(S.Ar, true).str(S.Ar.norm(O.L.Sizes[D])));
    Strides +=
        Comma +
        (Rest && O.SegmentDense
             ? "dense"
             : layout::SymbolicText(S.Ar, true).str(S.Ar.norm(O.L.Strides[D])));
  }
  return "[" + Sizes + "] [" + Strides + "]" + (O.DType.empty() ? "" : " ") +
         O.DType;
}

std::string words(const State &S, const Value &V) {
  const Object *O = S.Objects.find(V.T);
  switch (V.K) {
  case Value::Int:
    return layout::SymbolicText(S.Ar, true).str(S.Ar.norm(V.I));
  case Value::Bool:
    return V.C->K == Condition::Constant ? V.C->Flag ? "true" : "false"
                                         : "a condition";
  case Value::Tensor:
    return O ? words(S, *O) : "?";
  case Value::None:
    return "none";
  case Value::Each:
    return "each " + (O ? words(S, *O) : "undefined");
  case Value::List: {
    std::string Text;
    for (const Value &E : *V.Elems)
      Text += (Text.empty() ? "" : ", ") + words(S, E);
    return "{" + Text + "}";
  }
  default:
    return "?";
  }
}

std::string words(const program::Function &F, const State &S) {
  std::string Text;
  auto Add = [&](const std::string &One) {
    Text += (Text.empty() ? "" : "; ") + One;
  };
  S.Vars.forEach([&](program::VarId V, const Value &X) {
    Add(F.Vars[V].Name + "=" + words(S, X));
  });
  for (const auto &[Symbol, R] : S.Ranges)
    Add(S.Ar.symbols()[Symbol].Name + " in " +
        (R.Least ? std::to_string(*R.Least) : "") + ".." +
        (R.Most ? std::to_string(*R.Most) : ""));
  for (const auto &[Key, Answer] : S.Assumed)
    if (!Answer.second.Of.empty())
      Add(withoutMarks(words(Answer.first, Answer.second)));
  return Text;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

/// Keeps what enters each block, and runs \p Then on the states of one.
class States : public StateObserver {
public:
  using Check = std::function<void(const program::Function &, const State &,
                                   const State &, BlockId, Joiner &)>;
  States(const std::string &Text, Check Pair = nullptr) : Pair(Pair) {
    auto Parsed = program::parse(Text);
    if (!Parsed) {
      ADD_FAILURE() << llvm::toString(Parsed.takeError()) << "\n" << Text;
      return;
    }
    F = std::move(Parsed->front());
    EXPECT_EQ(program::verify(F), "") << Text;
    const RunResult R = interpret(FlowInfo(F), Hypothesis::Opaque, Budget(),
                                  cpuSeconds() + 10, this);
    EXPECT_EQ(R.Reason, program::GiveUp::No) << Text;
    for (auto &[B, All] : Words)
      All.erase(std::unique(All.begin(), All.end()), All.end());
  }

  void enters(BlockId B, const State &S, Joiner &Joins) override {
    Words[B].push_back(words(F, S));
    if (!Pair)
      return;
    std::vector<State> &Before = Seen[B];
    Pair(F, S, S, B, Joins);
    for (const State &Other : Before)
      Pair(F, Other, S, B, Joins);
    Before.push_back(S);
  }

  /// The states of block \p B, in the order in which they came.
  const std::vector<std::string> &at(BlockId B) { return Words[B]; }

private:
  program::Function F;
  Check Pair;
  std::map<BlockId, std::vector<std::string>> Words;
  std::map<BlockId, std::vector<State>> Seen;
};

/// Numbers the values of some lines: "n = load $0" with %n for n.
std::string numbered(std::string Text) {
  std::map<std::string, std::string> Numbers;
  std::string Out;
  for (size_t I = 0; I < Text.size(); ++I) {
    Out += Text[I];
    if (Text[I] != '%')
      continue;
    std::string Name;
    while (I + 1 < Text.size() && isalnum(Text[I + 1]))
      Name += Text[++I];
    Out += Numbers.try_emplace(Name, std::to_string(Numbers.size() + 1))
               .first->second;
  }
  return Out;
}

const char *const Head = R"(function "f"
  var $0 "c" bool param
  var $1 "n" int param
  var $2 "m" int param
  var $3 "x" tensor param ref
  var $4 "v" )";

//===----------------------------------------------------------------------===//
// Joins, as a table
//===----------------------------------------------------------------------===//

/// Statements that make value %v of a kind, with values of the name \p P.
std::string arm(std::string Text, const std::string &P) {
  std::string Out;
  for (char C : Text)
    Out += C == '%' ? "%" + P : std::string(1, C);
  return Out;
}

/// What v is where one path gave it \p A and another one \p B.
std::string joinOf(const std::string &Type, const std::string &A,
                   const std::string &B) {
  auto Arm = [](const std::string &Text, const std::string &Name) {
    return Text.empty() ? std::string()
                        : arm(Text, Name) + "\n    store $4 %" + Name + "v\n";
  };
  std::string Joined = "not joined";
  program::BlockId Meet = 3;
  States S(
      numbered(Head + Type + "\n  block 0 if %c -> 1, 2\n    %c = load $0\n" +
               "  block 1 -> 3\n" + Arm(A, "a") + "  block 2 -> 3\n" +
               Arm(B, "b") + "  block 3\n    %r = load $4\n    return %r\n"),
      [&](const program::Function &F, const State &X, const State &Y,
          BlockId At, Joiner &Joins) {
        if (At == Meet)
          Joined = words(F, Joins.join(X, Y, At));
      });
  return Joined;
}

const char *const Zeros = "    %n = load $1\n    %k = const 4\n"
                          "    %s = list %n %k\n"
                          "    %v = filled size=%s \"zeros\"";

std::string replaced(std::string Text, const std::string &From,
                     const std::string &To) {
  const size_t At = Text.find(From);
  return At == std::string::npos ? Text : Text.replace(At, From.size(), To);
}

TEST(Domain, JoinOfNumbers) {
  const std::string Three = "    %v = const 3", Four = "    %v = const 4",
                    N = "    %v = load $1", M = "    %v = load $2",
                    Sum = "    %n = load $1\n    %o = const 1\n"
                          "    %v = add_int %n %o",
                    Mus = "    %n = load $1\n    %o = const 1\n"
                          "    %v = add_int %o %n";
  EXPECT_EQ(joinOf("int", Three, Three), "v=3");
  EXPECT_EQ(joinOf("int", Three, Four), "v=v");
  EXPECT_EQ(joinOf("int", N, N), "v=n");
  EXPECT_EQ(joinOf("int", N, M), "v=v");
  EXPECT_EQ(joinOf("int", Sum, Mus), "v=n + 1");
  EXPECT_EQ(joinOf("int", Three, N), "v=v");
}

TEST(Domain, JoinOfConditions) {
  const std::string True = "    %v = const true",
                    False = "    %v = const false";
  EXPECT_EQ(joinOf("bool", True, True), "v=true");
  EXPECT_EQ(joinOf("bool", True, False), "");
}

TEST(Domain, JoinOfTensors) {
  const std::string A = Zeros;
  const std::string B = replaced(A, "load $1", "load $2");
  const std::string T =
      replaced(A, "%v = filled", "%w = filled") + "\n    %v = t self=%w \"t\"";
  const std::string Flat = replaced(A, "list %n %k", "list %n");
  const std::string X = "    %v = load $3";
  EXPECT_EQ(joinOf("tensor", A, A), "v=[n, 4] [4, 1] float32");
  EXPECT_EQ(joinOf("tensor", A, B), "v=[v.size(0), 4] [4, 1] float32");
  EXPECT_EQ(joinOf("tensor", A, T),
            "v=[v.size(0), v.size(1)] [v.stride(0), v.stride(1)] float32");
  EXPECT_EQ(joinOf("tensor", A, Flat), "v=[...] [dense] float32");
  EXPECT_EQ(joinOf("tensor", X, X), "v=[...] [?]");
  EXPECT_EQ(joinOf("tensor", A, X), "v=[...] [?]");
}

TEST(Domain, JoinOfLists) {
  const std::string N3 = "    %n = load $1\n    %k = const 3\n"
                         "    %v = list %n %k",
                    N4 = replaced(N3, "const 3", "const 4"),
                    One = replaced(N3, "list %n %k", "list %n"),
                    None = "    %v = list",
                    Tensor = replaced(Zeros, "%v = filled", "%t = filled") +
                             "\n    %v = list %t";
  EXPECT_EQ(joinOf("other", N3, N3), "v={n, 3}");
  EXPECT_EQ(joinOf("other", N3, N4), "v={n, ?}");
  EXPECT_EQ(joinOf("other", N3, One), "");
  EXPECT_EQ(joinOf("other", Tensor, None), "v=each [n, 4] [4, 1] float32");
  EXPECT_EQ(joinOf("other", None, None), "v={}");
}

//===----------------------------------------------------------------------===//
// What conditions teach
//===----------------------------------------------------------------------===//

/// Block 1 where a condition holds, block 2 where it does not; v is read there.
States assuming(const std::string &Condition, const std::string &Read) {
  return States(numbered(Head + std::string("int\n  block 0 if %v -> 1, 2\n") +
                         Condition + "\n  block 1\n    %p = load " + Read +
                         "\n  block 2\n    %q = load " + Read + "\n"));
}

TEST(Domain, AssumeRank) {
  States S = assuming("    %x = load $3\n    %d = dim self=%x \"dim\"\n"
                      "    %k = const 2\n    %v = eq_int %d %k",
                      "$3");
  EXPECT_THAT(S.at(1), ElementsAre("x=[x.size(0), x.size(1)] "
                                   "[x.stride(0), x.stride(1)]; "
                                   "x.dim() in 2..2;  is 2"));
  EXPECT_THAT(S.at(2), ElementsAre("x=[...] [?]; x.dim() in 0.."));
}

TEST(Domain, AssumeOfWhatIsDecided) {
  States S = assuming("    %a = const 3\n    %b = const 4\n"
                      "    %v = eq_int %a %b",
                      "$2");
  EXPECT_EQ(S.at(1).size(), 0u);
  EXPECT_EQ(S.at(2).size(), 1u);
}

/// Both ways of a comparison of n with a constant.
std::pair<std::string, std::string> comparing(const std::string &Op, int With) {
  States S = assuming("    %a = load $1\n    %b = const " +
                          std::to_string(With) + "\n    %v = " + Op + " %a %b",
                      "$1");
  return {S.at(1).empty() ? "" : S.at(1)[0], S.at(2).empty() ? "" : S.at(2)[0]};
}

TEST(Domain, AssumeRange) {
  using testing::Pair;
  EXPECT_THAT(comparing("lt_int", 3), Pair("n=n; n in ..2", "n=n; n in 3.."));
  EXPECT_THAT(comparing("le_int", 3), Pair("n=n; n in ..3", "n=n; n in 4.."));
  EXPECT_THAT(comparing("gt_int", 3), Pair("n=n; n in 4..", "n=n; n in ..3"));
  EXPECT_THAT(comparing("ge_int", 3), Pair("n=n; n in 3..", "n=n; n in ..2"));
  EXPECT_THAT(comparing("eq_int", 3), Pair("n=3; n in 3..3;  is 3", "n=n"));
  EXPECT_THAT(comparing("ne_int", 3), Pair("n=n", "n=3; n in 3..3;  is 3"));
}

/// What is known of x where size() of it was asked for.
std::string afterSizes(const std::string &Asks) {
  States S(numbered(Head + std::string("int\n  block 0 -> 1\n") + Asks +
                    "  block 1\n    %p = load $3\n    return %p\n"));
  return S.at(1).empty() ? "" : S.at(1)[0];
}

// Dimensions of a tensor of unknown rank are known from either end.
TEST(Domain, UnknownRank) {
  auto Ask = [](int Dim) {
    const std::string N =
        Dim < 0 ? "m" + std::to_string(-Dim) : "p" + std::to_string(Dim);
    return "    %x" + N + " = load $3\n    %d" + N + " = const " +
           std::to_string(Dim) + "\n    %s" + N + " = size self=%x" + N +
           " dim=%d" + N + " \"size\"\n";
  };
  EXPECT_EQ(afterSizes(Ask(0)), "x=[x.size(0), ...] [x.stride(0), ?]");
  EXPECT_EQ(afterSizes(Ask(-1)), "x=[..., x.size(-1)] [?, x.stride(-1)]");
  EXPECT_EQ(afterSizes(Ask(0) + Ask(-1)),
            "x=[x.size(0), ..., x.size(-1)] [x.stride(0), ?, x.stride(-1)]");
  EXPECT_EQ(afterSizes(Ask(1) + Ask(-2)),
            "x=[x.size(0), x.size(1), ..., x.size(-2), x.size(-1)] "
            "[x.stride(0), x.stride(1), ?, x.stride(-2), x.stride(-1)]");
}

//===----------------------------------------------------------------------===//
// Loops, as a matrix: the kind of loop, and what it does to v
//===----------------------------------------------------------------------===//

/// The states after a loop over i < n; \p Before gives v a value, \p Body
/// another.
std::set<std::string> looping(const std::string &Kind, const std::string &Type,
                              const std::string &Before,
                              const std::string &Body) {
  const std::string Count = "    %i = load $5\n    %e = load $1\n"
                            "    %t = lt_int %i %e\n";
  const std::string Step = "    %j = load $5\n    %o = const 1\n"
                           "    %u = add_int %j %o\n    store $5 %u\n";
  States S(numbered(
      Head + Type + "\n  var $5 \"i\" int\n  loop 0 " + Kind +
      " head 1 induction \"i\"\n  block 0 -> 1\n    %z = const 0\n"
      "    store $5 %z\n" +
      Before + "    store $4 %before\n" +
      (Kind != "do"
           ? "  block 1 in 0 if %t -> 2, 3\n" + Count +
                 "  block 2 in 0 -> 1\n" + Body + "    store $4 %body\n" + Step
           : "  block 1 in 0 -> 2\n" + Body + "    store $4 %body\n" + Step +
                 "  block 2 in 0 if %t -> 1, 3\n" + Count) +
      "  block 3\n    %r = load $4\n    return %r\n"));
  return {S.at(3).begin(), S.at(3).end()};
}

TEST(Domain, Loops) {
  using testing::UnorderedElementsAre;
  const std::string Zero = "    %before = const 0\n",
                    Next = "    %a = load $4\n    %b = const 2\n"
                           "    %body = add_int %a %b\n",
                    Same = "    %body = const 0\n",
                    Made = replaced(Zeros, "%v", "%before") + "\n",
                    Turn = "    %a = load $4\n    %body = t self=%a \"t\"\n",
                    Grow = "    %a = load $4\n    %l = list %a %a\n"
                           "    %body = cat tensors=%l \"cat\"\n";
  // A number that changes is any; a tensor is told apart by how often the body
  // ran, as long as those are few.
  for (const std::string Kind : {"for", "while"}) {
    SCOPED_TRACE(Kind);
    EXPECT_THAT(looping(Kind, "int", Zero, Next),
                UnorderedElementsAre("v=v; n in .."));
    EXPECT_THAT(looping(Kind, "int", Zero, Same),
                UnorderedElementsAre("v=v; n in .."));
    EXPECT_THAT(looping(Kind, "tensor", Made, Turn),
                UnorderedElementsAre("v=[n, 4] [4, 1] float32; n in ..0",
                                     "v=[4, n] [1, 4] float32; n in 1..",
                                     "v=[n, 4] [4, 1] float32; n in 1.."));
    EXPECT_THAT(
        looping(Kind, "tensor", Made, Grow),
        UnorderedElementsAre("v=[n, 4] [4, 1] float32; n in ..0",
                             "v=[2*n, 4] [4, 1] float32; n in 1..",
                             "v=[4*n, 4] [4, 1] float32; n in 1..",
                             "v=[8*n, 4] [4, 1] float32; n in 1..",
                             "v=[v.size(0), 4] [4, 1] float32; n in 1.."));
  }
  // The body of do has run.
  EXPECT_THAT(looping("do", "int", Zero, Next),
              UnorderedElementsAre("v=v + 2; n in .."));
  EXPECT_THAT(looping("do", "int", Zero, Same),
              UnorderedElementsAre("v=0; n in .."));
  EXPECT_THAT(looping("do", "tensor", Made, Turn),
              UnorderedElementsAre("v=[4, n] [1, 4] float32; n in ..1",
                                   "v=[4, n] [1, 4] float32; n in 2..",
                                   "v=[n, 4] [4, 1] float32; n in 2.."));
  EXPECT_THAT(
      looping("do", "tensor", Made, Grow),
      UnorderedElementsAre("v=[2*n, 4] [4, 1] float32; n in ..1",
                           "v=[4*n, 4] [4, 1] float32; n in 2..",
                           "v=[8*n, 4] [4, 1] float32; n in 2..",
                           "v=[16*n, 4] [4, 1] float32; n in 2..",
                           "v=[2*v.size(0), 4] [4, 1] float32; n in 2.."));
}

//===----------------------------------------------------------------------===//
// Laws
//===----------------------------------------------------------------------===//

/// The states of any two paths to one place obey them.
void obeyLaws(const program::Function &, const State &A, const State &B,
              BlockId At, Joiner &Joins) {
  EXPECT_TRUE(A.leq(A));
  EXPECT_TRUE(Joins.join(A, A, At) == A);
  const State AB = Joins.join(A, B, At), BA = Joins.join(B, A, At);
  EXPECT_TRUE(A.leq(AB));
  EXPECT_TRUE(B.leq(AB));
  EXPECT_TRUE(AB.leq(BA));
  EXPECT_TRUE(BA.leq(AB));
}

/// What is known of a rank on one path only is not known where paths meet.
TEST(Domain, JoinOfLimitedRanks) {
  unsigned Pairs = 0;
  States S(numbered(Head + std::string("int\n  block 0 if %v -> 1, 2\n"
                                       "    %x = load $3\n"
                                       "    %d = dim self=%x \"dim\"\n"
                                       "    %k = const 3\n"
                                       "    %v = lt_int %d %k\n"
                                       "  block 1 -> 3\n  block 2 -> 3\n"
                                       "  block 3\n    %r = load $3\n"
                                       "    return %r\n")),
           [&](const program::Function &F, const State &A, const State &B,
               BlockId At, Joiner &Joins) {
             ++Pairs;
             obeyLaws(F, A, B, At, Joins);
             State Limited = A;
             Limited.Objects.change([](ObjId, const Object &) { return true; },
                                    [](Object &O) { O.AtMost = 2; });
             obeyLaws(F, Limited, A, At, Joins);
             if (At == 3 && !(A == B))
               EXPECT_EQ(words(F, Joins.join(B, A, At)), "x=[...] [?]; "
                                                         "x.dim() in 0..");
           });
  EXPECT_GT(Pairs, 4u);
}

/// Three branches after each other, each of which gives v one of two values.
TEST(Domain, JoinsAreUpperBounds) {
  const std::string Tensors[] = {
      "%v = filled size=%s \"zeros\"",
      "%w = filled size=%s \"zeros\"\n    %v = t self=%w \"t\"",
      "%v = load $3"};
  const std::string Sizes[] = {"    %n = load $1\n    %k = const 4\n",
                               "    %n = load $2\n    %k = const 4\n",
                               "    %n = load $1\n    %k = load $2\n"};
  std::mt19937 Random(7);
  unsigned Pairs = 0;
  for (unsigned Round = 0; Round < 200; ++Round) {
    std::string Text = Head + std::string("tensor\n");
    for (unsigned I = 0; I < 3; ++I)
      Text += "  var $" + std::to_string(5 + I) + " \"c" + std::to_string(I) +
              "\" bool param\n";
    for (unsigned I = 0; I < 3; ++I) {
      const std::string B = std::to_string(3 * I), T = "t" + std::to_string(I),
                        E = "e" + std::to_string(I),
                        X = std::to_string(3 * I + 1),
                        Y = std::to_string(3 * I + 2),
                        Next = std::to_string(3 * I + 3);
      Text += "  block " + B + " if %q" + B + " -> " + X + ", " + Y +
              "\n    %q" + B + " = load $" + std::to_string(5 + I) + "\n";
      for (const auto &[Block, Name] : {std::pair(X, T), std::pair(Y, E)}) {
        Text += "  block " + Block + " -> " + Next + "\n";
        if (Random() % 4 == 0)
          continue;
        Text += arm(Sizes[Random() % 3] + "    %s = list %n %k\n    " +
                        Tensors[Random() % 3],
                    Name) +
                "\n    store $4 %" + Name + "v\n";
      }
    }
    Text += "  block 9\n    %r = load $4\n    return %r\n";
    States S(numbered(Text), [&](const program::Function &F, const State &A,
                                 const State &B, BlockId At, Joiner &Joins) {
      ++Pairs;
      obeyLaws(F, A, B, At, Joins);
    });
    if (HasFailure()) {
      ADD_FAILURE() << numbered(Text);
      break;
    }
  }
  EXPECT_GT(Pairs, 2000u);
}

} // namespace
