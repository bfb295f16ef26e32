/* SPDX-License-Identifier: MIT */
/* Subjects for tests of tile/interop.h: the drivers with the vector addition loaded, and libcuda's
   own functions as another library of the process would call them, from fake_cuda.c. */
#ifndef TILE_TEST_INTEROP_FIXTURE_H
#define TILE_TEST_INTEROP_FIXTURE_H

#include "runtime_conformance.h"
#include "runtime_plain_kernel.h"

#include <dlfcn.h>
#include "base/files.h"
#include "tile/compiler.h"
#include "tile/interop.h"

/* vector_add.mlir, compiled for the device and a target; NULL: the default one. */
static inline tile_status load_compiled_for(tile_device *device, const char *target,
                                            tile_module **out) {
  struct text source = {0};
  tile_compiler *compiler;
  tile_compile_options options = tile_compile_options_default();
  if (target)
    options.target = target;
  tile_status status = file_read(TILE_SOURCE_DIRECTORY "/test/kernels/vector_add.mlir", &source);
  if (!status)
    status = tile_compiler_create(&compiler);
  if (!status) {
    status = tile_compile_for_device(compiler, "vector_add.mlir", source.data, source.length,
                                     &options, device, out);
    tile_compiler_destroy(compiler);
  }
  text_free(&source);
  return status;
}

static inline tile_status load_compiled(tile_device *device, tile_module **out) {
  return load_compiled_for(device, NULL, out);
}

static const struct subject null = {.name = "null", .driver = tile_null_driver, .load = load_plain};
static const struct subject fake = {.name = "fake", .driver = tile_cuda_driver, .load = load_plain};
static const struct subject emulator = {
    .name = "emulator", .driver = tile_emulator_driver, .load = load_compiled, .computes = true};

/* A function of the fake libcuda, as the process's other libraries see it. */
static inline void *fake_symbol(const char *name) {
  void *library = dlopen(FAKE_CUDA_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  void *symbol = library ? dlsym(library, name) : NULL;
  if (!symbol) {
    printf("%s: %s is missing\n", FAKE_CUDA_LIBRARY, name);
    exit(1);
  }
  dlclose(library); /* the driver holds it */
  return symbol;
}

/* CALL(cuCtxSetCurrent, int (*)(void *))(context) */
#define CALL(name, type) ((type)fake_symbol(#name))

#endif
