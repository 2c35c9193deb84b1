#include <given.h>

template <class T> struct Own {
  Own() { at::zeros({2, 3}).t().view(-1); }
};

void use() {
  given::each([](auto x) { x.view(-1); });
  given::make<Own<int>>();
}

struct Mine : given::Net {
  at::Tensor forward(at::Tensor) { return fc(at::zeros({2, 3})); }
};

at::Tensor hold(given::Holder &h) { return h.fc(at::zeros({2, 3})); }

static_assert(sizeof(given::three()) == 2 * given::two());

at::Tensor follow() { return turned(at::zeros({4, 5})).view({20}); }

void plug() { given::Plugin<given::Small> p; }
