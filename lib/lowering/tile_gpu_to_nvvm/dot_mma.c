/* tile.dot on tensor cores, with operands in registers: mma.sync.

   The layouts (layout/mma.h) have put every element where an instruction wants it, so that what is left is naming
   registers. For each fragment of the accumulators in a thread, and each step along k:

     %w = vector of a's elements in 32 bits                 packed once, for all fragments beside it
     %c0, .. %c3 = tile_ptx.mma %a0 .. %a3, %b0, %b1, %c0 .. %c3

   A thread's elements along k are the same numbers of k for a and for b, in the same order; which of them an
   instruction multiplies does not matter. Where a tensor is smaller than an instruction, threads hold copies, and
   instructions compute copies.

   f32 becomes tf32, rounded to nearest; "tf32x3" splits each number into two of tf32 and adds the three larger
   products. Products of fp8 that say how many of them may be summed coarsely (max_imprecise) are summed from zero, and these sums
   in f32. An accumulator of f16 stays f16 for operands of f16, as the instruction has it, and is f32 in between for
   fp8. */
#include "analysis/scratch.h"
#include "ir/dot_form.h"
#include "lowering/tile_gpu_to_nvvm/dot.h"

enum { MOST_WORDS = 8, PARTS = 2 }; /* parts: of tf32x3 */

/* An operand: its elements packed into words, each made when it is first asked for. */
struct factor {
  const struct linear_layout *layout;
  const struct lowered *registers;
  int height;              /* rows or columns of a word's fragment: 8, or 16 with two words */
  int other;               /* the dimension that is not k */
  MlirValue *words[PARTS]; /* by the register of the first element */
};

struct product {
  struct lowering *lw;
  MlirOperation op;
  struct factor a, b;
  const struct linear_layout *c;
  uint32_t k_at[LAYOUT_MAX_BITS]; /* what each bit of a thread's numbers of k adds to k */
  int k_bits, packed,
      groups; /* packed: elements of a word; groups: words along k of an instruction */
  bool tf32, three;
  MlirType computed; /* the accumulators' type in the instruction */
  int64_t most_summed; /* products of fp8 that instructions may sum by themselves; 0: no matter */
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

/* --- Words ------------------------------------------------------------------------------------------------- */

MlirValue dot_pack(struct lowering *lw, const MlirValue *elements, int count) {
  if (count == 1 && mlirTypeIsAF32(mlirValueGetType(elements[0])))
    return BUILD(&lw->b, "arith.bitcast", IN(elements[0]), OUT(i32_of(lw)));
  MlirType element = mlirValueGetType(elements[0]);
  int64_t size = count;
  MlirType type = mlirVectorTypeGet(1, &size, element);
  MlirValue vector = BUILD(&lw->b, "llvm.mlir.undef", OUT(type));
  for (int i = 0; i < count; i++)
    vector = BUILD(&lw->b, "llvm.insertelement",
                   IN(vector, elements[i], constant_integer(lw, 32, i)), OUT(type));
  return BUILD(&lw->b, "llvm.bitcast", IN(vector), OUT(i32_of(lw)));
}

static MlirValue to_tf32(struct lowering *lw, MlirValue x) {
  return BUILD(&lw->b, "tile_ptx.f32_to_tf32", IN(x), OUT(i32_of(lw)));
}

/* What rounding to tf32 took away from x, as tf32. */
static MlirValue rest_of_tf32(struct lowering *lw, MlirValue x, MlirValue rounded) {
  MlirType type = mlirValueGetType(x);
  MlirValue high = BUILD(&lw->b, "arith.bitcast", IN(rounded), OUT(type));
  return to_tf32(lw, BUILD(&lw->b, "arith.subf", IN(x, high), OUT(type)));
}

/* The elements from number `first` of k on, at `place` in the other dimensions, as one word. Part 1 is the rest of
   part 0. */
static MlirValue word(struct product *p, struct factor *factor, uint32_t place, int first,
                      int part) {
  struct lowering *lw = p->lw;
  int k = factor == &p->a ? LAYOUT_DIM0 + layout_space_rank(&p->c->out) - 1
                          : LAYOUT_DIM0 + layout_space_rank(&p->c->out) - 2;
  int shift = layout_space_shift(&factor->layout->out, (enum layout_dim)k);
  MlirValue elements[4];
  int at[4] = {0};
  for (int i = 0; i < p->packed; i++) {
    uint32_t flat = place;
    for (int bit = 0; bit < p->k_bits; bit++)
      flat |= (first + i) >> bit & 1 ? p->k_at[bit] << shift : 0;
    at[i] = dot_register(factor->layout, flat);
  }
  MlirValue *known = &factor->words[part][at[0]];
  if (!mlirValueIsNull(*known))
    return *known;
  for (int i = 0; i < p->packed; i++)
    elements[i] = register_value(lw, factor->registers, at[i]);
  if (part)
    *known = rest_of_tf32(lw, elements[0], word(p, factor, place, first, 0));
  else if (p->tf32)
    *known = to_tf32(lw, elements[0]);
  else
    *known = p->packed > 1 ? dot_pack(lw, elements, p->packed) : elements[0];
  return *known;
}

/* --- Instructions ------------------------------------------------------------------------------------------- */

MlirAttribute dot_type(struct lowering *lw, enum mma_number number) {
  return mlirAttributeParseGet(lw->session->context, ref(mma_numbers[number].mlir));
}

/* c += a * b on words. */
static void multiply(struct product *p, const MlirValue *a, const MlirValue *b, MlirValue *c) {
  struct lowering *lw = p->lw;
  MlirContext context = lw->session->context;
  int counts[] = {(int)mma_a_registers(&p->shape), (int)mma_b_registers(&p->shape),
                  (int)mma_c_registers(&p->shape)};
  MlirValue in[3 * MOST_WORDS];
  MlirType out[MOST_WORDS];
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
      attribute_named(context, "c_type", dot_type(lw, MMA_F16))};
  MlirOperation mma =
      build_op(&lw->b, &(struct op_spec){.name = "tile_ptx.mma",
                                         .in = in,
                                         .in_count = count,
                                         .out = out,
                                         .out_count = counts[2],
                                         .attributes = attributes,
                                         .attribute_count = p->shape.c == MMA_F16 ? 5 : 4});
  for (int i = 0; i < counts[2]; i++)
    c[i] = op_result(mma, i);
}

/* The words of one instruction: of a register r stands for row-half r % halves and word r / halves along k. */
static void fragment(struct product *p, struct factor *factor, uint32_t place, int first, int part,
                     MlirValue *words) {
  int halves = factor->height / 8;
  uint32_t half = dot_step(factor->layout, factor->other, 8);
  for (int r = 0; r < p->groups * halves; r++)
    words[r] =
        word(p, factor, r % halves ? place | half : place, first + r / halves * p->packed, part);
}

/* `partial` = 0; `c` += `partial`, in f32. */
static void begin_partial(struct product *p, MlirValue *partial) {
  MlirAttribute zero = mlirFloatAttrDoubleGet(p->lw->session->context, p->computed, 0);
  for (int i = 0; i < (int)mma_c_registers(&p->shape); i++)
    partial[i] = build_constant(&p->lw->b, zero, p->computed);
}

static void add_partial(struct product *p, const MlirValue *partial, MlirValue *c) {
  for (int i = 0; i < (int)mma_c_registers(&p->shape); i++)
    c[i] = BUILD(&p->lw->b, "arith.addf", IN(partial[i], c[i]), OUT(p->computed));
}

/* The fragment of accumulators at a place of a and one of b, over all of k. */
static void sum_fragment(struct product *p, uint32_t a_place, uint32_t b_place, MlirValue *sum) {
  MlirValue a[PARTS][MOST_WORDS], b[PARTS][MOST_WORDS], partial[MOST_WORDS];
  MlirValue *c = p->most_summed ? partial : sum;
  int step = p->groups * p->packed, all = 1 << p->k_bits;
  int64_t summed = 0;
  for (int first = 0; first < all; first += step) {
    if (c == partial && summed == 0)
      begin_partial(p, partial);
    for (int part = 0; part < (p->three ? PARTS : 1); part++) {
      fragment(p, &p->a, a_place, first, part, a[part]);
      fragment(p, &p->b, b_place, first, part, b[part]);
    }
    if (p->three) { /* the small products first */
      multiply(p, a[1], b[0], c);
      multiply(p, a[0], b[1], c);
    }
    multiply(p, a[0], b[0], c);
    summed += p->shape.k;
    if (c == partial && (summed + p->shape.k > p->most_summed || first + step >= all)) {
      add_partial(p, partial, sum);
      summed = 0;
    }
  }
}

/* --- Accumulators -------------------------------------------------------------------------------------------- */

/* A fragment's registers: element i is in row-half i / 2, column i % 2. */
static int accumulator(struct product *p, uint32_t place, int i) {
  int rank = layout_space_rank(&p->c->out);
  return dot_register(p->c, place | (i & 1 ? dot_step(p->c, rank - 1, 1) : 0) |
                                (i / 2 ? dot_step(p->c, rank - 2, 8) : 0));
}

static MlirValue initial(struct product *p, const struct lowered *c, uint32_t place, int i) {
  struct lowering *lw = p->lw;
  if (p->shape.c == MMA_F16) {
    MlirValue pair[] = {register_value(lw, c, accumulator(p, place, 2 * i)),
                        register_value(lw, c, accumulator(p, place, 2 * i + 1))};
    return dot_pack(lw, pair, 2);
  }
  MlirValue x = register_value(lw, c, accumulator(p, place, i));
  return mlirTypeEqual(c->type, p->computed) ? x
                                             : BUILD(&lw->b, "arith.extf", IN(x), OUT(p->computed));
}

static void record(struct product *p, struct lowered *result, uint32_t place, int i,
                   MlirValue word) {
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
  for (int j = 0; j < 2; j++)
    result->base[accumulator(p, place, 2 * i + j)] = BUILD(
        &lw->b, "llvm.extractelement", IN(pair, constant_integer(lw, 32, j)), OUT(result->type));
}

/* --- The operation --------------------------------------------------------------------------------------------- */

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
static void choose_instruction(struct product *p, int rows) {
  MlirType a = type_element(op_operand_type(p->op, 0)), b = type_element(op_operand_type(p->op, 1));
  bool doubles = mlirTypeIsAF64(a);
  unsigned bits = type_bytes(&p->lw->session->types, a) * 8;
  int words = (1 << p->k_bits) / p->packed, most = !doubles ? 2 : rows == 16 ? 4 : 1;
  p->groups = words < most ? words : most;
  p->shape = (struct mma_shape){.a = dot_number(a),
                                .b = dot_number(b),
                                .m = (unsigned)rows,
                                .n = 8,
                                .k = doubles ? 4u * (unsigned)p->groups
                                             : 128 / bits * (unsigned)p->groups};
  MlirType c = type_element(op_result_type(p->op, 0));
  p->shape.c = doubles                                      ? MMA_F64
               : p->shape.a == MMA_S8                       ? MMA_S32
               : mlirTypeIsAF16(c) && p->shape.a == MMA_F16 ? MMA_F16
                                                            : MMA_F32;
  p->computed = p->shape.c == MMA_F32 ? mlirF32TypeGet(p->lw->session->context) : c;
}

/* The bits of k that a thread's registers number, in increasing order. */
static void read_k(struct product *p, int rank) {
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

/* A place of the accumulators as one of an operand: the dimension that the operand lacks is k there, and 0. */
static uint32_t place_in(const struct product *p, const struct factor *factor, uint32_t place,
                         int lacking) {
  struct layout_point point = layout_space_unpack(&p->c->out, place);
  point.at[LAYOUT_DIM0 + lacking] = 0;
  return layout_space_pack(&factor->layout->out, &point);
}

static MlirLogicalResult lower_dot_mma(struct lowering *lw, MlirOperation op,
                                       const struct mma_layout *mma) {
  int rank = mma->rank, rows = mma_warp_rows(mma);
  const struct lowered *start = lowered_of(lw, op_operand(op, 2));
  struct lowered *result = lowered_create(lw, op_result_type(op, 0));
  struct product p = {.lw = lw,
                      .op = op,
                      .a = read_factor(lw, op, 0, rank, rows),
                      .b = read_factor(lw, op, 1, rank, 8),
                      .c = layout_to_linear(&lw->session->layouts, op_result_type(op, 0)),
                      .tf32 = mlirTypeIsAF32(type_element(op_operand_type(op, 0)))};
  if (type_is_fp8(type_element(op_operand_type(op, 0))))
    p.most_summed = op_integer(op, "max_imprecise", 0);
  p.three = p.tf32 && ref_equals(op_string(op, "precision"), "tf32x3");
  unsigned bytes = type_bytes(&lw->session->types, type_element(op_operand_type(op, 0)));
  p.packed = bytes < 4 ? 4 / (int)bytes : 1;
  read_k(&p, rank);
  choose_instruction(&p, rows);
  int capability;
  const char *problem = mma_problem(&p.shape, &capability);
  if (problem)
    return fail_op(op, "tensor cores have no such product: %s", problem);
  int words = (int)mma_c_registers(&p.shape);
  uint32_t inner = dot_step(p.c, rank - 1, 1) | (rows == 16 ? dot_step(p.c, rank - 2, 8) : 0);
  for (int r = 0; r < result->count; r++) {
    uint32_t place = linear_layout_apply_flat(p.c, (uint32_t)r);
    if (place & inner)
      continue; /* not the first of its fragment */
    MlirValue c[MOST_WORDS];
    for (int i = 0; i < words; i++)
      c[i] = initial(&p, start, place, i);
    sum_fragment(&p, place_in(&p, &p.a, place, rank - 1), place_in(&p, &p.b, place, rank - 2), c);
    for (int i = 0; i < words; i++)
      record(&p, result, place, i, c[i]);
  }
  lowered_set(lw, op_result(op, 0), result);
  return SUCCESS;
}

MlirLogicalResult lower_dot(struct lowering *lw, MlirOperation op) {
  const char *problem;
  switch (dot_form_of(lw->session, op, &problem)) {
  case DOT_TENSOR_CORES:
    return lower_dot_mma(lw, op, dot_mma_layout(lw->session, op));
  case DOT_MULTIPLY_ADDS:
    return lower_dot_fma(lw, op);
  case DOT_MISFIT:
    break;
  }
  return fail_op(op, "%s", problem);
}
