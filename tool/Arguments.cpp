//===- Arguments.cpp - make a compile command clang's ---------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "Cuda.h"
#include "Precompiled.h"
#include "Tidy/Compat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using llvm::StringRef;

namespace tensortidy::tool {

namespace {

enum class Compiler { Clang, Gcc, Nvcc };

Compiler compilerOf(StringRef Program) {
  StringRef Name = llvm::sys::path::filename(Program);
  if (Name.contains("nvcc"))
    return Compiler::Nvcc;
  return Name.contains("clang") ? Compiler::Clang : Compiler::Gcc;
}

//===----------------------------------------------------------------------===//
// nvcc
//===----------------------------------------------------------------------===//

/// Takes an nvcc command apart: host compiler flags stay, device and toolkit
/// options go.
class NvccCommand {
public:
  NvccCommand(const Arguments &Args, StringRef Directory)
      : Directory(Directory) {
    if (!Args.empty())
      Out.push_back(Args.front());
    read(llvm::ArrayRef<std::string>(Args).drop_front(Args.empty() ? 0 : 1), 0);
  }

  Arguments take() { return std::move(Out); }

private:
  enum class Meaning {
    Keep,      ///< means the same to the host compiler
    Drop,      ///< a flag
    DropValue, ///< an option with a value
    Host,      ///< a comma-separated list of host compiler flags
    Include,   ///< -I
    System,    ///< -isystem
    Define,
    Undefine,
    Force, ///< -include
    Std,
    Language,
    Response, ///< names a file of more options
  };

  static Meaning meaning(StringRef Name) {
    using M = Meaning;
    static const std::pair<M, const char *> Rows[] = {
        {M::Host, "-Xcompiler --compiler-options"},
        {M::Include, "-I --include-path"},
        {M::System, "-isystem --system-include"},
        {M::Define, "-D --define-macro"},
        {M::Undefine, "-U --undefine-macro"},
        {M::Force, "-include --pre-include"},
        {M::Std, "-std --std"},
        {M::Language, "-x --x"},
        {M::Response, "-optf --options-file"},
        {M::DropValue,
         "-gencode --generate-code -arch --gpu-architecture -code --gpu-code "
         "-ccbin --compiler-bindir -Xptxas --ptxas-options -Xnvlink "
         "--nvlink-options -Xcudafe --Xcudafe -Xlinker --linker-options "
         "-Xarchive --archive-options -cudart --cudart -cudadevrt --cudadevrt "
         "-maxrregcount --maxrregcount -rdc --relocatable-device-code -t "
         "--threads -default-stream --default-stream -diag-suppress "
         "--diag-suppress -diag-error --diag-error -diag-warn --diag-warn -m "
         "--machine -ftz --ftz -prec-div --prec-div -prec-sqrt --prec-sqrt "
         "-fmad --fmad -keep-dir --keep-dir -split-compile --split-compile "
         "-Werror --Werror"},
        {M::Drop,
         "-G --device-debug -lineinfo --generate-line-info -dc --device-c -dw "
         "--device-w -use_fast_math --use_fast_math -keep --keep -res-usage "
         "--resource-usage -extended-lambda --extended-lambda "
         "-expt-relaxed-constexpr --expt-relaxed-constexpr "
         "-expt-extended-lambda --expt-extended-lambda "
         "-forward-unknown-to-host-compiler --forward-unknown-to-host-compiler "
         "-forward-unknown-opts --forward-unknown-opts"},
    };
    static const llvm::StringMap<M> ByName = [] {
      llvm::StringMap<M> Map;
      for (const auto &[Meaning, Names] : Rows) {
        llvm::SmallVector<StringRef, 64> Words;
        StringRef(Names).split(Words, ' ');
        for (StringRef Word : Words)
          Map[Word] = Meaning;
      }
      return Map;
    }();
    auto It = ByName.find(Name);
    return It == ByName.end() ? M::Keep : It->second;
  }

  void read(llvm::ArrayRef<std::string> Args, unsigned Depth) {
    for (size_t I = 0; I < Args.size(); ++I) {
      // Every option with a value is spelled `--name value` or `--name=value`.
      auto [Name, Value] = StringRef(Args[I]).split('=');
      bool Joined = Name.size() != Args[I].size();
      Meaning M = meaning(Name);
      // `-DX=1` is not `-DX`, `1`.
      if (M == Meaning::Keep || M == Meaning::Drop) {
        if (M == Meaning::Keep)
          Out.push_back(Args[I]);
        continue;
      }
      if (!Joined) {
        if (I + 1 == Args.size())
          return;
        Value = Args[++I];
      }
      take(M, Value, Depth);
    }
  }

  void take(Meaning M, StringRef Value, unsigned Depth) {
    switch (M) {
    case Meaning::Host: {
      llvm::SmallVector<StringRef, 4> Flags;
      Value.split(Flags, ',', -1, /*KeepEmpty=*/false);
      for (StringRef Flag : Flags)
        Out.push_back(Flag.trim("\"' ").str());
      return;
    }
    case Meaning::Include:
      Out.push_back("-I" + Value.str());
      return;
    case Meaning::System:
      Out.insert(Out.end(), {"-isystem", Value.str()});
      return;
    case Meaning::Define:
      Out.push_back("-D" + Value.str());
      return;
    case Meaning::Undefine:
      Out.push_back("-U" + Value.str());
      return;
    case Meaning::Force:
      Out.insert(Out.end(), {"-include", Value.str()});
      return;
    case Meaning::Std:
      Out.push_back("-std=" + Value.str());
      return;
    case Meaning::Response:
      response(Value, Depth);
      return;
    case Meaning::Language: // set later, for the file
    case Meaning::DropValue:
    case Meaning::Drop:
    case Meaning::Keep:
      return;
    }
  }

  void response(StringRef Path, unsigned Depth) {
    llvm::SmallString<256> Absolute;
    if (llvm::sys::path::is_relative(Path))
      Absolute = Directory;
    llvm::sys::path::append(Absolute, Path);
    auto Buffer = llvm::MemoryBuffer::getFile(Absolute);
    if (!Buffer || Depth > 8)
      return;
    llvm::BumpPtrAllocator Allocator;
    llvm::StringSaver Saver(Allocator);
    llvm::SmallVector<const char *, 16> Words;
    llvm::cl::TokenizeGNUCommandLine((*Buffer)->getBuffer(), Saver, Words);
    read(Arguments(Words.begin(), Words.end()), Depth + 1);
  }

  StringRef Directory;
  Arguments Out;
};

//===----------------------------------------------------------------------===//
// Any compiler
//===----------------------------------------------------------------------===//

/// Removes what clang's driver would refuse. Its own option table decides, so
/// no list of g++'s private flags has to be kept.
Arguments withoutUnknown(const Arguments &Args) {
  if (Args.empty())
    return Args;
  llvm::SmallVector<const char *, 64> Words;
  for (const std::string &Arg : llvm::ArrayRef<std::string>(Args).drop_front())
    Words.push_back(Arg.c_str());
  unsigned MissingIndex = 0, MissingCount = 0;
  const llvm::opt::OptTable &Table = compat::driverOptions();
  llvm::opt::InputArgList Parsed = Table.ParseArgs(
      Words, MissingIndex, MissingCount, compat::driverVisibility());

  std::vector<bool> Drop(Words.size());
  for (const llvm::opt::Arg *A : Parsed) {
    bool Unknown = A->getOption().getKind() == llvm::opt::Option::UnknownClass;
    // Warnings are shown by the compiler of the project, not by us.
    StringRef Word = Words[A->getIndex()];
    if (Unknown || Word == "-Werror" || Word.starts_with("-Werror=") ||
        Word == "-pedantic-errors")
      Drop[A->getIndex()] = true;
  }
  // An option at the end without its value.
  for (unsigned I = 0; I < MissingCount && MissingIndex + I < Drop.size(); ++I)
    Drop[MissingIndex + I] = true;
  if (MissingCount && MissingIndex < Drop.size())
    Drop[MissingIndex] = true;

  Arguments Out = {Args.front()};
  for (size_t I = 0; I < Words.size(); ++I)
    if (!Drop[I])
      Out.push_back(Words[I]);
  return Out;
}

} // namespace

Arguments adjustArguments(const Arguments &Args, StringRef File,
                          StringRef Directory) {
  if (Args.empty())
    return Args;
  Compiler From = compilerOf(Args.front());
  bool IsCuda = compilesCuda(Args, File);
  Arguments Out =
      From == Compiler::Nvcc ? NvccCommand(Args, Directory).take() : Args;
  Out = withoutUnknown(withoutForeignHeaders(Out, Directory));
  if (From == Compiler::Nvcc)
    Out.front() = "clang++";
  Out = IsCuda ? withCuda(std::move(Out), Args.front())
               : withCudaHeaders(std::move(Out));
  // No warnings of clang's: they would be filtered out, and some are errors
  // to clang where g++ accepts the code.
  // The caret flag is about "N errors generated", which is not ours to print.
  Out.insert(Out.begin() + 1, {"-w", "-fno-caret-diagnostics"});
  if (From != Compiler::Clang)
    Out.insert(Out.begin() + 1, "-Wno-error=c++11-narrowing");
  return Out;
}

} // namespace tensortidy::tool
