/* SPDX-License-Identifier: MIT */
/* NVIDIA's device: barriers in shared memory that count arrivals and bytes, and copies of blocks
   that complete on them (PTX ISA, "mbarrier", "cp.async.bulk.tensor").

   Thread 0 makes the barriers, arrives at them and starts copies; every thread waits. What threads
   have stored to shared memory before comes before what the copies write there by one proxy fence
   of each, beside the initialisation; those that write a stage again need none, as only copies have
   written it, and who has read it has passed a barrier. */
#include "analysis/buffers.h"
#include "ir/tensor_boxes.h"
#include "lowering/nvvm/nvvm.h"

/* A descriptor is 128 bytes of the kernel's parameters, which the instruction finds by address. */
MlirAttribute nvvm_descriptor_attributes(MlirContext context) {
  enum { BYTES = 128, ALIGNMENT = 64 };
  MlirType bytes = mlirLLVMArrayTypeGet(mlirIntegerTypeGet(context, 8), BYTES);
  MlirNamedAttribute attributes[] = {
      attribute_with(context, ATTR_ALIGNMENT, attribute_integer(context, 64, ALIGNMENT)),
      attribute_with(context, ATTR_BY_VALUE, mlirTypeAttrGet(bytes)),
      attribute_with(context, ATTR_GRID_CONSTANT, mlirUnitAttrGet(context))};
  return mlirDictionaryAttrGet(context, sizeof attributes / sizeof *attributes, attributes);
}

/* i1: is it thread 0, and does the predicate (null: always) hold? A producer is one thread. */
static MlirValue first_thread(struct lowering *lw, MlirValue predicate) {
  if (lw->role == ROLE_PRODUCER)
    return mlirValueIsNull(predicate) ? constant_integer(lw, 1, 1) : predicate;
  MlirValue first = build_compare(&lw->b, I_EQUAL, lw->thread, constant_integer(lw, 32, 0));
  return conjunction(lw, first, predicate);
}

static MlirValue predicate_of(struct lowering *lw, MlirOperation op, intptr_t operand) {
  return first_thread(lw, register_value(lw, lowered_of(lw, op_operand(op, operand)), 0));
}

/* Thread 0 executes an instruction on each barrier of operand 0. */
static MlirLogicalResult on_each(struct lowering *lw, MlirOperation op, const char *name,
                                 const char *attribute) {
  const struct shared_view *view = shared_view_of(lw, op, op_operand(op, 0));
  if (!view)
    return FAILURE;
  MlirType type = op_operand_type(op, 0);
  MlirContext context = lw->session->context;
  MlirValue first = first_thread(lw, (MlirValue){0});
  int64_t count = 1;
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); i++)
    count *= mlirShapedTypeGetDimSize(type, i);
  for (int64_t i = 0; i < count; i++) {
    MlirValue barrier =
        buffer_address(lw, view->start, (MlirValue){0}, 1, i * (int64_t)view->bytes);
    MlirOperation made = BUILD_OP(&lw->b, name, IN(barrier, first));
    if (attribute)
      mlirOperationSetAttributeByName(made, ref(attribute),
                                      attribute_integer(context, 32, op_integer(op, attribute, 0)));
  }
  return SUCCESS;
}

MlirLogicalResult nvvm_mbarrier_init(struct lowering *lw, MlirOperation op) {
  TRY_IR(on_each(lw, op, "tile_ptx.mbarrier_init", "arrivals"));
  if (mbarrier_init_goes_on(lw->session, op))
    return SUCCESS;
  BUILD_OP(&lw->b, "tile_ptx.fence_mbarrier_init", .in = NULL);
  BUILD_OP(&lw->b, "tile_ptx.fence_async_shared", .in = NULL);
  return SUCCESS;
}

MlirLogicalResult nvvm_mbarrier_inval(struct lowering *lw, MlirOperation op) {
  return on_each(lw, op, "tile_ptx.mbarrier_inval", NULL);
}

MlirLogicalResult nvvm_mbarrier_expect(struct lowering *lw, MlirOperation op) {
  const struct shared_view *view = shared_view_of(lw, op, op_operand(op, 0));
  if (!view)
    return FAILURE;
  MlirContext context = lw->session->context;
  MlirAttribute bytes = attribute_integer(context, 32, op_integer(op, "bytes", 0));
  BUILD_OP(&lw->b, "tile_ptx.mbarrier_expect_tx", IN(view->start, predicate_of(lw, op, 1)),
           ATTRIBUTES(attribute_named(context, "bytes", bytes)));
  return SUCCESS;
}

/* One lane of each warp. */
MlirLogicalResult nvvm_mbarrier_arrive(struct lowering *lw, MlirOperation op) {
  const struct shared_view *view = shared_view_of(lw, op, op_operand(op, 0));
  if (!view)
    return FAILURE;
  MlirValue predicate = register_value(lw, lowered_of(lw, op_operand(op, 1)), 0);
  MlirValue lane = build_is_zero(lw, MACHINE_LANES - 1);
  BUILD_OP(&lw->b, "tile_ptx.mbarrier_arrive", IN(view->start, conjunction(lw, lane, predicate)));
  return SUCCESS;
}

MlirLogicalResult nvvm_mbarrier_wait(struct lowering *lw, MlirOperation op) {
  const struct shared_view *view = shared_view_of(lw, op, op_operand(op, 0));
  if (!view)
    return FAILURE;
  MlirValue parity = register_value(lw, lowered_of(lw, op_operand(op, 1)), 0);
  BUILD_OP(&lw->b, "tile_ptx.mbarrier_wait", IN(view->start, parity));
  return lowered_result(lw, op, lowered_create(lw, op_result_type(op, 0)));
}

/* --- Copies ----------------------------------------------------------------------------------- */

struct bulk_load {
  const struct shared_view *stage, *barrier;
  struct tensor_boxes boxes;
  MlirValue map, predicate;
  const struct lowered *offsets[TENSOR_MAX_RANK]; /* outermost first */
  int outer;                                      /* dimensions before the block's */
};

/* Bytes from the stage's start to the box whose first element is at `at`. */
static int64_t box_place(const struct bulk_load *load, const int64_t *at) {
  uint32_t flat = 0, unit = 1;
  for (int i = load->boxes.rank - 1; i >= 0; i--) {
    flat += (uint32_t)at[i] * unit;
    unit *= (uint32_t)load->stage->shape[i];
  }
  uint32_t place = linear_layout_apply_flat(&load->stage->to_offset, flat) ^ load->stage->origin;
  return (int64_t)place * load->stage->bytes;
}

static void build_box(struct lowering *lw, const struct bulk_load *load, const int64_t *at) {
  enum { FIXED = 4 };
  int rank = load->boxes.rank + load->outer;
  MlirValue in[FIXED + TENSOR_MAX_RANK] = {
      buffer_address(lw, load->stage->start, (MlirValue){0}, 1, box_place(load, at)), load->map,
      load->barrier->start, load->predicate};
  for (int i = 0; i < rank; i++) {
    const struct lowered *offset = load->offsets[i];
    int64_t more = i < load->outer ? 0 : at[i - load->outer];
    in[FIXED + rank - 1 - i] = register_with(lw, offset, offset->base[0], offset->offset[0] + more);
  }
  BUILD_OP(&lw->b, "tile_ptx.cp_async_bulk_tensor", INS(in, FIXED + rank));
}

/* All boxes, the last dimension's first. */
static void build_boxes(struct lowering *lw, const struct bulk_load *load) {
  int64_t at[TENSOR_MAX_RANK] = {0};
  int dim;
  do {
    build_box(lw, load, at);
    for (dim = load->boxes.rank - 1; dim >= 0; dim--) {
      at[dim] += load->boxes.box[dim];
      if (at[dim] < (int64_t)load->boxes.box[dim] * load->boxes.counts[dim])
        break;
      at[dim] = 0;
    }
  } while (dim >= 0);
}

MlirLogicalResult nvvm_bulk_load(struct lowering *lw, MlirOperation op) {
  struct bulk_load load = {.stage = shared_view_of(lw, op, op_operand(op, 1)),
                           .barrier = shared_view_of(lw, op, op_operand(op, 2))};
  if (!load.stage || !load.barrier)
    return FAILURE;
  TRY_IR(raise_status(op, tensor_boxes_of(lw->session, op_operand_type(op, 1), &load.boxes)));
  load.map = lowered_of(lw, op_operand(op, 0))->base[0];
  load.predicate = predicate_of(lw, op, 3);
  int offsets = (int)mlirOperationGetNumOperands(op) - 4;
  load.outer = offsets - load.boxes.rank;
  for (int i = 0; i < offsets; i++)
    load.offsets[i] = lowered_of(lw, op_operand(op, 4 + i));
  build_boxes(lw, &load);
  return lowered_result(lw, op, lowered_create(lw, op_result_type(op, 0)));
}
