/* SPDX-License-Identifier: MIT */
/* What the rules of axis info share: one rule per operation, in axis_rules_<family>.c.

   A rule gets the operation and fills the info of its single result, which starts as "nothing is
   known" with rank and element_bytes set. The driver then limits runs to the tensor's shape, so a
   rule may write AXIS_MAX for "as long as it gets". */
#ifndef TILE_ANALYSIS_AXIS_RULES_H
#define TILE_ANALYSIS_AXIS_RULES_H

#include "analysis/axis_info.h"
#include "base/numbers.h"

struct axis_case {
  struct axis_analysis *analysis;
  MlirOperation op;
  enum op_kind kind;
  unsigned bits; /* of the result's elements */
};

/* arith.cmpi's `predicate`, as MLIR numbers them. */
enum predicate {
  PREDICATE_EQ,
  PREDICATE_NE,
  PREDICATE_SLT,
  PREDICATE_SLE,
  PREDICATE_SGT,
  PREDICATE_SGE,
  PREDICATE_ULT,
  PREDICATE_ULE,
  PREDICATE_UGT,
  PREDICATE_UGE
};

typedef void axis_rule(const struct axis_case *at, struct axis_info *out);

/* The rule of an operation kind, or NULL. */
axis_rule *axis_arith_rule(enum op_kind kind);
axis_rule *axis_tile_rule(enum op_kind kind);

/* Any operation that computes each element from the operands' elements at the same place: equal
   operands give equal results. The rule of arith and math operations that have no other. */
void axis_elementwise(const struct axis_case *at, struct axis_info *out);
/* The result is the operand, element for element. */
void axis_same(const struct axis_case *at, struct axis_info *out);
/* out = lhs + rhs, where both count in out->element_bytes. */
void axis_add(const struct axis_info *lhs, const struct axis_info *rhs, struct axis_info *out);

/* Keeps what is true of both `a` and `b`. `out` may be one of them. */
void axis_join(const struct axis_info *a, const struct axis_info *b, struct axis_info *out);

static inline const struct axis_info *axis_operand(const struct axis_case *at, intptr_t index) {
  return axis_info_of(at->analysis, op_operand(at->op, index));
}
static inline unsigned axis_operand_bits(const struct axis_case *at, intptr_t index) {
  return type_bits(&at->analysis->session->types, type_element(op_operand_type(at->op, index)));
}
/* The largest power of two that divides `number`, at most AXIS_MAX. */
static inline int64_t axis_power_of_two(int64_t number) {
  uint64_t bits = (uint64_t)number | (uint64_t)AXIS_MAX;
  return (int64_t)(bits & (~bits + 1));
}

#endif
