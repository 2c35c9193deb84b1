// Operations that no table lists beforehand: each row draws an operation, a
// type, sizes and the layouts of its operands.

#include "Beside.h"
#include "tensortidy/functional.h"
#include <cstdio>
#include <random>
#include <string>

namespace {

using List = std::vector<int64_t>;

/// How an operand of given sizes lies in a larger tensor, or a turned one.
struct Arrangement {
  enum Kind { Packed, Permuted, Step, Narrow, Expanded, Selected, Kinds };
  Kind K = Packed;
  int64_t Dim = 0, By = 0;
  List Order, Back; ///< of the dimensions, and the way back

  /// The sizes of what is allocated.
  List allocated(List S) const {
    const auto D = static_cast<size_t>(Dim);
    switch (K) {
    case Permuted: {
      List To(S.size());
      for (size_t I = 0; I < S.size(); ++I)
        To[I] = S[static_cast<size_t>(Order[I])];
      return To;
    }
    case Step:
      S[D] *= By;
      return S;
    case Narrow:
      S[D] += By;
      return S;
    case Expanded:
      S[D] = 1;
      return S;
    case Selected:
      S.insert(S.begin() + Dim, By);
      return S;
    default:
      return S;
    }
  }
  template <class T> T operator()(const T &X, const List &S) const {
    switch (K) {
    case Permuted:
      return X.permute(Back);
    case Step:
      return X.slice(Dim, 0, S[static_cast<size_t>(Dim)] * By, By);
    case Narrow:
      return X.narrow(Dim, By, S[static_cast<size_t>(Dim)]);
    case Expanded:
      return X.expand(S);
    case Selected:
      return X.select(Dim, 1);
    default:
      return X;
    }
  }
  std::string name() const {
    auto On = [&](const char *What) {
      return std::string(" ") + What + std::to_string(By) + "@" +
             std::to_string(Dim);
    };
    switch (K) {
    case Permuted: {
      std::string Text = " permuted ";
      for (const int64_t D : Back)
        Text += std::to_string(D);
      return Text;
    }
    case Step:
      return On("step");
    case Narrow:
      return On("narrow");
    case Expanded:
      return On("expanded");
    case Selected:
      return On("select");
    default:
      return "";
    }
  }
};

/// The operands of a row: two of the same type, a mask and an index, all of the
/// same sizes or broadcast to them.
template <class T> struct Operands {
  T A, B, Mask, Index, Row;
  int64_t Dim, Other;
};

struct Operation {
  const char *Name;
  std::function<tt::Tensor(const Operands<tt::Tensor> &)> Ours;
  std::function<at::Tensor(const Operands<at::Tensor> &)> Theirs;
  double Target = 1.05;
};

std::vector<Operation> operations() {
  std::vector<Operation> All;
  auto op = [&](const char *Name, auto F, double Target = 1.05) {
    All.push_back({Name, F, F, Target});
  };
#define OP(NAME, EXPR)                                                         \
  op(NAME, [](const auto &O) {                                                 \
    const auto &A = O.A;                                                       \
    [[maybe_unused]] const auto &B = O.B;                                      \
    [[maybe_unused]] const int64_t D = O.Dim, E = O.Other;                     \
    using T = std::decay_t<decltype(A)>;                                       \
    return T(EXPR);                                                            \
  })
#define VIEW(NAME, EXPR)                                                       \
  op(                                                                          \
      NAME,                                                                    \
      [](const auto &O) {                                                      \
        const auto &A = O.A;                                                   \
        [[maybe_unused]] const int64_t D = O.Dim, E = O.Other;                 \
        using T = std::decay_t<decltype(A)>;                                   \
        return T(EXPR);                                                        \
      },                                                                       \
      0.2)
  VIEW("view transpose", A.transpose(D, E));
  VIEW("view select", A.select(D, 0));
  VIEW("view slice", A.slice(D, 0, 1000, 2));
  VIEW("view narrow", A.narrow(D, 0, 1));
  VIEW("view unsqueeze", A.unsqueeze(D));
  VIEW("view squeeze", A.squeeze());
  VIEW("view squeeze(d)", A.squeeze(D));
  VIEW("view expand", A.expand(A.sizes()));
  VIEW("view view(sizes)", A.view(A.sizes()));
  VIEW("view view(-1)", A.view(-1));
  VIEW("view reshape", A.reshape(A.sizes()));
  VIEW("view flatten", A.flatten(D, D + 1));
  VIEW("view t", A.t());
  VIEW("view movedim", A.movedim(D, E));
  VIEW("view unfold", A.unfold(D, 1, 1));
  VIEW("view diagonal", A.diagonal(0, D, E));
  VIEW("view chunk", A.chunk(2, D)[0]);
  VIEW("view split", A.split(1 + A.size(D) / 3, D)[0]);
  VIEW("view [0]", A[0]);
  VIEW("view permute 2", A.permute({1, 0}));
  VIEW("view permute 3", A.permute({2, 0, 1}));
  VIEW("view permute 4", A.permute({0, 2, 1, 3}));
  VIEW("view permute 5", A.permute({4, 0, 2, 1, 3}));
  VIEW("view as_strided", A.as_strided({2, 2}, {1, 1}));
  VIEW("view view_as", A.view_as(A));
  VIEW("view expand_as", A.expand_as(A));
  VIEW("view detach", A.detach());

  OP("a + b", A + B);
  OP("a - b", A - B);
  OP("a * b", A * B);
  OP("a / b", A / B);
  OP("add(b, 2)", A.add(B, 2));
  OP("a + 1", A + 1);
  OP("a * 3", A * 3);
  OP("2 - a", 2 - A);
  OP("a / 3", A / 3);
  OP("a + 0.5", A + 0.5);
  OP("a + row", A + O.Row);
  OP("a * row", A * O.Row);
  OP("a.add_(b)", T(A).add_(B));
  OP("a.mul_(1)", T(A).mul_(1));
  OP("a.copy_(b)", T(A).copy_(B));
  OP("a.sub_(row)", T(A).sub_(O.Row));
  OP("a.fill_(2)", T(A).fill_(2));
  OP("a.zero_()", T(A).zero_());
  OP("a.clamp_(1, 20)", T(A).clamp_(1, 20));
  OP("a.masked_fill_", T(A).masked_fill_(O.Mask, 3));
  OP("a.abs_()", T(A).abs_());
  OP("a < b", A < B);
  OP("a == b", A == B);
  OP("a != 3", A != 3);
  OP("a >= row", A >= O.Row);
  OP("maximum", maximum(A, B));
  OP("minimum", minimum(A, B));
  OP("where", where(O.Mask, A, B));
  OP("where number", where(O.Mask, A, 2));
  OP("masked_fill", A.masked_fill(O.Mask, 1));
  OP("clamp", A.clamp(1, 50));
  OP("clamp_min", A.clamp_min(2));
  OP("relu", A.relu());
  OP("neg", A.neg());
  OP("abs", A.abs());
  OP("sign", A.sign());
  OP("square", A.square());
  OP("sqrt", A.sqrt());
  OP("rsqrt", A.rsqrt());
  OP("reciprocal", A.reciprocal());
  OP("exp", A.exp());
  OP("log", A.log());
  OP("sin", A.sin());
  OP("cos", A.cos());
  OP("tanh", A.tanh());
  OP("sigmoid", A.sigmoid());
  OP("erf", A.erf());
  OP("gelu", gelu(A));
  OP("silu", silu(A));
  OP("leaky_relu", leaky_relu(A, 0.1));
  OP("elu", elu(A));
  OP("softplus", softplus(A));
  OP("hardtanh", hardtanh(A, 0, 1));
  OP("floor", A.floor());
  OP("round", A.round());
  OP("trunc", A.trunc());
  OP("pow(2)", A.pow(2));
  OP("pow(3)", A.pow(3));
  OP("pow(0.5)", A.pow(0.5));
  OP("pow(-1)", A.pow(-1));
  OP("pow(1.5)", A.pow(1.5));
  OP("pow(b)", A.pow(B));
  OP("remainder(7)", A.remainder(7));
  OP("remainder(b)", A.remainder(B + 1));
  OP("fmod(7)", A.fmod(7));
  OP("floor_divide(3)", A.floor_divide(3));
  OP("atan2", atan2(A, B));
  OP("hypot", hypot(A, B));
  OP("addcmul", A.addcmul(B, B, 2));
  OP("addcdiv", A.addcdiv(B, B + 1, 2));
  OP("lerp", A.lerp(B, 0.3));
  OP("isnan", A.isnan());
  OP("isfinite", A.isfinite());
  OP("logical_not", A.logical_not());
  OP("logical_and", A.logical_and(B));
  OP("logical_or", A.logical_or(B));
  OP("bitwise_and", A.bitwise_and(B));
  OP("bitwise_not", A.bitwise_not());
  OP("shift", bitwise_left_shift(A, 2));
  OP("nan_to_num", A.nan_to_num());

  OP("sum()", A.sum());
  OP("sum(d)", A.sum(D));
  OP("sum(d, keep)", A.sum(List{D}, true));
  OP("sum(two)", A.sum(List{D, E}));
  OP("sum(last)", A.sum(-1));
  OP("mean()", A.mean());
  OP("mean(d)", A.mean(D));
  OP("mean(two, keep)", A.mean(List{D, E}, true));
  OP("prod(d)", A.prod(D));
  OP("amax(d)", A.amax(D));
  OP("amax(two)", A.amax(List{D, E}));
  OP("amin(last)", A.amin(-1));
  OP("max()", A.max());
  OP("min()", A.min());
  OP("max(d)", std::get<0>(A.max(D)));
  OP("min(d) index", std::get<1>(A.min(D)));
  OP("argmax()", A.argmax());
  OP("argmax(d)", A.argmax(D));
  OP("argmin(last)", A.argmin(-1));
  OP("var(d)", A.var(List{D}, true, false));
  OP("std(d)", A.std(List{D}, false, true));
  OP("std()", A.std());
  OP("var(two)", A.var(List{D, E}, true, false));
  OP("norm()", A.norm());
  OP("norm(2, d)", A.norm(2, List{D}, false));
  OP("norm(1, d)", A.norm(1, List{D}, false));
  OP("any()", A.any());
  OP("all(d)", A.all(D));
  OP("any(d)", A.any(D));
  OP("count_nonzero", A.count_nonzero());
  OP("logsumexp", A.logsumexp(List{D}, false));
  OP("cumsum", A.cumsum(D));
  OP("cumprod", A.cumprod(D));
  OP("cummax", std::get<0>(A.cummax(D)));
  OP("softmax", A.softmax(D));
  OP("log_softmax", A.log_softmax(D));
  OP("softmax(last)", A.softmax(-1));
  OP("layer_norm", layer_norm(A, List{A.size(-1)}));
  OP("layer_norm w", layer_norm(A, List{A.size(-1)}, O.Row, O.Row));

  OP("contiguous", A.contiguous());
  OP("clone", A.clone());
  OP("clone packed", A.clone(decltype(A.suggest_memory_format())(0)));
  OP("reshape(-1)", A.reshape(-1));
  OP("to float",
     A.to(O.A.scalar_type(), false, true).to(decltype(A.scalar_type())(6)));
  OP("to double", A.to(decltype(A.scalar_type())(7)));
  OP("to long", A.to(decltype(A.scalar_type())(4)));
  OP("to int", A.to(decltype(A.scalar_type())(3)));
  OP("to half", A.to(decltype(A.scalar_type())(5)));
  OP("to bfloat16", A.to(decltype(A.scalar_type())(15)));
  OP("to byte", A.to(decltype(A.scalar_type())(0)));
  OP("to bool", A.to(decltype(A.scalar_type())(11)));
  OP("cat(d)", cat(std::vector<T>{A, B, A}, D));
  OP("cat(last)", cat(std::vector<T>{A, A}, -1));
  OP("stack(d)", stack(std::vector<T>{A, B}, D));
  OP("flip(d)", A.flip(List{D}));
  OP("flip(last)", A.flip(List{-1}));
  OP("roll", A.roll(List{2}, List{D}));
  OP("repeat",
     A.unsqueeze(0).repeat(List(static_cast<size_t>(A.dim()) + 1, 2)));
  OP("repeat_interleave", A.repeat_interleave(2, D));
  OP("tril", A.tril());
  OP("triu", A.triu(1));
  OP("zeros_like", zeros_like(A));
  OP("ones_like", ones_like(A));
  OP("full_like", full_like(A, 3));
  OP("index_select", A.index_select(D, O.Index));
  OP("index", A.index({O.Index}));
  OP("gather", A.gather(D, O.Index.view(-1)
                               .slice(0, 0, 1)
                               .view(List(static_cast<size_t>(A.dim()), 1))
                               .expand(A.sizes())));
  OP("masked_select", A.masked_select(O.Mask));
  OP("nonzero", A.nonzero());
  OP("pad", constant_pad_nd(A, {1, 1}, 0));
  OP("diff", A.diff());
  OP("sort", std::get<0>(A.sort(D)));
  OP("argsort", A.argsort(D, true));
  OP("topk", std::get<0>(A.topk(1, D)));
  OP("unsqueeze max", std::get<0>(A.unsqueeze(0).max(0)));
  OP("outer",
     outer(A.flatten().slice(0, 0, 300), B.flatten().slice(0, 0, 300)));
  OP("dot", dot(A.flatten(), B.flatten()));
  OP("matmul", matmul(A, B.transpose(-1, -2)));
  OP("mv", mv(A, O.Row));
  OP("a.index_fill_", T(A).index_fill_(D, O.Index, 2));
  OP("a.index_add", A.index_add(D, O.Index, A.index_select(D, O.Index)));
  OP("equal", A + (A.equal(A) ? 1 : 0));
  OP("empty_like", empty_like(A));
  OP("mse_loss", mse_loss(A, B));
  OP("bce", binary_cross_entropy(A.sigmoid(), B.sigmoid()));
  OP("glu", A.narrow(D, 0, (A.size(D) + 1) / 2) *
                A.narrow(D, A.size(D) / 2, (A.size(D) + 1) / 2).sigmoid());
  OP("rsub", rsub(A, B));
  OP("xlogy", xlogy(A, B));
  OP("logaddexp", logaddexp(A, B));
  OP("log1p", A.log1p());
  OP("expm1", A.expm1());
  OP("tan", A.tan());
  OP("atan", A.atan());
  OP("asin", A.asin());
  OP("sinh", A.sinh());
  OP("cosh", A.cosh());
  OP("erfc", A.erfc());
  OP("lgamma", A.lgamma());
  OP("frac", A.frac());
  OP("exp2", A.exp2());
  OP("log2", A.log2());
  OP("log10", A.log10());
  OP("hardswish", hardswish(A));
  OP("hardsigmoid", hardsigmoid(A));
  OP("mish", mish(A));
  OP("selu", selu(A));
  OP("log_sigmoid", log_sigmoid(A));
  OP("threshold", threshold(A, 0.5, 0));
#undef OP
#undef VIEW
  return All;
}

class Draw {
public:
  explicit Draw(unsigned Seed) : Engine(Seed) {}
  int64_t below(int64_t N) {
    return std::uniform_int_distribution<int64_t>(0, N - 1)(Engine);
  }
  template <class T> const T &of(const std::vector<T> &All) {
    return All[static_cast<size_t>(below(static_cast<int64_t>(All.size())))];
  }
  /// Sizes of up to a million elements, often a few.
  List sizes() {
    static const List Some{1,   2,   3,   4,   5,   7,   8,   9,    16,   17,
                           24,  31,  32,  33,  48,  56,  64,  96,   100,  127,
                           128, 200, 251, 256, 300, 512, 768, 1000, 1024, 4096};
    static const List Limits{16, 256, 4096, 65536, 400000, 400000};
    const int64_t Limit = of(Limits);
    while (true) {
      List S(static_cast<size_t>(1 + below(5)));
      int64_t N = 1;
      for (int64_t &Size : S)
        N *= Size = of(Some);
      if (N <= Limit && N * 40 >= Limit)
        return S;
    }
  }
  Arrangement arrangement(const List &S) {
    Arrangement A;
    const auto Rank = static_cast<int64_t>(S.size());
    if (below(3) == 0)
      return A;
    A.K = static_cast<Arrangement::Kind>(1 + below(Arrangement::Kinds - 1));
    A.Dim = below(Rank);
    if (below(2))
      A.Dim = Rank - 1;
    A.By = 2 + below(2);
    A.Order.resize(S.size());
    A.Back.resize(S.size());
    for (size_t D = 0; D < S.size(); ++D)
      A.Order[D] = static_cast<int64_t>(D);
    std::shuffle(A.Order.begin(), A.Order.end(), Engine);
    if (Rank >= 2 && below(2)) { // a transpose, channels last
      for (size_t D = 0; D < S.size(); ++D)
        A.Order[D] = static_cast<int64_t>(D);
      std::rotate(A.Order.begin() + (Rank > 2),
                  A.Order.begin() + 1 + (Rank > 2), A.Order.end());
    }
    for (size_t D = 0; D < S.size(); ++D)
      A.Back[static_cast<size_t>(A.Order[D])] = static_cast<int64_t>(D);
    return A;
  }

private:
  std::mt19937 Engine;
};

/// The same elements in both libraries, arranged.
std::pair<tt::Tensor, at::Tensor> both(const List &S, tt::ScalarType Type,
                                       const Arrangement &How) {
  const Pair P(How.allocated(S), Type);
  return {How(P.A, S), How(P.B, S)};
}

} // namespace

int sweep(unsigned Seed, int Rows, const char *Only) {
  const std::vector<Operation> All = operations();
  const std::vector<tt::ScalarType> Types{
      tt::kFloat, tt::kFloat, tt::kFloat, tt::kDouble,
      tt::kLong,  tt::kInt,   tt::kShort, tt::kChar,
      tt::kByte,  tt::kBool,  tt::kHalf,  tt::kBFloat16};
  Draw By(Seed);
  int Slow = 0, Done = 0, Refused = 0;
  for (int Row = 0; Row < Rows; ++Row) {
    const Operation &Op = By.of(All);
    const List S = By.sizes();
    const tt::ScalarType Type = By.of(Types);
    const Arrangement HowA = By.arrangement(S),
                      HowB = By.below(2) ? HowA : By.arrangement(S);
    Operands<tt::Tensor> Ours;
    Operands<at::Tensor> Theirs;
    Ours.Dim = Theirs.Dim = By.below(static_cast<int64_t>(S.size()));
    Ours.Other = Theirs.Other = By.below(static_cast<int64_t>(S.size()));
    const bool RowLast = By.below(2);
    const int64_t Length = std::min<int64_t>(64, 1 + By.below(64));
    std::string Name = std::string(Op.Name) + " " + tt::toString(Type) + " [";
    for (size_t D = 0; D < S.size(); ++D)
      Name += (D ? "," : "") + std::to_string(S[D]);
    Name += "]" + HowA.name();
    Name += " b" + HowB.name();
    Name += " d" + std::to_string(Ours.Dim) + " e" +
            std::to_string(Ours.Other) + (RowLast ? " row" : "");
    if (Only && Name.find(Only) == std::string::npos)
      continue;
    std::tie(Ours.A, Theirs.A) = both(S, Type, HowA);
    std::tie(Ours.B, Theirs.B) = both(S, Type, HowB);
    std::tie(Ours.Mask, Theirs.Mask) = both(S, tt::kBool, Arrangement());
    List Narrow(S.size(), 1);
    Narrow[RowLast ? S.size() - 1 : static_cast<size_t>(Ours.Dim)] =
        S[RowLast ? S.size() - 1 : static_cast<size_t>(Ours.Dim)];
    if (RowLast)
      Narrow = {S.back()};
    std::tie(Ours.Row, Theirs.Row) = both(Narrow, Type, Arrangement());
    std::tie(Ours.Index, Theirs.Index) =
        both({Length}, tt::kLong, Arrangement());
    Ours.Index.remainder_(S[static_cast<size_t>(Ours.Dim)]);
    Theirs.Index.remainder_(S[static_cast<size_t>(Ours.Dim)]);
    double Target = Op.Target;
    try {
      // A view that has to be a copy is compared as one.
      if (!Op.Theirs(Theirs).is_alias_of(Theirs.A))
        Target = std::max(Target, 1.05);
    } catch (const std::exception &) {
      continue;
    }
    try {
      keep(Op.Ours(Ours));
    } catch (const std::exception &E) {
      ++Refused;
      continue;
    }
    ++Done;
    const Work O = [&] { keep(Op.Ours(Ours)); },
               T = [&] { keep(Op.Theirs(Theirs)); };
    std::vector<double> Best = bests({&O, &T}, 0.001, 5);
    for (int Again = 0; Again < 3 && Best[0] / Best[1] > Target; ++Again) {
      const std::vector<double> More = bests({&O, &T}, Again ? 0.15 : 0.02, 9);
      for (size_t I = 0; I < 2; ++I)
        Best[I] = std::min(Best[I], More[I]);
    }
    const double Ratio = Best[0] / Best[1];
    if (Ratio <= Target)
      continue;
    ++Slow;
    std::printf("%6.2f  %12.1f  %12.1f  %s\n",
                Target < 1 ? Ratio / Target : Ratio, Best[0], Best[1],
                Name.c_str());
    std::fflush(stdout);
  }
  std::printf("%d of %d rows are slow, %d refused\n", Slow, Done, Refused);
  return Slow;
}
