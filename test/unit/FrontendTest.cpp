//===- FrontendTest.cpp - what code says by itself ------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Frontend.h"
#include "Frontend/Ast/CallSite.h"
#include "Frontend/Ast/Code.h"
#include "Frontend/Modules/InitialValues.h"
#include "Models/ModelFiles.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include "gtest/gtest.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;

namespace {

std::unique_ptr<ASTUnit> parsed(const std::string &Code) {
  return tooling::buildASTFromCodeWithArgs(Code, {"-std=c++17"});
}

/// The declaration of that name at the top of \p Unit.
template <typename T> const T *declared(ASTUnit &Unit, llvm::StringRef Name) {
  for (const Decl *D : Unit.getASTContext().getTranslationUnitDecl()->decls())
    if (const auto *Named = dyn_cast<T>(D);
        Named && !Named->isImplicit() && Named->getName() == Name)
      return Named;
  return nullptr;
}

TEST(Types, NamesStayWhileOthersAreAdded) {
  std::string Code;
  for (unsigned I = 0; I < 300; ++I)
    Code += "void f" + std::to_string(I) + "();\n";
  const auto Unit = parsed(Code);
  Types Kinds(builtinModel());
  std::vector<llvm::StringRef> Names;
  for (const Decl *D : Unit->getASTContext().getTranslationUnitDecl()->decls())
    if (const auto *F = dyn_cast<FunctionDecl>(D))
      Names.push_back(Kinds.name(*F));
  ASSERT_EQ(Names.size(), 300u);
  for (unsigned I = 0; I < 300; ++I)
    EXPECT_EQ(Names[I], "f" + std::to_string(I));
}

TEST(CallSites, SayObjectAndArguments) {
  const auto Unit = parsed("struct S { int at(int i, int j = 2); };\n"
                           "int f(S s) { return s.at(1); }");
  const auto *F = declared<FunctionDecl>(*Unit, "f");
  ASSERT_TRUE(F);
  const auto *Body = cast<CompoundStmt>(F->getBody());
  const auto *Return = cast<ReturnStmt>(Body->body_front());
  Types Kinds(builtinModel());
  const CallSite C = callSite(*cast<CallExpr>(Return->getRetValue()), Kinds);
  EXPECT_EQ(C.Name, "at");
  EXPECT_TRUE(C.IsMethod);
  EXPECT_TRUE(isa<DeclRefExpr>(strip(C.Object)));
  ASSERT_EQ(C.Args.size(), 1u); // without the default one
  EXPECT_EQ(C.Params[0]->getName(), "i");
}

/// What constructing an object gives `m`: a number as it is written.
std::string initial(const std::string &Class) {
  const auto Unit = parsed(Class);
  const auto *S = declared<CXXRecordDecl>(*Unit, "S");
  const Expr *E = initialValue(models::ApiModel(), **S->field_begin());
  const auto *I = E ? dyn_cast<IntegerLiteral>(strip(E)) : nullptr;
  return I ? std::to_string(I->getValue().getSExtValue()) : E ? "?" : "";
}

TEST(InitialValues, ComeFromTheOnlyConstructor) {
  EXPECT_EQ(initial("struct S { int m = 1; };"), "1");
  EXPECT_EQ(initial("struct S { int m = 1; S() : m(2) {} };"), "2");
  EXPECT_EQ(initial("struct S { int m = 1; S() { m = 3; } };"), "3");
  EXPECT_EQ(initial("struct S { int m; S(); };"), "");
  EXPECT_EQ(initial("struct S { int m; S() { m = 1; } S(int) { m = 2; } };"),
            "");
}

TEST(InitialValues, AreLostWhereOthersChangeThem) {
  EXPECT_EQ(initial("struct S { int m; S(bool b) { m = 1; if (b) m = 2; } };"),
            "");
  EXPECT_EQ(initial("struct S { int m = 1; S() {} void f() { m = 2; } };"), "");
  EXPECT_EQ(initial("void g(int *); struct S { int m = 1; S() { g(&m); } };"),
            "");
  // What the constructor always calls is part of it.
  EXPECT_EQ(initial("struct S { int m; S() { f(); } void f() { m = 4; } };"),
            "4");
}

} // namespace
