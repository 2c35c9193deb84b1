//===- saves.cpp - what operations keep, as libtorch has it ---------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each name of which lib/Frontend/models/libtorch.yaml says what it saves: an
// operand or result is changed, and backward() must throw if and only if the
// attribute says that it was kept.
//
//===----------------------------------------------------------------------===//

#include "judge.h"
#include <functional>
#include <map>
#include <string>

using torch::Tensor;

enum class Saves { Self, Result, Factors, Quotient };

struct Line {
  const char *Name;
  Saves What;
};
static const Line Lines[] = {
#include "saves.inc" // made of the model by CMake
};

using Run = std::function<Tensor(const Tensor &, const Tensor &)>;

static const std::map<std::string, Run> Operations = {
#define UNARY(Name) {#Name, [](auto &A, auto &) { return A.Name(); }}
#define BINARY(Name) {#Name, [](auto &A, auto &B) { return A.Name(B); }}
    UNARY(exp),
    UNARY(expm1),
    UNARY(sigmoid),
    UNARY(tanh),
    UNARY(sqrt),
    UNARY(rsqrt),
    UNARY(reciprocal),
    UNARY(tan),
    UNARY(relu),
    UNARY(log),
    UNARY(log2),
    UNARY(log10),
    UNARY(log1p),
    UNARY(abs),
    UNARY(square),
    UNARY(sin),
    UNARY(cos),
    UNARY(asin),
    UNARY(acos),
    UNARY(atan),
    UNARY(sinh),
    UNARY(cosh),
    UNARY(erf),
    {"pow", [](auto &A, auto &) { return A.pow(3); }},
    {"softmax", [](auto &A, auto &) { return A.softmax(1); }},
    {"log_softmax", [](auto &A, auto &) { return A.log_softmax(1); }},
    {"gelu", [](auto &A, auto &) { return torch::gelu(A); }},
    {"silu", [](auto &A, auto &) { return torch::silu(A); }},
    {"mish", [](auto &A, auto &) { return torch::mish(A); }},
    {"softplus", [](auto &A, auto &) { return torch::softplus(A); }},
    {"hardswish", [](auto &A, auto &) { return torch::hardswish(A); }},
    {"hardsigmoid", [](auto &A, auto &) { return torch::hardsigmoid(A); }},
    {"leaky_relu", [](auto &A, auto &) { return torch::leaky_relu(A); }},
    {"layer_norm", [](auto &A, auto &) { return torch::layer_norm(A, {2}); }},
#define MODULE(Name, ...)                                                      \
  {"torch::nn::" #Name,                                                        \
   [](auto &A, auto &) { return torch::nn::Name(__VA_ARGS__)(A); }},           \
  {                                                                            \
    "torch::nn::" #Name "Impl::forward", [](auto &A, auto &) {                 \
      return torch::nn::Name(__VA_ARGS__)->forward(A);                         \
    }                                                                          \
  }
    MODULE(LayerNorm, torch::nn::LayerNormOptions({2})),
    MODULE(GELU),
    MODULE(Tanh),
    MODULE(Sigmoid),
    BINARY(mul),
    BINARY(multiply),
    BINARY(matmul),
    BINARY(mm),
    BINARY(div),
    BINARY(divide),
    {"*", [](auto &A, auto &B) { return A * B; }},
    {"/", [](auto &A, auto &B) { return A / B; }},
    {"bmm",
     [](auto &A, auto &B) { return A.unsqueeze(0).bmm(B.unsqueeze(0)); }},
};

/// Whether backward() throws after operand 0 or 1, or the result (2), changed;
/// \p Needs says which operands require gradients.
static bool throwsAfter(const Run &Call, int Changed, bool NeedsA,
                        bool NeedsB) {
  auto inner = [](bool Needs) {
    return (torch::rand({2, 2}) * 0.5 + 0.1).set_requires_grad(Needs) * 1;
  };
  Tensor A = inner(NeedsA), B = inner(NeedsB), Y = Call(A, B);
  (Changed == 0 ? A : Changed == 1 ? B : Y).mul_(1.5);
  try {
    Y.sum().backward();
  } catch (const c10::Error &) {
    return true;
  }
  return false;
}

CASE(savedAsListed) {
  for (const Line &L : Lines) {
    const Run &Call = Operations.at(L.Name);
    switch (L.What) {
    case Saves::Self:
      judge::require(throwsAfter(Call, 0, true, false));
      break;
    case Saves::Result:
      judge::require(throwsAfter(Call, 2, true, false));
      judge::require(!throwsAfter(Call, 0, true, false));
      break;
    case Saves::Factors:
    case Saves::Quotient:
      judge::require(throwsAfter(Call, 0, true, true));
      judge::require(throwsAfter(Call, 1, true, true));
      judge::require(!throwsAfter(Call, 0, true, false));
      judge::require(throwsAfter(Call, 1, true, false));
      judge::require(throwsAfter(Call, 0, false, true));
      judge::require(throwsAfter(Call, 1, false, true) ==
                     (L.What == Saves::Quotient));
      judge::require(!throwsAfter(Call, 2, true, true));
      break;
    }
  }
}
