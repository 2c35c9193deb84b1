//===- ObjectLowering.h - constructors, braces and lambdas ------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What they make is a list, options, a tensor, an object with fields, or what
// keeps what it is given. A constructor whose body can be seen runs on an
// object without a name, as a method does on a variable.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_LOWER_OBJECTLOWERING_H
#define TENSORTIDY_FRONTEND_LOWER_OBJECTLOWERING_H

#include "Frontend/Ast/CallSite.h"

namespace clang {
class ASTContext;
} // namespace clang

namespace tensortidy::frontend {

class ApiCallLowering;
class BodyFinder;
class FunctionBuilder;
class ImageReader;
class ListLowering;
class Lowerer;
class OpaqueCallLowering;
class OptionLowering;
class PlaceFinder;
class RecordLowering;
class ScopeLowering;
class StoreLowering;
class Surroundings;
class Types;
class VariableTable;

class ObjectLowering {
  using ValueId = program::ValueId;

public:
  ObjectLowering(clang::ASTContext &Context, Types &Kinds, Surroundings &Around,
                 FunctionBuilder &Build, VariableTable &Vars,
                 PlaceFinder &Places, ScopeLowering &Scopes,
                 RecordLowering &Records, StoreLowering &Stores,
                 BodyFinder &Bodies, OpaqueCallLowering &OpaqueCalls,
                 ApiCallLowering &ApiCalls, ListLowering &Lists,
                 OptionLowering &Options, ImageReader &Images, Lowerer &Lower)
      : Context(Context), Kinds(Kinds), Around(Around), Build(Build),
        Vars(Vars), Places(Places), Scopes(Scopes), Records(Records),
        Stores(Stores), Bodies(Bodies), OpaqueCalls(OpaqueCalls),
        ApiCalls(ApiCalls), Lists(Lists), Options(Options), Images(Images),
        Lower(Lower) {}

  ValueId construct(const clang::CXXConstructExpr &E);
  ValueId braces(const clang::InitListExpr &E);
  /// Making a closure changes nothing: what it may change later, any call may
  /// (Variable::IsCaptured).
  ValueId closure(const clang::LambdaExpr &E);

private:
  bool constructRecord(const CallSite &Site,
                       llvm::ArrayRef<program::Arg> Passed, ValueId &Result);

  clang::ASTContext &Context;
  Types &Kinds;
  Surroundings &Around;
  FunctionBuilder &Build;
  VariableTable &Vars;
  PlaceFinder &Places;
  ScopeLowering &Scopes;
  RecordLowering &Records;
  StoreLowering &Stores;
  BodyFinder &Bodies;
  OpaqueCallLowering &OpaqueCalls;
  ApiCallLowering &ApiCalls;
  ListLowering &Lists;
  OptionLowering &Options;
  ImageReader &Images;
  Lowerer &Lower;
};

} // namespace tensortidy::frontend

#endif
