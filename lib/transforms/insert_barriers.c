/* SPDX-License-Identifier: MIT */
/* tile-gpu-insert-barriers: a tile_gpu.barrier before each operation that must not overtake another
   thread's access.

   Needs: layouts; places in shared memory (tile-gpu-allocate-shared). Keeps: what the kernels
   compute. Leaves: barriers in the IR; the lowering adds those inside an operation only, between
   its stores to shared memory and its loads.

   Shared memory. An operation with scratch stores into it, passes its own barrier, and loads. So it
   needs a barrier before it where an earlier operation may still load from what it stores to: where
   their allocations overlap, with no barrier between them. Its own barrier parts its loads from
   everything earlier. A reduction that is alone in its loop goes through double-buffered scratch
   in turns (double_buffer_bytes): its loads of one iteration are apart from its stores in the next,
   and its own barrier there parts them from those that follow. Where each warp has a part of the
   scratch for itself, its own barrier is one of the warp, which parts nothing else; before another
   operation with the same parts a barrier of the warp will do.

   Buffers. A store into a buffer needs a barrier before it where an earlier operation may still
   load from or store to those bytes, a load where one may still store. An asynchronous copy is a
   store that begins at once and ends at a wait: after each tile_gpu.async_wait with copies in
   flight stands a barrier, so that all threads see what has landed, and so that the stage that
   everyone has read before may be copied into again. In a loop that waits, copies into a free stage
   and loads, that is the only one, in whatever order: two stages that are known to differ are apart
   (analysis/stages.h).

   A dot by warp groups loads from its buffers at any time until a wait, each warp group by itself:
   a barrier in between does not part the loads from what comes after the wait. So a wait counts as
   one more load of all that dots in flight read. Who stores there earlier has to wait first; the
   passes that start dots see to that, as they do that another buffer is not put there
   (analysis/buffers.h).

   Barriers that count bytes (mbarriers) are a buffer, too: making and ending them stores to it,
   what uses them loads. A bulk copy is a store to its stage that begins at once; each thread that
   waits for its barrier sees what has landed, so no barrier of the block follows the wait.

   A private buffer (tile_gpu.private) is one of which each thread loads only what it has stored:
   its own accesses come in order, and wait for others only where the place is another's.

   Global memory. An element that a program loads and stores several times at one position of tiles
   of one shape (or as a scalar) keeps the order of the program. One thread does its own accesses in
   order; a barrier is needed where one access is another thread's:

     - Copies. Where a tile has fewer elements than the block has threads, and for scalars, several
       threads hold one element. All of them load it, one of them stores it. So a store could
       overtake the load of a copy (`x = *p; *p = x + 1; use x`), and the load of a copy could
       overtake the store (`*p = x; y = *p`).
     - Layouts. Two accesses of tiles of one shape in different layouts: another thread holds the
       element the second time.

   Where the copies of an element are all in one warp, as of a row's number that the lanes of its
   columns hold, a barrier of the warp will do.

   Where all that is made of a load is stored by the same threads, the copies need not load
   (analysis/holders.h), but for kernels that are strided through and through: it is marked, its
   other threads load nothing, and it is as its holder's.

   Accesses of different shapes, and of a scalar and a tile, have no position in common, and
   elements of different sizes are not one element: nothing orders them, whatever their addresses
   are (dialects/tile/README.md, memory order). So a row's mean, stored as a scalar, costs no
   barrier before the weights that are loaded as a tile.

   An atomic operation is a store in this: of the holders of an element one touches it. On a scalar
   thread 0 does, for the whole program: where it releases, all threads' accesses come before it
   (stores of scalars are its own). Where it acquires, they come after it by the barrier inside it,
   after which all threads have what it gives. Where nobody looks at that, nobody can tell what it
   came after, and it orders nothing.

   What was accessed since the last barrier is a set. Control flow joins sets: after a branch, what
   either arm leaves; in a loop, also what an earlier iteration leaves, found by going through the
   body until nothing is added; after a `for`, also what was there before, as it may not run. */
#include <stdlib.h>
#include "analysis/buffers.h"
#include "analysis/holders.h"
#include "analysis/scratch.h"
#include "analysis/stages.h"
#include "base/arena.h"
#include "base/machine.h"
#include "ir/build.h"
#include "ir/passes.h"
#include "ir/tile_ops.h"
#include "ir/waits.h"

enum { MAX_LAYOUTS = 63, MAX_AREAS = 64 };

/* What global memory is accessed as: elements of so many bytes, held so. */
struct held_as {
  const struct linear_layout *layout; /* NULL is the scalars' */
  int64_t bytes;
};

struct part {
  int64_t first, end;
  bool per_warp;   /* in equal pieces, one a warp, which only that warp touches */
  MlirValue stage; /* of a buffer with these bounds (analysis/stages.h), by its number; null: all of
                      it */
  MlirOperation owner; /* the private buffer that this is: each thread has its bytes of it for
                          itself; or null */
  MlirOperation double_buffer; /* its two buffers are used in turns by this operation, in one run of
                           its loop; or null */
};

/* Parts of shared memory. One that finds the list full widens the last one. */
struct parts {
  struct part list[MAX_AREAS];
  int count;
};

/* Of global memory: sets of what its elements are held as, by its number. */
struct touched {
  uint64_t loaded, stored;
  uint64_t held; /* loaded by one thread each */
};

/* Accesses since the last barrier, and parts of shared memory that were loaded from and stored to.
 */
struct accesses {
  struct touched block, warp; /* since the last barrier of the block; of that or of the warp */
  struct parts loads, stores;
  struct parts reading; /* by dots that may be in flight: no barrier changes that */
  unsigned in_flight;   /* ways of waiting (ir/waits.h), as bits, in which buffers are being written
                           and which nobody has waited for: no barrier changes that */
};

struct barriers {
  struct session *session;
  struct arena arena;
  int num_warps;
  bool insert; /* else only what is accessed is found out */
  int count;   /* barriers of the block that have been put, or would have been */
  struct accesses pending;
  struct held_as layouts[MAX_LAYOUTS]; /* by number */
  int layout_count;
  bool looked, strided; /* is the kernel strided through and through? known once it is looked at */
};

/* --- Sets ------------------------------------------------------------------------------------- */

static bool same_bounds(struct part a, struct part b) {
  return a.first == b.first && a.end == b.end;
}

static bool same_pieces(struct part a, struct part b) {
  return a.per_warp && b.per_warp && same_bounds(a, b);
}

static bool same_double_buffer(struct part a, struct part b) {
  return !mlirOperationIsNull(a.double_buffer) && !mlirOperationIsNull(b.double_buffer) &&
         mlirOperationEqual(a.double_buffer, b.double_buffer);
}

static bool same_owner(struct part a, struct part b) {
  return !mlirOperationIsNull(a.owner) && !mlirOperationIsNull(b.owner) &&
         mlirOperationEqual(a.owner, b.owner);
}

static bool holds(struct part whole, struct part part) {
  if (!mlirOperationIsNull(whole.double_buffer) && !same_double_buffer(whole, part))
    return false;
  if (!mlirOperationIsNull(whole.owner) && !same_owner(whole, part))
    return false;
  if (!mlirValueIsNull(whole.stage) &&
      !(same_bounds(whole, part) && mlirValueEqual(whole.stage, part.stage)))
    return false;
  return !whole.per_warp && whole.first <= part.first && part.end <= whole.end;
}

static bool covers(const struct parts *set, struct part part) {
  for (int i = 0; i < set->count; i++)
    if (same_pieces(set->list[i], part) || holds(set->list[i], part))
      return true;
  return false;
}

static void add_part(struct parts *set, struct part part) {
  if (covers(set, part))
    return;
  if (set->count < MAX_AREAS) {
    set->list[set->count++] = part;
    return;
  }
  struct part *last = &set->list[MAX_AREAS - 1];
  last->first = part.first < last->first ? part.first : last->first;
  last->end = part.end > last->end ? part.end : last->end;
  last->per_warp = false;
  last->stage = (MlirValue){0};
  last->double_buffer = last->owner = (MlirOperation){0};
}

static bool stages_apart(struct session *session, MlirValue a, MlirValue b) {
  return !mlirValueIsNull(a) && !mlirValueIsNull(b) && stages_differ(session, a, b);
}

/* What must part the accesses in `set` from one of `part`. */
enum order { ORDER_NONE, ORDER_WARP, ORDER_BLOCK };

static enum order order_between(struct session *session, const struct parts *set,
                                struct part part) {
  enum order order = ORDER_NONE;
  for (int i = 0; i < set->count; i++) {
    struct part earlier = set->list[i];
    if (earlier.end <= part.first || part.end <= earlier.first ||
        same_double_buffer(earlier, part) || same_owner(earlier, part) ||
        (same_bounds(earlier, part) && stages_apart(session, earlier.stage, part.stage)))
      continue;
    if (!same_pieces(earlier, part))
      return ORDER_BLOCK;
    order = ORDER_WARP;
  }
  return order;
}

/* Another iteration's numbers of stages say nothing about those of this one. */
static void forget_stages(struct accesses *accesses) {
  struct parts *sets[] = {&accesses->loads, &accesses->stores, &accesses->reading};
  for (size_t s = 0; s < sizeof sets / sizeof *sets; s++)
    for (int i = 0; i < sets[s]->count; i++)
      sets[s]->list[i].stage = (MlirValue){0};
}

/* Another run of a loop may begin with the buffer with which this one ends. */
static void forget_double_buffers(struct accesses *accesses, MlirOperation loop) {
  for (int i = 0; i < accesses->loads.count; i++) {
    MlirOperation *of = &accesses->loads.list[i].double_buffer;
    if (!mlirOperationIsNull(*of) && mlirOperationEqual(mlirOperationGetParentOperation(*of), loop))
      *of = (MlirOperation){0};
  }
}

/* Adds `other`; true when that changed something. */
static bool join_parts(struct parts *set, const struct parts *other) {
  bool changed = false;
  for (int i = 0; i < other->count; i++)
    if (!covers(set, other->list[i])) {
      add_part(set, other->list[i]);
      changed = true;
    }
  return changed;
}

static bool join_touched(struct touched *set, const struct touched *other) {
  bool changed = (other->loaded & ~set->loaded) || (other->stored & ~set->stored) ||
                 (other->held & ~set->held);
  set->loaded |= other->loaded;
  set->stored |= other->stored;
  set->held |= other->held;
  return changed;
}

static bool join(struct accesses *set, const struct accesses *other) {
  bool changed = (other->in_flight & ~set->in_flight) != 0;
  set->in_flight |= other->in_flight;
  changed |= join_touched(&set->block, &other->block);
  changed |= join_touched(&set->warp, &other->warp);
  changed |= join_parts(&set->loads, &other->loads);
  changed |= join_parts(&set->stores, &other->stores);
  changed |= join_parts(&set->reading, &other->reading);
  return changed;
}

/* --- Global memory ---------------------------------------------------------------------------- */

static bool same_layout(const struct linear_layout *a, const struct linear_layout *b) {
  return a == b || (a && b && linear_layout_equal(a, b));
}

/* The last number stands for all that found no other. */
static int held_number(struct barriers *state, struct held_as as) {
  int number = 0;
  while (number < state->layout_count && !(state->layouts[number].bytes == as.bytes &&
                                           same_layout(state->layouts[number].layout, as.layout)))
    number++;
  if (number == MAX_LAYOUTS)
    return MAX_LAYOUTS;
  if (number == state->layout_count)
    state->layouts[state->layout_count++] = as;
  return number;
}

/* The number of what a pointer's or tile of pointers' elements are held as. */
static int layout_number(struct barriers *state, MlirValue pointer) {
  struct session *session = state->session;
  MlirType type = mlirValueGetType(pointer);
  return held_number(
      state, (struct held_as){
                 .layout = type_is_tensor(type) ? layout_to_linear(&session->layouts, type) : NULL,
                 .bytes = type_bytes(&session->types,
                                     pointer_pointee(&session->types, type_element(type)))});
}

/* Are both scalars', or of tiles of one shape? Else no position of one is a position of the other.
 */
static bool same_shape(const struct linear_layout *a, const struct linear_layout *b) {
  return a && b ? layout_space_equal(&a->out, &b->out) : a == b;
}

/* What must part accesses of layouts `earlier` and `later`, that may be by different threads for
   one element. Copies in lanes alone are other threads of one warp. */
static enum order order_of_layouts(struct barriers *state, int earlier, int later, bool loads) {
  if (earlier == MAX_LAYOUTS || later == MAX_LAYOUTS)
    return ORDER_BLOCK;
  const struct linear_layout *a = state->layouts[earlier].layout, *b = state->layouts[later].layout;
  if (!same_shape(a, b) || state->layouts[earlier].bytes != state->layouts[later].bytes)
    return ORDER_NONE;
  if (earlier != later)
    return ORDER_BLOCK;
  uint32_t copies = loads ? linear_layout_thread_copies(a, state->num_warps) : 0;
  return copies >= MACHINE_LANES ? ORDER_BLOCK : copies ? ORDER_WARP : ORDER_NONE;
}

static enum order order_of_set(struct barriers *state, uint64_t earlier, int later, bool loads) {
  enum order most = ORDER_NONE;
  for (int number = 0; number <= MAX_LAYOUTS && earlier >> number; number++) {
    enum order order = earlier >> number & 1 ? order_of_layouts(state, number, later, loads) : 0;
    most = order > most ? order : most;
  }
  return most;
}

/* --- Operations ------------------------------------------------------------------------------- */

static void pass_barrier(struct barriers *state) {
  struct accesses *pending = &state->pending;
  pending->block = pending->warp = (struct touched){0};
  pending->loads.count = pending->stores.count = 0;
}

static void put_barrier(struct barriers *state, MlirOperation op) {
  pass_barrier(state);
  state->count++;
  if (!state->insert)
    return;
  struct builder b = builder_before(op);
  BUILD_OP(&b, "tile_gpu.barrier", .in = NULL);
}

static bool is_barrier(struct barriers *state, MlirOperation op) {
  enum way_of_waiting way = way_waited_by(kind_of(state->session, op));
  return way < WAY_COUNT && wait_table[way].whose == WAIT_BLOCK && !op_has_attribute(op, "warp");
}

static void put_warp_barrier(struct barriers *state, MlirOperation op) {
  MlirContext context = state->session->context;
  state->pending.warp = (struct touched){0};
  if (!state->insert)
    return;
  struct builder b = builder_before(op);
  BUILD_OP(&b, "tile_gpu.barrier",
           ATTRIBUTES(attribute_named(context, "warp", mlirUnitAttrGet(context))));
}

/* What must part an access of this layout from those in the set. */
static enum order order_of_access(struct barriers *state, const struct touched *set, int number,
                                  bool copies, bool stores) {
  enum order order = order_of_set(state, set->stored, number, copies);
  if (!stores)
    return order;
  enum order held = order_of_set(state, set->held, number, false),
             loaded = order_of_set(state, set->loaded, number, true);
  order = held > order ? held : order;
  return loaded > order ? loaded : order;
}

/* An access of what is held as `number` says; `held`: loaded by one thread each. */
static void visit_held(struct barriers *state, MlirOperation op, int number, bool copies,
                       bool stores, bool held) {
  if (order_of_access(state, &state->pending.block, number, copies, stores) == ORDER_BLOCK)
    put_barrier(state, op);
  else if (order_of_access(state, &state->pending.warp, number, copies, stores) == ORDER_WARP)
    put_warp_barrier(state, op);
  struct touched now = {.loaded = (uint64_t)copies << number,
                        .held = (uint64_t)held << number,
                        .stored = (uint64_t)stores << number};
  join_touched(&state->pending.block, &now);
  join_touched(&state->pending.warp, &now);
}

static void visit_access(struct barriers *state, MlirOperation op, bool loads, bool stores) {
  bool held = attribute_has(op, ATTR_BY_HOLDERS);
  visit_held(state, op, layout_number(state, op_operand(op, 0)), loads && !held, stores, held);
}

static bool has_sem(MlirOperation op, const char *word) {
  MlirStringRef sem = op_has_attribute(op, "sem") ? op_string(op, "sem") : ref("acq_rel");
  return ref_equals(sem, word) || ref_equals(sem, "acq_rel");
}

/* The scratch in shared memory that the operation works through, if it has one. */
static void visit_scratch(struct barriers *state, MlirOperation op) {
  int64_t bytes = scratch_bytes(state->session, op);
  if (!bytes)
    return;
  int64_t first = attribute_number(op, ATTR_SHARED_OFFSET, 0);
  int64_t buffer = double_buffer_bytes(op);
  struct part part = {.first = first,
                      .end = first + (buffer ? 2 * buffer : bytes),
                      .per_warp = scratch_is_per_warp(state->session, op),
                      .double_buffer = buffer ? op : (MlirOperation){0}};
  enum order loads = order_between(state->session, &state->pending.loads, part);
  enum order stores = order_between(state->session, &state->pending.stores, part);
  if (loads == ORDER_BLOCK || stores == ORDER_BLOCK)
    put_barrier(state, op);
  else if (loads == ORDER_WARP)
    put_warp_barrier(state, op);
  if (!part.per_warp)
    pass_barrier(state); /* its own */
  add_part(&state->pending.loads, part);
}

/* Numbers of all scalars, whose stores are thread 0's. */
static uint64_t scalars(const struct barriers *state) {
  uint64_t numbers = 0;
  for (int i = 0; i < MAX_LAYOUTS && i < state->layout_count; i++)
    numbers |= (uint64_t)!state->layouts[i].layout << i;
  return numbers;
}

static void visit_atomic(struct barriers *state, MlirOperation op) {
  bool scalar = !type_is_tensor(op_operand_type(op, 0));
  const struct touched *since = &state->pending.block;
  bool any = since->loaded || since->held || since->stored & ~scalars(state);
  if (scalar && any && has_sem(op, "release"))
    put_barrier(state, op);
  visit_access(state, op, false, true);
  visit_scratch(state, op);
}

/* --- Buffers ---------------------------------------------------------------------------------- */

static struct part part_of(struct barriers *state, MlirValue buffer) {
  struct part part = {.stage = buffer_stage(state->session, buffer)};
  buffer_extent(state->session, buffer, &part.first, &part.end);
  MlirOperation root = buffer_root(state->session, buffer);
  if (!mlirOperationIsNull(root) && attribute_has(root, ATTR_PRIVATE))
    part.owner = root;
  return part;
}

static bool overlaps(struct barriers *state, const struct parts *set, struct part part) {
  return order_between(state->session, set, part) != ORDER_NONE;
}

static void part_from_accesses(struct barriers *state, MlirOperation op, struct part part) {
  if (overlaps(state, &state->pending.loads, part) || overlaps(state, &state->pending.stores, part))
    put_barrier(state, op);
}

static void visit_buffer_store(struct barriers *state, MlirOperation op, MlirValue buffer) {
  struct part part = part_of(state, buffer);
  part_from_accesses(state, op, part);
  add_part(&state->pending.stores, part);
}

/* What this operation starts stores to buffers, at any time until a wait. */
static void visit_start(struct barriers *state, MlirOperation op, enum way_of_waiting way) {
  if (type_is_pointer(&state->session->types, type_element(op_operand_type(op, 0))))
    visit_access(state, op, true, false);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (mlirTypeIsAMemRef(op_operand_type(op, i)))
      part_from_accesses(state, op, part_of(state, op_operand(op, i)));
  state->pending.in_flight |= 1u << way;
}

/* The dots that are over were loading until now. */
static void visit_dot_wait(struct barriers *state, MlirOperation op) {
  struct accesses *pending = &state->pending;
  join_parts(&pending->loads, &pending->reading);
  if (op_integer(op, "pending", 0) == 0)
    pending->reading.count = 0;
}

/* What each thread has waited for itself is shown to others by a barrier after it. */
static void visit_wait(struct barriers *state, MlirOperation op, enum way_of_waiting way) {
  unsigned own = 1u << way, in_flight = state->pending.in_flight & own;
  if (wait_table[way].whose == WAIT_EACH)
    return;
  if (wait_table[way].whose == WAIT_WARP_GROUP)
    visit_dot_wait(state, op);
  if (op_integer(op, "pending", 0) == 0)
    state->pending.in_flight &= ~own;
  MlirOperation next = mlirOperationGetNextInBlock(op);
  if (is_barrier(state, op))
    pass_barrier(state);
  else if (in_flight && !is_barrier(state, next))
    put_barrier(state, next);
}

/* Operations that take buffers without being known here load from them: all of them after one
   barrier. What they start goes on to load until a wait. */
static void visit_buffers(struct barriers *state, MlirOperation op) {
  bool starts = way_started_by(kind_of(state->session, op)) < WAY_COUNT;
  bool any = false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    any |= mlirTypeIsAMemRef(op_operand_type(op, i)) &&
           overlaps(state, &state->pending.stores, part_of(state, op_operand(op, i)));
  if (any)
    put_barrier(state, op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (mlirTypeIsAMemRef(op_operand_type(op, i))) {
      struct part part = part_of(state, op_operand(op, i));
      add_part(&state->pending.loads, part);
      if (starts)
        add_part(&state->pending.reading, part);
    }
}

static void visit_alloc(struct barriers *state, MlirOperation op) {
  if (mlirOperationGetNumOperands(op))
    visit_buffer_store(state, op, op_result(op, 0));
}

static void visit_local_store(struct barriers *state, MlirOperation op) {
  visit_buffer_store(state, op, op_operand(op, 1));
}

/* Loads of one buffer and stores into the other, after one barrier. */
static void visit_local_transpose(struct barriers *state, MlirOperation op) {
  if (attribute_has(op, ATTR_BY_ROLE))
    return;
  struct part source = part_of(state, op_operand(op, 0)),
              result = part_of(state, op_operand(op, 1));
  if (overlaps(state, &state->pending.stores, source) ||
      overlaps(state, &state->pending.stores, result) ||
      overlaps(state, &state->pending.loads, result))
    put_barrier(state, op);
  add_part(&state->pending.loads, source);
  add_part(&state->pending.stores, result);
}

static void visit_mbarrier_inval(struct barriers *state, MlirOperation op) {
  visit_buffer_store(state, op, op_operand(op, 0));
}

/* Shown to all at once: the first use may be in a loop. */
static void visit_mbarrier_init(struct barriers *state, MlirOperation op) {
  MlirOperation next = mlirOperationGetNextInBlock(op);
  visit_buffer_store(state, op, op_operand(op, 0));
  if (!mbarrier_init_goes_on(state->session, op) && !is_barrier(state, next))
    put_barrier(state, next);
}

/* Into the stage that is operand 1. */
static void visit_bulk_load(struct barriers *state, MlirOperation op) {
  part_from_accesses(state, op, part_of(state, op_operand(op, 1)));
}

/* Each warp's slots of the buffer, which the operation itself keeps apart; what it writes to global
   memory is written as the tile is held. */
static void visit_bulk_store(struct barriers *state, MlirOperation op) {
  struct session *session = state->session;
  MlirType type = op_operand_type(op, 1);
  struct held_as as = {.layout = layout_to_linear(&session->layouts, type),
                       .bytes = type_bytes(&session->types, type_element(type))};
  if (!bulk_store_adds(op))
    visit_held(state, op, held_number(state, as), false, true, false);
  struct part part = part_of(state, op_operand(op, 2));
  part.per_warp = true;
  if (order_between(session, &state->pending.loads, part) == ORDER_BLOCK ||
      order_between(session, &state->pending.stores, part) == ORDER_BLOCK)
    put_barrier(state, op);
  add_part(&state->pending.loads, part);
  add_part(&state->pending.stores, part);
}

/* They were loading until now. */
static void visit_bulk_store_wait(struct barriers *state, MlirOperation op) {
  struct part part = part_of(state, op_operand(op, 0));
  part.per_warp = true;
  add_part(&state->pending.loads, part);
}

static void visit_mbarrier_expect(struct barriers *state, MlirOperation op) {
  (void)state;
  (void)op;
}

static void visit_block(struct barriers *state, MlirBlock block);

/* The body, until what it leaves is known at its start, and added to *entry; how many barriers an
   iteration then has. */
static int find_entry(struct barriers *state, MlirBlock before, MlirBlock after,
                      struct accesses *entry) {
  bool insert = state->insert;
  int first = state->count, count;
  forget_double_buffers(entry, mlirBlockGetParentOperation(after));
  state->insert = false;
  do {
    state->pending = *entry;
    state->count = first;
    visit_block(state, before);
    visit_block(state, after);
    count = state->count - first;
    forget_stages(&state->pending);
  } while (join(entry, &state->pending));
  state->insert = insert;
  state->count = first;
  return count;
}

/* The body, once more with barriers. `before` and `after` are the regions of a while loop; a for
   loop has only the second. A barrier that each iteration would have for what was accessed before
   the loop stands before the loop. */
static void visit_loop(struct barriers *state, MlirBlock before, MlirBlock after) {
  struct accesses *entry = ARENA_NEW(&state->arena, struct accesses);
  struct accesses *exit = ARENA_NEW(&state->arena, struct accesses);
  struct accesses *pending = ARENA_NEW(&state->arena, struct accesses);
  *pending = *entry = state->pending;
  int count = find_entry(state, before, after, entry);
  if (count) {
    *exit = (struct accesses){.reading = pending->reading, .in_flight = pending->in_flight};
    bool fewer = find_entry(state, before, after, exit) < count;
    state->pending = *pending;
    if (fewer) {
      put_barrier(state, mlirBlockGetParentOperation(after));
      *entry = *exit;
    }
  }
  state->pending = *entry;
  visit_block(state, before);
  *exit = state->pending; /* a while loop ends after its condition */
  visit_block(state, after);
  state->pending = *exit;
  forget_stages(&state->pending);
}

static void visit_if(struct barriers *state, MlirOperation op) {
  struct accesses *before = ARENA_NEW(&state->arena, struct accesses);
  struct accesses *after = ARENA_NEW(&state->arena, struct accesses);
  *before = state->pending;
  visit_block(state, op_body(op, 0));
  *after = state->pending;
  state->pending = *before;
  visit_block(state, op_body(op, 1));
  join(&state->pending, after);
}

static void visit_for(struct barriers *state, MlirOperation op) {
  visit_loop(state, (MlirBlock){0}, op_body(op, 0));
}

static void visit_while(struct barriers *state, MlirOperation op) {
  visit_loop(state, op_body(op, 0), op_body(op, 1));
}

static void visit_load(struct barriers *state, MlirOperation op) {
  visit_access(state, op, true, false);
}

static void visit_store(struct barriers *state, MlirOperation op) {
  visit_access(state, op, false, true);
}

/* Parts lie in memory of their own, where each is stored once: only what tells others of them comes
   after. */
static void visit_store_part(struct barriers *state, MlirOperation op) {
  struct session *session = state->session;
  MlirType type = op_operand_type(op, 0);
  struct held_as as = {.layout = layout_to_linear(&session->layouts, type),
                       .bytes = type_bytes(&session->types, type_element(type))};
  struct touched now = {.stored = UINT64_C(1) << held_number(state, as)};
  join_touched(&state->pending.block, &now);
  join_touched(&state->pending.warp, &now);
}

static void visit_add_part(struct barriers *state, MlirOperation op) {
  (void)state;
  (void)op;
}

/* Its scratch has a barrier between stores and loads, which parts the loads from buffers, too. */
static void visit_buffer_dot(struct barriers *state, MlirOperation op) {
  visit_scratch(state, op);
  visit_buffers(state, op);
}

static void visit_operation(struct barriers *state, MlirOperation op) {
  static void (*const rules[OP_KIND_COUNT])(struct barriers * state, MlirOperation op) = {
      [OP_SCF_FOR] = visit_for,
      [OP_SCF_WHILE] = visit_while,
      [OP_SCF_IF] = visit_if,
      [OP_TILE_LOAD] = visit_load,
      [OP_TILE_STORE] = visit_store,
      [OP_TILE_GPU_STORE_PART] = visit_store_part,
      [OP_TILE_GPU_ADD_PART] = visit_add_part,
      [OP_TILE_GPU_ADD_SCALED_PART] = visit_add_part,
      [OP_TILE_ATOMIC_RMW] = visit_atomic,
      [OP_TILE_ATOMIC_CAS] = visit_atomic,
      [OP_TILE_GPU_ALLOC] = visit_alloc,
      [OP_TILE_GPU_LOCAL_STORE] = visit_local_store,
      [OP_TILE_GPU_LOCAL_TRANSPOSE] = visit_local_transpose,
      [OP_TILE_GPU_MBARRIER_INIT] = visit_mbarrier_init,
      [OP_TILE_GPU_MBARRIER_INVAL] = visit_mbarrier_inval,
      [OP_TILE_GPU_MBARRIER_EXPECT] = visit_mbarrier_expect,
      [OP_TILE_GPU_BULK_LOAD] = visit_bulk_load,
      [OP_TILE_GPU_BULK_STORE] = visit_bulk_store,
      [OP_TILE_GPU_BULK_STORE_WAIT] = visit_bulk_store_wait,
      [OP_TILE_GPU_BUFFER_DOT] = visit_buffer_dot,
  };
  enum op_kind kind = kind_of(state->session, op);
  if (kind_has(kind, IS_VIEW))
    return;
  if (rules[kind]) {
    rules[kind](state, op);
    return;
  }
  enum way_of_waiting started = way_started_by(kind), awaited = way_waited_by(kind);
  if (started < WAY_COUNT && wait_table[started].meanwhile == WAIT_WRITES) {
    visit_start(state, op, started);
    return;
  }
  if (awaited < WAY_COUNT)
    visit_wait(state, op, awaited);
  visit_buffers(state, op);
  visit_scratch(state, op);
}

static void visit_block(struct barriers *state, MlirBlock block) {
  if (mlirBlockIsNull(block))
    return;
  MlirOperation op = mlirBlockGetFirstOperation(block);
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    visit_operation(state, op);
}

/* Asked of many loads, and the same for all of a kernel. */
static bool in_strided_kernel(struct barriers *state, MlirOperation op) {
  if (!state->looked)
    state->strided = is_strided(state->session, function_of(state->session, op));
  state->looked = true;
  return state->strided;
}

static MlirLogicalResult mark_load(MlirOperation op, void *data) {
  struct barriers *state = data;
  if (!op_is(state->session, op, OP_TILE_LOAD) || !type_is_tensor(op_operand_type(op, 0)))
    return SUCCESS;
  const struct linear_layout *layout =
      layout_to_linear(&state->session->layouts, op_operand_type(op, 0));
  if (linear_layout_thread_copies(layout, state->num_warps) && is_for_holders(state->session, op) &&
      !in_strided_kernel(state, op))
    attribute_set_unit(op, ATTR_BY_HOLDERS);
  return SUCCESS;
}

MlirLogicalResult run_insert_barriers(struct pass_context *context, MlirOperation module) {
  struct session *session = context->session;
  int64_t num_warps = attribute_number(module, ATTR_NUM_WARPS, 0);
  MlirOperation op = {0};
  while (next_kernel(session, module, &op)) {
    struct barriers *state = tile_allocate(sizeof *state);
    *state = (struct barriers){.session = session, .num_warps = (int)num_warps, .insert = true};
    visit_operations(op, mark_load, state);
    visit_block(state, op_body(op, 0));
    arena_destroy(&state->arena);
    free(state);
  }
  return SUCCESS;
}
