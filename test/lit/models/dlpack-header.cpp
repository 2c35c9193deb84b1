// The same, with DLPack's own header.

// REQUIRES: dlpack
// RUN: %exits 1 %tensortidy --stats --header-filter=exchange %s -- -std=c++17 2>&1 | FileCheck %s --implicit-check-not=warning:
// CHECK: exchange.h:7:{{[0-9]+}}: warning: element 2 of a list of 2; reads past its end [tensor-shape-mismatch]
// CHECK: functions analysed: 6 of 6

#include <dlpack/dlpack.h>
#include "Inputs/exchange.h"
