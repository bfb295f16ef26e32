/* SPDX-License-Identifier: MIT */
/* Two branches become one scf.if: values that differ are its results, part by part.

   A part is merged when its two sides differ and both are, or can become, run-time values of one
   type; numbers take the other side's type. A side that has returned does not go on to the code
   after, so what it passes out for a variable is a zero that nobody reads. */
#include <string.h>
#include "frontend/check/control.h"

/* A growing list of results; the slots are filled once the scf.if exists. */
struct merge {
  struct checker *c;
  struct span span;
  struct branch *branches;
  MlirValue *values[2];
  MlirType *types;
  struct value **slots;
  size_t count, capacity;
};

static void *grown(struct merge *m, const void *old, size_t size) {
  void *items = arena_allocate(&m->c->e.arena, m->capacity * size);
  if (m->count)
    memcpy(items, old, m->count * size);
  return items;
}

static void add_result(struct merge *m, MlirValue a, MlirValue b, struct dtype dtype,
                       struct value *out) {
  if (m->count == m->capacity) {
    m->capacity = m->capacity ? m->capacity * 2 : 16;
    m->values[0] = grown(m, m->values[0], sizeof(MlirValue));
    m->values[1] = grown(m, m->values[1], sizeof(MlirValue));
    m->types = grown(m, m->types, sizeof(MlirType));
    m->slots = grown(m, m->slots, sizeof(struct value *));
  }
  m->values[0][m->count] = a;
  m->values[1][m->count] = b;
  m->types[m->count] = mlirValueGetType(a);
  *out = value_runtime(a, dtype);
  m->slots[m->count++] = out;
}

/* Points the builder to the end of a branch; returns where it was. */
static struct builder enter_end(struct merge *m, int side) {
  struct builder outside = m->c->e.b;
  m->c->e.b.block = mlirRegionGetFirstBlock(m->branches[side].region);
  m->c->e.b.before = (MlirOperation){0};
  return outside;
}

/* A number at the end of its branch, as a run-time scalar: of the other side's type if it has one.
 */
static bool settle(struct merge *m, int side, const struct value *value, const struct value *other,
                   struct value *out) {
  *out = *value;
  if (value->kind == VALUE_RUNTIME)
    return true;
  if (!value_is_number(value))
    return false;
  struct builder outside = enter_end(m, side);
  bool fits = other->kind == VALUE_RUNTIME && number_fits(value, other->run_time.dtype);
  bool good = fits ? emit_number(&m->c->e, value, other->run_time.dtype, out)
                   : emit_runtime(&m->c->e, value, out);
  m->c->e.b = outside;
  return good;
}

/* Two different numbers: one type for both. */
static bool settle_numbers(struct merge *m, const struct value *a, const struct value *b,
                           struct value sides[2]) {
  struct dtype common;
  const struct value *numbers[] = {a, b};
  if (!numbers_common_type(a, b, &common))
    return false;
  for (int side = 0; side < 2; side++) {
    struct builder outside = enter_end(m, side);
    bool good = emit_number(&m->c->e, numbers[side], common, &sides[side]);
    m->c->e.b = outside;
    if (!good)
      return false;
  }
  return true;
}

static bool merge_leaves(struct merge *m, const struct value *a, const struct value *b,
                         struct value *out) {
  struct value sides[2];
  bool numbers = value_is_number(a) && value_is_number(b);
  if (numbers ? !settle_numbers(m, a, b, sides)
              : !settle(m, 0, a, b, &sides[0]) || !settle(m, 1, b, a, &sides[1]))
    return false;
  if (!dtype_equal(sides[0].run_time.dtype, sides[1].run_time.dtype) ||
      !mlirTypeEqual(mlirValueGetType(sides[0].run_time.ir),
                     mlirValueGetType(sides[1].run_time.ir)))
    return false;
  add_result(m, sides[0].run_time.ir, sides[1].run_time.ir, sides[0].run_time.dtype, out);
  return true;
}

/* A value that only `side` has; the other side passes zeros. */
static bool merge_alone(struct merge *m, int side, const struct value *value, struct value *out) {
  *out = *value;
  if (value_is_composite(value)) {
    out->tuple.items = ARENA_ARRAY(&m->c->e.arena, struct value, value->tuple.count + 1);
    for (size_t i = 0; i < value->tuple.count; i++)
      if (!merge_alone(m, side, &value->tuple.items[i], &out->tuple.items[i]))
        return false;
    return true;
  }
  if (value->kind != VALUE_RUNTIME)
    return true;
  struct builder outside = enter_end(m, !side);
  MlirValue zero = emit_zero(&m->c->e, value);
  m->c->e.b = outside;
  add_result(m, side ? zero : value->run_time.ir, side ? value->run_time.ir : zero,
             value->run_time.dtype, out);
  return true;
}

static bool merge_values(struct merge *m, const struct value *a, const struct value *b,
                         struct value *out) {
  *out = *a;
  if (value_same(a, b))
    return true;
  if (!value_is_composite(a))
    return merge_leaves(m, a, b, out);
  if (a->kind != b->kind || a->tuple.count != b->tuple.count)
    return false;
  out->tuple.items = ARENA_ARRAY(&m->c->e.arena, struct value, a->tuple.count + 1);
  for (size_t i = 0; i < a->tuple.count; i++)
    if (!merge_values(m, &a->tuple.items[i], &b->tuple.items[i], &out->tuple.items[i]))
      return false;
  return true;
}

/* --- Variables -------------------------------------------------------------------------------- */

/* A merged variable, to be set after the scf.if. */
struct merged {
  const char *word;
  struct value value;
  struct span span;
  bool is_constexpr;
  struct merged *next;
};

bool fail_change(struct checker *c, struct span span, const char *where, const char *word,
                 const struct value *a, const struct value *b) {
  return check_fail(c, span,
                    "%s '%s' goes from %s to %s; keep one type, with .to() or a typed start value",
                    where, word, value_describe(&c->e.arena, a), value_describe(&c->e.arena, b));
}

static bool fail_merge(struct checker *c, const char *word, const struct variable *a,
                       const struct variable *b) {
  bool later = a->assigned.offset > b->assigned.offset;
  check_fail(c, later ? a->assigned : b->assigned,
             "Mismatched type for %s: after a run-time 'if' it is %s in one branch and %s in the "
             "other; give both one type, or make the condition a tl.constexpr",
             word, value_describe(&c->e.arena, &a->value), value_describe(&c->e.arena, &b->value));
  check_note(c, later ? b->assigned : a->assigned, "the other value");
  return false;
}

static bool merge_variable(struct merge *m, const char *word, const struct variable *a,
                           const struct variable *b, struct merged *out) {
  bool poisoned = a->value.kind == VALUE_POISON || b->value.kind == VALUE_POISON;
  *out = (struct merged){
      .word = word, .span = a->assigned, .is_constexpr = a->is_constexpr && b->is_constexpr};
  if (poisoned) {
    out->value = a->value.kind == VALUE_POISON ? a->value : b->value;
    return true;
  }
  if ((a->is_constexpr || b->is_constexpr) && !value_same(&a->value, &b->value)) {
    check_fail(
        m->c, b->assigned,
        "'%s' is a tl.constexpr: it cannot get different values in the branches of a run-time "
        "'if'; leave the annotation away, or make the condition a tl.constexpr",
        word);
    check_note(m->c, a->assigned, "the other value");
    return false;
  }
  return merge_values(m, &a->value, &b->value, &out->value) || fail_merge(m->c, word, a, b);
}

static struct merged *push(struct merge *m, struct merged **list) {
  struct merged *merged = ARENA_NEW(&m->c->e.arena, struct merged);
  struct merged *first = *list;
  *list = merged;
  merged->next = first;
  return merged;
}

/* Variables where both sides go on. */
static bool merge_both(struct merge *m, struct merged **list) {
  const struct map *a = &m->branches[0].after, *b = &m->branches[1].after;
  bool good = true;
  for (int side = 0; side < 2; side++) {
    const struct map *own = side ? b : a, *other = side ? a : b;
    for (size_t i = 0; i < own->capacity; i++) {
      const char *word = own->slots[i].key;
      struct variable *x = own->slots[i].value, *y = word ? map_get(other, word) : NULL;
      if (!word || x == y || (y && side))
        continue;
      struct merged *merged = push(m, list);
      struct merged *rest = merged->next;
      if (y)
        good &= merge_variable(m, word, x, y, merged);
      else
        *merged = (struct merged){
            .word = word,
            .value = {.kind = VALUE_POISON,
                      .poison = x->value.kind == VALUE_POISON ? x->value.poison : POISON_BRANCH},
            .span = x->assigned};
      merged->next = rest;
    }
  }
  return good;
}

/* Variables where only `side` goes on. */
static bool merge_side(struct merge *m, int side, struct merged **list) {
  const struct map *own = &m->branches[side].after;
  for (size_t i = 0; i < own->capacity; i++) {
    const char *word = own->slots[i].key;
    const struct variable *variable = own->slots[i].value;
    if (!word || variable == map_get(&m->c->frame->variables, word))
      continue;
    struct merged *merged = push(m, list);
    merged->word = word;
    merged->span = variable->assigned;
    merged->is_constexpr = variable->is_constexpr;
    if (!merge_alone(m, side, &variable->value, &merged->value))
      return false;
  }
  return true;
}

/* --- Returns ---------------------------------------------------------------------------------- */

static bool fail_results(struct checker *c, const struct branch *a, const struct branch *b) {
  check_fail(c, b->return_span,
             "Return type mismatch: '%s' returns %s here and %s elsewhere, as a run-time 'if' "
             "decides; return one type",
             c->frame->kernel->name, value_describe(&c->e.arena, &b->result),
             value_describe(&c->e.arena, &a->result));
  check_note(c, a->return_span, "the other return");
  return false;
}

static bool merge_results(struct merge *m, struct value *result) {
  const struct branch *a = &m->branches[0], *b = &m->branches[1];
  if (a->returned == RETURN_NO && b->returned == RETURN_NO)
    return true;
  if (b->returned == RETURN_NO)
    return merge_alone(m, 0, &a->result, result);
  if (a->returned == RETURN_NO)
    return merge_alone(m, 1, &b->result, result);
  return merge_values(m, &a->result, &b->result, result) || fail_results(m->c, a, b);
}

static MlirValue flag_of(struct merge *m, int side) {
  const struct branch *branch = &m->branches[side];
  if (branch->returned == RETURN_MAYBE)
    return branch->return_flag;
  struct builder outside = enter_end(m, side);
  MlirValue flag = build_integer(&m->c->e.b, 1, branch->returned == RETURN_ALWAYS);
  m->c->e.b = outside;
  return flag;
}

/* True when the return flag must be a result of its own, not the condition. */
static bool needs_flag(const struct branch *branches) {
  return branches[0].returned != branches[1].returned
             ? branches[0].returned == RETURN_MAYBE || branches[1].returned == RETURN_MAYBE
             : branches[0].returned == RETURN_MAYBE;
}

/* --- The operation ---------------------------------------------------------------------------- */

static void yield(struct merge *m, int side) {
  struct builder outside = enter_end(m, side);
  BUILD_OP(&m->c->e.b, "scf.yield", .in = m->values[side], .in_count = (intptr_t)m->count);
  m->c->e.b = outside;
}

static void build_if(struct merge *m, MlirValue condition) {
  MlirRegion regions[] = {m->branches[0].region, m->branches[1].region};
  yield(m, 0);
  yield(m, 1);
  MlirOperation op =
      BUILD_OP(&m->c->e.b, "scf.if", IN(condition), .out = m->types,
               .out_count = (intptr_t)m->count, .regions = regions, .region_count = 2);
  for (size_t i = 0; i < m->count; i++)
    m->slots[i]->run_time.ir = op_result(op, (intptr_t)i);
}

static void set_return(struct merge *m, MlirValue condition, const struct value *flag,
                       const struct value *result) {
  struct frame *frame = m->c->frame;
  enum return_state a = m->branches[0].returned, b = m->branches[1].returned;
  frame->returned = a == b ? a : RETURN_MAYBE;
  if (frame->returned == RETURN_NO)
    return;
  frame->result = *result;
  frame->return_span = m->branches[a == RETURN_NO].return_span;
  if (frame->returned == RETURN_ALWAYS)
    return;
  frame->return_flag = condition;
  if (needs_flag(m->branches))
    frame->return_flag = flag->run_time.ir;
  else if (a == RETURN_NO)
    frame->return_flag =
        BUILD(&m->c->e.b, "arith.xori", IN(condition, build_integer(&m->c->e.b, 1, 1)),
              OUT(mlirValueGetType(condition)));
}

bool fail_sides(struct checker *c, struct span span, const struct value *first,
                const struct value *second) {
  return check_fail(
      c, span,
      "Ternary expression with dynamic condition has inconsistent types: %s and %s; give both "
      "one type, with .to()",
      value_describe(&c->e.arena, first), value_describe(&c->e.arena, second));
}

static bool collect(struct merge *m, struct value *value, struct merged **list,
                    struct value *result, struct value *flag) {
  const struct branch *a = &m->branches[0], *b = &m->branches[1];
  bool always_a = a->returned == RETURN_ALWAYS, always_b = b->returned == RETURN_ALWAYS;
  bool good = true;
  if (!always_a && !always_b)
    good = merge_both(m, list);
  else if (!always_a || !always_b)
    good = merge_side(m, always_a, list);
  if (value && !merge_values(m, &a->value, &b->value, value))
    good = fail_sides(m->c, m->span, &m->branches[0].value, &m->branches[1].value);
  if (!merge_results(m, result))
    good = false;
  if (needs_flag(m->branches))
    add_result(m, flag_of(m, 0), flag_of(m, 1), DTYPE(INT1), flag);
  return good;
}

bool merge_branches(struct checker *c, struct span span, MlirValue condition,
                    struct branch branches[2], struct value *value) {
  struct merge m = {.c = c, .span = span, .branches = branches};
  struct merged *list = NULL;
  struct value result = value_none(), flag = value_none();
  check_locate(c, span);
  bool good = collect(&m, value, &list, &result, &flag);
  if (good) {
    build_if(&m, condition);
    branches[0].region = branches[1].region = (MlirRegion){0};
    for (; list; list = list->next) {
      frame_set(c, list->word, &list->value, list->span);
      frame_find(c->frame, list->word)->is_constexpr = list->is_constexpr;
    }
    set_return(&m, condition, &flag, &result);
  }
  discard_branch(&branches[0]);
  discard_branch(&branches[1]);
  return good;
}
