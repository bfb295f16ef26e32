/* SPDX-License-Identifier: MIT */
/* tile-gpu-split-tail: where programs do not fill the device to the last wave, several blocks share
   each program that is left over: each computes a part of its sum, and the last one to come adds
   the parts up and goes on with what is done with the sum.

     for %n = %block to %programs                 for %n = %block to %whole + %tail * %parts
       %p = %n                                      %p, %from, %to of the unit
       %sum = for %k = 0 to %K            ->        %own = for %k = %from to %to
         ... dot                                      ... dot
       store %sum                                   %sum, %last = if %n >= %whole
                                                      store_part %own
                                                      %came = atomic add %counter, 1
                                                      if %came + 1 = %parts
                                                        %counter = 0;  sum_parts, in their order
                                                    if %last
                                                      store %sum

   Needs: kernels that go over programs (persist.h), before their loops have stages. Keeps: what
   they compute, but for the order in which the terms of a shared program's sum are added. Leaves:
   tile_gpu.part_bytes on the kernel, whose last parameter is then the address of COUNTERS numbers
   that are zero and of the parts after them; where it is null nothing is shared. Nobody waits for
   another block, and which one is last does not show: the parts are added from the first on.

   Whether it pays is asked at run time. The unit is the time in which a block multiplies a cache
   line of each row of its operands (128 bytes along K). A part costs as much as two of these to
   store, and another two to load: 128 x 256 sums are 128 KB, of which a multiprocessor moves about
   100 GB a second, and the products of 64 terms of f16 for them take 0.6 us (docs/choices.md). */
#include <string.h>
#include "base/machine.h"
#include "base/numbers.h"
#include "ir/build.h"
#include "ir/dot_form.h"
#include "ir/passes.h"
#include "ir/tensor_maps.h"
#include "tile/image.h"
#include "transforms/persist.h"

const struct pass_option split_tail_options[] = {
    {"least", OPTION_INTEGER, "1280", "bytes of each row along K that a part has at least"},
    {"remarks", OPTION_BOOLEAN, "false", "says of each kernel that goes over programs why not"},
    {0}};

/* Parts of one program, and numbers before them all. With more parts who adds them up takes longer
   than it saves. */
enum { MAX_PARTS = TILE_PARTS, COUNTERS = TILE_PART_COUNTERS };

enum { AXES = 3 };

/* A kernel's loops, over programs and over K, and what the pass must know of them. */
struct product {
  struct session *session;
  MlirOperation kernel, programs, loop;
  MlirValue counts[AXES]; /* programs along each axis */
  MlirValue sum;          /* of the loop over K */
  int64_t start, step, bytes, least;
};

/* --- The sum ---------------------------------------------------------------------------------- */

static MlirLogicalResult count_load(MlirOperation op, void *data) {
  struct product *product = data;
  return op_is(product->session, op, OP_TILE_DESCRIPTOR_LOAD) ? FAILURE : SUCCESS;
}

static bool copies_blocks(struct product *product, MlirOperation op) {
  return FAILED(visit_operations(op, count_load, product));
}

/* The only operation of a block that is a loop; null: there is none, or several. */
static MlirOperation only_loop(struct session *session, MlirBlock block) {
  MlirOperation found = {0}, op = mlirBlockGetFirstOperation(block);
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (op_is(session, op, OP_SCF_FOR)) {
      if (!mlirOperationIsNull(found))
        return (MlirOperation){0};
      found = op;
    }
  return found;
}

static bool copies_blocks_before(struct product *product) {
  MlirOperation op = mlirBlockGetFirstOperation(op_body(product->programs, 0));
  for (; !mlirOperationEqual(op, product->loop); op = mlirOperationGetNextInBlock(op))
    if (op_is(product->session, op, OP_TILE_DESCRIPTOR_LOAD) || copies_blocks(product, op))
      return true;
  return false;
}

/* Does it count programs, and carry where each is along the first axes (persist.h)? Pairs of
   programs are counted one by one. */
static bool is_loop_over_programs(struct product *product) {
  MlirOperation loop = product->programs;
  int64_t step;
  bool places = mlirOperationGetNumResults(loop) <= AXES &&
                mlirBlockGetNumArguments(op_body(product->kernel, 0)) >= AXES &&
                type_is_integer(op_operand_type(loop, 0), 32) &&
                !uniform_integer(product->session, op_operand(loop, 2), &step);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop) && places; i++)
    places = type_is_integer(op_result_type(loop, i), 32) && !value_is_used(op_result(loop, i));
  return places;
}

static intptr_t result_number(MlirOperation op, MlirValue value) {
  intptr_t index = 0;
  while (!mlirValueEqual(op_result(op, index), value))
    index++;
  return index;
}

/* Is `value` the sum of `carried` and of terms that do not depend on it? */
static bool adds_to(struct session *session, MlirValue value, MlirValue carried) {
  if (mlirValueEqual(value, carried))
    return true;
  if (mlirValueIsABlockArgument(value) || !value_has_one_use(value))
    return false;
  MlirOperation op = value_definition(value);
  if (waits_for_async_dot(session, op))
    return adds_to(session, op_operand(op, result_number(op, value)), carried);
  if (op_has(session, op, IS_DOT))
    return adds_to(session, op_operand(op, 2), carried);
  return (op_is(session, op, OP_ARITH_ADDF) || op_is(session, op, OP_ARITH_ADDI)) &&
         (adds_to(session, op_operand(op, 0), carried) ||
          adds_to(session, op_operand(op, 1), carried));
}

static bool is_sum_of_32_bits(struct product *product) {
  MlirOperation loop = product->loop;
  if (mlirOperationGetNumResults(loop) != 1)
    return false;
  MlirType type = op_result_type(loop, 0), element = type_element(type);
  MlirAttribute zero = uniform_number(product->session, op_operand(loop, 3));
  bool starts = !mlirAttributeIsNull(zero) &&
                (mlirAttributeIsAInteger(zero) ? mlirIntegerAttrGetValueInt(zero) == 0
                                               : mlirFloatAttrGetValueDouble(zero) == 0);
  MlirBlock body = op_body(loop, 0);
  MlirValue carried = mlirBlockGetArgument(body, 1);
  return type_is_tensor(type) && starts && value_has_one_use(carried) &&
         (mlirTypeIsAF32(element) || type_is_integer(element, 32)) &&
         adds_to(product->session, op_operand(mlirBlockGetTerminator(body), 0), carried);
}

/* Does each thread have a multiple of four elements, which no other one has? */
static bool can_be_stored(struct product *product) {
  MlirType type = op_result_type(product->loop, 0);
  const struct linear_layout *layout = layout_to_linear(&product->session->layouts, type);
  if (!layout)
    return false;
  struct layout_point copies = linear_layout_free_masks(layout);
  return !copies.at[LAYOUT_REGISTER] && !copies.at[LAYOUT_LANE] && !copies.at[LAYOUT_WARP] &&
         linear_layout_in_size(layout, LAYOUT_REGISTER) % 4 == 0;
}

/* --- What surrounds it ------------------------------------------------------------------------ */

static MlirLogicalResult find_effect(MlirOperation op, void *data) {
  struct session *session = data;
  enum op_kind kind = kind_of(session, op);
  enum op_effects effects = op_info(&session->names, op)->effects;
  bool local = KIND_IN(kind, OP_TILE_GPU_ALLOC, OP_TILE_GPU_LOCAL_STORE) ||
               starts_async_dot(session, op) || waits_for_async_dot(session, op);
  return (effects == EFFECTS_WRITE || effects == EFFECTS_UNKNOWN) && !local ? FAILURE : SUCCESS;
}

/* What a block would do for its part of the sum, and others for theirs. */
static bool has_effects_before_sum(struct product *product) {
  MlirOperation op = mlirBlockGetFirstOperation(op_body(product->programs, 0)),
                end = mlirOperationGetNextInBlock(product->loop);
  for (; !mlirOperationEqual(op, end); op = mlirOperationGetNextInBlock(op))
    if (FAILED(find_effect(op, product->session)) ||
        FAILED(visit_operations(op, find_effect, product->session)))
      return true;
  return false;
}

static bool read_counter(struct product *product) {
  struct session *session = product->session;
  MlirOperation loop = product->loop;
  return type_is_integer(op_operand_type(loop, 0), 32) && !op_has_attribute(loop, "unsignedCmp") &&
         uniform_integer(session, op_operand(loop, 0), &product->start) && product->start >= 0 &&
         uniform_integer(session, op_operand(loop, 2), &product->step) && product->step > 0;
}

struct rows {
  struct session *session;
  int64_t bytes;
};

static MlirLogicalResult add_row(MlirOperation op, void *data) {
  struct rows *rows = data;
  if (!op_has(rows->session, op, IS_DOT))
    return SUCCESS;
  MlirType type = op_operand_type(op, 0);
  rows->bytes += mlirShapedTypeGetDimSize(type, mlirShapedTypeGetRank(type) - 1) *
                 type_bytes(&rows->session->types, mlirShapedTypeGetElementType(type));
  return SUCCESS;
}

/* Iterations that a part has at least. */
static int64_t least_iterations(struct product *product, int64_t bytes) {
  struct rows rows = {.session = product->session};
  visit_operations(product->loop, add_row, &rows);
  return rows.bytes ? larger(1, (bytes + rows.bytes - 1) / rows.bytes) : 0;
}

static bool is_too_short(struct product *product) {
  int64_t end;
  return uniform_integer(product->session, op_operand(product->loop, 1), &end) &&
         (end - product->start + product->step - 1) / product->step < 2 * product->least;
}

/* NULL, with the rest of *product, or why no block shares a program of the kernel. */
static const char *why_not_split(struct product *product, int64_t least) {
  struct session *session = product->session;
  product->programs = only_loop(session, op_body(product->kernel, 0));
  if (mlirOperationIsNull(product->programs) || !is_loop_over_programs(product))
    return "it takes no programs in turn, or pairs of them";
  product->loop = only_loop(session, op_body(product->programs, 0));
  if (mlirOperationIsNull(product->loop) || !copies_blocks(product, product->loop))
    return "a program has several loops";
  if (copies_blocks_before(product))
    return "a program has blocks that it copies before its loop";
  if (!is_sum_of_32_bits(product) || !can_be_stored(product))
    return "its loop computes something else than one sum of f32 or i32 that starts at zero";
  if (!read_counter(product) || !loop_has_one_length(session, product->loop))
    return "its loop does not count from a constant to what is equal for all programs";
  if (has_effects_before_sum(product))
    return "a program stores something before its sum is complete";
  product->least = least_iterations(product, least);
  if (!product->least || is_too_short(product))
    return "its loop ends after few iterations";
  product->sum = op_result(product->loop, 0);
  MlirType type = op_result_type(product->loop, 0);
  product->bytes = 4 * type_elements(type);
  return NULL;
}

/* --- How it is shared ------------------------------------------------------------------------- */

/* Computed once, before the loop over programs; i32 but for the first. */
struct plan {
  MlirValue memory; /* !tile.ptr<i32> */
  MlirValue whole;  /* programs that nobody shares: they come first; all where nothing is shared */
  MlirValue parts;  /* of each that is shared */
  MlirValue units;  /* whole ones and parts */
};

static MlirValue number(struct builder *b, int64_t value) {
  return build_integer(b, 32, value);
}

/* A branch that gives `types`, with a yield to be added to each arm. */
static MlirOperation build_branch(struct builder *b, MlirValue condition, const MlirType *types,
                                  intptr_t count, struct builder arms[2]) {
  MlirRegion regions[] = {region_with_block(b, 0, NULL), region_with_block(b, 0, NULL)};
  MlirOperation branch =
      BUILD_OP(b, "scf.if", IN(condition), OUTS(types, count), REGION_LIST(regions, 2));
  for (int i = 0; i < 2; i++)
    arms[i] = builder_at_end(b->context, op_body(branch, i), b->location);
  return branch;
}

/* What a value is made of in `block` goes before `before`. */
static void hoist_in(MlirValue value, MlirBlock block, MlirOperation before) {
  if (mlirValueIsABlockArgument(value))
    return;
  MlirOperation op = value_definition(value);
  if (!mlirBlockEqual(mlirOperationGetBlock(op), block) ||
      (mlirBlockEqual(mlirOperationGetBlock(before), block) &&
       mlirOperationIsBeforeInBlock(op, before)))
    return;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    hoist_in(op_operand(op, i), block, before);
  mlirOperationMoveBefore(op, before);
}

static MlirValue build_iterations(struct builder *b, const struct product *product) {
  MlirValue length =
      build_binary(b, "arith.subi", op_operand(product->loop, 1), op_operand(product->loop, 0));
  return BUILD(b, "arith.ceildivsi", IN(length, number(b, product->step)),
               OUT(mlirValueGetType(length)));
}

/* As many parts as there are blocks for each program of the tail, and as long ones as pay. */
static MlirValue build_parts(struct builder *b, const struct product *product, MlirValue blocks,
                             MlirValue tail) {
  MlirValue each =
      build_binary(b, "arith.divui", blocks, build_binary(b, "arith.maxui", tail, number(b, 1)));
  MlirValue least = number(b, product->least), trips = build_iterations(b, product);
  MlirValue most = build_binary(b, "arith.divsi", trips, least);
  most = build_binary(b, "arith.minsi", most, number(b, MAX_PARTS));
  most = build_binary(b, "arith.maxsi", most, number(b, 1));
  return build_binary(b, "arith.minui", each, most);
}

/* Without memory next to nothing is computed. */
static void build_plan(struct product *product, struct plan *plan) {
  MlirOperation programs = product->programs;
  struct session *session = product->session;
  MlirType i32 = mlirIntegerTypeGet(session->context, 32), types[] = {i32, i32, i32};
  MlirBlock body = op_body(product->kernel, 0);
  for (intptr_t i = 0; i < AXES; i++)
    product->counts[i] = mlirBlockGetArgument(body, mlirBlockGetNumArguments(body) - AXES + i);
  plan->memory = function_add_parameter(product->kernel, pointer_to(&session->types, i32),
                                        mlirDictionaryAttrGet(session->context, 0, NULL));
  for (int i = 0; i < 3; i++)
    hoist_in(op_operand(product->loop, i), op_body(programs, 0), programs);
  struct builder b = builder_before(programs), arms[2];
  MlirValue all = op_operand(programs, 1), blocks = op_operand(programs, 2);
  MlirValue address =
      BUILD(&b, "tile.ptr_to_int", IN(plan->memory), OUT(mlirIntegerTypeGet(session->context, 64)));
  MlirValue some = build_compare(&b, I_UNEQUAL, address, build_integer(&b, 64, 0));
  MlirOperation branch = build_branch(&b, some, types, 3, arms);
  struct builder *arm = &arms[0];
  MlirValue tail = build_binary(arm, "arith.remui", all, blocks);
  MlirValue parts = build_parts(arm, product, blocks, tail);
  MlirValue one = build_compare(arm, I_EQUAL, parts, number(arm, 1));
  MlirValue whole = build_binary(arm, "arith.subi", all, tail);
  MlirValue units =
      build_binary(arm, "arith.addi", whole, build_binary(arm, "arith.muli", tail, parts));
  whole = BUILD(arm, "arith.select", IN(one, all, whole), OUT(i32));
  BUILD_OP(arm, "scf.yield", IN(whole, parts, units));
  BUILD_OP(&arms[1], "scf.yield", IN(all, number(&arms[1], 1), all));
  plan->whole = op_result(branch, 0);
  plan->parts = op_result(branch, 1);
  plan->units = op_result(branch, 2);
  mlirOperationSetOperand(programs, 1, plan->units);
}

/* A part, by its number among all of them: which shared program it is of, and which part of it. */
struct part {
  MlirValue number, shared, part;
};

static struct part build_part_number(struct builder *b, const struct plan *plan,
                                     MlirValue counter) {
  struct part part = {.number = build_binary(b, "arith.subi", counter, plan->whole)};
  part.shared = build_binary(b, "arith.divui", part.number, plan->parts);
  part.part = build_binary(b, "arith.subi", part.number,
                           build_binary(b, "arith.muli", part.shared, plan->parts));
  return part;
}

/* The iterations of a part: all parts have as many, or one more, the first ones. The last one ends
   where the loop does. */
static void build_range(struct builder *b, const struct product *product, const struct plan *plan,
                        MlirValue part, MlirValue range[2]) {
  MlirValue step = op_operand(product->loop, 2), one = number(b, 1);
  MlirValue trips = build_iterations(b, product);
  MlirValue share = build_binary(b, "arith.divsi", trips, plan->parts);
  MlirValue longer =
      build_binary(b, "arith.subi", trips, build_binary(b, "arith.muli", share, plan->parts));
  MlirValue extra = build_binary(b, "arith.minui", part, longer);
  MlirValue begin =
      build_binary(b, "arith.addi", build_binary(b, "arith.muli", part, share), extra);
  MlirValue more = BUILD(b, "arith.extui", IN(build_compare(b, I_BELOW, part, longer)),
                         OUT(mlirValueGetType(part)));
  MlirValue count = build_binary(b, "arith.addi", share, more);
  range[0] = build_binary(b, "arith.addi", op_operand(product->loop, 0),
                          build_binary(b, "arith.muli", begin, step));
  MlirValue to =
      build_binary(b, "arith.addi", range[0], build_binary(b, "arith.muli", count, step));
  MlirValue next = build_binary(b, "arith.addi", part, one);
  MlirValue is_last = build_compare(b, I_EQUAL, next, plan->parts);
  range[1] = BUILD(b, "arith.select", IN(is_last, op_operand(product->loop, 1), to),
                   OUT(mlirValueGetType(to)));
}

/* Where a program is along each axis that the loop carries. */
static void build_place_of(struct builder *b, const struct product *product, MlirValue program,
                           MlirValue *out) {
  intptr_t axes = mlirOperationGetNumResults(product->programs);
  for (intptr_t axis = 0; axis < axes; axis++) {
    MlirValue count = product->counts[axis];
    out[axis] = axis + 1 < AXES ? build_binary(b, "arith.remui", program, count) : program;
    if (axis + 1 < axes)
      program = build_binary(b, "arith.divui", program, count);
  }
}

/* How the loop goes on does not depend on what a program does: it is computed first, up to the
   operation that is returned. */
static MlirOperation advance_first(struct product *product) {
  MlirBlock body = op_body(product->programs, 0);
  MlirOperation yield = mlirBlockGetTerminator(body);
  struct builder b = builder_before(mlirBlockGetFirstOperation(body));
  MlirOperation mark = value_definition(number(&b, 0));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); i++)
    hoist_in(op_operand(yield, i), body, mark);
  return mark;
}

struct substitution {
  MlirValue from, to;
};

static MlirLogicalResult substitute(MlirOperation op, void *data) {
  const struct substitution *substitution = data;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (mlirValueEqual(op_operand(op, i), substitution->from))
      mlirOperationSetOperand(op, i, substitution->to);
  return SUCCESS;
}

/* From `op` to the end of its block, but for the yield. */
static void substitute_from(MlirOperation op, MlirValue from, MlirValue to) {
  struct substitution substitution = {from, to};
  MlirOperation end = mlirBlockGetTerminator(mlirOperationGetBlock(op));
  for (; !mlirOperationEqual(op, end); op = mlirOperationGetNextInBlock(op)) {
    substitute(op, &substitution);
    visit_operations(op, substitute, &substitution);
  }
}

/* The loop over programs goes over units: where the program of this one is, and which iterations
   are its own. */
static void build_unit(struct product *product, const struct plan *plan) {
  MlirBlock body = op_body(product->programs, 0);
  intptr_t axes = mlirOperationGetNumResults(product->programs);
  MlirOperation mark = advance_first(product);
  struct builder b = builder_before(mark), arms[2];
  MlirValue counter = mlirBlockGetArgument(body, 0), shared[AXES + 2], whole[AXES + 2];
  MlirType i32 = mlirValueGetType(counter), types[] = {i32, i32, i32, i32, i32};
  MlirOperation branch =
      build_branch(&b, build_compare(&b, I_NOT_BELOW, counter, plan->whole), types, axes + 2, arms);
  struct part part = build_part_number(&arms[0], plan, counter);
  build_place_of(&arms[0], product, build_binary(&arms[0], "arith.addi", plan->whole, part.shared),
                 shared);
  build_range(&arms[0], product, plan, part.part, shared + axes);
  BUILD_OP(&arms[0], "scf.yield", INS(shared, axes + 2));
  for (intptr_t i = 0; i < axes; i++)
    whole[i] = mlirBlockGetArgument(body, 1 + i);
  for (intptr_t i = 0; i < 2; i++)
    whole[axes + i] = op_operand(product->loop, i);
  BUILD_OP(&arms[1], "scf.yield", INS(whole, axes + 2));
  for (intptr_t i = 0; i < axes; i++)
    substitute_from(mark, whole[i], op_result(branch, i));
  for (intptr_t i = 0; i < 2; i++)
    mlirOperationSetOperand(product->loop, i, op_result(branch, axes + i));
  mlirOperationDestroy(mark);
}

/* --- How it is put together ------------------------------------------------------------------- */

static MlirValue build_place(struct builder *b, const struct plan *plan, MlirValue words) {
  return BUILD(b, "tile.addptr", IN(plan->memory, words), OUT(mlirValueGetType(plan->memory)));
}

static MlirValue place_of_part(struct builder *b, const struct product *product,
                               const struct plan *plan, MlirValue part) {
  MlirValue words = build_binary(b, "arith.muli", part, number(b, product->bytes / 4));
  return build_place(b, plan, build_binary(b, "arith.addi", words, number(b, COUNTERS)));
}

/* The last one to come: the sum of all parts, in `arm`. */
static void build_sum(struct builder *arm, const struct product *product, const struct plan *plan,
                      const struct part *part, MlirValue counter) {
  BUILD_OP(arm, "tile.store", IN(counter, number(arm, 0)));
  MlirValue first = build_binary(arm, "arith.subi", part->number, part->part);
  MlirValue sum =
      BUILD(arm, "tile_gpu.sum_parts", IN(place_of_part(arm, product, plan, first), plan->parts),
            OUT(mlirValueGetType(product->sum)));
  BUILD_OP(arm, "scf.yield", IN(sum));
}

/* One part of several: the sum, and i1, whether this block has it, in `arm`. */
static void build_part(struct builder *arm, const struct product *product,
                       const struct plan *plan) {
  MlirType type = mlirValueGetType(product->sum);
  struct part part =
      build_part_number(arm, plan, mlirBlockGetArgument(op_body(product->programs, 0), 0));
  BUILD_OP(arm, "tile_gpu.store_part",
           IN(product->sum, place_of_part(arm, product, plan, part.number)));
  MlirValue counter = build_place(arm, plan, part.shared), one = number(arm, 1);
  MlirValue came = BUILD(
      arm, "tile.atomic_rmw", IN(counter, one), OUT(mlirValueGetType(one)),
      ATTRIBUTES(attribute_named(arm->context, "kind", attribute_string(arm->context, "add")),
                 attribute_named(arm->context, "sem", attribute_string(arm->context, "acq_rel")),
                 attribute_named(arm->context, "scope", attribute_string(arm->context, "gpu"))));
  MlirValue last =
      build_compare(arm, I_EQUAL, build_binary(arm, "arith.addi", came, one), plan->parts);
  struct builder arms[2];
  MlirOperation branch = build_branch(arm, last, &type, 1, arms);
  build_sum(&arms[0], product, plan, &part, counter);
  BUILD_OP(&arms[1], "scf.yield", IN(product->sum));
  BUILD_OP(arm, "scf.yield", IN(op_result(branch, 0), last));
}

/* What follows the sum, where this block has it. */
static void guard_rest(MlirOperation from, MlirValue condition) {
  MlirBlock body = mlirOperationGetBlock(from);
  MlirOperation end = mlirBlockGetTerminator(body), next;
  struct builder b = builder_before(from);
  MlirRegion region = region_with_block(&b, 0, NULL);
  MlirBlock inside = mlirRegionGetFirstBlock(region);
  BUILD_OP(&b, "scf.if", IN(condition), REGIONS(region, mlirRegionCreate()));
  for (MlirOperation op = from; !mlirOperationEqual(op, end); op = next) {
    next = mlirOperationGetNextInBlock(op);
    mlirOperationRemoveFromParent(op);
    mlirBlockAppendOwnedOperation(inside, op);
  }
  struct builder last = builder_at_end(b.context, inside, b.location);
  BUILD_OP(&last, "scf.yield", .in = NULL);
}

static void put_together(struct product *product, const struct plan *plan) {
  MlirOperation rest = mlirOperationGetNextInBlock(product->loop);
  struct builder b = builder_before(rest);
  MlirType types[] = {mlirValueGetType(product->sum), integer_type(&b, 1)};
  struct builder arms[2];
  MlirValue counter = mlirBlockGetArgument(op_body(product->programs, 0), 0);
  MlirValue several = build_compare(&b, I_NOT_BELOW, counter, plan->whole);
  MlirOperation branch = build_branch(&b, several, types, 2, arms);
  mlirValueReplaceAllUsesOfWith(product->sum, op_result(branch, 0));
  build_part(&arms[0], product, plan);
  BUILD_OP(&arms[1], "scf.yield", IN(product->sum, build_integer(&arms[1], 1, 1)));
  guard_rest(rest, op_result(branch, 1));
}

static void split(struct product *product) {
  struct plan plan = {0};
  build_plan(product, &plan);
  build_unit(product, &plan);
  put_together(product, &plan);
  attribute_set_integer(product->kernel, ATTR_PART_BYTES, product->bytes);
}

MlirLogicalResult run_split_tail(struct pass_context *context, MlirOperation module) {
  struct session *session = context->session;
  MlirOperation kernel = {0};
  while (next_kernel(session, module, &kernel)) {
    if (!attribute_has(kernel, ATTR_RESIDENT_BLOCKS) || attribute_has(kernel, ATTR_PART_BYTES))
      continue;
    struct product product = {.session = session, .kernel = kernel};
    const char *why = why_not_split(&product, context->values[0].integer);
    if (!why)
      split(&product);
    else if (context->values[1].integer)
      diagnostics_report(&session->diagnostics, SEVERITY_REMARK, mlirOperationGetLocation(kernel),
                         "no block shares a program of its last wave: %s", why);
  }
  return SUCCESS;
}
