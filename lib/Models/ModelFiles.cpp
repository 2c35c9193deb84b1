//===- ModelFiles.cpp - the models that ship, and a user's ----------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Models/ModelFiles.h"
#include "Models/ReadFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Path.h"

#include "Models.inc"

using namespace tensortidy;
using namespace tensortidy::models;

static std::unique_ptr<ApiModel> shippedModels() {
  auto All = std::make_unique<ApiModel>();
  for (const auto &[Name, Text] : kModels) {
    llvm::Expected<ApiModel> One =
        ApiModel::parse(Text, std::string(Name) + ".yaml");
    if (!One)
      llvm::report_fatal_error(One.takeError(), false);
    All->add(std::move(*One));
  }
  return All;
}

const ApiModel &models::builtinModel() {
  // Lives as long as the process.
  static const ApiModel *Model = shippedModels().release();
  return *Model;
}

std::string models::userModelFile(llvm::StringRef Source, llvm::StringRef Given,
                                  llvm::vfs::FileSystem &FS) {
  if (!Given.empty())
    return Given.str();
  llvm::SmallString<256> Path(Source);
  if (FS.makeAbsolute(Path))
    return "";
  llvm::sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  for (llvm::StringRef Dir = llvm::sys::path::parent_path(Path); !Dir.empty();
       Dir = llvm::sys::path::parent_path(Dir)) {
    llvm::SmallString<256> File(Dir);
    llvm::sys::path::append(File, ".tensortidy.yaml");
    if (FS.exists(File))
      return File.str().str();
  }
  return "";
}

llvm::Expected<std::unique_ptr<ApiModel>>
models::readUserModel(const std::string &File, llvm::vfs::FileSystem &FS) {
  if (File.empty())
    return shippedModels();
  auto Buffer = readRegularFile(File, FS, MostBytesOfConfig, "the model ");
  if (!Buffer)
    return Buffer.takeError();
  llvm::Expected<ApiModel> Own =
      ApiModel::parse((*Buffer)->getBuffer(), File, ModelOwner::User);
  if (!Own)
    return Own.takeError();
  std::unique_ptr<ApiModel> All = shippedModels();
  All->add(std::move(*Own));
  return All;
}

llvm::Error models::addAssertions(llvm::StringRef Names, ApiModel &Model) {
  std::string Text = "version: 1\noperations:\n  - { op: assume, names: [";
  llvm::SmallVector<llvm::StringRef, 4> All;
  Names.split(All, ';', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef &Name : All) {
    Name = Name.trim();
    if (Name.empty() || !llvm::all_of(Name, [](char C) {
          return llvm::isAlnum(C) || C == '_' || C == ':';
        }))
      return llvm::createStringError(
          std::make_error_code(std::errc::invalid_argument),
          "tensortidy.Assertions: '" + Name +
              "' is not the name of a function; names are separated by ';'");
  }
  Text += llvm::join(All, ", ") + "] }\n";
  auto Own = ApiModel::parse(Text, "tensortidy.Assertions", ModelOwner::User);
  if (!Own)
    return Own.takeError();
  Model.add(std::move(*Own));
  return llvm::Error::success();
}
