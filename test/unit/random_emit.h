/* SPDX-License-Identifier: MIT */
/* Writing random kernels: dice, and one function per operation that appends its text and records
   its step. What to write is decided in the headers above this one. */
#ifndef TILE_TEST_RANDOM_EMIT_H
#define TILE_TEST_RANDOM_EMIT_H

#include "random_kernel.h"

enum { MAX_ELEMENTS = 2048, MAX_VISIBLE = 1024, MAX_SITES = 24, MAX_BUFFERS = 96 };

/* Where the elements of a tile lie: base + program * per_program + sum of coordinate * stride. */
struct mapping {
  int64_t base, per_program, stride[MAX_DIMS];
};

/* A buffer that the kernel stores to, always at the same positions of a tile of one type. */
struct site {
  struct type type;
  int buffer;
  struct mapping map;
  int64_t limit; /* elements after it are masked off; -1: none */
  int pointer;   /* a value; in scope while it is visible */
};

struct maker {
  struct kernel *kernel;
  uint64_t random;
  struct text *out; /* the current function's body */
  struct text helpers;
  struct block *block;
  int visible[MAX_VISIBLE], visible_count;
  struct site sites[MAX_SITES];
  int site_count;
  int program, programs; /* the program's number, a value; how many there are */
  int64_t program_count;
  struct type main_type; /* the shape most tiles have */
  bool helper;           /* inside one: no memory */
  int helper_count, depth, budget;
  const char *name; /* the kernel's */
};
/* --- Dice ------------------------------------------------------------------------------------- */

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

/* --- Values, steps and text ------------------------------------------------------------------- */

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
  if (m->visible_count < MAX_VISIBLE)
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
  text_printf(m->out,
              type.rank ? "  %%v%d = arith.constant dense<%s> : " : "  %%v%d = arith.constant %s",
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

static int emit_op(struct maker *m, enum scalar_op op, int predicate, struct type type, int a,
                   int b, int c) {
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

/* --- Arguments and buffers -------------------------------------------------------------------- */

static int add_argument(struct maker *m, struct type type, int buffer, int64_t position,
                        uint64_t bits) {
  struct kernel *k = m->kernel;
  k->arguments =
      tile_reallocate(k->arguments, (size_t)(k->argument_count + 1) * sizeof *k->arguments);
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
    k->buffers = ARENA_ARRAY(&k->arena, struct buffer, MAX_BUFFERS);
  if (k->buffer_count == MAX_BUFFERS)
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

#endif
