/* SPDX-License-Identifier: MIT */
/* The seam between the lowering and a device: what the program of one thread is made of, where
   LLVM's own operations do not say it. A device is one table of functions; lib/lowering/nvvm fills
   it for NVIDIA's GPUs. Everything else in this folder knows nothing of the device.

   Each function builds its operations at `lw->b`, for every thread that comes there. A null value
   means that an operand is left out. Pointers are !llvm.ptr of the address space in question
   (ir/build_llvm.h). */
#ifndef TILE_LOWERING_TILE_GPU_TO_LLVM_DEVICE_OPS_H
#define TILE_LOWERING_TILE_GPU_TO_LLVM_DEVICE_OPS_H

#include "lowering/tile_gpu_to_llvm/lowering.h"

/* A place in the launch, and its extent. */
enum device_index { INDEX_THREAD, INDEX_BLOCK, INDEX_BLOCK_COUNT };

/* Whose word a lane gets: that of the lane whose number the operand is, or of the lane whose number
   differs in the operand's bits. */
enum device_shuffle { SHUFFLE_LANE, SHUFFLE_BUTTERFLY };

struct device_ops {
  const char *name; /* of the dialect that it is lowered to, for diagnostics */

  /* Says on a new llvm.func that it is a kernel, for how many threads in a block, and with how many
     registers a thread at most (i32; null: as many as there are). */
  void (*mark_kernel)(struct lowering *lw, MlirOperation function, int threads,
                      MlirAttribute registers);

  /* --- Threads ------------------------------------------------------------------------------ */

  /* The index along an axis (0 to 2), i32. Of INDEX_THREAD, axis 0 alone is asked for. */
  MlirValue (*index)(struct lowering *lw, enum device_index index, int axis);
  /* All threads of the block wait for one another, and see what the others have written. */
  void (*barrier)(struct lowering *lw);
  /* The same for the lanes of each warp. */
  void (*warp_barrier)(struct lowering *lw);
  /* An i32 of another lane; all lanes of the warp take part. */
  MlirValue (*shuffle)(struct lowering *lw, enum device_shuffle kind, MlirValue word,
                       MlirValue operand);
  /* Can one instruction combine an i32 of all lanes of a warp by this operation of arith? */
  bool (*reduces)(enum op_kind combiner);
  /* What it gives, to every lane; only where `reduces` holds. */
  MlirValue (*reduce)(struct lowering *lw, enum op_kind combiner, MlirValue word);
};

/* Every kernel of a module for a device; see convert_kernels.c. */
MlirLogicalResult convert_kernels(struct session *session, MlirOperation module,
                                  const struct device_ops *device);

#endif
