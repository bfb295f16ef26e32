/* SPDX-License-Identifier: MIT */
/* tile-ptx-to-asm: what a warp does with matrices (PTX ISA, mma, ldmatrix, stmatrix).

     tile_ptx.mma %a..., %b..., %c... {shape = array<i32: 16, 8, 16>, a_type = f16, b_type = f16,
     ...}
       ->  "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7},
            {$8, $9}, {$10, $11, $12, $13};" */
#include "ir/mma_attributes.h"
#include "ir/module_target.h"
#include "lowering/ptx/ptx_to_asm.h"

enum { MAX_OPERANDS = 24, MAX_MATRICES = 4 };

static void print_registers(struct text *out, unsigned first, unsigned count) {
  text_puts(out, "{");
  for (unsigned i = 0; i < count; i++) {
    text_puts(out, i ? ", " : "");
    print_operand(out, first + i);
  }
  text_puts(out, "}");
}

static void print_mma(const struct mma_shape *shape, struct text *out) {
  unsigned a = mma_a_registers(shape), b = mma_b_registers(shape), c = mma_c_registers(shape);
  const char *sum = mma_numbers[shape->c].ptx;
  text_printf(out, "mma.sync.aligned.m%un%uk%u.row.col%s.%s.%s.%s.%s ", shape->m, shape->n,
              shape->k, shape->saturate ? ".satfinite" : "", sum, mma_numbers[shape->a].ptx,
              mma_numbers[shape->b].ptx, sum);
  unsigned first[] = {0, c, c + a, c + a + b}, counts[] = {c, a, b, c};
  for (int i = 0; i < 4; i++) {
    print_registers(out, first[i], counts[i]);
    text_puts(out, i < 3 ? ", " : ";");
  }
}

MlirLogicalResult mma_to_asm(struct session *session, MlirOperation op) {
  (void)session;
  struct mma_shape shape;
  enum machine_feature needed;
  intptr_t results = mlirOperationGetNumResults(op), operands = mlirOperationGetNumOperands(op);
  if (!mma_operation(op, &shape, &needed))
    return fail_op(op, "not a valid operation; tile-verify says why");
  if (!machine_has(machine_of(op), needed))
    return fail_op(op, "m%un%uk%u of %s needs %s; the module is for %s", shape.m, shape.n, shape.k,
                   mma_numbers[shape.a].mlir, machine_first_with(needed)->name,
                   machine_of(op)->name);
  struct builder b = builder_before(op);
  struct text assembly = {0}, constraints = {0};
  MlirValue in[MAX_OPERANDS], values[MAX_OPERANDS];
  MlirType out[MAX_OPERANDS];
  for (intptr_t i = 0; i < results; i++) {
    out[i] = op_result_type(op, i);
    text_append(&constraints, (char[]){',', '=', asm_letter(out[i])} + !i, i ? 3 : 2);
  }
  for (intptr_t i = 0; i < operands; i++) {
    in[i] = op_operand(op, i);
    text_append(&constraints, (char[]){',', asm_letter(op_operand_type(op, i))}, 2);
  }
  print_mma(&shape, &assembly);
  build_asm_results(&b, &assembly, &constraints, operands, in, results, out, false, values);
  return replace_op(op, values);
}

/* "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {$0, $1, $2, $3}, [$4];" */
static void print_matrix_access(MlirOperation op, bool load, unsigned count, struct text *out) {
  text_printf(out, "%s.sync.aligned.m8n8.x%u%s.shared.b16 ", load ? "ldmatrix" : "stmatrix", count,
              op_boolean(op, "transpose") ? ".trans" : "");
  if (!load)
    text_puts(out, "[$0], ");
  print_registers(out, load ? 0 : 1, count);
  if (load)
    text_printf(out, ", [$%u]", count);
  text_puts(out, ";");
}

MlirLogicalResult ldmatrix_to_asm(struct session *session, MlirOperation op) {
  (void)session;
  struct builder b = builder_before(op);
  intptr_t count = mlirOperationGetNumResults(op);
  if (count < 1 || count > MAX_MATRICES)
    return fail_op(op, "not a valid operation; tile-verify says why");
  struct text assembly = {0}, constraints = {0};
  MlirValue pointer = op_operand(op, 0), values[MAX_MATRICES];
  MlirType i32 = integer_type(&b, 32), types[] = {i32, i32, i32, i32};
  for (intptr_t i = 0; i < count; i++)
    text_puts(&constraints, "=r,");
  text_puts(&constraints, "l");
  print_matrix_access(op, true, (unsigned)count, &assembly);
  build_asm_results(&b, &assembly, &constraints, 1, &pointer, count, types, true, values);
  return replace_op(op, values);
}

MlirLogicalResult stmatrix_to_asm(struct session *session, MlirOperation op) {
  (void)session;
  if (!machine_has(machine_of(op), FEATURE_STMATRIX))
    return fail_op(op, "stmatrix needs %s; the module is for %s",
                   machine_first_with(FEATURE_STMATRIX)->name, machine_of(op)->name);
  struct builder b = builder_before(op);
  intptr_t operands = mlirOperationGetNumOperands(op);
  if (operands < 2 || operands > 1 + MAX_MATRICES)
    return fail_op(op, "not a valid operation; tile-verify says why");
  struct text assembly = {0}, constraints = {0};
  MlirValue in[1 + MAX_MATRICES];
  for (intptr_t i = 0; i < operands; i++) {
    in[i] = op_operand(op, i);
    text_puts(&constraints, i ? ",r" : "l");
  }
  print_matrix_access(op, false, (unsigned)operands - 1, &assembly);
  build_asm(&b, &assembly, &constraints, operands, in, 0, NULL, true);
  return replace_op(op, NULL);
}
