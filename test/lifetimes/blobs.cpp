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
DANGLES(blobBehindPointer) {
  auto make = [](at::Tensor *to) {
    std::vector<float> v(6, 1);
    *to = at::from_blob(v.data(), {6});
  };
  at::Tensor t;
  make(&t);
  return reads(t);
}
LIVES(memoryBehindPointer) {
  auto make = [](at::Tensor *to, std::vector<float> *memory) {
    std::vector<float> v(6, 1);
    *to = at::from_blob(v.data(), {6});
    *memory = std::move(v);
  };
  std::vector<float> kept;
  at::Tensor t;
  make(&t, &kept);
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

// --- memory by hand, in fields, behind helpers, in lists of lists ---

DANGLES(freedByHand) {
  auto make = [] {
    auto *p = new float[6]{1, 1, 1, 1, 1, 1};
    auto t = at::from_blob(p, {6});
    delete[] p;
    return t;
  };
  return reads(make());
}
LIVES(clonedThenFreed) {
  auto make = [] {
    auto *p = new float[6]{1, 1, 1, 1, 1, 1};
    auto t = at::from_blob(p, {6}).clone();
    delete[] p;
    return t;
  };
  return reads(make());
}
DANGLES(ofCopiedVector) {
  const std::vector<float> given(6, 1);
  auto make = [](const std::vector<float> &from) {
    std::vector<float> mine(from);
    return at::from_blob(mine.data(), {6});
  };
  return reads(make(given));
}
static at::Tensor wrap(std::vector<float> &v) { return at::from_blob(v.data(), {6}); }
DANGLES(wrappedByHelper) {
  auto make = [] {
    std::vector<float> v(6, 1);
    return wrap(v);
  };
  return reads(make());
}
LIVES(rowsOfGrowingList) {
  std::vector<std::vector<float>> rows;
  rows.push_back(std::vector<float>(6, 1));
  auto t = at::from_blob(rows.back().data(), {6});
  for (int i = 0; i < 10; ++i)
    rows.push_back(std::vector<float>(6, 2));
  return reads(t);
}
static at::Tensor wrapPointer(float *p, int64_t n) { return at::from_blob(p, {n}); }
DANGLES(pointerWrappedByHelper) {
  auto make = [] {
    std::vector<float> v(6, 1);
    auto t = wrapPointer(v.data(), 6);
    return t.add_(1);
  };
  return make().data_ptr<float>()[0] == 2;
}
LIVES(pointerWrappedAndCloned) {
  auto make = [] {
    std::vector<float> v(6, 1);
    return wrapPointer(v.data(), 6).clone();
  };
  return reads(make());
}
struct Decoded {
  std::vector<float> pixels;
  int64_t width;
};
static Decoded decode() { return {std::vector<float>(6, 1), 6}; }
DANGLES(fieldOfWhatACallReturned) {
  auto make = [] {
    Decoded d = decode();
    return at::from_blob(d.pixels.data(), {d.width}).view({2, 3});
  };
  return reads(make());
}
