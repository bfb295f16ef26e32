/* SPDX-License-Identifier: MIT */
/* Streams and events. */
#include <stdlib.h>
#include "base/status.h"
#include "runtime/objects.h"
#include "runtime/parts.h"

tile_status stream_handle(const tile_device *device, const tile_stream *stream, void **out) {
  *out = stream ? stream->handle : NULL;
  if (stream && stream->device != device)
    return FAIL(TILE_INVALID_ARGUMENT,
                "the stream belongs to another device (%s) than the work for it (%s)",
                stream->device->properties.name, device->properties.name);
  return NULL;
}

tile_status tile_stream_wrap(tile_device *device, void *native, tile_stream **out) {
  TRY(REQUIRED(device, out));
  tile_stream *stream = calloc(1, sizeof *stream);
  if (!stream)
    return FAIL(TILE_OUT_OF_MEMORY, "no memory for a stream");
  *stream = (tile_stream){.device = device_retain(device), .handle = native, .wrapped = true};
  *out = stream;
  return NULL;
}

tile_status tile_stream_create(tile_device *device, tile_stream **out) {
  TRY(REQUIRED(device, out));
  tile_stream *stream;
  TRY(tile_stream_wrap(device, NULL, &stream));
  tile_status status = device->driver->stream_create(device->handle, &stream->handle);
  if (status) {
    tile_stream_destroy(stream);
    return status;
  }
  stream->wrapped = false;
  *out = stream;
  return NULL;
}

void tile_stream_destroy(tile_stream *stream) {
  if (!stream)
    return;
  if (stream->part_memory.count) /* its kernels may still be at work there */
    tile_status_free(tile_stream_synchronize(stream));
  part_memory_free(stream->device, &stream->part_memory);
  if (!stream->wrapped)
    stream->device->driver->stream_destroy(stream->device->handle, stream->handle);
  device_release(stream->device);
  free(stream);
}

tile_status tile_stream_synchronize(tile_stream *stream) {
  if (!stream)
    return FAIL(TILE_INVALID_ARGUMENT,
                "%s: stream is NULL, the default stream of some device; tile_device_synchronize "
                "waits for a device's",
                __func__);
  return stream->device->driver->stream_synchronize(stream->device->handle, stream->handle);
}

/* An event that has not been recorded cannot be waited for or measured from. */
static tile_status check_recorded(const tile_event *event) {
  if (!atomic_load_explicit(&event->recorded, memory_order_acquire))
    return FAIL(TILE_INVALID_ARGUMENT, "the event was never recorded (tile_event_record)");
  return NULL;
}

tile_status tile_stream_wait(tile_stream *stream, tile_event *event) {
  TRY(REQUIRED(event));
  TRY(check_recorded(event));
  if (stream && stream->device != event->device)
    return FAIL(TILE_INVALID_ARGUMENT, "the event belongs to another device than the stream");
  tile_device *device = event->device;
  return device->driver->stream_wait(device->handle, stream ? stream->handle : NULL, event->handle);
}

tile_status tile_event_create(tile_device *device, tile_event **out) {
  TRY(REQUIRED(device, out));
  tile_event *event = calloc(1, sizeof *event);
  if (!event)
    return FAIL(TILE_OUT_OF_MEMORY, "no memory for an event");
  tile_status status = device->driver->event_create(device->handle, &event->handle);
  if (status) {
    free(event);
    return status;
  }
  event->device = device_retain(device);
  atomic_init(&event->recorded, false);
  *out = event;
  return NULL;
}

void tile_event_destroy(tile_event *event) {
  if (!event)
    return;
  event->device->driver->event_destroy(event->device->handle, event->handle);
  device_release(event->device);
  free(event);
}

tile_status tile_event_record(tile_event *event, tile_stream *stream) {
  TRY(REQUIRED(event));
  void *handle;
  TRY(stream_handle(event->device, stream, &handle));
  TRY(event->device->driver->event_record(event->device->handle, event->handle, handle));
  atomic_store_explicit(&event->recorded, true, memory_order_release);
  return NULL;
}

tile_status tile_event_synchronize(tile_event *event) {
  TRY(REQUIRED(event));
  TRY(check_recorded(event));
  return event->device->driver->event_synchronize(event->device->handle, event->handle);
}

tile_status tile_event_done(tile_event *event, bool *out) {
  TRY(REQUIRED(event, out));
  TRY(check_recorded(event));
  *out = true;
  if (!event->device->driver->event_done)
    return NULL;
  return event->device->driver->event_done(event->device->handle, event->handle, out);
}

tile_status tile_event_elapsed(const tile_event *start, const tile_event *end,
                               double *out_milliseconds) {
  TRY(REQUIRED(start, end, out_milliseconds));
  TRY(check_recorded(start));
  TRY(check_recorded(end));
  if (start->device != end->device)
    return FAIL(TILE_INVALID_ARGUMENT, "the events belong to two devices");
  return start->device->driver->event_elapsed(start->device->handle, start->handle, end->handle,
                                              out_milliseconds);
}
