//===- Report.cpp - what a run really did ---------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "core/Report.h"
#include "io/File.h"
#include "tensortidy/memory.h"
#include "tensortidy/report.h"
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <map>
#include <mutex>
#include <string_view>
#include <tuple>
#include <vector>

namespace tensortidy {

using detail::Event;

std::atomic<bool> detail::Observing{false};

namespace {

struct Place {
  std::string File; ///< empty where no call is known, as inside operators
  int Line;
  std::string Op;
  bool operator<(const Place &O) const {
    return std::tie(File, Line, Op) < std::tie(O.File, O.Line, O.Op);
  }
};
struct Happened {
  uint64_t Count = 0, Bytes = 0;
  std::map<size_t, uint64_t> Sizes; ///< how often each number of bytes
};

/// One line of the report.
struct Finding {
  const char *Check; ///< null for a plain allocation
  Place At;
  uint64_t Count, Bytes;
};

struct Observer {
  static Observer &get() { // never destroyed: the report is written late
    static auto *O = new Observer;
    return *O;
  }
  std::mutex Lock;
  std::map<Place, Happened> Events[3];
  std::vector<std::string> Files;
  bool Registered = false;

  std::vector<Finding> findings() {
    std::vector<Finding> R;
    auto &Allocations = Events[static_cast<size_t>(Event::Allocation)];
    for (const auto &[At, H] : Allocations)
      for (const auto &[Bytes, Times] : H.Sizes)
        if (Times > 1)
          R.push_back({"tensor-allocation-in-loop", At, Times, Bytes * Times});
    for (const auto &[At, H] :
         Events[static_cast<size_t>(Event::RedundantContiguous)])
      R.push_back({"tensor-redundant-contiguous", At, H.Count, H.Bytes});
    for (const auto &[At, H] : Events[static_cast<size_t>(Event::HiddenCopy)])
      R.push_back({"tensor-hidden-copy", At, H.Count, H.Bytes});
    // What costs most comes first.
    std::stable_sort(
        R.begin(), R.end(),
        [](const Finding &A, const Finding &B) { return A.Bytes > B.Bytes; });
    return R;
  }
  std::vector<Finding> allocations() {
    std::vector<Finding> R;
    for (const auto &[At, H] : Events[static_cast<size_t>(Event::Allocation)])
      R.push_back({nullptr, At, H.Count, H.Bytes});
    std::stable_sort(
        R.begin(), R.end(),
        [](const Finding &A, const Finding &B) { return A.Bytes > B.Bytes; });
    return R;
  }
};

std::string count(uint64_t N, const char *What) {
  return std::to_string(N) + " " + What + (N == 1 ? "" : "s");
}
std::string where(const Place &P) {
  return P.File.empty() ? "(in an expression)"
                        : P.File + ":" + std::to_string(P.Line);
}
std::string sentence(const Finding &F) {
  const std::string Op = F.At.Op + "()", Check = F.Check ? F.Check : "";
  if (Check == "tensor-redundant-contiguous")
    return Op + " did nothing " + count(F.Count, "time");
  if (Check == "tensor-hidden-copy")
    return Op + " copied " + count(F.Count, "time") + ", " +
           count(F.Bytes, "byte");
  if (Check == "tensor-allocation-in-loop")
    return Op + " allocated " + count(F.Bytes / F.Count, "byte") + ", " +
           count(F.Count, "time");
  return Op + ": " + count(F.Count, "allocation") + ", " +
         count(F.Bytes, "byte");
}

std::string quoted(const std::string &Text) {
  std::string R = "\"";
  for (const char C : Text) {
    char Code[8];
    if (static_cast<unsigned char>(C) < 0x20) {
      std::snprintf(Code, sizeof Code, "\\u%04x", static_cast<unsigned>(C));
      R += Code;
      continue;
    }
    if (C == '"' || C == '\\')
      R += '\\';
    R += C;
  }
  return R + "\"";
}
std::string object(const Finding &F) {
  std::string R = "    {";
  if (F.Check)
    R += "\"check\": " + quoted(F.Check) + ", ";
  R += "\"file\": " +
       (F.At.File.empty()
            ? "null, \"line\": null"
            : quoted(F.At.File) + ", \"line\": " + std::to_string(F.At.Line)) +
       ", \"operation\": " + quoted(F.At.Op) +
       ", \"count\": " + std::to_string(F.Count) +
       ", \"bytes\": " + std::to_string(F.Bytes);
  if (F.Check)
    R += ", \"message\": " + quoted(sentence(F));
  return R + "}";
}
std::string objects(const std::vector<Finding> &All) {
  std::string R;
  for (const Finding &F : All)
    R += (R.empty() ? "\n" : ",\n") + object(F);
  return R.empty() ? "[]" : "[" + R + "\n  ]";
}

std::vector<std::string> splitNames(const std::string &Names) {
  std::vector<std::string> R;
  for (size_t Begin = 0; Begin <= Names.size();) {
    const size_t End = std::min(Names.find(',', Begin), Names.size());
    if (End > Begin)
      R.push_back(Names.substr(Begin, End - Begin));
    Begin = End + 1;
  }
  return R;
}

/// At the end nobody can catch: a report that cannot be written is said.
void writeAll() noexcept {
  std::vector<std::string> Files;
  Files.swap(Observer::get().Files);
  for (const std::string &File : Files)
    try {
      write_report(File);
    } catch (const std::exception &E) {
      std::fprintf(stderr, "tensortidy: no report: %s\n", E.what());
    }
}
std::terminate_handler Previous = nullptr;

/// Reads the environment before main().
const bool Started = [] {
  const char *Names = std::getenv("TENSORTIDY_REPORT");
  if (Names && *Names)
    start_report(Names);
  return true;
}();

} // namespace

void detail::observed(Event E, const char *Op, Site Here, size_t Bytes) {
  // Operators have no default arguments: what they call names our own header.
  static constexpr std::string_view Own = "tensortidy/tensor.h";
  std::string_view File = Here.File ? Here.File : "";
  if (File.size() >= Own.size() && File.substr(File.size() - Own.size()) == Own)
    File = "";
  Observer &O = Observer::get();
  const std::lock_guard<std::mutex> Guard(O.Lock);
  Happened &H = O.Events[static_cast<size_t>(E)]
                        [{std::string(File), File.empty() ? 0 : Here.Line, Op}];
  ++H.Count;
  H.Bytes += Bytes;
  if (E == Event::Allocation && !File.empty() && Bytes)
    ++H.Sizes[Bytes];
}

void start_report(const std::string &file) {
  Observer &O = Observer::get();
  const std::lock_guard<std::mutex> Guard(O.Lock);
  for (auto &Events : O.Events)
    Events.clear();
  reset_peak_memory_stats();
  O.Files = splitNames(file);
  if (!O.Files.empty() && !O.Registered) {
    O.Registered = true;
    std::atexit(writeAll);
    Previous = std::set_terminate([] {
      writeAll();
      if (Previous)
        Previous();
      std::abort();
    });
  }
  detail::Observing = true;
}
void stop_report() { detail::Observing = false; }
bool report_enabled() { return detail::Observing; }

std::string report_text() {
  Observer &O = Observer::get();
  const size_t Peak = max_memory_allocated();
  const std::lock_guard<std::mutex> Guard(O.Lock);
  std::string R;
  for (const Finding &F : O.findings())
    R += where(F.At) + ": " + sentence(F) + " [" + F.Check + "]\n";
  const std::vector<Finding> All = O.allocations();
  uint64_t Count = 0, Bytes = 0;
  for (const Finding &F : All) {
    Count += F.Count;
    Bytes += F.Bytes;
  }
  R += (R.empty() ? "" : "\n") + count(Count, "allocation") + ", " +
       count(Bytes, "byte") + "; at most " + std::to_string(Peak) +
       " at a time\n";
  for (const Finding &F : All)
    R += "  " + where(F.At) + ": " + sentence(F) + "\n";
  return R;
}
std::string report_json() {
  Observer &O = Observer::get();
  const size_t Peak = max_memory_allocated();
  const std::lock_guard<std::mutex> Guard(O.Lock);
  return "{\n  \"version\": 1,\n  \"peak_bytes\": " + std::to_string(Peak) +
         ",\n  \"findings\": " + objects(O.findings()) +
         ",\n  \"allocations\": " + objects(O.allocations()) + "\n}\n";
}
void write_report(const std::string &file) {
  const bool Json =
      file.size() > 5 && file.compare(file.size() - 5, 5, ".json") == 0;
  detail::OutFile F(file);
  F.write(Json ? report_json() : report_text());
  F.commit();
}

} // namespace tensortidy
