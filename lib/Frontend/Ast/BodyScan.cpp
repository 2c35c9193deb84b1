//===- BodyScan.cpp - one walk over a function's body ---------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Ast/BodyScan.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using program::LoopId;
using program::NoId;

namespace {

class Scanner {
public:
  Scanner(Types &Kinds, BodyScan &Out) : Kinds(Kinds), Out(Out) {}

  void walk(const clang::Stmt *S, const clang::Stmt *Parent, LoopId Loop,
            bool IsFull) {
    if (!S || Out.TooDeep)
      return;
    if (++Depth > 900) {
      Out.TooDeep = true;
      return;
    }
    Out.Parent[S] = Parent;
    Out.InLoop[S] = Loop;
    if (const auto *E = dyn_cast<Expr>(S)) {
      if (IsFull)
        markFull(E);
      expression(*E, Loop);
    } else {
      statement(*S, Loop);
    }
    --Depth;
  }

private:
  void markFull(const Expr *E) {
    Out.FullExprs.insert(E);
    if (const auto *C = dyn_cast<FullExpr>(E))
      markFull(C->getSubExpr());
    else if (const auto *P = dyn_cast<ParenExpr>(E))
      markFull(P->getSubExpr());
  }

  LoopId addLoop(const clang::Stmt *S, LoopId Parent) {
    LoopId L = Out.Loops.size();
    unsigned Parallel = Parent == NoId ? 0 : Out.Loops[Parent].Parallel;
    Parallel -= Parallel > 0;
    const clang::Stmt *Around = Out.Parent.lookup(S);
    if (const auto *D = dyn_cast_or_null<OMPLoopDirective>(Around))
      Parallel = D->getLoopsNumber(); // more than one: collapse(2)
    Out.Loops.push_back({S, Parent, Parallel});
    Out.LoopOf[S] = L;
    return L;
  }

  void declared(const ValueDecl &D) {
    Out.ByName[D.getDeclName()].push_back(&D);
  }

  void statement(const clang::Stmt &S, LoopId Loop) {
    if (const auto *D = dyn_cast<DeclStmt>(&S)) {
      for (const Decl *One : D->decls())
        if (const auto *V = dyn_cast<VarDecl>(One)) {
          Out.DeclOf[V] = D;
          declared(*V);
          if (V->isInvalidDecl())
            Out.HasErrors = true;
          if (const Expr *I = V->getInit())
            walk(I, D, Loop, false);
        }
      return;
    }
    if (const auto *L = dyn_cast<ForStmt>(&S)) {
      walk(L->getInit(), &S, Loop, true);
      LoopId Id = addLoop(&S, Loop);
      walk(L->getConditionVariableDeclStmt(), &S, Id, false);
      walk(L->getCond(), &S, Id, true);
      walk(L->getInc(), &S, Id, true);
      return walk(L->getBody(), &S, Id, true);
    }
    if (const auto *L = dyn_cast<WhileStmt>(&S)) {
      LoopId Id = addLoop(&S, Loop);
      walk(L->getConditionVariableDeclStmt(), &S, Id, false);
      walk(L->getCond(), &S, Id, true);
      return walk(L->getBody(), &S, Id, true);
    }
    if (const auto *L = dyn_cast<DoStmt>(&S)) {
      LoopId Id = addLoop(&S, Loop);
      walk(L->getBody(), &S, Id, true);
      return walk(L->getCond(), &S, Id, true);
    }
    if (const auto *L = dyn_cast<CXXForRangeStmt>(&S)) {
      walk(L->getInit(), &S, Loop, true);
      walk(L->getRangeStmt(), &S, Loop, false);
      LoopId Id = addLoop(&S, Loop);
      // The hidden begin, end and increment have no counterpart: the loop
      // variable's value is an element of the range.
      const clang::Stmt *Decl = L->getLoopVarStmt();
      Out.Parent[Decl] = &S;
      Out.InLoop[Decl] = Id;
      Out.RangeVars[L->getLoopVariable()] = L;
      Out.DeclOf[L->getLoopVariable()] = L->getLoopVarStmt();
      declared(*L->getLoopVariable());
      return walk(L->getBody(), &S, Id, true);
    }
    if (isa<CXXTryStmt>(&S))
      Out.HasTry = true;
    // What OpenMP captures stands below the statement that it is part of.
    if (const auto *D = dyn_cast<OMPExecutableDirective>(&S)) {
      if (D->hasAssociatedStmt())
        walk(D->getRawStmt(), &S, Loop, true);
      return;
    }
    for (const clang::Stmt *Child : S.children())
      walk(Child, &S, Loop, !isa<ReturnStmt>(&S));
  }

  void expression(const Expr &E, LoopId Loop) {
    if (E.containsErrors())
      Out.HasErrors = true;
    if (const auto *L = dyn_cast<LambdaExpr>(&E))
      return lambda(*L, Loop);
    if (const auto *C = dyn_cast<AbstractConditionalOperator>(&E)) {
      for (const Expr *Arm : {C->getTrueExpr(), C->getFalseExpr()}) {
        Out.Arms.insert(Arm);
        Out.Arms.insert(Arm->IgnoreParens());
      }
    }
    if (const auto *R = dyn_cast<DeclRefExpr>(&E)) {
      if (!R->hasQualifier()) // torch::ones means what it means anywhere
        declared(*R->getDecl());
      const auto *V = dyn_cast<VarDecl>(R->getDecl());
      const auto *Cast =
          dyn_cast_or_null<ImplicitCastExpr>(Out.Parent.lookup(R));
      if (V && !(Cast && reads(*Cast)))
        Out.Rebound.insert(V);
    }
    if (const auto *M = dyn_cast<MemberExpr>(&E))
      Out.Members.push_back(M);
    if (const auto *C = dyn_cast<CXXConstructExpr>(&E))
      exposeReferred(*C);
    if (const auto *C = dyn_cast<CXXMemberCallExpr>(&E);
        C && C->getMethodDecl() && C->getMethodDecl()->getIdentifier() &&
        C->getMethodDecl()->getName() == "data" &&
        Kinds.isHandleVector(C->getImplicitObjectArgument()->getType()))
      expose(C->getImplicitObjectArgument());
    if (const auto *L = dyn_cast<InitListExpr>(&E))
      if (const auto *Class = L->getType()->getAsCXXRecordDecl()) {
        auto Init = L->inits().begin();
        for (const FieldDecl *F : Class->fields())
          if (Init != L->inits().end())
            if (const Expr *One = *Init++; F->getType()->isReferenceType())
              expose(One);
      }
    if (const auto *U = dyn_cast<UnaryOperator>(&E);
        U && U->getOpcode() == UO_AddrOf)
      expose(U->getSubExpr(),
             !isa<DeclRefExpr>(U->getSubExpr()->IgnoreParens()));
    if (const auto *T = dyn_cast<CXXBindTemporaryExpr>(&E))
      if (const auto *R = recordOf(T->getType()))
        Out.HasNoReturnDtor |= R->isAnyDestructorNoReturn();
    for (const clang::Stmt *Child : E.children())
      walk(Child, &E, Loop, false);
  }

  /// Whether \p C only reads what it casts.
  static bool reads(const ImplicitCastExpr &C) {
    const CastKind K = C.getCastKind();
    return K == CK_LValueToRValue || ((K == CK_NoOp || K == CK_DerivedToBase ||
                                       K == CK_UncheckedDerivedToBase) &&
                                      C.getType().isConstQualified());
  }

  /// What an object's references and pointers may name later on.
  void exposeReferred(const CXXConstructExpr &E) {
    const CXXConstructorDecl *Ctor = E.getConstructor();
    if (Kinds.isLibrary(*Ctor))
      return;
    bool References = false, Pointers = false;
    for (const FieldDecl *F : Ctor->getParent()->fields()) {
      References |= F->getType()->isReferenceType();
      Pointers |= F->getType()->isPointerType();
    }
    for (unsigned I = 0; I < E.getNumArgs() && I < Ctor->getNumParams(); ++I)
      if (QualType T = Ctor->getParamDecl(I)->getType();
          T->isLValueReferenceType() &&
          (References ||
           (Pointers && !T.getNonReferenceType().isConstQualified())))
        expose(E.getArg(I));
  }

  /// Others may know \p E from here on, and so the variable it is part of.
  /// \p Shares: by more than its address.
  void expose(const Expr *E, bool Shares = true) {
    const QualType T = E->getType();
    const bool Holds = Kinds.hasTensor(T) || !Kinds.fields(T).empty();
    while (true) {
      E = E->IgnoreParenCasts();
      if (const auto *R = dyn_cast<DeclRefExpr>(E)) {
        const auto *V = dyn_cast<VarDecl>(R->getDecl());
        if (V && Shares)
          Out.Shared.insert(V);
        if (V && Out.Exposed.insert(V).second &&
            V->getType()->isReferenceType() && V->getInit())
          expose(V->getInit());
        return;
      }
      if (!Holds)
        return;
      const auto *M = dyn_cast<MemberExpr>(E);
      const auto *A = dyn_cast<ArraySubscriptExpr>(E);
      const auto *C = dyn_cast<CXXOperatorCallExpr>(E);
      if (M && !M->isArrow())
        E = M->getBase();
      else if (A)
        E = A->getBase();
      else if (C && C->getOperator() == OO_Subscript)
        E = C->getArg(0);
      else
        return;
    }
  }

  /// A lambda's body is a function of its own. Captures stay: an initialiser
  /// is evaluated here, and a variable captured by reference may change with
  /// any call, unless it is an integer the body only reads.
  void lambda(const LambdaExpr &L, LoopId Loop) {
    for (const Expr *Init : L.capture_inits())
      walk(Init, &L, Loop, false);
    members(L.getBody());
    llvm::SmallVector<const VarDecl *, 4> Changed;
    for (const LambdaCapture &C : L.captures())
      if (C.capturesVariable() && C.getCaptureKind() == LCK_ByRef)
        if (const auto *V = dyn_cast<VarDecl>(C.getCapturedVar()))
          if (!isOnlyRead(*V, L.getBody()))
            Changed.push_back(V);
    Out.Rebound.insert(Changed.begin(), Changed.end());
    if (isCalledHere(L))
      Out.Immediate[&L] = std::move(Changed);
    else {
      Out.Exposed.insert(Changed.begin(), Changed.end());
      Out.Shared.insert(Changed.begin(), Changed.end());
    }
  }

  void members(const clang::Stmt *S) {
    if (!S)
      return;
    if (const auto *M = dyn_cast<MemberExpr>(S))
      Out.Members.push_back(M);
    for (const clang::Stmt *Child : S->children())
      members(Child);
  }

  /// `[&] { ... }()`, as AT_DISPATCH writes it.
  bool isCalledHere(const LambdaExpr &L) const {
    const clang::Stmt *S = &L;
    while (const clang::Stmt *P = Out.Parent.lookup(S)) {
      if (const auto *C = dyn_cast<CXXOperatorCallExpr>(P))
        return C->getOperator() == OO_Call && C->getNumArgs() &&
               C->getArg(0) == S;
      if (!isa<ParenExpr, CastExpr, MaterializeTemporaryExpr,
               CXXBindTemporaryExpr>(P))
        return false;
      S = P;
    }
    return false;
  }

  /// Whether a lambda can give the variable another value. Reading casts (to an
  /// rvalue, to const) are safe, except before an in-place method, which may
  /// change the metadata of the tensor it is called on.
  static bool isOnlyRead(const VarDecl &V, const clang::Stmt *Body) {
    if (V.getType().getNonReferenceType().isConstQualified())
      return true;
    return readsOnly(V, Body, false, false);
  }

  static bool readsOnly(const VarDecl &V, const clang::Stmt *S, bool IsRead,
                        bool InPlace) {
    if (!S)
      return true;
    if (const auto *R = dyn_cast<DeclRefExpr>(S))
      return R->getDecl() != &V || (IsRead && !InPlace);
    if (const auto *L = dyn_cast<LambdaExpr>(S)) {
      // A lambda in the lambda: what matters is what its body does.
      auto Capture = L->capture_begin();
      for (const Expr *Init : L->capture_inits()) {
        bool ByRef = Capture++->getCaptureKind() == LCK_ByRef;
        if (!ByRef && !readsOnly(V, Init, true, false))
          return false;
      }
      return readsOnly(V, L->getBody(), false, false);
    }
    bool Reads = false;
    if (const auto *C = dyn_cast<ImplicitCastExpr>(S)) {
      Reads = IsRead || reads(*C);
    } else {
      InPlace = false;
    }
    if (const auto *M = dyn_cast<MemberExpr>(S))
      InPlace = M->getMemberDecl()->getIdentifier() &&
                M->getMemberDecl()->getName().ends_with("_");
    for (const clang::Stmt *Child : S->children())
      if (!readsOnly(V, Child, Reads, InPlace))
        return false;
    return true;
  }

  Types &Kinds;
  BodyScan &Out;
  unsigned Depth = 0;
};

} // namespace

void frontend::scanBody(const clang::Stmt *Body, Types &Kinds, BodyScan &Out) {
  Scanner(Kinds, Out).walk(Body, nullptr, NoId, false);
}

namespace {

/// Looks for statements that are in the source and not in the tree.
///   { p = view(p); norm->go(p); return p; }   with a norm of unknown type:
///   { p = view(p);              return p; }
class Dropped {
public:
  explicit Dropped(const ASTContext &Context)
      : SM(Context.getSourceManager()), Language(Context.getLangOpts()) {}

  bool in(const clang::Stmt *S) const {
    if (!S)
      return false;
    if (const auto *N = dyn_cast<NullStmt>(S); // the body of an `if`, maybe
        N && hasToken(N->getSemiLoc(), after(N->getSemiLoc())))
      return true;
    if (const auto *C = dyn_cast<CompoundStmt>(S)) {
      SourceLocation From = after(C->getLBracLoc());
      for (const clang::Stmt *Child : C->body()) {
        const SourceRange R =
            SM.getExpansionRange(Child->getSourceRange()).getAsRange();
        if (hasToken(From, R.getBegin()))
          return true;
        From = after(R.getEnd());
      }
      if (hasToken(From, SM.getExpansionLoc(C->getRBracLoc())))
        return true;
    }
    return llvm::any_of(S->children(),
                        [&](const clang::Stmt *Child) { return in(Child); });
  }

private:
  SourceLocation after(SourceLocation L) const {
    return Lexer::getLocForEndOfToken(SM.getExpansionLoc(L), 0, SM, Language);
  }

  /// Whether more than semicolons, attributes and directives starts at
  /// \p From or later and before \p To.
  bool hasToken(SourceLocation From, SourceLocation To) const {
    if (!From.isFileID() || !To.isFileID())
      return false;
    const auto [File, Begin] = SM.getDecomposedLoc(From);
    const auto [ToFile, End] = SM.getDecomposedLoc(To);
    if (File != ToFile || Begin > End)
      return false;
    const llvm::StringRef Text = SM.getBufferData(File);
    Lexer Raw(SM.getLocForStartOfFile(File), Language, Text.begin(),
              Text.begin() + Begin, Text.end());
    unsigned Brackets = 0; // of [[maybe_unused]]
    bool Directive = false;
    for (Token T; !Raw.LexFromRawLexer(T);) {
      const unsigned At = SM.getFileOffset(T.getLocation());
      if (At >= End)
        return false;
      Directive = T.is(tok::hash) && T.isAtStartOfLine()
                      ? true
                      : Directive && !T.isAtStartOfLine();
      if (Directive || T.is(tok::semi))
        continue;
      if (T.is(tok::l_square))
        ++Brackets;
      else if (!Brackets)
        return true;
      else if (T.is(tok::r_square))
        --Brackets;
    }
    return false;
  }

  const SourceManager &SM;
  const LangOptions &Language;
};

} // namespace

bool frontend::dropsStatements(const clang::Stmt *Body,
                               const ASTContext &Context) {
  return Context.getDiagnostics().hasUncompilableErrorOccurred() &&
         Dropped(Context).in(Body);
}
