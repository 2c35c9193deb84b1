//===- linalg.h - linear algebra --------------------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of matrices and batches of them, float or double, through LAPACK. Spelled as
// in libtorch: linalg_NAME and linalg::NAME.
//
//   auto x = torch::linalg::solve(a, b, /*left=*/true);   // a x = b
//   auto [q, r] = torch::linalg::qr(a, "reduced");
//
// Matrices come out by columns, as LAPACK makes them: strides [1, rows].
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_LINALG_H
#define TENSORTIDY_LINALG_H

#include "tensortidy/tensor.h"

namespace tensortidy {

#define HERE Site Here = Site::current()
#define COMMA ,
#define LINALG(RESULT, NAME, PARAMS, ARGS)                                     \
  RESULT linalg_##NAME PARAMS;                                                 \
  namespace linalg {                                                           \
  inline RESULT NAME PARAMS { return linalg_##NAME ARGS; }                     \
  }
using TwoTensors = std::tuple<Tensor, Tensor>;
using ThreeTensors = std::tuple<Tensor, Tensor, Tensor>;
using FourTensors = std::tuple<Tensor, Tensor, Tensor, Tensor>;

LINALG(Tensor, det, (const Tensor &A, HERE), (A, Here))
/// The sign and the logarithm of the absolute value.
LINALG(TwoTensors, slogdet, (const Tensor &A, HERE), (A, Here))
LINALG(Tensor, inv, (const Tensor &A, HERE), (A, Here))
/// X in A X = B, or in X A = B.
LINALG(Tensor, solve,
       (const Tensor &A, const Tensor &B, bool left = true, HERE),
       (A, B, left, Here))
LINALG(Tensor, solve_triangular,
       (const Tensor &A, const Tensor &B, bool upper, bool left = true,
        bool unitriangular = false, HERE),
       (A, B, upper, left, unitriangular, Here))
LINALG(Tensor, cholesky, (const Tensor &A, bool upper = false, HERE),
       (A, upper, Here))
/// \p mode is reduced, complete or r.
LINALG(TwoTensors, qr,
       (const Tensor &A, std::string_view mode = "reduced", HERE),
       (A, mode, Here))
/// U, the singular values, the transpose of V.
LINALG(ThreeTensors, svd,
       (const Tensor &A, bool full_matrices = true,
        optional<std::string_view> driver = nullopt, HERE),
       (A, full_matrices, driver, Here))
LINALG(Tensor, svdvals,
       (const Tensor &A, optional<std::string_view> driver = nullopt, HERE),
       (A, driver, Here))
/// Eigenvalues and eigenvectors of a symmetric matrix.
LINALG(TwoTensors, eigh, (const Tensor &A, std::string_view UPLO = "L", HERE),
       (A, UPLO, Here))
LINALG(Tensor, eigvalsh, (const Tensor &A, std::string_view UPLO = "L", HERE),
       (A, UPLO, Here))
/// The solution, residuals, rank, singular values (which are not computed).
LINALG(FourTensors, lstsq,
       (const Tensor &self, const Tensor &b, optional<double> rcond = nullopt,
        optional<std::string_view> driver = nullopt, HERE),
       (self, b, rcond, driver, Here))
LINALG(Tensor, pinv,
       (const Tensor &self, double rcond = 1e-15, bool hermitian = false, HERE),
       (self, rcond, hermitian, Here))
LINALG(Tensor, matrix_rank,
       (const Tensor &self, optional<double> tol = nullopt,
        bool hermitian = false, HERE),
       (self, tol, hermitian, Here))
LINALG(Tensor, cond,
       (const Tensor &self, const optional<Scalar> &p = nullopt, HERE),
       (self, p, Here))
LINALG(Tensor, matrix_power, (const Tensor &self, int64_t n, HERE),
       (self, n, Here))
LINALG(Tensor, matrix_exp, (const Tensor &self, HERE), (self, Here))
LINALG(Tensor, multi_dot, (TensorList tensors, HERE), (tensors, Here))
LINALG(Tensor, matmul, (const Tensor &self, const Tensor &other, HERE),
       (self, other, Here))
LINALG(Tensor, cross,
       (const Tensor &self, const Tensor &other, int64_t dim = -1, HERE),
       (self, other, dim, Here))
LINALG(Tensor, vecdot,
       (const Tensor &x, const Tensor &y, int64_t dim = -1, HERE),
       (x, y, dim, Here))
LINALG(Tensor, diagonal,
       (const Tensor &A, int64_t offset = 0, int64_t dim1 = -2,
        int64_t dim2 = -1, HERE),
       (A, offset, dim1, dim2, Here))
LINALG(Tensor, vector_norm,
       (const Tensor &self, const Scalar &ord = 2,
        OptionalIntArrayRef dim = nullopt, bool keepdim = false,
        optional<ScalarType> dtype = nullopt, HERE),
       (self, ord, dim, keepdim, dtype, Here))
LINALG(Tensor, matrix_norm,
       (const Tensor &self, const Scalar &ord, IntArrayRef dim = {-2 COMMA - 1},
        bool keepdim = false, optional<ScalarType> dtype = nullopt, HERE),
       (self, ord, dim, keepdim, dtype, Here))
/// \p ord is fro or nuc.
LINALG(Tensor, matrix_norm,
       (const Tensor &self, std::string_view ord = "fro",
        IntArrayRef dim = {-2 COMMA - 1}, bool keepdim = false,
        optional<ScalarType> dtype = nullopt, HERE),
       (self, ord, dim, keepdim, dtype, Here))
LINALG(Tensor, norm,
       (const Tensor &self, const optional<Scalar> &ord = nullopt,
        OptionalIntArrayRef dim = nullopt, bool keepdim = false,
        optional<ScalarType> dtype = nullopt, HERE),
       (self, ord, dim, keepdim, dtype, Here))
LINALG(Tensor, norm,
       (const Tensor &self, std::string_view ord,
        OptionalIntArrayRef dim = nullopt, bool keepdim = false,
        optional<ScalarType> dtype = nullopt, HERE),
       (self, ord, dim, keepdim, dtype, Here))
LINALG(Tensor, vander, (const Tensor &x, optional<int64_t> N = nullopt, HERE),
       (x, N, Here))
/// NAME_ex() also returns LAPACK's status for each matrix, 0 for success. It
/// throws only with \p check_errors.
LINALG(TwoTensors, inv_ex, (const Tensor &A, bool check_errors = false, HERE),
       (A, check_errors, Here))
LINALG(TwoTensors, cholesky_ex,
       (const Tensor &self, bool upper = false, bool check_errors = false,
        HERE),
       (self, upper, check_errors, Here))
LINALG(TwoTensors, solve_ex,
       (const Tensor &A, const Tensor &B, bool left = true,
        bool check_errors = false, HERE),
       (A, B, left, check_errors, Here))
LINALG(ThreeTensors, lu_factor_ex,
       (const Tensor &A, bool pivot = true, bool check_errors = false, HERE),
       (A, pivot, check_errors, Here))
/// Both triangles in one matrix, and the rows that were exchanged, from 1.
LINALG(TwoTensors, lu_factor, (const Tensor &A, bool pivot = true, HERE),
       (A, pivot, Here))
LINALG(ThreeTensors, lu, (const Tensor &A, bool pivot = true, HERE),
       (A, pivot, Here))
LINALG(Tensor, lu_solve,
       (const Tensor &LU, const Tensor &pivots, const Tensor &B,
        bool left = true, bool adjoint = false, HERE),
       (LU, pivots, B, left, adjoint, Here))
/// The first columns of the product of the reflections in \p input.
LINALG(Tensor, householder_product,
       (const Tensor &input, const Tensor &tau, HERE), (input, tau, Here))
LINALG(Tensor, tensorinv, (const Tensor &self, int64_t ind = 2, HERE),
       (self, ind, Here))
LINALG(Tensor, tensorsolve,
       (const Tensor &self, const Tensor &other,
        OptionalIntArrayRef dims = nullopt, HERE),
       (self, other, dims, Here))
#undef LINALG
#undef COMMA
/// The permutation and both triangles.
ThreeTensors lu_unpack(const Tensor &LU_data, const Tensor &LU_pivots,
                       bool unpack_data = true, bool unpack_pivots = true,
                       HERE);

// Older names, which are methods, too.
#define FORWARD(RESULT, NAME, PARAMS, ARGS)                                    \
  inline RESULT NAME PARAMS { return self.NAME ARGS; }
#define SELF const Tensor &self
FORWARD(Tensor, det, (SELF, HERE), (Here))
FORWARD(TwoTensors, slogdet, (SELF, HERE), (Here))
FORWARD(Tensor, logdet, (SELF, HERE), (Here))
FORWARD(Tensor, inverse, (SELF, HERE), (Here))
FORWARD(Tensor, pinverse, (SELF, double rcond = 1e-15, HERE), (rcond, Here))
FORWARD(Tensor, matrix_power, (SELF, int64_t n, HERE), (n, Here))
FORWARD(Tensor, matrix_exp, (SELF, HERE), (Here))
FORWARD(Tensor, cholesky, (SELF, bool upper = false, HERE), (upper, Here))
FORWARD(Tensor, cholesky_inverse, (SELF, bool upper = false, HERE),
        (upper, Here))
FORWARD(Tensor, cholesky_solve,
        (SELF, const Tensor &input2, bool upper = false, HERE),
        (input2, upper, Here))
FORWARD(Tensor, lu_solve,
        (SELF, const Tensor &LU_data, const Tensor &LU_pivots, HERE),
        (LU_data, LU_pivots, Here))
FORWARD(TwoTensors, geqrf, (SELF, HERE), (Here))
FORWARD(Tensor, orgqr, (SELF, const Tensor &input2, HERE), (input2, Here))
FORWARD(TwoTensors, qr, (SELF, bool some = true, HERE), (some, Here))
FORWARD(ThreeTensors, svd,
        (SELF, bool some = true, bool compute_uv = true, HERE),
        (some, compute_uv, Here))
FORWARD(TwoTensors, triangular_solve,
        (SELF, const Tensor &A, bool upper = true, bool transpose = false,
         bool unitriangular = false, HERE),
        (A, upper, transpose, unitriangular, Here))
#undef SELF
#undef FORWARD
inline Tensor chain_matmul(TensorList matrices, HERE) {
  return linalg_multi_dot(matrices, Here);
}
#undef HERE

} // namespace tensortidy

#endif
