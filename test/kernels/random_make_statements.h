/* SPDX-License-Identifier: MIT */
/* Draws random statements and functions (random_make.h), and with them the kernel. */
#ifndef TILE_TEST_RANDOM_MAKE_STATEMENTS_H
#define TILE_TEST_RANDOM_MAKE_STATEMENTS_H

#include "random_make_moves.h"

/* --- Calls ------------------------------------------------------------------------------------ */

/* Of a function with a result of this shape; NULL: there is none. */
static inline struct node *draw_call(struct maker *m, struct shape shape, int depth) {
  int f = below(m, m->tree->function_count);
  const struct tree_function *function = &m->tree->functions[f];
  int result = below(m, function->results);
  if (!same_shape(function->shapes[result], shape))
    return NULL;
  struct node *n = make_node(m, NODE_CALL, function->kinds[result], shape);
  n->number = f;
  n->axis = result;
  n->divisor = function->results > 1;
  for (int i = 0; i < function->parameter_count; i++)
    n->in[i] = draw_kind(m, function->parameter_kinds[i], function->parameter_shapes[i], depth - 1);
  return n;
}

static inline struct node *draw(struct maker *m, struct shape shape, int depth) {
  const struct profile *p = m->profile;
  int all = p->arithmetic + p->casts + p->shapes + p->loads + p->reductions;
  int dice = below(m, all);
  if (m->exact_limit > 0)
    return exact(m, m->exact_kind, shape, m->exact_limit, depth);
  if (depth > 1 && m->tree->function_count && m->budget > 0 && chance(m, 8)) {
    struct node *call = draw_call(m, shape, depth);
    if (call)
      return call;
  }
  if (depth > 1 && chance(m, m->profile->products / 4) && m->budget > 0 && has_products(m, shape))
    return draw_whole(m, shape, depth);
  if (depth <= 0 || m->budget <= 0)
    return chance(m, 50) && m->budget > -60 ? draw_load(m, any_kind(m), shape, 0)
                                            : draw_leaf(m, shape);
  if ((dice -= p->arithmetic) < 0)
    return draw_arithmetic(m, shape, depth);
  if ((dice -= p->casts) < 0)
    return draw_cast(m, shape, depth);
  if ((dice -= p->loads) < 0)
    return draw_load(m, any_kind(m), shape, depth);
  if ((dice -= p->reductions) < 0)
    return !shape.rank || chance(m, 50) ? draw_reduction(m, shape, depth)
                                        : draw_scan(m, shape, depth);
  return shape.rank ? draw_shaped(m, shape, depth) : draw_leaf(m, shape);
}

static inline int add_variable(struct maker *m, enum kind kind, struct shape shape) {
  int v = m->tree->variable_count++;
  m->tree->variables[v].kind = kind;
  m->tree->variables[v].shape = shape;
  return v;
}

static inline bool has_variables(const struct maker *m) {
  return m->tree->variable_count < MAX_VARIABLES - 30;
}

/* --- Statements ------------------------------------------------------------------------------- */

static inline struct statement *add_statement(struct maker *m, struct block *block,
                                              enum statement_op op) {
  struct statement *s = tree_take(m->tree, sizeof *s);
  s->op = op;
  block->items[block->count++] = s;
  return s;
}

static inline void hide(struct maker *m, int variable) {
  m->tree->variables[variable].shape.rank = -1;
}

/* v = 5: a tensor of run time that is known at compile time. */
static inline void draw_number(struct maker *m, struct block *block) {
  enum kind kind = chance(m, 60) || m->profile->kinds <= KE4 ? KI32 : KF32;
  struct node *value = make_node(m, NODE_NUMBER, kind, (struct shape){0});
  value->number = any_number(m, KI32);
  if (kind == KF32)
    make_fraction(m, value);
  struct statement *s = add_statement(m, block, ASSIGN);
  s->value = value;
  s->variable = add_variable(m, kind, value->shape);
}

/* Of a product. */
static inline struct shape product_shape(struct maker *m) {
  struct shape shape = {2, {16 << below(m, 3), 16 << below(m, 3)}};
  if (chance(m, 15))
    shape = (struct shape){3, {1 << below(m, 2), 16 << below(m, 2), 16 << below(m, 2)}};
  return shape;
}

static inline void draw_assignment(struct maker *m, struct block *block) {
  struct shape shape = chance(m, 15) ? (struct shape){0} : any_shape(m);
  for (int i = 0; i < m->tree->variable_count && chance(m, 50); i++) {
    struct shape known = m->tree->variables[below(m, m->tree->variable_count)].shape;
    shape = known.rank < 0 ? shape : known;
  }
  if (below(m, 100) < m->profile->products / 2)
    shape = product_shape(m);
  struct node *value = draw(m, shape, m->profile->depth);
  struct statement *s = add_statement(m, block, ASSIGN);
  s->value = value;
  s->variable = add_variable(m, value->kind, shape);
}

static inline bool may_change(const struct maker *m, int v) {
  return m->tree->variables[v].shape.rank >= 0 && !m->tree->variables[v].is_index &&
         !m->tree->variables[v].bound;
}

/* A new value of an earlier variable: what control flow carries. */
static inline void draw_change(struct maker *m, struct block *block, int visible) {
  int v = below(m, visible);
  for (int i = 0; i < visible && !may_change(m, v); i++)
    v = (v + 1) % visible;
  if (!may_change(m, v))
    return;
  enum kind kind = m->tree->variables[v].kind;
  struct shape shape = m->tree->variables[v].shape;
  struct node *value = draw_kind(m, kind, shape, m->profile->depth - 1);
  if (chance(m, 60) && kind != KE4B) { /* of what it was */
    struct node *old = make_node(m, NODE_VARIABLE, kind, shape);
    old->number = v;
    enum binary op = chance(m, 50) ? ADD : chance(m, 50) ? MAX : SUB;
    value = as_kind(m, make_binary(m, op, old, value), kind);
  }
  struct statement *s = add_statement(m, block, ASSIGN);
  s->value = value;
  s->variable = v;
}

static inline void draw_store(struct maker *m, struct block *block, struct node *value) {
  enum kind kind = chance(m, 80) ? value->kind : any_kind(m);
  value = as_kind(m, value, kind == KE4B ? kind : value->kind);
  struct shape shape = value->shape;
  size_t count = (size_t)(shape_count(shape) * m->tree->programs);
  enum style style = !shape.rank || shape.rank > 3 || kind == KI1 || chance(m, 70) ? STYLE_POINTERS
                     : has_descriptor(kind, shape) && chance(m, 60) ? STYLE_DESCRIPTOR
                                                                    : STYLE_BLOCK;
  struct node *mask = style == STYLE_POINTERS && chance(m, 30)
                          ? draw_kind(m, KI1, shape, m->profile->depth / 2)
                          : NULL;
  struct statement *s = add_statement(m, block, STORE);
  s->value = value;
  s->mask = mask;
  s->number = style;
  for (int d = 0; d < shape.rank && style; d++) {
    s->sizes[d] = shape.size[d] * (d ? 1 : m->tree->programs);
    s->sizes[d] -= chance(m, 40) ? below(m, s->sizes[d]) : 0;
  }
  s->variable = add_buffer(m, kind, count, true, 0);
}

/* One operation a buffer, which any order leaves the same. */
static inline void draw_atomic(struct maker *m, struct block *block) {
  static const enum kind types[] = {KI32, KU32, KI64, KU64, KF32, KF64};
  enum kind kind = types[below(m, m->profile->kinds > KF64 ? 6 : 4)];
  struct shape shape = chance(m, 10) ? (struct shape){0} : any_shape(m);
  bool is_float = kind_is_float(kind);
  int64_t count = 1 << below(m, 10);
  struct node *mask = NULL, *at = draw_offsets(m, shape, count, 2, &mask);
  struct node *value =
      is_float ? exact(m, kind, shape, 8, 2) : draw_kind(m, kind, shape, m->profile->depth / 2);
  struct statement *s = add_statement(m, block, ATOMIC);
  s->number = is_float ? ATOMIC_ADD : below(m, ATOMICS);
  s->at = at;
  s->value = value;
  s->mask = mask;
  s->variable = add_buffer(m, kind, (size_t)count, true, is_float ? -1 : 0);
  m->tree->buffers[s->variable].starts = true;
}

static inline void draw_control(struct maker *m, struct block *block);

static inline void draw_body(struct maker *m, struct block *block, int visible) {
  int more = 1 + below(m, 3), known = m->tree->variable_count;
  for (int i = 0; i < more; i++) {
    if (chance(m, 20) && has_variables(m))
      draw_assignment(m, block);
    else if (chance(m, 15))
      draw_control(m, block);
    else if (chance(m, 8) && !m->in_function && has_buffers(m))
      draw_atomic(m, block);
    draw_change(m, block, visible);
  }
  for (int v = known; v < m->tree->variable_count; v++)
    hide(m, v); /* what is assigned there is not known after it */
}

static inline void draw_if(struct maker *m, struct block *block, int visible) {
  struct node *condition = draw_kind(m, KI1, (struct shape){0}, m->profile->depth - 1);
  struct statement *s = add_statement(m, block, IF);
  s->value = condition;
  m->loops++;
  draw_body(m, &s->body[0], visible);
  if (chance(m, 70))
    draw_body(m, &s->body[1], visible);
  m->loops--;
  if (!s->body[0].count) /* Python wants a statement */
    block->count--;
}

/* for, or while with a condition besides its counter's. */
static inline void draw_loop(struct maker *m, struct block *block, int visible) {
  bool is_while = chance(m, 25);
  struct node *condition = is_while && chance(m, 60)
                               ? draw_kind(m, KI1, (struct shape){0}, m->profile->depth / 2)
                               : NULL;
  struct statement *s = add_statement(m, block, is_while ? WHILE : FOR);
  s->value = condition;
  s->first = below(m, 4);
  s->step = 1 + below(m, 3);
  if (!is_while && chance(m, 25)) /* backwards */
    s->first = 12, s->step = -s->step;
  s->trips = chance(m, 50) && !m->in_function ? -1 : below(m, 4);
  s->is_static = !is_while && s->trips >= 0 && chance(m, 40);
  s->stages = !is_while && !s->is_static && chance(m, 25) ? 1 + below(m, 4) : 0;
  s->variable = add_variable(m, KI32, (struct shape){0});
  m->tree->variables[s->variable].is_index = true;
  int run = m->run_loop, fixed = m->static_loop;
  if (s->is_static) /* a number of the source: no int32 */
    hide(m, s->variable), m->static_loop = s->variable;
  else
    m->run_loop = s->variable;
  m->loops++;
  draw_body(m, &s->body[0], visible);
  m->loops--;
  m->run_loop = run, m->static_loop = fixed;
  hide(m, s->variable);
  if (!s->body[0].count)
    block->count--;
}

static inline void draw_control(struct maker *m, struct block *block) {
  int visible = m->tree->variable_count;
  if (!visible || m->loops == 2 || !has_variables(m))
    return;
  if (chance(m, 60))
    draw_loop(m, block, visible);
  else
    draw_if(m, block, visible);
}

/* --- Products in loops ------------------------------------------------------------------------ */

static inline void assign(struct maker *m, struct block *block, int variable, struct node *value) {
  struct statement *s = add_statement(m, block, ASSIGN);
  s->value = value;
  s->variable = variable;
}

static inline struct node *read_variable(struct maker *m, int v) {
  struct node *n =
      make_node(m, NODE_VARIABLE, m->tree->variables[v].kind, m->tree->variables[v].shape);
  n->number = v;
  n->bound = m->tree->variables[v].bound;
  return n;
}

/* sums = dot(.., .., sums), of one or two sums, perhaps with other statements between. */
static inline void draw_product_loop(struct maker *m, struct block *block) {
  static const enum kind types[] = {KF32, KF32, KF32, KF16, KF64, KI32};
  enum { MAX_TRIPS = 3, MAX_SUMS = 2 };
  int sums[MAX_SUMS], count = 1 + chance(m, 30), visible = m->tree->variable_count;
  double step[MAX_SUMS];
  for (int i = 0; i < count; i++) {
    enum kind kind = types[below(m, 6)];
    struct shape shape = product_shape(m);
    sums[i] = add_variable(m, kind, shape);
    step[i] = kind == KI32 ? 0 : floor(fmin(exact_most(kind), 0x1p18) / MAX_TRIPS);
    m->tree->variables[sums[i]].bound = step[i] * MAX_TRIPS;
    assign(m, block, sums[i], make_full(m, kind, shape, 0));
  }
  struct statement *s = add_statement(m, block, FOR);
  s->step = 1;
  s->trips = chance(m, 60) ? -1 : 1 + below(m, MAX_TRIPS);
  s->stages = chance(m, 60) ? 1 + below(m, 4) : 0;
  s->variable = add_variable(m, KI32, (struct shape){0});
  m->tree->variables[s->variable].is_index = true;
  m->run_loop = s->variable;
  m->loops++;
  for (int i = 0; i < count; i++) {
    enum kind kind = m->tree->variables[sums[i]].kind;
    double bound = m->tree->variables[sums[i]].bound;
    struct shape shape = m->tree->variables[sums[i]].shape;
    m->tree->variables[sums[i]].bound = 1; /* not to be read while it changes */
    m->tree->variables[sums[i]].shape.rank = -1;
    if (visible && chance(m, 30))
      draw_change(m, &s->body[0], visible);
    struct node *old = make_node(m, NODE_VARIABLE, kind, shape);
    old->number = sums[i];
    bool inside = chance(m, 70);
    struct node *next = draw_dot(m, kind, shape, step[i], inside ? old : NULL, 2);
    if (next)
      assign(m, &s->body[0], sums[i], inside ? next : make_binary(m, ADD, old, next));
    m->tree->variables[sums[i]].shape = shape;
    m->tree->variables[sums[i]].bound = bound;
  }
  m->loops--;
  m->run_loop = -1;
  hide(m, s->variable);
  if (!s->body[0].count)
    block->count--;
  for (int i = 0; i < count; i++) { /* read as it is, or after what is exact */
    struct node *x = read_variable(m, sums[i]);
    if (x->kind != KI32 && chance(m, 60))
      x = exact(m, x->kind, x->shape, x->bound * 2, 3);
    x = as_kind(m, x, KI32);
    assign(m, block, add_variable(m, KI32, x->shape), x);
  }
}

/* --- Functions -------------------------------------------------------------------------------- */

static inline void draw_return(struct maker *m, struct block *block,
                               const struct tree_function *f) {
  struct node *values[2] = {NULL};
  for (int i = 0; i < f->results; i++)
    values[i] = draw_kind(m, f->kinds[i], f->shapes[i], 2);
  struct statement *s = add_statement(m, block, RETURN);
  s->value = values[0];
  s->mask = values[1];
}

/* With several returns; it calls earlier ones. */
static inline void draw_function(struct maker *m) {
  struct tree_function *f = &m->tree->functions[m->tree->function_count];
  struct shape shape = chance(m, 20) ? (struct shape){0} : any_shape(m);
  m->in_function = true;
  m->budget = 25;
  f->parameter_count = 1 + below(m, MAX_PARAMETERS);
  f->results = 1 + chance(m, 30);
  for (int i = 0; i < f->parameter_count; i++) {
    f->parameter_kinds[i] = any_kind(m);
    f->parameter_shapes[i] = i && chance(m, 40) ? (struct shape){0} : shape;
    f->parameters[i] = add_variable(m, f->parameter_kinds[i], f->parameter_shapes[i]);
  }
  for (int i = 0; i < f->results; i++) {
    f->kinds[i] = any_kind(m);
    f->shapes[i] = i && chance(m, 30) ? (struct shape){0} : shape;
  }
  if (chance(m, 60))
    draw_assignment(m, &f->body);
  if (chance(m, 30))
    draw_control(m, &f->body);
  for (int i = below(m, 3); i > 0; i--) {
    struct node *condition = draw_kind(m, KI1, (struct shape){0}, 2);
    struct statement *s = add_statement(m, &f->body, IF);
    s->value = condition;
    draw_return(m, &s->body[0], f);
    if (i == 1 && chance(m, 25)) {
      draw_return(m, &s->body[1], f);
      break;
    }
  }
  const struct statement *last = f->body.count ? f->body.items[f->body.count - 1] : NULL;
  if (!last || last->op != IF || !last->body[1].count || last->body[1].items[0]->op != RETURN)
    draw_return(m, &f->body, f);
  for (int v = 0; v < m->tree->variable_count; v++)
    hide(m, v);
  m->in_function = false;
  m->tree->function_count++;
}

/* --- The kernel ------------------------------------------------------------------------------- */

static inline void draw_settings(struct maker *m) {
  static const char *const targets[] = {"sm_80", "sm_89", "sm_90a", "sm_90a", "sm_90a", "sm_120a"};
  struct tree *tree = m->tree;
  tree->programs = 1 + below(m, 3);
  tree->num_warps = 1 << below(m, 4);
  tree->n = below(m, 4);
  tree->num_stages = 1 + below(m, 4);
  tree->target = targets[below(m, 6)];
  tree->fewer_warps = chance(m, 20);
  tree->low_occupancy = chance(m, 10);
  tree->programs_per_block = chance(m, 15) ? 2 << below(m, 3) : 0;
  tree->optimization_level = chance(m, 10) ? 3 : 1;
}

static inline void draw_outputs(struct maker *m) {
  int stored = 0;
  for (int v = m->tree->variable_count - 1; v >= 0 && stored < 4; v--) {
    if (m->tree->variables[v].shape.rank < 0 || m->tree->variables[v].bound)
      continue;
    m->budget = 10;
    draw_store(m, &m->tree->body, read_variable(m, v));
    stored++;
  }
}

static inline void tree_make(struct tree *tree, const struct profile *profile, uint64_t seed) {
  struct maker m = {.tree = tree,
                    .profile = profile,
                    .state = seed * 0x9E3779B97F4A7C15u + 1,
                    .static_loop = -1,
                    .run_loop = -1};
  for (int i = 0; i < 4; i++)
    zoo_random(&m.state);
  draw_settings(&m);
  while (tree->function_count < MAX_FUNCTIONS && below(&m, 100) < profile->functions)
    draw_function(&m);
  int count = 1 + below(&m, profile->statements);
  for (int i = 0; i < count && has_variables(&m); i++) {
    m.budget = 40;
    if (chance(&m, 25))
      draw_number(&m, &tree->body);
    if (below(&m, 100) < profile->products)
      draw_product_loop(&m, &tree->body);
    else
      draw_assignment(&m, &tree->body);
    if (below(&m, 100) < profile->control)
      draw_control(&m, &tree->body);
    if (below(&m, 100) < profile->control / 3 && has_buffers(&m))
      draw_atomic(&m, &tree->body);
  }
  draw_outputs(&m);
}

#endif
