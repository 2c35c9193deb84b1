//===- Question.h - the language of `tensortidy explain` --------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arguments as libtorch, numpy and ggml write them:
//
//   (2, H*D, -1)   {0, 2, 1}   [::2, None, ...]   {Slice(0, 4), "..."}
//   dim=1          memory_format=torch.channels_last   x.size(0)   x->ne[1]
//
// A complaint names a place, and is shown with the question:
//
//   expected ']'
//     [2,3 view(6)
//          ^
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_QUESTION_H
#define TENSORTIDY_TOOL_QUESTION_H

#include "Layout/Layout.h"
#include "Layout/Symbolic.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <functional>
#include <map>

namespace tensortidy::tool {

/// One argument.
struct Term {
  enum Kind { Number, List, Slice, Ellipsis, None, Word } K = Number;
  layout::SymExpr N;
  std::vector<Term> Items; ///< List; Slice: start, stop, step
  std::vector<bool> Given; ///< Slice: which are
  std::string Key;         ///< of `dim=1`
  std::string Name;        ///< Word: its last part, "channels_last"
  bool IsName = false;     ///< a Number that is one name: x, or a size
  size_t At = 0;
};

class QuestionReader {
public:
  /// A tensor that a size is asked of; null if there is none. Its dimensions
  /// are in the question's order.
  using Lookup =
      std::function<const layout::Layout<layout::SymExpr> *(llvm::StringRef)>;

  QuestionReader(llvm::StringRef Text, layout::Symbols &Table,
                 layout::Symbolic &Ar, Lookup Find)
      : Text(Text), Table(Table), Ar(Ar), Find(std::move(Find)) {}

  bool failed() const { return !Complaint.empty(); }
  /// The complaint with the question and a mark under the place.
  std::string complaint() const;
  /// Only the first complaint counts.
  void fail(const llvm::Twine &Why) { failAt(At, Why); }
  void failAt(size_t Where, const llvm::Twine &Why);

  bool atEnd();
  bool eat(char C);
  bool eat(llvm::StringRef Symbol);
  bool peek(char C);
  /// A name with its qualifiers: "np.transpose", "torch::zeros"; or "".
  std::string word();
  size_t where();
  llvm::StringRef since(size_t From) const {
    return Text.slice(From, At).trim();
  }
  void back(size_t To) { At = To; }

  /// Items up to \p Close.
  std::vector<Term> list(char Close);

  /// The sizes that got a name, in order.
  const std::vector<std::pair<std::string, layout::SymbolId>> &names() const {
    return Names;
  }

private:
  void skip();
  Term item();
  Term sliceOrNumber();
  layout::SymExpr sum();
  layout::SymExpr product();
  layout::SymExpr factor();
  std::optional<layout::SymExpr> sizeOf(llvm::StringRef Name);

  llvm::StringRef Text;
  layout::Symbols &Table;
  layout::Symbolic &Ar;
  Lookup Find;
  size_t At = 0, ComplaintAt = 0;
  unsigned Depth = 0;
  std::string Complaint;
  std::vector<std::pair<std::string, layout::SymbolId>> Names;
};

/// "channels_last" of "torch.channels_last" and "at::MemoryFormat::...".
llvm::StringRef lastPart(llvm::StringRef Name);

} // namespace tensortidy::tool

#endif
