//===- Project.cpp - how outputs name files -------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Output/Project.h"
#include "Sources.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace tensortidy::tool {

std::string absolutePath(StringRef Path) {
  llvm::SmallString<256> Absolute(Path);
  fs::make_absolute(Absolute);
  path::remove_dots(Absolute, /*remove_dot_dot=*/true);
  return Absolute.str().str();
}

/// \p Path without the folder \p Root, or nothing when it is elsewhere.
static std::string below(StringRef Root, StringRef Path) {
  if (Root != "/" && (!Path.consume_front(Root) || !Path.starts_with("/")))
    return "";
  return Path.drop_front().str();
}

/// The top of the git work tree that has the folder \p Dir, or nothing.
static std::string workTree(StringRef Dir) {
  for (; !Dir.empty(); Dir = path::parent_path(Dir)) {
    llvm::SmallString<256> Git(Dir); // a file, in a linked work tree
    path::append(Git, ".git");
    if (fs::exists(Git))
      return Dir.str();
  }
  return "";
}

Project::Project(StringRef File) : Root(realPath(absolutePath("."), "")) {
  const std::string Real = realPath(absolutePath(File), "");
  std::string Tree = workTree(Root);
  if (Tree.empty() || below(Tree, Real).empty())
    Tree = workTree(path::parent_path(Real));
  if (!Tree.empty())
    Root = Tree;
}

std::string Project::name(StringRef Path, StringRef Directory) const {
  const std::string Absolute = absolutePath(pathIn(Path, Directory));
  const std::string Real = realPath(Absolute, "");
  std::string Name = below(Root, Real);
  if (Name.empty()) // a link in the project to what is elsewhere
    Name = below(Root, Absolute);
  return Name.empty() ? Real : Name;
}

std::string Project::path(StringRef Name) const { return pathIn(Name, Root); }

} // namespace tensortidy::tool
