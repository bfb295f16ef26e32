/* SPDX-License-Identifier: MIT */
/* NVIDIA's libraries as providers: opened at run time, so that nothing is linked with them. */
#ifndef TILE_BENCH_LIBRARY_H
#define TILE_BENCH_LIBRARY_H

#include <stddef.h>
#include "tile/runtime.h"

/* A function, and where its pointer goes: bytes from the beginning of `out`. */
struct bench_function {
  const char *name;
  size_t offset;
};

struct bench_library {
  const char *title;        /* "cuBLAS" */
  const char *variable;     /* of the environment, names a file to take in place of `names` */
  const char *file;         /* that the variable names, for messages: "libcublasLt.so" */
  const char *const *names; /* tried in this order; ends at NULL */
  const struct bench_function *functions;
  size_t function_count;
};

/* Opens the library and finds its functions. *out_handle is for dlclose, also after an error; NULL
   when none was opened. The library takes the device's context, which is current on this thread and
   stays so (tile_device_open). TILE_NO_DEVICE when the device is no GPU, there is no library, or it
   lacks a function. */
tile_status bench_library_open(const struct bench_library *library, const tile_device *device,
                               void **out_handle, void *out);

#endif
