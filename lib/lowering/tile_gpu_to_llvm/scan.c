/* SPDX-License-Identifier: MIT */
/* tile.scan: inclusive, from the first element along the axis on, or from the last with `reverse`.

     1. each thread scans its run of low registers; its total is the run's last
     2. lanes along the axis scan the totals: in step k the upper half of each group of 2^(k+1)
        lanes
        gets the total of the lower half from that half's last lane
     3. warps: the last lanes' totals through shared memory; each thread adds up those before its
        own
     4. runs held again in high registers (a tile larger than the block) follow one another

   Each element then is what lies before its run, combined with its place in the run. With `reverse`
   "before" is after, and the nearest element still is the right side of a combination. */
#include "lowering/tile_gpu_to_llvm/reduce.h"

struct scanning {
  struct reducing r;
  bool reverse;
  uint32_t low, rows;             /* register bits: of a run; of everything else */
  int length, runs;               /* registers of a run; runs of a thread */
  struct element *total, *before; /* of each run; `before` is of this thread's place in its warp */
};

static struct element *run_register(struct scanning *s, int run, int i) {
  int place = s->reverse ? s->length - 1 - i : i;
  return &s->r.element[deposit_bits((uint32_t)run, s->rows) |
                       deposit_bits((uint32_t)place, s->low)];
}

static MlirLogicalResult scan_runs(struct scanning *s) {
  for (int run = 0; run < s->runs; run++) {
    for (int i = 1; i < s->length; i++)
      TRY_IR(reducing_combine(&s->r, run_register(s, run, i - 1), run_register(s, run, i),
                              run_register(s, run, i)));
    s->total[run] = *run_register(s, run, s->length - 1);
  }
  return SUCCESS;
}

static MlirValue lane_operation(struct scanning *s, const char *name, MlirValue a,
                                int64_t constant) {
  struct lowering *lw = s->r.lw;
  return BUILD(&lw->b, name, IN(a, constant_integer(lw, 32, constant)),
               OUT(integer_type(&lw->b, 32)));
}

/* i1: has this lane others before it, looking at the bits in `mask` only? */
static MlirValue has_before(struct scanning *s, MlirValue index, uint32_t mask) {
  if (s->reverse)
    index = lane_operation(s, "arith.xori", index, -1);
  return build_has_bits(s->r.lw, index, mask);
}

/* The lane that holds the total of the half before this lane's, in the step of `bit`: that half's
   last. */
static MlirValue last_of_half(struct scanning *s, uint32_t lanes, int bit) {
  uint32_t own = UINT32_C(1) << bit, below = lanes & (own - 1);
  MlirValue lane = lane_operation(s, "arith.andi", s->r.lw->lane, (int32_t) ~(own | below));
  return lane_operation(s, "arith.ori", lane, s->reverse ? own : below);
}

/* Totals become the totals of all lanes up to this one; `before` those of the lanes before it. */
static MlirLogicalResult scan_lanes(struct scanning *s, uint32_t lanes) {
  struct lowering *lw = s->r.lw;
  for (int bit = 0; lanes >> bit; bit++) {
    if (!(lanes >> bit & 1))
      continue;
    MlirValue from = last_of_half(s, lanes, bit);
    MlirValue gets = has_before(s, lw->lane, UINT32_C(1) << bit);
    for (int run = 0; run < s->runs; run++) {
      struct element other = shuffle_element(&s->r, SHUFFLE_LANE, &s->total[run], from, 0), both;
      TRY_IR(reducing_combine(&s->r, &other, &s->total[run], &both));
      s->total[run] = select_element(&s->r, gets, &both, &s->total[run]);
    }
  }
  /* The lane before: the bits of `lanes` counted down (up) by one, the others kept. */
  MlirValue next =
      s->reverse
          ? lane_operation(s, "arith.addi",
                           lane_operation(s, "arith.ori", lw->lane, (int32_t)~lanes), 1)
          : lane_operation(s, "arith.subi", lane_operation(s, "arith.andi", lw->lane, lanes), 1);
  next = lane_operation(s, "arith.andi", next, lanes);
  MlirValue rest = lane_operation(s, "arith.andi", lw->lane, (MACHINE_LANES - 1) & ~lanes);
  MlirValue from = BUILD(&lw->b, "arith.ori", IN(next, rest), OUT(integer_type(&lw->b, 32)));
  for (int run = 0; run < s->runs; run++)
    s->before[run] = shuffle_element(&s->r, SHUFFLE_LANE, &s->total[run], from, 0);
  return SUCCESS;
}

/* Puts `before` before all elements of a run; `any` (i1, null: always) says where there is one. */
static MlirLogicalResult prepend(struct scanning *s, int run, const struct element *before,
                                 MlirValue any) {
  for (int i = 0; i < s->length; i++) {
    struct element *own = run_register(s, run, i), both;
    TRY_IR(reducing_combine(&s->r, before, own, &both));
    *own = mlirValueIsNull(any) ? both : select_element(&s->r, any, &both, own);
  }
  return SUCCESS;
}

/* Every lane gets the total of its warp. */
static void broadcast_totals(struct scanning *s, uint32_t lanes) {
  MlirValue last = lane_operation(s, "arith.andi", s->r.lw->lane, (MACHINE_LANES - 1) & ~lanes);
  if (!s->reverse)
    last = lane_operation(s, "arith.ori", last, lanes);
  for (int run = 0; run < s->runs && lanes; run++)
    s->total[run] = shuffle_element(&s->r, SHUFFLE_LANE, &s->total[run], last, 0);
}

/* This warp's number along the axis, as i32. */
static MlirValue warp_index(struct scanning *s, uint32_t warps) {
  struct lowering *lw = s->r.lw;
  MlirValue index = {0};
  int place = 0;
  for (int bit = 0; warps >> bit; bit++) {
    if (!(warps >> bit & 1))
      continue;
    MlirValue one =
        lane_operation(s, "arith.andi", lane_operation(s, "arith.shrui", lw->warp, bit), 1);
    one = lane_operation(s, "arith.shli", one, place++);
    index = mlirValueIsNull(index)
                ? one
                : BUILD(&lw->b, "arith.ori", IN(index, one), OUT(integer_type(&lw->b, 32)));
  }
  return index;
}

/* Totals of all warps come in; what is before this warp goes before its runs. The total of a run
   becomes that of all warps. */
static MlirLogicalResult scan_warps(struct scanning *s) {
  uint32_t warps = s->r.plan->bits.warps;
  int count = 1 << __builtin_popcount(warps);
  struct element *kept = s->r.element;
  int kept_count = s->r.count;
  s->r.element = s->total;
  s->r.count = s->runs;
  reducing_conversion(&s->r, &s->r.plan->across);
  struct element *gathered = s->r.element;
  s->r.element = kept;
  s->r.count = kept_count;
  MlirValue index = warp_index(s, warps);
  MlirValue any = {0};
  for (int run = 0; run < s->runs; run++) {
    const struct element *of_warp = gathered + run * count;
    int first = s->reverse ? count - 1 : 0, step = s->reverse ? -1 : 1;
    struct element sum = of_warp[first], before = sum;
    for (int i = 1; i < count; i++) {
      int warp = first + i * step;
      if (i > 1)
        before = select_element(
            &s->r, build_compare(&s->r.lw->b, I_EQUAL, index, constant_integer(s->r.lw, 32, warp)),
            &sum, &before);
      TRY_IR(reducing_combine(&s->r, &sum, &of_warp[warp], &sum));
    }
    if (mlirValueIsNull(any))
      any = build_has_bits(s->r.lw, s->reverse ? lane_operation(s, "arith.xori", index, -1) : index,
                           (uint32_t)count - 1);
    TRY_IR(prepend(s, run, &before, any));
    s->total[run] = sum;
  }
  return SUCCESS;
}

/* Runs one after the other along the axis: those whose numbers differ in `high` bits of a run. */
static MlirLogicalResult chain_runs(struct scanning *s, uint32_t high) {
  int count = 1 << __builtin_popcount(high), groups = s->runs / count;
  uint32_t others = (uint32_t)(s->runs - 1) & ~high;
  for (int group = 0; group < groups; group++) {
    uint32_t base = deposit_bits((uint32_t)group, others);
    struct element before = {0};
    for (int i = 0; i < count; i++) {
      int place = s->reverse ? count - 1 - i : i;
      int run = (int)(base | deposit_bits((uint32_t)place, high));
      struct element total = s->total[run];
      if (i) {
        TRY_IR(prepend(s, run, &before, (MlirValue){0}));
        TRY_IR(reducing_combine(&s->r, &before, &total, &total));
      }
      before = total;
    }
  }
  return SUCCESS;
}

/* The bits of `set` as bits of a run's number, which counts the registers outside of runs. */
static uint32_t compress_bits(uint32_t set, uint32_t rows) {
  uint32_t result = 0;
  int place = 0;
  for (int bit = 0; rows >> bit; bit++)
    if (rows >> bit & 1)
      result |= (set >> bit & 1) << place++;
  return result;
}

MlirLogicalResult lower_scan(struct lowering *lw, MlirOperation op) {
  struct scanning s = {0};
  TRY_IR(reducing_begin(lw, op, &s.r));
  const struct axis_bits *bits = &s.r.plan->bits;
  MlirAttribute reverse = mlirOperationGetAttributeByName(op, ref("reverse"));
  s.reverse = mlirAttributeIsABool(reverse) && mlirBoolAttrGetValue(reverse);
  s.low = bits->low_registers;
  s.rows = (uint32_t)(s.r.count - 1) & ~s.low;
  s.length = 1 << __builtin_popcount(s.low);
  s.runs = s.r.count / s.length;
  s.total = ARENA_ARRAY(&lw->arena, struct element, (size_t)s.runs);
  s.before = ARENA_ARRAY(&lw->arena, struct element, (size_t)s.runs);
  TRY_IR(scan_runs(&s));
  if (bits->lanes) {
    TRY_IR(scan_lanes(&s, bits->lanes));
    MlirValue any = has_before(&s, lw->lane, bits->lanes);
    for (int run = 0; run < s.runs; run++)
      TRY_IR(prepend(&s, run, &s.before[run], any));
    if (bits->warps || bits->high_registers)
      broadcast_totals(&s, bits->lanes);
  }
  if (s.r.plan->across.needed)
    TRY_IR(scan_warps(&s));
  if (bits->high_registers)
    TRY_IR(chain_runs(&s, compress_bits(bits->high_registers, s.rows)));
  reducing_end(&s.r);
  return SUCCESS;
}
