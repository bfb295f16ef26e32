/* SPDX-License-Identifier: MIT */
/* convert-tile-gpu-to-nvvm: kernels over tensors become the program of one thread of an NVIDIA GPU.

   Needs: kernels (func.func with tile.kernel) whose tensors have layouts, tile_gpu.num_warps on the
   module, no calls. Leaves: one llvm.func per kernel, of llvm, nvvm, arith, math, scf and tile_ptx
   operations on scalars and short vectors; tile_gpu.num_warps stays for the launcher.

     func.func @k(%p: !tile.ptr<f32>) attributes {tile.kernel}
       -> llvm.func @k(%p: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>}

   How tensors become registers is said in lowering/tile_gpu_to_llvm; here is the device's table. */
#include "ir/passes.h"
#include "lowering/nvvm/nvvm.h"

static void mark_kernel(struct lowering *lw, MlirOperation function, int threads,
                        MlirAttribute registers) {
  MlirContext context = lw->session->context;
  attribute_set(function, ATTR_NVVM_KERNEL, mlirUnitAttrGet(context));
  attribute_set(function, ATTR_NVVM_THREADS, attribute_dense_i32(context, 1, &threads));
  if (!mlirAttributeIsNull(registers))
    attribute_set(function, ATTR_NVVM_MAXNREG, registers);
}

static const struct device_ops nvvm_device = {
    .name = "nvvm",
    .mark_kernel = mark_kernel,
    .index = nvvm_index,
    .barrier = nvvm_barrier,
    .warp_barrier = nvvm_warp_barrier,
    .shuffle = nvvm_shuffle,
    .reduces = nvvm_reduces,
    .reduce = nvvm_reduce,
};

MlirLogicalResult run_convert_tile_gpu_to_nvvm(struct pass_context *context, MlirOperation module) {
  return convert_kernels(context->session, module, &nvvm_device);
}
