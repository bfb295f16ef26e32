/* SPDX-License-Identifier: MIT */
/* Values of random kernels: `want` gives one of a type that is asked for, a known one or a new
   expression. Divisors are not zero, shifts are below the width, floats are clamped before they
   become integers, NaNs never become integers, and what is loaded lies inside its buffer or after
   a mask. */
#ifndef TILE_TEST_RANDOM_VALUE_H
#define TILE_TEST_RANDOM_VALUE_H

#include "random_address.h"

/* --- Values of a wanted type ------------------------------------------------------------------ */

static int want(struct maker *m, struct type type, int depth);

static int pick_visible(struct maker *m, struct type type) {
  int found = -1, seen = 0;
  for (int i = 0; i < m->visible_count; i++) {
    struct type candidate = type_of(m, m->visible[i]);
    if (same_type(&candidate, &type) && below(m, ++seen) == 0)
      found = m->visible[i];
  }
  return found;
}

/* x where it is a number, 0 where it is NaN. */
static int without_nan(struct maker *m, int x) {
  struct type type = type_of(m, x);
  int ordered = emit_op(m, CMPF, ORDERED, with_element(type, I1), x, x, -1);
  return emit_op(m, SELECT, 0, type, ordered, x, emit_constant(m, type, 0));
}

static int float_to_integer(struct maker *m, struct type type, int depth) {
  enum element from = any_float(m);
  int x = without_nan(m, want(m, with_element(type, from), depth - 1));
  bool is_signed = chance(m, 60);
  double high = type.element == I1 ? 0.5 : type.element == I8 ? 100 : 30000;
  struct type float_type = type_of(m, x);
  x = emit_binary(m, MINIMUMF, x, emit_constant(m, float_type, from_double(from, high)));
  double low = !is_signed || type.element == I1 ? 0 : -high;
  x = emit_binary(m, MAXIMUMF, x, emit_constant(m, float_type, from_double(from, low)));
  return emit_cast(m, is_signed ? FPTOSI : FPTOUI, x, type.element);
}

static int want_predicate(struct maker *m, struct type type, int depth) {
  if (chance(m, 20))
    return emit_binary(m, (enum scalar_op)(ANDI + below(m, 3)), want(m, type, depth - 1),
                       want(m, type, depth - 1));
  if (chance(m, 30)) {
    struct type operand = with_element(type, any_float(m));
    return emit_op(m, CMPF, below(m, FLOAT_PREDICATES), type, want(m, operand, depth - 1),
                   want(m, operand, depth - 1), -1);
  }
  struct type operand = with_element(type, any_integer(m));
  return emit_op(m, CMPI, below(m, INTEGER_PREDICATES), type, want(m, operand, depth - 1),
                 want(m, operand, depth - 1), -1);
}

static int want_integer_cast(struct maker *m, struct type type, int depth) {
  enum element e = type.element, from;
  if (chance(m, 30))
    return float_to_integer(m, type, depth);
  if (chance(m, 15) && e >= I16) {
    from = e == I16 ? (chance(m, 50) ? F16 : BF16) : e == I32 ? F32 : F64;
    return emit_cast(m, BITCAST, without_nan(m, want(m, with_element(type, from), depth - 1)), e);
  }
  if (chance(m, 15) && (e == I32 || e == I64)) {
    from = chance(m, 50) ? I32 : I64;
    int index = chance(m, 50) ? want(m, with_element(type, INDEX), depth - 1)
                              : emit_cast(m, chance(m, 50) ? INDEX_CAST : INDEX_CASTUI,
                                          want(m, with_element(type, from), depth - 1), INDEX);
    if (chance(m, 50))
      index = emit_with_constant(m, chance(m, 50) ? ADDI : MULI, index, between(m, -5, 9));
    show(m, index); /* for shape changes of index tiles */
    return emit_cast(m, chance(m, 50) ? INDEX_CAST : INDEX_CASTUI, index, e);
  }
  from = (enum element)below(m, 5);
  int x = want(m, with_element(type, from), depth - 1);
  if (elements[from].bits == elements[e].bits)
    return x;
  bool narrower = elements[from].bits > elements[e].bits;
  return emit_cast(m, narrower ? TRUNCI : chance(m, 50) ? EXTSI : EXTUI, x, e);
}

/* A divisor: 1 to 64, or for signed ones -64 to -2, or a constant. */
static int want_divisor(struct maker *m, struct type type, int depth, bool is_signed) {
  if (chance(m, 40))
    return emit_constant(m, type, (uint64_t)(chance(m, 70) ? 1 << below(m, 6) : between(m, 2, 99)));
  int bits = emit_with_constant(m, ANDI, want(m, type, depth - 1), 62);
  if (is_signed && chance(m, 40))
    return emit_binary(m, SUBI, emit_constant(m, type, (uint64_t)-2), bits);
  return emit_with_constant(m, ADDI, bits, 1);
}

static int want_integer(struct maker *m, struct type type, int depth) {
  int dice = below(m, 100);
  if (type.element == INDEX)
    return emit_cast(m, INDEX_CAST, want(m, with_element(type, I32), depth - 1), INDEX);
  if (dice < 20)
    return want_integer_cast(m, type, depth);
  int x = want(m, type, depth - 1);
  if (dice < 25)
    return emit_op(m, ABSI, 0, type, x, -1, -1);
  if (dice < 37) {
    enum scalar_op op = (enum scalar_op)(DIVSI + below(m, 4));
    return emit_binary(m, op, x, want_divisor(m, type, depth, op == DIVSI || op == REMSI));
  }
  if (dice < 47) {
    int64_t most = elements[type.element].bits - 1;
    int amount = chance(m, 60) ? emit_constant(m, type, (uint64_t)between(m, 0, most))
                               : emit_with_constant(m, ANDI, want(m, type, depth - 1), most);
    return emit_binary(m, (enum scalar_op)(SHLI + below(m, 3)), x, amount);
  }
  if (dice < 55)
    return emit_op(m, SELECT, 0, type,
                   want(m, with_element(chance(m, 80) ? type : scalar_type(I1), I1), depth - 1), x,
                   want(m, type, depth - 1));
  int y = chance(m, 30) ? emit_constant(m, type, random_bits(m, type.element))
                        : want(m, type, depth - 1);
  enum scalar_op op = chance(m, 60) ? (enum scalar_op)below(m, 3) : (enum scalar_op)below(m, 10);
  return emit_binary(m, op, x, y);
}

static int want_float(struct maker *m, struct type type, int depth) {
  enum element e = type.element;
  int dice = below(m, 100);
  if (dice < 12) {
    int x = want(m, with_element(type, any_integer(m)), depth - 1);
    return emit_cast(m, chance(m, 60) ? SITOFP : UITOFP, x, e);
  }
  if (dice < 24) {
    enum element from = any_float(m);
    int x = want(m, with_element(type, from), depth - 1);
    if (from == e)
      return x;
    if (elements[from].bits == elements[e].bits) /* between the 16-bit formats */
      x = emit_cast(m, EXTF, x, F32);
    return emit_cast(m, elements[from].bits < elements[e].bits ? EXTF : TRUNCF, x, e);
  }
  int x = want(m, type, depth - 1);
  if (dice < 40)
    return emit_op(m, (enum scalar_op)(NEGF + below(m, 7)), 0, type, x, -1, -1);
  if (dice < 46) { /* of two zeros either may come back */
    double other = (double)between(m, 1, 20) * (chance(m, 50) ? -0.5 : 0.5);
    return emit_binary(m, chance(m, 50) ? MAXNUMF : MINNUMF, x,
                       emit_constant(m, type, from_double(e, other)));
  }
  int y = want(m, type, depth - 1);
  if (dice < 54)
    return emit_op(m, FMA, 0, type, x, y, want(m, type, depth - 1));
  if (dice < 60)
    return emit_op(m, SELECT, 0, type, want(m, with_element(type, I1), depth - 1), x, y);
  return emit_binary(m, (enum scalar_op)(ADDF + below(m, 6)), x, y);
}

static int emit_load(struct maker *m, int pointer, int mask, int other) {
  static const char *const hints[] = {
      "",          "", "", "", ", cache = \"ca\"", ", cache = \"cg\"", ", evict = \"evict_last\"",
      ", volatile"};
  char attributes[120];
  snprintf(attributes, sizeof attributes, "{operandSegmentSizes = array<i32: 1, %d, %d>%s}",
           mask >= 0, other >= 0, hints[below(m, 8)]);
  struct type type = type_of(m, pointer);
  return emit_generic(m, (struct step){.kind = STEP_LOAD}, "tile.load", attributes,
                      with_element(type, type.pointee), pointer, mask, other);
}

/* An input buffer, a new one or one that is large enough. */
static int input_pointer(struct maker *m, enum element e, int64_t count, int *out_buffer) {
  struct kernel *k = m->kernel;
  for (int i = 0; i < k->argument_count; i++) {
    int b = k->arguments[i].buffer;
    if (b < 0 || k->buffers[b].written || k->buffers[b].element != e || chance(m, 50))
      continue;
    int64_t need = count + k->arguments[i].position;
    k->buffers[b].count = need > k->buffers[b].count ? need : k->buffers[b].count;
    *out_buffer = b;
    return k->arguments[i].value;
  }
  int64_t position = chance(m, 15) ? between(m, 1, 9) : 0;
  *out_buffer = add_buffer(m, e, count + position, false);
  return pointer_argument(m, *out_buffer, position);
}

static int limit_mask(struct maker *m, int offsets, int64_t limit) {
  struct type type = type_of(m, offsets);
  int bound = emit_splat(m, some_scalar(m, type.element, limit), type);
  return emit_op(m, CMPI, 2, with_element(type, I1), offsets, bound, -1);
}

/* A pointer to the same address, through tile.bitcast or a number. */
static int same_pointer(struct maker *m, int pointer) {
  struct type type = type_of(m, pointer);
  enum element pointee = type.pointee;
  struct type number = with_element(type, I64);
  if (chance(m, 60)) {
    type.pointee = elements[pointee].bytes == 4   ? (pointee == F32 ? I32 : F32)
                   : elements[pointee].bytes == 2 ? (pointee == I16 ? BF16 : I16)
                                                  : I8;
    int other = emit_generic(m, (struct step){.kind = STEP_RENAME}, "tile.bitcast", "", type,
                             pointer, -1, -1);
    type.pointee = pointee;
    return emit_generic(m, (struct step){.kind = STEP_RENAME}, "tile.bitcast", "", type, other, -1,
                        -1);
  }
  int address = emit_generic(m, (struct step){.kind = STEP_RENAME}, "tile.ptr_to_int", "", number,
                             pointer, -1, -1);
  int64_t moved = between(m, -8, 8) * elements[pointee].bytes;
  address = emit_with_constant(m, ADDI, address, moved);
  pointer = emit_generic(m, (struct step){.kind = STEP_RENAME}, "tile.int_to_ptr", "", type,
                         address, -1, -1);
  return emit_addptr(
      m, pointer,
      emit_constant(m, with_element(type, I32), (uint64_t)(-moved / elements[pointee].bytes)));
}

/* Loads from an input: a mapping, or a gather by computed numbers. */
static int want_load(struct maker *m, struct type type, int depth) {
  int buffer, pointer, offsets = -1, mask = -1, other = -1;
  int64_t count;
  if (m->kernel->buffer_count > MAX_BUFFERS - 8)
    return emit_constant(m, type, random_bits(m, type.element));
  if (chance(m, 15)) {
    count = INT64_C(1) << between(m, 0, 10);
    struct type index_type = with_element(type, chance(m, 70) ? I32 : I64);
    int index = emit_with_constant(m, ANDI, want(m, index_type, depth - 1), count - 1);
    pointer =
        emit_addptr(m, emit_splat(m, input_pointer(m, type.element, count, &buffer), type), index);
  } else {
    struct mapping map = loose_mapping(m, type, &count);
    int argument = input_pointer(m, type.element, count, &buffer);
    pointer = emit_pointers(m, argument, type, map, &offsets);
    int64_t limit = count - between(m, 0, count > 1 ? count / 2 : 0);
    if (offsets >= 0 && chance(m, 40))
      mask = limit_mask(m, offsets, limit);
  }
  if (chance(m, 30)) {
    int more = want(m, with_element(type, I1), depth - 1);
    mask = mask < 0 ? more : emit_binary(m, ANDI, more, mask);
  }
  if (mask >= 0 && (!type.rank || chance(m, 60)))
    other = want(m, type, depth - 1);
  if (chance(m, 10))
    pointer = same_pointer(m, pointer);
  return emit_load(m, pointer, mask, other);
}

static int want_shape_change(struct maker *m, struct type type, int depth) {
  struct type source = type;
  int axis = below(m, type.rank);
  if (chance(m, 40) && type.rank > 1 && type.shape[axis] == 1) {
    for (int d = axis; d + 1 < type.rank; d++)
      source.shape[d] = source.shape[d + 1];
    source.rank--;
    return emit_expand(m, want(m, source, depth - 1), axis);
  }
  for (int d = 0; d < type.rank; d++)
    if (chance(m, 50))
      source.shape[d] = 1;
  return emit_broadcast(m, want(m, source, depth - 1), type);
}

/* One vector along two dimensions of one size, which no layout suits: f(v[i], v[j]). */
static int want_outer(struct maker *m, struct type type, int depth) {
  int first = below(m, type.rank), second = (first + 1 + below(m, type.rank - 1)) % type.rank;
  if (type.shape[first] != type.shape[second])
    return want_shape_change(m, type, depth);
  struct type vector = {.element = type.element, .rank = 1, .shape = {type.shape[first]}};
  bool load = !m->helper && type.element != INDEX && chance(m, 60);
  int value = load ? want_load(m, vector, depth - 1) : want(m, vector, depth - 1);
  int both[2];
  for (int side = 0; side < 2; side++) {
    int dim = side ? second : first, tile = value;
    for (int d = 0; d < type.rank; d++)
      if (d != dim)
        tile = emit_expand(m, tile, d);
    both[side] = emit_broadcast(m, tile, type);
  }
  enum scalar_op op = type.element == I1 ? XORI : is_float(type.element) ? SUBF : SUBI;
  return emit_binary(m, op, both[0], both[1]);
}

static int want_scalar(struct maker *m, enum element e) {
  int dice = below(m, 100);
  if (dice < 25 || m->helper)
    return emit_constant(m, scalar_type(e), random_bits(m, e));
  if (dice < 50)
    return scalar_argument(m, e, random_bits(m, e));
  if (dice < 65 && e == I32)
    return m->program;
  return want_load(m, scalar_type(e), 1);
}

static int want(struct maker *m, struct type type, int depth) {
  enum element e = type.element;
  int dice = below(m, 100), picked = pick_visible(m, type);
  if (picked >= 0 && (dice < 45 || depth <= 0))
    return picked;
  if (depth <= 0 || m->budget-- <= 0) {
    if (!type.rank)
      return emit_constant(m, type, random_bits(m, e));
    return chance(m, 50) ? emit_constant(m, type, random_bits(m, e))
                         : emit_splat(m, want(m, scalar_type(e), 0), type);
  }
  int value;
  if (!type.rank && dice < 65 && e != INDEX)
    value = want_scalar(m, e);
  else if (type.rank > 1 && dice < 50)
    value = want_outer(m, type, depth);
  else if (type.rank && dice < 58)
    value = want_shape_change(m, type, depth);
  else if (type.rank && dice < 70 && !m->helper && e != INDEX)
    value = want_load(m, type, depth);
  else if (type.rank && dice < 73)
    value = emit_splat(m, want(m, scalar_type(e), depth - 1), type);
  else if (e == I1)
    value = want_predicate(m, type, depth);
  else
    value = is_float(e) ? want_float(m, type, depth) : want_integer(m, type, depth);
  return chance(m, 70) ? show(m, value) : value;
}

#endif
