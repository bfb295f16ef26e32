/* SPDX-License-Identifier: MIT */
/* See candidate.h. */
#include "tune/candidate.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/arena.h"
#include "base/machine.h"
#include "base/status.h"

static char *copy_string(const char *text) {
  size_t size = strlen(text) + 1;
  return memcpy(tile_allocate(size), text, size);
}

void tune_candidate_add(struct tune_candidate *candidate, const char *name, const char *value) {
  candidate->constants =
      tile_reallocate(candidate->constants, (candidate->count + 1) * sizeof *candidate->constants);
  candidate->constants[candidate->count++] =
      (struct tune_constant){.name = copy_string(name), .value = copy_string(value)};
}

const char *tune_candidate_get(const struct tune_candidate *candidate, const char *name) {
  for (size_t i = 0; i < candidate->count; i++)
    if (strcmp(candidate->constants[i].name, name) == 0)
      return candidate->constants[i].value;
  return NULL;
}

struct tune_candidate tune_candidate_copy(const struct tune_candidate *candidate) {
  struct tune_candidate copy = *candidate;
  copy.constants = NULL;
  copy.count = 0;
  for (size_t i = 0; i < candidate->count; i++)
    tune_candidate_add(&copy, candidate->constants[i].name, candidate->constants[i].value);
  return copy;
}

struct tune_candidate tune_candidate_of(const tile_configuration *configuration) {
  struct tune_candidate out = {.num_warps = configuration->num_warps,
                               .num_stages = configuration->num_stages,
                               .num_ctas = configuration->num_ctas,
                               .maxnreg = configuration->max_registers};
  for (size_t i = 0; i < configuration->constant_count; i++)
    tune_candidate_add(&out, configuration->constants[i].name, configuration->constants[i].text);
  return out;
}

void tune_candidate_free(struct tune_candidate *candidate) {
  for (size_t i = 0; i < candidate->count; i++) {
    free(candidate->constants[i].name);
    free(candidate->constants[i].value);
  }
  free(candidate->constants);
  *candidate = (struct tune_candidate){0};
}

/* --- Launch options: one row each ------------------------------------------------------------- */

static const struct launch_option {
  const char *name;
  size_t offset;
  int most;
  bool power_of_two;
  int quiet; /* a value that people need not see */
} launch_options[] = {
    {"num_warps", offsetof(struct tune_candidate, num_warps), MACHINE_BLOCK_WARPS, true, 0},
    {"num_stages", offsetof(struct tune_candidate, num_stages), 16, false, 0},
    {"num_ctas", offsetof(struct tune_candidate, num_ctas), 16, true, 1},
    {"maxnreg", offsetof(struct tune_candidate, maxnreg), MACHINE_THREAD_REGISTERS, false, 0},
};
enum { OPTION_COUNT = sizeof launch_options / sizeof *launch_options };

static int option_value(const struct tune_candidate *candidate, size_t option) {
  return *(const int *)((const char *)candidate + launch_options[option].offset);
}

static void set_option(struct tune_candidate *candidate, size_t option, int value) {
  *(int *)((char *)candidate + launch_options[option].offset) = value;
}

/* --- Texts ------------------------------------------------------------------------------------ */

void tune_candidate_print(const struct tune_candidate *candidate, struct text *out) {
  text_puts(out, "{\"constants\":{");
  for (size_t i = 0; i < candidate->count; i++) {
    text_puts(out, i ? "," : "");
    text_json_string(out, candidate->constants[i].name);
    text_puts(out, ":");
    text_json_string(out, candidate->constants[i].value);
  }
  text_puts(out, "}");
  for (size_t i = 0; i < OPTION_COUNT; i++)
    text_printf(out, ",\"%s\":%d", launch_options[i].name, option_value(candidate, i));
  text_puts(out, "}");
}

void tune_candidate_describe(const struct tune_candidate *candidate, struct text *out) {
  const char *separator = "";
  for (size_t i = 0; i < candidate->count; i++, separator = " ")
    text_printf(out, "%s%s=%s", separator, candidate->constants[i].name,
                candidate->constants[i].value);
  for (size_t i = 0; i < OPTION_COUNT; i++) {
    int value = option_value(candidate, i);
    if (value == 0 || value == launch_options[i].quiet)
      continue;
    text_printf(out, "%s%s=%d", separator, launch_options[i].name, value);
    separator = " ";
  }
  text_puts(out, *separator ? "" : "(no constants)");
}

/* --- Reading ---------------------------------------------------------------------------------- */

#define MEMBERS "constants, num_warps, num_stages, num_ctas and maxnreg"

static bool wrong(struct toml_error *error, struct toml_span span, const char *what) {
  error->span = span;
  snprintf(error->message, sizeof error->message, "%s", what);
  return false;
}

/* A constant's value as Python writes it, which is how a string has it; NULL for what has no such
   form. */
static const char *python_value(const char *text, const struct toml_value *value,
                                struct arena *arena) {
  switch (value->kind) {
  case TOML_STRING:
    return value->string.data;
  case TOML_INTEGER:
  case TOML_FLOAT:
    return arena_copy_string(arena, text + value->span.offset, value->span.length);
  case TOML_BOOLEAN:
    return value->boolean ? "True" : "False";
  case TOML_NULL:
    return "None";
  case TOML_ARRAY:
  case TOML_TABLE:
    break;
  }
  return NULL;
}

static bool has_zeros(const struct toml_value *value) {
  return value->kind == TOML_STRING && strlen(value->string.data) != value->string.length;
}

static bool read_constants(const char *text, const struct toml_value *constants,
                           struct tune_candidate *out, struct toml_error *error) {
  struct arena arena = {0};
  if (constants->kind != TOML_TABLE)
    return wrong(error, constants->span, "constants are an object");
  const char *what = NULL;
  const struct toml_entry *entry = constants->table.first;
  for (; entry; entry = entry->next) {
    const char *value = python_value(text, entry->value, &arena);
    if (has_zeros(entry->value) || strlen(entry->key.data) != entry->key.length)
      what = "a string with a zero in it";
    else if (!entry->key.length)
      what = "a constant has no name";
    else if (!value)
      what = "a constant's value is a number, a text, true, false or null";
    else if (!*value)
      what = "a constant has no value";
    if (what)
      break;
    tune_candidate_add(out, entry->key.data, value);
  }
  arena_destroy(&arena);
  return !what || wrong(error, entry->span, what);
}

/* null is an option that is not given. */
static bool read_option(const struct toml_value *value, size_t index, struct tune_candidate *out,
                        struct toml_error *error) {
  const struct launch_option *option = &launch_options[index];
  if (value->kind == TOML_NULL)
    return true;
  if (value->kind != TOML_INTEGER || value->integer < 0 || value->integer > option->most ||
      (option->power_of_two && (value->integer & (value->integer - 1)))) {
    error->span = value->span;
    snprintf(error->message, sizeof error->message, "%s is %s up to %d, or 0", option->name,
             option->power_of_two ? "a power of two" : "a number", option->most);
    return false;
  }
  set_option(out, index, (int)value->integer);
  return true;
}

/* What tile-translate --list-configs says besides has no meaning here. */
static bool is_ignored(struct slice name) {
  return slice_equals(name, "number") || slice_equals(name, "pre_hook");
}

static bool read_member(const char *text, const struct toml_entry *entry,
                        struct tune_candidate *out, struct toml_error *error) {
  if (slice_equals(entry->key, "constants"))
    return read_constants(text, entry->value, out, error);
  for (size_t i = 0; i < OPTION_COUNT; i++)
    if (slice_equals(entry->key, launch_options[i].name))
      return read_option(entry->value, i, out, error);
  return is_ignored(entry->key) || wrong(error, entry->span, "there are " MEMBERS ", nothing else");
}

bool tune_candidate_read(const char *text, const struct toml_value *value,
                         struct tune_candidate *out, struct toml_error *error) {
  struct tune_candidate read = {0};
  if (!value || value->kind != TOML_TABLE)
    return wrong(error, value ? value->span : (struct toml_span){0},
                 "it is an object with the members " MEMBERS);
  for (const struct toml_entry *entry = value->table.first; entry; entry = entry->next)
    if (!read_member(text, entry, &read, error)) {
      tune_candidate_free(&read);
      return false;
    }
  *out = read;
  return true;
}

tile_status tune_candidate_parse(const char *text, size_t length, struct tune_candidate *out) {
  enum { SHOWN = 200 };
  struct arena arena = {0};
  const struct toml_value *value;
  struct toml_error error;
  bool good = json_parse(&arena, text, length, &value, &error) &&
              tune_candidate_read(text, value, out, &error);
  arena_destroy(&arena);
  if (good)
    return NULL;
  return FAIL(TILE_INVALID_ARGUMENT, "a candidate's text, at byte %u: %s, in '%.*s%s'",
              (unsigned)error.span.offset, error.message, (int)(length > SHOWN ? SHOWN : length),
              text, length > SHOWN ? "..." : "");
}

/* --- Order ------------------------------------------------------------------------------------ */

static bool whole_number(const char *text, long long *out) {
  char *end;
  errno = 0;
  *out = strtoll(text, &end, 10);
  return end != text && !*end && !errno && text[0] != '+' && text[0] != ' ';
}

/* Numbers are before everything else: an order needs that, beside a rule of its own for two of
 * them. */
static int compare_values(const char *a, const char *b) {
  long long left, right;
  bool first = whole_number(a, &left), second = whole_number(b, &right);
  if (first && second && left != right)
    return left < right ? -1 : 1;
  return first != second ? (first ? -1 : 1) : strcmp(a, b);
}

int tune_candidate_compare(const struct tune_candidate *a, const struct tune_candidate *b) {
  int order = 0;
  if (a->count != b->count)
    return a->count < b->count ? -1 : 1;
  for (size_t i = 0; i < a->count && !order; i++) {
    order = strcmp(a->constants[i].name, b->constants[i].name);
    if (!order)
      order = compare_values(a->constants[i].value, b->constants[i].value);
  }
  for (size_t i = 0; i < OPTION_COUNT && !order; i++)
    order = option_value(a, i) - option_value(b, i);
  return order;
}
