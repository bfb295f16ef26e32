/* SPDX-License-Identifier: MIT */
/* The tuning database: what is put is found, who wins, what merging and text keep, and every way in
   which a file can be unfit. tune_stress_test.c has many processes. */
#include "tune_database_fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/files.h"
#include "tune/database_handle.h"

static void put(struct tune_database *database, struct tune_measurement measurement) {
  check_fine(tune_database_put_measurements(database, &test_key, &measurement, 1));
}

/* --- Rows ------------------------------------------------------------------------------------- */

static void what_is_put_is_found(void) {
  char *path = new_database_path();
  struct tune_database *database = open_database(path, TUNE_WRITE);
  struct tune_winner winner = {
      .candidate = "{ \"BLOCK\" : 128 }", .milliseconds = 0.125, .space = "s"};
  struct tune_winner found;
  check_fine(tune_database_find_winner(database, &test_key, &found));
  CHECK(!found.candidate);
  check_fine(tune_database_put_winner(database, &test_key, &winner));
  tune_database_close(database);
  database = open_database(path, TUNE_READ);
  check_fine(tune_database_find_winner(database, &test_key, &found));
  CHECK_TEXT(found.candidate, "{\"BLOCK\":128}");
  CHECK(found.milliseconds == 0.125 && found.changed > 0);
  CHECK_TEXT(found.space, "s");
  struct tune_key other = test_key; /* each column counts */
  for (int i = 0; i < TUNE_KEY_COLUMNS; i++, other = test_key) {
    *tune_key_member(&other, i) = "other";
    check_fine(tune_database_find_winner(database, &other, &found));
    CHECK(!found.candidate);
  }
  tune_database_close(database);
  remove_database(path);
}

static void of_equals_the_first_wins(void) {
  struct tune_database *database = open_database(":memory:", TUNE_WRITE);
  struct tune_winner winner;
  struct tune_measurement failed = measured(0, 0.5, 1), dropped = measured(1, 0.1, 1);
  failed.outcome = TUNE_FAILED, dropped.outcome = TUNE_DROPPED;
  put(database, failed);
  put(database, dropped);
  check_fine(tune_database_choose(database, &test_key, "", &winner));
  CHECK(!winner.candidate); /* nothing may win */
  put(database, measured(4, 1.0, 1));
  put(database, measured(3, 1.009, 7));
  put(database, measured(2, 1.02, 1));
  check_fine(tune_database_choose(database, &test_key, "space", &winner));
  CHECK_TEXT(winner.candidate, "{\"BLOCK\":3}");
  CHECK(winner.milliseconds == 1.009);
  CHECK_EQUAL(winner.changed, 7);
  check_fine(tune_database_find_winner(database, &test_key, &winner));
  CHECK_TEXT(winner.candidate, "{\"BLOCK\":3}");
  CHECK_TEXT(winner.space, "space");
  tune_database_close(database);
}

/* Measured again, it is the new time that counts. */
static void a_measurement_is_overwritten(void) {
  struct tune_database *database = open_database(":memory:", TUNE_WRITE);
  put(database, measured(0, 1.0, 1));
  put(database, measured(0, 3.0, 1));
  put(database, measured(1, 2.0, 1));
  struct tune_winner winner;
  check_fine(tune_database_choose(database, &test_key, "", &winner));
  CHECK_TEXT(winner.candidate, "{\"BLOCK\":1}");
  tune_database_close(database);
}

static tile_status count_rows(const struct tune_key *key,
                              const struct tune_measurement *measurement, void *data) {
  (void)key;
  CHECK_EQUAL(measurement->place, *(int *)data);
  ++*(int *)data;
  return NULL;
}

static void rows_are_visited_and_cleared_by_parts_of_the_key(void) {
  struct tune_database *database = open_database(":memory:", TUNE_WRITE);
  struct tune_key other = test_key;
  other.device = "AMD [0]";
  struct tune_measurement rows[] = {measured(2, 1, 1), measured(0, 1, 1), measured(1, 1, 1)};
  check_fine(tune_database_put_measurements(database, &test_key, rows, 3));
  check_fine(tune_database_put_measurements(database, &other, rows + 1, 1));
  check_fine(tune_database_choose(database, &test_key, "", NULL));
  int count = 0;
  struct tune_key filter = {.device = "NVIDIA*", .arguments = test_key.arguments};
  check_fine(tune_database_each_measurement(database, &filter, count_rows, &count));
  CHECK_EQUAL(count, 3);
  size_t winners, measurements;
  filter.arguments = "{*"; /* no pattern */
  check_fine(tune_database_clear(database, &filter, &winners, &measurements));
  CHECK_EQUAL(winners + measurements, 0);
  filter.arguments = NULL;
  check_fine(tune_database_clear(database, &filter, &winners, &measurements));
  CHECK_EQUAL(winners, 1);
  CHECK_EQUAL(measurements, 3);
  check_fine(tune_database_clear(database, NULL, &winners, &measurements));
  CHECK_EQUAL(measurements, 1);
  tune_database_close(database);
}

/* One bad row of three: none is put. */
static void several_are_put_or_none(void) {
  struct tune_database *database = open_database(":memory:", TUNE_WRITE);
  struct tune_measurement rows[] = {measured(0, 1, 1), measured(1, 1, 1), measured(2, 1, 1)};
  rows[1].candidate = "{\"BLOCK\":";
  check_error(tune_database_put_measurements(database, &test_key, rows, 3), TILE_INTERNAL,
              "malformed JSON");
  int count = 0;
  check_fine(tune_database_each_measurement(database, NULL, count_rows, &count));
  CHECK_EQUAL(count, 0);
  tune_database_close(database);
}

/* --- Merging and text ------------------------------------------------------------------------- */

static struct tune_database *sample(int first, int64_t changed) {
  struct tune_database *database = open_database(":memory:", TUNE_WRITE);
  for (int i = first; i < first + 3; i++)
    put(database, measured(i, 2 - 0.123457 * i + 0.001 * (double)changed, changed));
  return database;
}

static char *merged(struct tune_database *a, struct tune_database *b) {
  struct tune_database *into = open_database(":memory:", TUNE_WRITE);
  check_fine(tune_database_merge(into, a));
  check_fine(tune_database_merge(into, b));
  check_fine(tune_database_merge(into, a)); /* a second time changes nothing */
  char *text = export_text(into);
  tune_database_close(into);
  return text;
}

/* Two shards, one candidate in both: the later time of it stays, and the winner is that of all. */
static void merging_has_no_order(void) {
  struct tune_database *a = sample(0, 5), *b = sample(2, 9);
  check_fine(tune_database_choose(a, &test_key, "", NULL));
  char *first = merged(a, b), *second = merged(b, a);
  CHECK_TEXT(first, second);
  CHECK(strstr(
      first,
      "\"candidate\":{\"BLOCK\":4},\"milliseconds\":1.515172,\"space\":\"\",\"changed\":9}\n]"));
  CHECK(
      strstr(first, "{\"BLOCK\":2},\"outcome\":\"ok\",\"message\":\"\",\"milliseconds\":1.762086"));
  CHECK(!strstr(first, "1.758086"));
  tune_database_close(a);
  tune_database_close(b);
  free(first);
  free(second);
}

/* A tuner compares times of one round, which the table does not have: its choice stays, until
   something newer is known of the key, or a winner among other candidates comes in. */
static void a_tuners_choice_stays(void) {
  struct tune_database *a = sample(0, 5), *b = sample(0, 5), *c = sample(3, 4);
  struct tune_winner first = {
      .candidate = "{\"BLOCK\":0}", .milliseconds = 2, .space = "s", .changed = 6};
  struct tune_winner other = {
      .candidate = "{\"BLOCK\":3}", .milliseconds = 2, .space = "t", .changed = 6};
  check_fine(tune_database_put_winner(a, &test_key, &first));
  check_fine(tune_database_put_winner(c, &test_key, &other));
  char *text = merged(a, b);
  CHECK(strstr(text, "{\"BLOCK\":0},\"milliseconds\":2.000000,\"space\":\"s\",\"changed\":6}\n]"));
  free(text);
  char *one = merged(a, c), *two = merged(c, a);
  CHECK_TEXT(one, two);
  CHECK(strstr(one, "{\"BLOCK\":5},\"milliseconds\":1.386715,\"space\":\"\",\"changed\":5}\n]"));
  put(b, measured(1, 9, 7));
  free(one);
  one = merged(a, b);
  CHECK(strstr(one, "{\"BLOCK\":2},\"milliseconds\":1.758086,\"space\":\"s\",\"changed\":7}\n]"));
  free(one);
  free(two);
  tune_database_close(a);
  tune_database_close(b);
  tune_database_close(c);
}

static void text_and_back_is_the_same_to_the_byte(void) {
  struct tune_database *a = sample(0, 5), *b = open_database(":memory:", TUNE_WRITE);
  struct tune_measurement odd = measured(9, 0, 1234567890123);
  odd.outcome = TUNE_WRONG, odd.message = "\"a\\b\"\n\x01 \xc3\xa4";
  put(a, odd);
  check_fine(tune_database_choose(a, &test_key, "s", NULL));
  char *first = export_text(a);
  check_fine(tune_database_import(b, "a.json", first, strlen(first)));
  char *second = export_text(b);
  CHECK_TEXT(second, first);
  tune_database_close(a);
  tune_database_close(b);
  free(first);
  free(second);
}

static void text_that_is_wrong_is_refused_whole(void) {
  struct tune_database *a = sample(0, 5), *b = open_database(":memory:", TUNE_WRITE);
  char *empty = export_text(b), *right = export_text(a);
  const struct {
    const char *from, *to, *words;
    tile_code code;
  } edits[] = {{"]}\n", "]", "'x.json' is not JSON", TILE_INVALID_ARGUMENT},
               {"tile-tune 1", "tile-tune 2", "has the format 'tile-tune 2'", TILE_UNSUPPORTED},
               {"\"format\"", "\"former\"", "does not say", TILE_INVALID_ARGUMENT},
               {"\"driver\":\"580.1\"", "\"driver\":580",
                "measurements, row 1: \"driver\" is an integer, not a string",
                TILE_INVALID_ARGUMENT},
               {"\"device\"", "\"advice\"", "row 1: \"device\" is missing", TILE_INVALID_ARGUMENT},
               {"{\"BLOCK\":1}", "[1]", "row 2: \"candidate\" is an array, not an object",
                TILE_INVALID_ARGUMENT},
               {"\"ok\"", "\"fine\"", "row 1: the outcome 'fine'", TILE_INVALID_ARGUMENT}};
  for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
    struct text wrong = {0};
    const char *at = strstr(right, edits[i].from);
    text_append(&wrong, right, (size_t)(at - right));
    text_printf(&wrong, "%s%s", edits[i].to, at + strlen(edits[i].from));
    check_error(tune_database_import(b, "x.json", wrong.data, wrong.length), edits[i].code,
                edits[i].words);
    text_free(&wrong);
  }
  char *still = export_text(b);
  CHECK_TEXT(still, empty);
  for (size_t length = 0; length + 1 < strlen(right); length += 7) { /* cut off anywhere */
    tile_status status = tune_database_import(b, "x.json", right, length);
    CHECK(status);
    tile_status_free(status);
  }
  free(still);
  free(empty);
  free(right);
  tune_database_close(a);
  tune_database_close(b);
}

/* --- Files that are unfit --------------------------------------------------------------------- */

static void expect_unfit(const char *path, tile_code code, const char *words) {
  struct tune_database *database = NULL;
  for (int mode = TUNE_READ; mode <= TUNE_WRITE; mode++) {
    check_error(tune_database_open(path, (enum tune_mode)mode, &database), code, words);
    CHECK(!database);
  }
}

static void run_sql(const char *path, const char *sql) {
  sqlite3 *sqlite;
  CHECK_EQUAL(sqlite3_open(path, &sqlite), SQLITE_OK);
  CHECK_EQUAL(sqlite3_exec(sqlite, sql, NULL, NULL, NULL), SQLITE_OK);
  sqlite3_close(sqlite);
}

static void other_files_are_left_as_they_are(void) {
  static const char prose[] = "This is a letter to my aunt, and of no interest to a compiler; but "
                              "longer than a page header "
                              "of a hundred bytes.";
  char *path = new_database_path();
  struct text content = {0};
  struct tune_database *database;
  check_error(tune_database_open(path, TUNE_READ, &database), TILE_NOT_FOUND, "tile-run --tune");
  check_fine(file_write(path, prose, strlen(prose)));
  expect_unfit(path, TILE_BAD_IMAGE, "is no SQLite database");
  check_fine(file_read(path, &content));
  CHECK_TEXT(text_string(&content), prose);
  text_free(&content);
  unlink(path);
  run_sql(path, "CREATE TABLE bookmarks (name)");
  expect_unfit(path, TILE_UNSUPPORTED, "another program");
  unlink(path);
  CHECK_EQUAL(mkdir(path, 0700), 0);
  expect_unfit(path, TILE_BAD_IMAGE, "is not a file");
  rmdir(path);
  check_fine(file_write(path, "", 0)); /* nothing in it: as good as none */
  check_error(tune_database_open(path, TUNE_READ, &database), TILE_NOT_FOUND, "an empty file");
  tune_database_close(open_database(path, TUNE_WRITE));
  tune_database_close(open_database(path, TUNE_READ));
  remove_database(path);
}

static void another_format_is_named(void) {
  char *path = new_database_path();
  tune_database_close(open_database(path, TUNE_WRITE));
  run_sql(path, "PRAGMA user_version = 7");
  expect_unfit(path, TILE_UNSUPPORTED, "has format 7, and this toolkit reads format 1");
  remove_database(path);
}

/* Pages of the tables overwritten: what reads them says so, and nothing is made anew. */
static void damage_is_named(void) {
  char *path = new_database_path();
  struct tune_database *database = open_database(path, TUNE_WRITE);
  put(database, measured(0, 1, 1));
  tune_database_close(database);
  char junk[4096];
  memset(junk, 0x5a, sizeof junk);
  int descriptor = open(path, O_WRONLY);
  for (off_t at = 4096; at < lseek(descriptor, 0, SEEK_END); at += 4096)
    CHECK_EQUAL(pwrite(descriptor, junk, sizeof junk, at), sizeof junk);
  database = open_database(path, TUNE_WRITE);
  int count = 0;
  struct tune_measurement one = measured(1, 1, 1);
  check_error(tune_database_each_measurement(database, NULL, count_rows, &count), TILE_BAD_IMAGE,
              ".recover");
  check_error(tune_database_put_measurements(database, &test_key, &one, 1), TILE_BAD_IMAGE,
              "is damaged");
  tune_database_close(database);
  CHECK_EQUAL(ftruncate(descriptor, 5000), 0);
  close(descriptor);
  database = NULL;
  tile_status status = tune_database_open(path, TUNE_WRITE, &database);
  if (!status)
    status = tune_database_put_measurements(database, &test_key, &one, 1);
  check_error(status, TILE_BAD_IMAGE, "is damaged");
  tune_database_close(database);
  remove_database(path);
}

static void a_lock_that_stays_is_named(void) {
  char *path = new_database_path();
  struct tune_database *database = open_database(path, TUNE_WRITE),
                       *other = open_database(path, TUNE_WRITE);
  struct tune_measurement one = measured(1, 1, 1);
  check_fine(tune_execute(other, "BEGIN IMMEDIATE", "write"));
  tune_database_set_patience(database, 20);
  check_error(tune_database_put_measurements(database, &test_key, &one, 1), TILE_IO_ERROR,
              "has been locked by another program for 0.02 s");
  struct tune_winner winner; /* readers are let in */
  check_fine(tune_database_find_winner(database, &test_key, &winner));
  check_fine(tune_execute(other, "COMMIT", "write"));
  put(database, one);
  tune_database_close(database);
  tune_database_close(other);
  remove_database(path);
}

/* --- Disks ------------------------------------------------------------------------------------ */

static int refuse_with; /* the errno of every write, or of opening files to be written */

static ssize_t refuse_pwrite(int descriptor, const void *bytes, size_t size, off_t at) {
  errno = refuse_with;
  return refuse_with ? -1 : pwrite(descriptor, bytes, size, at);
}

static int refuse_open(const char *path, int flags, int mode) {
  if (refuse_with && (flags & O_ACCMODE) != O_RDONLY) {
    errno = refuse_with;
    return -1;
  }
  return open(path, flags, mode);
}

static void replace_call(const char *name, sqlite3_syscall_ptr call) {
  sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
  CHECK_EQUAL(vfs->xSetSystemCall(vfs, name, call), SQLITE_OK);
}

static void try_to_write(struct tune_database *database, int error, const char *words) {
  struct tune_measurement one = measured(1, 1, 1);
  refuse_with = error;
  check_error(tune_database_put_measurements(database, &test_key, &one, 1), TILE_IO_ERROR, words);
  refuse_with = 0;
}

static void a_full_disk_loses_nothing(void) {
  char *path = new_database_path();
  struct tune_database *database = open_database(path, TUNE_WRITE);
  put(database, measured(0, 1, 1));
  replace_call("pwrite", (sqlite3_syscall_ptr)refuse_pwrite);
  replace_call("pwrite64", (sqlite3_syscall_ptr)refuse_pwrite);
  try_to_write(database, ENOSPC, "is full: what was there is kept");
  try_to_write(database, EIO, "disk I/O error");
  int count = 0;
  check_fine(tune_database_each_measurement(database, NULL, count_rows, &count));
  CHECK_EQUAL(count, 1);
  put(database, measured(1, 1, 1));
  tune_database_close(database);
  replace_call("pwrite", NULL);
  replace_call("pwrite64", NULL);
  remove_database(path);
}

/* A read-only disk: what is there can be read, without a file beside it. */
static void a_read_only_disk_is_read(void) {
  char *path = new_database_path();
  struct tune_database *database = open_database(path, TUNE_WRITE);
  put(database, measured(0, 1, 1));
  check_fine(tune_database_choose(database, &test_key, "", NULL));
  tune_database_close(database);
  replace_call("open", (sqlite3_syscall_ptr)refuse_open);
  refuse_with = EROFS;
  check_error(tune_database_open(path, TUNE_WRITE, &database), TILE_IO_ERROR, "is read-only");
  database = open_database(path, TUNE_READ);
  struct tune_winner winner;
  check_fine(tune_database_find_winner(database, &test_key, &winner));
  CHECK(winner.candidate);
  struct tune_measurement one = measured(1, 1, 1);
  check_error(tune_database_put_measurements(database, &test_key, &one, 1), TILE_IO_ERROR,
              "is read-only");
  tune_database_close(database);
  refuse_with = 0;
  replace_call("open", NULL);
  remove_database(path);
}

static bool say_remote(const char *path) {
  (void)path;
  return true;
}

/* Without shared memory, where other machines may be: a rollback journal, also for a file that was
 * local. */
static void file_systems_of_a_network_get_a_journal(void) {
  char *path = new_database_path();
  bool (*local)(const char *) = tune_file_is_remote;
  struct text log = {0};
  text_printf(&log, "%s-wal", path);
  struct tune_database *database = open_database(path, TUNE_WRITE);
  put(database, measured(0, 1, 1));
  CHECK(local(path) || access(text_string(&log), F_OK) == 0);
  tune_database_close(database);
  tune_file_is_remote = say_remote;
  database = open_database(path, TUNE_WRITE);
  struct tune_database *other = open_database(path, TUNE_WRITE);
  put(database, measured(1, 1, 1));
  put(other, measured(2, 1, 1));
  CHECK(access(text_string(&log), F_OK) != 0);
  int count = 0;
  check_fine(tune_database_each_measurement(database, NULL, count_rows, &count));
  CHECK_EQUAL(count, 3);
  tune_database_close(database);
  tune_database_close(other);
  tune_file_is_remote = local;
  text_free(&log);
  remove_database(path);
}

static void the_environment_names_the_file(void) {
  struct text path = {0};
  setenv("TILE_TUNE_DATABASE", "/some/where.sqlite3", 1);
  check_fine(tune_database_default_path(&path));
  CHECK_TEXT(text_string(&path), "/some/where.sqlite3");
  text_free(&path);
  unsetenv("TILE_TUNE_DATABASE");
  setenv("TILE_CACHE_DIR", "/a cache", 1);
  check_fine(tune_database_default_path(&path));
  CHECK_TEXT(text_string(&path), "/a cache/tune.sqlite3");
  text_free(&path);
}

int main(int argc, char **argv) {
  return RUN_TESTS(
      argc, argv, {"what_is_put_is_found", what_is_put_is_found},
      {"of_equals_the_first_wins", of_equals_the_first_wins},
      {"a_measurement_is_overwritten", a_measurement_is_overwritten},
      {"rows_are_visited_and_cleared_by_parts_of_the_key",
       rows_are_visited_and_cleared_by_parts_of_the_key},
      {"several_are_put_or_none", several_are_put_or_none},
      {"merging_has_no_order", merging_has_no_order},
      {"a_tuners_choice_stays", a_tuners_choice_stays},
      {"text_and_back_is_the_same_to_the_byte", text_and_back_is_the_same_to_the_byte},
      {"text_that_is_wrong_is_refused_whole", text_that_is_wrong_is_refused_whole},
      {"other_files_are_left_as_they_are", other_files_are_left_as_they_are},
      {"another_format_is_named", another_format_is_named}, {"damage_is_named", damage_is_named},
      {"a_lock_that_stays_is_named", a_lock_that_stays_is_named},
      {"a_full_disk_loses_nothing", a_full_disk_loses_nothing},
      {"a_read_only_disk_is_read", a_read_only_disk_is_read},
      {"file_systems_of_a_network_get_a_journal", file_systems_of_a_network_get_a_journal},
      {"the_environment_names_the_file", the_environment_names_the_file});
}
