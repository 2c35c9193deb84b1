//===- OpaqueCallLowering.cpp - calls that have no model ------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Calls/OpaqueCallLowering.h"
#include "Frontend/Ast/BodyScan.h"
#include "Frontend/Ast/Code.h"
#include "Frontend/Ast/Surroundings.h"
#include "Frontend/Ast/Types.h"
#include "Frontend/Build/CallCounter.h"
#include "Frontend/Build/FunctionBuilder.h"
#include "Frontend/Build/Lowerer.h"
#include "Frontend/Build/PlaceFinder.h"
#include "Frontend/Build/StoreLowering.h"
#include "Frontend/Build/UnitTable.h"
#include "Frontend/Build/ViewLowering.h"
#include "Frontend/Calls/BodyFinder.h"
#include "Frontend/Calls/ImageReader.h"
#include "clang/AST/DeclTemplate.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;
using llvm::StringRef;

void OpaqueCallLowering::argument(const Expr *E, QualType Param, bool UserCode,
                                  llvm::SmallVectorImpl<Arg> &Into) {
  Arg A;
  const Expr *Inner = strip(E);
  if (isa<CXXThisExpr>(Inner))
    return;
  bool ByRef = Param->isLValueReferenceType() &&
               !Param.getNonReferenceType().isConstQualified();
  if (const auto *U = dyn_cast<UnaryOperator>(Inner);
      U && U->getOpcode() == UO_AddrOf)
    if (Place P = Places.place(U->getSubExpr())) {
      bool Writes = Param->isPointerType()
                        ? !Param->getPointeeType().isConstQualified()
                        : true;
      if (Writes) {
        A.R = Role::Write;
        A.Var = P.Var;
        if (Kinds.hasTensor(U->getSubExpr()->getType()))
          A.Value = Lower.value(U->getSubExpr());
        Into.push_back(std::move(A));
        return;
      }
    }
  if (ByRef || Param->isRValueReferenceType()) {
    if (Place P = Places.place(E)) {
      A.R = Role::Write;
      A.Var = P.Var;
      if (Kinds.hasTensor(E->getType()) ||
          Kinds.kind(E->getType()) == Kind::List)
        A.Value = Lower.value(E);
      // What a pointer by reference points to is there to be read first.
      if (ByRef && E->getType()->isPointerType() && Kinds.borrows(E->getType()))
        Into.push_back({"", Lower.value(E), Role::Read, NoId});
      // What is moved from changes, and whoever took it may keep the tensor.
      if (!ByRef && Kinds.hasTensor(E->getType()))
        Into.push_back({"", A.Value, Role::Keep, NoId});
      Into.push_back(std::move(A));
      return;
    }
  }
  if (Param->isPointerType() && !Param->getPointeeType().isConstQualified())
    if (Place P = Places.pointee(E); P && P.Exact)
      Into.push_back({"", 0, Role::Write, P.Var});
  A.Value = Lower.value(E);
  Stores.noteNarrowing(*E, Param, A.Value);
  if (Kinds.isPointerTensor(E->getType()))
    A.R = Role::Read; // no call changes the layout behind it
  else if (Kinds.holdsTensors(E->getType()))
    A.R = UserCode || !Param->isReferenceType() ? Role::Keep : Role::Read;
  else if (Param->isPointerType() &&
           !Param->getPointeeType().isConstQualified() &&
           !Param->isFunctionPointerType())
    A.R = Role::Write;
  if (A.Value)
    Into.push_back(std::move(A));
}

/// Words in names of what takes, or is, the layout of memory: "lda",
/// "row_stride", "transA".
static bool saysLayout(StringRef Name) {
  const std::string Lower = Name.lower();
  for (StringRef Word : {"stride", "pitch", "leading", "layout", "order",
                         "trans", "colmajor", "col_major", "permut", "format"})
    if (StringRef(Lower).contains(Word))
      return true;
  StringRef Rest = Lower;
  return Rest == "step" || Rest == "inc" || Rest == "incx" || Rest == "incy" ||
         Rest.starts_with("ld_") || Rest.ends_with("_ld") ||
         (Rest.consume_front("ld") && Rest.size() <= 1);
}

/// Libraries whose functions are told strides, or know another order.
static bool knowsLayout(StringRef Callee) {
  const std::string Lower = Callee.lower();
  for (StringRef Word : {"gemm", "gemv",   "trsm",   "trmm",  "syrk",   "getr",
                         "potr", "geqr",   "orgqr",  "syev",  "gesv",   "gesd",
                         "blas", "lapack", "solver", "cudnn", "miopen", "magma",
                         "mkl",  "dnnl",   "sparse", "fft"})
    if (StringRef(Lower).contains(Word))
      return true;
  return saysLayout(Callee);
}

/// Whether an object of class \p R may hold strides of what it points to: not
/// where it is no more than its fields, and none of them does by its name.
static bool mayHoldLayout(Types &Kinds, const CXXRecordDecl &R) {
  const auto Fields = Kinds.fields(&R);
  return Fields.empty() || llvm::any_of(Fields, [](const FieldDecl *F) {
           const QualType T = F->getType();
           return saysLayout(F->getName()) || T->isRecordType() ||
                  T->isArrayType() ||
                  (T->isPointerType() && T->getPointeeType()->isRecordType()) ||
                  (T->isPointerType() && T->getPointeeType()->isPointerType());
         });
}

bool OpaqueCallLowering::isGivenLayout(const CallSite &C) {
  if (!C.Callee || knowsLayout(C.Name))
    return true;
  if (Kinds.name(*C.Callee).starts_with("std::"))
    return false;
  // What an object is beside a pointer may be how its memory lies.
  const bool Beside = llvm::any_of(C.Args, [](const Expr *E) {
    return E->getType()->isPointerType() &&
           !E->getType()->getPointeeType()->isRecordType();
  });
  for (size_t I = 0; I < C.Args.size(); ++I) {
    if (C.Params[I] && saysLayout(C.Params[I]->getName()))
      return true;
    const Expr *E = strip(C.Args[I]);
    const ValueDecl *D = nullptr;
    if (const auto *R = dyn_cast<DeclRefExpr>(E))
      D = R->getDecl();
    else if (const auto *M = dyn_cast<MemberExpr>(E))
      D = M->getMemberDecl();
    if (D && D->getIdentifier() && saysLayout(D->getName()))
      return true;
    // An object may hold strides; a stream does not, nor does a number.
    QualType T = C.Params[I] ? C.Params[I]->getType().getNonReferenceType()
                             : E->getType();
    if (T->isPointerType())
      T = T->getPointeeType();
    const CXXRecordDecl *R = recordOf(T);
    const Kind K = Kinds.kind(T);
    if (R && K == Kind::Other && elementName(T).empty() &&
        !StringRef(R->getName().lower()).contains("stream") &&
        (Beside || mayHoldLayout(Kinds, *R)) &&
        !Kinds.name(*R).starts_with("std::") && R->getName() != "dim3" &&
        Kinds.model().role(Kinds.name(*R)) != TypeRole::ImageSize &&
        !R->getName().starts_with("__half") &&
        !R->getName().starts_with("__nv_bfloat16"))
      return true;
  }
  return false;
}

/// Whether argument \p I is taken by `T &&`.
static bool isForwarded(const FunctionTemplateDecl &F, unsigned I) {
  const auto Params = F.getTemplatedDecl()->parameters();
  if (Params.empty())
    return true;
  QualType T = Params[std::min<size_t>(I, Params.size() - 1)]->getType();
  if (const auto *Pack = T->getAs<PackExpansionType>())
    T = Pack->getPattern();
  return T->isRValueReferenceType();
}

/// The object of a method, or the function behind a pointer. True: the object
/// is the function's own.
bool OpaqueCallLowering::called(const CallSite &C, bool Changes,
                                llvm::SmallVectorImpl<Arg> &Operands) {
  if (!C.Object) {
    if (!C.Callee)
      Operands.push_back({"", Lower.value(cast<CallExpr>(C.E)->getCallee()),
                          Role::Read, NoId});
    return false;
  }
  const Expr *Object = strip(C.Object);
  Place Of =
      C.Object->getType()->isPointerType() ? Places.pointee(C.Object) : Place();
  if (!Of || !Of.Exact)
    Of = Places.place(C.Object);
  if (isa<CXXThisExpr>(Object))
    return true;
  if (Of && Changes) {
    Arg A{"", 0, Role::Write, Of.Var};
    if (Kinds.hasTensor(C.Object->getType()) || !Of.Exact) // which element
      A.Value = Lower.value(C.Object);
    Operands.push_back(std::move(A));
  } else if (Kinds.kind(Object->getType()) != Kind::Void) {
    Operands.push_back({"", Lower.value(C.Object),
                        Changes && Kinds.hasTensor(C.Object->getType())
                            ? Role::Write
                            : Role::Read,
                        NoId});
  }
  return false;
}

/// The type of a function that is called through a pointer, or null.
static const FunctionProtoType *prototype(const CallSite &C) {
  if (C.Callee)
    return nullptr;
  QualType T = cast<CallExpr>(C.E)->getCallee()->getType();
  if (T->isPointerType() || T->isReferenceType())
    T = T->getPointeeType();
  return T->getAs<FunctionProtoType>();
}

/// A tensor that a schema says the callee only reads, or whose elements it
/// writes. Neither assigns to the handle: the dispatcher has handles of its
/// own, even of what is taken by `Tensor &`.
static void promise(const Promises &Of, size_t I, Arg &A) {
  if (I >= Of.size() || Of[I] == Promise::None || !A.Value)
    return;
  A.Var = NoId;
  A.R = Role::Keep;
  if (Of[I] == Promise::Reads)
    A.R = Role::Read;
  else if (Of[I] == Promise::Writes)
    A.Name = "written";
}

/// What says how many bytes a call moves is operand `bytes`, or `each` and
/// `count`; and how large the numbers behind its pointers are.
static void describeBytes(const ASTContext &Context, const CallSite &C,
                          Attributes Has, size_t I,
                          llvm::MutableArrayRef<Arg> Passed) {
  static constexpr Attribute Places[] = {
      Attribute::BytesSecond, Attribute::BytesThird, Attribute::BytesFourth};
  StringRef Name;
  for (size_t N = 0; N < std::size(Places); ++N)
    if (Has.has(Places[N]) && I == N + 1)
      Name = "bytes";
  if (Has.has(Attribute::ItemsSecond) && (I == 1 || I == 2))
    Name = I == 1 ? "each" : "count";
  const uint32_t Unit = unitBehind(Context, *C.Args[I]);
  for (Arg &A : Passed) {
    A.Unit = Unit;
    if (!Name.empty())
      A.Name = Name.str();
  }
}

/// What is passed. \p Forwards: a template of a library, which passes on what
/// it takes by `T &&`.
void OpaqueCallLowering::arguments(const CallSite &C, bool Keeps,
                                   const FunctionTemplateDecl *Forwards,
                                   llvm::SmallVectorImpl<Arg> &Operands) {
  const FunctionProtoType *Proto = prototype(C);
  const bool Pushes = C.Name == "push_back" && C.Callee &&
                      Kinds.name(*C.Callee).starts_with("std::");
  const Attributes Has =
      C.Callee ? Kinds.model().attributesOf(Kinds.name(*C.Callee), false)
               : Attributes();
  const bool MovesBytes =
      Has.has(Attribute::BytesSecond) || Has.has(Attribute::BytesThird) ||
      Has.has(Attribute::BytesFourth) || Has.has(Attribute::ItemsSecond);
  const Promises Schema =
      C.Callee ? Unit.Registered.lookup(C.Callee->getCanonicalDecl())
               : Promises();
  for (size_t I = 0; I < C.Args.size(); ++I) {
    const Expr *E = C.Args[I];
    if (Kinds.kind(E->getType()) == Kind::Void)
      continue;
    QualType T = C.Params[I] ? C.Params[I]->getType() : E->getType();
    if (Proto && I < Proto->getNumParams())
      T = Proto->getParamType(I);
    if (Forwards && T->isReferenceType() && isForwarded(*Forwards, I))
      T = Context.getLValueReferenceType(T.getNonReferenceType().withConst());
    const size_t First = Operands.size();
    argument(E, T, Keeps, Operands);
    if (Operands.size() == First + 1)
      promise(Schema, I, Operands[First]);
    if (C.Params[I] && Operands.size() == First + 1 &&
        Kinds.kind(E->getType()) == Kind::Int &&
        saysLayout(C.Params[I]->getName()))
      Operands[First].Name = "stride";
    if (MovesBytes)
      describeBytes(Context, C, Has, I,
                    llvm::MutableArrayRef(Operands).drop_front(First));
    for (size_t N = First; Pushes && N < Operands.size(); ++N)
      Operands[N].Value = Views.viewOfShortLived(*E, Operands[N].Value, false);
  }
  if (!C.Object)
    return;
  if (const auto *L = dyn_cast<LambdaExpr>(strip(C.Object)))
    if (auto It = Scan.Immediate.find(L); It != Scan.Immediate.end())
      for (const VarDecl *V : It->second)
        Operands.push_back({"", 0, Role::Write, Places.of(*V).Var});
}

/// Whether it can change what outlives this function: members, globals.
Reach OpaqueCallLowering::reach(const CallSite &C, bool UserCode, bool OnThis) {
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(C.Callee);
  const bool IsConst =
      Method && Method->isConst() && !Method->getParent()->isLambda();
  const bool IsLambda =
      Method && (Method->getParent()->isLambda() ||
                 Kinds.name(*Method->getParent()) == "std::function");
  const bool RunsCallable = llvm::any_of(C.Args, [&](const Expr *E) {
    const CXXRecordDecl *R = recordOf(E->getType());
    return R && (R->isLambda() || Kinds.name(*R) == "std::function");
  });
  if (RunsCallable || IsLambda || !C.Callee)
    return Reach::All;
  if (UserCode && IsConst)
    return Reach::Pointees;
  if (UserCode || (OnThis && Method && !Method->isConst()))
    return Reach::Members;
  return Reach::Arguments;
}

/// Whether \p S may change a tensor, or anything else.
static bool changesTensors(const clang::Stmt *S, Types &Kinds) {
  if (!S)
    return false;
  if (const auto *C = dyn_cast<CallExpr>(S)) {
    const FunctionDecl *F = C->getDirectCallee();
    const auto *O = dyn_cast<CXXOperatorCallExpr>(C);
    if (!F || (O && O->isAssignmentOp()) || C->getType()->isPointerType() ||
        !Kinds.isLibrary(*F) ||
        (F->getIdentifier() &&
         Kinds.attributes(F->getName(), /*IsOperation=*/true)
             .has(Attribute::MoreEffects)))
      return true;
  }
  return llvm::any_of(S->children(), [&](const clang::Stmt *Child) {
    return changesTensors(Child, Kinds);
  });
}

/// Whether the forward() that \p Apply, of autograd::Function<T>, runs does
/// nothing but give its result.
static bool onlyComputes(const FunctionDecl &Apply, Types &Kinds) {
  const auto *M = dyn_cast<CXXMethodDecl>(&Apply);
  const auto *Of =
      M ? dyn_cast<ClassTemplateSpecializationDecl>(M->getParent()) : nullptr;
  if (!Of || !Of->getTemplateArgs().size() ||
      Of->getTemplateArgs()[0].getKind() != TemplateArgument::Type)
    return false;
  const CXXRecordDecl *User = recordOf(Of->getTemplateArgs()[0].getAsType());
  const CXXMethodDecl *Forward = User && User->hasDefinition()
                                     ? forwardOf(*User->getDefinition())
                                     : nullptr;
  const FunctionDecl *Body = Forward ? visibleBody(*Forward) : nullptr;
  return Body && !changesTensors(Body->getBody(), Kinds);
}

ValueId OpaqueCallLowering::call(const CallSite &C) {
  bool UserCode = !C.Callee || !Kinds.isLibrary(*C.Callee);
  const bool IsStd = C.Callee && Kinds.name(*C.Callee).starts_with("std::");
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(C.Callee);
  const CXXRecordDecl *Module =
      C.Object ? Kinds.moduleOf(C.Object->getType()) : nullptr;
  if (Module && C.Name == "operator()")
    UserCode = !Kinds.isLibrary(*Module);
  const FunctionTemplateDecl *Forwards = (!UserCode || Module) && C.Callee
                                             ? C.Callee->getPrimaryTemplate()
                                             : nullptr;

  llvm::SmallVector<Arg, 6> Operands;
  const bool OnThis =
      called(C, Method && !Method->isConst() && !Module, Operands);
  arguments(C, UserCode || IsStd, Forwards, Operands); // containers keep
  Images.describe(C, Operands);
  Counts.count(C, std::nullopt);
  std::shared_ptr<const Call> Calls = Bodies.bodyOf(C, Operands);
  program::Stmt &S = Build.emit(Op::Opaque, C.E);
  S.Calls = S.Expected ? nullptr : std::move(Calls);
  S.Text = C.Name.empty() ? "call" : C.Name;
  if (C.Callee)
    S.Has = Kinds.model().attributesOf(Kinds.name(*C.Callee), false);
  if (S.is(Attribute::MakesNode) && !onlyComputes(*C.Callee, Kinds))
    S.Has.add(Attribute::MoreEffects);
  S.Discarded = S.is(Attribute::MakesNode) && Around.isDiscarded(*C.E);
  if (Module && C.Name == "operator()")
    S.Text = "forward";
  S.Forward = S.Text == "forward";
  S.Launches = isa<CUDAKernelCallExpr>(C.E);
  S.Strided = isGivenLayout(C);
  S.Args.append(Operands.begin(), Operands.end());
  Build.reaches(reach(C, UserCode, OnThis));
  if (Kinds.kind(C.E->getType()) == Kind::Void)
    return 0;
  Build.result(S);
  const bool Runs = IsStd && (C.Name == "async" || C.Name == "bind");
  const bool Copies = S.is(Attribute::CopiesImage);
  S.Derives =
      (Runs || (C.Object && !Copies && Kinds.borrows(C.Object->getType()))) &&
      Kinds.borrows(C.E->getType());
  return C.Object && (C.Name == "data" || C.Name == "c_str")
             ? Views.temporary(*C.E, S.Result,
                               Views.dyingContainer(*strip(C.Object)), true)
             : S.Result;
}
