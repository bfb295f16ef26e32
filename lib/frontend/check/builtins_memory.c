/* tl.load and tl.store on pointers and tiles of pointers. */
#include <string.h>
#include "frontend/check/checker.h"

static bool fail_pointer(struct checker *c, const struct argument *argument) {
  struct text text = {0};
  value_describe(&argument->value, &text);
  check_fail(c, argument->span, "a pointer or a tile of pointers is needed, not %s",
             text_string(&text));
  text_free(&text);
  return false;
}

static bool is_pointer(const struct value *value) {
  return value->kind == VALUE_RUNTIME && dtype_is_pointer(value->run_time.dtype);
}

/* Cache and eviction hints as attributes of the operation; returns how many, or -1. */
static int read_hints(struct checker *c, const struct argument *cache,
                      const struct argument *eviction, const struct argument *is_volatile,
                      MlirNamedAttribute *out) {
  MlirContext context = c->e.session->context;
  int count = 0;
  const struct argument *words[] = {cache, eviction};
  static const char *const names[] = {"cache", "evict"};
  for (int i = 0; i < 2; i++) {
    if (!words[i]->given || words[i]->value.kind == VALUE_NONE)
      continue;
    if (words[i]->value.kind != VALUE_STRING) {
      check_fail(c, words[i]->span, "a string such as \".cg\" or \"evict_first\" is needed");
      return -1;
    }
    struct slice text = words[i]->value.text;
    if (text.length && text.data[0] == '.')
      text.data++, text.length--;
    if (text.length)
      out[count++] = attribute_named(
          context, names[i],
          mlirStringAttrGet(context, mlirStringRefCreate(text.data, text.length)));
  }
  if (is_volatile && is_volatile->given && value_truth(&is_volatile->value))
    out[count++] = attribute_named(context, "volatile", mlirUnitAttrGet(context));
  return count;
}

static bool given(const struct argument *argument) {
  return argument->given && argument->value.kind != VALUE_NONE;
}

bool builtin_load(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct argument *arguments = call->arguments;
  if (!is_pointer(&arguments[0].value))
    return fail_pointer(c, &arguments[0]);
  struct value pointer = arguments[0].value, mask, other;
  struct dtype element = pointer.run_time.dtype;
  element.pointers--;
  bool has_mask = given(&arguments[1]), has_other = given(&arguments[2]);
  if (has_other && !has_mask)
    return check_fail(c, arguments[2].span, "`other` needs a mask");
  if (has_mask &&
      (!emit_truth(&c->e, &arguments[1].value, &mask) || !emit_broadcast(&c->e, &pointer, &mask)))
    return check_fail_emitter(c, arguments[1].span);
  if (has_other && (!emit_cast(&c->e, &arguments[2].value, element, &other) ||
                    !emit_broadcast(&c->e, &pointer, &other)))
    return check_fail_emitter(c, arguments[2].span);
  MlirNamedAttribute attributes[5];
  int hints = read_hints(c, &arguments[5], &arguments[6], &arguments[7], attributes + 1);
  if (hints < 0)
    return false;
  attributes[0] = attribute_named(
      c->e.session->context, "operandSegmentSizes",
      attribute_dense_i32(c->e.session->context, 3, (int32_t[]){1, has_mask, has_other}));
  MlirValue in[] = {pointer.run_time.ir, has_mask ? mask.run_time.ir : (MlirValue){0},
                    has_other ? other.run_time.ir : (MlirValue){0}};
  MlirType type = tile_type_like(&c->e, pointer.run_time.ir, element);
  MlirValue value = build_value(&c->e.b, &(struct op_spec){.name = "tile.load",
                                                           .in = in,
                                                           .in_count = 1 + has_mask + has_other,
                                                           .out = &type,
                                                           .out_count = 1,
                                                           .attributes = attributes,
                                                           .attribute_count = 1 + hints});
  *out = value_runtime(value, element);
  return true;
}

bool builtin_store(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct argument *arguments = call->arguments;
  if (!is_pointer(&arguments[0].value))
    return fail_pointer(c, &arguments[0]);
  struct value pointer = arguments[0].value, value, mask;
  struct dtype element = pointer.run_time.dtype;
  element.pointers--;
  bool has_mask = given(&arguments[2]);
  if (!emit_cast(&c->e, &arguments[1].value, element, &value) ||
      !emit_broadcast(&c->e, &pointer, &value))
    return check_fail_emitter(c, arguments[1].span);
  if (has_mask &&
      (!emit_truth(&c->e, &arguments[2].value, &mask) || !emit_broadcast(&c->e, &pointer, &mask)))
    return check_fail_emitter(c, arguments[2].span);
  MlirNamedAttribute attributes[4];
  int hints = read_hints(c, &arguments[4], &arguments[5], NULL, attributes);
  if (hints < 0)
    return false;
  MlirValue in[] = {pointer.run_time.ir, value.run_time.ir,
                    has_mask ? mask.run_time.ir : (MlirValue){0}};
  build_op(&c->e.b, &(struct op_spec){.name = "tile.store",
                                      .in = in,
                                      .in_count = 2 + has_mask,
                                      .attributes = attributes,
                                      .attribute_count = hints});
  *out = value_none();
  return true;
}
