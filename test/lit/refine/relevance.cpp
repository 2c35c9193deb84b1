// RUN: %silent %s -- %runtime-torch
// RUN: not %tensortidy '--config={CheckOptions: {tensortidy.Disregard: no-elements}}' %s -- %runtime-torch | FileCheck %s --check-prefix=NO-ELEMENTS --implicit-check-not=warning:
// RUN: not %tensortidy '--config={CheckOptions: {tensortidy.Disregard: vouched}}' %s -- %runtime-torch | FileCheck %s --check-prefix=VOUCHED --implicit-check-not=warning:
// RUN: not %tensortidy '--config={CheckOptions: {tensortidy.Disregard: tested-one}}' %s -- %runtime-torch | FileCheck %s --check-prefix=TESTED-ONE --implicit-check-not=warning:
// RUN: not %tensortidy '--config={CheckOptions: {tensortidy.Disregard: divides}}' %s -- %runtime-torch | FileCheck %s --check-prefix=DIVIDES --implicit-check-not=warning:
// RUN: not %tensortidy '--config={CheckOptions: {tensortidy.Disregard: tested-zero}}' %s -- %runtime-torch | FileCheck %s --check-prefix=TESTED-ZERO --implicit-check-not=warning:
// RUN: not %tensortidy '--config={CheckOptions: {tensortidy.Disregard: written-one}}' %s -- %runtime-torch | FileCheck %s --check-prefix=WRITTEN-ONE --implicit-check-not=warning:
// RUN: not %tensortidy '--config={CheckOptions: {tensortidy.Disregard: resized}}' %s -- %runtime-torch | FileCheck %s --check-prefix=RESIZED --implicit-check-not=warning:
// RUN: not %tensortidy '--config={CheckOptions: {tensortidy.Disregard: arranged}}' %s -- %runtime-torch | FileCheck %s --check-prefix=ARRANGED --implicit-check-not=warning:
// RUN: not %tensortidy '--config={CheckOptions: {tensortidy.Disregard: autocast}}' %s -- %runtime-torch | FileCheck %s --check-prefix=AUTOCAST --implicit-check-not=warning:
// RUN: not %tensortidy '--config={CheckOptions: {tensortidy.Disregard: no-order}}' %s -- %runtime-torch | FileCheck %s --check-prefix=NO-ORDER --implicit-check-not=warning:
// RUN: not %tensortidy '--config={CheckOptions: {tensortidy.Disregard: half-set}}' %s -- %runtime-torch | FileCheck %s --check-prefix=HALF-SET --implicit-check-not=warning:
// RUN: %tensortidy --stats %s -- %runtime-torch 2>&1 | FileCheck %s --check-prefix=STATS
// Each function is right in the code's own terms, for the reason it is called after; without the reason it is reported.
// Two have no case of their own: what `path-dependent` silences is told of the paths that were joined, and where
// `uncounted-one` applies, nothing is certain of the rank either.
// STATS: statements of which something is not told, by reason:
// STATS-DAG: 1 arranged
// STATS-DAG: 1 autocast
// STATS-DAG: 1 divides
// STATS-DAG: 1 vouched
#include <tensortidy/torch.h>

bool packed(const at::Tensor &t);

at::Tensor noElements(int64_t n, int64_t m, int rounds) {
  auto y = torch::zeros({n, m}).t();
  for (int i = 0; i < rounds; ++i)
    y = (y + i).contiguous();
  return y.view({-1});
// NO-ELEMENTS: :[[#@LINE-1]]:{{[0-9]+}}: warning: view({-1}) cannot merge
}
at::Tensor vouched(int64_t n, int64_t m) {
  auto y = torch::zeros({n, m}).t();
  return packed(y) ? y.view({-1}) : y;
// VOUCHED: :[[#@LINE-1]]:{{[0-9]+}}: warning: view({-1}) cannot merge
}
at::Tensor testedOne(int64_t n, int64_t m) {
  auto y = torch::zeros({n, m}).t();
  if (n < 2)
    return y.view({-1});
// TESTED-ONE: :[[#@LINE-1]]:{{[0-9]+}}: warning: view({-1}) cannot merge
  return y;
}
at::Tensor divides(const at::Tensor &x) {
  auto y = torch::zeros({6, x.size(1) - 4});
  return y.view({6});
// DIVIDES: :[[#@LINE-1]]:{{[0-9]+}}: warning: view({6}): shape [6] does not fit
}
at::Tensor testedZero(int n) {
  auto y = torch::zeros({6, 2});
  if (n == 0)
    return y.view({n, 4});
// TESTED-ZERO: :[[#@LINE-1]]:{{[0-9]+}}: warning: view({n, 4}): shape [0, 4] does not fit
  return y;
}
struct Cache {
  at::Tensor keys, values;
};
at::Tensor halfSet(const at::Tensor &q, const at::Tensor &k, const at::Tensor &v, Cache &cache) {
  TORCH_CHECK(q.dim() == 2 && k.sizes() == q.sizes() && v.sizes() == q.sizes());
  cache.keys = cache.keys.defined() ? torch::cat({cache.keys, k}, 0) : k;
  cache.values = cache.values.defined() ? torch::cat({cache.values, v}, 0) : v;
  return torch::mm(torch::mm(q, cache.keys.t()), cache.values);
// HALF-SET: :[[#@LINE-1]]:{{[0-9]+}}: warning: mm({{.*}} cannot be multiplied
}
// Who says 0 for what there is not knows that it is not used then. A 0 that is meant is no such number.
at::Tensor placeholder(const at::Tensor &offsets, bool whole) {
  auto x = torch::zeros({6, 4});
  const int64_t count = offsets.dim() == 1 ? 0 : offsets.size(0);
  if (whole)
    x = x.view({count * 4, 1});
// TESTED-ZERO: :[[#@LINE-1]]:{{[0-9]+}}: warning: view({0, 1}): shape [0, 1] does not fit
  return x;
}
at::Tensor writtenOne(const at::Tensor &row) {
  auto x = torch::zeros({6, row.size(0)});
  return x.mm(row.unsqueeze(0));
// WRITTEN-ONE: :[[#@LINE-1]]:{{[0-9]+}}: warning: mm(...): shapes
}
at::Tensor resized(int64_t n) {
  auto z = torch::empty({n, 3}).t();
  z.resize_({n});
  return z.contiguous();
// RESIZED: :[[#@LINE-1]]:{{[0-9]+}}: warning: contiguous() does nothing
}
void use(const float *p, int64_t n, int64_t h, int64_t w);
void arranged(int64_t n, int64_t h, int64_t w) {
  auto y = torch::zeros({n, 3, h, w}).contiguous(at::MemoryFormat::ChannelsLast);
  use(y.data_ptr<float>(), n, 3, h * w);
// ARRANGED: :[[#@LINE-1]]:{{[0-9]+}}: warning: 'use' gets 'y' without its strides
}
bool is_autocast_enabled();
at::Tensor autocast(int64_t n) {
  auto x = torch::zeros({n, 4}, torch::kHalf), w = torch::zeros({4, n});
  if (!is_autocast_enabled())
    x = x.to(torch::kFloat);
  return x.mm(w);
// AUTOCAST: :[[#@LINE-1]]:{{[0-9]+}}: warning: mm(w) needs float16 on both sides
}
at::Tensor noOrder(int64_t n, int64_t m) {
  return torch::rand({n, m}).view({m, n});
// NO-ORDER: :[[#@LINE-1]]:{{[0-9]+}}: warning: view({m, n}) keeps the order of the elements
}
