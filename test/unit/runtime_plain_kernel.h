/* SPDX-License-Identifier: MIT */
/* add_kernel as an image that nothing compiled: for drivers that run no kernels. */
#ifndef TILE_TEST_RUNTIME_PLAIN_KERNEL_H
#define TILE_TEST_RUNTIME_PLAIN_KERNEL_H

#include <string.h>
#include "tile/runtime.h"

#define PLAIN_PTX                                                                                  \
  ".version 8.0\n.target sm_80\n.address_size 64\n"                                                \
  ".visible .entry add_kernel(.param .u64 x, .param .u64 y, .param .u64 o, .param .u32 n)\n"       \
  "{ ret; }\n"

/* An image of one section, one kernel, one version, to be changed; plain_link puts it together
   again after a copy. */
struct plain_image {
  tile_section section;
  tile_kernel_version version;
  tile_kernel_info info;
  tile_image image;
};

static inline tile_image *plain_link(struct plain_image *plain) {
  plain->info.versions = &plain->version;
  plain->info.version_count = 1;
  plain->image = (tile_image){&plain->section, 1, &plain->info, 1};
  return &plain->image;
}

/* A kernel of 32 threads without parameters, as PTX for any device. */
static inline struct plain_image plain_image(const char *kernel, const char *ptx) {
  return (struct plain_image){
      .section = {.format = TILE_IMAGE_PTX, .target = "", .data = ptx, .size = strlen(ptx)},
      .version = {.num_warps = 1, .threads = 32},
      .info = {.name = kernel}};
}

static inline tile_status plain_load(struct plain_image *plain, tile_device *device,
                                     tile_module **out) {
  return tile_module_load(device, plain_link(plain), out);
}

static inline tile_status load_plain(tile_device *device, tile_module **out) {
  static const tile_parameter parameters[] = {{"x", "f32", TILE_ARGUMENT_POINTER, 16},
                                              {"y", "f32", TILE_ARGUMENT_POINTER, 16},
                                              {"out", "f32", TILE_ARGUMENT_POINTER, 16},
                                              {"n", "i32", TILE_ARGUMENT_I32, 16}};
  struct plain_image plain = plain_image("add_kernel", PLAIN_PTX);
  plain.section.target = "sm_80";
  plain.section.ptx_isa = "8.0";
  plain.section.minimum_driver = 11000;
  plain.version.num_warps = 4;
  plain.version.threads = 128;
  plain.info.parameters = parameters;
  plain.info.parameter_count = 4;
  return plain_load(&plain, device, out);
}

#endif
