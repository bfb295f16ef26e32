/* The emulator as a driver: launches run to their end on the calling thread, so streams and events
   have nothing to wait for. Lives in libtile, because the programs it runs need the JIT. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/arena.h"
#include "base/status.h"
#include "emulator/launch.h"
#include "runtime/host_clock.h"
#include "runtime/host_memory.h"
#include "runtime/objects.h"
#include "tile/emulator_device.h"

enum { GUARD_BYTES = 64 * 1024 };

struct emulator_device {
  struct host_memory memory;
  tile_emulator_device_options options;
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
    .shared_bytes = EMULATOR_SHARED_LIMIT,
    .image_formats = 1u << TILE_IMAGE_EMULATOR,
};

static tile_status create_device(const tile_emulator_device_options *options,
                                 tile_device_properties *properties, void **out) {
  struct emulator_device *device = calloc(1, sizeof *device);
  if (!device)
    return FAIL(TILE_OUT_OF_MEMORY, "no memory for a device");
  if (options)
    device->options = *options;
  *properties = emulator_properties;
  properties->memory_bytes = host_bytes();
  host_memory_create(&device->memory, properties->memory_bytes, GUARD_BYTES);
  *out = device;
  return NULL;
}

static tile_status emulator_device_open(int index, tile_device_properties *properties, void **out) {
  (void)index;
  return create_device(NULL, properties, out);
}

static void emulator_device_close(void *handle) {
  struct emulator_device *device = handle;
  host_memory_destroy(&device->memory);
  free(device);
}

static tile_status emulator_device_synchronize(void *handle) {
  (void)handle;
  return NULL;
}

/* --- Memory -------------------------------------------------------------------------------------
 */

static void *host(uint64_t address) {
  return (void *)(uintptr_t)address;
}

static tile_status emulator_memory_free_bytes(void *handle, uint64_t *out) {
  *out = host_memory_free_bytes(&((struct emulator_device *)handle)->memory);
  return NULL;
}

static tile_status emulator_memory_allocate(void *handle, size_t bytes, uint64_t *out) {
  return host_memory_allocate(&((struct emulator_device *)handle)->memory, bytes, out);
}

static void emulator_memory_free(void *handle, uint64_t address) {
  host_memory_free(&((struct emulator_device *)handle)->memory, address);
}

static tile_status emulator_memory_write(void *handle, uint64_t to, const void *from, size_t bytes,
                                         void *stream) {
  (void)handle, (void)stream;
  memcpy(host(to), from, bytes);
  return NULL;
}

static tile_status emulator_memory_read(void *handle, void *to, uint64_t from, size_t bytes,
                                        void *stream) {
  (void)handle, (void)stream;
  memcpy(to, host(from), bytes);
  return NULL;
}

static tile_status emulator_memory_copy(void *handle, uint64_t to, uint64_t from, size_t bytes,
                                        void *stream) {
  (void)handle, (void)stream;
  memcpy(host(to), host(from), bytes);
  return NULL;
}

static tile_status emulator_memory_fill(void *handle, uint64_t to, uint8_t value, size_t bytes,
                                        void *stream) {
  (void)handle, (void)stream;
  memset(host(to), value, bytes);
  return NULL;
}

/* --- Streams and events -------------------------------------------------------------------------
 */

static tile_status emulator_stream_create(void *handle, void **out) {
  (void)handle;
  *out = malloc(1);
  return *out ? NULL : FAIL(TILE_OUT_OF_MEMORY, "no memory for a stream");
}

static void emulator_stream_destroy(void *handle, void *stream) {
  (void)handle;
  free(stream);
}

static tile_status emulator_stream_synchronize(void *handle, void *stream) {
  (void)handle, (void)stream;
  return NULL;
}

static tile_status emulator_stream_wait(void *handle, void *stream, void *event) {
  (void)handle, (void)stream, (void)event;
  return NULL;
}

static tile_status emulator_event_create(void *handle, void **out) {
  (void)handle;
  *out = calloc(1, sizeof(struct host_event));
  return *out ? NULL : FAIL(TILE_OUT_OF_MEMORY, "no memory for an event");
}

static void emulator_event_destroy(void *handle, void *event) {
  (void)handle;
  free(event);
}

static tile_status emulator_event_record(void *handle, void *event, void *stream) {
  (void)handle, (void)stream;
  host_event_record(event);
  return NULL;
}

static tile_status emulator_event_synchronize(void *handle, void *event) {
  (void)handle, (void)event;
  return NULL;
}

static tile_status emulator_event_elapsed(void *handle, void *start, void *end, double *out) {
  (void)handle;
  *out = host_event_elapsed(start, end);
  return NULL;
}

/* --- Modules and launches -----------------------------------------------------------------------
 */

static tile_status emulator_module_load(void *handle, const tile_section *section, void **out) {
  (void)handle;
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
  const struct emulator_compiled_kernel *kernel = emulator_program_find(module, symbol);
  if (!kernel)
    return FAIL(TILE_BAD_IMAGE, "the program has no kernel '%s'", symbol);
  if (kernel->info.argument_count != runtime_argument_count(version))
    return FAIL(TILE_BAD_IMAGE, "kernel '%s' takes %zu arguments, its metadata has %zu", version->kernel,
                kernel->info.argument_count, runtime_argument_count(version));
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

/* The live buffers with copies of their own names, because a buffer may be renamed or go while a
   launch runs that does not use it. One allocation, owned by the caller: free. The caller holds the
   lock. */
static tile_emulator_buffer *list_buffers(const struct host_memory *memory,
                                          const struct runtime_launch *launch, size_t *count) {
  enum { NAME_BYTES = sizeof memory->first->name };
  size_t total = 0;
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
  return buffers;
}

static tile_status emulator_launch(void *handle, const struct runtime_launch *launch) {
  struct emulator_device *device = handle;
  const tile_kernel_version *version = launch->version->version;
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
  pthread_mutex_lock(&device->memory.lock);
  tile_emulator_buffer *buffers = list_buffers(&device->memory, launch, &options.buffer_count);
  pthread_mutex_unlock(&device->memory.lock);
  options.buffers = buffers;
  tile_emulator_report *report = NULL;
  tile_status status = tile_emulator_launch(launch->function, version->symbol, &options, &report);
  if (report && device->options.on_report)
    device->options.on_report(device->options.context, launch->version->kernel, report);
  tile_emulator_report_free(report);
  free(buffers);
  return status;
}

static const struct runtime_driver emulator_driver = {
    .name = "emulator",
    .device_count = emulator_device_count,
    .device_open = emulator_device_open,
    .device_close = emulator_device_close,
    .device_synchronize = emulator_device_synchronize,
    .memory_free_bytes = emulator_memory_free_bytes,
    .memory_allocate = emulator_memory_allocate,
    .memory_free = emulator_memory_free,
    .memory_write = emulator_memory_write,
    .memory_read = emulator_memory_read,
    .memory_copy = emulator_memory_copy,
    .memory_fill = emulator_memory_fill,
    .stream_create = emulator_stream_create,
    .stream_destroy = emulator_stream_destroy,
    .stream_synchronize = emulator_stream_synchronize,
    .stream_wait = emulator_stream_wait,
    .event_create = emulator_event_create,
    .event_destroy = emulator_event_destroy,
    .event_record = emulator_event_record,
    .event_synchronize = emulator_event_synchronize,
    .event_elapsed = emulator_event_elapsed,
    .module_load = emulator_module_load,
    .module_unload = emulator_module_unload,
    .module_function = emulator_module_function,
    .launch = emulator_launch,
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
  struct host_memory *memory = &((struct emulator_device *)buffer->device->handle)->memory;
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
