/* SPDX-License-Identifier: MIT */
/* Contexts and memory that exist already, pinned memory of the host, asynchronous copies. */
#include <inttypes.h>
#include "base/status.h"
#include "runtime/cuda/cuda_device.h"

tile_status cuda_context_open(void *context, tile_device_properties *properties, void **out) {
  const struct cuda_api *cuda;
  cuda_context current = context;
  TRY(cuda_open(&cuda));
  if (!current)
    TRY(cuda_check(cuda, cuda->context_current(&current), "cuCtxGetCurrent"));
  if (!current)
    return FAIL(TILE_INVALID_ARGUMENT,
                "no CUDA context is current on this thread; pass one, or open a device by its "
                "number (tile_device_open)");
  return cuda_device_make(0, current, properties, out);
}

void *cuda_native_context(const void *device) {
  return ((const struct cuda_device_state *)device)->context;
}

/* --- Memory that exists ----------------------------------------------------------------------- */

/* What kind of memory an address is; false when the driver does not know it. */
static bool memory_type(const struct cuda_device_state *device, uint64_t address, unsigned *type) {
  cuda_result result =
      IN_CONTEXT(device, pointer_attribute(type, CUDA_POINTER_MEMORY_TYPE, address));
  return result == CUDA_SUCCESS;
}

/* An address that the driver does not know is one that a kernel breaks at, and the context with it.
 */
tile_status cuda_memory_wrap(void *handle, uint64_t address, size_t bytes) {
  struct cuda_device_state *device = handle;
  unsigned type;
  const uint64_t ends[] = {address, address + bytes - 1};
  for (int i = 0; i < 2 && !device->pageable; i++)
    if (!memory_type(device, ends[i], &type))
      return FAIL(TILE_INVALID_ARGUMENT,
                  "the CUDA driver does not know the address 0x%" PRIx64
                  ", the %s of %zu bytes to be wrapped: it is neither "
                  "device memory nor memory of the host that is pinned",
                  ends[i], i ? "last" : "first", bytes);
  return NULL;
}

void cuda_memory_unwrap(void *handle, uint64_t address, size_t bytes) {
  (void)handle, (void)address, (void)bytes;
}

/* --- Pinned memory ---------------------------------------------------------------------------- */

tile_status cuda_pinned_allocate(void *handle, size_t bytes, void **out) {
  return CHECKED(handle, "cuMemHostAlloc", host_allocate(out, bytes, CUDA_HOST_PORTABLE));
}

void cuda_pinned_free(void *handle, void *memory) {
  IN_CONTEXT(handle, host_free(memory));
}

tile_status cuda_pinned_register(void *handle, void *memory, size_t bytes) {
  struct cuda_device_state *device = handle;
  cuda_result result = IN_CONTEXT(device, host_register(memory, bytes, CUDA_HOST_PORTABLE));
  if (result == CUDA_HOST_MEMORY_REGISTERED)
    return FAIL(TILE_INVALID_ARGUMENT,
                "some of the %zu bytes at %p are pinned already; use tile_pinned_wrap", bytes,
                memory);
  return cuda_check(device->cuda, result, "cuMemHostRegister");
}

void cuda_pinned_unregister(void *handle, void *memory, size_t bytes) {
  (void)bytes;
  IN_CONTEXT(handle, host_unregister(memory));
}

tile_status cuda_pinned_check(void *handle, void *memory, size_t bytes) {
  uint64_t address = (uintptr_t)memory;
  const uint64_t ends[] = {address, address + bytes - 1};
  for (int i = 0; i < 2; i++) {
    unsigned type = 0;
    if (!memory_type(handle, ends[i], &type) || type != CUDA_MEMORY_HOST)
      return FAIL(TILE_INVALID_ARGUMENT,
                  "the CUDA driver says that the %s of %zu bytes at %p is not pinned memory of the "
                  "host; pin it with "
                  "tile_pinned_register",
                  i ? "last" : "first", bytes, memory);
  }
  return NULL;
}

/* --- Copies ----------------------------------------------------------------------------------- */

tile_status cuda_memory_write_async(void *handle, uint64_t to, const void *from, size_t bytes,
                                    void *stream) {
  return CHECKED(handle, "cuMemcpyHtoDAsync", memory_write(to, from, bytes, stream));
}

tile_status cuda_memory_read_async(void *handle, void *to, uint64_t from, size_t bytes,
                                   void *stream) {
  return CHECKED(handle, "cuMemcpyDtoHAsync", memory_read(to, from, bytes, stream));
}

/* --- Capture ---------------------------------------------------------------------------------- */

tile_status cuda_check_capture(const struct cuda_device_state *device, void *stream,
                               const char *doing, const char *instead) {
  int capturing = 0;
  cuda_result result = IN_CONTEXT(device, stream_is_capturing(stream, &capturing));
  if (result >= CUDA_FIRST_CAPTURE && result <= CUDA_LAST_CAPTURE)
    return cuda_check(device->cuda, result, doing);
  if (result != CUDA_SUCCESS) /* the call that follows says what is wrong */
    return NULL;
  return capturing ? FAIL(TILE_INVALID_ARGUMENT,
                          "%s: the stream is being captured into a CUDA graph; %s", doing, instead)
                   : NULL;
}

bool cuda_stream_captures(void *handle, void *stream) {
  const struct cuda_device_state *device = handle;
  int capturing = 0;
  return IN_CONTEXT(device, stream_is_capturing(stream, &capturing)) != CUDA_SUCCESS || capturing;
}
