// REQUIRES: libtorch
// RUN: %exits 1 %tensortidy %s --checks=-*,tensor-discarded-result -- %torch | FileCheck %s --implicit-check-not=warning:
// What autograd::Function::apply() gives is where gradients come in.

#include <torch/torch.h>

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct Attach : torch::autograd::Function<Attach> {
  static torch::Tensor forward(AutogradContext *ctx, const torch::Tensor &carrier, const torch::Tensor &loss) {
    ctx->save_for_backward({loss});
    return carrier.view_as(carrier);
  }
  static variable_list backward(AutogradContext *ctx, variable_list grads) { return {grads[0], torch::ones_like(ctx->get_saved_variables()[0])}; }
};

// It writes its operand.
struct Scale : torch::autograd::Function<Scale> {
  static torch::Tensor forward(AutogradContext *ctx, torch::Tensor x, double by) {
    x.mul_(by);
    ctx->mark_dirty({x});
    return x;
  }
  static variable_list backward(AutogradContext *, variable_list grads) { return {grads[0], torch::Tensor()}; }
};

void fill(float *out, int64_t n);

// It writes a result that is somebody else's.
struct Launch : torch::autograd::Function<Launch> {
  static torch::Tensor forward(AutogradContext *, const torch::Tensor &x, torch::Tensor out) {
    fill(out.data_ptr<float>(), x.numel());
    return out;
  }
  static variable_list backward(AutogradContext *, variable_list grads) { return {grads[0], torch::Tensor()}; }
};

struct Unseen : torch::autograd::Function<Unseen> {
  static torch::Tensor forward(AutogradContext *, const torch::Tensor &x);
  static variable_list backward(AutogradContext *, variable_list grads);
};

torch::Tensor route(torch::Tensor weights, const torch::Tensor &aux, torch::Tensor buffer) {
  // CHECK: :[[#@LINE+1]]:3: warning: apply() only gives what passes the gradients on, and it is thrown away: none come to its operands by it [tensor-discarded-result]
  Attach::apply(weights, aux);
  Scale::apply(buffer, 2.0);
  Launch::apply(aux, buffer);
  Unseen::apply(aux);
  weights = Attach::apply(weights, aux);
  (void)Attach::apply(weights, aux);
  return weights + buffer;
}
