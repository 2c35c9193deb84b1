//===- Config.cpp - the options of a file ---------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Config.h"
#include "Analysis/Facts/Finding.h"
#include "Models/ReadFile.h"
#include "Tidy/Compat.h"
#include "Tidy/Tidy.h"
#include "clang-tidy/GlobList.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"
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
  if (llvm::Error E =
          models::checkYaml(Buffer.getBuffer(), Buffer.getBufferIdentifier())) {
    Problems.push_back(llvm::toString(std::move(E)));
    return std::make_error_code(std::errc::invalid_argument);
  }
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

//===----------------------------------------------------------------------===//
// What has no effect
//===----------------------------------------------------------------------===//

/// The options that are no check's own.
constexpr llvm::StringLiteral SharedOptions[] = {
    tidy::ModelOption, tidy::AssertionsOption, tidy::DisregardOption};

const std::vector<std::string> &checkNames() {
  static const auto *Names = [] {
    auto *All = new std::vector<std::string>;
    for (const analysis::CheckInfo &C : analysis::checks())
      All->emplace_back(C.Name);
    return All;
  }();
  return *Names;
}

const analysis::OptionInfo *findOption(StringRef Name) {
  auto [Check, Option] = Name.split('.');
  for (const analysis::OptionInfo &O : analysis::options())
    if (Option == O.Name && Check == checkNames()[static_cast<size_t>(O.Id)])
      return &O;
  return nullptr;
}

std::vector<std::string> optionNames() {
  std::vector<std::string> All(std::begin(SharedOptions),
                               std::end(SharedOptions));
  for (const analysis::OptionInfo &O : analysis::options())
    All.push_back(checkNames()[static_cast<size_t>(O.Id)] + "." + O.Name);
  return All;
}

/// "; did you mean 'x'", or nothing.
std::string nearest(StringRef Word, const std::vector<std::string> &Names) {
  unsigned Best = 4;
  StringRef Nearest;
  for (const std::string &Name : Names) {
    unsigned Distance = Word.edit_distance_insensitive(Name, true, Best);
    if (Distance < Best) {
      Best = Distance;
      Nearest = Name;
    }
  }
  return Nearest.empty() ? "" : ("; did you mean '" + Nearest + "'").str();
}

/// Whether a check that we have matches; a wildcard may match several.
bool matchesCheck(StringRef Glob) {
  GlobList Matcher(Glob);
  return llvm::any_of(checkNames(), [&](const std::string &Name) {
    return Matcher.contains(Name);
  });
}

void mistakesOfChecks(StringRef List, std::vector<std::string> &Out) {
  forEachGlob(List, [&](StringRef Glob) {
    Glob.consume_front("-");
    if (!namesTensor(Glob) || matchesCheck(Glob))
      return;
    if (Glob.contains('*'))
      Out.push_back(
          ("check glob '" + Glob + "' doesn't match any known check").str());
    else
      Out.push_back("unknown check '" + Glob.str() + "'" +
                    nearest(Glob, checkNames()));
  });
}

void mistakesOfOption(StringRef Name, StringRef Value,
                      std::vector<std::string> &Out) {
  if (!Name.starts_with("tensor-") && !Name.starts_with("tensortidy."))
    return; // of other people's checks
  if (llvm::is_contained(SharedOptions, Name))
    return; // whoever uses the value says what is wrong with it
  const analysis::OptionInfo *O = findOption(Name);
  if (!O) {
    Out.push_back("unknown check option '" + Name.str() + "'" +
                  nearest(Name, optionNames()));
    return;
  }
  const char *Expected = nullptr;
  const StringRef Default = O->Default;
  unsigned Number = 0;
  if (Default == "true" || Default == "false") {
    if (!llvm::is_contained({"true", "false", "0", "1"}, Value.lower()))
      Expected = "a bool";
  } else if (Value.getAsInteger(10, Number) || Number > 2) {
    Expected = "0, 1 or 2";
  }
  if (Expected)
    Out.push_back(("invalid configuration value '" + Value + "' for option '" +
                   Name + "'; expected " + Expected)
                      .str());
}

void mistakesOfFilter(StringRef Key, const std::optional<std::string> &Given,
                      std::vector<std::string> &Out) {
  std::string Why;
  if (Given && !Given->empty() && !llvm::Regex(*Given).isValid(Why))
    Out.push_back(("invalid " + Key + " '" + *Given + "': " + Why).str());
}

} // namespace

ConfigProvider::ConfigProvider(ClangTidyGlobalOptions Global,
                               ClangTidyOptions Overrides)
    : FileOptionsBaseProvider(
          std::move(Global), ClangTidyOptions::getDefaults(),
          std::move(Overrides), llvm::vfs::getRealFileSystem()) {
  ConfigHandlers = {{".clang-tidy", [this](llvm::MemoryBufferRef Buffer) {
                       auto Options = parse(Buffer, Problems);
                       // What is wrong is known here, and said once.
                       return Options ? Options : ClangTidyOptions();
                     }}};
}

llvm::Expected<std::unique_ptr<ConfigProvider>>
ConfigProvider::create(const ConfigRequest &Request) {
  ClangTidyGlobalOptions Global;
  if (llvm::Error E = models::checkYaml(Request.LineFilter, "--line-filter"))
    return E;
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
    auto Buffer =
        models::readRegularFile(Name, *llvm::vfs::getRealFileSystem());
    if (!Buffer)
      return Buffer.takeError();
    Text = (*Buffer)->getBuffer().str();
  }
  // As in clang-tidy, an empty --config means none.
  if (!Text.empty()) {
    auto Options = parse(llvm::MemoryBufferRef(Text, Name), P->Problems);
    if (!Options)
      return problem(P->Problems.back());
    P->Given = *Options;
    P->GivenName = Name;
  }
  return P;
}

std::vector<ClangTidyOptionsProvider::OptionsSource>
ConfigProvider::sources(StringRef FileName) {
  std::vector<OptionsSource> Sources =
      DefaultOptionsProvider::getRawOptions(FileName);
  if (!Given || Given->InheritParentConfig.value_or(false)) {
    llvm::SmallString<256> Path(FileName);
    if (!FS->makeAbsolute(Path)) {
      llvm::sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
      refuseOthers(Path);
      addRawFileOptions(Path, Sources);
    }
  }
  if (Given)
    Sources.emplace_back(*Given, OptionsSourceTypeConfigCommandLineOption);
  return Sources;
}

std::vector<std::string> ConfigProvider::files(StringRef FileName) {
  std::vector<std::string> Paths;
  for (OptionsSource &Source : sources(FileName))
    Paths.push_back(std::move(Source.second)); // "clang-tidy binary", too
  return Paths;
}

void ConfigProvider::refuseOthers(StringRef Path) {
  // clang-tidy passes over what is no file, and looks further up.
  for (StringRef Dir = llvm::sys::path::parent_path(Path); !Dir.empty();
       Dir = llvm::sys::path::parent_path(Dir)) {
    llvm::SmallString<256> File(Dir);
    llvm::sys::path::append(File, ".clang-tidy");
    auto Status = FS->status(File);
    if (!Status)
      continue;
    if (Status->isRegularFile())
      return;
    Problems.push_back(
        ("cannot read '" + File + "': it is not a regular file").str());
  }
}

std::vector<ConfigMistake> ConfigProvider::mistakes(StringRef FileName) {
  std::vector<ConfigMistake> All;
  std::vector<OptionsSource> Sources = sources(FileName);
  for (size_t I = 1; I < Sources.size(); ++I) { // the first are the defaults
    const ClangTidyOptions &O = Sources[I].first;
    std::vector<std::string> Texts;
    for (const auto *Globs : {&O.Checks, &O.WarningsAsErrors})
      if (*Globs)
        mistakesOfChecks(**Globs, Texts);
    mistakesOfFilter("HeaderFilterRegex", O.HeaderFilterRegex, Texts);
    mistakesOfFilter("ExcludeHeaderFilterRegex", compat::excludedHeaders(O),
                     Texts);
    std::vector<std::string> Names;
    for (const auto &Option : O.CheckOptions)
      Names.push_back(Option.getKey().str());
    llvm::sort(Names);
    for (const std::string &Name : Names)
      mistakesOfOption(Name, O.CheckOptions.find(Name)->second.Value, Texts);
    const bool IsGiven =
        Sources[I].second == OptionsSourceTypeConfigCommandLineOption;
    for (std::string &Text : Texts)
      All.push_back({IsGiven ? GivenName : Sources[I].second, std::move(Text)});
  }
  return All;
}

std::vector<ClangTidyOptionsProvider::OptionsSource>
ConfigProvider::getRawOptions(StringRef FileName) {
  std::vector<OptionsSource> Sources = sources(FileName);
  const size_t FirstFile = 1; // behind clang-tidy's own defaults
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
    // Other people's checks may be named: a list is shared with clang-tidy.
    if (!matchesCheck(Glob) && (namesTensor(Glob) || !Glob.contains('-')))
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
