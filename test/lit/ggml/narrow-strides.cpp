// RUN: not %tensortidy --checks=-*,tensor-raw-pointer-layout '--config={CheckOptions: {tensor-raw-pointer-layout.NarrowIndex: true}}' %s -- -std=c++17 -I%S/Inputs | FileCheck %s --implicit-check-not=warning:
// What lies between images and volumes, in bytes, in 32 bits.

#include "ggml.h"
#include <stdint.h>

void scale(ggml_tensor *dst, float by) {
  // CHECK: :[[#@LINE+1]]:22: warning: a number of bytes becomes a 32-bit integer: wrong from 2^31 bytes on [tensor-raw-pointer-layout]
  const int volume = dst->nb[3];
  const int64_t image = dst->nb[2];
  const int row = dst->nb[1];
  for (int64_t n = 0; n < dst->ne[3]; ++n)
    for (int64_t c = 0; c < dst->ne[2]; ++c)
      for (int64_t h = 0; h < dst->ne[1]; ++h) {
        float *at = (float *)((char *)dst->data + n * volume + c * image + h * row);
        for (int64_t w = 0; w < dst->ne[0]; ++w)
          at[w] *= by;
      }
}
