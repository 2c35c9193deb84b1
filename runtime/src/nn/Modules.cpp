//===- Modules.cpp - the layers of networks -------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// First values are drawn in libtorch's order, so that after the same seed they
// are the same.
//
//===----------------------------------------------------------------------===//

#include "tensortidy/modules.h"
#include <cmath>
#include <ostream>

namespace tensortidy::nn {

namespace F = functional;

detail::Printed::Printed(std::ostream &Stream, const char *Name)
    : Stream(Stream) {
  Stream << "torch::nn::" << Name;
}
detail::Printed &detail::Printed::inWords() {
  Stream << std::boolalpha;
  return *this;
}
detail::Printed::~Printed() { Stream << (First ? "()" : Close); }
std::ostream &detail::Printed::next() {
  Stream << (First ? "(" : ", ");
  First = false;
  Close = ")";
  return Stream;
}
/// "kZeros", as programs write it.
detail::Printed &detail::Printed::operator()(const char *Name, Choice Value) {
  next() << Name << "=k";
  if (Value == kReLU)
    Stream << "ReLU";
  else
    Stream << static_cast<char>(std::toupper(Value.Name[0])) << Value.Name + 1;
  return *this;
}
static void drawUniform(const Tensor &X, double Bound) {
  init::uniform_(X, -Bound, Bound);
}
/// Weights, and a bias where there is one, as Linear and Conv have them.
static void drawWeights(const Tensor &Weight, const Tensor &Bias) {
  init::kaiming_uniform_(Weight, std::sqrt(5));
  if (Bias.defined())
    drawUniform(Bias, 1 / std::sqrt(static_cast<double>(std::get<0>(
                              init::_calculate_fan_in_and_fan_out(Weight)))));
}

void UnflattenImpl::pretty_print(std::ostream &stream) const {
  detail::Printed Show(stream, "Unflatten");
  Show("dim", options.dim());
  std::string Sizes = "{";
  for (const int64_t N : options.sizes())
    Sizes += (Sizes.size() > 1 ? ", " : "") + std::to_string(N);
  Show("unflattened_size", Sizes + "}");
}
Tensor UpsampleImpl::forward(const Tensor &input) {
  return F::interpolate(input, F::InterpolateFuncOptions()
                                   .size(options.size())
                                   .scale_factor(options.scale_factor())
                                   .mode(options.mode())
                                   .align_corners(options.align_corners()));
}
void UpsampleImpl::pretty_print(std::ostream &stream) const {
  detail::Printed Show(stream, "Upsample");
  if (options.size()) {
    Show("size", IntArrayRef(*options.size()));
  } else if (options.scale_factor()) {
    Show("scale_factor", "[");
    for (size_t K = 0; K < options.scale_factor()->size(); ++K)
      stream << (K ? ", " : "") << (*options.scale_factor())[K];
    stream << ']';
  }
  Show("mode", options.mode());
}

//===--- products, embeddings -------------------------------------------===//

void LinearImpl::reset() {
  weight = register_parameter(
      "weight", empty({options.out_features(), options.in_features()}));
  bias = register_parameter(
      "bias", options.bias() ? empty({options.out_features()}) : Tensor());
  reset_parameters();
}
void LinearImpl::reset_parameters() { drawWeights(weight, bias); }
void LinearImpl::pretty_print(std::ostream &stream) const {
  detail::Printed(stream, "Linear")("in_features", options.in_features())(
      "out_features", options.out_features())("bias", options.bias());
}
void BilinearImpl::reset() {
  weight = register_parameter(
      "weight", empty({options.out_features(), options.in1_features(),
                       options.in2_features()}));
  bias = register_parameter(
      "bias", options.bias() ? empty({options.out_features()}) : Tensor());
  reset_parameters();
}
void BilinearImpl::reset_parameters() {
  const double Bound = 1 / std::sqrt(static_cast<double>(weight.size(1)));
  drawUniform(weight, Bound);
  if (bias.defined())
    drawUniform(bias, Bound);
}
void BilinearImpl::pretty_print(std::ostream &stream) const {
  detail::Printed(stream, "Bilinear")("in1_features", options.in1_features())(
      "in2_features", options.in2_features())(
      "out_features", options.out_features())("bias", options.bias());
}
void PReLUImpl::reset() {
  weight = register_parameter("weight",
                              full({options.num_parameters()}, options.init(),
                                   TensorOptions(get_default_dtype())));
}
void PReLUImpl::pretty_print(std::ostream &stream) const {
  detail::Printed(stream, "PReLU")("num_parameters", options.num_parameters());
}
template <class Options>
static void clearPadding(const Options &O, const Tensor &Weight) {
  if (O.padding_idx())
    Weight.select(0, *O.padding_idx()).zero_();
}
void EmbeddingImpl::reset() {
  weight = register_parameter("weight", options._weight().defined()
                                            ? options._weight()
                                            : empty({options.num_embeddings(),
                                                     options.embedding_dim()}));
  if (!options._weight().defined())
    reset_parameters();
}
void EmbeddingImpl::reset_parameters() {
  init::normal_(weight);
  clearPadding(options, weight);
}
Tensor EmbeddingImpl::forward(const Tensor &indices) {
  return F::embedding(indices, weight,
                      F::EmbeddingFuncOptions()
                          .max_norm(options.max_norm())
                          .norm_type(options.norm_type()));
}
void EmbeddingImpl::pretty_print(std::ostream &stream) const {
  detail::Printed Show(stream, "Embedding");
  Show("num_embeddings", options.num_embeddings())("embedding_dim",
                                                   options.embedding_dim());
  if (options.padding_idx())
    Show("padding_idx", *options.padding_idx());
  if (options.max_norm())
    Show("max_norm", *options.max_norm());
  Show("norm_type", options.norm_type(),
       2)("scale_grad_by_freq", options.scale_grad_by_freq(),
          false)("sparse", options.sparse(), false);
}
Embedding Embedding::from_pretrained(const Tensor &embeddings, bool freeze) {
  EmbeddingOptions O(embeddings.size(0), embeddings.size(1));
  Embedding R(O._weight(embeddings));
  R->weight.set_requires_grad(!freeze);
  return R;
}
void EmbeddingBagImpl::reset() {
  weight = register_parameter(
      "weight", empty({options.num_embeddings(), options.embedding_dim()}));
  reset_parameters();
}
void EmbeddingBagImpl::reset_parameters() {
  init::normal_(weight);
  clearPadding(options, weight);
}
Tensor EmbeddingBagImpl::forward(const Tensor &input, const Tensor &offsets,
                                 const Tensor &per_sample_weights) {
  return F::embedding_bag(
      input, weight,
      F::EmbeddingBagFuncOptions()
          .offsets(offsets)
          .max_norm(options.max_norm())
          .norm_type(options.norm_type())
          .mode(options.mode())
          .per_sample_weights(per_sample_weights)
          .include_last_offset(options.include_last_offset())
          .padding_idx(options.padding_idx()));
}
void EmbeddingBagImpl::pretty_print(std::ostream &stream) const {
  detail::Printed Show(stream, "EmbeddingBag");
  Show("num_embeddings", options.num_embeddings())("embedding_dim",
                                                   options.embedding_dim());
  if (options.max_norm())
    Show("max_norm", *options.max_norm());
  Show("norm_type", options.norm_type(),
       2)("scale_grad_by_freq", options.scale_grad_by_freq(),
          false)("sparse", options.sparse(), false);
  if (options.mode() != kMean)
    Show("mode", options.mode());
  Show("include_last_offset", options.include_last_offset(), false);
  if (options.padding_idx())
    Show("padding_idx", *options.padding_idx());
}

//===--- convolutions ---------------------------------------------------===//

template <class Derived>
constexpr bool IsTransposed = std::is_same_v<Derived, ConvTranspose1dImpl> ||
                              std::is_same_v<Derived, ConvTranspose2dImpl> ||
                              std::is_same_v<Derived, ConvTranspose3dImpl>;
template <size_t D, class Derived> void ConvNdImpl<D, Derived>::reset() {
  const auto &O = options;
  if (O.groups() <= 0 || O.in_channels() % O.groups() ||
      O.out_channels() % O.groups())
    throw Error("in_channels and out_channels must be divisible by groups");
  std::vector<int64_t> Sizes =
      IsTransposed<Derived>
          ? std::vector<int64_t>{O.in_channels(), O.out_channels() / O.groups()}
          : std::vector<int64_t>{O.out_channels(),
                                 O.in_channels() / O.groups()};
  Sizes.insert(Sizes.end(), O.kernel_size().begin(), O.kernel_size().end());
  weight = this->register_parameter("weight", tensortidy::empty(Sizes));
  bias = this->register_parameter("bias", O.bias() ? empty({O.out_channels()})
                                                   : Tensor());
  reset_parameters();
}
template <size_t D, class Derived>
void ConvNdImpl<D, Derived>::reset_parameters() {
  drawWeights(weight, bias);
}
template <size_t D, class Derived>
void ConvNdImpl<D, Derived>::pretty_print(std::ostream &stream) const {
  const std::string Name =
      std::string(IsTransposed<Derived> ? "ConvTranspose" : "Conv") +
      std::to_string(D) + "d";
  detail::Printed Show(stream, Name.c_str());
  const auto &O = options;
  Show(O.in_channels())(O.out_channels())("kernel_size", O.kernel_size())(
      "stride", O.stride());
  if (O.padding().Name)
    Show("padding", "'" + std::string(O.padding().Name->Name) + "'");
  else
    Show("padding", O.padding().Numbers, 0);
  Show("dilation", O.dilation(), 1)("output_padding", O.output_padding(), 0)(
      "groups", O.groups(), 1)("bias", O.bias(), true);
  if (O.padding_mode() != kZeros)
    Show("padding_mode", O.padding_mode());
}
/// Before and behind dimension \p K, where not zeros pad.
template <size_t D>
static std::pair<int64_t, int64_t> padsOf(const ConvOptions<D> &O, size_t K) {
  const optional<Choice> Name = O.padding().Name;
  if (!Name)
    return {O.padding().Numbers[K], O.padding().Numbers[K]};
  const int64_t All =
      *Name == kSame ? O.dilation()[K] * (O.kernel_size()[K] - 1) : 0;
  return {All / 2, All - All / 2};
}
#define CONVOLUTION(D)                                                         \
  Conv##D##dImpl::Conv##D##dImpl(ConvOptions<D> options)                       \
      : ConvNdImpl(std::move(options)) {                                       \
    reset();                                                                   \
  }                                                                            \
  Tensor Conv##D##dImpl::forward(const Tensor &input) {                        \
    Tensor X = input;                                                          \
    auto O = F::Conv##D##dFuncOptions()                                        \
                 .bias(bias)                                                   \
                 .stride(options.stride())                                     \
                 .padding(options.padding())                                   \
                 .dilation(options.dilation())                                 \
                 .groups(options.groups());                                    \
    if (options.padding_mode() != kZeros) {                                    \
      std::vector<int64_t> Pad;                                                \
      for (size_t K = D; K-- > 0;) {                                           \
        const auto [Before, Behind] = padsOf(options, K);                      \
        Pad.insert(Pad.end(), {Before, Behind});                               \
      }                                                                        \
      X = F::pad(X, F::PadFuncOptions(Pad).mode(options.padding_mode()));      \
      O.padding(0);                                                            \
    }                                                                          \
    return F::conv##D##d(X, weight, O);                                        \
  }                                                                            \
  ConvTranspose##D##dImpl::ConvTranspose##D##dImpl(ConvOptions<D> options)     \
      : ConvNdImpl(std::move(options)) {                                       \
    reset();                                                                   \
  }                                                                            \
  Tensor ConvTranspose##D##dImpl::forward(const Tensor &input) {               \
    return F::conv_transpose##D##d(                                            \
        input, weight,                                                         \
        F::ConvTranspose##D##dFuncOptions()                                    \
            .bias(bias)                                                        \
            .stride(options.stride())                                          \
            .padding(options.padding().Numbers)                                \
            .output_padding(options.output_padding())                          \
            .groups(options.groups())                                          \
            .dilation(options.dilation()));                                    \
  }                                                                            \
  template class ConvNdImpl<D, Conv##D##dImpl>;                                \
  template class ConvNdImpl<D, ConvTranspose##D##dImpl>;
CONVOLUTION(1)
CONVOLUTION(2)
CONVOLUTION(3)
#undef CONVOLUTION

//===--- normalization --------------------------------------------------===//

template <bool OfSamples, class Derived>
void RunningNormImpl<OfSamples, Derived>::reset() {
  const int64_t N = options.num_features();
  auto Numbers = [&](bool Has) { return Has ? empty({N}) : Tensor(); };
  weight = this->register_parameter("weight", Numbers(options.affine()));
  bias = this->register_parameter("bias", Numbers(options.affine()));
  const bool Tracks = options.track_running_stats();
  running_mean = this->register_buffer("running_mean", Numbers(Tracks));
  running_var = this->register_buffer("running_var", Numbers(Tracks));
  num_batches_tracked = this->register_buffer(
      "num_batches_tracked",
      Tracks ? scalar_tensor(0, TensorOptions(kLong)) : Tensor());
  reset_parameters();
}
template <bool OfSamples, class Derived>
void RunningNormImpl<OfSamples, Derived>::reset_parameters() {
  reset_running_stats();
  if (options.affine()) {
    weight.fill_(1);
    bias.zero_();
  }
}
template <bool OfSamples, class Derived>
void RunningNormImpl<OfSamples, Derived>::reset_running_stats() {
  if (options.track_running_stats()) {
    running_mean.zero_();
    running_var.fill_(1);
    num_batches_tracked.zero_();
  }
}
template <bool OfSamples, class Derived>
void RunningNormImpl<OfSamples, Derived>::pretty_print(
    std::ostream &stream) const {
  std::string Name = this->name();
  Name.erase(0, Name.rfind(':') + 1);
  detail::Printed Show(stream, Name.substr(0, Name.size() - 4).c_str());
  Show(options.num_features())("eps", options.eps());
  if (options.momentum())
    Show("momentum", *options.momentum());
  Show("affine", options.affine())("track_running_stats",
                                   options.track_running_stats());
}
template <class M> static double batchMomentum(M &Of, bool Training) {
  if (!Training || !Of.options.track_running_stats())
    return Of.options.momentum().value_or(0);
  Of.num_batches_tracked.add_(1);
  return Of.options.momentum().value_or(
      1 / Of.num_batches_tracked.template item<double>());
}
static void expectDims(const Tensor &X, int64_t Least, int64_t Most) {
  if (X.dim() < Least || X.dim() > Most)
    throw Error("expected " + std::to_string(Least) + "D" +
                (Most > Least ? " or " + std::to_string(Most) + "D" : "") +
                " input (got " + std::to_string(X.dim()) + "D input)");
}
#define NORMS(D)                                                               \
  BatchNorm##D##dImpl::BatchNorm##D##dImpl(BatchNormOptions options)           \
      : RunningNormImpl(std::move(options)) {                                  \
    reset();                                                                   \
  }                                                                            \
  Tensor BatchNorm##D##dImpl::forward(const Tensor &input) {                   \
    expectDims(input, D == 1 ? 2 : D + 2, D + 2);                              \
    const double Momentum = batchMomentum(*this, is_training());               \
    return F::batch_norm(                                                      \
        input, running_mean, running_var,                                      \
        F::BatchNormFuncOptions()                                              \
            .weight(weight)                                                    \
            .bias(bias)                                                        \
            .training(is_training() || !options.track_running_stats())         \
            .momentum(Momentum)                                                \
            .eps(options.eps()));                                              \
  }                                                                            \
  InstanceNorm##D##dImpl::InstanceNorm##D##dImpl(InstanceNormOptions options)  \
      : RunningNormImpl(std::move(options)) {                                  \
    reset();                                                                   \
  }                                                                            \
  Tensor InstanceNorm##D##dImpl::forward(const Tensor &input) {                \
    expectDims(input, D + 1, D + 2);                                           \
    return F::instance_norm(                                                   \
        input,                                                                 \
        F::InstanceNormFuncOptions()                                           \
            .running_mean(running_mean)                                        \
            .running_var(running_var)                                          \
            .weight(weight)                                                    \
            .bias(bias)                                                        \
            .use_input_stats(is_training() || !options.track_running_stats())  \
            .momentum(options.momentum().value_or(0))                          \
            .eps(options.eps()));                                              \
  }                                                                            \
  template class RunningNormImpl<false, BatchNorm##D##dImpl>;                  \
  template class RunningNormImpl<true, InstanceNorm##D##dImpl>;
NORMS(1)
NORMS(2)
NORMS(3)
#undef NORMS

void LayerNormImpl::reset() {
  auto Numbers = [&] {
    return options.elementwise_affine()
               ? tensortidy::empty(options.normalized_shape())
               : Tensor();
  };
  weight = register_parameter("weight", Numbers());
  bias = register_parameter("bias", Numbers());
  reset_parameters();
}
void LayerNormImpl::reset_parameters() {
  if (options.elementwise_affine()) {
    weight.fill_(1);
    bias.zero_();
  }
}
Tensor LayerNormImpl::forward(const Tensor &input) {
  return F::layer_norm(input,
                       F::LayerNormFuncOptions(options.normalized_shape())
                           .weight(weight)
                           .bias(bias)
                           .eps(options.eps()));
}
void LayerNormImpl::pretty_print(std::ostream &stream) const {
  detail::Printed(stream, "LayerNorm")(IntArrayRef(options.normalized_shape()))(
      "eps", options.eps())("elementwise_affine", options.elementwise_affine());
}
void GroupNormImpl::reset() {
  auto Numbers = [&] {
    return options.affine() ? empty({options.num_channels()}) : Tensor();
  };
  weight = register_parameter("weight", Numbers());
  bias = register_parameter("bias", Numbers());
  reset_parameters();
}
void GroupNormImpl::reset_parameters() {
  if (options.affine()) {
    weight.fill_(1);
    bias.zero_();
  }
}
Tensor GroupNormImpl::forward(const Tensor &input) {
  return F::group_norm(input, F::GroupNormFuncOptions(options.num_groups())
                                  .weight(weight)
                                  .bias(bias)
                                  .eps(options.eps()));
}
void GroupNormImpl::pretty_print(std::ostream &stream) const {
  detail::Printed(stream, "GroupNorm")(options.num_groups())(
      options.num_channels())("eps", options.eps())("affine", options.affine());
}

//===--- recurrent networks ---------------------------------------------===//

template <class Derived>
constexpr int64_t Gates =
    std::is_same_v<Derived, LSTMImpl> || std::is_same_v<Derived, LSTMCellImpl>
        ? 4
    : std::is_same_v<Derived, GRUImpl> || std::is_same_v<Derived, GRUCellImpl>
        ? 3
        : 1;
template <class Derived> void RecurrentImpl<Derived>::reset() {
  const auto &O = options;
  const int64_t Rows = Gates<Derived> * O.hidden_size();
  for (int64_t Layer = 0; Layer < O.num_layers(); ++Layer)
    for (int Direction = 0; Direction < (O.bidirectional() ? 2 : 1);
         ++Direction) {
      const std::string Tail =
          "_l" + std::to_string(Layer) + (Direction ? "_reverse" : "");
      const int64_t In = Layer == 0
                             ? O.input_size()
                             : O.hidden_size() * (O.bidirectional() ? 2 : 1);
      this->register_parameter("weight_ih" + Tail, empty({Rows, In}));
      this->register_parameter("weight_hh" + Tail,
                               empty({Rows, O.hidden_size()}));
      if (O.bias()) {
        this->register_parameter("bias_ih" + Tail, empty({Rows}));
        this->register_parameter("bias_hh" + Tail, empty({Rows}));
      }
    }
  reset_parameters();
}
template <class Derived> void RecurrentImpl<Derived>::reset_parameters() {
  const double Bound =
      1 / std::sqrt(static_cast<double>(options.hidden_size()));
  for (const Tensor &P : this->parameters())
    drawUniform(P, Bound);
}
template <class Derived>
void RecurrentImpl<Derived>::pretty_print(std::ostream &stream) const {
  detail::Printed(stream, Gates<Derived> == 4 ? "LSTM"
                          : Gates<Derived> == 3
                              ? "GRU"
                              : "RNN")("input_size", options.input_size())(
      "hidden_size", options.hidden_size())("num_layers", options.num_layers())(
      "bias", options.bias())("batch_first", options.batch_first())(
      "dropout", options.dropout())("bidirectional", options.bidirectional());
}
template <class Derived>
Tensor RecurrentImpl<Derived>::stateFor(const Tensor &Input,
                                        const Tensor &Given) const {
  if (Given.defined())
    return Given;
  return zeros({options.num_layers() * (options.bidirectional() ? 2 : 1),
                Input.size(options.batch_first() ? 0 : 1),
                options.hidden_size()},
               Input.options());
}
template <class Derived>
Tensor RecurrentImpl<Derived>::stateFor(const utils::rnn::PackedSequence &Input,
                                        const Tensor &Given) const {
  if (!Given.defined())
    return zeros({options.num_layers() * (options.bidirectional() ? 2 : 1),
                  Input.batch_sizes()[0].template item<int64_t>(),
                  options.hidden_size()},
                 Input.data().options());
  return Input.sorted_indices().defined()
             ? Given.index_select(1, Input.sorted_indices())
             : Given;
}
/// As the samples were before they were sorted.
static Tensor unsorted(const utils::rnn::PackedSequence &By, const Tensor &X) {
  return By.unsorted_indices().defined()
             ? X.index_select(1, By.unsorted_indices())
             : X;
}
static utils::rnn::PackedSequence packedAs(const utils::rnn::PackedSequence &By,
                                           const Tensor &Data) {
  return utils::rnn::PackedSequence(Data, By.batch_sizes(), By.sorted_indices(),
                                    By.unsorted_indices());
}
#define RUN_PACKED(FUNCTION, STATES)                                           \
  tensortidy::FUNCTION(packed_input.data(), packed_input.batch_sizes(),        \
                       STATES, parameters(), options.bias(),                   \
                       options.num_layers(), options.dropout(), is_training(), \
                       options.bidirectional())
#define RUN(FUNCTION, STATES)                                                  \
  tensortidy::FUNCTION(input, STATES, parameters(), options.bias(),            \
                       options.num_layers(), options.dropout(), is_training(), \
                       options.bidirectional(), options.batch_first())
#define RECURRENT(NAME)                                                        \
  NAME##Impl::NAME##Impl(RecurrentOptions options) : RecurrentImpl(options) {  \
    reset();                                                                   \
  }                                                                            \
  template class RecurrentImpl<NAME##Impl>;
RECURRENT(LSTM)
RECURRENT(GRU)
RECURRENT(RNN)
#undef RECURRENT
std::tuple<Tensor, TwoStates> LSTMImpl::forward(const Tensor &input,
                                                optional<TwoStates> hx_opt) {
  const auto [H, C] = hx_opt.value_or(TwoStates());
  const Tensor States[] = {stateFor(input, H), stateFor(input, C)};
  auto [Out, Hidden, Cell] = RUN(lstm, TensorList(States));
  return {Out, {Hidden, Cell}};
}
std::tuple<Tensor, Tensor> GRUImpl::forward(const Tensor &input, Tensor hx) {
  return RUN(gru, stateFor(input, hx));
}
std::tuple<Tensor, Tensor> RNNImpl::forward(const Tensor &input, Tensor hx) {
  return options.nonlinearity() == kReLU ? RUN(rnn_relu, stateFor(input, hx))
                                         : RUN(rnn_tanh, stateFor(input, hx));
}
#undef RUN
std::tuple<utils::rnn::PackedSequence, TwoStates>
LSTMImpl::forward_with_packed_input(
    const utils::rnn::PackedSequence &packed_input,
    optional<TwoStates> hx_opt) {
  const auto [H, C] = hx_opt.value_or(TwoStates());
  const Tensor States[] = {stateFor(packed_input, H),
                           stateFor(packed_input, C)};
  const auto [Out, Hidden, Cell] = RUN_PACKED(lstm, TensorList(States));
  return {packedAs(packed_input, Out),
          {unsorted(packed_input, Hidden), unsorted(packed_input, Cell)}};
}
std::tuple<utils::rnn::PackedSequence, Tensor>
GRUImpl::forward_with_packed_input(
    const utils::rnn::PackedSequence &packed_input, Tensor hx) {
  const auto [Out, Hidden] = RUN_PACKED(gru, stateFor(packed_input, hx));
  return {packedAs(packed_input, Out), unsorted(packed_input, Hidden)};
}
std::tuple<utils::rnn::PackedSequence, Tensor>
RNNImpl::forward_with_packed_input(
    const utils::rnn::PackedSequence &packed_input, Tensor hx) {
  const Tensor State = stateFor(packed_input, hx);
  const auto [Out, Hidden] = options.nonlinearity() == kReLU
                                 ? RUN_PACKED(rnn_relu, State)
                                 : RUN_PACKED(rnn_tanh, State);
  return {packedAs(packed_input, Out), unsorted(packed_input, Hidden)};
}
#undef RUN_PACKED

template <class Derived> void CellImpl<Derived>::reset() {
  const int64_t Rows = Gates<Derived> * options.hidden_size();
  weight_ih = this->register_parameter("weight_ih",
                                       empty({Rows, options.input_size()}));
  weight_hh = this->register_parameter("weight_hh",
                                       empty({Rows, options.hidden_size()}));
  bias_ih = this->register_parameter("bias_ih",
                                     options.bias() ? empty({Rows}) : Tensor());
  bias_hh = this->register_parameter("bias_hh",
                                     options.bias() ? empty({Rows}) : Tensor());
  reset_parameters();
}
template <class Derived> void CellImpl<Derived>::reset_parameters() {
  const double Bound =
      1 / std::sqrt(static_cast<double>(options.hidden_size()));
  for (const Tensor &P : this->parameters())
    drawUniform(P, Bound);
}
template <class Derived>
void CellImpl<Derived>::pretty_print(std::ostream &stream) const {
  detail::Printed Show(stream, Gates<Derived> == 4   ? "LSTMCell"
                               : Gates<Derived> == 3 ? "GRUCell"
                                                     : "RNNCell");
  Show(options.input_size())(options.hidden_size())("bias", options.bias(),
                                                    true);
  if (options.nonlinearity() != kTanh)
    Show("nonlinearity", options.nonlinearity());
}
template <class Derived>
Tensor CellImpl<Derived>::stateFor(const Tensor &Input,
                                   const Tensor &Given) const {
  return Given.defined()
             ? Given
             : zeros({Input.size(0), options.hidden_size()}, Input.options());
}
#define CELL(NAME)                                                             \
  NAME##Impl::NAME##Impl(RNNCellOptions options) : CellImpl(options) {         \
    reset();                                                                   \
  }                                                                            \
  template class CellImpl<NAME##Impl>;
CELL(LSTMCell)
CELL(GRUCell)
CELL(RNNCell)
#undef CELL
TwoStates LSTMCellImpl::forward(const Tensor &input, optional<TwoStates> hx) {
  const auto [H, C] = hx.value_or(TwoStates());
  const Tensor States[] = {stateFor(input, H), stateFor(input, C)};
  return lstm_cell(input, TensorList(States), weight_ih, weight_hh,
                   F::given(bias_ih), F::given(bias_hh));
}
Tensor GRUCellImpl::forward(const Tensor &input, const Tensor &hx) {
  return gru_cell(input, stateFor(input, hx), weight_ih, weight_hh,
                  F::given(bias_ih), F::given(bias_hh));
}
Tensor RNNCellImpl::forward(const Tensor &input, const Tensor &hx) {
  return (options.nonlinearity() == kReLU ? rnn_relu_cell : rnn_tanh_cell)(
      input, stateFor(input, hx), weight_ih, weight_hh, F::given(bias_ih),
      F::given(bias_hh), Site::current());
}

//===--- attention ------------------------------------------------------===//

void MultiheadAttentionImpl::reset() {
  const int64_t E = options.embed_dim();
  if (options.num_heads() <= 0 || E % options.num_heads())
    throw Error("embed_dim must be divisible by num_heads");
  if (options.kdim() == E && options.vdim() == E) {
    in_proj_weight = register_parameter("in_proj_weight", empty({3 * E, E}));
  } else {
    q_proj_weight = register_parameter("q_proj_weight", empty({E, E}));
    k_proj_weight =
        register_parameter("k_proj_weight", empty({E, options.kdim()}));
    v_proj_weight =
        register_parameter("v_proj_weight", empty({E, options.vdim()}));
  }
  in_proj_bias = register_parameter("in_proj_bias",
                                    options.bias() ? empty({3 * E}) : Tensor());
  out_proj = register_module("out_proj",
                             Linear(LinearOptions(E, E).bias(options.bias())));
  if (options.add_bias_kv()) {
    bias_k = register_parameter("bias_k", empty({1, 1, E}));
    bias_v = register_parameter("bias_v", empty({1, 1, E}));
  }
  _reset_parameters();
}
void MultiheadAttentionImpl::_reset_parameters() {
  for (const Tensor &W :
       {in_proj_weight, q_proj_weight, k_proj_weight, v_proj_weight})
    if (W.defined())
      init::xavier_uniform_(W);
  if (in_proj_bias.defined()) {
    in_proj_bias.zero_();
    out_proj->bias.zero_();
  }
  for (const Tensor &B : {bias_k, bias_v})
    if (B.defined())
      init::xavier_normal_(B);
}
std::tuple<Tensor, Tensor> MultiheadAttentionImpl::forward(
    const Tensor &query, const Tensor &key, const Tensor &value,
    const Tensor &key_padding_mask, bool need_weights, const Tensor &attn_mask,
    bool average_attn_weights) {
  const double Nothing = -std::numeric_limits<double>::infinity();
  const int64_t Time = query.size(0), Batch = query.size(1), E = query.size(2),
                Heads = options.num_heads(), Each = E / Heads;
  if (E != options.embed_dim())
    throw Error("the query has " + std::to_string(E) + " numbers, not " +
                std::to_string(options.embed_dim()));
  const auto W = in_proj_weight.defined()
                     ? in_proj_weight.chunk(3)
                     : std::vector<Tensor>{q_proj_weight, k_proj_weight,
                                           v_proj_weight};
  const auto B =
      in_proj_bias.defined() ? in_proj_bias.chunk(3) : std::vector<Tensor>(3);
  auto Split = [&](const Tensor &X, size_t K) {
    return linear(X, W[K], F::given(B[K]));
  };
  auto ByHead = [&](const Tensor &X) {
    return X.contiguous().view({-1, Batch * Heads, Each}).transpose(0, 1);
  };
  Tensor Mask = attn_mask, Padding = key_padding_mask;
  // Nobody's mask says anything of keys that nobody gave.
  auto OneMore = [&] {
    if (Mask.defined())
      Mask = F::pad(Mask, F::PadFuncOptions({0, 1}));
    if (Padding.defined())
      Padding = F::pad(Padding, F::PadFuncOptions({0, 1}));
  };
  const Tensor Q =
      ByHead(Split(query, 0).mul(std::pow(static_cast<double>(Each), -0.5)));
  Tensor K = Split(key, 1), V = Split(value, 2);
  if (bias_k.defined()) {
    K = cat({K, bias_k.repeat({1, Batch, 1})});
    V = cat({V, bias_v.repeat({1, Batch, 1})});
    OneMore();
  }
  K = ByHead(K);
  V = ByHead(V);
  if (options.add_zero_attn()) {
    const Tensor Zero = zeros({Batch * Heads, 1, Each}, K.options());
    K = cat({K, Zero}, 1);
    V = cat({V, Zero}, 1);
    OneMore();
  }
  const int64_t From = K.size(1);
  Tensor Weights = Q.bmm(K.transpose(1, 2));
  if (Mask.defined()) {
    if (Mask.dim() == 2)
      Mask = Mask.unsqueeze(0);
    if (Mask.scalar_type() == kBool)
      Weights.masked_fill_(Mask, Nothing);
    else
      Weights.add_(Mask);
  }
  if (Padding.defined())
    Weights = Weights.view({Batch, Heads, Time, From})
                  .masked_fill(Padding.to(kBool).unsqueeze(1).unsqueeze(2),
                               Nothing)
                  .view({Batch * Heads, Time, From});
  Weights = dropout(Weights.softmax(-1), options.dropout(), is_training());
  const Tensor Out = out_proj->forward(
      Weights.bmm(V).transpose(0, 1).contiguous().view({Time, Batch, E}));
  if (!need_weights)
    return {Out, Tensor()};
  Weights = Weights.view({Batch, Heads, Time, From});
  return {Out, average_attn_weights ? Weights.sum(1).div(Heads) : Weights};
}
Tensor Activation::operator()(const Tensor &X) const {
  if (Function)
    return Function(X);
  return Name == kGELU ? gelu(X) : X.relu();
}
void TransformerEncoderLayerImpl::reset() {
  const int64_t E = options.d_model(), Wide = options.dim_feedforward();
  self_attn = register_module(
      "self_attn",
      MultiheadAttention(MultiheadAttentionOptions(E, options.nhead())
                             .dropout(options.dropout())));
  linear1 = register_module("linear1", Linear(E, Wide));
  dropout = register_module("dropout", Dropout(options.dropout()));
  linear2 = register_module("linear2", Linear(Wide, E));
  const LayerNormOptions Shape(std::vector<int64_t>{E});
  norm1 = register_module("norm1", LayerNorm(Shape));
  norm2 = register_module("norm2", LayerNorm(Shape));
  dropout1 = register_module("dropout1", Dropout(options.dropout()));
  dropout2 = register_module("dropout2", Dropout(options.dropout()));
}
void TransformerEncoderLayerImpl::reset_parameters() {
  linear1->reset_parameters();
  linear2->reset_parameters();
  norm1->reset_parameters();
  norm2->reset_parameters();
}
Tensor
TransformerEncoderLayerImpl::forward(const Tensor &src, const Tensor &src_mask,
                                     const Tensor &src_key_padding_mask) {
  Tensor X = std::get<0>(
      self_attn->forward(src, src, src, src_key_padding_mask, true, src_mask));
  X = norm1(src.add(dropout1(X)));
  return norm2(X.add(
      dropout2(linear2(dropout(options.activation()(linear1->forward(X)))))));
}
void TransformerDecoderLayerImpl::reset() {
  const int64_t E = options.d_model(), Wide = options.dim_feedforward();
  const auto Attention = MultiheadAttentionOptions(E, options.nhead())
                             .dropout(options.dropout());
  const LayerNormOptions Shape(std::vector<int64_t>{E});
  self_attn = register_module("self_attn", MultiheadAttention(Attention));
  multihead_attn =
      register_module("multihead_attn", MultiheadAttention(Attention));
  linear1 = register_module("linear1", Linear(E, Wide));
  dropout = register_module("dropout", Dropout(options.dropout()));
  linear2 = register_module("linear2", Linear(Wide, E));
  norm1 = register_module("norm1", LayerNorm(Shape));
  norm2 = register_module("norm2", LayerNorm(Shape));
  norm3 = register_module("norm3", LayerNorm(Shape));
  dropout1 = register_module("dropout1", Dropout(options.dropout()));
  dropout2 = register_module("dropout2", Dropout(options.dropout()));
  dropout3 = register_module("dropout3", Dropout(options.dropout()));
}
void TransformerDecoderLayerImpl::reset_parameters() {
  linear1->reset_parameters();
  linear2->reset_parameters();
  norm1->reset_parameters();
  norm2->reset_parameters();
  norm3->reset_parameters();
}
Tensor TransformerDecoderLayerImpl::forward(
    Tensor tgt, const Tensor &memory, const Tensor &tgt_mask,
    const Tensor &memory_mask, const Tensor &tgt_key_padding_mask,
    const Tensor &memory_key_padding_mask) {
  Tensor X = norm1(tgt.add(dropout1(std::get<0>(self_attn->forward(
      tgt, tgt, tgt, tgt_key_padding_mask, false, tgt_mask)))));
  X = norm2(X.add(dropout2(std::get<0>(multihead_attn->forward(
      X, memory, memory, memory_key_padding_mask, false, memory_mask)))));
  return norm3(X.add(
      dropout3(linear2(dropout(options.activation()(linear1->forward(X)))))));
}
void TransformerEncoderImpl::reset() {
  layers = register_module("layers", ModuleList());
  for (int64_t K = 0; K < options.num_layers(); ++K)
    layers->push_back(options.encoder_layer()->clone());
  norm = options.norm();
  if (!norm.is_empty())
    register_module("norm", norm.ptr());
}
Tensor TransformerEncoderImpl::forward(const Tensor &src,
                                       const Tensor &src_mask,
                                       const Tensor &src_key_padding_mask) {
  Tensor X = src;
  for (const auto &L : *layers)
    X = L->as<TransformerEncoderLayerImpl>()->forward(X, src_mask,
                                                      src_key_padding_mask);
  return norm.is_empty() ? X : norm.forward(X);
}

void TransformerDecoderImpl::reset() {
  layers = register_module("layers", ModuleList());
  for (int64_t K = 0; K < options.num_layers(); ++K)
    layers->push_back(options.decoder_layer()->clone());
  norm = options.norm();
  if (!norm.is_empty())
    register_module("norm", norm.ptr());
}
Tensor TransformerDecoderImpl::forward(const Tensor &tgt, const Tensor &memory,
                                       const Tensor &tgt_mask,
                                       const Tensor &memory_mask,
                                       const Tensor &tgt_key_padding_mask,
                                       const Tensor &memory_key_padding_mask) {
  Tensor X = tgt;
  for (const auto &L : *layers)
    X = L->as<TransformerDecoderLayerImpl>()->forward(
        X, memory, tgt_mask, memory_mask, tgt_key_padding_mask,
        memory_key_padding_mask);
  return norm.is_empty() ? X : norm.forward(X);
}
void TransformerImpl::reset() {
  const auto &O = options;
  const LayerNormOptions Shape(std::vector<int64_t>{O.d_model()});
  auto Like = [&](auto Layer) {
    return Layer.dim_feedforward(O.dim_feedforward())
        .dropout(O.dropout())
        .activation(O.activation());
  };
  encoder = O.custom_encoder().clone();
  if (encoder.is_empty()) {
    const LayerNorm Norm(Shape);
    encoder = AnyModule(TransformerEncoder(
        TransformerEncoderOptions(
            Like(TransformerEncoderLayerOptions(O.d_model(), O.nhead())),
            O.num_encoder_layers())
            .norm(AnyModule(Norm))));
  }
  register_module("encoder", encoder.ptr());
  decoder = O.custom_decoder().clone();
  if (decoder.is_empty()) {
    const LayerNorm Norm(Shape);
    decoder = AnyModule(TransformerDecoder(
        TransformerDecoderOptions(
            Like(TransformerDecoderLayerOptions(O.d_model(), O.nhead())),
            O.num_decoder_layers())
            .norm(AnyModule(Norm))));
  }
  register_module("decoder", decoder.ptr());
  reset_parameters();
}
void TransformerImpl::reset_parameters() {
  for (const Tensor &P : parameters())
    if (P.dim() > 1)
      init::xavier_uniform_(P);
}
Tensor TransformerImpl::forward(const Tensor &src, const Tensor &tgt,
                                const Tensor &src_mask, const Tensor &tgt_mask,
                                const Tensor &memory_mask,
                                const Tensor &src_key_padding_mask,
                                const Tensor &tgt_key_padding_mask,
                                const Tensor &memory_key_padding_mask) {
  if (src.dim() != 3 || tgt.dim() != 3 || src.size(1) != tgt.size(1) ||
      src.size(2) != options.d_model() || tgt.size(2) != options.d_model())
    throw Error("Transformer: source and target must be [time, samples, " +
                std::to_string(options.d_model()) + "] of as many samples");
  const Tensor Memory =
      encoder.forward(src, src_mask, src_key_padding_mask);
  return decoder.forward(tgt, Memory, tgt_mask, memory_mask,
                         tgt_key_padding_mask, memory_key_padding_mask);
}
Tensor TransformerImpl::generate_square_subsequent_mask(int64_t sz) {
  return full({sz, sz}, -std::numeric_limits<double>::infinity()).triu(1);
}

} // namespace tensortidy::nn
