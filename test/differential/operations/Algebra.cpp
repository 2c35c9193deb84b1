//===- Algebra.cpp - factors of matrices, special functions ---------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <tensortidy/functional.h>

#include "Table.h"

TABLE(algebra)
// factors of matrices
#define MATRIX(X) (X.to(ns::kDouble).nan_to_num().clamp(-9, 9) + ns::eye(X.size(-1), ns::kDouble) * 101)
#define WIDE(X) X.to(ns::kDouble).nan_to_num().clamp(-9, 9)
#define SYMMETRIC(X) (MATRIX(X) + MATRIX(X).mT())
OP("lu_factor", 1, Inexact | Amplifies | Rare, genSquare, std::get<0>(ns::linalg_lu_factor(MATRIX(x))))
OP("lu_factor_pivots", 1, Rare, genSquare, std::get<1>(ns::linalg_lu_factor(MATRIX(x))))
OP("lu_lower", 1, Inexact | Amplifies | Rare, genSquare, std::get<1>(ns::linalg_lu(MATRIX(x))))
OP("lu_upper", 1, Inexact | Amplifies | Rare, genSquare, std::get<2>(ns::linalg_lu(MATRIX(x))))
OP("lu_permutation", 1, Rare, genSquare, std::get<0>(ns::linalg_lu(MATRIX(x))))
OP("lu_product", 1, Inexact | Amplifies | Rare, genProduct, std::get<0>(ns::linalg_lu(WIDE(x))).matmul(std::get<1>(ns::linalg_lu(WIDE(x)))).matmul(std::get<2>(ns::linalg_lu(WIDE(x)))))
OP("lu_solve", 2, Inexact | Amplifies | Rare, genSquare, (ns::linalg_lu_solve(std::get<0>(ns::linalg_lu_factor(MATRIX(x))), std::get<1>(ns::linalg_lu_factor(MATRIX(x))), y.to(ns::kDouble))).clone(ns::MemoryFormat::Contiguous))
OP("inv_ex", 1, Inexact | Amplifies | Rare, genSquare, std::get<0>(ns::linalg_inv_ex(MATRIX(x))))
OP("inv_ex_info", 1, Rare, genSquare, std::get<1>(ns::linalg_inv_ex(WIDE(x).zero_())))
OP("cholesky_ex", 1, Inexact | Amplifies | Rare, genSquare, ns::linalg_cholesky_ex(SYMMETRIC(x)))
OP("cholesky_ex_info", 1, Rare, genSquare, std::get<1>(ns::linalg_cholesky_ex(WIDE(x).zero_())))
OP("solve_ex", 2, Inexact | Amplifies | Rare, genSquare, std::get<0>(ns::linalg_solve_ex(MATRIX(x), y.to(ns::kDouble))).clone(ns::MemoryFormat::Contiguous))
OP("householder_product", 1, Inexact | Amplifies | Rare, genSquare, ns::linalg_householder_product(std::get<0>(ns::geqrf(MATRIX(x))), std::get<1>(ns::geqrf(MATRIX(x)))))
OP("geqrf", 1, Inexact | Amplifies | Rare, genSquare, ns::geqrf(MATRIX(x)))
#undef MATRIX
#undef WIDE
#undef SYMMETRIC

// special functions
#define SPECIAL(NAME) OP("special_" #NAME, 1, Inexact | Rare, genNothing, ns::special_##NAME(x.to(ns::kDouble).clamp(-9, 9)))
SPECIAL(entr)
SPECIAL(erfcx)
SPECIAL(i0e)
SPECIAL(i1)
SPECIAL(i1e)
SPECIAL(ndtr)
SPECIAL(log_ndtr)
#undef SPECIAL
OP("special_entr_any", 1, Inexact | Rare, genNothing, ns::special_entr(x))
OP("special_ndtri", 1, Inexact | Rare, genNothing, ns::special_ndtri(x.to(ns::kDouble).sigmoid()))
OP("special_zeta", 2, Inexact | Rare, genSame, ns::special_zeta(x.to(ns::kDouble).abs().clamp(0, 9) + 2, y.to(ns::kDouble).abs().clamp(0, 9) + 0.5))
OP("special_xlog1py", 2, Inexact | Rare, genSame, ns::special_xlog1py(x.to(ns::kDouble), y.to(ns::kDouble)))
OP("polygamma", 1, Inexact | Rare, genDim, ns::polygamma(i0 & 3, x.to(ns::kDouble).abs().clamp(0, 9) + 0.5))
OP("mvlgamma", 1, Inexact | Rare, genNothing, x.to(ns::kDouble).abs().clamp(0, 9).add(3).mvlgamma(2))
OP("igamma", 2, Inexact | Rare, genSame, ns::igamma(x.to(ns::kDouble).abs().clamp(0, 9) + 0.5, y.to(ns::kDouble).abs().clamp(0, 9)))
OP("igammac", 2, Inexact | Rare, genSame, ns::igammac(x.to(ns::kDouble).abs().clamp(0, 9) + 0.5, y.to(ns::kDouble).abs().clamp(0, 9)))
OP("frexp", 1, Rare, genNothing, std::get<0>(ns::frexp(x.to(ns::kFloat))).clone(ns::MemoryFormat::Contiguous))
OP("frexp_exponent", 1, Rare, genNothing, std::get<1>(ns::frexp(x.to(ns::kFloat))).clone(ns::MemoryFormat::Contiguous))
END_TABLE
