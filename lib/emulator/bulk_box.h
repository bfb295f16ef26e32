/* SPDX-License-Identifier: MIT */
/* The boxes of tensors that bulk copies and bulk stores move (PTX ISA, cp.async.bulk.tensor). */
#ifndef TILE_EMULATOR_BULK_BOX_H
#define TILE_EMULATOR_BULK_BOX_H

#include "emulator/bulk.h"

/* A row of a box: what of it lies in the tensor, in elements of the row, and where that begins. */
struct bulk_row {
  uint32_t first, end;
  uintptr_t source;
};

/* Row `number` of the copy's box, counted from the second dimension on. */
struct bulk_row bulk_row_of(const struct bulk_copy *copy, uint32_t number);
uint32_t bulk_row_count(const struct tensor_map *map);
/* The place of a byte of the box in shared memory. */
size_t bulk_swizzled(const struct bulk_copy *copy, size_t byte);

void bulk_report(struct emulator_thread *thread, const char *location, const char *message);

/* Fills in the box at these coordinates and its place in shared memory; false after reporting why
   there is none. */
bool bulk_prepare(struct emulator_thread *thread, struct bulk_copy *copy, void *shared,
                  const void *map, uint32_t rank, const uint32_t *at);

#endif
