//===- Project.h - how outputs name files -----------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Who reads an output has the project in another folder, on a server, say:
//
//   /home/me/model/.git/
//   /home/me/model/src/graph.cpp      src/graph.cpp
//   /usr/include/ATen/ATen.h          /usr/include/ATen/ATen.h
//
// One rule for all of them, baselines included: relative to the top of the git
// work tree that has the working directory, or else, if the first file of the
// run is in another one, to that; without git, to the working directory.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_OUTPUT_PROJECT_H
#define TENSORTIDY_TOOL_OUTPUT_PROJECT_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace tensortidy::tool {

/// \p Path from the root of the file system, without `.` and `..`.
std::string absolutePath(llvm::StringRef Path);

class Project {
public:
  /// The project of a run whose first file is \p File.
  explicit Project(llvm::StringRef File);

  const std::string &root() const { return Root; }

  /// The name of the file at \p Path, as the analysis in \p Directory meant it.
  std::string name(llvm::StringRef Path, llvm::StringRef Directory = "") const;

  /// Where the file that is called \p Name is.
  std::string path(llvm::StringRef Name) const;

private:
  std::string Root; ///< without symbolic links and without a slash at its end
};

} // namespace tensortidy::tool

#endif
