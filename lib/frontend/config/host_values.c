/* SPDX-License-Identifier: MIT */
/* Values of host code: making them, containers, and how they are written. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "frontend/config/host.h"

struct host_value host_bool(bool boolean) {
  return (struct host_value){.kind = HOST_BOOL, .boolean = boolean};
}

struct host_value host_integer(int64_t integer) {
  return (struct host_value){.kind = HOST_INTEGER, .integer = integer};
}

struct host_value host_float(double number) {
  return (struct host_value){.kind = HOST_FLOAT, .number = number};
}

struct host_value host_string(struct host *host, const char *text, size_t length) {
  char *copy = arena_copy_string(host->arena, text, length);
  return (struct host_value){.kind = HOST_STRING, .text = {copy, length}};
}

struct host_value host_name(struct host *host, const char *name) {
  struct host_value value = host_string(host, name, strlen(name));
  value.kind = HOST_NAME;
  return value;
}

struct host_value host_list_new(struct host *host) {
  return (struct host_value){.kind = HOST_LIST, .list = ARENA_NEW(host->arena, struct host_list)};
}

struct host_value host_dict_new(struct host *host) {
  return (struct host_value){.kind = HOST_DICT, .dict = ARENA_NEW(host->arena, struct host_dict)};
}

/* A bigger copy of an array in the arena; the old one stays until the arena ends. */
static void *grow(struct host *host, const void *old, size_t count, size_t size, size_t *capacity) {
  *capacity = *capacity ? *capacity * 2 : 8;
  void *new = arena_allocate(host->arena, *capacity * size);
  if (count)
    memcpy(new, old, count * size);
  return new;
}

bool host_list_add(struct host *host, struct span span, struct host_list *list,
                   const struct host_value *item) {
  if (!host_step(host, span, 1))
    return false;
  if (list->count == HOST_LENGTH)
    return host_unknown(host, span, "a list grows beyond %d elements", HOST_LENGTH);
  if (list->count == list->capacity)
    list->items = grow(host, list->items, list->count, sizeof *list->items, &list->capacity);
  list->items[list->count++] = *item;
  return true;
}

bool host_dict_find(struct host *host, struct span span, const struct host_dict *dict,
                    const struct host_value *key, struct host_value **out) {
  *out = NULL;
  for (size_t i = 0; i < dict->count; i++) {
    bool equal;
    if (!host_equal(host, span, &dict->entries[i].key, key, &equal))
      return false;
    if (equal) {
      *out = &dict->entries[i].value;
      return true;
    }
  }
  return true;
}

bool host_dict_set(struct host *host, struct span span, struct host_dict *dict,
                   const struct host_value *key, const struct host_value *value) {
  struct host_value *old;
  if (!host_dict_find(host, span, dict, key, &old))
    return false;
  if (old) {
    *old = *value;
    return true;
  }
  if (dict->count == HOST_LENGTH)
    return host_unknown(host, span, "a dictionary grows beyond %d entries", HOST_LENGTH);
  if (dict->count == dict->capacity)
    dict->entries = grow(host, dict->entries, dict->count, sizeof *dict->entries, &dict->capacity);
  dict->entries[dict->count++] = (struct host_entry){*key, *value};
  return true;
}

const struct host_value *host_dict_get(const struct host_dict *dict, const char *key) {
  for (size_t i = 0; i < dict->count; i++)
    if (dict->entries[i].key.kind == HOST_STRING && slice_equals(dict->entries[i].key.text, key))
      return &dict->entries[i].value;
  return NULL;
}

bool host_is_integer(const struct host_value *value) {
  return value->kind == HOST_BOOL || value->kind == HOST_INTEGER;
}

bool host_is_number(const struct host_value *value) {
  return host_is_integer(value) || value->kind == HOST_FLOAT;
}

int64_t host_as_integer(const struct host_value *value) {
  return value->kind == HOST_BOOL ? value->boolean : value->integer;
}

double host_as_double(const struct host_value *value) {
  return value->kind == HOST_FLOAT ? value->number : (double)host_as_integer(value);
}

const char *host_describe(struct host *host, const struct host_value *value) {
  switch (value->kind) {
  case HOST_NONE:
    return "None";
  case HOST_BOOL:
    return value->boolean ? "True" : "False";
  case HOST_INTEGER:
    return "an integer";
  case HOST_FLOAT:
    return "a float";
  case HOST_STRING:
    return "a string";
  case HOST_DTYPE:
    return "a type";
  case HOST_LIST:
    return "a list";
  case HOST_DICT:
    return "a dictionary";
  case HOST_FUNCTION:
    return "a function";
  case HOST_METHOD:
    return "a method";
  case HOST_CONFIG:
    return "a triton.Config";
  case HOST_NAME:
    return host_name(host, value->text.data).text.data;
  case HOST_ARGUMENT:
    return value->argument.dtype.pointers ? "a tensor" : "a run-time argument";
  }
  return "a value";
}

static void print_float(double number, struct text *out) {
  struct text digits = {0};
  if (isfinite(number))
    text_printf(&digits, "%.15g", number);
  else
    text_printf(&digits, "float('%s')", isnan(number) ? "nan" : number < 0 ? "-inf" : "inf");
  if (isfinite(number) && strtod(text_string(&digits), NULL) != number) {
    digits.length = 0;
    text_printf(&digits, "%.17g", number);
  }
  text_puts(out, text_string(&digits));
  if (!strpbrk(text_string(&digits), ".en"))
    text_puts(out, ".0");
  text_free(&digits);
}

static void print_string(struct slice string, struct text *out) {
  text_puts(out, "'");
  for (size_t i = 0; i < string.length; i++) {
    unsigned char c = (unsigned char)string.data[i];
    if (c == '\'' || c == '\\')
      text_printf(out, "\\%c", c);
    else if (c < ' ' || c == 0x7f)
      text_printf(out, "\\x%02x", c);
    else
      text_append(out, (const char *)&c, 1);
  }
  text_puts(out, "'");
}

/* Lists may contain themselves, and each other many times: depth and length are cut. */
enum { PRINT_DEPTH = 4, PRINT_LENGTH = 4096 };

static void print_at(const struct host_value *value, int depth, struct text *out);

static void print_items(const struct host_value *value, int depth, struct text *out) {
  bool is_dict = value->kind == HOST_DICT;
  size_t count = is_dict ? value->dict->count : value->list->count;
  text_puts(out, is_dict ? "{" : "[");
  for (size_t i = 0; i < count; i++) {
    text_puts(out, i ? ", " : "");
    if (depth == PRINT_DEPTH || out->length > PRINT_LENGTH) {
      text_puts(out, "...");
      break;
    }
    if (is_dict) {
      print_at(&value->dict->entries[i].key, depth + 1, out);
      text_puts(out, ": ");
    }
    print_at(is_dict ? &value->dict->entries[i].value : &value->list->items[i], depth + 1, out);
  }
  text_puts(out, is_dict ? "}" : "]");
}

static void print_at(const struct host_value *value, int depth, struct text *out) {
  switch (value->kind) {
  case HOST_NONE:
    text_puts(out, "None");
    break;
  case HOST_BOOL:
    text_puts(out, value->boolean ? "True" : "False");
    break;
  case HOST_INTEGER:
    text_printf(out, "%" PRId64, value->integer);
    break;
  case HOST_FLOAT:
    print_float(value->number, out);
    break;
  case HOST_STRING:
    print_string(value->text, out);
    break;
  case HOST_DTYPE:
    text_printf(out, "tl.%s", dtype_table[value->dtype.id].name);
    break;
  case HOST_LIST:
  case HOST_DICT:
    print_items(value, depth, out);
    break;
  case HOST_NAME:
    text_puts(out, value->text.data);
    break;
  case HOST_ARGUMENT:
    text_puts(out, value->argument.name);
    break;
  case HOST_FUNCTION:
    text_puts(out, node_is(value->function->node, NODE_FUNCTION)
                       ? value->function->node->function.name
                       : "lambda");
    break;
  case HOST_METHOD:
    text_puts(out, value->method->name);
    break;
  case HOST_CONFIG:
    text_puts(out, "triton.Config");
    break;
  }
}

void host_print(const struct host_value *value, struct text *out) {
  print_at(value, 0, out);
}

enum { SOURCE_SHOWN = 60 };

const char *host_source(struct host *host, struct span span) {
  struct slice source = source_slice(module_source(host->module, span.offset), span);
  char *copy = arena_allocate(host->arena, SOURCE_SHOWN + 4);
  size_t length = 0;
  for (size_t i = 0; i < source.length && length < SOURCE_SHOWN; i++) {
    bool blank = (unsigned char)source.data[i] <= ' ';
    if (!blank || (length && copy[length - 1] != ' '))
      copy[length++] = blank ? ' ' : source.data[i];
  }
  if (length == SOURCE_SHOWN) {
    while (length && ((unsigned char)copy[length - 1] & 0xC0) == 0x80) /* no half characters */
      length--;
    if (length && (unsigned char)copy[length - 1] >= 0xC0)
      length--;
    memcpy(copy + length, "...", 3);
  }
  return copy;
}
