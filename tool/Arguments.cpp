//===- Arguments.cpp - make a compile command clang's ---------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
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

bool isCudaSource(StringRef File) {
  StringRef Extension = llvm::sys::path::extension(File);
  return Extension == ".cu" || Extension == ".cuh";
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

/// `-x cu`, `-xcu` and clang's own spelling: the language is set once for all.
void dropLanguage(Arguments &Args) {
  for (size_t I = 1; I < Args.size();) {
    if (Args[I] == "-x" && I + 1 < Args.size())
      Args.erase(Args.begin() + I, Args.begin() + I + 2);
    else if (Args[I] == "-xcu" || Args[I] == "-xcuda")
      Args.erase(Args.begin() + I);
    else
      ++I;
  }
}

/// The last -x decides, then the extension.
bool compilesCuda(const Arguments &Args, StringRef File) {
  bool Cuda = isCudaSource(File);
  for (size_t I = 1; I < Args.size(); ++I) {
    StringRef Language;
    if (Args[I] == "-x" && I + 1 < Args.size())
      Language = Args[I + 1];
    else if (StringRef(Args[I]).starts_with("-x"))
      Language = StringRef(Args[I]).drop_front(2);
    if (!Language.empty())
      Cuda = Language == "cu" || Language == "cuda";
  }
  return Cuda;
}

constexpr const char *StandInDir = "/tensortidy-cuda";

/// Only the host side is parsed, with a stand-in for the toolkit's headers:
/// clang knows few releases of CUDA, and the machine that lints may have none.
constexpr const char *CudaStandIn = R"cuda(#pragma once
#pragma clang system_header
#include <cstddef>
#include <cstdint>
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
struct uint3 { unsigned x, y, z; };
struct int2 { int x, y; };
struct float2 { float x, y; };
struct float4 { float x, y, z, w; };
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned X = 1, unsigned Y = 1, unsigned Z = 1)
      : x(X), y(Y), z(Z) {}
};
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef enum cudaError { cudaSuccess = 0 } cudaError_t;
enum cudaMemcpyKind {
  cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice, cudaMemcpyDefault
};
extern "C" {
cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t,
                             cudaStream_t);
unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, void * = 0);
cudaError_t __cudaPopCallConfiguration(dim3 *, dim3 *, size_t *, void *);
cudaError_t cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = 0);
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char *cudaGetErrorString(cudaError_t);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t cudaSetDevice(int);
cudaError_t cudaGetDevice(int *);
cudaError_t cudaFree(void *);
cudaError_t cudaMemset(void *, int, size_t);
cudaError_t cudaMemcpy(void *, const void *, size_t, cudaMemcpyKind);
cudaError_t cudaMemcpyAsync(void *, const void *, size_t, cudaMemcpyKind,
                            cudaStream_t = 0);
}
template <class T> cudaError_t cudaMalloc(T **, size_t);
extern const uint3 threadIdx, blockIdx;
extern const dim3 blockDim, gridDim;
extern const int warpSize;
__device__ void __syncthreads();
__device__ void __syncwarp(unsigned = ~0u);
__device__ void __threadfence();
template <class T> __device__ T atomicAdd(T *, T);
template <class T> __device__ T atomicMax(T *, T);
template <class T> __device__ T atomicCAS(T *, T, T);
template <class T> __device__ T __ldg(const T *);
template <class T> __device__ T __shfl_down_sync(unsigned, T, unsigned, int = 32);
template <class T> __device__ T __shfl_up_sync(unsigned, T, unsigned, int = 32);
template <class T> __device__ T __shfl_xor_sync(unsigned, T, int, int = 32);
template <class T> __device__ T __shfl_sync(unsigned, T, int, int = 32);
)cuda";

void addCuda(Arguments &Args) {
  dropLanguage(Args);
  std::string Dir = StandInDir;
  // Before the source, because -x counts for what follows.
  const Arguments Flags = {
      "-x",           "cuda",       "--cuda-host-only",
      "-nocudainc",   "-nocudalib", "-nobuiltininc",
      "-U__CUDACC__", "-U__CUDA__", "-isystem",
      Dir + "/first", "-include",   Dir + "/first/cuda_runtime.h",
      "-idirafter",   Dir + "/last"};
  Args.insert(Args.begin() + 1, Flags.begin(), Flags.end());
  // -nobuiltininc took clang's own headers from their place before the C++
  // library's; they come last instead.
  for (size_t I = 0; I < Args.size(); ++I) {
    StringRef Arg = Args[I];
    if (Arg.consume_front("-resource-dir=")) {
      Arguments Extra = {"-idirafter", Arg.str() + "/include"};
      Args.insert(Args.begin() + 1, Extra.begin(), Extra.end());
      return;
    }
  }
}

} // namespace

llvm::ArrayRef<std::pair<const char *, const char *>> cudaStandIns() {
  static const std::pair<const char *, const char *> Files[] = {
      {"/tensortidy-cuda/first/cuda_runtime.h", CudaStandIn},
      {"/tensortidy-cuda/first/cuda_runtime_api.h",
       "#include \"cuda_runtime.h\"\n"},
      {"/tensortidy-cuda/first/cuda.h", "#include \"cuda_runtime.h\"\n"},
      {"/tensortidy-cuda/first/device_launch_parameters.h", ""},
      // Left out of Debian's libtorch-dev.
      {"/tensortidy-cuda/last/c10/cuda/impl/cuda_cmake_macros.h", ""},
  };
  return Files;
}

Arguments adjustArguments(const Arguments &Args, StringRef File,
                          StringRef Directory) {
  if (Args.empty())
    return Args;
  Compiler From = compilerOf(Args.front());
  bool Cuda = compilesCuda(Args, File);
  Arguments Out =
      From == Compiler::Nvcc ? NvccCommand(Args, Directory).take() : Args;
  Out = withoutUnknown(Out);
  if (From == Compiler::Nvcc)
    Out.front() = "clang++";
  if (Cuda && From != Compiler::Clang)
    addCuda(Out);
  // No warnings of clang's: they would be filtered out, and some are errors
  // to clang where g++ accepts the code.
  // The caret flag is about "N errors generated", which is not ours to print.
  Out.insert(Out.begin() + 1, {"-w", "-fno-caret-diagnostics"});
  if (From != Compiler::Clang)
    Out.insert(Out.begin() + 1, "-Wno-error=c++11-narrowing");
  return Out;
}

} // namespace tensortidy::tool
