/* SPDX-License-Identifier: MIT */
/* tile-verify-before-lowering: the last check of tensors with layouts, in every build.

   Needs: what the lowering takes: tensors with layouts, places in shared memory, barriers. Keeps
   everything. The lowering believes what operations say of themselves: one that some pass has left
   half rewritten would become numbers that are wrong. So all rules are checked here, ours
   (tile-verify) and MLIR's, whether or not a build also checks between passes. What was wrong in
   the input has been reported at the pipeline's start, so that this is an error of the compiler. */
#include "ir/passes.h"

MlirLogicalResult run_verify_before_lowering(struct pass_context *context, MlirOperation module) {
  if (mlirOperationVerify(module) && !FAILED(run_verify(context, module)))
    return SUCCESS;
  return fail_at(mlirOperationGetLocation(module),
                 "tile-verify-before-lowering: the compiler's own passes have made what is "
                 "reported above; nothing is "
                 "wrong with the kernel: please report it, with the kernel and the flags");
}
