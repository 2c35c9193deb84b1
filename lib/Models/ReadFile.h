//===- ReadFile.h - read a file that anybody may have written ---*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Configurations, models and compile databases come with the sources, and those
// may be untrusted. LLVM's YAML parser calls itself for each level of
// nesting, and opening a pipe waits for its other end:
//
//   path -> a regular file, not too large -> text -> nested a few levels
//             else: an error of one line               else: the same
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_MODELS_READFILE_H
#define TENSORTIDY_MODELS_READFILE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <string>
#include <vector>

namespace tensortidy::models {

/// No configuration or model that a person wrote comes near it.
constexpr uint64_t MostBytesOfConfig = 1 << 20;
/// Of a file that a build system wrote: a database has 1 to 5 KiB a source.
constexpr uint64_t MostBytesOfDatabase = 1 << 30;

/// The text of the regular file \p Path, of at most \p MostBytes bytes. It is a
/// copy: another program may shorten the file meanwhile. \p What stands before
/// its name in messages: "the model ".
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readRegularFile(llvm::StringRef Path, llvm::vfs::FileSystem &FS,
                uint64_t MostBytes = MostBytesOfConfig,
                llvm::StringRef What = "");

/// An error when \p Text, which is YAML or JSON, is larger than \p MostBytes or
/// nests deeper than a parser should follow. What else may be wrong with it is
/// left to its parser; \p Mistake takes the first thing, with line and column.
llvm::Error checkYaml(llvm::StringRef Text, llvm::StringRef Name,
                      uint64_t MostBytes = MostBytesOfConfig,
                      std::string *Mistake = nullptr);

/// Puts what the files named `@FILE` hold in the place of those words. A name
/// counts from \p Directory, or from the working directory when it is empty.
llvm::Error readResponseFiles(std::vector<std::string> &Words,
                              llvm::StringRef Directory);

} // namespace tensortidy::models

#endif
