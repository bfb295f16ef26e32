/* SPDX-License-Identifier: MIT */
/* A libcudnn for machines without one: softmax and LayerNorm of fp32 rows over host memory, as
   fake_cuda.c has it. It is strict about what tile-bench has to keep: handles are live, descriptors
   have their attributes, of the right types, and are finalized before they are used. Named in
   TILE_LIBCUDNN. FAKE_CUDNN=no-norm: no engine takes a LayerNorm; refused: the first two that are
   proposed make no plan. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
#define API(result, name, ...)                                                                     \
  EXPORT result name(__VA_ARGS__);                                                                 \
  EXPORT result name(__VA_ARGS__)

enum { OK = 0, BAD_PARAM = 2000, NOT_SUPPORTED = 3000, MAGIC = 0x6E6E, MAX_ATTRIBUTES = 8 };

static int library = MAGIC;

API(int, cudnnCreate, void **handle) {
  *handle = &library;
  return OK;
}
API(int, cudnnDestroy, void *handle) {
  return handle == &library ? OK : BAD_PARAM;
}
API(int, cudnnSetStream, void *handle, void *stream) {
  (void)stream;
  return handle == &library ? OK : BAD_PARAM;
}
API(const char *, cudnnGetErrorString, int code) {
  return code == NOT_SUPPORTED ? "CUDNN_STATUS_NOT_SUPPORTED" : "CUDNN_STATUS_BAD_PARAM";
}

static bool asked(const char *what) {
  const char *value = getenv("FAKE_CUDNN");
  return value && strcmp(value, what) == 0;
}

/* --- Softmax ---------------------------------------------------------------------------------- */

struct tensor {
  int magic, n, c;
};

API(int, cudnnCreateTensorDescriptor, struct tensor **out) {
  *out = malloc(sizeof **out);
  **out = (struct tensor){.magic = MAGIC};
  return OK;
}
API(int, cudnnDestroyTensorDescriptor, struct tensor *tensor) {
  free(tensor);
  return OK;
}
API(int, cudnnSetTensor4dDescriptor, struct tensor *tensor, int format, int type, int n, int c,
    int h, int w) {
  if (tensor->magic != MAGIC || format != 0 || h != 1 || w != 1)
    return BAD_PARAM;
  tensor->n = n, tensor->c = c;
  return type == 0 ? OK : NOT_SUPPORTED;
}
API(int, cudnnSoftmaxForward, void *handle, int algorithm, int mode, const float *alpha,
    const struct tensor *x_tensor, const float *x, const float *beta, const struct tensor *y_tensor,
    float *y) {
  if (handle != &library || algorithm != 1 || mode != 0 || *alpha != 1 || *beta != 0 ||
      x_tensor != y_tensor || x_tensor->magic != MAGIC || !x_tensor->c)
    return BAD_PARAM;
  for (int row = 0; row < x_tensor->n; row++, x += x_tensor->c, y += x_tensor->c) {
    float sum = 0;
    for (int i = 0; i < x_tensor->c; i++)
      sum += y[i] = expf(x[i]);
    for (int i = 0; i < x_tensor->c; i++)
      y[i] /= sum;
  }
  return OK;
}

/* --- Graphs ----------------------------------------------------------------------------------- */

enum { CONFIG = 3, HEURISTICS = 4, PLAN = 5, GRAPH = 15, PACK = 16, TENSOR = 17, NORM = 29 };

struct attribute {
  int name, type;
  int64_t count;
  union {
    void *pointers[8];
    int64_t integers[8];
    int number;
    bool flag;
  } value;
};
struct descriptor {
  int magic, kind;
  bool done;
  int proposal; /* of a configuration: its number, from 1 */
  struct descriptor *graph;
  struct attribute attributes[MAX_ATTRIBUTES];
  int count;
};

static const struct attribute *find(const struct descriptor *d, int name) {
  for (int i = 0; i < d->count; i++)
    if (d->attributes[i].name == name)
      return &d->attributes[i];
  return NULL;
}

/* Whether all of these, which end with 0, are there. */
static bool has(const struct descriptor *d, const int *names) {
  for (; *names; names++)
    if (!find(d, *names))
      return false;
  return true;
}

/* The descriptor that an attribute names. */
static struct descriptor *named(const struct descriptor *d, int name) {
  return find(d, name)->value.pointers[0];
}

API(int, cudnnBackendCreateDescriptor, int kind, struct descriptor **out) {
  *out = calloc(1, sizeof **out);
  **out = (struct descriptor){.magic = MAGIC, .kind = kind};
  return OK;
}
API(int, cudnnBackendDestroyDescriptor, struct descriptor *d) {
  if (d->magic != MAGIC)
    return BAD_PARAM;
  free(d);
  return OK;
}

static size_t bytes_of(int type) {
  return type == 2 ? sizeof(bool) : type == 1 || type == 8 || type == 27 || type == 28 ? 4 : 8;
}

/* The type that each attribute has. */
static int type_of(int name) {
  static const int types[][2] = {
      {200, 8},   {201, 15},  {400, 0},   {401, 15},  {800, 0},   {801, 15}, {900, 3},  {901, 1},
      {902, 3},   {903, 3},   {906, 3},   {908, 2},   {1000, 3},  {1001, 6}, {1003, 6}, {2000, 27},
      {2001, 28}, {2002, 15}, {2005, 15}, {2006, 15}, {2007, 15}, {2013, 15}};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (types[i][0] == name)
      return types[i][1];
  return -1;
}

API(int, cudnnBackendSetAttribute, struct descriptor *d, int name, int type, int64_t count,
    const void *values) {
  if (d->magic != MAGIC || d->done || d->count == MAX_ATTRIBUTES || type != type_of(name) ||
      count > 8)
    return BAD_PARAM;
  struct attribute *out = &d->attributes[d->count++];
  *out = (struct attribute){.name = name, .type = type, .count = count};
  memcpy(&out->value, values, (size_t)count * bytes_of(type));
  if (type == 15 && !((struct descriptor *)out->value.pointers[0])->done)
    return BAD_PARAM;
  return type != 0 || out->value.pointers[0] == &library ? OK : BAD_PARAM;
}

/* Needs what its kind has. */
static int check(struct descriptor *d) {
  static const int tensor[] = {900, 901, 902, 903, 906, 0}, graph[] = {800, 801, 0},
                   norm[] = {2000, 2001, 2002, 2005, 2006, 2007, 2013, 0},
                   heuristics[] = {200, 201, 0}, plan[] = {400, 401, 0},
                   pack[] = {1000, 1001, 1003, 0};
  const int *names = d->kind == TENSOR       ? tensor
                     : d->kind == GRAPH      ? graph
                     : d->kind == NORM       ? norm
                     : d->kind == HEURISTICS ? heuristics
                     : d->kind == PLAN       ? plan
                                             : pack;
  if (d->magic != MAGIC || d->done || !has(d, names))
    return BAD_PARAM;
  if (d->kind == NORM && (find(d, 2000)->value.number != 0 || find(d, 2001)->value.number != 0))
    return NOT_SUPPORTED;
  if (d->kind == HEURISTICS && find(d, 200)->value.number == 3 && asked("no-norm"))
    return NOT_SUPPORTED;
  if (d->kind == PLAN && asked("refused") && named(d, 401)->proposal <= 2)
    return NOT_SUPPORTED;
  return OK;
}

API(int, cudnnBackendFinalize, struct descriptor *d) {
  int code = check(d);
  d->done = code == OK;
  return code;
}

API(int, cudnnBackendGetAttribute, struct descriptor *d, int name, int type, int64_t wanted,
    int64_t *count, void *values) {
  if (!d->done || (d->kind == PLAN ? name != 402 || type != 3 : name != 202 || type != 15))
    return BAD_PARAM;
  if (d->kind == PLAN) {
    *count = 1;
    *(int64_t *)values = 64;
    return OK;
  }
  for (*count = 0; *count < wanted && *count < 3 && !asked("no-norm"); ++*count) {
    struct descriptor *config = ((struct descriptor **)values)[*count];
    if (config->kind != CONFIG)
      return BAD_PARAM;
    config->done = true;
    config->proposal = (int)*count + 1;
    config->graph = named(d, 201);
  }
  return OK;
}

/* What the pack has for the tensor. */
static void *address(const struct descriptor *pack, const struct descriptor *tensor) {
  int64_t id = find(tensor, 906)->value.integers[0];
  const struct attribute *ids = find(pack, 1000);
  for (int64_t i = 0; i < ids->count; i++)
    if (ids->value.integers[i] == id)
      return find(pack, 1001)->value.pointers[i];
  return NULL;
}

static void normalise(const float *x, float *y, const float *weight, const float *bias,
                      float epsilon, int64_t n) {
  float mean = 0, variance = 0;
  for (int64_t i = 0; i < n; i++)
    mean += x[i] / (float)n;
  for (int64_t i = 0; i < n; i++)
    variance += (x[i] - mean) * (x[i] - mean) / (float)n;
  for (int64_t i = 0; i < n; i++)
    y[i] = (x[i] - mean) / sqrtf(variance + epsilon) * weight[i] + bias[i];
}

API(int, cudnnBackendExecute, void *handle, struct descriptor *plan, struct descriptor *pack) {
  if (handle != &library || plan->kind != PLAN || !plan->done || pack->kind != PACK ||
      !pack->done || !find(pack, 1003)->value.pointers[0])
    return BAD_PARAM;
  const struct descriptor *norm = named(named(plan, 401)->graph, 801);
  const struct descriptor *x = named(norm, 2002), *epsilon = named(norm, 2007);
  const int64_t *shape = find(x, 902)->value.integers, *strides = find(x, 903)->value.integers;
  if (!find(epsilon, 908) || !find(epsilon, 908)->value.flag || strides[0] != shape[1])
    return BAD_PARAM;
  const float *from = address(pack, x);
  float *to = address(pack, named(norm, 2013));
  for (int64_t row = 0; row < shape[0]; row++)
    normalise(from + row * strides[0], to + row * strides[0], address(pack, named(norm, 2005)),
              address(pack, named(norm, 2006)), *(float *)address(pack, epsilon), shape[1]);
  return OK;
}
