/* SPDX-License-Identifier: MIT */
/* Loads and stores: vector accesses of up to 16 bytes, predicated where there is a mask.

   Register r starts an access of `vector` registers when those hold consecutive elements along one
   dimension (from the layout), whose addresses are consecutive and aligned to the access's size,
   and whose masks are equal (both from axis info).

   Where several threads hold one element, all of them load it and one of them stores it;
   tile-gpu-insert-barriers has put barriers between such accesses, or marked loads of which no
   copies are wanted. */
#include <string.h>
#include "analysis/mask_prefix.h"
#include "ir/tile_ops.h"
#include "lowering/tile_gpu_to_llvm/device_ops.h"

enum { MAX_ACCESS_BYTES = 16 };

static int64_t smaller(int64_t a, int64_t b) {
  return a < b ? a : b;
}

typedef int64_t mask_run(struct axis_analysis *analysis, MlirValue mask, int dim);

static int widest_access(struct lowering *lw, MlirValue pointer, MlirValue mask, mask_run *run_of,
                         int *out_dim) {
  MlirType type = mlirValueGetType(pointer);
  *out_dim = 0;
  if (!type_is_tensor(type))
    return 1;
  const struct linear_layout *layout = layout_to_linear(&lw->session->layouts, type);
  struct type_cache *types = &lw->session->types;
  int64_t bytes = type_bytes(types, pointer_pointee(types, type_element(type)));
  int64_t best = 1;
  for (int dim = 0; dim < layout_space_rank(&layout->out); dim++) {
    int64_t run = linear_layout_contiguous_run(layout, (enum layout_dim)(LAYOUT_DIM0 + dim));
    run = smaller(run, axis_pointer_contiguity(&lw->axis, lw->session, pointer, dim));
    if (!mlirValueIsNull(mask))
      run = smaller(run, run_of(&lw->axis, mask, dim));
    if (run > best) {
      best = run;
      *out_dim = dim;
    }
  }
  return (int)smaller(best, MAX_ACCESS_BYTES / bytes);
}

int access_width(struct lowering *lw, MlirValue pointer, MlirValue mask) {
  int dim;
  return widest_access(lw, pointer, mask, axis_mask_constancy, &dim);
}

int copy_width(struct lowering *lw, MlirValue pointer, MlirValue mask, int *out_dim) {
  return widest_access(lw, pointer, mask, mask_prefix, out_dim);
}

/* --- Types in memory -------------------------------------------------------------------------- */

MlirType memory_type(struct lowering *lw, const struct lowered *value) {
  if (value->pointer || mlirTypeIsAIndex(value->type))
    return integer_type(&lw->b, 64);
  if (value->width == 1)
    return integer_type(&lw->b, 8);
  return value->type;
}

MlirValue register_to_memory(struct lowering *lw, const struct lowered *value, MlirValue x) {
  MlirType type = memory_type(lw, value);
  if (value->pointer)
    return BUILD(&lw->b, "llvm.ptrtoint", IN(x), OUT(type));
  if (mlirTypeIsAIndex(value->type))
    return BUILD(&lw->b, "arith.index_cast", IN(x), OUT(type));
  if (value->width == 1)
    return BUILD(&lw->b, "arith.extui", IN(x), OUT(type));
  return x;
}

MlirValue register_from_memory(struct lowering *lw, const struct lowered *value, MlirValue x) {
  if (value->pointer)
    return BUILD(&lw->b, "llvm.inttoptr", IN(x), OUT(value->type));
  if (mlirTypeIsAIndex(value->type))
    return BUILD(&lw->b, "arith.index_cast", IN(x), OUT(value->type));
  if (value->width == 1)
    return build_compare(&lw->b, I_UNEQUAL, x, constant_integer(lw, 8, 0));
  return x;
}

static MlirType access_type(MlirType element, int vector) {
  return vector == 1 ? element : mlirVectorTypeGet(1, (int64_t[]){vector}, element);
}

/* `vector` registers from `r` on as one value of the access's type. */
static MlirValue pack(struct lowering *lw, const struct lowered *value, int r, int vector) {
  MlirValue elements[MAX_ACCESS_BYTES];
  for (int i = 0; i < vector; i++)
    elements[i] = register_to_memory(lw, value, register_value(lw, value, r + i));
  return build_vector(lw, elements, vector);
}

static void unpack(struct lowering *lw, struct lowered *result, int r, int vector,
                   MlirValue packed) {
  split_vector(lw, packed, result->base + r, vector);
  for (int i = r; i < r + vector; i++) {
    result->base[i] = register_from_memory(lw, result, result->base[i]);
    result->offset[i] = 0;
  }
}

/* --- Accesses --------------------------------------------------------------------------------- */

/* What an access says beside its operands (device_ops.h), and a plain access's alignment. */
struct access_hints {
  MlirNamedAttribute list[8];
  intptr_t count;
  bool special;     /* has hints that a plain access cannot carry */
  MlirValue chosen; /* whether this thread accesses at all; null: it does */
};

static struct access_hints read_hints(struct lowering *lw, MlirOperation op) {
  static const char *const names[] = {"cache", "evict", "volatile"};
  struct access_hints hints = {0};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (op_has_attribute(op, names[i])) {
      MlirAttribute value = mlirOperationGetAttributeByName(op, ref(names[i]));
      hints.list[hints.count++] = attribute_named(lw->session->context, names[i], value);
    }
  hints.special = hints.count > 0;
  return hints;
}

/* Which registers of which tile an access takes: tile-list-schedule may exchange accesses of
   different elements. Not where two registers hold the same one. */
static void note_place(struct lowering *lw, struct access_hints *hints, MlirType pointers, int r,
                       int vector) {
  const struct linear_layout *layout =
      type_is_tensor(pointers) ? layout_to_linear(&lw->session->layouts, pointers) : NULL;
  if (!lw->few_registers || !layout)
    return;
  for (int bit = 0; bit < layout->in.bits[LAYOUT_REGISTER]; bit++)
    if (linear_layout_basis(layout, LAYOUT_REGISTER, bit) == 0)
      return;
  int64_t shape[MAX_RANK];
  int rank = type_shape(pointers, shape);
  MlirContext context = lw->session->context;
  MlirType tile =
      mlirRankedTensorTypeGet(rank, shape, mlirIntegerTypeGet(context, 1), type_layout(pointers));
  hints->list[hints->count++] = attribute_with(context, ATTR_ELEMENTS_OF, mlirTypeAttrGet(tile));
  hints->list[hints->count++] =
      attribute_with(context, ATTR_ELEMENTS_FIRST, attribute_integer(context, 32, r));
  hints->list[hints->count++] =
      attribute_with(context, ATTR_ELEMENTS_COUNT, attribute_integer(context, 32, vector));
}

MlirValue conjunction(struct lowering *lw, MlirValue a, MlirValue b) {
  if (mlirValueIsNull(a))
    return b;
  if (mlirValueIsNull(b))
    return a;
  return BUILD(&lw->b, "arith.andi", IN(a, b), OUT(integer_type(&lw->b, 1)));
}

/* llvm.load or llvm.store; the result of the one. */
static MlirValue emit_plain(struct lowering *lw, const char *name, const MlirValue *in,
                            intptr_t in_count, const MlirType *out, int64_t bytes,
                            const struct access_hints *hints) {
  struct access_hints all = *hints;
  all.list[all.count++] = llvm_alignment(lw->session->context, bytes);
  MlirOperation op = BUILD_OP(&lw->b, name, INS(in, in_count), OUTS(out, out ? 1 : 0),
                              ATTRIBUTE_LIST(all.list, all.count));
  return out ? op_result(op, 0) : (MlirValue){0};
}

static MlirValue emit_load(struct lowering *lw, MlirValue address, MlirValue predicate,
                           MlirValue other, MlirType type, int64_t bytes,
                           const struct access_hints *hints) {
  if (mlirValueIsNull(predicate) && !hints->special)
    return emit_plain(lw, "llvm.load", &address, 1, &type, bytes, hints);
  return lw->device->load(
      lw, &(struct device_access){address, predicate, hints->list, hints->count}, other, type);
}

/* Register bits that change neither a load's address nor its mask. */
static uint32_t equal_accesses(struct lowering *lw, MlirValue pointer, MlirValue mask) {
  MlirType type = mlirValueGetType(pointer);
  if (!type_is_tensor(type))
    return 0;
  const struct linear_layout *layout = layout_to_linear(&lw->session->layouts, type);
  uint32_t equal = axis_equal_registers(axis_info_of(&lw->axis, pointer), layout);
  return mlirValueIsNull(mask)
             ? equal
             : equal & axis_equal_registers(axis_info_of(&lw->axis, mask), layout);
}

static bool same_register(const struct lowered *value, int a, int b) {
  return !value ||
         (mlirValueEqual(value->base[a], value->base[b]) && value->offset[a] == value->offset[b]);
}

/* A tile of `type` from `pointer`; mask null: none; other NULL: none. What is at one address is
   loaded once. */
static struct lowered *load_tile(struct lowering *lw, MlirValue pointer, MlirValue mask,
                                 const struct lowered *other, MlirType type,
                                 const struct access_hints *hints) {
  const struct lowered *from = lowered_of(lw, pointer);
  const struct lowered *where = mlirValueIsNull(mask) ? NULL : lowered_of(lw, mask);
  struct lowered *result = lowered_create(lw, type);
  int vector = access_width(lw, pointer, mask);
  MlirType memory = memory_type(lw, result);
  int64_t bytes = type_bytes(&lw->session->types, memory) * vector;
  uint32_t equal = hints->special || vector > 1 ? 0 : equal_accesses(lw, pointer, mask);
  for (int r = 0; r < result->count; r += vector) {
    int first = r & (int)~equal;
    if (first < r && same_register(other, first, r)) {
      result->base[r] = result->base[first];
      result->offset[r] = result->offset[first];
      continue;
    }
    MlirValue address = register_value(lw, from, r);
    MlirValue predicate =
        conjunction(lw, where ? register_value(lw, where, r) : (MlirValue){0}, hints->chosen);
    MlirValue rest = other ? pack(lw, other, r, vector) : (MlirValue){0};
    struct access_hints noted = *hints;
    note_place(lw, &noted, mlirValueGetType(pointer), r, vector);
    MlirValue packed =
        emit_load(lw, address, predicate, rest, access_type(memory, vector), bytes, &noted);
    unpack(lw, result, r, vector, packed);
  }
  return result;
}

struct lowered *build_tile_load(struct lowering *lw, MlirValue pointer, MlirValue mask,
                                const struct lowered *other, MlirType type) {
  struct access_hints hints = {0};
  return load_tile(lw, pointer, mask, other, type, &hints);
}

MlirLogicalResult lower_load(struct lowering *lw, MlirOperation op) {
  struct tile_load load;
  if (!tile_load_read(op, &load))
    return fail_op(op, "malformed operands");
  struct lowered *other = mlirValueIsNull(load.other) ? NULL : lowered_of(lw, load.other);
  struct access_hints hints = read_hints(lw, op);
  if (attribute_has(op, ATTR_BY_HOLDERS))
    hints.chosen = storing_thread(lw, layout_of_pointer(lw, load.pointer));
  lowered_set(lw, op_result(op, 0),
              load_tile(lw, load.pointer, load.mask, other, op_result_type(op, 0), &hints));
  return SUCCESS;
}

static void emit_store(struct lowering *lw, MlirValue address, MlirValue value, MlirValue predicate,
                       int64_t bytes, const struct access_hints *hints) {
  if (mlirValueIsNull(predicate) && !hints->special) {
    emit_plain(lw, "llvm.store", (MlirValue[]){value, address}, 2, NULL, bytes, hints);
    return;
  }
  lw->device->store(lw, &(struct device_access){address, predicate, hints->list, hints->count},
                    value);
}

MlirLogicalResult lower_store(struct lowering *lw, MlirOperation op) {
  struct tile_store store;
  if (!tile_store_read(op, &store))
    return fail_op(op, "malformed operands");
  struct lowered *pointer = lowered_of(lw, store.pointer);
  struct lowered *value = lowered_of(lw, store.value);
  struct lowered *mask = mlirValueIsNull(store.mask) ? NULL : lowered_of(lw, store.mask);
  MlirValue canonical = storing_thread(lw, layout_of_pointer(lw, store.pointer));
  struct access_hints hints = read_hints(lw, op);
  int vector = access_width(lw, store.pointer, store.mask);
  int64_t bytes = type_bytes(&lw->session->types, memory_type(lw, value)) * vector;
  for (int r = 0; r < pointer->count; r += vector) {
    MlirValue address = register_value(lw, pointer, r);
    MlirValue predicate = mask ? register_value(lw, mask, r) : (MlirValue){0};
    struct access_hints noted = hints;
    note_place(lw, &noted, op_operand_type(op, 0), r, vector);
    emit_store(lw, address, pack(lw, value, r, vector), conjunction(lw, predicate, canonical),
               bytes, &noted);
  }
  return SUCCESS;
}

/* Pointers that are a distance from others, the same for all: LLVM's loop strength reduction would
   carry them through a loop beside those; so it may not see what they are made of. */
static struct lowered *prefetched_pointers(struct lowering *lw, MlirValue pointer) {
  MlirOperation sum = value_definition(pointer), all = {0};
  if (!mlirOperationIsNull(sum) && kind_of(lw->session, sum) == OP_TILE_ADDPTR)
    all = value_definition(op_operand(sum, 1));
  if (mlirOperationIsNull(all) || kind_of(lw->session, all) != OP_TILE_SPLAT)
    return lowered_of(lw, pointer);
  const struct lowered *from = lowered_of(lw, op_operand(sum, 0));
  struct lowered *hidden = lowered_like(lw, from, from->count);
  MlirValue distance = register_value(lw, lowered_of(lw, op_operand(all, 0)), 0);
  MlirValue last = {0}, moved = {0};
  for (int r = 0; r < from->count; r++) {
    if (from->base[r].ptr != last.ptr) {
      last = from->base[r];
      moved = BUILD(&lw->b, "llvm.intr.strip.invariant.group", IN(last), OUT(pointer_type(lw)));
      moved = build_advance(lw, mlirValueGetType(pointer), moved, distance);
    }
    hidden->base[r] = moved;
    hidden->offset[r] = from->offset[r];
  }
  return hidden;
}

/* Those of 8 bytes or more at a time, one instruction each. Where accesses are narrower, there
   would be more of them than they are worth. */
MlirLogicalResult lower_prefetch(struct lowering *lw, MlirOperation op) {
  enum { LEAST_BYTES = 8 };
  MlirValue pointer = op_operand(op, 0), mask = op_operand(op, 1);
  struct lowered *where = lowered_of(lw, mask);
  int vector = access_width(lw, pointer, mask);
  struct type_cache *types = &lw->session->types;
  MlirType element = pointer_pointee(types, type_element(mlirValueGetType(pointer)));
  if (vector * (int64_t)type_bytes(types, element) < LEAST_BYTES)
    return SUCCESS;
  struct lowered *addresses = prefetched_pointers(lw, pointer);
  for (int r = 0; r < addresses->count; r += vector)
    lw->device->prefetch(lw, register_value(lw, addresses, r), register_value(lw, where, r));
  return SUCCESS;
}
