/* SPDX-License-Identifier: MIT */
/* See split_plan.h.

   What a plan costs, beside the whole programs, in iterations of the loop over K, of which a
   program has I; T programs are left over for the last turn of B blocks:

     plan                     ranges, their length L           cost
     nothing shared                                            I
     p parts                  p of each program, I / p         L + s + (p - 1) l + w
     n programs in n + 1      n + 1 of n, I n / (n + 1)        L + s + l + w
     the tail in ranges       B of T, I T / B                  L 18/16 + s + q l + max(0, w - (q-1)
   l) a turn more in ranges    B of B + T, I (B + T) / B        L 18/16 - I + s + l + w

   s: storing a part; l: loading one. A multiprocessor moves 64 bytes a cycle to and from the L2
   cache, and all of them together 6154 (DeepGEMM's model of an H100 and H800,
   csrc/jit_kernels/heuristics/sm90.hpp: 8e6 bytes in 1300 cycles): 128 x 256 sums, 128 KB, take
   2048 cycles, or where more than 96 blocks do so 2811. An iteration of 128 x 256 x 64 products of
   f16 takes 1024 cycles of the tensor cores, or as long as its 48 KB of operands take through the
   cache where all blocks load: 1055. w: the stores are over, the atomic operation that says so, and
   the one that sees it: three ways to the L2 cache and back, 4096 cycles. A tile that ranges cut
   anywhere has up to q + 1 parts, but the blocks that load them have some long before. 18/16:
   blocks that are at different iterations of their programs load operands more often from memory.

   Iterations are those of a multiprocessor that is full of blocks, r of them. Alone there a block
   takes 1 / r of that, since tensor cores and cache are its own: so where the tail's programs are
   no more than multiprocessors, sharing nothing costs I / r, not I, and in general I k / r, with k
   of them on the fullest one.

   What is stored and loaded takes half as long again as the formulas say, and a plan has to save
   1/16 of a program's iterations at least: on an H100 a product of 1536^3, 24 iterations, gained
   nothing from a plan that saves 10 of them before these costs. */
#include "transforms/split_plan.h"

#include "base/numbers.h"
#include "tile/image.h"

enum { UNIT = 16, STEP = UNIT + 2, SAVED = UNIT - 1 };

/* 16 times what blocks and iterations make stays below 2^31. */
enum { MAX_TRIPS = 1 << 17 };

static MlirValue number(struct builder *b, int64_t value) {
  return build_integer(b, 32, value);
}

static MlirValue add(struct builder *b, MlirValue x, MlirValue y) {
  return build_binary(b, "arith.addi", x, y);
}

static MlirValue subtract(struct builder *b, MlirValue x, MlirValue y) {
  return build_binary(b, "arith.subi", x, y);
}

static MlirValue multiply(struct builder *b, MlirValue x, MlirValue y) {
  return build_binary(b, "arith.muli", x, y);
}

static MlirValue divide(struct builder *b, MlirValue x, MlirValue y) {
  return build_binary(b, "arith.divui", x, y);
}

static MlirValue both(struct builder *b, MlirValue x, MlirValue y) {
  return build_binary(b, "arith.andi", x, y);
}

static MlirValue smaller_of(struct builder *b, MlirValue x, MlirValue y) {
  return build_binary(b, "arith.minui", x, y);
}

static MlirValue choose(struct builder *b, MlirValue condition, MlirValue x, MlirValue y) {
  return BUILD(b, "arith.select", IN(condition, x, y), OUT(mlirValueGetType(x)));
}

static MlirValue times(struct builder *b, MlirValue x, int64_t factor) {
  return factor == 1 ? x : multiply(b, x, number(b, factor));
}

static MlirValue plus(struct builder *b, MlirValue x, int64_t term) {
  return add(b, x, number(b, term));
}

static MlirValue divide_up(struct builder *b, MlirValue x, MlirValue y) {
  return divide(b, add(b, x, subtract(b, y, number(b, 1))), y);
}

/* --- Which plan ------------------------------------------------------------------------------- */

/* What the choice starts from, and the best plan so far: all of these are i32. */
struct choice {
  MlirValue blocks, trips, tail, whole;
  MlirValue cost, programs, ranges, length, turns, shared;
};

struct candidate {
  MlirValue fits, cost, programs, ranges, length, turns, shared;
};

static void take_if_better(struct builder *b, struct choice *best, const struct candidate *c) {
  MlirValue better = both(b, c->fits, build_compare(b, I_BELOW, c->cost, best->cost));
  best->cost = choose(b, better, c->cost, best->cost);
  best->programs = choose(b, better, c->programs, best->programs);
  best->ranges = choose(b, better, c->ranges, best->ranges);
  best->length = choose(b, better, c->length, best->length);
  best->turns = choose(b, better, c->turns, best->turns);
  best->shared = choose(b, better, c->shared, best->shared);
}

/* Groups of `programs` in `ranges`. */
static void try_groups(struct builder *b, struct choice *best, int programs, int ranges,
                       MlirValue cost) {
  MlirValue in = number(b, programs), out = number(b, ranges);
  MlirValue groups = programs == 1 ? best->tail : divide_up(b, best->tail, in);
  MlirValue length = divide_up(b, times(b, best->trips, programs), out);
  MlirValue wanted = times(b, groups, ranges);
  take_if_better(b, best,
                 &(struct candidate){.fits = build_compare(b, I_NOT_ABOVE, wanted, best->blocks),
                                     .cost = add(b, times(b, length, UNIT), cost),
                                     .programs = in,
                                     .ranges = out,
                                     .length = length,
                                     .turns = number(b, programs == 1 ? 1 : 2),
                                     .shared = best->tail});
}

/* Ranges of the tail anywhere, of more than a third of a program, and of the turn before it and the
   tail. */
static void try_ranges(struct builder *b, struct choice *best, const struct split_costs *costs,
                       MlirValue load) {
  MlirValue length = divide_up(b, multiply(b, best->tail, best->trips), best->blocks);
  MlirValue two = build_compare(b, I_ABOVE, times(b, best->tail, 2), best->blocks);
  MlirValue loads = choose(b, two, times(b, load, 2), times(b, load, 3));
  MlirValue later = choose(b, two, load, times(b, load, 2)), wait = number(b, costs->wait);
  MlirValue rest = subtract(b, wait, smaller_of(b, later, wait));
  MlirValue cost = add(b, plus(b, times(b, length, STEP), costs->move), add(b, loads, rest));
  take_if_better(
      b, best,
      &(struct candidate){.fits = build_compare(b, I_ABOVE, times(b, best->tail, 3), best->blocks),
                          .cost = cost,
                          .programs = best->tail,
                          .ranges = best->blocks,
                          .length = length,
                          .turns = number(b, 2),
                          .shared = best->tail});
  MlirValue all = add(b, best->tail, best->blocks);
  MlirValue more =
      plus(b, add(b, times(b, length, STEP), best->trips), 2 * costs->move_all + costs->wait);
  take_if_better(b, best,
                 &(struct candidate){.fits = build_compare(b, I_UNEQUAL, best->whole, number(b, 0)),
                                     .cost = more,
                                     .programs = all,
                                     .ranges = best->blocks,
                                     .length = add(b, best->trips, length),
                                     .turns = number(b, 3),
                                     .shared = all});
}

/* What a plan must not cost. */
static MlirValue build_cost_of_nothing(struct builder *b, const struct split_plan *plan,
                                       const struct split_costs *costs, MlirValue tail) {
  MlirValue cost = times(b, plan->trips, SAVED);
  if (costs->resident <= 1)
    return cost;
  MlirValue fullest = divide_up(b, times(b, tail, costs->resident), plan->blocks);
  return divide(b, multiply(b, cost, fullest), number(b, costs->resident));
}

static struct choice build_choice(struct builder *b, const struct split_plan *plan,
                                  const struct split_costs *costs, MlirValue programs,
                                  MlirValue tail) {
  MlirValue one = number(b, 1), none = number(b, 0);
  struct choice best = {.blocks = plan->blocks,
                        .trips = plan->trips,
                        .tail = tail,
                        .whole = subtract(b, programs, tail),
                        .cost = build_cost_of_nothing(b, plan, costs, tail),
                        .programs = one,
                        .ranges = one,
                        .length = one,
                        .turns = none,
                        .shared = none};
  MlirValue crowd = build_compare(b, I_ABOVE, tail, number(b, costs->crowd));
  MlirValue load = choose(b, crowd, number(b, costs->move_all), number(b, costs->move));
  for (int parts = 2; parts <= TILE_PARTS; parts++)
    try_groups(b, &best, 1, parts, number(b, parts * costs->move + costs->wait));
  for (int n = 2; n <= 3; n++)
    try_groups(b, &best, n, n + 1, plus(b, load, costs->move + costs->wait));
  try_ranges(b, &best, costs, load);
  return best;
}

/* Ranges have an iteration each at least, and each plan moves a part twice. */
bool split_plan_never_pays(const struct split_costs *costs, int64_t trips) {
  int64_t groups = UNIT + 2 * costs->move + costs->wait;
  int64_t ranges = STEP + 3 * costs->move + larger(costs->wait - costs->move, 0);
  return smaller(groups, ranges) >= SAVED * trips;
}

static MlirValue is_memory(struct builder *b, MlirValue memory) {
  MlirType i64 = mlirIntegerTypeGet(b->context, 64);
  MlirValue address = BUILD(b, "tile.ptr_to_int", IN(memory), OUT(i64));
  return build_compare(b, I_UNEQUAL, address, build_integer(b, 64, 0));
}

/* i1: may some plan pay? None has shorter ranges than I T / B, and each stores and loads a part.
   The arithmetic of all plans lies in the way of the first copy, about 1 us of an H100: without
   this, a product of 1536^3, which shares nothing, was slower by 5%. */
static MlirValue build_may_pay(struct builder *b, const struct split_plan *plan,
                               const struct split_costs *costs, MlirValue tail) {
  MlirValue trips = smaller_of(b, plan->trips, number(b, MAX_TRIPS));
  MlirValue work = times(b, multiply(b, tail, trips), UNIT);
  MlirValue least = add(b, work, times(b, plan->blocks, 2 * costs->move + costs->wait));
  MlirValue most = times(b, multiply(b, plan->blocks, trips), SAVED);
  if (costs->resident > 1) {
    MlirValue alone = build_compare(b, I_NOT_ABOVE, times(b, tail, costs->resident), plan->blocks);
    most = choose(b, alone, divide(b, most, number(b, costs->resident)), most);
  }
  MlirValue some = build_compare(b, I_UNEQUAL, tail, number(b, 0));
  return both(b, some, build_compare(b, I_BELOW, least, most));
}

/* The programs of the tail, and whether to look for a plan: with memory, and where one may pay. */
static MlirOperation build_question(struct builder *b, const struct split_plan *plan,
                                    const struct split_costs *costs, MlirValue programs) {
  MlirType types[] = {mlirIntegerTypeGet(b->context, 32), mlirIntegerTypeGet(b->context, 1)};
  MlirRegion regions[] = {region_with_block(b, 0, NULL), region_with_block(b, 0, NULL)};
  MlirValue asks = is_memory(b, plan->memory);
  if (!mlirValueIsNull(plan->condition))
    asks = both(b, asks, plan->condition);
  MlirOperation branch = BUILD_OP(b, "scf.if", IN(asks), OUTS(types, 2), REGION_LIST(regions, 2));
  struct builder some = builder_at_end(b->context, op_body(branch, 0), b->location);
  MlirValue tail = build_binary(&some, "arith.remui", programs, plan->blocks);
  BUILD_OP(&some, "scf.yield", IN(tail, build_may_pay(&some, plan, costs, tail)));
  struct builder other = builder_at_end(b->context, op_body(branch, 1), b->location);
  BUILD_OP(&other, "scf.yield", IN(number(&other, 0), build_integer(&other, 1, 0)));
  return branch;
}

/* Where nothing may pay, next to nothing is computed. */
void split_plan_build(struct builder *b, struct split_plan *plan, const struct split_costs *costs,
                      MlirValue programs) {
  enum { VALUES = 6 };
  MlirType i32 = mlirIntegerTypeGet(b->context, 32), types[VALUES] = {i32, i32, i32, i32, i32, i32};
  MlirRegion regions[] = {region_with_block(b, 0, NULL), region_with_block(b, 0, NULL)};
  MlirOperation question = build_question(b, plan, costs, programs);
  MlirOperation branch = BUILD_OP(b, "scf.if", IN(op_result(question, 1)), OUTS(types, VALUES),
                                  REGION_LIST(regions, 2));
  struct builder some = builder_at_end(b->context, op_body(branch, 0), b->location);
  struct choice best = build_choice(&some, plan, costs, programs, op_result(question, 0));
  MlirValue none = number(&some, 0);
  MlirValue fit = build_compare(&some, I_NOT_ABOVE, plan->trips, number(&some, MAX_TRIPS));
  MlirValue shared = choose(&some, fit, best.shared, none);
  MlirValue turns = choose(&some, fit, best.turns, none);
  MlirValue whole = subtract(&some, programs, shared);
  MlirValue end = add(&some, whole, multiply(&some, turns, plan->blocks));
  end = choose(&some, build_compare(&some, I_EQUAL, shared, none), programs, end);
  BUILD_OP(&some, "scf.yield", IN(whole, best.programs, best.ranges, best.length, turns, end));
  struct builder other = builder_at_end(b->context, op_body(branch, 1), b->location);
  MlirValue one = number(&other, 1);
  BUILD_OP(&other, "scf.yield", IN(programs, one, one, one, one, programs));
  plan->whole = op_result(branch, 0);
  plan->programs = op_result(branch, 1);
  plan->ranges = op_result(branch, 2);
  plan->length = op_result(branch, 3);
  plan->turns = op_result(branch, 4);
  plan->end = op_result(branch, 5);
  plan->shared = subtract(b, programs, plan->whole);
}

/* --- The pieces of a range -------------------------------------------------------------------- */

/* The iterations of a range, those of its group's first program being the first ones; equal where
   there are none. */
static void build_range(struct builder *b, const struct split_plan *plan, MlirValue group,
                        MlirValue range, MlirValue *begin, MlirValue *end) {
  MlirValue before = smaller_of(b, multiply(b, group, plan->programs), plan->shared);
  MlirValue programs = smaller_of(b, subtract(b, plan->shared, before), plan->programs);
  MlirValue all = multiply(b, programs, plan->trips);
  *begin = smaller_of(b, multiply(b, range, plan->length), all);
  *end = smaller_of(b, add(b, *begin, plan->length), all);
}

/* What of begin to end lies in a program's iterations, which begin with `start`. */
static void build_part_of(struct builder *b, const struct split_plan *plan, MlirValue start,
                          MlirValue begin, MlirValue end, struct split_piece *piece) {
  MlirValue from = subtract(b, build_binary(b, "arith.maxui", begin, start), start);
  MlirValue to = smaller_of(b, subtract(b, end, start), plan->trips);
  piece->from = from;
  piece->to = to;
}

/* Where there are no iterations, one and the other is zero. */
static void build_nothing(struct builder *b, MlirValue some, MlirValue whole,
                          struct split_piece *piece) {
  MlirValue none = number(b, 0);
  piece->program = choose(b, some, piece->program, whole);
  piece->from = choose(b, some, piece->from, none);
  piece->to = choose(b, some, piece->to, none);
  piece->is_part = both(b, piece->is_part, some);
  piece->is_last = both(b, piece->is_last, some);
  piece->first = choose(b, piece->is_last, piece->first, piece->own);
}

/* Of `turns` pieces the first one comes last. */
struct split_piece split_piece_build(struct builder *b, const struct split_plan *plan,
                                     MlirValue counter) {
  MlirValue one = number(b, 1), begin, end;
  MlirValue beyond = subtract(b, counter, plan->whole), turn = divide(b, beyond, plan->blocks);
  struct split_piece piece = {.own = subtract(b, beyond, multiply(b, turn, plan->blocks))};
  MlirValue group = divide(b, piece.own, plan->ranges);
  MlirValue first_range = multiply(b, group, plan->ranges);
  build_range(b, plan, group, subtract(b, piece.own, first_range), &begin, &end);
  MlirValue next = add(b, turn, one), none = number(b, 0);
  MlirValue across = choose(b, build_compare(b, I_EQUAL, next, plan->turns), none, next);
  MlirValue program = add(b, divide(b, begin, plan->trips), across);
  MlirValue start = multiply(b, program, plan->trips);
  MlirValue some =
      both(b, build_compare(b, I_BELOW, begin, end), build_compare(b, I_BELOW, start, end));
  build_part_of(b, plan, start, begin, end, &piece);
  piece.first = add(b, first_range, divide(b, start, plan->length));
  piece.program = add(b, add(b, plan->whole, multiply(b, group, plan->programs)), program);
  piece.is_last = build_compare(b, I_EQUAL, piece.to, plan->trips);
  piece.is_part = build_compare(b, I_UNEQUAL, piece.to, plan->trips);
  build_nothing(b, some, plan->whole, &piece);
  return piece;
}
