/* SPDX-License-Identifier: MIT */
/* tile.dot without tensor cores: fused multiply-adds of each thread's own accumulators.

     both operands to shared memory, row-major                       barrier
     for k:  the rows of a that this thread's accumulators lie in    a[row, k]      16 bytes of k
             their columns of b                                      b[k, column]   or of columns
             acc[row, column] = fma(a[row, k], b[k, column], acc)    a load

   It takes every type, shape and layout. Products and sums of f16, bf16, fp8 and f32 are made in
   f32, whatever `precision` allows to round, and an accumulator of f16 is rounded once, at the end;
   the sum runs in the order of k, so results repeat bit for bit. i8 is signed, i32 sums wrap. */
#include "analysis/scratch.h"
#include "ir/dot_form.h"
#include "lowering/tile_gpu_to_llvm/device_ops.h"

/* Steps of k in the body of the loop, and FMAs there, at most. */
enum { MAX_STEPS = 8, MAX_FMAS = 256, MAX_ACCESS_BYTES = 16 };

/* One operand in shared memory: where the row (or column) of each accumulator is, at k = 0. */
struct factor {
  MlirType element;
  struct linear_layout places; /* the accumulators' layout as a map to offsets in this operand */
  MlirValue thread;            /* i32: the thread's part of the offset; null for 0 */
  uint32_t thread_bits;        /* that it may have */
  int64_t base;                /* first byte */
  unsigned bytes;              /* of an element */
  int64_t step;                /* elements from one k to the next */
  int vector;                  /* elements of a load: of k, where the step is 1, else of own[] */
  int count;                   /* different offsets among the accumulators */
  uint32_t *own;               /* their registers' parts */
  int *of_register;            /* which one an accumulator needs */
};

struct dot {
  struct lowering *lw;
  MlirOperation op;
  struct factor a, b;
  int64_t depth, unrolled;
  MlirType type; /* that is computed in */
};

/* Numbers the different offsets of the accumulators' registers. */
static void number_offsets(struct lowering *lw, struct factor *factor, int registers) {
  factor->own = ARENA_ARRAY(&lw->arena, uint32_t, (size_t)registers);
  factor->of_register = ARENA_ARRAY(&lw->arena, int, (size_t)registers);
  for (int r = 0; r < registers; r++) {
    uint32_t own =
        linear_layout_apply_flat(&factor->places, (uint32_t)r); /* register bits are lowest */
    int i = 0;
    while (i < factor->count && factor->own[i] != own)
      i++;
    if (i == factor->count)
      factor->own[factor->count++] = own;
    factor->of_register[r] = i;
  }
}

/* Elements from `own` on that are next to one another, and where every thread's are aligned. */
static int neighbours(const struct factor *factor, int64_t unrolled) {
  int vector = 1;
  for (int wider = 2; wider * (int64_t)factor->bytes <= MAX_ACCESS_BYTES; wider *= 2) {
    uint32_t inside = (uint32_t)wider - 1;
    bool fits = !(factor->thread_bits & inside) &&
                factor->base % (wider * (int64_t)factor->bytes) == 0 &&
                (factor->step == 1 ? wider <= unrolled
                                   : factor->step % wider == 0 && factor->count % wider == 0);
    for (int i = 0; i < factor->count && fits; i++)
      fits = factor->step == 1
                 ? !(factor->own[i] & inside)
                 : factor->own[i] == factor->own[i & ~(wider - 1)] + (i & (int)inside);
    for (int i = 0; i < factor->count && fits && factor->step != 1; i += wider)
      fits = !(factor->own[i] & inside);
    if (!fits)
      break;
    vector = wider;
  }
  return vector;
}

/* Operand 0 or 1; `forgotten` is the dimension of the accumulators that it lacks, which is where it
   has k. */
static struct factor describe_factor(struct lowering *lw, MlirOperation op, intptr_t operand,
                                     int forgotten, int64_t base) {
  struct layout_cache *layouts = &lw->session->layouts;
  MlirType type = op_operand_type(op, operand);
  const struct linear_layout *from = layout_to_linear(layouts, type);
  const struct linear_layout *to = layout_to_linear(layouts, op_result_type(op, 0));
  struct factor factor = {.element = type_element(type),
                          .places = linear_layout_places(to, &from->out, forgotten),
                          .base = base,
                          .bytes = conversion_bytes(lw, type),
                          .step = INT64_C(1)
                                  << layout_space_shift(&from->out, LAYOUT_DIM0 + forgotten)};
  int registers = register_count(lw, op_result_type(op, 0));
  number_offsets(lw, &factor, registers);
  for (int dim = LAYOUT_LANE; dim <= LAYOUT_WARP; dim++)
    for (int bit = 0; bit < factor.places.in.bits[dim]; bit++)
      factor.thread_bits |= linear_layout_basis(&factor.places, dim, bit);
  factor.thread = build_thread_part(lw, &factor.places, LAYOUT_OFFSET);
  struct conversion_side write = conversion_row_major(from, (int)factor.bytes);
  build_conversion_stores(lw, &write, base, factor.bytes, lowered_of(lw, op_operand(op, operand)));
  return factor;
}

static MlirValue widen(struct dot *p, const struct factor *factor, MlirValue x) {
  if (mlirTypeEqual(mlirValueGetType(x), p->type))
    return x;
  if (mlirTypeIsAInteger(p->type))
    return BUILD(&p->lw->b, "arith.extsi", IN(x), OUT(p->type));
  return build_extension(p->lw, p->op, factor->element, p->type, x);
}

/* Elements of the factor from `i` on, k + `ahead`; `from_k` (i32) is k times the step. */
static void load_elements(struct dot *p, const struct factor *factor, int i, MlirValue from_k,
                          int64_t ahead, MlirValue *out) {
  struct lowering *lw = p->lw;
  uint32_t own = factor->own[i];
  MlirValue offset = factor->thread;
  int64_t constant = ahead * factor->step;
  if (!mlirValueIsNull(offset) && own & factor->thread_bits)
    offset = build_binary(&lw->b, "arith.xori", offset, constant_integer(lw, 32, own));
  else
    constant += own;
  offset = mlirValueIsNull(offset) ? from_k : build_binary(&lw->b, "arith.addi", offset, from_k);
  MlirValue address =
      shared_address(lw, offset, factor->bytes, factor->base + constant * (int64_t)factor->bytes);
  MlirType type = type_is_fp8(factor->element) ? integer_type(&lw->b, 8) : factor->element;
  if (factor->vector > 1)
    type = mlirVectorTypeGet(1, (int64_t[]){factor->vector}, type);
  MlirValue loaded = BUILD(
      &lw->b, "llvm.load", IN(address), OUT(type),
      ATTRIBUTES(llvm_alignment(lw->session->context, factor->bytes * (unsigned)factor->vector)));
  split_vector(lw, loaded, out, factor->vector);
  for (int v = 0; v < factor->vector; v++)
    out[v] = widen(p, factor, out[v]);
}

/* [step][i]: all that the loop's body needs of a factor. */
static MlirValue *load_factor(struct dot *p, const struct factor *factor, MlirValue k) {
  struct lowering *lw = p->lw;
  size_t count = (size_t)factor->count;
  MlirValue *values = ARENA_ARRAY(&lw->arena, MlirValue, (size_t)p->unrolled * count);
  MlirValue some[MAX_ACCESS_BYTES], from_k = k;
  if (factor->step != 1)
    from_k = build_binary(&lw->b, "arith.muli", k, constant_integer(lw, 32, factor->step));
  int of_k = factor->step == 1 ? factor->vector : 1, of_own = factor->vector / of_k;
  for (int64_t ahead = 0; ahead < p->unrolled; ahead += of_k)
    for (int i = 0; i < factor->count; i += of_own) {
      load_elements(p, factor, i, from_k, ahead, some);
      for (int v = 0; v < factor->vector; v++)
        values[(size_t)(ahead + v / of_own) * count + (size_t)(i + v % of_own)] = some[v];
    }
  return values;
}

static MlirValue multiply_add(struct dot *p, MlirValue a, MlirValue b, MlirValue c) {
  struct lowering *lw = p->lw;
  if (mlirTypeIsAInteger(p->type))
    return build_binary(&lw->b, "arith.addi", build_binary(&lw->b, "arith.muli", a, b), c);
  return BUILD(&lw->b, "math.fma", IN(a, b, c), OUT(p->type));
}

/* The loop's body: the arguments are k and the accumulators. */
static void build_body(struct dot *p, MlirBlock block, int count) {
  struct lowering *lw = p->lw;
  struct builder outside = lw->b;
  lw->b.block = block;
  lw->b.before = (MlirOperation){0};
  MlirValue k = mlirBlockGetArgument(block, 0);
  MlirValue *accumulators = ARENA_ARRAY(&lw->arena, MlirValue, (size_t)count);
  for (int r = 0; r < count; r++)
    accumulators[r] = mlirBlockGetArgument(block, r + 1);
  MlirValue *a = load_factor(p, &p->a, k), *b = load_factor(p, &p->b, k);
  for (int64_t ahead = 0; ahead < p->unrolled; ahead++, a += p->a.count, b += p->b.count)
    for (int r = 0; r < count; r++)
      accumulators[r] =
          multiply_add(p, a[p->a.of_register[r]], b[p->b.of_register[r]], accumulators[r]);
  BUILD_OP(&lw->b, "scf.yield", INS(accumulators, count));
  lw->b = outside;
}

static MlirOperation build_loop_over_k(struct dot *p, const struct lowered *initial) {
  struct lowering *lw = p->lw;
  int count = initial->count;
  MlirType *types = ARENA_ARRAY(&lw->arena, MlirType, (size_t)count + 1);
  MlirValue *in = ARENA_ARRAY(&lw->arena, MlirValue, (size_t)count + 3);
  types[0] = integer_type(&lw->b, 32);
  in[0] = constant_integer(lw, 32, 0);
  in[1] = constant_integer(lw, 32, p->depth);
  in[2] = constant_integer(lw, 32, p->unrolled);
  for (int r = 0; r < count; r++) {
    types[r + 1] = p->type;
    in[r + 3] = register_value(lw, initial, r);
    if (!mlirTypeEqual(initial->type, p->type))
      in[r + 3] = BUILD(&lw->b, "arith.extf", IN(in[r + 3]), OUT(p->type));
  }
  MlirRegion region = region_with_block(&lw->b, count + 1, types);
  build_body(p, mlirRegionGetFirstBlock(region), count);
  return BUILD_OP(&lw->b, "scf.for", INS(in, count + 3), OUTS(types + 1, count),
                  REGION_LIST(&region, 1));
}

static MlirLogicalResult lower_dot_fma(struct lowering *lw, MlirOperation op) {
  int64_t base, shape[MAX_RANK];
  TRY_IR(scratch_offset(lw, op, scratch_bytes(lw->session, op), &base));
  int rank = type_shape(op_operand_type(op, 0), shape);
  const struct lowered *initial = lowered_of(lw, op_operand(op, 2));
  struct lowered *result = lowered_create(lw, op_result_type(op, 0));
  bool half = mlirTypeIsAF16(result->type);
  struct dot p = {.lw = lw,
                  .op = op,
                  .depth = shape[rank - 1],
                  .unrolled = 1,
                  .type = half ? mlirF32TypeGet(lw->session->context) : result->type};
  while (2 * p.unrolled * result->count <= MAX_FMAS && 2 * p.unrolled <= p.depth &&
         p.unrolled < MAX_STEPS)
    p.unrolled *= 2;
  p.a = describe_factor(lw, op, 0, rank - 1, base);
  p.b = describe_factor(lw, op, 1, rank - 2, base + dot_operand_bytes(lw->session, op, 0));
  p.a.vector = neighbours(&p.a, p.unrolled);
  p.b.vector = neighbours(&p.b, p.unrolled);
  build_barrier(lw);
  MlirOperation loop = build_loop_over_k(&p, initial);
  for (int r = 0; r < result->count; r++) {
    result->base[r] = op_result(loop, r);
    if (half)
      result->base[r] = BUILD(&lw->b, "arith.truncf", IN(result->base[r]), OUT(result->type));
  }
  lowered_set(lw, op_result(op, 0), result);
  return SUCCESS;
}

MlirLogicalResult lower_dot(struct lowering *lw, MlirOperation op) {
  const char *problem;
  switch (dot_form_of(lw->session, op, &problem)) {
  case DOT_TENSOR_CORES:
    return lw->device->dot(lw, op);
  case DOT_MULTIPLY_ADDS:
    return lower_dot_fma(lw, op);
  case DOT_MISFIT:
    break;
  }
  return fail_op(op, "%s", problem);
}
