/* The generator of random kernels (random_kernel.h).

   Kernels are right by construction. Each store has a buffer of its own, in which every program and
   every element has a place of its own (a "site"); a site is loaded and stored again only at the same
   positions. Divisors are not zero, shifts are below the width, floats are clamped before they become
   integers, NaNs never become integers, promises (tile.divisibility) hold. Everything that is loaded
   lies inside its buffer, or behind a mask. */
#ifndef TILE_TEST_RANDOM_KERNEL_MAKE_H
#define TILE_TEST_RANDOM_KERNEL_MAKE_H

#include "random_kernel.h"

enum { MOST_ELEMENTS = 2048, MOST_VISIBLE = 1024, MOST_SITES = 24, MOST_BUFFERS = 96 };

/* Where the elements of a tile lie: base + program * per_program + sum of coordinate * stride. */
struct mapping {
  int64_t base, per_program, stride[MOST_DIMS];
};

/* A buffer that the kernel stores to, always at the same positions of a tile of one type. */
struct site {
  struct type type;
  int buffer;
  struct mapping map;
  int64_t limit; /* elements behind it are masked off; -1: none */
  int pointer;   /* a value; in scope while it is visible */
};

struct maker {
  struct kernel *kernel;
  uint64_t random;
  struct text *out; /* the current function's body */
  struct text helpers;
  struct block *block;
  int visible[MOST_VISIBLE], visible_count;
  struct site sites[MOST_SITES];
  int site_count;
  int program, programs; /* the program's number, a value; how many there are */
  int64_t program_count;
  struct type main_type; /* the shape most tiles have */
  bool helper;           /* inside one: no memory */
  int helper_count, depth, budget;
  const char *name; /* the kernel's */
};

/* --- Dice ------------------------------------------------------------------------------------------- */

static uint64_t roll(struct maker *m) { /* splitmix64 */
  uint64_t z = m->random += 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

static int below(struct maker *m, int bound) {
  return (int)(roll(m) % (uint64_t)bound);
}

static bool chance(struct maker *m, int percent) {
  return below(m, 100) < percent;
}

static int64_t between(struct maker *m, int64_t low, int64_t high) {
  return low + (int64_t)(roll(m) % (uint64_t)(high - low + 1));
}

/* A number's bits: often small, sometimes at an edge. NaNs are quiet. */
static uint64_t random_bits(struct maker *m, enum element e) {
  if (!is_float(e)) {
    uint64_t edges[] = {0, 1, UINT64_MAX, UINT64_C(1) << (elements[e].bits - 1),
                        (UINT64_C(1) << (elements[e].bits - 1)) - 1};
    uint64_t bits = chance(m, 50)   ? (uint64_t)between(m, -20, 100)
                    : chance(m, 30) ? edges[below(m, 5)]
                                    : roll(m);
    return bits & width_mask(e);
  }
  static const double edges[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1e-40, 65504, 3e38, 1e-320};
  if (chance(m, 60))
    return from_double(e, (double)between(m, -64, 64) / 8);
  if (chance(m, 15))
    return from_double(e, edges[below(m, 9)]);
  uint64_t bits = roll(m) & width_mask(e);
  return isnan(as_double(e, bits)) ? from_double(e, 1.5) : bits;
}

static enum element any_integer(struct maker *m) {
  return chance(m, 50) ? I32 : (enum element)(I8 + below(m, 4));
}

static enum element any_float(struct maker *m) {
  return chance(m, 40) ? F32 : (enum element)(F16 + below(m, 4));
}

static enum element any_element(struct maker *m) {
  return chance(m, 8) ? I1 : chance(m, 50) ? any_float(m) : any_integer(m);
}

/* --- Values, steps and text -------------------------------------------------------------------------- */

static struct type with_element(struct type type, enum element element) {
  type.element = element;
  return type;
}

static struct type scalar_type(enum element element) {
  return (struct type){.element = element};
}

static bool same_type(const struct type *a, const struct type *b) {
  return a->element == b->element && a->rank == b->rank &&
         (a->element != POINTER || a->pointee == b->pointee) &&
         memcmp(a->shape, b->shape, (size_t)a->rank * sizeof *a->shape) == 0;
}

static int fresh(struct maker *m, struct type type) {
  struct kernel *k = m->kernel;
  if (k->value_count == k->value_capacity) {
    k->value_capacity = k->value_capacity ? k->value_capacity * 2 : 256;
    k->values = tile_reallocate(k->values, (size_t)k->value_capacity * sizeof *k->values);
  }
  size_t count = (size_t)type_count(&type);
  k->values[k->value_count] = (struct value){type, ARENA_ARRAY(&k->arena, uint64_t, count),
                                             ARENA_ARRAY(&k->arena, bool, count)};
  return k->value_count++;
}

static struct type type_of(struct maker *m, int id) {
  return m->kernel->values[id].type;
}

static int show(struct maker *m, int id) { /* makes it available to later code */
  if (m->visible_count < MOST_VISIBLE)
    m->visible[m->visible_count++] = id;
  return id;
}

static struct step *add_step(struct maker *m, struct step step) {
  struct step *copy = ARENA_NEW(&m->kernel->arena, struct step);
  *copy = step;
  block_add(&m->kernel->arena, m->block, copy);
  return copy;
}

static void put_type(struct text *out, struct type type) {
  if (type.rank) {
    text_puts(out, "tensor<");
    for (int d = 0; d < type.rank; d++)
      text_printf(out, "%lldx", (long long)type.shape[d]);
  }
  if (type.element == POINTER)
    text_printf(out, "!tile.ptr<%s>", elements[type.pointee].name);
  else
    text_puts(out, elements[type.element].name);
  if (type.rank)
    text_puts(out, ">");
}

static void put_types(struct maker *m, struct text *out, const struct list *values) {
  for (int i = 0; i < values->count; i++) {
    text_puts(out, i ? ", " : "");
    put_type(out, type_of(m, values->ids[i]));
  }
}

static void put_values(struct text *out, const struct list *values) {
  for (int i = 0; i < values->count; i++)
    text_printf(out, "%s%%v%d", i ? ", " : "", values->ids[i]);
}

/* "tile.x"(%a, %b) {attributes} : (types) -> type */
static int emit_generic(struct maker *m, struct step step, const char *name, const char *attributes,
                        struct type type, int a, int b, int c) {
  bool result = step.kind != STEP_STORE;
  step.in[0] = a;
  step.in[1] = b;
  step.in[2] = c;
  step.out = result ? fresh(m, type) : 0;
  struct list operands = {0};
  for (int i = 0; i < 3; i++)
    if (step.in[i] >= 0)
      list_add(&m->kernel->arena, &operands, step.in[i]);
  text_puts(m->out, "  ");
  if (result)
    text_printf(m->out, "%%v%d = ", step.out);
  text_printf(m->out, "\"%s\"(", name);
  put_values(m->out, &operands);
  text_printf(m->out, ") %s%s: (", attributes, *attributes ? " " : "");
  put_types(m, m->out, &operands);
  text_puts(m->out, ") -> ");
  if (result)
    put_type(m->out, type);
  else
    text_puts(m->out, "()");
  text_puts(m->out, "\n");
  add_step(m, step);
  return step.out;
}

static int emit_constant(struct maker *m, struct type type, uint64_t bits) {
  enum element e = type.element;
  struct step step = {.kind = STEP_CONSTANT, .number = (int64_t)bits, .in = {-1, -1, -1}};
  step.out = fresh(m, type);
  char number[40];
  if (e == I1)
    snprintf(number, sizeof number, "%s", bits & 1 ? "true" : "false");
  else if (is_float(e))
    snprintf(number, sizeof number, "0x%0*llX", (int)elements[e].bits / 4,
             (unsigned long long)(bits & width_mask(e)));
  else
    snprintf(number, sizeof number, "%lld", (long long)as_signed(e, bits));
  text_printf(m->out, type.rank ? "  %%v%d = arith.constant dense<%s> : " : "  %%v%d = arith.constant %s",
              step.out, number);
  if (type.rank || e != I1) {
    text_puts(m->out, type.rank ? "" : " : ");
    put_type(m->out, type);
  }
  text_puts(m->out, "\n");
  add_step(m, step);
  return step.out;
}

static bool is_cast(enum scalar_op op) {
  return op >= EXTSI;
}

static int emit_op(struct maker *m, enum scalar_op op, int predicate, struct type type, int a, int b,
                   int c) {
  struct step step = {.kind = STEP_SCALAR_OP, .op = op, .predicate = predicate, .in = {a, b, c}};
  step.out = fresh(m, type);
  text_printf(m->out, "  %%v%d = %s ", step.out, scalar_ops[op].name);
  if (op == CMPI || op == CMPF)
    text_printf(m->out, "%s, ",
                op == CMPI ? integer_predicates[predicate] : float_predicates[predicate]);
  for (int i = 0; i < scalar_ops[op].operands; i++)
    text_printf(m->out, "%s%%v%d", i ? ", " : "", step.in[i]);
  text_puts(m->out, " : ");
  if (op == SELECT && type.rank && type_of(m, a).rank) {
    put_type(m->out, type_of(m, a));
    text_puts(m->out, ", ");
  }
  put_type(m->out, op == SELECT ? type : type_of(m, a));
  if (is_cast(op)) {
    text_puts(m->out, " to ");
    put_type(m->out, type);
  }
  text_puts(m->out, "\n");
  add_step(m, step);
  return step.out;
}

static int emit_binary(struct maker *m, enum scalar_op op, int a, int b) {
  return emit_op(m, op, 0, type_of(m, a), a, b, -1);
}

static int emit_with_constant(struct maker *m, enum scalar_op op, int a, int64_t number) {
  return emit_binary(m, op, a, emit_constant(m, type_of(m, a), (uint64_t)number));
}

static int emit_cast(struct maker *m, enum scalar_op op, int a, enum element to) {
  return emit_op(m, op, 0, with_element(type_of(m, a), to), a, -1, -1);
}

static int emit_splat(struct maker *m, int scalar, struct type shape) {
  struct type type = shape;
  type.element = type_of(m, scalar).element;
  type.pointee = type_of(m, scalar).pointee;
  if (!shape.rank)
    return scalar;
  return emit_generic(m, (struct step){.kind = STEP_SPLAT}, "tile.splat", "", type, scalar, -1, -1);
}

static int emit_broadcast(struct maker *m, int source, struct type shape) {
  struct type type = shape, from = type_of(m, source);
  type.element = from.element;
  type.pointee = from.pointee;
  if (same_type(&type, &from))
    return source;
  return emit_generic(m, (struct step){.kind = STEP_BROADCAST}, "tile.broadcast", "", type, source,
                      -1, -1);
}

static int emit_expand(struct maker *m, int source, int axis) {
  struct type type = type_of(m, source);
  for (int d = type.rank; d > axis; d--)
    type.shape[d] = type.shape[d - 1];
  type.shape[axis] = 1;
  type.rank++;
  char attributes[32];
  snprintf(attributes, sizeof attributes, "{axis = %d : i32}", axis);
  return emit_generic(m, (struct step){.kind = STEP_EXPAND_DIMS, .number = axis},
                      "tile.expand_dims", attributes, type, source, -1, -1);
}

/* --- Arguments and buffers ---------------------------------------------------------------------------- */

static int add_argument(struct maker *m, struct type type, int buffer, int64_t position,
                        uint64_t bits) {
  struct kernel *k = m->kernel;
  k->arguments = tile_reallocate(k->arguments,
                                 (size_t)(k->argument_count + 1) * sizeof *k->arguments);
  int id = fresh(m, type);
  k->arguments[k->argument_count++] = (struct argument){id, buffer, position, bits};
  return id;
}

static int scalar_argument(struct maker *m, enum element e, uint64_t bits) {
  return add_argument(m, scalar_type(e), -1, 0, bits & width_mask(e));
}

/* A number, as a constant or an argument. */
static int some_scalar(struct maker *m, enum element e, int64_t number) {
  return chance(m, 50) || m->helper ? emit_constant(m, scalar_type(e), (uint64_t)number)
                                    : scalar_argument(m, e, (uint64_t)number);
}

static int add_buffer(struct maker *m, enum element e, int64_t count, bool written) {
  struct kernel *k = m->kernel;
  if (!k->buffers)
    k->buffers = ARENA_ARRAY(&k->arena, struct buffer, MOST_BUFFERS);
  if (k->buffer_count == MOST_BUFFERS)
    generator_fault("too many buffers");
  k->buffers[k->buffer_count] = (struct buffer){.element = e, .count = count, .written = written};
  return k->buffer_count++;
}

/* An argument that points into a buffer. */
static int pointer_argument(struct maker *m, int buffer, int64_t position) {
  enum element e = m->kernel->buffers[buffer].element;
  uint64_t bits = (uint64_t)(buffer + 1) << POINTER_SHIFT;
  return add_argument(m, (struct type){.element = POINTER, .pointee = e}, buffer, position,
                      bits + (uint64_t)position * elements[e].bytes);
}

/* --- Addresses ---------------------------------------------------------------------------------------- */

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
        value = emit_binary(m, MULI, value,
                            emit_splat(m, some_scalar(m, now.element, stride), now));
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
    if (shape.shape[dim] == 1 && (chance(m, 80) || shape.rank == 1) && !(i + 1 == shape.rank && sum < 0))
      continue;
    int part = emit_broadcast(m, emit_coordinate(m, shape, dim, map->stride[dim], e, base), shape);
    sum = sum < 0 ? part : chance(m, 50) ? emit_binary(m, ADDI, sum, part) : emit_binary(m, ADDI, part, sum);
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
  bool done[MOST_DIMS] = {false};
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

/* --- Values of a wanted type --------------------------------------------------------------------------- */

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
    int amount = chance(m, 60)
                     ? emit_constant(m, type, (uint64_t)between(m, 0, most))
                     : emit_with_constant(m, ANDI, want(m, type, depth - 1), most);
    return emit_binary(m, (enum scalar_op)(SHLI + below(m, 3)), x, amount);
  }
  if (dice < 55)
    return emit_op(m, SELECT, 0, type, want(m, with_element(chance(m, 80) ? type : scalar_type(I1), I1), depth - 1), x,
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
  static const char *const hints[] = {"", "", "", "", ", cache = \"ca\"", ", cache = \"cg\"",
                                      ", evict = \"evict_last\"", ", volatile"};
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
    type.pointee = elements[pointee].bytes == 4 ? (pointee == F32 ? I32 : F32)
                   : elements[pointee].bytes == 2 ? (pointee == I16 ? BF16 : I16) : I8;
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
  return emit_addptr(m, pointer, emit_constant(m, with_element(type, I32),
                                               (uint64_t)(-moved / elements[pointee].bytes)));
}

/* Loads from an input: a mapping, or a gather by computed numbers. */
static int want_load(struct maker *m, struct type type, int depth) {
  int buffer, pointer, offsets = -1, mask = -1, other = -1;
  int64_t count;
  if (m->kernel->buffer_count > MOST_BUFFERS - 8)
    return emit_constant(m, type, random_bits(m, type.element));
  if (chance(m, 15)) {
    count = INT64_C(1) << between(m, 0, 10);
    struct type index_type = with_element(type, chance(m, 70) ? I32 : I64);
    int index = emit_with_constant(m, ANDI, want(m, index_type, depth - 1), count - 1);
    pointer = emit_addptr(m, emit_splat(m, input_pointer(m, type.element, count, &buffer), type),
                          index);
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

/* --- Sites ---------------------------------------------------------------------------------------------- */

/* The main shape, with some dimensions of size 1, or a vector of one of its sizes. */
static struct type any_shape(struct maker *m, enum element e) {
  struct type type = with_element(m->main_type, e);
  if (chance(m, 20))
    return (struct type){.element = e, .rank = 1, .shape = {type.shape[below(m, type.rank)]}};
  if (chance(m, 10))
    return scalar_type(e);
  for (int d = 0; d < type.rank; d++)
    if (chance(m, 10))
      type.shape[d] = 1;
  return type;
}

static bool is_visible(struct maker *m, int id) {
  for (int i = 0; i < m->visible_count; i++)
    if (m->visible[i] == id)
      return true;
  return false;
}

static int site_pointer(struct maker *m, struct site *site, int *mask) {
  int pointer = site->pointer, offsets = -1;
  *mask = -1;
  if (site->limit < 0 && pointer >= 0 && is_visible(m, pointer) && chance(m, 50))
    return pointer;
  int argument = -1;
  for (int i = 0; i < m->kernel->argument_count; i++)
    if (m->kernel->arguments[i].buffer == site->buffer)
      argument = m->kernel->arguments[i].value;
  for (;;) {
    pointer = emit_pointers(m, argument, site->type, site->map, &offsets);
    if (site->limit < 0 || offsets >= 0)
      break;
  }
  if (site->limit >= 0)
    *mask = limit_mask(m, offsets, site->limit);
  site->pointer = show(m, pointer);
  return pointer;
}

static void store_site(struct maker *m, struct site *site, int value) {
  int mask;
  int pointer = site_pointer(m, site, &mask);
  if (chance(m, 25)) {
    int more = want(m, with_element(site->type, I1), 2);
    mask = mask < 0 ? more : emit_binary(m, ANDI, more, mask);
  }
  struct step step = {.kind = STEP_STORE};
  emit_generic(m, step, "tile.store", "", site->type, pointer, value, mask);
}

/* A scalar is loaded without a mask, so that conditions are never undefined. */
static int load_site(struct maker *m, struct site *site) {
  int mask, other = -1;
  int pointer = site_pointer(m, site, &mask);
  if (mask >= 0 && (!site->type.rank || chance(m, 60)))
    other = want(m, site->type, 1);
  return show(m, emit_load(m, pointer, mask, other));
}

static bool has_room(const struct maker *m) {
  return m->site_count < MOST_SITES && m->kernel->buffer_count < MOST_BUFFERS - 8;
}

static struct site *new_site(struct maker *m, struct type type) {
  struct site *site = &m->sites[m->site_count++];
  *site = (struct site){.type = type, .limit = -1, .pointer = -1};
  int64_t count, position = chance(m, 15) ? between(m, 1, 9) : 0;
  site->map = injective_mapping(m, site->type, &count);
  if (site->type.rank && chance(m, 40)) {
    count -= between(m, 0, count / 2);
    site->limit = count;
  }
  site->buffer = add_buffer(m, site->type.element, count + position + between(m, 0, 5), true);
  pointer_argument(m, site->buffer, position);
  return site;
}

/* --- Statements ------------------------------------------------------------------------------------------ */

static void statements(struct maker *m, int count);

/* Starts a region: its text goes on in `out`, its steps to a new block. */
static struct block *enter(struct maker *m) {
  return m->block = ARENA_NEW(&m->kernel->arena, struct block);
}

static void put_named_results(struct maker *m, const struct list *results) {
  text_puts(m->out, "  ");
  put_values(m->out, results);
  text_puts(m->out, results->count ? " = " : "");
}

static void fresh_like(struct maker *m, const struct list *like, struct list *out) {
  for (int i = 0; i < like->count; i++)
    list_add(&m->kernel->arena, out, fresh(m, type_of(m, like->ids[i])));
}

static void show_all(struct maker *m, const struct list *values) {
  for (int i = 0; i < values->count; i++)
    show(m, values->ids[i]);
}

/* Results of control flow are shown, and mostly stored: what nothing needs is not compiled. */
static void use_results(struct maker *m, const struct list *results) {
  show_all(m, results);
  for (int i = 0; i < results->count; i++)
    if (!m->helper && has_room(m) && chance(m, 60)) {
      struct type type = type_of(m, results->ids[i]);
      store_site(m, new_site(m, type), results->ids[i]);
    }
}

/* A tile whose registers are one base and constants: what loops carry as its base. */
static int coordinates(struct maker *m, struct type type) {
  int64_t count, base = 0;
  struct mapping map = loose_mapping(m, type, &count);
  return emit_offsets(m, type, &map, type.element, &base);
}

/* Values for a loop or a call: numbers of any kind, and tiles of coordinates. */
static struct list values_to_carry(struct maker *m, int least) {
  struct list list = {0};
  for (int i = least + below(m, 3); i > 0; i--) {
    struct type type = any_shape(m, any_element(m));
    if (type.rank && chance(m, 40)) {
      type.element = chance(m, 70) ? I32 : I64;
      list_add(&m->kernel->arena, &list, coordinates(m, type));
    } else {
      list_add(&m->kernel->arena, &list, want(m, type, 2));
    }
  }
  return list;
}

/* A value to follow `last` in a loop: any, or a sum or product, under which a tile of coordinates
   stays one base and constants, or does not. */
static int next_value(struct maker *m, int last) {
  struct type type = type_of(m, last);
  if (!type.rank || (type.element != I32 && type.element != I64) || chance(m, 40))
    return want(m, type, 2);
  if (chance(m, 40))
    return emit_with_constant(m, ADDI, last, between(m, -9, 99));
  if (chance(m, 50))
    return emit_with_constant(m, chance(m, 50) ? MULI : SUBI, last, 3);
  return emit_binary(m, chance(m, 50) ? ADDI : SUBI, last, coordinates(m, type));
}

static struct list values_like(struct maker *m, const struct list *like) {
  struct list list = {0};
  for (int i = 0; i < like->count; i++)
    list_add(&m->kernel->arena, &list, next_value(m, like->ids[i]));
  return list;
}

static void put_yield(struct maker *m, const char *name, const struct list *values) {
  text_printf(m->out, "  %s ", name);
  put_values(m->out, values);
  if (values->count) {
    text_puts(m->out, " : ");
    put_types(m, m->out, values);
  }
  text_puts(m->out, "\n");
}

static void put_initial(struct maker *m, const struct list *parameters, const struct list *initial) {
  for (int i = 0; i < initial->count; i++)
    text_printf(m->out, "%s%%v%d = %%v%d", i ? ", " : "", parameters->ids[i], initial->ids[i]);
}

static void make_for(struct maker *m) {
  enum element e = chance(m, 40) ? I32 : chance(m, 50) ? I64 : INDEX;
  enum element known = e == INDEX ? I32 : e;
  int low = some_scalar(m, known, between(m, -5, 5));
  int trips = emit_with_constant(m, ANDI, want(m, scalar_type(known), 2), 3);
  int step = some_scalar(m, known, between(m, 1, 3));
  int high = emit_binary(m, ADDI, low, trips);
  if (chance(m, 50))
    high = emit_binary(m, ADDI, low, emit_binary(m, MULI, trips, step));
  if (e == INDEX) {
    low = emit_cast(m, INDEX_CAST, low, INDEX);
    high = emit_cast(m, INDEX_CAST, high, INDEX);
    step = emit_cast(m, INDEX_CAST, step, INDEX);
  }
  struct list initial = values_to_carry(m, 0), parameters = {0};
  struct step loop = {.kind = STEP_FOR, .in = {low, high, step}, .initial = initial};
  loop.out = fresh(m, scalar_type(e));
  fresh_like(m, &initial, &parameters);
  fresh_like(m, &initial, &loop.results);
  put_named_results(m, &loop.results);
  text_printf(m->out, "scf.for %%v%d = %%v%d to %%v%d step %%v%d", loop.out, low, high, step);
  if (initial.count) {
    text_puts(m->out, " iter_args(");
    put_initial(m, &parameters, &initial);
    text_puts(m->out, ") -> (");
    put_types(m, m->out, &initial);
    text_puts(m->out, ")");
  }
  text_printf(m->out, " : %s {\n", elements[e].name);
  struct block *outside = m->block;
  int visible = m->visible_count;
  loop.body[0] = enter(m);
  loop.body[0]->parameters = parameters;
  show_all(m, &parameters);
  show(m, e == INDEX ? emit_cast(m, INDEX_CAST, loop.out, I32) : loop.out);
  statements(m, 1 + below(m, 3));
  loop.body[0]->yielded = values_like(m, &parameters);
  put_yield(m, "scf.yield", &loop.body[0]->yielded);
  text_puts(m->out, "  }\n");
  m->block = outside;
  m->visible_count = visible;
  add_step(m, loop);
  use_results(m, &loop.results);
}

static void make_if(struct maker *m) {
  struct step choice = {.kind = STEP_IF, .in = {want(m, scalar_type(I1), 3), -1, -1}};
  struct list like = {0};
  for (int i = below(m, 3); i > 0; i--)
    list_add(&m->kernel->arena, &like, want(m, any_shape(m, any_element(m)), 1));
  fresh_like(m, &like, &choice.results);
  put_named_results(m, &choice.results);
  text_printf(m->out, "scf.if %%v%d", choice.in[0]);
  if (like.count) {
    text_puts(m->out, " -> (");
    put_types(m, m->out, &like);
    text_puts(m->out, ")");
  }
  text_puts(m->out, " {\n");
  struct block *outside = m->block;
  int visible = m->visible_count, branches = like.count || chance(m, 50) ? 2 : 1;
  for (int i = 0; i < branches; i++) {
    if (i)
      text_puts(m->out, "  } else {\n");
    choice.body[i] = enter(m);
    statements(m, 1 + below(m, 2));
    choice.body[i]->yielded = values_like(m, &like);
    put_yield(m, "scf.yield", &choice.body[i]->yielded);
    m->visible_count = visible;
  }
  text_puts(m->out, "  }\n");
  m->block = outside;
  add_step(m, choice);
  use_results(m, &choice.results);
}

static void make_while(struct maker *m) {
  struct list initial = {0}, passed = {0};
  struct arena *arena = &m->kernel->arena;
  int most = emit_with_constant(m, ANDI, want(m, scalar_type(I32), 2), 3);
  list_add(arena, &initial, emit_constant(m, scalar_type(I32), 0));
  struct list more = values_to_carry(m, 0);
  for (int i = 0; i < more.count; i++)
    list_add(arena, &initial, more.ids[i]);
  struct step loop = {.kind = STEP_WHILE, .in = {-1, -1, -1}, .initial = initial};
  struct list before = {0}, after = {0};
  fresh_like(m, &initial, &before);
  list_add(arena, &passed, before.ids[0]);
  struct list extra = values_to_carry(m, 0); /* types of what the condition passes on */
  for (int i = 0; i < extra.count; i++)
    list_add(arena, &passed, extra.ids[i]);
  fresh_like(m, &passed, &after);
  fresh_like(m, &passed, &loop.results);
  put_named_results(m, &loop.results);
  text_puts(m->out, "scf.while (");
  put_initial(m, &before, &initial);
  text_puts(m->out, ") : (");
  put_types(m, m->out, &initial);
  text_puts(m->out, ") -> (");
  put_types(m, m->out, &passed);
  text_puts(m->out, ") {\n");
  struct block *outside = m->block;
  int visible = m->visible_count;
  struct block *first = enter(m);
  loop.body[0] = first;
  first->parameters = before;
  show_all(m, &before);
  statements(m, below(m, 2));
  loop.condition = emit_op(m, CMPI, 2, scalar_type(I1), before.ids[0], most, -1);
  if (chance(m, 30))
    loop.condition = emit_binary(m, ANDI, loop.condition, want(m, scalar_type(I1), 2));
  list_add(arena, &first->yielded, before.ids[0]);
  struct list values = values_like(m, &extra);
  for (int i = 0; i < values.count; i++)
    list_add(arena, &first->yielded, values.ids[i]);
  text_printf(m->out, "  scf.condition(%%v%d)", loop.condition);
  put_yield(m, "", &first->yielded);
  text_puts(m->out, "  } do {\n  ^bb0(");
  for (int i = 0; i < after.count; i++) {
    text_printf(m->out, "%s%%v%d: ", i ? ", " : "", after.ids[i]);
    put_type(m->out, type_of(m, after.ids[i]));
  }
  text_puts(m->out, "):\n");
  m->visible_count = visible;
  struct block *second = enter(m);
  loop.body[1] = second;
  second->parameters = after;
  show_all(m, &after);
  statements(m, 1 + below(m, 2));
  list_add(arena, &second->yielded, emit_with_constant(m, ADDI, after.ids[0], 1));
  values = values_like(m, &more);
  for (int i = 0; i < values.count; i++)
    list_add(arena, &second->yielded, values.ids[i]);
  put_yield(m, "scf.yield", &second->yielded);
  text_puts(m->out, "  }\n");
  m->block = outside;
  m->visible_count = visible;
  add_step(m, loop);
  use_results(m, &loop.results);
}

/* A private function of numbers, called once or twice. */
static void make_call(struct maker *m) {
  struct list arguments = values_to_carry(m, 1);
  struct text *outside_text = m->out;
  struct block *outside = m->block;
  struct maker saved = *m;
  struct text body = {0};
  m->out = &body;
  m->helper = true;
  m->visible_count = 0;
  struct block *block = enter(m);
  fresh_like(m, &arguments, &block->parameters);
  show_all(m, &block->parameters);
  statements(m, 1 + below(m, 2));
  struct list like = {0};
  for (int i = 1 + below(m, 2); i > 0; i--)
    list_add(&m->kernel->arena, &like, want(m, any_shape(m, any_element(m)), 2));
  block->yielded = like;
  put_yield(m, "return", &block->yielded);
  int number = m->helper_count++;
  text_printf(&m->helpers, "func.func private @%s_helper%d(", m->name, number);
  for (int i = 0; i < arguments.count; i++) {
    text_printf(&m->helpers, "%s%%v%d: ", i ? ", " : "", block->parameters.ids[i]);
    put_type(&m->helpers, type_of(m, block->parameters.ids[i]));
  }
  text_puts(&m->helpers, ") -> (");
  put_types(m, &m->helpers, &like);
  text_puts(&m->helpers, ") {\n");
  text_puts(&m->helpers, text_string(&body));
  text_puts(&m->helpers, "}\n\n");
  text_free(&body);
  memcpy(m->visible, saved.visible, sizeof m->visible);
  m->visible_count = saved.visible_count;
  m->helper = saved.helper;
  m->out = outside_text;
  m->block = outside;
  for (int i = 1 + below(m, 2); i > 0; i--) {
    struct step call = {.kind = STEP_CALL, .body = {block}};
    call.initial = i > 1 ? values_like(m, &arguments) : arguments;
    fresh_like(m, &like, &call.results);
    put_named_results(m, &call.results);
    text_printf(m->out, "func.call @%s_helper%d(", m->name, number);
    put_values(m->out, &call.initial);
    text_puts(m->out, ") : (");
    put_types(m, m->out, &call.initial);
    text_puts(m->out, ") -> (");
    put_types(m, m->out, &call.results);
    text_puts(m->out, ")\n");
    add_step(m, call);
    use_results(m, &call.results);
  }
}

/* acc += *p; p += step, over an input: the loop that every kernel has. */
static void make_pointer_loop(struct maker *m) {
  struct type type = any_shape(m, any_element(m));
  int64_t count, step = between(m, 0, 70), trips = between(m, 0, 4);
  struct mapping map = loose_mapping(m, type, &count);
  int buffer, offsets;
  int argument = input_pointer(m, type.element, count + 2 * step * 5, &buffer);
  struct list initial = {0}, parameters = {0};
  struct arena *arena = &m->kernel->arena;
  list_add(arena, &initial, emit_pointers(m, argument, type, map, &offsets));
  list_add(arena, &initial, want(m, type, 2));
  bool two = chance(m, 30); /* a second pointer that takes turns with the first */
  if (two)
    list_add(arena, &initial, emit_addptr(m, initial.ids[0], emit_splat(m, some_scalar(m, I32, step), type)));
  struct step loop = {.kind = STEP_FOR, .initial = initial};
  loop.in[0] = emit_constant(m, scalar_type(I32), 0);
  loop.in[1] = some_scalar(m, I32, trips);
  loop.in[2] = emit_constant(m, scalar_type(I32), 1);
  loop.out = fresh(m, scalar_type(I32));
  fresh_like(m, &initial, &parameters);
  fresh_like(m, &initial, &loop.results);
  put_named_results(m, &loop.results);
  text_printf(m->out, "scf.for %%v%d = %%v%d to %%v%d step %%v%d iter_args(", loop.out, loop.in[0],
              loop.in[1], loop.in[2]);
  put_initial(m, &parameters, &initial);
  text_puts(m->out, ") -> (");
  put_types(m, m->out, &initial);
  text_puts(m->out, ") : i32 {\n");
  struct block *outside = m->block;
  int visible = m->visible_count;
  loop.body[0] = enter(m);
  loop.body[0]->parameters = parameters;
  show(m, parameters.ids[1]);
  show(m, loop.out);
  int mask = chance(m, 30) ? want(m, with_element(type, I1), 2) : -1;
  int other = mask >= 0 && (!type.rank || chance(m, 50)) ? want(m, type, 1) : -1;
  int value = show(m, emit_load(m, parameters.ids[0], mask, other));
  if (chance(m, 40))
    statements(m, 1);
  enum scalar_op op = type.element == I1 ? XORI : is_float(type.element) ? ADDF : ADDI;
  int sum = emit_binary(m, op, parameters.ids[1], value);
  int moved = emit_addptr(m, parameters.ids[0], emit_splat(m, some_scalar(m, I32, step), type));
  struct list yielded = {0};
  list_add(arena, &yielded, two ? parameters.ids[2] : moved);
  list_add(arena, &yielded, sum);
  if (two)
    list_add(arena, &yielded, moved);
  loop.body[0]->yielded = yielded;
  put_yield(m, "scf.yield", &yielded);
  text_puts(m->out, "  }\n");
  m->block = outside;
  m->visible_count = visible;
  add_step(m, loop);
  loop.results = (struct list){.ids = loop.results.ids + 1, .count = 1};
  use_results(m, &loop.results);
}

static void statement(struct maker *m) {
  int dice = below(m, 100);
  if (dice < 22 && m->depth < 3) {
    m->depth++;
    void (*const regions[])(struct maker *) = {make_for, make_if, make_while, make_for, make_if};
    regions[below(m, 5)](m);
    m->depth--;
  } else if (dice < 28 && !m->helper && m->depth < 2) {
    make_call(m);
  } else if (dice < 38 && !m->helper && m->depth < 3) {
    m->depth++;
    make_pointer_loop(m);
    m->depth--;
  } else if (dice < 70 && !m->helper) {
    bool again = m->site_count && (!has_room(m) || chance(m, 55));
    struct site *site = again ? &m->sites[below(m, m->site_count)]
                              : new_site(m, any_shape(m, any_element(m)));
    if (again && chance(m, 50))
      load_site(m, site);
    if (!again || chance(m, 60))
      store_site(m, site, want(m, site->type, 4));
  } else {
    show(m, want(m, any_shape(m, any_element(m)), 4));
  }
}

static void statements(struct maker *m, int count) {
  while (count-- > 0)
    statement(m);
}

/* --- The kernel -------------------------------------------------------------------------------------------- */

/* The element's place in memory is aligned; tile.divisibility says how much, or less. */
static void put_promise(struct maker *m, struct text *out, const struct argument *argument) {
  enum element e = type_of(m, argument->value).element;
  if (e != POINTER && (is_float(e) || e == I1))
    return;
  uint64_t number = argument->bits & ((UINT64_C(1) << 30) - 1);
  if (e == POINTER)
    number = (uint64_t)argument->position * elements[type_of(m, argument->value).pointee].bytes;
  uint64_t divisor = number ? number & (0 - number) : 64;
  divisor = divisor > 64 ? 64 : divisor;
  if (chance(m, 30))
    divisor = divisor > 16 ? 16 : divisor;
  if (divisor > 1 && chance(m, 85))
    text_printf(out, " {tile.divisibility = %d : i32}", (int)divisor);
}

static void choose_shape(struct maker *m) {
  m->main_type.rank = 1 + below(m, MOST_DIMS);
  int bits = chance(m, 75) ? (int)between(m, 5, 11) : below(m, 12);
  if (chance(m, 40))
    bits = bits > 8 ? 8 : bits;
  for (int d = 0; d < m->main_type.rank; d++)
    m->main_type.shape[d] = 1;
  for (; bits > 0; bits--)
    m->main_type.shape[below(m, m->main_type.rank)] *= 2;
  if (m->main_type.rank > 1 && chance(m, 50)) { /* square: one vector fits two dimensions */
    int64_t size = INT64_C(1) << between(m, 1, 5);
    m->main_type.shape[0] = m->main_type.shape[1] = size;
    if (m->main_type.rank == 3)
      m->main_type.shape[2] = INT64_C(1) << below(m, 2);
  }
}

static void choose_grid(struct maker *m) {
  m->program_count = 1;
  for (int axis = 0; axis < 3; axis++) {
    m->kernel->grid[axis] = axis == 0 || chance(m, 25) ? (uint32_t)between(m, 1, 3) : 1;
    m->program_count *= m->kernel->grid[axis];
  }
}

/* The program's number in the grid. */
static int emit_program(struct maker *m) {
  int number = -1;
  for (int axis = 2; axis >= 0; axis--) {
    if (m->kernel->grid[axis] == 1 && axis && chance(m, 70))
      continue;
    char attributes[32];
    snprintf(attributes, sizeof attributes, "{axis = %d : i32}", axis);
    struct type type = scalar_type(I32);
    int id = emit_generic(m, (struct step){.kind = STEP_PROGRAM_ID, .number = axis},
                          "tile.program_id", attributes, type, -1, -1, -1);
    if (number >= 0) {
      int size = emit_generic(m, (struct step){.kind = STEP_NUM_PROGRAMS, .number = axis},
                              "tile.num_programs", attributes, type, -1, -1, -1);
      id = emit_binary(m, ADDI, emit_binary(m, MULI, number, size), id);
    }
    number = id;
  }
  return number;
}

static void fill_buffers(struct maker *m) {
  for (int i = 0; i < m->kernel->buffer_count; i++) {
    struct buffer *buffer = &m->kernel->buffers[i];
    size_t bytes = (size_t)buffer->count * elements[buffer->element].bytes;
    buffer->actual = aligned_alloc(64, (bytes + 63) / 64 * 64);
    buffer->expected = tile_allocate(bytes);
    buffer->any = calloc((size_t)buffer->count, 1);
    for (int64_t at = 0; at < buffer->count; at++)
      memory_write(buffer->expected, buffer->element, at,
                   buffer->written ? roll(m) : random_bits(m, buffer->element));
    memcpy(buffer->actual, buffer->expected, bytes);
  }
}

/* Writes a kernel called `name` and what it needs to `out`. random_kernel_free ends `kernel`. */
static void random_kernel_make(struct kernel *kernel, uint64_t seed, const char *name,
                               struct text *out) {
  *kernel = (struct kernel){0};
  struct maker *m = tile_allocate(sizeof *m);
  *m = (struct maker){.kernel = kernel, .random = seed, .name = name};
  struct text body = {0};
  m->out = &body;
  m->block = &kernel->body;
  m->budget = (int)between(m, 10, 120);
  choose_shape(m);
  choose_grid(m);
  m->program = show(m, emit_program(m));
  statements(m, 2 + below(m, 6));
  if (has_room(m)) {
    struct type type = any_shape(m, any_element(m));
    int value = want(m, type, 4);
    store_site(m, new_site(m, type), value);
  }
  fill_buffers(m);
  char *helpers = text_take(&m->helpers);
  text_printf(out, "func.func @%s(", name);
  for (int i = 0; i < kernel->argument_count; i++) {
    text_printf(out, "%s%%v%d: ", i ? ", " : "", kernel->arguments[i].value);
    put_type(out, type_of(m, kernel->arguments[i].value));
    put_promise(m, out, &kernel->arguments[i]);
  }
  text_printf(out, ") attributes {tile.kernel} {\n%s  return\n}\n\n%s", text_string(&body), helpers);
  free(helpers);
  text_free(&body);
  free(m);
}

static void random_kernel_free(struct kernel *kernel) {
  for (int i = 0; i < kernel->buffer_count; i++) {
    free(kernel->buffers[i].actual);
    free(kernel->buffers[i].expected);
    free(kernel->buffers[i].any);
  }
  free(kernel->values);
  free(kernel->arguments);
  arena_destroy(&kernel->arena);
}

#endif
