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

#endif
