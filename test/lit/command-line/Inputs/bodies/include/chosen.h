// A template whose body means something else, or nothing, behind this header.
#pragma once

namespace chosen {

long pick(long);
template <class T> auto size(T x) -> decltype(x.numel()) { return pick(1); }
double pick(double);

} // namespace chosen
