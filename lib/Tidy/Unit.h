//===- Unit.h - one analysis for all checks of a file -----------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// clang-tidy makes one object per enabled check and hands each the same
// ClangTidyContext. That pointer finds the unit they share:
//
//   ClangTidyContext --- weak ---> Unit <--- shared --- check, check, check
//                                   |
//                        find, lower, analyse once, report through each check
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TIDY_UNIT_H
#define TENSORTIDY_TIDY_UNIT_H

#include "Analysis/Facts/Finding.h"
#include "Tidy/Errors.h"
#include "clang-tidy/ClangTidyCheck.h"
#include "llvm/ADT/StringSet.h"
#include <vector>

namespace tensortidy::models {
class ApiModel;
} // namespace tensortidy::models

namespace tensortidy::tidy {

class Unit;

/// One check of the catalogue. All of them are this class; they differ in name
/// and options.
class TensorCheck : public clang::tidy::ClangTidyCheck {
public:
  TensorCheck(analysis::Check Id, llvm::StringRef Name,
              clang::tidy::ClangTidyContext *Context);
  ~TensorCheck() override;

  bool isLanguageVersionSupported(
      const clang::LangOptions &LangOpts) const override {
    return LangOpts.CPlusPlus || LangOpts.C99; // ggml is used from C, too
  }
  void registerPPCallbacks(const clang::SourceManager &SM,
                           clang::Preprocessor *PP,
                           clang::Preprocessor *ModuleExpanderPP) override;
  void registerMatchers(clang::ast_matchers::MatchFinder *Finder) override;
  void
  check(const clang::ast_matchers::MatchFinder::MatchResult &Result) override;
  void storeOptions(clang::tidy::ClangTidyOptions::OptionMap &Options) override;

  unsigned level() const { return Level; }
  /// Whether the option, which is a yes or no, is set.
  bool isOn(llvm::StringRef Option) const { return On.count(Option) != 0; }

private:
  const analysis::Check Id;
  const unsigned Level;
  llvm::StringSet<> On;
  std::shared_ptr<Unit> Shared;
};

class Unit {
public:
  explicit Unit(clang::tidy::ClangTidyContext &Context)
      : Context(Context), Checks(analysis::checks().size()) {}

  /// The unit of the checks made for \p Context now.
  static std::shared_ptr<Unit> of(clang::tidy::ClangTidyContext &Context);

  void add(analysis::Check Id, TensorCheck *C) { at(Id) = C; }
  void remove(analysis::Check Id, TensorCheck *C) {
    if (at(Id) == C)
      at(Id) = nullptr;
  }

  /// True for the first check that asks: one is enough to start the analysis.
  bool claimStart() { return !std::exchange(Claimed, true); }

  void watch(clang::Preprocessor &Of);

  /// The options that are no check's own.
  void storeOptions(clang::tidy::ClangTidyOptions::OptionMap &Opts) const;

  /// Analyses and reports; only the first call does anything.
  void run(clang::ASTContext &AST);

private:
  TensorCheck *&at(analysis::Check Id) {
    return Checks[static_cast<size_t>(Id)];
  }
  std::unique_ptr<models::ApiModel> userModel(clang::ASTContext &AST);
  uint32_t disregarded();
  /// Whether it is shown.
  bool report(const analysis::Finding &F, clang::ASTContext &AST);

  clang::tidy::ClangTidyContext &Context;
  std::vector<TensorCheck *> Checks;
  std::shared_ptr<const ErrorLocations> Errors;
  clang::Preprocessor *PP = nullptr;
  bool Claimed = false, Done = false;
};

} // namespace tensortidy::tidy

#endif
