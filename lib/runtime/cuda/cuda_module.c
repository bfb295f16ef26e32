/* SPDX-License-Identifier: MIT */
/* CUDA modules and launches. */
#include <stdint.h>
#include <string.h>
#include "base/machine.h"
#include "base/status.h"
#include "base/text.h"
#include "runtime/cuda/cuda_device.h"

enum { LOG_BYTES = 4096 };

/* The driver's complaint with what its PTX compiler wrote. Takes `status`. */
static tile_status with_log(tile_status status, const char *log) {
  struct slice text = slice_trim(slice_of(log));
  if (!status || text.length == 0)
    return status;
  tile_status longer = FAIL(tile_status_code(status), "%s:\n%.*s", tile_status_message(status),
                            (int)text.length, text.data);
  tile_status_free(status);
  return longer;
}

tile_status cuda_module_load(void *handle, const tile_section *section, void **out) {
  struct cuda_device_state *device = handle;
  cuda_module module = NULL;
  char log[LOG_BYTES] = "";
  int options[] = {CUDA_JIT_ERROR_LOG, CUDA_JIT_ERROR_LOG_BYTES};
  void *values[] = {log, (void *)(uintptr_t)(LOG_BYTES - 1)};
  cuda_result result = IN_CONTEXT(device, module_load(&module, section->data, 2, options, values));
  *out = module;
  return with_log(cuda_check(device->cuda, result, "cuModuleLoadDataEx"), log);
}

void cuda_module_unload(void *handle, void *module) {
  IN_CONTEXT(handle, module_unload(module));
}

/* More shared memory than 48 KiB must be asked for, function by function. */
tile_status cuda_module_function(void *handle, void *module, const struct runtime_version *kernel,
                                 void **out) {
  struct cuda_device_state *device = handle;
  const tile_kernel_version *version = kernel->version;
  cuda_function function = NULL;
  cuda_result result = IN_CONTEXT(device, module_function(&function, module, version->symbol));
  if (result == CUDA_NOT_FOUND)
    return FAIL(TILE_BAD_IMAGE, "the image has no kernel '%s', which its metadata names",
                version->symbol);
  TRY(cuda_check(device->cuda, result, "cuModuleGetFunction"));
  if (version->shared_bytes > MACHINE_LAUNCH_SHARED_BYTES)
    TRY(CHECKED(device, "cuFuncSetAttribute",
                function_set(function, CUDA_FUNCTION_SHARED_BYTES, (int)version->shared_bytes)));
  *out = function;
  return NULL;
}

/* --- What a function takes -------------------------------------------------------------------- */

static tile_status read_attributes(const struct cuda_device_state *device, cuda_function function,
                                   tile_kernel_resources *out) {
  const struct {
    int attribute;
    uint32_t *value;
  } wanted[] = {{CUDA_FUNCTION_REGISTERS, &out->registers},
                {CUDA_FUNCTION_LOCAL_BYTES, &out->local_bytes},
                {CUDA_FUNCTION_STATIC_SHARED_BYTES, &out->shared_bytes},
                {CUDA_FUNCTION_CONSTANT_BYTES, &out->constant_bytes},
                {CUDA_FUNCTION_THREADS, &out->most_threads}};
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
    int value = 0;
    TRY(CHECKED(device, "cuFuncGetAttribute", function_get(&value, wanted[i].attribute, function)));
    *wanted[i].value = (uint32_t)value;
  }
  return NULL;
}

static tile_status occupancy(const struct cuda_device_state *device,
                             const tile_kernel_version *version, cuda_function function,
                             uint32_t *out) {
  int blocks = 0;
  tile_status status =
      CHECKED(device, "cuOccupancyMaxActiveBlocksPerMultiprocessor",
              occupancy(&blocks, function, (int)version->threads, version->shared_bytes));
  *out = (uint32_t)blocks;
  return status;
}

tile_status cuda_function_resources(void *handle, const struct runtime_version *version,
                                    void *function, tile_kernel_resources *out) {
  TRY(read_attributes(handle, function, out));
  out->shared_bytes += version->version->shared_bytes;
  return occupancy(handle, version->version, function, &out->blocks_per_multiprocessor);
}

/* --- Launches --------------------------------------------------------------------------------- */

/* The driver's word for a cooperative launch that is too large has no number in it. */
static tile_status too_large(const struct cuda_device_state *device,
                             const struct runtime_launch *launch) {
  int multiprocessors = 0;
  char name[128] = "";
  uint32_t blocks = 0;
  const struct cuda_api *cuda = device->cuda;
  TRY(cuda_check(cuda,
                 cuda->device_attribute(&multiprocessors, CUDA_MULTIPROCESSORS, device->device),
                 "cuDeviceGetAttribute"));
  TRY(cuda_check(cuda, cuda->device_name(name, (int)sizeof name, device->device),
                 "cuDeviceGetName"));
  TRY(occupancy(device, launch->version->version, launch->function, &blocks));
  return runtime_not_resident(launch, name, (uint64_t)blocks * (uint64_t)multiprocessors);
}

static unsigned list_attributes(const tile_launch_options *options,
                                struct cuda_launch_attribute out[3]) {
  unsigned count = 0;
  if (options->cluster[0]) {
    out[count] = (struct cuda_launch_attribute){.id = CUDA_LAUNCH_CLUSTER};
    memcpy(out[count++].value.cluster, options->cluster, sizeof options->cluster);
  }
  if (options->cooperative)
    out[count++] = (struct cuda_launch_attribute){.id = CUDA_LAUNCH_COOPERATIVE, .value.flag = 1};
  if (options->programmatic)
    out[count++] = (struct cuda_launch_attribute){.id = CUDA_LAUNCH_PROGRAMMATIC, .value.flag = 1};
  return count;
}

static tile_status launch_with_attributes(const struct cuda_device_state *device,
                                          const struct runtime_launch *launch) {
  struct cuda_launch_attribute attributes[3];
  const tile_kernel_version *version = launch->version->version;
  if (!device->cuda->launch_config)
    return FAIL(TILE_DRIVER_TOO_OLD,
                "kernel '%s': the CUDA driver is too old for a launch with attributes: it has no "
                "cuLaunchKernelEx; CUDA 11.8 or later is needed",
                launch->version->kernel);
  struct cuda_launch_config config = {.grid = {launch->grid[0], launch->grid[1], launch->grid[2]},
                                      .block = {version->threads, 1, 1},
                                      .shared_bytes = version->shared_bytes,
                                      .stream = launch->stream,
                                      .attributes = attributes,
                                      .attribute_count =
                                          list_attributes(launch->options, attributes)};
  cuda_result result =
      IN_CONTEXT(device, launch_config(&config, launch->function, launch->pointers, NULL));
  return result == CUDA_COOPERATIVE_TOO_LARGE
             ? too_large(device, launch)
             : cuda_check(device->cuda, result, "cuLaunchKernelEx");
}

static int map_type(const char *name) {
  static const struct {
    const char *name;
    int number;
  } types[] = {
#define X(name, bytes, has_nan, cuda) {name, CUDA_MAP_##cuda},
#include "runtime/tensor_map_types.def"
#undef X
  };
  size_t i = 0; /* the name is one of them */
  while (strcmp(types[i].name, name) != 0)
    i++;
  return types[i].number;
}

/* Lines of the L2 cache are fetched whole, of 128 bytes: rows of boxes have so many. */
tile_status cuda_tensor_map_encode(void *handle, const tile_tensor_map *map,
                                   const struct tensor_map_values *values, void *out) {
  static const uint32_t steps[TILE_TENSOR_MAP_RANK] = {1, 1, 1, 1, 1};
  int swizzle = map->swizzle == 128  ? CUDA_MAP_SWIZZLE_128
                : map->swizzle == 64 ? CUDA_MAP_SWIZZLE_64
                : map->swizzle == 32 ? CUDA_MAP_SWIZZLE_32
                                     : CUDA_MAP_SWIZZLE_NONE;
  return CHECKED(
      handle, "cuTensorMapEncodeTiled",
      tensor_map_encode(out, map_type(map->type), map->rank, (void *)(uintptr_t)values->base,
                        values->sizes, values->strides, map->box, steps, CUDA_MAP_NO_INTERLEAVE,
                        swizzle, CUDA_MAP_L2_PROMOTION_128,
                        map->pads_with_nan ? CUDA_MAP_OUTSIDE_NAN : CUDA_MAP_OUTSIDE_ZERO));
}

tile_status cuda_launch(void *handle, const struct runtime_launch *launch) {
  struct cuda_device_state *device = handle;
  const uint32_t *grid = launch->grid;
  if (launch->options)
    return launch_with_attributes(device, launch);
  const tile_kernel_version *version = launch->version->version;
  cuda_result result =
      IN_CONTEXT(device, launch(launch->function, grid[0], grid[1], grid[2], version->threads, 1, 1,
                                version->shared_bytes, launch->stream, launch->pointers, NULL));
  return result == CUDA_SUCCESS ? NULL : cuda_check(device->cuda, result, "cuLaunchKernel");
}
