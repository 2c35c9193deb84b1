// The runtime of CUDA 13 as a host compiler sees it.
#pragma once
#include <cuda_runtime_api.h>
