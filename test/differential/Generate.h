//===- Generate.h - random parameters ---------------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One function for each kind of parameter list in operations/. It fills in
// the step's parameters so that they mostly fit its first operand, and chooses
// the other operands.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TEST_DIFFERENTIAL_GENERATE_H
#define TENSORTIDY_TEST_DIFFERENTIAL_GENERATE_H

#include "Program.h"

namespace differential {

/// What an entry of index({...}) is; four numbers of L[0] encode it.
enum class IndexKind : int64_t { Integer, Range, All, Dots, None, Tensor };

void genNothing(Gen &G, Step &S);
void genExponent(Gen &G, Step &S);
void genConv1d(Gen &G, Step &S);
void genConv2d(Gen &G, Step &S);
void genConv2dFull(Gen &G, Step &S);
void genPool(Gen &G, Step &S);
void genPool3d(Gen &G, Step &S);
void genPlaces3d(Gen &G, Step &S);
void genAdaptive(Gen &G, Step &S);
void genAdaptive3d(Gen &G, Step &S);
void genPad(Gen &G, Step &S);
void genWithChannels(Gen &G, Step &S);
void genChannels(Gen &G, Step &S);
void genNumberTensor(Gen &G, Step &S);
void genNumberTensorOther(Gen &G, Step &S);
void genSomeDimsOfOther(Gen &G, Step &S);
void genDimTensorOfOther(Gen &G, Step &S);
void genProductOut(Gen &G, Step &S);
void genUnaryOut(Gen &G, Step &S);
void genDenseOut(Gen &G, Step &S);
void genBinaryOut(Gen &G, Step &S);
void genJoinOut(Gen &G, Step &S);
void genStorage(Gen &G, Step &S);
void genWholeStorage(Gen &G, Step &S);
void genLogSoftmax(Gen &G, Step &S);
void genProdType(Gen &G, Step &S);
void genPutNumber(Gen &G, Step &S);
void genEach(Gen &G, Step &S);
void genVectors(Gen &G, Step &S);
void genSomeDimsType(Gen &G, Step &S);
void genDimType(Gen &G, Step &S);
void genKron(Gen &G, Step &S);
void genMedian(Gen &G, Step &S);
void genTopk(Gen &G, Step &S);
void genOneDim(Gen &G, Step &S);
void genViewType(Gen &G, Step &S);
void genSameType(Gen &G, Step &S);
void genDimPut(Gen &G, Step &S);
void genScatter(Gen &G, Step &S);
void genPut(Gen &G, Step &S);
void genSquare(Gen &G, Step &S);
void genSquares(Gen &G, Step &S);
void genBatches(Gen &G, Step &S);
void genMatrices(Gen &G, Step &S);
void genMask(Gen &G, Step &S);
void genTake(Gen &G, Step &S);
void genNumbers(Gen &G, Step &S);
void genMake(Gen &G, Step &S);
void genSizes(Gen &G, Step &S);
void genStrided(Gen &G, Step &S);
void genDims(Gen &G, Step &S);
void genDim(Gen &G, Step &S);
void genPermutation(Gen &G, Step &S);
void genView(Gen &G, Step &S);
void genType(Gen &G, Step &S);
void genMoveDims(Gen &G, Step &S);
void genSelect(Gen &G, Step &S);
void genNarrow(Gen &G, Step &S);
void genSlice(Gen &G, Step &S);
void genExpand(Gen &G, Step &S);
void genUnsqueeze(Gen &G, Step &S);
void genUnfold(Gen &G, Step &S);
void genUnflatten(Gen &G, Step &S);
void genDiagonal(Gen &G, Step &S);
void genAsStrided(Gen &G, Step &S);
void genSplit(Gen &G, Step &S);
void genSplitSizes(Gen &G, Step &S);
void genIndices(Gen &G, Step &S);
void genFlatten(Gen &G, Step &S);
void genFormat(Gen &G, Step &S);
void genRepeat(Gen &G, Step &S);
void genSomeDims(Gen &G, Step &S);
void genRoll(Gen &G, Step &S);
void genDiagonalOnly(Gen &G, Step &S);
void genNumber(Gen &G, Step &S);
void genDimOfMost(Gen &G, Step &S);
void genTriangle(Gen &G, Step &S);
void genDimTensor(Gen &G, Step &S);
void genGather(Gen &G, Step &S);
void genBasicIndex(Gen &G, Step &S);
void genTensorIndex(Gen &G, Step &S);
void genBinary(Gen &G, Step &S);
void genTernary(Gen &G, Step &S);
void genJoin(Gen &G, Step &S);
void genStack(Gen &G, Step &S);
void genProduct(Gen &G, Step &S);
void genSame(Gen &G, Step &S);
void genResize(Gen &G, Step &S);
void genResizeFormat(Gen &G, Step &S);
void genLastSizes(Gen &G, Step &S);
void genSlopes(Gen &G, Step &S);
void genLoss(Gen &G, Step &S);
void genProbabilities(Gen &G, Step &S);
void genLossWeighted(Gen &G, Step &S);
void genSameDim(Gen &G, Step &S);
void genRows(Gen &G, Step &S);
void genClasses(Gen &G, Step &S);
void genOneHot(Gen &G, Step &S);
void genSearch(Gen &G, Step &S);
void genScatterReduce(Gen &G, Step &S);
void genMaskedScatter(Gen &G, Step &S);
void genNotEmpty(Gen &G, Step &S);
void genNoNaN(Gen &G, Step &S);
void genCounts(Gen &G, Step &S);
void genSmallSecond(Gen &G, Step &S);
void genSmall(Gen &G, Step &S);
void genSmallTwo(Gen &G, Step &S);
void genMatrixVector(Gen &G, Step &S);
void genSameLast(Gen &G, Step &S);
void genCross(Gen &G, Step &S);
void genWindows(Gen &G, Step &S);
void genRow(Gen &G, Step &S);
void genScaled(Gen &G, Step &S);
void genScaled3d(Gen &G, Step &S);
void genBorder(Gen &G, Step &S);
void genCircular(Gen &G, Step &S);
void genFactor(Gen &G, Step &S);
void genGroups(Gen &G, Step &S);
void genConv3d(Gen &G, Step &S);
void genConvBack1d(Gen &G, Step &S);
void genConvBack2d(Gen &G, Step &S);
void genConvBack3d(Gen &G, Step &S);
void genSampler(Gen &G, Step &S);

} // namespace differential

#endif
