/* SPDX-License-Identifier: MIT */
/* NVIDIA's device: the functions of its table (convert_tile_gpu_to_nvvm.c), by file. What each one
   does is said in lowering/tile_gpu_to_llvm/device_ops.h. */
#ifndef TILE_LOWERING_NVVM_NVVM_H
#define TILE_LOWERING_NVVM_NVVM_H

#include "base/machine.h"
#include "lowering/tile_gpu_to_llvm/device_ops.h"

#define X(kind, rule) lower_rule rule;
#include "lowering/nvvm/rules.def"
#undef X

/* threads.c */
MlirValue nvvm_index(struct lowering *lw, enum device_index index, int axis);
void nvvm_barrier(struct lowering *lw);
void nvvm_warp_barrier(struct lowering *lw);
MlirValue nvvm_shuffle(struct lowering *lw, enum device_shuffle kind, MlirValue word,
                       MlirValue operand);
bool nvvm_reduces(enum op_kind combiner);
MlirValue nvvm_reduce(struct lowering *lw, enum op_kind combiner, MlirValue word);

/* roles.c: registers of a thread with which a block with roles is launched; 0: as many as it
   needs. */
int nvvm_launch_registers(const struct machine *machine, int warps, int producers);
void nvvm_enter_role(struct lowering *lw, enum lowering_role role);

/* memory.c */
MlirValue nvvm_load(struct lowering *lw, const struct device_access *access, MlirValue other,
                    MlirType type);
void nvvm_store(struct lowering *lw, const struct device_access *access, MlirValue value);
void nvvm_prefetch(struct lowering *lw, MlirValue address, MlirValue predicate);
MlirValue nvvm_atomic(struct lowering *lw, const struct device_atomic *atomic);
void nvvm_fence(struct lowering *lw, MlirStringRef scope);
void nvvm_copy(struct lowering *lw, MlirValue destination, MlirValue source, int64_t bytes,
               MlirValue source_bytes, MlirValue predicate);
void nvvm_copy_commit(struct lowering *lw);
void nvvm_copy_wait(struct lowering *lw, int64_t pending);

/* dot_mma.c, ldmatrix.c, stmatrix.c, dot_wgmma.c */
lower_rule nvvm_dot;
bool nvvm_matrix_loads(struct lowering *lw, const struct conversion_side *side, MlirValue start,
                       unsigned bytes, struct lowered *result);
void nvvm_matrix_stores(struct lowering *lw, const struct layout_conversion *plan, MlirValue start,
                        const struct lowered *source);
void nvvm_publish(struct lowering *lw);

/* bulk_copy.c */
MlirAttribute nvvm_descriptor_attributes(MlirContext context);

/* print.c */
void nvvm_print_argument(struct lowering *lw, MlirValue argument, int64_t *end);
void nvvm_print(struct lowering *lw, const struct text *format);
void nvvm_fail(struct lowering *lw, MlirStringRef message, MlirStringRef file, int64_t line,
               MlirStringRef function);

#endif
