//===- Question.cpp - the language of `tensortidy explain` ----------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Question.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tensortidy::layout;
using llvm::StringRef;

namespace tensortidy::tool {

StringRef lastPart(StringRef Name) {
  return Name.drop_front(Name.find_last_of(".:") + 1);
}

void QuestionReader::failAt(size_t Where, const llvm::Twine &Why) {
  if (failed())
    return;
  Complaint = Why.str();
  ComplaintAt = std::min(Where, Text.size());
}

std::string QuestionReader::complaint() const {
  size_t Begin = Text.rfind('\n', ComplaintAt);
  Begin = Begin == StringRef::npos ? 0 : Begin + 1;
  StringRef Line = Text.substr(Begin).take_until(
      [](char C) { return C == '\n' || C == '\r'; });
  if (Line.trim().empty())
    return Complaint;
  std::string Mark;
  StringRef Before = Line.take_front(ComplaintAt - Begin);
  for (size_t I = 0; I < Before.size(); ++I) // a column a character
    if ((Before[I] & 0xC0) != 0x80)
      Mark += Before[I] == '\t' ? '\t' : ' ';
  return Complaint + "\n  " + Line.str() + "\n  " + Mark + "^";
}

void QuestionReader::skip() {
  while (At < Text.size() && llvm::isSpace(Text[At]))
    ++At;
}

bool QuestionReader::atEnd() {
  skip();
  return At >= Text.size();
}

bool QuestionReader::eat(char C) {
  skip();
  if (At >= Text.size() || Text[At] != C)
    return false;
  ++At;
  return true;
}

bool QuestionReader::eat(StringRef Symbol) {
  skip();
  if (!Text.substr(At).starts_with(Symbol))
    return false;
  At += Symbol.size();
  return true;
}

bool QuestionReader::peek(char C) {
  skip();
  return At < Text.size() && Text[At] == C;
}

size_t QuestionReader::where() {
  skip();
  return At;
}

static bool isNameCharacter(char C) {
  return llvm::isAlnum(C) || C == '_' || (static_cast<unsigned char>(C) & 0x80);
}

std::string QuestionReader::word() {
  skip();
  size_t From = At;
  if (At < Text.size() && llvm::isDigit(Text[At]))
    return "";
  while (At < Text.size()) {
    if (isNameCharacter(Text[At]))
      ++At;
    else if (At > From && Text.substr(At, 2) == "::")
      At += 2;
    else if (StringRef Module = Text.slice(From, At);
             Text[At] == '.' && At + 1 < Text.size() &&
             isNameCharacter(Text[At + 1]) &&
             llvm::StringSwitch<bool>(Module)
                 .Case("np", true)
                 .Case("numpy", true)
                 .Case("torch", true)
                 .Case("jnp", true)
                 .Default(false))
      ++At; // the others are tensors
    else
      break;
  }
  return Text.slice(From, At).str();
}

std::vector<Term> QuestionReader::list(char Close) {
  std::vector<Term> Items;
  if (++Depth > 100)
    fail("too many brackets");
  do {
    if (failed() || eat(Close)) { // also after a comma at the end
      --Depth;
      return Items;
    }
    Items.push_back(item());
  } while (!failed() && eat(','));
  if (!failed() && !eat(Close))
    fail(llvm::Twine("expected '") + llvm::Twine(Close) + "'");
  --Depth;
  return Items;
}

Term QuestionReader::item() {
  Term T;
  T.At = where();
  for (auto [Open, Close] : {std::pair('[', ']'), {'{', '}'}, {'(', ')'}}) {
    if (!eat(Open))
      continue;
    std::vector<Term> Items = list(Close);
    // (H*D): one number in parentheses is an expression.
    if (Open == '(' && Items.size() == 1 && Items[0].K == Term::Number &&
        Text[At - 2] != ',') {
      At = T.At;
      return sliceOrNumber();
    }
    T.K = Term::List;
    T.Items = std::move(Items);
    return T;
  }
  for (char Quote : {'\'', '"'})
    if (eat(Quote)) {
      size_t From = At;
      while (At < Text.size() && Text[At] != Quote)
        ++At;
      T.K = Term::Word;
      T.Name = Text.slice(From, At).str();
      if (!eat(Quote))
        failAt(T.At, "this string has no end");
      if (T.Name == "...")
        T.K = Term::Ellipsis;
      return T;
    }
  if (eat("...")) {
    T.K = Term::Ellipsis;
    return T;
  }
  std::string Name = word();
  const size_t AfterName = At;
  StringRef Last = lastPart(Name);
  if (!Name.empty() && !Text.substr(At).ltrim().starts_with("==") && eat('=')) {
    Term Value = item();
    Value.Key = Name;
    Value.At = T.At;
    return Value;
  }
  if (Last == "None" || Last == "nullopt" || Last == "newaxis") {
    // Slice(None, 4) begins with it, an index may be it.
    T.K = Term::None;
    return T;
  }
  if (Last == "Ellipsis") {
    T.K = Term::Ellipsis;
    return T;
  }
  if (Last == "Slice" && eat('(')) {
    T.K = Term::Slice;
    T.Items = list(')');
    if (T.Items.size() > 3)
      failAt(T.At, "Slice() takes start, stop and step");
    T.Items.resize(3);
    T.Given.resize(3);
    for (Term &Part : T.Items)
      T.Given[static_cast<size_t>(&Part - T.Items.data())] =
          Part.At && Part.K == Term::Number;
    return T;
  }
  const bool IsWord = Name.find_first_of(".:") != std::string::npos ||
                      llvm::StringSwitch<bool>(Last)
                          .Case("channels_last", true)
                          .Case("channels_last_3d", true)
                          .Case("contiguous_format", true)
                          .Case("preserve_format", true)
                          .Case("ChannelsLast", true)
                          .Case("ChannelsLast3d", true)
                          .Case("Contiguous", true)
                          .Case("true", true)
                          .Case("True", true)
                          .Case("false", true)
                          .Case("False", true)
                          .Default(Last.starts_with("GGML_TYPE_"));
  if (IsWord && !Name.empty()) {
    T.K = Term::Word;
    T.Name = Last.str();
    return T;
  }
  At = T.At;
  T = sliceOrNumber();
  T.IsName = !Name.empty() && T.K == Term::Number && At == AfterName;
  if (T.IsName)
    T.Name = Name;
  return T;
}

Term QuestionReader::sliceOrNumber() {
  Term T;
  T.At = where();
  bool Any = false;
  for (unsigned Part = 0; Part < 3; ++Part) {
    Term P;
    P.At = where();
    bool Has = !peek(':') && !peek(',') && !peek(']');
    if (Has)
      P.N = sum();
    T.Items.push_back(P);
    T.Given.push_back(Has);
    Any |= Has;
    if (failed() || !eat(':'))
      break;
    T.K = Term::Slice;
  }
  if (T.K == Term::Slice) {
    T.Items.resize(3);
    T.Given.resize(3);
    return T;
  }
  T.N = T.Items[0].N;
  T.Items.clear();
  if (!Any)
    fail("expected a number or a name");
  return T;
}

SymExpr QuestionReader::sum() {
  SymExpr E = product();
  while (!failed()) {
    if (eat('+'))
      E = Ar.add(E, product());
    else if (!Text.substr(At).ltrim().starts_with("->") && eat('-'))
      E = Ar.sub(E, product());
    else
      break;
  }
  return E;
}

SymExpr QuestionReader::product() {
  SymExpr E = factor();
  while (!failed()) {
    const size_t Here = where();
    if (eat('*')) {
      // A sum is one factor: products of sizes stay comparable.
      E = Ar.mul(Ar.asSize(E), Ar.asSize(factor()));
      continue;
    }
    const bool Divides = eat('/');
    if (!Divides && !eat('%'))
      break;
    if (Divides)
      eat('/');
    SymExpr By = factor();
    auto Known = Ar.known(By);
    if (Known && *Known <= 0) {
      failAt(Here, "this divides by " + llvm::Twine(*Known));
    } else if (!Divides) {
      E = Ar.mod(E, By);
    } else if (auto Q = Ar.divExact(E, By)) {
      E = *Q;
    } else {
      E = Ar.floorDiv(E, By);
    }
  }
  return E;
}

SymExpr QuestionReader::factor() {
  if (++Depth > 100)
    fail("too many brackets");
  struct Leave {
    unsigned &Depth;
    ~Leave() { --Depth; }
  } L{Depth};
  if (failed())
    return SymExpr(0);
  if (eat('-'))
    return Ar.sub(SymExpr(0), factor());
  if (eat('(')) {
    SymExpr E = sum();
    if (!eat(')'))
      fail("expected ')'");
    return E;
  }
  size_t From = where();
  while (At < Text.size() && llvm::isDigit(Text[At]))
    ++At;
  if (At > From) {
    int64_t N = 0;
    if (Text.slice(From, At).getAsInteger(10, N) || N > (int64_t(1) << 40))
      failAt(From, "too large a number");
    while (At < Text.size() && StringRef("lLuU").contains(Text[At]))
      ++At; // 2L, as C++ writes it
    if (At < Text.size() && (isNameCharacter(Text[At]) ||
                             (Text[At] == '.' && At + 1 < Text.size() &&
                              llvm::isDigit(Text[At + 1]))))
      failAt(From, "sizes and dimensions are whole numbers");
    return SymExpr(N);
  }
  std::string Name = word();
  if (Name.empty()) {
    fail("expected a number or a name");
    return SymExpr(0);
  }
  if (Name == "sizeof" && eat('(')) { // strides count elements here
    word();
    if (!eat(')'))
      fail("expected ')'");
    return SymExpr(1);
  }
  if (peek('.') || Text.substr(At).starts_with("->") ||
      (peek('(') && StringRef(Name).starts_with("ggml_"))) {
    if (auto Size = sizeOf(Name))
      return *Size;
    failAt(From, "only sizes and strides may be asked for here, as in "
                 "x.size(0)");
    return SymExpr(0);
  }
  for (const auto &[Have, Id] : Names)
    if (Have == Name)
      return SymExpr::symbol(Id);
  Names.emplace_back(Name, Table.fresh(SymbolInfo::Size, Name, true));
  return SymExpr::symbol(Names.back().second);
}

/// x.size(-1), x.shape[0], x.stride(0), x.numel(), x->ne[0], x->nb[1].
std::optional<SymExpr> QuestionReader::sizeOf(StringRef Name) {
  const size_t From = At;
  if (Name.starts_with("ggml_")) {
    eat('(');
    word();
    if (!eat(')'))
      return std::nullopt;
    if (Name == "ggml_element_size" || Name == "ggml_type_size")
      return SymExpr(1);
    const auto *L = Find("");
    if (L && Name == "ggml_nelements")
      return numel(Ar, L->Sizes);
    return std::nullopt;
  }
  const Layout<SymExpr> *L = Find(Name);
  const bool Ggml = eat("->");
  if (!Ggml)
    eat('.');
  std::string What = word();
  if (!L) {
    failAt(From, "there is no tensor yet");
    return SymExpr(0);
  }
  // x.numel(), x.size() and numpy's x.size count elements.
  if (What == "numel" || What == "size") {
    if (!eat('(') || eat(')'))
      return numel(Ar, L->Sizes);
    if (What == "numel")
      return std::nullopt;
  }
  const bool Strides = What == "stride" || What == "strides" || What == "nb";
  if (!Strides && What != "size" && What != "sizes" && What != "shape" &&
      What != "ne")
    return std::nullopt;
  if (What == "sizes" || What == "strides")
    if (eat('('))
      eat(')');
  // That of size( is behind us.
  if (What != "size" && !eat('[') && !eat('('))
    return std::nullopt;
  auto D = Ar.known(sum());
  if (!eat(')') && !eat(']'))
    return std::nullopt;
  const auto &Dims = Strides ? L->Strides : L->Sizes;
  const auto Rank = static_cast<int64_t>(Dims.size());
  if (!D || *D < -Rank || *D >= Rank) {
    failAt(From, "the tensor has no such dimension");
    return SymExpr(0);
  }
  auto I = static_cast<size_t>(*D < 0 ? *D + Rank : *D);
  return Dims[Ggml ? Dims.size() - 1 - I : I];
}

} // namespace tensortidy::tool
