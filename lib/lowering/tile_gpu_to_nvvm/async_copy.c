/* Asynchronous copies from global to shared memory, and the waits for them.

   One cp.async copies registers' worth of elements that are adjacent in global memory (axis info: one
   mask, aligned) and in the buffer. It takes 4, 8 or 16 bytes; a tile that allows no such width is loaded
   into registers and stored into the buffer at once. Of the holders of an element one copies it. Tokens
   are no values of a thread: they are gone here. */
#include "ir/tile_ops.h"
#include "layout/exchange.h"
#include "lowering/tile_gpu_to_nvvm/lowering.h"

enum { LEAST_BYTES = 4, WHOLE_LINE_BYTES = 16 };

/* Are all accesses of `side` registers r, r + 1, ..., from a multiple of their number on? */
static bool is_in_register_order(struct lowering *lw, const struct exchange_side *side, int all) {
  uint32_t *registers = ARENA_ARRAY(&lw->arena, uint32_t, (size_t)all);
  int count = exchange_registers(side, registers);
  for (int i = 0; i < count; i++)
    if (registers[i] != registers[i - i % side->vector] + (uint32_t)(i % side->vector) ||
        (i % side->vector == 0 && registers[i] % (uint32_t)side->vector))
      return false;
  return true;
}

struct copy_state {
  const struct lowered *pointers, *mask; /* mask: NULL for none */
  MlirValue predicate;                   /* this thread copies; null: every thread does */
  int64_t bytes;
};

static void build_one_copy(struct lowering *lw, MlirValue address, int r, void *data) {
  const struct copy_state *state = data;
  MlirContext context = lw->session->context;
  MlirType i32 = integer_type(&lw->b, 32);
  MlirValue source_bytes = constant_integer(lw, 32, state->bytes);
  if (state->mask)
    source_bytes = BUILD(&lw->b, "arith.select",
                         IN(register_value(lw, state->mask, r), source_bytes,
                            constant_integer(lw, 32, 0)),
                         OUT(i32));
  MlirValue in[] = {address, register_value(lw, state->pointers, r), source_bytes,
                    state->predicate};
  bool line = state->bytes == WHOLE_LINE_BYTES;
  BUILD_OP(&lw->b, "tile_ptx.cp_async", .in = in,
           .in_count = mlirValueIsNull(state->predicate) ? 3 : 4,
           ATTRIBUTES(attribute_named(context, "bytes", attribute_integer(context, 32, state->bytes)),
                      attribute_named(context, "cache", attribute_string(context, line ? "cg" : "ca"))));
}

/* Zeros for what the mask leaves out. */
static struct lowered *zeros(struct lowering *lw, MlirType type) {
  struct lowered *zero = lowered_create(lw, type);
  for (int r = 0; r < zero->count && !zero->width; r++)
    zero->base[r] = constant_attribute(
        lw, mlirFloatAttrDoubleGet(lw->session->context, zero->type, 0), zero->type);
  return zero;
}

static void load_and_store(struct lowering *lw, const struct tile_async_copy *copy,
                           const struct shared_view *view, struct exchange_side *side) {
  MlirType pointers = mlirValueGetType(copy->pointers);
  MlirType element = pointer_pointee(&lw->session->types, type_element(pointers));
  MlirType tile = type_with_element(pointers, element);
  const struct lowered *other = mlirValueIsNull(copy->mask) ? NULL : zeros(lw, tile);
  struct lowered *value = build_tile_load(lw, copy->pointers, copy->mask, other, tile);
  build_buffer_stores(lw, side, view->start, 0, view->bytes, value);
  build_proxy_fence(lw);
}

MlirLogicalResult lower_async_copy(struct lowering *lw, MlirOperation op) {
  struct tile_async_copy copy;
  if (!tile_async_copy_read(op, &copy))
    return fail_op(op, "malformed operands");
  const struct shared_view *view = shared_view_of(lw, op, copy.buffer);
  if (!view)
    return FAILURE;
  const struct linear_layout *layout = layout_of_pointer(lw, copy.pointers);
  const struct lowered *pointers = lowered_of(lw, copy.pointers);
  struct exchange_side side =
      exchange_placed(layout, &view->place, view->origin, true, (int)view->bytes);
  struct exchange_side wide = side;
  int width = access_width(lw, copy.pointers, copy.mask);
  wide.vector = side.vector < width ? side.vector : width;
  while (wide.vector > 1 && !is_in_register_order(lw, &wide, pointers->count))
    wide.vector /= 2;
  int64_t bytes = (int64_t)wide.vector * view->bytes;
  lowered_set(lw, op_result(op, 0), lowered_create(lw, op_result_type(op, 0)));
  if (bytes < LEAST_BYTES) {
    load_and_store(lw, &copy, view, &side);
    return SUCCESS;
  }
  struct copy_state state = {.pointers = pointers,
                             .mask = mlirValueIsNull(copy.mask) ? NULL : lowered_of(lw, copy.mask),
                             .predicate = storing_thread(lw, layout),
                             .bytes = bytes};
  build_buffer_copies(lw, &wide, view->start, view->bytes, build_one_copy, &state);
  return SUCCESS;
}

MlirLogicalResult lower_async_commit(struct lowering *lw, MlirOperation op) {
  BUILD_OP(&lw->b, "tile_ptx.cp_async_commit", .in = NULL);
  lowered_set(lw, op_result(op, 0), lowered_create(lw, op_result_type(op, 0)));
  return SUCCESS;
}

MlirLogicalResult lower_async_wait(struct lowering *lw, MlirOperation op) {
  MlirContext context = lw->session->context;
  MlirAttribute pending = attribute_integer(context, 32, op_integer(op, "pending", 0));
  BUILD_OP(&lw->b, "tile_ptx.cp_async_wait",
           ATTRIBUTES(attribute_named(context, "pending", pending)));
  lowered_set(lw, op_result(op, 0), lowered_create(lw, op_result_type(op, 0)));
  return SUCCESS;
}
