//===- Enclosing.cpp - the function around a place ------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tidy/Enclosing.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace tensortidy::tidy {

/// What was written: of an instantiation, the template.
static const FunctionDecl *written(const FunctionDecl *F) {
  const FunctionDecl *Pattern = F->getTemplateInstantiationPattern();
  return Pattern ? Pattern : F;
}

/// The function that a lambda, or a method of a local class, stands in.
static const FunctionDecl *named(const FunctionDecl *F) {
  const FunctionDecl *Named = F;
  for (const DeclContext *C = F->getParent(); C; C = C->getParent())
    if (const auto *Outer = dyn_cast<FunctionDecl>(C))
      Named = Outer;
  return written(Named);
}

std::string functionAround(SourceLocation Loc,
                           llvm::ArrayRef<const FunctionDecl *> Functions,
                           const ASTContext &AST) {
  const SourceManager &SM = AST.getSourceManager();
  const auto [File, Offset] = SM.getDecomposedLoc(SM.getFileLoc(Loc));
  const FunctionDecl *Best = nullptr;
  unsigned Shortest = 0;
  for (const FunctionDecl *F : Functions) {
    const SourceRange Range = written(F)->getSourceRange();
    const auto Begin = SM.getDecomposedExpansionLoc(Range.getBegin());
    const auto End =
        SM.getDecomposedLoc(SM.getExpansionRange(Range.getEnd()).getEnd());
    if (Begin.first != File || End.first != File || Begin.second > Offset ||
        End.second < Offset)
      continue;
    const unsigned Length = End.second - Begin.second;
    if (!Best || Length < Shortest) {
      Best = F;
      Shortest = Length;
    }
  }
  return Best ? named(Best)->getQualifiedNameAsString() : "";
}

} // namespace tensortidy::tidy
