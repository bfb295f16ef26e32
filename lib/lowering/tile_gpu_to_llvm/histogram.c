/* SPDX-License-Identifier: MIT */
/* histogram: counted in shared memory by atomic additions.

     bins = 0                   each thread its share
     barrier
     bins[x] += 1               each element once, if it has a bin and its mask is true
     barrier
     result = bins              in the result's layout

   A barrier before, where an earlier operation may still read the scratch, is
   tile-gpu-insert-barriers'. */
#include "analysis/scratch.h"
#include "lowering/tile_gpu_to_llvm/device_ops.h"

/* Thread t zeroes bins t, t + threads, ... */
static void clear_bins(struct lowering *lw, int64_t scratch, int64_t bins) {
  int64_t threads = lw->num_warps * MACHINE_LANES;
  MlirValue zero = constant_integer(lw, 32, 0), always = constant_integer(lw, 1, 1);
  if (bins < threads)
    always = build_compare(&lw->b, I_BELOW, lw->thread, constant_integer(lw, 32, bins));
  for (int64_t first = 0; first < bins; first += threads)
    lw->device->store(
        lw,
        &(struct device_access){.address = shared_address(lw, lw->thread, 4, scratch + 4 * first),
                                .predicate = always},
        zero);
}

/* Adds 1 to the bin of one register; a negative number is a large unsigned one, without a bin. */
static void count_register(struct lowering *lw, const struct lowered *source, int r,
                           MlirValue predicate, int64_t scratch, int64_t bins) {
  MlirType i32 = integer_type(&lw->b, 32);
  MlirValue x = register_value(lw, source, r);
  if (source->width < 32)
    x = BUILD(&lw->b, "arith.extsi", IN(x), OUT(i32));
  unsigned width = source->width < 32 ? 32 : source->width;
  predicate = conjunction(lw, predicate,
                          build_compare(&lw->b, I_BELOW, x, constant_integer(lw, width, bins)));
  if (width > 32)
    x = BUILD(&lw->b, "arith.trunci", IN(x), OUT(i32));
  lw->device->atomic(lw, &(struct device_atomic){.address = shared_address(lw, x, 4, scratch),
                                                 .predicate = predicate,
                                                 .value = constant_integer(lw, 32, 1),
                                                 .kind = ref("add"),
                                                 .sem = ref("relaxed"),
                                                 .scope = ref("cta")});
}

static void count_all(struct lowering *lw, MlirOperation op, int64_t scratch, int64_t bins) {
  const struct linear_layout *layout = layout_of_pointer(lw, op_operand(op, 0));
  const struct lowered *source = lowered_of(lw, op_operand(op, 0));
  const struct lowered *mask =
      mlirOperationGetNumOperands(op) > 1 ? lowered_of(lw, op_operand(op, 1)) : NULL;
  int copies = (int)linear_layout_free_masks(layout).at[LAYOUT_REGISTER];
  MlirValue chosen = storing_thread(lw, layout);
  for (int r = 0; r < source->count; r++) {
    if (r & copies)
      continue;
    MlirValue predicate = mask ? register_value(lw, mask, r) : (MlirValue){0};
    count_register(lw, source, r, conjunction(lw, predicate, chosen), scratch, bins);
  }
}

MlirLogicalResult lower_histogram(struct lowering *lw, MlirOperation op) {
  MlirType type = op_result_type(op, 0);
  const struct linear_layout *layout = layout_to_linear(&lw->session->layouts, type);
  struct lowered *result = lowered_create(lw, type);
  int64_t bins = type_elements(type), scratch;
  TRY_IR(scratch_offset(lw, op, 4 * bins, &scratch));
  clear_bins(lw, scratch, bins);
  build_barrier(lw);
  count_all(lw, op, scratch, bins);
  build_barrier(lw);
  struct conversion_side read = conversion_row_major(layout, 4);
  build_conversion_loads(lw, &read, scratch, 4, result);
  int copies = (int)linear_layout_free_masks(layout).at[LAYOUT_REGISTER];
  for (int r = 0; r < result->count; r++)
    result->base[r] = result->base[r & ~copies];
  return lowered_result(lw, op, result);
}
