// RUN: %check %s --checks=-*,tensor-retain-graph --config='{CheckOptions: {tensor-retain-graph.Level: 2}}' -- %runtime
// RUN: %silent %s --checks=-*,tensor-retain-graph -- %runtime
// A graph that is kept for a second backward() that never comes.

#include <tensortidy/aten.h>

#include <vector>

struct Net {
  at::Tensor forward(const at::Tensor &x);
};

void once(Net &net, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    auto x = torch::ones({4, 4});
    auto loss = net.forward(x).sum();
    loss.backward({}, /*retain_graph=*/true);
    // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: retain_graph keeps what the graph has saved, and nothing runs backward through it again [tensor-retain-graph]
  }
}

void twice(Net &net, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    auto y = net.forward(torch::ones({4, 4}));
    y.sum().backward({}, true);
    y.mean().backward();
  }
}

// The next iteration's graph reaches into this one's.
void carried(Net &net, int64_t n) {
  auto hidden = torch::zeros({4, 4});
  for (int64_t i = 0; i < n; ++i) {
    hidden = net.forward(hidden);
    hidden.sum().backward({}, true);
  }
}

// All iterations use one graph.
void shared(Net &net, int64_t n) {
  auto features = net.forward(torch::ones({4, 4}));
  for (int64_t i = 0; i < n; ++i) {
    auto loss = (features * i).sum();
    loss.backward({}, true);
  }
}

// The caller may run it again.
at::Tensor returned(Net &net) {
  auto loss = net.forward(torch::ones({4, 4})).sum();
  loss.backward({}, true);
  return loss;
}

void given(const at::Tensor &loss) { loss.backward({}, true); }

void plain(Net &net) {
  auto loss = net.forward(torch::ones({4, 4})).sum();
  loss.backward();
}
