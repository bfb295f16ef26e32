/* SPDX-License-Identifier: MIT */
/* What the files of tile-ptx-to-asm share. */
#ifndef TILE_LOWERING_PTX_PTX_TO_ASM_H
#define TILE_LOWERING_PTX_PTX_TO_ASM_H

#include "ir/build_llvm.h"
#include "ir/session.h"

/* llvm.inline_asm; both texts are taken. */
MlirOperation build_asm(struct builder *b, struct text *assembly, struct text *constraints,
                        intptr_t in_count, const MlirValue *in, intptr_t out_count,
                        const MlirType *out, bool side_effects);
/* An assembly with several results of any types: their values go to `results`. */
void build_asm_results(struct builder *b, struct text *assembly, struct text *constraints,
                       intptr_t in_count, const MlirValue *in, intptr_t out_count,
                       const MlirType *out, bool side_effects, MlirValue *results);
/* The register class of a type: r, l, f, d. */
char asm_letter(MlirType type);
/* "$12"; texts have thousands of them. */
void print_operand(struct text *out, unsigned number);
/* A constant predicate that is true. */
bool is_true(struct session *session, MlirValue predicate);

/* How one operation becomes assembly: ptx_to_asm_mma.c, _async.c, _wgmma.c and _atomics.c. */
typedef MlirLogicalResult asm_rule(struct session *session, MlirOperation op);
asm_rule mma_to_asm, ldmatrix_to_asm, stmatrix_to_asm;
asm_rule copy_to_asm, tensor_copy_to_asm, tensor_store_to_asm;
asm_rule wgmma_to_asm, wgmma_wait_to_asm, wgmma_fence_to_asm;
asm_rule atomic_to_asm;
/* The instruction of a tile_ptx.wgmma, with operand i as `$places[i]`. */
struct mma_shape;
void wgmma_print(MlirOperation op, const struct mma_shape *shape, const int *places,
                 struct text *out);
/* Groups of them, from their fence to their commit, in one text each. In ptx_to_asm_wgmma_group.c.
 */
void wgmma_groups_to_asm(struct session *session, MlirOperation module);

#endif
