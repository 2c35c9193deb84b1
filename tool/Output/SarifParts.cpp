//===- SarifParts.cpp - what is in a SARIF log ----------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Output/SarifParts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;
namespace json = llvm::json;

namespace tensortidy::tool {

const json::Object *objectIn(const json::Object *O, StringRef Key) {
  return O ? O->getObject(Key) : nullptr;
}

std::string stringIn(const json::Object *O, StringRef Key) {
  return O ? O->getString(Key).value_or("").str() : "";
}

const json::Object *firstIn(const json::Object *O, StringRef Key) {
  const json::Array *Items = O ? O->getArray(Key) : nullptr;
  return Items && !Items->empty() ? Items->front().getAsObject() : nullptr;
}

const json::Object *placeIn(const json::Object &Result) {
  return objectIn(firstIn(&Result, "locations"), "physicalLocation");
}

std::string fileIn(const json::Object *Place) {
  const std::string Whole =
      stringIn(objectIn(Place, "artifactLocation"), "uri");
  StringRef Uri = Whole;
  Uri.consume_front("file://");
  std::string Path;
  for (size_t I = 0; I < Uri.size(); ++I) {
    unsigned Byte = 0;
    if (Uri[I] == '%' && !Uri.substr(I + 1, 2).getAsInteger(16, Byte) &&
        Uri.size() > I + 2) {
      Path += static_cast<char>(Byte);
      I += 2;
    } else {
      Path += Uri[I];
    }
  }
  return json::fixUTF8(Path);
}

bool isSilenced(const json::Object &Result) {
  const json::Array *All = Result.getArray("suppressions");
  return All && llvm::any_of(*All, [](const json::Value &V) {
           return stringIn(V.getAsObject(), "kind") == "inSource";
         });
}

} // namespace tensortidy::tool
