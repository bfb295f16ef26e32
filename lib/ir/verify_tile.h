/* SPDX-License-Identifier: MIT */
/* What the rules of the dialects' operations share, which stand in one file a family.

   IRDL has checked the number of operands and results, and that declared attributes are there; it
   has not checked the attributes' kinds. Types have been checked by verify_type. */
#ifndef TILE_IR_VERIFY_TILE_H
#define TILE_IR_VERIFY_TILE_H

#include "ir/verify.h"

/* Fails with a fact and two types: `what` is the fact, then "; " and the way out; the types stand
   after the fact. */
MlirLogicalResult fail_types(MlirOperation op, const char *what, MlirType a, MlirType b);
/* The attribute `axis` is an integer from 0 to limit - 1. */
MlirLogicalResult verify_axis(MlirOperation op, int limit);
/* Of one element type; tensors, too. */
MlirLogicalResult verify_same_element(MlirOperation op, MlirType source, MlirType result);
MlirLogicalResult verify_tensors(MlirOperation op, MlirType source, MlirType result);
/* Both scalars, or tensors of one shape and layout. */
MlirLogicalResult verify_alike(MlirOperation op, MlirType a, MlirType b);
/* A pointer or a tensor of pointers. */
MlirLogicalResult verify_pointer(struct session *session, MlirOperation op, MlirType type);
/* The attribute is absent or one of these words. */
MlirLogicalResult verify_word(MlirOperation op, const char *name, const char *const *words);
/* i1, shaped like the pointer; null for no mask. */
MlirLogicalResult verify_mask(MlirOperation op, MlirType pointer, MlirValue mask);
/* The value's element type is the pointer's pointee; one shape and layout. */
MlirLogicalResult verify_value(struct session *session, MlirOperation op, MlirType pointer,
                               MlirType value);
/* The only result is a !tile_gpu.token. */
MlirLogicalResult verify_token_result(struct session *session, MlirOperation op);
/* A declared attribute is of this kind. */
MlirLogicalResult verify_string(MlirOperation op, const char *name);
MlirLogicalResult verify_boolean(MlirOperation op, const char *name);
MlirLogicalResult verify_integer(MlirOperation op, const char *name);
/* Where operands (or results) are optional one by one, those that are there come first. `name` is
   operandSegmentSizes or resultSegmentSizes. */
MlirLogicalResult verify_prefix(MlirOperation op, const char *name);

#endif
