/* SPDX-License-Identifier: MIT */
/* tile-ptx-to-asm: multiplications by warp groups (PTX ISA, wgmma).

     tile_ptx.wgmma %c..., %a, %b, %scale {shape = array<i32: 64, 256, 16>, a_type = f16, ...}
       ->  "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16
              {$0, ..., $127}, $256, $257, $258, 1, 1, 0, 0;"

   The accumulators are outputs, and inputs tied to them, of the fence, the wgmma and the wait
   alike. So what writes them stands before the fence, they stay in their registers from there to
   the wait, no copy can come between, and nothing that uses them can move before the wait. */
#include "base/arena.h"
#include "ir/mma_attributes.h"
#include "ir/module_target.h"
#include "lowering/ptx/ptx_to_asm.h"

static void print_list(struct text *out, const int *places, intptr_t count) {
  text_puts(out, "{");
  for (intptr_t i = 0; i < count; i++) {
    text_puts(out, i ? ", " : "");
    print_operand(out, (unsigned)places[i]);
  }
  text_puts(out, "}");
}

/* Outputs of `count` operands' types, then inputs tied to them. `early`: they are written while
   others are still read, so that no other input may have their registers, though it has the same
   value. */
static void print_tied(MlirOperation op, intptr_t count, bool early, struct text *out) {
  for (intptr_t i = 0; i < count; i++)
    text_printf(out, "%s=%s%c", i ? "," : "", early ? "&" : "", asm_letter(op_operand_type(op, i)));
  for (intptr_t i = 0; i < count; i++)
    text_printf(out, ",%d", (int)i);
}

void wgmma_print(MlirOperation op, const struct mma_shape *shape, const int *places,
                 struct text *out) {
  intptr_t c = op_segment(op, 4, 0), a = op_segment(op, 4, 1);
  text_printf(out, "wgmma.mma_async.sync.aligned.m%un%uk%u.%s.%s.%s ", shape->m, shape->n, shape->k,
              mma_numbers[shape->c].ptx, mma_numbers[shape->a].ptx, mma_numbers[shape->b].ptx);
  print_list(out, places, c);
  text_puts(out, ", ");
  if (a == 1)
    text_printf(out, "$%d", places[c]);
  else
    print_list(out, places + c, a);
  text_printf(out, ", $%d, $%d", places[c + a], places[c + a + 1]);
  if (shape->c != MMA_S32)
    text_puts(out, ", 1, 1");
  if (mma_numbers[shape->a].bits == 16 && a == 1)
    text_printf(out, ", %d", op_boolean(op, "transpose_a"));
  if (mma_numbers[shape->a].bits == 16)
    text_printf(out, ", %d", op_boolean(op, "transpose_b"));
  text_puts(out, ";");
}

/* Replaces an operation whose first `results` operands are tied to its results. */
static void replace_tied(MlirOperation op, struct text *assembly, struct text *constraints) {
  intptr_t operands = mlirOperationGetNumOperands(op), results = mlirOperationGetNumResults(op);
  struct builder b = builder_before(op);
  struct arena arena = {0};
  MlirValue *in = ARENA_ARRAY(&arena, MlirValue, operands + 1);
  MlirValue *values = ARENA_ARRAY(&arena, MlirValue, results + 1);
  MlirType *out = ARENA_ARRAY(&arena, MlirType, results + 1);
  for (intptr_t i = 0; i < operands; i++)
    in[i] = op_operand(op, i);
  for (intptr_t i = 0; i < results; i++)
    out[i] = op_result_type(op, i);
  if (results)
    build_asm_results(&b, assembly, constraints, operands, in, results, out, true, values);
  else
    build_asm(&b, assembly, constraints, 0, NULL, 0, NULL, true);
  replace_op(op, values);
  arena_destroy(&arena);
}

MlirLogicalResult wgmma_to_asm(struct session *session, MlirOperation op) {
  (void)session;
  struct mma_shape shape;
  intptr_t c = op_segment(op, 4, 0), a = op_segment(op, 4, 1);
  if (!wgmma_operation(op, &shape))
    return fail_op(op, "not a valid operation; tile-verify says why");
  if (machine_of(op)->matrix_unit != MATRIX_WGMMA)
    return fail_op(op, "wgmma needs sm_90a; the module is for %s", machine_of(op)->name);
  struct text assembly = {0}, constraints = {0};
  print_tied(op, c, true, &constraints);
  text_puts(&constraints, a == 1 ? ",l" : ",r,r,r,r");
  text_puts(&constraints, ",l,b,~{memory}");
  int places[MMA_MAX_REGISTERS + WGMMA_A_REGISTERS + 2]; /* the accumulators' are their results',
                                                            which come first */
  for (intptr_t i = 0; i < c + a + 2; i++)
    places[i] = (int)(i < c ? i : c + i);
  wgmma_print(op, &shape, places, &assembly);
  replace_tied(op, &assembly, &constraints);
  return SUCCESS;
}

/* An instruction without operands, that stands between its registers before and after it. Takes
   `assembly`. */
static MlirLogicalResult point_to_asm(MlirOperation op, struct text *assembly) {
  intptr_t count = mlirOperationGetNumOperands(op);
  struct text constraints = {0};
  if (count != mlirOperationGetNumResults(op)) {
    text_free(assembly);
    return fail_op(op, "not a valid operation; tile-verify says why");
  }
  print_tied(op, count, false, &constraints);
  text_puts(&constraints, count ? ",~{memory}" : "~{memory}");
  replace_tied(op, assembly, &constraints);
  return SUCCESS;
}

MlirLogicalResult wgmma_wait_to_asm(struct session *session, MlirOperation op) {
  (void)session;
  struct text assembly = {0};
  text_printf(&assembly, "wgmma.wait_group.sync.aligned %d;", (int)op_integer(op, "pending", 0));
  return point_to_asm(op, &assembly);
}

MlirLogicalResult wgmma_fence_to_asm(struct session *session, MlirOperation op) {
  (void)session;
  struct text assembly = {0};
  text_puts(&assembly, "wgmma.fence.sync.aligned;");
  return point_to_asm(op, &assembly);
}
