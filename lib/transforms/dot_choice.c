/* SPDX-License-Identifier: MIT */
/* See dot_choice.h. */
#include "transforms/dot_choice.h"

#include "base/machine.h"
#include "base/numbers.h"
struct dot_sizes dot_read(MlirOperation op) {
  int64_t a[MAX_RANK], b[MAX_RANK];
  int rank = type_shape(op_operand_type(op, 0), a);
  type_shape(op_operand_type(op, 1), b);
  return (struct dot_sizes){.rank = rank,
                            .batch = rank == 3 ? a[0] : 1,
                            .m = a[rank - 2],
                            .k = a[rank - 1],
                            .n = b[rank - 1],
                            .a = type_element(op_operand_type(op, 0)),
                            .b = type_element(op_operand_type(op, 1)),
                            .c = type_element(op_result_type(op, 0))};
}

int dot_packed(const struct dot_sizes *sizes) {
  if (type_is_fp8(sizes->a) || type_is_integer(sizes->a, 8))
    return 4;
  return mlirTypeIsAF16(sizes->a) || mlirTypeIsABF16(sizes->a) ? 2 : 1;
}

/* Two numbers of f32 make a word of each part. */
static bool is_split_into_bf16(MlirOperation op, const struct dot_sizes *sizes) {
  MlirStringRef precision = op_string(op, "precision");
  return mlirTypeIsAF32(sizes->a) &&
         (ref_equals(precision, "bf16x3") || ref_equals(precision, "bf16x6"));
}

const char *dot_obstacle(MlirOperation op, const struct dot_sizes *sizes,
                         const struct machine *machine, struct text *text) {
  if (mlirTypeIsAF32(sizes->a) && ref_equals(op_string(op, "precision"), "ieee"))
    return "precision = \"ieee\" asks for products of full f32; \"tf32x3\" comes near them";
  if (type_is_fp8(sizes->a) && !machine_has(machine, FEATURE_FP8)) {
    text_printf(text, "fp8 needs %s; convert to f16", machine_first_with(FEATURE_FP8)->name);
    return text_string(text);
  }
  /* Four lanes along k hold 32 bits each; fp8 has only the instruction of twice that. */
  int64_t least = 4 * (int64_t)dot_packed(sizes) *
                  (type_is_fp8(sizes->a) || is_split_into_bf16(op, sizes) ? 2 : 1);
  if (sizes->k >= least)
    return NULL;
  text_printf(text, "K is %lld, and an instruction takes %lld of this type", (long long)sizes->k,
              (long long)least);
  return text_string(text);
}

/* Is m8n8k4 the only instruction? ptxas (12.8 to 13.3) refuses those with 16 rows where a thread
   has fewer than 64 registers. */
static bool has_few_f64_rows(const struct dot_sizes *sizes, const struct machine *machine,
                             int registers) {
  enum { LEAST_REGISTERS = 64 };
  return mlirTypeIsAF64(sizes->a) &&
         (!machine_has(machine, FEATURE_F64_ROWS) || registers < LEAST_REGISTERS);
}

struct mma_layout dot_choose_mma(const struct dot_sizes *sizes, const struct machine *machine,
                                 int num_warps, int registers, bool chained) {
  bool low = has_few_f64_rows(sizes, machine, registers);
  int32_t rows = low ? 8 : 16, columns = 8;
  int32_t batch = (int32_t)smaller(sizes->batch, num_warps), warps = num_warps / batch, wm = 1,
          wn = 1;
  for (; wm * wn < warps;) {
    /* Halve the larger side of a warp's part, as long as there is more than one instruction along
       it. */
    int64_t m = sizes->m / wm, n = sizes->n / wn;
    bool rows_left = m > rows, columns_left = n > columns;
    if (chained ? rows_left || !columns_left : rows_left ? m >= n || !columns_left : !columns_left)
      wm *= 2;
    else
      wn *= 2;
  }
  struct mma_layout mma = {.version = 2, .rank = sizes->rank};
  int at = sizes->rank - 2;
  if (at) {
    mma.warps_per_cta[0] = batch;
    mma.instr_shape[0] = 1;
  }
  mma.warps_per_cta[at] = wm;
  mma.warps_per_cta[at + 1] = wn;
  mma.instr_shape[at] = rows;
  mma.instr_shape[at + 1] = columns;
  return mma;
}

/* Can the accumulators stay in registers, beside what an instruction needs? ptxas lets wgmma wait
   for each other else, and does not take one whose own accumulators are too many. Sums of parts of
   k (max_imprecise) are held beside the whole. OTHER_REGISTERS is what ptxas asks for: with two
   registers fewer it lets the dots of 128 x 128 wait for each other (CUDA 13.0). */
static bool accumulators_fit(MlirOperation op, const struct dot_sizes *sizes, int num_warps,
                             int registers) {
  enum { OTHER_REGISTERS = 26 };
  int64_t accumulators = sizes->m * sizes->n / (MACHINE_LANES * (int64_t)num_warps);
  if (mlirTypeIsAF16(sizes->c))
    accumulators /= 2;
  else if (type_is_fp8(sizes->a) && op_has_attribute(op, "max_imprecise"))
    accumulators *= 2;
  return accumulators + OTHER_REGISTERS <= registers;
}

bool dot_choose_wgmma(MlirOperation op, const struct dot_sizes *sizes, int num_warps, int registers,
                      struct mma_layout *out) {
  enum {
    ROWS = 16,
    GROUP = MACHINE_GROUP_WARPS,
    LEAST_COLUMNS = 8,
    MAX_COLUMNS = 256,
    K_BYTES = 32
  };
  bool accumulators = mlirTypeIsAF32(sizes->c) || type_is_integer(sizes->c, 32) ||
                      (mlirTypeIsAF16(sizes->c) && mlirTypeIsAF16(sizes->a));
  bool fits = sizes->rank == 2 && num_warps % GROUP == 0 && sizes->m >= GROUP * ROWS &&
              accumulators && sizes->k * 4 / dot_packed(sizes) >= K_BYTES;
  if (mlirTypeIsAF64(sizes->a) ||
      (mlirTypeIsAF32(sizes->a) && !ref_equals(op_string(op, "precision"), "tf32")))
    return false;
  int32_t wm = GROUP, wn = 1;
  while (wm * wn < num_warps)
    if (sizes->m > ROWS * (int64_t)wm)
      wm *= 2;
    else
      wn *= 2;
  int64_t columns = sizes->n / wn;
  if (!fits || columns < LEAST_COLUMNS || !accumulators_fit(op, sizes, num_warps, registers))
    return false;
  *out = (struct mma_layout){.version = 3,
                             .rank = 2,
                             .warps_per_cta = {wm, wn},
                             .instr_shape = {GROUP * ROWS, (int32_t)smaller(columns, MAX_COLUMNS)}};
  return true;
}

/* The dimension in which flat place `step` is the next element; -1 for another step. */
static int unit_dimension(const struct linear_layout *layout, uint32_t step) {
  for (int dim = 0; dim < layout_space_rank(&layout->out); dim++)
    if (step ==
            UINT32_C(1) << layout_space_shift(&layout->out, (enum layout_dim)(LAYOUT_DIM0 + dim)) &&
        layout->out.bits[LAYOUT_DIM0 + dim])
      return dim;
  return -1;
}

int dot_fast_dimension(struct session *session, MlirType tensor, int otherwise) {
  const struct linear_layout *layout = layout_to_linear(&session->layouts, tensor);
  for (enum layout_dim input = LAYOUT_REGISTER; input <= LAYOUT_LANE; input++)
    for (int bit = 0; bit < layout->in.bits[input]; bit++) {
      int dim = unit_dimension(layout, linear_layout_basis(layout, input, bit));
      if (dim >= 0)
        return dim;
    }
  return otherwise;
}
