/* SPDX-License-Identifier: MIT */
/* tile-gpu-pack-programs: several programs of few warps in one block of threads.

   Needs: places in shared memory and barriers, so that it is known which kernels have none. Keeps:
   what is computed. Leaves: tile_gpu.programs_per_block on kernels whose programs do not need a
   block for themselves; convert-tile-gpu-to-nvvm gives program i of a block the warps from i *
   num_warps on, and the kernel a last parameter, the number of programs along x, of which a launch
   makes the number of blocks.

   Why. A multiprocessor holds 64 warps but only 32 blocks, and it starts one block at a time:
   programs of one warp leave half of it empty, and short ones keep it waiting for the next.
   Programs whose warps never wait for one another lose nothing by standing in one block.

   A kernel stays as it is where threads meet in the block: shared memory, barriers of several
   warps; and where its messages name block and thread: print, assert; and where inline assembly may
   ask for them. */
#include "base/machine.h"
#include "ir/passes.h"

const struct pass_option pack_programs_options[] = {
    {"most", OPTION_INTEGER, "1",
     "programs a block, at most: a power of two, or 0: what makes four warps"},
    {0}};

/* Of a block. 16 of them fill a multiprocessor, which holds 32, and they are small enough that a
   last program does not keep much waiting. */
enum { FILLING_WARPS = 4 };

struct inspection {
  struct session *session;
  int64_t warps;
};

static bool needs_block(const struct inspection *in, MlirOperation op) {
  return op_has(in->session, op, NEEDS_BLOCK) ||
         (in->warps > 1 && op_has(in->session, op, IS_BARRIER));
}

static MlirLogicalResult inspect(MlirOperation op, void *data) {
  return needs_block(data, op) ? FAILURE : SUCCESS;
}

MlirLogicalResult run_pack_programs(struct pass_context *context, MlirOperation module) {
  struct session *session = context->session;
  int64_t most = context->values[0].integer, warps = attribute_number(module, ATTR_NUM_WARPS, 4);
  if (most == 0)
    most = warps < FILLING_WARPS ? FILLING_WARPS / warps : 1;
  if (most < 1 || (most & (most - 1)) != 0)
    return fail_op(module, "tile-gpu-pack-programs: most = %lld is not a power of two",
                   (long long)most);
  while (most * warps > MACHINE_BLOCK_WARPS && most > 1)
    most /= 2;
  MlirOperation op = {0};
  while (next_kernel(session, module, &op)) {
    attribute_remove(op, ATTR_PROGRAMS_PER_BLOCK);
    if (most == 1 || attribute_number(op, ATTR_SHARED_BYTES, 0) != 0 ||
        FAILED(visit_operations(op, inspect, &(struct inspection){session, warps})))
      continue;
    attribute_set_integer(op, ATTR_PROGRAMS_PER_BLOCK, most);
  }
  return SUCCESS;
}
