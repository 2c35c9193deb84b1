// RUN: %silent %s --checks=-*,tensor-shared-metadata -- %runtime
// Handles of the function's own, views, copies, what is undone, and results that are given by reference.

#include <tensortidy/torch.h>

using torch::Tensor;

Tensor views(const Tensor &x, const Tensor &scales) {
  Tensor s = scales.unsqueeze(1);
  s.squeeze_(1);
  Tensor c = scales.clone();
  c.unsqueeze_(0);
  Tensor v = scales.view({-1});
  v.unsqueeze_(1);
  return x * s + c + v;
}

// The caller has given the tensor away, or asks for it to change.
Tensor taken(Tensor image) {
  image.unsqueeze_(0);
  Tensor same = image;
  same.squeeze_(0);
  return same;
}
void changed(Tensor &image) {
  Tensor same = image;
  same.unsqueeze_(0);
}
void results(const Tensor &values, const Tensor &indices, bool keep) {
  if (!keep) {
    values.squeeze_(0);
    indices.squeeze_(0);
  }
}

// It is as it was when the function returns.
double undone(const Tensor &x) {
  Tensor row = x;
  row.unsqueeze_(0);
  double sum = row.sum().item<double>();
  row.squeeze_(0);
  return sum;
}

// On some path it is another tensor.
Tensor either(const Tensor &x, bool deep) {
  Tensor y = x;
  if (deep)
    y = x.clone();
  else
    y = x + 1;
  y.unsqueeze_(0);
  return y;
}

// Handles that a list of its own has.
Tensor own(int64_t n) {
  std::vector<Tensor> parts;
  for (int64_t i = 0; i < n; ++i)
    parts.push_back(torch::zeros({n}));
  for (auto part : parts)
    part.unsqueeze_(0);
  return torch::cat(parts);
}
