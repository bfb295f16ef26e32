/* SPDX-License-Identifier: MIT */
/* tile-gpu-accelerate-dot: dots get the layouts of tensor cores.

   Needs: tensors with layouts, coalesced (tile-gpu-coalesce). Keeps: what is computed. Leaves:
   tile.dot with accumulators in an #tile_gpu.mma layout and operands in #tile_gpu.dot_operand, and
   conversions around accesses of memory, whose layouts stay as they are; a remark at each dot
   that tensor cores cannot take.

     %d = tile.dot %a, %b, %c : #blocked   ->   %x = tile_gpu.convert_layout %a : #dot_operand<0>
                                                %y = tile_gpu.convert_layout %b : #dot_operand<1>
                                                %d = tile.dot %x, %y, %c : #mma

   On sm_90a, where warp groups and whole instructions fit, dots are wgmma: operands go into
   buffers in shared memory (a first one that is computed from another dot whose rows each warp
   group has whole, or that lies across k in its threads, stays in registers), and a wait follows at
   once, which tile-gpu-pipeline may delay.

     %d = tile.dot %a, %b, %c : #blocked     ->   %x = tile_gpu.alloc %a : memref<..., #nvmma>
                                                  %y = tile_gpu.alloc %b : memref<..., #nvmma>
                                                  %f = tile_gpu.warpgroup_dot %x, %y, %c : #mma
                                                  %d = tile_gpu.warpgroup_dot_wait %f

   Operands of bytes that lie across k are transposed from one buffer to another (group_operands.h).

   Tensor cores sum products of fp8 with fewer bits than f32 has. Where a dot says how many it
   lets them sum (max_imprecise), such parts of k are dots of their own, from zero, which are
   added in f32:

                                                  %f = tile_gpu.warpgroup_dot (subslice %x),
                                                  (subslice %y), 0 %p = tile_gpu.warpgroup_dot_wait
                                                  %f %s = arith.addf %p, %c, and so on

   Everything that is computed elementwise with an accumulator, and carried by the loops around it,
   is held as the accumulator is: values are grouped anew (layout_groups.h) after memory accesses
   have been parted from their neighbours by conversions, and so have dots that tensor cores do
   not take. Conversions that turn out to change nothing are removed by tile-cleanup. */
#include "ir/build.h"
#include "ir/dot_form.h"
#include "ir/module_target.h"
#include "ir/passes.h"
#include "ir/shared_attribute.h"
#include "transforms/dot_choice.h"
#include "transforms/group_operands.h"
#include "transforms/layout_groups.h"

const struct pass_option accelerate_dot_options[] = {
    {"version", OPTION_INTEGER, "3", "the newest instructions to use: 3 wgmma, 2 mma.sync, 0 none"},
    {0}};

struct dot {
  MlirOperation op;
  struct dot_sizes sizes;
  bool chained, computed; /* computed: the first operand, from another dot's result */
  int64_t max_imprecise;  /* along k, by the tensor cores; 0: no matter */
  struct mma_layout mma;
  MlirAttribute layout; /* of the accumulators */
};

struct accelerating {
  struct session *session;
  struct arena arena;
  struct dot *dots;
  const struct machine *machine;
  size_t capacity;
  int count, num_warps, registers, version;
  struct layout_groups groups;
};

/* --- Which dots ------------------------------------------------------------------------------- */

static MlirLogicalResult collect(MlirOperation op, void *data) {
  struct accelerating *state = data;
  if (kind_of(state->session, op) != OP_TILE_DOT)
    return SUCCESS;
  struct dot dot = {
      .op = op, .sizes = dot_read(op), .max_imprecise = op_integer(op, "max_imprecise", 0)};
  if (!type_is_fp8(dot.sizes.a) || !mlirTypeIsAF32(dot.sizes.c))
    dot.max_imprecise = 0;
  struct text text = {0};
  const char *obstacle = dot_obstacle(op, &dot.sizes, state->machine, &text);
  if (obstacle)
    diagnostics_report(&state->session->diagnostics, SEVERITY_REMARK, mlirOperationGetLocation(op),
                       "tile.dot: computed without tensor cores, by fused multiply-adds: %s",
                       obstacle);
  text_free(&text);
  if (obstacle)
    return SUCCESS;
  state->dots = arena_grow(&state->arena, state->dots, (size_t)state->count, &state->capacity,
                           sizeof *state->dots);
  state->dots[state->count++] = dot;
  return SUCCESS;
}

static struct dot *find_dot(struct accelerating *state, MlirOperation op) {
  for (int i = 0; i < state->count; i++)
    if (mlirOperationEqual(state->dots[i].op, op))
      return &state->dots[i];
  return NULL;
}

/* The dot whose result `value` is computed from, within one block, if any: what a loop carries
   does not count. Operands are followed as a tree of at most `*budget` operations. */
static struct dot *origin(struct accelerating *state, MlirValue value, int *budget) {
  MlirOperation op = value_definition(value);
  if (mlirOperationIsNull(op) || --*budget < 0 || mlirOperationGetNumRegions(op) > 0)
    return NULL;
  struct dot *dot = find_dot(state, op);
  if (dot)
    return dot;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    struct dot *found =
        type_is_tensor(op_operand_type(op, i)) ? origin(state, op_operand(op, i), budget) : NULL;
    if (found)
      return found;
  }
  return NULL;
}

static void find_chains(struct accelerating *state) {
  enum { MAX_FOLLOWED = 200 };
  for (int i = 0; i < state->count; i++)
    for (intptr_t operand = 0; operand < 2; operand++) {
      int budget = MAX_FOLLOWED;
      struct dot *first = origin(state, op_operand(state->dots[i].op, operand), &budget);
      if (first)
        first->chained = state->dots[i].chained = true;
      state->dots[i].computed |= first && operand == 0 && !state->dots[i].max_imprecise;
    }
}

/* --- Conversions ------------------------------------------------------------------------------ */

/* A conversion of `value` to its own type. */
static MlirOperation build_conversion(struct builder *b, MlirValue value) {
  return BUILD_OP(b, "tile_gpu.convert_layout", IN(value), OUT(mlirValueGetType(value)));
}

static void part_operand(MlirOperation op, intptr_t operand) {
  MlirValue value = op_operand(op, operand);
  if (!type_is_tensor(mlirValueGetType(value)))
    return;
  struct builder b = builder_before(op);
  mlirOperationSetOperand(op, operand, op_result(build_conversion(&b, value), 0));
}

static void part_result(MlirOperation op, intptr_t result) {
  MlirValue value = op_result(op, result);
  if (!type_is_tensor(mlirValueGetType(value)) || !value_is_used(value))
    return;
  struct builder b = builder_before(op);
  b.before = mlirOperationGetNextInBlock(op);
  MlirOperation conversion = build_conversion(&b, value);
  mlirValueReplaceAllUsesOfWith(value, op_result(conversion, 0));
  mlirOperationSetOperand(conversion, 0, value);
}

/* A dot that tensor cores do not take: its accumulator and result stay in the layout that they
   have, whatever they are computed from or go into. A conversion in between costs less than
   multiply-adds in the layout of another instruction, and a dot in the layout of tensor cores
   would be one by tensor cores. */
static bool is_fma_dot(struct accelerating *state, MlirOperation op) {
  return kind_of(state->session, op) == OP_TILE_DOT && !find_dot(state, op);
}

static MlirLogicalResult part_from_neighbours(MlirOperation op, void *data) {
  struct accelerating *state = data;
  if (is_fma_dot(state, op)) {
    part_operand(op, 2);
    part_result(op, 0);
  }
  if (!op_has(state->session, op, IS_ACCESS))
    return SUCCESS;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    part_operand(op, i);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    part_result(op, i);
  return SUCCESS;
}

/* --- Layouts ---------------------------------------------------------------------------------- */

static struct layout_group *group_of_result(struct accelerating *state, const struct dot *dot) {
  return layout_group_of(&state->groups, op_result(dot->op, 0));
}

/* Accesses, and dots by FMAs, keep the layouts that they have. */
static MlirLogicalResult anchor(MlirOperation op, void *data) {
  struct accelerating *state = data;
  struct layout_group *group = NULL;
  if (is_fma_dot(state, op))
    group = layout_group_of(&state->groups, op_result(op, 0));
  else if (op_has(state->session, op, IS_ACCESS) && type_is_tensor(op_operand_type(op, 0)))
    group = layout_group_of(&state->groups, op_operand(op, 0));
  if (group)
    group->layout = type_layout(group->largest);
  return SUCCESS;
}

static MlirAttribute keep(struct layout_groups *groups, struct layout_group *group,
                          MlirAttribute followed, void *data) {
  (void)groups, (void)followed, (void)data;
  return type_layout(group->largest);
}

/* Chooses layouts; false where a dot had to be parted from another whose accumulators are held
   otherwise: the groups have changed then. */
static bool choose_layouts(struct accelerating *state) {
  for (int i = 0; i < state->count; i++) /* a group with one dot in a chain is in it */
    for (int j = 0; j < state->count; j++)
      if (state->dots[i].chained &&
          group_of_result(state, &state->dots[i]) == group_of_result(state, &state->dots[j]))
        state->dots[j].chained = true;
  bool parted = false;
  for (int i = 0; i < state->count; i++) {
    struct dot *dot = &state->dots[i];
    struct layout_group *group = group_of_result(state, dot);
    bool wgmma =
        state->machine->matrix_unit == MATRIX_WGMMA && state->version >= 3 &&
        dot_choose_wgmma(dot->op, &dot->sizes, state->num_warps, state->registers, &dot->mma);
    if (!wgmma)
      dot->mma = dot_choose_mma(&dot->sizes, state->machine, state->num_warps, state->registers,
                                dot->chained);
    dot->layout = mma_attribute(&state->session->layouts, &dot->mma);
    if (mlirAttributeIsNull(group->layout))
      group->layout = dot->layout;
    if (mlirAttributeEqual(group->layout, dot->layout))
      continue;
    part_operand(dot->op, 2);
    part_result(dot->op, 0);
    parted = true;
  }
  return !parted;
}

/* Whether a first operand that lies across k in its threads had better go to the tensor cores from
   registers: only elements of 2 bytes may lie so in shared memory. Others would be stored one by
   one, neighbouring lanes into the same banks; a conversion chooses an order without conflicts. */
static bool lies_across(struct accelerating *state, const struct dot *dot) {
  enum { MAX_OWN_REGISTERS = 64, MAX_REGISTERS_IN_ALL = 128 };
  struct session *session = state->session;
  MlirValue value = before_conversion(session, op_operand(dot->op, 0));
  int64_t bytes = type_bytes(&session->types, type_element(mlirValueGetType(value)));
  int64_t threads = MACHINE_LANES * (int64_t)state->num_warps;
  int64_t own = dot->sizes.m * dot->sizes.k * bytes / 4 / threads;
  int64_t sums = dot->sizes.m * dot->sizes.n / threads;
  return dot->mma.version == 3 && bytes != 2 && !dot->max_imprecise &&
         operand_fast_dimension(session, value, 1) != 1 && own <= MAX_OWN_REGISTERS &&
         own + sums <= MAX_REGISTERS_IN_ALL;
}

/* Do warp groups share the columns of a product? Then each one needs whole rows of the first
   operand, of which it has computed a part: through shared memory it gets the others' too. */
static bool shares_columns(const struct dot *dot) {
  return dot->mma.version == 3 && dot->mma.warps_per_cta[1] > 1;
}

static void choose_operands(struct accelerating *state) {
  for (int i = 0; i < state->count; i++) {
    struct dot *dot = &state->dots[i];
    dot->computed = (dot->computed && !shares_columns(dot)) || lies_across(state, dot);
    for (int operand = 0; operand < 2; operand++)
      if (dot->mma.version == 2 || (operand == 0 && dot->computed))
        layout_group_of(&state->groups, op_operand(dot->op, operand))->layout =
            dot_operand_attribute(&state->session->layouts, operand, dot->layout,
                                  dot_packed(&dot->sizes));
  }
}

/* --- Warp groups ------------------------------------------------------------------------------ */

/* A dot with its wait. */
static MlirValue build_warpgroup_dot(struct builder *b, MlirValue first, MlirValue second,
                                     MlirValue accumulator) {
  MlirType type = mlirValueGetType(accumulator);
  MlirValue in_flight =
      BUILD(b, "tile_gpu.warpgroup_dot", IN(first, second, accumulator), OUT(type));
  return op_result(build_async_dot_wait(b, &in_flight, 1), 0);
}

/* `size` elements of a buffer from `start` on along `dim`. */
static MlirValue build_part(struct builder *b, MlirValue buffer, int dim, int64_t start,
                            int64_t size) {
  MlirType type = mlirValueGetType(buffer);
  int64_t shape[2] = {mlirShapedTypeGetDimSize(type, 0), mlirShapedTypeGetDimSize(type, 1)};
  if (shape[dim] == size)
    return buffer;
  int32_t offsets[2] = {0};
  offsets[dim] = (int32_t)start;
  shape[dim] = size;
  return BUILD(b, "tile_gpu.subslice", IN(buffer),
               OUT(shared_type(2, shape, mlirShapedTypeGetElementType(type),
                               mlirMemRefTypeGetMemorySpace(type))),
               ATTRIBUTES(attribute_named(b->context, "offsets",
                                          attribute_dense_i32(b->context, 2, offsets))));
}

/* Parts of k of at most `most` elements, a power of two and an instruction's at least, summed in
   f32. */
static MlirValue build_parts(struct builder *b, const struct dot *dot, MlirValue first,
                             MlirValue second) {
  enum { MIN_DEPTH = 32 };
  int64_t part = MIN_DEPTH;
  while (part * 2 <= dot->max_imprecise && part < dot->sizes.k)
    part *= 2;
  MlirValue accumulator = op_operand(dot->op, 2);
  MlirType type = mlirValueGetType(accumulator);
  for (int64_t k = 0; k < dot->sizes.k; k += part) {
    MlirValue zero = build_uniform(b, type, 0);
    MlirValue x = build_part(b, first, 1, k, part), y = build_part(b, second, 0, k, part);
    MlirValue part = build_warpgroup_dot(b, x, y, zero);
    accumulator = BUILD(b, "arith.addf", IN(part, accumulator), OUT(type));
  }
  return accumulator;
}

static void rewrite_for_warp_groups(struct accelerating *state, const struct dot *dot) {
  MlirValue first, second;
  build_group_operands(state->session, dot->op, dot->computed, &first, &second);
  struct builder b = builder_before(dot->op);
  MlirValue done = dot->max_imprecise
                       ? build_parts(&b, dot, first, second)
                       : build_warpgroup_dot(&b, first, second, op_operand(dot->op, 2));
  replace_op(dot->op, &done);
}

static MlirLogicalResult accelerate(struct accelerating *state, MlirOperation function) {
  enum { MAX_ROUNDS = 4 };
  visit_operations(function, collect, state);
  if (state->count == 0)
    return SUCCESS;
  find_chains(state);
  visit_operations(function, part_from_neighbours, state);
  for (int i = 0; i < state->count; i++) {
    part_operand(state->dots[i].op, 0);
    part_operand(state->dots[i].op, 1);
  }
  for (int round = 0;; round++) {
    layout_groups_build(&state->groups, state->session, function, state->num_warps);
    if (choose_layouts(state) || round == MAX_ROUNDS)
      break;
    layout_groups_destroy(&state->groups);
  }
  choose_operands(state);
  visit_operations(function, anchor, state);
  MlirLogicalResult result = layout_groups_apply(&state->groups, function, keep, NULL);
  layout_groups_destroy(&state->groups);
  for (int i = 0; i < state->count && !FAILED(result); i++)
    if (state->dots[i].mma.version == 3)
      rewrite_for_warp_groups(state, &state->dots[i]);
  return result;
}

MlirLogicalResult run_accelerate_dot(struct pass_context *context, MlirOperation module) {
  struct session *session = context->session;
  int64_t num_warps = attribute_number(module, ATTR_NUM_WARPS, 0);
  if (num_warps < 1)
    return fail_at(mlirOperationGetLocation(module),
                   "tile-gpu-accelerate-dot: the module has no tile_gpu.num_warps; "
                   "run tile-assign-layouts first");
  if (context->values[0].integer < 2)
    return SUCCESS;
  MlirOperation op = {0};
  while (next_kernel(session, module, &op)) {
    struct accelerating state = {.session = session,
                                 .machine = machine_of(module),
                                 .num_warps = (int)num_warps,
                                 .registers = module_registers(module, (int)num_warps),
                                 .version = (int)context->values[0].integer};
    MlirLogicalResult result = accelerate(&state, op);
    arena_destroy(&state.arena);
    TRY_IR(result);
  }
  return SUCCESS;
}
