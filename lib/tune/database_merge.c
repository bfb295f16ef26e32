/* SPDX-License-Identifier: MIT */
/* See database.h. Two databases as one. */
#include <stdlib.h>
#include <string.h>
#include "tune/database_handle.h"

struct merge {
  struct tune_database *into, *from;
  struct tune_key key; /* the last one that was seen; owned */
};

static bool is_same_key(struct tune_key *a, const struct tune_key *b) {
  struct tune_key other = *b;
  for (int i = 0; i < TUNE_KEY_COLUMNS; i++) {
    const char *left = *tune_key_member(a, i);
    if (!left || strcmp(left, *tune_key_member(&other, i)) != 0)
      return false;
  }
  return true;
}

static void drop_key(struct tune_key *key) {
  for (int i = 0; i < TUNE_KEY_COLUMNS; i++)
    free((char *)*tune_key_member(key, i));
  *key = (struct tune_key){0};
}

static void keep_key(struct tune_key *kept, const struct tune_key *key) {
  struct tune_key other = *key;
  drop_key(kept);
  for (int i = 0; i < TUNE_KEY_COLUMNS; i++) {
    struct text copy = {0};
    text_puts(&copy, *tune_key_member(&other, i));
    *tune_key_member(kept, i) = text_take(&copy);
  }
}

/* Of two winners the later, the faster, ... : an order of all, so that it is the same both ways. */
static bool is_later(const struct tune_winner *a, const struct tune_winner *b) {
  if (a->changed != b->changed)
    return a->changed > b->changed;
  if (a->milliseconds != b->milliseconds)
    return a->milliseconds < b->milliseconds;
  return strcmp(a->candidate, b->candidate) > 0;
}

/* Two that were chosen among different candidates leave one that was chosen among nobody knows
 * which. */
static tile_status merge_winner(const struct tune_key *key, const struct tune_winner *winner,
                                void *data) {
  struct merge *merge = data;
  struct tune_winner own, merged = *winner;
  TRY(tune_database_find_winner(merge->into, key, &own));
  if (own.candidate && is_later(&own, winner))
    merged = own;
  if (own.candidate && strcmp(own.space, winner->space) != 0)
    merged.space = "";
  return tune_put_winner(merge->into, key, &merged);
}

static tile_status merge_measurement(const struct tune_key *key,
                                     const struct tune_measurement *measurement, void *data) {
  return tune_put_measurement(((struct merge *)data)->into, MERGE_MEASUREMENT, key, measurement);
}

static tile_status find_latest(const struct tune_key *key,
                               const struct tune_measurement *measurement, void *data) {
  int64_t *latest = data;
  (void)key;
  if (measurement->outcome == TUNE_OK && measurement->changed > *latest)
    *latest = measurement->changed;
  return NULL;
}

/* A winner that was chosen from all that is there now stays. */
static tile_status choose_anew(struct merge *merge, const struct tune_key *key) {
  struct tune_winner winner;
  struct text space = {0};
  int64_t latest = 0;
  if (is_same_key(&merge->key, key))
    return NULL;
  keep_key(&merge->key, key);
  TRY(tune_database_find_winner(merge->into, key, &winner));
  text_puts(&space, winner.candidate ? winner.space : "");
  tile_status status = tune_database_each_measurement(merge->into, key, find_latest, &latest);
  if (!status && (!space.length || winner.changed < latest))
    status = tune_choose(merge->into, key, text_string(&space));
  text_free(&space);
  return status;
}

static tile_status settle_winner(const struct tune_key *key, const struct tune_winner *winner,
                                 void *data) {
  (void)winner;
  return choose_anew(data, key);
}

static tile_status settle_measurement(const struct tune_key *key,
                                      const struct tune_measurement *measurement, void *data) {
  (void)measurement;
  return choose_anew(data, key);
}

static tile_status merge_all(struct tune_database *into, void *data) {
  struct merge *merge = data;
  (void)into;
  TRY(tune_database_each_winner(merge->from, NULL, merge_winner, merge));
  TRY(tune_database_each_measurement(merge->from, NULL, merge_measurement, merge));
  TRY(tune_database_each_winner(merge->from, NULL, settle_winner, merge));
  return tune_database_each_measurement(merge->from, NULL, settle_measurement, merge);
}

tile_status tune_database_merge(struct tune_database *into, struct tune_database *from) {
  tune_start(into);
  struct merge merge = {.into = into, .from = from};
  tile_status status = tune_transaction(into, merge_all, &merge);
  drop_key(&merge.key);
  return status;
}
