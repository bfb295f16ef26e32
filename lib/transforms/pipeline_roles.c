/* SPDX-License-Identifier: MIT */
/* tile-gpu-pipeline: a loop of bulk copies whose block is going to have roles
   (tile-gpu-warp-specialize): a producer that copies, and consumers that multiply.

     mbarriers full and empty, one a stage: initialised        before all loops
     for iv, stage, its parity                                 and the loops around carry both
       producer   wait at the stage's empty mbarrier for the phase before
                  expect the bytes of this iteration at the full one; start the copies
       consumers  wait at the full mbarrier for the phase of this parity
                  ... products of the stage ...
                  arrive at the empty mbarrier

   Both stand in one loop here and belong to the same iteration: each role goes through the loop by
   itself, and how far one is ahead of the other is a matter of the stages alone. No phase comes
   before the first, so that the first wait at an empty mbarrier, for the parity of the phase
   before, ends at once (PTX ISA, mbarrier.test_wait). The operations of the producer are marked
   (tile_gpu.producer); all others are the consumers'.

   A product that is in flight until the next iteration has read its stage after its wait there; the
   last one after the loop. Each warp arrives for itself, once its own part of the product is
   done. */
#include <stdlib.h>
#include "analysis/loop_stages.h"
#include "base/arena.h"
#include "base/numbers.h"
#include "transforms/bulk_ring.h"
#include "transforms/pipeline_rewrite.h"

struct roles {
  struct bulk_ring ring;
  MlirValue empty;         /* mbarriers: everyone has read the stage */
  MlirValue stage, parity; /* of this iteration */
};

static MlirOperation mark_producer(MlirOperation op) {
  attribute_set_unit(op, ATTR_PRODUCER);
  return op;
}

/* The loop around all others of the kernel that are around this one. */
static MlirOperation outermost(struct session *session, MlirOperation loop) {
  MlirOperation parent = mlirOperationGetParentOperation(loop);
  for (; op_is(session, parent, OP_SCF_FOR); parent = mlirOperationGetParentOperation(loop))
    loop = parent;
  return loop;
}

static MlirValue always(struct builder *b) {
  return build_integer(b, 1, 1);
}

/* --- The producer's part ---------------------------------------------------------------------- */

/* Right before each load, whose offsets are there. */
static void build_copies(struct roles *roles) {
  struct bulk_ring *ring = &roles->ring;
  MlirValue full = {0};
  for (int i = 0; i < ring->row_count; i++) {
    MlirOperation load = ring->rows[i]->load;
    struct builder b = builder_before(load);
    MlirValue offsets[MAX_RANK];
    for (intptr_t k = 0; k + 1 < mlirOperationGetNumOperands(load); k++)
      offsets[k] = op_operand(load, k + 1);
    if (i == 0) {
      full = bulk_ring_mbarrier(ring, &b, ring->full, roles->stage);
      MlirValue empty = bulk_ring_mbarrier(ring, &b, roles->empty, roles->stage);
      MlirValue before = build_binary(&b, "arith.xori", roles->parity, build_integer(&b, 32, 1));
      mark_producer(BUILD_OP(&b, "tile_gpu.mbarrier_wait", IN(empty, before),
                             OUT(ring->session->types.token)));
      mark_producer(bulk_ring_expect(ring, &b, full, always(&b)));
    }
    mark_producer(bulk_ring_start(ring, &b, i, roles->stage, full, always(&b), offsets));
  }
}

/* --- The consumers' part ---------------------------------------------------------------------- */

static void build_wait(struct roles *roles) {
  struct bulk_ring *ring = &roles->ring;
  struct builder b = builder_before(ring->rows[0]->load);
  BUILD(&b, "tile_gpu.mbarrier_wait",
        IN(bulk_ring_mbarrier(ring, &b, ring->full, roles->stage), roles->parity),
        OUT(ring->session->types.token));
}

static void build_arrival(struct roles *roles, struct builder *b, MlirValue stage,
                          MlirValue predicate) {
  BUILD_OP(b, "tile_gpu.mbarrier_arrive",
           IN(bulk_ring_mbarrier(&roles->ring, b, roles->empty, stage), predicate));
}

static MlirValue stage_before(struct roles *roles, struct builder *b, MlirValue stage) {
  MlirValue first = build_compare(b, I_EQUAL, stage, build_integer(b, 32, 0));
  MlirValue less = build_binary(b, "arith.subi", stage, build_integer(b, 32, 1));
  return BUILD(b, "arith.select", IN(first, build_integer(b, 32, roles->ring.count - 1), less),
               OUT(mlirValueGetType(stage)));
}

/* i1: has the loop an iteration; has this iteration one before it? */
static MlirValue loop_runs(struct builder *b, MlirOperation loop) {
  return build_compare(b, op_has_attribute(loop, "unsignedCmp") ? I_BELOW : I_LESS,
                       op_operand(loop, 0), op_operand(loop, 1));
}

/* `wait`: of the product in flight, or null; `last`: the wait after the loop for the last one. */
static void build_arrivals(struct roles *roles, MlirOperation loop, intptr_t carried,
                           MlirOperation wait, MlirOperation last) {
  MlirBlock body = op_body(loop, 0);
  if (mlirOperationIsNull(wait)) {
    struct builder b = builder_before(mlirBlockGetTerminator(body));
    build_arrival(roles, &b, roles->stage, always(&b));
    return;
  }
  struct builder b = builder_before(mlirOperationGetNextInBlock(wait));
  MlirValue later =
      build_compare(&b, I_UNEQUAL, mlirBlockGetArgument(body, 0), op_operand(loop, 0));
  build_arrival(roles, &b, stage_before(roles, &b, roles->stage), later);
  struct builder after = builder_before(mlirOperationGetNextInBlock(last));
  build_arrival(roles, &after, stage_before(roles, &after, op_result(loop, carried)),
                loop_runs(&after, loop));
}

/* --- Loops ------------------------------------------------------------------------------------ */

/* The loop around `inner` hands on what `inner` does from result and initial value `first` on. */
static MlirOperation widen_parent(MlirOperation parent, MlirOperation inner, intptr_t first) {
  struct wider_loop *w = tile_allocate(sizeof *w);
  *w = (struct wider_loop){.old = parent};
  struct builder b = builder_before(parent);
  for (intptr_t k = 0; k < 2; k++)
    wider_add(w, build_integer(&b, 32, 0));
  wider_build(w, &b);
  MlirValue values[2];
  for (intptr_t k = 0; k < 2; k++) {
    mlirOperationSetOperand(inner, 3 + first + k, wider_argument(w, k));
    values[k] = op_result(inner, first + k);
  }
  wider_finish(w, values);
  MlirOperation loop = w->loop;
  free(w);
  return loop;
}

/* Stage and parity go through all loops from `loop` outwards. */
static void widen_parents(struct session *session, MlirOperation loop, intptr_t carried) {
  MlirOperation parent = mlirOperationGetParentOperation(loop);
  while (op_is(session, parent, OP_SCF_FOR)) {
    intptr_t before = mlirOperationGetNumResults(parent);
    loop = widen_parent(parent, loop, carried);
    carried = before;
    parent = mlirOperationGetParentOperation(loop);
  }
}

/* As many iterations are in progress as the loop asks for, and the product of one more still reads
   its stage while the producer goes on. */
static int stages_of(const struct loop_schedule *schedule) {
  return (int)smaller(schedule->stages + schedule->in_flight, schedule->room);
}

MlirOperation pipeline_roles(struct session *session, const struct loop_schedule *schedule,
                             MlirOperation wait, MlirOperation last) {
  int64_t warps = attribute_number(module_of(schedule->loop), ATTR_NUM_WARPS, 4);
  struct roles *roles = tile_allocate(sizeof *roles);
  struct wider_loop *w = tile_allocate(sizeof *w);
  *w = (struct wider_loop){.old = schedule->loop};
  struct builder b = builder_before(outermost(session, schedule->loop));
  bulk_ring_build(&roles->ring, session, schedule, stages_of(schedule), &b);
  roles->empty = bulk_ring_mbarriers(&roles->ring, &b, (int)warps);
  b = builder_before(schedule->loop);
  for (int k = 0; k < 2; k++)
    wider_add(w, build_integer(&b, 32, 0));
  wider_build(w, &b);
  struct builder inside = builder_at_end(session->context, w->block, b.location);
  roles->stage = wider_argument(w, 0);
  roles->parity = wider_argument(w, 1);
  MlirValue values[2];
  values[0] = bulk_ring_next(&roles->ring, &inside, roles->stage, roles->parity, &values[1]);
  build_copies(roles);
  build_wait(roles);
  for (int i = 0; i < roles->ring.row_count; i++)
    bulk_ring_serve(&roles->ring, i, roles->stage);
  wider_finish(w, values);
  MlirOperation loop = w->loop;
  build_arrivals(roles, loop, w->carried, wait, last);
  widen_parents(session, loop, w->carried);
  free(w);
  free(roles);
  return loop;
}
