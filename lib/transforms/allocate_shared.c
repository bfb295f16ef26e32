/* SPDX-License-Identifier: MIT */
/* tile-gpu-allocate-shared: offsets in shared memory for buffers, and for the operations that work
   through it.

   Needs: tensors with layouts. Keeps: what the kernels compute. Leaves: tile_gpu.shared_offset on
   each tile_gpu.alloc and such operation, tile_gpu.shared_bytes on its kernel, and the largest of
   them on the module.

   A buffer is in use from its alloc to the last use of it, of its views and of copies into it; a
   use in a loop counts as the whole loop, and a dot in flight uses it until a wait
   (analysis/buffers.h). An operation's scratch is in use
   while it runs. A small one is kept until the next operation with scratch has begun: that one then
   writes elsewhere, and its own barrier parts its last readers from whoever comes third, so
   that no barrier is needed before. So is a small buffer that one tile fills, unless the kernel
   would need more shared memory than there is. Two allocations in use at one time do not overlap;
   each gets the lowest offset that is free, larger ones first (first fit by decreasing size, as in
   Gergov's "Algorithms for compile-time memory optimization").

     use   1  convert  |######|           0
           2  reduce   |      |####|      6    small: beside its neighbours
           3  convert  |######|           0 */
#include "transforms/allocate_shared.h"

#include <stdlib.h>
#include "analysis/buffers.h"
#include "analysis/scratch.h"
#include "ir/module_target.h"
#include "ir/passes.h"

const struct pass_option allocate_shared_options[] = {
    {"report", OPTION_BOOLEAN, "false",
     "say as remarks what lies where, and what is in use at one time"},
    {0}};

/* An allocation and when it is in use: from the `first` to the `last` operation, by number. */
struct allocation {
  MlirOperation op;
  int64_t bytes, alignment, offset;
  int first, last;
};

/* Operations are numbered where they begin and where they end. */
struct lifetime {
  int first, last;
};

struct allocations {
  struct session *session;
  struct allocation *list; /* owned */
  int count;
  size_t capacity;
  struct arena arena;
  struct map lifetimes; /* MlirOperation.ptr -> struct lifetime */
  int next;             /* number */
};

static void number_operation(struct allocations *all, MlirOperation op) {
  struct lifetime *lifetime = ARENA_NEW(&all->arena, struct lifetime);
  map_set(&all->lifetimes, op.ptr, lifetime);
  lifetime->first = all->next++;
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
    for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
      MlirOperation inner = mlirBlockGetFirstOperation(block);
      for (; !mlirOperationIsNull(inner); inner = mlirOperationGetNextInBlock(inner))
        number_operation(all, inner);
    }
  }
  lifetime->last = all->next++;
}

static const struct lifetime *lifetime_of(const struct allocations *all, MlirOperation op) {
  return map_get(&all->lifetimes, op.ptr);
}

static MlirLogicalResult collect(MlirOperation op, void *data) {
  struct allocations *all = data;
  bool buffer = kind_of(all->session, op) == OP_TILE_GPU_ALLOC;
  int64_t alignment = SCRATCH_ALIGNMENT;
  int64_t bytes =
      buffer ? buffer_bytes(all->session, op, &alignment) : scratch_bytes(all->session, op);
  if (bytes == 0)
    return SUCCESS;
  int64_t twice = buffer ? 0 : double_buffer_wanted(all->session, op);
  if (twice) {
    attribute_set_integer(op, ATTR_DOUBLE_BUFFER, twice);
    bytes = 2 * twice;
  }
  all->list = tile_grow(all->list, (size_t)all->count, &all->capacity, sizeof *all->list);
  struct allocation *allocation = &all->list[all->count++];
  *allocation = (struct allocation){.op = op, .bytes = bytes, .alignment = alignment, .offset = -1};
  allocation->first = allocation->last = lifetime_of(all, op)->first;
  if (!buffer)
    return SUCCESS;
  MlirOperation last = buffer_last_use(all->session, op);
  allocation->last = mlirOperationIsNull(last) ? all->next : lifetime_of(all, last)->last;
  return SUCCESS;
}

/* A buffer that one tile fills, on its way to another layout: as good as scratch. */
static bool is_filled(const struct allocations *all, const struct allocation *allocation) {
  enum { MAX_KEPT_BYTES = 2048 };
  return kind_of(all->session, allocation->op) == OP_TILE_GPU_ALLOC &&
         mlirOperationGetNumOperands(allocation->op) == 1 && allocation->bytes <= MAX_KEPT_BYTES;
}

/* The small scratch of an operation stays until the next such operation has begun, or the next
   buffer, which is there for longer; `filled`: small buffers that are filled at once count as
   operations. */
static void keep_small(struct allocations *all, bool filled) {
  struct allocation *earlier = NULL;
  for (int i = 0; i < all->count; i++) {
    struct allocation *allocation = &all->list[i];
    bool buffer = kind_of(all->session, allocation->op) == OP_TILE_GPU_ALLOC &&
                  !(filled && is_filled(all, allocation));
    int last = allocation->first - buffer;
    if (earlier && earlier->bytes <= SCRATCH_KEPT_BYTES && earlier->last < last)
      earlier->last = last;
    earlier = buffer ? NULL : allocation;
  }
}

static int larger_first(const void *left, const void *right) {
  const struct allocation *const *a = left, *const *b = right;
  if ((*a)->bytes != (*b)->bytes)
    return (*a)->bytes > (*b)->bytes ? -1 : 1;
  return (*a)->first - (*b)->first;
}

/* The one with an offset that would overlap `allocation` at its offset and time, or NULL. */
static const struct allocation *find_overlap(const struct allocations *all,
                                             const struct allocation *allocation) {
  for (int i = 0; i < all->count; i++) {
    const struct allocation *other = &all->list[i];
    if (other != allocation && other->offset >= 0 && other->first <= allocation->last &&
        allocation->first <= other->last &&
        other->offset < allocation->offset + allocation->bytes &&
        allocation->offset < other->offset + other->bytes)
      return other;
  }
  return NULL;
}

/* Raises the offset past each overlap, in order, until there is none. */
static void find_offset(const struct allocations *all, struct allocation *allocation) {
  const struct allocation *other;
  int64_t offset = 0;
  for (;;) {
    allocation->offset = offset;
    other = find_overlap(all, allocation);
    if (!other)
      return;
    allocation->offset = -1;
    offset = (other->offset + other->bytes + allocation->alignment - 1) / allocation->alignment *
             allocation->alignment;
  }
}

/* Finds offsets for all; returns the bytes used. */
static int64_t find_offsets(struct allocations *all) {
  struct allocation **order = tile_allocate(((size_t)all->count + 1) * sizeof *order);
  int64_t total = 0;
  for (int i = 0; i < all->count; i++)
    order[i] = &all->list[i];
  qsort(order, (size_t)all->count, sizeof *order, larger_first);
  for (int i = 0; i < all->count; i++) {
    find_offset(all, order[i]);
    if (order[i]->offset + order[i]->bytes > total)
      total = order[i]->offset + order[i]->bytes;
  }
  free(order);
  return total;
}

/* The largest ones with where their operations stand. */
static MlirLogicalResult fail_limit(MlirOperation function, const struct allocations *all,
                                    int64_t total, int64_t limit) {
  enum { LISTED = 4 };
  struct text text = {0};
  int order[LISTED];
  int count = 0;
  for (; count < LISTED && count < all->count; count++) {
    int best = -1;
    for (int i = 0; i < all->count; i++) {
      bool known = false;
      for (int j = 0; j < count; j++)
        known |= order[j] == i;
      if (!known && (best < 0 || all->list[i].bytes > all->list[best].bytes))
        best = i;
    }
    order[count] = best;
    const struct allocation *allocation = &all->list[best];
    text_printf(&text, "%s%lld bytes for %.*s at ", count ? ", " : "", (long long)allocation->bytes,
                (int)op_name(allocation->op).length, op_name(allocation->op).data);
    location_print(mlirOperationGetLocation(allocation->op), &text);
  }
  if (all->count > LISTED)
    text_printf(&text, " and %d more", all->count - LISTED);
  fail_op(function,
          "the kernel needs %lld bytes of shared memory, the limit is %lld (%s); use smaller "
          "tiles",
          (long long)total, (long long)limit, text_string(&text));
  text_free(&text);
  return FAILURE;
}

/* --- The report ------------------------------------------------------------------------------- */

static int64_t rounded(int64_t bytes) {
  return (bytes + SCRATCH_ALIGNMENT - 1) / SCRATCH_ALIGNMENT * SCRATCH_ALIGNMENT;
}

/* The most that is in use at one time: no allocation needs less. Counted where one's use begins.
 */
static int64_t most_at_once(const struct allocations *all) {
  int64_t most = 0;
  for (int i = 0; i < all->count; i++) {
    int64_t sum = 0;
    int now = all->list[i].first;
    for (int j = 0; j < all->count; j++)
      if (all->list[j].first <= now && now <= all->list[j].last)
        sum += rounded(all->list[j].bytes);
    most = sum > most ? sum : most;
  }
  return most;
}

static void report(struct allocations *all, MlirOperation function, int64_t total) {
  struct diagnostics *diagnostics = &all->session->diagnostics;
  int64_t most = most_at_once(all), more = rounded(total) - most;
  for (int i = 0; i < all->count; i++) {
    const struct allocation *allocation = &all->list[i];
    diagnostics_report(diagnostics, SEVERITY_REMARK, mlirOperationGetLocation(allocation->op),
                       "shared memory: %lld bytes at %lld, in use from %d to %d",
                       (long long)allocation->bytes, (long long)allocation->offset,
                       allocation->first, allocation->last);
  }
  diagnostics_report(diagnostics, SEVERITY_REMARK, mlirOperationGetLocation(function),
                     "shared memory: %lld bytes, %lld in use at one time, %lld %% more",
                     (long long)total, (long long)most,
                     most ? (long long)((more * 100 + most - 1) / most) : 0);
}

static int64_t plan(struct allocations *all, MlirOperation function) {
  number_operation(all, function);
  visit_operations(function, collect, all);
  keep_small(all, true);
  int64_t total = find_offsets(all);
  if (total <= machine_of(function)->block_shared_bytes)
    return total;
  all->count = 0;
  visit_operations(function, collect, all);
  keep_small(all, false);
  return find_offsets(all);
}

static void end(struct allocations *all) {
  free(all->list);
  map_free(&all->lifetimes);
  arena_destroy(&all->arena);
}

int64_t shared_bytes_needed(struct session *session, MlirOperation function) {
  struct allocations all = {.session = session};
  int64_t total = plan(&all, function);
  end(&all);
  return total;
}

static MlirLogicalResult allocate_function(struct session *session, MlirOperation function,
                                           bool reports, int64_t *most) {
  int64_t limit = machine_of(function)->block_shared_bytes;
  struct allocations all = {.session = session};
  MlirLogicalResult result = SUCCESS;
  int64_t total = plan(&all, function);
  if (reports)
    report(&all, function, total);
  if (total > limit)
    result = fail_limit(function, &all, total, limit);
  for (int i = 0; i < all.count && !FAILED(result); i++)
    attribute_set_integer(all.list[i].op, ATTR_SHARED_OFFSET, all.list[i].offset);
  if (total && !FAILED(result))
    attribute_set_integer(function, ATTR_SHARED_BYTES, total);
  if (total > *most)
    *most = total;
  end(&all);
  return result;
}

MlirLogicalResult run_allocate_shared(struct pass_context *context, MlirOperation module) {
  struct session *session = context->session;
  int64_t most = 0;
  MlirOperation op = {0};
  while (next_kernel(session, module, &op))
    TRY_IR(allocate_function(session, op, context->values[0].integer != 0, &most));
  if (most)
    attribute_set_integer(module, ATTR_SHARED_BYTES, most);
  return SUCCESS;
}
