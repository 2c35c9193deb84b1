//===- torch.h - the tensor API under libtorch's names ----------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For code written for <torch/torch.h>: all of <tensortidy/aten.h>, and
// modules.
//
//   struct Net : torch::nn::Module {
//     torch::nn::Linear fc{register_module("fc", torch::nn::Linear(8, 2))};
//   };
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TORCH_H
#define TENSORTIDY_TORCH_H

#include "tensortidy/aten.h"
#include "tensortidy/init.h"
#include "tensortidy/modules.h"
#include "tensortidy/recurrent.h"

// Programs lean on what libtorch's headers bring along.
#include <atomic>
#include <chrono>
#include <complex>
#include <condition_variable>
#include <cstdio>
#include <ctime>
#include <deque>
#include <fstream>
#include <iomanip>
#include <list>
#include <queue>
#include <shared_mutex>
#include <stack>
#include <thread>
#include <unordered_set>

#endif // TENSORTIDY_TORCH_H
