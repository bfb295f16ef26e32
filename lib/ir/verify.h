/* SPDX-License-Identifier: MIT */
/* Verification beyond IRDL's reach: what tile-verify runs.

   One rule per operation of ours (verify.def), in verify_<dialect>.c; rules that hold for every
   operation with tensors (shapes, element types, layouts) in verify.c. A rule reports with fail_op
   and returns failure; messages say the fact, then the way out. */
#ifndef TILE_IR_VERIFY_H
#define TILE_IR_VERIFY_H

#include "ir/passes.h"

typedef MlirLogicalResult verify_rule(struct session *session, MlirOperation op);

#define X(kind, rule) verify_rule rule;
#include "ir/verify.def"
#undef X

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
