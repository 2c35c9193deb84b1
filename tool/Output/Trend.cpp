//===- Trend.cpp - findings of two runs, compared -------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Output/Trend.h"
#include "JsonText.h"
#include "Output/SarifParts.h"
#include "StringError.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using llvm::StringRef;
namespace json = llvm::json;

namespace tensortidy::tool {

namespace {

Trend::OldFinding findingOf(const json::Object &Result) {
  Trend::OldFinding F;
  F.Fingerprint =
      stringIn(Result.getObject("partialFingerprints"), "tensortidy/v1");
  F.Check = Result.getString("ruleId").value_or("").str();
  F.Message = stringIn(Result.getObject("message"), "text");
  const json::Object *Place = placeIn(Result);
  F.File = fileIn(Place);
  if (const json::Object *Region = objectIn(Place, "region"))
    F.Line = Region->getInteger("startLine").value_or(0);
  return F;
}

} // namespace

llvm::Expected<Trend> Trend::read(StringRef Path) {
  auto Buffer = llvm::MemoryBuffer::getFile(Path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/true,
                                            /*IsVolatile=*/true);
  if (!Buffer)
    return stringError("cannot read '" + Path +
                       "': " + Buffer.getError().message());
  const auto IsNone = [&](const llvm::Twine &Why) {
    return stringError("'" + Path + "' is no SARIF log of tensortidy: " + Why);
  };
  if (nestsTooDeep((*Buffer)->getBuffer()))
    return IsNone("it nests too deep");
  auto Log = json::parse((*Buffer)->getBuffer());
  if (!Log)
    return IsNone(llvm::toString(Log.takeError()));
  const json::Object *Top = Log->getAsObject();
  const json::Array *Runs = Top ? Top->getArray("runs") : nullptr;
  if (!Runs)
    return IsNone("it has no runs");
  Trend T;
  T.Name = llvm::sys::path::filename(Path).str();
  bool IsOurs = false;
  for (const json::Value &V : *Runs) {
    const json::Object *Run = V.getAsObject();
    const json::Object *Driver = objectIn(objectIn(Run, "tool"), "driver");
    if (stringIn(Driver, "name") != "tensortidy")
      continue;
    IsOurs = true;
    const json::Array *Results = Run->getArray("results");
    if (!Results)
      continue;
    for (const json::Value &Each : *Results) {
      const json::Object *Result = Each.getAsObject();
      if (!Result || isSilenced(*Result))
        continue;
      OldFinding F = findingOf(*Result);
      if (!F.Fingerprint.empty() &&
          T.ByFingerprint.try_emplace(F.Fingerprint, T.Old.size()).second)
        T.Old.push_back(std::move(F));
    }
  }
  if (!IsOurs)
    return IsNone("none of its runs is one of tensortidy");
  return T;
}

void Trend::compare(
    const Report &R,
    llvm::function_ref<bool(StringRef File, StringRef Check)> Linted) {
  for (OldFinding &F : Old) {
    ++Checks[F.Check].Before;
    const std::string Path = R.project().path(F.File);
    if (Linted(F.File, F.Check) || !llvm::sys::fs::exists(Path))
      F.S = State::Gone;
  }
  for (const ReportedFinding &F : R.Findings) {
    const auto It = ByFingerprint.find(F.Fingerprint);
    const bool IsSilenced = F.K == ReportedFinding::Kind::Silenced;
    if (It != ByFingerprint.end())
      Old[It->second].S = IsSilenced ? State::Silenced : State::Unchanged;
    else if (!IsSilenced)
      ++Checks[F.Check].New;
  }
  for (const OldFinding &F : Old)
    Checks[F.Check].Gone +=
        F.S == State::Gone || F.S == State::Silenced ? 1 : 0;
  for (auto &[Check, N] : Checks)
    N.Now = N.Before - N.Gone + N.New;
}

bool Trend::isNew(const ReportedFinding &F) const {
  return F.K != ReportedFinding::Kind::Silenced &&
         !ByFingerprint.count(F.Fingerprint);
}

Trend::Counts Trend::total() const {
  Counts All;
  for (const auto &[Check, N] : Checks) {
    All.Before += N.Before;
    All.Gone += N.Gone;
    All.New += N.New;
    All.Now += N.Now;
  }
  return All;
}

unsigned Trend::count(State S) const {
  return static_cast<unsigned>(
      llvm::count_if(Old, [&](const OldFinding &F) { return F.S == S; }));
}

} // namespace tensortidy::tool
