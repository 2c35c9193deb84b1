// Classes that other units include, too.
#pragma once
#include <tensortidy/torch.h>

// Who includes it may give its numbers other values.
struct OpenRange {
  OpenRange(int64_t plain, int64_t rotary) : plain(plain), rotary(rotary) { TORCH_CHECK(plain > rotary && rotary > 0); }
  at::Tensor view() const;
  int64_t plain, rotary;
};

class ClosedRange {
public:
  ClosedRange(int64_t plain, int64_t rotary) : plain(plain), rotary(rotary) { TORCH_CHECK(plain > rotary && rotary > 0); }
  at::Tensor view() const;

private:
  int64_t plain, rotary;
};
