/* SPDX-License-Identifier: MIT */
/* What a driver provides: one table of functions (driver.def) after the whole of tile/runtime.h.

   Callers (the files beside this one) have checked everything that can be checked without the
   driver: no NULL objects, ranges inside their buffers, events recorded, arguments of the right
   kinds. Handles (`void *` device, stream, event, module, function) are the driver's own; a NULL
   stream is the default stream. Every function may be called from any thread. Destroying never
   fails: a device that broke down has nothing left to free.

   To add a driver: fill in the table, and run test/unit/runtime_conformance.h on it. */
#ifndef TILE_RUNTIME_DRIVER_H
#define TILE_RUNTIME_DRIVER_H

#include "base/private.h"
#include "tile/interop.h"

/* One version of a kernel: what a driver must know of a function. */
struct runtime_version {
  const char *kernel;                 /* its name, for messages */
  const tile_kernel_version *version; /* complete: `section` and `symbol` are there */
  const tile_parameter *parameters;   /* those that are passed */
  size_t parameter_count;
};

/* A launch whose arguments have been checked. Borrowed for the call. */
struct runtime_launch {
  const struct runtime_version *version;
  void *function, *stream;
  const uint32_t *grid; /* in blocks */
  void **pointers;      /* value i is read through pointers[i], as with cuLaunchKernel */
  const tile_launch_options *options; /* NULL when there is no attribute; clusters without zeros, or
                                         all zero */
};

/* How many pointers a launch has: after the kernel's own parameters stand the tensor maps, then how
   many programs there are (i32): along x where a block holds several, along x, y and z where it
   takes them in turn; then the address for parts of sums (part_bytes). */
static inline size_t runtime_passed_counts(const tile_kernel_version *version) {
  if (version->resident_blocks)
    return 3;
  return version->programs_per_block > 1;
}

static inline size_t runtime_argument_count(const struct runtime_version *version) {
  return version->parameter_count + version->version->map_count +
         runtime_passed_counts(version->version) + (version->version->part_bytes > 0);
}

/* What a tensor map is made of besides what tile_tensor_map says; zero beyond its rank. */
struct tensor_map_values {
  uint64_t base; /* address */
  uint64_t sizes[TILE_TENSOR_MAP_RANK], strides[TILE_TENSOR_MAP_RANK - 1];
};

struct runtime_driver {
  const char *name;
  /* Programs that a resident block takes (tile_kernel_version.resident_blocks): 0: as many as there
     are for the blocks that there is room for; the emulator's always take two, so that a few show
     both what the second one does after the first and what blocks do at the same time. */
  uint32_t programs_in_turn;
#define DRIVER(result, name, parameters) result(*name) parameters;
#include "runtime/driver.def"
  /* tile_device_set_option. The member is NULL where there are no options. */
  tile_status (*set_option)(void *device, const char *name, uint64_t value);
  /* For how many multiprocessors an option says that blocks are started which take programs in
     turn; 0: none does. Then programs_in_turn counts for nothing. NULL: there is no such option. */
  uint32_t (*multiprocessors)(void *device);
};

/* The error of a cooperative launch that is too large; `resident` is how many blocks fit. */
TILE_PRIVATE tile_status runtime_not_resident(const struct runtime_launch *launch,
                                              const char *device, uint64_t resident);

/* Makes a device of a driver around a handle that is open already; takes the handle. */
TILE_PRIVATE tile_status runtime_device_wrap(const struct runtime_driver *driver, void *handle,
                                             const tile_device_properties *properties,
                                             tile_device **out);
/* The driver's own handle; for drivers that offer more than this table. */
void *runtime_device_handle(const tile_device *device);

#endif
