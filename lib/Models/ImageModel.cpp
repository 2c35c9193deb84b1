//===- ImageModel.cpp - what the images of a library are ------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Models/ApiModel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace tensortidy::models {

std::optional<PixelType> ImageCode::decode(int64_t Code) const {
  if (!Types.empty()) {
    constexpr int64_t MostChannels = 512;
    const auto Many = static_cast<int64_t>(Types.size());
    if (Code < 0)
      return std::nullopt;
    return PixelType{Types[Code % Many],
                     static_cast<unsigned>(Code / Many % MostChannels + 1)};
  }
  for (const Range &R : Values)
    if (R.First <= Code && Code <= R.Last)
      return R.Is;
  return std::nullopt;
}

StringRef ImageApi::operandOf(StringRef Parameter) const {
  const std::pair<StringRef, const std::vector<std::string> *> All[] = {
      {"rows", &Rows},
      {"columns", &Columns},
      {"channels", &Channels},
      {"from", &From},
      {"to", &To}};
  for (const auto &[Operand, Names] : All)
    if (llvm::is_contained(*Names, Parameter))
      return Operand;
  return "";
}

bool ImageApi::describes(StringRef Qualified) const {
  return llvm::any_of(Scopes, [&](StringRef Scope) {
    StringRef Rest = Qualified;
    return Rest.consume_front(Scope) &&
           (Rest.empty() || Rest.starts_with("::"));
  });
}

const ImageApi *ApiModel::images(StringRef Qualified) const {
  const auto It = llvm::find_if(
      Images, [&](const ImageApi &I) { return I.describes(Qualified); });
  return It == Images.end() ? nullptr : &*It;
}

StringRef parseCode(StringRef Text, ImageCode::Range &Out) {
  const char *const Wrong = "a code is '6=3', '6-7=3', '6=uint8' or "
                            "'6=uint8*3'";
  auto [Codes, Is] = Text.split('=');
  auto [First, Last] = Codes.split('-');
  if (First.trim().getAsInteger(10, Out.First) ||
      (Last.empty() ? First : Last).trim().getAsInteger(10, Out.Last))
    return Wrong;
  auto [Element, Channels] = Is.trim().split('*');
  if (!Element.empty() && llvm::isDigit(Element.front()))
    std::swap(Element, Channels);
  Out.Is.Element = Element.str();
  if (Is.trim().empty() || Is.trim().ends_with("*") ||
      (!Channels.empty() && Channels.getAsInteger(10, Out.Is.Channels)))
    return Wrong;
  return "";
}

} // namespace tensortidy::models
