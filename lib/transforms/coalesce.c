/* SPDX-License-Identifier: MIT */
/* tile-gpu-coalesce: layouts under which a warp's global accesses are contiguous and wide.

   Needs: tensors with layouts (tile-assign-layouts). Keeps: what the function computes.
   Breaks: layouts chosen before.

   For each group of values that share a layout (layout_groups.h) every access votes: the order of
   dimensions is that of its pointers' contiguity, fastest first, weighted by its bytes; the number
   of consecutive elements per thread is what alignment and 16-byte accesses allow, at most what
   leaves every thread some. The narrowest access of the winning order decides, so that each access
   of a warp is contiguous; of accesses in and outside of loops, those of the innermost loops, which
   are executed most often. Gathers, which no layout makes contiguous, have no vote. An atomic
   operation has one, for as many elements as one instruction changes.

   An access whose order loses touches many sectors of memory for few of their bytes: a transposed
   store of 64 x 64 halves writes 32 single ones a thread. Where it costs less to bring its data
   into its own order through shared memory, it is set apart, with addresses and a mask of its own:

       store %p, %v, %m        ->        %w = convert_layout %v
                                         store %p', %w, %m' */
#include "analysis/axis_info.h"
#include "base/numbers.h"
#include "ir/build.h"
#include "ir/module_target.h"
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
  bool apart;         /* an access has been set apart */
};

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
    depth += op_has(session, op, IS_LOOP);
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

/* What an access would have: the layout's order, and elements at a time. */
struct wish {
  int32_t order[MAX_RANK], per_thread;
  int64_t bytes; /* of an element */
};

/* False for what has no wish: scalars, gathers, and what is no access. */
static bool describe_access(struct coalesce_state *state, MlirOperation op, struct wish *out) {
  struct session *session = state->groups->session;
  enum op_kind kind = kind_of(session, op);
  bool atomic = KIND_IN(kind, OP_TILE_ATOMIC_RMW, OP_TILE_ATOMIC_CAS);
  if (!atomic && !KIND_IN(kind, OP_TILE_LOAD, OP_TILE_STORE, OP_TILE_GPU_ASYNC_COPY))
    return false;
  MlirValue pointer = op_operand(op, 0);
  MlirType type = mlirValueGetType(pointer);
  if (!type_is_tensor(type))
    return false;
  const struct axis_info *info = axis_info_of(state->axis, pointer);
  int64_t shape[MAX_RANK];
  int rank = type_shape(type, shape);
  *out = (struct wish){
      .bytes = type_bytes(&session->types, pointer_pointee(&session->types, type_element(type)))};
  order_by_contiguity(info, rank, out->order);
  if (info->contiguity[out->order[0]] <= 1)
    return false;
  int64_t wide = axis_pointer_contiguity(state->axis, session, pointer, out->order[0]);
  int64_t share = type_elements(type) / (MACHINE_LANES * state->groups->num_warps);
  int64_t most = atomic ? tile_atomic_width(op) : MAX_ACCESS_BYTES / out->bytes;
  int64_t per_thread = smaller(smaller(wide, most), share < 1 ? 1 : share);
  out->per_thread = (int32_t)smaller(per_thread, shape[out->order[0]]);
  return true;
}

static MlirLogicalResult collect_vote(MlirOperation op, void *data) {
  struct coalesce_state *state = data;
  struct wish wish;
  if (!describe_access(state, op, &wish))
    return SUCCESS;
  MlirType type = op_operand_type(op, 0);
  struct layout_group *group = layout_group_of(state->groups, op_operand(op, 0));
  group->anchored = true;
  add_vote(ballot_of(state, group), wish.order, (int)mlirShapedTypeGetRank(type),
           wish.bytes * type_elements(type), wish.per_thread,
           loop_depth(state->groups->session, op));
  return SUCCESS;
}

static const struct vote *winner(const struct ballot *ballot) {
  const struct vote *best = NULL;
  for (int i = 0; ballot && i < ballot->count; i++)
    if (!best || ballot->votes[i].bytes > best->bytes)
      best = &ballot->votes[i];
  return best;
}

static MlirAttribute choose_coalesced(struct layout_groups *groups, struct layout_group *group,
                                      void *data) {
  struct coalesce_state *state = data;
  const struct ballot *ballot = map_get(&state->ballots, group);
  const struct vote *best = winner(ballot);
  if (best)
    return default_blocked(groups, group, best->order, best->per_thread);
  int rank = (int)mlirShapedTypeGetRank(group->largest);
  int32_t order[MAX_RANK];
  for (int i = 0; i < rank; i++)
    order[i] = rank - 1 - i;
  return default_blocked(groups, group, order, 1);
}

/* --- Accesses that go against the others of their group --------------------------------------- */

/* In sectors of 32 bytes, of which memory and its caches move one at a time; a wavefront of shared
   memory, a word of each bank, counts as one, and the two barriers around an exchange as BARRIERS.
   */
enum { BARRIERS = 24 };

/* Sectors that a warp's accesses to a tile touch, where it is held so. */
static int64_t sectors(const struct blocked_layout *held, const struct wish *wish,
                       int64_t elements) {
  int32_t dim = wish->order[0];
  int64_t lanes = held->threads_per_warp[dim];
  int64_t wide = held->order[0] == dim ? smaller(held->size_per_thread[dim], wish->per_thread) : 1;
  int64_t piece = (lanes * wide * wish->bytes + MACHINE_SECTOR_BYTES - 1) / MACHINE_SECTOR_BYTES;
  return elements / wide / lanes * piece;
}

static const struct blocked_layout *blocked_of(struct coalesce_state *state,
                                               struct layout_group *group, const int32_t *order,
                                               int32_t per_thread) {
  const struct layout_info *info;
  MlirAttribute layout = default_blocked(state->groups, group, order, per_thread);
  tile_status status = layout_decode(&state->groups->session->layouts, layout, &info);
  tile_status_free(status);
  return status ? NULL : &info->blocked;
}

/* Whether an access is cheaper in a layout of its own, its data going through shared memory. */
static bool pays_apart(struct coalesce_state *state, const struct machine *machine,
                       struct layout_group *group, const struct vote *best,
                       const struct wish *wish) {
  const struct blocked_layout *held = blocked_of(state, group, best->order, best->per_thread);
  const struct blocked_layout *own = blocked_of(state, group, wish->order, wish->per_thread);
  int64_t elements = type_elements(group->largest) / state->groups->num_warps;
  if (!held || !own || elements < machine->lanes)
    return false;
  int64_t exchange = 2 * elements * wish->bytes / (machine->banks * MACHINE_BANK_BYTES) + BARRIERS;
  return sectors(held, wish, elements) > sectors(own, wish, elements) + exchange;
}

static MlirValue convert(struct builder *b, MlirValue value) {
  return BUILD(b, "tile_gpu.convert_layout", IN(value), OUT(mlirValueGetType(value)));
}

/* Lets the data of an access be held otherwise than its addresses' neighbours. */
static MlirLogicalResult set_apart(MlirOperation op, void *data) {
  struct coalesce_state *state = data;
  struct session *session = state->groups->session;
  struct wish wish;
  if (!KIND_IN(kind_of(session, op), OP_TILE_LOAD, OP_TILE_STORE) ||
      !describe_access(state, op, &wish))
    return SUCCESS;
  struct layout_group *group = layout_group_of(state->groups, op_operand(op, 0));
  const struct vote *best = winner(map_get(&state->ballots, group));
  if (!best || best->order[0] == wish.order[0] ||
      !pays_apart(state, machine_of(op), group, best, &wish))
    return SUCCESS;
  if (kind_of(session, op) == OP_TILE_STORE) {
    struct builder b = builder_before(op);
    mlirOperationSetOperand(op, 1, convert(&b, op_operand(op, 1)));
  } else {
    struct builder b = builder_before(mlirOperationGetNextInBlock(op));
    MlirValue converted = convert(&b, op_result(op, 0));
    MlirOperation user = mlirOpResultGetOwner(converted);
    mlirValueReplaceAllUsesExcept(op_result(op, 0), converted, 1, &user);
  }
  state->apart = true;
  return SUCCESS;
}

/* --- The pass --------------------------------------------------------------------------------- */

static MlirLogicalResult collect(struct coalesce_state *state, struct session *session,
                                 MlirOperation function, int num_warps) {
  state->ballots = (struct map){0};
  layout_groups_build(state->groups, session, function, num_warps);
  axis_analysis_run(state->axis, session, function);
  return visit_operations(function, collect_vote, state);
}

static void forget(struct coalesce_state *state) {
  map_free(&state->ballots);
  axis_analysis_destroy(state->axis);
  layout_groups_destroy(state->groups);
}

static MlirLogicalResult coalesce_function(struct session *session, MlirOperation function,
                                           int num_warps) {
  struct layout_groups groups;
  struct axis_analysis axis;
  struct coalesce_state state = {.groups = &groups, .axis = &axis};
  MlirLogicalResult result = collect(&state, session, function, num_warps);
  if (!FAILED(result))
    result = visit_operations(function, set_apart, &state);
  if (!FAILED(result) && state.apart) {
    forget(&state);
    layout_groups_separate(session, function);
    result = collect(&state, session, function, num_warps);
  }
  if (!FAILED(result))
    result = layout_groups_apply(&groups, function, choose_coalesced, &state);
  forget(&state);
  return result;
}

MlirLogicalResult run_coalesce(struct pass_context *context, MlirOperation module) {
  struct session *session = context->session;
  int64_t num_warps = attribute_number(module, ATTR_NUM_WARPS, 0);
  if (num_warps < 1)
    return fail_at(mlirOperationGetLocation(module),
                   "tile-gpu-coalesce: the module has no tile_gpu.num_warps; run "
                   "tile-assign-layouts first");
  MlirOperation op = {0};
  while (next_kernel(session, module, &op))
    TRY_IR(coalesce_function(session, op, (int)num_warps));
  return SUCCESS;
}
