//===- Archive.h - zip archives ---------------------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What .npz files and saved tensors lie in: entries, stored or deflated, found
// by a directory at the end. Every number read is checked before it is used.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_RUNTIME_ARCHIVE_H
#define TENSORTIDY_RUNTIME_ARCHIVE_H

#include "io/File.h"
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tensortidy::detail {

/// Little-endian numbers.
inline void putNumber(std::string &To, uint64_t V, int Bytes) {
  for (int I = 0; I < Bytes; ++I)
    To += static_cast<char>(V >> (8 * I) & 0xff);
}
inline uint64_t getNumber(std::string_view From, size_t At, int Bytes) {
  uint64_t V = 0;
  for (int I = Bytes; I-- > 0;)
    V = V << 8 | static_cast<unsigned char>(From[At + static_cast<size_t>(I)]);
  return V;
}

struct ArchiveEntry {
  std::string Name;
  unsigned Flags, Method;
  uint32_t Crc;
  uint64_t Packed, Size, Offset;
};

/// An archive in a file, or in memory. Throws Error with its name.
class ArchiveReader {
public:
  explicit ArchiveReader(InFile &F);
  ArchiveReader(std::string Name, std::string_view Data);
  const std::vector<ArchiveEntry> &entries() const { return Entries; }
  std::string contents(const ArchiveEntry &E) const;
  const std::string &name() const { return Name; }

private:
  void readDirectory();
  [[noreturn]] void damaged(const std::string &What) const;
  std::string Name;
  uint64_t Size;
  std::function<void(uint64_t At, void *To, uint64_t Bytes)> Read;
  std::vector<ArchiveEntry> Entries;
};

/// Hands an archive of at most 4 GiB to \p Out, piece by piece.
class ArchiveWriter {
public:
  static constexpr size_t Most = 0xfffe; ///< entries
  using Sink = std::function<void(std::string_view)>;
  explicit ArchiveWriter(Sink Out) : Out(std::move(Out)) {}
  /// The two parts as one entry; false when it does not fit.
  bool add(const std::string &Name, std::string_view Head,
           std::string_view Data, bool Compressed = false);
  void end();

private:
  Sink Out;
  std::string Directory;
  uint64_t Offset = 0, Count = 0;
};

} // namespace tensortidy::detail

#endif
