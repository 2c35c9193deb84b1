// How operators are registered (torch/library.h), in our own words: what is
// needed to see which function has which schema.

#ifndef TENSORTIDY_TEST_LIBRARY_H
#define TENSORTIDY_TEST_LIBRARY_H

#include <utility>

namespace c10 {
enum class DispatchKey { CPU, CUDA };
}

namespace torch {

constexpr c10::DispatchKey kCUDAKey = c10::DispatchKey::CUDA;

namespace detail {
template <class T, T *Function> struct CompileTimeFunctionPointer {};
template <class T, T *Function> struct boxer {
  static void boxed_fn(void *stack);
};
} // namespace detail

class CppFunction {
public:
  template <class F> explicit CppFunction(F *f);
  template <class F, F *Function>
  explicit CppFunction(detail::CompileTimeFunctionPointer<F, Function>);
};

struct FunctionSchema {};
FunctionSchema schema(const char *text);

class Library {
public:
  Library &def(const char *schema) &;
  Library &def(FunctionSchema schema) &;
  template <class S, class F> Library &def(S &&schema, F &&function) &;
  template <class N, class F> Library &impl(N name, F &&function) &;
  template <class N, class F> Library &impl(N name, c10::DispatchKey key, F &&function) &;
};

} // namespace torch

#define TEST_FN(f) torch::detail::CompileTimeFunctionPointer<decltype(f), f>()
#define TEST_BOX(f) &torch::detail::boxer<decltype(f), f>::boxed_fn

#define TORCH_LIBRARY(ns, m) void init_##ns(torch::Library &m)
#define TORCH_LIBRARY_IMPL(ns, key, m) void init_##ns##_##key(torch::Library &m)

#endif
