//===- Bytes.h - values as bytes, and back ----------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_BYTES_H
#define TENSORTIDY_TOOL_BYTES_H

#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <string>
#include <type_traits>

namespace tensortidy::tool {

// Writer and Reader have the same functions, so that each type is described
// once, by a transfer() that serves both directions.

class Writer {
public:
  static constexpr bool Reading = false;
  std::string Bytes;

  template <class T>
  std::enable_if_t<std::is_arithmetic_v<T>> item(const T &Value) {
    Bytes.append(reinterpret_cast<const char *>(&Value), sizeof Value);
  }
  void item(const std::string &Text) {
    item(uint64_t(Text.size()));
    Bytes += Text;
  }
};

class Reader {
public:
  static constexpr bool Reading = true;
  llvm::StringRef Bytes;
  bool Ok = true;

  template <class T> std::enable_if_t<std::is_arithmetic_v<T>> item(T &Value) {
    Value = T();
    if (Bytes.size() < sizeof Value) {
      Ok = false;
      Bytes = "";
      return;
    }
    std::copy_n(Bytes.begin(), sizeof Value, reinterpret_cast<char *>(&Value));
    Bytes = Bytes.drop_front(sizeof Value);
  }
  void item(std::string &Text) {
    uint64_t Size;
    item(Size);
    Ok &= Size <= Bytes.size();
    if (!Ok)
      return;
    Text = Bytes.take_front(Size).str();
    Bytes = Bytes.drop_front(Size);
  }
};

template <class List, class Fn>
void transferList(Writer &W, const List &Items, Fn Each) {
  W.item(uint64_t(Items.size()));
  for (const auto &Item : Items)
    Each(Item);
}
template <class List, class Fn>
void transferList(Reader &R, List &Items, Fn Each) {
  uint64_t Size;
  R.item(Size);
  for (uint64_t I = 0; I < Size && R.Ok; ++I)
    Each(Items.emplace_back());
}

} // namespace tensortidy::tool

#endif
