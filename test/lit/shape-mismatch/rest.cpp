// RUN: %check %s --checks=-*,tensor-shape-mismatch,tensor-view-after-permute -- %runtime
// What a size of 1 does not excuse: dimensions nobody counted may not be there,
// and a quotient is exact.

#include <tensortidy/aten.h>

at::Tensor columns(at::Tensor boxes, const at::Tensor &anchors) {
  auto n = anchors.size(0);
  boxes = boxes.view({boxes.size(0), n, boxes.size(1) / n, 8, 8});
  boxes.select(2, 2).mul_(anchors.select(1, 0).view({1, -1, 1, 1}));
  return boxes;
}

at::Tensor transposed(const at::Tensor &x) {
  return x.transpose(1, 2).view({x.size(0), -1});
  // CHECK-MESSAGES: :[[#@LINE-1]]:28: warning: view({x.size(0), -1}) cannot merge dimensions 2 and 3{{.*}}, unless x.size(1) or x.size(2) is 1 [tensor-view-after-permute]
  // CHECK-MESSAGES: note: the tensor got this layout here
  // CHECK-MESSAGES: note: reshape() copies
}

at::Tensor steps(at::Tensor x, int64_t step) {
  if (x.dim() == 3)
    x = x.unsqueeze(0);
  auto n = x.size(0), c = x.size(1), h = x.size(2), w = x.size(3);
  return x.view({n / step, step, c, h, w});
}

int64_t sizeAfterView(at::Tensor offset, bool batched) {
  if (!batched)
    offset = offset.view({offset.size(1), offset.size(2), offset.size(3)});
  return offset.size(3);
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: size(3): dimension 3 of 'offset' is out of range [-3, 2]; throws when 'batched' is false [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: 'offset' is {{.*}} here: view(
}

// Of `n + past` only the sum is a size: past may be 0, whatever another path
// takes for it.
at::Tensor mask(int64_t n, int64_t past) {
  auto m = at::zeros({n, n});
  if (past > 0)
    m = at::cat({at::zeros({n, past}), m}, -1);
  return m.unsqueeze(0).expand({1, n, n + past});
}

at::Tensor apart(int64_t n, int64_t m) {
  return at::zeros({n, 3}) + at::zeros({n * m, 3});
  // CHECK-MESSAGES: :[[#@LINE-1]]:28: warning: ... + ...: sizes n and n*m do not match at dimension 0; throws unless n or m is 1 [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: the tensor is [n, 3] here
  // CHECK-MESSAGES: note: the tensor is [n*m, 3] here
}

// How often a loop runs that only a break leaves is not known to be once.
bool more();
at::Tensor counted(int64_t rows) {
  int n = 0;
  while (true) {
    if (!more())
      break;
    ++n;
  }
  auto rest = at::zeros({rows, n});
  return rest.reshape({rows, 3, n / 3});
}

// A new dimension behind `...` comes last.
at::Tensor column(const at::Tensor &m, const at::Tensor &x) {
  return at::bmm(m, x.index({"...", at::indexing::None}));
}

// With more paths than are kept apart, some are joined: what is empty on one of
// them leaves no sizes, and "not both" is remembered.
at::Tensor optional(const at::Tensor &input, const c10::optional<at::Tensor> &bias, const c10::optional<at::Tensor> &offset,
                    const c10::optional<at::Tensor> &mask, int64_t channels) {
  bool unbatched = input.dim() == 2;
  bool biased = bias.has_value() && bias->defined();
  bool moved = offset.has_value() && offset->defined();
  bool masked = mask.has_value() && mask->defined();
  auto b = (biased ? bias.value() : input.new_zeros({0})).contiguous();
  auto o = (moved ? offset.value() : input.new_zeros({0})).contiguous();
  auto m = (masked ? mask.value() : input.new_zeros({0})).contiguous();
  auto x = input.contiguous();
  if (unbatched) {
    o = o.unsqueeze(0);
    m = m.unsqueeze(0);
    x = x.unsqueeze(0);
  }
  auto out = at::zeros({4, channels, 3});
  int64_t n = x.size(0);
  if (moved)
    o = o.view({n, channels, 1});
  else
    o = o.view({n, channels, 0});
  if (masked)
    m = m.view({n, channels, 1});
  else
    m = m.view({n, channels, 0});
  for (int64_t i = 0; i < channels; ++i)
    out[i].zero_();
  if (biased)
    out.add_(b.view({1, channels, 1}));
  return out;
}

// One by one, in steps of k: k is 1, or view() has thrown before.
at::Tensor inSteps(const at::Tensor &y, int64_t k, int64_t n) {
  auto steps = y.view({1 / k, k, n, n});
  return steps.view({1, n, n});
}

at::Tensor alsoInSteps(const at::Tensor &x, const at::Tensor &y, int64_t k) {
  auto input = x.view({1, x.size(0), x.size(1), x.size(2)});
  auto gradient = y.view({1, x.size(0), x.size(1), x.size(2)});
  auto batch = input.size(0);
  return gradient.view({batch / k, k, x.size(0), x.size(1), x.size(2)});
}

// Who writes 1 where the tensor has a size says what it is.
at::Tensor oneImage(const at::Tensor &x, int64_t b) {
  TORCH_CHECK(x.dim() == 3);
  int64_t n = 1;
  if (x.size(0) == b)
    n = b;
  auto y = x.view({n, x.size(1), x.size(2)});
  return y + x.view({1, x.size(1), x.size(2)});
}

at::Tensor withoutBatch(const at::Tensor &x) {
  TORCH_CHECK(x.dim() == 3);
  return x.view({x.size(1), x.size(2)});
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: view({x.size(1), x.size(2)}): shape [x.size(1), x.size(2)] does not fit the x.size(0)*x.size(1)*x.size(2) elements of 'x'; throws unless x.size(0) is 1 [tensor-shape-mismatch]
}

// Each way through the check leaves 1 or b, and 1 or h; with many ways there is
// one state for several of them, which does not know it, and must not take the
// sizes for any others.
static bool fits(const at::Tensor &m, int64_t b, int64_t h, int64_t q, int64_t k) {
  if ((m.size(-2) != q && m.size(-2) != 1) || (m.size(-1) != k && m.size(-1) != 1))
    return false;
  return (m.size(0) == b || m.size(0) == 1) && (m.size(1) == h || m.size(1) == 1);
}

at::Tensor masks(const at::Tensor &m, int64_t b, int64_t h, int64_t q, int64_t k) {
  TORCH_CHECK(m.dim() == 4 && fits(m, b, h, q, k));
  int64_t s = 1, t = 1;
  if (m.size(0) == b)
    s = b;
  if (m.size(1) == h)
    t = h;
  return m.view({s * t, m.size(-2), m.size(-1)});
}

// Whether squeeze(0) drops a dimension: what is taken of it says how wide its rows are.
at::Tensor scores(const at::Tensor &output, int64_t classes) {
  auto rows = output.squeeze(0);
  auto columns = rows.split_with_sizes({4, 1, classes}, 1);
  return rows.slice(1, 4).reshape({rows.size(0), classes}) * columns[1];
  // CHECK-MESSAGES: :[[#@LINE-1]]:27: warning: reshape({rows.size(0), classes}): shape [rows.size(0), classes] does not fit
}
at::Tensor scoresRight(const at::Tensor &output, int64_t classes) {
  auto rows = output.squeeze(0);
  auto columns = rows.split_with_sizes({4, 1, classes}, 1);
  return rows.slice(1, 5).reshape({rows.size(0), classes}) * columns[1];
}

// With both sizes of the rest left in, too few elements are there for any -1.
at::Tensor parts(const at::Tensor &qkv, int64_t groups, int64_t width) {
  auto mixed = qkv.view({qkv.size(0), 8, groups + 2, width});
  auto query = mixed.slice(2, 0, groups);
  query = query.reshape({qkv.size(0), 8, groups + 2, -1, width});
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: reshape({{.*}} does not fit the {{.*}} elements of 'query'; throws unless it is empty
  return query.select(2, 0) + mixed.select(2, groups);
}
