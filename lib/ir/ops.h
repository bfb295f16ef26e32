/* SPDX-License-Identifier: MIT */
/* Every operation that our passes know by name, as one enum, and what is known of its effects.

   The rows come from dialects/<dialect>/ops.def and upstream_ops.def. A session interns the names
   once; afterwards finding an operation's kind is one look-up by pointer. */
#ifndef TILE_IR_OPS_H
#define TILE_IR_OPS_H

#include <mlir-c/IR.h>
#include <stdbool.h>
#include "base/map.h"

enum op_kind {
  OP_OTHER, /* none of ours; see op_effects for what its dialect says */
#define X(id, ...) OP_##id,
#include "../dialects/tile/ops.def"
#include "../dialects/tile_gpu/ops.def"
#include "../dialects/tile_ptx/ops.def"
#include "ir/upstream_ops.def"
#undef X
  OP_KIND_COUNT
};

enum op_effects {
  EFFECTS_UNKNOWN,       /* may do anything: leave it alone */
  EFFECTS_PURE,          /* removable, mergeable, movable */
  EFFECTS_PURE_MAY_TRAP, /* the same, but not executable where it was not: division */
  EFFECTS_READ,          /* reads memory: removable */
  EFFECTS_WRITE,
  EFFECTS_HINT,       /* removable only together with what it speaks of */
  EFFECTS_REGION,     /* structured control flow: the effects of its body */
  EFFECTS_TERMINATOR  /* ends a block */
};

enum op_dialect { DIALECT_TILE, DIALECT_TILE_GPU, DIALECT_TILE_PTX, DIALECT_UPSTREAM };

/* One row of an ops.def. The fields after `summary` are NULL where the dialect has no such column. */
struct op_info {
  enum op_kind kind;
  enum op_dialect dialect;
  enum op_effects effects;
  const char *name, *summary, *description;
  const char *ptx, *constraints, *emulator; /* tile_ptx only */
};

/* The table, indexed by kind; row 0 (OP_OTHER) is empty. */
extern const struct op_info op_table[OP_KIND_COUNT];

struct op_names {
  struct map by_identifier; /* MlirIdentifier.ptr -> const struct op_info * */
  struct op_info arith_or_math, unknown, pure_asm;
};

void op_names_create(struct op_names *names, MlirContext context);
void op_names_destroy(struct op_names *names);

/* Never NULL: operations without a row share one for pure arith/math and one for the rest. A
   tile.inline_asm with `pure = true` has its row with the effects PURE. */
const struct op_info *op_info(struct op_names *names, MlirOperation op);

/* True for upstream's arith and math operations, listed or not: they act element by element. */
bool op_is_elementwise(MlirOperation op);

/* True for operations whose elements are elements of their operands, in another place, shape or
   layout: splat, broadcast, expand_dims, reshape, permute, join, split, convert_layout. */
bool op_rearranges(enum op_kind kind);

#endif
