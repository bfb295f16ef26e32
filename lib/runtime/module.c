/* SPDX-License-Identifier: MIT */
/* Loading a module: which versions of its kernels are for this device, does the driver take them;
   and what tile_launch asks of each, packed. */
#include "runtime/module.h"

#include <stdlib.h>
#include <string.h>
#include "base/status.h"
#include "base/text.h"
#include "runtime/metadata.h"
#include "runtime/tensor_maps.h"
#include "runtime/versions.h"

/* --- What a launch asks ----------------------------------------------------------------------- */

static const struct parameter_check *prepare_checks(struct arena *arena,
                                                    const tile_kernel_info *info) {
  struct parameter_check *checks =
      ARENA_ARRAY(arena, struct parameter_check, info->parameter_count);
  for (size_t i = 0; i < info->parameter_count; i++) {
    tile_argument_kind kind = info->parameters[i].kind;
    bool divisible =
        kind == TILE_ARGUMENT_POINTER || (kind >= TILE_ARGUMENT_I1 && kind <= TILE_ARGUMENT_I64);
    checks[i] =
        (struct parameter_check){.kind = kind,
                                 .bytes = tile_argument_kind_bytes(kind),
                                 .divisibility = divisible ? info->parameters[i].divisibility : 1};
    uint32_t divisor = checks[i].divisibility;
    checks[i].mask = divisor & (divisor - 1) ? UINT64_MAX : divisor - 1;
  }
  return checks;
}

static struct argument_test prepare_test(const tile_kernel_info *info,
                                         const tile_condition *condition) {
  uint32_t bytes = tile_argument_kind_bytes(info->parameters[condition->argument].kind);
  uint64_t all = bytes == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * bytes) - 1;
  struct argument_test test = {
      .argument = condition->argument, .mask = all, .condition = condition};
  switch (condition->kind) {
  case TILE_CONDITION_DIVISIBLE:
    test.mask = (uint64_t)condition->value - 1;
    break;
  case TILE_CONDITION_AT_MOST:
  case TILE_CONDITION_AT_LEAST:
    test.order = condition->kind == TILE_CONDITION_AT_MOST ? -1 : 1;
    test.wanted = (uint64_t)condition->value;
    break;
  case TILE_CONDITION_EQUAL:
  case TILE_CONDITION_ABSENT:
  case TILE_CONDITION_FEW_BLOCKS:
  case TILE_CONDITION_SPLIT_ROWS:
    test.wanted = (uint64_t)condition->value & all; /* of an absent pointer it is zero */
    break;
  }
  return test;
}

/* Arguments that are constants of the version are not passed. */
static void prepare_passed(struct arena *arena, const tile_kernel_info *info,
                           struct loaded_version *out) {
  size_t count = 0;
  for (size_t i = 0; i < info->parameter_count; i++)
    count += !version_fixes(out->version.version, i);
  out->version.parameters = info->parameters;
  out->version.parameter_count = count;
  if (count == info->parameter_count)
    return;
  uint32_t *passed = ARENA_ARRAY(arena, uint32_t, count);
  tile_parameter *parameters = ARENA_ARRAY(arena, tile_parameter, count);
  count = 0;
  for (size_t i = 0; i < info->parameter_count; i++)
    if (!version_fixes(out->version.version, i)) {
      parameters[count] = info->parameters[i];
      passed[count++] = (uint32_t)i;
    }
  out->passed = passed;
  out->version.parameters = parameters;
}

/* What is no multiple of a power of two is none of a larger one. */
static const tile_condition *stricter_rows(const tile_condition *known,
                                           const tile_condition *other) {
  return known && known->value <= other->value ? known : other;
}

static void prepare_version(const tile_device *device, struct arena *arena,
                            const tile_kernel_info *info, const tile_kernel_version *version,
                            struct loaded_version *out) {
  struct argument_test *tests = ARENA_ARRAY(arena, struct argument_test, version->condition_count);
  *out = (struct loaded_version){.version = {.kernel = info->name, .version = version},
                                 .most_blocks = UINT64_MAX,
                                 .tests = tests,
                                 .map_tables = tensor_map_tables_create(arena, version->map_count)};
  for (size_t i = 0; i < version->condition_count; i++) {
    const tile_condition *condition = &version->conditions[i];
    uint64_t most = (uint64_t)device->properties.multiprocessors * (uint64_t)condition->value;
    if (condition_has_argument(condition))
      tests[out->test_count++] = prepare_test(info, condition);
    else if (condition->kind == TILE_CONDITION_SPLIT_ROWS)
      out->split_rows = stricter_rows(out->split_rows, condition);
    else if (most < out->most_blocks)
      out->most_blocks = most;
  }
  prepare_passed(arena, info, out);
}

/* --- Loading ---------------------------------------------------------------------------------- */

/* The driver reads PTX up to a zero, which the caller's text need not have. */
static tile_status load_section(const tile_device *device, const tile_section *section,
                                void **out) {
  const struct runtime_driver *driver = device->driver;
  if (section->format != TILE_IMAGE_PTX)
    return driver->module_load(device->handle, section, out);
  char *text = malloc(section->size + 1);
  if (!text)
    return FAIL(TILE_OUT_OF_MEMORY, "no memory for the PTX");
  memcpy(text, section->data, section->size);
  text[section->size] = 0;
  tile_section copy = *section;
  copy.data = text;
  tile_status status = driver->module_load(device->handle, &copy, out);
  free(text);
  return status;
}

/* The function of a version; loads its section if no other one has done so. */
static tile_status load_version(tile_module *module, const tile_image *image,
                                const tile_image *copy, struct loaded_version *version) {
  const tile_device *device = module->device;
  size_t section = (size_t)(version->version.version->section - copy->sections);
  if (!module->handles[section])
    TRY(load_section(device, &image->sections[section], &module->handles[section]));
  version->module = module->handles[section];
  return device->driver->module_function(device->handle, module->handles[section],
                                         &version->version, &version->function);
}

static void refuse_kernel(tile_module *module, const tile_kernel_info *info, tile_status reason) {
  const char *message = tile_status_message(reason);
  module->refused[module->refused_count++] = (struct refused_kernel){
      info->name, arena_copy_string(&module->arena, message, strlen(message)),
      tile_status_code(reason)};
  tile_status_free(reason);
}

static tile_status load_kernel(tile_module *module, const tile_image *image, const tile_image *copy,
                               const tile_kernel_info *all) {
  const tile_device *device = module->device;
  const tile_kernel_version **list =
      ARENA_ARRAY(&module->arena, const tile_kernel_version *, all->version_count);
  size_t count;
  tile_status reason = versions_for_device(&device->properties, all, list, &count);
  if (reason) {
    refuse_kernel(module, all, reason);
    return NULL;
  }
  tile_kernel_info *info = ARENA_NEW(&module->arena, tile_kernel_info);
  tile_kernel_version *own = ARENA_ARRAY(&module->arena, tile_kernel_version, count);
  struct loaded_version *versions = ARENA_ARRAY(&module->arena, struct loaded_version, count);
  *info = *all;
  info->versions = own;
  info->version_count = count;
  for (size_t i = 0; i < count; i++) {
    own[i] = *list[i];
    prepare_version(device, &module->arena, info, &own[i], &versions[i]);
    TRY(load_version(module, image, copy, &versions[i]));
  }
  module->kernels[module->kernel_count++] =
      (tile_kernel){.module = module,
                    .info = info,
                    .versions = versions,
                    .checks = prepare_checks(&module->arena, info)};
  return NULL;
}

static tile_status fill_module(tile_module *module, const tile_image *image) {
  tile_image copy;
  image_copy(&module->arena, image, &copy);
  module->section_count = image->section_count;
  module->handles = ARENA_ARRAY(&module->arena, void *, image->section_count);
  module->kernels = ARENA_ARRAY(&module->arena, tile_kernel, image->kernel_count);
  module->refused = ARENA_ARRAY(&module->arena, struct refused_kernel, image->kernel_count);
  for (size_t i = 0; i < copy.kernel_count; i++)
    TRY(load_kernel(module, image, &copy, &copy.kernels[i]));
  const struct refused_kernel *first = module->refused;
  return module->kernel_count ? NULL : FAIL(first->code, "%s", first->message);
}

tile_status tile_module_load(tile_device *device, const tile_image *image, tile_module **out) {
  TRY(REQUIRED(device, image, out));
  TRY(image_check(image));
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
  for (size_t i = 0; i < module->section_count; i++)
    if (module->handles[i])
      module->device->driver->module_unload(module->device->handle, module->handles[i]);
  device_release(module->device);
  arena_destroy(&module->arena);
  free(module);
}

/* --- Kernels ---------------------------------------------------------------------------------- */

size_t tile_module_kernel_count(const tile_module *module) {
  return module->kernel_count;
}

tile_kernel *tile_module_kernel_at(tile_module *module, size_t index) {
  return index < module->kernel_count ? &module->kernels[index] : NULL;
}

const tile_kernel_info *tile_kernel_get_info(const tile_kernel *kernel) {
  return kernel->info;
}

static tile_status no_kernel(const tile_module *module, const char *name) {
  for (size_t i = 0; name && i < module->refused_count; i++)
    if (strcmp(module->refused[i].name, name) == 0)
      return FAIL(module->refused[i].code, "%s", module->refused[i].message);
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

tile_status tile_module_kernel(tile_module *module, const char *name, tile_kernel **out) {
  TRY(REQUIRED(module, out));
  for (size_t i = 0; i < module->kernel_count; i++)
    if (name ? strcmp(module->kernels[i].info->name, name) == 0 : module->kernel_count == 1) {
      *out = &module->kernels[i];
      return NULL;
    }
  return no_kernel(module, name);
}
