/* SPDX-License-Identifier: MIT */
/* Providers that are programs: anything that reads questions as lines of JSON and answers with
   lines of JSON. docs/benchmarking.md has the questions. Buffers go through .npy files. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/npy.h"
#include "base/status.h"
#include "tile_bench_child.h"
#include "tile_bench_run.h"

enum { PROTOCOL = 1, DEFAULT_SECONDS = 600, MAX_TIMES = 1 << 20 };

struct command_state {
  struct bench_child child;
  bool skips; /* at this size */
};

/* --- Questions and answers -------------------------------------------------------------------- */

/* What the program prints that is no answer, such as a library's warnings, is for people. */
static void pass_on(const struct bench *bench, const struct bench_provider *provider,
                    const struct text *line) {
  progress_clear(bench->progress);
  if (!bench->options->quiet && line->length)
    fprintf(stderr, "tile-bench: note: %s says: %.200s\n", provider->name, text_string(line));
}

static tile_status broken(const struct bench_provider *provider, const char *what) {
  return FAIL(TILE_EXTERNAL_TOOL, "%s: %s", provider->name, what);
}

static tile_status receive(struct bench *bench, struct bench_provider *provider,
                           struct arena *arena, const struct toml_value **out) {
  struct command_state *state = provider->state;
  struct text line = {0};
  struct toml_error error;
  tile_status status;
  for (;;) {
    status = bench_child_receive(&state->child, (int)provider->seconds, &line);
    if (status || (line.length && line.data[0] == '{'))
      break;
    pass_on(bench, provider, &line);
  }
  if (!status && !json_parse(arena, line.data, line.length, out, &error))
    status = FAIL(TILE_EXTERNAL_TOOL, "%s answers what is no JSON, at column %u: %s",
                  provider->name, (unsigned)error.span.offset + 1, error.message);
  text_free(&line);
  return status;
}

/* Asks, and takes the answer {"error": "why"} as an error, {"skip": "why"} as one of
   TILE_UNSUPPORTED. The answer is the arena's. */
static tile_status ask(struct bench *bench, struct bench_provider *provider, struct text *question,
                       struct arena *arena, const struct toml_value **out) {
  struct command_state *state = provider->state;
  text_puts(question, "}\n");
  tile_status status = bench_child_send(&state->child, question);
  text_free(question);
  TRY(status);
  TRY(receive(bench, provider, arena, out));
  const struct toml_value *error = toml_get(*out, "error"), *skip = toml_get(*out, "skip");
  if (error)
    return broken(provider, error->kind == TOML_STRING ? error->string.data
                                                       : "it says that something is wrong");
  if (skip)
    return FAIL(TILE_UNSUPPORTED, "%s",
                skip->kind == TOML_STRING ? skip->string.data : "it says no reason");
  return NULL;
}

static tile_status ask_plainly(struct bench *bench, struct bench_provider *provider,
                               struct text *question) {
  struct arena arena = {0};
  const struct toml_value *answer;
  tile_status status = ask(bench, provider, question, &arena, &answer);
  arena_destroy(&arena);
  return status;
}

static void begin(const char *command, struct text *out) {
  text_printf(out, "{\"command\": \"%s\"", command);
}

static void member(const char *name, const char *value, struct text *out) {
  text_printf(out, ", \"%s\": ", name);
  text_json_string(out, value);
}

/* --- Once ------------------------------------------------------------------------------------- */

static tile_status make_folder(struct bench *bench) {
  const char *parent = getenv("TMPDIR");
  struct text path = {0};
  if (bench->folder)
    return NULL;
  text_printf(&path, "%s/tile-bench.XXXXXX", parent && *parent ? parent : "/tmp");
  if (!mkdtemp(path.data)) {
    text_free(&path);
    return FAIL(TILE_IO_ERROR, "cannot make a folder in '%s'", parent && *parent ? parent : "/tmp");
  }
  bench->folder = text_keep(&path, &bench->arena);
  return NULL;
}

static tile_status command_open(struct bench *bench, struct bench_provider *provider) {
  struct text question = {0};
  struct command_state *state = ARENA_NEW(&bench->arena, struct command_state);
  state->child = (struct bench_child){.to = -1, .from = -1};
  provider->state = state;
  TRY(make_folder(bench));
  tile_status status = bench_child_start(provider->command, provider->folder, &state->child);
  if (tile_status_code(status) == TILE_NOT_FOUND) { /* a program that is not here is left out, as a
                                                       library would be */
    tile_status absent = FAIL(TILE_NO_DEVICE, "%s", tile_status_message(status));
    tile_status_free(status);
    return absent;
  }
  TRY(status);
  const tile_device_properties *properties = tile_device_get_properties(bench->device);
  begin("hello", &question);
  text_printf(&question, ", \"protocol\": %d", PROTOCOL);
  member("title", bench->file->title, &question);
  member("driver", bench->emulated ? "emulator" : "cuda", &question);
  member("device", properties->name, &question);
  return ask_plainly(bench, provider, &question);
}

void bench_remove_folder(const struct bench *bench) {
  if (!bench->folder)
    return;
  for (size_t i = 0; i < bench->file->argument_count; i++)
    for (int k = 0; k < 2; k++) {
      struct text path = {0};
      text_printf(&path, "%s/%s%zu.npy", bench->folder, k ? "out" : "in", i);
      unlink(text_string(&path));
      text_free(&path);
    }
  rmdir(bench->folder);
}

static void command_close(struct bench_provider *provider) {
  struct command_state *state = provider->state;
  if (state)
    bench_child_end(&state->child);
}

/* --- At one size ------------------------------------------------------------------------------ */

/* FOLDER/in3.npy; outputs are removed when they have been read. */
static void file_name(const struct bench *bench, const char *prefix, size_t argument,
                      struct text *out) {
  text_printf(out, "%s/%s%zu.npy", bench->folder, prefix, argument);
}

/* Once for all programs. */
static tile_status write_inputs(struct bench *bench) {
  if (bench->data.on_disk)
    return NULL;
  for (size_t i = 0; i < bench->file->argument_count; i++) {
    const struct run_argument *host = &bench->data.host[i];
    struct text path = {0};
    if (!host->is_buffer)
      continue;
    file_name(bench, "in", i, &path);
    tile_status status =
        npy_write(text_string(&path), host->type, host->rank, host->shape, host->data);
    text_free(&path);
    TRY(status);
  }
  bench->data.on_disk = true;
  return NULL;
}

static void print_scalar(const struct run_argument *host, struct text *out) {
  double value = element_load(host->type, host->data);
  if (!element_is_float(host->type))
    text_printf(out, ", \"value\": %" PRId64, element_load_integer(host->type, host->data));
  else if (isfinite(value))
    text_printf(out, ", \"value\": %.17g", value);
  else
    text_puts(out, ", \"value\": null");
}

static void print_argument(const struct bench *bench, size_t index, struct text *out) {
  const struct run_argument *host = &bench->data.host[index];
  struct text path = {0};
  text_json_string(out, bench->file->arguments[index].name);
  text_puts(out, ": {\"type\": ");
  text_json_string(out, element_table[host->type].name);
  if (host->is_buffer) {
    file_name(bench, "in", index, &path);
    member("file", text_string(&path), out);
    text_puts(out, ", \"shape\": [");
    for (int i = 0; i < host->rank; i++)
      text_printf(out, "%s%" PRId64, i ? ", " : "", host->shape[i]);
    text_printf(out, "], \"output\": %s",
                bench->file->arguments[index].is_output ? "true" : "false");
  } else {
    print_scalar(host, out);
  }
  text_puts(out, "}");
  text_free(&path);
}

static tile_status command_prepare(struct bench *bench, struct bench_provider *provider,
                                   size_t *variants) {
  struct text question = {0};
  *variants = 1;
  TRY(write_inputs(bench));
  begin("prepare", &question);
  text_puts(&question, ", \"sizes\": {");
  for (size_t i = 0; i < bench->file->axis_count; i++)
    text_printf(&question, "%s\"%s\": %" PRId64, i ? ", " : "", bench->file->axes[i],
                bench->file->points[bench->point][i]);
  text_puts(&question, "}, \"arguments\": {");
  for (size_t i = 0; i < bench->file->argument_count; i++) {
    text_puts(&question, i ? ", " : "");
    print_argument(bench, i, &question);
  }
  text_puts(&question, "}");
  return ask_plainly(bench, provider, &question);
}

/* What the program wrote, which has to be of the argument's type and shape. */
static tile_status read_output(struct bench *bench, const struct bench_provider *provider,
                               size_t index, const char *path) {
  const struct run_argument *host = &bench->data.host[index];
  struct npy_array array;
  TRY(npy_read(path, &array));
  bool same = strcmp(element_table[host->type].npy, element_table[array.type].npy) == 0 &&
              host->rank == array.rank;
  for (int i = 0; i < host->rank && same; i++)
    same = host->shape[i] == array.shape[i];
  if (same && host->bytes)
    memcpy(bench->data.results[index], array.bytes.data, host->bytes);
  text_free(&array.bytes);
  return same ? NULL
              : FAIL(TILE_EXTERNAL_TOOL, "%s gives '%s' in another type or shape than %s",
                     provider->name, host->name, element_table[host->type].name);
}

static tile_status read_outputs(struct bench *bench, const struct bench_provider *provider) {
  for (size_t i = 0; i < bench->file->argument_count; i++) {
    struct text path = {0};
    if (!bench->file->arguments[i].is_output)
      continue;
    file_name(bench, "out", i, &path);
    tile_status status = read_output(bench, provider, i, text_string(&path));
    unlink(text_string(&path));
    text_free(&path);
    if (tile_status_code(status) == TILE_NOT_FOUND ||
        tile_status_code(status) == TILE_INVALID_ARGUMENT) {
      tile_status local = broken(provider, tile_status_message(status));
      tile_status_free(status);
      return local;
    }
    TRY(status);
  }
  return NULL;
}

static tile_status command_run(struct bench *bench, struct bench_provider *provider) {
  struct text question = {0};
  const char *comma = "";
  begin("run", &question);
  text_puts(&question, ", \"outputs\": {");
  for (size_t i = 0; i < bench->file->argument_count; i++) {
    struct text path = {0};
    if (!bench->file->arguments[i].is_output)
      continue;
    file_name(bench, "out", i, &path);
    text_puts(&question, comma);
    text_json_string(&question, bench->file->arguments[i].name);
    text_puts(&question, ": ");
    text_json_string(&question, text_string(&path));
    comma = ", ";
    text_free(&path);
  }
  text_puts(&question, "}");
  TRY(ask_plainly(bench, provider, &question));
  return read_outputs(bench, provider);
}

/* --- Times ------------------------------------------------------------------------------------ */

static bool number_of(const struct toml_value *value, double *out) {
  *out = value->kind == TOML_INTEGER ? (double)value->integer
         : value->kind == TOML_FLOAT ? value->number
                                     : NAN;
  return isfinite(*out) && *out >= 0;
}

static tile_status read_times(const struct bench_provider *provider,
                              const struct toml_value *answer, tile_bench_result *out) {
  const struct toml_value *list = toml_get(answer, "ms");
  if (!list || list->kind != TOML_ARRAY || !list->array.count || list->array.count > MAX_TIMES)
    return broken(provider, "the answer to 'time' is {\"ms\": [milliseconds, ...]}");
  double *times = tile_allocate(list->array.count * sizeof *times);
  bool right = true;
  for (size_t i = 0; i < list->array.count; i++)
    right = number_of(list->array.items[i], &times[i]) && right;
  if (right)
    bench_summarise(times, list->array.count, out);
  free(times);
  return right ? NULL : broken(provider, "a time is no number of milliseconds");
}

static tile_status command_time(struct bench *bench, struct bench_provider *provider,
                                const tile_bench_options *options, tile_bench_result *out) {
  struct text question = {0};
  struct arena arena = {0};
  const struct toml_value *answer;
  begin("time", &question);
  text_printf(&question, ", \"warmup_ms\": %.6f, \"repeat_ms\": %.6f", options->warmup_ms,
              options->repeat_ms);
  tile_status status = ask(bench, provider, &question, &arena, &answer);
  if (!status)
    status = read_times(provider, answer, out);
  arena_destroy(&arena);
  return status;
}

static void command_release(struct bench_provider *provider) {
  (void)provider; /* the next prepare, or the end */
}

const struct bench_provider_kind bench_command_kind = {.name = "command",
                                                       .open = command_open,
                                                       .prepare = command_prepare,
                                                       .run = command_run,
                                                       .time = command_time,
                                                       .release = command_release,
                                                       .close = command_close};
