/* SPDX-License-Identifier: MIT */
/* The analysis itself: a forward walk in program order that applies one rule per operation, with a
   fixpoint at loops.

   Loop-carried values start as optimistic as their initial value and are joined with what the body
   yields until nothing changes. A value's state is kept when an enclosing loop comes around again,
   and only ever gets weaker, so the passes over a body are bounded by the number of such steps, not
   by a power of the nesting depth. */
#include "analysis/axis_info.h"

#include <string.h>
#include "analysis/axis_rules.h"
#include "base/numbers.h"

/* Passes over a loop's body before its carried values are given up; ordinary loops take two. */
enum { MAX_ROUNDS = 40 };

/* --- infos ------------------------------------------------------------------------------------ */

int64_t axis_divisibility_at(const struct axis_info *info, int dim, int64_t run) {
  int64_t start = info->divisibility[dim];
  if (run >= info->contiguity[dim])
    return start;
  return smaller(start, run * info->element_bytes);
}

static unsigned element_bytes(struct session *session, MlirType type) {
  MlirType element = type_element(type);
  if (!type_is_pointer(&session->types, element))
    return 1;
  return type_bytes(&session->types, pointer_pointee(&session->types, element));
}

/* Nothing is known. */
static void set_unknown(struct axis_info *info, struct session *session, MlirType type) {
  unsigned bytes = element_bytes(session, type);
  *info = (struct axis_info){.rank = 1, .element_bytes = is_power_of_two(bytes) ? bytes : 1};
  if (type_is_tensor(type))
    info->rank = (int)smaller(mlirShapedTypeGetRank(type), MAX_RANK);
  for (int d = 0; d < MAX_RANK; d++)
    info->contiguity[d] = info->divisibility[d] = info->constancy[d] = 1;
}

/* The longest run that a dimension of `size` can hold in whole multiples. */
static int64_t longest_run(int64_t size) {
  return size > 0 ? axis_power_of_two(size) : 1;
}

/* Limits runs to the shape, then lifts every divisor to that of all elements, which each dimension
   by itself tells. A run as long as the dimension begins at 0 and nowhere else. */
static void normalize(struct axis_info *info, MlirType type) {
  int64_t shape[MAX_RANK] = {1}, every = 1;
  type_shape(type, shape);
  for (int d = 0; d < info->rank; d++) {
    int64_t limit = longest_run(shape[d]);
    int64_t run = smaller(info->contiguity[d], limit);
    if (run != shape[d])
      info->divisibility[d] = axis_divisibility_at(info, d, run);
    info->contiguity[d] = run;
    info->constancy[d] = smaller(info->constancy[d], limit);
    every = larger(every, axis_divisibility_at(info, d, 1));
  }
  for (int d = 0; d < info->rank; d++)
    info->divisibility[d] = larger(info->divisibility[d], every);
}

void axis_join(const struct axis_info *a, const struct axis_info *b, struct axis_info *out) {
  struct axis_info both = *a;
  for (int d = 0; d < a->rank; d++) {
    int64_t run = smaller(a->contiguity[d], b->contiguity[d]);
    both.contiguity[d] = run;
    both.divisibility[d] =
        smaller(axis_divisibility_at(a, d, run), axis_divisibility_at(b, d, run));
    both.constancy[d] = smaller(a->constancy[d], b->constancy[d]);
  }
  both.non_negative = a->non_negative && b->non_negative;
  both.is_constant = a->is_constant && b->is_constant && a->constant == b->constant;
  both.constant = both.is_constant ? a->constant : 0;
  *out = both;
}

static bool same_info(const struct axis_info *a, const struct axis_info *b) {
  return memcmp(a->contiguity, b->contiguity, sizeof a->contiguity) == 0 &&
         memcmp(a->divisibility, b->divisibility, sizeof a->divisibility) == 0 &&
         memcmp(a->constancy, b->constancy, sizeof a->constancy) == 0 &&
         a->non_negative == b->non_negative && a->is_constant == b->is_constant;
}

/* The slot of a value, made on first use: then it says that nothing is known. */
static struct axis_info *slot_of(struct axis_analysis *analysis, MlirValue value) {
  struct axis_info *info = map_get(&analysis->infos, value.ptr);
  if (!info) {
    info = ARENA_NEW(&analysis->arena, struct axis_info);
    set_unknown(info, analysis->session, mlirValueGetType(value));
    map_set(&analysis->infos, value.ptr, info);
  }
  return info;
}

static void store(struct axis_analysis *analysis, MlirValue value, const struct axis_info *info) {
  struct axis_info *slot = slot_of(analysis, value);
  *slot = *info;
  normalize(slot, mlirValueGetType(value));
  slot->non_negative |= map_get(&analysis->non_negative, value.ptr) != NULL;
  const int64_t *multiple = map_get(&analysis->multiples, value.ptr);
  if (multiple)
    slot->divisibility[0] = larger(slot->divisibility[0], *multiple);
}

static void store_unknown(struct axis_analysis *analysis, MlirValue value) {
  struct axis_info unknown;
  set_unknown(&unknown, analysis->session, mlirValueGetType(value));
  store(analysis, value, &unknown);
}

/* Weakens `value` so that it also covers `source`; the first source is taken as it is. True when
   that changed something. */
static bool cover(struct axis_analysis *analysis, MlirValue value, MlirValue source) {
  struct axis_info *known = map_get(&analysis->infos, value.ptr);
  struct axis_info joined = *axis_info_of(analysis, source);
  if (known)
    axis_join(known, &joined, &joined);
  struct axis_info old = known ? *known : joined;
  store(analysis, value, &joined);
  return !known || !same_info(&old, axis_info_of(analysis, value));
}

/* --- seeds ------------------------------------------------------------------------------------ */

/* Looks an attribute up in an operation or a dictionary. */
struct hints {
  MlirOperation op;
  MlirAttribute dictionary; /* used when `op` is null */
};

static MlirAttribute find_hint(const struct hints *hints, enum attribute_name name) {
  return mlirOperationIsNull(hints->op) ? attribute_entry(hints->dictionary, name)
                                        : attribute_get(hints->op, name);
}

/* The hint for dimension `dim` of `rank`; 0 when there is none. */
static int64_t hint_at(MlirAttribute hint, int dim, int rank) {
  if (mlirAttributeIsNull(hint))
    return 0;
  if (mlirAttributeIsAInteger(hint))
    return rank == 1 ? mlirIntegerAttrGetValueInt(hint) : 0;
  if (mlirAttributeIsADenseI32Array(hint) && mlirDenseArrayGetNumElements(hint) == rank)
    return mlirDenseI32ArrayGetElement(hint, dim);
  if (mlirAttributeIsADenseI64Array(hint) && mlirDenseArrayGetNumElements(hint) == rank)
    return mlirDenseI64ArrayGetElement(hint, dim);
  if (mlirAttributeIsAArray(hint) && mlirArrayAttrGetNumElements(hint) == rank)
    return hint_at(mlirArrayAttrGetElement(hint, dim), 0, 1);
  return 0;
}

static int64_t raise_to(int64_t known, int64_t hint) {
  return hint > 0 ? larger(known, axis_power_of_two(hint)) : known;
}

/* Raises the info of `value` by what the user promises. */
static void apply_hints(struct axis_analysis *analysis, const struct hints *hints,
                        MlirValue value) {
  MlirAttribute contiguity = find_hint(hints, ATTR_CONTIGUITY);
  MlirAttribute divisibility = find_hint(hints, ATTR_DIVISIBILITY);
  MlirAttribute constancy = find_hint(hints, ATTR_CONSTANCY);
  if (mlirAttributeIsNull(contiguity) && mlirAttributeIsNull(divisibility) &&
      mlirAttributeIsNull(constancy))
    return;
  struct axis_info info = *axis_info_of(analysis, value);
  for (int d = 0; d < info.rank; d++) {
    info.contiguity[d] = raise_to(info.contiguity[d], hint_at(contiguity, d, info.rank));
    info.divisibility[d] = raise_to(info.divisibility[d], hint_at(divisibility, d, info.rank));
    info.constancy[d] = raise_to(info.constancy[d], hint_at(constancy, d, info.rank));
  }
  store(analysis, value, &info);
}

static void seed_arguments(struct axis_analysis *analysis, MlirOperation function,
                           MlirBlock entry) {
  MlirAttribute all = mlirOperationGetAttributeByName(function, ref("arg_attrs"));
  if (mlirAttributeIsNull(all) || !mlirAttributeIsAArray(all))
    return;
  intptr_t count = smaller(mlirArrayAttrGetNumElements(all), mlirBlockGetNumArguments(entry));
  for (intptr_t i = 0; i < count; i++) {
    MlirAttribute dictionary = mlirArrayAttrGetElement(all, i);
    if (mlirAttributeIsADictionary(dictionary))
      apply_hints(analysis, &(struct hints){.dictionary = dictionary},
                  mlirBlockGetArgument(entry, i));
  }
}

/* The number of an arith.constant, or `fallback`. */
static int64_t constant_of(struct session *session, MlirValue value, int64_t fallback) {
  int64_t constant = fallback;
  uniform_integer(session, value, &constant);
  return constant;
}

/* `x >= 0` or `x > -1`, for which x is noted when the assumption is in the block that defines x and
   so holds wherever x does. */
static void note_non_negative(struct axis_analysis *analysis, MlirOperation assume, MlirValue x,
                              bool holds) {
  if (holds && mlirBlockEqual(mlirOperationGetBlock(assume), value_block(x)))
    map_set(&analysis->non_negative, x.ptr, analysis);
}

/* `x % n == 0` or `x & (2^k - 1) == 0` for a scalar x of the assumption's block. */
static void note_multiple(struct axis_analysis *analysis, MlirOperation assume, MlirValue rest) {
  MlirOperation op = value_definition(rest);
  if (mlirOperationIsNull(op) || type_is_tensor(mlirValueGetType(rest)))
    return;
  enum op_kind kind = kind_of(analysis->session, op);
  bool remainder = kind == OP_ARITH_REMSI || kind == OP_ARITH_REMUI;
  if (!remainder && kind != OP_ARITH_ANDI)
    return;
  MlirValue x = op_operand(op, 0);
  int64_t number = constant_of(analysis->session, op_operand(op, 1), 0);
  if (number < 1 || number >= AXIS_MAX ||
      !mlirBlockEqual(mlirOperationGetBlock(assume), value_block(x)))
    return;
  int64_t *multiple = ARENA_NEW(&analysis->arena, int64_t);
  *multiple = axis_power_of_two(remainder ? number : ~number);
  map_set(&analysis->multiples, x.ptr, multiple);
}

/* Conjunctions are taken apart, `depth` deep at most. */
static void read_condition(struct axis_analysis *analysis, MlirOperation assume,
                           MlirValue condition, int depth) {
  MlirOperation op = value_definition(condition);
  if (mlirOperationIsNull(op))
    return;
  enum op_kind kind = kind_of(analysis->session, op);
  if (kind == OP_ARITH_ANDI && depth > 0) {
    read_condition(analysis, assume, op_operand(op, 0), depth - 1);
    read_condition(analysis, assume, op_operand(op, 1), depth - 1);
  }
  if (kind != OP_ARITH_CMPI)
    return;
  int64_t predicate = op_integer(op, "predicate", PREDICATE_EQ);
  MlirValue l = op_operand(op, 0), r = op_operand(op, 1);
  int64_t low_l = constant_of(analysis->session, l, INT64_MIN),
          low_r = constant_of(analysis->session, r, INT64_MIN);
  note_non_negative(analysis, assume, l, predicate == PREDICATE_SGE && low_r >= 0);
  note_non_negative(analysis, assume, l, predicate == PREDICATE_SGT && low_r >= -1);
  note_non_negative(analysis, assume, r, predicate == PREDICATE_SLE && low_l >= 0);
  note_non_negative(analysis, assume, r, predicate == PREDICATE_SLT && low_l >= -1);
  if (predicate == PREDICATE_EQ && low_r == 0)
    note_multiple(analysis, assume, l);
}

static MlirLogicalResult read_assumption(MlirOperation op, void *data) {
  struct axis_analysis *analysis = data;
  if (kind_of(analysis->session, op) == OP_TILE_ASSUME)
    read_condition(analysis, op, op_operand(op, 0), 4);
  return SUCCESS;
}

/* --- operations ------------------------------------------------------------------------------- */

static void visit_block(struct axis_analysis *analysis, MlirBlock block);

static void visit_region(struct axis_analysis *analysis, MlirRegion region) {
  MlirBlock block = mlirRegionGetFirstBlock(region);
  for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
    visit_block(analysis, block);
}

/* True for pointers whose elements have no power-of-two size, and integers beyond 64 bits: their
   runs are left unknown. */
static bool is_odd_type(struct session *session, MlirType type) {
  MlirType element = type_element(type);
  if (type_is_pointer(&session->types, element))
    return !is_power_of_two(element_bytes(session, type));
  return mlirTypeIsAInteger(element) && mlirIntegerTypeGetWidth(element) > 64;
}

static void visit_plain(struct axis_analysis *analysis, MlirOperation op) {
  const struct op_info *known = op_info(&analysis->session->names, op);
  axis_rule *rule = axis_arith_rule(known->kind);
  rule = rule ? rule : axis_tile_rule(known->kind);
  if (!rule && (known->properties & IS_ELEMENTWISE))
    rule = axis_elementwise;
  intptr_t results = mlirOperationGetNumResults(op);
  if (!rule || results != 1 || is_odd_type(analysis->session, op_result_type(op, 0))) {
    for (intptr_t i = 0; i < results; i++)
      store_unknown(analysis, op_result(op, i));
    return;
  }
  struct axis_info info;
  MlirType type = op_result_type(op, 0);
  set_unknown(&info, analysis->session, type);
  rule(&(struct axis_case){.analysis = analysis,
                           .op = op,
                           .kind = known->kind,
                           .bits = type_bits(&analysis->session->types, type_element(type))},
       &info);
  store(analysis, op_result(op, 0), &info);
}

/* --- control flow ----------------------------------------------------------------------------- */

/* Covers `count` values by the operands of `from`, starting at `first`. */
static bool cover_arguments(struct axis_analysis *analysis, MlirBlock block, intptr_t skip,
                            MlirOperation from, intptr_t first) {
  bool changed = false;
  for (intptr_t i = skip; i < mlirBlockGetNumArguments(block); i++)
    changed |= cover(analysis, mlirBlockGetArgument(block, i), op_operand(from, first + i - skip));
  return changed;
}

static void forget_arguments(struct axis_analysis *analysis, MlirBlock block, intptr_t skip) {
  for (intptr_t i = skip; i < mlirBlockGetNumArguments(block); i++)
    store_unknown(analysis, mlirBlockGetArgument(block, i));
}

/* The induction variable: lower + n * step. */
static void set_induction(struct axis_analysis *analysis, MlirOperation op, MlirValue variable) {
  const struct axis_info *lower = axis_info_of(analysis, op_operand(op, 0));
  const struct axis_info *step = axis_info_of(analysis, op_operand(op, 2));
  struct axis_info info;
  set_unknown(&info, analysis->session, mlirValueGetType(variable));
  info.divisibility[0] = smaller(lower->divisibility[0], step->divisibility[0]);
  info.non_negative = lower->non_negative && !op_has_attribute(op, "unsignedCmp");
  store(analysis, variable, &info);
}

/* scf.for: operands lower, upper, step, inits...; body arguments variable, carried... */
static void visit_for(struct axis_analysis *analysis, MlirOperation op) {
  MlirBlock body = op_body(op, 0);
  set_induction(analysis, op, mlirBlockGetArgument(body, 0));
  cover_arguments(analysis, body, 1, op, 3);
  MlirOperation yield = mlirBlockGetTerminator(body);
  for (int round = 1;; round++) {
    visit_block(analysis, body);
    if (!cover_arguments(analysis, body, 1, yield, 0))
      break;
    if (round == MAX_ROUNDS)
      forget_arguments(analysis, body, 1);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    store(analysis, op_result(op, i), axis_info_of(analysis, mlirBlockGetArgument(body, i + 1)));
}

/* scf.while: `before` takes the carried values and ends in scf.condition(c, values...); those go to
   the results and to `after`, whose yield goes back. */
static void visit_while(struct axis_analysis *analysis, MlirOperation op) {
  MlirBlock before = op_body(op, 0), after = op_body(op, 1);
  MlirOperation condition = mlirBlockGetTerminator(before), yield = mlirBlockGetTerminator(after);
  cover_arguments(analysis, before, 0, op, 0);
  for (int round = 1;; round++) {
    visit_block(analysis, before);
    cover_arguments(analysis, after, 0, condition, 1);
    visit_block(analysis, after);
    if (!cover_arguments(analysis, before, 0, yield, 0))
      break;
    if (round == MAX_ROUNDS)
      forget_arguments(analysis, before, 0);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    store(analysis, op_result(op, i), axis_info_of(analysis, op_operand(condition, i + 1)));
}

/* scf.if: the condition is a scalar, so all elements come from the same arm. */
static void visit_if(struct axis_analysis *analysis, MlirOperation op) {
  visit_region(analysis, mlirOperationGetRegion(op, 0));
  visit_region(analysis, mlirOperationGetRegion(op, 1));
  intptr_t results = mlirOperationGetNumResults(op);
  if (results == 0)
    return;
  MlirOperation then = mlirBlockGetTerminator(op_body(op, 0));
  MlirOperation otherwise = mlirBlockGetTerminator(op_body(op, 1));
  for (intptr_t i = 0; i < results; i++) {
    struct axis_info joined;
    axis_join(axis_info_of(analysis, op_operand(then, i)),
              axis_info_of(analysis, op_operand(otherwise, i)), &joined);
    store(analysis, op_result(op, i), &joined);
  }
}

/* What an unknown operation's regions get as arguments is unknown. */
static void visit_other(struct axis_analysis *analysis, MlirOperation op) {
  visit_plain(analysis, op);
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); i++)
    visit_region(analysis, mlirOperationGetRegion(op, i));
}

static void visit_op(struct axis_analysis *analysis, MlirOperation op) {
  enum op_kind kind = kind_of(analysis->session, op);
  if (kind == OP_SCF_FOR)
    visit_for(analysis, op);
  else if (kind == OP_SCF_WHILE)
    visit_while(analysis, op);
  else if (kind == OP_SCF_IF)
    visit_if(analysis, op);
  else
    visit_other(analysis, op);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    apply_hints(analysis, &(struct hints){.op = op}, op_result(op, i));
}

static void visit_block(struct axis_analysis *analysis, MlirBlock block) {
  MlirOperation op = mlirBlockGetFirstOperation(block);
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    visit_op(analysis, op);
}

/* --- interface -------------------------------------------------------------------------------- */

void axis_analysis_run(struct axis_analysis *analysis, struct session *session,
                       MlirOperation function) {
  *analysis = (struct axis_analysis){.session = session};
  MlirRegion region = mlirOperationGetRegion(function, 0);
  MlirBlock entry = mlirRegionGetFirstBlock(region);
  if (mlirBlockIsNull(entry))
    return;
  visit_operations(function, read_assumption, analysis);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry); i++)
    store_unknown(analysis, mlirBlockGetArgument(entry, i));
  seed_arguments(analysis, function, entry);
  visit_region(analysis, region);
}

void axis_analysis_destroy(struct axis_analysis *analysis) {
  map_free(&analysis->infos);
  map_free(&analysis->non_negative);
  map_free(&analysis->multiples);
  arena_destroy(&analysis->arena);
}

const struct axis_info *axis_info_of(struct axis_analysis *analysis, MlirValue value) {
  return slot_of(analysis, value);
}

int64_t axis_pointer_contiguity(struct axis_analysis *analysis, struct session *session,
                                MlirValue pointer_tensor, int dim) {
  const struct axis_info *info = axis_info_of(analysis, pointer_tensor);
  if (dim < 0 || dim >= info->rank || is_odd_type(session, mlirValueGetType(pointer_tensor)))
    return 1;
  int64_t aligned = larger(info->divisibility[dim] / info->element_bytes, 1);
  return smaller(info->contiguity[dim], aligned);
}

bool axis_has_neighbours(struct axis_analysis *analysis, MlirValue pointer_tensor) {
  const struct axis_info *info = axis_info_of(analysis, pointer_tensor);
  int64_t shape[MAX_RANK];
  int rank = type_shape(mlirValueGetType(pointer_tensor), shape);
  bool any = false;
  for (int dim = 0; dim < rank; dim++)
    any |= info->contiguity[dim] > 1;
  return any;
}

int64_t axis_mask_constancy(struct axis_analysis *analysis, MlirValue mask, int dim) {
  if (mlirValueIsNull(mask))
    return AXIS_MAX;
  const struct axis_info *info = axis_info_of(analysis, mask);
  return dim >= 0 && dim < info->rank ? info->constancy[dim] : 1;
}

uint32_t axis_equal_registers(const struct axis_info *info, const struct linear_layout *layout) {
  uint32_t equal = 0;
  for (int bit = 0; bit < layout->in.bits[LAYOUT_REGISTER]; bit++) {
    uint32_t place = linear_layout_basis(layout, LAYOUT_REGISTER, bit);
    bool inside = true;
    for (int d = 0; d < layout_space_rank(&layout->out) && inside; d++)
      inside = d < info->rank &&
               layout_space_coordinate(&layout->out, place, LAYOUT_DIM0 + d) < info->constancy[d];
    equal |= (uint32_t)inside << bit;
  }
  return equal;
}
