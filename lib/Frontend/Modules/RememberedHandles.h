//===- RememberedHandles.h - parameters that are put by ---------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is put by is a handle, and training changes what it leads to:
//
//   best_[p.key()] = p.value().detach();     the parameter itself
//   ...
//   p.value().copy_(best_[p.key()]);         a copy of it onto itself
//
// Both may stand in one function, or in methods of one class. Whatever else is
// ever put there, or done to it or to the module, silences this.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_MODULES_REMEMBEREDHANDLES_H
#define TENSORTIDY_FRONTEND_MODULES_REMEMBEREDHANDLES_H

#include "Frontend/Ast/CallSite.h"

namespace tensortidy::frontend {

struct Remembered {
  const clang::ValueDecl *In = nullptr; ///< the variable or member; or null
  const clang::Expr *Back = nullptr;    ///< copies it over the module's tensor
};

/// What the call \p C puts by, if it is a handle of a module's tensor, and only
/// such are, and it is copied back.
Remembered remembered(const CallSite &C, Types &Kinds);

} // namespace tensortidy::frontend

#endif
