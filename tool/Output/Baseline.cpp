//===- Baseline.cpp - the findings that old code is known to have ---------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Output/Baseline.h"
#include "JsonText.h"
#include "Replace.h"
#include "StringError.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace json = llvm::json;

namespace tensortidy::tool {

namespace {

constexpr int64_t FormatVersion = 1;

} // namespace

llvm::Error Baseline::read(StringRef Path, bool MayBeNew) {
  WasThere = fs::exists(Path);
  if (!WasThere && MayBeNew)
    return llvm::Error::success();
  if (!WasThere)
    return stringError("there is no baseline '" + Path +
                       "'; --update-baseline writes one");
  auto Buffer = llvm::MemoryBuffer::getFile(Path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/true,
                                            /*IsVolatile=*/true);
  if (!Buffer)
    return stringError("cannot read the baseline '" + Path +
                       "': " + Buffer.getError().message());
  Read = (*Buffer)->getBuffer().str();
  if (llvm::Error E = parse(Read))
    return stringError("'" + Path +
                       "' is no baseline: " + llvm::toString(std::move(E)));
  return llvm::Error::success();
}

llvm::Error Baseline::parse(StringRef Text) {
  if (nestsTooDeep(Text))
    return stringError("it nests too deep");
  auto Value = json::parse(Text);
  if (!Value)
    return Value.takeError();
  const json::Object *Top = Value->getAsObject();
  const json::Array *List = Top ? Top->getArray("findings") : nullptr;
  if (!List)
    return stringError("it has no list of findings");
  if (Top->getInteger("version") != FormatVersion)
    return stringError("it is not of version " + llvm::Twine(FormatVersion) +
                       ", which this release reads");
  for (size_t I = 0; I < List->size(); ++I) {
    const json::Object *O = (*List)[I].getAsObject();
    const auto Check = O ? O->getString("check") : std::nullopt;
    const auto File = O ? O->getString("file") : std::nullopt;
    const auto Function = O ? O->getString("function") : std::nullopt;
    const auto Message = O ? O->getString("message") : std::nullopt;
    const auto Count = O ? O->getInteger("count") : std::nullopt;
    if (!Check || !File || !Function || !Message || !Count || *Count < 1 ||
        *Count > INT32_MAX)
      return stringError("finding " + llvm::Twine(I + 1) +
                         " lacks a check, file, function, message or count");
    Counts &C = Entries[{*Check, *Function, *Message}][File->str()];
    C.Count += static_cast<unsigned>(*Count);
    C.Left = C.Count;
  }
  return llvm::Error::success();
}

bool Baseline::covers(const FindingIdentity &Finding, StringRef File,
                      const Project &P) {
  auto Of = Entries.find(Finding);
  if (Of == Entries.end())
    return false;
  const std::string Name = json::fixUTF8(File);
  if (auto It = Of->second.find(Name);
      It != Of->second.end() && It->second.Left) {
    --It->second.Left;
    return true;
  }
  for (auto &[Other, C] : Of->second)
    if (C.Left && Other != Name && !fs::exists(P.path(Other))) {
      --C.Left;
      ++C.Moved[Name];
      return true;
    }
  return false;
}

std::vector<Baseline::Entry>
Baseline::gone(const Project &P, bool Whole,
               llvm::function_ref<bool(StringRef, StringRef)> Linted) const {
  std::vector<Entry> Gone, OfGoneFiles;
  for (const auto &[Finding, Files] : Entries)
    for (const auto &[File, C] : Files) {
      const bool Looked = Linted(File, Finding.Check);
      const bool Exists = fs::exists(P.path(File));
      Whole &= Looked || !Exists;
      if (C.Left && (Looked || !Exists))
        (Looked ? Gone : OfGoneFiles).push_back({File, Finding, C.Left});
    }
  if (Whole)
    Gone.insert(Gone.end(), OfGoneFiles.begin(), OfGoneFiles.end());
  return Gone;
}

void Baseline::add(const FindingIdentity &Finding, StringRef File) {
  ++Entries[Finding][json::fixUTF8(File)].Count;
}

void Baseline::prune(const std::vector<Entry> &Gone) {
  for (const Entry &G : Gone)
    Entries[G.Finding][G.File].Count -= G.Count;
  for (auto &[Finding, Files] : Entries) {
    std::map<std::string, unsigned> Moved;
    for (auto &[File, C] : Files)
      for (const auto &[To, N] : std::exchange(C.Moved, {})) {
        C.Count -= N;
        Moved[To] += N;
      }
    for (const auto &[To, N] : Moved)
      Files[To].Count += N;
  }
}

unsigned Baseline::size() const {
  unsigned N = 0;
  for (const auto &[Finding, Files] : Entries)
    for (const auto &[File, C] : Files)
      N += C.Count;
  return N;
}

std::string Baseline::text() const {
  // By file first: an entry is looked for beside the others of its file.
  std::map<std::pair<std::string, FindingIdentity>, unsigned> Sorted;
  for (const auto &[Finding, Files] : Entries)
    for (const auto &[File, C] : Files)
      if (C.Count)
        Sorted[{File, Finding}] = C.Count;
  std::string Text = "{\"version\": " + std::to_string(FormatVersion) +
                     ", \"tool\": \"tensortidy\", \"findings\": [";
  const char *Separator = "\n";
  for (const auto &[Key, Count] : Sorted) {
    const auto &[File, Finding] = Key;
    Text += Separator;
    Text += llvm::formatv(
                "{0}", json::Value(json::Object{{"check", Finding.Check},
                                                {"count", Count},
                                                {"file", File},
                                                {"function", Finding.Function},
                                                {"message", Finding.Message}}))
                .str();
    Separator = ",\n";
  }
  return Text + "\n]}\n";
}

llvm::Error Baseline::write(StringRef Path) const {
  const std::string Text = text();
  if (WasThere && Text == Read)
    return llvm::Error::success();
  llvm::SmallString<256> Real;
  if (!WasThere || !fs::is_regular_file(Path) || fs::real_path(Path, Real))
    return writeOutput(Path, Text);
  CriticalSection Section;
  auto Update = FileUpdate::begin(Real);
  llvm::Error E = Update ? llvm::Error::success() : Update.takeError();
  if (!E && (*Update)->text() != Read)
    E = llvm::make_error<Refusal>("changed since it was read", "run again");
  if (!E)
    E = (*Update)->prepare(Text);
  if (!E)
    E = (*Update)->commit();
  if (E)
    return stringError(refusalMessage(Path, std::move(E)));
  (*Update)->finish();
  return llvm::Error::success();
}

} // namespace tensortidy::tool
