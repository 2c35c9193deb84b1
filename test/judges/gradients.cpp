//===- gradients.cpp - in-place changes of what backward() needs ----------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For libtorch alone: the runtime has no gradients.
//
//===----------------------------------------------------------------------===//

#include "judge.h"

using torch::Tensor;

CASE(leafByOptions) {
  auto w = torch::randn({3, 3}, torch::requires_grad());
  w.add_(1); // saved: add_
}

CASE(leafByTensorOptions) {
  auto options =
      torch::TensorOptions().dtype(torch::kFloat).requires_grad(true);
  auto w = torch::zeros({3}, options);
  w.zero_(); // saved: zero_
}

CASE(leafByCall) {
  auto w = torch::zeros({3}).requires_grad_();
  w += 1; // saved: +=
}

CASE(leafByStatement) {
  auto w = torch::zeros({3});
  w.set_requires_grad(true);
  w[0] = 1; // saved: =
}

CASE(viewOfLeaf) {
  auto w = torch::ones({3}, torch::requires_grad());
  w.slice(0, 0, 2).fill_(1); // saved: fill_
}

CASE(leafOfFresh) {
  auto w = torch::ones({3}).mul(2).detach().requires_grad_();
  w.mul_(2); // saved: mul_
}

CASE(parameterOfModule) {
  struct Layer : torch::nn::Module {
    Layer() {
      weight = register_parameter("weight", torch::empty({3, 4}));
      weight.uniform_(-1, 1); // saved: uniform_
    }
    Tensor weight;
  };
  Layer layer;
}

CASE(parameterUnderGuard) {
  struct Layer : torch::nn::Module {
    Layer() {
      weight = register_parameter("weight", torch::empty({3, 4}));
      torch::NoGradGuard guard;
      weight.uniform_(-1, 1);
      torch::nn::init::zeros_(weight);
    }
    Tensor weight;
  };
  Layer layer;
}

CASE(residualInPlace) {
  auto w = torch::ones({3}, torch::requires_grad());
  auto v = w * 2;
  v += v.sin(); // saved: +=
  v.sum().backward();
}

CASE(residualOfResult) {
  auto w = torch::ones({3}, torch::requires_grad());
  auto v = w * 2;
  v += v.exp();
  v.sum().backward();
}

CASE(learningRate) {
  auto w = torch::ones({3, 3}, torch::requires_grad());
  auto x = torch::rand({2, 3});
  for (int i = 0; i < 3; ++i) {
    x.matmul(w).sum().backward();
    w -= 0.1 * w.grad(); // saved: -=
  }
}

CASE(learningRateUnderGuard) {
  auto w = torch::ones({3, 3}, torch::requires_grad());
  auto x = torch::rand({2, 3});
  for (int i = 0; i < 3; ++i) {
    x.matmul(w).sum().backward();
    torch::NoGradGuard guard;
    w -= 0.1 * w.grad();
    w.grad().zero_();
  }
}

CASE(guardInABlock) {
  auto w = torch::ones({3}, torch::requires_grad());
  {
    torch::NoGradGuard guard;
    w.add_(1);
  }
  w.data().add_(1);
  w.detach().mul_(2);
  w.sum().backward();
  w.add_(1); // saved: add_
}

CASE(frozen) {
  auto w = torch::ones({3}, torch::requires_grad());
  w.set_requires_grad(false);
  w.add_(1);
}

CASE(initOfTheLibrary) {
  auto w = torch::ones({3, 3}, torch::requires_grad());
  torch::nn::init::kaiming_uniform_(w);
  torch::nn::init::zeros_(w);
}

CASE(resultOfSigmoid) {
  auto w = torch::ones({3}, torch::requires_grad());
  auto y = torch::sigmoid(w);
  y.mul_(2); // saved: mul_
  y.sum().backward();
}

CASE(copyOfResult) {
  auto w = torch::ones({3}, torch::requires_grad());
  auto y = torch::sigmoid(w).clone();
  y.mul_(2);
  y.sum().backward();
}

CASE(resultAssignedAnew) {
  auto w = torch::ones({3}, torch::requires_grad());
  auto y = (w * 2).exp();
  y = y + 1;
  y += 1;
  auto loss = y.sum();
  loss.backward();
}

CASE(rowOfResult) {
  auto w = torch::ones({3}, torch::requires_grad());
  auto h = torch::tanh(w * torch::rand({3}));
  h[0] = 0; // saved: =
  h = h * 2;
  h.sum().backward();
}

CASE(operandOfLog) {
  auto w = torch::ones({3}, torch::requires_grad());
  auto y = w * 2;
  auto z = y.log();
  y.clamp_(0.1); // saved: clamp_
  z.sum().backward();
}

CASE(factor) {
  auto a = torch::ones({3}, torch::requires_grad());
  auto b = torch::ones({3});
  auto y = a * b;
  b.add_(1); // saved: add_
  y.sum().backward();
}

CASE(summand) {
  auto a = torch::ones({3}, torch::requires_grad());
  auto b = torch::ones({3});
  auto y = a + b;
  b.add_(1);
  y.add_(1);
  y.mul_(3);
  y.sum().backward();
}

CASE(factorOfNumber) {
  auto w = torch::ones({3}, torch::requires_grad());
  auto y = w * 3;
  y.mul_(2);
  y.sum().backward();
}

CASE(changedAfterBackward) {
  auto a = torch::ones({3}, torch::requires_grad());
  auto b = torch::ones({3});
  auto y = a * b;
  y.sum().backward();
  b.add_(1);
}

CASE(detachedSharesTheVersion) {
  auto w = torch::ones({3}, torch::requires_grad());
  auto y = torch::sigmoid(w);
  y.detach().mul_(2); // saved: mul_
  y.sum().backward();
}

CASE(dataHasItsOwn) {
  auto w = torch::ones({3}, torch::requires_grad());
  auto y = torch::sigmoid(w);
  y.data().mul_(2);
  y.sum().backward();
}

CASE(resultOfLayer) {
  torch::nn::Linear layer(3, 4);
  auto y = torch::relu(layer(torch::rand({2, 3})));
  y.add_(1); // saved: add_
  y.sum().backward();
}

CASE(outputOfLayer) {
  torch::nn::Linear layer(3, 4);
  auto y = layer(torch::rand({2, 3}));
  y.relu_();
  y.sum().backward();
}

CASE(inputOfLayer) {
  torch::nn::Linear layer(3, 4);
  auto x = torch::rand({2, 3});
  auto y = layer(x);
  x.zero_(); // saved: zero_
  y.sum().backward();
}

CASE(forwardOfModule) {
  struct Net : torch::nn::Module {
    Net() { layer = register_module("layer", torch::nn::Linear(3, 3)); }
    Tensor forward(const Tensor &x) {
      auto y = torch::softmax(layer->forward(x), 1);
      y.masked_fill_(x > 0.5, 0); // saved: masked_fill_
      return y.matmul(x);
    }
    torch::nn::Linear layer{nullptr};
  };
  Net net;
  net.forward(torch::rand({3, 3})).sum().backward();
}

CASE(forwardThatMayWrite) {
  struct Net : torch::nn::Module {
    Net() { layer = register_module("layer", torch::nn::Linear(3, 3)); }
    Tensor forward(const Tensor &x) {
      auto y = layer->forward(x).relu_();
      y = y + x;
      y.add_(1);
      return torch::log_softmax(y, 1);
    }
    torch::nn::Linear layer{nullptr};
  };
  Net net;
  net.forward(torch::rand({3, 3})).sum().backward();
}

CASE(notRecorded) {
  auto w = torch::ones({3}, torch::requires_grad());
  Tensor y;
  {
    torch::NoGradGuard guard;
    y = torch::sigmoid(w);
  }
  y.mul_(2);
  (y * w).sum().backward();
}

CASE(mask) {
  auto w = torch::ones({3}, torch::requires_grad());
  auto m = (w * 2) > 1;
  m.logical_not_();
  w.masked_fill(m, 0).sum().backward();
}

CASE(onOnePath) {
  auto w = torch::ones({3}, torch::requires_grad());
  auto y = w.exp();
  if (judge::flag(true))
    y.add_(1); // saved: add_
  y.sum().backward();
}

CASE(recomputed) {
  auto w = torch::ones({3}, torch::requires_grad());
  auto y = w.exp();
  for (int i = 0; i < 2; ++i) {
    y.detach_().add_(1);
    y = w.exp();
    y.sum().backward();
  }
}

//===----------------------------------------------------------------------===//
// Steps of optimizers
//===----------------------------------------------------------------------===//

namespace {
torch::nn::Sequential twoLayers() {
  return torch::nn::Sequential(torch::nn::Linear(4, 8), torch::nn::ReLU(),
                               torch::nn::Linear(8, 2));
}
} // namespace

CASE(stepBetween) {
  auto net = twoLayers();
  torch::optim::Adam opt(net->parameters(), 0.1);
  auto y = net->forward(torch::rand({3, 4}));
  y.sum().backward({}, true);
  opt.step(); // saved: step
  y.pow(2).mean().backward();
}

CASE(stepBehindBoth) {
  auto net = twoLayers();
  torch::optim::Adam opt(net->parameters(), 0.1);
  auto y = net->forward(torch::rand({3, 4}));
  y.sum().backward({}, true);
  y.pow(2).mean().backward();
  opt.step();
}

CASE(stepAndRunAgain) {
  auto net = twoLayers();
  torch::optim::Adam opt(net->parameters(), 0.1);
  auto x = torch::rand({3, 4});
  auto y = net->forward(x);
  y.sum().backward();
  opt.step();
  y = net->forward(x);
  y.pow(2).mean().backward();
}

CASE(stepOfOneLayer) {
  torch::nn::Linear net(4, 2);
  torch::optim::Adam opt(net->parameters(), 0.1);
  auto y = net->forward(torch::rand({3, 4}));
  y.sum().backward({}, true);
  opt.step();
  y.pow(2).mean().backward();
}

CASE(stepOfOneBehindAnother) {
  torch::nn::Linear first(4, 4), net(4, 2);
  torch::optim::Adam opt(net->parameters(), 0.1);
  auto y = net->forward(first->forward(torch::rand({3, 4})));
  y.sum().backward({}, true);
  opt.step(); // saved: step
  y.pow(2).mean().backward();
}

CASE(stepOfRecurrent) {
  torch::nn::GRU net(4, 4);
  torch::optim::RMSprop opt(net->parameters(), 0.1);
  auto y = std::get<0>(net->forward(torch::rand({5, 3, 4})));
  y.sum().backward({}, true);
  opt.step(); // saved: step
  y.pow(2).mean().backward();
}
