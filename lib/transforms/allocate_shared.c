/* SPDX-License-Identifier: MIT */
/* tile-gpu-allocate-shared: places in shared memory for buffers, and for the operations that work
   through it.

   Needs: tensors with layouts. Keeps: what the kernels compute. Leaves: tile_gpu.shared_offset on
   each tile_gpu.alloc and such operation, tile_gpu.shared_bytes on its kernel, and the largest of
   them on the module.

   A buffer is in use from its alloc to the last use of it, of its views and of copies into it; a
   use in a loop counts as the whole loop (analysis/buffers.h). An operation's area is in use while
   it runs. A small one is kept until the next operation with an area has begun: that one then
   writes elsewhere, and its own barrier parts its area's last readers from whoever comes third, so
   that no barrier is needed in front. Two areas in use at one time do not overlap; each gets the
   lowest place that is free, larger ones first (first fit by decreasing size, as in Gergov's
   "Algorithms for compile-time memory optimization").

     use   1  convert  |######|           0
           2  reduce   |      |####|      6    small: beside its neighbours
           3  convert  |######|           0 */
#include <stdlib.h>
#include "analysis/buffers.h"
#include "analysis/scratch.h"
#include "ir/module_target.h"
#include "ir/passes.h"

const struct pass_option allocate_shared_options[] = {
    {"report", OPTION_BOOLEAN, "false",
     "say as remarks what lies where, and what is in use at one time"},
    {0}};

/* An area and when it is in use: from the `first` to the `last` operation, by number. */
struct area {
  MlirOperation op;
  int64_t bytes, alignment, offset;
  int first, last;
};

/* Operations are numbered where they begin and where they end. */
struct lifetime {
  int first, last;
};

struct areas {
  struct session *session;
  struct area *list; /* owned */
  int count;
  size_t capacity;
  struct arena arena;
  struct map lifetimes; /* MlirOperation.ptr -> struct lifetime */
  int next;             /* number */
};

static void number_operation(struct areas *areas, MlirOperation op) {
  struct lifetime *lifetime = ARENA_NEW(&areas->arena, struct lifetime);
  map_set(&areas->lifetimes, op.ptr, lifetime);
  lifetime->first = areas->next++;
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
    for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
      MlirOperation inner = mlirBlockGetFirstOperation(block);
      for (; !mlirOperationIsNull(inner); inner = mlirOperationGetNextInBlock(inner))
        number_operation(areas, inner);
    }
  }
  lifetime->last = areas->next++;
}

static const struct lifetime *lifetime_of(const struct areas *areas, MlirOperation op) {
  return map_get(&areas->lifetimes, op.ptr);
}

static MlirLogicalResult collect(MlirOperation op, void *data) {
  struct areas *areas = data;
  bool buffer = kind_of(areas->session, op) == OP_TILE_GPU_ALLOC;
  int64_t alignment = SCRATCH_ALIGNMENT;
  int64_t bytes =
      buffer ? buffer_bytes(areas->session, op, &alignment) : scratch_bytes(areas->session, op);
  if (bytes == 0)
    return SUCCESS;
  int64_t half = buffer ? 0 : scratch_half_wanted(areas->session, op);
  if (half) {
    attribute_set_integer(op, ATTR_SHARED_HALF, half);
    bytes = 2 * half;
  }
  areas->list = tile_grow(areas->list, (size_t)areas->count, &areas->capacity, sizeof *areas->list);
  struct area *area = &areas->list[areas->count++];
  *area = (struct area){.op = op, .bytes = bytes, .alignment = alignment, .offset = -1};
  area->first = area->last = lifetime_of(areas, op)->first;
  if (!buffer)
    return SUCCESS;
  MlirOperation last = buffer_last_use(areas->session, op);
  area->last = mlirOperationIsNull(last) ? areas->next : lifetime_of(areas, last)->last;
  return SUCCESS;
}

/* A small area of an operation stays until the next such operation has begun, or the next buffer,
   which is there for longer. */
static void keep_small_areas(struct areas *areas) {
  struct area *earlier = NULL;
  for (int i = 0; i < areas->count; i++) {
    struct area *area = &areas->list[i];
    bool buffer = kind_of(areas->session, area->op) == OP_TILE_GPU_ALLOC;
    if (earlier && earlier->bytes <= SCRATCH_KEPT_BYTES)
      earlier->last = area->first - buffer;
    earlier = buffer ? NULL : area;
  }
}

static int larger_first(const void *left, const void *right) {
  const struct area *const *a = left, *const *b = right;
  if ((*a)->bytes != (*b)->bytes)
    return (*a)->bytes > (*b)->bytes ? -1 : 1;
  return (*a)->first - (*b)->first;
}

/* The placed area that would overlap `area` at its offset and time, or NULL. */
static const struct area *find_overlap(const struct areas *areas, const struct area *area) {
  for (int i = 0; i < areas->count; i++) {
    const struct area *other = &areas->list[i];
    if (other != area && other->offset >= 0 && other->first <= area->last &&
        area->first <= other->last && other->offset < area->offset + area->bytes &&
        area->offset < other->offset + other->bytes)
      return other;
  }
  return NULL;
}

/* Raises the offset past each overlap, in order, until there is none. */
static void place(const struct areas *areas, struct area *area) {
  const struct area *other;
  int64_t offset = 0;
  for (;;) {
    area->offset = offset;
    other = find_overlap(areas, area);
    if (!other)
      return;
    area->offset = -1;
    offset =
        (other->offset + other->bytes + area->alignment - 1) / area->alignment * area->alignment;
  }
}

/* Places all; returns the bytes used. */
static int64_t place_all(struct areas *areas) {
  struct area **order = tile_allocate(((size_t)areas->count + 1) * sizeof *order);
  int64_t total = 0;
  for (int i = 0; i < areas->count; i++)
    order[i] = &areas->list[i];
  qsort(order, (size_t)areas->count, sizeof *order, larger_first);
  for (int i = 0; i < areas->count; i++) {
    place(areas, order[i]);
    if (order[i]->offset + order[i]->bytes > total)
      total = order[i]->offset + order[i]->bytes;
  }
  free(order);
  return total;
}

/* The largest areas with their operations' places. */
static MlirLogicalResult fail_limit(MlirOperation function, const struct areas *areas,
                                    int64_t total, int64_t limit) {
  enum { LISTED = 4 };
  struct text text = {0};
  int order[LISTED];
  int count = 0;
  for (; count < LISTED && count < areas->count; count++) {
    int best = -1;
    for (int i = 0; i < areas->count; i++) {
      bool known = false;
      for (int j = 0; j < count; j++)
        known |= order[j] == i;
      if (!known && (best < 0 || areas->list[i].bytes > areas->list[best].bytes))
        best = i;
    }
    order[count] = best;
    const struct area *area = &areas->list[best];
    text_printf(&text, "%s%lld bytes for %.*s at ", count ? ", " : "", (long long)area->bytes,
                (int)op_name(area->op).length, op_name(area->op).data);
    location_print(mlirOperationGetLocation(area->op), &text);
  }
  if (areas->count > LISTED)
    text_printf(&text, " and %d more", areas->count - LISTED);
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

/* The most that is in use at one time: no placement needs less. Counted where an area's use begins.
 */
static int64_t most_at_once(const struct areas *areas) {
  int64_t most = 0;
  for (int i = 0; i < areas->count; i++) {
    int64_t sum = 0;
    int now = areas->list[i].first;
    for (int j = 0; j < areas->count; j++)
      if (areas->list[j].first <= now && now <= areas->list[j].last)
        sum += rounded(areas->list[j].bytes);
    most = sum > most ? sum : most;
  }
  return most;
}

static void report(struct areas *areas, MlirOperation function, int64_t total) {
  struct diagnostics *diagnostics = &areas->session->diagnostics;
  int64_t most = most_at_once(areas), more = rounded(total) - most;
  for (int i = 0; i < areas->count; i++) {
    const struct area *area = &areas->list[i];
    diagnostics_report(diagnostics, SEVERITY_REMARK, mlirOperationGetLocation(area->op),
                       "shared memory: %lld bytes at %lld, in use from %d to %d",
                       (long long)area->bytes, (long long)area->offset, area->first, area->last);
  }
  diagnostics_report(diagnostics, SEVERITY_REMARK, mlirOperationGetLocation(function),
                     "shared memory: %lld bytes, %lld in use at one time, %lld %% more",
                     (long long)total, (long long)most,
                     most ? (long long)((more * 100 + most - 1) / most) : 0);
}

static MlirLogicalResult allocate_function(struct session *session, MlirOperation function,
                                           bool reports, int64_t *most) {
  int64_t limit = machine_of(function)->block_shared_bytes;
  struct areas areas = {.session = session};
  MlirLogicalResult result = SUCCESS;
  number_operation(&areas, function);
  visit_operations(function, collect, &areas);
  keep_small_areas(&areas);
  int64_t total = place_all(&areas);
  if (reports)
    report(&areas, function, total);
  if (total > limit)
    result = fail_limit(function, &areas, total, limit);
  for (int i = 0; i < areas.count && !FAILED(result); i++)
    attribute_set_integer(areas.list[i].op, ATTR_SHARED_OFFSET, areas.list[i].offset);
  if (total && !FAILED(result))
    attribute_set_integer(function, ATTR_SHARED_BYTES, total);
  if (total > *most)
    *most = total;
  free(areas.list);
  map_free(&areas.lifetimes);
  arena_destroy(&areas.arena);
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
