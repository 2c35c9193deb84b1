//===- ModuleUse.h - what a module with a model does ------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module is made in one place and called in another; models say under
// `modules` what its settings are for:
//
//   Linear(784, 10)(x)       %w = weight size=[10, 784]
//                            %y = linear input=%x weight=%w
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_MODULES_MODULEUSE_H
#define TENSORTIDY_FRONTEND_MODULES_MODULEUSE_H

#include "Frontend/Modules/ModuleReader.h"
#include "Models/ApiModel.h"

namespace tensortidy::frontend {

class ConstantMaker;
class FunctionBuilder;
class SettingLowering;

/// A parameter of \p M of these sizes, and the settings it was made of.
program::ValueId emitWeight(FunctionBuilder &Build, const ModuleSpec &M,
                            program::ValueId Size, const clang::Expr *At,
                            llvm::ArrayRef<program::ValueId> Written = {});

class ModuleUse {
  using ValueId = program::ValueId;

public:
  /// Finds what modules made like \p M do.
  ModuleUse(const ModuleSpec &M, const models::ApiModel &Model,
            FunctionBuilder &Build, SettingLowering &Settings,
            ConstantMaker &Constants);

  /// The module called on \p X, or 0: nothing better is known than the model of
  /// its forward() says.
  ValueId call(ValueId X, const clang::Expr &At) const;
  /// Its weight of two sizes, as \p At reads it; or 0.
  ValueId weightOfTwo(const clang::Expr &At) const;

private:
  const clang::Expr *setting(const models::ModuleApi &A,
                             llvm::StringRef Name) const;
  bool holds(const models::ModuleApi &A) const;
  llvm::SmallVector<ValueId, 5> sizes(const clang::Expr &At) const;

  const ModuleSpec &M;
  FunctionBuilder &Build;
  SettingLowering &Settings;
  ConstantMaker &Constants;
  const models::ModuleApi *Found = nullptr;
  program::Attributes Has; ///< of its class
};

} // namespace tensortidy::frontend

#endif
