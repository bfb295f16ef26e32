/* SPDX-License-Identifier: MIT */
/* Versions for the winners of a tuning: a variant becomes several, each with the constants of a
   winner and with the values of the arguments for which it is taken (tune/winners.h). */
#ifndef TILE_AHEAD_TUNED_H
#define TILE_AHEAD_TUNED_H

#include "ahead/ahead.h"

struct tuned_request {
  const char *database, *device; /* as in struct winners_request */
  const char *name, *text;       /* the kernel's file */
  size_t length;
  const struct import_options *import; /* of the variant, its constants included */
  const tile_compile_options *options;
  const char *when; /* of the variant, or NULL */
  const char *const *targets;
  size_t target_count;
};

struct tuned_version {
  const char *target;           /* for this one alone; NULL: for all */
  const char *const *constants; /* the variant's and the winner's: "NAME=VALUE" */
  size_t constant_count;
  const char *when;
  size_t same; /* number, from 1, of the version before it that has the same
                  constants; 0: none */
};

/* The versions in the order in which they are tried, and, appended, what the header says of them. A
   target without winners takes those of the first target that has some. All in the arena. Errors:
   as winners_read; TILE_INVALID_ARGUMENT for a variant that chooses a configuration itself. */
tile_status tuned_versions_read(struct arena *arena, const struct tuned_request *request,
                                const struct tuned_version **out, size_t *count,
                                struct text *comment);

#endif
