/* SPDX-License-Identifier: MIT */
/* The search alone, with times that the tests make: who wins, who is dropped, and what disturbed
   runs, changing clocks and failing candidates do to it. */
#include "tune/search.h"

#include <stdint.h>
#include "base/status.h"
#include "check.h"

enum { MOST = 16 };

/* What the times are made of. */
struct world {
  size_t count;
  double truth[MOST]; /* milliseconds; 0: the candidate's first run fails */
  int fails_in;       /* a round in which candidate `fails` fails; -1: none */
  size_t fails;
  int breaks_in;  /* a round in which the device is lost; -1: none */
  double noise;   /* times vary by so much, up and down */
  int outliers;   /* one run in so many takes a hundred times as long; 0: none */
  bool drifts;    /* the clock falls to a third over the rounds */
  int stop_after; /* rounds; 0: the search is not stopped */
  uint64_t seed;
  int rounds, runs[MOST];
  size_t told; /* the best, as progress said last */
};

static double draw(struct world *world) {
  world->seed = world->seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(world->seed >> 11) / 9007199254740992.0;
}

static tile_status run_round(void *context, const size_t *list, size_t count, double *out) {
  struct world *world = context;
  if (world->rounds == world->breaks_in)
    return FAIL(TILE_DEVICE_FAILED, "the device is gone");
  double clock = world->drifts ? 1 + 2.0 * world->rounds / 64 : 1;
  for (size_t i = 0; i < count; i++) {
    size_t candidate = list[i];
    CHECK(!i || list[i - 1] < candidate);
    bool failed = world->truth[candidate] == 0 ||
                  (world->rounds == world->fails_in && candidate == world->fails);
    double time = world->truth[candidate] * clock * (1 + world->noise * (2 * draw(world) - 1));
    if (world->outliers && draw(world) * world->outliers < 1)
      time *= 100;
    out[i] = failed ? -1 : time;
    world->runs[candidate]++;
  }
  world->rounds++;
  return NULL;
}

static bool tell(void *context, int round, int rounds, size_t left, size_t best,
                 double milliseconds) {
  struct world *world = context;
  CHECK(round <= rounds && left <= world->count && milliseconds > 0);
  world->told = best;
  return !world->stop_after || round < world->stop_after;
}

static struct world make_world(const double *truth, size_t count) {
  struct world world = {
      .count = count, .fails_in = -1, .breaks_in = -1, .seed = 7, .told = TUNE_NOBODY};
  for (size_t i = 0; i < count; i++)
    world.truth[i] = truth[i];
  return world;
}

static size_t search(struct world *world, const struct tune_rules *rules, struct tune_score *scores,
                     tile_code *out_code) {
  struct tune_field field = {
      .count = world->count, .round = run_round, .progress = tell, .context = world};
  size_t winner = 77;
  for (size_t i = 0; i < world->count; i++)
    scores[i] = (struct tune_score){.takes_part = true};
  tile_status status = tune_search(&field, rules, scores, &winner);
  *out_code = tile_status_code(status);
  tile_status_free(status);
  return winner;
}

static size_t winner_of(struct world *world) {
  struct tune_score scores[MOST];
  tile_code code;
  size_t winner = search(world, NULL, scores, &code);
  CHECK_EQUAL(code, TILE_OK);
  return winner;
}

/* Times are ratios times the reference's: they come back rounded. */
static bool near(double a, double b) {
  return a > b * (1 - 1e-12) && a < b * (1 + 1e-12);
}

static const double eight[] = {1.3, 1.1, 0.9, 5, 0.8, 1.0, 2.5, 0.85};

static void fastest_wins(void) {
  struct world world = make_world(eight, 8);
  CHECK_EQUAL(winner_of(&world), 4);
  CHECK_EQUAL(world.told, 4);
}

/* Those beyond twice the best one's time run three times, the worse half sixteen times, the last
 * ones to the end. */
static void halves(void) {
  struct world world = make_world(eight, 8);
  struct tune_score scores[MOST];
  tile_code code;
  CHECK_EQUAL(search(&world, NULL, scores, &code), 4);
  CHECK_EQUAL(world.runs[3], 3);
  CHECK_EQUAL(world.runs[6], 3);
  CHECK(scores[3].dropped && scores[6].dropped);
  CHECK_EQUAL(world.runs[0], 16);
  CHECK(world.runs[4] > 16 && !scores[4].dropped);
  CHECK(near(scores[4].milliseconds, 0.8) && scores[4].low == 0.8 && scores[4].high == 0.8);
  CHECK_EQUAL(scores[4].rounds, world.runs[4]);
}

/* Within a hundredth the first in order wins, whatever noise says; beyond it does not. */
static void ties(void) {
  for (uint64_t seed = 1; seed <= 50; seed++) {
    struct world world = make_world((double[]){3, 1.004, 1, 1.002}, 4);
    world.seed = seed;
    world.noise = 0.003;
    CHECK_EQUAL(winner_of(&world), 1);
  }
  struct world apart = make_world((double[]){1.02, 1, 1}, 3);
  CHECK_EQUAL(winner_of(&apart), 1);
}

/* One run in ten takes a hundred times as long, and all vary by 3%. */
static void outliers(void) {
  for (uint64_t seed = 1; seed <= 50; seed++) {
    struct world world = make_world((double[]){1.3, 1.2, 1, 1.4, 1.25}, 5);
    world.seed = seed;
    world.noise = 0.03;
    world.outliers = 10;
    CHECK_EQUAL(winner_of(&world), 2);
  }
}

/* While the clock falls to a third: times of different rounds cannot be compared, ratios can. */
static void falling_clock(void) {
  for (uint64_t seed = 1; seed <= 50; seed++) {
    struct world world = make_world((double[]){1.3, 1.04, 1.2, 1, 1.06}, 5);
    world.seed = seed;
    world.noise = 0.01;
    world.drifts = true;
    CHECK_EQUAL(winner_of(&world), 3);
  }
}

static void failing_candidates(void) {
  struct world world = make_world(eight, 8);
  world.truth[4] = 0; /* the best fails at once, */
  world.fails = 7;    /* the next one later */
  world.fails_in = 5;
  struct tune_score scores[MOST];
  tile_code code;
  CHECK_EQUAL(search(&world, NULL, scores, &code), 2);
  CHECK_EQUAL(world.runs[4], 1);
  CHECK_EQUAL(world.runs[7], 6);
  CHECK(!scores[7].takes_part && scores[7].milliseconds == 0 && !scores[7].dropped);
}

/* The candidate that others are compared with fails: another one takes its place. */
static void reference_fails(void) {
  struct world world = make_world((double[]){1, 1.5, 1.2}, 3);
  world.fails = 0;
  world.fails_in = 3;
  CHECK_EQUAL(winner_of(&world), 2);
}

static void nobody_is_left(void) {
  struct world none = make_world((double[]){0, 0}, 2), empty = make_world(NULL, 0);
  CHECK_EQUAL(winner_of(&none), TUNE_NOBODY);
  CHECK_EQUAL(winner_of(&empty), TUNE_NOBODY);
}

static void one_candidate(void) {
  struct world world = make_world((double[]){2}, 1);
  CHECK_EQUAL(winner_of(&world), 0);
  CHECK_EQUAL(world.runs[0], 16);
}

static void lost_device(void) {
  struct world world = make_world(eight, 8);
  struct tune_score scores[MOST];
  tile_code code;
  world.breaks_in = 4;
  CHECK_EQUAL(search(&world, NULL, scores, &code), TUNE_NOBODY);
  CHECK_EQUAL(code, TILE_DEVICE_FAILED);
}

/* The caller ends it: the best so far wins. */
static void stopped(void) {
  struct world world = make_world(eight, 8);
  world.stop_after = 1;
  CHECK_EQUAL(winner_of(&world), 4);
  CHECK_EQUAL(world.rounds, 1);
}

static void budget(void) {
  struct world world = make_world((double[]){1, 1.001, 1.002, 1.003}, 4);
  struct tune_score scores[MOST];
  tile_code code;
  const struct tune_rules rules = {.budget = 20};
  CHECK_EQUAL(search(&world, &rules, scores, &code), 0);
  CHECK_EQUAL(world.rounds, 16);
}

/* Runs of 7 us that vary by 5% either way: 64 rounds would not tell 2% apart. Those of 70 us end at
   5 ms in all. */
static void brief_runs(void) {
  for (uint64_t seed = 1; seed <= 50; seed++) {
    struct world world = make_world((double[]){0.00730, 0.00715, 0.0070}, 3);
    world.seed = seed;
    world.noise = 0.05;
    CHECK_EQUAL(winner_of(&world), 2);
    CHECK_EQUAL(world.rounds, 512);
  }
  struct world longer = make_world((double[]){0.070, 0.0701}, 2);
  CHECK_EQUAL(winner_of(&longer), 0);
  CHECK_EQUAL(longer.rounds, 128);
}

static void exact_times(void) {
  struct world world = make_world((double[]){3, 1.005, 1, 9}, 4);
  struct tune_score scores[MOST];
  tile_code code;
  const struct tune_rules rules = {.exact = true};
  CHECK_EQUAL(search(&world, &rules, scores, &code), 1);
  CHECK_EQUAL(world.rounds, 1);
  CHECK(!scores[3].dropped && near(scores[3].milliseconds, 9));
}

/* Random fields: the winner is among those within the tie of the best, and the first of them where
 * noise is nothing. */
static void random_fields(void) {
  struct world draws = make_world(NULL, 0);
  for (int turn = 0; turn < 500; turn++) {
    struct world world = make_world(NULL, 0);
    double best = 1e9;
    world.count = 1 + (size_t)(draw(&draws) * MOST);
    for (size_t i = 0; i < world.count; i++) {
      world.truth[i] = 1 + (int)(draw(&draws) * 40) * 0.0037;
      best = world.truth[i] < best ? world.truth[i] : best;
    }
    size_t winner = winner_of(&world), first = 0;
    while (world.truth[first] > best * 1.01)
      first++;
    CHECK_EQUAL(winner, first);
  }
}

static void quantiles(void) {
  double numbers[] = {4, 1, 3, 2};
  CHECK(tune_quantile(numbers, 4, 0.5) == 2.5);
  CHECK(tune_quantile(numbers, 4, 0) == 1 && tune_quantile(numbers, 4, 1) == 4);
  CHECK(tune_quantile(numbers, 1, 0.5) == 1);
}

int main(int argc, char **argv) {
  return RUN_TESTS(argc, argv, {"fastest_wins", fastest_wins}, {"halves", halves}, {"ties", ties},
                   {"outliers", outliers}, {"falling_clock", falling_clock},
                   {"failing_candidates", failing_candidates}, {"reference_fails", reference_fails},
                   {"nobody_is_left", nobody_is_left}, {"one_candidate", one_candidate},
                   {"lost_device", lost_device}, {"stopped", stopped}, {"budget", budget},
                   {"brief_runs", brief_runs}, {"exact_times", exact_times},
                   {"random_fields", random_fields}, {"quantiles", quantiles});
}
