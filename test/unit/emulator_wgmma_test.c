/* SPDX-License-Identifier: MIT */
/* wgmma in the emulator: products against a plain reference through every kind of descriptor, and
   what is reported of kernels that use it wrongly. */
#include <stdlib.h>
#include "base/text.h"
#include "emulator_fixture.h"
#include "mma_numbers.h"

enum { MAX_N = 256, MAX_K = 128, IMAGE = 48 << 10, THREADS = 128 };

#define WGMMA_PRELUDE                                                                              \
  "declare void @tile_emu_wgmma(ptr, i32, i32, ptr, i64, i64, i32, ptr)\n"                         \
  "declare void @tile_emu_wgmma_fence(ptr)\n"                                                      \
  "declare void @tile_emu_wgmma_commit(ptr)\n"                                                     \
  "declare void @tile_emu_wgmma_wait(ptr, i32, i32, ptr, ptr)\n"                                   \
  "declare void @tile_emu_fence_async_shared(ptr)\n" PRELUDE

/* --- Matrices in shared memory ---------------------------------------------------------------- */

/* How an operand lies in shared memory: rows of `swizzle` bytes (16: none). */
struct placing {
  unsigned swizzle;
  bool transposed; /* m or n contiguous */
};

struct problem {
  struct mma_shape shape;
  struct placing a, b;
  bool a_in_registers, scale; /* of the first step; the others always add */
  unsigned steps;             /* of k */
  uint64_t x[64][MAX_K], y[MAX_N][MAX_K], c[64][MAX_N];
  unsigned char image[IMAGE];
  unsigned b_first; /* byte of the image */
};

static unsigned element_bytes(const struct problem *p) {
  return mma_numbers[p->shape.a].bits / 8;
}

/* Chunk number of row r in which chunk c of a row lies: the table of the PTX ISA's swizzling modes.
 */
static unsigned swizzled(unsigned swizzle, unsigned r, unsigned c) {
  return swizzle == 128  ? c ^ (r % 8)
         : swizzle == 64 ? c ^ (r / 2 % 4)
         : swizzle == 32 ? c ^ (r / 4 % 2)
                         : c;
}

/* Byte of element (row, k) of an operand with `rows` rows, and 16 of k a step. */
static unsigned place(const struct placing *placing, unsigned bytes, unsigned rows, unsigned row,
                      unsigned k) {
  unsigned w = placing->swizzle;
  if (!placing->transposed) {
    unsigned byte = k * bytes;
    if (w == 16) /* core matrices of 8 x 16 bytes; all those with the same k after each other */
      return byte / 16 * rows * 16 + row * 16 + byte % 16;
    return row * w + swizzled(w, row, byte / 16) * 16 + byte % 16;
  }
  unsigned byte = row * bytes;
  if (w == 16) /* the two k halves of 8 rows after each other */
    return byte / 16 * 256 + k * 16 + byte % 16;
  return byte / w * 16 * w + k * w + swizzled(w, k, byte % w / 16) * 16 + byte % 16;
}

static uint64_t descriptor(const struct placing *placing, unsigned rows, unsigned first,
                           unsigned step) {
  unsigned w = placing->swizzle, start = first + step * 32, leading, stride;
  static const unsigned modes[] = {[1] = 0, [2] = 3, [4] = 2, [8] = 1};
  if (w == 16)
    leading = placing->transposed ? 128 : rows * 16, stride = placing->transposed ? 256 : 128;
  else
    leading = 16 * w, stride = 8 * w;
  return (uint64_t)(start >> 4) | (uint64_t)(leading >> 4) << 16 | (uint64_t)(stride >> 4) << 32 |
         (uint64_t)modes[w / 16] << 62;
}

static void draw_problem(struct problem *p) {
  const struct mma_shape *s = &p->shape;
  unsigned bytes = element_bytes(p), k = s->k * p->steps;
  p->b_first = p->a_in_registers ? 0 : 8192;
  memset(p->image, 0, sizeof p->image);
  for (unsigned i = 0; i < 64; i++)
    for (unsigned x = 0; x < k; x++) {
      p->x[i][x] = random_bits(s->a);
      if (!p->a_in_registers)
        memcpy(p->image + place(&p->a, bytes, 64, i, x), &p->x[i][x], bytes);
    }
  for (unsigned j = 0; j < s->n; j++)
    for (unsigned x = 0; x < k; x++) {
      p->y[j][x] = random_bits(s->b);
      memcpy(p->image + p->b_first + place(&p->b, bytes, s->n, j, x), &p->y[j][x], bytes);
    }
  for (unsigned i = 0; i < 64; i++)
    for (unsigned j = 0; j < s->n; j++)
      p->c[i][j] = random_bits(s->c);
}

/* To f16, nearest even, in the range that the tests have. */
static double round_to_half(double x) {
  int exponent;
  frexp(x, &exponent);
  int last = exponent - 11 > -24 ? exponent - 11 : -24;
  return ldexp(nearbyint(ldexp(x, -last)), last);
}

static double expected(const struct problem *p, unsigned row, unsigned column) {
  const struct mma_shape *s = &p->shape;
  double sum = p->scale ? worth(s->c, p->c[row][column]) : 0;
  uint32_t whole = p->scale ? (uint32_t)p->c[row][column] : 0;
  for (unsigned k = 0; k < s->k * p->steps; k++) {
    double x = worth(s->a, p->x[row][k]), y = worth(s->b, p->y[column][k]);
    if (s->c == MMA_S32)
      whole += (uint32_t)(int32_t)(x * y);
    else
      sum = (float)((double)(float)(x * y) + sum);
    if (s->c == MMA_F16 && k % s->k == s->k - 1)
      sum = round_to_half(sum);
  }
  return s->c == MMA_S32 ? (int32_t)whole : sum;
}

/* --- Kernels ---------------------------------------------------------------------------------- */

/* Words of the buffer: the image, then those of each thread: accumulators, then a's registers by
   step. */
static unsigned words_of_thread(const struct problem *p) {
  return wgmma_c_registers(&p->shape) + (p->a_in_registers ? 4 * p->steps : 0);
}

/* The image goes to shared memory, the thread's words to %r; then `fences`. */
static void kernel_start(struct text *text, unsigned image_bytes, unsigned words,
                         const char *fences) {
  text_puts(text, WGMMA_PRELUDE "define void @k(ptr %t, ptr %args) {\n"
                                "  %tid = call i32 @tile_emu_thread_index(ptr %t)\n"
                                "  %data = call ptr @arg(ptr %args, i32 0)\n"
                                "  %shared = call ptr @tile_emu_shared(ptr %t)\n"
                                "  %low = ptrtoint ptr %shared to i64\n"
                                "  %window = and i64 %low, 262143\n  %base = lshr i64 %window, 4\n"
                                "  %r = alloca [264 x i32], align 16\n");
  for (unsigned i = 0; i * THREADS * 16 < image_bytes; i++)
    text_printf(
        text,
        "  %%i%u = add i32 %%tid, %u\n  %%o%u = mul i32 %%i%u, 16\n"
        "  %%from%u = getelementptr i8, ptr %%data, i32 %%o%u\n"
        "  %%to%u = getelementptr i8, ptr %%shared, i32 %%o%u\n"
        "  %%s%u = call ptr @tile_emu_shared_access(ptr %%t, ptr %%to%u, i32 16, i32 16, i32 1, "
        "i32 "
        "1, ptr @l1)\n"
        "  %%v%u = load <4 x i32>, ptr %%from%u, align 4\n  store <4 x i32> %%v%u, ptr %%s%u\n",
        i, i * THREADS, i, i, i, i, i, i, i, i, i, i, i, i);
  text_printf(text,
              "  %%first = mul i32 %%tid, %u\n  %%word = add i32 %%first, %u\n"
              "  %%mine = getelementptr i32, ptr %%data, i32 %%word\n",
              words, IMAGE / 4);
  for (unsigned i = 0; i < words; i++)
    text_printf(text,
                "  %%a%u = getelementptr i32, ptr %%mine, i32 %u\n  %%x%u = load i32, ptr %%a%u\n"
                "  %%b%u = getelementptr i32, ptr %%r, i32 %u\n  store i32 %%x%u, ptr %%b%u\n",
                i, i, i, i, i, i, i, i);
  text_puts(text, fences);
}

static void kernel_end(struct text *text, unsigned results) {
  for (unsigned i = 0; i < results; i++)
    text_printf(text, "  %%y%u = load i32, ptr %%b%u\n  store i32 %%y%u, ptr %%a%u\n", i, i, i, i);
  text_puts(text, "  ret void\n}\n");
}

static const char all_fences[] = "  call void @tile_emu_fence_async_shared(ptr %t)\n"
                                 "  call void @tile_emu_barrier(ptr %t, ptr @l4)\n"
                                 "  call void @tile_emu_wgmma_fence(ptr %t)\n";

/* wgmma at @l2; the descriptors are given for shared memory at 0. */
static void kernel_wgmma(struct text *text, const struct problem *p, unsigned step,
                         const char *registers) {
  unsigned flags = (p->a_in_registers ? WGMMA_A_IN_REGISTERS : 0) |
                   (p->a.transposed ? WGMMA_TRANSPOSE_A : 0) |
                   (p->b.transposed ? WGMMA_TRANSPOSE_B : 0);
  text_printf(
      text,
      "  %%da%u = add i64 %%base, %llu\n  %%db%u = add i64 %%base, %llu\n"
      "  call void @tile_emu_wgmma(ptr %%t, i32 %u, i32 %u, ptr %s, i64 %%da%u, i64 %%db%u, i32 "
      "%d, ptr @l2)\n",
      step, (unsigned long long)descriptor(&p->a, 64, 0, step), step,
      (unsigned long long)descriptor(&p->b, p->shape.n, p->b_first, step),
      (unsigned)mma_encode(&p->shape), flags, registers, step, step, step > 0 || p->scale);
}

#define COMMIT "  call void @tile_emu_wgmma_commit(ptr %t)\n"

static void kernel_wait(struct text *text, unsigned pending, unsigned count) {
  text_printf(text, "  call void @tile_emu_wgmma_wait(ptr %%t, i32 %u, i32 %u, ptr %%r, ptr @l3)\n",
              pending, count);
}

/* --- Products --------------------------------------------------------------------------------- */

/* Where thread t's register r is (PTX ISA, wgmma: D and A fragments). */
static void place_of_sum(bool pairs, unsigned t, unsigned r, unsigned *row, unsigned *column) {
  unsigned lane = t % 32, i = pairs ? 2 * r : r;
  *row = t / 32 * 16 + lane / 4 + (i % 4 < 2 ? 0 : 8);
  *column = i / 4 * 8 + lane % 4 * 2 + i % 2;
}

static uint32_t a_register(const struct problem *p, unsigned t, unsigned step, unsigned r) {
  unsigned bits = mma_numbers[p->shape.a].bits, e = 32 / bits, lane = t % 32;
  unsigned row = t / 32 * 16 + lane / 4 + (r == 1 || r == 3 ? 8 : 0);
  uint32_t word = 0;
  for (unsigned i = 0; i < e; i++)
    word |= (uint32_t)p->x[row][step * p->shape.k + lane % 4 * e + i + (r >= 2 ? 4 * e : 0)]
            << i * bits;
  return word;
}

static void fill(const struct problem *p, uint32_t *data) {
  unsigned words = words_of_thread(p), c = wgmma_c_registers(&p->shape);
  bool pairs = p->shape.c == MMA_F16;
  memcpy(data, p->image, IMAGE);
  for (unsigned t = 0; t < THREADS; t++) {
    uint32_t *mine = data + IMAGE / 4 + t * words;
    for (unsigned r = 0; r < c; r++) {
      unsigned row, column;
      place_of_sum(pairs, t, r, &row, &column);
      mine[r] = (uint32_t)p->c[row][column] | (pairs ? (uint32_t)p->c[row][column + 1] << 16 : 0);
    }
    for (unsigned r = 0; p->a_in_registers && r < 4 * p->steps; r++)
      mine[c + r] = a_register(p, t, r / 4, r % 4);
  }
}

static void check_products(const struct problem *p, const uint32_t *data) {
  unsigned words = words_of_thread(p), c = wgmma_c_registers(&p->shape);
  bool pairs = p->shape.c == MMA_F16;
  for (unsigned t = 0; t < THREADS; t++)
    for (unsigned r = 0; r < c; r++)
      for (unsigned half = 0; half <= pairs; half++) {
        unsigned row, column;
        place_of_sum(pairs, t, r, &row, &column);
        uint32_t bits = data[IMAGE / 4 + t * words + r];
        double is = worth(p->shape.c, pairs ? bits >> 16 * half & 0xFFFF : bits);
        double should = expected(p, row, column + half);
        if (is != should) {
          printf("n = %u, %s, a %u%s, b %u%s: [%u][%u] is %.9g, expected %.9g\n", p->shape.n,
                 mma_numbers[p->shape.a].ptx, p->a.swizzle, p->a.transposed ? "t" : "",
                 p->b.swizzle, p->b.transposed ? "t" : "", row, column + half, is, should);
          CHECK(false);
          return;
        }
      }
}

static uint32_t data[IMAGE / 4 + THREADS * 144];

/* All steps in flight at once, one group each, then one wait. */
static void multiply(struct mma_shape shape, struct placing a, struct placing b,
                     bool a_in_registers, bool scale) {
  static struct problem p;
  unsigned w = a_in_registers || b.swizzle < a.swizzle ? b.swizzle : a.swizzle;
  bool one = a.transposed || b.transposed || w == 16;
  p = (struct problem){.shape = shape,
                       .a = a,
                       .b = b,
                       .a_in_registers = a_in_registers,
                       .scale = scale,
                       .steps = one ? 1 : w / 32};
  CHECK(wgmma_problem(&shape) == NULL);
  draw_problem(&p);
  fill(&p, data);
  unsigned c = wgmma_c_registers(&shape), words = words_of_thread(&p);
  struct text text = {0};
  kernel_start(&text, IMAGE, words, all_fences);
  for (unsigned step = 0; step < p.steps; step++) {
    /* a's registers of this step go after the accumulators */
    for (unsigned r = 0; a_in_registers && r < 4; r++)
      text_printf(&text, "  store i32 %%x%u, ptr %%b%u\n", c + 4 * step + r, c + r);
    kernel_wgmma(&text, &p, step, "%r");
    text_puts(&text, COMMIT);
  }
  kernel_wait(&text, 0, c);
  kernel_end(&text, c);
  run_clean(text_string(&text), (int *)data, sizeof data / 4,
            OPTIONS(.threads = THREADS, .shared_bytes = IMAGE, .check = true, .seed = 11));
  text_free(&text);
  check_products(&p, data);
}

#define SHAPE(type_a, type_b, type_c, columns, depth)                                              \
  ((struct mma_shape){MMA_##type_a, MMA_##type_b, MMA_##type_c, 64, columns, depth})

static void descriptors(void) {
  static const unsigned swizzles[] = {16, 32, 64, 128};
  for (int a = 0; a < 4; a++)
    for (int transposes = 0; transposes < 4; transposes++) {
      struct placing x = {swizzles[a], transposes & 1},
                     y = {swizzles[(a + transposes) % 4], transposes & 2};
      multiply(SHAPE(F16, F16, F32, 64, 16), x, y, false, a % 2);
    }
}

static void widths(void) {
  static const unsigned columns[] = {8, 24, 96, 136, 256};
  for (int i = 0; i < 5; i++)
    multiply(SHAPE(F16, F16, F32, columns[i], 16), (struct placing){128, false},
             (struct placing){128, false}, i % 2, true);
}

static void types(void) {
  struct placing plain = {128, false};
  multiply(SHAPE(BF16, BF16, F32, 32, 16), plain, plain, false, true);
  multiply(SHAPE(TF32, TF32, F32, 16, 8), plain, plain, false, true);
  multiply(SHAPE(E4M3, E5M2, F32, 16, 32), plain, plain, false, true);
  multiply(SHAPE(E5M2, E4M3, F32, 16, 32), plain, plain, false, true);
  multiply(SHAPE(S8, U8, S32, 32, 32), plain, plain, false, true);
  multiply(SHAPE(U8, S8, S32, 32, 32), plain, plain, false, false);
  multiply(SHAPE(F16, F16, F16, 16, 16), plain, plain, false, true);
}

static void a_in_registers(void) {
  struct placing plain = {64, false};
  multiply(SHAPE(F16, F16, F32, 64, 16), plain, plain, true, false);
  multiply(SHAPE(BF16, BF16, F32, 16, 16), plain, (struct placing){128, true}, true, true);
  multiply(SHAPE(TF32, TF32, F32, 16, 8), plain, plain, true, true);
  multiply(SHAPE(E4M3, E4M3, F32, 16, 32), plain, plain, true, true);
  multiply(SHAPE(S8, S8, S32, 16, 32), plain, plain, true, true);
}

/* Two chains of accumulators in one group each, as attention has them: a wait returns those of the
   first group and leaves the others in flight. */
static void two_chains(void) {
  static struct problem p;
  p = (struct problem){
      .shape = SHAPE(F16, F16, F32, 8, 16), .a = {64, false}, .b = {64, false}, .steps = 2};
  draw_problem(&p);
  fill(&p, data);
  struct text text = {0};
  kernel_start(&text, IMAGE, words_of_thread(&p), all_fences);
  text_puts(&text, "  %q = getelementptr i32, ptr %r, i32 4\n"
                   /* the second step adds to them */
                   "  store [4 x i32] zeroinitializer, ptr %q\n");
  kernel_wgmma(&text, &p, 0, "%r");
  text_puts(&text, COMMIT);
  kernel_wgmma(&text, &p, 1, "%q");
  text_puts(&text, COMMIT);
  kernel_wait(&text, 1, 8);
  /* r is there, q not yet: its first register is a tag, which reads as NaN. */
  text_puts(&text, "  %q0 = load float, ptr %q\n  %nan = fcmp uno float %q0, 0.0\n"
                   "  %r0 = load float, ptr %r\n  %number = fcmp ord float %r0, 0.0\n"
                   "  %both = and i1 %nan, %number\n  %flag = zext i1 %both to i32\n"
                   "  %at = mul i32 %tid, 4\n  %to = getelementptr i8, ptr %data, i32 %at\n"
                   "  store i32 %flag, ptr %to\n");
  kernel_wait(&text, 0, 8);
  for (int i = 0; i < 4; i++) /* the sum of both in f32, rounded once more */
    text_printf(&text,
                "  %%f%d = load float, ptr %%b%d\n  %%gp%d = getelementptr i32, ptr %%q, i32 %d\n"
                "  %%g%d = load float, ptr %%gp%d\n  %%h%d = fadd float %%f%d, %%g%d\n"
                "  store float %%h%d, ptr %%b%d\n",
                i, i, i, i, i, i, i, i, i, i, i);
  kernel_end(&text, 4);
  run_clean(text_string(&text), (int *)data, sizeof data / 4,
            OPTIONS(.threads = THREADS, .shared_bytes = IMAGE, .check = true));
  text_free(&text);
  for (unsigned t = 0; t < THREADS; t++) {
    CHECK_EQUAL(data[t], 1);
    for (unsigned r = 0; r < 4; r++) {
      unsigned row, column;
      place_of_sum(false, t, r, &row, &column);
      double is = worth(MMA_F32, data[IMAGE / 4 + t * 4 + r]);
      p.scale = false;
      CHECK(fabs(is - expected(&p, row, column)) <= fabs(is) * 0x1p-18 + 0x1p-14);
    }
  }
}

/* --- Misuse ----------------------------------------------------------------------------------- */

/* One m64n8k16 with what a test puts around it; returns the first hazard of a kind, or NULL. */
static const tile_emulator_hazard *run_wrong(const char *fences, const char *between,
                                             const char *end, tile_emulator_hazard_kind kind,
                                             tile_emulator_report **out_report) {
  static struct problem p;
  p = (struct problem){
      .shape = SHAPE(F16, F16, F32, 8, 16), .a = {32, false}, .b = {32, false}, .steps = 1};
  draw_problem(&p);
  fill(&p, data);
  struct text text = {0};
  kernel_start(&text, 10240, words_of_thread(&p), fences);
  kernel_wgmma(&text, &p, 0, "%r");
  text_puts(&text, between);
  text_puts(&text, end);
  kernel_end(&text, 4);
  tile_emulator_program *program = make_program(text_string(&text), 1);
  tile_status_free(launch_on(program, (int *)data, sizeof data / 4,
                             OPTIONS(.threads = THREADS, .shared_bytes = 10240, .check = true),
                             out_report));
  tile_emulator_program_destroy(program);
  text_free(&text);
  for (size_t i = 0; i < tile_emulator_report_count(*out_report); i++)
    if (tile_emulator_report_hazard(*out_report, i)->kind == kind)
      return tile_emulator_report_hazard(*out_report, i);
  return NULL;
}

#define WAIT COMMIT "  call void @tile_emu_wgmma_wait(ptr %t, i32 0, i32 4, ptr %r, ptr @l3)\n"

static void expect_wrong(const char *fences, const char *between, const char *end,
                         tile_emulator_hazard_kind kind, const char *words, const char *more) {
  tile_emulator_report *report;
  const tile_emulator_hazard *hazard = run_wrong(fences, between, end, kind, &report);
  CHECK(hazard != NULL);
  if (hazard && (!strstr(hazard->text, words) || !strstr(hazard->text, more))) {
    printf("%s\n", hazard->text);
    CHECK(false);
  }
  tile_emulator_report_free(report);
}

static void fences(void) {
  tile_emulator_report *report;
  CHECK(run_wrong(all_fences, "", WAIT, TILE_EMULATOR_PROXY_FENCE, &report) == NULL);
  CHECK_EQUAL(tile_emulator_report_count(report), 0);
  tile_emulator_report_free(report);
  /* A fence of the readers after the barrier does, too. */
  CHECK(run_wrong("  call void @tile_emu_barrier(ptr %t, ptr @l4)\n"
                  "  call void @tile_emu_fence_async_shared(ptr %t)\n"
                  "  call void @tile_emu_wgmma_fence(ptr %t)\n",
                  "", WAIT, TILE_EMULATOR_PROXY_FENCE, &report) == NULL);
  CHECK_EQUAL(tile_emulator_report_count(report), 0);
  tile_emulator_report_free(report);
  expect_wrong("  call void @tile_emu_barrier(ptr %t, ptr @l4)\n"
               "  call void @tile_emu_wgmma_fence(ptr %t)\n",
               "", WAIT, TILE_EMULATOR_PROXY_FENCE, "missing proxy fence at k.py:2:1",
               "which was stored to at k.py:1:1");
  expect_wrong("  call void @tile_emu_fence_async_shared(ptr %t)\n"
               "  call void @tile_emu_wgmma_fence(ptr %t)\n",
               "", WAIT, TILE_EMULATOR_READ_WRITE_RACE, "k.py:2:1", "k.py:1:1");
  expect_wrong("  call void @tile_emu_fence_async_shared(ptr %t)\n"
               "  call void @tile_emu_barrier(ptr %t, ptr @l4)\n",
               "", WAIT, TILE_EMULATOR_WGMMA_MISUSE, "misused wgmma at k.py:2:1", "no wgmma_fence");
}

/* The operand is stored to again, even after a barrier, before the wait. */
static void overwritten_operand(void) {
  static const char store[] = "  call void @tile_emu_barrier(ptr %t, ptr @l4)\n"
                              "  %again = call ptr @tile_emu_shared_access(ptr %t, ptr %to0, i32 "
                              "16, i32 16, i32 1, i32 1, ptr @l4)\n"
                              "  store <4 x i32> zeroinitializer, ptr %again\n";
  expect_wrong(all_fences, store, WAIT, TILE_EMULATOR_OPERAND_OVERWRITE,
               "overwritten operand at k.py:4:1", "which the wgmma issued at k.py:2:1");
  /* It was read as late as it may be: the product is zero. */
  for (int t = 0; t < THREADS; t++)
    CHECK_EQUAL(data[IMAGE / 4 + t * 4], 0);
  tile_emulator_report *report;
  static const char after[] = WAIT "  call void @tile_emu_barrier(ptr %t, ptr @l4)\n"
                                   "  %again = call ptr @tile_emu_shared_access(ptr %t, ptr %to0, "
                                   "i32 16, i32 16, i32 1, i32 1, ptr @l4)\n"
                                   "  store <4 x i32> zeroinitializer, ptr %again\n";
  CHECK(run_wrong(all_fences, "", after, TILE_EMULATOR_OPERAND_OVERWRITE, &report) == NULL);
  CHECK_EQUAL(tile_emulator_report_count(report), 0);
  tile_emulator_report_free(report);
}

/* Accumulators used before the wait, or not through it. */
static void accumulators(void) {
  tile_emulator_report *report;
  CHECK(run_wrong(all_fences, COMMIT, "", TILE_EMULATOR_TRAP, &report) == NULL);
  for (int t = 0; t < THREADS; t++)
    CHECK(isnan(worth(MMA_F32, data[IMAGE / 4 + t * 4])));
  tile_emulator_report_free(report);
  /* A wait that lets the group pend gives nothing. */
  CHECK(run_wrong(all_fences, COMMIT,
                  "  call void @tile_emu_wgmma_wait(ptr %t, i32 1, i32 4, ptr %r, ptr @l3)\n",
                  TILE_EMULATOR_TRAP, &report) == NULL);
  CHECK(isnan(worth(MMA_F32, data[IMAGE / 4])));
  tile_emulator_report_free(report);
  static struct mma_shape shape = SHAPE(F16, F16, F32, 8, 16);
  struct text second = {0};
  text_printf(&second,
              "  call void @tile_emu_wgmma_fence(ptr %%t)\n"
              "  call void @tile_emu_wgmma(ptr %%t, i32 %u, i32 0, ptr %%r, i64 %%da0, i64 %%db0, "
              "i32 1, ptr @l4)\n",
              (unsigned)mma_encode(&shape));
  expect_wrong(all_fences, COMMIT "  store i32 0, ptr %b1\n", text_string(&second),
               TILE_EMULATOR_WGMMA_MISUSE, "misused wgmma at k.py:4:1", "were mixed or changed");
  expect_wrong(all_fences,
               COMMIT "  call void @tile_emu_wgmma_wait(ptr %t, i32 0, i32 0, ptr %r, ptr @l3)\n",
               text_string(&second), TILE_EMULATOR_WGMMA_MISUSE, "misused wgmma at k.py:4:1",
               "not what the wait for it returned");
  text_free(&second);
}

/* Threads that disagree, and a block that is no whole warp group. */
static void groups(void) {
  tile_emulator_report *report;
  const tile_emulator_hazard *hazard = run_for_hazard(
      WGMMA_PRELUDE
      "define void @k(ptr %t, ptr %args) {\n  %r = alloca [8 x i32], align 16\n"
      "  call void @tile_emu_wgmma(ptr %t, i32 0, i32 0, ptr %r, i64 0, i64 0, i32 1, ptr @l1)\n"
      "  ret void\n}\n",
      (int *)data, 1, OPTIONS(.threads = 96, .shared_bytes = 1024), &report);
  CHECK(strstr(hazard->text, "wgmma needs groups of 128 threads"));
  tile_emulator_report_free(report);
  expect_wrong(all_fences, "",
               "  %mine64 = zext i32 %tid to i64\n  %odd = add i64 %da0, %mine64\n"
               "  call void @tile_emu_wgmma(ptr %t, i32 21045248, i32 0, ptr %r, i64 %odd, i64 "
               "%db0, i32 0, ptr @l4)\n",
               TILE_EMULATOR_WGMMA_MISUSE, "misused wgmma at k.py:4:1",
               "do not agree on descriptors");
}

int main(int argc, char **argv) {
  return RUN_TESTS(argc, argv, {"descriptors", descriptors}, {"widths", widths}, {"types", types},
                   {"a-in-registers", a_in_registers}, {"two-chains", two_chains},
                   {"fences", fences}, {"overwritten-operand", overwritten_operand},
                   {"accumulators", accumulators}, {"groups", groups});
}
