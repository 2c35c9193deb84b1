//===- Choosing.cpp - choosing, counting, building ------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Table.h"

TABLE(choosing)
// choosing, counting
OP("one_hot", 1, None, genOneHot, ns::one_hot(x, i0))
OP("bucketize", 2, None, genBinary, ns::bucketize(x, std::get<0>(y.flatten().sort()), b0, i0 > 1))
OP("searchsorted", 2, None, genSearch, ns::searchsorted(std::get<0>(x.sort(-1)), y, b0, b1))
OP("take_along_dim", 1, Rare, genGather, ns::take_along_dim(x, indexing(), i0))
OP("take_along_all", 1, Rare, genTake, ns::take_along_dim(x, indexing()))
OP("scatter_value", 1, Rare, genGather, ns::scatter(x, i0, indexing(), 3))
OP("scatter_reduce", 2, Inexact | Overflows | Amplifies, genScatterReduce,
   ns::scatter_reduce(x, i0, indexing(), y, i1 == 0 ? "sum" : i1 == 1 ? "mean" : i1 == 2 ? "amax" : i1 == 3 ? "amin" : "prod", b2))
OP("masked_scatter", 3, Rare, genMaskedScatter, ns::masked_scatter(x, y.gt(1), z))
OP("index_copy", 2, Rare, genDimPut, ns::index_copy(x, i0, indexing(), y))
OP("cummax", 1, None, genDim, ns::cummax(x, i0))
OP("cummin", 1, Rare, genDim, ns::cummin(x, i0))
OP("median", 1, None, genMedian, std::get<0>(ns::median(x, i0, b1)))
OP("median_all", 1, Rare, genNotEmpty, ns::median(x))
OP("kthvalue", 1, Rare, genTopk, std::get<0>(ns::kthvalue(x, i1, i0, b2)))
OP("quantile", 1, Inexact | Rare, genDim, ns::quantile(x, 0.375, i0, b1).clone(ns::MemoryFormat::Contiguous))
OP("quantile_all", 1, Inexact | Rare, genNothing, ns::quantile(x, 0.5))
OP("var_mean", 1, Inexact | Amplifies | Rare, genSomeDims, ns::var_mean(x, l0, true, b0))
OP("std_mean", 1, Inexact | Amplifies | Rare, genSomeDims, ns::std_mean(x, l0, false, b0))
OP("aminmax", 1, Rare, genDim, ns::aminmax(x, i0, b1))
OP("aminmax_all", 1, Rare, genNothing, ns::aminmax(x))
OP("nansum", 1, Inexact | Rare, genSomeDims, ns::nansum(x, l0, b0))
OP("diff", 1, Overflows | Inexact | Rare, genDim, ns::diff(x, i1 + 1, i0))
OP("unique", 1, None, genNoNaN, std::get<0>(ns::_unique2(x)))
OP("unique_inverse", 1, Rare, genNoNaN, std::get<1>(ns::_unique2(x, true, true)))
OP("unique_counts", 1, Rare, genNoNaN, std::get<2>(ns::_unique2(x, true, false, true)))
OP("unique_consecutive", 1, Rare, genNoNaN, std::get<0>(ns::unique_consecutive(x)))
OP("unique_consecutive_counts", 1, Rare, genNoNaN, std::get<2>(ns::unique_consecutive(x, true, true)))
OP("bincount", 1, None, genCounts, ns::bincount(x.flatten(), {}, i0))
OP("bincount_weights", 2, Rare | Inexact, genCounts, ns::bincount(x.flatten(), x.flatten() * 0.5, i0))
OP("isin", 2, Rare, genSmallSecond, ns::isin(x.contiguous(), y.contiguous(), false, b0))
OP("nonzero_numpy", 1, Rare, genNothing, ns::nonzero_numpy(x))

// building tensors, rarer products
OP("tril_indices", 0, Rare, genNumbers, ns::tril_indices(i1, i2, i0))
OP("triu_indices", 0, Rare, genNumbers, ns::triu_indices(i1, i2, i0))
OP("diag_embed", 1, None, genDiagonal, ns::diag_embed(x, i0, i1, i2))
OP("diagflat", 1, Rare, genSmall, ns::diagflat(x, i0))
OP("block_diag", 3, Rare, genSmallTwo, ns::block_diag(std::vector<ns::Tensor>{x, y, y}))
OP("cartesian_prod", 3, Rare, genVectors, ns::cartesian_prod(list()))
OP("column_stack", 3, Rare, genJoin, ns::column_stack(list()))
OP("dstack", 3, Rare, genJoin, ns::dstack(list()))
OP("logspace", 0, Rare | Inexact | Amplifies, genNumbers, ns::logspace(i0, i1, i2, 2.0))
OP("addmv", 3, Inexact | Rare, genMatrixVector, ns::addmv(z, x, y, 2, 3))
OP("inner", 2, Inexact | Rare, genSameLast, ns::inner(x, y))
OP("kron", 2, Rare, genKron, ns::kron(x.contiguous(), y.contiguous()).clone(ns::MemoryFormat::Contiguous))
OP("cross", 2, Inexact | Rare, genCross, ns::cross(x, y, i0))
END_TABLE
