// Fields of an object that the caller handed over, by reference, by pointer or by value.

// RUN: %exits 1 %tensortidy %s -- %aten 2>&1 | FileCheck %s --implicit-check-not=warning:

#include <ATen/ATen.h>

struct Tables {
  at::Tensor blocks;
};

struct Batch {
  at::Tensor tokens, positions, lengths;
  Tables tables;
  bool ready = false;
};

struct Result {
  at::Tensor logits;
};

static at::Tensor ownCopy(const at::Tensor &x) { return x.defined() ? x.clone() : x; }

// What a step leaves to the next one.
void stabilize(Batch &batch) {
  batch.tokens = ownCopy(batch.tokens);
  batch.positions = batch.positions.contiguous();
  batch.tables.blocks = batch.tables.blocks.clone();
  batch.ready = true;
}

void advance(Batch *batch, int64_t step) {
  batch->positions = batch->positions + step;
  batch->tables.blocks = batch->tables.blocks.narrow(0, step, 1);
}

void fill(Result &out, const Batch &batch, const at::Tensor &hidden) {
  out.logits = hidden.index_select(0, batch.lengths.reshape({-1}));
}

void fill(Result &&out, const at::Tensor &hidden) { out.logits = hidden.softmax(-1); }

// A copy of the object: its handles are this function's.
void forget(Batch batch, int64_t step) {
  // CHECK: [[@LINE+1]]:3: warning: this assignment is lost: {{.*}} nothing reads 'batch.positions' again [tensor-lost-write]
  batch.positions = batch.positions + step;
}
