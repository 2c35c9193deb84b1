// What a run did is said by source line, with the names of the static checks.

#include "tensortidy/report.h"
#include "tensortidy/tensor.h"
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <thread>
#include <unistd.h>

using namespace tensortidy;
using testing::HasSubstr;
using testing::Not;

namespace {

std::string at(int Line) {
  return std::string(__FILE__) + ":" + std::to_string(Line) + ": ";
}

TEST(Report, SaysWhatHappenedByLine) {
  start_report();
  const Tensor X = zeros({4, 8}); // once: not repeated
  int Loop = 0, Redundant = 0, Copied = 0, Converted = 0;
  for (int I = 0; I < 3; ++I) {
    Loop = __LINE__ + 1;
    Tensor Y = empty({16});
    Redundant = __LINE__ + 1;
    X.contiguous();
    Copied = __LINE__ + 1;
    X.t().reshape({32});
    Converted = __LINE__ + 1;
    X.to(kDouble);
    X.reshape({32}); // a view
    X.to(kFloat);    // itself
  }
  stop_report();
  X.contiguous(); // not observed
  const std::string R = report_text();
  EXPECT_THAT(R, HasSubstr(at(Loop) + "empty() allocated 64 bytes, 3 times "
                                      "[tensor-allocation-in-loop]\n"));
  EXPECT_THAT(R, HasSubstr(at(Redundant) + "contiguous() did nothing 3 times "
                                           "[tensor-redundant-contiguous]\n"));
  EXPECT_THAT(R, HasSubstr(at(Copied) + "reshape() copied 3 times, 384 bytes "
                                        "[tensor-hidden-copy]\n"));
  EXPECT_THAT(R, HasSubstr(at(Converted) + "to() copied 3 times, 768 bytes "
                                           "[tensor-hidden-copy]\n"));
  EXPECT_THAT(R, Not(HasSubstr(at(Converted + 1))));
  EXPECT_THAT(R, Not(HasSubstr(at(Converted + 2))));
  EXPECT_THAT(R, Not(HasSubstr("zeros() allocated")));
  EXPECT_THAT(R, HasSubstr("zeros(): 1 allocation, 128 bytes"));
  EXPECT_THAT(R, HasSubstr("at a time"));
  EXPECT_THAT(report_json(),
              HasSubstr("\"line\": " + std::to_string(Copied) +
                        ", \"operation\": \"reshape\", \"count\": 3, "
                        "\"bytes\": 384"));
}

TEST(Report, StartsAnew) {
  start_report();
  stop_report();
  EXPECT_THAT(report_json(), HasSubstr("\"findings\": []"));
}

std::string slurp(const std::string &File) {
  std::ifstream In(File);
  return std::string(std::istreambuf_iterator<char>(In), {});
}

TEST(ReportDeathTest, IsWrittenHoweverTheProgramEnds) {
  // Several builds of these tests may run at once.
  const std::string Name =
      testing::TempDir() + "tensortidy-" + std::to_string(getpid());
  const std::string Text = Name + ".txt", Json = Name + ".json";
  auto Run = [&](auto End) {
    auto Program = [&] {
      start_report(Text + "," + Json);
      zeros({2}).contiguous();
      End();
    };
    EXPECT_DEATH_IF_SUPPORTED(
        {
          Program();
          std::abort();
        },
        "");
    EXPECT_THAT(slurp(Text), HasSubstr("contiguous() did nothing 1 time "));
    EXPECT_THAT(slurp(Json), HasSubstr("tensor-redundant-contiguous"));
    EXPECT_EQ(slurp(Json).substr(slurp(Json).size() - 2), "}\n");
    std::remove(Text.c_str());
    std::remove(Json.c_str());
  };
  Run([] { std::exit(3); });
  Run([] { std::thread([] { throw Error("nobody catches"); }).join(); });
}

} // namespace
