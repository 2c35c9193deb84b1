//===- Names.h - what a message calls things --------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A size may have several names: `n` of the function, `k` of a callee it was
// passed to, x.size(0). Which one a message should use depends on where it is
// read, and on what else is in it. So the analysis writes marks in place of
// names, and `Names` replaces them once a message is whole:
//
//   1. what the reader sees at that place: a variable that already has the
//      value there, else an expression such as x.size(0);
//   2. else the name with the function it belongs to: helper::n;
//   3. two things of one name are told apart by the lines that gave it to
//      them: [n, d*n@12/n] has the n of now, and that of line 12.
//
//   int64_t helper(const Tensor &x) { auto n = x.size(0); ... }
//   void f(const Tensor &y) { helper(y); ... }      in f: y.size(0)
//                                                   in helper: n
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_NAMES_H
#define TENSORTIDY_ANALYSIS_NAMES_H

#include "Layout/Symbolic.h"
#include "Program/Program.h"
#include "llvm/ADT/DenseMap.h"
#include <map>
#include <set>
#include <string>
#include <vector>

namespace tensortidy::analysis {

/// A mark for \p Name, which belongs to context \p Context.
std::string markName(llvm::StringRef Name, uint32_t Context);
/// A mark for what \p F calls variable \p V in context \p At.
std::string markVariable(const program::Function &F, program::VarId V,
                         uint32_t At);
/// What messages call variable \p V, as it is called in context \p At; empty
/// for one without a name.
std::string called(const program::Function &F, program::VarId V, uint32_t At);
std::string called(const program::Function &F, program::VarId V);
/// The context of a name that is nothing but a mark; NoId: not marked.
uint32_t contextOf(llvm::StringRef Name);
/// \p Text without marks, for code and for counting.
std::string withoutMarks(llvm::StringRef Text);
/// How the symbols of run \p Run are marked.
const layout::SymbolMarks *symbolMarks(unsigned Run);
constexpr unsigned Runs = 3;

class Names {
public:
  explicit Names(const program::Function &F) : F(F) {}
  /// The symbols that marks of \p Run speak of.
  void add(unsigned Run, const layout::Symbols &Table) { Tables[Run] = &Table; }

  /// Where a message is read.
  struct Reader {
    uint32_t Context = 0;
    uint32_t Line = 0; ///< 0: not known
  };
  /// One text of a message; a note is read where it stands, too.
  struct Text {
    std::string *Words;
    uint32_t Begin = 0; ///< of the note's place
  };
  /// Replaces the marks in all texts of one message.
  void settle(const std::vector<Text> &Texts, Reader At) const;
  void settle(std::string &Words) const { settle({{&Words, 0}}, Reader()); }

private:
  struct Candidate {
    std::string Text;
    uint32_t Line;
    unsigned Rank;
  };
  std::vector<Candidate> candidates(const layout::SymbolInfo &I,
                                    Reader At) const;
  bool sees(uint32_t Context, uint32_t Name) const;
  /// Replaces the marks of names; true if the reader sees all of them.
  bool unmark(std::string &Words, uint32_t Context,
              const std::set<uint32_t> *Also = nullptr) const;
  std::string title(uint32_t Context) const;
  /// Statements of several calls may stand at one place: null where they don't.
  const std::set<uint32_t> *standingAt(uint32_t Begin) const;

  const program::Function &F;
  const layout::Symbols *Tables[Runs] = {};
  /// By Range::Begin: the contexts that have a statement there; found when a
  /// message asks.
  mutable llvm::DenseMap<uint32_t, std::set<uint32_t>> Standing;
};

} // namespace tensortidy::analysis

#endif
