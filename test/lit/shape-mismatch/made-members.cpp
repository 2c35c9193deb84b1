// REQUIRES: libtorch
// RUN: %check %s --checks=-*,tensor-shape-mismatch,tensor-view-after-permute -- %torch
// Members made of locals that the constructor assigns several times, tensors of records that are members, and lists of tensors.

#include <torch/torch.h>

#include <string>
#include <vector>

using torch::Tensor;

// The angles of a rotary table are made in steps.
struct RotaryImpl : torch::nn::Module {
  RotaryImpl(int64_t width, int64_t heads, int64_t positions) : heads_(heads), head_dim_(width / heads) {
    auto freq = torch::arange(0, head_dim_, 2, torch::kFloat) / double(head_dim_);
    freq = torch::pow(10000.0, -freq);
    auto angles = torch::outer(torch::arange(positions, torch::kFloat), freq);
    angles = torch::cat({angles, angles}, -1);
    cos_ = register_buffer("cos", angles.cos());
    auto scaled = torch::zeros({positions, head_dim_});
    if (positions > 4096)
      scaled = angles / 2;
    sin_ = register_buffer("sin", scaled.sin());
  }
  Tensor before(const Tensor &x) {
    auto keys = x.view({x.size(0), x.size(1), heads_, head_dim_});
    return keys * cos_.narrow(0, 0, x.size(1));
    // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: keys * ...: sizes heads and x.size(1) do not match at dimension 2;
  }
  Tensor after(const Tensor &x) {
    auto keys = x.view({x.size(0), x.size(1), heads_, head_dim_}).transpose(1, 2);
    return keys * cos_.narrow(0, 0, x.size(1));
  }
  // Which of two the local held is not known.
  Tensor scaled(const Tensor &x) {
    auto keys = x.view({x.size(0), x.size(1), heads_, head_dim_});
    return keys * sin_.narrow(0, 0, x.size(1));
  }
  int64_t heads_, head_dim_;
  Tensor cos_, sin_;
};

struct Tables {
  Tensor physical; // [experts, copies]
  Tensor valid;    // [experts]
};

// A record of tensors, all of which the constructor makes.
class Dispatch {
public:
  Dispatch(int64_t experts, int64_t copies) : experts_(experts), copies_(copies) {
    tables_.physical = torch::arange(experts * copies, torch::kLong).view({experts, copies});
    tables_.valid = torch::full({experts}, copies, torch::kLong);
  }
  const int32_t *narrow() const { return tables_.physical.data_ptr<int32_t>(); }
  // CHECK-MESSAGES: :[[#@LINE-1]]:59: warning: data_ptr() asks for int32, 'tables_.physical' has int64; throws
  const int64_t *all() const { return tables_.physical.data_ptr<int64_t>(); }
  Tensor rows(const Tensor &chosen) const {
    TORCH_CHECK(chosen.dim() == 2 && chosen.size(0) == copies_);
    return tables_.physical + chosen.sum(1, true).expand({copies_, copies_});
    // CHECK-MESSAGES: :[[#@LINE-1]]:29: warning: tables_.physical + ...: sizes experts_ and copies_ do not match at dimension 0;
  }

private:
  int64_t experts_, copies_;
  Tables tables_;
};

struct Written {
  Tensor values;
};

// Another one writes it in another way.
class Filled {
public:
  explicit Filled(int64_t n) { written_.values = torch::zeros({n}, torch::kLong); }
  void fill(const Tensor &by) { written_.values = by; }
  const int32_t *narrow() const { return written_.values.data_ptr<int32_t>(); }

private:
  Written written_;
};

// Keys and values of all layers; values are kept transposed.
class Cache {
public:
  Cache(int64_t tokens, int64_t width, int64_t layers) : tokens_(tokens), width_(width) {
    keys_.reserve(layers);
    for (int64_t i = 0; i < layers; ++i) {
      keys_.push_back(torch::zeros({tokens, width}, torch::kHalf));
      values_.push_back(torch::zeros({width, tokens}).t());
      given_.push_back(torch::zeros({tokens, width}, torch::kHalf));
    }
  }
  void put(int64_t layer, int64_t at, const Tensor &k, const Tensor &v) {
    keys_[layer].select(0, at).copy_(k);
    values_[layer].select(0, at).copy_(v);
  }
  void replace(int64_t layer, const Tensor &by) { given_[layer] = by; }
  float *keys(int64_t layer) { return keys_[layer].data_ptr<float>(); }
  // CHECK-MESSAGES: :[[#@LINE-1]]:52: warning: data_ptr() asks for float32, the tensor has float16; throws
  at::Half *halves(int64_t layer) { return keys_[layer].data_ptr<at::Half>(); }
  float *given(int64_t layer) { return given_[layer].data_ptr<float>(); }
  Tensor row(int64_t layer) { return values_.at(layer).view({-1}); }
  // CHECK-MESSAGES: :[[#@LINE-1]]:56: warning: view({-1}) cannot merge dimensions 0 and 1: {{.*}}; throws unless {{.*}} is 1
  Tensor scores(int64_t layer, const Tensor &q) {
    TORCH_CHECK(q.dim() == 2 && q.size(1) == tokens_);
    return torch::mm(q, keys_[layer].t());
    // CHECK-MESSAGES: :[[#@LINE-1]]:19: warning: mm(q, ...): shapes [q.size(0), tokens_] and [width_, tokens_] cannot be multiplied;
  }
  Tensor all(const Tensor &q) {
    Tensor sum = torch::zeros({1});
    for (const Tensor &v : values_)
      sum = sum + v.view({-1}).sum();
    // CHECK-MESSAGES: :[[#@LINE-1]]:21: warning: view({-1}) cannot merge dimensions 0 and 1 of 'v'
    for (const Tensor &k : keys_)
      sum = sum + k.view({-1}).sum();
    return sum + q;
  }
  Tensor mixed(int64_t layer, const Tensor &q) {
    TORCH_CHECK(q.dim() == 2 && q.size(1) == tokens_);
    return torch::mm(q, keys_[layer]);
  }

private:
  int64_t tokens_, width_;
  std::vector<Tensor> keys_, values_, given_;
};

// What a module has registered moves with it, and is converted with it.
class WeightsImpl : public torch::nn::Module {
public:
  WeightsImpl(int64_t in, int64_t out, int64_t layers) : in_(in), out_(out) {
    for (int64_t i = 0; i < layers; ++i)
      weights_.push_back(register_parameter("w" + std::to_string(i), torch::randn({out, in})));
  }
  at::Half *halves(int64_t layer) { return weights_[layer].data_ptr<at::Half>(); }
  Tensor forward(const Tensor &x) {
    TORCH_CHECK(x.dim() == 2 && x.size(1) == in_);
    return torch::mm(x, weights_[0]);
    // CHECK-MESSAGES: :[[#@LINE-1]]:19: warning: mm(x, ...): shapes [x.size(0), in{{_?}}] and [out{{_?}}, in{{_?}}] cannot be multiplied;
  }

private:
  int64_t in_, out_;
  std::vector<Tensor> weights_;
};
