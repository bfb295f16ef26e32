/* SPDX-License-Identifier: MIT */
/* NVIDIA's device, threads and grids among each other: nvvm operations (PTX ISA, bar, shfl, redux,
   griddepcontrol). */
#include <stdio.h>
#include "ir/module_target.h"
#include "lowering/nvvm/nvvm.h"

/* The attribute `kind` of an nvvm operation. */
static MlirNamedAttribute kind_attribute(struct lowering *lw, const char *enumeration,
                                         const char *word) {
  MlirContext context = lw->session->context;
  struct text text = {0};
  text_printf(&text, "#nvvm<%s %s>", enumeration, word);
  MlirAttribute value = mlirAttributeParseGet(context, ref(text_string(&text)));
  text_free(&text);
  return attribute_named(context, "kind", value);
}

MlirValue nvvm_index(struct lowering *lw, enum device_index index, int axis) {
  static const char *const families[] = {"tid", "ctaid", "nctaid"};
  char name[48];
  snprintf(name, sizeof name, "nvvm.read.ptx.sreg.%s.%c", families[index], "xyz"[axis]);
  return BUILD(&lw->b, name, OUT(integer_type(&lw->b, 32)));
}

/* The consumers' is one of their own: the producer does not come. */
void nvvm_barrier(struct lowering *lw) {
  enum { OF_CONSUMERS = 1 };
  if (lw->role == ROLE_CONSUMERS) {
    MlirValue in[] = {constant_integer(lw, 32, OF_CONSUMERS),
                      constant_integer(lw, 32, lw->num_warps * MACHINE_LANES)};
    BUILD_OP(&lw->b, "nvvm.barrier", INS(in, 2),
             ATTRIBUTES(attribute_named(
                 lw->session->context, "operandSegmentSizes",
                 attribute_dense_i32(lw->session->context, 3, (int32_t[]){1, 1, 0}))));
    return;
  }
  BUILD_OP(&lw->b, "nvvm.barrier0", .in = NULL);
}

void nvvm_warp_barrier(struct lowering *lw) {
  BUILD_OP(&lw->b, "nvvm.bar.warp.sync", IN(constant_integer(lw, 32, -1)));
}

MlirValue nvvm_shuffle(struct lowering *lw, enum device_shuffle kind, MlirValue word,
                       MlirValue operand) {
  enum { ALL = MACHINE_LANES - 1 }; /* lanes are not divided into segments */
  return BUILD(&lw->b, "nvvm.shfl.sync",
               IN(constant_integer(lw, 32, -1), word, operand, constant_integer(lw, 32, ALL)),
               OUT(integer_type(&lw->b, 32)),
               ATTRIBUTES(kind_attribute(lw, "shfl_kind", kind == SHUFFLE_LANE ? "idx" : "bfly")));
}

/* PTX ISA, redux.sync. */
static const char *redux_word(enum op_kind combiner) {
  static const struct {
    enum op_kind kind;
    const char *word;
  } rows[] = {
      {OP_ARITH_ADDI, "add"},   {OP_ARITH_ANDI, "and"},   {OP_ARITH_ORI, "or"},
      {OP_ARITH_XORI, "xor"},   {OP_ARITH_MINSI, "min"},  {OP_ARITH_MAXSI, "max"},
      {OP_ARITH_MINUI, "umin"}, {OP_ARITH_MAXUI, "umax"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (combiner == rows[i].kind)
      return rows[i].word;
  return NULL;
}

bool nvvm_reduces(enum op_kind combiner) {
  return redux_word(combiner) != NULL;
}

MlirValue nvvm_reduce(struct lowering *lw, enum op_kind combiner, MlirValue word) {
  return BUILD(&lw->b, "nvvm.redux.sync", IN(word, constant_integer(lw, 32, -1)),
               OUT(integer_type(&lw->b, 32)),
               ATTRIBUTES(kind_attribute(lw, "redux_kind", redux_word(combiner))));
}

/* grid_wait and grid_launch: programmatic dependent launch. */
static MlirLogicalResult lower_dependency(struct lowering *lw, MlirOperation op, const char *kind) {
  if (machine_has(machine_of(op), FEATURE_GRID_DEPENDENCY))
    BUILD_OP(&lw->b, "nvvm.griddepcontrol",
             ATTRIBUTES(kind_attribute(lw, "grid_dep_action", kind)));
  return SUCCESS;
}

MlirLogicalResult nvvm_grid_wait(struct lowering *lw, MlirOperation op) {
  return lower_dependency(lw, op, "wait");
}

MlirLogicalResult nvvm_grid_launch(struct lowering *lw, MlirOperation op) {
  return lower_dependency(lw, op, "launch_dependents");
}
