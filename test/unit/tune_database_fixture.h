/* SPDX-License-Identifier: MIT */
/* Keys and measurements for tests of the tuning database. */
#ifndef TILE_TEST_TUNE_DATABASE_FIXTURE_H
#define TILE_TEST_TUNE_DATABASE_FIXTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/status.h"
#include "check.h"
#include "temporary.h"
#include "tune/database.h"

static const struct tune_key test_key = {.kernel = "add",
                                         .content = "00ff",
                                         .arguments = "{\"n\":1024}",
                                         .device = "NVIDIA H200",
                                         .capability = "9.0",
                                         .driver = "580.1",
                                         .toolkit = "abc"};

/* A path in a new folder; remove_database ends both. */
static inline char *new_database_path(void) {
  char *folder = temporary_folder("tune-test");
  struct text path = {0};
  text_printf(&path, "%s/tune.sqlite3", folder);
  free(folder);
  return text_take(&path);
}

static inline void remove_database(char *path) {
  struct text command = {0};
  *strrchr(path, '/') = 0;
  text_printf(&command, "rm -rf '%s'", path);
  CHECK_EQUAL(system(text_string(&command)), 0);
  text_free(&command);
  free(path);
}

static inline void check_fine(tile_status status) {
  CHECK_TEXT(tile_status_message(status), "");
  tile_status_free(status);
}

/* The error has the code, and the words; frees it. */
static inline void check_error(tile_status status, tile_code code, const char *words) {
  CHECK_TEXT(tile_code_name(tile_status_code(status)), tile_code_name(code));
  if (!strstr(tile_status_message(status), words))
    CHECK_TEXT(tile_status_message(status), words);
  tile_status_free(status);
}

static inline struct tune_database *open_database(const char *path, enum tune_mode mode) {
  struct tune_database *database = NULL;
  check_fine(tune_database_open(path, mode, &database));
  if (!database)
    exit(1);
  return database;
}

/* Candidate number `place`, measured at `changed`. */
static inline struct tune_measurement measured(int place, double milliseconds, int64_t changed) {
  static char candidates[64][40];
  snprintf(candidates[place], sizeof *candidates, "{\"BLOCK\":%d}", place);
  return (struct tune_measurement){.candidate = candidates[place],
                                   .message = "",
                                   .milliseconds = milliseconds,
                                   .low = milliseconds * 0.9,
                                   .high = milliseconds * 1.1,
                                   .rounds = 5,
                                   .place = place,
                                   .changed = changed};
}

static inline char *export_text(struct tune_database *database) {
  struct text out = {0};
  check_fine(tune_database_export(database, NULL, &out));
  return text_take(&out);
}

#endif
