// REQUIRES: libtorch
// RUN: %check %s --checks=-*,tensor-missing-gradient -- %torch
// RUN: %check %s --checks=-*,tensor-missing-gradient --config='{CheckOptions: {tensor-missing-gradient.Level: 0}}' -- %torch
// backward() of a function of one's own: one gradient for each input of forward().

#include <torch/torch.h>

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;
using torch::autograd::variable_list;

// Numbers, strings and options are inputs as well.
struct Shard : torch::autograd::Function<Shard> {
  static at::Tensor forward(AutogradContext *ctx, const at::Tensor &x, int64_t world, int64_t rank, std::string group,
                            bool average) {
    ctx->saved_data["world"] = world;
    return x.narrow(0, rank * (x.size(0) / world), x.size(0) / world).clone();
  }
  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto all = std::vector<at::Tensor>(ctx->saved_data["world"].toInt(), grads[0]);
    auto dx = torch::cat(all, 0);
    return {dx, at::Tensor(), at::Tensor(), at::Tensor()};
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: backward() returns 4 gradients, forward() has 5 inputs; throws when its graph runs backward [tensor-missing-gradient]
  }
};

// The bias may be missing, its gradient not; nor that of a list of numbers.
class Convolve : public torch::autograd::Function<Convolve> {
public:
  static at::Tensor forward(AutogradContext *ctx, at::Tensor x, at::Tensor weight, const c10::optional<at::Tensor> &bias,
                            at::IntArrayRef stride, c10::ScalarType type) {
    ctx->save_for_backward({x, weight});
    return torch::conv2d(x, weight, bias.value_or(at::Tensor()), stride);
  }
  static tensor_list backward(AutogradContext *ctx, tensor_list grads) {
    auto saved = ctx->get_saved_variables();
    auto dx = grads[0] * saved[0], dw = grads[0] * saved[1];
    if (ctx->saved_data["bias"].toBool())
      return tensor_list{dx, dw, grads[0].sum({0, 2, 3}), at::Tensor(), at::Tensor()};
    return tensor_list{dx, dw, at::Tensor(), at::Tensor()};
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: backward() returns 4 gradients, forward() has 5 inputs
  }
};

// A list that is made first.
struct Square : torch::autograd::Function<Square> {
  static at::Tensor forward(AutogradContext *ctx, const at::Tensor &x, double by) {
    ctx->save_for_backward({x});
    return x * x * by;
  }
  static tensor_list backward(AutogradContext *ctx, tensor_list grads) {
    tensor_list out;
    out.push_back(grads[0] * 2 * ctx->get_saved_variables()[0]);
    return out;
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: backward() returns 1 gradient, forward() has 2 inputs
  }
};
struct Cube : torch::autograd::Function<Cube> {
  static at::Tensor forward(AutogradContext *ctx, const at::Tensor &x, double by, at::TensorOptions options) { return x * x * x * by; }
  static tensor_list backward(AutogradContext *ctx, tensor_list grads) {
    tensor_list out(2);
    out[0] = grads[0] * 3;
    return out;
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: backward() returns 2 gradients, forward() has 3 inputs
  }
};
static tensor_list zeros(const at::Tensor &grad) { return {grad, torch::zeros_like(grad)}; }
struct Three : torch::autograd::Function<Three> {
  static at::Tensor forward(AutogradContext *ctx, const at::Tensor &x, const at::Tensor &y, const at::Tensor &z) { return x + y + z; }
  static tensor_list backward(AutogradContext *ctx, tensor_list grads) {
    return zeros(grads[0]);
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: backward() returns 2 gradients, forward() has 3 inputs
  }
};

// One too many, which is defined.
struct Scale : torch::autograd::Function<Scale> {
  static at::Tensor forward(AutogradContext *ctx, const at::Tensor &x) { return x * 2; }
  static tensor_list backward(AutogradContext *ctx, tensor_list grads) {
    auto dx = grads[0] * 2;
    return {dx, torch::zeros_like(dx)};
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: backward() returns 2 gradients, forward() has 1 input;
  }
};

// A template, which every use makes anew.
template <int N> struct Times : torch::autograd::Function<Times<N>> {
  static at::Tensor forward(AutogradContext *ctx, const at::Tensor &x, bool keep) { return x * N; }
  static tensor_list backward(AutogradContext *ctx, tensor_list grads) {
    return {grads[0] * N};
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: backward() returns 1 gradient, forward() has 2 inputs
  }
};
at::Tensor times(const at::Tensor &x) { return Times<2>::apply(x, true) + Times<3>::apply(x, false); }

// Arguments that may be left out are not always inputs.
struct Optional : torch::autograd::Function<Optional> {
  static at::Tensor forward(AutogradContext *ctx, const at::Tensor &x, const at::Tensor &y, bool keep = false) { return x * y; }
  static tensor_list backward(AutogradContext *ctx, tensor_list grads) {
    if (grads.size() > 1)
      return {grads[0], grads[0]};
    return {grads[0]};
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: backward() returns 1 gradient, forward() has at least 2 inputs
  }
};

// Right: one for each, and undefined ones behind them are dropped.
struct Right : torch::autograd::Function<Right> {
  static at::Tensor forward(AutogradContext *ctx, const at::Tensor &x, c10::optional<at::Tensor> bias, int64_t n, const std::vector<int64_t> &sizes) {
    return x * n;
  }
  static tensor_list backward(AutogradContext *ctx, tensor_list grads) {
    if (!grads[0].defined())
      return {{}, {}, {}, {}};
    tensor_list out{grads[0], at::Tensor(), at::Tensor(), at::Tensor(), at::Tensor()};
    if (grads.size() > 1)
      return out;
    return {grads[0], grads[0].sum(), at::Tensor(), at::Tensor(), {}};
  }
};
struct Lengths : torch::autograd::Function<Lengths> {
  static at::Tensor forward(AutogradContext *ctx, const at::Tensor &x, int64_t a, int64_t b) { return x * a; }
  static tensor_list backward(AutogradContext *ctx, tensor_list grads) {
    tensor_list out(3);
    out[0] = grads[0];
    return out;
  }
};
struct Loop : torch::autograd::Function<Loop> {
  static at::Tensor forward(AutogradContext *ctx, const at::Tensor &x, int64_t a, int64_t b) { return x * a; }
  static tensor_list backward(AutogradContext *ctx, tensor_list grads) {
    tensor_list out{grads[0]};
    for (int64_t i = 0; i < ctx->saved_data["more"].toInt(); ++i)
      out.emplace_back();
    return out;
  }
};
struct Resized : torch::autograd::Function<Resized> {
  static at::Tensor forward(AutogradContext *ctx, const at::Tensor &x, int64_t a, int64_t b) { return x * a; }
  static tensor_list backward(AutogradContext *ctx, tensor_list grads) {
    tensor_list out{grads[0]};
    out.resize(3);
    return out;
  }
};
struct Inserted : torch::autograd::Function<Inserted> {
  static at::Tensor forward(AutogradContext *ctx, const at::Tensor &x, int64_t a, int64_t b) { return x * a; }
  static tensor_list backward(AutogradContext *ctx, tensor_list grads) {
    tensor_list out{grads[0]};
    out.insert(out.end(), 2, at::Tensor());
    return out;
  }
};
void addNone(tensor_list &to);
struct Filled : torch::autograd::Function<Filled> {
  static at::Tensor forward(AutogradContext *ctx, const at::Tensor &x, int64_t a, int64_t b) { return x * a; }
  static tensor_list backward(AutogradContext *ctx, tensor_list grads) {
    tensor_list out{grads[0]};
    addNone(out);
    return out;
  }
};
struct Given : torch::autograd::Function<Given> {
  static at::Tensor forward(AutogradContext *ctx, const at::Tensor &x, int64_t a, int64_t b) { return x * a; }
  static tensor_list backward(AutogradContext *ctx, tensor_list grads) {
    grads.push_back(at::Tensor());
    return grads;
  }
};

// An array of tensors is as many inputs as it has, and a pack any number.
struct Joined : torch::autograd::Function<Joined> {
  static at::Tensor forward(AutogradContext *ctx, at::TensorList xs, int64_t dim) { return torch::cat(xs, dim); }
  static tensor_list backward(AutogradContext *ctx, tensor_list grads) {
    return {grads[0], grads[0] * 2, at::Tensor(), at::Tensor()};
  }
};
struct Stacked : torch::autograd::Function<Stacked> {
  static at::Tensor forward(AutogradContext *ctx, c10::optional<std::vector<at::Tensor>> xs, const at::Tensor &x) { return x; }
  static tensor_list backward(AutogradContext *ctx, tensor_list grads) { return {grads[0]}; }
};
struct Pack : torch::autograd::Function<Pack> {
  template <class... T> static at::Tensor forward(AutogradContext *ctx, const T &...xs) { return (xs + ...); }
  static tensor_list backward(AutogradContext *ctx, tensor_list grads) { return {grads[0]}; }
};
// backward() of what is no function of autograd's; another method.
struct Layer {
  static at::Tensor forward(AutogradContext *ctx, const at::Tensor &x, int64_t n) { return x; }
  static tensor_list backward(AutogradContext *ctx, tensor_list grads) { return {grads[0]}; }
};
struct Helper : torch::autograd::Function<Helper> {
  static at::Tensor forward(AutogradContext *ctx, const at::Tensor &x, int64_t n) { return x * n; }
  static tensor_list halves(const at::Tensor &x) { return {x * 0.5}; }
  static tensor_list backward(AutogradContext *ctx, tensor_list grads) {
    auto half = halves(grads[0]);
    return {half[0], at::Tensor()};
  }
};
// Who derives from it says what forward() takes.
template <class Of> struct Base : torch::autograd::Function<Of> {
  static tensor_list backward(AutogradContext *ctx, tensor_list grads) { return {grads[0] * 2}; }
};
struct Derived : Base<Derived> {
  static at::Tensor forward(AutogradContext *ctx, const at::Tensor &x) { return x * 2; }
};
at::Tensor derived(const at::Tensor &x) { return Derived::apply(x) + Pack::apply(x, x); }
