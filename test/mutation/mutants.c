/* SPDX-License-Identifier: MIT */
/* Which operations of a lowered module order something, and modules in which one of them does so
   less. */
#include <string.h>
#include "ir/build_llvm.h"
#include "ir/diagnostics.h"
#include "mutate.h"

struct row {
  const char *op, *what;
};

static const struct row rows[] = {
#define X(op, what) {op, what},
#include "mutants.def"
#undef X
};

static const struct row *find_row(MlirOperation op) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (ref_equals(op_name(op), rows[i].op))
      return &rows[i];
  return NULL;
}

struct search {
  const char *source;
  bool moves;
  struct arena *arena;
  struct sites *sites;
  size_t number;             /* operations seen */
  const struct site *wanted; /* the mutant to make */
  MlirOperation found;
};

const char *mutation_name(enum mutation_kind kind) {
  static const char *const names[] = {"without", "weaker",  "more",  "fewer",  "other parity",
                                      "alone",   "earlier", "later", "swapped"};
  return names[kind];
}

static const char *place_of(MlirOperation op, struct arena *arena) {
  struct text text = {0};
  location_print(mlirOperationGetLocation(op), &text);
  const char *whole = text_string(&text), *slash = strrchr(whole, '/');
  const char *place = slash ? slash + 1 : whole;
  const char *copy = arena_copy_string(arena, place, strlen(place));
  text_free(&text);
  return copy;
}

static const char *line_of(MlirOperation op, const struct search *search) {
  MlirStringRef file;
  unsigned line, column;
  const char *at = search->source;
  if (!location_place(mlirOperationGetLocation(op), &file, &line, &column))
    return "";
  for (; line > 1 && *at; line--)
    at += strcspn(at, "\n") + (at[strcspn(at, "\n")] == '\n');
  struct slice text = slice_trim((struct slice){at, strcspn(at, "\n")});
  return arena_copy_string(search->arena, text.data, text.length);
}

/* --- What can be done to an operation --------------------------------------------------------- */

/* Accesses of shared memory have its addresses, or are wgmma's, which have descriptors. */
static bool uses_shared_memory(MlirOperation op) {
  MlirType shared = mlirTypeParseGet(mlirOperationGetContext(op), ref("!llvm.ptr<3>"));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (mlirTypeEqual(op_operand_type(op, i), shared) && mlirOperationGetNumRegions(op) == 0)
      return !ref_equals(op_name(op), "llvm.getelementptr") &&
             !ref_equals(op_name(op), "llvm.ptrtoint");
  return ref_equals(op_name(op), "tile_ptx.wgmma");
}

static bool stands_alone(MlirOperation op) {
  return mlirOperationGetNumOperands(op) == 0 && mlirOperationGetNumResults(op) == 0;
}

static bool is_parity_wait(MlirOperation op) {
  return ref_equals(op_name(op), "tile_ptx.mbarrier_wait");
}

static bool is_copy(MlirOperation op) {
  return ref_equals(op_name(op), "tile_ptx.cp_async_bulk_tensor");
}

static bool is_arrival(MlirOperation op) {
  return ref_equals(op_name(op), "tile_ptx.mbarrier_arrive") ||
         ref_equals(op_name(op), "tile_ptx.mbarrier_arrive_at");
}

/* Arithmetic may stand anywhere between what it takes and who takes it. */
static bool is_arithmetic(MlirOperation op) {
  static const char *const others[] = {"llvm.load", "llvm.call", "llvm.call_intrinsic",
                                       "llvm.inline_asm"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (ref_equals(op_name(op), others[i]))
      return false;
  return op_name(op).length > 5 && memcmp(op_name(op).data, "llvm.", 5) == 0 &&
         mlirOperationGetNumRegions(op) == 0;
}

/* Whether `op`, with the arithmetic of what it takes, may stand before `place` of its block. */
static bool can_stand_before(MlirOperation op, MlirOperation place) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirOperation by = value_definition(op_operand(op, i));
    if (mlirOperationIsNull(by) ||
        !mlirBlockEqual(mlirOperationGetBlock(by), mlirOperationGetBlock(place)) ||
        mlirOperationIsBeforeInBlock(by, place))
      continue;
    if (!is_arithmetic(by) || !can_stand_before(by, place))
      return false;
  }
  return true;
}

static void move_before(MlirOperation op, MlirOperation place) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirOperation by = value_definition(op_operand(op, i));
    if (!mlirOperationIsNull(by) &&
        mlirBlockEqual(mlirOperationGetBlock(by), mlirOperationGetBlock(place)) &&
        mlirOperationIsBeforeInBlock(place, by))
      move_before(by, place);
  }
  mlirOperationMoveBefore(op, place);
}

static MlirOperation neighbour(MlirOperation op, bool later) {
  if (later)
    return mlirOperationGetNextInBlock(op);
  MlirOperation before = mlirBlockGetFirstOperation(mlirOperationGetBlock(op)), next;
  if (mlirOperationEqual(before, op))
    return (MlirOperation){0};
  for (; next = mlirOperationGetNextInBlock(before), !mlirOperationEqual(next, op);)
    before = next;
  return before;
}

/* The next access of shared memory, or with `ordering` the next operation that orders something
   before any such access; null: none in the block. Waits for a phase and arrivals move only where
   they order less, to the next access of data, past whatever else orders something. */
static MlirOperation find_neighbour(MlirOperation op, bool later, bool ordering) {
  bool counted = !ordering && (later ? is_parity_wait(op) : is_arrival(op));
  MlirOperation moved = op;
  if (!stands_alone(op) && !counted)
    return (MlirOperation){0};
  for (op = neighbour(op, later); !mlirOperationIsNull(op); op = neighbour(op, later)) {
    bool access = uses_shared_memory(op) && !(counted && find_row(op) && !is_copy(op));
    if (ordering && find_row(op) && stands_alone(op))
      return op;
    if (access && !ordering)
      return counted && !later && !can_stand_before(moved, op) ? (MlirOperation){0} : op;
    if (access || (find_row(op) && !counted))
      break;
  }
  return (MlirOperation){0};
}

/* What a mutant that moves moves across. */
static MlirOperation crossed(MlirOperation op, enum mutation_kind kind) {
  return find_neighbour(op, kind != MUTANT_EARLIER, kind == MUTANT_SWAPPED);
}

/* A later commit takes more into its group, which is waited for no later than what comes after it.
 */
static bool is_commit(MlirOperation op) {
  return ref_equals(op_name(op), "tile_ptx.cp_async_commit") ||
         ref_equals(op_name(op), "tile_ptx.cp_async_bulk_commit") ||
         ref_equals(op_name(op), "tile_ptx.wgmma_commit");
}

static bool is_exchange(MlirOperation op) {
  return ref_equals(op_name(op), "tile_ptx.atomic_rmw") &&
         ref_equals(op_string(op, "kind"), "xchg");
}

static bool is_comparison(MlirOperation op) {
  return ref_equals(op_name(op), "tile_ptx.atomic_cas");
}

static bool is_atomic(MlirOperation op) {
  return ref_equals(op_name(op), "tile_ptx.atomic_rmw") || is_comparison(op);
}

/* Flags and locks: what adds up something is data. */
static bool can_be_left_out(MlirOperation op) {
  return !is_atomic(op) || is_comparison(op) ||
         (is_exchange(op) && !value_is_used(op_result(op, 0)));
}

/* The attribute of what an operation expects, or NULL. */
static const char *expected(MlirOperation op) {
  return op_has_attribute(op, "bytes")      ? "bytes"
         : op_has_attribute(op, "arrivals") ? "arrivals"
                                            : NULL;
}

/* Both, where nobody looks at what it gives, is what is asked for where nothing is. */
static bool orders_something(MlirOperation op) {
  if (!is_atomic(op) || ref_equals(op_string(op, "sem"), "relaxed"))
    return false;
  return !ref_equals(op_string(op, "sem"), "acq_rel") || value_is_used(op_result(op, 0));
}

static bool can_be(MlirOperation op, enum mutation_kind kind) {
  switch (kind) {
  case MUTANT_WITHOUT:
    return can_be_left_out(op);
  case MUTANT_WEAKER:
    return op_has_attribute(op, "pending") || orders_something(op);
  case MUTANT_MORE:
    return expected(op) != NULL;
  case MUTANT_FEWER:
    return expected(op) && op_integer(op, expected(op), 0) > 1;
  case MUTANT_PARITY:
    return is_parity_wait(op);
  case MUTANT_ALONE:
    return op_has_attribute(op, "blocks");
  case MUTANT_LATER:
    return !is_commit(op) && !mlirOperationIsNull(crossed(op, kind));
  case MUTANT_EARLIER:
    return !mlirOperationIsNull(crossed(op, kind));
  case MUTANT_SWAPPED: {
    MlirOperation next = crossed(op, kind);
    return !mlirOperationIsNull(next) &&
           !ref_equals(mlirIdentifierStr(mlirOperationGetName(next)), find_row(op)->op);
  }
  }
  return false;
}

/* --- Finding them ----------------------------------------------------------------------------- */

static size_t ordinal_of(const struct sites *sites, const struct site *site) {
  size_t ordinal = 1;
  for (size_t i = 0; i < sites->count; i++)
    ordinal += sites->list[i].kind == MUTANT_WITHOUT && sites->list[i].number != site->number &&
               strcmp(sites->list[i].op, site->op) == 0 &&
               strcmp(sites->list[i].line, site->line) == 0;
  return ordinal;
}

static MlirLogicalResult count_site(MlirOperation op, void *data) {
  struct search *search = data;
  search->number += find_row(op) != NULL;
  return SUCCESS;
}

/* "tile_ptx.store at file:line:column", or "". */
static const char *name_crossed(MlirOperation op, enum mutation_kind kind, struct arena *arena) {
  if (kind < MUTANT_EARLIER)
    return "";
  MlirOperation other = crossed(op, kind);
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(other));
  struct text text = {0};
  text_printf(&text, "%.*s at %s", (int)name.length, name.data, place_of(other, arena));
  const char *copy = arena_copy_string(arena, text_string(&text), text.length);
  text_free(&text);
  return copy;
}

static MlirLogicalResult add_site(MlirOperation op, void *data) {
  struct search *search = data;
  const struct row *row = find_row(op);
  if (!row)
    return SUCCESS;
  struct site site = {.op = row->op,
                      .what = row->what,
                      .location = place_of(op, search->arena),
                      .line = line_of(op, search),
                      .number = search->number++};
  site.ordinal = ordinal_of(search->sites, &site);
  int last = search->moves ? MUTANT_SWAPPED : MUTANT_ALONE;
  for (int kind = MUTANT_WITHOUT; kind <= last; kind++) {
    site.kind = (enum mutation_kind)kind;
    if (!can_be(op, site.kind))
      continue;
    site.crossed = name_crossed(op, site.kind, search->arena);
    search->sites->list[search->sites->count++] = site;
  }
  return SUCCESS;
}

void sites_find(MlirModule module, const char *source, bool moves, struct arena *arena,
                struct sites *out) {
  MlirOperation top = mlirModuleGetOperation(module);
  struct search search = {.source = source, .moves = moves, .arena = arena, .sites = out};
  visit_operations(top, count_site, &search);
  size_t most = search.number * (MUTANT_SWAPPED + 1) + 1;
  *out = (struct sites){.list = ARENA_ARRAY(arena, struct site, most)};
  search.number = 0;
  visit_operations(top, add_site, &search);
}

/* --- Making one ------------------------------------------------------------------------------- */

static MlirLogicalResult find_site(MlirOperation op, void *data) {
  struct search *search = data;
  if (find_row(op) && search->number++ == search->wanted->number)
    search->found = op;
  return SUCCESS;
}

/* Results that are guarded operands come first to last; a wait may also take a count after them. */
static void drop(MlirOperation op) {
  enum { COMPARED = 2 };
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op) && !is_exchange(op); i++)
    mlirValueReplaceAllUsesOfWith(op_result(op, i),
                                  op_operand(op, is_comparison(op) ? COMPARED : i));
  mlirOperationDestroy(op);
}

static void add_to(MlirOperation op, const char *name, int64_t change) {
  MlirAttribute old = mlirOperationGetAttributeByName(op, ref(name));
  int64_t count = mlirIntegerAttrGetValueInt(old);
  mlirOperationSetAttributeByName(op, ref(name),
                                  mlirIntegerAttrGet(mlirAttributeGetType(old), count + change));
}

static void flip_parity(MlirOperation op) {
  struct builder b = builder_before(op);
  MlirValue parity = op_operand(op, 1);
  mlirOperationSetOperand(op, 1,
                          BUILD(&b, "llvm.xor", IN(parity, build_llvm_integer(&b, 32, 1)),
                                OUT(mlirValueGetType(parity))));
}

static void expect(MlirOperation op, int sign) {
  enum { CHUNK = 16 }; /* bytes */
  add_to(op, expected(op), op_has_attribute(op, "bytes") ? sign * CHUNK : sign);
}

static void mutate_operation(MlirOperation op, enum mutation_kind kind) {
  switch (kind) {
  case MUTANT_WITHOUT:
    drop(op);
    return;
  case MUTANT_WEAKER:
    if (is_atomic(op))
      mlirOperationSetAttributeByName(op, ref("sem"),
                                      attribute_string(mlirOperationGetContext(op), "relaxed"));
    else
      add_to(op, "pending", 1);
    return;
  case MUTANT_MORE:
    expect(op, 1);
    return;
  case MUTANT_FEWER:
    expect(op, -1);
    return;
  case MUTANT_PARITY:
    flip_parity(op);
    return;
  case MUTANT_ALONE:
    mlirOperationRemoveAttributeByName(op, ref("blocks"));
    return;
  case MUTANT_EARLIER:
    move_before(op, crossed(op, kind));
    return;
  case MUTANT_LATER:
  case MUTANT_SWAPPED:
    mlirOperationMoveAfter(op, crossed(op, kind));
    return;
  }
}

MlirModule mutant_create(MlirModule module, const struct site *site) {
  MlirOperation copy = mlirOperationClone(mlirModuleGetOperation(module));
  struct search search = {.wanted = site};
  visit_operations(copy, find_site, &search);
  mutate_operation(search.found, site->kind);
  return mlirModuleFromOperation(copy);
}
