/* SPDX-License-Identifier: MIT */
/* masks.py against sums in double, element by element: loops that are split where a mask begins or
   ceases to be true for all elements add up the same products, wherever that is, and where numbers
   wrap. */
#include "kernel_test.h"
#include "numbers.h"

enum { M = 32, N = 32, D = 16, KEYS = 64, LAUNCHES = 10 };

struct masked {
  int32_t first, begin, end, low, high, limit;
  int step;
};

/* Sums and differences as the kernel computes them. */
static int32_t add(int32_t a, int32_t b) {
  return (int32_t)((uint32_t)a + (uint32_t)b);
}

static int32_t subtract(int32_t a, int32_t b) {
  return (int32_t)((uint32_t)a - (uint32_t)b);
}

static bool is_seen(const struct masked *t, const char *form, int64_t iteration, int row, int own) {
  int32_t n = (int32_t)(t->begin + iteration * t->step), line = add(t->first, row),
          column = add(n, own);
  if (!strcmp(form, "below"))
    return add(line, t->high) >= column;
  if (!strcmp(form, "above"))
    return column > subtract(line, t->low);
  if (!strcmp(form, "between"))
    return column < t->limit && add(line, t->high) > column && subtract(line, t->low) <= column;
  if (!strcmp(form, "carried"))
    return add(add(t->begin, (int32_t)iteration * 7), own * 2) <= add(line, t->high);
  if (!strcmp(form, "left"))
    return own < subtract(t->limit, (int32_t)iteration * N);
  return (int64_t)line + t->high >= (int64_t)n + own;
}

static void check_launch(tile_module *module, const struct masked *t, const char *form,
                         uint64_t seed) {
  size_t q_bytes = M * D * 2, k_bytes = KEYS * D * 2, bytes = M * N * sizeof(float);
  void *q = random_numbers("fp16", M * D, seed), *k = random_numbers("fp16", KEYS * D, seed + 1);
  float *out = poisoned(bytes);
  for (size_t i = 0; i < M * D; i++)
    number_write(q, i, "fp16", rint(number_read(q, i, "fp16") * 8));
  for (size_t i = 0; i < KEYS * D; i++)
    number_write(k, i, "fp16", rint(number_read(k, i, "fp16") * 8));
  int32_t first = t->first, begin = t->begin, end = t->end, low = t->low, high = t->high,
          limit = t->limit;
  LAUNCH(module, "masked_products", GRID(1, 1, 1), 1, BUFFER(q, q_bytes), BUFFER(k, k_bytes),
         BUFFER(out, bytes), SCALAR(first), SCALAR(begin), SCALAR(end), SCALAR(low), SCALAR(high),
         SCALAR(limit));
  int wrong = 0;
  for (int row = 0; row < M; row++)
    for (int own = 0; own < N; own++) {
      double sum = 0, weight = 1;
      int64_t iteration = 0;
      for (int64_t n = begin; n < end; n += t->step, weight = 5 - weight, iteration++) {
        size_t key = (size_t)((n + own) & (KEYS - 1));
        for (size_t d = 0; d < D && is_seen(t, form, iteration, row, own); d++)
          sum += weight * number_read(q, (size_t)row * D + d, "fp16") *
                 number_read(k, key * D + d, "fp16");
      }
      wrong += out[row * N + own] != sum;
    }
  if (wrong)
    printf("%s: first %d, begin %d, end %d, step %d, low %d, high %d, limit %d: %d are wrong\n",
           form, first, begin, end, t->step, low, high, limit, wrong);
  CHECK(wrong == 0);
  free(q);
  free(k);
  free(out);
}

static uint64_t drawn = 88172645463325252u;

static int32_t draw_between(int32_t low, int32_t high) {
  drawn ^= drawn << 13;
  drawn ^= drawn >> 7;
  drawn ^= drawn << 17;
  return low + (int32_t)(drawn % (uint64_t)(high - low + 1));
}

static void check_form(const char *form, int step) {
  char signature[200];
  snprintf(signature, sizeof signature,
           "*fp16:16, *fp16:16, *fp32:16, i32, i32, i32, i32, i32, i32, %d, %d, %d, %d, \"%s\"", M,
           N, D, step, form);
  tile_module *module = compile_triton("masks.py", "masked_products", signature, 4);
  if (!module)
    return;
  /* where numbers of 32 bits end */
  const int32_t most = INT32_MAX, least = INT32_MIN;
  const struct masked edges[] = {
      {0, 0, 300, 50, 100, 200, step},
      {0, 10, 10, 50, 100, 200, step},
      {0, 10, -400, 50, 100, 200, step},
      {most - 20, 0, 200, 50, 100, 200, step},
      {0, 0, 200, 50, most - 20, most, step},
      {0, 0, 200, least + 10, 100, least, step},
      {most - 100, most - 300, most - 40, 60, 20, most - 120, step},
      {most - 100, most - 300, most - 40, 60, 80, most, step},
      {least + 10, least, least + 200, 60, 80, least + 70, step},
      {-100, -250, 60, 60, 80, -90, step},
  };
  for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
    check_launch(module, &edges[i], form, 31 + i);
  for (int i = 0; i < LAUNCHES; i++) {
    int32_t begin = draw_between(-300, 300);
    check_launch(module,
                 &(struct masked){begin + draw_between(-100, 300), begin,
                                  begin + draw_between(-20, 400), draw_between(-100, 200),
                                  draw_between(-200, 200), begin + draw_between(-50, 400), step},
                 form, 77 + (uint64_t)i);
  }
  tile_module_unload(module);
}

static void below(void) {
  check_form("below", N);
  check_form("below", 24);
}

static void above(void) {
  check_form("above", N);
  check_form("above", 40);
}

static void between(void) {
  check_form("between", N);
  check_form("between", 24);
}

static void carried(void) {
  check_form("carried", N);
  check_form("left", N);
}

static void wide(void) {
  check_form("wide", N);
}

int main(int argc, char **argv) {
  return RUN_KERNEL_TESTS(argc, argv, {"below", below}, {"above", above}, {"between", between},
                          {"carried", carried}, {"wide", wide});
}
