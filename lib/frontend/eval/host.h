/* SPDX-License-Identifier: MIT */
/* Host code around a kernel, evaluated: what @triton.autotune and @triton.heuristics need of
   Python.

   A small interpreter over the syntax tree: numbers, strings, lists, dictionaries, comprehensions,
   lambdas, the file's own functions and constants, triton.Config, and the builtins of
   builtins.def. It has no effects and is bounded in steps, depth, sizes and memory. The environment
   counts as empty and the backend is CUDA, so that the same file gives the same answer everywhere.

   An evaluation ends with a value, or with a `trouble`: the code depends on something that is known
   only at run time (no error), needs the value of a run-time argument, or is wrong.

       struct host host = {.eval = {&host_rules, &arena}, .module = &module, .scope = scope};
       struct value value;
       if (!host_evaluate(&host, node, &value)) ... host.trouble says why

   Everything is owned by the arena. One thread at a time. */
#ifndef TILE_FRONTEND_EVAL_HOST_H
#define TILE_FRONTEND_EVAL_HOST_H

#include "base/machine.h"
#include "frontend/eval/evaluator.h"
#include "frontend/module.h"

struct host_function {
  const struct node *node;    /* FUNCTION or LAMBDA */
  const struct scope *scope;  /* where it is defined */
  struct host_frame *closure; /* of a lambda; else NULL */
};

struct host_method {
  struct value object;
  const char *name;
};

/* triton.Config. Numbers that were not written have Triton's defaults: 4 warps, 3 stages, 1 CTA. */
struct host_config {
  int64_t number; /* of what pruning functions get: its place in the decorator's list; else -1 */
  struct value_dict *values; /* keys are strings */
  int64_t num_warps, num_stages, num_ctas;
  int64_t maxnreg;      /* 0: not given */
  const char *pre_hook; /* its source text, or NULL */
  struct span span;
};

/* One activation: of a function, a lambda, a comprehension, or of statements of the file. */
struct host_variable {
  const char *name; /* a word */
  struct value value;
  struct host_variable *next;
};
enum host_flow { HOST_NEXT, HOST_RETURN, HOST_BREAK, HOST_CONTINUE };
struct host_frame {
  struct host_frame *parent; /* what a lambda or comprehension sees besides */
  struct host_variable *variables;
  enum host_flow flow; /* how the statements that were carried out last have ended */
  struct value result; /* HOST_RETURN */
};

enum host_trouble_kind {
  HOST_FINE,
  HOST_UNKNOWN,        /* depends on what is known at run time only, or exceeds a bound */
  HOST_NEEDS_ARGUMENT, /* depends on the value of `argument` */
  HOST_WRONG           /* Python would raise */
};

struct host_trouble {
  enum host_trouble_kind kind;
  struct span span;
  const char *message;  /* a clause: "it calls f(), which this file does not define" */
  const char *argument; /* HOST_NEEDS_ARGUMENT */
};

struct host {
  struct evaluator eval; /* the first: rules are host_rules */
  struct module *module;
  const struct scope *scope;     /* where the kernel stands */
  int capability;                /* ten times major plus minor of the target (90), 0: unknown */
  const struct machine *machine; /* what the target has; NULL: unknown */
  bool (*language_has)(const char *name); /* does the kernels' language have that full name? */
  uint32_t as_of; /* statements of the file from this offset on have not run yet */
  struct host_trouble trouble;
  size_t steps;
  int depth, calls;
  struct host_frame *frame;    /* what runs; NULL: only names of the file are seen */
  struct host_index *indexes;  /* of scopes: which statements touch which name */
  struct host_global *globals; /* evaluated so far, and those being evaluated */
};

extern const struct evaluator_rules host_rules; /* expressions.c */

enum {
  HOST_STEPS = 2000000,   /* units of work */
  HOST_DEPTH = 1500,      /* nested expressions and statements, over all calls */
  HOST_CALLS = 50,        /* nested calls */
  HOST_LENGTH = 64 << 10, /* elements of a list or entries of a dictionary, bytes of a string */
  HOST_MEBIBYTES = 512    /* of all values together */
};

/* Leaves a trouble and returns false, so that `return host_unknown(...)` ends a step. */
bool host_fail(struct host *host, enum host_trouble_kind kind, struct span span, const char *format,
               ...) TILE_PRINTF(4, 5);
#define host_unknown(host, ...) host_fail((host), HOST_UNKNOWN, __VA_ARGS__)
#define host_wrong(host, ...) host_fail((host), HOST_WRONG, __VA_ARGS__)
bool host_needs(struct host *host, struct span span, const char *argument);
/* Likewise, of an argument of which nothing is known. */
bool host_needs_type(struct host *host, struct span span, const char *argument);
/* Counts work; false when there has been too much. */
bool host_step(struct host *host, struct span span, size_t work);

/* Sets the counts of work back: an evaluation of its own begins. Statements of the file from
   `as_of` on have not run. */
void host_begin(struct host *host, uint32_t as_of);
/* An expression, in host->frame. */
bool host_evaluate(struct host *host, const struct node *node, struct value *out);
/* The truth of one. */
bool host_test(struct host *host, const struct node *condition, bool *out);
/* Binary operators on values (operators.c). */
bool host_operator(struct host *host, enum operator_kind op, struct span span,
                   const struct value *a, const struct value *b, struct value *out);
bool host_unary(struct host *host, enum operator_kind op, struct span span, const struct value *a,
                struct value *out);
bool host_compare(struct host *host, enum operator_kind op, struct span span, const struct value *a,
                  const struct value *b, bool *out);
bool host_equal(struct host *host, struct span span, const struct value *a, const struct value *b,
                bool *out);
/* Python's truth. */
bool host_truth(struct host *host, struct span span, const struct value *value, bool *out);
bool host_index(struct host *host, struct span span, const struct value *object,
                const struct value *index, struct value *out);
bool host_attribute(struct host *host, struct span span, const struct value *object,
                    const char *name, struct value *out);

/* Calls (calls.c). */
struct host_call {
  struct span span;
  const char *builtin; /* the full name of what is called, for functions from outside the file */
  const struct value *positional;
  size_t count;
  const struct value_entry *named; /* keys are strings */
  size_t named_count;
};
bool host_call(struct host *host, const struct value *callee, const struct host_call *call,
               struct value *out);
/* The value of a keyword argument, or NULL. */
const struct value *host_call_named(const struct host_call *call, const char *name);
/* A function or method from outside the file (builtins.c, methods.c). */
bool host_call_builtin(struct host *host, const char *name, const struct host_call *call,
                       struct value *out);
/* list.sort(key=None, reverse=False): stable. */
bool host_sort(struct host *host, const struct host_call *call, struct value_list *list);
bool host_call_method(struct host *host, const struct host_method *method,
                      const struct host_call *call, struct value *out);
/* triton.Config(...) (configurations.c). */
bool host_make_config(struct host *host, const struct host_call *call, struct value *out);
/* config.NAME, and `config.NAME = value`. */
bool host_config_attribute(struct host *host, struct span span, const struct host_config *config,
                           const char *name, struct value *out);
bool host_config_assign(struct host *host, struct span span, struct host_config *config,
                        const char *name, const struct value *value);
/* config.all_kwargs(): the constants and the launch options, as a new dictionary. */
bool host_config_all(struct host *host, struct span span, const struct host_config *config,
                     struct value *out);
/* ==, as Triton has it: all of both. */
bool host_config_equal(struct host *host, struct span span, const struct host_config *a,
                       const struct host_config *b, bool *out);
/* A copy with a dictionary of its own. */
bool host_config_copy(struct host *host, const struct host_config *config,
                      struct host_config **out);

/* Statements, in host->frame, whose `flow` says how they ended (statements.c). */
bool host_run(struct host *host, const struct node_list *statements);
bool host_run_statement(struct host *host, const struct node *statement);
/* Assigns to a name, a tuple of targets, or an element. */
bool host_assign(struct host *host, const struct node *target, const struct value *value);
void host_set(struct host *host, struct host_frame *frame, const char *word,
              const struct value *value);

/* A name that no frame has: the file's, else one from outside (globals.c). */
bool host_find_global(struct host *host, const struct node *name, struct value *out);
/* The value of a binding of host->scope, which is no import. */
bool host_binding(struct host *host, const struct binding *binding, struct span span,
                  struct value *out);

/* Does more than one statement of the file touch the name? */
bool host_is_changed(struct host *host, const struct binding *binding);

/* Several files (files.c). */
struct meaning;
struct host_place {
  const struct scope *scope;
  uint32_t as_of;
};
/* Goes on in a scope, maybe of another file; ended with host_leave_scope. */
void host_in_scope(struct host *host, const struct scope *scope, struct host_place *outer);
void host_leave_scope(struct host *host, const struct host_place *outer);
/* The value of what a name means (resolve.h). */
bool host_meaning(struct host *host, const struct meaning *meaning, struct span span,
                  struct value *out);
/* owner.name, where the dotted name `owner` is a file's; *found is false for others. */
bool host_file_attribute(struct host *host, struct span span, const char *owner, const char *name,
                         bool *found, struct value *out);
/* From now on, conditions around definitions are evaluated (binding_choose). The others as in
   struct host. */
void host_answer_conditions(struct module *module, int capability,
                            bool (*language_has)(const char *name));

enum { MAX_GIVEN = 4096 }; /* elements of a list that host code gives, those in it included */
/* A value of a kernel as one of host code, which knows by name what it cannot compute with. */
struct value host_from_constant(struct host *host, const struct value *value);
/* A value of host code as one of a kernel: numbers, texts, types, and lists of them, of which
   `*left` more may be reached (depth 0 at first). False for others. */
bool host_to_constant(struct host *host, const struct value *value, int depth, size_t *left,
                      struct value *out);

/* Values (values.c). */
struct value host_name(struct host *host, const char *name);
struct value host_list_new(struct host *host);
struct value host_dict_new(struct host *host);
bool host_list_add(struct host *host, struct span span, struct value_list *list,
                   const struct value *item);
bool host_dict_set(struct host *host, struct span span, struct value_dict *dict,
                   const struct value *key, const struct value *value);
/* The same under a name. */
bool host_dict_put(struct host *host, struct span span, struct value_dict *dict, const char *name,
                   const struct value *value);
/* All entries of another; all items of a list. */
bool host_dict_merge(struct host *host, struct span span, struct value_dict *dict,
                     const struct value_dict *from);
bool host_list_extend(struct host *host, struct span span, struct value_list *list,
                      const struct value *items, size_t count);
/* Finds by a key of any kind; *out is NULL when there is none. */
bool host_dict_find(struct host *host, struct span span, const struct value_dict *dict,
                    const struct value *key, struct value **out);
/* Finds by a string; NULL when there is none. */
const struct value *host_dict_get(const struct value_dict *dict, const char *key);
/* "a list", "the integer 3", for messages: static or in the arena. */
const char *host_describe(struct host *host, const struct value *value);
/* The source text of a node, on one line and of bounded length; in the arena. */
const char *host_source(struct host *host, struct span span);

#endif
