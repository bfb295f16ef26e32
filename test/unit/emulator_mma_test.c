/* SPDX-License-Identifier: MIT */
/* tile_emu_mma against a plain product, for every type and shape, with the fragment tables written
   out as the PTX ISA has them. */
#include <math.h>
#include <stdlib.h>
#include "base/text.h"
#include "emulator/mma_math.h"
#include "emulator_fixture.h"
#include "mma_numbers.h"

enum { MAX_M = 16, MAX_N = 8, MAX_K = 32, MAX_WORDS = 32 };

/* --- Fragments, as in the PTX ISA ------------------------------------------------------------- */

/* Matrix Fragments for mma.m16n8k..: element i of a, by type and k. */
static void place_of_a(const struct mma_shape *s, unsigned lane, unsigned i, unsigned *row,
                       unsigned *column) {
  unsigned group = lane >> 2, thread = lane % 4;
  bool upper, right;
  switch (mma_numbers[s->a].bits) {
  case 16: /* a0, a1 | a2, a3 below | a4, a5 right | a6, a7 */
    upper = i < 2 || (i >= 4 && i < 6), right = i >= 4;
    *row = upper ? group : group + 8;
    *column = thread * 2 + (i & 1) + (right ? 8 : 0);
    break;
  case 8: /* fours of them */
    upper = i < 4 || (i >= 8 && i < 12), right = i >= 8;
    *row = upper ? group : group + 8;
    *column = thread * 4 + (i & 3) + (right ? 16 : 0);
    break;
  default: /* tf32, f64: a0, a1 below, a2 four to the right, ... */
    *row = s->m == 8 || i % 2 == 0 ? group : group + 8;
    *column = thread + 4 * (s->m == 8 ? i : i / 2);
  }
}

static void place_of_b(const struct mma_shape *s, unsigned lane, unsigned i, unsigned *row,
                       unsigned *column) {
  unsigned thread = lane % 4;
  *column = lane >> 2;
  switch (mma_numbers[s->b].bits) {
  case 16:
    *row = i < 2 ? thread * 2 + (i & 1) : thread * 2 + (i & 1) + 8;
    break;
  case 8:
    *row = i < 4 ? thread * 4 + (i & 3) : thread * 4 + (i & 3) + 16;
    break;
  default:
    *row = thread + 4 * i;
  }
}

static void place_of_c(unsigned lane, unsigned i, unsigned *row, unsigned *column) {
  *row = i < 2 ? lane >> 2 : (lane >> 2) + 8;
  *column = lane % 4 * 2 + (i & 1);
}

/* --- One multiplication ----------------------------------------------------------------------- */

struct problem {
  struct mma_shape shape;
  uint64_t a[MAX_M][MAX_K], b[MAX_K][MAX_N], c[MAX_M][MAX_N];
  unsigned words; /* of 32 bits that a lane has, all operands */
};

static unsigned word_count(const struct mma_shape *s) {
  unsigned registers = mma_a_registers(s) + mma_b_registers(s) + mma_c_registers(s);
  return s->a == MMA_F64 ? 2 * registers : registers;
}

static void draw_problem(struct problem *p, struct mma_shape shape) {
  memset(p, 0, sizeof *p);
  p->shape = shape;
  p->words = word_count(&shape);
  for (unsigned i = 0; i < shape.m; i++)
    for (unsigned k = 0; k < shape.k; k++)
      p->a[i][k] = random_bits(shape.a);
  for (unsigned k = 0; k < shape.k; k++)
    for (unsigned j = 0; j < shape.n; j++)
      p->b[k][j] = random_bits(shape.b);
  for (unsigned i = 0; i < shape.m; i++)
    for (unsigned j = 0; j < shape.n; j++)
      p->c[i][j] = random_bits(shape.c);
}

/* Puts `value` of `bits` bits at bit offset `at` of a lane's words. */
static void put(uint32_t *words, unsigned at, unsigned bits, uint64_t value) {
  if (bits == 64) {
    words[at / 32] = (uint32_t)value;
    words[at / 32 + 1] = (uint32_t)(value >> 32);
    return;
  }
  uint32_t mask = bits == 32 ? UINT32_MAX : (1u << bits) - 1;
  words[at / 32] &= ~(mask << at % 32);
  words[at / 32] |= ((uint32_t)value & mask) << at % 32;
}

static uint64_t get(const uint32_t *words, unsigned at, unsigned bits) {
  if (bits == 64)
    return words[at / 32] | (uint64_t)words[at / 32 + 1] << 32;
  return words[at / 32] >> at % 32 & (bits == 32 ? UINT32_MAX : (1u << bits) - 1);
}

static void fill_lane(const struct problem *p, unsigned lane, uint32_t *words) {
  const struct mma_shape *s = &p->shape;
  unsigned row, column, at = 0, bits = mma_numbers[s->a].bits;
  for (unsigned i = 0; i < s->m * s->k / 32; i++, at += bits) {
    place_of_a(s, lane, i, &row, &column);
    put(words, at, bits, p->a[row][column]);
  }
  for (unsigned i = 0; i < s->k * s->n / 32; i++, at += bits) {
    place_of_b(s, lane, i, &row, &column);
    put(words, at, bits, p->b[row][column]);
  }
  bits = mma_numbers[s->c].bits;
  for (unsigned i = 0; i < s->m * s->n / 32; i++, at += bits) {
    place_of_c(lane, i, &row, &column);
    put(words, at, bits, p->c[row][column]);
  }
}

/* The sum in the stated order: f32 after each product, f64 fused, integers modulo 2^32. */
static double expected(const struct problem *p, unsigned row, unsigned column) {
  const struct mma_shape *s = &p->shape;
  double sum = worth(s->c, p->c[row][column]);
  uint32_t whole = (uint32_t)p->c[row][column];
  for (unsigned k = 0; k < s->k; k++) {
    double x = worth(s->a, p->a[row][k]), y = worth(s->b, p->b[k][column]);
    if (s->c == MMA_F64)
      sum = fma(x, y, sum);
    else if (s->c == MMA_S32)
      whole += (uint32_t)(int32_t)(x * y);
    else
      sum = (float)((double)(float)(x * y) + sum);
  }
  return s->c == MMA_S32 ? (int32_t)whole : sum;
}

static void check_lane(const struct problem *p, unsigned lane, const uint32_t *words) {
  const struct mma_shape *s = &p->shape;
  unsigned bits = mma_numbers[s->c].bits, elements = s->m * s->n / 32;
  unsigned first = p->words * 32 - elements * bits;
  for (unsigned i = 0; i < elements; i++) {
    unsigned row, column;
    place_of_c(lane, i, &row, &column);
    double is = worth(s->c, get(words, first + i * bits, bits)), should = expected(p, row, column);
    double tolerance = s->c == MMA_F16 ? fabs(should) * 0x1p-11 + 0x1p-25 : 0;
    if (fabs(is - should) > tolerance) {
      printf("m%un%uk%u of %s, %s, %s: [%u][%u] is %.17g, expected %.17g\n", s->m, s->n, s->k,
             mma_numbers[s->a].ptx, mma_numbers[s->b].ptx, mma_numbers[s->c].ptx, row, column, is,
             should);
      CHECK(false);
      return;
    }
  }
}

/* Each thread loads its words from the buffer, multiplies, and stores them. */
static tile_emulator_program *mma_program(const struct mma_shape *shape, unsigned words) {
  struct text text = {0};
  text_puts(&text, PRELUDE "declare void @tile_emu_mma(ptr, i32, ptr, ptr)\n"
                           "define void @k(ptr %t, ptr %args) {\n"
                           "  %tid = call i32 @tile_emu_thread_index(ptr %t)\n"
                           "  %data = call ptr @arg(ptr %args, i32 0)\n");
  text_printf(&text, "  %%r = alloca [%u x i32], align 16\n  %%first = mul i32 %%tid, %u\n", words,
              words);
  for (unsigned i = 0; i < words; i++)
    text_printf(&text,
                "  %%i%u = add i32 %%first, %u\n  %%p%u = getelementptr i32, ptr %%r, i32 %u\n"
                "  %%v%u = call i32 @get(ptr %%t, ptr %%data, i32 %%i%u, i32 1, ptr @l1)\n"
                "  store i32 %%v%u, ptr %%p%u\n",
                i, i, i, i, i, i, i, i);
  text_printf(&text, "  call void @tile_emu_mma(ptr %%t, i32 %u, ptr %%r, ptr @l2)\n",
              (unsigned)mma_encode(shape));
  for (unsigned i = 0; i < words; i++)
    text_printf(&text,
                "  %%w%u = load i32, ptr %%p%u\n"
                "  call void @put(ptr %%t, ptr %%data, i32 %%i%u, i32 %%w%u, i32 1, ptr @l3)\n",
                i, i, i, i);
  text_puts(&text, "  ret void\n}\n");
  tile_emulator_program *program = make_program(text_string(&text), 1);
  text_free(&text);
  return program;
}

static void multiply(struct mma_shape shape) {
  enum machine_feature needed;
  CHECK(mma_problem(&shape, &needed) == NULL);
  struct mma_shape again = mma_decode(mma_encode(&shape));
  CHECK_EQUAL(mma_encode(&again), mma_encode(&shape));
  enum { WARPS = 2 };
  static struct problem problems[WARPS];
  static uint32_t data[WARPS * 32 * MAX_WORDS];
  unsigned words = word_count(&shape);
  tile_emulator_program *program = mma_program(&shape, words);
  for (int round = 0; round < 4; round++) {
    for (int w = 0; w < WARPS; w++) {
      draw_problem(&problems[w], shape);
      for (unsigned lane = 0; lane < 32; lane++)
        fill_lane(&problems[w], lane, data + ((unsigned)w * 32 + lane) * words);
    }
    CHECK_STATUS(launch_on(program, (int *)data, WARPS * 32 * words,
                           OPTIONS(.threads = WARPS * 32, .check = true, .seed = (uint64_t)round),
                           NULL),
                 TILE_OK, NULL);
    for (int w = 0; w < WARPS; w++)
      for (unsigned lane = 0; lane < 32; lane++)
        check_lane(&problems[w], lane, data + ((unsigned)w * 32 + lane) * words);
  }
  tile_emulator_program_destroy(program);
}

#define SHAPE(type_a, type_b, type_c, rows, depth)                                                 \
  multiply((struct mma_shape){MMA_##type_a, MMA_##type_b, MMA_##type_c, rows, 8, depth})

static void half_precision(void) {
  SHAPE(F16, F16, F32, 16, 8);
  SHAPE(F16, F16, F32, 16, 16);
  SHAPE(F16, F16, F16, 16, 8);
  SHAPE(F16, F16, F16, 16, 16);
}

static void bfloat(void) {
  SHAPE(BF16, BF16, F32, 16, 8);
  SHAPE(BF16, BF16, F32, 16, 16);
}

static void tf32(void) {
  SHAPE(TF32, TF32, F32, 16, 4);
  SHAPE(TF32, TF32, F32, 16, 8);
}

static void eight_bit_floats(void) {
  SHAPE(E4M3, E4M3, F32, 16, 32);
  SHAPE(E4M3, E5M2, F32, 16, 32);
  SHAPE(E5M2, E4M3, F32, 16, 32);
  SHAPE(E5M2, E5M2, F32, 16, 32);
}

static void integers(void) {
  SHAPE(S8, S8, S32, 16, 16);
  SHAPE(S8, S8, S32, 16, 32);
  SHAPE(U8, S8, S32, 16, 32);
  SHAPE(S8, U8, S32, 16, 16);
  SHAPE(U8, U8, S32, 16, 32);
}

static void double_precision(void) {
  SHAPE(F64, F64, F64, 8, 4);
  SHAPE(F64, F64, F64, 16, 4);
  SHAPE(F64, F64, F64, 16, 8);
  SHAPE(F64, F64, F64, 16, 16);
}

/* Every 8- and 16-bit float, infinities and NaN among them. */
static void widening(void) {
  static const struct {
    enum mma_number type;
    uint32_t count;
  } types[] = {{MMA_F16, 0x10000}, {MMA_BF16, 0x10000}, {MMA_E4M3, 0x100}, {MMA_E5M2, 0x100}};
  static uint32_t out[0x10000];
  for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
    static uint16_t wide[0x10000];
    static uint8_t narrow[0x100];
    for (uint32_t i = 0; i < types[t].count; i++)
      wide[i] = (uint16_t)i, narrow[i & 0xFF] = (uint8_t)i;
    bool bytes = types[t].count == 0x100;
    mma_widen(types[t].type, bytes ? (void *)narrow : wide, types[t].count, out);
    for (uint32_t i = 0; i < types[t].count; i++) {
      uint32_t magnitude = i & (types[t].count / 2 - 1);
      uint32_t infinity = types[t].type == MMA_F16    ? 0x7C00
                          : types[t].type == MMA_BF16 ? 0x7F80
                          : types[t].type == MMA_E5M2 ? 0x7C
                                                      : 0x7F; /* e4m3 has a NaN and no infinity */
      double is = worth(MMA_F32, out[i]);
      if (magnitude < infinity)
        CHECK(is == worth(types[t].type, i) && (signbit(is) != 0) == (i != magnitude));
      else if (magnitude == infinity && types[t].type != MMA_E4M3)
        CHECK(isinf(is));
      else
        CHECK(isnan(is));
    }
  }
}

/* Lanes that come to two different multiplications, and a warp that is not whole. */
static void divergence(void) {
  static const char body[] = "declare void @tile_emu_mma(ptr, i32, ptr, ptr)\n" KERNEL(
      "  %r = alloca [40 x i32], align 16\n"
      "  %odd = trunc i32 %tid to i1\n"
      "  %shape = select i1 %odd, i32 16852992, i32 8464384\n"
      "  call void @tile_emu_mma(ptr %t, i32 %shape, ptr %r, ptr @l1)\n");
  int data[1];
  tile_emulator_report *report;
  const tile_emulator_hazard *hazard =
      run_for_hazard(body, data, 1, OPTIONS(.threads = 32), &report);
  CHECK_EQUAL(hazard->kind, TILE_EMULATOR_SHUFFLE_DIVERGENCE);
  CHECK(
      strstr(hazard->text, "waits at a multiplication (mma) while something else is waited at by"));
  tile_emulator_report_free(report);
  hazard = run_for_hazard(body, data, 1, OPTIONS(.threads = 16), &report);
  CHECK_EQUAL(hazard->kind, TILE_EMULATOR_TRAP);
  CHECK(strstr(hazard->text, "tensor-core operations need warps of 32 threads"));
  tile_emulator_report_free(report);
}

/* --- ldmatrix, stmatrix ----------------------------------------------------------------------- */

#define MATRIX_PRELUDE                                                                             \
  "declare void @tile_emu_ldmatrix(ptr, ptr, i32, i32, ptr, ptr)\n"                                \
  "declare void @tile_emu_stmatrix(ptr, ptr, i32, i32, ptr, ptr)\n"
#define ROOM "  %r = alloca [4 x i32], align 16\n  %shared = call ptr @tile_emu_shared(ptr %t)\n"

/* Lane l of PTX's figure: row l / 4, elements l % 4 * 2 and one more; transposed, column l / 4. */
static uint32_t expected_register(uint16_t matrix[8][8], int lane, bool transpose) {
  int outer = lane / 4, inner = lane % 4 * 2;
  return transpose ? matrix[inner][outer] | (uint32_t)matrix[inner + 1][outer] << 16
                   : matrix[outer][inner] | (uint32_t)matrix[outer][inner + 1] << 16;
}

/* data[0 ..] go to shared memory, a row each thread, come back through ldmatrix into data[128 ..],
   four registers a lane, and through stmatrix and plain loads into data[256 ..]. */
static void matrix_kernel(struct text *text, int count, int transpose) {
  text_puts(
      text, MATRIX_PRELUDE PRELUDE
      "define void @k(ptr %t, ptr %args) {\n"
      "  %tid = call i32 @tile_emu_thread_index(ptr %t)\n" ROOM
      "  %data = call ptr @arg(ptr %args, i32 0)\n"
      "  %bytes = mul i32 %tid, 16\n  %low = add i32 %bytes, 512\n"
      "  %row = getelementptr i8, ptr %shared, i32 %bytes\n"
      "  %row2 = getelementptr i8, ptr %shared, i32 %low\n"
      "  %from = getelementptr i8, ptr %data, i32 %bytes\n"
      "  %s = call ptr @tile_emu_shared_access(ptr %t, ptr %row, i32 16, i32 16, i32 1, i32 1, "
      "ptr @l1)\n"
      "  %v = load <4 x i32>, ptr %from, align 4\n  store <4 x i32> %v, ptr %s\n"
      "  call void @tile_emu_barrier(ptr %t, ptr @l4)\n");
  text_printf(
      text,
      "  call void @tile_emu_ldmatrix(ptr %%t, ptr %%row, i32 %d, i32 %d, ptr %%r, ptr @l2)\n"
      "  %%got = load <4 x i32>, ptr %%r\n  %%to = getelementptr i32, ptr %%from, i32 128\n"
      "  store <4 x i32> %%got, ptr %%to, align 4\n"
      "  call void @tile_emu_stmatrix(ptr %%t, ptr %%row2, i32 %d, i32 %d, ptr %%r, ptr @l3)\n",
      count, transpose, count, transpose);
  text_puts(text,
            "  call void @tile_emu_barrier(ptr %t, ptr @l4)\n"
            "  %to2 = getelementptr i32, ptr %from, i32 256\n"
            "  %back = load <4 x i32>, ptr %row2\n  store <4 x i32> %back, ptr %to2, align 4\n"
            "  ret void\n}\n");
}

static void matrices(void) {
  for (int count = 1; count <= 4; count *= 2)
    for (int transpose = 0; transpose < 2; transpose++) {
      uint32_t data[384];
      for (int i = 0; i < 384; i++)
        data[i] = draw();
      uint16_t matrix[4][8][8];
      memcpy(matrix, data, sizeof matrix);
      struct text text = {0};
      matrix_kernel(&text, count, transpose);
      run_clean(text_string(&text), (int *)data, 384,
                OPTIONS(.threads = 32, .shared_bytes = 1024, .check = true, .seed = 5));
      text_free(&text);
      for (int lane = 0; lane < 32; lane++)
        for (int m = 0; m < count; m++)
          CHECK_EQUAL(data[128 + 4 * lane + m], expected_register(matrix[m], lane, transpose));
      CHECK_EQUAL(memcmp(data + 256, matrix, (size_t)count * 128), 0);
    }
}

static void one_matrix_hazard(const char *body, uint32_t shared, tile_emulator_hazard_kind kind,
                              bool store, const char *words) {
  int data[1];
  tile_emulator_report *report;
  const tile_emulator_hazard *hazard = run_for_hazard(
      body, data, 1, OPTIONS(.threads = 32, .shared_bytes = shared, .check = true), &report);
  CHECK_EQUAL(hazard->kind, kind);
  CHECK_EQUAL(hazard->is_store, store);
  CHECK(strstr(hazard->text, words));
  tile_emulator_report_free(report);
}

/* What plain accesses are checked for: bounds, alignment, bytes that nobody stored to, and races,
   here with rows that other lanes stored. */
static void matrix_hazards(void) {
  one_matrix_hazard(
      MATRIX_PRELUDE KERNEL(
          ROOM "  %p = getelementptr i8, ptr %shared, i32 512\n"
               "  call void @tile_emu_stmatrix(ptr %t, ptr %p, i32 1, i32 0, ptr %r, ptr @l3)\n"),
      512, TILE_EMULATOR_OUT_OF_BOUNDS, true, "out-of-bounds at k.py:3:1");
  one_matrix_hazard(
      MATRIX_PRELUDE KERNEL(
          ROOM "  %p = getelementptr i8, ptr %shared, i32 8\n"
               "  call void @tile_emu_ldmatrix(ptr %t, ptr %p, i32 1, i32 0, ptr %r, ptr @l2)\n"),
      512, TILE_EMULATOR_MISALIGNED, false, "misaligned at k.py:2:1");
  one_matrix_hazard(
      MATRIX_PRELUDE KERNEL(
          ROOM
          "  call void @tile_emu_ldmatrix(ptr %t, ptr %shared, i32 1, i32 0, ptr %r, ptr @l2)\n"),
      512, TILE_EMULATOR_UNINITIALISED, false, "k.py:2:1");
  one_matrix_hazard(
      MATRIX_PRELUDE KERNEL(
          ROOM "  %back = sub i32 31, %tid\n  %i = mul i32 %tid, 16\n  %j = mul i32 %back, 16\n"
               "  %p = getelementptr i8, ptr %shared, i32 %i\n"
               "  %q = getelementptr i8, ptr %shared, i32 %j\n"
               "  %s = call ptr @tile_emu_shared_access(ptr %t, ptr %p, i32 16, i32 16, i32 1, i32 "
               "1, ptr @l1)\n"
               "  store <4 x i32> zeroinitializer, ptr %s\n"
               "  call void @tile_emu_ldmatrix(ptr %t, ptr %q, i32 4, i32 0, ptr %r, ptr @l2)\n"),
      512, TILE_EMULATOR_READ_WRITE_RACE, false, "which was stored to at k.py:1:1");
}

int main(int argc, char **argv) {
  return RUN_TESTS(argc, argv, {"half-precision", half_precision}, {"bfloat", bfloat},
                   {"tf32", tf32}, {"eight-bit-floats", eight_bit_floats}, {"integers", integers},
                   {"double-precision", double_precision}, {"widening", widening},
                   {"divergence", divergence}, {"matrices", matrices},
                   {"matrix-hazards", matrix_hazards});
}
