/* SPDX-License-Identifier: MIT */
/* tile-image extract: one section, with the versions that are in it. */
#include "base/arena.h"
#include "base/status.h"
#include "runtime/image.h"
#include "runtime/metadata.h"
#include "runtime/versions.h"
#include "tile_image.h"

static bool chosen(const tile_image *image, size_t index, const struct section_choice *choice) {
  const tile_section *section = &image->sections[index];
  return (!choice->target || strcmp(choice->target, section_target(section)) == 0) &&
         (!choice->format ||
          strcmp(choice->format, metadata_format_name((int)section->format)) == 0) &&
         (!choice->by_index || choice->index == index);
}

static tile_status not_one(const tile_image *image, size_t count) {
  struct text list = {0};
  for (size_t i = 0; i < image->section_count; i++) {
    text_printf(&list, "%s%zu: ", i ? ", " : "", i);
    image_print_section(&image->sections[i], &list);
  }
  tile_status status =
      count ? FAIL(TILE_INVALID_ARGUMENT,
                   "%zu sections fit, name one with --section, --target or --format; there are %s",
                   count, text_string(&list))
            : FAIL(TILE_NOT_FOUND, "there is no such section; there are %s", text_string(&list));
  text_free(&list);
  return status;
}

static tile_status find_section(const tile_image *image, const struct section_choice *choice,
                                const tile_section **out) {
  size_t count = 0;
  for (size_t i = 0; i < image->section_count; i++)
    if (chosen(image, i, choice)) {
      *out = &image->sections[i];
      count++;
    }
  return count == 1 ? NULL : not_one(image, count);
}

/* The kernels that have a version in the section, with those alone. */
static size_t keep_kernels(struct arena *arena, const tile_image *image,
                           const tile_section *section, tile_kernel_info *out) {
  size_t count = 0;
  for (size_t i = 0; i < image->kernel_count; i++) {
    const tile_kernel_info *kernel = &image->kernels[i];
    tile_kernel_version *versions = ARENA_ARRAY(arena, tile_kernel_version, kernel->version_count);
    size_t kept = 0;
    for (size_t v = 0; v < kernel->version_count; v++)
      if (kernel->versions[v].section == section)
        versions[kept++] = kernel->versions[v];
    out[count] = *kernel;
    out[count].versions = versions;
    out[count].version_count = kept;
    count += kept > 0;
  }
  return count;
}

tile_status image_extract(const tile_image *image, const struct section_choice *choice,
                          bool code_only, struct text *out) {
  const tile_section *section = NULL;
  TRY(find_section(image, choice, &section));
  struct arena arena = {0};
  tile_kernel_info *kernels = ARENA_ARRAY(&arena, tile_kernel_info, image->kernel_count);
  size_t count = keep_kernels(&arena, image, section, kernels);
  tile_status status = NULL;
  if (code_only || !count) {
    text_append(out, section->data, section->size);
  } else {
    tile_image part = {section, 1, kernels, count};
    status = image_append(&part, out);
  }
  arena_destroy(&arena);
  return status;
}
