/* SPDX-License-Identifier: MIT */
/* tile-list-schedule: arithmetic in the order in which its results are wanted, for kernels that are
   to have few registers.

     w0 w1 .. w63 = extf                  w0 w1 = extf;  s = w0 + w1
     s0 = w0 + w1 ..             ->       w2 w3 = extf;  t = w2 + w3;  s = s + t  ..

   Needs: lowered kernels (llvm, nvvm and tile_ptx operations). Keeps: what is computed; the order
   of everything with an effect, but for loads and stores of different elements, which nothing
   orders (dialects/tile/README.md, memory order). Only kernels with tile_gpu.register_bound
   (tile-gpu-rematerialise-widening) or tile_gpu.depth_first (tile-gpu-optimize-reductions):
   lowering an operation on a tile makes 64 operations on as many registers, and then the next 64,
   so that all results are in use at once, and ptxas does not undo that. Not other kernels: dots
   begin to spill in this order (docs/performance.md, What passes are worth).

   What stands between two operations with effects (a shuffle, a barrier, a store) is computed depth
   first from what the later one takes, then what else there is, each after its operands. Before
   shuffles and barriers loads come first, in their order: they are what the thread waits for.
   Stores that follow each other are taken one by one: what the first one takes is computed and
   stored before the second one's is computed. Its loads stand before the earlier store, so that
   they are on their way meanwhile. */
#include "base/arena.h"
#include "base/map.h"
#include "ir/build_llvm.h"
#include "ir/passes.h"

enum kind { MOVABLE, LOAD, STORE, FIXED };

struct entry {
  MlirOperation op;
  enum kind kind;
  bool placed, seen; /* seen: its loads have been placed */
};

/* The operations of one stretch: those that move, and before which they are to stand. */
struct stretch {
  struct entry *entries;
  struct map numbers; /* MlirOperation.ptr -> its entry */
  size_t count;
  MlirOperation place;
};

static bool is_global(MlirValue pointer) {
  return is_llvm_pointer(mlirValueGetType(pointer), SPACE_GLOBAL);
}

static enum kind kind_of_entry(struct session *session, MlirOperation op) {
  const struct op_info *info = op_info(&session->names, op);
  if (KIND_IN(info->kind, OP_LLVM_LOAD, OP_TILE_PTX_LOAD))
    return is_global(op_operand(op, 0)) && !op_has_attribute(op, "volatile") &&
                   !op_has_attribute(op, "volatile_")
               ? LOAD
               : FIXED;
  if (info->kind == OP_TILE_PTX_STORE)
    return is_global(op_operand(op, 0)) ? STORE : FIXED;
  if (info->kind == OP_LLVM_STORE)
    return is_global(op_operand(op, 1)) ? STORE : FIXED;
  bool lowered = info->dialect == DIALECT_TILE_PTX || info->dialect > DIALECT_UPSTREAM;
  bool pure = info->effects == EFFECTS_PURE || info->effects == EFFECTS_PURE_MAY_TRAP;
  return lowered && pure ? MOVABLE : FIXED;
}

static void place(struct stretch *stretch, MlirOperation op);

static void place_operands(struct stretch *stretch, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirOperation source = value_definition(op_operand(op, i));
    if (!mlirOperationIsNull(source))
      place(stretch, source);
  }
}

/* `op` after what it needs, if both are of this stretch and do not stand yet. */
static void place(struct stretch *stretch, MlirOperation op) {
  struct entry *entry = map_get(&stretch->numbers, op.ptr);
  if (!entry || entry->placed || entry->kind == STORE || entry->kind == FIXED)
    return;
  entry->placed = true;
  place_operands(stretch, op);
  mlirOperationMoveBefore(op, stretch->place);
}

/* The loads that `op` takes something of, in their order. */
static void place_loads(struct stretch *stretch, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirOperation source = value_definition(op_operand(op, i));
    struct entry *entry =
        mlirOperationIsNull(source) ? NULL : map_get(&stretch->numbers, source.ptr);
    if (!entry || entry->seen)
      continue;
    entry->seen = true;
    place_loads(stretch, source);
    if (entry->kind == LOAD)
      place(stretch, source);
  }
}

/* Do two accesses take different elements of tiles that are held alike? Then nothing orders them
   (dialects/tile/README.md, memory order). */
static bool are_apart(MlirOperation a, MlirOperation b) {
  MlirAttribute tile = attribute_get(a, ATTR_ELEMENTS_OF);
  if (mlirAttributeIsNull(tile) || !mlirAttributeEqual(tile, attribute_get(b, ATTR_ELEMENTS_OF)))
    return false;
  int64_t first_a = attribute_number(a, ATTR_ELEMENTS_FIRST, 0),
          first_b = attribute_number(b, ATTR_ELEMENTS_FIRST, 0);
  return first_a + attribute_number(a, ATTR_ELEMENTS_COUNT, 1) <= first_b ||
         first_b + attribute_number(b, ATTR_ELEMENTS_COUNT, 1) <= first_a;
}

/* A store after what it takes and the loads that may want what was there before. */
static void place_store(struct stretch *stretch, MlirOperation store) {
  place_operands(stretch, store);
  for (size_t i = 0; i < stretch->count; i++)
    if (stretch->entries[i].kind == LOAD && !are_apart(stretch->entries[i].op, store))
      place(stretch, stretch->entries[i].op);
  mlirOperationMoveBefore(store, stretch->place);
}

/* The stores from `fence` to `end`, each after what it takes, and the loads of each before the one
   before. */
static void place_stores(struct stretch *stretch, const struct entry *entries, size_t fence,
                         size_t end) {
  size_t last = fence;
  place_loads(stretch, entries[fence].op);
  for (size_t i = fence + 1; i < end; i++)
    if (entries[i].kind == STORE) {
      place_loads(stretch, entries[i].op);
      place_store(stretch, entries[last].op);
      last = i;
    }
  place_store(stretch, entries[last].op);
}

/* The entries from `first` to `end`, of which those from `fence` on have effects or are taken by
   such. */
static void order_stretch(struct entry *entries, size_t first, size_t fence, size_t end) {
  bool stores = entries[fence].kind == STORE;
  struct stretch stretch = {.entries = entries + first, .count = fence - first};
  stretch.place = stores ? mlirOperationGetNextInBlock(entries[end - 1].op) : entries[fence].op;
  for (size_t i = first; i < end; i++)
    map_set(&stretch.numbers, entries[i].op.ptr, &entries[i]);
  for (size_t i = first; i < fence && !stores; i++)
    if (entries[i].kind == LOAD)
      place(&stretch, entries[i].op);
  if (stores)
    place_stores(&stretch, entries, fence, end);
  else
    place_operands(&stretch, entries[fence].op);
  for (size_t i = first; i < end; i++)
    place(&stretch, entries[i].op);
  map_free(&stretch.numbers);
}

/* The end of the stores that begin at `fence`: what stands between them moves before all. */
static size_t end_of_stores(const struct entry *entries, size_t fence, size_t count) {
  size_t end = fence + 1;
  for (size_t i = end; i < count && (entries[i].kind == STORE || entries[i].kind == MOVABLE); i++)
    if (entries[i].kind == STORE)
      end = i + 1;
  return end;
}

static void order_block(struct session *session, struct arena *arena, MlirBlock block) {
  size_t count = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op))
    count++;
  struct entry *entries = ARENA_ARRAY(arena, struct entry, count + 1);
  size_t i = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op))
    entries[i++] = (struct entry){.op = op, .kind = kind_of_entry(session, op)};
  for (size_t first = 0, fence = 0; first < count; first = fence) {
    for (fence = first;
         fence < count && (entries[fence].kind == MOVABLE || entries[fence].kind == LOAD); fence++)
      ;
    if (fence == count)
      return;
    size_t end = entries[fence].kind == STORE ? end_of_stores(entries, fence, count) : fence + 1;
    order_stretch(entries, first, fence, end);
    fence = end;
  }
}

static MlirLogicalResult order_function(MlirOperation op, void *data) {
  struct session *session = data;
  if (!op_is(session, op, OP_LLVM_FUNC) ||
      !(attribute_has(op, ATTR_REGISTER_BOUND) || attribute_has(op, ATTR_DEPTH_FIRST)))
    return SUCCESS;
  struct arena arena = {0};
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
    order_block(session, &arena, block);
  arena_destroy(&arena);
  attribute_remove(op, ATTR_REGISTER_BOUND);
  attribute_remove(op, ATTR_DEPTH_FIRST);
  return SUCCESS;
}

MlirLogicalResult run_list_schedule(struct pass_context *context, MlirOperation module) {
  return visit_operations(module, order_function, context->session);
}
