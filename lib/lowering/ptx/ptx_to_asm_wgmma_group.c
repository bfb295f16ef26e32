/* SPDX-License-Identifier: MIT */
/* tile-ptx-to-asm: a fence, the wgmmas after it and their commit become one text of assembly.

     %f... = tile_ptx.wgmma_fence %c...          "wgmma.fence.sync.aligned;
     %d... = tile_ptx.wgmma %f..., %a, %b     ->  wgmma.mma_async ... {$0, ...}, $256, $257, ...;
     %e... = tile_ptx.wgmma %d..., %x, %y         wgmma.mma_async ... {$0, ...}, $259, $260, ...;
     tile_ptx.wgmma_commit                        wgmma.commit_group.sync.aligned;"

   The accumulators are tied once, not in each instruction: LLVM's time for them is most of what it
   takes for a large tile. Between the operations there may be arithmetic, which comes to stand
   before them.

   So do dots that start one after another, with nothing but arithmetic between them: their commits
   stay, and the first one's fence is all of theirs, as every register that one of them reads has
   been written before it. Else ptxas makes operands in registers for the second under the first,
   where they are live beside what they are made of and the first one's accumulators. */
#include <stdlib.h>
#include "base/arena.h"
#include "base/map.h"
#include "ir/mma_attributes.h"
#include "ir/module_target.h"
#include "lowering/ptx/ptx_to_asm.h"

enum { MAX_WGMMAS = 256, MAX_STARTS = 4 };

struct group {
  struct arena arena;
  MlirOperation fences[MAX_STARTS], commits[MAX_STARTS], wgmmas[MAX_WGMMAS];
  int ends[MAX_STARTS]; /* how many wgmmas there are before each commit */
  int starts, count;
  struct map registers; /* MlirValue.ptr of an accumulator -> 1 + its register */
  struct map inputs;    /* MlirValue.ptr of another operand -> 1 + its place among them */
  MlirValue *in, *last; /* of each register */
  MlirValue *others;
  int register_count, input_count;
};

/* What may stand between: arithmetic that waits for none of the dots. */
static bool is_arithmetic(struct session *session, MlirOperation op) {
  if (op_info(&session->names, op)->effects != EFFECTS_PURE)
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirOperation definition = value_definition(op_operand(op, i));
    if (!mlirOperationIsNull(definition) && op_is(session, definition, OP_TILE_PTX_WGMMA))
      return false;
  }
  return true;
}

/* Adds a fence, its wgmmas and its commit; false where something else stands between. */
static bool collect(struct session *session, MlirOperation fence, struct group *group) {
  MlirOperation op = mlirOperationGetNextInBlock(fence);
  int count = group->count;
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    enum op_kind kind = kind_of(session, op);
    if (kind == OP_TILE_PTX_WGMMA_COMMIT && count > group->count) {
      group->fences[group->starts] = fence;
      group->commits[group->starts] = op;
      group->ends[group->starts++] = group->count = count;
      return true;
    }
    if (kind == OP_TILE_PTX_WGMMA) {
      struct mma_shape shape;
      if (count == MAX_WGMMAS || !wgmma_operation(op, &shape))
        return false;
      group->wgmmas[count++] = op;
    } else if (!is_arithmetic(session, op)) {
      return false;
    }
  }
  return false;
}

/* The fence of the dot that starts next; null: something else comes before it. */
static MlirOperation next_fence(struct session *session, const struct group *group) {
  MlirOperation op = mlirOperationGetNextInBlock(group->commits[group->starts - 1]);
  while (!mlirOperationIsNull(op) && is_arithmetic(session, op))
    op = mlirOperationGetNextInBlock(op);
  bool is = !mlirOperationIsNull(op) && op_is(session, op, OP_TILE_PTX_WGMMA_FENCE);
  return is ? op : (MlirOperation){0};
}

/* Fills fences, wgmmas and commits, of at most `most` starts. */
static bool collect_starts(struct session *session, MlirOperation fence, int most,
                           struct group *group) {
  bool found = collect(session, fence, group);
  for (bool more = found; more && group->starts < most;) {
    MlirOperation next = next_fence(session, group);
    more = !mlirOperationIsNull(next) && collect(session, next, group);
  }
  return found;
}

/* What went into the fence where `value` came out of it. */
static MlirValue before_fence(const struct group *group, MlirValue value) {
  for (int k = 0; k < group->starts; k++)
    for (intptr_t i = 0; i < mlirOperationGetNumResults(group->fences[k]); i++)
      if (mlirValueEqual(op_result(group->fences[k], i), value))
        return op_operand(group->fences[k], i);
  return value;
}

/* The register of an accumulator; -1 where the value is used elsewhere, too, and so must be kept.
 */
static int register_of(struct group *group, MlirValue value) {
  void *known = map_get(&group->registers, value.ptr);
  if (!known) {
    group->in[group->register_count++] = before_fence(group, value);
    return group->register_count - 1;
  }
  return !value_has_one_use(value) ? -1 : (int)(uintptr_t)known - 1;
}

static int input_of(struct group *group, MlirValue value) {
  value = before_fence(group, value);
  void *known = map_get(&group->inputs, value.ptr);
  if (known)
    return (int)(uintptr_t)known - 1;
  group->others[group->input_count++] = value;
  map_set(&group->inputs, value.ptr, (void *)(uintptr_t)group->input_count);
  return group->input_count - 1;
}

/* Numbers registers and inputs; false where an accumulator between two wgmmas has another use. */
static bool number(struct group *group) {
  size_t operands = 0;
  for (int i = 0; i < group->count; i++)
    operands += (size_t)mlirOperationGetNumOperands(group->wgmmas[i]);
  group->in = ARENA_ARRAY(&group->arena, MlirValue, operands);
  group->last = ARENA_ARRAY(&group->arena, MlirValue, operands);
  group->others = ARENA_ARRAY(&group->arena, MlirValue, operands);
  for (int i = 0; i < group->count; i++) {
    MlirOperation op = group->wgmmas[i];
    intptr_t accumulators = op_segment(op, 4, 0);
    for (intptr_t j = 0; j < accumulators; j++) {
      int at = register_of(group, op_operand(op, j));
      if (at < 0)
        return false;
      group->last[at] = op_result(op, j);
      map_set(&group->registers, op_result(op, j).ptr, (void *)(uintptr_t)(at + 1));
    }
    for (intptr_t j = accumulators; j < mlirOperationGetNumOperands(op); j++)
      input_of(group, op_operand(op, j));
  }
  return group->register_count <= WGMMA_MAX_WAITED;
}

static void print_wgmma(struct group *group, MlirOperation op, struct text *out) {
  struct mma_shape shape;
  intptr_t count = mlirOperationGetNumOperands(op), accumulators = op_segment(op, 4, 0);
  int *places = ARENA_ARRAY(&group->arena, int, (size_t)count);
  wgmma_operation(op, &shape);
  for (intptr_t i = 0; i < accumulators; i++)
    places[i] = (int)(uintptr_t)map_get(&group->registers, op_result(op, i).ptr) - 1;
  for (intptr_t i = accumulators; i < count; i++)
    places[i] = 2 * group->register_count + input_of(group, op_operand(op, i));
  wgmma_print(op, &shape, places, out);
}

static void build(struct group *group) {
  struct text assembly = {0}, constraints = {0};
  int n = group->register_count;
  MlirValue *in = ARENA_ARRAY(&group->arena, MlirValue, (size_t)(n + group->input_count));
  MlirValue *results = ARENA_ARRAY(&group->arena, MlirValue, (size_t)n);
  MlirType *out = ARENA_ARRAY(&group->arena, MlirType, (size_t)n);
  for (int i = 0; i < n; i++) {
    in[i] = group->in[i];
    out[i] = mlirValueGetType(group->in[i]);
    /* early: written before the last inputs are read */
    text_printf(&constraints, "=&%c,", asm_letter(out[i]));
  }
  for (int i = 0; i < n; i++)
    text_printf(&constraints, "%d,", i);
  for (int i = 0; i < group->input_count; i++) {
    in[n + i] = group->others[i];
    MlirType type = mlirValueGetType(group->others[i]);
    text_printf(&constraints, "%c,", mlirIntegerTypeGetWidth(type) == 1 ? 'b' : asm_letter(type));
  }
  text_puts(&constraints, "~{memory}");
  text_puts(&assembly, "wgmma.fence.sync.aligned;");
  for (int i = 0, k = 0; k < group->starts; k++) {
    for (; i < group->ends[k]; i++) {
      text_puts(&assembly, "\n\t");
      print_wgmma(group, group->wgmmas[i], &assembly);
    }
    text_puts(&assembly, "\n\twgmma.commit_group.sync.aligned;");
  }
  struct builder b = builder_before(group->commits[group->starts - 1]);
  b.location = mlirOperationGetLocation(group->wgmmas[0]);
  build_asm_results(&b, &assembly, &constraints, n + group->input_count, in, n, out, true, results);
  for (int i = 0; i < n; i++)
    mlirValueReplaceAllUsesOfWith(group->last[i], results[i]);
}

/* Operations to destroy. */
struct retired {
  MlirOperation *list; /* owned */
  size_t count, capacity;
};

static void retired_add(struct retired *retired, MlirOperation op) {
  if (retired->count == retired->capacity) {
    retired->capacity = 2 * retired->capacity + 16;
    retired->list = tile_reallocate(retired->list, retired->capacity * sizeof *retired->list);
  }
  retired->list[retired->count++] = op;
}

/* The operations go from the last to the first, when nobody walks over them. */
static void retire(struct group *group, struct retired *retired) {
  for (int i = 0, k = 0; k < group->starts; k++) {
    MlirOperation fence = group->fences[k];
    for (intptr_t r = 0; r < mlirOperationGetNumResults(fence); r++)
      mlirValueReplaceAllUsesOfWith(op_result(fence, r), op_operand(fence, r));
    retired_add(retired, fence);
    for (; i < group->ends[k]; i++)
      retired_add(retired, group->wgmmas[i]);
    retired_add(retired, group->commits[k]);
  }
}

struct merging {
  struct session *session;
  struct retired retired;
  struct map done; /* fences that have been retired */
};

static void group_free(struct group *group) {
  map_free(&group->registers);
  map_free(&group->inputs);
  arena_destroy(&group->arena);
  free(group);
}

/* Merges what begins at the fence, at most `most` starts of dots. */
static bool merge_starts(struct merging *merging, MlirOperation fence, int most) {
  struct group *group = tile_allocate(sizeof *group);
  *group = (struct group){0};
  bool merges = collect_starts(merging->session, fence, most, group) && number(group);
  if (merges) {
    build(group);
    retire(group, &merging->retired);
    for (int k = 0; k < group->starts; k++)
      map_set(&merging->done, group->fences[k].ptr, merging);
  }
  group_free(group);
  return merges;
}

static MlirLogicalResult merge(MlirOperation op, void *data) {
  struct merging *merging = data;
  if (kind_of(merging->session, op) != OP_TILE_PTX_WGMMA_FENCE ||
      machine_of(op)->matrix_unit != MATRIX_WGMMA || map_get(&merging->done, op.ptr))
    return SUCCESS;
  if (!merge_starts(merging, op, MAX_STARTS))
    merge_starts(merging, op, 1);
  return SUCCESS;
}

void wgmma_groups_to_asm(struct session *session, MlirOperation module) {
  struct merging merging = {.session = session};
  visit_operations(module, merge, &merging);
  for (size_t i = merging.retired.count; i > 0; i--)
    mlirOperationDestroy(merging.retired.list[i - 1]);
  free(merging.retired.list);
  map_free(&merging.done);
}
