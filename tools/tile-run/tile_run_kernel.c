/* SPDX-License-Identifier: MIT */
/* Matching arguments with the kernel's parameters. */
#include <string.h>
#include "base/status.h"
#include "tile_run.h"

static bool all_named(const tile_kernel_info *kernel) {
  for (size_t i = 0; i < kernel->parameter_count; i++)
    if (!kernel->parameters[i].name[0])
      return false;
  return true;
}

static tile_status check_match(size_t index, const tile_parameter *parameter,
                               const struct run_argument *argument) {
  const char *type = element_table[argument->type].mlir;
  bool is_pointer = parameter->kind == TILE_ARGUMENT_POINTER;
  if (is_pointer != argument->is_buffer)
    return FAIL(TILE_INVALID_ARGUMENT, "argument %zu, '%s': the kernel takes %s%s here, not %s",
                index, argument->name, is_pointer ? "a pointer to " : "a scalar ", parameter->type,
                argument->is_buffer ? "a buffer" : "a scalar");
  if (strcmp(type, parameter->type) != 0)
    return FAIL(TILE_INVALID_ARGUMENT, "argument %zu, '%s', is %s; the kernel takes %s%s here",
                index, argument->name, element_table[argument->type].name,
                is_pointer ? "a pointer to " : "", parameter->type);
  int64_t value = is_pointer ? 0 : element_load_integer(argument->type, argument->data);
  if (!element_is_float(argument->type) && value % (int64_t)parameter->divisibility != 0)
    return FAIL(TILE_INVALID_ARGUMENT,
                "argument %zu, '%s' = %lld, is not divisible by %u, which the kernel was promised "
                "(tile.divisibility)",
                index, argument->name, (long long)value, (unsigned)parameter->divisibility);
  return NULL;
}

static struct run_argument *find_argument(struct run_argument *arguments, size_t count,
                                          const char *name) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(arguments[i].name, name) == 0)
      return &arguments[i];
  return NULL;
}

/* How many arguments the code takes where ones are folded in, which are no parameters of it. */
static size_t count_unfolded(const tile_kernel_info *kernel, const struct run_argument *arguments,
                             size_t count) {
  size_t left = count;
  for (size_t i = 0; i < count; i++) {
    const struct run_argument *argument = &arguments[i];
    bool taken = false;
    for (size_t k = 0; k < kernel->parameter_count && !taken; k++)
      taken = strcmp(kernel->parameters[k].name, argument->name) == 0;
    left -= !taken && !argument->is_buffer && !element_is_float(argument->type) &&
            element_load_integer(argument->type, argument->data) == 1;
  }
  return left;
}

tile_status run_match_arguments(const tile_kernel_info *kernel, struct run_argument *arguments,
                                size_t count, bool folds, struct run_argument **ordered) {
  if ((folds ? count_unfolded(kernel, arguments, count) : count) != kernel->parameter_count)
    return FAIL(TILE_INVALID_ARGUMENT, "kernel '%s' takes %zu arguments, %zu were given with --arg",
                kernel->name, kernel->parameter_count, count);
  bool by_name = kernel->parameter_count > 0 && all_named(kernel);
  for (size_t i = 0; i < kernel->parameter_count; i++) {
    ordered[i] =
        by_name ? find_argument(arguments, count, kernel->parameters[i].name) : &arguments[i];
    if (!ordered[i])
      return FAIL(TILE_INVALID_ARGUMENT, "kernel '%s' has a parameter '%s', which no --arg gives",
                  kernel->name, kernel->parameters[i].name);
    TRY(check_match(i, &kernel->parameters[i], ordered[i]));
  }
  return NULL;
}
