/* SPDX-License-Identifier: MIT */
/* See persist_tail.h. A list that blocks take in rounds, one each:

     round(turn)   = first + turn
     column(round) = block, or blocks - 1 - block in odd rounds
     number        = round * blocks + column - skipped */
#include "transforms/persist_tail.h"

static MlirValue add(struct builder *b, MlirValue x, MlirValue y) {
  return build_binary(b, "arith.addi", x, y);
}

static MlirValue subtract(struct builder *b, MlirValue x, MlirValue y) {
  return build_binary(b, "arith.subi", x, y);
}

static MlirValue number(struct builder *b, int64_t value) {
  return build_integer(b, 32, value);
}

static MlirValue selected(struct builder *b, MlirValue condition, MlirValue yes, MlirValue no) {
  return BUILD(b, "arith.select", IN(condition, yes, no), OUT(mlirValueGetType(no)));
}

static MlirValue column(const struct persist_tail *tail, struct builder *b, MlirValue round) {
  MlirValue back = subtract(b, subtract(b, tail->blocks, number(b, 1)), tail->block);
  MlirValue odd = build_binary(b, "arith.andi", round, number(b, 1));
  return selected(b, build_compare(b, I_EQUAL, odd, number(b, 0)), tail->block, back);
}

/* Rounds that are whole count for each block that has a part in them, the one after them for those
   whose column the list reaches. */
static MlirValue build_turns(const struct persist_tail *tail, struct builder *b) {
  MlirValue programs = build_binary(b, "arith.muli", tail->rows, tail->length);
  MlirValue end = add(b, tail->skipped, programs);
  MlirValue rounds = build_binary(b, "arith.divui", end, tail->blocks);
  MlirValue rest = build_binary(b, "arith.remui", end, tail->blocks);
  MlirValue reached = build_compare(b, I_BELOW, column(tail, b, rounds), rest);
  MlirValue begun = build_compare(b, I_NOT_BELOW, rounds, tail->first);
  MlirValue last = build_binary(b, "arith.andi", reached, begun);
  MlirValue whole = build_binary(b, "arith.maxsi", subtract(b, rounds, tail->first), number(b, 0));
  return add(b, whole, BUILD(b, "arith.extui", IN(last), OUT(mlirValueGetType(whole))));
}

struct persist_tail persist_tail_build(struct builder *b, MlirValue block, MlirValue blocks,
                                       MlirValue length, MlirValue rows) {
  struct persist_tail tail = {.block = block, .blocks = blocks, .length = length};
  MlirValue two = build_binary(b, "arith.muli", blocks, number(b, 2));
  MlirValue wanted = build_binary(b, "arith.divui", two, length);
  tail.rows =
      build_binary(b, "arith.minui", build_binary(b, "arith.maxui", wanted, number(b, 1)), rows);
  tail.rows_before = subtract(b, rows, tail.rows);
  tail.before = build_binary(b, "arith.muli", tail.rows_before, length);
  MlirValue pairs = build_binary(b, "arith.shrui", add(b, tail.before, number(b, 1)), number(b, 1));
  tail.skipped = build_binary(b, "arith.remui", pairs, blocks);
  MlirValue more = build_compare(b, I_BELOW, block, tail.skipped);
  tail.first = selected(b, more, number(b, 1), number(b, 0));
  tail.turns = build_turns(&tail, b);
  return tail;
}

struct persist_program persist_tail_program(const struct persist_tail *tail, struct builder *b,
                                            MlirValue turn) {
  MlirValue round = add(b, tail->first, turn);
  MlirValue before = build_binary(b, "arith.muli", round, tail->blocks);
  MlirValue program = subtract(b, add(b, before, column(tail, b, round)), tail->skipped);
  return (struct persist_program){
      .place = build_binary(b, "arith.divui", program, tail->rows),
      .row = add(b, tail->rows_before, build_binary(b, "arith.remui", program, tail->rows))};
}
