/* SPDX-License-Identifier: MIT */
/* The metadata block after an image: written by the compiler, read by the runtime.

   Lines of `key=value` words, see tile/image.h. In values, '%' and everything outside printable
   ASCII is written as %XX. A reader passes over keys that it does not know; a change that old
   readers would misunderstand takes a new version number. */
#ifndef TILE_RUNTIME_METADATA_H
#define TILE_RUNTIME_METADATA_H

#include "base/arena.h"
#include "base/private.h"
#include "base/text.h"
#include "tile/image.h"

/* --- Words and checksums (metadata.c) --------------------------------------------------------- */

#define METADATA_OPENING "// tile.metadata "
#define METADATA_SECTION "// tile.section "
#define METADATA_KERNEL "// tile.kernel "
#define METADATA_ARGUMENT "// tile.argument "
#define METADATA_VERSION "// tile.version "
#define METADATA_CONDITION "// tile.condition "
#define METADATA_CONSTANT "// tile.constant "
#define METADATA_MAP "// tile.map "
#define METADATA_CLOSING "// tile.end"
enum { METADATA_NUMBER = 5 };

/* "ptx", "cubin", "program" (in memory alone), "emulator" (an object). */
TILE_PRIVATE const char *metadata_format_name(int format);

/* FNV-1a, 64 bits. */
uint64_t metadata_checksum(const void *bytes, size_t size);

/* How often `key=` stands in a line; the value after the first, as written. */
int metadata_count_words(struct slice line, const char *key, struct slice *out);
/* A number of at most 16 digits of a base up to 16; letters are capitals. */
bool metadata_parse_number(struct slice word, unsigned base, uint64_t *out);

/* Finds the block at the end of `bytes`, by its closing line, which is the last one but for zeros
   and white space. Before it may stand any bytes. Errors: TILE_BAD_IMAGE when there is none, or
   when length or checksum are wrong. */
tile_status metadata_find(const char *name, const char *bytes, size_t size, size_t *out_code,
                          size_t *out_size);

/* --- Writing (metadata_write.c) --------------------------------------------------------------- */

/* Where a section lies in a container, and what its checksum is. */
struct section_place {
  uint64_t offset, size, check;
  bool has_place, has_check;
};

/* `places` has one entry for each section. */
void metadata_write(const tile_image *image, const struct section_place *places, struct text *out);
/* Appends the closing line of a block that begins at `start`: its length up to there, and its
 * checksum. */
TILE_PRIVATE void metadata_close(struct text *out, size_t start);

/* --- Reading (metadata_read.c) ---------------------------------------------------------------- */

/* What a block says: all of an image but the sections' bytes. */
struct metadata {
  tile_section *sections; /* without data */
  struct section_place *places;
  size_t section_count;
  tile_kernel_info *kernels;
  size_t kernel_count;
};

/* Reads a block, without its closing line. `name` is for messages. Everything is owned by the
   arena. Errors: TILE_BAD_IMAGE, with the line within the block. */
tile_status metadata_read(const char *name, const char *block, size_t size, struct arena *arena,
                          struct metadata *out);

/* --- Checking (metadata_check.c) -------------------------------------------------------------- */

/* Whether what a caller may have filled in by hand is all there: TILE_INVALID_ARGUMENT,
   TILE_BAD_IMAGE for an image that is empty. */
tile_status image_check(const tile_image *image);

/* Whether kernels can be true of any GPU: names, numbers of threads, kinds and types, conditions.
   TILE_BAD_IMAGE names the first that is not. `image` has passed image_check. */
tile_status metadata_check(const char *name, const tile_image *image);

#endif
