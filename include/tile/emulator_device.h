/* SPDX-License-Identifier: MIT */
/* The emulator as a device of the runtime: kernels compiled with tile_compile_for_device run on the
   host, on the same calls as on a GPU, with every access checked. Comes with libtile. */
#ifndef TILE_EMULATOR_DEVICE_H
#define TILE_EMULATOR_DEVICE_H

#include "tile/emulator.h"
#include "tile/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Has one device, with default options. */
TILE_EXPORT const tile_driver *tile_emulator_driver(void);

/* Called on the launching thread after each launch; the report is borrowed for the call. */
typedef void tile_emulator_report_handler(void *context, const char *kernel,
                                          const tile_emulator_report *report);

/* Handlers may run on several threads at once when launches do. */
typedef struct tile_emulator_device_options {
  uint64_t seed;                           /* draws the order of blocks and threads */
  bool check;                              /* also look for races on global memory */
  uint32_t resident_blocks;                /* as of a launch (tile/emulator.h); 0: the default */
  tile_emulator_report_handler *on_report; /* or NULL; launches with hazards fail in any case */
  tile_emulator_progress *on_progress;     /* or NULL: after each block */
  void *context;                           /* for both */
} tile_emulator_device_options;

/* Opens a device of its own; `options`, which may be NULL, are copied. End it with
   tile_device_close. Kernels may access all live buffers of the device, each with a guard of 64 KiB
   on either side. Fresh memory is filled with 0xCB. */
TILE_RESULT tile_status tile_emulator_device_create(const tile_emulator_device_options *options,
                                                    tile_device **out);

/* Changes the options of an emulator's device, between launches. Does nothing on other devices. */
TILE_EXPORT void tile_emulator_device_configure(tile_device *device,
                                                const tile_emulator_device_options *options);

/* What reports call a buffer; without this it has the name of the kernel's parameter that points
   into it. The name is copied, up to 31 bytes. Does nothing on other devices. */
TILE_EXPORT void tile_emulator_name_buffer(tile_buffer *buffer, const char *name);

#ifdef __cplusplus
}
#endif
#endif
