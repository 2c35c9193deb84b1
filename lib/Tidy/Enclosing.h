//===- Enclosing.h - the function around a place ----------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A finding is recognised in a later run (by a baseline, or by a server that
// shows SARIF) by its function, since lines move and functions keep their
// names.
//
//   namespace net {
//   template <class T> struct Block {
//     Tensor run(Tensor x) {
//       each([&] { x.view(-1); });      "net::Block::run", for any T: lambdas
//     }                                 belong to the function around them
//   };
//   }
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TIDY_ENCLOSING_H
#define TENSORTIDY_TIDY_ENCLOSING_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace tensortidy::tidy {

/// The qualified name of the innermost of \p Functions whose text has \p Loc;
/// empty: none of them.
std::string
functionAround(clang::SourceLocation Loc,
               llvm::ArrayRef<const clang::FunctionDecl *> Functions,
               const clang::ASTContext &AST);

} // namespace tensortidy::tidy

#endif
