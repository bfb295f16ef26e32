/* SPDX-License-Identifier: MIT */
/* --cache: opening it, emptying it, and saying what it did. */
#include <inttypes.h>
#include <stdio.h>
#include "base/status.h"
#include "driver/command_line.h"
#include "tile_run.h"

static tile_status print_usage(tile_cache *cache) {
  tile_cache_usage usage;
  TRY(tile_cache_measure(cache, &usage));
  printf("folder: %s\nentries: %" PRIu64 "\nbytes: %" PRIu64 " of at most %" PRIu64 "\n",
         tile_cache_folder(cache), usage.entries, usage.bytes, usage.limit);
  return NULL;
}

tile_status run_open_cache(struct run_options *options) {
  if (options->cache_mode == RUN_CACHE_OFF)
    return NULL;
  TRY(tile_cache_open(NULL, &options->cache));
  if (options->cache_mode == RUN_CACHE_CLEAR)
    return tile_cache_clear(options->cache);
  if (options->cache_mode == RUN_CACHE_STATS && !options->input)
    return print_usage(options->cache);
  return NULL;
}

void run_report_cache(const struct run_options *options) {
  bool asked = options->cache_mode == RUN_CACHE_STATS && options->input;
  tile_cache_statistics s;
  if (!options->cache || (!options->verbose && !asked) ||
      tile_cache_get_statistics(options->cache, &s))
    return;
  tile_status problem = tile_cache_problem(options->cache);
  if (problem)
    fprintf(stderr, "tile-run: note: %s\n", tile_status_message(problem));
  tile_status_free(problem);
  if (asked || s.disk_hits + s.misses)
    fprintf(stderr,
            "tile-run: note: the cache in '%s': %" PRIu64 " found, %" PRIu64 " not; %" PRIu64
            " bytes read, %" PRIu64 " written; %" PRIu64 " evicted, %" PRIu64 " damaged, %" PRIu64
            " errors\n",
            tile_cache_folder(options->cache), s.memory_hits + s.disk_hits, s.misses, s.bytes_read,
            s.bytes_written, s.evictions, s.corrupt, s.errors);
}
