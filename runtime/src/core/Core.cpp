//===- Core.cpp - handles, storage, element types, refusals ---------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "core/Impl.h"
#include "core/Report.h"
#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>

namespace tensortidy {

//===--- element types --------------------------------------------------===//

const char *toString(ScalarType Type) {
  switch (Type) {
  case kByte:
    return "Byte";
  case kChar:
    return "Char";
  case kShort:
    return "Short";
  case kInt:
    return "Int";
  case kLong:
    return "Long";
  case kHalf:
    return "Half";
  case kFloat:
    return "Float";
  case kDouble:
    return "Double";
  case kBool:
    return "Bool";
  case kBFloat16:
    return "BFloat16";
  case ScalarType::Undefined:
    break;
  }
  return "Undefined";
}

size_t elementSize(ScalarType Type) {
  switch (Type) {
  case kLong:
  case kDouble:
    return 8;
  case kInt:
  case kFloat:
    return 4;
  case kShort:
  case kHalf:
  case kBFloat16:
    return 2;
  default:
    return 1;
  }
}

ScalarType promoteTypes(ScalarType a, ScalarType b) {
  return detail::scalarType(
      layout::promote(detail::layoutType(a), detail::layoutType(b)));
}

static std::atomic<ScalarType> DefaultType{kFloat};
TypeMeta get_default_dtype() { return DefaultType.load(); }
void set_default_dtype(ScalarType dtype) { DefaultType = dtype; }

void Scalar::overflow(ScalarType Type) {
  // Not an Error, as in libtorch.
  throw std::runtime_error(std::string("value cannot be converted to type ") +
                           toString(Type) + " without overflow");
}

Half::Half(float Value) : x(detail::floatToHalf(Value)) {}
Half::operator float() const { return detail::halfToFloat(x); }
BFloat16::BFloat16(float Value) : x(detail::floatToBfloat(Value)) {}
BFloat16::operator float() const { return detail::bfloatToFloat(x); }

Device::Device(const std::string &device_string) : Type(kCPU), Index(-1) {
  const size_t Colon = device_string.find(':');
  const std::string Name = device_string.substr(0, Colon);
  if (Name == "cuda")
    Type = kCUDA;
  else if (Name != "cpu")
    throw Error("Device: unknown device '" + device_string + "'");
  if (Colon != std::string::npos)
    Index = static_cast<int8_t>(std::atoi(device_string.c_str() + Colon + 1));
}
std::string Device::str() const {
  std::string R = is_cpu() ? "cpu" : "cuda";
  return has_index() ? R + ":" + std::to_string(Index) : R;
}

//===--- storage --------------------------------------------------------===//

namespace detail {

void end(const TensorImpl *I) noexcept {
  release(I->Store);
  delete I;
}
void retain(const StorageImpl *S) noexcept {
  if (S)
    S->Refs.add();
}
__attribute__((noinline)) static void end(const StorageImpl *S) noexcept {
  auto &Last = const_cast<StorageImpl &>(*S);
  if (!S->Borrowed)
    guardedFree(Last);
  else if (S->Free)
    S->Free(S->State, S->Data);
  delete S;
}
void release(const StorageImpl *S) noexcept {
  if (S && S->Refs.dropOnly())
    end(S);
}

StorageImpl *newStorage(size_t Bytes, const char *Op, Site Here) {
  auto *S = new StorageImpl;
  S->Op = Op;
  S->Made = Here;
  try {
    S->Data = guardedAllocate(*S, Bytes);
  } catch (...) {
    delete S;
    throw;
  }
  S->Bytes = Bytes;
  return S;
}

static void growStorage(StorageImpl &S, size_t Bytes, Site Here) {
  if (Bytes <= S.Bytes)
    return;
  if (S.Borrowed)
    fail("resize_: the memory is borrowed and cannot grow", Here);
  // The new memory takes the place of the old in the same storage.
  StorageImpl *New = newStorage(Bytes, S.Op, S.Made);
  observe(Event::Allocation, "resize_", Here, Bytes);
  if (S.Bytes)
    std::memcpy(New->Data, S.Data, S.Bytes);
  guardedFree(S);
  S.Data = nullptr;
  adoptMemory(S, *New);
  release(New);
}

Tensor allocate(Shape L, ScalarType Type, const char *Op, Site Here) {
  L.Offset = 0;
  const int64_t Elements = layout::storageSpan(Ar, L);
  const auto Size = static_cast<int64_t>(elementSize(Type));
  int64_t Bytes;
  if (Elements < 0 || __builtin_mul_overflow(Elements, Size, &Bytes))
    fail(std::string(Op) + ": the storage size overflows, sizes " +
             text(ref(L.Sizes)) + ", strides " + text(ref(L.Strides)),
         Here);
  StorageImpl *S = newStorage(static_cast<size_t>(Bytes), Op, Here);
  observe(Event::Allocation, Op, Here, static_cast<size_t>(Bytes));
  return Tensor::adopt(new TensorImpl(S, std::move(L), Type, Op, Here));
}

Tensor viewOf(const Tensor &Base, Shape &&L, const char *Op, Site Here) {
  const TensorImpl &B = impl(Base);
  retain(B.Store);
  return Tensor::adopt(new TensorImpl(B.Store, std::move(L), B.Type, Op, Here));
}

//===--- refusals -------------------------------------------------------===//

std::string text(IntArrayRef L) {
  std::string R = "[";
  for (size_t I = 0; I < L.size(); ++I)
    R += (I ? ", " : "") + std::to_string(L[I]);
  return R + "]";
}
std::string text(ScalarType T) { return toString(T); }
std::string text(MemoryFormat F) {
  return layout::name(static_cast<layout::MemoryFormat>(F));
}

/// " at FILE:LINE". Operators have no default arguments, so what they call
/// names this library's own header: that is no place.
std::string place(Site Here) {
  static constexpr std::string_view Own = "tensortidy/tensor.h";
  const std::string_view File = Here.File ? Here.File : "";
  const bool IsOwn =
      File.size() >= Own.size() && File.substr(File.size() - Own.size()) == Own;
  if (File.empty() || IsOwn)
    return "";
  return " at " + std::string(File) + ":" + std::to_string(Here.Line);
}
static std::string placeLine(Site Here) {
  const std::string Place = place(Here);
  return Place.empty() ? "" : "\n " + Place;
}

void fail(const std::string &Text, Site Here) {
  throw Error(Text + placeLine(Here));
}
static std::string tensorLine(const Tensor &Of) {
  std::string From = "\n  the tensor is " + describe(Of);
  if (!Of.defined())
    return From;
  const StorageImpl &S = *impl(Of).Store;
  From += ", from " + Of.provenance();
  const std::string Memory = S.Op + place(S.Made);
  return Memory == Of.provenance() ? From
                                   : From + "\n  its memory is from " + Memory;
}
void fail(const std::string &Text, const Tensor &Of, Site Here) {
  throw Error(Text + placeLine(Here) + tensorLine(Of));
}
void refuse(const layout::LayoutError<int64_t> &E, const std::string &What,
            const Tensor *Of, Site Here) {
  std::string Text = layout::render(Ar, E, What) + placeLine(Here);
  if (Of && Of->defined())
    Text += tensorLine(*Of);
  switch (E.R) {
  case layout::Rule::DimOutOfRange:
  case layout::Rule::ZeroDim:
  case layout::Rule::NarrowStart:
  case layout::Rule::SelectRange:
    throw IndexError(Text, layout::name(E.R));
  default:
    throw Error(Text, layout::name(E.R));
  }
}
void undefinedTensor(const char *Op, Site Here) {
  fail(std::string(Op) + ": the tensor is undefined", Here);
}
void accessorBounds(int64_t Index, int64_t Size, size_t Dim, const void *At) {
  throw IndexError("accessor: index " + std::to_string(Index) +
                   " is out of range for size " + std::to_string(Size) +
                   " of the dimension " + std::to_string(Dim) +
                   " from the last" + whoseMemory(At));
}
void accessorRank(int64_t Dim, size_t Rank, const void *At) {
  throw IndexError("accessor: there is no dimension " + std::to_string(Dim) +
                   " of " + std::to_string(Rank) + whoseMemory(At));
}

void requireSizes(IntArrayRef Sizes, const char *Op, Site Here) {
  for (int64_t S : Sizes)
    if (S < 0)
      refuse(layout::refuse<Concrete>(layout::Rule::ViewNegative, {S}),
             call(Op, Sizes), nullptr, Here);
}

void requireNoInternalOverlap(const Tensor &Out, const char *Op, Site Here) {
  const Shape &L = impl(Out).L;
  if (layout::internalOverlap(Ar, L) != layout::Overlap::Full)
    return;
  auto E = layout::refuse<Concrete>(layout::Rule::InternalOverlap);
  E.Sizes = L.Sizes;
  E.Strides = L.Strides;
  refuse(E, Op, &Out, Here);
}

void requireNoOverlap(const Tensor &Out, const Tensor &In, const char *Op,
                      Site Here, bool OrFull) {
  const TensorImpl &O = impl(Out), &I = impl(In);
  layout::Overlap Status = layout::Overlap::Full;
  if (&O != &I)
    Status = layout::overlap(Ar, O.L, I.L, O.Store == I.Store,
                             static_cast<int64_t>(elementSize(O.Type)),
                             static_cast<int64_t>(elementSize(I.Type)));
  if (Status == layout::Overlap::Partial ||
      (OrFull && Status == layout::Overlap::Full))
    refuse(layout::refuse<Concrete>(layout::Rule::PartialOverlap), Op, &Out,
           Here);
}

bool canCast(ScalarType From, ScalarType To) {
  return layout::canCast(static_cast<layout::DType>(From),
                         static_cast<layout::DType>(To));
}

} // namespace detail

using detail::impl;
using detail::meta;
static constexpr Site nowhere() { return Site::none(); }

void *Storage::data(Site Here) const {
  if (S && S->Watched.Ended)
    detail::borrowEnded(*S, "data", Here);
  return S ? S->Data : nullptr;
}
size_t Storage::nbytes() const { return S ? S->Bytes : 0; }
size_t Storage::use_count() const {
  return S ? static_cast<size_t>(S->Refs.load()) : 0;
}

//===--- questions ------------------------------------------------------===//

// An undefined tensor answers as libtorch's: one dimension of size 0.
static const int64_t UndefinedSizes[] = {0};

int64_t Tensor::dim() const {
  return Impl ? static_cast<int64_t>(Impl->L.rank()) : 1;
}
int64_t Tensor::numel() const { return Impl ? Impl->numel() : 0; }
IntArrayRef Tensor::sizes() const {
  return Impl ? detail::ref(Impl->L.Sizes) : IntArrayRef(UndefinedSizes);
}
IntArrayRef Tensor::strides() const {
  return detail::ref(meta(*this, "strides", nowhere()).L.Strides);
}
int64_t Tensor::size(int64_t dim) const {
  const auto &I = meta(*this, "size", nowhere());
  const size_t D = detail::orThrow(
      layout::wrapDim(detail::Ar, dim, I.L.rank(), false), *this, nowhere(),
      [&] { return detail::call("size", dim); });
  return I.L.Sizes[D];
}
int64_t Tensor::stride(int64_t dim) const {
  const auto &I = meta(*this, "stride", nowhere());
  const size_t D = detail::orThrow(
      layout::wrapDim(detail::Ar, dim, I.L.rank(), false), *this, nowhere(),
      [&] { return detail::call("stride", dim); });
  return I.L.Strides[D];
}
int64_t Tensor::storage_offset() const {
  return meta(*this, "storage_offset", nowhere()).L.Offset;
}
size_t Tensor::element_size() const { return elementSize(scalar_type()); }
size_t Tensor::nbytes() const {
  return static_cast<size_t>(numel()) * element_size();
}
ScalarType Tensor::scalar_type() const {
  return Impl ? Impl->Type : ScalarType::Undefined;
}
TensorOptions Tensor::options() const {
  return TensorOptions(meta(*this, "options", nowhere()).Type)
      .device(kCPU)
      .layout(kStrided);
}
bool Tensor::is_contiguous(MemoryFormat memory_format) const {
  const auto F = memory_format == MemoryFormat::Preserve
                     ? MemoryFormat::Contiguous
                     : memory_format;
  return layout::isContiguous(detail::Ar,
                              meta(*this, "is_contiguous", nowhere()).L,
                              static_cast<layout::MemoryFormat>(F))
      .yes();
}
bool Tensor::is_non_overlapping_and_dense() const {
  return layout::isNonOverlappingAndDense(
             detail::Ar,
             meta(*this, "is_non_overlapping_and_dense", nowhere()).L)
      .yes();
}
MemoryFormat
Tensor::suggest_memory_format(bool channels_last_strides_exact_match) const {
  const auto &L = meta(*this, "suggest_memory_format", nowhere()).L;
  const auto F = *layout::suggestMemoryFormat(detail::Ar, L);
  if (channels_last_strides_exact_match &&
      *layout::formatStrides(detail::Ar, L.Sizes, F) != L.Strides)
    return MemoryFormat::Contiguous;
  return static_cast<MemoryFormat>(F);
}
bool Tensor::is_signed() const {
  return scalar_type() != kByte && scalar_type() != kBool;
}
bool Tensor::is_nonzero() const { return item().toBool(); }
bool Tensor::is_alias_of(const Tensor &other) const {
  return Impl && other.Impl && Impl->Store == other.Impl->Store;
}
bool Tensor::is_set_to(const Tensor &tensor) const {
  return is_alias_of(tensor) && storage_offset() == tensor.storage_offset() &&
         sizes() == tensor.sizes() && strides() == tensor.strides();
}
bool Tensor::is_same_size(const Tensor &other) const {
  return sizes() == other.sizes();
}
Storage Tensor::storage() const {
  return Storage(meta(*this, "storage", nowhere()).Store);
}
size_t Tensor::use_count() const noexcept {
  return Impl ? static_cast<size_t>(Impl->Refs.load()) : 0;
}
int64_t Tensor::_version() const {
  return meta(*this, "_version", nowhere()).Store->Version;
}
std::string Tensor::provenance() const {
  if (!Impl)
    return "nowhere: it is undefined";
  return Impl->Op + detail::place(Impl->Made);
}

//===--- memory ---------------------------------------------------------===//

void *Tensor::data_ptr() const & {
  const auto &I = impl(*this, "data_ptr", nowhere());
  I.Store->Watched.set(detail::Watch::None); // what it writes is not seen
  return I.numel() == 0 ? nullptr : I.data();
}
TemporaryPointer<void> Tensor::data_ptr(Site Here) const && {
  return {static_cast<const Tensor &>(*this).data_ptr(), pinnedStorage(), Here};
}
TemporaryPointer<void> Tensor::mutable_data_ptr(Site Here) const && {
  return {static_cast<const Tensor &>(*this).data_ptr(), pinnedStorage(), Here};
}
TemporaryPointer<const void> Tensor::const_data_ptr(Site Here) const && {
  return {constData(), pinnedStorage(), Here};
}
const detail::StorageImpl *Tensor::pinnedStorage() const {
  return detail::Checks ? impl(*this).Store : nullptr;
}
static void requireScalarType(const Tensor &X, ScalarType Wanted) {
  const ScalarType Type = impl(X, "data_ptr", nowhere()).Type;
  if (Wanted != ScalarType::Undefined && Type != Wanted)
    throw Error(std::string("data_ptr: expected scalar type ") +
                toString(Wanted) + " but found " + toString(Type) +
                "\n  the tensor is from " + X.provenance());
}
void *Tensor::typedData(ScalarType Wanted) const {
  requireScalarType(*this, Wanted);
  return data_ptr();
}
const void *Tensor::constData(ScalarType Wanted) const {
  requireScalarType(*this, Wanted);
  return Impl->numel() == 0 ? nullptr : Impl->data();
}
void Tensor::accessorRank(ScalarType Wanted, size_t Rank, Site Here) const {
  const auto &I = impl(*this, "accessor", Here);
  if (I.L.rank() != Rank)
    detail::fail("accessor: expected " + std::to_string(Rank) +
                     " dimensions but the tensor has " +
                     std::to_string(I.L.rank()),
                 *this, Here);
  if (I.Type != Wanted)
    detail::fail(std::string("accessor: expected scalar type ") +
                     tensortidy::toString(Wanted) + " but found " +
                     tensortidy::toString(I.Type),
                 *this, Here);
}
void Tensor::requireSmall(Site Here) const {
  if (numel() && layout::storageSpan(detail::Ar, Impl->L) > INT32_MAX)
    detail::fail("packed_accessor32: the tensor needs 64-bit indices", *this,
                 Here);
}
Scalar Tensor::item(Site Here) const {
  const auto &I = impl(*this, "item", Here);
  if (I.numel() != 1)
    detail::fail("item: a tensor with " + std::to_string(I.numel()) +
                     " elements is not a number",
                 *this, Here);
  detail::reads(*this, "item", Here);
  return detail::dispatch(I.Type, [&](auto T) {
    using E = typename decltype(T)::type;
    return Scalar(detail::load(*reinterpret_cast<const E *>(I.data())));
  });
}

//===--- the layout in place --------------------------------------------===//

const Tensor &Tensor::resize_(IntArrayRef size,
                              optional<MemoryFormat> memory_format,
                              Site Here) const {
  auto &I = impl(*this, "resize_", Here);
  detail::requireSizes(size, "resize_", Here);
  const bool Same = sizes() == size;
  if (Same && !memory_format &&
      !layout::broken(layout::Fault::ResizeToSameSizes))
    return *this;
  detail::Shape L = I.L;
  L.Sizes = detail::dims(size);
  if (memory_format == MemoryFormat::Preserve)
    detail::fail("resize_: unsupported memory format preserve", Here);
  L.Strides = detail::orThrow(
      layout::formatStrides(
          detail::Ar, L.Sizes,
          static_cast<layout::MemoryFormat>(
              memory_format.value_or(MemoryFormat::Contiguous))),
      *this, Here, [&] { return detail::call("resize_", size); });
  detail::growStorage(*I.Store,
                      static_cast<size_t>(layout::storageSpan(detail::Ar, L)) *
                          elementSize(I.Type),
                      Here);
  I.L = std::move(L);
  I.Op = "resize_";
  I.Made = Here;
  detail::countWrite(*this, "resize_", Here);
  return *this;
}
const Tensor &Tensor::resize_as_(const Tensor &the_template,
                                 optional<MemoryFormat> memory_format,
                                 Site Here) const {
  if (memory_format == MemoryFormat::Preserve)
    memory_format = the_template.suggest_memory_format();
  resize_(the_template.sizes(), nullopt, Here);
  return memory_format ? resize_(the_template.sizes(), memory_format, Here)
                       : *this;
}

Tensor &Tensor::set_(Storage source, int64_t storage_offset, IntArrayRef size,
                     IntArrayRef stride, Site Here) const {
  auto &I = impl(*this, "set_", Here);
  detail::requireSizes(size, "set_", Here);
  // Without strides, those of a tensor of these sizes stay.
  detail::Dims T = stride.size() || size.empty() ? detail::dims(stride)
                   : sizes() == size
                       ? I.L.Strides
                       : layout::denseStrides(detail::Ar, detail::dims(size));
  detail::Shape L = detail::orThrow(
      layout::asStrided(detail::Ar, detail::dims(size), T, storage_offset),
      *this, Here,
      [&] { return detail::call("set_", size, stride, storage_offset); });
  auto *S = const_cast<detail::StorageImpl *>(source.impl());
  if (!S)
    detail::fail("set_: there is no storage", Here);
  detail::growStorage(*S,
                      static_cast<size_t>(layout::storageSpan(detail::Ar, L)) *
                          elementSize(I.Type),
                      Here);
  detail::retain(S);
  detail::release(I.Store);
  I.Store = S;
  I.L = std::move(L);
  I.Op = "set_";
  I.Made = Here;
  return self();
}
Tensor &Tensor::set_(Storage source, Site Here) const {
  const auto N = static_cast<int64_t>(source.nbytes() / element_size());
  return set_(std::move(source), 0, N, {}, Here);
}
Tensor &Tensor::set_(const Tensor &source, Site Here) const {
  return set_(source.storage(), source.storage_offset(), source.sizes(),
              source.strides(), Here);
}
Tensor &Tensor::set_(Site Here) const {
  Storage S(detail::newStorage(0, "set_", Here));
  detail::release(S.impl()); // the handle counts it
  return set_(S, 0, int64_t(0), {}, Here);
}

//===--- gradients ------------------------------------------------------===//

bool Tensor::requires_grad() const { return Impl && Impl->Grad; }
const Tensor &Tensor::set_requires_grad(bool requires_grad) const {
  auto &I = impl(*this, "set_requires_grad", nowhere());
  if (requires_grad && !isFloatingType(I.Type))
    detail::fail("requires_grad_: only floating tensors can require gradients",
                 *this, nowhere());
  I.Grad = requires_grad;
  return *this;
}
Tensor &Tensor::requires_grad_(bool requires_grad) const {
  set_requires_grad(requires_grad);
  return self();
}
Tensor &Tensor::detach_() const { return requires_grad_(false); }
void Tensor::backward(const Tensor & /*gradient*/,
                      optional<bool> /*retain_graph*/,
                      bool /*create_graph*/) const {
  throw Error("backward: this library has no autograd");
}
Tensor Tensor::grad() const { return {}; }

} // namespace tensortidy
