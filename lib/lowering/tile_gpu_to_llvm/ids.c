/* SPDX-License-Identifier: MIT */
/* Program ids and grid sizes.

   Programs that take longest come first (tile-order-programs). Blocks are numbered as the hardware
   starts them, along x, then y, then z; `length` programs lie along the axis with the long ones,
   and those of GROUP positions along the other two axes make a group. A group's programs come one
   after the other, those of one place along the axis together:

     group  = number / (length * GROUP)         first = group * GROUP
     rest   = number % (length * GROUP)         size  = min(GROUP, positions - first)
     along  = rest / size                       position = first + rest % size

   and along counts from the end where the long programs are there. Every program is one block's, as
   before. Launches of 2^29 programs or more keep the hardware's order, so that all of it fits into
   32 bits. */
#include "lowering/tile_gpu_to_llvm/device_ops.h"

enum { AXES = 3, GROUP = 4, MAX_ORDERED_BITS = 29 };

/* The launch's blocks. */
struct grid {
  struct lowering *lw;
  MlirValue id[AXES], count[AXES]; /* i32 */
};

static MlirValue combined(struct grid *g, const char *name, MlirValue a, MlirValue b) {
  return build_binary(&g->lw->b, name, a, b);
}

static MlirValue number(struct grid *g, int64_t value) {
  return build_integer(&g->lw->b, 32, value);
}

/* i1: fewer than 2^MAX_ORDERED_BITS blocks. Three axes of 31, 16 and 16 bits fit into 64. */
static MlirValue are_few(struct grid *g) {
  MlirType i64 = integer_type(&g->lw->b, 64);
  MlirValue all = {0};
  for (int i = 0; i < AXES; i++) {
    MlirValue count = BUILD(&g->lw->b, "arith.extui", IN(g->count[i]), OUT(i64));
    all = i ? combined(g, "arith.muli", all, count) : count;
  }
  return build_compare(&g->lw->b, I_BELOW, all,
                       build_integer(&g->lw->b, 64, INT64_C(1) << MAX_ORDERED_BITS));
}

static MlirValue block_number(struct grid *g) {
  MlirValue above = combined(g, "arith.muli", g->count[1], g->id[2]);
  above = combined(g, "arith.addi", g->id[1], above);
  return combined(g, "arith.addi", g->id[0], combined(g, "arith.muli", g->count[0], above));
}

/* The place along the axis; *out_position: along the two others, the first of them first. */
static MlirValue place_along(struct grid *g, int axis, MlirValue positions,
                             MlirValue *out_position) {
  MlirValue block = block_number(g), whole = number(g, GROUP);
  MlirValue programs = combined(g, "arith.muli", g->count[axis], whole);
  MlirValue group = combined(g, "arith.divui", block, programs);
  MlirValue rest = combined(g, "arith.remui", block, programs);
  MlirValue first = combined(g, "arith.muli", group, whole);
  MlirValue size = combined(g, "arith.minui", whole, combined(g, "arith.subi", positions, first));
  *out_position = combined(g, "arith.addi", first, combined(g, "arith.remui", rest, size));
  return combined(g, "arith.divui", rest, size);
}

void order_programs(struct lowering *lw, MlirOperation kernel) {
  int axis = (int)attribute_number(kernel, ATTR_LONGEST_AXIS, -1);
  if (axis < 0 || lw->programs > 1)
    return;
  struct grid g = {.lw = lw};
  for (int i = 0; i < AXES; i++) {
    g.id[i] = lw->device->index(lw, INDEX_BLOCK, i);
    g.count[i] = lw->device->index(lw, INDEX_BLOCK_COUNT, i);
  }
  int low = axis == 0, high = axis == 2 ? 1 : 2;
  MlirValue position, own[AXES], few = are_few(&g);
  own[axis] =
      place_along(&g, axis, combined(&g, "arith.muli", g.count[low], g.count[high]), &position);
  if (attribute_has(kernel, ATTR_LONGEST_LAST)) {
    MlirValue last = combined(&g, "arith.subi", g.count[axis], number(&g, 1));
    own[axis] = combined(&g, "arith.subi", last, own[axis]);
  }
  own[low] = combined(&g, "arith.remui", position, g.count[low]);
  own[high] = combined(&g, "arith.divui", position, g.count[low]);
  for (int i = 0; i < AXES; i++)
    lw->ordered[i] =
        BUILD(&lw->b, "arith.select", IN(few, own[i], g.id[i]), OUT(integer_type(&lw->b, 32)));
}

MlirValue program_index(struct lowering *lw, int axis) {
  if (lw->programs > 1 && axis == 0)
    return lw->program;
  return mlirValueIsNull(lw->ordered[axis]) ? lw->device->index(lw, INDEX_BLOCK, axis)
                                            : lw->ordered[axis];
}

static MlirLogicalResult lower_place(struct lowering *lw, MlirOperation op, MlirValue value) {
  struct lowered *result = lowered_create(lw, op_result_type(op, 0));
  result->base[0] = value;
  return lowered_result(lw, op, result);
}

MlirLogicalResult lower_program_id(struct lowering *lw, MlirOperation op) {
  return lower_place(lw, op, program_index(lw, (int)op_integer(op, "axis", 0)));
}

MlirLogicalResult lower_num_programs(struct lowering *lw, MlirOperation op) {
  int axis = (int)op_integer(op, "axis", 0);
  bool is_packed = lw->programs > 1 && axis == 0;
  return lower_place(
      lw, op, is_packed ? lw->program_count : lw->device->index(lw, INDEX_BLOCK_COUNT, axis));
}
