//===- ValueDomain.cpp - tensor-value-domain --------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: all paths. What an operation is given came about in one way, and
// nothing has written it since:
//
//   auto p = torch::sigmoid(fc(x));              between 0 and 1
//   binary_cross_entropy_with_logits(p, y);      applies sigmoid() again
//
//   softmax(scores.masked_fill(mask, 0), -1);    exp(0) is 1: still there
//   masked_fill(ids != pad, -infinity)           leaves the padding alone
//
// Arithmetic in between may make anything of it, and ends the walk.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/CheckRun.h"
#include "Analysis/Checks/Gradients.h"
#include "Analysis/Checks/Wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

namespace tensortidy::analysis {

using namespace program;

namespace {

/// What values are.
enum class Domain : unsigned char {
  Any,
  Probability,    ///< between 0 and 1
  LogProbability, ///< at most 0
  Score,          ///< what a layer gives: any number
};

struct Made {
  Domain Is = Domain::Any;
  const Stmt *By = nullptr;
};

class Values {
public:
  explicit Values(CheckRun &C) : C(C), H(C.Held) {}

  void check(const Stmt &S) {
    if (S.InTry || S.Expected || S.InMacro)
      return;
    operand(S);
    if (S.is(Attribute::DivergesFrom))
      divergence(S);
    if (S.is(Attribute::AddsUpToOne)) {
      masked(S);
      emptied(S);
    }
    if (S.is(Attribute::Averages))
      mean(S);
    if (S.is(Attribute::Divides))
      maskedMean(S);
    if (S.O == Op::MaskedFill || S.is(Attribute::WritesChosen))
      padding(S);
  }

private:
  //===--------------------------------------------------------------------===//
  // Where values come from
  //===--------------------------------------------------------------------===//

  /// Behind what keeps values as they are.
  const Stmt *maker(ValueId V) const {
    for (unsigned Depth = 0; Depth < 24; ++Depth) {
      const Stmt *S = H.latest(V);
      if (!S)
        return nullptr;
      if (S->O == Op::ListGet) {
        V = elementOf(*S);
        continue;
      }
      const OpClass K = opClass(S->O);
      const bool Keeps = K == OpClass::View || K == OpClass::MaybeCopy ||
                         K == OpClass::Copy || S->O == Op::SelfHandle;
      const Arg *Self = findArg(*S, "self");
      if (!Keeps || !Self || isMade(*S))
        return S;
      V = Self->Value;
    }
    return nullptr;
  }

  /// What the list that \p Get reads was written with; 0: it is not known.
  ValueId elementOf(const Stmt &Get) const {
    const auto I = Get.Args.size() > 1
                       ? writtenNumber(H.origin(Get.Args[1].Value))
                       : std::nullopt;
    const Stmt *List = H.latestList(Get.Args[0].Value);
    return List && I && *I >= 0 && static_cast<size_t>(*I) < List->Args.size()
               ? List->Args[static_cast<size_t>(*I)].Value
               : 0;
  }

  static bool isMade(const Stmt &S) {
    return S.is(Attribute::AddsUpToOne) || S.is(Attribute::ZeroToOne) ||
           S.is(Attribute::LogProbabilities);
  }

  /// A product of matrices may be one of probabilities.
  static bool isLayer(const Stmt &S) {
    return S.O == Op::Linear || S.O == Op::Conv;
  }

  static bool sumsProducts(const Stmt &S) {
    return isLayer(S) || S.O == Op::MatMul || S.O == Op::MM || S.O == Op::BMM;
  }

  Made made(ValueId V) const {
    const Stmt *S = maker(V);
    if (!S || C.Held.fate(S->Result).Written)
      return {};
    if (S->is(Attribute::AddsUpToOne) || S->is(Attribute::ZeroToOne))
      return {Domain::Probability, S};
    if (S->is(Attribute::LogProbabilities))
      return {Domain::LogProbability, S};
    if (isLayer(*S))
      return {Domain::Score, S};
    return {};
  }

  //===--------------------------------------------------------------------===//
  // Operands
  //===--------------------------------------------------------------------===//

  void operand(const Stmt &S) {
    const Arg *Self = findArg(S, "self");
    if (!Self)
      return;
    const bool Logits = S.is(Attribute::TakesLogits),
               Logs = S.is(Attribute::TakesLogProbabilities),
               Chances = S.is(Attribute::TakesProbabilities),
               Positive = S.is(Attribute::TakesPositive),
               Normalizes = S.is(Attribute::AddsUpToOne);
    if (!Logits && !Logs && !Chances && !Positive && !Normalizes)
      return;
    const Made Of = made(Self->Value);
    const std::string Given = quoted(H.name(Self->Value), "its operand");
    const std::string Call = called(S);
    if (Logits && Of.Is == Domain::Probability)
      tell(S, Of, 0,
           Call + " takes logits, and makes probabilities of them itself: " +
               Given + " holds probabilities already");
    else if (Logs && (Of.Is == Domain::Probability || Of.Is == Domain::Score))
      tell(S, Of, 0,
           Call + " takes logarithms of probabilities: " + Given + " holds " +
               (Of.Is == Domain::Score ? "scores that nothing has normalized"
                                       : "the probabilities"));
    else if (Chances &&
             (Of.Is == Domain::LogProbability || Of.Is == Domain::Score))
      tell(S, Of, 0,
           Call + " takes probabilities: " + Given + " holds " +
               (Of.Is == Domain::Score ? "scores, which may be any numbers"
                                       : "logarithms, which are below 0"));
    else if (Positive && Of.Is == Domain::LogProbability)
      tell(S, Of, 0,
           Call + " is nan: " + Given + " holds logarithms of probabilities");
    else if (Normalizes && Of.Is == Domain::Probability && isSameDim(S, *Of.By))
      tell(S, Of, 1,
           Call + " of what softmax() made is nearly the same everywhere: " +
               Given + " holds probabilities already");
  }

  /// What is called; of a module, its forward() says nothing.
  static std::string called(const Stmt &S) {
    return S.Forward ? S.O == Op::Loss ? "the loss" : "the module" : callOf(S);
  }

  /// Both go along one dimension.
  bool isSameDim(const Stmt &S, const Stmt &T) const {
    const auto Dim = H.number(findArg(S, "dim"));
    return Dim && T.is(Attribute::AddsUpToOne) &&
           Dim == H.number(findArg(T, "dim"));
  }

  /// The distribution that kl_div() compares with.
  void divergence(const Stmt &S) {
    const Arg *Target = findArg(S, "target"), *Log = findArg(S, "log_target");
    if (!Target || findArg(S, "options"))
      return;
    const Stmt *Is = Log ? H.origin(Log->Value) : nullptr;
    if (Log && !(Is && Is->O == Op::Const && Is->Const == ConstKind::Bool))
      return;
    const bool IsLog = Log && Is->Imm;
    const Made Of = made(Target->Value);
    const std::string Given = quoted(H.name(Target->Value), "its target");
    if (!IsLog && Of.Is == Domain::LogProbability)
      tell(S, Of, 0,
           callOf(S) + " takes probabilities as its target unless " +
               "log_target: " + Given + " holds their logarithms");
    else if (IsLog && Of.Is == Domain::Probability)
      tell(S, Of, 0,
           callOf(S) + " with log_target takes logarithms as its target: " +
               Given + " holds the probabilities");
  }

  /// kl_div(..., reduction=None).mean(dim), along the distribution.
  void mean(const Stmt &S) {
    const Arg *Self = findArg(S, "self");
    const Stmt *Of = Self ? maker(Self->Value) : nullptr;
    const Arg *Logs =
        Of && Of->is(Attribute::DivergesFrom) ? findArg(*Of, "self") : nullptr;
    const Stmt *By = Logs ? maker(Logs->Value) : nullptr;
    const auto Dim = H.number(findArg(S, "dim"));
    if (!By || !By->is(Attribute::LogProbabilities) || !Dim ||
        Dim != H.number(findArg(*By, "dim")))
      return;
    Finding Found(Check::ValueDomain, 0, S);
    Found.At = &S;
    Found.Message = "mean() divides the terms of " + callOf(*Of) +
                    " by their number along dimension " + std::to_string(*Dim) +
                    ", which the distribution goes along: the divergence is "
                    "their sum";
    Found.Notes.push_back({By->point(), callOf(*By) + " goes along it here"});
    C.Out.push_back(std::move(Found));
  }

  void tell(const Stmt &S, const Made &Of, unsigned Level,
            std::string Message) {
    Finding Found(Check::ValueDomain, Level, S);
    Found.At = &S;
    Found.Message = std::move(Message);
    Found.Notes.push_back(
        {Of.By->point(), called(*Of.By) + " makes them here"});
    C.Out.push_back(std::move(Found));
  }

  //===--------------------------------------------------------------------===//
  // Masks
  //===--------------------------------------------------------------------===//

  /// Behind what scales or shifts all values alike.
  const Stmt *scores(ValueId V) const {
    for (unsigned Depth = 0; Depth < 16; ++Depth) {
      const Stmt *S = maker(V);
      const Arg *Self = S ? findArg(*S, "self") : nullptr;
      if (!S || !Self || (S->O != Op::Binary && S->O != Op::MaskedFill))
        return S;
      V = Self->Value;
    }
    return nullptr;
  }

  /// Whether \p Mask chooses whole rows along \p Dim.
  bool choosesRows(ValueId Mask, std::optional<int64_t> Dim) const {
    for (unsigned Depth = 0; Depth < 16; ++Depth) {
      const Stmt *S = H.latest(Mask);
      const Arg *Self = S ? findArg(*S, "self") : nullptr;
      if (!S || !Self)
        return false;
      if (S->O == Op::Unsqueeze && H.number(findArg(*S, "dim")) == Dim)
        return true;
      if (S->O == Op::View || S->O == Op::Reshape) {
        const Stmt *List =
            H.origin(findArg(*S, S->O == Op::View ? "size" : "shape")->Value);
        return !List || List->O != Op::List || List->Args.empty() ||
               writtenNumber(H.origin(List->Args.back().Value)) == 1;
      }
      Mask = Self->Value;
    }
    return false;
  }

  /// softmax(x.masked_fill(mask, 0))
  void masked(const Stmt &S) {
    const Arg *Self = findArg(S, "self");
    const Stmt *Fill = Self ? maker(Self->Value) : nullptr;
    if (!Fill || Fill->O != Op::MaskedFill)
      return;
    const Arg *Of = findArg(*Fill, "self"), *Mask = findArg(*Fill, "mask");
    const auto By = H.real(findArg(*Fill, "value"));
    constexpr double Least = 1e-30; // numeric_limits<float>::min() is below
    if (!Of || !Mask || !By || *By < 0 || *By > Least)
      return;
    const Stmt *From = scores(Of->Value);
    const auto Dim = H.number(findArg(S, "dim"));
    if (!From || !sumsProducts(*From) || !Dim || choosesRows(Mask->Value, Dim))
      return;
    Finding Found(Check::ValueDomain, 0, *Fill);
    Found.At = Fill;
    Found.Message = callOf(*Fill) + " with " +
                    (*By == 0 ? "0" : "the least number above 0") +
                    " leaves masked elements in: " + callOf(S) +
                    " gives each of them exp(0), a weight as others have";
    Found.Notes.push_back({S.point(), callOf(S) + " reads them here; "
                                                  "-infinity leaves them out"});
    C.Out.push_back(std::move(Found));
  }

  /// Whether \p Mask has one element along dimension \p Dim of \p Rank, by an
  /// unsqueeze() that nothing follows.
  bool isColumn(ValueId Mask, int64_t Dim, int64_t Rank) const {
    const Stmt *S = H.latest(Mask);
    const auto New = S && S->O == Op::Unsqueeze ? H.number(findArg(*S, "dim"))
                                                : std::nullopt;
    if (!New)
      return false;
    auto FromEnd = [&](int64_t D) { return D < 0 || Rank < 0 ? D : D - Rank; };
    return FromEnd(*New) < 0 && FromEnd(*New) == FromEnd(Dim);
  }

  /// Behind what limits values, and keeps them where they are in range.
  const Stmt *limited(ValueId V) const {
    const Stmt *S = maker(V);
    for (unsigned Depth = 0; S && Depth < 8; ++Depth) {
      const Arg *Self = findArg(*S, "self");
      if (!S->is(Attribute::Limits) || !Self)
        return S;
      S = maker(Self->Value);
    }
    return nullptr;
  }

  /// Whether \p V is a mask, \p Of: a factor, or a view or copy of it.
  bool isFactor(ValueId V, const Stmt &Of, unsigned Depth = 0) const {
    const Stmt *S = maker(V);
    if (!S || Depth > 4)
      return false;
    if (H.areSame(S, &Of))
      return true;
    return S->O == Op::Binary && S->is(Attribute::SavesFactors) &&
           llvm::any_of(S->Args, [&](const Arg &A) {
             return A.Value && isFactor(A.Value, Of, Depth + 1);
           });
  }

  /// Whether elements of \p V are added up again.
  bool isSummed(ValueId V) const {
    return llvm::any_of(H.fate(V).Touches, [](const Fate::Touch &T) {
      return T.S->O == Op::Reduce || T.S->is(Attribute::AddsUp);
    });
  }

  /// (x * mask).sum(1) / mask.sum()
  void maskedMean(const Stmt &S) {
    const Arg *Self = findArg(S, "self"), *Other = findArg(S, "other");
    const Stmt *Sum = Self ? maker(Self->Value) : nullptr;
    const Stmt *Count = Other ? limited(Other->Value) : nullptr;
    auto Totals = [](const Stmt *R) {
      return R && R->O == Op::Reduce && R->is(Attribute::TypeTotal);
    };
    if (!Totals(Sum) || !Totals(Count) || !findArg(*Sum, "dim") ||
        findArg(*Count, "dim") || !H.number(findArg(*Sum, "dim")))
      return;
    const Stmt *Mask = maker(findArg(*Count, "self")->Value);
    const Stmt *Product = maker(findArg(*Sum, "self")->Value);
    if (!Mask || !Product || Product == Mask ||
        !isFactor(Product->Result, *Mask) || isSummed(S.Result))
      return;
    Finding Found(Check::ValueDomain, 1, S);
    Found.At = &S;
    Found.Message =
        callOf(*Sum) + " adds up along dimension " +
        std::to_string(*H.number(findArg(*Sum, "dim"))) +
        ", and what it is divided by is the sum of all of the mask: "
        "each row is divided by what all rows have";
    Found.Notes.push_back({Count->point(), "all of it is added up here"});
    C.Out.push_back(std::move(Found));
  }

  /// Whether what \p V is has its nan taken away again.
  bool isRepaired(ValueId V) const {
    const Fate All = H.fate(V);
    return llvm::any_of(All.Touches, [](const Fate::Touch &T) {
      return T.S->O == Op::MaskedFill || T.S->O == Op::Ternary ||
             T.S->is(Attribute::ReplacesNan);
    });
  }

  /// softmax(x.masked_fill(ids.eq(pad).unsqueeze(-1), -infinity), -1)
  void emptied(const Stmt &S) {
    const Arg *Self = findArg(S, "self");
    const Stmt *Fill = Self ? maker(Self->Value) : nullptr;
    const Arg *Mask =
        Fill && Fill->O == Op::MaskedFill ? findArg(*Fill, "mask") : nullptr;
    const auto Dim = H.number(findArg(S, "dim"));
    const auto By = Mask ? H.real(findArg(*Fill, "value")) : std::nullopt;
    if (!By || !std::isinf(*By) || *By > 0 || !Dim)
      return;
    const auto Of = C.Opaque.Singles.find(&S);
    const int64_t Rank = Of == C.Opaque.Singles.end() ? -1 : Of->second.Dims;
    if (!isColumn(Mask->Value, *Dim, Rank) || isRepaired(S.Result))
      return;
    Finding Found(Check::ValueDomain, 1, *Fill);
    Found.At = Fill;
    Found.Message = callOf(*Fill) + " fills whole rows of what " + callOf(S) +
                    " goes along, as the mask has one element there: they "
                    "become nan";
    Found.Notes.push_back({H.latest(Mask->Value)->point(),
                           "the mask is one for the rows, not for what they "
                           "hold"});
    Found.Notes.push_back({S.point(), callOf(S) + " reads them here"});
    C.Out.push_back(std::move(Found));
  }

  /// The variable with the number for padding that \p Mask is true without.
  std::string paddingLeftOut(ValueId Mask) const {
    const Stmt *S = maker(Mask);
    const Arg *Other = S ? findArg(*S, "other") : nullptr;
    if (!Other || !S->is(Attribute::MarksUnequal))
      return "";
    const std::string Name = H.name(Other->Value), Plain = withoutMarks(Name);
    // Without the function or class that it belongs to.
    llvm::StringRef Own = Plain;
    if (const size_t At = Own.rfind("::"); At != llvm::StringRef::npos)
      Own = Own.drop_front(At);
    return Own.contains_insensitive("pad") ? Name : "";
  }

  /// masked_fill(ids != pad, -inf)
  void padding(const Stmt &S) {
    const Arg *Mask = findArg(S, "mask");
    const auto By = H.real(findArg(S, "value"));
    constexpr double Low = -1000;
    if (!Mask || !By || *By > Low)
      return;
    const std::string Name = paddingLeftOut(Mask->Value);
    if (Name.empty())
      return;
    Finding Found(Check::ValueDomain, 1, S);
    Found.At = &S;
    Found.Message = callOf(S) + " fills what is not " +
                    quoted(Name, "padding") +
                    " and leaves the padding: the mask is true for the "
                    "elements that are to stay";
    Found.Notes.push_back({maker(Mask->Value)->point(), "it is made here"});
    C.Out.push_back(std::move(Found));
  }

  CheckRun &C;
  const Handles &H;
};

} // namespace

void checkValueDomain(CheckRun &C) {
  Values Of(C);
  forEachStmt(C.F, [&](BlockId, const Stmt &S) { Of.check(S); });
  checkPoles(C);
}

} // namespace tensortidy::analysis
