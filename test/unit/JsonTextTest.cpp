//===- JsonTextTest.cpp - JSON that others have written -------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JsonText.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tensortidy::tool;
using testing::HasSubstr;

namespace {

std::string with(llvm::StringRef Text) {
  auto R = withMember(Text, "p", "/x",
                      [](llvm::StringRef Other) { return Other == "/old"; });
  return R ? *R : "error: " + llvm::toString(R.takeError());
}

TEST(JsonText, AMemberIsAdded) {
  const std::pair<const char *, const char *> Cases[] = {
      {"", "{\n  \"p\": \"/x\"\n}\n"},
      {" \n", "{\n  \"p\": \"/x\"\n}\n"},
      {"{}", "{\n  \"p\": \"/x\"\n}"},
      {"{\n}\n", "{\n  \"p\": \"/x\"\n}\n"},
      {"{ \"a\": 1 }", "{ \"a\": 1,\n  \"p\": \"/x\"\n }"},
      {"{\n    \"a\": [1, {\"p\": 2}]\n}\n",
       "{\n    \"a\": [1, {\"p\": 2}],\n    \"p\": \"/x\"\n}\n"},
      {"{\n\t\"a\": {},\n}\n", "{\n\t\"a\": {},\n\t\"p\": \"/x\",\n}\n"},
      {"{\n  \"a\": true // , why\n}\n",
       "{\n  \"a\": true, // , why\n  \"p\": \"/x\"\n}\n"},
      {"{\n  \"a\": -1e3, // why\n  /* last,\n word */\n}\n",
       "{\n  \"a\": -1e3, // why\n  /* last,\n word */\n  \"p\": \"/x\",\n}\n"},
      {"// first\n{\n  // \"p\": 1\n}\n// end",
       "// first\n{\n  // \"p\": 1\n  \"p\": \"/x\"\n}\n// end"},
      {"{\r\n  \"a\": \"}//\\\"\"\r\n}\r\n",
       "{\r\n  \"a\": \"}//\\\"\",\r\n  \"p\": \"/x\"\r\n}\r\n"},
      {"\xEF\xBB\xBF{\"a\":null}",
       "\xEF\xBB\xBF{\"a\":null,\n  \"p\": \"/x\"\n}"},
  };
  for (const auto &[Text, Wanted] : Cases) {
    EXPECT_EQ(with(Text), Wanted) << Text;
    EXPECT_EQ(with(Wanted), Wanted) << Text; // once
  }
}

TEST(JsonText, AMemberThatIsThere) {
  EXPECT_EQ(with("{\"p\": /* ours */ \"/old\", // x\n}"),
            "{\"p\": /* ours */ \"/x\", // x\n}");
  EXPECT_EQ(with("{\"\\u0070\": \"/old\", \"q\": {\"p\": 1}}"),
            "{\"\\u0070\": \"/x\", \"q\": {\"p\": 1}}");
  EXPECT_EQ(with("{\"p\": \"/mine\"}"), "error: it has a p already, \"/mine\"");
  EXPECT_EQ(with("{\"p\": [1]}"), "error: it has a p already, [1]");
}

TEST(JsonText, WhatIsNoJsonIsLeftAlone) {
  for (const char *Text :
       {"{", "[]", "1", "{\"a\" 1}", "{\"a\": 1} x", "{\"a\": 1 /* }",
        "{\"a\": \"b}", "{,}", "{\"a\": 1,,}", "{'a': 1}", "<html>"})
    EXPECT_THAT(with(Text), HasSubstr("error: ")) << Text;
  EXPECT_EQ(with(std::string(100000, '[')), "error: it nests too deep");
}

} // namespace
