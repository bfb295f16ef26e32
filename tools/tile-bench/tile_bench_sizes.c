/* SPDX-License-Identifier: MIT */
/* [sizes]: what is measured at which sizes.

     n = 4096                                    one size
     n = [1024, 4096, "3 * 4096"]                a list
     n = {from = 256, to = 4096, step = 128}     a linear range
     n = {from = 4096, to = "2**27", factor = 2} a logarithmic one
     m = "n // 2"                                computed from the sizes above it

   Several lists give all combinations, the last name changing fastest. [[sizes]] several times
   gives the points of one table after those of the other; each has the same names. */
#include <stdlib.h>
#include <string.h>
#include "base/status.h"
#include "tile_bench.h"

/* One name of one table. */
struct axis {
  const char *name;
  struct bench_expression *values; /* the arena's */
  size_t count;
};

struct reading {
  struct bench_file *file;
  struct axis axes[BENCH_MAX_SIZES];
  size_t axis_count;
  int64_t point[BENCH_MAX_SIZES];
};

static bool add_point(struct reading *reading) {
  struct bench_file *file = reading->file;
  memcpy(file->points[file->point_count++], reading->point, sizeof reading->point);
  return true;
}

/* Gives each value of axis `at`, with what the ones before it have, to the axes after it. */
static bool combine(struct reading *reading, size_t at) {
  struct bench_text *text = &reading->file->text;
  struct bench_names names = {.count = 0};
  if (at == reading->axis_count)
    return add_point(reading);
  for (size_t i = 0; i < at; i++)
    bench_names_set(&names, reading->axes[i].name, value_integer(reading->point[i]));
  const struct axis *axis = &reading->axes[at];
  for (size_t i = 0; i < axis->count; i++) {
    if (reading->file->point_count == BENCH_MAX_POINTS)
      return bench_fail(text, axis->values[i].span, "there are more than %d combinations of sizes",
                        BENCH_MAX_POINTS);
    if (!bench_expression_integer(text, &axis->values[i], &names, axis->name, 0, INT64_C(1) << 40,
                                  &reading->point[at]) ||
        !combine(reading, at + 1))
      return false;
  }
  return true;
}

/* --- Ranges ----------------------------------------------------------------------------------- */

static bool add_value(struct bench_text *text, struct axis *axis, const struct toml_value *value,
                      int64_t number) {
  if (axis->count == BENCH_MAX_POINTS)
    return bench_fail(text, value->span, "the range has more than %d sizes", BENCH_MAX_POINTS);
  axis->values[axis->count++] = (struct bench_expression){
      .given = true, .span = value->span, .number = value_integer(number)};
  return true;
}

static bool range_bound(struct bench_text *text, const struct toml_value *value, const char *key,
                        int64_t *out) {
  static const struct bench_names none;
  struct bench_expression expression = {0};
  if (!toml_get(value, key))
    return bench_fail(text, value->span,
                      "a range has 'from', 'to', and 'step' or 'factor'; '%s' is missing", key);
  return bench_read_expression(text, value, key, &expression) &&
         bench_expression_integer(text, &expression, &none, key, 1, INT64_C(1) << 40, out);
}

static bool read_range(struct bench_text *text, const struct toml_value *value, struct axis *axis) {
  static const char *const keys[] = {"from", "to", "step", "factor", NULL};
  int64_t from, to, step = 0;
  double factor = 0;
  if (!bench_check_keys(text, value, keys, "a range") || !range_bound(text, value, "from", &from) ||
      !range_bound(text, value, "to", &to) ||
      !bench_read_integer(text, value, "step", 1, INT64_C(1) << 40, &step) ||
      !bench_read_number(text, value, "factor", 1.001, 1e6, &factor))
    return false;
  if ((step > 0) == (factor > 0))
    return bench_fail(text, value->span,
                      "a range has either 'step' (added) or 'factor' (multiplied by)");
  if (to < from)
    return bench_fail(text, value->span, "the range ends at %lld, before it begins", (long long)to);
  axis->values = ARENA_ARRAY(&text->arena, struct bench_expression, BENCH_MAX_POINTS);
  int64_t before = 0;
  for (double at = (double)from; at <= (double)to * (1 + 1e-9);
       at = step ? at + (double)step : at * factor) {
    int64_t size = (int64_t)(at + 0.5);
    if (size != before && !add_value(text, axis, value, size))
      return false;
    before = size;
  }
  return true;
}

static bool read_axis(struct bench_text *text, const struct toml_value *value, struct axis *axis) {
  if (value->kind == TOML_TABLE)
    return read_range(text, value, axis);
  bool is_array = value->kind == TOML_ARRAY;
  axis->count = is_array ? value->array.count : 1;
  if (!axis->count)
    return bench_fail(text, value->span, "the list of sizes is empty");
  axis->values = ARENA_ARRAY(&text->arena, struct bench_expression, axis->count);
  for (size_t i = 0; i < axis->count; i++)
    if (!bench_expression_read(text, is_array ? value->array.items[i] : value, &axis->values[i]))
      return false;
  return true;
}

/* --- --size NAME=N,N,... ---------------------------------------------------------------------- */

/* The choice for a name, after its '=', or NULL. */
static const char *choice_for(const char *name, const char *const *choices, size_t count) {
  size_t length = strlen(name);
  for (size_t i = 0; i < count; i++)
    if (strncmp(choices[i], name, length) == 0 && choices[i][length] == '=')
      return choices[i] + length + 1;
  return NULL;
}

static bool read_choice(struct bench_text *text, const struct toml_value *value, const char *choice,
                        struct axis *axis) {
  axis->count = 0;
  axis->values = ARENA_ARRAY(&text->arena, struct bench_expression, BENCH_MAX_POINTS);
  for (const char *at = choice;; at++) {
    char *end;
    long long size = strtoll(at, &end, 10);
    if (end == at || (*end && *end != ',') || size < 1 || size > INT64_C(1) << 40)
      return bench_fail(text, value->span, "--size %s=%s is no list of sizes such as 1024,4096",
                        axis->name, choice);
    if (!add_value(text, axis, value, size))
      return false;
    at = end;
    if (!*at)
      return true;
  }
}

static bool check_choices(struct bench_file *file, const char *const *choices, size_t count) {
  for (size_t i = 0; i < count; i++) {
    bool known = false;
    size_t length = strcspn(choices[i], "=");
    for (size_t axis = 0; axis < file->axis_count; axis++)
      known |=
          strlen(file->axes[axis]) == length && strncmp(file->axes[axis], choices[i], length) == 0;
    if (!known || !choices[i][length])
      return bench_fail(&file->text, toml_get(file->text.root, "sizes")->span,
                        "--size %s is not NAME=N,N,... with a name of these sizes", choices[i]);
  }
  return true;
}

/* --- Tables ----------------------------------------------------------------------------------- */

static bool is_identifier(const char *name) {
  size_t letters = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_");
  return letters &&
         !name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789")];
}

/* The names of the first table are those of the file; a later one has the same. */
static bool check_names(struct bench_file *file, const struct toml_value *table, bool first) {
  for (const struct toml_entry *entry = table->table.first; entry; entry = entry->next) {
    size_t i = 0;
    if (!is_identifier(entry->key.data) || strlen(entry->key.data) != entry->key.length)
      return bench_fail(&file->text, entry->span,
                        "'%s' is no name for a size; names are of letters, digits and '_'",
                        entry->key.data);
    if (first && file->axis_count == BENCH_MAX_SIZES)
      return bench_fail(&file->text, entry->span, "there are more than %d sizes", BENCH_MAX_SIZES);
    if (first)
      file->axes[file->axis_count++] = entry->key.data;
    while (i < file->axis_count && strcmp(file->axes[i], entry->key.data) != 0)
      i++;
    if (i == file->axis_count)
      return bench_fail(&file->text, entry->span,
                        "the first [[sizes]] has no '%s'; all have the same names",
                        entry->key.data);
  }
  if (table->table.count != file->axis_count)
    return bench_fail(&file->text, table->span,
                      "a name is missing here; all [[sizes]] have the same");
  return file->axis_count ||
         bench_fail(&file->text, table->span, "there is no size; write n = [1024, 4096]");
}

static bool read_table(struct reading *reading, const struct toml_value *table,
                       const char *const *choices, size_t choice_count) {
  struct bench_file *file = reading->file;
  if (!check_names(file, table, !file->axis_count))
    return false;
  reading->axis_count = file->axis_count;
  for (size_t i = 0; i < file->axis_count; i++) {
    const struct toml_value *value = toml_get(table, file->axes[i]);
    struct axis *axis = &reading->axes[i];
    const char *choice = choice_for(file->axes[i], choices, choice_count);
    *axis = (struct axis){.name = file->axes[i]};
    if (!(choice ? read_choice(&file->text, value, choice, axis)
                 : read_axis(&file->text, value, axis)))
      return false;
  }
  return combine(reading, 0);
}

bool bench_sizes_read(struct bench_file *file, const char *const *choices, size_t choice_count) {
  const struct toml_value *value = toml_get(file->text.root, "sizes");
  struct reading *reading = ARENA_NEW(&file->text.arena, struct reading);
  reading->file = file;
  file->points = arena_allocate(&file->text.arena, BENCH_MAX_POINTS * sizeof *file->points);
  if (!value)
    return bench_fail(&file->text, (struct toml_span){0, 0}, "the file has no [sizes]");
  if (value->kind != TOML_TABLE && value->kind != TOML_ARRAY)
    return bench_fail(&file->text, value->span,
                      "sizes are a table: [sizes], then n = [1024, 4096]");
  size_t count = value->kind == TOML_ARRAY ? value->array.count : 1;
  for (size_t i = 0; i < count; i++) {
    const struct toml_value *table = value->kind == TOML_ARRAY ? value->array.items[i] : value;
    if (table->kind != TOML_TABLE)
      return bench_fail(&file->text, table->span,
                        "sizes are a table: [sizes], then n = [1024, 4096]");
    if (!read_table(reading, table, i ? NULL : choices, i ? 0 : choice_count))
      return false;
    if (choice_count) /* what --size says replaces all tables */
      break;
  }
  if (!file->point_count)
    return bench_fail(&file->text, value->span, "there is no size");
  return check_choices(file, choices, choice_count);
}

void bench_point_names(const struct bench_file *file, size_t point, int multiprocessors,
                       struct bench_names *out) {
  out->count = 0;
  for (size_t i = 0; i < file->axis_count; i++)
    bench_names_set(out, file->axes[i], value_integer(file->points[point][i]));
  bench_names_set(out, "multiprocessors", value_integer(multiprocessors));
}
