// RUN: %silent %s --checks=-*,tensor-device-mismatch -- -std=c++17 -I%S/Inputs
// Who asks whether there is a buffer knows where the memory is: the same code as
// in backend-memory.cpp otherwise.

#include "ggml.h"

void setOne(ggml_tensor *grad) {
  const float one = 1;
  if (grad->buffer)
    ggml_backend_tensor_set(grad, &one, 0, sizeof(one));
  else
    *(float *)grad->data = one;
}
