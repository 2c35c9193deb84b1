// RUN: not %tensortidy --checks=-*,tensor-device-mismatch %s -- -std=c++17 -I%S/Inputs | FileCheck %s --implicit-check-not=warning:
// Tensors whose memory is copied to and from by calls of a backend, and touched
// by the host elsewhere.

#include "ggml.h"
#include <cstring>
#include <vector>

struct Layer {
  ggml_tensor *w, *temperature, *sinks, *positions;
};

class Model {
public:
  void load(int il, const void *w, float temperature, const std::vector<float> &sinks) {
    Layer &layer = layers[il];
    ggml_backend_tensor_set(layer.w, w, 0, ggml_nbytes(layer.w));
    ggml_backend_tensor_set(layer.temperature, &temperature, 0, sizeof(temperature));
    ggml_backend_tensor_set(layer.sinks, sinks.data(), 0, ggml_nbytes(layer.sinks));
  }
  float scale(int il) const {
    float value;
    std::memcpy(&value, layers[il].temperature->data, sizeof(value));
    // CHECK: :[[#@LINE-1]]:5: warning: the host touches memory of 'layers[il].temperature', which other code here copies to or from by ggml_backend_tensor_set() or _get(); it crashes unless the backend is the CPU [tensor-device-mismatch]
    return value;
  }
  float first(int il) const {
    const float *sinks = (const float *)layers[il].sinks->data;
    return sinks[0];
    // CHECK: :[[#@LINE-1]]:12: warning: the host touches memory of 'layers[il].sinks'
  }
  // By a call; of a tensor that has its memory on the host; not touched.
  float fetched(int il) const {
    float value;
    ggml_backend_tensor_get(layers[il].temperature, &value, 0, sizeof(value));
    return value;
  }
  void position(int il, int n) {
    int *p = (int *)layers[il].positions->data;
    p[0] = n;
  }
  bool isThere(int il) const { return layers[il].sinks->data != nullptr; }

private:
  std::vector<Layer> layers;
};
