/* The metadata block behind an image: written by the compiler, read by the runtime.

   Lines of `key=value` words, see tile/image.h. In values, '%' and everything outside printable
   ASCII is written as %XX. A reader passes over keys that it does not know; a change that old
   readers would misunderstand takes a new version number. */
#ifndef TILE_RUNTIME_METADATA_H
#define TILE_RUNTIME_METADATA_H

#include "base/arena.h"
#include "base/text.h"
#include "tile/image.h"

/* The name of a kernel's function in its image. */
static inline const char *kernel_symbol(const tile_kernel_info *kernel) {
  return kernel->symbol ? kernel->symbol : kernel->name;
}

void metadata_write(const tile_kernel_info *kernels, size_t count, struct text *out);

/* Finds the block at the end of `bytes`: its offset, or `size` when there is none. */
size_t metadata_find(const char *bytes, size_t size);

/* Reads a block. `name` is for messages. Kernels and their strings are owned by the arena. Errors:
   TILE_BAD_IMAGE, with the line within the block. */
tile_status metadata_read(const char *name, const char *block, size_t size, struct arena *arena,
                          const tile_kernel_info **out_kernels, size_t *out_count);

/* A deep copy owned by the arena. */
const tile_kernel_info *metadata_copy(struct arena *arena, const tile_kernel_info *kernels,
                                      size_t count);

#endif
