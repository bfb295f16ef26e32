/* SPDX-License-Identifier: MIT */
/* The rules of the tile dialect's operations, one file a family, and what they share.

   IRDL has checked the number of operands and results, and that declared attributes are there; it
   has not checked the attributes' kinds. Types have been checked by verify_type. */
#ifndef TILE_IR_VERIFY_TILE_H
#define TILE_IR_VERIFY_TILE_H

#include "ir/verify.h"

/* Rules, by file. */
verify_rule verify_reshape, verify_permute, verify_join, verify_split; /* verify_tile_shape.c */
verify_rule verify_gather;                                             /* verify_tile_shape.c */
verify_rule verify_reduce, verify_scan, verify_map;                    /* verify_tile_reduce.c */
verify_rule verify_sort, verify_histogram;                             /* verify_tile_sort.c */
verify_rule verify_dot, verify_dot_scaled;                             /* verify_tile_dot.c */
verify_rule verify_atomic_rmw, verify_atomic_cas;                      /* verify_tile_atomic.c */
verify_rule verify_inline_asm, verify_print, verify_assert;            /* verify_tile_effects.c */
/* verify_tile_descriptor.c */
verify_rule verify_make_descriptor, verify_descriptor_load, verify_descriptor_store;

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
/* A declared attribute is of this kind. */
MlirLogicalResult verify_string(MlirOperation op, const char *name);
MlirLogicalResult verify_boolean(MlirOperation op, const char *name);
MlirLogicalResult verify_integer(MlirOperation op, const char *name);
/* Where operands (or results) are optional one by one, those that are there come first. `name` is
   operandSegmentSizes or resultSegmentSizes. */
MlirLogicalResult verify_prefix(MlirOperation op, const char *name);

#endif
