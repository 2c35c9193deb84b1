// RUN: %check %s --checks=-*,tensor-view-after-permute,tensor-shape-mismatch -- %runtime
// A row of several parts is longer than each of them: the parts were added because they are there.

#include <tensortidy/aten.h>
#include <vector>

// A fused projection: queries of all heads, keys and values of the groups.
struct Attention {
  int64_t heads, groups, size;
  int64_t queries() const { return heads * size; }
  int64_t keys() const { return groups * size; }

  at::Tensor scores(const at::Tensor &x, int64_t n) const {
    auto rows = x.contiguous().view({n, queries() + 2 * keys()});
    auto q = rows.narrow(1, 0, queries());
    auto k = rows.narrow(-1, queries(), keys());
    auto perHead = q.view({n, heads, size}); // splits each row
    auto perGroup = k.view({n * groups, size});
    // CHECK-MESSAGES: :[[#@LINE-1]]:23: warning: view({groups*n, size}) cannot merge dimensions 0 and 1 of 'k': sizes [n, size*groups], strides [2*size*groups + heads*size, 1]; throws unless groups or n is 1 [tensor-view-after-permute]
    // CHECK-MESSAGES: :[[#@LINE-4]]:19: note: 'k' got this layout here: narrow(-1, {{.*}})
    return at::matmul(perHead, perGroup.t());
  }
  at::Tensor values(const at::Tensor &x, int64_t n) const {
    auto rows = x.contiguous().view({n, queries() + 2 * keys()});
    return rows.slice(1, queries() + keys()).contiguous().view({n * groups, size});
  }
};

// Heads on an axis of their own: those of one group are apart from the next token's.
at::Tensor groupHeads(const at::Tensor &x, int64_t batch, int64_t steps, int64_t h, int64_t g, int64_t d) {
  auto all = x.contiguous().view({batch, steps, h + 2 * g, d});
  auto k = all.slice(2, h, h + g);
  auto tokens = k.view({batch * steps, g * d}); // keeps the gaps between tokens
  return k.view({batch, steps * g, d}) + tokens.sum();
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: view({batch, g*steps, d}) cannot merge dimensions 1 and 2 of 'k': sizes [batch, steps, g, d], strides [steps*d*(h + 2*g), d*(h + 2*g), d, 1]; throws unless g or steps is 1 [tensor-view-after-permute]
  // CHECK-MESSAGES: note: 'k' got this layout here
}

// Latent attention: what is rotated lies behind what is not.
std::vector<at::Tensor> latent(const at::Tensor &kv, int64_t b, int64_t t, int64_t h, int64_t plain, int64_t rotated) {
  auto rows = kv.contiguous().view({b, t, h, plain + rotated});
  auto parts = rows.split_with_sizes({plain, rotated}, -1);
  auto flat = parts[1].view({b, t, h * rotated});
  // CHECK-MESSAGES: :[[#@LINE-1]]:24: warning: view({b, t, rotated*h}) cannot merge dimensions 2 and 3: sizes [b, t, h, rotated], strides [t*h*(rotated + plain), h*(rotated + plain), rotated + plain, 1]; throws unless rotated or h is 1 [tensor-view-after-permute]
  // CHECK-MESSAGES: note: the tensor got this layout here: split_with_sizes
  return {parts[0].transpose(1, 2), flat};
}

// A cache grown by the new steps; what was there before may be nothing.
at::Tensor newest(int64_t b, int64_t past, int64_t steps, int64_t d) {
  auto cache = at::zeros({b, past + steps, d});
  auto now = cache.narrow(1, past, steps);
  return now.view({b * steps, d});
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: view({steps*b, d}) cannot merge dimensions 0 and 1 of 'now': sizes [b, steps, d], strides [d*(steps + past), d, 1]; throws unless steps or b is 1, or past is 0 [tensor-view-after-permute]
  // CHECK-MESSAGES: note: 'now' got this layout here
}
// Steps first: what is new is the end of the memory.
at::Tensor newestFirst(int64_t b, int64_t past, int64_t steps, int64_t d) {
  auto cache = at::zeros({past + steps, b, d});
  return cache.narrow(0, past, steps).view({steps * b, d});
}

// Four numbers of a box, one of a score, and classes.
at::Tensor classes(int64_t n, int64_t boxes, int64_t kinds) {
  auto found = at::zeros({n, boxes, 5 + kinds});
  auto best = found.slice(2, 5).view({n, boxes * kinds});
  // CHECK-MESSAGES: :[[#@LINE-1]]:33: warning: view({n, kinds*boxes}) cannot merge dimensions 1 and 2: sizes [n, boxes, kinds], strides [boxes*(kinds + 5), kinds + 5, 1]; throws unless kinds or boxes is 1 [tensor-view-after-permute]
  // CHECK-MESSAGES: note: the tensor got this layout here: slice(2, 5)
  auto boxesOnly = found.slice(2, 0, 4).reshape({n, boxes * 4});
  return at::cat({best, boxesOnly.view({n * boxes * 4}).view({n, -1})}, 1);
}

// The last k of a row, counted from its end.
at::Tensor lastOnes(int64_t n, int64_t q, int64_t k) {
  auto rows = at::zeros({n, q + k});
  auto last = rows.slice(-1, -k);
  return last.view({n * k});
  // CHECK-MESSAGES: :[[#@LINE-1]]:15: warning: view({k*n}) cannot merge dimensions 0 and 1 of 'last': sizes [n, k], strides [k + q, 1]; throws unless k or n is 1, or q is 0 [tensor-view-after-permute]
  // CHECK-MESSAGES: note: 'last' got this layout here: slice(-1, -k)
}

// What a check has ruled out is not said.
at::Tensor checked(int64_t n, int64_t left, int64_t right) {
  TORCH_CHECK(n > 1 && left >= 1 && right > 1, "nothing to split");
  auto rows = at::zeros({n, left + right});
  return rows.index({at::indexing::Slice(), at::indexing::Slice(left, at::indexing::None)}).view(-1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:93: warning: view({-1}) cannot merge dimensions 0 and 1: sizes [n, right], strides [right + left, 1]; throws [tensor-view-after-permute]
  // CHECK-MESSAGES: note: the tensor got this layout here
}

// The width is known by a check alone.
at::Tensor ofAnother(const at::Tensor &qkv, int64_t h, int64_t g, int64_t d) {
  TORCH_CHECK(qkv.dim() == 2 && qkv.is_contiguous());
  TORCH_CHECK(qkv.size(1) == (h + 2 * g) * d, "not what the heads need");
  auto k = qkv.slice(1, h * d, (h + g) * d);
  return k.view({-1, d});
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: view({-1, d}) cannot merge dimensions 0 and 1 of 'k': sizes [qkv.size(0), g*d], strides [h*d + 2*g*d, 1]; throws unless qkv.size(0) or g is 1 [tensor-view-after-permute]
  // CHECK-MESSAGES: note: 'k' got this layout here
}

// Two sums are not the same without what only one of them has.
at::Tensor biased(int64_t n, int64_t in, int64_t extra) {
  auto x = at::zeros({n, in + extra});
  return x + at::zeros({in}).unsqueeze(0);
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: x + ...: sizes extra + in and in do not match at dimension 1; throws unless in or extra + in is 1, or extra is 0 [tensor-shape-mismatch]
}

// --- Right, or right where anybody would use it.

at::Tensor whole(int64_t n, int64_t q, int64_t k) {
  auto rows = at::zeros({n, q + k});
  return rows.narrow(1, 0, k + q).view({n * (q + k)});
}
at::Tensor regrouped(int64_t n, int64_t h, int64_t g, int64_t d) {
  auto rows = at::zeros({n, d * h + g * d});
  return rows.view({n, h + g, d}).view({n * h + n * g, d});
}
at::Tensor oneRow(int64_t q, int64_t k) {
  auto row = at::zeros({1, q + k});
  return row.slice(1, q).view({k});
}
at::Tensor ofOne(int64_t n, int64_t q, int64_t k) {
  return at::zeros({n, q + k})[0].slice(0, q).view({k});
}
at::Tensor unpadded(int64_t n, int64_t steps, int64_t pad) {
  auto x = at::zeros({n, steps + pad});
  if (pad > 0)
    x = x.narrow(1, 0, steps).contiguous();
  return x.view({n * steps});
}
at::Tensor joined(const std::vector<at::Tensor> &all, int64_t a, int64_t b, int64_t w) {
  auto x = at::cat({all[0].view({a, w}), all[1].view({b, w})}, 0);
  return x.slice(0, 0, a).view({-1}) + x.slice(0, a).view({-1}).sum();
}
at::Tensor noPast(int64_t b, int64_t past, int64_t steps, int64_t d) {
  TORCH_CHECK(past < 1);
  auto cache = at::zeros({b, past + steps, d});
  return cache.narrow(1, past, steps).view({b * steps, d});
}
