/* Order between threads: where accesses to global memory need a barrier between them.

   An element that a program loads and stores several times at one position of tiles of one shape (or
   as a scalar) keeps the order of the program. One thread does its own accesses in order; a barrier is
   needed where one access is another thread's:

     - Copies. Where a tile has fewer elements than the block has threads, and for scalars, several
       threads hold one element. All of them load it, one of them stores it. So a store could overtake
       the load of a copy (`x = *p; *p = x + 1; use x`), and the load of a copy could overtake the
       store (`*p = x; y = *p`).
     - Layouts. Two accesses of tiles of one shape in different layouts: another thread holds the
       element the second time.

   What was accessed since the last barrier is a set of bits, one per layout. Control flow joins sets:
   behind a branch, what either arm leaves; around a loop, what the body does in an earlier iteration;
   behind it, also what was there before, as it may not run. */
#include "ir/build.h"
#include "lowering/tile_gpu_to_nvvm/lowering.h"

/* Bits of the thread index that do not matter for a tile in this layout; NULL: for a scalar. */
static uint32_t copy_mask(struct lowering *lw, const struct linear_layout *layout) {
  uint32_t threads = (uint32_t)lw->num_warps * 32 - 1;
  if (!layout)
    return threads;
  struct layout_point free_bits = linear_layout_free_masks(layout);
  return (free_bits.at[LAYOUT_LANE] | free_bits.at[LAYOUT_WARP] << 5) & threads;
}

/* i1: this thread stores the element; null when no other thread holds it. */
MlirValue storing_thread(struct lowering *lw, const struct linear_layout *layout) {
  uint32_t mask = copy_mask(lw, layout);
  if (mask == 0)
    return (MlirValue){0};
  MlirValue copy = BUILD(&lw->b, "arith.andi", IN(lw->thread, constant_integer(lw, 32, mask)),
                         OUT(integer_type(&lw->b, 32)));
  return BUILD(&lw->b, "arith.cmpi", IN(copy, constant_integer(lw, 32, 0)),
               OUT(integer_type(&lw->b, 1)),
               ATTRIBUTES(attribute_named(lw->session->context, "predicate",
                                          attribute_integer(lw->session->context, 64, 0))));
}

const struct linear_layout *layout_of_pointer(struct lowering *lw, MlirValue pointer) {
  MlirType type = mlirValueGetType(pointer);
  return type_is_tensor(type) ? layout_to_linear(&lw->session->layouts, type) : NULL;
}

/* --- Which accesses are another thread's ------------------------------------------------------------ */

static bool same_layout(const struct linear_layout *a, const struct linear_layout *b) {
  return a == b || (a && b && linear_layout_equal(a, b));
}

/* The layout's number. The last number stands for all layouts that found no other. */
static int layout_number(struct lowering *lw, const struct linear_layout *layout) {
  int number = 0;
  while (number < lw->accessed_count && !same_layout(lw->accessed[number], layout))
    number++;
  if (number == MAX_ACCESSED)
    return MAX_ACCESSED;
  if (number == lw->accessed_count)
    lw->accessed[lw->accessed_count++] = layout;
  return number;
}

/* May the accesses of layout `earlier` and `later` be by different threads, for one element? */
static bool crosses_threads(struct lowering *lw, int earlier, int later, bool loads) {
  if (earlier == MAX_ACCESSED || later == MAX_ACCESSED)
    return true;
  const struct linear_layout *a = lw->accessed[earlier], *b = lw->accessed[later];
  if (loads && copy_mask(lw, a) != 0)
    return true;
  return earlier != later && a && b && layout_space_equal(&a->out, &b->out);
}

static bool any_crosses_threads(struct lowering *lw, uint64_t earlier, int later, bool loads) {
  for (int number = 0; number <= MAX_ACCESSED && earlier >> number; number++)
    if (earlier >> number & 1 && crosses_threads(lw, number, later, loads))
      return true;
  return false;
}

static MlirLogicalResult note_access(MlirOperation op, void *data) {
  struct lowering *lw = data;
  enum op_kind kind = kind_of(lw->session, op);
  if (kind != OP_TILE_LOAD && kind != OP_TILE_STORE)
    return SUCCESS;
  int number = layout_number(lw, layout_of_pointer(lw, op_operand(op, 0)));
  *(kind == OP_TILE_LOAD ? &lw->pending.loaded : &lw->pending.stored) |= UINT64_C(1) << number;
  return SUCCESS;
}

void order_access(struct lowering *lw, MlirOperation op) {
  bool store = kind_of(lw->session, op) == OP_TILE_STORE;
  int number = layout_number(lw, layout_of_pointer(lw, op_operand(op, 0)));
  if (any_crosses_threads(lw, lw->pending.stored, number, !store) ||
      (store && any_crosses_threads(lw, lw->pending.loaded, number, true)))
    build_barrier(lw);
  note_access(op, lw);
}

void note_accesses_in_loop(struct lowering *lw, MlirOperation loop) {
  visit_operations(loop, note_access, lw);
}

void join_accesses(struct lowering *lw, struct accesses other) {
  lw->pending.loaded |= other.loaded;
  lw->pending.stored |= other.stored;
}

void build_barrier(struct lowering *lw) {
  BUILD_OP(&lw->b, "nvvm.barrier0", .in = NULL);
  lw->pending = (struct accesses){0};
}
