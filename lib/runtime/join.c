/* SPDX-License-Identifier: MIT */
/* Joining images: sections one after the other, kernels of one name as versions of one kernel.

   A kernel is joined in two steps. First its parameters: each part's versions either pass an
   argument on or have it as a constant. Those that pass it agree on its type, and what all of them
   are promised is what remains promised: the greatest common divisor. Then the versions: one that
   was promised more than that gets it as a condition. */
#include <string.h>
#include "base/status.h"
#include "runtime/image.h"
#include "runtime/metadata.h"
#include "runtime/versions.h"

/* The image in the making. */
struct joining {
  struct arena *arena;
  tile_section *sections;
  size_t section_count;
  tile_kernel_info *kernels;
  size_t kernel_count;
};

/* --- Sections --------------------------------------------------------------------------------- */

static bool same_section(const tile_section *a, const tile_section *b) {
  return a->format == b->format && a->size == b->size &&
         strcmp(section_target(a), section_target(b)) == 0 &&
         memcmp(a->data, b->data, a->size) == 0;
}

/* The copy of a section; the same code is held once. */
static const tile_section *add_section(struct joining *out, const tile_section *section) {
  for (size_t i = 0; i < out->section_count; i++)
    if (same_section(&out->sections[i], section))
      return &out->sections[i];
  tile_section *copy = &out->sections[out->section_count++];
  const char *isa = section->ptx_isa ? section->ptx_isa : "", *target = section_target(section);
  *copy = *section;
  copy->target = arena_copy_string(out->arena, target, strlen(target));
  copy->ptx_isa = arena_copy_string(out->arena, isa, strlen(isa));
  copy->data = arena_copy_string(out->arena, section->data, section->size);
  return copy;
}

/* --- Parameters ------------------------------------------------------------------------------- */

static bool all_fix(const tile_kernel_info *kernel, size_t argument) {
  for (size_t i = 0; i < kernel->version_count; i++)
    if (!version_fixes(&kernel->versions[i], argument))
      return false;
  return true;
}

static uint32_t common_divisor(uint32_t a, uint32_t b) {
  while (b) {
    uint32_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* Takes over what `part` says of one parameter. `fixed` is whether every version so far has it as a
 * constant. */
static tile_status join_parameter(const tile_kernel_info *kernel, const tile_kernel_info *part,
                                  size_t index, bool fixed, tile_parameter *own) {
  const tile_parameter *other = &part->parameters[index];
  bool other_fixed = all_fix(part, index),
       same = own->kind == other->kind && strcmp(own->type, other->type) == 0;
  if (strcmp(own->name, other->name) != 0)
    return FAIL(TILE_INVALID_ARGUMENT,
                "kernel '%s': parameter %zu is '%s' in one part and '%s' in another", kernel->name,
                index, own->name, other->name);
  if (!same && !fixed && !other_fixed)
    return FAIL(TILE_INVALID_ARGUMENT,
                "kernel '%s': parameter %zu ('%s') is %s%s in one part and %s%s in another",
                kernel->name, index, own->name,
                own->kind == TILE_ARGUMENT_POINTER ? "a pointer to " : "", own->type,
                other->kind == TILE_ARGUMENT_POINTER ? "a pointer to " : "", other->type);
  if (!same && !other_fixed) {
    own->kind = other->kind;
    own->type = other->type;
  }
  if (fixed) /* what no version is passed, none counts on */
    own->divisibility = other_fixed ? 1 : other->divisibility;
  else if (!other_fixed)
    own->divisibility = common_divisor(own->divisibility, other->divisibility);
  return NULL;
}

static tile_status join_parameters(tile_kernel_info *kernel, const tile_kernel_info *part) {
  if (kernel->parameter_count != part->parameter_count)
    return FAIL(TILE_INVALID_ARGUMENT,
                "kernel '%s' has %zu parameters in one part and %zu in another; specialise an "
                "argument with "
                "a condition, so that it remains one",
                kernel->name, kernel->parameter_count, part->parameter_count);
  for (size_t i = 0; i < kernel->parameter_count; i++)
    TRY(join_parameter(kernel, part, i, all_fix(kernel, i),
                       (tile_parameter *)&kernel->parameters[i]));
  return NULL;
}

/* --- Versions --------------------------------------------------------------------------------- */

/* What the part promised of a parameter beyond what the joined kernel does; 1: nothing. */
static uint32_t own_promise(const tile_kernel_info *kernel, const tile_kernel_info *part,
                            const tile_kernel_version *version, size_t parameter) {
  uint32_t promise = part->parameters[parameter].divisibility;
  bool fixed =
      version_fixes(version, parameter) || promise == kernel->parameters[parameter].divisibility;
  return fixed ? 1 : promise;
}

static tile_status add_promises(struct joining *out, const tile_kernel_info *kernel,
                                const tile_kernel_info *part, tile_kernel_version *version) {
  tile_condition *conditions =
      ARENA_ARRAY(out->arena, tile_condition, version->condition_count + kernel->parameter_count);
  size_t count = 0;
  for (size_t i = 0; i < kernel->parameter_count; i++) {
    uint32_t promise = own_promise(kernel, part, version, i);
    if (promise == 1)
      continue;
    if (promise & (promise - 1))
      return FAIL(TILE_INVALID_ARGUMENT,
                  "kernel '%s': one part counts on '%s' being divisible by %u, which is no "
                  "condition, since it is not a "
                  "power of two; compile all parts with it",
                  kernel->name, kernel->parameters[i].name, (unsigned)promise);
    conditions[count++] = (tile_condition){TILE_CONDITION_DIVISIBLE, (uint32_t)i, promise};
  }
  for (size_t i = 0; i < version->condition_count; i++)
    conditions[count++] = version->conditions[i];
  version->conditions = conditions;
  version->condition_count = count;
  return NULL;
}

static bool same_version(const tile_kernel_version *a, const tile_kernel_version *b) {
  return a->section == b->section && strcmp(a->symbol, b->symbol) == 0 && version_covers(a, b) &&
         version_covers(b, a);
}

static bool has_version(const tile_kernel_info *kernel, const tile_kernel_version *version) {
  for (size_t i = 0; i < kernel->version_count; i++)
    if (same_version(&kernel->versions[i], version))
      return true;
  return false;
}

/* Appends a part's versions; the kernel's list has room for them. */
static tile_status add_versions(struct joining *out, const tile_image *image,
                                tile_kernel_info *kernel, const tile_kernel_info *part) {
  tile_kernel_version *versions = (tile_kernel_version *)kernel->versions;
  for (size_t i = 0; i < part->version_count; i++) {
    tile_kernel_version *version = &versions[kernel->version_count];
    *version = part->versions[i];
    version->section = add_section(out, &image->sections[version_section_index(image, version)]);
    TRY(add_promises(out, kernel, part, version));
    version->index = (uint32_t)kernel->version_count;
    if (!has_version(kernel, version))
      kernel->version_count++;
  }
  return NULL;
}

/* --- Kernels ---------------------------------------------------------------------------------- */

static const tile_kernel_info *find_kernel(const tile_image *image, const char *name) {
  for (size_t i = 0; i < image->kernel_count; i++)
    if (strcmp(image->kernels[i].name, name) == 0)
      return &image->kernels[i];
  return NULL;
}

/* Parameters of all parts. The kernel's list meanwhile is that of the versions seen, so that
 * all_fix asks each of them. */
static tile_status join_all_parameters(tile_kernel_info *kernel, const tile_image *parts,
                                       size_t count) {
  tile_kernel_version *list = (tile_kernel_version *)kernel->versions;
  for (size_t p = 0; p < count; p++) {
    const tile_kernel_info *part = find_kernel(&parts[p], kernel->name);
    if (!part)
      continue;
    TRY(join_parameters(kernel, part));
    for (size_t i = 0; i < part->version_count; i++)
      list[kernel->version_count++] = part->versions[i];
  }
  kernel->version_count = 0;
  return NULL;
}

/* The kernel called as `first` is, from all parts. Strings are the parts' copies, which the arena
 * owns. */
static tile_status join_kernel(struct joining *out, const tile_image *parts, size_t count,
                               const tile_kernel_info *first) {
  tile_kernel_info *kernel = &out->kernels[out->kernel_count++];
  tile_parameter *parameters = ARENA_ARRAY(out->arena, tile_parameter, first->parameter_count);
  const tile_kernel_info *part;
  size_t versions = 0;
  for (size_t i = 0; i < first->parameter_count; i++)
    parameters[i] = first->parameters[i];
  for (size_t p = 0; p < count; p++)
    versions += (part = find_kernel(&parts[p], first->name)) ? part->version_count : 0;
  *kernel = *first;
  kernel->parameters = parameters;
  kernel->versions = ARENA_ARRAY(out->arena, tile_kernel_version, versions);
  kernel->version_count = 0;
  TRY(join_all_parameters(kernel, parts, count));
  for (size_t p = 0; p < count; p++)
    if ((part = find_kernel(&parts[p], first->name)))
      TRY(add_versions(out, &parts[p], kernel, part));
  return NULL;
}

static tile_status join_kernels(struct joining *out, const tile_image *parts, size_t count) {
  for (size_t p = 0; p < count; p++)
    for (size_t i = 0; i < parts[p].kernel_count; i++) {
      bool seen = false;
      for (size_t k = 0; k < out->kernel_count && !seen; k++)
        seen = strcmp(out->kernels[k].name, parts[p].kernels[i].name) == 0;
      if (!seen)
        TRY(join_kernel(out, parts, count, &parts[p].kernels[i]));
    }
  return NULL;
}

/* Copies of the parts' descriptions, which point to the parts' code. */
static tile_status copy_parts(struct arena *arena, const tile_image *const *parts, size_t count,
                              tile_image *out) {
  for (size_t p = 0; p < count; p++) {
    TRY(REQUIRED(parts[p]));
    TRY(image_check(parts[p]));
    TRY(metadata_check("an image to join", parts[p]));
    image_copy(arena, parts[p], &out[p]);
    for (size_t i = 0; i < out[p].section_count; i++) {
      if (parts[p]->sections[i].format == TILE_IMAGE_EMULATOR)
        return FAIL(TILE_UNSUPPORTED,
                    "an emulator program lives in memory only; join PTX and cubins");
      ((tile_section *)out[p].sections)[i].data = parts[p]->sections[i].data;
    }
  }
  return NULL;
}

static tile_status join(struct owned_image *owned, const tile_image *const *parts, size_t count) {
  struct arena *arena = &owned->arena;
  tile_image *copies = ARENA_ARRAY(arena, tile_image, count);
  TRY(copy_parts(arena, parts, count, copies));
  size_t sections = 0, kernels = 0;
  for (size_t p = 0; p < count; p++) {
    sections += copies[p].section_count;
    kernels += copies[p].kernel_count;
  }
  struct joining out = {.arena = arena,
                        .sections = ARENA_ARRAY(arena, tile_section, sections),
                        .kernels = ARENA_ARRAY(arena, tile_kernel_info, kernels)};
  TRY(join_kernels(&out, copies, count));
  owned->image = (tile_image){out.sections, out.section_count, out.kernels, out.kernel_count};
  return metadata_check("the joined image", &owned->image);
}

tile_status tile_image_join(const tile_image *const *parts, size_t count, tile_image **out) {
  TRY(REQUIRED(parts, out));
  if (!count)
    return FAIL(TILE_INVALID_ARGUMENT, "tile_image_join: there is no image to join");
  struct owned_image *owned = image_create();
  tile_status status = join(owned, parts, count);
  if (status)
    tile_image_free(&owned->image);
  else
    *out = &owned->image;
  return status;
}
