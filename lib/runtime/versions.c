/* SPDX-License-Identifier: MIT */
/* See versions.h. */
#include "runtime/versions.h"

#include <inttypes.h>
#include "runtime/tensor_maps.h"

bool version_fixes(const tile_kernel_version *version, size_t argument) {
  for (size_t i = 0; i < version->condition_count; i++) {
    const tile_condition *condition = &version->conditions[i];
    if (condition->argument == argument &&
        (condition->kind == TILE_CONDITION_EQUAL || condition->kind == TILE_CONDITION_ABSENT))
      return true;
  }
  return false;
}

/* Whether `known` cannot hold without `wanted`. */
static bool implies(const tile_condition *known, const tile_condition *wanted) {
  if (!condition_has_argument(wanted) || !condition_has_argument(known))
    return known->kind == wanted->kind &&
           known->value <= wanted->value; /* powers of two, of rows */
  if (known->argument != wanted->argument)
    return false;
  switch (wanted->kind) {
  case TILE_CONDITION_DIVISIBLE: /* null is divisible by anything */
    return known->kind == TILE_CONDITION_ABSENT ||
           ((known->kind == TILE_CONDITION_EQUAL || known->kind == TILE_CONDITION_DIVISIBLE) &&
            known->value % wanted->value == 0);
  case TILE_CONDITION_AT_LEAST:
    return (known->kind == TILE_CONDITION_EQUAL || known->kind == TILE_CONDITION_AT_LEAST) &&
           known->value >= wanted->value;
  case TILE_CONDITION_AT_MOST:
    return (known->kind == TILE_CONDITION_EQUAL || known->kind == TILE_CONDITION_AT_MOST) &&
           known->value <= wanted->value;
  case TILE_CONDITION_FEW_BLOCKS:
    return known->kind == TILE_CONDITION_FEW_BLOCKS && known->value <= wanted->value;
  case TILE_CONDITION_EQUAL:
  case TILE_CONDITION_ABSENT:
  case TILE_CONDITION_SPLIT_ROWS:
    break;
  }
  return known->kind == wanted->kind && known->value == wanted->value;
}

static bool is_implied(const tile_kernel_version *version, const tile_condition *wanted) {
  for (size_t i = 0; i < version->condition_count; i++)
    if (implies(&version->conditions[i], wanted))
      return true;
  return false;
}

static uint32_t programs_of(const tile_kernel_version *version) {
  return version->programs_per_block ? version->programs_per_block : 1;
}

bool version_covers(const tile_kernel_version *first, const tile_kernel_version *later) {
  if (first->map_count && !tensor_maps_equal(first, later))
    return false;
  if (first->resident_blocks && !later->resident_blocks) /* TILE_RESIDENT_PROGRAMS */
    return false;
  for (size_t i = 0; i < first->condition_count; i++) {
    const tile_condition *condition = &first->conditions[i];
    /* Fewer programs in a block are more blocks. */
    if (condition->kind == TILE_CONDITION_FEW_BLOCKS && programs_of(first) != programs_of(later))
      return false;
    if (!is_implied(later, condition))
      return false;
  }
  return true;
}

static const char *const condition_words[] = {
#define X(id, name, words) [TILE_CONDITION_##id] = words,
#include "runtime/condition_kinds.def"
#undef X
};

void condition_print(const tile_kernel_info *kernel, const tile_condition *condition,
                     struct text *out) {
  if (condition_has_argument(condition)) {
    const char *name = kernel->parameters[condition->argument].name;
    if (name[0])
      text_puts(out, name);
    else
      text_printf(out, "argument %u", (unsigned)condition->argument);
  }
  text_puts(out, condition_words[condition->kind]);
  if (condition->kind != TILE_CONDITION_ABSENT)
    text_printf(out, "%" PRId64, condition->value);
  if (condition->kind == TILE_CONDITION_SPLIT_ROWS)
    text_puts(out, " bytes");
}

/* --- Copying ---------------------------------------------------------------------------------- */

static const char *copy_string(struct arena *arena, const char *text) {
  return text ? arena_copy_string(arena, text, strlen(text)) : "";
}

static void copy_version(struct arena *arena, const tile_image *image,
                         const tile_kernel_info *kernel, const tile_section *sections,
                         tile_kernel_version *version) {
  tile_condition *conditions = ARENA_ARRAY(arena, tile_condition, version->condition_count);
  tile_named_constant *constants = ARENA_ARRAY(arena, tile_named_constant, version->constant_count);
  for (size_t i = 0; i < version->condition_count; i++)
    conditions[i] = version->conditions[i];
  for (size_t i = 0; i < version->constant_count; i++)
    constants[i] = (tile_named_constant){copy_string(arena, version->constants[i].name),
                                         copy_string(arena, version->constants[i].value)};
  tile_tensor_map *maps = ARENA_ARRAY(arena, tile_tensor_map, version->map_count);
  for (size_t i = 0; i < version->map_count; i++) {
    maps[i] = version->maps[i];
    maps[i].type = copy_string(arena, maps[i].type);
  }
  version->maps = maps;
  version->section = &sections[version_section_index(image, version)];
  version->symbol = copy_string(arena, version_symbol(kernel, version));
  version->programs_per_block = programs_of(version);
  version->conditions = conditions;
  version->constants = constants;
  version->config = copy_string(arena, version->config);
}

static void copy_kernel(struct arena *arena, const tile_image *image, const tile_section *sections,
                        tile_kernel_info *kernel) {
  tile_parameter *parameters = ARENA_ARRAY(arena, tile_parameter, kernel->parameter_count);
  for (size_t i = 0; i < kernel->parameter_count; i++) {
    parameters[i] = kernel->parameters[i];
    parameters[i].name = copy_string(arena, parameters[i].name);
    parameters[i].type = copy_string(arena, parameters[i].type);
  }
  tile_kernel_version *versions = ARENA_ARRAY(arena, tile_kernel_version, kernel->version_count);
  for (size_t i = 0; i < kernel->version_count; i++) {
    versions[i] = kernel->versions[i];
    versions[i].index = (uint32_t)i;
    copy_version(arena, image, kernel, sections, &versions[i]);
  }
  kernel->name = copy_string(arena, kernel->name);
  kernel->parameters = parameters;
  kernel->versions = versions;
}

void image_copy(struct arena *arena, const tile_image *image, tile_image *out) {
  tile_section *sections = ARENA_ARRAY(arena, tile_section, image->section_count);
  tile_kernel_info *kernels = ARENA_ARRAY(arena, tile_kernel_info, image->kernel_count);
  for (size_t i = 0; i < image->section_count; i++) {
    sections[i] = image->sections[i];
    sections[i].target = copy_string(arena, sections[i].target);
    sections[i].ptx_isa = copy_string(arena, sections[i].ptx_isa);
    sections[i].data = NULL;
  }
  for (size_t i = 0; i < image->kernel_count; i++) {
    kernels[i] = image->kernels[i];
    copy_kernel(arena, image, sections, &kernels[i]);
  }
  *out = (tile_image){sections, image->section_count, kernels, image->kernel_count};
}
