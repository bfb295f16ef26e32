/* SPDX-License-Identifier: MIT */
/* What the files of the provider cuDNN share. Names and numbers are those of cuDNN 9's headers
   (cudnn_ops.h, cudnn_graph.h). */
#ifndef TILE_TOOLS_TILE_BENCH_CUDNN_H
#define TILE_TOOLS_TILE_BENCH_CUDNN_H

#include "tile_bench_run.h"

enum { CUDNN_MOST_DESCRIPTORS = 32 };

/* The functions, in the order of their names. Those that give an int return 0 for success. */
struct cudnn_library {
  void *handle;
  int (*create)(void **handle);
  int (*destroy)(void *handle);
  int (*set_stream)(void *handle, void *stream);
  const char *(*error)(int code);
  int (*tensor_create)(void **tensor);
  int (*tensor_destroy)(void *tensor);
  int (*tensor_set)(void *tensor, int format, int type, int n, int c, int h, int w);
  int (*softmax)(void *handle, int algorithm, int mode, const void *alpha, void *x_tensor,
                 const void *x, const void *beta, void *y_tensor, void *y);
  int (*graph_create)(int kind, void **descriptor);
  int (*graph_destroy)(void *descriptor);
  int (*graph_set)(void *descriptor, int attribute, int type, int64_t count, const void *values);
  int (*graph_get)(void *descriptor, int attribute, int type, int64_t wanted, int64_t *count,
                   void *values);
  int (*graph_finalize)(void *descriptor);
  int (*graph_execute)(void *handle, void *plan, void *pack);
};

/* A tensor as it lies: rows of `columns` elements. */
struct cudnn_operand {
  int type;
  int64_t rows, columns;
  void *address;
};

struct cudnn_state {
  struct cudnn_library library;
  void *handle, *stream; /* the stream that the handle has */
  /* of the size */
  struct cudnn_operand operands[4];
  void *tensor;                              /* softmax */
  void *descriptors[CUDNN_MOST_DESCRIPTORS]; /* LayerNorm: all that were made, */
  size_t descriptor_count;
  void *plan, *pack;      /* and of these what is executed */
  tile_buffer *workspace; /* or NULL */
  float epsilon;
};

/* NULL, or what went wrong in cuDNN's words. */
tile_status cudnn_check(const struct cudnn_state *state, int code, const char *what);

/* tile_bench_cudnn_norm.c: LayerNorm of rows, by the graph API. */
tile_status cudnn_norm_prepare(struct bench *bench, struct cudnn_state *state);
tile_status cudnn_norm_launch(struct cudnn_state *state);
void cudnn_norm_release(struct cudnn_state *state);

#endif
