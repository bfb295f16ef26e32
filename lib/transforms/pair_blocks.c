/* SPDX-License-Identifier: MIT */
/* tile-gpu-pair-blocks: where neighbouring programs read the same blocks of an operand, two blocks
   of threads work on them side by side, as a cluster, and each brings half of those blocks to both:
   the L2 cache is asked for half as much.

     for %n = %block to %programs step %blocks  for %n = ... iter_args(%mate = %rank xor 1)
       for %k = ...                               %mate = %n xor 1 < %programs ? %mate : %rank
         wait at empty                            %same = is what moves %b's blocks the same there?
         expect; bulk_load %a, %b       ->        for %k = ...
         wait at full                               wait at empty (of both blocks' warps)
         dot                                        expect; bulk_load %a; bulk_load %b if not %same
         arrive at empty                            multicast half of %b's block if %same
                                                    wait at full; dot
                                                    arrive at empty; arrive at %mate's empty

   Needs: kernels with roles that go over programs, with one loop of bulk copies, after
   tile-gpu-pipeline; the module's attribute tile.pairs asks for it, or tile.pairs_of_rows for a
   version of its own beside each, "$pairs": rows that begin inside of a cache line take one line
   more of the L2 cache than they have, in each block. Keeps: what they compute.
   Leaves: tile_gpu.cluster_blocks on them, for tile-gpu-warp-specialize, which lets the blocks
   begin and end together, for the lowering and for the launch, which starts an even number of
   blocks.

   Program n is with n xor 1, which the other block of the cluster works on at the same time,
   because the number of blocks is even. Which tile a program computes the kernel says: what its
   blocks' places are computed from is computed for the other program as well, and compared once a
   program. So whatever the order of programs is, an operand is shared where it can be. What is not
   the same each block copies for itself.

   Stages are in step: a block copies into the other one's stage when the warps of both have read
   it, which their arrivals at both blocks' mbarriers say; that both have as many iterations is
   necessary. Where the other program is not there, or goes over other iterations (a part of one,
   tile-gpu-split-tail), a block is alone: its warps arrive twice at its own mbarrier, and nothing
   is shared. Once alone it stays so, since nobody waits for the other one's warps then. */
#include <stdlib.h>
#include "base/arena.h"
#include "analysis/buffers.h"
#include "ir/build.h"
#include "ir/passes.h"
#include "ir/tensor_boxes.h"
#include "ir/tensor_maps.h"
#include "transforms/pipeline.h"
#include "transforms/versions.h"

const struct pass_option pair_blocks_options[] = {
    {"remarks", OPTION_BOOLEAN, "false", "says of each kernel that goes over programs why not"},
    {0}};

enum { BLOCKS = 2, AXES = 3, MAX_LOADS = 8, RING_VALUES = 2, LINE_BYTES = 128 };

struct pair {
  struct session *session;
  MlirOperation kernel, programs, loop; /* over programs; over K */
  MlirOperation loads[MAX_LOADS];       /* bulk copies, all in `loop` */
  int load_count;
  bool copies_elsewhere;
  intptr_t axes;     /* that the loop over programs carries places of, as its first values */
  struct map mates;  /* MlirValue.ptr -> what it is for the program of the other block */
  struct map leaves; /* MlirValue.ptr of what a load's place depends on -> itself, where it comes
                        from outside of `loop` */
};

/* --- What a kernel is like -------------------------------------------------------------------- */

static MlirLogicalResult note_load(MlirOperation op, void *data) {
  struct pair *pair = data;
  if (!op_is(pair->session, op, OP_TILE_GPU_BULK_LOAD))
    return SUCCESS;
  if (pair->load_count == MAX_LOADS)
    pair->copies_elsewhere = true;
  else
    pair->loads[pair->load_count++] = op;
  return SUCCESS;
}

/* The loop around all copies, and the one around that, of a kernel that goes over programs. */
static const char *find_loops(struct pair *pair) {
  visit_operations(pair->kernel, note_load, pair);
  if (!pair->load_count || pair->copies_elsewhere)
    return "it copies no blocks, or many";
  pair->loop = mlirOperationGetParentOperation(pair->loads[0]);
  for (int i = 1; i < pair->load_count; i++)
    if (!mlirBlockEqual(mlirOperationGetBlock(pair->loads[i]),
                        mlirOperationGetBlock(pair->loads[0])))
      return "several loops copy blocks, or one before the loop is";
  if (!op_is(pair->session, pair->loop, OP_SCF_FOR))
    return "the blocks are copied in no loop";
  pair->programs = mlirOperationGetParentOperation(pair->loop);
  MlirOperation kernel = mlirOperationGetParentOperation(pair->programs);
  int64_t step;
  if (!op_is(pair->session, pair->programs, OP_SCF_FOR) ||
      !mlirOperationEqual(kernel, pair->kernel) ||
      uniform_integer(pair->session, op_operand(pair->programs, 2), &step))
    return "it takes no programs in turn, or pairs of them";
  /* What pipeline_roles.c adds comes last: the stage and its parity. */
  pair->axes = mlirOperationGetNumResults(pair->programs) - RING_VALUES;
  return pair->axes >= 0 && pair->axes <= AXES ? NULL : "it carries more from program to program";
}

/* Each block's boxes are whole ones of either half. */
static bool can_be_halved(struct pair *pair, MlirOperation load) {
  struct tensor_boxes boxes;
  tile_status status = tensor_boxes_of(pair->session, op_operand_type(load, 1), &boxes);
  bool fits = !status && tensor_boxes_part(&boxes, BLOCKS) >= 0;
  tile_status_free(status);
  return fits;
}

/* --- The other program ------------------------------------------------------------------------ */

/* Is the value computed in the loop over programs, outside of the loop over K? */
static bool is_of_program(const struct pair *pair, MlirValue value) {
  if (mlirValueIsABlockArgument(value))
    return mlirBlockEqual(mlirBlockArgumentGetOwner(value), op_body(pair->programs, 0));
  return op_is_inside(value_definition(value), pair->programs);
}

/* What depends on the block itself rather than on its program is not known of the other one. */
static bool can_be_computed_twice(struct pair *pair, MlirOperation op) {
  const struct op_info *info = op_info(&pair->session->names, op);
  if (info->kind == OP_TILE_PROGRAM_ID)
    return false;
  return info->effects == EFFECTS_PURE || info->effects == EFFECTS_PURE_MAY_TRAP ||
         KIND_IN(info->kind, OP_SCF_IF, OP_SCF_YIELD);
}

static bool find_mate(struct pair *pair, struct builder *b, MlirValue value, MlirValue *out);

struct operands {
  struct pair *pair;
  struct builder *b;
  MlirOperation outer; /* whose own values stay what they are */
  bool found, differ;
};

/* Makes the operands of an operation, one in a region of `outer` or that itself, of the other
   program. */
static MlirLogicalResult find_operands(MlirOperation op, void *data) {
  struct operands *operands = data;
  operands->found &= can_be_computed_twice(operands->pair, op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && operands->found; i++) {
    MlirValue value = op_operand(op, i), mate;
    if (!mlirValueIsABlockArgument(value) && op_is_inside(value_definition(value), operands->outer))
      continue;
    operands->found = find_mate(operands->pair, operands->b, value, &mate);
    operands->differ |= operands->found && !mlirValueEqual(mate, value);
  }
  return operands->found ? SUCCESS : FAILURE;
}

/* Of values from outside of the loop over programs: those that both blocks have alike. */
static bool is_of_both(struct pair *pair, MlirValue value) {
  if (mlirValueIsABlockArgument(value) || map_get(&pair->mates, value.ptr))
    return true;
  MlirOperation op = value_definition(value);
  struct operands operands = {.pair = pair, .outer = op, .found = true};
  find_operands(op, &operands);
  visit_operations(op, find_operands, &operands);
  if (operands.found)
    map_set(&pair->mates, value.ptr, (void *)value.ptr);
  return operands.found;
}

static MlirLogicalResult put_mates(MlirOperation op, void *data) {
  struct pair *pair = data;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    void *mate = map_get(&pair->mates, op_operand(op, i).ptr);
    if (mate)
      mlirOperationSetOperand(op, i, (MlirValue){mate});
  }
  return SUCCESS;
}

/* The operation once more, for the other program. */
static void build_mate(struct pair *pair, struct builder *b, MlirOperation op) {
  MlirOperation copy = mlirOperationClone(op);
  mlirBlockInsertOwnedOperationBefore(b->block, b->before, copy);
  put_mates(copy, pair);
  visit_operations(copy, put_mates, pair);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    map_set(&pair->mates, op_result(op, i).ptr, (void *)op_result(copy, i).ptr);
}

/* What `value` is for the other program, computed at `b`, before the loop over K. False where that
   is not known. */
static bool find_mate(struct pair *pair, struct builder *b, MlirValue value, MlirValue *out) {
  MlirValue mate = {map_get(&pair->mates, value.ptr)};
  *out = mlirValueIsNull(mate) ? value : mate;
  if (!mlirValueIsNull(mate))
    return true;
  if (!is_of_program(pair, value))
    return is_of_both(pair, value);
  if (mlirValueIsABlockArgument(value)) /* stage and parity, or of a loop in between */
    return false;
  MlirOperation op = value_definition(value);
  struct operands operands = {.pair = pair, .b = b, .outer = op, .found = true};
  find_operands(op, &operands);
  visit_operations(op, find_operands, &operands);
  if (!operands.found)
    return false;
  if (operands.differ)
    build_mate(pair, b, op);
  else
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
      map_set(&pair->mates, op_result(op, i).ptr, (void *)op_result(op, i).ptr);
  *out = (MlirValue){map_get(&pair->mates, value.ptr)};
  return true;
}

/* The number of the other program, and where it is along each axis; its own where there is none. */
static void build_mate_place(struct pair *pair, struct builder *b, MlirValue exists) {
  MlirBlock body = op_body(pair->programs, 0), kernel = op_body(pair->kernel, 0);
  intptr_t parameters =
      mlirBlockGetNumArguments(kernel) - (attribute_has(pair->kernel, ATTR_PART_BYTES) ? 1 : 0);
  MlirValue own = mlirBlockGetArgument(body, 0);
  MlirValue other = build_binary(b, "arith.xori", own, build_integer(b, 32, 1));
  MlirValue number = BUILD(b, "arith.select", IN(exists, other, own), OUT(mlirValueGetType(own)));
  map_set(&pair->mates, own.ptr, (void *)number.ptr);
  for (intptr_t axis = 0; axis < pair->axes; axis++) {
    MlirValue count = mlirBlockGetArgument(kernel, parameters - AXES + axis), at = number;
    if (axis + 1 < AXES)
      at = build_binary(b, "arith.remui", number, count);
    if (axis + 1 < pair->axes)
      number = build_binary(b, "arith.divui", number, count);
    map_set(&pair->mates, mlirBlockGetArgument(body, 1 + axis).ptr, (void *)at.ptr);
  }
}

/* --- What the place of a block depends on ----------------------------------------------------- */

static bool find_leaves(struct pair *pair, MlirValue value);

/* A value that the loop over K carries, or its counter. */
static bool find_leaves_of_argument(struct pair *pair, MlirValue value) {
  intptr_t number = mlirBlockArgumentGetArgNumber(value);
  MlirOperation yield = mlirBlockGetTerminator(op_body(pair->loop, 0));
  if (number == 0)
    return find_leaves(pair, op_operand(pair->loop, 0)) &&
           find_leaves(pair, op_operand(pair->loop, 2));
  return find_leaves(pair, op_operand(pair->loop, 2 + number)) &&
         find_leaves(pair, op_operand(yield, number - 1));
}

/* Lists what comes from outside of the loop over K to `value`; false where more than arithmetic of
   such values is between. */
static bool find_leaves(struct pair *pair, MlirValue value) {
  if (map_get(&pair->leaves, value.ptr))
    return true;
  bool argument = mlirValueIsABlockArgument(value);
  MlirBlock body = op_body(pair->loop, 0);
  bool inside = argument ? mlirBlockEqual(mlirBlockArgumentGetOwner(value), body)
                         : op_is_inside(value_definition(value), pair->loop);
  map_set(&pair->leaves, value.ptr, inside ? pair : (void *)value.ptr);
  if (!inside)
    return true;
  if (argument)
    return find_leaves_of_argument(pair, value);
  MlirOperation op = value_definition(value);
  bool known = can_be_computed_twice(pair, op) && mlirOperationGetNumRegions(op) == 0 &&
               mlirBlockEqual(mlirOperationGetBlock(op), body);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && known; i++)
    known = find_leaves(pair, op_operand(op, i));
  return known;
}

/* i1: is the value, known outside of the loop over K, the same for both programs? Null where that
   is not known. */
static MlirValue build_same(struct pair *pair, struct builder *b, MlirValue value,
                            MlirValue condition) {
  MlirValue mate;
  if (!find_mate(pair, b, value, &mate))
    return (MlirValue){0};
  if (mlirValueEqual(mate, value))
    return condition;
  if (!mlirTypeIsAInteger(mlirValueGetType(value)) && !mlirTypeIsAIndex(mlirValueGetType(value)))
    return (MlirValue){0};
  MlirValue same = build_compare(b, I_EQUAL, mate, value);
  return build_binary(b, "arith.andi", condition, same);
}

/* i1: do both programs copy the same blocks with this load, in each iteration? */
static MlirValue build_same_blocks(struct pair *pair, struct builder *b, MlirOperation load,
                                   MlirValue condition) {
  enum { OFFSETS = 4 };
  bool known = true;
  map_clear(&pair->leaves);
  for (intptr_t i = OFFSETS; i < mlirOperationGetNumOperands(load) && known; i++)
    known = find_leaves(pair, op_operand(load, i));
  for (size_t i = 0; i < pair->leaves.count && known; i++) {
    struct map_slot slot = pair->leaves.slots[i];
    if (slot.value != slot.key)
      continue;
    condition = build_same(pair, b, (MlirValue){slot.value}, condition);
    known = !mlirValueIsNull(condition);
  }
  return known ? condition : (MlirValue){0};
}

/* --- How it is put together ------------------------------------------------------------------- */

static MlirValue build_not(struct builder *b, MlirValue condition) {
  return build_binary(b, "arith.xori", condition, build_integer(b, 1, 1));
}

/* The rank of the block that a block's warps tell, too, that they have read a stage: carried by the
   loop over programs, and its own from the first program on that it is alone with. */
static MlirValue build_target(struct pair *pair, struct builder *b, MlirValue rank,
                              MlirValue in_step) {
  struct wider_loop *w = tile_allocate(sizeof *w);
  *w = (struct wider_loop){.old = pair->programs};
  struct builder before = builder_before(pair->programs);
  wider_add(w, build_binary(&before, "arith.xori", rank, build_integer(&before, 32, 1)));
  wider_build(w, &before);
  MlirValue target = BUILD(b, "arith.select", IN(in_step, wider_argument(w, 0), rank),
                           OUT(mlirValueGetType(rank)));
  wider_finish(w, &target);
  pair->programs = w->loop;
  free(w);
  return target;
}

/* The box of one copy is of one half. */
static void complete_recipe(struct pair *pair, MlirOperation load) {
  enum { OFFSETS = 4 };
  struct tensor_boxes boxes;
  tile_status_free(tensor_boxes_of(pair->session, op_operand_type(load, 1), &boxes));
  tensor_boxes_part(&boxes, BLOCKS);
  int rank = (int)mlirOperationGetNumOperands(load) - OFFSETS;
  int32_t box[TENSOR_MAX_RANK];
  for (int i = 0; i < rank; i++)
    box[i] = i < boxes.rank ? boxes.box[boxes.rank - 1 - i] : 1;
  tensor_map_complete(pair->session, op_operand(load, 0), rank, box, boxes.swizzle);
}

static MlirValue conjunction_of(struct pair *pair, struct builder *b, MlirValue x, MlirValue y) {
  int64_t always;
  if (uniform_integer(pair->session, x, &always) && always)
    return y;
  return build_binary(b, "arith.andi", x, y);
}

/* The load for the block alone, and the other one that the two blocks make together. */
static void share_load(struct pair *pair, MlirOperation load, MlirValue shared, MlirValue own) {
  enum { PREDICATE = 3 };
  struct builder b = builder_before(load);
  MlirContext context = pair->session->context;
  complete_recipe(pair, load);
  mlirOperationSetAttributeByName(load, ref("parts"), attribute_integer(context, 32, BLOCKS));
  if (mlirValueIsNull(shared))
    return;
  MlirValue predicate = op_operand(load, PREDICATE);
  MlirOperation both = mlirOperationClone(load);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(load), load, both);
  mlirOperationSetAttributeByName(both, ref("multicast"), mlirUnitAttrGet(context));
  b = builder_before(both);
  mlirOperationSetOperand(both, PREDICATE, conjunction_of(pair, &b, predicate, shared));
  mlirOperationSetOperand(load, PREDICATE, conjunction_of(pair, &b, predicate, own));
}

/* --- Arrivals --------------------------------------------------------------------------------- */

struct arrivals {
  struct pair *pair;
  MlirValue target;
  struct map barriers; /* MlirOperation.ptr of the buffers at whose mbarriers warps arrive */
};

static MlirLogicalResult double_arrival(MlirOperation op, void *data) {
  struct arrivals *arrivals = data;
  struct session *session = arrivals->pair->session;
  if (!op_is(session, op, OP_TILE_GPU_MBARRIER_ARRIVE))
    return SUCCESS;
  map_set(&arrivals->barriers, buffer_root(session, op_operand(op, 0)).ptr, arrivals);
  struct builder b = builder_before(op);
  BUILD_OP(&b, "tile_gpu.mbarrier_arrive_at",
           IN(op_operand(op, 0), op_operand(op, 1), arrivals->target));
  return SUCCESS;
}

static MlirLogicalResult double_count(MlirOperation op, void *data) {
  struct arrivals *arrivals = data;
  struct session *session = arrivals->pair->session;
  if (op_is(session, op, OP_TILE_GPU_MBARRIER_INIT) &&
      map_get(&arrivals->barriers, buffer_root(session, op_operand(op, 0)).ptr))
    mlirOperationSetAttributeByName(
        op, ref("arrivals"),
        attribute_integer(session->context, 32, BLOCKS * op_integer(op, "arrivals", 1)));
  return SUCCESS;
}

static void share_stages(struct pair *pair, MlirValue target) {
  struct arrivals arrivals = {.pair = pair, .target = target};
  visit_operations(pair->kernel, double_arrival, &arrivals);
  visit_operations(pair->kernel, double_count, &arrivals);
  map_free(&arrivals.barriers);
}

/* --- The pass --------------------------------------------------------------------------------- */

/* i1: does the other program exist, and go over the same iterations? Null where that is not known.
 */
static MlirValue build_in_step(struct pair *pair, struct builder *b) {
  MlirValue own = mlirBlockGetArgument(op_body(pair->programs, 0), 0);
  MlirValue last = build_binary(b, "arith.ori", own, build_integer(b, 32, 1));
  MlirValue in_step = build_compare(b, I_LESS, last, op_operand(pair->programs, 1));
  build_mate_place(pair, b, in_step);
  for (int i = 0; i < 3 && !mlirValueIsNull(in_step); i++)
    in_step = build_same(pair, b, op_operand(pair->loop, i), in_step);
  return in_step;
}

static const char *pair_kernel(struct pair *pair) {
  const char *why = find_loops(pair);
  if (why)
    return why;
  for (int i = 0; i < pair->load_count; i++)
    if (!can_be_halved(pair, pair->loads[i]))
      return "a block that it copies has no halves";
  struct builder b = builder_before(pair->loop), before = builder_before(pair->programs);
  MlirValue in_step = build_in_step(pair, &b), same[MAX_LOADS];
  if (mlirValueIsNull(in_step))
    return "how long the loop of another program is depends on memory";
  int shared = 0;
  for (int i = 0; i < pair->load_count; i++) {
    same[i] = build_same_blocks(pair, &b, pair->loads[i], build_integer(&b, 1, 1));
    shared += !mlirValueIsNull(same[i]);
  }
  if (!shared)
    return "where the blocks of another program are is not known";
  attribute_set_integer(pair->kernel, ATTR_CLUSTER_BLOCKS, BLOCKS);
  MlirValue rank = BUILD(&before, "tile_gpu.cluster_rank", OUT(integer_type(&before, 32)));
  MlirValue target = build_target(pair, &b, rank, in_step);
  b = builder_before(pair->loop);
  MlirValue together = build_compare(&b, I_UNEQUAL, target, rank);
  for (int i = 0; i < pair->load_count; i++) {
    MlirValue both = {0}, own = {0};
    if (!mlirValueIsNull(same[i])) {
      both = build_binary(&b, "arith.andi", same[i], together);
      own = build_not(&b, both);
    }
    share_load(pair, pair->loads[i], both, own);
  }
  share_stages(pair, target);
  return NULL;
}

/* A third role has stages of its own. */
static MlirLogicalResult find_transpose(MlirOperation op, void *session) {
  return op_is(session, op, OP_TILE_GPU_LOCAL_TRANSPOSE) ? FAILURE : SUCCESS;
}

/* The kernel that is to have pairs: a version of its own for rows that split cache lines, or the
   one that is there. Null where there is none. */
static MlirOperation paired_version(struct session *session, MlirOperation kernel, bool own) {
  if (!attribute_has(kernel, ATTR_RESIDENT_BLOCKS) || !attribute_has(kernel, ATTR_PRODUCER_WARPS) ||
      attribute_has(kernel, ATTR_CLUSTER_BLOCKS) ||
      FAILED(visit_operations(kernel, find_transpose, session)))
    return (MlirOperation){0};
  if (!own)
    return kernel;
  if (!attribute_has(kernel, ATTR_TENSOR_MAPS_OF))
    return (MlirOperation){0};
  MlirOperation copy = version_clone(session, kernel, "$pairs", ATTR_TENSOR_MAPS_OF);
  if (mlirOperationIsNull(copy))
    return copy;
  attribute_copy(kernel, copy, ATTR_TENSOR_MAPS_OF);
  attribute_set_integer(copy, ATTR_SPLIT_ROWS, LINE_BYTES);
  return copy;
}

MlirLogicalResult run_pair_blocks(struct pass_context *context, MlirOperation module) {
  struct session *session = context->session;
  MlirOperation next = {0};
  bool own = !attribute_has(module, ATTR_PAIRS);
  if (own && !attribute_has(module, ATTR_PAIRS_OF_ROWS))
    return SUCCESS;
  while (next_kernel(session, module, &next)) {
    MlirOperation kernel = paired_version(session, next, own);
    if (mlirOperationIsNull(kernel))
      continue;
    struct pair pair = {.session = session, .kernel = kernel};
    const char *why = pair_kernel(&pair);
    if (why && context->values[0].integer)
      diagnostics_report(&session->diagnostics, SEVERITY_REMARK, mlirOperationGetLocation(kernel),
                         "its blocks go alone: %s", why);
    if (why && own)
      mlirOperationDestroy(kernel);
    map_free(&pair.mates);
    map_free(&pair.leaves);
  }
  return SUCCESS;
}
