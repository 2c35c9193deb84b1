// RUN: %check %s --checks=-*,tensor-raw-pointer-layout -- %runtime
// Strides that are given along vouch for what they are strides of, and for no more.

#include <tensortidy/aten.h>

#include <vector>

struct Problem {
  const float *q;
  float *o;
  int64_t q_step, o_step, rows, width;
};
void run(const Problem &p);
void runBare(const float *q, float *o, int64_t q_step, int64_t o_step, int64_t rows, int64_t width);

// --- As many strides as pointers: each has its own.
at::Tensor twice(const at::Tensor &fused, int64_t width) {
  const int64_t rows = fused.size(0);
  auto q = fused.contiguous().view({rows, 3 * width}).narrow(1, 0, width);
  auto o = at::empty({rows, width}, fused.options());
  Problem p;
  p.q = q.data_ptr<float>();
  p.q_step = q.stride(0);
  p.o = o.data_ptr<float>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:11: warning: 'run' gets 'o' with a stride of 3*width elements, which are width in its memory: sizes [rows, width], strides [width, 1] [tensor-raw-pointer-layout]
  // CHECK-MESSAGES: :20:16: note: 'o' got this layout here: empty({rows, width}, ...)
  // CHECK-MESSAGES: :31:3: note: used here
  p.o_step = q.stride(0);
  p.rows = rows;
  p.width = width;
  run(p);
  runBare(q.data_ptr<float>(), o.data_ptr<float>(), q.stride(0), q.stride(0), rows, width);
  // CHECK-MESSAGES: :[[#@LINE-1]]:34: warning: 'runBare' gets 'o' with a stride of 3*width elements, which are width in its memory
  // CHECK-MESSAGES: :20:16: note: 'o' got this layout here: empty({rows, width}, ...)
  // CHECK-MESSAGES: :[[#@LINE-3]]:3: note: used here
  return o;
}
at::Tensor each(const at::Tensor &fused, int64_t width) {
  const int64_t rows = fused.size(0);
  auto q = fused.contiguous().view({rows, 3 * width}).narrow(1, 0, width);
  auto o = at::empty({rows, width}, fused.options());
  run({q.data_ptr<float>(), o.data_ptr<float>(), q.stride(0), o.stride(0), rows, width});
  runBare(q.data_ptr<float>(), o.data_ptr<float>(), q.stride(0), width, rows, width);
  return o;
}
// One stride for two: whose it is, nobody says.
void shared(const float *q, float *o, int64_t step, int64_t rows);
void one(const at::Tensor &fused, at::Tensor &o, int64_t width) {
  auto q = fused.contiguous().view({fused.size(0), 3 * width}).narrow(1, 0, width);
  shared(q.data_ptr<float>(), o.data_ptr<float>(), q.stride(0), fused.size(0));
}

// --- The stride of the outer dimension says nothing of the inner ones.
void store(float *keys, int64_t block_step, int64_t heads, int64_t block, int64_t size);
void halves(const at::Tensor &pages, int64_t blocks, int64_t heads, int64_t block, int64_t size) {
  auto keys = pages.contiguous().view({blocks, heads, 2, block, size}).select(2, 0);
  store(keys.data_ptr<float>(), keys.stride(0), heads, block, size);
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: 'store' gets one stride of 'keys' and takes heads*block*size elements in a row within: sizes [blocks, heads, block, size]
  // CHECK-MESSAGES: :[[#@LINE-3]]:72: note: 'keys' got this layout here: select(2, 0) of a contiguous [blocks, heads, 2, block, size]
  // CHECK-MESSAGES: :[[#@LINE-3]]:3: note: used here
  // CHECK-MESSAGES: :[[#@LINE-4]]:14: note: contiguous() before data_ptr() copies blocks*heads*block*size elements
}
void whole(const at::Tensor &pages, int64_t blocks, int64_t heads, int64_t block, int64_t size) {
  auto keys = pages.contiguous().view({blocks, 2, heads, block, size}).select(1, 0);
  store(keys.data_ptr<float>(), keys.stride(0), heads, block, size);
}
// The inner stride, of which the outer ones are made.
void inner(const at::Tensor &pages, int64_t blocks, int64_t heads, int64_t block, int64_t size) {
  auto keys = pages.contiguous().view({blocks, heads, 2, block, size}).select(2, 0);
  store(keys.data_ptr<float>(), keys.stride(1), heads, block, size);
}
void both(float *keys, int64_t block_step, int64_t head_step, int64_t heads, int64_t block, int64_t size);
void strides(const at::Tensor &pages, int64_t blocks, int64_t heads, int64_t block, int64_t size) {
  auto keys = pages.contiguous().view({blocks, heads, 2, block, size}).select(2, 0);
  both(keys.data_ptr<float>(), keys.stride(0), keys.stride(1), heads, block, size);
  both(keys.data_ptr<float>(), keys.stride(0), 2 * block * size, heads, block, size);
}

// --- An address that is kept as a number is an address.
struct Region {
  uintptr_t address;
  size_t bytes;
};
bool share(const std::vector<Region> &regions);
bool column(const at::Tensor &table, int64_t rows, int64_t columns, int64_t layer) {
  auto part = table.contiguous().view({rows, columns, 64}).select(1, layer);
  std::vector<Region> regions;
  regions.push_back({reinterpret_cast<uintptr_t>(part.data_ptr()), part.nbytes()});
  // CHECK-MESSAGES: :[[#@LINE-1]]:55: warning: 'push_back' gets 'part' without its strides and takes 64*rows elements in a row
  // CHECK-MESSAGES: :[[#@LINE-4]]:60: note: 'part' got this layout here: select(1, layer) of a contiguous [rows, columns, 64]
  // CHECK-MESSAGES: :[[#@LINE-3]]:3: note: used here
  // CHECK-MESSAGES: :[[#@LINE-4]]:55: note: contiguous() before data_ptr() copies 64*rows elements
  return share(regions);
}
bool row(const at::Tensor &table, int64_t rows, int64_t columns, int64_t layer) {
  auto part = table.contiguous().view({columns, rows, 64}).select(0, layer);
  std::vector<Region> regions;
  regions.push_back({reinterpret_cast<uintptr_t>(part.data_ptr()), part.nbytes()});
  return share(regions);
}
bool aligned(const at::Tensor &table, int64_t rows, int64_t columns, int64_t layer) {
  auto part = table.contiguous().view({rows, columns, 64}).select(1, layer);
  return reinterpret_cast<uintptr_t>(part.data_ptr()) % 16 == 0;
}
