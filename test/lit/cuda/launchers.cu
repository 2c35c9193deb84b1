// A launcher as CUTLASS's users write it, with the headers of CUDA 13: what
// nvcc says of itself and of lambdas, CCCL's place, kernels of local types.
//
// RUN: env CUDA_HOME=%S/Inputs/toolkit-13 %check %s -- %plain-runtime
// RUN: env CUDA_HOME=%S/Inputs/toolkit-13 %exits 1 %tensortidy --stats --checks=tensor-view-after-permute %s -- %plain-runtime 2>&1 | FileCheck %s --check-prefix=STATS
// STATS: functions analysed: 1 of 1
//
// For clang-tidy and clangd, too.
//
// RUN: env CUDA_HOME=%S/Inputs/toolkit-13 %tensortidy --cuda-flags | FileCheck %s --check-prefix=FLAGS
// FLAGS: -D__CUDACC_VER_MAJOR__=13 -D__CUDACC_VER_MINOR__=0 {{.*}}-D__CUDACC_VER_BUILD__=88 -isystem {{.*}}toolkit-13/include -isystem {{.*}}toolkit-13/include/cccl -idirafter

#include <cuda/std/functional>
#include <cuda_runtime.h>
#include <tensortidy/aten.h>

#if !defined(__NVCC__) || __CUDACC_VER_MAJOR__ != 13 ||                        \
    __CUDACC_VER_MINOR__ != 0 || __CUDACC_VER_BUILD__ != 88
#error not the release of the toolkit
#endif

// As in CUTLASS: the release decides which name there is.
#if __CUDACC_VER_MAJOR__ > 12
using EncodeTiled = PFN_encodeTiled_v12000;
#else
using EncodeTiled = PFN_encodeTiled;
#endif

namespace tiles {
template <class T, class U, class = std::enable_if_t<std::is_integral_v<T>>>
__host__ __device__ constexpr auto min(const T &A, const U &B) {
  return A < B ? A : B;
}
template <class T, class U, class = std::enable_if_t<std::is_integral_v<T>>>
__host__ __device__ constexpr auto max(const T &A, const U &B) {
  return A < B ? B : A;
}
} // namespace tiles
using tiles::max;
using tiles::min;

template <class Kernel> __global__ void run(typename Kernel::Params P) {
  Kernel()(P);
}

template <class Kernel> struct Adapter {
  using Params = typename Kernel::Params;
  struct Arguments {
    int M, N;
    const float *A;
    float *C;
  };
  static int blocks(const Arguments &Args) {
    return max(1, min(Args.M / 128, Args.N));
  }
  cudaError_t initialize(const Arguments &Args, void *Workspace) {
    Of = Params{Args.A, Args.C, Workspace, Args.M};
    return cudaFuncSetAttribute(
        run<Kernel>, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 16);
  }
  cudaError_t launch(cudaStream_t Stream, const Arguments &Args) {
    run<Kernel><<<dim3(blocks(Args)), 128, 1 << 16, Stream>>>(Of);
    void *All[] = {&Of};
    return cudaLaunchKernelExC(All, run<Kernel>, Of);
  }
  Params Of;
};

namespace {
struct Epilogue {
  struct Params {
    const float *A;
    float *C;
    void *Workspace;
    int M;
  };
  __device__ void operator()(const Params &P) const {
    atomicAdd(P.C, __ldg(P.A) * only_on_the_device(P.M));
  }
};
struct Twice {
  float operator()() const { return 2; }
};
using Result = cuda::std::invoke_of<Twice>::type;

__global__ void scale(Epilogue::Params P) { P.C[threadIdx.x] *= 2; }
} // namespace

// The output of a launcher is laid out as its caller wants it.
at::Tensor multiplied(const at::Tensor &A, const at::Tensor &B) {
  TORCH_CHECK(A.dim() == 2 && B.dim() == 2);
  auto Out = at::empty({B.size(1), A.size(0)}, A.options()).t();
  Adapter<Epilogue> Gemm;
  Adapter<Epilogue>::Arguments Args{
      int(A.size(0)), int(B.size(1)), A.data_ptr<float>(), Out.data_ptr<float>()};
  auto Workspace = at::empty({1024}, A.options());
  TORCH_CHECK(Gemm.initialize(Args, Workspace.data_ptr()) == cudaSuccess);
  TORCH_CHECK(Gemm.launch(nullptr, Args) == cudaSuccess);
  scale<<<1, 32>>>({Args.A, Args.C, nullptr, Args.M});
  return Out.view({-1});
// CHECK-MESSAGES: :[[@LINE-1]]:14: warning: view({-1}) cannot merge dimensions 0 and 1 of 'Out'
}
