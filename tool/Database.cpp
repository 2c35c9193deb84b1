//===- Database.cpp - find the compile commands of a file -----------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Database.h"
#include "Models/ReadFile.h"
#include "SourceKind.h"
#include "clang/Tooling/ArgumentsAdjusters.h"
#include "clang/Tooling/JSONCompilationDatabase.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace clang::tooling;
using llvm::StringRef;

namespace tensortidy::tool {

namespace {

llvm::Error problem(const llvm::Twine &Text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), Text);
}

/// The commands of a compile_commands.json, each once, by absolute path:
/// a relative directory counts from where the database is.
class Listed : public CompilationDatabase {
public:
  Listed(const CompilationDatabase &Given, StringRef Folder) {
    for (CompileCommand &Command : Given.getAllCompileCommands()) {
      Command.Directory = absolutePath(Command.Directory, Folder);
      Command.Filename = absolutePath(Command.Filename, Command.Directory);
      std::vector<CompileCommand> &Of = ByFile[Command.Filename];
      if (llvm::none_of(Of, [&](const CompileCommand &Other) {
            return saysTheSame(Command, Other);
          }))
        Of.push_back(std::move(Command));
    }
  }

  std::vector<CompileCommand>
  getCompileCommands(StringRef File) const override {
    auto It = ByFile.find(File.str());
    if (It == ByFile.end()) // perhaps by way of a link
      It = llvm::find_if(ByFile, [&](const auto &Entry) {
        return llvm::sys::path::filename(Entry.first) ==
                   llvm::sys::path::filename(File) &&
               llvm::sys::fs::equivalent(Entry.first, File);
      });
    return It == ByFile.end() ? std::vector<CompileCommand>() : It->second;
  }

  std::vector<std::string> getAllFiles() const override {
    std::vector<std::string> All;
    for (const auto &Entry : ByFile)
      All.push_back(Entry.first);
    return All;
  }

  std::vector<CompileCommand> getAllCompileCommands() const override {
    std::vector<CompileCommand> All;
    for (const auto &Entry : ByFile)
      All.insert(All.end(), Entry.second.begin(), Entry.second.end());
    return All;
  }

private:
  /// Where the object file goes makes no difference.
  static bool saysTheSame(const CompileCommand &A, const CompileCommand &B) {
    static const ArgumentsAdjuster Strip = combineAdjusters(
        getClangStripOutputAdjuster(), getClangStripDependencyFileAdjuster());
    return A.Directory == B.Directory &&
           Strip(A.CommandLine, A.Filename) == Strip(B.CommandLine, B.Filename);
  }

  std::map<std::string, std::vector<CompileCommand>> ByFile;
};

llvm::Expected<std::unique_ptr<CompilationDatabase>>
readJson(const std::string &Path) {
  llvm::vfs::FileSystem &FS = *llvm::vfs::getRealFileSystem();
  auto Buffer = models::readRegularFile(Path, FS, models::MostBytesOfDatabase,
                                        "the compile database ");
  if (!Buffer)
    return Buffer.takeError();
  const StringRef Text = (*Buffer)->getBuffer();
  std::string Why;
  if (llvm::Error E =
          models::checkYaml(Text, Path, models::MostBytesOfDatabase, &Why))
    return E;
  std::unique_ptr<CompilationDatabase> DB;
  if (Why.empty())
    DB = JSONCompilationDatabase::loadFromBuffer(
        Text, Why, JSONCommandLineSyntax::AutoDetect);
  if (!DB)
    return problem("cannot read the compile database '" + Path +
                   "': " + StringRef(Why).trim());
  const std::string Folder =
      llvm::sys::path::parent_path(absolutePath(Path)).str();
  auto All = std::make_unique<Listed>(*DB, Folder);
  // A header, or a file made since the build was configured, gets the command
  // of the source most like it.
  return inferMissingCompileCommands(std::move(All));
}

/// Whether \p DB has flags meant for \p File. A guess from another file's is
/// wanted with -p, or for a header; for a source that merely stands below some
/// build it gives the flags of a stranger.
bool covers(const CompilationDatabase &DB, const std::string &File) {
  std::vector<std::string> Listed = DB.getAllFiles();
  if (Listed.empty() || isHeader(File)) // compile_flags.txt lists none
    return true;
  return llvm::any_of(Listed, [&](const std::string &Other) {
    return File == Other || (llvm::sys::path::filename(File) ==
                                 llvm::sys::path::filename(Other) &&
                             llvm::sys::fs::equivalent(File, Other));
  });
}

/// The database in \p Dir; null when there is none.
llvm::Expected<std::unique_ptr<CompilationDatabase>>
readDirectory(const llvm::Twine &Dir) {
  std::string Json = (Dir + "/compile_commands.json").str();
  if (llvm::sys::fs::exists(Json))
    return readJson(Json);
  std::string Flags = (Dir + "/compile_flags.txt").str();
  if (llvm::sys::fs::exists(Flags)) {
    auto Buffer =
        models::readRegularFile(Flags, *llvm::vfs::getRealFileSystem());
    if (!Buffer)
      return Buffer.takeError();
    std::string Why;
    std::unique_ptr<CompilationDatabase> DB =
        FixedCompilationDatabase::loadFromBuffer(absolutePath(Dir.str()),
                                                 (*Buffer)->getBuffer(), Why);
    if (!DB)
      return problem("cannot read '" + Flags + "': " + StringRef(Why).trim());
    return DB;
  }
  return nullptr;
}

} // namespace

std::string absentMessage(StringRef Whose, StringRef Absent) {
  return ("the compile commands of '" + Whose + "' name '" + Absent +
          "', which does not exist here; they were written on another machine "
          "or before something was moved: run cmake again here")
      .str();
}

llvm::Error Commands::use(const std::string &Dir) {
  llvm::Expected<std::unique_ptr<CompilationDatabase>> DB = nullptr;
  if (!llvm::sys::fs::exists(Dir))
    return problem("no such build directory: '" + Dir + "'");
  if (llvm::sys::fs::is_directory(Dir))
    DB = readDirectory(Dir);
  else
    DB = readJson(Dir);
  if (!DB)
    return DB.takeError();
  if (!*DB)
    return problem("there is no compile_commands.json in '" + Dir +
                   "'; cmake writes one with "
                   "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON");
  Explicit = std::move(*DB);
  FromDirectory = true;
  return llvm::Error::success();
}

std::vector<std::string> Commands::sources() const {
  std::vector<std::string> Files;
  if (!FromDirectory)
    return Files;
  for (const std::string &File : Explicit->getAllFiles())
    if (isSource(File))
      Files.push_back(File);
  llvm::sort(Files);
  Files.erase(std::unique(Files.begin(), Files.end()), Files.end());
  return Files;
}

llvm::Expected<CompilationDatabase *> Commands::above(const std::string &File) {
  for (StringRef Dir = llvm::sys::path::parent_path(File); !Dir.empty();
       Dir = llvm::sys::path::parent_path(Dir)) {
    auto [It, New] = Found.try_emplace(Dir.str());
    if (New) {
      auto DB = readDirectory(Dir);
      if (DB && !*DB) {
        std::string Json = Dir.str() + "/build/compile_commands.json";
        if (llvm::sys::fs::exists(Json))
          DB = readJson(Json);
      }
      if (!DB) {
        Found.erase(It);
        return DB.takeError();
      }
      It->second = std::move(*DB);
      // It may list the file, by a path that is not to be found here.
      if (It->second)
        if (std::vector<Command> All = It->second->getAllCompileCommands();
            !All.empty() && llvm::none_of(All, [](const Command &C) {
              return llvm::sys::fs::is_directory(C.Directory);
            })) {
          std::string Absent = All.front().Directory;
          Found.erase(It);
          return problem(absentMessage(Dir, Absent));
        }
    }
    if (It->second)
      return covers(*It->second, File) ? It->second.get() : nullptr;
  }
  return nullptr;
}

const TorchSetup &Commands::torch() {
  if (!Torch)
    Torch = llvm::cantFail(findTorch(""));
  return *Torch;
}

llvm::Error Commands::useTorch(const std::string &Dir) {
  auto Found = findTorch(Dir);
  if (!Found)
    return Found.takeError();
  Torch = std::move(*Found);
  GivenTorch = true;
  return llvm::Error::success();
}

/// The flags of a file of which nobody has said how to compile it.
std::vector<std::string> Commands::sensibleFlags(StringRef File,
                                                 std::string &Note) {
  std::vector<std::string> Flags;
  std::string With;
  if (!isC(File) && torch().Torch) {
    Flags = torch().Flags;
    With = " and " + describe(*torch().Torch);
    UsesTorch = true;
  } else {
    Flags = {isC(File) ? "-std=c17" : "-std=c++17"};
  }
  if (!GivenTorch)
    Note = "no compile command for '" + File.str() + "': parsed with " +
           Flags[0] + With + "; give -p BUILD_DIR, or flags after --";
  return Flags;
}

llvm::Expected<std::vector<Commands::Command>>
Commands::of(const std::string &File, std::string &Note) {
  std::string Path = absolutePath(File);
  llvm::SmallString<256> Cwd;
  llvm::sys::fs::current_path(Cwd);
  CompilationDatabase *DB = Explicit.get();
  std::vector<Command> Found;
  if (AfterDashes) {
    Found = {Command(Cwd, Path, commandAfterDashes(*AfterDashes, Path), "")};
  } else if (!DB && !GivenTorch) {
    auto Near = above(Path);
    if (!Near)
      return Near.takeError();
    DB = *Near;
  }
  if (DB) {
    Found = DB->getCompileCommands(Path);
    if (Found.empty())
      return problem("no compile command for '" + File + "'");
  } else if (!AfterDashes) {
    Found = FixedCompilationDatabase(Cwd, sensibleFlags(Path, Note))
                .getCompileCommands(Path);
  }
  for (Command &C : Found) {
    // Of a directory of another machine the caller says so.
    if (!llvm::sys::fs::is_directory(C.Directory))
      continue;
    if (llvm::Error E = models::readResponseFiles(C.CommandLine, C.Directory))
      return problem("the compile command of '" + File +
                     "' cannot be read: " + llvm::toString(std::move(E)));
  }
  return Found;
}

} // namespace tensortidy::tool
