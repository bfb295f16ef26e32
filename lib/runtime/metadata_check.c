/* Whether what an image says of its kernels can be true of any GPU, and whether what a caller filled in is complete. What
   a certain device has is checked when it loads. */
#include <string.h>
#include "base/status.h"
#include "runtime/metadata.h"
#include "runtime/objects.h"

enum { MOST_THREADS = 1024, MOST_SHARED_BYTES = 1 << 20, MOST_KERNELS = 4096 };

static bool is_power_of_two(uint32_t value) {
  return value && (value & (value - 1)) == 0;
}

static tile_status wrong(const char *image, const tile_kernel_info *kernel, const char *what) {
  return FAIL(TILE_BAD_IMAGE, "'%s': the metadata of kernel '%s' cannot be true: %s", image, kernel->name, what);
}

static tile_status check_block(const char *image, const tile_kernel_info *kernel) {
  uint32_t programs = kernel->programs_per_block, warps = kernel->num_warps;
  if (!is_power_of_two(warps) || warps > MOST_THREADS / 32)
    return wrong(image, kernel, "its number of warps is a power of two from 1 to 32");
  if (!is_power_of_two(programs) || programs > 32)
    return wrong(image, kernel, "its programs in a block are a power of two from 1 to 32");
  if (kernel->threads != 32 * warps * programs || kernel->threads > MOST_THREADS)
    return wrong(image, kernel, "a block has 32 threads for each warp of its programs, and at most 1024");
  if (kernel->shared_bytes > MOST_SHARED_BYTES || kernel->small_grid.shared_bytes > MOST_SHARED_BYTES)
    return wrong(image, kernel, "no block has so much shared memory");
  return NULL;
}

/* A scalar has its kind's type; an index is passed as i64. */
static bool fits(const tile_parameter *parameter) {
  if (parameter->kind == TILE_ARGUMENT_POINTER)
    return parameter->type[0] != 0;
  bool index = parameter->kind == TILE_ARGUMENT_I64 && strcmp(parameter->type, "index") == 0;
  return index || strcmp(parameter->type, tile_argument_kind_name(parameter->kind)) == 0;
}

static tile_status check_parameters(const char *image, const tile_kernel_info *kernel) {
  if (kernel->parameter_count > RUNTIME_PARAMETER_LIMIT)
    return wrong(image, kernel, "it has more parameters than a launch passes");
  for (size_t i = 0; i < kernel->parameter_count; i++) {
    const tile_parameter *parameter = &kernel->parameters[i];
    if (!fits(parameter))
      return FAIL(TILE_BAD_IMAGE, "'%s': parameter %zu of kernel '%s' has kind %s and type %s", image, i, kernel->name,
                  tile_argument_kind_name(parameter->kind), parameter->type);
  }
  return NULL;
}

static tile_status check_names(const char *image, const tile_kernel_info *kernels, size_t index) {
  const tile_kernel_info *kernel = &kernels[index];
  if (!kernel->name[0] || (kernel->symbol && !kernel->symbol[0]))
    return FAIL(TILE_BAD_IMAGE, "'%s': kernel %zu of the metadata has no name", image, index);
  if (kernel->small_grid.name && (!kernel->small_grid.name[0] || !kernel->small_grid.blocks))
    return wrong(image, kernel, "its version for small grids has no name, or is for no block");
  for (size_t i = 0; i < index; i++)
    if (strcmp(kernels[i].name, kernel->name) == 0 ||
        strcmp(kernel_symbol(&kernels[i]), kernel_symbol(kernel)) == 0)
      return wrong(image, kernel, "another kernel has its name");
  return NULL;
}

tile_status metadata_check(const char *name, const tile_kernel_info *kernels, size_t count) {
  if (count > MOST_KERNELS)
    return FAIL(TILE_BAD_IMAGE, "'%s' has %zu kernels, an image has at most %d", name, count, MOST_KERNELS);
  for (size_t i = 0; i < count; i++) {
    TRY(check_names(name, kernels, i));
    TRY(check_block(name, &kernels[i]));
    TRY(check_parameters(name, &kernels[i]));
  }
  return NULL;
}

tile_status kernel_info_check(const tile_kernel_info *info) {
  if (!info->name || !info->name[0] || !info->target || !info->ptx_isa)
    return FAIL(TILE_INVALID_ARGUMENT, "a tile_kernel_info without name, target or ptx_isa");
  if (info->parameter_count > RUNTIME_PARAMETER_LIMIT)
    return FAIL(TILE_INVALID_ARGUMENT, "kernel '%s' has %zu parameters, the limit is %d", info->name,
                info->parameter_count, RUNTIME_PARAMETER_LIMIT);
  if (info->parameter_count && !info->parameters)
    return FAIL(TILE_INVALID_ARGUMENT, "kernel '%s' counts %zu parameters and has none", info->name,
                info->parameter_count);
  for (size_t i = 0; i < info->parameter_count; i++)
    if ((unsigned)info->parameters[i].kind > TILE_ARGUMENT_F64 || !info->parameters[i].name ||
        !info->parameters[i].type || info->parameters[i].divisibility < 1)
      return FAIL(TILE_INVALID_ARGUMENT, "kernel '%s': parameter %zu is not filled in", info->name, i);
  return NULL;
}
