/* SPDX-License-Identifier: MIT */
/* Printing and assertions, on the device and while the kernel is compiled. */
#include <string.h>
#include "frontend/check/checker.h"

enum {
  MAX_PRINTED = 8,           /* values of one tile.print */
  MAX_PRINTED_TEXT = 1 << 17 /* more than check_text_size lets pass */
};

/* --- On the device ---------------------------------------------------------------------------- */

/* first < 0: the operands are not numbered. */
static void build_print(struct checker *c, struct slice prefix, bool hex, int first,
                        const struct value *values, size_t count) {
  MlirValue in[MAX_PRINTED];
  int64_t without_sign = 0;
  for (size_t i = 0; i < count; i++) {
    in[i] = values[i].run_time.ir;
    without_sign |= (int64_t)dtype_is_unsigned(values[i].run_time.dtype) << i;
  }
  intptr_t attribute_count = 3;
  MlirNamedAttribute attributes[5] = {
      text_attribute(&c->e, "prefix", prefix),
      bool_attribute(&c->e, "hex", hex),
      segments_attribute(&c->e, "operandSegmentSizes", count),
  };
  if (first >= 0)
    attributes[attribute_count++] = integer_attribute(&c->e, "first_operand", first);
  if (without_sign)
    attributes[attribute_count++] = integer_attribute(&c->e, "unsigned_operands", without_sign);
  BUILD_OP(&c->e.b, "tile.print", .in = in, .in_count = (intptr_t)count, .attributes = attributes,
           .attribute_count = attribute_count);
}

static bool ends_with(const struct text *text, const char *end) {
  size_t length = strlen(end);
  return text->length >= length && memcmp(text->data + text->length - length, end, length) == 0;
}

/* Triton's prefix: before values it ends with ": ", of which the text brings both, the colon or a
   blank, which the colon takes the place of, or nothing; a longer one begins with a blank. */
static struct slice printed_prefix(struct checker *c, struct slice text, bool values) {
  struct text prefix = {0};
  text_append(&prefix, text.data, text.length);
  if (values && !ends_with(&prefix, ": ")) {
    if (ends_with(&prefix, " "))
      prefix.length--;
    text_puts(&prefix, ends_with(&prefix, ":") ? " " : ": ");
  }
  struct text out = {0};
  if (prefix.length > 2 && prefix.data[0] != ' ')
    text_puts(&out, " ");
  text_append(&out, text_string(&prefix), prefix.length);
  text_free(&prefix);
  size_t length = out.length;
  return (struct slice){text_keep(&out, &c->e.arena), length};
}

/* The type in which a number is printed: a mask as 0 and 1. */
static struct dtype printed_dtype(struct dtype dtype, bool hex) {
  return dtype_is_bool(dtype) && !hex ? DTYPE(INT32) : dtype;
}

/* A printed value: a number or a tile; a pointer is printed as its address. */
static bool read_printed(struct checker *c, struct span span, const struct value *value, bool hex,
                         struct value *out) {
  struct argument argument = {*value, span, true};
  struct value own;
  if (value->kind != VALUE_RUNTIME && !value_is_number(value))
    return argument_fail(c, &argument, "a number or a tile (text comes first: \"x = \", x)");
  return argument_run_time(c, &argument, &own) &&
         (emit_cast(&c->e, &own, printed_dtype(own.run_time.dtype, hex), out) ||
          check_fail_emitter(c, span));
}

/* device_print(prefix, *args, hex), Python's print: text, then any number of values. */
bool builtin_device_print(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct argument *rest = &call->arguments[1], *prefix = &call->arguments[0];
  const struct value *items = rest->value.tuple.items;
  size_t count = rest->value.kind == VALUE_TUPLE ? rest->value.tuple.count : 0;
  struct value values[MAX_PRINTED];
  bool hex;
  *out = value_none();
  if (prefix->value.kind != VALUE_STRING)
    return argument_fail(c, prefix, "text that is known at compile time, before the values,");
  if (!argument_bool(c, &call->arguments[2], false, &hex))
    return false;
  struct slice label = printed_prefix(c, prefix->value.text, count > 0);
  size_t done = 0;
  do { /* at least one: text alone is printed too */
    size_t part = count - done < MAX_PRINTED ? count - done : MAX_PRINTED;
    for (size_t i = 0; i < part; i++)
      if (!read_printed(c, rest->span, &items[done + i], hex, &values[i]))
        return false;
    build_print(c, label, hex, count > 1 ? (int)done : -1, values, part);
    done += part;
  } while (done < count);
  return true;
}

bool check_device_assert(struct checker *c, const struct value *condition, const struct value *mask,
                         struct slice message, struct span span) {
  struct value truth, where;
  if (value_is_compile_time(condition) && value_truth(condition))
    return true;
  if (!emit_truth(&c->e, condition, &truth) ||
      (mask && (!emit_truth(&c->e, mask, &where) || !emit_broadcast(&c->e, &truth, &where))))
    return check_fail_emitter(c, span);
  const struct source *source = module_source(c->module, span.offset);
  MlirNamedAttribute attributes[] = {
      text_attribute(&c->e, "message", message),
      text_attribute(&c->e, "file", slice_of(source->name)),
      text_attribute(&c->e, "function", slice_of(c->frame->kernel->name)),
      integer_attribute(&c->e, "line", source_place(source, span.offset).line),
  };
  MlirValue in[] = {truth.run_time.ir, mask ? where.run_time.ir : truth.run_time.ir};
  BUILD_OP(&c->e.b, "tile.assert", .in = in, .in_count = mask ? 2 : 1, .attributes = attributes,
           .attribute_count = 4);
  return true;
}

/* device_assert(cond, msg, mask): checked in every build of the kernel. */
bool builtin_device_assert(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct argument *arguments = call->arguments;
  bool message = argument_given(&arguments[1]);
  *out = value_none();
  if (message && arguments[1].value.kind != VALUE_STRING)
    return argument_fail(c, &arguments[1], "a message that is known at compile time");
  return check_device_assert(c, &arguments[0].value,
                             argument_given(&arguments[2]) ? &arguments[2].value : NULL,
                             message ? arguments[1].value.text : slice_of(""), call->span);
}

/* --- While the kernel is compiled ------------------------------------------------------------- */

/* str() of a run-time value in Triton: "int32[constexpr[128]]", "fp32[]". Appends. */
static void describe_tensor(const struct value *value, struct text *out) {
  struct value type = {.kind = VALUE_DTYPE, .dtype = value->run_time.dtype};
  int64_t shape[MAX_RANK];
  int rank = type_shape(mlirValueGetType(value->run_time.ir), shape);
  value_format(&type, out);
  text_puts(out, "[");
  for (int i = 0; i < rank; i++)
    text_printf(out, "%sconstexpr[%lld]", i ? ", " : "", (long long)shape[i]);
  text_puts(out, "]");
}

/* static_print(*values, sep, end): a remark at the call. A value that is known at run time only is
   described. */
bool builtin_static_print(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct argument *values = &call->arguments[0], *separator = &call->arguments[1];
  struct slice between = slice_of(" ");
  *out = value_none();
  if (argument_given(separator)) {
    if (separator->value.kind != VALUE_STRING)
      return argument_fail(c, separator, "a string");
    between = separator->value.text;
  }
  struct text text = {0};
  size_t count = values->value.kind == VALUE_TUPLE ? values->value.tuple.count : 0;
  for (size_t i = 0; i < count; i++) {
    const struct value *value = &values->value.tuple.items[i];
    if (text.length > MAX_PRINTED_TEXT)
      break;
    if (i)
      text_append(&text, between.data, between.length);
    if (value->kind == VALUE_RUNTIME)
      describe_tensor(value, &text);
    else
      value_format(value, &text);
  }
  bool fits = check_text_size(c, call->span, text.length);
  if (fits)
    problems_add(&c->module->problems, PROBLEM_REMARK, module_source(c->module, call->span.offset),
                 call->span, "%s", text_string(&text));
  text_free(&text);
  return fits;
}
