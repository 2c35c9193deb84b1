//===- Depfile.cpp - what an output was made from -------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Depfile.h"
#include "Replace.h"
#include "SourceKind.h"
#include "clang/Basic/MakeSupport.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

namespace tensortidy::tool {

void Depfile::add(llvm::ArrayRef<std::string> Paths) {
  for (const std::string &Path : Paths)
    if (std::string Absolute = absolutePath(Path);
        !Inputs.count(Absolute) && llvm::sys::fs::is_regular_file(Absolute))
      Inputs.insert(std::move(Absolute));
}

void Depfile::addOptions(const Options &O) {
  add({O.Baseline, O.Model, O.ConfigFile.value_or("")});
  if (!O.BuildDir.empty())
    add({O.BuildDir, O.BuildDir + "/compile_commands.json",
         O.BuildDir + "/compile_flags.txt"});
}

static std::string quoted(llvm::StringRef Path) {
  llvm::SmallString<256> Out;
  clang::quoteMakeTarget(Path, Out);
  return Out.str().str();
}

llvm::Error Depfile::write(const Options &O, bool Failed) const {
  const auto To = llvm::find_if(
      O.Outputs, [](const Output &Any) { return !Any.File.empty(); });
  std::string Text = quoted(To->File) + ":";
  for (const std::string &Input : Inputs)
    Text += " \\\n  " + quoted(Input);
  if (Failed)
    Text += " \\\n  " + quoted(To->File + ".failed");
  return writeOutput(O.Depfile, Text + "\n");
}

} // namespace tensortidy::tool
