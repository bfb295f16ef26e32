/* SPDX-License-Identifier: MIT */
/* The emulator as a driver: launches run to their end on the calling thread, so streams and events
   have nothing to wait for. Lives in libtile, because the programs it runs need the JIT. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/arena.h"
#include "base/status.h"
#include "base/text.h"
#include "emulator/launch.h"
#include "emulator/tensor_map.h"
#include "runtime/emulator/emulator_driver.h"
#include "runtime/host_device.h"
#include "runtime/objects.h"
#include "tile/emulator_device.h"
#include "tile/version.h"

enum { GUARD_BYTES = 64 * 1024 };

struct emulator_device {
  struct host_device host;
  tile_emulator_device_options options;
  uint64_t turn_limit;           /* 0: none */
  uint32_t multiprocessors;      /* that blocks are for which take programs in turn; or 0 */
  struct emulator_counts counts; /* of the latest launch; under the lock of the memory, */
  bool hung;                     /* and whether it would not have ended */
};

static tile_status emulator_device_count(int *out) {
  *out = 1;
  return NULL;
}

static uint64_t host_bytes(void) {
  long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : UINT64_C(1) << 34;
}

static const tile_device_properties emulator_properties = {
    .name = "the emulator",
    .multiprocessors = 1,
    .image_formats = 1u << TILE_IMAGE_EMULATOR | 1u << TILE_IMAGE_OBJECT,
    .tensor_maps = true,
};

static tile_status create_device(const tile_emulator_device_options *options,
                                 tile_device_properties *properties, void **out) {
  struct emulator_device *device = calloc(1, sizeof *device);
  if (!device)
    return FAIL(TILE_OUT_OF_MEMORY, "no memory for a device");
  if (options)
    device->options = *options;
  *properties = emulator_properties;
  /* it runs the code of each target */
  properties->shared_bytes = (uint32_t)machine_most_shared_bytes();
  properties->memory_bytes = host_bytes();
  host_device_create(&device->host, properties->memory_bytes, GUARD_BYTES);
  *out = device;
  return NULL;
}

static tile_status emulator_device_open(int index, tile_device_properties *properties, void **out) {
  (void)index;
  return create_device(NULL, properties, out);
}

static void emulator_device_close(void *handle) {
  struct emulator_device *device = handle;
  host_device_destroy(&device->host);
  free(device);
}

static tile_status emulator_set_option(void *handle, const char *name, uint64_t value) {
  struct emulator_device *device = handle;
  tile_emulator_device_options *options = &device->options;
  bool check = strcmp(name, "check") == 0, resident = strcmp(name, "resident_blocks") == 0;
  bool multiprocessors = strcmp(name, "multiprocessors") == 0;
  bool of_blocks = resident || multiprocessors;
  uint64_t most = check ? 1 : of_blocks ? EMULATOR_RESIDENT_LIMIT : UINT64_MAX;
  if (value > most)
    return FAIL(TILE_INVALID_ARGUMENT,
                "option '%s' of the emulator is at most %" PRIu64 ", not %" PRIu64, name, most,
                value);
  if (check)
    options->check = value;
  else if (resident)
    options->resident_blocks = (uint32_t)value;
  else if (multiprocessors)
    device->multiprocessors = (uint32_t)value;
  else if (strcmp(name, "seed") == 0)
    options->seed = value;
  else if (strcmp(name, "turn_limit") == 0)
    device->turn_limit = value;
  else
    return FAIL(TILE_NOT_FOUND,
                "the emulator has no option '%s'; there are seed, check, resident_blocks, "
                "multiprocessors and turn_limit",
                name);
  return NULL;
}

static uint32_t emulator_multiprocessors(void *handle) {
  const struct emulator_device *device = handle;
  return device->multiprocessors;
}

/* --- Modules and launches --------------------------------------------------------------------- */

/* An object calls the emulator's functions as they were when it was compiled. */
static tile_status load_object(const tile_section *section, tile_emulator_program **out) {
  const char *version = section->ptx_isa ? section->ptx_isa : "";
  if (strcmp(version, tile_version()->text) != 0)
    return FAIL(TILE_BAD_IMAGE,
                "the emulator's program was compiled with version '%s' of the toolkit, this one is "
                "%s; compile it "
                "anew",
                version, tile_version()->text);
  return emulator_program_load(section->data, section->size, out);
}

static tile_status emulator_module_load(void *handle, const tile_section *section, void **out) {
  (void)handle;
  if (section->format == TILE_IMAGE_OBJECT)
    return load_object(section, (tile_emulator_program **)out);
  *out = emulator_program_retain((tile_emulator_program *)(uintptr_t)section->data);
  return NULL;
}

static void emulator_module_unload(void *handle, void *module) {
  (void)handle;
  tile_emulator_program_destroy(module);
}

static tile_status emulator_module_function(void *handle, void *module,
                                            const struct runtime_version *version, void **out) {
  (void)handle;
  const char *symbol = version->version->symbol;
  bool is_object = version->version->section->format == TILE_IMAGE_OBJECT;
  if (is_object && !emulator_program_find(module, symbol))
    TRY(emulator_program_add(
        module, &(struct emulator_kernel){.name = symbol,
                                          .argument_count = runtime_argument_count(version),
                                          .threads = version->version->threads,
                                          .shared_bytes = version->version->shared_bytes,
                                          .machine = emulator_program_machine(module),
                                          .cluster_blocks = version->version->cluster_blocks}));
  const struct emulator_compiled_kernel *kernel = emulator_program_find(module, symbol);
  if (!kernel)
    return FAIL(TILE_BAD_IMAGE, "the program has no kernel '%s'", symbol);
  if (kernel->info.argument_count != runtime_argument_count(version))
    return FAIL(TILE_BAD_IMAGE, "kernel '%s' takes %zu arguments, its metadata has %zu",
                version->kernel, kernel->info.argument_count, runtime_argument_count(version));
  *out = module;
  return NULL;
}

/* Its own name, or that of the parameter whose argument points into it. */
static const char *buffer_name(const struct host_memory *memory,
                               const struct runtime_launch *launch,
                               const struct host_allocation *allocation) {
  if (allocation->name[0])
    return allocation->name;
  for (size_t i = 0; i < launch->version->parameter_count; i++) {
    const tile_parameter *parameter = &launch->version->parameters[i];
    if (parameter->kind == TILE_ARGUMENT_POINTER && parameter->name[0] &&
        host_memory_find(memory, *(const uint64_t *)launch->pointers[i]) == allocation)
      return parameter->name;
  }
  return NULL;
}

static int compare_buffers(const void *left, const void *right) {
  uintptr_t a = (uintptr_t)((const tile_emulator_buffer *)left)->base;
  uintptr_t b = (uintptr_t)((const tile_emulator_buffer *)right)->base;
  return a < b ? -1 : a > b;
}

/* Memory that is wrapped may be several views of one tensor; the emulator takes one buffer for what
   they cover. */
static size_t merge_views(tile_emulator_buffer *buffers, size_t count) {
  size_t kept = 0;
  qsort(buffers, count, sizeof *buffers, compare_buffers);
  for (size_t i = 0; i < count; i++) {
    uintptr_t base = (uintptr_t)buffers[i].base, end = base + buffers[i].bytes;
    tile_emulator_buffer *last = kept ? &buffers[kept - 1] : NULL;
    if (!last || base >= (uintptr_t)last->base + last->bytes)
      buffers[kept++] = buffers[i];
    else if (end > (uintptr_t)last->base + last->bytes)
      last->bytes = end - (uintptr_t)last->base;
  }
  return kept;
}

/* Adds the arguments that point into no buffer, so that a report can name them: null pointers
   together, "x, y". */
static void add_dangling(const struct host_memory *memory, const struct runtime_launch *launch,
                         tile_emulator_buffer *buffers, size_t *count, struct text *nulls) {
  for (size_t i = 0; i < launch->version->parameter_count; i++) {
    const tile_parameter *parameter = &launch->version->parameters[i];
    if (parameter->kind != TILE_ARGUMENT_POINTER || !parameter->name[0])
      continue;
    uint64_t address = *(const uint64_t *)launch->pointers[i];
    if (!address)
      text_printf(nulls, "%s%s", nulls->length ? ", " : "", parameter->name);
    else if (!host_memory_find(memory, address))
      buffers[(*count)++] = (tile_emulator_buffer){
          .name = parameter->name, .base = (void *)(uintptr_t)address, .dangling = true};
  }
  if (nulls->length)
    buffers[(*count)++] = (tile_emulator_buffer){.name = text_string(nulls), .dangling = true};
}

/* The live buffers with copies of their own names, because a buffer may be renamed or go while a
   launch runs that does not use it; then the arguments that point into none. One allocation and a
   text, owned by the caller: free. The caller holds the lock. */
static tile_emulator_buffer *list_buffers(const struct host_memory *memory,
                                          const struct runtime_launch *launch, size_t *count,
                                          struct text *nulls) {
  enum { NAME_BYTES = sizeof memory->first->name };
  size_t total = launch->version->parameter_count + 1;
  for (const struct host_allocation *each = memory->first; each; each = each->next)
    total++;
  tile_emulator_buffer *buffers = tile_allocate(total * (sizeof *buffers + NAME_BYTES));
  char *names = (char *)(buffers + total);
  *count = 0;
  for (const struct host_allocation *each = memory->first; each; each = each->next) {
    const char *name = buffer_name(memory, launch, each);
    if (name == each->name)
      name = memcpy(names + *count * NAME_BYTES, each->name, NAME_BYTES);
    buffers[(*count)++] =
        (tile_emulator_buffer){.name = name, .base = each->base, .bytes = each->bytes};
  }
  if (memory->wrapped)
    *count = merge_views(buffers, *count);
  add_dangling(memory, launch, buffers, count, nulls);
  return buffers;
}

static uint32_t residency(const struct emulator_device *device, const void *program,
                          const tile_kernel_version *version) {
  uint32_t blocks = device->options.resident_blocks;
  const struct emulator_compiled_kernel *kernel = emulator_program_find(program, version->symbol);
  const struct machine *machine = kernel ? kernel->info.machine : machine_default();
  return blocks ? blocks : residency_default(machine, version->threads, version->shared_bytes);
}

/* One device of one multiprocessor, which holds all residents. */
static tile_status emulator_function_resources(void *handle, const struct runtime_version *version,
                                               void *function, tile_kernel_resources *out) {
  out->registers = version->version->registers;
  out->shared_bytes = version->version->shared_bytes;
  out->most_threads = version->version->threads;
  out->blocks_per_multiprocessor = residency(handle, function, version->version);
  return NULL;
}

static tile_status check_options(const struct emulator_device *device,
                                 const struct runtime_launch *launch) {
  const uint32_t *grid = launch->grid;
  uint32_t resident = residency(device, launch->function, launch->version->version);
  if (!launch->options)
    return NULL;
  if (launch->options->cluster[0])
    return FAIL(TILE_UNSUPPORTED,
                "kernel '%s': the emulator has clusters of one block only, not of %u x %u x %u",
                launch->version->kernel, (unsigned)launch->options->cluster[0],
                (unsigned)launch->options->cluster[1], (unsigned)launch->options->cluster[2]);
  if (launch->options->cooperative && (uint64_t)grid[0] * grid[1] * grid[2] > resident)
    return runtime_not_resident(launch, "the emulator", resident);
  return NULL;
}

static bool has_hung(const tile_emulator_report *report) {
  for (size_t i = 0; i < tile_emulator_report_count(report); i++) {
    tile_emulator_hazard_kind kind = tile_emulator_report_hazard(report, i)->kind;
    if (kind == TILE_EMULATOR_DEADLOCK || kind == TILE_EMULATOR_ENDLESS)
      return true;
  }
  return false;
}

static tile_status emulator_tensor_map_encode(void *handle, const tile_tensor_map *map,
                                              const struct tensor_map_values *values, void *out) {
  (void)handle;
  struct tensor_map_fields fields = {.rank = (int)map->rank,
                                     .base = values->base,
                                     .swizzle = map->swizzle,
                                     .pads_with_nan = map->pads_with_nan};
  if (!element_find(map->type, strlen(map->type), &fields.element))
    return FAIL(TILE_INVALID_ARGUMENT, "a tensor map has no elements of %s", map->type);
  memcpy(fields.sizes, values->sizes, sizeof fields.sizes);
  memcpy(fields.strides, values->strides, sizeof fields.strides);
  memcpy(fields.box, map->box, sizeof fields.box);
  memset(out, 0, TILE_TENSOR_MAP_BYTES);
  return tensor_map_encode(&fields, out);
}

static tile_status emulator_launch(void *handle, const struct runtime_launch *launch) {
  struct emulator_device *device = handle;
  const tile_kernel_version *version = launch->version->version;
  TRY(check_options(device, launch));
  tile_emulator_launch_options options = {
      .grid = {launch->grid[0], launch->grid[1], launch->grid[2]},
      .shared_bytes = version->shared_bytes,
      .seed = device->options.seed,
      .check = device->options.check,
      .resident_blocks = device->options.resident_blocks,
      .arguments = launch->pointers,
      .argument_count = runtime_argument_count(launch->version),
      .progress = device->options.on_progress,
      .progress_context = device->options.context};
  host_device_launch(&device->host);
  pthread_mutex_lock(&device->host.memory.lock);
  struct text nulls = {0};
  tile_emulator_buffer *buffers =
      list_buffers(&device->host.memory, launch, &options.buffer_count, &nulls);
  pthread_mutex_unlock(&device->host.memory.lock);
  options.buffers = buffers;
  tile_emulator_report *report = NULL;
  tile_status status = emulator_launch_limited(launch->function, version->symbol, &options,
                                               device->turn_limit, &report);
  if (report) {
    pthread_mutex_lock(&device->host.memory.lock);
    device->counts = report->counts;
    device->hung = has_hung(report);
    pthread_mutex_unlock(&device->host.memory.lock);
  }
  if (report && device->options.on_report)
    device->options.on_report(device->options.context, launch->version->kernel, report);
  tile_emulator_report_free(report);
  free(buffers);
  text_free(&nulls);
  return status;
}

static const struct runtime_driver emulator_driver = {
    .name = "emulator",
    .programs_in_turn = 2,
    .multiprocessors = emulator_multiprocessors,
#define OWN(result, name, parameters) .name = emulator_##name,
#define MEMORY(result, name, parameters) .name = host_driver_##name,
#define OPTIONAL(result, name, parameters)
#include "runtime/driver.def"
    .set_option = emulator_set_option,
};

const tile_driver *tile_emulator_driver(void) {
  return &emulator_driver;
}

void tile_emulator_device_configure(tile_device *device,
                                    const tile_emulator_device_options *options) {
  if (device->driver == &emulator_driver)
    ((struct emulator_device *)device->handle)->options = *options;
}

void tile_emulator_name_buffer(tile_buffer *buffer, const char *name) {
  if (buffer->device->driver != &emulator_driver)
    return;
  struct host_memory *memory = &((struct emulator_device *)buffer->device->handle)->host.memory;
  pthread_mutex_lock(&memory->lock);
  struct host_allocation *allocation = host_memory_find(memory, buffer->address);
  snprintf(allocation->name, sizeof allocation->name, "%s", name);
  pthread_mutex_unlock(&memory->lock);
}

tile_status tile_emulator_device_create(const tile_emulator_device_options *options,
                                        tile_device **out) {
  TRY(REQUIRED(out));
  tile_device_properties properties;
  void *handle = NULL;
  TRY(create_device(options, &properties, &handle));
  return runtime_device_wrap(&emulator_driver, handle, &properties, out);
}

bool emulator_device_counts(tile_device *device, struct emulator_counts *out, bool *out_hung) {
  if (device->driver != &emulator_driver)
    return false;
  struct emulator_device *own = device->handle;
  pthread_mutex_lock(&own->host.memory.lock);
  *out = own->counts;
  *out_hung = own->hung;
  pthread_mutex_unlock(&own->host.memory.lock);
  return true;
}

uint64_t emulator_device_limit(tile_device *device, uint64_t turns) {
  if (device->driver != &emulator_driver)
    return 0;
  struct emulator_device *own = device->handle;
  uint64_t before = own->turn_limit;
  own->turn_limit = turns;
  return before;
}
