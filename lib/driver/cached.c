/* SPDX-License-Identifier: MIT */
/* See cached.h. */
#include "driver/cached.h"
#include "ir/passes.h"

#include <stdlib.h>
#include <string.h>
#include "target/target.h"

/* --- Numbers and runs of bytes in entries ----------------------------------------------------- */

static void put_bytes(struct text *out, const void *bytes, size_t size) {
  uint64_t length = size;
  text_append(out, (const char *)&length, sizeof length);
  text_append(out, bytes, size);
}

/* The run at the front, which is taken off; false when it is longer than what is left. */
static bool take_bytes(struct slice *rest, struct slice *out) {
  uint64_t length;
  if (rest->length < sizeof length)
    return false;
  memcpy(&length, rest->data, sizeof length);
  if (length > rest->length - sizeof length)
    return false;
  *out = (struct slice){rest->data + sizeof length, (size_t)length};
  *rest = (struct slice){out->data + length, rest->length - sizeof length - (size_t)length};
  return true;
}

/* --- Other files ------------------------------------------------------------------------------ */

static const struct file_answer *find_answer(const struct file_answers *answers,
                                             struct slice path) {
  for (size_t i = 0; i < answers->count; i++)
    if (slice_equals(path, answers->list[i].path))
      return &answers->list[i];
  return NULL;
}

static void add_answer(struct file_answers *answers, struct file_answer answer) {
  answers->list =
      tile_grow(answers->list, answers->count, &answers->capacity, sizeof *answers->list);
  answers->list[answers->count++] = answer;
}

/* What a file holds; each is read once, so that what is noted is what was told. */
static const struct file_answer *ask(struct cached_request *request, struct file_answers *known,
                                     struct slice path) {
  const struct file_answer *answer = find_answer(known, path);
  if (answer)
    return answer;
  struct file_answer now = {.path = arena_copy_string(&request->arena, path.data, path.length)};
  now.found = request->files.read(request->files.data, now.path, &now.text);
  now.content = key_of_bytes(now.text.data, now.found ? now.text.length : 0);
  add_answer(known, now);
  return &known->list[known->count - 1];
}

/* package_options.read of the importer, with the request as its data. */
static bool read_and_note(void *data, const char *path, struct slice *out) {
  struct cached_request *request = data;
  const struct file_answer *answer = ask(request, &request->answers, slice_of(path));
  if (answer->found)
    *out = answer->text;
  return answer->found;
}

static struct key_builder begin_result_key(const struct cached_request *request) {
  struct key_builder key;
  key_begin(&key, "result");
  key_add(&key, request->key.bytes, sizeof request->key.bytes);
  return key;
}

static void key_add_answer(struct key_builder *key, const struct file_answer *answer) {
  key_add_string(key, answer->path);
  key_add_number(key, answer->found);
  key_add(key, answer->content.bytes, sizeof answer->content.bytes);
}

/* The key of the result for files as they were found. */
static struct cache_key result_key(const struct cached_request *request) {
  if (!request->files.read)
    return request->key;
  struct key_builder key = begin_result_key(request);
  for (size_t i = 0; i < request->answers.count; i++)
    key_add_answer(&key, &request->answers.list[i]);
  return key_end(&key);
}

/* The key for a list of files as they are now; false for a broken list. */
static bool key_of_list(struct cached_request *request, struct slice list,
                        struct file_answers *known, struct cache_key *out) {
  struct key_builder key = begin_result_key(request);
  struct slice path;
  while (list.length) {
    if (!take_bytes(&list, &path))
      return false;
    key_add_answer(&key, ask(request, known, path));
  }
  *out = key_end(&key);
  return true;
}

/* --- Finding ---------------------------------------------------------------------------------- */

static enum cache_place find_by_lists(struct cached_request *request, struct cache_blob **out) {
  struct cache_blob *lists;
  *out = NULL;
  if (cache_get(request->cache, &request->key, &lists) == CACHE_NOWHERE)
    return CACHE_NOWHERE;
  enum cache_place place = CACHE_NOWHERE;
  struct file_answers known = {0};
  struct slice rest = {lists->data, lists->size}, list;
  struct cache_key key;
  while (!*out && take_bytes(&rest, &list) && key_of_list(request, list, &known, &key))
    place = cache_get(request->cache, &key, out);
  free(known.list);
  blob_release(lists);
  return place;
}

/* An entry is what was printed, the diagnostics, and the result. */
static bool take_entry(const struct cache_blob *blob, struct diagnostics *sink, struct text *out) {
  struct slice rest = {blob->data, blob->size}, printed, diagnostics, result;
  if (!take_bytes(&rest, &printed) || !take_bytes(&rest, &diagnostics) ||
      !take_bytes(&rest, &result) || !diagnostics_repeat(sink, printed, diagnostics))
    return false;
  text_append(out, result.data, result.length);
  return true;
}

bool cached_find(struct cached_request *request, struct diagnostics *sink, struct text *out) {
  if (!request->cache)
    return false;
  struct cache_blob *blob;
  enum cache_place place = request->files.read ? find_by_lists(request, &blob)
                                               : cache_get(request->cache, &request->key, &blob);
  bool found = blob && take_entry(blob, sink, out);
  cache_count(request->cache, found ? place : CACHE_NOWHERE);
  blob_release(blob);
  return found;
}

/* --- Keeping ---------------------------------------------------------------------------------- */

void cached_begin(struct cached_request *request, tile_cache *cache, const struct key_builder *key,
                  struct package_options *packages) {
  *request = (struct cached_request){.cache = cache};
  if (!cache)
    return;
  request->key = key_end(key);
  if (packages && packages->read) {
    request->files = *packages;
    packages->read = read_and_note;
    packages->data = request;
  }
}

void cached_record(struct cached_request *request, struct diagnostics *sink) {
  if (!request->cache)
    return;
  request->recorded = sink;
  sink->record = &request->record;
}

/* The list of this compilation, then those that were there, up to a few: files change, and change
   back. */
static void keep_list(struct cached_request *request) {
  enum { MAX_LISTS = 4 };
  struct text list = {0}, lists = {0};
  for (size_t i = 0; i < request->answers.count; i++)
    put_bytes(&list, request->answers.list[i].path, strlen(request->answers.list[i].path));
  put_bytes(&lists, text_string(&list), list.length);
  struct cache_blob *old;
  struct slice other;
  bool is_there = false;
  if (cache_get(request->cache, &request->key, &old) != CACHE_NOWHERE) {
    struct slice rest = {old->data, old->size};
    for (int i = 1; take_bytes(&rest, &other); i++) {
      bool same = other.length == list.length &&
                  (!list.length || memcmp(other.data, list.data, list.length) == 0);
      is_there |= same;
      if (!same && i < MAX_LISTS)
        put_bytes(&lists, other.data, other.length);
    }
  }
  if (!is_there)
    cache_put(request->cache, &request->key, lists.data, lists.length);
  blob_release(old);
  text_free(&list);
  text_free(&lists);
}

void cached_keep(struct cached_request *request, const void *bytes, size_t size) {
  if (!request->cache)
    return;
  struct text entry = {0};
  struct cache_key key = result_key(request);
  put_bytes(&entry, text_string(&request->record.printed), request->record.printed.length);
  put_bytes(&entry, text_string(&request->record.diagnostics), request->record.diagnostics.length);
  put_bytes(&entry, bytes, size);
  cache_put(request->cache, &key, entry.data, entry.length);
  if (request->files.read)
    keep_list(request);
  text_free(&entry);
}

void cached_end(struct cached_request *request) {
  if (request->recorded)
    request->recorded->record = NULL;
  free(request->answers.list);
  text_free(&request->record.printed);
  text_free(&request->record.diagnostics);
  arena_destroy(&request->arena);
}

/* --- What keys are made of -------------------------------------------------------------------- */

/* A new member belongs into the key: count it here when it is there. */
_Static_assert(sizeof(tile_compile_options) == 48, "key_add_compile_options knows each member");
_Static_assert(sizeof(struct import_options) == 160, "key_add_import_options knows each member");

void key_add_compile_options(struct key_builder *key, const tile_compile_options *options,
                             tile_output output) {
  key_add_number(key, output);
  key_add_string(key, options->target);
  key_add_number(key, options->num_warps);
  key_add_number(key, options->fewer_warps);
  key_add_number(key, options->num_stages);
  key_add_number(key, options->programs_per_block);
  key_add_number(key, options->low_occupancy);
  key_add_number(key, options->line_tables);
  key_add_number(key, options->optimization_level);
  key_add_number(key, options->no_fma);
  key_add_number(key, options->tensor_maps);
  key_add_number(key, options->pairs);
  key_add_string(key, passes_skipped());
  if (output != TILE_OUTPUT_CUBIN)
    return;
  struct text assembler = {0};
  assembler_identify(&assembler);
  key_add(key, assembler.data, assembler.length);
  text_free(&assembler);
}

static void key_add_list(struct key_builder *key, const char *const *list, size_t count) {
  key_add_number(key, (int64_t)count);
  for (size_t i = 0; i < count; i++)
    key_add_string(key, list[i]);
}

void key_add_import_options(struct key_builder *key, const struct import_options *options) {
  const struct package_options *packages = &options->packages;
  key_add_string(key, options->kernel);
  key_add_string(key, options->signature);
  key_add_list(key, options->constants, options->constant_count);
  key_add_string(key, options->config);
  key_add_list(key, options->argument_values, options->argument_value_count);
  key_add_string(key, options->target);
  key_add_number(key, packages->read != NULL);
  key_add_list(key, packages->folders, packages->folder_count);
  key_add_string(key, packages->path);
  key_add_number(key, options->num_warps);
  key_add_number(key, options->num_stages);
  key_add_string(key, options->derived_names);
  key_add_number(key, import_allows_plain_globals());
  key_add_number(key, options->derived_values);
}
