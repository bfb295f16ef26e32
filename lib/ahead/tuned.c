/* SPDX-License-Identifier: MIT */
/* See tuned.h. */
#include "ahead/tuned.h"

#include <string.h>
#include "base/status.h"
#include "tune/winners.h"

struct versions {
  struct arena *arena;
  const struct tuned_request *request;
  struct tuned_version *list;
  size_t count;
  struct text *comment;
};

static bool is_given(const struct import_options *import, const char *name) {
  size_t length = strlen(name);
  for (size_t i = 0; i < import->constant_count; i++)
    if (strncmp(import->constants[i], name, length) == 0 && import->constants[i][length] == '=')
      return true;
  return false;
}

/* What the variant gives itself stays. */
static void add_constant(struct versions *v, const char **list, size_t *count, const char *name,
                         const char *value) {
  if (!is_given(v->request->import, name))
    list[(*count)++] = text_format(v->arena, "%s=%s", name, value);
}

static void add_number(struct versions *v, const char **list, size_t *count, const char *name,
                       int value) {
  struct text text = {0};
  text_printf(&text, "%d", value);
  if (value)
    add_constant(v, list, count, name, text_string(&text));
  text_free(&text);
}

static const char *const *constants_of(struct versions *v, const struct tune_candidate *candidate,
                                       size_t *count) {
  const struct import_options *import = v->request->import;
  const char **list =
      ARENA_ARRAY(v->arena, const char *, import->constant_count + candidate->count + 4);
  for (*count = 0; *count < import->constant_count; ++*count)
    list[*count] = import->constants[*count];
  for (size_t i = 0; i < candidate->count; i++)
    add_constant(v, list, count, candidate->constants[i].name, candidate->constants[i].value);
  add_number(v, list, count, "num_warps", candidate->num_warps);
  add_number(v, list, count, "num_stages", candidate->num_stages);
  add_number(v, list, count, "num_ctas", candidate->num_ctas);
  add_number(v, list, count, "maxnreg", candidate->maxnreg);
  return list;
}

static const char *both(struct arena *arena, const char *a, const char *b) {
  if (!a || !b)
    return a ? a : b ? arena_copy_string(arena, b, strlen(b)) : NULL;
  return text_format(arena, "%s and %s", a, b);
}

/* Versions of a target before it that are the same code: none are, of another target. */
static void add_boxes(struct versions *v, const char *target, const struct winners *winners) {
  size_t *first = ARENA_ARRAY(v->arena, size_t, winners->candidate_count + 1);
  for (size_t i = 0; i < winners->box_count; i++) {
    const struct winners_box *box = &winners->boxes[i];
    struct tuned_version *out = &v->list[v->count++];
    *out = (struct tuned_version){.target = target, .same = first[box->candidate]};
    out->constants = constants_of(v, &winners->candidates[box->candidate], &out->constant_count);
    out->when = both(v->arena, v->request->when, box->when);
    if (!out->same)
      first[box->candidate] = v->count;
  }
}

/* "Tuned on NVIDIA H200:", and a line for each winner. */
static void add_comment(struct versions *v, const char *target, const struct winners *winners) {
  text_printf(v->comment, "Tuned on %s%s%s:\n%s", winners->device, target ? ", for " : "",
              target ? target : "", winners->summary);
}

static tile_status read_target(struct versions *v, const char *target, struct winners *out) {
  const struct tuned_request *request = v->request;
  return winners_read(&(struct winners_request){.database = request->database,
                                                .device = request->device,
                                                .name = request->name,
                                                .text = request->text,
                                                .length = request->length,
                                                .import = request->import,
                                                .options = request->options,
                                                .target = target},
                      out);
}

/* The first target that has winners. */
static tile_status read_any(struct versions *v, struct winners *out) {
  tile_status first = NULL;
  for (size_t t = 0; t < v->request->target_count; t++) {
    tile_status status = read_target(v, v->request->targets[t], out);
    if (!status || tile_status_code(status) != TILE_NOT_FOUND) {
      tile_status_free(first);
      return status;
    }
    if (first)
      tile_status_free(status);
    else
      first = status;
  }
  return first;
}

static tile_status add_target(struct versions *v, const char *target,
                              const struct winners *otherwise) {
  bool one = v->request->target_count == 1;
  struct winners own = {0};
  tile_status status = read_target(v, target, &own);
  if (status && tile_status_code(status) != TILE_NOT_FOUND)
    return status;
  const struct winners *winners = status ? otherwise : &own;
  tile_status_free(status);
  add_comment(v, one ? NULL : target, winners);
  add_boxes(v, one ? NULL : target, winners);
  winners_free(&own);
  return NULL;
}

tile_status tuned_versions_read(struct arena *arena, const struct tuned_request *request,
                                const struct tuned_version **out, size_t *count,
                                struct text *comment) {
  struct versions v = {.arena = arena, .request = request, .comment = comment};
  struct winners any = {0};
  if (request->import->config)
    return FAIL(TILE_INVALID_ARGUMENT,
                "--tuned takes the configurations from a database, and --config %s names one; "
                "leave one of them",
                request->import->config);
  TRY(read_any(&v, &any));
  v.list = ARENA_ARRAY(arena, struct tuned_version, request->target_count * WINNERS_MAX);
  tile_status status = NULL;
  for (size_t t = 0; t < request->target_count && !status; t++)
    status = add_target(&v, request->targets[t], &any);
  winners_free(&any);
  *out = v.list, *count = v.count;
  return status;
}
