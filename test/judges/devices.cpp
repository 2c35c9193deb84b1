//===- devices.cpp - what libtorch takes from two devices -----------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cases that run where there is a CUDA device, and are linted everywhere.
//
//===----------------------------------------------------------------------===//

#include "judge.h"

DEVICE_CASE(add) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::add(g, c); // device: add
}

DEVICE_CASE(sub) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::sub(g, c); // device: sub
}

DEVICE_CASE(mul) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::mul(g, c); // device: mul
}

DEVICE_CASE(div) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::div(g, c); // device: div
}

DEVICE_CASE(atan2) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::atan2(g, c); // device: atan2
}

DEVICE_CASE(fmod) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::fmod(g, c); // device: fmod
}

DEVICE_CASE(remainder) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::remainder(g, c); // device: remainder
}

DEVICE_CASE(maximum) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::maximum(g, c); // device: maximum
}

DEVICE_CASE(minimum) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::minimum(g, c); // device: minimum
}

DEVICE_CASE(fmax) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::fmax(g, c); // device: fmax
}

DEVICE_CASE(fmin) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::fmin(g, c); // device: fmin
}

DEVICE_CASE(pow) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::pow(g, c); // device: pow
}

DEVICE_CASE(hypot) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::hypot(g, c); // device: hypot
}

DEVICE_CASE(logaddexp) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::logaddexp(g, c); // device: logaddexp
}

DEVICE_CASE(copysign) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::copysign(g, c); // device: copysign
}

DEVICE_CASE(nextafter) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::nextafter(g, c); // device: nextafter
}

DEVICE_CASE(heaviside) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::heaviside(g, c); // device: heaviside
}

DEVICE_CASE(xlogy) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::xlogy(g, c); // device: xlogy
}

DEVICE_CASE(floorDivide) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::floor_divide(g, c); // device: floor_divide
}

DEVICE_CASE(eq) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::eq(g, c); // device: eq
}

DEVICE_CASE(ne) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::ne(g, c); // device: ne
}

DEVICE_CASE(lt) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::lt(g, c); // device: lt
}

DEVICE_CASE(le) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::le(g, c); // device: le
}

DEVICE_CASE(gt) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::gt(g, c); // device: gt
}

DEVICE_CASE(ge) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::ge(g, c); // device: ge
}

DEVICE_CASE(isclose) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::isclose(g, c); // device: isclose
}

DEVICE_CASE(logicalAnd) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::logical_and(g, c); // device: logical_and
}

DEVICE_CASE(logicalOr) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::logical_or(g, c); // device: logical_or
}

DEVICE_CASE(logicalXor) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::logical_xor(g, c); // device: logical_xor
}

DEVICE_CASE(trueDivide) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::true_divide(g, c); // device: true_divide
}

DEVICE_CASE(rsub) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::rsub(g, c); // device: rsub
}

DEVICE_CASE(dist) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::dist(g, c); // device: dist
}

DEVICE_CASE(inPlaceAdd) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  g.add_(c); // device: add_
}

DEVICE_CASE(inPlaceSub) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  g.sub_(c); // device: sub_
}

DEVICE_CASE(inPlaceMul) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  g.mul_(c); // device: mul_
}

DEVICE_CASE(inPlaceDiv) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  g.div_(c); // device: div_
}

DEVICE_CASE(inPlacePow) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  g.pow_(c); // device: pow_
}

DEVICE_CASE(inPlaceAtan2) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  g.atan2_(c); // device: atan2_
}

DEVICE_CASE(inPlaceEq) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  g.eq_(c); // device: eq_
}

DEVICE_CASE(inPlaceLt) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  g.lt_(c); // device: lt_
}

DEVICE_CASE(inPlaceFmod) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  g.fmod_(c); // device: fmod_
}

DEVICE_CASE(inPlaceCopysign) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  g.copysign_(c); // device: copysign_
}

DEVICE_CASE(inPlaceCpuAdd) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  c.add_(g); // device: add_
}

DEVICE_CASE(inPlaceCpuMul) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  c.mul_(g); // device: mul_
}

DEVICE_CASE(operatorPlus) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  auto y = g + c; // device: add
}

DEVICE_CASE(operatorTimesCpuFirst) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  auto y = c * g; // device: mul
}

DEVICE_CASE(operatorLess) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  auto y = g < c; // device: lt
}

DEVICE_CASE(operatorAddAssign) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  g += c; // device: add_
}

DEVICE_CASE(bitwiseAnd) {
  auto k = torch::tensor(std::vector<int64_t>{0, 1, 2}).to(at::kCUDA);
  auto c = torch::tensor(std::vector<int64_t>{0, 1, 2});
  auto y = torch::bitwise_and(k, c); // device: bitwise_and
}

DEVICE_CASE(lerp) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::lerp(g, c, 0.5); // device: lerp
}

DEVICE_CASE(lerpWeight) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::lerp(g, g, c); // device: lerp
}

DEVICE_CASE(addcmul) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::addcmul(g, g, c); // device: addcmul
}

DEVICE_CASE(addcdiv) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::addcdiv(g, c, g); // device: addcdiv
}

DEVICE_CASE(whereValue) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::where(g > 0, g, c); // device: where
}

DEVICE_CASE(whereMask) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::where(c > 0, g, g); // device: where
}

DEVICE_CASE(clampTensor) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::clamp(g, c); // device: clamp
}

DEVICE_CASE(numberAdd) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto y = g + torch::tensor(2.0);
}

DEVICE_CASE(numberFirst) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto y = torch::tensor(2.0) * g;
}

DEVICE_CASE(numberInPlace) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  g.add_(torch::ones({}));
}

DEVICE_CASE(numberWhere) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto y = torch::where(g > 0, g, torch::tensor(0.0F));
}

DEVICE_CASE(numberOfSum) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  auto y = g / c.sum();
}

DEVICE_CASE(numberMaskedFill) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  g.masked_fill_(g > 0.5, torch::tensor(0.0F));
}

DEVICE_CASE(numberFill) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  g.fill_(torch::tensor(1.0F));
}

DEVICE_CASE(numberClamp) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto y = torch::clamp(g, torch::tensor(0.25F)); // refuses: clamp
}

DEVICE_CASE(numberLerp) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto y = torch::lerp(g, g, torch::tensor(0.5F));
}

DEVICE_CASE(oneElement) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto y = g + torch::ones({1}); // device: add
}

DEVICE_CASE(numberOnDeviceForCpu) {
  auto c = torch::rand({4, 4});
  auto s = torch::rand({4, 4}, at::kCUDA).sum();
  auto y = c + s; // device: add
}

DEVICE_CASE(numberOnDeviceInPlace) {
  auto c = torch::rand({4, 4});
  auto s = torch::rand({4, 4}, at::kCUDA).sum();
  c.add_(s); // device: add_
}

DEVICE_CASE(numberOnDeviceCat) {
  auto c = torch::rand({4, 4});
  auto s = torch::rand({4}, at::kCUDA);
  auto y = torch::cat({c.select(0, 0), s}); // device: cat
}

DEVICE_CASE(matmul) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::matmul(g, c); // device: matmul
}

DEVICE_CASE(mm) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::mm(g, c); // device: mm
}

DEVICE_CASE(outer) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::outer(g.select(0, 0), c.select(0, 0)); // device: outer
}

DEVICE_CASE(dot) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::dot(g.select(0, 0), c.select(0, 0)); // device: dot
}

DEVICE_CASE(mv) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::mv(g, c.select(0, 0)); // device: mv
}

DEVICE_CASE(inner) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::inner(g.select(0, 0), c.select(0, 0)); // device: inner
}

DEVICE_CASE(vdot) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::vdot(g.select(0, 0), c.select(0, 0)); // device: vdot
}

DEVICE_CASE(kron) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::kron(g, c); // device: kron
}

DEVICE_CASE(cdist) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::cdist(g, c); // device: cdist
}

DEVICE_CASE(tensordot) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::tensordot(g, c, {1}, {0}); // device: tensordot
}

DEVICE_CASE(ger) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::ger(g.select(0, 0), c.select(0, 0)); // device: ger
}

DEVICE_CASE(bmm) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::bmm(g.unsqueeze(0), c.unsqueeze(0)); // device: bmm
}

DEVICE_CASE(addmm) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::addmm(g, g, c); // device: addmm
}

DEVICE_CASE(addmmBias) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::addmm(c, g, g); // device: addmm
}

DEVICE_CASE(addmv) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::addmv(g.select(0, 0), g, c.select(0, 0)); // device: addmv
}

DEVICE_CASE(baddbmm) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  auto b = g.unsqueeze(0), d = c.unsqueeze(0);
  torch::baddbmm(b, b, d); // device: baddbmm
}

DEVICE_CASE(linear) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::linear(g, c); // device: linear
}

DEVICE_CASE(linearBias) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::linear(g, g, c.select(0, 0)); // device: linear
}

DEVICE_CASE(einsum) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::einsum("ij,jk->ik", {g, c}); // device: einsum
}

DEVICE_CASE(cross) {
  auto g = torch::rand({4, 3}, at::kCUDA);
  auto c = torch::rand({4, 3});
  torch::cross(g, c, 1); // device: cross
}

DEVICE_CASE(bilinear) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::bilinear(g, g, c.unsqueeze(0)); // device: bilinear
}

DEVICE_CASE(cat) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::cat({g, c}); // device: cat
}

DEVICE_CASE(catCpuFirst) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::cat({c, g}, 1); // device: cat
}

DEVICE_CASE(stack) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::stack({g, c}); // device: stack
}

DEVICE_CASE(hstack) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::hstack({g, c}); // device: hstack
}

DEVICE_CASE(blockDiag) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::block_diag({g, c}); // device: block_diag
}

DEVICE_CASE(cartesianProd) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  auto a = g.select(0, 0), b = c.select(0, 0);
  torch::cartesian_prod({a, b}); // device: cartesian_prod
}

DEVICE_CASE(meshgrid) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::meshgrid({g.select(0, 0), c.select(0, 0)}, "ij"); // refuses: meshgrid
}

DEVICE_CASE(broadcastTensors) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::broadcast_tensors({g, c});
}

DEVICE_CASE(indexCpu) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::tensor(std::vector<int64_t>{0, 1, 2});
  auto y = g.index({c});
}

DEVICE_CASE(indexMaskCpu) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  auto y = g.index({c > 0.5});
}

DEVICE_CASE(indexDevice) {
  auto c = torch::rand({4, 4});
  auto k = torch::tensor(std::vector<int64_t>{0, 1, 2}).to(at::kCUDA);
  auto y = c.index({k}); // device: index
}

DEVICE_CASE(indexMaskDevice) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  auto y = c.index({g > 0.5}); // device: index
}

DEVICE_CASE(indexOperator) {
  auto c = torch::rand({4, 4});
  auto k = torch::tensor(std::vector<int64_t>{0, 1, 2}).to(at::kCUDA);
  auto y = c.index({torch::indexing::Slice(), k}); // device: index
}

DEVICE_CASE(indexSelect) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::tensor(std::vector<int64_t>{0, 1, 2});
  g.index_select(0, c); // device: index_select
}

DEVICE_CASE(indexSelectCpu) {
  auto c = torch::rand({4, 4});
  auto k = torch::tensor(std::vector<int64_t>{0, 1, 2}).to(at::kCUDA);
  c.index_select(0, k); // device: index_select
}

DEVICE_CASE(gather) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto i = torch::zeros({4, 4}, torch::kLong);
  g.gather(1, i); // device: gather
}

DEVICE_CASE(scatter) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto i = torch::zeros({4, 4}, torch::kLong);
  g.scatter(1, i, 1.0); // device: scatter
}

DEVICE_CASE(scatterSource) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  auto i = torch::zeros({4, 4}, torch::device(at::kCUDA).dtype(torch::kLong));
  g.scatter_(1, i, c); // device: scatter
}

DEVICE_CASE(scatterAdd) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  auto i = torch::zeros({4, 4}, torch::device(at::kCUDA).dtype(torch::kLong));
  g.scatter_add_(1, i, c); // device: scatter_add_
}

DEVICE_CASE(take) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::tensor(std::vector<int64_t>{0, 1, 2});
  torch::take(g, c); // device: take
}

DEVICE_CASE(takeAlongDim) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto i = torch::zeros({4, 4}, torch::kLong);
  torch::take_along_dim(g, i, 1); // device: take_along_dim
}

DEVICE_CASE(maskedSelect) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::masked_select(g, c > 0.5); // device: masked_select
}

DEVICE_CASE(maskedFill) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  g.masked_fill(c > 0.5, 0); // device: masked_fill
}

DEVICE_CASE(maskedFillInPlace) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  g.masked_fill_(c > 0.5, 0); // device: masked_fill_
}

DEVICE_CASE(maskedScatter) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  g.masked_scatter_(g > 0.5, c); // device: masked_scatter_
}

DEVICE_CASE(indexAdd) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  auto i = torch::arange(4, torch::device(at::kCUDA));
  g.index_add_(0, i, c); // device: index_add_
}

DEVICE_CASE(indexAddIndex) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto i = torch::arange(4);
  g.index_add_(0, i, g); // device: index_add_
}

DEVICE_CASE(indexCopy) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  auto i = torch::arange(4, torch::device(at::kCUDA));
  g.index_copy_(0, i, c); // device: index_copy_
}

DEVICE_CASE(indexFill) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto i = torch::arange(4);
  g.index_fill_(0, i, 1); // device: index_fill_
}

DEVICE_CASE(indexPutValue) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  auto i = torch::arange(4, torch::device(at::kCUDA));
  g.index_put_({i}, c); // device: index_put_
}

DEVICE_CASE(indexPutNumber) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto i = torch::arange(4, torch::device(at::kCUDA));
  g.index_put_({i}, torch::tensor(1.0F));
}

DEVICE_CASE(indexPutIndexCpu) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto i = torch::arange(4);
  g.index_put_({i}, torch::zeros({4, 4}, at::kCUDA));
}

DEVICE_CASE(indexPutDevice) {
  auto c = torch::rand({4, 4});
  auto i = torch::arange(4, torch::device(at::kCUDA));
  c.index_put_({i}, torch::zeros({4, 4}));
}

DEVICE_CASE(indexPutSlice) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  g.index_put_({torch::indexing::Slice(0, 4)}, c);
}

DEVICE_CASE(embedding) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::tensor(std::vector<int64_t>{0, 1, 2});
  torch::embedding(g, c); // device: embedding
}

DEVICE_CASE(put) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::tensor(std::vector<int64_t>{0, 1, 2});
  g.put_(c, torch::zeros({3}, at::kCUDA)); // device: put_
}

DEVICE_CASE(repeatInterleave) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto r = torch::ones({4}, torch::kLong);
  torch::repeat_interleave(g, r, 0); // device: repeat_interleave
}

DEVICE_CASE(searchsorted) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::searchsorted(g, c); // device: searchsorted
}

DEVICE_CASE(bucketize) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::bucketize(g, c.select(0, 0)); // device: bucketize
}

DEVICE_CASE(bincountWeights) {
  auto k = torch::tensor(std::vector<int64_t>{0, 1, 2}).to(at::kCUDA);
  auto w = torch::rand({3});
  torch::bincount(k, w); // device: bincount
}

DEVICE_CASE(isin) {
  auto k = torch::tensor(std::vector<int64_t>{0, 1, 2}).to(at::kCUDA);
  auto c = torch::tensor(std::vector<int64_t>{0, 1, 2});
  torch::isin(k, c); // device: isin
}

DEVICE_CASE(copy) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  g.copy_(c);
}

DEVICE_CASE(copyBack) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  c.copy_(g);
}

DEVICE_CASE(assigned) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  g.slice(0, 0, 2) = c.slice(0, 0, 2);
}

DEVICE_CASE(equal) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::equal(g, c); // device: equal
}

DEVICE_CASE(allclose) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::allclose(g, c); // device: allclose
}

DEVICE_CASE(typeAs) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  auto y = c.type_as(g);
}

DEVICE_CASE(toOther) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  auto y = c.to(g) + g;
}

DEVICE_CASE(expandAs) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  auto y = c.expand_as(g);
}

DEVICE_CASE(viewAs) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  auto y = c.view_as(g);
}

DEVICE_CASE(zerosLike) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto y = torch::zeros_like(g) + g;
}

DEVICE_CASE(newZeros) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto y = g.new_zeros({4, 4}) + g;
}

DEVICE_CASE(emptyLikeCpu) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  auto y = torch::empty_like(c) + g; // device: add
}

DEVICE_CASE(onesOfOptions) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto y = torch::ones({4, 4}, g.options()) + g;
}

DEVICE_CASE(setData) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  c.set_data(g);
}

DEVICE_CASE(addOut) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::add_out(c, g, g); // device: add_out
}

DEVICE_CASE(matmulOut) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::matmul_out(c, g, g); // device: matmul_out
}

DEVICE_CASE(catOut) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  auto o = torch::empty({8, 4});
  torch::cat_out(o, {g, g}); // device: cat_out
}

DEVICE_CASE(mseLoss) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::mse_loss(g, c); // device: mse_loss
}

DEVICE_CASE(l1Loss) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::l1_loss(g, c); // device: l1_loss
}

DEVICE_CASE(smoothL1) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::smooth_l1_loss(g, c); // device: smooth_l1_loss
}

DEVICE_CASE(bce) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::binary_cross_entropy(g, c); // device: binary_cross_entropy
}

DEVICE_CASE(bceLogits) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::binary_cross_entropy_with_logits(g, c); // device: bce_with_logits
}

DEVICE_CASE(crossEntropy) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto i = torch::zeros({4}, torch::kLong);
  torch::cross_entropy_loss(g, i); // device: cross_entropy_loss
}

DEVICE_CASE(nllLoss) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto i = torch::zeros({4}, torch::kLong);
  torch::nll_loss(torch::log_softmax(g, 1), i); // device: nll_loss
}

DEVICE_CASE(nllWeight) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto i = torch::zeros({4}, torch::device(at::kCUDA).dtype(torch::kLong));
  auto p = torch::log_softmax(g, 1);
  torch::nll_loss(p, i, torch::ones({4})); // device: nll_loss
}

DEVICE_CASE(klDiv) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::kl_div(g, c); // device: kl_div
}

DEVICE_CASE(cosineSimilarity) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::cosine_similarity(g, c); // device: cosine_similarity
}

DEVICE_CASE(pairwiseDistance) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::pairwise_distance(g, c); // device: pairwise_distance
}

DEVICE_CASE(huber) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::huber_loss(g, c); // device: huber_loss
}

DEVICE_CASE(ctcLengths) {
  auto p = torch::log_softmax(torch::rand({5, 2, 4}, at::kCUDA), 2);
  auto l = torch::full({2}, 5, torch::kLong);
  auto m = torch::full({2}, 2, torch::kLong);
  auto q = torch::ones({2, 2}, torch::device(at::kCUDA).dtype(torch::kLong));
  torch::ctc_loss(p, q, l, m);
}

DEVICE_CASE(conv2dWeight) {
  auto g = torch::rand({1, 2, 8, 8}, at::kCUDA);
  auto w = torch::rand({3, 2, 3, 3});
  torch::conv2d(g, w); // device: conv2d
}

DEVICE_CASE(conv2dInput) {
  auto g = torch::rand({1, 2, 8, 8});
  auto w = torch::rand({3, 2, 3, 3}, at::kCUDA);
  torch::conv2d(g, w); // device: conv2d
}

DEVICE_CASE(conv2dBias) {
  auto g = torch::rand({1, 2, 8, 8}, at::kCUDA);
  auto w = torch::rand({3, 2, 3, 3}, at::kCUDA);
  torch::conv2d(g, w, torch::zeros({3})); // device: conv2d
}

DEVICE_CASE(layerNorm) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  auto w = c.select(0, 0);
  torch::layer_norm(g, {4}, w, w); // device: layer_norm
}

DEVICE_CASE(groupNorm) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::group_norm(g, 2, c.select(0, 0), c.select(0, 1)); // device: group_norm
}

DEVICE_CASE(batchNorm) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  auto w = c.select(0, 0);
  const double e = 1e-5;
  torch::batch_norm(g, w, w, {}, {}, true, 0.1, e, 0); // device: batch_norm
}

DEVICE_CASE(prelu) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  torch::prelu(g, torch::full({1}, 0.25)); // device: prelu
}

DEVICE_CASE(gridSample) {
  auto g = torch::rand({1, 2, 8, 8}, at::kCUDA);
  auto q = torch::rand({1, 4, 4, 2});
  torch::grid_sampler(g, q, 0, 0, false); // device: grid_sampler
}

DEVICE_CASE(linearModule) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  torch::nn::Linear f(4, 2);
  f(g); // device: linear
}

DEVICE_CASE(linearModuleOn) {
  auto c = torch::rand({4, 4});
  torch::nn::Linear f(4, 2);
  f->to(at::kCUDA);
  f(c); // device: linear
}

DEVICE_CASE(linearModuleFits) {
  auto c = torch::rand({4, 4});
  torch::nn::Linear f(4, 2);
  f->to(at::kCUDA);
  f(c.to(at::kCUDA));
}

DEVICE_CASE(embeddingModule) {
  auto c = torch::tensor(std::vector<int64_t>{0, 1, 2});
  torch::nn::Embedding f(10, 4);
  f->to(at::kCUDA);
  f(c); // device: embedding
}

DEVICE_CASE(reluModule) {
  auto c = torch::rand({4, 4});
  torch::nn::ReLU f;
  f->to(at::kCUDA);
  f(c);
}

DEVICE_CASE(flattenModule) {
  auto c = torch::rand({4, 4});
  torch::nn::Flatten f;
  f->to(at::kCUDA);
  f(c);
}

DEVICE_CASE(dropoutModule) {
  auto c = torch::rand({4, 4});
  torch::nn::Dropout f(0.5);
  f->to(at::kCUDA);
  f(c);
}

DEVICE_CASE(sequential) {
  auto c = torch::rand({4, 4});
  torch::nn::Sequential f(torch::nn::Linear(4, 4), torch::nn::ReLU());
  f->to(at::kCUDA);
  f->forward(c); // device: linear
}

DEVICE_CASE(mseModule) {
  auto c = torch::rand({4, 4});
  torch::nn::MSELoss f;
  f->to(at::kCUDA);
  f(c, c);
}

DEVICE_CASE(crossEntropyModule) {
  auto c = torch::rand({4, 4});
  auto i = torch::zeros({4}, torch::kLong);
  torch::nn::CrossEntropyLoss f;
  f->to(at::kCUDA);
  f(c, i);
}

DEVICE_CASE(crossEntropyModuleWeight) {
  auto c = torch::rand({4, 4});
  auto i = torch::zeros({4}, torch::kLong);
  torch::nn::CrossEntropyLoss f(
      torch::nn::CrossEntropyLossOptions().weight(torch::ones({4})));
  f->to(at::kCUDA);
  f(c, i); // refuses: cross_entropy_loss
}

DEVICE_CASE(batchNormModule) {
  auto c = torch::rand({4, 4});
  torch::nn::BatchNorm1d f(4);
  f->to(at::kCUDA);
  f(c); // device: batch_norm
}

DEVICE_CASE(layerNormPlain) {
  auto c = torch::rand({4, 4});
  torch::nn::LayerNorm f(
      torch::nn::LayerNormOptions({4}).elementwise_affine(false));
  f->to(at::kCUDA);
  f(c);
}

DEVICE_CASE(poolModule) {
  auto c = torch::rand({1, 2, 8, 8});
  torch::nn::MaxPool2d f(2);
  f->to(at::kCUDA);
  f(c);
}

DEVICE_CASE(gruState) {
  auto x = torch::rand({5, 1, 4}, at::kCUDA);
  torch::nn::GRU f(4, 8);
  f->to(at::kCUDA);
  f->forward(x, torch::zeros({1, 1, 8})); // device: gru
}

DEVICE_CASE(lossOfModule) {
  auto c = torch::rand({4, 4});
  torch::nn::Linear f(4, 4);
  f->to(at::kCUDA);
  auto y = f(c.to(at::kCUDA));
  torch::mse_loss(y, c); // device: mse_loss
}

DEVICE_CASE(embeddingFunctional) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::tensor(std::vector<int64_t>{0, 1, 2});
  torch::nn::functional::embedding(c, g); // device: embedding
}

DEVICE_CASE(normalMeanStd) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  at::normal(g, c); // device: normal
}

DEVICE_CASE(polar) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::polar(g, c); // device: polar
}

DEVICE_CASE(complexOf) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::complex(g, c); // device: complex
}

DEVICE_CASE(solve) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::linalg_solve(g, c); // device: linalg_solve
}

DEVICE_CASE(choleskySolve) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::cholesky_solve(g, c); // device: cholesky_solve
}

DEVICE_CASE(quantile) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  torch::quantile(g, torch::tensor({0.25F, 0.75F}), 1); // device: quantile
}

DEVICE_CASE(tensorSplit) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::tensor(std::vector<int64_t>{0, 1, 2});
  torch::tensor_split(g, c, 0);
}

DEVICE_CASE(cov) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  torch::cov(g, 1, torch::ones({4}, torch::kLong)); // device: cov
}

DEVICE_CASE(trapezoid) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::trapezoid(g, c); // device: trapezoid
}

DEVICE_CASE(addr) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::addr(g, g.select(0, 0), c.select(0, 0)); // device: addr
}

DEVICE_CASE(renormFits) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  torch::renorm(g, 2, 0, 1.0);
}

DEVICE_CASE(convTranspose) {
  auto g = torch::rand({1, 2, 8, 8}, at::kCUDA);
  auto w = torch::rand({2, 3, 3, 3});
  torch::conv_transpose2d(g, w); // device: conv_transpose2d
}

DEVICE_CASE(fromOtherDeviceIndexNumber) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto y = g.index({torch::tensor(1)});
}

DEVICE_CASE(cpuIndexedByNumberOfDevice) {
  auto c = torch::rand({4, 4});
  auto y = c.index({torch::tensor(1).to(at::kCUDA)});
}

DEVICE_CASE(checkedNumber) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto y = g * torch::rand({4}).mean();
}

DEVICE_CASE(multiDot) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::linalg_multi_dot({g, c, g}); // device: linalg_multi_dot
}

DEVICE_CASE(chainMatmul) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::chain_matmul({g, c, g}); // device: chain_matmul
}

DEVICE_CASE(vander) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  torch::vander(g.select(0, 0));
}

DEVICE_CASE(scatterReduce) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  auto i = torch::zeros({4, 4}, torch::device(at::kCUDA).dtype(torch::kLong));
  g.scatter_reduce(1, i, c, "sum"); // device: scatter_reduce
}

DEVICE_CASE(diagonalScatter) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::diagonal_scatter(g, c.select(0, 0));
}

DEVICE_CASE(selectScatter) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::select_scatter(g, c.select(0, 0), 0, 1);
}

DEVICE_CASE(sliceScatter) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  torch::slice_scatter(g, c.slice(0, 0, 2), 0, 0, 2);
}

DEVICE_CASE(multinomialFits) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  torch::multinomial(g, 2);
}

DEVICE_CASE(gcd) {
  auto k = torch::tensor(std::vector<int64_t>{0, 1, 2}).to(at::kCUDA);
  auto c = torch::tensor(std::vector<int64_t>{0, 1, 2});
  torch::gcd(k, c); // device: gcd
}

DEVICE_CASE(shift) {
  auto k = torch::tensor(std::vector<int64_t>{0, 1, 2}).to(at::kCUDA);
  auto c = torch::tensor(std::vector<int64_t>{0, 1, 2});
  torch::bitwise_left_shift(k, c); // device: bitwise_left_shift
}

DEVICE_CASE(logsumFits) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  auto y = torch::logsumexp(g, 1).cpu() + torch::logsumexp(c, 1);
}

DEVICE_CASE(numbersOfTwo) {
  auto a = torch::rand({});
  auto s = torch::rand({}, at::kCUDA);
  auto y = a + s;
}

DEVICE_CASE(numbersOfTwoInPlace) {
  auto a = torch::zeros({});
  auto s = torch::rand({}, at::kCUDA);
  a += s; // device: any
}

DEVICE_CASE(runningSum) {
  auto total = torch::zeros({1});
  auto loss = torch::rand({4}, at::kCUDA).mean();
  total += loss; // device: add_
}

DEVICE_CASE(numberOfDeviceWhere) {
  auto c = torch::rand({4, 4});
  auto s = torch::rand({}, at::kCUDA);
  auto y = torch::where(c > 0, c, s); // device: any
}

DEVICE_CASE(numberOfDeviceMaskedFill) {
  auto c = torch::rand({4, 4});
  auto s = torch::rand({}, at::kCUDA);
  c.masked_fill_(c > 0.5, s); // device: any
}

DEVICE_CASE(numberOfDeviceFill) {
  auto c = torch::rand({4, 4});
  auto s = torch::rand({}, at::kCUDA);
  c.fill_(s);
}

DEVICE_CASE(numberOfDeviceLess) {
  auto c = torch::rand({4, 4});
  auto s = torch::rand({}, at::kCUDA);
  auto y = c < s; // device: any
}

DEVICE_CASE(numberOfDevicePow) {
  auto c = torch::rand({4, 4});
  auto s = torch::rand({}, at::kCUDA);
  auto y = torch::pow(c, s); // device: any
}

DEVICE_CASE(numberOfDeviceMaximum) {
  auto c = torch::rand({4, 4});
  auto s = torch::rand({}, at::kCUDA);
  auto y = torch::maximum(c, s); // device: any
}

DEVICE_CASE(numberMaximum) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto s = torch::rand({});
  auto y = torch::maximum(g, s);
}

DEVICE_CASE(numberPow) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto s = torch::rand({});
  auto y = torch::pow(g, s);
}

DEVICE_CASE(numberPowFirst) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto s = torch::rand({});
  auto y = torch::pow(s, g);
}

DEVICE_CASE(numberStack) {
  auto s = torch::rand({4}, at::kCUDA).sum();
  auto y = torch::stack({s, torch::tensor(1.0F)}); // refuses: stack
}

DEVICE_CASE(numberMatmul) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto s = torch::rand({4}).sum();
  auto y = torch::matmul(g, s.expand({4, 4})); // device: any
}

DEVICE_CASE(numberLinspace) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto y = torch::atan2(g, torch::tensor(1.0F));
}

DEVICE_CASE(numberAddcmul) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto y = torch::addcmul(g, g, torch::tensor(1.0F));
}

DEVICE_CASE(numberMse) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto y = torch::mse_loss(g.sum(), torch::tensor(1.0F)); // refuses: mse_loss
}

DEVICE_CASE(numberMseSizes) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto y = torch::mse_loss(g, torch::tensor(1.0F).expand_as(g)); // device: any
}

DEVICE_CASE(numberIsclose) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto y = torch::isclose(g, torch::tensor(1.0F));
}

DEVICE_CASE(numberAllclose) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  torch::allclose(g, torch::tensor(1.0F));
}

DEVICE_CASE(numberEqual) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  torch::equal(g.sum(), torch::tensor(1.0F)); // refuses: equal
}

DEVICE_CASE(numberBce) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto y = torch::binary_cross_entropy(
      g.mean(), torch::tensor(1.0F)); // refuses: binary_cross_entropy
}

DEVICE_CASE(numberCat) {
  auto g = torch::rand({4}, at::kCUDA);
  auto one = torch::tensor(1.0F).reshape({1});
  auto y = torch::cat({g, one}); // device: cat
}

DEVICE_CASE(numberDot) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto y = torch::outer(g.select(0, 0), torch::ones({1})); // device: any
}

DEVICE_CASE(numberLerpEnd) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto y = torch::lerp(g, torch::tensor(1.0F), 0.5); // refuses: lerp
}

DEVICE_CASE(numberScatter) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto i = torch::zeros({4, 4}, torch::device(at::kCUDA).dtype(torch::kLong));
  g.scatter_add_(1, i, torch::ones({4, 4}).sum().expand({4, 4})); // device: any
}

DEVICE_CASE(numberIndexAdd) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto i = torch::arange(4, torch::device(at::kCUDA));
  g.index_fill_(0, i, torch::tensor(1.0F));
}

DEVICE_CASE(indexPutDeviceValue) {
  auto c = torch::rand({4, 4});
  auto i = torch::arange(4, torch::device(at::kCUDA));
  c.index_put_({i}, torch::zeros({4, 4}, at::kCUDA)); // device: any
}

DEVICE_CASE(indexPutMaskOfDevice) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  c.index_put_({g > 0.5}, torch::tensor(0.0F));
}

DEVICE_CASE(indexPutMaskOnCpu) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  g.index_put_({c > 0.5}, torch::tensor(0.0F));
}

DEVICE_CASE(indexPutSliceAndIndex) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  auto i = torch::arange(4, torch::device(at::kCUDA));
  g.index_put_({torch::indexing::Slice(0, 4), i}, c); // device: any
}

DEVICE_CASE(indexPutIntegers) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  g.index_put_({1}, c.select(0, 0));
}

DEVICE_CASE(indexFunctional) {
  auto c = torch::rand({4, 4});
  auto k = torch::tensor(std::vector<int64_t>{0, 1, 2}).to(at::kCUDA);
  auto y = torch::index_put(c, {k}, torch::zeros({3, 4}));
}

DEVICE_CASE(layerNormModuleOn) {
  auto c = torch::rand({4, 4});
  torch::nn::LayerNorm f(torch::nn::LayerNormOptions({4}));
  f->to(at::kCUDA);
  f(c); // refuses: layer_norm
}

DEVICE_CASE(batchNormEval) {
  auto c = torch::rand({4, 4});
  torch::nn::BatchNorm1d f(torch::nn::BatchNorm1dOptions(4).affine(false));
  f->to(at::kCUDA);
  f(c); // device: any
}

DEVICE_CASE(preluModule) {
  auto c = torch::rand({4, 4});
  torch::nn::PReLU f;
  f->to(at::kCUDA);
  f(c); // device: any
}

DEVICE_CASE(convModule) {
  auto c = torch::rand({1, 2, 8, 8});
  torch::nn::Conv2d f(torch::nn::Conv2dOptions(2, 3, 3));
  f->to(at::kCUDA);
  f(c); // device: any
}

DEVICE_CASE(lstmInput) {
  auto c = torch::rand({5, 1, 4});
  torch::nn::LSTM f(4, 8);
  f->to(at::kCUDA);
  f->forward(c); // device: any
}

DEVICE_CASE(normalOne) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  at::normal(g, torch::tensor(1.0)); // refuses: normal
}

DEVICE_CASE(clipGrad) {
  auto c = torch::rand({4, 4});
  torch::nn::Linear f(4, 2);
  f->to(at::kCUDA);
  torch::nn::utils::clip_grad_norm_(f->parameters(), 1.0);
}

DEVICE_CASE(dataAssign) {
  auto c = torch::rand({4, 4});
  torch::nn::Linear f(4, 4);
  f->to(at::kCUDA);
  f->weight.set_data(c);
  f(torch::rand({4, 4}, at::kCUDA)); // refuses: linear
}

DEVICE_CASE(copyIntoWeight) {
  auto c = torch::rand({4, 4});
  torch::NoGradGuard guard;
  torch::nn::Linear f(4, 4);
  f->to(at::kCUDA);
  f->weight.copy_(c);
  f(torch::rand({4, 4}, at::kCUDA));
}

DEVICE_CASE(toOfOther) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  auto y = c.to(g.device()) * g;
}

DEVICE_CASE(nonzeroIndex) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  auto y = g.index({c.nonzero().squeeze(1)});
}

DEVICE_CASE(oneHot) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto y =
      torch::one_hot(torch::zeros({4}, torch::kLong), 4) * g; // device: any
}

DEVICE_CASE(arangeLike) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto y = g + torch::arange(4); // device: any
}

DEVICE_CASE(topkIndex) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  auto y = g.gather(1, std::get<1>(c.topk(2, 1))); // device: any
}

DEVICE_CASE(viewOfNumber) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto y = g * torch::tensor(2.0F).view({1, 1}); // device: any
}

DEVICE_CASE(squeezedNumber) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto y = g * torch::ones({1}).squeeze();
}

DEVICE_CASE(itemIsNumber) {
  auto g = torch::rand({4, 4}, at::kCUDA);
  auto c = torch::rand({4, 4});
  auto y = g * c.max().item<float>();
}
