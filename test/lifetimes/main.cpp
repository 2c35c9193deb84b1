//===- main.cpp - runs the cases under AddressSanitizer -------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   lifetimes [--lint OUTPUT] [CASE...]
//
// Runs every case in a child process and compares how it ended with what it
// announces. With --lint, also compares the linter's output for the sources.
// Exit status 1 when anything differs.
//
//===----------------------------------------------------------------------===//

#include "lifetimes.h"
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

using lifetimes::Outcome;

namespace {

struct Listed {
  std::string Name, File;
  int Line;
  Outcome Expected;
  bool (*Run)();
};

std::vector<Listed> &cases() {
  static std::vector<Listed> List;
  return List;
}

constexpr int Stopped = 99, Wrong = 98;

std::string baseName(const std::string &Path) {
  return Path.substr(Path.find_last_of('/') + 1);
}

/// The exit status of the case in a process of its own.
int run(const Listed &C) {
  const pid_t Child = fork();
  if (Child == 0) {
    // What the sanitizer says is known.
    const int Null = open("/dev/null", O_WRONLY);
    dup2(Null, 2);
    _exit(C.Run() ? 0 : Wrong);
  }
  int Status = 0;
  waitpid(Child, &Status, 0);
  return WIFEXITED(Status) ? WEXITSTATUS(Status) : -1;
}

/// The lines with a warning, by file.
std::map<std::string, std::set<int>> readLint(const std::string &Path) {
  std::map<std::string, std::set<int>> Lines;
  std::ifstream In(Path);
  for (std::string Text; std::getline(In, Text);) {
    const auto Warning = Text.find(": warning: ");
    if (Warning == std::string::npos)
      continue;
    const auto Column = Text.rfind(':', Warning - 1);
    const auto Line = Text.rfind(':', Column - 1);
    Lines[baseName(Text.substr(0, Line))].insert(
        std::atoi(Text.c_str() + Line + 1));
  }
  return Lines;
}

} // namespace

extern "C" const char *__asan_default_options() {
  // Nobody reads where: symbols would take most of the time.
  return "exitcode=99:detect_leaks=0:detect_stack_use_after_return=1:"
         "symbolize=0";
}

lifetimes::Case::Case(const char *Name, const char *File, int Line,
                      Outcome Expected, bool (*Run)()) {
  cases().push_back({Name, baseName(File), Line, Expected, Run});
}

int64_t lifetimes::number(int64_t Value) { return Value; }
bool lifetimes::flag(bool Value) { return Value; }
float lifetimes::sum(const float *Data, int64_t Count) {
  float Sum = 0;
  for (int64_t I = 0; I < Count; ++I)
    Sum += Data[I];
  return Sum;
}
int64_t lifetimes::product(at::IntArrayRef Sizes) {
  int64_t Product = 1;
  for (size_t I = 0; I < Sizes.size(); ++I)
    Product *= Sizes.data()[I];
  return Product;
}
float lifetimes::entry(const float *Data, int64_t Rows, int64_t Columns,
                       int64_t Row, int64_t Column) {
  return Row < Rows && Column < Columns ? Data[Row * Columns + Column] : -1;
}
float lifetimes::strided(const float *Data, int64_t Rows, int64_t Columns,
                         int64_t RowStride, int64_t ColumnStride) {
  float Sum = 0;
  for (int64_t I = 0; I < Rows; ++I)
    for (int64_t J = 0; J < Columns; ++J)
      Sum += Data[I * RowStride + J * ColumnStride];
  return Sum;
}
void lifetimes::copy(const float *From, float *To, int64_t Count) {
  for (int64_t I = 0; I < Count; ++I)
    To[I] = From[I];
}
at::Tensor lifetimes::rows() { return at::ones({4, 6}); }
at::Tensor lifetimes::transposed() { return at::ones({4, 6}).t(); }

int main(int Count, char **Words) {
  std::map<std::string, std::set<int>> Lint;
  bool HasLint = false;
  std::set<std::string> Only;
  for (int I = 1; I < Count; ++I)
    if (std::string(Words[I]) == "--lint" && I + 1 < Count)
      Lint = readLint(Words[++I]), HasLint = true;
    else
      Only.insert(Words[I]);
  unsigned Ran = 0, Differ = 0;
  for (size_t I = 0; I < cases().size(); ++I) {
    const Listed &C = cases()[I];
    if (!Only.empty() && !Only.count(C.Name))
      continue;
    ++Ran;
    const int Status = run(C);
    const int Expected = C.Expected == Outcome::Lives   ? 0
                         : C.Expected == Outcome::Stale ? Wrong
                                                        : Stopped;
    if (Status != Expected) {
      std::printf("%s:%d: %s ended with %d, not %d\n", C.File.c_str(), C.Line,
                  C.Name.c_str(), Status, Expected);
      ++Differ;
    }
    if (!HasLint)
      continue;
    // A case goes on to the next one of its file.
    const bool Last =
        I + 1 == cases().size() || cases()[I + 1].File != C.File;
    const auto &Lines = Lint[C.File];
    const auto At = Lines.lower_bound(C.Line);
    const bool Reported =
        At != Lines.end() && (Last || *At < cases()[I + 1].Line);
    if (Reported != (C.Expected != Outcome::Lives)) {
      std::printf("%s:%d: lint %s %s\n", C.File.c_str(), C.Line,
                  Reported ? "reports" : "is silent on", C.Name.c_str());
      ++Differ;
    }
  }
  std::printf("%u cases, %u differ\n", Ran, Differ);
  return Differ != 0;
}
