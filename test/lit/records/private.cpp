// RUN: %check %s --checks=-*,tensor-view-after-permute,tensor-overlapping-write,tensor-shape-mismatch -- %runtime
// A private member has what all its writes have in common.

#include <tensortidy/aten.h>

class Cache {
public:
  Cache(int64_t h, int64_t t, int64_t d) : k(at::zeros({t, h, d}).transpose(0, 1)), v(at::zeros({h, t, d})) {}
  at::Tensor keys() const { return k.view({-1}); }
  // CHECK-MESSAGES: :[[#@LINE-1]]:38: warning: view({-1}) cannot merge dimensions 1 and 2 of 'k': sizes [h, t, d], strides [d, h*d, 1]; throws unless t or h is 1
  // CHECK-MESSAGES: :[[#@LINE-2]]:38: note: reshape() copies t*h*d elements
  at::Tensor values() const { return v.view({-1}); }

private:
  at::Tensor k, v;
};

class Mask {
public:
  void scale(double s) { row.mul_(s); }
  // CHECK-MESSAGES: :[[#@LINE-1]]:30: warning: mul_() writes elements of 'row' more than once: a dimension of size 4 has stride 0; throws
  // CHECK-MESSAGES: :[[#@LINE-2]]:30: note: clone() the tensor first

private:
  at::Tensor row = at::ones({1, 16}).expand({4, 16});
};

// Made again in the same way.
class Again {
public:
  Again(int64_t a, int64_t b) : w(at::zeros({a, b}).t()) {}
  void renew(int64_t n, int64_t m) { w = at::zeros({n, m}).t(); }
  at::Tensor row() const { return w.view({-1}); }
  // CHECK-MESSAGES: :[[#@LINE-1]]:37: warning: view({-1}) cannot merge dimensions 0 and 1 of 'w'
  // CHECK-MESSAGES: :[[#@LINE-2]]:37: note: reshape() copies

private:
  at::Tensor w;
};

class Table {
public:
  at::Tensor square() const { return cells.view({4, 4}); }
  // CHECK-MESSAGES: :[[#@LINE-1]]:44: warning: view({4, 4}): shape [4, 4] does not fit the 15 elements of 'cells'; throws

private:
  at::Tensor cells = at::zeros({3, 5});
};

// --- Others may have written it, or in another way.

class Packed {
public:
  Packed(int64_t a, int64_t b) : w(at::zeros({a, b}).t()) {}
  void pack() { w = w.contiguous(); }
  at::Tensor row() const { return w.view({-1}); }

private:
  at::Tensor w;
};
class Numbers { // two sizes at one time, others later
public:
  Numbers(int64_t a, int64_t b) : w(at::zeros({a, a})), x(at::zeros({b, a})) {}
  void renew(int64_t n) { w = at::zeros({n, n}); }
  at::Tensor sum() const { return w + x; }

private:
  at::Tensor w, x;
};
class HandedOut {
public:
  HandedOut(int64_t a, int64_t b) : w(at::zeros({a, b}).t()) {}
  at::Tensor &weight() { return w; }
  at::Tensor row() const { return w.view({-1}); }

private:
  at::Tensor w;
};
class Loaded {
public:
  Loaded(int64_t a, int64_t b) : w(at::zeros({a, b}).t()) {}
  void load(const char *path); // elsewhere
  at::Tensor row() const { return w.view({-1}); }

private:
  at::Tensor w;
};
class Turned {
public:
  Turned(int64_t a, int64_t b) : w(at::zeros({a, b}).t()) {}
  void turn() { w.t_(); }
  at::Tensor row() const { return w.view({-1}); }

private:
  at::Tensor w;
};
class Opened {
  friend struct Opener;

public:
  Opened(int64_t a, int64_t b) : w(at::zeros({a, b}).t()) {}
  at::Tensor row() const { return w.view({-1}); }

private:
  at::Tensor w;
};
void read(at::Tensor &into);
class Read {
public:
  Read(int64_t a, int64_t b) : w(at::zeros({a, b}).t()) {}
  void again() { read(w); }
  at::Tensor row() const { return w.view({-1}); }

private:
  at::Tensor w;
};
class Chosen {
public:
  Chosen(int64_t a, int64_t b, bool turn) : w(turn ? at::zeros({a, b}).t() : at::zeros({b, a})) {}
  at::Tensor row() const { return w.view({-1}); }

private:
  at::Tensor w;
};

// What the constructor gives it, one after the other.
class Scaled {
public:
  Scaled(int64_t n) : y(at::rand({n, 1})) { y = (y - y.mean()) / 2; }
  at::Tensor last() const { return y.select(2, 0); }
  // CHECK-MESSAGES: :[[#@LINE-1]]:38: warning: select(2, 0): dimension 2 of 'y' is out of range [-2, 1]; throws

private:
  at::Tensor y;
};
class Later {
public:
  Later(int64_t n) : y(at::rand({n, 1})) { y = y.t(); }
  void pack() { y = y.squeeze(0); }
  at::Tensor last() const { return y.select(2, 0); }

private:
  at::Tensor y;
};

// And its element type.
class Slots {
public:
  Slots(int64_t n) : slots(at::zeros({n}, at::kLong)), counts(at::zeros({n})) {}
  at::Tensor chosen(const at::Tensor &x) const { return x.index_select(0, slots) + x.index_select(0, counts); }
  // CHECK-MESSAGES: :[[#@LINE-1]]:86: warning: {{.*}}'counts'

private:
  at::Tensor slots, counts;
};
