/* SPDX-License-Identifier: MIT */
/* What is left of a run: saved buffers, printed elements, times, as text or as one line of JSON. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/npy.h"
#include "base/status.h"
#include "driver/command_line.h"
#include "tile_run.h"

static tile_status find_buffer(struct run_argument *arguments, size_t count, const char *flag,
                               const char *name, size_t length, struct run_argument **out) {
  for (size_t i = 0; i < count; i++)
    if (arguments[i].is_buffer && !arguments[i].is_null && strlen(arguments[i].name) == length &&
        memcmp(arguments[i].name, name, length) == 0) {
      *out = &arguments[i];
      return NULL;
    }
  return FAIL(TILE_INVALID_ARGUMENT, "%s: no --arg gives a buffer called '%.*s'", flag, (int)length,
              name);
}

static tile_status parse_save(const struct run_options *options, const char *text,
                              struct run_argument *arguments, struct run_argument **out,
                              const char **out_path) {
  const char *equals = strchr(text, '=');
  if (!equals || !equals[1])
    return FAIL(TILE_INVALID_ARGUMENT, "--save is NAME=FILE, not '%s'", text);
  *out_path = equals + 1;
  return find_buffer(arguments, options->spec_count, "--save", text, (size_t)(equals - text), out);
}

static tile_status parse_print(const struct run_options *options, const char *text,
                               struct run_argument *arguments, struct run_argument **out,
                               long long *out_limit) {
  size_t length = strcspn(text, ":");
  *out_limit = 8;
  if (text[length] == ':')
    TRY(parse_integer("--print's count", text + length + 1, 1, INT32_MAX, out_limit));
  return find_buffer(arguments, options->spec_count, "--print", text, length, out);
}

tile_status run_check_outputs(const struct run_options *options, struct run_argument *arguments) {
  struct run_argument *buffer;
  const char *path;
  long long limit;
  for (size_t i = 0; i < options->save_count; i++)
    TRY(parse_save(options, options->saves[i], arguments, &buffer, &path));
  for (size_t i = 0; i < options->print_count; i++)
    TRY(parse_print(options, options->prints[i], arguments, &buffer, &limit));
  return NULL;
}

/* --- Elements --------------------------------------------------------------------------------- */

/* Infinities and NaNs are no numbers in JSON: there they are strings. */
static void write_element(const struct run_argument *buffer, int64_t index, bool json,
                          struct text *out) {
  const void *address = buffer->data + (size_t)index * element_table[buffer->type].bytes;
  if (!element_is_float(buffer->type)) {
    text_printf(out, "%" PRId64, element_load_integer(buffer->type, address));
    return;
  }
  double value = element_load(buffer->type, address);
  const char *quote = json && !isfinite(value) ? "\"" : "";
  text_printf(out, "%s%.*g%s", quote, json && buffer->type == ELEMENT_F64 ? 17 : 9, value, quote);
}

static void write_elements(const struct run_argument *buffer, long long limit, bool json,
                           struct text *out) {
  int64_t count = npy_elements(buffer->rank, buffer->shape);
  for (int64_t i = 0; i < count && i < limit; i++) {
    text_puts(out, json ? (i ? ", " : "") : " ");
    write_element(buffer, i, json, out);
  }
}

/* --- Text ------------------------------------------------------------------------------------- */

static double gigabytes_per_second(const struct run_result *result) {
  return (double)result->buffer_bytes / (result->bench.median * 1e6);
}

static void write_text_bench(const struct run_result *result, struct text *out) {
  const tile_bench_result *bench = &result->bench;
  text_printf(
      out,
      "time: %.4f ms median, %.4f to %.4f the middle three fifths, %.4f minimum, %.4f mean, "
      "%zu runs on %s (%s)\n",
      bench->median, bench->quantile20, bench->quantile80, bench->minimum, bench->mean, bench->runs,
      result->device.name, result->driver);
  if (result->buffer_bytes && bench->median > 0)
    text_printf(out, "rate: %.1f GB/s, each of %" PRIu64 " bytes in buffers counted once\n",
                gigabytes_per_second(result), result->buffer_bytes);
}

static tile_status write_text(const struct run_options *options, struct run_argument *arguments,
                              const struct run_result *result, struct text *out) {
  text_puts(out, text_string(&result->tuning));
  for (size_t i = 0; i < options->print_count; i++) {
    struct run_argument *buffer;
    long long limit;
    TRY(parse_print(options, options->prints[i], arguments, &buffer, &limit));
    text_printf(out, "%s =", buffer->name);
    write_elements(buffer, limit, false, out);
    text_puts(out, npy_elements(buffer->rank, buffer->shape) > limit ? " ...\n" : "\n");
  }
  if (result->bench.runs)
    write_text_bench(result, out);
  return NULL;
}

/* --- JSON ------------------------------------------------------------------------------------- */

static void write_json_bench(const struct run_result *result, struct text *out) {
  const tile_bench_result *bench = &result->bench;
  text_printf(
      out,
      ", \"bench\": {\"runs\": %zu, \"minimum_ms\": %.6f, \"quantile20_ms\": %.6f, "
      "\"median_ms\": %.6f, \"quantile80_ms\": %.6f, \"maximum_ms\": %.6f, \"mean_ms\": %.6f",
      bench->runs, bench->minimum, bench->quantile20, bench->median, bench->quantile80,
      bench->maximum, bench->mean);
  if (result->buffer_bytes && bench->median > 0)
    text_printf(out, ", \"gigabytes_per_second\": %.3f", gigabytes_per_second(result));
  text_puts(out, "}");
}

static tile_status write_json(const struct run_options *options, struct run_argument *arguments,
                              const tile_kernel_info *kernel, const struct run_result *result,
                              struct text *out) {
  text_puts(out, "{\"kernel\": ");
  text_json_string(out, kernel->name);
  text_puts(out, ", \"device\": {\"driver\": ");
  text_json_string(out, result->driver);
  text_puts(out, ", \"name\": ");
  text_json_string(out, result->device.name);
  text_puts(out, ", \"target\": ");
  text_json_string(out, result->device.target);
  text_printf(out, "}, \"grid\": [%u, %u, %u], \"buffer_bytes\": %" PRIu64, result->grid[0],
              result->grid[1], result->grid[2], result->buffer_bytes);
  text_puts(out, text_string(&result->tuning));
  if (result->bench.runs)
    write_json_bench(result, out);
  for (size_t i = 0; i < options->print_count; i++) {
    struct run_argument *buffer;
    long long limit;
    TRY(parse_print(options, options->prints[i], arguments, &buffer, &limit));
    text_puts(out, i ? ", " : ", \"print\": {");
    text_json_string(out, buffer->name);
    text_puts(out, ": [");
    write_elements(buffer, limit, true, out);
    text_puts(out, "]");
  }
  text_puts(out, options->print_count ? "}}\n" : "}\n");
  return NULL;
}

/* A part of a tuning has no kernel that ran. */
static void write_shard(const struct run_options *options, const struct run_result *result) {
  const char *tuning = text_string(&result->tuning); /* in JSON the member after others */
  if (options->json)
    printf("{%s}\n", tuning + strspn(tuning, ", "));
  else
    fputs(tuning, stdout);
}

tile_status run_write_outputs(const struct run_options *options, struct run_argument *arguments,
                              const tile_kernel_info *kernel, const struct run_result *result) {
  if (options->shard.count) {
    write_shard(options, result);
    return NULL;
  }
  for (size_t i = 0; i < options->save_count; i++) {
    struct run_argument *buffer = NULL;
    const char *path = NULL;
    TRY(parse_save(options, options->saves[i], arguments, &buffer, &path));
    TRY(npy_write(path, buffer->type, buffer->rank, buffer->shape, buffer->data));
  }
  struct text out = {0};
  tile_status status = options->json ? write_json(options, arguments, kernel, result, &out)
                                     : write_text(options, arguments, result, &out);
  if (!status)
    fputs(text_string(&out), stdout);
  text_free(&out);
  return status;
}
