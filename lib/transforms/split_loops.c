/* SPDX-License-Identifier: MIT */
/* tile-split-loops: loops in pieces, so that masks are known to be true in the one that does most
   of the work.

     for %n = 0 to %end step 64 {                 for %n = 0 to %split step 64 {
       %s = dot ...                                 %s = dot ...
       %m = %rows >= %n + range 0 to 64      ->     ... %s ...
       %x = select %m, %s, -inf                   }
       ... %x ...                                 for %n = %split to %end step 64 {
     }                                              as it was
                                                  }

   Needs: tensors without layouts; it is best after tile-version-descriptors, which reads masks, and
   before tile-cleanup, which takes away what the true masks leave. Keeps: what is computed, in the
   same order, with what the loop says of itself (tile.num_stages) on each piece; tile-contract-fma
   may find a product without its select that is only added to something, and round it once. A piece
   may have no iterations.

   Which iterations. A comparison of sums of numbers and ranges is true for all elements of a tile
   where its least difference is positive: advance * k + rest > 0, k the number of the iteration.
   That is so up to some iteration (a causal mask, a length) or from one on (a sliding window's
   other end). Where the loop has both, it has three pieces: until the last one begins, while all
   hold, the rest. Numbers of comparisons wrap as the kernel's arithmetic does; so where one of them
   could, in any iteration, the split makes the true piece empty. No promise is needed: the bounds
   are computed in 64 bits before the loop, from what the launch gives.

   Which loops. With a dot, without loops inside, of at most MAX_OPERATIONS operations; where the
   known comparisons and what they choose (arith.select) of what a dot of the loop gives are at
   least one in LEAST_SHARE of the elements that an iteration computes. What comes before the dot is
   computed while the one of the iteration before is in flight: there splitting has cost 5%
   (_chunk_scan_fwd_kernel of mamba). A mask of loads alone costs next to nothing: asynchronous
   copies have it for nothing, and loops over rows without masks were measured to be no faster. It
   goes where a loop is split for another one; the option `masks` splits for it alone. Not where it
   is known that the true piece has fewer iterations than the loop has stages. And only on targets
   with wgmma, unless the option `everywhere` asks for it: where operands of dots are in registers,
   ptxas holds what the other piece needs across the first one, and spills.

   All false is not looked at: an iteration whose elements are all masked off still changes what is
   carried (a maximum of -inf, a product of zeros and infinities), so it cannot be left out. */
#include "analysis/iteration_form.h"
#include "analysis/loop_stages.h"
#include "ir/build.h"
#include "ir/module_target.h"
#include "ir/passes.h"

const struct pass_option split_loops_options[] = {
    {"masks", OPTION_BOOLEAN, "false", "split for masks of loads and stores alone, too"},
    {"remarks", OPTION_BOOLEAN, "false", "says of each loop with comparisons why it stays whole"},
    {"everywhere", OPTION_BOOLEAN, "false", "split on targets without wgmma, too"},
    {0}};

enum {
  MAX_COMPARISONS = 16,
  MAX_OPERATIONS = 400, /* of the body: it is there twice, or three times */
  LEAST_SHARE = 12,     /* one in so many of the elements that an iteration computes */
  LEAST_ITERATIONS = 2  /* of the piece with true masks */
};

/* What a mask that is known takes away. */
struct gain {
  bool masks, choices; /* of loads and stores; of selects */
  int64_t elements;    /* of the selects of what a dot of the loop gives */
};

/* A comparison of the loop's that is true where `difference` > 0. */
struct comparison {
  MlirOperation op;
  int place;    /* among the body's operations, in the order of a walk */
  bool chooses; /* more than what a load or store leaves out */
  struct gain gain;
  struct iteration_form sides[2], difference;
};

struct splitting {
  struct session *session;
  struct pass_context *context;
  MlirOperation loop;
  struct iteration_reader reader;
  struct comparison list[MAX_COMPARISONS];
  int count, operations;
  int64_t elements; /* that an iteration computes */
  bool has_dot, has_loop;
  const char *problem;
  struct builder b; /* before the loop */
};

static void take_problem(struct splitting *s, const char *problem) {
  if (!s->problem)
    s->problem = problem;
}

/* --- Comparisons ------------------------------------------------------------------------------ */

static bool is_signed(int64_t predicate) {
  return predicate == I_LESS || predicate == I_NOT_GREATER || predicate == I_GREATER ||
         predicate == I_NOT_LESS;
}

/* a < b as b - a > 0, a <= b as b - a + 1 > 0. */
static bool read_comparison(struct splitting *s, MlirOperation op, struct comparison *out) {
  int64_t predicate = op_integer(op, "predicate", -1);
  bool turned = predicate == I_GREATER || predicate == I_NOT_LESS;
  bool equal = predicate == I_NOT_GREATER || predicate == I_NOT_LESS;
  struct iteration_form one = iteration_form_number(1);
  if (!is_signed(predicate)) {
    s->reader.problem = "it compares otherwise than by <, <=, > and >= of signed numbers";
    return false;
  }
  for (int i = 0; i < 2; i++)
    if (!iteration_form_read(&s->reader, op_operand(op, i), &out->sides[i]))
      return false;
  s->reader.problem = "its numbers are too large";
  out->op = op;
  out->difference = out->sides[!turned];
  return iteration_form_add(&out->difference, &out->sides[turned], -1) &&
         (!equal || iteration_form_add(&out->difference, &one, 1));
}

/* Is the value computed from a dot of the iteration? `seen`: MlirOperation.ptr. */
static bool is_after_dot(struct splitting *s, struct map *seen, MlirValue value) {
  MlirOperation op = value_definition(value);
  if (mlirOperationIsNull(op) || !op_is_inside(op, s->loop) || map_get(seen, op.ptr))
    return false;
  map_set(seen, op.ptr, s);
  bool after = op_has(s->session, op, IS_DOT);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && !after; i++)
    after = is_after_dot(s, seen, op_operand(op, i));
  return after;
}

/* A choice among what the dot gives, or of a number that is then added to it, as in
   tl.dot(q, k) + tl.where(seen, 0, -inf). */
static bool chooses_after_dot(struct splitting *s, MlirOperation select) {
  struct map seen = {0};
  MlirOperation user = only_user(op_result(select, 0));
  bool after = is_after_dot(s, &seen, op_result(select, 0));
  if (!after && !mlirOperationIsNull(user) && op_has(s->session, user, IS_ELEMENTWISE))
    after = is_after_dot(s, &seen, op_result(user, 0));
  map_free(&seen);
  return after;
}

static void add_gain(struct splitting *s, MlirValue truth, struct gain *gain) {
  struct session *session = s->session;
  for (MlirOpOperand use = mlirValueGetFirstUse(truth); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    enum op_kind kind = kind_of(session, user);
    bool chooses = kind == OP_ARITH_SELECT && mlirOpOperandGetOperandNumber(use) == 0;
    gain->choices |= chooses;
    if (chooses && chooses_after_dot(s, user))
      gain->elements += type_elements(op_result_type(user, 0));
    if (KIND_IN(kind, OP_TILE_BROADCAST, OP_TILE_EXPAND_DIMS, OP_TILE_SPLAT, OP_TILE_PERMUTE,
                OP_ARITH_ANDI))
      add_gain(s, op_result(user, 0), gain);
    gain->masks |= KIND_IN(kind, OP_TILE_LOAD, OP_TILE_STORE);
  }
}

static void note_comparison(struct splitting *s, MlirOperation op, int place) {
  int narrow = s->reader.narrow_count;
  struct comparison own = {.place = place};
  add_gain(s, op_result(op, 0), &own.gain);
  if (!own.gain.masks && !own.gain.choices)
    return;
  own.chooses = own.gain.choices || s->context->values[0].integer;
  s->reader.budget = MAX_FORM_OPERATIONS;
  bool known = read_comparison(s, op, &own), counts = known && own.difference.advance != 0;
  if (!known && own.chooses)
    take_problem(s, s->reader.problem);
  if (counts && s->count < MAX_COMPARISONS)
    s->list[s->count++] = own;
  else
    s->reader.narrow_count = narrow;
}

/* Elements of floats and masks that an operation of the loop computes, each by about an
   instruction; addresses are computed once for many. */
static int64_t elements_of(struct session *session, MlirOperation op) {
  if (!op_has(session, op, IS_ELEMENTWISE) && !op_is(session, op, OP_TILE_REDUCE))
    return 0;
  MlirType type = op_operand_type(op, 0), element = type_element(op_result_type(op, 0));
  bool counts = type_is_float(element) || type_is_integer(element, 1);
  return counts && type_is_tensor(type) ? type_elements(type) : 0;
}

static MlirLogicalResult look_at(MlirOperation op, void *data) {
  struct splitting *s = data;
  enum op_kind kind = kind_of(s->session, op);
  s->has_dot |= op_has(s->session, op, IS_DOT);
  s->has_loop |= op_has(s->session, op, IS_LOOP);
  s->elements += elements_of(s->session, op);
  if (kind == OP_ARITH_CMPI)
    note_comparison(s, op, s->operations);
  s->operations++;
  return SUCCESS;
}

/* --- Whether ---------------------------------------------------------------------------------- */

/* rest / by, rounded up, of what is positive; else 0. */
static int64_t steps_to(int64_t rest, int64_t by) {
  return rest > 0 ? (rest + by - 1) / by : 0;
}

/* The numbers that a comparison's rest, without its scalars, is divided by its advance for: true
   are the iterations below that, or from it on (make_piece). */
static int64_t rest_of(const struct comparison *own) {
  const struct iteration_form *form = &own->difference;
  return form->advance < 0 ? form->least : 1 - form->least;
}

/* The iterations of the true piece, where that, or a number that it cannot exceed, is known. */
static int64_t most_iterations(struct splitting *s) {
  struct iteration_form length, begin;
  int64_t first = 0, end = INT64_MAX;
  s->reader.budget = MAX_FORM_OPERATIONS;
  if (iteration_form_read(&s->reader, op_operand(s->loop, 1), &length) &&
      iteration_form_read(&s->reader, op_operand(s->loop, 0), &begin) &&
      iteration_form_add(&length, &begin, -1) && length.count == 0)
    end = steps_to(length.most, s->reader.step);
  for (int i = 0; i < s->count; i++) {
    const struct iteration_form *form = &s->list[i].difference;
    int64_t rest = rest_of(&s->list[i]);
    if (form->count == 0 && form->advance < 0 && steps_to(rest, -form->advance) < end)
      end = steps_to(rest, -form->advance);
    if (form->count == 0 && form->advance > 0 && steps_to(rest, form->advance) > first)
      first = steps_to(rest, form->advance);
  }
  return end - first;
}

/* Masks are worth no piece of their own: keeps those that are known where others are. */
static void drop_masks(struct splitting *s) {
  bool below = false, above = false;
  int kept = 0;
  for (int i = 0; i < s->count; i++) {
    below |= s->list[i].chooses && s->list[i].difference.advance < 0;
    above |= s->list[i].chooses && s->list[i].difference.advance > 0;
  }
  for (int i = 0; i < s->count; i++)
    if (s->list[i].difference.advance < 0 ? below : above)
      s->list[kept++] = s->list[i];
  s->count = kept;
}

/* Do the comparisons and what they choose make up a good part of the iteration? */
static bool is_worth(struct splitting *s) {
  int64_t compared = 0, chosen = 0;
  for (int i = 0; i < s->count; i++) {
    const struct comparison *own = &s->list[i];
    if (own->gain.elements)
      compared += type_elements(op_result_type(own->op, 0));
    chosen = own->gain.elements > chosen ? own->gain.elements : chosen;
  }
  return s->context->values[0].integer ||
         (chosen > 0 && (compared + chosen) * LEAST_SHARE >= s->elements);
}

/* Why not; NULL: nothing against it. */
static const char *why_whole(struct splitting *s) {
  if (machine_of(s->loop)->matrix_unit != MATRIX_WGMMA && !s->context->values[2].integer)
    return "the target's dots hold their operands in registers, which are scarce in two pieces";
  if (s->has_loop)
    return "it has a loop inside";
  if (!s->has_dot)
    return "it has no product";
  if (s->operations > MAX_OPERATIONS)
    return "its body is too long to be there twice";
  if (!is_worth(s))
    return "its masks of what a product gives are a small part of what it computes";
  int64_t stages = loop_num_stages(s->loop);
  return most_iterations(s) < (stages > LEAST_ITERATIONS ? stages : LEAST_ITERATIONS)
             ? "its masks are true in fewer iterations than it has stages"
             : NULL;
}

static bool may_split(struct splitting *s) {
  bool counts = iteration_reader_begin(&s->reader, s->session, s->loop);
  s->problem = counts ? NULL : s->reader.problem;
  if (!counts)
    return false;
  visit_operations(s->loop, look_at, s);
  drop_masks(s);
  if (s->count > 0)
    s->problem = why_whole(s);
  return s->count > 0 && !s->problem;
}

/* --- The bounds, in 64 bits before the loop ----------------------------------------------------
 */

static MlirValue number(struct splitting *s, int64_t value) {
  return build_integer(&s->b, 64, value);
}

static MlirValue plus(struct splitting *s, MlirValue a, MlirValue b) {
  if (mlirValueIsNull(a) || mlirValueIsNull(b))
    return mlirValueIsNull(a) ? b : a;
  return build_binary(&s->b, "arith.addi", a, b);
}

static MlirValue plus_number(struct splitting *s, MlirValue a, int64_t value) {
  return value == 0 && !mlirValueIsNull(a) ? a : plus(s, a, number(s, value));
}

static MlirValue times(struct splitting *s, MlirValue a, int64_t factor) {
  return factor == 1 ? a : build_binary(&s->b, "arith.muli", a, number(s, factor));
}

static MlirValue widened(struct splitting *s, MlirValue scalar) {
  MlirType i64 = integer_type(&s->b, 64);
  return mlirTypeEqual(mlirValueGetType(scalar), i64)
             ? scalar
             : BUILD(&s->b, "arith.extsi", IN(scalar), OUT(i64));
}

/* The scalars' part of a form times `sign`; null where it has none. */
static MlirValue scalars_of(struct splitting *s, const struct iteration_form *form, int sign) {
  MlirValue sum = {0};
  for (int i = 0; i < form->count; i++)
    sum = plus(s, sum, times(s, widened(s, form->terms[i].scalar), form->terms[i].factor * sign));
  return sum;
}

/* max(x, 0) / by */
static MlirValue divided(struct splitting *s, MlirValue x, int64_t by) {
  x = build_binary(&s->b, "arith.maxsi", x, number(s, 0));
  return by == 1 ? x : build_binary(&s->b, "arith.divui", x, number(s, by));
}

/* What has to hold for a split; null: nothing. */
static void require(struct splitting *s, MlirValue *all, int predicate, MlirValue x,
                    int64_t bound) {
  MlirValue own = build_compare(&s->b, predicate, x, number(s, bound));
  *all = mlirValueIsNull(*all) ? own : build_binary(&s->b, "arith.andi", *all, own);
}

/* Is a form one scalar of 32 bits, and a number? */
static bool is_scalar(const struct iteration_form *form) {
  return form->count == 1 && form->advance == 0 && form->terms[0].factor == 1 &&
         type_is_integer(mlirValueGetType(form->terms[0].scalar), 32);
}

/* Is what the form is at least, or at most, in all iterations of 32 bits without being looked at?
 */
static bool is_inside(const struct iteration_form *form, bool below) {
  if (is_scalar(form))
    return below ? form->least >= 0 : form->most <= 0;
  if (form->count > 0 || (below ? form->advance < 0 : form->advance > 0))
    return false;
  return below ? form->least >= INT32_MIN : form->most <= INT32_MAX;
}

/* The form's number is of 32 bits in every iteration up to `last`. */
static void require_narrow(struct splitting *s, MlirValue *all, const struct iteration_form *form,
                           MlirValue last) {
  MlirValue first = scalars_of(s, form, 1), end = first;
  if (form->advance != 0)
    end = plus(s, first, times(s, last, form->advance));
  bool up = form->advance > 0;
  if (!is_inside(form, true))
    require(s, all, I_NOT_LESS, plus_number(s, up ? first : end, form->least), INT32_MIN);
  if (!is_inside(form, false))
    require(s, all, I_NOT_GREATER, plus_number(s, up ? end : first, form->most), INT32_MAX);
}

/* Scalars of 64 bits are small enough to be computed with. */
static void require_small(struct splitting *s, MlirValue *all, MlirValue scalar) {
  if (!type_is_integer(mlirValueGetType(scalar), 64))
    return;
  require(s, all, I_NOT_LESS, scalar, -(INT64_C(1) << SCALAR_BITS));
  require(s, all, I_NOT_GREATER, scalar, INT64_C(1) << SCALAR_BITS);
}

static void require_form(struct splitting *s, MlirValue *all, const struct iteration_form *form,
                         bool narrow, MlirValue last) {
  for (int i = 0; i < form->count; i++)
    require_small(s, all, form->terms[i].scalar);
  if (narrow)
    require_narrow(s, all, form, last);
}

/* What the loop counts with in iteration k, in 64 bits. */
static MlirValue count_at(struct splitting *s, MlirValue k) {
  return plus(s, times(s, k, s->reader.step), widened(s, op_operand(s->loop, 0)));
}

/* What the bounds rest on. Where the loop ends, its count is still a number. */
static MlirValue requirements(struct splitting *s, MlirValue count) {
  MlirValue all = {0}, last = plus_number(s, count, -1);
  if (type_is_integer(op_operand_type(s->loop, 0), 32))
    require(s, &all, I_NOT_GREATER, count_at(s, count), INT32_MAX);
  require_small(s, &all, op_operand(s->loop, 0));
  require_small(s, &all, op_operand(s->loop, 1));
  for (int i = 0; i < s->reader.narrow_count; i++)
    require_form(s, &all, &s->reader.narrow[i], true, last);
  for (int i = 0; i < s->count; i++)
    for (int side = 0; side < 2; side++)
      require_form(s, &all, &s->list[i].sides[side],
                   type_is_integer(type_element(op_operand_type(s->list[i].op, 0)), 32), last);
  return all;
}

/* The iteration up to which (advance < 0), or from which on, the comparison is true:
     advance * k + rest > 0  where  k < rest / -advance,  k > -rest / advance */
static MlirValue limit_of(struct splitting *s, const struct comparison *own) {
  const struct iteration_form *form = &own->difference;
  bool below = form->advance < 0;
  int64_t by = below ? -form->advance : form->advance;
  MlirValue rest = scalars_of(s, form, below ? 1 : -1);
  return divided(s, plus_number(s, rest, rest_of(own) + by - 1), by);
}

/* The least of the limits of those comparisons that hold below, or the greatest of the others, at
   most `count`; null where there are none. */
static MlirValue limit_of_all(struct splitting *s, bool below, MlirValue count) {
  MlirValue all = {0};
  for (int i = 0; i < s->count; i++) {
    if ((s->list[i].difference.advance < 0) != below)
      continue;
    MlirValue own = limit_of(s, &s->list[i]);
    all = mlirValueIsNull(all)
              ? own
              : build_binary(&s->b, below ? "arith.minsi" : "arith.maxsi", all, own);
  }
  return mlirValueIsNull(all) ? all : build_binary(&s->b, "arith.minsi", all, count);
}

static MlirValue chosen(struct splitting *s, MlirValue condition, MlirValue yes, MlirValue no) {
  return mlirValueIsNull(condition)
             ? yes
             : BUILD(&s->b, "arith.select", IN(condition, yes, no), OUT(mlirValueGetType(yes)));
}

/* --- The pieces ------------------------------------------------------------------------------- */

struct knower {
  struct splitting *s;
  MlirOperation found[MAX_COMPARISONS];
  int place, next;
};

static MlirLogicalResult find_comparison(MlirOperation op, void *data) {
  struct knower *knower = data;
  struct splitting *s = knower->s;
  if (knower->next < s->count && s->list[knower->next].place == knower->place++)
    knower->found[knower->next++] = op;
  return SUCCESS;
}

/* Makes the comparisons of a copy of the loop constants. */
static void know(struct splitting *s, MlirOperation piece) {
  struct knower knower = {.s = s};
  visit_operations(piece, find_comparison, &knower);
  for (int i = 0; i < s->count; i++) {
    struct builder b = builder_before(piece);
    MlirValue known = build_uniform(&b, op_result_type(knower.found[i], 0), 1);
    replace_op(knower.found[i], &known);
  }
}

/* A copy of the loop before it, up to `end`; the loop goes on from there. */
static MlirOperation take_piece(struct splitting *s, MlirValue end) {
  MlirOperation piece = mlirOperationClone(s->loop);
  mlirBlockInsertOwnedOperationBefore(s->b.block, s->loop, piece);
  mlirOperationSetOperand(piece, 1, end);
  mlirOperationSetOperand(s->loop, 0, end);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(piece); i++)
    mlirOperationSetOperand(s->loop, i + 3, op_result(piece, i));
  return piece;
}

/* What the loop counts with in iteration k, as it counts. Not before its first number: so what is
   known of that (multiples, no negative numbers) stays known. */
static MlirValue bound_at(struct splitting *s, MlirValue k) {
  MlirValue at = count_at(s, k), first = op_operand(s->loop, 0);
  MlirType type = mlirValueGetType(first);
  if (!type_is_integer(type, 64))
    at = BUILD(&s->b, "arith.trunci", IN(at), OUT(type));
  return build_binary(&s->b, "arith.maxsi", at, first);
}

/* Only from an iteration on: two pieces. Without the condition the first one is the loop. */
static void split_above(struct splitting *s, MlirValue condition, MlirValue first) {
  MlirValue begin = bound_at(s, first), end = op_operand(s->loop, 1);
  take_piece(s, chosen(s, condition, begin, end));
  mlirOperationSetOperand(s->loop, 0, begin);
  mlirOperationSetOperand(s->loop, 1, chosen(s, condition, end, begin));
  know(s, s->loop);
}

/* Up to an iteration, and perhaps from one on, `first`: then three pieces. Without the condition
   the last one is the loop. */
static void split_below(struct splitting *s, MlirValue condition, MlirValue first, MlirValue end) {
  if (!mlirValueIsNull(first)) {
    first = chosen(s, condition, first, number(s, 0));
    end = build_binary(&s->b, "arith.maxsi", first, end);
  }
  MlirValue bound = bound_at(s, chosen(s, condition, end, number(s, 0)));
  if (!mlirValueIsNull(first))
    take_piece(s, bound_at(s, first));
  know(s, take_piece(s, bound));
}

static void split(struct splitting *s) {
  s->b = builder_before(s->loop);
  MlirValue lo = widened(s, op_operand(s->loop, 0)), hi = widened(s, op_operand(s->loop, 1));
  MlirValue length = build_binary(&s->b, "arith.subi", hi, lo);
  MlirValue count = divided(s, plus_number(s, length, s->reader.step - 1), s->reader.step);
  MlirValue condition = requirements(s, count);
  MlirValue first = limit_of_all(s, false, count), end = limit_of_all(s, true, count);
  if (mlirValueIsNull(end))
    split_above(s, condition, first);
  else
    split_below(s, condition, first, end);
}

/* --- The pass --------------------------------------------------------------------------------- */

MlirLogicalResult run_split_loops(struct pass_context *context, MlirOperation root) {
  struct loop_list loops = loops_of(context->session, root);
  for (size_t i = 0; i < loops.count; i++) {
    struct splitting s = {.session = context->session, .context = context, .loop = loops.list[i]};
    if (may_split(&s))
      split(&s);
    else if (s.problem && context->values[1].integer)
      diagnostics_report(&context->session->diagnostics, SEVERITY_REMARK,
                         mlirOperationGetLocation(s.loop), "the loop stays whole: %s", s.problem);
  }
  loops_free(&loops);
  return SUCCESS;
}
