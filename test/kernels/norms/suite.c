/* SPDX-License-Identifier: MIT */
/* Building a problem: its parameters, their values and the signature. See suite.h. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "suite.h"

/* --- Problems --------------------------------------------------------------------------------- */

static void *allocate(size_t bytes) {
  void *memory = calloc(1, bytes ? bytes : 1);
  if (!memory) {
    fprintf(stderr, "out of memory\n");
    exit(1);
  }
  return memory;
}

struct problem *begin(struct suite *suite, const char *file, const char *kernel,
                      const uint32_t grid[3], const char *variant, enum type type,
                      const struct shape *shape) {
  char label[MAX_TEXT];
  snprintf(label, sizeof label, "%s%s%s, %s, %d x %d, %d warp%s", kernel, *variant ? " " : "",
           variant, type_name(type), shape->m, shape->n, shape->warps,
           shape->warps == 1 ? "" : "s");
  if (suite->filter && !strstr(label, suite->filter))
    return NULL;
  if (suite->parts && suite->cases++ % suite->parts != suite->part)
    return NULL;
  struct problem *p = allocate(sizeof *p);
  *p = (struct problem){.suite = suite,
                        .file = file,
                        .kernel = kernel,
                        .warps = shape->warps,
                        .random = (uint64_t)shape->m * 31 + (uint64_t)shape->n};
  memcpy(p->grid, grid, sizeof p->grid);
  memcpy(p->label, label, sizeof label);
  return p;
}

/* --- Contents --------------------------------------------------------------------------------- */

static double draw(struct problem *p) { /* in [0, 1); splitmix64, Steele et al. 2014 */
  uint64_t x = p->random += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return (double)((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

double fill_uniform(struct problem *p, size_t index, double parameter) {
  (void)index;
  return (2 * draw(p) - 1) * parameter;
}

double fill_eighths(struct problem *p, size_t index, double parameter) {
  (void)index;
  return trunc((2 * draw(p) - 1) * parameter * 8) / 8;
}

double fill_below(struct problem *p, size_t index, double parameter) {
  (void)index;
  return floor(draw(p) * parameter);
}

double fill_unit(struct problem *p, size_t index, double parameter) {
  (void)index, (void)parameter;
  return draw(p);
}

/* --- Parameters ------------------------------------------------------------------------------- */

static struct parameter *add(struct problem *p, const char *name, int kind) {
  if (p->count == MAX_PARAMETERS) {
    fprintf(stderr, "%s: more than %d parameters\n", p->kernel, MAX_PARAMETERS);
    exit(1);
  }
  struct parameter *parameter = &p->parameters[p->count++];
  *parameter = (struct parameter){.name = name, .roundings = 1, .tolerance = 1e-6};
  memcpy(&parameter->kind, &kind, sizeof kind);
  return parameter;
}

static struct parameter *add_pointer(struct problem *p, const char *name, enum type type,
                                     size_t count) {
  struct parameter *parameter = add(p, name, POINTER);
  parameter->type = type;
  parameter->count = count;
  parameter->data = memset(allocate(count * type_bytes(type)), 0xCB, count * type_bytes(type));
  parameter->before = allocate(count * sizeof(double));
  snprintf(parameter->text, MAX_TEXT, "*%s:16", type_name(type));
  return parameter;
}

/* Stores the values and reads them back as the kernel sees them. */
static void store_values(struct parameter *parameter) {
  for (size_t i = 0; i < parameter->count; i++) {
    type_store(parameter->type, parameter->data, i, parameter->before[i]);
    parameter->before[i] = type_load(parameter->type, parameter->data, i);
  }
}

static struct parameter *add_filled(struct problem *p, const char *name, enum type type,
                                    size_t count, fill_function *fill, double bound) {
  struct parameter *parameter = add_pointer(p, name, type, count);
  for (size_t i = 0; i < count; i++)
    parameter->before[i] = fill(p, i, bound);
  store_values(parameter);
  return parameter;
}

const double *add_input(struct problem *p, const char *name, enum type type, size_t count,
                        fill_function *fill, double parameter) {
  return add_filled(p, name, type, count, fill, parameter)->before;
}

const double *add_input_if(struct problem *p, const char *name, bool on, enum type type,
                           size_t count, fill_function *fill, double parameter) {
  if (on)
    return add_input(p, name, type, count, fill, parameter);
  add_none(p, name);
  return NULL;
}

void add_values(struct problem *p, const char *name, enum type type, size_t count, double *values) {
  struct parameter *parameter = add_pointer(p, name, type, count);
  memcpy(parameter->before, values, count * sizeof *values);
  store_values(parameter);
  memcpy(values, parameter->before, count * sizeof *values);
}

static double *not_written(size_t count) {
  double *values = allocate(count * sizeof *values);
  for (size_t i = 0; i < count; i++)
    values[i] = NAN;
  return values;
}

double *add_output(struct problem *p, const char *name, enum type type, size_t count) {
  struct parameter *parameter = add_pointer(p, name, type, count);
  return parameter->expected = not_written(count);
}

struct parameter *add_in_place(struct problem *p, const char *name, enum type type, size_t count,
                               fill_function *fill, double bound) {
  struct parameter *parameter = add_filled(p, name, type, count, fill, bound);
  parameter->expected = not_written(count);
  return parameter;
}

void add_none(struct problem *p, const char *name) {
  snprintf(add(p, name, CONSTANT)->text, MAX_TEXT, "None");
}

void add_integer(struct problem *p, const char *name, int32_t value) {
  struct parameter *parameter = add(p, name, INTEGER);
  parameter->integer = value;
  snprintf(parameter->text, MAX_TEXT, value % 16 == 0 ? "i32:16" : "i32");
}

void add_number(struct problem *p, const char *name, float value) {
  struct parameter *parameter = add(p, name, NUMBER);
  parameter->number = value;
  snprintf(parameter->text, MAX_TEXT, "fp32");
}

void add_constant(struct problem *p, const char *name, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(add(p, name, CONSTANT)->text, MAX_TEXT, format, arguments);
  va_end(arguments);
}

void add_flag(struct problem *p, const char *name, bool value) {
  add_constant(p, name, value ? "True" : "False");
}

struct parameter *latest(struct problem *p) {
  return &p->parameters[p->count - 1];
}

double *add_scale(struct problem *p, struct parameter *parameter) {
  (void)p;
  parameter->scale = allocate(parameter->count * sizeof(double));
  for (size_t i = 0; i < parameter->count; i++)
    parameter->scale[i] = 1;
  return parameter->scale;
}

/* --- What references need --------------------------------------------------------------------- */

int next_power_of_2(int n) {
  int power = 1;
  while (power < n)
    power *= 2;
  return power;
}

void philox(uint64_t seed, uint32_t offset, int rounds, uint32_t out[4]) {
  uint32_t c[4] = {offset, 0, 0, 0}, key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
  for (int i = 0; i < rounds; i++) {
    uint64_t a = (uint64_t)c[0] * 0xD2511F53u, b = (uint64_t)c[2] * 0xCD9E8D57u;
    uint32_t next[4] = {(uint32_t)(b >> 32) ^ c[1] ^ key[0], (uint32_t)b,
                        (uint32_t)(a >> 32) ^ c[3] ^ key[1], (uint32_t)a};
    memcpy(c, next, sizeof c);
    key[0] += 0x9E3779B9u, key[1] += 0xBB67AE85u;
  }
  memcpy(out, c, sizeof c);
}

float uniform_of(uint32_t word) {
  uint32_t magnitude = word >> 31 ? ~word : word;
  return (float)magnitude * 4.6566127342e-10f;
}

bool has(const char *words, const char *word) {
  size_t length = strlen(word);
  for (const char *at = words; (at = strstr(at, word)); at += length)
    if ((at == words || at[-1] == ' ') && (at[length] == 0 || at[length] == ' '))
      return true;
  return false;
}

/* A small shape: quick on the emulator. */
static bool is_small(const struct shape *shape) {
  return !shape->large && shape->m * shape->n <= 4000;
}

void for_each_case(struct suite *suite, int variants, const struct shape *shapes,
                   size_t shape_count, run_function *run) {
  for (int variant = 0; variant < variants; variant++) {
    if (suite->all) {
      for (int type = 0; type < FLOAT_TYPES; type++)
        for (size_t i = 0; i < shape_count; i++)
          if (suite->is_gpu || !shapes[i].large)
            run(suite, variant, (enum type)type, &shapes[i]);
      continue;
    }
    size_t index = (size_t)variant % shape_count;
    while (!is_small(&shapes[index]))
      index = (index + 1) % shape_count;
    run(suite, variant, (enum type)(variant % FLOAT_TYPES), &shapes[index]);
  }
}
