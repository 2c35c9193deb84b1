//===- Config.cpp - the options of a file ---------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Config.h"
#include "Analysis/Finding.h"
#include "clang-tidy/GlobList.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace clang::tidy;
using llvm::StringRef;

namespace tensortidy::tool {

namespace {

llvm::Error problem(const llvm::Twine &Text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), Text);
}

/// Calls \p Each with every glob of a comma- or line-separated list.
template <class Fn> void forEachGlob(StringRef List, Fn Each) {
  while (!List.empty()) {
    size_t End = List.find_first_of(",\n");
    StringRef Glob = List.take_front(End).trim();
    List = End == StringRef::npos ? StringRef() : List.drop_front(End + 1);
    if (!Glob.empty())
      Each(Glob);
  }
}

bool namesTensor(StringRef Glob) { return Glob.contains("tensor-"); }

/// The part of a configuration's checks that is about ours.
std::string tensorGlobs(StringRef List) {
  std::string Out;
  forEachGlob(List, [&](StringRef Glob) {
    if (namesTensor(Glob))
      Out += (Out.empty() ? "" : ",") + Glob.str();
  });
  return Out;
}

/// All of ours are on unless the user began by naming those he wants.
bool startsFromAll(StringRef List) {
  bool All = true, First = true;
  forEachGlob(List, [&](StringRef Glob) {
    if (First)
      All = Glob.starts_with("-") && Glob != "-*";
    First = false;
  });
  return All;
}

/// Parses a configuration; a mistake is written as `file:line:column: what`.
llvm::ErrorOr<ClangTidyOptions> parse(llvm::MemoryBufferRef Buffer,
                                      std::vector<std::string> &Problems) {
  bool Reported = false;
  llvm::ErrorOr<ClangTidyOptions> Options =
      parseConfigurationWithDiags(Buffer, [&](const llvm::SMDiagnostic &D) {
        if (D.getKind() != llvm::SourceMgr::DK_Error || Reported)
          return;
        Reported = true;
        std::string Where = Buffer.getBufferIdentifier().str();
        if (D.getLineNo() > 0)
          Where += ":" + std::to_string(D.getLineNo()) + ":" +
                   std::to_string(D.getColumnNo() + 1);
        Problems.push_back(Where + ": " + D.getMessage().str());
      });
  if (!Options && !Reported)
    Problems.push_back(Buffer.getBufferIdentifier().str() + ": " +
                       Options.getError().message());
  return Options;
}

} // namespace

ConfigProvider::ConfigProvider(ClangTidyGlobalOptions Global,
                               ClangTidyOptions Overrides)
    : FileOptionsBaseProvider(
          std::move(Global), ClangTidyOptions::getDefaults(),
          std::move(Overrides), llvm::vfs::getRealFileSystem()) {
  ConfigHandlers = {{".clang-tidy", [this](llvm::MemoryBufferRef Buffer) {
                       return parse(Buffer, Problems);
                     }}};
}

llvm::Expected<std::unique_ptr<ConfigProvider>>
ConfigProvider::create(const ConfigRequest &Request) {
  ClangTidyGlobalOptions Global;
  if (std::error_code Why = parseLineFilter(Request.LineFilter, Global))
    return problem("cannot read --line-filter: " + Why.message());
  std::unique_ptr<ConfigProvider> P(
      new ConfigProvider(std::move(Global), Request.Overrides));
  P->Checks = Request.Checks;

  if (Request.Config && Request.ConfigFile)
    return problem("--config and --config-file exclude each other");
  std::string Text, Name = "--config";
  if (Request.Config) {
    Text = *Request.Config;
  } else if (Request.ConfigFile) {
    Name = *Request.ConfigFile;
    auto Buffer = llvm::MemoryBuffer::getFile(Name);
    if (!Buffer)
      return problem("cannot read '" + Name +
                     "': " + Buffer.getError().message());
    Text = (*Buffer)->getBuffer().str();
  }
  // As in clang-tidy, an empty --config means none.
  if (!Text.empty()) {
    auto Options = parse(llvm::MemoryBufferRef(Text, Name), P->Problems);
    if (!Options)
      return problem(P->Problems.back());
    P->Given = *Options;
  }
  return P;
}

std::vector<ClangTidyOptionsProvider::OptionsSource>
ConfigProvider::getRawOptions(StringRef FileName) {
  std::vector<OptionsSource> Sources =
      DefaultOptionsProvider::getRawOptions(FileName);
  size_t FirstFile = Sources.size();
  if (!Given || Given->InheritParentConfig.value_or(false)) {
    llvm::SmallString<256> Path(FileName);
    if (!FS->makeAbsolute(Path)) {
      llvm::sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
      addRawFileOptions(Path, Sources);
    }
  }
  if (Given)
    Sources.emplace_back(*Given, OptionsSourceTypeConfigCommandLineOption);

  std::string All;
  for (size_t I = FirstFile; I < Sources.size(); ++I)
    if (std::optional<std::string> &Globs = Sources[I].first.Checks) {
      *Globs = tensorGlobs(*Globs);
      if (Globs->empty())
        Globs.reset();
      else
        All += (All.empty() ? "" : ",") + *Globs;
    }
  if (Checks)
    All += (All.empty() ? "" : ",") + *Checks;

  ClangTidyOptions Base;
  Base.Checks = startsFromAll(All) ? "tensor-*" : "";
  // The default differs between releases of clang-tidy; ours does not.
  Base.HeaderFilterRegex = "";
  Sources.insert(Sources.begin() + FirstFile,
                 OptionsSource(Base, "tensortidy"));
  ClangTidyOptions Last = OverrideOptions;
  Last.Checks = Checks;
  bool Others = false;
  forEachGlob(Checks.value_or(""), [&](StringRef Glob) {
    Others |= !Glob.starts_with("-") && !namesTensor(Glob);
  });
  if (Others) // clang-tidy would run the static analyzer for "*"
    *Last.Checks += ",-clang-analyzer-*";
  Sources.emplace_back(Last, OptionsSourceTypeCheckCommandLineOption);
  return Sources;
}

std::string unknownChecks(StringRef Checks) {
  std::string Unknown;
  forEachGlob(Checks, [&](StringRef Glob) {
    Glob.consume_front("-");
    GlobList Matcher(Glob);
    bool Known = false;
    for (const analysis::CheckInfo &C : analysis::checks())
      Known |= Matcher.contains(C.Name);
    // Other people's checks may be named: a list is shared with clang-tidy.
    if (!Known && (namesTensor(Glob) || !Glob.contains('-')))
      Unknown += (Unknown.empty() ? "'" : ", '") + Glob.str() + "'";
  });
  if (Unknown.empty())
    return "";
  Unknown = "no check is called " + Unknown + "; there are:";
  for (const analysis::CheckInfo &C : analysis::checks())
    Unknown += "\n  " + std::string(C.Name);
  return Unknown;
}

} // namespace tensortidy::tool
