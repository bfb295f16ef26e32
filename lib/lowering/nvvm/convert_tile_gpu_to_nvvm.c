/* SPDX-License-Identifier: MIT */
/* convert-tile-gpu-to-nvvm: kernels over tensors become the program of one thread of an NVIDIA GPU.

   Needs: kernels (func.func with tile.kernel) whose tensors have layouts, tile_gpu.num_warps on the
   module, no calls. Leaves: one llvm.func per kernel, of llvm, nvvm, arith, math, scf and tile_ptx
   operations on scalars and short vectors; tile_gpu.num_warps stays for the launcher.

     func.func @k(%p: !tile.ptr<f32>) attributes {tile.kernel}
       -> llvm.func @k(%p: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>}

   How tensors become registers is said in lowering/tile_gpu_to_llvm; here is the device's table. */
#include "ir/module_target.h"
#include "ir/passes.h"
#include "lowering/nvvm/nvvm.h"

static void mark_kernel(struct lowering *lw, MlirOperation function, int threads,
                        MlirAttribute registers) {
  MlirContext context = lw->session->context;
  attribute_set(function, ATTR_NVVM_KERNEL, mlirUnitAttrGet(context));
  attribute_set(function, ATTR_NVVM_THREADS, attribute_dense_i32(context, 1, &threads));
  if (lw->cluster_blocks > 1)
    attribute_set(function, ATTR_NVVM_CLUSTER,
                  attribute_dense_i32(context, 3, (int32_t[]){lw->cluster_blocks, 1, 1}));
  int launch = lw->producer_warps ? nvvm_launch_registers(machine_of(lw->module), lw->num_warps,
                                                          lw->producer_warps)
                                  : 0;
  if (launch)
    registers = attribute_integer(context, 32, launch);
  if (!mlirAttributeIsNull(registers))
    attribute_set(function, ATTR_NVVM_MAXNREG, registers);
}

static lower_rule *const nvvm_rules[OP_KIND_COUNT] = {
#define X(kind, rule) [OP_##kind] = rule,
#include "lowering/nvvm/rules.def"
#undef X
};

static const struct device_ops nvvm_device = {
    .name = "nvvm",
    .rules = nvvm_rules,
    .arithmetic = {[DEVICE_EXP2] = OP_TILE_PTX_EX2,
                   [DEVICE_LOG2] = OP_TILE_PTX_LG2,
                   [DEVICE_RECIPROCAL] = OP_TILE_PTX_RCP,
                   [DEVICE_SQRT] = OP_TILE_PTX_SQRT,
                   [DEVICE_RSQRT] = OP_TILE_PTX_RSQRT,
                   [DEVICE_SIN] = OP_TILE_PTX_SIN,
                   [DEVICE_COS] = OP_TILE_PTX_COS,
                   [DEVICE_TANH] = OP_TILE_PTX_TANH,
                   [DEVICE_DIVIDE] = OP_TILE_PTX_DIV_FULL,
                   [DEVICE_F32_TO_S32] = OP_TILE_PTX_F32_TO_S32,
                   [DEVICE_F32_TO_U32] = OP_TILE_PTX_F32_TO_U32,
                   [DEVICE_F32_TO_S64] = OP_TILE_PTX_F32_TO_S64,
                   [DEVICE_F32_TO_U64] = OP_TILE_PTX_F32_TO_U64,
                   [DEVICE_F64_TO_S32] = OP_TILE_PTX_F64_TO_S32,
                   [DEVICE_F64_TO_U32] = OP_TILE_PTX_F64_TO_U32,
                   [DEVICE_F64_TO_S64] = OP_TILE_PTX_F64_TO_S64,
                   [DEVICE_F64_TO_U64] = OP_TILE_PTX_F64_TO_U64,
                   [DEVICE_PACK_S8] = OP_TILE_PTX_PACK_S8,
                   [DEVICE_PACK_U8] = OP_TILE_PTX_PACK_U8,
                   [DEVICE_F32_TO_F16X2] = OP_TILE_PTX_F32_TO_F16X2,
                   [DEVICE_F32_TO_BF16X2] = OP_TILE_PTX_F32_TO_BF16X2,
                   [DEVICE_F32_TO_E4M3] = OP_TILE_PTX_F32_TO_E4M3,
                   [DEVICE_F32_TO_E5M2] = OP_TILE_PTX_F32_TO_E5M2,
                   [DEVICE_F16_TO_E4M3] = OP_TILE_PTX_F16_TO_E4M3,
                   [DEVICE_F16_TO_E5M2] = OP_TILE_PTX_F16_TO_E5M2,
                   [DEVICE_E4M3_TO_F16] = OP_TILE_PTX_E4M3_TO_F16,
                   [DEVICE_E5M2_TO_F16] = OP_TILE_PTX_E5M2_TO_F16,
                   [DEVICE_PRODUCT_S32] = OP_TILE_PTX_MUL_WIDE_S32,
                   [DEVICE_PRODUCT_U32] = OP_TILE_PTX_MUL_WIDE_U32,
                   [DEVICE_HIDDEN_SUM] = OP_TILE_PTX_ADD_S64,
                   [DEVICE_HIDDEN_ZERO] = OP_TILE_PTX_ZERO},
    .mark_kernel = mark_kernel,
    .descriptor_attributes = nvvm_descriptor_attributes,
    .index = nvvm_index,
    .enter_role = nvvm_enter_role,
    .barrier = nvvm_barrier,
    .warp_barrier = nvvm_warp_barrier,
    .shuffle = nvvm_shuffle,
    .reduces = nvvm_reduces,
    .reduce = nvvm_reduce,
    .load = nvvm_load,
    .store = nvvm_store,
    .prefetch = nvvm_prefetch,
    .atomic = nvvm_atomic,
    .fence = nvvm_fence,
    .copy = nvvm_copy,
    .least_copy_bytes = 4, /* cp.async of 4, 8 and 16 */
    .copy_commit = nvvm_copy_commit,
    .copy_wait = nvvm_copy_wait,
    .dot = nvvm_dot,
    .matrix_loads = nvvm_matrix_loads,
    .matrix_stores = nvvm_matrix_stores,
    .publish = nvvm_publish,
    .print_argument = nvvm_print_argument,
    .print = nvvm_print,
    .fail = nvvm_fail,
};

MlirLogicalResult run_convert_tile_gpu_to_nvvm(struct pass_context *context, MlirOperation module) {
  return convert_kernels(context->session, module, &nvvm_device);
}
