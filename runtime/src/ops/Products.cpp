//===- Products.cpp - matrix products -------------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Float and double go to the BLAS, which takes a transposed operand as it is.
// Other types, and builds without a BLAS, have one product by strides, whose
// loops follow what lies together in memory.
//
//===----------------------------------------------------------------------===//

#include "core/Impl.h"
#include "core/Release.h"
#include "kernels/Vectors.h"
#include <climits>
#include <map>

#if TENSORTIDY_BLAS
// The Fortran interface, which every BLAS has: column-major, all by address.
extern "C" {
void sgemm_(const char *, const char *, const int *, const int *, const int *,
            const float *, const float *, const int *, const float *,
            const int *, const float *, float *, const int *);
void dgemm_(const char *, const char *, const int *, const int *, const int *,
            const double *, const double *, const int *, const double *,
            const int *, const double *, double *, const int *);
void sgemv_(const char *, const int *, const int *, const float *,
            const float *, const int *, const float *, const int *,
            const float *, float *, const int *);
void dgemv_(const char *, const int *, const int *, const double *,
            const double *, const int *, const double *, const int *,
            const double *, double *, const int *);
}
#endif

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

#if TENSORTIDY_BLAS
constexpr auto gemm(float) { return sgemm_; }
constexpr auto gemm(double) { return dgemm_; }
constexpr auto gemv(float) { return sgemv_; }
constexpr auto gemv(double) { return dgemv_; }

/// How the BLAS sees a matrix: itself or its transpose, and the step between
/// its lines. A row-major matrix is the transpose of a column-major one.
struct Lines {
  bool Ok = false;
  char Transposed = 'N'; ///< of the column-major reading of the rows
  int Step = 1;
};
Lines linesOf(const Matrix &M) {
  auto Fits = [](int64_t Step, int64_t Length, int64_t Count) {
    // One line has no step of its own.
    const int64_t S = Count == 1 ? Length : Step;
    return S >= Length && S <= INT_MAX ? static_cast<int>(S ? S : 1) : 0;
  };
  if (M.Column == 1 || M.Columns == 1)
    if (const int S = Fits(M.Row, M.Columns, M.Rows))
      return {true, 'N', S};
  if (M.Row == 1 || M.Rows == 1)
    if (const int S = Fits(M.Column, M.Rows, M.Columns))
      return {true, 'T', S};
  return {};
}

/// C [n, m] dense = A [n, k] * B [k, m]; computes the transpose, column-major.
template <class E>
void multiplyBlas(const E *A, Matrix MA, const E *B, Matrix MB, E *C) {
  const Lines LA = linesOf(MA), LB = linesOf(MB);
  const int N = static_cast<int>(MA.Rows), K = static_cast<int>(MA.Columns);
  const int M = static_cast<int>(MB.Columns), One = 1;
  const E Plus = 1, Zero = 0;
  if (M == 1 || N == 1) { // a vector: the matrix with lines along K or across
    const bool Right = M == 1;
    const Lines &L = Right ? LA : LB;
    const bool RowsAreLines = L.Transposed == 'N';
    const int Rows = Right ? N : K, Columns = Right ? K : M;
    const int First = RowsAreLines ? Columns : Rows;
    const int Second = RowsAreLines ? Rows : Columns;
    const char Way = Right == RowsAreLines ? 'T' : 'N';
    const int64_t Move = Right ? MB.Row : MA.Column;
    if (K > 0 && (Move > 0 || K == 1) && Move <= INT_MAX) {
      const int Step = K == 1 ? 1 : static_cast<int>(Move);
      gemv(E())(&Way, &First, &Second, &Plus, Right ? A : B, &L.Step,
                Right ? B : A, &Step, &Zero, C, &One);
      return;
    }
  }
  gemm(E())(&LB.Transposed, &LA.Transposed, &M, &N, &K, &Plus, B, &LB.Step, A,
            &LA.Step, &Zero, C, &M);
}
#endif

/// The sum of the products of \p N elements that are so many apart.
template <class E>
detail::Compute<E> innerProduct(const E *A, int64_t StepA, const E *B,
                                int64_t StepB, int64_t N) {
  using T = detail::Compute<E>;
  if constexpr (std::is_integral_v<E>) { // in any order
    std::make_unsigned_t<E> Sum = 0;
    auto Add = [&](int64_t ByA, int64_t ByB) {
      for (int64_t K = 0; K < N; ++K)
        Sum = static_cast<decltype(Sum)>(Sum +
                                         static_cast<uint64_t>(A[K * ByA]) *
                                             static_cast<uint64_t>(B[K * ByB]));
    };
    StepA == 1 && StepB == 1 ? Add(1, 1) : Add(StepA, StepB);
    return static_cast<E>(Sum);
  }
  constexpr int64_t Lanes = 32;
  T Sums[Lanes] = {};
  int64_t K = 0;
  if (StepA == 1 && StepB == 1)
    for (; K + Lanes <= N; K += Lanes)
      for (int64_t J = 0; J < Lanes; ++J)
        Sums[J] += detail::load(A[K + J]) * detail::load(B[K + J]);
  for (; K < N; ++K)
    Sums[K % Lanes] += detail::load(A[K * StepA]) * detail::load(B[K * StepB]);
  T Sum = 0;
  for (const T Part : Sums)
    Sum += Part;
  return Sum;
}

/// C [n, m] dense = A [n, k] * B [k, m]
template <class E>
void multiply(const E *A, Matrix MA, const E *B, Matrix MB, E *C) {
  using T = detail::Compute<E>;
  const int64_t N = MA.Rows, K = MA.Columns, M = MB.Columns;
  if constexpr (std::is_integral_v<E>) {
    constexpr int64_t Few = 64; // are multiplied before vectors are prepared
    if (N * M * K <= Few) {
      for (int64_t I = 0; I < N; ++I)
        for (int64_t J = 0; J < M; ++J)
          C[I * M + J] = innerProduct(A + I * MA.Row, MA.Column,
                                      B + J * MB.Column, MB.Row, K);
      return;
    }
  }
  if (M > 1 && (MB.Column == 1 || MB.Row != 1)) {
    // Rows of B lie together: add multiples of them.
    std::vector<T> Sums(static_cast<size_t>(M));
    detail::vectorised([=, Row = Sums.data()] {
      for (int64_t I = 0; I < N; ++I) {
        std::fill_n(Row, M, T(0));
        auto At = [&](int64_t L) {
          return detail::load(A[I * MA.Row + L * MA.Column]);
        };
        int64_t L = 0;
        if (MB.Column == 1) // each sum is read and written once in four times
          for (; L + 4 <= K; L += 4) {
            const T X0 = At(L), X1 = At(L + 1), X2 = At(L + 2), X3 = At(L + 3);
            const E *Y0 = B + L * MB.Row, *Y1 = Y0 + MB.Row, *Y2 = Y1 + MB.Row,
                    *Y3 = Y2 + MB.Row;
            TENSORTIDY_INDEPENDENT
            for (int64_t J = 0; J < M; ++J)
              Row[J] = static_cast<T>(
                  Row[J] + X0 * detail::load(Y0[J]) + X1 * detail::load(Y1[J]) +
                  X2 * detail::load(Y2[J]) + X3 * detail::load(Y3[J]));
          }
        for (; L < K; ++L) {
          const T X = At(L);
          const E *Y = B + L * MB.Row;
          auto Add = [=](int64_t Step) {
            TENSORTIDY_INDEPENDENT
            for (int64_t J = 0; J < M; ++J)
              Row[J] += X * detail::load(Y[J * Step]);
          };
          MB.Column == 1 ? Add(1) : Add(MB.Column);
        }
        for (int64_t J = 0; J < M; ++J)
          detail::store(C[I * M + J], Row[J]);
      }
    });
    return;
  }
  // Columns of B lie together: dot products.
  detail::vectorised([=] {
    for (int64_t I = 0; I < N; ++I)
      for (int64_t J = 0; J < M; ++J)
        detail::store(C[I * M + J], innerProduct(A + I * MA.Row, MA.Column,
                                                 B + J * MB.Column, MB.Row, K));
  });
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
  detail::reads(A, Op, Here);
  detail::reads(B, Op, Here);
  const ScalarType Type = impl(A).Type;
  if (Type != impl(B).Type)
    detail::fail(std::string(Op) + ": tensors of types " + toString(Type) +
                     " and " + toString(impl(B).Type),
                 A, Here);
  // Added up as floats, which few elements become one by one.
  constexpr int64_t Few = 256;
  if (Type == kBFloat16 && A.numel() + B.numel() > Few) {
    Tensor R = detail::castTo(product(detail::castTo(A, kFloat, Here),
                                      detail::castTo(B, kFloat, Here), Sizes,
                                      Op, Here),
                              Type, Here);
    impl(R).Op = Op;
    return R;
  }
  Tensor R = allocateDense(Sizes, Type, Op, Here);
  if (R.numel() == 0)
    return R;
  // Vectors become matrices of one row or column; batches are broadcast.
  Tensor X = A.dim() == 1 ? A.unsqueeze(0, Here) : A;
  Tensor Y = B.dim() == 1 ? B.unsqueeze(1, Here) : B;
  auto MatrixOf = [](const Tensor &T) {
    const Shape &L = impl(T).L;
    const size_t Q = L.rank() - 2;
    return Matrix{L.Sizes[Q], L.Sizes[Q + 1], L.Strides[Q], L.Strides[Q + 1]};
  };
#if TENSORTIDY_BLAS
  // Its sums of products of two rows are no faster than those above.
  bool Blas =
      (Type == kFloat || Type == kDouble) && (X.size(-2) > 1 || Y.size(-1) > 1);
  for (Tensor *T : {&X, &Y}) {
    const Matrix M = MatrixOf(*T);
    Blas = Blas && M.Rows <= INT_MAX && M.Columns <= INT_MAX;
    if (Blas && !linesOf(M).Ok)
      *T = T->clone(MemoryFormat::Contiguous, Here);
  }
#else
  const bool Blas = false;
#endif
  // Short columns are sooner added up as rows.
  if (!Blas && X.size(-2) > 1 && Y.size(-2) < 128 && MatrixOf(Y).Column != 1)
    Y = Y.clone(MemoryFormat::Contiguous, Here);
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
  const Matrix MX = MatrixOf(X), MY = MatrixOf(Y);
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
        const auto *AtX = reinterpret_cast<const E *>(impl(X).data()) + OffsetX;
        const auto *AtY = reinterpret_cast<const E *>(impl(Y).data()) + OffsetY;
#if TENSORTIDY_BLAS
        if constexpr (std::is_floating_point_v<E>) {
          if (Blas)
            multiplyBlas(AtX, MX, AtY, MY, C);
          else
            multiply(AtX, MX, AtY, MY, C);
        } else
#endif
          multiply(AtX, MX, AtY, MY, C);
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
  const auto L =
      orThrow(layout::matmul(Ar, impl(A, Op, Here).L, impl(B, Op, Here).L), A,
              Here, [&] { return call(Op, A.sizes(), B.sizes()); });
  Tensor R = product(A, B, L.Sizes, Op, Here);
  if (!detail::has(detail::Change::MatmulIsPacked))
    impl(R).L.Strides = L.Strides; // the same places, for what there is
  return R;
}

/// beta * Bias + alpha * Product
Tensor combine(const Tensor &Bias, Tensor Product, const Scalar &Beta,
               const Scalar &Alpha, Site Here) {
  // Integers are multiplied with whole numbers.
  auto Factor = [&](const Scalar &S) {
    return isFloatingType(impl(Product).Type) ? S : Scalar(S.toLong());
  };
  const Tensor Wide = Bias.expand(Product.sizes(), false, Here);
  if (Product.numel() == 0)
    return Product;
  if (!Alpha.equal(1))
    Product.mul_(Factor(Alpha), Here);
  if (Beta.equal(0))
    return Product;
  return Product.add_(Beta.equal(1) ? Wide : Wide.mul(Factor(Beta), Here), 1,
                      Here);
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
  return reshape({size(0), 1}, Here).mul(vec2, Here);
}
static void requireSameType(const Tensor &A, const Tensor &B, const char *Op,
                            Site Here) {
  if (impl(A, Op, Here).Type != impl(B, Op, Here).Type)
    detail::fail(std::string(Op) + ": tensors of types " +
                     tensortidy::toString(impl(A).Type) + " and " +
                     tensortidy::toString(impl(B).Type),
                 A, Here);
}
Tensor Tensor::addmm(const Tensor &mat1, const Tensor &mat2, const Scalar &beta,
                     const Scalar &alpha, Site Here) const {
  requireSameType(*this, mat2, "addmm", Here);
  Tensor R = combine(*this, mat1.mm(mat2, Here), beta, alpha, Here);
  impl(R).Op = "addmm";
  return R;
}
Tensor &Tensor::addmm_(const Tensor &mat1, const Tensor &mat2,
                       const Scalar &beta, const Scalar &alpha,
                       Site Here) const {
  detail::requireNoInternalOverlap(*this, "addmm_", Here);
  if (layout::broken(layout::Fault::ProductMayNotAlias))
    detail::requireNoOverlap(*this, mat1, "addmm_", Here, true);
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
  // The batches decide the type.
  const Tensor R = batch1.bmm(batch2, Here);
  return combine(detail::castTo(*this, impl(R).Type, Here), R, beta, alpha,
                 Here);
}

Tensor linear(const Tensor &input, const Tensor &weight,
              const optional<Tensor> &bias, Site Here) {
  requireRank(weight, 2, "linear", Here);
  Tensor R = matmulAs(input, weight.t(Here), "linear", Here);
  if (!bias || !bias->defined())
    return R;
  // libtorch computes these as one addmm of all rows, and so asks that of bias.
  if (input.dim() == 2 || (input.dim() == 3 && input.is_contiguous())) {
    requireSameType(*bias, weight, "linear", Here);
    const int64_t Rows = input.size(0) * (input.dim() == 3 ? input.size(1) : 1);
    const Tensor Flat = R.view({Rows, weight.size(0)}, Here);
    bias->expand(Flat.sizes(), false, Here);
    Flat.add_(*bias, 1, Here);
    return R;
  }
  return R.add_(*bias, 1, Here);
}

//===--- einsum ---------------------------------------------------------===//

namespace {

/// A tensor whose dimensions have names.
struct Named {
  Tensor X;
  std::string Names;
  size_t at(char C) const { return Names.find(C); }
  bool has(char C) const { return at(C) != std::string::npos; }
};

/// The names in the order wanted; all of them are there.
Tensor ordered(const Named &N, const std::string &Names, Site Here) {
  std::vector<int64_t> Order;
  for (char C : Names)
    Order.push_back(static_cast<int64_t>(N.at(C)));
  return N.X.permute(Order, Here);
}

/// Sums what \p Keep does not name.
Named summed(Named N, const std::string &Keep, Site Here) {
  std::vector<int64_t> Over;
  std::string Left;
  for (size_t D = 0; D < N.Names.size(); ++D)
    if (Keep.find(N.Names[D]) == std::string::npos)
      Over.push_back(static_cast<int64_t>(D));
    else
      Left += N.Names[D];
  if (Over.empty())
    return N;
  return {N.X.sum(Over, false, nullopt, Here), Left};
}

/// Sum of A * B over what \p Keep does not name, whose order the result has.
/// As a product of matrices, in batches of what both have:
/// [both, only A, gone] x [both, gone, only B].
Named contracted(Named A, Named B, const std::string &Keep, Site Here) {
  A = summed(A, Keep + B.Names, Here);
  B = summed(B, Keep + A.Names, Here);
  auto SizeIn = [](const Named &N, char C) {
    return N.has(C) ? N.X.size(static_cast<int64_t>(N.at(C))) : 1;
  };
  // What is of size 1 on one side is not multiplied but summed on the other.
  std::string Drop;
  for (char C : A.Names)
    if (Keep.find(C) == std::string::npos &&
        (SizeIn(A, C) == 1 || SizeIn(B, C) == 1))
      Drop += C;
  auto Without = [&](Named &N) {
    std::string Stay;
    for (char C : N.Names)
      if (Drop.find(C) == std::string::npos)
        Stay += C;
    for (char C : Drop) // of size 1 itself: nothing to sum
      if (N.has(C) && SizeIn(N, C) == 1) {
        N.X = N.X.squeeze(static_cast<int64_t>(N.at(C)), Here);
        N.Names.erase(N.at(C), 1);
      }
    N = summed(N, Stay, Here);
  };
  Without(A);
  Without(B);
  std::string Order, Gone;
  for (char C : Keep)
    if ((A.has(C) || B.has(C)) && Order.find(C) == std::string::npos)
      Order += C;
  for (char C : A.Names)
    if (Order.find(C) == std::string::npos)
      Gone += C;
  // All of the result's dimensions, of size 1 where the operand lacks them.
  auto Wide = [&](const Named &N, const std::string &Names) {
    std::string Own;
    for (char C : Names)
      if (N.has(C))
        Own += C;
    Tensor X = ordered(N, Own, Here);
    for (size_t D = 0; D < Names.size(); ++D)
      if (!N.has(Names[D]))
        X = X.unsqueeze(static_cast<int64_t>(D), Here);
    return X;
  };
  if (Gone.empty())
    return {Wide(A, Order).mul(Wide(B, Order), Here), Order};
  if (Order.empty())
    return {Wide(A, Gone)
                .flatten(0, -1, Here)
                .dot(Wide(B, Gone).flatten(0, -1, Here), Here),
            Order};
  std::string Both, OnlyA, OnlyB;
  for (char C : Order)
    (SizeIn(A, C) == 1 ? OnlyB : SizeIn(B, C) == 1 ? OnlyA : Both) += C;
  if (!OnlyA.empty() && !OnlyB.empty() &&
      Order.find(OnlyB.back()) < Order.find(OnlyA.front()) &&
      detail::has(detail::Change::EinsumSwapsFactors)) {
    std::swap(A, B);
    std::swap(OnlyA, OnlyB);
  }
  auto Sizes = [&](const std::string &Names) {
    std::vector<int64_t> R;
    for (char C : Names)
      R.push_back(SizeIn(A, C) == 1 ? SizeIn(B, C) : SizeIn(A, C));
    return R;
  };
  auto Count = [&](const std::string &Names) {
    int64_t R = 1;
    for (int64_t S : Sizes(Names))
      R *= S;
    return R;
  };
  auto Matrix = [&](const Named &N, const std::string &Rows,
                    const std::string &Columns, const std::string &Ones) {
    return Wide(N, Both + Rows + Columns + Ones)
        .reshape({Count(Both), Count(Rows), Count(Columns)}, Here);
  };
  const Tensor Product = Matrix(A, OnlyA, Gone, OnlyB)
                             .bmm(Matrix(B, Gone, OnlyB, OnlyA), Here)
                             .view(Sizes(Both + OnlyA + OnlyB), Here);
  return {ordered({Product, Both + OnlyA + OnlyB}, Order, Here), Order};
}

} // namespace

Tensor einsum(std::string_view equation, TensorList tensors, Site Here) {
  auto Wrong = [&](const std::string &Text) {
    detail::fail("einsum(\"" + std::string(equation) + "\"): " + Text, Here);
  };
  // "ab,bc->ac" into the names of each operand and of the result.
  std::vector<std::string> In(1);
  std::string Out;
  bool HasOut = false;
  constexpr char Dots = '.'; // for "...", until it is known what it stands for
  for (size_t I = 0; I < equation.size(); ++I) {
    const char C = equation[I];
    if (C == ' ')
      continue;
    if (C == '-' && !HasOut && I + 1 < equation.size() &&
        equation[I + 1] == '>') {
      HasOut = true;
      ++I;
    } else if (C == ',' && !HasOut) {
      In.emplace_back();
    } else if (equation.compare(I, 3, "...") == 0) {
      std::string &To = HasOut ? Out : In.back();
      if (To.find(Dots) != std::string::npos)
        Wrong("an operand names '...' twice");
      To += Dots;
      I += 2;
    } else if ((C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z')) {
      (HasOut ? Out : In.back()) += C;
    } else {
      Wrong(std::string("'") + C + "' is not understood");
    }
  }
  if (In.size() != tensors.size())
    Wrong(std::to_string(In.size()) + " operands are named, " +
          std::to_string(tensors.size()) + " are given");
  // The dimensions of "..." are named by numbers, the last one by the greatest.
  char Most = 0;
  const auto Unnamed = [&](size_t K) {
    const auto Rank = impl(tensors[K], "einsum", Here).L.rank();
    return static_cast<char>(Rank + 1 - std::min(Rank + 1, In[K].size()));
  };
  const auto Spell = [&](std::string &Names, char First) {
    const size_t At = Names.find(Dots);
    if (At == std::string::npos)
      return;
    std::string Numbers;
    for (char C = First; C < Most; ++C)
      Numbers += static_cast<char>(C + 1);
    Names.replace(At, 1, Numbers);
  };
  for (size_t K = 0; K < In.size(); ++K)
    if (In[K].find(Dots) != std::string::npos)
      Most = std::max(Most, Unnamed(K));
  for (size_t K = 0; K < In.size(); ++K)
    if (In[K].find(Dots) != std::string::npos)
      Spell(In[K], static_cast<char>(Most - Unnamed(K)));
  if (!HasOut)
    Out = Dots;
  Spell(Out, 0);
  std::map<char, int64_t> Sizes, Times;
  std::vector<Named> Operands;
  for (size_t K = 0; K < In.size(); ++K) {
    Named N{tensors[K], ""};
    if (impl(N.X, "einsum", Here).L.rank() != In[K].size())
      Wrong("operand " + std::to_string(K) + " has " +
            std::to_string(N.X.dim()) + " dimensions, " +
            std::to_string(In[K].size()) + " are named");
    for (char C : In[K]) {
      const auto D = static_cast<int64_t>(N.Names.size());
      const int64_t Size = N.X.size(D);
      ++Times[C];
      int64_t &Known = Sizes.emplace(C, 1).first->second;
      if (Known != 1 && Size != 1 && Known != Size)
        Wrong(std::string("'") + C + "' has sizes " + std::to_string(Known) +
              " and " + std::to_string(Size));
      if (Size != 1)
        Known = Size;
      if (N.has(C)) { // twice in one operand: its diagonal
        const auto At = static_cast<int64_t>(N.at(C));
        if (N.X.size(At) != Size)
          Wrong(std::string("'") + C + "' has sizes " +
                std::to_string(N.X.size(At)) + " and " + std::to_string(Size));
        N.X = N.X.diagonal(0, At, D, Here).movedim(-1, At, Here);
      } else {
        N.Names += C;
      }
    }
    Operands.push_back(N);
  }
  if (!HasOut) // what is named once, in alphabetical order
    for (const auto &[C, Count] : Times)
      if (Count == 1 && C > Most)
        Out += C;
  for (size_t I = 0; I < Out.size(); ++I)
    if (!Sizes.count(Out[I]) || Out.find(Out[I], I + 1) != std::string::npos)
      Wrong(std::string("the result's '") + Out[I] +
            "' must be named once there and in an operand");
  Named R = Operands[0];
  for (size_t K = 1; K < Operands.size(); ++K) {
    std::string Keep = Out;
    for (size_t J = K + 1; J < Operands.size(); ++J)
      Keep += Operands[J].Names;
    R = contracted(R, Operands[K], Keep, Here);
  }
  return ordered(summed(R, Out, Here), Out, Here);
}

Tensor tensordot(const Tensor &self, const Tensor &other, IntArrayRef dims_self,
                 IntArrayRef dims_other, Site Here) {
  impl(self, "tensordot", Here);
  impl(other, "tensordot", Here);
  if (dims_self.size() != dims_other.size())
    detail::fail("tensordot: " + std::to_string(dims_self.size()) + " and " +
                     std::to_string(dims_other.size()) + " dimensions",
                 self, Here);
  // Rows of what stays of self, columns of what stays of other; what meets is
  // in between. A size of 1 meets any: the other side is summed.
  Tensor A = self, B = other;
  std::vector<int64_t> OrderA, OrderB, Sizes;
  std::vector<bool> GoneA(impl(self).L.rank()), GoneB(impl(other).L.rank());
  std::vector<int64_t> MeetA, MeetB;
  int64_t Rows = 1, Middle = 1, Columns = 1;
  for (size_t K = 0; K < dims_self.size(); ++K) {
    auto Dim = [&](const Tensor &X, int64_t D, std::vector<bool> &Gone) {
      if (X.dim() == 0)
        detail::fail("tensordot cannot be applied to a 0-dim tensor", X, Here);
      const size_t R = orThrow(layout::wrapDim(Ar, D, impl(X).L.rank()), X,
                               Here, [&] { return call("tensordot", D); });
      if (Gone[R])
        detail::fail(call("tensordot", D) + ": a dimension is given twice", X,
                     Here);
      Gone[R] = true;
      return static_cast<int64_t>(R);
    };
    const int64_t DA = Dim(self, dims_self[K], GoneA);
    const int64_t DB = Dim(other, dims_other[K], GoneB);
    const int64_t SizeA = self.size(DA), SizeB = other.size(DB);
    MeetA.push_back(DA);
    MeetB.push_back(DB);
    const auto As = [](const Tensor &X) {
      return detail::has(detail::Change::TensordotKeepsType)
                 ? optional<ScalarType>(X.scalar_type())
                 : nullopt;
    };
    if (SizeB == 1)
      A = A.sum(DA, true, As(A), Here);
    else if (SizeA == 1)
      B = B.sum(DB, true, As(B), Here);
    else if (SizeA == SizeB)
      Middle *= SizeA;
    else
      detail::fail("tensordot: sizes " + std::to_string(SizeA) + " and " +
                       std::to_string(SizeB) + " do not match",
                   self, Here);
  }
  for (size_t D = 0; D < GoneA.size(); ++D)
    if (!GoneA[D]) {
      OrderA.push_back(static_cast<int64_t>(D));
      Sizes.push_back(self.size(OrderA.back()));
      Rows *= Sizes.back();
    }
  OrderA.insert(OrderA.end(), MeetA.begin(), MeetA.end());
  OrderB = MeetB;
  for (size_t D = 0; D < GoneB.size(); ++D)
    if (!GoneB[D]) {
      OrderB.push_back(static_cast<int64_t>(D));
      Sizes.push_back(other.size(OrderB.back()));
      Columns *= Sizes.back();
    }
  return A.permute(OrderA, Here)
      .reshape({Rows, Middle}, Here)
      .mm(B.permute(OrderB, Here).reshape({Middle, Columns}, Here), Here)
      .reshape(Sizes, Here);
}

} // namespace tensortidy
