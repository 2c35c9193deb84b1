//===- SharedHeader.h - headers that many files begin with ------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What many files include first is parsed once, precompiled, and loaded by each
// of them. Findings are the same as if each had parsed it:
//
//   #include "net.h"               net.h: #pragma once
//   #include <vector>                     #include <torch/torch.h>
//   at::Tensor f() { ... }                class Net { ... };
//
//   what it begins with (Leading.h):  #include <torch/torch.h>
//
// The file is parsed as ever; where it comes to an #include of something that
// it began with, the include guard is there already. So only headers with a
// guard are precompiled, as they are found by their name between angles, and
// with nothing before them but what the standard allows in any order.
//
// It is kept in the cache under the flags and the lines that it was made of,
// with what it depended on (Accesses.h).
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_SHAREDHEADER_H
#define TENSORTIDY_TOOL_SHAREDHEADER_H

#include "Accesses.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <string>
#include <vector>

namespace tensortidy {
namespace tidy {
class HeaderFilter;
} // namespace tidy

namespace tool {

struct SharedHeader {
  /// A file that was read.
  struct Read {
    std::string Name; ///< as clang had it
    bool IsSystem = false;
  };

  std::string Key;
  /// The precompiled header, and what holds its bytes. Empty where there is
  /// none to be had of these lines: they do not compile by themselves.
  llvm::StringRef Bytes;
  std::unique_ptr<llvm::MemoryBuffer> Holder;
  std::vector<Read> Files;
  std::vector<Access> Asked;
  std::vector<llvm::sys::fs::UniqueID> Ids; ///< of the texts among these

  bool isUsable() const { return !Bytes.empty(); }
  /// Whether it has a file whose findings \p Filter wants to see.
  bool hasFileFor(const tidy::HeaderFilter &Filter) const;
  /// Where clang finds it.
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> fileSystem() const;
  void use(clang::CompilerInvocation &Invocation) const;
  /// What depends on it depends on what it did.
  void note(Accesses &On) const;

private:
  std::string path() const { return "/tensortidy-shared/" + Key; }
};

} // namespace tool
} // namespace tensortidy

#endif
