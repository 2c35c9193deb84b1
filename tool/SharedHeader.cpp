//===- SharedHeader.cpp - headers that many files begin with --------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedHeader.h"
#include "Tidy/Tidy.h"
#include "clang/Lex/PreprocessorOptions.h"

namespace tensortidy::tool {

bool SharedHeader::hasFileFor(const tidy::HeaderFilter &Filter) const {
  return Filter.admitsAny() && llvm::any_of(Files, [&](const Read &One) {
           return Filter.admits(One.Name, One.IsSystem);
         });
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
SharedHeader::fileSystem() const {
  auto FS = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  FS->addFile(path(), 0,
              llvm::MemoryBuffer::getMemBuffer(
                  Bytes, path(), /*RequiresNullTerminator=*/false));
  return FS;
}

void SharedHeader::use(clang::CompilerInvocation &Invocation) const {
  clang::PreprocessorOptions &Options = Invocation.getPreprocessorOpts();
  Options.ImplicitPCHInclude = path();
  // By what is in them, not by their times, and by the flags: its key is.
  Options.DisablePCHOrModuleValidation =
      clang::DisableValidationForModuleKind::PCH;
}

void SharedHeader::note(Accesses &On) const {
  for (size_t I = 0; I < Asked.size(); ++I)
    On.note(Asked[I].Asked, Asked[I].Path, {Asked[I].Said, Ids[I]});
}

} // namespace tensortidy::tool
