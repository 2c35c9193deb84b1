//===- DLPack.cpp - tensors of other libraries ----------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "core/Impl.h"
#include "tensortidy/io.h"
#if __has_include(<dlpack/dlpack.h>)
#include <dlpack/dlpack.h>
#else
#error "dlpack/dlpack.h is needed: install libdlpack-dev"
#endif

namespace tensortidy {

using detail::Dims;
using detail::fail;
using detail::impl;

namespace {

constexpr uint8_t kDLBool = 6; // newer than Debian's header

struct TypeCode {
  ScalarType Type;
  uint8_t Code;
};
constexpr TypeCode Types[] = {{kByte, kDLUInt},       {kChar, kDLInt},
                              {kShort, kDLInt},       {kInt, kDLInt},
                              {kLong, kDLInt},        {kHalf, kDLFloat},
                              {kFloat, kDLFloat},     {kDouble, kDLFloat},
                              {kBFloat16, kDLBfloat}, {kBool, kDLBool}};

/// What a handed-out tensor holds until its deleter runs.
struct Lent {
  Tensor Holder;
  DLManagedTensor Managed;
};

} // namespace

DLManagedTensor *toDLPack(const Tensor &x, Site Here) {
  auto &I = impl(x, "toDLPack", Here);
  // A handle of its own: later in-place changes of the layout do not show.
  auto *L = new Lent{x.alias(Here), {}};
  detail::TensorImpl &Own = impl(L->Holder);
  DLTensor &T = L->Managed.dl_tensor;
  T.data =
      I.Store->Data + static_cast<size_t>(I.L.Offset) * elementSize(I.Type);
  T.device = {kDLCPU, 0};
  T.ndim = static_cast<int>(Own.L.rank());
  for (const TypeCode &C : Types)
    if (C.Type == I.Type)
      T.dtype = {C.Code, static_cast<uint8_t>(elementSize(I.Type) * 8), 1};
  T.shape = Own.L.Sizes.data();
  T.strides = Own.L.Strides.data();
  T.byte_offset = 0;
  L->Managed.manager_ctx = L;
  L->Managed.deleter = [](DLManagedTensor *M) {
    delete static_cast<Lent *>(M->manager_ctx);
  };
  return &L->Managed;
}

Tensor fromDLPack(DLManagedTensor *managed, Site Here) {
  if (!managed)
    fail("fromDLPack: there is no tensor", Here);
  const DLTensor &T = managed->dl_tensor;
  if (T.device.device_type != kDLCPU)
    fail("fromDLPack: the memory is on a device of type " +
             std::to_string(static_cast<int>(T.device.device_type)) +
             ", not on the CPU",
         Here);
  ScalarType Type = ScalarType::Undefined;
  for (const TypeCode &C : Types)
    if (C.Code == T.dtype.code && elementSize(C.Type) * 8 == T.dtype.bits &&
        T.dtype.lanes == 1)
      Type = C.Type;
  if (Type == ScalarType::Undefined)
    fail("fromDLPack: there is no element type for code " +
             std::to_string(T.dtype.code) + " of " +
             std::to_string(T.dtype.bits) + " bits and " +
             std::to_string(T.dtype.lanes) + " lanes",
         Here);
  const auto Rank = static_cast<size_t>(T.ndim);
  if (T.ndim < 0 || (Rank && !T.shape))
    fail("fromDLPack: there is no shape", Here);
  const IntArrayRef Sizes(T.shape, Rank);
  detail::requireSizes(Sizes, "fromDLPack", Here);
  char *Data = static_cast<char *>(T.data) + T.byte_offset;
  const Dims Strides =
      T.strides ? detail::dims({T.strides, Rank})
                : layout::denseStrides(detail::Ar, detail::dims(Sizes));
  Tensor R = from_blob(
      Data, Sizes, detail::ref(Strides),
      [managed](void *) {
        if (managed->deleter)
          managed->deleter(managed);
      },
      TensorOptions(Type), Here);
  impl(R).Op = "fromDLPack";
  return R;
}

} // namespace tensortidy
