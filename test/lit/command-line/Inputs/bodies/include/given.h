// A library's header, with bodies that nobody asks for.
#pragma once

inline at::Tensor turned(at::Tensor x) { return x.t(); }

namespace given {

#ifndef WHOLE
inline int broken() { return undeclared; }
template <class T> int neverMade(T) { return undeclared; }
template <class T> struct NeverMade {
  T made() const { return undeclared; }
};
#endif
#ifdef MODELLED
struct Count {
  Count() : n(undeclared) {}
  int broken() const { return undeclared; }
  int n;
};
#endif

// Needed to read on.
constexpr int two() { return 2; }
inline auto three() { return 3.0f; }

// Make code of the user's.
template <class F> void each(F f) { f(at::zeros({2, 3})); }
template <class T> T *make() { return new T; }

// A vtable of the library's own alone: what it calls is not looked at.
struct Small {};
template <class T> struct Plugin {
  virtual ~Plugin() = default;
#ifdef WHOLE
  virtual int size() const { return sizeof(T); }
#else
  virtual int size() const { return T::undeclared; }
#endif
};

// How a module is made is asked for.
struct Net : torch::nn::Module {
  Net() { fc = register_module("fc", torch::nn::Linear(10, 5)); }
  torch::nn::Linear fc{nullptr};
};
struct Holder {
  Holder() { fc = torch::nn::Linear(8, 5); }
  torch::nn::Linear fc{nullptr};
};

} // namespace given
