// The cases of tensor-dangling-data-pointer: see lifetimes.h.

#include "lifetimes.h"

using namespace lifetimes;

// --- temporaries with memory of their own ---

DANGLES(contiguousOfTransposed) {
  auto x = transposed();
  const float *p = x.contiguous().data_ptr<float>();
  return sum(p, 24) == 24;
}
LIVES(contiguousOfContiguous) {
  auto x = at::ones({4, 6});
  const float *p = x.contiguous().data_ptr<float>();
  return sum(p, 24) == 24;
}
LIVES(checkedContiguous) {
  auto x = rows();
  if (!x.is_contiguous())
    return false;
  const float *p = x.contiguous().data_ptr<float>();
  return sum(p, 24) == 24;
}
LIVES(sameStatement) {
  auto x = transposed();
  return sum(x.contiguous().data_ptr<float>(), 24) == 24 &&
         x.contiguous().data_ptr<float>()[0] == 1;
}
LIVES(named) {
  auto x = transposed();
  auto y = x.contiguous();
  const float *p = y.data_ptr<float>();
  return sum(p, 24) == 24;
}
LIVES(extended) {
  const at::Tensor &y = transposed().contiguous();
  const float *p = y.data_ptr<float>();
  return sum(p, 24) == 24;
}
LIVES(viewOfLiving) {
  auto x = rows();
  const float *p = x.t().data_ptr<float>();
  const float *q = x.view({-1}).slice(0, 2).data_ptr<float>();
  return sum(p, 24) == 24 && sum(q, 22) == 22;
}
DANGLES(converted) {
  auto x = rows();
  const double *p = x.to(at::kDouble).data_ptr<double>();
  return p[0] == 1;
}
LIVES(convertedToItself) {
  auto x = at::ones({4, 6});
  const float *p = x.to(at::kFloat).data_ptr<float>();
  return sum(p, 24) == 24;
}
DANGLES(reshaped) {
  auto x = at::ones({4, 6}).t();
  const float *p = x.reshape({-1}).data_ptr<float>();
  return sum(p, 24) == 24;
}
LIVES(reshapedInPlace) {
  auto x = at::ones({4, 6});
  const float *p = x.reshape({-1}).data_ptr<float>();
  return sum(p, 24) == 24;
}
DANGLES(cloned) {
  auto x = rows();
  const float *p = x.clone().data_ptr<float>();
  return sum(p, 24) == 24;
}
DANGLES(made) {
  const float *p = at::zeros({24}).data_ptr<float>();
  return sum(p, 24) == 0;
}
DANGLES(computed) {
  auto x = rows();
  const float *p = (x + x).data_ptr<float>();
  return sum(p, 24) == 48;
}
DANGLES(viewOfTemporary) {
  auto x = rows();
  const float *p = (x * x).view({-1}).slice(0, 1).data_ptr<float>();
  return sum(p, 23) == 23;
}
DANGLES(movedOn) {
  auto x = rows();
  const float *p = x.clone().data_ptr<float>() + 2;
  return sum(p, 20) == 20;
}
DANGLES(addressOfElement) {
  auto x = rows();
  const float *p = &x.clone().data_ptr<float>()[2];
  return sum(p, 20) == 20;
}
DANGLES(oneArm) {
  auto x = transposed();
  const float *p = flag(false) ? x.data_ptr<float>() : x.clone().data_ptr<float>();
  return sum(p, 24) == 24;
}
LIVES(armsOfTensors) {
  auto x = transposed();
  auto y = flag(false) ? x : x.clone();
  const float *p = y.data_ptr<float>();
  return sum(p, 24) == 24;
}
DANGLES(assignedLater) {
  auto x = rows();
  const float *p = nullptr;
  p = x.clone().data_ptr<float>();
  return sum(p, 24) == 24;
}

// --- sizes, strides, accessors: they belong to the tensor object ---

DANGLES(sizesOfTemporary) {
  auto x = rows();
  auto s = x.permute({1, 0}).sizes();
  return product(s) == 24;
}
DANGLES(stridesOfTemporary) {
  auto x = rows();
  auto s = x.t().strides();
  return s[0] == 1;
}
DANGLES(rangeForOverSizes) {
  auto x = rows();
  int64_t n = 1;
  for (auto d : x.permute({1, 0}).sizes())
    n *= d;
  return n == 24;
}
LIVES(rangeForOverCopy) {
  auto x = rows();
  int64_t n = 1;
  for (auto d : x.permute({1, 0}).sizes().vec())
    n *= d;
  for (auto d : x.sizes())
    n *= d;
  return n == 24 * 24;
}
LIVES(rangeForOverViews) {
  auto x = rows();
  float n = 0;
  for (auto row : x.clone().unbind(0)) {
    const float *p = row.data_ptr<float>();
    n += sum(p, 6);
  }
  return n == 24;
}
LIVES(copiedSizes) {
  auto x = rows();
  auto s = x.permute({1, 0}).sizes().vec();
  int64_t n = x.t().sizes()[0];
  return product(s) == 24 && n == 6;
}
static const at::Tensor constant() { return at::ones({4, 6}); }
DANGLES(accessorOfConst) {
  auto a = constant().accessor<float, 2>();
  return a[1][2] == 1;
}
LIVES(accessorOfNamed) {
  auto x = rows();
  auto a = x.accessor<float, 2>();
  auto row = a[1];
  return row[2] == 1;
}

// --- lists that view what is gone ---

DANGLES(braces) {
  at::IntArrayRef s = {number(2), number(3)};
  return product(s) == 6;
}
DANGLES(assignedVector) {
  at::IntArrayRef s;
  s = std::vector<int64_t>{2, 3};
  return product(s) == 6;
}
DANGLES(listOfTensors) {
  auto a = rows(), b = rows();
  at::TensorList l = {a, b};
  return l[0].dim() == 2 && l[1].dim() == 2;
}
DANGLES(keptBraces) {
  std::vector<at::IntArrayRef> all;
  all.push_back({number(2), number(3)});
  return product(all[0]) == 6;
}
LIVES(bracesInCall) { return product({number(2), number(3)}) == 6; }
LIVES(vectorNamed) {
  std::vector<int64_t> v = {2, 3};
  at::IntArrayRef s = v;
  return product(s) == 6;
}

// --- the tensor goes away under the pointer ---

DANGLES(assignedAnew) {
  auto t = at::zeros({24});
  float *p = t.data_ptr<float>();
  t = t + 1;
  return sum(p, 24) == 0;
}
LIVES(askedAgain) {
  auto t = at::zeros({24});
  float *p = t.data_ptr<float>();
  t = t + 1;
  p = t.data_ptr<float>();
  return sum(p, 24) == 24;
}
LIVES(heldTwice) {
  auto t = at::zeros({24});
  auto kept = t.view({4, 6});
  float *p = t.data_ptr<float>();
  t = t + 1;
  return sum(p, 24) == 0;
}
DANGLES(endOfBlock) {
  auto x = rows();
  const float *p = x.data_ptr<float>();
  if (flag(true)) {
    auto y = x + 1;
    p = y.data_ptr<float>();
  }
  return sum(p, 24) == 48;
}
LIVES(heldOutside) {
  auto x = rows();
  at::Tensor y;
  const float *p = x.data_ptr<float>();
  if (flag(true)) {
    y = x + 1;
    p = y.data_ptr<float>();
  }
  return sum(p, 24) == 48;
}
LIVES(heldByList) {
  std::vector<at::Tensor> keep;
  const float *p;
  {
    auto y = rows().clone();
    p = y.data_ptr<float>();
    keep.push_back(y);
  }
  return sum(p, 24) == 24;
}
DANGLES(resized) {
  auto x = at::zeros({4});
  float *p = x.data_ptr<float>();
  x.resize_({100000});
  return sum(p, 4) == 0;
}
LIVES(resizedBefore) {
  auto x = at::zeros({4});
  float *q = x.data_ptr<float>();
  float before = sum(q, 4);
  x.resize_({100000});
  float *p = x.data_ptr<float>();
  p[0] = 1;
  return before == 0 && sum(p, 1) == 1;
}
STALE(unsqueezed) {
  auto x = at::zeros({4, 6});
  auto s = x.sizes();
  x.unsqueeze_(0);
  return product(s) == 24;
}

// --- through helpers, containers and wrappers ---

static float *pointer(const at::Tensor &t) { return t.data_ptr<float>(); }
static at::Tensor doubled(const at::Tensor &t) { return t + t; }
DANGLES(helperOfTemporary) {
  auto x = rows();
  float *p = pointer(x.clone());
  return sum(p, 24) == 24;
}
DANGLES(temporaryOfHelper) {
  auto x = rows();
  float *p = doubled(x).data_ptr<float>();
  return sum(p, 24) == 48;
}
LIVES(helperOfNamed) {
  auto x = doubled(rows());
  float *p = pointer(x);
  return sum(p, 24) == 48;
}
LIVES(helperInStatement) { return sum(pointer(rows().clone()), 24) == 24; }
DANGLES(inVector) {
  auto x = rows();
  std::vector<float *> all;
  all.push_back(x.data_ptr<float>());
  all.push_back(x.clone().data_ptr<float>());
  return sum(all[1], 24) == 24;
}
LIVES(vectorOfLiving) {
  auto x = rows(), y = doubled(x);
  std::vector<float *> all;
  all.push_back(x.data_ptr<float>());
  all.push_back(y.data_ptr<float>());
  return sum(all[1], 24) == 48;
}
struct Span {
  const float *Data;
  int64_t Count;
};
static float total(const Span &S) { return sum(S.Data, S.Count); }
DANGLES(inWrapper) {
  auto x = rows();
  Span s{x.clone().data_ptr<float>(), 24};
  return total(s) == 24;
}
LIVES(wrapperOfLiving) {
  auto x = rows(), y = doubled(x);
  Span s{y.data_ptr<float>(), 24};
  return total(s) == 48;
}
DANGLES(inField) {
  auto x = rows();
  Span s;
  s.Count = 24;
  s.Data = x.clone().data_ptr<float>();
  return total(s) == 24;
}
struct Owner {
  at::Tensor Buffer;
  float *Data = nullptr;
  void fill(const at::Tensor &x) {
    Buffer = x.clone();
    Data = Buffer.data_ptr<float>();
  }
};
LIVES(memberHolds) {
  Owner o;
  o.fill(rows());
  return sum(o.Data, 24) == 24;
}
struct Keeper {
  float *Data = nullptr;
  void fill(const at::Tensor &x) { Data = pointer(x); }
};
LIVES(memberOfParameter) {
  auto x = rows();
  Keeper k;
  k.fill(x);
  return sum(k.Data, 24) == 24;
}

// --- earlier iterations, what tests say, the last of a list ---

DANGLES(earlierIteration) {
  auto x = at::ones({3, 6});
  const float *first = nullptr;
  float total = 0;
  for (int64_t i = 0; i < 3; ++i) {
    auto row = x[i].clone();
    if (!first)
      first = row.data_ptr<float>();
    total += sum(first, 6);
  }
  return total == 18;
}
static float ofCopyOr(const at::Tensor &x, bool copy) {
  const float *p = x.data_ptr<float>();
  if (copy) {
    auto y = x.clone();
    p = y.data_ptr<float>();
  }
  return copy ? 6 : sum(p, 6);
}
LIVES(eitherWay) { return ofCopyOr(at::ones({6}), true) == 6 && ofCopyOr(at::ones({6}), false) == 6; }
DANGLES(poppedFromList) {
  auto x = at::ones({6});
  std::vector<at::Tensor> stack;
  stack.push_back(x.clone());
  stack.push_back(x + 0);
  const float *p = stack.back().data_ptr<float>();
  stack.pop_back();
  return sum(p, 6) == 6;
}
LIVES(firstStaysInList) {
  auto x = at::ones({6});
  std::vector<at::Tensor> stack;
  stack.push_back(x.clone());
  stack.push_back(x + 0);
  const float *p = stack.front().data_ptr<float>();
  stack.pop_back();
  return sum(p, 6) == 6;
}
