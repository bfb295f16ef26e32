/* SPDX-License-Identifier: MIT */
/* Whether what an image says of its kernels can be true of any GPU, and whether what a caller
   filled in is complete. What a certain device has is checked when it loads. */
#include <string.h>
#include "base/machine.h"
#include "base/numbers.h"
#include "base/status.h"
#include "runtime/metadata.h"
#include "runtime/objects.h"
#include "runtime/tensor_maps.h"
#include "runtime/versions.h"

enum {
  MAX_SHARED_BYTES = 1 << 20,
  PART_ALIGNMENT = 16,
  MAX_RESIDENT_BLOCKS = 64, /* a warp each, of as many as a multiprocessor holds */
  MAX_LOCAL_BYTES = 1 << 24,
  MAX_KERNELS = 4096,
  MAX_BLOCKS = 1 << 16,
  MAX_ROW_BYTES = 1 << 16
};

/* Whether a launch can make the tensor maps of some arguments. */
static tile_status check_maps(const tile_kernel_info *info, const tile_kernel_version *version,
                              tile_code code) {
  if (version->map_count > RUNTIME_MAP_LIMIT)
    return FAIL(code, "kernel '%s' has a version with %zu tensor maps, the limit is %d", info->name,
                version->map_count, RUNTIME_MAP_LIMIT);
  for (size_t i = 0; i < version->map_count; i++) {
    const char *problem = tensor_map_problem(info, &version->maps[i]);
    if (problem)
      return FAIL(code, "kernel '%s' has a tensor map that cannot be made: %s", info->name,
                  problem);
  }
  return NULL;
}

/* --- Complete --------------------------------------------------------------------------------- */

/* A condition on the rows of tensor maps is looked at where these are made, by a remainder. */
static const char unfounded[] =
    "a condition on rows of tensor maps needs a small power of two, and tensor maps";

static bool is_unfounded(const tile_kernel_version *version, const tile_condition *condition) {
  return condition->kind == TILE_CONDITION_SPLIT_ROWS &&
         (!version->map_count || condition->value <= 0 || condition->value > MAX_ROW_BYTES ||
          !is_power_of_two(condition->value));
}

static tile_status check_filled_version(const tile_image *image, const tile_kernel_info *info,
                                        const tile_kernel_version *version) {
  size_t index = (size_t)(version - info->versions);
  if (version_section_index(image, version) >= image->section_count)
    return FAIL(TILE_INVALID_ARGUMENT,
                "kernel '%s': the section of version %zu is not one of the image's", info->name,
                index);
  if ((version->condition_count && !version->conditions) ||
      (version->constant_count && !version->constants) || (version->map_count && !version->maps))
    return FAIL(TILE_INVALID_ARGUMENT,
                "kernel '%s': version %zu counts conditions, constants or maps that it has not got",
                info->name, index);
  TRY(check_maps(info, version, TILE_INVALID_ARGUMENT));
  for (size_t i = 0; i < version->constant_count; i++)
    if (!version->constants[i].name || !version->constants[i].value)
      return FAIL(TILE_INVALID_ARGUMENT,
                  "kernel '%s': constant %zu of version %zu is not filled in", info->name, i,
                  index);
  for (size_t i = 0; i < version->condition_count; i++) {
    const tile_condition *condition = &version->conditions[i];
    if ((unsigned)condition->kind > TILE_CONDITION_SPLIT_ROWS ||
        (condition_has_argument(condition) && condition->argument >= info->parameter_count))
      return FAIL(TILE_INVALID_ARGUMENT,
                  "kernel '%s': condition %zu of version %zu is of no kind or of no argument",
                  info->name, i, index);
    if (is_unfounded(version, condition))
      return FAIL(TILE_INVALID_ARGUMENT, "kernel '%s': %s", info->name, unfounded);
  }
  return NULL;
}

static tile_status check_filled_kernel(const tile_image *image, const tile_kernel_info *info) {
  if (!info->name || !info->name[0])
    return FAIL(TILE_INVALID_ARGUMENT, "a tile_kernel_info without name");
  if (info->parameter_count > RUNTIME_PARAMETER_LIMIT)
    return FAIL(TILE_INVALID_ARGUMENT, "kernel '%s' has %zu parameters, the limit is %d",
                info->name, info->parameter_count, RUNTIME_PARAMETER_LIMIT);
  if (info->parameter_count && !info->parameters)
    return FAIL(TILE_INVALID_ARGUMENT, "kernel '%s' counts %zu parameters and has none", info->name,
                info->parameter_count);
  for (size_t i = 0; i < info->parameter_count; i++)
    if ((unsigned)info->parameters[i].kind > TILE_ARGUMENT_F64 || !info->parameters[i].name ||
        !info->parameters[i].type || info->parameters[i].divisibility < 1)
      return FAIL(TILE_INVALID_ARGUMENT, "kernel '%s': parameter %zu is not filled in", info->name,
                  i);
  if (!info->versions || !info->version_count)
    return FAIL(TILE_INVALID_ARGUMENT,
                "kernel '%s' has no version: say with one which function it is", info->name);
  for (size_t i = 0; i < info->version_count; i++)
    TRY(check_filled_version(image, info, &info->versions[i]));
  return NULL;
}

tile_status image_check(const tile_image *image) {
  if (!image->sections || !image->section_count)
    return FAIL(TILE_BAD_IMAGE, "the image is empty: it has no section");
  if (!image->kernels || !image->kernel_count)
    return FAIL(TILE_BAD_IMAGE, "the image names no kernels");
  for (size_t i = 0; i < image->section_count; i++) {
    const tile_section *section = &image->sections[i];
    if ((unsigned)section->format > TILE_IMAGE_OBJECT)
      return FAIL(TILE_INVALID_ARGUMENT, "section %zu: there is no image format %d", i,
                  (int)section->format);
    if (!section->data || (!section->size && section->format != TILE_IMAGE_EMULATOR))
      return FAIL(TILE_BAD_IMAGE, "the image is empty: section %zu has no code", i);
  }
  for (size_t i = 0; i < image->kernel_count; i++)
    TRY(check_filled_kernel(image, &image->kernels[i]));
  return NULL;
}

/* --- True ------------------------------------------------------------------------------------- */

static tile_status wrong(const char *image, const tile_kernel_info *kernel, const char *what) {
  return FAIL(TILE_BAD_IMAGE, "'%s': the metadata of kernel '%s' cannot be true: %s", image,
              kernel->name, what);
}

static tile_status check_block(const char *image, const tile_kernel_info *kernel,
                               const tile_kernel_version *version) {
  uint32_t programs = version->programs_per_block ? version->programs_per_block : 1,
           warps = version->num_warps;
  if (!machine_is_warp_count(warps))
    return wrong(image, kernel, "its number of warps is a power of two from 1 to 32");
  if (!machine_is_warp_count(programs))
    return wrong(image, kernel, "its programs in a block are a power of two from 1 to 32");
  uint32_t computing = MACHINE_LANES * warps * programs;
  bool more =
      version->threads > computing && programs == 1 && version->threads % MACHINE_LANES == 0;
  if ((version->threads != computing && !more) || version->threads > MACHINE_BLOCK_THREADS)
    return wrong(image, kernel,
                 "a block has 32 threads for each warp of its programs, and at most 1024");
  if (version->resident_blocks > MAX_RESIDENT_BLOCKS || (version->resident_blocks && programs > 1))
    return wrong(image, kernel,
                 "blocks that take programs in turn have one at a time, and no multiprocessor has "
                 "so many");
  if (version->part_bytes &&
      (!version->resident_blocks || version->part_bytes % PART_ALIGNMENT ||
       version->part_bytes > MACHINE_BLOCK_THREADS * MACHINE_THREAD_REGISTERS * 4))
    return wrong(image, kernel,
                 "parts of sums are of blocks that take programs in turn, and of what its threads "
                 "hold, 16 bytes at a time");
  if (version->cluster_blocks == 1 || version->cluster_blocks > MACHINE_CLUSTER_BLOCKS ||
      (version->cluster_blocks && programs > 1))
    return wrong(image, kernel, "a cluster has 2 to 8 blocks, of a program each");
  if (version->shared_bytes > MAX_SHARED_BYTES)
    return wrong(image, kernel, "no block has so much shared memory");
  if (version->registers > MACHINE_THREAD_REGISTERS)
    return wrong(image, kernel, "no thread has so many registers");
  if (version->local_bytes > MAX_LOCAL_BYTES || version->spill_bytes > MAX_LOCAL_BYTES)
    return wrong(image, kernel, "no thread has so much memory of its own");
  return NULL;
}

static bool is_integer(tile_argument_kind kind) {
  return kind >= TILE_ARGUMENT_I1 && kind <= TILE_ARGUMENT_I64;
}

/* Whether a scalar of the kind can have the value; a float's are its bits. */
static bool in_range(tile_argument_kind kind, int64_t value) {
  unsigned bits = tile_argument_kind_bytes(kind) * 8;
  if (kind == TILE_ARGUMENT_I1)
    return value == 0 || value == 1;
  if (bits == 64)
    return true;
  int64_t half = INT64_C(1) << (bits - 1);
  return is_integer(kind) ? value >= -half && value < half : value >= 0 && value < 2 * half;
}

/* `condition` is of an argument that there is. */
static bool condition_fits(const tile_kernel_info *kernel, const tile_condition *condition) {
  if (condition->kind == TILE_CONDITION_FEW_BLOCKS)
    return condition->value > 0 && condition->value <= MAX_BLOCKS;
  if (condition->kind == TILE_CONDITION_SPLIT_ROWS)
    return true; /* is_unfounded */
  tile_argument_kind kind = kernel->parameters[condition->argument].kind;
  bool pointer = kind == TILE_ARGUMENT_POINTER;
  switch (condition->kind) {
  case TILE_CONDITION_DIVISIBLE:
    return (pointer || is_integer(kind)) && condition->value > 0 &&
           is_power_of_two(condition->value) && condition->value <= INT64_C(1) << 30;
  case TILE_CONDITION_EQUAL:
    return !pointer && in_range(kind, condition->value);
  case TILE_CONDITION_AT_MOST:
  case TILE_CONDITION_AT_LEAST:
    return is_integer(kind);
  case TILE_CONDITION_ABSENT:
  case TILE_CONDITION_FEW_BLOCKS:
  case TILE_CONDITION_SPLIT_ROWS:
    break;
  }
  return pointer;
}

static tile_status check_version(const char *image, const tile_kernel_info *kernel,
                                 const tile_kernel_version *version) {
  if (!version_symbol(kernel, version)[0])
    return wrong(image, kernel, "a version has no name");
  TRY(check_block(image, kernel, version));
  TRY(check_maps(kernel, version, TILE_BAD_IMAGE));
  for (size_t i = 0; i < version->condition_count; i++)
    if (condition_has_argument(&version->conditions[i]) &&
        version->conditions[i].argument >= kernel->parameter_count)
      return wrong(image, kernel, "a condition is of no argument");
    else if (is_unfounded(version, &version->conditions[i]))
      return wrong(image, kernel, unfounded);
    else if (!condition_fits(kernel, &version->conditions[i])) {
      struct text text = {0};
      condition_print(kernel, &version->conditions[i], &text);
      tile_status status =
          FAIL(TILE_BAD_IMAGE, "'%s': kernel '%s' has a condition that cannot be met: %s", image,
               kernel->name, text_string(&text));
      text_free(&text);
      return status;
    }
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
      return FAIL(TILE_BAD_IMAGE, "'%s': parameter %zu of kernel '%s' has kind %s and type %s",
                  image, i, kernel->name, tile_argument_kind_name(parameter->kind),
                  parameter->type);
  }
  return NULL;
}

static tile_status check_name(const char *image, const tile_kernel_info *kernels, size_t index) {
  if (!kernels[index].name[0])
    return FAIL(TILE_BAD_IMAGE, "'%s': kernel %zu of the metadata has no name", image, index);
  for (size_t i = 0; i < index; i++)
    if (strcmp(kernels[i].name, kernels[index].name) == 0)
      return wrong(image, &kernels[index], "another kernel has its name");
  return NULL;
}

tile_status metadata_check(const char *name, const tile_image *image) {
  if (!image->kernel_count)
    return FAIL(TILE_BAD_IMAGE, "'%s': the metadata name no kernels", name);
  if (image->kernel_count > MAX_KERNELS)
    return FAIL(TILE_BAD_IMAGE, "'%s' has %zu kernels, an image has at most %d", name,
                image->kernel_count, MAX_KERNELS);
  for (size_t i = 0; i < image->kernel_count; i++) {
    const tile_kernel_info *kernel = &image->kernels[i];
    TRY(check_name(name, image->kernels, i));
    TRY(check_parameters(name, kernel));
    if (!kernel->version_count)
      return wrong(name, kernel, "it has no version");
    for (size_t v = 0; v < kernel->version_count; v++)
      TRY(check_version(name, kernel, &kernel->versions[v]));
  }
  return NULL;
}
