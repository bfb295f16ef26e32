/* SPDX-License-Identifier: MIT */
/* Values of a kernel while it is checked: compile-time ones, known to the front end, and run-time
   ones, which are SSA values with a dtype. One struct for both, because most of the language mixes
   them. */
#ifndef TILE_FRONTEND_VALUE_H
#define TILE_FRONTEND_VALUE_H

#include "base/machine.h"
#include "base/arena.h"
#include "frontend/check/dtype.h"
#include "ir/build.h"
#include "ir/session.h"

enum value_kind {
  VALUE_NONE,
  VALUE_BOOL,
  VALUE_INTEGER,
  VALUE_FLOAT,
  VALUE_STRING,
  VALUE_DTYPE,
  VALUE_TUPLE,         /* tuples and lists */
  VALUE_BLOCK_POINTER, /* base, shape, strides, offsets, then block shape and order */
  VALUE_DESCRIPTOR,    /* the same parts without offsets and order: see the builtins */
  VALUE_BLOCK_TYPE,    /* the type of a tile */
  VALUE_RUNTIME,       /* an SSA value: a scalar or a tile */
  VALUE_FUNCTION,      /* a jit function */
  VALUE_CALLABLE,      /* a lambda, or a function of the host: called at compile time */
  VALUE_CLASS,         /* a class of the file, for its attributes */
  VALUE_RECORD,        /* the type of named tuples: struct record */
  VALUE_BUILTIN,       /* a row of the table of builtin functions */
  VALUE_MODULE,        /* triton, triton.language, ... by its full name */
  VALUE_POISON         /* only in variables: what must not be used; expressions never give it */
};

/* Why a variable must not be used. */
enum poison_reason {
  POISON_ERROR,  /* its assignment failed: nothing more is said about it */
  POISON_BRANCH, /* assigned in one branch of a run-time `if` only */
  POISON_LOOP,   /* first assigned inside a run-time loop, which may run no time */
  POISON_INDEX   /* the variable of a run-time loop, behind it */
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

struct value {
  enum value_kind kind;
  /* A number that was assigned to a plain variable: known at compile time, but in arithmetic of the
     type it has at run time (int32, fp32, ...), as in Triton, where such a variable is a tensor.
     Other numbers take the type of what they meet. */
  bool is_typed;
  bool is_huge; /* VALUE_INTEGER: of 2^63 or more, `integer` has its bits */
  union {
    bool boolean;
    int64_t integer;
    double number;
    struct slice text;  /* VALUE_STRING and VALUE_MODULE */
    struct dtype dtype; /* VALUE_DTYPE */
    struct {
      struct dtype dtype; /* of the elements */
      int rank;
      const int64_t *shape; /* in the emitter's arena */
    } block_type;
    struct {
      struct value *items; /* in the emitter's arena */
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

/* What emitting needs. Errors are left in `error` (one sentence, no place): the caller knows the
   place in the source. One thread at a time. */
struct emitter {
  struct session *session;
  struct builder b;
  struct arena arena;
  struct text error;
  int capability;     /* of the target, 90 for sm_90a; 0 when it is not known */
  const struct machine *machine; /* what the target has; NULL when it is not known */
  const char *lacked; /* an 8-bit float that was used and that the target has not got, or NULL */
  MlirAttribute fastmath[2]; /* emit_fastmath's, parsed on first use */
};

/* The attribute fastmath = <arcp>, a quotient may be a product with the reciprocal, or <afn>, a
   function may be approximate (docs/numerics.md). */
enum fastmath { FASTMATH_ARCP, FASTMATH_AFN };
MlirNamedAttribute emit_fastmath(struct emitter *e, enum fastmath flag);

/* Leaves a message and returns false, so that `return emit_fail(e, ...)` ends a step. */
bool emit_fail(struct emitter *e, const char *format, ...) TILE_PRINTF(2, 3);

struct value value_none(void);
struct value value_bool(bool boolean);
struct value value_integer(int64_t integer);
struct value value_float(double number);
struct value value_runtime(MlirValue ir, struct dtype dtype);
/* A tuple of copies of `items`, in the emitter's arena. */
struct value value_tuple(struct emitter *e, const struct value *items, size_t count);

/* A copy of a text; the text of a value as str() gives it. */
struct value value_text(struct emitter *e, const char *text, size_t length);
struct value value_string(struct emitter *e, struct value value);

/* A growing list, in the emitter's arena unless the caller began it elsewhere. */
struct value_list {
  struct value *items;
  size_t count, capacity;
};
void value_list_add(struct emitter *e, struct value_list *list, const struct value *value);

bool value_is_number(const struct value *value);       /* a compile-time bool, integer or float */
bool value_is_compile_time(const struct value *value); /* anything but VALUE_RUNTIME */
/* The same with its parts: no SSA value in it. */
bool value_is_constant(const struct value *value);
/* Equal at compile time (the same kind and content), or the same SSA value. Of tuples, part by
 * part. */
bool value_same(const struct value *a, const struct value *b);
/* Tuples, block pointers and descriptors: values with parts in `tuple`. Control flow carries and
   merges them part by part. */
bool value_is_composite(const struct value *value);
/* The number as a double or an integer. */
double value_as_double(const struct value *value);
/* Python's truth of a compile-time value. */
bool value_truth(const struct value *value);
/* Python's str() of a compile-time value. Appends. */
void value_format(const struct value *value, struct text *out);
/* "tensor<64xfp32>", "int32", "the integer 3", for messages. Appends. */
void value_describe(const struct value *value, struct text *out);

/* --- Types
 * ------------------------------------------------------------------------------------------ */

/* Notes in `lacked` what the target has not got; whoever knows the place refuses it (check_fp8). */
MlirType dtype_to_mlir(struct emitter *e, struct dtype dtype);
/* A tile of `dtype` with the shape of `like` (a scalar when that is one). */
MlirType tile_type_like(struct emitter *e, MlirValue like, struct dtype dtype);

/* --- Making run-time values
 * --------------------------------------------------------------------------- */

/* The type that a number has on its own. */
struct dtype number_dtype(const struct value *number);
/* A number can become that type and keep its value and kind: no 0.5 as an integer, no 300 as int8.
 */
bool number_fits(const struct value *number, struct dtype dtype);
/* The type for a variable that is one of two numbers. */
bool numbers_common_type(const struct value *a, const struct value *b, struct dtype *out);
/* A zero of the type and shape of a run-time value (null pointers too). */
MlirValue emit_zero(struct emitter *e, const struct value *like);
/* A compile-time number as a scalar of `dtype`; false when it does not fit. */
bool emit_number(struct emitter *e, const struct value *number, struct dtype dtype,
                 struct value *out);
/* Any number or run-time value as a run-time value; numbers take their own type. */
bool emit_runtime(struct emitter *e, const struct value *value, struct value *out);
/* A value in another type; a number must fit it. (casts.c) */
bool emit_cast(struct emitter *e, const struct value *value, struct dtype dtype, struct value *out);
/* x.to(dtype): the same, but integers that do not fit wrap around, also numbers. */
bool emit_convert(struct emitter *e, const struct value *value, struct dtype dtype,
                  struct value *out);
/* The same between floating-point types, rounding towards zero. */
bool emit_truncate(struct emitter *e, const struct value *value, struct dtype dtype,
                   struct value *out);
/* The same bits as another type of as many bits; pointers as pointers. */
bool emit_bitcast(struct emitter *e, const struct value *value, struct dtype dtype,
                  struct value *out);
/* Gives both the shape that broadcasting makes of theirs: equal ranks from the right, 1 grows. */
bool emit_broadcast(struct emitter *e, struct value *a, struct value *b);
/* A run-time value as a tile of the given shape. */
bool emit_broadcast_to(struct emitter *e, struct value *value, int rank, const int64_t *shape);

/* A tile with a new dimension of size 1 at `axis` (0 to its rank). */
bool emit_expand_dims(struct emitter *e, struct value *value, int axis);

/* --- Operators
 * ---------------------------------------------------------------------------------------- */

enum binary_operator {
  BINARY_ADD,
  BINARY_SUBTRACT,
  BINARY_MULTIPLY,
  BINARY_DIVIDE,       /* / */
  BINARY_FLOOR_DIVIDE, /* //: towards zero at run time, as C; floor at compile time, as Python */
  BINARY_REMAINDER,
  BINARY_AND,
  BINARY_OR,
  BINARY_XOR,
  BINARY_SHIFT_LEFT,
  BINARY_SHIFT_RIGHT,
  BINARY_LESS,
  BINARY_LESS_EQUAL,
  BINARY_GREATER,
  BINARY_GREATER_EQUAL,
  BINARY_EQUAL,
  BINARY_NOT_EQUAL,
  BINARY_MINIMUM, /* tl.minimum, tl.maximum: NaN loses, as Triton's default */
  BINARY_MAXIMUM,
  BINARY_POWER /* ** */
};

/* "+", "//", ... for messages. */
const char *binary_operator_text(enum binary_operator operation);
bool binary_operator_is_comparison(enum binary_operator operation);
bool binary_operator_is_division(enum binary_operator operation); /* / // % */
/* The type in which an operation on numbers and run-time values (no pointers) is computed. */
bool binary_operator_type(struct emitter *e, enum binary_operator operation, const struct value *a,
                          const struct value *b, struct dtype *out);
/* Can a number of the source be an operand of that type? Else leaves Triton's message. */
bool number_in_range(struct emitter *e, const struct value *value, struct dtype dtype);
/* The operation on two numbers (fold.c). */
bool fold_binary(struct emitter *e, enum binary_operator operation, const struct value *a,
                 const struct value *b, struct value *out);
bool emit_binary(struct emitter *e, enum binary_operator operation, const struct value *a,
                 const struct value *b, struct value *out);
/* Gives numbers and tiles the type of their sum and the shape that broadcasting makes of theirs. */
bool emit_common(struct emitter *e, struct value *values, size_t count);
bool emit_negate(struct emitter *e, const struct value *a, struct value *out);
/* ~a on integers and masks. */
bool emit_invert(struct emitter *e, const struct value *a, struct value *out);
/* A run-time value as i1 (a != 0). */
bool emit_truth(struct emitter *e, const struct value *a, struct value *out);
bool emit_where(struct emitter *e, const struct value *condition, const struct value *a,
                const struct value *b, struct value *out);

#endif
