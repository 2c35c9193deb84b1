// RUN: %silent %s --checks=-*,tensor-shape-mismatch -- %runtime
// Where many paths meet, a number that two of them call by two names is still
// known: what has as many dimensions as `spatial` asks for fits.

#include <tensortidy/aten.h>
#include <deque>

using at::Tensor;

class Sampler {
public:
  void prepare(const Tensor &grid, const Tensor &target) {
    readGrid(grid);
    readTarget(target);
    allocate();
  }

private:
  static int64_t reach(const Tensor &t) {
    int64_t rest = t.numel() - 1, last = 0;
    for (int64_t i = t.dim() - 1; i >= 0; --i) {
      last += rest % t.size(i) * t.stride(i);
      rest /= t.size(i);
    }
    return last;
  }
  void readGrid(const Tensor &grid) {
    last_ = grid.stride(spatial == 1 ? 2 : spatial == 2 ? 3 : 4);
    gridReach = reach(grid);
  }
  void readTarget(const Tensor &target) {
    rows = spatial < 2 ? 1 : target.size(3);
    planes = spatial < 3 ? 1 : target.size(4);
    last_ = target.dim() == spatial + 3 ? target.size(spatial == 1 ? 3 : spatial == 2 ? 4 : 5) : 0;
    rowStep = spatial < 2 ? 0 : target.stride(3);
    planeStep = spatial < 3 ? 0 : target.stride(4);
    last_ = target.dim() == spatial + 3 ? target.stride(spatial == 1 ? 3 : spatial == 2 ? 4 : 5) : 0;
    targetReach = reach(target);
  }
  void allocate() {
    made.clear();
    if (values) {
      if (spatial == 1)
        made.push_back(at::empty({images, channels, columns}));
      else if (spatial == 2)
        made.push_back(at::empty({images, channels, columns, rows}));
      else
        made.push_back(at::empty({images, channels, columns, rows, planes}));
    } else if (slopes) {
      if (spatial == 1)
        made.push_back(at::empty({images, channels, columns, 1}));
      else if (spatial == 2)
        made.push_back(at::empty({images, channels, columns, rows, 2}));
      else
        made.push_back(at::empty({images, channels, columns, rows, planes, 3}));
      auto slope = made.back();
      rowStep = spatial < 2 ? 0 : slope.stride(3);
      planeStep = spatial < 3 ? 0 : slope.stride(4);
      last_ = slope.stride(spatial == 1 ? 3 : spatial == 2 ? 4 : 5);
    }
  }
  int spatial;
  bool values, slopes;
  std::deque<Tensor> made;
  int64_t images, channels, columns, rows, planes;
  int64_t rowStep, planeStep, last_, gridReach, targetReach;
};

void use(Sampler &s, const Tensor &grid, const Tensor &target) { s.prepare(grid, target); }
