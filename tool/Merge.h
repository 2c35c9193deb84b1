//===- Merge.h - the SARIF of several runs as that of one -------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
//   tensortidy merge 1.sarif 2.sarif --output=all.sarif
//
//   1.sarif   a.cpp:3   ops.h:9    invocation: exit code 1
//   2.sarif   ops.h:9   b.cpp:5    invocation: exit code 2, x.cpp failed
//     ->
//   all.sarif a.cpp:3   b.cpp:5   ops.h:9     both invocations
//
// What one run over all the files would have said, in the same order and with
// the same fingerprints: a finding in a header comes once, whoever includes it.
// The exit status is that of such a run.
//
// Only what tensortidy of one release has written is taken, and only whole:
// with a file left out, findings would be lost unnoticed.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_MERGE_H
#define TENSORTIDY_TOOL_MERGE_H

#include <string>
#include <vector>

namespace tensortidy::tool {

/// `tensortidy merge`, with the words behind that; its exit status.
int mergeMain(std::vector<std::string> Words);

} // namespace tensortidy::tool

#endif
