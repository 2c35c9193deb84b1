//===- ModuleReader.h - how a module of torch::nn was made ------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By a local's initializer, or by what the only constructor of its class gives
// a member: the class of the module, its arguments and its options by name.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_MODULES_MODULEREADER_H
#define TENSORTIDY_FRONTEND_MODULES_MODULEREADER_H

#include "Frontend/Ast/CallSite.h"
#include "llvm/ADT/StringMap.h"

namespace clang {
class FunctionDecl;
} // namespace clang

namespace tensortidy::frontend {

class Types;
class UnitTable;
struct BodyScan;

/// How a module of torch::nn was made: `Linear(784, 10)`.
struct ModuleSpec {
  llvm::StringRef Class;     ///< "Linear"; empty for one of the user's
  llvm::StringRef Qualified; ///< "torch::nn::Linear", as models name it
  const clang::CXXRecordDecl *Users = nullptr;
  llvm::StringRef Name; ///< of the variable or member; or empty
  const clang::Expr *Made = nullptr;
  llvm::SmallVector<const clang::Expr *, 4> Args;
  llvm::StringMap<const clang::Expr *> Options; ///< .stride(2)
  llvm::StringRef DType; ///< of its weights; empty: something may convert them
};

/// The settings that the options of a function of torch::nn::functional were
/// made with stand in their place, named as the parameters of who takes them.
/// Options that come from elsewhere stay.
void addSettings(CallSite &C, Types &Kinds);

class ModuleReader {
public:
  ModuleReader(const clang::FunctionDecl &Fn, UnitTable &Unit, Types &Kinds,
               const BodyScan &Scan)
      : Fn(Fn), Unit(Unit), Kinds(Kinds), Scan(Scan) {}

  /// How the module that \p E names or makes was made.
  bool read(const clang::Expr *E, ModuleSpec &Spec, unsigned Depth = 0);

private:
  bool staysAsMade(const clang::FieldDecl &F) const;
  bool madeWith(const clang::CXXRecordDecl &Impl, const clang::Expr *Made,
                ModuleSpec &Spec);
  void readNamedModules(ModuleSpec &Spec);
  bool readOptions(ModuleSpec &Spec);

  const clang::FunctionDecl &Fn;
  UnitTable &Unit;
  Types &Kinds;
  const BodyScan &Scan;
};

} // namespace tensortidy::frontend

#endif
