/* SPDX-License-Identifier: MIT */
/* Versions of kernels: small questions about them, and which of them a device takes. */
#ifndef TILE_RUNTIME_VERSIONS_H
#define TILE_RUNTIME_VERSIONS_H

#include <string.h>
#include "base/arena.h"
#include "base/private.h"
#include "base/text.h"
#include "tile/image.h"
#include "tile/runtime.h"

/* The architecture of emulators' objects that run here; "" where there are none. */
#if defined __x86_64__
#define RUNTIME_HOST "x86-64"
#else
#define RUNTIME_HOST ""
#endif

static inline const char *version_symbol(const tile_kernel_info *kernel,
                                         const tile_kernel_version *version) {
  return version->symbol ? version->symbol : kernel->name;
}

static inline const char *section_target(const tile_section *section) {
  return section->target ? section->target : "";
}

/* Which section of the image a version is in; section_count when in none. */
static inline size_t version_section_index(const tile_image *image,
                                           const tile_kernel_version *version) {
  size_t index = 0;
  while (version->section && index < image->section_count &&
         version->section != &image->sections[index])
    index++;
  return index;
}

/* Those without speak of a launch as a whole. */
static inline bool condition_has_argument(const tile_condition *condition) {
  return condition->kind != TILE_CONDITION_FEW_BLOCKS &&
         condition->kind != TILE_CONDITION_SPLIT_ROWS;
}

/* Whether the argument is a constant of the version, which a launch does not pass on. */
bool version_fixes(const tile_kernel_version *version, size_t argument);

/* Whether `first`, which is tried before, takes every launch that `later` would take. */
TILE_PRIVATE bool version_covers(const tile_kernel_version *first,
                                 const tile_kernel_version *later);

/* "x divisible by 16", "blocks for each multiprocessor <= 2". */
TILE_PRIVATE void condition_print(const tile_kernel_info *kernel, const tile_condition *condition,
                                  struct text *out);

/* A deep copy of sections (without data) and kernels, owned by the arena; NULLs become what they
 * stand for. */
void image_copy(struct arena *arena, const tile_image *image, tile_image *out);

/* --- Compatibility (compatibility.c) ---------------------------------------------------------- */

/* How well a section fits a device: 0 when it does not run there, else more is better. */
unsigned section_rank(const tile_device_properties *device, const tile_section *section);

/* The versions of a kernel for a device, in the order in which a launch tries them: by rank of
   their sections, then as in the image; without those that are never reached. `out` has room for
   all. Errors, when there is none: TILE_WRONG_TARGET lists what there is; TILE_DRIVER_TOO_OLD,
   TILE_INVALID_ARGUMENT (too much shared memory), TILE_BAD_IMAGE. */
tile_status versions_for_device(const tile_device_properties *device,
                                const tile_kernel_info *kernel, const tile_kernel_version **out,
                                size_t *out_count);

#endif
