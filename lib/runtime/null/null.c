/* The null driver: one device made of host memory, on which launches are checked, written down and
   otherwise forgotten. It takes any PTX text and any ELF file. For tests of programs that launch.
 */
#include "runtime/null/null.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/status.h"
#include "runtime/driver.h"
#include "runtime/host_clock.h"
#include "runtime/host_memory.h"

enum { MEMORY_LIMIT = 1 << 30 };

struct null_device {
  struct host_memory memory; /* its lock guards `record`, too */
  struct null_record record;
};

static tile_status null_device_count(int *out) {
  *out = 1;
  return NULL;
}

static tile_status null_device_open(int index, tile_device_properties *properties, void **out) {
  (void)index;
  struct null_device *device = calloc(1, sizeof *device);
  if (!device)
    return FAIL(TILE_OUT_OF_MEMORY, "no memory for a device");
  host_memory_create(&device->memory, MEMORY_LIMIT, 0);
  *properties =
      (tile_device_properties){.name = "the null device",
                               .target = "sm_90a",
                               .compute_major = 9,
                               .driver_version = 12080,
                               .multiprocessors = 1,
                               .memory_bytes = MEMORY_LIMIT,
                               .shared_bytes = 232448,
                               .image_formats = 1u << TILE_IMAGE_PTX | 1u << TILE_IMAGE_CUBIN};
  *out = device;
  return NULL;
}

static void null_device_close(void *handle) {
  struct null_device *device = handle;
  host_memory_destroy(&device->memory);
  free(device);
}

static tile_status null_device_synchronize(void *handle) {
  (void)handle;
  return NULL;
}

void null_device_record(tile_device *device, struct null_record *out) {
  struct null_device *null = runtime_device_handle(device);
  pthread_mutex_lock(&null->memory.lock);
  *out = null->record;
  pthread_mutex_unlock(&null->memory.lock);
}

/* --- Memory -------------------------------------------------------------------------------------
 */

static void *host(uint64_t address) {
  return (void *)(uintptr_t)address;
}

static tile_status null_memory_free_bytes(void *handle, uint64_t *out) {
  *out = host_memory_free_bytes(&((struct null_device *)handle)->memory);
  return NULL;
}

static tile_status null_memory_allocate(void *handle, size_t bytes, uint64_t *out) {
  return host_memory_allocate(&((struct null_device *)handle)->memory, bytes, out);
}

static void null_memory_free(void *handle, uint64_t address) {
  host_memory_free(&((struct null_device *)handle)->memory, address);
}

static tile_status null_memory_write(void *handle, uint64_t to, const void *from, size_t bytes,
                                     void *stream) {
  (void)handle, (void)stream;
  memcpy(host(to), from, bytes);
  return NULL;
}

static tile_status null_memory_read(void *handle, void *to, uint64_t from, size_t bytes,
                                    void *stream) {
  (void)handle, (void)stream;
  memcpy(to, host(from), bytes);
  return NULL;
}

static tile_status null_memory_copy(void *handle, uint64_t to, uint64_t from, size_t bytes,
                                    void *stream) {
  (void)handle, (void)stream;
  memcpy(host(to), host(from), bytes);
  return NULL;
}

static tile_status null_memory_fill(void *handle, uint64_t to, uint8_t value, size_t bytes,
                                    void *stream) {
  (void)handle, (void)stream;
  memset(host(to), value, bytes);
  return NULL;
}

/* --- Streams and events -------------------------------------------------------------------------
 */

static tile_status null_stream_create(void *handle, void **out) {
  (void)handle;
  *out = malloc(1);
  return *out ? NULL : FAIL(TILE_OUT_OF_MEMORY, "no memory for a stream");
}

static void null_stream_destroy(void *handle, void *stream) {
  (void)handle;
  free(stream);
}

static tile_status null_stream_synchronize(void *handle, void *stream) {
  (void)handle, (void)stream;
  return NULL;
}

static tile_status null_stream_wait(void *handle, void *stream, void *event) {
  (void)handle, (void)stream, (void)event;
  return NULL;
}

static tile_status null_event_create(void *handle, void **out) {
  (void)handle;
  *out = calloc(1, sizeof(struct host_event));
  return *out ? NULL : FAIL(TILE_OUT_OF_MEMORY, "no memory for an event");
}

static void null_event_destroy(void *handle, void *event) {
  (void)handle;
  free(event);
}

static tile_status null_event_record(void *handle, void *event, void *stream) {
  (void)handle, (void)stream;
  host_event_record(event);
  return NULL;
}

static tile_status null_event_synchronize(void *handle, void *event) {
  (void)handle, (void)event;
  return NULL;
}

static tile_status null_event_elapsed(void *handle, void *start, void *end, double *out) {
  (void)handle;
  *out = host_event_elapsed(start, end);
  return NULL;
}

/* --- Modules and launches -----------------------------------------------------------------------
 */

static tile_status null_module_load(void *handle, const tile_section *section, void **out) {
  (void)handle;
  if (section->format == TILE_IMAGE_PTX && !strstr(section->data, ".version"))
    return FAIL(TILE_BAD_IMAGE, "the PTX has no .version");
  if (section->format == TILE_IMAGE_CUBIN && (section->size < 4 || memcmp(section->data,
                                                                      "\x7F"
                                                                      "ELF",
                                                                      4) != 0))
    return FAIL(TILE_BAD_IMAGE, "the cubin is no ELF file");
  *out = strndup(section->format == TILE_IMAGE_PTX ? section->data : "", section->size);
  return *out ? NULL : FAIL(TILE_OUT_OF_MEMORY, "no memory for a module");
}

static void null_module_unload(void *handle, void *module) {
  (void)handle;
  free(module);
}

static tile_status null_module_function(void *handle, void *module, const struct runtime_version *version,
                                        void **out) {
  (void)handle;
  const char *text = module;
  const char *symbol = version->version->symbol;
  if (text[0] && !strstr(text, symbol))
    return FAIL(TILE_BAD_IMAGE, "the PTX has no kernel '%s'", symbol);
  *out = module;
  return NULL;
}

static tile_status null_launch(void *handle, const struct runtime_launch *launch) {
  struct null_device *device = handle;
  const struct runtime_version *version = launch->version;
  size_t count = runtime_argument_count(version);
  struct null_record record = {.grid = {launch->grid[0], launch->grid[1], launch->grid[2]}};
  snprintf(record.kernel, sizeof record.kernel, "%s", version->version->symbol);
  for (size_t i = 0; i < count && i < 16; i++)
    memcpy(&record.values[i], launch->pointers[i],
           i < version->parameter_count ? tile_argument_kind_bytes(version->parameters[i].kind) : sizeof(uint32_t));
  pthread_mutex_lock(&device->memory.lock);
  record.launches = device->record.launches + 1;
  device->record = record;
  pthread_mutex_unlock(&device->memory.lock);
  return NULL;
}

static const struct runtime_driver null_driver = {
    .name = "null",
    .device_count = null_device_count,
    .device_open = null_device_open,
    .device_close = null_device_close,
    .device_synchronize = null_device_synchronize,
    .memory_free_bytes = null_memory_free_bytes,
    .memory_allocate = null_memory_allocate,
    .memory_free = null_memory_free,
    .memory_write = null_memory_write,
    .memory_read = null_memory_read,
    .memory_copy = null_memory_copy,
    .memory_fill = null_memory_fill,
    .stream_create = null_stream_create,
    .stream_destroy = null_stream_destroy,
    .stream_synchronize = null_stream_synchronize,
    .stream_wait = null_stream_wait,
    .event_create = null_event_create,
    .event_destroy = null_event_destroy,
    .event_record = null_event_record,
    .event_synchronize = null_event_synchronize,
    .event_elapsed = null_event_elapsed,
    .module_load = null_module_load,
    .module_unload = null_module_unload,
    .module_function = null_module_function,
    .launch = null_launch,
};

const tile_driver *tile_null_driver(void) {
  return &null_driver;
}
