/* SPDX-License-Identifier: MIT */
/* tile-remove-proxy-fences: proxy fences that another one makes up for.

   Needs: lowered kernels (llvm, nvvm and tile_ptx operations). Keeps: what is ordered. Leaves:
   fewer tile_ptx.fence_async_shared.

   A fence makes its thread's stores to shared memory visible to reads through the asynchronous
   proxy, and come before writes through it (by bulk copies, which count as reads here); a barrier
   after it makes them so for the whole block. A later fence does that for the same
   stores, too. So a fence may go if on every way from it to such a read another fence comes, and a
   barrier after that:

     store q; FENCE; loop { wait; fence; barrier; wgmma }; wait; FENCE          both in capitals go

   So may one before which no thread has stored anything there.

   Read backwards, each point of the program has two answers: is there a way to a read on which no
   barrier comes (near), or none of fence and barrier in this order (open)? */
#include <stdlib.h>
#include "base/arena.h"
#include "ir/build_llvm.h"
#include "ir/passes.h"

enum event_kind { EVENT_NONE, EVENT_FENCE, EVENT_BARRIER, EVENT_READ, EVENT_STORE };

struct ways {
  bool near, open;
};

struct event {
  enum event_kind kind;
  MlirOperation op;
};

struct block {
  MlirBlock block;
  struct event *events; /* in order; in the arena */
  size_t count;
  struct ways start;
  bool stored; /* before the block, somebody may have stored to shared memory */
};

struct fences {
  struct session *session;
  struct arena arena;
  struct block *blocks; /* in the arena */
  size_t count;
};

/* Of an operation that is no read: does it store to shared memory through the generic proxy? Atomic
   operations do, and what nobody here knows. */
static bool is_store(struct session *session, MlirOperation op) {
  const struct op_info *info = op_info(&session->names, op);
  bool writes = info->effects == EFFECTS_WRITE || info->effects == EFFECTS_UNKNOWN;
  if (KIND_IN(info->kind, OP_TILE_PTX_CP_ASYNC, OP_TILE_PTX_MBARRIER_INIT,
              OP_TILE_PTX_MBARRIER_INVAL, OP_TILE_PTX_MBARRIER_EXPECT_TX,
              OP_TILE_PTX_MBARRIER_WAIT))
    return false;
  for (intptr_t i = 0; writes && i < mlirOperationGetNumOperands(op); i++)
    if (is_llvm_pointer(op_operand_type(op, i), SPACE_SHARED))
      return true;
  return info->kind == OP_LLVM_CALL;
}

/* An instruction that nobody here knows may read. */
static enum event_kind kind_of_event(struct session *session, MlirOperation op) {
  static const enum event_kind events[OP_KIND_COUNT] = {
      [OP_TILE_PTX_FENCE_ASYNC_SHARED] = EVENT_FENCE,
      [OP_NVVM_BARRIER0] = EVENT_BARRIER,
      [OP_TILE_PTX_WGMMA] = EVENT_READ,
      [OP_TILE_PTX_MBARRIER_ARRIVE] = EVENT_READ, /* as who waits there may do next */
      [OP_TILE_PTX_CP_ASYNC_BULK_TENSOR] = EVENT_READ,
      [OP_TILE_PTX_CP_ASYNC_BULK_TENSOR_STORE] = EVENT_READ,
      [OP_LLVM_INLINE_ASM] = EVENT_READ};
  const struct op_info *info = op_info(&session->names, op);
  bool unknown = info->kind == OP_OTHER && info->dialect == DIALECT_NVVM;
  enum event_kind kind = unknown ? EVENT_READ : events[info->kind];
  return kind == EVENT_NONE && is_store(session, op) ? EVENT_STORE : kind;
}

static struct block collect(struct fences *fences, MlirBlock at) {
  struct block block = {.block = at};
  for (int pass = 0; pass < 2; pass++) {
    MlirOperation op = mlirBlockGetFirstOperation(at);
    for (block.count = 0; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
      enum event_kind kind = kind_of_event(fences->session, op);
      if (kind != EVENT_NONE && pass)
        block.events[block.count] = (struct event){kind, op};
      block.count += kind != EVENT_NONE;
    }
    if (!pass)
      block.events = ARENA_ARRAY(&fences->arena, struct event, block.count + 1);
  }
  return block;
}

/* False when there is no fence at all. */
static bool collect_all(struct fences *fences, MlirOperation function) {
  bool found = false;
  MlirBlock first = mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0)), at = first;
  for (; !mlirBlockIsNull(at); at = mlirBlockGetNextInRegion(at))
    fences->count++;
  fences->blocks = ARENA_ARRAY(&fences->arena, struct block, fences->count + 1);
  at = first;
  for (size_t i = 0; i < fences->count; i++, at = mlirBlockGetNextInRegion(at))
    fences->blocks[i] = collect(fences, at);
  for (size_t i = 0; i < fences->count; i++)
    for (size_t e = 0; e < fences->blocks[i].count; e++)
      found |= fences->blocks[i].events[e].kind == EVENT_FENCE;
  return found;
}

/* Before an event, from what is after it. */
static struct ways before(enum event_kind kind, struct ways after) {
  switch (kind) {
  case EVENT_FENCE:
    return (struct ways){.near = after.near, .open = after.near};
  case EVENT_BARRIER:
    return (struct ways){.near = false, .open = after.open};
  case EVENT_READ:
    return (struct ways){.near = true, .open = true};
  case EVENT_NONE:
  case EVENT_STORE:
    break;
  }
  return after;
}

static struct ways end_of(const struct fences *fences, const struct block *block) {
  struct ways ways = {0};
  MlirOperation last = mlirBlockGetTerminator(block->block);
  for (intptr_t i = 0; i < mlirOperationGetNumSuccessors(last); i++)
    for (size_t j = 0; j < fences->count; j++)
      if (mlirBlockEqual(fences->blocks[j].block, mlirOperationGetSuccessor(last, i))) {
        ways.near |= fences->blocks[j].start.near;
        ways.open |= fences->blocks[j].start.open;
      }
  return ways;
}

static void solve(struct fences *fences) {
  bool changed = true;
  for (size_t i = 0; i < fences->count; i++)
    fences->blocks[i].start = (struct ways){0};
  while (changed) {
    changed = false;
    for (size_t i = fences->count; i-- > 0;) {
      struct block *block = &fences->blocks[i];
      struct ways ways = end_of(fences, block);
      for (size_t e = block->count; e-- > 0;)
        ways = before(block->events[e].kind, ways);
      changed |= ways.near != block->start.near || ways.open != block->start.open;
      block->start = ways;
    }
  }
}

/* Removes one fence after which nothing is open; false when there is none. */
static bool remove_one(struct fences *fences) {
  solve(fences);
  for (size_t i = 0; i < fences->count; i++) {
    struct block *block = &fences->blocks[i];
    struct ways ways = end_of(fences, block);
    for (size_t e = block->count; e-- > 0;) {
      struct event *event = &block->events[e];
      if (event->kind == EVENT_FENCE && !ways.open) {
        mlirOperationDestroy(event->op);
        *event = (struct event){0};
        return true;
      }
      ways = before(event->kind, ways);
    }
  }
  return false;
}

/* --- Stores ----------------------------------------------------------------------------------- */

/* What is unknown reads, and may have stored. */
static bool stores(enum event_kind kind, MlirOperation op, struct session *session) {
  enum op_kind known = kind_of(session, op);
  return kind == EVENT_STORE ||
         (kind == EVENT_READ && !KIND_IN(known, OP_TILE_PTX_WGMMA, OP_TILE_PTX_CP_ASYNC_BULK_TENSOR,
                                         OP_TILE_PTX_CP_ASYNC_BULK_TENSOR_STORE));
}

static bool stored_after(const struct fences *fences, const struct block *block) {
  bool stored = block->stored;
  for (size_t e = 0; e < block->count; e++)
    stored |= stores(block->events[e].kind, block->events[e].op, fences->session);
  return stored;
}

static void find_stores(struct fences *fences) {
  bool changed = true;
  while (changed) {
    changed = false;
    for (size_t i = 0; i < fences->count; i++) {
      MlirOperation last = mlirBlockGetTerminator(fences->blocks[i].block);
      bool stored = stored_after(fences, &fences->blocks[i]);
      for (intptr_t s = 0; stored && s < mlirOperationGetNumSuccessors(last); s++)
        for (size_t j = 0; j < fences->count; j++)
          if (mlirBlockEqual(fences->blocks[j].block, mlirOperationGetSuccessor(last, s)) &&
              !fences->blocks[j].stored)
            changed = fences->blocks[j].stored = true;
    }
  }
}

/* Fences that have nothing to show. */
static void remove_before_stores(struct fences *fences) {
  find_stores(fences);
  for (size_t i = 0; i < fences->count; i++) {
    bool stored = fences->blocks[i].stored;
    for (size_t e = 0; e < fences->blocks[i].count; e++) {
      struct event *event = &fences->blocks[i].events[e];
      if (event->kind == EVENT_FENCE && !stored) {
        mlirOperationDestroy(event->op);
        *event = (struct event){0};
      } else if (event->kind != EVENT_NONE) {
        stored |= stores(event->kind, event->op, fences->session);
      }
    }
  }
}

MlirLogicalResult run_remove_fences(struct pass_context *context, MlirOperation module) {
  MlirOperation op = {0};
  while (next_lowered_kernel(context->session, module, &op)) {
    struct fences fences = {.session = context->session};
    bool found = collect_all(&fences, op);
    remove_before_stores(&fences);
    while (found)
      found = remove_one(&fences);
    arena_destroy(&fences.arena);
  }
  return SUCCESS;
}
