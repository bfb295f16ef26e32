/* SPDX-License-Identifier: MIT */
/* See host_device.h. */
#include "runtime/host_device.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "base/status.h"

void host_device_create(struct host_device *device, size_t limit, size_t guard) {
  host_memory_create(&device->memory, limit, guard);
  host_memory_create(&device->pinned, limit, 0);
  host_copies_create(&device->copies);
}

void host_device_destroy(struct host_device *device) {
  host_copies_destroy(&device->copies);
  host_memory_destroy(&device->pinned);
  host_memory_destroy(&device->memory);
}

static struct host_copies *copies_of(void *device) {
  return &((struct host_device *)device)->copies;
}

/* Only memory that is wrapped can be the host's, too. */
void host_device_launch(struct host_device *device) {
  pthread_mutex_lock(&device->memory.lock);
  bool wrapped = device->memory.wrapped > 0;
  pthread_mutex_unlock(&device->memory.lock);
  if (wrapped)
    host_copies_forget(&device->copies);
}

tile_status host_driver_device_synchronize(void *device) {
  return host_copies_wait_all(copies_of(device));
}

/* --- Memory ----------------------------------------------------------------------------------- */

static struct host_memory *memory_of(void *device) {
  return &((struct host_device *)device)->memory;
}

static void *host(uint64_t address) {
  return (void *)(uintptr_t)address;
}

tile_status host_driver_memory_free_bytes(void *device, uint64_t *out) {
  *out = host_memory_free_bytes(memory_of(device));
  return NULL;
}

tile_status host_driver_memory_allocate(void *device, size_t bytes, uint64_t *out) {
  return host_memory_allocate(memory_of(device), bytes, out);
}

void host_driver_memory_free(void *device, uint64_t address) {
  host_memory_free(memory_of(device), address);
}

tile_status host_driver_memory_wrap(void *device, uint64_t address, size_t bytes) {
  return host_memory_wrap(memory_of(device), address, bytes);
}

void host_driver_memory_unwrap(void *device, uint64_t address, size_t bytes) {
  host_memory_unwrap(memory_of(device), address, bytes);
}

tile_status host_driver_memory_write(void *device, uint64_t to, const void *from, size_t bytes,
                                     void *stream) {
  TRY(host_driver_stream_synchronize(device, stream));
  memmove(host(to), from, bytes);
  return NULL;
}

tile_status host_driver_memory_read(void *device, void *to, uint64_t from, size_t bytes,
                                    void *stream) {
  TRY(host_driver_stream_synchronize(device, stream));
  memmove(to, host(from), bytes);
  return NULL;
}

tile_status host_driver_memory_write_async(void *device, uint64_t to, const void *from,
                                           size_t bytes, void *stream) {
  memmove(host(to), from, bytes);
  host_copies_note(copies_of(device), stream, from, bytes, true);
  return NULL;
}

tile_status host_driver_memory_read_async(void *device, void *to, uint64_t from, size_t bytes,
                                          void *stream) {
  memmove(to, host(from), bytes);
  host_copies_note(copies_of(device), stream, to, bytes, false);
  return NULL;
}

tile_status host_driver_memory_copy(void *device, uint64_t to, uint64_t from, size_t bytes,
                                    void *stream) {
  (void)device, (void)stream;
  memcpy(host(to), host(from), bytes);
  return NULL;
}

tile_status host_driver_memory_fill(void *device, uint64_t to, uint8_t value, size_t bytes,
                                    void *stream) {
  (void)device, (void)stream;
  memset(host(to), value, bytes);
  return NULL;
}

/* --- Pinned memory ---------------------------------------------------------------------------- */

tile_status host_driver_pinned_allocate(void *device, size_t bytes, void **out) {
  uint64_t address;
  TRY(host_memory_allocate(&((struct host_device *)device)->pinned, bytes, &address));
  *out = host(address);
  return NULL;
}

void host_driver_pinned_free(void *device, void *memory) {
  host_memory_free(&((struct host_device *)device)->pinned, (uintptr_t)memory);
}

/* As on a GPU, memory is pinned once. */
tile_status host_driver_pinned_register(void *device, void *memory, size_t bytes) {
  struct host_memory *pinned = &((struct host_device *)device)->pinned;
  pthread_mutex_lock(&pinned->lock);
  bool overlaps = false;
  for (const struct host_allocation *each = pinned->first; each; each = each->next)
    overlaps |= (uintptr_t)each->base < (uintptr_t)memory + bytes &&
                (uintptr_t)memory < (uintptr_t)each->base + each->bytes;
  pthread_mutex_unlock(&pinned->lock);
  if (overlaps)
    return FAIL(TILE_INVALID_ARGUMENT,
                "some of the %zu bytes at %p are pinned already; use tile_pinned_wrap", bytes,
                memory);
  return host_memory_wrap(pinned, (uintptr_t)memory, bytes);
}

void host_driver_pinned_unregister(void *device, void *memory, size_t bytes) {
  host_memory_unwrap(&((struct host_device *)device)->pinned, (uintptr_t)memory, bytes);
}

/* The host cannot know what others have pinned. */
tile_status host_driver_pinned_check(void *device, void *memory, size_t bytes) {
  (void)device, (void)memory, (void)bytes;
  return NULL;
}

/* --- Streams and events ----------------------------------------------------------------------- */

struct host_event {
  pthread_mutex_t lock; /* guards what follows: events may be recorded again at any time */
  uint64_t nanoseconds;
  const void *stream;
  uint64_t copies; /* of the device, when it was recorded */
};

tile_status host_driver_stream_create(void *device, void **out) {
  (void)device;
  *out = malloc(1);
  return *out ? NULL : FAIL(TILE_OUT_OF_MEMORY, "no memory for a stream");
}

/* A later stream may lie where this one does. */
void host_driver_stream_destroy(void *device, void *stream) {
  tile_status_free(host_driver_stream_synchronize(device, stream));
  free(stream);
}

tile_status host_driver_stream_synchronize(void *device, void *stream) {
  return host_copies_wait(copies_of(device), stream, UINT64_MAX);
}

/* Waits there are none, but what waits for the other stream later waits for this event, too. */
tile_status host_driver_stream_wait(void *device, void *stream, void *event) {
  (void)stream;
  return host_driver_event_synchronize(device, event);
}

tile_status host_driver_event_create(void *device, void **out) {
  (void)device;
  struct host_event *event = calloc(1, sizeof *event);
  if (!event)
    return FAIL(TILE_OUT_OF_MEMORY, "no memory for an event");
  pthread_mutex_init(&event->lock, NULL);
  *out = event;
  return NULL;
}

void host_driver_event_destroy(void *device, void *handle) {
  (void)device;
  struct host_event *event = handle;
  pthread_mutex_destroy(&event->lock);
  free(event);
}

static struct host_event read_event(struct host_event *event) {
  pthread_mutex_lock(&event->lock);
  struct host_event copy = {
      .nanoseconds = event->nanoseconds, .stream = event->stream, .copies = event->copies};
  pthread_mutex_unlock(&event->lock);
  return copy;
}

tile_status host_driver_event_record(void *device, void *handle, void *stream) {
  struct host_event *event = handle;
  uint64_t copies = host_copies_last(copies_of(device));
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  pthread_mutex_lock(&event->lock);
  event->nanoseconds = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
  event->stream = stream;
  event->copies = copies;
  pthread_mutex_unlock(&event->lock);
  return NULL;
}

tile_status host_driver_event_synchronize(void *device, void *handle) {
  struct host_event event = read_event(handle);
  return host_copies_wait(copies_of(device), event.stream, event.copies);
}

tile_status host_driver_event_elapsed(void *device, void *start, void *end, double *out) {
  (void)device;
  *out = (double)(int64_t)(read_event(end).nanoseconds - read_event(start).nanoseconds) * 1e-6;
  return NULL;
}
