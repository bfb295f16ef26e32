/* SPDX-License-Identifier: MIT */
/* Ways of waiting for what ends later (waits.def), as a table. */
#ifndef TILE_IR_WAITS_H
#define TILE_IR_WAITS_H

#include <stdint.h>
#include "ir/ops.h"

enum way_of_waiting {
#define X(id, ...) WAY_##id,
#include "ir/waits.def"
#undef X
  WAY_COUNT
};

enum wait_whose { WAIT_THREAD, WAIT_WARP_GROUP, WAIT_EACH, WAIT_BLOCK };
enum wait_meanwhile { WAIT_WRITES, WAIT_READS };

struct wait_row {
  enum op_kind starts, commits, waits; /* OP_OTHER: none */
  enum wait_whose whose;
  enum wait_meanwhile meanwhile;
  int most_pending; /* below 0: there is no attribute `pending` */
  const char *what;
};

extern const struct wait_row wait_table[WAY_COUNT];

/* The way that begins by an operation of this kind, or in which it waits; WAY_COUNT for none. */
enum way_of_waiting way_started_by(enum op_kind kind);
enum way_of_waiting way_waited_by(enum op_kind kind);

#endif
