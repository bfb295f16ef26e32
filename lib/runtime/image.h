/* SPDX-License-Identifier: MIT */
/* Images that own what they point to, and their bytes. */
#ifndef TILE_RUNTIME_IMAGE_H
#define TILE_RUNTIME_IMAGE_H

#include "base/arena.h"
#include "base/private.h"
#include "base/text.h"
#include "tile/image.h"

struct owned_image {
  tile_image image; /* first: a tile_image * that was handed out points here */
  struct arena arena;
  /* Ends `data` when the arena does not own it; or NULL. */
  void (*destroy_data)(const void *data);
  const void *data;
  bool is_changed;   /* it is PTX that was changed after it was written: read and run all the same
                      */
  bool is_unchecked; /* it is PTX without a checksum */
};

/* An empty image. Fill in `image`, out of `arena` where possible; tile_image_free ends it. */
TILE_PRIVATE struct owned_image *image_create(void);

/* Appends the bytes of an image that has passed image_check: as a container, or with one section as
   PTX or a cubin. Errors: TILE_UNSUPPORTED for an emulator's program in memory. */
TILE_PRIVATE tile_status image_append(const tile_image *image, struct text *out);

/* --- Containers (container.c) ----------------------------------------------------------------- */

/* A file of several sections. All numbers are little-endian.

     0   the magic bytes
     8   version of the container, 1 (4 bytes), then zero (4 bytes)
     16  bytes of the whole file (8 bytes)
     24  zeros up to 64
     64  section 0, section 1, ..., each at a multiple of 64, with zeros between
         the metadata's lines, with offset=, bytes= and check= of each section */
enum { CONTAINER_HEADER_BYTES = 64 };
bool container_begins(const char *bytes, size_t size);
void container_append(const tile_image *image, struct text *out);
/* Checks the header: that it is one of this version, and that no byte is missing. TILE_BAD_IMAGE.
 */
tile_status container_check(const char *name, const char *bytes, size_t size);

#endif
