/* SPDX-License-Identifier: MIT */
/* What the rules of tile_ptx's tensor-core operations share. */
#ifndef TILE_IR_VERIFY_TILE_PTX_H
#define TILE_IR_VERIFY_TILE_PTX_H

#include "ir/verify.h"

bool register_is_i32(MlirType type);
bool register_is_f32(MlirType type);
/* Are the operands from `first` on `count` registers of such a type? */
bool registers_are(MlirOperation op, intptr_t first, intptr_t count, bool (*is)(MlirType));
bool attribute_is_boolean(MlirOperation op, const char *name);
/* The results are of the types of `count` operands from `first` on, the accumulators. */
MlirLogicalResult verify_results_follow(MlirOperation op, intptr_t first, intptr_t count);

#endif
