/* SPDX-License-Identifier: MIT */
/* Atomic operations: each element is touched once, and every thread that holds it gets the old
   value.

   Of the threads that hold an element one executes the instruction: that whose redundant lane and
   warp bits are zero, as for a store; for a scalar, thread 0. If the old value is used, it goes to
   the others through shared memory:

     old = atom under (mask and this thread is the one)
     scratch[element] = old       that thread
     barrier
     old = scratch[element]       every holder

   Floats that lie side by side are added by one instruction, as many as the device can
   (tile_atomic_width). Where a thread executes several instructions, what orders each of them costs
   as much as a fence does. So there is a fence before them all and one after, and they are relaxed.
   What nothing follows has nothing to acquire. A scalar's instruction says what was asked for.

   Floats have no max and min (those of 16 bits become a loop in tile-ptx-to-asm); of numbers with
   one sign the bits are ordered as integers are, so that two integer instructions, one for each
   sign of the operand, do it. */
#include "analysis/scratch.h"
#include "ir/tile_ops.h"
#include "lowering/tile_gpu_to_llvm/device_ops.h"

/* One atomic operation being lowered. */
struct atomic {
  struct lowering *lw;
  MlirOperation op;
  MlirStringRef kind, sem, scope;                   /* kind: empty for a compare-and-swap */
  const struct linear_layout *layout;               /* NULL: a scalar */
  struct lowered *pointer, *value, *compare, *mask; /* the last two: NULL when absent */
  MlirValue chosen;                                 /* i1: this thread executes; null: all do */
  int vector;                                       /* registers per instruction */
};

static MlirStringRef string_or(MlirOperation op, const char *name, const char *fallback) {
  return op_has_attribute(op, name) ? op_string(op, name) : ref(fallback);
}

static struct atomic read_atomic(struct lowering *lw, MlirOperation op) {
  bool cas = kind_of(lw->session, op) == OP_TILE_ATOMIC_CAS;
  bool masked = !cas && mlirOperationGetNumOperands(op) == 3;
  return (struct atomic){.lw = lw,
                         .op = op,
                         .kind = op_string(op, "kind"),
                         .sem = string_or(op, "sem", "acq_rel"),
                         .scope = string_or(op, "scope", "gpu"),
                         .layout = layout_of_pointer(lw, op_operand(op, 0)),
                         .pointer = lowered_of(lw, op_operand(op, 0)),
                         .value = lowered_of(lw, op_operand(op, cas ? 2 : 1)),
                         .compare = cas ? lowered_of(lw, op_operand(op, 1)) : NULL,
                         .mask = masked ? lowered_of(lw, op_operand(op, 2)) : NULL,
                         .vector = 1};
}

/* --- One instruction -------------------------------------------------------------------------- */

static MlirValue emit_rmw(struct atomic *a, MlirValue address, MlirValue predicate, MlirValue value,
                          MlirStringRef kind) {
  return a->lw->device->atomic(a->lw, &(struct device_atomic){.address = address,
                                                              .predicate = predicate,
                                                              .value = value,
                                                              .kind = kind,
                                                              .sem = a->sem,
                                                              .scope = a->scope});
}

static MlirValue emit_not(struct lowering *lw, MlirValue x) {
  return BUILD(&lw->b, "arith.xori", IN(x, constant_integer(lw, 1, 1)),
               OUT(integer_type(&lw->b, 1)));
}

/* max of floats: max.s of the bits where the operand's sign is clear, min.u where it is set; min:
   min.s and max.u. */
static MlirValue emit_float_extremum(struct atomic *a, MlirValue address, MlirValue predicate,
                                     MlirValue value) {
  struct lowering *lw = a->lw;
  MlirType type = mlirValueGetType(value);
  unsigned width = type_bits(&lw->session->types, type);
  bool is_max = ref_equals(a->kind, "max");
  MlirType word = integer_type(&lw->b, width);
  MlirValue bits = BUILD(&lw->b, "arith.bitcast", IN(value), OUT(word));
  MlirValue positive = build_compare(&lw->b, I_NOT_LESS, bits, constant_integer(lw, width, 0));
  MlirValue of_positive =
      emit_rmw(a, address, conjunction(lw, predicate, positive), bits, ref(is_max ? "max" : "min"));
  MlirValue of_negative = emit_rmw(a, address, conjunction(lw, predicate, emit_not(lw, positive)),
                                   bits, ref(is_max ? "umin" : "umax"));
  MlirValue old = BUILD(&lw->b, "arith.select", IN(positive, of_positive, of_negative), OUT(word));
  return BUILD(&lw->b, "arith.bitcast", IN(old), OUT(type));
}

/* `vector` registers from r on, as one value. */
static MlirValue pack(struct atomic *a, const struct lowered *registers, int r) {
  enum { MAX_ELEMENTS = 8 };
  MlirValue elements[MAX_ELEMENTS];
  for (int i = 0; i < a->vector; i++)
    elements[i] = register_value(a->lw, registers, r + i);
  return build_vector(a->lw, elements, a->vector);
}

/* Floats of 16 bits have them. */
static bool is_float_extremum(struct atomic *a) {
  return (ref_equals(a->kind, "max") || ref_equals(a->kind, "min")) &&
         type_is_float(a->value->type) && type_bits(&a->lw->session->types, a->value->type) >= 32;
}

static MlirValue emit_atomic(struct atomic *a, int r) {
  struct lowering *lw = a->lw;
  MlirValue address = register_value(lw, a->pointer, r), value = pack(a, a->value, r);
  MlirValue predicate = a->mask ? register_value(lw, a->mask, r) : (MlirValue){0};
  predicate = conjunction(lw, predicate, a->chosen);
  if (mlirValueIsNull(predicate))
    predicate = constant_integer(lw, 1, 1);
  if (a->compare)
    return lw->device->atomic(lw,
                              &(struct device_atomic){.address = address,
                                                      .predicate = predicate,
                                                      .compare = register_value(lw, a->compare, r),
                                                      .value = value,
                                                      .sem = a->sem,
                                                      .scope = a->scope});
  if (is_float_extremum(a))
    return emit_float_extremum(a, address, predicate, value);
  return emit_rmw(a, address, predicate, value, a->kind);
}

/* --- The old value for all holders ------------------------------------------------------------ */

static MlirValue share_scalar(struct atomic *a, MlirValue old, unsigned bytes, int64_t offset) {
  struct lowering *lw = a->lw;
  MlirValue address = shared_address(lw, (MlirValue){0}, bytes, offset);
  MlirNamedAttribute alignment = llvm_alignment(lw->session->context, bytes);
  lw->device->store(lw, &(struct device_access){address, a->chosen, NULL, 0}, old);
  build_barrier(lw);
  return BUILD(&lw->b, "llvm.load", IN(address), OUT(mlirValueGetType(old)), ATTRIBUTES(alignment));
}

/* The threads that executed it store what they got, and all load it. */
static MlirLogicalResult share_result(struct atomic *a, struct lowered *result) {
  struct lowering *lw = a->lw;
  unsigned bytes = type_bytes(&lw->session->types, result->type);
  int64_t needed = atomic_bytes(lw->session, a->op), offset;
  if (needed == 0)
    return SUCCESS;
  TRY_IR(scratch_offset(lw, a->op, needed, &offset));
  if (!a->layout) {
    result->base[0] = share_scalar(a, result->base[0], bytes, offset);
    return SUCCESS;
  }
  struct conversion_side side = conversion_row_major(a->layout, (int)bytes);
  build_conversion_stores(lw, &side, offset, bytes, result);
  build_barrier(lw);
  build_conversion_loads(lw, &side, offset, bytes, result);
  return SUCCESS;
}

/* --- The operation ---------------------------------------------------------------------------- */

static int packed_width(struct atomic *a) {
  MlirValue mask = a->mask ? op_operand(a->op, 2) : (MlirValue){0};
  int most = tile_atomic_width(a->op), width = access_width(a->lw, op_operand(a->op, 0), mask);
  return width < most ? width : most;
}

/* Register bits that do not matter: registers that differ in them hold the same element. */
static int register_copies(const struct linear_layout *layout) {
  return layout ? (int)linear_layout_free_masks(layout).at[LAYOUT_REGISTER] : 0;
}

/* Is what follows in the kernel, in whatever branch, nothing but arithmetic? */
static bool is_last(struct session *session, MlirOperation op) {
  for (; kind_of(session, op) != OP_FUNC; op = mlirOperationGetParentOperation(op)) {
    if (op_has(session, op, IS_LOOP))
      return false;
    MlirOperation next = mlirOperationGetNextInBlock(op);
    for (; !mlirOperationIsNull(next); next = mlirOperationGetNextInBlock(next)) {
      enum op_effects effects = op_info(&session->names, next)->effects;
      if (effects != EFFECTS_PURE && effects != EFFECTS_TERMINATOR)
        return false;
    }
  }
  return true;
}

/* What its `sem` asks for; for a tile, as far as anything follows that it can be seen by. */
static void read_order(struct atomic *a, bool *acquires, bool *releases) {
  bool both = ref_equals(a->sem, "acq_rel"), seen = !a->layout || !is_last(a->lw->session, a->op);
  *releases = both || ref_equals(a->sem, "release");
  *acquires = (both || ref_equals(a->sem, "acquire")) && seen;
  static const char *const sems[2][2] = {{"relaxed", "release"}, {"acquire", "acq_rel"}};
  a->sem = ref(sems[*acquires][*releases]);
}

static void emit_all(struct atomic *a, struct lowered *result, int copies) {
  for (int r = 0; r < result->count; r += a->vector)
    if (!(r & copies))
      split_vector(a->lw, emit_atomic(a, r), result->base + r, a->vector);
}

static MlirLogicalResult lower_atomic(struct lowering *lw, MlirOperation op) {
  struct atomic a = read_atomic(lw, op);
  a.chosen = storing_thread(lw, a.layout);
  a.vector = packed_width(&a);
  struct lowered *result = lowered_create(lw, op_result_type(op, 0));
  int copies = register_copies(a.layout);
  bool acquires, releases;
  read_order(&a, &acquires, &releases);
  bool several = a.layout && ((result->count >> __builtin_popcount((unsigned)copies)) > a.vector ||
                              is_float_extremum(&a));
  if (several)
    a.sem = ref("relaxed");
  if (several && releases)
    lw->device->fence(lw, a.scope);
  emit_all(&a, result, copies);
  if (several && acquires)
    lw->device->fence(lw, a.scope);
  TRY_IR(share_result(&a, result));
  for (int r = 0; r < result->count; r++)
    result->base[r] = result->base[r & ~copies];
  lowered_set(lw, op_result(op, 0), result);
  return SUCCESS;
}

MlirLogicalResult lower_atomic_rmw(struct lowering *lw, MlirOperation op) {
  return lower_atomic(lw, op);
}

MlirLogicalResult lower_atomic_cas(struct lowering *lw, MlirOperation op) {
  return lower_atomic(lw, op);
}
