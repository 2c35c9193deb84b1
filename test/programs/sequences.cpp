//===- sequences.cpp - attention over and networks of sequences -----------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "programs.h"

namespace nn = torch::nn;
namespace F = torch::nn::functional;
namespace rnn = torch::nn::utils::rnn;

// Programs add to libtorch's namespaces.
namespace torch {
inline double meanOf(const Tensor &x) { return x.mean().item<double>(); }
} // namespace torch

static void showParameters(const nn::Module &m) {
  for (const auto &p : m.named_parameters())
    std::printf("%s %.4f\n", p.key().c_str(), torch::meanOf(p.value()));
  for (const auto &p : m.named_modules())
    std::cout << p.key() << " ";
  std::cout << "\n" << m << "\n";
}

/// A translator: what the next words are, given the first ones.
void translator() {
  torch::manual_seed(5);
  torch::NoGradGuard guard;
  nn::Transformer model(nn::TransformerOptions(8, 2, 1, 2).dim_feedforward(16).activation(torch::kGELU));
  model->eval();
  showParameters(*model);
  auto src = torch::randn({5, 2, 8}), tgt = torch::randn({3, 2, 8});
  auto later = nn::TransformerImpl::generate_square_subsequent_mask(3);
  std::cout << later << "\n";
  auto padding = torch::zeros({2, 5}, torch::kBool);
  padding.index_put_({1, torch::indexing::Slice(3)}, true);
  show("plain", model(src, tgt));
  show("masked", model->forward(src, tgt, {}, later, {}, padding, {}, padding));
  nn::TransformerDecoderLayer layer(nn::TransformerDecoderLayerOptions(8, 4).dropout(0).dim_feedforward(4));
  show("layer", layer(tgt, src));
  nn::TransformerDecoder stack(nn::TransformerDecoderOptions(layer, 2));
  show("stack", stack->forward(tgt, src, later));
  nn::TransformerEncoderLayer own(nn::TransformerEncoderLayerOptions(8, 2).dropout(0).activation(
      [](const torch::Tensor &x) { return torch::tanh(x); }));
  show("own", own(src));
  torch::manual_seed(6);
  nn::MultiheadAttention other(nn::MultiheadAttentionOptions(8, 2).kdim(6).vdim(6).add_bias_kv(true).add_zero_attn(true));
  showParameters(*other);
  auto [out, weights] = other(tgt, torch::randn({5, 2, 6}), torch::randn({5, 2, 6}), padding);
  show("attention", out);
  show("weights", weights);
}

/// Sentences of several lengths through networks, without the padding.
void sentences() {
  torch::manual_seed(7);
  torch::NoGradGuard guard;
  std::vector<torch::Tensor> texts{torch::randn({2, 3}), torch::randn({4, 3}), torch::randn({1, 3})};
  auto padded = rnn::pad_sequence(texts, true);
  show("padded", padded);
  show("padded", torch::pad_sequence(texts, false, -1));
  auto packed = rnn::pack_sequence(texts, /*enforce_sorted=*/false);
  show("data", packed.data());
  std::cout << packed.batch_sizes() << packed.sorted_indices() << packed.unsorted_indices() << "\n";
  auto again = rnn::pack_padded_sequence(padded, torch::tensor({2, 4, 1}), true, false);
  std::cout << torch::equal(again.data(), packed.data()) << "\n";
  nn::LSTM lstm(nn::LSTMOptions(3, 2).num_layers(2).bidirectional(true));
  auto [out, state] = lstm->forward_with_packed_input(packed);
  auto [apart, lengths] = rnn::pad_packed_sequence(out, true, 9.0, 5);
  show("lstm", apart);
  show("hidden", std::get<0>(state));
  show("cell", std::get<1>(state));
  std::cout << lengths << "\n";
  nn::GRU gru(nn::GRUOptions(3, 2));
  auto [all, last] = gru->forward_with_packed_input(packed, torch::ones({1, 3, 2}));
  show("gru", std::get<0>(rnn::pad_packed_sequence(all)));
  show("last", last);
  nn::RNN plain(nn::RNNOptions(3, 2).nonlinearity(torch::kReLU));
  show("rnn", std::get<1>(plain->forward_with_packed_input(packed)));
  std::cout << rnn::invert_permutation(torch::tensor({2, 0, 1})) << "\n";
}

/// What a speech recogniser heard, against what was said.
void heard() {
  torch::manual_seed(8);
  auto scores = torch::randn({6, 2, 4}).log_softmax(2);
  auto said = torch::tensor({{1, 2, 2}, {3, 1, 0}});
  auto steps = torch::tensor({6, 5}), letters = torch::tensor({3, 2});
  nn::CTCLoss loss;
  std::cout << loss << "\n" << loss(scores, said, steps, letters) << "\n";
  std::cout << F::ctc_loss(scores, said, steps, letters, F::CTCLossFuncOptions().reduction(torch::kNone)) << "\n"
            << F::ctc_loss(scores, torch::tensor({1, 2, 2, 3, 1}), steps, letters,
                           F::CTCLossFuncOptions().reduction(torch::kSum).blank(3))
            << torch::ctc_loss(scores, said, {2, 2}, {3, 1}) << torch::ctc_loss(scores, said, {2, 2}, {3, 1}, 0, 2, true)
            << "\n";
  // The best letter of each step, without repetitions and blanks.
  auto best = scores.argmax(2).t().contiguous();
  for (int64_t n = 0; n < best.size(0); ++n) {
    int64_t before = -1;
    for (int64_t t = 0; t < steps[n].item<int64_t>(); ++t) {
      const auto letter = best[n][t].item<int64_t>();
      if (letter != before && letter != 0)
        std::cout << letter << " ";
      before = letter;
    }
    std::cout << "\n";
  }
}

/// Volumes made larger, and what selu() networks drop.
void volumes() {
  torch::manual_seed(9);
  auto x = torch::rand({1, 2, 2, 3, 4});
  auto resized = [&](auto mode) {
    return F::interpolate(x, F::InterpolateFuncOptions().size(std::vector<int64_t>{3, 5, 6}).mode(mode));
  };
  show("nearest", resized(torch::kNearest));
  show("exact", resized(torch::kNearestExact));
  show("area", resized(torch::kArea));
  show("trilinear", F::interpolate(x, F::InterpolateFuncOptions()
                                          .scale_factor(std::vector<double>{2, 2, 1.5})
                                          .mode(torch::kTrilinear)
                                          .align_corners(false)));
  show("corners", torch::upsample_trilinear3d(x, {4, 4, 4}, true));
  show("linear", torch::upsample_linear1d(x[0][0], {7}, true));
  nn::Upsample up(nn::UpsampleOptions().scale_factor(std::vector<double>{2, 2, 2}).mode(torch::kTrilinear).align_corners(false));
  std::cout << up << "\n";
  show("up", up(x));
  nn::AlphaDropout drop(0.25);
  nn::FeatureAlphaDropout channels;
  std::cout << drop << channels << "\n";
  show("alpha", drop(x));
  show("channels", channels(x));
  show("whole", torch::feature_dropout(x, 0.5, true));
  drop->eval();
  std::cout << drop(x).is_same(x) << "\n";
}
