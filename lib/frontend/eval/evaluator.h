/* SPDX-License-Identifier: MIT */
/* What evaluating Python is for host code and for kernels alike: displays, comprehensions, slices,
   + and * of sequences, and the functions of Python that make one sequence of others.

   An evaluator is the first member of what knows the rest: names, calls, limits, what a value of
   run time does, and the words for what is refused (struct host, struct checker). Sequences are
   handled item by item, whatever the items are. */
#ifndef TILE_FRONTEND_EVAL_EVALUATOR_H
#define TILE_FRONTEND_EVAL_EVALUATOR_H

#include "frontend/eval/numbers.h"

struct evaluator;
/* All return false after they have said why; then the evaluation ends. */
struct evaluator_rules {
  bool (*expression)(struct evaluator *, const struct node *, struct value *out);
  bool (*operation)(struct evaluator *, enum operator_kind, struct span, const struct value *a,
                    const struct value *b, struct value *out);
  bool (*assign)(struct evaluator *, const struct node *target, const struct value *);
  bool (*truth)(struct evaluator *, struct span, const struct value *, bool *out);
  /* Counts one turn of a loop. */
  bool (*turn)(struct evaluator *, struct span);
  /* Appends, within the limits. */
  bool (*add)(struct evaluator *, struct span, struct value_list *, const struct value *item);
  /* May there be a text of that length? Counts the work of making it. */
  bool (*text)(struct evaluator *, struct span, size_t length);
  /* The sequence that a finished list becomes; takes the items. */
  bool (*sequence)(struct evaluator *, struct span, const struct value_list *, struct value *out);
  /* Says why `value` cannot be used so, or with NULL what is wrong; returns false. */
  bool (*refuse)(struct evaluator *, struct span, const struct value *value, const char *message);
  const char *loops; /* what comprehensions run over, for messages */
};

struct evaluator {
  const struct evaluator_rules *rules;
  struct arena *arena;
};

/* The items of a tuple or a list as they are now; false for others. */
bool value_items(const struct value *value, const struct value **items, size_t *count);

/* INTEGER, FLOAT, STRING, NONE, BOOL. */
bool eval_literal(struct evaluator *ev, const struct node *node, struct value *out);
bool eval_binary(struct evaluator *ev, const struct node *node, struct value *out);
/* One element of a display or an argument, appended: a value, or the items of `*value`. */
bool eval_element(struct evaluator *ev, const struct node *node, struct value_list *list);
bool eval_display(struct evaluator *ev, struct span span, const struct node_list *elements,
                  struct value *out);
/* The turns of a comprehension, in the scope that the caller has opened: `element` adds what one
   gives. */
struct comprehension {
  const struct node *node;
  bool (*element)(struct evaluator *, const struct comprehension *);
  void *data;
};
bool eval_clauses(struct evaluator *ev, const struct comprehension *comprehension);
/* items[SLICE] */
bool eval_slice(struct evaluator *ev, const struct node *slice, const struct value *items,
                size_t count, struct value *out);

/* + of two sequences or texts of a kind, * of one by an integer. False for other operands; *good
   says whether there is a result. */
bool eval_sequences(struct evaluator *ev, enum operator_kind op, struct span span,
                    const struct value *a, const struct value *b, struct value *out, bool *good);

/* Finds a text in a text. */
bool eval_contains(struct slice text, struct slice part);

/* A method of a text. */
struct text_call {
  struct slice text;
  const char *name;
  struct span span;
  const struct value *positional;
  size_t count;
  const struct value_entry *named; /* keys are strings */
  size_t named_count;
};
/* lower, upper, strip, startswith, endswith, replace, split, join, format. False for others and for
   other arguments; *good says whether there is a result. */
bool eval_text_method(struct evaluator *ev, const struct text_call *call, struct value *out,
                      bool *good);

/* Functions of Python. */
bool eval_range(struct evaluator *ev, struct span span, const int64_t bounds[3],
                struct value *out); /* start, end, step */
bool eval_copy(struct evaluator *ev, struct span span, const struct value *items, size_t count,
               bool reversed, struct value *out);
bool eval_enumerate(struct evaluator *ev, struct span span, const struct value *items, size_t count,
                    int64_t start, struct value *out);
/* The rows across `count` lists, as many as the shortest has. */
bool eval_zip(struct evaluator *ev, struct span span, const struct value_list *lists, size_t count,
              struct value *out);
/* any (`stop` is true), all (false). */
bool eval_until(struct evaluator *ev, struct span span, const struct value *items, size_t count,
                bool stop, struct value *out);
bool eval_sum(struct evaluator *ev, struct span span, const struct value *items, size_t count,
              const struct value *start, struct value *out);

#endif
