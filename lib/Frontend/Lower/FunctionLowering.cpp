//===- FunctionLowering.cpp - one function to a tensor program ------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Lower/FunctionLowering.h"
#include "Frontend/Ast/BodyScan.h"
#include "Frontend/Ast/Ranges.h"
#include "Frontend/Ast/Surroundings.h"
#include "Frontend/Build/CallCounter.h"
#include "Frontend/Build/ConstantMaker.h"
#include "Frontend/Build/FunctionBuilder.h"
#include "Frontend/Build/PlaceFinder.h"
#include "Frontend/Build/RecordLowering.h"
#include "Frontend/Build/ScopeLowering.h"
#include "Frontend/Build/StoreLowering.h"
#include "Frontend/Build/VariableTable.h"
#include "Frontend/Build/ViewLowering.h"
#include "Frontend/Calls/ApiCallLowering.h"
#include "Frontend/Calls/BodyFinder.h"
#include "Frontend/Calls/ImageReader.h"
#include "Frontend/Calls/OpaqueCallLowering.h"
#include "Frontend/Edits/EditVetter.h"
#include "Frontend/Library/AssignmentLowering.h"
#include "Frontend/Library/ListLowering.h"
#include "Frontend/Library/OptionLowering.h"
#include "Frontend/Library/StandardLowering.h"
#include "Frontend/Library/TensorFieldLowering.h"
#include "Frontend/Lower/CallLowering.h"
#include "Frontend/Lower/ControlFlowLowering.h"
#include "Frontend/Lower/DeclarationLowering.h"
#include "Frontend/Lower/ExpressionLowering.h"
#include "Frontend/Lower/LoopFinder.h"
#include "Frontend/Lower/ObjectLowering.h"
#include "Frontend/Lower/OperatorLowering.h"
#include "Frontend/Lower/StatementLowering.h"
#include "Frontend/Modules/KnownObjects.h"
#include "Frontend/Modules/MemberLowering.h"
#include "Frontend/Modules/ModuleCallLowering.h"
#include "Frontend/Modules/ModulePlaces.h"
#include "Frontend/Modules/ModuleReader.h"
#include "Frontend/Modules/SettingLowering.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;

/// Whether \p F or what it stands in was made from a template.
static bool isInstance(const FunctionDecl &F) {
  for (const DeclContext *C = &F; C; C = C->getParent()) {
    if (const auto *Function = dyn_cast<FunctionDecl>(C);
        Function && Function->isTemplateInstantiation())
      return true;
    if (const auto *Record = dyn_cast<ClassTemplateSpecializationDecl>(C);
        Record && Record->getSpecializationKind() != TSK_ExplicitSpecialization)
      return true;
  }
  return false;
}

static std::string functionName(const FunctionDecl &F) {
  if (const auto *M = dyn_cast<CXXMethodDecl>(&F))
    if (M->getParent()->isLambda()) {
      const DeclContext *C = M->getParent()->getDeclContext();
      while (C && !isa<FunctionDecl>(C) && !C->isFileContext())
        C = C->getParent();
      const auto *Outer = dyn_cast_or_null<FunctionDecl>(C);
      return Outer ? functionName(*Outer) + "::lambda" : "lambda";
    }
  return qualifiedName(F);
}

static bool hasTaint(const FunctionDecl &F, const SourceManager &SM,
                     llvm::ArrayRef<SourceLocation> Tainted) {
  SourceLocation Begin = SM.getFileLoc(F.getSourceRange().getBegin());
  SourceLocation End = SM.getFileLoc(F.getSourceRange().getEnd());
  return llvm::any_of(Tainted, [&](SourceLocation L) {
    L = SM.getFileLoc(L);
    return L == Begin || L == End ||
           (L.isValid() && SM.isBeforeInTranslationUnit(Begin, L) &&
            SM.isBeforeInTranslationUnit(L, End));
  });
}

/// Whether \p F is what a module runs for each batch.
static bool isForward(const FunctionDecl &F) {
  const auto *M = dyn_cast<CXXMethodDecl>(&F);
  if (!M || M->isStatic() || !M->getIdentifier() || M->getName() != "forward")
    return false;
  const CXXRecordDecl *Class = M->getParent();
  return Class->hasDefinition() &&
         !Class->forallBases([](const CXXRecordDecl *Base) {
           return qualifiedName(*Base) != "torch::nn::Module";
         });
}

/// Whether a class that \p M is a method of is one of whose methods of this
/// name the models say \p A.
static bool isCalledAs(const NamedDecl &M, const CXXRecordDecl &Class,
                       Attribute A, Types &Kinds) {
  if (!M.getIdentifier() || !Class.hasDefinition())
    return false;
  return !Class.forallBases([&](const CXXRecordDecl *Base) {
    const std::string Name = (Kinds.name(*Base) + "::" + M.getName()).str();
    return !Kinds.model().attributesOf(Name, false).has(A);
  });
}

static bool takesGradients(const FunctionDecl &F, Types &Kinds) {
  const auto *M = dyn_cast<CXXMethodDecl>(&F);
  return M && isCalledAs(*M, *M->getParent(), Attribute::TakesGradients, Kinds);
}

/// Whether one argument of type \p T is one input, whatever it is given: an
/// array of tensors is as many as it has.
static bool isOneInput(QualType T, Types &Kinds) {
  if (T->isDependentType())
    return false;
  if (Kinds.isTensor(T))
    return true;
  if (Kinds.holdsTensors(T))
    return false;
  const auto *Of =
      dyn_cast_or_null<ClassTemplateSpecializationDecl>(recordOf(T));
  return !Of || llvm::none_of(Of->getTemplateArgs().asArray(),
                              [&](const TemplateArgument &A) {
                                return A.getKind() == TemplateArgument::Type &&
                                       Kinds.holdsTensors(A.getAsType());
                              });
}

/// Counts the inputs for each of which \p F gives a gradient back: the
/// arguments of its class's forward() behind the context.
static void countGradients(const FunctionDecl &F, Types &Kinds,
                           program::Function &Out) {
  const CXXRecordDecl &Class = *cast<CXXMethodDecl>(F).getParent();
  const FunctionDecl *Forward = nullptr;
  for (const Decl *D : Class.getDefinition()->decls()) {
    const auto *Named = dyn_cast<NamedDecl>(D);
    if (!Named || !isCalledAs(*Named, Class, Attribute::TakesInputs, Kinds))
      continue;
    // One of several, or of any number of arguments.
    if (Forward || !isa<CXXMethodDecl>(Named))
      return;
    Forward = cast<CXXMethodDecl>(Named);
  }
  if (!Forward || Forward->isVariadic() || Forward->param_empty() ||
      !Forward->getParamDecl(0)->getType()->isPointerType())
    return;
  const auto Inputs = Forward->parameters().drop_front();
  if (!llvm::all_of(Inputs, [&](const ParmVarDecl *P) {
        return isOneInput(P->getType(), Kinds);
      }))
    return;
  Out.MostGradients = Inputs.size();
  Out.LeastGradients = llvm::count_if(
      Inputs, [](const ParmVarDecl *P) { return !P->hasDefaultArg(); });
}

namespace {

/// The last part of an assembly, for those before it.
class Later final : public Lowerer {
public:
  explicit Later(ExpressionLowering &Last) : Last(Last) {}
  ValueId value(const Expr *E) override { return Last.value(E); }
  ValueId condition(const Expr *E) override { return Last.condition(E); }

private:
  ExpressionLowering &Last;
};

/// The parts, made one after the other.
struct Assembly {
  const FunctionDecl &Fn;
  ASTContext &Context;
  UnitTable &Unit;
  Types &Kinds;
  const BodyScan &Scan;
  program::Function &Out;
  const SourceManager &SM;

  Later Lower{Expressions};
  Surroundings Around{Fn, SM, Scan};
  EditVetter Edits{Fn, Context, Kinds, Scan, Around};
  FunctionBuilder Build{Out, SM, Kinds, Around, isInstance(Fn)};
  VariableTable Vars{Fn, Out, Kinds, Scan, Build};
  PlaceFinder Places{Kinds, Vars};
  ConstantMaker Constants{Context, Kinds, Build};
  ScopeLowering Scopes{Kinds, Build, Vars};
  ViewLowering Views{Kinds, Scan, Build};
  CallCounter Counts{Out, Kinds};
  RecordLowering Records{Kinds, Build, Vars, Constants, Views, Lower};
  StoreLowering Stores{Context, Kinds, Build, Vars, Places, Records, Lower};
  ModuleReader Modules{Fn, Unit, Kinds, Scan};
  SettingLowering Settings{Fn, Context, Unit, Kinds, Build, Vars};
  KnownObjects Known{Kinds, Build, Vars, Places, Settings, Modules};
  MemberLowering Members{Fn,      Context,   Unit,     Kinds,   Build, Vars,
                         Records, Constants, Settings, Modules, Lower};
  ModuleCallLowering ModuleCalls{Context, Unit,  Kinds,     Around,
                                 Build,   Vars,  Constants, Settings,
                                 Modules, Known, Counts,    Lower};
  ModulePlaces Placed{Unit,   Kinds,    Build,   Vars,
                      Places, Settings, Modules, Lower};
  BodyFinder Bodies{Context, Unit,      Kinds, Around, Build,
                    Places,  Constants, Known, Lower};
  ImageReader Images{Context, Kinds, Scan, Build, Vars, Places, Lower};
  OpaqueCallLowering OpaqueCalls{Context, Unit,   Kinds,  Scan,  Around,
                                 Build,   Places, Stores, Views, Bodies,
                                 Counts,  Images, Lower};
  ApiCallLowering ApiCalls{Context, Unit,   Kinds,     Around, Edits,
                           Build,   Places, Constants, Counts, Lower};
  ListLowering Lists{Context, Kinds, Build, Places, Stores, OpaqueCalls, Lower};
  OptionLowering Options{Kinds, Build, Lower};
  TensorFieldLowering TensorFields{Unit,   Kinds,     Build,
                                   Places, Constants, Lower};
  AssignmentLowering Assignments{Kinds,  Build, Vars,         Places,
                                 Stores, Lists, TensorFields, Lower};
  StandardLowering Standard{Kinds,  Around, Build,   Places,      Stores, Views,
                            Counts, Lists,  Options, Assignments, Lower};
  CallLowering Calls{Kinds,  Members,  Standard,   ModuleCalls,
                     Placed, ApiCalls, OpaqueCalls};
  ObjectLowering Objects{
      Context, Kinds,  Around,      Build,    Vars,  Places,  Scopes, Records,
      Stores,  Bodies, OpaqueCalls, ApiCalls, Lists, Options, Images, Lower};
  OperatorLowering Operators{Context,     Kinds,        Scan,    Build,
                             Vars,        Places,       Records, Stores,
                             Assignments, TensorFields, Lower};
  ExpressionLowering Expressions{
      Context, Kinds,   Scan,         Build,     Vars,    Places, Constants,
      Records, Members, TensorFields, Operators, Objects, Calls};
  DeclarationLowering Declarations{
      Context, Kinds, Scan,    Around, Edits,     Build,   Vars,   Places,
      Scopes,  Views, Records, Stores, Operators, Members, Placed, Lower};
  StatementLowering Statements{Kinds, Scan,         Build, Scopes,
                               Views, Declarations, Lower};
  LoopFinder Loops{Context, Out, Scan, Build};
  ControlFlowLowering ControlFlow{
      Fn,          Context,      Out,        Kinds, Scan,    Build,
      Vars,        Constants,    Scopes,     Views, Records, Members,
      Expressions, Declarations, Statements, Loops};
};

} // namespace

/// The function that the lambda \p M stands in, or null.
static const FunctionDecl *around(const CXXMethodDecl &M) {
  const DeclContext *C = M.getParent()->getDeclContext();
  while (C && !isa<FunctionDecl>(C) && !C->isFileContext())
    C = C->getParent();
  return dyn_cast_or_null<FunctionDecl>(C);
}

/// What its declaration says of \p Fn.
static void describe(const FunctionDecl &Fn, const SourceManager &SM,
                     Types &Kinds, program::Function &Out) {
  Out.Name = functionName(Fn);
  Out.Where = makeRange(Fn.getSourceRange(), SM);
  Out.Identity = identityOf(Fn);
  if (const auto *M = dyn_cast<CXXMethodDecl>(&Fn);
      M && M->getParent()->isLambda()) {
    Out.IsLambda = true;
    if (const FunctionDecl *Around = around(*M))
      Out.Around = identityOf(*Around);
  }
  Out.ReturnsTensor = Kinds.isTensor(Fn.getReturnType());
  Out.Returns = Kinds.fields(Fn.getReturnType()).empty()
                    ? varType(Fn.getReturnType(), Kinds)
                    : VarType::List;
  Out.ReturnsBorrowed = Kinds.borrows(Fn.getReturnType());
  Out.CallersVisible = Out.IsLambda || !Fn.isExternallyVisible();
  Out.IsForward = isForward(Fn);
  Out.TakesGradients = takesGradients(Fn, Kinds);
  if (Out.TakesGradients)
    countGradients(Fn, Kinds, Out);
}

/// Why \p Fn cannot be lowered, before its body is looked at.
static GiveUp reasonAgainst(const FunctionDecl &Fn, const ASTContext &Context,
                            llvm::ArrayRef<SourceLocation> Tainted) {
  if (!Fn.getBody())
    return GiveUp::NoCfg;
  if (Fn.isDependentContext())
    return GiveUp::Dependent;
  if (isa<CoroutineBodyStmt>(Fn.getBody()))
    return GiveUp::Coroutine;
  // Of what a lambda captures nothing is known where it stands in such code.
  for (const DeclContext *C = &Fn; C && !C->isFileContext(); C = C->getParent())
    if (const auto *F = dyn_cast<FunctionDecl>(C);
        F && F->getBody() &&
        (F->isInvalidDecl() ||
         hasTaint(*F, Context.getSourceManager(), Tainted) ||
         dropsStatements(F->getBody(), Context)))
      return GiveUp::HasErrors;
  return GiveUp::No;
}

/// One walk over the body of \p Fn and what else it evaluates.
static GiveUp scan(const FunctionDecl &Fn, Types &Kinds, BodyScan &Scan) {
  scanBody(Fn.getBody(), Kinds, Scan);
  const size_t InBody = Scan.Members.size();
  if (const auto *Ctor = dyn_cast<CXXConstructorDecl>(&Fn))
    for (const CXXCtorInitializer *I : Ctor->inits())
      scanBody(I->getInit(), Kinds, Scan);
  Scan.Members.resize(InBody);
  for (const ParmVarDecl *P : Fn.parameters())
    Scan.ByName[P->getDeclName()].push_back(P);
  return Scan.HasErrors ? GiveUp::HasErrors
         : Scan.TooDeep ? GiveUp::TooDeep
                        : GiveUp::No;
}

/// What the models say of the callees' names.
static void attribute(program::Function &F, Types &Kinds) {
  for (program::Block &B : F.Blocks)
    for (program::Stmt &S : B.Stmts)
      if (S.O != program::Op::Const && !S.Text.empty())
        S.Has |= Kinds.attributes(S.Text, !S.isOpaque());
}

program::Function
frontend::lowerFunction(const FunctionDecl &F, ASTContext &Context,
                        Types &Kinds, UnitTable &Unit,
                        llvm::ArrayRef<SourceLocation> Tainted) {
  program::Function Out;
  describe(F, Context.getSourceManager(), Kinds, Out);
  Out.PerhapsUnrecorded = Unit.Silently.has(F);
  BodyScan Scan;
  Out.Reason = reasonAgainst(F, Context, Tainted);
  if (Out.Reason == GiveUp::No)
    Out.Reason = scan(F, Kinds, Scan);
  if (Out.Reason != GiveUp::No)
    return Out;

  Assembly Parts{
      F, Context, Unit, Kinds, Scan, Out, Context.getSourceManager()};
  for (const ParmVarDecl *P : F.parameters())
    Parts.Vars.of(*P);
  Out.Params = Out.Vars.size();
  Parts.Loops.make();
  if (!Parts.ControlFlow.lower(*F.getBody())) {
    Out.Blocks.clear();
    return Out;
  }
  attribute(Out, Kinds);
  for (const auto &[D, Id] : Parts.Vars.named())
    Out.Named.try_emplace(identityOf(*D), Id);
  for (const auto &[D, Of] : Parts.Places.aliases())
    if (Of.Exact)
      Out.Named[identityOf(*D)] = Of.Var;
  return Out;
}
