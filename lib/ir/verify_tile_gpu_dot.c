/* SPDX-License-Identifier: MIT */
/* The rules of tile_gpu.warpgroup_dot and tile_gpu.warpgroup_dot_wait. */
#include "ir/shared_attribute.h"
#include "ir/verify_tile.h"

/* A 2-D stage in shared memory as the tensor cores read it: fills `shape` and returns its element
   type, or null after a diagnostic. */
static MlirType read_matrix(struct session *session, MlirOperation op, intptr_t operand,
                            int64_t *shape) {
  struct shared_buffer buffer;
  tile_status status = shared_buffer_read(&session->layouts, op_operand_type(op, operand), &buffer);
  bool fits = !status && buffer.info->kind == SHARED_KIND_NVMMA && buffer.rank == 2;
  tile_status_free(status);
  if (!fits) {
    fail_op(op, "operand %d is a matrix in shared memory, in a #tile_gpu.nvmma layout",
            (int)operand);
    return (MlirType){0};
  }
  shape[0] = buffer.shape[0];
  shape[1] = buffer.shape[1];
  return buffer.element;
}

/* The first operand: in shared memory, or in the accumulators' dot_operand layout. */
static MlirType read_first(struct session *session, MlirOperation op, const struct layout_info *c,
                           int64_t *shape) {
  MlirType type = op_operand_type(op, 0);
  if (!type_is_tensor(type))
    return read_matrix(session, op, 0, shape);
  const struct layout_info *info = layout_of_type(&session->layouts, type);
  unsigned bytes = type_bytes(&session->types, type_element(type));
  if (info && info->kind == LAYOUT_KIND_DOT_OPERAND && info->parent == c &&
      info->k_width * bytes == 4) {
    type_shape(type, shape);
    return type_element(type);
  }
  fail_op(op, "operand 0 is in shared memory, or has the layout #tile_gpu.dot_operand of the "
              "accumulators with 32 bits of "
              "k_width; insert tile_gpu.convert_layout");
  return (MlirType){0};
}

/* Whole fragments for each warp group. */
static MlirLogicalResult verify_sizes(MlirOperation op, const struct mma_layout *mma,
                                      const int64_t *a, const int64_t *b, unsigned bytes) {
  int64_t c[MAX_RANK];
  type_shape(op_result_type(op, 0), c);
  if (a[1] != b[0] || a[0] != c[0] || b[1] != c[1])
    return fail_op(op, "%lld x %lld times %lld x %lld is not %lld x %lld", (long long)a[0],
                   (long long)a[1], (long long)b[0], (long long)b[1], (long long)c[0],
                   (long long)c[1]);
  if (c[0] < 16 * mma->warps_per_cta[0] || c[1] < mma->instr_shape[1] * mma->warps_per_cta[1] ||
      a[1] * bytes < 32)
    return fail_op(
        op,
        "%lld x %lld through %lld is less than one instruction for each warp group; use tile.dot",
        (long long)c[0], (long long)c[1], (long long)a[1]);
  return SUCCESS;
}

static bool may_be_accumulators(MlirType type) {
  return mlirTypeIsAF32(type) || mlirTypeIsAF16(type) || type_is_integer(type, 32);
}

MlirLogicalResult verify_warpgroup_dot(struct session *session, MlirOperation op) {
  int64_t a[MAX_RANK], b[MAX_RANK];
  MlirType accumulators = op_result_type(op, 0);
  if (!mlirTypeEqual(op_operand_type(op, 2), accumulators))
    return fail_types(op, "the result is of another type than the accumulator",
                      op_operand_type(op, 2), accumulators);
  const struct layout_info *c = layout_of_type(&session->layouts, accumulators);
  if (!c || c->kind != LAYOUT_KIND_MMA || c->mma.version != 3)
    return fail_op(op, "the accumulator has a layout #tile_gpu.mma of version 3");
  if (!may_be_accumulators(type_element(accumulators)))
    return fail_op(op, "accumulators are f32, f16 for operands of f16, or i32 for operands of i8");
  MlirType first = read_first(session, op, c, a);
  MlirType second = mlirTypeIsNull(first) ? first : read_matrix(session, op, 1, b);
  if (mlirTypeIsNull(second))
    return FAILURE;
  if (!mlirTypeEqual(first, second) && !(type_is_fp8(first) && type_is_fp8(second)))
    return fail_types(op, "element types differ; convert one operand", first, second);
  if (mlirTypeIsAF16(type_element(accumulators)) && !mlirTypeIsAF16(second))
    return fail_types(op, "accumulators are f16 for operands of f16 alone", second,
                      type_element(accumulators));
  return verify_sizes(op, &c->mma, a, b, type_bytes(&session->types, second));
}

MlirLogicalResult verify_warpgroup_wait(struct session *session, MlirOperation op) {
  (void)session;
  intptr_t count = mlirOperationGetNumOperands(op);
  bool same = count == mlirOperationGetNumResults(op);
  for (intptr_t i = 0; same && i < count; i++)
    same = mlirTypeEqual(op_operand_type(op, i), op_result_type(op, i)) &&
           type_is_tensor(op_operand_type(op, i)) &&
           may_be_accumulators(type_element(op_operand_type(op, i)));
  return same ? SUCCESS
              : fail_op(op,
                        "it returns the accumulators that it is given, tensors of f32, f16 or i32");
}
