//===- Workers.cpp - run jobs in child processes --------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Workers.h"
#include "Interrupts.h"
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
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
  explicit Pool(const Work &W) : W(W), Limit(std::max(1u, W.AtOnce)) {
    // Without it a child only notices the end of its parent when it writes.
    if (pipe(Lifeline) != 0)
      Lifeline[0] = Lifeline[1] = -1;
  }
  Pool(const Pool &) = delete;
  Pool &operator=(const Pool &) = delete;
  ~Pool() {
    closeEnd(Lifeline[0]);
    closeEnd(Lifeline[1]);
  }

  int run() {
    while (Reported < W.Count) {
      if (!startSome() && !Children.empty())
        wait();
      if (Interrupts::signal())
        break;
      for (; Finished.count(Reported); ++Reported)
        if (!report(Reported)) {
          stop();
          return Interrupts::signal();
        }
      W.Waiting();
    }
    stop();
    while (!Finished.empty() && report(Finished.begin()->first))
      ;
    return Interrupts::signal();
  }

private:
  /// True when a job is done already, so that there is nothing to wait for.
  bool startSome() {
    for (; Next < W.Count; ++Next) {
      if (auto Output = W.Known(Next)) {
        Outcome O;
        O.Output = std::move(*Output);
        W.Started(Next);
        Finished[Next] = std::move(O);
        W.Ended(Next++);
        return true;
      }
      Pending.push_back(Next);
    }
    if (!std::exchange(IsPlanned, true))
      Pending = W.Plan(std::move(Pending));
    while (!Pending.empty() && Children.size() < Limit && hasMemory()) {
      auto It = std::find_if(Pending.begin(), Pending.end(), W.Ready);
      if (It == Pending.end()) {
        if (!Children.empty())
          return false;
        It = Pending.begin(); // what it needs will never be there
      }
      const unsigned Job = *It;
      const bool WantsToken = W.Tokens && !Children.empty();
      if (WantsToken && !W.Tokens->take())
        return false;
      if (start(Job)) {
        Pending.erase(It);
        Refusals = 0;
        continue;
      }
      if (WantsToken)
        W.Tokens->giveBack();
      if (!Children.empty()) {
        // The system has no room for more: so many it is from now on.
        Limit = Children.size();
      } else if (++Refusals < 20) {
        poll(nullptr, 0, 100);
        return false; // to see whether we are interrupted
      } else {
        Outcome O;
        O.How = Outcome::NotStarted;
        O.Stderr = std::strerror(errno);
        Pending.erase(It);
        finish(Job, std::move(O));
      }
    }
    return false;
  }

  /// Whether one more child would find room beside what the others are going to
  /// need.
  bool hasMemory() const {
    if (Children.empty())
      return true;
    const std::optional<uint64_t> Free = availableMemory();
    if (!Free)
      return true;
    uint64_t Needed = LargestChild;
    for (const Child &C : Children)
      Needed += LargestChild - std::min(LargestChild, residentMemory(C.Pid));
    return Needed <= *Free;
  }

  /// False, with errno, when the system has no process or no pipe to give.
  bool start(unsigned Job) {
    int Out[2] = {-1, -1}, Err[2] = {-1, -1};
    pid_t Pid = -1;
    const pid_t Parent = getpid();
    if (pipe(Out) == 0 && pipe(Err) == 0) {
      fflush(nullptr);
      Pid = fork();
    }
    if (Pid == 0) {
      closeEnd(Lifeline[1]);
      followParent(Parent, Lifeline[0]);
      for (Child &C : Children) {
        closeEnd(C.Out);
        closeEnd(C.Err);
      }
      close(Out[0]);
      close(Err[0]);
      dup2(Err[1], STDERR_FILENO);
      writeAll(Out[1], W.Run(Job));
      // No destructors: nobody waits for a syntax tree to be taken down.
      _exit(0);
    }
    const int Why = errno;
    closeEnd(Out[1]);
    closeEnd(Err[1]);
    if (Pid < 0) {
      closeEnd(Out[0]);
      closeEnd(Err[0]);
      errno = Why;
      return false;
    }
    auto Deadline = W.Timeout ? Clock::now() + std::chrono::seconds(W.Timeout)
                              : Clock::time_point::max();
    Children.push_back({Job, Pid, Out[0], Err[0], Deadline, {}});
    W.Started(Job);
    return true;
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
      reap(C);
      ended(C);
      Children.erase(Children.begin() + static_cast<long>(I));
    }
  }

  /// Ends the children that still run. One that has come to its end keeps what
  /// it has said.
  void stop() {
    for (const Child &C : Children)
      kill(C.Pid, SIGKILL);
    for (Child &C : Children) {
      reap(C);
      while (C.Out >= 0 && readSome(C.Out, C.Result.Output))
        ;
      while (C.Err >= 0 && readSome(C.Err, C.Result.Stderr))
        ;
      closeEnd(C.Out);
      closeEnd(C.Err);
      if (C.Result.How == Outcome::Finished)
        ended(C);
    }
    Children.clear();
  }

  void reap(Child &C) {
    int Status = 0;
    rusage Used = {};
    while (wait4(C.Pid, &Status, 0, &Used) < 0 && errno == EINTR)
      ;
    LargestChild =
        std::max(LargestChild, static_cast<uint64_t>(Used.ru_maxrss) << 10);
    if (W.Tokens)
      W.Tokens->giveBack();
    if (C.Result.How != Outcome::Finished)
      return;
    bool Signal = WIFSIGNALED(Status);
    C.Result.Status = Signal ? WTERMSIG(Status) : WEXITSTATUS(Status);
    if (Signal || C.Result.Status != 0)
      C.Result.How = Outcome::Crashed;
  }

  void ended(Child &C) {
    if (W.Again(C.Job, C.Result))
      Pending.insert(Pending.begin(), C.Job);
    else
      finish(C.Job, std::move(C.Result));
  }

  void finish(unsigned Job, Outcome O) {
    if (Job < W.Count)
      Finished[Job] = std::move(O);
    W.Ended(Job);
  }

  bool report(unsigned Job) {
    auto It = Finished.find(Job);
    Outcome O = std::move(It->second);
    Finished.erase(It);
    return W.Done(Job, O);
  }

  static void closeEnd(int &Fd) {
    if (Fd >= 0)
      close(Fd);
    Fd = -1;
  }

  const Work &W;
  size_t Limit; ///< of children at once
  unsigned Next = 0, Reported = 0;
  std::vector<unsigned> Pending; ///< not started, in order
  bool IsPlanned = false;
  unsigned Refusals = 0; ///< of the system to start even one
  /// What a child takes: as a file with libtorch's headers does, or more.
  uint64_t LargestChild = uint64_t(700) << 20;
  int Lifeline[2]; ///< nothing is written to it: its end is the message
  std::vector<Child> Children;
  std::map<unsigned, Outcome> Finished; ///< and not reported yet
};

} // namespace

int runAll(const Work &W) {
  Interrupts Watch;
  return Pool(W).run();
}

} // namespace tensortidy::tool
