/* SPDX-License-Identifier: MIT */
/* Random reductions, scans, sorts, gathers and relabelings on the emulator, against loops over
   indices. Each module has one kernel: loads a tensor of random shape and type with its elements in
   row-major order, applies one or two operations, and stores each result.

       lowering_reduce_test                       the fixed set that CI runs
       lowering_reduce_test --seed 7 --count 2000
       lowering_reduce_test --seed 7 --count 1 --print */
#include <inttypes.h>
#include <stdlib.h>
#include "base/text.h"
#include "check.h"
#include "tile/compiler.h"

enum { MOST = 4096 };

static uint64_t state;
static uint32_t draw(uint32_t bound) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((state >> 33) % bound);
}

/* Values are small integers, exact in each type, so that any order of sums is right. */
struct type {
  const char *name;
  int bytes;
  bool is_float;
};
static const struct type types[] = {{"i8", 1, false},  {"i16", 2, false}, {"i32", 4, false},
                                    {"i64", 8, false}, {"f16", 2, true},  {"bf16", 2, true},
                                    {"f32", 4, true},  {"f64", 8, true}};
enum { TYPES = sizeof types / sizeof *types };

static void put_number(const struct type *type, uint8_t *at, int value) {
  float single = (float)value;
  double wide = value;
  uint32_t bits;
  memcpy(&bits, &single, 4);
  int64_t integer = value;
  if (!type->is_float)
    memcpy(at, &integer, (size_t)type->bytes);
  else if (type->bytes == 8)
    memcpy(at, &wide, 8);
  else if (type->bytes == 4)
    memcpy(at, &single, 4);
  else if (strcmp(type->name, "bf16") == 0)
    memcpy(at, (uint8_t *)&bits + 2, 2);
  else {
    uint16_t half = 0;
    if (value) {
      int exponent = (int)(bits >> 23 & 255) - 127;
      half = (uint16_t)((bits >> 16 & 0x8000) | (uint32_t)(exponent + 15) << 10 |
                        (bits >> 13 & 0x3FF));
    }
    memcpy(at, &half, 2);
  }
}

/* --- Tensors of the reference ----------------------------------------------------------------- */

struct tensor {
  int rank;
  int64_t shape[5];
  int value[MOST];
};

static int64_t count_of(const struct tensor *t) {
  int64_t count = 1;
  for (int i = 0; i < t->rank; i++)
    count *= t->shape[i];
  return count;
}

static void put_tensor_type(struct text *text, const struct tensor *t, const char *element) {
  if (t->rank == 0) {
    text_puts(text, element);
    return;
  }
  text_puts(text, "tensor<");
  for (int i = 0; i < t->rank; i++)
    text_printf(text, "%lldx", (long long)t->shape[i]);
  text_printf(text, "%s>", element);
}

/* Elements before, along and after an axis. */
struct strides {
  int64_t outer, size, inner;
};

static struct strides split_at(const struct tensor *t, int axis) {
  struct strides s = {1, t->shape[axis], 1};
  for (int i = 0; i < axis; i++)
    s.outer *= t->shape[i];
  for (int i = axis + 1; i < t->rank; i++)
    s.inner *= t->shape[i];
  return s;
}

/* --- Operations ------------------------------------------------------------------------------- */

enum combiner { SUM, MAX, MIN, LEFT, ARGMAX, COMBINERS };

/* Two values with places: LEFT keeps the left one (not commutative), ARGMAX the larger, then the
   lower place. */
static void combine(enum combiner how, int *value, int *place, int right, int right_place) {
  bool take = how == MAX      ? right > *value
              : how == MIN    ? right < *value
              : how == ARGMAX ? right > *value || (right == *value && right_place < *place)
                              : false;
  if (how == SUM)
    *value += right;
  if (take) {
    *value = right;
    *place = right_place;
  }
}

static const char *combiner_op(enum combiner how, const struct type *type) {
  static const char *const names[3][2] = {{"arith.addi", "arith.addf"},
                                          {"arith.maxsi", "arith.maxnumf"},
                                          {"arith.minsi", "arith.minnumf"}};
  return names[how][type->is_float];
}

static void put_region(struct text *text, enum combiner how, const struct type *type) {
  const char *t = type->name;
  if (how == ARGMAX) {
    text_printf(text,
                "({\n  ^bb0(%%a: %s, %%i: i32, %%b: %s, %%j: i32):\n"
                "    %%g = arith.cmp%s %s, %%a, %%b : %s\n"
                "    %%e = arith.cmp%s %s, %%a, %%b : %s\n"
                "    %%l = arith.cmpi slt, %%i, %%j : i32\n"
                "    %%m = arith.andi %%e, %%l : i1\n"
                "    %%t = arith.ori %%g, %%m : i1\n"
                "    %%v = arith.select %%t, %%a, %%b : %s\n"
                "    %%w = arith.select %%t, %%i, %%j : i32\n"
                "    \"gpu.yield\"(%%v, %%w) : (%s, i32) -> ()\n  })",
                t, t, type->is_float ? "f" : "i", type->is_float ? "ogt" : "sgt", t,
                type->is_float ? "f" : "i", type->is_float ? "oeq" : "eq", t, t, t);
    return;
  }
  text_printf(text, "({\n  ^bb0(%%a: %s, %%b: %s):\n", t, t);
  if (how == LEFT)
    text_printf(text, "    \"gpu.yield\"(%%a) : (%s) -> ()\n  })", t);
  else
    text_printf(text, "    %%c = %s %%a, %%b : %s\n    \"gpu.yield\"(%%c) : (%s) -> ()\n  })",
                combiner_op(how, type), t, t);
}

/* The module under construction: one tensor after another, %v0, %v1, ... */
struct program {
  struct text text;
  const struct type *type;
  struct tensor now;
  int next; /* number of the next value */
};

static void put_segments(struct text *text, int count) {
  const char *const names[] = {"operandSegmentSizes", "resultSegmentSizes"};
  for (int n = 0; n < 2; n++) {
    text_printf(text, ", %s = array<i32: ", names[n]);
    for (int i = 0; i < 8; i++)
      text_printf(text, "%s%d", i ? ", " : "", i < count);
    text_puts(text, ">");
  }
}

/* The number of each element along the axis, as a tensor %p of i32. */
static void put_places(struct program *p, int axis) {
  struct tensor line = {.rank = 1, .shape = {p->now.shape[axis]}};
  text_printf(&p->text, "  %%p0 = \"tile.range\"() {start = 0 : i32, end = %lld : i32} : () -> ",
              (long long)p->now.shape[axis]);
  put_tensor_type(&p->text, &line, "i32");
  struct tensor thin = {.rank = p->now.rank};
  for (int i = 0; i < 5; i++)
    thin.shape[i] = i == axis ? p->now.shape[axis] : 1;
  text_puts(&p->text, "\n  %p1 = \"tile.reshape\"(%p0) : (");
  put_tensor_type(&p->text, &line, "i32");
  text_puts(&p->text, ") -> ");
  put_tensor_type(&p->text, &thin, "i32");
  text_puts(&p->text, "\n  %p = \"tile.broadcast\"(%p1) : (");
  put_tensor_type(&p->text, &thin, "i32");
  text_puts(&p->text, ") -> ");
  put_tensor_type(&p->text, &p->now, "i32");
  text_puts(&p->text, "\n");
}

/* Computes the reference into *after (and places into `places`); a scan keeps the shape. */
static void run_reference(const struct tensor *before, int axis, enum combiner how, bool scan,
                          bool reverse, struct tensor *after, int *places) {
  struct strides s = split_at(before, axis);
  *after = *before;
  if (!scan) {
    after->rank--;
    for (int i = axis; i < after->rank; i++)
      after->shape[i] = after->shape[i + 1];
  }
  for (int64_t o = 0; o < s.outer; o++)
    for (int64_t n = 0; n < s.inner; n++) {
      int value = 0, place = 0;
      for (int64_t k = 0; k < s.size; k++) {
        int64_t i = reverse ? s.size - 1 - k : k, at = (o * s.size + i) * s.inner + n;
        if (k == 0)
          value = before->value[at], place = (int)i;
        else
          combine(how, &value, &place, before->value[at], (int)i);
        if (scan)
          after->value[at] = value, places[at] = place;
      }
      if (!scan)
        after->value[o * s.inner + n] = value, places[o * s.inner + n] = place;
    }
}

/* Stores %v<number> row by row to %out<k>: the tensor is flattened first. */
static void put_store(struct program *p, const char *value, int out, const char *element) {
  int64_t count = count_of(&p->now);
  if (p->now.rank == 0) {
    text_printf(&p->text, "  \"tile.store\"(%%out%d, %s) : (!tile.ptr<%s>, %s) -> ()\n", out, value,
                element, element);
    return;
  }
  text_printf(&p->text, "  %%f%d = \"tile.reshape\"(%s) : (", out, value);
  put_tensor_type(&p->text, &p->now, element);
  text_printf(&p->text, ") -> tensor<%lldx%s>\n", (long long)count, element);
  text_printf(&p->text,
              "  %%r%d = \"tile.range\"() {start = 0 : i32, end = %lld : i32} : () -> "
              "tensor<%lldxi32>\n",
              out, (long long)count, (long long)count);
  text_printf(&p->text,
              "  %%s%d = \"tile.splat\"(%%out%d) : (!tile.ptr<%s>) -> tensor<%lldx!tile.ptr<%s>>\n",
              out, out, element, (long long)count, element);
  text_printf(&p->text,
              "  %%q%d = \"tile.addptr\"(%%s%d, %%r%d) : (tensor<%lldx!tile.ptr<%s>>, "
              "tensor<%lldxi32>) -> tensor<%lldx!tile.ptr<%s>>\n",
              out, out, out, (long long)count, element, (long long)count, (long long)count,
              element);
  text_printf(
      &p->text,
      "  \"tile.store\"(%%q%d, %%f%d) : (tensor<%lldx!tile.ptr<%s>>, tensor<%lldx%s>) -> ()\n", out,
      out, (long long)count, element, (long long)count, element);
}

static void put_reduction(struct program *p, int *places, bool *has_places) {
  int axis = (int)draw((uint32_t)p->now.rank);
  enum combiner how = (enum combiner)draw(COMBINERS);
  bool scan = draw(2), reverse = scan && draw(2);
  if (how == ARGMAX)
    put_places(p, axis);
  struct tensor after;
  run_reference(&p->now, axis, how, scan, reverse, &after, places);
  *has_places = how == ARGMAX;
  int count = how == ARGMAX ? 2 : 1;
  text_printf(&p->text, "  %%v%d%s = \"tile.%s\"(%%v%d%s) ", p->next, count == 2 ? ":2" : "",
              scan ? "scan" : "reduce", p->next - 1, count == 2 ? ", %p" : "");
  put_region(&p->text, how, p->type);
  text_printf(&p->text, " {axis = %d : i32%s", axis, how == LEFT && !scan ? ", ordered" : "");
  if (scan)
    text_printf(&p->text, ", reverse = %s", reverse ? "true" : "false");
  put_segments(&p->text, count);
  text_puts(&p->text, "} : (");
  for (int i = 0; i < count; i++) {
    text_puts(&p->text, i ? ", " : "");
    put_tensor_type(&p->text, &p->now, i ? "i32" : p->type->name);
  }
  text_puts(&p->text, ") -> (");
  for (int i = 0; i < count; i++) {
    text_puts(&p->text, i ? ", " : "");
    put_tensor_type(&p->text, &after, i ? "i32" : p->type->name);
  }
  text_puts(&p->text, ")\n");
  p->now = after;
  p->next++;
}

static void put_permute(struct program *p) {
  int order[5];
  struct tensor after = {.rank = p->now.rank};
  for (int i = 0; i < p->now.rank; i++)
    order[i] = i;
  for (int i = p->now.rank - 1; i > 0; i--) {
    int j = (int)draw((uint32_t)i + 1), swap = order[i];
    order[i] = order[j];
    order[j] = swap;
  }
  for (int i = 0; i < after.rank; i++)
    after.shape[i] = p->now.shape[order[i]];
  for (int64_t flat = 0; flat < count_of(&after); flat++) {
    int64_t rest = flat, at[5] = {0}, from = 0;
    for (int i = after.rank - 1; i >= 0; i--) {
      at[order[i]] = rest % after.shape[i];
      rest /= after.shape[i];
    }
    for (int i = 0; i < after.rank; i++)
      from = from * p->now.shape[i] + at[i];
    after.value[flat] = p->now.value[from];
  }
  text_printf(&p->text, "  %%v%d = \"tile.permute\"(%%v%d) {order = array<i32: ", p->next,
              p->next - 1);
  for (int i = 0; i < after.rank; i++)
    text_printf(&p->text, "%s%d", i ? ", " : "", order[i]);
  text_puts(&p->text, ">} : (");
  put_tensor_type(&p->text, &p->now, p->type->name);
  text_puts(&p->text, ") -> ");
  put_tensor_type(&p->text, &after, p->type->name);
  text_puts(&p->text, "\n");
  p->now = after;
  p->next++;
}

/* Splits the last dimension off where it is 2, and joins the halves the other way round. */
static void put_split_and_join(struct program *p) {
  struct tensor half = p->now, after = p->now;
  half.rank--;
  for (int64_t i = 0; i < count_of(&p->now); i++)
    after.value[i] = p->now.value[i ^ 1];
  text_printf(&p->text, "  %%h%d:2 = \"tile.split\"(%%v%d) : (", p->next, p->next - 1);
  put_tensor_type(&p->text, &p->now, p->type->name);
  text_puts(&p->text, ") -> (");
  put_tensor_type(&p->text, &half, p->type->name);
  text_puts(&p->text, ", ");
  put_tensor_type(&p->text, &half, p->type->name);
  text_printf(&p->text, ")\n  %%v%d = \"tile.join\"(%%h%d#1, %%h%d#0) : (", p->next, p->next,
              p->next);
  put_tensor_type(&p->text, &half, p->type->name);
  text_puts(&p->text, ", ");
  put_tensor_type(&p->text, &half, p->type->name);
  text_puts(&p->text, ") -> ");
  put_tensor_type(&p->text, &p->now, p->type->name);
  text_puts(&p->text, "\n");
  p->now = after;
  p->next++;
}

static int compare_up(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}

/* Without a sign negative numbers are the largest, in their order. */
static int compare_unsigned(const void *a, const void *b) {
  unsigned x = (unsigned)*(const int *)a, y = (unsigned)*(const int *)b;
  return x < y ? -1 : x > y;
}

/* Sorts along an axis and keeps the first ones. */
static void put_sort(struct program *p) {
  int axis = (int)draw((uint32_t)p->now.rank), row[MOST];
  bool descending = draw(2), is_unsigned = !p->type->is_float && draw(2);
  struct strides s = split_at(&p->now, axis);
  struct tensor after = p->now;
  while (after.shape[axis] > 1 && draw(3) == 0)
    after.shape[axis] /= 2;
  for (int64_t o = 0; o < s.outer; o++)
    for (int64_t n = 0; n < s.inner; n++) {
      for (int64_t i = 0; i < s.size; i++)
        row[i] = p->now.value[(o * s.size + i) * s.inner + n];
      qsort(row, (size_t)s.size, sizeof *row, is_unsigned ? compare_unsigned : compare_up);
      for (int64_t i = 0; i < after.shape[axis]; i++)
        after.value[(o * after.shape[axis] + i) * s.inner + n] =
            row[descending ? s.size - 1 - i : i];
    }
  text_printf(&p->text, "  %%v%d = \"tile.sort\"(%%v%d) {axis = %d : i32, descending = %s%s} : (",
              p->next, p->next - 1, axis, descending ? "true" : "false",
              is_unsigned ? ", unsigned" : "");
  put_tensor_type(&p->text, &p->now, p->type->name);
  text_puts(&p->text, ") -> ");
  put_tensor_type(&p->text, &after, p->type->name);
  text_puts(&p->text, "\n");
  p->now = after;
  p->next++;
}

/* Each element takes the one at (3 times its place + 1), cut to the axis, along an axis of another
   size. */
static void put_gather(struct program *p) {
  int axis = (int)draw((uint32_t)p->now.rank);
  struct strides s = split_at(&p->now, axis);
  struct tensor after = p->now;
  if (draw(2) && count_of(&p->now) < MOST)
    after.shape[axis] *= 2;
  else if (after.shape[axis] > 1)
    after.shape[axis] /= 2;
  int64_t size = after.shape[axis];
  for (int64_t o = 0; o < s.outer; o++)
    for (int64_t n = 0; n < s.inner; n++)
      for (int64_t i = 0; i < size; i++)
        after.value[(o * size + i) * s.inner + n] =
            p->now.value[(o * s.size + (3 * i + 1) % s.size) * s.inner + n];
  struct tensor before = p->now;
  p->now = after;
  put_places(p, axis);
  text_puts(&p->text, "  %three = arith.constant dense<3> : ");
  put_tensor_type(&p->text, &after, "i32");
  text_puts(&p->text, "\n  %one = arith.constant dense<1> : ");
  put_tensor_type(&p->text, &after, "i32");
  text_printf(&p->text, "\n  %%last = arith.constant dense<%lld> : ", (long long)s.size - 1);
  put_tensor_type(&p->text, &after, "i32");
  const char *const steps[] = {
      "  %i0 = arith.muli %p, %three : ", "  %i1 = arith.addi %i0, %one : ",
      "  %i2 = arith.andi %i1, %last : "};
  for (int i = 0; i < 3; i++) {
    text_printf(&p->text, "\n%s", steps[i]);
    put_tensor_type(&p->text, &after, "i32");
  }
  text_printf(&p->text, "\n  %%v%d = \"tile.gather\"(%%v%d, %%i2) {axis = %d : i32} : (", p->next,
              p->next - 1, axis);
  put_tensor_type(&p->text, &before, p->type->name);
  text_puts(&p->text, ", ");
  put_tensor_type(&p->text, &after, "i32");
  text_puts(&p->text, ") -> ");
  put_tensor_type(&p->text, &after, p->type->name);
  text_puts(&p->text, "\n");
  p->next++;
}

static void random_shape(struct tensor *t, int bits) {
  t->rank = 1 + (int)draw(4);
  for (int i = 0; i < 5; i++)
    t->shape[i] = 1;
  for (int i = 0; i < bits; i++)
    t->shape[draw((uint32_t)t->rank)] *= 2;
}

static void put_reshape(struct program *p) {
  struct tensor after = p->now;
  int bits = __builtin_ctzll((unsigned long long)count_of(&p->now));
  random_shape(&after, bits);
  text_printf(&p->text, "  %%v%d = \"tile.reshape\"(%%v%d) : (", p->next, p->next - 1);
  put_tensor_type(&p->text, &p->now, p->type->name);
  text_puts(&p->text, ") -> ");
  put_tensor_type(&p->text, &after, p->type->name);
  text_puts(&p->text, "\n");
  p->now = after;
  p->next++;
}

/* --- A test ----------------------------------------------------------------------------------- */

struct expectation {
  struct tensor value;
  int places[MOST];
  bool has_places;
};

static void make_program(struct program *p, struct tensor *input, struct expectation *expected) {
  int bits = (int)draw(12), steps = (int)draw(3);
  p->type = &types[draw(TYPES)];
  int64_t count = INT64_C(1) << bits;
  input->rank = 1;
  input->shape[0] = count;
  for (int64_t i = 0; i < count; i++) /* sums stay exact in bf16: few are not 0 */
    input->value[i] = draw(64) < 16 * 64 / (16 + (uint32_t)count) + 1 ? (int)draw(7) - 3 : 0;
  const char *t = p->type->name;
  text_printf(
      &p->text,
      "func.func @k(%%x: !tile.ptr<%s> {tile.divisibility = 16 : i32}, %%out0: !tile.ptr<%s>, "
      "%%out1: !tile.ptr<i32>) attributes {tile.kernel} {\n",
      t, t);
  text_printf(
      &p->text,
      "  %%r = \"tile.range\"() {start = 0 : i32, end = %lld : i32} : () -> tensor<%lldxi32>\n"
      "  %%s = \"tile.splat\"(%%x) : (!tile.ptr<%s>) -> tensor<%lldx!tile.ptr<%s>>\n",
      (long long)count, (long long)count, t, (long long)count, t);
  text_printf(
      &p->text,
      "  %%q = \"tile.addptr\"(%%s, %%r) : (tensor<%lldx!tile.ptr<%s>>, tensor<%lldxi32>) -> "
      "tensor<%lldx!tile.ptr<%s>>\n",
      (long long)count, t, (long long)count, (long long)count, t);
  text_printf(&p->text,
              "  %%v0 = \"tile.load\"(%%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : "
              "(tensor<%lldx!tile.ptr<%s>>) -> tensor<%lldx%s>\n",
              (long long)count, t, (long long)count, t);
  p->next = 1;
  p->now = *input;
  put_reshape(p);
  for (int i = 0; i < steps; i++) {
    if (p->now.rank > 1 && p->now.shape[p->now.rank - 1] == 2)
      put_split_and_join(p);
    else if (draw(3))
      put_permute(p);
    else
      put_reshape(p);
  }
  switch (draw(6)) {
  case 0:
    break;
  case 1:
    put_sort(p);
    break;
  case 2:
    put_gather(p);
    break;
  default:
    put_reduction(p, expected->places, &expected->has_places);
    break;
  }
  char name[24];
  snprintf(name, sizeof name, "%%v%d%s", p->next - 1, expected->has_places ? "#0" : "");
  put_store(p, name, 0, t);
  snprintf(name, sizeof name, "%%v%d#1", p->next - 1);
  if (expected->has_places)
    put_store(p, name, 1, "i32");
  text_puts(&p->text, "  return\n}\n");
  expected->value = p->now;
}

static void print_hazards(const tile_emulator_report *report) {
  for (size_t i = 0; i < tile_emulator_report_count(report); i++)
    printf("%s\n", tile_emulator_report_hazard(report, i)->text);
}

static bool compare(const struct program *p, const struct expectation *expected, const uint8_t *out,
                    const int32_t *places) {
  int64_t count = count_of(&expected->value);
  for (int64_t i = 0; i < count; i++) {
    uint8_t wanted[8] = {0};
    put_number(p->type, wanted, expected->value.value[i]);
    if (memcmp(wanted, out + i * p->type->bytes, (size_t)p->type->bytes) != 0) {
      printf("element %lld is wrong, expected %d\n", (long long)i, expected->value.value[i]);
      return false;
    }
    if (expected->has_places && places[i] != expected->places[i]) {
      printf("place %lld is %d, expected %d\n", (long long)i, (int)places[i], expected->places[i]);
      return false;
    }
  }
  return true;
}

static bool run_program(tile_emulator_program *program, const struct program *p,
                        const struct tensor *input, const struct expectation *expected,
                        uint64_t seed) {
  int bytes = p->type->bytes;
  int64_t count = count_of(input);
  uint8_t *x = aligned_alloc(64, MOST * 8), *out = aligned_alloc(64, MOST * 8);
  int32_t *places = aligned_alloc(64, MOST * 4);
  for (int64_t i = 0; i < count; i++)
    put_number(p->type, x + i * bytes, input->value[i]);
  tile_emulator_buffer buffers[] = {{.name = "x", .base = x, .bytes = (size_t)(count * bytes)},
                                    {.name = "out", .base = out, .bytes = MOST * 8},
                                    {.name = "places", .base = places, .bytes = MOST * 4}};
  void *arguments[] = {&x, &out, &places};
  tile_emulator_report *report = NULL;
  tile_emulator_launch_options options = {.grid = {1, 1, 1},
                                          .seed = seed,
                                          .check = true,
                                          .buffers = buffers,
                                          .buffer_count = 3,
                                          .arguments = arguments,
                                          .argument_count = 3};
  tile_status status = tile_emulator_launch(program, "k", &options, &report);
  if (status)
    printf("%s\n", tile_status_message(status));
  print_hazards(report);
  tile_emulator_report_free(report);
  bool good = !status && compare(p, expected, out, places);
  tile_status_free(status);
  free(x);
  free(out);
  free(places);
  return good;
}

struct options {
  uint64_t seed, count, ptx;
  bool print;
};
static struct options arguments = {.seed = 1, .count = 150, .ptx = 10};

static bool test_seed(tile_compiler *compiler, uint64_t seed) {
  static struct program p;
  static struct tensor input;
  static struct expectation expected;
  p = (struct program){0};
  expected.has_places = false;
  state = seed * 0x2545F4914F6CDD1Du + 1;
  make_program(&p, &input, &expected);
  tile_compile_options options = tile_compile_options_default();
  options.num_warps = 1 << draw(draw(2) ? 4 : 6);
  if (arguments.print)
    printf("// %d warps\n%s", options.num_warps, text_string(&p.text));
  tile_emulator_program *program = NULL;
  tile_status status = tile_compile_for_emulator(compiler, "reduce.mlir", p.text.data,
                                                 p.text.length, &options, &program);
  bool good = !status && run_program(program, &p, &input, &expected, seed);
  if (status)
    printf("%s\n", tile_status_message(status));
  tile_status_free(status);
  tile_emulator_program_destroy(program);
  if (good && arguments.ptx && seed % arguments.ptx == 0) {
    tile_blob blob = {0};
    status = tile_compile(compiler, "reduce.mlir", p.text.data, p.text.length, &options,
                          TILE_OUTPUT_CUBIN, &blob);
    good = !status || tile_status_code(status) == TILE_NOT_FOUND;
    if (!good)
      printf("%s\n", tile_status_message(status));
    tile_status_free(status);
    free(blob.data);
  }
  if (!good)
    printf("seed %" PRIu64 ", %d warps\n%s\n", seed, options.num_warps, text_string(&p.text));
  text_free(&p.text);
  return good;
}

static void random_operations_agree(void) {
  tile_compiler *compiler = NULL;
  for (uint64_t i = 0; i < arguments.count; i++) {
    if (i % 200 == 0) {
      tile_compiler_destroy(compiler);
      tile_status status = tile_compiler_create(&compiler);
      CHECK(status == NULL);
      tile_status_free(status);
    }
    bool good = test_seed(compiler, arguments.seed + i);
    CHECK(good);
    if (!good)
      break;
  }
  tile_compiler_destroy(compiler);
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
      arguments.seed = strtoull(argv[++i], NULL, 0);
    else if (strcmp(argv[i], "--count") == 0 && i + 1 < argc)
      arguments.count = strtoull(argv[++i], NULL, 0);
    else if (strcmp(argv[i], "--ptx") == 0 && i + 1 < argc)
      arguments.ptx = strtoull(argv[++i], NULL, 0);
    arguments.print |= strcmp(argv[i], "--print") == 0;
  }
  return RUN_TESTS(1, argv, {"random-operations-agree", random_operations_agree});
}
