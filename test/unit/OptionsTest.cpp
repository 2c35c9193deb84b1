//===- OptionsTest.cpp - the command line's options -----------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "Config.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tensortidy::tool;

namespace {

Options parsed(std::vector<const char *> Args) {
  Args.insert(Args.begin(), "tensortidy");
  auto O = parseOptions(Args.size(), Args.data());
  if (O)
    return std::move(*O);
  ADD_FAILURE() << llvm::toString(O.takeError());
  return {};
}

std::string problem(std::vector<const char *> Args) {
  Args.insert(Args.begin(), "tensortidy");
  auto O = parseOptions(Args.size(), Args.data());
  return O ? "" : llvm::toString(O.takeError());
}

TEST(Options, SpellingsOfAValue) {
  EXPECT_EQ(parsed({"--checks=-*"}).Checks, "-*");
  EXPECT_EQ(parsed({"--checks", "-*"}).Checks, "-*");
  EXPECT_EQ(parsed({"-checks=-*"}).Checks, "-*");
  EXPECT_EQ(parsed({"-p", "build"}).BuildDir, "build");
  EXPECT_EQ(parsed({"-p=build"}).BuildDir, "build");
  EXPECT_EQ(parsed({"-j4"}).Jobs, 4u);
  EXPECT_EQ(parsed({"-j", "3"}).Jobs, 3u);
  EXPECT_EQ(parsed({"--config="}).Config, "");
}

TEST(Options, Flags) {
  EXPECT_TRUE(parsed({"--fix"}).Fix);
  EXPECT_TRUE(parsed({"--diff"}).Diff);
  EXPECT_FALSE(parsed({"--fix=0"}).Fix);
  EXPECT_EQ(parsed({}).UseColor, std::nullopt);
  EXPECT_EQ(parsed({"--use-color"}).UseColor, true);
  EXPECT_EQ(parsed({"--use-color=false"}).UseColor, false);
}

TEST(Options, FilesAndCompilerFlags) {
  Options O = parsed({"a.cpp", "--quiet", "b.cpp", "--", "-DX", "--fix"});
  EXPECT_THAT(O.Files, testing::ElementsAre("a.cpp", "b.cpp"));
  EXPECT_TRUE(O.Quiet);
  EXPECT_FALSE(O.Fix);
  EXPECT_THAT(*O.AfterDashes, testing::ElementsAre("-DX", "--fix"));
  EXPECT_FALSE(parsed({"a.cpp"}).AfterDashes);
  EXPECT_TRUE(parsed({"a.cpp", "--"}).AfterDashes);
}

TEST(Options, Mistakes) {
  EXPECT_EQ(problem({"--chekcs=x"}),
            "unknown option '--chekcs=x'; did you mean '--checks'?");
  EXPECT_EQ(problem({"--nothing-like-it"}),
            "unknown option '--nothing-like-it'; see tensortidy --help");
  EXPECT_EQ(problem({"--checks"}), "option '--checks' needs a value");
  EXPECT_EQ(problem({"-jx"}), "-j needs a number, not 'x'");
  EXPECT_EQ(problem({"--timeout=x"}), "--timeout needs a number, not 'x'");
  EXPECT_EQ(problem({"-pp"}), "unknown option '-pp'; did you mean '-p'?");
  EXPECT_EQ(problem({"-x"}), "unknown option '-x'; see tensortidy --help");
  EXPECT_EQ(problem({"--fix=maybe"}), "--fix is 0 or 1, not 'maybe'");
}

TEST(Options, HelpNamesEveryOption) {
  std::string Help = helpText();
  for (const char *Name : {"--checks", "--fix", "-j N", "--stats", "--timeout"})
    EXPECT_THAT(Help, testing::HasSubstr(Name));
}

/// The checks that run with this --config and --checks.
std::string checks(const char *Config, const char *Checks = nullptr) {
  ConfigRequest R;
  if (Config)
    R.Config = std::string("{Checks: '") + Config + "'}";
  else
    R.Config = "{}";
  if (Checks)
    R.Checks = Checks;
  auto P = ConfigProvider::create(R);
  if (!P)
    return llvm::toString(P.takeError());
  return (*P)->getOptions("x.cpp").Checks.value_or("");
}

TEST(Config, ConfigurationForOtherChecksLeavesOursOn) {
  EXPECT_EQ(checks(nullptr), "tensor-*");
  EXPECT_EQ(checks("-*,bugprone-*"), "tensor-*");
  EXPECT_EQ(checks("*,-llvm*"), "tensor-*");
}

TEST(Config, OneThatNamesOursDecides) {
  EXPECT_EQ(checks("-*,tensor-a"), "tensor-a");
  EXPECT_EQ(checks("-*,tensor-a,bugprone-*\n,-tensor-b"), "tensor-a,-tensor-b");
  EXPECT_EQ(checks("-tensor-a"), "tensor-*,-tensor-a");
}

TEST(Config, TheCommandLineComesLast) {
  EXPECT_EQ(checks(nullptr, "-*,tensor-a"), "-*,tensor-a");
  EXPECT_EQ(checks(nullptr, "-tensor-a"), "tensor-*,-tensor-a");
  EXPECT_EQ(checks(nullptr, "tensor-a"), "tensor-a");
  EXPECT_EQ(checks(nullptr, "*"), "*,-clang-analyzer-*"); // not ours, and slow
  EXPECT_EQ(checks("tensor-b", "tensor-a"), "tensor-b,tensor-a");
}

TEST(Config, MistakesNameThePlace) {
  ConfigRequest R;
  R.Config = "{Checks: [}";
  auto P = ConfigProvider::create(R);
  ASSERT_FALSE(P);
  EXPECT_THAT(llvm::toString(P.takeError()),
              testing::StartsWith("--config:1:"));
}

TEST(Config, UnknownChecks) {
  EXPECT_EQ(unknownChecks("-*,tensor-view-*"), "");
  EXPECT_EQ(unknownChecks("bugprone-*,tensor-*"), "");
  EXPECT_THAT(unknownChecks("tensor-nope"),
              testing::StartsWith("no check is called 'tensor-nope'; there "
                                  "are:\n  tensor-view-after-permute"));
}

} // namespace
