//===- BorrowTest.cpp - loans, and the flow facts they rest on ------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Borrow/Borrow.h"
#include "Analysis/Transfer/Interpret.h"
#include "Program/Text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tensortidy;
using namespace tensortidy::analysis;
using borrow::BorrowFact;
using borrow::Loan;
using program::BlockId;
using program::Op;
using testing::ElementsAre;

namespace {

program::Function parsed(const std::string &Text) {
  auto Parsed = program::parse(Text);
  if (!Parsed) {
    ADD_FAILURE() << llvm::toString(Parsed.takeError()) << "\n" << Text;
    return program::Function();
  }
  EXPECT_EQ(program::verify(Parsed->front()), "") << Text;
  return std::move(Parsed->front());
}

/// The facts of a program, "KIND OF: borrow, use, expires, invalidates" each.
std::vector<std::string> facts(const std::string &Text) {
  const program::Function F = parsed(Text);
  const FlowInfo Flow(F);
  const RunResult Run =
      interpret(Flow, Hypothesis::Opaque, Budget(), cpuSeconds() + 10, nullptr);
  static constexpr const char *Kinds[] = {"temporary", "used", "returned",
                                          "kept"};
  static constexpr const char *Loans[] = {"elements", "metadata", "braces",
                                          "list", "memory"};
  std::vector<std::string> Words;
  for (const BorrowFact &B : borrow::findBorrows(Flow, Run)) {
    auto Name = [](const program::Stmt *S) {
      return S ? program::opName(S->O).str() : std::string("-");
    };
    Words.push_back(std::string(Kinds[B.K]) + " " + Loans[B.Of.Of] + ": " +
                    Name(B.Borrow) + ", " + Name(B.Use) + ", " +
                    Name(B.Expires) + ", " + Name(B.Invalidates));
  }
  return Words;
}

std::string pointerInto(const std::string &Rest) {
  return R"(function "f"
  var $0 "x" tensor param
  var $1 "t" tensor
  var $2 "p" other borrows
  block 0
    %1 = load $0
    %2 = clone self=%1 "clone"
)" + Rest;
}

TEST(Borrow, ATemporaryEndsWithItsStatement) {
  EXPECT_THAT(facts(pointerInto(R"(    %3 = data_ptr self=%2 "data_ptr"
    store $2 %3
    full_expr_end
    %4 = load $2
    opaque "use" read %4
    return
)")),
              ElementsAre("temporary elements: data_ptr, opaque, -, -"));
}

TEST(Borrow, TheLastOwnerIsAssigned) {
  EXPECT_THAT(facts(pointerInto(R"(    store $1 %2
    %3 = load $1
    %4 = data_ptr self=%3 "data_ptr"
    store $2 %4
    full_expr_end
    %5 = load $0
    store $1 %5
    full_expr_end
    %6 = load $2
    opaque "use" read %6
    return
)")),
              ElementsAre("used elements: data_ptr, opaque, store, -"));
}

TEST(Borrow, AnotherOwnerKeepsIt) {
  EXPECT_THAT(facts(R"(function "f"
  var $0 "x" tensor param
  var $1 "t" tensor
  var $2 "p" other borrows
  var $3 "view" tensor
  block 0
    %1 = load $0
    %2 = clone self=%1 "clone"
    store $1 %2
    %3 = load $1
    %4 = data_ptr self=%3 "data_ptr"
    store $2 %4
    %5 = load $1
    %6 = t self=%5 "t"
    store $3 %6
    full_expr_end
    store $1 %1
    full_expr_end
    %7 = load $2
    opaque "use" read %7
    return
)"),
              ElementsAre());
}

TEST(Borrow, SizesAreMovedUnderTheirOwner) {
  EXPECT_THAT(facts(R"(function "f"
  var $0 "x" tensor param
  var $1 "s" list borrows
  block 0
    %1 = load $0
    %2 = sizes self=%1 "sizes"
    store $1 %2
    full_expr_end
    %3 = load $0
    %4 = const 0
    %5 = unsqueeze_ self=%3 dim=%4 "unsqueeze_"
    full_expr_end
    %6 = load $1
    opaque "use" read %6
    return
)"),
              ElementsAre("used metadata: sizes, opaque, -, unsqueeze_"));
}

std::string blob(const std::string &Rest) {
  return R"(function "f" returns_tensor
  var $0 "v" list
  var $1 "all" list member
  var $2 "w" list
  block 0
    %1 = const 1
    %2 = list %1 %1
    store $0 %2
    %3 = opaque "data" write $0 {points_to_first}
    %4 = const 2
    %5 = list %4
    %6 = from_blob data=%3 sizes=%5 "from_blob"
)" + Rest;
}

TEST(Borrow, TheMemoryOfALocal) {
  EXPECT_THAT(facts(blob("    return %6\n")),
              ElementsAre("returned memory: from_blob, return, -, -"));
  EXPECT_THAT(facts(blob("    %7 = clone self=%6 \"clone\"\n    return %7\n")),
              ElementsAre());
}

TEST(Borrow, MovedToAnotherOwner) {
  const std::string Move = R"(    %7 = load $0
    %8 = list
    store $0 %8 [moves]
    store $2 %7
    full_expr_end
)";
  EXPECT_THAT(facts(blob(Move + "    scope_end $0\n    return %6\n")),
              ElementsAre("returned memory: from_blob, return, -, -"));
  EXPECT_THAT(facts(blob(Move + "    scope_end $2\n    opaque \"use\" read %6\n"
                                "    return\n")),
              ElementsAre("used memory: from_blob, opaque, scope_end, -"));
}

// The flow of blocks: 0 -> 1 (head) -> 2 (body) -> 1, 1 -> 3; 4 is reached by
// nothing.
const char *const Loop = R"(function "f"
  var $0 "c" bool param
  var $1 "d" bool param
  loop 0 while head 1
  block 0 -> 1
  block 1 in 0 if %1 -> 2, 3
    %1 = load $0
  block 2 in 0 -> 1
    %2 = const 1
    store $1 %2
  block 3
    return
  block 4 -> 3
)";

TEST(Flow, PathsPassBlocks) {
  const program::Function F = parsed(Loop);
  const FlowInfo Flow(F);
  const LoopFacts &Loops = Flow.loops();
  EXPECT_TRUE(Loops.passes(1, 3));
  EXPECT_FALSE(Loops.passes(2, 3));
  EXPECT_TRUE(Loops.comesTo(1, 2));
  EXPECT_FALSE(Loops.comesTo(2, 1));
  EXPECT_TRUE(Loops.comesBack(1, 0));
  EXPECT_FALSE(Loops.comesBack(1, 0, 2));
  EXPECT_TRUE(Loops.everyIteration(2, 0));
  EXPECT_EQ(Flow.Order[4], program::NoId);
  EXPECT_LT(Flow.Order[2], Flow.Order[3]); // the loop comes to rest first
}

TEST(Flow, DefinitionsAndUses) {
  const program::Function F = parsed(Loop);
  const FlowInfo Flow(F);
  const DefUse &Values = Flow.Values;
  EXPECT_EQ(Values.loaded(1), 0u);
  EXPECT_EQ(Values.loaded(2), program::NoId);
  EXPECT_EQ(Values.onlyStored(1), 2u);
  EXPECT_EQ(Values.onlyStored(0), 0u);
  EXPECT_TRUE(Values.Tested[1]);
  EXPECT_EQ(Values.Uses[2].size(), 1u);
  EXPECT_EQ(Values.blockOf(F.Blocks[2].Stmts[1]), 2u);
  const program::Stmt Other;
  EXPECT_EQ(Values.blockOf(Other), program::NoId);
}

/// The blocks that every path to a block has passed.
struct Passed : Dataflow<Passed, std::set<BlockId>, Direction::Forward> {
  explicit Passed(const Graph &G) { solve(G, {}); }
  static void transfer(BlockId B, std::set<BlockId> &Blocks) {
    Blocks.insert(B);
  }
  static bool join(std::set<BlockId> &Into, const std::set<BlockId> &From) {
    const size_t Before = Into.size();
    for (auto It = Into.begin(); It != Into.end();)
      It = From.count(*It) ? std::next(It) : Into.erase(It);
    return Into.size() != Before;
  }
};

TEST(Flow, FactsMeetAtJoins) {
  const program::Function F = parsed(Loop);
  const Graph Blocks(F);
  const Passed P(Blocks);
  EXPECT_THAT(*P.at(1), ElementsAre(0));
  EXPECT_THAT(*P.at(3), ElementsAre(0, 1));
  EXPECT_EQ(P.at(4), nullptr);
}

} // namespace
