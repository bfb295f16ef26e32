/* add_kernel as an image that nothing compiled: for drivers that run no kernels. */
#ifndef TILE_TEST_RUNTIME_PLAIN_KERNEL_H
#define TILE_TEST_RUNTIME_PLAIN_KERNEL_H

#include <string.h>
#include "tile/runtime.h"

#define PLAIN_PTX                                                                                  \
  ".version 8.0\n.target sm_80\n.address_size 64\n"                                                \
  ".visible .entry add_kernel(.param .u64 x, .param .u64 y, .param .u64 o, .param .u32 n)\n"       \
  "{ ret; }\n"

static inline tile_status load_plain(tile_device *device, tile_module **out) {
  static const tile_parameter parameters[] = {{"x", "f32", TILE_ARGUMENT_POINTER, 16},
                                              {"y", "f32", TILE_ARGUMENT_POINTER, 16},
                                              {"out", "f32", TILE_ARGUMENT_POINTER, 16},
                                              {"n", "i32", TILE_ARGUMENT_I32, 16}};
  static const tile_kernel_info info = {.name = "add_kernel",
                                        .target = "sm_80",
                                        .ptx_isa = "8.0",
                                        .minimum_driver = 11000,
                                        .num_warps = 4,
                                        .threads = 128,
                                        .parameters = parameters,
                                        .parameter_count = 4};
  tile_image image = {.format = TILE_IMAGE_PTX,
                      .data = PLAIN_PTX,
                      .size = strlen(PLAIN_PTX),
                      .kernels = &info,
                      .kernel_count = 1};
  return tile_module_load(device, &image, out);
}

#endif
