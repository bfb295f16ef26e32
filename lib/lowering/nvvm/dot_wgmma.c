/* SPDX-License-Identifier: MIT */
/* tile_gpu.warpgroup_dot and its wait: wgmma, asynchronous dots by groups of four warps.

   The second operand is read from shared memory, the first from there or from registers. Each group
   has its part of the accumulators, in fragments of 64 x n:

     %c..., %a... = tile_ptx.wgmma_fence %c..., %a...
     for each fragment, each k:  %c... = tile_ptx.wgmma %c..., %a, %b, %scale
     wgmma.commit_group

   The tensor cores read shared memory through a proxy of their own: each thread that has stored to
   an operand fences that (fence.proxy.async) before the barrier, after its stores; asynchronous
   copies need none (docs/decisions/0019).

   A descriptor says where a matrix begins and how it goes on: the buffer's layout (layout/shared.h,
   nvmma) is made for it, and fragments and steps of k are constant distances from the first. The
   results are in flight: nothing but another wgmma into them, and the wait, may use them. */
#include "base/numbers.h"
#include "ir/shared_attribute.h"
#include "ir/verify.h"
#include "lowering/nvvm/dot.h"

enum { ROWS = 64, CORE_ROWS = 8, CHUNK_BYTES = 16, K_BYTES = 32, GROUP_WARP_BITS = 2, A_WORDS = 4 };

/* A matrix in shared memory. Its dimension `k` is summed over, `other` is rows or columns of
   the result. */
struct matrix {
  const struct shared_view *view; /* NULL: in registers */
  int k, other;
  bool transposed; /* the other dimension is contiguous */
  MlirValue base;  /* i64: the descriptor of this warp group's first fragment */
};

struct dot {
  struct lowering *lw;
  MlirOperation op;
  const struct mma_layout *mma;
  const struct linear_layout *c;
  struct matrix a, b;
  struct mma_shape shape;
  int64_t depth; /* K */
  unsigned bytes;
  bool from_zero;
  /* a in registers: of each fragment's rows and each step of k, four words; all packed before the
     first instruction */
  MlirValue *a_words;
  int a_word_count;
};

/* tile-remove-proxy-fences takes those away that a later one makes up for. */
void nvvm_publish(struct lowering *lw) {
  if (lw->warp_groups)
    BUILD_OP(&lw->b, "tile_ptx.fence_async_shared", .in = NULL);
}

static MlirValue long_constant(struct lowering *lw, uint64_t value) {
  return constant_integer(lw, 64, (int64_t)value);
}

/* --- Descriptors ------------------------------------------------------------------------------ */

/* Where in the buffer element (i along k, j along the other dimension) lies, in bytes; without the
   view's origin. */
static uint32_t offset_at(const struct matrix *m, int64_t i, int64_t j) {
  int64_t row = m->k == 0 ? i : j, column = m->k == 0 ? j : i;
  if (row >= m->view->shape[0] || column >= m->view->shape[1])
    return 0; /* there is no such element: nothing goes on in this direction */
  uint32_t flat = (uint32_t)(row * m->view->shape[1] + column);
  return linear_layout_apply_flat(&m->view->to_offset, flat) * m->view->bytes;
}

/* PTX ISA, "Matrix Descriptor Format", all but the address. A row is along the contiguous
   dimension; 8 rows, then panels of `swizzle` bytes of a row. */
static uint64_t descriptor_fields(const struct matrix *m, int swizzle) {
  int64_t panel = (swizzle ? swizzle : CHUNK_BYTES) / (int64_t)m->view->bytes;
  uint64_t next_rows = m->transposed ? offset_at(m, CORE_ROWS, 0) : offset_at(m, 0, CORE_ROWS);
  uint64_t next_panel = m->transposed ? offset_at(m, 0, panel) : offset_at(m, panel, 0);
  uint64_t leading = next_panel, stride = next_rows;
  if (swizzle == 0 && m->transposed) {
    leading = next_rows;
    stride = next_panel;
  }
  if (swizzle && !m->transposed)
    leading = CHUNK_BYTES; /* not used: an instruction's k stays in its panel */
  uint64_t mode = swizzle == 128 ? 1 : swizzle == 64 ? 2 : swizzle == 32 ? 3 : 0;
  return leading >> 4 << 16 | stride >> 4 << 32 | mode << 62;
}

/* The number of the warp, in a form that is seen to be one for all its lanes: descriptors are kept
   in uniform registers. */
static MlirValue uniform_warp(struct lowering *lw) {
  if (mlirValueIsNull(lw->uniform_warp)) {
    struct builder here = lw->b;
    lw->b = prologue_builder(lw);
    lw->uniform_warp = nvvm_shuffle(lw, SHUFFLE_LANE, lw->warp, constant_integer(lw, 32, 0));
    lw->b = here;
  }
  return lw->uniform_warp;
}

/* The offset, in elements, of this warp group's part: of the group's number, `low` bits do not
   count, and the next `count` bits are steps of `size` along the other dimension. */
static MlirValue group_offset(struct dot *p, const struct matrix *m, int low, int count,
                              int64_t size) {
  struct linear_layout groups = linear_layout_into(&m->view->to_offset.out);
  linear_layout_declare_in(&groups, LAYOUT_WARP);
  for (int bit = 0; bit < GROUP_WARP_BITS + low; bit++)
    linear_layout_append(&groups, LAYOUT_WARP, 0);
  for (int bit = 0; bit < count; bit++)
    linear_layout_append(&groups, LAYOUT_WARP, offset_at(m, 0, size << bit) / m->view->bytes);
  while (1 << groups.in.bits[LAYOUT_WARP] < p->lw->num_warps)
    linear_layout_append(&groups, LAYOUT_WARP, 0);
  if (count == 0)
    return (MlirValue){0};
  MlirValue warp = p->lw->warp;
  p->lw->warp = uniform_warp(p->lw);
  MlirValue part = build_thread_part(p->lw, &groups, LAYOUT_OFFSET);
  p->lw->warp = warp;
  return part;
}

static void build_base(struct dot *p, struct matrix *m, MlirValue offset, int swizzle) {
  struct lowering *lw = p->lw;
  MlirType i32 = integer_type(&lw->b, 32), i64 = integer_type(&lw->b, 64);
  int64_t origin = (int64_t)m->view->origin * m->view->bytes;
  MlirValue address = buffer_address(lw, m->view->start, offset, m->view->bytes, origin);
  address = BUILD(&lw->b, "llvm.ptrtoint", IN(address), OUT(i32));
  address = build_binary(&lw->b, "arith.andi", address, constant_integer(lw, 32, 0x3FFFF));
  address = build_binary(&lw->b, "arith.shrui", address, constant_integer(lw, 32, 4));
  address = BUILD(&lw->b, "arith.extui", IN(address), OUT(i64));
  m->base =
      build_binary(&lw->b, "arith.ori", address, long_constant(lw, descriptor_fields(m, swizzle)));
}

/* The descriptor of the fragment `j` further along the other dimension, at k = i. */
static MlirValue descriptor(struct dot *p, const struct matrix *m, int64_t i, int64_t j) {
  uint64_t distance = offset_at(m, i, j) >> 4;
  return distance ? build_binary(&p->lw->b, "arith.addi", m->base, long_constant(p->lw, distance))
                  : m->base;
}

/* --- a in registers --------------------------------------------------------------------------- */

/* The four words of rows from `row` on, at k: of word r, row-half r % 2 and k-half r / 2. */
static void register_words(struct dot *p, uint32_t row, int64_t k, MlirValue *words) {
  struct lowering *lw = p->lw;
  const struct lowered *registers = lowered_of(lw, op_operand(p->op, 0));
  const struct linear_layout *layout =
      layout_to_linear(&lw->session->layouts, op_operand_type(p->op, 0));
  int packed = 4 / (int)p->bytes;
  for (int r = 0; r < A_WORDS; r++) {
    MlirValue elements[4];
    uint32_t place = dot_step(layout, 0, row) | (r % 2 ? dot_step(layout, 0, 8) : 0);
    int64_t first = k + r / 2 * 4 * packed;
    for (int i = 0; i < packed; i++)
      elements[i] = register_value(
          lw, registers, dot_register(layout, place | dot_step(layout, 1, (uint32_t)(first + i))));
    words[r] = pack_word(lw, elements, packed);
  }
}

/* Rows from one fragment of a thread to its next. */
static int64_t fragment_step(const struct dot *p) {
  return 16 * (int64_t)p->mma->warps_per_cta[0];
}

/* Where the words of a fragment's rows (`row`: the registers' part, in such steps) at k stand. */
static MlirValue *words_of(struct dot *p, int64_t row, int64_t k) {
  return p->a_words + (row / fragment_step(p) * (p->depth / p->shape.k) + k / p->shape.k) * A_WORDS;
}

static void pack_words(struct dot *p) {
  int64_t shape[MAX_RANK];
  type_shape(op_result_type(p->op, 0), shape);
  int64_t held = fragment_step(p);
  p->a_word_count = (int)((shape[0] + held - 1) / held * (p->depth / p->shape.k) * A_WORDS);
  p->a_words = ARENA_ARRAY(&p->lw->arena, MlirValue, (size_t)p->a_word_count);
  for (int64_t row = 0; row < shape[0]; row += held)
    for (int64_t k = 0; k < p->depth; k += p->shape.k)
      register_words(p, (uint32_t)row, k, words_of(p, row, k));
}

/* --- Fence and wait --------------------------------------------------------------------------- */

/* Values that one instruction takes and gives back. */
struct through {
  MlirValue **places;
  int count, capacity;
};

static void through_add(struct lowering *lw, struct through *t, MlirValue *values, int count) {
  if (t->count + count > t->capacity) {
    int capacity = 2 * t->capacity + count;
    MlirValue **places = ARENA_ARRAY(&lw->arena, MlirValue *, (size_t)capacity);
    for (int i = 0; i < t->count; i++)
      places[i] = t->places[i];
    t->places = places;
    t->capacity = capacity;
  }
  for (int i = 0; i < count; i++)
    t->places[t->count++] = values + i;
}

/* Builds it, with operands f32 first, then i32; the places get its results. attribute NULL: none.
 */
static void build_through(struct lowering *lw, const char *name, const struct through *t,
                          const MlirNamedAttribute *attribute) {
  MlirContext context = lw->session->context;
  MlirValue *in = ARENA_ARRAY(&lw->arena, MlirValue, (size_t)t->count + 1);
  MlirValue **to = ARENA_ARRAY(&lw->arena, MlirValue *, (size_t)t->count + 1);
  MlirType *out = ARENA_ARRAY(&lw->arena, MlirType, (size_t)t->count + 1);
  int32_t counts[2] = {0};
  int next = 0;
  for (int words = 0; words < 2; words++)
    for (int i = 0; i < t->count; i++) {
      MlirType type = mlirValueGetType(*t->places[i]);
      if (mlirTypeIsAF32(type) == words)
        continue;
      in[next] = *t->places[i];
      to[next] = t->places[i];
      out[next++] = type;
      counts[words]++;
    }
  MlirNamedAttribute attributes[3] = {
      attribute_named(context, "operandSegmentSizes", attribute_dense_i32(context, 2, counts)),
      attribute_named(context, "resultSegmentSizes", attribute_dense_i32(context, 2, counts))};
  if (attribute)
    attributes[2] = *attribute;
  MlirOperation op = BUILD_OP(&lw->b, name, INS(in, next), OUTS(out, next),
                              ATTRIBUTE_LIST(attributes, attribute ? 3 : 2));
  for (int i = 0; i < next; i++)
    *to[i] = op_result(op, i);
}

/* All registers that the dot reads have been written before its first instruction: LLVM would
   else put copies of accumulators that have other uses, and packing, between the instructions, and
   ptxas would wait there. */
static void build_fence(struct dot *p, MlirValue *accumulators, int count) {
  struct through through = {0};
  if (!p->from_zero)
    through_add(p->lw, &through, accumulators, count);
  through_add(p->lw, &through, p->a_words, p->a_word_count);
  build_through(p->lw, "tile_ptx.wgmma_fence", &through, NULL);
}

/* --- Instructions ----------------------------------------------------------------------------- */

static void multiply(struct dot *p, const MlirValue *a, int a_count, MlirValue b, bool add,
                     MlirValue *c, int c_count) {
  struct lowering *lw = p->lw;
  MlirContext context = lw->session->context;
  MlirValue *in = ARENA_ARRAY(&lw->arena, MlirValue, (size_t)(c_count + a_count) + 2);
  MlirType *out = ARENA_ARRAY(&lw->arena, MlirType, (size_t)c_count);
  int count = 0;
  for (int i = 0; i < c_count; i++) {
    out[i] = mlirValueGetType(c[i]);
    in[count++] = c[i];
  }
  for (int i = 0; i < a_count; i++)
    in[count++] = a[i];
  in[count++] = b;
  in[count++] = constant_integer(lw, 1, add);
  int32_t shape[] = {(int32_t)p->shape.m, (int32_t)p->shape.n, (int32_t)p->shape.k};
  int32_t segments[] = {c_count, a_count, 1, 1};
  MlirNamedAttribute attributes[] = {
      attribute_named(context, "shape", attribute_dense_i32(context, 3, shape)),
      attribute_named(context, "a_type", dot_type(lw, p->shape.a)),
      attribute_named(context, "b_type", dot_type(lw, p->shape.b)),
      attribute_named(context, "transpose_a",
                      mlirBoolAttrGet(context, p->a.view && p->a.transposed)),
      attribute_named(context, "transpose_b", mlirBoolAttrGet(context, p->b.transposed)),
      attribute_named(context, "operandSegmentSizes", attribute_dense_i32(context, 4, segments)),
      attribute_named(context, "c_type", dot_type(lw, MMA_F16))};
  MlirOperation wgmma = BUILD_OP(&lw->b, "tile_ptx.wgmma", INS(in, count), OUTS(out, c_count),
                                 ATTRIBUTE_LIST(attributes, p->shape.c == MMA_F16 ? 7 : 6));
  for (int i = 0; i < c_count; i++)
    c[i] = op_result(wgmma, i);
}

/* One fragment over all of k; row and column are the registers' part of its place. */
static void accumulate_fragment(struct dot *p, int64_t row, int64_t column, MlirValue *c,
                                int count) {
  for (int64_t k = 0; k < p->depth; k += p->shape.k) {
    MlirValue *a = p->a.view ? &(MlirValue){0} : words_of(p, row, k);
    if (p->a.view)
      *a = descriptor(p, &p->a, k, row);
    multiply(p, a, p->a.view ? 1 : A_WORDS, descriptor(p, &p->b, k, column), k > 0 || !p->from_zero,
             c, count);
  }
}

/* --- The operations --------------------------------------------------------------------------- */

static MlirLogicalResult read_matrix(struct dot *p, intptr_t operand, struct matrix *out,
                                     int *out_swizzle) {
  MlirValue value = op_operand(p->op, operand);
  *out = (struct matrix){.k = operand ? 0 : 1, .other = operand ? 1 : 0};
  if (!mlirTypeIsAMemRef(mlirValueGetType(value)))
    return SUCCESS;
  const struct shared_info *info;
  out->view = shared_view_of(p->lw, p->op, value);
  if (!out->view)
    return FAILURE;
  tile_status_free(shared_decode(&p->lw->session->layouts,
                                 mlirMemRefTypeGetMemorySpace(mlirValueGetType(value)), &info));
  int contiguous = info->nvmma.transposed ? 0 : 1; /* tile-verify: it is nvmma */
  out->transposed = contiguous != out->k;
  *out_swizzle = info->nvmma.swizzle;
  return SUCCESS;
}

static enum mma_number accumulator_number(MlirType type) {
  return mlirTypeIsAF32(type) ? MMA_F32 : mlirTypeIsAF16(type) ? MMA_F16 : MMA_S32;
}

static MlirLogicalResult describe(struct dot *p) {
  MlirType a = type_element(op_operand_type(p->op, 0)), b = type_element(op_operand_type(p->op, 1));
  int a_swizzle = 0, b_swizzle = 0;
  TRY_IR(read_matrix(p, 0, &p->a, &a_swizzle));
  TRY_IR(read_matrix(p, 1, &p->b, &b_swizzle));
  if (mlirTypeIsAMemRef(op_operand_type(p->op, 0)))
    a = mlirShapedTypeGetElementType(op_operand_type(p->op, 0));
  b = mlirShapedTypeGetElementType(op_operand_type(p->op, 1));
  p->bytes = p->b.view->bytes;
  p->depth = mlirShapedTypeGetDimSize(op_operand_type(p->op, 1), 0);
  p->from_zero = value_is_zero(p->lw->session, op_operand(p->op, 2));
  p->shape = (struct mma_shape){.a = dot_number(a),
                                .b = dot_number(b),
                                .c = accumulator_number(type_element(op_result_type(p->op, 0))),
                                .m = ROWS,
                                .n = (unsigned)p->mma->instr_shape[1],
                                .k = K_BYTES / p->bytes};
  const char *problem = wgmma_problem(&p->shape);
  if (problem)
    return fail_op(p->op, "wgmma has no such instruction: %s", problem);
  int rows = log2_of(p->mma->warps_per_cta[0]) - GROUP_WARP_BITS,
      columns = log2_of(p->mma->warps_per_cta[1]);
  if (p->a.view)
    build_base(p, &p->a, group_offset(p, &p->a, 0, rows, ROWS), a_swizzle);
  build_base(p, &p->b, group_offset(p, &p->b, rows, columns, p->mma->instr_shape[1]), b_swizzle);
  return SUCCESS;
}

/* What the accumulators start from, one value for each of an instruction's registers. */
static MlirValue *start_values(struct dot *p, const struct lowered *start, int count) {
  struct lowering *lw = p->lw;
  bool pairs = p->shape.c == MMA_F16;
  MlirValue *accumulators = ARENA_ARRAY(&lw->arena, MlirValue, (size_t)count), *words = NULL;
  if (pairs && !p->from_zero)
    words = pairs_of(lw, start);
  for (int r = 0; r < count; r++)
    if (p->from_zero)
      accumulators[r] =
          BUILD(&lw->b, "llvm.mlir.undef", OUT(pairs ? integer_type(&lw->b, 32) : start->type));
    else
      accumulators[r] = pairs ? words[r] : register_value(lw, start, r);
  return accumulators;
}

static struct lowered *lowered_accumulators(struct lowering *lw, MlirType old_type,
                                            const MlirValue *accumulators) {
  if (kept_in_pairs(lw, old_type))
    return lowered_from_pairs(lw, old_type, accumulators);
  struct lowered *result = lowered_create(lw, old_type);
  for (int r = 0; r < result->count; r++)
    result->base[r] = accumulators[r];
  return result;
}

MlirLogicalResult nvvm_group_dot(struct lowering *lw, MlirOperation op) {
  const struct layout_info *info;
  MlirType type = op_result_type(op, 0);
  tile_status_free(layout_decode(&lw->session->layouts, type_layout(type), &info));
  struct dot p = {.lw = lw, .op = op, .mma = &info->mma};
  p.c = layout_to_linear(&lw->session->layouts, type);
  TRY_IR(describe(&p));
  int together = p.shape.c == MMA_F16 ? 2 : 1, count = register_count(lw, type) / together;
  MlirValue *accumulators = start_values(&p, lowered_of(lw, op_operand(op, 2)), count);
  if (!p.a.view)
    pack_words(&p);
  build_fence(&p, accumulators, count);
  int fragment = (int)wgmma_c_registers(&p.shape);
  for (int r = 0; r < count; r += fragment) {
    struct layout_point at =
        layout_space_unpack(&p.c->out, linear_layout_apply_flat(p.c, (uint32_t)(r * together)));
    accumulate_fragment(&p, at.at[LAYOUT_DIM0], at.at[LAYOUT_DIM1], accumulators + r, fragment);
  }
  BUILD_OP(&lw->b, "tile_ptx.wgmma_commit", .in = NULL);
  return lowered_result(lw, op, lowered_accumulators(lw, type, accumulators));
}

/* All accumulators, of all operands, go through one instruction. */
MlirLogicalResult nvvm_group_dot_wait(struct lowering *lw, MlirOperation op) {
  intptr_t operands = mlirOperationGetNumOperands(op);
  struct through through = {0};
  MlirValue **accumulators = ARENA_ARRAY(&lw->arena, MlirValue *, (size_t)operands + 1);
  for (intptr_t i = 0; i < operands; i++) {
    const struct lowered *in_flight = lowered_of(lw, op_operand(op, i));
    int count = in_flight->pairs ? in_flight->count / 2 : in_flight->count;
    accumulators[i] = ARENA_ARRAY(&lw->arena, MlirValue, (size_t)count + 1);
    for (int r = 0; r < count; r++)
      accumulators[i][r] =
          in_flight->pairs ? in_flight->pairs[r] : register_value(lw, in_flight, r);
    through_add(lw, &through, accumulators[i], count);
  }
  MlirNamedAttribute pending =
      attribute_named(lw->session->context, "pending",
                      attribute_integer(lw->session->context, 32, op_integer(op, "pending", 0)));
  build_through(lw, "tile_ptx.wgmma_wait", &through, &pending);
  for (intptr_t i = 0; i < operands; i++)
    lowered_set(lw, op_result(op, i),
                lowered_accumulators(lw, op_result_type(op, i), accumulators[i]));
  return SUCCESS;
}
