//===- Checked.h - what is watched of a storage -----------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An allocation has a red zone on either side, and a map of the bytes nobody
// wrote, as long as there are any:
//
//     red zone | data . . . . . . | red zone
//                map  1 1 0 0 0 0            x[0] was never written
//
// empty() starts as "all unwritten" without a map; a write of everything ends
// it, one of a part makes the map. Copies carry the map along; what computes
// with such an element throws. A raw pointer ends the watch: what is written
// through it is not seen.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_RUNTIME_CHECKED_H
#define TENSORTIDY_RUNTIME_CHECKED_H

#include "tensortidy/tensor.h"
#include <atomic>
#include <memory>

namespace tensortidy::detail {

inline constexpr bool Checks = TENSORTIDY_CHECKED != 0;

struct Watch {
  enum State : uint8_t { None, All, Some };
  State Unwritten = None;
  bool OnRead = false; ///< a read has something to check
  bool Ended = false;  ///< its owner said the memory is gone
  Site EndedAt = Site::none();
  std::unique_ptr<uint8_t[]> Map;   ///< for Some: 1 is unwritten
  std::atomic<int64_t> Pins{0};     ///< temporary pointers
  std::atomic<bool> Escaped{false}; ///< one became a plain pointer
  StorageImpl *Next = nullptr, *Previous = nullptr; ///< all with red zones
  void set(State S);
};

/// Memory of \p Bytes with red zones, and the end of it. release() reports a
/// damaged red zone to the standard error output and aborts: it cannot throw.
char *guardedAllocate(StorageImpl &S, size_t Bytes);
void guardedFree(StorageImpl &S) noexcept;
/// \p To, which has none, takes over the memory of \p From.
void adoptMemory(StorageImpl &To, StorageImpl &From);
/// Throws when a red zone of \p S was written to.
void verifyZones(const StorageImpl &S, Site Here);

/// The elements of a new tensor are unwritten.
void markUnwritten(const Tensor &X);
void markWritten(const Tensor &X);
/// \p To has just become a copy of \p From, of the same type.
void copyUnwritten(const Tensor &To, const Tensor &From);
/// Those elements are written for which the bool in \p Where, of the same
/// sizes, is set.
void markWrittenWhere(const Tensor &X, const Tensor &Where);
void checkRead(const Tensor &X, const char *Op, Site Here);
/// "\n  its memory is from zeros at attention.cpp:12", or nothing.
std::string whoseMemory(const void *At);

} // namespace tensortidy::detail

#endif
