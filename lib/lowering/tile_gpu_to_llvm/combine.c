/* SPDX-License-Identifier: MIT */
/* See reduce.h. The combiner is lowered anew for each use: it is a few scalar operations. */
#include "ir/tile_ops.h"
#include "lowering/tile_gpu_to_llvm/reduce.h"

uint32_t deposit_bits(uint32_t value, uint32_t mask) {
  uint32_t result = 0;
  for (int bit = 0; bit < 32 && mask >> bit; bit++)
    if (mask >> bit & 1) {
      result |= (value & 1) << bit;
      value >>= 1;
    }
  return result;
}

/* The type, and what else is known of it, of one register of operand `i`. */
static struct lowered describe(struct reducing *s, int i) {
  struct lowered *operand = lowered_of(s->lw, op_operand(s->op, i));
  return (struct lowered){.count = 1,
                          .type = operand->type,
                          .pointer = operand->pointer,
                          .width = operand->width,
                          .base = ARENA_NEW(&s->lw->arena, MlirValue),
                          .offset = ARENA_NEW(&s->lw->arena, int64_t)};
}

static void bind(struct reducing *s, MlirValue argument, int i, MlirValue value) {
  struct lowered *registers = ARENA_NEW(&s->lw->arena, struct lowered);
  *registers = describe(s, i);
  registers->base[0] = value;
  lowered_set(s->lw, argument, registers);
}

MlirLogicalResult reducing_combine(struct reducing *s, const struct element *left,
                                   const struct element *right, struct element *out) {
  struct lowering *lw = s->lw;
  MlirBlock body = op_body(s->op, 0);
  MlirLocation location = lw->b.location;
  for (int i = 0; i < s->plan->count; i++) {
    bind(s, mlirBlockGetArgument(body, i), i, left->value[i]);
    bind(s, mlirBlockGetArgument(body, s->plan->count + i), i, right->value[i]);
  }
  TRY_IR(lower_block(lw, body));
  MlirOperation yield = mlirBlockGetTerminator(body);
  for (int i = 0; i < s->plan->count; i++)
    out->value[i] = register_value(lw, lowered_of(lw, op_operand(yield, i)), 0);
  lw->b.location = location;
  return SUCCESS;
}

struct element select_element(struct reducing *s, MlirValue condition, const struct element *b,
                              const struct element *a) {
  struct element result;
  for (int i = 0; i < s->plan->count; i++)
    result.value[i] = BUILD(&s->lw->b, "arith.select", IN(condition, b->value[i], a->value[i]),
                            OUT(mlirValueGetType(a->value[i])));
  return result;
}

struct element shuffle_element(struct reducing *s, enum device_shuffle kind,
                               const struct element *e, MlirValue operand, uint32_t kept) {
  struct element result = *e;
  for (int i = 0; i < s->plan->count; i++) {
    if (kept >> i & 1)
      continue;
    struct lowered one = describe(s, i);
    one.base[0] = e->value[i];
    MlirValue bits = build_shuffle(s->lw, kind, register_bits(s->lw, &one, 0), operand);
    result.value[i] = register_from_bits(s->lw, &one, bits);
  }
  return result;
}

MlirValue build_has_bits(struct lowering *lw, MlirValue value, uint32_t mask) {
  MlirValue bits = build_binary(&lw->b, "arith.andi", value, constant_integer(lw, 32, mask));
  return build_compare(&lw->b, I_UNEQUAL, bits, constant_integer(lw, 32, 0));
}

/* --- From operands to results ----------------------------------------------------------------- */

/* The elements' values of one operand as registers, for conversions. */
static struct lowered *registers_of(struct reducing *s, int i, int count) {
  struct lowered *registers = ARENA_NEW(&s->lw->arena, struct lowered);
  *registers = describe(s, i);
  registers->count = count;
  registers->base = ARENA_ARRAY(&s->lw->arena, MlirValue, (size_t)count);
  registers->offset = ARENA_ARRAY(&s->lw->arena, int64_t, (size_t)count);
  for (int r = 0; r < count && r < s->count; r++)
    registers->base[r] = s->element[r].value[i];
  return registers;
}

/* Stores of all values, one barrier, loads of all. */
static void conversion_together(struct reducing *s, const struct conversion_step *step,
                                struct lowered *const *source, struct lowered *const *result) {
  struct lowering *lw = s->lw;
  bool shared = false;
  for (int i = 0; i < s->plan->count; i++) {
    unsigned bytes = conversion_bytes(lw, op_operand_type(s->op, i));
    if (step->plan[i].kind == CONVERSION_SHARED)
      build_buffer_stores(lw, &step->plan[i].write, s->start, s->scratch + step->offset[i], bytes,
                          source[i]);
    else
      build_conversion(lw, &step->plan[i], 0, bytes, source[i], result[i]);
    shared |= step->plan[i].kind == CONVERSION_SHARED;
  }
  if (shared)
    build_barrier(lw);
  for (int i = 0; i < s->plan->count; i++)
    if (step->plan[i].kind == CONVERSION_SHARED)
      build_buffer_loads(lw, &step->plan[i].read, s->start, s->scratch + step->offset[i],
                         conversion_bytes(lw, op_operand_type(s->op, i)), result[i]);
}

/* Each value through the scratch of all, in chunks: a barrier before whatever stores there again.
 */
static void conversion_in_turn(struct reducing *s, const struct conversion_step *step,
                               struct lowered *const *source, struct lowered *const *result) {
  struct lowering *lw = s->lw;
  bool waits = step->waits;
  for (int i = 0; i < s->plan->count; i++) {
    bool shared = step->plan[i].kind == CONVERSION_SHARED;
    if (shared && waits)
      build_barrier(lw);
    build_conversion(lw, &step->plan[i], s->scratch + step->offset[i],
                     conversion_bytes(lw, op_operand_type(s->op, i)), source[i], result[i]);
    waits |= shared;
  }
}

void reducing_conversion(struct reducing *s, const struct conversion_step *step) {
  struct lowering *lw = s->lw;
  if (!step->needed)
    return;
  int target = (int)linear_layout_in_size(&step->to, LAYOUT_REGISTER);
  struct lowered *source[MAX_REDUCED], *result[MAX_REDUCED];
  for (int i = 0; i < s->plan->count; i++) {
    source[i] = registers_of(s, i, s->count);
    result[i] = registers_of(s, i, target);
  }
  if (step->in_turn)
    conversion_in_turn(s, step, source, result);
  else
    conversion_together(s, step, source, result);
  s->element = ARENA_ARRAY(&lw->arena, struct element, (size_t)target);
  s->count = target;
  for (int r = 0; r < target; r++)
    for (int i = 0; i < s->plan->count; i++)
      s->element[r].value[i] = register_value(lw, result[i], r);
}

/* Where offsets of the scratch count from: in a loop where it is double-buffered, this iteration's
 * buffer.
 */
static MlirValue build_start(struct lowering *lw, MlirOperation op) {
  int64_t buffer = double_buffer_bytes(op);
  if (buffer == 0)
    return shared_memory(lw);
  MlirOperation loop = mlirOperationGetParentOperation(op);
  MlirValue induction =
      register_value(lw, lowered_of(lw, mlirBlockGetArgument(op_body(loop, 0), 0)), 0);
  MlirType type = mlirValueGetType(induction), i32 = integer_type(&lw->b, 32);
  unsigned width = mlirIntegerTypeGetWidth(type);
  MlirValue shift = constant_integer(lw, width, double_buffer_shift(lw->session, loop));
  MlirValue count = BUILD(&lw->b, "arith.shrui", IN(induction, shift), OUT(type));
  MlirValue odd = BUILD(&lw->b, "arith.andi", IN(count, constant_integer(lw, width, 1)), OUT(type));
  if (width != 32)
    odd = BUILD(&lw->b, width > 32 ? "arith.trunci" : "arith.extui", IN(odd), OUT(i32));
  return shared_address(lw, odd, (unsigned)buffer, 0);
}

MlirLogicalResult reducing_begin(struct lowering *lw, MlirOperation op, struct reducing *out) {
  *out = (struct reducing){.lw = lw, .op = op, .plan = ARENA_NEW(&lw->arena, struct reduction)};
  TRY_IR(raise_status(op, reduction_plan(lw->session, op, out->plan)));
  TRY_IR(scratch_offset(lw, op, out->plan->bytes, &out->scratch));
  if (out->plan->bytes)
    out->start = build_start(lw, op);
  /* Where operands change sides, and the result with them, sides are kept, so that all copies of a
     result are equal. */
  out->keep_sides = !out->plan->symmetric;
  out->count = lowered_of(lw, op_operand(op, 0))->count;
  out->element = ARENA_ARRAY(&lw->arena, struct element, (size_t)out->count);
  for (int i = 0; i < out->plan->count; i++)
    for (int r = 0; r < out->count; r++)
      out->element[r].value[i] = register_value(lw, lowered_of(lw, op_operand(op, i)), r);
  reducing_conversion(out, &out->plan->first);
  return SUCCESS;
}

void reducing_end(struct reducing *s) {
  reducing_conversion(s, &s->plan->last);
  for (int i = 0; i < s->plan->count; i++) {
    struct lowered *result = lowered_create(s->lw, op_result_type(s->op, i));
    for (int r = 0; r < result->count; r++)
      result->base[r] = s->element[r].value[i];
    lowered_set(s->lw, op_result(s->op, i), result);
  }
}
