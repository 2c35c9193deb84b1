//===- ProgramTest.cpp - the tensor program and its text form -------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program/Text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tensortidy::program;
using testing::HasSubstr;

namespace {

std::string printed(llvm::ArrayRef<Function> Functions) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  for (const Function &F : Functions)
    print(F, OS);
  return OS.str();
}

std::vector<Function> parsed(llvm::StringRef Text) {
  auto Functions = parse(Text);
  if (Functions)
    return std::move(*Functions);
  ADD_FAILURE() << llvm::toString(Functions.takeError());
  return {};
}

std::string problem(llvm::StringRef Text) {
  auto Functions = parse(Text);
  return Functions ? "" : llvm::toString(Functions.takeError());
}

TEST(Ops, NamesAreUniqueAndFound) {
  std::vector<llvm::StringRef> Names = {
#define TENSORTIDY_OP(Id, Name, Class, Operands, Text) Name,
#include "Program/Ops.def"
  };
  for (size_t I = 0; I < Names.size(); ++I) {
    Op O;
    ASSERT_TRUE(findOp(Names[I], O)) << Names[I].str();
    EXPECT_EQ(static_cast<size_t>(O), I) << Names[I].str();
    EXPECT_EQ(opName(O), Names[I]);
  }
  Op O = Op::View;
  EXPECT_FALSE(findOp("no_such_op", O));
  EXPECT_EQ(O, Op::Opaque);
  EXPECT_EQ(opClass(Op::Permute), OpClass::View);
  EXPECT_EQ(opClass(Op::Contiguous), OpClass::MaybeCopy);
}

// Everything the form can say, as print() writes it.
constexpr const char *Full =
    R"PROGRAM(function "ns::f(\"q\")" lambda returns_tensor forward gradients inputs 2 3 ; 3:1
  var $0 "x" tensor param ref ; 3:20
  var $1 "this->w" tensor member static captured
  var $2 "i" int in 0 decl 4:3 ; 4:8
  loop 0 range_for head 1 induction "i" ; 4:3
  loop 1 do parent 0 head 2 once parallel ; 5:3
  calls modelled 3 open "svd" unmodelled "einsum" "lstsq"
  block 0 -> 1
    %1 = load $0
    %2 = const -3
    %3 = const true
    %4 = const f"1.5"
    %5 = const sym"channels_last"
    %6 = const "a\nb\\c"
    %7 = const none
    %8 = list %2 %2
    %9 = permute self=%1 dims=%8 "x.permute" {saves_self more_effects} [rename drop] ; 6:10 callee 6:12
    %10 = list_get %8 #0
    %11 = list_get %8 %2
    store $1 %9
    store $2
    %14 = element %1 %2 [derives]
    store_element %14 _ %2 [scalar]
    assign keep %14, write $1
    may_change write $1, write $2 [scalar]
    store $1 %14 [moves swaps binds]
    %15 = temporary %8 "view" [keeps]
    %16 = opaque "forward" read %15 [forward]
  block 1 in 0 if %13 -> 2, _
    %12 = opaque "launch" read %9, write $1, keep out=$1 %9, read _ {waits frees} [macro]
    %13 = is_contiguous self=%9 ; 7:7
    assume %13
  block 2 in 1 -> 0, 1, 2
    scope_end $2
    full_expr_end
    return %12
)PROGRAM";

TEST(Text, PrintAndParseAreInverse) {
  std::vector<Function> Functions = parsed(Full);
  ASSERT_EQ(Functions.size(), 1u);
  EXPECT_EQ(printed(Functions), Full);
  EXPECT_EQ(printed(parsed(printed(Functions))), Full);
}

TEST(Text, ReadsWhatItSays) {
  Function F = std::move(parsed(Full).at(0));
  EXPECT_EQ(F.Name, "ns::f(\"q\")");
  EXPECT_TRUE(F.IsLambda);
  EXPECT_TRUE(F.ReturnsTensor);
  EXPECT_TRUE(F.TakesGradients);
  EXPECT_EQ(F.LeastGradients, 2U);
  EXPECT_EQ(F.MostGradients, 3U);
  EXPECT_EQ(F.NextValue, 17u);
  EXPECT_EQ(F.Vars[2].DeclaredIn, 0u);
  EXPECT_EQ(F.Vars[2].Decl.Line, 4u);
  EXPECT_EQ(F.Loops[1].Kind, LoopKind::Do);
  EXPECT_EQ(F.Loops[1].Parent, 0u);
  EXPECT_TRUE(F.Loops[1].RunsOnce);
  ASSERT_EQ(F.Unmodelled.size(), 2u);
  const llvm::ArrayRef<Stmt> S = F.Blocks[0].Stmts;
  EXPECT_EQ(S[1].Imm, -3);
  EXPECT_EQ(S[5].Text, "a\nb\\c");
  const Arg *Dims = findArg(S[8], "dims");
  ASSERT_TRUE(Dims);
  EXPECT_EQ(Dims->Value, 8u);
  EXPECT_FALSE(findArg(S[8], "size"));
  EXPECT_EQ(S[8].Edits, EditRenameCallee | EditDropCall);
  EXPECT_EQ(S[8].Callee.Column, 12u);
  const Stmt &Call = F.Blocks[1].Stmts[0];
  EXPECT_EQ(Call.Args[1].R, Role::Write);
  EXPECT_EQ(Call.Args[1].Var, 1u);
  EXPECT_EQ(Call.Args[2].Name, "out");
  EXPECT_EQ(Call.Args[2].Value, 9u);
  EXPECT_TRUE(Call.InMacro);
  EXPECT_TRUE(Call.is(Attribute::Waits));
  EXPECT_TRUE(Call.is(Attribute::Frees));
  EXPECT_FALSE(Call.is(Attribute::Syncs));
  EXPECT_EQ(F.Blocks[1].Succs[1], NoId);
}

TEST(Text, ReadsManyFunctionsCommentsAndBlankLines) {
  auto Functions = parsed("// two functions\n"
                          "function \"a\"\n"
                          "\n"
                          "block 0 // the entry\n"
                          "  return\n"
                          "function \"b\" given_up \"too many blocks\"\n");
  ASSERT_EQ(Functions.size(), 2u);
  EXPECT_EQ(Functions[1].Reason, GiveUp::TooManyBlocks);
}

// What an operation takes is declared in Ops.def.
TEST(Verify, OperandsAreThoseOfTheOperation) {
  auto Of = [](const std::string &Statement) {
    return problem("function \"f\"\n  var $0 \"x\" tensor\n  block 0\n"
                   "    %1 = load $0\n    %2 = const 1\n    " +
                   Statement + "\n");
  };
  EXPECT_EQ(Of("%3 = narrow self=%1 dim=%2 start=%2 length=%2"), "");
  EXPECT_THAT(Of("%3 = narrow self=%1 dim=%2 start=%2"),
              HasSubstr("narrow in block 0 has no 'length'"));
  EXPECT_THAT(Of("%3 = slice_index stop=%1 end=%2"),
              HasSubstr("has no operand called 'end'"));
  EXPECT_THAT(Of("%3 = narrow %1 dim=%2 start=%2 length=%2"),
              HasSubstr("has 1 operands without a name"));
  EXPECT_THAT(Of("%3 = not %1 %2"), HasSubstr("has 2 operands"));
  EXPECT_THAT(Of("%3 = not $0 %1"), HasSubstr("names a variable"));
  EXPECT_THAT(Of("store %1"), HasSubstr("names no variable"));
  // Models say more of what has "..." in Ops.def, and of anything what it
  // needs.
  EXPECT_EQ(Of("%3 = conv self=%1 weight=%1 dims=%2 needs=%2"), "");
  EXPECT_EQ(Of("%3 = ggml_permute self=%1 axis0=%2 axis1=%2 axis2=%2 axis3=%2 "
               "needs_self=%2"),
            "");
  EXPECT_EQ(Of("store_element %1 _ %2 [scalar]"), "");
  EXPECT_THAT(Of("store_element %1 %2 [scalar]"), HasSubstr("has 2 operands"));
}

TEST(Verify, AttributesFitTheStatementAndEachOther) {
  auto Of = [](const std::string &Statement) {
    return problem("function \"f\"\n  var $0 \"x\" tensor\n  block 0\n"
                   "    %1 = load $0\n    " +
                   Statement + "\n");
  };
  EXPECT_EQ(Of("%2 = unary self=%1 \"exp\" {type_floating saves_result}"), "");
  EXPECT_EQ(Of("%2 = opaque \"free\" read %1 {syncs frees}"), "");
  EXPECT_THAT(Of("%2 = unary self=%1 \"exp\" {frees}"),
              HasSubstr("unary in block 0 has an attribute of other calls"));
  EXPECT_THAT(Of("%2 = opaque \"exp\" read %1 {saves_result}"),
              HasSubstr("opaque in block 0 has an attribute of operations"));
  EXPECT_THAT(Of("%2 = unary self=%1 {saves_self saves_result}"),
              HasSubstr("'saves_self' and 'saves_result' exclude each other"));
  EXPECT_THAT(Of("%2 = unary self=%1 {type_common type_total}"),
              HasSubstr("exclude each other"));
  EXPECT_THAT(Of("%2 = unary self=%1 {nope}"),
              HasSubstr("no attribute is called 'nope'"));
}

TEST(Text, MistakesNameTheLine) {
  auto In = [](const std::string &Body) {
    return problem("function \"f\"\n  var $0 \"x\" tensor\n  block 0\n" + Body);
  };
  EXPECT_EQ(problem("block 0\n"), "line 1: expected 'function'");
  EXPECT_EQ(In("    %1 = nope\n"), "line 4: no operation is called 'nope'");
  EXPECT_EQ(In("    %0 = load $0\n"), "line 4: %0 means no value");
  EXPECT_EQ(In("    %1 = load\n"), "line 1: load in block 0 names no variable");
  EXPECT_EQ(In("    %1 = t self=%2\n"),
            "line 1: %2 is used in block 0 and never defined");
  EXPECT_EQ(In("    %1 = load $0\n    %1 = load $0\n"),
            "line 1: %1 is defined twice");
  EXPECT_EQ(In("    %1 = load $0 ]\n"), "line 4: expected an argument");
  EXPECT_EQ(In("    %1 = const \"x\n"), "line 4: a quoted name does not end");
  EXPECT_EQ(In("    %99999999 = load $0\n"),
            "line 4: number 99999999 is out of range");
  EXPECT_EQ(In("  block 2\n"),
            "line 4: block 2 follows 1 others; they count from 0");
  EXPECT_EQ(In("  block 1 -> 7\n"),
            "line 1: block 1 leads to block 7, which does not exist");
  EXPECT_EQ(problem("function \"f\"\n%1 = load $0\n"),
            "line 2: a statement stands before the first block");
}

// A text cut anywhere is read or refused, never worse.
TEST(Text, SurvivesEveryPrefix) {
  llvm::StringRef Text = Full;
  for (size_t N = 0; N <= Text.size(); ++N)
    problem(Text.take_front(N));
}

TEST(Verify, UsesFollowDefinitions) {
  EXPECT_EQ(problem("function \"f\"\n block 0\n  %2 = t self=%1\n"
                    "  %1 = const 1\n"),
            "line 1: %1 is used in block 0 before it is defined");
  EXPECT_EQ(problem("function \"f\"\n block 0 if %1 -> 0\n  %1 = const true\n"),
            "line 1: block 0 has a condition and not two arms");
}

} // namespace
