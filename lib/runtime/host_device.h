/* SPDX-License-Identifier: MIT */
/* What drivers whose device is the host have in common: memory, streams and events. Everything is
   done at once, on the calling thread, so streams and events have nothing to wait for; what they
   check is host_copies.h.

   Such a driver's device begins with a struct host_device, and its table takes the functions below
   (HOST_DEVICE_FUNCTIONS). */
#ifndef TILE_RUNTIME_HOST_DEVICE_H
#define TILE_RUNTIME_HOST_DEVICE_H

#include "runtime/driver.h"
#include "runtime/host_copies.h"
#include "runtime/host_memory.h"

struct host_device {
  struct host_memory memory;
  struct host_memory pinned; /* host memory that asynchronous copies may use */
  struct host_copies copies;
};

/* Arguments as host_memory_create has them. */
TILE_PRIVATE void host_device_create(struct host_device *device, size_t limit, size_t guard);
TILE_PRIVATE void host_device_destroy(struct host_device *device);
/* Before a launch, whose kernel may write to host memory. */
TILE_PRIVATE void host_device_launch(struct host_device *device);

/* Members of struct runtime_driver, `device` being a struct host_device. */
TILE_PRIVATE tile_status host_device_synchronize(void *device);
TILE_PRIVATE tile_status host_device_free_bytes(void *device, uint64_t *out);
TILE_PRIVATE tile_status host_device_allocate(void *device, size_t bytes, uint64_t *out);
TILE_PRIVATE void host_device_free(void *device, uint64_t address);
TILE_PRIVATE tile_status host_device_write(void *device, uint64_t to, const void *from,
                                           size_t bytes, void *stream);
TILE_PRIVATE tile_status host_device_read(void *device, void *to, uint64_t from, size_t bytes,
                                          void *stream);
TILE_PRIVATE tile_status host_device_copy(void *device, uint64_t to, uint64_t from, size_t bytes,
                                          void *stream);
TILE_PRIVATE tile_status host_device_fill(void *device, uint64_t to, uint8_t value, size_t bytes,
                                          void *stream);
TILE_PRIVATE tile_status host_stream_create(void *device, void **out);
TILE_PRIVATE void host_stream_destroy(void *device, void *stream);
TILE_PRIVATE tile_status host_stream_synchronize(void *device, void *stream);
TILE_PRIVATE tile_status host_stream_wait(void *device, void *stream, void *event);
TILE_PRIVATE tile_status host_event_create(void *device, void **out);
TILE_PRIVATE void host_event_destroy(void *device, void *event);
TILE_PRIVATE tile_status host_event_record(void *device, void *event, void *stream);
TILE_PRIVATE tile_status host_event_synchronize(void *device, void *event);
TILE_PRIVATE tile_status host_event_elapsed(void *device, void *start, void *end, double *out);
TILE_PRIVATE tile_status host_device_wrap(void *device, uint64_t address, size_t bytes);
TILE_PRIVATE void host_device_unwrap(void *device, uint64_t address, size_t bytes);
TILE_PRIVATE tile_status host_device_write_async(void *device, uint64_t to, const void *from,
                                                 size_t bytes, void *stream);
TILE_PRIVATE tile_status host_device_read_async(void *device, void *to, uint64_t from, size_t bytes,
                                                void *stream);
TILE_PRIVATE tile_status host_pinned_allocate(void *device, size_t bytes, void **out);
TILE_PRIVATE void host_pinned_free(void *device, void *memory);
TILE_PRIVATE tile_status host_pinned_register(void *device, void *memory, size_t bytes);
TILE_PRIVATE void host_pinned_unregister(void *device, void *memory, size_t bytes);
TILE_PRIVATE tile_status host_pinned_check(void *device, void *memory, size_t bytes);

#define HOST_DEVICE_FUNCTIONS                                                                      \
  .device_synchronize = host_device_synchronize, .memory_free_bytes = host_device_free_bytes,      \
  .memory_allocate = host_device_allocate, .memory_free = host_device_free,                        \
  .memory_write = host_device_write, .memory_read = host_device_read,                              \
  .memory_copy = host_device_copy, .memory_fill = host_device_fill,                                \
  .stream_create = host_stream_create, .stream_destroy = host_stream_destroy,                      \
  .stream_synchronize = host_stream_synchronize, .stream_wait = host_stream_wait,                  \
  .event_create = host_event_create, .event_destroy = host_event_destroy,                          \
  .event_record = host_event_record, .event_synchronize = host_event_synchronize,                  \
  .event_elapsed = host_event_elapsed, .memory_wrap = host_device_wrap,                            \
  .memory_unwrap = host_device_unwrap, .memory_write_async = host_device_write_async,              \
  .memory_read_async = host_device_read_async, .pinned_allocate = host_pinned_allocate,            \
  .pinned_free = host_pinned_free, .pinned_register = host_pinned_register,                        \
  .pinned_unregister = host_pinned_unregister, .pinned_check = host_pinned_check

#endif
