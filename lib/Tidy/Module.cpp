//===- Module.cpp - registers the checks with clang-tidy ------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tidy/Compat.h"
#include "Tidy/Unit.h"

using namespace clang::tidy;

namespace tensortidy::tidy {

namespace {

class TensorModule : public ClangTidyModule {
public:
  void addCheckFactories(ClangTidyCheckFactories &Factories) override {
    for (const analysis::CheckInfo &Info : analysis::checks())
      Factories.registerCheckFactory(
          Info.Name,
          [Id = Info.Id](llvm::StringRef Name, ClangTidyContext *Context) {
            return std::make_unique<TensorCheck>(Id, Name, Context);
          });
  }
};

ClangTidyModuleRegistry::Add<TensorModule>
    // As every module of clang-tidy does it.
    // NOLINTNEXTLINE(bugprone-throwing-static-initialization)
    Registration("tensor-module", "checks for C++ tensor code");

} // namespace

} // namespace tensortidy::tidy
