/* SPDX-License-Identifier: MIT */
/* What the examples share: devices, kernels, and their ends. */
#ifndef EXAMPLES_COMMON_H
#define EXAMPLES_COMMON_H

#include <stdio.h>
#include <stdlib.h>
#include <tile/compiler.h>
#include <tile/interop.h>

#define TRY(call)                                                                                  \
  do {                                                                                             \
    tile_status status_ = (call);                                                                  \
    if (status_)                                                                                   \
      return status_;                                                                              \
  } while (0)

/* A block of 1024 elements. */
#define AXPY_SIGNATURE "*fp32:16, *fp32:16, *fp32:16, fp32, i32, 1024"

static inline uint32_t axpy_blocks(size_t n) {
  return (uint32_t)((n + 1023) / 1024);
}

/* Compiles a kernel of the file for the device; its module lives as long as it is used. */
static inline tile_status load_kernel(const char *path, const char *name, const char *signature,
                                      tile_device *device, tile_module **module) {
  static char text[1 << 16];
  FILE *file = fopen(path, "r");
  size_t length = file ? fread(text, 1, sizeof text, file) : 0;
  if (file)
    fclose(file);
  tile_import_options import = {.kernel = name, .signature = signature};
  tile_compile_options options = tile_compile_options_default();
  tile_compiler *compiler;
  tile_blob mlir = {0};
  TRY(tile_compiler_create(&compiler));
  tile_status status = tile_import_triton(compiler, path, text, length, &import, &mlir);
  if (!status)
    status =
        tile_compile_for_device(compiler, path, mlir.data, mlir.size, &options, device, module);
  free(mlir.data);
  tile_compiler_destroy(compiler);
  return status;
}

/* Is `out` a * x + y? */
static inline tile_status compare_axpy(const float *out, const float *x, const float *y, float a,
                                       size_t n) {
  for (size_t i = 0; i < n; i++)
    if (out[i] != a * x[i] + y[i])
      return tile_status_make(TILE_INTERNAL, "example", "element %zu is %g, not %g", i, out[i],
                              a * x[i] + y[i]);
  return NULL;
}

/* What main returns: 0 for success, 77 where there is no GPU and the example needs one. */
static inline int end(tile_status status) {
  tile_code code = tile_status_code(status);
  printf("%s\n", status ? tile_status_message(status) : "right");
  tile_status_free(status);
  return code == TILE_OK ? 0 : code == TILE_NO_DEVICE ? 77 : 1;
}

#endif
