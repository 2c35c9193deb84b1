//===- Folder.h - a folder of pages, replaced as a whole --------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
//   report/                         what a former run has written, or nothing
//   .tensortidy-XXXXXX/             is filled, and swapped with it when whole
//     .tensortidy-report            the names of all files: they are ours
//     index.html ...
//
// A folder with any file that such a list does not name is not ours, and
// is neither changed nor removed.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_OUTPUT_FOLDER_H
#define TENSORTIDY_TOOL_OUTPUT_FOLDER_H

#include "Replace.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <set>
#include <string>

namespace tensortidy::tool {

/// Why \p Dir cannot be written, before there is anything to write.
llvm::Error checkFolder(llvm::StringRef Dir);

class PageFolder {
public:
  explicit PageFolder(llvm::StringRef Dir) : Given(Dir.str()) {}
  /// What is not committed is removed.
  ~PageFolder();
  PageFolder(const PageFolder &) = delete;
  PageFolder &operator=(const PageFolder &) = delete;

  llvm::Error begin();
  /// \p Name is relative, with slashes, of at most one folder.
  llvm::Error add(llvm::StringRef Name, llvm::StringRef Text);
  llvm::Error commit();

private:
  llvm::Error put(llvm::StringRef Name, llvm::StringRef Text) const;
  llvm::Error replace();

  std::string Given;     ///< as the user calls it
  std::string Path;      ///< without symbolic links
  std::string Temporary; ///< empty: none is there
  std::set<std::string> Names;
  CriticalSection Section;
};

} // namespace tensortidy::tool

#endif
