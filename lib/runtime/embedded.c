/* SPDX-License-Identifier: MIT */
/* Images inside programs, loaded on first use.

   Each embedded image gets a number in the process, each device has a table of modules by number,
   which grows by parts that never move: a launch finds its module by two reads, without a lock and
   without knowing of other devices. Modules in the table belong to the device: their reference to
   it is given back, so that they do not keep it open. */
#include "runtime/embedded.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "base/machine.h"
#include "base/status.h"
#include "runtime/module.h"

/* --- The table -------------------------------------------------------------------------------- */

enum { FIRST_PART = 32 }; /* entries of part 0; each next part has twice as many */

struct place {
  uint32_t part, entry;
};

static struct place place_of(uint32_t number) {
  uint32_t index = number - 1 + FIRST_PART;
  uint32_t part = 31 - (uint32_t)__builtin_clz(index) - (31 - (uint32_t)__builtin_clz(FIRST_PART));
  return (struct place){part, index - ((uint32_t)FIRST_PART << part)};
}

/* The number of an image, given on first use. A program that finds the numbers used up has opened
   and closed libraries some 10^8 times. */
static tile_status number_of(tile_embedded *embedded, uint32_t *out) {
  static _Atomic uint32_t given;
  uint32_t number = __atomic_load_n(&embedded->number, __ATOMIC_RELAXED);
  if (!number) {
    uint32_t fresh = atomic_fetch_add_explicit(&given, 1, memory_order_relaxed) + 1;
    if (fresh > (uint32_t)FIRST_PART << (DEVICE_PARTS - 1))
      return FAIL(TILE_OUT_OF_MEMORY, "there are more embedded images than a process can number");
    if (__atomic_compare_exchange_n(&embedded->number, &number, fresh, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED))
      number = fresh;
  }
  *out = number;
  return NULL;
}

/* What an embedded image has become on a device. */
struct embedded_module {
  tile_module *module;    /* owned */
  tile_kernel *kernels[]; /* the module's, by their numbers; NULL: not for this device */
};

static struct embedded_module *loaded(tile_device *device, uint32_t number) {
  struct place place = place_of(number);
  embedded_entry *part = atomic_load_explicit(&device->parts[place.part], memory_order_acquire);
  return part ? atomic_load_explicit(&part[place.entry], memory_order_acquire) : NULL;
}

/* The caller holds the lock. */
static tile_status keep(tile_device *device, uint32_t number, struct embedded_module *module) {
  struct place place = place_of(number);
  embedded_entry *part = atomic_load_explicit(&device->parts[place.part], memory_order_relaxed);
  if (!part) {
    part = calloc((size_t)FIRST_PART << place.part, sizeof *part);
    if (!part)
      return FAIL(TILE_OUT_OF_MEMORY, "no memory for the table of embedded images");
    atomic_store_explicit(&device->parts[place.part], part, memory_order_release);
  }
  atomic_store_explicit(&part[place.entry], module, memory_order_release);
  return NULL;
}

/* --- Loading ---------------------------------------------------------------------------------- */

static bool same_parameters(const tile_kernel_info *info, const char *letters) {
  size_t i = 0;
  while (i < info->parameter_count && letters[i] == embedded_kind_letter(info->parameters[i].kind))
    i++;
  return i == info->parameter_count && !letters[i];
}

/* The bytes are the program's own; but somebody may have put others in their place. */
static tile_status check_kernels(const tile_embedded *embedded, const tile_image *image) {
  bool same = image->kernel_count == embedded->kernel_count;
  for (size_t i = 0; i < image->kernel_count && same; i++)
    same = strcmp(image->kernels[i].name, embedded->kernels[i].name) == 0 &&
           same_parameters(&image->kernels[i], embedded->kernels[i].parameters);
  return same ? NULL
              : FAIL(TILE_BAD_IMAGE,
                     "'%s': the image's kernels are not those that the C file was written for; "
                     "write it "
                     "again with tile-translate --tile-to-c",
                     embedded->name);
}

static tile_status load_image(const tile_embedded *embedded, tile_device *device,
                              tile_module **out) {
  tile_image *image;
  TRY(tile_image_parse(embedded->name, embedded->image, embedded->size, &image));
  tile_status status = check_kernels(embedded, image);
  if (!status)
    status = tile_module_load(device, image, out);
  tile_image_free(image);
  return status;
}

static tile_status load_module(const tile_embedded *embedded, tile_device *device,
                               struct embedded_module **out) {
  struct embedded_module *module =
      calloc(1, sizeof *module + embedded->kernel_count * sizeof *module->kernels);
  if (!module)
    return FAIL(TILE_OUT_OF_MEMORY, "no memory for a module");
  tile_status status = load_image(embedded, device, &module->module);
  if (status) {
    free(module);
    return status;
  }
  for (uint32_t i = 0; i < embedded->kernel_count; i++)
    for (size_t k = 0; k < module->module->kernel_count; k++)
      if (strcmp(module->module->kernels[k].info->name, embedded->kernels[i].name) == 0)
        module->kernels[i] = &module->module->kernels[k];
  *out = module;
  return NULL;
}

static void destroy(struct embedded_module *module) {
  tile_module_unload(module->module);
  free(module);
}

/* Somebody else may have loaded it meanwhile. */
static tile_status load_locked(tile_embedded *embedded, tile_device *device, uint32_t number,
                               struct embedded_module **out) {
  *out = loaded(device, number);
  if (*out)
    return NULL;
  TRY(load_module(embedded, device, out));
  tile_status status = keep(device, number, *out);
  if (status)
    destroy(*out);
  else
    device_release(device); /* the module's reference; the caller has another */
  return status;
}

static tile_status load(tile_embedded *embedded, tile_device *device,
                        struct embedded_module **out) {
  uint32_t number = 0;
  TRY(number_of(embedded, &number));
  pthread_mutex_lock(&device->lock);
  tile_status status = load_locked(embedded, device, number, out);
  pthread_mutex_unlock(&device->lock);
  return status;
}

static tile_status find_module(tile_embedded *embedded, tile_device *device,
                               struct embedded_module **out) {
  uint32_t number = __atomic_load_n(&embedded->number, __ATOMIC_RELAXED);
  *out = number ? loaded(device, number) : NULL;
  return *out ? NULL : load(embedded, device, out);
}

static void unload(tile_device *device, struct embedded_module *module) {
  device_retain(device); /* the reference that unloading gives back */
  destroy(module);
}

void embedded_unload_all(tile_device *device) {
  atomic_store(&device->references, 1); /* while its modules go */
  for (uint32_t i = 0; i < DEVICE_PARTS; i++) {
    embedded_entry *part = atomic_load(&device->parts[i]);
    for (size_t k = 0; part && k < (size_t)FIRST_PART << i; k++) {
      struct embedded_module *module = atomic_load(&part[k]);
      if (module)
        unload(device, module);
    }
    free(part);
  }
}

/* --- The interface ---------------------------------------------------------------------------- */

static tile_status check_index(const tile_embedded *embedded, uint32_t kernel) {
  return kernel < embedded->kernel_count
             ? NULL
             : FAIL(TILE_INVALID_ARGUMENT, "'%s' has %u kernels, there is no number %u",
                    embedded->name, (unsigned)embedded->kernel_count, (unsigned)kernel);
}

/* The grid that the kernel's expression gives for a version. */
static tile_status compute_grid(void *context, const tile_kernel_version *version,
                                void *const *arguments, uint32_t out[3]) {
  const tile_embedded_kernel *kernel = context;
  tile_embedded_grid grid = {{1, 1, 1}, false};
  kernel->grid(version->index, arguments, &grid);
  if (grid.bad)
    return FAIL(TILE_INVALID_ARGUMENT,
                "kernel '%s': the grid '%s' overflows or divides by zero for these arguments",
                kernel->name, kernel->grid_text);
  for (int i = 0; i < 3; i++) {
    if (grid.size[i] < 1 || grid.size[i] > INT32_MAX)
      return FAIL(TILE_INVALID_ARGUMENT,
                  "kernel '%s': grid %c of '%s' is %lld for these arguments, not in 1..%d",
                  kernel->name, "xyz"[i], kernel -> grid_text, (long long)grid.size[i],
                  (int)machine_grid_limit(i));
    out[i] = (uint32_t)grid.size[i];
  }
  return NULL;
}

/* The kernel of a module that the device has. */
static tile_status find_kernel(const tile_embedded *embedded, const struct embedded_module *module,
                               uint32_t index, tile_kernel **out) {
  *out = module->kernels[index];
  return *out ? NULL : tile_module_kernel(module->module, embedded->kernels[index].name, out);
}

tile_status tile_embedded_get(tile_embedded *embedded, uint32_t kernel, tile_device *device,
                              tile_kernel **out) {
  TRY(REQUIRED(embedded, device, out));
  TRY(check_index(embedded, kernel));
  struct embedded_module *module;
  TRY(find_module(embedded, device, &module));
  tile_kernel *found;
  TRY(find_kernel(embedded, module, kernel, &found));
  *out = found;
  return NULL;
}

tile_status tile_embedded_launch(tile_embedded *embedded, uint32_t kernel, tile_device *device,
                                 tile_stream *stream, const uint32_t grid[3],
                                 void *const *arguments) {
  TRY(REQUIRED(embedded, device));
  TRY(check_index(embedded, kernel));
  const tile_embedded_kernel *own = &embedded->kernels[kernel];
  if (!own->grid)
    TRY(REQUIRED(grid));
  if (own->parameters[0])
    TRY(REQUIRED(arguments));
  struct embedded_module *module;
  tile_kernel *found;
  TRY(find_module(embedded, device, &module));
  TRY(find_kernel(embedded, module, kernel, &found));
  if (!grid && own->grid)
    return tile_launch_computed(found, compute_grid, (void *)(uintptr_t)own, stream, arguments);
  return tile_launch_pointers(found, grid, stream, arguments);
}

void tile_embedded_unload(tile_embedded *embedded, tile_device *device) {
  uint32_t number = __atomic_load_n(&embedded->number, __ATOMIC_RELAXED);
  if (!number)
    return;
  pthread_mutex_lock(&device->lock);
  struct embedded_module *module = loaded(device, number);
  struct place place = place_of(number);
  if (module)
    atomic_store_explicit(&atomic_load(&device->parts[place.part])[place.entry], NULL,
                          memory_order_release);
  pthread_mutex_unlock(&device->lock);
  if (module)
    unload(device, module);
}
