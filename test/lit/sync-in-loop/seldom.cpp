// REQUIRES: libtorch
// RUN: %check %s --checks=-*,tensor-sync-in-loop -- %torch
// A number that is read in every iteration and used where a remainder says so.

#include <cstdio>
#include <torch/torch.h>

void train(torch::nn::Sequential &net, torch::optim::Optimizer &opt, const std::vector<at::Tensor> &batches, torch::Device device, int64_t every) {
  int64_t step = 0;
  for (const auto &batch : batches) {
    auto loss = net->forward(batch.to(device)).mean();
    const float value = loss.item<float>();
    // CHECK-MESSAGES: :[[#@LINE-1]]:30: warning: item() waits for the device in every iteration, for a number that is used in some: read it where it is used [tensor-sync-in-loop]
    loss.backward();
    opt.step();
    opt.zero_grad();
    if (every > 0 && step % every == 0)
      // CHECK-MESSAGES: :[[#@LINE-1]]:22: note: this says in which
      std::printf("step %ld loss %.4f\n", static_cast<long>(step), value);
    ++step;
  }
}

// Where it is used; in every iteration; for the loop itself; on the CPU.
void readThere(torch::nn::Sequential &net, const std::vector<at::Tensor> &batches, torch::Device device, int64_t every) {
  int64_t step = 0;
  for (const auto &batch : batches) {
    auto loss = net->forward(batch.to(device)).mean();
    loss.backward();
    if (++step % every == 0)
      std::printf("loss %.4f\n", loss.item<float>());
  }
}
double summedUp(torch::nn::Sequential &net, const std::vector<at::Tensor> &batches, torch::Device device, int64_t every) {
  int64_t step = 0;
  double sum = 0;
  for (const auto &batch : batches) {
    auto loss = net->forward(batch.to(device)).mean();
    const float value = loss.item<float>();
    sum += value;
    loss.backward();
    if (++step % every == 0)
      std::printf("loss %.4f of %.4f\n", value, sum);
  }
  return sum;
}
void stopped(torch::nn::Sequential &net, const std::vector<at::Tensor> &batches, torch::Device device, int64_t every) {
  int64_t step = 0;
  for (const auto &batch : batches) {
    auto loss = net->forward(batch.to(device)).mean();
    const float value = loss.item<float>();
    if (value != value)
      break;
    loss.backward();
    if (++step % every == 0)
      std::printf("loss %.4f\n", value);
  }
}
void onTheHost(torch::nn::Sequential &net, const std::vector<at::Tensor> &batches, int64_t every) {
  int64_t step = 0;
  for (const auto &batch : batches) {
    auto loss = net->forward(batch).mean();
    const float value = loss.item<float>();
    loss.backward();
    if (++step % every == 0)
      std::printf("loss %.4f\n", value);
  }
}
