//===- Lowering.h - one function to a tensor program ------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to Frontend. The work is split by concept:
//
//   Ast/BodyScan.cpp                one walk over the body: parents, loops
//   Lower/ControlFlowLowering.cpp   the CFG: blocks, edges, scopes; emission
//   Lower/DeclarationLowering.cpp   statements, declarations, variables
//   Lower/ExpressionLowering.cpp    expressions that are not calls
//   Lower/ObjectLowering.cpp        constructors, braces and lambdas
//   Build/PlaceFinder.cpp           places and what is put there
//   Build/RecordLowering.cpp        objects of the user's classes
//   Calls/ApiCallLowering.cpp       calls: API models, opaque calls
//   Calls/BodyFinder.cpp            calls whose body can be seen
//   Modules/SettingLowering.cpp     torch::nn modules, as they are made
//   Modules/ModuleCallLowering.cpp  what calling one of them does
//   Library/ListLowering.cpp        lists, options, std::move
//   Edits/EditVetter.cpp            which text edits a statement allows
//
// Every expression has one value, made when the CFG evaluates it; names of
// variables are read late, by the expression that uses them, because as the
// target of an assignment they are not read at all.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_LOWER_LOWERING_H
#define TENSORTIDY_FRONTEND_LOWER_LOWERING_H

#include "Frontend/Frontend.h"
#include "Frontend/Ast/Types.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

namespace clang {
class CFG;
class CFGBlock;
} // namespace clang

namespace tensortidy::frontend {

/// Names a declaration across the functions of a unit.
inline uint64_t identityOf(const clang::Decl &D) {
  return reinterpret_cast<uintptr_t>(D.getCanonicalDecl());
}

/// What one walk over a body finds out.
struct BodyScan {
  llvm::DenseMap<const clang::Stmt *, const clang::Stmt *> Parent;
  struct LoopInfo {
    const clang::Stmt *S;
    program::LoopId Parent;
    /// How many loops, this one and those in it, an OpenMP directive divides
    /// among threads.
    unsigned Parallel;
  };
  std::vector<LoopInfo> Loops;
  llvm::DenseMap<const clang::Stmt *, program::LoopId>
      LoopOf; ///< the loop statement itself
  /// Innermost loop whose repeated part holds the statement.
  llvm::DenseMap<const clang::Stmt *, program::LoopId> InLoop;
  llvm::DenseMap<const clang::VarDecl *, const clang::DeclStmt *> DeclOf;
  llvm::DenseMap<const clang::VarDecl *, const clang::CXXForRangeStmt *>
      RangeVars;
  llvm::DenseSet<const clang::VarDecl *>
      Exposed; ///< captured by reference, address taken
  /// Of pointers: given another value somewhere, or their address passed on.
  llvm::DenseSet<const clang::VarDecl *> Rebound;
  /// Lambdas called where they stand, with the variables they may change: no
  /// other call can run them.
  llvm::DenseMap<const clang::LambdaExpr *,
                 llvm::SmallVector<const clang::VarDecl *, 4>>
      Immediate;
  llvm::DenseSet<const clang::Stmt *> FullExprs;
  llvm::DenseSet<const clang::Expr *>
      Arms; ///< of ?:, evaluated where they stand
  llvm::DenseMap<clang::DeclarationName,
                 llvm::SmallVector<const clang::ValueDecl *, 1>>
      ByName;
  bool HasTry = false, HasNoReturnDtor = false, HasErrors = false,
       TooDeep = false;
};
void scanBody(const clang::Stmt *Body, Types &Kinds, BodyScan &Out);
/// The fewest digits that say which number of its type \p F is: 0.3, not
/// 0.300000012.
void shortest(const llvm::APFloat &F, llvm::SmallVectorImpl<char> &Text);
/// Whether clang has left out a statement of \p Body that it could make nothing
/// of, maybe without a word about it there.
bool dropsStatements(const clang::Stmt *Body, const clang::ASTContext &Context);

/// A storage location an expression names. `Exact`: the whole of it, otherwise
/// something inside it (an element).
struct Place {
  program::VarId Var = program::NoId;
  bool Exact = true;
  explicit operator bool() const { return Var != program::NoId; }
  Place inside() const { return {Var, false}; }
};

/// One call, whatever its form.
struct CallSite {
  const clang::Expr *E = nullptr;
  const clang::FunctionDecl *Callee = nullptr; ///< null: through a pointer
  const clang::Expr *Object = nullptr;         ///< of a member call
  bool IsMethod = false, IsOperator = false;
  llvm::SmallVector<const clang::Expr *, 6>
      Args; ///< as passed, default ones left out
  llvm::SmallVector<const clang::ParmVarDecl *, 6>
      Params; ///< beside Args; null: variadic
  /// How many of them the call has itself; the rest are settings that an
  /// options object was made with: `F::conv2d(x, w,
  /// F::Conv2dFuncOptions().stride(2))`.
  size_t OwnArgs = 0;
  std::string Name;
  /// Of a constructor: the variable it makes.
  program::VarId Made = program::NoId;
};

/// How a module of torch::nn was made: `Linear(784, 10)`.
struct ModuleSpec {
  llvm::StringRef Class; ///< "Linear"; empty for one of the user's
  const clang::CXXRecordDecl *Users = nullptr;
  llvm::StringRef Name; ///< of the variable or member; or empty
  const clang::Expr *Made = nullptr;
  llvm::SmallVector<const clang::Expr *, 4> Args;
  llvm::StringMap<const clang::Expr *> Options; ///< .stride(2)
};

class Lowering {
public:
  Lowering(const clang::FunctionDecl &F, clang::ASTContext &Context,
           const ApiModel &Model, UnitFunctions &Unit);
  program::Function run(llvm::ArrayRef<clang::SourceLocation> Tainted);
  static const clang::Expr *arrowObject(const clang::Expr *E);

private:
  using ValueId = program::ValueId;
  using VarId = program::VarId;
  using Op = program::Op;
  using Role = program::Role;

  // Lower.cpp
  bool lowerCfg(const clang::Stmt &Body);
  void lowerContracts();
  void makeLoops();
  void findHeads(const clang::CFG &Graph);
  const program::LoopId *loopOf(const clang::CFGBlock &B) const;
  void inferLoops(llvm::DenseSet<program::BlockId> Unknown);
  void lowerBlock(const clang::CFGBlock &B);
  void lowerTerminator(const clang::CFGBlock &B);
  void lowerSwitch(const clang::SwitchStmt &S, const clang::CFGBlock &B);
  const clang::CXXTryStmt *tryAround(const clang::Stmt *S) const;
  bool isExpected(const clang::Stmt *S) const;
  void lowerElementStmt(const clang::Stmt &S);
  void lowerDecl(const clang::VarDecl &V);
  bool isUnnamedList(const clang::Expr &E);
  void lowerBindings(const clang::DecompositionDecl &D, ValueId Whole);
  void lowerReturn(const clang::ReturnStmt &S);
  std::string dyingContainer(const clang::Expr &E);
  ValueId temporary(const clang::Expr &From, ValueId V, const std::string &What,
                    bool Until);
  ValueId viewOfShortLived(const clang::Expr &E, ValueId V, bool Returned);
  ValueId rangeOf(const clang::CXXForRangeStmt &L);
  ValueId rangeElement(const clang::CXXForRangeStmt &L);
  VarId varFor(const clang::ValueDecl &D);
  /// \p WritesThis: the source says "this->".
  llvm::StringRef symbolName(clang::QualType T, const llvm::APSInt &I);
  VarId memberVar(VarId Base, const clang::ValueDecl &Field,
                  bool WritesThis = false);
  VarId pointeeVar(VarId Pointer, clang::QualType T);
  VarId unknownObject();
  bool isStable(VarId V) const;
  std::string variableName(const clang::ValueDecl &D) const;

  // LowerExpr.cpp
  ValueId val(const clang::Expr *E);
  ValueId lowerExpr(const clang::Expr *E);
  ValueId lowerUnary(const clang::UnaryOperator &E);
  ValueId lowerBinary(const clang::BinaryOperator &E);
  ValueId lowerConstruct(const clang::CXXConstructExpr &E);
  void describeImage(const CallSite &C,
                     llvm::SmallVectorImpl<program::Arg> &Operands);
  ValueId lowerInitList(const clang::InitListExpr &E);
  ValueId lowerLambda(const clang::LambdaExpr &E);
  ValueId lowerOther(const clang::Expr &E);
  ValueId asBool(const clang::Expr *E);
  bool constant(const clang::Expr *E, ValueId &Out);
  const clang::MemberExpr *tensorField(const clang::Expr *E,
                                       llvm::StringRef Name) const;
  bool lowerTensorField(const clang::Expr *E, ValueId &Out);
  ValueId isDefined(const clang::Expr *Tensor, const clang::Expr *At);
  Place place(const clang::Expr *E);
  Place pointee(const clang::Expr *E);
  ValueId addressOf(const clang::Expr *E, const clang::Expr *At);
  bool isAddress(const clang::Expr *E);
  void noteNarrowing(const clang::Expr &E, clang::QualType To, ValueId V);
  void storeElement(const clang::Expr *Target, ValueId V,
                    const clang::Expr *At);
  void assign(const clang::Expr *Target, ValueId V, const clang::Expr *At);
  ValueId elementOf(const clang::Expr *Target, const clang::Expr *&List);
  void storeTo(Place P, ValueId V, const clang::Expr *At, ValueId Element = 0);
  void movedFrom(const clang::Expr *Source);

  // Records.cpp
  ValueId whole(llvm::SmallVector<ValueId, 8> Fields, clang::QualType T,
                const clang::Stmt *At);
  ValueId read(VarId V, clang::QualType T, const clang::Stmt *At);
  void write(VarId V, clang::QualType T, ValueId Whole, const clang::Stmt *At,
             bool Binds = false);
  ValueId part(ValueId Whole, unsigned I, clang::QualType T,
               const clang::Stmt *At);
  ValueId fieldOf(const clang::MemberExpr &M);
  ValueId initialField(const clang::FieldDecl &F, const clang::Expr *At);
  bool listRecord(const clang::InitListExpr &E, ValueId &Out);
  bool constructRecord(const CallSite &C, llvm::ArrayRef<program::Arg> Passed,
                       ValueId &Out);
  void endFullExpr(const clang::Stmt *At);
  void endScope(VarId V, clang::QualType T);

  // LowerCalls.cpp
  CallSite callSite(const clang::CallExpr &E);
  ValueId lowerCall(const clang::CallExpr &E);
  bool isUsersObject(const CallSite &C);
  bool lowerApi(const CallSite &C, ValueId &Out);
  bool isDeclared(llvm::StringRef Function) const;
  llvm::StringRef literalDType(const clang::Expr *E);
  ValueId lowerOut(const CallSite &C, const Api *Base);
  void describeMemory(const CallSite &C,
                      llvm::SmallVectorImpl<program::Arg> &Operands);
  ValueId lowerOpaque(const CallSite &C);
  bool isGivenLayout(const CallSite &C);
  void countCall(const CallSite &C, std::optional<program::Op> Meaning);
  void opaqueArg(const clang::Expr *E, clang::QualType Param, bool UserCode,
                 llvm::SmallVectorImpl<program::Arg> &Into);

  // LowerBodies.cpp
  std::shared_ptr<const program::Call>
  bodyOf(const CallSite &C, llvm::ArrayRef<program::Arg> Passed);
  const clang::FunctionDecl *followed(const CallSite &C, program::Call &To);
  const clang::FunctionDecl *visibleBody(const clang::FunctionDecl &F);
  static const clang::CXXMethodDecl *
  forwardOf(const clang::CXXRecordDecl &Module);
  program::Binding bind(const clang::Expr *E, clang::QualType Param);

  // Modules.cpp
  bool moduleSpec(const clang::Expr *E, ModuleSpec &Spec, unsigned Depth = 0);
  bool madeWith(const clang::CXXRecordDecl &Impl, const clang::Expr *Made,
                ModuleSpec &Spec);
  void readNamedModules(ModuleSpec &Spec);
  bool readOptions(ModuleSpec &Spec);
  void addSettings(CallSite &C);
  ValueId setting(const clang::Expr *E, const clang::Expr *At,
                  unsigned Depth = 0);
  const clang::FieldDecl *ownField(const clang::Expr *E);
  bool isModuleField(const clang::FieldDecl &F);
  VarId givenVar(const clang::Expr *E, unsigned Depth = 0);
  ValueId madeField(const clang::Expr &E);
  ValueId moduleWeight(const clang::MemberExpr &E);
  void lowerMembers();
  ValueId inConstructor(const clang::Expr &E);
  bool makesSome(const clang::CXXConstructorDecl &Ctor);
  ValueId holdsModule(const clang::Expr *Holder, const clang::Expr *At);
  bool lowerHolds(const CallSite &C, ValueId &Out);
  const clang::CXXConstructorDecl *
  onlyConstructor(const clang::CXXRecordDecl &Class);

  // ModuleCalls.cpp
  void giveConstructor(const ModuleSpec &M, VarId Object,
                       const clang::Expr &At);
  void knowObject(const CallSite &C, program::Call &To);
  ValueId runModule(const ModuleSpec &M, ValueId X, const clang::Expr &At);
  bool lowerRecurrent(const ModuleSpec &M, const CallSite &C, ValueId &Out);
  bool lowerAttention(const ModuleSpec &M, const CallSite &C, ValueId &Out);
  ValueId applyModule(const ModuleSpec &M, ValueId X, const clang::Expr &At);
  bool lowerModule(const CallSite &C, ValueId &Out);
  const clang::CXXRecordDecl *moduleImpl(clang::QualType T);

  // LowerLibrary.cpp
  void swapValues(const clang::Expr *A, const clang::Expr *B);
  bool lowerLibrary(const CallSite &C, ValueId &Out);
  bool lowerListCall(const CallSite &C, ValueId &Out);
  bool lowerListChange(const CallSite &C);
  bool makesElement(const clang::Expr &E, clang::QualType List);
  bool changeList(const clang::Expr *List, Op O,
                  llvm::ArrayRef<ValueId> Operands, const clang::Expr *At,
                  ValueId Before = 0,
                  llvm::function_ref<void()> Effect = nullptr);
  ValueId lastIndex(const clang::Expr *List, const clang::Expr *At);
  ValueId elementIndex(const CallSite &C);
  ValueId tupleIndex(const CallSite &C);
  ValueId iteratorIndex(const clang::Expr *Iterator, const clang::Expr *List,
                        ValueId &Before);
  bool lowerWrapperCall(const CallSite &C, ValueId &Out);
  bool lowerOptionsCall(const CallSite &C, ValueId &Out);
  bool lowerStdCall(const CallSite &C, ValueId &Out);
  bool isOwner(clang::QualType T);
  bool lowerTensorAssign(const CallSite &C, ValueId &Out);
  ValueId ownElements(ValueId V, clang::QualType From, const clang::Expr &E);
  bool constructList(const clang::CXXConstructExpr &E, ValueId &Out);
  bool constructOptions(const clang::CXXConstructExpr &E, ValueId &Out);

  // Edits.cpp
  uint8_t vetEdits(const CallSite &C, program::Range Callee) const;
  bool mayDrop(const CallSite &C) const;
  bool mayDropNode(const CallSite &C) const;
  bool mayHoist(const clang::Expr &Init) const;
  bool isDiscarded(const clang::Expr &E) const;
  bool mayAssignBack(const CallSite &C);
  bool inMacro(clang::SourceRange R) const;

  // Emission.
  program::Stmt &emit(Op O, const clang::Stmt *At);
  ValueId result(program::Stmt &S) { return S.Result = Out.NextValue++; }
  ValueId emitValue(Op O, const clang::Stmt *At,
                    llvm::ArrayRef<ValueId> Operands);
  /// A statement of isOpaque(); \p Text is for people.
  ValueId emitOther(Op O, llvm::StringRef Text, const clang::Stmt *At,
                    llvm::ArrayRef<ValueId> Reads);
  ValueId derives(ValueId V, clang::QualType T);
  ValueId constInt(int64_t V, const clang::Stmt *At);
  ValueId constBool(bool V, const clang::Stmt *At);
  ValueId constNone(const clang::Stmt *At);
  ValueId templateArgument(const clang::TemplateArgument &A,
                           const clang::Expr *At);
  ValueId constant(const ApiConstant &K, const clang::Expr *E);
  ValueId constText(program::ConstKind K, llvm::StringRef Text,
                    const clang::Stmt *At);
  ValueId load(VarId V, const clang::Stmt *At);
  program::Range range(clang::SourceRange R) const;
  program::VarType varType(clang::QualType T);
  static const clang::Expr *strip(const clang::Expr *E);
  /// "*p" for what the variable p points to, "*" for what others do.
  static std::string derefName(const clang::Expr *Pointer);
  bool isTensorish(clang::QualType T) { return Kinds.hasTensor(T); }
  /// Tensorish, or something else that keeps the tensors in it alive.
  bool holdsTensors(clang::QualType T) {
    return Kinds.hasTensor(T) || Kinds.ownsTensors(T);
  }

  const clang::FunctionDecl &Fn;
  UnitFunctions &Unit;
  clang::ASTContext &Context;
  const clang::SourceManager &SM;
  mutable Types Kinds;
  const bool IsInstance; ///< made from a template, or in one
  BodyScan Scan;
  llvm::DenseMap<const clang::Expr *, ValueId> IteratorOf; ///< begin(), end()
  program::Function Out;
  program::BlockId Here = 0;

  llvm::DenseMap<const clang::Expr *, ValueId> Values;
  /// What the constructor made of members (lowerMembers).
  llvm::DenseMap<const clang::FieldDecl *, ValueId> Made;
  bool InConstructor = false; ///< that is being lowered
  /// The fields of an object that this block made or read.
  llvm::DenseMap<ValueId, llvm::SmallVector<ValueId, 8>> PartsOf;
  /// The object without a name that a constructor made.
  llvm::DenseMap<const clang::Expr *, VarId> MadeBy;
  /// Objects that the full expression has made in this block.
  llvm::SmallVector<std::pair<VarId, clang::QualType>, 2> Temporaries;
  llvm::DenseMap<const clang::ValueDecl *, VarId> Vars;
  /// References that only rename a variable.
  llvm::DenseMap<const clang::ValueDecl *, Place> Aliases;
  llvm::DenseSet<const clang::ValueDecl *> CopiedIn; ///< by this lambda
  /// What pointers point to that never get another value.
  llvm::DenseMap<const clang::ValueDecl *, VarId> PointsTo;
  llvm::DenseSet<VarId> FixedPointers; ///< likewise, whatever they point to
  llvm::DenseSet<VarId> ElementRefs;   ///< references to elements of memory
  unsigned Pointees = 0;
  VarId Anything = program::NoId; ///< an object behind an unknown pointer
  llvm::DenseMap<std::pair<VarId, const clang::ValueDecl *>, VarId> Members;
  using Reach = program::Reach;
  void reaches(Reach What) { Out.Blocks[Here].Stmts.back().Reaches = What; }
  llvm::DenseMap<const clang::CFGBlock *, program::BlockId> BlockIds;
  /// Where an arm that falls off the function's end leads.
  const clang::CFGBlock *ExitBlock = nullptr;
  program::BlockId ReturnBlock = program::NoId;
  llvm::DenseMap<const clang::CXXForRangeStmt *, VarId> RangeHolders;
};

} // namespace tensortidy::frontend

#endif
