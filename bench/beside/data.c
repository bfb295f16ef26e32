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
  snprintf(signature, sizeof signature, "*%s:16, i64, i32, fp32, fp32, %d", type, BLOCK);
  kernels->draw = compile_data_kernel(bench, "draw_kernel", signature);
  if (!is_float(type)) {
    snprintf(signature, sizeof signature, "*%s:16, i64, i32, %d", type, BLOCK);
    kernels->bits = compile_data_kernel(bench, "bits_kernel", signature);
  }
  /* fp8 is widened in two steps. */
  const char *first = strncmp(type, "fp8", 3) == 0 ? "tl.float32" : "tl.float64";
  snprintf(signature, sizeof signature, "*%s:16, *%s:16, *fp64:16, *fp64:16, i64, %s, %d, %d", type,
           type, first, STEPS, BLOCK);
  kernels->compare = compile_data_kernel(bench, "compare_kernel", signature);
  snprintf(signature, sizeof signature, "*%s:16, *fp64:16, i64, i64, %s, %d", type, first, BLOCK);
  kernels->widen = compile_data_kernel(bench, "widen_kernel", signature);
  return kernels;
}

void data_unload(struct bench *bench) {
  for (size_t i = 0; i < bench->type_count; i++) {
    tile_module_unload(bench->types[i].draw);
    tile_module_unload(bench->types[i].bits);
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

/* What stands after the colon of "scaled:0.5"; NULL for another fill. */
static const char *operand_of(const struct buffer *buffer, const char *fill) {
  size_t length = strlen(fill);
  bool is_it = strncmp(buffer->fill, fill, length) == 0 && buffer->fill[length] == ':';
  return is_it ? buffer->fill + length + 1 : NULL;
}

static bool has_fill(const struct buffer *buffer, const char *fill) {
  return strcmp(buffer->fill, fill) == 0;
}

/* The same byte everywhere. */
static bool is_uniform(const struct buffer *buffer) {
  return has_fill(buffer, "poison") || has_fill(buffer, "scratch") || has_fill(buffer, "zero");
}

/* Random numbers between two; both are equal for "value:X". False for another fill. */
static bool range_of(const struct buffer *buffer, float *low, float *high) {
  const char *scale = operand_of(buffer, "scaled"), *value = operand_of(buffer, "value");
  bool is_number = is_float(buffer->type);
  *low = is_number ? -1.0f : 0.0f;
  *high = is_number ? 1.0f : 100.0f;
  if (has_fill(buffer, "positive"))
    *low = is_number ? 0.01f : 1.0f;
  else if (has_fill(buffer, "negative"))
    *high = is_number ? -0.01f : 0.0f;
  else if (scale)
    *low = -(*high = strtof(scale, NULL));
  else if (value)
    *low = *high = strtof(value, NULL);
  else
    return has_fill(buffer, "rand");
  return true;
}

static void fill_bytes(struct bench *bench, const struct buffer *buffer) {
  uint8_t value = has_fill(buffer, "zero") ? 0 : 0xCB;
  check(bench, tile_buffer_fill(buffer->device, 0, value, buffer->bytes, NULL));
}

static void copy(struct bench *bench, tile_buffer *to, const tile_buffer *from) {
  check(bench, tile_buffer_copy(to, 0, from, 0, tile_buffer_bytes(from), NULL));
}

static void fill_from_file(struct bench *bench, const struct buffer *buffer, const char *name) {
  char path[2048];
  snprintf(path, sizeof path, "%s/%s", bench->folder, name);
  FILE *file = fopen(path, "rb");
  char *bytes = malloc(buffer->bytes);
  bool is_whole = file && bytes && fread(bytes, 1, buffer->bytes, file) == buffer->bytes;
  if (file)
    fclose(file);
  if (!is_whole)
    fail(bench, "cannot read all elements from", path);
  check(bench, tile_buffer_write(buffer->device, 0, bytes, buffer->bytes, NULL));
  free(bytes);
}

void data_create(struct bench *bench, struct buffer *buffer, int seed) {
  float low, high;
  bool is_range = range_of(buffer, &low, &high);
  const char *file = operand_of(buffer, "file");
  bool is_bits = has_fill(buffer, "bytes") && !is_float(buffer->type);
  if (!(is_range || is_bits || file || is_uniform(buffer)) || buffer->count == 0)
    fail(bench, "no such fill, or no elements:", buffer->fill);
  check(bench, tile_buffer_create(bench->device, buffer->bytes, &buffer->device));
  tile_argument arguments[] = {tile_argument_buffer(buffer->device),
                               tile_argument_i64((int64_t)buffer->count), tile_argument_i32(seed),
                               tile_argument_f32(low), tile_argument_f32(high)};
  if (is_uniform(buffer))
    fill_bytes(bench, buffer);
  else if (file)
    fill_from_file(bench, buffer, file);
  else
    launch_over(bench,
                is_bits ? kernels_for(bench, buffer->type)->bits
                        : kernels_for(bench, buffer->type)->draw,
                buffer->count, BLOCK, arguments, is_bits ? 3 : 5);
}

void data_mark_output(struct bench *bench, struct buffer *buffer) {
  buffer->is_output = true;
  check(bench, tile_buffer_create(bench->device, buffer->bytes, &buffer->reference));
  if (is_uniform(buffer))
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
  char text[512];
  snprintf(text, sizeof text, "%s %s: %s[%zu] is %.9g in ours, %.9g in %s (%s)", bench->name,
           bench->shape, buffer->name, first + i, reference[i], data[i], other->name, other->label);
  stop(bench, text);
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
  size_t wrong = 0;
  while (wrong < programs && isfinite(worst[wrong]) && worst[wrong] <= most)
    wrong++;
  tile_buffer_destroy(device_largest);
  tile_buffer_destroy(device_worst);
  free(largest);
  if (wrong < programs)
    report(bench, buffer, other, wrong * CHUNK, most);
}
