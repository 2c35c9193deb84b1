//===- Arguments.cpp - make a compile command clang's ---------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "Cuda.h"
#include "Models/ReadFile.h"
#include "Precompiled.h"
#include "SourceKind.h"
#include "Tidy/Compat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/CommandLine.h"
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
    if (Depth > 8)
      return;
    auto Buffer =
        models::readRegularFile(Absolute, *llvm::vfs::getRealFileSystem());
    if (!Buffer)
      return llvm::consumeError(Buffer.takeError());
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

/// A command, taken apart by clang's own option table.
class DriverCommand {
public:
  /// \p Args must outlive it.
  explicit DriverCommand(const Arguments &Args)
      : Program(Args.front()), Words(pointers(Args)), Drop(Words.size()),
        Parsed(compat::parseDriverArgs(Words, MissingIndex, MissingCount)) {}

  /// Removes what clang's driver would refuse: no list of g++'s private flags
  /// has to be kept.
  void dropUnknown() {
    for (const llvm::opt::Arg *A : Parsed) {
      bool Unknown =
          A->getOption().getKind() == llvm::opt::Option::UnknownClass;
      // Warnings are shown by the compiler of the project, not by us.
      StringRef Word = Words[A->getIndex()];
      if (Unknown || Word == "-Werror" || Word.starts_with("-Werror=") ||
          Word == "-pedantic-errors")
        Drop[A->getIndex()] = true;
    }
    // An option at the end without its value.
    for (unsigned I = 0; I < MissingCount && MissingIndex + I < Drop.size();
         ++I)
      Drop[MissingIndex + I] = true;
    if (MissingCount && MissingIndex < Drop.size())
      Drop[MissingIndex] = true;
  }

  /// Keeps one input of several: the last that is \p File.
  void dropOtherInputs(StringRef File, StringRef Directory) {
    std::vector<size_t> Inputs;
    std::optional<size_t> Ours;
    const std::string Wanted = absolutePath(File, Directory);
    auto Add = [&](size_t I) {
      Inputs.push_back(I);
      if (absolutePath(Words[I], Directory) == Wanted)
        Ours = I;
    };
    for (const llvm::opt::Arg *A : Parsed) {
      if (A->getOption().getKind() == llvm::opt::Option::InputClass)
        Add(A->getIndex());
      else if (A->getOption().matches(compat::driver_options::OPT__DASH_DASH))
        for (unsigned I = 1; I <= A->getNumValues(); ++I)
          Add(A->getIndex() + I);
    }
    if (Inputs.size() < 2)
      return;
    for (size_t I : Inputs)
      Drop[I] = I != Ours;
    if (!Ours)
      Last = File.str();
  }

  template <class Fn> void dropIf(Fn Matches) {
    for (const llvm::opt::Arg *A : Parsed)
      if (Matches(*A))
        drop(*A);
  }

  Arguments take() const {
    Arguments Out = {Program};
    for (size_t I = 0; I < Words.size(); ++I)
      if (!Drop[I])
        Out.push_back(Words[I]);
    if (!Last.empty())
      Out.push_back(Last);
    return Out;
  }

private:
  static std::vector<const char *> pointers(const Arguments &Args) {
    std::vector<const char *> Out;
    for (const std::string &Arg :
         llvm::ArrayRef<std::string>(Args).drop_front())
      Out.push_back(Arg.c_str());
    return Out;
  }

  /// An option and the words that are its values.
  void drop(const llvm::opt::Arg &A) {
    Drop[A.getIndex()] = true;
    for (const char *Value : A.getValues())
      for (size_t I = A.getIndex() + 1;
           I < Words.size() && I <= A.getIndex() + A.getNumValues(); ++I)
        if (Words[I] == Value) // the same text elsewhere is another pointer
          Drop[I] = true;
  }

  std::string Program, Last;
  std::vector<const char *> Words;
  std::vector<bool> Drop;
  unsigned MissingIndex = 0, MissingCount = 0;
  llvm::opt::InputArgList Parsed;
};

} // namespace

Arguments adjustArguments(const Arguments &Args, StringRef File,
                          StringRef Directory) {
  if (Args.empty())
    return Args;
  Compiler From = compilerOf(Args.front());
  bool IsCuda = compilesCuda(Args, File);
  Arguments Out =
      From == Compiler::Nvcc ? NvccCommand(Args, Directory).take() : Args;
  Out = withoutForeignHeaders(Out, Directory);
  DriverCommand Command(Out); // which points into Out
  Command.dropUnknown();
  Command.dropOtherInputs(File, Directory);
  Out = Command.take();
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

Arguments commandAfterDashes(const Arguments &AfterDashes, StringRef File) {
  // What stands before the first flag and is no source is the compiler, with
  // ccache or the like in front of it.
  size_t Flags = 0;
  while (Flags < AfterDashes.size() &&
         !StringRef(AfterDashes[Flags]).starts_with("-") &&
         !StringRef(AfterDashes[Flags]).starts_with("@") &&
         !isSource(AfterDashes[Flags]) && !isHeader(AfterDashes[Flags]))
    ++Flags;
  Arguments Out = {Flags ? AfterDashes[Flags - 1] : "clang-tool"};
  Out.insert(Out.end(), AfterDashes.begin() + static_cast<long>(Flags),
             AfterDashes.end());
  Out.push_back(File.str());
  return Out;
}

Arguments withoutEffects(const Arguments &Args) {
  if (Args.empty())
    return Args;
  namespace options = compat::driver_options;
  static const unsigned Effects[] = {
      // Written while the driver plans its jobs, or jobs that write.
      options::OPT_o, options::OPT_M_Group, options::OPT_MJ,
      options::OPT_gen_cdb_fragment_path, options::OPT_save_temps,
      options::OPT_save_temps_EQ, options::OPT_dumpdir,
      options::OPT__serialize_diags, options::OPT_fcrash_diagnostics_dir,
      options::OPT_ftime_trace, options::OPT_ftime_trace_EQ,
      options::OPT_fproc_stat_report, options::OPT_fproc_stat_report_EQ,
      // Asks a program which GPU there is.
      options::OPT_offload_arch_EQ, options::OPT_no_offload_arch_EQ,
      options::OPT_fopenmp_targets_EQ, options::OPT_Xopenmp_target,
      options::OPT_Xopenmp_target_EQ,
      // Brings options that nobody has looked at.
      options::OPT_config, options::OPT_config_system_dir_EQ,
      options::OPT_config_user_dir_EQ, options::OPT_Xarch__,
      options::OPT_Xarch_host, options::OPT_Xarch_device,
      // Code of others.
      options::OPT_fplugin_EQ, options::OPT_fpass_plugin_EQ,
      // Prints instead of parsing.
      options::OPT__HASH_HASH_HASH, options::OPT_v};
  DriverCommand Command(Args);
  Command.dropIf([](const llvm::opt::Arg &A) {
    // Some are another name of a more general option in newer releases.
    auto IsIt = [&](unsigned Id) {
      return A.getOption().matches(Id) ||
             (A.getAlias() && A.getAlias()->getOption().getID() == Id);
    };
    return llvm::any_of(Effects, IsIt) ||
           llvm::any_of(compat::DeviceQueryOptions, IsIt);
  });
  return Command.take();
}

} // namespace tensortidy::tool
