//===- Progress.cpp - how far a run has come ------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Progress.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Unicode.h"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <sys/ioctl.h>
#include <unistd.h>

using llvm::StringRef;

namespace tensortidy::tool {

/// A log of fewer files needs no lines that tell it is going on.
static constexpr unsigned FilesForPlain = 10;

std::string counted(size_t N, StringRef What) {
  return std::to_string(N) + " " + What.str() + (N == 1 ? "" : "s");
}

void Progress::started(unsigned Job, StringRef File, double Now) {
  Jobs[Job] = {File.str(), Now};
}

void Progress::ended(unsigned Job, double Now) {
  auto It = Jobs.find(Job);
  if (It != Jobs.end()) {
    Spent += Now - It->second.Since;
    Jobs.erase(It);
  }
  ++Done;
}

std::optional<double> Progress::secondsLeft(double Now) const {
  // The first files may be anything; a tenth of all is a sample.
  if (Done < std::min(10u, std::max(2u, Total / 10)))
    return std::nullopt;
  const double Mean = Spent / Done;
  double Work = Mean * static_cast<double>(Total - Done - Jobs.size());
  double Longest = 0;
  for (const auto &[Job, R] : Jobs) {
    const double Rest = std::max(0.0, Mean - (Now - R.Since));
    Longest = std::max(Longest, Rest);
    Work += Rest;
  }
  const unsigned Lanes = std::max(1u, std::min(AtOnce, Total - Done));
  return std::max(Longest, Work / Lanes);
}

std::string timeLeftText(double Seconds) {
  // Rounded up, to steps that such an estimate deserves.
  auto In = [&](double Step) {
    return static_cast<unsigned>(std::ceil(Seconds / Step));
  };
  if (Seconds < 1)
    return "";
  if (Seconds <= 55)
    return "about " + std::to_string(In(5) * 5) + " s left";
  if (In(60) < 60)
    return "about " + std::to_string(In(60)) + " min left";
  const unsigned Minutes = In(600) * 10;
  std::string Text = "about " + std::to_string(Minutes / 60) + " h";
  if (Minutes % 60)
    Text += " " + std::to_string(Minutes % 60) + " min";
  return Text + " left";
}

std::string Progress::state(unsigned Findings, double Now) const {
  std::string Text = counted(Findings, "finding");
  if (auto Left = secondsLeft(Now))
    if (std::string Time = timeLeftText(*Left); !Time.empty())
      Text += ", " + Time;
  return Text;
}

std::string Progress::line(unsigned Findings, double Now,
                           unsigned Width) const {
  std::string Text = "[" + std::to_string(Done) + "/" + std::to_string(Total) +
                     "] " + state(Findings, Now);
  const Running *Oldest = nullptr;
  for (const auto &[Job, R] : Jobs)
    if (!Oldest || R.Since < Oldest->Since)
      Oldest = &R;
  // The last column stays empty: some terminals wrap when it is written to.
  const int Room = static_cast<int>(Width) - 1;
  if (Oldest) {
    // Of a long path the end tells most; names that are no text are left out.
    StringRef File = Oldest->File;
    const int Free = Room - static_cast<int>(Text.size()) - 2;
    int Wide = llvm::sys::unicode::columnWidthUTF8(File);
    if (Wide > Free) {
      do {
        File = File.drop_front();
        while (!File.empty() && (File.front() & 0xC0) == 0x80)
          File = File.drop_front();
        Wide = llvm::sys::unicode::columnWidthUTF8(File) + 3;
      } while (!File.empty() && Wide > Free);
      if (File.size() >= 8)
        Text += ": ..." + File.str();
    } else if (Wide > 0) {
      Text += ": " + File.str();
    }
  }
  if (static_cast<int>(Text.size()) > Room &&
      llvm::sys::unicode::columnWidthUTF8(Text) > Room)
    Text.resize(std::max(0, Room));
  return Text;
}

std::string Progress::plain(unsigned Findings, double Now) const {
  return "tensortidy: " + std::to_string(Done) + " of " +
         counted(Total, "file") + ", " + state(Findings, Now);
}

static double now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

/// Whether a line can be rewritten: not so in an editor's window for compilers.
static bool isTerminal() {
  const char *Term = std::getenv("TERM");
  return llvm::sys::Process::StandardErrIsDisplayed() &&
         !(Term && StringRef(Term) == "dumb");
}

/// Asked anew each time: windows are resized. LLVM's StandardErrColumns() goes
/// by COLUMNS alone, which shells do not export.
static unsigned terminalWidth() {
  winsize Size = {};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &Size) == 0 && Size.ws_col)
    return Size.ws_col;
  unsigned Columns = llvm::sys::Process::StandardErrColumns();
  return Columns ? Columns : 80;
}

ProgressDisplay::ProgressDisplay(unsigned Total, unsigned AtOnce, bool Quiet)
    : State(Total, AtOnce) {
  if (Quiet || Total < 2)
    Kind = Nothing;
  else if (isTerminal())
    Kind = Line;
  else
    Kind = Total < FilesForPlain ? Nothing : Plain;
}

void ProgressDisplay::started(unsigned Job, StringRef File) {
  State.started(Job, File, now());
}

void ProgressDisplay::ended(unsigned Job) { State.ended(Job, now()); }

void ProgressDisplay::show(unsigned Findings) {
  // At the end the summary says it.
  if (Kind == Nothing || State.done() == State.total())
    return;
  if (Kind == Line) {
    std::string Text = State.line(Findings, now(), terminalWidth());
    if (Text == Shown)
      return;
    clear();
    llvm::errs() << Text;
    Shown = std::move(Text);
  } else if (unsigned Tenths = State.done() * 10 / State.total();
             Tenths > TenthsSaid) {
    TenthsSaid = Tenths;
    llvm::outs().flush();
    llvm::errs() << State.plain(Findings, now()) << '\n';
  }
}

void ProgressDisplay::clear() {
  if (Shown.empty())
    return;
  // Blanks, which every terminal understands.
  llvm::errs() << '\r'
               << std::string(llvm::sys::unicode::columnWidthUTF8(Shown), ' ')
               << '\r';
  Shown.clear();
}

} // namespace tensortidy::tool
