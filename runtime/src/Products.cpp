//===- Products.cpp - matrix products -------------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One product of two matrices by their strides, so that a transposed operand
// needs no copy. The order of its loops follows what lies together in memory.
//
//===----------------------------------------------------------------------===//

#include "Impl.h"

namespace tensortidy {

using detail::allocateDense;
using detail::Ar;
using detail::call;
using detail::impl;
using detail::orThrow;
using detail::Shape;

namespace {

struct Matrix {
  int64_t Rows, Columns, Row, Column; ///< sizes and element strides
};

/// C [n, m] dense += A [n, k] * B [k, m]
template <class E>
void multiply(const E *A, Matrix MA, const E *B, Matrix MB, E *C) {
  using T = detail::Compute<E>;
  const int64_t N = MA.Rows, K = MA.Columns, M = MB.Columns;
  if (MB.Column == 1 || MB.Row != 1) {
    // Rows of B lie together: add multiples of them, a block of them at a time.
    constexpr int64_t Block = 64;
    std::vector<T> Row(static_cast<size_t>(M));
    for (int64_t I = 0; I < N; ++I) {
      for (auto &R : Row)
        R = T(0);
      for (int64_t L0 = 0; L0 < K; L0 += Block)
        for (int64_t L = L0; L < K && L < L0 + Block; ++L) {
          const T X = detail::load(A[I * MA.Row + L * MA.Column]);
          const E *Y = B + L * MB.Row;
          if (MB.Column == 1)
            for (int64_t J = 0; J < M; ++J)
              Row[static_cast<size_t>(J)] += X * detail::load(Y[J]);
          else
            for (int64_t J = 0; J < M; ++J)
              Row[static_cast<size_t>(J)] += X * detail::load(Y[J * MB.Column]);
        }
      for (int64_t J = 0; J < M; ++J)
        detail::store(C[I * M + J], Row[static_cast<size_t>(J)]);
    }
    return;
  }
  // Columns of B lie together: dot products.
  for (int64_t I = 0; I < N; ++I)
    for (int64_t J = 0; J < M; ++J) {
      T Sum = 0;
      const E *X = A + I * MA.Row, *Y = B + J * MB.Column;
      for (int64_t L = 0; L < K; ++L)
        Sum += detail::load(X[L * MA.Column]) * detail::load(Y[L]);
      detail::store(C[I * M + J], Sum);
    }
}

void requireRank(const Tensor &X, size_t Rank, const char *Op, Site Here) {
  if (impl(X, Op, Here).L.rank() != Rank)
    detail::fail(std::string(Op) + " expects a tensor of " +
                     std::to_string(Rank) + " dimensions, not of " +
                     std::to_string(impl(X).L.rank()),
                 X, Here);
}

/// The product over all batches; \p Sizes are the result's.
Tensor product(const Tensor &A, const Tensor &B, const detail::Dims &Sizes,
               const char *Op, Site Here) {
  const ScalarType Type = impl(A).Type;
  if (Type != impl(B).Type)
    detail::fail(std::string(Op) + ": tensors of types " + toString(Type) +
                     " and " + toString(impl(B).Type),
                 A, Here);
  Tensor R = allocateDense(Sizes, Type, Op, Here);
  if (R.numel() == 0)
    return R;
  // Vectors become matrices of one row or column; batches are broadcast.
  Tensor X = A.dim() == 1 ? A.unsqueeze(0, Here) : A;
  Tensor Y = B.dim() == 1 ? B.unsqueeze(1, Here) : B;
  detail::Dims Batch = Sizes;
  for (int64_t Gone = (A.dim() > 1) + (B.dim() > 1); Gone > 0; --Gone)
    Batch.resize(Batch.size() - 1);
  auto Widen = [&](Tensor &M) {
    detail::Dims S = Batch;
    S.push_back(M.size(-2));
    S.push_back(M.size(-1));
    M = M.expand(detail::ref(S), false, Here);
  };
  Widen(X);
  Widen(Y);
  const Shape &LX = impl(X).L, &LY = impl(Y).L;
  const size_t Q = Batch.size();
  const Matrix MX{LX.Sizes[Q], LX.Sizes[Q + 1], LX.Strides[Q],
                  LX.Strides[Q + 1]};
  const Matrix MY{LY.Sizes[Q], LY.Sizes[Q + 1], LY.Strides[Q],
                  LY.Strides[Q + 1]};
  detail::dispatch(Type, [&](auto T) {
    using E = typename decltype(T)::type;
    if constexpr (std::is_same_v<E, bool>) {
      detail::fail(std::string(Op) + " is not defined for type Bool", A, Here);
    } else {
      detail::Dims At(Q, 0);
      auto *C = static_cast<E *>(R.data_ptr());
      for (int64_t Left = layout::numel(Ar, Batch); Left > 0; --Left) {
        int64_t OffsetX = 0, OffsetY = 0;
        for (size_t D = 0; D < Q; ++D) {
          OffsetX += At[D] * LX.Strides[D];
          OffsetY += At[D] * LY.Strides[D];
        }
        multiply(reinterpret_cast<const E *>(impl(X).data()) + OffsetX, MX,
                 reinterpret_cast<const E *>(impl(Y).data()) + OffsetY, MY, C);
        C += MX.Rows * MY.Columns;
        for (size_t D = Q; D-- > 0;) {
          if (++At[D] < Batch[D])
            break;
          At[D] = 0;
        }
      }
    }
  });
  return R;
}

Tensor matmulAs(const Tensor &A, const Tensor &B, const char *Op, Site Here) {
  const auto Sizes =
      orThrow(layout::matmulSizes(Ar, impl(A, Op, Here).L.Sizes,
                                  impl(B, Op, Here).L.Sizes),
              A, Here, [&] { return call(Op, A.sizes(), B.sizes()); });
  return product(A, B, Sizes, Op, Here);
}

/// beta * Bias + alpha * Product
Tensor combine(const Tensor &Bias, Tensor Product, const Scalar &Beta,
               const Scalar &Alpha, Site Here) {
  if (!Alpha.equal(1))
    Product.mul_(Alpha, Here);
  if (Beta.equal(0))
    return Product;
  const Tensor Wide = Bias.expand(Product.sizes(), false, Here);
  return Product.add_(Beta.equal(1) ? Wide : Wide.mul(Beta, Here), 1, Here);
}

} // namespace

Tensor Tensor::matmul(const Tensor &other, Site Here) const {
  return matmulAs(*this, other, "matmul", Here);
}
Tensor Tensor::mm(const Tensor &mat2, Site Here) const {
  requireRank(*this, 2, "mm", Here);
  requireRank(mat2, 2, "mm", Here);
  return matmulAs(*this, mat2, "mm", Here);
}
Tensor Tensor::bmm(const Tensor &mat2, Site Here) const {
  requireRank(*this, 3, "bmm", Here);
  requireRank(mat2, 3, "bmm", Here);
  if (size(0) != mat2.size(0)) // bmm does not broadcast
    orThrow(layout::LayoutOutcome<layout::Concrete>(
                layout::refuse<layout::Concrete>(layout::Rule::BroadcastSize,
                                                 {size(0), mat2.size(0), 0})),
            *this, Here, [&] { return call("bmm", sizes(), mat2.sizes()); });
  return matmulAs(*this, mat2, "bmm", Here);
}
Tensor Tensor::mv(const Tensor &vec, Site Here) const {
  requireRank(*this, 2, "mv", Here);
  requireRank(vec, 1, "mv", Here);
  return matmulAs(*this, vec, "mv", Here);
}
Tensor Tensor::dot(const Tensor &tensor, Site Here) const {
  requireRank(*this, 1, "dot", Here);
  requireRank(tensor, 1, "dot", Here);
  return matmulAs(*this, tensor, "dot", Here);
}
Tensor Tensor::outer(const Tensor &vec2, Site Here) const {
  requireRank(*this, 1, "outer", Here);
  requireRank(vec2, 1, "outer", Here);
  return unsqueeze(1, Here).mul(vec2, Here);
}
Tensor Tensor::addmm(const Tensor &mat1, const Tensor &mat2, const Scalar &beta,
                     const Scalar &alpha, Site Here) const {
  if (impl(*this, "addmm", Here).Type != impl(mat2, "addmm", Here).Type)
    detail::fail(std::string("addmm: tensors of types ") +
                     tensortidy::toString(impl(*this).Type) + " and " +
                     tensortidy::toString(impl(mat2).Type),
                 *this, Here);
  Tensor R = combine(*this, mat1.mm(mat2, Here), beta, alpha, Here);
  impl(R).Op = "addmm";
  return R;
}
Tensor &Tensor::addmm_(const Tensor &mat1, const Tensor &mat2,
                       const Scalar &beta, const Scalar &alpha,
                       Site Here) const {
  detail::requireNoInternalOverlap(*this, "addmm_", Here);
  const Tensor R = addmm(mat1, mat2, beta, alpha, Here);
  if (R.sizes() != sizes())
    detail::fail("addmm_: the product has sizes " + detail::text(R.sizes()),
                 *this, Here);
  return copy_(R, false, Here);
}
Tensor Tensor::baddbmm(const Tensor &batch1, const Tensor &batch2,
                       const Scalar &beta, const Scalar &alpha,
                       Site Here) const {
  impl(*this, "baddbmm", Here);
  return combine(*this, batch1.bmm(batch2, Here), beta, alpha, Here);
}

Tensor linear(const Tensor &input, const Tensor &weight,
              const optional<Tensor> &bias, Site Here) {
  requireRank(weight, 2, "linear", Here);
  Tensor R = matmulAs(input, weight.t(Here), "linear", Here);
  if (bias && bias->defined())
    R.add_(*bias, 1, Here);
  return R;
}

} // namespace tensortidy
