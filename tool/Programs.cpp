//===- Programs.cpp - run another program and read what it says -----------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <memory>
#include <optional>
#include <vector>

using llvm::StringRef;

namespace tensortidy::tool {

static llvm::Error problem(const llvm::Twine &Text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), Text);
}

llvm::Expected<ProgramResult> runProgram(StringRef Program,
                                         llvm::ArrayRef<StringRef> Args,
                                         unsigned Seconds) {
  llvm::SmallString<128> Files[2];
  std::vector<std::unique_ptr<llvm::FileRemover>> Removers;
  for (auto &File : Files) {
    if (std::error_code Why =
            llvm::sys::fs::createTemporaryFile("tensortidy", "out", File))
      return problem("cannot make a temporary file: " + Why.message());
    Removers.push_back(std::make_unique<llvm::FileRemover>(File));
  }
  std::vector<StringRef> Words{llvm::sys::path::filename(Program)};
  llvm::append_range(Words, Args);
  std::string Why;
  ProgramResult Result;
  Result.Status = llvm::sys::ExecuteAndWait(
      Program, Words, std::nullopt,
      {StringRef("/dev/null"), StringRef(Files[0]), StringRef(Files[1])},
      Seconds, /*MemoryLimit=*/0, &Why);
  if (Result.Status < 0)
    return problem("cannot run " + Words.front() + ": " + Why);
  for (auto [File, Into] :
       {std::pair(&Files[0], &Result.Out), std::pair(&Files[1], &Result.Err)})
    if (auto Buffer = llvm::MemoryBuffer::getFile(*File))
      *Into = (*Buffer)->getBuffer().str();
  return Result;
}

} // namespace tensortidy::tool
