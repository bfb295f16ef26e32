/* SPDX-License-Identifier: MIT */
/* NVIDIA's device: the functions of its table (convert_tile_gpu_to_nvvm.c), by file. What each one
   does is said in lowering/tile_gpu_to_llvm/device_ops.h. */
#ifndef TILE_LOWERING_NVVM_NVVM_H
#define TILE_LOWERING_NVVM_NVVM_H

#include "lowering/tile_gpu_to_llvm/device_ops.h"

/* threads.c */
MlirValue nvvm_index(struct lowering *lw, enum device_index index, int axis);
void nvvm_barrier(struct lowering *lw);
void nvvm_warp_barrier(struct lowering *lw);
MlirValue nvvm_shuffle(struct lowering *lw, enum device_shuffle kind, MlirValue word,
                       MlirValue operand);
bool nvvm_reduces(enum op_kind combiner);
MlirValue nvvm_reduce(struct lowering *lw, enum op_kind combiner, MlirValue word);
/* The attribute `kind` of an nvvm operation, #nvvm<ENUMERATION WORD>. */
MlirNamedAttribute nvvm_kind(struct lowering *lw, const char *enumeration, const char *word);

#endif
