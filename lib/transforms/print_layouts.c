/* SPDX-License-Identifier: MIT */
/* tile-gpu-print-layouts: a picture of every distinct tensor type with a layout, on standard output
   as comments, so that what a thread holds can be read. Keeps the module as it is. */
#include <stdio.h>
#include "ir/passes.h"
#include "layout/linear_layout.h"

const struct pass_option print_layouts_options[] = {
    {"bases", OPTION_BOOLEAN, "false", "print the linear layout's bases too"}, {0}};

struct print_state {
  struct session *session;
  struct map seen; /* printed types */
  struct text out;
  bool bases;
};

static void print_type(struct print_state *state, MlirType type) {
  if (!type_is_tensor(type) || map_get(&state->seen, type.ptr))
    return;
  const struct linear_layout *layout = layout_to_linear(&state->session->layouts, type);
  if (!layout)
    return;
  map_set(&state->seen, type.ptr, state);
  struct text picture = {0};
  type_print(type, &picture);
  text_puts(&picture, "\n");
  if (state->bases)
    linear_layout_print(layout, &picture);
  linear_layout_draw(layout, NULL, &picture);
  for (const char *line = text_string(&picture); *line;) {
    const char *end = line;
    while (*end && *end != '\n')
      end++;
    text_printf(&state->out, "// %.*s\n", (int)(end - line), line);
    line = *end ? end + 1 : end;
  }
  text_free(&picture);
}

static MlirLogicalResult print_operation(MlirOperation op, void *data) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    print_type(data, op_result_type(op, i));
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++) {
    MlirBlock block = op_body(op, r);
    for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); i++)
        print_type(data, mlirValueGetType(mlirBlockGetArgument(block, i)));
  }
  return SUCCESS;
}

MlirLogicalResult run_print_layouts(struct pass_context *context, MlirOperation root) {
  struct print_state state = {.session = context->session, .bases = context->values[0].integer};
  visit_operations(root, print_operation, &state);
  fputs(text_string(&state.out), stdout);
  fflush(stdout);
  text_free(&state.out);
  map_free(&state.seen);
  return SUCCESS;
}
