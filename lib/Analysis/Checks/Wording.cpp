//===- Wording.cpp - facts in words ---------------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/Wording.h"
#include "llvm/ADT/StringExtras.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

std::string callOf(const program::Stmt &S) {
  const bool IsName = !S.Text.empty() && llvm::isAlpha(S.Text.front());
  return IsName ? S.Text + "()" : "'" + S.Text + "'";
}

std::string quoted(llvm::StringRef Name, llvm::StringRef Else) {
  return Name.empty() ? Else.str() : "'" + Name.str() + "'";
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

std::string words(bool Holds, const Asked &What) {
  if (What.Of.empty())
    return "";
  if (What.Is)
    return What.Of + " is " + std::to_string(*What.Is);
  return "'" + What.Of + "' is " + (Holds ? "true" : "false");
}

std::string words(const Path &P) {
  std::vector<std::string> Words; // of two readings of a member, one
  for (const auto &[Holds, What] : P.Answers)
    if (std::string Answer = words(Holds, What);
        !llvm::is_contained(Words, Answer))
      Words.push_back(std::move(Answer));
  std::string When = llvm::join(Words, " and ");
  if (!When.empty())
    When = "when " + When;
  if (!P.Repeats)
    return When;
  return "in a later iteration" + (When.empty() ? "" : " " + When);
}

void addPath(std::string &When, const Path &P) {
  const std::string Words = words(P);
  llvm::StringRef Added = Words;
  if (!When.empty() && Added.consume_front("when"))
    When += " and";
  else
    When += " ";
  When += Added;
}

std::string words(const Excepted &E) {
  if (!E.Divisor.empty())
    return "unless " + E.Divisor + " divides " + E.Multiple;
  if (E.NoElements)
    return "unless it is empty";
  return E.Sizes.empty() ? "" : "unless " + E.Sizes;
}

std::string words(const Amount &A) {
  return A.Number.empty() ? "" : A.Number + (A.Bytes ? " bytes" : " elements");
}

//===----------------------------------------------------------------------===//
// Where a layout comes from
//===----------------------------------------------------------------------===//

std::string words(const Appearance &A) {
  switch (A.K) {
  case Appearance::Unknown:
    return "";
  case Appearance::Named:
    return quoted(A.Name, "");
  case Appearance::Contiguous:
    return "a contiguous " + A.Sizes;
  case Appearance::Sized:
    return "a " + A.Sizes;
  case Appearance::Strided:
    return "a " + A.Sizes + " with strides " + A.Strides;
  case Appearance::Ggml:
    return "ne " + A.Sizes + ", nb " + A.Strides + " elements";
  case Appearance::GgmlContiguous:
    return "a contiguous tensor of ne " + A.Sizes;
  }
  return "";
}

std::string operation(const Provenance &P) {
  const std::string Of = words(P.Of);
  return P.What + (Of.empty() ? "" : " of " + Of);
}

Note gotLayout(const std::string &Name, const Provenance &P) {
  return {P.Where, Name + " got this layout here: " + operation(P)};
}

Note words(const Origin &O) {
  switch (O.K) {
  case Origin::Sizes:
    return {O.Where, quoted(O.Name, "the tensor") + " is " + O.Shape +
                         " here: " + O.Call};
  case Origin::GgmlSizes:
    return {O.Where, quoted(O.Name, "the operand") + " has ne " + O.Shape +
                         " here: " + O.Call};
  case Origin::DType:
    return {O.Where, "made here: " + O.Call};
  }
  return {};
}

Note words(const Proof &P) {
  return {P.Where, P.Size + " is at least " + P.Least + " by this"};
}

static std::string words(const Answered &A) {
  const std::string Name = quoted(A.Name, "the tensor");
  if (A.K == Answered::GgmlSizes)
    return Name + " has ne " + A.Is +
           (A.Strides.empty() ? "" : ", nb " + A.Strides + " elements");
  return Name + " is " + A.Is +
         (A.Strides.empty() ? "" : " with strides " + A.Strides);
}

std::string words(const std::vector<Answered> &Answers) {
  return llvm::join(
      llvm::map_range(Answers, [](const Answered &A) { return words(A); }),
      ", ");
}

//===----------------------------------------------------------------------===//
// Refusals
//===----------------------------------------------------------------------===//

static std::string words(const OperandName &O) {
  return quoted(O.Name, O.Place ? "operand " + std::to_string(O.Place)
                                : std::string("the tensor"));
}

static std::string words(const GgmlNumber &N) {
  auto Dim = [&] { return "ne[" + std::to_string(N.Dim) + "] of "; };
  switch (N.K) {
  case GgmlNumber::Given:
    return "which should be " + N.Is;
  case GgmlNumber::Argument:
    return N.Name + " is " + N.Is;
  case GgmlNumber::Elements:
    return words(N.Of) + " has " + N.Is + " elements";
  case GgmlNumber::Size:
    return Dim() + words(N.Of) + " is " + N.Is;
  case GgmlNumber::Multiple:
    return std::to_string(N.Factor) + " times " + Dim() + words(N.Of) + " is " +
           N.Is;
  }
  return "";
}

static const char *words(ggml::Packing P) {
  switch (P) {
  case ggml::Packing::Contiguous:
    return "needs a contiguous tensor";
  case ggml::Packing::Contiguous1:
    return "needs a tensor whose rows are dense and evenly spaced";
  case ggml::Packing::Rows:
    return "needs dense rows";
  case ggml::Packing::Padded:
    return "needs dense and evenly spaced rows";
  case ggml::Packing::NotTransposed:
    return "does not take a transposed tensor";
  }
  return "";
}

/// A kind of types, one, or those that have a number.
static std::string dtypeWords(llvm::StringRef Wanted) {
  if (Wanted.find_first_of("-0123456789") == 0)
    return "a type that has " + Wanted.str();
  return Wanted == "floating"   ? "a floating-point type"
         : Wanted == "integral" ? "integers"
         : Wanted == "number"   ? "another type than bool"
                                : Wanted.str();
}

static const char *words(Refusal::Demand D) {
  switch (D) {
  case Refusal::Needs:
  case Refusal::NeedsOfBoth:
    return " needs ";
  case Refusal::AsksFor:
    return " asks for ";
  case Refusal::Gives:
    return " gives ";
  }
  return "";
}

/// float() needs float32, 'x' has int64.
static std::string otherDType(const Refusal &R, const std::string &Name) {
  return R.Call + words(R.Asks) +
         llvm::join(llvm::map_range(R.DTypes, dtypeWords), " or ") +
         (R.Asks == Refusal::NeedsOfBoth ? " on both sides, " : ", ") +
         quoted(Name, R.Role.empty() || R.Role == "self" ? "the tensor"
                                                         : "its " + R.Role) +
         " has " + R.Right;
}

/// A type whose elements are stored in blocks.
static std::string stored(const Refusal &R) {
  return R.Stored + ", which is stored " + std::to_string(R.BlockElements) +
         " elements in " + std::to_string(R.BlockBytes) + " bytes";
}

/// What does not fit in ggml, of the call.
static std::string misfit(const LayoutFailure &V) {
  const Refusal &R = V.Why;
  const std::string Of =
      R.OfWhole ? "the tensor that " + words(R.Of) + " is a view of"
                : words(R.Of);
  const std::string First = words(R.Numbers[0]), Second = words(R.Numbers[1]);
  switch (R.K) {
  case Refusal::SizesDiffer:
    return First + ", " + Second;
  case Refusal::SizeExceeds:
    return First + ", " + Second + ", which is less";
  case Refusal::DoesNotDivide:
    return Second + ", " + First +
           (V.Unless.Divisor.empty() ? ", which does not divide it" : "");
  case Refusal::CountDiffers:
    return "shape " + R.Left + " does not fit the " + R.Right +
           " elements of " + Of;
  case Refusal::RepeatedAxis:
    return "dimension " + R.Left + " is named twice";
  case Refusal::OtherGgmlType:
    return Of + " is of " + R.Left + ", " +
           (R.Other.Place ? words(R.Other) + " of " : "not of ") +
           llvm::join(R.DTypes, " or ");
  case Refusal::NotInside:
    return R.Left + " elements" +
           (R.Text.empty() ? "" : " from " + R.Text + " on") +
           " are not in the " + R.Right + " of " + Of;
  case Refusal::EndsBeyond:
    return "the view ends " + R.Left + " elements from the start of " + Of +
           ", which has " + R.Right;
  case Refusal::RowsOverlap:
    return R.Text + " is " + R.Left + " bytes, less than the " + R.Right +
           " of a row";
  case Refusal::OffsetInCounts:
    return (R.Text.empty() ? "the offset" : R.Text) + " is " + R.Left +
           " bytes, not the " + R.Right + " of so many elements";
  case Refusal::StridesTurned:
    return R.Text + " is " + R.Right +
           " times the stride before it, which is for as many rows as come "
           "next";
  case Refusal::PartsApart:
    return "the parts that views take of its rows add up to " + R.Right +
           " elements, and none starts at " + R.Left +
           ", where others end: they start at " + R.Text;
  case Refusal::CountsBlocks:
    return R.Left + " is the number of blocks of " + Of + ", not of its " +
           R.Right + " elements: it is of " + stored(R);
  case Refusal::EndsInBlock:
    return "rows of " + R.Left + " elements end inside a block: " + Of +
           " is of " + stored(R);
  case Refusal::StartsInBlock:
    return R.Text + " is " + R.Left + " bytes, which is inside " +
           (R.BlockElements > 1 ? "a block of " : "an element of ") + Of +
           ", of " + (R.BlockElements > 1 ? stored(R) : R.Stored);
  case Refusal::BlocksTurned:
    return "the blocks of " + Of +
           " do not lie along its rows, so elements cannot be moved one by "
           "one: it is of " +
           stored(R);
  default:
    return "";
  }
}

std::string words(const LayoutFailure &V) {
  const Refusal &R = V.Why;
  switch (R.K) {
  case Refusal::ByRule:
    return R.Text;
  case Refusal::PastEnd:
    return "element " + R.Left + " of a list of " + R.Right;
  case Refusal::OtherDType:
    return otherDType(R, V.Name);
  case Refusal::NotPacked:
    return R.Call + " " + words(R.Packing) + ", " +
           quoted(V.Name, "its operand") + " has ne " + R.Left + ", nb " +
           R.Right + " elements";
  default:
    return R.Call + ": " + misfit(V);
  }
}

const char *effect(const Refusal &R) {
  switch (R.E) {
  case Refusal::Throws:
    return "throws";
  case Refusal::Aborts:
    return "aborts";
  case Refusal::AbortsOnCpu:
    return "aborts on the CPU backend";
  case Refusal::ReadsOthersOnCpu:
    return "the CPU backend reads other elements";
  case Refusal::ReadsOthers:
    return "it reads other elements";
  case Refusal::ReadsPart:
    return "it takes a part of them";
  case Refusal::ReadsPastEnd:
    return "reads past its end";
  case Refusal::Overlaps:
    return "its rows overlap";
  case Refusal::StartsElsewhere:
    return "it starts at another element";
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Layouts that editors show
//===----------------------------------------------------------------------===//

static std::string words(const ShownLayout &L) {
  const std::string Strides = L.Ggml ? ", nb " : ", strides ";
  const std::string Sizes = (L.Ggml ? "ne " : "") + L.Sizes;
  switch (L.O) {
  case ShownLayout::Contiguous:
    return Sizes + ", contiguous";
  case ShownLayout::ChannelsLast:
    return Sizes + Strides + L.Strides + ", channels_last";
  case ShownLayout::ChannelsLast3d:
    return Sizes + Strides + L.Strides + ", channels_last_3d";
  case ShownLayout::Strided:
    return Sizes + Strides + L.Strides + (L.Ggml ? " elements" : "");
  case ShownLayout::Unknown:
    return L.Ggml ? Sizes + ", nb unknown" : Sizes + ", strides unknown";
  }
  return "";
}

static const char *words(ObservedLayout::Obstacle O) {
  switch (O) {
  case ObservedLayout::None:
    return "";
  case ObservedLayout::UnknownRank:
    return "how many dimensions it has is not known";
  case ObservedLayout::UnknownStrides:
    return "its strides are not known";
  case ObservedLayout::NoElements:
    return "it has no elements";
  case ObservedLayout::NoDimensions:
    return "it has no dimensions";
  }
  return "";
}

LayoutFact shown(ObservedLayout Seen) {
  LayoutFact Fact = std::move(Seen.Of);
  for (const ShownLayout &L : Seen.Paths)
    Fact.Layouts.push_back(words(L));
  Fact.Drawn.Why = words(Seen.NotDrawn);
  for (const Provenance *P = Seen.Prov.get(); P && Fact.History.size() < 6;
       P = P->Parent.get())
    if (!P->What.empty())
      Fact.History.push_back({P->Where, operation(*P)});
  return Fact;
}

std::string paddedRows(const std::string &Row) {
  return "the device pads each to its own pitch" +
         (Row.empty() ? std::string()
                      : "; wrong unless rows of " + Row + " bytes need none");
}

} // namespace tensortidy::analysis
