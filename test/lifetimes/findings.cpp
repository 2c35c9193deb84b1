// What was found in public code, made small in our own words, as in
// test/judges/findings.cpp: each reads memory that was given back.

#include "lifetimes.h"

using namespace lifetimes;

// Kolkir/mlcpp mask_rcnn_pytorch/nms/nms.cpp:17, 18, 19, 20
DANGLES(findingColumnForAKernel) {
  auto boxes = at::ones({5, 4});
  const float *area = boxes.select(1, 2).contiguous().data_ptr<float>();
  return sum(area, 5) == 5;
}

// Dao-AILab/flash-attention@57ee618170 csrc/fused_dense_lib/fused_dense_cuda.cu:128
DANGLES(findingWorkspaceOfALambda) {
  auto workspace = [](int64_t bytes) {
    auto memory = at::zeros({bytes}, at::kFloat);
    return memory.data_ptr<float>();
  };
  const float *scratch = workspace(number(8));
  return sum(scratch, 8) == 0;
}

// mit-han-lab/omniserve@02b2925aa6 fused_attention.cpp:346 and three of its kin
DANGLES(findingPartialSumsOfABranch) {
  auto q = rows();
  float *partial = nullptr;
  if (flag(true)) {
    at::Tensor sums = at::zeros({number(4), number(6)}, q.options());
    partial = sums.data_ptr<float>();
  }
  return sum(partial, 24) == 0;
}
