/* SPDX-License-Identifier: MIT */
/* --arg name=type[shape]:contents and name=type:value.

     x=fp32[98432]:rand       uniform in [-1, 1); integers over -100..100, unsigned ones 0..200
     x=i32[4,8]:arange        0, 1, 2, ... in row-major order
     x=fp16[64]:zeros         or ones, or any number
     x=fp32[3,4]:file.npy     type and shape must agree; x=file.npy takes both from the file
     n=i32:98432              a scalar
     x=*fp32:null             a pointer that is NULL */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/arena.h"
#include "base/c_locale.h"
#include "base/npy.h"
#include "base/status.h"
#include "tile_run.h"

static uint64_t mix(uint64_t x) { /* splitmix64, Steele et al. 2014 */
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

static uint64_t hash_name(const char *name, uint64_t seed) {
  for (; *name; name++)
    seed = mix(seed ^ (unsigned char)*name);
  return seed;
}

/* A number that is drawn from [-1, 1). What rounds to 1 becomes the number before it, whose bits
   are one less. */
static void store_drawn(enum element_type type, void *address, double value) {
  element_store(type, address, value);
  if (element_load(type, address) < 1)
    return;
  uint64_t bits = 0;
  memcpy(&bits, address, element_table[type].bytes);
  bits -= 1;
  memcpy(address, &bits, element_table[type].bytes);
}

static void fill_random(struct run_argument *argument, int64_t count, uint64_t seed) {
  size_t size = element_table[argument->type].bytes;
  bool is_unsigned = element_table[argument->type].name[0] == 'u';
  seed = hash_name(argument->name, seed);
  for (int64_t i = 0; i < count; i++) {
    uint64_t bits = mix(seed + (uint64_t)i);
    void *address = argument->data + (size_t)i * size;
    if (element_is_float(argument->type))
      store_drawn(argument->type, address, (double)(bits >> 11) * 0x1p-52 - 1.0);
    else if (argument->type == ELEMENT_I1)
      element_store_integer(argument->type, address, (int64_t)(bits & 1));
    else
      element_store_integer(argument->type, address,
                            (int64_t)(bits % 201) - (is_unsigned ? 0 : 100));
  }
}

/* Stores a number written in decimal (or true and false) at `address`; integers in full range. */
static tile_status store_number(const char *what, enum element_type type, const char *text,
                                void *address) {
  char *end;
  errno = 0;
  if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
    element_store_integer(type, address, text[0] == 't');
    return NULL;
  }
  if (element_is_float(type)) {
    double value = c_strtod(text, &end);
    if (*text == 0 || *end)
      return FAIL(TILE_INVALID_ARGUMENT, "argument '%s': '%s' is not a number", what, text);
    element_store(type, address, value);
    return NULL;
  }
  long long value = strtoll(text, &end, 0);
  if (*text == 0 || *end || errno)
    return FAIL(TILE_INVALID_ARGUMENT, "argument '%s': '%s' is not an integer of 64 bits", what,
                text);
  unsigned bits = (unsigned)element_table[type].bytes * 8;
  if (bits < 64 && (value < -(1LL << (bits - 1)) || value >= 1LL << bits))
    return FAIL(TILE_INVALID_ARGUMENT, "argument '%s': %s does not fit %s", what, text,
                element_table[type].name);
  element_store_integer(type, address, value);
  return NULL;
}

static bool ends_with(const char *text, const char *end) {
  size_t length = strlen(text), tail = strlen(end);
  return length >= tail && strcmp(text + length - tail, end) == 0;
}

enum { BUFFER_ALIGNMENT = 256 }; /* as cudaMalloc gives */

static tile_status allocate_buffer(struct run_argument *argument) {
  int64_t count = npy_elements(argument->rank, argument->shape);
  size_t size = element_table[argument->type].bytes;
  if (count < 0 || (uint64_t)count > (UINT64_C(1) << 36) / size)
    return FAIL(TILE_INVALID_ARGUMENT, "argument '%s' is larger than 64 GiB", argument->name);
  argument->bytes = (size_t)count * size;
  size_t rounded = (argument->bytes + BUFFER_ALIGNMENT) / BUFFER_ALIGNMENT * BUFFER_ALIGNMENT;
  argument->data = aligned_alloc(BUFFER_ALIGNMENT, rounded);
  if (!argument->data)
    return FAIL(TILE_OUT_OF_MEMORY, "no memory for argument '%s' (%zu bytes)", argument->name,
                argument->bytes);
  return NULL;
}

static bool same_shape(const struct run_argument *argument, const struct npy_array *array) {
  if (argument->rank != array->rank)
    return false;
  for (int i = 0; i < array->rank; i++)
    if (argument->shape[i] != array->shape[i])
      return false;
  return true;
}

/* With `declared` the type and shape are given and must agree with the file. */
static tile_status fill_from_file(struct run_argument *argument, const char *path, bool declared) {
  struct npy_array array;
  TRY(npy_read(path, &array));
  tile_status status = NULL;
  if (!declared) {
    argument->type = array.type;
    argument->rank = array.rank;
    memcpy(argument->shape, array.shape, sizeof argument->shape);
    status = allocate_buffer(argument);
  } else if (strcmp(element_table[argument->type].npy, element_table[array.type].npy) != 0) {
    status = FAIL(TILE_INVALID_ARGUMENT, "argument '%s' is %s, but '%s' holds %s", argument->name,
                  element_table[argument->type].name, path, element_table[array.type].name);
  } else if (!same_shape(argument, &array)) {
    status =
        FAIL(TILE_INVALID_ARGUMENT, "argument '%s': '%s' has another shape", argument->name, path);
  }
  if (!status && argument->bytes)
    memcpy(argument->data, array.bytes.data, argument->bytes);
  text_free(&array.bytes);
  return status;
}

static tile_status fill_buffer(struct run_argument *argument, const char *contents, uint64_t seed) {
  int64_t count = npy_elements(argument->rank, argument->shape);
  size_t size = element_table[argument->type].bytes;
  if (ends_with(contents, ".npy"))
    return fill_from_file(argument, contents, true);
  if (strcmp(contents, "rand") == 0) {
    fill_random(argument, count, seed);
    return NULL;
  }
  if (strcmp(contents, "arange") == 0) {
    for (int64_t i = 0; i < count; i++)
      element_store_integer(argument->type, argument->data + (size_t)i * size, i);
    return NULL;
  }
  if (strcmp(contents, "poison") == 0) {
    memset(argument->data, 0xCB, argument->bytes);
    return NULL;
  }
  const char *number = strcmp(contents, "zeros") == 0  ? "0"
                       : strcmp(contents, "ones") == 0 ? "1"
                                                       : contents;
  unsigned char value[8];
  tile_status status = store_number(argument->name, argument->type, number, value);
  if (status) {
    tile_status_free(status);
    return FAIL(TILE_INVALID_ARGUMENT,
                "argument '%s': contents are rand, zeros, ones, arange, poison, a number or a .npy "
                "file, not '%s'",
                argument->name, contents);
  }
  for (int64_t i = 0; i < count; i++)
    memcpy(argument->data + (size_t)i * size, value, size);
  return NULL;
}

/* "[3,4]" after the type; leaves *at after the bracket. */
static tile_status parse_shape(const char **at, struct run_argument *argument) {
  const char *c = *at + 1;
  for (argument->rank = 0; *c != ']';) {
    char *end;
    errno = 0;
    long long size = strtoll(c, &end, 10);
    if (end == c || errno || size < 0 || argument->rank == RUN_MAX_RANK)
      return FAIL(TILE_INVALID_ARGUMENT, "argument '%s': the shape is like [3,4]", argument->name);
    argument->shape[argument->rank++] = size;
    c = end + strspn(end, " ");
    if (*c == ',')
      c++;
    else if (*c != ']')
      return FAIL(TILE_INVALID_ARGUMENT, "argument '%s': the shape is like [3,4]", argument->name);
  }
  *at = c + 1;
  return NULL;
}

static tile_status unknown_type(const char *name, const char *value, size_t length) {
  char *end;
  if (strcmp(value, "None") == 0)
    return FAIL(TILE_INVALID_ARGUMENT,
                "argument '%s': an absent pointer is a constant: --constexpr %s=None", name, name);
  (void)c_strtod(value, &end);
  if (end != value && *end == 0)
    return FAIL(TILE_INVALID_ARGUMENT, "argument '%s' has no type: --arg %s=%s:%s", name, name,
                strpbrk(value, ".eEnN") ? "fp32" : "i32", value);
  return FAIL(TILE_INVALID_ARGUMENT,
              "argument '%s': unknown type '%.*s'; types are i1, i8, i16, i32, i64, u8, u16, u32, "
              "u64, fp16, bf16, fp32, fp64, fp8e4nv, fp8e5, fp8e4b8, fp8e5b16",
              name, (int)length, value);
}

static tile_status parse_value(const char *text, const char *at, uint64_t seed,
                               struct run_argument *out) {
  if (ends_with(at, ".npy") && !strchr(at, '[') && !strchr(at, ':')) {
    out->is_buffer = true;
    return fill_from_file(out, at, false);
  }
  bool pointer = *at == '*';
  at += pointer;
  size_t length = strcspn(at, "[:");
  if (!element_find(at, length, &out->type))
    return unknown_type(out->name, at, length);
  at += length;
  if (pointer) {
    out->is_buffer = out->is_null = true;
    return strcmp(at, ":null") == 0
               ? NULL
               : FAIL(TILE_INVALID_ARGUMENT,
                      "argument '%s': a pointer without memory is written *%.*s:null; one to a "
                      "buffer "
                      "%.*s[shape]:contents",
                      out->name, (int)length, at - length, (int)length, at - length);
  }
  if (*at == '[') {
    out->is_buffer = true;
    TRY(parse_shape(&at, out));
    TRY(allocate_buffer(out));
  }
  if (*at != ':' || at[1] == 0)
    return FAIL(TILE_INVALID_ARGUMENT, "argument '%s' needs ':' and a value after its type", text);
  if (out->is_buffer)
    return fill_buffer(out, at + 1, seed);
  out->bytes = element_table[out->type].bytes;
  out->data = calloc(1, 16);
  if (!out->data)
    return FAIL(TILE_OUT_OF_MEMORY, "no memory for argument '%s'", out->name);
  return store_number(out->name, out->type, at + 1, out->data);
}

tile_status run_argument_parse(const char *text, uint64_t seed, struct run_argument *out) {
  *out = (struct run_argument){0};
  const char *equals = strchr(text, '=');
  if (!equals || equals == text)
    return FAIL(TILE_INVALID_ARGUMENT,
                "--arg is name=type:value or name=type[shape]:contents, not "
                "'%s'",
                text);
  out->name = strndup(text, (size_t)(equals - text));
  tile_status status = out->name ? parse_value(text, equals + 1, seed, out)
                                 : FAIL(TILE_OUT_OF_MEMORY, "no memory for an argument");
  if (status)
    run_argument_destroy(out);
  return status;
}

void run_argument_destroy(struct run_argument *argument) {
  free(argument->name);
  free(argument->data);
  *argument = (struct run_argument){0};
}
