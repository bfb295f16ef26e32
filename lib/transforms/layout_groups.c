/* SPDX-License-Identifier: MIT */
/* Building the groups: a union-find over the tensor values of one function. */
#include "transforms/layout_groups.h"

#include "base/machine.h"
#include "ir/build.h"
#include "ir/tile_ops.h"
#include "transforms/counting.h"

struct layout_group *layout_group_root(struct layout_group *group) {
  while (group->representative != group) {
    group->representative = group->representative->representative;
    group = group->representative;
  }
  return group;
}

struct layout_group *layout_group_of(struct layout_groups *groups, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (!type_is_tensor(type))
    return NULL;
  struct layout_group *group = map_get(&groups->of_value, value.ptr);
  if (!group) {
    group = ARENA_NEW(&groups->arena, struct layout_group);
    *group = (struct layout_group){.representative = group, .largest = type};
    map_set(&groups->of_value, value.ptr, group);
  }
  return layout_group_root(group);
}

static void append(struct relabelling **list, struct relabelling *more) {
  while (*list)
    list = &(*list)->next;
  *list = more;
}

static void unite(struct layout_groups *groups, MlirValue a, MlirValue b) {
  struct layout_group *x = layout_group_of(groups, a), *y = layout_group_of(groups, b);
  if (!x || !y || x == y)
    return;
  if (type_elements(y->largest) > type_elements(x->largest))
    x->largest = y->largest;
  x->reduced |= y->reduced;
  if (!x->slice_of) {
    x->slice_of = y->slice_of;
    x->axis = y->axis;
  }
  if (!x->keeps)
    x->keeps = y->keeps;
  append(&x->relabels, y->relabels);
  if (mlirOperationIsNull(x->relabelled))
    x->relabelled = y->relabelled;
  y->representative = x;
}

static void unite_all(struct layout_groups *groups, MlirOperation op) {
  MlirValue first = {0};
  intptr_t operands = mlirOperationGetNumOperands(op);
  intptr_t count = operands + mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < count; i++) {
    MlirValue value = i < operands ? op_operand(op, i) : op_result(op, i - operands);
    if (!type_is_tensor(mlirValueGetType(value)))
      continue;
    if (mlirValueIsNull(first))
      first = value;
    else
      unite(groups, first, value);
  }
}

/* Results, initial values, block arguments and yielded values of one loop variable are one. */
static void unite_for(struct layout_groups *groups, MlirOperation loop) {
  MlirBlock body = op_body(loop, 0);
  MlirOperation yield = mlirBlockGetTerminator(body);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); i++) {
    unite(groups, op_result(loop, i), op_operand(loop, i + 3));
    unite(groups, op_result(loop, i), mlirBlockGetArgument(body, i + 1));
    unite(groups, op_result(loop, i), op_operand(yield, i));
  }
}

static void unite_if(struct layout_groups *groups, MlirOperation op) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++) {
    MlirBlock block = op_body(op, r);
    if (mlirBlockIsNull(block))
      continue;
    MlirOperation yield = mlirBlockGetTerminator(block);
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
      unite(groups, op_result(op, i), op_operand(yield, i));
  }
}

static void unite_while(struct layout_groups *groups, MlirOperation loop) {
  MlirBlock before = op_body(loop, 0), after = op_body(loop, 1);
  MlirOperation condition = mlirBlockGetTerminator(before), yield = mlirBlockGetTerminator(after);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(loop); i++) {
    unite(groups, op_operand(loop, i), mlirBlockGetArgument(before, i));
    unite(groups, op_operand(loop, i), op_operand(yield, i));
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); i++) {
    unite(groups, op_result(loop, i), op_operand(condition, i + 1));
    unite(groups, op_result(loop, i), mlirBlockGetArgument(after, i));
  }
}

static void tie_expand_dims(struct layout_groups *groups, MlirOperation op) {
  struct layout_group *source = layout_group_of(groups, op_operand(op, 0));
  struct layout_group *result = layout_group_of(groups, op_result(op, 0));
  int axis = (int)op_integer(op, "axis", 0);
  if (source->slice_of) { /* the first one wins; layout_groups_apply converts for the others */
    if (source->axis == axis)
      result->keeps = source->slice_of;
    return;
  }
  source->slice_of = result;
  source->axis = axis;
}

static void note_axis(struct layout_groups *groups, MlirOperation op) {
  layout_group_of(groups, op_operand(op, 0))->reduced |= 1u << op_integer(op, "axis", 0);
}

/* The result of a reduction is held where its operand was. */
static void tie_reduce(struct layout_groups *groups, MlirOperation op) {
  note_axis(groups, op);
  struct layout_group *operand = layout_group_of(groups, op_operand(op, 0));
  struct layout_group *result = layout_group_of(groups, op_result(op, 0));
  if (!result || result->slice_of)
    return;
  result->slice_of = operand;
  result->axis = (int)op_integer(op, "axis", 0);
}

/* So is that of a reshape and its like. */
static void tie_relabelling(struct layout_groups *groups, MlirOperation op) {
  struct layout_group *result = layout_group_of(groups, op_result(op, 0));
  struct layout_group *operand = layout_group_of(groups, op_operand(op, 0));
  if (!result || !operand)
    return;
  struct relabelling *made = ARENA_NEW(&groups->arena, struct relabelling);
  *made = (struct relabelling){.op = op};
  append(&result->relabels, made);
  if (mlirOperationIsNull(operand->relabelled))
    operand->relabelled = op;
}

/* Values from `first` on, and up to `end`, of the operands and results numbered together. */
static void unite_range(struct layout_groups *groups, MlirOperation op, intptr_t first,
                        intptr_t end) {
  intptr_t operands = mlirOperationGetNumOperands(op);
  for (intptr_t i = first + 1; i < end; i++)
    unite(groups, first < operands ? op_operand(op, first) : op_result(op, first - operands),
          i < operands ? op_operand(op, i) : op_result(op, i - operands));
}

/* Operations whose operands and results do not all have one shape. What is not united here is free:
   its lowering takes any layouts. */

static void unite_nothing(struct layout_groups *groups, MlirOperation op) {
  (void)groups;
  (void)op;
}

static void unite_operands(struct layout_groups *groups, MlirOperation op) {
  unite_range(groups, op, 0, mlirOperationGetNumOperands(op));
}

static void unite_sides(struct layout_groups *groups, MlirOperation op) {
  intptr_t operands = mlirOperationGetNumOperands(op);
  unite_range(groups, op, 0, operands);
  unite_range(groups, op, operands, operands + mlirOperationGetNumResults(op));
}

static void group_join_or_split(struct layout_groups *groups, MlirOperation op) {
  unite_sides(groups, op);
  tie_relabelling(groups, op);
}

static void group_reduce(struct layout_groups *groups, MlirOperation op) {
  unite_sides(groups, op);
  tie_reduce(groups, op);
}

static void group_scan(struct layout_groups *groups, MlirOperation op) {
  unite_all(groups, op);
  note_axis(groups, op);
}

static void group_gather(struct layout_groups *groups, MlirOperation op) {
  unite_range(groups, op, 1, mlirOperationGetNumOperands(op) + mlirOperationGetNumResults(op));
}

static void group_product(struct layout_groups *groups, MlirOperation op) {
  unite(groups, op_operand(op, 2), op_result(op, 0));
}

/* What has no row: all of an operation that is elementwise or of the tile dialect is united,
   nothing of another one. */
static MlirLogicalResult group_operation(MlirOperation op, void *data) {
  static void (*const rules[OP_KIND_COUNT])(struct layout_groups * groups, MlirOperation op) = {
      [OP_SCF_FOR] = unite_for,
      [OP_SCF_IF] = unite_if,
      [OP_SCF_WHILE] = unite_while,
      [OP_TILE_EXPAND_DIMS] = tie_expand_dims,
      [OP_TILE_RESHAPE] = tie_relabelling,
      [OP_TILE_PERMUTE] = tie_relabelling,
      [OP_TILE_JOIN] = group_join_or_split,
      [OP_TILE_SPLIT] = group_join_or_split,
      [OP_TILE_SORT] = unite_nothing,
      [OP_TILE_PRINT] = unite_nothing,
      [OP_TILE_REDUCE] = group_reduce,
      [OP_TILE_SCAN] = group_scan,
      [OP_TILE_HISTOGRAM] = unite_operands,
      [OP_TILE_GATHER] = group_gather,
      [OP_TILE_DOT] = group_product,
      [OP_TILE_DOT_SCALED] = group_product,
      [OP_TILE_GPU_ASYNC_COPY] = unite_all,
  };
  struct layout_groups *groups = data;
  const struct op_info *info = op_info(&groups->session->names, op);
  if (rules[info->kind])
    rules[info->kind](groups, op);
  else if ((info->properties & IS_ELEMENTWISE) || info->dialect == DIALECT_TILE)
    unite_all(groups, op);
  return SUCCESS;
}

/* --- Cheap values are copied per use ---------------------------------------------------------- */

static bool is_cheap(struct session *session, MlirOperation op) {
  return op_has(session, op, IS_LEAF) && type_is_tensor(op_result_type(op, 0));
}

/* Puts a copy of `source` in the place of operand `i` of `op`; the operation that has been copied.
 */
static MlirOperation copy_operand(MlirOperation op, intptr_t i, MlirOperation source) {
  MlirOperation copy = mlirOperationClone(source);
  mlirBlockInsertOwnedOperationAfter(mlirOperationGetBlock(source), source, copy);
  intptr_t result = mlirOpResultGetResultNumber(op_operand(op, i));
  mlirOperationSetOperand(op, i, op_result(copy, result));
  return copy;
}

static MlirLogicalResult copy_per_use(MlirOperation op, void *data) {
  struct layout_groups *groups = data;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirOperation source = value_definition(op_operand(op, i));
    if (!mlirOperationIsNull(source) && is_cheap(groups->session, source) &&
        !value_has_one_use(op_operand(op, i)))
      copy_operand(op, i, source);
  }
  return SUCCESS;
}

/* --- Addresses are copied per use ------------------------------------------------------------- */

/* Tiles have rows or columns in common: of `offs_m[:, None]`, made once, the pointers of a and of c
   are made, in tiles that want different orders or have different sizes. So what is computed from
   ranges and scalars alone, integers, is copied per use, whole chains of it; where there are
   products with what loops count up in (counting.h). The copies that end up alike are one again
   after tile-cleanup. */
enum { MAX_COPIES = 4096, MAX_DEPTH = 24 };

struct separating {
  struct session *session;
  struct arena arena;
  struct map known; /* operations that index_like has decided on -> themselves, or (no) this struct
                     */
  MlirOperation *list;
  size_t capacity;
  int count, copies;
  bool products;
};

static bool index_like(struct separating *s, MlirOperation op, int depth) {
  void *known = map_get(&s->known, op.ptr);
  if (known)
    return known == op.ptr;
  enum op_kind kind = kind_of(s->session, op);
  bool like = is_cheap(s->session, op);
  bool passes = kind == OP_TILE_EXPAND_DIMS || kind == OP_TILE_BROADCAST ||
                op_has(s->session, op, IS_ELEMENTWISE);
  if (!like && passes && depth < MAX_DEPTH && mlirOperationGetNumResults(op) == 1 &&
      type_is_tensor(op_result_type(op, 0)) &&
      mlirTypeIsAInteger(type_element(op_result_type(op, 0)))) {
    like = true;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && like; i++) {
      MlirOperation source = value_definition(op_operand(op, i));
      like = !type_is_tensor(op_operand_type(op, i)) ||
             (!mlirOperationIsNull(source) && index_like(s, source, depth + 1));
    }
  }
  map_set(&s->known, op.ptr, like ? op.ptr : s);
  return like;
}

static MlirLogicalResult list_operation(MlirOperation op, void *data) {
  struct separating *s = data;
  s->list = arena_grow(&s->arena, s->list, (size_t)s->count, &s->capacity, sizeof *s->list);
  s->list[s->count++] = op;
  s->products |= kind_of(s->session, op) == OP_TILE_DOT;
  return SUCCESS;
}

static bool only_used_by(MlirValue value, MlirOperation op) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  while (!mlirOpOperandIsNull(use) && mlirOperationEqual(mlirOpOperandGetOwner(use), op))
    use = mlirOpOperandGetNextUse(use);
  return mlirOpOperandIsNull(use);
}

/* Gives `op` operands of its own; the copies' operands likewise. */
static void separate(struct separating *s, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirOperation source = value_definition(op_operand(op, i));
    if (mlirOperationIsNull(source) || only_used_by(op_operand(op, i), op) ||
        s->copies >= MAX_COPIES || !index_like(s, source, 0))
      continue;
    s->copies++;
    separate(s, copy_operand(op, i, source));
  }
}

/* Users come before what they use, so that an operation's own operands are separated once it has
   one user. */
static void separate_addresses(struct session *session, MlirOperation function) {
  struct separating s = {.session = session};
  visit_operations(function, list_operation, &s);
  if (s.products) {
    visit_operations(function, unfold_counting, session);
    s.count = 0;
    visit_operations(function, list_operation, &s);
  }
  for (int i = s.count - 1; i >= 0; i--)
    separate(&s, s.list[i]);
  map_free(&s.known);
  arena_destroy(&s.arena);
}

void layout_groups_build(struct layout_groups *groups, struct session *session,
                         MlirOperation function, int num_warps) {
  *groups = (struct layout_groups){.session = session, .num_warps = num_warps};
  separate_addresses(session, function);
  visit_operations(function, copy_per_use, groups);
  visit_operations(function, group_operation, groups);
}

void layout_groups_destroy(struct layout_groups *groups) {
  map_free(&groups->of_value);
  arena_destroy(&groups->arena);
}

/* --- Default layouts -------------------------------------------------------------------------- */

static int32_t clamp(int64_t value, int64_t low, int64_t high) {
  return (int32_t)(value < low ? low : value > high ? high : value);
}

/* Spreads warps along the dimensions of `order` that are in `dims`; returns those left over. */
static int64_t spread_warps(struct blocked_layout *blocked, const int64_t *shape, unsigned dims,
                            int64_t warps) {
  for (int i = 0; i < blocked->rank; i++) {
    int dim = blocked->order[i];
    if (!(dims >> dim & 1))
      continue;
    int64_t held = (int64_t)blocked->size_per_thread[dim] * blocked->threads_per_warp[dim];
    blocked->warps_per_cta[dim] = clamp(shape[dim] / held, 1, warps);
    warps /= blocked->warps_per_cta[dim];
  }
  return warps;
}

MlirAttribute default_blocked(struct layout_groups *groups, const struct layout_group *group,
                              const int32_t *order, int32_t per_thread) {
  struct blocked_layout blocked = {0};
  int64_t shape[MAX_RANK];
  blocked.rank = type_shape(group->largest, shape);
  int64_t lanes = MACHINE_LANES, warps = groups->num_warps;
  for (int i = 0; i < blocked.rank; i++) {
    int dim = order[i];
    bool last = i + 1 == blocked.rank;
    int32_t own = i == 0 ? per_thread : 1;
    blocked.order[i] = dim;
    blocked.size_per_thread[dim] = own;
    blocked.threads_per_warp[dim] = last ? (int32_t)lanes : clamp(shape[dim] / own, 1, lanes);
    lanes /= blocked.threads_per_warp[dim];
  }
  warps = spread_warps(&blocked, shape, ~group->reduced, warps);
  warps = spread_warps(&blocked, shape, group->reduced, warps);
  blocked.warps_per_cta[order[blocked.rank - 1]] *= (int32_t)warps;
  return blocked_attribute(&groups->session->layouts, &blocked);
}
