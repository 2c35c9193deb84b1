// https://github.com/idaholab/marlin/pull/91
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// A buffer is read from a file, wrapped, and kept in a member.

#include <tensortidy/aten.h>
#include <vector>

void read(std::vector<float> &into);

struct Field {
  at::Tensor u;

  void bug(int64_t n) {
    std::vector<float> buffer(n);
    read(buffer);
    u = at::from_blob(buffer.data(), {n});
    // CHECK-MESSAGES: :[[#@LINE-1]]:13: warning: 'u' keeps a tensor that borrows the memory of 'buffer', which is gone when the function returns [tensor-from-blob-lifetime]
  }

  void fix(int64_t n) {
    std::vector<float> buffer(n);
    read(buffer);
    u = at::from_blob(buffer.data(), {n}).clone();
  }
};
