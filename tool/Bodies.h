//===- Bodies.h - the function bodies that are read -------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Most of what a unit with <torch/torch.h> takes goes into bodies of functions
// that no analysis asks for. They are passed over, brace by brace:
//
//   net.cpp                                 read: it is linted
//   ops.h          inline Tensor pack()     read: calls of it are followed
//   ATen/...       inline Tensor add()      the model says what calls mean
//   <mat.h>        void print() {}          no call into a system header is
//                  struct Net { Net() {} }  read: how its modules are made
//                  template <class F>
//                  void each(F f) { f(1); } read: may run `[](auto x) {}`
//
//   <ATen/...>     template <class T>
//                  T *data() { ... }        read where it is instantiated
//
// Clang itself reads those that it needs to go on: constexpr functions, and
// those whose return type is deduced. What the vtables of the libraries' own
// specializations need is not instantiated.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_BODIES_H
#define TENSORTIDY_TOOL_BODIES_H

#include "Models/ApiModel.h"
#include "Tidy/Tidy.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseMap.h"

namespace clang {
class FunctionDecl;
class QualType;
class TagDecl;
class TemplateArgument;
class HeaderSearch;
} // namespace clang

namespace tensortidy::tool {

class Bodies {
public:
  /// \p Linted are the files whose findings are shown. All must outlive it.
  Bodies(const models::ApiModel &Model, tidy::FileFilter &Linted,
         const clang::SourceManager &SM, clang::HeaderSearch &Headers)
      : Model(Model), Linted(Linted), SM(SM), Headers(Headers) {}

  /// Whether some analysis may ask for the body of \p F.
  bool areAsked(const clang::FunctionDecl &F);

  /// Whether bodies of templates at \p Loc are asked for only where they are
  /// instantiated: nothing but the user's own code in them counts.
  bool areAskedLate(clang::SourceLocation Loc);

  /// Whether \p D and all that it is a specialization for are of systems and
  /// libraries, as torch::nn::Cloneable<torch::nn::LinearImpl> is: its virtual
  /// functions, which its vtable needs, instantiate nothing of the user's.
  bool isForeign(const clang::TagDecl &D);

private:
  bool isForeign(clang::QualType T);
  bool isForeign(const clang::TemplateArgument &Argument);

  /// Whether \p Loc is in a header of a library that the model describes.
  bool isInLibrary(clang::SourceLocation Loc);

  const models::ApiModel &Model;
  tidy::FileFilter &Linted;
  const clang::SourceManager &SM;
  clang::HeaderSearch &Headers;
  llvm::DenseMap<clang::FileID, bool> Library;
};

} // namespace tensortidy::tool

#endif
