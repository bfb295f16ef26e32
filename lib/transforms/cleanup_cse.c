/* SPDX-License-Identifier: MIT */
/* tile-cleanup, merging: replaces an operation by an equal one that is always executed before it.

   Equal: the same name, operands, attributes (hints included) and result types. The operations seen
   so far are in a hash table with scopes: a block sees its own and those of the blocks around it,
   and leaves nothing after. Blocks of one region (cf) do not see each other. Only scf.for, scf.if
   and scf.while look out: inside any other operation (a function is isolated) the table starts
   empty.

   Equal tile.loads of one block merge as long as nothing between them may write. "Nothing between"
   is a number, the epoch, that every possible write raises. */
#include "transforms/cleanup.h"

#include <stdint.h>
#include <stdlib.h>
#include "base/arena.h"

struct entry {
  MlirOperation op;
  size_t hash;
  size_t epoch;    /* of loads; 0 for pure operations */
  size_t previous; /* in the bucket: index + 1 of an older entry, 0 for none */
};

struct merger {
  struct session *session;
  struct entry *entries; /* a stack, oldest first */
  size_t count, capacity;
  size_t *buckets; /* index + 1 of the newest entry; as many as `capacity`, a power of two */
  size_t visible;  /* entries below this index are of an outer, isolated scope */
  size_t epoch, last_epoch;
  bool changed;
};

/* --- equality --------------------------------------------------------------------------------- */

static size_t mix(size_t hash, const void *pointer) {
  uint64_t bits = (hash ^ (uint64_t)(uintptr_t)pointer) * 0x9E3779B97F4A7C15u;
  return (size_t)(bits ^ bits >> 32);
}

static size_t hash_op(MlirOperation op) {
  size_t hash = mix(0, mlirOperationGetName(op).ptr);
  intptr_t operands = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < operands; i++)
    hash = mix(hash, op_operand(op, i).ptr);
  intptr_t results = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < results; i++)
    hash = mix(hash, op_result_type(op, i).ptr);
  intptr_t attributes = mlirOperationGetNumAttributes(op);
  for (intptr_t i = 0; i < attributes; i++)
    hash = mix(hash, mlirOperationGetAttribute(op, i).attribute.ptr);
  return hash;
}

static bool same_attributes(MlirOperation a, MlirOperation b) {
  intptr_t count = mlirOperationGetNumAttributes(a);
  if (count != mlirOperationGetNumAttributes(b))
    return false;
  for (intptr_t i = 0; i < count; i++) { /* sorted by name */
    MlirNamedAttribute of_a = mlirOperationGetAttribute(a, i);
    MlirNamedAttribute of_b = mlirOperationGetAttribute(b, i);
    if (of_a.name.ptr != of_b.name.ptr || of_a.attribute.ptr != of_b.attribute.ptr)
      return false;
  }
  return true;
}

static bool same_op(MlirOperation a, MlirOperation b) {
  intptr_t operands = mlirOperationGetNumOperands(a), results = mlirOperationGetNumResults(a);
  if (mlirOperationGetName(a).ptr != mlirOperationGetName(b).ptr ||
      operands != mlirOperationGetNumOperands(b) || results != mlirOperationGetNumResults(b))
    return false;
  for (intptr_t i = 0; i < operands; i++)
    if (op_operand(a, i).ptr != op_operand(b, i).ptr)
      return false;
  for (intptr_t i = 0; i < results; i++)
    if (op_result_type(a, i).ptr != op_result_type(b, i).ptr)
      return false;
  return same_attributes(a, b);
}

/* --- the table -------------------------------------------------------------------------------- */

static void link_entry(struct merger *merger, size_t index) {
  size_t *bucket = &merger->buckets[merger->entries[index].hash & (merger->capacity - 1)];
  merger->entries[index].previous = *bucket;
  *bucket = index + 1;
}

static void grow(struct merger *merger) {
  merger->capacity = merger->capacity ? merger->capacity * 2 : 256;
  merger->entries = tile_reallocate(merger->entries, merger->capacity * sizeof *merger->entries);
  merger->buckets = tile_reallocate(merger->buckets, merger->capacity * sizeof *merger->buckets);
  for (size_t i = 0; i < merger->capacity; i++)
    merger->buckets[i] = 0;
  for (size_t i = 0; i < merger->count; i++)
    link_entry(merger, i);
}

static void add_entry(struct merger *merger, struct entry entry) {
  if (merger->count == merger->capacity)
    grow(merger);
  merger->entries[merger->count] = entry;
  link_entry(merger, merger->count++);
}

/* Forgets the newest entries; each is at the head of its bucket. */
static void leave_scope(struct merger *merger, size_t count) {
  while (merger->count > count) {
    const struct entry *entry = &merger->entries[--merger->count];
    merger->buckets[entry->hash & (merger->capacity - 1)] = entry->previous;
  }
}

/* The visible operation equal to `wanted->op`, or null. */
static MlirOperation find_equal(const struct merger *merger, const struct entry *wanted) {
  if (!merger->capacity)
    return (MlirOperation){0};
  size_t at = merger->buckets[wanted->hash & (merger->capacity - 1)];
  for (; at > merger->visible; at = merger->entries[at - 1].previous) {
    const struct entry *entry = &merger->entries[at - 1];
    if (entry->hash == wanted->hash && entry->epoch == wanted->epoch &&
        same_op(entry->op, wanted->op))
      return entry->op;
  }
  return (MlirOperation){0};
}

/* --- the walk --------------------------------------------------------------------------------- */

/* Merges `op` into an equal one, or remembers it. `epoch` is 0 where time does not matter. */
static void merge_op(struct merger *merger, MlirOperation op, size_t epoch) {
  struct entry entry = {.op = op, .hash = hash_op(op), .epoch = epoch};
  MlirOperation equal = find_equal(merger, &entry);
  if (mlirOperationIsNull(equal)) {
    add_entry(merger, entry);
    return;
  }
  intptr_t results = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < results; i++)
    mlirValueReplaceAllUsesOfWith(op_result(op, i), op_result(equal, i));
  mlirOperationDestroy(op);
  merger->changed = true;
}

static bool merge_in_block(struct merger *merger, MlirBlock block);

/* True when something inside may write. */
static bool merge_in_regions(struct merger *merger, MlirOperation op) {
  bool writes = false;
  intptr_t regions = mlirOperationGetNumRegions(op);
  for (intptr_t i = 0; i < regions; i++) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
    for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      writes |= merge_in_block(merger, block);
  }
  return writes;
}

static bool merge_isolated(struct merger *merger, MlirOperation op) {
  size_t visible = merger->visible;
  merger->visible = merger->count;
  bool writes = merge_in_regions(merger, op);
  merger->visible = visible;
  return writes;
}

/* Handles `op`, which may be gone afterwards; true when it may write. */
static bool visit_op(struct merger *merger, MlirOperation op) {
  const struct op_info *info = op_info(&merger->session->names, op);
  if (mlirOperationGetNumRegions(op) > 0) {
    if (info->effects == EFFECTS_REGION)
      return merge_in_regions(merger, op);
    merge_isolated(merger, op);
    return info->effects == EFFECTS_UNKNOWN || info->effects == EFFECTS_WRITE;
  }
  switch (info->effects) {
  case EFFECTS_PURE:
  case EFFECTS_PURE_MAY_TRAP:
    merge_op(merger, op, 0);
    return false;
  case EFFECTS_READ:
    if (info->kind != OP_TILE_LOAD)
      return false;
    if (cleanup_is_volatile(op))
      return true; /* it may wait for another program's write */
    merge_op(merger, op, merger->epoch);
    return false;
  case EFFECTS_HINT:
  case EFFECTS_TERMINATOR:
  case EFFECTS_REGION:
    return false;
  case EFFECTS_UNKNOWN:
  case EFFECTS_WRITE:
    return true;
  }
  return true;
}

static bool merge_in_block(struct merger *merger, MlirBlock block) {
  size_t outer_count = merger->count, outer_epoch = merger->epoch;
  merger->epoch = ++merger->last_epoch;
  bool writes = false;
  MlirOperation op = mlirBlockGetFirstOperation(block), next;
  for (; !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (visit_op(merger, op)) {
      merger->epoch = ++merger->last_epoch;
      writes = true;
    }
  }
  leave_scope(merger, outer_count);
  merger->epoch = outer_epoch;
  return writes;
}

bool cleanup_merge(struct session *session, MlirOperation root) {
  struct merger merger = {.session = session};
  merge_in_regions(&merger, root);
  free(merger.entries);
  free(merger.buckets);
  return merger.changed;
}
