//===- programs.h - what the programs share ---------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TEST_PROGRAMS_H
#define TENSORTIDY_TEST_PROGRAMS_H

#ifdef PROGRAMS_LIBTORCH
#include <torch/torch.h>
#else
#include <tensortidy/torch.h>
#endif
#include <cmath>
#include <cstdio>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

/// Type, sizes, strides and the first elements, rounded.
void show(const std::string &name, const torch::Tensor &t);

void kalmanFilter();
void leastSquares();
void principalComponents();
void particleFilter();
void convolutions();
void printing();
void wrongCalls();
void borrowed();
void sampling();
void reused();
void recurrent();
void grids();
void ownModule();
void layers();
void transformerBlock();
void layersOverTime();
void savedModules();
void factors();
void lists();
void translator();
void sentences();
void heard();
void volumes();
void spellings();

#endif
