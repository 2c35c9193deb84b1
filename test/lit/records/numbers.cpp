// RUN: %check %s --checks=-*,tensor-view-after-permute,tensor-shape-mismatch -- %runtime
// Sizes that a constructor was given are those that the object keeps.

#include <tensortidy/aten.h>

struct Options {
  int64_t heads = 8, size = 64;
};

class Table {
public:
  Table(int64_t n, const Options &given) : n_(n), options(given) {
    rows = at::zeros({n, given.heads, given.size});
    columns = at::zeros({options.heads, n_}).t();
  }
  at::Tensor flat() const { return rows.view({n_, options.heads * options.size}); }
  at::Tensor product() const { return at::mm(columns.t(), rows.flatten(1)); }
  at::Tensor merged() const { return columns.view({n_ * options.heads}); }
  // CHECK-MESSAGES: :[[#@LINE-1]]:46: warning: view({options.heads*n_}) cannot merge dimensions 0 and 1 of 'columns': sizes [n_, options.heads], strides [1, n_]
  at::Tensor swapped() const { return rows.transpose(0, 1).view({options.heads, n_ * options.size}); }
  // CHECK-MESSAGES: :[[#@LINE-1]]:60: warning: view({options.heads, n_*options.size}) cannot merge

private:
  int64_t n_;
  Options options;
  at::Tensor rows, columns;
};

// A number that a method changes is another one later.
class Ring {
public:
  explicit Ring(int64_t n) : n_(n) { all = at::zeros({n, 4}); }
  void grow() { n_ *= 2; }
  at::Tensor sum(const at::Tensor &x) const { return all + at::ones({n_, 1}); }
  at::Tensor flat() const { return all.view({n_ * 4}); }

private:
  int64_t n_;
  at::Tensor all;
};
