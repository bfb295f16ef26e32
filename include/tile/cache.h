/* SPDX-License-Identifier: MIT */
/* Keeping what was compiled, in memory and on disk.

       tile_cache *cache;
       tile_status status = tile_cache_open(NULL, &cache);
       if (!status)
         status = tile_compiler_use_cache(compiler, cache);

   What is asked for a second time, in this process or in another, is then read instead of compiled:
   nothing of MLIR or LLVM runs. What comes out is the same to the bit, diagnostics included.
   docs/cache.md says what a key is made of and how the folder is laid out.

   A cache never makes a compilation fail. A disk that is full, read-only, damaged or gone costs the
   entries that are there; tile_cache_statistics.errors counts, and tile_cache_problem says, what
   happened. Any number of processes and machines, with one version of the toolkit or with several,
   may share a folder.

   Threads: any number may use one cache. */
#ifndef TILE_CACHE_H
#define TILE_CACHE_H

#include <stddef.h>
#include <stdint.h>
#include "tile/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tile_cache tile_cache;

/* Zero is the default of each. */
typedef struct tile_cache_options {
  const char *folder;    /* NULL: $TILE_CACHE_DIR, else $XDG_CACHE_HOME/tile, else
                            $HOME/.cache/tile; "": memory alone. It is made when the first entry is
                            written */
  uint64_t disk_bytes;   /* what all entries may take together, 1 GiB by default; a little more for
                            a while */
  uint64_t memory_bytes; /* the same in memory, 64 MiB by default */
} tile_cache_options;

/* What one cache has done since it was opened. */
typedef struct tile_cache_statistics {
  uint64_t memory_hits, disk_hits, misses; /* requests, of which each is one of the three */
  uint64_t bytes_read, bytes_written;      /* of the disk */
  uint64_t evictions;                      /* entries removed since they were not used for longest
                                            */
  uint64_t corrupt;                        /* entries found damaged, and removed */
  uint64_t errors;                         /* what the disk refused */
} tile_cache_statistics;

/* What a folder holds, whoever wrote it. */
typedef struct tile_cache_usage {
  uint64_t entries, bytes, limit;
} tile_cache_usage;

/* `options` may be NULL. Does not touch the disk. Errors: TILE_OUT_OF_MEMORY. */
TILE_RESULT tile_status tile_cache_open(const tile_cache_options *options, tile_cache **out);
/* NULL is fine. Compilers that use the cache go on using it. */
TILE_EXPORT void tile_cache_close(tile_cache *cache);
/* The folder; "" without a disk. Borrowed. */
TILE_EXPORT const char *tile_cache_folder(const tile_cache *cache);
TILE_RESULT tile_status tile_cache_get_statistics(tile_cache *cache, tile_cache_statistics *out);
/* The last error of the disk as TILE_IO_ERROR, for the caller to free; NULL when there was none. */
TILE_RESULT tile_status tile_cache_problem(tile_cache *cache);
/* Looks through the folder. */
TILE_RESULT tile_status tile_cache_measure(tile_cache *cache, tile_cache_usage *out);
/* Removes all entries, in memory and on disk, and no other file. TILE_IO_ERROR when some could not
   be removed. */
TILE_RESULT tile_status tile_cache_clear(tile_cache *cache);

#ifdef __cplusplus
}
#endif
#endif
