/* SPDX-License-Identifier: MIT */
/* The op tables against the IRDL files: every row is a registered operation, every operation of the
   IRDL has a row, every emulator function named by a row exists, and the properties of a row agree
   with one another. */
#include <stdlib.h>
#include <string.h>
#include "check.h"
#include "ir/dialects.h"
#include "ir/mlir.h"
#include "ir/session.h"
#include "ir/waits.h"

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
    rows += op_table[kind].dialect < DIALECT_UPSTREAM;
  CHECK_EQUAL(rows, operations);
}

static bool emulator_has(const char *function) {
  static const char *const names[] = {
#define X(result, name, parameters) #name,
#include "emulator/device.def"
#undef X
  };
  size_t length = strcspn(function, "("); /* arguments follow */
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strlen(names[i]) == length && strncmp(names[i], function, length) == 0)
      return true;
  return false;
}

/* A row with an instruction has constraints; the emulator function of a row exists. Rows without
   one have a conversion of their own (convert-to-emulator). */
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

/* A row with one of `properties` has one of `wanted` and none of `forbidden`. */
struct rule {
  enum op_property properties, wanted, forbidden;
};

/* Kinds of operations that exclude one another. */
enum {
  ON_SHARED_OR_GLOBAL = IS_VIEW | IS_ACCESS,
  BETWEEN_THREADS = CROSSES_THREADS | IS_BARRIER | IS_WARP_COLLECTIVE | IS_GROUP_COLLECTIVE,
  OF_TILES = IS_ELEMENTWISE | REARRANGES | COMBINES | IS_DOT
};

static const struct rule rules[] = {
    {IS_ELEMENTWISE, IS_ELEMENTWISE,
     BETWEEN_THREADS | ON_SHARED_OR_GLOBAL | REARRANGES | IS_DOT | IS_LOOP | IS_LEAF},
    {IS_SYMMETRIC, IS_ELEMENTWISE, NO_PROPERTY},
    {IS_LOWERED_AS_IS, IS_ELEMENTWISE, NO_PROPERTY},
    {IS_CHEAP, IS_CHEAP, BETWEEN_THREADS | ON_SHARED_OR_GLOBAL | IS_DOT | IS_LOOP},
    {IS_LEAF, IS_REBUILDABLE, IS_LOOP | CROSSES_THREADS},
    {IS_REBUILDABLE, IS_REBUILDABLE, ON_SHARED_OR_GLOBAL | IS_DOT | IS_LOOP | NEEDS_BLOCK},
    {IS_PIECEWISE, IS_PIECEWISE, BETWEEN_THREADS | IS_DOT | IS_LOOP},
    {RELABELS, REARRANGES, IS_LEAF | IS_PIECEWISE},
    {REARRANGES, REARRANGES, IS_DOT | COMBINES | ON_SHARED_OR_GLOBAL},
    {COMBINES, CROSSES_THREADS, IS_REBUILDABLE},
    {IS_DOT, IS_DOT, CROSSES_THREADS | ON_SHARED_OR_GLOBAL},
    {IS_VIEW, IS_VIEW, BETWEEN_THREADS | OF_TILES | IS_ACCESS | IS_LEAF},
    {IS_ACCESS, IS_ACCESS, BETWEEN_THREADS | OF_TILES},
    {IS_LOOP, IS_LOOP, BETWEEN_THREADS | OF_TILES | ON_SHARED_OR_GLOBAL},
    {IS_BARRIER, IS_BARRIER, OF_TILES | CROSSES_THREADS},
    {IS_WARP_COLLECTIVE, IS_WARP_COLLECTIVE, IS_GROUP_COLLECTIVE | OF_TILES | IS_BARRIER},
};

static void check_rules(const struct op_info *op) {
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
    bool holds = !(op->properties & rules[i].properties) ||
                 ((op->properties & rules[i].wanted) && !(op->properties & rules[i].forbidden));
    if (!holds)
      printf("%s: its properties break rule %zu\n", op->name, i);
    CHECK(holds);
  }
}

static void properties_agree(void) {
  CHECK(OP_PROPERTY_COUNT < 31);
  for (int kind = 1; kind < OP_KIND_COUNT; kind++)
    check_rules(&op_table[kind]);
}

static bool is_pure(enum op_effects effects) {
  return effects == EFFECTS_PURE || effects == EFFECTS_PURE_MAY_TRAP;
}

/* What may be moved, copied or made again has no effects; what is there for its effects has some.
 */
static void properties_agree_with_effects(void) {
  const enum op_property pure =
      IS_ELEMENTWISE | IS_CHEAP | IS_LEAF | IS_REBUILDABLE | REARRANGES | CROSSES_THREADS | IS_VIEW;
  for (int kind = 1; kind < OP_KIND_COUNT; kind++) {
    enum op_property properties = op_table[kind].properties;
    enum op_effects effects = op_table[kind].effects;
    if (properties & pure)
      CHECK(is_pure(effects));
    if (properties & IS_CHEAP)
      CHECK_EQUAL(effects, EFFECTS_PURE);
    if (properties & IS_ACCESS)
      CHECK(effects == EFFECTS_READ || effects == EFFECTS_WRITE);
    if (properties & (IS_BARRIER | NEEDS_BLOCK))
      CHECK(effects == EFFECTS_WRITE || effects == EFFECTS_UNKNOWN);
    if (properties & IS_LOOP)
      CHECK_EQUAL(effects, EFFECTS_REGION);
  }
}

/* The text of an operation in the IRDL: from its name to the next operation. */
static bool irdl_mentions(const char *name, const char *what) {
  char head[128];
  snprintf(head, sizeof head, "irdl.operation @%s {", strchr(name, '.') + 1);
  const char *at = strstr(dialects_irdl().data, head);
  const char *end = at ? strstr(at + 1, "irdl.operation @") : NULL,
             *found = at ? strstr(at, what) : NULL;
  return found && (!end || found < end);
}

/* An elementwise operation has no region, one that combines has one. */
static void properties_agree_with_regions(void) {
  CHECK(irdl_mentions("tile.reduce", "irdl.regions"));
  for (int kind = 1; kind < OP_KIND_COUNT; kind++) {
    const struct op_info *op = &op_table[kind];
    if (op->dialect >= DIALECT_UPSTREAM)
      continue;
    if (op->properties & (IS_ELEMENTWISE | REARRANGES | IS_VIEW | IS_ACCESS))
      CHECK(!irdl_mentions(op->name, "irdl.regions"));
    if (op->properties & COMBINES)
      CHECK(irdl_mentions(op->name, "irdl.regions"));
  }
}

/* What upstream lowers has no function of ours, which would not be called. */
static void operations_are_lowered_in_one_way(void) {
  static const enum op_kind ours[] = {
#define X(kind, rule) OP_##kind,
#include "lowering/tile_gpu_to_llvm/rules.def"
#undef X
#define F(kind, name, function) OP_##kind,
#include "ir/math_functions.def"
#undef F
  };
  for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
    CHECK(!kind_has(ours[i], IS_LOWERED_AS_IS));
    for (size_t k = 0; k < i; k++)
      CHECK(ours[k] != ours[i]);
  }
}

/* Rows of arith and math say of themselves what operations without a row have by their dialect. */
static void upstream_arithmetic_is_elementwise(void) {
  for (int kind = 1; kind < OP_KIND_COUNT; kind++) {
    const char *name = op_table[kind].name;
    bool arithmetic = strncmp(name, "arith.", 6) == 0 || strncmp(name, "math.", 5) == 0;
    if (arithmetic && kind != OP_ARITH_CONSTANT)
      CHECK(kind_has((enum op_kind)kind, IS_ELEMENTWISE));
  }
}

static void names_find_their_rows(void) {
  MlirModule module = session_parse(
      &session, "t.mlir", "%c = arith.constant 1.0 : f32\n%x = math.acosh %c : f32\n", 55);
  CHECK(!mlirModuleIsNull(module));
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  CHECK_EQUAL(kind_of(&session, op), OP_ARITH_CONSTANT);
  CHECK(op_has(&session, op, IS_LEAF));
  CHECK(!op_has(&session, op, IS_ELEMENTWISE));
  CHECK(!op_has(&session, (MlirOperation){0}, IS_LEAF));
  CHECK(op_is(&session, op, OP_ARITH_CONSTANT));
  CHECK(!op_is(&session, (MlirOperation){0}, OP_OTHER));
  op = mlirOperationGetNextInBlock(op);
  CHECK_EQUAL(kind_of(&session, op), OP_OTHER);
  CHECK_EQUAL(op_info(&session.names, op)->effects, EFFECTS_PURE);
  CHECK(op_has(&session, op, IS_ELEMENTWISE));
  CHECK(!op_has(&session, op, IS_CHEAP));
  CHECK(KIND_IN(OP_SCF_IF, OP_SCF_FOR, OP_SCF_IF));
  CHECK(!KIND_IN(OP_SCF_IF, OP_SCF_FOR, OP_SCF_WHILE));
  mlirModuleDestroy(module);
}

static bool mutation_drops(enum op_kind kind) {
  static const char *const names[] = {
#define X(name, what) name,
#include "../test/mutation/mutants.def"
#undef X
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i], op_table[kind].name) == 0)
      return true;
  return false;
}

/* A wait for all threads of the block is a barrier, and the other way round; what takes part in
   waiting keeps its place, and the mutation runner leaves out every lowered commit and wait. */
static void ways_of_waiting_agree(void) {
  for (int kind = 1; kind < OP_KIND_COUNT; kind++) {
    enum way_of_waiting way = way_waited_by((enum op_kind)kind);
    CHECK_EQUAL(kind_has((enum op_kind)kind, IS_BARRIER),
                way < WAY_COUNT && wait_table[way].whose == WAIT_BLOCK);
  }
  for (int way = 0; way < WAY_COUNT; way++) {
    const struct wait_row *row = &wait_table[way];
    enum op_kind kinds[] = {row->starts, row->commits, row->waits};
    for (int i = 0; i < 3; i++) {
      enum op_effects effects = op_table[kinds[i]].effects;
      CHECK(effects == EFFECTS_WRITE || effects == EFFECTS_UNKNOWN);
      if (i && kinds[i] && op_table[kinds[i]].dialect >= DIALECT_TILE_PTX)
        CHECK(mutation_drops(kinds[i]));
    }
    CHECK_EQUAL(way_waited_by(row->waits), way);
    CHECK_EQUAL(way_started_by(row->starts), row->starts ? way : WAY_COUNT);
  }
}

int main(int argc, char **argv) {
  tile_status status = session_create(&session);
  if (status) {
    printf("%s\n", tile_status_message(status));
    return 1;
  }
  int code =
      RUN_TESTS(argc, argv, {"rows are registered", rows_are_registered},
                {"operations have rows", operations_have_rows},
                {"instructions have emulator functions", instructions_have_emulator_functions},
                {"properties agree", properties_agree},
                {"properties agree with effects", properties_agree_with_effects},
                {"properties agree with regions", properties_agree_with_regions},
                {"upstream arithmetic is elementwise", upstream_arithmetic_is_elementwise},
                {"operations are lowered in one way", operations_are_lowered_in_one_way},
                {"ways of waiting agree", ways_of_waiting_agree},
                {"names find their rows", names_find_their_rows});
  session_destroy(&session);
  return code;
}
