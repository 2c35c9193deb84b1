//===- Replace.h - replace a file, whole or not at all ----------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// How the text of a file is changed so that every other program sees either the
// old text or the new one, whatever happens on the way:
//
//   begin()    lock the file, read it       a second run waits here
//   prepare()  write .tensortidy-*.tmp      beside it, with its mode and owner,
//              and flush that to the disk   all errors known before any harm
//   commit()   swap the two names           if what the swap took away is not
//                                           what was read, swap back
//   finish()   remove the old text
//
// The lock is the kernel's on the file itself (flock), so that nothing is left
// of it when a run is killed. A temporary may be; its name starts with a dot,
// ends in .tmp and says by a hash which file it belongs to, and the next run
// that changes the file removes it.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_REPLACE_H
#define TENSORTIDY_TOOL_REPLACE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace tensortidy::tool {

/// Why a file is not written, to be read after its name: "is read-only".
struct Refusal : llvm::ErrorInfo<Refusal> {
  static char ID;
  std::string Why, Advice;

  Refusal(std::string Why, std::string Advice = "")
      : Why(std::move(Why)), Advice(std::move(Advice)) {}
  static llvm::Error changed();

  void log(llvm::raw_ostream &OS) const override { OS << Why; }
  std::error_code convertToErrorCode() const override;
};

/// Says the \p E that has kept a file from being written.
std::string refusalMessage(llvm::StringRef File, llvm::Error E);

/// While one exists, a write past a limit on sizes is an error and not the end
/// of the program, and who asks it to end waits until files are whole.
class CriticalSection {
public:
  CriticalSection();
  ~CriticalSection();
  CriticalSection(const CriticalSection &) = delete;
  CriticalSection &operator=(const CriticalSection &) = delete;

private:
  struct State;
  std::unique_ptr<State> Before;
};

class FileUpdate {
public:
  /// Locks the file at \p RealPath, which has no symbolic links in it.
  static llvm::Expected<std::unique_ptr<FileUpdate>>
  begin(llvm::StringRef RealPath);
  /// What is not finished is undone.
  ~FileUpdate();
  FileUpdate(const FileUpdate &) = delete;
  FileUpdate &operator=(const FileUpdate &) = delete;

  /// The text when it was locked.
  const std::string &text() const { return Old; }

  llvm::Error prepare(llvm::StringRef New);
  llvm::Error commit();
  /// Puts the old text back, where the file system can.
  void undo();
  void finish();

private:
  explicit FileUpdate(llvm::StringRef Path) : Path(Path) {}

  llvm::Error lock();
  void removeLeftovers() const;
  bool isStill(const std::string &Name, int Fd) const;
  void keepAttributes() const;

  std::string Path, Temporary, Old;
  int Locked = -1, Written = -1;
  enum { Nothing, Prepared, Swapped, Renamed } Done = Nothing;
};

/// Exchanges two names at once, where the file system can.
bool swapNames(const std::string &A, const std::string &B);

/// Writes an output file of ours, whole or not at all. What is no regular file
/// (/dev/stdout, a pipe) is written to as it is.
llvm::Error writeOutput(llvm::StringRef Path, llvm::StringRef Text);

} // namespace tensortidy::tool

#endif
