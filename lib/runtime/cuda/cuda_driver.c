/* SPDX-License-Identifier: MIT */
/* The CUDA driver: devices, memory, streams and events, one call of libcuda each. Modules and
   launches are in cuda_module.c, what exists already and host memory in cuda_host.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/machine.h"
#include "base/status.h"
#include "runtime/cuda/cuda_device.h"

/* --- Devices ---------------------------------------------------------------------------------- */

static tile_status cuda_device_count(int *out) {
  const struct cuda_api *cuda;
  TRY(cuda_open(&cuda));
  TRY(cuda_check(cuda, cuda->device_count(out), "cuDeviceGetCount"));
  return *out > 0 ? NULL : FAIL(TILE_NO_DEVICE, "the CUDA driver finds no GPU");
}

static void choose_target(int capability, char *out, size_t size) {
  const struct machine *machine = machine_for_capability(capability);
  if (machine)
    snprintf(out, size, "%s", machine->name);
  else
    snprintf(out, size, "sm_%d", capability);
}

static tile_status read_properties(const struct cuda_api *cuda, cuda_device device,
                                   tile_device_properties *out) {
  const struct {
    int attribute, *value;
  } wanted[] = {{CUDA_COMPUTE_MAJOR, &out->compute_major},
                {CUDA_COMPUTE_MINOR, &out->compute_minor},
                {CUDA_MULTIPROCESSORS, &out->multiprocessors},
                {CUDA_L2_BYTES, &(int){0}},
                {CUDA_SHARED_BYTES_OPTIN, &(int){0}}};
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
    TRY(cuda_check(cuda, cuda->device_attribute(wanted[i].value, wanted[i].attribute, device),
                   "cuDeviceGetAttribute"));
  out->l2_bytes = (uint64_t)*wanted[3].value;
  out->shared_bytes = (uint32_t)*wanted[4].value;
  size_t memory;
  TRY(cuda_check(cuda, cuda->device_memory(&memory, device), "cuDeviceTotalMem"));
  out->memory_bytes = memory;
  TRY(cuda_check(cuda, cuda->driver_version(&out->driver_version), "cuDriverGetVersion"));
  out->image_formats = 1u << TILE_IMAGE_PTX | 1u << TILE_IMAGE_CUBIN;
  choose_target(out->compute_major * 10 + out->compute_minor, out->target, sizeof out->target);
  return cuda_check(cuda, cuda->device_name(out->name, (int)sizeof out->name, device),
                    "cuDeviceGetName");
}

static tile_status fill_device(struct cuda_device_state *state,
                               tile_device_properties *properties) {
  const struct cuda_api *cuda = state->cuda;
  int pageable = 0;
  TRY(read_properties(cuda, state->device, properties));
  TRY(cuda_check(cuda,
                 cuda->device_attribute(&pageable, CUDA_PAGEABLE_MEMORY_ACCESS, state->device),
                 "cuDeviceGetAttribute"));
  state->pageable = pageable;
  return state->borrowed ? NULL
                         : cuda_check(cuda, cuda->context_retain(&state->context, state->device),
                                      "cuDevicePrimaryCtxRetain");
}

static tile_status find_device(struct cuda_device_state *state, int index) {
  const struct cuda_api *cuda = state->cuda;
  if (!state->borrowed)
    return cuda_check(cuda, cuda->device_get(&state->device, index), "cuDeviceGet");
  cuda_result result;
  IN_CONTEXT(state, result, cuda->context_device(&state->device));
  return cuda_check(cuda, result, "cuCtxGetDevice, in the context that the device is to live in");
}

tile_status cuda_device_make(int index, cuda_context context, tile_device_properties *properties,
                             void **out) {
  const struct cuda_api *cuda;
  TRY(cuda_open(&cuda));
  struct cuda_device_state *state = calloc(1, sizeof *state);
  if (!state)
    return FAIL(TILE_OUT_OF_MEMORY, "no memory for a device");
  *state =
      (struct cuda_device_state){.cuda = cuda, .context = context, .borrowed = context != NULL};
  tile_status status = find_device(state, index);
  if (!status)
    status = fill_device(state, properties);
  if (status)
    free(state);
  else
    *out = state;
  return status;
}

static tile_status cuda_device_open(int index, tile_device_properties *properties, void **out) {
  return cuda_device_make(index, NULL, properties, out);
}

/* The primary context may have been destroyed with its last reference, and must not stay current
   here then. Where others hold it, it is theirs to keep current. */
static void cuda_device_close(void *handle) {
  struct cuda_device_state *device = handle;
  const struct cuda_api *cuda = device->cuda;
  cuda_context current = NULL;
  unsigned flags = 0;
  int active = 0;
  if (!device->borrowed) {
    bool ours = cuda->context_current(&current) == CUDA_SUCCESS && current == device->context;
    cuda->context_release(device->device);
    bool lives = cuda->context_state(device->device, &flags, &active) == CUDA_SUCCESS && active;
    if (ours && !lives)
      cuda->context_set_current(NULL);
  }
  free(device);
}

static tile_status cuda_device_synchronize(void *handle) {
  struct cuda_device_state *device = handle;
  cuda_result result;
  IN_CONTEXT(device, result, device->cuda->context_synchronize());
  return cuda_check(device->cuda, result, "cuCtxSynchronize");
}

/* --- Memory ----------------------------------------------------------------------------------- */

static tile_status cuda_memory_free_bytes(void *handle, uint64_t *out) {
  struct cuda_device_state *device = handle;
  size_t free_bytes = 0, total;
  cuda_result result;
  IN_CONTEXT(device, result, device->cuda->memory_info(&free_bytes, &total));
  *out = free_bytes;
  return cuda_check(device->cuda, result, "cuMemGetInfo");
}

static tile_status cuda_memory_allocate(void *handle, size_t bytes, uint64_t *out) {
  struct cuda_device_state *device = handle;
  cuda_address address = 0;
  cuda_result result;
  IN_CONTEXT(device, result, device->cuda->memory_allocate(&address, bytes));
  *out = address;
  return cuda_check(device->cuda, result, "cuMemAlloc");
}

static void cuda_memory_free(void *handle, uint64_t address) {
  struct cuda_device_state *device = handle;
  cuda_result ignored;
  IN_CONTEXT(device, ignored, device->cuda->memory_free(address));
  (void)ignored;
}

/* Host memory may be pageable or pinned, and only a synchronisation covers both. */
static tile_status cuda_memory_write(void *handle, uint64_t to, const void *from, size_t bytes,
                                     void *stream) {
  struct cuda_device_state *device = handle;
  cuda_result result;
  TRY(cuda_check_capture(device, stream, "tile_buffer_write", "use tile_buffer_write_async"));
  IN_CONTEXT(device, result, device->cuda->memory_write(to, from, bytes, stream));
  TRY(cuda_check(device->cuda, result, "cuMemcpyHtoDAsync"));
  IN_CONTEXT(device, result, device->cuda->stream_synchronize(stream));
  return cuda_check(device->cuda, result, "cuStreamSynchronize after a copy to the device");
}

static tile_status cuda_memory_read(void *handle, void *to, uint64_t from, size_t bytes,
                                    void *stream) {
  struct cuda_device_state *device = handle;
  cuda_result result;
  TRY(cuda_check_capture(device, stream, "tile_buffer_read", "use tile_buffer_read_async"));
  IN_CONTEXT(device, result, device->cuda->memory_read(to, from, bytes, stream));
  TRY(cuda_check(device->cuda, result, "cuMemcpyDtoHAsync"));
  IN_CONTEXT(device, result, device->cuda->stream_synchronize(stream));
  return cuda_check(device->cuda, result, "cuStreamSynchronize after a copy from the device");
}

static tile_status cuda_memory_copy(void *handle, uint64_t to, uint64_t from, size_t bytes,
                                    void *stream) {
  struct cuda_device_state *device = handle;
  cuda_result result;
  IN_CONTEXT(device, result, device->cuda->memory_copy(to, from, bytes, stream));
  return cuda_check(device->cuda, result, "cuMemcpyDtoDAsync");
}

static tile_status cuda_memory_fill(void *handle, uint64_t to, uint8_t value, size_t bytes,
                                    void *stream) {
  struct cuda_device_state *device = handle;
  cuda_result result;
  IN_CONTEXT(device, result, device->cuda->memory_fill(to, value, bytes, stream));
  return cuda_check(device->cuda, result, "cuMemsetD8Async");
}

/* --- Streams and events ----------------------------------------------------------------------- */

static tile_status cuda_stream_create(void *handle, void **out) {
  struct cuda_device_state *device = handle;
  cuda_stream stream = NULL;
  cuda_result result;
  IN_CONTEXT(device, result, device->cuda->stream_create(&stream, CUDA_STREAM_NON_BLOCKING));
  *out = stream;
  return cuda_check(device->cuda, result, "cuStreamCreate");
}

static void cuda_stream_destroy(void *handle, void *stream) {
  struct cuda_device_state *device = handle;
  cuda_result ignored;
  IN_CONTEXT(device, ignored, device->cuda->stream_destroy(stream));
  (void)ignored;
}

static tile_status cuda_stream_synchronize(void *handle, void *stream) {
  struct cuda_device_state *device = handle;
  cuda_result result;
  TRY(cuda_check_capture(device, stream, "tile_stream_synchronize", "wait when the graph runs"));
  IN_CONTEXT(device, result, device->cuda->stream_synchronize(stream));
  return cuda_check(device->cuda, result, "cuStreamSynchronize");
}

static tile_status cuda_stream_wait(void *handle, void *stream, void *event) {
  struct cuda_device_state *device = handle;
  cuda_result result;
  IN_CONTEXT(device, result, device->cuda->stream_wait(stream, event, 0));
  return cuda_check(device->cuda, result, "cuStreamWaitEvent");
}

static tile_status cuda_event_create(void *handle, void **out) {
  struct cuda_device_state *device = handle;
  cuda_event event = NULL;
  cuda_result result;
  IN_CONTEXT(device, result, device->cuda->event_create(&event, 0));
  *out = event;
  return cuda_check(device->cuda, result, "cuEventCreate");
}

static void cuda_event_destroy(void *handle, void *event) {
  struct cuda_device_state *device = handle;
  cuda_result ignored;
  IN_CONTEXT(device, ignored, device->cuda->event_destroy(event));
  (void)ignored;
}

static tile_status cuda_event_record(void *handle, void *event, void *stream) {
  struct cuda_device_state *device = handle;
  cuda_result result;
  IN_CONTEXT(device, result, device->cuda->event_record(event, stream));
  return cuda_check(device->cuda, result, "cuEventRecord");
}

static tile_status cuda_event_synchronize(void *handle, void *event) {
  struct cuda_device_state *device = handle;
  cuda_result result;
  IN_CONTEXT(device, result, device->cuda->event_synchronize(event));
  return cuda_check(device->cuda, result, "cuEventSynchronize");
}

static tile_status cuda_event_done(void *handle, void *event, bool *out) {
  struct cuda_device_state *device = handle;
  cuda_result result;
  IN_CONTEXT(device, result, device->cuda->event_query(event));
  *out = result != CUDA_NOT_READY;
  return *out ? cuda_check(device->cuda, result, "cuEventQuery") : NULL;
}

static tile_status cuda_event_elapsed(void *handle, void *start, void *end, double *out) {
  struct cuda_device_state *device = handle;
  float milliseconds = 0;
  cuda_result result;
  IN_CONTEXT(device, result, device->cuda->event_elapsed(&milliseconds, start, end));
  *out = milliseconds;
  return cuda_check(device->cuda, result, "cuEventElapsedTime");
}

static const struct runtime_driver cuda_driver = {
    .name = "cuda",
    .device_count = cuda_device_count,
    .device_open = cuda_device_open,
    .device_close = cuda_device_close,
    .device_synchronize = cuda_device_synchronize,
    .memory_free_bytes = cuda_memory_free_bytes,
    .memory_allocate = cuda_memory_allocate,
    .memory_free = cuda_memory_free,
    .memory_write = cuda_memory_write,
    .memory_read = cuda_memory_read,
    .memory_copy = cuda_memory_copy,
    .memory_fill = cuda_memory_fill,
    .stream_create = cuda_stream_create,
    .stream_destroy = cuda_stream_destroy,
    .stream_synchronize = cuda_stream_synchronize,
    .stream_wait = cuda_stream_wait,
    .event_create = cuda_event_create,
    .event_destroy = cuda_event_destroy,
    .event_record = cuda_event_record,
    .event_synchronize = cuda_event_synchronize,
    .event_done = cuda_event_done,
    .event_elapsed = cuda_event_elapsed,
    .module_load = cuda_module_load,
    .module_unload = cuda_module_unload,
    .module_function = cuda_module_function,
    .launch = cuda_launch,
    .context_open = cuda_context_open,
    .native_context = cuda_native_context,
    .memory_wrap = cuda_memory_wrap,
    .memory_unwrap = cuda_memory_unwrap,
    .pinned_allocate = cuda_pinned_allocate,
    .pinned_free = cuda_pinned_free,
    .pinned_register = cuda_pinned_register,
    .pinned_unregister = cuda_pinned_unregister,
    .pinned_check = cuda_pinned_check,
    .memory_write_async = cuda_memory_write_async,
    .memory_read_async = cuda_memory_read_async,
    .function_resources = cuda_function_resources,
};

const tile_driver *tile_cuda_driver(void) {
  return &cuda_driver;
}
