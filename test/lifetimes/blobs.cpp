// The cases of tensor-from-blob-lifetime: see lifetimes.h. Nobody watches the
// kernels of libtorch, so each case reads through a pointer.

#include "lifetimes.h"

using namespace lifetimes;

static bool reads(const at::Tensor &t) { return sum(t.data_ptr<float>(), 6) == 6; }

DANGLES(blobReturned) {
  auto make = [] {
    std::vector<float> v(6, 1);
    return at::from_blob(v.data(), {2, 3});
  };
  return reads(make());
}
DANGLES(contiguousIsNoCopy) {
  auto make = [] {
    std::vector<float> v(6, 1);
    return at::from_blob(v.data(), {2, 3}).contiguous();
  };
  return reads(make());
}
DANGLES(sameDtypeIsNoCopy) {
  auto make = [] {
    std::vector<float> v(6, 1);
    return at::from_blob(v.data(), {2, 3}).to(at::kFloat);
  };
  return reads(make());
}
DANGLES(blobAfterBlock) {
  at::Tensor t;
  {
    std::vector<float> v(6, 1);
    t = at::from_blob(v.data(), {6});
  }
  return sum(t.data_ptr<float>(), 6) == 6;
}
LIVES(cloneIsCopy) {
  auto make = [] {
    std::vector<float> v(6, 1);
    return at::from_blob(v.data(), {2, 3}).clone();
  };
  return reads(make());
}
LIVES(permutedIsCopy) {
  auto make = [] {
    std::vector<float> v(6, 1);
    return at::from_blob(v.data(), {3, 2}).t().contiguous();
  };
  return reads(make());
}
LIVES(memoryMovedOn) {
  std::vector<float> kept;
  at::Tensor t;
  {
    std::vector<float> v(6, 1);
    t = at::from_blob(v.data(), {6});
    kept = std::move(v);
  }
  return reads(t);
}
STALE(defaultDtype) {
  double d[6] = {1, 1, 1, 1, 1, 1};
  auto t = at::from_blob(d, {6});
  return reads(t);
}
DANGLES(tooLarge) {
  float f[2][3] = {{1, 1, 1}, {1, 1, 1}};
  auto t = at::from_blob(f, {2, 4});
  return sum(t.data_ptr<float>(), 8) == 6;
}
