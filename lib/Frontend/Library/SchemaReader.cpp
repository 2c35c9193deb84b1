//===- SchemaReader.cpp - operators that a unit registers -----------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Library/SchemaReader.h"
#include "Frontend/Ast/Code.h"
#include "Frontend/Ast/Types.h"
#include "clang/AST/DeclTemplate.h"

using namespace clang;
using namespace tensortidy::frontend;
using llvm::StringRef;

/// The parameters of \p Text, up to the parenthesis that ends them; \p Text
/// becomes what follows it. A default may have commas: `int[2] pad=[0, 0]`.
static llvm::SmallVector<StringRef, 8> parameters(StringRef &Text) {
  llvm::SmallVector<StringRef, 8> Found;
  unsigned Depth = 0;
  size_t From = 0;
  for (size_t I = 0; I < Text.size(); ++I) {
    if (StringRef("([").contains(Text[I])) {
      ++Depth;
    } else if (Depth && StringRef(")]").contains(Text[I])) {
      --Depth;
    } else if (!Depth && (Text[I] == ',' || Text[I] == ')')) {
      Found.push_back(Text.slice(From, I).trim());
      From = I + 1;
      if (Text[I] == ')') {
        Text = Text.drop_front(From);
        return Found;
      }
    }
  }
  return {};
}

/// `Tensor(a!)? out=None` and the short form `Tensor! out` write. Who returns
/// a view of `Tensor(a) x` lets others write to it.
static Promise promised(StringRef Parameter) {
  const StringRef Type = Parameter.split('=').first;
  if (!Type.starts_with("Tensor"))
    return Promise::None;
  return Type.contains('!')   ? Promise::Writes
         : Type.contains('(') ? Promise::None
                              : Promise::Reads;
}

/// What \p Schema says of its parameters; empty: nothing, or it is malformed.
static Promises readSchema(StringRef Schema) {
  auto [Name, Rest] = Schema.split('(');
  Promises Found;
  for (StringRef P : parameters(Rest))
    if (P != "*" && !P.empty()) // what follows is given by name
      Found.push_back(promised(P));
  const bool Returns = Rest.trim().consume_front("->") && !Rest.contains("()");
  return Returns || llvm::is_contained(Found, Promise::Writes) ? Found
                                                               : Promises();
}

/// The text in \p E: `"scale(Tensor x)"`, `torch::schema("...", tags)`.
static const clang::StringLiteral *literal(const clang::Stmt &E,
                                           unsigned Depth = 8) {
  if (const auto *L = dyn_cast<clang::StringLiteral>(&E))
    return L;
  for (const clang::Stmt *Child : E.children())
    if (Child && Depth)
      if (const auto *L = literal(*Child, Depth - 1))
        return L;
  return nullptr;
}

/// The function that \p E names: `&scale`, `CppFunction(scale)`, or an argument
/// of a template, as TORCH_FN(scale) and TORCH_BOX(&scale) are made.
static const FunctionDecl *named(const clang::Stmt &E, unsigned Depth = 8) {
  llvm::ArrayRef<TemplateArgument> Arguments;
  if (const auto *D = dyn_cast<DeclRefExpr>(&E)) {
    const auto *F = dyn_cast<FunctionDecl>(D->getDecl());
    const auto *In =
        F ? dyn_cast<ClassTemplateSpecializationDecl>(F->getDeclContext())
          : nullptr;
    if (!In)
      return F;
    Arguments = In->getTemplateArgs().asArray();
  } else if (const auto *X = dyn_cast<Expr>(&E)) {
    if (const auto *In = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
            recordOf(X->getType())))
      Arguments = In->getTemplateArgs().asArray();
  }
  for (const TemplateArgument &A : Arguments)
    if (A.getKind() == TemplateArgument::Declaration)
      if (const auto *F = dyn_cast<FunctionDecl>(A.getAsDecl()))
        return F;
  for (const clang::Stmt *Child : E.children())
    if (Child && Depth)
      if (const FunctionDecl *F = named(*Child, Depth - 1))
        return F;
  return nullptr;
}

void SchemaReader::registration(const CXXMemberCallExpr &C) {
  const CXXMethodDecl *M = C.getMethodDecl();
  if (!M || !C.getNumArgs() ||
      !Kinds.model()
           .attributesOf(Kinds.name(*M), false)
           .has(program::Attribute::RegistersOperator))
    return;
  const clang::StringLiteral *Text = literal(*C.getArg(0));
  if (!Text || !Text->isOrdinary())
    return;
  const StringRef Schema = Text->getString();
  const StringRef Name = Schema.split('(').first;
  if (Schema.contains('(')) {
    Promises Found = readSchema(Schema);
    auto [It, New] = Schemas.try_emplace(Name, Found);
    if (!New && It->second != Found)
      It->second.clear(); // of two libraries
  }
  for (unsigned I = C.getNumArgs() - 1; I > 0; --I)
    if (const FunctionDecl *F = named(*C.getArg(I))) {
      Functions.emplace_back(F->getCanonicalDecl(), Name);
      return;
    }
}

llvm::DenseMap<const FunctionDecl *, Promises> SchemaReader::take() {
  llvm::DenseMap<const FunctionDecl *, Promises> Found;
  for (const auto &[F, Name] : Functions) {
    const Promises Here = Schemas.lookup(Name);
    auto [It, New] = Found.try_emplace(F, Here);
    if (Here.size() != F->getNumParams() || (!New && It->second != Here))
      It->second.clear(); // not its schema, or of two operators
  }
  return Found;
}
