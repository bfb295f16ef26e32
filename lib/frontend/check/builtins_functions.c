/* SPDX-License-Identifier: MIT */
/* Elementwise functions out of functions.def: each row is one operation of the math dialect, on
   tiles of one type and shape. The kinds say which types a row takes and gives:

     VIA_F32   floating-point; f16 and bf16 are computed in f32 and rounded once
     EXACT     floating-point, in its own type: the operation rounds once or not at all
     PROMOTED  as EXACT, of operands that are promoted as those of operators
     FAST      as VIA_F32, with leave to approximate in f32 (fastmath<afn>)
     TEST      floating-point -> int1
     TO_INT32, TO_INT64  floating-point, rounded -> int32, int64
     BITS      integers -> int32

   What takes more than one operation has a function of its own below the table. */
#include <string.h>
#include "frontend/check/operands.h"

enum function_kind { VIA_F32, EXACT, PROMOTED, FAST, TEST, TO_INT32, TO_INT64, BITS };

struct function_row {
  enum function_kind kind;
  const char *name, *parameters, *operation;
};

static const struct function_row function_rows[] = {
#define F(kind, name, parameters, operation) {kind, name, parameters, operation},
#include "frontend/check/functions.def"
#undef F
};

static const struct function_row *find_row(const char *name) {
  size_t i = 0;
  while (strcmp(function_rows[i].name, name) != 0)
    i++; /* builtins.def has no other rows for builtin_elementwise */
  return &function_rows[i];
}

enum { MAX_FUNCTION_OPERANDS = 3 };

static int count_operands(const char *parameters) {
  int count = 1;
  for (; *parameters; parameters++)
    count += *parameters == ',';
  return count;
}

static struct value build_test(struct checker *c, const char *operation, const struct value *x) {
  MlirType type = tile_type_like(&c->e, x->run_time.ir, DTYPE(INT1));
  return value_runtime(BUILD(&c->e.b, operation, IN(x->run_time.ir), OUT(type)), DTYPE(INT1));
}

/* f16 and bf16 operands in f32; others as they are. */
static bool widen(struct checker *c, struct value *operands, int count) {
  for (int i = 0; i < count; i++)
    if (operand_is_half(&operands[i]) && !operand_cast(c, DTYPE(FLOAT32), &operands[i]))
      return false;
  return true;
}

static bool apply_row(struct checker *c, const struct function_row *row, struct value *operands,
                      int count, struct value *out) {
  struct dtype own = operands[0].run_time.dtype;
  bool via_f32 = row->kind == VIA_F32 || row->kind == FAST;
  if (row->kind == TEST) {
    *out = build_test(c, row->operation, operands);
    return true;
  }
  if (via_f32 && !widen(c, operands, count))
    return false;
  bool fast = row->kind == FAST && operands[0].run_time.dtype.id == DTYPE_FLOAT32;
  *out = row->operation ? operand_build(c, row->operation, operands, count, fast ? "afn" : NULL)
                        : operands[0];
  if (row->kind == TO_INT32 || row->kind == BITS)
    return operand_cast(c, DTYPE(INT32), out);
  if (row->kind == TO_INT64)
    return operand_cast(c, DTYPE(INT64), out);
  return operand_cast(c, own, out);
}

bool builtin_elementwise(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct function_row *row = find_row(call->builtin->name);
  struct value operands[MAX_FUNCTION_OPERANDS];
  int count = count_operands(row->parameters);
  return (row->kind == PROMOTED ? operands_promoted(c, call, count, true, operands)
                                : operands_alike(c, call, count, row->kind != BITS, operands)) &&
         apply_row(c, row, operands, count, out);
}

/* --- Functions of more than one operation ----------------------------------------------------- */

/* libdevice.pow: with an integer exponent repeated multiplication, as CUDA's powi. */
bool builtin_power(struct checker *c, const struct builtin_call *call, struct value *out) {
  static const struct function_row with_float = {.kind = VIA_F32, .operation = "math.powf"};
  struct value operands[2], power;
  const struct value *exponent = &call->arguments[1].value;
  bool integer = exponent->kind == VALUE_INTEGER ||
                 (exponent->kind == VALUE_RUNTIME && dtype_is_integer(exponent->run_time.dtype));
  if (!integer)
    return operands_alike(c, call, 2, true, operands) &&
           apply_row(c, &with_float, operands, 2, out);
  if (!operands_alike(c, call, 1, true, operands))
    return false;
  struct dtype own = operands[0].run_time.dtype;
  if (!widen(c, operands, 1) || !emit_cast(&c->e, exponent, DTYPE(INT32), &power) ||
      !emit_broadcast(&c->e, &operands[0], &power))
    return false;
  operands[1] = power;
  *out = operand_build(c, "math.fpowi", operands, 2, NULL);
  return operand_cast(c, own, out);
}

/* 10^x = 2^(x * log2(10)). */
bool builtin_exp10(struct checker *c, const struct builtin_call *call, struct value *out) {
  struct value x, scale = value_float(3.32192809488736234787);
  if (!operands_alike(c, call, 1, true, &x))
    return false;
  struct dtype own = x.run_time.dtype;
  if (!widen(c, &x, 1) || !emit_binary(&c->e, BINARY_MULTIPLY, &x, &scale, &x))
    return false;
  *out = operand_build(c, "math.exp2", &x, 1, NULL);
  return operand_cast(c, own, out);
}

/* libdevice.ffs: 1 + the index of the lowest bit that is set; 0 for 0. */
bool builtin_first_set(struct checker *c, const struct builtin_call *call, struct value *out) {
  struct value x, zero = value_integer(0), one = value_integer(1), is_zero, index;
  if (!operands_alike(c, call, 1, false, &x))
    return false;
  index = operand_build(c, "math.cttz", &x, 1, NULL);
  return operand_cast(c, DTYPE(INT32), &index) &&
         emit_binary(&c->e, BINARY_ADD, &index, &one, &index) &&
         emit_binary(&c->e, BINARY_EQUAL, &x, &zero, &is_zero) &&
         emit_where(&c->e, &is_zero, &zero, &index, out);
}
