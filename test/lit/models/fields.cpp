// What public fields of a user's own types are.

// RUN: rm -rf %t && mkdir -p %t
// RUN: printf 'version: 1\ntypes: { tensor: [my::Image, my::Grid] }\nfields:\n  - { op: dim, names: [my::Image::rank] }\n  - { op: size, names: [my::Image::extent], index: dim }\n  - { op: sizes, names: [my::Image::extent] }\n  - { op: data_ptr, names: [my::Image::pixels] }\n  - { op: size, names: [my::Grid::rows], set: ["dim=0"] }\n  - { op: size, names: [my::Grid::cols], set: ["dim=1"] }\noperations:\n  - { op: sized, names: [my::image], params: [rows, cols], set: ["sizes=%%srows cols%%s", "strides=%%sdense%%s"] }\n  - { op: sized, names: [my::grid], params: [n], set: ["sizes=%%sn 4%%s", "strides=%%sdense%%s"] }\n' "'" "'" "'" "'" "'" "'" "'" "'" > %t/model.yaml
// RUN: %exits 1 %tensortidy --quiet --model=%t/model.yaml %s -- -std=c++17 | FileCheck %s --implicit-check-not=warning:

namespace my {
struct Image {
  int rank;
  long extent[3], pitch[3];
  float *pixels;
  const char *label;
};
struct Grid {
  int rows, cols;
};
Image image(long rows, long cols);
Grid grid(int n);
void use(long);
} // namespace my

long pastTheLast(long rows, long cols) {
  my::Image made = my::image(rows, cols);
  // CHECK: fields.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: element 2 of a list of 2; reads past its end [tensor-shape-mismatch]
  return made.extent[2];
}

long behindPointers(my::Image *given) {
  *given = my::image(3, 4);
  if (given->rank != 2)
    return given->extent[7]; // never runs
  // CHECK: fields.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: element 3 of a list of 2; reads past its end [tensor-shape-mismatch]
  return given->extent[3];
}

// Names of fields are names of sizes: the grid has four columns.
void columns(int n) {
  my::Grid made = my::grid(n);
  if (made.cols != 4)
    my::use(my::image(2, made.rows).extent[7]); // never runs
  // CHECK: fields.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: element 5 of a list of 2
  my::use(my::image(made.cols, made.rows).extent[5]);
}

// Who writes to a field knows a layout that is not known here.
long changed(long rows, long cols) {
  my::Image made = my::image(rows, cols);
  made.rank = 3;
  made.extent[2] = 1;
  return made.extent[2];
}

// An address, a field without a meaning.
long others(long rows, long cols, float *from) {
  my::Image made = my::image(rows, cols);
  made.label = "x";
  made.pixels = from;
  // CHECK: fields.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: element 2 of a list of 2
  return made.pitch[2] + made.extent[2];
}
