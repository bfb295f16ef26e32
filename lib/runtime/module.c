/* Loading a module: is it for this device, can its metadata be true, does the driver take it. */
#include "runtime/module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/status.h"
#include "base/text.h"
#include "runtime/metadata.h"

/* "sm_90a" -> 90 and 'a'; false when it is no such name. Family targets ("sm_100f") count as plain
   ones of their family, which this version does not emit. */
static bool parse_target(const char *target, int *version, bool *exact) {
  int length = 0;
  if (sscanf(target, "sm_%d%n", version, &length) != 1)
    return false;
  *exact = target[length] == 'a';
  return target[length + *exact] == 0;
}

/* Architecture-specific code ("a") runs on its own compute capability only. Other PTX runs on this
   one and all later; a cubin on later minor versions of its own major one. */
static tile_status check_target(const tile_device *device, const tile_image *image,
                                const tile_kernel_info *info) {
  const tile_device_properties *properties = &device->properties;
  int version, device_version = properties->compute_major * 10 + properties->compute_minor;
  bool exact;
  if (!info->target[0] || !properties->target[0])
    return NULL;
  if (!parse_target(info->target, &version, &exact))
    return FAIL(TILE_WRONG_TARGET, "kernel '%s' is compiled for '%s', which names no GPU",
                info->name, info->target);
  bool fits = exact ? device_version == version : device_version >= version;
  if (image->format == TILE_IMAGE_CUBIN)
    fits = fits && device_version / 10 == version / 10;
  if (!fits)
    return FAIL(
        TILE_WRONG_TARGET,
        "kernel '%s' is compiled for %s, %s has compute capability %d.%d; compile it for %s",
        info->name, info->target, properties->name, properties->compute_major,
        properties->compute_minor, properties->target);
  return NULL;
}

static tile_status check_driver(const tile_device *device, const tile_image *image,
                                const tile_kernel_info *info) {
  int have = device->properties.driver_version, need = info->minimum_driver;
  if (image->format == TILE_IMAGE_EMULATOR || have == 0 || have >= need)
    return NULL;
  return FAIL(TILE_DRIVER_TOO_OLD,
              "kernel '%s' (%s, PTX ISA %s) needs a driver for CUDA %d.%d, this one is for CUDA "
              "%d.%d; update the NVIDIA driver",
              info->name, info->target, info->ptx_isa, need / 1000, need % 1000 / 10, have / 1000,
              have % 1000 / 10);
}

static tile_status check_info(const tile_device *device, const tile_kernel_info *info) {
  TRY(kernel_info_check(info));
  if (info->threads < 1 || info->threads > 1024)
    return FAIL(TILE_INVALID_ARGUMENT, "kernel '%s': %u threads per block are not in 1..1024",
                info->name, (unsigned)info->threads);
  if (info->programs_per_block > 1 && info->threads % info->programs_per_block != 0)
    return FAIL(TILE_INVALID_ARGUMENT, "kernel '%s': %u threads per block do not hold %u programs",
                info->name, (unsigned)info->threads, (unsigned)info->programs_per_block);
  if (info->shared_bytes > device->properties.shared_bytes)
    return FAIL(TILE_INVALID_ARGUMENT,
                "kernel '%s' needs %u bytes of shared memory, %s has %u for a block", info->name,
                (unsigned)info->shared_bytes, device->properties.name,
                (unsigned)device->properties.shared_bytes);
  return NULL;
}

static tile_status check_image(const tile_device *device, const tile_image *image) {
  static const char *const formats[] = {"PTX", "cubins", "emulator programs"};
  if ((unsigned)image->format > TILE_IMAGE_EMULATOR ||
      !(device->properties.image_formats >> image->format & 1))
    return FAIL(
        TILE_BAD_IMAGE, "%s does not take %s; compile for this device", device->properties.name,
        (unsigned)image->format > TILE_IMAGE_EMULATOR ? "such images" : formats[image->format]);
  if (!image->data || (image->size == 0 && image->format != TILE_IMAGE_EMULATOR))
    return FAIL(TILE_BAD_IMAGE, "the image is empty");
  if (image->kernel_count == 0 || !image->kernels)
    return FAIL(TILE_BAD_IMAGE, "the image names no kernels");
  for (size_t i = 0; i < image->kernel_count; i++) {
    TRY(check_info(device, &image->kernels[i]));
    TRY(check_target(device, image, &image->kernels[i]));
    TRY(check_driver(device, image, &image->kernels[i]));
  }
  return NULL;
}

/* --- Loading ------------------------------------------------------------------------------------
 */

static const struct parameter_check *prepare_checks(struct arena *arena,
                                                    const tile_kernel_info *info) {
  struct parameter_check *checks =
      ARENA_ARRAY(arena, struct parameter_check, info->parameter_count);
  for (size_t i = 0; i < info->parameter_count; i++) {
    tile_argument_kind kind = info->parameters[i].kind;
    bool divisible =
        kind == TILE_ARGUMENT_POINTER || (kind >= TILE_ARGUMENT_I1 && kind <= TILE_ARGUMENT_I64);
    checks[i] = (struct parameter_check){
        .kind = kind, .divisibility = divisible ? info->parameters[i].divisibility : 1};
  }
  return checks;
}

/* The driver reads PTX up to a zero, which the caller's text need not have. */
static tile_status load_handle(tile_module *module, const tile_image *image) {
  const struct runtime_driver *driver = module->device->driver;
  if (image->format != TILE_IMAGE_PTX)
    return driver->module_load(module->device->handle, image, &module->handle);
  char *text = malloc(image->size + 1);
  if (!text)
    return FAIL(TILE_OUT_OF_MEMORY, "no memory for the PTX");
  memcpy(text, image->data, image->size);
  text[image->size] = 0;
  tile_image copy = *image;
  copy.data = text;
  tile_status status = driver->module_load(module->device->handle, &copy, &module->handle);
  free(text);
  return status;
}

/* The second version is left out where its stages do not fit into this device's shared memory. */
static tile_status load_small_grid(tile_kernel *kernel, struct arena *arena) {
  const tile_device_properties *properties = &kernel->module->device->properties;
  const tile_small_grid *small = &kernel->info->small_grid;
  if (!small->name || small->shared_bytes > properties->shared_bytes)
    return NULL;
  tile_kernel_info *info = ARENA_NEW(arena, tile_kernel_info);
  *info = *kernel->info;
  info->symbol = small->name;
  info->shared_bytes = small->shared_bytes;
  kernel->small = (struct kernel_version){.info = info,
                                          .most_blocks = (uint64_t)properties->multiprocessors * small->blocks};
  return kernel->module->device->driver->module_function(kernel->module->device->handle, kernel->module->handle, info,
                                                         &kernel->small.function);
}

static tile_status fill_module(tile_module *module, const tile_image *image) {
  TRY(load_handle(module, image));
  const tile_kernel_info *infos =
      metadata_copy(&module->arena, image->kernels, image->kernel_count);
  module->kernels = ARENA_ARRAY(&module->arena, tile_kernel, image->kernel_count);
  module->kernel_count = image->kernel_count;
  for (size_t i = 0; i < image->kernel_count; i++) {
    tile_kernel *kernel = &module->kernels[i];
    *kernel = (tile_kernel){
        .module = module, .info = &infos[i], .checks = prepare_checks(&module->arena, &infos[i])};
    TRY(module->device->driver->module_function(module->device->handle, module->handle, &infos[i],
                                                &kernel->function));
    TRY(load_small_grid(kernel, &module->arena));
  }
  return NULL;
}

tile_status tile_module_load(tile_device *device, const tile_image *image, tile_module **out) {
  TRY(REQUIRED(device));
  TRY(REQUIRED(image));
  TRY(REQUIRED(out));
  TRY(check_image(device, image));
  tile_module *module = calloc(1, sizeof *module);
  if (!module)
    return FAIL(TILE_OUT_OF_MEMORY, "no memory for a module");
  module->device = device_retain(device);
  tile_status status = fill_module(module, image);
  if (status)
    tile_module_unload(module);
  else
    *out = module;
  return status;
}

void tile_module_unload(tile_module *module) {
  if (!module)
    return;
  if (module->handle)
    module->device->driver->module_unload(module->device->handle, module->handle);
  device_release(module->device);
  arena_destroy(&module->arena);
  free(module);
}

/* --- Kernels ------------------------------------------------------------------------------------
 */

size_t tile_module_kernel_count(const tile_module *module) {
  return module->kernel_count;
}

tile_kernel *tile_module_kernel_at(tile_module *module, size_t index) {
  return index < module->kernel_count ? &module->kernels[index] : NULL;
}

const tile_kernel_info *tile_kernel_get_info(const tile_kernel *kernel) {
  return kernel->info;
}

tile_status tile_module_kernel(tile_module *module, const char *name, tile_kernel **out) {
  TRY(REQUIRED(module));
  TRY(REQUIRED(out));
  for (size_t i = 0; i < module->kernel_count; i++)
    if (name ? strcmp(module->kernels[i].info->name, name) == 0 : module->kernel_count == 1) {
      *out = &module->kernels[i];
      return NULL;
    }
  struct text names = {0};
  for (size_t i = 0; i < module->kernel_count; i++)
    text_printf(&names, "%s'%s'", i ? ", " : "", module->kernels[i].info->name);
  tile_status status = name ? FAIL(TILE_NOT_FOUND, "the module has no kernel '%s'; it has %s", name,
                                   text_string(&names))
                            : FAIL(TILE_NOT_FOUND, "the module has several kernels; name one of %s",
                                   text_string(&names));
  text_free(&names);
  return status;
}
