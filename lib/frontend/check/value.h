/* SPDX-License-Identifier: MIT */
/* Values of a kernel while it is checked: compile-time ones (eval/value.h) and run-time ones, which
   are SSA values with a dtype, and what is emitted for operations on them. One struct for both,
   because most of the language mixes them. */
#ifndef TILE_FRONTEND_VALUE_H
#define TILE_FRONTEND_VALUE_H

#include "base/machine.h"
#include "frontend/eval/numbers.h"
#include "ir/build.h"
#include "ir/session.h"

/* What emitting needs. Errors are left in `error` (one sentence, no place): the caller knows the
   place in the source. One thread at a time. */
struct emitter {
  struct session *session;
  struct builder b;
  struct arena arena;
  struct text error;
  int capability;                /* of the target, 90 for sm_90a; 0 when it is not known */
  const struct machine *machine; /* what the target has; NULL when it is not known */
  const char *lacked; /* an 8-bit float that was used and that the target has not got, or NULL */
  MlirAttribute fastmath[2]; /* emit_fastmath's, parsed on first use */
};

/* The attribute fastmath = <arcp>, a quotient may be a product with the reciprocal, or <afn>, a
   function may be approximate (docs/numerics.md). */
enum fastmath { FASTMATH_ARCP, FASTMATH_AFN };
MlirNamedAttribute emit_fastmath(struct emitter *e, enum fastmath flag);

/* Attributes of operations: an i32, a text, a Boolean, a unit; which of the first 8 operands or
   results of an operation with optional ones there are. */
MlirNamedAttribute integer_attribute(struct emitter *e, const char *name, int64_t value);
MlirNamedAttribute text_attribute(struct emitter *e, const char *name, struct slice text);
MlirNamedAttribute bool_attribute(struct emitter *e, const char *name, bool value);
MlirNamedAttribute unit_attribute(struct emitter *e, const char *name);
MlirNamedAttribute segments_attribute(struct emitter *e, const char *name, size_t count);

/* Leaves a message and returns false, so that `return emit_fail(e, ...)` ends a step. */
bool emit_fail(struct emitter *e, const char *format, ...) TILE_PRINTF(2, 3);

/* --- Types ------------------------------------------------------------------------------------ */

/* Notes in `lacked` what the target has not got; whoever knows the place refuses it (check_fp8). */
MlirType dtype_to_mlir(struct emitter *e, struct dtype dtype);
/* A tile of `dtype` with the shape of `like` (a scalar when that is one). */
MlirType tile_type_like(struct emitter *e, MlirValue like, struct dtype dtype);

/* --- Making run-time values ------------------------------------------------------------------- */

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

/* --- Operators -------------------------------------------------------------------------------- */

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
