/* SPDX-License-Identifier: MIT */
/* See waits.h. */
#include "ir/waits.h"

enum { NONE = -1 };

const struct wait_row wait_table[WAY_COUNT] = {
#define X(id, start, commit, wait, who, does, most, text)                                          \
  [WAY_##id] = {.starts = OP_##start,                                                              \
                .commits = OP_##commit,                                                            \
                .waits = OP_##wait,                                                                \
                .whose = WAIT_##who,                                                               \
                .meanwhile = WAIT_##does,                                                          \
                .most_pending = most,                                                              \
                .what = text},
#include "ir/waits.def"
#undef X
};

enum way_of_waiting way_started_by(enum op_kind kind) {
  int way = 0;
  while (way < WAY_COUNT && (kind == OP_OTHER || wait_table[way].starts != kind))
    way++;
  return (enum way_of_waiting)way;
}

enum way_of_waiting way_waited_by(enum op_kind kind) {
  int way = 0;
  while (way < WAY_COUNT && wait_table[way].waits != kind)
    way++;
  return (enum way_of_waiting)way;
}
