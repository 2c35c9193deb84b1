// RUN: %check %s --checks=-*,tensor-memory-format -- %runtime
// Changes of memory format for nothing.

#include <tensortidy/aten.h>

at::Tensor unchanged(int64_t a, int64_t b) {
  auto x = torch::zeros({a, b}).t();
  auto y = x.to(at::MemoryFormat::Contiguous);
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: to(contiguous) returns 'x' as it is, and that is not contiguous in this format, unless a or b is 1 [tensor-memory-format]
  // CHECK-MESSAGES: note: 'x' got this layout here: t() of a contiguous [a, b]
  // CHECK-MESSAGES: note: to() asks suggest_memory_format(), which guesses from the strides; contiguous(format) packs
  // CHECK-FIXES: {{^}}  auto y = x.contiguous(at::MemoryFormat::Contiguous);
  return y;
}

// Half the channels of a channels-last tensor.
at::Tensor part() {
  auto x = torch::zeros({2, 6, 4, 5}, at::MemoryFormat::ChannelsLast).narrow(1, 0, 3);
  return x.to(at::MemoryFormat::ChannelsLast);
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: to(channels_last) returns 'x' as it is, and that is not contiguous in this format [tensor-memory-format]
  // CHECK-MESSAGES: note: 'x' got this layout here: narrow(
  // CHECK-MESSAGES: note: to() asks
}

at::Tensor undone(const at::Tensor &x) {
  return x.contiguous(at::MemoryFormat::ChannelsLast).contiguous();
  // CHECK-MESSAGES: :[[#@LINE-1]]:55: warning: contiguous() undoes contiguous(channels_last), which nothing else uses [tensor-memory-format]
  // CHECK-MESSAGES: note: nothing else uses this copy
  // CHECK-FIXES: {{^}}  return x.contiguous();
}

at::Tensor undoneByName(const at::Tensor &x) {
  auto last = x.to(at::MemoryFormat::ChannelsLast);
  auto y = last.contiguous();
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: contiguous() undoes to(channels_last), which nothing else uses [tensor-memory-format]
  // CHECK-MESSAGES: :[[#@LINE-3]]:17: note: nothing else uses this copy
  return y;
}

at::Tensor packedTwice(const at::Tensor &x) {
  return x.contiguous().contiguous(at::MemoryFormat::ChannelsLast);
  // CHECK-MESSAGES: :[[#@LINE-1]]:25: warning: contiguous(channels_last) undoes contiguous(), which nothing else uses [tensor-memory-format]
  // CHECK-MESSAGES: note: nothing else uses this copy
  // CHECK-FIXES: {{^}}  return x.contiguous(at::MemoryFormat::ChannelsLast);
}

at::Tensor givenUp(const at::Tensor &image, const at::Tensor &w) {
  auto x = torch::zeros({2, 3, 8, 8}, at::MemoryFormat::ChannelsLast);
  auto y = x.contiguous();
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: contiguous() takes 'x' out of channels-last for conv2d(), which keeps the format (copies 1536 bytes) [tensor-memory-format]
  // CHECK-MESSAGES: note: without the copy, this runs on channels-last data and returns it
  return torch::conv2d(y, w);
}
