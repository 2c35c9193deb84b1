// RUN: %silent %s --checks=-*,tensor-view-after-permute -- %runtime
// No finding: branches that go together.

#include <tensortidy/aten.h>

at::Tensor sameFlag(bool turn, int64_t a, int64_t b) {
  auto y = torch::zeros({a, b});
  if (turn)
    y = y.t();
  y = y + 1;
  if (!turn)
    return y.view(-1);
  return y.reshape(-1);
}

at::Tensor turnedBack(bool turn, int64_t a, int64_t b) {
  auto y = torch::zeros({a, b});
  if (turn)
    y = y.t();
  y = y.mul(2);
  if (turn)
    y = y.t();
  return y.view(-1);
}

at::Tensor sameNumber(int mode, int64_t a, int64_t b) {
  auto y = torch::zeros({a, b});
  if (mode == 2)
    y = y.t();
  if (mode == 2)
    y = y.contiguous();
  return y.view(-1);
}

at::Tensor otherNumber(int mode, int64_t a, int64_t b) {
  auto y = torch::zeros({a, b});
  if (mode == 2)
    y = y.t();
  if (mode == 3)
    return y.view(-1);
  return y.reshape(-1);
}

at::Tensor remembered(bool turn, int64_t a, int64_t b) {
  auto y = torch::zeros({a, b});
  bool turned = false;
  if (turn) {
    y = y.t();
    turned = true;
  }
  if (turned)
    y = y.contiguous();
  return y.view(-1);
}

at::Tensor twoFlags(bool first, bool second, int64_t a, int64_t b) {
  auto y = torch::zeros({a, b});
  if (first && second)
    y = y.t();
  if (!first || !second)
    return y.view(-1);
  return y.reshape(-1);
}

enum class Order { Rows, Columns };

at::Tensor sameSwitch(Order order, int64_t a, int64_t b) {
  auto y = torch::zeros({a, b});
  switch (order) {
  case Order::Rows:
    break;
  case Order::Columns:
    y = y.t();
    break;
  }
  switch (order) {
  case Order::Rows:
    return y.view(-1);
  case Order::Columns:
    return y.reshape(-1);
  }
  return y;
}

at::Tensor orderTest(Order order, int64_t a, int64_t b) {
  auto y = torch::zeros({a, b});
  if (order == Order::Columns)
    y = y.t();
  if (order == Order::Columns)
    y = y.contiguous();
  return y.view({a * b});
}

at::Tensor never(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b});
  if (false)
    y = y.t();
  return y.view(-1);
}

at::Tensor neverConstant(int64_t a, int64_t b) {
  constexpr bool columns = false;
  auto y = torch::zeros({a, b});
  if constexpr (columns)
    y = y.t();
  if (columns)
    y = y.t();
  return y.view(-1);
}

[[noreturn]] void fail(const char *why);

at::Tensor noReturn(bool turn, int64_t a, int64_t b) {
  auto y = torch::zeros({a, b});
  if (turn) {
    y = y.t();
    fail("not supported");
  }
  return y.view(-1);
}

at::Tensor fails(bool turn, int64_t a, int64_t b) {
  auto y = torch::zeros({a, b});
  if (turn) {
    y = y.t();
    TORCH_CHECK(false, "not supported");
  }
  return y.view(-1);
}

// The size decides whether there is anything to turn.
at::Tensor onlyWhenOne(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b});
  if (a == 1)
    y = y.t();
  return y.view(-1);
}
