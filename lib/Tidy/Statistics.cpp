//===- Statistics.cpp - what the analyses saw -----------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tidy/Tidy.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include <vector>

namespace tensortidy::tidy {

void Statistics::add(const Statistics &Other) {
  Seen += Other.Seen;
  WithTensors += Other.WithTensors;
  Analysed += Other.Analysed;
  Modelled += Other.Modelled;
  CallsFollowed += Other.CallsFollowed;
  CallsNotFollowed += Other.CallsNotFollowed;
  ViewSites += Other.ViewSites;
  LayoutSites += Other.LayoutSites;
  LayoutSitesDecided += Other.LayoutSitesDecided;
  ViewSitesDecided += Other.ViewSitesDecided;
  PointerSites += Other.PointerSites;
  PointerSitesDecided += Other.PointerSitesDecided;
  ContiguousSites += Other.ContiguousSites;
  ContiguousSitesDecided += Other.ContiguousSitesDecided;
  CopySites += Other.CopySites;
  CopySitesDecided += Other.CopySitesDecided;
  Parse += Other.Parse;
  Find += Other.Find;
  Lower += Other.Lower;
  Analyse += Other.Analyse;
  Report += Other.Report;
  for (const auto &[Reason, Count] : Other.GivenUp)
    GivenUp[Reason] += Count;
  for (const auto &[Name, Count] : Other.Open)
    Open[Name] += Count;
  for (const auto &[Name, Count] : Other.Unmodelled)
    Unmodelled[Name] += Count;
  for (const auto &[Reason, Count] : Other.Silenced)
    Silenced[Reason] += Count;
}

/// The rows of a table, most frequent first.
static void printCounts(llvm::raw_ostream &OS,
                        const std::map<std::string, unsigned> &Counts) {
  std::vector<std::pair<std::string, unsigned>> Rows(Counts.begin(),
                                                     Counts.end());
  llvm::stable_sort(
      Rows, [](const auto &A, const auto &B) { return A.second > B.second; });
  for (const auto &[Name, Count] : Rows)
    OS << llvm::format("  %8u  ", Count) << Name << '\n';
}

static void printShare(llvm::raw_ostream &OS, const char *What, unsigned Part,
                       unsigned Whole) {
  OS << What << ": " << Part << " of " << Whole;
  if (Whole)
    OS << llvm::format(" (%.0f %%)", 100.0 * Part / Whole);
  OS << '\n';
}

void Statistics::print(llvm::raw_ostream &OS) const {
  unsigned NotModelled = 0;
  for (const auto *Names : {&Open, &Unmodelled})
    for (const auto &Entry : *Names)
      NotModelled += Entry.second;
  OS << "functions seen: " << Seen << '\n';
  OS << "functions that mention a tensor: " << WithTensors << '\n';
  printShare(OS, "functions analysed", Analysed, WithTensors);
  if (!GivenUp.empty()) {
    OS << "functions given up, by reason:\n";
    printCounts(OS, GivenUp);
  }
  printShare(OS, "calls modelled", Modelled, Modelled + NotModelled);
  if (!Open.empty()) {
    OS << "calls known but for their result's layout, by name:\n";
    printCounts(OS, Open);
  }
  if (!Unmodelled.empty()) {
    OS << "calls without a model, by name:\n";
    printCounts(OS, Unmodelled);
  }
  printShare(OS, "calls in the unit followed", CallsFollowed,
             CallsFollowed + CallsNotFollowed);
  printShare(OS, "view sites decided", ViewSitesDecided, ViewSites);
  printShare(OS, "layout sites decided", LayoutSitesDecided, LayoutSites);
  printShare(OS, "raw pointers decided", PointerSitesDecided, PointerSites);
  printShare(OS, "contiguous sites decided", ContiguousSitesDecided,
             ContiguousSites);
  printShare(OS, "copy sites decided", CopySitesDecided, CopySites);
  if (!Silenced.empty()) {
    OS << "statements of which something is not told, by reason:\n";
    printCounts(OS, Silenced);
  }
  OS << "CPU seconds by phase:\n";
  const std::pair<const char *, double> Phases[] = {{"parse", Parse},
                                                    {"find", Find},
                                                    {"lower", Lower},
                                                    {"analyse", Analyse},
                                                    {"report", Report}};
  for (const auto &[Name, Seconds] : Phases)
    OS << llvm::format("  %8.4f  ", Seconds) << Name << '\n';
}

} // namespace tensortidy::tidy
