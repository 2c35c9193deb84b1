//===- Watch.cpp - do something again when files are saved ----------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Watch.h"
#include "Bytes.h"
#include "Interrupts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <poll.h>
#include <sys/wait.h>
#include <tuple>
#include <unistd.h>

namespace tensortidy::tool {

namespace {

using Stamp = std::tuple<int64_t, uint64_t, uint64_t>;

/// When a file was written, how large it is, and which one; zeros: it is gone,
/// as some editors make it for a moment.
std::vector<Stamp> stampsOf(const std::vector<std::string> &Files) {
  std::vector<Stamp> Stamps;
  for (const std::string &File : Files) {
    llvm::sys::fs::file_status S;
    if (llvm::sys::fs::status(File, S))
      Stamps.emplace_back();
    else
      Stamps.emplace_back(
          S.getLastModificationTime().time_since_epoch().count(), S.getSize(),
          S.getUniqueID().getFile());
  }
  return Stamps;
}

/// Adds to \p Now what of \p Files is missing, such as a source between two
/// branches: it is linted when it is back.
void keepMissing(const std::vector<std::string> &Files,
                 std::vector<std::string> &Now) {
  for (const std::string &File : Files)
    if (!llvm::sys::fs::exists(File) && !llvm::is_contained(Now, File))
      Now.push_back(File);
}

template <class Bytes, class Run> void transferRun(Bytes &B, Run &&Answer) {
  transferList(B, Answer.Files, [&](auto &File) { B.item(File); });
  transferList(B, Answer.Said, [&](auto &Digest) { B.item(Digest); });
}

void sleepMilliseconds(int Time) { poll(nullptr, 0, Time); }

} // namespace

int watchFiles(bool Quiet,
               const std::function<WatchedRun(const WatchedRun *Last)> &Run) {
  std::vector<std::string> Files;
  WatchedRun Last;
  for (bool IsFirst = true;; IsFirst = false) {
    // Of what is saved while it runs.
    std::vector<Stamp> Before = stampsOf(Files);
    int Ends[2];
    if (pipe(Ends) != 0)
      return 2;
    llvm::outs().flush();
    const pid_t Parent = getpid(), Child = fork();
    if (Child < 0)
      return 2;
    if (Child == 0) {
      close(Ends[0]);
      Writer W;
      transferRun(W, Run(IsFirst ? nullptr : &Last));
      llvm::outs().flush();
      if (getppid() != Parent)
        _exit(0);
      llvm::raw_fd_ostream(Ends[1], /*shouldClose=*/true) << W.Bytes;
      _exit(0);
    }
    close(Ends[1]);
    std::string Bytes;
    char Buffer[1 << 16];
    for (ssize_t N; (N = read(Ends[0], Buffer, sizeof Buffer)) > 0 ||
                    (N < 0 && errno == EINTR);)
      Bytes.append(Buffer, N > 0 ? N : 0);
    close(Ends[0]);
    int Status = 0;
    while (waitpid(Child, &Status, 0) < 0 && errno == EINTR)
      ;
    if (WIFSIGNALED(Status))
      dieOf(WTERMSIG(Status));
    Reader R;
    R.Bytes = Bytes;
    Last = {};
    transferRun(R, Last);
    std::vector<std::string> Now = Last.Files;
    // One that could not begin at all has read nothing.
    if (Now.empty() && Files.empty())
      return 2;
    if (!Now.empty())
      keepMissing(Files, Now);
    if (!Now.empty() && Now != Files) {
      // Those that are new are as they were read.
      llvm::StringMap<Stamp> Known;
      for (const auto &[File, Stamp] : llvm::zip(Files, Before))
        Known[File] = Stamp;
      Files = std::move(Now);
      Before = stampsOf(Files);
      for (const auto &[File, Stamp] : llvm::zip(Files, Before))
        if (auto It = Known.find(File); It != Known.end())
          Stamp = It->second;
    }
    if (!Quiet)
      llvm::errs() << "tensortidy: watching " << Files.size()
                   << (Files.size() == 1 ? " file\n" : " files\n");
    while (stampsOf(Files) == Before)
      sleepMilliseconds(200);
    // What is being written, or moved there, is waited for.
    for (auto Last = stampsOf(Files); sleepMilliseconds(100), true;) {
      auto Next = stampsOf(Files);
      if (Next == Last)
        break;
      Last = std::move(Next);
    }
  }
}

} // namespace tensortidy::tool
