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
// Whether it comes back depends on the severity, so that nothing is declared.
const int INFO = 0, FATAL = 3;
struct Logger {
  Logger(const char *file, int line, int severity, bool exits = true);
  ~Logger() noexcept(false);
  std::ostream &stream();
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
#define LOG_UNLESS(condition, severity)                                        \
  (condition) ? (void)0                                                        \
              : logging::Voidify() &                                           \
                    logging::Logger(__FILE__, __LINE__, severity, false).stream()
#define CHECK_OP(a, b, op)                                                     \
  LOG_UNLESS((a)op(b), logging::FATAL) << #a " " #op " " #b " " << (a) << (b)

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
at::Tensor equal(const at::Tensor &x) {
  CHECK_OP(x.is_contiguous(), true, ==);
  return x.contiguous();
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: contiguous() does nothing: 'x' is contiguous already
  // CHECK-MESSAGES: note: 'x' is known to be contiguous from here
}
at::Tensor unequal(const at::Tensor &x) {
  CHECK_OP(x.is_contiguous(), false, !=) << "must be packed";
  return x.contiguous();
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: contiguous() does nothing: 'x' is contiguous already
  // CHECK-MESSAGES: note: 'x' is known to be contiguous from here
}
int64_t atMost(const at::Tensor &x) {
  CHECK_OP(x.dim(), 2, <=);
  return x.size(2);
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: size(2): dimension 2 of 'x' is out of range
}
at::Tensor strided(const at::Tensor &x) {
  CHECK_OP(x.is_contiguous(), false, ==);
  return x.contiguous();
}
at::Tensor informed(const at::Tensor &x) {
  LOG_UNLESS(x.is_contiguous(), logging::INFO) << "strides";
  return x.contiguous();
}
at::Tensor asked(const at::Tensor &x, int severity) {
  LOG_UNLESS(x.is_contiguous(), severity) << "strides";
  return x.contiguous();
}
