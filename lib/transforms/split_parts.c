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

/* A choice of zeros is zero. */
static bool is_everywhere(struct session *session, MlirValue value, double number) {
  MlirOperation op = value_definition(value);
  if (!mlirOperationIsNull(op) && op_is(session, op, OP_ARITH_SELECT))
    return is_everywhere(session, op_operand(op, 1), number) &&
           is_everywhere(session, op_operand(op, 2), number);
  MlirAttribute uniform = uniform_number(session, value);
  return !mlirAttributeIsNull(uniform) &&
         (mlirAttributeIsAInteger(uniform) ? (double)mlirIntegerAttrGetValueInt(uniform)
                                           : mlirFloatAttrGetValueDouble(uniform)) == number;
}

static bool starts_at(const struct split_sums *sums, intptr_t number, double at) {
  return is_everywhere(sums->of.session, first_value(sums, number), at);
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
    if (sums->of.kinds[i] == LOOP_SUM_UNUSED || sums->of.kinds[i] == LOOP_SUM_COUNTER)
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

/* The factor of a rescaled sum from one maximum to another, as the loop's body computes it. */
struct factor {
  struct builder *b;
  const struct loop_sums *sums;
  MlirValue from, to;
};

static MlirValue build_factor(const struct factor *factor, MlirValue value) {
  const struct loop_sums *sums = factor->sums;
  if (loop_carried_number(sums->loop, value) == sums->maximum)
    return factor->from;
  if (mlirValueEqual(value, sums->next))
    return factor->to;
  MlirOperation op = value_definition(value);
  if (mlirOperationIsNull(op) || !op_is_inside(op, sums->loop))
    return value;
  MlirOperation copy = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    mlirOperationSetOperand(copy, i, build_factor(factor, op_operand(op, i)));
  mlirBlockInsertOwnedOperationBefore(factor->b->block, factor->b->before, copy);
  return op_result(copy, mlirOpResultGetResultNumber(value));
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

void split_part_build(struct builder *b, const struct split_sums *sums,
                      const struct split_plan *plan, const struct split_piece *piece) {
  MlirRegion region = region_with_block(b, 0, NULL);
  struct builder arm = builder_at_end(b->context, mlirRegionGetFirstBlock(region), b->location);
  BUILD_OP(b, "scf.if", IN(piece->is_part), REGIONS(region, mlirRegionCreate()));
  for (intptr_t i = 0; i < sums->count; i++)
    BUILD_OP(&arm, "tile_gpu.store_part",
             IN(split_sums_value(sums, i), place_of_part(&arm, sums, plan, piece->own, i)));
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

/* Of the part, and of what is so far, the factor to the greater maximum. */
static MlirValue build_rescaled(const struct merge *merge, intptr_t index, MlirValue so_far) {
  struct builder *b = merge->b;
  const struct loop_sums *of = &merge->sums->of;
  MlirValue factor = of->factors[merge->sums->numbers[index]];
  MlirValue own = build_factor(&(struct factor){b, of, merge->top, merge->next}, factor);
  MlirValue other = build_factor(&(struct factor){b, of, merge->top_of_part, merge->next}, factor);
  MlirValue place = place_of_part(b, merge->sums, merge->plan, merge->range, index);
  return BUILD(b, "tile_gpu.add_scaled_part",
               IN(build_binary(b, "arith.mulf", so_far, own), place, other),
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
