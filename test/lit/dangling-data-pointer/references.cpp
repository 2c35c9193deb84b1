// RUN: %check %s --checks=-*,tensor-dangling-data-pointer -- %runtime
// A function that takes a reference to a pointer reads what it points to.

#include <tensortidy/aten.h>

#include <cstdint>

using at::Tensor;

struct Cursor {
  uint32_t *ids;
  int64_t count;
};
Cursor fromChunk(char *&chunk, int64_t n);
void skip(const float *&at, int64_t n);
void use(const Cursor &);

void parsed(const Tensor &x, int64_t n) {
  char *p = static_cast<char *>(x.contiguous().data_ptr());
  // CHECK-MESSAGES: :[[#@LINE-1]]:48: warning: data_ptr() points into a temporary, the result of contiguous(), that is gone at the end of this statement; only when 'x' is not contiguous, so tests with contiguous input pass [tensor-dangling-data-pointer]
  // CHECK-MESSAGES: :[[#@LINE+1]]:19: note: used here, after that
  Cursor cursor = fromChunk(p, n);
  use(cursor);
}
void skipped(const Tensor &x) {
  const float *p = x.to(at::kFloat).data_ptr<float>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:37: warning: data_ptr() points into a temporary, the result of to(), that is gone at the end of this statement; only when 'x' is not of that dtype and device already [tensor-dangling-data-pointer]
  // CHECK-MESSAGES: :[[#@LINE+1]]:3: note: used here, after that
  skip(p, 4);
}

// Owners that live on.
void owned(const Tensor &x, int64_t n) {
  Tensor dense = x.contiguous();
  char *p = static_cast<char *>(dense.data_ptr());
  Cursor cursor = fromChunk(p, n);
  use(cursor);
}
void inPlace(const Tensor &x) {
  const float *p = x.data_ptr<float>();
  skip(p, 4);
}
void later(const Tensor &x) {
  const float *p = nullptr;
  skip(p, 0);
  Tensor dense = x.contiguous();
  p = dense.data_ptr<float>();
  skip(p, 4);
}
