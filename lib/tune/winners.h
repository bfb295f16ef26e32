/* SPDX-License-Identifier: MIT */
/* Winners of a database for a build ahead of time: which configuration a launch takes, by the
   values of its arguments.

   A winner counts that was tuned for this kernel with this content (key.h), for the same types and
   constants. Of the devices that the target fits (compute capability) one may have winners, unless
   a pattern chooses; where no GPU has any, the emulator's count.

   A launch compares its arguments with the tuned values one after the other, in the order of the
   key: of the values that were tuned for the first argument, the nearest by ratio (of equally near
   ones the smaller; below 1 the nearest by difference); then, among the winners with that one, the
   same with the next argument. So tuned values take their own winner, and all others have one. Each
   winner holds in a box of values:

       M = 512, N = 512: A          M <= 1448 and N <= 2047      A
       M = 512, N = 8192: B         M <= 1448 and N >= 2048      B
       M = 4096, N = 4096: A        M >= 1449                    A

   Floating-point arguments are not compared. A parameter that the build has as a constant takes the
   nearest tuned value of it. */
#ifndef TILE_TUNE_WINNERS_H
#define TILE_TUNE_WINNERS_H

#include "tile/compiler.h"
#include "tune/candidate.h"

/* What is built. All borrowed. */
struct winners_request {
  const char *database;    /* path; NULL: the default */
  const char *device;      /* a pattern as a shell's, or NULL */
  const char *name, *text; /* of the kernel's file */
  size_t length;
  const struct import_options *import; /* kernel, signature, constants */
  const tile_compile_options *options;
  const char *target; /* "sm_90a" */
};

struct winners_box {
  size_t candidate; /* of the list */
  const char *when; /* as --when has it; NULL: any values */
};

/* Zero-initialise; winners_free ends it. */
struct winners {
  struct arena arena;                /* owns the texts */
  struct tune_candidate *candidates; /* each once, in the order of the boxes; the arena's list of
                                        own candidates */
  size_t candidate_count;
  struct winners_box *boxes;
  size_t box_count;
  const char *device;  /* that they were tuned on */
  const char *summary; /* lines for people: what was tuned, and what won */
};

enum { WINNERS_MAX = 64 }; /* boxes */

/* Errors: TILE_NOT_FOUND where no winner counts, which says what there is instead;
   TILE_INVALID_ARGUMENT for winners of several devices, more boxes than WINNERS_MAX, and as
   tune_key_read; those of the database. */
tile_status winners_read(const struct winners_request *request, struct winners *out);
void winners_free(struct winners *winners);

#endif
