//===- memory.h - how much memory tensors use -------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Freed memory is kept for the next tensor of about its size. The numbers mean
// what torch.cuda's of the same names mean:
//
//   reserved  |#######|....|###|..........|     from the system
//   allocated  ^^^^^^^      ^^^                 in use by tensors
//
// Memory borrowed by from_blob() is not counted.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_MEMORY_H
#define TENSORTIDY_MEMORY_H

#include <cstddef>

namespace tensortidy {

/// Bytes that living tensors occupy; each allocation rounded up to 64.
size_t memory_allocated();
/// The most there were since the start or reset_peak_memory_stats().
size_t max_memory_allocated();
/// Bytes taken from the system: allocated ones and those kept.
size_t memory_reserved();
size_t max_memory_reserved();
void reset_peak_memory_stats();
/// Gives what no tensor occupies back to the system.
void empty_cache();

/// Whether freed memory is kept. It is, unless the program starts with
/// TENSORTIDY_CACHE=0; under AddressSanitizer it never is, so that use of freed
/// memory is seen. Turning it off empties the cache.
bool caching_allocator_enabled();
void set_caching_allocator_enabled(bool enabled);

} // namespace tensortidy

#endif
