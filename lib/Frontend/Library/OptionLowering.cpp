//===- OptionLowering.cpp - tensor options --------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Library/OptionLowering.h"
#include "Frontend/Ast/Types.h"
#include "Frontend/Build/FunctionBuilder.h"
#include "Frontend/Build/Lowerer.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;
using llvm::StringRef;

static StringRef optionName(StringRef Method) {
  return llvm::StringSwitch<StringRef>(Method)
      .Case("dtype", "dtype")
      .Case("device", "device")
      .Case("device_index", "device")
      .Case("layout", "layout")
      .Case("requires_grad", "requires_grad")
      .Case("pinned_memory", "pinned_memory")
      .Case("memory_format", "memory_format")
      .Default("");
}

/// What a single value in an options argument sets.
static StringRef optionOf(QualType T, Types &Kinds) {
  std::string Name;
  if (const auto *R = recordOf(T))
    Name = Kinds.name(*R).str();
  else if (const auto *E = T.getNonReferenceType()->getAs<EnumType>())
    Name = Kinds.name(*E->getDecl()).str();
  StringRef Last = StringRef(Name).rsplit("::").second;
  return llvm::StringSwitch<StringRef>(Last)
      .Case("ScalarType", "dtype")
      .Case("TypeMeta", "dtype")
      .Case("MemoryFormat", "memory_format")
      .Case("Layout", "layout")
      .Default("device");
}

bool OptionLowering::call(const CallSite &C, ValueId &Result) {
  StringRef Option = optionName(C.Name);
  if (Option.empty() || C.Args.size() > 1 ||
      Kinds.kind(C.E->getType()) != Kind::Options)
    return false;
  ValueId Self = Lower.value(C.Object), Value = 0;
  if (!C.Args.empty())
    Value = Lower.value(C.Args[0]);
  program::Stmt &S = Build.emit(Op::OptionsOp, C.E);
  S.Args.push_back({"self", Self, Role::Read, NoId});
  if (Value)
    S.Args.push_back({Option.str(), Value, Role::Read, NoId});
  Result = Build.result(S);
  return true;
}

bool OptionLowering::function(const CallSite &C, ValueId &Result) {
  StringRef Option = optionName(C.Name);
  if (Option.empty())
    return false;
  ValueId Value = !C.Args.empty()             ? Lower.value(C.Args[0])
                  : Option == "requires_grad" ? Build.constBool(true, C.E)
                                              : 0;
  program::Stmt &S = Build.emit(Op::OptionsOp, C.E);
  if (Value)
    S.Args.push_back({Option.str(), Value, Role::Read, NoId});
  Result = Build.result(S);
  return true;
}

bool OptionLowering::construct(const CXXConstructExpr &E, ValueId &Result) {
  const Expr *Arg = E.getNumArgs() && !isa<CXXDefaultArgExpr>(E.getArg(0))
                        ? E.getArg(0)
                        : nullptr;
  if (Arg && Kinds.kind(Arg->getType()) == Kind::Options) {
    Result = Lower.value(Arg);
    return true;
  }
  ValueId Value = Arg ? Lower.value(Arg) : 0;
  program::Stmt &S = Build.emit(Op::OptionsOp, &E);
  if (Arg)
    S.Args.push_back(
        {optionOf(Arg->getType(), Kinds).str(), Value, Role::Read, NoId});
  Result = Build.result(S);
  return true;
}
