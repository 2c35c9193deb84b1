// RUN: %exits 1 %tensortidy --checks=-*,tensor-shape-mismatch %s -- -std=c++17 -DTORCH_VERSION_MAJOR=1 -DTORCH_VERSION_MINOR=13 | FileCheck %s --check-prefixes=ANY,OLD
// RUN: %exits 1 %tensortidy --checks=-*,tensor-shape-mismatch %s -- -std=c++17 -DTORCH_VERSION_MAJOR=2 -DTORCH_VERSION_MINOR=14 | FileCheck %s --check-prefixes=ANY,NEW
// RUN: %exits 1 %tensortidy --checks=-*,tensor-shape-mismatch %s -- -std=c++17 | FileCheck %s --check-prefixes=ANY,NONE

// Element types that operations ask for, as releases have them: those of indices
// and of masks. Where it is not known which release it is, what one of them
// takes is taken.

#include "Inputs/current.h"

at::Tensor indices() {
  at::Tensor x = at::rand({6, 4}), values = at::rand({3, 4});
  at::Tensor i = at::zeros({3, 4}, at::kInt), one = at::zeros({3}, at::kInt);
  // OLD: [[@LINE+3]]:{{[0-9]+}}: warning: gather(0, i) needs int64, 'i' has int32; throws
  // NEW-NOT: [[@LINE+2]]:{{[0-9]+}}: warning
  // NONE-NOT: [[@LINE+1]]:{{[0-9]+}}: warning
  x = x + x.gather(0, i).sum();
  // OLD: [[@LINE+3]]:{{[0-9]+}}: warning: scatter_add(0, i, values) needs int64, 'i' has int32; throws
  // NEW-NOT: [[@LINE+2]]:{{[0-9]+}}: warning
  // NONE-NOT: [[@LINE+1]]:{{[0-9]+}}: warning
  x = x + x.scatter_add(0, i, values);
  // OLD: [[@LINE+3]]:{{[0-9]+}}: warning: scatter_(0, i, values) needs int64, 'i' has int32; throws
  // NEW-NOT: [[@LINE+2]]:{{[0-9]+}}: warning
  // NONE-NOT: [[@LINE+1]]:{{[0-9]+}}: warning
  x.scatter_(0, i, values);
  // ANY-NOT: [[@LINE+1]]:{{[0-9]+}}: warning
  x = x + x.index_select(0, one).sum() + x.index_add(0, one, values);
  return x;
}

at::Tensor wideIndices() {
  at::Tensor x = at::rand({6, 4}), values = at::rand({3, 4});
  at::Tensor i = at::zeros({3, 4}, at::kInt), one = at::zeros({3}, at::kInt);
  // ANY: [[@LINE+1]]:{{[0-9]+}}: warning: take(i) needs int64, 'i' has int32; throws
  at::Tensor taken = x.take(i);
  // ANY: [[@LINE+1]]:{{[0-9]+}}: warning: put_(i, values) needs int64, 'i' has int32; throws
  x.put_(i, values);
  // ANY: [[@LINE+1]]:{{[0-9]+}}: warning: index_copy(0, one, values) needs int64, 'one' has int32; throws
  return x.index_copy(0, one, values) + taken.sum();
}

at::Tensor shortIndices() {
  at::Tensor x = at::rand({6, 4});
  at::Tensor i = at::zeros({3}, at::kShort);
  // ANY: [[@LINE+1]]:{{[0-9]+}}: warning: index_select(0, i) needs int64 or int32, 'i' has int16; throws
  return x.index_select(0, i);
}
at::Tensor shortPlaces() {
  at::Tensor x = at::rand({6, 4});
  at::Tensor i = at::zeros({3, 4}, at::kShort);
  // OLD: [[@LINE+3]]:{{[0-9]+}}: warning: gather(0, i) needs int64, 'i' has int16; throws
  // NEW: [[@LINE+2]]:{{[0-9]+}}: warning: gather(0, i) needs int64 or int32, 'i' has int16; throws
  // NONE: [[@LINE+1]]:{{[0-9]+}}: warning: gather(0, i) needs int64 or int32, 'i' has int16; throws
  return x.gather(0, i);
}

at::Tensor masks() {
  at::Tensor x = at::rand({6, 4}), values = at::rand({24});
  at::Tensor m = at::zeros({6, 4}, at::kByte);
  // NEW: [[@LINE+2]]:{{[0-9]+}}: warning: masked_fill(m, 0) needs bool, 'm' has uint8; throws
  // OLD-NOT: [[@LINE+1]]:{{[0-9]+}}: warning
  at::Tensor some = x.masked_fill(m, 0);
  // NEW: [[@LINE+2]]:{{[0-9]+}}: warning: masked_fill_(m, 0) needs bool, 'm' has uint8; throws
  // OLD-NOT: [[@LINE+1]]:{{[0-9]+}}: warning
  x.masked_fill_(m, 0);
  // NEW: [[@LINE+2]]:{{[0-9]+}}: warning: masked_scatter_(m, values) needs bool, 'm' has uint8; throws
  // OLD-NOT: [[@LINE+1]]:{{[0-9]+}}: warning
  x.masked_scatter_(m, values);
  // NEW: [[@LINE+2]]:{{[0-9]+}}: warning: masked_select(m) needs bool, 'm' has uint8; throws
  // OLD-NOT: [[@LINE+1]]:{{[0-9]+}}: warning
  return x.masked_select(m) + some.sum();
}

at::Tensor unsignedOnes() {
  uint32_t numbers[4] = {};
  at::Tensor x = at::from_blob(numbers, {4}, at::kUInt32);
  uint32_t *p = x.data_ptr<uint32_t>();
  at::Tensor y = at::zeros({4}, at::kInt);
  // ANY: [[@LINE+1]]:{{[0-9]+}}: warning: data_ptr() asks for uint32, 'y' has int32; throws
  p[0] = *y.data_ptr<uint32_t>();
  return y;
}
