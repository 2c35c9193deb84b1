//===- Cuda.cpp - parse the host side of CUDA sources ---------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cuda.h"
#include "SourceKind.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"
#include <cstdlib>

#include "CudaStandIns.inc"

using llvm::StringRef;

namespace tensortidy::tool {

static const char *const FilesDir = "/tensortidy-cuda";

llvm::ArrayRef<std::pair<std::string, const char *>> cudaFiles() {
  static const auto *Files = [] {
    auto *All = new std::vector<std::pair<std::string, const char *>>;
    for (const auto &[Path, Text] : kCudaStandIns)
      All->emplace_back(std::string(FilesDir) + "/" + Path, Text);
    return All;
  }();
  return *Files;
}

bool compilesCuda(const Arguments &Args, StringRef File) {
  bool Cuda = isCuda(File);
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

std::string cudaToolkit(StringRef Compiler) {
  std::vector<std::string> Roots;
  if (llvm::sys::path::filename(Compiler).contains("nvcc")) {
    std::string Program = Compiler.str();
    if (!llvm::sys::path::has_parent_path(Compiler))
      if (auto Found = llvm::sys::findProgramByName(Compiler))
        Program = *Found;
    llvm::SmallString<256> Root(Program);
    llvm::sys::fs::real_path(Program, Root);
    llvm::sys::path::remove_filename(Root); // nvcc
    llvm::sys::path::append(Root, "..");
    Roots.push_back(Root.str().str());
  }
  const char *Home = std::getenv("CUDA_HOME");
  if (!Home)
    Home = std::getenv("CUDA_PATH");
  if (Home)
    Roots.emplace_back(Home);
  else
    Roots.insert(Roots.end(), {"/usr/local/cuda", "/usr"});
  for (const std::string &Root : Roots)
    for (const char *Below : {"/include", "/targets/x86_64-linux/include"})
      if (llvm::sys::fs::exists(Root + Below + "/cuda_runtime.h"))
        return Root + Below;
  return "";
}

/// Takes out what says how the device side is compiled, and -x, which is set
/// once for all. `--cuda-path` is kept in \p Toolkit.
static Arguments withoutDevice(Arguments Args, std::string &Toolkit) {
  Arguments Out;
  for (size_t I = 0; I < Args.size(); ++I) {
    StringRef Arg = Args[I];
    if (Arg.consume_front("--cuda-path=")) {
      if (llvm::sys::fs::exists(Arg + "/include/cuda_runtime.h"))
        Toolkit = (Arg + "/include").str();
      continue;
    }
    if (I > 0 && Arg == "-x" && I + 1 < Args.size()) {
      ++I;
      continue;
    }
    if (Arg == "-xcu" || Arg == "-xcuda" || Arg.starts_with("--cuda-") ||
        Arg.starts_with("--no-cuda-") || Arg.starts_with("--offload-arch=") ||
        Arg.starts_with("-fcuda-") || Arg == "-fgpu-rdc")
      continue;
    Out.push_back(std::move(Args[I]));
  }
  return Out;
}

/// The text of a file, empty if there is none.
static std::string textOf(const llvm::Twine &Path) {
  auto File = llvm::MemoryBuffer::getFile(Path, /*IsText=*/true);
  return File ? (*File)->getBuffer().str() : "";
}

/// The build of \p Release's nvcc, 88 of 13.0.88, as a toolkit has it written
/// down: version.json, or what pip keeps of a package. "0": nowhere.
static std::string buildOfNvcc(StringRef Include, StringRef Release) {
  StringRef Root = llvm::sys::path::parent_path(Include);
  std::string Number = llvm::Regex::escape(Release) + "\\.([0-9]+)";
  llvm::SmallVector<StringRef, 2> Found;
  std::string Json = textOf(Root + "/version.json");
  if (llvm::Regex("\"cuda_nvcc\"[^}]*\"" + Number + "\"").match(Json, &Found))
    return Found[1].str();
  llvm::Regex Package("nvidia_cuda_nvcc.*-" + Number + "\\.dist-info$");
  for (StringRef Beside : {"/dist-info", "/../.."}) {
    std::error_code Error;
    std::string Folder = (Root + Beside).str();
    for (llvm::sys::fs::directory_iterator I(Folder, Error), End;
         !Error && I != End; I.increment(Error))
      if (Package.match(I->path(), &Found))
        return Found[1].str();
  }
  return "0";
}

/// What nvcc says of its own release, which is the one of its headers.
static Arguments releaseFlags(StringRef Include) {
  llvm::SmallVector<StringRef, 2> Found;
  std::string Text = textOf(Include + "/cuda_runtime_api.h");
  llvm::Regex Define("#define[ \t]+CUDART_VERSION[ \t]+([0-9]+)");
  unsigned Version;
  if (!Define.match(Text, &Found) || Found[1].getAsInteger(10, Version))
    return {};
  std::string Major = std::to_string(Version / 1000);
  std::string Minor = std::to_string(Version % 1000 / 10);
  Arguments Flags;
  for (const char *Of : {"CUDACC", "CUDA_API"}) {
    Flags.push_back("-D__" + std::string(Of) + "_VER_MAJOR__=" + Major);
    Flags.push_back("-D__" + std::string(Of) + "_VER_MINOR__=" + Minor);
  }
  Flags.push_back("-D__CUDACC_VER_BUILD__=" +
                  buildOfNvcc(Include, Major + "." + Minor));
  return Flags;
}

Arguments cudaFlags(const std::string &Dir, StringRef ResourceDir,
                    StringRef Toolkit) {
  Arguments Flags = {"-x", "cuda", "--cuda-host-only", "-nocudainc",
                     "-nocudalib", "-nobuiltininc",
                     // The prelude makes the standard library's functions
                     // those of both sides; of libstdc++ 14, clang refuses
                     // the ones with `...`.
                     "-Xclang", "-fcuda-allow-variadic-functions",
                     "-U__CUDACC__", "-U__CUDA__", "-include",
                     Dir + "/prelude.h"};
  Arguments Release = releaseFlags(Toolkit);
  Flags.insert(Flags.end(), Release.begin(), Release.end());
  // Without a toolkit ours come first: Debian has a Thrust and a CUB that go
  // with none. Toolkits since 13 keep theirs in a folder of their own.
  if (!Toolkit.empty() && Toolkit != "/usr/include")
    Flags.insert(Flags.end(), {"-isystem", Toolkit.str()});
  std::string Cccl = (Toolkit + "/cccl").str();
  if (!Toolkit.empty() && llvm::sys::fs::is_directory(Cccl))
    Flags.insert(Flags.end(), {"-isystem", Cccl});
  Flags.insert(Flags.end(),
               {Toolkit.empty() ? "-isystem" : "-idirafter", Dir + "/include"});
  // -nobuiltininc took clang's own headers from their place before the C++
  // library's; they come last instead.
  if (!ResourceDir.empty())
    Flags.insert(Flags.end(), {"-idirafter", ResourceDir.str() + "/include"});
  return Flags;
}

Arguments withCuda(Arguments Args, StringRef Compiler) {
  std::string Toolkit = cudaToolkit(Compiler);
  Args = withoutDevice(std::move(Args), Toolkit);
  StringRef ResourceDir;
  for (StringRef Arg : Args)
    if (Arg.consume_front("-resource-dir="))
      ResourceDir = Arg;
  Arguments Flags = cudaFlags(FilesDir, ResourceDir, Toolkit);
  // Before the source, because -x counts for what follows.
  Args.insert(Args.begin() + 1, Flags.begin(), Flags.end());
  return Args;
}

Arguments withCudaHeaders(Arguments Args) {
  Args.insert(Args.begin() + 1,
              {"-idirafter", std::string(FilesDir) + "/include"});
  return Args;
}

} // namespace tensortidy::tool
