/* SPDX-License-Identifier: MIT */
/* tile_gpu.local_transpose: bytes from one buffer in shared memory into another, by ldmatrix, prmt
   and stmatrix (layout/byte_transpose.h). */
#include "base/numbers.h"
#include "layout/byte_transpose.h"
#include "layout/conversion.h"
#include "lowering/nvvm/nvvm.h"

/* Matrices of an instruction; instructions whose rows are loaded before the first is stored, and
   where registers are few (machine_role_registers): 4 spill there. */
enum { MATRICES = 4, TOGETHER = 4, FEW_TOGETHER = 2 };

struct addresses {
  MlirValue *list;
  int count;
};

static void note_address(struct lowering *lw, MlirValue address, int first_register, void *data) {
  struct addresses *addresses = data;
  (void)lw;
  (void)first_register;
  addresses->list[addresses->count++] = address;
}

static struct addresses build_addresses(struct lowering *lw, const struct shared_view *view,
                                        const struct linear_layout *rows) {
  struct conversion_side side = {.address = *rows, .origin = view->origin, .vector = 1};
  size_t count = (size_t)1 << rows->in.bits[LAYOUT_REGISTER];
  struct addresses addresses = {.list = ARENA_ARRAY(&lw->arena, MlirValue, count)};
  build_buffer_copies(lw, &side, view->start, 1, note_address, &addresses);
  return addresses;
}

/* Coordinates in place of the flat number of an element. */
static struct linear_layout by_coordinates(const struct shared_view *view) {
  struct linear_layout layout = view->to_offset;
  layout.in = (struct layout_space){.bits = {[LAYOUT_DIM0] = (uint8_t)log2_of(view->shape[0]),
                                             [LAYOUT_DIM0 + 1] = (uint8_t)log2_of(view->shape[1])},
                                    .dims = LAYOUT_SET(LAYOUT_DIM0) | LAYOUT_SET(LAYOUT_DIM0 + 1)};
  return layout;
}

struct selectors {
  MlirValue of[2]; /* i32: for the bytes of matrix 0 and 2, of 1 and 3 */
};

/* Lanes from 16 on have the other columns. */
static struct selectors build_selectors(struct lowering *lw) {
  MlirValue lower = build_is_zero(lw, MACHINE_LANES / 2),
            even = constant_integer(lw, 32, BYTE_TRANSPOSE_EVEN),
            odd = constant_integer(lw, 32, BYTE_TRANSPOSE_ODD);
  MlirType i32 = integer_type(&lw->b, 32);
  return (struct selectors){{BUILD(&lw->b, "arith.select", IN(lower, even, odd), OUT(i32)),
                             BUILD(&lw->b, "arith.select", IN(lower, odd, even), OUT(i32))}};
}

static MlirOperation build_rows(struct lowering *lw, MlirValue address) {
  MlirContext context = lw->session->context;
  MlirType i32 = integer_type(&lw->b, 32), out[MATRICES] = {i32, i32, i32, i32};
  MlirNamedAttribute attributes[] = {
      attribute_named(context, "count", attribute_integer(context, 32, MATRICES)),
      attribute_named(context, "transpose", mlirBoolAttrGet(context, true))};
  return BUILD_OP(&lw->b, "tile_ptx.ldmatrix", INS(&address, 1), OUTS(out, MATRICES),
                  ATTRIBUTE_LIST(attributes, 2));
}

static void build_columns(struct lowering *lw, MlirValue address, MlirOperation rows,
                          const struct selectors *selectors) {
  MlirValue in[1 + MATRICES] = {address};
  for (int i = 0; i < MATRICES; i++)
    in[1 + i] =
        BUILD(&lw->b, "tile_ptx.prmt",
              IN(op_result(rows, i / 2 * 2), op_result(rows, i / 2 * 2 + 1), selectors->of[i % 2]),
              OUT(integer_type(&lw->b, 32)));
  MlirNamedAttribute attribute = attribute_named(lw->session->context, "transpose",
                                                 mlirBoolAttrGet(lw->session->context, false));
  BUILD_OP(&lw->b, "tile_ptx.stmatrix", INS(in, 1 + MATRICES), ATTRIBUTE_LIST(&attribute, 1));
}

static void build_copies(struct lowering *lw, const struct byte_transpose *plan,
                         const struct shared_view *source, const struct shared_view *result) {
  struct selectors selectors = build_selectors(lw);
  struct addresses from = build_addresses(lw, source, &plan->reads),
                   to = build_addresses(lw, result, &plan->writes);
  int together = lw->role == ROLE_TRANSPOSER ? FEW_TOGETHER : TOGETHER;
  for (int first = 0; first < from.count; first += together) {
    MlirOperation rows[TOGETHER];
    int count = (int)smaller(together, from.count - first);
    for (int i = 0; i < count; i++)
      rows[i] = build_rows(lw, from.list[first + i]);
    for (int i = 0; i < count; i++)
      build_columns(lw, to.list[first + i], rows[i], &selectors);
  }
  lw->device->publish(lw);
}

/* Two warps that have only the last bit of their numbers between them, in a role of their own. */
MlirLogicalResult nvvm_local_transpose(struct lowering *lw, MlirOperation op) {
  bool by_role = attribute_has(op, ATTR_BY_ROLE);
  const struct shared_view *source = shared_view_of(lw, op, op_operand(op, 0)),
                           *result = shared_view_of(lw, op, op_operand(op, 1));
  if (!source || !result)
    return FAILURE;
  struct linear_layout from = by_coordinates(source), to = by_coordinates(result);
  struct byte_transpose plan;
  if (!byte_transpose_plan(&from, &to, op_has_attribute(op, "interleaved"),
                           by_role ? 1 : log2_of(lw->num_warps), &plan))
    return fail_op(op, "not a valid operation; tile-verify says why");
  bool ahead = lw->places_ahead;
  if (by_role) { /* other bits of a warp's number say which role it has */
    linear_layout_append(&plan.reads, LAYOUT_WARP, 0);
    linear_layout_append(&plan.writes, LAYOUT_WARP, 0);
    lw->places_ahead = false; /* few registers */
  }
  if (!plan.idle) {
    build_copies(lw, &plan, source, result);
    lw->places_ahead = ahead;
    if (by_role) /* one lane says what all have done */
      lw->device->warp_barrier(lw);
    return SUCCESS;
  }
  MlirValue busy = build_is_zero(lw, plan.idle * MACHINE_LANES);
  MlirRegion region = region_with_block(&lw->b, 0, NULL);
  MlirBlock block = mlirRegionGetFirstBlock(region);
  BUILD_OP(&lw->b, "scf.if", INS(&busy, 1), REGIONS(region, mlirRegionCreate()));
  struct builder outside = lw->b;
  lw->b = builder_at_end(lw->b.context, block, lw->b.location);
  build_copies(lw, &plan, source, result);
  BUILD_OP(&lw->b, "scf.yield", .in = NULL);
  lw->b = outside;
  lw->places_ahead = ahead;
  if (by_role)
    lw->device->warp_barrier(lw);
  return SUCCESS;
}
