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

static tile_status merge_winner(const struct tune_key *key, const struct tune_winner *winner,
                                void *data) {
  return tune_put_winner(((struct merge *)data)->into, MERGE_WINNER, key, winner);
}

static tile_status merge_measurement(const struct tune_key *key,
                                     const struct tune_measurement *measurement, void *data) {
  return tune_put_measurement(((struct merge *)data)->into, MERGE_MEASUREMENT, key, measurement);
}

/* What there was to choose from is what the winner says that was there. */
static tile_status choose_anew(const struct tune_key *key,
                               const struct tune_measurement *measurement, void *data) {
  struct merge *merge = data;
  struct tune_winner winner;
  (void)measurement;
  if (is_same_key(&merge->key, key))
    return NULL;
  keep_key(&merge->key, key);
  TRY(tune_database_find_winner(merge->into, key, &winner));
  struct text space = {0};
  text_puts(&space, winner.candidate ? winner.space : "");
  tile_status status = tune_choose(merge->into, key, text_string(&space));
  text_free(&space);
  return status;
}

static tile_status merge_all(struct tune_database *into, void *data) {
  struct merge *merge = data;
  (void)into;
  TRY(tune_database_each_winner(merge->from, NULL, merge_winner, merge));
  TRY(tune_database_each_measurement(merge->from, NULL, merge_measurement, merge));
  return tune_database_each_measurement(merge->from, NULL, choose_anew, merge);
}

tile_status tune_database_merge(struct tune_database *into, struct tune_database *from) {
  tune_start(into);
  struct merge merge = {.into = into, .from = from};
  tile_status status = tune_transaction(into, merge_all, &merge);
  drop_key(&merge.key);
  return status;
}
