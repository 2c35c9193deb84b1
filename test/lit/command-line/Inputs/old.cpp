// Findings in a namespace, a template and a lambda; without a header.
namespace at {
struct Tensor {
  Tensor(); Tensor(const Tensor &); ~Tensor();
  Tensor contiguous() const; Tensor t() const; Tensor view(int) const;
};
} // namespace at
namespace net {
at::Tensor first(at::Tensor x) { auto y = x.t().contiguous(); return y.contiguous(); }
template <class T> struct Block {
  at::Tensor run(at::Tensor x, T) {
    auto turn = [](at::Tensor z) {
      auto w = z.t().contiguous();
      return w.contiguous();
    };
    return turn(x);
  }
};
} // namespace net
at::Tensor second(at::Tensor x) {
  net::Block<int>().run(x, 1);
  net::Block<float>().run(x, 1);
  auto y = x.t().contiguous();
  y = y.contiguous();
  return y.contiguous();
}
