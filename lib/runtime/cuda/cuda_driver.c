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

tile_status cuda_device_count(int *out) {
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
  out->tensor_maps = cuda->tensor_map_encode != NULL;
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
  return CHECKED(state, "cuCtxGetDevice, in the context that the device is to live in",
                 context_device(&state->device));
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

tile_status cuda_device_open(int index, tile_device_properties *properties, void **out) {
  return cuda_device_make(index, NULL, properties, out);
}

/* The primary context may have been destroyed with its last reference, and must not stay current
   here then. Where others hold it, it is theirs to keep current. */
void cuda_device_close(void *handle) {
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

tile_status cuda_device_synchronize(void *handle) {
  return CHECKED(handle, "cuCtxSynchronize", context_synchronize());
}

/* --- Memory ----------------------------------------------------------------------------------- */

tile_status cuda_memory_free_bytes(void *handle, uint64_t *out) {
  size_t free_bytes = 0, total;
  tile_status status = CHECKED(handle, "cuMemGetInfo", memory_info(&free_bytes, &total));
  *out = free_bytes;
  return status;
}

tile_status cuda_memory_allocate(void *handle, size_t bytes, uint64_t *out) {
  cuda_address address = 0;
  tile_status status = CHECKED(handle, "cuMemAlloc", memory_allocate(&address, bytes));
  *out = address;
  return status;
}

void cuda_memory_free(void *handle, uint64_t address) {
  IN_CONTEXT(handle, memory_free(address));
}

/* Host memory may be pageable or pinned, and only a synchronisation covers both. */
tile_status cuda_memory_write(void *handle, uint64_t to, const void *from, size_t bytes,
                              void *stream) {
  TRY(cuda_check_capture(handle, stream, "tile_buffer_write", "use tile_buffer_write_async"));
  TRY(CHECKED(handle, "cuMemcpyHtoDAsync", memory_write(to, from, bytes, stream)));
  return CHECKED(handle, "cuStreamSynchronize after a copy to the device",
                 stream_synchronize(stream));
}

tile_status cuda_memory_read(void *handle, void *to, uint64_t from, size_t bytes, void *stream) {
  TRY(cuda_check_capture(handle, stream, "tile_buffer_read", "use tile_buffer_read_async"));
  TRY(CHECKED(handle, "cuMemcpyDtoHAsync", memory_read(to, from, bytes, stream)));
  return CHECKED(handle, "cuStreamSynchronize after a copy from the device",
                 stream_synchronize(stream));
}

tile_status cuda_memory_copy(void *handle, uint64_t to, uint64_t from, size_t bytes, void *stream) {
  return CHECKED(handle, "cuMemcpyDtoDAsync", memory_copy(to, from, bytes, stream));
}

tile_status cuda_memory_fill(void *handle, uint64_t to, uint8_t value, size_t bytes, void *stream) {
  return CHECKED(handle, "cuMemsetD8Async", memory_fill(to, value, bytes, stream));
}

/* --- Streams and events ----------------------------------------------------------------------- */

tile_status cuda_stream_create(void *handle, void **out) {
  return CHECKED(handle, "cuStreamCreate",
                 stream_create((cuda_stream *)out, CUDA_STREAM_NON_BLOCKING));
}

void cuda_stream_destroy(void *handle, void *stream) {
  IN_CONTEXT(handle, stream_destroy(stream));
}

tile_status cuda_stream_synchronize(void *handle, void *stream) {
  TRY(cuda_check_capture(handle, stream, "tile_stream_synchronize", "wait when the graph runs"));
  return CHECKED(handle, "cuStreamSynchronize", stream_synchronize(stream));
}

tile_status cuda_stream_wait(void *handle, void *stream, void *event) {
  return CHECKED(handle, "cuStreamWaitEvent", stream_wait(stream, event, 0));
}

tile_status cuda_event_create(void *handle, void **out) {
  return CHECKED(handle, "cuEventCreate", event_create((cuda_event *)out, 0));
}

void cuda_event_destroy(void *handle, void *event) {
  IN_CONTEXT(handle, event_destroy(event));
}

tile_status cuda_event_record(void *handle, void *event, void *stream) {
  return CHECKED(handle, "cuEventRecord", event_record(event, stream));
}

tile_status cuda_event_synchronize(void *handle, void *event) {
  return CHECKED(handle, "cuEventSynchronize", event_synchronize(event));
}

tile_status cuda_event_done(void *handle, void *event, bool *out) {
  struct cuda_device_state *device = handle;
  cuda_result result = IN_CONTEXT(device, event_query(event));
  *out = result != CUDA_NOT_READY;
  return *out ? cuda_check(device->cuda, result, "cuEventQuery") : NULL;
}

tile_status cuda_event_elapsed(void *handle, void *start, void *end, double *out) {
  float milliseconds = 0;
  tile_status status =
      CHECKED(handle, "cuEventElapsedTime", event_elapsed(&milliseconds, start, end));
  *out = milliseconds;
  return status;
}

static const struct runtime_driver cuda_driver = {
    .name = "cuda",
#define DRIVER(result, name, parameters) .name = cuda_##name,
#include "runtime/driver.def"
};

const tile_driver *tile_cuda_driver(void) {
  return &cuda_driver;
}
