//===- ModelFiles.h - the models that ship, and a user's --------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The models that are part of the tool, and the file that a user has beside the
// sources, which goes over them.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_MODELS_MODELFILES_H
#define TENSORTIDY_MODELS_MODELFILES_H

#include "Models/ApiModel.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <memory>
#include <string>

namespace tensortidy::models {

/// Reads the models that ship with the tool (libtorch, runtime). Parsed once
/// per process.
const ApiModel &builtinModel();

/// The file that models the user's own types and functions in \p Source:
/// `Given`, or else the nearest .tensortidy.yaml above the source; empty when
/// there is none.
std::string userModelFile(llvm::StringRef Source, llvm::StringRef Given,
                          llvm::vfs::FileSystem &FS);
/// The models that ship, with \p File over them, if there is one.
llvm::Expected<std::unique_ptr<ApiModel>>
readUserModel(const std::string &File, llvm::vfs::FileSystem &FS);
/// Makes the functions `check;ns::require` of \p Names assertions.
llvm::Error addAssertions(llvm::StringRef Names, ApiModel &Model);

} // namespace tensortidy::models

#endif
