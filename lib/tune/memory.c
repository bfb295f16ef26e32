/* SPDX-License-Identifier: MIT */
/* See memory.h. */
#include "tune/memory.h"

#include <string.h>
#include "base/status.h"
#include "tune/database.h"

_Static_assert((int)TUNE_OK == TILE_TUNE_OK && (int)TUNE_DROPPED == TILE_TUNE_DROPPED &&
                   (int)TUNE_FAILED == TILE_TUNE_FAILED && (int)TUNE_WRONG == TILE_TUNE_WRONG &&
                   (int)TUNE_TIMEOUT == TILE_TUNE_TIMEOUT,
               "outcomes go into the database as they are");

/* Frees the status. A file that is not there is no trouble to who reads. */
static void note_trouble(tile_tuning *tuning, tile_status status, enum tune_mode mode) {
  const char *message = tile_status_message(status);
  bool missing = mode == TUNE_READ && tile_status_code(status) == TILE_NOT_FOUND;
  if (status && !missing && !tuning->problem)
    tuning->problem = arena_copy_string(&tuning->arena, message, strlen(message));
  tile_status_free(status);
}

/* NULL where results are not kept, or the database cannot be opened. */
static struct tune_database *open_database(tile_tuning *tuning, enum tune_mode mode) {
  struct tune_database *database = NULL;
  const char *path = tuning->options->database;
  if (!path || path[0])
    note_trouble(tuning, tune_database_open(path, mode, &database), mode);
  return database;
}

/* --- Finding ---------------------------------------------------------------------------------- */

static struct tune_entry *find_entry(tile_tuning *tuning, const struct tune_candidate *candidate) {
  for (size_t i = 0; i < tuning->count; i++)
    if (tune_candidate_compare(&tuning->entries[i].candidate, candidate) == 0)
      return &tuning->entries[i];
  return NULL;
}

/* A text that is no candidate belongs to no entry: somebody has written it by hand. */
static struct tune_entry *find_text(tile_tuning *tuning, const char *text) {
  struct tune_candidate candidate;
  tile_status status = tune_candidate_parse(text, strlen(text), &candidate);
  tile_status_free(status);
  if (status)
    return NULL;
  struct tune_entry *entry = find_entry(tuning, &candidate);
  tune_candidate_free(&candidate);
  return entry;
}

static tile_status take_measurement(const struct tune_key *key,
                                    const struct tune_measurement *measurement, void *data) {
  tile_tuning *tuning = data;
  struct tune_entry *entry = find_text(tuning, measurement->candidate);
  (void)key;
  if (!entry)
    return NULL;
  tuning_out(entry, (tile_tune_outcome)measurement->outcome, "%s", measurement->message);
  entry->score = (struct tune_score){.rounds = measurement->rounds,
                                     .milliseconds = measurement->milliseconds,
                                     .low = measurement->low,
                                     .high = measurement->high};
  return NULL;
}

/* The winner is an entry, or becomes the only one: it was chosen among other candidates. */
static tile_status take_winner(tile_tuning *tuning, const struct tune_winner *winner) {
  struct tune_candidate candidate;
  TRY(tune_candidate_parse(winner->candidate, strlen(winner->candidate), &candidate));
  struct tune_entry *entry = find_entry(tuning, &candidate);
  if (!entry) {
    tuning->entries =
        tile_reallocate(tuning->entries, (tuning->count + 1) * sizeof *tuning->entries);
    entry = &tuning->entries[tuning->count++];
    *entry = (struct tune_entry){.candidate = tune_candidate_copy(&candidate), .config = -1};
  }
  entry->score.milliseconds = winner->milliseconds;
  tuning->winner = (size_t)(entry - tuning->entries);
  tune_candidate_free(&candidate);
  return NULL;
}

static tile_status note_known(const struct tune_key *key,
                              const struct tune_measurement *measurement, void *data) {
  struct tune_entry *entry = find_text(data, measurement->candidate);
  (void)key;
  if (entry)
    entry->known = true;
  return NULL;
}

static bool all_known(const tile_tuning *tuning) {
  for (size_t i = 0; i < tuning->count; i++)
    if (!tuning->entries[i].known && !tuning->entries[i].repeated)
      return false;
  return tuning->count > 0;
}

/* As tune_database_choose does. */
static void choose_among_known(tile_tuning *tuning) {
  const struct tune_entry *fastest = NULL;
  for (size_t i = 0; i < tuning->count; i++) {
    const struct tune_entry *entry = &tuning->entries[i];
    if (entry->known && entry->outcome == TILE_TUNE_OK &&
        (!fastest || entry->score.milliseconds < fastest->score.milliseconds))
      fastest = entry;
  }
  for (size_t i = 0; fastest && i < tuning->count && tuning->winner == TUNE_NOBODY; i++) {
    const struct tune_entry *entry = &tuning->entries[i];
    if (entry->known && entry->outcome == TILE_TUNE_OK &&
        entry->score.milliseconds <= fastest->score.milliseconds * (1 + TUNE_TIE))
      tuning->winner = i;
  }
}

/* Every candidate was measured, though not in one tuning: on several machines, or among others. */
static tile_status recall_all(tile_tuning *tuning, struct tune_database *database) {
  TRY(tune_database_each_measurement(database, &tuning->key, note_known, tuning));
  if (!all_known(tuning))
    return NULL;
  TRY(tune_database_each_measurement(database, &tuning->key, take_measurement, tuning));
  choose_among_known(tuning);
  return NULL;
}

static tile_status recall(tile_tuning *tuning, struct tune_database *database, bool any) {
  struct tune_winner winner;
  TRY(tune_database_find_winner(database, &tuning->key, &winner));
  if (!any && (!winner.candidate || strcmp(winner.space, tuning->space) != 0))
    return recall_all(tuning, database);
  if (!winner.candidate)
    return NULL;
  TRY(take_winner(tuning, &winner));
  return tune_database_each_measurement(database, &tuning->key, take_measurement, tuning);
}

bool tuning_recall(tile_tuning *tuning, bool any) {
  struct tune_database *database = open_database(tuning, TUNE_READ);
  if (!database)
    return false;
  note_trouble(tuning, recall(tuning, database, any), TUNE_READ);
  tune_database_close(database);
  tuning->remembered = tuning->winner != TUNE_NOBODY;
  return tuning->remembered;
}

static tile_status take_danger(const struct tune_key *key,
                               const struct tune_measurement *measurement, void *data) {
  struct tune_entry *entry = find_text(data, measurement->candidate);
  bool broke = measurement->outcome == TUNE_FAILED &&
               strncmp(measurement->message, BROKE_DEVICE, sizeof BROKE_DEVICE - 1) == 0;
  (void)key;
  if (entry && entry->outcome == TILE_TUNE_OK && (broke || measurement->outcome == TUNE_TIMEOUT))
    tuning_out(entry, (tile_tune_outcome)measurement->outcome, "%s", measurement->message);
  return NULL;
}

void tuning_recall_dangers(tile_tuning *tuning) {
  struct tune_database *database = open_database(tuning, TUNE_READ);
  if (database)
    note_trouble(tuning,
                 tune_database_each_measurement(database, &tuning->key, take_danger, tuning),
                 TUNE_READ);
  tune_database_close(database);
}

/* --- Keeping ---------------------------------------------------------------------------------- */

static bool is_danger(const struct tune_entry *entry) {
  return entry->outcome == TILE_TUNE_TIMEOUT ||
         (entry->outcome == TILE_TUNE_FAILED &&
          strncmp(text_string(&entry->message), BROKE_DEVICE, sizeof BROKE_DEVICE - 1) == 0);
}

static tile_status remember(tile_tuning *tuning, struct tune_database *database, bool ended) {
  struct arena arena = {0};
  struct tune_measurement *list = ARENA_ARRAY(&arena, struct tune_measurement, tuning->count + 1);
  struct tune_winner winner = {.space = tuning->space};
  size_t count = 0;
  for (size_t i = 0; i < tuning->count; i++) {
    struct tune_entry *entry = &tuning->entries[i];
    struct text text = {0};
    tune_candidate_print(&entry->candidate, &text);
    const char *candidate = text_keep(&text, &arena);
    if (i == tuning->winner)
      winner.candidate = candidate, winner.milliseconds = entry->score.milliseconds;
    if (entry->repeated || (!ended && !is_danger(entry)))
      continue;
    list[count++] = (struct tune_measurement){.candidate = candidate,
                                              .outcome = (enum tune_outcome)entry->outcome,
                                              .message = text_string(&entry->message),
                                              .milliseconds = entry->score.milliseconds,
                                              .low = entry->score.low,
                                              .high = entry->score.high,
                                              .rounds = entry->score.rounds,
                                              .place = (int)entry->place};
  }
  tile_status status =
      count ? tune_database_put_measurements(database, &tuning->key, list, count) : NULL;
  if (!status && tuning->extras.shards) /* of all that is known by now */
    status = tune_database_choose(database, &tuning->key, "", NULL);
  else if (!status && winner.candidate)
    status = tune_database_put_winner(database, &tuning->key, &winner);
  arena_destroy(&arena);
  return status;
}

void tuning_remember(tile_tuning *tuning, bool ended) {
  struct tune_database *database = open_database(tuning, TUNE_WRITE);
  if (database)
    note_trouble(tuning, remember(tuning, database, ended), TUNE_WRITE);
  tune_database_close(database);
}
