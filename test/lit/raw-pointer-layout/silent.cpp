// RUN: %check %s --checks=-*,tensor-raw-pointer-layout -- %runtime

#include <cstring>
#include <tensortidy/aten.h>
#include <vector>

void rows(const float *p, int64_t n, int64_t m);
void all(const float *p, int64_t n);
void map(const float *p, float *o, int64_t n);
void leading(const float *p, int64_t n, int64_t m, int64_t lda);
void transposed(const float *p, int64_t n, int64_t m, bool transA);
void sgemm(const float *p, int64_t n, int64_t m);
void three(const float *p, int64_t n, int64_t m, int64_t k);
void dims(const float *p, at::IntArrayRef sizes, at::IntArrayRef strides);
void with(const float *p, const at::Tensor &t, int64_t n, int64_t m);
struct Info {
  const float *data;
  int64_t rows, columns, row;
};
void packed(const float *p, Info info, int64_t n, int64_t m);

void told(int64_t B, int64_t C) {
  auto y = torch::empty({B, C}).t();
  leading(y.data_ptr<float>(), C, B, B);
  transposed(y.data_ptr<float>(), C, B, true);
  sgemm(y.data_ptr<float>(), C, B);
  three(y.data_ptr<float>(), C, B, y.stride(1));
  const int64_t step = y.stride(1);
  three(y.data_ptr<float>(), C, B, step * 4);
  dims(y.data_ptr<float>(), y.sizes(), y.strides());
  with(y.data_ptr<float>(), y, C, B);
  packed(y.data_ptr<float>(), Info{}, C, B);
  auto part = torch::empty({B, C}).select(1, 0);
  three(part.data_ptr<float>(), B, 1, C); // the gap by its size
}
void asItLies(int64_t B, int64_t C) {
  auto y = torch::empty({B, C}).t();
  rows(y.data_ptr<float>(), B, C);
  rows(y.data_ptr<float>(), y.size(1), y.size(0));
}
void anyOrder(int64_t B, int64_t C) {
  auto y = torch::empty({B, C}).t();
  all(y.data_ptr<float>(), y.numel());
  auto out = torch::empty_like(y);
  map(y.data_ptr<float>(), out.data_ptr<float>(), y.numel());
  std::memcpy(out.data_ptr<float>(), y.data_ptr<float>(), y.nbytes());
}
void checked(const at::Tensor &x, int64_t B, int64_t C) {
  TORCH_CHECK(x.is_contiguous());
  rows(x.data_ptr<float>(), x.size(0), x.size(1));
  auto y = torch::empty({B, C}).t();
  if (!y.is_contiguous())
    y = y.contiguous();
  rows(y.data_ptr<float>(), C, B);
  const float *p = y.contiguous().data_ptr<float>();
  rows(p, C, B);
}
void unknown(const at::Tensor &x, at::Tensor &z) {
  rows(x.data_ptr<float>(), x.size(0), x.size(1));
  z = z.permute({0, 2, 3, 1}); // of channels-last, it is contiguous
  rows(z.data_ptr<float>(), z.size(1), z.size(2));
}
// A layout somebody asked for.
void onPurpose(int64_t B, int64_t C, float *raw) {
  auto y = torch::empty({B, 3, C, C}).contiguous(at::MemoryFormat::ChannelsLast);
  rows(y.data_ptr<float>(), y.size(1), y.size(2));
  std::memcpy(raw, y.data_ptr<float>(), y.nbytes());
  auto z = torch::empty({B, 3, C, C}, at::MemoryFormat::ChannelsLast);
  rows(z.data_ptr<float>(), z.size(1), z.size(2));
  // Filled as it lies: [B, C] numbers that are to be read as [C, B].
  auto t = torch::empty({B, C}).t();
  std::memcpy(t.data_ptr<float>(), raw, t.nbytes());
}
float loops(int64_t B, int64_t C) {
  auto y = torch::empty({B, C}).t();
  auto z = torch::empty_like(y);
  const float *p = y.data_ptr<float>();
  float *q = z.data_ptr<float>();
  float s = 0;
  for (int64_t i = 0; i < y.numel(); ++i)
    s += p[i];
  for (int64_t i = 0; i < y.numel(); ++i)
    q[i] = p[i];
  for (int64_t i = 0; i < y.size(0); ++i)
    for (int64_t j = 0; j < y.size(1); ++j)
      s += i * p[i + j * y.size(0)];
  for (int64_t i = 0; i < y.size(0); ++i)
    for (int64_t j = 0; j < y.size(1); ++j)
      s += i * p[i * y.stride(0) + j * y.stride(1)];
  for (int64_t b = 0; b < B; ++b)
    for (int64_t c = 0; c < C; ++c)
      s += b * p[b * C + c];
  return s;
}
// The first row of each plane, and no more.
float part(int64_t B, int64_t C) {
  auto y = torch::empty({B, C, C}).select(1, 0);
  const float *p = y.data_ptr<float>();
  float s = 0;
  for (int64_t c = 0; c < C; ++c)
    s += p[c];
  all(p, C);
  return s;
}
void accessors(int64_t B, int64_t C) {
  auto y = torch::empty({B, C}).t();
  auto a = y.accessor<float, 2>();
  for (int64_t i = 0; i < C; ++i)
    for (int64_t j = 0; j < B; ++j)
      a[i][j] = 0;
}
// What nobody moves: sizes of 1.
void ones(int64_t B) {
  auto y = torch::empty({B, 1}).t();
  rows(y.data_ptr<float>(), y.size(0), y.size(1));
}
// M, N and K are in no operand's order.
void mm(const float *a, const float *b, float *c, int64_t M, int64_t N, int64_t K);
void product(int64_t M, int64_t N, int64_t K) {
  auto a = torch::zeros({M, K}), b = torch::zeros({K, N}).t(), c = torch::zeros({M, N});
  mm(a.data_ptr<float>(), b.data_ptr<float>(), c.data_ptr<float>(), M, N, K);
}
// Who gets all parts knows how they lie.
void attend(const float *q, const float *k, const float *v, int64_t B, int64_t S, int64_t D);
void parts(int64_t B, int64_t S, int64_t D) {
  auto qkv = torch::zeros({B, S, 3, D});
  auto q = qkv.select(2, 0), k = qkv.select(2, 1), v = qkv.select(2, 2);
  attend(q.data_ptr<float>(), k.data_ptr<float>(), v.data_ptr<float>(), B, S, D);
}
