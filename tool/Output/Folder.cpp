//===- Folder.cpp - a folder of pages, replaced as a whole ----------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Output/Folder.h"
#include "Output/Project.h"
#include "StringError.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <cstdio>
#include <cstdlib>
#include <sys/stat.h>

using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace tensortidy::tool {

namespace {

constexpr StringRef ListName = ".tensortidy-report";
constexpr StringRef ListHead = "tensortidy report 1";

llvm::Error cannot(StringRef Dir, const llvm::Twine &Why) {
  return stringError("cannot write the report '" + Dir + "': " + Why);
}

/// Without links and without a slash at its end.
std::string realFolder(StringRef Dir) {
  const std::string Absolute = absolutePath(Dir);
  llvm::SmallString<256> Real;
  if (!fs::real_path(Absolute, Real))
    return Real.str().str();
  return StringRef(Absolute).rtrim('/').str();
}

/// The names that the list in \p Dir has.
std::set<std::string> listIn(StringRef Dir) {
  llvm::SmallString<256> File(Dir);
  path::append(File, ListName);
  auto Buffer = llvm::MemoryBuffer::getFile(File, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/true,
                                            /*IsVolatile=*/true);
  std::set<std::string> Names;
  if (!Buffer)
    return Names;
  auto [First, Rest] = (*Buffer)->getBuffer().split('\n');
  if (First != ListHead)
    return Names;
  Names.insert(ListName.str());
  llvm::SmallVector<StringRef> Lines;
  Rest.split(Lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef Line : Lines)
    Names.insert(Line.str());
  return Names;
}

/// A file in \p Dir that its list does not name, or nothing.
std::string foreignIn(StringRef Dir) {
  const std::set<std::string> Ours = listIn(Dir);
  std::set<std::string> Others;
  std::error_code Error;
  for (fs::recursive_directory_iterator It(Dir, Error, /*FollowLinks=*/false),
       End;
       !Error && It != End; It.increment(Error)) {
    if (It->type() == fs::file_type::directory_file)
      continue;
    StringRef Name = It->path();
    Name.consume_front(Dir);
    const std::string Relative = Name.ltrim('/').str();
    if (!Ours.count(Relative))
      Others.insert(Relative);
  }
  if (Error)
    return Error.message();
  return Others.empty() ? "" : *Others.begin();
}

} // namespace

llvm::Error checkFolder(StringRef Dir) {
  const std::string Path = realFolder(Dir);
  StringRef Folder = path::parent_path(Path);
  if (Folder.empty())
    return cannot(Dir, "it is no folder for a report");
  if (!fs::is_directory(Folder))
    return cannot(Dir, "there is no folder '" + Folder + "'");
  if (std::error_code Error = fs::access(Folder, fs::AccessMode::Write))
    return cannot(Dir, "in its folder, " + Error.message());
  if (!fs::exists(Path))
    return llvm::Error::success();
  if (!fs::is_directory(Path))
    return cannot(Dir, "it is no folder");
  if (fs::equivalent(Path, "."))
    return cannot(Dir, "it is the working directory, which would be replaced");
  if (std::string Name = foreignIn(Path); !Name.empty())
    return cannot(Dir, "it has files that are no report's, such as '" + Name +
                           "'; name a folder that is empty or not there yet");
  return llvm::Error::success();
}

PageFolder::~PageFolder() {
  if (!Temporary.empty())
    fs::remove_directories(Temporary);
}

llvm::Error PageFolder::begin() {
  if (llvm::Error E = checkFolder(Given))
    return E;
  Path = realFolder(Given);
  llvm::SmallString<256> Model(path::parent_path(Path));
  path::append(Model, ".tensortidy-XXXXXX");
  std::string Name = Model.str().str();
  if (!mkdtemp(Name.data()))
    return cannot(Given, llvm::sys::StrError());
  Temporary = std::move(Name);
  return llvm::Error::success();
}

llvm::Error PageFolder::put(StringRef Name, StringRef Text) const {
  llvm::SmallString<256> File(Temporary);
  path::append(File, Name);
  std::error_code Error =
      fs::create_directories(path::parent_path(File), /*IgnoreExisting=*/true,
                             fs::all_all); // whoever serves them may read
  if (Error)
    return cannot(Given, Error.message());
  llvm::raw_fd_ostream OS(File, Error, fs::CD_CreateNew);
  if (!Error) {
    OS << Text;
    OS.close();
    Error = OS.error();
    OS.clear_error(); // which would end us at exit
  }
  return Error ? cannot(Given, Error.message()) : llvm::Error::success();
}

llvm::Error PageFolder::add(StringRef Name, StringRef Text) {
  return Names.insert(Name.str()).second ? put(Name, Text)
                                         : llvm::Error::success();
}

llvm::Error PageFolder::commit() {
  std::string List = ListHead.str() + "\n";
  for (const std::string &Name : Names)
    List += Name + "\n";
  if (llvm::Error E = put(ListName, List))
    return E;
  // mkdtemp() has made it for our eyes only.
  const mode_t Mask = umask(0);
  umask(Mask);
  if (chmod(Temporary.c_str(), 0777 & ~Mask) != 0)
    return cannot(Given, llvm::sys::StrError());
  return replace();
}

llvm::Error PageFolder::replace() {
  if (!fs::exists(Path)) {
    if (std::rename(Temporary.c_str(), Path.c_str()) != 0)
      return cannot(Given, llvm::sys::StrError());
    Temporary.clear();
    return llvm::Error::success();
  }
  if (swapNames(Temporary, Path)) {
    std::string Name = foreignIn(Temporary); // the old one, by now
    if (Name.empty())
      return llvm::Error::success();
    swapNames(Temporary, Path);
    return cannot(Given, "'" + Name + "' has come there in the meantime");
  }
  // A file system that cannot swap: for an instant there is none.
  const std::string Old = Temporary + ".old";
  if (std::rename(Path.c_str(), Old.c_str()) != 0)
    return cannot(Given, llvm::sys::StrError());
  if (std::rename(Temporary.c_str(), Path.c_str()) != 0) {
    const int Number = errno;
    std::rename(Old.c_str(), Path.c_str());
    return cannot(Given, llvm::sys::StrError(Number));
  }
  Temporary = Old;
  return llvm::Error::success();
}

} // namespace tensortidy::tool
