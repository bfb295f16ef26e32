/* SPDX-License-Identifier: MIT */
/* Arguments from their text, files of arrays, grids. */
#include "identical.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t identical_words(const char *text, char *storage, size_t size, const char **words) {
  size_t count = 0;
  snprintf(storage, size, "%s", text);
  for (char *word = strtok(storage, " "); word && count < MAX_WORDS; word = strtok(NULL, " "))
    words[count++] = word;
  return count;
}

static _Noreturn void wrong(const struct identical_run *run, const char *what) {
  fprintf(stderr, "%s: wrong %s\n", run->from->name, what);
  exit(2);
}

static size_t type_bytes(const char *type) {
  return strcmp(type, "i1") == 0 ? 1 : (size_t)atoi(type + strcspn(type, "0123456789")) / 8;
}

/* --- Contents --------------------------------------------------------------------------------- */

static uint64_t draw_bits(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state >> 33;
}

/* A half between 2^-5 and 1 in magnitude, so that none is subnormal and nothing overflows. */
static uint16_t draw_half(uint64_t *state) {
  uint64_t bits = draw_bits(state);
  return (uint16_t)((bits & 0x83FF) | (10 + (bits >> 16) % 5) << 10);
}

static void fill(struct identical_run *run, struct identical_argument *argument,
                 const char *contents) {
  uint64_t state = (uint64_t)run->count + 1;
  size_t each = type_bytes(argument->type), count = argument->bytes / each;
  memset(argument->before, strcmp(contents, "poison") == 0 ? 0xCB : 0, argument->bytes);
  if (strcmp(contents, "poison") == 0 || strcmp(contents, "zeros") == 0)
    return;
  for (size_t i = 0; i < count; i++) {
    float single = (float)draw_bits(&state) * 0x1p-30f - 1;
    uint16_t half = draw_half(&state);
    uint32_t bit = (uint32_t)(draw_bits(&state) & 1);
    const void *from = strcmp(contents, "bits") == 0 ? (void *)&bit
                       : each == 2                   ? (void *)&half
                                                     : (void *)&single;
    memcpy(argument->before + i * each, from, each);
  }
}

/* --- Arguments -------------------------------------------------------------------------------- */

static void parse_shape(struct identical_run *run, struct identical_argument *argument,
                        const char *at) {
  argument->is_buffer = true;
  argument->bytes = type_bytes(argument->type);
  do {
    char *end;
    if (argument->rank == MAX_RANK)
      wrong(run, "shape");
    argument->shape[argument->rank] = strtoll(at + 1, &end, 10);
    argument->bytes *= (size_t)argument->shape[argument->rank++];
    at = end;
  } while (*at == ',');
  argument->before = malloc(argument->bytes);
  for (int way = 0; way < WAYS; way++)
    argument->after[way] = calloc(1, argument->bytes);
}

static void parse_scalar(struct identical_argument *argument, const char *text) {
  float single = strtof(text, NULL);
  if (argument->type[0] == 'f')
    memcpy(&argument->value, &single, sizeof single);
  else
    argument->value = (uint64_t)strtoll(text, NULL, 10);
}

/* "x=fp32[3,4]:rand", "n=i32:5" */
static void parse_argument(struct identical_run *run, const char *text) {
  struct identical_argument *argument = &run->arguments[run->count];
  const char *colon = strchr(text, ':');
  if (!colon || sscanf(text, "%63[^=]=%7[a-z0-9]", argument->name, argument->type) != 2)
    wrong(run, text);
  const char *bracket = strchr(text, '[');
  if (bracket) {
    parse_shape(run, argument, bracket);
    fill(run, argument, colon + 1);
  } else {
    parse_scalar(argument, colon + 1);
  }
  run->count++;
}

void identical_arguments(struct identical_run *run) {
  char storage[2048];
  const char *words[MAX_WORDS];
  size_t count = identical_words(run->from->arguments, storage, sizeof storage, words);
  for (size_t i = 0; i < count; i++)
    parse_argument(run, words[i]);
}

void identical_arguments_free(struct identical_run *run) {
  for (size_t i = 0; i < run->count; i++) {
    free(run->arguments[i].before);
    for (int way = 0; way < WAYS; way++)
      free(run->arguments[i].after[way]);
  }
}

/* --- The grid --------------------------------------------------------------------------------- */

static int64_t named(const struct identical_run *run, const char *name) {
  char storage[512];
  const char *words[MAX_WORDS];
  size_t length = strlen(name),
         count = identical_words(run->from->constants, storage, sizeof storage, words);
  for (size_t i = 0; i < run->count; i++)
    if (strcmp(run->arguments[i].name, name) == 0)
      return (int64_t)run->arguments[i].value;
  for (size_t i = 0; i < run->constant_count; i++)
    if (strcmp(run->constants[i].name, name) == 0)
      return run->constants[i].integer;
  for (size_t i = 0; i < count; i++)
    if (strncmp(words[i], name, length) == 0 && words[i][length] == '=')
      return strtoll(words[i] + length + 1, NULL, 10);
  wrong(run, name);
}

static int64_t product_of(const struct identical_run *run, const char **at);

/* A number, a name, or cdiv(a, b). */
static int64_t factor_of(const struct identical_run *run, const char **at) {
  char name[64] = "";
  int length = 0;
  *at += strspn(*at, " ");
  sscanf(*at, "%63[A-Za-z0-9_]%n", name, &length);
  *at += length;
  if (isdigit((unsigned char)name[0]))
    return strtoll(name, NULL, 10);
  if (strcmp(name, "cdiv") != 0 || **at != '(')
    return named(run, name);
  *at += 1;
  int64_t a = product_of(run, at);
  *at += **at == ',';
  int64_t b = product_of(run, at);
  *at += **at == ')';
  return (a + b - 1) / b;
}

static int64_t product_of(const struct identical_run *run, const char **at) {
  int64_t value = factor_of(run, at);
  while (*(*at += strspn(*at, " ")) == '*') {
    *at += 1;
    value *= factor_of(run, at);
  }
  return value;
}

void identical_grid(struct identical_run *run) {
  const char *at = run->from->grid;
  for (int axis = 0; axis < 3; axis++) {
    run->grid[axis] = *at ? (uint32_t)product_of(run, &at) : 1;
    at += *at == ',';
  }
  if (*at)
    wrong(run, "grid");
}

/* --- Arrays in files -------------------------------------------------------------------------- */

bool npy_store(const char *path, const struct identical_argument *argument) {
  char shape[128] = "", header[256];
  int length = 0;
  for (int i = 0; i < argument->rank; i++)
    length += snprintf(shape + length, sizeof shape - (size_t)length, "%lld, ",
                       (long long)argument->shape[i]);
  snprintf(header, sizeof header, "{'descr': '<%c%zu', 'fortran_order': False, 'shape': (%s), }",
           argument->type[0] == 'f' ? 'f' : 'i', type_bytes(argument->type), shape);
  int padded = ((int)strlen(header) + 11 + 63) / 64 * 64 - 10;
  FILE *file = fopen(path, "wb");
  if (!file)
    return false;
  fwrite("\x93NUMPY\x01\x00", 1, 8, file);
  fputc(padded & 255, file), fputc(padded >> 8, file);
  fprintf(file, "%-*s\n", padded - 1, header);
  fwrite(argument->before, 1, argument->bytes, file);
  return fclose(file) == 0;
}

bool npy_load(const char *path, struct identical_argument *argument, unsigned char *to) {
  unsigned char start[10] = {0};
  FILE *file = fopen(path, "rb");
  if (!file)
    return false;
  bool read = fread(start, 1, sizeof start, file) == sizeof start &&
              fseek(file, start[8] + 256 * start[9], SEEK_CUR) == 0 &&
              fread(to, 1, argument->bytes, file) == argument->bytes && fgetc(file) == EOF;
  fclose(file);
  return read;
}
