/* tile-gpu-coalesce: layouts under which a warp's global accesses are contiguous and wide.

   Needs: tensors with layouts (tile-assign-layouts). Keeps: what the function computes.
   Breaks: layouts chosen before.

   For each group of values that share a layout (layout_groups.h) every access votes: the order of
   dimensions is that of its pointers' contiguity, fastest first, weighted by its bytes; the number
   of consecutive elements per thread is what alignment and 16-byte accesses allow, at most what
   leaves every thread some. The narrowest access of the winning order decides, so that each access
   of a warp is contiguous; of accesses in and outside of loops, those of the innermost loops, which are
   executed most often. Gathers, which no layout makes contiguous, have no vote.                    */
#include "analysis/axis_info.h"
#include "ir/passes.h"
#include "ir/tile_ops.h"
#include "transforms/layout_groups.h"

enum { MAX_ACCESS_BYTES = 16, MAX_VOTES = 24 };

/* The accesses of one group that prefer one order. */
struct vote {
  int32_t order[MAX_RANK];
  int64_t bytes;
  int32_t per_thread; /* by the accesses in most loops: */
  int depth;
};

struct ballot {
  struct vote votes[MAX_VOTES];
  int count;
};

struct coalesce_state {
  struct layout_groups *groups;
  struct axis_analysis *axis;
  struct map ballots; /* struct layout_group * -> struct ballot */
};

static int64_t smaller(int64_t a, int64_t b) {
  return a < b ? a : b;
}

/* Dimensions by contiguity, largest first; among equals the last dimension is fastest. */
static void order_by_contiguity(const struct axis_info *info, int rank, int32_t *order) {
  for (int i = 0; i < rank; i++)
    order[i] = rank - 1 - i;
  for (int i = 1; i < rank; i++)
    for (int j = i; j > 0 && info->contiguity[order[j]] > info->contiguity[order[j - 1]]; j--) {
      int32_t swap = order[j];
      order[j] = order[j - 1];
      order[j - 1] = swap;
    }
}

static bool same_order(const struct vote *vote, const int32_t *order, int rank) {
  for (int i = 0; i < rank; i++)
    if (vote->order[i] != order[i])
      return false;
  return true;
}

static void add_vote(struct ballot *ballot, const int32_t *order, int rank, int64_t bytes,
                     int32_t per_thread, int depth) {
  struct vote *vote = ballot->votes;
  while (vote < ballot->votes + ballot->count && !same_order(vote, order, rank))
    vote++;
  if (vote == ballot->votes + ballot->count) {
    if (ballot->count == MAX_VOTES)
      return;
    ballot->count++;
    *vote = (struct vote){.per_thread = per_thread, .depth = depth};
    for (int i = 0; i < rank; i++)
      vote->order[i] = order[i];
  }
  vote->bytes += bytes;
  if (depth > vote->depth)
    vote->per_thread = per_thread, vote->depth = depth;
  else if (depth == vote->depth)
    vote->per_thread = (int32_t)smaller(vote->per_thread, per_thread);
}

/* How many loops `op` is in. */
static int loop_depth(struct session *session, MlirOperation op) {
  int depth = 0;
  for (op = mlirOperationGetParentOperation(op); kind_of(session, op) != OP_FUNC;
       op = mlirOperationGetParentOperation(op))
    depth += kind_of(session, op) == OP_SCF_FOR || kind_of(session, op) == OP_SCF_WHILE;
  return depth;
}

static struct ballot *ballot_of(struct coalesce_state *state, struct layout_group *group) {
  struct ballot *ballot = map_get(&state->ballots, group);
  if (!ballot) {
    ballot = ARENA_NEW(&state->groups->arena, struct ballot);
    map_set(&state->ballots, group, ballot);
  }
  return ballot;
}

static MlirLogicalResult collect_vote(MlirOperation op, void *data) {
  struct coalesce_state *state = data;
  struct session *session = state->groups->session;
  enum op_kind kind = kind_of(session, op);
  if (kind != OP_TILE_LOAD && kind != OP_TILE_STORE && kind != OP_TILE_GPU_ASYNC_COPY)
    return SUCCESS;
  MlirValue pointer = op_operand(op, 0);
  MlirType type = mlirValueGetType(pointer);
  if (!type_is_tensor(type))
    return SUCCESS;
  const struct axis_info *info = axis_info_of(state->axis, pointer);
  int64_t shape[MAX_RANK];
  int rank = type_shape(type, shape);
  int32_t order[MAX_RANK] = {0};
  order_by_contiguity(info, rank, order);
  if (info->contiguity[order[0]] <= 1)
    return SUCCESS; /* a gather */
  int64_t bytes = type_bytes(&session->types, pointer_pointee(&session->types, type_element(type)));
  int64_t wide = axis_pointer_contiguity(state->axis, session, pointer, order[0]);
  int64_t share = type_elements(type) / (32 * state->groups->num_warps);
  int64_t per_thread = smaller(smaller(wide, MAX_ACCESS_BYTES / bytes), share < 1 ? 1 : share);
  layout_group_of(state->groups, pointer)->anchored = true;
  add_vote(ballot_of(state, layout_group_of(state->groups, pointer)), order, rank,
           bytes * type_elements(type), (int32_t)smaller(per_thread, shape[order[0]]),
           loop_depth(session, op));
  return SUCCESS;
}

static MlirAttribute choose_coalesced(struct layout_groups *groups, struct layout_group *group,
                                      void *data) {
  struct coalesce_state *state = data;
  const struct ballot *ballot = map_get(&state->ballots, group);
  const struct vote *best = NULL;
  for (int i = 0; ballot && i < ballot->count; i++)
    if (!best || ballot->votes[i].bytes > best->bytes)
      best = &ballot->votes[i];
  if (best)
    return default_blocked(groups, group, best->order, best->per_thread);
  int rank = (int)mlirShapedTypeGetRank(group->largest);
  int32_t order[MAX_RANK];
  for (int i = 0; i < rank; i++)
    order[i] = rank - 1 - i;
  return default_blocked(groups, group, order, 1);
}

static MlirLogicalResult coalesce_function(struct session *session, MlirOperation function,
                                           int num_warps) {
  struct layout_groups groups;
  struct axis_analysis axis;
  layout_groups_build(&groups, session, function, num_warps);
  axis_analysis_run(&axis, session, function);
  struct coalesce_state state = {.groups = &groups, .axis = &axis};
  MlirLogicalResult result = visit_operations(function, collect_vote, &state);
  if (!FAILED(result))
    result = layout_groups_apply(&groups, function, choose_coalesced, &state);
  map_free(&state.ballots);
  axis_analysis_destroy(&axis);
  layout_groups_destroy(&groups);
  return result;
}

MlirLogicalResult run_coalesce(struct pass_context *context, MlirOperation module) {
  struct session *session = context->session;
  int64_t num_warps = op_integer(module, "tile_gpu.num_warps", 0);
  if (num_warps < 1)
    return fail_at(mlirOperationGetLocation(module),
                   "tile-gpu-coalesce: the module has no tile_gpu.num_warps; run "
                   "tile-assign-layouts first");
  MlirOperation op = mlirBlockGetFirstOperation(op_body(module, 0));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (kind_of(session, op) == OP_FUNC && op_has_attribute(op, "tile.kernel"))
      TRY_IR(coalesce_function(session, op, (int)num_warps));
  return SUCCESS;
}
