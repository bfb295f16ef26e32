/* SPDX-License-Identifier: MIT */
/* Fewer warps than asked for, where the tiles are too small for them (decision 18).

   A tile of E elements leaves each of 32 W threads E / (32 W). What one element more costs a thread
   is an instruction or two that it overlaps with others; what one warp more costs a program is a
   slot on the multiprocessor, its own addresses, masks and scalars, and a place at every barrier.
   Three cases, in this order; `words` below are 32-bit registers.

     copies     E < 32 W: threads that hold what others hold. They go.
     narrow     accesses of the largest tile could have up to 16 bytes by alignment and have less,
                because a thread's share is smaller: halve W until they are as wide, while a thread
                has at most NARROW_ELEMENTS.
     crossing   a reduction or scan whose rows lie in several warps: shared memory and two barriers
                each time, and a block of its own for each program (tile-gpu-pack-programs). As many
                warps as there are rows, if a thread then has at most CROSSING_ELEMENTS and its
                loads and its largest tile together no more words than CROSSING_WARPS on a
                multiprocessor leave it: a warp that holds a row of 1024 f32 has 4 KB in flight, and
                16 such warps on a multiprocessor are more than a memory of 4.8 TB/s and 800 ns
                needs of each of 132. Not where more than CROSSING_OPERATIONS are done to a tile,
                such as random numbers: what they keep in registers leaves fewer warps than
                arithmetic wants.

   Not so where more programs on a multiprocessor are no gain:

     strided    no access of the kernel has neighbours in memory, such as rows of three components:
                a sector is written bit by bit, and with more warps at it other rows come between.
                Threads that hold copies stay.
     gathered   what gets wider is less than 1 / WIDENED_SHARE of what is accessed, each loop
                counted as LOOP_WEIGHT iterations: a search looks up one number after the other,
                and only other warps hide that.
     recurrence what a loop loads that hands on numbers would take too many registers to be loaded
                three iterations ahead, which is what its time depends on; or a branch loads it,
                which waits for its turn, and is stored each time: only other warps hide that.
     read again a loop loads what the loop around it has it load in each iteration: that is in the
                cache while few programs share it.

   The bytes that a program has in flight stay the same in all three. Its arithmetic takes a warp
   longer: that is hidden while other programs wait for memory, as long as there are other programs.
   A kernel that loads or stores in a loop and reduces across warps has its grid chosen for the
   device, down to one program a multiprocessor; then its warps are all that overlaps, and only
   copies go.

   A kernel keeps all its warps where they are part of what it says: dots, whose
   tiles are fitted to them, inline assembly, which may read thread numbers, and messages, which
   name threads. */
#include "transforms/fewer_warps.h"

#include "analysis/axis_info.h"
#include "analysis/loop_schedule.h"
#include "analysis/pressure.h"
#include "ir/module_target.h"
#include "ir/tile_ops.h"

enum { ACCESS_BYTES = 16, MAX_ACCESSES = 64 };
enum { NARROW_ELEMENTS = 16, CROSSING_ELEMENTS = 32 };
enum { CROSSING_OPERATIONS = 40, CROSSING_WARPS = 16 };
enum { WIDENED_SHARE = 8, LOOP_WEIGHT = 8, MAX_DEFINITIONS = 256 };

struct access {
  int64_t elements, wide; /* of the tile; of the widest access that alignment allows */
  int64_t weight;         /* bytes, with the loops around it */
};

/* What a kernel says about its warps. */
struct work {
  struct session *session;
  struct axis_analysis axis;
  int64_t lanes;         /* threads of a warp */
  int64_t words;         /* that a thread may hold, if CROSSING_WARPS are on a multiprocessor */
  bool fixed;            /* all that were asked for */
  bool loops;            /* accesses in a loop */
  bool reads_again;      /* a load in a loop, of what an iteration of the loop around it had, too */
  bool stores;           /* in a loop */
  int64_t ahead_bytes;   /* that loops load which hand on numbers */
  bool waits;            /* some of them in a branch, which is not loaded ahead */
  bool neighbours;       /* an access of which two elements are neighbours in memory */
  int64_t largest;       /* elements of a tile */
  int64_t largest_bytes; /* of a tile */
  int64_t loaded_bytes;  /* of all tiles that are loaded */
  int operations;        /* elementwise, on tiles */
  int64_t rows;          /* the fewest of a tile that is reduced or scanned; INT64_MAX: none is */
  struct access accesses[MAX_ACCESSES];
  int count;
};

/* Does `value` change from one iteration of `loop` to the next, as far as its definitions say?
   `steps`: how many of them may still be looked at; where that is not enough, it does. */
static bool changes_with(struct session *session, MlirValue value, MlirOperation loop, int *steps) {
  if ((*steps)-- <= 0)
    return true;
  MlirOperation op = value_definition(value);
  if (mlirOperationIsNull(op)) {
    MlirBlock block = mlirBlockArgumentGetOwner(value);
    op = mlirBlockGetParentOperation(block);
    if (mlirOperationEqual(op, loop))
      return true;
    if (!op_is_inside(op, loop))
      return false;
    intptr_t number = mlirBlockArgumentGetArgNumber(value);
    if (kind_of(session, op) != OP_SCF_FOR)
      return true;
    if (number > 0)
      return changes_with(session, op_operand(op, number + 2), loop, steps);
    return changes_with(session, op_operand(op, 0), loop, steps) ||
           changes_with(session, op_operand(op, 2), loop, steps);
  }
  if (!op_is_inside(op, loop))
    return false;
  if (mlirOperationGetNumRegions(op))
    return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (changes_with(session, op_operand(op, i), loop, steps))
      return true;
  return false;
}

/* The loops around `op`, and whether the outer of two has the inner one access the same again. */
static int loops_around(struct session *session, MlirOperation op, bool *out_again) {
  int depth = 0;
  for (MlirOperation at = mlirOperationGetParentOperation(op); !mlirOperationIsNull(at);
       at = mlirOperationGetParentOperation(at)) {
    int steps = MAX_DEFINITIONS;
    if (kind_of(session, at) == OP_SCF_FOR && depth++)
      *out_again |= !changes_with(session, op_operand(op, 0), at, &steps);
  }
  return depth;
}

static bool stores_each_time(struct session *session, MlirOperation loop) {
  MlirOperation op = mlirBlockGetFirstOperation(op_body(loop, 0));
  while (!mlirOperationIsNull(op) && kind_of(session, op) != OP_TILE_STORE)
    op = mlirOperationGetNextInBlock(op);
  return !mlirOperationIsNull(op);
}

/* In a loop that hands on numbers from iteration to iteration? `out_branch`: in a branch there, and
   each iteration stores what it makes of that. */
static bool in_recurrence(struct session *session, MlirOperation op, bool *out_branch) {
  MlirOperation loop = mlirOperationGetParentOperation(op);
  bool branch = kind_of(session, loop) == OP_SCF_IF;
  while (kind_of(session, loop) == OP_SCF_IF)
    loop = mlirOperationGetParentOperation(loop);
  *out_branch = branch && kind_of(session, loop) == OP_SCF_FOR && stores_each_time(session, loop);
  bool carries = false;
  if (kind_of(session, loop) == OP_SCF_FOR)
    for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); i++)
      carries |= mlirTypeIsAFloat(type_element(op_result_type(loop, i)));
  return carries;
}

static void note_access(struct work *work, MlirOperation op, bool is_load) {
  MlirValue pointer = op_operand(op, 0);
  MlirType type = mlirValueGetType(pointer);
  if (!type_is_tensor(type))
    return;
  struct session *session = work->session;
  int64_t bytes =
      (int64_t)type_bytes(&session->types, pointer_pointee(&session->types, type_element(type)));
  int64_t wide = 1, shape[MAX_RANK];
  int rank = type_shape(type, shape);
  for (int dim = 0; dim < rank; dim++) {
    int64_t run = axis_pointer_contiguity(&work->axis, session, pointer, dim);
    run = run > ACCESS_BYTES / bytes ? ACCESS_BYTES / bytes : run;
    wide = run > wide ? run : wide;
  }
  work->neighbours |= axis_has_neighbours(&work->axis, pointer);
  bool again = false;
  int64_t weight = bytes * type_elements(type);
  for (int loops = loops_around(session, op, &again); loops > 0; loops--)
    weight *= LOOP_WEIGHT;
  work->reads_again |= is_load && again;
  work->stores |= !is_load && is_in_loop(session, op);
  bool in_branch;
  if (is_load && in_recurrence(session, op, &in_branch)) {
    work->ahead_bytes += bytes * type_elements(type);
    work->waits |= in_branch;
  }
  work->loops |= is_in_loop(session, op);
  work->loaded_bytes += is_load ? bytes * type_elements(type) : 0;
  if (work->count < MAX_ACCESSES)
    work->accesses[work->count++] = (struct access){type_elements(type), wide, weight};
}

static void note_rows(struct work *work, MlirOperation op) {
  int64_t shape[MAX_RANK];
  type_shape(op_operand_type(op, 0), shape);
  int64_t rows = type_elements(op_operand_type(op, 0)) / shape[op_integer(op, "axis", 0)];
  work->rows = rows < work->rows ? rows : work->rows;
}

static MlirLogicalResult note(MlirOperation op, void *data) {
  struct work *work = data;
  struct session *session = work->session;
  enum op_kind kind = kind_of(session, op);
  work->fixed |= op_has(session, op, FIXES_WARPS);
  work->operations += op_has(session, op, IS_ELEMENTWISE) && type_is_tensor(op_result_type(op, 0));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
    MlirType type = op_result_type(op, i);
    if (!type_is_tensor(type) || !type_is_number(type_element(type)))
      continue;
    int64_t elements = type_elements(type);
    int64_t bytes = elements * (int64_t)type_bytes(&session->types, type_element(type));
    work->largest = elements > work->largest ? elements : work->largest;
    work->largest_bytes = bytes > work->largest_bytes ? bytes : work->largest_bytes;
  }
  if (kind == OP_TILE_LOAD || kind == OP_TILE_STORE)
    note_access(work, op, kind == OP_TILE_LOAD);
  else if (op_has(session, op, COMBINES))
    note_rows(work, op);
  return SUCCESS;
}

/* Is a thread's share of the largest accessed tile less than one access could have, and that not
   only of little? */
static bool is_narrow(const struct work *work, int64_t warps) {
  int64_t largest = 0, all = 0, widened = 0;
  for (int i = 0; i < work->count; i++)
    largest = work->accesses[i].elements > largest ? work->accesses[i].elements : largest;
  for (int i = 0; i < work->count; i++) {
    const struct access *access = &work->accesses[i];
    all += access->weight;
    if (access->elements == largest && access->wide > 1 &&
        largest < access->wide * work->lanes * warps)
      widened += access->weight;
  }
  return widened > 0 && widened >= all / WIDENED_SHARE;
}

/* May programs have so few warps that no row lies in two of them? */
static bool rows_fit(const struct work *work, int64_t warps) {
  int64_t words = (work->largest_bytes + work->loaded_bytes) / 4;
  return work->operations <= CROSSING_OPERATIONS &&
         work->largest <= CROSSING_ELEMENTS * work->lanes * warps &&
         words <= work->words * work->lanes * warps;
}

/* Can a thread of so many warps load far ahead what a recurrence needs (loop_schedule.h)? */
static bool loads_ahead(const struct work *work, int64_t warps) {
  int64_t words = work->ahead_bytes / (4 * work->lanes * warps);
  return !work->stores || (!work->waits && words * FAR_AHEAD <= FAR_AHEAD_WORDS);
}

static int64_t warps_for(const struct work *work, int64_t warps) {
  if (work->fixed)
    return warps;
  bool strided = work->count > 0 && !work->neighbours;
  while (warps > 1 && work->largest < work->lanes * warps && !strided)
    warps /= 2;
  if (work->reads_again || (work->loops && work->rows < warps))
    return warps;
  while (warps > 1 && is_narrow(work, warps) &&
         2 * work->largest <= NARROW_ELEMENTS * work->lanes * warps && loads_ahead(work, warps / 2))
    warps /= 2;
  if (work->rows < warps && rows_fit(work, work->rows))
    warps = work->rows;
  return warps;
}

int64_t fewer_warps(struct session *session, MlirOperation module, int64_t asked) {
  const struct machine *machine = machine_of(module);
  int64_t most = 1;
  int64_t words = machine_registers_for(machine, CROSSING_WARPS * machine->lanes) -
                  PRESSURE_ALLOWANCE - 2 * PRESSURE_OF_ADDRESSES;
  MlirOperation op = {0};
  while (next_kernel(session, module, &op)) {
    struct work work = {
        .session = session, .lanes = machine->lanes, .words = words, .rows = INT64_MAX};
    axis_analysis_run(&work.axis, session, op);
    visit_operations(op, note, &work);
    axis_analysis_destroy(&work.axis);
    int64_t warps = warps_for(&work, asked);
    most = warps > most ? warps : most;
  }
  return most;
}
