/* SPDX-License-Identifier: MIT */
/* Kernels inside a program: what the C files of `tile-translate --tile-to-c` are made of
   (docs/ahead-of-time.md). Programs call the functions of the generated headers; these are beneath
   them.

   A generated source holds one image as bytes, and one constant description of its kernels. The
   first launch on a device loads the module, which belongs to the device from then on: it goes when
   the device goes (tile_device_close), or when tile_embedded_unload says so. A launch that cannot
   load returns the error, and the next one tries again.

   Threads: any number may launch at one time, the first launch included. Unloading is for when no
   launch is in progress on the device. */
#ifndef TILE_EMBEDDED_H
#define TILE_EMBEDDED_H

#include "tile/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A grid as an expression gives it; `bad` when the arithmetic overflowed or divided by zero. */
typedef struct tile_embedded_grid {
  int64_t size[3];
  bool bad;
} tile_embedded_grid;

/* Computes the grid of a launch of a version, which tile_kernel_version.index numbers. */
typedef void tile_embedded_grid_function(uint32_t version, void *const *arguments,
                                         tile_embedded_grid *out);

/* One kernel of a generated source. All borrowed, static. */
typedef struct tile_embedded_kernel {
  const char *name;
  const char *parameters;            /* one letter a parameter: the kind it was compiled for; see
                                        tile_embedded_get */
  tile_embedded_grid_function *grid; /* NULL: launches say the grid */
  const char *grid_text;             /* the expression, for messages */
} tile_embedded_kernel;

/* One generated source. */
typedef struct tile_embedded {
  const char *name;  /* for messages */
  const void *image; /* what tile_image_parse reads */
  size_t size;
  const tile_embedded_kernel *kernels;
  uint32_t kernel_count;
  uint32_t number; /* the runtime's; 0 at first */
} tile_embedded;

/* The kernel of that index on a device, loaded if it has not been; borrowed from the device.
   Errors: those of tile_image_parse and tile_module_load; TILE_BAD_IMAGE when the image is not the
   one that the source was written with; TILE_INVALID_ARGUMENT for an index that is not there. */
TILE_RESULT tile_status tile_embedded_get(tile_embedded *embedded, uint32_t kernel,
                                          tile_device *device, tile_kernel **out);

/* Launches. Argument i is read through arguments[i], as with cuLaunchKernel. With a `grid` of NULL
   the kernel's own expression is computed. Errors: those of tile_embedded_get and
   tile_launch_pointers; TILE_INVALID_ARGUMENT for a grid that overflows, is below one or too large.
   */
TILE_RESULT tile_status tile_embedded_launch(tile_embedded *embedded, uint32_t kernel,
                                             tile_device *device, tile_stream *stream,
                                             const uint32_t grid[3], void *const *arguments);

/* Unloads what was loaded on the device, if it was. A later launch loads it again. */
TILE_EXPORT void tile_embedded_unload(tile_embedded *embedded, tile_device *device);

/* --- Arithmetic of grids and conditions ----------------------------------------------------------
   Python's meaning, in 64 bits. `*bad` becomes true where the result does not fit or the divisor is
   zero. */

static inline int64_t tile_int_add(bool *bad, int64_t a, int64_t b) {
  if (b > 0 ? a > INT64_MAX - b : a < INT64_MIN - b) {
    *bad = true;
    return 0;
  }
  return a + b;
}
static inline int64_t tile_int_subtract(bool *bad, int64_t a, int64_t b) {
  if (b > 0 ? a < INT64_MIN + b : a > INT64_MAX + b) {
    *bad = true;
    return 0;
  }
  return a - b;
}
static inline int64_t tile_int_multiply(bool *bad, int64_t a, int64_t b) {
  bool fits = a == 0 || b == 0 || a == 1 || b == 1;
  if (!fits && a > 0)
    fits = b > 0 ? a <= INT64_MAX / b : b >= INT64_MIN / a;
  else if (!fits) /* INT64_MIN * -1 is a <= ... below */
    fits = b > 0 ? a >= INT64_MIN / b : a >= -INT64_MAX && b >= -INT64_MAX && -a <= INT64_MAX / -b;
  if (!fits) {
    *bad = true;
    return 0;
  }
  return a * b;
}
/* a // b: rounded down. */
static inline int64_t tile_int_divide(bool *bad, int64_t a, int64_t b) {
  if (b == 0 || (b == -1 && a == INT64_MIN)) {
    *bad = true;
    return 0;
  }
  return a / b - (a % b != 0 && (a % b < 0) != (b < 0));
}
/* a % b: of the sign of b. */
static inline int64_t tile_int_modulo(bool *bad, int64_t a, int64_t b) {
  if (b == 0) {
    *bad = true;
    return 0;
  }
  return b == -1 ? 0 : a % b + (a % b != 0 && (a % b < 0) != (b < 0) ? b : 0);
}
/* cdiv(a, b): rounded up. */
static inline int64_t tile_int_divide_up(bool *bad, int64_t a, int64_t b) {
  if (b == 0 || (b == -1 && a == INT64_MIN)) {
    *bad = true;
    return 0;
  }
  return a / b + (a % b != 0 && (a % b < 0) == (b < 0));
}
static inline int64_t tile_int_minimum(bool *bad, int64_t a, int64_t b) {
  (void)bad;
  return a < b ? a : b;
}
static inline int64_t tile_int_maximum(bool *bad, int64_t a, int64_t b) {
  (void)bad;
  return a > b ? a : b;
}
/* An unsigned argument of 64 bits. */
static inline int64_t tile_int_of_u64(bool *bad, uint64_t a) {
  if (a > INT64_MAX)
    *bad = true;
  return a > INT64_MAX ? 0 : (int64_t)a;
}

#ifdef __cplusplus
}
#endif
#endif
