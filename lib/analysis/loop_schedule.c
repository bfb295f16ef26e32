/* SPDX-License-Identifier: MIT */
/* See loop_schedule.h. */
#include "analysis/loop_schedule.h"

#include "analysis/ahead.h"
#include "analysis/copy_space.h"
#include "analysis/loop_stages.h"
#include "analysis/mask_prefix.h"
#include "analysis/offsets.h"
#include "analysis/pressure.h"
#include "analysis/scratch.h"
#include "base/numbers.h"
#include "ir/module_target.h"
#include "ir/shared_attribute.h"
#include "ir/tensor_boxes.h"
#include "ir/tile_ops.h"
#include "ir/verify.h"

/* MAX_WORDS: registers of a thread that all tiles loaded ahead may take. MAX_INDICES: registers of
   a thread that loads take which another's address is made of. */
enum { MAX_WORDS = 32, LEAST_COPY_BYTES = 4, COPY_BYTES = 16, MAX_DEPTH = 32 };
enum { MAX_INDICES = 16 };

/* --- What the body does ----------------------------------------------------------------------- */

/* What the body does to memory. */
struct effects {
  struct session *session;
  MlirOperation list[MAX_STORES]; /* its stores */
  MlirValue roots[MAX_STORES];    /* of them; null: not known */
  int count, products;
  bool stores, unknown_root, unlisted, loop, exchange;
  bool tiles;   /* it works on some, not only on numbers */
  bool atomics; /* some of the stores are atomic, and relaxed */
  bool plain;   /* some are not */
  const char *obstacle;
};

static const char orders[] = "the loop has an atomic operation, a barrier or assembly with effects";

static void add_store(struct effects *effects, MlirOperation store) {
  MlirValue root = pointer_root(effects->session, op_operand(store, 0));
  effects->stores = true;
  effects->unknown_root |= mlirValueIsNull(root) || effects->count == MAX_STORES;
  effects->unlisted |= effects->count == MAX_STORES;
  if (effects->unlisted)
    return;
  effects->list[effects->count] = store;
  effects->roots[effects->count++] = root;
}

static MlirLogicalResult note_effect(MlirOperation op, void *data) {
  struct effects *effects = data;
  const struct op_info *info = op_info(&effects->session->names, op);
  effects->products += op_has(effects->session, op, IS_DOT);
  effects->loop |= op_has(effects->session, op, IS_LOOP);
  effects->exchange |= op_has(effects->session, op, CROSSES_THREADS);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    effects->tiles |= type_is_tensor(op_result_type(op, i));
  bool atomic = is_atomic_store(effects->session, op);
  effects->atomics |= atomic;
  /* nothing that the kernel loads, says tile-find-store-boxes */
  effects->stores |= info->kind == OP_TILE_GPU_BULK_STORE;
  effects->plain |=
      info->kind == OP_TILE_STORE || (info->kind == OP_TILE_GPU_BULK_STORE && !bulk_store_adds(op));
  if (info->kind == OP_TILE_STORE || atomic)
    add_store(effects, op);
  else if (info->effects == EFFECTS_UNKNOWN)
    effects->obstacle = "the loop has an operation whose effects are not known";
  else if (info->effects == EFFECTS_WRITE && info->dialect == DIALECT_TILE &&
           info->kind != OP_TILE_PRINT && info->kind != OP_TILE_ASSERT)
    effects->obstacle = orders;
  return SUCCESS;
}

static bool may_be_stored_to(const struct effects *effects, MlirValue pointer) {
  if (!effects->stores)
    return false;
  MlirValue root = pointer_root(effects->session, pointer);
  bool found = effects->unknown_root || mlirValueIsNull(root);
  for (int i = 0; i < effects->count; i++)
    found |= mlirValueEqual(effects->roots[i], root);
  return found;
}

/* May `pointer` be read an iteration early, past the loop's stores, as far as is known? */
static bool may_pass_stores(const struct effects *effects, MlirOperation loop, MlirValue pointer) {
  bool may = !effects->unlisted;
  for (int i = 0; i < effects->count && may; i++) {
    MlirValue to = op_operand(effects->list[i], 0);
    struct loop_distance distance;
    bool known;
    may = !pointers_share_positions(pointer, to) ||
          (pointers_in_loop(effects->session, loop, pointer, to, &distance) &&
           (loop_distance_is_apart(&distance, FAR_AHEAD, &known) || !known));
  }
  return may;
}

/* --- Loops without a product ------------------------------------------------------------------ */

static int words_of(struct session *session, MlirType tile);

/* Registers of a thread that the loop's variables take. */
static int carried_words(struct session *session, MlirOperation loop) {
  int words = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); i++) {
    MlirType type = op_result_type(loop, i);
    bool held = type_is_tensor(type) && type_is_number(type_element(type)) &&
                layout_to_linear(&session->layouts, type);
    words += held ? words_of(session, type) : 0;
  }
  return words;
}

/* Does the loop hand on numbers from iteration to iteration, of each element by itself? Its loads
   are all that need not wait for them. Where threads wait for one another as well, registers for
   loads ahead would cost a block on each multiprocessor (tile-gpu-prefetch-rows). */
static bool is_recurrence(const struct effects *effects, MlirOperation loop) {
  bool carries = false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); i++)
    carries |= mlirTypeIsAFloat(type_element(op_result_type(loop, i)));
  return carries && !effects->exchange;
}

/* Has a thread registers for what its loads bring, now and for so many iterations ahead, while
   THREADS are on a multiprocessor? */
static bool fits_registers(struct session *session, const struct loop_schedule *schedule,
                           int ahead) {
  enum { THREADS = 512 };
  MlirOperation module = module_of(schedule->loop);
  int words = 0;
  for (int i = 0; i < schedule->count; i++)
    words += schedule->loads[i].method == PIPELINE_REGISTERS ? schedule->loads[i].words : 0;
  int64_t most = smaller(module_registers(module, (int)attribute_number(module, ATTR_NUM_WARPS, 4)),
                         machine_registers_for(machine_of(module), THREADS));
  return words <= MAX_WORDS &&
         carried_words(session, schedule->loop) + (1 + ahead) * words + PRESSURE_BESIDE_DOT <= most;
}

/* --- What becomes of a tile ------------------------------------------------------------------- */

/* Does the value end up as the first or second operand of a product, by way of pure operations? */
static bool reaches_product(struct session *session, MlirValue value, int depth) {
  if (depth == MAX_DEPTH)
    return false;
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (op_has(session, op, IS_DOT) && mlirOpOperandGetOperandNumber(use) < 2)
      return true;
    const struct op_info *info = op_info(&session->names, op);
    if (info->kind == OP_TILE_GPU_LOCAL_TRANSPOSE && mlirOpOperandGetOperandNumber(use) == 0 &&
        reaches_product(session, op_operand(op, 1), depth + 1))
      return true;
    bool passes = (info->effects == EFFECTS_PURE && mlirOperationGetNumRegions(op) == 0) ||
                  info->kind == OP_TILE_GPU_ALLOC || info->kind == OP_TILE_GPU_LOCAL_LOAD;
    if (passes && !op_has(session, op, IS_DOT) && mlirOperationGetNumResults(op) == 1 &&
        reaches_product(session, op_result(op, 0), depth + 1))
      return true;
  }
  return false;
}

bool feeds_product(struct session *session, MlirValue value) {
  return reaches_product(session, value, 0);
}

bool feeds_only_products(struct session *session, MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  bool only = !mlirOpOperandIsNull(use);
  for (; !mlirOpOperandIsNull(use) && only; use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    only = op_has(session, op, IS_DOT) ? mlirOpOperandGetOperandNumber(use) < 2
                                       : op_is(session, op, OP_TILE_PERMUTE) &&
                                             feeds_only_products(session, op_result(op, 0));
  }
  return only;
}

MlirOperation only_user(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  if (mlirOpOperandIsNull(use) || !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)))
    return (MlirOperation){0};
  return mlirOpOperandGetOwner(use);
}

/* --- Copies ----------------------------------------------------------------------------------- */

/* Elements of one copy along `dim`: of consecutive registers and addresses, and of a mask that a
   copy can have. */
static int64_t access_run(struct session *session, struct axis_analysis *axis,
                          const struct tile_load *load, int dim) {
  const struct linear_layout *layout =
      layout_to_linear(&session->layouts, mlirValueGetType(load->pointer));
  int64_t run = linear_layout_contiguous_run(layout, (enum layout_dim)(LAYOUT_DIM0 + dim));
  run = smaller(run, axis_pointer_contiguity(axis, session, load->pointer, dim));
  if (!mlirValueIsNull(load->mask))
    run = smaller(run, mask_prefix(axis, load->mask, dim));
  return run;
}

/* The dimension of the widest access, the last of equals; its bytes in *out_bytes. */
static int widest_dimension(struct session *session, struct axis_analysis *axis,
                            const struct tile_load *load, int64_t element, int64_t *out_bytes) {
  int64_t best = 0, shape[MAX_RANK];
  int rank = type_shape(mlirValueGetType(load->pointer), shape), dim = rank - 1;
  for (int i = rank - 1; i >= 0; i--) {
    int64_t run = access_run(session, axis, load, i);
    if (run > best) {
      best = run;
      dim = i;
    }
  }
  *out_bytes = smaller(best * element, COPY_BYTES);
  return dim;
}

/* Does a buffer of this space keep 4 bytes along `fast` together? */
static bool fits_space(struct session *session, MlirAttribute space, int fast) {
  const struct shared_info *info;
  tile_status status = shared_decode(&session->layouts, space, &info);
  if (status) {
    tile_status_free(status);
    return false;
  }
  if (info->kind == SHARED_KIND_NVMMA)
    return fast == (info->nvmma.transposed ? 0 : 1);
  return fast == info->swizzled.order[0];
}

/* The memory space for a tile whose dimensions `permute` renames before it is read: chosen for the
   renamed tile. */
static MlirAttribute permuted_space(struct session *session, MlirOperation permute, int fast,
                                    MlirType reader) {
  MlirType transposed = op_result_type(permute, 0);
  MlirAttribute order = mlirOperationGetAttributeByName(permute, ref("order"));
  int64_t shape[MAX_RANK];
  int32_t back[MAX_RANK] = {0};
  int rank = type_shape(transposed, shape);
  for (int i = 0; i < rank; i++)
    back[mlirDenseI32ArrayGetElement(order, i)] = i;
  const struct shared_info *info;
  tile_status_free(
      shared_decode(&session->layouts, copy_space(session, transposed, back[fast], reader), &info));
  return shared_transposed(&session->layouts, info, back);
}

/* Fills consumer and space; false where the tile cannot be copied. */
static bool plan_copy(struct session *session, struct axis_analysis *axis,
                      const struct tile_load *load, struct scheduled_load *out) {
  MlirType tile = op_result_type(out->load, 0);
  int64_t bytes;
  if (!type_is_number(type_element(tile)))
    return false;
  int fast =
      widest_dimension(session, axis, load, memory_bytes(session, type_element(tile)), &bytes);
  if (bytes < LEAST_COPY_BYTES)
    return false;
  MlirOperation user = only_user(op_result(out->load, 0));
  enum op_kind kind = mlirOperationIsNull(user) ? OP_OTHER : kind_of(session, user);
  if (kind == OP_TILE_PERMUTE) { /* renames dimensions: what takes the transposed tile reads the
                                    buffer transposed */
    out->permute = user;
    user = only_user(op_result(user, 0));
    kind = mlirOperationIsNull(user) ? OP_OTHER : kind_of(session, user);
  }
  bool zero = mlirValueIsNull(load->other) || value_is_zero(session, load->other);
  bool same_block = !mlirOperationIsNull(user) &&
                    mlirBlockEqual(mlirOperationGetBlock(user), mlirOperationGetBlock(out->load));
  bool fits = kind == OP_TILE_GPU_ALLOC && mlirOperationIsNull(out->permute) &&
              fits_space(session, mlirMemRefTypeGetMemorySpace(op_result_type(user, 0)), fast);
  if (fits && zero && same_block) {
    out->consumer = user;
    out->space = mlirMemRefTypeGetMemorySpace(op_result_type(user, 0));
    return true;
  }
  MlirType reader = {0};
  if (kind == OP_TILE_GPU_CONVERT_LAYOUT && zero && same_block) {
    out->consumer = user;
    reader = op_result_type(user, 0);
    if (!mlirOperationIsNull(out->permute)) {
      out->space = permuted_space(session, out->permute, fast, reader);
      return true;
    }
  } else if (kind == OP_TILE_GPU_ALLOC && zero && !fits && mlirOperationIsNull(out->permute)) {
    reader = out->transposed = transposed_type(session, tile, fast);
  }
  out->permute = (MlirOperation){0};
  out->space = copy_space(session, tile, fast, reader);
  return true;
}

/* --- Loads ------------------------------------------------------------------------------------ */

static bool is_volatile(MlirOperation load) {
  return op_has_attribute(load, "volatile") || ref_equals(op_string(load, "cache"), "cv");
}

/* Do the slice's loads read what the loop's stores leave alone, into few registers? */
static bool loads_are_apart(struct session *session, const struct effects *effects,
                            const struct ahead_slice *slice) {
  int words = 0;
  MlirOperation op = mlirBlockGetFirstOperation(op_body(slice->loop, 0));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    struct tile_load load;
    if (!op_is(session, op, OP_TILE_LOAD) || !map_get(&slice->operations, op.ptr))
      continue;
    words += words_of(session, op_result_type(op, 0));
    if (!tile_load_read(op, &load) || may_be_stored_to(effects, load.pointer) ||
        words > MAX_INDICES)
      return false;
  }
  return true;
}

/* Can its operands be computed ahead? `other` is needed there only for loads into registers. With
   `loads` they may be made of what the loop loads: the rows of a cache that a table names. */
static bool can_be_ahead(struct session *session, const struct effects *effects, MlirOperation loop,
                         const struct tile_load *load, bool loads) {
  struct ahead_slice slice;
  ahead_slice_create(&slice, session, loop);
  slice.loads = loads;
  bool can = ahead_slice_add(&slice, load->pointer) && ahead_slice_add(&slice, load->mask) &&
             ahead_slice_add(&slice, load->other) && loads_are_apart(session, effects, &slice);
  ahead_slice_destroy(&slice);
  return can;
}

static int words_of(struct session *session, MlirType tile) {
  const struct linear_layout *layout =
      type_is_tensor(tile) ? layout_to_linear(&session->layouts, tile) : NULL;
  int64_t registers = layout ? linear_layout_in_size(layout, LAYOUT_REGISTER) : 1;
  int64_t bytes = memory_bytes(session, type_element(tile));
  return (int)(bytes >= 4 ? registers * bytes / 4 : registers);
}

static const char *why_not(struct session *session, const struct effects *effects,
                           MlirOperation loop, bool named, const struct scheduled_load *row,
                           const struct tile_load *load) {
  if (is_volatile(row->load))
    return "it is volatile";
  if (!named && effects->products && !row->is_operand)
    return "it feeds no product, and the loop itself has no num_stages";
  bool passes = named || effects->products;
  if (!passes && !may_pass_stores(effects, loop, load->pointer))
    return "a store of the loop may change it before its iteration";
  if (passes && may_be_stored_to(effects, load->pointer))
    return "the loop stores through the same argument, or through one that is not known";
  bool loads = !named && effects->products && row->is_operand;
  if (!can_be_ahead(session, effects, loop, load, loads))
    return "its address or mask depends on a load or on other work of the loop";
  return NULL;
}

static void add_load(struct session *session, struct axis_analysis *axis,
                     const struct effects *effects, bool named, MlirOperation op,
                     struct loop_schedule *out) {
  struct tile_load load;
  MlirType tile = op_result_type(op, 0);
  bool counts = type_is_tensor(tile) ? layout_to_linear(&session->layouts, tile) != NULL
                                     : !named && type_is_number(tile);
  if (out->count == MAX_SCHEDULED || !counts || !tile_load_read(op, &load))
    return;
  struct scheduled_load *row = &out->loads[out->count++];
  *row = (struct scheduled_load){.load = op, .words = words_of(session, tile)};
  row->bytes = type_elements(tile) * memory_bytes(session, type_element(tile));
  row->is_operand = feeds_product(session, op_result(op, 0));
  row->reason = why_not(session, effects, out->loop, named, row, &load);
  if (row->reason)
    return;
  if (!named && !effects->products) {
    row->method = PIPELINE_REGISTERS;
    return;
  }
  bool copies = plan_copy(session, axis, &load, row);
  if (row->is_operand && copies)
    row->method = PIPELINE_COPY;
  else if (row->words <= MAX_WORDS)
    row->method = PIPELINE_REGISTERS;
  else if (copies)
    row->method = PIPELINE_COPY;
  else
    row->reason = "it is too large for registers and too narrow for asynchronous copies";
}

/* --- Blocks that are described ---------------------------------------------------------------- */

static bool offsets_can_be_ahead(struct session *session, MlirOperation loop, MlirOperation load) {
  struct ahead_slice slice;
  ahead_slice_create(&slice, session, loop);
  bool can = true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(load) && can; i++)
    can = ahead_slice_add(&slice, op_operand(load, i));
  ahead_slice_destroy(&slice);
  return can;
}

/* Is this a buffer of warp groups' operands into which bulk copies can bring a block? */
static bool takes_blocks(struct session *session, MlirOperation user) {
  const struct shared_info *info;
  struct tensor_boxes boxes;
  if (!op_is(session, user, OP_TILE_GPU_ALLOC))
    return false;
  MlirType type = op_result_type(user, 0);
  tile_status status = shared_decode(&session->layouts, mlirMemRefTypeGetMemorySpace(type), &info);
  bool takes = !status && info->kind == SHARED_KIND_NVMMA;
  tile_status_free(status);
  if (takes) {
    status = tensor_boxes_of(session, type, &boxes);
    takes = !status;
    tile_status_free(status);
  }
  return takes;
}

/* Rows of a block begin at multiples of 16 bytes: elsewhere an H200 ends the kernel with an illegal
   instruction. */
static bool begins_aligned(struct session *session, struct axis_analysis *axis,
                           MlirOperation load) {
  MlirValue last = op_operand(load, mlirOperationGetNumOperands(load) - 1);
  int64_t bytes = memory_bytes(session, type_element(op_result_type(load, 0)));
  return axis_info_of(axis, last)->divisibility[0] * bytes % TENSOR_ROW_BYTES == 0;
}

static bool is_parameter(struct session *session, MlirValue descriptor) {
  return mlirValueIsABlockArgument(descriptor) &&
         op_is(session, mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(descriptor)),
               OP_FUNC);
}

MlirOperation block_buffer(struct session *session, struct axis_analysis *axis, MlirOperation load,
                           const char **out_reason) {
  MlirOperation none = {0}, user = only_user(op_result(load, 0));
  *out_reason = NULL;
  if (!is_parameter(session, op_operand(load, 0)))
    *out_reason = "its descriptor is no argument of the kernel";
  else if (mlirOperationIsNull(user) || !takes_blocks(session, user) ||
           !mlirBlockEqual(mlirOperationGetBlock(user), mlirOperationGetBlock(load)))
    *out_reason = "no product of warp groups reads it as it lies in memory";
  else if (!begins_aligned(session, axis, load))
    *out_reason = "its rows may begin at other places than multiples of 16 bytes";
  return *out_reason ? none : user;
}

/* A vector is read by the threads that use it, from a stage in which its elements follow one
   another. */
static const char *why_no_vector(struct session *session, struct axis_analysis *axis,
                                 struct scheduled_load *row) {
  struct swizzled_layout plain = {.rank = 1, .vec = 1, .per_phase = 1, .max_phase = 1};
  struct tensor_boxes boxes;
  MlirType tile = op_result_type(row->load, 0);
  int64_t count = type_elements(tile);
  row->space = swizzled_attribute(&session->layouts, &plain);
  tile_status status =
      tensor_boxes_of(session, shared_type(1, &count, type_element(tile), row->space), &boxes);
  bool fits = !status && layout_to_linear(&session->layouts, tile);
  tile_status_free(status);
  if (!is_parameter(session, op_operand(row->load, 0)))
    return "its descriptor is no argument of the kernel";
  if (!fits)
    return "one copy cannot bring it";
  return begins_aligned(session, axis, row->load)
             ? NULL
             : "it may begin at other places than multiples of 16 bytes";
}

/* Fills what takes the block. */
static const char *why_no_block(struct session *session, struct axis_analysis *axis,
                                struct scheduled_load *row) {
  const char *reason;
  row->consumer = block_buffer(session, axis, row->load, &reason);
  if (!mlirOperationIsNull(row->consumer))
    row->space = mlirMemRefTypeGetMemorySpace(op_result_type(row->consumer, 0));
  return reason;
}

static const char *why_no_bulk(struct session *session, struct axis_analysis *axis,
                               const struct effects *effects, MlirOperation loop,
                               struct scheduled_load *row) {
  MlirOperation load = row->load;
  if (effects->plain || effects->unknown_root)
    return "the loop stores";
  const char *reason = scheduled_is_vector(row) ? why_no_vector(session, axis, row)
                                                : why_no_block(session, axis, row);
  if (reason)
    return reason;
  if (!offsets_can_be_ahead(session, loop, load))
    return "its offsets depend on a load or on other work of the loop";
  return NULL;
}

static void add_block(struct session *session, struct axis_analysis *axis,
                      const struct effects *effects, MlirOperation load,
                      struct loop_schedule *out) {
  MlirType tile = op_result_type(load, 0);
  if (out->count == MAX_SCHEDULED)
    return;
  struct scheduled_load *row = &out->loads[out->count++];
  *row = (struct scheduled_load){.load = load, .is_operand = true};
  row->bytes = type_elements(tile) * memory_bytes(session, type_element(tile));
  row->reason = why_no_bulk(session, axis, effects, out->loop, row);
  if (!row->reason)
    row->method = PIPELINE_BULK;
}

/* Both kinds of copies in one loop: two ways of waiting in one iteration. */
static void choose_one_kind(struct loop_schedule *out) {
  bool copies = false;
  for (int i = 0; i < out->count; i++)
    copies |= out->loads[i].method == PIPELINE_COPY;
  for (int i = 0; i < out->count; i++) {
    struct scheduled_load *row = &out->loads[i];
    if (row->method == PIPELINE_BULK && copies) {
      row->method = PIPELINE_NONE;
      row->reason = "threads copy other tiles of the loop";
    }
    out->bulk |= row->method == PIPELINE_BULK;
  }
}

/* --- How far ahead ---------------------------------------------------------------------------- */

/* Registers: one iteration. A tile that is further ahead would be moved from register to register
   at the end of each iteration, and a move waits for the load. A loop without a product or an
   exchange among threads has little else to do than to wait: ptxas makes four iterations of it one,
   where no move is left; so three iterations ahead (`far`), where that takes few registers. */
static int iterations_ahead(int words, bool far) {
  return far && words * FAR_AHEAD <= FAR_AHEAD_WORDS ? FAR_AHEAD : 1;
}

/* Where all tiles are too much for registers, what can goes through shared memory, the largest
   first. */
static void choose_registers(struct loop_schedule *out, bool far) {
  for (;;) {
    int words = 0;
    struct scheduled_load *largest = NULL;
    for (int i = 0; i < out->count; i++) {
      struct scheduled_load *row = &out->loads[i];
      if (row->method != PIPELINE_REGISTERS)
        continue;
      words += row->words;
      if (!largest || row->words > largest->words)
        largest = row;
    }
    if (!largest)
      return;
    out->registers_ahead = words > MAX_WORDS ? 0 : iterations_ahead(words, far);
    if (out->registers_ahead)
      return;
    bool copies = !mlirAttributeIsNull(largest->space);
    largest->method = copies ? PIPELINE_COPY : PIPELINE_NONE;
    largest->reason = "all tiles together are too large for registers";
  }
}

/* --- The loop --------------------------------------------------------------------------------- */

static int64_t stages_of(MlirOperation loop, bool *out_named) {
  *out_named = attribute_has(loop, ATTR_NUM_STAGES);
  return loop_num_stages(loop);
}

bool loop_schedule_make(struct session *session, struct axis_analysis *axis, MlirOperation loop,
                        struct loop_schedule *out, const char **out_reason) {
  bool named, exact;
  int64_t stages = stages_of(loop, &named), trips = loop_most_trips(session, loop, &exact);
  struct effects effects = {.session = session};
  visit_operations(loop, note_effect, &effects);
  /* a producer's stages are there for other loops, too (tile-gpu-assign-roles); what a later
     product of an only iteration reads comes under an earlier one */
  int64_t least = attribute_has(loop, ATTR_OVERLAPS_PRODUCTS) || effects.products > 1 ? 2 : 1;
  if (trips && trips < stages)
    stages = smaller(stages, larger(trips, least));
  *out = (struct loop_schedule){.loop = loop, .stages = (int)smaller(stages, MAX_STAGES)};
  *out_reason = NULL;
  if (stages < 2)
    return false;
  bool reads = !named && !effects.products;
  if (reads && effects.atomics && !effects.obstacle)
    effects.obstacle = orders; /* such loops look at what lies between a load and a store */
  if (!named && effects.stores && (effects.loop || (reads && !is_recurrence(&effects, loop))))
    return false; /* the loop inside is the one to pipeline; or other warps work while one waits */
  if (effects.obstacle) {
    *out_reason = effects.obstacle;
    return false;
  }
  MlirOperation op = mlirBlockGetFirstOperation(op_body(loop, 0));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (op_is(session, op, OP_TILE_LOAD))
      add_load(session, axis, &effects, named, op, out);
    else if (op_is(session, op, OP_TILE_DESCRIPTOR_LOAD))
      add_block(session, axis, &effects, op, out);
  if (reads && !fits_registers(session, out, 1))
    return false;
  /* ptxas unrolls a loop over numbers and issues these loads together: sixteen iterations of 64,
     four where it does not know how many there are. With loads ahead it left the 64 alone */
  if (reads && !effects.stores && !effects.tiles)
    return false;
  for (; reads && out->store_count < effects.count; out->store_count++)
    out->stores[out->store_count] = effects.list[out->store_count];
  bool far = reads && !effects.exchange &&
             (out->store_count > 0 || fits_registers(session, out, FAR_AHEAD));
  choose_registers(out, far);
  choose_one_kind(out);
  loop_stages_choose(session, out);
  if (trips > 1 && trips < stages_of(loop, &named))
    loop_stages_all_ahead(session, out, (int)trips);
  return out->count > 0;
}
