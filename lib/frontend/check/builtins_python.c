/* SPDX-License-Identifier: MIT */
/* Functions of Python on compile-time values, types that stand in isinstance, tl.constexpr(...).
   Numbers and Python's modules are in builtins_numbers.c. */
#include <string.h>
#include "frontend/check/checker.h"

static bool fail_compile_time(struct checker *c, const struct builtin_call *call) {
  return check_fail(c, call->span, "%s takes compile-time values", builtin_label(c, call->builtin));
}

/* The items of the first argument, which must be a tuple. */
static bool items_of(struct checker *c, const struct builtin_call *call, int index,
                     const struct value **items, size_t *count) {
  const struct argument *argument = &call->arguments[index];
  if (argument->value.kind != VALUE_TUPLE)
    return argument_fail(c, argument, "a tuple or a list");
  *items = argument->value.tuple.items;
  *count = argument->value.tuple.count;
  return true;
}

/* --- Types ------------------------------------------------------------------------------------ */

bool builtin_constexpr(struct checker *c, const struct builtin_call *call, struct value *out) {
  *out = call->arguments[0].value;
  out->is_typed = false;
  if (value_is_constant(out))
    return true;
  return check_fail(c, call->arguments[0].span,
                    "a tl.constexpr needs a compile-time value; this one is "
                    "known at run time");
}

/* constexpr_function(f): functions of the host are called at compile time anyway. */
bool builtin_constexpr_function(struct checker *c, const struct builtin_call *call,
                                struct value *out) {
  *out = call->arguments[0].value;
  return out->kind == VALUE_CALLABLE || out->kind == VALUE_FUNCTION || out->kind == VALUE_BUILTIN ||
         argument_fail(c, &call->arguments[0], "a function");
}

/* constexpr_type(x): what tl.constexpr(x).type is; two are equal when the values are. Here a value
   that is known at compile time is its own type. */
bool builtin_constexpr_type(struct checker *c, const struct builtin_call *call, struct value *out) {
  *out = call->arguments[0].value;
  out->is_typed = false;
  return value_is_constant(out) ||
         argument_fail(c, &call->arguments[0], "a value that is known at compile time");
}

/* tuple_type(types): what (...).type is, a tuple of its items' types. */
bool builtin_tuple_type(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct value *types = &call->arguments[0].value;
  if (types->kind != VALUE_TUPLE)
    return argument_fail(c, &call->arguments[0], "a list of types");
  if (argument_given(&call->arguments[1]))
    return check_fail(c, call->arguments[1].span,
                      "fields of a tuple_type are not supported; compare the types of the items");
  *out = value_tuple(&c->e.arena, types->tuple.items, types->tuple.count);
  return true;
}

/* while tl.condition(c, disable_licm=...): the condition. The hint is for other compilers: what is
   moved out of loops here is cheap to keep. */
bool builtin_loop_condition(struct checker *c, const struct builtin_call *call, struct value *out) {
  (void)c;
  *out = call->arguments[0].value;
  return true;
}

/* Names of types that are no functions. */
bool builtin_only_type(struct checker *c, const struct builtin_call *call, struct value *out) {
  (void)out;
  return check_fail(c, call->span, "%s is a type for isinstance; it cannot be called",
                    builtin_label(c, call->builtin));
}

/* What isinstance tells by the kind of a value alone. */
static const struct {
  const char *type;
  enum value_kind kind, other; /* either */
} kinds[] = {{"tuple", VALUE_TUPLE, VALUE_TUPLE},
             {"py.tuple", VALUE_TUPLE, VALUE_TUPLE},
             {"py.list", VALUE_TUPLE, VALUE_TUPLE},
             {"dtype", VALUE_DTYPE, VALUE_DTYPE},
             {"block_type", VALUE_BLOCK_TYPE, VALUE_BLOCK_TYPE},
             {"tensor_descriptor", VALUE_DESCRIPTOR, VALUE_DESCRIPTOR},
             {"py.int", VALUE_INTEGER, VALUE_BOOL},
             {"py.float", VALUE_FLOAT, VALUE_FLOAT},
             {"py.bool", VALUE_BOOL, VALUE_BOOL},
             {"py.str", VALUE_STRING, VALUE_STRING}};

static bool is_instance(const struct value *value, const char *type) {
  if (strcmp(type, "constexpr") == 0 || strcmp(type, "constexpr_type") == 0)
    return value_is_constant(value) && value->kind != VALUE_TUPLE && !value->is_typed;
  if (strcmp(type, "tensor") == 0)
    return value->kind == VALUE_RUNTIME || value->is_typed;
  if (strcmp(type, "pointer_type") == 0)
    return value->kind == VALUE_DTYPE && value->dtype.pointers > 0;
  bool found = false;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    found |= strcmp(kinds[i].type, type) == 0 &&
             (value->kind == kinds[i].kind || value->kind == kinds[i].other);
  return found;
}

bool builtin_isinstance(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct value *types;
  size_t count = 0;
  bool found = false;
  argument_items(&call->arguments[1], &types, &count);
  for (size_t i = 0; i < count; i++) {
    if (types[i].kind != VALUE_BUILTIN)
      return argument_fail(c, &call->arguments[1], "a type such as tl.constexpr, tl.tensor or int");
    const struct builtin *type = types[i].object;
    found |= is_instance(&call->arguments[0].value, type->name);
  }
  *out = value_bool(found);
  return true;
}

/* tl.dtype("fp16") */
bool builtin_dtype_of_name(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct value *name = &call->arguments[0].value;
  struct dtype dtype;
  if (name->kind != VALUE_STRING || !dtype_find(name->text.data, name->text.length, &dtype))
    return argument_fail(c, &call->arguments[0], "the name of a type such as \"fp32\"");
  *out = (struct value){.kind = VALUE_DTYPE, .dtype = dtype};
  return true;
}

/* x.logical_and(y), x.logical_or(y): of the operands' truth. */
bool builtin_logical(struct checker *c, const struct builtin_call *call, struct value *out) {
  struct value a, b;
  return emit_truth(&c->e, &call->arguments[0].value, &a) &&
         emit_truth(&c->e, &call->arguments[1].value, &b) &&
         emit_binary(&c->e, (enum binary_operator)call->variant, &a, &b, out);
}

/* --- Python ----------------------------------------------------------------------------------- */

bool builtin_len(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct argument *argument = &call->arguments[0];
  int64_t shape[MAX_RANK];
  int rank = argument->value.kind == VALUE_RUNTIME
                 ? type_shape(mlirValueGetType(argument->value.run_time.ir), shape)
                 : 0;
  if (argument->value.kind == VALUE_TUPLE)
    *out = value_integer((int64_t)argument->value.tuple.count);
  else if (argument->value.kind == VALUE_STRING)
    *out = value_integer((int64_t)argument->value.text.length);
  else if (rank)
    *out = value_integer(shape[0]);
  else
    return argument_fail(c, argument, "a tuple or a tile");
  return true;
}

/* tuple(x), list(x), reversed(x) */
bool builtin_py_tuple(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct value *items = NULL;
  size_t count = 0;
  return (!call->arguments[0].given || items_of(c, call, 0, &items, &count)) &&
         eval_copy(&c->eval, call->span, items, count, call->variant, out);
}

/* range(...) as a value: in comprehensions and calls. */
bool builtin_py_range(struct checker *c, const struct builtin_call *call, struct value *out) {
  int64_t numbers[3] = {0, 0, 1};
  size_t count = 0;
  while (count < 3 && call->arguments[count].given) {
    if (!argument_integer(c, &call->arguments[count], 0, &numbers[count]))
      return false;
    count++;
  }
  if (count == 1) {
    numbers[1] = numbers[0];
    numbers[0] = 0;
  }
  return eval_range(&c->eval, call->span, numbers, out);
}

bool builtin_py_enumerate(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct value *items = NULL;
  size_t count = 0;
  return items_of(c, call, 0, &items, &count) &&
         eval_enumerate(&c->eval, call->span, items, count, 0, out);
}

bool builtin_py_zip(struct checker *c, const struct builtin_call *call, struct value *out) {
  struct value_list lists[2] = {0};
  for (int i = 0; i < 2; i++) {
    const struct value *items = NULL;
    if (!items_of(c, call, i, &items, &lists[i].count))
      return false;
    lists[i].items = (struct value *)(uintptr_t)items;
  }
  return eval_zip(&c->eval, call->span, lists, 2, out);
}

/* any(x), all(x) */
bool builtin_py_any(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct value *items = NULL;
  size_t count = 0;
  if (!items_of(c, call, 0, &items, &count))
    return false;
  for (size_t i = 0; i < count; i++)
    if (items[i].kind == VALUE_RUNTIME)
      return fail_compile_time(c, call);
  return eval_until(&c->eval, call->span, items, count, call->variant, out);
}

bool builtin_py_sum(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct value *items = NULL;
  struct value zero = value_integer(0);
  size_t count = 0;
  return items_of(c, call, 0, &items, &count) &&
         eval_sum(&c->eval, call->span, items, count,
                  call->arguments[1].given ? &call->arguments[1].value : &zero, out);
}

bool builtin_py_pow(struct checker *c, const struct builtin_call *call, struct value *out) {
  return check_operator(c, OPERATOR_POWER, call->span, &call->arguments[0].value,
                        &call->arguments[1].value, out);
}
