/* SPDX-License-Identifier: MIT */
/* Program ids and grid sizes.

   Programs that take longest come first (tile-order-programs). The hardware starts blocks along x,
   then y, then z. With `length` programs along the axis with the long ones, and the next axis that
   the kernel asks for beside it, GROUP positions of that one make a group, whose programs come one
   after the other, those of one place along the axis together:

     rest  = id + length * (position % GROUP)     of the block, in the order of the hardware
     along = rest / GROUP                         of the program
     position = position - position % GROUP + rest % GROUP

   and along counts from the end where the long programs are there. Positions that are too few for a
   group, and axes whose neighbours the hardware starts together anyway, only count from the end.
   Every program is one block's, as before. There are no divisions but by GROUP: a program may be
   short. Fewer than MIN_LENGTH programs along the axis keep the hardware's order: causal attention
   of 32 and more was faster in this one (1.02), of 8 and 16 slower (0.98, 0.97). */
#include "lowering/tile_gpu_to_llvm/device_ops.h"

enum {
  AXES = 3,
  GROUP = 4,
  MIN_LENGTH = 32,
  MAX_LENGTH = 0x20000000 /* GROUP times that fits into 32 bits */
};

static MlirValue combined(struct lowering *lw, const char *name, MlirValue a, MlirValue b) {
  return build_binary(&lw->b, name, a, b);
}

static MlirValue number(struct lowering *lw, int64_t value) {
  return build_integer(&lw->b, 32, value);
}

struct used_axes {
  struct session *session;
  bool at[AXES];
};

static MlirLogicalResult note_axis(MlirOperation op, void *data) {
  struct used_axes *used = data;
  if (op_is(used->session, op, OP_TILE_PROGRAM_ID))
    used->at[op_integer(op, "axis", 0) % AXES] = true;
  return SUCCESS;
}

/* The next axis after `axis` that the kernel asks for; AXES: none. */
static int axis_beside(struct lowering *lw, MlirOperation kernel, int axis) {
  struct used_axes used = {.session = lw->session};
  visit_operations(kernel, note_axis, &used);
  do
    axis++;
  while (axis < AXES && !used.at[axis]);
  return axis;
}

static MlirValue selected(struct lowering *lw, MlirValue condition, MlirValue yes, MlirValue no) {
  return BUILD(&lw->b, "arith.select", IN(condition, yes, no), OUT(mlirValueGetType(no)));
}

/* i1: MIN_LENGTH <= length < MAX_LENGTH. */
static MlirValue is_ordered(struct lowering *lw, MlirValue length) {
  MlirValue above = combined(lw, "arith.subi", length, number(lw, MIN_LENGTH));
  return build_compare(&lw->b, I_BELOW, above, number(lw, MAX_LENGTH - MIN_LENGTH));
}

/* The order within groups of positions along `beside`. */
static void order_groups(struct lowering *lw, MlirValue length, int axis, int beside) {
  MlirValue id = lw->ordered[axis], position = lw->ordered[beside];
  MlirValue low = number(lw, GROUP - 1);
  MlirValue last = combined(lw, "arith.ori", position, low);
  MlirValue count = lw->device->index(lw, INDEX_BLOCK_COUNT, beside);
  MlirValue whole = build_compare(&lw->b, I_BELOW, last, count);
  MlirValue within = combined(lw, "arith.andi", position, low);
  MlirValue rest = combined(lw, "arith.addi", id, combined(lw, "arith.muli", length, within));
  MlirValue along = combined(lw, "arith.shrui", rest, number(lw, __builtin_ctz(GROUP)));
  MlirValue first = combined(lw, "arith.subi", position, within);
  MlirValue own = combined(lw, "arith.addi", first, combined(lw, "arith.andi", rest, low));
  lw->ordered[axis] = selected(lw, whole, along, id);
  lw->ordered[beside] = selected(lw, whole, own, position);
}

void order_programs(struct lowering *lw, MlirOperation kernel) {
  int axis = (int)attribute_number(kernel, ATTR_LONGEST_AXIS, -1);
  if (axis < 0 || lw->programs > 1)
    return;
  MlirValue id[AXES];
  for (int i = 0; i < AXES; i++)
    lw->ordered[i] = id[i] = lw->device->index(lw, INDEX_BLOCK, i);
  int beside = axis_beside(lw, kernel, axis);
  MlirValue length = lw->device->index(lw, INDEX_BLOCK_COUNT, axis);
  MlirValue ordered = is_ordered(lw, length);
  if (beside < AXES)
    order_groups(lw, length, axis, beside);
  if (attribute_has(kernel, ATTR_LONGEST_LAST)) {
    MlirValue last = combined(lw, "arith.subi", length, number(lw, 1));
    lw->ordered[axis] = combined(lw, "arith.subi", last, lw->ordered[axis]);
  }
  for (int i = 0; i < AXES; i++)
    lw->ordered[i] = selected(lw, ordered, lw->ordered[i], id[i]);
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
