/* SPDX-License-Identifier: MIT */
/* Values as text: str() of compile-time ones, how source writes them, and what messages call them.
   Values may share their parts and contain themselves: depth and length are cut. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/c_locale.h"
#include "frontend/eval/host.h"
#include "ir/types.h"

static const char in_host[] = "a value of the host", in_kernel[] = "a value";
static const struct {
  const char *kernel, *host;
} phrases[] = {
#define HOST in_host
#define KERNEL in_kernel
#define KIND(identifier, kernel, host) {kernel, host},
#include "frontend/eval/value_kinds.def"
#undef KIND
#undef HOST
#undef KERNEL
};

/* --- Parts ------------------------------------------------------------------------------------ */

/* As Python writes it: 0.1, 1e+20, inf. */
static void print_float(double number, struct text *out) {
  char digits[40];
  int precision = 15;
  if (isnan(number) || isinf(number)) {
    text_puts(out, isnan(number) ? "nan" : number < 0 ? "-inf" : "inf");
    return;
  }
  do /* the shortest that reads back */
    c_snprintf(digits, sizeof digits, "%.*g", precision, number);
  while (precision++ < 17 && c_strtod(digits, NULL) != number);
  if (strchr(digits, 'e') && fabs(number) >= 1 && fabs(number) < 1e16)
    c_snprintf(digits, sizeof digits, "%.0f", number);
  text_printf(out, "%s%s", digits, strpbrk(digits, ".e") ? "" : ".0");
}

/* fp32, int32, pointer<fp16>: str() of a type in Triton. */
static void format_dtype(struct dtype dtype, struct text *out) {
  if (dtype.pointers) {
    text_puts(out, dtype.constant ? "const_pointer<" : "pointer<");
    format_dtype(dtype_pointee(dtype), out);
    text_puts(out, ">");
  } else {
    text_puts(out, dtype_is_float(dtype) ? dtype_table[dtype.id].short_name
                                         : dtype_table[dtype.id].name);
  }
}

static void format_block_type(const struct value *value, struct text *out) {
  text_puts(out, "<[");
  for (int i = 0; i < value->block_type.rank; i++)
    text_printf(out, "%s%lld", i ? ", " : "", (long long)value->block_type.shape[i]);
  text_puts(out, "], ");
  format_dtype(value->block_type.dtype, out);
  text_puts(out, ">");
}

/* --- As Python writes them -------------------------------------------------------------------- */

/* str(), or source. */
struct form {
  bool source;
  int deepest;
  size_t longest; /* what was begun beyond is left out, in source as "..." */
};

static void print(const struct value *value, const struct form *form, int depth, struct text *out);

static void print_items(const struct value *value, const struct form *form, int depth,
                        struct text *out) {
  const struct value *items;
  size_t count;
  const struct value_dict *dict = value->kind == VALUE_DICT ? value->dict : NULL;
  const char *brackets = dict ? "{}" : value->kind == VALUE_LIST ? "[]" : "()";
  value_items(value, &items, &count);
  text_append(out, &brackets[0], 1);
  for (size_t i = 0; i < (dict ? dict->count : count); i++) {
    bool cut = depth == form->deepest || out->length > form->longest;
    if (cut && !form->source)
      break;
    text_puts(out, i ? ", " : "");
    if (cut) {
      text_puts(out, "...");
      break;
    }
    if (dict) {
      print(&dict->entries[i].key, form, depth + 1, out);
      text_puts(out, ": ");
    }
    print(dict ? &dict->entries[i].value : &items[i], form, depth + 1, out);
  }
  text_puts(out, value->kind == VALUE_TUPLE && count == 1 ? "," : "");
  text_append(out, &brackets[1], 1);
}

/* Plain values. */
static void print_plain(const struct value *value, bool source, struct text *out) {
  bool quoted = source && value->kind == VALUE_FLOAT && !isfinite(value->number);
  if (value->kind == VALUE_NONE)
    text_puts(out, "None");
  else if (value->kind == VALUE_BOOL)
    text_puts(out, value->boolean ? "True" : "False");
  else if (value->kind == VALUE_INTEGER)
    text_printf(out, value->is_huge ? "%" PRIu64 : "%" PRId64, value->integer);
  else if (value->kind == VALUE_STRING && source)
    text_quote(out, value->text, '\'');
  else if (value->kind == VALUE_STRING)
    text_append(out, value->text.data, value->text.length);
  else if (value->kind == VALUE_DTYPE && source)
    text_printf(out, "tl.%s", dtype_table[value->dtype.id].name);
  else if (value->kind == VALUE_DTYPE)
    format_dtype(value->dtype, out);
  else {
    text_puts(out, quoted ? "float('" : "");
    print_float(value->number, out);
    text_puts(out, quoted ? "')" : "");
  }
}

static const char *function_name(const struct host_function *function) {
  return node_is(function->node, NODE_FUNCTION) ? function->node->function.name : "lambda";
}

static void describe(const struct value *value, struct text *out);

static void print(const struct value *value, const struct form *form, int depth, struct text *out) {
  if (value->kind <= VALUE_DTYPE)
    print_plain(value, form->source, out);
  else if (value->kind == VALUE_TUPLE || value->kind == VALUE_LIST || value->kind == VALUE_DICT)
    print_items(value, form, depth, out);
  else if (value->kind == VALUE_BLOCK_TYPE)
    format_block_type(value, out);
  else if (!form->source)
    describe(value, out);
  else
    text_puts(out, value->kind == VALUE_NAME            ? value->text.data
                   : value->kind == VALUE_ARGUMENT      ? value->argument.name
                   : value->kind == VALUE_HOST_FUNCTION ? function_name(value->function)
                   : value->kind == VALUE_METHOD        ? value->method->name
                                                        : "triton.Config");
}

void value_format(const struct value *value, struct text *out) {
  /* Longer than any text may be, deeper than any tuple (check/limits.c). */
  static const struct form str = {.deepest = 64, .longest = 1 << 17};
  print(value, &str, 0, out);
}

struct value value_string(struct arena *arena, const struct value *value) {
  struct text text = {0};
  value_format(value, &text);
  size_t length = text.length;
  return (struct value){.kind = VALUE_STRING, .text = {text_keep(&text, arena), length}};
}

const char *value_source(struct arena *arena, const struct value *value) {
  static const struct form source = {.source = true, .deepest = 4, .longest = 4096};
  struct text text = {0};
  print(value, &source, 0, &text);
  return text_keep(&text, arena);
}

/* --- For messages ----------------------------------------------------------------------------- */

static void describe_runtime(const struct value *value, struct text *out) {
  MlirType type = mlirValueGetType(value->run_time.ir);
  if (type_is_tensor(type)) {
    int64_t shape[MAX_RANK];
    int rank = type_shape(type, shape);
    text_puts(out, "a tile ");
    for (int i = 0; i < rank; i++)
      text_printf(out, "%lldx", (long long)shape[i]);
  }
  dtype_print(value->run_time.dtype, out);
}

/* Long ones in part, cut between characters. */
static void describe_string(struct slice string, struct text *out) {
  enum { SHOWN = 64 };
  size_t length = string.length < SHOWN ? string.length : SHOWN;
  while (length < string.length && length && ((unsigned char)string.data[length] & 0xC0) == 0x80)
    length--;
  text_printf(out, "\"%.*s%s\"", (int)length, string.data, length < string.length ? "..." : "");
}

static void describe(const struct value *value, struct text *out) {
  text_puts(out, phrases[value->kind].kernel);
  if (value_is_number(value) || value->kind == VALUE_BLOCK_TYPE)
    value_format(value, out);
  else if (value->kind == VALUE_STRING)
    describe_string(value->text, out);
  else if (value->kind == VALUE_DTYPE)
    dtype_print(value->dtype, out);
  else if (value->kind == VALUE_TUPLE)
    text_printf(out, "%zu", value->tuple.count);
  else if (value->kind == VALUE_MODULE)
    text_append(out, value->text.data, value->text.length);
  else if (value->kind == VALUE_RUNTIME)
    describe_runtime(value, out);
}

const char *value_describe(struct arena *arena, const struct value *value) {
  struct text text = {0};
  describe(value, &text);
  return text_keep(&text, arena);
}

const char *value_describe_host(struct arena *arena, const struct value *value) {
  const char *phrase = phrases[value->kind].host;
  if (value->kind == VALUE_ARGUMENT)
    return value->argument.dtype.pointers ? "a tensor" : "a run-time argument";
  return phrase ? phrase : value_source(arena, value);
}
