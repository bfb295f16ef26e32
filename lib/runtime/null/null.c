/* SPDX-License-Identifier: MIT */
/* The null driver: one device made of host memory, on which launches are checked, written down and
   otherwise forgotten. It takes any PTX text and any ELF file. For tests of programs that launch.
 */
#include "runtime/null/null.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/machine.h"
#include "base/status.h"
#include "runtime/driver.h"
#include "runtime/host_device.h"

enum { MEMORY_LIMIT = 1 << 30 };

struct null_device {
  struct host_device host; /* the lock of its memory guards `record`, too */
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
  host_device_create(&device->host, MEMORY_LIMIT, 0);
  const struct machine *machine = machine_default();
  *properties =
      (tile_device_properties){.name = "the null device",
                               .target = MACHINE_DEFAULT,
                               .compute_major = machine->capability / 10,
                               .compute_minor = machine->capability % 10,
                               .driver_version = 12080,
                               .multiprocessors = 1,
                               .memory_bytes = MEMORY_LIMIT,
                               .shared_bytes = (uint32_t)machine->block_shared_bytes,
                               .image_formats = 1u << TILE_IMAGE_PTX | 1u << TILE_IMAGE_CUBIN,
                               .tensor_maps = true};
  *out = device;
  return NULL;
}

static void null_device_close(void *handle) {
  struct null_device *device = handle;
  host_device_destroy(&device->host);
  free(device);
}

void null_device_record(tile_device *device, struct null_record *out) {
  struct null_device *null = runtime_device_handle(device);
  pthread_mutex_lock(&null->host.memory.lock);
  *out = null->record;
  pthread_mutex_unlock(&null->host.memory.lock);
}

/* --- Modules and launches --------------------------------------------------------------------- */

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

static tile_status null_module_function(void *handle, void *module,
                                        const struct runtime_version *version, void **out) {
  (void)handle;
  const char *text = module;
  const char *symbol = version->version->symbol;
  if (text[0] && !strstr(text, symbol))
    return FAIL(TILE_BAD_IMAGE, "the PTX has no kernel '%s'", symbol);
  *out = module;
  return NULL;
}

/* Nothing runs here; one block at a time would do. */
static tile_status null_function_resources(void *handle, const struct runtime_version *version,
                                           void *function, tile_kernel_resources *out) {
  (void)handle, (void)function;
  out->registers = version->version->registers;
  out->shared_bytes = version->version->shared_bytes;
  out->most_threads = MACHINE_BLOCK_THREADS;
  out->blocks_per_multiprocessor = 1;
  return NULL;
}

/* Its values in their order; they tell a test what was encoded. */
static tile_status null_tensor_map_encode(void *handle, const tile_tensor_map *map,
                                          const struct tensor_map_values *values, void *out) {
  struct null_device *device = handle;
  (void)map;
  memset(out, 0, TILE_TENSOR_MAP_BYTES);
  memcpy(out, values, sizeof *values);
  pthread_mutex_lock(&device->host.memory.lock);
  device->record.encoded++;
  pthread_mutex_unlock(&device->host.memory.lock);
  return NULL;
}

/* Bytes of value `index` of a launch that are written down. */
static size_t recorded_bytes(const struct runtime_version *version, size_t index) {
  if (index < version->parameter_count)
    return tile_argument_kind_bytes(version->parameters[index].kind);
  size_t maps = version->parameter_count + version->version->map_count;
  bool is_count = index >= maps && index - maps < runtime_passed_counts(version->version);
  return is_count ? sizeof(uint32_t) : sizeof(uint64_t);
}

static tile_status null_launch(void *handle, const struct runtime_launch *launch) {
  struct null_device *device = handle;
  const struct runtime_version *version = launch->version;
  if (launch->options && launch->options->cooperative &&
      (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2] > 1)
    return runtime_not_resident(launch, "the null device", 1);
  size_t count = runtime_argument_count(version);
  struct null_record record = {.grid = {launch->grid[0], launch->grid[1], launch->grid[2]}};
  snprintf(record.kernel, sizeof record.kernel, "%s", version->version->symbol);
  for (size_t i = 0; i < count && i < 16; i++)
    memcpy(&record.values[i], launch->pointers[i], recorded_bytes(version, i));
  for (size_t i = 0; i < version->version->map_count && i < 4; i++)
    memcpy(record.maps[i], launch->pointers[version->parameter_count + i], sizeof record.maps[i]);
  pthread_mutex_lock(&device->host.memory.lock);
  record.encoded = device->record.encoded;
  record.launches = device->record.launches + 1;
  device->record = record;
  pthread_mutex_unlock(&device->host.memory.lock);
  return NULL;
}

static const struct runtime_driver null_driver = {
    .name = "null",
#define OWN(result, name, parameters) .name = null_##name,
#define MEMORY(result, name, parameters) .name = host_driver_##name,
#define OPTIONAL(result, name, parameters)
#include "runtime/driver.def"
};

const tile_driver *tile_null_driver(void) {
  return &null_driver;
}
