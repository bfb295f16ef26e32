/* SPDX-License-Identifier: MIT */
/* Running kernels: devices, memory, streams, events, modules, launches, timing.

       tile_device *device;
       tile_module *module;
       tile_kernel *kernel;
       tile_image *image;
       TRY(tile_device_open(tile_cuda_driver(), 0, &device));
       TRY(tile_image_read("add.ptx", &image));
       TRY(tile_module_load(device, image, &module));
       TRY(tile_module_kernel(module, "add_kernel", &kernel));
       TRY(tile_buffer_create(device, n * sizeof(float), &x));          ... and y, out
       TRY(tile_buffer_write(x, 0, host_x, n * sizeof(float), NULL));
       tile_argument arguments[] = {tile_argument_buffer(x), tile_argument_buffer(y),
                                    tile_argument_buffer(out), tile_argument_i32(n)};
       TRY(tile_launch(kernel, (uint32_t[]){(n + 1023) / 1024, 1, 1}, NULL, arguments, 4));
       TRY(tile_buffer_read(out, 0, host_out, n * sizeof(float), NULL));

   This is the API of libtile_runtime, which needs libc alone and opens the CUDA driver when the
   first CUDA device is asked for. A program that compiles kernels links libtile, which needs this
   one.

   Streams. Work on one stream runs in order. NULL means the device's default stream. Created
   streams do not wait for the default stream, nor it for them; use events between them.

   Errors. Every function that can fail returns a status and leaves its out parameters and the
   device as they were. TILE_DEVICE_FAILED is the exception: a kernel that runs into an illegal
   address takes the CUDA context of the whole process with it, and later calls report the same
   error.

   Ownership. Each object keeps its device alive, and a module its kernels; the order of destruction
   does not matter. Destroying NULL is fine. Destroying memory waits for work that may use it.

   Threads. Any thread may call anything at any time, on the same objects too, but an object must
   not be destroyed while another thread uses it. */
#ifndef TILE_RUNTIME_H
#define TILE_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tile/image.h"
#include "tile/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct runtime_driver tile_driver;
typedef struct tile_device tile_device;
typedef struct tile_buffer tile_buffer;
typedef struct tile_stream tile_stream;
typedef struct tile_event tile_event;
typedef struct tile_module tile_module;
typedef struct tile_kernel tile_kernel;

/* --- Drivers ---------------------------------------------------------------------------------- */

/* Drivers are constant tables; they need no end. tile_emulator_driver() in tile/emulator_device.h
   is a third one, which comes with libtile. */

/* NVIDIA GPUs through libcuda, which is $TILE_LIBCUDA if that is set, else libcuda.so.1. */
TILE_EXPORT const tile_driver *tile_cuda_driver(void);
/* One imaginary device: memory is host memory, launches are checked and do nothing. For tests. */
TILE_EXPORT const tile_driver *tile_null_driver(void);
/* The driver called "cuda", "emulator" or "null". The emulator is libtile's where the program links
   that. Otherwise libtile_emulator is opened, beside this library: it holds no LLVM, and runs what
   was compiled to TILE_IMAGE_OBJECT. Errors: TILE_NOT_FOUND for another name; TILE_NO_DEVICE where
   there is no such library, or one of another version. */
TILE_RESULT tile_status tile_driver_find(const char *name, const tile_driver **out);
/* "cuda", "emulator", "null". */
TILE_EXPORT const char *tile_driver_name(const tile_driver *driver);
/* How many devices there are. Errors: TILE_NO_DEVICE when the driver library is not there or finds
   none, TILE_DRIVER_TOO_OLD; the message says what was tried. */
TILE_RESULT tile_status tile_driver_device_count(const tile_driver *driver, int *out);

/* --- Devices ---------------------------------------------------------------------------------- */

typedef struct tile_device_properties {
  char name[128];                   /* "NVIDIA H200" */
  char target[16];                  /* the toolkit's target that fits best: "sm_90a"; "" for any */
  int compute_major, compute_minor; /* compute capability 9.0 */
  int driver_version;               /* 12080 for CUDA 12.8; 0 when there is none */
  int multiprocessors;
  uint64_t memory_bytes, l2_bytes; /* l2_bytes is 0 where there is no such cache */
  uint32_t shared_bytes;           /* most shared memory of one block */
  uint32_t image_formats;          /* bit 1 << format: what tile_module_load takes */
  bool tensor_maps;                /* versions of kernels with tensor maps (tile/image.h) run */
} tile_device_properties;

/* Opens device `index` (from 0). Errors: as tile_driver_device_count, TILE_INVALID_ARGUMENT for an
   index that is not there. CUDA: retains the device's primary context, which is shared with the
   CUDA runtime, and makes it current for the length of each call; a thread without a current
   context keeps it. */
TILE_RESULT tile_status tile_device_open(const tile_driver *driver, int index, tile_device **out);
/* Gives up the device; it goes when the last object on it goes. */
TILE_EXPORT void tile_device_close(tile_device *device);
/* Borrowed from the device. */
TILE_EXPORT const tile_device_properties *tile_device_get_properties(const tile_device *device);
TILE_EXPORT const tile_driver *tile_device_get_driver(const tile_device *device);
/* Changes an option of the emulator's device, between launches, for programs that know it by
   tile_driver_find alone:
     "seed"             draws the order of blocks and threads; equal seeds, equal runs
     "check"            1: also look for races, and for loads of shared memory that nobody stored to
     "resident_blocks"  programs that run concurrently; 0: as many as on an H100
   Errors: TILE_NOT_FOUND for another name, TILE_INVALID_ARGUMENT for a value that is too large,
   TILE_UNSUPPORTED on devices without options. */
TILE_RESULT tile_status tile_device_set_option(tile_device *device, const char *name,
                                               uint64_t value);
/* Free bytes of memory now. */
TILE_RESULT tile_status tile_device_free_memory(tile_device *device, uint64_t *out);
/* Waits for all work on the device. */
TILE_RESULT tile_status tile_device_synchronize(tile_device *device);

/* --- Memory ----------------------------------------------------------------------------------- */

/* Allocates device memory, aligned to 256 bytes at least, its content undefined. Zero bytes are
   fine. Errors: TILE_OUT_OF_MEMORY; the message says what was asked for and what is free. */
TILE_RESULT tile_status tile_buffer_create(tile_device *device, size_t bytes, tile_buffer **out);
TILE_EXPORT void tile_buffer_destroy(tile_buffer *buffer);
/* Where the buffer lies, as kernels see it: on every driver this is the number that a kernel
   computes with. Written into another buffer, eight bytes each, addresses make arrays of pointers
   (int64 in the Triton language, cast with .to(tl.pointer_type(...))). Addresses inside the buffer
   may be formed by adding bytes. It is valid until the buffer is destroyed; a buffer that a kernel
   reaches in this way only must outlive the launch. */
TILE_EXPORT uint64_t tile_buffer_address(const tile_buffer *buffer);
TILE_EXPORT size_t tile_buffer_bytes(const tile_buffer *buffer);

/* Copies from and to the host, on the stream; they return when it is done. A range that leaves the
   buffer is TILE_INVALID_ARGUMENT. */
TILE_RESULT tile_status tile_buffer_write(tile_buffer *buffer, size_t offset, const void *from,
                                          size_t bytes, tile_stream *stream);
TILE_RESULT tile_status tile_buffer_read(const tile_buffer *buffer, size_t offset, void *to,
                                         size_t bytes, tile_stream *stream);
/* Copies between buffers of one device, and sets bytes; both only start the work. The ranges of a
   copy must not overlap. */
TILE_RESULT tile_status tile_buffer_copy(tile_buffer *to, size_t to_offset, const tile_buffer *from,
                                         size_t from_offset, size_t bytes, tile_stream *stream);
TILE_RESULT tile_status tile_buffer_fill(tile_buffer *buffer, size_t offset, uint8_t value,
                                         size_t bytes, tile_stream *stream);

/* --- Streams and events ----------------------------------------------------------------------- */

TILE_RESULT tile_status tile_stream_create(tile_device *device, tile_stream **out);
/* A stream of the driver's own (a CUstream), borrowed: destroying the wrapper leaves it alone. */
TILE_RESULT tile_status tile_stream_wrap(tile_device *device, void *native, tile_stream **out);
TILE_EXPORT void tile_stream_destroy(tile_stream *stream);
/* Waits for the stream's work. NULL is refused: tile_device_synchronize says of which device. */
TILE_RESULT tile_status tile_stream_synchronize(tile_stream *stream);
/* Later work on the stream waits for the event; NULL is the default stream of the event's device.
 */
TILE_RESULT tile_status tile_stream_wait(tile_stream *stream, tile_event *event);

TILE_RESULT tile_status tile_event_create(tile_device *device, tile_event **out);
TILE_EXPORT void tile_event_destroy(tile_event *event);
/* The event happens when all work given to the stream so far is done. */
TILE_RESULT tile_status tile_event_record(tile_event *event, tile_stream *stream);
TILE_RESULT tile_status tile_event_synchronize(tile_event *event);
/* Whether the event has happened; does not wait. Errors: as tile_event_synchronize. */
TILE_RESULT tile_status tile_event_done(tile_event *event, bool *out);
/* Milliseconds between two events that have happened. TILE_INVALID_ARGUMENT when one was never
   recorded. */
TILE_RESULT tile_status tile_event_elapsed(const tile_event *start, const tile_event *end,
                                           double *out_milliseconds);

/* --- Modules and kernels ---------------------------------------------------------------------- */

/* Loads an image; it is borrowed for the call only. Of each kernel the versions are kept that run
   on the device, code for exactly this device first: a cubin before PTX, which the driver
   assembles, a target with more features (sm_90a) before one with fewer, a later capability before
   an earlier one; among equals in the order of the image. What is never reached is not loaded.
   Errors, where no kernel has a version left: TILE_WRONG_TARGET, TILE_DRIVER_TOO_OLD (each names
   what the kernel and what the device has), TILE_BAD_IMAGE (with the driver's log),
   TILE_INVALID_ARGUMENT (an impossible tile_kernel_info), TILE_OUT_OF_MEMORY. */
TILE_RESULT tile_status tile_module_load(tile_device *device, const tile_image *image,
                                         tile_module **out);
TILE_EXPORT void tile_module_unload(tile_module *module);
TILE_EXPORT size_t tile_module_kernel_count(const tile_module *module);
/* Borrowed from the module; NULL past the end. */
TILE_EXPORT tile_kernel *tile_module_kernel_at(tile_module *module, size_t index);
/* The kernel called `name`, borrowed from the module; NULL asks for the only one. TILE_NOT_FOUND
   lists those there are; where the image has the kernel, but not for this device, the error says
   why. */
TILE_RESULT tile_status tile_module_kernel(tile_module *module, const char *name,
                                           tile_kernel **out);
/* Borrowed from the module. The versions are those that were loaded, in the order in which a launch
   tries them. */
TILE_EXPORT const tile_kernel_info *tile_kernel_get_info(const tile_kernel *kernel);

/* --- Launches --------------------------------------------------------------------------------- */

/* One argument. The value lies at the union's start in the kind's size. */
typedef struct tile_argument {
  tile_argument_kind kind;
  union {
    uint64_t address;
    uint8_t i1, i8;
    uint16_t i16, f16, bf16; /* halves as bits */
    uint32_t i32;
    uint64_t i64;
    float f32;
    double f64;
  } value;
} tile_argument;

static inline tile_argument tile_argument_address(uint64_t address) {
  tile_argument argument = {TILE_ARGUMENT_POINTER, {0}};
  argument.value.address = address;
  return argument;
}
static inline tile_argument tile_argument_buffer(const tile_buffer *buffer) {
  return tile_argument_address(tile_buffer_address(buffer));
}
static inline tile_argument tile_argument_i1(bool value) {
  tile_argument argument = {TILE_ARGUMENT_I1, {0}};
  argument.value.i1 = value;
  return argument;
}
static inline tile_argument tile_argument_i8(int8_t value) {
  tile_argument argument = {TILE_ARGUMENT_I8, {0}};
  argument.value.i8 = (uint8_t)value;
  return argument;
}
static inline tile_argument tile_argument_i16(int16_t value) {
  tile_argument argument = {TILE_ARGUMENT_I16, {0}};
  argument.value.i16 = (uint16_t)value;
  return argument;
}
static inline tile_argument tile_argument_i32(int32_t value) {
  tile_argument argument = {TILE_ARGUMENT_I32, {0}};
  argument.value.i32 = (uint32_t)value;
  return argument;
}
static inline tile_argument tile_argument_i64(int64_t value) {
  tile_argument argument = {TILE_ARGUMENT_I64, {0}};
  argument.value.i64 = (uint64_t)value;
  return argument;
}
static inline tile_argument tile_argument_f16(uint16_t bits) {
  tile_argument argument = {TILE_ARGUMENT_F16, {0}};
  argument.value.f16 = bits;
  return argument;
}
static inline tile_argument tile_argument_bf16(uint16_t bits) {
  tile_argument argument = {TILE_ARGUMENT_BF16, {0}};
  argument.value.bf16 = bits;
  return argument;
}
static inline tile_argument tile_argument_f32(float value) {
  tile_argument argument = {TILE_ARGUMENT_F32, {0}};
  argument.value.f32 = value;
  return argument;
}
static inline tile_argument tile_argument_f64(double value) {
  tile_argument argument = {TILE_ARGUMENT_F64, {0}};
  argument.value.f64 = value;
  return argument;
}

/* Starts a kernel over grid[0] x grid[1] x grid[2] programs (at most 2^31-1, 65535, 65535) on
   `stream`: the first of its versions whose conditions hold. The arguments are copied. On success
   nothing is allocated. Errors: TILE_INVALID_ARGUMENT for the grid, for a wrong number or kind of
   arguments, for an address or integer that breaks a promised divisibility (the message names the
   argument), for arguments that no version takes (the message says what each of them needs), for a
   stream of another device; TILE_DEVICE_FAILED when earlier work broke the device; TILE_HAZARD from
   the emulator, which runs the kernel to its end before it returns. */
TILE_RESULT tile_status tile_launch(tile_kernel *kernel, const uint32_t grid[3],
                                    tile_stream *stream, const tile_argument *arguments,
                                    size_t argument_count);
/* The same for arguments of the kinds that the kernel takes, of as many as it takes: value i is
   read through arguments[i], as with cuLaunchKernel. Number and kinds are not checked. */
TILE_RESULT tile_status tile_launch_pointers(tile_kernel *kernel, const uint32_t grid[3],
                                             tile_stream *stream, void *const *arguments);

/* Says how many programs a launch of a version has, which may depend on the version's constants.
   `grid` is {1, 1, 1} before. `version` and `arguments` are borrowed for the call. A failure ends
   the launch with that status. */
typedef tile_status tile_grid_function(void *context, const tile_kernel_version *version,
                                       void *const *arguments, uint32_t grid[3]);
/* The same with a grid that is computed: called for versions whose conditions on arguments hold, in
   their order, until one takes so many programs. */
TILE_RESULT tile_status tile_launch_computed(tile_kernel *kernel, tile_grid_function *grid,
                                             void *context, tile_stream *stream,
                                             void *const *arguments);
/* The version that tile_launch would take, borrowed from the module. Errors: those of tile_launch
   for the same arguments. */
TILE_RESULT tile_status tile_kernel_select(const tile_kernel *kernel, const uint32_t grid[3],
                                           const tile_argument *arguments, size_t argument_count,
                                           const tile_kernel_version **out);

/* --- Timing ----------------------------------------------------------------------------------- */

/* What is timed: gives its work to `stream`. A failure ends the benchmark with that status. */
typedef tile_status tile_bench_function(void *context, tile_stream *stream);

/* Zero in a field means its default. */
typedef struct tile_bench_options {
  double warmup_ms;    /* 25: run that long untimed */
  double repeat_ms;    /* 100: then that long timed, once at least */
  size_t flush_bytes;  /* 256 MiB: written before each run, so that it finds nothing in L2; not done
                          on devices without L2 */
  size_t maximum_runs; /* 10000 */
} tile_bench_options;

/* Milliseconds per run. Quantiles are interpolated linearly, as NumPy does. */
typedef struct tile_bench_result {
  size_t runs;
  double minimum, quantile20, median, quantile80, maximum, mean;
} tile_bench_result;

/* Times `function` as triton.testing.do_bench does: one run, five to estimate, warm-up, then runs
   with a flush before each, timed by an event on either side. `options` may be NULL. */
TILE_RESULT tile_status tile_do_bench(tile_device *device, tile_bench_function *function,
                                      void *context, const tile_bench_options *options,
                                      tile_bench_result *out);

#ifdef __cplusplus
}
#endif
#endif
