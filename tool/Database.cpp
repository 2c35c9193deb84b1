//===- Database.cpp - find the compile commands of a file -----------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Database.h"
#include "clang/Tooling/JSONCompilationDatabase.h"
#include "llvm/ADT/StringSwitch.h"
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

bool isHeader(StringRef File) {
  StringRef Extension = llvm::sys::path::extension(File);
  return Extension.starts_with(".h") || Extension == ".cuh" ||
         Extension == ".inl";
}

bool isSource(StringRef File) {
  return llvm::StringSwitch<bool>(llvm::sys::path::extension(File))
      .Case(".cpp", true)
      .Case(".cc", true)
      .Case(".cxx", true)
      .Case(".c++", true)
      .Case(".C", true)
      .Case(".cu", true)
      .Case(".mm", true)
      .Default(false);
}

llvm::Expected<std::unique_ptr<CompilationDatabase>>
readJson(const std::string &Path) {
  std::string Why;
  std::unique_ptr<CompilationDatabase> DB =
      JSONCompilationDatabase::loadFromFile(Path, Why,
                                            JSONCommandLineSyntax::AutoDetect);
  if (!DB)
    return problem("cannot read the compile database '" + Path +
                   "': " + StringRef(Why).trim());
  // A header, or a file made since the build was configured, gets the command
  // of the source most like it.
  return inferMissingCompileCommands(
      expandResponseFiles(std::move(DB), llvm::vfs::getRealFileSystem()));
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
    std::string Why;
    std::unique_ptr<CompilationDatabase> DB =
        FixedCompilationDatabase::loadFromFile(Flags, Why);
    if (!DB)
      return problem("cannot read '" + Flags + "': " + StringRef(Why).trim());
    return DB;
  }
  return nullptr;
}

std::string absolutePath(StringRef File) {
  llvm::SmallString<256> Path(File);
  llvm::sys::fs::make_absolute(Path);
  llvm::sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return Path.str().str();
}

} // namespace

// As system headers, as its CMake package has them, so that they are not
// linted.
std::vector<std::string> torchFlags() {
  std::vector<std::string> Roots;
  if (const char *Root = std::getenv("LIBTORCH"))
    Roots.push_back(std::string(Root) + "/include");
  Roots.insert(Roots.end(),
               {"/usr/include", "/usr/local/include", "/opt/libtorch/include"});
  for (const std::string &Root : Roots) {
    std::string Api = Root + "/torch/csrc/api/include";
    if (!llvm::sys::fs::exists(Api + "/torch/torch.h"))
      continue;
    std::vector<std::string> Flags = {"-isystem", Api};
    // The compiler looks in the first two by itself, and moving them to
    // another place in the order breaks #include_next.
    if (Root != "/usr/include" && Root != "/usr/local/include")
      Flags.insert(Flags.end(), {"-isystem", Root});
    return Flags;
  }
  return {};
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
    }
    if (It->second)
      return covers(*It->second, File) ? It->second.get() : nullptr;
  }
  return nullptr;
}

llvm::Expected<std::vector<Commands::Command>>
Commands::of(const std::string &File, std::string &Note) {
  std::string Path = absolutePath(File);
  CompilationDatabase *DB = Explicit.get();
  if (!DB) {
    auto Near = above(Path);
    if (!Near)
      return Near.takeError();
    DB = *Near;
  }
  if (DB) {
    std::vector<Command> Found = DB->getCompileCommands(Path);
    if (Found.empty())
      return problem("no compile command for '" + File + "'");
    return Found;
  }

  std::vector<std::string> Flags = {"-std=c++17"};
  std::vector<std::string> Torch = torchFlags();
  Flags.insert(Flags.end(), Torch.begin(), Torch.end());
  Note = "no compile command for '" + File + "': parsed with -std=c++17" +
         (Torch.empty() ? "" : " and libtorch's headers") +
         "; give -p BUILD_DIR, or flags after --";
  llvm::SmallString<256> Cwd;
  llvm::sys::fs::current_path(Cwd);
  return FixedCompilationDatabase(Cwd, Flags).getCompileCommands(Path);
}

} // namespace tensortidy::tool
