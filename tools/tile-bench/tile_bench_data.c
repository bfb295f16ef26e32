/* SPDX-License-Identifier: MIT */
/* The arguments at one size: made, put on the device, and the outputs compared. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/npy.h"
#include "base/status.h"
#include "tile_bench_run.h"

tile_status bench_problems(const struct bench *bench) {
  return FAIL(TILE_INVALID_ARGUMENT, "'%s' cannot be run", bench->file->text.name);
}

/* --- Making ----------------------------------------------------------------------------------- */

/* "name=fp32[1024,16]:rand", as tile-run has it. */
static bool print_argument(struct bench *bench, const struct bench_argument *argument,
                           const struct bench_names *names, struct text *out) {
  struct bench_text *text = &bench->file->text;
  struct value number;
  text_printf(out, "%s=%s", argument->name, argument->type);
  if (!argument->is_buffer) {
    if (!bench_expression_evaluate(text, &argument->scalar, names, &number))
      return false;
    if (number.kind == VALUE_FLOAT)
      text_printf(out, ":%.17g", number.number);
    else
      text_printf(out, ":%" PRId64, number.integer);
    return true;
  }
  for (int i = 0; i < argument->rank; i++) {
    int64_t size;
    if (!bench_expression_integer(text, &argument->shape[i], names, argument->name, 0,
                                  INT64_C(1) << 40, &size))
      return false;
    text_printf(out, "%s%" PRId64, i ? "," : "[", size);
  }
  text_printf(out, "%s]:%s", argument->rank ? "" : "[", argument->contents);
  return true;
}

tile_status bench_argument_make(struct bench *bench, const struct bench_argument *argument,
                                const struct bench_names *names, struct run_argument *out) {
  struct text spec = {0};
  tile_status status = NULL;
  if (!print_argument(bench, argument, names, &spec))
    status = bench_problems(bench);
  else if ((status = run_argument_parse(text_string(&spec), (uint64_t)bench->file->data_seed,
                                        out)) != NULL &&
           tile_status_code(status) == TILE_INVALID_ARGUMENT) {
    bench_fail(&bench->file->text, argument->span, "%s", tile_status_message(status));
    tile_status_free(status);
    status = bench_problems(bench);
  }
  text_free(&spec);
  return status;
}

static tile_status allocate(size_t bytes, unsigned char **out) {
  *out = malloc(bytes + !bytes);
  return *out ? NULL : FAIL(TILE_OUT_OF_MEMORY, "no memory for %zu bytes of results", bytes);
}

tile_status bench_data_create(struct bench *bench) {
  struct bench_data *data = &bench->data;
  *data = (struct bench_data){0};
  for (size_t i = 0; i < bench->file->argument_count; i++) {
    const struct bench_argument *argument = &bench->file->arguments[i];
    TRY(bench_argument_make(bench, argument, &bench->names, &data->host[i]));
    if (!argument->is_buffer)
      continue;
    size_t bytes = data->host[i].bytes;
    TRY(tile_buffer_create(bench->device, bytes, &data->buffers[i]));
    tile_emulator_name_buffer(data->buffers[i], argument->name);
    TRY(tile_buffer_write(data->buffers[i], 0, data->host[i].data, bytes, NULL));
    if (argument->is_output) {
      TRY(allocate(bytes, &data->results[i]));
      TRY(allocate(bytes, &data->references[i]));
    }
  }
  return NULL;
}

void bench_data_release(struct bench *bench) {
  struct bench_data *data = &bench->data;
  for (size_t i = 0; i < BENCH_MAX_ARGUMENTS; i++) {
    run_argument_destroy(&data->host[i]);
    tile_buffer_destroy(data->buffers[i]);
    free(data->results[i]);
    free(data->references[i]);
  }
  *data = (struct bench_data){0};
}

tile_status bench_data_reset(struct bench *bench) {
  for (size_t i = 0; i < bench->file->argument_count; i++)
    if (bench->file->arguments[i].is_output)
      TRY(tile_buffer_write(bench->data.buffers[i], 0, bench->data.host[i].data,
                            bench->data.host[i].bytes, NULL));
  return NULL;
}

tile_status bench_data_collect(struct bench *bench) {
  TRY(tile_device_synchronize(bench->device));
  for (size_t i = 0; i < bench->file->argument_count; i++)
    if (bench->file->arguments[i].is_output)
      TRY(tile_buffer_read(bench->data.buffers[i], 0, bench->data.results[i],
                           bench->data.host[i].bytes, NULL));
  return NULL;
}

/* --- Comparing -------------------------------------------------------------------------------- */

/* Both are not a number, or both the same infinity, or near enough. */
static bool near(const struct bench_file *file, double value, double reference) {
  if (value == reference || (isnan(value) && isnan(reference)))
    return true;
  return fabs(value - reference) <= file->absolute + file->relative * fabs(reference);
}

struct difference {
  int64_t count, first;
  double value, reference;
};

static struct difference compare(const struct bench *bench, size_t index) {
  const struct run_argument *host = &bench->data.host[index];
  const unsigned char *values = bench->data.results[index],
                      *references = bench->data.references[index];
  struct difference difference = {0};
  size_t size = element_table[host->type].bytes;
  int64_t count =
      memcmp(values, references, host->bytes) == 0 ? 0 : npy_elements(host->rank, host->shape);
  for (int64_t i = 0; i < count; i++) {
    double value = element_load(host->type, values + (size_t)i * size);
    double reference = element_load(host->type, references + (size_t)i * size);
    if (near(bench->file, value, reference))
      continue;
    if (!difference.count++) {
      difference.first = i;
      difference.value = value;
      difference.reference = reference;
    }
  }
  return difference;
}

/* "out[3, 17]" */
static void print_index(const struct run_argument *host, int64_t index, struct text *out) {
  int64_t at[RUN_MAX_RANK];
  for (int i = host->rank - 1; i >= 0; i--) {
    at[i] = index % host->shape[i];
    index /= host->shape[i];
  }
  text_printf(out, "%s[", host->name);
  for (int i = 0; i < host->rank; i++)
    text_printf(out, "%s%" PRId64, i ? ", " : "", at[i]);
  text_puts(out, "]");
}

static void print_difference(const struct bench *bench, size_t index,
                             const struct difference *difference, struct text *out) {
  const struct run_argument *host = &bench->data.host[index];
  print_index(host, difference->first, out);
  text_printf(out,
              " is %.9g where %s has %.9g; %" PRId64 " of %" PRId64
              " differ by more than %g + %g * |%s|",
              difference->value, bench->data.reference->name, difference->reference,
              difference->count, npy_elements(host->rank, host->shape), bench->file->absolute,
              bench->file->relative, host->name);
}

bool bench_data_agree(struct bench *bench, const struct bench_provider *provider,
                      struct text *message) {
  struct bench_data *data = &bench->data;
  bool first = !data->reference;
  if (first)
    data->reference = provider;
  for (size_t i = 0; i < bench->file->argument_count; i++) {
    if (!bench->file->arguments[i].is_output)
      continue;
    if (first) {
      memcpy(data->references[i], data->results[i], data->host[i].bytes);
      continue;
    }
    struct difference difference = compare(bench, i);
    if (difference.count) {
      print_difference(bench, i, &difference, message);
      return false;
    }
  }
  return true;
}
