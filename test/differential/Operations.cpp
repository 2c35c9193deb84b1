//===- Operations.cpp - the tables of operations as one -------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"

namespace differential {

#define TABLES(T)                                                              \
  T(views)                                                                     \
  T(copies)                                                                    \
  T(elementwise)                                                               \
  T(reductions)                                                                \
  T(networks)                                                                  \
  T(algebra)                                                                   \
  T(choosing)                                                                  \
  T(inPlace)

#define DECLARE(NAME) void NAME(std::vector<Operation> &All);
TABLES(DECLARE)
#undef DECLARE

const std::vector<Operation> &operations() {
  static const std::vector<Operation> List = [] {
    std::vector<Operation> All;
#define APPEND(NAME) NAME(All);
    TABLES(APPEND) // the first one makes tensors and must stay first
#undef APPEND
    return All;
  }();
  return List;
}

} // namespace differential
