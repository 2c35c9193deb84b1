//===- judge.h - one source, three judges -----------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A case is a function that says on its lines what must happen there:
//
//   CASE(transposed) {
//     auto y = torch::zeros({2, 3}).t();
//     y.view(-1);                            // throws: view
//   }
//   CASE(dense) {
//     auto y = torch::zeros({2, 3});
//     judge::same(y, y.contiguous());        // no-op: contiguous
//   }
//
// The same source is linted, run on the checked runtime and run on libtorch
// (JUDGE_LIBTORCH). All three must agree with the comments, and so with each
// other:
//
//   throws: OP   lint reports tensor-view-after-permute on this line and
//                nowhere else; the case throws, and the text names OP
//   no-op: OP    lint reports tensor-redundant-contiguous on this line and
//                nowhere else; the call returns its own storage
//   mismatch: OP    lint reports tensor-shape-mismatch, and the case throws
//   overlaps: OP    lint reports tensor-overlapping-write, and the case throws
//   overwrites: OP  lint reports tensor-overlapping-write; nobody throws, and
//   on
//                   libtorch values are not those they should be
//   lost: OP        lint reports tensor-lost-write; the case requires that
//                   nothing was written
//   saved: OP       lint reports tensor-inplace-on-saved, and the case throws,
//                   on libtorch alone: gradients.cpp
//   nan: OP      lint reports tensor-value-domain; the case requires that the
//                gradient is nan, on libtorch alone: poles.cpp
//   device: OP   lint reports tensor-device-mismatch, and the case throws, on
//                libtorch with a CUDA device alone: devices.cpp
//   refuses: OP  the runtime and libtorch throw, the runtime's text names OP;
//                lint has no check for it
//
// A case throws at most once, as its last statement.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TEST_JUDGE_H
#define TENSORTIDY_TEST_JUDGE_H

#ifdef JUDGE_LIBTORCH
#include <torch/torch.h>
#else
#include <tensortidy/torch.h>
#endif
#include <cstdint>
#include <vector>

namespace judge {

using Body = void (*)();

/// Adds a case to the list that main() runs.
struct Case {
  Case(const char *Name, const char *File, int Line, Body Run,
       bool NeedsDevice = false);
};

/// A size the compiler, and so the linter, does not know.
int64_t number(int64_t Value);
bool flag(bool Value);

/// Fails the case unless both share, or do not share, their first element.
void same(const at::Tensor &Before, const at::Tensor &After);
void copied(const at::Tensor &Before, const at::Tensor &After);

/// Fails the case unless the tensor has this layout.
void layout(const at::Tensor &Of, const std::vector<int64_t> &Sizes,
            const std::vector<int64_t> &Strides, int64_t Offset = 0);

/// Fails the case unless the condition holds.
void require(bool Condition);

} // namespace judge

#define CASE(Name)                                                             \
  static void Name();                                                          \
  static const judge::Case Name##Case(#Name, __FILE__, __LINE__, Name);        \
  static void Name()

/// A case that runs where there is a CUDA device.
#define DEVICE_CASE(Name)                                                      \
  static void Name();                                                          \
  static const judge::Case Name##Case(#Name, __FILE__, __LINE__, Name, true);  \
  static void Name()

#endif
