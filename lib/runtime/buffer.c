/* SPDX-License-Identifier: MIT */
/* Buffers: ranges are checked here, so that no driver sees one that is wrong. */
#include <inttypes.h>
#include <stdlib.h>
#include "base/status.h"
#include "runtime/objects.h"
#include "tile/interop.h"

static tile_status out_of_memory(const tile_device *device, size_t bytes, tile_status cause) {
  uint64_t free_bytes;
  tile_status asked = device->driver->memory_free_bytes(device->handle, &free_bytes);
  if (asked) {
    tile_status_free(asked);
    return cause;
  }
  tile_status_free(cause);
  return FAIL(TILE_OUT_OF_MEMORY, "%s has no room for a buffer of %zu bytes; %llu are free",
              device->properties.name, bytes, (unsigned long long)free_bytes);
}

tile_status tile_buffer_create(tile_device *device, size_t bytes, tile_buffer **out) {
  TRY(REQUIRED(device, out));
  tile_buffer *buffer = calloc(1, sizeof *buffer);
  if (!buffer)
    return FAIL(TILE_OUT_OF_MEMORY, "no memory for a buffer");
  tile_status status =
      device->driver->memory_allocate(device->handle, bytes ? bytes : 1, &buffer->address);
  if (status) {
    free(buffer);
    if (tile_status_code(status) == TILE_OUT_OF_MEMORY)
      return out_of_memory(device, bytes, status);
    return status;
  }
  buffer->device = device_retain(device);
  buffer->bytes = bytes;
  *out = buffer;
  return NULL;
}

tile_status tile_buffer_wrap(tile_device *device, uint64_t address, size_t bytes,
                             tile_buffer **out) {
  TRY(REQUIRED(device, out));
  if (bytes && !address)
    return FAIL(TILE_INVALID_ARGUMENT, "tile_buffer_wrap: %zu bytes at a null address", bytes);
  if (bytes && address + (bytes - 1) < address)
    return FAIL(TILE_INVALID_ARGUMENT,
                "tile_buffer_wrap: %zu bytes from 0x%" PRIx64 " leave the address space", bytes,
                address);
  tile_buffer *buffer = calloc(1, sizeof *buffer);
  if (!buffer)
    return FAIL(TILE_OUT_OF_MEMORY, "no memory for a buffer");
  tile_status status = bytes ? device->driver->memory_wrap(device->handle, address, bytes) : NULL;
  if (status) {
    free(buffer);
    return status;
  }
  *buffer = (tile_buffer){
      .device = device_retain(device), .address = address, .bytes = bytes, .wrapped = true};
  *out = buffer;
  return NULL;
}

void tile_buffer_destroy(tile_buffer *buffer) {
  if (!buffer)
    return;
  tile_device *device = buffer->device;
  if (!buffer->wrapped)
    device->driver->memory_free(device->handle, buffer->address);
  else if (buffer->bytes)
    device->driver->memory_unwrap(device->handle, buffer->address, buffer->bytes);
  device_release(device);
  free(buffer);
}

uint64_t tile_buffer_address(const tile_buffer *buffer) {
  return buffer->address;
}

size_t tile_buffer_bytes(const tile_buffer *buffer) {
  return buffer->bytes;
}

tile_status range_check(const char *doing, const char *what, size_t all, size_t offset,
                        size_t bytes) {
  if (offset > all || bytes > all - offset)
    return FAIL(TILE_INVALID_ARGUMENT, "%s: %zu bytes from offset %zu leave the %s, which has %zu",
                doing, bytes, offset, what, all);
  return NULL;
}

static tile_status check_range(const char *doing, const tile_buffer *buffer, size_t offset,
                               size_t bytes) {
  return range_check(doing, "buffer", buffer->bytes, offset, bytes);
}

tile_status tile_buffer_write(tile_buffer *buffer, size_t offset, const void *from, size_t bytes,
                              tile_stream *stream) {
  TRY(REQUIRED(buffer));
  void *handle;
  TRY(check_range("tile_buffer_write", buffer, offset, bytes));
  if (bytes)
    TRY(REQUIRED(from));
  TRY(stream_handle(buffer->device, stream, &handle));
  if (bytes == 0)
    return NULL;
  return buffer->device->driver->memory_write(buffer->device->handle, buffer->address + offset,
                                              from, bytes, handle);
}

tile_status tile_buffer_read(const tile_buffer *buffer, size_t offset, void *to, size_t bytes,
                             tile_stream *stream) {
  TRY(REQUIRED(buffer));
  void *handle;
  TRY(check_range("tile_buffer_read", buffer, offset, bytes));
  if (bytes)
    TRY(REQUIRED(to));
  TRY(stream_handle(buffer->device, stream, &handle));
  if (bytes == 0)
    return NULL;
  return buffer->device->driver->memory_read(buffer->device->handle, to, buffer->address + offset,
                                             bytes, handle);
}

tile_status tile_buffer_copy(tile_buffer *to, size_t to_offset, const tile_buffer *from,
                             size_t from_offset, size_t bytes, tile_stream *stream) {
  TRY(REQUIRED(to, from));
  void *handle;
  TRY(check_range("tile_buffer_copy, to", to, to_offset, bytes));
  TRY(check_range("tile_buffer_copy, from", from, from_offset, bytes));
  TRY(stream_handle(to->device, stream, &handle));
  if (to->device != from->device)
    return FAIL(TILE_INVALID_ARGUMENT,
                "tile_buffer_copy: the buffers are on two devices, %s and %s",
                to->device->properties.name, from->device->properties.name);
  uint64_t target = to->address + to_offset, source = from->address + from_offset;
  if (bytes == 0)
    return NULL;
  if (target < source + bytes && source < target + bytes)
    return FAIL(TILE_INVALID_ARGUMENT, "tile_buffer_copy: the ranges overlap");
  return to->device->driver->memory_copy(to->device->handle, target, source, bytes, handle);
}

tile_status tile_buffer_fill(tile_buffer *buffer, size_t offset, uint8_t value, size_t bytes,
                             tile_stream *stream) {
  TRY(REQUIRED(buffer));
  void *handle;
  TRY(check_range("tile_buffer_fill", buffer, offset, bytes));
  TRY(stream_handle(buffer->device, stream, &handle));
  if (bytes == 0)
    return NULL;
  return buffer->device->driver->memory_fill(buffer->device->handle, buffer->address + offset,
                                             value, bytes, handle);
}
