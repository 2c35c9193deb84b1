// RUN: %silent %s --checks=-*,tensor-batchable-loop -- %runtime
// No finding: there is no batched form, or none that is known to be the same.

#include <tensortidy/aten.h>

#include <vector>

at::Tensor next(const at::Tensor &x);
void look(const at::Tensor &x);

// Each iteration needs the one before it.
at::Tensor recurrent(const at::Tensor &x, const at::Tensor &w) {
  TORCH_CHECK(x.dim() == 3 && w.dim() == 2, "");
  std::vector<at::Tensor> ys;
  auto h = torch::zeros({4, 4});
  for (int64_t i = 0; i < x.size(0); ++i) {
    h = torch::tanh(x[i].matmul(w) + h);
    ys.push_back(h);
  }
  return torch::stack(ys);
}

at::Tensor inPlace(at::Tensor &x, const at::Tensor &w) {
  TORCH_CHECK(x.dim() == 2 && w.dim() == 1, "");
  for (int64_t i = 0; i < x.size(0); ++i)
    x[i] = x[i] + w;
  auto y = torch::zeros({8, 8});
  for (int64_t i = 0; i < 8; ++i)
    y[i] = y.sum(0) + w;
  return y;
}

// Ranks that broadcast otherwise as a batch.
at::Tensor ranks(const at::Tensor &x, const at::Tensor &b) {
  std::vector<at::Tensor> c;
  TORCH_CHECK(x.dim() == 2 && b.dim() == 2, "");
  for (int64_t i = 0; i < x.size(0); ++i)
    c.push_back(x[i] + b);
  return torch::stack(c);
}

// Some rows, rows of other lengths, in another order.
at::Tensor some(const at::Tensor &x, const at::Tensor &w, const std::vector<int64_t> &order) {
  TORCH_CHECK(x.dim() == 3 && w.dim() == 2, "");
  std::vector<at::Tensor> a, b, c, d;
  for (int64_t i = 0; i < x.size(0); ++i) {
    if (order[i] > 3)
      a.push_back(x[i].matmul(w));
    b.push_back(x[i].narrow(0, 0, order[i]).matmul(w));
    c.push_back(x[order[i]].matmul(w));
  }
  for (int64_t i = 0; i < x.size(0); i += 2)
    d.push_back(x[i].matmul(w));
  return torch::cat(a) + torch::cat(b) + torch::stack(c) + torch::stack(d);
}

// It may stop early; an unknown call sees each row; the list itself is wanted.
std::vector<at::Tensor> others(const at::Tensor &x, const at::Tensor &w, at::Tensor &out) {
  TORCH_CHECK(x.dim() == 3 && w.dim() == 2, "");
  std::vector<at::Tensor> a, b, c;
  for (int64_t i = 0; i < x.size(0); ++i) {
    auto y = x[i].matmul(w);
    if (y.sum().item<float>() < 0)
      break;
    a.push_back(y);
  }
  for (int64_t i = 0; i < x.size(0); ++i) {
    b.push_back(x[i].matmul(w));
    look(b.back());
  }
  for (int64_t i = 0; i < x.size(0); ++i)
    c.push_back(x[i].matmul(w));
  out = torch::stack(a) + torch::stack(b) + torch::stack(c);
  return c;
}

// Nothing is computed; three rows; a module.
at::Tensor little(const at::Tensor &x, const at::Tensor &w) {
  TORCH_CHECK(x.dim() == 3 && w.dim() == 2, "");
  std::vector<at::Tensor> a, b, c;
  for (int64_t i = 0; i < x.size(0); ++i)
    a.push_back(x[i]);
  for (int64_t i = 0; i < 3; ++i)
    b.push_back(x[i].matmul(w));
  for (int64_t i = 0; i < x.size(0); ++i)
    c.push_back(next(x[i]));
  return torch::stack(a) + torch::stack(b) + torch::stack(c);
}

// Of unknown rank: broadcasting may align other dimensions, and a product of
// two batches pair them otherwise.
at::Tensor unchecked(const at::Tensor &x, const at::Tensor &y, const at::Tensor &b, int64_t n) {
  std::vector<at::Tensor> us, vs, ws;
  for (int64_t i = 0; i < n; ++i)
    us.push_back(x[i] + b);
  for (int64_t i = 0; i < n; ++i)
    vs.push_back(torch::matmul(x[i], y[i]));
  for (int64_t i = 0; i < n; ++i)
    ws.push_back(x[i].softmax(0));
  return torch::stack(us) + torch::stack(vs) + torch::stack(ws);
}

// Of the iteration before; into rows of another tensor of unknown rank.
at::Tensor carried(const at::Tensor &x, const at::Tensor &w) {
  std::vector<at::Tensor> ys;
  at::Tensor h = x[0];
  for (int64_t i = 0; i < x.size(0); ++i) {
    ys.push_back(torch::relu(h));
    h = x[i].mm(w);
  }
  return torch::stack(ys);
}

at::Tensor unlike(const at::Tensor &x, const at::Tensor &z) {
  auto y = torch::empty_like(z);
  for (int64_t i = 0; i < x.size(0); ++i)
    y[i] = torch::sigmoid(x[i]) * 2;
  return y;
}

// A row that is copied in a loop that has to run for its products.
at::Tensor scanned(const at::Tensor &x, const at::Tensor &w, at::Tensor &out) {
  TORCH_CHECK(x.dim() == 2 && w.dim() == 2 && out.dim() == 2, "");
  auto state = torch::zeros({1, 8});
  for (int64_t i = 0; i < x.size(0); ++i) {
    out[i].copy_(torch::relu(x[i]));
    state = torch::tanh(torch::mm(state, w));
  }
  return state;
}
