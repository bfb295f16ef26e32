/* SPDX-License-Identifier: MIT */
/* LayerNorm forward by cuDNN's graph API: y = (x - mean(x)) / sqrt(variance(x) + epsilon) * weight
   + bias, by rows, as in inference: mean and variance are not kept. Everything there is a
   descriptor, which gets its attributes and is then finalized:

     tensors ──▶ operation ──▶ graph ──▶ heuristics ──▶ engine configurations ──▶ plan
     addresses ──▶ pack

   Plan and pack are executed.

   The first configuration of which a plan can be made is taken, as cuDNN proposes the fastest
   first. */
#include <string.h>
#include "base/status.h"
#include "tile_bench_cudnn.h"

enum kind {
  KIND_ENGINE_CONFIG = 3,
  KIND_HEURISTICS = 4,
  KIND_PLAN = 5,
  KIND_GRAPH = 15,
  KIND_PACK = 16,
  KIND_TENSOR = 17,
  KIND_NORM_FORWARD = 29
};
enum type {
  TYPE_HANDLE = 0,
  TYPE_DATA_TYPE = 1,
  TYPE_BOOLEAN = 2,
  TYPE_INT64 = 3,
  TYPE_POINTER = 6,
  TYPE_HEURISTICS = 8,
  TYPE_DESCRIPTOR = 15,
  TYPE_NORM_MODE = 27,
  TYPE_NORM_PHASE = 28
};
enum attribute {
  HEURISTICS_MODE = 200,
  HEURISTICS_GRAPH = 201,
  HEURISTICS_RESULTS = 202,
  PLAN_HANDLE = 400,
  PLAN_CONFIG = 401,
  PLAN_WORKSPACE = 402,
  GRAPH_HANDLE = 800,
  GRAPH_OPERATIONS = 801,
  TENSOR_ALIGNMENT = 900,
  TENSOR_TYPE = 901,
  TENSOR_SHAPE = 902,
  TENSOR_STRIDES = 903,
  TENSOR_ID = 906,
  TENSOR_BY_VALUE = 908,
  PACK_IDS = 1000,
  PACK_POINTERS = 1001,
  PACK_WORKSPACE = 1003,
  NORM_MODE = 2000,
  NORM_PHASE = 2001,
  NORM_X = 2002,
  NORM_WEIGHT = 2005,
  NORM_BIAS = 2006,
  NORM_EPSILON = 2007,
  NORM_Y = 2013
};
enum { LAYER_NORM = 0, INFERENCE = 0, MODE_FALLBACK = 2, MODE_A = 3, MAX_CONFIGS = 8, FLOAT = 0 };
enum { ID_X = 1, ID_Y, ID_WEIGHT, ID_BIAS, ID_EPSILON, ID_END };

/* --- Descriptors ------------------------------------------------------------------------------ */

static tile_status make(struct cudnn_state *state, enum kind kind, void **out) {
  if (state->descriptor_count == CUDNN_MOST_DESCRIPTORS)
    return FAIL(TILE_INTERNAL, "more than %d descriptors of cuDNN", CUDNN_MOST_DESCRIPTORS);
  TRY(cudnn_check(state, state->library.graph_create(kind, out), "cudnnBackendCreateDescriptor"));
  state->descriptors[state->descriptor_count++] = *out;
  return NULL;
}

static tile_status set(struct cudnn_state *state, void *descriptor, enum attribute attribute,
                       enum type type, int64_t count, const void *values) {
  return cudnn_check(state, state->library.graph_set(descriptor, attribute, type, count, values),
                     "cudnnBackendSetAttribute");
}

static tile_status finalize(struct cudnn_state *state, void *descriptor) {
  return cudnn_check(state, state->library.graph_finalize(descriptor), "cudnnBackendFinalize");
}

/* Of rows x columns x 1 x 1. What is given by value lies on the host. */
static tile_status make_tensor(struct cudnn_state *state, int64_t id,
                               const struct cudnn_operand *operand, bool by_value, void **out) {
  int64_t shape[4] = {operand->rows, operand->columns, 1, 1},
          strides[4] = {operand->columns, 1, 1, 1};
  int64_t alignment = by_value ? 4 : 16;
  TRY(make(state, KIND_TENSOR, out));
  TRY(set(state, *out, TENSOR_TYPE, TYPE_DATA_TYPE, 1, &operand->type));
  TRY(set(state, *out, TENSOR_SHAPE, TYPE_INT64, 4, shape));
  TRY(set(state, *out, TENSOR_STRIDES, TYPE_INT64, 4, strides));
  TRY(set(state, *out, TENSOR_ID, TYPE_INT64, 1, &id));
  TRY(set(state, *out, TENSOR_ALIGNMENT, TYPE_INT64, 1, &alignment));
  if (by_value)
    TRY(set(state, *out, TENSOR_BY_VALUE, TYPE_BOOLEAN, 1, &by_value));
  return finalize(state, *out);
}

static tile_status make_operation(struct cudnn_state *state, void **out) {
  static const enum attribute attributes[ID_END] = {[ID_X] = NORM_X,
                                                    [ID_Y] = NORM_Y,
                                                    [ID_WEIGHT] = NORM_WEIGHT,
                                                    [ID_BIAS] = NORM_BIAS,
                                                    [ID_EPSILON] = NORM_EPSILON};
  const struct cudnn_operand epsilon = {.type = FLOAT, .rows = 1, .columns = 1};
  const int mode = LAYER_NORM, phase = INFERENCE;
  void *tensors[ID_END];
  for (int id = ID_X; id < ID_END; id++)
    TRY(make_tensor(state, id, id == ID_EPSILON ? &epsilon : &state->operands[id - ID_X],
                    id == ID_EPSILON, &tensors[id]));
  TRY(make(state, KIND_NORM_FORWARD, out));
  TRY(set(state, *out, NORM_MODE, TYPE_NORM_MODE, 1, &mode));
  TRY(set(state, *out, NORM_PHASE, TYPE_NORM_PHASE, 1, &phase));
  for (int id = ID_X; id < ID_END; id++)
    TRY(set(state, *out, attributes[id], TYPE_DESCRIPTOR, 1, &tensors[id]));
  return finalize(state, *out);
}

static tile_status make_graph(struct cudnn_state *state, void *operation, void **out) {
  TRY(make(state, KIND_GRAPH, out));
  TRY(set(state, *out, GRAPH_HANDLE, TYPE_HANDLE, 1, &state->handle));
  TRY(set(state, *out, GRAPH_OPERATIONS, TYPE_DESCRIPTOR, 1, &operation));
  return finalize(state, *out);
}

/* --- Plans ------------------------------------------------------------------------------------ */

/* What cuDNN proposes, best first; it fills in descriptors that are there. */
static tile_status propose(struct cudnn_state *state, void *graph, int mode,
                           void *configs[MAX_CONFIGS], int64_t *count) {
  void *heuristics;
  TRY(make(state, KIND_HEURISTICS, &heuristics));
  TRY(set(state, heuristics, HEURISTICS_GRAPH, TYPE_DESCRIPTOR, 1, &graph));
  TRY(set(state, heuristics, HEURISTICS_MODE, TYPE_HEURISTICS, 1, &mode));
  *count = 0;
  if (state->library.graph_finalize(heuristics)) /* this mode knows nothing of the graph */
    return NULL;
  for (int i = 0; i < MAX_CONFIGS; i++)
    TRY(make(state, KIND_ENGINE_CONFIG, &configs[i]));
  return cudnn_check(state,
                     state->library.graph_get(heuristics, HEURISTICS_RESULTS, TYPE_DESCRIPTOR,
                                              MAX_CONFIGS, count, configs),
                     "cudnnBackendGetAttribute");
}

/* Plans that cannot be made are passed over: a proposal is no promise. */
static tile_status try_plans(struct cudnn_state *state, void *const configs[MAX_CONFIGS],
                             int64_t count) {
  for (int64_t i = 0; i < count && i < MAX_CONFIGS && !state->plan; i++) {
    void *plan;
    TRY(cudnn_check(state, state->library.graph_create(KIND_PLAN, &plan),
                    "cudnnBackendCreateDescriptor"));
    int code = state->library.graph_set(plan, PLAN_HANDLE, TYPE_HANDLE, 1, &state->handle);
    if (!code)
      code = state->library.graph_set(plan, PLAN_CONFIG, TYPE_DESCRIPTOR, 1, &configs[i]);
    if (!code)
      code = state->library.graph_finalize(plan);
    if (code)
      state->library.graph_destroy(plan);
    else
      state->plan = plan;
  }
  return NULL;
}

static tile_status find_plan(struct cudnn_state *state, void *graph) {
  static const int modes[] = {MODE_A, MODE_FALLBACK};
  for (size_t i = 0; i < sizeof modes / sizeof *modes && !state->plan; i++) {
    void *configs[MAX_CONFIGS];
    int64_t count;
    TRY(propose(state, graph, modes[i], configs, &count));
    TRY(try_plans(state, configs, count));
  }
  return state->plan ? NULL
                     : FAIL(TILE_EXTERNAL_TOOL,
                            "cuDNN knows no LayerNorm of these types and sizes on this device");
}

static tile_status make_pack(struct bench *bench, struct cudnn_state *state) {
  int64_t bytes = 0, count = 0, ids[ID_END - ID_X];
  void *pointers[ID_END - ID_X], *workspace = NULL;
  TRY(cudnn_check(
      state, state->library.graph_get(state->plan, PLAN_WORKSPACE, TYPE_INT64, 1, &count, &bytes),
      "cudnnBackendGetAttribute"));
  if (bytes > 0) {
    TRY(tile_buffer_create(bench->device, (size_t)bytes, &state->workspace));
    workspace = (void *)(uintptr_t)tile_buffer_address(state->workspace);
  }
  for (int id = ID_X; id < ID_END; id++) {
    ids[id - ID_X] = id;
    pointers[id - ID_X] =
        id == ID_EPSILON ? (void *)&state->epsilon : state->operands[id - ID_X].address;
  }
  TRY(make(state, KIND_PACK, &state->pack));
  TRY(set(state, state->pack, PACK_IDS, TYPE_INT64, ID_END - ID_X, ids));
  TRY(set(state, state->pack, PACK_POINTERS, TYPE_POINTER, ID_END - ID_X, pointers));
  TRY(set(state, state->pack, PACK_WORKSPACE, TYPE_POINTER, 1, &workspace));
  return finalize(state, state->pack);
}

tile_status cudnn_norm_prepare(struct bench *bench, struct cudnn_state *state) {
  void *operation, *graph;
  TRY(make_operation(state, &operation));
  TRY(make_graph(state, operation, &graph));
  TRY(find_plan(state, graph));
  return make_pack(bench, state);
}

tile_status cudnn_norm_launch(struct cudnn_state *state) {
  return cudnn_check(state, state->library.graph_execute(state->handle, state->plan, state->pack),
                     "cudnnBackendExecute");
}

void cudnn_norm_release(struct cudnn_state *state) {
  if (state->plan)
    state->library.graph_destroy(state->plan);
  while (state->descriptor_count)
    state->library.graph_destroy(state->descriptors[--state->descriptor_count]);
  state->plan = state->pack = NULL;
  tile_buffer_destroy(state->workspace);
  state->workspace = NULL;
}
