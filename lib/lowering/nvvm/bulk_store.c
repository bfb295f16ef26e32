/* SPDX-License-Identifier: MIT */
/* NVIDIA's device: stores of boxes of a tensor from shared memory (PTX ISA, cp.async.bulk.tensor,
   cp.async.bulk.commit_group, cp.async.bulk.wait_group).

   Each warp takes its boxes (layout/warp_boxes.h) through its own slots of the buffer, and its
   lanes wait for one another alone:

     wait until all boxes of earlier stores are in the tensor         wait_group 0
     for each box
       wait until the box that was in its slot has been read          wait_group.read slots - 1
       lanes: store their elements; fence.proxy.async
       lane 0: start the store of the box; commit

   Sums are in no order. As many boxes as there are slots go together, with one wait, until those of
   the sum before have been read, one fence and one commit:

     wait_group.read 0
     lanes: store their elements of all slots; fence.proxy.async
     lane 0: start the sums of the boxes; commit

   Behind another one in the same block, the first wait is for reads: what this one has stored
   before, that one has waited for. So the tensor sees two stores of one element in their order, and
   the wait for the last boxes is there only when the warp comes back, or at
   tile_gpu.bulk_store_wait. Groups are the lane's own: a lane that has none does not wait. */
#include "base/numbers.h"
#include "ir/tensor_boxes.h"
#include "ir/tile_ops.h"
#include "layout/conversion.h"
#include "layout/warp_boxes.h"
#include "lowering/nvvm/nvvm.h"

struct bulk_store {
  const struct linear_layout *tensor;
  struct warp_boxes boxes;
  const struct lowered *value;
  const struct shared_view *view;
  int slots;                         /* of a warp */
  MlirValue start, map, first;       /* of the warp's slots; i1: is it lane 0? */
  MlirValue corner[TENSOR_MAX_RANK]; /* of the warp's first box, outermost first */
  int rank;
  bool matrices, adds;
  struct layout_conversion rows; /* stores of a box, as matrices, */
  struct conversion_side side;   /* or as registers have it, */
  int lane_bit, register_bit;    /* exchanged (layout/warp_boxes.h); -1: none are */
  MlirValue keeps;               /* i1: is that bit of the lane 0? */
};

static void build_wait(struct lowering *lw, const char *name, int pending) {
  MlirContext context = lw->session->context;
  BUILD_OP(
      &lw->b, name, .in = NULL,
      ATTRIBUTES(attribute_named(context, "pending", attribute_integer(context, 32, pending))));
  lw->device->warp_barrier(lw);
}

/* Lanes with the bit exchange registers. */
static void exchange(struct lowering *lw, const struct bulk_store *store, struct lowered *some) {
  int bit = 1 << store->register_bit;
  for (int r = 0; r < some->count; r++) {
    if (r & bit)
      continue;
    MlirValue a = register_value(lw, some, r), b = register_value(lw, some, r | bit);
    MlirType type = mlirValueGetType(a);
    some->base[r] = BUILD(&lw->b, "arith.select", IN(store->keeps, a, b), OUT(type));
    some->base[r | bit] = BUILD(&lw->b, "arith.select", IN(store->keeps, b, a), OUT(type));
    some->offset[r] = some->offset[r | bit] = 0;
  }
}

/* The registers of box `box`. */
static struct lowered *registers_of(struct lowering *lw, const struct bulk_store *store, int box) {
  int count = 1 << store->boxes.inside_bits;
  struct lowered *some = lowered_like(lw, store->value, count);
  for (int r = 0; r < count; r++) {
    uint32_t from = warp_boxes_register(&store->boxes, box, r);
    some->base[r] = store->value->base[from];
    some->offset[r] = store->value->offset[from];
  }
  if (store->register_bit >= 0)
    exchange(lw, store, some);
  return some;
}

static MlirValue slot_of(struct lowering *lw, const struct bulk_store *store, int box) {
  return buffer_address(lw, store->start, (MlirValue){0}, 1,
                        box % store->slots * store->view->stage_bytes);
}

static void fill_slot(struct lowering *lw, const struct bulk_store *store, int box) {
  const struct lowered *registers = registers_of(lw, store, box);
  MlirValue slot = slot_of(lw, store, box);
  if (store->matrices)
    lw->device->matrix_stores(lw, &store->rows, slot, registers);
  else
    build_buffer_stores(lw, &store->side, slot, 0, store->view->bytes, registers);
}

static void show_slots(struct lowering *lw) {
  BUILD_OP(&lw->b, "tile_ptx.fence_async_shared", .in = NULL);
  lw->device->warp_barrier(lw);
}

static void start_store(struct lowering *lw, const struct bulk_store *store, int box) {
  enum { FIXED = 3 };
  struct layout_point place = {
      .at = {[LAYOUT_REGISTER] = warp_boxes_register(&store->boxes, box, 0)}};
  struct layout_point at = linear_layout_apply(store->tensor, &place);
  MlirValue in[FIXED + TENSOR_MAX_RANK] = {store->map, slot_of(lw, store, box), store->first};
  for (int i = 0; i < store->rank; i++) {
    int dim = i - (store->rank - 2);
    int64_t more = dim < 0 ? 0 : at.at[LAYOUT_DIM0 + dim];
    MlirValue corner = store->corner[i];
    in[FIXED + store->rank - 1 - i] =
        more ? build_binary(&lw->b, "arith.addi", corner, constant_integer(lw, 32, more)) : corner;
  }
  MlirOperation made =
      BUILD_OP(&lw->b, "tile_ptx.cp_async_bulk_tensor_store", INS(in, FIXED + store->rank));
  if (store->adds)
    mlirOperationSetAttributeByName(made, ref("kind"),
                                    mlirStringAttrGet(lw->session->context, ref("add")));
}

static void commit(struct lowering *lw) {
  BUILD_OP(&lw->b, "tile_ptx.cp_async_bulk_commit", .in = NULL);
}

/* Where the warp's first box is: what a warp adds to the tile's first element. */
static void find_corner(struct lowering *lw, MlirOperation op, struct bulk_store *store) {
  struct linear_layout warps =
      linear_layout_sublayout(store->tensor, LAYOUT_SET(LAYOUT_WARP), LAYOUT_TENSOR_DIMS);
  store->rank = (int)mlirOperationGetNumOperands(op) - 3;
  for (int i = 0; i < store->rank; i++) {
    int dim = i - (store->rank - 2);
    MlirValue offset = register_value(lw, lowered_of(lw, op_operand(op, 3 + i)), 0), part = {0};
    if (dim >= 0)
      part = build_thread_part(lw, &warps, (enum layout_dim)(LAYOUT_DIM0 + dim));
    store->corner[i] =
        mlirValueIsNull(part) ? offset : build_binary(&lw->b, "arith.addi", offset, part);
  }
}

/* Stores as registers have it, with those exchanged by which fewest lanes meet in the banks. */
static void choose_side(struct lowering *lw, const struct linear_layout *inner, int bytes,
                        struct bulk_store *store) {
  const struct linear_layout *to_offset = &store->view->to_offset;
  store->side = conversion_at_offsets(inner, to_offset, 0, true, bytes);
  struct conversion_side plain = store->side;
  for (int lane = 0; lane < inner->in.bits[LAYOUT_LANE]; lane++)
    for (int i = 0; i < inner->in.bits[LAYOUT_REGISTER]; i++) {
      struct linear_layout exchanged = warp_boxes_exchanged(inner, lane, i);
      struct conversion_side side = conversion_at_offsets(&exchanged, to_offset, 0, true, bytes);
      if (side.vector != plain.vector || side.wavefronts >= store->side.wavefronts)
        continue;
      store->side = side;
      store->lane_bit = lane;
      store->register_bit = i;
    }
  if (store->register_bit >= 0)
    store->keeps = build_is_zero(lw, 1 << store->lane_bit);
}

/* How a box gets into its slot, and where the warp's slots are. */
static void find_slots(struct lowering *lw, MlirOperation op, struct bulk_store *store) {
  struct linear_layout inner = warp_boxes_inner(store->tensor, &store->boxes);
  const struct linear_layout *to_offset = &store->view->to_offset;
  int bytes = (int)store->view->bytes;
  store->matrices = conversion_matrix_stores(&inner, to_offset, bytes, &store->rows);
  if (!store->matrices)
    choose_side(lw, &inner, bytes, store);
  store->slots = (int)mlirShapedTypeGetDimSize(op_operand_type(op, 2), 0) / lw->num_warps;
  store->start = buffer_address(lw, store->view->start, lw->warp,
                                (unsigned)(store->slots * store->view->stage_bytes), 0);
}

static bool follows_another(struct lowering *lw, MlirOperation op) {
  MlirOperation earlier = mlirBlockGetFirstOperation(mlirOperationGetBlock(op));
  while (!mlirOperationEqual(earlier, op) &&
         (!op_is(lw->session, earlier, OP_TILE_GPU_BULK_STORE) || bulk_store_adds(earlier)))
    earlier = mlirOperationGetNextInBlock(earlier);
  return !mlirOperationEqual(earlier, op);
}

/* So many boxes from `first` on, when those in their slots have been read: one group. */
static void build_sums(struct lowering *lw, const struct bulk_store *store, int first, int count) {
  build_wait(lw, "tile_ptx.cp_async_bulk_wait_read", 0);
  for (int box = first; box < first + count; box++)
    fill_slot(lw, store, box);
  show_slots(lw);
  for (int box = first; box < first + count; box++)
    start_store(lw, store, box);
  commit(lw);
}

MlirLogicalResult nvvm_bulk_store(struct lowering *lw, MlirOperation op) {
  struct bulk_store *store = ARENA_NEW(&lw->arena, struct bulk_store);
  MlirType buffer = op_operand_type(op, 2);
  *store = (struct bulk_store){.view = shared_view_of(lw, op, op_operand(op, 2)),
                               .adds = bulk_store_adds(op),
                               .lane_bit = -1,
                               .register_bit = -1};
  if (!store->view)
    return FAILURE;
  store->tensor = layout_to_linear(&lw->session->layouts, op_operand_type(op, 1));
  if (!warp_boxes_of(store->tensor, mlirShapedTypeGetDimSize(buffer, 1),
                     mlirShapedTypeGetDimSize(buffer, 2), &store->boxes))
    return fail_op(op, "no warp holds boxes of this size");
  store->map = lowered_of(lw, op_operand(op, 0))->base[0];
  store->value = lowered_of(lw, op_operand(op, 1));
  store->first = build_is_zero(lw, MACHINE_LANES - 1);
  find_corner(lw, op, store);
  find_slots(lw, op, store);
  for (int box = 0; box < store->boxes.count && store->adds; box += store->slots)
    build_sums(lw, store, box, smaller(store->slots, store->boxes.count - box));
  for (int box = 0; box < store->boxes.count && !store->adds; box++) {
    if (box == 0)
      build_wait(lw,
                 follows_another(lw, op) ? "tile_ptx.cp_async_bulk_wait_read"
                                         : "tile_ptx.cp_async_bulk_wait",
                 0);
    else if (box >= store->slots)
      build_wait(lw, "tile_ptx.cp_async_bulk_wait_read", store->slots - 1);
    fill_slot(lw, store, box);
    show_slots(lw);
    start_store(lw, store, box);
    commit(lw);
  }
  return SUCCESS;
}

MlirLogicalResult nvvm_bulk_store_wait(struct lowering *lw, MlirOperation op) {
  (void)op;
  MlirContext context = lw->session->context;
  BUILD_OP(&lw->b, "tile_ptx.cp_async_bulk_wait_read", .in = NULL,
           ATTRIBUTES(attribute_named(context, "pending", attribute_integer(context, 32, 0))));
  return SUCCESS;
}
