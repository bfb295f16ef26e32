/* SPDX-License-Identifier: MIT */
/* Buffers: drawn, put back and compared by kernels of data.py, so that nothing but a few numbers
 * comes to the host. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "beside/beside.h"

/* The file itself, so that the program can be copied to another machine. */
__asm__(".pushsection .rodata\n"
        "data_kernels_begin:\n"
        ".incbin \"" DATA_KERNELS "\"\n"
        "data_kernels_end:\n"
        ".byte 0\n"
        ".popsection\n");

extern const char data_kernels_begin[], data_kernels_end[];

enum { BLOCK = 1024, STEPS = 64, CHUNK = STEPS * BLOCK }; /* elements that a program compares */

static tile_module *compile_data_kernel(struct bench *bench, const char *kernel,
                                        const char *signature) {
  struct source source = {.file = "data.py",
                          .text = (char *)(uintptr_t)data_kernels_begin,
                          .length = (size_t)(data_kernels_end - data_kernels_begin),
                          .options = tile_compile_options_default()};
  snprintf(source.kernel, sizeof source.kernel, "%s", kernel);
  snprintf(source.signature, sizeof source.signature, "%s", signature);
  compile_source(bench, 0, &source);
  check(bench, source.status);
  return source.module;
}

static bool is_float(const char *type) {
  return type[0] == 'f' || type[0] == 'b';
}

static const struct data_kernels *kernels_for(struct bench *bench, const char *type) {
  for (size_t i = 0; i < bench->type_count; i++)
    if (strcmp(bench->types[i].type, type) == 0)
      return &bench->types[i];
  if (bench->type_count == MAX_TYPES)
    fail(bench, "too many types", type);
  struct data_kernels *kernels = &bench->types[bench->type_count++];
  char signature[128];
  snprintf(kernels->type, sizeof kernels->type, "%s", type);
  snprintf(signature, sizeof signature, "*%s:16, i64, i32, fp32, %d, %d", type,
           is_float(type) ? 1 : 100, BLOCK);
  kernels->draw = compile_data_kernel(bench, "draw_kernel", signature);
  snprintf(signature, sizeof signature, "*%s:16, *%s:16, *fp64:16, *fp64:16, i64, %d, %d", type,
           type, STEPS, BLOCK);
  kernels->compare = compile_data_kernel(bench, "compare_kernel", signature);
  snprintf(signature, sizeof signature, "*%s:16, *fp64:16, i64, i64, %d", type, BLOCK);
  kernels->widen = compile_data_kernel(bench, "widen_kernel", signature);
  return kernels;
}

void data_unload(struct bench *bench) {
  for (size_t i = 0; i < bench->type_count; i++) {
    tile_module_unload(bench->types[i].draw);
    tile_module_unload(bench->types[i].compare);
    tile_module_unload(bench->types[i].widen);
  }
}

/* As many programs as it takes when each has `each` elements. */
static size_t launch_over(struct bench *bench, tile_module *module, size_t count, size_t each,
                          const tile_argument *arguments, size_t argument_count) {
  size_t programs = (count + each - 1) / each;
  check(bench, tile_launch(tile_module_kernel_at(module, 0), (uint32_t[]){(uint32_t)programs, 1, 1},
                           NULL, arguments, argument_count));
  return programs;
}

/* --- Contents --------------------------------------------------------------------------------- */

static bool has_fill(const struct buffer *buffer, const char *fill) {
  return strcmp(buffer->fill, fill) == 0;
}

/* Random, or else the same byte everywhere. */
static bool is_random(const struct buffer *buffer) {
  return has_fill(buffer, "rand") || has_fill(buffer, "positive");
}

static void fill_bytes(struct bench *bench, const struct buffer *buffer) {
  uint8_t value = has_fill(buffer, "zero") ? 0 : 0xCB;
  check(bench, tile_buffer_fill(buffer->device, 0, value, buffer->bytes, NULL));
}

static void copy(struct bench *bench, tile_buffer *to, const tile_buffer *from) {
  check(bench, tile_buffer_copy(to, 0, from, 0, tile_buffer_bytes(from), NULL));
}

void data_create(struct bench *bench, struct buffer *buffer, int seed) {
  bool is_known = is_random(buffer) || has_fill(buffer, "poison") || has_fill(buffer, "scratch") ||
                  has_fill(buffer, "zero");
  if (!is_known || buffer->count == 0)
    fail(bench, "not rand, poison, zero, positive or scratch, or no elements:", buffer->fill);
  check(bench, tile_buffer_create(bench->device, buffer->bytes, &buffer->device));
  if (!is_random(buffer)) {
    fill_bytes(bench, buffer);
    return;
  }
  float low = has_fill(buffer, "positive") ? 0.01f : is_float(buffer->type) ? -1.0f : 0.0f;
  tile_argument arguments[] = {tile_argument_buffer(buffer->device),
                               tile_argument_i64((int64_t)buffer->count), tile_argument_i32(seed),
                               tile_argument_f32(low)};
  launch_over(bench, kernels_for(bench, buffer->type)->draw, buffer->count, BLOCK, arguments, 4);
}

void data_mark_output(struct bench *bench, struct buffer *buffer) {
  buffer->is_output = true;
  check(bench, tile_buffer_create(bench->device, buffer->bytes, &buffer->reference));
  if (!is_random(buffer))
    return;
  check(bench, tile_buffer_create(bench->device, buffer->bytes, &buffer->initial));
  copy(bench, buffer->initial, buffer->device);
}

void data_reset(struct bench *bench) {
  for (size_t i = 0; i < bench->buffer_count; i++) {
    const struct buffer *buffer = &bench->buffers[i];
    if (buffer->initial)
      copy(bench, buffer->device, buffer->initial);
    else if (buffer->is_output || has_fill(buffer, "scratch"))
      fill_bytes(bench, buffer);
  }
}

void data_keep(struct bench *bench, struct buffer *buffer) {
  copy(bench, buffer->reference, buffer->device);
}

void data_destroy(struct buffer *buffer) {
  tile_buffer_destroy(buffer->device);
  tile_buffer_destroy(buffer->initial);
  tile_buffer_destroy(buffer->reference);
}

/* --- Comparison ------------------------------------------------------------------------------- */

/* CHUNK elements of it from `first` on, zeros after its end. */
static void read_chunk(struct bench *bench, const struct buffer *buffer, const tile_buffer *from,
                       size_t first, double *out) {
  tile_buffer *wide;
  check(bench, tile_buffer_create(bench->device, CHUNK * sizeof *out, &wide));
  tile_argument arguments[] = {tile_argument_buffer(from), tile_argument_buffer(wide),
                               tile_argument_i64((int64_t)first),
                               tile_argument_i64((int64_t)buffer->count)};
  launch_over(bench, kernels_for(bench, buffer->type)->widen, CHUNK, BLOCK, arguments, 4);
  check(bench, tile_buffer_read(wide, 0, out, CHUNK * sizeof *out, NULL));
  tile_buffer_destroy(wide);
}

static bool is_within(double most, double a, double b) {
  return a == b || (isnan(a) && isnan(b)) || (isfinite(a - b) && fabs(a - b) <= most);
}

static _Noreturn void report(struct bench *bench, const struct buffer *buffer,
                             const struct kernel *other, size_t first, double most) {
  static double reference[CHUNK], data[CHUNK];
  read_chunk(bench, buffer, buffer->reference, first, reference);
  read_chunk(bench, buffer, buffer->device, first, data);
  size_t i = 0;
  while (i + 1 < CHUNK && is_within(most, reference[i], data[i]))
    i++;
  fprintf(stderr, "beside: error: %s %s: %s[%zu] is %.9g in ours, %.9g in %s (%s)\n", bench->name,
          bench->shape, buffer->name, first + i, reference[i], data[i], other->name, other->label);
  exit(1);
}

void data_compare(struct bench *bench, const struct buffer *buffer, const struct kernel *other) {
  size_t programs = (buffer->count + CHUNK - 1) / CHUNK, bytes = programs * sizeof(double);
  double *largest = malloc(2 * bytes), *worst = largest + programs, scale = 0;
  tile_buffer *device_largest, *device_worst;
  if (!largest)
    fail(bench, "no memory to compare", buffer->name);
  check(bench, tile_buffer_create(bench->device, bytes, &device_largest));
  check(bench, tile_buffer_create(bench->device, bytes, &device_worst));
  check(bench,
        tile_buffer_fill(device_worst, 0, 0xFF, bytes, NULL)); /* NaN, should nobody write it */
  tile_argument arguments[] = {
      tile_argument_buffer(buffer->reference), tile_argument_buffer(buffer->device),
      tile_argument_buffer(device_largest), tile_argument_buffer(device_worst),
      tile_argument_i64((int64_t)buffer->count)};
  launch_over(bench, kernels_for(bench, buffer->type)->compare, buffer->count, CHUNK, arguments, 5);
  check(bench, tile_buffer_read(device_largest, 0, largest, bytes, NULL));
  check(bench, tile_buffer_read(device_worst, 0, worst, bytes, NULL));
  for (size_t i = 0; i < programs; i++)
    scale = fmax(scale, largest[i]);
  double most = bench->tolerance * scale;
  for (size_t i = 0; i < programs; i++)
    if (!isfinite(worst[i]) || worst[i] > most)
      report(bench, buffer, other, i * CHUNK, most);
  tile_buffer_destroy(device_largest);
  tile_buffer_destroy(device_worst);
  free(largest);
}
