/* SPDX-License-Identifier: MIT */
/* tile-gpu-pipeline: loads of later iterations are started while one computes.

   Needs: layouts that are final (after tile-gpu-coalesce and whatever changes layouts). Keeps: what
   the kernels compute. Breaks: tile.num_stages of loops, which is used up. Which loads, how, and
   how far ahead: analysis/loop_schedule.h; tile-gpu-print-schedule shows it.

   Two rewrites, each for all loads of one kind, d iterations ahead. Only addresses and masks are
   computed ahead, by copies of the operations that form them (analysis/ahead.h), from the induction
   variable iv + d * step and from loop-carried values of their own that are d iterations ahead.
   What lies beyond the end of the loop is masked: a loop of fewer than d iterations, or none, needs
   nothing else.

     registers                               copies
       v[k] = load of iteration k, k < d       the same with async_copy, commit
       for iv, v[0] ... v[d - 1]               for iv, index, index ahead
         next = load of iv + d * step            wait until d - 1 groups are in flight
         ... v[0] ...                            copy of iv + d * step; commit
         yield v[1] ... v[d - 1], next           ... local_load of stage `index` ...
                                                 yield the next indices
                                               wait for all */
#include <stdlib.h>
#include "analysis/loop_schedule.h"
#include "analysis/loop_stages.h"
#include "base/arena.h"
#include "ir/build.h"
#include "ir/module_target.h"
#include "ir/passes.h"
#include "ir/tensor_maps.h"
#include "transforms/overlap.h"
#include "transforms/pipeline.h"
#include "transforms/versions.h"

/* --- Products in flight ----------------------------------------------------------------------- */

/* The wait leaves this iteration's product in flight; after the loop nothing is.

     %f = warpgroup_dot %a, %b, %c                        %f = warpgroup_dot %a, %b, %c
     %d = warpgroup_dot_wait %f {pending = 0}      ->     %d = warpgroup_dot_wait %f {pending = 1}
     yield %d                                             yield %d
                                                        %r = warpgroup_dot_wait %loop {pending = 0}
                                                        */
static MlirOperation delay_wait(struct session *session, MlirOperation loop, MlirOperation wait) {
  MlirOpOperand use = mlirValueGetFirstUse(op_result(wait, 0));
  MlirValue result = op_result(loop, (intptr_t)mlirOpOperandGetOperandNumber(use));
  MlirOperation last = mlirOperationClone(wait);
  mlirBlockInsertOwnedOperationAfter(mlirOperationGetBlock(loop), loop, last);
  mlirValueReplaceAllUsesOfWith(result, op_result(last, 0));
  mlirOperationSetOperand(last, 0, result);
  mlirOperationSetAttributeByName(wait, ref("pending"), attribute_integer(session->context, 32, 1));
  return last;
}

/* The loop's copies, and its product in flight until the next iteration's. */
static MlirOperation rewrite_copies(struct session *session, MlirOperation function,
                                    const struct loop_schedule *schedule,
                                    struct role_rewrite *roles) {
  MlirOperation wait = {0}, last = {0}, loop = schedule->loop;
  if (schedule->in_flight)
    wait = loop_schedule_in_flight(session, schedule);
  if (schedule->bulk && attribute_has(function, ATTR_PRODUCER_WARPS)) {
    if (schedule->in_flight)
      last = delay_wait(session, loop, wait);
    return pipeline_roles(session, schedule, wait, last, roles);
  }
  if (schedule->copies_ahead)
    loop = schedule->bulk ? pipeline_blocks(session, schedule) : pipeline_copies(session, schedule);
  if (schedule->in_flight)
    delay_wait(session, loop, wait);
  return loop;
}

/* --- The pass --------------------------------------------------------------------------------- */

/* Says where fewer stages fit into shared memory than are asked for; of the version with tensor
   maps not, beside the kernel itself. */
static void report_stages(struct session *session, const struct loop_schedule *schedule) {
  if (schedule->stage_bytes && schedule->copies_ahead + 1 < schedule->stages &&
      !attribute_has(function_of(session, schedule->loop), ATTR_TENSOR_MAPS_OF))
    diagnostics_report(&session->diagnostics, SEVERITY_REMARK,
                       mlirOperationGetLocation(schedule->loop),
                       "scf.for: num_stages = %d does not fit into %d bytes of shared memory, as a "
                       "stage takes %lld; "
                       "compiled as with num_stages = %d, smaller tiles leave room for more",
                       schedule->stages, machine_of(schedule->loop)->block_shared_bytes,
                       (long long)schedule->stage_bytes, schedule->copies_ahead + 1);
}

/* What is known of a loop's rewrites, and of its kernel's. */
struct rewritten {
  int copies_ahead; /* iterations */
  bool overlaps;    /* the loop's products overlap */
  struct role_rewrite roles;
};

/* Schedules and rewrites for one kind of loads; what is known of the function changes with each
   rewrite. */
static MlirOperation rewrite_loop(struct session *session, MlirOperation function,
                                  MlirOperation loop, enum pipeline_method method,
                                  struct rewritten *out) {
  struct axis_analysis axis;
  const char *reason;
  struct loop_schedule *schedule = tile_allocate(sizeof *schedule);
  axis_analysis_run(&axis, session, function);
  bool made = loop_schedule_make(session, &axis, loop, schedule, &reason);
  axis_analysis_destroy(&axis);
  if (made && method == PIPELINE_COPY && !attribute_has(function, ATTR_LOW_OCCUPANCY_OF))
    report_stages(session, schedule);
  if (made && method == PIPELINE_COPY) {
    out->copies_ahead = schedule->copies_ahead;
    out->overlaps = schedule->overlaps;
    loop = rewrite_copies(session, function, schedule, &out->roles);
  } else if (made && method == PIPELINE_REGISTERS && schedule->registers_ahead)
    loop = pipeline_loads(session, schedule);
  free(schedule);
  return loop;
}

/* What is in the place of the loop then. */
static MlirOperation pipeline_loop(struct session *session, MlirOperation function,
                                   MlirOperation loop, struct rewritten *rewritten) {
  map_clear(&rewritten->roles.syncs);
  rewritten->copies_ahead = 0;
  rewritten->overlaps = false;
  loop = rewrite_loop(session, function, loop, PIPELINE_COPY, rewritten);
  loop = rewrite_loop(session, function, loop, PIPELINE_REGISTERS, rewritten);
  attribute_remove(loop, ATTR_NUM_STAGES);
  attribute_remove(loop, ATTR_FULL_STAGES);
  enum overlap_order order = overlap_order_of(loop);
  attribute_remove(loop, ATTR_OVERLAPS_PRODUCTS);
  if (rewritten->overlaps)
    loop = overlap_loop(session, loop, order, &rewritten->roles.syncs);
  if (rewritten->copies_ahead)
    rewritten->roles.before = loop;
  return loop;
}

enum { MAX_NESTING = 64 };

/* The loops around an operation, inner ones first, at most MAX_NESTING of them. */
static size_t loops_around(struct session *session, MlirOperation op, MlirOperation *out) {
  size_t count = 0;
  MlirOperation parent = mlirOperationGetParentOperation(op);
  for (; !mlirOperationIsNull(parent) && count < MAX_NESTING;
       parent = mlirOperationGetParentOperation(parent))
    if (op_is(session, parent, OP_SCF_FOR))
      out[count++] = parent;
  return count;
}

/* Returns how many iterations copies are ahead, of all loops together. Roles put new loops in the
   place of those around one, which are still to come: the list gets them. */
static int pipeline_function(struct session *session, MlirOperation function) {
  int copies_ahead = 0;
  struct rewritten rewritten = {0};
  struct outer_reads reads;
  pipeline_outer(session, function, &reads);
  struct loop_list loops = loops_of(session, function);
  for (size_t i = 0; i < loops.count; i++) {
    MlirOperation before[MAX_NESTING], after[MAX_NESTING];
    size_t count = loops_around(session, loops.list[i], before);
    MlirOperation loop = pipeline_loop(session, function, loops.list[i], &rewritten);
    loops_around(session, loop, after);
    for (size_t k = 0; k < count; k++)
      for (size_t j = i + 1; j < loops.count; j++)
        if (mlirOperationEqual(loops.list[j], before[k]))
          loops.list[j] = after[k];
    copies_ahead += rewritten.copies_ahead;
  }
  loops_free(&loops);
  pipeline_outer_end(session, &reads);
  role_rewrite_end(&rewritten.roles);
  return copies_ahead;
}

struct taking {
  struct session *session;
  bool any;
};

static MlirLogicalResult take_full_stages(MlirOperation op, void *data) {
  struct taking *taking = data;
  if (!attribute_has(op, ATTR_FULL_STAGES))
    return SUCCESS;
  attribute_set_integer(op, ATTR_NUM_STAGES, attribute_number(op, ATTR_FULL_STAGES, 0));
  attribute_remove(op, ATTR_FULL_STAGES);
  taking->any = true;
  return SUCCESS;
}

/* For launches that leave a multiprocessor fewer blocks than the stages of its loops make room for:
   the version with all of them. Null where no loop has fewer, and where the copy engine fills
   them. */
static MlirOperation make_fuller(struct session *session, MlirOperation kernel) {
  if (attribute_has(kernel, ATTR_TENSOR_MAPS_OF))
    return (MlirOperation){0};
  MlirOperation fuller = version_clone(session, kernel, "$fewer", ATTR_LOW_OCCUPANCY_OF);
  if (mlirOperationIsNull(fuller))
    return fuller;
  struct taking taking = {session, false};
  visit_operations(fuller, take_full_stages, &taking);
  if (!taking.any) {
    mlirOperationDestroy(fuller);
    return (MlirOperation){0};
  }
  attribute_set_unit(fuller, ATTR_FEWER_BLOCKS);
  return fuller;
}

/* All versions; only those that are deeper than the kernel. */
static void pipeline_versions(struct session *session, MlirOperation kernel, bool low_occupancy) {
  MlirOperation deeper[2] = {{0}};
  if (low_occupancy) {
    deeper[0] = version_clone(session, kernel, "$small", ATTR_LOW_OCCUPANCY_OF);
    deeper[1] = make_fuller(session, kernel);
  }
  int ahead = pipeline_function(session, kernel);
  for (int i = 0; i < 2; i++)
    if (!mlirOperationIsNull(deeper[i]) &&
        (ahead == 0 || pipeline_function(session, deeper[i]) <= ahead))
      mlirOperationDestroy(deeper[i]);
}

static MlirLogicalResult find_block_load(MlirOperation op, void *session) {
  return op_is(session, op, OP_TILE_DESCRIPTOR_LOAD) ? FAILURE : SUCCESS;
}

/* Does the copy engine bring all blocks that the kernel's descriptors are for? */
static bool is_fed_by_engine(struct session *session, MlirOperation kernel) {
  return !FAILED(visit_operations(kernel, find_block_load, session)) &&
         tensor_maps_are_complete(session, kernel);
}

/* Versions with tensor maps stay where that is so of all their blocks, and no descriptor of their
   parameters has lost its loads on the way. */
static void drop_unfed_versions(struct session *session, MlirOperation module) {
  MlirOperation next = {0};
  bool more = next_kernel(session, module, &next);
  while (more) {
    MlirOperation kernel = next;
    more = next_kernel(session, module, &next);
    if (attribute_has(kernel, ATTR_TENSOR_MAPS_OF) && !is_fed_by_engine(session, kernel))
      mlirOperationDestroy(kernel);
  }
}

MlirLogicalResult run_pipeline(struct pass_context *context, MlirOperation module) {
  struct session *session = context->session;
  bool low_occupancy = attribute_has(module, ATTR_LOW_OCCUPANCY);
  MlirOperation next = {0};
  bool more = next_kernel(session, module, &next);
  while (more) {
    MlirOperation kernel = next;
    more = next_kernel(session, module, &next);
    pipeline_versions(session, kernel,
                      low_occupancy && !attribute_has(kernel, ATTR_LOW_OCCUPANCY_OF));
  }
  drop_unfed_versions(session, module);
  return SUCCESS;
}
