//===- LinearAlgebra.cpp - solving, factorising, norms --------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every function works on copies whose matrices lie together by columns, which
// is what LAPACK takes and what libtorch hands out:
//
//   [B, m, n], strides [m*n, 1, m]
//
//===----------------------------------------------------------------------===//

#include "core/Release.h"
#include "kernels/Elementwise.h"
#include "tensortidy/functional.h"
#include "tensortidy/linalg.h"
#include <algorithm>
#include <cmath>
#include <limits>

#if TENSORTIDY_LAPACK
// The Fortran interface, which every LAPACK has: all by address.
extern "C" {
#define LAPACK(P, E)                                                           \
  void P##getrf_(const int *, const int *, E *, const int *, int *, int *);    \
  void P##getrs_(const char *, const int *, const int *, const E *,            \
                 const int *, const int *, E *, const int *, int *);           \
  void P##trtrs_(const char *, const char *, const char *, const int *,        \
                 const int *, const E *, const int *, E *, const int *,        \
                 int *);                                                       \
  void P##potrf_(const char *, const int *, E *, const int *, int *);          \
  void P##geqrf_(const int *, const int *, E *, const int *, E *, E *,         \
                 const int *, int *);                                          \
  void P##orgqr_(const int *, const int *, const int *, E *, const int *,      \
                 const E *, E *, const int *, int *);                          \
  void P##gesdd_(const char *, const int *, const int *, E *, const int *,     \
                 E *, E *, const int *, E *, const int *, E *, const int *,    \
                 int *, int *);                                                \
  void P##syevd_(const char *, const char *, const int *, E *, const int *,    \
                 E *, E *, const int *, int *, const int *, int *);            \
  void P##gelsy_(const int *, const int *, const int *, E *, const int *, E *, \
                 const int *, int *, const E *, int *, E *, const int *,       \
                 int *);
LAPACK(s, float)
LAPACK(d, double)
#undef LAPACK
}
#define CALL(NAME, ...)                                                        \
  do {                                                                         \
    if constexpr (std::is_same_v<E, float>)                                    \
      s##NAME##_(__VA_ARGS__);                                                 \
    else                                                                       \
      d##NAME##_(__VA_ARGS__);                                                 \
  } while (false)
#else
#define CALL(NAME, ...) missing<E>(#NAME, __VA_ARGS__)
template <class E, class... Args>
[[noreturn]] static void missing(const char *Name, const Args &...) {
  throw tensortidy::Error(
      std::string("this build of the library has no LAPACK, which has ") +
      Name);
}
#endif

namespace tensortidy {

using detail::allocateDense;
using detail::Dims;
using detail::impl;
using detail::orThrow;

namespace {

void requireMatrix(const Tensor &A, const char *Op, Site Here,
                   bool Square = false) {
  const auto &I = impl(A, Op, Here);
  if (I.L.rank() < 2)
    detail::fail(std::string(Op) + " expects a matrix or a batch of them", A,
                 Here);
  if (I.Type != kFloat && I.Type != kDouble)
    detail::fail(std::string(Op) + " is not defined for type " +
                     toString(I.Type),
                 A, Here);
  if (Square && A.size(-1) != A.size(-2))
    detail::fail(std::string(Op) + " expects square matrices, not of sizes " +
                     detail::text(A.sizes()),
                 A, Here);
}
/// A copy of \p A, by columns.
Tensor byColumns(const Tensor &A, Site Here) {
  return A.mT(Here).clone(MemoryFormat::Contiguous, Here).mT(Here);
}
Tensor makeByColumns(IntArrayRef Sizes, ScalarType Type, const char *Op,
                     Site Here) {
  Dims S = detail::dims(Sizes);
  std::swap(S[S.size() - 1], S[S.size() - 2]);
  return allocateDense(S, Type, Op, Here).mT(Here);
}
Dims batchOf(const Tensor &A) {
  const Dims &S = impl(A).L.Sizes;
  return Dims(S.begin(), S.end() - 2);
}
Dims withSizes(Dims Batch, std::initializer_list<int64_t> More) {
  for (int64_t S : More)
    Batch.push_back(S);
  return Batch;
}
int64_t batches(const Tensor &A) {
  return layout::numel(detail::Ar, batchOf(A));
}
template <class E> E *at(const Tensor &X, int64_t Batch, int64_t Size) {
  return reinterpret_cast<E *>(impl(X).data()) + Batch * Size;
}
int asInt(int64_t N) { return static_cast<int>(N); }
int lead(int64_t N) { return std::max(1, asInt(N)); }

template <class F> void dispatchReal(ScalarType Type, F Function) {
  if (Type == kDouble)
    Function(detail::Tag<double>());
  else
    Function(detail::Tag<float>());
}
/// Both with the same leading dimensions.
void broadcastBatches(Tensor &A, Tensor &B, const char *Op, Site Here) {
  detail::Shape X, Y;
  X.Sizes = X.Strides = batchOf(A);
  Y.Sizes = Y.Strides = batchOf(B);
  const Dims Both =
      orThrow(layout::broadcastSizes(detail::Ar, X.Sizes, Y.Sizes), A, Here,
              [&] { return detail::call(Op, A.sizes(), B.sizes()); });
  A = A.expand(detail::ref(withSizes(Both, {A.size(-2), A.size(-1)})), false,
               Here);
  B = B.expand(detail::ref(withSizes(Both, {B.size(-2), B.size(-1)})), false,
               Here);
}

/// Lower and upper triangle of A = P L U, and the pivots.
struct Factors {
  Tensor LU, Pivots, Info;
};
Factors factorise(const Tensor &A, const char *Op, Site Here,
                  bool Square = true) {
  requireMatrix(A, Op, Here, Square);
  detail::reads(A, Op, Here);
  const int64_t M = A.size(-2), N = A.size(-1), Least = std::min(M, N),
                Count = batches(A);
  Factors F{byColumns(A, Here),
            zeros(detail::ref(withSizes(batchOf(A), {Least})), kInt, Here),
            zeros(detail::ref(batchOf(A)), kInt, Here)};
  dispatchReal(impl(A).Type, [&](auto T) {
    using E = typename decltype(T)::type;
    const int Rows = asInt(M), Columns = asInt(N), Step = lead(M);
    for (int64_t K = 0; K < Count && Least > 0; ++K)
      CALL(getrf, &Rows, &Columns, at<E>(F.LU, K, M * N), &Step,
           at<int>(F.Pivots, K, Least), at<int>(F.Info, K, 1));
  });
  return F;
}
/// 1, or -1 for an odd number of exchanges.
Tensor signOf(const Factors &F, ScalarType Type, Site Here) {
  const int64_t N = F.Pivots.size(-1);
  return F.Pivots.ne(arange(1, N + 1, TensorOptions(kInt), Here), Here)
      .sum(-1, false, nullopt, Here)
      .remainder(2, Here)
      .mul(-2, Here)
      .add(1, 1, Here)
      .to(Type, false, false, nullopt, Here);
}
void requireSolved(const Tensor &Info, const char *Op, Site Here) {
  const Tensor Bad = Info.ne(0, Here);
  if (Bad.numel() > 0 && Bad.any(Here).item<bool>(Here))
    detail::fail(std::string(Op) + ": a matrix is singular", Here);
}
Tensor solveWith(const Factors &F, const Tensor &B, bool Transposed,
                 Site Here) {
  const Tensor X = byColumns(B, Here);
  const int64_t N = B.size(-2), M = B.size(-1), Count = batches(B);
  dispatchReal(impl(B).Type, [&](auto T) {
    using E = typename decltype(T)::type;
    const int Size = asInt(N), Columns = asInt(M), Step = lead(N);
    const char Way = Transposed ? 'T' : 'N';
    int Info = 0;
    for (int64_t K = 0; K < Count && N > 0 && M > 0; ++K)
      CALL(getrs, &Way, &Size, &Columns, at<E>(F.LU, K, N * N), &Step,
           at<int>(F.Pivots, K, N), at<E>(X, K, N * M), &Step, &Info);
  });
  return X;
}

} // namespace

//===--- determinants, solving ------------------------------------------===//

Tensor linalg_det(const Tensor &A, Site Here) {
  const Factors F = factorise(A, "linalg_det", Here);
  return F.LU.diagonal(0, -2, -1, Here)
      .prod(-1, false, nullopt, Here)
      .mul(signOf(F, A.scalar_type(), Here), Here);
}
TwoTensors linalg_slogdet(const Tensor &A, Site Here) {
  const Factors F = factorise(A, "linalg_slogdet", Here);
  const Tensor Diagonal = F.LU.diagonal(0, -2, -1, Here);
  return {Diagonal.sgn(Here)
              .prod(-1, false, nullopt, Here)
              .mul(signOf(F, A.scalar_type(), Here), Here),
          Diagonal.abs(Here).log(Here).sum(-1, false, nullopt, Here)};
}
Tensor Tensor::logdet(Site Here) const {
  const auto [Sign, Log] = linalg_slogdet(*this, Here);
  return Log.add(Sign.log(Here), 1, Here);
}
/// What was found of each matrix, as an error where one is wanted.
static void checkInfo(bool Check, const Tensor &Info, const char *Op,
                      Site Here) {
  if (Check)
    requireSolved(Info, Op, Here);
}
static TwoTensors inverted(const Tensor &A, const char *Op, bool Check,
                           Site Here) {
  const Factors F = factorise(A, Op, Here);
  checkInfo(Check, F.Info, Op, Here);
  return {solveWith(F, eye(A.size(-1), A.options(), Here).expand_as(A, Here),
                    false, Here),
          F.Info};
}
Tensor linalg_inv(const Tensor &A, Site Here) {
  return std::get<0>(inverted(A, "linalg_inv", true, Here));
}
TwoTensors linalg_inv_ex(const Tensor &A, bool check_errors, Site Here) {
  return inverted(A, "linalg_inv_ex", check_errors, Here);
}
static TwoTensors solved(const Tensor &A, const Tensor &B, bool left,
                         const char *Op, bool Check, Site Here) {
  requireMatrix(A, Op, Here, true);
  if (impl(B, Op, Here).Type != impl(A).Type)
    detail::fail(std::string(Op) + ": tensors of types " +
                     toString(impl(A).Type) + " and " + toString(impl(B).Type),
                 B, Here);
  // A vector, or vectors for the matrices of a batch.
  const bool Vector =
      B.dim() == 1 ||
      (A.dim() - 1 == B.dim() &&
       B.sizes() == A.sizes().slice(0, static_cast<size_t>(B.dim())));
  if (Vector && !left)
    detail::fail(std::string(Op) +
                     ": incompatible shapes, a vector stands on the right",
                 B, Here);
  Tensor X = Vector ? B.unsqueeze(-1, Here) : B;
  if (X.dim() < 2 || X.size(left ? -2 : -1) != A.size(-1))
    detail::fail(detail::call(Op, A.sizes(), B.sizes()) +
                     ": incompatible shapes",
                 A, Here);
  Tensor M = A;
  if (!left)
    X = X.mT(Here);
  broadcastBatches(M, X, Op, Here);
  const Factors F = factorise(M, Op, Here);
  checkInfo(Check, F.Info, Op, Here);
  const Tensor R = solveWith(F, X, !left, Here);
  return {Vector ? R.squeeze(-1, Here) : left ? R : R.mT(Here), F.Info};
}
Tensor linalg_solve(const Tensor &A, const Tensor &B, bool left, Site Here) {
  return std::get<0>(solved(A, B, left, "linalg_solve", true, Here));
}
TwoTensors linalg_solve_ex(const Tensor &A, const Tensor &B, bool left,
                           bool check_errors, Site Here) {
  return solved(A, B, left, "linalg_solve_ex", check_errors, Here);
}

static void requirePivoting(bool Pivot, const char *Op, const Tensor &A,
                            Site Here) {
  if (!Pivot)
    detail::fail(std::string(Op) +
                     ": without exchanged rows only on other devices",
                 A, Here);
}
ThreeTensors linalg_lu_factor_ex(const Tensor &A, bool pivot, bool check_errors,
                                 Site Here) {
  const char *Op = "linalg_lu_factor_ex";
  requirePivoting(pivot, Op, A, Here);
  const Factors F = factorise(A, Op, Here, false);
  checkInfo(check_errors, F.Info, Op, Here);
  return {F.LU, F.Pivots, F.Info};
}
TwoTensors linalg_lu_factor(const Tensor &A, bool pivot, Site Here) {
  const auto [LU, Pivots, Info] = linalg_lu_factor_ex(A, pivot, true, Here);
  return {LU, Pivots};
}
ThreeTensors linalg_lu(const Tensor &A, bool pivot, Site Here) {
  requirePivoting(pivot, "linalg_lu", A, Here);
  const Factors F = factorise(A, "linalg_lu", Here, false);
  return lu_unpack(F.LU, F.Pivots, true, true, Here);
}
ThreeTensors lu_unpack(const Tensor &LU_data, const Tensor &LU_pivots,
                       bool unpack_data, bool unpack_pivots, Site Here) {
  const char *Op = "lu_unpack";
  requireMatrix(LU_data, Op, Here);
  if (unpack_pivots && impl(LU_pivots, Op, Here).Type != kInt)
    detail::fail("lu_unpack: pivots are int32", LU_pivots, Here);
  const int64_t M = LU_data.size(-2), N = LU_data.size(-1),
                Least = std::min(M, N), Count = batches(LU_data);
  const TensorOptions Options = LU_data.options();
  ThreeTensors R{empty({0}, Options, nullopt, Here),
                 empty({0}, Options, nullopt, Here),
                 empty({0}, Options, nullopt, Here)};
  auto &[P, L, U] = R;
  if (unpack_data) {
    // The diagonal of the lower triangle is not stored.
    L = LU_data.narrow(-1, 0, Least, Here).tril(-1, Here);
    L.diagonal(0, -2, -1, Here).fill_(1, Here);
    U = LU_data.narrow(-2, 0, Least, Here).triu(0, Here);
  }
  if (unpack_pivots) {
    const Tensor Pivots = LU_pivots.contiguous(MemoryFormat::Contiguous, Here);
    const Dims Batch = batchOf(LU_data);
    P = zeros(detail::ref(withSizes(Batch, {M, M})), Options, Here);
    const Tensor Flat = P.view({Count, M, M}, Here);
    for (int64_t B = 0; B < Count; ++B) {
      std::vector<int64_t> Rows(static_cast<size_t>(M));
      for (int64_t K = 0; K < M; ++K)
        Rows[static_cast<size_t>(K)] = K;
      for (int64_t K = 0; K < Least; ++K) {
        const int Other = at<int>(Pivots, B, Least)[K] - 1;
        if (Other < 0 || Other >= M)
          detail::fail("lu_unpack: a pivot is out of range", LU_pivots, Here);
        std::swap(Rows[static_cast<size_t>(K)],
                  Rows[static_cast<size_t>(Other)]);
      }
      for (int64_t K = 0; K < M; ++K)
        Flat[B][Rows[static_cast<size_t>(K)]][K].fill_(1, Here);
    }
  }
  return R;
}
Tensor linalg_lu_solve(const Tensor &LU, const Tensor &pivots, const Tensor &B,
                       bool left, bool adjoint, Site Here) {
  const char *Op = "linalg_lu_solve";
  requireMatrix(LU, Op, Here, true);
  requireMatrix(B, Op, Here);
  if (impl(pivots, Op, Here).Type != kInt || impl(B).Type != impl(LU).Type)
    detail::fail("linalg_lu_solve: factors and right sides of one type, and "
                 "pivots of int32, are needed",
                 B, Here);
  if (B.size(left ? -2 : -1) != LU.size(-1) ||
      pivots.sizes() != LU.sizes().slice(0, LU.sizes().size() - 1))
    detail::fail(detail::call(Op, LU.sizes(), B.sizes()) +
                     ": incompatible shapes",
                 LU, Here);
  Tensor M = LU, X = left ? B : B.mT(Here);
  broadcastBatches(M, X, Op, Here);
  const Factors F{
      byColumns(M, Here),
      pivots.expand(M.sizes().slice(0, M.sizes().size() - 1), false, Here)
          .contiguous(MemoryFormat::Contiguous, Here),
      Tensor()};
  const Tensor R = solveWith(F, X, left == adjoint, Here);
  return left ? R : R.mT(Here);
}
Tensor Tensor::lu_solve(const Tensor &LU_data, const Tensor &LU_pivots,
                        Site Here) const {
  return linalg_lu_solve(LU_data, LU_pivots, *this, true, false, Here);
}
Tensor linalg_tensorinv(const Tensor &self, int64_t ind, Site Here) {
  const auto Rank =
      static_cast<int64_t>(impl(self, "linalg_tensorinv", Here).L.rank());
  if (ind <= 0 || ind > Rank)
    detail::fail("linalg_tensorinv: ind must be a number of dimensions", self,
                 Here);
  std::vector<int64_t> Sizes(self.sizes().begin() + ind, self.sizes().end());
  Sizes.insert(Sizes.end(), self.sizes().begin(), self.sizes().begin() + ind);
  int64_t Rows = 1;
  for (int64_t D = 0; D < ind; ++D)
    Rows *= self.size(D);
  if (Rows * Rows != self.numel())
    detail::fail("linalg_tensorinv: the sizes before and behind ind have other "
                 "products",
                 self, Here);
  return linalg_inv(self.reshape({Rows, Rows}, Here), Here)
      .reshape(Sizes, Here);
}
Tensor linalg_tensorsolve(const Tensor &self, const Tensor &other,
                          OptionalIntArrayRef dims, Site Here) {
  Tensor A = self;
  if (dims) {
    std::vector<int64_t> Last(dims->size());
    for (size_t K = 0; K < Last.size(); ++K)
      Last[K] = A.dim() - static_cast<int64_t>(Last.size() - K);
    A = A.movedim(*dims, Last, Here);
  }
  const auto Front =
      static_cast<size_t>(impl(other, "linalg_tensorsolve", Here).L.rank());
  const std::vector<int64_t> Sizes(
      A.sizes().begin() +
          static_cast<std::ptrdiff_t>(std::min(Front, A.sizes().size())),
      A.sizes().end());
  const int64_t Rows = other.numel();
  if (Rows * Rows != A.numel())
    detail::fail("linalg_tensorsolve: the sizes do not fit", self, Here);
  return linalg_solve(A.reshape({Rows, Rows}, Here),
                      other.reshape({Rows}, Here), true, Here)
      .reshape(Sizes, Here);
}
Tensor linalg_solve_triangular(const Tensor &A, const Tensor &B, bool upper,
                               bool left, bool unitriangular, Site Here) {
  const char *Op = "linalg_solve_triangular";
  requireMatrix(A, Op, Here, true);
  requireMatrix(B, Op, Here);
  if (B.size(left ? -2 : -1) != A.size(-1) || impl(A).Type != impl(B).Type)
    detail::fail(detail::call(Op, A.sizes(), B.sizes()) +
                     ": incompatible shapes",
                 A, Here);
  if (!left)
    return linalg_solve_triangular(A.mT(Here), B.mT(Here), !upper, true,
                                   unitriangular, Here)
        .mT(Here);
  Tensor M = A, Y = B;
  broadcastBatches(M, Y, Op, Here);
  const Tensor X = byColumns(Y, Here), Columns = byColumns(M, Here);
  const int64_t N = A.size(-1), Right = B.size(-1), Count = batches(X);
  dispatchReal(impl(A).Type, [&](auto T) {
    using E = typename decltype(T)::type;
    const int Size = asInt(N), Many = asInt(Right), Step = lead(N);
    const char Part = upper ? 'U' : 'L', Way = 'N';
    const char Diagonal = unitriangular ? 'U' : 'N';
    int Info = 0;
    for (int64_t K = 0; K < Count && N > 0 && Right > 0; ++K)
      CALL(trtrs, &Part, &Way, &Diagonal, &Size, &Many,
           at<E>(Columns, K, N * N), &Step, at<E>(X, K, N * Right), &Step,
           &Info);
  });
  return X;
}
TwoTensors Tensor::triangular_solve(const Tensor &A, bool upper, bool transpose,
                                    bool unitriangular, Site Here) const {
  const Tensor M = transpose ? A.mT(Here) : A;
  return {linalg_solve_triangular(M, *this, upper != transpose, true,
                                  unitriangular, Here),
          A.clone(nullopt, Here)};
}

//===--- factorisations -------------------------------------------------===//

static TwoTensors choleskyOf(const Tensor &A, bool upper, const char *Op,
                             bool Check, Site Here) {
  requireMatrix(A, Op, Here, true);
  detail::reads(A, Op, Here);
  const Tensor L = byColumns(A, Here);
  const Tensor Info = zeros(detail::ref(batchOf(A)), kInt, Here);
  const int64_t N = A.size(-1), Count = batches(A);
  dispatchReal(impl(A).Type, [&](auto T) {
    using E = typename decltype(T)::type;
    const int Size = asInt(N), Step = lead(N);
    const char Part = upper ? 'U' : 'L';
    for (int64_t K = 0; K < Count && N > 0; ++K) {
      CALL(potrf, &Part, &Size, at<E>(L, K, N * N), &Step, at<int>(Info, K, 1));
      if (Check && *at<int>(Info, K, 1) != 0)
        detail::fail(std::string(Op) + ": a matrix is not positive definite", A,
                     Here);
    }
  });
  return {upper ? L.triu_(0, Here) : L.tril_(0, Here), Info};
}
Tensor linalg_cholesky(const Tensor &A, bool upper, Site Here) {
  return std::get<0>(choleskyOf(A, upper, "linalg_cholesky", true, Here));
}
TwoTensors linalg_cholesky_ex(const Tensor &self, bool upper, bool check_errors,
                              Site Here) {
  return choleskyOf(self, upper, "linalg_cholesky_ex", check_errors, Here);
}
Tensor Tensor::cholesky_solve(const Tensor &input2, bool upper,
                              Site Here) const {
  const Tensor L = upper ? input2.mT(Here) : input2;
  return linalg_solve_triangular(
      L.mT(Here), linalg_solve_triangular(L, *this, false, true, false, Here),
      true, true, false, Here);
}
Tensor Tensor::cholesky_inverse(bool upper, Site Here) const {
  requireMatrix(*this, "cholesky_inverse", Here, true);
  return eye(size(-1), options(), Here)
      .expand_as(*this, Here)
      .cholesky_solve(*this, upper, Here);
}
TwoTensors linalg_qr(const Tensor &A, std::string_view mode, Site Here) {
  const char *Op = "linalg_qr";
  requireMatrix(A, Op, Here);
  detail::reads(A, Op, Here);
  if (mode != "reduced" && mode != "complete" && mode != "r")
    detail::fail("linalg_qr: mode must be reduced, complete or r", A, Here);
  const bool Complete = mode == "complete";
  const int64_t M = A.size(-2), N = A.size(-1), K = std::min(M, N);
  const int64_t Rows = Complete ? M : K, Count = batches(A);
  const ScalarType Type = impl(A).Type;
  const Dims Batch = batchOf(A);
  const Tensor QR = byColumns(A, Here);
  const Tensor Q =
      makeByColumns(detail::ref(withSizes(Batch, {M, Rows})), Type, Op, Here);
  const Tensor R =
      makeByColumns(detail::ref(withSizes(Batch, {Rows, N})), Type, Op, Here);
  Q.zero_(Here);
  dispatchReal(Type, [&](auto T) {
    using E = typename decltype(T)::type;
    const int IM = asInt(M), IN = asInt(N), IK = asInt(K), IR = asInt(Rows);
    const int Step = lead(M), Room = 64 * std::max({IM, IN, 1});
    std::vector<E> Tau(static_cast<size_t>(K) + 1),
        Work(static_cast<size_t>(Room));
    for (int64_t B = 0; B < Count; ++B) {
      int Info = 0;
      E *From = at<E>(QR, B, M * N), *To = at<E>(Q, B, M * Rows);
      if (M > 0 && N > 0)
        CALL(geqrf, &IM, &IN, From, &Step, Tau.data(), Work.data(), &Room,
             &Info);
      std::copy(From, From + M * K, To);
      if (M > 0 && Rows > 0)
        CALL(orgqr, &IM, &IR, &IK, To, &Step, Tau.data(), Work.data(), &Room,
             &Info);
    }
  });
  R.copy_(QR.narrow(-2, 0, Rows, Here).triu(0, Here), false, Here);
  return {mode == "r" ? empty({0}, A.options(), nullopt, Here) : Q, R};
}
TwoTensors Tensor::geqrf(Site Here) const {
  const char *Op = "geqrf";
  requireMatrix(*this, Op, Here);
  detail::reads(*this, Op, Here);
  const int64_t M = size(-2), N = size(-1), Least = std::min(M, N);
  const Tensor QR = byColumns(*this, Here);
  const Tensor Tau =
      zeros(detail::ref(withSizes(batchOf(*this), {Least})), options(), Here);
  dispatchReal(impl(*this).Type, [&](auto T) {
    using E = typename decltype(T)::type;
    const int Rows = asInt(M), Columns = asInt(N), Step = lead(M);
    const int Room = 64 * std::max(Columns, 1);
    std::vector<E> Work(static_cast<size_t>(Room));
    for (int64_t K = 0; K < batches(*this) && Least > 0; ++K) {
      int Info = 0;
      CALL(geqrf, &Rows, &Columns, at<E>(QR, K, M * N), &Step,
           at<E>(Tau, K, Least), Work.data(), &Room, &Info);
    }
  });
  return {QR, Tau};
}
Tensor linalg_householder_product(const Tensor &input, const Tensor &tau,
                                  Site Here) {
  const char *Op = "linalg_householder_product";
  requireMatrix(input, Op, Here);
  detail::reads(input, Op, Here);
  const int64_t M = input.size(-2), N = input.size(-1);
  if (impl(tau, Op, Here).Type != impl(input).Type ||
      tau.dim() != input.dim() - 1 || M < N || tau.size(-1) > N)
    detail::fail(detail::call(Op, input.sizes(), tau.sizes()) +
                     ": incompatible shapes or types",
                 input, Here);
  const Tensor Q = byColumns(input, Here);
  const Tensor Tau = tau.contiguous(MemoryFormat::Contiguous, Here);
  dispatchReal(impl(input).Type, [&](auto T) {
    using E = typename decltype(T)::type;
    const int Rows = asInt(M), Columns = asInt(N), Step = lead(M),
              Of = asInt(tau.size(-1)), Room = 64 * std::max(Columns, 1);
    std::vector<E> Work(static_cast<size_t>(Room));
    for (int64_t K = 0; K < batches(input) && N > 0; ++K) {
      int Info = 0;
      CALL(orgqr, &Rows, &Columns, &Of, at<E>(Q, K, M * N), &Step,
           at<E>(Tau, K, Of), Work.data(), &Room, &Info);
    }
  });
  return Q;
}
Tensor Tensor::orgqr(const Tensor &input2, Site Here) const {
  return linalg_householder_product(*this, input2, Here);
}
ThreeTensors linalg_svd(const Tensor &A, bool full_matrices,
                        optional<std::string_view>, Site Here) {
  const char *Op = "linalg_svd";
  requireMatrix(A, Op, Here);
  detail::reads(A, Op, Here);
  const int64_t M = A.size(-2), N = A.size(-1), K = std::min(M, N);
  const int64_t Left = full_matrices ? M : K, Right = full_matrices ? N : K;
  const ScalarType Type = impl(A).Type;
  const Dims Batch = batchOf(A);
  const Tensor X = byColumns(A, Here);
  const Tensor U =
      makeByColumns(detail::ref(withSizes(Batch, {M, Left})), Type, Op, Here);
  const Tensor S = allocateDense(withSizes(Batch, {K}), Type, Op, Here);
  const Tensor V =
      makeByColumns(detail::ref(withSizes(Batch, {Right, N})), Type, Op, Here);
  if (K == 0) {
    for (const Tensor *Y : {&U, &V})
      Y->zero_(Here).diagonal(0, -2, -1, Here).fill_(1, Here);
    return {U, S, V};
  }
  dispatchReal(Type, [&](auto T) {
    using E = typename decltype(T)::type;
    const int IM = asInt(M), IN = asInt(N), StepX = lead(M),
              StepV = lead(Right);
    const char Job = full_matrices ? 'A' : 'S';
    const int64_t Least = std::max<int64_t>(M, N);
    const int Room = asInt(K * (6 + 4 * K) + 8 * Least + 64 * Least);
    std::vector<E> Work(static_cast<size_t>(Room));
    std::vector<int> Integers(static_cast<size_t>(8 * K));
    for (int64_t B = 0, Count = batches(A); B < Count; ++B) {
      int Info = 0;
      CALL(gesdd, &Job, &IM, &IN, at<E>(X, B, M * N), &StepX, at<E>(S, B, K),
           at<E>(U, B, M * Left), &StepX, at<E>(V, B, Right * N), &StepV,
           Work.data(), &Room, Integers.data(), &Info);
      if (Info != 0)
        detail::fail("linalg_svd: the algorithm failed to converge", A, Here);
    }
  });
  return {U, S, V};
}
Tensor linalg_svdvals(const Tensor &A, optional<std::string_view> driver,
                      Site Here) {
  return std::get<1>(linalg_svd(A, false, driver, Here));
}
/// Eigenvalues, and with \p Job 'V' the vectors, for which LAPACK takes another
/// way.
static TwoTensors symmetric(const Tensor &A, std::string_view UPLO, char Job,
                            Site Here) {
  const char *Op = "linalg_eigh";
  requireMatrix(A, Op, Here, true);
  detail::reads(A, Op, Here);
  const int64_t N = A.size(-1), Count = batches(A);
  const Tensor V = byColumns(A, Here);
  const Tensor L =
      allocateDense(withSizes(batchOf(A), {N}), impl(A).Type, Op, Here);
  dispatchReal(impl(A).Type, [&](auto T) {
    using E = typename decltype(T)::type;
    const int Size = asInt(N), Step = lead(N);
    const int Room = 1 + 6 * Size + 2 * Size * Size + 64 * Step;
    const int IntRoom = 3 + 5 * Size;
    const char Part = UPLO == "U" || UPLO == "u" ? 'U' : 'L';
    std::vector<E> Work(static_cast<size_t>(Room));
    std::vector<int> Integers(static_cast<size_t>(IntRoom));
    for (int64_t K = 0; K < Count && N > 0; ++K) {
      int Info = 0;
      CALL(syevd, &Job, &Part, &Size, at<E>(V, K, N * N), &Step, at<E>(L, K, N),
           Work.data(), &Room, Integers.data(), &IntRoom, &Info);
      if (Info != 0)
        detail::fail("linalg_eigh: the algorithm failed to converge", A, Here);
    }
  });
  return {L, V};
}
TwoTensors linalg_eigh(const Tensor &A, std::string_view UPLO, Site Here) {
  return symmetric(A, UPLO, 'V', Here);
}
Tensor linalg_eigvalsh(const Tensor &A, std::string_view UPLO, Site Here) {
  return std::get<0>(symmetric(A, UPLO, 'N', Here));
}
FourTensors linalg_lstsq(const Tensor &self, const Tensor &b,
                         optional<double> rcond, optional<std::string_view>,
                         Site Here) {
  const char *Op = "linalg_lstsq";
  requireMatrix(self, Op, Here);
  const ScalarType Type = impl(self).Type;
  const bool Vector =
      self.dim() - 1 == static_cast<int64_t>(impl(b, Op, Here).L.rank());
  Tensor A = self, B = Vector ? b.unsqueeze(-1, Here) : b;
  const int64_t M = A.size(-2), N = A.size(-1);
  if (self.dim() - b.dim() > 1 || b.dim() > self.dim() || B.dim() < 2 ||
      B.size(-2) != M || impl(B).Type != Type)
    detail::fail(detail::call(Op, self.sizes(), b.sizes()) +
                     ": incompatible shapes",
                 self, Here);
  broadcastBatches(A, B, Op, Here);
  const int64_t Many = B.size(-1), Long = std::max(M, N), Count = batches(A);
  const Tensor X = byColumns(A, Here);
  const Tensor Y = makeByColumns(
      detail::ref(withSizes(batchOf(B), {Long, Many})), Type, Op, Here);
  Y.zero_(Here).narrow(-2, 0, M, Here).copy_(B, false, Here);
  const Tensor Rank = zeros(detail::ref(batchOf(A)), kLong, Here);
  dispatchReal(Type, [&](auto T) {
    using E = typename decltype(T)::type;
    const int IM = asInt(M), IN = asInt(N), IR = asInt(Many), StepX = lead(M),
              StepY = lead(Long);
    const E Condition = static_cast<E>(
        rcond.value_or(static_cast<double>(std::numeric_limits<E>::epsilon()) *
                       static_cast<double>(Long)));
    const int Room = 64 * (IM + 3 * IN + IR + 2);
    std::vector<E> Work(static_cast<size_t>(Room));
    std::vector<int> Pivots(static_cast<size_t>(N) + 1);
    for (int64_t K = 0; K < Count; ++K) {
      int Info = 0, Is = 0;
      std::fill(Pivots.begin(), Pivots.end(), 0);
      if (M > 0 && N > 0)
        CALL(gelsy, &IM, &IN, &IR, at<E>(X, K, M * N), &StepX,
             at<E>(Y, K, Long * Many), &StepY, Pivots.data(), &Condition, &Is,
             Work.data(), &Room, &Info);
      *at<int64_t>(Rank, K, 1) = Is;
    }
  });
  const Tensor Solution = Y.narrow(-2, 0, N, Here).clone(nullopt, Here);
  Tensor Residuals = empty({0}, self.options(), nullopt, Here);
  if (M > N && Rank.eq(N, Here).all(Here).item<bool>(Here))
    Residuals = B.sub(A.matmul(Solution, Here), 1, Here)
                    .square(Here)
                    .sum(-2, false, nullopt, Here);
  return {Vector ? Solution.squeeze(-1, Here) : Solution, Residuals, Rank,
          empty({0}, self.options(), nullopt, Here)};
}

//===--- composed -------------------------------------------------------===//

Tensor linalg_pinv(const Tensor &self, double rcond, bool, Site Here) {
  const auto [U, S, V] = linalg_svd(self, false, nullopt, Here);
  if (S.numel() == 0)
    return self.mT(Here).clone(MemoryFormat::Contiguous, Here);
  const Tensor Most = S.narrow(-1, 0, 1, Here).mul(rcond, Here);
  const Tensor Inverse = where(S.gt(Most, Here), S.reciprocal(Here),
                               zeros({}, S.options(), Here), Here);
  return V.mT(Here).matmul(Inverse.unsqueeze(-1, Here).mul(U.mT(Here), Here),
                           Here);
}
Tensor linalg_matrix_rank(const Tensor &self, optional<double> tol, bool,
                          Site Here) {
  const Tensor S = linalg_svdvals(self, nullopt, Here);
  const double Epsilon = self.scalar_type() == kDouble
                             ? std::numeric_limits<double>::epsilon()
                             : double(std::numeric_limits<float>::epsilon());
  const auto Size = static_cast<double>(std::max(self.size(-1), self.size(-2)));
  const Tensor Least =
      tol ? full_like(S.narrow(-1, 0, 1, Here), *tol, {}, nullopt, Here)
          : S.narrow(-1, 0, 1, Here).mul(Epsilon * Size, Here);
  return S.gt(Least, Here).sum(-1, false, nullopt, Here);
}
Tensor linalg_cond(const Tensor &self, const optional<Scalar> &p, Site Here) {
  if (p && !p->equal(2))
    return linalg_matrix_norm(self, *p, {-2, -1}, false, nullopt, Here)
        .mul(linalg_matrix_norm(linalg_inv(self, Here), *p, {-2, -1}, false,
                                nullopt, Here),
             Here);
  const Tensor S = linalg_svdvals(self, nullopt, Here);
  return S.select(-1, 0, Here).div(S.select(-1, -1, Here), Here);
}
Tensor linalg_matrix_power(const Tensor &self, int64_t n, Site Here) {
  const char *Op = "linalg_matrix_power";
  if (impl(self, Op, Here).L.rank() < 2 || self.size(-1) != self.size(-2))
    detail::fail(std::string(Op) + " expects square matrices", self, Here);
  if (n == 0)
    return eye(self.size(-1), self.options(), Here)
        .expand_as(self, Here)
        .clone(MemoryFormat::Contiguous, Here);
  Tensor Base = n < 0 ? linalg_inv(self, Here) : self;
  n = std::abs(n);
  if (n == 1)
    return self.is_same(Base) ? self.clone(nullopt, Here) : Base;
  Tensor R;
  for (; n > 0; n /= 2) {
    if (n % 2 == 1)
      R = R.defined() ? R.matmul(Base, Here) : Base;
    if (n > 1)
      Base = Base.matmul(Base, Here);
  }
  return R;
}
/// Taylor's series of the matrix made small, squared again.
Tensor linalg_matrix_exp(const Tensor &self, Site Here) {
  const char *Op = "linalg_matrix_exp";
  requireMatrix(self, Op, Here, true);
  if (self.numel() == 0)
    return self.clone(nullopt, Here);
  const Tensor X = self.to(kDouble, false, false, nullopt, Here);
  const double Size =
      X.abs(Here).sum(-1, false, nullopt, Here).max(Here).item<double>(Here);
  int Halvings = 0;
  for (double S = Size; S > 0.5; S /= 2)
    ++Halvings;
  const Tensor Small = X.mul(std::ldexp(1.0, -Halvings), Here);
  Tensor Term = eye(self.size(-1), X.options(), Here).expand_as(X, Here);
  Tensor R = Term.clone(MemoryFormat::Contiguous, Here);
  for (int K = 1; K < 20; ++K) {
    Term = Term.matmul(Small, Here).div(K, Here);
    R.add_(Term, 1, Here);
  }
  for (int K = 0; K < Halvings; ++K)
    R = R.matmul(R, Here);
  return R.to(self.scalar_type(), false, false, nullopt, Here);
}
Tensor linalg_multi_dot(TensorList tensors, Site Here) {
  if (tensors.size() < 2)
    detail::fail("linalg_multi_dot expects at least 2 tensors", Here);
  Tensor R = tensors[0];
  for (size_t K = 1; K < tensors.size(); ++K)
    R = R.matmul(tensors[K], Here);
  return R;
}
Tensor linalg_matmul(const Tensor &self, const Tensor &other, Site Here) {
  return self.matmul(other, Here);
}
Tensor linalg_cross(const Tensor &self, const Tensor &other, int64_t dim,
                    Site Here) {
  return cross(self, other, dim, Here);
}
Tensor linalg_vecdot(const Tensor &x, const Tensor &y, int64_t dim, Site Here) {
  return x.mul(y, Here).sum(dim, false, nullopt, Here);
}
Tensor linalg_diagonal(const Tensor &A, int64_t offset, int64_t dim1,
                       int64_t dim2, Site Here) {
  return A.diagonal(offset, dim1, dim2, Here);
}

//===--- norms ----------------------------------------------------------===//

Tensor linalg_vector_norm(const Tensor &self, const Scalar &ord,
                          OptionalIntArrayRef dim, bool keepdim,
                          optional<ScalarType> dtype, Site Here) {
  const Tensor X = dtype ? self.to(*dtype, false, false, nullopt, Here) : self;
  return X.norm(ord, dim ? *dim : IntArrayRef(), keepdim, Here);
}
static void requirePair(const Tensor &X, IntArrayRef Dim, const char *Op,
                        Site Here) {
  if (impl(X, Op, Here).L.rank() < 2 || Dim.size() != 2)
    detail::fail(std::string(Op) + " expects two dimensions", X, Here);
}
/// The matrices in the last two dimensions.
static Tensor matricesLast(const Tensor &X, IntArrayRef Dim, Site Here) {
  return X.movedim(Dim, {-2, -1}, Here);
}
static Tensor keptDims(const Tensor &R, IntArrayRef Dim, int64_t Rank,
                       Site Here) {
  auto First = Dim[0] < 0 ? Dim[0] + Rank : Dim[0];
  auto Second = Dim[1] < 0 ? Dim[1] + Rank : Dim[1];
  return R.unsqueeze(std::min(First, Second), Here)
      .unsqueeze(std::max(First, Second), Here);
}
Tensor linalg_matrix_norm(const Tensor &self, const Scalar &ord,
                          IntArrayRef dim, bool keepdim,
                          optional<ScalarType> dtype, Site Here) {
  const char *Op = "linalg_matrix_norm";
  requirePair(self, dim, Op, Here);
  const Tensor X = matricesLast(
      dtype ? self.to(*dtype, false, false, nullopt, Here) : self, dim, Here);
  const double P = ord.toDouble();
  Tensor R;
  if (P > 0 && X.numel() == 0 && (P <= 2 || std::isinf(P)) &&
      detail::has(detail::Change::MatrixNormOfNothing)) {
    R = zeros(X.sizes().slice(0, X.sizes().size() - 2), X.options(), Here);
  } else if (std::abs(P) == 2) {
    const Tensor S = linalg_svdvals(X, nullopt, Here);
    R = P > 0 ? S.amax(-1, false, Here) : S.amin(-1, false, Here);
  } else if (std::abs(P) == 1 || std::isinf(P)) {
    const int64_t Along = std::isinf(P) ? -1 : -2;
    const Tensor Sums = X.abs(Here).sum(Along, false, nullopt, Here);
    R = P > 0 ? Sums.amax(-1, false, Here) : Sums.amin(-1, false, Here);
  } else {
    detail::fail("linalg_matrix_norm: the order must be 1, 2 or infinity, or "
                 "one of them negative",
                 self, Here);
  }
  return keepdim ? keptDims(R, dim, self.dim(), Here) : R;
}
Tensor linalg_matrix_norm(const Tensor &self, std::string_view ord,
                          IntArrayRef dim, bool keepdim,
                          optional<ScalarType> dtype, Site Here) {
  const char *Op = "linalg_matrix_norm";
  requirePair(self, dim, Op, Here);
  if (ord == "fro")
    return linalg_vector_norm(self, 2, dim, keepdim, dtype, Here);
  if (ord != "nuc")
    detail::fail("linalg_matrix_norm: the order must be fro or nuc", self,
                 Here);
  const Tensor X = matricesLast(
      dtype ? self.to(*dtype, false, false, nullopt, Here) : self, dim, Here);
  const Tensor R =
      linalg_svdvals(X, nullopt, Here).sum(-1, false, nullopt, Here);
  return keepdim ? keptDims(R, dim, self.dim(), Here) : R;
}
Tensor linalg_norm(const Tensor &self, const optional<Scalar> &ord,
                   OptionalIntArrayRef dim, bool keepdim,
                   optional<ScalarType> dtype, Site Here) {
  impl(self, "linalg_norm", Here);
  const size_t Over =
      dim ? dim.value().size() : static_cast<size_t>(self.dim());
  if (ord && Over == 2)
    return linalg_matrix_norm(self, *ord, dim ? *dim : IntArrayRef({0, 1}),
                              keepdim, dtype, Here);
  if (ord && Over != 1)
    detail::fail("linalg_norm: with an order, expects 1 or 2 dimensions", self,
                 Here);
  return linalg_vector_norm(self, ord.value_or(Scalar(2)), dim, keepdim, dtype,
                            Here);
}
Tensor linalg_norm(const Tensor &self, std::string_view ord,
                   OptionalIntArrayRef dim, bool keepdim,
                   optional<ScalarType> dtype, Site Here) {
  return linalg_matrix_norm(self, ord, dim ? *dim : IntArrayRef({0, 1}),
                            keepdim, dtype, Here);
}

//===--- older names ----------------------------------------------------===//

Tensor Tensor::det(Site Here) const { return linalg_det(*this, Here); }
TwoTensors Tensor::slogdet(Site Here) const {
  return linalg_slogdet(*this, Here);
}
Tensor Tensor::inverse(Site Here) const { return linalg_inv(*this, Here); }
Tensor Tensor::pinverse(double rcond, Site Here) const {
  return linalg_pinv(*this, rcond, false, Here);
}
Tensor linalg_vander(const Tensor &x, optional<int64_t> N, Site Here) {
  const int64_t Count = N ? *N
                        : impl(x, "linalg_vander", Here).L.rank() == 0
                            ? 1
                            : x.size(-1);
  if (Count < 2 && N)
    detail::fail("linalg_vander: N must be greater than 1", x, Here);
  return x.unsqueeze(-1, Here).pow(arange(Count, TensorOptions(kLong), Here),
                                   Here);
}
Tensor Tensor::matrix_power(int64_t n, Site Here) const {
  return linalg_matrix_power(*this, n, Here);
}
Tensor Tensor::matrix_exp(Site Here) const {
  return linalg_matrix_exp(*this, Here);
}
Tensor Tensor::cholesky(bool upper, Site Here) const {
  return linalg_cholesky(*this, upper, Here);
}
TwoTensors Tensor::qr(bool some, Site Here) const {
  return linalg_qr(*this, some ? "reduced" : "complete", Here);
}
/// V itself, not its transpose.
ThreeTensors Tensor::svd(bool some, bool compute_uv, Site Here) const {
  auto [U, S, V] = linalg_svd(*this, !some, nullopt, Here);
  if (!compute_uv)
    return {zeros({size(-2), size(-2)}, options(), Here), S,
            zeros({size(-1), size(-1)}, options(), Here)};
  return {U, S, V.mT(Here)};
}

} // namespace tensortidy
