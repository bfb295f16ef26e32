/* SPDX-License-Identifier: MIT */
/* Values out of the file's tables, with an error at the value where it is of another kind. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tile_bench.h"

bool bench_fail(struct bench_text *text, struct toml_span span, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  problems_add_v(&text->problems, PROBLEM_ERROR, &text->source,
                 (struct span){span.offset, span.length}, format, arguments);
  va_end(arguments);
  return false;
}

static bool fail_kind(struct bench_text *text, const struct toml_value *value, const char *what,
                      const char *wanted) {
  return bench_fail(text, value->span, "'%s' is %s, not %s", what, wanted,
                    toml_kind_phrase(value->kind));
}

bool bench_string_of(struct bench_text *text, const struct toml_value *value, const char *what,
                     const char **out) {
  if (value->kind != TOML_STRING)
    return fail_kind(text, value, what, "a string");
  if (strlen(value->string.data) != value->string.length)
    return bench_fail(text, value->span, "'%s' holds a zero byte", what);
  *out = value->string.data;
  return true;
}

bool bench_read_string(struct bench_text *text, const struct toml_value *table, const char *key,
                       const char **out) {
  const struct toml_value *value = toml_get(table, key);
  return !value || bench_string_of(text, value, key, out);
}

bool bench_read_boolean(struct bench_text *text, const struct toml_value *table, const char *key,
                        bool *out) {
  const struct toml_value *value = toml_get(table, key);
  if (value && value->kind != TOML_BOOLEAN)
    return fail_kind(text, value, key, "true or false");
  if (value)
    *out = value->boolean;
  return true;
}

bool bench_read_number(struct bench_text *text, const struct toml_value *table, const char *key,
                       double low, double high, double *out) {
  const struct toml_value *value = toml_get(table, key);
  if (!value)
    return true;
  if (value->kind != TOML_INTEGER && value->kind != TOML_FLOAT)
    return fail_kind(text, value, key, "a number");
  double number = value->kind == TOML_INTEGER ? (double)value->integer : value->number;
  if (!(number >= low && number <= high))
    return bench_fail(text, value->span, "'%s' is from %g to %g", key, low, high);
  *out = number;
  return true;
}

bool bench_read_integer(struct bench_text *text, const struct toml_value *table, const char *key,
                        int64_t low, int64_t high, int64_t *out) {
  const struct toml_value *value = toml_get(table, key);
  if (!value)
    return true;
  if (value->kind != TOML_INTEGER)
    return fail_kind(text, value, key, "an integer");
  if (value->integer < low || value->integer > high)
    return bench_fail(text, value->span, "'%s' is from %lld to %lld", key, (long long)low,
                      (long long)high);
  *out = value->integer;
  return true;
}

bool bench_read_expression(struct bench_text *text, const struct toml_value *table, const char *key,
                           struct bench_expression *out) {
  const struct toml_value *value = toml_get(table, key);
  return !value || bench_expression_read(text, value, out);
}

bool bench_read_strings(struct bench_text *text, const struct toml_value *table, const char *key,
                        const char ***out, size_t *count) {
  const struct toml_value *value = toml_get(table, key);
  if (!value)
    return true;
  bool is_array = value->kind == TOML_ARRAY;
  *count = is_array ? value->array.count : 1;
  *out = ARENA_ARRAY(&text->arena, const char *, *count + 1);
  for (size_t i = 0; i < *count; i++)
    if (!bench_string_of(text, is_array ? value->array.items[i] : value, key, &(*out)[i]))
      return false;
  return true;
}

bool bench_read_table(struct bench_text *text, const struct toml_value *table, const char *key,
                      const struct toml_value **out) {
  *out = toml_get(table, key);
  return !*out || (*out)->kind == TOML_TABLE || fail_kind(text, *out, key, "a table");
}

bool bench_check_keys(struct bench_text *text, const struct toml_value *table,
                      const char *const *known, const char *what) {
  size_t count = 0, errors = text->problems.errors;
  while (known[count])
    count++;
  for (const struct toml_entry *entry = table->table.first; entry; entry = entry->next) {
    size_t i = 0;
    while (i < count && !slice_equals(entry->key, known[i]))
      i++;
    if (i < count)
      continue;
    const char *near = nearest_word(entry->key.data, known, count);
    struct text list = {0};
    for (size_t k = 0; k < count && !near; k++)
      text_printf(&list, "%s%s", k ? ", " : "there are ", known[k]);
    bench_fail(text, entry->span, "%s has no '%s'; %s%s%s", what, entry->key.data,
               near ? "did you mean '" : "", near ? near : text_string(&list), near ? "'?" : "");
    text_free(&list);
  }
  return text->problems.errors == errors;
}

const char *bench_path(struct bench_text *text, const char *path) {
  const char *slash = strrchr(text->name, '/');
  if (*path == '/' || !slash)
    return path;
  return text_format(&text->arena, "%.*s/%s", (int)(slash - text->name), text->name, path);
}
