//===- networks.cpp - networks of modules, factors, lists -----------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Modules of one's own and libtorch's, in training and not, saved and loaded;
// an attention block; recurrent layers; factors of matrices; lists, references
// and scalars.
//
//===----------------------------------------------------------------------===//

#include "programs.h"

// a module, its parameters, forward
struct NetImpl : torch::nn::Module {
  NetImpl(int64_t in, int64_t hidden, int64_t out)
      : fc1(register_module("fc1", torch::nn::Linear(in, hidden))),
        fc2(register_module("fc2", torch::nn::Linear(torch::nn::LinearOptions(hidden, out).bias(false)))) {
    scale = register_parameter("scale", torch::ones({out}));
    count = register_buffer("count", torch::zeros({1}));
  }
  torch::Tensor forward(torch::Tensor x) {
    x = torch::relu(fc1->forward(x));
    x = torch::dropout(x, 0.5, is_training());
    return fc2(x) * scale;
  }
  torch::nn::Linear fc1{nullptr}, fc2{nullptr};
  torch::Tensor scale, count;
};
TORCH_MODULE(Net);
void ownModule() {
  torch::manual_seed(0);
  Net net(4, 3, 2);
  net->eval();
  torch::NoGradGuard g;
  for (const auto &p : net->named_parameters())
    std::cout << p.key() << " " << p.value().sizes() << "\n";
  for (auto &p : net->parameters())
    std::cout << p << "\n";
  for (const auto &b : net->named_buffers())
    std::cout << b.key() << b.value() << "\n";
  std::cout << net->forward(torch::ones({2, 4})) << "\n" << net << "\n";
  for (auto &m : net->named_modules())
    std::cout << m.key() << ":" << m.value()->name() << "\n";
  for (auto &m : net->children())
    std::cout << m->name() << "\n";
  net->train();
  std::cout << net->is_training() << net->fc1->is_training() << "\n";
  net->to(torch::kDouble);
  std::cout << net->fc1->weight.dtype() << net->scale.dtype() << "\n";
  net->to(torch::kCPU);
  net->zero_grad();
  int64_t n = 0;
  for (const auto &p : net->parameters())
    n += p.numel();
  std::cout << n << "\n";
  std::cout << net->named_parameters()["fc1.weight"].sizes() << net->named_parameters().contains("nope")
            << net->parameters().size() << "\n";
  net->apply([](torch::nn::Module &m) {
    if (auto *l = m.as<torch::nn::Linear>()) {
      torch::NoGradGuard ng;
      l->weight.fill_(0.5);
    }
  });
  std::cout << net->fc1->weight << "\n";
}

// Sequential CNN
void layers() {
  torch::manual_seed(1);
  torch::nn::Sequential seq(torch::nn::Conv2d(torch::nn::Conv2dOptions(1, 4, 3).stride(1).padding(1)),
                            torch::nn::BatchNorm2d(4), torch::nn::ReLU(), torch::nn::MaxPool2d(2), torch::nn::Flatten(),
                            torch::nn::Linear(4 * 4 * 4, 10), torch::nn::LogSoftmax(1));
  seq->eval();
  torch::NoGradGuard ng;
  auto x = torch::rand({2, 1, 8, 8});
  auto y = seq->forward(x);
  std::cout << y << "\n" << y.argmax(1) << "\n" << seq << "\n";
  std::cout << seq->size() << seq->is_empty() << "\n";
  seq->push_back(torch::nn::Identity());
  std::cout << seq->size() << "\n";
  for (auto &p : seq->named_parameters())
    std::cout << p.key() << p.value().sizes() << "\n";
  for (auto &b : seq->named_buffers())
    std::cout << b.key() << b.value().sizes() << "\n";
  seq->train();
  seq->forward(x);
  std::cout << seq->named_buffers()["1.running_mean"] << seq->named_buffers()["1.num_batches_tracked"] << "\n";
  torch::nn::Sequential named({{"a", torch::nn::Linear(2, 3)}, {"act", torch::nn::Tanh()}});
  std::cout << named << named->forward(torch::ones({1, 2})).sizes() << "\n";
  auto lin = seq->ptr<torch::nn::LinearImpl>(5);
  std::cout << lin->options.in_features() << "\n";
  torch::nn::ModuleList ml(torch::nn::Linear(2, 2), torch::nn::Linear(2, 1));
  auto z = torch::ones({1, 2});
  for (const auto &m : *ml)
    z = m->as<torch::nn::Linear>()->forward(z);
  std::cout << z.sizes() << ml->size() << "\n";
  torch::nn::Sequential s2;
  s2->push_back("first", torch::nn::Linear(1, 1));
  s2->push_back(torch::nn::Functional(torch::relu));
  std::cout << s2->forward(torch::ones({1, 1})).sizes() << "\n";
}

// transformer block
struct AttentionImpl : torch::nn::Module {
  AttentionImpl(int64_t d, int64_t h)
      : h_(h), qkv(register_module("qkv", torch::nn::Linear(d, 3 * d))),
        proj(register_module("proj", torch::nn::Linear(d, d))) {}
  torch::Tensor forward(const torch::Tensor &x) {
    auto B = x.size(0), T = x.size(1), C = x.size(2);
    auto p = qkv(x).chunk(3, -1);
    auto f = [&](torch::Tensor t) { return t.view({B, T, h_, C / h_}).transpose(1, 2); };
    auto q = f(p[0]), k = f(p[1]), v = f(p[2]);
    auto a = torch::matmul(q, k.transpose(-2, -1)) / std::sqrt(double(C / h_));
    a = a.masked_fill(torch::ones({T, T}, torch::kBool).triu(1), -std::numeric_limits<float>::infinity());
    return proj(torch::softmax(a, -1).matmul(v).transpose(1, 2).contiguous().view({B, T, C}));
  }
  int64_t h_;
  torch::nn::Linear qkv, proj;
};
TORCH_MODULE(Attention);
struct BlockImpl : torch::nn::Module {
  BlockImpl(int64_t d, int64_t h)
      : ln1(torch::nn::LayerNormOptions({d})), ln2(torch::nn::LayerNormOptions({d}).eps(1e-6)), attn(d, h) {
    register_module("ln1", ln1);
    register_module("ln2", ln2);
    register_module("attn", attn);
    mlp = register_module("mlp", torch::nn::Sequential(torch::nn::Linear(d, 4 * d), torch::nn::GELU(),
                                                       torch::nn::Linear(4 * d, d), torch::nn::Dropout(0.1)));
  }
  torch::Tensor forward(torch::Tensor x) {
    x = x + attn(ln1(x));
    return x + mlp->forward(ln2(x));
  }
  torch::nn::LayerNorm ln1, ln2;
  Attention attn;
  torch::nn::Sequential mlp{nullptr};
};
TORCH_MODULE(Block);
void transformerBlock() {
  torch::manual_seed(5);
  torch::InferenceMode im;
  Block b(8, 2);
  b->eval();
  torch::nn::Embedding emb(10, 8);
  auto x = emb(torch::tensor({{1, 2, 3}, {4, 5, 6}}));
  std::cout << b(x) << "\n" << b << "\n" << emb << "\n";
  torch::nn::init::xavier_uniform_(b->attn->proj->weight);
  torch::nn::init::constant_(b->attn->proj->bias, 0.1);
  torch::nn::init::normal_(emb->weight, 0, 0.02);
  std::cout << b->forward(emb->forward(torch::tensor({{0}}))) << "\n";
}

// lstm, gru, modules with state
void layersOverTime() {
  torch::manual_seed(4);
  torch::NoGradGuard ng;
  torch::nn::LSTM lstm(torch::nn::LSTMOptions(3, 4).num_layers(2).batch_first(true));
  auto [out, st] = lstm->forward(torch::ones({2, 5, 3}));
  auto [h, c] = st;
  std::cout << out << h << c.sizes() << "\n" << lstm << "\n";
  torch::nn::GRU gru(torch::nn::GRUOptions(3, 2).bidirectional(true));
  auto [o2, h2] = gru(torch::rand({4, 1, 3}));
  std::cout << o2 << h2 << "\n";
  torch::nn::RNN rnn(torch::nn::RNNOptions(2, 2).nonlinearity(torch::kReLU));
  std::cout << std::get<0>(rnn(torch::ones({1, 1, 2}))) << "\n";
  torch::nn::LSTMCell cell(3, 2);
  auto [hh, cc] = cell(torch::ones({1, 3}));
  std::cout << hh << cc << "\n";
  torch::nn::GRUCell gc(3, 2);
  std::cout << gc(torch::ones({1, 3})) << "\n";
  for (auto &p : lstm->named_parameters())
    std::cout << p.key() << p.value().sizes() << "\n";
  torch::nn::Dropout d(0.5);
  d->eval();
  std::cout << d(torch::ones({3})) << d << "\n";
  torch::nn::CrossEntropyLoss ce;
  std::cout << ce(torch::ones({1, 3}), torch::tensor({1})) << "\n";
  torch::nn::MSELoss mse;
  std::cout << mse->forward(torch::ones({2}), torch::zeros({2})) << "\n";
  torch::nn::ConvTranspose2d ct(torch::nn::ConvTranspose2dOptions(1, 2, 2).stride(2));
  std::cout << ct(torch::ones({1, 1, 2, 2})) << ct << "\n";
  torch::nn::AdaptiveAvgPool2d ap(1);
  std::cout << ap(torch::ones({1, 2, 3, 3})) << ap << "\n";
  torch::nn::GroupNorm gn(2, 4);
  std::cout << gn(torch::rand({1, 4, 2})) << "\n";
  torch::nn::Upsample up(torch::nn::UpsampleOptions().scale_factor(std::vector<double>({2, 2})).mode(torch::kNearest));
  std::cout << up(torch::ones({1, 1, 1, 1})) << "\n";
  torch::nn::MultiheadAttention mha(4, 2);
  auto q = torch::rand({3, 1, 4});
  std::cout << std::get<0>(mha(q, q, q)) << "\n";
  torch::nn::PReLU pr;
  torch::nn::ZeroPad2d zp(1);
  torch::nn::Softmax sm(1);
  std::cout << pr(torch::tensor({-1.f})) << zp(torch::ones({1, 1, 1, 1})) << sm(torch::ones({1, 2})) << "\n";
  torch::nn::InstanceNorm2d in(2);
  torch::nn::AvgPool2d avp(2);
  torch::nn::Unflatten uf(torch::nn::UnflattenOptions(1, {2, 2}));
  torch::nn::Bilinear bl(2, 2, 1);
  torch::nn::CosineSimilarity cs;
  torch::nn::LeakyReLU lr(torch::nn::LeakyReLUOptions().negative_slope(0.3));
  std::cout << lr(torch::tensor({-1.f})) << lr << avp << in << "\n";
}

// save and load of modules, parameter dicts
struct MImpl : torch::nn::Module {
  MImpl() : l(register_module("l", torch::nn::Linear(2, 2))), bn(register_module("bn", torch::nn::BatchNorm1d(2))) {
    w = register_parameter("w", torch::arange(3).to(torch::kFloat));
  }
  torch::nn::Linear l;
  torch::nn::BatchNorm1d bn;
  torch::Tensor w;
};
TORCH_MODULE(M);
void savedModules() {
  torch::manual_seed(1);
  M a;
  torch::save(a, "/tmp/tensortidy-module.pt");
  M b;
  torch::load(b, "/tmp/tensortidy-module.pt");
  for (auto &p : b->named_parameters())
    std::cout << p.key() << p.value() << "\n";
  for (auto &p : b->named_buffers())
    std::cout << p.key() << p.value() << "\n";
  std::stringstream ss;
  torch::save(torch::eye(2), ss);
  torch::Tensor t;
  torch::load(t, ss);
  std::cout << t << "\n";
  std::vector<torch::Tensor> v{torch::ones({1}), torch::zeros({2}, torch::kLong)}, u;
  torch::save(v, "/tmp/tensortidy-tensors.pt");
  torch::load(u, "/tmp/tensortidy-tensors.pt");
  std::cout << u << "\n";
  torch::serialize::OutputArchive oa;
  oa.write("x", torch::ones({2}));
  oa.write("n", torch::tensor(5));
  oa.save_to("/tmp/tensortidy-archive.pt");
  torch::serialize::InputArchive ia;
  ia.load_from("/tmp/tensortidy-archive.pt");
  torch::Tensor x;
  ia.read("x", x);
  std::cout << x << ia.try_read("zz", x) << "\n";
  {
    torch::NoGradGuard g;
    torch::nn::Linear l1(2, 2), l2(2, 2);
    for (size_t i = 0; i < l1->parameters().size(); ++i)
      l2->parameters()[i].copy_(l1->parameters()[i]);
    std::cout << torch::equal(l1->weight, l2->weight) << "\n";
    auto c = l1->clone();
    c->as<torch::nn::Linear>()->weight.zero_();
    std::cout << l1->weight.abs().sum().item<float>() << "\n";
  }
  try {
    torch::load(t, "/tmp/tensortidy-none.pt");
  } catch (const c10::Error &e) {
    std::cout << "Error\n";
  }
}

#if __has_include(<tensortidy/torch.h>)
#include <tensortidy/torch.h>
#else
#include <torch/torch.h>
#endif
// linalg
void factors() {
  torch::manual_seed(3);
  auto A = torch::rand({3, 3}, torch::kDouble);
  auto S = A.matmul(A.t()) + torch::eye(3, torch::kDouble);
  auto b = torch::rand({3, 2}, torch::kDouble);
  std::cout << torch::det(A) << torch::linalg_det(S) << "\n"
            << torch::inverse(S) << "\n"
            << torch::linalg_inv(S) << "\n";
  auto sl = torch::slogdet(S);
  std::cout << std::get<0>(sl) << std::get<1>(sl) << "\n" << torch::linalg_solve(S, b) << "\n";
  auto L = torch::linalg_cholesky(S);
  std::cout << L << "\n" << torch::cholesky_solve(b, L) << "\n";
  auto [Q, R] = torch::linalg_qr(A);
  std::cout << torch::allclose(Q.matmul(R), A) << "\n";
  auto [U, s, V] = torch::svd(A);
  std::cout << s << torch::allclose(U.matmul(s.diag()).matmul(V.t()), A) << "\n";
  auto [u2, s2, vh] = torch::linalg_svd(A, false);
  std::cout << s2 << torch::linalg_svdvals(A) << "\n";
  auto [w, v] = torch::linalg_eigh(S);
  std::cout << w << v.abs() << torch::linalg_eigvalsh(S) << "\n";
  std::cout << torch::linalg_norm(A) << torch::linalg_norm(A, "fro") << torch::linalg_norm(A, 1)
            << torch::linalg_vector_norm(A, 3) << torch::linalg_matrix_norm(A, "nuc") << torch::norm(A)
            << torch::norm(A, 1) << A.norm(2, 1) << torch::frobenius_norm(A, {0, 1}) << torch::nuclear_norm(A) << "\n";
  std::cout << torch::matrix_power(A, 3) << torch::linalg_matrix_power(A, -1) << torch::matrix_exp(A)
            << torch::linalg_pinv(A) << torch::pinverse(A.slice(1, 0, 2)) << torch::linalg_matrix_rank(A)
            << torch::linalg_cond(A) << "\n";
  std::cout << torch::chain_matmul({A, S, b}) << torch::linalg_multi_dot({A, S, b}) << torch::trace(A)
            << torch::kron(A.slice(0, 0, 1), b.slice(0, 0, 1)) << torch::cross(A[0], A[1], 0)
            << torch::outer(A[0], A[1]) << torch::ger(A[0], b.select(1, 0)) << "\n";
  auto [LU, piv] = torch::linalg_lu_factor(A);
  std::cout << LU << piv << "\n";
  auto [P, L2, U2] = torch::linalg_lu(A);
  std::cout << P << L2 << U2 << torch::linalg_lu_solve(LU, piv, b) << "\n";
  auto [iv, info] = torch::linalg_inv_ex(A);
  std::cout << iv << info << "\n";
  auto [cl, info2] = torch::linalg_cholesky_ex(S);
  std::cout << cl << info2 << "\n";
  auto [p3, l3, u3] = torch::lu_unpack(LU, piv);
  std::cout << l3 << "\n";
  std::cout << torch::lu_solve(b, LU, piv) << "\n";
  auto [sx, si] = torch::linalg_solve_ex(S, b);
  std::cout << sx << si << "\n";
  std::cout << torch::linalg_tensorsolve(torch::eye(6, torch::kDouble).reshape({2, 3, 6}),
                                         torch::arange(6).to(torch::kDouble).view({2, 3}))
            << torch::linalg_tensorinv(torch::eye(6, torch::kDouble).reshape({2, 3, 6}), 2).sizes()
            << torch::linalg_solve_triangular(L, b, false) << std::get<0>(torch::triangular_solve(b, L, false)) << "\n";
  auto [sol, res, rank, sv] = torch::linalg_lstsq(A, b);
  std::cout << sol << res << rank << sv << "\n";
  auto [qa, tau] = torch::geqrf(A);
  std::cout << torch::linalg_householder_product(qa, tau) << torch::orgqr(qa, tau) << "\n";
  std::cout << torch::cholesky_inverse(L) << torch::logdet(S) << torch::tensordot(A, b, {1}, {0})
            << torch::einsum("ij,jk->ik", {A, b})
            << torch::bilinear(torch::ones({2, 3}, torch::kDouble), torch::ones({2, 3}, torch::kDouble), A.unsqueeze(0),
                               c10::nullopt)
            << "\n";
}

#if __has_include(<tensortidy/torch.h>)
#include <tensortidy/torch.h>
#else
#include <torch/torch.h>
#endif
// lists, refs, scalars
int64_t prod(at::IntArrayRef s) {
  int64_t p = 1;
  for (auto v : s)
    p *= v;
  return p;
}
at::Tensor first(at::TensorList l) {
  TORCH_CHECK(!l.empty());
  return l.front();
}
std::string show(c10::optional<int64_t> o) { return o.has_value() ? std::to_string(*o) : "none"; }
void lists() {
  std::vector<int64_t> v{2, 3};
  std::cout << prod(v) << prod({4, 5}) << prod(torch::ones({2, 2}).sizes()) << "\n";
  std::cout << show(3) << show(c10::nullopt) << show({}) << "\n";
  c10::SmallVector<int64_t, 4> sv;
  for (int i = 0; i < 6; ++i)
    sv.push_back(i);
  sv.pop_back();
  sv.append(2, 9);
  sv.insert(sv.begin(), 7);
  sv.resize(9, 1);
  sv.emplace_back(5);
  std::cout << at::IntArrayRef(sv) << sv.size() << sv.back() << sv.front() << " " << sv.empty() << "\n";
  sv.erase(sv.begin());
  std::cout << c10::IntArrayRef(sv.data(), 3) << "\n";
  c10::SmallVector<int64_t, 2> s2(sv.begin(), sv.end()), s3{1, 2}, s4(3, 8);
  std::cout << s2.size() << s3[1] << s4[2] << (s3 == s4) << sv.pop_back_val() << "\n";
  s3.assign(4, 6);
  std::cout << at::IntArrayRef(s3) << "\n";
  at::DimVector dv(v.begin(), v.end());
  std::cout << torch::zeros(dv).sizes() << "\n";
  auto f = [](c10::SmallVectorImpl<int64_t> &o) { o.push_back(3); };
  f(s3);
  std::cout << s3.size() << "\n";
  c10::List<int64_t> li({1, 2, 3});
  li.push_back(4);
  std::cout << li.size() << li.get(0) << li[3] << " ";
  for (int64_t q : li)
    std::cout << q;
  li.set(0, 9);
  std::cout << li.vec() << "\n";
  c10::List<at::Tensor> lt;
  lt.push_back(torch::ones({2}));
  lt.emplace_back(torch::zeros({1}));
  std::cout << lt.size() << lt.get(0) << "\n";
  std::cout << li.empty() << li.extract(1) << "\n";
  for (size_t i = 0; i < lt.size(); ++i)
    std::cout << lt.get(i).sizes();
  li.clear();
  std::cout << li.size() << "\n";
  c10::Dict<std::string, int64_t> d;
  d.insert("a", 1);
  d.insert_or_assign("b", 2);
  std::cout << d.size() << d.at("a") << d.contains("c") << "\n";
  std::vector<at::Tensor> ts{torch::ones({1}), torch::zeros({2})};
  std::cout << first(ts) << first({ts[1]}) << at::TensorList(ts).slice(1)[0] << at::TensorList(ts).size() << "\n";
  auto r = at::IntArrayRef(v);
  std::cout << r.vec() << r.slice(1) << r.equals({2, 3}) << (r == at::IntArrayRef({2, 3})) << r.front() << r.back()
            << r.at(1) << "\n";
  std::cout << at::makeArrayRef(v) << c10::makeArrayRef(5) << "\n";
  std::array<int64_t, 2> arr{1, 2};
  std::cout << at::IntArrayRef(arr) << std::accumulate(r.begin(), r.end(), 0) << "\n";
  at::Scalar s = 5, t = 2.5, b = true;
  std::cout << s.toInt() << s.to<double>() << t.to<float>() << t.toDouble() << b.toBool() << s.isIntegral(false)
            << b.isIntegral(true) << b.isBoolean() << t.isFloatingPoint() << s.type() << t.type() << b.type()
            << (-s).toLong() << s.equal(5) << "\n";
  std::cout << torch::ones({2}).mul(s).add(t) << torch::tensor(5).item().to<int>()
            << torch::ones({1}).item().isFloatingPoint() << "\n";
  c10::optional<at::Tensor> ot;
  std::cout << ot.has_value() << (ot ? 1 : 0) << ot.value_or(torch::ones({1})) << "\n";
  ot = torch::zeros({2});
  std::cout << ot->sizes() << (*ot).dim() << ot.value().numel() << "\n";
  ot.reset();
  ot.emplace(torch::ones({3}));
  std::cout << ot->numel() << "\n";
  auto mo = c10::make_optional<int64_t>(4);
  std::cout << *mo << "\n";
  at::OptionalIntArrayRef oi;
  std::cout << oi.has_value() << torch::ones({2, 2}).sum(oi) << "\n";
  c10::optional<at::IntArrayRef> oa(r);
  std::cout << torch::ones({2, 3}).sum(at::OptionalIntArrayRef(at::IntArrayRef({0, 1}))) << "\n";
  const double pair[] = {1.5, 2.5};
  c10::ArrayRef<double> da(pair);
  std::cout << da << da.size() << "\n";
  c10::string_view svw = "hello";
  std::cout << svw << svw.size() << (svw == "hello") << svw.substr(1, 2) << "\n";
  std::cout << c10::str("a", 1, 2.5, torch::kInt) << "\n";
  std::cout << c10::toString(at::kFloat) << c10::elementSize(at::kDouble) << c10::isFloatingType(at::kHalf)
            << c10::isIntegralType(at::kBool, true) << c10::promoteTypes(at::kInt, at::kFloat)
            << at::promote_types(at::kHalf, at::kFloat) << at::result_type(torch::ones({1}), 2)
            << at::can_cast(at::kFloat, at::kInt) << c10::CppTypeToScalarType<double>::value
            << c10::scalarTypeToTypeMeta(at::kInt) << caffe2::TypeMeta::Make<float>()
            << torch::typeMetaToScalarType(torch::ones({1}).dtype()) << "\n";
  std::tuple<at::Tensor, at::Tensor> tp = torch::max(torch::tensor({{1, 5}, {7, 2}}), 1);
  auto [a1, a2] = tp;
  std::cout << a1 << a2 << std::get<0>(tp) << "\n";
  at::Half h = 1.5f;
  at::BFloat16 bf(2.5f);
  c10::Half h2 = h * h;
  std::cout << h2 << " " << float(bf) << " " << float(h + 1) << (h < h2) << "\n";
  std::cout << std::numeric_limits<at::Half>::max() << float(std::numeric_limits<c10::BFloat16>::lowest()) << "\n";
}
