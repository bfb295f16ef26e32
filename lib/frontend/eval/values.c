/* SPDX-License-Identifier: MIT */
/* Values of host code: making them, containers, and how they are written. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "frontend/eval/host.h"

struct value host_name(struct host *host, const char *name) {
  struct value value = value_text(host->eval.arena, name, strlen(name));
  value.kind = VALUE_NAME;
  return value;
}

struct value host_list_new(struct host *host) {
  return (struct value){.kind = VALUE_LIST, .list = ARENA_NEW(host->eval.arena, struct value_list)};
}

struct value host_dict_new(struct host *host) {
  return (struct value){.kind = VALUE_DICT, .dict = ARENA_NEW(host->eval.arena, struct value_dict)};
}

/* A bigger copy; the old one stays until the arena ends. */
static void grow(struct host *host, struct value_dict *dict) {
  const struct value_entry *old = dict->entries;
  dict->capacity = dict->capacity ? dict->capacity * 2 : 8;
  dict->entries = ARENA_ARRAY(host->eval.arena, struct value_entry, dict->capacity);
  if (dict->count)
    memcpy(dict->entries, old, dict->count * sizeof *old);
}

bool host_list_add(struct host *host, struct span span, struct value_list *list,
                   const struct value *item) {
  if (!host_step(host, span, 1))
    return false;
  if (list->count == HOST_LENGTH)
    return host_unknown(host, span, "a list grows beyond %d elements", HOST_LENGTH);
  value_list_add(host->eval.arena, list, item);
  return true;
}

bool host_dict_find(struct host *host, struct span span, const struct value_dict *dict,
                    const struct value *key, struct value **out) {
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

bool host_dict_set(struct host *host, struct span span, struct value_dict *dict,
                   const struct value *key, const struct value *value) {
  struct value *old;
  if (!host_dict_find(host, span, dict, key, &old))
    return false;
  if (old) {
    *old = *value;
    return true;
  }
  if (dict->count == HOST_LENGTH)
    return host_unknown(host, span, "a dictionary grows beyond %d entries", HOST_LENGTH);
  if (dict->count == dict->capacity)
    grow(host, dict);
  dict->entries[dict->count++] = (struct value_entry){*key, *value};
  return true;
}

const struct value *host_dict_get(const struct value_dict *dict, const char *key) {
  for (size_t i = 0; i < dict->count; i++)
    if (dict->entries[i].key.kind == VALUE_STRING && slice_equals(dict->entries[i].key.text, key))
      return &dict->entries[i].value;
  return NULL;
}

struct value host_from_constant(struct host *host, const struct value *value) {
  struct value plain = *value;
  plain.is_typed = plain.is_huge = false;
  return value->kind <= VALUE_DTYPE ? plain : host_name(host, "a compile-time value");
}

/* Lists may share their elements: `left` counts how many more may be reached. */
bool host_to_constant(struct host *host, const struct value *value, int depth, size_t *left,
                      struct value *out) {
  *out = *value;
  if (value->kind != VALUE_LIST)
    return value->kind <= VALUE_DTYPE;
  if (depth == 8 || value->list->count > *left)
    return false;
  *left -= value->list->count;
  *out = value_tuple(host->eval.arena, value->list->items, value->list->count);
  for (size_t i = 0; i < out->tuple.count; i++)
    if (!host_to_constant(host, &value->list->items[i], depth + 1, left, &out->tuple.items[i]))
      return false;
  return true;
}

const char *host_describe(struct host *host, const struct value *value) {
  switch ((int)value->kind) {
  case VALUE_NONE:
    return "None";
  case VALUE_BOOL:
    return value->boolean ? "True" : "False";
  case VALUE_INTEGER:
    return "an integer";
  case VALUE_FLOAT:
    return "a float";
  case VALUE_STRING:
    return "a string";
  case VALUE_DTYPE:
    return "a type";
  case VALUE_LIST:
    return "a list";
  case VALUE_DICT:
    return "a dictionary";
  case VALUE_HOST_FUNCTION:
    return "a function";
  case VALUE_METHOD:
    return "a method";
  case VALUE_CONFIG:
    return "a triton.Config";
  case VALUE_NAME:
    return host_name(host, value->text.data).text.data;
  case VALUE_ARGUMENT:
    return value->argument.dtype.pointers ? "a tensor" : "a run-time argument";
  default:
    return "a value";
  }
}

static void print_float(double number, struct text *out) {
  text_puts(out, isfinite(number) ? "" : "float('");
  value_print_float(number, out);
  text_puts(out, isfinite(number) ? "" : "')");
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

static void print_at(const struct value *value, int depth, struct text *out);

static void print_items(const struct value *value, int depth, struct text *out) {
  bool is_dict = value->kind == VALUE_DICT;
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

static void print_at(const struct value *value, int depth, struct text *out) {
  switch ((int)value->kind) {
  case VALUE_NONE:
    text_puts(out, "None");
    break;
  case VALUE_BOOL:
    text_puts(out, value->boolean ? "True" : "False");
    break;
  case VALUE_INTEGER:
    text_printf(out, "%" PRId64, value->integer);
    break;
  case VALUE_FLOAT:
    print_float(value->number, out);
    break;
  case VALUE_STRING:
    print_string(value->text, out);
    break;
  case VALUE_DTYPE:
    text_printf(out, "tl.%s", dtype_table[value->dtype.id].name);
    break;
  case VALUE_LIST:
  case VALUE_DICT:
    print_items(value, depth, out);
    break;
  case VALUE_NAME:
    text_puts(out, value->text.data);
    break;
  case VALUE_ARGUMENT:
    text_puts(out, value->argument.name);
    break;
  case VALUE_HOST_FUNCTION:
    text_puts(out, node_is(value->function->node, NODE_FUNCTION)
                       ? value->function->node->function.name
                       : "lambda");
    break;
  case VALUE_METHOD:
    text_puts(out, value->method->name);
    break;
  case VALUE_CONFIG:
    text_puts(out, "triton.Config");
    break;
  }
}

void host_print(const struct value *value, struct text *out) {
  print_at(value, 0, out);
}

enum { SOURCE_SHOWN = 60 };

const char *host_source(struct host *host, struct span span) {
  struct slice source = source_slice(module_source(host->module, span.offset), span);
  char *copy = arena_allocate(host->eval.arena, SOURCE_SHOWN + 4);
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
