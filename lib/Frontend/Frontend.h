//===- Frontend.h - Clang AST and CFG to tensor programs --------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the functions worth analysing and lowers each to a tensor program.
//
//   declarations of the linted file -> mentions a tensor type? -> CFG ->
//   Program
//        (never the headers)             (cheap pre-filter)
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_FRONTEND_H
#define TENSORTIDY_FRONTEND_FRONTEND_H

#include "Frontend/Ast/Ranges.h"
#include "Frontend/Ast/Types.h"
#include "Frontend/Build/UnitTable.h"
#include "Models/ApiModel.h"
#include "Program/Inline.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <memory>
#include <string>
#include <vector>

namespace clang {
class Preprocessor;
} // namespace clang

namespace tensortidy::frontend {

using namespace models;

struct Candidates {
  std::vector<const clang::FunctionDecl *>
      Functions; ///< bodies that mention a tensor; lambdas and instantiations
                 ///< included
  unsigned FunctionsSeen = 0; ///< with a body, in linted files
  /// Members that others than their class assign: `net->fc = Linear(512, 2)`.
  llvm::DenseSet<const clang::ValueDecl *> Replaced;
  llvm::DenseMap<const clang::FunctionDecl *, Promises> Registered;
  bool ConvertsModules = false;
  llvm::DenseSet<const clang::CXXRecordDecl *> Made;
  FieldUses Fields;
  Unrecorded Silently;
  llvm::DenseSet<const clang::ValueDecl *> OnBackend;
  llvm::DenseSet<const clang::CXXRecordDecl *> Moved;
};

/// Functions to analyse. `Admits` says whether a location's file is linted
/// (main file, or a header the header filter admits).
Candidates
findFunctions(clang::ASTContext &Context, const ApiModel &Model,
              llvm::function_ref<bool(clang::SourceLocation)> Admits);

/// What TORCH_VERSION_MAJOR and TORCH_VERSION_MINOR say; 0 where the code does
/// not include them.
Release libraryRelease(clang::Preprocessor &PP);

/// The functions of a unit, lowered when they are asked for: those to analyse,
/// and those they call.
class UnitFunctions final : public program::FunctionSource, public UnitTable {
public:
  /// `Tainted` holds locations of compile errors: a function with one inside
  /// has Reason == HasErrors.
  UnitFunctions(clang::ASTContext &Context, const ApiModel &Model,
                llvm::ArrayRef<clang::SourceLocation> Tainted)
      : Context(Context), Kinds(Model), Tainted(Tainted) {}

  const program::Function &get(const clang::FunctionDecl &F);
  const program::Function *body(program::BodyId Id) override;

private:
  clang::ASTContext &Context;
  Types Kinds;
  llvm::ArrayRef<clang::SourceLocation> Tainted;
  std::vector<std::unique_ptr<program::Function>> Lowered;
};

} // namespace tensortidy::frontend

#endif
