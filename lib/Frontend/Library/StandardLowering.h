//===- StandardLowering.h - the vocabulary around tensors -------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Optionals, smart pointers, tuples, std::move, comparisons: classes and
// functions that carry what a tensor program follows from one call to the next.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_LIBRARY_STANDARDLOWERING_H
#define TENSORTIDY_FRONTEND_LIBRARY_STANDARDLOWERING_H

#include "Frontend/Ast/CallSite.h"

namespace tensortidy::frontend {

class AssignmentLowering;
class CallCounter;
class FunctionBuilder;
class ListLowering;
class Lowerer;
class OptionLowering;
class PlaceFinder;
class StoreLowering;
class Surroundings;
class Types;
class ViewLowering;

/// The call that made glog's message of a comparison that failed, where \p E is
/// the variable that holds it.
const clang::Expr *glogMessage(const clang::Expr *E, Types &Kinds);

class StandardLowering {
  using ValueId = program::ValueId;

public:
  StandardLowering(Types &Kinds, Surroundings &Around, FunctionBuilder &Build,
                   PlaceFinder &Places, StoreLowering &Stores,
                   ViewLowering &Views, CallCounter &Counts,
                   ListLowering &Lists, OptionLowering &Options,
                   AssignmentLowering &Assignments, Lowerer &Lower)
      : Kinds(Kinds), Around(Around), Build(Build), Places(Places),
        Stores(Stores), Views(Views), Counts(Counts), Lists(Lists),
        Options(Options), Assignments(Assignments), Lower(Lower) {}

  /// False: \p C is none of these.
  bool call(const CallSite &C, ValueId &Result);

private:
  bool assignment(const CallSite &C, ValueId &Result);
  bool optionalCall(const CallSite &C, ValueId &Result);
  bool glogMessageIsThere(const CallSite &C, ValueId &Result);
  bool numbersCompared(const CallSite &C, ValueId &Result);
  bool wrappedCondition(const CallSite &C, ValueId &Result);
  bool maker(const CallSite &C, ValueId &Result);
  bool deviceCall(const CallSite &C, ValueId &Result);
  bool comparison(const CallSite &C, ValueId &Result);
  bool function(const CallSite &C, ValueId &Result);

  Types &Kinds;
  Surroundings &Around;
  FunctionBuilder &Build;
  PlaceFinder &Places;
  StoreLowering &Stores;
  ViewLowering &Views;
  CallCounter &Counts;
  ListLowering &Lists;
  OptionLowering &Options;
  AssignmentLowering &Assignments;
  Lowerer &Lower;
};

} // namespace tensortidy::frontend

#endif
