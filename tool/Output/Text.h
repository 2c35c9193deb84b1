//===- Text.h - findings as clang-tidy prints them --------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_OUTPUT_TEXT_H
#define TENSORTIDY_TOOL_OUTPUT_TEXT_H

#include "Sources.h"
#include "clang-tidy/ClangTidyOptions.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdio>
#include <memory>
#include <string>

namespace tensortidy::tool {

/// Prints findings where text goes. clang-tidy's printer knows standard output
/// only, so that what goes elsewhere is led there; and it prints no escapes in
/// a message, so that links to the pages are put in afterwards.
class TextPrinter {
public:
  enum class To { Nowhere, StandardOutput, StandardError, File };

  /// \p Pages is what "<check>.md" is put behind to name its page.
  TextPrinter(To Where, std::string Pages)
      : Where(Where), Pages(std::move(Pages)) {}

  using MakeProvider =
      llvm::function_ref<std::unique_ptr<clang::tidy::ClangTidyOptionsProvider>(
          bool InColour)>;

  /// With the lines of \p Sources, which were analysed, and not those that the
  /// files have by now. \p Provider makes the configuration, or one that asks
  /// for colours; that of the file \p First says whether there are any. False:
  /// there is no place for temporary files.
  bool print(const std::vector<clang::tidy::ClangTidyError> &Errors,
             llvm::ArrayRef<SourceText> Sources, MakeProvider Provider,
             llvm::StringRef First);

  /// What was printed to a file.
  std::string take();

private:
  bool hasLinks(bool InColour) const;
  int file();
  void printLinks();

  To Where;
  std::string Pages;
  struct Closer {
    void operator()(std::FILE *F) const { std::fclose(F); }
  };
  std::unique_ptr<std::FILE, Closer> File;
};

} // namespace tensortidy::tool

#endif
