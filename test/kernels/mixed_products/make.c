/* SPDX-License-Identifier: MIT */
/* Drawing random kernels. See mixed.h.

   A kernel grows statement by statement. What is visible is a stack of values: a block's own go
   with it. Bounds are kept small by WRAP, where an operation could exceed what its type holds
   exactly. */
#include "mixed.h"

#include <stdlib.h>
#include <string.h>

const struct element_info elements[ELEMENTS] = {
    [F16] = {"fp16", "tl.float16", 0x1p11, true},
    [BF16] = {"bf16", "tl.bfloat16", 0x1p8, true},
    [F32] = {"fp32", "tl.float32", 0x1p24, true},
    [F64] = {"fp64", "tl.float64", 0x1p52, true},
    [I8] = {"i8", "tl.int8", 127, false},
    [I32] = {"i32", "tl.int32", 0x1p31 - 1, true},
    [E4M3] = {"fp8e4nv", "tl.float8e4nv", 16, false},
    [E5M2] = {"fp8e5", "tl.float8e5", 8, false},
};

/* tf32 keeps 11 bits, bf16 8. Of what is multiplied as several products of these, one side has more
   bits than that and the other fewer, so that the product that is left out is zero. */
const struct product_kind product_kinds[] = {
    {F16, F32, NULL, 0x1p8, 0x1p4, 16},  {F16, F16, NULL, 4, 2, 16},
    {BF16, F32, NULL, 0x1p7, 0x1p4, 16}, {F32, F32, "tf32", 0x1p10, 0x1p3, 16},
    {F32, F32, NULL, 0x1p10, 0x1p3, 16}, {F32, F32, "tf32x3", 0x1p15, 2, 16},
    {F32, F32, "ieee", 0x1p15, 2, 16},   {F64, F64, NULL, 0x1p20, 0x1p12, 16},
    {I8, I32, NULL, 127, 127, 32},       {E4M3, F32, NULL, 16, 16, 32},
    {E5M2, F32, NULL, 8, 8, 32},         {F32, F32, "ieee", 0x1p15, 2, 16},
    {F32, F32, "bf16x3", 0x1p14, 4, 16}, {F32, F32, "bf16x6", 0x1p16, 1, 16},
};
enum { KINDS = sizeof product_kinds / sizeof *product_kinds };

enum { MAX_VISIBLE = MAX_VALUES, MAX_CARRIED = 2, DEEPEST = 2, NOTHING = -1 };

struct maker {
  struct mixed_kernel *kernel;
  uint64_t random;
  int visible[MAX_VISIBLE], visible_count, depth;
  bool in_loop;
};

/* --- Dice ------------------------------------------------------------------------------------- */

static uint32_t roll(struct maker *m) {
  m->random = m->random * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(m->random >> 33);
}

static int below(struct maker *m, int count) {
  return (int)(roll(m) % (uint32_t)count);
}

static bool chance(struct maker *m, int percent) {
  return below(m, 100) < percent;
}

static int draw_size(struct maker *m) {
  static const int sizes[] = {16, 16, 32, 32, 32, 64, 64, 128};
  return sizes[below(m, m->kernel->batch_rank ? 5 : 8)];
}

/* --- Statements ------------------------------------------------------------------------------- */

static struct value *value_of(struct maker *m, int value) {
  return &m->kernel->values[value];
}

static struct statement *append(struct block *block, struct statement statement) {
  if (block->count == block->capacity) {
    block->capacity = block->capacity ? 2 * block->capacity : 8;
    block->list = realloc(block->list, (size_t)block->capacity * sizeof *block->list);
  }
  block->list[block->count] = statement;
  return &block->list[block->count++];
}

/* For one statement more, with what the loops and branches around it still need. */
static bool has_room(const struct maker *m) {
  return m->kernel->value_count + 100 < MAX_VALUES && m->kernel->input_count + 16 < MAX_BUFFERS;
}

/* A new value that `statement` computes. */
static int define(struct maker *m, struct block *block, struct statement statement,
                  struct value value) {
  int number = m->kernel->value_count++;
  m->kernel->values[number] = value;
  statement.result = number;
  append(block, statement);
  m->visible[m->visible_count++] = number;
  return number;
}

/* The same of operands a and b, like a but for element and bound. */
static int derive(struct maker *m, struct block *block, enum action action, int a, int b,
                  int number, double bound) {
  struct value value = *value_of(m, a);
  value.bound = bound;
  return define(m, block,
                (struct statement){.action = action, .operand = {a, b, NOTHING}, .number = number},
                value);
}

static int bytes_of(enum element element) {
  static const int bytes[ELEMENTS] = {2, 2, 4, 8, 1, 4, 1, 1};
  return bytes[element];
}

/* By a block pointer or a descriptor, of rows of at least 16 bytes and of 256 elements at most. */
static void draw_way(struct maker *m, struct buffer *buffer) {
  if (m->kernel->batch_rank || !chance(m, 35))
    return;
  bool fits = buffer->columns * bytes_of(buffer->element) >= 16;
  buffer->way = fits && chance(m, 65) ? BY_DESCRIPTOR : BY_BLOCK;
  buffer->by_columns = buffer->moves = false;
  buffer->masked &= buffer->steps == 1;
}

static int build_load(struct maker *m, struct block *block, int rows, int columns,
                      enum element element, double bound) {
  int input = m->kernel->input_count++;
  m->kernel->inputs[input] =
      (struct buffer){.rows = rows,
                      .columns = columns,
                      .steps = m->in_loop && chance(m, 85) ? MAX_ITERATIONS : 1,
                      .element = element,
                      .bound = bound,
                      .by_columns = chance(m, 35),
                      .masked = chance(m, 20),
                      .moves = chance(m, 50)};
  draw_way(m, &m->kernel->inputs[input]);
  return define(
      m, block,
      (struct statement){.action = LOAD, .operand = {NOTHING, NOTHING, NOTHING}, .number = input},
      (struct value){rows, columns, element, bound});
}

static int build_cast(struct maker *m, struct block *block, int a, enum element element) {
  struct value value = *value_of(m, a);
  if (value.element == element)
    return a;
  value.element = element;
  return define(m, block, (struct statement){.action = CAST, .operand = {a, NOTHING, NOTHING}},
                value);
}

/* In a type that has floor, or &. */
static int build_wide(struct maker *m, struct block *block, int a) {
  enum element element = value_of(m, a)->element;
  return build_cast(m, block, a,
                    element == I8 || element == I32 ? I32
                    : element == F64                ? F64
                                                    : F32);
}

/* `a` with at most this bound, of at least 1. */
static int build_wrapped(struct maker *m, struct block *block, int a, double bound) {
  if (value_of(m, a)->bound <= bound)
    return a;
  int wide = build_wide(m, block, a), modulus = 2;
  while (2 * modulus <= 2 * bound && modulus < 1 << 20)
    modulus *= 2;
  return derive(m, block, WRAP, wide, NOTHING, modulus, modulus / 2);
}

static bool is_fp8(enum element element) {
  return element == E4M3 || element == E5M2;
}

/* `a` as numbers of this type within this bound; fp8 by way of f32. */
static int build_as(struct maker *m, struct block *block, int a, enum element element,
                    double bound) {
  a = build_wrapped(m, block, a, bound);
  if (is_fp8(element) != is_fp8(value_of(m, a)->element))
    a = build_cast(m, block, a, F32);
  return build_cast(m, block, a, element);
}

/* --- Choosing values -------------------------------------------------------------------------- */

/* A visible value, recent ones rather than old ones, that `fits`; or NOTHING. */
typedef bool fits_function(const struct value *value, const struct value *wanted);

static int choose(struct maker *m, fits_function *fits, const struct value *wanted) {
  int found = NOTHING;
  for (int i = m->visible_count - 1; i >= 0; i--) {
    if (!fits(value_of(m, m->visible[i]), wanted))
      continue;
    found = m->visible[i];
    if (chance(m, 60))
      break;
  }
  return found;
}

static bool any(const struct value *value, const struct value *wanted) {
  (void)value, (void)wanted;
  return true;
}

static bool computes(const struct value *value, const struct value *wanted) {
  (void)wanted;
  return elements[value->element].computes;
}

static bool same_shape(const struct value *value, const struct value *wanted) {
  return value->rows == wanted->rows && value->columns == wanted->columns;
}

static bool alike(const struct value *value, const struct value *wanted) {
  return same_shape(value, wanted) && value->element == wanted->element;
}

static bool has_rows(const struct value *value, const struct value *wanted) {
  return value->rows == wanted->rows;
}

static bool has_columns(const struct value *value, const struct value *wanted) {
  return value->columns == wanted->columns;
}

/* --- Products --------------------------------------------------------------------------------- */

static bool is_float(enum element element) {
  return element != I8 && element != I32;
}

/* Integers do not become fp8, by whatever way. */
static bool may_become(enum element from, enum element to) {
  return is_float(from) || !is_fp8(to);
}

/* The first operand: something visible, or loaded. */
static int build_first(struct maker *m, struct block *block, const struct product_kind *kind,
                       int rows, double bound) {
  const struct value wanted = {.rows = rows};
  int a = chance(m, 65) ? choose(m, rows ? has_rows : any, &wanted) : NOTHING;
  if (a == NOTHING || value_of(m, a)->columns < kind->least_k ||
      !may_become(value_of(m, a)->element, kind->factor)) {
    int k = draw_size(m);
    return build_load(m, block, rows ? rows : draw_size(m), k < kind->least_k ? kind->least_k : k,
                      kind->factor, bound);
  }
  return build_as(m, block, a, kind->factor, bound);
}

/* The second one, with as many rows as the first one has columns. */
static int build_second(struct maker *m, struct block *block, const struct product_kind *kind,
                        int a, int columns, double bound) {
  int k = value_of(m, a)->columns, b = NOTHING;
  const struct value wanted = {.rows = k, .columns = k};
  bool turned = chance(m, 40);
  if (chance(m, 60) && !columns)
    b = choose(m, turned ? has_columns : has_rows, &wanted);
  if (b == NOTHING || !may_become(value_of(m, b)->element, kind->factor))
    return build_load(m, block, k, columns ? columns : draw_size(m), kind->factor, bound);
  if (turned) {
    struct value value = {k, value_of(m, b)->rows, value_of(m, b)->element, value_of(m, b)->bound};
    b = define(m, block, (struct statement){.action = TURN, .operand = {b, NOTHING, NOTHING}},
               value);
  }
  return build_as(m, block, b, kind->factor, bound);
}

/* What a product may be added to: devices keep some 14 bits of the sums of fp8. */
static double most_start(const struct product_kind *kind) {
  return is_fp8(kind->factor) ? 0x1p12 : 0x1p20;
}

/* A product that starts from `c`, if that is not NOTHING; else perhaps from something visible. */
static int build_dot(struct maker *m, struct block *block, int c) {
  const struct product_kind *kind = &product_kinds[below(m, KINDS)];
  while (c != NOTHING &&
         (value_of(m, c)->element != kind->sum || value_of(m, c)->bound > most_start(kind)))
    kind = &product_kinds[below(m, KINDS)];
  double most = elements[kind->sum].exact;
  int rows = c == NOTHING ? 0 : value_of(m, c)->rows,
      columns = c == NOTHING ? 0 : value_of(m, c)->columns;
  int a = build_first(m, block, kind, rows, kind->a),
      b = build_second(m, block, kind, a, columns, kind->b);
  struct value value = {
      .rows = value_of(m, a)->rows, .columns = value_of(m, b)->columns, .element = kind->sum};
  double product = value_of(m, a)->columns * value_of(m, a)->bound * value_of(m, b)->bound;
  if (c == NOTHING && chance(m, 40)) {
    c = choose(m, chance(m, 70) ? alike : same_shape, &value);
    if (c != NOTHING)
      c = build_as(m, block, c, kind->sum,
                   most - product < most_start(kind) ? most - product : most_start(kind));
  }
  value.bound = product + (c == NOTHING ? 0 : value_of(m, c)->bound);
  return define(m, block,
                (struct statement){.action = DOT,
                                   .operand = {a, b, c},
                                   .number = (int)(kind - product_kinds),
                                   .flag = chance(m, 25)},
                value);
}

/* --- What stands between products ------------------------------------------------------------- */

static int build_binary(struct maker *m, struct block *block, int a) {
  int b = choose(m, chance(m, 50) ? alike : same_shape, value_of(m, a));
  b = build_as(m, block, b, value_of(m, a)->element, elements[value_of(m, a)->element].exact / 4);
  a = build_as(m, block, a, value_of(m, a)->element, elements[value_of(m, a)->element].exact / 4);
  enum action action = ADD + (enum action)below(m, 4);
  double x = value_of(m, a)->bound, y = value_of(m, b)->bound;
  if (value_of(m, a)->element != value_of(m, b)->element)
    b = build_cast(m, block, b, value_of(m, a)->element);
  return derive(m, block, action, a, b, 0, action == MAXIMUM ? (x > y ? x : y) : x + y);
}

/* Of f32, f64 or i32: narrow types' reductions round as they like. */
static int build_along(struct maker *m, struct block *block, int a) {
  enum action action = SUM + (enum action)below(m, 3);
  a = build_wide(m, block, a);
  a = build_wrapped(m, block, a, elements[value_of(m, a)->element].exact / 256);
  int axis = below(m, 2), length = axis ? value_of(m, a)->columns : value_of(m, a)->rows;
  double bound = value_of(m, a)->bound;
  return derive(m, block, action, a, NOTHING, axis,
                action == LARGEST ? 2 * bound : bound * (length + 1));
}

static int build_moved(struct maker *m, struct block *block, int a) {
  enum action action = chance(m, 50) ? TURN : RESHAPE;
  struct value value = *value_of(m, a);
  value.rows = value_of(m, a)->columns;
  value.columns = value_of(m, a)->rows;
  if (action == RESHAPE && chance(m, 50) && value.columns >= 32 && value.rows <= 64)
    value.rows *= 2, value.columns /= 2;
  return define(m, block, (struct statement){.action = action, .operand = {a, NOTHING, NOTHING}},
                value);
}

static int build_between(struct maker *m, struct block *block) {
  int a = choose(m, computes, NULL);
  if (a == NOTHING)
    return build_dot(m, block, NOTHING);
  double exact = elements[value_of(m, a)->element].exact;
  switch (below(m, 9)) {
  case 0:
  case 1:
    return build_along(m, block, a);
  case 2:
    return build_moved(m, block, a);
  case 3:
    a = build_as(m, block, a, value_of(m, a)->element, exact / 4);
    return derive(m, block, SCALE, a, NOTHING, 0, 2 * value_of(m, a)->bound + 1);
  case 4:
    if (value_of(m, a)->columns <= 32 && chance(m, 50))
      return derive(m, block, SORT, build_wide(m, block, a), NOTHING, 0, value_of(m, a)->bound);
    return build_as(m, block, a, chance(m, 50) ? F16 : F32, 64);
  default:
    return build_binary(m, block, a);
  }
}

/* --- Loops and branches ----------------------------------------------------------------------- */

static void build_block(struct maker *m, struct block *block, int statements);

static void assign(struct block *block, int variable, int value) {
  append(block, (struct statement){
                    .action = ASSIGN, .result = variable, .operand = {value, NOTHING, NOTHING}});
}

/* A new variable with the value of `a`. */
static int build_variable(struct maker *m, struct block *block, int a, double bound) {
  int variable = derive(m, block, ASSIGN, a, NOTHING, 0, bound);
  return variable;
}

static int build_start(struct maker *m, struct block *block) {
  static const enum element sums[] = {F32, F32, F32, F16, F64, I32};
  int a = chance(m, 60) ? choose(m, computes, NULL) : NOTHING;
  if (a != NOTHING && value_of(m, a)->element != BF16)
    return a;
  struct value value = {draw_size(m), draw_size(m), sums[below(m, 6)], 0};
  return define(m, block,
                (struct statement){.action = ZEROS, .operand = {NOTHING, NOTHING, NOTHING}}, value);
}

/* The bound that a variable has in its loop. */
static double promise(struct maker *m, int value) {
  double most = elements[value_of(m, value)->element].exact / 4;
  return most < 0x1p20 ? most : 0x1p20;
}

/* What the variable is in the next iteration. A sum may grow by a part of what is promised; else it
 * is wrapped. */
static void build_update(struct maker *m, struct block *block, int variable, double start) {
  double promised = value_of(m, variable)->bound;
  enum element element = value_of(m, variable)->element;
  bool sums = chance(m, 75);
  int next = sums ? build_dot(m, block, variable) : build_binary(m, block, variable);
  double growth = value_of(m, next)->bound - promised;
  if (!sums || start + MAX_ITERATIONS * growth > promised)
    next = build_wrapped(m, block, next, promised);
  if (chance(m, 20))
    next = build_wrapped(m, block, next, 64);
  assign(block, variable, build_cast(m, block, next, element));
}

static void build_loop(struct maker *m, struct block *block) {
  int variables[MAX_CARRIED], count = 1 + below(m, MAX_CARRIED);
  double starts[MAX_CARRIED];
  for (int i = 0; i < count; i++) {
    int start = build_start(m, block);
    start = build_as(m, block, start, value_of(m, start)->element, promise(m, start) / 2);
    starts[i] = value_of(m, start)->bound;
    variables[i] = build_variable(m, block, start, promise(m, start));
  }
  struct statement loop = {
      .action = LOOP, .flag = chance(m, 20), .number = chance(m, 60) ? 1 + below(m, 4) : 0};
  if (loop.flag && chance(m, 40))
    loop.number = STATIC;
  int outside = m->visible_count;
  bool in_loop = m->in_loop;
  m->in_loop = true;
  m->depth++;
  build_block(m, &loop.body, below(m, 3));
  for (int i = 0; i < count; i++)
    build_update(m, &loop.body, variables[i], starts[i]);
  m->depth--;
  m->in_loop = in_loop;
  m->visible_count = outside;
  append(block, loop);
}

static void build_branch(struct maker *m, struct block *block) {
  int a = choose(m, computes, NULL);
  if (a == NOTHING)
    return;
  double most = promise(m, a);
  a = build_as(m, block, a, value_of(m, a)->element, most);
  int variable = build_variable(m, block, a, value_of(m, a)->bound);
  struct statement branch = {.action = BRANCH, .number = below(m, 4)};
  int outside = m->visible_count;
  m->depth++;
  build_block(m, &branch.body, below(m, 2));
  enum element element = value_of(m, variable)->element;
  bool sums = element != BF16 && chance(m, 60);
  int next = sums ? build_dot(m, &branch.body, variable) : build_binary(m, &branch.body, variable);
  next = build_as(m, &branch.body, next, element, most);
  assign(&branch.body, variable, next);
  double bound = value_of(m, next)->bound;
  if (bound > value_of(m, variable)->bound)
    value_of(m, variable)->bound = bound;
  m->depth--;
  m->visible_count = outside;
  append(block, branch);
}

static void build_block(struct maker *m, struct block *block, int statements) {
  for (int i = 0; i < statements && has_room(m); i++) {
    int what = below(m, 100);
    if (what < 45)
      build_dot(m, block, NOTHING);
    else if (what < 78 || m->depth == DEEPEST)
      build_between(m, block);
    else if (what < 92)
      build_loop(m, block);
    else
      build_branch(m, block);
  }
}

/* --- The whole -------------------------------------------------------------------------------- */

static void build_store(struct maker *m, int value) {
  const struct value *v = value_of(m, value);
  int output = m->kernel->output_count++;
  m->kernel->outputs[output] = (struct buffer){.rows = v->rows,
                                               .columns = v->columns,
                                               .steps = 1,
                                               .element = v->element,
                                               .by_columns = chance(m, 25)};
  bool adds = (v->element == F32 || v->element == I32) && chance(m, 15);
  if (!adds)
    draw_way(m, &m->kernel->outputs[output]);
  append(&m->kernel->body, (struct statement){.action = STORE,
                                              .operand = {value, NOTHING, NOTHING},
                                              .number = output,
                                              .flag = adds});
}

static void choose_settings(struct maker *m) {
  static const char *const targets[] = {"sm_80",  "sm_80",  "sm_89",  "sm_90a",
                                        "sm_90a", "sm_90a", "sm_120a"};
  struct mixed_kernel *kernel = m->kernel;
  kernel->target = targets[below(m, 7)];
  kernel->num_warps = 1 << below(m, 4);
  kernel->num_stages = 1 + below(m, 4);
  kernel->iterations = chance(m, 8) ? 0 : 1 + below(m, MAX_ITERATIONS);
  kernel->limit = 1 + below(m, 64);
  kernel->aligned = chance(m, 80);
  if (chance(m, 15))
    for (kernel->batch_rank = 1; kernel->batch_rank < MAX_RANKS && chance(m, 30);)
      kernel->batch_rank++;
  for (int i = 0; i < kernel->batch_rank; i++)
    kernel->batch[i] = 1 << below(m, 2 + (kernel->batch_rank == 1));
}

void mixed_make(struct mixed_kernel *kernel, uint64_t seed) {
  *kernel = (struct mixed_kernel){.seed = seed};
  struct maker m = {.kernel = kernel, .random = (seed + 1) * 0x2545F4914F6CDD1Du};
  roll(&m);
  choose_settings(&m);
  build_block(&m, &kernel->body, 1);
  build_block(&m, &kernel->body, 2 + below(&m, 4));
  if (m.visible_count == 0) /* nothing but branches, which had nothing to change */
    build_dot(&m, &kernel->body, NOTHING);
  int stores = 1 + below(&m, 3);
  build_store(&m, m.visible[m.visible_count - 1]);
  for (int i = 1; i < stores; i++)
    build_store(&m, m.visible[below(&m, m.visible_count)]);
}

static void free_block(struct block *block) {
  for (int i = 0; i < block->count; i++)
    free_block(&block->list[i].body);
  free(block->list);
}

void mixed_free(struct mixed_kernel *kernel) {
  free_block(&kernel->body);
}
