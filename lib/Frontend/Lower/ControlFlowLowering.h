//===- ControlFlowLowering.h - blocks and edges -----------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The blocks of the CFG that can be reached, in reverse post-order, so that a
// value is lowered before the blocks that use it.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_LOWER_CONTROLFLOWLOWERING_H
#define TENSORTIDY_FRONTEND_LOWER_CONTROLFLOWLOWERING_H

#include "Frontend/Lower/LoopFinder.h"

namespace clang {
class ASTContext;
class CFGBlock;
class FunctionDecl;
class Stmt;
class SwitchStmt;
} // namespace clang

namespace tensortidy::frontend {

class ConstantMaker;
class DeclarationLowering;
class ExpressionLowering;
class FunctionBuilder;
class MemberLowering;
class RecordLowering;
class ScopeLowering;
class StatementLowering;
class Types;
class VariableTable;
class ViewLowering;
struct BodyScan;

class ControlFlowLowering {
public:
  ControlFlowLowering(const clang::FunctionDecl &Fn, clang::ASTContext &Context,
                      program::Function &Out, Types &Kinds,
                      const BodyScan &Scan, FunctionBuilder &Build,
                      VariableTable &Vars, ConstantMaker &Constants,
                      ScopeLowering &Scopes, ViewLowering &Views,
                      RecordLowering &Records, MemberLowering &Members,
                      ExpressionLowering &Expressions,
                      DeclarationLowering &Declarations,
                      StatementLowering &Statements, LoopFinder &Loops)
      : Fn(Fn), Context(Context), Out(Out), Kinds(Kinds), Scan(Scan),
        Build(Build), Vars(Vars), Constants(Constants), Scopes(Scopes),
        Views(Views), Records(Records), Members(Members),
        Expressions(Expressions), Declarations(Declarations),
        Statements(Statements), Loops(Loops) {}

  /// False: the function is given up, as Out.Reason says.
  bool lower(const clang::Stmt &Body);

private:
  void block(const clang::CFGBlock &B);
  void terminator(const clang::CFGBlock &B);
  void switchOver(const clang::SwitchStmt &S, const clang::CFGBlock &B);
  void contracts();

  const clang::FunctionDecl &Fn;
  clang::ASTContext &Context;
  program::Function &Out;
  Types &Kinds;
  const BodyScan &Scan;
  FunctionBuilder &Build;
  VariableTable &Vars;
  ConstantMaker &Constants;
  ScopeLowering &Scopes;
  ViewLowering &Views;
  RecordLowering &Records;
  MemberLowering &Members;
  ExpressionLowering &Expressions;
  DeclarationLowering &Declarations;
  StatementLowering &Statements;
  LoopFinder &Loops;

  BlockIds Ids;
  /// Where an arm that falls off the function's end leads.
  const clang::CFGBlock *ExitBlock = nullptr;
  program::BlockId ReturnBlock = program::NoId;
};

} // namespace tensortidy::frontend

#endif
