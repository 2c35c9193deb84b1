//===- Accesses.h - what an analysis asked of the disk ----------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The result of a file is the same as long as the disk gives the same answers:
//
//   text      /src/net.cpp            a hash of what it holds
//   text      /src/torch/torch.h      nothing: it is not there. Were it there,
//                                     it would be included in place of the next
//   text      /usr/include/torch/...  a hash
//   status    /src                    a directory
//   listing   /usr/lib/gcc/x86_64     a hash of the names in it
//
// Answers are noted when they are given: what changes while it is analysed is
// noted as it was then, or makes the accesses unstable.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_ACCESSES_H
#define TENSORTIDY_TOOL_ACCESSES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem/UniqueID.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <chrono>
#include <map>
#include <string>
#include <vector>

namespace tensortidy::tool {

enum class Question : uint8_t {
  Status,  ///< of what kind it is
  Stamp,   ///< the same, with size and time, which precompiled headers name
  Text,    ///< what it holds
  Listing, ///< the names in it
  RealPath ///< without symbolic links
};

/// What the disk says, or why it says nothing.
struct Answer {
  std::string Bytes;
  llvm::sys::fs::UniqueID Id; ///< of a text's file, unset otherwise

  static Answer of(Question Q, const llvm::vfs::Status &S);
  static Answer failed(std::error_code Why);
  static Answer
  ofText(const llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> &Text,
         const llvm::ErrorOr<llvm::vfs::Status> &S);
  static Answer ofNames(std::vector<std::string> Names);
};

struct Access {
  Question Asked = Question::Status;
  std::string Path; ///< absolute
  std::string Said;
  /// The first of the texts that is the same file: clang includes a file with
  /// `#pragma once` once, under whatever names.
  uint32_t Twin = 0;
};

/// A short name for \p Bytes: two that differ have different ones.
std::string hashOf(llvm::StringRef Bytes);

/// All that one analysis asks.
class Accesses {
public:
  void note(Question Q, const std::string &Path, const Answer &A);
  /// What was asked of \p Path made no difference.
  void forget(const std::string &Path);
  /// It reads a precompiled header, which asks for other files' times.
  void readsPrecompiled() { Precompiled = true; }
  /// It reads a pipe, say, whose text is gone with that.
  void cannotBeAsked() { Unstable = true; }
  /// Whether one question got two answers, or has one only once.
  bool unstable() const { return Unstable; }
  /// By path.
  std::vector<Access> list() const;

private:
  std::map<std::pair<std::string, Question>, Answer> Known;
  bool Precompiled = false, Unstable = false;
};

/// The files of \p Asked that are there, and were read.
std::vector<std::string> filesOf(llvm::ArrayRef<Access> Asked);

/// Asks the disk again. Many files of a run ask the same: what it has said is
/// good for some seconds.
class Disk {
public:
  /// Whether each question still gets its answer.
  bool saysAll(llvm::ArrayRef<Access> Asked);

private:
  const Answer &ask(Question Q, llvm::StringRef Path);

  using Clock = std::chrono::steady_clock;
  llvm::StringMap<Answer> Known[5]; ///< by question and path
  Clock::time_point Since = Clock::now();
};

} // namespace tensortidy::tool

#endif
