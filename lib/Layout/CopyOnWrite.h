//===- CopyOnWrite.h - what copies share ------------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A state is copied at each branch and changes little of what it knows there,
// so copies share what they have until one of them changes it:
//
//   CopyOnWrite<std::map<int, int>> A, B;
//   A.own()[1] = 2;
//   B = A;             // one map
//   B.own()[1] = 3;    // two
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_LAYOUT_COPYONWRITE_H
#define TENSORTIDY_LAYOUT_COPYONWRITE_H

#include <memory>
#include <utility>

namespace tensortidy::layout {

/// A container \p T, empty at first.
template <class T> class CopyOnWrite {
public:
  CopyOnWrite() = default;
  CopyOnWrite(T Of) : Shared(std::make_shared<T>(std::move(Of))) {}

  const T &operator*() const {
    static const T Empty;
    return Shared ? *Shared : Empty;
  }
  const T *operator->() const { return &**this; }
  /// To be changed; copies made before keep what they have.
  T &own() {
    if (!Shared)
      Shared = std::make_shared<T>();
    else if (Shared.use_count() > 1)
      Shared = std::make_shared<T>(*Shared);
    return *Shared;
  }
  void clear() { Shared.reset(); }
  bool operator==(const CopyOnWrite &O) const {
    return Shared == O.Shared || **this == *O;
  }
  bool operator!=(const CopyOnWrite &O) const { return !(*this == O); }

private:
  std::shared_ptr<T> Shared;
};

} // namespace tensortidy::layout

#endif
