/* SPDX-License-Identifier: MIT */
/* Pinned memory of the host, and asynchronous copies: tile/interop.h. */
#include "tile/interop.h"

#include <stdlib.h>
#include "base/status.h"
#include "runtime/objects.h"

enum origin { CREATED, REGISTERED, WRAPPED };

struct tile_pinned {
  tile_device *device; /* a counted reference */
  void *memory;        /* NULL for no bytes */
  size_t bytes;
  enum origin origin;
  atomic_bool used; /* by a copy that may still be on its way */
};

static tile_status acquire(const struct tile_pinned *pinned, void **memory) {
  const struct runtime_driver *driver = pinned->device->driver;
  void *device = pinned->device->handle;
  switch (pinned->origin) {
  case CREATED:
    return driver->pinned_allocate(device, pinned->bytes, memory);
  case REGISTERED:
    return driver->pinned_register(device, *memory, pinned->bytes);
  case WRAPPED:
    return driver->pinned_check(device, *memory, pinned->bytes);
  }
  return NULL;
}

static void release(const struct tile_pinned *pinned) {
  const struct runtime_driver *driver = pinned->device->driver;
  void *device = pinned->device->handle;
  if (pinned->bytes && pinned->origin == CREATED)
    driver->pinned_free(device, pinned->memory);
  if (pinned->bytes && pinned->origin == REGISTERED)
    driver->pinned_unregister(device, pinned->memory, pinned->bytes);
}

static tile_status make(const char *function, tile_device *device, void *memory, size_t bytes,
                        enum origin origin, tile_pinned **out) {
  TRY(REQUIRED_BY(function, device, out));
  if (bytes && origin != CREATED)
    TRY(REQUIRED_BY(function, memory));
  tile_pinned *pinned = calloc(1, sizeof *pinned);
  if (!pinned)
    return FAIL(TILE_OUT_OF_MEMORY, "no memory for pinned memory's record");
  *pinned =
      (struct tile_pinned){.device = device, .memory = memory, .bytes = bytes, .origin = origin};
  tile_status status = bytes ? acquire(pinned, &pinned->memory) : NULL;
  if (status) {
    free(pinned);
    return status;
  }
  device_retain(device);
  *out = pinned;
  return NULL;
}

tile_status tile_pinned_create(tile_device *device, size_t bytes, tile_pinned **out) {
  return make(__func__, device, NULL, bytes, CREATED, out);
}

tile_status tile_pinned_register(tile_device *device, void *memory, size_t bytes,
                                 tile_pinned **out) {
  return make(__func__, device, memory, bytes, REGISTERED, out);
}

tile_status tile_pinned_wrap(tile_device *device, void *memory, size_t bytes, tile_pinned **out) {
  return make(__func__, device, memory, bytes, WRAPPED, out);
}

void tile_pinned_destroy(tile_pinned *pinned) {
  if (!pinned)
    return;
  tile_device *device = pinned->device;
  if (atomic_load(&pinned->used))
    tile_status_free(device->driver->device_synchronize(device->handle));
  release(pinned);
  device_release(device);
  free(pinned);
}

void *tile_pinned_data(const tile_pinned *pinned) {
  return pinned->memory;
}

size_t tile_pinned_bytes(const tile_pinned *pinned) {
  return pinned->bytes;
}

/* --- Copies ----------------------------------------------------------------------------------- */

static tile_status check_copy(const char *doing, const tile_buffer *buffer, size_t offset,
                              const tile_pinned *pinned, size_t pinned_offset, size_t bytes) {
  TRY(range_check(doing, "buffer", buffer->bytes, offset, bytes));
  TRY(range_check(doing, "pinned memory", pinned->bytes, pinned_offset, bytes));
  if (buffer->device != pinned->device)
    return FAIL(TILE_INVALID_ARGUMENT,
                "%s: the buffer and the pinned memory are of two devices, %s and %s; wrap the "
                "memory for the buffer's "
                "(tile_pinned_wrap)",
                doing, buffer->device->properties.name, pinned->device->properties.name);
  return NULL;
}

tile_status tile_buffer_write_async(tile_buffer *buffer, size_t offset, tile_pinned *from,
                                    size_t from_offset, size_t bytes, tile_stream *stream) {
  TRY(REQUIRED(buffer, from));
  void *handle;
  tile_device *device = buffer->device;
  TRY(check_copy(__func__, buffer, offset, from, from_offset, bytes));
  TRY(stream_handle(device, stream, &handle));
  if (bytes == 0)
    return NULL;
  atomic_store(&from->used, true);
  return device->driver->memory_write_async(device->handle, buffer->address + offset,
                                            (const char *)from->memory + from_offset, bytes,
                                            handle);
}

tile_status tile_buffer_read_async(const tile_buffer *buffer, size_t offset, tile_pinned *to,
                                   size_t to_offset, size_t bytes, tile_stream *stream) {
  TRY(REQUIRED(buffer, to));
  void *handle;
  tile_device *device = buffer->device;
  TRY(check_copy(__func__, buffer, offset, to, to_offset, bytes));
  TRY(stream_handle(device, stream, &handle));
  if (bytes == 0)
    return NULL;
  atomic_store(&to->used, true);
  return device->driver->memory_read_async(device->handle, (char *)to->memory + to_offset,
                                           buffer->address + offset, bytes, handle);
}
