//===- Identity.cpp - what makes two findings the same --------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Output/Identity.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/xxhash.h"

using llvm::StringRef;

namespace tensortidy::tool {

/// `n@12` and `n@340` become `n@`, white space becomes one space.
static std::string normalised(StringRef Message) {
  std::string Text;
  for (size_t I = 0; I < Message.size(); ++I) {
    const char C = Message[I];
    if (llvm::isSpace(C)) {
      if (!Text.empty() && Text.back() != ' ')
        Text += ' ';
      continue;
    }
    Text += C;
    if (C == '@' && I > 0 &&
        (llvm::isAlnum(Message[I - 1]) ||
         StringRef("_)]").contains(Message[I - 1])))
      while (I + 1 < Message.size() && llvm::isDigit(Message[I + 1]))
        ++I;
  }
  return StringRef(Text).rtrim().str();
}

FindingIdentity::FindingIdentity(StringRef Check, StringRef Function,
                                 StringRef Message)
    : Check(llvm::json::fixUTF8(Check)),
      Function(llvm::json::fixUTF8(Function)),
      Message(llvm::json::fixUTF8(normalised(Message))) {}

std::string FindingIdentity::hash() const {
  const std::string All = Check + '\0' + Function + '\0' + Message;
  return llvm::utohexstr(llvm::xxh3_64bits(All), /*LowerCase=*/true,
                         /*Width=*/16);
}

} // namespace tensortidy::tool
