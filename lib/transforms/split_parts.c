/* SPDX-License-Identifier: MIT */
/* See split_parts.h. */
#include "transforms/split_parts.h"

#include <math.h>
#include "ir/tile_ops.h"
#include "tile/image.h"

enum { COUNTERS = TILE_PART_COUNTERS };

/* --- What can be shared ----------------------------------------------------------------------- */

static MlirValue first_value(const struct split_sums *sums, intptr_t number) {
  return op_operand(sums->of.loop, 3 + number);
}

static bool starts_at(const struct split_sums *sums, intptr_t number, double at) {
  MlirAttribute start = uniform_number(sums->of.session, first_value(sums, number));
  return !mlirAttributeIsNull(start) &&
         (mlirAttributeIsAInteger(start) ? (double)mlirIntegerAttrGetValueInt(start)
                                         : mlirFloatAttrGetValueDouble(start)) == at;
}

/* Does each part begin with what adds nothing? A maximum may begin with anything, as all parts
   begin with the same; and what is rescaled from a maximum of minus infinity is multiplied by 0. */
static bool starts_with_nothing(const struct split_sums *sums, intptr_t number) {
  enum loop_sum_kind kind = sums->of.kinds[number];
  return kind == LOOP_SUM_MAXIMUM || starts_at(sums, number, 0) ||
         (kind == LOOP_SUM_RESCALED && starts_at(sums, sums->of.maximum, -INFINITY));
}

/* Bytes of a tile in the order of registers; 0 where there is no such order, or it is no sum of
   32 bits. */
static int64_t bytes_of(const struct split_sums *sums, intptr_t number) {
  MlirType type = op_result_type(sums->of.loop, number);
  if (!type_is_tensor(type))
    return 0;
  MlirType element = type_element(type);
  bool fits = mlirTypeIsAF32(element) ||
              (type_is_integer(element, 32) && sums->of.kinds[number] == LOOP_SUM_PLAIN);
  const struct linear_layout *layout =
      fits ? layout_to_linear(&sums->of.session->layouts, type) : NULL;
  return layout ? 4 * linear_layout_in_size(layout, LAYOUT_REGISTER) *
                      linear_layout_in_size(layout, LAYOUT_LANE) *
                      linear_layout_in_size(layout, LAYOUT_WARP)
                : 0;
}

bool split_sums_find(struct split_sums *sums, struct session *session, MlirOperation loop) {
  *sums = (struct split_sums){.count = 0};
  if (!loop_sums_find(&sums->of, session, loop))
    return false;
  for (intptr_t i = 0; i < sums->of.count; i++) {
    if (sums->of.kinds[i] == LOOP_SUM_UNUSED)
      continue;
    int64_t bytes = bytes_of(sums, i);
    if (sums->count == MAX_SPLIT_SUMS || !bytes || !starts_with_nothing(sums, i))
      return false;
    sums->numbers[sums->count++] = i;
    sums->bytes += bytes;
  }
  return sums->count > 0;
}

MlirValue split_sums_value(const struct split_sums *sums, intptr_t index) {
  return op_result(sums->of.loop, sums->numbers[index]);
}

/* --- Factors ---------------------------------------------------------------------------------- */

/* The factor of a rescaled sum from one maximum to another, as the loop's body computes it; or,
   with `to` null, `from` in the shape and layout of that factor. */
struct factor {
  struct builder *b;
  const struct loop_sums *sums;
  MlirValue from, to;
};

static bool comes_from_maximum(const struct loop_sums *sums, MlirValue value) {
  if (loop_carried_number(sums->loop, value) == sums->maximum)
    return true;
  MlirOperation op = value_definition(value);
  if (mlirOperationIsNull(op) || !op_is_inside(op, sums->loop))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (!mlirValueEqual(op_operand(op, i), sums->next) &&
        comes_from_maximum(sums, op_operand(op, i)))
      return true;
  return false;
}

static MlirValue build_factor(const struct factor *factor, MlirValue value) {
  const struct loop_sums *sums = factor->sums;
  if (loop_carried_number(sums->loop, value) == sums->maximum)
    return factor->from;
  if (mlirValueEqual(value, sums->next))
    return factor->to;
  MlirOperation op = value_definition(value);
  if (mlirOperationIsNull(op) || !op_is_inside(op, sums->loop))
    return value;
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count && mlirValueIsNull(factor->to); i++)
    if (!op_has(sums->session, op, REARRANGES) && comes_from_maximum(sums, op_operand(op, i)))
      return build_factor(factor, op_operand(op, i));
  MlirOperation copy = mlirOperationClone(op);
  for (intptr_t i = 0; i < count; i++)
    mlirOperationSetOperand(copy, i, build_factor(factor, op_operand(op, i)));
  mlirBlockInsertOwnedOperationBefore(factor->b->block, factor->b->before, copy);
  return op_result(copy, mlirOpResultGetResultNumber(value));
}

static MlirValue build_factor_of(struct builder *b, const struct split_sums *sums, intptr_t number,
                                 MlirValue from, MlirValue to) {
  return build_factor(&(struct factor){b, &sums->of, from, to}, sums->of.factors[number]);
}

/* A rescaled sum, without rows whose maximum is still minus infinity: there the loop has computed
   with differences of infinities, which a later maximum has nothing of. */
static MlirValue build_seen(struct builder *b, const struct split_sums *sums, intptr_t number,
                            MlirValue sum, MlirValue maximum) {
  MlirType type = mlirValueGetType(maximum);
  MlirValue none = build_compare(b, F_EQUAL, maximum, build_uniform(b, type, -INFINITY));
  MlirValue seen = BUILD(b, "arith.select",
                         IN(none, build_uniform(b, type, 0), build_uniform(b, type, 1)), OUT(type));
  seen = build_factor_of(b, sums, number, seen, (MlirValue){0});
  MlirValue nothing = build_uniform(b, mlirValueGetType(sum), 0);
  MlirValue empty = build_compare(b, F_EQUAL, seen, build_uniform(b, mlirValueGetType(seen), 0));
  return BUILD(b, "arith.select", IN(empty, nothing, sum), OUT(mlirValueGetType(sum)));
}

/* --- Parts ------------------------------------------------------------------------------------ */

static MlirValue build_place(struct builder *b, const struct split_plan *plan, MlirValue words) {
  return BUILD(b, "tile.addptr", IN(plan->memory, words), OUT(mlirValueGetType(plan->memory)));
}

/* Of number `index` of a range's part. */
static MlirValue place_of_part(struct builder *b, const struct split_sums *sums,
                               const struct split_plan *plan, MlirValue range, intptr_t index) {
  int64_t first = COUNTERS;
  for (intptr_t i = 0; i < index; i++)
    first += bytes_of(sums, sums->numbers[i]) / 4;
  MlirValue words = build_binary(b, "arith.muli", range, build_integer(b, 32, sums->bytes / 4));
  return build_place(b, plan, build_binary(b, "arith.addi", words, build_integer(b, 32, first)));
}

static MlirNamedAttribute text_attribute(struct builder *b, const char *name, const char *value) {
  return attribute_named(b->context, name, attribute_string(b->context, value));
}

static MlirValue maximum_of(const struct split_sums *sums) {
  return op_result(sums->of.loop, sums->of.maximum);
}

void split_part_build(struct builder *b, const struct split_sums *sums,
                      const struct split_plan *plan, const struct split_piece *piece) {
  MlirRegion region = region_with_block(b, 0, NULL);
  struct builder arm = builder_at_end(b->context, mlirRegionGetFirstBlock(region), b->location);
  BUILD_OP(b, "scf.if", IN(piece->is_part), REGIONS(region, mlirRegionCreate()));
  for (intptr_t i = 0; i < sums->count; i++) {
    MlirValue sum = split_sums_value(sums, i);
    if (sums->of.kinds[sums->numbers[i]] == LOOP_SUM_RESCALED)
      sum = build_seen(&arm, sums, sums->numbers[i], sum, maximum_of(sums));
    BUILD_OP(&arm, "tile_gpu.store_part", IN(sum, place_of_part(&arm, sums, plan, piece->own, i)));
  }
  MlirValue one = build_integer(&arm, 32, 1);
  BUILD(&arm, "tile.atomic_rmw", IN(build_place(&arm, plan, piece->own), one),
        OUT(mlirValueGetType(one)),
        ATTRIBUTES(text_attribute(b, "kind", "xchg"), text_attribute(b, "sem", "release"),
                   text_attribute(b, "scope", "gpu")));
  BUILD_OP(&arm, "scf.yield", .in = NULL);
}

/* --- All of them ------------------------------------------------------------------------------ */

/* Until the flag has been set, which it is no more then. */
static void build_wait(struct builder *b, MlirValue flag) {
  MlirRegion regions[] = {region_with_block(b, 0, NULL), region_with_block(b, 0, NULL)};
  struct builder before =
                     builder_at_end(b->context, mlirRegionGetFirstBlock(regions[0]), b->location),
                 body =
                     builder_at_end(b->context, mlirRegionGetFirstBlock(regions[1]), b->location);
  BUILD_OP(b, "scf.while", REGION_LIST(regions, 2));
  MlirValue one = build_integer(&before, 32, 1);
  MlirValue old =
      BUILD(&before, "tile.atomic_cas", IN(flag, one, build_integer(&before, 32, 0)),
            OUT(mlirValueGetType(one)),
            ATTRIBUTES(text_attribute(b, "sem", "acquire"), text_attribute(b, "scope", "gpu")));
  BUILD_OP(&before, "scf.condition", IN(build_compare(&before, I_UNEQUAL, old, one)));
  BUILD_OP(&body, "scf.yield", .in = NULL);
}

/* What is so far, and the part of one range more; and the maxima that they have. */
struct merge {
  struct builder *b;
  const struct split_sums *sums;
  const struct split_plan *plan;
  MlirValue range;
  MlirValue top, top_of_part, next; /* null where there is no maximum */
};

static MlirValue build_added(const struct merge *merge, intptr_t index, MlirValue so_far) {
  MlirValue place = place_of_part(merge->b, merge->sums, merge->plan, merge->range, index);
  return BUILD(merge->b, "tile_gpu.add_part", IN(so_far, place), OUT(mlirValueGetType(so_far)));
}

/* The part's maximum, and the greater one. */
static void build_maximum(struct merge *merge, intptr_t index, MlirValue so_far) {
  const struct loop_sums *of = &merge->sums->of;
  merge->top = so_far;
  merge->top_of_part =
      build_added(merge, index, build_uniform(merge->b, mlirValueGetType(so_far), 0));
  enum op_kind kind = kind_of(of->session, value_definition(of->next));
  merge->next = build_binary(merge->b, op_table[kind].name, so_far, merge->top_of_part);
}

static MlirValue build_rescaled(const struct merge *merge, intptr_t index, MlirValue so_far) {
  struct builder *b = merge->b;
  intptr_t number = merge->sums->numbers[index];
  MlirValue own = build_factor_of(b, merge->sums, number, merge->top, merge->next);
  MlirValue other = build_factor_of(b, merge->sums, number, merge->top_of_part, merge->next);
  MlirValue seen = build_seen(b, merge->sums, number, so_far, merge->top);
  MlirValue place = place_of_part(b, merge->sums, merge->plan, merge->range, index);
  return BUILD(b, "tile_gpu.add_scaled_part",
               IN(build_binary(b, "arith.mulf", seen, own), place, other),
               OUT(mlirValueGetType(so_far)));
}

/* The values of the body's arguments, with the part of the range that the first one is. */
static void build_merge(struct merge *merge, MlirBlock body, MlirValue *out) {
  const struct split_sums *sums = merge->sums;
  merge->range = mlirBlockGetArgument(body, 0);
  build_wait(merge->b, build_place(merge->b, merge->plan, merge->range));
  for (intptr_t i = 0; i < sums->count; i++)
    if (sums->numbers[i] == sums->of.maximum)
      build_maximum(merge, i, mlirBlockGetArgument(body, 1 + i));
  for (intptr_t i = 0; i < sums->count; i++) {
    MlirValue so_far = mlirBlockGetArgument(body, 1 + i);
    enum loop_sum_kind kind = sums->of.kinds[sums->numbers[i]];
    out[i] = kind == LOOP_SUM_MAXIMUM    ? merge->next
             : kind == LOOP_SUM_RESCALED ? build_rescaled(merge, i, so_far)
                                         : build_added(merge, i, so_far);
  }
}

MlirOperation split_merge_build(struct builder *b, const struct split_sums *sums,
                                const struct split_plan *plan, const struct split_piece *piece) {
  intptr_t count = sums->count;
  MlirValue in[3 + MAX_SPLIT_SUMS] = {piece->first, piece->own, build_integer(b, 32, 1)};
  MlirType types[1 + MAX_SPLIT_SUMS] = {mlirValueGetType(piece->first)};
  for (intptr_t i = 0; i < count; i++) {
    in[3 + i] = split_sums_value(sums, i);
    types[1 + i] = mlirValueGetType(in[3 + i]);
  }
  MlirRegion region = region_with_block(b, 1 + count, types);
  MlirBlock body = mlirRegionGetFirstBlock(region);
  struct builder inside = builder_at_end(b->context, body, b->location);
  MlirOperation loop =
      BUILD_OP(b, "scf.for", INS(in, 3 + count), OUTS(types + 1, count), REGION_LIST(&region, 1));
  MlirValue merged[MAX_SPLIT_SUMS];
  build_merge(&(struct merge){.b = &inside, .sums = sums, .plan = plan}, body, merged);
  BUILD_OP(&inside, "scf.yield", INS(merged, count));
  return loop;
}
