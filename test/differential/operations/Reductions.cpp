//===- Reductions.cpp - reductions, products ------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Table.h"

TABLE(reductions)
// reductions
OP("sum", 1, Inexact, genSomeDims, x.sum(l0, b0))
OP("sum", 1, Inexact, genSomeDims, x.sum(l0, b0))
OP("sum_dims_type", 1, Inexact | Convert | Rare, genSomeDimsType, x.sum(l0, b0, type))
OP("mean_type", 1, Inexact | Overflows | Convert | Rare, genSomeDimsType, x.mean(l0, b0, type))
OP("prod_type", 1, Inexact | Convert | Rare, genProdType, x.ne(1).prod(i0, b1, type))
OP("cumsum_type", 1, Inexact | Convert | Rare, genDimType, x.cumsum(i0, type))
OP("softmax_type", 1, Inexact | Convert | Rare, genDimType, x.softmax(i0, type))
OP("sum_all", 1, Inexact, genNothing, x.sum())
OP("sum_type", 1, Inexact | Convert | Rare, genType, x.sum(type))
OP("mean", 1, Inexact | Overflows, genSomeDims, x.mean(l0, b0))
OP("mean_all", 1, Inexact | Overflows, genNothing, x.mean())
OP("amax", 1, None, genSomeDims, x.amax(l0, b0))
OP("amin", 1, None, genSomeDims, x.amin(l0, b0))
OP("max", 1, None, genNothing, x.max())
OP("min", 1, None, genNothing, x.min())
OP("max_dim", 1, None, genDim, x.max(i0, b1))
OP("min_dim", 1, None, genDim, x.min(i0, b1))
OP("argmax", 1, None, genDimOfMost, x.argmax(i0, b1))
OP("argmin", 1, None, genDimOfMost, x.argmin(i0, b1))
OP("argmax_all", 1, Rare, genNothing, x.argmax())
OP("any", 1, None, genDim, x.any(i0, b1))
OP("all", 1, None, genDim, x.all(i0, b1))
OP("any_all", 1, Rare, genNothing, x.any())
OP("all_all", 1, Rare, genNothing, x.all())
OP("prod", 1, Inexact, genDim, x.ne(0).prod(i0, b1))
OP("prod_all", 1, Inexact | Rare, genNothing, x.clamp(0, 1).prod())
OP("var", 1, Inexact | Amplifies, genSomeDims, x.var(l0, true, b0))
OP("std", 1, Inexact | Amplifies, genSomeDims, x.std(l0, false, b0))
OP("var_all", 1, Inexact | Amplifies | Rare, genNothing, x.var(false))
OP("std_all", 1, Inexact | Amplifies | Rare, genNothing, x.std(true))
OP("norm", 1, Inexact | Narrow | Overflows | Rare, genNothing, x.norm())
OP("norm_zero", 1, Inexact | Narrow | Overflows | Rare, genSomeDims, x.norm(0, l0, b0))
OP("norm_two", 1, Inexact | Narrow | Overflows, genSomeDims, x.norm(2, l0, b0))
OP("norm_three", 1, Inexact | Narrow | Overflows | Rare, genSomeDims, x.norm(3, l0, b0))
OP("norm_most", 1, Inexact | Rare, genSomeDims, x.norm(INFINITY, l0, b0))
OP("norm_dim", 1, Inexact | Narrow | Overflows, genSomeDims, x.norm(1, l0, b0))
OP("logsumexp", 1, Inexact, genOneDim, x.logsumexp(l0, b0))
OP("count_nonzero", 1, None, genDim, x.count_nonzero(o0))
OP("cumsum", 1, Inexact, genDim, x.cumsum(i0))
OP("cumprod", 1, Inexact, genDim, x.clamp(0, 1).cumprod(i0))
OP("softmax", 1, Inexact, genDim, x.softmax(i0))
OP("log_softmax", 1, Inexact, genLogSoftmax, x.log_softmax(i0))
OP("sort", 1, None, genDim, std::get<0>(x.sort(i0, b1)))
OP("sort_pair", 1, None, genDim, x.gather(i0, std::get<1>(x.sort(i0, b1))))
OP("argsort", 1, None, genDim, x.gather(i0, x.argsort(i0, b1)))
OP("topk", 1, None, genTopk, std::get<0>(x.topk(i1, i0, b2)))
OP("topk_unsorted", 1, Rare, genTopk, std::get<0>(std::get<0>(x.topk(i1, i0, b2, false)).sort(i0)))
OP("layer_norm", 1, Inexact | Amplifies, genLastSizes, ns::layer_norm(x, l0))

// products
OP("matmul", 2, Inexact, genProduct, x.matmul(y))
OP("matmul", 2, Inexact, genProduct, x.matmul(y))
OP("mm", 2, Inexact, genMatrices, x.mm(y))
OP("bmm", 2, Inexact, genBatches, x.bmm(y))
OP("mv", 2, Inexact, genProduct, x.mv(y))
OP("dot", 2, Inexact, genProduct, x.dot(y))
OP("outer", 2, None, genProduct, x.outer(y))
OP("addmm", 3, Inexact, genMatrices, z.addmm(x, y))
OP("addmm_", 3, Inexact | Writes, genSquare, x.addmm_(y, z))
OP("baddbmm", 3, Inexact, genBatches, z.baddbmm(x, y))
OP("linear", 2, Inexact, genMatrices, ns::linear(x, y.mT()))
OP("trace", 1, Inexact, genNothing, x.trace())

OP("addmm_scaled", 3, Inexact, genMatrices, z.addmm(x, y, 2, 0.5))
OP("baddbmm_scaled", 3, Inexact | Rare, genBatches, z.baddbmm(x, y, 3, 2))
OP("linear_bias", 3, Inexact, genMatrices, ns::linear(x, y.mT(), z))
OP("linear_any", 2, Inexact | Rare, genProduct, ns::linear(x, y.mT()))
// How einsum orders dimensions of size 1 on the way is not followed, so that the
// strides these leave behind are not compared.
OP("einsum_product", 2, Inexact | Rare, genMatrices, ns::einsum("ij,jk->ik", {x, y}).clone(ns::MemoryFormat::Contiguous))
OP("einsum_crossed", 2, Inexact | Rare, genMatrices, ns::einsum("ij,jk->ki", {x, y}).clone(ns::MemoryFormat::Contiguous))
OP("einsum_batches", 2, Inexact | Rare, genBatches, ns::einsum("bij,bjk->bik", {x, y}).clone(ns::MemoryFormat::Contiguous))
OP("einsum_trace", 1, Inexact | Rare, genSquare, ns::einsum("ii->i", {x}).clone(ns::MemoryFormat::Contiguous))
OP("einsum_sum", 1, Inexact | Rare, genSquare, ns::einsum("ij->j", {x}).clone(ns::MemoryFormat::Contiguous))
OP("einsum_outer", 2, Inexact | Rare, genProduct, ns::einsum("i,j->ij", {x.flatten(), y.flatten()}).clone(ns::MemoryFormat::Contiguous))
OP("tensordot", 2, Inexact, genProduct, ns::tensordot(x, y, {-1}, {y.dim() > 1 ? -2 : -1}))
END_TABLE
