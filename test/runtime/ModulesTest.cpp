//===- ModulesTest.cpp - modules, lists, forms of calls -------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <sstream>
#include <tensortidy/torch.h>

namespace {

namespace F = torch::nn::functional;
using torch::Tensor;

std::vector<double> values(const Tensor &X) {
  const Tensor Flat = X.to(torch::kDouble).contiguous().view({-1});
  return {Flat.data_ptr<double>(), Flat.data_ptr<double>() + Flat.numel()};
}
auto near(std::vector<double> Wanted) { return testing::Pointwise(testing::DoubleNear(1e-4), Wanted); }
template <class T> std::string printed(const T &X) {
  std::ostringstream Text;
  Text << X;
  return Text.str();
}

struct NetImpl : torch::nn::Module {
  NetImpl()
      : First(register_module("first", torch::nn::Linear(2, 3))),
        Rest(register_module("rest", torch::nn::Sequential(torch::nn::ReLU(), torch::nn::BatchNorm1d(3)))) {
    Scale = register_parameter("scale", torch::ones({3}));
  }
  Tensor forward(const Tensor &X) { return Rest->forward(First(X)) * Scale; }
  torch::nn::Linear First;
  torch::nn::Sequential Rest;
  Tensor Scale;
};
TORCH_MODULE(Net);

TEST(Module, NamesWhatItHas) {
  Net N;
  EXPECT_THAT(N->named_parameters().keys(),
              testing::ElementsAre("scale", "first.weight", "first.bias", "rest.1.weight", "rest.1.bias"));
  EXPECT_THAT(N->named_buffers().keys(),
              testing::ElementsAre("rest.1.running_mean", "rest.1.running_var", "rest.1.num_batches_tracked"));
  EXPECT_EQ(N->modules().size(), 5U);
  EXPECT_EQ(N->named_modules().keys().back(), "rest.1");
  EXPECT_EQ(N->First->name(), "torch::nn::LinearImpl");
  EXPECT_TRUE(N->named_parameters()["first.weight"].requires_grad());
  EXPECT_THROW(N->register_buffer("a.b", Tensor()), at::Error);
  EXPECT_THROW(N->register_buffer("scale", Tensor()).fill_(1), at::Error);
  EXPECT_THROW(torch::nn::Linear(nullptr)->forward(Tensor()), at::Error);
}
TEST(Module, IsPrintedAsInLibtorch) {
  Net N;
  std::string Text = printed(N);
  EXPECT_EQ(Text.substr(Text.find("(\n")),
            "(\n"
            "  (first): torch::nn::Linear(in_features=2, out_features=3, bias=true)\n"
            "  (rest): torch::nn::Sequential(\n"
            "    (0): torch::nn::ReLU()\n"
            "    (1): torch::nn::BatchNorm1d(3, eps=1e-05, momentum=0.1, affine=true, track_running_stats=true)\n"
            "  )\n"
            ")");
  EXPECT_EQ(
      printed(torch::nn::Conv2d(torch::nn::Conv2dOptions(2, 4, {3, 2}).stride(2).padding(torch::kSame).groups(2))),
      "torch::nn::Conv2d(2, 4, kernel_size=[3, 2], stride=[2, 2], padding='same', groups=2)");
  EXPECT_EQ(printed(torch::nn::SmoothL1Loss()), "torch::nn::SmoothL1Loss");
}
TEST(Module, ChangesAllOfIt) {
  Net N;
  N->eval();
  EXPECT_FALSE(N->Rest->is_training());
  N->to(torch::kDouble);
  EXPECT_EQ(N->First->weight.scalar_type(), torch::kDouble);
  EXPECT_EQ(N->Rest->named_buffers()["1.num_batches_tracked"].scalar_type(), torch::kLong);
  N->apply([](torch::nn::Module &M) {
    if (auto *L = M.as<torch::nn::Linear>())
      L->weight.fill_(2);
  });
  EXPECT_EQ(N->First->weight.sum().item<double>(), 12);
  EXPECT_EQ(N(torch::ones({2, 2}, torch::kDouble)).sizes(), torch::IntArrayRef({2, 3}));
}
TEST(Module, FirstValuesAreLibtorchs) {
  torch::manual_seed(0);
  torch::nn::Linear L(2, 2);
  EXPECT_THAT(values(L->weight), near({-0.0053, 0.3793, -0.5820, -0.5204}));
  EXPECT_THAT(values(L->bias), near({-0.2723, 0.1896}));
}
TEST(Module, ClonesAreItsOwn) {
  torch::nn::Linear L(2, 2);
  auto Copy = L->clone();
  Copy->as<torch::nn::Linear>()->weight.zero_();
  EXPECT_GT(L->weight.abs().sum().item<float>(), 0);
  EXPECT_THROW(Net()->clone(), at::Error);
}
TEST(Module, GoesThroughAStream) {
  Net A, B;
  std::stringstream Stream;
  torch::save(A, Stream);
  torch::load(B, Stream);
  for (const auto &P : A->named_parameters())
    EXPECT_TRUE(P.value().equal(B->named_parameters()[P.key()])) << P.key();
  torch::nn::Linear Other(1, 1);
  std::stringstream Again;
  torch::save(Other, Again);
  EXPECT_THROW(torch::load(B, Again), at::Error);
}
TEST(Module, ListsAndNames) {
  torch::nn::Sequential Named({{"a", torch::nn::Linear(2, 3)}, {"b", torch::nn::Tanh()}});
  EXPECT_EQ(Named->named_children().keys()[1], "b");
  EXPECT_THROW(Named->forward(3), at::Error);
  EXPECT_THROW(torch::nn::Sequential()->forward(torch::ones({1})), at::Error);
  torch::nn::ModuleList List(torch::nn::Linear(2, 2), torch::nn::Linear(2, 1));
  Tensor X = torch::ones({1, 2});
  for (const auto &M : *List)
    X = M->as<torch::nn::Linear>()->forward(X);
  EXPECT_EQ(X.sizes(), torch::IntArrayRef({1, 1}));
  torch::nn::Sequential Functions(torch::nn::Functional(torch::relu),
                                  torch::nn::Functional([](const Tensor &X) { return X.clamp_max(1); }));
  EXPECT_THAT(values(Functions->forward(torch::tensor({-1., .5, 2.}))), near({0, .5, 1}));
}
TEST(Module, LayersOverTime) {
  torch::nn::LSTM L(torch::nn::LSTMOptions(2, 3).num_layers(2).bidirectional(true).batch_first(true));
  const auto [Out, States] = L->forward(torch::ones({4, 5, 2}));
  EXPECT_EQ(Out.sizes(), torch::IntArrayRef({4, 5, 6}));
  EXPECT_EQ(std::get<1>(States).sizes(), torch::IntArrayRef({4, 4, 3}));
  EXPECT_EQ(L->parameters().size(), 16U);
  torch::nn::MultiheadAttention A(4, 2);
  const Tensor X = torch::rand({3, 1, 4});
  const auto [Y, Weights] = A(X, X, X);
  EXPECT_THAT(values(Weights.sum(-1)), near({1, 1, 1}));
}

TEST(Containers, ListsAreHandles) {
  c10::List<int64_t> A({1, 2}), B = A;
  B.push_back(3);
  EXPECT_EQ(A.size(), 3U);
  EXPECT_EQ(A.vec(), (std::vector<int64_t>{1, 2, 3}));
  EXPECT_FALSE(A.copy().is(A));
  const auto X = torch::arange(6).view({2, 3});
  c10::List<c10::optional<Tensor>> Places;
  Places.push_back(c10::nullopt);
  Places.push_back(torch::tensor({0, 2}));
  EXPECT_EQ(values(X.index(Places)), (std::vector<double>{0, 2, 3, 5}));
  c10::SmallVector<int64_t, 2> V{1, 2};
  V.append(2, 7);
  EXPECT_EQ(V.pop_back_val(), 7);
  EXPECT_EQ(torch::IntArrayRef(V).vec(), (std::vector<int64_t>{1, 2, 7}));
  c10::Dict<std::string, int> D;
  D.insert("a", 1);
  D.insert_or_assign("a", 2);
  EXPECT_EQ(D.at("a"), 2);
  EXPECT_EQ(c10::str("a", 1, torch::kInt), "a1Int");
}
TEST(Checks, CompareTwo) {
  EXPECT_NO_THROW([] {
    TORCH_CHECK_EQ(1, 1);
    TORCH_CHECK_LT(1, 2);
    TORCH_CHECK_GE(2, 2);
  }());
  EXPECT_THROW([] { TORCH_CHECK_EQ(1, 2); }(), at::Error);
  EXPECT_THROW([] { TORCH_CHECK_NE(1, 1); }(), at::Error);
  EXPECT_THROW([] { TORCH_CHECK_GT(1, 1); }(), at::Error);
  EXPECT_THROW([] { TORCH_CHECK_LE(2, 1); }(), at::Error);
}
TEST(Forms, ResultsAndOptions) {
  Tensor Out = torch::empty({0}), Places = torch::empty({0}, torch::kLong);
  const auto X = torch::tensor({{3., 1.}, {2., 4.}});
  torch::flip_out(Out, X, {0});
  EXPECT_THAT(values(Out), near({2, 4, 3, 1}));
  at::kthvalue_out(Out, Places, X, 1);
  EXPECT_THAT(values(Places), near({1, 0}));
  at::linalg_inv_out(Out, torch::eye(2));
  EXPECT_THAT(values(Out), near({1, 0, 0, 1}));
  EXPECT_EQ(at::permute_copy(X, {1, 0}).strides(), torch::IntArrayRef({2, 1}));
  EXPECT_EQ(at::zeros({2}, at::kInt, c10::nullopt, c10::nullopt, c10::nullopt).scalar_type(), at::kInt);
  EXPECT_EQ(*X.data<float>(), 3);
}
TEST(Functions, OfNetworksThatAreRarer) {
  const auto X = torch::arange(12, torch::kFloat).view({1, 1, 3, 4});
  EXPECT_THAT(values(F::adaptive_max_pool2d(X, F::AdaptiveMaxPool2dFuncOptions(2))), near({5, 7, 9, 11}));
  EXPECT_THAT(values(F::lp_pool2d(X, F::LPPool2dFuncOptions(1, {3, 4}))), near({66}));
  const auto [Most, At] = F::max_pool2d_with_indices(X, F::MaxPool2dFuncOptions({3, 2}));
  EXPECT_EQ(F::max_unpool2d(Most, At, F::MaxUnpool2dFuncOptions({3, 2})).sum().item<float>(), 20);
  EXPECT_THAT(values(F::embedding_bag(torch::tensor({{0, 1}}), torch::eye(2))), near({.5, .5}));
  EXPECT_THAT(values(torch::multi_margin_loss(torch::tensor({{1., 2.}}), torch::tensor({0}))), near({1}));
  EXPECT_THAT(values(torch::special_entr(torch::tensor({0., 1.}))), near({0, 0}));
  EXPECT_THAT(values(torch::polygamma(1, torch::tensor({1.}))), near({1.644934}));
  const auto [P, L, U] = torch::linalg_lu(torch::tensor({{0., 1.}, {2., 3.}}));
  EXPECT_THAT(values(P.matmul(L).matmul(U)), near({0, 1, 2, 3}));
}

} // namespace
