//===- OpaqueCallLowering.h - calls that have no model ----------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Such a call may read, change or keep what it is given, as types and names
// tell; where its body can be seen, that is what it does.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_CALLS_OPAQUECALLLOWERING_H
#define TENSORTIDY_FRONTEND_CALLS_OPAQUECALLLOWERING_H

#include "Frontend/Ast/CallSite.h"

namespace clang {
class ASTContext;
class FunctionTemplateDecl;
} // namespace clang

namespace tensortidy::frontend {

class BodyFinder;
class CallCounter;
class FunctionBuilder;
class ImageReader;
class Lowerer;
class PlaceFinder;
class StoreLowering;
class Surroundings;
class Types;
class UnitTable;
class ViewLowering;
struct BodyScan;

class OpaqueCallLowering {
  using ValueId = program::ValueId;

public:
  OpaqueCallLowering(clang::ASTContext &Context, const UnitTable &Unit,
                     Types &Kinds, const BodyScan &Scan,
                     const Surroundings &Around, FunctionBuilder &Build,
                     PlaceFinder &Places, StoreLowering &Stores,
                     ViewLowering &Views, BodyFinder &Bodies,
                     CallCounter &Counts, ImageReader &Images, Lowerer &Lower)
      : Context(Context), Unit(Unit), Kinds(Kinds), Scan(Scan), Around(Around),
        Build(Build), Places(Places), Stores(Stores), Views(Views),
        Bodies(Bodies), Counts(Counts), Images(Images), Lower(Lower) {}

  ValueId call(const CallSite &C);
  /// How a call whose meaning is not known may treat one argument: it may
  /// change what it takes by T& or T* to non-const; user code, and any code
  /// that takes it by value, may keep a tensor; anything else it reads.
  void argument(const clang::Expr *E, clang::QualType Param, bool UserCode,
                llvm::SmallVectorImpl<program::Arg> &Into);
  /// Whether the call says how its pointers' memory lies, as far as names and
  /// types tell. Analysis looks at the values.
  bool isGivenLayout(const CallSite &C);

private:
  bool called(const CallSite &C, bool Changes,
              llvm::SmallVectorImpl<program::Arg> &Operands);
  void arguments(const CallSite &C, bool Keeps,
                 const clang::FunctionTemplateDecl *Forwards,
                 llvm::SmallVectorImpl<program::Arg> &Operands);
  program::Reach reach(const CallSite &C, bool UserCode, bool OnThis);

  clang::ASTContext &Context;
  const UnitTable &Unit;
  Types &Kinds;
  const BodyScan &Scan;
  const Surroundings &Around;
  FunctionBuilder &Build;
  PlaceFinder &Places;
  StoreLowering &Stores;
  ViewLowering &Views;
  BodyFinder &Bodies;
  CallCounter &Counts;
  ImageReader &Images;
  Lowerer &Lower;
};

} // namespace tensortidy::frontend

#endif
