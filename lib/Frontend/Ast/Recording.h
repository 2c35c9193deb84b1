//===- Recording.h - who may run while nothing is recorded -----*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether autograd records what a function does is up to those who call it:
//
//   int main() { torch::NoGradGuard guard; run(net); }   run(), and what it
//                                                        calls, may not be
//   net = torch::jit::freeze(net)                        nothing of the unit
//                                                        may be
//   p.set_requires_grad(false)                           nor what a method does
//                                                        of the same class
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_AST_RECORDING_H
#define TENSORTIDY_FRONTEND_AST_RECORDING_H

#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace tensortidy::frontend {

class Types;

/// What of a unit may run while nothing is recorded.
struct Unrecorded {
  bool All = false;
  llvm::DenseSet<const clang::FunctionDecl *> Some; ///< canonical
  /// Of which a method makes parameters that require no gradients.
  llvm::DenseSet<const clang::CXXRecordDecl *> Classes;
  bool has(const clang::FunctionDecl &F) const;
};

class Recording {
public:
  explicit Recording(Types &Kinds) : Kinds(Kinds) {}

  /// Notes \p E of the body of \p In; null: of no function.
  void expression(const clang::Expr &E, const clang::FunctionDecl *In);
  void variable(const clang::ValueDecl &V, const clang::FunctionDecl *In);
  /// A lambda of \p Around has the body \p F.
  void inside(const clang::FunctionDecl &F, const clang::FunctionDecl *Around) {
    named(F, Around);
  }
  /// What is known when the whole unit is noted.
  Unrecorded take();

private:
  bool guards(clang::QualType T, unsigned Depth = 0) const;
  void named(const clang::FunctionDecl &F, const clang::FunctionDecl *In);
  void off(const clang::FunctionDecl *In);

  Types &Kinds;
  Unrecorded Out;
  std::vector<const clang::FunctionDecl *> Work;
  llvm::DenseMap<const clang::FunctionDecl *,
                 llvm::SmallVector<const clang::FunctionDecl *, 4>>
      Names; ///< the functions that a body names
};

} // namespace tensortidy::frontend

#endif
