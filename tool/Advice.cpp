//===- Advice.cpp - what to do about an error of the set-up ---------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Advice.h"
#include "Progress.h"
#include "Tidy/Compat.h"
#include "clang-tidy/GlobList.h"
#include "clang/Basic/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using llvm::StringRef;

namespace tensortidy::tool {

namespace {

/// The first row whose globs match decides. Only names that nobody gives to a
/// header of their own: a project's "cuda/utils.h" is not CUDA's.
const struct {
  const char *Headers, *Advice;
} Table[] = {
    {"Python.h,pyconfig.h",
     "install python3-dev, or give -I DIR, where DIR is what python3 -c "
     "'import sysconfig; print(sysconfig.get_path(\"include\"))' prints"},
    // Also c10/cuda/impl/cuda_cmake_macros.h, which a build of libtorch with
    // CUDA has; Cuda.h stands in for it elsewhere.
    {"torch/*,ATen/*,c10/*,caffe2/*",
     "install libtorch-dev, or give -isystem DIR -isystem "
     "DIR/torch/csrc/api/include, where DIR is what "
     "python3 -c 'import torch; print(torch.__path__[0] + \"/include\")' "
     "prints"},
    {"pybind11/*",
     "install pybind11-dev, or give the flags that "
     "'python3 -m pybind11 --includes' prints; PyTorch brings a copy in its "
     "own include directory"},
    {"ggml.h,ggml-*.h,gguf.h",
     "install libggml-dev, or give -I DIR/include of ggml's sources "
     "(in llama.cpp: ggml/include)"},
    {"llama.h,llama-cpp.h",
     "give -I DIR/include and -I DIR/ggml/include of llama.cpp"},
    {"opencv2/*", "install libopencv-dev, or give the flags that "
                  "'pkg-config --cflags opencv4' prints"},
    {"tensortidy/*",
     "give -I DIR/include, where DIR is where Tensortidy was installed"},
    {"cutlass/*,cute/*",
     "give -I DIR/include and -I DIR/tools/util/include of CUTLASS's sources"},
    {"cuda.h,cuda_runtime*.h,cuda_fp*.h,cuda_gl_interop.h,cudaTypedefs.h,"
     "cudnn*.h,cublas*.h,cusparse*.h,cusolver*.h,cufft*.h,curand*.h,cupti*.h,"
     "nvml.h,nvrtc.h,nvToolsExt.h,nccl.h,cub/*,cuda/std/*,thrust/*",
     "set CUDA_HOME to a CUDA toolkit that has it; no GPU is needed"},
    {"omp.h", "install libomp-" CLANG_VERSION_MAJOR_STRING "-dev"},
    {"stddef.h,stdarg.h,stdint.h,immintrin.h",
     "install libclang-common-" CLANG_VERSION_MAJOR_STRING "-dev"},
    {"stdio.h,stdlib.h,string.h,math.h,assert.h,errno.h,features.h,sys/*,"
     "bits/*",
     "install libc6-dev"},
    // Of C++'s own, which have no extension, these come first in most files.
    {"algorithm,array,atomic,cassert,cctype,chrono,cmath,cstd*,cstring,"
     "functional,iostream,limits,map,memory,mutex,numeric,optional,ostream,"
     "sstream,stdexcept,string,string_view,tuple,type_traits,unordered_map,"
     "utility,vector",
     "install the g++ of the newest release that has a directory below "
     "/usr/lib/gcc; clang takes that one's headers"},
};

bool isDirectory(StringRef Path) { return llvm::sys::fs::is_directory(Path); }

} // namespace

StringRef missingHeader(StringRef Text) {
  if (!Text.consume_front("'") || !Text.consume_back("' file not found"))
    return "";
  return Text;
}

std::string adviceOnHeader(StringRef Header,
                           const std::vector<std::string> &TorchFlags) {
  for (const auto &Row : Table) {
    if (!clang::tidy::GlobList(Row.Headers).contains(Header))
      continue;
    // The directories stand among the flags; a path that is none has no header.
    if (llvm::any_of(TorchFlags, [&](const std::string &Dir) {
          return llvm::sys::fs::exists(Dir + "/" + Header);
        }))
      return "give " + llvm::join(TorchFlags, " ");
    return Row.Advice;
  }
  return "";
}

std::string
absentDirectory(const std::vector<clang::tooling::CompileCommand> &Commands) {
  for (const auto &Command : Commands)
    if (!Command.Directory.empty() && !isDirectory(Command.Directory))
      return Command.Directory;
  return "";
}

std::string
absentIncludes(const std::vector<clang::tooling::CompileCommand> &Commands) {
  namespace options = compat::driver_options;
  std::string First;
  unsigned Here = 0, Absent = 0;
  for (const auto &Command : Commands) {
    llvm::SmallVector<const char *, 64> Words;
    for (const std::string &Word : llvm::drop_begin(Command.CommandLine))
      Words.push_back(Word.c_str());
    unsigned MissingIndex, MissingCount;
    llvm::opt::InputArgList Parsed =
        compat::parseDriverArgs(Words, MissingIndex, MissingCount);
    for (const llvm::opt::Arg *A :
         Parsed.filtered(options::OPT_I, options::OPT_isystem,
                         options::OPT_iquote, options::OPT_idirafter)) {
      StringRef Dir = A->getNumValues() ? A->getValue() : "";
      if (!llvm::sys::path::is_absolute(Dir))
        continue;
      const bool There = isDirectory(Dir);
      ++(There ? Here : Absent);
      if (!There && First.empty())
        First = Dir.str();
    }
  }
  return Absent > Here ? First : "";
}

std::string keepFirstErrors(std::vector<clang::tidy::ClangTidyError> &Errors) {
  constexpr unsigned Shown = 5;
  unsigned Count = 0;
  bool Stopped = false;
  llvm::erase_if(Errors, [&](const clang::tidy::ClangTidyError &E) {
    if (E.DiagnosticName != "clang-diagnostic-error")
      return false;
    // Clang's last word, which would be the first here: it has no place.
    const bool IsStop = E.Message.FilePath.empty() &&
                        llvm::StringRef(E.Message.Message).contains("too many");
    Stopped |= IsStop;
    // Whatever comes before it, a missing header is the cause of much.
    return IsStop ||
           (++Count > Shown && missingHeader(E.Message.Message).empty());
  });
  if (Count <= Shown)
    return "";
  return (Stopped ? " (more than " : " (") + counted(Count, "error") +
         ", of which these are the first)";
}

} // namespace tensortidy::tool
