/* SPDX-License-Identifier: MIT */
/* Building operations in one line.

       MlirValue sum = BUILD(b, "arith.addi", IN(x, y), OUT(i32));
       MlirOperation loop = build_op(b, &(struct op_spec){.name = "scf.for", IN(...), ...});

   A builder is an insertion point and a location; it is a lowering rule's whole context for
   creating IR. Creating cannot fail: a broken operation is a bug in the caller. */
#ifndef TILE_IR_BUILD_H
#define TILE_IR_BUILD_H

#include "ir/mlir.h"

struct builder {
  MlirContext context;
  MlirBlock block;      /* where new operations go: */
  MlirOperation before; /* before this one, or at the block's end when null */
  MlirLocation location;
};

struct op_spec {
  const char *name;
  const MlirValue *in;
  intptr_t in_count;
  const MlirType *out;
  intptr_t out_count;
  const MlirNamedAttribute *attributes;
  intptr_t attribute_count;
  MlirRegion *regions; /* moved into the operation */
  intptr_t region_count;
  const MlirBlock *successors;
  intptr_t successor_count;
};

#define COUNT_OF(type, ...) (intptr_t)(sizeof((type[]){__VA_ARGS__}) / sizeof(type))
#define IN(...) .in = (MlirValue[]){__VA_ARGS__}, .in_count = COUNT_OF(MlirValue, __VA_ARGS__)
#define OUT(...) .out = (MlirType[]){__VA_ARGS__}, .out_count = COUNT_OF(MlirType, __VA_ARGS__)
#define ATTRIBUTES(...)                                                                            \
  .attributes = (MlirNamedAttribute[]){__VA_ARGS__},                                               \
  .attribute_count = COUNT_OF(MlirNamedAttribute, __VA_ARGS__)
#define REGIONS(...)                                                                               \
  .regions = (MlirRegion[]){__VA_ARGS__}, .region_count = COUNT_OF(MlirRegion, __VA_ARGS__)
/* The same for lists of any length: an array, and how many of it. */
#define INS(list, count) .in = (list), .in_count = (count)
#define OUTS(list, count) .out = (list), .out_count = (count)
#define ATTRIBUTE_LIST(list, count) .attributes = (list), .attribute_count = (count)
#define REGION_LIST(list, count) .regions = (list), .region_count = (count)

MlirOperation build_op(struct builder *b, const struct op_spec *spec);
/* The first result of the new operation. */
MlirValue build_value(struct builder *b, const struct op_spec *spec);
#define BUILD(b, op, ...) build_value((b), &(struct op_spec){.name = (op), __VA_ARGS__})
#define BUILD_OP(b, op, ...) build_op((b), &(struct op_spec){.name = (op), __VA_ARGS__})

/* A builder before `op`, with its location. */
struct builder builder_before(MlirOperation op);
/* A builder at the end of `block`. */
struct builder builder_at_end(MlirContext context, MlirBlock block, MlirLocation location);

MlirValue build_constant(struct builder *b, MlirAttribute value, MlirType type);
MlirValue build_integer(struct builder *b, unsigned width, int64_t value);
MlirValue build_integer_of(struct builder *b, MlirType type, int64_t value);
/* A constant of an integer or float type, the same in all elements where it is a tensor's. */
MlirValue build_uniform(struct builder *b, MlirType type, double value);
/* The same as llvm.mlir.constant, for code that is past the arith conversions. */
MlirValue build_llvm_integer(struct builder *b, unsigned width, int64_t value);
MlirType integer_type(struct builder *b, unsigned width);

/* One operation on two values of a type, which is the result's. */
MlirValue build_binary(struct builder *b, const char *name, MlirValue x, MlirValue y);

/* Predicates as arith numbers them. */
enum compare_floats {
  F_EQUAL = 1,
  F_GREATER,
  F_NOT_LESS,
  F_LESS,
  F_NOT_GREATER,
  F_UNEQUAL = 13,
  F_UNORDERED = 14
};
enum compare_integers {
  I_EQUAL,
  I_UNEQUAL,
  I_LESS,
  I_NOT_GREATER,
  I_GREATER,
  I_NOT_LESS,
  I_BELOW,
  I_NOT_ABOVE,
  I_ABOVE,
  I_NOT_BELOW
};
/* arith.cmpi, or arith.cmpf of floats; of scalars or tensors. */
MlirValue build_compare(struct builder *b, int predicate, MlirValue x, MlirValue y);

/* Replaces every use of `op`'s results by `values` (as many; NULL: none is used) and erases it.
   Succeeds, so that a rule can end with it. */
MlirLogicalResult replace_op(MlirOperation op, const MlirValue *values);
/* A region with one empty block that has arguments of the given types. */
MlirRegion region_with_block(struct builder *b, intptr_t count, const MlirType *arguments);

#endif
