/* SPDX-License-Identifier: MIT */
/* One MLIR context with our dialects loaded, and everything cached about it.

   A session serves one thread at a time; any number of sessions may exist. It is what passes,
   lowering rules and drivers share. */
#ifndef TILE_IR_SESSION_H
#define TILE_IR_SESSION_H

#include "ir/attributes.h"
#include "ir/diagnostics.h"
#include "ir/layout_attribute.h"
#include "ir/ops.h"
#include "ir/types.h"
#include "tile/status.h"

struct session {
  MlirContext context;
  struct diagnostics diagnostics;
  struct op_names names;
  struct type_cache types;
  struct layout_cache layouts;
};

/* Creates the context and loads the dialects. The session must not move afterwards. */
tile_status session_create(struct session *session);
void session_destroy(struct session *session);

/* Parses `text` (MLIR text or bytecode) as a module called `name` in diagnostics; null after
   reporting errors. `text` is borrowed for quoting until the session's next parse: keep it alive.
   Text that MLIR's parser would die of (brackets nested too deeply, ...) is refused with a
   diagnostic before the parser sees it. */
MlirModule session_parse(struct session *session, const char *name, const char *text,
                         size_t length);

/* The kind of an operation, OP_OTHER when it has no row. */
static inline enum op_kind kind_of(struct session *session, MlirOperation op) {
  return op_info(&session->names, op)->kind;
}

/* Is `op` of that kind? Not where it is null. */
static inline bool op_is(struct session *session, MlirOperation op, enum op_kind kind) {
  return !mlirOperationIsNull(op) && kind_of(session, op) == kind;
}

/* Does the row of `op` have that property (op_properties.def)? Not where it is null. */
static inline bool op_has(struct session *session, MlirOperation op, enum op_property property) {
  return !mlirOperationIsNull(op) && (op_info(&session->names, op)->properties & property) != 0;
}

/* The function that `op` is in, or is. */
MlirOperation function_of(struct session *session, MlirOperation op);

/* Is `op` inside of a loop, however deep? */
bool is_in_loop(struct session *session, MlirOperation op);

/* The innermost scf.for around `op`, or null. */
MlirOperation loop_around(struct session *session, MlirOperation op);

/* The number that a constant is, or that all elements of a constant tile are: an integer or a
   float; null for other values. The same of signless integers of at most 64 bits, sign-extended,
   and of indices. */
MlirAttribute uniform_number(struct session *session, MlirValue value);
bool uniform_integer(struct session *session, MlirValue value, int64_t *out);

/* Takes `*op` to the next kernel of a module: a function marked tile.kernel, or once it is lowered,
   nvvm.kernel. Begins with a null operation; false, and null, after the last one. */
bool next_kernel(struct session *session, MlirOperation module, MlirOperation *op);
bool next_lowered_kernel(struct session *session, MlirOperation module, MlirOperation *op);

/* All loops (scf.for) in `root`, inner ones before those around them; as many as there are. The
   list is the caller's (loops_free); passes that rewrite a loop while they go through it must leave
   the others in place. */
struct loop_list {
  MlirOperation *list;
  size_t count, capacity;
};
struct loop_list loops_of(struct session *session, MlirOperation root);
void loops_free(struct loop_list *loops);

#endif
