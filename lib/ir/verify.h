/* SPDX-License-Identifier: MIT */
/* Verification beyond IRDL's reach: what tile-verify runs.

   One rule per operation of ours, in verify_<dialect>.c; rules that hold for every operation with
   tensors (shapes, element types, layouts) in verify.c. A rule reports with fail_op and returns
   failure; messages say the fact, then the way out. */
#ifndef TILE_IR_VERIFY_H
#define TILE_IR_VERIFY_H

#include "ir/passes.h"

typedef MlirLogicalResult verify_rule(struct session *session, MlirOperation op);

/* The rule of an operation kind, or NULL: of tile, and of tile_gpu and tile_ptx. */
verify_rule *verify_tile_rule(enum op_kind kind);
verify_rule *verify_tile_gpu_rule(enum op_kind kind);

/* Rules of tile_gpu and tile_ptx, by file. */
/* verify_tile_gpu_dot.c */
verify_rule verify_warpgroup_dot, verify_warpgroup_wait;
/* verify_tile_gpu_shared.c */
verify_rule verify_alloc, verify_index, verify_subslice, verify_transpose, verify_local_load,
    verify_local_store, verify_async_copy, verify_prefetch, verify_async_commit;
/* verify_tile_gpu_bulk.c */
verify_rule verify_mbarrier_init, verify_mbarrier_inval, verify_mbarrier_expect,
    verify_mbarrier_arrive, verify_mbarrier_wait, verify_bulk_load;
/* verify_tile_ptx_mma.c */
verify_rule verify_mma, verify_ldmatrix, verify_stmatrix;
/* verify_tile_ptx_wgmma.c */
verify_rule verify_wgmma, verify_wgmma_wait, verify_wgmma_fence;

/* A constant zero, or a tile of it. */
bool value_is_zero(struct session *session, MlirValue value);

/* Attributes with names of ours, of an operation and of a function's parameters. */
MlirLogicalResult verify_attributes(MlirOperation op);
MlirLogicalResult verify_parameter_attributes(MlirOperation function);

/* Is this a number of warps that a program can have? Else reports so, as the option num-warps of
   the pass with this flag. */
MlirLogicalResult verify_num_warps(MlirOperation module, const char *pass, int64_t num_warps);

/* The type as text, for messages: valid until the text is freed. */
const char *show_type(MlirType type, struct text *text);

#endif
