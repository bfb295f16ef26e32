/* SPDX-License-Identifier: MIT */
/* From rows of winners to boxes of values (winners.h). */
#ifndef TILE_TUNE_WINNERS_BOXES_H
#define TILE_TUNE_WINNERS_BOXES_H

#include "frontend/config/listing.h"
#include "tune/winners.h"

/* One parameter of `arguments` (key.h). */
struct winners_argument {
  const char *name, *type, *constant, *value; /* NULL where there is none */
};
struct winners_arguments {
  struct winners_argument *list; /* the types in the order of the parameters */
  size_t count;
  const char **keys; /* the names of the values, in the order of the key */
  size_t key_count;
};

struct winners_row {
  const char *device, *capability, *candidate; /* canonical text */
  struct winners_arguments arguments;
  bool own_toolkit; /* tuned by this build */
  int64_t changed;
  double milliseconds;
  const int64_t *values; /* of the compared arguments; winners_boxes_make fills it in */
  size_t index;          /* of the candidate, likewise */
};

/* Reads the text of a key's arguments; all in the arena. TILE_INVALID_ARGUMENT for what
   tune_key_arguments does not write. */
tile_status winners_arguments_read(struct arena *arena, const char *text,
                                   struct winners_arguments *out);
/* Fills in all members of `out` for rows of one device, one at least. */
tile_status winners_boxes_make(struct winners_row *rows, size_t count,
                               const tile_configurations *list, struct winners *out);

#endif
