//===- Frontend.cpp - the functions worth analysing -----------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Frontend.h"
#include "Frontend/Ast/Code.h"
#include "Frontend/Ast/ModuleTypes.h"
#include "Frontend/Ast/Types.h"
#include "Frontend/Library/SchemaReader.h"
#include "Frontend/Library/TensorFieldLowering.h"
#include "Frontend/Lower/FunctionLowering.h"
#include "Frontend/Modules/LeftBehind.h"
#include "Layout/Release.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;

Release frontend::libraryRelease(Preprocessor &PP) {
  Release Parts[2] = {0, 0};
  const char *const Names[] = {"TORCH_VERSION_MAJOR", "TORCH_VERSION_MINOR"};
  for (unsigned I = 0; I < 2; ++I) {
    const MacroInfo *M = PP.getMacroInfo(PP.getIdentifierInfo(Names[I]));
    if (!M || M->getNumTokens() != 1 ||
        llvm::StringRef(PP.getSpelling(M->getReplacementToken(0)))
            .getAsInteger(10, Parts[I]))
      return 0;
  }
  return layout::release(Parts[0], Parts[1]);
}

namespace {

/// Functions of one text (instantiations, lambdas in macro arguments) beyond
/// this many say nothing new.
constexpr unsigned MaxInstances = 8;

/// Whether the name of the main file says that no other unit includes it:
/// x.cpp, x.cc, x.cu.
bool isSource(const SourceManager &SM) {
  const auto File = SM.getFileEntryRefForID(SM.getMainFileID());
  const llvm::StringRef Ending =
      File ? llvm::sys::path::extension(File->getName()) : "";
  return Ending.starts_with_insensitive(".c") && Ending != ".cuh";
}

class Finder {
public:
  Finder(ASTContext &Context, const ApiModel &Model,
         llvm::function_ref<bool(SourceLocation)> Admits)
      : SM(Context.getSourceManager()), Kinds(Model), Admits(Admits),
        IsSource(isSource(SM)) {}

  Candidates run(ASTContext &Context) {
    std::vector<Decl *> Scope = Context.getTraversalScope();
    if (Scope.size() == 1 && isa<TranslationUnitDecl>(Scope[0])) {
      // Declarations still inside a precompiled header stay there.
      for (const Decl *D : Context.getTranslationUnitDecl()->noload_decls())
        topLevel(*D);
    } else {
      for (const Decl *D : Scope)
        topLevel(*D);
    }
    Out.Registered = Schemas.take();
    Out.Silently = Gradients.take();
    if (AsksForHost)
      Out.OnBackend.clear();
    moveParts();
    return std::move(Out);
  }

private:
  /// Asks once per file.
  void topLevel(const Decl &D) {
    SourceLocation L = SM.getFileLoc(D.getLocation());
    if (L.isInvalid())
      return;
    FileID F = SM.getFileID(L);
    if (F != LastFile) {
      LastFile = F;
      auto [It, New] = Admitted.try_emplace(F, false);
      if (New)
        It->second = Admits(L);
      LastAdmitted = It->second;
    }
    if (LastAdmitted)
      visit(D);
  }

  void visit(const Decl &D) {
    if (const auto *F = dyn_cast<FunctionDecl>(&D))
      return function(*F);
    if (const auto *V = dyn_cast<VarDecl>(&D)) {
      Gradients.variable(*V, Current);
      if (V->getInit() && !V->getType()->isDependentType())
        statement(V->getInit());
      return;
    }
    if (const auto *V = dyn_cast<FieldDecl>(&D))
      return Gradients.variable(*V, nullptr);
    if (const auto *T = dyn_cast<FunctionTemplateDecl>(&D)) {
      for (const FunctionDecl *S : T->specializations())
        if (S->getTemplateSpecializationKind() != TSK_ExplicitSpecialization)
          function(*S);
      return;
    }
    if (const auto *T = dyn_cast<ClassTemplateDecl>(&D)) {
      for (const ClassTemplateSpecializationDecl *S : T->specializations())
        if (S->getSpecializationKind() != TSK_ExplicitSpecialization)
          members(*S);
      return;
    }
    if (const auto *R = dyn_cast<CXXRecordDecl>(&D)) {
      if (!R->isDependentContext() && !R->isLambda())
        members(*R);
      return;
    }
    if (const auto *C = dyn_cast<DeclContext>(&D);
        C && isa<NamespaceDecl, LinkageSpecDecl, ExportDecl>(D))
      for (const Decl *Inner : C->noload_decls())
        visit(*Inner);
  }

  void members(const CXXRecordDecl &R) {
    if (Records.insert(&R).second)
      for (const Decl *D : R.noload_decls())
        visit(*D);
  }

  void function(const FunctionDecl &F) {
    if (!F.doesThisDeclarationHaveABody() || F.hasSkippedBody() ||
        F.isDependentContext() || F.isDefaulted() || !Seen.insert(&F).second)
      return;
    // AT_DISPATCH multiplies its lambda by the dtypes, and lambdas in it again.
    if (++SameText[SM.getFileLoc(F.getLocation())] > MaxInstances)
      return;
    ++Out.FunctionsSeen;
    bool Outer = std::exchange(Mentions, false);
    const FunctionDecl *Around = std::exchange(Current, &F);
    statement(F.getBody());
    if (const auto *C = dyn_cast<CXXConstructorDecl>(&F))
      for (const CXXCtorInitializer *I : C->inits())
        statement(I->getInit());
    if (Mentions)
      Out.Functions.push_back(&F);
    Mentions = Outer;
    Current = Around;
  }

  /// \p Target gets another value: no member it is, or is a part of, has the
  /// one its constructor gave it.
  void assigned(const Expr &Target) {
    const auto *In = dyn_cast_or_null<CXXMethodDecl>(Current);
    const Expr *E = Target.IgnoreParenImpCasts();
    while (const auto *M = dyn_cast<MemberExpr>(E)) {
      const auto *F = dyn_cast<FieldDecl>(M->getMemberDecl());
      if (F && (!In || In->getParent() != F->getParent()))
        Out.Replaced.insert(F);
      E = M->getBase()->IgnoreParenImpCasts();
    }
  }

  /// The use of \p F; null where others may write it, or its class may.
  FieldUse *useOf(const FieldDecl &F) {
    if (F.getAccess() != AS_public || !Kinds.isHandle(F.getType()) ||
        !IsSource || !SM.isInMainFile(SM.getFileLoc(F.getLocation())))
      return nullptr;
    return &Out.Fields[&F];
  }

  void fields(const CXXRecordDecl *R,
              llvm::function_ref<void(const FieldDecl &, FieldUse &)> Run) {
    if (R && R->hasDefinition())
      for (const FieldDecl *F : R->getDefinition()->fields())
        if (FieldUse *Use = useOf(*F))
          Run(*F, *Use);
  }

  /// Who names public tensors, or gives them to a new object.
  void fieldUses(const Expr &E) {
    if (const auto *M = dyn_cast<MemberExpr>(&E)) {
      const auto *F = dyn_cast<FieldDecl>(M->getMemberDecl());
      if (FieldUse *Use = F ? useOf(*F) : nullptr)
        Current ? (void)Use->In.insert(Current) : (void)(Use->Otherwise = true);
    } else if (const auto *L = dyn_cast<InitListExpr>(&E)) {
      if (!L->isSemanticForm())
        L = L->getSemanticForm();
      fields(L ? recordOf(L->getType()) : nullptr,
             [&](const FieldDecl &F, FieldUse &Use) {
               const unsigned I = F.getFieldIndex();
               if (I < L->getNumInits())
                 Use.Listed.push_back(L->getInit(I));
             });
    }
  }

  /// The classes of modules that are made, and what converts them.
  void module(const Expr &E) {
    const auto *C = dyn_cast<CallExpr>(&E);
    if (!C && !isa<CXXConstructExpr>(E))
      return;
    if (const CXXRecordDecl *R = moduleClass(E.getType(), Kinds))
      Out.Made.insert(R->getCanonicalDecl());
    if (C && convertsModules(*C, Kinds))
      Out.ConvertsModules = true;
    // A part that others move is not where its class has left it.
    if (const auto *M = dyn_cast<CXXMemberCallExpr>(&E);
        M && movesModule(*M, Kinds)) {
      assigned(*arrowObject(M->getImplicitObjectArgument()));
      if (const CXXRecordDecl *R = movedToDevice(*M, Kinds))
        Out.Moved.insert(Kinds.isLibrary(*R) ? nullptr : R->getCanonicalDecl());
    }
  }

  /// The parts of modules that are moved go along.
  void moveParts() {
    std::vector<const CXXRecordDecl *> Work(Out.Moved.begin(), Out.Moved.end());
    while (!Work.empty()) {
      const CXXRecordDecl *R = Work.back();
      Work.pop_back();
      if (!R || !R->hasDefinition())
        continue;
      for (const FieldDecl *F : R->getDefinition()->fields()) {
        const QualType Of = Kinds.elementType(F->getType());
        const CXXRecordDecl *Part =
            moduleClass(Of.isNull() ? F->getType() : Of, Kinds);
        if (Part && !Kinds.isLibrary(*Part) &&
            Out.Moved.insert(Part->getCanonicalDecl()).second)
          Work.push_back(Part);
      }
    }
  }

  /// The tensors that \p C copies to or from the memory of a backend.
  void onBackend(const CallExpr &C) {
    const program::Attributes Does = saidOf(C.getDirectCallee(), Kinds);
    AsksForHost = AsksForHost || Does.has(program::Attribute::AsksForHost);
    if (Does.has(program::Attribute::OnBackend))
      for (const Expr *A : C.arguments())
        if (const ValueDecl *D = Kinds.kind(A->getType()) == Kind::Tensor
                                     ? namedBy(strip(A))
                                     : nullptr)
          Out.OnBackend.insert(D);
  }

  /// Whether the field of a tensor that \p M names tells where its memory is.
  bool asksForHost(const MemberExpr &M) {
    const auto &F = *cast<FieldDecl>(M.getMemberDecl());
    return Kinds.model()
        .attributesOf((Kinds.name(*F.getParent()) + "::" + F.getName()).str(),
                      false)
        .has(program::Attribute::AsksForHost);
  }

  /// Whether \p S gives a graph of tensors to who computes it.
  bool runsGraph(const clang::Stmt &S) {
    const auto *C = dyn_cast<CallExpr>(&S);
    const FunctionDecl *F = C ? C->getDirectCallee() : nullptr;
    if (!F || !F->getIdentifier() || isa<CXXMethodDecl>(F))
      return false;
    const auto Has = Kinds.model().attributesOf(Kinds.name(*F), false);
    return Has.has(program::Attribute::HoldsGraph) ||
           Has.has(program::Attribute::RunsHeld);
  }

  /// Sets Mentions when the code handles a tensor itself; finds the lambdas and
  /// local classes in it.
  void statement(const clang::Stmt *S) {
    if (!S)
      return;
    if (const auto *L = dyn_cast<LambdaExpr>(S)) {
      for (const Expr *Init : L->capture_inits())
        statement(Init);
      const CXXMethodDecl *Call = L->getCallOperator();
      Gradients.inside(*Call, Current);
      if (const FunctionTemplateDecl *T =
              Call->getDescribedFunctionTemplate()) {
        for (const FunctionDecl *One : T->specializations())
          function(*One);
      } else {
        function(*Call);
      }
      return;
    }
    if (const auto *E = dyn_cast<Expr>(S)) {
      module(*E);
      Gradients.expression(*E, Current);
      if (const auto *C = dyn_cast<CallExpr>(E))
        onBackend(*C);
      else if (const MemberExpr *M = tensorField(E, Kinds))
        AsksForHost = AsksForHost || asksForHost(*M);
      fieldUses(*E);
      if (const auto *M = dyn_cast<CXXMemberCallExpr>(E))
        Schemas.registration(*M);
      else if (const auto *C = dyn_cast<CXXOperatorCallExpr>(E);
               C && C->getOperator() == OO_Equal)
        assigned(*C->getArg(0));
      else if (const auto *B = dyn_cast<BinaryOperator>(E);
               B && B->isAssignmentOp())
        assigned(*B->getLHS());
      else if (const auto *U = dyn_cast<UnaryOperator>(E);
               U &&
               (U->isIncrementDecrementOp() || U->getOpcode() == UO_AddrOf))
        assigned(*U->getSubExpr());
      if (!Mentions &&
          (Kinds.hasTensor(E->getType()) || Kinds.isListView(E->getType()) ||
           (isa<MemberExpr>(E) && tensorField(E, Kinds)) || runsGraph(*E)))
        Mentions = true;
    } else if (const auto *D = dyn_cast<DeclStmt>(S)) {
      for (const Decl *One : D->decls()) {
        if (const auto *V = dyn_cast<VarDecl>(One)) {
          Mentions |= Kinds.hasTensor(V->getType());
          Gradients.variable(*V, Current);
        }
        if (const auto *V = dyn_cast<DecompositionDecl>(One);
            V && V->getType()->isReferenceType())
          fields(recordOf(V->getType()), [](const FieldDecl &, FieldUse &Use) {
            Use.Otherwise = true;
          });
        if (isa<CXXRecordDecl>(One))
          visit(*One);
      }
    }
    for (const clang::Stmt *Child : S->children())
      statement(Child);
  }

  const SourceManager &SM;
  Types Kinds;
  SchemaReader Schemas{Kinds};
  Recording Gradients{Kinds};
  llvm::function_ref<bool(SourceLocation)> Admits;
  Candidates Out;
  bool Mentions = false;
  bool AsksForHost = false;
  const FunctionDecl *Current = nullptr;
  const bool IsSource; ///< the main file is no header
  FileID LastFile;
  bool LastAdmitted = false;
  llvm::DenseMap<FileID, bool> Admitted;
  llvm::DenseMap<SourceLocation, unsigned> SameText;
  llvm::DenseSet<const FunctionDecl *> Seen;
  llvm::DenseSet<const CXXRecordDecl *> Records;
};

} // namespace

Candidates
frontend::findFunctions(ASTContext &Context, const ApiModel &Model,
                        llvm::function_ref<bool(SourceLocation)> Admits) {
  return Finder(Context, Model, Admits).run(Context);
}

const program::Function &UnitFunctions::get(const FunctionDecl &F) {
  return *body(idOf(F));
}

const program::Function *UnitFunctions::body(program::BodyId Id) {
  if (Lowered.size() <= Id)
    Lowered.resize(Id + 1);
  if (!Lowered[Id]) {
    auto P = std::make_unique<program::Function>(
        lowerFunction(function(Id), Context, Kinds, *this, Tainted));
    if (P->Reason == program::GiveUp::No &&
        !program::verify(*P, /*Strict=*/false).empty())
      P->Reason = program::GiveUp::Malformed;
    Lowered[Id] = std::move(P);
  }
  return Lowered[Id].get();
}
