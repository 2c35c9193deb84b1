//===- Libtorch.cpp - the libtorch that a file is meant for ---------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Libtorch.h"
#include "Cuda.h"
#include "Programs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <cstdlib>

using llvm::StringRef;

namespace tensortidy::tool {

namespace {
/// What stands in a Python's packages beside torch.
struct Python {
  std::string Whose; ///< "VIRTUAL_ENV", "CONDA_PREFIX" or "python3"
  std::string Include;
  std::vector<std::string> Packages; ///< its site-packages, first to last
};
} // namespace

static std::string textOf(const llvm::Twine &Path) {
  auto Buffer = llvm::MemoryBuffer::getFile(Path);
  return Buffer ? (*Buffer)->getBuffer().str() : "";
}

static std::string apiOf(StringRef Include) {
  return (Include + "/torch/csrc/api/include").str();
}

/// From TORCH_VERSION, which newer releases have in headeronly.
static std::string releaseOf(StringRef Include) {
  for (const std::string &Path :
       {(Include + "/torch/headeronly/version.h").str(),
        apiOf(Include) + "/torch/version.h"}) {
    const std::string Text = textOf(Path);
    const StringRef Rest =
        StringRef(Text).split("define TORCH_VERSION ").second;
    if (!Rest.empty())
      return Rest.split('"').second.split('"').first.str();
  }
  return "";
}

/// What the headers below \p Include are to be read as. Those that need more
/// than C++17 say so by an #error in ATen.h, whose condition is looked for
/// here and in test/CMakeLists.txt.
static const char *standardOf(StringRef Include) {
  return StringRef(textOf(Include + "/ATen/ATen.h"))
                 .contains("__cplusplus < 202002L")
             ? "-std=c++20"
             : "-std=c++17";
}

std::string describe(const Libtorch &Torch) {
  return "libtorch" + (Torch.Release.empty() ? "" : " " + Torch.Release) +
         " (" + Torch.Whose + ")";
}

/// What is in \p Dir, sorted: a directory lists in any order.
static std::vector<std::string> entries(const llvm::Twine &Dir) {
  std::vector<std::string> All;
  std::error_code Error;
  for (llvm::sys::fs::directory_iterator It(Dir, Error), End;
       !Error && It != End; It.increment(Error))
    All.push_back(It->path());
  llvm::sort(All);
  return All;
}

/// \p Dir is a libtorch, its include directory, or a Python environment with
/// one.
static std::optional<Libtorch> libtorchIn(StringRef Dir, StringRef Whose) {
  std::vector<std::string> Places = {(Dir + "/include").str(),
                                     (Dir + "/torch/include").str(), Dir.str()};
  for (const std::string &Below : entries(Dir + "/lib"))
    if (llvm::sys::path::filename(Below).starts_with("python3"))
      Places.push_back(Below + "/site-packages/torch/include");
  for (const std::string &Include : Places)
    if (llvm::sys::fs::exists(apiOf(Include) + "/torch/torch.h"))
      return Libtorch{Include, releaseOf(Include), Whose.str()};
  return std::nullopt;
}

/// What \p Program says of itself; isolated, so that it reads nothing of the
/// directory it is started in.
static std::optional<Python> ask(const std::string &Program, StringRef Whose) {
  constexpr unsigned Seconds = 10;
  auto Answer = runProgram(
      Program,
      {"-I", "-c",
       "import site, sysconfig\n"
       "print(sysconfig.get_paths()['include'], *site.getsitepackages(), "
       "site.getusersitepackages(), sep='\\n')"},
      Seconds);
  if (!Answer) {
    llvm::consumeError(Answer.takeError()); // an environment that is gone
    return std::nullopt;
  }
  llvm::SmallVector<StringRef, 8> Lines;
  StringRef(Answer->Out).split(Lines, '\n', -1, false);
  if (Answer->Status || Lines.empty())
    return std::nullopt;
  Python Found;
  Found.Whose = Whose.str();
  Found.Include = Lines.front().str();
  for (StringRef Line : llvm::drop_begin(Lines))
    Found.Packages.push_back(Line.str());
  return Found;
}

/// The active ones: of VIRTUAL_ENV, of CONDA_PREFIX, and python3. They are
/// asked, because only they know where their packages are.
static std::vector<Python> activePythons() {
  std::vector<std::pair<std::string, std::string>> Programs;
  for (const char *Variable : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    if (const char *Root = std::getenv(Variable))
      Programs.emplace_back(std::string(Root) + "/bin/python3", Variable);
  if (auto Program = llvm::sys::findProgramByName("python3"))
    Programs.emplace_back(*Program, "python3");
  std::vector<Python> All;
  llvm::StringSet<> Asked; // that of an activated environment is in the PATH
  for (const auto &[Program, Whose] : Programs)
    if (Asked.insert(Program).second)
      if (auto Found = ask(Program, Whose))
        All.push_back(std::move(*Found));
  return All;
}

static std::optional<Libtorch> torchOf(const Python &P) {
  for (const std::string &Packages : P.Packages)
    if (auto Found = libtorchIn(Packages + "/torch", P.Whose))
      return Found;
  // Where conda keeps headers that are not Python's.
  if (P.Whose == "CONDA_PREFIX")
    return libtorchIn(std::getenv("CONDA_PREFIX"), P.Whose);
  return std::nullopt;
}

/// CUDA's headers as pip installs them, below nvidia/, for machines without a
/// toolkit.
static void addCuda(const Python &P, std::vector<std::string> &Flags) {
  if (!cudaToolkit("").empty())
    return;
  for (const std::string &Packages : P.Packages)
    for (const std::string &Part : entries(Packages + "/nvidia")) {
      if (!llvm::sys::fs::is_directory(Part + "/include"))
        continue;
      if (llvm::sys::fs::exists(Part + "/include/cuda_runtime.h"))
        Flags.push_back("--cuda-path=" + Part);
      Flags.insert(Flags.end(), {"-isystem", Part + "/include"});
    }
}

// As system headers, as its CMake package has them, so that they are not
// linted.
static std::vector<std::string> flagsOf(const Libtorch &Torch,
                                        const Python *With) {
  std::vector<std::string> Flags = {standardOf(Torch.Include), "-isystem",
                                    apiOf(Torch.Include)};
  // The compiler looks in these by itself, and moving them to another place in
  // the order breaks #include_next.
  if (Torch.Include != "/usr/include" && Torch.Include != "/usr/local/include")
    Flags.insert(Flags.end(), {"-isystem", Torch.Include});
  // torch/extension.h wants it.
  if (With && llvm::sys::fs::exists(With->Include + "/Python.h"))
    Flags.insert(Flags.end(), {"-isystem", With->Include});
  if (With)
    addCuda(*With, Flags);
  return Flags;
}

llvm::Expected<TorchSetup> findTorch(const std::string &Dir) {
  TorchSetup Found;
  const std::vector<Python> Pythons = activePythons();
  const Python *With = Pythons.empty() ? nullptr : &Pythons.front();
  if (!Dir.empty()) {
    llvm::SmallString<256> Whole(Dir);
    llvm::sys::fs::make_absolute(Whole);
    Found.Torch = libtorchIn(Whole, "--torch");
    if (!Found.Torch)
      return llvm::createStringError(
          llvm::inconvertibleErrorCode(),
          "there is no libtorch in '" + Dir +
              "': no include/torch/csrc/api/include/torch/torch.h");
  } else if (const char *Root = std::getenv("LIBTORCH")) {
    Found.Torch = libtorchIn(Root, "LIBTORCH");
  }
  for (const Python &P : Pythons)
    if (!Found.Torch) {
      Found.Torch = torchOf(P);
      if (Found.Torch)
        With = &P;
    }
  for (const char *Root : {"/usr", "/usr/local", "/opt/libtorch"})
    if (!Found.Torch)
      Found.Torch = libtorchIn(Root, Root);
  if (Found.Torch)
    Found.Flags = flagsOf(*Found.Torch, With);
  return Found;
}

} // namespace tensortidy::tool
