/* SPDX-License-Identifier: MIT */
/* What a driver provides: one table of functions after the whole of tile/runtime.h.

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

/* How many pointers a launch has: where a block holds several programs, their number (i32) stands
   after the kernel's own parameters. */
static inline size_t runtime_argument_count(const struct runtime_version *version) {
  return version->parameter_count + (version->version->programs_per_block > 1);
}

struct runtime_driver {
  const char *name;
  tile_status (*device_count)(int *out);

  /* `index` is in range. Fills in `properties`, zeroed before. */
  tile_status (*device_open)(int index, tile_device_properties *properties, void **out);
  void (*device_close)(void *device);
  tile_status (*device_synchronize)(void *device);

  tile_status (*memory_free_bytes)(void *device, uint64_t *out);
  /* bytes > 0. TILE_OUT_OF_MEMORY needs no good message: the caller writes one. */
  tile_status (*memory_allocate)(void *device, size_t bytes, uint64_t *out_address);
  void (*memory_free)(void *device, uint64_t address);
  /* bytes > 0. Write and read return when the host memory is free to be used again. */
  tile_status (*memory_write)(void *device, uint64_t to, const void *from, size_t bytes,
                              void *stream);
  tile_status (*memory_read)(void *device, void *to, uint64_t from, size_t bytes, void *stream);
  tile_status (*memory_copy)(void *device, uint64_t to, uint64_t from, size_t bytes, void *stream);
  tile_status (*memory_fill)(void *device, uint64_t to, uint8_t value, size_t bytes, void *stream);

  tile_status (*stream_create)(void *device, void **out);
  void (*stream_destroy)(void *device, void *stream);
  tile_status (*stream_synchronize)(void *device, void *stream);
  tile_status (*stream_wait)(void *device, void *stream, void *event);

  tile_status (*event_create)(void *device, void **out);
  void (*event_destroy)(void *device, void *event);
  tile_status (*event_record)(void *device, void *event, void *stream);
  tile_status (*event_synchronize)(void *device, void *event);
  /* Whether the event has happened, without waiting. The member is NULL where events happen at
     once. */
  tile_status (*event_done)(void *device, void *event, bool *out);
  tile_status (*event_elapsed)(void *device, void *start, void *end, double *out_milliseconds);

  /* The format is one of the device's; PTX has a zero after it. */
  tile_status (*module_load)(void *device, const tile_section *section, void **out);
  void (*module_unload)(void *device, void *module);
  /* The function of a version, ready to be launched with its shared_bytes; lives as long as the
     module. TILE_BAD_IMAGE when the module lacks it. */
  tile_status (*module_function)(void *device, void *module, const struct runtime_version *version,
                                 void **out);
  tile_status (*launch)(void *device, const struct runtime_launch *launch);

  /* tile_device_set_option. The member is NULL where there are no options. */
  tile_status (*set_option)(void *device, const char *name, uint64_t value);

  /* What tile/interop.h asks for. */

  /* A device in a context of the driver's that exists and stays its owner's; NULL is the one that
     is current. The member is NULL where there are no contexts. */
  tile_status (*context_open)(void *context, tile_device_properties *properties, void **out);
  /* The device's context. The member is NULL where handles are nobody's but ours; else handles of
     streams, events, modules and functions are the native ones. */
  void *(*native_context)(const void *device);
  /* Memory that exists, not zero, with bytes > 0; unwrapped as it was wrapped. */
  tile_status (*memory_wrap)(void *device, uint64_t address, size_t bytes);
  void (*memory_unwrap)(void *device, uint64_t address, size_t bytes);
  /* Pinned host memory, bytes > 0: of its own, somebody else's that is to be pinned, and somebody
     else's that is pinned. */
  tile_status (*pinned_allocate)(void *device, size_t bytes, void **out);
  void (*pinned_free)(void *device, void *memory);
  tile_status (*pinned_register)(void *device, void *memory, size_t bytes);
  void (*pinned_unregister)(void *device, void *memory, size_t bytes);
  tile_status (*pinned_check)(void *device, void *memory, size_t bytes);
  /* bytes > 0, from and to pinned memory. Only start the copy. */
  tile_status (*memory_write_async)(void *device, uint64_t to, const void *from, size_t bytes,
                                    void *stream);
  tile_status (*memory_read_async)(void *device, void *to, uint64_t from, size_t bytes,
                                   void *stream);
  /* Fills in `out`, zeroed before, but for resident_blocks and resident_programs. */
  tile_status (*function_resources)(void *device, const struct runtime_version *version,
                                    void *function, tile_kernel_resources *out);
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
