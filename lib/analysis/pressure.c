/* SPDX-License-Identifier: MIT */
/* See pressure.h. */
#include "analysis/pressure.h"

#include "analysis/liveness.h"
#include "analysis/scratch.h"
#include "base/numbers.h"

struct pressure {
  struct session *session;
  struct map bases; /* MlirValue.ptr: how many registers an integer tile takes, plus one */
};

/* Elements that a thread holds; the same one twice counts once. */
static int64_t elements_of(struct session *session, MlirType type) {
  const struct linear_layout *layout =
      type_is_tensor(type) ? layout_to_linear(&session->layouts, type) : NULL;
  if (!layout)
    return type_is_tensor(type) ? 0 : 1;
  struct linear_layout held = linear_layout_remove_zero_registers(layout);
  return linear_layout_in_size(&held, LAYOUT_REGISTER);
}

/* Runs of elements of a thread that lie beside each other: as many accesses go through a tile of
   pointers, as coalescing has chosen them. */
static int64_t runs_of(struct session *session, MlirType type) {
  const struct linear_layout *layout = layout_to_linear(&session->layouts, type);
  int64_t run = 1;
  for (int dim = 0; dim < layout_space_rank(&layout->out); dim++) {
    int64_t along = linear_layout_contiguous_run(layout, (enum layout_dim)(LAYOUT_DIM0 + dim));
    run = along > run ? along : run;
  }
  return elements_of(session, type) / run;
}

/* --- Integers and pointers -------------------------------------------------------------------- */

static int64_t bases_of(struct pressure *p, MlirValue value);

/* Different quotients of consecutive numbers, all elements of a tile, by a constant; of another
   divisor as many as elements. */
static int64_t quotients_of(struct session *session, MlirOperation op) {
  int64_t by, count = type_elements(op_result_type(op, 0));
  if (!uniform_integer(session, op_operand(op, 1), &by) || by <= 0)
    return count;
  return by >= count ? 1 : count / by;
}

/* Of x + y: a base for each pair; of a * b: constant factors keep the distances constant. Quotients
   and remainders of consecutive numbers are mostly consecutive, or all the same. */
static int64_t bases_of_operation(struct pressure *p, MlirOperation op, int64_t elements) {
  struct session *session = p->session;
  enum op_kind kind = kind_of(session, op);
  if (kind == OP_ARITH_CONSTANT)
    return 0;
  if (KIND_IN(kind, OP_TILE_RANGE, OP_TILE_SPLAT))
    return 1;
  if (KIND_IN(kind, OP_TILE_BROADCAST, OP_TILE_EXPAND_DIMS, OP_TILE_RESHAPE, OP_TILE_PERMUTE,
              OP_TILE_BITCAST, OP_TILE_PTR_TO_INT, OP_TILE_INT_TO_PTR, OP_TILE_GPU_CONVERT_LAYOUT,
              OP_ARITH_EXTSI, OP_ARITH_EXTUI, OP_ARITH_TRUNCI))
    return bases_of(p, op_operand(op, 0));
  if (KIND_IN(kind, OP_ARITH_DIVSI, OP_ARITH_DIVUI) && bases_of(p, op_operand(op, 0)) < elements)
    return smaller(runs_of(session, op_result_type(op, 0)), quotients_of(session, op));
  if (KIND_IN(kind, OP_ARITH_DIVSI, OP_ARITH_DIVUI, OP_ARITH_REMSI, OP_ARITH_REMUI, OP_ARITH_SHRSI,
              OP_ARITH_SHRUI, OP_ARITH_ANDI))
    return bases_of(p, op_operand(op, 0)) < elements ? runs_of(session, op_result_type(op, 0))
                                                     : elements;
  if (!KIND_IN(kind, OP_TILE_ADDPTR, OP_ARITH_ADDI, OP_ARITH_SUBI, OP_ARITH_MULI))
    return elements;
  int64_t a = bases_of(p, op_operand(op, 0)), b = bases_of(p, op_operand(op, 1));
  if (!a || !b)
    return a + b;
  return kind == OP_ARITH_MULI ? elements : smaller(a * b, elements);
}

/* A loop carries as many as it begins with. */
static int64_t bases_of_argument(struct pressure *p, MlirValue value, int64_t elements) {
  MlirOperation loop = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  intptr_t i = mlirBlockArgumentGetArgNumber(value);
  if (kind_of(p->session, loop) == OP_SCF_FOR && i > 0)
    return bases_of(p, op_operand(loop, i + 2));
  return elements;
}

static int64_t bases_of(struct pressure *p, MlirValue value) {
  uintptr_t known = (uintptr_t)map_get(&p->bases, value.ptr);
  if (known)
    return (int64_t)known - 1;
  int64_t elements = elements_of(p->session, mlirValueGetType(value));
  MlirOperation op = value_definition(value);
  int64_t bases = !type_is_tensor(mlirValueGetType(value)) ? 1
                  : mlirOperationIsNull(op)                ? bases_of_argument(p, value, elements)
                                                           : bases_of_operation(p, op, elements);
  bases = smaller(bases, elements);
  map_set(&p->bases, value.ptr, (void *)(uintptr_t)(bases + 1));
  return bases;
}

/* Does a loop hand on this variable as it came? Then it is what is outside. */
static bool is_handed_on(struct session *session, MlirValue value) {
  if (!mlirValueIsABlockArgument(value))
    return false;
  MlirBlock body = mlirBlockArgumentGetOwner(value);
  intptr_t i = mlirBlockArgumentGetArgNumber(value) - 1;
  return i >= 0 && kind_of(session, mlirBlockGetParentOperation(body)) == OP_SCF_FOR &&
         mlirValueEqual(op_operand(mlirBlockGetTerminator(body), i), value);
}

/* --- What a value takes ----------------------------------------------------------------------- */

/* Of an operand that is read from shared memory: what an instruction takes, and what is read
   meanwhile for the next one. An instruction takes STEP_BYTES of K. */
static int64_t operand_words(struct session *session, MlirType type, int index, int64_t words) {
  enum { STEP_BYTES = 32, STEPS_AT_A_TIME = 2 };
  int64_t shape[MAX_RANK];
  int rank = type_shape(type, shape);
  int64_t k_bytes = shape[rank - 1 - index] * memory_bytes(session, type_element(type));
  int64_t least = words * STEPS_AT_A_TIME * STEP_BYTES / k_bytes;
  return smaller(words, least);
}

static int64_t scalar_words(struct pressure *p, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (mlirValueIsABlockArgument(value) &&
      kind_of(p->session, mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value))) == OP_FUNC)
    return 0;
  bool number = type_is_number(type) || type_is_pointer(&p->session->types, type);
  bool known = !mlirValueIsABlockArgument(value) &&
               kind_of(p->session, value_definition(value)) == OP_ARITH_CONSTANT;
  return number && !known ? ((int64_t)memory_bytes(p->session, type) + 3) / 4 : 0;
}

int64_t held_words(struct session *session, MlirType type) {
  return (elements_of(session, type) * memory_bytes(session, type_element(type)) + 3) / 4;
}

static int64_t weight_of(struct pressure *p, MlirValue value) {
  struct session *session = p->session;
  MlirType type = mlirValueGetType(value), element = type_element(type);
  MlirOperation op = value_definition(value);
  enum op_kind kind = mlirOperationIsNull(op) ? OP_OTHER : kind_of(session, op);
  if (type_is_integer(element, 1) || is_handed_on(session, value))
    return 0;
  if (!type_is_tensor(type))
    return scalar_words(p, value);
  if (mlirAttributeIsNull(type_layout(type)) || kind == OP_ARITH_CONSTANT || kind == OP_TILE_SPLAT)
    return 0;
  int64_t bytes = memory_bytes(session, element);
  if (type_is_pointer(&session->types, element))
    return 2 * smaller(bases_of(p, value), runs_of(session, type));
  int64_t count = elements_of(session, type);
  if (mlirTypeIsAInteger(element) && bases_of(p, value) < count)
    return bases_of(p, value) * ((bytes + 3) / 4);
  int64_t words = held_words(session, type);
  bool read = kind == OP_TILE_GPU_LOCAL_LOAD || kind == OP_TILE_GPU_CONVERT_LAYOUT;
  int index = read ? layout_operand_index(&session->layouts, type) : -1;
  return index < 0 ? words : operand_words(session, type, index, words);
}

/* --- Values in one register ---------------------------------------------------------------------
 */

/* Is `value` a loop's variable, pointers, advanced by one distance for all elements? The elements'
   distances from one another do not change, so both are the same addresses. */
static bool is_advance(struct session *session, MlirValue value) {
  MlirOperation op = value_definition(value);
  MlirValue from = op_operand(op, 0);
  MlirOperation step = value_definition(op_operand(op, 1));
  if (!mlirValueIsABlockArgument(from) || mlirOperationIsNull(step))
    return false;
  enum op_kind kind = kind_of(session, step);
  return (kind == OP_TILE_SPLAT || kind == OP_ARITH_CONSTANT) &&
         mlirBlockEqual(mlirOperationGetBlock(op), mlirBlockArgumentGetOwner(from));
}

/* The value whose registers `value` has: a tile is broadcast, and a loop's pointers advance, in
   place. */
static MlirValue find_register(struct pressure *p, MlirValue value) {
  for (;;) {
    MlirOperation op = value_definition(value);
    enum op_kind kind = mlirOperationIsNull(op) ? OP_OTHER : kind_of(p->session, op);
    bool same = kind == OP_TILE_EXPAND_DIMS || kind == OP_TILE_BROADCAST ||
                kind == OP_TILE_BITCAST || kind == OP_TILE_PTR_TO_INT ||
                kind == OP_TILE_INT_TO_PTR ||
                (kind == OP_TILE_ADDPTR && is_advance(p->session, value));
    if (!same)
      return value;
    value = op_operand(op, 0);
  }
}

/* --- The peak --------------------------------------------------------------------------------- */

struct search {
  struct pressure pressure;
  MlirOperation loop; /* or null */
  bool waiting;       /* only where all threads of the block wait for one another */
  bool used;          /* without what is only there across the loop */
  struct pressure_peak peak;
  struct map *each; /* or NULL: of MlirOperation.ptr, as in pressure_of_each */
};

/* Does the loop use the value, or another one in its registers? */
static bool is_used_in(struct pressure *p, MlirValue value, MlirOperation loop) {
  MlirOperation op = value_definition(value);
  MlirBlock block =
      mlirOperationIsNull(op) ? mlirBlockArgumentGetOwner(value) : mlirOperationGetBlock(op);
  MlirOperation around = mlirBlockGetParentOperation(block);
  if (mlirOperationEqual(around, loop) || op_is_inside(around, loop))
    return true;
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (mlirOperationEqual(user, loop) || op_is_inside(user, loop))
      return true;
    bool same = mlirOperationGetNumResults(user) == 1 &&
                mlirValueEqual(find_register(p, op_result(user, 0)), find_register(p, value));
    if (same && is_used_in(p, op_result(user, 0), loop))
      return true;
  }
  return false;
}

static int64_t weigh(MlirValue value, void *data) {
  struct search *search = data;
  bool only_across = search->used && !is_used_in(&search->pressure, value, search->loop);
  return only_across ? 0 : weight_of(&search->pressure, value);
}

static MlirValue register_of(MlirValue value, void *data) {
  struct search *search = data;
  return find_register(&search->pressure, value);
}

/* Are its results all there at once? */
static bool is_whole(struct session *session, MlirOperation op) {
  const struct op_info *info = op_info(&session->names, op);
  return op_has(session, op, CROSSES_THREADS | IS_DOT) ||
         (info->effects != EFFECTS_PURE && info->effects != EFFECTS_PURE_MAY_TRAP &&
          info->effects != EFFECTS_HINT);
}

static void visit(MlirOperation op, const struct live *live, void *data) {
  struct search *search = data;
  struct session *session = search->pressure.session;
  bool counts = mlirOperationIsNull(search->loop) || op_is_inside(op, search->loop);
  if (!counts || !is_whole(session, op) ||
      (search->waiting && !scratch_waits_for_block(session, op)))
    return;
  bool ends = op_info(&session->names, op)->effects == EFFECTS_TERMINATOR;
  int64_t registers = ends ? live->before : live->after;
  if (registers > search->peak.registers)
    search->peak = (struct pressure_peak){registers, op};
  if (search->each)
    map_set(search->each, op.ptr, (void *)(uintptr_t)registers);
}

static struct pressure_peak find_peak(struct search search, MlirOperation function) {
  struct session *session = search.pressure.session;
  struct liveness_client client = {session, weigh, register_of, visit, &search};
  liveness_walk(&client, function);
  map_free(&search.pressure.bases);
  return search.peak;
}

struct pressure_peak pressure_of_each(struct session *session, MlirOperation function,
                                      struct map *out) {
  return find_peak((struct search){.pressure = {.session = session}, .each = out}, function);
}

struct pressure_peak pressure_of_used(struct session *session, MlirOperation loop,
                                      struct map *out) {
  struct search search = {
      .pressure = {.session = session}, .loop = loop, .used = true, .each = out};
  return find_peak(search, function_of(session, loop));
}

struct pressure_peak pressure_of_function(struct session *session, MlirOperation function) {
  return pressure_of_each(session, function, NULL);
}

static struct pressure_peak peak_of_loop(struct session *session, MlirOperation loop,
                                         bool waiting) {
  struct search search = {.pressure = {.session = session}, .loop = loop, .waiting = waiting};
  return find_peak(search, function_of(session, loop));
}

struct pressure_peak pressure_of_loop(struct session *session, MlirOperation loop) {
  return peak_of_loop(session, loop, false);
}

struct pressure_peak pressure_of_loop_waiting(struct session *session, MlirOperation loop) {
  return peak_of_loop(session, loop, true);
}

int64_t pressure_least_bound(struct session *session, MlirOperation function) {
  return pressure_least(pressure_of_function(session, function).registers);
}
