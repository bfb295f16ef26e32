/* SPDX-License-Identifier: MIT */
/* The generator of random kernels (random_kernel.h): statements, and the kernel around them.

   Kernels are right by construction: what they compute is defined, no two threads race, and
   promises (tile.divisibility, tile.assume) hold. */
#ifndef TILE_TEST_RANDOM_KERNEL_MAKE_H
#define TILE_TEST_RANDOM_KERNEL_MAKE_H

#include "random_control.h"

static void statement(struct maker *m) {
  int dice = below(m, 100);
  if (dice < 22 && m->depth < 3) {
    m->depth++;
    void (*const regions[])(struct maker *) = {make_for, make_if, make_while, make_for, make_if};
    regions[below(m, 5)](m);
    m->depth--;
  } else if (dice < 28 && !m->helper && m->depth < 2) {
    make_call(m);
  } else if (dice < 38 && !m->helper && m->depth < 3) {
    m->depth++;
    make_pointer_loop(m);
    m->depth--;
  } else if (dice < 70 && !m->helper) {
    bool again = m->site_count && (!has_room(m) || chance(m, 55));
    struct site *site =
        again ? &m->sites[below(m, m->site_count)] : new_site(m, any_shape(m, any_element(m)));
    if (again && chance(m, 50))
      load_site(m, site);
    if (!again || chance(m, 60))
      store_site(m, site, want(m, site->type, 4));
  } else {
    show(m, want(m, any_shape(m, any_element(m)), 4));
  }
}

static void statements(struct maker *m, int count) {
  while (count-- > 0)
    statement(m);
}

/* --- The kernel ------------------------------------------------------------------------------- */

/* The element's place in memory is aligned; tile.divisibility says how much, or less. */
static void put_promise(struct maker *m, struct text *out, const struct argument *argument) {
  enum element e = type_of(m, argument->value).element;
  if (e != POINTER && (is_float(e) || e == I1))
    return;
  uint64_t number = argument->bits & ((UINT64_C(1) << 30) - 1);
  if (e == POINTER)
    number = (uint64_t)argument->position * elements[type_of(m, argument->value).pointee].bytes;
  uint64_t divisor = number ? number & (0 - number) : 64;
  divisor = divisor > 64 ? 64 : divisor;
  if (chance(m, 30))
    divisor = divisor > 16 ? 16 : divisor;
  if (divisor > 1 && chance(m, 85))
    text_printf(out, " {tile.divisibility = %d : i32}", (int)divisor);
}

static void choose_shape(struct maker *m) {
  m->main_type.rank = 1 + below(m, MAX_DIMS);
  int bits = chance(m, 75) ? (int)between(m, 5, 11) : below(m, 12);
  if (chance(m, 40))
    bits = bits > 8 ? 8 : bits;
  for (int d = 0; d < m->main_type.rank; d++)
    m->main_type.shape[d] = 1;
  for (; bits > 0; bits--)
    m->main_type.shape[below(m, m->main_type.rank)] *= 2;
  if (m->main_type.rank > 1 && chance(m, 50)) { /* square: one vector fits two dimensions */
    int64_t size = INT64_C(1) << between(m, 1, 5);
    m->main_type.shape[0] = m->main_type.shape[1] = size;
    if (m->main_type.rank == 3)
      m->main_type.shape[2] = INT64_C(1) << below(m, 2);
  }
}

static void choose_grid(struct maker *m) {
  m->program_count = 1;
  for (int axis = 0; axis < 3; axis++) {
    m->kernel->grid[axis] = axis == 0 || chance(m, 25) ? (uint32_t)between(m, 1, 3) : 1;
    m->program_count *= m->kernel->grid[axis];
  }
}

/* The program's number in the grid. */
static int emit_program(struct maker *m) {
  int number = -1;
  for (int axis = 2; axis >= 0; axis--) {
    if (m->kernel->grid[axis] == 1 && axis && chance(m, 70))
      continue;
    char attributes[32];
    snprintf(attributes, sizeof attributes, "{axis = %d : i32}", axis);
    struct type type = scalar_type(I32);
    int id = emit_generic(m, (struct step){.kind = STEP_PROGRAM_ID, .number = axis},
                          "tile.program_id", attributes, type, -1, -1, -1);
    if (number >= 0) {
      int size = emit_generic(m, (struct step){.kind = STEP_NUM_PROGRAMS, .number = axis},
                              "tile.num_programs", attributes, type, -1, -1, -1);
      id = emit_binary(m, ADDI, emit_binary(m, MULI, number, size), id);
    }
    number = id;
  }
  return number;
}

static void fill_buffers(struct maker *m) {
  for (int i = 0; i < m->kernel->buffer_count; i++) {
    struct buffer *buffer = &m->kernel->buffers[i];
    size_t bytes = (size_t)buffer->count * elements[buffer->element].bytes;
    buffer->actual = aligned_alloc(64, (bytes + 63) / 64 * 64);
    buffer->expected = tile_allocate(bytes);
    buffer->any = calloc((size_t)buffer->count, 1);
    for (int64_t at = 0; at < buffer->count; at++)
      memory_write(buffer->expected, buffer->element, at,
                   buffer->written ? roll(m) : random_bits(m, buffer->element));
    memcpy(buffer->actual, buffer->expected, bytes);
  }
}

/* Writes a kernel called `name` and what it needs to `out`. random_kernel_free ends `kernel`. */
static void random_kernel_make(struct kernel *kernel, uint64_t seed, const char *name,
                               struct text *out) {
  *kernel = (struct kernel){0};
  struct maker *m = tile_allocate(sizeof *m);
  *m = (struct maker){.kernel = kernel, .random = seed, .name = name};
  struct text body = {0};
  m->out = &body;
  m->block = &kernel->body;
  m->budget = (int)between(m, 10, 120);
  choose_shape(m);
  choose_grid(m);
  m->program = show(m, emit_program(m));
  statements(m, 2 + below(m, 6));
  if (has_room(m)) {
    struct type type = any_shape(m, any_element(m));
    int value = want(m, type, 4);
    store_site(m, new_site(m, type), value);
  }
  fill_buffers(m);
  char *helpers = text_take(&m->helpers);
  text_printf(out, "func.func @%s(", name);
  for (int i = 0; i < kernel->argument_count; i++) {
    text_printf(out, "%s%%v%d: ", i ? ", " : "", kernel->arguments[i].value);
    put_type(out, type_of(m, kernel->arguments[i].value));
    put_promise(m, out, &kernel->arguments[i]);
  }
  text_printf(out, ") attributes {tile.kernel} {\n%s  return\n}\n\n%s", text_string(&body),
              helpers);
  free(helpers);
  text_free(&body);
  free(m);
}

static void random_kernel_free(struct kernel *kernel) {
  for (int i = 0; i < kernel->buffer_count; i++) {
    free(kernel->buffers[i].actual);
    free(kernel->buffers[i].expected);
    free(kernel->buffers[i].any);
  }
  free(kernel->values);
  free(kernel->arguments);
  arena_destroy(&kernel->arena);
}

#endif
