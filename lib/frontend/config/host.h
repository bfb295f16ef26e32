/* SPDX-License-Identifier: MIT */
/* Host code around a kernel, evaluated: what @triton.autotune and @triton.heuristics need of
   Python.

   A small interpreter over the syntax tree: numbers, strings, lists, dictionaries, comprehensions,
   lambdas, the file's own functions and constants, triton.Config, and the builtins of
   host_builtins.def. It has no effects and is bounded in steps, depth, sizes and memory. The environment
   counts as empty and the backend is CUDA, so that the same file gives the same answer everywhere.

   An evaluation ends with a value, or with a `trouble`: the code depends on something that is known
   only at run time (no error), needs the value of a run-time argument, or is wrong.

       struct host host = {.arena = &arena, .module = &module, .scope = kernel->scope};
       struct host_value value;
       if (!host_evaluate(&host, &frame, node, &value)) ... host.trouble says why

   Everything is owned by the arena. One thread at a time. */
#ifndef TILE_FRONTEND_CONFIG_HOST_H
#define TILE_FRONTEND_CONFIG_HOST_H

#include "base/machine.h"
#include "frontend/check/dtype.h"
#include "frontend/module.h"

enum host_kind {
  HOST_NONE,
  HOST_BOOL,
  HOST_INTEGER,
  HOST_FLOAT,
  HOST_STRING,
  HOST_DTYPE, /* torch.float16, tl.float16 */
  HOST_LIST,  /* a list, or a tuple, range or set (not told apart in comparisons) */
  HOST_DICT,
  HOST_FUNCTION, /* a def of the file, or a lambda */
  HOST_METHOD,   /* value.name, to be called */
  HOST_CONFIG,   /* triton.Config(...) */
  HOST_NAME,     /* what comes from outside the file: "triton.cdiv", "range", "torch.cuda" */
  HOST_ARGUMENT  /* an argument of the kernel whose value is known at a launch only */
};

struct host_value {
  enum host_kind kind;
  union {
    bool boolean;
    int64_t integer;
    double number;
    struct slice text;      /* HOST_STRING; HOST_NAME: zero-terminated */
    struct dtype dtype;     /* HOST_DTYPE */
    struct host_list *list; /* shared, as in Python */
    struct host_dict *dict;
    const struct host_function *function;
    const struct host_method *method;
    struct host_config *config;
    struct {
      const char *name;
      struct dtype dtype; /* a pointer stands for a tensor, which is not None */
      bool untyped;       /* nothing is known of it, not even whether it is a tensor */
    } argument;
  };
};

struct host_list {
  struct host_value *items;
  size_t count, capacity;
};

struct host_entry {
  struct host_value key, value;
};
struct host_dict {
  struct host_entry *entries; /* in order of insertion */
  size_t count, capacity;
};

struct host_function {
  const struct node *node;    /* FUNCTION or LAMBDA */
  const struct scope *scope;  /* where it is defined */
  struct host_frame *closure; /* of a lambda; else NULL */
};

struct host_method {
  struct host_value object;
  const char *name;
};

/* triton.Config. Numbers that were not written have Triton's defaults: 4 warps, 3 stages, 1 CTA. */
struct host_config {
  int64_t number; /* of what pruning functions get: its place in the decorator's list; else -1 */
  struct host_dict *values; /* keys are strings */
  int64_t num_warps, num_stages, num_ctas;
  int64_t maxnreg;      /* 0: not given */
  const char *pre_hook; /* its source text, or NULL */
  struct span span;
};

/* One activation: of a function, a lambda, a comprehension, or of statements of the file. */
struct host_variable {
  const char *name; /* a word */
  struct host_value value;
  struct host_variable *next;
};
struct host_frame {
  struct host_frame *parent; /* what a lambda or comprehension sees besides */
  struct host_variable *variables;
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
  struct arena *arena;
  struct module *module;
  const struct scope *scope; /* where the kernel stands */
  int capability;            /* ten times major plus minor of the target (90), 0: unknown */
  const struct machine *machine; /* what the target has; NULL: unknown */
  uint32_t as_of;            /* statements of the file from this offset on have not run yet */
  struct host_trouble trouble;
  size_t steps;
  int depth, calls;
  struct host_index *indexes;  /* of scopes: which statements touch which name */
  struct host_global *globals; /* evaluated so far, and those being evaluated */
};

enum {
  HOST_STEPS = 2000000, /* units of work */
  HOST_DEPTH = 1500,    /* nested expressions and statements, over all calls */
  HOST_CALLS = 50,      /* nested calls */
  HOST_LENGTH = 65536,  /* elements of a list or entries of a dictionary, bytes of a string */
  HOST_MEBIBYTES = 512  /* of all values together */
};

/* Leave a trouble and return false, so that `return host_unknown(...)` ends a step. */
bool host_unknown(struct host *host, struct span span, const char *format, ...) TILE_PRINTF(3, 4);
bool host_wrong(struct host *host, struct span span, const char *format, ...) TILE_PRINTF(3, 4);
bool host_needs(struct host *host, struct span span, const char *argument);
/* Likewise, of an argument of which nothing is known. */
bool host_needs_type(struct host *host, struct span span, const char *argument);
/* Counts work; false when there has been too much. */
bool host_step(struct host *host, struct span span, size_t work);

/* An expression. `frame` may be NULL: then only names of the file are seen. */
bool host_evaluate(struct host *host, struct host_frame *frame, const struct node *node,
                   struct host_value *out);
/* Binary operators on values (host_operators.c). */
bool host_operator(struct host *host, enum operator_kind op, struct span span,
                   const struct host_value *a, const struct host_value *b, struct host_value *out);
bool host_unary(struct host *host, enum operator_kind op, struct span span,
                const struct host_value *a, struct host_value *out);
bool host_compare(struct host *host, enum operator_kind op, struct span span,
                  const struct host_value *a, const struct host_value *b, bool *out);
bool host_equal(struct host *host, struct span span, const struct host_value *a,
                const struct host_value *b, bool *out);
/* Python's truth. */
bool host_truth(struct host *host, struct span span, const struct host_value *value, bool *out);
bool host_index(struct host *host, struct span span, const struct host_value *object,
                const struct host_value *index, struct host_value *out);
bool host_attribute(struct host *host, struct span span, const struct host_value *object,
                    const char *name, struct host_value *out);

/* Calls (host_calls.c). */
struct host_call {
  struct span span;
  const struct node *node; /* the CALL, or NULL for calls that the evaluator makes */
  const struct host_value *positional;
  size_t count;
  const struct host_entry *named; /* keys are strings */
  size_t named_count;
};
bool host_call(struct host *host, const struct host_value *callee, const struct host_call *call,
               struct host_value *out);
/* The value of a keyword argument, or NULL. */
const struct host_value *host_call_named(const struct host_call *call, const char *name);
/* A function or method from outside the file (host_builtins.c, host_methods.c). */
bool host_call_builtin(struct host *host, const char *name, const struct host_call *call,
                       struct host_value *out);
/* list.sort(key=None, reverse=False): stable. */
bool host_sort(struct host *host, const struct host_call *call, struct host_list *list);
bool host_call_method(struct host *host, const struct host_method *method,
                      const struct host_call *call, struct host_value *out);
/* triton.Config(...) (host_config.c). */
bool host_make_config(struct host *host, const struct host_call *call, struct host_value *out);
/* config.NAME, and `config.NAME = value`. */
bool host_config_attribute(struct host *host, struct span span, const struct host_config *config,
                           const char *name, struct host_value *out);
bool host_config_assign(struct host *host, struct span span, struct host_config *config,
                        const char *name, const struct host_value *value);
/* config.all_kwargs(): the constants and the launch options, as a new dictionary. */
bool host_config_all(struct host *host, struct span span, const struct host_config *config,
                     struct host_value *out);
/* ==, as Triton has it: all of both. */
bool host_config_equal(struct host *host, struct span span, const struct host_config *a,
                       const struct host_config *b, bool *out);
/* A copy with a dictionary of its own. */
bool host_config_copy(struct host *host, const struct host_config *config, struct host_config **out);

/* Statements (host_statements.c). */
enum host_flow { HOST_NEXT, HOST_RETURN, HOST_BREAK, HOST_CONTINUE };
bool host_run(struct host *host, struct host_frame *frame, const struct node_list *statements,
              enum host_flow *flow, struct host_value *result);
bool host_run_statement(struct host *host, struct host_frame *frame, const struct node *statement,
                        enum host_flow *flow, struct host_value *result);
/* Assigns to a name, a tuple of targets, or an element. */
bool host_assign(struct host *host, struct host_frame *frame, const struct node *target,
                 const struct host_value *value);
void host_set(struct host *host, struct host_frame *frame, const char *word,
              const struct host_value *value);

/* A name that no frame has: the file's, else one from outside (host_globals.c). */
bool host_find_global(struct host *host, const struct node *name, struct host_value *out);
/* The value of a binding of host->scope, which is no import. */
bool host_binding(struct host *host, const struct binding *binding, struct span span,
                  struct host_value *out);

/* Does more than one statement of the file touch the name? */
bool host_is_changed(struct host *host, const struct binding *binding);

/* Several files (host_files.c). */
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
                  struct host_value *out);
/* owner.name, where the dotted name `owner` is a file's; *found is false for others. */
bool host_file_attribute(struct host *host, struct span span, const char *owner, const char *name,
                         bool *found, struct host_value *out);
/* From now on, conditions around definitions are evaluated (binding_choose). The capability as in
   struct host. */
void host_answer_conditions(struct module *module, int capability);

/* Values (host_values.c). */
struct host_value host_bool(bool boolean);
struct host_value host_integer(int64_t integer);
struct host_value host_float(double number);
struct host_value host_string(struct host *host, const char *text, size_t length);
struct host_value host_name(struct host *host, const char *name);
struct host_value host_list_new(struct host *host);
struct host_value host_dict_new(struct host *host);
bool host_list_add(struct host *host, struct span span, struct host_list *list,
                   const struct host_value *item);
bool host_dict_set(struct host *host, struct span span, struct host_dict *dict,
                   const struct host_value *key, const struct host_value *value);
/* Finds by a key of any kind; *out is NULL when there is none. */
bool host_dict_find(struct host *host, struct span span, const struct host_dict *dict,
                    const struct host_value *key, struct host_value **out);
/* Finds by a string; NULL when there is none. */
const struct host_value *host_dict_get(const struct host_dict *dict, const char *key);
bool host_is_number(const struct host_value *value);  /* bool, integer or float */
bool host_is_integer(const struct host_value *value); /* bool or integer */
int64_t host_as_integer(const struct host_value *value);
double host_as_double(const struct host_value *value);
/* "a list", "the integer 3", for messages: static or in the arena. */
const char *host_describe(struct host *host, const struct host_value *value);
/* As Python writes the value in source: 64, True, 'ieee', [1, 2]. Appends. */
void host_print(const struct host_value *value, struct text *out);
/* The source text of a node, on one line and of bounded length; in the arena. */
const char *host_source(struct host *host, struct span span);

#endif
