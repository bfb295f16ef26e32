/* SPDX-License-Identifier: MIT */
/* tile-gpu-spill-to-shared: tiles for which the threads of a loop have no registers wait in shared
   memory.

     %w = ..                               %w = ..
     %s = for iter_args(%a = %zero) {      %pw = tile_gpu.alloc {private};  store %w, %pw
       %x = tile.load %row                 %pa = tile_gpu.alloc {private};  store %zero, %pa
       %y = %x * %w                        for {
       %t = tile.reduce %y           ->      %x = tile.load %row
       %b = %a + %x                          %y = %x * load %pw
       ..                                    %t = tile.reduce %y
       yield %b                              %b = load %pa + %x;  store %b, %pa
     }                                     }
                                           %s = load %pa

   Needs: layouts; reductions where they stay. Keeps: what is computed. Leaves: loop variables that
   the loop hands on as they came, which cost nothing (pressure.h).

   A block of 1024 threads leaves a thread 64 registers, and a loop that sums up rows of 16384
   columns carries 16 of each sum and takes as many of the weights from outside. What does not fit
   ptxas moves to memory and back, whatever is in use there, word by word: 75 accesses a row in
   LayerNorm's backward pass, of memory that the rows on their way push out of the cache. Registers
   decide how many blocks a multiprocessor has there, and shared memory is left over. So of the
   tiles that a loop takes from outside or carries as many are spilled there as are too many, in
   pieces of 16 bytes: those first that cost the fewest accesses in an iteration. Each thread loads
   only what it has stored itself (tile_gpu.private), so nobody waits for anybody, and where the
   pieces lie is chosen so that the lanes of a warp do not meet in a bank.

   The same tile loaded again from global memory would not do: a store of the loop may have changed
   what is there, as a kernel's pointers may be equal.

   Meant are loops over rows: their threads wait for one another in each iteration, and hold all
   that while what is in use after that point. Loops with dots have schedules of
   their own. Where shared memory does not suffice, or would leave a multiprocessor fewer blocks,
   the loop stays as it is. */
#include "analysis/buffers.h"
#include "analysis/loop_stages.h"
#include "analysis/pressure.h"
#include "analysis/scratch.h"
#include "base/numbers.h"
#include "ir/build.h"
#include "ir/module_target.h"
#include "ir/passes.h"
#include "ir/shared_attribute.h"

enum { MAX_TILES = 16, MAX_ACCESSES = 4, MAX_OPERATIONS = 128, CHUNK_BYTES = 16, PHASES = 8 };

/* A tile that may be spilled: from outside of the loop, or the argument of its body that carries
   it. */
struct tile {
  MlirValue value;
  int accesses; /* in an iteration */
};

struct spilling {
  struct session *session;
  MlirOperation loop;
  struct tile tiles[MAX_TILES]; /* those with the fewest accesses first */
  int count;
  int operations;
  bool waits, fits;
};

/* --- What may be spilled ---------------------------------------------------------------------- */

static bool is_argument(const struct spilling *p, MlirValue value) {
  return value_is_argument_of(value, op_body(p->loop, 0));
}

/* The type of a spilled tile in its buffer: rows of MACHINE_BANK_ROW; null where the tile has too
   few elements, or where threads share some of them. */
static MlirType spilled_type(struct session *session, MlirType type) {
  int64_t row = MACHINE_BANK_ROW / memory_bytes(session, type_element(type)),
          elements = type_elements(type);
  const struct linear_layout *layout = layout_to_linear(&session->layouts, type);
  if (!layout || elements < PHASES * row)
    return (MlirType){0};
  struct layout_point copies = linear_layout_free_masks(layout);
  if (copies.at[LAYOUT_REGISTER] || copies.at[LAYOUT_LANE] || copies.at[LAYOUT_WARP])
    return (MlirType){0};
  int64_t shape[] = {elements / row, row};
  struct layout_space space = {.bits = {[LAYOUT_DIM0] = (uint8_t)log2_of(shape[0]),
                                        [LAYOUT_DIM0 + 1] = (uint8_t)log2_of(row)},
                               .dims = LAYOUT_SET(LAYOUT_DIM0) | LAYOUT_SET(LAYOUT_DIM0 + 1)};
  struct linear_layout rows = linear_layout_reshape(layout, &space);
  return mlirRankedTensorTypeGet(2, shape, type_element(type),
                                 linear_attribute(&session->layouts, &rows));
}

/* A tile of floats, and no constant: that takes no registers. */
static bool can_spill(struct session *session, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  MlirOperation op = value_definition(value);
  enum op_kind kind = mlirOperationIsNull(op) ? OP_OTHER : kind_of(session, op);
  return type_is_tensor(type) && !mlirAttributeIsNull(type_layout(type)) &&
         mlirTypeIsAFloat(type_element(type)) && kind != OP_ARITH_CONSTANT &&
         kind != OP_TILE_SPLAT && !mlirTypeIsNull(spilled_type(session, type));
}

/* After all with as few accesses. */
static void add_tile(struct spilling *p, MlirValue value, int accesses) {
  for (int i = 0; i < p->count; i++)
    if (mlirValueEqual(p->tiles[i].value, value))
      return;
  if (p->count == MAX_TILES)
    return;
  int i = p->count++;
  for (; i > 0 && p->tiles[i - 1].accesses > accesses; i--)
    p->tiles[i] = p->tiles[i - 1];
  p->tiles[i] = (struct tile){value, accesses};
}

/* The loop before which a tile is spilled: this one, or the outermost around it that the tile comes
   from outside of, too. Each iteration of that one wants it again, so that after it nothing would
   be saved. */
static MlirOperation insertion_point(const struct spilling *p, MlirValue value) {
  MlirOperation point = p->loop, op = p->loop;
  MlirBlock home = value_block(value);
  while (!is_argument(p, value) && !mlirBlockEqual(mlirOperationGetBlock(op), home)) {
    op = mlirOperationGetParentOperation(op);
    point = op_has(p->session, op, IS_LOOP) ? op : point;
  }
  return point;
}

/* How many operations of the body take it; a large number where something else does that is there
   when the loop runs. */
static int count_users(const struct spilling *p, MlirValue value) {
  enum { MANY = 1000 };
  int users = 0;
  MlirOperation point = insertion_point(p, value);
  MlirOperation last = {0};
  MlirBlock body = op_body(p->loop, 0);
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    MlirBlock block = mlirOperationGetBlock(user);
    if (mlirBlockEqual(block, body) && !mlirOperationEqual(user, mlirBlockGetTerminator(body)))
      users += mlirOperationIsNull(last) || !mlirOperationEqual(user, last);
    else if (!mlirBlockEqual(block, mlirOperationGetBlock(point)) ||
             !mlirOperationIsBeforeInBlock(user, point))
      users += MANY;
    last = user;
  }
  return users;
}

/* What an operation of the body takes from outside. */
static MlirWalkResult inspect(MlirOperation op, void *data) {
  struct spilling *p = data;
  if (op_has(p->session, op, IS_LOOP))
    p->fits &= mlirOperationEqual(op, p->loop);
  p->fits &= !op_has(p->session, op, IS_DOT);
  p->fits &= ++p->operations <= MAX_OPERATIONS;
  if (!p->fits)
    return MlirWalkResultInterrupt;
  p->waits |= scratch_waits_for_block(p->session, op);
  if (!mlirBlockEqual(mlirOperationGetBlock(op), op_body(p->loop, 0)))
    return MlirWalkResultAdvance;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirValue value = op_operand(op, i);
    MlirOperation source = value_definition(value);
    bool outside =
        mlirOperationIsNull(source) ? !is_argument(p, value) : !op_is_inside(source, p->loop);
    if (!outside || !can_spill(p->session, value))
      continue;
    int users = count_users(p, value);
    if (users <= MAX_ACCESSES)
      add_tile(p, value, users);
  }
  return MlirWalkResultAdvance;
}

/* The operation that computes what becomes of a carried tile, after the only one that takes it,
   which comes in `*out_user`; null where it is not so. */
static MlirOperation update_of(const struct spilling *p, MlirValue argument,
                               MlirOperation *out_user) {
  MlirBlock body = op_body(p->loop, 0);
  MlirOperation yield = mlirBlockGetTerminator(body);
  MlirValue next = op_operand(yield, mlirBlockArgumentGetArgNumber(argument) - 1);
  MlirOperation user = only_user(argument), update = value_definition(next);
  if (mlirOperationIsNull(user) || mlirOperationIsNull(update) ||
      mlirOperationIsNull(only_user(next)) || !mlirBlockEqual(mlirOperationGetBlock(user), body) ||
      !mlirBlockEqual(mlirOperationGetBlock(update), body) || mlirOperationEqual(user, yield) ||
      mlirOperationIsBeforeInBlock(update, user))
    return (MlirOperation){0};
  *out_user = user;
  return update;
}

static void add_carried(struct spilling *p) {
  MlirBlock body = op_body(p->loop, 0);
  MlirOperation user;
  for (intptr_t i = 1; i < mlirBlockGetNumArguments(body); i++) {
    MlirValue argument = mlirBlockGetArgument(body, i);
    if (can_spill(p->session, argument) && !mlirOperationIsNull(update_of(p, argument, &user)))
      add_tile(p, argument, 2); /* a load and a store */
  }
}

/* --- Spilling them ---------------------------------------------------------------------------- */

static MlirValue build_buffer(struct spilling *p, struct builder *b, MlirType spilled) {
  int64_t shape[MAX_RANK];
  type_shape(spilled, shape);
  struct swizzled_layout space = {
      .rank = 2,
      .vec = (int32_t)(CHUNK_BYTES / memory_bytes(p->session, type_element(spilled))),
      .per_phase = 1,
      .max_phase = PHASES,
      .order = {1, 0}};
  MlirType type = shared_type(2, shape, type_element(spilled),
                              swizzled_attribute(&p->session->layouts, &space));
  return BUILD(b, "tile_gpu.alloc", OUT(type),
               ATTRIBUTES(attribute_with(b->context, ATTR_PRIVATE, mlirUnitAttrGet(b->context))));
}

static void build_store(struct spilling *p, struct builder *b, MlirValue tile, MlirValue buffer) {
  MlirType spilled = spilled_type(p->session, mlirValueGetType(tile));
  MlirValue rows = BUILD(b, "tile.reshape", IN(tile), OUT(spilled));
  BUILD_OP(b, "tile_gpu.local_store", IN(rows, buffer));
}

static MlirValue build_load(struct spilling *p, struct builder *b, MlirValue buffer,
                            MlirType type) {
  MlirValue rows = BUILD(b, "tile_gpu.local_load", IN(buffer), OUT(spilled_type(p->session, type)));
  return BUILD(b, "tile.reshape", IN(rows), OUT(type));
}

static struct builder builder_after(MlirOperation op) {
  struct builder b = builder_before(mlirOperationGetNextInBlock(op));
  b.location = mlirOperationGetLocation(op);
  return b;
}

static void load_for(struct spilling *p, MlirOperation user, MlirValue value, MlirValue buffer) {
  struct builder b = builder_before(user);
  MlirValue loaded = build_load(p, &b, buffer, mlirValueGetType(value));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(user); i++)
    if (mlirValueEqual(op_operand(user, i), value))
      mlirOperationSetOperand(user, i, loaded);
}

static void spill_outer(struct spilling *p, MlirValue value, MlirValue buffer) {
  MlirOperation op = mlirBlockGetFirstOperation(op_body(p->loop, 0));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    bool takes = false;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
      takes |= mlirValueEqual(op_operand(op, i), value);
    if (takes)
      load_for(p, op, value, buffer);
  }
}

static void spill_carried(struct spilling *p, MlirValue argument, MlirValue buffer) {
  MlirOperation yield = mlirBlockGetTerminator(op_body(p->loop, 0)), user = {0};
  MlirOperation update = update_of(p, argument, &user);
  intptr_t number = mlirBlockArgumentGetArgNumber(argument) - 1;
  struct builder b = builder_after(update);
  build_store(p, &b, op_operand(yield, number), buffer);
  load_for(p, user, argument, buffer);
  mlirOperationSetOperand(yield, number, argument);
  MlirValue result = op_result(p->loop, number);
  if (!value_is_used(result))
    return;
  struct builder after = builder_after(p->loop);
  MlirValue last = build_load(p, &after, buffer, mlirValueGetType(result));
  mlirValueReplaceAllUsesOfWith(result, last);
}

static void spill(struct spilling *p, MlirValue value) {
  bool carried = is_argument(p, value);
  MlirValue first =
      carried ? op_operand(p->loop, 3 + mlirBlockArgumentGetArgNumber(value) - 1) : value;
  struct builder b = builder_before(insertion_point(p, value));
  MlirValue buffer = build_buffer(p, &b, spilled_type(p->session, mlirValueGetType(value)));
  if (carried)
    spill_carried(p, value, buffer);
  else
    spill_outer(p, value, buffer);
  build_store(p, &b, first, buffer);
}

/* --- How many --------------------------------------------------------------------------------- */

struct taken {
  struct session *session;
  MlirOperation loop;       /* that spilled tiles are before: the outermost */
  int64_t buffers, largest; /* bytes: of the buffers that may be in use in the loop, of the largest
                               other allocation */
};

/* A buffer of the other branch, or of another loop, has the place at another time. */
static bool is_in_use(struct session *session, MlirOperation alloc, MlirOperation loop) {
  if (op_is_inside(alloc, loop))
    return true;
  MlirOperation here = op_in_block(loop, mlirOperationGetBlock(alloc)),
                last = buffer_last_use(session, alloc);
  return !mlirOperationIsNull(here) && mlirOperationIsBeforeInBlock(alloc, here) &&
         (mlirOperationIsNull(last) || !mlirOperationIsBeforeInBlock(last, here));
}

/* What an operation takes while it runs: with two halves where iterations take turns with them; a
   whole tile where it becomes a dot's operand (tile-gpu-optimize-dot-operands). */
static int64_t area_bytes(struct session *session, MlirOperation op) {
  const struct layout_info *info = NULL;
  int64_t half = double_buffer_wanted(session, op),
          bytes = half ? 2 * half : scratch_bytes(session, op);
  if (bytes == 0 || kind_of(session, op) != OP_TILE_GPU_CONVERT_LAYOUT)
    return bytes;
  MlirType type = op_result_type(op, 0);
  tile_status_free(layout_decode(&session->layouts, type_layout(type), &info));
  int64_t tile = type_elements(type) * memory_bytes(session, type_element(type));
  return info && info->kind == LAYOUT_KIND_DOT_OPERAND && tile > bytes ? tile : bytes;
}

static MlirLogicalResult add_taken(MlirOperation op, void *data) {
  struct taken *taken = data;
  int64_t alignment;
  if (kind_of(taken->session, op) == OP_TILE_GPU_ALLOC) {
    taken->buffers += is_in_use(taken->session, op, taken->loop)
                          ? buffer_bytes(taken->session, op, &alignment)
                          : 0;
    return SUCCESS;
  }
  int64_t bytes = area_bytes(taken->session, op);
  taken->largest = bytes > taken->largest ? bytes : taken->largest;
  return SUCCESS;
}

/* Bytes of shared memory that are free, if a multiprocessor is to have the blocks that it has
   registers for. Beside an allocation two small ones may keep their places, one below the other
   (tile-gpu-allocate-shared). */
static int64_t free_bytes(struct session *session, MlirOperation loop, int num_warps,
                          int64_t registers) {
  struct taken taken = {.session = session, .loop = loop};
  MlirOperation function = loop, op = mlirOperationGetParentOperation(loop);
  for (; kind_of(session, function) != OP_FUNC;
       function = op, op = mlirOperationGetParentOperation(op))
    if (op_has(session, op, IS_LOOP))
      taken.loop = op;
  visit_operations(function, add_taken, &taken);
  const struct machine *machine = machine_of(loop);
  struct machine_block block = {.threads = (int64_t)num_warps * machine->lanes,
                                .registers = registers};
  int64_t blocks = machine_blocks(machine, block), share = machine_shared_for(machine, blocks);
  int64_t largest = round_up(taken.largest, SCRATCH_ALIGNMENT);
  int64_t kept = smaller(largest, SCRATCH_KEPT_BYTES);
  return share - taken.buffers - largest - 2 * kept;
}

/* How many tiles, from the first one on, leave room for `missing` registers; 0 where none or all of
   them do not. */
static int choose(const struct spilling *p, int64_t missing, int64_t bytes) {
  int count = 0;
  for (; count < p->count && missing > 0; count++) {
    MlirType type = mlirValueGetType(p->tiles[count].value);
    missing -= tile_words(p->session, type);
    bytes -= type_elements(type) * memory_bytes(p->session, type_element(type));
  }
  return missing > 0 || bytes < 0 ? 0 : count;
}

static void spill_loop(struct session *session, MlirOperation loop) {
  struct spilling p = {.session = session, .loop = loop, .fits = true};
  MlirOperation module = module_of(loop);
  int num_warps = (int)attribute_number(module, ATTR_NUM_WARPS, 4);
  int64_t registers = module_registers(module, num_warps);
  mlirOperationWalk(loop, inspect, &p, MlirWalkPreOrder);
  if (!p.fits || !p.waits)
    return;
  int64_t live = pressure_of_loop_waiting(session, loop).registers;
  if (pressure_least(live) <= registers)
    return;
  add_carried(&p);
  int count = choose(&p, live + PRESSURE_ALLOWANCE - registers,
                     free_bytes(session, loop, num_warps, registers));
  for (int i = 0; i < count; i++)
    spill(&p, p.tiles[i].value);
}

MlirLogicalResult run_spill_to_shared(struct pass_context *context, MlirOperation module) {
  MlirOperation op = {0};
  while (next_kernel(context->session, module, &op)) {
    struct loop_list loops = loops_of(context->session, op);
    for (size_t i = 0; i < loops.count; i++)
      spill_loop(context->session, loops.list[i]);
    loops_free(&loops);
  }
  return SUCCESS;
}
