/* SPDX-License-Identifier: MIT */
/* See search.h. */
#include "tune/search.h"

#include <stdlib.h>
#include <string.h>
#include "base/arena.h"
#include "base/numbers.h"

enum { FAR_ROUNDS = 3 };

struct search {
  const struct tune_field *field;
  struct tune_rules rules;
  struct tune_score *scores;
  double *times;   /* candidate i, round r: times[i * most_rounds + r] */
  double *numbers; /* room for most_rounds of them */
  size_t *live;    /* those that are left, in their order */
  double *out;     /* of one round */
  size_t left;
  int rounds;
  double spent;
  bool stopped;
};

double tune_quantile(double *numbers, size_t count, double q) {
  qsort(numbers, count, sizeof *numbers, compare_numbers);
  return sorted_quantile(numbers, count, q);
}

static double *times_of(const struct search *s, size_t candidate) {
  return s->times + candidate * (size_t)s->rules.most_rounds;
}

/* The median of the ratios to the reference, over all rounds so far. */
static double median_ratio(struct search *s, size_t candidate, size_t reference) {
  const double *own = times_of(s, candidate), *other = times_of(s, reference);
  for (int i = 0; i < s->rounds; i++)
    s->numbers[i] = other[i] > 0 ? own[i] / other[i] : own[i] > 0 ? 1e9 : 1;
  return tune_quantile(s->numbers, (size_t)s->rounds, 0.5);
}

static double best_run(const struct search *s, size_t candidate) {
  const double *own = times_of(s, candidate);
  double best = own[0];
  for (int i = 1; i < s->rounds; i++)
    best = own[i] < best ? own[i] : best;
  return best;
}

static double quantile_of(struct search *s, size_t candidate, double q) {
  memcpy(s->numbers, times_of(s, candidate), (size_t)s->rounds * sizeof *s->numbers);
  return tune_quantile(s->numbers, (size_t)s->rounds, q);
}

static void score(struct search *s) {
  double reference = quantile_of(s, s->live[0], 0.5);
  for (size_t i = 0; i < s->left; i++) {
    struct tune_score *score = &s->scores[s->live[i]];
    score->ratio = median_ratio(s, s->live[i], s->live[0]);
    score->rounds = s->rounds;
    score->milliseconds = score->ratio * reference;
    score->low = quantile_of(s, s->live[i], 0.2);
    score->high = quantile_of(s, s->live[i], 0.8);
  }
}

/* The first of those that are about as good as the best. Its place in `live`; scores are there. */
static size_t leader(const struct search *s) {
  double best = s->scores[s->live[0]].ratio;
  for (size_t i = 1; i < s->left; i++)
    if (s->scores[s->live[i]].ratio < best)
      best = s->scores[s->live[i]].ratio;
  size_t first = 0;
  while (s->scores[s->live[first]].ratio > best * (1 + s->rules.tie))
    first++;
  return first;
}

static void tell(struct search *s) {
  if (!s->left || !s->field->progress)
    return;
  score(s);
  size_t best = s->live[leader(s)];
  s->stopped =
      !s->field->progress(s->field->context, s->rounds, s->rules.exact ? 1 : s->rules.most_rounds,
                          s->left, best, s->scores[best].milliseconds);
}

/* One round; who fails leaves. */
static tile_status run_round(struct search *s) {
  tile_status status = s->field->round(s->field->context, s->live, s->left, s->out);
  if (status)
    return status;
  size_t kept = 0;
  for (size_t i = 0; i < s->left; i++) {
    size_t candidate = s->live[i];
    times_of(s, candidate)[s->rounds] = s->out[i];
    if (s->out[i] < 0) {
      s->scores[candidate] = (struct tune_score){0};
      continue;
    }
    s->spent += s->out[i];
    s->live[kept++] = candidate;
  }
  s->left = kept;
  s->rounds++;
  tell(s);
  return NULL;
}

static tile_status run_rounds(struct search *s, int until) {
  tile_status status = NULL;
  while (!status && s->left && s->rounds < until && !s->stopped)
    status = run_round(s);
  return status;
}

/* Keeps those for whom `limit` is not below what `of` says. */
static void drop(struct search *s, double limit,
                 double (*of)(const struct search *s, size_t candidate)) {
  size_t kept = 0;
  for (size_t i = 0; i < s->left; i++) {
    size_t candidate = s->live[i];
    s->scores[candidate].dropped = of(s, candidate) > limit;
    if (!s->scores[candidate].dropped)
      s->live[kept++] = candidate;
  }
  s->left = kept;
}

static double ratio_of(const struct search *s, size_t candidate) {
  return s->scores[candidate].ratio;
}

static void drop_far(struct search *s) {
  double best = best_run(s, s->live[0]);
  for (size_t i = 1; i < s->left; i++) {
    double run = best_run(s, s->live[i]);
    best = run < best ? run : best;
  }
  score(s);
  drop(s, best * s->rules.far, best_run);
}

static void halve(struct search *s) {
  score(s);
  for (size_t i = 0; i < s->left; i++)
    s->out[i] = s->scores[s->live[i]].ratio;
  qsort(s->out, s->left, sizeof *s->out, compare_numbers);
  double half = s->out[(s->left - 1) / 2], near = s->out[0] * (1 + s->rules.keep);
  drop(s, half > near ? half : near, ratio_of);
}

/* A run of a few microseconds varies by more than what is asked for: such a candidate takes part in
   more rounds. */
static bool are_enough(struct search *s) {
  const struct tune_rules *rules = &s->rules;
  if (s->rounds >= rules->most_rounds || (rules->budget > 0 && s->spent >= rules->budget))
    return true;
  return s->rounds >= rules->enough_rounds &&
         quantile_of(s, s->live[0], 0.5) * s->rounds >= rules->enough_ms;
}

/* Rounds until one is left, or enough have been run. */
static tile_status halve_down(struct search *s) {
  const struct tune_rules *rules = &s->rules;
  tile_status status =
      run_rounds(s, rules->most_rounds < FAR_ROUNDS ? rules->most_rounds : FAR_ROUNDS);
  if (!status && s->left && !s->stopped)
    drop_far(s);
  for (int until = rules->first_rounds; !status && s->left && !s->stopped; until *= 2) {
    if (s->left == 1 && s->rounds >= rules->first_rounds)
      break;
    status = run_rounds(s, until < rules->most_rounds ? until : rules->most_rounds);
    if (status || !s->left || s->stopped || are_enough(s))
      break;
    halve(s);
  }
  return status;
}

static struct tune_rules with_defaults(const struct tune_rules *rules) {
  struct tune_rules full = rules ? *rules : (struct tune_rules){0};
  full.tie = full.tie > 0 ? full.tie : 0.01;
  full.keep = full.keep > 0 ? full.keep : 0.08;
  full.far = full.far > 1 ? full.far : 2;
  full.first_rounds = full.first_rounds > 0 ? full.first_rounds : 16;
  full.enough_rounds = full.enough_rounds > 0 ? full.enough_rounds : 64;
  full.enough_ms = full.enough_ms > 0 ? full.enough_ms : 5;
  full.most_rounds = full.exact ? 1 : full.most_rounds > 0 ? full.most_rounds : 512;
  return full;
}

tile_status tune_search(const struct tune_field *field, const struct tune_rules *rules,
                        struct tune_score *scores, size_t *out_winner) {
  struct search s = {.field = field, .rules = with_defaults(rules), .scores = scores};
  size_t count = field->count + 1;
  s.times = tile_allocate(count * (size_t)s.rules.most_rounds * sizeof *s.times);
  s.numbers = tile_allocate((size_t)s.rules.most_rounds * sizeof *s.numbers);
  s.live = tile_allocate(count * sizeof *s.live);
  s.out = tile_allocate(count * sizeof *s.out);
  for (size_t i = 0; i < field->count; i++)
    if (scores[i].takes_part)
      s.live[s.left++] = i;
  tile_status status = s.rules.exact ? run_rounds(&s, 1) : halve_down(&s);
  *out_winner = TUNE_NOBODY;
  if (!status && s.left) {
    score(&s);
    *out_winner = s.live[leader(&s)];
  }
  free(s.out);
  free(s.live);
  free(s.numbers);
  free(s.times);
  return status;
}
