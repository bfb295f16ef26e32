/* SPDX-License-Identifier: MIT */
/* The objects of tile/runtime.h: a driver's handle, and what is checked before the driver is
   called. Devices are counted references, since any object may be the last one on its device. */
#ifndef TILE_RUNTIME_OBJECTS_H
#define TILE_RUNTIME_OBJECTS_H

#include <pthread.h>
#include <stdatomic.h>
#include "runtime/driver.h"

/* What one embedded image has become (embedded.c), or NULL. */
typedef _Atomic(struct embedded_module *) embedded_entry;
enum { DEVICE_PARTS = 24 };

/* Memory for parts of sums (tile_kernel_version.part_bytes), of one stream: its launches come one
   after the other. See parts.h. */
enum { PART_MEMORY_SIZES = 16 };
struct part_memory {
  uint64_t addresses[PART_MEMORY_SIZES]; /* owned; the last one is the largest, and in use */
  size_t count, bytes;                   /* bytes of that one */
  bool clean;                            /* are its counters zero once the stream's work is done? */
};

struct tile_device {
  const struct runtime_driver *driver;
  void *handle; /* owned */
  atomic_size_t references;
  tile_device_properties properties;
  pthread_mutex_t lock;                          /* held while an embedded image is loaded or
                                                    unloaded */
  _Atomic(embedded_entry *) parts[DEVICE_PARTS]; /* owned */
  pthread_mutex_t part_lock;                     /* of all its streams' part_memory */
  struct part_memory part_memory;                /* of the default stream */
};

struct tile_buffer {
  tile_device *device; /* a counted reference, as in the structs below */
  uint64_t address;
  size_t bytes;
  bool wrapped; /* the memory is somebody else's */
};

struct tile_stream {
  tile_device *device;
  void *handle;
  bool wrapped; /* the handle is somebody else's */
  struct part_memory part_memory;
};

struct tile_event {
  tile_device *device;
  void *handle;
  atomic_bool recorded;
};

/* What a launch must know of one parameter, packed for the loop in launch.c. */
struct parameter_check {
  uint32_t kind;
  uint32_t bytes;        /* of the kind */
  uint32_t divisibility; /* 1: nothing was promised */
  uint64_t mask;         /* bits that are zero in what keeps the promise; all, where only a division
                            can tell */
};

/* One condition of a version on an argument: its bits under the mask are the wanted ones; or,
   signed, it is at most or at least so much. */
struct argument_test {
  uint32_t argument;
  int8_t order; /* -1: at most; 1: at least; 0: equal under the mask */
  uint64_t mask, wanted;
  const tile_condition *condition; /* what it was made from */
};

/* A version of a kernel that this device takes. All owned by the module. */
struct loaded_version {
  struct runtime_version version; /* as drivers see it */
  void *module, *function;        /* the driver's handles */
  uint64_t most_blocks;           /* of a launch */
  const tile_condition *split_rows; /* NULL: whatever the rows of its tensor maps */
  const struct argument_test *tests;
  size_t test_count;
  const uint32_t *passed; /* the places of the arguments that are passed on; NULL: all of them */
  struct tensor_map_table *map_tables; /* one for each of its tensor maps (tensor_maps.h) */
};

struct tile_kernel {
  tile_module *module;                   /* borrowed: the owner */
  const tile_kernel_info *info;          /* owned by the module; its versions are the loaded ones */
  const struct loaded_version *versions; /* info->version_count of them */
  const struct parameter_check *checks;  /* info->parameter_count of them; owned by the module */
};

/* Kernels with more parameters are refused: PTX allows no more than 32764 bytes of them. And so are
   versions with more tensor maps; a launch passes their addresses, too, those of the numbers of
   programs, and that for parts of sums. */
enum {
  RUNTIME_PARAMETER_LIMIT = 1024,
  RUNTIME_MAP_LIMIT = 16,
  RUNTIME_POINTER_LIMIT = RUNTIME_PARAMETER_LIMIT + RUNTIME_MAP_LIMIT + 4
};

/* A tensor map as it is passed. */
struct tensor_map_bytes {
  _Alignas(64) uint64_t words[TILE_TENSOR_MAP_BYTES / 8];
};

/* The value of an integer argument, sign-extended; a pointer's address. `bits` is zero-extended. */
static inline int64_t integer_of(const struct parameter_check *check, uint64_t bits) {
  unsigned unused = 64 - 8 * check->bytes;
  return check->kind == TILE_ARGUMENT_I1 ? (int64_t)bits : (int64_t)(bits << unused) >> unused;
}

tile_device *device_retain(tile_device *device);
void device_release(tile_device *device);

/* Refuses bytes that are not all of something that has `all`, called `what`: "buffer". */
tile_status range_check(const char *doing, const char *what, size_t all, size_t offset,
                        size_t bytes);

/* The driver's handle of a stream that may be NULL. Refuses a stream of another device. */
tile_status stream_handle(const tile_device *device, const tile_stream *stream, void **out);

#endif
