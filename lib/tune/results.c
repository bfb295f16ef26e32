/* SPDX-License-Identifier: MIT */
/* See results.h. */
#include "tune/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/status.h"

/* --- Elements
 * ------------------------------------------------------------------------------------------- */

double results_tolerance(enum element_type type, double asked) {
  if (asked < 0 || !element_is_float(type))
    return 0;
  if (asked > 0)
    return asked;
  return type == ELEMENT_F64   ? 1e-10
         : type == ELEMENT_F32 ? 1e-3
         : type == ELEMENT_F16 ? 1e-2
                               : 5e-2;
}

/* Elements lie side by side, and most are equal: those are passed over in lines. */
size_t results_first_difference(enum element_type type, const unsigned char *expected,
                                const unsigned char *actual, size_t count, double allowed) {
  size_t bytes = element_table[type].bytes, line = 64 / bytes;
  for (size_t i = 0; i < count;) {
    size_t step = count - i < line ? count - i : line;
    if (memcmp(expected + i * bytes, actual + i * bytes, step * bytes) == 0) {
      i += step;
      continue;
    }
    for (size_t end = i + step; i < end; i++) {
      if (memcmp(expected + i * bytes, actual + i * bytes, bytes) == 0)
        continue;
      if (!element_is_float(type))
        return i;
      double a = element_load(type, expected + i * bytes),
             b = element_load(type, actual + i * bytes);
      if (isnan(a) && isnan(b))
        continue;
      if (!(fabs(a - b) <= allowed) || isinf(a) != isinf(b))
        return i;
    }
  }
  return count;
}

static double largest_magnitude(enum element_type type, const unsigned char *data, size_t count) {
  double largest = 0;
  for (size_t i = 0; i < count; i++) {
    double magnitude = fabs(element_load(type, data + i * element_table[type].bytes));
    if (isfinite(magnitude) && magnitude > largest)
      largest = magnitude;
  }
  return largest;
}

/* --- Saving and restoring
 * --------------------------------------------------------------------------------- */

static bool named(const tile_configurations *list, tile_configuration_names which,
                  const char *name) {
  for (size_t i = 0; i < tile_configurations_name_count(list, which); i++)
    if (strcmp(tile_configurations_name(list, which, i), name) == 0)
      return true;
  return false;
}

static tile_status save(struct result_buffer *buffer, tile_device *device) {
  size_t bytes = tile_buffer_bytes(buffer->buffer);
  uint64_t free_bytes = 0;
  tile_status status = tile_device_free_memory(device, &free_bytes);
  if (!status && free_bytes / 2 > bytes)
    status = tile_buffer_create(device, bytes, &buffer->saved);
  if (buffer->saved)
    return tile_buffer_copy(buffer->saved, 0, buffer->buffer, 0, bytes, NULL);
  tile_status_free(status);
  buffer->host = malloc(bytes + 1);
  if (!buffer->host)
    return FAIL(TILE_OUT_OF_MEMORY,
                "no memory to keep the %zu bytes of buffer '%s' while it is tuned", bytes,
                buffer->name);
  return tile_buffer_read(buffer->buffer, 0, buffer->host, bytes, NULL);
}

static tile_status put_back(struct result_buffer *buffer) {
  size_t bytes = tile_buffer_bytes(buffer->buffer);
  if (buffer->saved)
    return tile_buffer_copy(buffer->buffer, 0, buffer->saved, 0, bytes, NULL);
  return buffer->host ? tile_buffer_write(buffer->buffer, 0, buffer->host, bytes, NULL) : NULL;
}

static tile_status add_buffer(struct results *results, const tile_tune_argument *argument) {
  const tile_configurations *list = results->tuning->list;
  bool reset = named(list, TILE_NAMES_RESET_TO_ZERO, argument->name);
  bool restore = named(list, TILE_NAMES_RESTORE_VALUE, argument->name);
  for (size_t i = 0; i < results->count; i++)
    if (results->list[i].buffer == argument->buffer) {
      results->list[i].reset |= reset;
      results->list[i].restore |= restore;
      return NULL;
    }
  struct result_buffer *buffer = &results->list[results->count++];
  *buffer = (struct result_buffer){.buffer = argument->buffer,
                                   .name = argument->name,
                                   .reset = reset,
                                   .restore = restore,
                                   .largest = -1};
  return save(buffer, results->tuning->options->device);
}

static void make_scratch(struct results *results) {
  size_t most = 0;
  for (size_t i = 0; i < results->count; i++) {
    size_t bytes = tile_buffer_bytes(results->list[i].buffer);
    most = bytes > most ? bytes : most;
  }
  for (int i = 0; i < 2; i++)
    results->scratch[i] = tile_allocate(most + 1);
}

tile_status results_begin(struct results *results, tile_tuning *tuning) {
  const tile_tune_options *options = tuning->options;
  *results = (struct results){.tuning = tuning};
  results->list = tile_allocate((options->argument_count + 1) * sizeof *results->list);
  for (size_t i = 0; i < options->argument_count; i++) {
    const tile_tune_argument *argument = &options->arguments[i];
    if (argument->buffer)
      TRY(add_buffer(results, argument));
    else if (argument->value.kind == TILE_ARGUMENT_POINTER && argument->value.value.address)
      return FAIL(
          TILE_INVALID_ARGUMENT,
          "tile_tune: argument '%s' is a pointer without a buffer; its memory cannot be restored",
          argument->name);
  }
  make_scratch(results);
  return NULL;
}

tile_status results_restore(struct results *results) {
  for (size_t i = 0; i < results->count; i++)
    TRY(put_back(&results->list[i]));
  return NULL;
}

tile_status results_prepare(struct results *results) {
  for (size_t i = 0; i < results->count; i++) {
    struct result_buffer *buffer = &results->list[i];
    if (buffer->restore)
      TRY(put_back(buffer));
    if (buffer->reset)
      TRY(tile_buffer_fill(buffer->buffer, 0, 0, tile_buffer_bytes(buffer->buffer), NULL));
  }
  return NULL;
}

tile_status results_end(struct results *results, bool lost) {
  tile_status status = lost ? NULL : results_restore(results);
  if (!status && !lost)
    status = tile_device_synchronize(results->tuning->options->device);
  for (size_t i = 0; i < results->count; i++) {
    if (!lost) /* it would wait */
      tile_buffer_destroy(results->list[i].saved);
    free(results->list[i].host);
    free(results->list[i].expected);
  }
  free(results->list);
  free(results->scratch[0]);
  free(results->scratch[1]);
  return status;
}

/* --- Comparing
 * ---------------------------------------------------------------------------------------------- */

/* What the pointer that leads to the buffer points to. */
static void find_type(struct result_buffer *buffer, const tile_kernel_info *info) {
  for (size_t i = 0; i < info->parameter_count; i++) {
    const char *type = info->parameters[i].type;
    if (strcmp(info->parameters[i].name, buffer->name) == 0 &&
        element_find(type, strlen(type), &buffer->type))
      buffer->typed = true;
  }
  if (!buffer->typed || tile_buffer_bytes(buffer->buffer) % element_table[buffer->type].bytes)
    buffer->type = ELEMENT_I8;
}

static tile_status read_initial(const struct result_buffer *buffer, unsigned char *out) {
  size_t bytes = tile_buffer_bytes(buffer->buffer);
  if (buffer->saved)
    return tile_buffer_read(buffer->saved, 0, out, bytes, NULL);
  memcpy(out, buffer->host, bytes);
  return NULL;
}

/* What the first candidate has changed is a result. */
static tile_status keep_expected(const struct results *results, struct result_buffer *buffer, const tile_kernel_info *info) {
  size_t bytes = tile_buffer_bytes(buffer->buffer);
  unsigned char *now = results->scratch[0], *before = results->scratch[1];
  TRY(tile_buffer_read(buffer->buffer, 0, now, bytes, NULL));
  TRY(read_initial(buffer, before));
  if (!buffer->reset && memcmp(now, before, bytes) == 0)
    return NULL;
  find_type(buffer, info);
  buffer->expected = tile_allocate(bytes + 1);
  memcpy(buffer->expected, now, bytes);
  return NULL;
}

static void compare(struct results *results, struct result_buffer *buffer, const unsigned char *now,
                    struct tune_entry *entry) {
  size_t width = element_table[buffer->type].bytes,
         count = tile_buffer_bytes(buffer->buffer) / width;
  if (memcmp(buffer->expected, now, count * width) == 0)
    return;
  double part = results_tolerance(buffer->type, results->tuning->options->tolerance);
  if (part > 0 && buffer->largest < 0)
    buffer->largest = largest_magnitude(buffer->type, buffer->expected, count);
  double allowed = part > 0 ? part * buffer->largest : -1;
  size_t at = results_first_difference(buffer->type, buffer->expected, now, count, allowed);
  if (at == count)
    return;
  bool is_float = element_is_float(buffer->type);
  const unsigned char *own = now + at * width, *other = buffer->expected + at * width;
  if (is_float)
    tuning_out(entry, TILE_TUNE_WRONG, "element %zu of '%s' is %.9g; candidate %zu has %.9g", at,
               buffer->name, element_load(buffer->type, own), results->first,
               element_load(buffer->type, other));
  else
    tuning_out(entry, TILE_TUNE_WRONG, "element %zu of '%s' is %lld; candidate %zu has %lld", at,
               buffer->name, (long long)element_load_integer(buffer->type, own), results->first,
               (long long)element_load_integer(buffer->type, other));
}

static tile_status compare_all(struct results *results, struct tune_entry *entry) {
  for (size_t i = 0; i < results->count && entry->outcome == TILE_TUNE_OK; i++) {
    struct result_buffer *buffer = &results->list[i];
    if (!buffer->expected)
      continue;
    TRY(tile_buffer_read(buffer->buffer, 0, results->scratch[0], tile_buffer_bytes(buffer->buffer), NULL));
    compare(results, buffer, results->scratch[0], entry);
  }
  return NULL;
}

tile_status results_compare(struct results *results, size_t candidate) {
  struct tune_entry *entry = &results->tuning->entries[candidate];
  if (results->has_expected)
    return compare_all(results, entry);
  results->has_expected = true;
  results->first = candidate;
  for (size_t i = 0; i < results->count; i++)
    TRY(keep_expected(results, &results->list[i], tile_kernel_get_info(entry->kernel)));
  return NULL;
}
