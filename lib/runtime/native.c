/* SPDX-License-Identifier: MIT */
/* Contexts that exist, and handles of the driver's own: tile/interop.h. */
#include "base/status.h"
#include "runtime/module.h"
#include "tile/interop.h"

tile_status tile_device_open_context(const tile_driver *driver, void *context, tile_device **out) {
  TRY(REQUIRED(driver, out));
  if (!driver->context_open)
    return FAIL(TILE_UNSUPPORTED,
                "the %s driver has no contexts; open a device by its number (tile_device_open)",
                driver->name);
  tile_device_properties properties = {0};
  void *handle;
  TRY(driver->context_open(context, &properties, &handle));
  return runtime_device_wrap(driver, handle, &properties, out);
}

static tile_status check_native(const tile_device *device, const char *what) {
  if (device->driver->native_context)
    return NULL;
  return FAIL(TILE_UNSUPPORTED,
              "a device of the %s driver has no native %s; only CUDA devices have",
              device->driver->name, what);
}

tile_status tile_device_native(const tile_device *device, void **out_context) {
  TRY(REQUIRED(device, out_context));
  TRY(check_native(device, "context"));
  *out_context = device->driver->native_context(device->handle);
  return NULL;
}

tile_status tile_stream_native(const tile_stream *stream, void **out_stream) {
  TRY(REQUIRED(stream, out_stream));
  TRY(check_native(stream->device, "stream"));
  *out_stream = stream->handle;
  return NULL;
}

tile_status tile_event_native(const tile_event *event, void **out_event) {
  TRY(REQUIRED(event, out_event));
  TRY(check_native(event->device, "event"));
  *out_event = event->handle;
  return NULL;
}

tile_status kernel_find_version(const tile_kernel *kernel, const tile_kernel_version *version,
                                const struct loaded_version **out) {
  for (size_t i = 0; i < kernel->info->version_count; i++)
    if (!version || version == &kernel->info->versions[i]) {
      *out = &kernel->versions[i];
      return NULL;
    }
  return FAIL(TILE_INVALID_ARGUMENT,
              "the version is none of kernel '%s'; take it from tile_kernel_get_info or "
              "tile_kernel_select of this kernel",
              kernel->info->name);
}

/* What a launch of one's own can launch: the first version without tensor maps. */
static const tile_kernel_version *plain_version(const tile_kernel *kernel) {
  for (size_t i = 0; i < kernel->info->version_count; i++)
    if (!kernel->info->versions[i].map_count)
      return &kernel->info->versions[i];
  return NULL;
}

tile_status tile_kernel_native(const tile_kernel *kernel, const tile_kernel_version *version,
                               void **out_module, void **out_function) {
  TRY(REQUIRED(kernel));
  const struct loaded_version *loaded;
  TRY(kernel_find_version(kernel, version ? version : plain_version(kernel), &loaded));
  TRY(check_native(kernel->module->device, "kernel"));
  if (out_module)
    *out_module = loaded->module;
  if (out_function)
    *out_function = loaded->function;
  return NULL;
}
