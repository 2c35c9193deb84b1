//===- Finding.h - what the analysis tells a host ---------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A finding is host-neutral: a message at the use, notes at the causes, and
// edit recipes over ranges Frontend vetted. Tidy renders it as a diagnostic.
//
//   warning at `ctx.view(...)`:  view({B, T, C}) cannot merge dimensions ...
//   note at `transpose(1, 2)`:   'ctx' got this layout here: ...
//   edit:                        rename callee `view` -> `reshape`
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_FINDING_H
#define TENSORTIDY_ANALYSIS_FINDING_H

#include "Program/Program.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <utility>
#include <vector>

namespace tensortidy::analysis {

/// Every check of the catalogue, in its order.
enum class Check : uint8_t {
#define TENSORTIDY_CHECK(Id, Name, Level, HasFix, Summary) Id,
#include "Analysis/Checks.def"
};

struct CheckInfo {
  Check Id;
  const char *Name; ///< "tensor-view-after-permute"
  unsigned Level;   ///< lowest level of its findings
  bool HasFix;
  const char *Summary; ///< one line
};
/// The catalogue, in order.
llvm::ArrayRef<CheckInfo> checks();

struct OptionInfo {
  Check Id;
  const char *Name, *Default, *Summary;
};
/// The options of every check (from Checks.def).
llvm::ArrayRef<OptionInfo> options();

/// A reason why a true fact is not worth a finding (from Relevance.def).
struct ReasonInfo {
  const char *Name; ///< "no-elements"
  const char *Text; ///< what is not reported
};
llvm::ArrayRef<ReasonInfo> reasons();

struct Note {
  program::Range Where;
  std::string Text;
};

/// One textual change. `Insert` text goes before Where.Begin when Where.End
/// is Where.Begin and IsInsertion is set; otherwise the token range is
/// replaced by `Text`.
struct Edit {
  enum Kind : uint8_t {
    RenameCallee, ///< replace Where (one token) by Text
    DropCall,     ///< `x.f(...)` (Where) becomes `x` (Object)
    AssignBack,   ///< `x.f(...)` (Where) becomes `x = x.f(...)`, x is Object
    CopyInto,     ///< `x = y` (Where) becomes `x.copy_(y)`, x is Object
    PutInto,      ///< `x.f(i) = y` (Where): `x.f(i, y)`, x.f(i) is Object
    Insert,       ///< put Text before Where.Begin
    NameObject,   ///< `auto Text = Where` + Call + `;` before declaration
                  ///< Target, and Text instead of Where
    Hoist,        ///< move declaration Where before loop Target
    InsertLine,   ///< a line with the statement Text before Where
  };

  Edit(Kind K, program::Range Where, program::Range Target, std::string Text,
       std::string Call = "")
      : K(K), Where(Where), Target(Target), Text(std::move(Text)),
        Call(std::move(Call)) {}

  Kind K;
  program::Range Where;
  program::Range Target; ///< the object; Hoist: the loop; NameObject: a
                         ///< declaration
  std::string Text;
  std::string Call; ///< NameObject: ".contiguous()", or empty
};

struct Finding {
  Finding(Check Id, unsigned Level, const program::Stmt &S)
      : Id(Id), Level(Level), Where(S.Where), Point(S.point()) {}

  Check Id;
  unsigned Level = 1;   ///< 0 certain, 1 rests on a named assumption or is
                        ///< performance advice, 2 opinion
  program::Range Where; ///< caret at Where.Begin (see Point), range underlined
  program::Range Point; ///< caret: the callee name
  std::string Message;  ///< lower case, no full stop
  std::vector<Note> Notes;
  std::vector<Edit> Edits; ///< empty: no fix-it
  /// The option of the check that must be true to show it, or null.
  const char *Option = nullptr;
  /// The statement it is about, of a check that one path satisfies: then it may
  /// stand in a body the function calls. Others speak of their own text only.
  const program::Stmt *At = nullptr;
  bool InCall = false; ///< holds for a call's arguments, which a note names
};

/// A place a check looked at and found nothing. One source line may belong to
/// several functions (instantiations of a template): what must hold for all of
/// them is reported only if no instantiation is silent.
struct SilentSite {
  Check Id;
  uint32_t Begin; ///< Finding::Point.Begin it would have had
};

} // namespace tensortidy::analysis

#endif
