/* SPDX-License-Identifier: MIT */
/* Random numbers: the counter-based generator Philox 4x32 (and 4x64), bit for bit as
   triton.language.random has it.

   One round of Philox on counters c0..c3 and keys k0, k1 (Salmon et al., "Parallel random numbers:
   as easy as 1, 2, 3", SC 2011), with hi:lo the halves of a product:

       c0' = hi(B * c2) ^ c1 ^ k0     c1' = lo(B * c2)     k0' = k0 + KEY_A
       c2' = hi(A * c0) ^ c3 ^ k1     c3' = lo(A * c0)     k1' = k1 + KEY_B

   randint4x(seed, offset) runs ten rounds from the counters (offset, offset >> 32, 0, 0) and the
   keys (low half of the seed, high half); rand makes a float in [0, 1) of each word, randn a normal
   deviate of each pair. The keys are scalars when the seed is one, so their schedule costs one
   addition a round, not one an element. */
#include "frontend/check/operands.h"

enum { WORDS = 4, DEFAULT_ROUNDS = 10, MAX_ROUNDS = 1000 };

struct philox_constants {
  uint64_t key_a, key_b, round_a, round_b;
};

static const struct philox_constants constants_32 = {0x9E3779B9, 0xBB67AE85, 0xD2511F53,
                                                     0xCD9E8D57};
static const struct philox_constants constants_64 = {0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B,
                                                     0xD2E7470EE14C6C93, 0xCA5A826395121157};

/* --- Integers of one unsigned type ------------------------------------------------------------ */

/* A constant as a scalar; 64-bit ones beyond int64 too. */
static struct value word(struct checker *c, struct dtype dtype, uint64_t number) {
  MlirType type = dtype_to_mlir(&c->e, dtype);
  int64_t bits = dtype_bits(dtype) == 64 ? (int64_t)number : (int64_t)(int32_t)(uint32_t)number;
  return value_runtime(build_constant(&c->e.b, mlirIntegerAttrGet(type, bits), type), dtype);
}

/* Both halves of x * factor. */
static void multiply(struct checker *c, const struct value *x, uint64_t factor, struct value *low,
                     struct value *high) {
  struct value y = word(c, x->run_time.dtype, factor), copy = *x;
  emit_broadcast(&c->e, &copy, &y); /* a scalar to a tile: cannot fail */
  MlirType type = mlirValueGetType(copy.run_time.ir);
  MlirOperation product = BUILD_OP(&c->e.b, "arith.mului_extended",
                                   IN(copy.run_time.ir, y.run_time.ir), OUT(type, type));
  *low = value_runtime(op_result(product, 0), x->run_time.dtype);
  *high = value_runtime(op_result(product, 1), x->run_time.dtype);
}

static bool mix(struct checker *c, const struct value *high, const struct value *other,
                const struct value *key, struct value *out) {
  struct value mixed;
  return emit_binary(&c->e, BINARY_XOR, high, other, &mixed) &&
         emit_binary(&c->e, BINARY_XOR, &mixed, key, out);
}

static bool philox_round(struct checker *c, const struct philox_constants *constants,
                         struct value *counters, struct value *keys) {
  struct value low_a, high_a, low_b, high_b;
  multiply(c, &counters[2], constants->round_b, &low_b, &high_b);
  multiply(c, &counters[0], constants->round_a, &low_a, &high_a);
  if (!mix(c, &high_b, &counters[1], &keys[0], &counters[0]) ||
      !mix(c, &high_a, &counters[3], &keys[1], &counters[2]))
    return false;
  counters[1] = low_b;
  counters[3] = low_a;
  struct dtype dtype = keys[0].run_time.dtype;
  struct value step_a = word(c, dtype, constants->key_a), step_b = word(c, dtype, constants->key_b);
  return emit_binary(&c->e, BINARY_ADD, &keys[0], &step_a, &keys[0]) &&
         emit_binary(&c->e, BINARY_ADD, &keys[1], &step_b, &keys[1]);
}

static bool philox_rounds(struct checker *c, const struct builtin_call *call, int64_t rounds,
                          struct value *counters, struct value *keys) {
  bool wide = dtype_bits(counters[0].run_time.dtype) == 64;
  if (rounds < 0 || rounds > MAX_ROUNDS)
    return check_fail(c, call->span, "n_rounds is 0 to %d, not %lld", MAX_ROUNDS,
                      (long long)rounds);
  for (int64_t i = 0; i < rounds; i++)
    if (!philox_round(c, wide ? &constants_64 : &constants_32, counters, keys))
      return false;
  return true;
}

/* --- Arguments -------------------------------------------------------------------------------- */

static bool read_integer(struct checker *c, const struct builtin_call *call, int index,
                         struct value *out) {
  if (!operand_number(c, call, index, out))
    return false;
  return dtype_is_integer(out->run_time.dtype) || operand_fail(c, call, index, "integers");
}

/* The seed's low and high half; a 64-bit generator takes the whole of it and zero. */
static bool split_seed(struct checker *c, const struct builtin_call *call, struct dtype dtype,
                       struct value *keys) {
  struct value seed, count = value_integer(32);
  if (!read_integer(c, call, 0, &seed) || !operand_cast(c, DTYPE(UINT64), &seed))
    return false;
  keys[0] = seed;
  if (dtype_bits(dtype) == 64) {
    keys[1] = word(c, dtype, 0);
    return true;
  }
  return emit_binary(&c->e, BINARY_SHIFT_RIGHT, &seed, &count, &keys[1]) &&
         operand_cast(c, dtype, &keys[0]) && operand_cast(c, dtype, &keys[1]);
}

/* The counters of randint4x: the offset's low and high word, zero, zero. */
static bool split_offset(struct checker *c, const struct builtin_call *call,
                         struct value *counters) {
  struct value offset, count = value_integer(32);
  if (!read_integer(c, call, 1, &offset))
    return false;
  counters[0] = offset;
  for (int i = 1; i < WORDS; i++)
    counters[i] = word(c, DTYPE(UINT32), 0);
  if (dtype_bits(offset.run_time.dtype) > 32 &&
      (!emit_binary(&c->e, BINARY_SHIFT_RIGHT, &offset, &count, &counters[1]) ||
       !operand_cast(c, DTYPE(UINT32), &counters[1])))
    return false;
  return operand_cast(c, DTYPE(UINT32), &counters[0]);
}

/* All words with one shape: the first takes every shape, then gives it to all. */
static bool same_shape(struct checker *c, struct value *words) {
  for (int i = 0; i < 2 * WORDS; i++)
    if (!emit_broadcast(&c->e, &words[0], &words[i % WORDS]))
      return false;
  return true;
}

/* (seed, offset, n_rounds) -> four words. */
static bool draw(struct checker *c, const struct builtin_call *call, struct value *words) {
  struct value keys[2];
  int64_t rounds;
  return argument_integer(c, &call->arguments[2], DEFAULT_ROUNDS, &rounds) &&
         split_offset(c, call, words) && split_seed(c, call, DTYPE(UINT32), keys) &&
         philox_rounds(c, call, rounds, words, keys) && same_shape(c, words);
}

/* --- Integers --------------------------------------------------------------------------------- */

/* Counters from the given argument on, as unsigned integers of the first one's width. */
static bool read_counters(struct checker *c, const struct builtin_call *call, int from, int count,
                          struct value *out) {
  struct dtype dtype = DTYPE(UINT32);
  for (int i = 0; i < count; i++) {
    if (!read_integer(c, call, from + i, &out[i]))
      return false;
    unsigned bits = dtype_bits(out[i].run_time.dtype);
    if (i == 0 && bits == 64)
      dtype = DTYPE(UINT64);
    bool number = value_is_number(&call->arguments[from + i].value);
    if (bits != dtype_bits(dtype) && !number)
      return operand_fail(c, call, from + i,
                          i == 0 ? "integers of 32 or 64 bits" : "integers of one width");
    if (!operand_cast(c, dtype, &out[i]))
      return false;
  }
  return true;
}

/* philox(seed, c0, c1, c2, c3, n_rounds). */
bool builtin_philox(struct checker *c, const struct builtin_call *call, struct value *out) {
  struct value words[WORDS], keys[2];
  int64_t rounds;
  if (!argument_integer(c, &call->arguments[5], DEFAULT_ROUNDS, &rounds) ||
      !read_counters(c, call, 1, WORDS, words) ||
      !split_seed(c, call, words[0].run_time.dtype, keys) ||
      !philox_rounds(c, call, rounds, words, keys) || !same_shape(c, words))
    return false;
  *out = value_tuple(&c->e.arena, words, WORDS);
  return true;
}

/* philox_impl(c0, c1, c2, c3, k0, k1, n_rounds). */
bool builtin_philox_impl(struct checker *c, const struct builtin_call *call, struct value *out) {
  struct value words[WORDS + 2];
  int64_t rounds;
  if (!argument_integer(c, &call->arguments[WORDS + 2], DEFAULT_ROUNDS, &rounds) ||
      !read_counters(c, call, 0, WORDS + 2, words) ||
      !philox_rounds(c, call, rounds, words, &words[WORDS]) || !same_shape(c, words))
    return false;
  *out = value_tuple(&c->e.arena, words, WORDS);
  return true;
}

/* One word, or all four as a tuple. */
static void give(struct checker *c, const struct value *words, int count, struct value *out) {
  *out = count == 1 ? words[0] : value_tuple(&c->e.arena, words, (size_t)count);
}

/* randint, randint4x */
bool builtin_randint(struct checker *c, const struct builtin_call *call, struct value *out) {
  struct value words[WORDS];
  if (!draw(c, call, words))
    return false;
  give(c, words, call->variant, out);
  return true;
}

/* --- Floats ----------------------------------------------------------------------------------- */

/* A word as a float in [0, 1): folded to its non-negative half, times just less than 2^-31 (2^-63),
   so that the largest one stays below 1. */
static bool uniform(struct checker *c, struct value *x) {
  bool wide = dtype_bits(x->run_time.dtype) == 64;
  struct value zero = value_integer(0), minus_one = value_integer(-1), negative, folded;
  struct value scale = value_float(wide ? 1.0842020432385337e-19 : 4.6566127342e-10);
  return operand_cast(c, wide ? DTYPE(INT64) : DTYPE(INT32), x) &&
         emit_binary(&c->e, BINARY_LESS, x, &zero, &negative) &&
         emit_binary(&c->e, BINARY_SUBTRACT, &minus_one, x, &folded) &&
         emit_where(&c->e, &negative, &folded, x, x) &&
         emit_binary(&c->e, BINARY_MULTIPLY, x, &scale, x);
}

/* Box and Muller: two uniform numbers to two normal ones. */
static bool normal(struct checker *c, struct value *u1, struct value *u2) {
  struct value least = value_float(1.0e-7), turn = value_float(6.283185307179586);
  struct value scale = value_float(-2.0), angle, radius;
  if (!emit_binary(&c->e, BINARY_MAXIMUM, &least, u1, &radius) ||
      !emit_binary(&c->e, BINARY_MULTIPLY, &turn, u2, &angle))
    return false;
  radius = operand_build(c, "math.log", &radius, 1, NULL);
  if (!emit_binary(&c->e, BINARY_MULTIPLY, &scale, &radius, &radius))
    return false;
  radius = operand_build(c, "math.sqrt", &radius, 1,
                         dtype_bits(radius.run_time.dtype) == 32 ? "afn" : NULL);
  struct value cosine = operand_build(c, "math.cos", &angle, 1, NULL);
  struct value sine = operand_build(c, "math.sin", &angle, 1, NULL);
  return emit_binary(&c->e, BINARY_MULTIPLY, &radius, &cosine, u1) &&
         emit_binary(&c->e, BINARY_MULTIPLY, &radius, &sine, u2);
}

/* `count` uniform numbers of one draw. */
static bool draw_uniform(struct checker *c, const struct builtin_call *call, int count,
                         struct value *words) {
  if (!draw(c, call, words))
    return false;
  for (int i = 0; i < count; i++)
    if (!uniform(c, &words[i]))
      return false;
  return true;
}

/* rand, rand4x */
bool builtin_rand(struct checker *c, const struct builtin_call *call, struct value *out) {
  struct value words[WORDS];
  if (!draw_uniform(c, call, call->variant, words))
    return false;
  give(c, words, call->variant, out);
  return true;
}

/* randn, randn4x: each pair of uniform numbers gives two normal ones. */
bool builtin_randn(struct checker *c, const struct builtin_call *call, struct value *out) {
  struct value words[WORDS];
  int count = call->variant == 1 ? 2 : WORDS;
  if (!draw_uniform(c, call, count, words))
    return false;
  for (int i = 0; i < count; i += 2)
    if (!normal(c, &words[i], &words[i + 1]))
      return false;
  give(c, words, call->variant, out);
  return true;
}

bool builtin_uint_to_uniform_float(struct checker *c, const struct builtin_call *call,
                                   struct value *out) {
  return read_counters(c, call, 0, 1, out) && uniform(c, out);
}

bool builtin_pair_uniform_to_normal(struct checker *c, const struct builtin_call *call,
                                    struct value *out) {
  struct value pair[2];
  if (!operands_alike(c, call, 2, true, pair) || !normal(c, &pair[0], &pair[1]))
    return false;
  *out = value_tuple(&c->e.arena, pair, 2);
  return true;
}
