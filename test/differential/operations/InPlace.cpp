//===- InPlace.cpp - answers, and writing into tensors --------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Table.h"

TABLE(inPlace)
// answers
OP("printed", 1, None, genNothing, printed(x))
OP("printed", 1, None, genNothing, printed(x))
OP("equal", 2, None, genSame, ns::scalar_tensor(x.equal(y)))
OP("allclose", 2, None, genSame, ns::scalar_tensor(x.allclose(y)))
OP("is_nonzero", 1, Rare, genNothing, ns::scalar_tensor(x.is_nonzero()))
OP("item", 1, None, genNumberTensor, ns::scalar_tensor(x.item(), ns::kDouble))
OP("item_int", 1, Rare, genNumberTensor, ns::scalar_tensor(x.item<int>(), ns::kInt))
OP("item_byte", 1, Rare, genNumberTensor, ns::scalar_tensor(x.item<uint8_t>(), ns::kInt))
OP("is_set_to", 2, Rare, genSame, ns::scalar_tensor(x.is_set_to(y)))
OP("is_alias_of", 2, Rare, genSame, ns::scalar_tensor(x.is_alias_of(y)))
OP("nbytes", 1, Rare, genNothing, ns::scalar_tensor(static_cast<int64_t>(x.nbytes()), ns::kLong))

// into a tensor that is there
OP("add_out", 3, Writes | Meta | Inexact, genBinaryOut, ns::add_out(x, y, z))
OP("mul_out", 3, Writes | Meta, genBinaryOut, ns::mul_out(x, y, z))
OP("lt_out", 3, Writes | Meta | Rare, genBinaryOut, ns::lt_out(x, y, z))
OP("exp_out", 2, Writes | Meta | Inexact, genUnaryOut, ns::exp_out(x, y))
OP("abs_out", 2, Writes | Meta | Rare, genUnaryOut, ns::abs_out(x, y))
OP("sum_out", 2, Writes | Meta | Convert | Inexact | Rare, genSomeDimsOfOther, ns::sum_out(x, y, l0, b0))
OP("cat_out", 3, Writes | Meta | Rare, genJoinOut, ns::cat_out(x, std::vector<ns::Tensor>{y, z}, i0))
OP("matmul_out", 3, Writes | Meta | Inexact | Rare, genProductOut, ns::matmul_out(x, y, z))
OP("add_number_out", 2, Writes | Meta | Rare, genUnaryOut, ns::add_out(x, y, 2))
OP("div_floor_out", 3, Writes | Meta | Inexact | Amplifies | Rare, genBinaryOut, ns::div_out(x, y, z, "floor"))
OP("maximum_of_out", 3, Writes | Meta | Rare, genBinaryOut, ns::max_out(x, y, z))
OP("clamp_out", 2, Writes | Meta | Rare, genUnaryOut, ns::clamp_out(x, y, -1, 2))
OP("pow_number_out", 2, Writes | Meta | Inexact | Rare, genUnaryOut, ns::pow_out(x, y, 2))
OP("addcmul_out", 3, Writes | Meta | Inexact | Rare, genBinaryOut, ns::addcmul_out(x, y, z, y, 2))
OP("lerp_out", 3, Writes | Meta | Inexact | Rare, genBinaryOut, ns::lerp_out(x, y, z, 0.5))
OP("where_out", 3, Writes | Meta | Rare, genBinaryOut, ns::where_out(x, y.gt(1), y, z))
OP("amax_out", 2, Writes | Meta | Rare, genSomeDimsOfOther, ns::amax_out(x, y, l0, b0))
OP("argmax_out", 2, Writes | Meta | Rare, genSomeDimsOfOther, ns::argmax_out(x, y, ns::optional<int64_t>(), b0))
OP("var_out", 2, Writes | Meta | Inexact | Amplifies | Rare, genSomeDimsOfOther, ns::var_out(x, y.to(x.scalar_type()), l0, true, b0))
OP("cumsum_out", 2, Writes | Meta | Convert | Inexact | Rare, genUnaryOut, ns::cumsum_out(x, y, 0))
OP("zeros_out", 1, Writes | Meta | Rare, genSizes, ns::zeros_out(x, l0))
OP("full_out", 1, Writes | Meta | Rare, genSizes, ns::full_out(x, l0, 3))
OP("arange_out", 1, Writes | Meta | Rare, genSplit, ns::arange_out(x, i1))
OP("eye_out", 1, Writes | Meta | Rare, genSplit, ns::eye_out(x, i1))
// libtorch does not fill another result.
OP("gelu_out", 2, Writes | Meta | Inexact | Finite | Rare, genDenseOut, ns::gelu_out(x, y))
OP("masked_select_out", 3, Writes | Meta | Rare, genBinaryOut, ns::masked_select_out(x, y, z.gt(1)))
OP("outer_out", 3, Writes | Meta | Rare, genBinaryOut, ns::outer_out(x, y, z))
OP("logsumexp_out", 2, Writes | Meta | Inexact | Rare, genSomeDimsOfOther, ns::logsumexp_out(x, y.to(x.scalar_type()), l0, b0))
OP("index_select_out", 2, Writes | Meta | Rare, genDimTensorOfOther, ns::index_select_out(x, y, i0, indexing()))

// in place
OP("copy_", 2, Writes | Convert, genBinary, x.copy_(y))
OP("copy_", 2, Writes | Convert, genSame, x.copy_(y))
OP("assign_row", 2, Writes | Convert | Rare, genBinary, x.select(0, 0).copy_(y))
OP("fill_", 1, Writes, genNumber, x.fill_(whole))
OP("zero_", 1, Writes, genNothing, x.zero_())
OP("masked_fill_", 2, Writes, genBinary, x.masked_fill_(y.gt(1), whole))
OP("index_put_", 1, Writes, genBasicIndex, x.index_put_(entries(x), whole))
OP("index_put_tensor", 2, Writes | Convert, genPut, x.index_put_(entries(indexing()), y))
OP("index_put_tensor", 2, Writes | Convert, genPut,
   x.index_put_(entries(indexing()), y.max().to(x.scalar_type())))
OP("scatter_", 2, Writes, genScatter, x.scatter_(i0, indexing(), y))
OP("scatter_number", 1, Writes, genGather, x.scatter_(i0, indexing(), 3))
OP("index_add_", 2, Writes | Inexact, genDimPut,
   x.index_add_(i0, indexing(), y))
OP("index_copy_", 2, Writes, genDimPut,
   x.index_copy_(i0, indexing(), y))
OP("tril_", 1, Writes, genTriangle, x.tril_(i0))
OP("triu_", 1, Writes, genTriangle, x.triu_(i0))
OP("uniform_", 1, Writes, genNothing, (ns::manual_seed(14), x.uniform_()))
OP("uniform_between", 1, Rare | Writes | Inexact, genNothing, (ns::manual_seed(14), x.uniform_(-2, 3)))
OP("normal_", 1, Writes | Inexact, genNothing, (ns::manual_seed(15), x.normal_(1, 2)))
OP("random_", 1, Writes, genNothing, (ns::manual_seed(16), x.random_(0, 4)))
OP("random_all", 1, Rare | Writes, genNothing, (ns::manual_seed(16), x.random_()))
OP("exponential_", 1, Rare | Writes | Inexact, genNothing, (ns::manual_seed(18), x.exponential_()))
OP("bernoulli_", 1, Writes, genNothing, (ns::manual_seed(17), x.bernoulli_(0.25)))
OP("bernoulli", 1, Rare, genNothing, (ns::manual_seed(17), ns::bernoulli(x.ne(0) * 0.5)))
OP("uniform_generator", 1, Writes | Rare, genNothing, x.uniform_(-1, 1, ns::detail::createCPUGenerator(20)))
OP("normal_generator", 1, Writes | Inexact | Rare, genNothing, x.normal_(0, 1, ns::detail::createCPUGenerator(21)))
OP("random_generator", 1, Writes | Rare, genNothing, x.random_(0, 9, ns::detail::createCPUGenerator(22)))
OP("bernoulli_generator", 1, Rare, genNothing, ns::bernoulli(x.ne(0) * 0.5, ns::detail::createCPUGenerator(23)))
OP("multinomial", 1, Rare, genNothing, (ns::manual_seed(19), ns::multinomial(x.to(ns::kFloat).abs().clamp(0, 9) + 0.5, 2)))
OP("multinomial_again", 1, Rare, genNothing, (ns::manual_seed(19), ns::multinomial(x.to(ns::kFloat).abs().clamp(0, 9) + 0.5, 3, true)))
OP("transpose_", 1, Meta, genDims, x.transpose_(i0, i1))
OP("swapaxes_", 1, Meta | Rare, genDims, x.swapaxes_(i0, i1))
OP("swapdims_", 1, Meta | Rare, genDims, x.swapdims_(i0, i1))
OP("t_", 1, Meta, genNothing, x.t_())
OP("squeeze_", 1, Meta, genNothing, x.squeeze_())
OP("squeeze_dim_", 1, Meta, genDim, x.squeeze_(i0))
OP("unsqueeze_", 1, Meta, genUnsqueeze, x.unsqueeze_(i0))
OP("as_strided_", 1, Meta, genAsStrided, x.as_strided_(l0, l1, o0))
OP("resize_", 1, Meta | Fresh, genResize, x.resize_(l0))
OP("resize_format", 1, Meta | Fresh, genResizeFormat, x.resize_(l0, format))
OP("resize_as_", 2, Meta | Fresh | Rare, genBinary, x.resize_as_(y))
OP("set_", 2, Meta, genSameType, x.set_(y))
OP("set_storage", 2, Meta | Fresh, genStorage, x.set_(y.storage(), i0, l0, l1))
OP("set_storage_all", 2, Meta | Fresh | Rare, genWholeStorage, x.set_(y.storage()))
OP("set_nothing", 1, Meta | Rare, genNothing, x.set_())
OP("fill_tensor_", 2, Writes | Convert, genNumberTensorOther, x.fill_(y))
OP("index_fill_", 1, Writes, genDimTensor, x.index_fill_(i0, indexing(), whole))
OP("scatter_add_", 2, Writes | Inexact, genScatter, x.scatter_add_(i0, indexing(), y))
OP("fill_diagonal_", 1, Writes, genNumber, x.fill_diagonal_(whole))
// libtorch writes elsewhere, or out of bounds, when there is an offset or a
// column of odd strides: of a copy only.
OP("fill_diagonal_wrap", 1, Rare, genNumber, x.clone(ns::MemoryFormat::Contiguous).fill_diagonal_(whole, true))
OP("index_put_mask", 2, Writes, genMask, x.index_put_({y.ne(1)}, 2))
OP("index_put_mask_tensor", 3, Writes | Convert, genMask,
   x.index_put_({y.ne(1)}, y.select(0, 0).to(x.scalar_type())))
OP("index_put_none", 1, Writes | Rare, genNumber, x.index_put_({ns::indexing::None}, whole))
OP("index_put_bool", 2, Writes | Convert | Rare, genBinary, x.index_put_({true}, y))
END_TABLE
