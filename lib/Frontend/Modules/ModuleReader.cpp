//===- ModuleReader.cpp - how a module of torch::nn was made --------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Modules/ModuleReader.h"
#include "Frontend/Ast/BodyScan.h"
#include "Frontend/Ast/Code.h"
#include "Frontend/Ast/Types.h"
#include "Frontend/Build/UnitTable.h"
#include "Frontend/Modules/InitialValues.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;
using llvm::StringRef;

/// Whether nothing converts objects of the class that \p F is a member of: the
/// unit does not, and no other one has any, or this one makes some itself.
bool ModuleReader::staysAsMade(const FieldDecl &F) const {
  const auto *Class = dyn_cast<CXXRecordDecl>(F.getParent());
  return !Unit.ConvertsModules && Class &&
         (Unit.Made.contains(Class->getCanonicalDecl()) ||
          Class->getASTContext().getSourceManager().isInMainFile(
              Class->getLocation()));
}

bool ModuleReader::read(const Expr *E, ModuleSpec &Spec, unsigned Depth) {
  E = strip(E);
  if (Depth > 8)
    return false;
  if (const auto *M = dyn_cast<MemberExpr>(E)) {
    const auto *F = dyn_cast<FieldDecl>(M->getMemberDecl());
    const Assigned A = F && !Unit.Replaced.contains(F)
                           ? initialValues(Kinds.model(), *F, true)
                           : Assigned();
    if (A.Values.empty() && !A.Pushed.empty()) // made by default
      Spec.Class = "Sequential";
    else if (A.Values.empty() || !read(A.Values.back(), Spec, Depth + 1))
      return false;
    if (!A.Pushed.empty() && Spec.Class != "Sequential")
      return false;
    Spec.Args.append(A.Pushed.begin(), A.Pushed.end());
    Spec.Name = F->getName();
    if (!staysAsMade(*F))
      Spec.DType = "";
    return true;
  }
  if (const auto *R = dyn_cast<DeclRefExpr>(E)) {
    const auto *V = dyn_cast<VarDecl>(R->getDecl());
    if (!V || !Scan.DeclOf.count(V) || !V->getInit() ||
        isChanged(Kinds.model(), Fn.getBody(), *V) ||
        !read(V->getInit(), Spec, Depth + 1))
      return false;
    Spec.Name = V->getName();
    return true;
  }
  if (const auto *C = dyn_cast<CallExpr>(E)) {
    const FunctionDecl *F = C->getDirectCallee();
    const StringRef Name = F && F->getIdentifier() ? F->getName() : StringRef();
    if (Name == "register_module" && C->getNumArgs() == 2)
      return read(C->getArg(1), Spec, Depth + 1);
    if (Name == "move" && C->getNumArgs() == 1)
      return read(C->getArg(0), Spec, Depth + 1);
    const auto *Pointer = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
        recordOf(C->getType()));
    if ((Name != "make_shared" && Name != "make_unique") || !Pointer)
      return false;
    const CXXRecordDecl *Impl =
        recordOf(Pointer->getTemplateArgs()[0].getAsType());
    Spec.Args.append(C->arg_begin(), C->arg_end());
    return Impl && madeWith(*Impl, E, Spec);
  }
  if (const auto *N = dyn_cast<CXXNewExpr>(E))
    return N->getConstructExpr() &&
           read(N->getConstructExpr(), Spec, Depth + 1);
  const auto *C = dyn_cast<CXXConstructExpr>(E);
  if (!C || isNothing(C))
    return false;
  const CXXRecordDecl *Impl = Kinds.moduleOf(C->getType());
  if (const CXXRecordDecl *R = recordOf(C->getType()); !Impl && R) {
    // A smart pointer to one, or a module itself.
    if (Kinds.name(*R) == "std::shared_ptr" ||
        Kinds.name(*R) == "std::unique_ptr")
      return C->getNumArgs() == 1 && read(C->getArg(0), Spec, Depth + 1);
    Impl = Kinds.isLibrary(*R) ? nullptr : R;
  }
  if (!Impl)
    return false;
  for (const Expr *A : C->arguments())
    if (!isa<CXXDefaultArgExpr>(A))
      Spec.Args.push_back(A);
  auto Passes = [&](const Expr *From) { // another holder, or what it holds
    const CXXRecordDecl *R = recordOf(From->getType());
    return Kinds.moduleOf(From->getType()) == Impl ||
           (R && Kinds.name(*R) == "std::shared_ptr");
  };
  if (Spec.Args.size() == 1 && Passes(Spec.Args[0])) {
    const Expr *From = Spec.Args[0];
    Spec.Args.clear();
    return read(From, Spec, Depth + 1);
  }
  return madeWith(*Impl, C, Spec);
}

/// The class of a module, made by \p Made with the arguments in \p Spec.
bool ModuleReader::madeWith(const CXXRecordDecl &Impl, const Expr *Made,
                            ModuleSpec &Spec) {
  Spec.Made = Made;
  Spec.DType = Unit.ConvertsModules ? "" : "float32";
  StringRef Class = Kinds.name(Impl);
  const bool HasHolder = Class.consume_back("Impl");
  const bool IsModelled = !Kinds.model().modules(Class).empty();
  if (!Kinds.isLibrary(Impl) && !IsModelled) {
    Spec.Users = &Impl;
    return true;
  }
  Spec.Qualified = Class;
  if (!Class.consume_front("torch::nn::") && IsModelled)
    Class =
        Class.rsplit("::").second.empty() ? Class : Class.rsplit("::").second;
  else if (Class == Spec.Qualified || !HasHolder)
    return false;
  Spec.Class = Class;
  if (Class == "Sequential" && Spec.Args.size() == 1)
    readNamedModules(Spec);
  return Spec.Args.size() != 1 || Class == "Sequential" || readOptions(Spec);
}

/// `Sequential({{"fc", Linear(4, 8)}, {"out", Linear(8, 2)}})`
void ModuleReader::readNamedModules(ModuleSpec &Spec) {
  const Expr *E = Spec.Args[0]->IgnoreUnlessSpelledInSource();
  const InitListExpr *List = nullptr;
  for (unsigned Depth = 0; Depth < 8 && !List; ++Depth) {
    E = strip(E);
    if (const auto *L = dyn_cast<CXXStdInitializerListExpr>(E))
      E = L->getSubExpr();
    else if (const auto *C = dyn_cast<CXXConstructExpr>(E);
             C && C->getNumArgs() && !Kinds.moduleOf(C->getType()))
      E = C->getArg(0);
    else
      List = dyn_cast<InitListExpr>(E);
    if (isa<MaterializeTemporaryExpr>(E))
      E = cast<MaterializeTemporaryExpr>(E)->getSubExpr();
  }
  llvm::SmallVector<const Expr *, 4> Children;
  for (const Expr *One : List ? List->inits() : llvm::ArrayRef<Expr *>()) {
    const auto *C = dyn_cast<CXXConstructExpr>(strip(One));
    const CXXRecordDecl *R = C ? recordOf(C->getType()) : nullptr;
    if (!R || R->getName() != "NamedAnyModule" || C->getNumArgs() != 2)
      return;
    Children.push_back(C->getArg(1));
  }
  if (!Children.empty())
    Spec.Args.assign(Children.begin(), Children.end());
}

/// `Conv2dOptions(1, 20, 5).stride(2)`: the settings by name.
bool ModuleReader::readOptions(ModuleSpec &Spec) {
  const Expr *E = strip(Spec.Args[0]);
  while (const auto *C = dyn_cast<CXXConstructExpr>(E)) { // copies
    if (C->getNumArgs() != 1 ||
        recordOf(C->getArg(0)->getType()) != recordOf(C->getType()))
      break;
    E = strip(C->getArg(0));
  }
  const CXXRecordDecl *R = recordOf(E->getType());
  if (!R || !R->getName().ends_with("Options"))
    return true; // the one argument itself
  while (const auto *M = dyn_cast<CXXMemberCallExpr>(E)) {
    if (M->getNumArgs() != 1 || !M->getMethodDecl())
      return false;
    Spec.Options.try_emplace(M->getMethodDecl()->getName(), M->getArg(0));
    E = strip(M->getImplicitObjectArgument());
  }
  const auto *Made = dyn_cast<CXXConstructExpr>(E);
  if (!Made)
    return false;
  Spec.Args.clear();
  for (const Expr *A : Made->arguments())
    if (!isa<CXXDefaultArgExpr>(A))
      Spec.Args.push_back(A);
  return true;
}

/// What a setting wraps: `ExpandingArray<2>(3)` and variants stand for the one
/// number or list they are made from.
static const Expr *unwrapped(const Expr *E, Types &Kinds) {
  while (true) {
    E = E->IgnoreParenCasts();
    if (const auto *F = dyn_cast<FullExpr>(E)) {
      E = F->getSubExpr();
      continue;
    }
    if (const auto *M = dyn_cast<MaterializeTemporaryExpr>(E)) {
      E = M->getSubExpr();
      continue;
    }
    if (const auto *B = dyn_cast<CXXBindTemporaryExpr>(E)) {
      E = B->getSubExpr();
      continue;
    }
    const auto *C = dyn_cast<CXXConstructExpr>(E);
    const CXXRecordDecl *R = C ? recordOf(C->getType()) : nullptr;
    const StringRef Class = R ? Kinds.name(*R) : StringRef();
    if (!C || C->getNumArgs() != 1 ||
        !(C->getConstructor()->isCopyOrMoveConstructor() ||
          Class.contains("ExpandingArray") || Class.ends_with("::variant")))
      return E;
    E = C->getArg(0);
  }
}

/// The settings that the options of a function of torch::nn::functional were
/// made with stand in their place, named as the parameters of who takes them.
/// Options that come from elsewhere stay.
void frontend::addSettings(CallSite &C, Types &Kinds) {
  if (C.Object || C.Args.empty() ||
      !Kinds.name(*C.Callee).starts_with("torch::nn::functional::"))
    return;
  const CXXRecordDecl *R = recordOf(C.Args.back()->getType());
  if (!R || !R->getName().ends_with("Options"))
    return;
  llvm::SmallVector<std::pair<const Expr *, const ParmVarDecl *>, 6> Settings;
  auto Add = [&](const Expr *Value, const ParmVarDecl *Param) {
    if (!isa<CXXDefaultArgExpr>(Value))
      Settings.emplace_back(unwrapped(Value, Kinds), Param);
  };
  const Expr *E = unwrapped(C.Args.back(), Kinds);
  while (const auto *M = dyn_cast<CXXMemberCallExpr>(E)) {
    if (M->getNumArgs() != 1 || !M->getMethodDecl())
      return;
    Add(M->getArg(0), M->getMethodDecl()->getParamDecl(0));
    E = unwrapped(M->getImplicitObjectArgument(), Kinds);
  }
  const auto *Made = dyn_cast<CXXConstructExpr>(E);
  if (!Made)
    return;
  for (unsigned A = 0; A < Made->getNumArgs(); ++A)
    Add(Made->getArg(A), Made->getConstructor()->getParamDecl(A));
  C.OwnArgs = C.Args.size() - 1;
  C.Args.pop_back();
  C.Params.pop_back();
  for (auto [Value, Param] : Settings) {
    C.Args.push_back(Value);
    C.Params.push_back(Param);
  }
}
