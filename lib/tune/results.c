/* SPDX-License-Identifier: MIT */
/* See results.h. */
#include "tune/results.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/status.h"

/* --- Elements --------------------------------------------------------------------------------- */

/* How far elements of a type may be apart, as a part of the largest magnitude. */
static double results_tolerance(enum element_type type, double asked) {
  if (asked < 0 || !element_is_float(type))
    return 0;
  if (asked > 0)
    return asked;
  return type == ELEMENT_F64   ? 1e-10
         : type == ELEMENT_F32 ? 1e-3
         : type == ELEMENT_F16 ? 1e-2
                               : 5e-2;
}

/* Elements are looked at in blocks, as doubles. */
enum { BLOCK = 512 };

/* The values of a narrow float by its bits: a table is an order of magnitude faster than decoding
   each. */
struct decoder {
  enum element_type type;
  float *table; /* owned; NULL: of four bytes or more */
};

static struct decoder decoder_create(enum element_type type) {
  struct decoder decoder = {.type = type};
  size_t bytes = element_table[type].bytes, count = (size_t)1 << 8 * bytes % 32;
  if (bytes > 2)
    return decoder;
  decoder.table = tile_allocate(count * sizeof *decoder.table);
  for (size_t i = 0; i < count; i++) {
    uint8_t byte = (uint8_t)i;
    uint16_t half = (uint16_t)i;
    decoder.table[i] = (float)element_load(type, bytes == 1 ? (const void *)&byte : &half);
  }
  return decoder;
}

static void decode(const struct decoder *decoder, const unsigned char *data, size_t count,
                   double *out) {
  if (decoder->type == ELEMENT_F64) {
    memcpy(out, data, count * sizeof *out);
  } else if (!decoder->table) {
    float block[BLOCK];
    memcpy(block, data, count * sizeof *block);
    for (size_t i = 0; i < count; i++)
      out[i] = (double)block[i];
  } else if (element_table[decoder->type].bytes == 2) {
    uint16_t block[BLOCK];
    memcpy(block, data, count * sizeof *block);
    for (size_t i = 0; i < count; i++)
      out[i] = (double)decoder->table[block[i]];
  } else {
    for (size_t i = 0; i < count; i++)
      out[i] = (double)decoder->table[data[i]];
  }
}

static bool is_near(double a, double b, double allowed) {
  return fabs(a - b) <= allowed || (allowed >= 0 && a == b) || (isnan(a) && isnan(b));
}

/* The first of the block's elements that are apart; else `count`. */
static size_t apart_in_block(const struct decoder *decoder, const unsigned char *expected,
                             const unsigned char *actual, size_t count, double allowed) {
  size_t bytes = element_table[decoder->type].bytes;
  double a[BLOCK], b[BLOCK];
  unsigned far = 0;
  decode(decoder, expected, count, a);
  decode(decoder, actual, count, b);
  for (size_t i = 0; i < count; i++)
    far |= !(fabs(a[i] - b[i]) <= allowed);
  for (size_t i = 0; far && i < count; i++)
    if (memcmp(expected + i * bytes, actual + i * bytes, bytes) != 0 &&
        !is_near(a[i], b[i], allowed))
      return i;
  return count;
}

static size_t first_other(const unsigned char *expected, const unsigned char *actual, size_t bytes,
                          size_t count) {
  size_t i = 0;
  while (i < count && memcmp(expected + i * bytes, actual + i * bytes, bytes) == 0)
    i++;
  return i;
}

size_t results_first_difference(enum element_type type, const unsigned char *expected,
                                const unsigned char *actual, size_t count, double allowed) {
  size_t bytes = element_table[type].bytes, at = 0, end = count;
  bool is_float = element_is_float(type);
  struct decoder decoder = {0};
  if (is_float)
    decoder = decoder_create(type);
  for (; at < count && end == count; at += BLOCK) {
    size_t step = count - at < BLOCK ? count - at : BLOCK;
    const unsigned char *a = expected + at * bytes, *b = actual + at * bytes;
    if (memcmp(a, b, step * bytes) == 0) /* most are */
      continue;
    size_t found =
        is_float ? apart_in_block(&decoder, a, b, step, allowed) : first_other(a, b, bytes, step);
    if (found < step)
      end = at + found;
  }
  free(decoder.table);
  return end;
}

static double largest_magnitude(enum element_type type, const unsigned char *data, size_t count) {
  double largest = 0, values[BLOCK];
  if (!element_is_float(type))
    return 0; /* integers are equal */
  struct decoder decoder = decoder_create(type);
  for (size_t at = 0; at < count; at += BLOCK) {
    size_t step = count - at < BLOCK ? count - at : BLOCK;
    decode(&decoder, data + at * element_table[type].bytes, step, values);
    for (size_t i = 0; i < step; i++) {
      double magnitude = fabs(values[i]);
      largest = magnitude > largest && magnitude <= DBL_MAX ? magnitude : largest;
    }
  }
  free(decoder.table);
  return largest;
}

/* --- Saving and restoring --------------------------------------------------------------------- */

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

bool results_need_preparing(const struct results *results) {
  for (size_t i = 0; i < results->count; i++)
    if (results->list[i].restore || results->list[i].reset)
      return true;
  return false;
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

/* --- Comparing -------------------------------------------------------------------------------- */

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
static tile_status keep_expected(const struct results *results, struct result_buffer *buffer,
                                 const tile_kernel_info *info) {
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
    TRY(tile_buffer_read(buffer->buffer, 0, results->scratch[0], tile_buffer_bytes(buffer->buffer),
                         NULL));
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
