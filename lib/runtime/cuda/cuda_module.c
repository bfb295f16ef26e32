/* CUDA modules and launches. */
#include <stdint.h>
#include <string.h>
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
  cuda_result result;
  IN_CONTEXT(device, result, device->cuda->module_load(&module, section->data, 2, options, values));
  *out = module;
  return with_log(cuda_check(device->cuda, result, "cuModuleLoadDataEx"), log);
}

void cuda_module_unload(void *handle, void *module) {
  struct cuda_device_state *device = handle;
  cuda_result ignored;
  IN_CONTEXT(device, ignored, device->cuda->module_unload(module));
  (void)ignored;
}

/* More shared memory than 48 KiB must be asked for, function by function. */
tile_status cuda_module_function(void *handle, void *module, const struct runtime_version *kernel,
                                 void **out) {
  struct cuda_device_state *device = handle;
  const tile_kernel_version *version = kernel->version;
  cuda_function function = NULL;
  cuda_result result;
  IN_CONTEXT(device, result, device->cuda->module_function(&function, module, version->symbol));
  if (result == CUDA_NOT_FOUND)
    return FAIL(TILE_BAD_IMAGE, "the image has no kernel '%s', which its metadata names",
                version->symbol);
  TRY(cuda_check(device->cuda, result, "cuModuleGetFunction"));
  if (version->shared_bytes > CUDA_DEFAULT_SHARED_BYTES) {
    IN_CONTEXT(
        device, result,
        device->cuda->function_set(function, CUDA_FUNCTION_SHARED_BYTES, (int)version->shared_bytes));
    TRY(cuda_check(device->cuda, result, "cuFuncSetAttribute"));
  }
  *out = function;
  return NULL;
}

tile_status cuda_launch(void *handle, const struct runtime_launch *launch) {
  struct cuda_device_state *device = handle;
  const uint32_t *grid = launch->grid;
  const tile_kernel_version *version = launch->version->version;
  cuda_result result;
  IN_CONTEXT(device, result,
             device->cuda->launch(launch->function, grid[0], grid[1], grid[2],
                                  version->threads, 1, 1, version->shared_bytes,
                                  launch->stream, launch->pointers, NULL));
  return result == CUDA_SUCCESS ? NULL : cuda_check(device->cuda, result, "cuLaunchKernel");
}
