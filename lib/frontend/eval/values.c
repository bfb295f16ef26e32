/* SPDX-License-Identifier: MIT */
/* Values of host code: making them, and containers. */
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

bool host_list_add(struct host *host, struct span span, struct value_list *list,
                   const struct value *item) {
  if (!host_step(host, span, 1))
    return false;
  if (list->count == HOST_LENGTH)
    return host_unknown(host, span, "a list grows beyond %d elements", HOST_LENGTH);
  value_list_add(host->eval.arena, list, item);
  return true;
}

bool host_list_extend(struct host *host, struct span span, struct value_list *list,
                      const struct value *items, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!host_list_add(host, span, list, &items[i]))
      return false;
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
  dict->entries = arena_grow(host->eval.arena, dict->entries, dict->count, &dict->capacity,
                             sizeof *dict->entries);
  dict->entries[dict->count++] = (struct value_entry){*key, *value};
  return true;
}

bool host_dict_put(struct host *host, struct span span, struct value_dict *dict, const char *name,
                   const struct value *value) {
  struct value key = value_text(host->eval.arena, name, strlen(name));
  return host_dict_set(host, span, dict, &key, value);
}

bool host_dict_merge(struct host *host, struct span span, struct value_dict *dict,
                     const struct value_dict *from) {
  for (size_t i = 0; i < from->count; i++)
    if (!host_dict_set(host, span, dict, &from->entries[i].key, &from->entries[i].value))
      return false;
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
  return value_describe_host(host->eval.arena, value);
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
