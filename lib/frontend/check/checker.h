/* From the syntax tree of a kernel to tile IR: checking and emitting in one walk.

   A frame is one activation of a jit function: its variables, by word. Calls of other jit functions
   are carried out in a frame of their own, so they come out inlined. Compile-time values live in
   variables like run-time ones; `if` on one leaves one branch; `if` on a run-time value becomes
   scf.if, with the variables that its branches assign as results; loops become scf.for and scf.while,
   with the variables that their bodies assign carried along.

   Every check_* function returns false after it has added a problem at a place in the source. */
#ifndef TILE_FRONTEND_CHECKER_H
#define TILE_FRONTEND_CHECKER_H

#include "frontend/module.h"
#include "frontend/check/value.h"

struct variable {
  struct value value;
  struct span assigned; /* where it was last assigned, for notes */
  bool is_constexpr;    /* annotated tl.constexpr: keeps its compile-time value */
};

struct frame {
  const struct kernel *kernel;
  struct frame *caller;
  struct span call;     /* in the caller */
  struct map variables; /* word -> struct variable, in the checker's arena */
  bool returned;        /* a return statement has been carried out */
  struct value result;
  int nesting;          /* of run-time control flow, where return is not possible */
};

struct checker {
  struct emitter e;
  struct module *module;
  struct frame *frame;
  int depth;        /* of calls */
  int global_depth; /* of globals that are being evaluated */
};

/* Adds a problem at a node or span, with notes for the chain of calls; returns false. */
bool check_fail(struct checker *c, struct span span, const char *format, ...) TILE_PRINTF(3, 4);
/* The same with what the emitter left in its error. */
bool check_fail_emitter(struct checker *c, struct span span);

/* Points the builder's location at a span: file, line and column, inside the call sites around. */
void check_locate(struct checker *c, struct span span);

/* Expressions (expressions.c). */
bool check_expression(struct checker *c, const struct node *node, struct value *out);
/* A binary operator on two values (augmented assignment uses it too). */
bool check_operator(struct checker *c, enum operator_kind op, struct span span,
                    const struct value *a, const struct value *b, struct value *out);
/* An expression that must be a compile-time integer; `what` names it in the message. */
bool check_constant_integer(struct checker *c, const struct node *node, const char *what,
                            int64_t *out);
/* A name, a dotted name or a method's owner, resolved; false without a problem when it is no value. */
struct variable *frame_find(struct frame *frame, const char *word);
void frame_set(struct checker *c, const char *word, const struct value *value, struct span span);

/* Statements (statements.c, control.c). */
bool check_body(struct checker *c, const struct node_list *body);
/* True for the annotation tl.constexpr in any of its spellings; false for NULL. */
bool check_is_constexpr(const struct node *annotation);
bool check_if(struct checker *c, const struct node *node);
bool check_for(struct checker *c, const struct node *node);
bool check_while(struct checker *c, const struct node *node);

/* Calls (calls.c). */
bool check_call(struct checker *c, const struct node *node, struct value *out);
/* Calls a VALUE_FUNCTION or VALUE_BUILTIN with values, by position; parameters that are left over
   take their defaults. What the callee does is emitted where the builder stands: to fill the region
   of a reduction, point the builder into its block, apply the combiner, and come back. `span` is
   the call's place for messages. */
bool check_apply(struct checker *c, const struct value *callee, const struct value *arguments,
                 size_t count, struct span span, struct value *out);

/* --- Builtins ------------------------------------------------------------------------------------------ */

enum { MAX_PARAMETERS = 12 };

/* One argument of a builtin, by parameter: `given` is false for a default (None). */
struct argument {
  struct value value;
  struct span span;
  bool given;
};

struct builtin_call {
  const struct builtin *builtin;
  struct span span;
  struct argument arguments[MAX_PARAMETERS];
};

typedef bool builtin_function(struct checker *c, const struct builtin_call *call,
                              struct value *out);

/* One row of builtins.def. */
struct builtin {
  const char *name;       /* behind triton.language. */
  const char *parameters; /* "pointer, mask?, other?": ? marks optional ones */
  builtin_function *run;
};

#define X(name, parameters, function) builtin_function builtin_##function;
#include "frontend/check/builtins.def"
#undef X

/* The row of a name behind "triton.language.", or of a method (x.to) when `method`; NULL. */
const struct builtin *builtin_find(const char *name, bool method);
/* The nearest name that exists, for messages, or NULL. */
const char *builtin_nearest(const char *name);

#endif
