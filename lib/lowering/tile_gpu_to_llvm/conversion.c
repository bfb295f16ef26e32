/* SPDX-License-Identifier: MIT */
/* Conversions (layout/conversion.h) as code: registers renamed, shuffled between lanes, or moved
   through shared memory.

     stores, a vector each      by one thread of those that hold an element
     barrier                    of each warp, if no value leaves its warp
     loads, a vector each       in the new layout

   Scratch may be read by an earlier operation still: tile-gpu-insert-barriers has
   put a barrier before where that can be. Values travel as integers of their size. */
#include "analysis/scratch.h"

#include "lowering/tile_gpu_to_llvm/device_ops.h"

static MlirType i32_type(struct lowering *lw) {
  return integer_type(&lw->b, 32);
}

static MlirValue with_constant(struct lowering *lw, const char *name, MlirValue a,
                               int64_t constant) {
  return build_binary(&lw->b, name, a, constant_integer(lw, 32, constant));
}

unsigned conversion_bytes(struct lowering *lw, MlirType old_type) {
  return memory_bytes(lw->session, type_element(old_type));
}

/* --- Bits ------------------------------------------------------------------------------------- */

MlirValue register_bits(struct lowering *lw, const struct lowered *value, int r) {
  MlirValue x = register_to_memory(lw, value, register_value(lw, value, r));
  MlirType type = mlirValueGetType(x);
  if (mlirTypeIsAInteger(type))
    return x;
  unsigned bits = type_bits(&lw->session->types, type);
  return BUILD(&lw->b, "arith.bitcast", IN(x), OUT(integer_type(&lw->b, bits)));
}

MlirValue register_from_bits(struct lowering *lw, const struct lowered *value, MlirValue bits) {
  MlirType type = memory_type(lw, value);
  if (!mlirTypeIsAInteger(type))
    bits = BUILD(&lw->b, "arith.bitcast", IN(bits), OUT(type));
  return register_from_memory(lw, value, bits);
}

/* --- Functions of the lane -------------------------------------------------------------------- */

/* i1: is the number of the lane's bits in `mask` odd? */
static MlirValue lane_parity(struct lowering *lw, uint32_t mask) {
  MlirValue bits = with_constant(lw, "arith.andi", lw->lane, mask);
  if (mask & (mask - 1))
    bits = with_constant(lw, "arith.andi", BUILD(&lw->b, "math.ctpop", IN(bits), OUT(i32_type(lw))),
                         1);
  return build_compare(&lw->b, I_UNEQUAL, bits, constant_integer(lw, 32, 0));
}

/* value[r] becomes value[r ^ map(lane)]: one round of selects for each different mask in the map.
 */
static void select_by_lane(struct lowering *lw, MlirValue *value, int count,
                           const uint32_t map[CONVERSION_LANE_BITS]) {
  MlirValue *before = ARENA_ARRAY(&lw->arena, MlirValue, (size_t)count);
  for (int bit = 0; bit < CONVERSION_LANE_BITS; bit++) {
    uint32_t lanes = 0;
    for (int other = 0; other < CONVERSION_LANE_BITS; other++)
      lanes |= (uint32_t)(map[other] == map[bit]) << other;
    if (map[bit] == 0 || lanes & ((UINT32_C(1) << bit) - 1))
      continue; /* nothing, or done with an earlier bit */
    MlirValue odd = lane_parity(lw, lanes);
    for (int r = 0; r < count; r++)
      before[r] = value[r];
    for (int r = 0; r < count; r++)
      value[r] = BUILD(&lw->b, "arith.select", IN(odd, before[(uint32_t)r ^ map[bit]], before[r]),
                       OUT(mlirValueGetType(before[r])));
  }
}

/* The lane map(lane), as i32. */
static MlirValue mapped_lane(struct lowering *lw, const uint32_t map[CONVERSION_LANE_BITS]) {
  MlirValue sum = {0};
  for (int bit = 0; bit < CONVERSION_LANE_BITS; bit++) {
    if (!map[bit])
      continue;
    MlirValue part =
        with_constant(lw, "arith.andi", with_constant(lw, "arith.shrui", lw->lane, bit), 1);
    part = with_constant(lw, "arith.muli", part, map[bit]);
    sum = mlirValueIsNull(sum) ? part : build_binary(&lw->b, "arith.xori", sum, part);
  }
  return mlirValueIsNull(sum) ? constant_integer(lw, 32, 0) : sum;
}

/* --- Shuffles --------------------------------------------------------------------------------- */

MlirValue build_shuffle(struct lowering *lw, enum device_shuffle kind, MlirValue bits,
                        MlirValue operand) {
  MlirValue (*shuffle_word)(struct lowering *, enum device_shuffle, MlirValue, MlirValue) =
      lw->device->shuffle;
  MlirType type = mlirValueGetType(bits), i32 = i32_type(lw);
  unsigned width = mlirIntegerTypeGetWidth(type);
  if (width == 32)
    return shuffle_word(lw, kind, bits, operand);
  if (width < 32) {
    MlirValue word = BUILD(&lw->b, "arith.extui", IN(bits), OUT(i32));
    return BUILD(&lw->b, "arith.trunci", IN(shuffle_word(lw, kind, word, operand)), OUT(type));
  }
  MlirValue half = constant_integer(lw, 64, 32);
  MlirValue low = BUILD(&lw->b, "arith.trunci", IN(bits), OUT(i32));
  MlirValue high =
      BUILD(&lw->b, "arith.trunci", IN(build_binary(&lw->b, "arith.shrui", bits, half)), OUT(i32));
  low = BUILD(&lw->b, "arith.extui", IN(shuffle_word(lw, kind, low, operand)), OUT(type));
  high = BUILD(&lw->b, "arith.extui", IN(shuffle_word(lw, kind, high, operand)), OUT(type));
  return build_binary(&lw->b, "arith.ori", low, build_binary(&lw->b, "arith.shli", high, half));
}

static MlirType vector_type(struct lowering *lw, int count, unsigned bits) {
  MlirType element = integer_type(&lw->b, bits);
  return count == 1 ? element : mlirVectorTypeGet(1, (int64_t[]){count}, element);
}

/* Integers as one, the first one lowest. */
static MlirValue build_packed(struct lowering *lw, const MlirValue *parts, int count) {
  if (count == 1)
    return parts[0];
  unsigned bits = mlirIntegerTypeGetWidth(mlirValueGetType(parts[0])) * (unsigned)count;
  return BUILD(&lw->b, "llvm.bitcast", IN(build_vector(lw, parts, count)),
               OUT(integer_type(&lw->b, bits)));
}

static void split_packed(struct lowering *lw, MlirValue word, MlirValue *parts, int count) {
  if (count > 1) {
    unsigned bits = mlirIntegerTypeGetWidth(mlirValueGetType(word)) / (unsigned)count;
    word = BUILD(&lw->b, "llvm.bitcast", IN(word), OUT(vector_type(lw, count, bits)));
  }
  split_vector(lw, word, parts, count);
}

enum { MAX_PARTS = 4 };

/* The registers of a plan's words: part p of word i is registers[p * words + i]. */
static int *registers_of_words(struct lowering *lw, const struct layout_conversion *plan,
                               bool writes, int count) {
  int *registers = ARENA_ARRAY(&lw->arena, int, (size_t)count);
  for (int part = 0; part < 1 << plan->chunk_bits; part++)
    conversion_chunk_registers(plan, writes, part, count,
                               registers + part * (count >> plan->chunk_bits));
  return registers;
}

static void build_shuffles(struct lowering *lw, const struct layout_conversion *plan,
                           const struct lowered *source, struct lowered *result) {
  const struct conversion_shuffle *shuffle = &plan->shuffle;
  int count = 1 << plan->chunk_bits; /* registers of a word */
  int sources = source->count / count, targets = result->count / count;
  const int *from = registers_of_words(lw, plan, true, source->count);
  const int *to = registers_of_words(lw, plan, false, result->count);
  MlirValue parts[MAX_PARTS];
  MlirValue *value = ARENA_ARRAY(&lw->arena, MlirValue, (size_t)sources);
  MlirValue *fetched = ARENA_ARRAY(&lw->arena, MlirValue, (size_t)targets);
  for (int i = 0; i < sources; i++) {
    for (int part = 0; part < count; part++)
      parts[part] = register_bits(lw, source, from[part * sources + i]);
    value[i] = build_packed(lw, parts, count);
  }
  select_by_lane(lw, value, sources, shuffle->sender);
  bool butterfly = conversion_is_butterfly(shuffle);
  MlirValue lane = butterfly ? (MlirValue){0} : mapped_lane(lw, shuffle->lane);
  for (int k = 0; k < targets; k++) {
    fetched[k] = value[conversion_sent_register(shuffle, (uint32_t)k)];
    uint32_t offset = conversion_lane_offset(shuffle, (uint32_t)k);
    if (!butterfly)
      fetched[k] = build_shuffle(lw, SHUFFLE_LANE, fetched[k],
                                 offset ? with_constant(lw, "arith.xori", lane, offset) : lane);
    else if (offset)
      fetched[k] =
          build_shuffle(lw, SHUFFLE_BUTTERFLY, fetched[k], constant_integer(lw, 32, offset));
  }
  select_by_lane(lw, fetched, targets, shuffle->reader);
  for (int i = 0; i < targets; i++) {
    split_packed(lw, fetched[i], parts, count);
    for (int part = 0; part < count; part++)
      result->base[to[part * targets + i]] = register_from_bits(lw, result, parts[part]);
  }
}

/* --- Shared memory ---------------------------------------------------------------------------- */

/* Addresses of one side's accesses. */
struct addresses {
  struct lowering *lw;
  const struct conversion_side *side;
  MlirValue start;      /* !llvm.ptr<3>: where `scratch` counts from */
  int64_t scratch;      /* first byte in shared memory */
  unsigned bytes;       /* of an element */
  MlirValue thread;     /* i32: the thread's part of the offset, in bytes; null for 0 */
  uint32_t thread_bits; /* offset bits that the thread's part may set */
  struct map bases;     /* register bits that overlap those, plus one -> !llvm.ptr<3> */
};

static MlirValue advance(struct lowering *lw, MlirValue pointer, MlirValue index,
                         int64_t constant) {
  return build_gep(&lw->b, integer_type(&lw->b, 8), pointer, index, constant);
}

MlirValue buffer_address(struct lowering *lw, MlirValue base, MlirValue offset, unsigned bytes,
                         int64_t constant) {
  if (!mlirValueIsNull(offset) && bytes > 1)
    offset = with_constant(lw, "arith.shli", offset, __builtin_ctz(bytes));
  if (!mlirValueIsNull(offset))
    base = advance(lw, base, offset, 0);
  return constant ? advance(lw, base, (MlirValue){0}, constant) : base;
}

MlirValue shared_address(struct lowering *lw, MlirValue offset, unsigned bytes, int64_t constant) {
  return buffer_address(lw, shared_memory(lw), offset, bytes, constant);
}

/* Where what depends on the thread alone is computed. */
static struct builder place_builder(struct lowering *lw) {
  return lw->places_ahead ? prologue_builder(lw) : lw->b;
}

static struct addresses addresses_for(struct lowering *lw, const struct conversion_side *side,
                                      MlirValue start, int64_t scratch, unsigned bytes) {
  struct addresses a = {.lw = lw, .side = side, .start = start, .scratch = scratch, .bytes = bytes};
  struct builder here = lw->b;
  lw->b = place_builder(lw);
  a.thread = build_thread_part(lw, &side->address, LAYOUT_OFFSET);
  if (!mlirValueIsNull(a.thread) && bytes > 1)
    a.thread = with_constant(lw, "arith.shli", a.thread, __builtin_ctz(bytes));
  lw->b = here;
  for (int dim = LAYOUT_LANE; dim <= LAYOUT_WARP; dim++)
    for (int bit = 0; bit < side->address.in.bits[dim]; bit++)
      a.thread_bits |= linear_layout_basis(&side->address, dim, bit);
  return a;
}

/* The address of offset `own` (a register's part) of this thread. What it shares with the thread's
   part is XORed in at run time, once for each different value; the rest is a constant. */
static MlirValue address_of(struct addresses *a, uint32_t own) {
  struct lowering *lw = a->lw;
  uint32_t overlap = own & a->thread_bits;
  const void *key = (const void *)(uintptr_t)(overlap + 1);
  MlirValue base = {map_get(&a->bases, key)};
  if (mlirValueIsNull(base)) {
    MlirValue offset = a->thread;
    struct builder here = lw->b;
    lw->b = place_builder(lw);
    if (overlap)
      offset = with_constant(lw, "arith.xori", offset, (int64_t)overlap * a->bytes);
    lw->b = here;
    base = buffer_address(lw, a->start, offset, 1, 0);
    map_set(&a->bases, key, (void *)base.ptr);
  }
  int64_t constant = a->scratch + (int64_t)(own & ~a->thread_bits) * a->bytes;
  return constant ? advance(lw, base, (MlirValue){0}, constant) : base;
}

/* An access of `vector` elements as words: elements of 4 or 8 bytes as they are, smaller ones
   packed. */
struct access_words {
  unsigned word_bits;
  int words, per_word;
};

static struct access_words words_for(unsigned bytes, int vector) {
  unsigned total = bytes * 8 * (unsigned)vector, element = bytes * 8;
  unsigned word = element >= 32 ? element : total < 32 ? total : 32;
  return (struct access_words){word, (int)(total / word), (int)(word / element)};
}

static void store_vector(struct lowering *lw, MlirValue address, const MlirValue *elements,
                         int vector, unsigned bytes, MlirValue predicate) {
  struct access_words w = words_for(bytes, vector);
  MlirValue words[CONVERSION_ACCESS_BYTES];
  for (int i = 0; i < w.words; i++)
    words[i] = build_packed(lw, elements + i * w.per_word, w.per_word);
  MlirValue value = build_vector(lw, words, w.words);
  if (mlirValueIsNull(predicate))
    BUILD_OP(&lw->b, "llvm.store", IN(value, address),
             ATTRIBUTES(llvm_alignment(lw->session->context, (int64_t)bytes * vector)));
  else
    lw->device->store(lw, &(struct device_access){address, predicate, NULL, 0}, value);
}

static void load_vector(struct lowering *lw, MlirValue address, MlirValue *elements, int vector,
                        unsigned bytes) {
  struct access_words w = words_for(bytes, vector);
  MlirValue words[CONVERSION_ACCESS_BYTES];
  MlirValue value =
      BUILD(&lw->b, "llvm.load", IN(address), OUT(vector_type(lw, w.words, w.word_bits)),
            ATTRIBUTES(llvm_alignment(lw->session->context, (int64_t)bytes * vector)));
  split_vector(lw, value, words, w.words);
  for (int i = 0; i < w.words; i++)
    split_packed(lw, words[i], elements + i * w.per_word, w.per_word);
}

static uint32_t register_offset(const struct conversion_side *side, uint32_t r) {
  struct layout_point at = {.at = {[LAYOUT_REGISTER] = r}};
  return linear_layout_apply(&side->address, &at).at[LAYOUT_OFFSET] ^ side->origin;
}

void build_buffer_stores(struct lowering *lw, const struct conversion_side *side, MlirValue start,
                         int64_t scratch, unsigned bytes, const struct lowered *source) {
  uint32_t *registers = ARENA_ARRAY(&lw->arena, uint32_t, (size_t)source->count);
  int count = conversion_registers(side, registers);
  struct addresses a = addresses_for(lw, side, start, scratch, bytes);
  uint32_t copies = side->skip.at[LAYOUT_LANE] | side->skip.at[LAYOUT_WARP] << 5;
  MlirValue predicate = copies ? build_is_zero(lw, copies) : (MlirValue){0};
  for (int i = 0; i < count; i += side->vector) {
    MlirValue elements[CONVERSION_ACCESS_BYTES];
    for (int j = 0; j < side->vector; j++)
      elements[j] = register_bits(lw, source, (int)registers[i + j]);
    store_vector(lw, address_of(&a, register_offset(side, registers[i])), elements, side->vector,
                 bytes, predicate);
  }
  map_free(&a.bases);
}

void build_buffer_loads(struct lowering *lw, const struct conversion_side *side, MlirValue start,
                        int64_t scratch, unsigned bytes, struct lowered *result) {
  uint32_t *registers = ARENA_ARRAY(&lw->arena, uint32_t, (size_t)result->count);
  int count = conversion_registers(side, registers);
  struct addresses a = addresses_for(lw, side, start, scratch, bytes);
  for (int i = 0; i < count; i += side->vector) {
    MlirValue elements[CONVERSION_ACCESS_BYTES];
    load_vector(lw, address_of(&a, register_offset(side, registers[i])), elements, side->vector,
                bytes);
    for (int j = 0; j < side->vector; j++)
      result->base[registers[i + j]] = register_from_bits(lw, result, elements[j]);
  }
  map_free(&a.bases);
}

void build_conversion_stores(struct lowering *lw, const struct conversion_side *side,
                             int64_t scratch, unsigned bytes, const struct lowered *source) {
  build_buffer_stores(lw, side, shared_memory(lw), scratch, bytes, source);
}

void build_conversion_loads(struct lowering *lw, const struct conversion_side *side,
                            int64_t scratch, unsigned bytes, struct lowered *result) {
  build_buffer_loads(lw, side, shared_memory(lw), scratch, bytes, result);
}

void build_buffer_copies(struct lowering *lw, const struct conversion_side *side, MlirValue start,
                         unsigned bytes, build_copy *copy, void *data) {
  int all = 1 << side->address.in.bits[LAYOUT_REGISTER];
  uint32_t *registers = ARENA_ARRAY(&lw->arena, uint32_t, (size_t)all);
  int count = conversion_registers(side, registers);
  struct addresses a = addresses_for(lw, side, start, 0, bytes);
  for (int i = 0; i < count; i += side->vector)
    copy(lw, address_of(&a, register_offset(side, registers[i])), (int)registers[i], data);
  map_free(&a.bases);
}

/* --- All of it -------------------------------------------------------------------------------- */

static void rename_registers(const struct conversion_shuffle *plan, const struct lowered *source,
                             struct lowered *result) {
  for (int r = 0; r < result->count; r++) {
    struct layout_point place = {.at = {[LAYOUT_REGISTER] = (uint32_t)r}};
    uint32_t s = linear_layout_apply(&plan->conversion, &place).at[LAYOUT_REGISTER];
    result->base[r] = source->base[s];
    result->offset[r] = source->offset[s];
  }
}

/* The given registers of `all`. */
static struct lowered *some_registers(struct lowering *lw, const struct lowered *all,
                                      const int *registers, int count) {
  struct lowered *some = lowered_like(lw, all, count);
  for (int r = 0; r < count; r++) {
    some->base[r] = all->base[registers[r]];
    some->offset[r] = all->offset[registers[r]];
  }
  return some;
}

static void build_conversion_barrier(struct lowering *lw, const struct layout_conversion *plan) {
  if (plan->within_warp)
    lw->device->warp_barrier(lw);
  else
    build_barrier(lw);
}

/* Stores, barrier, loads for each chunk; a barrier between chunks, which share one allocation. */
static void build_chunks(struct lowering *lw, const struct layout_conversion *plan, int64_t scratch,
                         unsigned bytes, const struct lowered *source, struct lowered *result) {
  int *from = ARENA_ARRAY(&lw->arena, int, (size_t)source->count);
  int *to = ARENA_ARRAY(&lw->arena, int, (size_t)result->count);
  for (int chunk = 0; chunk < 1 << plan->chunk_bits; chunk++) {
    int stored = conversion_chunk_registers(plan, true, chunk, source->count, from);
    int loaded = conversion_chunk_registers(plan, false, chunk, result->count, to);
    struct lowered *part = some_registers(lw, result, to, loaded);
    const struct lowered *values = some_registers(lw, source, from, stored);
    if (chunk)
      build_conversion_barrier(lw, plan);
    if (plan->matrices.used)
      lw->device->matrix_stores(lw, plan, shared_address(lw, (MlirValue){0}, 1, scratch), values);
    else
      build_conversion_stores(lw, &plan->write, scratch, bytes, values);
    build_conversion_barrier(lw, plan);
    build_conversion_loads(lw, &plan->read, scratch, bytes, part);
    for (int r = 0; r < loaded; r++)
      result->base[to[r]] = part->base[r];
  }
}

void build_conversion(struct lowering *lw, const struct layout_conversion *plan, int64_t scratch,
                      unsigned bytes, const struct lowered *source, struct lowered *result) {
  switch (plan->kind) {
  case CONVERSION_RENAME:
    rename_registers(&plan->shuffle, source, result);
    return;
  case CONVERSION_SHUFFLE:
    build_shuffles(lw, plan, source, result);
    return;
  case CONVERSION_SHARED:
    build_chunks(lw, plan, scratch, bytes, source, result);
    return;
  }
}
