//===- SourceLayouts.h - the layouts in a source, for people ----*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An analysis that is asked to records the layout of each tensor expression of
// its main file. `explain FILE:LINE` prints and draws those of a line, a report
// those that a finding is about:
//
//   return Copy.view({B, Q, H * K});
//          ~~~~                        before: the tensor as it is here
//          ~~~~~~~~~~~~~~~~~~~~~~~~    after: the one that the call is to give
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_SOURCELAYOUTS_H
#define TENSORTIDY_TOOL_SOURCELAYOUTS_H

#include "Drawing.h"
#include "Tidy/Tidy.h"
#include "clang-tidy/ClangTidyDiagnosticConsumer.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace tensortidy::tool {

/// Each tensor expression of line \p Line of \p Text, widest first, with its
/// history.
std::string layoutsOfLine(llvm::StringRef Text,
                          llvm::ArrayRef<tidy::PlacedLayout> Found,
                          unsigned Line);

/// The last tensor of the line, as a picture; or why it is none.
std::string pictureOfLine(llvm::StringRef Text,
                          llvm::ArrayRef<tidy::PlacedLayout> Found,
                          unsigned Line);

struct CaptionedPicture {
  std::string Caption;
  Picture P;
};

/// The tensors that \p E, a finding in \p Text, is about, in the order in which
/// they are to be looked at. None where it is not about layouts, or where they
/// are not known.
std::vector<CaptionedPicture>
picturesOf(const clang::tidy::ClangTidyError &E, llvm::StringRef Text,
           llvm::ArrayRef<tidy::PlacedLayout> Found);

/// While one exists, analyses of this process record layouts in it.
class LayoutRecord {
public:
  LayoutRecord();
  ~LayoutRecord();
  LayoutRecord(const LayoutRecord &) = delete;
  LayoutRecord &operator=(const LayoutRecord &) = delete;

  std::vector<CaptionedPicture>
  picturesOf(const clang::tidy::ClangTidyError &E) const;

private:
  /// A file is analysed once for each of its commands.
  struct Analysis {
    std::string File, Text;
    std::vector<tidy::PlacedLayout> Found;
  };
  std::vector<Analysis> All;
};

} // namespace tensortidy::tool

#endif
