/* SPDX-License-Identifier: MIT */
/* Every operation that our passes know by name, as one enum, and what is known of its effects.

   The rows come from dialects/<dialect>/ops.def, upstream_ops.def and lowered_ops.def. A session
   interns the names once; afterwards finding an operation's kind is one look-up by pointer. */
#ifndef TILE_IR_OPS_H
#define TILE_IR_OPS_H

#include <mlir-c/IR.h>
#include <stdbool.h>
#include <stddef.h>
#include "base/map.h"

enum op_kind {
  OP_OTHER, /* none of ours; see op_effects for what its dialect says */
#define X(id, ...) OP_##id,
#include "../dialects/tile/ops.def"
#include "../dialects/tile_gpu/ops.def"
#include "../dialects/tile_ptx/ops.def"
#include "ir/upstream_ops.def"
#include "ir/lowered_ops.def"
#undef X
  OP_KIND_COUNT
};

enum op_effects {
  EFFECTS_UNKNOWN,       /* may do anything: leave it alone */
  EFFECTS_PURE,          /* removable, mergeable, movable */
  EFFECTS_PURE_MAY_TRAP, /* the same, but not executable where it was not: division */
  EFFECTS_READ,          /* reads memory: removable */
  EFFECTS_WRITE,
  EFFECTS_HINT,      /* removable only together with what it speaks of */
  EFFECTS_REGION,    /* structured control flow: the effects of its body */
  EFFECTS_TERMINATOR /* ends a block */
};

/* Properties of operations, as a set of bits. */
enum op_property_number {
#define X(property, ...) NUMBER_OF_##property,
#include "ir/op_properties.def"
#undef X
  OP_PROPERTY_COUNT
};

enum op_property {
  NO_PROPERTY = 0,
#define X(property, ...) property = 1 << NUMBER_OF_##property,
#include "ir/op_properties.def"
#undef X
};

/* Ours first; from DIALECT_UPSTREAM on they are MLIR's. */
enum op_dialect {
  DIALECT_TILE,
  DIALECT_TILE_GPU,
  DIALECT_TILE_PTX,
  DIALECT_UPSTREAM, /* any that is not told apart */
  DIALECT_LLVM,
  DIALECT_INTRINSIC, /* llvm.intr.* */
  DIALECT_NVVM
};

/* One row of an ops.def. The fields after `summary` are NULL where the dialect has no such column.
 */
struct op_info {
  enum op_kind kind;
  enum op_dialect dialect;
  enum op_effects effects;
  enum op_property properties; /* any number of them, joined by | */
  const char *name, *summary, *description;
  const char *ptx, *constraints, *emulator; /* tile_ptx only */
};

/* The table, indexed by kind; row 0 (OP_OTHER) is empty. */
extern const struct op_info op_table[OP_KIND_COUNT];

struct op_names {
  struct map by_identifier; /* MlirIdentifier.ptr -> const struct op_info * */
  struct op_info pure_asm;
};

void op_names_create(struct op_names *names, MlirContext context);
void op_names_destroy(struct op_names *names);

/* Never NULL: operations without a row share one for each dialect that is told apart. A
   tile.inline_asm with `pure = true` has its row with the effects PURE. */
const struct op_info *op_info(struct op_names *names, MlirOperation op);

/* Does the row have that property (op_properties.def), or one of several joined by |? */
static inline bool kind_has(enum op_kind kind, enum op_property property) {
  return (op_table[kind].properties & property) != 0;
}

/* Is `kind` one of those that follow? KIND_IN(kind, OP_SCF_FOR, OP_SCF_IF) */
#define KIND_IN(kind, ...)                                                                         \
  kind_in((kind), (const enum op_kind[]){__VA_ARGS__},                                             \
          sizeof((const enum op_kind[]){__VA_ARGS__}) / sizeof(enum op_kind))
bool kind_in(enum op_kind kind, const enum op_kind *kinds, size_t count);

#endif
