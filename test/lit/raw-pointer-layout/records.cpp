// RUN: %check %s --checks=-*,tensor-raw-pointer-layout -- %runtime
// A kernel is told about memory by an object: its fields are what arguments would be, in no order.

#include <tensortidy/aten.h>

struct Params {
  const float *q, *cache;
  float *out;
  int64_t heads, size, batch;
};
void decode(const Params &p);
void decodeCopy(Params p);

at::Tensor assigned(const at::Tensor &hidden, int64_t heads, int64_t kv, int64_t size) {
  const int64_t batch = hidden.size(0);
  auto qkv = hidden.contiguous().view({batch, heads + 2 * kv, size});
  auto q = qkv.slice(1, 0, heads);
  auto out = at::empty({batch, heads, size}, hidden.options());
  Params p;
  p.q = q.data_ptr<float>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:11: warning: 'decode' gets 'q' without its strides and takes batch*heads*size elements in a row: sizes [batch, heads, size], strides [size*(heads + 2*kv), size, 1]; wrong unless batch is 1 or kv is 0 [tensor-raw-pointer-layout]
  p.out = out.data_ptr<float>();
  p.heads = heads;
  p.size = size;
  p.batch = batch;
  decode(p);
  return out;
}
void braces(const at::Tensor &hidden, at::Tensor &out, int64_t heads, int64_t kv, int64_t size) {
  const int64_t batch = hidden.size(0);
  auto q = hidden.contiguous().view({batch, heads + 2 * kv, size}).slice(1, 0, heads);
  decodeCopy(Params{q.data_ptr<float>(), nullptr, out.data_ptr<float>(), heads, size, batch});
  // CHECK-MESSAGES: :[[#@LINE-1]]:23: warning: 'decodeCopy' gets 'q' without its strides and takes batch*heads*size elements in a row
}

// --- What decides is not known, or right.

// Packed, and turned as a whole: which way round the kernel goes, nobody says.
void packed(const at::Tensor &hidden, int64_t heads, int64_t kv, int64_t size) {
  const int64_t batch = hidden.size(0);
  auto q = hidden.contiguous().view({batch, heads + 2 * kv, size}).slice(1, 0, heads).contiguous();
  Params p{q.data_ptr<float>(), nullptr, nullptr, heads, size, batch};
  decode(p);
}
void turned(const at::Tensor &hidden, int64_t heads, int64_t size) {
  auto q = hidden.contiguous().view({hidden.size(0), heads, size}).transpose(0, 1);
  decode(Params{q.data_ptr<float>(), nullptr, nullptr, heads, size, hidden.size(0)});
}
// Parts of one tensor: the kernel knows how they lie.
void parts(const at::Tensor &hidden, int64_t heads, int64_t size) {
  auto qk = hidden.contiguous().view({hidden.size(0), 2 * heads, size});
  auto q = qk.slice(1, 0, heads), k = qk.slice(1, heads, 2 * heads);
  decode(Params{q.data_ptr<float>(), k.data_ptr<float>(), nullptr, heads, size, hidden.size(0)});
}
// Its fields say how memory lies.
struct Strided {
  const float *q;
  int64_t heads, size, batch, row_stride;
};
void strided(const Strided &p);
void told(const at::Tensor &hidden, int64_t heads, int64_t kv, int64_t size) {
  const int64_t batch = hidden.size(0);
  auto q = hidden.contiguous().view({batch, heads + 2 * kv, size}).slice(1, 0, heads);
  strided(Strided{q.data_ptr<float>(), heads, size, batch, q.stride(0)});
}
struct Wide {
  const float *q;
  int64_t heads, size, batch, width;
};
void wide(const Wide &p);
void width(const at::Tensor &hidden, int64_t heads, int64_t kv, int64_t size) {
  const int64_t batch = hidden.size(0);
  auto q = hidden.contiguous().view({batch, heads + 2 * kv, size}).slice(1, 0, heads);
  wide(Wide{q.data_ptr<float>(), heads, size, batch, (heads + 2 * kv) * size});
}
class Launcher { // not only its fields
public:
  Launcher(const float *q, int64_t heads, int64_t size, int64_t batch);
  virtual ~Launcher();
  const float *q;
  int64_t heads, size, batch;
};
void launch(const Launcher &l);
void object(const at::Tensor &hidden, int64_t heads, int64_t kv, int64_t size) {
  auto q = hidden.contiguous().view({hidden.size(0), heads + 2 * kv, size}).slice(1, 0, heads);
  Launcher l(nullptr, heads, size, hidden.size(0));
  l.q = q.data_ptr<float>();
  launch(l);
}
// All in one row by its count alone, which a transposed tensor is as well.
struct View {
  float *data;
  int64_t count;
};
void fill(View x, float value);
void counted(const at::Tensor &x) {
  auto t = x.contiguous().view({4, 5}).t();
  fill({t.data_ptr<float>(), t.numel()}, 0.5f);
}
