/* Control flow. At compile time one branch is left and static loops are unrolled; at run time `if`
   becomes scf.if and loops become scf.for and scf.while, with the variables they assign as values.

   A variable is carried when the body assigns it and it exists before. Numbers are turned into
   run-time scalars first. Its type must be the same at the end of the body as at the start. */
#include <stdlib.h>
#include <string.h>
#include "frontend/check/checker.h"

/* --- Which variables a body assigns ------------------------------------------------------------------ */

struct assigned {
  struct checker *c;
  const char **words;
  size_t count, capacity;
};

static void add_word(struct assigned *list, const char *word) {
  for (size_t i = 0; i < list->count; i++)
    if (list->words[i] == word)
      return;
  if (list->count == list->capacity) {
    list->capacity = list->capacity ? list->capacity * 2 : 16;
    const char **words = ARENA_ARRAY(&list->c->e.arena, const char *, list->capacity);
    if (list->count)
      memcpy(words, list->words, list->count * sizeof *words);
    list->words = words;
  }
  list->words[list->count++] = word;
}

static void add_target(struct assigned *list, const struct node *target) {
  if (node_is(target, NODE_NAME))
    add_word(list, target->name.id);
  else if (node_is(target, NODE_TUPLE))
    for (uint32_t i = 0; i < target->tuple.elements.count; i++)
      add_target(list, target->tuple.elements.items[i]);
}

static bool find_targets(struct node *node, void *data) {
  switch ((int)node->kind) {
  case NODE_ASSIGN:
    for (uint32_t i = 0; i < node->assign.targets.count; i++)
      add_target(data, node->assign.targets.items[i]);
    break;
  case NODE_AUGMENTED:
    add_target(data, node->augmented.target);
    break;
  case NODE_ANNOTATED:
    add_target(data, node->annotated.target);
    break;
  case NODE_FOR:
    add_target(data, node->for_loop.target);
    break;
  case NODE_FUNCTION:
  case NODE_LAMBDA:
    return false;
  default:
    break;
  }
  return true;
}

static struct assigned find_assigned(struct checker *c, const struct node_list *body) {
  struct assigned list = {.c = c};
  for (uint32_t i = 0; i < body->count; i++)
    node_walk(body->items[i], find_targets, &list);
  return list;
}

/* --- Snapshots of the variables ---------------------------------------------------------------------- */

/* A copy of the frame's table: variables themselves are never changed, only replaced. */
static struct map copy_variables(const struct map *variables) {
  struct map copy = {0};
  for (size_t i = 0; i < variables->capacity; i++)
    if (variables->slots[i].key && variables->slots[i].value)
      map_set(&copy, variables->slots[i].key, variables->slots[i].value);
  return copy;
}

static void restore_variables(struct checker *c, struct map *saved) {
  map_free(&c->frame->variables);
  c->frame->variables = *saved;
  *saved = (struct map){0};
}

static bool same_type(const struct value *a, const struct value *b) {
  return a->kind == VALUE_RUNTIME && b->kind == VALUE_RUNTIME &&
         dtype_equal(a->run_time.dtype, b->run_time.dtype) &&
         mlirTypeEqual(mlirValueGetType(a->run_time.ir), mlirValueGetType(b->run_time.ir));
}

static bool same_number(const struct value *a, const struct value *b) {
  return value_is_number(a) && a->kind == b->kind && value_as_double(a) == value_as_double(b);
}

static bool fail_types(struct checker *c, struct span span, const char *where, const char *word,
                       const struct value *a, const struct value *b) {
  struct text before = {0}, after = {0};
  value_describe(a, &before);
  value_describe(b, &after);
  check_fail(c, span, "%s '%s' goes from %s to %s; keep one type, with .to() or a typed start value",
             where, word, text_string(&before), text_string(&after));
  text_free(&before);
  text_free(&after);
  return false;
}

/* --- if ------------------------------------------------------------------------------------------------ */

/* Emits a body into a fresh block; the variables it leaves are in *after. The block is the caller's. */
static bool emit_branch(struct checker *c, const struct node_list *body, MlirRegion *region,
                        struct map *after) {
  struct builder outside = c->e.b;
  *region = region_with_block(&c->e.b, 0, NULL);
  c->e.b.block = mlirRegionGetFirstBlock(*region);
  c->e.b.before = (MlirOperation){0};
  struct map saved = copy_variables(&c->frame->variables);
  c->frame->nesting++;
  bool good = check_body(c, body);
  c->frame->nesting--;
  *after = c->frame->variables;
  c->frame->variables = saved;
  c->e.b = outside;
  return good;
}

struct merge {
  const char *word;
  struct value a, b;
  struct span span;
};

/* What differs between the branches: run-time values to merge. Variables that only one branch defines
   are gone behind the `if`. */
static void find_merges(const struct map *after_a, const struct map *after_b, struct merge *merges,
                        size_t *count) {
  for (size_t i = 0; i < after_a->capacity; i++) {
    const char *word = after_a->slots[i].key;
    if (!word)
      continue;
    const struct variable *a = after_a->slots[i].value, *b = map_get(after_b, word);
    if (!b || a == b)
      continue;
    if (same_number(&a->value, &b->value))
      continue;
    merges[(*count)++] = (struct merge){word, a->value, b->value, a->assigned};
  }
}

static MlirOperation end_branch(struct checker *c, MlirRegion region, const MlirValue *values,
                                size_t count) {
  struct builder b = builder_at_end(c->e.session->context, mlirRegionGetFirstBlock(region),
                                    c->e.b.location);
  return build_op(
      &b, &(struct op_spec){.name = "scf.yield", .in = values, .in_count = (intptr_t)count});
}

/* Turns a side of a merge into a run-time value at the end of its branch. */
static bool settle(struct checker *c, MlirRegion region, struct value *value,
                   const struct value *other) {
  if (value->kind == VALUE_RUNTIME)
    return true;
  struct builder outside = c->e.b;
  c->e.b.block = mlirRegionGetFirstBlock(region);
  c->e.b.before = (MlirOperation){0};
  bool done = false;
  if (value_is_number(value) && other->kind == VALUE_RUNTIME && !other->run_time.dtype.pointers)
    done = emit_number(&c->e, value, other->run_time.dtype, value);
  else if (value_is_number(value))
    done = emit_runtime(&c->e, value, value);
  c->e.b = outside;
  return done;
}

static bool merge_branches(struct checker *c, const struct node *node, MlirValue condition,
                           MlirRegion regions[2], struct map after[2]) {
  size_t most = after[0].count + 1, count = 0;
  struct merge *merges = ARENA_ARRAY(&c->e.arena, struct merge, most);
  find_merges(&after[0], &after[1], merges, &count);
  MlirValue *values[2];
  MlirType *types = ARENA_ARRAY(&c->e.arena, MlirType, most);
  values[0] = ARENA_ARRAY(&c->e.arena, MlirValue, most);
  values[1] = ARENA_ARRAY(&c->e.arena, MlirValue, most);
  for (size_t i = 0; i < count; i++) {
    struct merge *m = &merges[i];
    if (!settle(c, regions[0], &m->a, &m->b) || !settle(c, regions[1], &m->b, &m->a) ||
        !same_type(&m->a, &m->b))
      return fail_types(c, m->span, "between the branches of an 'if',", m->word, &m->a, &m->b);
    values[0][i] = m->a.run_time.ir;
    values[1][i] = m->b.run_time.ir;
    types[i] = mlirValueGetType(values[0][i]);
  }
  check_locate(c, node->span);
  end_branch(c, regions[0], values[0], count);
  end_branch(c, regions[1], values[1], count);
  MlirOperation op = build_op(&c->e.b, &(struct op_spec){.name = "scf.if",
                                                         .in = &condition,
                                                         .in_count = 1,
                                                         .out = types,
                                                         .out_count = (intptr_t)count,
                                                         .regions = regions,
                                                         .region_count = 2});
  for (size_t i = 0; i < count; i++) {
    struct value merged = value_runtime(op_result(op, (intptr_t)i), merges[i].a.run_time.dtype);
    frame_set(c, merges[i].word, &merged, merges[i].span);
  }
  return true;
}

static bool check_branches(struct checker *c, const struct node *node, uint32_t index);

/* The rest of a chain (elif ..., else) as a body of its own. */
static bool emit_rest(struct checker *c, const struct node *node, uint32_t index,
                      MlirRegion *region, struct map *after) {
  struct builder outside = c->e.b;
  *region = region_with_block(&c->e.b, 0, NULL);
  c->e.b.block = mlirRegionGetFirstBlock(*region);
  c->e.b.before = (MlirOperation){0};
  struct map saved = copy_variables(&c->frame->variables);
  c->frame->nesting++;
  bool good = check_branches(c, node, index);
  c->frame->nesting--;
  *after = c->frame->variables;
  c->frame->variables = saved;
  c->e.b = outside;
  return good;
}

static bool check_branches(struct checker *c, const struct node *node, uint32_t index) {
  const struct node_list *branches = &node->if_statement.branches;
  if (index == branches->count)
    return check_body(c, &node->if_statement.orelse);
  const struct node *branch = branches->items[index];
  struct value condition;
  if (!check_expression(c, branch->branch.condition, &condition))
    return false;
  if (value_is_compile_time(&condition))
    return value_truth(&condition) ? check_body(c, &branch->branch.body)
                                   : check_branches(c, node, index + 1);
  if (type_is_tensor(mlirValueGetType(condition.run_time.ir)))
    return check_fail(c, branch->branch.condition->span,
                      "'if' takes a scalar; of a tile use tl.where");
  check_locate(c, branch->branch.condition->span);
  if (!emit_truth(&c->e, &condition, &condition))
    return check_fail_emitter(c, branch->branch.condition->span);
  MlirRegion regions[2] = {{0}, {0}};
  struct map after[2] = {{0}, {0}};
  bool good = emit_branch(c, &branch->branch.body, &regions[0], &after[0]) &&
              emit_rest(c, node, index + 1, &regions[1], &after[1]);
  good = good && merge_branches(c, node, condition.run_time.ir, regions, after);
  for (int i = 0; i < 2 && !good; i++)
    if (!mlirRegionIsNull(regions[i]))
      mlirRegionDestroy(regions[i]);
  map_free(&after[0]);
  map_free(&after[1]);
  return good;
}

bool check_if(struct checker *c, const struct node *node) {
  return check_branches(c, node, 0);
}

/* --- Loops ----------------------------------------------------------------------------------------------- */

/* The carried variables of a loop: those its body assigns that exist before it. */
struct carried {
  const char **words;
  struct value *initial;
  MlirType *types;
  MlirValue *values;
  size_t count;
};

static bool find_carried(struct checker *c, const struct node *loop, const struct node_list *body,
                         struct carried *out) {
  struct assigned assigned = find_assigned(c, body);
  *out = (struct carried){
      .words = ARENA_ARRAY(&c->e.arena, const char *, assigned.count + 1),
      .initial = ARENA_ARRAY(&c->e.arena, struct value, assigned.count + 1),
      .types = ARENA_ARRAY(&c->e.arena, MlirType, assigned.count + 2),
      .values = ARENA_ARRAY(&c->e.arena, MlirValue, assigned.count + 4)};
  check_locate(c, loop->span);
  for (size_t i = 0; i < assigned.count; i++) {
    const struct variable *variable = frame_find(c->frame, assigned.words[i]);
    if (!variable || !(variable->value.kind == VALUE_RUNTIME || value_is_number(&variable->value)))
      continue;
    struct value *initial = &out->initial[out->count];
    if (!emit_runtime(&c->e, &variable->value, initial))
      return check_fail_emitter(c, variable->assigned);
    out->words[out->count] = assigned.words[i];
    out->values[out->count] = initial->run_time.ir;
    out->types[out->count++] = mlirValueGetType(initial->run_time.ir);
  }
  return true;
}

/* Sets the carried variables to values from `first` on, delivered by `get`. */
static void set_carried(struct checker *c, const struct carried *carried, const MlirValue *values,
                        struct span span) {
  for (size_t i = 0; i < carried->count; i++) {
    struct value value = value_runtime(values[i], carried->initial[i].run_time.dtype);
    frame_set(c, carried->words[i], &value, span);
  }
}

/* The values of the carried variables at the end of the body, in their initial types. */
static bool collect_carried(struct checker *c, const struct carried *carried, MlirValue *out) {
  for (size_t i = 0; i < carried->count; i++) {
    const struct variable *variable = frame_find(c->frame, carried->words[i]);
    struct value value = variable->value;
    if (value_is_number(&value) &&
        !emit_number(&c->e, &value, carried->initial[i].run_time.dtype, &value))
      return check_fail_emitter(c, variable->assigned);
    if (!same_type(&carried->initial[i], &value))
      return fail_types(c, variable->assigned, "in a loop,", carried->words[i],
                        &carried->initial[i], &value);
    out[i] = value.run_time.ir;
  }
  return true;
}

static MlirValue *arguments_of(struct checker *c, MlirBlock block, intptr_t skip) {
  intptr_t count = mlirBlockGetNumArguments(block) - skip;
  MlirValue *values = ARENA_ARRAY(&c->e.arena, MlirValue, (size_t)count + 1);
  for (intptr_t i = 0; i < count; i++)
    values[i] = mlirBlockGetArgument(block, i + skip);
  return values;
}

static MlirValue *results_of(struct checker *c, MlirOperation op) {
  intptr_t count = mlirOperationGetNumResults(op);
  MlirValue *values = ARENA_ARRAY(&c->e.arena, MlirValue, (size_t)count + 1);
  for (intptr_t i = 0; i < count; i++)
    values[i] = op_result(op, i);
  return values;
}

static void enter(struct checker *c, MlirRegion region) {
  c->e.b.block = mlirRegionGetFirstBlock(region);
  c->e.b.before = (MlirOperation){0};
  c->frame->nesting++;
}

static bool emit_for_body(struct checker *c, const struct node *node, MlirRegion region,
                          const struct carried *carried, struct dtype index, bool down,
                          const struct value *start) {
  MlirBlock block = mlirRegionGetFirstBlock(region);
  struct value iv = value_runtime(mlirBlockGetArgument(block, 0), index);
  set_carried(c, carried, arguments_of(c, block, 1), node->span);
  if (down && !emit_binary(&c->e, BINARY_SUBTRACT, start, &iv, &iv))
    return check_fail_emitter(c, node->span); /* counted up from 0 by -step */
  if (!node_is(node->for_loop.target, NODE_NAME))
    return check_fail(c, node->for_loop.target->span, "a loop has one variable");
  frame_set(c, node->for_loop.target->name.id, &iv, node->for_loop.target->span);
  if (!check_body(c, &node->for_loop.body))
    return false;
  MlirValue *yielded = ARENA_ARRAY(&c->e.arena, MlirValue, carried->count + 1);
  if (!collect_carried(c, carried, yielded))
    return false;
  build_op(&c->e.b, &(struct op_spec){
                        .name = "scf.yield", .in = yielded, .in_count = (intptr_t)carried->count});
  return true;
}

static bool run_time_for(struct checker *c, const struct node *node, struct value bounds[3]) {
  struct dtype index = DTYPE(INT32);
  for (int i = 0; i < 3; i++)
    if (bounds[i].kind == VALUE_RUNTIME && dtype_bits(bounds[i].run_time.dtype) == 64)
      index = DTYPE(INT64);
  check_locate(c, node->for_loop.iterable->span);
  bool down = value_is_number(&bounds[2]) && value_as_double(&bounds[2]) < 0;
  struct value start = bounds[0];
  if (down) { /* for i in range(a, b, -s): a - i' with i' from 0 up to a - b by s */
    if (!emit_binary(&c->e, BINARY_SUBTRACT, &bounds[0], &bounds[1], &bounds[1]) ||
        !emit_negate(&c->e, &bounds[2], &bounds[2]))
      return check_fail_emitter(c, node->span);
    bounds[0] = value_integer(0);
  }
  MlirValue operands[3];
  for (int i = 0; i < 3; i++) {
    struct value bound;
    if (!emit_cast(&c->e, &bounds[i], index, &bound))
      return check_fail_emitter(c, node->for_loop.iterable->span);
    operands[i] = bound.run_time.ir;
  }
  struct carried carried;
  if (!find_carried(c, node, &node->for_loop.body, &carried))
    return false;
  MlirType *types = ARENA_ARRAY(&c->e.arena, MlirType, carried.count + 1);
  MlirValue *in = ARENA_ARRAY(&c->e.arena, MlirValue, carried.count + 3);
  types[0] = dtype_to_mlir(&c->e, index);
  memcpy(types + 1, carried.types, carried.count * sizeof *types);
  memcpy(in, operands, sizeof operands);
  memcpy(in + 3, carried.values, carried.count * sizeof *in);
  MlirRegion region = region_with_block(&c->e.b, (intptr_t)carried.count + 1, types);
  struct builder outside = c->e.b;
  struct map saved = copy_variables(&c->frame->variables);
  enter(c, region);
  bool good = emit_for_body(c, node, region, &carried, index, down, &start);
  c->frame->nesting--;
  c->e.b = outside;
  restore_variables(c, &saved);
  if (!good) {
    mlirRegionDestroy(region);
    return false;
  }
  MlirOperation op = build_op(&c->e.b, &(struct op_spec){.name = "scf.for",
                                                         .in = in,
                                                         .in_count = (intptr_t)carried.count + 3,
                                                         .out = carried.types,
                                                         .out_count = (intptr_t)carried.count,
                                                         .regions = &region,
                                                         .region_count = 1});
  set_carried(c, &carried, results_of(c, op), node->span);
  return true;
}

enum { MOST_UNROLLED = 4096 };

static bool unrolled_for(struct checker *c, const struct node *node, int64_t start, int64_t end,
                         int64_t step) {
  int64_t done = 0;
  for (int64_t i = start; step > 0 ? i < end : i > end; i += step) {
    if (++done > MOST_UNROLLED)
      return check_fail(c, node->for_loop.iterable->span,
                        "tl.static_range unrolls at most %d iterations; use range", MOST_UNROLLED);
    struct value index = value_integer(i);
    if (!node_is(node->for_loop.target, NODE_NAME))
      return check_fail(c, node->for_loop.target->span, "a loop has one variable");
    frame_set(c, node->for_loop.target->name.id, &index, node->for_loop.target->span);
    if (!check_body(c, &node->for_loop.body))
      return false;
  }
  return true;
}

/* The arguments of range, tl.range and tl.static_range: end; start, end; start, end, step. Keywords
   such as num_stages are hints. */
static bool read_bounds(struct checker *c, const struct node *iterable, struct value bounds[3],
                        bool *is_static) {
  if (!node_is(iterable, NODE_CALL))
    return check_fail(c, iterable->span, "a kernel loops over range, tl.range or tl.static_range");
  struct text name = {0};
  bool known = scope_resolve(c->frame->kernel->scope, iterable->call.function, &name);
  const char *text = text_string(&name);
  *is_static = known && strcmp(text, "triton.language.static_range") == 0;
  known = known && (*is_static || strcmp(text, "range") == 0 ||
                    strcmp(text, "triton.language.range") == 0);
  text_free(&name);
  if (!known)
    return check_fail(c, iterable->span, "a kernel loops over range, tl.range or tl.static_range");
  struct value given[3];
  uint32_t count = 0;
  for (uint32_t i = 0; i < iterable->call.arguments.count; i++) {
    const struct node *argument = iterable->call.arguments.items[i];
    if (node_is(argument, NODE_KEYWORD))
      continue;
    if (count == 3)
      return check_fail(c, argument->span, "range takes at most three arguments");
    if (!check_expression(c, argument, &given[count++]))
      return false;
  }
  if (count == 0)
    return check_fail(c, iterable->span, "range needs an end");
  bounds[0] = count > 1 ? given[0] : value_integer(0);
  bounds[1] = count > 1 ? given[1] : given[0];
  bounds[2] = count > 2 ? given[2] : value_integer(1);
  if (bounds[2].kind == VALUE_INTEGER && bounds[2].integer == 0)
    return check_fail(c, iterable->span, "the step of a range is not 0");
  return true;
}

bool check_for(struct checker *c, const struct node *node) {
  struct value bounds[3];
  bool is_static = false;
  if (!read_bounds(c, node->for_loop.iterable, bounds, &is_static))
    return false;
  if (!is_static)
    return run_time_for(c, node, bounds);
  for (int i = 0; i < 3; i++)
    if (bounds[i].kind != VALUE_INTEGER)
      return check_fail(c, node->for_loop.iterable->span,
                        "tl.static_range takes compile-time integers");
  return unrolled_for(c, node, bounds[0].integer, bounds[1].integer, bounds[2].integer);
}

static bool emit_while_regions(struct checker *c, const struct node *node,
                               const struct carried *carried, MlirRegion before,
                               MlirRegion after) {
  struct builder outside = c->e.b;
  enter(c, before);
  MlirBlock block = mlirRegionGetFirstBlock(before);
  MlirValue *arguments = arguments_of(c, block, 0);
  set_carried(c, carried, arguments, node->span);
  struct value condition;
  bool good = check_expression(c, node->while_loop.condition, &condition);
  if (good && (!emit_truth(&c->e, &condition, &condition) ||
               type_is_tensor(mlirValueGetType(condition.run_time.ir))))
    good = check_fail(c, node->while_loop.condition->span, "'while' takes a scalar condition");
  if (good) {
    MlirValue *in = ARENA_ARRAY(&c->e.arena, MlirValue, carried->count + 1);
    in[0] = condition.run_time.ir;
    memcpy(in + 1, arguments, carried->count * sizeof *in);
    build_op(&c->e.b, &(struct op_spec){.name = "scf.condition",
                                        .in = in,
                                        .in_count = (intptr_t)carried->count + 1});
    c->frame->nesting--;
    enter(c, after);
    set_carried(c, carried, arguments_of(c, mlirRegionGetFirstBlock(after), 0), node->span);
    good = check_body(c, &node->while_loop.body);
  }
  MlirValue *yielded = ARENA_ARRAY(&c->e.arena, MlirValue, carried->count + 1);
  if (good && (good = collect_carried(c, carried, yielded)))
    build_op(&c->e.b, &(struct op_spec){.name = "scf.yield",
                                        .in = yielded,
                                        .in_count = (intptr_t)carried->count});
  c->frame->nesting--;
  c->e.b = outside;
  return good;
}

bool check_while(struct checker *c, const struct node *node) {
  struct carried carried;
  if (!find_carried(c, node, &node->while_loop.body, &carried))
    return false;
  intptr_t count = (intptr_t)carried.count;
  MlirRegion regions[] = {region_with_block(&c->e.b, count, carried.types),
                          region_with_block(&c->e.b, count, carried.types)};
  struct map saved = copy_variables(&c->frame->variables);
  bool good = emit_while_regions(c, node, &carried, regions[0], regions[1]);
  restore_variables(c, &saved);
  if (!good) {
    mlirRegionDestroy(regions[0]);
    mlirRegionDestroy(regions[1]);
    return false;
  }
  check_locate(c, node->span);
  MlirOperation op = build_op(&c->e.b, &(struct op_spec){.name = "scf.while",
                                                         .in = carried.values,
                                                         .in_count = count,
                                                         .out = carried.types,
                                                         .out_count = count,
                                                         .regions = regions,
                                                         .region_count = 2});
  set_carried(c, &carried, results_of(c, op), node->span);
  return true;
}
