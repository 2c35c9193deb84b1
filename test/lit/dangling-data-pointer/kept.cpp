// RUN: %check %s --checks=-*,tensor-dangling-data-pointer -- %runtime
// Pointers that are kept beside the tensors they point into.

#include <tensortidy/aten.h>
#include <map>

using at::Tensor;

struct Copies {
  const void *src[8];
  void *dst[8];
  int n = 0;
  void add(const void *from, void *to) {
    src[n] = from;
    dst[n] = to;
    ++n;
  }
};
struct Holder {
  std::vector<Tensor> held;
  void hold(const Tensor &t) {
    if (t.defined() && !t.is_cuda())
      held.push_back(t);
  }
};
struct Inputs {
  Tensor lengths, offsets;
};

// What is copied is kept where it is on the host, which is where it is copied.
class Model {
  Copies copies;
  Holder holder;
  Inputs last;
  const void *first;
  Tensor later(const Tensor &t) {
    if (t.is_cuda())
      return t;
    holder.hold(t);
    auto copy = torch::empty(t.sizes());
    copies.add(t.data_ptr(), copy.data_ptr());
    return copy;
  }

public:
  Inputs run(const Tensor &x, int64_t n) {
    Inputs in;
    in.lengths = later(x.to(at::kInt));
    in.offsets = later(torch::zeros({n}, at::kInt));
    return in;
  }
  void runs(const Tensor &x, std::map<int, Inputs> &by) {
    Inputs in;
    for (int i = 0; i < 3; ++i) {
      in.lengths = later(x.to(at::kInt));
      by.emplace(i, in);
    }
    last = in;
    in = by.at(0);
  }
  // Nothing keeps it.
  void forgets(const Tensor &x) {
    auto t = x.to(at::kInt);
    first = t.data_ptr();
    // CHECK-MESSAGES: :[[#@LINE-1]]:15: warning: data_ptr() is kept in 'first', which outlives the tensor it points into; only when 'x' is not of that dtype and device already [tensor-dangling-data-pointer]
  }
};

// A view of the elements that is assigned anew with its tensor.
float assigned(const Tensor &logits) {
  auto cpu = logits.cpu();
  auto a = cpu.accessor<float, 2>();
  float sum = a[0][0];
  cpu = (logits + 1).cpu();
  a = cpu.accessor<float, 2>();
  return sum + a[0][0];
}
float stale(const Tensor &logits) {
  auto cpu = logits + 1;
  auto a = cpu.accessor<float, 2>();
  float sum = a[0][0];
  cpu = logits + 2;
  return sum + a[0][0];
  // CHECK-MESSAGES: :[[#@LINE-1]]:16: warning: used after it was assigned anew: the tensor that accessor() points into is gone [tensor-dangling-data-pointer]
}

// What an unseen function says of a tensor that is packed changes nothing: its
// contiguous() is itself.
bool isReady(const at::Tensor &x);
float first(const float *p);

float asked(int64_t n) {
  auto x = torch::zeros({n, 1});
  const float *p = nullptr;
  if (isReady(x))
    p = x.contiguous().data_ptr<float>();
  return first(p);
}

// On whichever arm, and however many paths have met: it is packed.
int render(float *d, float *n, float *w);

int drawn(const at::Tensor &c, int h, bool depth, bool distortion, bool normal, bool track) {
  const int64_t p = c.size(0);
  auto d = depth || distortion ? torch::full({3, h}, 0.f) : torch::empty({0});
  auto n = normal ? torch::full({3, h}, 0.f) : torch::empty({0});
  auto e = isReady(c) ? torch::full({3, h}, 0.f) : torch::empty({0});
  auto w = track ? torch::full({p, 1}, 0.f) : torch::empty({0});
  float *out = nullptr;
  if (track)
    out = w.contiguous().data_ptr<float>();
  return render(d.contiguous().data_ptr<float>(), n.contiguous().data_ptr<float>(), out) + int(e.size(0));
}
