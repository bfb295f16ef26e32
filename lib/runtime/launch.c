/* SPDX-License-Identifier: MIT */
/* tile_launch: a tight loop over a prepared table, then the first version whose tests hold; words
   are made only when something is wrong. */
#include <inttypes.h>
#include <string.h>
#include "base/machine.h"
#include "base/status.h"
#include "base/text.h"
#include "runtime/hooks.h"
#include "runtime/launch_options.h"
#include "runtime/module.h"
#include "runtime/parts.h"
#include "runtime/tensor_maps.h"
#include "runtime/versions.h"

/* --- Arguments -------------------------------------------------------------------------------- */

static tile_status wrong_count(const tile_kernel *kernel, size_t count) {
  return FAIL(TILE_INVALID_ARGUMENT, "kernel '%s' takes %zu argument%s, the launch passes %zu",
              kernel->info->name, kernel->info->parameter_count,
              kernel->info->parameter_count == 1 ? "" : "s", count);
}

static tile_status wrong_kind(const tile_kernel *kernel, size_t index, tile_argument_kind kind) {
  const tile_parameter *parameter = &kernel->info->parameters[index];
  bool pointer = parameter->kind == TILE_ARGUMENT_POINTER;
  return FAIL(TILE_INVALID_ARGUMENT,
              "kernel '%s', argument %zu ('%s'): the kernel takes %s%s, the "
              "launch passes %s",
              kernel->info->name, index, parameter->name, pointer ? "a pointer to " : "",
              parameter->type, tile_argument_kind_name(kind));
}

/* The bits of an argument, zero-extended. */
static inline uint64_t bits_of(const struct parameter_check *check, const void *value) {
  uint64_t bits = 0;
  uint32_t half;
  switch (check->bytes) {
  case 8:
    memcpy(&bits, value, 8);
    return bits;
  case 4:
    memcpy(&half, value, 4);
    return half;
  default:
    memcpy(&bits, value, check->bytes); /* little-endian, as every host of the CUDA driver */
    return bits;
  }
}

static tile_status broken_promise(const tile_kernel *kernel, size_t index, uint64_t bits) {
  const struct parameter_check *check = &kernel->checks[index];
  int64_t number = integer_of(check, bits);
  struct text text = {0};
  text_printf(&text, check->kind == TILE_ARGUMENT_POINTER ? "address 0x%" PRIx64 : "%" PRId64,
              number);
  tile_status status =
      FAIL(TILE_INVALID_ARGUMENT,
           "kernel '%s', argument %zu ('%s'): %s is not divisible by %u, which the "
           "kernel was promised (tile.divisibility)",
           kernel->info->name, index, kernel->info->parameters[index].name, text_string(&text),
           (unsigned)check->divisibility);
  text_free(&text);
  return status;
}

/* Where the mask does not tell. */
static bool keeps_promise(const struct parameter_check *check, uint64_t bits) {
  int64_t number = integer_of(check, bits);
  return check->kind == TILE_ARGUMENT_POINTER ? (uint64_t)number % check->divisibility == 0
                                              : number % (int64_t)check->divisibility == 0;
}

/* Reads all arguments into `bits`, once for this and for all tests of versions. */
static tile_status read_arguments(const tile_kernel *kernel, void *const *arguments,
                                  uint64_t *bits) {
  const struct parameter_check *checks = kernel->checks;
  for (size_t i = 0; i < kernel->info->parameter_count; i++) {
    bits[i] = bits_of(&checks[i], arguments[i]);
    if (bits[i] & checks[i].mask && !keeps_promise(&checks[i], bits[i]))
      return broken_promise(kernel, i, bits[i]);
  }
  return NULL;
}

/* --- Versions --------------------------------------------------------------------------------- */

static inline bool holds(const tile_kernel *kernel, const struct argument_test *test,
                         const uint64_t *bits) {
  if (test->order == 0)
    return (bits[test->argument] & test->mask) == test->wanted;
  int64_t number = integer_of(&kernel->checks[test->argument], bits[test->argument]),
          bound = (int64_t)test->wanted;
  return test->order < 0 ? number <= bound : number >= bound;
}

/* The first test that does not hold; NULL when all do. */
static const struct argument_test *first_broken(const tile_kernel *kernel,
                                                const struct loaded_version *version,
                                                const uint64_t *bits) {
  for (size_t i = 0; i < version->test_count; i++)
    if (!holds(kernel, &version->tests[i], bits))
      return &version->tests[i];
  return NULL;
}

static const tile_condition *few_blocks(const tile_kernel_version *version) {
  for (size_t i = 0; i < version->condition_count; i++)
    if (version->conditions[i].kind == TILE_CONDITION_FEW_BLOCKS)
      return &version->conditions[i];
  return NULL;
}

/* Of 31, 16 and 16 bits, as check_grid says. */
static uint64_t product_of(const uint32_t counts[3]) {
  return (uint64_t)counts[0] * counts[1] * counts[2];
}

static bool is_too_many(const tile_kernel_version *version, uint64_t programs) {
  return version->resident_blocks && programs > TILE_RESIDENT_PROGRAMS;
}

/* "(2) needs n = 1, is 7". `programs`: all of the launch. */
static void print_reason(const tile_kernel *kernel, size_t index, const uint64_t *bits,
                         uint64_t programs, struct text *out) {
  const struct loaded_version *version = &kernel->versions[index];
  const struct argument_test *broken = first_broken(kernel, version, bits);
  const tile_condition *few = few_blocks(version->version.version);
  text_printf(out, "%s(%zu) needs ", index ? "; " : "", index + 1);
  if (broken || few)
    condition_print(kernel->info, broken ? broken->condition : few, out);
  else if (is_too_many(version->version.version, programs))
    text_printf(out, "at most %u programs, are %" PRIu64, (unsigned)TILE_RESIDENT_PROGRAMS,
                programs);
  else
    tensor_maps_explain(kernel, version, bits, out);
  if (!broken)
    return;
  const struct parameter_check *check = &kernel->checks[broken->argument];
  int64_t number = integer_of(check, bits[broken->argument]);
  bool integer = check->kind >= TILE_ARGUMENT_I1 && check->kind <= TILE_ARGUMENT_I64;
  text_printf(out, integer ? ", is %" PRId64 : ", is 0x%" PRIx64, number);
}

static tile_status no_version(const tile_kernel *kernel, const uint64_t *bits, uint64_t programs) {
  enum { MAX_REASONS = 8 };
  struct text reasons = {0};
  size_t count = kernel->info->version_count;
  for (size_t i = 0; i < count && i < MAX_REASONS; i++)
    print_reason(kernel, i, bits, programs, &reasons);
  if (count > MAX_REASONS)
    text_printf(&reasons, "; and %zu more", count - MAX_REASONS);
  tile_status status =
      FAIL(TILE_INVALID_ARGUMENT,
           "kernel '%s': none of its %zu versions for this device takes these arguments: %s; "
           "join a version without conditions to the image, or pass what one of them takes",
           kernel->info->name, count, text_string(&reasons));
  text_free(&reasons);
  return status;
}

static tile_status check_grid(const tile_kernel *kernel, const uint32_t grid[3]) {
  for (int axis = 0; axis < 3; axis++)
    if (grid[axis] - 1 >= machine_grid_limit(axis)) /* zero wraps around */
      return FAIL(TILE_INVALID_ARGUMENT, "kernel '%s': grid %c = %u is not in 1..%u",
                  kernel->info->name, "xyz"[axis], (unsigned)grid[axis],
                  (unsigned)machine_grid_limit(axis));
  return NULL;
}

/* The blocks of clusters start together: as many as there are programs, of which each has one. */
static bool has_clusters(const tile_launch_options *options) {
  return options && (options->cluster[0] > 1 || options->cluster[1] > 1 || options->cluster[2] > 1);
}

/* A launch in the making. */
struct choice {
  const struct loaded_version *version;
  uint32_t programs[3]; /* along each axis */
  uint32_t blocks[3];
  uint64_t parts; /* address for parts of sums; 0: there are none */
  bool clusters;  /* the caller asks for some; set beforehand */
  struct tensor_map_bytes maps[RUNTIME_MAP_LIMIT]; /* the version's */
};

static bool few_enough(const struct loaded_version *version, const uint32_t grid[3],
                       struct choice *out) {
  uint32_t per_block = version->version.version->programs_per_block;
  out->version = version;
  memcpy(out->programs, grid, sizeof out->programs);
  memcpy(out->blocks, grid, sizeof out->blocks);
  if (per_block > 1)
    out->blocks[0] = (grid[0] - 1) / per_block + 1;
  if (is_too_many(version->version.version, product_of(grid)))
    return false;
  return version->most_blocks == UINT64_MAX || product_of(out->blocks) <= version->most_blocks;
}

/* The first version that takes the launch. The grid is `grid`, or what `compute` says for the
   version. */
static tile_status choose(const tile_kernel *kernel, const uint32_t *grid,
                          tile_grid_function *compute, void *context, void *const *arguments,
                          const uint64_t *bits, struct choice *out) {
  memset(out->programs, 0, sizeof out->programs);
  for (size_t i = 0; i < kernel->info->version_count; i++) {
    const struct loaded_version *version = &kernel->versions[i];
    uint32_t computed[3] = {1, 1, 1};
    if ((version->test_count && first_broken(kernel, version, bits)) ||
        (version->split_rows && version->version.version->cluster_blocks && out->clusters))
      continue;
    if (compute) {
      TRY(compute(context, version->version.version, arguments, computed));
      TRY(check_grid(kernel, computed));
    }
    if (few_enough(version, compute ? computed : grid, out) &&
        (!version->version.version->map_count ||
         tensor_maps_make(kernel, version, bits, out->maps)))
      return NULL;
  }
  return no_version(kernel, bits, product_of(out->programs));
}

/* --- Launches --------------------------------------------------------------------------------- */

/* What of a launch does not depend on the version. */
struct call {
  tile_stream *stream;
  void *handle; /* of the stream */
  const tile_launch_options *options;
};

/* With hooks around it. */
static tile_status launch_reported(const tile_kernel *kernel, const struct call *call,
                                   const struct choice *choice,
                                   const struct runtime_launch *launch) {
  tile_device *device = kernel->module->device;
  tile_launch_event event = {
      .kernel = kernel->info->name,
      .version = choice->version->version.version,
      .device = device,
      .stream = call->stream,
      .grid = {choice->programs[0], choice->programs[1], choice->programs[2]},
      .options = call->options};
  hooks_launch_begins(&event);
  event.status = device->driver->launch(device->handle, launch);
  hooks_launch_ends(&event);
  return event.status;
}

/* Whole clusters of the version's: at most `blocks`, or one; or at least as many. */
static uint64_t whole_clusters(const tile_kernel_version *version, uint64_t blocks, bool at_least) {
  uint64_t each = version->cluster_blocks ? version->cluster_blocks : 1;
  uint64_t more = at_least || blocks < each ? each - 1 : 0;
  return (blocks + more) / each * each;
}

static uint32_t multiprocessors_by_option(const tile_device *device) {
  return device->driver->multiprocessors ? device->driver->multiprocessors(device->handle) : 0;
}

/* Of the driver, 0 where an option says for how many multiprocessors blocks are. */
static uint32_t programs_in_turn(const tile_device *device) {
  return multiprocessors_by_option(device) ? 0 : device->driver->programs_in_turn;
}

static uint64_t room_for_blocks(const tile_device *device, const tile_kernel_version *version) {
  uint64_t chosen = multiprocessors_by_option(device);
  uint64_t count = chosen ? chosen : (uint64_t)device->properties.multiprocessors;
  return whole_clusters(version, version->resident_blocks * count, false);
}

/* Blocks that take all programs in turn: as many as there is room for. */
static uint32_t resident_blocks(const tile_device *device, const tile_kernel_version *version,
                                uint64_t programs) {
  uint64_t room = room_for_blocks(device, version);
  if (programs_in_turn(device))
    room = (programs - 1) / programs_in_turn(device) + 1;
  return (uint32_t)whole_clusters(version, room < programs ? room : programs, true);
}

/* The same where several may share a program: so many that each has as many parts as it may have,
   if there is room for them. */
static uint32_t sharing_blocks(const tile_device *device, const tile_kernel_version *version,
                               uint64_t programs) {
  uint64_t room = room_for_blocks(device, version), most = programs * TILE_PARTS;
  if (programs_in_turn(device)) /* one whole program each, and a piece of a fourth */
    room = programs < 4 ? 4 * programs : programs - programs / 4;
  return (uint32_t)whole_clusters(version, room < most ? room : most, true);
}

/* May several blocks share programs that are left over for the last turn? Whether they do the
   kernel computes. Not where another kernel may run beside this one. */
static bool may_share(const struct call *call, uint64_t programs, uint32_t blocks) {
  return programs % blocks && !(call->options && call->options->programmatic);
}

/* The blocks of a kernel that goes over its programs, along x. */
static void choose_blocks(tile_device *device, const struct call *call, struct choice *choice) {
  const tile_kernel_version *version = choice->version->version.version;
  uint64_t programs = product_of(choice->programs);
  uint32_t sharing = version->part_bytes ? sharing_blocks(device, version, programs) : 0;
  choice->blocks[0] = resident_blocks(device, version, programs);
  choice->blocks[1] = choice->blocks[2] = 1;
  if (sharing && may_share(call, programs, sharing))
    choice->parts = part_memory_address(device, call->stream, version, sharing);
  if (choice->parts)
    choice->blocks[0] = sharing;
}

/* Hands a launch to the driver. `arguments` has room for RUNTIME_POINTER_LIMIT pointers. */
static tile_status launch(const tile_kernel *kernel, const struct call *call, void **arguments,
                          struct choice *choice) {
  const struct loaded_version *version = choice->version;
  size_t count = version->version.parameter_count;
  for (size_t i = 0; version->passed && i < count; i++)
    arguments[i] = arguments[version->passed[i]]; /* these only move down */
  for (size_t i = 0; i < version->version.version->map_count; i++)
    arguments[count++] = &choice->maps[i];
  for (size_t i = 0; i < runtime_passed_counts(version->version.version); i++)
    arguments[count++] = &choice->programs[i];
  tile_device *device = kernel->module->device;
  choice->parts = 0;
  if (version->version.version->part_bytes)
    arguments[count++] = &choice->parts;
  if (version->version.version->resident_blocks && !has_clusters(call->options))
    choose_blocks(device, call, choice);
  if (version->version.version->cluster_blocks && has_clusters(call->options))
    return FAIL(TILE_INVALID_ARGUMENT,
                "kernel '%s': its blocks form clusters of %u; name no other cluster",
                kernel->info->name, (unsigned)version->version.version->cluster_blocks);
  struct runtime_launch own = {.version = &version->version,
                               .function = version->function,
                               .stream = call->handle,
                               .grid = choice->blocks,
                               .pointers = arguments};
  tile_launch_options options;
  if (call->options)
    TRY(launch_options_check(device, call->options, &own, &options));
  tile_status status = NULL;
  if (hooks_present() && hooks_enter()) {
    status = launch_reported(kernel, call, choice, &own);
    hooks_leave();
  } else {
    status = device->driver->launch(device->handle, &own);
  }
  if (status && choice->parts)
    part_memory_spoil(device, call->stream);
  return status;
}

/* Number and kinds of arguments, and where each lies; `function` is who asks. */
static tile_status point_at(const char *function, const tile_kernel *kernel,
                            const tile_argument *arguments, size_t count, void **out) {
  if (count != kernel->info->parameter_count)
    return wrong_count(kernel, count);
  if (count)
    TRY(REQUIRED_BY(function, arguments));
  for (size_t i = 0; i < count; i++) {
    if (arguments[i].kind != kernel->checks[i].kind)
      return wrong_kind(kernel, i, arguments[i].kind);
    out[i] = (void *)&arguments[i].value;
  }
  return NULL;
}

static tile_status launch_arguments(const char *function, tile_kernel *kernel, const uint32_t *grid,
                                    struct call *call, const tile_argument *arguments,
                                    size_t argument_count) {
  TRY(REQUIRED_BY(function, kernel, grid));
  void *pointers[RUNTIME_POINTER_LIMIT];
  uint64_t bits[RUNTIME_PARAMETER_LIMIT];
  struct choice choice;
  choice.clusters = has_clusters(call->options);
  TRY(point_at(function, kernel, arguments, argument_count, pointers));
  TRY(check_grid(kernel, grid));
  TRY(stream_handle(kernel->module->device, call->stream, &call->handle));
  TRY(read_arguments(kernel, pointers, bits));
  TRY(choose(kernel, grid, NULL, NULL, pointers, bits, &choice));
  return launch(kernel, call, pointers, &choice);
}

tile_status tile_launch(tile_kernel *kernel, const uint32_t grid[3], tile_stream *stream,
                        const tile_argument *arguments, size_t argument_count) {
  return launch_arguments(__func__, kernel, grid, &(struct call){.stream = stream}, arguments,
                          argument_count);
}

tile_status tile_launch_with(tile_kernel *kernel, const uint32_t grid[3], tile_stream *stream,
                             const tile_argument *arguments, size_t argument_count,
                             const tile_launch_options *options) {
  return launch_arguments(__func__, kernel, grid,
                          &(struct call){.stream = stream, .options = options}, arguments,
                          argument_count);
}

static tile_status launch_pointers(const char *function, tile_kernel *kernel, const uint32_t *grid,
                                   tile_grid_function *compute, void *context, tile_stream *stream,
                                   void *const *arguments) {
  void *pointers[RUNTIME_POINTER_LIMIT];
  uint64_t bits[RUNTIME_PARAMETER_LIMIT];
  struct call call = {.stream = stream};
  struct choice choice;
  choice.clusters = false;
  size_t count = kernel->info->parameter_count;
  if (count)
    TRY(REQUIRED_BY(function, arguments));
  TRY(stream_handle(kernel->module->device, stream, &call.handle));
  TRY(read_arguments(kernel, arguments, bits));
  TRY(choose(kernel, grid, compute, context, arguments, bits, &choice));
  for (size_t i = 0; i < count; i++)
    pointers[i] = arguments[i];
  return launch(kernel, &call, pointers, &choice);
}

tile_status tile_launch_pointers(tile_kernel *kernel, const uint32_t grid[3], tile_stream *stream,
                                 void *const *arguments) {
  TRY(REQUIRED(kernel, grid));
  TRY(check_grid(kernel, grid));
  return launch_pointers(__func__, kernel, grid, NULL, NULL, stream, arguments);
}

tile_status tile_launch_computed(tile_kernel *kernel, tile_grid_function *grid, void *context,
                                 tile_stream *stream, void *const *arguments) {
  TRY(REQUIRED(kernel, grid));
  return launch_pointers(__func__, kernel, NULL, grid, context, stream, arguments);
}

tile_status tile_kernel_select(const tile_kernel *kernel, const uint32_t grid[3],
                               const tile_argument *arguments, size_t argument_count,
                               const tile_kernel_version **out) {
  TRY(REQUIRED(kernel, grid, out));
  void *pointers[RUNTIME_POINTER_LIMIT];
  uint64_t bits[RUNTIME_PARAMETER_LIMIT];
  struct choice choice;
  choice.clusters = false;
  TRY(point_at(__func__, kernel, arguments, argument_count, pointers));
  TRY(check_grid(kernel, grid));
  TRY(read_arguments(kernel, pointers, bits));
  TRY(choose(kernel, grid, NULL, NULL, pointers, bits, &choice));
  *out = choice.version->version.version;
  return NULL;
}
