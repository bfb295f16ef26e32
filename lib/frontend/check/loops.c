/* SPDX-License-Identifier: MIT */
/* Run-time loops: scf.for and scf.while, with the variables that change from one iteration to the
   next carried along.

   Which those are is found by trying. A variable that the body assigns and that exists before the
   loop starts as it is: its run-time parts are carried, its numbers are not. If a number turns out
   to be another one at the end of the body, it is made a run-time value before the loop and
   the body is done once more. What was learnt is kept by the checker, so that an outer loop's
   second try does not repeat the inner ones. */
#include <string.h>
#include "frontend/check/control.h"

struct carried {
  const char *word;
  struct value start; /* before the loop; its run-time parts are carried */
  bool is_constexpr;
  struct span assigned;
};

struct loop {
  const struct node *node;
  const struct node_list *body;
  const char *index; /* the variable of `for`, or NULL */
  struct word_list words;
  struct carried *carried;
  size_t count;
  MlirValue *values; /* the run-time parts of all of them, in order */
  MlirType *types;
  size_t parts, capacity;
  bool again; /* a number has become a run-time value, or a variable has lost its value */
  bool never; /* the condition of `while` is false from the start */
};

/* --- What is known of loops that were tried before -------------------------------------------- */

/* Part number `part` of `word` changes in the loop `node`; or, with NO_VALUE, the variable has no
   value at the end of the body: it is the variable of a loop inside, say. */
enum { NO_VALUE = -1 };
struct changing {
  const struct node *node;
  const char *word;
  size_t part;
  struct dtype dtype;
  enum poison_reason reason; /* of NO_VALUE */
  const struct changing *next;
};

static const struct changing *find_changing(struct checker *c, const struct loop *loop,
                                            const char *word, size_t part) {
  for (const struct changing *row = c->changing; row; row = row->next)
    if (row->node == loop->node && row->word == word && row->part == part)
      return row;
  return NULL;
}

static void learn(struct checker *c, struct loop *loop, struct changing what) {
  struct changing *row = ARENA_NEW(&c->e.arena, struct changing);
  *row = what;
  row->node = loop->node;
  row->next = c->changing;
  c->changing = row;
  loop->again = true;
}

/* --- Carried variables ------------------------------------------------------------------------ */

static void add_part(struct checker *c, struct loop *loop, MlirValue value) {
  struct arena *arena = &c->e.arena;
  size_t capacity = loop->capacity;
  loop->values = arena_grow(arena, loop->values, loop->parts, &capacity, sizeof *loop->values);
  loop->types = arena_grow(arena, loop->types, loop->parts, &loop->capacity, sizeof *loop->types);
  loop->values[loop->parts] = value;
  loop->types[loop->parts++] = mlirValueGetType(value);
}

/* Makes a private copy of a start value in which numbers that change are run-time values. `part`
   counts the parts of the variable. */
static bool prepare(struct checker *c, struct loop *loop, const char *word, struct value *value,
                    size_t *part) {
  if (value_is_composite(value)) {
    struct value *items = ARENA_ARRAY(&c->e.arena, struct value, value->tuple.count + 1);
    for (size_t i = 0; i < value->tuple.count; i++) {
      items[i] = value->tuple.items[i];
      if (!prepare(c, loop, word, &items[i], part))
        return false;
    }
    value->tuple.items = items;
    return true;
  }
  const struct changing *row = find_changing(c, loop, word, (*part)++);
  if (row && value_is_number(value) && !emit_number(&c->e, value, row->dtype, value))
    return false;
  if (value->kind == VALUE_RUNTIME)
    add_part(c, loop, value->run_time.ir);
  return true;
}

static bool find_carried(struct checker *c, struct loop *loop) {
  loop->carried = ARENA_ARRAY(&c->e.arena, struct carried, loop->words.count + 1);
  loop->count = loop->parts = 0;
  loop->again = false;
  check_locate(c, loop->node->span);
  for (size_t i = 0; i < loop->words.count; i++) {
    const char *word = loop->words.items[i];
    const struct variable *variable = frame_find(c->frame, word);
    if (!variable || variable->value.kind == VALUE_POISON || word == loop->index)
      continue;
    const struct changing *lost = find_changing(c, loop, word, (size_t)NO_VALUE);
    if (lost) {
      frame_poison(c, word, lost->reason, loop->node->span);
      continue;
    }
    struct carried *carried = &loop->carried[loop->count++];
    size_t part = 0;
    *carried = (struct carried){word, variable->value, variable->is_constexpr, variable->assigned};
    if (!prepare(c, loop, word, &carried->start, &part))
      return check_fail_emitter(c, variable->assigned);
  }
  return true;
}

/* A value like `like` with its run-time parts taken from *parts on. */
static struct value rebuild(struct checker *c, const struct value *like, const MlirValue **parts) {
  struct value out = *like;
  if (value_is_composite(like)) {
    out.tuple.items = ARENA_ARRAY(&c->e.arena, struct value, like->tuple.count + 1);
    for (size_t i = 0; i < like->tuple.count; i++)
      out.tuple.items[i] = rebuild(c, &like->tuple.items[i], parts);
  } else if (like->kind == VALUE_RUNTIME) {
    out.run_time.ir = *(*parts)++;
  }
  return out;
}

static void set_carried(struct checker *c, const struct loop *loop, const MlirValue *parts) {
  for (size_t i = 0; i < loop->count; i++) {
    const struct carried *carried = &loop->carried[i];
    struct value value = rebuild(c, &carried->start, &parts);
    frame_set(c, carried->word, &value, carried->assigned);
    frame_find(c->frame, carried->word)->is_constexpr = carried->is_constexpr;
  }
}

/* --- The end of the body ---------------------------------------------------------------------- */

struct ending {
  struct loop *loop;
  const struct carried *carried;
  const struct variable *variable; /* at the end of the body */
  MlirValue *out;                  /* where the next part goes */
  size_t part;
};

static bool fail_ending(struct checker *c, const struct ending *end) {
  if (end->carried->is_constexpr || end->variable->is_constexpr) {
    check_fail(
        c, end->variable->assigned,
        "'%s' is a tl.constexpr: it cannot change in a run-time loop; use tl.static_range, or "
        "a plain variable",
        end->carried->word);
  } else {
    fail_change(c, end->variable->assigned, "in a loop,", end->carried->word, &end->carried->start,
                &end->variable->value);
  }
  check_note(c, end->carried->assigned, "its value before the loop");
  return false;
}

/* A number before the loop and something else at its end. */
static bool end_number(struct checker *c, struct ending *end, const struct value *start,
                       const struct value *now, bool in_tuple) {
  bool is_number = value_is_number(now);
  if (end->carried->is_constexpr || end->variable->is_constexpr ||
      (!is_number && now->kind != VALUE_RUNTIME))
    return fail_ending(c, end);
  struct dtype dtype = number_dtype(start);
  if (!is_number && in_tuple && dtype_is_integer(now->run_time.dtype) &&
      number_fits(start, now->run_time.dtype))
    dtype = now->run_time.dtype; /* offsets of a block pointer */
  learn(c, end->loop,
        (struct changing){.word = end->carried->word, .part = end->part, .dtype = dtype});
  return true;
}

static bool end_part(struct checker *c, struct ending *end, const struct value *start,
                     const struct value *now, bool in_tuple) {
  if (value_is_composite(start)) {
    if (now->kind != start->kind || now->tuple.count != start->tuple.count)
      return fail_ending(c, end);
    for (size_t i = 0; i < start->tuple.count; i++)
      if (!end_part(c, end, &start->tuple.items[i], &now->tuple.items[i],
                    start->kind != VALUE_TUPLE))
        return false;
    return true;
  }
  if (start->kind != VALUE_RUNTIME) {
    bool good =
        value_same(start, now) ||
        (value_is_number(start) ? end_number(c, end, start, now, in_tuple) : fail_ending(c, end));
    end->part++;
    return good;
  }
  struct value value = *now;
  end->part++;
  if (value_is_number(now) && number_fits(now, start->run_time.dtype) &&
      !emit_number(&c->e, now, start->run_time.dtype, &value))
    return check_fail_emitter(c, end->variable->assigned);
  if (value.kind != VALUE_RUNTIME || !dtype_equal(start->run_time.dtype, value.run_time.dtype) ||
      !mlirTypeEqual(mlirValueGetType(start->run_time.ir), mlirValueGetType(value.run_time.ir)))
    return fail_ending(c, end);
  *end->out++ = value.run_time.ir;
  return true;
}

/* The parts at the end of the body, as many as before it; false after a problem. */
static bool collect(struct checker *c, struct loop *loop, MlirValue *out) {
  bool good = true;
  struct ending end = {.loop = loop, .out = out};
  for (size_t i = 0; i < loop->count; i++) {
    end.carried = &loop->carried[i];
    end.variable = frame_find(c->frame, end.carried->word);
    end.part = 0;
    if (end.variable->value.kind == VALUE_POISON && end.variable->value.poison == POISON_ERROR)
      good = false;
    else if (end.variable->value.kind == VALUE_POISON)
      learn(c, loop,
            (struct changing){.word = end.carried->word,
                              .part = (size_t)NO_VALUE,
                              .reason = end.variable->value.poison});
    else
      good = end_part(c, &end, &end.carried->start, &end.variable->value, false) && good;
  }
  return good;
}

/* --- Trying a body ---------------------------------------------------------------------------- */

static void enter(struct checker *c, MlirRegion region) {
  c->e.b.block = mlirRegionGetFirstBlock(region);
  c->e.b.before = (MlirOperation){0};
}

static MlirValue *arguments_of(struct checker *c, MlirRegion region, intptr_t skip) {
  MlirBlock block = mlirRegionGetFirstBlock(region);
  intptr_t count = mlirBlockGetNumArguments(block) - skip;
  MlirValue *values = ARENA_ARRAY(&c->e.arena, MlirValue, (size_t)count + 1);
  for (intptr_t i = 0; i < count; i++)
    values[i] = mlirBlockGetArgument(block, i + skip);
  return values;
}

/* The body and its yield, where the builder stands. Sets loop->again when it must be done again. */
static bool emit_body(struct checker *c, struct loop *loop) {
  bool consumed = false;
  bool good = run_list(c, loop->body, 0, NULL, &consumed);
  MlirValue *yielded = ARENA_ARRAY(&c->e.arena, MlirValue, loop->parts + 1);
  good = collect(c, loop, yielded) && good;
  check_locate(c, loop->node->span);
  if (good && !loop->again)
    BUILD_OP(&c->e.b, "scf.yield", .in = yielded, .in_count = (intptr_t)loop->parts);
  return good;
}

/* After the loop: results for the carried variables; what the body defined is gone. */
static void leave(struct checker *c, struct loop *loop, MlirOperation op) {
  MlirValue *results = ARENA_ARRAY(&c->e.arena, MlirValue, loop->parts + 1);
  for (size_t i = 0; i < loop->parts; i++)
    results[i] = op_result(op, (intptr_t)i);
  set_carried(c, loop, results);
  for (size_t i = 0; i < loop->words.count; i++)
    if (!frame_find(c->frame, loop->words.items[i]))
      frame_poison(c, loop->words.items[i], POISON_LOOP, loop->node->span);
  if (loop->index)
    frame_poison(c, loop->index, POISON_INDEX, loop->node->span);
}

typedef bool emit_regions(struct checker *c, struct loop *loop, MlirRegion regions[2],
                          const void *data);

/* Emits the regions until no number changes any more; they are the caller's then. */
static bool try_body(struct checker *c, struct loop *loop, emit_regions *emit, const void *data,
                     MlirRegion regions[2]) {
  struct problems before = c->module->problems;
  for (;;) {
    if (!find_carried(c, loop))
      return false;
    struct builder outside = c->e.b;
    struct map saved = copy_variables(&c->frame->variables);
    c->frame->loops++;
    c->nesting++;
    bool good = emit(c, loop, regions, data);
    c->frame->loops--;
    c->nesting--;
    c->e.b = outside;
    restore_variables(c, &saved);
    if (good && !loop->again)
      return true;
    for (int i = 0; i < 2; i++)
      if (!mlirRegionIsNull(regions[i]))
        mlirRegionDestroy(regions[i]);
    regions[0] = regions[1] = (MlirRegion){0};
    if (!loop->again || c->stopped)
      return false;
    check_rollback(c, &before);
  }
}

bool check_loop(struct checker *c, const struct node *node, const struct node_list *orelse) {
  if (orelse->count)
    return check_fail(c, orelse->items[0]->span,
                      "'else' after a loop is not supported in a kernel; write it after the loop");
  return check_nesting(c, node->span);
}

/* --- for -------------------------------------------------------------------------------------- */

struct counted {
  struct value start, step; /* as written, for loops that go down */
  struct dtype index;       /* of the variable */
  struct dtype counter;     /* of scf.for */
  bool down;
};

static bool emit_for(struct checker *c, struct loop *loop, MlirRegion regions[2],
                     const void *data) {
  const struct counted *counted = data;
  const struct node *target = loop->node->for_loop.target;
  MlirType *types = ARENA_ARRAY(&c->e.arena, MlirType, loop->parts + 1);
  types[0] = dtype_to_mlir(&c->e, counted->counter);
  if (loop->parts)
    memcpy(types + 1, loop->types, loop->parts * sizeof *types);
  regions[0] = region_with_block(&c->e.b, (intptr_t)loop->parts + 1, types);
  enter(c, regions[0]);
  struct value iv = value_runtime(mlirBlockGetArgument(c->e.b.block, 0), counted->counter);
  set_carried(c, loop, arguments_of(c, regions[0], 1));
  check_locate(c, target->span);
  if (counted->down && !emit_binary(&c->e, BINARY_SUBTRACT, &counted->start, &iv, &iv))
    return check_fail_emitter(c, target->span); /* counted up from 0 by -step */
  if (!emit_cast(&c->e, &iv, counted->index, &iv))
    return check_fail_emitter(c, target->span);
  frame_set(c, loop->index, &iv, target->span);
  return emit_body(c, loop);
}

/* The type of the loop's variable: that of its bounds, at least int32. */
static bool index_type(struct checker *c, const struct node *node, const struct value *bounds,
                       struct counted *out) {
  struct dtype index = DTYPE(INT32);
  const char *why;
  for (int i = 0; i < 3; i++) {
    struct dtype own =
        bounds[i].kind == VALUE_RUNTIME ? bounds[i].run_time.dtype : number_dtype(&bounds[i]);
    bool is_tile =
        bounds[i].kind == VALUE_RUNTIME && type_is_tensor(mlirValueGetType(bounds[i].run_time.ir));
    if (is_tile || !dtype_is_integer(own)) {
      return check_fail(c, node->for_loop.iterable->span, "range takes scalar integers, not %s",
                        value_describe(&c->e.arena, &bounds[i]));
    }
    if (!dtype_promote(index, false, own, false, false, &index, &why))
      return check_fail(c, node->for_loop.iterable->span, "%s", why);
  }
  out->index = index;
  out->counter = dtype_is_unsigned(index) || dtype_bits(index) == 64 ? DTYPE(INT64) : index;
  return true;
}

static bool emit_bounds(struct checker *c, const struct node *node, struct value bounds[3],
                        struct counted *counted, MlirValue out[3]) {
  struct span span = node->for_loop.iterable->span;
  check_locate(c, span);
  counted->start = bounds[0];
  counted->down = value_is_number(&bounds[2]) && value_as_double(&bounds[2]) < 0;
  if (counted->down) { /* range(a, b, -s): a - i with i from 0 up to a - b by s */
    for (int i = 0; i < 2; i++)
      if (!emit_cast(&c->e, &bounds[i], counted->counter, &bounds[i]))
        return check_fail_emitter(c, span);
    counted->start = bounds[0];
    if (!emit_binary(&c->e, BINARY_SUBTRACT, &bounds[0], &bounds[1], &bounds[1]) ||
        !emit_negate(&c->e, &bounds[2], &bounds[2]))
      return check_fail_emitter(c, span);
    bounds[0] = value_integer(0);
  }
  for (int i = 0; i < 3; i++) {
    struct value bound;
    if (!emit_cast(&c->e, &bounds[i], counted->counter, &bound))
      return check_fail_emitter(c, span);
    out[i] = bound.run_time.ir;
  }
  return true;
}

bool run_time_for(struct checker *c, const struct node *node, struct value bounds[3],
                  const MlirNamedAttribute *hints, intptr_t hint_count) {
  struct counted counted = {0};
  struct loop loop = {.node = node, .body = &node->for_loop.body};
  MlirValue operands[3];
  MlirRegion regions[2] = {{0}, {0}};
  if (!node_is(node->for_loop.target, NODE_NAME))
    return check_fail(c, node->for_loop.target->span, "a run-time loop has one variable");
  loop.index = node->for_loop.target->name.id;
  loop.words = assigned_by(c, loop.body, NULL);
  if (!index_type(c, node, bounds, &counted) || !emit_bounds(c, node, bounds, &counted, operands) ||
      !try_body(c, &loop, emit_for, &counted, regions))
    return false;
  MlirValue *in = ARENA_ARRAY(&c->e.arena, MlirValue, loop.parts + 3);
  memcpy(in, operands, sizeof operands);
  if (loop.parts)
    memcpy(in + 3, loop.values, loop.parts * sizeof *in);
  check_locate(c, node->span);
  MlirOperation op =
      BUILD_OP(&c->e.b, "scf.for", .in = in, .in_count = (intptr_t)loop.parts + 3,
               .out = loop.types, .out_count = (intptr_t)loop.parts, .attributes = hints,
               .attribute_count = hint_count, .regions = regions, .region_count = 1);
  leave(c, &loop, op);
  return true;
}

/* --- while ------------------------------------------------------------------------------------ */

static bool fail_endless(struct checker *c, const struct node *node) {
  return check_fail(
      c, node->while_loop.condition->span,
      "the condition never changes in the loop: it runs for ever; let the body change "
      "a variable of the condition");
}

static bool is_carried(const struct loop *loop, const char *word) {
  for (size_t i = 0; i < loop->count; i++)
    if (loop->carried[i].word == word)
      return true;
  return false;
}

/* What ':=' in the condition assigns first belongs to the condition's region: the body cannot use
   it. Of the words that the loop assigns, no others have a value when its body begins. */
static void poison_conditions_own(struct checker *c, const struct loop *loop) {
  for (size_t i = 0; i < loop->words.count; i++) {
    const char *word = loop->words.items[i];
    if (frame_find(c->frame, word) && !is_carried(loop, word))
      frame_poison(c, word, POISON_LOOP, loop->node->span);
  }
}

static bool emit_while(struct checker *c, struct loop *loop, MlirRegion regions[2],
                       const void *data) {
  const struct node *condition_node = loop->node->while_loop.condition;
  struct value condition;
  (void)data;
  for (int i = 0; i < 2; i++)
    regions[i] = region_with_block(&c->e.b, (intptr_t)loop->parts, loop->types);
  enter(c, regions[0]);
  set_carried(c, loop, arguments_of(c, regions[0], 0));
  if (!check_condition(c, condition_node, &condition))
    return false;
  bool endless = condition.kind != VALUE_RUNTIME && condition.boolean;
  loop->never = condition.kind != VALUE_RUNTIME && !condition.boolean;
  if (loop->never)
    return true;
  if (!emit_truth(&c->e, &condition, &condition))
    return check_fail_emitter(c, condition_node->span);
  MlirValue *in = ARENA_ARRAY(&c->e.arena, MlirValue, loop->parts + 1);
  in[0] = condition.run_time.ir;
  if (!collect(c, loop, in + 1)) /* ':=' in the condition may have assigned some */
    return false;
  if (loop->again)
    return true;
  BUILD_OP(&c->e.b, "scf.condition", .in = in, .in_count = (intptr_t)loop->parts + 1);
  enter(c, regions[1]);
  poison_conditions_own(c, loop);
  set_carried(c, loop, arguments_of(c, regions[1], 0));
  bool good = emit_body(c, loop);
  return good && (loop->again || !endless || fail_endless(c, loop->node));
}

bool check_while(struct checker *c, const struct node *node, const struct rest *rest,
                 bool *consumed) {
  if (c->frame->kind == FRAME_HOST)
    return check_unrolled_while(c, node, rest, consumed);
  struct loop loop = {.node = node, .body = &node->while_loop.body};
  MlirRegion regions[2] = {{0}, {0}};
  if (!check_loop(c, node, &node->while_loop.orelse))
    return false;
  loop.words = assigned_by(c, loop.body, node->while_loop.condition);
  if (!try_body(c, &loop, emit_while, NULL, regions))
    return false;
  if (loop.never) {
    mlirRegionDestroy(regions[0]);
    mlirRegionDestroy(regions[1]);
    return true;
  }
  check_locate(c, node->span);
  MlirOperation op = BUILD_OP(
      &c->e.b, "scf.while", .in = loop.values, .in_count = (intptr_t)loop.parts, .out = loop.types,
      .out_count = (intptr_t)loop.parts, .regions = regions, .region_count = 2);
  leave(c, &loop, op);
  return true;
}
