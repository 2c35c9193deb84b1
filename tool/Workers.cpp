//===- Workers.cpp - run jobs in child processes --------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Workers.h"
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace tensortidy::tool {

namespace {

using Clock = std::chrono::steady_clock;

struct Child {
  unsigned Job;
  pid_t Pid;
  int Out, Err; ///< ends to read from; -1 when closed
  Clock::time_point Deadline;
  Outcome Result;
};

void writeAll(int Fd, const std::string &Bytes) {
  size_t Done = 0;
  while (Done < Bytes.size()) {
    ssize_t N = write(Fd, Bytes.data() + Done, Bytes.size() - Done);
    if (N < 0 && errno != EINTR)
      return;
    Done += N > 0 ? N : 0;
  }
}

/// Reads what there is; false at the end.
bool readSome(int Fd, std::string &Into) {
  char Buffer[1 << 16];
  ssize_t N = read(Fd, Buffer, sizeof Buffer);
  if (N > 0)
    Into.append(Buffer, N);
  return N > 0 || (N < 0 && (errno == EINTR || errno == EAGAIN));
}

class Pool {
public:
  explicit Pool(const Work &W) : W(W) {}

  void run() {
    while (Reported < W.Count) {
      while (Next < W.Count && Children.size() < std::max(1u, W.AtOnce))
        start(Next++);
      if (!Children.empty())
        wait();
      while (!Finished.empty() && Finished.begin()->first == Reported) {
        W.Done(Reported, Finished.begin()->second);
        Finished.erase(Finished.begin());
        ++Reported;
      }
    }
  }

private:
  void start(unsigned Job) {
    if (W.Started)
      W.Started(Job);
    int Out[2], Err[2];
    if (pipe(Out) != 0)
      return failed(Job);
    if (pipe(Err) != 0) {
      close(Out[0]);
      close(Out[1]);
      return failed(Job);
    }
    fflush(nullptr);
    pid_t Pid = fork();
    if (Pid == 0) {
      close(Out[0]);
      close(Err[0]);
      dup2(Err[1], STDERR_FILENO);
      writeAll(Out[1], W.Run(Job));
      // No destructors: nobody waits for a syntax tree to be taken down.
      _exit(0);
    }
    close(Out[1]);
    close(Err[1]);
    if (Pid < 0) {
      close(Out[0]);
      close(Err[0]);
      return failed(Job);
    }
    auto Deadline = W.Timeout ? Clock::now() + std::chrono::seconds(W.Timeout)
                              : Clock::time_point::max();
    Children.push_back({Job, Pid, Out[0], Err[0], Deadline, {}});
  }

  void failed(unsigned Job) {
    Outcome O;
    O.How = Outcome::NotStarted;
    O.Stderr = std::strerror(errno);
    Finished[Job] = std::move(O);
  }

  /// Waits until some child has said or done something.
  void wait() {
    std::vector<pollfd> Fds;
    for (const Child &C : Children)
      for (int Fd : {C.Out, C.Err})
        if (Fd >= 0)
          Fds.push_back({Fd, POLLIN, 0});
    poll(Fds.data(), Fds.size(), 200);

    for (Child &C : Children) {
      for (const pollfd &P : Fds) {
        if (!P.revents)
          continue;
        if (P.fd == C.Out && !readSome(C.Out, C.Result.Output))
          closeEnd(C.Out);
        if (P.fd == C.Err && !readSome(C.Err, C.Result.Stderr))
          closeEnd(C.Err);
      }
      if (C.Out >= 0 && Clock::now() > C.Deadline) {
        kill(C.Pid, SIGKILL);
        C.Result.How = Outcome::TimedOut;
        closeEnd(C.Out);
        closeEnd(C.Err);
      }
    }
    for (size_t I = 0; I < Children.size();) {
      Child &C = Children[I];
      if (C.Out >= 0 || C.Err >= 0) {
        ++I;
        continue;
      }
      int Status = 0;
      while (waitpid(C.Pid, &Status, 0) < 0 && errno == EINTR)
        ;
      if (C.Result.How == Outcome::Finished) {
        bool Signal = WIFSIGNALED(Status);
        C.Result.Status = Signal ? WTERMSIG(Status) : WEXITSTATUS(Status);
        if (Signal || C.Result.Status != 0)
          C.Result.How = Outcome::Crashed;
      }
      Finished[C.Job] = std::move(C.Result);
      Children.erase(Children.begin() + I);
    }
  }

  static void closeEnd(int &Fd) {
    if (Fd >= 0)
      close(Fd);
    Fd = -1;
  }

  const Work &W;
  unsigned Next = 0, Reported = 0;
  std::vector<Child> Children;
  std::map<unsigned, Outcome> Finished;
};

} // namespace

void runAll(const Work &W) { Pool(W).run(); }

} // namespace tensortidy::tool
