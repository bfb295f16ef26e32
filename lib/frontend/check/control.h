/* SPDX-License-Identifier: MIT */
/* What the files of control flow share: variables.c, merge.c, branches.c, loops.c, statements.c.

   A list of statements is run with the rest that follows it, so that an `if` with a return on one
   side can put the rest into its other side:

       if pid >= n:            scf.if %late { } else {
           return                  the rest
       the rest                }

   Where both sides go on but one of them may have returned on the way, a flag says so, and the rest
   stands in the else branch of an scf.if on the flag. Either way each statement is emitted once. */
#ifndef TILE_FRONTEND_CONTROL_H
#define TILE_FRONTEND_CONTROL_H

#include "frontend/check/checker.h"

/* --- Variables (variables.c) ------------------------------------------------------------------ */

struct word_list {
  const char **items; /* in the emitter's arena */
  size_t count, capacity;
};

/* The variables that statements assign, nested ones included, each once; `condition`, of a loop,
   may be NULL. */
struct word_list assigned_by(struct checker *c, const struct node_list *body,
                             struct node *condition);
/* The variables that one statement assigns become unusable, because it failed: no more errors
   about them. */
void poison_assigned(struct checker *c, struct node *statement);
void frame_poison(struct checker *c, const char *word, enum poison_reason reason, struct span span);
/* A copy of a table of variables: variables themselves are never changed, only replaced. The
   caller's, to be ended by map_free or restore_variables. */
struct map copy_variables(const struct map *variables);
void restore_variables(struct checker *c, struct map *saved);

/* --- Lists of statements (statements.c) ------------------------------------------------------- */

/* What is still to be run after a statement: `list` from `index` on (or what `run` does), then
 * `next`. */
struct rest {
  bool (*run)(struct checker *c, const struct rest *rest);
  const struct node_list *list;
  uint32_t index;
  const void *data; /* of `run` */
  const struct rest *next;
};

/* Runs `list` from `start` on. A statement may take the rest, `next` included, with it: then it
 *sets consumed. Goes on after errors. */
bool run_list(struct checker *c, const struct node_list *list, uint32_t start,
              const struct rest *next, bool *consumed);
/* Gives a value to the target of a compile-time loop or comprehension. */
bool assign_target(struct checker *c, const struct node *target, const struct value *value);
/* The same as an assignment does it: numbers get their types. */
bool assign_plain(struct checker *c, const struct node *target, const struct value *value);
/* Runs a rest; NULL is nothing. Where the function may have returned, inside an scf.if. */
bool run_rest(struct checker *c, const struct rest *rest);

/* --- Branches (merge.c, branches.c) ----------------------------------------------------------- */

/* One side of a run-time branch, emitted into a region of its own. */
struct branch {
  MlirRegion region;
  struct map after; /* the variables at its end */
  enum return_state returned;
  MlirValue return_flag; /* RETURN_MAYBE */
  struct value result;   /* not RETURN_NO */
  struct span return_span;
  struct value value; /* of a conditional expression */
  struct builder outside;
  struct map saved;
};

/* Points the builder into a new region. */
void open_branch(struct checker *c, struct branch *branch);
void close_branch(struct checker *c, struct branch *branch);
void discard_branch(struct branch *branch);

/* Builds the scf.if of two closed branches and gives the frame what they leave: merged variables,
   the state of return, and in *value (when not NULL) the merge of their values. Frees the branches,
   whatever the result. `span` is for messages. */
bool merge_branches(struct checker *c, struct span span, MlirValue condition,
                    struct branch branches[2], struct value *value);
/* Runs `rest` where a return has not been taken. */
bool guard_rest(struct checker *c, const struct rest *rest);

/* Refuses nests of run-time control flow that are too deep. */
bool check_nesting(struct checker *c, struct span span);
/* A condition: *out is a run-time i1 or a VALUE_BOOL. */
bool check_condition(struct checker *c, const struct node *node, struct value *out);
/* The branches of `if`; the rest may go into one of them. */
bool check_if(struct checker *c, const struct node *node, const struct rest *rest, bool *consumed);

/* --- Loops (ranges.c, loops.c, unrolled.c) ---------------------------------------------------- */

bool check_for(struct checker *c, const struct node *node, const struct rest *rest, bool *consumed);
bool check_while(struct checker *c, const struct node *node, const struct rest *rest,
                 bool *consumed);
/* Refuses what no loop has: `else`, too deep a nest. */
bool check_loop(struct checker *c, const struct node *node, const struct node_list *orelse);
/* scf.for over start, end, step, with `hints` as attributes. */
bool run_time_for(struct checker *c, const struct node *node, struct value bounds[3],
                  const MlirNamedAttribute *hints, intptr_t hint_count);
/* for ... in tl.static_range(...) and over tuples: one copy of the body for each item. */
bool check_unrolled(struct checker *c, const struct node *node, const struct value *items,
                    size_t count, const struct rest *rest, bool *consumed);

/* `while` in a function of the host. */
bool check_unrolled_while(struct checker *c, const struct node *node, const struct rest *rest,
                          bool *consumed);

/* "'x' goes from a to b" between two places; returns false. */
bool fail_change(struct checker *c, struct span span, const char *where, const char *word,
                 const struct value *a, const struct value *b);
/* The two values of a conditional expression have no common type. */
bool fail_sides(struct checker *c, struct span span, const struct value *first,
                const struct value *second);

#endif
