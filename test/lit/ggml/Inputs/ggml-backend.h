// The part of ggml's interface to backends and allocators that the tests here use, under its own names.

#ifndef GGML_BACKEND_H
#define GGML_BACKEND_H

#include "ggml.h"

#ifdef __cplusplus
extern "C" {
#endif

enum ggml_status { GGML_STATUS_FAILED = -1, GGML_STATUS_SUCCESS = 0 };
typedef struct ggml_gallocr *ggml_gallocr_t;
typedef struct ggml_backend *ggml_backend_t;
typedef struct ggml_backend_sched *ggml_backend_sched_t;
typedef struct ggml_backend_event *ggml_backend_event_t;
typedef struct ggml_backend_buffer *ggml_backend_buffer_t;
struct ggml_init_params {
  size_t mem_size;
  void *mem_buffer;
  bool no_alloc;
};

struct ggml_context *ggml_init(struct ggml_init_params params);
void ggml_free(struct ggml_context *ctx);
size_t ggml_tensor_overhead(void);
struct ggml_cgraph *ggml_new_graph(struct ggml_context *ctx);
struct ggml_tensor *ggml_dup_tensor(struct ggml_context *ctx, const struct ggml_tensor *src);
void ggml_set_input(struct ggml_tensor *tensor);
float ggml_get_f32_1d(const struct ggml_tensor *tensor, int i);
struct ggml_tensor *ggml_set_f32(struct ggml_tensor *tensor, float value);
enum ggml_status ggml_graph_compute_with_ctx(struct ggml_context *ctx, struct ggml_cgraph *cgraph, int n_threads);

ggml_gallocr_t ggml_gallocr_new(void *buft);
void ggml_gallocr_free(ggml_gallocr_t galloc);
bool ggml_gallocr_reserve(ggml_gallocr_t galloc, struct ggml_cgraph *graph);
bool ggml_gallocr_alloc_graph(ggml_gallocr_t galloc, struct ggml_cgraph *graph);
ggml_backend_buffer_t ggml_backend_alloc_ctx_tensors(struct ggml_context *ctx, ggml_backend_t backend);
bool ggml_backend_sched_alloc_graph(ggml_backend_sched_t sched, struct ggml_cgraph *graph);
enum ggml_status ggml_backend_sched_graph_compute(ggml_backend_sched_t sched, struct ggml_cgraph *graph);
enum ggml_status ggml_backend_sched_graph_compute_async(ggml_backend_sched_t sched, struct ggml_cgraph *graph);
void ggml_backend_sched_reset(ggml_backend_sched_t sched);
void ggml_backend_sched_synchronize(ggml_backend_sched_t sched);
ggml_backend_t ggml_backend_cpu_init(void);
void ggml_backend_free(ggml_backend_t backend);
enum ggml_status ggml_backend_graph_compute(ggml_backend_t backend, struct ggml_cgraph *cgraph);
enum ggml_status ggml_backend_graph_compute_async(ggml_backend_t backend, struct ggml_cgraph *cgraph);
void ggml_backend_synchronize(ggml_backend_t backend);
void ggml_backend_event_record(ggml_backend_event_t event, ggml_backend_t backend);
void ggml_backend_event_synchronize(ggml_backend_event_t event);
void ggml_backend_tensor_set_async(ggml_backend_t backend, struct ggml_tensor *tensor, const void *data, size_t offset, size_t size);
void ggml_backend_tensor_get_async(ggml_backend_t backend, const struct ggml_tensor *tensor, void *data, size_t offset, size_t size);
void ggml_backend_tensor_copy(const struct ggml_tensor *src, struct ggml_tensor *dst);

#ifdef __cplusplus
}
#endif
#endif
