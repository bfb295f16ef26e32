/* SPDX-License-Identifier: MIT */
/* From the syntax tree of a kernel to tile IR: checking and emitting in one walk.

   A frame is one activation of a jit function: its variables, by word. Calls of other jit functions
   are carried out in a frame of their own, so they come out inlined. Compile-time values live in
   variables like run-time ones; `if` on one leaves one branch; `if` on a run-time value becomes
   scf.if, with the variables that its branches assign as results; loops become scf.for and
   scf.while, with the variables that their bodies assign carried along.

   Every check_* function returns false after it has added a problem at a place in the source. */
#ifndef TILE_FRONTEND_CHECKER_H
#define TILE_FRONTEND_CHECKER_H

#include "frontend/module.h"
#include "frontend/check/value.h"
#include "frontend/eval/evaluator.h"

struct variable {
  struct value value;
  struct span assigned; /* where it was last assigned, for notes */
  bool is_constexpr;    /* annotated tl.constexpr: keeps its compile-time value */
};

enum return_state {
  RETURN_NO,
  RETURN_MAYBE, /* on some path after us; a flag says whether */
  RETURN_ALWAYS
};

enum frame_kind {
  FRAME_JIT,   /* a jit function, or a lambda in one */
  FRAME_HOST,  /* a function of the host, carried out at compile time: loops are unrolled */
  FRAME_GLOBAL /* the expression of a constant of the file */
};

/* A name that was annotated tl.constexpr ahead of its assignments. */
struct declared {
  const char *word;
  const struct declared *next;
};

struct frame {
  enum frame_kind kind;
  const struct kernel *kernel;   /* name and scope; the rest for FRAME_JIT only */
  const struct node *expression; /* FRAME_GLOBAL */
  struct frame *caller;
  struct span call;                /* in the caller */
  MlirLocation site;               /* of the call; null until it is needed */
  struct map variables;            /* word -> struct variable, in the checker's arena */
  struct value *arguments;         /* by parameter; null where they are not kept */
  const struct declared *declared; /* x: tl.constexpr without a value */
  enum return_state returned;
  MlirValue return_flag; /* RETURN_MAYBE: an i1 */
  struct value result;   /* not RETURN_NO */
  struct span return_span;
  const char *object; /* in a method: the parameter that holds its object */
  int loops;          /* run-time loops around, where return is not possible */
};

struct host;
struct checker {
  struct evaluator eval; /* the first: rules are check_rules */
  struct emitter e;
  struct module *module;
  struct frame *frame;
  int depth;                       /* of calls */
  int global_depth;                /* of globals that are being evaluated */
  int level;                       /* of statements and expressions, over all frames */
  int nesting;                     /* of run-time control flow, over all frames */
  size_t statements;               /* carried out so far */
  size_t work;                     /* on compile-time values, in steps (limits.c) */
  bool stopped;                    /* too many, or too much */
  bool plain_globals;              /* also those that no tl.constexpr(...) makes */
  const struct changing *changing; /* what loops have learnt (loops.c) */
  struct problem *problem;         /* the last one of check_fail */
  struct host *host;               /* for values that only host code gives (names.c) */
  struct map dotted; /* what dotted names mean (builtin_names.c): a word -> struct meaning * */
};

/* Adds a problem at a node or span, with notes for the chain of calls; returns false. */
bool check_fail(struct checker *c, struct span span, const char *format, ...) TILE_PRINTF(3, 4);
/* Adds a remark, once for all copies of a place in unrolled loops and inlined calls. */
void check_remark(struct checker *c, struct span span, const char *format, ...) TILE_PRINTF(3, 4);
/* Adds "note: ..." to the problem that check_fail added last. */
void check_note(struct checker *c, struct span span, const char *format, ...) TILE_PRINTF(3, 4);
/* Forgets the problems found since a copy of module->problems was made. */
void check_rollback(struct checker *c, const struct problems *before);
/* check_fail with what the emitter left in its error. */
bool check_fail_emitter(struct checker *c, struct span span);
/* Refuses an 8-bit float that what was emitted last uses and that the target has not got. */
bool check_fp8(struct checker *c, struct span span);

/* Points the builder's location at a span: file, line and column, inside the call sites around. */
void check_locate(struct checker *c, struct span span);

/* Expressions (expressions.c). */
bool check_expression(struct checker *c, const struct node *node, struct value *out);
/* A binary operator on two values (augmented assignment uses it too). */
bool check_operator(struct checker *c, enum operator_kind op, struct span span,
                    const struct value *a, const struct value *b, struct value *out);
/* What the evaluator asks of a kernel (rules.c). */
extern const struct evaluator_rules check_rules;
/* An expression that must be a compile-time integer; `what` names it in the message. */
bool check_constant_integer(struct checker *c, const struct node *node, const char *what,
                            int64_t *out);

bool check_subscript(struct checker *c, const struct node *node, struct value *out);

/* Limits (limits.c): false after a problem when a text or tuple is too large, or when all of them,
   or the work on them, have become too much. What makes such a value asks before it is used. */
bool check_text_size(struct checker *c, struct span span, size_t length);
bool check_value_size(struct checker *c, struct span span, const struct value *value);
bool check_item_count(struct checker *c, struct span span,
                      size_t count); /* of a tuple to be made */
/* Refuses statements and expressions that are nested too deep, calls followed (c->level). */
bool check_level(struct checker *c, struct span span);
/* Counts work on compile-time values, such as the bytes or parts that are compared. */
bool check_work(struct checker *c, struct span span, size_t steps);

/* Names (names.c). */
bool check_name(struct checker *c, const struct node *node, struct value *out);
/* A name or dotted name that import statements lead to another file; *found is false for others. */
bool check_imported(struct checker *c, const struct node *node, bool *found, struct value *out);
/* The same for an ATTRIBUTE of a VALUE_MODULE that is a file. */
bool check_file_member(struct checker *c, const struct value *module, const struct node *node,
                       bool *found, struct value *out);
/* What a word stands for outside of functions; false without a problem when it is not bound. */
bool check_global(struct checker *c, const char *word, struct span use, struct value *out);
/* An expression outside of functions, in a frame of its own; `name` and `use` are for messages. */
bool check_in_scope(struct checker *c, const struct scope *scope, const char *name,
                    const struct node *expression, struct span use, struct value *out);

/* Attributes (attributes.c): node is an ATTRIBUTE; a method of a type, where node is the CALL; one
   of a class of the file. */
bool check_attribute(struct checker *c, const struct node *node, struct value *out);
/* getattr(object, "name", default) and hasattr(object, "name"), for a CALL of one of them. */
bool check_attribute_by_name(struct checker *c, const struct node *call, bool ask,
                             struct value *out);
/* tl.float16 and the like, of which tl.float16.itemsize is an attribute. */
bool is_type_name(struct checker *c, const struct node *node);
bool check_type_method(struct checker *c, const struct value *owner, const struct node *call,
                       struct value *out);
bool check_class_attribute(struct checker *c, const struct node *class, const struct node *node,
                           struct value *out);

/* Named tuples (records.c): a class that is one; its VALUE_RECORD; a call of that; a field of a
   value, false when it has none of that name. */
struct given;
bool class_is_record(const struct scope *scope, const struct node *class);
bool record_of_class(struct checker *c, const struct scope *scope, const struct node *class,
                     struct value *out);
bool call_record(struct checker *c, const struct record *record, const struct given *given,
                 size_t count, struct span span, struct value *out);
bool record_field(const struct value *tuple, const char *name, struct value *out);

/* Compile time (compile_time.c). */
struct given;
bool check_fstring(struct checker *c, const struct node *node, struct value *out);
bool check_comprehension(struct checker *c, const struct node *node, struct value *out);
bool check_lambda(struct checker *c, const struct node *node, struct value *out);
bool call_callable(struct checker *c, const struct callable *callable, const struct given *given,
                   size_t count, struct span span, struct value *out);

/* Variables (variables.c): what a word stands for in a frame, or NULL; a new value for it. */
struct variable *frame_find(struct frame *frame, const char *word);
void frame_set(struct checker *c, const char *word, const struct value *value, struct span span);

/* Statements (statements.c; control.h has the rest). The body of the frame's function: *out is what
   it returns, None at its end. */
bool check_function(struct checker *c, const struct node_list *body, struct value *out);
/* Counts one more statement, or something of that weight; false when there are too many. */
bool count_statement(struct checker *c, const struct node *node);
bool count_statement_at(struct checker *c, struct span span);
/* True for the annotation tl.constexpr in any of its spellings; false for NULL. */
bool check_is_constexpr(const struct node *annotation);

/* Emits a check of a run-time condition, where `mask` (may be NULL) is true. (builtins_debug.c) */
bool check_device_assert(struct checker *c, const struct value *condition, const struct value *mask,
                         struct slice message, struct span span);

/* Calls (calls.c). */
bool check_call(struct checker *c, const struct node *node, struct value *out);
/* Calls a VALUE_FUNCTION or VALUE_BUILTIN with values, by position; parameters that are left over
   take their defaults. What the callee does is emitted where the builder stands: to fill the region
   of a reduction, point the builder into its block, apply the combiner, and come back. `span` is
   the call's place for messages. */
bool check_apply(struct checker *c, const struct value *callee, const struct value *arguments,
                 size_t count, struct span span, struct value *out);
/* Carries out a function or a lambda in a frame of its own, whose variables are then its own to
   free: arguments are bound to parameters, defaults are evaluated. */
bool call_in_frame(struct checker *c, struct frame *frame, const struct node *node,
                   const struct given *given, size_t count, struct value *out);
/* Refuses calls that are nested too deep. */
bool check_depth(struct checker *c, struct span span);
/* module.name, for an ATTRIBUTE whose owner is a VALUE_MODULE. */
bool check_member(struct checker *c, const struct value *module, const struct node *node,
                  struct value *out);

/* --- Builtins --------------------------------------------------------------------------------- */

enum { MAX_PARAMETERS = 16 };

/* One argument of a builtin, by parameter: `given` is false for one that was left out (its value is
   None, its span the call's). */
struct argument {
  struct value value;
  struct span span;
  bool given;
};

struct builtin_call {
  const struct builtin *builtin;
  int variant; /* the row's */
  struct span span;
  struct argument arguments[MAX_PARAMETERS];
};

/* Where the emitter has failed and no problem says so, the caller adds its message at the call. */
typedef bool builtin_function(struct checker *c, const struct builtin_call *call,
                              struct value *out);

/* One row of builtins.def. */
struct builtin {
  const char *name;       /* see builtins.def */
  const char *parameters; /* "pointer, mask?, other?" */
  builtin_function *run;
  int variant;
};

#define X(name, parameters, function) builtin_function builtin_##function;
#define V(name, parameters, function, variant) builtin_function builtin_##function;
#include "frontend/check/builtins.def"
#undef X
#undef V

/* Variants of rows: */
enum fill_variant { FILL_LIKE = 1, FILL_VALUE = 2 }; /* x_like: of another's shape; full: a value */
enum range_variant { RANGE_NONE, RANGE_RUN_TIME, RANGE_UNROLLED };
enum atomic_variant {
  ATOMIC_ADD,
  ATOMIC_MAX,
  ATOMIC_MIN,
  ATOMIC_AND,
  ATOMIC_OR,
  ATOMIC_XOR,
  ATOMIC_XCHG
};

/* Names (builtin_names.c). */
enum builtin_lookup {
  BUILTIN_NONE,   /* no name of the language's */
  BUILTIN_FOUND,  /* a builtin, a type or a module */
  BUILTIN_UNKNOWN /* a name below triton or libdevice that the table does not have */
};
/* The row of a name as builtins.def has it, or NULL. */
const struct builtin *builtin_find(const char *name);
/* The row of a method x.name, or NULL; descriptors have some of their own. */
const struct builtin *builtin_find_method(const char *name, bool descriptor);
/* "; did you mean 'exp'?", or "". */
const char *builtin_suggestion(struct checker *c, const char *name, bool method);
/* "tl.load", "libdevice.tanh", ".to", for messages. */
const char *builtin_label(struct checker *c, const struct builtin *builtin);
/* Does the language have something of that full dotted name? */
bool builtin_exists(const char *name);
/* A full dotted name. */
enum builtin_lookup builtin_of_name(struct checker *c, const char *name, struct value *out);
/* A name or dotted name in the source, imports followed; NONE also for variables. */
enum builtin_lookup builtin_resolve(struct checker *c, const struct node *node, struct value *out);
/* The problem for an UNKNOWN; returns false. */
bool builtin_fail_unknown(struct checker *c, const struct node *node);
/* Calls (builtin_calls.c). An argument as it stands in a call; name is NULL for a positional one.
 */
struct given {
  const char *name;
  struct value value;
  struct span span;
};
/* The arguments of a CALL, evaluated from left to right, after `self` unless that is NULL; in the
   checker's arena. */
bool call_arguments(struct checker *c, const struct node *node, const struct value *self,
                    struct given **out, size_t *count);
/* Calls a builtin with evaluated arguments. */
bool builtin_apply(struct checker *c, const struct builtin *builtin, const struct given *given,
                   size_t count, struct span span, struct value *out);
/* The CALL of a method of a value. */
bool builtin_method(struct checker *c, const struct value *owner, const struct node *node,
                    struct value *out);

/* Readers of arguments (builtin_arguments.c): false after a problem at the argument. An argument
   that is missing or None gives `fallback`. */
bool argument_given(const struct argument *argument); /* and not None */
bool argument_is_tile(const struct argument *argument);
/* "<needed> is needed, not <what it is>"; returns false. */
bool argument_fail(struct checker *c, const struct argument *argument, const char *needed);
/* A run-time tile, its rank and its shape (room for MAX_RANK). */
bool argument_tile(struct checker *c, const struct argument *argument, int *rank, int64_t *shape);
/* A number or run-time value, as a run-time value. */
bool argument_run_time(struct checker *c, const struct argument *argument, struct value *out);
bool argument_integer(struct checker *c, const struct argument *argument, int64_t fallback,
                      int64_t *out);
bool argument_bool(struct checker *c, const struct argument *argument, bool fallback, bool *out);
/* One of `words`, which NULL ends: its index. */
bool argument_word(struct checker *c, const struct argument *argument, const char *const *words,
                   int fallback, int *out);
bool argument_dtype(struct checker *c, const struct argument *argument, struct dtype fallback,
                    struct dtype *out);
/* A dimension of a tile of `rank`; negative ones count from the end. */
bool argument_axis(struct checker *c, const struct argument *argument, int rank, int fallback,
                   int *out);
/* The items of a tuple, or the value itself as the only one. */
void argument_items(const struct argument *argument, const struct value **items, size_t *count);
/* A tuple of compile-time integers, or one of them; room for MAX_RANK. `what` is the message's
 * subject. */
bool argument_integers(struct checker *c, const struct argument *argument, const char *what,
                       int *count, int64_t *out);
/* A shape: powers of two, not too many elements. */
bool argument_shape(struct checker *c, const struct argument *argument, int *rank, int64_t *shape);

#endif
