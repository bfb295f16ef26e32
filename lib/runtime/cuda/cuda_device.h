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

/* What the driver's function returns, called in the context of `handle`, a device:
   IN_CONTEXT(handle, memory_free(address)). */
#define IN_CONTEXT(handle, call)                                                                   \
  ({                                                                                               \
    const struct cuda_device_state *device_ = (handle);                                            \
    bool pushed_;                                                                                  \
    cuda_result result_ = cuda_enter(device_, &pushed_);                                           \
    if (result_ == CUDA_SUCCESS)                                                                   \
      result_ = device_->cuda->call;                                                               \
    cuda_leave(device_, pushed_);                                                                  \
    result_;                                                                                       \
  })

/* The same as a status, which names the function and the driver's error. */
#define CHECKED(handle, name, call)                                                                \
  cuda_check(((const struct cuda_device_state *)(handle))->cuda, IN_CONTEXT(handle, call), name)

/* cuda_driver.c: opens a device whose context is `context`, or the primary one of device `index` if
   that is NULL. */
tile_status cuda_device_make(int index, cuda_context context, tile_device_properties *properties,
                             void **out);

/* cuda_host.c: refuses a stream that is being captured into a graph, before a call that waits
   spoils the capture. `instead` is what to do. */
tile_status cuda_check_capture(const struct cuda_device_state *device, void *stream,
                               const char *doing, const char *instead);

/* The rows of driver.def: cuda_device_open, ... */
#define DRIVER(result, name, parameters) result cuda_##name parameters;
#include "runtime/driver.def"

#endif
