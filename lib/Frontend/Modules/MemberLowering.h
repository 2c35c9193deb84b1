//===- MemberLowering.h - what a constructor made of the members ----------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A member that others leave alone has the value that its constructor gave it:
// numbers, the sizes of tensors, the weights of modules, and whether there is a
// module at all.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_MODULES_MEMBERLOWERING_H
#define TENSORTIDY_FRONTEND_MODULES_MEMBERLOWERING_H

#include "Frontend/Ast/CallSite.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace clang {
class ASTContext;
class FunctionDecl;
} // namespace clang

namespace tensortidy::frontend {

class ConstantMaker;
class FunctionBuilder;
class Lowerer;
class ModuleReader;
class RecordLowering;
class SettingLowering;
class Types;
class UnitTable;
class VariableTable;

class MemberLowering {
  using ValueId = program::ValueId;

public:
  MemberLowering(const clang::FunctionDecl &Fn, clang::ASTContext &Context,
                 UnitTable &Unit, Types &Kinds, FunctionBuilder &Build,
                 VariableTable &Vars, RecordLowering &Records,
                 ConstantMaker &Constants, SettingLowering &Settings,
                 ModuleReader &Modules, Lowerer &Lower)
      : Fn(Fn), Context(Context), Unit(Unit), Kinds(Kinds), Build(Build),
        Vars(Vars), Records(Records), Constants(Constants), Settings(Settings),
        Modules(Modules), Lower(Lower) {}

  /// A tensor member of a module has the layout that it was made with, and a
  /// private one of any class what all that it is ever given have in common:
  ///
  ///   w = register_parameter("w", torch::randn({n, m}));
  ///                                     %2 = list %n %m
  ///                                     %3 = random size=%2
  ///                                     assume sizes(w) == sizes(%3)
  ///                                     assume strides(w) == strides(%3)
  ///
  /// \p Named: what the body names of objects.
  void lowerAll(llvm::ArrayRef<const clang::MemberExpr *> Named);
  /// What the constructor knew of \p E while it made a member; 0: nothing.
  ValueId inConstructor(const clang::Expr &E);
  /// A member that has the value its constructor gave it, or a part of one that
  /// the constructor was given, `options.heads`; 0 for others.
  ValueId field(const clang::Expr &E);
  /// `linear->weight` of a module whose construction can be seen; 0 for others.
  ValueId weight(const clang::MemberExpr &E);
  /// `is_empty()` of a member, and other tests for whether it holds a module.
  bool holdsCall(const CallSite &C, ValueId &Result);

  /// \p Element, which \p E reads from a list that is a member of the object
  /// itself, is like all that the class puts there.
  void element(const clang::Expr &E, ValueId Element);
  /// The same of one of \p List, at \p At.
  void elementOf(const clang::Expr &List, ValueId Element,
                 const clang::Expr &At);

private:
  void lowerElements(const clang::FieldDecl &F);
  /// \p Own has the sizes and strides of \p Like.
  void assumeLike(ValueId Own, ValueId Like, const clang::Expr *At);
  void lowerMade(const clang::FieldDecl &F,
                 llvm::ArrayRef<const clang::Expr *> Values, bool IsConst);
  /// What the one constructor of the object's class has checked of numbers:
  ///
  ///   History(int64_t n) : n_(n) { TORCH_CHECK(n > 2); }    assume n_ > 2
  void lowerChecks(const clang::CXXRecordDecl &Class);
  void assumeChecks(const clang::CompoundStmt &Body,
                    const clang::CXXConstructorDecl &Ctor);
  void assume(const clang::Expr *Condition, bool Holds,
              const clang::CXXConstructorDecl &Ctor);
  void assumeValue(ValueId V, bool Holds, const clang::Expr &At);
  bool asksOwnTensor(const clang::CXXMemberCallExpr &C);
  /// What \p E, a local or another member, was when the constructor made it.
  ValueId before(const clang::Expr &E, const clang::VarDecl *V);
  /// The same of a field of \p Object, by all of its writes: the record \p Part
  /// of the method's own object, where that is not null.
  void lowerWrites(const clang::FieldDecl &F, program::VarId Object,
                   const clang::FieldDecl *Part);
  program::VarId laterName(const clang::Expr &E, unsigned Depth = 0);
  void lowerPlace(const clang::FieldDecl &F);
  void lowerMoved(const clang::CXXMethodDecl &Forward,
                  llvm::SmallSetVector<const clang::FieldDecl *, 4> &Tensors,
                  const clang::Expr *At);
  /// The member is where Made is, and of its element type.
  void lowerPlaced(const clang::FieldDecl &F, const clang::Expr *At);
  /// The statements from \p First on run before the function.
  void markBefore(size_t First);
  ValueId holdsModule(const clang::Expr *Holder, const clang::Expr *At);

  const clang::FunctionDecl &Fn;
  clang::ASTContext &Context;
  UnitTable &Unit;
  Types &Kinds;
  FunctionBuilder &Build;
  VariableTable &Vars;
  RecordLowering &Records;
  ConstantMaker &Constants;
  SettingLowering &Settings;
  ModuleReader &Modules;
  Lowerer &Lower;

  /// What the constructor made of members (lowerAll).
  llvm::DenseMap<const clang::FieldDecl *, ValueId> Made;
  /// An element of lists that are members (lowerElements).
  llvm::DenseMap<const clang::FieldDecl *, ValueId> Elements;
  bool InConstructor = false; ///< that is being lowered
  /// What is being lowered are several writes of a member, or not those of its
  /// constructor: their numbers are not known.
  bool Numberless = false;
  /// The private member, of a class that need not be a module.
  const clang::FieldDecl *InPrivate = nullptr;
  unsigned Nested = 0; ///< members made from members
  /// The object whose member is being lowered.
  program::VarId Object = program::ThisBase;
};

} // namespace tensortidy::frontend

#endif
