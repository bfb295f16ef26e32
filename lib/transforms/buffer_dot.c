/* SPDX-License-Identifier: MIT */
/* tile-gpu-buffer-dot: products by multiply-adds read operands where they lie in shared memory.

   Needs: layouts that are final; loads that are copied to shared memory are (tile-gpu-pipeline).
   Keeps: what is computed, bit for bit. Leaves: tile_gpu.buffer_dot in place of tile.dot, where
   that takes less of shared memory's time.

   tile.dot without tensor cores stores both operands in scratch, waits, and reads rows and columns
   of them from there. An operand that comes from a buffer, such as a stage of a loop that copies
   ahead, is read from there instead; one that a loop takes from before it is stored before the
   loop, once:

     %x = ..                                        %m = tile_gpu.alloc %x
     for {                                          for {
       %s = tile_gpu.index %ring, %i          ->      %s = tile_gpu.index %ring, %i
       %y = tile_gpu.local_load %s                    tile_gpu.buffer_dot %m, %s, ..
       tile.dot %x, %y, ..                          }
     }

   Other operands go through scratch still. What is stored may have rows along k or across, and
   their chunks permuted.

   The cost is in wavefronts of shared memory, of a warp's loads and stores (product_operand.h,
   conversion.h); a store before a loop counts a sixteenth, as loops go round 16 times. Of the
   places of each operand the cheapest is taken, the first of equals: where it lies, row-major,
   other orders. A product stays where scratch costs as little, and where the buffers would leave
   fewer blocks on a multiprocessor. In blocks with roles all stay: not all threads come by. */
#include "analysis/buffer_accesses.h"
#include "analysis/buffers.h"
#include "analysis/pressure.h"
#include "analysis/product_operand.h"
#include "analysis/scratch.h"
#include "base/numbers.h"
#include "ir/build.h"
#include "ir/dot_form.h"
#include "ir/module_target.h"
#include "ir/passes.h"
#include "ir/shared_attribute.h"
#include "layout/conversion.h"
#include "transforms/allocate_shared.h"

enum { OPERANDS = 2, TRIPS = 16, MAX_VIEWS = 8 };

/* Where an operand is to lie: in scratch of the product; in a buffer that is filled before a loop;
   where it lies, in a buffer of which it is a view. */
enum place_kind { PLACE_SCRATCH, PLACE_BEFORE_LOOP, PLACE_THERE };

struct place {
  enum place_kind kind;
  MlirOperation before; /* the loop */
  MlirType type;        /* of the buffer, or of the view; null: no place yet */
  int64_t cost;
};

struct product {
  struct session *session;
  struct arena arena;
  MlirOperation dot;
  int rank;
  int64_t unrolled;
  struct place places[OPERANDS];
  MlirOperation stored[OPERANDS]; /* buffers made for it; null */
};

/* The dimension of operand `index` along which it is summed up. */
static int k_dim(const struct product *p, int index) {
  return index == 0 ? p->rank - 1 : p->rank - 2;
}

/* --- Costs ------------------------------------------------------------------------------------ */

static struct product_stored stored_operand(const struct product *p, int index, int64_t share) {
  struct layout_cache *layouts = &p->session->layouts;
  MlirType type = op_operand_type(p->dot, index);
  return (struct product_stored){
      .sums = layout_to_linear(layouts, op_result_type(p->dot, 0)),
      .tile = layout_to_linear(layouts, type),
      .dim = k_dim(p, index),
      .unrolled = p->unrolled,
      .bytes = memory_bytes(p->session, type_element(type)),
      .share = share,
  };
}

/* Of a warp that loads all that its sums need of operand `index`, which lies so. */
static int64_t loads_cost(struct product *p, int index, const struct linear_layout *to_offset) {
  struct product_stored operand = stored_operand(p, index, 1);
  struct product_source source = {.to_offset = to_offset, .bytes = operand.bytes};
  struct product_operand reads;
  product_operand_read(&reads, &p->arena, operand.sums, &operand.tile->out, operand.dim,
                       operand.unrolled, &source);
  return product_operand_cost(&reads, operand.bytes);
}

static int64_t scratch_cost(struct product *p) {
  int64_t cost = 0;
  for (int i = 0; i < OPERANDS; i++) {
    struct product_stored stored = stored_operand(p, i, 1);
    cost += product_order_choose(&stored, &p->arena).cost;
  }
  return cost;
}

/* --- Operands that lie in shared memory ------------------------------------------------------- */

/* Is a buffer filled with one tile, and only read since? */
static bool is_only_read(struct session *session, MlirValue buffer) {
  MlirOpOperand use = mlirValueGetFirstUse(buffer);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (op_has(session, user, IS_VIEW) ? !is_only_read(session, op_result(user, 0))
                                       : !op_is(session, user, OP_TILE_GPU_LOCAL_LOAD) &&
                                             !op_is(session, user, OP_TILE_GPU_BUFFER_DOT))
      return false;
  }
  return true;
}

static bool is_filled_once(struct session *session, MlirOperation root) {
  return mlirOperationGetNumOperands(root) == 1 && !attribute_has(root, ATTR_PRIVATE) &&
         is_only_read(session, op_result(root, 0));
}

/* May `op` change the buffer, or whatever buffer it has? */
static bool may_write(struct session *session, MlirOperation op, MlirOperation root) {
  bool has = mlirOperationGetNumRegions(op) > 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    has |= mlirTypeIsAMemRef(op_operand_type(op, i)) &&
           !(mlirOperationGetNumRegions(op) == 0 &&
             !mlirOperationIsNull(buffer_root(session, op_operand(op, i))) &&
             !mlirOperationEqual(buffer_root(session, op_operand(op, i)), root));
  return has && !op_is(session, op, OP_TILE_GPU_LOCAL_LOAD) &&
         !op_is(session, op, OP_TILE_GPU_BUFFER_DOT) && !op_has(session, op, IS_VIEW);
}

/* Does the dot find in the buffer what `load` has found there? */
static bool is_there_still(struct session *session, MlirOperation load, MlirOperation dot) {
  MlirOperation root = buffer_root(session, op_operand(load, 0)), op = load;
  if (mlirOperationIsNull(root) || attribute_has(root, ATTR_PRIVATE))
    return false;
  if (is_filled_once(session, root))
    return true;
  if (!mlirBlockEqual(mlirOperationGetBlock(load), mlirOperationGetBlock(dot)))
    return false;
  while (!mlirOperationEqual(op = mlirOperationGetNextInBlock(op), dot))
    if (may_write(session, op, root))
      return false;
  return true;
}

/* The load that `value` is, in another layout or with dimensions in another order, which are the
   `*count` operations in `views`, the last first; null where it is none. */
static MlirOperation load_of(struct session *session, MlirValue value, MlirOperation *views,
                             int *count) {
  MlirOperation none = {0}, op = value_definition(value);
  for (*count = 0; !mlirOperationIsNull(op); op = value_definition(op_operand(op, 0))) {
    if (op_is(session, op, OP_TILE_GPU_LOCAL_LOAD))
      return op;
    bool permutes = op_is(session, op, OP_TILE_PERMUTE);
    if (*count == MAX_VIEWS || (!permutes && !op_is(session, op, OP_TILE_GPU_CONVERT_LAYOUT)))
      return none;
    if (permutes)
      views[(*count)++] = op;
  }
  return none;
}

/* The type of a stage with its dimensions in the order that `permute` gives them. */
static MlirType permuted_type(struct session *session, MlirType stage, MlirOperation permute) {
  return shared_permuted(&session->layouts, stage,
                         mlirOperationGetAttributeByName(permute, ref("order")));
}

static MlirValue build_permuted(struct session *session, struct builder *b, MlirValue stage,
                                MlirOperation permute) {
  MlirType type = permuted_type(session, mlirValueGetType(stage), permute);
  MlirAttribute order = mlirOperationGetAttributeByName(permute, ref("order"));
  return BUILD(b, "tile_gpu.transpose", IN(stage), OUT(type),
               ATTRIBUTES(attribute_named(b->context, "order", order)));
}

/* A whole stage: parts of one have no layout of their own. */
static bool is_stage(struct session *session, MlirValue memref) {
  MlirOperation op = value_definition(memref);
  return op_is(session, op, OP_TILE_GPU_ALLOC) || op_is(session, op, OP_TILE_GPU_INDEX);
}

static void try_in_place(struct product *p, int index, struct place *best) {
  struct session *session = p->session;
  MlirOperation views[MAX_VIEWS];
  int count;
  MlirOperation load = load_of(session, op_operand(p->dot, index), views, &count);
  if (mlirOperationIsNull(load) || !is_stage(session, op_operand(load, 0)) ||
      !is_there_still(session, load, p->dot))
    return;
  struct place place = {.kind = PLACE_THERE, .type = op_operand_type(load, 0)};
  while (count > 0)
    place.type = permuted_type(session, place.type, views[--count]);
  struct linear_layout to_offset;
  if (!buffer_offsets(session, place.type, &to_offset))
    return;
  place.cost = loads_cost(p, index, &to_offset);
  *best = place;
}

static MlirValue build_in_place(struct product *p, int index) {
  MlirOperation views[MAX_VIEWS];
  int count;
  MlirOperation load = load_of(p->session, op_operand(p->dot, index), views, &count);
  MlirValue stage = op_operand(load, 0);
  struct builder b = builder_before(p->dot);
  while (count > 0)
    stage = build_permuted(p->session, &b, stage, views[--count]);
  return stage;
}

/* --- Operands that are stored ----------------------------------------------------------------- */

/* The outermost loop around the dot that takes `value` from before it; else the dot. */
static MlirOperation store_before(struct session *session, MlirOperation dot, MlirValue value) {
  MlirOperation found = dot, op = mlirOperationGetParentOperation(dot);
  MlirOperation definition = value_definition(value);
  for (; op_has(session, op, IS_LOOP) || op_is(session, op, OP_SCF_IF);
       op = mlirOperationGetParentOperation(op)) {
    if (mlirOperationIsNull(definition) || op_is_inside(definition, op))
      break;
    if (op_has(session, op, IS_LOOP))
      found = op;
  }
  return found;
}

/* In scratch for the product, or, where it is from before a loop, in a buffer from there on. */
static void try_stored(struct product *p, int index, struct place *best) {
  struct session *session = p->session;
  MlirType tile = op_operand_type(p->dot, index);
  MlirOperation before = store_before(session, p->dot, op_operand(p->dot, index));
  bool early = !mlirOperationEqual(before, p->dot);
  struct product_stored stored = stored_operand(p, index, early ? TRIPS : 1);
  struct product_order order = product_order_choose(&stored, &p->arena);
  if (!mlirTypeIsNull(best->type) && order.cost >= best->cost)
    return;
  int64_t shape[MAX_RANK];
  type_shape(tile, shape);
  *best = (struct place){.kind = early ? PLACE_BEFORE_LOOP : PLACE_SCRATCH,
                         .before = before,
                         .type = shared_type(p->rank, shape, type_element(tile),
                                             swizzled_attribute(&session->layouts, &order.layout)),
                         .cost = order.cost};
}

/* A buffer of this type that holds `value` from before `op` on; or null. */
static MlirValue find_stored(struct session *session, MlirOperation op, MlirValue value,
                             MlirType type) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (op_is(session, user, OP_TILE_GPU_ALLOC) && is_filled_once(session, user) &&
        mlirTypeEqual(op_result_type(user, 0), type) &&
        mlirBlockEqual(mlirOperationGetBlock(user), mlirOperationGetBlock(op)) &&
        mlirOperationIsBeforeInBlock(user, op))
      return op_result(user, 0);
  }
  return (MlirValue){0};
}

static MlirValue build_stored(struct product *p, int index) {
  const struct place *place = &p->places[index];
  MlirValue value = op_operand(p->dot, index);
  MlirValue found = find_stored(p->session, place->before, value, place->type);
  if (!mlirValueIsNull(found))
    return found;
  struct builder b = builder_before(place->before);
  b.location = mlirOperationGetLocation(p->dot);
  p->stored[index] = BUILD_OP(&b, "tile_gpu.alloc", IN(value), OUT(place->type));
  return op_result(p->stored[index], 0);
}

/* --- Products --------------------------------------------------------------------------------- */

static bool choose_places(struct product *p) {
  int64_t cost = 0;
  for (int i = 0; i < OPERANDS; i++) {
    try_in_place(p, i, &p->places[i]);
    try_stored(p, i, &p->places[i]);
    cost += p->places[i].cost;
  }
  return cost < scratch_cost(p);
}

/* Blocks on a multiprocessor, of so many bytes of shared memory; 0 where they are too many. */
static int64_t blocks_of(struct product *p, MlirOperation function, int64_t bytes) {
  const struct machine *machine = machine_of(function);
  int64_t warps = attribute_number(module_of(function), ATTR_NUM_WARPS, 4);
  int64_t registers = pressure_of_function(p->session, function).registers + PRESSURE_ALLOWANCE;
  struct machine_block block = {.threads = warps * machine->lanes,
                                .registers = smaller(registers, machine->thread_registers),
                                .shared_bytes = bytes};
  return bytes > machine->block_shared_bytes ? 0 : machine_blocks(machine, block);
}

/* Removes an operation that nobody needs any more, and what only it needed, but not `kept`. */
static void remove_unused(struct session *session, MlirValue value, MlirValue kept) {
  MlirOperation op = value_definition(value);
  while (!mlirOperationIsNull(op) && !value_is_used(op_result(op, 0)) &&
         !mlirValueEqual(op_result(op, 0), kept) &&
         (op_is(session, op, OP_TILE_GPU_LOCAL_LOAD) || op_is(session, op, OP_TILE_PERMUTE) ||
          op_is(session, op, OP_TILE_GPU_CONVERT_LAYOUT))) {
    MlirOperation next = value_definition(op_operand(op, 0));
    mlirOperationDestroy(op);
    op = next;
  }
}

static MlirValue build_operand(struct product *p, int index) {
  switch (p->places[index].kind) {
  case PLACE_SCRATCH:
    return op_operand(p->dot, index);
  case PLACE_BEFORE_LOOP:
    return build_stored(p, index);
  case PLACE_THERE:
    return build_in_place(p, index);
  }
  return (MlirValue){0};
}

/* Puts the product through buffers in place of p->dot, or back where that costs blocks. */
static void rewrite(struct product *p) {
  MlirOperation function = function_of(p->session, p->dot);
  int64_t before = shared_bytes_needed(p->session, function);
  MlirValue operands[OPERANDS], old = op_result(p->dot, 0);
  for (int i = 0; i < OPERANDS; i++)
    operands[i] = build_operand(p, i);
  struct builder b = builder_before(p->dot);
  MlirOperation product =
      BUILD_OP(&b, "tile_gpu.buffer_dot", IN(operands[0], operands[1], op_operand(p->dot, 2)),
               OUT(mlirValueGetType(old)));
  MlirBlock block = mlirOperationGetBlock(p->dot);
  mlirValueReplaceAllUsesOfWith(old, op_result(product, 0));
  mlirOperationRemoveFromParent(p->dot);
  int64_t after = shared_bytes_needed(p->session, function);
  if (after <= before || blocks_of(p, function, after) >= blocks_of(p, function, before)) {
    MlirValue values[OPERANDS] = {op_operand(p->dot, 0), op_operand(p->dot, 1)};
    mlirOperationDestroy(p->dot);
    remove_unused(p->session, values[0], values[1]);
    remove_unused(p->session, values[1], (MlirValue){0});
    return;
  }
  mlirBlockInsertOwnedOperationBefore(block, product, p->dot);
  mlirValueReplaceAllUsesOfWith(op_result(product, 0), old);
  mlirOperationDestroy(product);
  for (int i = 0; i < OPERANDS; i++)
    if (!mlirOperationIsNull(p->stored[i]))
      mlirOperationDestroy(p->stored[i]);
}

static MlirLogicalResult visit(MlirOperation op, void *data) {
  struct session *session = data;
  if (!op_is(session, op, OP_TILE_DOT) || !scratch_has_layouts(session, op) ||
      dot_form_of(session, op, NULL) != DOT_MULTIPLY_ADDS ||
      attribute_has(function_of(session, op), ATTR_PRODUCER_WARPS))
    return SUCCESS;
  int64_t shape[MAX_RANK];
  struct product p = {.session = session, .dot = op};
  p.rank = type_shape(op_operand_type(op, 0), shape);
  const struct linear_layout *sums = layout_to_linear(&session->layouts, op_result_type(op, 0));
  p.unrolled =
      product_unrolled((int)linear_layout_in_size(sums, LAYOUT_REGISTER), shape[p.rank - 1]);
  if (choose_places(&p))
    rewrite(&p);
  arena_destroy(&p.arena);
  return SUCCESS;
}

MlirLogicalResult run_buffer_dot(struct pass_context *context, MlirOperation root) {
  return visit_operations(root, visit, context->session);
}
