// RUN: %silent %s --checks=-*,tensor-sync-in-loop -- %runtime
// No finding: ordinary loops.

#include <tensortidy/aten.h>

#include <iostream>
#include <string>
#include <vector>

at::Tensor forward(const at::Tensor &x);
void step(at::Tensor &w);
void unknown();

// A training loop reads its loss, moves each batch and counts what was right.
double train(const std::vector<at::Tensor> &batches, at::Tensor &w, c10::Device device) {
  double total = 0;
  int64_t right = 0;
  for (const auto &batch : batches) {
    auto data = batch.to(device);
    auto out = torch::relu(torch::matmul(data, w));
    auto loss = out.sum();
    step(w);
    total += loss.item<double>();
    right += out.argmax(1).eq(1).sum().item<int64_t>();
  }
  return total + right;
}

float converges(at::Tensor x) {
  while (x.abs().sum().item<float>() > 1)
    x = x * 0.5;
  return x[0].item<float>();
}

// A read for each row, beside work on the whole row.
float perRow(const at::Tensor &first, const at::Tensor &values) {
  float best = 0;
  for (int64_t n = 0; n < first.size(0); ++n) {
    const int64_t start = first[n].item<int64_t>();
    auto row = torch::relu(values.slice(0, start));
    best = std::max(best, row.max().item<float>());
  }
  return best;
}

void render(at::Tensor out, float focal);

void unseen(const at::Tensor &focal, const std::vector<at::Tensor> &out) {
  for (size_t i = 0; i < out.size(); ++i)
    render(out[i], focal[i].item<float>());
}

double outer(const at::Tensor &first, const std::vector<double> &data) {
  double sum = 0;
  for (int64_t n = 0; n < first.size(0); ++n) {
    const int64_t start = first[n].item<int64_t>();
    for (size_t i = start; i < data.size(); ++i)
      sum += data[i];
  }
  return sum;
}

void print(const at::Tensor &x) {
  for (int64_t i = 0; i < x.size(0); ++i)
    std::cout << x[i].item<float>() << "\n";
  std::string text;
  for (int64_t i = 0; i < x.size(0); ++i)
    text += std::to_string(x[i].item<float>());
}

float few(const at::Tensor &x) {
  float sum = 0;
  for (int i = 0; i < 3; ++i)
    sum += x[i].item<float>();
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j)
      sum += x[i][j].item<float>();
  return sum;
}

std::vector<int64_t> sizes(const at::Tensor &x, const at::Tensor &wanted) {
  std::vector<int64_t> out;
  for (int64_t d = 0; d < x.dim(); ++d)
    out.push_back(wanted[d].item<int64_t>());
  return out;
}

// One element, and what the loop replaces.
float same(at::Tensor x, int64_t n) {
  float sum = 0;
  for (int64_t i = 0; i < n; ++i) {
    x = x.narrow(0, 1, i);
    sum += x[0].item<float>();
  }
  return sum;
}

// An unknown call may change the number; so may the loop.
float changed(const at::Tensor &w, int64_t n) {
  float sum = 0;
  for (int64_t i = 0; i < n; ++i) {
    unknown();
    sum += w.item<float>();
  }
  auto own = torch::zeros({1});
  for (int64_t i = 0; i < n; ++i) {
    own.add_(1);
    sum += own.item<float>();
  }
  return sum;
}

// Rows, and tensors on the right.
void rows(at::Tensor &x, const at::Tensor &y, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    x[i] = y[i];
    x[i] = 1;
  }
}

// Each has its own copy; the accumulator starts anew.
std::vector<at::Tensor> copies(const at::Tensor &x, c10::Device device, int64_t n) {
  std::vector<at::Tensor> out;
  for (int64_t i = 0; i < n; ++i) {
    out.push_back(x.to(device));
    auto sum = x.to(device);
    sum.add_(1);
  }
  return out;
}

at::Tensor onCpu(at::Tensor x, int64_t n) {
  auto mask = torch::ones({8});
  for (int64_t i = 0; i < n; ++i)
    x = torch::relu(x + mask.cpu());
  return x;
}

// Once, on the way out of the loop.
int winner(const at::Tensor &board) {
  for (int64_t i = 0; i < board.size(0); ++i) {
    auto row = board[i];
    if (row[0].equal(row[1]))
      return row[0].item<int>();
  }
  return 0;
}

// The tensor of a number is used otherwise, or is a row.
at::Tensor wrapped(int64_t n, float step) {
  auto grid = torch::zeros({n, 2});
  for (int64_t i = 0; i < n; ++i) {
    auto one = torch::tensor(step * i);
    grid[i][0] = one;
    grid[i][1] = torch::sin(one);
  }
  for (int64_t i = 0; i < n; ++i)
    grid[i] = torch::tensor({step * i, step});
  return grid;
}

// Rows that are copied or added up cost more than the number beside them.
void gathered(at::Tensor &out, const at::Tensor &x, const at::Tensor &scale, std::vector<float> &kept) {
  TORCH_CHECK(x.dim() == 2 && scale.dim() == 1, "");
  for (int64_t i = 0; i < scale.size(0); ++i) {
    out[i].copy_(x[i]);
    kept.push_back(scale[i].item<float>());
  }
}
