/* An open CUDA device. */
#ifndef TILE_RUNTIME_CUDA_DEVICE_H
#define TILE_RUNTIME_CUDA_DEVICE_H

#include "runtime/cuda/cuda_api.h"
#include "runtime/driver.h"

struct cuda_device_state {
  const struct cuda_api *cuda; /* borrowed: lives for ever */
  cuda_context context;        /* the device's primary context, retained */
  cuda_device device;
};

/* Makes the device's context current for one call; cuda_leave restores what was there before. A
   thread without a context keeps ours, and then, as on later calls, both cost one look-up. */
static inline cuda_result cuda_enter(const struct cuda_device_state *device, bool *pushed) {
  cuda_context current = NULL;
  *pushed = false;
  cuda_result result = device->cuda->context_current(&current);
  if (result != CUDA_SUCCESS || current == device->context)
    return result;
  if (!current)
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

/* cuda_module.c */
tile_status cuda_module_load(void *device, const tile_section *section, void **out);
void cuda_module_unload(void *device, void *module);
tile_status cuda_module_function(void *device, void *module, const struct runtime_version *version,
                                 void **out);
tile_status cuda_launch(void *device, const struct runtime_launch *launch);

#endif
