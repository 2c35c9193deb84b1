// REQUIRES: libtorch
// RUN: %check %s --checks=-*,tensor-shape-mismatch,tensor-view-after-permute,tensor-redundant-contiguous -- %torch
// Modules whose construction can be seen compute what they were made for.

#include <torch/nn.h>

namespace nn = torch::nn;

struct Digits : nn::Module {
  nn::Linear fc1{nullptr}, fc2{nullptr};
  nn::Conv2d conv1, conv2;
  nn::BatchNorm1d norm{128};
  nn::Sequential head;
  Digits()
      : conv1(nn::Conv2dOptions(1, 10, 5)), conv2(register_module("conv2", nn::Conv2d(10, 20, 5))),
        head(nn::Linear(320, 50), nn::ReLU(), nn::Dropout(0.5), nn::Linear(60, 10)) {
    fc1 = register_module("fc1", nn::Linear(784, 128));
    fc2 = register_module("fc2", nn::Linear(64, 10));
  }
  at::Tensor forward(at::Tensor x) {
    x = torch::relu(norm(fc1(x.view({-1, 784}))));
    return fc2->forward(x);
    // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: fc2(x): shapes [x.view(...).size(0), 128] and 64x10 cannot be multiplied; throws [tensor-shape-mismatch]
    // CHECK-MESSAGES: note: 'x' is [x.view(...).size(0), 128] here
    // CHECK-MESSAGES: :[[#@LINE-7]]:34: note: 'weight' is [10, 64] here: Linear(64, 10)
  }
  at::Tensor image(at::Tensor x) {
    x = torch::relu(torch::max_pool2d(conv1->forward(x), 2));
    x = torch::relu(torch::max_pool2d(conv2(x), 2));
    return head->forward(x.view({-1, 320}));
    // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: Linear(...): shapes [x.view(...).size(0), 50] and 60x10 cannot be multiplied; throws [tensor-shape-mismatch]
    // CHECK-MESSAGES: note: 'weight' is [10, 60] here: Linear(60, 10)
  }
};

void windows() {
  nn::Conv2d half(nn::Conv2dOptions(3, 16, 3).stride(2).padding(1).bias(false));
  auto x = half(torch::zeros({4, 3, 32, 32}));
  x.view({4, 16, 15, 16});
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: view({4, 16, 15, 16}): shape [4, 16, 15, 16] does not fit the 16384 elements of 'x'; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: 'x' is [4, 16, 16, 16] here
  half(torch::zeros({4, 4, 32, 32}));
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: half(...): the weight wants 3 channels in 1 group, the input has 4; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: the tensor is [4, 4, 32, 32] here
  // CHECK-MESSAGES: note: 'weight' is [16, 3, 3, 3] here: Conv2d(3, 16, 3)
  nn::ConvTranspose2d twice(nn::ConvTranspose2dOptions(16, 8, 4).stride(2).padding(1));
  twice(x).view({4, 8, 32, 33});
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: view({4, 8, 32, 33}): shape [4, 8, 32, 33] does not fit the 32768 elements; throws [tensor-shape-mismatch]
  nn::MaxPool2d pool(nn::MaxPool2dOptions({2, 4}).stride({2, 2}));
  pool(torch::zeros({1, 1, 8, 8})).view({4, 4});
  // CHECK-MESSAGES: :[[#@LINE-1]]:36: warning: view({4, 4}): shape [4, 4] does not fit the 12 elements; throws [tensor-shape-mismatch]
}

void rest(int64_t n) {
  nn::Embedding words(100, 8);
  words(torch::zeros({5}, torch::kLong)).view({5, 9});
  // CHECK-MESSAGES: :[[#@LINE-1]]:42: warning: view({5, 9}): shape [5, 9] does not fit the 40 elements; throws [tensor-shape-mismatch]
  nn::Linear wide(5, n);
  wide(torch::zeros({2, 5})).view({2, n});
  wide(torch::zeros({2, 4}));
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: wide(...): shapes 2x4 and [5, n] cannot be multiplied; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: the tensor is [2, 4] here
  // CHECK-MESSAGES: note: 'weight' is [n, 5] here
  nn::Sequential flat(nn::Flatten(), nn::Linear(12, 3));
  flat->forward(torch::zeros({2, 3, 5}));
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: Linear(...): shapes 2x15 and 12x3 cannot be multiplied; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: 'weight' is [3, 12] here
}

// Settings nobody can tell.
struct Grown : nn::Module {
  nn::Sequential seq{nn::Linear(4, 5)};
  Grown() { seq->push_back(nn::Linear(5, 6)); }
  at::Tensor forward(at::Tensor x) { return seq->forward(x.view({-1, 4})).view({-1, 6}).matmul(torch::zeros({6, 2})); }
};

struct Either : nn::Module {
  nn::Linear fc{nullptr};
  explicit Either(bool wide) {
    if (wide)
      fc = nn::Linear(8, 4);
    else
      fc = nn::Linear(4, 4);
  }
  at::Tensor forward(at::Tensor x) { return fc(x.view({-1, 4})); }
};

struct Two : nn::Module {
  nn::Linear fc{8, 4};
  Two() {}
  explicit Two(int n) : fc(4, n) {}
  at::Tensor forward(at::Tensor x) { return fc(x.view({-1, 4})); }
};

struct Changed : nn::Module {
  nn::Linear fc{8, 4};
  void narrow() { fc = nn::Linear(4, 4); }
  at::Tensor forward(at::Tensor x) { return fc(x.view({-1, 4})); }
};

struct Transferred : nn::Module {
  nn::Linear fc{8, 1000};
  at::Tensor forward(at::Tensor x) { return fc(x); }
};

at::Tensor transfer(at::Tensor x) {
  Transferred net;
  net.fc = nn::Linear(8, 2);
  return net.forward(x.view({4, 8})).view({4, 2});
}

at::Tensor replaced(at::Tensor x) {
  nn::Linear fc(8, 4);
  fc = nn::Linear(4, 4);
  return fc(x.view({-1, 4}));
}

// A last dimension that may be one of those counted from the front.
struct Attention : nn::Module {
  nn::Linear qkv;
  explicit Attention(int64_t width) : qkv(width, 3 * width) {}
  at::Tensor query(const at::Tensor &x, int64_t heads) {
    auto B = x.size(0), T = x.size(1), C = x.size(2);
    auto q = qkv(x).narrow(2, 0, C).view({B, T, heads, C / heads}).transpose(1, 2);
    return q.transpose(1, 2).contiguous().view({B, T, C});
  }
};
