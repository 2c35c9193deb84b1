//===- Depfile.h - what an output was made from -----------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
//   out.sarif: /src/net.cpp /src/.clang-tidy /usr/include/torch/torch.h ...
//
// As a compiler's -MD writes it, for ninja and make. What was looked for and
// not found is not in it, as in a compiler's. A run that could not analyse
// something is to be repeated: it names a file as well that is never there.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_DEPFILE_H
#define TENSORTIDY_TOOL_DEPFILE_H

#include "Options.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <set>
#include <string>

namespace tensortidy::tool {

class Depfile {
public:
  /// What is no file is left out.
  void add(llvm::ArrayRef<std::string> Paths);
  /// The files that options name.
  void addOptions(const Options &O);

  std::vector<std::string> files() const {
    return {Inputs.begin(), Inputs.end()};
  }

  /// Writes what the first output file of \p O depends on.
  llvm::Error write(const Options &O, bool Failed) const;

private:
  std::set<std::string> Inputs;
};

} // namespace tensortidy::tool

#endif
