// RUN: %check %s --checks=-*,tensor-from-blob-lifetime -- %runtime
// Whether a helper copies is up to a flag that its caller gives: the way that a written flag excludes is not taken.

#include <tensortidy/aten.h>

#include <vector>

static at::Tensor fromVector(const std::vector<float> &values, bool inPlace = false) {
  auto out = at::from_blob((void *)values.data(), {static_cast<int64_t>(values.size())}, at::kFloat);
  return inPlace ? out : out.clone();
}

static at::Tensor copied(const std::vector<float> &values, bool copy) {
  auto out = at::from_blob((void *)values.data(), {static_cast<int64_t>(values.size())}, at::kFloat);
  if (!copy)
    return out;
  return out.clone();
}

at::Tensor rows(std::vector<float> values) {
  const auto row = fromVector(values);
  return row;
}
at::Tensor pairs(std::vector<float> a, std::vector<float> b, bool turned) {
  const auto row = fromVector(a, false), column = copied(b, true);
  if (!turned)
    return at::stack({row, column});
  return at::stack({column, row});
}

at::Tensor borrowed(std::vector<float> values) {
  return fromVector(values, true);
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: returns a tensor that borrows the memory of 'values', which is gone when the function returns
}
at::Tensor alsoBorrowed(std::vector<float> values) {
  return copied(values, false);
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: returns a tensor that borrows the memory of 'values', which is gone when the function returns
}
// Who asks for it may ask for either.
at::Tensor perhaps(std::vector<float> values, bool inPlace) {
  return fromVector(values, inPlace);
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: returns a tensor that borrows the memory of 'values', which is gone when the function returns
}
