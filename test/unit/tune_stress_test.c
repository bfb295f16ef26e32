/* SPDX-License-Identifier: MIT */
/* Many tuners on one database; each is killed at random and another takes its place. What a tuner
   was told is kept must be there in the end, all rows of one call or none, and SQLite's own check
   must find nothing; once in write-ahead mode, and once with the journal that file systems of a
   network get.

       tune_stress_test                                   a few seconds
       tune_stress_test --seconds 600 --processes 16      by hand */
#include "tune_database_fixture.h"

#include <errno.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "tune/database_handle.h"

/* A tuner puts BATCHES times ROWS rows, one call a batch, and then the same rows anew with the next
 * number. */
enum { MAX_PROCESSES = 64, BATCHES = 20, ROWS = 3, LEAST_KILLS = 25, LEAST_WRITES = 60 };

static double seconds = 1;
static int processes = 8;

/* Shared by all processes. */
struct tally {
  atomic_long kept[MAX_PROCESSES]; /* calls of a tuner that have come back */
  atomic_long writes, reads, torn, errors, kills;
};
static struct tally *tally;

static uint64_t next_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state >> 33;
}

static struct tune_key key_of(int tuner, long batch, char text[64]) {
  struct tune_key key = test_key;
  snprintf(text, 64, "tuner %d, batch %ld", tuner, batch);
  key.arguments = text;
  return key;
}

static bool is_fine(tile_status status) {
  bool fine = !status;
  if (!fine) {
    fprintf(stderr, "%s\n", tile_status_message(status));
    tally->errors++;
  }
  tile_status_free(status);
  return fine;
}

/* --- A tuner ---------------------------------------------------------------------------------- */

static tile_status put_batch(struct tune_database *database, int tuner, long number) {
  char text[64];
  struct tune_key key = key_of(tuner, number % BATCHES, text);
  struct tune_measurement rows[ROWS];
  for (int i = 0; i < ROWS; i++) {
    rows[i] = measured(i, (double)number + i, number + 1);
    rows[i].rounds = (int)(number + 1);
  }
  TRY(tune_database_put_measurements(database, &key, rows, ROWS));
  tally->kept[tuner] = number + 1;
  tally->writes++;
  return tune_database_choose(database, &key, "", NULL);
}

struct seen {
  int rows, rounds;
  bool torn;
};

static tile_status look(const struct tune_key *key, const struct tune_measurement *measurement,
                        void *data) {
  struct seen *seen = data;
  (void)key;
  seen->torn |= seen->rows && measurement->rounds != seen->rounds;
  seen->torn |= measurement->milliseconds != measurement->rounds - 1.0 + measurement->place;
  seen->rounds = measurement->rounds;
  seen->rows++;
  return NULL;
}

/* The number of the last call whose rows are there; 0 where none are. */
static tile_status read_batch(struct tune_database *database, int tuner, long batch, long *out) {
  char text[64];
  struct tune_key key = key_of(tuner, batch, text);
  struct seen seen = {0};
  TRY(tune_database_each_measurement(database, &key, look, &seen));
  tally->torn += seen.torn || (seen.rows != 0 && seen.rows != ROWS);
  *out = seen.rounds;
  return NULL;
}

static void tune(const char *path, int tuner, uint64_t seed) {
  for (;;) {
    struct tune_database *database;
    long other;
    if (!is_fine(tune_database_open(path, TUNE_WRITE, &database)))
      continue;
    for (uint64_t calls = next_random(&seed) % 50; calls; calls--) {
      is_fine(put_batch(database, tuner, tally->kept[tuner]));
      is_fine(read_batch(database, (int)(next_random(&seed) % (uint64_t)processes),
                         (long)(next_random(&seed) % BATCHES), &other));
      tally->reads++;
    }
    tune_database_close(database);
  }
}

/* --- Killing ---------------------------------------------------------------------------------- */

static pid_t start(const char *path, int tuner, uint64_t seed) {
  pid_t child = fork();
  if (child == 0)
    tune(path, tuner, seed);
  CHECK(child > 0);
  return child;
}

static void stop(pid_t child) {
  kill(child, SIGKILL);
  CHECK(waitpid(child, NULL, 0) == child);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Every second kill waits for a write, so that a slow machine comes forward, too. */
static void kill_at_random(const char *path, pid_t *children) {
  uint64_t seed = 12345, born = (uint64_t)processes;
  long written = 0;
  for (double end = now() + seconds;
       now() < end || tally->kills < LEAST_KILLS || tally->writes < LEAST_WRITES;) {
    nanosleep(&(struct timespec){.tv_nsec = (long)(next_random(&seed) % 20000000)}, NULL);
    if (tally->kills % 2 && tally->writes == written)
      continue;
    written = tally->writes;
    int victim = (int)(next_random(&seed) % (uint64_t)processes);
    stop(children[victim]);
    children[victim] = start(path, victim, ++born);
    tally->kills++;
  }
}

/* --- What is left ----------------------------------------------------------------------------- */

static void check_integrity(const char *path) {
  sqlite3 *sqlite;
  sqlite3_stmt *statement;
  CHECK_EQUAL(sqlite3_open(path, &sqlite), SQLITE_OK);
  CHECK_EQUAL(sqlite3_prepare_v2(sqlite, "PRAGMA integrity_check", -1, &statement, NULL),
              SQLITE_OK);
  CHECK_EQUAL(sqlite3_step(statement), SQLITE_ROW);
  CHECK_TEXT((const char *)sqlite3_column_text(statement, 0), "ok");
  sqlite3_finalize(statement);
  sqlite3_close(sqlite);
}

/* The last call on a batch of which the tuner knew that it is kept, or the one after, which it was
 * killed in. */
static void check_kept(struct tune_database *database, int tuner) {
  long kept = tally->kept[tuner];
  for (long batch = 0; batch < BATCHES; batch++) {
    long last = kept > batch ? (kept - 1 - batch) / BATCHES * BATCHES + batch + 1 : 0, found = -1;
    check_fine(read_batch(database, tuner, batch, &found));
    CHECK(found == last || (found == kept + 1 && kept % BATCHES == batch));
  }
}

static void run(void) {
  char *path = new_database_path();
  pid_t children[MAX_PROCESSES];
  memset(tally, 0, sizeof *tally);
  for (int i = 0; i < processes; i++)
    children[i] = start(path, i, (uint64_t)i);
  kill_at_random(path, children);
  for (int i = 0; i < processes; i++)
    stop(children[i]);
  struct tune_database *database = open_database(path, TUNE_WRITE);
  for (int i = 0; i < processes; i++)
    check_kept(database, i);
  tune_database_close(database);
  check_integrity(path);
  remove_database(path);
  printf("%ld writes, %ld reads, %ld torn, %ld errors, %ld kills\n", tally->writes, tally->reads,
         tally->torn, tally->errors, tally->kills);
  CHECK_EQUAL(tally->torn, 0);
  CHECK_EQUAL(tally->errors, 0);
}

static void killed_tuners_lose_nothing(void) {
  run();
}

static bool say_remote(const char *path) {
  (void)path;
  return true;
}

static void nor_do_they_on_a_network(void) {
  bool (*local)(const char *) = tune_file_is_remote;
  tune_file_is_remote = say_remote;
  run();
  tune_file_is_remote = local;
}

static bool take_number(int argc, char **argv, const char *flag, double *out) {
  for (int i = 1; i + 1 < argc; i++)
    if (strcmp(argv[i], flag) == 0) {
      *out = strtod(argv[i + 1], NULL);
      return true;
    }
  return false;
}

int main(int argc, char **argv) {
  const struct test_row rows[] = {{"killed_tuners_lose_nothing", killed_tuners_lose_nothing},
                                  {"nor_do_they_on_a_network", nor_do_they_on_a_network}};
  double number;
  tune_patience = 600000; /* locks are held as long as the machine is slow */
  bool by_hand = false;
  if (take_number(argc, argv, "--seconds", &number))
    seconds = number / 2, by_hand = true;
  if (take_number(argc, argv, "--processes", &number) && number >= 1 && number <= MAX_PROCESSES)
    processes = (int)number, by_hand = true;
  tally = mmap(NULL, sizeof *tally, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (tally == MAP_FAILED)
    return 1;
  return run_tests_(by_hand ? 1 : argc, argv, rows, sizeof rows / sizeof *rows);
}
