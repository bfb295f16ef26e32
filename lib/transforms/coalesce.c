/* SPDX-License-Identifier: MIT */
/* tile-gpu-coalesce: layouts under which a warp's global accesses are contiguous and wide.

   Needs: tensors with layouts (tile-assign-layouts). Keeps: what the function computes.
   Breaks: layouts chosen before.

   Every access has a wish: the order of dimensions is that of its pointers' contiguity, fastest
   first; the number of consecutive elements per thread is what alignment, masks and 16-byte
   accesses allow, at most what leaves every thread some. Of the wishes in a group of values that
   share a layout (layout_groups.h) that one is granted under which all accesses together cost
   least: a warp's instructions, and the sectors of memory that they touch, those in loops several
   times. Gathers, which no layout makes contiguous, have no wish. An atomic operation has one where
   an instruction changes several elements, for as many.

   An access that is left with a bad layout touches many sectors for few of their bytes: a
   transposed store of 64 x 64 halves writes 32 single ones a thread, and a tile that is wanted as
   the slice of a larger one is read by each of its copies. Where it costs less to bring its data
   into its own layout through shared memory, it is set apart, with addresses and a mask of its own:

       store %p, %v, %m        ->        %w = convert_layout %v
                                         store %p', %w, %m' */
#include "analysis/axis_info.h"
#include "base/numbers.h"
#include "ir/build.h"
#include "ir/module_target.h"
#include "ir/passes.h"
#include "ir/tile_ops.h"
#include "transforms/layout_groups.h"

#include <string.h>

enum { MAX_ACCESS_BYTES = 16 };

/* An access, and others of its group that are like it. */
struct access {
  enum op_kind kind;
  MlirType type;                       /* of the pointers */
  struct axis_info info;               /* of them */
  int32_t order[MAX_RANK], per_thread; /* its wish */
  MlirAttribute own;                   /* the layout that it would have by itself */
  int64_t wide;                        /* the most consecutive elements that one access takes */
  int64_t bytes;                       /* of an element */
  int64_t times;                       /* executed */
  bool wanted;                         /* something uses the result of the atomic operation */
  struct access *next;
};

struct coalesce_state {
  struct layout_groups *groups;
  struct axis_analysis *axis;
  struct map accesses; /* struct layout_group * -> struct access, of those with a wish */
  bool products;       /* of matrices are in the function */
  bool apart;          /* an access has been set apart */
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

/* A loop goes round LOOP times. */
static int64_t times_executed(struct session *session, MlirOperation op) {
  enum { LOOP = 16, MAX_TIMES = LOOP * LOOP * LOOP };
  int64_t times = 1;
  for (op = mlirOperationGetParentOperation(op); kind_of(session, op) != OP_FUNC;
       op = mlirOperationGetParentOperation(op))
    times *= op_has(session, op, IS_LOOP) && times < MAX_TIMES ? LOOP : 1;
  return times;
}

/* How many elements along `dim` have one mask. That does not count for what a loop loads, which may
   become a copy, and where there are products, whose tiles go through shared memory. */
static int64_t mask_run(struct coalesce_state *state, const struct access *access, MlirOperation op,
                        int dim) {
  struct tile_load load = {0};
  struct tile_store store = {0};
  if (state->products || (access->kind == OP_TILE_LOAD && access->times > 1))
    return AXIS_MAX;
  bool loads = access->kind == OP_TILE_LOAD && tile_load_read(op, &load);
  bool stores = access->kind == OP_TILE_STORE && tile_store_read(op, &store);
  return loads || stores ? axis_mask_constancy(state->axis, loads ? load.mask : store.mask, dim)
                         : AXIS_MAX;
}

/* False for what has no wish: scalars, gathers, and what is no access. */
static bool describe_access(struct coalesce_state *state, MlirOperation op, struct access *out) {
  struct session *session = state->groups->session;
  enum op_kind kind = kind_of(session, op);
  bool atomic = kind == OP_TILE_ATOMIC_RMW && tile_atomic_width(op) > 1;
  if (!atomic && !KIND_IN(kind, OP_TILE_LOAD, OP_TILE_STORE, OP_TILE_GPU_ASYNC_COPY))
    return false;
  MlirValue pointer = op_operand(op, 0);
  MlirType type = mlirValueGetType(pointer);
  if (!type_is_tensor(type))
    return false;
  int64_t shape[MAX_RANK];
  int rank = type_shape(type, shape);
  *out = (struct access){
      .kind = kind,
      .type = type,
      .info = *axis_info_of(state->axis, pointer),
      .bytes = type_bytes(&session->types, pointer_pointee(&session->types, type_element(type))),
      .times = times_executed(session, op),
      .wanted = atomic && !mlirOpOperandIsNull(mlirValueGetFirstUse(op_result(op, 0)))};
  order_by_contiguity(&out->info, rank, out->order);
  if (out->info.contiguity[out->order[0]] <= 1)
    return false;
  int64_t run = axis_pointer_contiguity(state->axis, session, pointer, out->order[0]);
  int64_t share = type_elements(type) / (MACHINE_LANES * state->groups->num_warps);
  int64_t most = atomic ? tile_atomic_width(op) : MAX_ACCESS_BYTES / out->bytes;
  run = smaller(run, mask_run(state, out, op, out->order[0]));
  out->wide = smaller(run, most);
  out->per_thread = (int32_t)smaller(smaller(out->wide, larger(share, 1)), shape[out->order[0]]);
  struct layout_group alone = {.largest = type};
  out->own = default_blocked(state->groups, &alone, out->order, out->per_thread);
  return true;
}

static bool is_like(const struct access *a, const struct access *b) {
  return a->kind == b->kind && a->wanted == b->wanted && mlirTypeEqual(a->type, b->type) &&
         a->wide == b->wide && mlirAttributeEqual(a->own, b->own) &&
         memcmp(&a->info.contiguity, &b->info.contiguity, sizeof a->info.contiguity) == 0 &&
         memcmp(&a->info.constancy, &b->info.constancy, sizeof a->info.constancy) == 0;
}

static MlirLogicalResult collect_access(MlirOperation op, void *data) {
  struct coalesce_state *state = data;
  struct access access;
  if (!describe_access(state, op, &access))
    return SUCCESS;
  struct layout_group *group = layout_group_of(state->groups, op_operand(op, 0));
  group->bytes += access.bytes * type_elements(access.type);
  struct access *list = map_get(&state->accesses, group), *like = list;
  while (like && !is_like(like, &access))
    like = like->next;
  if (like) {
    like->times += access.times;
    return SUCCESS;
  }
  struct access *kept = ARENA_NEW(&state->groups->arena, struct access);
  *kept = access;
  kept->next = list;
  map_set(&state->accesses, group, kept);
  return SUCCESS;
}

/* --- What accesses cost ----------------------------------------------------------------------- */

/* In sectors of 32 bytes, of which memory and its caches move one at a time. A wavefront of shared
   memory, a word of each bank, counts as one, the two barriers around a conversion as BARRIERS, and
   an instruction, whatever it touches, as ISSUE. */
enum { BARRIERS = 24, ISSUE = 4 };

struct cost {
  int64_t sectors, instructions;
};

static int64_t in_all(struct cost cost) {
  return cost.sectors + ISSUE * cost.instructions;
}

static const struct linear_layout *linear_of(struct coalesce_state *state,
                                             const struct access *access, MlirAttribute layout) {
  return layout_to_linear(&state->groups->session->layouts, type_with_layout(access->type, layout));
}

static int64_t registers_in(struct coalesce_state *state, const struct access *access,
                            MlirAttribute layout) {
  return linear_layout_in_size(linear_of(state, access, layout), LAYOUT_REGISTER);
}

/* Of the lanes' elements, how many lie in different sectors: those count that are neither next to
   one another in memory nor the same. */
static int64_t lanes_sectors(const struct access *access, const struct linear_layout *held) {
  struct linear_layout sectors = linear_layout_into(&held->out);
  linear_layout_declare_in(&sectors, LAYOUT_LANE);
  for (int bit = 0; bit < held->in.bits[LAYOUT_LANE]; bit++) {
    struct layout_point at =
        layout_space_unpack(&held->out, linear_layout_basis(held, LAYOUT_LANE, bit));
    for (int dim = 0; dim < layout_space_rank(&held->out); dim++) {
      int64_t same = access->info.constancy[dim];
      if (dim == access->order[0])
        same = smaller(MACHINE_SECTOR_BYTES / access->bytes, access->info.contiguity[dim]);
      at.at[LAYOUT_DIM0 + dim] &= ~(uint32_t)(same - 1);
    }
    linear_layout_append(&sectors, LAYOUT_LANE, layout_space_pack(&held->out, &at));
  }
  return (int64_t)1 << linear_layout_rank(&sectors);
}

/* What an access costs a warp, where its tile is held so. */
static struct cost cost_in(struct coalesce_state *state, const struct access *access,
                           MlirAttribute layout) {
  const struct linear_layout *held = linear_of(state, access, layout);
  int64_t run = linear_layout_contiguous_run(held, LAYOUT_DIM0 + (int)access->order[0]);
  int64_t count = registers_in(state, access, layout) / smaller(run, access->wide);
  return (struct cost){.sectors = count * lanes_sectors(access, held), .instructions = count};
}

/* Bringing an access's data from one layout into another, through shared memory. */
static int64_t conversion_cost(struct coalesce_state *state, const struct access *access,
                               MlirAttribute from, MlirAttribute to) {
  int64_t registers = registers_in(state, access, from) + registers_in(state, access, to);
  return registers * access->bytes / MACHINE_BANK_BYTES + BARRIERS;
}

/* What a loop loads takes its registers while it is on its way, and a copy in each thread leaves no
   room for the next. */
static bool waits_in_copies(struct coalesce_state *state, const struct access *access,
                            MlirAttribute held) {
  enum { COPIES = 8, LEAST_BYTES = 64 };
  int64_t registers = registers_in(state, access, held);
  return access->kind == OP_TILE_LOAD && access->times > 1 &&
         registers >= COPIES * registers_in(state, access, access->own) &&
         registers * access->bytes >= LEAST_BYTES;
}

/* Sums in memory that are one instruction are one operation of the L2 cache for a sector, where
   those of several follow each other, and all other programs' that go there. */
static bool is_scattered(struct coalesce_state *state, const struct access *access,
                         MlirAttribute held) {
  enum { TIMES = 4 };
  int64_t own = cost_in(state, access, access->own).instructions;
  return !access->wanted && cost_in(state, access, held).instructions >= TIMES * own;
}

/* Whether what an access costs beyond the sectors that its bytes fill is more than a layout of its
   own does, its data going through shared memory. */
static bool pays_apart(struct coalesce_state *state, const struct access *access,
                       MlirAttribute held) {
  int64_t elements = type_elements(access->type) / state->groups->num_warps;
  if (access->kind == OP_TILE_ATOMIC_RMW)
    return is_scattered(state, access, held);
  if (elements < MACHINE_LANES || !KIND_IN(access->kind, OP_TILE_LOAD, OP_TILE_STORE))
    return false;
  int64_t bytes = registers_in(state, access, held) * MACHINE_LANES * access->bytes;
  int64_t apart = in_all(cost_in(state, access, access->own)) +
                  conversion_cost(state, access, access->own, held);
  return waits_in_copies(state, access, held) ||
         in_all(cost_in(state, access, held)) > bytes / MACHINE_SECTOR_BYTES + apart;
}

/* All accesses of a group, those set apart that had better be. */
static int64_t group_cost(struct coalesce_state *state, struct layout_group *group,
                          MlirAttribute layout) {
  int64_t cost = 0;
  const struct access *access = map_get(&state->accesses, group);
  for (; access; access = access->next) {
    bool apart = pays_apart(state, access, layout);
    int64_t once = in_all(cost_in(state, access, apart ? access->own : layout));
    if (apart)
      once += conversion_cost(state, access, access->own, layout);
    cost += access->times * once;
  }
  return cost;
}

static MlirAttribute row_major(struct layout_groups *groups, struct layout_group *group) {
  int rank = (int)mlirShapedTypeGetRank(group->largest);
  int32_t order[MAX_RANK];
  for (int i = 0; i < rank; i++)
    order[i] = rank - 1 - i;
  return default_blocked(groups, group, order, 1);
}

/* Of what costs the same, a store's wish, then the narrower one. */
static bool is_better(int64_t cost, const struct access *access, int64_t least,
                      const struct access *best) {
  if (!best || cost != least)
    return !best || cost < least;
  return access->kind != best->kind ? access->kind == OP_TILE_STORE
                                    : access->per_thread < best->per_thread;
}

static MlirAttribute choose_coalesced(struct layout_groups *groups, struct layout_group *group,
                                      MlirAttribute followed, void *data) {
  struct coalesce_state *state = data;
  const struct access *best = NULL, *access = map_get(&state->accesses, group);
  MlirAttribute chosen = {0};
  int64_t least = 0;
  for (; access; access = access->next) {
    MlirAttribute layout = default_blocked(groups, group, access->order, access->per_thread);
    int64_t cost = group_cost(state, group, layout);
    if (is_better(cost, access, least, best))
      best = access, least = cost, chosen = layout;
  }
  if (!best)
    return row_major(groups, group);
  bool follows =
      !mlirAttributeIsNull(followed) &&
      group_cost(state, group, followed) <= least + conversion_cost(state, best, chosen, followed);
  return follows ? followed : chosen;
}

/* --- Accesses that are left with a bad layout ------------------------------------------------- */

static MlirValue convert(struct builder *b, MlirValue value) {
  return BUILD(b, "tile_gpu.convert_layout", IN(value), OUT(mlirValueGetType(value)));
}

/* Lets the data of an access be held otherwise than its addresses' neighbours. */
static MlirLogicalResult set_apart(MlirOperation op, void *data) {
  struct coalesce_state *state = data;
  struct access access;
  if (!describe_access(state, op, &access))
    return SUCCESS;
  struct layout_group *group = layout_group_of(state->groups, op_operand(op, 0));
  MlirAttribute held = layout_group_layout(state->groups, group, choose_coalesced, state);
  if (!pays_apart(state, &access, held))
    return SUCCESS;
  if (access.kind != OP_TILE_LOAD) {
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

static MlirLogicalResult note_product(MlirOperation op, void *data) {
  struct coalesce_state *state = data;
  state->products |= op_has(state->groups->session, op, IS_DOT);
  return SUCCESS;
}

static MlirLogicalResult collect(struct coalesce_state *state, struct session *session,
                                 MlirOperation function, int num_warps) {
  state->accesses = (struct map){0};
  layout_groups_build(state->groups, session, function, num_warps);
  axis_analysis_run(state->axis, session, function);
  TRY_IR(visit_operations(function, note_product, state));
  return visit_operations(function, collect_access, state);
}

static void forget(struct coalesce_state *state) {
  map_free(&state->accesses);
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
