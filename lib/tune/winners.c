/* SPDX-License-Identifier: MIT */
/* See winners.h. The rows that count; winners_boxes.c makes boxes of them. */
#include "tune/winners.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include "base/build_id.h"
#include "base/status.h"
#include "frontend/config/tuning.h"
#include "tune/database.h"
#include "tune/key.h"
#include "tune/winners_boxes.h"

/* What is being read. */
struct reading {
  const struct winners_request *request;
  struct winners *out;
  const tile_configurations *list; /* what is built */
  struct winners_row *rows;        /* with the arguments that fit */
  size_t count, capacity;
  size_t others;      /* of this content, with other types or constants */
  const char *other;  /* the arguments of one of them */
  size_t stale;       /* of this kernel's name, with another content */
  tile_status status; /* of reading a row */
};

static const char *keep(struct reading *r, const char *text) {
  return arena_copy_string(&r->out->arena, text, strlen(text));
}

/* --- Does a row fit? -------------------------------------------------------------------------- */

static const struct launch_parameter *find(const tile_configurations *list, const char *name) {
  for (size_t i = 0; i < list->parameter_count; i++)
    if (strcmp(list->parameters[i].name, name) == 0)
      return &list->parameters[i];
  return NULL;
}

/* A constant of the build has no type: a launch's argument was specialised. */
static bool fits(const struct reading *r, const struct winners_arguments *arguments) {
  for (size_t i = 0; i < arguments->count; i++) {
    const struct winners_argument *own = &arguments->list[i];
    const struct launch_parameter *parameter = find(r->list, own->name);
    if (!parameter)
      return false;
    if (own->type ? parameter->type && strcmp(own->type, parameter->type) != 0
                  : own->constant &&
                        (!parameter->constant || strcmp(own->constant, parameter->constant) != 0))
      return false;
  }
  return true;
}

static tile_status add_row(struct reading *r, const struct tune_key *key,
                           const struct tune_winner *winner) {
  struct winners_row row = {.device = keep(r, key->device),
                            .capability = keep(r, key->capability),
                            .own_toolkit = strcmp(key->toolkit, build_id()) == 0,
                            .changed = winner->changed,
                            .milliseconds = winner->milliseconds,
                            .candidate = keep(r, winner->candidate)};
  TRY(winners_arguments_read(&r->out->arena, key->arguments, &row.arguments));
  if (!fits(r, &row.arguments)) {
    r->others++;
    r->other = keep(r, key->arguments);
    return NULL;
  }
  r->rows = tile_grow(r->rows, r->count, &r->capacity, sizeof *r->rows);
  r->rows[r->count++] = row;
  return NULL;
}

static tile_status visit(const struct tune_key *key, const struct tune_winner *winner, void *data) {
  return add_row(data, key, winner);
}

static tile_status count_stale(const struct tune_key *key, const struct tune_winner *winner,
                               void *data) {
  struct reading *r = data;
  (void)key, (void)winner;
  r->stale++;
  return NULL;
}

/* --- Which device? ---------------------------------------------------------------------------- */

static bool is_targets(const struct reading *r, const struct winners_row *row) {
  struct text text = {0};
  int capability = target_capability(r->request->target);
  text_printf(&text, "%d.%d", capability / 10, capability % 10);
  bool same = strcmp(text_string(&text), row->capability) == 0;
  text_free(&text);
  return same;
}

static bool is_wanted(const struct reading *r, const struct winners_row *row, bool emulator) {
  if (r->request->device)
    return fnmatch(r->request->device, row->device, 0) == 0;
  bool emulated = strstr(row->device, "emulator") != NULL;
  return emulator ? emulated : !emulated && is_targets(r, row);
}

/* Leaves the rows of one device. */
static tile_status choose_device(struct reading *r, bool emulator) {
  size_t kept = 0;
  for (size_t i = 0; i < r->count; i++) {
    if (!is_wanted(r, &r->rows[i], emulator))
      continue;
    if (kept && strcmp(r->rows[0].device, r->rows[i].device) != 0)
      return FAIL(TILE_INVALID_ARGUMENT,
                  "the database has winners of '%s' and of '%s' for kernel '%s'; choose a device "
                  "with --tuned-device",
                  r->rows[0].device, r->rows[i].device, r->list->kernel);
    r->rows[kept++] = r->rows[i];
  }
  if (!kept && !emulator && !r->request->device)
    return choose_device(r, true);
  r->count = kept;
  return NULL;
}

/* --- What is missing -------------------------------------------------------------------------- */

static tile_status nothing_found(const struct reading *r, const char *path, size_t all) {
  const char *kernel = r->list->kernel;
  if (all)
    return FAIL(TILE_NOT_FOUND,
                "'%s': kernel '%s' was tuned on other devices than '%s'; tile-tune show lists them",
                path, kernel, r->request->device ? r->request->device : r->request->target);
  if (r->others)
    return FAIL(TILE_NOT_FOUND, "'%s': kernel '%s' was tuned for other types or constants: %s",
                path, kernel, r->other);
  if (r->stale)
    return FAIL(
        TILE_NOT_FOUND,
        "'%s': kernel '%s' was tuned with another content of '%s' or of what it imports, or "
        "with other options; tune it again (tile-run --tune)",
        path, kernel, r->request->name);
  return FAIL(TILE_NOT_FOUND, "'%s': kernel '%s' was not tuned; tile-run --tune does it", path,
              kernel);
}

static tile_status read_rows(struct reading *r, struct tune_database *database,
                             const char *content) {
  struct tune_key filter = {.kernel = r->list->kernel, .content = content};
  TRY(tune_database_each_winner(database, &filter, visit, r));
  size_t all = r->count;
  TRY(choose_device(r, false));
  if (r->count)
    return winners_boxes_make(r->rows, r->count, r->list, r->out);
  filter.content = NULL;
  TRY(tune_database_each_winner(database, &filter, count_stale, r));
  return nothing_found(r, tune_database_path(database), all);
}

/* --- All of it -------------------------------------------------------------------------------- */

static tile_status read_database(struct reading *r, const char *content) {
  struct tune_database *database;
  TRY(tune_database_open(r->request->database, TUNE_READ, &database));
  tile_status status = read_rows(r, database, content);
  tune_database_close(database);
  return status;
}

tile_status winners_read(const struct winners_request *request, struct winners *out) {
  struct reading r = {.request = request, .out = out};
  struct import_options import = *request->import;
  struct text content = {0}, arguments = {0};
  tile_configurations *list;
  import.target = request->target;
  tile_status status = tune_key_read(request->name, request->text, request->length, &import,
                                     request->options, NULL, NULL, &content, &arguments, &list);
  r.list = list;
  if (!status)
    status = read_database(&r, text_string(&content));
  tile_configurations_destroy(list);
  text_free(&content);
  text_free(&arguments);
  free(r.rows);
  if (status)
    winners_free(out);
  return status;
}

void winners_free(struct winners *winners) {
  for (size_t i = 0; i < winners->candidate_count; i++)
    tune_candidate_free(&winners->candidates[i]);
  arena_destroy(&winners->arena);
  *winners = (struct winners){0};
}
