/* SPDX-License-Identifier: MIT */
/* One random kernel: what the generator writes as MLIR text, it also records as steps, which
   random_kernel_run evaluates program by program on plain arrays. random_kernel_make.h fills it.

   Values are numbered; value 7 is %v7 in the text. A pointer is (buffer + 1) << 40 plus a byte
   offset. A value may be undefined element by element (a load that is masked off without `other`);
   so may be a byte of a buffer, which is then not compared. */
#ifndef TILE_TEST_RANDOM_KERNEL_H
#define TILE_TEST_RANDOM_KERNEL_H

#include <stdio.h>
#include <stdlib.h>
#include "base/arena.h"
#include "base/text.h"
#include "random_numbers.h"

enum { MAX_DIMS = 3, MAX_OPERANDS = 3, POINTER_SHIFT = 40 };

struct type {
  enum element element, pointee;
  int rank;
  int64_t shape[MAX_DIMS];
};

static inline int64_t type_count(const struct type *type) {
  int64_t count = 1;
  for (int d = 0; d < type->rank; d++)
    count *= type->shape[d];
  return count;
}

struct value {
  struct type type;
  uint64_t *bits;
  bool *undefined;
};

struct list {
  int *ids;
  int count, capacity;
};

enum step_kind {
  STEP_CONSTANT,
  STEP_PROGRAM_ID,
  STEP_NUM_PROGRAMS,
  STEP_RANGE,
  STEP_SPLAT,
  STEP_BROADCAST,
  STEP_EXPAND_DIMS,
  STEP_ADDPTR,
  STEP_RENAME, /* the same bits: pointer casts */
  STEP_SCALAR_OP,
  STEP_LOAD,
  STEP_STORE,
  STEP_FOR,
  STEP_IF,
  STEP_WHILE,
  STEP_CALL
};

struct step;
struct block {
  struct list parameters, yielded;
  struct step **steps;
  int count, capacity;
};

struct step {
  enum step_kind kind;
  enum scalar_op op;
  int predicate;
  int64_t number;               /* constant, axis, start */
  int out, in[MAX_OPERANDS];    /* -1: none */
  struct list initial, results; /* control flow; of a call: arguments and results */
  int condition;                /* of a while: in body[0] */
  struct block *body[2];        /* a call's is the callee's */
};

struct buffer {
  enum element element;
  int64_t count;
  bool written;
  unsigned char *actual, *expected;
  bool *any; /* per element */
};

struct argument {
  int value;
  int buffer;       /* of a pointer; -1: a number */
  int64_t position; /* of a pointer, in elements */
  uint64_t bits;    /* what the kernel is launched with */
};

struct kernel {
  struct arena arena;
  struct value *values;
  int value_count, value_capacity;
  struct buffer *buffers;
  int buffer_count;
  struct argument *arguments;
  int argument_count;
  struct block body;
  uint32_t grid[3], program[3];
};

static inline void list_add(struct arena *arena, struct list *list, int id) {
  if (list->count == list->capacity) {
    int capacity = list->capacity ? list->capacity * 2 : 8;
    int *ids = ARENA_ARRAY(arena, int, (size_t)capacity);
    if (list->count)
      memcpy(ids, list->ids, (size_t)list->count * sizeof *ids);
    list->ids = ids;
    list->capacity = capacity;
  }
  list->ids[list->count++] = id;
}

static inline void block_add(struct arena *arena, struct block *block, struct step *step) {
  if (block->count == block->capacity) {
    int capacity = block->capacity ? block->capacity * 2 : 16;
    struct step **steps = ARENA_ARRAY(arena, struct step *, (size_t)capacity);
    if (block->count)
      memcpy(steps, block->steps, (size_t)block->count * sizeof *steps);
    block->steps = steps;
    block->capacity = capacity;
  }
  block->steps[block->count++] = step;
}

/* --- Memory ----------------------------------------------------------------------------------- */

/* The buffer and element that a pointer names. The generator keeps every access that is not masked
   off inside, and every pointer at a whole element of the buffer it came from. */
static inline bool locate(struct kernel *kernel, uint64_t pointer, struct buffer **buffer,
                          int64_t *element) {
  int64_t index = (int64_t)(pointer >> POINTER_SHIFT) - 1;
  if (index < 0 || index >= kernel->buffer_count)
    return false;
  *buffer = &kernel->buffers[index];
  int64_t offset = (int64_t)(pointer & ((UINT64_C(1) << POINTER_SHIFT) - 1));
  *element = offset / elements[(*buffer)->element].bytes;
  return *element < (*buffer)->count;
}

static inline uint64_t memory_read(const unsigned char *bytes, enum element element,
                                   int64_t index) {
  uint64_t bits = 0;
  memcpy(&bits, bytes + index * elements[element].bytes, elements[element].bytes);
  return element == I1 ? bits != 0 : bits;
}

static inline void memory_write(unsigned char *bytes, enum element element, int64_t index,
                                uint64_t bits) {
  memcpy(bytes + index * elements[element].bytes, &bits, elements[element].bytes);
}

static inline void generator_fault(const char *what) {
  fprintf(stderr, "lowering_random_test: the generator is wrong: %s\n", what);
  abort();
}

/* --- Steps ------------------------------------------------------------------------------------ */

static inline struct value *value_of(struct kernel *kernel, int id) {
  return &kernel->values[id];
}

static inline void copy_value(struct kernel *kernel, int to, int from) {
  size_t count = (size_t)type_count(&kernel->values[to].type);
  memcpy(kernel->values[to].bits, kernel->values[from].bits, count * sizeof(uint64_t));
  memcpy(kernel->values[to].undefined, kernel->values[from].undefined, count);
}

static inline void copy_values(struct kernel *kernel, const struct list *to,
                               const struct list *from) {
  for (int i = 0; i < to->count; i++)
    copy_value(kernel, to->ids[i], from->ids[i]);
}

/* `to` = `from`, all at once: a yield may swap. */
static inline void move_values(struct kernel *kernel, const struct list *to,
                               const struct list *from) {
  uint64_t **bits = calloc((size_t)to->count + 1, sizeof *bits);
  bool **undefined = calloc((size_t)to->count + 1, sizeof *undefined);
  for (int i = 0; i < to->count; i++) {
    size_t count = (size_t)type_count(&value_of(kernel, to->ids[i])->type);
    bits[i] = malloc(count * sizeof **bits);
    undefined[i] = malloc(count);
    memcpy(bits[i], value_of(kernel, from->ids[i])->bits, count * sizeof **bits);
    memcpy(undefined[i], value_of(kernel, from->ids[i])->undefined, count);
  }
  for (int i = 0; i < to->count; i++) {
    size_t count = (size_t)type_count(&value_of(kernel, to->ids[i])->type);
    memcpy(value_of(kernel, to->ids[i])->bits, bits[i], count * sizeof **bits);
    memcpy(value_of(kernel, to->ids[i])->undefined, undefined[i], count);
    free(bits[i]);
    free(undefined[i]);
  }
  free(bits);
  free(undefined);
}

/* The operand's element for the result's element `at`: itself, or of size-1 dimensions the first.
 */
static inline int64_t source_element(const struct step *step, const struct type *from,
                                     const struct type *to, int64_t at) {
  if (from->rank == 0)
    return 0;
  int64_t coordinate[MAX_DIMS] = {0};
  for (int d = to->rank - 1; d >= 0; d--) {
    coordinate[d] = at % to->shape[d];
    at /= to->shape[d];
  }
  int64_t index = 0;
  for (int d = 0, e = 0; d < to->rank; d++) {
    if (step->kind == STEP_EXPAND_DIMS && d == step->number)
      continue;
    index = index * from->shape[e] + (from->shape[e] == 1 ? 0 : coordinate[d]);
    e++;
  }
  return index;
}

static inline void run_access(struct kernel *kernel, const struct step *step) {
  struct value *pointer = value_of(kernel, step->in[0]);
  struct value *mask = NULL, *extra = NULL; /* extra: other, or what is stored */
  bool load = step->kind == STEP_LOAD;
  if (load && step->in[1] >= 0)
    mask = value_of(kernel, step->in[1]);
  if (!load && step->in[2] >= 0)
    mask = value_of(kernel, step->in[2]);
  int extra_id = load ? step->in[2] : step->in[1];
  extra = extra_id >= 0 ? value_of(kernel, extra_id) : NULL;
  int64_t count = type_count(&pointer->type);
  enum element element = pointer->type.pointee;
  for (int64_t i = 0; i < count; i++) {
    struct buffer *buffer = NULL;
    int64_t at = 0;
    bool unsure = pointer->undefined[i] || (mask && mask->undefined[i]);
    bool on = !mask || mask->bits[i];
    if (!load) {
      if (!on && !unsure)
        continue;
      if (!locate(kernel, pointer->bits[i], &buffer, &at)) {
        if (!unsure)
          generator_fault("a store out of bounds");
        continue;
      }
      buffer->any[at] = unsure || extra->undefined[i];
      if (!unsure && !extra->undefined[i])
        memory_write(buffer->expected, element, at, extra->bits[i]);
      continue;
    }
    struct value *result = value_of(kernel, step->out);
    result->bits[i] = extra && !on ? extra->bits[i] : 0;
    result->undefined[i] = unsure || (!on && (!extra || extra->undefined[i]));
    if (on && !unsure) {
      if (!locate(kernel, pointer->bits[i], &buffer, &at))
        generator_fault("a load out of bounds");
      result->bits[i] = memory_read(buffer->expected, element, at);
      result->undefined[i] = buffer->any[at];
    }
  }
}

static inline void run_scalar_op(struct kernel *kernel, const struct step *step) {
  struct value *result = value_of(kernel, step->out);
  int operands = scalar_ops[step->op].operands;
  enum element from = value_of(kernel, step->in[step->op == SELECT])->type.element;
  int64_t count = type_count(&result->type);
  for (int64_t i = 0; i < count; i++) {
    uint64_t x[MAX_OPERANDS] = {0};
    bool undefined = false;
    for (int k = 0; k < operands; k++) {
      const struct value *operand = value_of(kernel, step->in[k]);
      int64_t at = operand->type.rank ? i : 0;
      x[k] = operand->bits[at];
      bool picked = step->op != SELECT || k == 0 || (k == 1) == (x[0] != 0);
      undefined |= picked && operand->undefined[at];
    }
    result->undefined[i] = undefined;
    result->bits[i] =
        undefined ? 0 : evaluate_scalar(step->op, step->predicate, from, result->type.element, x);
  }
}

static inline void run_block(struct kernel *kernel, const struct block *block);

static inline void run_loop(struct kernel *kernel, const struct step *step) {
  if (step->kind == STEP_WHILE) {
    copy_values(kernel, &step->body[0]->parameters, &step->initial);
    for (;;) {
      run_block(kernel, step->body[0]);
      if (!value_of(kernel, step->condition)->bits[0])
        break;
      copy_values(kernel, &step->body[1]->parameters, &step->body[0]->yielded);
      run_block(kernel, step->body[1]);
      move_values(kernel, &step->body[0]->parameters, &step->body[1]->yielded);
    }
    copy_values(kernel, &step->results, &step->body[0]->yielded);
    return;
  }
  struct value *induction = value_of(kernel, step->out);
  enum element element = induction->type.element;
  int64_t bounds[3];
  for (int i = 0; i < 3; i++)
    bounds[i] = as_signed(element, value_of(kernel, step->in[i])->bits[0]);
  copy_values(kernel, &step->body[0]->parameters, &step->initial);
  for (int64_t i = bounds[0]; i < bounds[1]; i += bounds[2]) {
    induction->bits[0] = (uint64_t)i & width_mask(element);
    run_block(kernel, step->body[0]);
    move_values(kernel, &step->body[0]->parameters, &step->body[0]->yielded);
  }
  copy_values(kernel, &step->results, &step->body[0]->parameters);
}

static inline void run_simple(struct kernel *kernel, const struct step *step) {
  struct value *result = value_of(kernel, step->out);
  const struct value *source = step->in[0] >= 0 ? value_of(kernel, step->in[0]) : NULL;
  int64_t count = type_count(&result->type);
  for (int64_t i = 0; i < count; i++) {
    result->undefined[i] = false;
    switch (step->kind) {
    case STEP_CONSTANT:
      result->bits[i] = (uint64_t)step->number & width_mask(result->type.element);
      break;
    case STEP_PROGRAM_ID:
      result->bits[i] = kernel->program[step->number];
      break;
    case STEP_NUM_PROGRAMS:
      result->bits[i] = kernel->grid[step->number];
      break;
    case STEP_RANGE:
      result->bits[i] = (uint64_t)(step->number + i) & width_mask(I32);
      break;
    case STEP_ADDPTR: {
      const struct value *index = value_of(kernel, step->in[1]);
      result->bits[i] = source->bits[i] + (uint64_t)as_signed(index->type.element, index->bits[i]) *
                                              elements[result->type.pointee].bytes;
      result->undefined[i] = source->undefined[i] || index->undefined[i];
      break;
    }
    default: {
      int64_t at =
          step->kind == STEP_RENAME ? i : source_element(step, &source->type, &result->type, i);
      result->bits[i] = source->bits[at];
      result->undefined[i] = source->undefined[at];
    }
    }
  }
}

static inline void run_step(struct kernel *kernel, const struct step *step) {
  switch (step->kind) {
  case STEP_SCALAR_OP:
    run_scalar_op(kernel, step);
    break;
  case STEP_LOAD:
  case STEP_STORE:
    run_access(kernel, step);
    break;
  case STEP_FOR:
  case STEP_WHILE:
    run_loop(kernel, step);
    break;
  case STEP_IF: {
    const struct block *block = step->body[!value_of(kernel, step->in[0])->bits[0]];
    if (block) {
      run_block(kernel, block);
      copy_values(kernel, &step->results, &block->yielded);
    }
    break;
  }
  case STEP_CALL:
    copy_values(kernel, &step->body[0]->parameters, &step->initial);
    run_block(kernel, step->body[0]);
    copy_values(kernel, &step->results, &step->body[0]->yielded);
    break;
  default:
    run_simple(kernel, step);
    break;
  }
}

static inline void run_block(struct kernel *kernel, const struct block *block) {
  for (int i = 0; i < block->count; i++)
    run_step(kernel, block->steps[i]);
}

/* Fills `expected` of every buffer. Programs do not see each other's results. */
static inline void random_kernel_run(struct kernel *kernel) {
  for (int i = 0; i < kernel->argument_count; i++)
    value_of(kernel, kernel->arguments[i].value)->bits[0] = kernel->arguments[i].bits;
  for (uint32_t z = 0; z < kernel->grid[2]; z++)
    for (uint32_t y = 0; y < kernel->grid[1]; y++)
      for (uint32_t x = 0; x < kernel->grid[0]; x++) {
        uint32_t program[3] = {x, y, z};
        memcpy(kernel->program, program, sizeof program);
        run_block(kernel, &kernel->body);
      }
}

#endif
