// Tensors as libraries hand them to each other: public fields, no methods.

// RUN: %exits 1 %tensortidy --stats --header-filter=exchange %s -- -std=c++17 2>&1 | FileCheck %s --implicit-check-not=warning:
// CHECK: exchange.h:7:{{[0-9]+}}: warning: element 2 of a list of 2; reads past its end [tensor-shape-mismatch]
// CHECK: functions analysed: 6 of 6

typedef enum { kDLCPU = 1, kDLCUDA = 2 } DLDeviceType;
typedef struct {
  DLDeviceType device_type;
  int device_id;
} DLDevice;
typedef struct {
  unsigned char code, bits;
  unsigned short lanes;
} DLDataType;
typedef struct {
  void *data;
  DLDevice device;
  int ndim;
  DLDataType dtype;
  long *shape, *strides;
  unsigned long byte_offset;
} DLTensor;

#include "Inputs/exchange.h"
