/* SPDX-License-Identifier: MIT */
/* `if`: at compile time one branch is left; at run time an scf.if, with return inside it. */
#include <string.h>
#include "frontend/check/control.h"

/* Deeper nests of run-time branches are refused: everything after the front end recurses over
 * regions. */
enum { DEEPEST_NEST = 128 };

static void enter(struct checker *c, struct branch *branch) {
  branch->outside = c->e.b;
  c->e.b.block = mlirRegionGetFirstBlock(branch->region);
  c->e.b.before = (MlirOperation){0};
  branch->saved = c->frame->variables;
}

void open_branch(struct checker *c, struct branch *branch) {
  *branch = (struct branch){.region = region_with_block(&c->e.b, 0, NULL)};
  enter(c, branch);
  c->frame->variables = copy_variables(&branch->saved);
  c->frame->returned = RETURN_NO;
  c->nesting++;
}

/* After close_branch: points the builder to the region's end again. */
static void reopen_branch(struct checker *c, struct branch *branch) {
  enter(c, branch);
  c->frame->variables = branch->after;
  c->frame->returned = branch->returned;
  c->frame->return_flag = branch->return_flag;
  c->frame->result = branch->result;
  c->frame->return_span = branch->return_span;
  branch->after = (struct map){0};
  c->nesting++;
}

void close_branch(struct checker *c, struct branch *branch) {
  struct frame *frame = c->frame;
  branch->after = frame->variables;
  branch->returned = frame->returned;
  branch->return_flag = frame->return_flag;
  branch->result = frame->result;
  branch->return_span = frame->return_span;
  frame->variables = branch->saved;
  frame->returned = RETURN_NO;
  c->e.b = branch->outside;
  c->nesting--;
}

void discard_branch(struct branch *branch) {
  if (!mlirRegionIsNull(branch->region))
    mlirRegionDestroy(branch->region);
  map_free(&branch->after);
  branch->region = (MlirRegion){0};
}

bool check_nesting(struct checker *c, struct span span) {
  return c->nesting < DEEPEST_NEST ||
         check_fail(c, span,
                    "run-time control flow is nested more than %d deep, counting what follows an "
                    "'if' with a return; merge some of the conditions",
                    DEEPEST_NEST);
}

bool guard_rest(struct checker *c, const struct rest *rest) {
  struct branch branches[2];
  struct span span = c->frame->return_span;
  MlirValue flag = c->frame->return_flag;
  struct value result = c->frame->result;
  if (!check_nesting(c, span))
    return false;
  open_branch(c, &branches[0]);
  c->frame->returned = RETURN_ALWAYS;
  c->frame->result = result;
  c->frame->return_span = span;
  close_branch(c, &branches[0]);
  open_branch(c, &branches[1]);
  bool good = run_rest(c, rest);
  close_branch(c, &branches[1]);
  if (good)
    return merge_branches(c, span, flag, branches, NULL);
  discard_branch(&branches[0]);
  discard_branch(&branches[1]);
  return false;
}

/* --- if --------------------------------------------------------------------------------------- */

/* An `if` statement from its branch `index` on, and the rest after it. */
struct chain {
  const struct node *node;
  uint32_t index;
  const struct rest *rest;
  bool *consumed;
};

static bool check_chain(struct checker *c, const struct chain *chain);

/* Runs a branch; with the rest when `rest` is not NULL. */
static bool emit_body(struct checker *c, const struct node_list *body, const struct rest *rest,
                      struct branch *out) {
  bool consumed = false;
  open_branch(c, out);
  bool good = run_list(c, body, 0, rest, &consumed);
  if (rest && !consumed)
    good = run_rest(c, rest) && good;
  close_branch(c, out);
  return good;
}

/* The same for what follows in the chain: elif ..., else. */
static bool emit_others(struct checker *c, const struct chain *chain, const struct rest *rest,
                        struct branch *out) {
  bool consumed = false;
  struct chain others = {chain->node, chain->index + 1, rest, &consumed};
  open_branch(c, out);
  bool good = check_chain(c, &others);
  if (rest && !consumed)
    good = run_rest(c, rest) && good;
  close_branch(c, out);
  return good;
}

static bool run_time_if(struct checker *c, const struct chain *chain, MlirValue condition) {
  const struct node *branch = chain->node->if_statement.branches.items[chain->index];
  struct branch branches[2];
  bool good = emit_body(c, &branch->branch.body, NULL, &branches[0]);
  bool first_returns = branches[0].returned == RETURN_ALWAYS;
  good &= emit_others(c, chain, first_returns ? chain->rest : NULL, &branches[1]);
  *chain->consumed = first_returns && chain->rest;
  if (!first_returns && branches[1].returned == RETURN_ALWAYS && chain->rest) {
    reopen_branch(c, &branches[0]);
    good = run_rest(c, chain->rest) && good;
    close_branch(c, &branches[0]);
    *chain->consumed = true;
  }
  if (good)
    return merge_branches(c, branch->branch.condition->span, condition, branches, NULL);
  discard_branch(&branches[0]);
  discard_branch(&branches[1]);
  return false;
}

static bool check_chain(struct checker *c, const struct chain *chain) {
  const struct node_list *branches = &chain->node->if_statement.branches;
  for (uint32_t i = chain->index; i < branches->count; i++) {
    const struct node *condition_node = branches->items[i]->branch.condition;
    struct value condition;
    if (!check_condition(c, condition_node, &condition))
      return false;
    if (condition.kind == VALUE_RUNTIME) {
      struct chain here = {chain->node, i, chain->rest, chain->consumed};
      return check_nesting(c, condition_node->span) && run_time_if(c, &here, condition.run_time.ir);
    }
    if (condition.boolean)
      return run_list(c, &branches->items[i]->branch.body, 0, chain->rest, chain->consumed);
  }
  return run_list(c, &chain->node->if_statement.orelse, 0, chain->rest, chain->consumed);
}

bool check_if(struct checker *c, const struct node *node, const struct rest *rest, bool *consumed) {
  return check_chain(c, &(struct chain){node, 0, rest, consumed});
}

bool check_condition(struct checker *c, const struct node *node, struct value *out) {
  if (!check_expression(c, node, out))
    return false;
  if (value_is_compile_time(out)) {
    *out = value_bool(value_truth(out));
    return true;
  }
  check_locate(c, node->span);
  if (type_is_tensor(mlirValueGetType(out->run_time.ir))) {
    if (type_elements(mlirValueGetType(out->run_time.ir)) != 1)
      return check_fail(c, node->span,
                        "a condition is a scalar, not a tile; choose elements with "
                        "tl.where, or reduce the tile to a scalar first");
    struct value tile = *out, item = {.kind = VALUE_BUILTIN, .object = builtin_find(".item")};
    if (!check_apply(c, &item, &tile, 1, node->span, out))
      return false;
  }
  return emit_truth(&c->e, out, out) || check_fail_emitter(c, node->span);
}
