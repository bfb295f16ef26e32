/* SPDX-License-Identifier: MIT */
/* tile-tune: what its commands share. */
#ifndef TILE_TOOLS_TILE_TUNE_H
#define TILE_TOOLS_TILE_TUNE_H

#include "driver/command_line.h"
#include "tune/database.h"

struct tune_arguments {
  const char **files; /* as many as there are arguments */
  size_t file_count;
  const char *database, *output; /* or NULL */
  struct tune_key filter;        /* kernel, device, toolkit; others are NULL */
  bool json, measurements, quiet;
  struct shard shard;      /* work: which of the jobs; 0/1 by default */
  size_t jobs;             /* plan: at most so many; 0: one for each candidate */
  const char *const *rest; /* plan: what stands after -- */
  size_t rest_count;
};

/* Each is one command. */
tile_status database_show(const struct tune_arguments *arguments);
tile_status database_export(const struct tune_arguments *arguments);
tile_status database_import(const struct tune_arguments *arguments);
tile_status database_clear(const struct tune_arguments *arguments);
tile_status database_plan(const struct tune_arguments *arguments);
tile_status database_work(const struct tune_arguments *arguments);
tile_status database_merge(const struct tune_arguments *arguments);

/* Rows of both tables. */
tile_status database_count(struct tune_database *database, size_t *out_winners,
                           size_t *out_measurements);
/* Appends "1 winner and 20 measurements". */
void database_print_counts(size_t winners, size_t measurements, struct text *out);
/* Adds a database, or a file that `tile-tune export` wrote, "-" for standard input. */
tile_status database_add_file(struct tune_database *into, const char *path);

#endif
