// RUN: %check %s --checks=-*,tensor-view-after-permute -- %runtime
// Calls of functions in the unit, with what they are given.

#include <tensortidy/aten.h>

#include <tuple>
#include <utility>

static at::Tensor swapped(const at::Tensor &x) { return x.transpose(1, 2); }

at::Tensor returned(int64_t B, int64_t T, int64_t D) {
  auto x = at::zeros({B, T, D});
  return swapped(x).view({B, T * D});
  // CHECK-MESSAGES: [[@LINE-1]]:21: warning: view({B, T*D}) cannot merge dimensions 1 and 2{{.*}}sizes [B, D, T], strides [T*D, 1, D]; throws unless {{.*}} [tensor-view-after-permute]
  // CHECK-MESSAGES: [[@LINE-6]]:59: note: the tensor got this layout here: transpose(1, 2) of a contiguous [B, T, D]
  // CHECK-MESSAGES: [[@LINE-3]]:21: note: reshape() copies
}

static at::Tensor flat(const at::Tensor &x) {
  return x.view(-1);
  // CHECK-MESSAGES: [[@LINE-1]]:12: warning: view({-1}) cannot merge dimensions 0 and 1 of 'x': sizes [x.size(0), x.size(1)], strides [1, x.size(0)]; throws unless {{.*}} [tensor-view-after-permute]
  // CHECK-MESSAGES: [[@LINE+8]]:14: note: 'x' got this layout here: t()
  // CHECK-MESSAGES: [[@LINE-3]]:12: note: reshape() copies
  // CHECK-MESSAGES: [[@LINE+7]]:10: note: in the call of 'flat' here
}
at::Tensor contiguousArgument(int64_t N, int64_t M) { return flat(at::zeros({N, M})); }

at::Tensor transposedArgument(int64_t N, int64_t M) {
  auto x = at::zeros({N, M});
  auto y = x.t();
  return flat(y);
}

// By reference: what the body does to its parameter happens to the variable.
static void swapInPlace(at::Tensor &x) { x = x.t(); }
at::Tensor byReference(int64_t N, int64_t M) {
  auto x = at::zeros({N, M});
  swapInPlace(x);
  return x.view(-1);
  // CHECK-MESSAGES: [[@LINE-1]]:12: warning: view({-1}) cannot merge
  // CHECK-MESSAGES: note:
  // CHECK-MESSAGES: note:
}

static std::pair<at::Tensor, at::Tensor> both(const at::Tensor &x) { return {x, x.t()}; }
at::Tensor ofPair(int64_t N, int64_t M) {
  auto [a, b] = both(at::zeros({N, M}));
  a.view(-1);
  return b.view(-1);
  // CHECK-MESSAGES: [[@LINE-1]]:12: warning: view({-1}) cannot merge
  // CHECK-MESSAGES: note:
  // CHECK-MESSAGES: note:
}

static int64_t heads(int64_t C, int64_t D = 64) { return C / D; }
at::Tensor numbers(const at::Tensor &q, int64_t B, int64_t T) {
  auto x = at::zeros({B, T, 512});
  auto h = heads(512);
  return x.view({B, T, h, 64}).transpose(1, 2).view({B, T, 512});
  // CHECK-MESSAGES: [[@LINE-1]]:48: warning: view({B, T, 512}) cannot merge dimensions 2 and 3{{.*}}sizes [B, 8, T, 64]
  // CHECK-MESSAGES: note:
  // CHECK-MESSAGES: note:
}

struct Block {
  at::Tensor weight;
  at::Tensor split(const at::Tensor &x) const { return x.view({x.size(0), -1, 8}).transpose(1, 2); }
  at::Tensor forward(int64_t B) {
    return split(at::zeros({B, 64})).view({B, 64});
    // CHECK-MESSAGES: [[@LINE-1]]:38: warning: view({B, 64}) cannot merge dimensions 1 and 2{{.*}}sizes [B, 8, 8]
    // CHECK-MESSAGES: note:
    // CHECK-MESSAGES: note:
  }
  void init(int64_t N) { weight = at::zeros({N, 4}).t(); }
  at::Tensor member(int64_t N) {
    init(N);
    return weight.view(-1);
    // CHECK-MESSAGES: [[@LINE-1]]:19: warning: view({-1}) cannot merge dimensions 0 and 1 of 'weight': sizes [4, N]
    // CHECK-MESSAGES: note:
    // CHECK-MESSAGES: note:
  }
};

at::Tensor memberOf(int64_t N) {
  Block b;
  b.init(N);
  return b.weight.view(-1);
  // CHECK-MESSAGES: [[@LINE-1]]:19: warning: view({-1}) cannot merge dimensions 0 and 1 of 'b.weight'
  // CHECK-MESSAGES: note:
  // CHECK-MESSAGES: note:
}

template <int N> at::Tensor rotated(const at::Tensor &x) { return N == 0 ? x : x.transpose(0, 1); }
at::Tensor instance(int64_t A, int64_t B) {
  rotated<0>(at::zeros({A, B})).view(-1);
  return rotated<1>(at::zeros({A, B})).view(-1);
  // CHECK-MESSAGES: [[@LINE-1]]:40: warning: view({-1}) cannot merge
  // CHECK-MESSAGES: note:
  // CHECK-MESSAGES: note:
}

at::Tensor lambda(int64_t A, int64_t B) {
  auto x = at::zeros({A, B});
  auto turn = [&](const at::Tensor &y) { return y.t(); };
  return turn(x).view(-1);
  // CHECK-MESSAGES: [[@LINE-1]]:18: warning: view({-1}) cannot merge
  // CHECK-MESSAGES: note:
  // CHECK-MESSAGES: note:
}

at::Tensor immediate(int64_t A, int64_t B) {
  auto x = at::zeros({A, B}).t();
  return [&] {
    return x.view(-1);
    // CHECK-MESSAGES: [[@LINE-1]]:14: warning: view({-1}) cannot merge dimensions 0 and 1 of 'x': sizes [B, A], strides [1, B]
    // CHECK-MESSAGES: note: 'x' got this layout here: t()
    // CHECK-MESSAGES: note: reshape()
  }();
}
