/* SPDX-License-Identifier: MIT */
/* See parts.h. */
#include "runtime/parts.h"

#include "base/status.h"

/* Most kernels have parts of at most so many bytes: memory for these is made at once. */
enum { USUAL_PART_BYTES = 128 * 256 * 4, COUNTER_BYTES = 4 * TILE_PART_COUNTERS };

static struct part_memory *memory_of(tile_device *device, tile_stream *stream) {
  if (!stream || (stream->wrapped && !stream->handle))
    return &device->part_memory;
  return stream->wrapped ? NULL : &stream->part_memory;
}

static size_t larger_size(size_t a, size_t b) {
  return a > b ? a : b;
}

/* What is smaller is kept: a launch may be about to begin that was given it. */
static bool grow(tile_device *device, struct part_memory *memory, size_t bytes) {
  size_t usual =
      COUNTER_BYTES + (size_t)device->properties.multiprocessors * (size_t)USUAL_PART_BYTES;
  size_t wanted = larger_size(larger_size(bytes, usual), 2 * memory->bytes);
  if (memory->count == PART_MEMORY_SIZES)
    return false;
  tile_status status =
      device->driver->memory_allocate(device->handle, wanted, &memory->addresses[memory->count]);
  tile_status_free(status);
  if (status)
    return false;
  memory->count++;
  memory->bytes = wanted;
  memory->clean = false;
  return true;
}

static uint64_t clean_address(tile_device *device, struct part_memory *memory, void *stream) {
  uint64_t address = memory->addresses[memory->count - 1];
  if (!memory->clean) {
    tile_status status =
        device->driver->memory_fill(device->handle, address, 0, COUNTER_BYTES, stream);
    memory->clean = !status;
    tile_status_free(status);
  }
  return memory->clean ? address : 0;
}

uint64_t part_memory_address(tile_device *device, tile_stream *stream,
                             const tile_kernel_version *version, uint32_t blocks) {
  struct part_memory *memory = memory_of(device, stream);
  void *handle = stream ? stream->handle : NULL;
  size_t bytes = COUNTER_BYTES + (size_t)blocks * version->part_bytes;
  if (!memory || blocks > TILE_PART_COUNTERS ||
      (device->driver->stream_captures && device->driver->stream_captures(device->handle, handle)))
    return 0;
  pthread_mutex_lock(&device->part_lock);
  bool enough = memory->bytes >= bytes || grow(device, memory, bytes);
  uint64_t address = enough ? clean_address(device, memory, handle) : 0;
  pthread_mutex_unlock(&device->part_lock);
  return address;
}

void part_memory_spoil(tile_device *device, tile_stream *stream) {
  struct part_memory *memory = memory_of(device, stream);
  if (!memory)
    return;
  pthread_mutex_lock(&device->part_lock);
  memory->clean = false;
  pthread_mutex_unlock(&device->part_lock);
}

void part_memory_free(tile_device *device, struct part_memory *memory) {
  for (size_t i = 0; i < memory->count; i++)
    device->driver->memory_free(device->handle, memory->addresses[i]);
  memory->count = memory->bytes = 0;
}
