/* SPDX-License-Identifier: MIT */
/* Devices: opening, counting references, properties. */
#include <stdlib.h>
#include <string.h>
#include "base/status.h"
#include "runtime/embedded.h"
#include "runtime/objects.h"
#include "runtime/parts.h"

const char *tile_driver_name(const tile_driver *driver) {
  return driver->name;
}

tile_status tile_driver_device_count(const tile_driver *driver, int *out) {
  TRY(REQUIRED(driver, out));
  return driver->device_count(out);
}

tile_status runtime_device_wrap(const struct runtime_driver *driver, void *handle,
                                const tile_device_properties *properties, tile_device **out) {
  tile_device *device = calloc(1, sizeof *device);
  if (!device) {
    driver->device_close(handle);
    return FAIL(TILE_OUT_OF_MEMORY, "no memory for a device");
  }
  device->driver = driver;
  device->handle = handle;
  device->properties = *properties;
  atomic_init(&device->references, 1);
  pthread_mutex_init(&device->lock, NULL);
  pthread_mutex_init(&device->part_lock, NULL);
  *out = device;
  return NULL;
}

void *runtime_device_handle(const tile_device *device) {
  return device->handle;
}

tile_status tile_device_open(const tile_driver *driver, int index, tile_device **out) {
  TRY(REQUIRED(driver, out));
  int count;
  TRY(driver->device_count(&count));
  if (index < 0 || index >= count)
    return FAIL(TILE_INVALID_ARGUMENT, "there is no %s device %d; there %s %d, counted from 0",
                driver->name, index, count == 1 ? "is" : "are", count);
  tile_device_properties properties = {0};
  void *handle;
  TRY(driver->device_open(index, &properties, &handle));
  return runtime_device_wrap(driver, handle, &properties, out);
}

tile_device *device_retain(tile_device *device) {
  atomic_fetch_add_explicit(&device->references, 1, memory_order_relaxed);
  return device;
}

void device_release(tile_device *device) {
  if (atomic_fetch_sub_explicit(&device->references, 1, memory_order_acq_rel) != 1)
    return;
  embedded_unload_all(device);
  part_memory_free(device, &device->part_memory);
  pthread_mutex_destroy(&device->part_lock);
  pthread_mutex_destroy(&device->lock);
  device->driver->device_close(device->handle);
  free(device);
}

void tile_device_close(tile_device *device) {
  if (device)
    device_release(device);
}

const tile_device_properties *tile_device_get_properties(const tile_device *device) {
  return &device->properties;
}

const tile_driver *tile_device_get_driver(const tile_device *device) {
  return device->driver;
}

tile_status tile_device_free_memory(tile_device *device, uint64_t *out) {
  TRY(REQUIRED(device, out));
  return device->driver->memory_free_bytes(device->handle, out);
}

tile_status tile_device_synchronize(tile_device *device) {
  TRY(REQUIRED(device));
  return device->driver->device_synchronize(device->handle);
}

tile_status tile_device_set_option(tile_device *device, const char *name, uint64_t value) {
  TRY(REQUIRED(device, name));
  if (!device->driver->set_option)
    return FAIL(TILE_UNSUPPORTED, "devices of the driver '%s' have no options; the emulator's have",
                device->driver->name);
  return device->driver->set_option(device->handle, name, value);
}
