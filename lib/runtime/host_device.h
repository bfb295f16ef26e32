/* SPDX-License-Identifier: MIT */
/* What drivers whose device is the host have in common: memory, streams and events. Everything is
   done at once, on the calling thread, so streams and events have nothing to wait for; what they
   check is host_copies.h.

   Such a driver's device begins with a struct host_device, and its table takes the functions below.
 */
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

/* The MEMORY rows of driver.def, `device` being a struct host_device: host_driver_memory_write, ...
 */
#define OWN(result, name, parameters)
#define OPTIONAL(result, name, parameters)
#define MEMORY(result, name, parameters) TILE_PRIVATE result host_driver_##name parameters;
#include "runtime/driver.def"

#endif
