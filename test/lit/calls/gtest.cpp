// RUN: %check %s --checks=-*,tensor-redundant-contiguous,tensor-shape-mismatch -- %runtime
// gtest's ASSERT_* return from the function; EXPECT_* go on.

#include <tensortidy/aten.h>

namespace testing {
class Message {};
class AssertionResult {
public:
  template <class T> explicit AssertionResult(const T &success);
  operator bool() const;
  const char *failure_message() const;
};
namespace internal {
struct AssertHelper {
  AssertHelper(const char *message);
  void operator=(const Message &) const;
};
struct EqHelper {
  template <class A, class B>
  static AssertionResult Compare(const char *, const char *, const A &, const B &);
};
} // namespace internal
} // namespace testing

#define TEST_(result, on_failure)                                              \
  switch (0)                                                                   \
  case 0:                                                                      \
  default:                                                                     \
    if (const ::testing::AssertionResult r = result)                           \
      ;                                                                        \
    else                                                                       \
      on_failure ::testing::internal::AssertHelper(r.failure_message()) =      \
          ::testing::Message()
#define EQUAL_(a, b) ::testing::internal::EqHelper::Compare(#a, #b, a, b)
#define ASSERT_TRUE(c) TEST_(::testing::AssertionResult(c), return)
#define EXPECT_TRUE(c) TEST_(::testing::AssertionResult(c), )
#define ASSERT_EQ(a, b) TEST_(EQUAL_(a, b), return)

void asserted(const at::Tensor &x, at::Tensor &out) {
  ASSERT_TRUE(x.is_contiguous());
  out = x.contiguous();
  // CHECK-MESSAGES: :[[#@LINE-1]]:11: warning: contiguous() does nothing: 'x' is contiguous already
  // CHECK-MESSAGES: note: 'x' is known to be contiguous from here
}

void rank(const at::Tensor &x, int64_t &out) {
  ASSERT_EQ(x.dim(), 2);
  out = x.size(2);
  // CHECK-MESSAGES: :[[#@LINE-1]]:11: warning: size(2): dimension 2 of 'x' is out of range [-2, 1]; throws [tensor-shape-mismatch]
}

void expected(const at::Tensor &x, at::Tensor &out) {
  EXPECT_TRUE(x.is_contiguous());
  out = x.contiguous();
}
