// RUN: %check %s --checks=-*,tensor-shape-mismatch -- %runtime
// What a constructor has checked of numbers holds in the methods, and what it made of its locals and other members is known there.

#include "Inputs/ranges.h"
#include <tensortidy/torch.h>

using torch::Tensor;

// The momentum of a fused projection whose rows hold a gate as large as the query.
class GatedMomentum {
public:
  GatedMomentum(int64_t hidden, int64_t heads, int64_t groups, int64_t width)
      : hidden_(hidden), groups_(groups), width_(width) {
    TORCH_CHECK(groups > 0 && heads % groups == 0, "heads divide into groups");
    query_ = heads / groups * width;
    const int64_t rows = query_ + query_ + 2 * width_;
    weight_ = torch::empty({groups_ * rows, hidden_});
    momentum_ = torch::zeros_like(weight_);
  }
  Tensor parts(const Tensor &grad) {
    momentum_.mul_(0.9).add_(grad);
    return momentum_.view({groups_, query_ + 2 * width_, hidden_});
    // CHECK-MESSAGES: :[[#@LINE-1]]:22: warning: view({groups_, 2*width_ + query_, hidden_}): {{.*}}throws unless query_ is 0
  }
  Tensor all(const Tensor &grad) {
    momentum_.mul_(0.9).add_(grad);
    return momentum_.view({groups_, 2 * query_ + 2 * width_, hidden_});
  }

private:
  int64_t hidden_, groups_, width_, query_;
  Tensor weight_, momentum_;
};

// The rotary part is the smaller one: the other one's size does not fit.
class Latent {
public:
  Latent(int64_t plain, int64_t rotary) : plain_(plain), rotary_(rotary) {
    TORCH_CHECK(plain > rotary && rotary > 0, "the rotary part is the smaller one");
    TORCH_CHECK(plain % 2 == 0);
  }
  Tensor wrong(int64_t n) {
    auto x = torch::zeros({n, rotary_});
    return x.view({n, 1, plain_});
    // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: view({n, 1, plain_}): shape [n, 1, plain_] does not fit the rotary_*n elements of 'x'; throws unless it is empty
  }
  Tensor right(int64_t n) { return torch::zeros({n, rotary_}).view({n, 1, rotary_}); }

private:
  int64_t plain_, rotary_;
};

struct LatentModule : torch::nn::Module {
  LatentModule(int64_t plain, int64_t rotary) : plain(plain), rotary(rotary) {
    if (rotary >= plain)
      throw std::invalid_argument("the rotary part is the smaller one");
  }
  Tensor forward(int64_t n) {
    return torch::ones({n, rotary}).view({n, plain});
    // CHECK-MESSAGES: :[[#@LINE-1]]:37: warning: view({n, plain}): {{.*}}throws unless it is empty
  }
  int64_t plain, rotary;
};

// Of the settings it was given. What is written to a member in place does not change its sizes.
struct Sizes {
  int64_t latent, plain, rotary, most;
};
class Cache {
public:
  explicit Cache(const Sizes &sizes) : sizes_(sizes) {
    TORCH_CHECK(sizes.plain > sizes.rotary && sizes.rotary > 0);
    rows_ = torch::zeros({sizes.most, sizes.latent + sizes.rotary});
  }
  void clear(const Tensor &ids) { rows_.index_put_({ids}, 0); }
  Tensor rotary() {
    return rows_.slice(1, sizes_.latent).reshape({sizes_.most, 1, sizes_.plain});
    // CHECK-MESSAGES: :[[#@LINE-1]]:42: warning: reshape({{.*}}throws unless it is empty
  }
  Tensor right() { return rows_.slice(1, sizes_.latent).reshape({sizes_.most, 1, sizes_.rotary}); }

private:
  Sizes sizes_;
  Tensor rows_;
};

Tensor OpenRange::view() const { return torch::zeros({2, rotary}).view({2, plain}); }
Tensor ClosedRange::view() const {
  return torch::zeros({2, rotary}).view({2, plain});
  // CHECK-MESSAGES: :[[#@LINE-1]]:36: warning: view({2, plain}): {{.*}}throws unless it is empty
}

// A method gives a member another value, the parameter has one when it is compared, and some paths check nothing.
class Settable {
public:
  Settable(int64_t plain, int64_t rotary) : plain_(plain), rotary_(rotary) { TORCH_CHECK(plain > rotary); }
  void set(int64_t n) { plain_ = n; }
  Tensor view() { return torch::zeros({2, rotary_}).view({2, plain_}); }

private:
  int64_t plain_, rotary_;
};
class Rounded {
public:
  Rounded(int64_t plain, int64_t rotary) : plain_(plain), rotary_(rotary) {
    rotary -= rotary % 8;
    TORCH_CHECK(plain > rotary);
  }
  Tensor view() { return torch::zeros({2, rotary_}).view({2, plain_}); }

private:
  int64_t plain_, rotary_;
};
class Sometimes {
public:
  Sometimes(int64_t plain, int64_t rotary, bool strict) : plain_(plain), rotary_(rotary) {
    if (strict)
      TORCH_CHECK(plain > rotary);
    TORCH_CHECK(plain > rotary || !strict);
  }
  Tensor view() { return torch::zeros({2, rotary_}).view({2, plain_}); }

private:
  int64_t plain_, rotary_;
};
// One of two constructors checks.
class Either {
public:
  explicit Either(int64_t n) : plain_(n), rotary_(n) {}
  Either(int64_t plain, int64_t rotary) : plain_(plain), rotary_(rotary) { TORCH_CHECK(plain > rotary); }
  Tensor view() { return torch::zeros({2, rotary_}).view({2, plain_}); }

private:
  int64_t plain_, rotary_;
};
// The weight is replaced before another member is made like it.
class Twice {
public:
  Twice(int64_t n, int64_t m) : n_(n), m_(m) {
    weight_ = torch::zeros({n_, 2});
    weight_ = torch::zeros({n_, 3});
    like_ = torch::zeros_like(weight_);
  }
  Tensor view() { return like_.view({n_, 4}); }

private:
  int64_t n_, m_;
  Tensor weight_, like_;
};
