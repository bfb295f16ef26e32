/* SPDX-License-Identifier: MIT */
/* tile.dot on tensor cores, with operands in registers: mma.sync.

   The layouts (layout/mma.h) have put every element where an instruction wants it, so that what is
   left is naming registers. For each fragment of the accumulators in a thread, and each step along
   k:

     %w = vector of a's elements in 32 bits                 packed once, for all fragments beside it
     %c0, .. %c3 = tile_ptx.mma %a0 .. %a3, %b0, %b1, %c0 .. %c3

   A thread's elements along k are the same numbers of k for a and for b, in the same order; which
   of them an instruction multiplies does not matter. Where a tensor is smaller than an instruction,
   threads hold copies, and instructions compute copies.

   f32 becomes tf32, rounded to nearest. "tf32x3" splits each number into two of tf32, "bf16x3" into
   two and "bf16x6" into three of bf16: the first part is the number rounded, the next one what is
   left of it, rounded. Products of parts are summed from zero, small ones first (`splits`); what is
   not a number in the sum of the small ones, such as the rest of infinity, is dropped before the
   large ones come; the accumulator is added last. Products of fp8 that say how many of them may be
   summed coarsely (max_imprecise) are summed from zero, and these sums in f32. An accumulator of
   f16 stays f16 for operands of f16, as the instruction has it, and is f32 in between for fp8. */
#include "ir/dot_form.h"
#include "lowering/nvvm/dot.h"

enum { MAX_WORDS = 8, PARTS = 3, MAX_PRODUCTS = 6 };

/* How f32 is multiplied; products[i] names a part of either operand, and the last one is of the
   large parts. */
struct split {
  const char *precision;
  int parts, count;
  bool bf16;
  struct {
    int8_t a, b;
  } products[MAX_PRODUCTS];
};

static const struct split splits[] = {
    {"tf32x3", 2, 3, false, {{1, 0}, {0, 1}, {0, 0}}},
    {"bf16x3", 2, 3, true, {{1, 0}, {0, 1}, {0, 0}}},
    {"bf16x6", 3, 6, true, {{1, 1}, {2, 0}, {0, 2}, {1, 0}, {0, 1}, {0, 0}}},
    {"tf32", 1, 1, false, {{0, 0}}}, /* and what says nothing */
};
enum { SPLITS = sizeof splits / sizeof *splits };

/* An operand: its elements packed into words, each made when it is first asked for. */
struct factor {
  const struct linear_layout *layout;
  const struct lowered *registers;
  int height;              /* rows or columns of a word's fragment: 8, or 16 with two words */
  int other;               /* the dimension that is not k */
  MlirValue *words[PARTS]; /* by the register of the first element */
};

struct dot {
  struct lowering *lw;
  MlirOperation op;
  struct factor a, b;
  const struct linear_layout *c;
  uint32_t k_at[LAYOUT_MAX_BITS]; /* what each bit of a thread's numbers of k adds to k */
  int k_bits, packed,
      groups; /* packed: elements of a word; groups: words along k of an instruction */
  const struct split *split; /* of f32; else NULL */
  MlirType computed;         /* the accumulators' type in the instruction */
  int64_t max_imprecise; /* products of fp8 that instructions may sum by themselves; 0: no matter */
  struct mma_shape shape;
};

static MlirType i32_of(struct lowering *lw) {
  return integer_type(&lw->b, 32);
}

int dot_register(const struct linear_layout *layout, uint32_t flat) {
  int found = 0;
  for (int bit = 0; bit < layout->in.bits[LAYOUT_REGISTER]; bit++)
    if (linear_layout_basis(layout, LAYOUT_REGISTER, bit) & flat)
      found |= 1 << bit;
  return found;
}

uint32_t dot_step(const struct linear_layout *layout, int dim, uint32_t distance) {
  enum layout_dim output = (enum layout_dim)(LAYOUT_DIM0 + dim);
  return distance >> layout->out.bits[output]
             ? 0
             : distance << layout_space_shift(&layout->out, output);
}

/* --- Words ------------------------------------------------------------------------------------ */

/* x rounded to a part's type. */
static MlirValue rounded_part(struct dot *p, MlirValue x) {
  struct lowering *lw = p->lw;
  if (p->split->bf16)
    return BUILD(&lw->b, "arith.truncf", IN(x), OUT(mlirBF16TypeGet(lw->session->context)));
  return BUILD(&lw->b, "tile_ptx.f32_to_tf32", IN(x), OUT(i32_of(lw)));
}

/* What rounding took away from x. */
static MlirValue rest_of(struct dot *p, MlirValue x, MlirValue rounded) {
  struct lowering *lw = p->lw;
  MlirType type = mlirValueGetType(x);
  MlirValue back =
      BUILD(&lw->b, p->split->bf16 ? "arith.extf" : "arith.bitcast", IN(rounded), OUT(type));
  return BUILD(&lw->b, "arith.subf", IN(x, back), OUT(type));
}

/* The parts of `count` numbers, as words of a fragment. */
static void split_numbers(struct dot *p, MlirValue *numbers, int count, MlirValue words[PARTS]) {
  for (int part = 0; part < p->split->parts; part++) {
    MlirValue rounded[4];
    for (int i = 0; i < count; i++) {
      rounded[i] = rounded_part(p, numbers[i]);
      if (part + 1 < p->split->parts)
        numbers[i] = rest_of(p, numbers[i], rounded[i]);
    }
    words[part] = p->split->bf16 ? pack_word(p->lw, rounded, count) : rounded[0];
  }
}

/* The elements from number `first` of k on, at `place` in the other dimensions, as one word. */
static MlirValue word(struct dot *p, struct factor *factor, uint32_t place, int first, int part) {
  struct lowering *lw = p->lw;
  int k = factor == &p->a ? LAYOUT_DIM0 + layout_space_rank(&p->c->out) - 1
                          : LAYOUT_DIM0 + layout_space_rank(&p->c->out) - 2;
  int shift = layout_space_shift(&factor->layout->out, (enum layout_dim)k);
  MlirValue elements[4], words[PARTS];
  int at[4] = {0};
  for (int i = 0; i < p->packed; i++) {
    uint32_t flat = place;
    for (int bit = 0; bit < p->k_bits; bit++)
      flat |= (first + i) >> bit & 1 ? p->k_at[bit] << shift : 0;
    at[i] = dot_register(factor->layout, flat);
  }
  if (!mlirValueIsNull(factor->words[part][at[0]]))
    return factor->words[part][at[0]];
  for (int i = 0; i < p->packed; i++)
    elements[i] = register_value(lw, factor->registers, at[i]);
  if (p->split)
    split_numbers(p, elements, p->packed, words);
  else
    words[0] = p->packed > 1 ? pack_word(lw, elements, p->packed) : elements[0];
  for (int i = 0; i < (p->split ? p->split->parts : 1); i++)
    factor->words[i][at[0]] = words[i];
  return words[part];
}

/* --- Instructions ----------------------------------------------------------------------------- */

MlirAttribute dot_type(struct lowering *lw, enum mma_number number) {
  return mlirAttributeParseGet(lw->session->context, ref(mma_numbers[number].mlir));
}

/* c += a * b on words. */
static void multiply(struct dot *p, const MlirValue *a, const MlirValue *b, MlirValue *c) {
  struct lowering *lw = p->lw;
  MlirContext context = lw->session->context;
  int counts[] = {(int)mma_a_registers(&p->shape), (int)mma_b_registers(&p->shape),
                  (int)mma_c_registers(&p->shape)};
  MlirValue in[3 * MAX_WORDS];
  MlirType out[MAX_WORDS];
  int count = 0;
  for (int i = 0; i < counts[0]; i++)
    in[count++] = a[i];
  for (int i = 0; i < counts[1]; i++)
    in[count++] = b[i];
  for (int i = 0; i < counts[2]; i++) {
    out[i] = mlirValueGetType(c[i]);
    in[count++] = c[i];
  }
  int32_t shape[] = {(int32_t)p->shape.m, (int32_t)p->shape.n, (int32_t)p->shape.k};
  MlirNamedAttribute attributes[] = {
      attribute_named(context, "shape", attribute_dense_i32(context, 3, shape)),
      attribute_named(context, "a_type", dot_type(lw, p->shape.a)),
      attribute_named(context, "b_type", dot_type(lw, p->shape.b)),
      attribute_named(context, "operandSegmentSizes", attribute_dense_i32(context, 3, counts)),
      p->shape.saturate ? attribute_named(context, "saturate", mlirUnitAttrGet(context))
                        : attribute_named(context, "c_type", dot_type(lw, MMA_F16))};
  MlirOperation mma =
      BUILD_OP(&lw->b, "tile_ptx.mma", INS(in, count), OUTS(out, counts[2]),
               ATTRIBUTE_LIST(attributes, p->shape.c == MMA_F16 || p->shape.saturate ? 5 : 4));
  for (int i = 0; i < counts[2]; i++)
    c[i] = op_result(mma, i);
}

/* The words of one instruction: of a register r stands for row-half r % halves and word r / halves
   along k. */
static void fragment(struct dot *p, struct factor *factor, uint32_t place, int first, int part,
                     MlirValue *words) {
  int halves = factor->height / 8;
  uint32_t half = dot_step(factor->layout, factor->other, 8);
  for (int r = 0; r < p->groups * halves; r++)
    words[r] =
        word(p, factor, r % halves ? place | half : place, first + r / halves * p->packed, part);
}

/* `partial` = 0; `c` += `partial`, in f32. */
static void begin_partial(struct dot *p, MlirValue *partial) {
  for (int i = 0; i < (int)mma_c_registers(&p->shape); i++)
    partial[i] = build_uniform(&p->lw->b, p->computed, 0);
}

static void add_partial(struct dot *p, const MlirValue *partial, MlirValue *c) {
  for (int i = 0; i < (int)mma_c_registers(&p->shape); i++)
    c[i] = BUILD(&p->lw->b, "arith.addf", IN(partial[i], c[i]), OUT(p->computed));
}

/* c += a part of a * a part of b, over `count` numbers of k of a thread. */
static void multiply_parts(struct dot *p, const uint32_t places[2], int first, int count,
                           int a_part, int b_part, MlirValue *c) {
  MlirValue a[MAX_WORDS], b[MAX_WORDS];
  for (int k = first; k < first + count; k += p->groups * p->packed) {
    fragment(p, &p->a, places[0], k, a_part, a);
    fragment(p, &p->b, places[1], k, b_part, b);
    multiply(p, a, b, c);
  }
}

/* Zero where x is not a number. */
static MlirValue without_nan(struct dot *p, MlirValue x) {
  struct lowering *lw = p->lw;
  MlirType type = mlirValueGetType(x);
  MlirValue zero = build_uniform(&lw->b, type, 0);
  MlirValue unordered = build_compare(&lw->b, F_UNORDERED, x, x);
  return BUILD(&lw->b, "arith.select", IN(unordered, zero, x), OUT(type));
}

/* `c` += the products of the parts. */
static void accumulate_parts(struct dot *p, const uint32_t places[2], MlirValue *c) {
  MlirValue partial[MAX_WORDS];
  int last = p->split->count - 1;
  begin_partial(p, partial);
  for (int i = 0; i < last; i++)
    multiply_parts(p, places, 0, 1 << p->k_bits, p->split->products[i].a, p->split->products[i].b,
                   partial);
  for (int i = 0; i < (int)mma_c_registers(&p->shape); i++)
    partial[i] = without_nan(p, partial[i]);
  multiply_parts(p, places, 0, 1 << p->k_bits, p->split->products[last].a,
                 p->split->products[last].b, partial);
  add_partial(p, partial, c);
}

/* `c` += the products, of which at most p->max_imprecise along k are summed up by instructions. */
static void accumulate_coarsely(struct dot *p, const uint32_t places[2], MlirValue *c) {
  MlirValue partial[MAX_WORDS];
  int step = p->groups * p->packed, all = 1 << p->k_bits, together = step;
  for (int64_t summed = 2 * (int64_t)p->shape.k; summed <= p->max_imprecise; summed += p->shape.k)
    together += step;
  for (int first = 0; first < all; first += together) {
    begin_partial(p, partial);
    multiply_parts(p, places, first, together < all - first ? together : all - first, 0, 0,
                   partial);
    add_partial(p, partial, c);
  }
}

/* The fragment of accumulators at a place of a and one of b, over all of k. */
static void accumulate_fragment(struct dot *p, const uint32_t places[2], MlirValue *c) {
  if (p->split && p->split->parts > 1)
    accumulate_parts(p, places, c);
  else if (p->max_imprecise)
    accumulate_coarsely(p, places, c);
  else
    multiply_parts(p, places, 0, 1 << p->k_bits, 0, 0, c);
}

/* --- Accumulators ----------------------------------------------------------------------------- */

/* A fragment's registers: element i is in row-half i / 2, column i % 2. */
static int accumulator(struct dot *p, uint32_t place, int i) {
  int rank = layout_space_rank(&p->c->out);
  return dot_register(p->c, place | (i & 1 ? dot_step(p->c, rank - 1, 1) : 0) |
                                (i / 2 ? dot_step(p->c, rank - 2, 8) : 0));
}

static MlirValue initial(struct dot *p, const struct lowered *c, uint32_t place, int i) {
  struct lowering *lw = p->lw;
  if (p->shape.c == MMA_F16) {
    MlirValue pair[] = {register_value(lw, c, accumulator(p, place, 2 * i)),
                        register_value(lw, c, accumulator(p, place, 2 * i + 1))};
    return pack_word(lw, pair, 2);
  }
  MlirValue x = register_value(lw, c, accumulator(p, place, i));
  return mlirTypeEqual(c->type, p->computed) ? x
                                             : BUILD(&lw->b, "arith.extf", IN(x), OUT(p->computed));
}

static void record(struct dot *p, struct lowered *result, uint32_t place, int i, MlirValue word) {
  struct lowering *lw = p->lw;
  if (p->shape.c != MMA_F16) {
    if (!mlirTypeEqual(result->type, p->computed))
      word = BUILD(&lw->b, "arith.truncf", IN(word), OUT(result->type));
    result->base[accumulator(p, place, i)] = word;
    return;
  }
  int64_t size = 2;
  MlirValue pair =
      BUILD(&lw->b, "llvm.bitcast", IN(word), OUT(mlirVectorTypeGet(1, &size, result->type)));
  MlirValue halves[2];
  split_vector(lw, pair, halves, 2);
  for (int j = 0; j < 2; j++)
    result->base[accumulator(p, place, 2 * i + j)] = halves[j];
}

/* --- The operation ---------------------------------------------------------------------------- */

enum mma_number dot_number(MlirType type) {
  if (mlirTypeIsAF32(type))
    return MMA_TF32;
  if (mlirTypeIsABF16(type))
    return MMA_BF16;
  if (mlirTypeIsAF16(type))
    return MMA_F16;
  if (mlirTypeIsAF64(type))
    return MMA_F64;
  if (mlirTypeIsAFloat8E5M2(type))
    return MMA_E5M2;
  return mlirTypeIsAFloat8E4M3FN(type) ? MMA_E4M3 : MMA_S8;
}

static struct factor read_factor(struct lowering *lw, MlirOperation op, intptr_t operand, int rank,
                                 int height) {
  struct factor factor = {.layout =
                              layout_to_linear(&lw->session->layouts, op_operand_type(op, operand)),
                          .registers = lowered_of(lw, op_operand(op, operand)),
                          .height = height,
                          .other = operand ? rank - 1 : rank - 2};
  for (int part = 0; part < PARTS; part++)
    factor.words[part] = ARENA_ARRAY(&lw->arena, MlirValue, (size_t)factor.registers->count);
  return factor;
}

/* The instruction's words along k: all that there are, up to what the longest one takes. */
static void choose_instruction(struct dot *p, int rows) {
  MlirType a = type_element(op_operand_type(p->op, 0)), b = type_element(op_operand_type(p->op, 1));
  bool doubles = mlirTypeIsAF64(a);
  unsigned bits = 32 / (unsigned)p->packed;
  int words = (1 << p->k_bits) / p->packed, most = !doubles ? 2 : rows == 16 ? 4 : 1;
  p->groups = words < most ? words : most;
  bool bf16 = p->split && p->split->bf16;
  p->shape = (struct mma_shape){.a = bf16 ? MMA_BF16 : dot_number(a),
                                .b = bf16 ? MMA_BF16 : dot_number(b),
                                .m = (unsigned)rows,
                                .n = 8,
                                .k = doubles ? 4u * (unsigned)p->groups
                                             : 128 / bits * (unsigned)p->groups};
  MlirType c = type_element(op_result_type(p->op, 0));
  p->shape.c = doubles                                      ? MMA_F64
               : p->shape.a == MMA_S8                       ? MMA_S32
               : mlirTypeIsAF16(c) && p->shape.a == MMA_F16 ? MMA_F16
                                                            : MMA_F32;
  p->shape.saturate = p->shape.a == MMA_S8 && !op_has_attribute(p->op, "wraps");
  p->computed = p->shape.c == MMA_F32 ? mlirF32TypeGet(p->lw->session->context) : c;
}

/* The bits of k that a thread's registers number, in increasing order. */
static void read_k(struct dot *p, int rank) {
  const struct linear_layout *a = p->a.layout;
  for (int bit = 0; bit < a->in.bits[LAYOUT_REGISTER]; bit++) {
    uint32_t k = layout_basis(a, LAYOUT_REGISTER, bit, rank - 1);
    int at = p->k_bits;
    if (!k)
      continue;
    for (; at > 0 && p->k_at[at - 1] > k; at--)
      p->k_at[at] = p->k_at[at - 1];
    p->k_at[at] = k;
    p->k_bits++;
  }
}

/* A place of the accumulators as one of an operand: the dimension that the operand lacks is k
   there, and 0. */
static uint32_t place_in(const struct dot *p, const struct factor *factor, uint32_t place,
                         int lacking) {
  struct layout_point point = layout_space_unpack(&p->c->out, place);
  point.at[LAYOUT_DIM0 + lacking] = 0;
  return layout_space_pack(&factor->layout->out, &point);
}

/* NULL where the operands are not f32. */
static const struct split *find_split(MlirOperation op) {
  if (!mlirTypeIsAF32(type_element(op_operand_type(op, 0))))
    return NULL;
  MlirStringRef precision = op_string(op, "precision");
  for (int i = 0; i < SPLITS; i++)
    if (ref_equals(precision, splits[i].precision))
      return &splits[i];
  return &splits[SPLITS - 1];
}

MlirLogicalResult nvvm_dot(struct lowering *lw, MlirOperation op) {
  const struct mma_layout *mma = dot_mma_layout(lw->session, op);
  int rank = mma->rank, rows = mma_warp_rows(mma);
  const struct lowered *start = lowered_of(lw, op_operand(op, 2));
  struct lowered *result = lowered_create(lw, op_result_type(op, 0));
  struct dot p = {.lw = lw,
                  .op = op,
                  .a = read_factor(lw, op, 0, rank, rows),
                  .b = read_factor(lw, op, 1, rank, 8),
                  .c = layout_to_linear(&lw->session->layouts, op_result_type(op, 0)),
                  .split = find_split(op)};
  if (type_is_fp8(type_element(op_operand_type(op, 0))))
    p.max_imprecise = op_integer(op, "max_imprecise", 0);
  unsigned bytes = type_bytes(&lw->session->types, type_element(op_operand_type(op, 0)));
  p.packed = p.split && p.split->bf16 ? 2 : bytes < 4 ? 4 / (int)bytes : 1;
  read_k(&p, rank);
  choose_instruction(&p, rows);
  enum machine_feature needed;
  const char *problem = mma_problem(&p.shape, &needed);
  if (problem)
    return fail_op(op, "tensor cores have no such instruction: %s", problem);
  int words = (int)mma_c_registers(&p.shape);
  uint32_t inner = dot_step(p.c, rank - 1, 1) | (rows == 16 ? dot_step(p.c, rank - 2, 8) : 0);
  for (int r = 0; r < result->count; r++) {
    uint32_t place = linear_layout_apply_flat(p.c, (uint32_t)r);
    if (place & inner)
      continue; /* not the first of its fragment */
    MlirValue c[MAX_WORDS];
    for (int i = 0; i < words; i++)
      c[i] = initial(&p, start, place, i);
    accumulate_fragment(
        &p, (uint32_t[]){place_in(&p, &p.a, place, rank - 1), place_in(&p, &p.b, place, rank - 2)},
        c);
    for (int i = 0; i < words; i++)
      record(&p, result, place, i, c[i]);
  }
  return lowered_result(lw, op, result);
}
