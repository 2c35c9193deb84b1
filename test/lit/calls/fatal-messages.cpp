// RUN: %check %s --checks=-*,tensor-redundant-contiguous,tensor-shape-mismatch -- %runtime
// Assertions that fail by a message whose destructor does not return: as glog
// and its kin write them, in one arm of a conditional operator.

#include <tensortidy/aten.h>

#include <ostream>

namespace logging {
struct Message {
  std::ostream &stream();
  ~Message();
};
struct FatalMessage : Message {
  FatalMessage(const char *file, int line);
  [[noreturn]] ~FatalMessage();
};
struct Voidify {
  void operator&(std::ostream &) {}
};
} // namespace logging

#define CHECK(condition)                                                       \
  __builtin_expect(!(condition), 0)                                            \
      ? logging::Voidify() & logging::FatalMessage(__FILE__, __LINE__).stream() \
      : (void)0
#define CHECK_ELSE(condition)                                                  \
  (condition) ? (void)0                                                        \
              : logging::Voidify() &                                           \
                    logging::FatalMessage(__FILE__, __LINE__).stream()         \
                        << "failed: " #condition
#define LOG_IF(condition)                                                      \
  !(condition) ? (void)0 : logging::Voidify() & logging::Message().stream()

at::Tensor checked(const at::Tensor &x) {
  CHECK(x.is_contiguous());
  return x.contiguous();
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: contiguous() does nothing: 'x' is contiguous already
  // CHECK-MESSAGES: note: 'x' is known to be contiguous from here
}

at::Tensor streamed(const at::Tensor &x, bool verbose) {
  CHECK_ELSE(x.is_contiguous()) << (verbose ? "strides" : "");
  return x.contiguous();
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: contiguous() does nothing: 'x' is contiguous already
  // CHECK-MESSAGES: note: 'x' is known to be contiguous from here
}

int64_t rank(const at::Tensor &x) {
  CHECK_ELSE(x.dim() == 2) << "a matrix";
  return x.size(2);
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: size(2): dimension 2 of 'x' is out of range [-2, 1]; throws [tensor-shape-mismatch]
}

// A message that comes back asserts nothing.
at::Tensor logged(const at::Tensor &x) {
  LOG_IF(!x.is_contiguous()) << "strides";
  return x.contiguous();
}
