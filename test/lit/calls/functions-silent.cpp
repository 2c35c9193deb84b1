// RUN: %silent %s --checks=-*,tensor-* -- %runtime
// No finding: what calls do may be right, or is not known.

#include <tensortidy/aten.h>

#include <functional>
#include <stdexcept>

// The body makes it contiguous.
static at::Tensor packed(const at::Tensor &x) { return x.is_contiguous() ? x : x.contiguous(); }
at::Tensor made(const at::Tensor &x) { return packed(x.transpose(1, 2)).view(-1); }

// Only called with contiguous tensors.
static at::Tensor flat(const at::Tensor &x) { return x.view(-1); }
at::Tensor called(int64_t N) { return flat(at::zeros({N, N})); }

// Correlated inside the call.
static at::Tensor maybe(const at::Tensor &x, bool turn) { return turn ? x.t() : x; }
at::Tensor notTurned(int64_t N) { return maybe(at::zeros({N, N}), false).view(-1); }

// A helper that throws unless contiguous.
static void requireContiguous(const at::Tensor &x) {
  if (!x.is_contiguous())
    throw std::runtime_error("contiguous");
}
at::Tensor required(const at::Tensor &x) {
  auto y = x.transpose(0, 1);
  requireContiguous(y);
  return y.view(-1);
}

// Needed for some callers, so never redundant.
static at::Tensor pack(const at::Tensor &x) { return x.contiguous(); }
at::Tensor packsDense(int64_t N) { return pack(at::zeros({N, N})); }
at::Tensor packsOther(int64_t N) { return pack(at::zeros({N, N}).t()); }

// A body's allocation is not the loop's of its caller.
static at::Tensor scratch(int64_t N) { return at::zeros({N}); }
void looped(int64_t N, at::Tensor &out) {
  for (int64_t I = 0; I < N; ++I)
    out[I].copy_(scratch(8));
}

// Recursion, virtual calls, pointers and std::function may do anything.
static void recursive(at::Tensor &x, int64_t n) {
  if (n == 0)
    x = x.contiguous();
  else
    recursive(x, n - 1);
}
at::Tensor recursion(int64_t N, int64_t n) {
  auto x = at::zeros({N, 2}).t();
  recursive(x, n);
  return x.view(-1);
}
struct Base {
  virtual ~Base() = default;
  virtual void change(at::Tensor &) {}
};
at::Tensor virtualCall(Base &b, int64_t N) {
  auto x = at::zeros({N, 2}).t();
  b.change(x);
  return x.view(-1);
}
at::Tensor pointer(void (*f)(at::Tensor &), int64_t N) {
  auto x = at::zeros({N, 2}).t();
  f(x);
  return x.view(-1);
}
at::Tensor function(const std::function<void(at::Tensor &)> &f, int64_t N) {
  auto x = at::zeros({N, 2}).t();
  f(x);
  return x.view(-1);
}
static void through(at::Tensor *p) { *p = p->contiguous(); }
at::Tensor throughPointer(int64_t N) {
  auto x = at::zeros({N, 2}).t();
  through(&x);
  return x.view(-1);
}

// A lambda changes what it captures by reference.
at::Tensor captured(int64_t N) {
  auto x = at::zeros({N, 2}).t();
  auto pack = [&] { x = x.contiguous(); };
  pack();
  return x.view(-1);
}
// By value: what it holds is what it was given then.
at::Tensor copied(int64_t N) {
  auto x = at::zeros({N, 2});
  auto get = [x] { return x; };
  x = x.t();
  return get().view(-1);
}
// Another object's member.
struct Holder {
  at::Tensor w;
  void turn() { w = w.t(); }
};
at::Tensor otherObject(int64_t N) {
  Holder a, b;
  a.w = at::zeros({N, 2});
  b.w = at::zeros({N, 2});
  b.turn();
  return a.w.view(-1);
}
