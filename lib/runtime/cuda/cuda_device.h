/* SPDX-License-Identifier: MIT */
/* An open CUDA device. */
#ifndef TILE_RUNTIME_CUDA_DEVICE_H
#define TILE_RUNTIME_CUDA_DEVICE_H

#include "runtime/cuda/cuda_api.h"
#include "runtime/driver.h"

struct cuda_device_state {
  const struct cuda_api *cuda; /* borrowed: lives for ever */
  cuda_context context;        /* the device's primary context, retained; or a borrowed one */
  bool borrowed;
  bool pageable; /* kernels may access all memory of the host */
  cuda_device device;
};

/* Makes the device's context current for one call; cuda_leave restores what was there before. A
   thread without a context keeps the primary one, and then, as on later calls, both cost one
   look-up. A borrowed one may be destroyed by its owner, and stays nowhere. */
static inline cuda_result cuda_enter(const struct cuda_device_state *device, bool *pushed) {
  cuda_context current = NULL;
  *pushed = false;
  cuda_result result = device->cuda->context_current(&current);
  if (result != CUDA_SUCCESS || current == device->context)
    return result;
  if (!current && !device->borrowed)
    return device->cuda->context_set_current(device->context);
  result = device->cuda->context_push(device->context);
  *pushed = result == CUDA_SUCCESS;
  return result;
}

static inline void cuda_leave(const struct cuda_device_state *device, bool pushed) {
  cuda_context ours;
  if (pushed)
    device->cuda->context_pop(&ours);
}

/* result = the driver's `call`, made in the device's context. */
#define IN_CONTEXT(device, result, call)                                                           \
  do {                                                                                             \
    bool pushed_;                                                                                  \
    (result) = cuda_enter((device), &pushed_);                                                     \
    if ((result) == CUDA_SUCCESS)                                                                  \
      (result) = (call);                                                                           \
    cuda_leave((device), pushed_);                                                                 \
  } while (0)

/* cuda_driver.c: opens a device whose context is `context`, or the primary one of device `index` if
   that is NULL. */
tile_status cuda_device_make(int index, cuda_context context, tile_device_properties *properties,
                             void **out);

/* cuda_host.c: refuses a stream that is being captured into a graph, before a call that waits
   spoils the capture. `instead` is what to do. */
tile_status cuda_check_capture(const struct cuda_device_state *device, void *stream,
                               const char *doing, const char *instead);

tile_status cuda_context_open(void *context, tile_device_properties *properties, void **out);
void *cuda_native_context(const void *device);
tile_status cuda_memory_wrap(void *device, uint64_t address, size_t bytes);
void cuda_memory_unwrap(void *device, uint64_t address, size_t bytes);
tile_status cuda_pinned_allocate(void *device, size_t bytes, void **out);
void cuda_pinned_free(void *device, void *memory);
tile_status cuda_pinned_register(void *device, void *memory, size_t bytes);
void cuda_pinned_unregister(void *device, void *memory, size_t bytes);
tile_status cuda_pinned_check(void *device, void *memory, size_t bytes);
tile_status cuda_memory_write_async(void *device, uint64_t to, const void *from, size_t bytes,
                                    void *stream);
tile_status cuda_memory_read_async(void *device, void *to, uint64_t from, size_t bytes,
                                   void *stream);

/* cuda_module.c */
tile_status cuda_module_load(void *device, const tile_section *section, void **out);
void cuda_module_unload(void *device, void *module);
tile_status cuda_module_function(void *device, void *module, const struct runtime_version *version,
                                 void **out);
tile_status cuda_function_resources(void *device, const struct runtime_version *version,
                                    void *function, tile_kernel_resources *out);
tile_status cuda_launch(void *device, const struct runtime_launch *launch);

#endif
