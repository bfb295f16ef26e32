/* SPDX-License-Identifier: MIT */
/* tile.dot without tensor cores, and tile_gpu.buffer_dot: fused multiply-adds of each thread's own
   accumulators.

     the operands that are tiles to shared memory                    barrier
     for k:  the rows of a that this thread's accumulators lie in    a[row, k]      16 bytes of k
             their columns of b                                      b[k, column]   or of columns
             acc[row, column] = fma(a[row, k], b[k, column], acc)    a load

   It takes every type, shape and layout. Products and sums of f16, bf16, fp8 and f32 are made in
   f32, whatever `precision` allows to round, and an accumulator of f16 is rounded once, at the end;
   the sum runs in the order of k, so results repeat bit for bit, wherever the operands lie. i8 is
   signed, i32 sums wrap. */
#include "analysis/product_operand.h"
#include "analysis/scratch.h"
#include "base/numbers.h"
#include "ir/dot_form.h"
#include "lowering/tile_gpu_to_llvm/device_ops.h"

enum { MAX_VECTOR = 16 };

/* One operand in shared memory. */
struct factor {
  MlirType element;
  MlirValue start;  /* of the buffer, !llvm.ptr<3>; null: the block's shared memory */
  MlirValue thread; /* i32: the thread's part of the offset; null for 0 */
  int64_t base;     /* first byte, from there */
  unsigned bytes;   /* of an element */
  struct product_operand reads;
};

struct dot {
  struct lowering *lw;
  MlirOperation op;
  struct factor a, b;
  int64_t depth, unrolled;
  MlirType type; /* that is computed in */
};

/* Operand 0 or 1, of tiles of `space`; `dim` is the dimension of the accumulators that it lacks,
   which is where it has k. */
static void describe_reads(struct dot *p, struct factor *factor, const struct layout_space *space,
                           int dim, const struct product_source *source) {
  struct lowering *lw = p->lw;
  const struct linear_layout *sums =
      layout_to_linear(&lw->session->layouts, op_result_type(p->op, 0));
  product_operand_read(&factor->reads, &lw->arena, sums, space, dim, p->unrolled, source);
  factor->thread = build_thread_part(lw, &factor->reads.places, LAYOUT_OFFSET);
}

/* A tile goes into scratch, from byte `base` on. */
static struct factor store_factor(struct dot *p, intptr_t operand, int dim, int64_t base) {
  struct lowering *lw = p->lw;
  struct layout_cache *layouts = &lw->session->layouts;
  MlirType type = op_operand_type(p->op, operand);
  const struct linear_layout *from = layout_to_linear(layouts, type);
  struct factor factor = {
      .element = type_element(type), .base = base, .bytes = conversion_bytes(lw, type)};
  struct product_stored stored = {.sums = layout_to_linear(layouts, op_result_type(p->op, 0)),
                                  .tile = from,
                                  .dim = dim,
                                  .unrolled = p->unrolled,
                                  .bytes = factor.bytes,
                                  .share = 1};
  struct product_order order = product_order_choose(&stored, &lw->arena);
  struct product_source source = {
      .to_offset = &order.to_offset, .first = base, .bytes = factor.bytes};
  describe_reads(p, &factor, &from->out, dim, &source);
  struct conversion_side write =
      conversion_at_offsets(from, &order.to_offset, 0, true, (int)factor.bytes);
  build_conversion_stores(lw, &write, base, factor.bytes,
                          lowered_of(lw, op_operand(p->op, operand)));
  return factor;
}

/* A buffer; they begin at multiples of an access. */
static bool find_factor(struct dot *p, intptr_t operand, int dim, struct factor *out) {
  struct lowering *lw = p->lw;
  MlirType type = op_operand_type(p->op, operand);
  const struct shared_view *view = shared_view_of(lw, p->op, op_operand(p->op, operand));
  struct layout_space space;
  if (!view ||
      FAILED(raise_status(p->op, layout_space_from_shape(view->shape, view->rank, &space))))
    return false;
  *out = (struct factor){
      .element = mlirShapedTypeGetElementType(type), .start = view->start, .bytes = view->bytes};
  struct product_source source = {
      .to_offset = &view->to_offset, .origin = view->origin, .bytes = view->bytes};
  describe_reads(p, out, &space, dim, &source);
  return true;
}

static MlirValue widen(struct dot *p, const struct factor *factor, MlirValue x) {
  if (mlirTypeEqual(mlirValueGetType(x), p->type))
    return x;
  if (mlirTypeIsAInteger(p->type))
    return BUILD(&p->lw->b, "arith.extsi", IN(x), OUT(p->type));
  return build_extension(p->lw, p->op, factor->element, p->type, x);
}

/* A round's part of the offset, i32: what the bits of k that it sets stand for. Null for none. */
static MlirValue offset_of_round(struct dot *p, const struct product_operand *reads, MlirValue k) {
  struct builder *b = &p->lw->b;
  int low = log2_of(p->unrolled), bit = low;
  if (low >= reads->k_bits)
    return (MlirValue){0};
  uint32_t first = reads->of_k[low];
  while (bit < reads->k_bits && reads->of_k[bit] == first << (bit - low))
    bit++;
  if (bit == reads->k_bits && first >> low << low == first)
    return first == 1u << low
               ? k
               : build_binary(b, "arith.muli", k, constant_integer(p->lw, 32, first >> low));
  MlirValue offset = constant_integer(p->lw, 32, 0);
  for (bit = low; bit < reads->k_bits; bit++) {
    MlirValue set = build_binary(b, "arith.shrui", k, constant_integer(p->lw, 32, bit));
    set = build_binary(b, "arith.andi", set, constant_integer(p->lw, 32, 1));
    set = build_binary(b, "arith.muli", set, constant_integer(p->lw, 32, reads->of_k[bit]));
    offset = build_binary(b, "arith.xori", offset, set);
  }
  return offset;
}

/* The parts of the thread and of the round together. */
static MlirValue variable_offset(struct dot *p, const struct factor *factor, MlirValue of_round) {
  const struct product_operand *reads = &factor->reads;
  if (mlirValueIsNull(factor->thread) || mlirValueIsNull(of_round))
    return mlirValueIsNull(of_round) ? factor->thread : of_round;
  bool apart = !(reads->thread_bits & reads->round_bits);
  return build_binary(&p->lw->b, apart ? "arith.addi" : "arith.xori", factor->thread, of_round);
}

/* Elements of the factor from `i` on, `ahead` steps after the round's first; `variable` is what of
   the offset depends on thread and round. */
static void load_elements(struct dot *p, const struct factor *factor, int i, MlirValue variable,
                          int64_t ahead, MlirValue *out) {
  struct lowering *lw = p->lw;
  const struct product_operand *reads = &factor->reads;
  uint32_t constant = reads->own[i] ^ product_operand_of_step(reads, ahead) ^ reads->origin;
  uint32_t shared = constant & (reads->thread_bits | reads->round_bits);
  MlirValue offset = variable;
  if (!mlirValueIsNull(offset) && shared)
    offset = build_binary(&lw->b, "arith.xori", offset, constant_integer(lw, 32, shared));
  else
    shared = 0;
  int64_t first = factor->base + (int64_t)(constant ^ shared) * (int64_t)factor->bytes;
  MlirValue address = mlirValueIsNull(factor->start)
                          ? shared_address(lw, offset, factor->bytes, first)
                          : buffer_address(lw, factor->start, offset, factor->bytes, first);
  MlirType type = type_is_fp8(factor->element) ? integer_type(&lw->b, 8) : factor->element;
  if (reads->vector > 1)
    type = mlirVectorTypeGet(1, (int64_t[]){reads->vector}, type);
  MlirValue loaded = BUILD(
      &lw->b, "llvm.load", IN(address), OUT(type),
      ATTRIBUTES(llvm_alignment(lw->session->context, factor->bytes * (unsigned)reads->vector)));
  split_vector(lw, loaded, out, reads->vector);
  for (int v = 0; v < reads->vector; v++)
    out[v] = widen(p, factor, out[v]);
}

/* [step][i]: all that the loop's body needs of a factor. */
static MlirValue *load_factor(struct dot *p, const struct factor *factor, MlirValue k) {
  struct lowering *lw = p->lw;
  const struct product_operand *reads = &factor->reads;
  size_t count = (size_t)reads->count;
  MlirValue *values = ARENA_ARRAY(&lw->arena, MlirValue, (size_t)p->unrolled * count);
  MlirValue some[MAX_VECTOR], of_round = offset_of_round(p, reads, k);
  MlirValue variable = variable_offset(p, factor, of_round);
  int of_k = reads->along_k ? reads->vector : 1, of_own = reads->vector / of_k;
  for (int64_t ahead = 0; ahead < p->unrolled; ahead += of_k)
    for (int i = 0; i < reads->count; i += of_own) {
      load_elements(p, factor, i, variable, ahead, some);
      for (int v = 0; v < reads->vector; v++)
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
  const struct product_operand *of_a = &p->a.reads, *of_b = &p->b.reads;
  for (int64_t ahead = 0; ahead < p->unrolled; ahead++, a += of_a->count, b += of_b->count)
    for (int r = 0; r < count; r++)
      accumulators[r] =
          multiply_add(p, a[of_a->of_register[r]], b[of_b->of_register[r]], accumulators[r]);
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

/* Operand 0 or 1 in shared memory; *next is the first byte of scratch that is free. */
static bool prepare_factor(struct dot *p, intptr_t operand, int dim, int64_t *next,
                           struct factor *out) {
  if (mlirTypeIsAMemRef(op_operand_type(p->op, operand)))
    return find_factor(p, operand, dim, out);
  *out = store_factor(p, operand, dim, *next);
  *next += dot_operand_bytes(p->lw->session, p->op, operand);
  return true;
}

MlirLogicalResult lower_buffer_dot(struct lowering *lw, MlirOperation op) {
  int64_t next, bytes = scratch_bytes(lw->session, op);
  TRY_IR(scratch_offset(lw, op, bytes, &next));
  MlirType a = op_operand_type(op, 0);
  int rank = (int)mlirShapedTypeGetRank(a);
  struct lowered *result = lowered_create(lw, op_result_type(op, 0));
  bool half = mlirTypeIsAF16(result->type);
  struct dot p = {.lw = lw,
                  .op = op,
                  .depth = mlirShapedTypeGetDimSize(a, rank - 1),
                  .type = half ? mlirF32TypeGet(lw->session->context) : result->type};
  p.unrolled = product_unrolled(result->count, p.depth);
  if (!prepare_factor(&p, 0, rank - 1, &next, &p.a) ||
      !prepare_factor(&p, 1, rank - 2, &next, &p.b))
    return FAILURE;
  if (bytes)
    build_barrier(lw);
  MlirOperation loop = build_loop_over_k(&p, lowered_of(lw, op_operand(op, 2)));
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
    return lower_buffer_dot(lw, op);
  case DOT_MISFIT:
    break;
  }
  return fail_op(op, "%s", problem);
}
