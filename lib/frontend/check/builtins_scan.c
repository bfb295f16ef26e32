/* SPDX-License-Identifier: MIT */
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

/* cumsum(input, axis, reverse, dtype), cumprod: a running sum or product, in `dtype`: by default
   small integers go on in 32 bits. */
bool builtin_scan_numbers(struct checker *c, const struct builtin_call *call, struct value *out) {
  struct combination combination = {.call = call,
                                    .count = 1,
                                    .combine = combine_binary,
                                    .operation = (enum binary_operator)call->variant};
  struct value *x = &combination.operands[0];
  struct dtype dtype;
  return operand_number(c, call, 0, x) &&
         argument_dtype(c, &call->arguments[3], combine_sum_dtype(x->run_time.dtype), &dtype) &&
         operand_cast(c, dtype, x) && scan(c, &combination, 2, out);
}

/* associative_scan(input, axis, combine_fn, reverse): a tuple of tiles gives a tuple. */
bool builtin_associative_scan(struct checker *c, const struct builtin_call *call,
                              struct value *out) {
  const struct argument *arguments = call->arguments;
  struct combination combination = {
      .call = call, .combine = combine_callee, .callee = &arguments[2].value};
  struct value results[MAX_COMBINED];
  if (!combine_read_operands(c, &combination, &arguments[0]) || !scan(c, &combination, 3, results))
    return false;
  *out = arguments[0].value.kind == VALUE_TUPLE
             ? value_tuple(&c->e.arena, results, combination.count)
             : results[0];
  return true;
}
