//===- FunctionBuilder.h - statements of a tensor program, one by one -----===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Adds statements to one block of a function, each with where it stands in the
// source, and gives each result its number.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_BUILD_FUNCTIONBUILDER_H
#define TENSORTIDY_FRONTEND_BUILD_FUNCTIONBUILDER_H

#include "Program/Program.h"
#include "clang/AST/Type.h"
#include "clang/Basic/SourceLocation.h"

namespace clang {
class SourceManager;
class Stmt;
} // namespace clang

namespace tensortidy::frontend {

class Surroundings;
class Types;

class FunctionBuilder {
  using ValueId = program::ValueId;
  using Op = program::Op;

public:
  /// \p IsInstance: the function was made from a template, or stands in one.
  FunctionBuilder(program::Function &Out, const clang::SourceManager &SM,
                  Types &Kinds, const Surroundings &Around, bool IsInstance)
      : Out(Out), SM(SM), Kinds(Kinds), Around(Around), IsInstance(IsInstance) {
  }

  /// Statements go there from now on.
  void startBlock(program::BlockId B) { Here = B; }
  program::BlockId here() const { return Here; }
  program::Block &block() { return Out.Blocks[Here]; }
  llvm::SmallVectorImpl<program::Stmt> &statements() { return block().Stmts; }
  /// The statement made last.
  program::Stmt &last() { return statements().back(); }

  program::Stmt &emit(Op O, const clang::Stmt *At);
  ValueId result(program::Stmt &S) { return S.Result = Out.NextValue++; }
  ValueId emitValue(Op O, const clang::Stmt *At,
                    llvm::ArrayRef<ValueId> Operands);
  /// A statement of isOpaque(); \p Text is for messages.
  ValueId emitOther(Op O, llvm::StringRef Text, const clang::Stmt *At,
                    llvm::ArrayRef<ValueId> Reads);
  /// Marks the statement just made when its result, of type \p T, points where
  /// an operand does.
  ValueId derives(ValueId V, clang::QualType T);
  ValueId constInt(int64_t V, const clang::Stmt *At, bool IsNamed = false);
  ValueId constBool(bool V, const clang::Stmt *At);
  ValueId constNone(const clang::Stmt *At);
  ValueId constText(program::ConstKind K, llvm::StringRef Text,
                    const clang::Stmt *At);
  ValueId load(program::VarId V, const clang::Stmt *At);
  void reaches(program::Reach What) { last().Reaches = What; }
  program::Range range(clang::SourceRange R) const;

private:
  program::Function &Out;
  const clang::SourceManager &SM;
  Types &Kinds;
  const Surroundings &Around;

  const bool IsInstance;
  program::BlockId Here = 0;
};

} // namespace tensortidy::frontend

#endif
