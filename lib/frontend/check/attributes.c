/* SPDX-License-Identifier: MIT */
/* Attributes of values and types: x.dtype, x.type.element_ty, x.shape, dtype.is_fp16(), ...

   A type is VALUE_DTYPE (fp32, a pointer to fp16), or VALUE_BLOCK_TYPE: what x.type is of a tile.
 */
#include <string.h>
#include "frontend/check/memory.h"
#include "frontend/check/shapes.h"

static struct value type_value(struct dtype dtype) {
  return (struct value){.kind = VALUE_DTYPE, .dtype = dtype};
}

static bool fail_attribute(struct checker *c, const struct value *owner, const struct node *node) {
  return check_fail(c, node->attribute.name_span, "%s has no attribute '%s'",
                    value_describe(&c->e.arena, owner), node->attribute.name);
}

static struct value integers(struct checker *c, const int64_t *numbers, int count) {
  struct value items[MAX_RANK];
  for (int i = 0; i < count; i++)
    items[i] = value_integer(numbers[i]);
  return value_tuple(&c->e.arena, items, (size_t)count);
}

/* --- Types ------------------------------------------------------------------------------------ */

static struct value element_of(struct dtype dtype) {
  return type_value(dtype_pointee(dtype));
}

static int64_t mantissa_width(struct dtype dtype) {
  static const int widths[DTYPE_COUNT] = {
      [DTYPE_FLOAT8E4NV] = 3, [DTYPE_FLOAT8E4B8] = 3,  [DTYPE_FLOAT8E4B15] = 3,
      [DTYPE_FLOAT8E5] = 2,   [DTYPE_FLOAT8E5B16] = 2, [DTYPE_FLOAT16] = 10,
      [DTYPE_BFLOAT16] = 7,   [DTYPE_FLOAT32] = 23,    [DTYPE_FLOAT64] = 52};
  return widths[dtype.id];
}

/* Of scalar types and pointers. */
static bool dtype_attribute(struct checker *c, struct dtype dtype, const char *name,
                            struct value *out) {
  bool is_float = dtype_is_float(dtype), is_integer = dtype_is_integer(dtype);
  if (dtype.pointers && strcmp(name, "element_ty") == 0)
    *out = element_of(dtype);
  else if (strcmp(name, "scalar") == 0 || strcmp(name, "value") == 0)
    *out = type_value(dtype);
  else if (!dtype.pointers && strcmp(name, "primitive_bitwidth") == 0)
    *out = value_integer(dtype_bits(dtype));
  else if (!dtype.pointers && strcmp(name, "itemsize") == 0)
    *out = value_integer((dtype_bits(dtype) + 7) / 8);
  else if (is_integer && strcmp(name, "int_bitwidth") == 0)
    *out = value_integer(dtype_bits(dtype));
  else if (is_float && strcmp(name, "fp_mantissa_width") == 0)
    *out = value_integer(mantissa_width(dtype));
  else if (strcmp(name, "name") == 0) {
    struct value type = type_value(dtype);
    *out = value_string(&c->e.arena, &type);
  } else
    return false;
  return true;
}

static bool block_type_attribute(struct checker *c, const struct value *type, const char *name,
                                 struct value *out) {
  int64_t elements = 1;
  for (int i = 0; i < type->block_type.rank; i++)
    elements *= type->block_type.shape[i];
  if (strcmp(name, "element_ty") == 0 || strcmp(name, "scalar") == 0)
    *out = type_value(type->block_type.dtype);
  else if (strcmp(name, "shape") == 0)
    *out = integers(c, type->block_type.shape, type->block_type.rank);
  else if (strcmp(name, "numel") == 0)
    *out = value_integer(elements);
  else
    return false;
  return true;
}

/* The methods of types that ask something: dtype.is_fp16(). Rows with a type ask for it. */
enum question {
  ASK_TYPE,
  ASK_FP8,
  ASK_FLOATING,
  ASK_STANDARD_FLOATING,
  ASK_INTEGER,
  ASK_SIGNED,
  ASK_UNSIGNED,
  ASK_BOOL,
  ASK_POINTER,
  ASK_CONST,
  ASK_BLOCK
};

static const struct {
  const char *name;
  enum question question;
  enum dtype_id id;
} questions[] = {
    {"is_fp8e4nv", ASK_TYPE, DTYPE_FLOAT8E4NV},
    {"is_fp8e5", ASK_TYPE, DTYPE_FLOAT8E5},
    {"is_fp8e4b8", ASK_TYPE, DTYPE_FLOAT8E4B8},
    {"is_fp8e5b16", ASK_TYPE, DTYPE_FLOAT8E5B16},
    {"is_fp8e4b15", ASK_TYPE, DTYPE_FLOAT8E4B15},
    {"is_fp16", ASK_TYPE, DTYPE_FLOAT16},
    {"is_bf16", ASK_TYPE, DTYPE_BFLOAT16},
    {"is_fp32", ASK_TYPE, DTYPE_FLOAT32},
    {"is_fp64", ASK_TYPE, DTYPE_FLOAT64},
    {"is_int1", ASK_TYPE, DTYPE_INT1},
    {"is_int8", ASK_TYPE, DTYPE_INT8},
    {"is_int16", ASK_TYPE, DTYPE_INT16},
    {"is_int32", ASK_TYPE, DTYPE_INT32},
    {"is_int64", ASK_TYPE, DTYPE_INT64},
    {"is_uint8", ASK_TYPE, DTYPE_UINT8},
    {"is_uint16", ASK_TYPE, DTYPE_UINT16},
    {"is_uint32", ASK_TYPE, DTYPE_UINT32},
    {"is_uint64", ASK_TYPE, DTYPE_UINT64},
    {"is_fp8", ASK_FP8, 0},
    {"is_floating", ASK_FLOATING, 0},
    {"is_standard_floating", ASK_STANDARD_FLOATING, 0},
    {"is_int", ASK_INTEGER, 0},
    {"is_int_signed", ASK_SIGNED, 0},
    {"is_int_unsigned", ASK_UNSIGNED, 0},
    {"is_bool", ASK_BOOL, 0},
    {"is_ptr", ASK_POINTER, 0},
    {"is_const", ASK_CONST, 0},
    {"is_block", ASK_BLOCK, 0},
};
enum { QUESTION_COUNT = sizeof questions / sizeof *questions };

static bool answer(enum question question, enum dtype_id id, struct dtype dtype, bool is_block) {
  if (question == ASK_BLOCK || is_block)
    return question == ASK_BLOCK && is_block;
  bool fp8 = dtype_is_float(dtype) && dtype_bits(dtype) == 8;
  switch (question) {
  case ASK_TYPE:
    return !dtype.pointers && dtype.id == id;
  case ASK_FP8:
    return fp8;
  case ASK_FLOATING:
    return dtype_is_float(dtype);
  case ASK_STANDARD_FLOATING:
    return dtype_is_float(dtype) && !fp8;
  case ASK_INTEGER:
    return dtype_is_integer(dtype);
  case ASK_SIGNED:
    return dtype_is_integer(dtype) && !dtype_is_unsigned(dtype) && !dtype_is_bool(dtype);
  case ASK_UNSIGNED:
    return dtype_is_unsigned(dtype) || dtype_is_bool(dtype);
  case ASK_BOOL:
    return dtype_is_bool(dtype);
  case ASK_POINTER:
    return dtype.pointers > 0;
  case ASK_CONST:
    return dtype.constant;
  case ASK_BLOCK:
    break;
  }
  return false;
}

static bool fail_type_method(struct checker *c, const struct value *owner,
                             const struct node *function) {
  const char *names[QUESTION_COUNT];
  for (size_t i = 0; i < QUESTION_COUNT; i++)
    names[i] = questions[i].name;
  return check_fail(c, function->attribute.name_span, "%s has no method '%s'%s",
                    value_describe(&c->e.arena, owner), function->attribute.name,
                    word_suggestion(&c->e.arena, function->attribute.name, names, QUESTION_COUNT));
}

bool check_type_method(struct checker *c, const struct value *owner, const struct node *call,
                       struct value *out) {
  const struct node *function = call->call.function;
  const char *name = function->attribute.name;
  bool is_block = owner->kind == VALUE_BLOCK_TYPE;
  struct dtype dtype = is_block ? owner->block_type.dtype : owner->dtype;
  if (call->call.arguments.count)
    return check_fail(c, call->call.arguments.items[0]->span, "'%s' of a type takes no argument",
                      name);
  for (size_t i = 0; i < QUESTION_COUNT; i++)
    if (strcmp(questions[i].name, name) == 0) {
      *out = value_bool(answer(questions[i].question, questions[i].id, dtype, is_block));
      return true;
    }
  if (is_block && strcmp(name, "get_block_shapes") == 0) {
    *out = integers(c, owner->block_type.shape, owner->block_type.rank);
    return true;
  }
  return fail_type_method(c, owner, function);
}

/* --- Values ----------------------------------------------------------------------------------- */

static bool transpose(struct checker *c, const struct node *node, const struct value *owner,
                      struct value *out) {
  int64_t shape[MAX_RANK];
  if (value_shape(owner, shape) != 2)
    return check_fail(c, node->attribute.name_span,
                      ".T takes a tile of two dimensions; for others use tl.permute");
  check_locate(c, node->span);
  *out = *owner;
  return emit_permute(&c->e, out, (int[]){1, 0}) || check_fail_emitter(c, node->span);
}

static struct value run_time_type(struct checker *c, const struct value *owner) {
  MlirType type = mlirValueGetType(owner->run_time.ir);
  if (!type_is_tensor(type))
    return type_value(owner->run_time.dtype);
  int64_t *shape = ARENA_ARRAY(&c->e.arena, int64_t, MAX_RANK);
  int rank = type_shape(type, shape);
  return (struct value){.kind = VALUE_BLOCK_TYPE,
                        .block_type = {owner->run_time.dtype, rank, shape}};
}

static bool run_time_attribute(struct checker *c, const struct value *owner,
                               const struct node *node, struct value *out) {
  const char *name = node->attribute.name;
  int64_t shape[MAX_RANK];
  MlirType type = mlirValueGetType(owner->run_time.ir);
  if (strcmp(name, "dtype") == 0)
    *out = type_value(owner->run_time.dtype);
  else if (strcmp(name, "type") == 0)
    *out = run_time_type(c, owner);
  else if (strcmp(name, "shape") == 0)
    *out = integers(c, shape, type_shape(type, shape));
  else if (strcmp(name, "numel") == 0)
    *out = value_integer(type_elements(type));
  else if (strcmp(name, "T") == 0)
    return transpose(c, node, owner, out);
  else
    return fail_attribute(c, owner, node);
  return true;
}

/* A tl.constexpr is its own type (tl.constexpr_type), a tuple's type that of its items. */
static struct value constant_type(struct checker *c, const struct value *owner) {
  if (value_is_number(owner) && owner->is_typed)
    return type_value(number_dtype(owner));
  if (owner->kind == VALUE_RUNTIME)
    return run_time_type(c, owner);
  if (owner->kind != VALUE_TUPLE)
    return *owner;
  struct value types = value_tuple(&c->e.arena, owner->tuple.items, owner->tuple.count);
  for (size_t i = 0; i < types.tuple.count; i++)
    types.tuple.items[i] = constant_type(c, &owner->tuple.items[i]);
  return types;
}

static bool has_constant_type(const struct value *owner) {
  return value_is_number(owner) || owner->kind == VALUE_TUPLE || owner->kind == VALUE_STRING ||
         owner->kind == VALUE_NONE;
}

static bool number_attribute(const struct value *owner, const char *name, struct value *out) {
  if (strcmp(name, "dtype") == 0)
    *out = type_value(number_dtype(owner));
  else if (strcmp(name, "shape") == 0)
    *out = (struct value){.kind = VALUE_TUPLE};
  else
    return false;
  return true;
}

bool is_type_name(struct checker *c, const struct node *node) {
  struct value value;
  return builtin_resolve(c, node, &value) == BUILTIN_FOUND && value.kind == VALUE_DTYPE;
}

bool check_attribute(struct checker *c, const struct node *node, struct value *out) {
  const char *name = node->attribute.name;
  enum builtin_lookup found = builtin_resolve(c, node, out);
  if (found == BUILTIN_FOUND)
    return true;
  if (found == BUILTIN_UNKNOWN && !is_type_name(c, node->attribute.value))
    return builtin_fail_unknown(c, node);
  struct value owner;
  bool imported, good = check_imported(c, node, &imported, out);
  if (imported)
    return good;
  if (!check_expression(c, node->attribute.value, &owner))
    return false;
  if (owner.kind == VALUE_MODULE)
    return check_member(c, &owner, node, out);
  if (owner.kind == VALUE_CLASS)
    return check_class_attribute(c, owner.object, node, out);
  if (owner.kind == VALUE_RUNTIME)
    return run_time_attribute(c, &owner, node, out);
  if (record_field(&owner, name, out))
    return true;
  if ((value_is_view(&owner) && view_attribute(c, &owner, name, out)) ||
      (owner.kind == VALUE_DTYPE && dtype_attribute(c, owner.dtype, name, out)) ||
      (owner.kind == VALUE_BLOCK_TYPE && block_type_attribute(c, &owner, name, out)) ||
      (value_is_number(&owner) && number_attribute(&owner, name, out)))
    return true;
  if (strcmp(name, "type") == 0 && has_constant_type(&owner)) {
    *out = constant_type(c, &owner);
    return true;
  }
  if (strcmp(name, "value") == 0 && value_is_constant(&owner)) { /* of a tl.constexpr */
    *out = owner;
    return true;
  }
  return fail_attribute(c, &owner, node);
}

bool check_member(struct checker *c, const struct value *module, const struct node *node,
                  struct value *out) {
  bool is_file, good = check_file_member(c, module, node, &is_file, out);
  if (is_file)
    return good;
  const char *name = text_format(&c->e.arena, "%.*s.%s", (int)module->text.length,
                                 module->text.data, node->attribute.name);
  return builtin_of_name(c, name, out) == BUILTIN_FOUND ||
         check_fail(c, node->attribute.name_span, "'%s' is not supported", name);
}

/* --- By name ---------------------------------------------------------------------------------- */

/* The attribute `name` of what `object` stands for, as an expression. */
static const struct node *make_attribute(struct checker *c, struct node *object,
                                         const struct node *name, const struct node *call) {
  struct node *node = ARENA_NEW(&c->e.arena, struct node);
  struct slice text = name->string.value;
  const char *word = arena_copy_string(&c->e.arena, text.data, text.length);
  *node = (struct node){.kind = NODE_ATTRIBUTE, .span = call->span};
  node->attribute.value = object;
  node->attribute.name = words_intern(&c->module->words, word);
  node->attribute.name_span = name->span;
  return node;
}

static bool has_attribute(struct checker *c, const struct value *owner, const struct node *node,
                          struct value *out) {
  struct problems before = c->module->problems;
  bool found = check_attribute(c, node, out);
  if (!found)
    check_rollback(c, &before);
  return found ||
         (owner->kind == VALUE_RUNTIME && builtin_find_method(node->attribute.name, false) != NULL);
}

bool check_attribute_by_name(struct checker *c, const struct node *call, bool ask,
                             struct value *out) {
  const struct node_list *arguments = &call->call.arguments;
  struct value owner, name;
  bool counted = ask ? arguments->count == 2 : arguments->count == 2 || arguments->count == 3;
  for (uint32_t i = 0; i < arguments->count; i++)
    counted &=
        !node_is(arguments->items[i], NODE_KEYWORD) && !node_is(arguments->items[i], NODE_STARRED);
  if (!counted)
    return check_fail(c, call->span, "%s takes an object and a name%s", ask ? "hasattr" : "getattr",
                      ask ? "" : ", and perhaps a default");
  if (!check_expression(c, arguments->items[0], &owner) ||
      !check_expression(c, arguments->items[1], &name))
    return false;
  if (name.kind != VALUE_STRING)
    return check_fail(c, arguments->items[1]->span,
                      "the name of an attribute is a string that is known at compile time");
  struct node text = {.kind = NODE_STRING, .span = arguments->items[1]->span};
  text.string.value = name.text;
  const struct node *node = make_attribute(c, arguments->items[0], &text, call);
  if (ask) {
    *out = value_bool(has_attribute(c, &owner, node, out));
    return true;
  }
  if (arguments->count == 3 && !has_attribute(c, &owner, node, out))
    return check_expression(c, arguments->items[2], out);
  return check_attribute(c, node, out);
}

/* Through another name the object is no expression any more. */
bool builtin_attribute_by_name(struct checker *c, const struct builtin_call *call,
                               struct value *out) {
  (void)out;
  return check_fail(c, call->span, "%s is called by its name", builtin_label(c, call->builtin));
}
