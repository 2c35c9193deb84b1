//===- models.cpp - what libtorch's operations really give ----------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The calls of Operations.inc on inputs of several layouts. Compiled against
// libtorch it prints each result's sizes, strides and whether it shares x's
// storage; analysed (with ANALYSED defined), the same calls say what the model
// and the layout rules make of them. compare.py compares.
//
//===----------------------------------------------------------------------===//

#include <ATen/ATen.h>

// In a library's namespace, so that the analyzer takes them for readers.
namespace at {
void show(const char *Function, int Line, int Required, const Tensor &Result,
          const Tensor &X);
} // namespace at

#ifdef ANALYSED
#define CASE(Required, ...)                                                    \
  at::show(__func__, __LINE__, Required, __VA_ARGS__, x);
#else
#define CASE(Required, ...)                                                    \
  try {                                                                        \
    at::show(__func__, __LINE__, Required, __VA_ARGS__, x);                    \
  } catch (const std::exception &) {                                           \
  }
#endif
#define LAYOUT(...) CASE(2, (__VA_ARGS__))
#define SIZES(...) CASE(1, (__VA_ARGS__))
#define ALIAS(...) CASE(0, (__VA_ARGS__))

#define OPERANDS                                                               \
  at::Tensor w = at::rand({5, 4, 3, 3}), wt = at::rand({4, 5, 3, 3});          \
  at::Tensor b = at::rand({3, 8, 8}), v = at::rand({8}), m = at::rand({8, 8}); \
  at::Tensor i = at::full({2}, 1, at::kLong), i8 = at::full({8}, 1, at::kLong);

void contiguous() {
  at::Tensor x = at::rand({2, 4, 6, 8});
  OPERANDS
#include "Operations.inc"
}

void channelsLast() {
  at::Tensor x =
      at::empty({2, 4, 6, 8}, at::kFloat, at::MemoryFormat::ChannelsLast);
  x.fill_(0.5);
  OPERANDS
#include "Operations.inc"
}

void permuted() {
  at::Tensor x = at::rand({8, 4, 2, 6}).permute({2, 1, 3, 0});
  OPERANDS
#include "Operations.inc"
}

void sliced() {
  at::Tensor x = at::rand({2, 8, 6, 8}).slice(1, 0, 8, 2);
  OPERANDS
#include "Operations.inc"
}

void singleChannel() {
  at::Tensor x = at::rand({2, 1, 6, 8});
  OPERANDS
#include "Operations.inc"
}

void expanded() {
  at::Tensor x = at::rand({2, 1, 6, 8}).expand({2, 4, 6, 8});
  OPERANDS
#include "Operations.inc"
}

void empty() {
  at::Tensor x = at::rand({0, 4, 6, 8});
  OPERANDS
#include "Operations.inc"
}

#ifndef ANALYSED
#include <cstdio>
#include <string>

void at::show(const char *Function, int Line, int Required,
              const at::Tensor &Result, const at::Tensor &X) {
  auto List = [](at::IntArrayRef Values) {
    std::string Out = "[";
    for (size_t I = 0; I < Values.size(); ++I)
      Out += (I ? ", " : "") + std::to_string(Values[I]);
    return Out + "]";
  };
  bool Shares = Result.storage().unsafeGetStorageImpl() ==
                X.storage().unsafeGetStorageImpl();
  std::printf("%s %d %d %d %s strides %s\n", Function, Line, Required, Shares,
              List(Result.sizes()).c_str(), List(Result.strides()).c_str());
}

int main() {
  contiguous();
  channelsLast();
  permuted();
  sliced();
  singleChannel();
  expanded();
  empty();
}
#endif
