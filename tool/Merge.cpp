//===- Merge.cpp - the SARIF of several runs as that of one ---------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Merge.h"
#include "JsonText.h"
#include "Models/ReadFile.h"
#include "Output/SarifParts.h"
#include "Replace.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <optional>
#include <tuple>

using llvm::StringRef;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;
namespace fs = llvm::sys::fs;

namespace tensortidy::tool {

namespace {

constexpr llvm::StringLiteral Fingerprint = "tensortidy/v1";

constexpr const char *Help =
    R"help(tensortidy merge [--output=FILE] [--quiet] FILE.sarif...

Makes one SARIF of those that runs of tensortidy have written, over shards of a
project, say: every finding once, and what each run says of itself. It goes to
standard output, or to FILE; then standard output has a line for each finding.
@FILE stands for the words in a file.

Exit status, as of one run over all files: 0 nothing (new) found, 1 findings,
2 a run could not analyse a file, or something cannot be read or written.
)help";

/// What is wrong with a file, without its name.
llvm::Error wrong(const llvm::Twine &Text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), Text);
}

//===----------------------------------------------------------------------===//
// A result
//===----------------------------------------------------------------------===//

std::string textOf(const Object &Result) {
  return stringIn(objectIn(&Result, "message"), "text");
}

bool isSuppressed(const Object &Result) {
  const Array *All = Result.getArray("suppressions");
  return All && !All->empty();
}

struct Position {
  std::string File;
  int64_t Line = 0, Column = 0;

  static Position of(const Object *Physical) {
    Position P;
    P.File = fileIn(Physical);
    if (const Object *Region = objectIn(Physical, "region")) {
      P.Line = Region->getInteger("startLine").value_or(0);
      P.Column = Region->getInteger("startColumn").value_or(0);
    }
    return P;
  }

  /// As compilers write it.
  std::string text() const {
    return File +
           (Line ? ":" + std::to_string(Line) + ":" + std::to_string(Column)
                 : "");
  }
};

struct Finding {
  Position At;
  std::string Check;
  Object Whole;

  /// A comment is for all messages of its line.
  auto key() const {
    return std::tuple(At.File, At.Line, At.Column, Check,
                      isSilenced(Whole) ? "" : textOf(Whole));
  }
  auto order() const { return std::tie(At.File, At.Line, At.Column, Check); }
};

//===----------------------------------------------------------------------===//
// A run
//===----------------------------------------------------------------------===//

llvm::Error checkResult(const Object *Result, const Array &Rules) {
  if (!Result)
    return wrong("is no object");
  const auto Check = Result->getString("ruleId");
  if (!Check)
    return wrong("has no ruleId");
  if (Result->get("ruleIndex")) {
    const auto Index = Result->getInteger("ruleIndex");
    const Object *Rule =
        Index && *Index >= 0 && static_cast<size_t>(*Index) < Rules.size()
            ? Rules[static_cast<size_t>(*Index)].getAsObject()
            : nullptr;
    if (!Rule || Rule->getString("id") != Check)
      return wrong("has a ruleIndex that is not of its ruleId");
  }
  if (const Object *Message = objectIn(Result, "message");
      !Message || !Message->getString("text"))
    return wrong("has no message");
  const Object *Artifact = objectIn(placeIn(*Result), "artifactLocation");
  if (!Artifact || !Artifact->getString("uri"))
    return wrong("has no location");
  if (const Object *Prints = objectIn(Result, "partialFingerprints");
      !Prints || !Prints->getString(Fingerprint))
    return wrong("has no fingerprint '" + Fingerprint + "'");
  return llvm::Error::success();
}

llvm::Error checkInvocation(const Object *Invocation) {
  const auto Code = Invocation ? Invocation->getInteger("exitCode")
                               : std::optional<int64_t>();
  if (!Code || *Code < 0 || *Code > 2)
    return wrong("has no exitCode from 0 to 2");
  if (!Invocation->getBoolean("executionSuccessful"))
    return wrong("does not say whether it was successful");
  return llvm::Error::success();
}

std::vector<std::string> ruleIds(const Object &Driver) {
  std::vector<std::string> Ids;
  if (const Array *Rules = Driver.getArray("rules"))
    for (const Value &Rule : *Rules)
      if (const Object *O = Rule.getAsObject())
        Ids.push_back(O->getString("id").value_or("").str());
  return Ids;
}

class Merger {
public:
  llvm::Error add(StringRef File) {
    auto Buffer = models::readRegularFile(File, *llvm::vfs::getRealFileSystem(),
                                          models::MostBytesOfDatabase);
    if (!Buffer)
      return Buffer.takeError();
    const auto Named = [&](llvm::Error E) {
      return wrong("cannot merge '" + File +
                   "': " + llvm::toString(std::move(E)));
    };
    if (nestsTooDeep((*Buffer)->getBuffer()))
      return Named(wrong("it nests too deep"));
    auto Log = llvm::json::parse((*Buffer)->getBuffer());
    if (!Log)
      return Named(Log.takeError());
    if (llvm::Error E = addLog(Log->getAsObject()))
      return Named(std::move(E));
    return llvm::Error::success();
  }

  /// As a run over all files would have it.
  void finish() {
    llvm::stable_sort(Findings, [](const Finding &A, const Finding &B) {
      return A.order() < B.order();
    });
    std::map<std::string, unsigned> Count;
    for (Finding &F : Findings) {
      Object &Prints = *F.Whole.getObject("partialFingerprints");
      std::string Print = Prints.getString(Fingerprint)->split(':').first.str();
      if (const unsigned N = ++Count[Print]; N > 1)
        Print += ":" + std::to_string(N);
      Prints[Fingerprint] = Print;
    }
  }

  int status() const {
    if (Failed)
      return 2;
    return llvm::any_of(
        Findings, [](const Finding &F) { return !isSuppressed(F.Whole); });
  }

  /// A line for each.
  void print(llvm::raw_ostream &OS) const {
    for (const Finding &F : Findings)
      if (!isSuppressed(F.Whole))
        OS << F.At.text() << ": "
           << F.Whole.getString("level").value_or("warning") << ": "
           << textOf(F.Whole) << " [" << F.Check << "]\n";
  }

  void printProblems(llvm::raw_ostream &OS) const {
    for (const Value &V : Invocations)
      if (const Array *All =
              V.getAsObject()->getArray("toolExecutionNotifications"))
        for (const Value &One : *All)
          if (const Object *O = One.getAsObject()) {
            const Object *Place = placeIn(*O);
            OS << (Place ? Position::of(Place).text() : "tensortidy")
               << ": error: " << textOf(*O) << '\n';
          }
  }

  std::string summary() const {
    unsigned Shown = 0, Silenced = 0;
    for (const Finding &F : Findings) {
      Shown += !isSuppressed(F.Whole);
      Silenced += isSilenced(F.Whole);
    }
    const size_t InBaseline = Findings.size() - Shown - Silenced;
    const auto Counted = [](size_t N, const char *What) {
      return std::to_string(N) + " " + What + (N == 1 ? "" : "s");
    };
    std::string Text =
        Counted(Shown, "finding") + " of " + Counted(Invocations.size(), "run");
    if (InBaseline)
      Text += ", " + std::to_string(InBaseline) + " in the baseline";
    if (Silenced)
      Text += ", " + std::to_string(Silenced) + " silenced by NOLINT";
    return Text;
  }

  std::string take() {
    Array Results;
    for (Finding &F : Findings)
      Results.push_back(std::move(F.Whole));
    Run["invocations"] = std::move(Invocations);
    Run["results"] = std::move(Results);
    Log["runs"] = Array{std::move(Run)};
    return llvm::formatv("{0:2}\n", Value(std::move(Log))).str();
  }

private:
  llvm::Error addLog(Object *Given) {
    if (!Given || Given->getString("version") != "2.1.0")
      return wrong("it is no SARIF of version 2.1.0");
    Array *Runs = Given->getArray("runs");
    if (!Runs || Runs->empty())
      return wrong("it has no runs");
    for (size_t I = 0; I < Runs->size(); ++I) {
      Object *One = (*Runs)[I].getAsObject();
      if (!One)
        return wrong("run " + llvm::Twine(I + 1) + " is no object");
      if (llvm::Error E = addRun(*One))
        return wrong("run " + llvm::Twine(I + 1) + " " +
                     llvm::toString(std::move(E)));
    }
    if (Log.empty()) {
      Log = std::move(*Given);
      Log.erase("runs");
    }
    return llvm::Error::success();
  }

  llvm::Error addRun(Object &Given) {
    const Object *Driver = objectIn(objectIn(&Given, "tool"), "driver");
    const Array *Rules = Driver ? Driver->getArray("rules") : nullptr;
    if (!Driver || !Rules || Driver->getString("name") != "tensortidy")
      return wrong("is not tensortidy's");
    Array *Said = Given.getArray("invocations");
    if (!Said || Said->empty())
      return wrong("has no invocations");
    for (size_t I = 0; I < Said->size(); ++I)
      if (llvm::Error E = checkInvocation((*Said)[I].getAsObject()))
        return wrong("is not whole: invocation " + llvm::Twine(I + 1) + " " +
                     llvm::toString(std::move(E)));
    Array *Results = Given.getArray("results");
    if (!Results)
      return wrong("has no results");
    for (size_t I = 0; I < Results->size(); ++I)
      if (llvm::Error E = checkResult((*Results)[I].getAsObject(), *Rules))
        return wrong("is not whole: result " + llvm::Twine(I + 1) + " " +
                     llvm::toString(std::move(E)));
    if (Run.empty()) {
      Run = Given;
    } else if (llvm::Error E = checkLikeFirst(*Driver)) {
      return E;
    }
    for (Value &V : *Said) {
      const Object &One = *V.getAsObject();
      Failed |= *One.getInteger("exitCode") == 2 ||
                !*One.getBoolean("executionSuccessful");
      Invocations.push_back(std::move(V));
    }
    for (Value &V : *Results)
      addFinding(std::move(*V.getAsObject()));
    joinRoots(Given);
    return llvm::Error::success();
  }

  llvm::Error checkLikeFirst(const Object &Driver) const {
    const Object &First = *objectIn(objectIn(&Run, "tool"), "driver");
    const auto Version = [](const Object &D) {
      return D.getString("semanticVersion").value_or("?").str();
    };
    if (Version(First) != Version(Driver) || ruleIds(First) != ruleIds(Driver))
      return wrong("was written by tensortidy " + Version(Driver) +
                   ", and what was read before it by another one, " +
                   Version(First));
    return llvm::Error::success();
  }

  /// In a header a unit may be told what another one is not to be.
  void addFinding(Object Result) {
    Finding F{Position::of(placeIn(Result)), Result.getString("ruleId")->str(),
              std::move(Result)};
    const auto [It, New] = Known.try_emplace(F.key(), Findings.size());
    if (New)
      Findings.push_back(std::move(F));
    else if (Finding &Other = Findings[It->second];
             isSuppressed(Other.Whole) && !isSuppressed(F.Whole))
      Other = std::move(F);
  }

  /// Machines may have the project in different folders: then it is in none.
  void joinRoots(const Object &Given) {
    if (const Value *Of = Given.get("originalUriBaseIds"),
        *First = Run.get("originalUriBaseIds");
        First && (!Of || *Of != *First))
      Run.erase("originalUriBaseIds");
  }

  Object Log, Run; ///< the first, without what is merged
  Array Invocations;
  std::vector<Finding> Findings;
  std::map<decltype(std::declval<Finding>().key()), size_t> Known;
  bool Failed = false;
};

int fail(const llvm::Twine &Text) {
  llvm::errs() << "tensortidy: error: " << Text << '\n';
  return 2;
}

} // namespace

int mergeMain(std::vector<std::string> Words) {
  if (llvm::Error E = models::readResponseFiles(Words, ""))
    return fail("merge: " + llvm::toString(std::move(E)));
  std::vector<std::string> Files;
  std::optional<std::string> Output;
  bool Quiet = false;
  for (size_t I = 0; I < Words.size(); ++I) {
    StringRef Word = Words[I];
    if (Word == "--help" || Word == "-h") {
      llvm::outs() << Help;
      return 0;
    }
    if (Word == "--quiet") {
      Quiet = true;
    } else if (Word == "--output" && I + 1 < Words.size()) {
      Output = Words[++I];
    } else if (Word.consume_front("--output=")) {
      Output = Word.str();
    } else if (Word.starts_with("-")) {
      return fail("merge: unknown option '" + Word +
                  "'; see tensortidy merge --help");
    } else {
      Files.push_back(Word.str());
    }
  }
  if (Output && Output->empty())
    return fail("merge: --output needs a file");
  if (Output == "-")
    Output.reset();
  if (Files.empty())
    return fail("merge what? tensortidy merge FILE.sarif...");
  Merger All;
  for (const std::string &File : Files) {
    // Of a former merge: what is gone would come back.
    if (Output && fs::equivalent(File, *Output))
      return fail("merge: '" + *Output +
                  "' is to be written, and is one of those to be merged");
    if (llvm::Error E = All.add(File))
      return fail(llvm::toString(std::move(E)));
  }
  All.finish();
  const int Status = All.status();
  if (Output)
    All.print(llvm::outs());
  llvm::outs().flush();
  All.printProblems(llvm::errs());
  if (!Quiet)
    llvm::errs() << All.summary() << '\n';
  const std::string Text = All.take();
  if (!Output)
    llvm::outs() << Text;
  else if (llvm::Error E = writeOutput(*Output, Text))
    return fail(llvm::toString(std::move(E)));
  llvm::outs().flush();
  if (!llvm::outs().has_error())
    return Status;
  const std::string Why = llvm::outs().error().message();
  llvm::outs().clear_error(); // which would end us again, at exit
  return fail("cannot write to standard output: " + Why);
}

} // namespace tensortidy::tool
