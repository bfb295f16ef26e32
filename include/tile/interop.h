/* SPDX-License-Identifier: MIT */
/* Living in somebody else's program: memory, contexts and streams that exist, native handles,
   pinned memory and asynchronous copies, launches with attributes, what loaded kernels take, hooks.
   docs/interoperation.md shows each beside the CUDA runtime, cuBLAS and CUDA graphs.

       tile_buffer *x;               a tensor of a framework, or memory of cudaMalloc
       TRY(tile_buffer_wrap(device, (uint64_t)(uintptr_t)pointer, bytes, &x));
       TRY(tile_stream_wrap(device, cuda_stream, &stream));
       TRY(tile_launch(kernel, grid, stream, arguments, count));
       tile_buffer_destroy(x);       the memory stays its owner's

   A cudaStream_t is a CUstream, and cudaMalloc's memory belongs to the device's primary context,
   which is the one that tile_device_open uses: the CUDA runtime and this library need nothing else
   to work together.

   All of this is part of libtile_runtime. Errors, ownership and threads are those of
   tile/runtime.h. */
#ifndef TILE_INTEROP_H
#define TILE_INTEROP_H

#include "tile/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- What exists: contexts and memory --------------------------------------------------------- */

/* Opens a device in a context that exists and is not the primary one: `context` is a CUcontext,
   NULL the one that is current on this thread. It is borrowed, and must outlive the device and what
   is on it. It is made current for the length of each call only. Errors: TILE_INVALID_ARGUMENT for
   what is no context, TILE_UNSUPPORTED for drivers that have none. */
TILE_RESULT tile_status tile_device_open_context(const tile_driver *driver, void *context,
                                                 tile_device **out);

/* A buffer around memory that exists: device memory (cuMemAlloc, cudaMalloc, a framework's tensor),
   memory of the host that CUDA knows, or on the emulator any memory of the host. It is borrowed:
   destroying the buffer leaves it alone, and does not wait. Buffers may overlap, as views of one
   tensor do. On the emulator kernels may access these bytes from now on and no others around them.
   Errors: TILE_INVALID_ARGUMENT for a null address with bytes, and on CUDA for an address that the
   driver does not know. */
TILE_RESULT tile_status tile_buffer_wrap(tile_device *device, uint64_t address, size_t bytes,
                                         tile_buffer **out);

/* --- Native handles --------------------------------------------------------------------------- */

/* The driver's own handles, borrowed, for calls that this library has not got. Errors:
   TILE_UNSUPPORTED on the emulator and the null driver, which have none. */

/* A CUcontext. */
TILE_RESULT tile_status tile_device_native(const tile_device *device, void **out_context);
/* A CUstream. A cudaStream_t is the same. */
TILE_RESULT tile_status tile_stream_native(const tile_stream *stream, void **out_stream);
/* A CUevent. A cudaEvent_t is the same. */
TILE_RESULT tile_status tile_event_native(const tile_event *event, void **out_event);
/* A CUmodule and a CUfunction; either out parameter may be NULL. `version` is one of
   tile_kernel_get_info or tile_kernel_select, NULL the first without tensor maps. A launch of
   one's own uses its threads, shared_bytes and programs_per_block, leaves out the arguments that
   its conditions fix, and passes the tensor maps that it has (tile/image.h). */
TILE_RESULT tile_status tile_kernel_native(const tile_kernel *kernel,
                                           const tile_kernel_version *version, void **out_module,
                                           void **out_function);

/* --- Pinned memory and asynchronous copies ---------------------------------------------------- */

/* Memory of the host that a GPU reads and writes by itself (page-locked). */
typedef struct tile_pinned tile_pinned;

/* Allocates such memory, for all devices of the driver; its content is undefined. Zero bytes are
   fine. */
TILE_RESULT tile_status tile_pinned_create(tile_device *device, size_t bytes, tile_pinned **out);
/* Pins memory that exists, until it is destroyed here; it must not be freed before.
   TILE_INVALID_ARGUMENT when it is pinned already. */
TILE_RESULT tile_status tile_pinned_register(tile_device *device, void *memory, size_t bytes,
                                             tile_pinned **out);
/* Memory that somebody else pinned: cudaMallocHost, cuMemHostRegister, pin_memory() of PyTorch,
   tile_pinned_create for another device. TILE_INVALID_ARGUMENT when the driver says that it is not
   pinned; the emulator believes it. */
TILE_RESULT tile_status tile_pinned_wrap(tile_device *device, void *memory, size_t bytes,
                                         tile_pinned **out);
/* Waits for asynchronous copies from and to the memory, then frees or unpins it; memory that was
   wrapped is left alone. */
TILE_EXPORT void tile_pinned_destroy(tile_pinned *pinned);
/* The memory, for the host. */
TILE_EXPORT void *tile_pinned_data(const tile_pinned *pinned);
TILE_EXPORT size_t tile_pinned_bytes(const tile_pinned *pinned);

/* As tile_buffer_write and tile_buffer_read, but they only start the copy. Until the host has
   waited for it (tile_stream_synchronize, or an event that was recorded after it) it must not
   write to the memory of either copy, nor look at what is read. The buffer must live until then,
   too. The emulator copies at once, and checks the rule: where the host's memory has changed before
   the host waited, the call that waits is a TILE_HAZARD. */
TILE_RESULT tile_status tile_buffer_write_async(tile_buffer *buffer, size_t offset,
                                                tile_pinned *from, size_t from_offset, size_t bytes,
                                                tile_stream *stream);
TILE_RESULT tile_status tile_buffer_read_async(const tile_buffer *buffer, size_t offset,
                                               tile_pinned *to, size_t to_offset, size_t bytes,
                                               tile_stream *stream);

/* --- Launches with attributes ----------------------------------------------------------------- */

/* Zeros mean that an attribute is not wanted. None is ever left out silently: a device that cannot
   do it says so. */
typedef struct tile_launch_options {
  uint32_t cluster[3]; /* blocks of a cluster along each axis, 0 meaning 1; at most 8 in all, and
                          the grid's blocks along an axis are a multiple. From compute
                          capability 9.0; the emulator has clusters of one block only */
  bool cooperative;    /* all blocks are resident at one time, so that they may wait for each other;
                          TILE_INVALID_ARGUMENT where so many do not fit
                          (tile_kernel_resources.resident_blocks) */
  bool programmatic;   /* programmatic dependent launch: may begin while the kernel before it on the
                          stream still runs, which calls gdc_launch_dependents; the kernel waits for
                          its results with gdc_wait. From compute capability 9.0. The emulator runs
                          one after the other, which is one of the orders that this allows */
} tile_launch_options;

/* As tile_launch, with attributes; `options` may be NULL. More errors: TILE_UNSUPPORTED for an
   attribute that the device has not got, TILE_DRIVER_TOO_OLD where the driver has no
   cuLaunchKernelEx (CUDA 11.8). */
TILE_RESULT tile_status tile_launch_with(tile_kernel *kernel, const uint32_t grid[3],
                                         tile_stream *stream, const tile_argument *arguments,
                                         size_t argument_count, const tile_launch_options *options);

/* --- What a loaded kernel takes --------------------------------------------------------------- */

/* Of one version of a kernel on one device. Constants, warps and conditions are in
   tile_kernel_version. */
typedef struct tile_kernel_resources {
  uint32_t registers; /* of a thread; 0: not known */
  uint32_t
      local_bytes; /* of a thread, in memory: registers that were spilled, and what is indexed */
  uint32_t shared_bytes;              /* of a block, static and dynamic */
  uint32_t constant_bytes;            /* of the function */
  uint32_t most_threads;              /* of a block, with so many registers */
  uint32_t blocks_per_multiprocessor; /* occupancy: that run at one time */
  uint64_t resident_blocks;           /* the same on the whole device */
  uint64_t resident_programs;         /* the same in programs: the grid of a persistent kernel, in
                                         tile_launch's unit */
} tile_kernel_resources;

/* `version` is one of tile_kernel_get_info or tile_kernel_select, NULL the first. The emulator says
   how many blocks it lets run concurrently (tile_emulator_device_options.resident_blocks). Not for
   a thread that captures a graph. */
TILE_RESULT tile_status tile_kernel_get_resources(const tile_kernel *kernel,
                                                  const tile_kernel_version *version,
                                                  tile_kernel_resources *out);

/* --- Hooks ------------------------------------------------------------------------------------ */

/* A launch that is given to a driver; all is borrowed for the call. */
typedef struct tile_launch_event {
  const char *kernel;
  const tile_kernel_version *version;
  tile_device *device;
  tile_stream *stream;                /* NULL: the default one */
  uint32_t grid[3];                   /* programs */
  const tile_launch_options *options; /* or NULL */
  uint64_t nanoseconds;               /* of CLOCK_MONOTONIC, now */
  tile_status status;                 /* at the end: what the driver said; NULL at the beginning */
} tile_launch_event;

/* A call that compiles (tile/compiler.h); all is borrowed for the call. */
typedef struct tile_compile_event {
  const char *function; /* "tile_compile_for_device" */
  const char *name;     /* of the text, as in diagnostics */
  const char
      *kernel; /* tile_import_triton: which kernel; else NULL, also where the file has only one */
  const char *target;   /* "sm_90a"; NULL where it is not known */
  uint64_t nanoseconds; /* of CLOCK_MONOTONIC, now */
  tile_status status;   /* at the end: the call's; NULL at the beginning */
} tile_compile_event;

/* Any of them may be NULL. */
typedef struct tile_hooks {
  void (*launch_begins)(void *context, const tile_launch_event *event);
  void (*launch_ends)(void *context, const tile_launch_event *event);
  void (*compile_begins)(void *context, const tile_compile_event *event);
  void (*compile_ends)(void *context, const tile_compile_event *event);
  void *context;
} tile_hooks;

typedef struct tile_hook tile_hook;

/* Calls `hooks`, which are copied, around every launch and compilation of the process, until they
   are removed. There may be several: they begin in the order in which they were added, and end in
   the opposite one. A launch ends when the driver has it, not when the GPU is done; what is refused
   before it gets there (a wrong argument) is not reported. An end always follows its beginning.

   Threads: they are called on the thread that launches or compiles, on several at once. Launches
   and compilations made by a hook are not reported. A hook must not add or remove hooks:
   TILE_INVALID_ARGUMENT. Adding waits for launches and compilations that are reported to others;
   when tile_hooks_remove returns, no call is on its way, and the context may go. */
TILE_RESULT tile_status tile_hooks_add(const tile_hooks *hooks, tile_hook **out);
TILE_RESULT tile_status tile_hooks_remove(tile_hook *hook);

#ifdef __cplusplus
}
#endif
#endif
