// RUN: %silent %s --checks=-*,tensor-uninitialized-read -- -std=c++17 -I%S/Inputs
// Schedulers that compute what they are given, or may.

#include "ggml-backend.h"

using Ctx = ggml_context *;
using Graph = ggml_cgraph *;
using Sched = ggml_backend_sched_t;
using T = ggml_tensor *;

void other(Sched sched);
Graph build(Ctx ctx);

void reset(Sched sched, Graph train, Graph eval) {
  ggml_backend_sched_reset(sched);
  ggml_backend_sched_alloc_graph(sched, train);
  ggml_backend_sched_graph_compute(sched, train);
  ggml_backend_sched_graph_compute(sched, train);
  ggml_backend_sched_reset(sched);
  ggml_backend_sched_alloc_graph(sched, eval);
  ggml_backend_sched_graph_compute(sched, eval);
}
void each(Sched sched, Ctx ctx, T x, T w, int n) {
  for (int i = 0; i < n; ++i) {
    Graph gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, ggml_mul_mat(ctx, w, x));
    ggml_backend_sched_reset(sched);
    ggml_backend_sched_graph_compute(sched, gf);
  }
  Graph once = ggml_new_graph(ctx);
  for (int i = 0; i < n; ++i) {
    ggml_backend_sched_reset(sched);
    ggml_backend_sched_alloc_graph(sched, once);
    ggml_backend_sched_graph_compute(sched, once);
  }
}
// One is held on each path, and computed on that.
void chosen(Sched sched, Graph train, Graph eval, bool trains) {
  if (trains)
    ggml_backend_sched_alloc_graph(sched, train);
  else
    ggml_backend_sched_alloc_graph(sched, eval);
  Graph any = trains ? train : eval;
  ggml_backend_sched_graph_compute(sched, any);
  if (trains)
    ggml_backend_sched_graph_compute(sched, train);
  else
    ggml_backend_sched_graph_compute(sched, eval);
}
// Two schedulers; code that is not seen; graphs that may be one.
void two(Sched a, Sched b, Graph train, Graph eval) {
  ggml_backend_sched_alloc_graph(a, train);
  ggml_backend_sched_graph_compute(b, eval);
  ggml_backend_sched_graph_compute(a, train);
}
void unseen(Sched sched, Graph train, Graph eval) {
  ggml_backend_sched_alloc_graph(sched, train);
  ggml_backend_sched_graph_compute(sched, train);
  other(sched);
  ggml_backend_sched_graph_compute(sched, eval);
}
void fallback(Sched sched, Graph large, Graph small) {
  ggml_backend_sched_reset(sched);
  if (!ggml_backend_sched_alloc_graph(sched, large)) {
    ggml_backend_sched_graph_compute(sched, small);
    return;
  }
  ggml_backend_sched_graph_compute(sched, large);
}
Graph current(Ctx ctx);
void asked(Sched sched, Ctx ctx) {
  Graph gf = build(ctx);
  ggml_backend_sched_alloc_graph(sched, gf);
  ggml_backend_sched_graph_compute(sched, current(ctx));
}
void built(Sched sched, Ctx ctx) {
  Graph first = build(ctx);
  ggml_backend_sched_alloc_graph(sched, first);
  Graph again = first;
  ggml_backend_sched_graph_compute(sched, again);
}
struct Runner {
  Sched sched;
  Graph graph, last = nullptr;
  void run(Graph gf) {
    if (gf != last) {
      ggml_backend_sched_reset(sched);
      ggml_backend_sched_alloc_graph(sched, gf);
      last = gf;
    }
    ggml_backend_sched_graph_compute(sched, gf);
  }
  void own(Graph gf) {
    ggml_backend_sched_alloc_graph(sched, gf);
    ggml_backend_sched_graph_compute(sched, graph); // perhaps the same
  }
};
