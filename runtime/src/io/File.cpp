//===- File.cpp - whole files ---------------------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "io/File.h"
#include "tensortidy/types.h"
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

namespace tensortidy::detail {

InFile::InFile(const std::string &Name)
    : Name(Name), F(std::fopen(Name.c_str(), "rb")) {
  if (!F)
    throw Error("cannot read " + Name + ": " + std::strerror(errno));
  const long End = fseeko(F, 0, SEEK_END) == 0 ? ftello(F) : -1;
  if (End < 0 || fseeko(F, 0, SEEK_SET) != 0) {
    std::fclose(F);
    throw Error("cannot read " + Name + ": not a regular file");
  }
  Size = static_cast<uint64_t>(End);
}
InFile::~InFile() { std::fclose(F); }
void InFile::seek(uint64_t To) {
  if (To > Size || fseeko(F, static_cast<off_t>(To), SEEK_SET) != 0)
    throw Error(Name + ": there is no byte " + std::to_string(To));
  At = To;
}
void InFile::read(void *To, uint64_t Bytes) {
  if (Bytes > left())
    throw Error(Name + " is cut short: " + std::to_string(Bytes) +
                " bytes expected at byte " + std::to_string(At) +
                ", the file has " + std::to_string(Size));
  if (Bytes && std::fread(To, 1, Bytes, F) != Bytes)
    throw Error("cannot read " + Name + ": " + std::strerror(errno));
  At += Bytes;
}

static std::string besideName(const std::string &Name) {
  static std::atomic<unsigned> Count{0};
  return Name + "." + std::to_string(getpid()) + "-" + std::to_string(Count++) +
         ".part";
}

OutFile::OutFile(const std::string &Given) : Name(Given), F(nullptr) {
  // A link stays one: what it names is written.
  if (char *Real = realpath(Given.c_str(), nullptr)) {
    Name = Real;
    std::free(Real);
  }
  struct stat Is;
  const bool IsStream = stat(Name.c_str(), &Is) == 0 && !S_ISREG(Is.st_mode) &&
                        !S_ISDIR(Is.st_mode);
  if (!IsStream)
    Beside = besideName(Name);
  F = IsStream ? std::fopen(Name.c_str(), "wb")
               : std::fopen(Beside.c_str(), "wbx");
  if (!F)
    fail("cannot write ");
}
OutFile::~OutFile() {
  if (!F)
    return;
  std::fclose(F);
  if (!Beside.empty())
    std::remove(Beside.c_str());
}
void OutFile::fail(const char *What) const {
  throw Error(What + Name + ": " + std::strerror(errno));
}
void OutFile::write(const void *From, size_t Bytes) {
  if (Bytes && std::fwrite(From, 1, Bytes, F) != Bytes)
    fail("cannot write ");
}
void OutFile::commit() {
  std::FILE *Done = F;
  F = nullptr;
  const bool Ok =
      std::fclose(Done) == 0 &&
      (Beside.empty() || std::rename(Beside.c_str(), Name.c_str()) == 0);
  if (Ok)
    return;
  const int Why = errno;
  if (!Beside.empty())
    std::remove(Beside.c_str());
  errno = Why;
  fail("cannot write ");
}

} // namespace tensortidy::detail
