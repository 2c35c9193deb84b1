//===- Interrupts.h - signals that end a run --------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A run that is interrupted still prints what it has found, and then dies of
// the signal, so that a shell or make sees what happened:
//
//   SIGINT --> noted --> children killed --> findings, summary --> SIGINT
//                |                                                   |
//                +-- a second one, or the output is closed: ------+
//
// SIGPIPE keeps its default: the output has no reader.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_INTERRUPTS_H
#define TENSORTIDY_TOOL_INTERRUPTS_H

#include <sys/types.h>

namespace tensortidy::tool {

/// LLVM's handlers for crashes. What we were started to ignore (nohup, a job in
/// the background of a script) stays ignored, which LLVM does not look at.
void handleCrashes(const char *Argv0);

/// While one lives, the signals that end a run are noted instead of obeyed.
/// There is one at a time.
class Interrupts {
public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts &) = delete;
  Interrupts &operator=(const Interrupts &) = delete;

  /// The signal that came; 0 if none did. Asked several times a second: a
  /// handler that only notes needs no pipe to be waited for.
  static int signal();
};

/// In a child: its parent answers signals sent to both, as a terminal sends
/// them, and it ends when \p Parent does, however that comes about.
/// \p Lifeline is the end to read from of a pipe that only the parent can
/// write to.
void followParent(pid_t Parent, int Lifeline);

/// Ends this process in the way that \p Signal does.
[[noreturn]] void dieOf(int Signal);

} // namespace tensortidy::tool

#endif
