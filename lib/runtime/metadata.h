/* The metadata block behind an image: written by the compiler, read by the runtime.

   Lines of `key=value` words, see tile/image.h. In values, '%' and everything outside printable
   ASCII is written as %XX. A reader passes over keys that it does not know; a change that old
   readers would misunderstand takes a new version number. */
#ifndef TILE_RUNTIME_METADATA_H
#define TILE_RUNTIME_METADATA_H

#include "base/arena.h"
#include "base/private.h"
#include "base/text.h"
#include "tile/image.h"

/* The name of a kernel's function in its image. */
static inline const char *kernel_symbol(const tile_kernel_info *kernel) {
  return kernel->symbol ? kernel->symbol : kernel->name;
}

TILE_PRIVATE void metadata_write(const tile_kernel_info *kernels, size_t count, struct text *out);
/* Appends the closing line of a block that begins at `start`: its length up to there, and its checksum. */
TILE_PRIVATE void metadata_close(struct text *out, size_t start);

/* Finds the block at the end of `bytes`, by its closing line, which is the last one but for zeros and white space. Before it may stand
   any bytes. Errors: TILE_BAD_IMAGE when there is none, or when length or checksum are wrong. */
tile_status metadata_find(const char *name, const char *bytes, size_t size, size_t *out_code, size_t *out_size);

/* Reads a block, without its closing line. `name` is for messages. Kernels and their strings are owned by the arena. Errors:
   TILE_BAD_IMAGE, with the line within the block. */
tile_status metadata_read(const char *name, const char *block, size_t size, struct arena *arena,
                          const tile_kernel_info **out_kernels, size_t *out_count);

/* Whether what a caller may have filled in by hand is all there: TILE_INVALID_ARGUMENT. */
tile_status kernel_info_check(const tile_kernel_info *info);

/* Whether kernels can be true of any GPU: names, numbers of threads, kinds and types. TILE_BAD_IMAGE names the first that
   is not. */
tile_status metadata_check(const char *name, const tile_kernel_info *kernels, size_t count);

/* A deep copy owned by the arena. */
const tile_kernel_info *metadata_copy(struct arena *arena, const tile_kernel_info *kernels,
                                      size_t count);

#endif
