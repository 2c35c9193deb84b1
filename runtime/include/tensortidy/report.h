//===- report.h - what a run really did -------------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the static checks look for, as it happened, by source line:
//
//   $ TENSORTIDY_REPORT=run.txt ./train
//   $ head -n 1 run.txt
//   train.cpp:41: empty() allocated 64 bytes, 9 times
//   [tensor-allocation-in-loop]
//
// A name that ends in .json gives JSON. Several names are separated by commas.
// The file appears whole, when the program ends: by return, by std::exit() or
// by an exception nobody caught.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_REPORT_H
#define TENSORTIDY_REPORT_H

#include <string>

namespace tensortidy {

/// Starts observing, anew if it was on. With a name, the report is also
/// written there at the end of the program.
void start_report(const std::string &file = "");
/// Stops observing. What was observed can still be asked for.
void stop_report();
bool report_enabled();
/// What was observed since the start.
std::string report_text();
std::string report_json();
/// Writes it now; the name decides about the form.
void write_report(const std::string &file);

} // namespace tensortidy

#endif
