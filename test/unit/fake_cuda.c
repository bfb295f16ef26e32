/* SPDX-License-Identifier: MIT */
/* A libcuda for machines without one: the driver API's functions that our CUDA driver uses, over
   host memory. It runs no kernels. What it is strict about is the protocol: a context must be
   current, handles must be live, and an error that is sticky on a GPU is sticky here. Named to the
   runtime in TILE_LIBCUDA. The environment plays the machine:

     FAKE_CUDA_INIT=999          what cuInit returns
     FAKE_CUDA_DEVICES=2         how many devices (1)
     FAKE_CUDA_DRIVER=11040      the version of the driver (12080)
     FAKE_CUDA_CAPABILITY=80     compute capability (90)
     FAKE_CUDA_NO_FILL=1         fills do nothing
     FAKE_CUDA_MS=0.05           what every two events are apart (what a clock says)
     FAKE_CUDA_LOG=FILE          where the text of modules and the launches are written to

   A launch of a kernel called "breaks" is an illegal address. Compiled with FAKE_CUDA_OLD, the
   library lacks cuLaunchKernel, with FAKE_CUDA_11 cuLaunchKernelEx. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define EXPORT __attribute__((visibility("default")))
#define API(name, ...)                                                                             \
  EXPORT int name(__VA_ARGS__);                                                                    \
  EXPORT int name(__VA_ARGS__)

enum {
  OK = 0,
  INVALID_VALUE = 1,
  OUT_OF_MEMORY = 2,
  INVALID_DEVICE = 101,
  INVALID_CONTEXT = 201,
  NO_BINARY = 209,
  INVALID_PTX = 218,
  INVALID_HANDLE = 400,
  NOT_FOUND = 500,
  NOT_READY = 600,
  ILLEGAL_ADDRESS = 700,
  COOPERATIVE_TOO_LARGE = 720,
  INVALID_CLUSTER_SIZE = 912,
  HOST_MEMORY_REGISTERED = 712,
  HOST_MEMORY_NOT_REGISTERED = 713,
  MAX_DEVICES = 4,
  MAX_DEPTH = 16
};

struct context {
  size_t used;
  int retained; /* users; of a context that cuCtxCreate made, 1 until it is destroyed */
  int device;
};
/* Memory that the driver knows. */
struct range {
  char *base;
  size_t bytes;
  int type; /* 1: of the host, pinned; 2: of a device */
  struct range *next;
};
struct function {
  char name[64];
  struct function *next;
};
struct module {
  char *text;
  struct function *functions;
};
struct graph;
struct event {
  struct timespec time;
  bool recorded;
  struct graph *graph; /* when it was recorded in a capture */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards what follows */
static struct context contexts[MAX_DEVICES];
static struct range *ranges;
static int broken; /* the sticky error */

static _Thread_local struct context *stack[MAX_DEPTH];
static _Thread_local int depth;

static int setting(const char *name, int fallback) {
  const char *text = getenv(name);
  return text ? atoi(text) : fallback;
}

static void add_range(void *base, size_t bytes, int type) {
  struct range *range = malloc(sizeof *range);
  pthread_mutex_lock(&lock);
  *range = (struct range){base, bytes, type, ranges};
  ranges = range;
  pthread_mutex_unlock(&lock);
}

/* The range that begins at `base`; it is gone then. */
static bool remove_range(const void *base) {
  pthread_mutex_lock(&lock);
  struct range **at = &ranges;
  while (*at && (*at)->base != base)
    at = &(*at)->next;
  struct range *found = *at;
  if (found)
    *at = found->next;
  pthread_mutex_unlock(&lock);
  free(found);
  return found != NULL;
}

/* The type of the memory that overlaps; 0: the driver knows none. */
static int type_at(const void *memory, size_t bytes) {
  int type = 0;
  pthread_mutex_lock(&lock);
  for (const struct range *each = ranges; each; each = each->next)
    if (each->base < (const char *)memory + bytes &&
        (const char *)memory < each->base + each->bytes)
      type = each->type;
  pthread_mutex_unlock(&lock);
  return type;
}

/* What every call that works in a context begins with. */
static int check(void) {
  pthread_mutex_lock(&lock);
  int error = broken;
  if (!error && (depth == 0 || !stack[depth - 1] || stack[depth - 1]->retained == 0))
    error = INVALID_CONTEXT;
  pthread_mutex_unlock(&lock);
  return error;
}
#define CHECK_CONTEXT()                                                                            \
  do {                                                                                             \
    int error_ = check();                                                                          \
    if (error_)                                                                                    \
      return error_;                                                                               \
  } while (0)

API(cuInit, unsigned flags) {
  (void)flags;
  return setting("FAKE_CUDA_INIT", OK);
}

API(cuDriverGetVersion, int *version) {
  *version = setting("FAKE_CUDA_DRIVER", 12080);
  return OK;
}

API(cuGetErrorName, int error, const char **name) {
  *name = error == OUT_OF_MEMORY     ? "CUDA_ERROR_OUT_OF_MEMORY"
          : error == ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS"
          : error == INVALID_CONTEXT ? "CUDA_ERROR_INVALID_CONTEXT"
          : error == INVALID_PTX     ? "CUDA_ERROR_INVALID_PTX"
                                     : "CUDA_ERROR_OTHER";
  return OK;
}

API(cuGetErrorString, int error, const char **text) {
  *text = error == ILLEGAL_ADDRESS ? "an illegal memory access was encountered" : "fake trouble";
  return OK;
}

#include "fake_cuda_graph.h"

/* --- Devices and contexts --------------------------------------------------------------------- */

API(cuDeviceGetCount, int *count) {
  *count = setting("FAKE_CUDA_DEVICES", 1);
  return OK;
}

API(cuDeviceGet, int *device, int index) {
  *device = index;
  return index >= 0 && index < MAX_DEVICES ? OK : INVALID_DEVICE;
}

API(cuDeviceGetName, char *name, int size, int device) {
  snprintf(name, (size_t)size, "fake GPU %d", device);
  return OK;
}

API(cuDeviceGetAttribute, int *value, int attribute, int device) {
  (void)device;
  int capability = setting("FAKE_CUDA_CAPABILITY", 90);
  *value = attribute == 75   ? capability / 10
           : attribute == 76 ? capability % 10
           : attribute == 16 ? 132
           : attribute == 97 ? 232448
           : attribute == 38 ? 1 << 20
                             : 0;
  return OK;
}

enum { MEMORY = 1 << 30 };

API(cuDeviceTotalMem_v2, size_t *bytes, int device) {
  (void)device;
  *bytes = MEMORY;
  return OK;
}

API(cuDevicePrimaryCtxRetain, struct context **out, int device) {
  pthread_mutex_lock(&lock);
  contexts[device].retained++;
  contexts[device].device = device;
  *out = &contexts[device];
  pthread_mutex_unlock(&lock);
  return OK;
}

API(cuDevicePrimaryCtxRelease_v2, int device) {
  pthread_mutex_lock(&lock);
  contexts[device].retained--;
  pthread_mutex_unlock(&lock);
  return OK;
}

API(cuDevicePrimaryCtxGetState, int device, unsigned *flags, int *active) {
  pthread_mutex_lock(&lock);
  *flags = 0;
  *active = contexts[device].retained > 0;
  pthread_mutex_unlock(&lock);
  return OK;
}

/* For tests: the context is current afterwards, as in CUDA. */
API(cuCtxCreate_v2, struct context **out, unsigned flags, int device) {
  (void)flags;
  struct context *context = calloc(1, sizeof *context);
  if (!context || depth == MAX_DEPTH)
    return OUT_OF_MEMORY;
  *context = (struct context){.retained = 1, .device = device};
  *out = stack[depth++] = context;
  return OK;
}

API(cuCtxDestroy_v2, struct context *context) {
  if (depth && stack[depth - 1] == context)
    depth--;
  free(context);
  return OK;
}

API(cuCtxGetDevice, int *device) {
  CHECK_CONTEXT();
  *device = stack[depth - 1]->device;
  return OK;
}

API(cuCtxGetCurrent, struct context **out) {
  *out = depth ? stack[depth - 1] : NULL;
  return OK;
}

API(cuCtxSetCurrent, struct context *context) {
  if (depth == 0)
    depth = 1;
  stack[depth - 1] = context;
  return OK;
}

API(cuCtxPushCurrent_v2, struct context *context) {
  if (depth == MAX_DEPTH)
    return INVALID_VALUE;
  stack[depth++] = context;
  return OK;
}

API(cuCtxPopCurrent_v2, struct context **out) {
  if (depth == 0)
    return INVALID_CONTEXT;
  *out = stack[--depth];
  return OK;
}

API(cuCtxSynchronize, void) {
  return check_capture();
}

/* --- Memory ----------------------------------------------------------------------------------- */

/* The size stands before the memory, in a header that keeps the alignment. */
enum { HEADER = 256 };

API(cuMemGetInfo_v2, size_t *free_bytes, size_t *total) {
  CHECK_CONTEXT();
  pthread_mutex_lock(&lock);
  *free_bytes = MEMORY - stack[depth - 1]->used;
  pthread_mutex_unlock(&lock);
  *total = MEMORY;
  return OK;
}

API(cuMemAlloc_v2, unsigned long long *address, size_t bytes) {
  int error = check_capture();
  if (error || bytes == 0)
    return error ? error : INVALID_VALUE;
  struct context *context = stack[depth - 1];
  pthread_mutex_lock(&lock);
  bool fits = bytes <= MEMORY - context->used;
  context->used += fits ? bytes : 0;
  pthread_mutex_unlock(&lock);
  char *memory = fits ? aligned_alloc(HEADER, (bytes + 2 * HEADER - 1) / HEADER * HEADER) : NULL;
  if (!memory)
    return OUT_OF_MEMORY;
  memcpy(memory, &bytes, sizeof bytes);
  *address = (unsigned long long)(size_t)(memory + HEADER);
  add_range(memory + HEADER, bytes, 2);
  return OK;
}

API(cuMemFree_v2, unsigned long long address) {
  CHECK_CONTEXT();
  char *memory = (char *)(size_t)address - HEADER;
  size_t bytes;
  if (!remove_range(memory + HEADER))
    return INVALID_VALUE;
  memcpy(&bytes, memory, sizeof bytes);
  pthread_mutex_lock(&lock);
  stack[depth - 1]->used -= bytes;
  pthread_mutex_unlock(&lock);
  free(memory);
  return OK;
}

API(cuPointerGetAttribute, unsigned *value, int attribute, unsigned long long address) {
  CHECK_CONTEXT();
  int type = type_at((void *)(size_t)address, 1);
  if (attribute != 2 || !type)
    return INVALID_VALUE;
  *value = (unsigned)type;
  return OK;
}

API(cuMemHostAlloc, void **memory, size_t bytes, unsigned flags) {
  CHECK_CONTEXT();
  *memory = flags == 1 && bytes <= MEMORY ? malloc(bytes) : NULL;
  if (!*memory)
    return OUT_OF_MEMORY;
  add_range(*memory, bytes, 1);
  return OK;
}

API(cuMemFreeHost, void *memory) {
  CHECK_CONTEXT();
  if (!remove_range(memory))
    return INVALID_VALUE;
  free(memory);
  return OK;
}

API(cuMemHostRegister_v2, void *memory, size_t bytes, unsigned flags) {
  CHECK_CONTEXT();
  if (flags != 1)
    return INVALID_VALUE;
  if (type_at(memory, bytes))
    return HOST_MEMORY_REGISTERED;
  add_range(memory, bytes, 1);
  return OK;
}

API(cuMemHostUnregister, void *memory) {
  CHECK_CONTEXT();
  return remove_range(memory) ? OK : HOST_MEMORY_NOT_REGISTERED;
}

API(cuMemcpyHtoDAsync_v2, unsigned long long to, const void *from, size_t bytes, void *stream) {
  return give(stream, (struct step){.to = (void *)(size_t)to, .from = from, .bytes = bytes});
}

API(cuMemcpyDtoHAsync_v2, void *to, unsigned long long from, size_t bytes, void *stream) {
  return give(stream, (struct step){.to = to, .from = (void *)(size_t)from, .bytes = bytes});
}

API(cuMemcpyDtoDAsync_v2, unsigned long long to, unsigned long long from, size_t bytes,
    void *stream) {
  return give(stream, (struct step){
                          .to = (void *)(size_t)to, .from = (void *)(size_t)from, .bytes = bytes});
}

API(cuMemsetD8Async, unsigned long long to, unsigned char value, size_t bytes, void *stream) {
  if (setting("FAKE_CUDA_NO_FILL", 0)) /* a cache's worth of memory takes its time */
    return OK;
  return give(stream, (struct step){.to = (void *)(size_t)to, .bytes = bytes, .value = value});
}

/* --- Streams and events ----------------------------------------------------------------------- */

API(cuStreamCreate, void **stream, unsigned flags) {
  CHECK_CONTEXT();
  *stream = calloc(1, sizeof(struct stream));
  return flags <= 1 ? OK : INVALID_VALUE;
}

API(cuStreamDestroy_v2, void *stream) {
  CHECK_CONTEXT();
  free(stream);
  return OK;
}

API(cuStreamSynchronize, void *stream) {
  (void)stream;
  return check_capture();
}

API(cuStreamWaitEvent, struct stream *stream, struct event *event, unsigned flags) {
  (void)flags;
  CHECK_CONTEXT();
  if (stream && event->graph) /* the stream is captured, too, from here on */
    stream->graph = event->graph;
  return OK;
}

API(cuEventCreate, struct event **event, unsigned flags) {
  (void)flags;
  CHECK_CONTEXT();
  *event = calloc(1, sizeof **event);
  return *event ? OK : OUT_OF_MEMORY;
}

API(cuEventDestroy_v2, struct event *event) {
  CHECK_CONTEXT();
  free(event);
  return OK;
}

API(cuEventRecord, struct event *event, void *stream) {
  CHECK_CONTEXT();
  event->graph = graph_of(stream);
  clock_gettime(CLOCK_MONOTONIC, &event->time);
  event->recorded = true;
  return OK;
}

API(cuEventSynchronize, struct event *event) {
  CHECK_CONTEXT();
  return event->recorded ? OK : INVALID_HANDLE;
}

API(cuEventElapsedTime, float *milliseconds, struct event *start, struct event *end) {
  CHECK_CONTEXT();
  *milliseconds = (float)((double)(end->time.tv_sec - start->time.tv_sec) * 1e3 +
                          (double)(end->time.tv_nsec - start->time.tv_nsec) * 1e-6);
  const char *said = getenv("FAKE_CUDA_MS");
  if (said)
    *milliseconds = strtof(said, NULL);
  return start->recorded && end->recorded ? OK : INVALID_HANDLE;
}

/* --- Modules and launches --------------------------------------------------------------------- */

/* Adds a line, or a text, to the log. */
static void write_log(const char *format, ...) {
  const char *name = getenv("FAKE_CUDA_LOG");
  FILE *file = name ? fopen(name, "a") : NULL;
  if (!file)
    return;
  va_list arguments;
  va_start(arguments, format);
  vfprintf(file, format, arguments);
  va_end(arguments);
  fclose(file);
}

API(cuModuleLoadDataEx, struct module **out, const char *image, unsigned count, int *options,
    void **values) {
  CHECK_CONTEXT();
  if (memcmp(image,
             "\x7F"
             "ELF",
             4) == 0)
    return NO_BINARY;
  if (!strstr(image, ".version") || strstr(image, "nonsense")) {
    for (unsigned i = 0; i < count; i++)
      if (options[i] == 5)
        strcpy(values[i], "ptxas fatal: line 1: syntax error near nonsense\n");
    return INVALID_PTX;
  }
  *out = calloc(1, sizeof **out);
  (*out)->text = strdup(image);
  write_log("module\n%s\n", image);
  return OK;
}

API(cuModuleUnload, struct module *module) {
  CHECK_CONTEXT();
  while (module->functions) {
    struct function *next = module->functions->next;
    free(module->functions);
    module->functions = next;
  }
  free(module->text);
  free(module);
  return OK;
}

API(cuModuleGetFunction, struct function **out, struct module *module, const char *name) {
  CHECK_CONTEXT();
  char entry[128];
  snprintf(entry, sizeof entry, ".entry %s(", name);
  if (!strstr(module->text, entry))
    return NOT_FOUND;
  struct function *function = calloc(1, sizeof *function);
  snprintf(function->name, sizeof function->name, "%s", name);
  function->next = module->functions;
  module->functions = function;
  *out = function;
  return OK;
}

API(cuFuncSetAttribute, struct function *function, int attribute, int value) {
  (void)function;
  CHECK_CONTEXT();
  return attribute == 8 && value <= 232448 ? OK : INVALID_VALUE;
}

API(cuFuncGetAttribute, int *value, int attribute, struct function *function) {
  (void)function;
  static const int values[] = {[0] = 768, [1] = 16, [2] = 400, [3] = 24, [4] = 80};
  CHECK_CONTEXT();
  if (attribute < 0 || attribute > 4)
    return INVALID_VALUE;
  *value = values[attribute];
  return OK;
}

/* As many as have 2048 threads, and 228 KiB of shared memory. */
API(cuOccupancyMaxActiveBlocksPerMultiprocessor, int *blocks, struct function *function,
    int threads, size_t shared) {
  (void)function;
  CHECK_CONTEXT();
  int by_shared = (int)((228 << 10) / (shared + 1024));
  *blocks = 2048 / threads < by_shared ? 2048 / threads : by_shared;
  return OK;
}

#ifndef FAKE_CUDA_11
/* Says which function was called; a tensor of 13 elements along a dimension is refused. */
API(cuTensorMapEncodeTiled, void *map, int type, unsigned rank, void *base,
    const unsigned long long *sizes, const unsigned long long *strides, const unsigned *box,
    const unsigned *steps, int interleave, int swizzle, int promotion, int outside) {
  write_log("map type %d rank %u base %p", type, rank, base);
  for (unsigned i = 0; i < rank; i++) {
    write_log(" size %llu box %u step %u", sizes[i], box[i], steps[i]);
    if (sizes[i] == 13)
      return INVALID_VALUE;
    if (i + 1 < rank)
      write_log(" stride %llu", strides[i]);
  }
  write_log(" interleave %d swizzle %d promotion %d outside %d\n", interleave, swizzle, promotion,
            outside);
  memset(map, 0x5A, 128);
  return (size_t)map % 64 ? INVALID_VALUE : OK;
}
#endif

static atomic_bool endless; /* a kernel of that name has been launched */

static int launch(struct function *function, const unsigned *grid, const unsigned *block,
                  unsigned shared, struct stream *stream, struct fake_launch attributes) {
  CHECK_CONTEXT();
  write_log("launch %s grid %u %u %u block %u shared %u\n", function->name, grid[0], grid[1],
            grid[2], block[0], shared);
  if (!grid[0] || !grid[1] || !grid[2] || !block[0] || block[0] * block[1] * block[2] > 1024)
    return INVALID_VALUE;
  pthread_mutex_lock(&lock);
  if (strcmp(function->name, "breaks") == 0)
    broken = ILLEGAL_ADDRESS;
  if (strcmp(function->name, "endless") == 0)
    endless = true;
  last_launch = attributes;
  memcpy(last_launch.grid, grid, sizeof last_launch.grid);
  pthread_mutex_unlock(&lock);
  return broken ? OK : give(stream, (struct step){0});
}

API(cuEventQuery, struct event *event) {
  CHECK_CONTEXT();
  return !event->recorded ? INVALID_HANDLE : endless ? NOT_READY : broken ? broken : OK;
}

#ifndef FAKE_CUDA_OLD
API(cuLaunchKernel, struct function *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
    unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared, void *stream,
    void **arguments, void **extra) {
  (void)arguments, (void)extra;
  return launch(function, (unsigned[]){grid_x, grid_y, grid_z},
                (unsigned[]){block_x, block_y, block_z}, shared, stream, (struct fake_launch){0});
}
#endif

#ifndef FAKE_CUDA_11
struct attribute {
  int id, padding;
  unsigned value[16];
};
struct launch_config {
  unsigned grid[3], block[3], shared;
  struct stream *stream;
  struct attribute *attributes;
  unsigned count;
};

API(cuLaunchKernelEx, const struct launch_config *config, struct function *function,
    void **arguments, void **extra) {
  (void)arguments, (void)extra;
  struct fake_launch attributes = {0};
  for (unsigned i = 0; i < config->count; i++) {
    const struct attribute *attribute = &config->attributes[i];
    if (attribute->id == 4)
      memcpy(attributes.cluster, attribute->value, sizeof attributes.cluster);
    else if (attribute->id == 2)
      attributes.cooperative = (int)attribute->value[0];
    else if (attribute->id == 6)
      attributes.programmatic = (int)attribute->value[0];
    else
      return INVALID_VALUE;
  }
  if (attributes.cluster[0] * attributes.cluster[1] * attributes.cluster[2] > 4)
    return INVALID_CLUSTER_SIZE;
  const unsigned *grid = config->grid;
  if (attributes.cooperative && grid[0] * grid[1] * grid[2] > 132 * (2048 / config->block[0]))
    return COOPERATIVE_TOO_LARGE;
  return launch(function, grid, config->block, config->shared, config->stream, attributes);
}
#endif
