/* SPDX-License-Identifier: MIT */
/* tile-image: what its commands share. */
#ifndef TILE_TOOLS_TILE_IMAGE_H
#define TILE_TOOLS_TILE_IMAGE_H

#include <stdbool.h>
#include "base/text.h"
#include "tile/image.h"

/* Appends what `list` prints of an image. */
void image_list(const char *path, const tile_image *image, struct text *out);
/* The same as one line of JSON. */
void image_list_json(const char *path, const tile_image *image, struct text *out);

/* "sm_90a cubin". */
void image_print_section(const tile_section *section, struct text *out);

/* Appends to `problems` a line for each thing that is wrong with an image which tile_image_read
   gave, and to `notes` one for each that is strange. */
void image_verify(const tile_image *image, struct text *problems, struct text *notes);

/* Which section `extract` is asked for; zeros choose the only one. */
struct section_choice {
  const char *target; /* or NULL */
  const char *format; /* "ptx", "cubin", or NULL */
  bool by_index;
  size_t index;
};
/* Appends the bytes of one section as an image of its own, or the code alone. TILE_NOT_FOUND and
   TILE_INVALID_ARGUMENT list what there is. */
tile_status image_extract(const tile_image *image, const struct section_choice *choice,
                          bool code_only, struct text *out);

#endif
