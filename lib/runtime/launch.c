/* tile_launch: a tight loop over a prepared table; words are made only when something is wrong. */
#include <inttypes.h>
#include "base/status.h"
#include "runtime/module.h"

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

/* The value of an integer argument, sign-extended. */
static int64_t integer_value(const tile_argument *argument) {
  switch (argument->kind) {
  case TILE_ARGUMENT_I1:
    return argument->value.i1;
  case TILE_ARGUMENT_I8:
    return (int8_t)argument->value.i8;
  case TILE_ARGUMENT_I16:
    return (int16_t)argument->value.i16;
  case TILE_ARGUMENT_I32:
    return (int32_t)argument->value.i32;
  default:
    return (int64_t)argument->value.i64;
  }
}

static tile_status check_divisibility(const tile_kernel *kernel, size_t index,
                                      const tile_argument *argument) {
  uint32_t divisor = kernel->checks[index].divisibility;
  if (argument->kind == TILE_ARGUMENT_POINTER) {
    if (argument->value.address % divisor != 0)
      return FAIL(TILE_INVALID_ARGUMENT,
                  "kernel '%s', argument %zu ('%s'): address 0x%" PRIx64 " is not divisible by %u, "
                  "which the kernel was promised (tile.divisibility)",
                  kernel->info->name, index, kernel->info->parameters[index].name,
                  argument->value.address, divisor);
  } else if (integer_value(argument) % (int64_t)divisor != 0) {
    return FAIL(TILE_INVALID_ARGUMENT,
                "kernel '%s', argument %zu ('%s'): %" PRId64 " is not divisible by %u, which the "
                "kernel was promised (tile.divisibility)",
                kernel->info->name, index, kernel->info->parameters[index].name,
                integer_value(argument), divisor);
  }
  return NULL;
}

static tile_status check_grid(const tile_kernel *kernel, const uint32_t grid[3]) {
  static const uint32_t limits[3] = {0x7FFFFFFF, 65535, 65535};
  for (int axis = 0; axis < 3; axis++)
    if (grid[axis] - 1 >= limits[axis]) /* zero wraps around */
      return FAIL(TILE_INVALID_ARGUMENT, "kernel '%s': grid %c = %u is not in 1..%u",
                  kernel->info->name, "xyz"[axis], (unsigned)grid[axis], (unsigned)limits[axis]);
  return NULL;
}

tile_status tile_launch(tile_kernel *kernel, const uint32_t grid[3], tile_stream *stream,
                        const tile_argument *arguments, size_t argument_count) {
  TRY(REQUIRED(kernel));
  TRY(REQUIRED(grid));
  tile_device *device = kernel->module->device;
  void *pointers[RUNTIME_PARAMETER_LIMIT + 1], *handle;
  uint32_t programs = grid[0], per_block = kernel->info->programs_per_block;
  uint32_t blocks[] = {grid[0], grid[1], grid[2]};
  if (argument_count != kernel->info->parameter_count)
    return wrong_count(kernel, argument_count);
  if (argument_count)
    TRY(REQUIRED(arguments));
  TRY(check_grid(kernel, grid));
  TRY(stream_handle(device, stream, &handle));
  for (size_t i = 0; i < argument_count; i++) {
    if (arguments[i].kind != kernel->checks[i].kind)
      return wrong_kind(kernel, i, arguments[i].kind);
    if (kernel->checks[i].divisibility != 1)
      TRY(check_divisibility(kernel, i, &arguments[i]));
    pointers[i] = (void *)&arguments[i].value;
  }
  if (per_block > 1) {
    blocks[0] = (programs - 1) / per_block + 1;
    pointers[argument_count] = &programs;
  }
  bool small = (uint64_t)blocks[0] * blocks[1] * blocks[2] <= kernel->small.most_blocks;
  return device->driver->launch(device->handle,
                                &(struct runtime_launch){.info = small ? kernel->small.info : kernel->info,
                                                         .function = small ? kernel->small.function : kernel->function,
                                                         .stream = handle,
                                                         .grid = blocks,
                                                         .pointers = pointers});
}
