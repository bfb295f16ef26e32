/* SPDX-License-Identifier: MIT */
/* Axis info through upstream's arith operations.

   Notation in the rules' equations: c, d, k are contiguity, divisibility and constancy; all are
   powers of two, so min is gcd. run is the result's contiguity, and l@run is the divisor of l at
   multiples of run (axis_divisibility_at). a(l) is the aligned part of l's runs: on every run of
   that length l is m*a, m*a + 1, ..., m*a + a - 1, with no signed or unsigned wrap inside. */
#include "analysis/axis_rules.h"

static bool is_constant(const struct axis_info *info, int64_t value) {
  return info->is_constant && info->constant == value;
}

/* a(l) = min(c, d), below the type's sign bit. */
static int64_t aligned_run(const struct axis_info *info, int dim, unsigned bits) {
  int64_t run = smaller(info->contiguity[dim], info->divisibility[dim]);
  return bits && bits < 32 ? smaller(run, (int64_t)1 << (bits - 1)) : run;
}

/* The run on which l is aligned and r one multiple of the run's length: min(a(l), k_r, d_r). */
static int64_t run_against(const struct axis_info *l, const struct axis_info *r, int dim,
                           unsigned bits) {
  int64_t run = smaller(aligned_run(l, dim, bits), r->constancy[dim]);
  return smaller(run, axis_divisibility_at(r, dim, run));
}

static int64_t common_constancy(const struct axis_info *l, const struct axis_info *r, int dim) {
  return smaller(l->constancy[dim], r->constancy[dim]);
}

static int64_t common_divisor(const struct axis_info *l, const struct axis_info *r, int dim,
                              int64_t run) {
  return smaller(axis_divisibility_at(l, dim, run), axis_divisibility_at(r, dim, run));
}

/* What both have in common, on runs of this length. */
static void set_run(const struct axis_info *l, const struct axis_info *r, int dim, int64_t run,
                    struct axis_info *out) {
  out->contiguity[dim] = run;
  out->divisibility[dim] = common_divisor(l, r, dim, run);
  out->constancy[dim] = common_constancy(l, r, dim);
}

/* --- constants -------------------------------------------------------------------------------- */

static int64_t wrap(unsigned bits, int64_t value) {
  if (bits == 1)
    return value & 1;
  if (bits == 0 || bits >= 64)
    return value;
  uint64_t sign = (uint64_t)1 << (bits - 1), low = (uint64_t)value & ((sign << 1) - 1);
  return (int64_t)((low ^ sign) - sign);
}

/* All elements are `value`, wrapped to `bits`. */
static void axis_set_constant(struct axis_info *out, unsigned bits, int64_t value) {
  value = wrap(bits, value);
  for (int d = 0; d < out->rank; d++) {
    out->contiguity[d] = 1;
    out->divisibility[d] = axis_power_of_two(value);
    out->constancy[d] = AXIS_MAX;
  }
  out->non_negative = value >= 0;
  out->is_constant = true;
  out->constant = value;
}

/* An integer, or a dense constant whose elements are all the same; nothing of other dense ones. */
static void constant_rule(const struct axis_case *at, struct axis_info *out) {
  MlirAttribute value = mlirOperationGetAttributeByName(at->op, ref("value"));
  if (mlirAttributeIsADenseElements(value) && mlirDenseElementsAttrIsSplat(value))
    value = mlirDenseElementsAttrGetSplatValue(value);
  if (!mlirAttributeIsAInteger(value) && !mlirAttributeIsAFloat(value))
    return;
  for (int d = 0; d < out->rank; d++)
    out->constancy[d] = AXIS_MAX;
  if (mlirAttributeIsAInteger(value) && at->bits >= 1 && at->bits <= 64)
    axis_set_constant(out, at->bits, mlirIntegerAttrGetValueInt(value));
}

static bool is_folded(enum op_kind kind) {
  return KIND_IN(kind, OP_ARITH_ADDI, OP_ARITH_SUBI, OP_ARITH_MULI, OP_ARITH_DIVSI, OP_ARITH_REMSI,
                 OP_ARITH_MINSI, OP_ARITH_MAXSI, OP_ARITH_ANDI, OP_ARITH_ORI);
}

/* These operations on two known numbers; false where there is no result. */
static bool fold(enum op_kind kind, int64_t l, int64_t r, int64_t *out) {
  if (kind == OP_ARITH_ADDI)
    return !__builtin_add_overflow(l, r, out);
  if (kind == OP_ARITH_SUBI)
    return !__builtin_sub_overflow(l, r, out);
  if (kind == OP_ARITH_MULI)
    return !__builtin_mul_overflow(l, r, out);
  if (KIND_IN(kind, OP_ARITH_DIVSI, OP_ARITH_REMSI)) {
    *out = r <= 0 ? 0 : kind == OP_ARITH_DIVSI ? l / r : l % r;
    return r > 0;
  }
  *out = kind == OP_ARITH_MINSI   ? smaller(l, r)
         : kind == OP_ARITH_MAXSI ? larger(l, r)
         : kind == OP_ARITH_ANDI  ? l & r
                                  : l | r;
  return true;
}

/* Two constant operands; not of i1, whose `true` is -1 to signed operations and 1 to the others. */
static bool set_folded(const struct axis_case *at, struct axis_info *out) {
  const struct axis_info *l = axis_operand(at, 0), *r = axis_operand(at, 1);
  int64_t value;
  if (at->bits <= 1 || !l->is_constant || !r->is_constant ||
      !fold(at->kind, l->constant, r->constant, &value))
    return false;
  axis_set_constant(out, at->bits, value);
  return true;
}

/* --- sums and products ------------------------------------------------------------------------ */

/* run = max(min(c_l, k_r), min(k_l, c_r));  d = min(l@run, r@run);  k = min(k_l, k_r). */
void axis_add(const struct axis_info *l, const struct axis_info *r, struct axis_info *out) {
  for (int d = 0; d < out->rank; d++) {
    int64_t run = larger(smaller(l->contiguity[d], r->constancy[d]),
                         smaller(r->contiguity[d], l->constancy[d]));
    set_run(l, r, d, run, out);
  }
}

static void add_rule(const struct axis_case *at, struct axis_info *out) {
  const struct axis_info *l = axis_operand(at, 0), *r = axis_operand(at, 1);
  axis_add(l, r, out);
  out->non_negative = l->non_negative && r->non_negative;
}

/* run = min(c_l, k_r): what is subtracted must not move.  Two runs in step differ by a constant:
   k = max(min(k_l, k_r), min(c_l, c_r)). */
static void sub_rule(const struct axis_case *at, struct axis_info *out) {
  const struct axis_info *l = axis_operand(at, 0), *r = axis_operand(at, 1);
  for (int d = 0; d < out->rank; d++) {
    int64_t run = smaller(l->contiguity[d], r->constancy[d]);
    out->contiguity[d] = run;
    out->divisibility[d] = common_divisor(l, r, d, run);
    out->constancy[d] =
        larger(common_constancy(l, r, d), smaller(l->contiguity[d], r->contiguity[d]));
  }
}

/* run = 1;  d = l@1 * r@1: of a contiguous factor every element counts, so it gives 1. */
static void mul_rule(const struct axis_case *at, struct axis_info *out) {
  const struct axis_info *l = axis_operand(at, 0), *r = axis_operand(at, 1);
  if (is_constant(l, 1) || is_constant(r, 1)) {
    *out = is_constant(l, 1) ? *r : *l;
    return;
  }
  for (int d = 0; d < out->rank; d++) {
    out->divisibility[d] =
        smaller(axis_divisibility_at(l, d, 1) * axis_divisibility_at(r, d, 1), AXIS_MAX);
    out->constancy[d] = common_constancy(l, r, d);
  }
  out->non_negative = l->non_negative && r->non_negative;
}

/* l * 2^s. Without a known s the divisor of l remains. */
static void shl_rule(const struct axis_case *at, struct axis_info *out) {
  const struct axis_info *l = axis_operand(at, 0), *r = axis_operand(at, 1);
  if (is_constant(r, 0)) {
    *out = *l;
    return;
  }
  bool known = r->is_constant && r->constant > 0 && r->constant < at->bits;
  int64_t factor = known && r->constant < 30 ? (int64_t)1 << r->constant : known ? AXIS_MAX : 1;
  for (int d = 0; d < out->rank; d++) {
    out->divisibility[d] = smaller(axis_divisibility_at(l, d, 1) * factor, AXIS_MAX);
    out->constancy[d] = common_constancy(l, r, d);
  }
  out->non_negative = l->non_negative;
}

/* --- quotients and remainders ----------------------------------------------------------------- */

/* The quotient of a division by `divisor` that is exact for multiples of it (any rounding). */
static void set_quotient(const struct axis_info *l, const struct axis_info *r, int64_t divisor,
                         struct axis_info *out) {
  for (int d = 0; d < out->rank; d++) {
    int64_t every = axis_divisibility_at(l, d, 1);
    out->divisibility[d] = divisor > 0 && every >= divisor ? every / divisor : 1;
    out->constancy[d] = common_constancy(l, r, d);
  }
}

/* l = m*a + j over r = q*a is m / q for every j in [0, a), where division rounds down: k = a. */
static void raise_quotient_constancy(const struct axis_info *l, const struct axis_info *r,
                                     unsigned bits, struct axis_info *out) {
  for (int d = 0; d < out->rank; d++)
    out->constancy[d] = larger(out->constancy[d], run_against(l, r, d, bits));
}

/* Rounding down: unsigned; towards zero for l >= 0; towards minus infinity for r > 0. Rounding up
   steps right after each multiple of r and keeps nothing. */
static bool rounds_down(enum op_kind kind, const struct axis_info *l, const struct axis_info *r) {
  return kind == OP_ARITH_DIVUI || (kind == OP_ARITH_DIVSI && l->non_negative) ||
         (kind == OP_ARITH_FLOORDIVSI && r->non_negative);
}

static void div_rule(const struct axis_case *at, struct axis_info *out) {
  const struct axis_info *l = axis_operand(at, 0), *r = axis_operand(at, 1);
  if (at->bits == 1) {
    axis_elementwise(at, out);
    return;
  }
  if (is_constant(r, 1)) {
    *out = *l;
    return;
  }
  bool power = r->is_constant && r->constant > 0 && (r->constant & (r->constant - 1)) == 0;
  set_quotient(l, r, power ? r->constant : 0, out);
  if (rounds_down(at->kind, l, r))
    raise_quotient_constancy(l, r, at->bits, out);
  out->non_negative = l->non_negative;
}

/* l >> s rounds down whatever the sign: k = min(a(l), 2^s). */
static void shr_rule(const struct axis_case *at, struct axis_info *out) {
  const struct axis_info *l = axis_operand(at, 0), *r = axis_operand(at, 1);
  if (is_constant(r, 0)) {
    *out = *l;
    return;
  }
  bool known = r->is_constant && r->constant > 0 && r->constant < at->bits;
  int64_t divisor = known && r->constant < 30 ? (int64_t)1 << r->constant : known ? AXIS_MAX : 0;
  bool exact = known && r->constant <= 30;
  set_quotient(l, r, exact ? divisor : 0, out);
  for (int d = 0; known && d < out->rank; d++)
    out->constancy[d] = larger(out->constancy[d], smaller(aligned_run(l, d, at->bits), divisor));
  out->non_negative = l->non_negative || (at->kind == OP_ARITH_SHRUI && known);
}

/* (m*a + j) % (q*a) = (m % q)*a + j: run = a. l - r*(l / r) has every common divisor of l and r.
   Signed remainders of negative numbers count too, but not across 0: see axis_info.h. */
static void rem_rule(const struct axis_case *at, struct axis_info *out) {
  const struct axis_info *l = axis_operand(at, 0), *r = axis_operand(at, 1);
  if (at->bits == 1) {
    axis_elementwise(at, out);
    return;
  }
  bool is_unsigned = at->kind == OP_ARITH_REMUI;
  for (int d = 0; d < out->rank; d++) {
    int64_t run = is_unsigned || l->non_negative ? run_against(l, r, d, at->bits) : 1;
    set_run(l, r, d, run, out);
  }
  out->non_negative = l->non_negative || (is_unsigned && r->non_negative);
}

/* --- bits ------------------------------------------------------------------------------------- */

/* 2^(number of ones at the low end). */
static int64_t ones_at_the_end(const struct axis_info *info) {
  return info->is_constant ? axis_power_of_two(~info->constant) : 1;
}

/* On an aligned run only the low bits j move. A constant with ones there lets them through
   (run = 2^ones), a multiple of 2^z removes them (k = 2^z). The result has the zeros of both. */
static void and_rule(const struct axis_case *at, struct axis_info *out) {
  const struct axis_info *in[2] = {axis_operand(at, 0), axis_operand(at, 1)};
  for (int d = 0; d < out->rank; d++) {
    out->constancy[d] = common_constancy(in[0], in[1], d);
    for (int i = 0; i < 2; i++) {
      const struct axis_info *l = in[i], *r = in[1 - i];
      int64_t passed = smaller(aligned_run(l, d, at->bits), ones_at_the_end(r));
      out->contiguity[d] = larger(out->contiguity[d], passed);
      out->constancy[d] = larger(out->constancy[d], run_against(l, r, d, at->bits));
    }
    int64_t run = out->contiguity[d];
    out->divisibility[d] =
        larger(axis_divisibility_at(in[0], d, run), axis_divisibility_at(in[1], d, run));
  }
  out->non_negative = in[0]->non_negative || in[1]->non_negative;
}

/* A multiple of 2^z leaves the low bits j alone: run = min(a(l), k_r, 2^z). */
static void or_xor_rule(const struct axis_case *at, struct axis_info *out) {
  const struct axis_info *l = axis_operand(at, 0), *r = axis_operand(at, 1);
  for (int d = 0; d < out->rank; d++) {
    int64_t run = larger(run_against(l, r, d, at->bits), run_against(r, l, d, at->bits));
    set_run(l, r, d, run, out);
  }
  out->non_negative = l->non_negative && r->non_negative;
}

/* --- order ------------------------------------------------------------------------------------ */

/* The predicate with its operands exchanged. */
static enum predicate mirrored(enum predicate predicate) {
  static const enum predicate mirror[] = {
      [PREDICATE_EQ] = PREDICATE_EQ,   [PREDICATE_NE] = PREDICATE_NE,
      [PREDICATE_SLT] = PREDICATE_SGT, [PREDICATE_SLE] = PREDICATE_SGE,
      [PREDICATE_SGT] = PREDICATE_SLT, [PREDICATE_SGE] = PREDICATE_SLE,
      [PREDICATE_ULT] = PREDICATE_UGT, [PREDICATE_ULE] = PREDICATE_UGE,
      [PREDICATE_UGT] = PREDICATE_ULT, [PREDICATE_UGE] = PREDICATE_ULE,
  };
  return mirror[predicate];
}

/* l = m*a + j against r = q*a: `l < r` is m < q and `l >= r` is m >= q, whatever j. `l <= r` and
   `l > r` are `l < r + 1` and its opposite, so r + 1 must be the multiple, which is known of
   constants only. Equality holds for one j at most and keeps nothing. */
static int64_t compare_run(enum predicate predicate, const struct axis_info *l,
                           const struct axis_info *r, int dim, unsigned bits) {
  switch (predicate) {
  case PREDICATE_SLT:
  case PREDICATE_SGE:
  case PREDICATE_ULT:
  case PREDICATE_UGE:
    return run_against(l, r, dim, bits);
  case PREDICATE_SLE:
  case PREDICATE_SGT:
  case PREDICATE_ULE:
  case PREDICATE_UGT:
    return smaller(aligned_run(l, dim, bits), ones_at_the_end(r));
  case PREDICATE_EQ:
  case PREDICATE_NE:
    break;
  }
  return 1;
}

/* Two aligned runs in step keep their distance and so their order: k = min(a(l), a(r)). */
static int64_t in_step(const struct axis_info *l, const struct axis_info *r, int dim,
                       unsigned bits) {
  return smaller(aligned_run(l, dim, bits), aligned_run(r, dim, bits));
}

static void cmp_rule(const struct axis_case *at, struct axis_info *out) {
  const struct axis_info *l = axis_operand(at, 0), *r = axis_operand(at, 1);
  int64_t number = op_integer(at->op, "predicate", PREDICATE_EQ);
  enum predicate predicate =
      number >= 0 && number <= PREDICATE_UGE ? (enum predicate)number : PREDICATE_EQ;
  unsigned bits = axis_operand_bits(at, 0);
  for (int d = 0; d < out->rank; d++) {
    int64_t run = common_constancy(l, r, d);
    run = larger(run, compare_run(predicate, l, r, d, bits));
    run = larger(run, compare_run(mirrored(predicate), r, l, d, bits));
    run = larger(run, in_step(l, r, d, bits));
    out->constancy[d] = run;
  }
}

/* One of the two, the same one on runs in step: run = min(a(l), a(r)). */
static void min_max_rule(const struct axis_case *at, struct axis_info *out) {
  const struct axis_info *l = axis_operand(at, 0), *r = axis_operand(at, 1);
  for (int d = 0; d < out->rank; d++)
    set_run(l, r, d, in_step(l, r, d, at->bits), out);
  bool either = at->kind == OP_ARITH_MAXSI || at->kind == OP_ARITH_MINUI;
  out->non_negative =
      either ? l->non_negative || r->non_negative : l->non_negative && r->non_negative;
}

/* Where the condition does not change, one operand: each property is min over both and k_cond. A
   scalar condition never changes. */
static void select_rule(const struct axis_case *at, struct axis_info *out) {
  const struct axis_info *condition = axis_operand(at, 0);
  bool scalar = !type_is_tensor(op_operand_type(at->op, 0));
  struct axis_info both;
  if (condition->is_constant) {
    *out = *axis_operand(at, condition->constant ? 1 : 2);
    return;
  }
  axis_join(axis_operand(at, 1), axis_operand(at, 2), &both);
  if (both.is_constant) {
    *out = both;
    return;
  }
  for (int d = 0; d < out->rank; d++) {
    int64_t limit = scalar ? AXIS_MAX : condition->constancy[d];
    int64_t run = smaller(both.contiguity[d], limit);
    out->contiguity[d] = run;
    out->divisibility[d] = axis_divisibility_at(&both, d, run);
    out->constancy[d] = smaller(both.constancy[d], limit);
  }
  out->non_negative = both.non_negative;
}

/* --- widths ----------------------------------------------------------------------------------- */

/* The low bits of everything stay what they were. */
static void trunci_rule(const struct axis_case *at, struct axis_info *out) {
  *out = *axis_operand(at, 0);
  out->non_negative = false;
  if (out->is_constant)
    axis_set_constant(out, at->bits, out->constant);
}

/* Sign extension keeps whole runs by the language's rule, from i32 up; narrower numbers and zero
   extension keep aligned runs only. */
static void set_widened(const struct axis_case *at, bool is_signed, struct axis_info *out) {
  const struct axis_info *in = axis_operand(at, 0);
  unsigned bits = axis_operand_bits(at, 0);
  if (in->is_constant && (bits > 1) && (is_signed || in->constant >= 0)) {
    axis_set_constant(out, at->bits, in->constant);
    return;
  }
  for (int d = 0; d < out->rank; d++) {
    int64_t run = is_signed && bits >= 32 ? in->contiguity[d] : aligned_run(in, d, bits);
    out->contiguity[d] = run;
    out->divisibility[d] = axis_divisibility_at(in, d, run);
    out->constancy[d] = in->constancy[d];
  }
  out->non_negative = is_signed ? bits > 1 && in->non_negative : true;
}

static void extsi_rule(const struct axis_case *at, struct axis_info *out) {
  set_widened(at, true, out);
}

static void extui_rule(const struct axis_case *at, struct axis_info *out) {
  set_widened(at, false, out);
}

static void index_cast_rule(const struct axis_case *at, struct axis_info *out) {
  unsigned from = axis_operand_bits(at, 0);
  if (at->bits > from)
    set_widened(at, true, out);
  else if (at->bits == from)
    axis_same(at, out);
  else
    trunci_rule(at, out);
}

void axis_elementwise(const struct axis_case *at, struct axis_info *out) {
  intptr_t count = mlirOperationGetNumOperands(at->op);
  for (int d = 0; count > 0 && d < out->rank; d++) {
    out->constancy[d] = AXIS_MAX;
    for (intptr_t i = 0; i < count; i++)
      out->constancy[d] = smaller(out->constancy[d], axis_operand(at, i)->constancy[d]);
  }
}

static axis_rule *const rules[OP_KIND_COUNT] = {
    [OP_ARITH_CONSTANT] = constant_rule,
    [OP_ARITH_ADDI] = add_rule,
    [OP_ARITH_SUBI] = sub_rule,
    [OP_ARITH_MULI] = mul_rule,
    [OP_ARITH_SHLI] = shl_rule,
    [OP_ARITH_DIVSI] = div_rule,
    [OP_ARITH_DIVUI] = div_rule,
    [OP_ARITH_CEILDIVSI] = div_rule,
    [OP_ARITH_CEILDIVUI] = div_rule,
    [OP_ARITH_FLOORDIVSI] = div_rule,
    [OP_ARITH_SHRSI] = shr_rule,
    [OP_ARITH_SHRUI] = shr_rule,
    [OP_ARITH_REMSI] = rem_rule,
    [OP_ARITH_REMUI] = rem_rule,
    [OP_ARITH_ANDI] = and_rule,
    [OP_ARITH_ORI] = or_xor_rule,
    [OP_ARITH_XORI] = or_xor_rule,
    [OP_ARITH_CMPI] = cmp_rule,
    [OP_ARITH_MINSI] = min_max_rule,
    [OP_ARITH_MINUI] = min_max_rule,
    [OP_ARITH_MAXSI] = min_max_rule,
    [OP_ARITH_MAXUI] = min_max_rule,
    [OP_ARITH_SELECT] = select_rule,
    [OP_ARITH_EXTSI] = extsi_rule,
    [OP_ARITH_EXTUI] = extui_rule,
    [OP_ARITH_TRUNCI] = trunci_rule,
    [OP_ARITH_INDEX_CAST] = index_cast_rule,
};

static void folding_rule(const struct axis_case *at, struct axis_info *out) {
  if (!set_folded(at, out))
    rules[at->kind](at, out);
}

axis_rule *axis_arith_rule(enum op_kind kind) {
  return is_folded(kind) ? folding_rule : rules[kind];
}
