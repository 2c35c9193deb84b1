// RUN: %check %s --checks=-*,tensor-shared-metadata -- %runtime
// A second handle of a tensor that a const reference names, and views that are made in place.

#include <tensortidy/torch.h>

using torch::Tensor;

// One scan, as it is stored.
struct Scan {
  std::string patient;
  Tensor image, mask;
};

Tensor scaled(const Tensor &x, const Tensor &scales) {
  Tensor s = scales;
  s.unsqueeze_(1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: unsqueeze_() changes the sizes of 'scales', too: 's' is the same tensor and no copy [tensor-shared-metadata]
  // CHECK-MESSAGES: :[[#@LINE-3]]:14: note: 's' becomes another handle of it here
  // CHECK-MESSAGES: :[[#@LINE-3]]:5: note: without the underscore, the result is a view that 's' alone can have: s = s.unsqueeze(...)
  return x * s;
}

struct Scans {
  double mean() const {
    double sum = 0;
    for (const Scan &scan : scans) {
      Tensor volume = scan.image;
      volume.squeeze_(0);
      // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: squeeze_() changes the sizes of 'scan.image', too: 'volume' is the same tensor and no copy
      sum += volume.mean().item<double>() * scan.image.size(1);
    }
    return sum;
  }
  std::vector<Scan> scans;
};

Tensor weights(const std::vector<Tensor> &rows) {
  Tensor all;
  for (const auto &row : rows) {
    auto column = row;
    column.t_();
    // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: t_() changes the sizes of 'row', too: 'column' is the same tensor and no copy
    all = all.defined() ? all + column : column;
  }
  return all;
}

double ofField(const Scan &scan) {
  Tensor mask = scan.mask;
  mask.transpose_(0, 1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:8: warning: transpose_() changes the sizes of 'scan.mask', too: 'mask' is the same tensor and no copy
  return mask.sum().item<double>();
}
