//===- Machine.cpp - how much of the machine a run may use ----------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Threading.h"
#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using llvm::StringRef;

namespace tensortidy::tool {

/// Files of the system have no size before they are read.
static std::string textOf(const std::string &Path) {
  auto Buffer = llvm::MemoryBuffer::getFileAsStream(Path);
  return Buffer ? (*Buffer)->getBuffer().str() : "";
}

static std::optional<uint64_t> number(StringRef Text) {
  uint64_t Value = 0;
  if (Text.trim().getAsInteger(10, Value)) // "max": none
    return std::nullopt;
  return Value;
}

unsigned usableCores(const std::string &Root) {
  unsigned Cores =
      std::max(1U, llvm::hardware_concurrency().compute_thread_count());
  const std::string Text = textOf(Root + "/sys/fs/cgroup/cpu.max");
  const auto [Quota, Period] = StringRef(Text).trim().split(' ');
  if (const auto Q = number(Quota), P = number(Period); Q && P && *P)
    Cores = std::min<uint64_t>(Cores, std::max<uint64_t>(1, *Q / *P));
  return Cores;
}

std::optional<uint64_t> availableMemory(const std::string &Root) {
  std::optional<uint64_t> Free;
  const std::string Info = textOf(Root + "/proc/meminfo");
  llvm::SmallVector<StringRef, 64> Lines;
  StringRef(Info).split(Lines, '\n');
  for (StringRef Line : Lines)
    if (Line.consume_front("MemAvailable:") && Line.consume_back("kB"))
      if (const auto Kilobytes = number(Line))
        Free = *Kilobytes << 10;
  const std::string Group = Root + "/sys/fs/cgroup/memory.";
  const auto Most = number(textOf(Group + "max"));
  const auto Used = number(textOf(Group + "current"));
  if (!Most || !Used)
    return Free;
  // What is only there to be faster goes when room is needed.
  uint64_t Cached = 0;
  Lines.clear();
  const std::string Stat = textOf(Group + "stat");
  StringRef(Stat).split(Lines, '\n');
  for (StringRef Line : Lines)
    if (Line.consume_front("inactive_file "))
      Cached = number(Line).value_or(0);
  const uint64_t InUse = *Used - std::min(*Used, Cached);
  const uint64_t Here = *Most - std::min(*Most, InUse);
  return Free ? std::min(*Free, Here) : Here;
}

uint64_t residentMemory(pid_t Process) {
  const std::string Text =
      textOf("/proc/" + std::to_string(Process) + "/statm");
  const StringRef Pages = StringRef(Text).split(' ').second.split(' ').first;
  return number(Pages).value_or(0) *
         static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

/// The numbers may belong to other files where a make did not hand them down.
static bool isPipe(int Fd) {
  struct stat S;
  return Fd >= 0 && fstat(Fd, &S) == 0 && S_ISFIFO(S.st_mode);
}

JobServer::JobServer(StringRef Flags) {
  // The last one counts; what stands behind `--` are variables.
  StringRef Where;
  llvm::SmallVector<StringRef, 8> Words;
  Flags.split(Words, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef Word : Words) {
    if (Word == "--")
      break;
    if (Word.consume_front("--jobserver-auth=") ||
        Word.consume_front("--jobserver-fds="))
      Where = Word;
  }
  if (Where.empty())
    return;
  IsThere = true;
  if (Where.consume_front("fifo:")) {
    // For both, so that there is always somebody who writes.
    In = Out = open(Where.str().c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (In >= 0 && !isPipe(In)) {
      close(In);
      In = Out = -1;
    }
    return;
  }
  int Reads = -1, Writes = -1;
  const auto [First, Second] = Where.split(',');
  if (First.getAsInteger(10, Reads) || Second.getAsInteger(10, Writes) ||
      !isPipe(Reads) || !isPipe(Writes))
    return;
  // Opened again: whether reads of it wait is a matter of all that have it.
  In = open(("/proc/self/fd/" + std::to_string(Reads)).c_str(),
            O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (In >= 0)
    Out = fcntl(Writes, F_DUPFD_CLOEXEC, 0);
}

JobServer::~JobServer() {
  while (!Taken.empty())
    giveBack();
  if (In >= 0)
    close(In);
  if (Out >= 0 && Out != In)
    close(Out);
}

bool JobServer::take() {
  char Token = 0;
  if (In < 0 || Out < 0 || read(In, &Token, 1) != 1)
    return false;
  Taken.push_back(Token);
  return true;
}

void JobServer::giveBack() {
  if (Taken.empty())
    return;
  while (write(Out, &Taken.back(), 1) < 0 &&
         (errno == EINTR || errno == EAGAIN))
    ;
  Taken.pop_back();
}

} // namespace tensortidy::tool
