/* SPDX-License-Identifier: MIT */
/* See winners_boxes.h. */
#include "tune/winners_boxes.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "base/status.h"
#include "base/toml.h"

/* --- The text of the arguments ---------------------------------------------------------------- */

/* Strings are the arena's. */
static struct winners_argument *argument_of(struct arena *arena, struct winners_arguments *out,
                                            const char *name) {
  for (size_t i = 0; i < out->count; i++)
    if (strcmp(out->list[i].name, name) == 0)
      return &out->list[i];
  struct winners_argument *grown = ARENA_ARRAY(arena, struct winners_argument, out->count + 1);
  if (out->count)
    memcpy(grown, out->list, out->count * sizeof *grown);
  grown[out->count] = (struct winners_argument){.name = name};
  out->list = grown;
  return &out->list[out->count++];
}

static void add_member(struct arena *arena, struct winners_arguments *out, const char *part,
                       const char *name, const char *value) {
  struct winners_argument *argument = argument_of(arena, out, name);
  if (strcmp(part, "types") == 0)
    argument->type = value;
  else if (strcmp(part, "constants") == 0)
    argument->constant = value;
  else
    argument->value = value;
  if (strcmp(part, "values") != 0)
    return;
  const char **keys = ARENA_ARRAY(arena, const char *, out->key_count + 1);
  if (out->key_count)
    memcpy(keys, out->keys, out->key_count * sizeof *keys);
  out->keys = keys;
  out->keys[out->key_count++] = argument->name;
}

tile_status winners_arguments_read(struct arena *arena, const char *text,
                                   struct winners_arguments *out) {
  static const char *const parts[] = {"constants", "types", "values"};
  const struct toml_value *arguments;
  struct toml_error error;
  *out = (struct winners_arguments){0};
  if (!json_parse(arena, text, strlen(text), &arguments, &error))
    return FAIL(TILE_INVALID_ARGUMENT,
                "a row of the database has arguments that cannot be read: %s", text);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    const struct toml_value *part = toml_get(arguments, parts[i]);
    const struct toml_entry *entry = part && part->kind == TOML_TABLE ? part->table.first : NULL;
    for (; entry; entry = entry->next)
      if (entry->value->kind == TOML_STRING)
        add_member(arena, out, parts[i], entry->key.data, entry->value->string.data);
  }
  return NULL;
}

/* --- What is compared ------------------------------------------------------------------------- */

struct boxes {
  struct winners *out;
  const char **names; /* of the compared arguments */
  bool *fixed;        /* of each: a constant of the build, and which */
  int64_t *constants;
  size_t name_count;
  struct text when; /* of the box at hand */
  struct text summary;
};

static bool whole_number(const char *text, int64_t *out) {
  char *end;
  if (text && (strcmp(text, "True") == 0 || strcmp(text, "False") == 0))
    return *out = *text == 'T', true;
  errno = 0;
  *out = text ? strtoll(text, &end, 10) : 0;
  return text && end != text && !*end && !errno;
}

static const struct winners_argument *find(const struct winners_row *row, const char *name) {
  for (size_t i = 0; i < row->arguments.count; i++)
    if (strcmp(row->arguments.list[i].name, name) == 0)
      return &row->arguments.list[i];
  return NULL;
}

/* An argument that a condition can speak of, or a constant of the build. */
static bool is_compared(const tile_configurations *list, const char *name, bool *fixed,
                        int64_t *constant) {
  for (size_t i = 0; i < list->parameter_count; i++) {
    const struct launch_parameter *parameter = &list->parameters[i];
    if (strcmp(parameter->name, name) != 0)
      continue;
    *fixed = parameter->constant != NULL;
    return *fixed ? whole_number(parameter->constant, constant)
                  : parameter->type && (*parameter->type == 'i' || *parameter->type == 'u');
  }
  return false;
}

static void choose_names(struct boxes *b, const struct winners_row *first,
                         const tile_configurations *list) {
  struct arena *arena = &b->out->arena;
  size_t most = first->arguments.key_count + 1;
  b->names = ARENA_ARRAY(arena, const char *, most);
  b->fixed = ARENA_ARRAY(arena, bool, most);
  b->constants = ARENA_ARRAY(arena, int64_t, most);
  for (size_t i = 0; i < first->arguments.key_count; i++) {
    const char *name = first->arguments.keys[i];
    if (is_compared(list, name, &b->fixed[b->name_count], &b->constants[b->name_count]))
      b->names[b->name_count++] = name;
  }
}

/* False when a value is missing or no whole number. */
static bool take_values(const struct boxes *b, struct winners_row *row) {
  int64_t *values = ARENA_ARRAY(&b->out->arena, int64_t, b->name_count + 1);
  row->values = values;
  for (size_t i = 0; i < b->name_count; i++) {
    const struct winners_argument *argument = find(row, b->names[i]);
    if (!argument || !whole_number(argument->value, &values[i]))
      return false;
  }
  return true;
}

static tile_status take_candidate(struct boxes *b, struct winners_row *row) {
  struct winners *out = b->out;
  struct tune_candidate candidate;
  TRY(tune_candidate_parse(row->candidate, strlen(row->candidate), &candidate));
  for (row->index = 0; row->index < out->candidate_count; row->index++)
    if (tune_candidate_compare(&candidate, &out->candidates[row->index]) == 0) {
      tune_candidate_free(&candidate);
      return NULL;
    }
  out->candidates[out->candidate_count++] = candidate;
  return NULL;
}

/* --- Rows in order, each values once ---------------------------------------------------------- */

static int compare_values(const struct winners_row *a, const struct winners_row *b, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (a->values[i] != b->values[i])
      return a->values[i] < b->values[i] ? -1 : 1;
  return 0;
}

/* Of two winners for the same values: that of this build's toolkit, then the later one. */
static bool is_better(const struct winners_row *a, const struct winners_row *b) {
  return a->own_toolkit != b->own_toolkit ? a->own_toolkit : a->changed > b->changed;
}

/* Inserts each row at its place; there are few. */
static size_t sort_rows(struct winners_row *rows, size_t count, size_t names) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    struct winners_row row = rows[i];
    size_t at = 0;
    while (at < kept && compare_values(&rows[at], &row, names) < 0)
      at++;
    if (at < kept && compare_values(&rows[at], &row, names) == 0) {
      if (is_better(&row, &rows[at]))
        rows[at] = row;
      continue;
    }
    memmove(&rows[at + 1], &rows[at], (kept - at) * sizeof *rows);
    rows[at] = row;
    kept++;
  }
  return kept;
}

/* --- Boxes ------------------------------------------------------------------------------------ */

/* The largest value that is nearer to `a` than to `b`, or as near; a < b. */
static int64_t last_near(int64_t a, int64_t b) {
  if (a < 1)
    return a + (int64_t)(((uint64_t)b - (uint64_t)a) / 2);
  unsigned __int128 product = (unsigned __int128)a * (unsigned __int128)b;
  int64_t low = a, high = b - 1; /* the largest v with v * v <= a * b is in here */
  while (low < high) {
    int64_t middle = low + (high - low + 1) / 2;
    if ((unsigned __int128)middle * (unsigned __int128)middle <= product)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

static bool is_uniform(const struct winners_row *rows, size_t count) {
  for (size_t i = 1; i < count; i++)
    if (rows[i].index != rows[0].index)
      return false;
  return true;
}

static tile_status split(struct boxes *b, const struct winners_row *rows, size_t count,
                         size_t level);

static tile_status add_box(struct boxes *b, size_t candidate) {
  struct winners *out = b->out;
  if (out->box_count == WINNERS_MAX)
    return FAIL(TILE_INVALID_ARGUMENT,
                "the winners of the database make more than %d versions; leave some away "
                "(tile-tune clear), or give --config",
                WINNERS_MAX);
  out->boxes[out->box_count++] = (struct winners_box){
      candidate, b->when.length
                     ? arena_copy_string(&out->arena, text_string(&b->when), b->when.length)
                     : NULL};
  return NULL;
}

static void add_condition(struct boxes *b, const char *name, const char *op, int64_t value) {
  text_printf(&b->when, "%s%s %s %" PRId64, b->when.length ? " and " : "", name, op, value);
}

/* The rows [from, to) are those of neighbouring values of an argument. */
static tile_status split_range(struct boxes *b, const struct winners_row *rows, size_t count,
                               size_t from, size_t to, size_t level) {
  size_t before = b->when.length;
  if (from > 0)
    add_condition(b, b->names[level],
                  ">=", last_near(rows[from - 1].values[level], rows[from].values[level]) + 1);
  if (to < count)
    add_condition(b, b->names[level],
                  "<=", last_near(rows[to - 1].values[level], rows[to].values[level]));
  tile_status status = split(b, rows + from, to - from, level + 1);
  b->when.length = before;
  if (b->when.data)
    b->when.data[before] = 0;
  return status;
}

static size_t end_of_value(const struct winners_row *rows, size_t count, size_t from,
                           size_t level) {
  size_t to = from;
  while (to < count && rows[to].values[level] == rows[from].values[level])
    to++;
  return to;
}

/* The rows of the tuned value that is nearest to a constant. */
static tile_status split_fixed(struct boxes *b, const struct winners_row *rows, size_t count,
                               size_t level) {
  size_t from = 0, to = end_of_value(rows, count, 0, level);
  while (to < count &&
         b->constants[level] > last_near(rows[to - 1].values[level], rows[to].values[level])) {
    from = to;
    to = end_of_value(rows, count, from, level);
  }
  return split(b, rows + from, to - from, level + 1);
}

/* Neighbouring values whose rows have all the same winner share a box. */
static tile_status split(struct boxes *b, const struct winners_row *rows, size_t count,
                         size_t level) {
  if (level == b->name_count || is_uniform(rows, count))
    return add_box(b, rows[0].index);
  if (b->fixed[level])
    return split_fixed(b, rows, count, level);
  for (size_t from = 0; from < count;) {
    size_t to = end_of_value(rows, count, from, level);
    while (to < count && is_uniform(rows + from, end_of_value(rows, count, to, level) - from))
      to = end_of_value(rows, count, to, level);
    TRY(split_range(b, rows, count, from, to, level));
    from = to;
  }
  return NULL;
}

/* --- All of it -------------------------------------------------------------------------------- */

static void summarise(struct boxes *b, const struct winners_row *row) {
  for (size_t i = 0; i < b->name_count; i++)
    text_printf(&b->summary, "%s%s = %" PRId64, i ? ", " : "", b->names[i], row->values[i]);
  text_puts(&b->summary, b->name_count ? ": " : "");
  tune_candidate_describe(&b->out->candidates[row->index], &b->summary);
  text_printf(&b->summary, " (%.4g ms)\n", row->milliseconds);
}

static tile_status make(struct boxes *b, struct winners_row *rows, size_t count) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (take_values(b, &rows[i]))
      rows[kept++] = rows[i];
  if (!kept)
    return FAIL(TILE_NOT_FOUND,
                "the winners of the database have no values of the arguments that tell them apart");
  kept = sort_rows(rows, kept, b->name_count);
  for (size_t i = 0; i < kept; i++) {
    TRY(take_candidate(b, &rows[i]));
    summarise(b, &rows[i]);
  }
  return split(b, rows, kept, 0);
}

tile_status winners_boxes_make(struct winners_row *rows, size_t count,
                               const tile_configurations *list, struct winners *out) {
  struct boxes b = {.out = out};
  out->candidates = ARENA_ARRAY(&out->arena, struct tune_candidate, count);
  out->boxes = ARENA_ARRAY(&out->arena, struct winners_box, WINNERS_MAX);
  out->device = rows[0].device;
  choose_names(&b, &rows[0], list);
  tile_status status = make(&b, rows, count);
  out->summary = text_keep(&b.summary, &out->arena);
  text_free(&b.when);
  return status;
}
