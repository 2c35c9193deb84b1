//===- Precompiled.cpp - precompiled headers of other compilers -----------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Precompiled.h"
#include "Tidy/Compat.h"
#include "clang/Basic/FileManager.h"
#include "clang/Serialization/ASTReader.h"
#include "clang/Serialization/PCHContainerOperations.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using llvm::StringRef;

namespace tensortidy::tool {

namespace {

std::string inDirectory(StringRef Path, StringRef Directory) {
  llvm::SmallString<256> Absolute;
  if (llvm::sys::path::is_relative(Path))
    Absolute = Directory;
  llvm::sys::path::append(Absolute, Path);
  return Absolute.str().str();
}

/// Clang itself says: of another release it reads no more than the version.
bool isReadable(const std::string &Path) {
  if (!llvm::sys::fs::is_regular_file(Path))
    return false;
  clang::FileManager Files{clang::FileSystemOptions()};
  clang::RawPCHContainerReader Reader;
  clang::ASTReaderListener Listener;
  auto Cache = compat::moduleCache();
  return !clang::ASTReader::readASTFileControlBlock(
      Path, Files, *Cache, Reader, /*FindModuleFileExtensions=*/false, Listener,
      /*ValidateDiagnosticOptions=*/false);
}

/// What clang's driver would take and the frontend then cannot read.
bool isForeign(const std::string &Path) {
  auto Magic = llvm::MemoryBuffer::getFileSlice(Path, 4, /*Offset=*/0);
  return Magic && (*Magic)->getBuffer() == "CPCH" && !isReadable(Path);
}

/// An option of clang's frontend with its value, as the driver passes it on.
void append(Arguments &Out, const char *Name, StringRef Value) {
  Out.insert(Out.end(), {"-Xclang", Name, "-Xclang", Value.str()});
}

} // namespace

Arguments withoutForeignHeaders(const Arguments &Args, StringRef Directory) {
  auto Is = [&](size_t I, StringRef Word) {
    return I < Args.size() && Args[I] == Word;
  };
  // `-Name Value`, also where each word is passed on to the frontend; the
  // number of words, 0 where there is something else.
  auto Match = [&](size_t I, StringRef Name) -> size_t {
    if (Is(I, Name) && I + 1 < Args.size())
      return 2;
    return Is(I, "-Xclang") && Is(I + 1, Name) && Is(I + 2, "-Xclang") &&
                   I + 3 < Args.size()
               ? 4
               : 0;
  };

  Arguments Out;
  for (size_t I = 0; I < Args.size();) {
    if (size_t Words = Match(I, "-include-pch")) {
      StringRef File = Args[I + Words - 1];
      std::string Path = inDirectory(File, Directory);
      StringRef Header(Path);
      bool Named = Header.consume_back(".pch") || Header.consume_back(".gch");
      // Of what cannot be replaced, clang says why it cannot read it.
      if (isReadable(Path) || !Named || !llvm::sys::fs::exists(Header)) {
        Out.insert(Out.end(), Args.begin() + static_cast<long>(I),
                   Args.begin() + static_cast<long>(I + Words));
      } else {
        bool Follows = false; // as CMake has it
        for (size_t J = 0; J < Args.size(); ++J)
          if (size_t Other = Match(J, "-include"))
            Follows |= inDirectory(Args[J + Other - 1], Directory) == Header;
        if (!Follows)
          append(Out, "-include", Header);
      }
      I += Words;
      continue;
    }
    if (Match(I, "-include") == 2) {
      // What the frontend is told to include is not looked for beside it.
      std::string Header = inDirectory(Args[I + 1], Directory);
      if (isForeign(Header + ".pch") || isForeign(Header + ".gch"))
        append(Out, "-include", Header);
      else
        Out.insert(Out.end(), {Args[I], Args[I + 1]});
      I += 2;
      continue;
    }
    Out.push_back(Args[I++]);
  }
  return Out;
}

} // namespace tensortidy::tool
