/* SPDX-License-Identifier: MIT */
/* NVIDIA's device: barriers in shared memory that count arrivals and bytes, and copies of blocks
   that complete on them (PTX ISA, "mbarrier", "cp.async.bulk.tensor").

   Thread 0 makes the barriers, arrives at them and starts copies; every thread waits. What threads
   have stored to shared memory before comes before what the copies write there by one proxy fence
   of each, beside the initialisation; those that write a stage again need none, as only copies have
   written it, and who has read it has passed a barrier.

   Of a cluster each block has its own barriers and stages, in the same places; a copy to all of
   them completes on the barrier of each (PTX ISA, ".multicast::cluster"). */
#include <string.h>
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

MlirLogicalResult nvvm_mbarrier_arrive_at(struct lowering *lw, MlirOperation op) {
  const struct shared_view *view = shared_view_of(lw, op, op_operand(op, 0));
  if (!view)
    return FAILURE;
  MlirValue predicate = register_value(lw, lowered_of(lw, op_operand(op, 1)), 0);
  MlirValue rank = register_value(lw, lowered_of(lw, op_operand(op, 2)), 0);
  MlirValue lane = build_is_zero(lw, MACHINE_LANES - 1);
  BUILD_OP(&lw->b, "tile_ptx.mbarrier_arrive_at",
           IN(view->start, rank, conjunction(lw, lane, predicate)));
  return SUCCESS;
}

static MlirValue build_rank(struct lowering *lw) {
  return BUILD(&lw->b, "tile_ptx.cluster_rank", OUT(integer_type(&lw->b, 32)));
}

MlirLogicalResult nvvm_cluster_rank(struct lowering *lw, MlirOperation op) {
  struct lowered *result = lowered_create(lw, op_result_type(op, 0));
  result->base[0] = build_rank(lw);
  return lowered_result(lw, op, result);
}

MlirLogicalResult nvvm_cluster_barrier(struct lowering *lw, MlirOperation op) {
  (void)op;
  BUILD_OP(&lw->b, "tile_ptx.cluster_arrive", .in = NULL);
  BUILD_OP(&lw->b, "tile_ptx.cluster_wait", .in = NULL);
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
  MlirValue rank; /* of the block, whose part alone is copied, to all of the cluster; or null */
  int part_dim;   /* along which parts lie, */
  int parts;      /* so many; 1: the block is copied whole */
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

static int64_t part_size(const struct bulk_load *load) {
  int dim = load->part_dim;
  return (int64_t)load->boxes.box[dim] * load->boxes.counts[dim] / load->parts;
}

/* Of the rank's part, `in_first`, which is of the first part, and how far parts are apart. */
static MlirValue of_part(struct lowering *lw, const struct bulk_load *load, MlirValue in_first,
                         int64_t apart) {
  if (mlirValueIsNull(load->rank))
    return in_first;
  MlirValue more = build_binary(&lw->b, "arith.muli", load->rank, constant_integer(lw, 32, apart));
  return build_binary(&lw->b, "arith.addi", in_first, more);
}

/* Where the box at `at`, of the first part, goes: parts follow one another in equal distances. */
static MlirValue build_place(struct lowering *lw, const struct bulk_load *load, const int64_t *at) {
  int64_t first = box_place(load, at), next[TENSOR_MAX_RANK];
  if (mlirValueIsNull(load->rank))
    return buffer_address(lw, load->stage->start, (MlirValue){0}, 1, first);
  memcpy(next, at, sizeof next);
  next[load->part_dim] += part_size(load);
  MlirValue place =
      of_part(lw, load, constant_integer(lw, 32, first), box_place(load, next) - first);
  return buffer_address(lw, load->stage->start, place, 1, 0);
}

static void build_box(struct lowering *lw, const struct bulk_load *load, const int64_t *at) {
  enum { FIXED = 4 };
  int rank = load->boxes.rank + load->outer;
  MlirContext context = lw->session->context;
  MlirValue in[FIXED + TENSOR_MAX_RANK] = {build_place(lw, load, at), load->map,
                                           load->barrier->start, load->predicate};
  for (int i = 0; i < rank; i++) {
    const struct lowered *offset = load->offsets[i];
    int dim = i - load->outer;
    int64_t more = dim < 0 ? 0 : at[dim];
    MlirValue first = register_with(lw, offset, offset->base[0], offset->offset[0] + more);
    in[FIXED + rank - 1 - i] =
        dim >= 0 && dim == load->part_dim ? of_part(lw, load, first, part_size(load)) : first;
  }
  MlirOperation copy = BUILD_OP(&lw->b, "tile_ptx.cp_async_bulk_tensor", INS(in, FIXED + rank));
  if (!mlirValueIsNull(load->rank))
    mlirOperationSetAttributeByName(copy, ref("blocks"),
                                    attribute_integer(context, 32, (1 << load->parts) - 1));
}

/* All boxes, or those of the first part, the last dimension's first. */
static void build_boxes(struct lowering *lw, const struct bulk_load *load) {
  int64_t at[TENSOR_MAX_RANK] = {0};
  int dim;
  do {
    build_box(lw, load, at);
    for (dim = load->boxes.rank - 1; dim >= 0; dim--) {
      int64_t size = (int64_t)load->boxes.box[dim] * load->boxes.counts[dim];
      bool in_part = !mlirValueIsNull(load->rank) && dim == load->part_dim;
      at[dim] += load->boxes.box[dim];
      if (at[dim] < (in_part ? part_size(load) : size))
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
  load.parts = (int)op_integer(op, "parts", 1);
  load.part_dim = tensor_boxes_part(&load.boxes, load.parts);
  if (op_has_attribute(op, "multicast"))
    load.rank = build_rank(lw);
  load.map = lowered_of(lw, op_operand(op, 0))->base[0];
  load.predicate = predicate_of(lw, op, 3);
  int offsets = (int)mlirOperationGetNumOperands(op) - 4;
  load.outer = offsets - load.boxes.rank;
  for (int i = 0; i < offsets; i++)
    load.offsets[i] = lowered_of(lw, op_operand(op, 4 + i));
  build_boxes(lw, &load);
  return lowered_result(lw, op, lowered_create(lw, op_result_type(op, 0)));
}
