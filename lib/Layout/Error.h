//===- Error.h - one text for each rule -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime's exception and the analyzer's warning say the same thing:
//
//   view([B, T, C]) cannot merge dimensions 2 and 3: sizes [B, T, H, D],
//   strides [T*H*D, D, T*D, 1]
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_LAYOUT_ERROR_H
#define TENSORTIDY_LAYOUT_ERROR_H

#include "Layout/Layout.h"

namespace tensortidy::layout {

/// "ViewStrides"
inline const char *name(Rule R) {
  switch (R) {
#define NAME(X)                                                                \
  case Rule::X:                                                                \
    return #X;
    // clang-format off
    NAME(DimOutOfRange)
    NAME(ZeroDim)
    NAME(ViewStrides)
    NAME(ViewCount)
    NAME(ViewTwoInferred)
    NAME(ViewNegative)
    NAME(ViewAmbiguous)
    NAME(PermuteLength)
    NAME(PermuteRepeat)
    NAME(ExpandRank)
    NAME(ExpandSize)
    NAME(ExpandNegative)
    NAME(NarrowRange)
    NAME(NarrowStart)
    NAME(SelectRange)
    NAME(SliceStep)
    NAME(UnfoldSize)
    NAME(UnfoldStep)
    NAME(DiagonalSame)
    NAME(MoveDimRepeat)
    NAME(MoveDimLength)
    NAME(TRank)
    NAME(MTRank)
    NAME(FlattenOrder)
    NAME(UnflattenCount)
    NAME(SplitSize)
    NAME(SplitSum)
    NAME(ChunkCount)
    NAME(StridedLength)
    NAME(StridedNegative)
    NAME(StridedStorage)
    NAME(FormatRank)
    NAME(BroadcastSize)
    NAME(MatMulSizes)
    NAME(MatMulRank)
    NAME(CatRank)
    NAME(CatSize)
    NAME(CatEmpty)
    NAME(StackSize)
    NAME(RankWanted)
    NAME(RankAtMost)
    NAME(RankAtLeast)
    NAME(SizeWanted)
    NAME(SizeAtMost)
    NAME(SizeAtLeast)
    NAME(SizeMultiple)
    NAME(StrideWanted)
    NAME(StrideMultiple)
    NAME(WindowFits)
    NAME(WindowPadding)
    NAME(DTypeWanted)
    NAME(InPlaceRank)
    NAME(InPlaceSize)
    NAME(ConvChannels)
    NAME(ManyElements)
    NAME(InternalOverlap)
    NAME(PartialOverlap)
    // clang-format on
#undef NAME
  }
  return "";
}

/// "[2, 3, 4]"
template <class A>
std::string listText(const A &Ar, const Dims<typename A::Int> &L,
                     const char *Open = "[", const char *Close = "]") {
  std::string R = Open;
  for (size_t I = 0; I < L.size(); ++I)
    R += (I ? ", " : "") + Ar.str(L[I]);
  return R + Close;
}

/// "2x3", or "[n, 3]" where that would be hard to read.
inline std::string matrixText(const std::string &Rows,
                              const std::string &Cols) {
  const std::string Both = Rows + Cols;
  const bool Plain = Both.find_first_not_of("0123456789") == std::string::npos;
  return Plain ? Rows + "x" + Cols : "[" + Rows + ", " + Cols + "]";
}

/// What a view cannot do, without the layouts: "cannot merge dimensions 2 and
/// 3", where \p Of is " of 'x'" or empty.
template <class Int>
std::string viewObstacle(const LayoutError<Int> &E, const std::string &Of) {
  if (E.AtDims.size() == 2)
    return "cannot merge dimensions " + std::to_string(E.AtDims[0]) + " and " +
           std::to_string(E.AtDims[1]) + Of;
  return "cannot split dimension " +
         std::to_string(E.AtDims.empty() ? 0 : E.AtDims[0]) + Of + " this way";
}

/// What messages call an assignment, which has no name.
inline constexpr const char *Assignment = "the assignment";

/// The text of a refusal. \p What is the operation as the user wrote it
/// ("view({B, T, C})"), \p Name the tensor's name, or empty: then \p Role, if
/// given, says which operand it is ("bias").
template <class A>
std::string render(const A &Ar, const LayoutError<typename A::Int> &E,
                   const std::string &What, const std::string &Name = "",
                   const std::string &Role = "") {
  auto V = [&](size_t I) {
    return I < E.Values.size() ? Ar.str(E.Values[I]) : std::string("?");
  };
  const std::string The = !Name.empty()   ? "'" + Name + "'"
                          : !Role.empty() ? "its " + Role
                                          : "the tensor";
  const std::string Of = Name.empty() && Role.empty() ? "" : " of " + The;
  auto Elements = [&](size_t I) {
    return V(I) == "1" ? std::string("one element") : V(I) + " elements";
  };
  auto Dimensions = [&](size_t I) {
    return V(I) + (V(I) == "1" ? " dimension" : " dimensions");
  };
  switch (E.R) {
  case Rule::DimOutOfRange:
    return What + ": dimension " + V(0) + Of + " is out of range [" + V(1) +
           ", " + V(2) + "]";
  case Rule::ZeroDim:
    return What + " cannot be applied to a 0-dim tensor";
  case Rule::ViewStrides:
    return What + " " + viewObstacle(E, Of) + ": sizes " +
           listText(Ar, E.Sizes) + ", strides " + listText(Ar, E.Strides);
  case Rule::ViewCount:
    return What + ": shape " + listText(Ar, E.NewSizes) + " does not fit the " +
           V(0) + " elements" + Of;
  case Rule::ViewTwoInferred:
    return What + ": only one dimension can be inferred";
  case Rule::ViewNegative:
    return What + ": invalid size " + V(0);
  case Rule::ViewAmbiguous:
    return What + ": -1 beside a size of 0 can be any value";
  case Rule::PermuteLength:
    return What + " names " + V(1) + " dimensions, but " + The + " has " + V(0);
  case Rule::PermuteRepeat:
    return What + ": dimension " + V(0) + " is named twice";
  case Rule::ExpandRank:
    return What + " names " + V(0) + " sizes, but " + The + " has " + V(1) +
           " dimensions";
  case Rule::ExpandSize:
    return What + ": size " + V(1) + " of dimension " + V(2) + Of +
           " is neither 1 nor " + V(0);
  case Rule::ExpandNegative:
    return What + ": size " + V(0) + " is not allowed at dimension " + V(1);
  case Rule::NarrowRange:
    return What + ": start " + V(0) + " + length " + V(1) +
           " exceeds the size " + V(2);
  case Rule::NarrowStart:
    return What + ": start " + V(0) + " is out of range for size " + V(1);
  case Rule::SelectRange:
    return What + ": index " + V(0) + " is out of range for size " + V(1) +
           " of dimension " + V(2);
  case Rule::SliceStep:
    return What + ": step " + V(0) + " is not positive";
  case Rule::UnfoldSize:
    return What + ": dimension " + V(0) + " has size " + V(1) +
           ", the window " + V(2);
  case Rule::UnfoldStep:
    return What + ": step " + V(0) + " is not positive";
  case Rule::DiagonalSame:
    return What + ": both dimensions are " + V(0);
  case Rule::MoveDimRepeat:
    return What + ": dimension " + V(0) + " is named twice";
  case Rule::MoveDimLength:
    return What + ": " + V(0) + " sources, " + V(1) + " destinations";
  case Rule::TRank:
    return What + " expects at most 2 dimensions, " + The + " has " + V(0);
  case Rule::MTRank:
    return What + " expects a matrix or a batch of them, the tensor has " +
           V(0) + " dimension";
  case Rule::FlattenOrder:
    return What + ": start dimension " + V(0) + " comes after end dimension " +
           V(1);
  case Rule::UnflattenCount:
    return What + ": sizes with product " + V(0) + " do not fill size " + V(1) +
           " of dimension " + V(2);
  case Rule::SplitSize:
    return What + ": invalid split size " + V(0);
  case Rule::SplitSum:
    return What + ": sizes sum to " + V(0) + ", the dimension has " + V(1);
  case Rule::ChunkCount:
    return What + ": number of chunks " + V(0) + " is not positive";
  case Rule::StridedLength:
    return What + ": " + V(0) + " sizes, " + V(1) + " strides";
  case Rule::StridedNegative:
    return What + ": negative stride " + V(0);
  case Rule::StridedStorage:
    return What + " needs " + V(0) + " elements of storage, there are " + V(1);
  case Rule::FormatRank:
    return What + ": the format needs " + V(0) +
           " dimensions, the tensor has " + V(1);
  case Rule::BroadcastSize:
    return What + ": sizes " + V(0) + " and " + V(1) +
           " do not match at dimension " + V(2);
  case Rule::MatMulSizes:
    return What + ": shapes " + matrixText(V(0), V(1)) + " and " +
           matrixText(V(2), V(3)) + " cannot be multiplied";
  case Rule::MatMulRank:
    return What + ": operands of " + V(0) + " and " + V(1) +
           " dimensions cannot be multiplied";
  case Rule::CatRank:
    return What + ": tensor " + V(2) + " has " + V(1) +
           " dimensions, expected " + V(0);
  case Rule::CatSize:
    return What + ": tensor " + V(3) + " has size " + V(1) + ", expected " +
           V(0) + " (except in dimension " + V(2) + ")";
  case Rule::StackSize:
    return What + ": tensor " + V(3) + " has size " + V(1) + " in dimension " +
           V(2) + ", the first has " + V(0);
  case Rule::CatEmpty:
    return What + " expects at least one tensor";
  case Rule::RankWanted:
    return What + " expects " + Dimensions(0) + ", " + The + " has " + V(1);
  case Rule::RankAtMost:
    return What + " expects at most " + Dimensions(0) + ", " + The + " has " +
           V(1);
  case Rule::RankAtLeast:
    return What + " expects at least " + Dimensions(0) + ", " + The + " has " +
           V(1);
  case Rule::SizeWanted:
    if (E.Values.size() == 2)
      return What + " expects " + Elements(1) + ", " + The + " has " + V(0);
    return What + ": size " + V(0) + " of dimension " + V(2) + Of +
           " should be " + V(1);
  case Rule::SizeAtMost:
    return What + ": size " + V(0) + " of dimension " + V(2) + Of +
           " should be at most " + V(1);
  case Rule::SizeAtLeast:
    if (E.Values.size() == 2)
      return What + " expects at least " + Elements(1) + ", " + The + " has " +
             V(0);
    return What + ": " + V(1) + " is more than the size " + V(0) +
           " of dimension " + V(2) + Of;
  case Rule::SizeMultiple:
    return What + ": size " + V(0) + " of dimension " + V(2) + Of +
           " is no multiple of " + V(1);
  case Rule::StrideWanted:
    return What + ": stride " + V(0) + " of dimension " + V(2) + Of +
           " should be " + V(1);
  case Rule::StrideMultiple:
    return What + ": " +
           (E.Values.size() == 2 ? "storage offset " + V(0)
                                 : "stride " + V(0) + " of dimension " + V(2)) +
           Of + " is no multiple of " + V(1);
  case Rule::WindowFits:
    return What + ": the window reaches over " + V(1) +
           " elements, dimension " + V(2) + Of + " has " + V(0) +
           " with its padding";
  case Rule::WindowPadding:
    return What + ": padding " + V(0) + " is more than half of the window " +
           V(1);
  case Rule::DTypeWanted:
    return What + " asks for elements of another type than " + The + " has";
  case Rule::InPlaceRank:
    return What + " would give " + V(0) + " dimensions, " + The + " has " +
           V(1);
  case Rule::InPlaceSize:
    return What + ": size " + V(0) + " does not fit into the size " + V(1) +
           " of dimension " + V(2) + Of;
  case Rule::ConvChannels:
    return What + ": the weight wants " + V(1) + " channels in " + V(2) +
           (V(2) == "1" ? " group" : " groups") + ", the input" + Of + " has " +
           V(0);
  case Rule::ManyElements:
    return What + " expects one element, " + The + " has " + V(0);
  case Rule::InternalOverlap:
    return What + Of + " writes an element more than once: strides " +
           listText(Ar, E.Strides);
  case Rule::PartialOverlap:
    return What + ": an operand partly shares the memory" + Of +
           " that is written";
  }
  return What;
}

} // namespace tensortidy::layout

#endif
