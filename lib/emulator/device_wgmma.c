/* SPDX-License-Identifier: MIT */
/* Device functions: multiplications by warp groups (PTX ISA, "Asynchronous warpgroup level matrix
   multiply-accumulate"). See wgmma.h for what is checked, and when. */
#include "emulator/device.h"

#include <stdlib.h>
#include <string.h>
#include "base/arena.h"
#include "emulator/mma_math.h"
#include "emulator/tensor.h"
#include "emulator/wgmma_flight.h"

/* What a thread shows. */
struct wgmma_call {
  uint32_t flags;
  uint32_t *registers; /* accumulators, then a */
  uint64_t a, b;
  bool scale;
};

static void tensor_need_group(struct emulator_thread *thread, const char *location) {
  if ((thread->index | (MACHINE_GROUP_LANES - 1)) >= thread->launch->thread_count)
    tile_emu_trap(thread, location, "wgmma needs groups of 128 threads");
}

static struct wgmma_group *group_of(struct emulator_thread *lanes) {
  return &lanes->block->wgmma.groups[lanes->index / MACHINE_GROUP_LANES];
}

static void report_misuse(struct emulator_thread *thread, const char *message) {
  tile_emulator_hazard hazard = {.kind = TILE_EMULATOR_WGMMA_MISUSE,
                                 .site = launch_site(thread, thread->barrier),
                                 .message = message};
  report_add(thread->launch->report, &hazard);
}

/* --- Tags ------------------------------------------------------------------------------------- */

enum { ID_LIMIT = 1 << 14 };
#define TAG 0x7FC00000u /* a quiet NaN; below: the set's id and the number of the register */

static uint32_t tag(const struct wgmma_set *set, unsigned r) {
  return TAG | set->id << 8 | r;
}

/* The set that a register's content belongs to, or NULL. */
static struct wgmma_set *set_of(struct wgmma_group *group, uint32_t bits) {
  if ((bits & TAG) != TAG || bits >> 31)
    return NULL;
  uint32_t id = bits >> 8 & (ID_LIMIT - 1);
  for (int i = 0; i < WGMMA_SETS && id; i++)
    if (group->sets[i].id == id)
      return &group->sets[i];
  return NULL;
}

static void fill_tags(const struct wgmma_set *set, uint32_t *registers) {
  for (unsigned r = 0; r < wgmma_c_registers(&set->shape); r++)
    registers[r] = tag(set, r);
}

/* --- Issue ------------------------------------------------------------------------------------ */

/* A free set, or one that is complete and was never asked for again. */
static struct wgmma_set *take_set(struct wgmma_group *group) {
  struct wgmma_set *found = NULL;
  for (int i = 0; i < WGMMA_SETS; i++) {
    struct wgmma_set *set = &group->sets[i];
    if (!set->in_flight && (!found || !set->id || (found->id && set->id < found->id)))
      found = set;
  }
  return found;
}

static struct wgmma_set *start_set(struct emulator_thread *lanes, const struct mma_shape *shape,
                                   bool scale) {
  struct wgmma_state *state = &lanes->block->wgmma;
  struct wgmma_set *set = take_set(group_of(lanes));
  if (!set)
    tile_emu_trap(lanes, lanes->barrier, "more than 16 accumulators of a warp group are in flight");
  state->latest_id = state->latest_id % (ID_LIMIT - 1) + 1;
  set->id = state->latest_id;
  set->delivered = false;
  set->shape = *shape;
  size_t bytes = (size_t)WGMMA_ROWS * shape->n * sizeof *set->values;
  set->values = tile_reallocate(set->values, bytes);
  memset(set->values, 0, bytes);
  for (unsigned t = 0; t < WGMMA_THREADS; t++) {
    struct wgmma_call *call = lanes[t].shown;
    if (scale)
      wgmma_put(shape, set->values, t, call->registers);
    fill_tags(set, call->registers);
  }
  return set;
}

/* Accumulators that are still in flight go on: every register of every thread must be the one that
   the wgmma before returned. */
static bool goes_on(struct emulator_thread *lanes, const struct wgmma_set *set,
                    const struct mma_shape *shape) {
  if (!set->in_flight) {
    report_misuse(lanes,
                  "the accumulators are those of a wgmma, not what the wait for it returned; every "
                  "wait must return the accumulators that it waits for");
    return false;
  }
  uint32_t tags[MMA_MAX_REGISTERS];
  unsigned count = wgmma_c_registers(&set->shape);
  fill_tags(set, tags);
  bool same = count == wgmma_c_registers(shape) && shape->c == set->shape.c;
  for (unsigned t = 0; t < WGMMA_THREADS && same; t++) {
    const struct wgmma_call *call = lanes[t].shown;
    same = memcmp(call->registers, tags, count * sizeof *tags) == 0;
  }
  if (!same)
    report_misuse(lanes,
                  "the accumulators of a wgmma in flight were mixed or changed; wait for it first");
  return same;
}

/* PTX ISA, wgmma.fence: before the first wgmma, and whenever registers were written. */
static void need_fence(struct emulator_thread *lanes) {
  if (!lanes->wgmma_fenced)
    report_misuse(lanes, "no wgmma_fence between what wrote the registers and the wgmma");
}

static bool same_calls(struct emulator_thread *lanes) {
  const struct wgmma_call *first = lanes->shown;
  for (unsigned t = 1; t < WGMMA_THREADS; t++) {
    const struct wgmma_call *call = lanes[t].shown;
    if (call->flags != first->flags || call->a != first->a || call->b != first->b ||
        call->scale != first->scale)
      return false;
  }
  return true;
}

/* The last store to this byte was through the generic proxy, and no fence of the writer, or of the
   reader after a barrier, lies between. */
static bool lacks_proxy_fence(struct emulator_thread *reader, size_t offset) {
  struct emulator_block *block = reader->block;
  uint32_t stored = block->wgmma.stored[offset];
  if (!stored)
    return false;
  struct shadow_access store = shadow_last_store(&block->memory.shared, offset);
  const struct emulator_thread *writer = &block->threads[store.thread];
  bool by_reader = reader->proxy_fence >= stored &&
                   (writer == reader || reader->proxy_fence_epoch > store.epoch);
  return writer->proxy_fence < stored && !by_reader;
}

static void report_proxy(struct emulator_thread *reader, size_t offset, const char *what,
                         const char *location) {
  struct emulator_launch *launch = reader->launch;
  struct shadow_access store = shadow_last_store(&reader->block->memory.shared, offset);
  tile_emulator_hazard hazard =
      launch_shared_hazard(reader, TILE_EMULATOR_PROXY_FENCE, offset, location);
  hazard.message = what;
  hazard.other =
      launch_site(&reader->block->threads[store.thread], launch->memory.locations[store.location]);
  hazard.other_is_store = true;
  report_add(launch->report, &hazard);
}

bool wgmma_check_proxy(struct emulator_thread *thread, size_t offset, size_t bytes,
                       const char *what, const char *location) {
  for (size_t i = offset; i < offset + bytes; i++)
    if (lacks_proxy_fence(thread, i)) {
      report_proxy(thread, i, what, location);
      return false;
    }
  return true;
}

/* Reading an operand is checked as loads of the group's first thread. */
static void check_operand(struct emulator_thread *reader, const struct wgmma_matrix *matrix) {
  uint32_t offsets[WGMMA_MAX_PIECES];
  const struct region *region = &reader->block->memory.shared;
  unsigned count = wgmma_pieces(matrix, offsets);
  bool fenced = true;
  for (unsigned i = 0; i < count; i++) {
    unsigned char *address = reader->block->shared + offsets[i];
    void *use =
        tile_emu_shared_access(reader, address, WGMMA_PIECE, WGMMA_PIECE, 0, 1, reader->barrier);
    if (use == address && region->pages && fenced)
      fenced = wgmma_check_proxy(reader, offsets[i], WGMMA_PIECE, "wgmma reads", reader->barrier);
  }
}

static struct wgmma_flight *make_flight(struct emulator_thread *lanes,
                                        const struct mma_shape *shape) {
  const struct wgmma_call *call = lanes->shown;
  bool in_registers = call->flags & WGMMA_A_IN_REGISTERS;
  size_t words = in_registers ? WGMMA_THREADS * WGMMA_A_REGISTERS : 0;
  struct wgmma_flight *flight = tile_allocate(sizeof *flight + words * sizeof *flight->registers);
  *flight = (struct wgmma_flight){
      .shape = *shape,
      .operands = {{call->a, shape->a, (call->flags & WGMMA_TRANSPOSE_A) != 0, shape->m},
                   {call->b, shape->b, (call->flags & WGMMA_TRANSPOSE_B) != 0, shape->n}},
      .a_in_registers = in_registers,
      .scale = call->scale,
      .group = lanes->wgmma_commits,
      .thread = lanes->index,
      .location = lanes->barrier};
  unsigned accumulators = wgmma_c_registers(shape);
  for (unsigned t = 0; t < WGMMA_THREADS && in_registers; t++) {
    const struct wgmma_call *mine = lanes[t].shown;
    memcpy(flight->registers + t * WGMMA_A_REGISTERS, mine->registers + accumulators,
           WGMMA_A_REGISTERS * sizeof *flight->registers);
  }
  return flight;
}

static void issue(struct emulator_thread *lanes, uint32_t operation) {
  struct mma_shape shape = mma_decode(operation);
  struct wgmma_group *group = group_of(lanes);
  const struct wgmma_call *call = lanes->shown;
  if (!same_calls(lanes)) {
    report_misuse(lanes, "the threads of the warp group do not agree on descriptors or scale_d");
    return;
  }
  struct wgmma_set *set = set_of(group, call->registers[0]);
  if (set && call->scale && !goes_on(lanes, set, &shape))
    set = NULL;
  if (!set || !set->in_flight || (call->flags & WGMMA_A_IN_REGISTERS))
    need_fence(lanes);
  if (!call->scale) /* starts anew; the registers may hold what other accumulators have left in them
                     */
    set = NULL;
  struct wgmma_flight *flight = make_flight(lanes, &shape);
  if (!set)
    set = start_set(lanes, &shape, flight->scale);
  flight->set = set;
  set->in_flight++;
  for (int operand = flight->a_in_registers; operand < 2; operand++)
    check_operand(lanes, &flight->operands[operand]);
  wgmma_mark(lanes->block, flight, 1);
  lanes->launch->counts.fmas += (uint64_t)shape.m * shape.n * shape.k;
  if (group->last)
    group->last->next = flight;
  else
    group->first = flight;
  group->last = flight;
}

void tile_emu_wgmma(struct emulator_thread *thread, uint32_t shape, uint32_t flags,
                    uint32_t *registers, uint64_t a, uint64_t b, uint32_t scale,
                    const char *location) {
  tensor_need_group(thread, location);
  if (!thread->block->memory.shared.bytes)
    tile_emu_trap(thread, location, "wgmma reads shared memory, and the kernel has none");
  struct wgmma_call call = {flags, registers, a, b, scale != 0};
  schedule_together(thread, MACHINE_GROUP_LANES, TENSOR_WGMMA | shape, issue, &call, location);
}

/* --- Commit and wait -------------------------------------------------------------------------- */

void tile_emu_wgmma_commit(struct emulator_thread *thread) {
  thread->wgmma_commits++;
}

void tile_emu_wgmma_fence(struct emulator_thread *thread) {
  thread->wgmma_fenced = true;
}

static void execute(struct emulator_block *block, const struct wgmma_flight *flight) {
  enum { MAX_K = 32, MAX_N = 256 };
  static const bool k_first[] = {false, true};
  uint32_t a[WGMMA_ROWS * MAX_K], b[MAX_K * MAX_N];
  const unsigned char *shared = block->shared;
  size_t bytes = block->memory.shared.bytes;
  const struct mma_shape *shape = &flight->shape;
  if (flight->a_in_registers)
    wgmma_read_fragments(shape->a, flight->registers, a);
  else
    wgmma_read(&flight->operands[0], shared, bytes, k_first[0], a);
  wgmma_read(&flight->operands[1], shared, bytes, k_first[1], b);
  if (!flight->scale)
    memset(flight->set->values, 0, (size_t)WGMMA_ROWS * shape->n * sizeof *flight->set->values);
  mma_multiply(a, b, flight->set->values, WGMMA_ROWS, shape->n, shape->k, shape->c != MMA_S32);
  if (shape->c == MMA_F16)
    wgmma_round_to_half(flight->set->values, (size_t)WGMMA_ROWS * shape->n);
}

/* Registers that are tags of complete accumulators become their numbers. */
static void deliver(struct wgmma_group *group, unsigned thread, uint32_t *registers,
                    uint32_t count) {
  uint32_t values[MMA_MAX_REGISTERS];
  struct wgmma_set *set = NULL, *known = NULL;
  for (uint32_t i = 0; i < count; i++) {
    if (!set || registers[i] >> 8 != (tag(set, 0) >> 8))
      set = set_of(group, registers[i]);
    unsigned r = registers[i] & 0xFF;
    if (!set || set->in_flight || r >= wgmma_c_registers(&set->shape))
      continue;
    if (set != known)
      wgmma_get(&set->shape, set->values, thread, values);
    known = set;
    set->delivered = true;
    registers[i] = values[r];
  }
}

static bool any_to_deliver(const struct wgmma_group *group) {
  for (int i = 0; i < WGMMA_SETS; i++)
    if (group->sets[i].id && !group->sets[i].in_flight && !group->sets[i].delivered)
      return true;
  return false;
}

struct wgmma_wait {
  uint32_t count;
  uint32_t *registers;
};

static void note_group_read(struct emulator_thread *lanes, size_t offset, const char *location) {
  shadow_note_group_read(lanes, offset, WGMMA_PIECE, location);
  for (unsigned t = 0; t < MACHINE_GROUP_LANES; t += MACHINE_LANES)
    bulk_note_warp_read(&lanes[t], offset, WGMMA_PIECE, location);
}

/* A wait tells its own warp that the group's operands are free; the other warps have to tell it
   themselves: to all others they are read until a barrier after the wait. */
static void note_reads(struct emulator_thread *lanes, const struct wgmma_flight *flight) {
  uint32_t offsets[WGMMA_MAX_PIECES];
  for (int operand = flight->a_in_registers; operand < 2; operand++) {
    unsigned count = wgmma_pieces(&flight->operands[operand], offsets);
    for (unsigned i = 0; i < count; i++)
      note_group_read(lanes, offsets[i], flight->location);
  }
}

static void complete(struct emulator_thread *lanes, uint32_t operation) {
  struct wgmma_group *group = group_of(lanes);
  uint32_t pending = operation & 0xFF, commits = lanes->wgmma_commits;
  while (group->first && group->first->group < commits && commits - group->first->group > pending) {
    struct wgmma_flight *flight = group->first;
    wgmma_mark(lanes->block, flight, -1);
    execute(lanes->block, flight);
    if (lanes->block->memory.shared.pages)
      note_reads(lanes, flight);
    flight->set->in_flight--;
    group->first = flight->next;
    if (!group->first)
      group->last = NULL;
    free(flight);
  }
  bool any = any_to_deliver(group);
  for (unsigned t = 0; t < WGMMA_THREADS; t++) {
    const struct wgmma_wait *wait = lanes[t].shown;
    if (any)
      deliver(group, t, wait->registers, wait->count);
    lanes[t].wgmma_fenced = false;
  }
}

void tile_emu_wgmma_wait(struct emulator_thread *thread, uint32_t pending, uint32_t count,
                         uint32_t *registers, const char *location) {
  tensor_need_group(thread, location);
  struct wgmma_wait wait = {count, registers};
  schedule_together(thread, MACHINE_GROUP_LANES, TENSOR_WGMMA_WAIT | pending, complete, &wait,
                    location);
}

void tile_emu_fence_async_shared(struct emulator_thread *thread) {
  thread->proxy_fence = ++thread->block->wgmma.fences;
  thread->proxy_fence_epoch = thread->block->memory.epoch;
}
