//===- Bodies.cpp - the function bodies that are read ---------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bodies.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Lex/HeaderSearch.h"

using namespace clang;

namespace tensortidy::tool {

/// The outermost namespace of \p D that has a name, or nothing.
static llvm::StringRef namespaceOf(const Decl &D) {
  llvm::StringRef Name;
  for (const DeclContext *C = D.getDeclContext(); C; C = C->getParent())
    if (const auto *N = dyn_cast<NamespaceDecl>(C);
        N && !N->isAnonymousNamespace())
      Name = N->getName();
  return Name;
}

/// Namespaces of the standard library, and of what the compiler brings along.
static bool isStandard(llvm::StringRef Namespace) {
  return Namespace == "std" || Namespace.starts_with("__");
}

bool Bodies::areAsked(const FunctionDecl &F) {
  const SourceLocation Loc = F.getLocation();
  if (F.isDependentContext() || Linted.admits(Loc))
    return true;
  const llvm::StringRef Namespace = namespaceOf(F);
  if (!SM.isInSystemHeader(Loc))
    // What has no namespace is told from the user's by its name only.
    return !isInLibrary(Loc) || Namespace.empty();
  // Asked before the fields behind it are known.
  return isa<CXXMethodDecl>(F) && !isStandard(Namespace) && !isInLibrary(Loc);
}

bool Bodies::areAskedLate(SourceLocation Loc) {
  return (SM.isInSystemHeader(Loc) || isInLibrary(Loc)) && !Linted.admits(Loc);
}

bool Bodies::isForeign(const TagDecl &D) {
  if (!areAskedLate(D.getLocation()))
    return false;
  if (const auto *Outer = dyn_cast<TagDecl>(D.getDeclContext());
      Outer && !isForeign(*Outer))
    return false;
  const auto *S = dyn_cast<ClassTemplateSpecializationDecl>(&D);
  return !S || llvm::all_of(S->getTemplateArgs().asArray(),
                            [&](const TemplateArgument &Argument) {
                              return isForeign(Argument);
                            });
}

bool Bodies::isForeign(QualType T) {
  T = T.getCanonicalType().getNonReferenceType();
  while (T->isPointerType())
    T = T->getPointeeType();
  const TagDecl *D = T->getAsTagDecl();
  return D ? isForeign(*D) : T->isBuiltinType();
}

bool Bodies::isForeign(const TemplateArgument &Argument) {
  switch (Argument.getKind()) {
  case TemplateArgument::Type:
    return isForeign(Argument.getAsType());
  case TemplateArgument::Integral:
  case TemplateArgument::NullPtr:
    return true;
  case TemplateArgument::Pack:
    return llvm::all_of(
        Argument.pack_elements(),
        [&](const TemplateArgument &Element) { return isForeign(Element); });
  default:
    return false;
  }
}

bool Bodies::isInLibrary(SourceLocation Loc) {
  const FileID File = SM.getFileID(SM.getExpansionLoc(Loc));
  auto [It, New] = Library.try_emplace(File, false);
  if (!New)
    return It->second;
  // The name that an #include has for it: wherever a library is installed, and
  // whatever the folder of a project is called.
  if (auto Entry = SM.getFileEntryRefForID(File))
    It->second = Model.isLibraryHeader(
        Headers.suggestPathToFileForDiagnostics(*Entry, /*MainFile=*/""));
  return It->second;
}

} // namespace tensortidy::tool
