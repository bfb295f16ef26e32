/* Scans: running sums, products, and by a function of the kernel's file. */
#include "frontend/check/combine.h"
#include "frontend/check/operands.h"

/* Arguments axis (1) and reverse (`reverse`), for operands that are set. */
static bool scan(struct checker *c, struct combination *combination, int reverse,
                 struct value *results) {
  const struct argument *arguments = combination->call->arguments;
  int64_t shape[MAX_RANK];
  int rank = type_shape(mlirValueGetType(combination->operands[0].run_time.ir), shape);
  if (rank == 0)
    return check_fail(c, arguments[0].span, "%s runs along a tile; this is a scalar",
                      builtin_label(c, combination->call->builtin));
  return argument_axis(c, &arguments[1], rank, 0, &combination->axis) &&
         argument_bool(c, &arguments[reverse], false, &combination->reverse) &&
         combine_scan(c, combination, results);
}

static bool is_bfloat16(const struct value *value) {
  return dtype_equal(value->run_time.dtype, DTYPE(BFLOAT16));
}

/* cumsum(input, axis, reverse, dtype): bf16 in f32, small integers in 32 bits. */
bool builtin_cumsum(struct checker *c, const struct builtin_call *call, struct value *out) {
  struct combination sum = {
      .call = call, .count = 1, .combine = combine_binary, .operation = BINARY_ADD};
  struct value *x = &sum.operands[0];
  struct dtype dtype;
  if (!operand_number(c, call, 0, x) ||
      (is_bfloat16(x) && !operand_cast(c, call, DTYPE(FLOAT32), x)))
    return false;
  return argument_dtype(c, &call->arguments[3], combine_sum_dtype(x->run_time.dtype), &dtype) &&
         operand_cast(c, call, dtype, x) && scan(c, &sum, 2, out);
}

/* cumprod(input, axis, reverse). */
bool builtin_cumprod(struct checker *c, const struct builtin_call *call, struct value *out) {
  struct combination product = {
      .call = call, .count = 1, .combine = combine_binary, .operation = BINARY_MULTIPLY};
  struct value *x = &product.operands[0];
  return operand_number(c, call, 0, x) &&
         (!is_bfloat16(x) || operand_cast(c, call, DTYPE(FLOAT32), x)) &&
         scan(c, &product, 2, out);
}

/* associative_scan(input, axis, combine_fn, reverse): a tuple of tiles gives a tuple. */
bool builtin_associative_scan(struct checker *c, const struct builtin_call *call,
                              struct value *out) {
  const struct argument *arguments = call->arguments;
  struct combination combination = {.call = call,
                                    .combine = combine_callee,
                                    .callee = &arguments[2].value};
  struct value results[MAX_COMBINED];
  if (!combine_read_operands(c, &combination, &arguments[0]) ||
      !scan(c, &combination, 3, results))
    return false;
  *out = arguments[0].value.kind == VALUE_TUPLE
             ? value_tuple(&c->e, results, combination.count)
             : results[0];
  return true;
}
