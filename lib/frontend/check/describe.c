/* SPDX-License-Identifier: MIT */
/* Values as text: str() of compile-time ones, and what messages call them. */
#include <string.h>
#include "frontend/check/value.h"

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

/* More than any text may have (limits.c): tuples share their parts, and what they hold may be long.
 */
enum { MAX_FORMATTED = 1 << 17 };

static void format_tuple(const struct value *value, struct text *out) {
  text_puts(out, "(");
  for (size_t i = 0; i < value->tuple.count && out->length < MAX_FORMATTED; i++) {
    text_puts(out, i ? ", " : "");
    value_format(&value->tuple.items[i], out);
  }
  text_puts(out, value->tuple.count == 1 ? ",)" : ")");
}

void value_format(const struct value *value, struct text *out) {
  switch ((int)value->kind) {
  case VALUE_INTEGER:
    if (value->is_huge)
      text_printf(out, "%llu", (unsigned long long)value->integer);
    else
      text_printf(out, "%lld", (long long)value->integer);
    break;
  case VALUE_FLOAT:
    value_print_float(value->number, out);
    break;
  case VALUE_STRING:
    text_append(out, value->text.data, value->text.length);
    break;
  case VALUE_DTYPE:
    format_dtype(value->dtype, out);
    break;
  case VALUE_BLOCK_TYPE:
    text_puts(out, "<[");
    for (int i = 0; i < value->block_type.rank; i++)
      text_printf(out, "%s%lld", i ? ", " : "", (long long)value->block_type.shape[i]);
    text_puts(out, "], ");
    format_dtype(value->block_type.dtype, out);
    text_puts(out, ">");
    break;
  case VALUE_TUPLE:
    format_tuple(value, out);
    break;
  default:
    value_describe(value, out);
    break;
  }
}

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
  text_printf(out, "the string \"%.*s%s\"", (int)length, string.data,
              length < string.length ? "..." : "");
}

void value_describe(const struct value *value, struct text *out) {
  switch (value->kind) {
  case VALUE_NONE:
    text_puts(out, "None");
    break;
  case VALUE_BOOL:
    text_puts(out, value->boolean ? "True" : "False");
    break;
  case VALUE_INTEGER:
    text_puts(out, "the integer ");
    value_format(value, out);
    break;
  case VALUE_FLOAT:
    text_puts(out, "the number ");
    value_format(value, out);
    break;
  case VALUE_STRING:
    describe_string(value->text, out);
    break;
  case VALUE_DTYPE:
    text_puts(out, "the type ");
    dtype_print(value->dtype, out);
    break;
  case VALUE_TUPLE:
    text_printf(out, "a tuple of %zu", value->tuple.count);
    break;
  case VALUE_BLOCK_POINTER:
    text_puts(out, "a block pointer");
    break;
  case VALUE_DESCRIPTOR:
    text_puts(out, "a tensor descriptor");
    break;
  case VALUE_RUNTIME:
    describe_runtime(value, out);
    break;
  case VALUE_FUNCTION:
    text_puts(out, "a function");
    break;
  case VALUE_BUILTIN:
    text_puts(out, "a builtin function");
    break;
  case VALUE_BLOCK_TYPE:
    text_puts(out, "the type ");
    value_format(value, out);
    break;
  case VALUE_CALLABLE:
    text_puts(out, "a function of the host");
    break;
  case VALUE_CLASS:
  case VALUE_RECORD:
    text_puts(out, "a class");
    break;
  case VALUE_MODULE:
    text_printf(out, "the module %.*s", (int)value->text.length, value->text.data);
    break;
  case VALUE_LIST:
  case VALUE_DICT:
  case VALUE_HOST_FUNCTION:
  case VALUE_METHOD:
  case VALUE_CONFIG:
  case VALUE_NAME:
  case VALUE_ARGUMENT:
    text_puts(out, "a value of the host");
    break;
  case VALUE_POISON:
    text_puts(out, "nothing");
    break;
  }
}
