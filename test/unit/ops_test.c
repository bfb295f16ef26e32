/* SPDX-License-Identifier: MIT */
/* The op tables against the IRDL files: every row is a registered operation, every operation of the
   IRDL has a row, every emulator function named by a row exists. */
#include <stdlib.h>
#include "check.h"
#include "ir/dialects.h"
#include "ir/mlir.h"
#include "ir/session.h"

static struct session session;

static void rows_are_registered(void) {
  for (int kind = 1; kind < OP_KIND_COUNT; kind++) {
    bool registered = mlirContextIsRegisteredOperation(session.context, ref(op_table[kind].name));
    if (!registered)
      printf("not registered: %s\n", op_table[kind].name);
    CHECK(registered);
  }
}

/* Counts "irdl.operation @" in the embedded text. */
static void operations_have_rows(void) {
  static const char keyword[] = "irdl.operation @";
  size_t operations = 0, rows = 0;
  for (const char *at = dialects_irdl().data; (at = strstr(at, keyword)) != NULL; at++)
    operations++;
  for (int kind = 1; kind < OP_KIND_COUNT; kind++)
    rows += op_table[kind].dialect != DIALECT_UPSTREAM;
  CHECK_EQUAL(rows, operations);
}

static bool emulator_has(const char *function) {
  static const char *const names[] = {
#define X(name, summary) #name,
#include "emulator/device.def"
#undef X
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i], function) == 0)
      return true;
  return false;
}

/* A row with an instruction has constraints; the emulator function of a row exists. Rows without one have a
   conversion of their own (convert-to-emulator). */
static void instructions_have_emulator_functions(void) {
  for (int kind = 1; kind < OP_KIND_COUNT; kind++) {
    const struct op_info *op = &op_table[kind];
    if (op->dialect != DIALECT_TILE_PTX)
      continue;
    CHECK_EQUAL(op->ptx[0] == 0, op->constraints[0] == 0);
    if (op->emulator[0])
      CHECK(emulator_has(op->emulator));
  }
}

static void names_find_their_rows(void) {
  MlirModule module = session_parse(
      &session, "t.mlir", "%c = arith.constant 1 : i32\n%x = math.absi %c : i32\n", 53);
  CHECK(!mlirModuleIsNull(module));
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  CHECK_EQUAL(kind_of(&session, op), OP_ARITH_CONSTANT);
  CHECK(!op_is_elementwise(op));
  op = mlirOperationGetNextInBlock(op);
  CHECK_EQUAL(kind_of(&session, op), OP_OTHER);
  CHECK_EQUAL(op_info(&session.names, op)->effects, EFFECTS_PURE);
  CHECK(op_is_elementwise(op));
  mlirModuleDestroy(module);
}

int main(int argc, char **argv) {
  tile_status status = session_create(&session);
  if (status) {
    printf("%s\n", tile_status_message(status));
    return 1;
  }
  int code = RUN_TESTS(argc, argv, {"rows are registered", rows_are_registered},
                       {"operations have rows", operations_have_rows},
                       {"instructions have emulator functions", instructions_have_emulator_functions},
                       {"names find their rows", names_find_their_rows});
  session_destroy(&session);
  return code;
}
