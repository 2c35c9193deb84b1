//===- File.h - whole files -------------------------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reading in pieces that are known to exist, and writing so that the file is
// either the old one or the new one, never a part.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_RUNTIME_FILE_H
#define TENSORTIDY_RUNTIME_FILE_H

#include <cstdint>
#include <cstdio>
#include <string>

namespace tensortidy::detail {

/// A file being read. Throws Error with the file's name.
class InFile {
public:
  explicit InFile(const std::string &Name);
  ~InFile();
  InFile(const InFile &) = delete;
  InFile &operator=(const InFile &) = delete;
  uint64_t size() const { return Size; }
  uint64_t at() const { return At; }
  uint64_t left() const { return Size - At; }
  const std::string &name() const { return Name; }
  void seek(uint64_t To);
  void read(void *To, uint64_t Bytes);

private:
  std::string Name;
  std::FILE *F;
  uint64_t Size = 0, At = 0;
};

/// A file being written beside its place; commit() puts it there. Without, it
/// vanishes. A device or a pipe, as /dev/stderr, is written as it is.
class OutFile {
public:
  explicit OutFile(const std::string &Given);
  ~OutFile();
  OutFile(const OutFile &) = delete;
  OutFile &operator=(const OutFile &) = delete;
  void write(const void *From, size_t Bytes);
  void write(const std::string &Text) { write(Text.data(), Text.size()); }
  void commit();

private:
  [[noreturn]] void fail(const char *What) const;
  std::string Name, Beside; ///< Beside is empty for a device or a pipe
  std::FILE *F;
};

} // namespace tensortidy::detail

#endif
