//===- Interrupts.cpp - signals that end a run ----------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interrupts.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Signals.h"
#include <cerrno>
#include <csignal>
#include <ctime>
#include <iterator>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#else
#include <pthread.h>
#endif

namespace tensortidy::tool {

namespace {

constexpr int Ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

/// So long the parent may take to print what it has; a pipe that nobody reads
/// would keep it for ever.
constexpr unsigned SecondsToPrint = 3;

struct sigaction Before[std::size(Ending)];
volatile std::sig_atomic_t Caught = 0;
timespec CaughtAt;

double secondsSince(const timespec &Then) {
  timespec Now;
  clock_gettime(CLOCK_MONOTONIC, &Now);
  return static_cast<double>(Now.tv_sec - Then.tv_sec) +
         static_cast<double>(Now.tv_nsec - Then.tv_nsec) / 1e9;
}

// Handlers: only what signal-safety(7) allows.
extern "C" {
static void obey(int) {
  std::signal(Caught, SIG_DFL);
  std::raise(Caught);
}

static void note(int Signal) {
  const int Errno = errno;
  // timeout(1) sends a signal twice at once; a user who means it takes longer.
  if (Caught && secondsSince(CaughtAt) > 0.2)
    obey(Signal);
  if (!Caught) {
    Caught = Signal;
    clock_gettime(CLOCK_MONOTONIC, &CaughtAt);
    alarm(SecondsToPrint);
  }
  errno = Errno;
}
}

bool isIgnored(int Signal) {
  struct sigaction Action;
  return sigaction(Signal, nullptr, &Action) == 0 &&
         Action.sa_handler == SIG_IGN;
}

} // namespace

void handleCrashes(const char *Argv0) {
  bool Ignored[std::size(Ending)];
  for (size_t I = 0; I < std::size(Ending); ++I)
    Ignored[I] = isIgnored(Ending[I]);
  llvm::sys::PrintStackTraceOnErrorSignal(Argv0);
  for (size_t I = 0; I < std::size(Ending); ++I)
    if (Ignored[I])
      std::signal(Ending[I], SIG_IGN);
}

Interrupts::Interrupts() {
  struct sigaction Action = {};
  sigemptyset(&Action.sa_mask);
  Action.sa_flags = SA_RESTART;
  Action.sa_handler = obey;
  sigaction(SIGALRM, &Action, nullptr);
  Action.sa_handler = note;
  for (size_t I = 0; I < std::size(Ending); ++I)
    if (sigaction(Ending[I], nullptr, &Before[I]) == 0 &&
        Before[I].sa_handler != SIG_IGN)
      sigaction(Ending[I], &Action, nullptr);
}

Interrupts::~Interrupts() {
  if (Caught) // a second one is still to be obeyed
    return;
  for (size_t I = 0; I < std::size(Ending); ++I)
    sigaction(Ending[I], &Before[I], nullptr);
  std::signal(SIGALRM, SIG_DFL);
}

int Interrupts::signal() { return Caught; }

void followParent(pid_t Parent, int Lifeline) {
  for (int Signal : Ending)
    std::signal(Signal, SIG_IGN);
#ifdef __linux__
  (void)Lifeline;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#else
  static int End;
  End = Lifeline;
  pthread_t Thread;
  auto Wait = [](void *) -> void * {
    char Byte;
    while (read(End, &Byte, 1) < 0 && errno == EINTR)
      ;
    _exit(1);
  };
  pthread_create(&Thread, nullptr, Wait, nullptr);
#endif
  if (getppid() != Parent) // it was faster
    _exit(1);
}

void dieOf(int Signal) {
  std::signal(Signal, SIG_DFL);
  sigset_t Only;
  sigemptyset(&Only);
  sigaddset(&Only, Signal);
  sigprocmask(SIG_UNBLOCK, &Only, nullptr);
  std::raise(Signal);
  _exit(128 + Signal); // the first process of a container outlives its signals
}

} // namespace tensortidy::tool
