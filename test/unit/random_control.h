/* SPDX-License-Identifier: MIT */
/* Control flow of random kernels: loops, branches and calls, each with the text of its regions and
   a step that holds their steps. */
#ifndef TILE_TEST_RANDOM_CONTROL_H
#define TILE_TEST_RANDOM_CONTROL_H

#include "random_site.h"

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

static void put_initial(struct maker *m, const struct list *parameters,
                        const struct list *initial) {
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
    list_add(arena, &initial,
             emit_addptr(m, initial.ids[0], emit_splat(m, some_scalar(m, I32, step), type)));
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

#endif
