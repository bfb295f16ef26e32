/* SPDX-License-Identifier: MIT */
/* What the kernel's author knows and the compiler cannot see: multiple_of, max_contiguous,
   max_constancy, assume.

   A hint is an attribute. Where it stands depends on what makes the value:

     an operation here                the attribute goes on it
     a parameter of the kernel        among the parameter's attributes
     a scalar variable of a loop      tile.assume of the remainder, which a statement whose value
   nobody uses gives as well anything else                    a sum with 0 that carries the
   attribute and is the call's value

   A hint inside a branch or loop says nothing about the code around it, so that what is defined
   outside takes the last form. A tile that is a loop's variable takes it, too, and variables that
   hold the tile hold the sum from there on: the loop that follows `tl.multiple_of(a_ptrs, [16,
   16])` knows. */
#include "frontend/check/checker.h"

/* The hint as an attribute: an integer for scalars and tiles of one dimension, else an array. */
static bool read_hint(struct checker *c, const struct builtin_call *call, MlirAttribute *out,
                      int64_t *first) {
  const struct argument *input = &call->arguments[0], *values = &call->arguments[1];
  int64_t shape[MAX_RANK], numbers[MAX_RANK];
  MlirContext context = c->e.session->context;
  MlirAttribute attributes[MAX_RANK];
  int rank = type_shape(mlirValueGetType(input->value.run_time.ir), shape), count;
  if (!argument_integers(c, values, "a hint", &count, numbers))
    return false;
  if (count != (rank ? rank : 1))
    return check_fail(c, values->span, "one number a dimension: %d, not %d", rank ? rank : 1,
                      count);
  for (int i = 0; i < count; i++) {
    if (numbers[i] < 1 || numbers[i] > INT32_MAX)
      return check_fail(c, values->span, "a hint is made of positive integers, not %lld",
                        (long long)numbers[i]);
    attributes[i] = attribute_integer(context, 32, numbers[i]);
  }
  *first = numbers[0];
  *out = count == 1 ? attributes[0] : mlirArrayAttrGet(context, count, attributes);
  return true;
}

/* Adds an attribute to the entry of a parameter in the function's arg_attrs. */
static void hint_parameter(struct checker *c, MlirValue parameter, enum attribute_name name,
                           MlirAttribute attribute) {
  MlirContext context = c->e.session->context;
  MlirOperation function = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(parameter));
  MlirAttribute all = mlirOperationGetAttributeByName(function, ref("arg_attrs"));
  intptr_t count = mlirArrayAttrGetNumElements(all);
  MlirAttribute *entries = ARENA_ARRAY(&c->e.arena, MlirAttribute, (size_t)count + 1);
  for (intptr_t i = 0; i < count; i++)
    entries[i] = mlirArrayAttrGetElement(all, i);
  MlirAttribute *entry = &entries[mlirBlockArgumentGetArgNumber(parameter)];
  intptr_t own = mlirDictionaryAttrGetNumElements(*entry), kept = 0;
  MlirNamedAttribute *named = ARENA_ARRAY(&c->e.arena, MlirNamedAttribute, (size_t)own + 1);
  for (intptr_t i = 0; i < own; i++) {
    MlirNamedAttribute one = mlirDictionaryAttrGetElement(*entry, i);
    if (!attribute_is(one, name))
      named[kept++] = one;
  }
  named[kept++] = attribute_with(context, name, attribute);
  *entry = mlirDictionaryAttrGet(context, kept, named);
  mlirOperationSetAttributeByName(function, ref("arg_attrs"),
                                  mlirArrayAttrGet(context, count, entries));
}

static bool is_here(struct checker *c, MlirValue value) {
  return mlirBlockEqual(value_block(value), c->e.b.block);
}

/* The block of a loop that is being read has no parent yet. */
static bool is_parameter(struct checker *c, MlirValue value) {
  if (!mlirValueIsABlockArgument(value))
    return false;
  MlirOperation parent = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  return op_is(c->e.session, parent, OP_FUNC);
}

/* value % number == 0. */
static bool assume_multiple(struct checker *c, const struct value *value, int64_t number) {
  struct value divisor = value_integer(number), zero = value_integer(0), rest, holds;
  if (!emit_binary(&c->e, BINARY_REMAINDER, value, &divisor, &rest) ||
      !emit_binary(&c->e, BINARY_EQUAL, &rest, &zero, &holds))
    return false;
  BUILD_OP(&c->e.b, "tile.assume", IN(holds.run_time.ir));
  return true;
}

/* value + 0, which carries the attribute. */
static void hint_sum(struct checker *c, struct value *value, enum attribute_name name,
                     MlirAttribute attribute) {
  struct dtype dtype = value->run_time.dtype, offset = dtype.pointers ? DTYPE(INT32) : dtype;
  MlirType type = tile_type_like(&c->e, value->run_time.ir, offset);
  MlirAttribute zero = mlirIntegerAttrGet(type_element(type), 0);
  if (type_is_tensor(type))
    zero = mlirDenseElementsAttrSplatGet(type, zero);
  value->run_time.ir = BUILD(&c->e.b, dtype.pointers ? "tile.addptr" : "arith.addi",
                             IN(value->run_time.ir, build_constant(&c->e.b, zero, type)),
                             OUT(mlirValueGetType(value->run_time.ir)),
                             ATTRIBUTES(attribute_with(c->e.session->context, name, attribute)));
}

/* Variables with the value `old`, which is of this block, get `hinted`. */
static void rebind(struct checker *c, MlirValue old, const struct value *hinted) {
  struct map *variables = &c->frame->variables;
  for (size_t i = 0; i < variables->capacity; i++) {
    const struct variable *variable = variables->slots[i].key ? variables->slots[i].value : NULL;
    if (!variable || variable->value.kind != VALUE_RUNTIME ||
        !mlirValueEqual(variable->value.run_time.ir, old))
      continue;
    struct variable *copy = ARENA_NEW(&c->e.arena, struct variable);
    *copy = *variable;
    copy->value.run_time.ir = hinted->run_time.ir;
    variables->slots[i].value = copy;
  }
}

/* multiple_of, max_contiguous, max_constancy */
bool builtin_hint(struct checker *c, const struct builtin_call *call, struct value *out) {
  enum attribute_name name = (enum attribute_name)call->variant;
  bool multiple = name == ATTR_DIVISIBILITY;
  MlirAttribute attribute;
  int64_t number = 0;
  *out = call->arguments[0].value;
  if (value_is_compile_time(out))
    return true;
  if (!dtype_is_integer(out->run_time.dtype) && !out->run_time.dtype.pointers)
    return argument_fail(c, &call->arguments[0], "an integer, a pointer or a tile of them");
  if (!read_hint(c, call, &attribute, &number))
    return false;
  MlirValue ir = out->run_time.ir;
  MlirOperation op = value_definition(ir);
  bool here = is_here(c, ir), scalar = !type_is_tensor(mlirValueGetType(ir));
  bool single = !mlirOperationIsNull(op) && mlirOperationGetNumResults(op) == 1;
  if (here && is_parameter(c, ir))
    hint_parameter(c, ir, name, attribute);
  else if (here && single && !op_is(c->e.session, op, OP_ARITH_CONSTANT))
    attribute_set(op, name, attribute);
  else if (here && scalar && multiple && dtype_is_integer(out->run_time.dtype))
    return assume_multiple(c, out, number);
  else
    hint_sum(c, out, name, attribute);
  if (here && !mlirValueEqual(out->run_time.ir, ir))
    rebind(c, ir, out);
  return true;
}

/* What is false at compile time is no assumption but a mistake. */
bool builtin_assume(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct argument *argument = &call->arguments[0];
  struct value condition;
  *out = value_none();
  if (value_is_compile_time(&argument->value))
    return value_truth(&argument->value) ||
           check_fail(c, argument->span, "tl.assume: the condition is false");
  if (!emit_truth(&c->e, &argument->value, &condition) ||
      type_is_tensor(mlirValueGetType(condition.run_time.ir)))
    return argument_fail(c, argument, "a scalar condition");
  BUILD_OP(&c->e.b, "tile.assume", IN(condition.run_time.ir));
  return true;
}

/* expect_zero(x, mask): x. What is said of it concerns Triton's debug builds. */
bool builtin_expect_zero(struct checker *c, const struct builtin_call *call, struct value *out) {
  (void)c;
  *out = call->arguments[0].value;
  return true;
}

bool builtin_static_assert(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct argument *condition = &call->arguments[0], *message = &call->arguments[1];
  *out = value_none();
  if (!value_is_compile_time(&condition->value))
    return check_fail(c, condition->span, "tl.static_assert takes a compile-time condition");
  if (value_truth(&condition->value))
    return true;
  if (message->given && message->value.kind == VALUE_STRING)
    return check_fail(c, call->span, "static assertion failed: %.*s",
                      (int)message->value.text.length, message->value.text.data);
  return check_fail(c, call->span, "static assertion failed");
}
