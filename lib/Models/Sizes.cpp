//===- Sizes.cpp - reading the sizes of a result ------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Models/Sizes.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

namespace tensortidy::models {

namespace {

class Reader {
public:
  explicit Reader(llvm::StringRef Text) : Rest(Text) {}

  /// The whole of the text as one expression.
  std::optional<SizesNode> run() {
    SizesNode N = sum(0);
    if (Bad || !Rest.empty())
      return std::nullopt;
    return N;
  }

private:
  SizesNode fail() {
    Bad = true;
    return {};
  }

  SizesNode binary(SizesNode::Kind K, SizesNode L, SizesNode R) {
    SizesNode N;
    N.K = K;
    N.Operands.push_back(std::move(L));
    N.Operands.push_back(std::move(R));
    return N;
  }

  SizesNode sum(unsigned Depth) {
    SizesNode N = product(Depth);
    while (!Bad) {
      if (Rest.consume_front("+"))
        N = binary(SizesNode::Add, std::move(N), product(Depth));
      else if (Rest.consume_front("-"))
        N = binary(SizesNode::Sub, std::move(N), product(Depth));
      else
        break;
    }
    return N;
  }

  SizesNode product(unsigned Depth) {
    SizesNode N = primary(Depth);
    while (!Bad) {
      if (Rest.consume_front("*"))
        N = binary(SizesNode::Mul, std::move(N), primary(Depth));
      else if (Rest.consume_front("/"))
        N = binary(SizesNode::Div, std::move(N), primary(Depth));
      else
        break;
    }
    return N;
  }

  std::optional<int64_t> integer() {
    int64_t V;
    if (Rest.consumeInteger(10, V))
      return std::nullopt;
    return V;
  }

  std::string name() {
    llvm::StringRef N =
        Rest.take_while([](char C) { return llvm::isAlnum(C) || C == '_'; });
    Rest = Rest.drop_front(N.size());
    Bad |= N.empty();
    return N.str();
  }

  SizesNode primary(unsigned Depth) {
    SizesNode N;
    if (Bad || Rest.empty() || Depth > 8)
      return fail();
    if (Rest.consume_front("(")) {
      N = sum(Depth + 1);
      return Rest.consume_front(")") ? N : fail();
    }
    if (Rest.consume_front("?")) {
      N.K = SizesNode::Unknown;
      return N;
    }
    if (llvm::isDigit(Rest.front())) {
      auto V = integer();
      N.Value = V ? *V : 0;
      return V ? N : fail();
    }
    const bool OfNumel = Rest.consume_front("numel(");
    if (OfNumel || Rest.consume_front("rank(")) {
      N.K = OfNumel ? SizesNode::Numel : SizesNode::Rank;
      N.Name = name();
      return Rest.consume_front(")") ? N : fail();
    }
    N.K = SizesNode::Operand;
    N.Name = name();
    if (Rest.consume_front("[")) {
      if (!Rest.empty() && llvm::isAlpha(Rest.front())) {
        N.At = name();
        if (Rest.consume_front(":"))
          N.Default = integer();
        if (Rest.consume_front("="))
          N.Operands.push_back(sum(Depth + 1));
      } else {
        N.From = integer();
      }
      N.K = N.At.empty() && Rest.consume_front(":") ? SizesNode::Slice
                                                    : SizesNode::Index;
      if (!N.Operands.empty())
        N.K = SizesNode::Operand;
      else if (N.K == SizesNode::Slice)
        N.To = integer();
      else if (N.At.empty() && !N.From)
        return fail();
      if (!Rest.consume_front("]"))
        return fail();
    }
    if (!N.Default && Rest.consume_front(":")) {
      N.Default = integer();
      if (!N.Default)
        return fail();
    }
    return N;
  }

  llvm::StringRef Rest;
  bool Bad = false;
};

/// One need, without `or`.
std::optional<SizesNeed> parseNeed(llvm::StringRef Text) {
  SizesNeed N;
  auto [Both, But] = Text.trim().split(" but ");
  N.But = But.trim().str();
  if (Both.consume_front("dtype(")) {
    auto [Name, Texts] = Both.split(")=");
    N.K = SizesNeed::DType;
    N.Left.K = SizesNode::Operand;
    N.Left.Name = Name.str();
    if (Texts.consume_front("dtype(")) {
      N.Right.K = SizesNode::Operand;
      N.Right.Name = Texts.drop_back().str();
      return Texts.ends_with(")") ? std::optional(N) : std::nullopt;
    }
    for (llvm::StringRef T; !Texts.empty() || N.Texts.empty();) {
      std::tie(T, Texts) = Texts.split(',');
      if (T.empty())
        return std::nullopt;
      N.Texts.push_back(T.str());
    }
    return N;
  }
  static constexpr std::pair<llvm::StringLiteral, SizesNeed::Kind> Words[] = {
      {" with ", SizesNeed::Broadcast},  {" into ", SizesNeed::Into},
      {" ends ", SizesNeed::Ends},       {" in ", SizesNeed::Dimension},
      {" divides ", SizesNeed::Divides}, {" holds ", SizesNeed::Holds},
      {"<=", SizesNeed::AtMost},         {"=", SizesNeed::Equal}};
  for (const auto &[Word, K] : Words) {
    if (!Both.contains(Word))
      continue;
    auto [Left, Right] = Both.split(Word);
    auto L = Reader(Left.trim()).run(), R = Reader(Right.trim()).run();
    if (!L || !R)
      return std::nullopt;
    N.K = K;
    N.Left = std::move(*L);
    N.Right = std::move(*R);
    return N;
  }
  return std::nullopt;
}

} // namespace

static std::optional<SizesNeeds> readNeeds(llvm::StringRef Text) {
  SizesNeeds All;
  while (!Text.empty()) {
    llvm::StringRef Any;
    std::tie(Any, Text) = Text.split(';');
    if (Any.empty())
      return std::nullopt;
    std::vector<SizesNeed> &Needs = All.emplace_back();
    while (!Any.empty()) {
      llvm::StringRef One;
      std::tie(One, Any) = Any.split(" or ");
      auto N = parseNeed(One);
      if (!N)
        return std::nullopt;
      Needs.push_back(std::move(*N));
    }
  }
  return All;
}

static std::optional<std::vector<SizesNode>> readSizes(llvm::StringRef Text) {
  std::vector<SizesNode> Items;
  llvm::SmallVector<llvm::StringRef, 4> Words;
  Text.split(Words, ' ', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef Word : Words) {
    auto Item = Reader(Word).run();
    if (!Item)
      return std::nullopt;
    Items.push_back(std::move(*Item));
  }
  return Items;
}

/// What \p Read makes of \p Text, kept.
template <class T>
static const T &readOnce(llvm::StringMap<T> &Known, llvm::StringRef Text,
                         T (*Read)(llvm::StringRef)) {
  auto [It, New] = Known.try_emplace(Text);
  if (New)
    It->second = Read(Text);
  return It->second;
}

const std::optional<SizesNeeds> &parseNeeds(llvm::StringRef Text) {
  static thread_local llvm::StringMap<std::optional<SizesNeeds>> Known;
  return readOnce(Known, Text, readNeeds);
}

const std::optional<std::vector<SizesNode>> &parseSizes(llvm::StringRef Text) {
  static thread_local llvm::StringMap<std::optional<std::vector<SizesNode>>>
      Known;
  return readOnce(Known, Text, readSizes);
}

} // namespace tensortidy::models
