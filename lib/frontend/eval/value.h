/* SPDX-License-Identifier: MIT */
/* Values of Python, as far as they are known before a launch: the one type for what host code
   computes (host.h) and what a kernel's compile-time code does (check/checker.h).

   Plain values - numbers, texts, types, tuples, None - mean the same to both. Besides, host code
   has lists and dictionaries that change in place, and kernels have SSA values, blocks and
   builtins. */
#ifndef TILE_FRONTEND_EVAL_VALUE_H
#define TILE_FRONTEND_EVAL_VALUE_H

#include <mlir-c/IR.h>
#include "base/arena.h"
#include "frontend/eval/dtype.h"

struct kernel;
struct node;
struct scope;
struct variable;

enum value_kind {
#define KIND(identifier, ...) VALUE_##identifier,
#include "frontend/eval/value_kinds.def"
#undef KIND
};

/* Why a variable must not be used. */
enum poison_reason {
  POISON_ERROR,  /* its assignment failed: nothing more is said about it */
  POISON_BRANCH, /* assigned in one branch of a run-time `if` only */
  POISON_LOOP,   /* first assigned inside a run-time loop, which may run no time */
  POISON_INDEX   /* the variable of a run-time loop, after it */
};

/* A named tuple's type: class P(NamedTuple), or namedtuple("P", ...). */
struct record {
  const char *name;
  const char **fields;    /* words */
  struct value *defaults; /* of the fields that have one */
  const bool *has_default;
  size_t count;
  const struct node *class;  /* with the methods; NULL where a call made the type */
  const struct scope *scope; /* around the class */
};

/* VALUE_CALLABLE */
struct callable {
  const struct node *node;     /* FUNCTION or LAMBDA */
  const struct kernel *kernel; /* name and scope only */
  const char **words;          /* the variables that a lambda has captured */
  struct variable **captured;
  size_t count;
};

struct value {
  enum value_kind kind;
  /* A number that was assigned to a plain variable of a kernel: known at compile time, but in
     arithmetic of the type it has at run time (int32, fp32, ...), as in Triton, where such a
     variable is a tensor. Other numbers take the type of what they meet. */
  bool is_typed;
  bool is_huge; /* VALUE_INTEGER: of 2^63 or more, `integer` has its bits; not in host code */
  union {
    bool boolean;
    int64_t integer;
    double number;
    struct slice text;       /* VALUE_STRING, VALUE_MODULE; VALUE_NAME: zero-terminated */
    struct dtype dtype;      /* VALUE_DTYPE */
    struct value_list *list; /* shared, as in Python */
    struct value_dict *dict;
    const struct host_function *function;
    const struct host_method *method;
    struct host_config *config;
    struct {
      const char *name;
      struct dtype dtype; /* a pointer stands for a tensor, which is not None */
      bool untyped;       /* nothing is known of it, not even whether it is a tensor */
    } argument;
    struct {
      struct dtype dtype; /* of the elements */
      int rank;
      const int64_t *shape; /* in the arena */
    } block_type;
    struct {
      struct value *items; /* in the arena */
      size_t count;
      const struct record *record; /* of a named tuple; else NULL */
    } tuple;                       /* all composite kinds */
    struct {
      MlirValue ir;
      struct dtype dtype; /* of the element */
    } run_time;
    const void *object; /* struct kernel, builtin, callable, record; the CLASS node of a class */
    enum poison_reason poison;
  };
};

struct value value_none(void);
struct value value_bool(bool boolean);
struct value value_integer(int64_t integer);
struct value value_float(double number);
struct value value_runtime(MlirValue ir, struct dtype dtype);
/* A copy of a text, zero-terminated. */
struct value value_text(struct arena *arena, const char *text, size_t length);
/* A tuple of copies of `items`. */
struct value value_tuple(struct arena *arena, const struct value *items, size_t count);

/* A growing list, in an arena unless the caller began it elsewhere. */
struct value_list {
  struct value *items;
  size_t count, capacity;
};
void value_list_add(struct arena *arena, struct value_list *list, const struct value *value);
/* The items of a list as a tuple, which takes them. */
struct value value_tuple_of(const struct value_list *list);

struct value_entry {
  struct value key, value;
};
struct value_dict {
  struct value_entry *entries; /* in order of insertion */
  size_t count, capacity;
};

bool value_is_number(const struct value *value);  /* a compile-time bool, integer or float */
bool value_is_integer(const struct value *value); /* a compile-time bool or integer */
/* The number as a double or an integer. */
double value_as_double(const struct value *value);
int64_t value_as_integer(const struct value *value);
bool value_is_compile_time(const struct value *value); /* anything but VALUE_RUNTIME */
/* The same with its parts: no SSA value in it. */
bool value_is_constant(const struct value *value);
/* Tuples, block pointers and descriptors: values with parts in `tuple`. Control flow carries and
   merges them part by part. */
bool value_is_composite(const struct value *value);
/* Equal at compile time (the same kind and content), or the same SSA value. Of tuples, part by
   part; lists, dictionaries and what else changes in place are the same when they are one. */
bool value_same(const struct value *a, const struct value *b);
/* Python's truth of a compile-time value. */
bool value_truth(const struct value *value);

/* The value of a name of another module that stands for one (math.pi, torch.float16:
 * constants.def). */
bool value_of_name(const char *name, struct value *out);
/* As text (print.c): Python's str() of a compile-time value. Appends. */
void value_format(const struct value *value, struct text *out);
struct value value_string(struct arena *arena, const struct value *value);
/* As Python writes the value in source: 64, True, 'ieee', [1, 2]. In the arena. */
const char *value_source(struct arena *arena, const struct value *value);
/* "a tile 64xfp32", "int32", "the integer 3", for messages. In the arena. */
const char *value_describe(struct arena *arena, const struct value *value);
/* "a list", "an integer", for messages about host code. In the arena. */
const char *value_describe_host(struct arena *arena, const struct value *value);

#endif
