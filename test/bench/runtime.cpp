// How fast the runtime is, beside libtorch and the physical limit, in the same
// run and on one thread. README.md says how to run it and how to read it.
//
#include "../libtorch.h"
#include "Beside.h"
#include <ATen/Parallel.h>
#include <cstdio>
#include <random>
#include <string>

extern "C" void sgemm_(const char *, const char *, const int *, const int *,
                       const int *, const float *, const float *, const int *,
                       const float *, const int *, const float *, float *,
                       const int *);
extern "C" void openblas_set_num_threads(int) __attribute__((weak));

namespace {

double Seconds = 0.5; // for each row
std::vector<std::string> Only;
int Missed = 0, Swept = 0;
unsigned Seed = 1;

struct Target {
  double VersusTorch; ///< at most this times libtorch's time
  double VersusLimit; ///< and this times the limit's; 0 for none
};

/// Whether a row of this name was asked for.
bool wanted(const std::string &Name) {
  return Only.empty() ||
         std::any_of(Only.begin(), Only.end(), [&](const std::string &Part) {
           return Name.find(Part) != std::string::npos;
         });
}

/// One row: ours, libtorch's, the limit's (may be empty). A row that misses its
/// target is measured anew, for longer. What libtorch refuses has none.
void row(const std::string &Name, const Work &Ours, const Work &Torch,
         const Work &Limit, Target T) {
  if (!wanted(Name))
    return;
  try {
    Torch();
  } catch (const c10::Error &) {
    return;
  }
  std::vector<const Work *> All{&Ours, &Torch};
  if (Limit)
    All.push_back(&Limit);
  std::vector<double> Best = bests(All, Seconds);
  auto Meets = [&] {
    return Best[0] / Best[1] <= T.VersusTorch &&
           (T.VersusLimit == 0 || Best[0] / Best[2] <= T.VersusLimit);
  };
  if (!Meets())
    Best = bests(All, 4 * Seconds);
  const double VersusTorch = Best[0] / Best[1], VersusLimit = Best[0] / Best[2];
  const bool Met = Meets();
  Missed += !Met;
  auto Time = [](double Ns) {
    char Text[32];
    std::snprintf(Text, sizeof Text, Ns < 1e4 ? "%.1f ns" : "%.3f ms",
                  Ns < 1e4 ? Ns : Ns / 1e6);
    return std::string(Text);
  };
  char Limits[32] = "";
  if (Limit)
    std::snprintf(Limits, sizeof Limits, "%.2f", VersusLimit);
  std::printf("| %-44s | %11s | %11s | %11s | %5.2f | %5s | %s |\n",
              Name.c_str(), Time(Best[0]).c_str(), Time(Best[1]).c_str(),
              Limit ? Time(Best[2]).c_str() : "", VersusTorch, Limits,
              Met ? "met" : "MISSED");
  std::fflush(stdout);
}

Work copyOf(int64_t Bytes) {
  auto From = std::make_shared<std::vector<char>>(Bytes, 1);
  auto To = std::make_shared<std::vector<char>>(Bytes, 2);
  return [=] {
    std::memcpy(To->data(), From->data(), static_cast<size_t>(Bytes));
    keep(*To);
  };
}

void views() {
  const Pair X({4, 8, 16, 32});
  const Target Five{0.2, 0};
  row(
      "permute({0, 2, 1, 3})", [&] { keep(X.A.permute({0, 2, 1, 3})); },
      [&] { keep(X.B.permute({0, 2, 1, 3})); }, {}, Five);
  row(
      "transpose(1, 2)", [&] { keep(X.A.transpose(1, 2)); },
      [&] { keep(X.B.transpose(1, 2)); }, {}, Five);
  row(
      "select(1, 3)", [&] { keep(X.A.select(1, 3)); },
      [&] { keep(X.B.select(1, 3)); }, {}, Five);
  row(
      "view({32, 512})", [&] { keep(X.A.view({32, 512})); },
      [&] { keep(X.B.view({32, 512})); }, {}, Five);
  row(
      "slice(1, 2, 6)", [&] { keep(X.A.slice(1, 2, 6)); },
      [&] { keep(X.B.slice(1, 2, 6)); }, {}, Five);
}

void copies() {
  auto Copy = [](const std::string &Name, std::vector<int64_t> Sizes,
                 std::vector<int64_t> Order) {
    const Pair X(std::move(Sizes));
    const tt::Tensor A = X.A.permute(Order);
    const at::Tensor B = X.B.permute(Order);
    row(
        Name, [&] { keep(A.contiguous()); }, [&] { keep(B.contiguous()); },
        copyOf(static_cast<int64_t>(X.A.nbytes())), {1, 1.5});
  };
  Copy("contiguous() of transposed 4096x4096", {4096, 4096}, {1, 0});
  Copy("NHWC to NCHW, 16x112x112x64", {16, 112, 112, 64}, {0, 3, 1, 2});
  Copy("NCHW to NHWC, 16x64x112x112", {16, 64, 112, 112}, {0, 2, 3, 1});
  Copy("NHWC to NCHW, 8x224x224x3", {8, 224, 224, 3}, {0, 3, 1, 2});
  Copy("heads, 8x512x12x64 by 0,2,1,3", {8, 512, 12, 64}, {0, 2, 1, 3});
  std::mt19937 Engine(1);
  for (int I = 0; I < 6; ++I) {
    std::vector<int64_t> Sizes{24, 20, 28, 16, 32}, Order{0, 1, 2, 3, 4};
    std::shuffle(Sizes.begin(), Sizes.end(), Engine);
    std::shuffle(Order.begin(), Order.end(), Engine);
    std::string Name = "5-d";
    for (const int64_t S : Sizes)
      Name += " " + std::to_string(S);
    Name += " by ";
    for (const int64_t D : Order)
      Name += std::to_string(D) + (&D == &Order.back() ? "" : ",");
    Copy(Name, Sizes, Order);
  }
}

void elements() {
  const Target Equal{1.05, 0};
  const Pair X({1024, 1024}), Y({1024, 1024}), R({1024});
  auto Both = [&](const std::string &Name, auto F) {
    row(
        Name, [&, F] { keep(F(X.A, Y.A, R.A)); },
        [&, F] { keep(F(X.B, Y.B, R.B)); }, {}, Equal);
  };
  Both("a + b, contiguous", [](auto &A, auto &B, auto &) { return A + B; });
  Both("a * 2, contiguous", [](auto &A, auto &, auto &) { return A.mul(2); });
  Both("a.add_(b), contiguous", [](auto &A, auto &B, auto &) {
    auto C = A;
    C.add_(B);
    return C;
  });
  Pair Out({1024, 1024});
  row(
      "add_out(out, a, b), contiguous", [&] { tt::add_out(Out.A, X.A, Y.A); },
      [&] { at::add_out(Out.B, X.B, Y.B); }, {}, Equal);
  row(
      "exp_out(out, a), contiguous", [&] { tt::exp_out(Out.A, X.A); },
      [&] { at::exp_out(Out.B, X.B); }, {}, Equal);
  Both("relu, contiguous", [](auto &A, auto &, auto &) { return A.relu(); });
  Both("exp, contiguous", [](auto &A, auto &, auto &) { return A.exp(); });
  Both("tanh, contiguous", [](auto &A, auto &, auto &) { return A.tanh(); });
  Both("a < b, contiguous", [](auto &A, auto &B, auto &) { return A.lt(B); });
  Both("a + row, broadcast", [](auto &A, auto &, auto &V) { return A + V; });
  Both("a + column, broadcast",
       [](auto &A, auto &, auto &V) { return A + V.unsqueeze(1); });
  Both("a.t() + b", [](auto &A, auto &B, auto &) { return A.t() + B; });
  Both("a.t() + b.t()", [](auto &A, auto &B, auto &) { return A.t() + B.t(); });
  Both("a[:, ::2] + b[:, ::2]", [](auto &A, auto &B, auto &) {
    return A.slice(1, 0, 1024, 2) + B.slice(1, 0, 1024, 2);
  });
  Both("sum()", [](auto &A, auto &, auto &) { return A.sum(); });
  Both("sum(0)", [](auto &A, auto &, auto &) { return A.sum(0); });
  Both("sum(1)", [](auto &A, auto &, auto &) { return A.sum(1); });
  Both("t().sum(1)", [](auto &A, auto &, auto &) { return A.t().sum(1); });
  Both("[:, ::2].sum()",
       [](auto &A, auto &, auto &) { return A.slice(1, 0, 1024, 2).sum(); });
  Both("mean(1)", [](auto &A, auto &, auto &) { return A.mean(1); });
  Both("amax(0)", [](auto &A, auto &, auto &) { return A.amax(0); });
  Both("amax(1)", [](auto &A, auto &, auto &) { return A.amax(1); });
  Both("max()", [](auto &A, auto &, auto &) { return A.max(); });
  Both("argmax(1)", [](auto &A, auto &, auto &) { return A.argmax(1); });
  Both("var(1)", [](auto &A, auto &, auto &) {
    return A.var(std::vector<int64_t>{1}, true, false);
  });
  Both("softmax(1)", [](auto &A, auto &, auto &) { return A.softmax(1); });
  Both("cumsum(1)", [](auto &A, auto &, auto &) { return A.cumsum(1); });
}

/// The same on both libraries, which ours is to do in no more time.
template <class F>
void both(const std::string &Name, const Pair &X, const Pair &Y, F Run) {
  row(
      Name, [&] { keep(Run(X.A, Y.A)); }, [&] { keep(Run(X.B, Y.B)); }, {},
      {1.05, 0});
}

/// What a call costs beside its elements, and types other than float.
void sizesAndTypes() {
  auto Add = [](auto &A, auto &B) { return A + B; };
  auto Twice = [](auto &A, auto &) { return A.mul(2); };
  auto InPlace = [](auto &A, auto &B) {
    auto C = A;
    C.sub_(B);
    return C;
  };
  auto Relu = [](auto &A, auto &) { return A.relu(); };
  auto Sum = [](auto &A, auto &) { return A.sum(); };
  auto SumRows = [](auto &A, auto &) { return A.sum(1); };
  for (const int64_t N : {8, 64, 512, 4096, 65536, 262144}) {
    const Pair X({N / 8, 8}), Y({N / 8, 8}), R({8}), C({N / 8, 1});
    const std::string Of = " of [" + std::to_string(N / 8) + ", 8]";
    both("a + b" + Of, X, Y, Add);
    both("a * 2" + Of, X, Y, Twice);
    both("a.sub_(b)" + Of, X, Y, InPlace);
    both("relu" + Of, X, Y, Relu);
    both("a + row" + Of, X, R, Add);
    both("a + column" + Of, X, C, Add);
    both("a[:, ::2] * 2" + Of, X, Y,
         [](auto &A, auto &) { return A.slice(1, 0, 8, 2).mul(2); });
    both("sum()" + Of, X, Y, Sum);
    both("sum(1)" + Of, X, Y, SumRows);
    both("t().contiguous()" + Of, X, Y,
         [](auto &A, auto &) { return A.t().contiguous(); });
    both("clone" + Of, X, Y, [](auto &A, auto &) { return A.clone(); });
    both("empty_like" + Of, X, Y,
         [](auto &A, auto &) { return empty_like(A); });
  }
  for (const tt::ScalarType Type : {tt::kDouble, tt::kLong, tt::kInt, tt::kByte,
                                    tt::kHalf, tt::kBFloat16}) {
    const std::string Of = std::string(" of ") + tt::toString(Type);
    const Pair X({512, 512}, Type), Y({512, 512}, Type), R({512}, Type);
    const Pair F({512, 512});
    both("a + b" + Of, X, Y, Add);
    both("a * 2" + Of, X, Y, Twice);
    both("a < b" + Of, X, Y, [](auto &A, auto &B) { return A.lt(B); });
    both("a.t() + b" + Of, X, Y, [](auto &A, auto &B) { return A.t() + B; });
    both("a[:, ::2] + row" + Of, X, R, [](auto &A, auto &B) {
      return A.slice(1, 0, 512, 2) + B.slice(0, 0, 256);
    });
    both("to float" + Of, X, F,
         [](auto &A, auto &B) { return A.to(B.scalar_type()); });
    both("from float" + Of, X, F,
         [](auto &A, auto &B) { return B.to(A.scalar_type()); });
    both("sum()" + Of, X, Y, Sum);
    both("sum(0)" + Of, X, Y, [](auto &A, auto &) { return A.sum(0); });
    both("sum(1)" + Of, X, Y, SumRows);
    both("[:, ::3].sum(1)" + Of, X, Y,
         [](auto &A, auto &) { return A.slice(1, 0, 512, 3).sum(1); });
    both("amax(1)" + Of, X, Y, [](auto &A, auto &) { return A.amax(1); });
    both("t().contiguous()" + Of, X, Y,
         [](auto &A, auto &) { return A.t().contiguous(); });
  }
}

/// Operations beside those of the tables above, as models use them.
void others() {
  using List = std::vector<int64_t>;
  const Pair X({1024, 1024}), Y({1024, 1024}), R({1024}), C({1024, 1}),
      Bools({1024, 1024}, tt::kBool), Small({4});

  // One number a call.
  both("a + b of [4]", Small, Small, [](auto &A, auto &B) { return A + B; });
  both("a + 1 of [4]", Small, Small, [](auto &A, auto &) { return A + 1; });
  both("a.add_(1) of [4]", Small, Small, [](auto &A, auto &) {
    auto Z = A;
    return Z.add_(0);
  });
  both("a < b of [4]", Small, Small, [](auto &A, auto &B) { return A.lt(B); });
  both("a.sum() of [4]", Small, Small, [](auto &A, auto &) { return A.sum(); });
  both("a[1].item() of [4]", Small, Small,
       [](auto &A, auto &) { return A[1].template item<float>(); });
  both("cat({a, b}) of [4]", Small, Small, [](auto &A, auto &B) {
    return cat(std::vector<std::decay_t<decltype(A)>>{A, B}, 0);
  });
  both("a.copy_(b) of [4]", Small, Small, [](auto &A, auto &B) {
    auto Z = A;
    return Z.copy_(B);
  });

  // Broadcasting, in place and into other types.
  const Pair Changed({1024, 1024});
  auto Add = [](auto &A, auto &B) {
    auto Z = A;
    return Z.add_(B);
  };
  both("a.add_(row)", Changed, R, Add);
  both("a.add_(column)", Changed, C, Add);
  both("a + 1", X, Y, [](auto &A, auto &) { return A + 1; });
  both("a.mul_(1)", Changed, Y, [](auto &A, auto &) {
    auto Z = A;
    return Z.mul_(1);
  });
  both("a < row", X, R, [](auto &A, auto &B) { return A.lt(B); });
  both("a == column", X, C, [](auto &A, auto &B) { return A.eq(B); });
  both("row + column", R, C, [](auto &A, auto &B) { return A + B; });
  both("where(bool, a, b)", X, Bools,
       [](auto &A, auto &B) { return where(B, A, A); });
  both("where(bool, a, row)", X, Bools,
       [](auto &A, auto &B) { return where(B, A, A.select(0, 0)); });
  both("where(bool, a, 0)", X, Bools,
       [](auto &A, auto &B) { return where(B, A, 0.5); });
  both("masked_fill", X, Bools,
       [](auto &A, auto &B) { return A.masked_fill(B, 0); });
  both("clamp", X, Y, [](auto &A, auto &) { return A.clamp(0.2, 0.8); });
  both("a + b of slices [:, 1:]", X, Y, [](auto &A, auto &B) {
    return A.slice(1, 1, 1024) + B.slice(1, 1, 1024);
  });
  both("a + b, a expanded", R, Y, [](auto &A, auto &B) {
    return A.unsqueeze(1).expand({1024, 1024}) + B;
  });
  for (const char *Op :
       {"abs", "neg", "sqrt", "rsqrt", "reciprocal", "log", "log1p", "expm1",
        "sin", "sigmoid", "erf", "floor", "square"})
    both(Op, X, Y, [Op = std::string(Op)](auto &A, auto &) {
      return Op == "abs"          ? A.abs()
             : Op == "neg"        ? A.neg()
             : Op == "sqrt"       ? A.sqrt()
             : Op == "rsqrt"      ? A.rsqrt()
             : Op == "reciprocal" ? A.reciprocal()
             : Op == "log"        ? A.log()
             : Op == "log1p"      ? A.log1p()
             : Op == "expm1"      ? A.expm1()
             : Op == "sin"        ? A.sin()
             : Op == "sigmoid"    ? A.sigmoid()
             : Op == "erf"        ? A.erf()
             : Op == "floor"      ? A.floor()
                                  : A.square();
    });
  for (const float Scale : {1e-6F, 40.F, 1e30F}) {
    Pair Z({512, 512});
    Z.A.sub_(Scale < 50 ? 0.5 : 0).mul_(Scale);
    Z.B.sub_(Scale < 50 ? 0.5 : 0).mul_(Scale);
    const std::string Of = Scale < 1    ? " of small numbers"
                           : Scale < 50 ? " of -20 .. 20"
                                        : " of large numbers";
    if (Scale < 50) {
      both("exp" + Of, Z, Z, [](auto &A, auto &) { return A.exp(); });
      both("expm1" + Of, Z, Z, [](auto &A, auto &) { return A.expm1(); });
      both("tanh" + Of, Z, Z, [](auto &A, auto &) { return A.tanh(); });
      both("sigmoid" + Of, Z, Z, [](auto &A, auto &) { return A.sigmoid(); });
      both("sin" + Of, Z, Z, [](auto &A, auto &) { return A.sin(); });
    }
    both("log" + Of, Z, Z, [](auto &A, auto &) { return A.log(); });
    both("log1p" + Of, Z, Z, [](auto &A, auto &) { return A.log1p(); });
    both("sqrt" + Of, Z, Z, [](auto &A, auto &) { return A.sqrt(); });
  }

  // Over the first, a middle and the last dimension, packed and permuted.
  const Pair T({64, 128, 96}), I({64, 128, 96}, tt::kLong),
      B({64, 128, 96}, tt::kBool);
  for (const bool Permuted : {false, true})
    for (const int64_t D : {0, 1, 2}) {
      const std::string Of = "(" + std::to_string(D) + ") of " +
                             (Permuted ? "permuted " : "") + "[64, 128, 96]";
      auto On = [&](const std::string &Name, const Pair &P, auto F) {
        both(Name + Of, P, P, [=](auto &A, auto &) {
          return F(Permuted ? A.permute({2, 0, 1}) : A);
        });
      };
      On("sum", T, [=](const auto &A) { return A.sum(D); });
      On("mean", T, [=](const auto &A) { return A.mean(D); });
      On("amax", T, [=](const auto &A) { return A.amax(D); });
      On("max", T, [=](const auto &A) { return std::get<0>(A.max(D)); });
      On("argmax", T, [=](const auto &A) { return A.argmax(D); });
      On("var", T, [=](const auto &A) { return A.var(List{D}, true, false); });
      On("prod", T, [=](const auto &A) { return A.prod(D); });
      On("norm", T, [=](const auto &A) { return A.norm(2, List{D}, false); });
      On("softmax", T, [=](const auto &A) { return A.softmax(D); });
      On("log_softmax", T, [=](const auto &A) { return A.log_softmax(D); });
      On("logsumexp", T,
         [=](const auto &A) { return A.logsumexp(List{D}, false); });
      On("cumsum", T, [=](const auto &A) { return A.cumsum(D); });
      On("int64 sum", I, [=](const auto &A) { return A.sum(D); });
      On("int64 amax", I, [=](const auto &A) { return A.amax(D); });
      On("bool sum", B, [=](const auto &A) { return A.sum(D); });
      On("bool any", B, [=](const auto &A) { return A.any(D); });
      On("bool all", B, [=](const auto &A) { return A.all(D); });
    }
  both("sum({0, 2})", T, T, [](auto &A, auto &) { return A.sum(List{0, 2}); });
  both("mean({0, 1})", T, T,
       [](auto &A, auto &) { return A.mean(List{0, 1}); });
  both("mean()", X, X, [](auto &A, auto &) { return A.mean(); });
  both("var()", X, X, [](auto &A, auto &) { return A.var(); });
  both("norm()", X, X, [](auto &A, auto &) { return A.norm(); });
  both("argmax()", X, X, [](auto &A, auto &) { return A.argmax(); });
  both("int64 sum()", I, I, [](auto &A, auto &) { return A.sum(); });
  both("bool sum()", B, B, [](auto &A, auto &) { return A.sum(); });
  both("bool any()", B, B, [](auto &A, auto &) { return A.any(); });
  both("t().sum()", X, X, [](auto &A, auto &) { return A.t().sum(); });
  both("[:, ::2].sum(0)", X, X,
       [](auto &A, auto &) { return A.slice(1, 0, 1024, 2).sum(0); });
  both("[:, ::2].amax(1)", X, X,
       [](auto &A, auto &) { return A.slice(1, 0, 1024, 2).amax(1); });
  both("[:, ::2].softmax(1)", X, X,
       [](auto &A, auto &) { return A.slice(1, 0, 1024, 2).softmax(1); });
  both("layer_norm", X, R,
       [](auto &A, auto &B) { return layer_norm(A, List{1024}, B, B); });
  both("layer_norm of t()", X, R,
       [](auto &A, auto &B) { return layer_norm(A.t(), List{1024}, B, B); });
  both("gelu", X, X, [](auto &A, auto &) { return gelu(A); });

  // Moving elements.
  Pair Rows({512}, tt::kLong), Where({1024, 1024}, tt::kLong);
  Rows.A.remainder_(1024);
  Rows.B.remainder_(1024);
  both("index_select(0)", X, Rows,
       [](auto &A, auto &B) { return A.index_select(0, B); });
  both("index_select(1)", X, Rows,
       [](auto &A, auto &B) { return A.index_select(1, B); });
  both("index({rows})", X, Rows, [](auto &A, auto &B) { return A.index({B}); });
  both("gather(0)", X, Where, [](auto &A, auto &B) { return A.gather(0, B); });
  both("gather(1)", X, Where, [](auto &A, auto &B) { return A.gather(1, B); });
  both("masked_select", X, Bools,
       [](auto &A, auto &B) { return A.masked_select(B); });
  both("nonzero", Bools, Bools, [](auto &A, auto &) { return A.nonzero(); });
  auto Join = [](auto &A, auto &B, int64_t D) {
    return cat(std::vector<std::decay_t<decltype(A)>>{A, B}, D);
  };
  both("cat(0)", X, Y, [=](auto &A, auto &B) { return Join(A, B, 0); });
  both("cat(1)", X, Y, [=](auto &A, auto &B) { return Join(A, B, 1); });
  both("cat(1) of t()", X, Y, [=](auto &A, auto &B) {
    const auto S = A.t(), U = B.t();
    return Join(S, U, 1);
  });
  both("stack(2)", X, Y, [](auto &A, auto &B) {
    return stack(std::vector<std::decay_t<decltype(A)>>{A, B}, 2);
  });
  both("a.copy_(b)", Changed, Y, [](auto &A, auto &B) {
    auto Z = A;
    return Z.copy_(B);
  });
  both("a.copy_(b.t())", Changed, Y, [](auto &A, auto &B) {
    auto Z = A;
    return Z.copy_(B.t());
  });
  both("a.t().copy_(b)", Changed, Y,
       [](auto &A, auto &B) { return A.t().copy_(B); });
  both("a[:, ::2].copy_(b[:, 1::2])", Changed, Y, [](auto &A, auto &B) {
    return A.slice(1, 0, 1024, 2).copy_(B.slice(1, 1, 1024, 2));
  });
  both("a.copy_(row)", Changed, R, [](auto &A, auto &B) {
    auto Z = A;
    return Z.copy_(B);
  });
  both("fill_", Changed, X, [](auto &A, auto &) {
    auto Z = A.slice(1, 0, 1000);
    return Z.fill_(0.5);
  });
  both("flip(1)", X, X, [](auto &A, auto &) { return A.flip(List{1}); });
  both("roll", X, X, [](auto &A, auto &) { return A.roll(List{3}, List{1}); });
  both("repeat", X, X, [](auto &A, auto &) { return A.repeat(List{2, 2}); });
  both("tril", X, X, [](auto &A, auto &) { return A.tril(); });
  both("zeros_like", X, X, [](auto &A, auto &) { return zeros_like(A); });
  both("sort", R, R, [](auto &A, auto &) { return std::get<0>(A.sort(0)); });
  both("topk", X, X, [](auto &A, auto &) { return std::get<0>(A.topk(5)); });
  const tt::ScalarType Types[] = {tt::kDouble,  tt::kLong, tt::kInt,
                                  tt::kByte,    tt::kBool, tt::kHalf,
                                  tt::kBFloat16};
  for (const tt::ScalarType From : Types)
    for (const tt::ScalarType To : Types)
      if (From != To) {
        const Pair A({512, 512}, From), B({1}, To);
        both(std::string(tt::toString(From)) + " to " + tt::toString(To), A, B,
             [](auto &A, auto &B) { return A.to(B.scalar_type()); });
      }
}

/// What the tables above have not: other types, sizes that fill no vector,
/// few elements, more dimensions, more operations.
void further() {
  using List = std::vector<int64_t>;
  auto Sizes = [](const List &S) {
    std::string Text;
    for (const int64_t Size : S)
      Text += (Text.empty() ? "[" : ", ") + std::to_string(Size);
    return Text + "]";
  };

  for (const int64_t N : {1, 3, 7, 33, 64, 1000})
    for (const tt::ScalarType Type : {tt::kFloat, tt::kLong}) {
      if (Type == tt::kLong && N != 7)
        continue;
      const Pair X({N}, Type), Y({N}, Type), B({N}, tt::kBool);
      const std::string Of = " of " + Sizes({N}) + " " + tt::toString(Type);
      both("a - b" + Of, X, Y, [](auto &A, auto &B) { return A - B; });
      both("a * 3" + Of, X, Y, [](auto &A, auto &) { return A * 3; });
      both("3 - a" + Of, X, Y, [](auto &A, auto &) { return 3 - A; });
      both("a > 0" + Of, X, Y, [](auto &A, auto &) { return A > 0; });
      both("neg" + Of, X, Y, [](auto &A, auto &) { return A.neg(); });
      both("a.mul_(1)" + Of, X, Y, [](auto &A, auto &) {
        auto Z = A;
        return Z.mul_(1);
      });
      both("fill_" + Of, X, Y, [](auto &A, auto &) {
        auto Z = A;
        return Z.fill_(1);
      });
      both("where" + Of, X, B, [](auto &A, auto &B) { return where(B, A, A); });
      both("max()" + Of, X, Y, [](auto &A, auto &) { return A.max(); });
      both("sum(0)" + Of, X, Y, [](auto &A, auto &) { return A.sum(0); });
      both("argmax()" + Of, X, Y, [](auto &A, auto &) { return A.argmax(); });
      both("any()" + Of, B, B, [](auto &A, auto &) { return A.any(); });
      if (Type != tt::kFloat)
        continue;
      both("mean()" + Of, X, Y, [](auto &A, auto &) { return A.mean(); });
      both("norm()" + Of, X, Y, [](auto &A, auto &) { return A.norm(); });
      both("var()" + Of, X, Y, [](auto &A, auto &) { return A.var(); });
      both("exp" + Of, X, Y, [](auto &A, auto &) { return A.exp(); });
      both("softmax(0)" + Of, X, Y,
           [](auto &A, auto &) { return A.softmax(0); });
    }

  for (const tt::ScalarType Type :
       {tt::kFloat, tt::kDouble, tt::kLong, tt::kInt, tt::kShort, tt::kChar,
        tt::kByte, tt::kBool, tt::kHalf, tt::kBFloat16}) {
    const List S{127, 9, 251};
    const Pair X(S, Type), Y(S, Type), R({251}, Type), C({127, 1, 1}, Type),
        M({9, 1}, Type);
    const std::string Of =
        std::string(" of ") + tt::toString(Type) + " " + Sizes(S);
    const bool Floats = tt::isFloatingType(Type), Bools = Type == tt::kBool;
    auto Add = [](auto &A, auto &B) { return A + B; };
    both("a + b" + Of, X, Y, Add);
    both("a + row" + Of, X, R, Add);
    both("a + [127, 1, 1]" + Of, X, C, Add);
    both("a + [9, 1]" + Of, X, M, Add);
    both("a.permute + b.permute" + Of, X, Y, [](auto &A, auto &B) {
      return A.permute({2, 0, 1}) + B.permute({2, 0, 1});
    });
    both("a.transpose(0, 1) + 1" + Of, X, Y,
         [](auto &A, auto &) { return A.transpose(0, 1) + 1; });
    both("a[:, :, ::2] + b[:, :, ::2]" + Of, X, Y, [](auto &A, auto &B) {
      return A.slice(2, 0, 251, 2) + B.slice(2, 0, 251, 2);
    });
    both("a[:, :, ::3].mul(a)" + Of, X, Y, [](auto &A, auto &) {
      return A.slice(2, 0, 251, 3).mul(A.slice(2, 0, 251, 3));
    });
    both("a[:, 1:, 5:] + b[:, :8, :246]" + Of, X, Y, [](auto &A, auto &B) {
      return A.slice(1, 1, 9).slice(2, 5, 251) +
             B.slice(1, 0, 8).slice(2, 0, 246);
    });
    both("a[:, :, ::2].add_(b[:, :, 1::2])" + Of, X, Y, [](auto &A, auto &B) {
      return A.slice(2, 0, 250, 2).copy_(B.slice(2, 1, 251, 2));
    });
    both("a >= b" + Of, X, Y, [](auto &A, auto &B) { return A >= B; });
    both("a == 3" + Of, X, Y, [](auto &A, auto &) { return A == 3; });
    both("logical_and" + Of, X, Y,
         [](auto &A, auto &B) { return A.logical_and(B); });
    both("logical_not" + Of, X, Y,
         [](auto &A, auto &) { return A.logical_not(); });
    both("maximum" + Of, X, Y, [](auto &A, auto &B) { return maximum(A, B); });
    if (!Bools) {
      both("clamp(2, 50)" + Of, X, Y,
           [](auto &A, auto &) { return A.clamp(2, 50); });
      both("a / 3" + Of, X, Y, [](auto &A, auto &) { return A / 3; });
      both("remainder(7)" + Of, X, Y,
           [](auto &A, auto &) { return A.remainder(7); });
      both("pow(2)" + Of, X, Y, [](auto &A, auto &) { return A.pow(2); });
      both("abs" + Of, X, Y, [](auto &A, auto &) { return A.abs(); });
      both("sign" + Of, X, Y, [](auto &A, auto &) { return A.sign(); });
    }
    if (!Floats)
      both("bitwise_xor" + Of, X, Y,
           [](auto &A, auto &B) { return A.bitwise_xor(B); });
    for (const int64_t D : {0, 1, 2}) {
      const std::string On = "(" + std::to_string(D) + ")" + Of;
      both("sum" + On, X, Y, [=](auto &A, auto &) { return A.sum(D); });
      both("amin" + On, X, Y, [=](auto &A, auto &) { return A.amin(D); });
      if (!Bools)
        both("argmin" + On, X, Y, [=](auto &A, auto &) { return A.argmin(D); });
      both("any" + On, X, Y, [=](auto &A, auto &) { return A.any(D); });
      both("prod" + On, X, Y, [=](auto &A, auto &) { return A.prod(D); });
      both("cumsum" + On, X, Y, [=](auto &A, auto &) { return A.cumsum(D); });
      both("[:, :, ::3].sum" + On, X, Y,
           [=](auto &A, auto &) { return A.slice(2, 0, 251, 3).sum(D); });
      if (!Floats)
        continue;
      both("mean" + On, X, Y, [=](auto &A, auto &) { return A.mean(D); });
      both("var" + On, X, Y,
           [=](auto &A, auto &) { return A.var(List{D}, true, false); });
      both("norm" + On, X, Y,
           [=](auto &A, auto &) { return A.norm(2, List{D}, false); });
      both("softmax" + On, X, Y, [=](auto &A, auto &) { return A.softmax(D); });
    }
    both("max()" + Of, X, Y, [](auto &A, auto &) { return A.max(); });
    both("all()" + Of, X, Y, [](auto &A, auto &) { return A.all(); });
    both("permuted sum({0, 2})" + Of, X, Y,
         [](auto &A, auto &) { return A.permute({1, 2, 0}).sum(List{0, 2}); });
  }

  // Images and heads.
  const List S{8, 32, 56, 56};
  const Pair X(S), Y(S), C({32, 1, 1}), W({56}), H({56, 1}), Q({8, 1, 56, 56});
  const std::string Of = " of " + Sizes(S);
  auto Mul = [](auto &A, auto &B) { return A * B; };
  both("a * channel" + Of, X, C, Mul);
  both("a * row" + Of, X, W, Mul);
  both("a * column" + Of, X, H, Mul);
  both("a * mask" + Of, X, Q, Mul);
  both("NHWC a * channel" + Of, X, C,
       [](auto &A, auto &B) { return A.permute({0, 2, 3, 1}) * B.view({32}); });
  both("NHWC + NCHW" + Of, X, Y, [](auto &A, auto &B) {
    return A.view({8, 56, 56, 32}).permute({0, 3, 1, 2}) + B;
  });
  both("a[..., 1:-1, 1:-1] * 2" + Of, X, Y,
       [](auto &A, auto &) { return A.slice(2, 1, 55).slice(3, 1, 55) * 2; });
  both("a[..., ::2, ::2] * 2" + Of, X, Y, [](auto &A, auto &) {
    return A.slice(2, 0, 56, 2).slice(3, 0, 56, 2) * 2;
  });
  both("relu of a[:, ::2]" + Of, X, Y,
       [](auto &A, auto &) { return A.slice(1, 0, 32, 2).relu(); });
  both("addcmul" + Of, X, Y,
       [](auto &A, auto &B) { return A.addcmul(B, B, 0.5); });
  both("lerp" + Of, X, Y, [](auto &A, auto &B) { return A.lerp(B, 0.3); });
  both("atan2" + Of, X, Y, [](auto &A, auto &B) { return atan2(A, B); });
  both("pow(b)" + Of, X, Y, [](auto &A, auto &B) { return A.pow(B); });
  both("pow(2.5)" + Of, X, Y, [](auto &A, auto &) { return A.pow(2.5); });
  both("fmod(b)" + Of, X, Y, [](auto &A, auto &B) { return A.fmod(B); });
  both("floor_divide" + Of, X, Y,
       [](auto &A, auto &B) { return A.floor_divide(B); });
  both("round" + Of, X, Y, [](auto &A, auto &) { return A.round(); });
  both("isnan" + Of, X, Y, [](auto &A, auto &) { return A.isnan(); });
  both("isfinite" + Of, X, Y, [](auto &A, auto &) { return A.isfinite(); });
  both("cos" + Of, X, Y, [](auto &A, auto &) { return A.cos(); });
  both("log2" + Of, X, Y, [](auto &A, auto &) { return A.log2(); });
  for (const List &D : {List{0, 2, 3}, List{2, 3}, List{1}, List{1, 3}}) {
    const std::string On = "(" + Sizes(D) + ")" + Of;
    both("sum" + On, X, Y, [=](auto &A, auto &) { return A.sum(D); });
    both("mean" + On, X, Y, [=](auto &A, auto &) { return A.mean(D); });
    both("var" + On, X, Y,
         [=](auto &A, auto &) { return A.var(D, true, false); });
    both("amax" + On, X, Y, [=](auto &A, auto &) { return A.amax(D); });
    both("norm" + On, X, Y,
         [=](auto &A, auto &) { return A.norm(2, D, true); });
    both("NHWC mean" + On, X, Y, [=](auto &A, auto &) {
      return A.view({8, 56, 56, 32}).permute({0, 3, 1, 2}).mean(D);
    });
  }
  both("norm(1)" + Of, X, Y, [](auto &A, auto &) { return A.norm(1); });
  both("std()" + Of, X, Y, [](auto &A, auto &) { return A.std(); });
  both("prod()" + Of, X, Y, [](auto &A, auto &) { return A.prod(); });
  both("argmin()" + Of, X, Y, [](auto &A, auto &) { return A.argmin(); });
}

template <class Accessor> double sumOf(const Accessor &A) {
  float Sum = 0;
  for (int64_t I = 0; I < A.size(0); ++I)
    for (int64_t J = 0; J < A.size(1); ++J)
      Sum += A[I][J];
  return static_cast<double>(Sum);
}
double rawSum(const float *P, int64_t Rows, int64_t Columns, int64_t Row) {
  float Sum = 0;
  for (int64_t I = 0; I < Rows; ++I)
    for (int64_t J = 0; J < Columns; ++J)
      Sum += P[I * Row + J];
  return static_cast<double>(Sum);
}

void accessors() {
  const Pair X({512, 512});
  const float *P = X.A.data_ptr<float>();
#if TENSORTIDY_CHECKED
  const char *Name = "accessor sum, checked";
  const Target T{1e9, 1.5};
#else
  const char *Name = "accessor sum, unchecked";
  const Target T{1e9, 1.05};
#endif
  row(
      Name, [&] { keep(sumOf(X.A.accessor<float, 2>())); },
      [&] { keep(sumOf(X.B.accessor<float, 2>())); },
      [&] { keep(rawSum(P, 512, 512, 512)); }, T);
}

void products() {
  const int N = 512;
  const Pair X({N, N}), Y({N, N});
  std::vector<float> C(static_cast<size_t>(N) * N);
  const float One = 1, Zero = 0;
  for (const bool TA : {false, true})
    for (const bool TB : {false, true})
      row(
          std::string(TA ? "a.t()" : "a") + " @ " + (TB ? "b.t()" : "b") +
              ", 512x512",
          [&] { keep((TA ? X.A.t() : X.A).mm(TB ? Y.A.t() : Y.A)); },
          [&] { keep((TA ? X.B.t() : X.B).mm(TB ? Y.B.t() : Y.B)); },
          [&] {
            sgemm_(TB ? "T" : "N", TA ? "T" : "N", &N, &N, &N, &One,
                   Y.A.data_ptr<float>(), &N, X.A.data_ptr<float>(), &N, &Zero,
                   C.data(), &N);
            keep(C);
          },
          {1.1, 1.1});
}

} // namespace

int main(int Argc, char **Argv) {
  for (int I = 1; I < Argc; ++I)
    if (std::strcmp(Argv[I], "--seconds") == 0 && I + 1 < Argc)
      Seconds = std::atof(Argv[++I]);
    else if (std::strcmp(Argv[I], "--seed") == 0 && I + 1 < Argc)
      Seed = static_cast<unsigned>(std::atoi(Argv[++I]));
    else if (std::strcmp(Argv[I], "--sweep") == 0 && I + 1 < Argc)
      Swept = std::atoi(Argv[++I]);
    else
      Only.push_back(Argv[I]);
  at::set_num_threads(1);
  libtorch::silenceWarnings(); // of what rows do on purpose, again and again
  if (openblas_set_num_threads)
    openblas_set_num_threads(1);
  if (Swept)
    return sweep(Seed, Swept, Only.empty() ? nullptr : Only[0].c_str()), 0;
  std::printf("| %-44s | %11s | %11s | %11s | %5s | %5s | target |\n", "what",
              "tensortidy", "libtorch", "limit", "/lib", "/lim");
  std::printf("|---|---|---|---|---|---|---|\n");
#ifndef ACCESSORS_ONLY
  views();
  copies();
  elements();
  sizesAndTypes();
  others();
  further();
  products();
#endif
  accessors();
  std::printf("\n%d rows miss their target\n", Missed);
  return 0;
}
