/* SPDX-License-Identifier: MIT */
/* Addresses of random kernels: which places a tile's elements have in a buffer, and the operations
   that compute them. */
#ifndef TILE_TEST_RANDOM_ADDRESS_H
#define TILE_TEST_RANDOM_ADDRESS_H

#include "random_emit.h"

/* --- Addresses -------------------------------------------------------------------------------- */

/* 0, 1, 2, ... along dimension `dim`, in a tile of the full rank with size 1 elsewhere, times the
   stride. `*base` is lowered by what a range that starts elsewhere adds. */
static int emit_coordinate(struct maker *m, struct type shape, int dim, int64_t stride,
                           enum element e, int64_t *base) {
  int64_t start = chance(m, 10) ? between(m, -40, 40) : 0, size = shape.shape[dim];
  char attributes[80];
  snprintf(attributes, sizeof attributes, "{start = %lld : i32, end = %lld : i32}",
           (long long)start, (long long)(start + size));
  struct type vector = {.element = I32, .rank = 1, .shape = {size}};
  int value = emit_generic(m, (struct step){.kind = STEP_RANGE, .number = start}, "tile.range",
                           attributes, vector, -1, -1, -1);
  *base -= start * stride;
  show(m, value);
  bool early = chance(m, 50);
  if (e == I64 && early)
    value = emit_cast(m, EXTSI, value, I64);
  bool scaled = chance(m, 50);
  for (int step = 0; step < 2; step++) {
    if (step == (int)scaled) {
      for (int d = 0; d < shape.rank; d++)
        if (d != dim)
          value = emit_expand(m, value, d);
    } else if (stride != 1) {
      struct type now = type_of(m, value);
      if (chance(m, 20) && stride > 0 && (stride & (stride - 1)) == 0)
        value = emit_with_constant(m, SHLI, value, __builtin_ctzll((unsigned long long)stride));
      else
        value =
            emit_binary(m, MULI, value, emit_splat(m, some_scalar(m, now.element, stride), now));
    }
  }
  if (e == I64 && !early)
    value = emit_cast(m, EXTSI, value, I64);
  return value;
}

/* The offsets of a mapping, without base and program. */
static int emit_offsets(struct maker *m, struct type shape, const struct mapping *map,
                        enum element e, int64_t *base) {
  int sum = -1;
  for (int i = 0; i < shape.rank; i++) {
    int dim = i;
    if (shape.shape[dim] == 1 && (chance(m, 80) || shape.rank == 1) &&
        !(i + 1 == shape.rank && sum < 0))
      continue;
    int part = emit_broadcast(m, emit_coordinate(m, shape, dim, map->stride[dim], e, base), shape);
    sum = sum < 0         ? part
          : chance(m, 50) ? emit_binary(m, ADDI, sum, part)
                          : emit_binary(m, ADDI, part, sum);
  }
  return sum;
}

static int emit_addptr(struct maker *m, int pointer, int offset) {
  return emit_generic(m, (struct step){.kind = STEP_ADDPTR}, "tile.addptr", "", type_of(m, pointer),
                      pointer, offset, -1);
}

/* A tile of pointers (or a pointer); `*offsets` are elements from the argument, or -1. */
static int emit_pointers(struct maker *m, int argument, struct type shape, struct mapping map,
                         int *offsets) {
  enum element e = chance(m, 70) ? I32 : I64;
  int64_t base = map.base;
  int program = e == I64 ? emit_cast(m, EXTSI, m->program, I64) : m->program;
  int start = emit_binary(m, MULI, program, some_scalar(m, e, map.per_program));
  if (chance(m, 20)) {
    text_printf(m->out, "  %%t%d = arith.constant 0 : %s\n", start, elements[e].name);
    text_printf(m->out, "  %%a%d = arith.cmpi sge, %%v%d, %%t%d : %s\n", start, start, start,
                elements[e].name);
    text_printf(m->out, "  \"tile.assume\"(%%a%d) : (i1) -> ()\n", start);
  }
  *offsets = -1;
  if (!shape.rank) {
    start = emit_binary(m, ADDI, start, some_scalar(m, e, base));
    *offsets = start;
    return emit_addptr(m, argument, start);
  }
  int tile = emit_offsets(m, shape, &map, e, &base);
  if (base || chance(m, 10))
    start = emit_binary(m, ADDI, start, some_scalar(m, e, base));
  if (chance(m, 30)) { /* a scalar pointer first */
    int moved = emit_addptr(m, argument, start);
    return emit_addptr(m, emit_splat(m, moved, shape), tile);
  }
  if (chance(m, 30)) { /* a tile of pointers that moves */
    int pointers = emit_addptr(m, emit_splat(m, argument, shape), tile);
    return emit_addptr(m, pointers, emit_splat(m, start, shape));
  }
  *offsets = emit_binary(m, ADDI, emit_splat(m, start, shape), tile);
  return emit_addptr(m, emit_splat(m, argument, shape), *offsets);
}

/* Every element of every program in a place of its own: any order of dimensions, some padding. */
static struct mapping injective_mapping(struct maker *m, struct type shape, int64_t *count) {
  struct mapping map = {0};
  int64_t stride = chance(m, 80) ? 1 : between(m, 2, 3);
  bool done[MAX_DIMS] = {false};
  bool row_major = chance(m, 60);
  for (int i = 0; i < shape.rank; i++) {
    int dim = row_major ? shape.rank - 1 - i : below(m, shape.rank);
    while (done[dim])
      dim = (dim + 1) % shape.rank;
    done[dim] = true;
    map.stride[dim] = stride;
    stride *= shape.shape[dim];
    if (chance(m, 15))
      stride += between(m, 1, 17);
    else if (chance(m, 15))
      stride = (stride + 15) / 16 * 16;
  }
  map.per_program = stride + (chance(m, 20) ? between(m, 0, 9) : 0);
  map.base = chance(m, 20) ? between(m, 0, 20) : 0;
  *count = map.base + map.per_program * m->program_count;
  return map;
}

/* Any places at all: strides may be zero, negative, or overlap. */
static struct mapping loose_mapping(struct maker *m, struct type shape, int64_t *count) {
  if (chance(m, 60))
    return injective_mapping(m, shape, count);
  struct mapping map = {.per_program = between(m, 0, 64), .base = between(m, 0, 8)};
  int64_t extent = 1;
  for (int d = 0; d < shape.rank; d++) {
    map.stride[d] = chance(m, 40) ? 1 : between(m, -3, 24);
    int64_t span = (shape.shape[d] - 1) * map.stride[d];
    map.base -= span < 0 ? span : 0;
    extent += span < 0 ? -span : span;
  }
  *count = map.base + map.per_program * (m->program_count - 1) + extent + 1;
  return map;
}

#endif
