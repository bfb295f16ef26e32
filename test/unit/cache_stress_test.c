/* SPDX-License-Identifier: MIT */
/* Sixteen processes on one cache, which is small, so that all of them evict; each is killed at
   random and another takes its place. Nobody may read anything but what was written, and no entry
   may be found torn. In the second test one more process damages files as they lie there.

       cache_stress_test                 a few seconds
       cache_stress_test --seconds 600   by hand */
#include "cache_fixture.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

enum { PROCESSES = 16, NUMBERS = 300, LIMIT = 1200000, LEAST_KILLS = 25 };

static double seconds = 1;

/* Shared by all processes. */
struct tally {
  atomic_long reads, hits, wrong, writes, corrupt, errors, evictions, kills;
};
static struct tally *tally;

static uint64_t next_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state >> 33;
}

static void work(const char *folder, uint64_t seed) {
  struct disk_store store;
  disk_store_create(&store, folder, LIMIT);
  struct disk_counts before = {0};
  for (;;) {
    uint64_t number = next_random(&seed) % NUMBERS;
    enum found found = read_number(&store, number);
    tally->reads++;
    tally->hits += found == FOUND_RIGHT;
    tally->wrong += found == FOUND_WRONG;
    if (found != FOUND_RIGHT) {
      write_number(&store, number);
      tally->writes++;
    }
    tally->corrupt += (long)(store.counts.corrupt - before.corrupt);
    tally->errors += (long)(store.counts.errors - before.errors);
    tally->evictions += (long)(store.counts.evictions - before.evictions);
    if (store.counts.errors != before.errors)
      fprintf(stderr, "%s\n", store.problem);
    before = store.counts;
  }
}

/* Writes into files where they lie, cuts them off, and makes them longer. */
static void damage(const char *folder, uint64_t seed) {
  struct disk_store store;
  disk_store_create(&store, folder, LIMIT);
  for (;;) {
    char *path = path_of_number(&store, next_random(&seed) % NUMBERS);
    int descriptor = open(path, O_RDWR);
    off_t size = descriptor < 0 ? 0 : lseek(descriptor, 0, SEEK_END);
    off_t at = size ? (off_t)(next_random(&seed) % (uint64_t)size) : 0;
    if (size && next_random(&seed) % 2)
      (void)!pwrite(descriptor, "damage", 6, at);
    else if (size)
      (void)!ftruncate(descriptor, at);
    if (descriptor >= 0)
      close(descriptor);
    free(path);
    nanosleep(&(struct timespec){.tv_nsec = 300000}, NULL);
  }
}

static pid_t start(void (*body)(const char *, uint64_t), const char *folder, uint64_t seed) {
  pid_t child = fork();
  if (child == 0)
    body(folder, seed);
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

static void run(bool damaged) {
  char *folder = make_test_folder();
  pid_t children[PROCESSES], vandal = damaged ? start(damage, folder, 99) : 0;
  uint64_t seed = 12345, born = 0;
  memset(tally, 0, sizeof *tally);
  for (int i = 0; i < PROCESSES; i++)
    children[i] = start(work, folder, ++born);
  for (double end = now() + seconds; now() < end || tally->kills < LEAST_KILLS;) {
    nanosleep(&(struct timespec){.tv_nsec = (long)(next_random(&seed) % 8000000)}, NULL);
    int victim = (int)(next_random(&seed) % PROCESSES);
    stop(children[victim]);
    children[victim] = start(work, folder, ++born);
    tally->kills++;
  }
  for (int i = 0; i < PROCESSES; i++)
    stop(children[i]);
  if (vandal)
    stop(vandal);
  struct disk_store store;
  disk_store_create(&store, folder, LIMIT);
  for (uint64_t i = 0; i < NUMBERS; i++)
    CHECK(read_number(&store, i) != FOUND_WRONG);
  CHECK(damaged || store.counts.corrupt == 0);
  disk_store_clear(&store);
  CHECK_EQUAL(disk_store_measure(&store).bytes, 0);
  disk_store_destroy(&store);
  printf("%ld reads, %ld right, %ld writes, %ld damaged, %ld evicted, %ld errors, %ld kills\n",
         tally->reads, tally->hits, tally->writes, tally->corrupt, tally->evictions, tally->errors,
         tally->kills);
  remove_test_folder(folder);
  CHECK_EQUAL(tally->wrong, 0);
  CHECK_EQUAL(tally->errors, 0);
  CHECK(tally->hits > 50 && tally->writes > 50 && tally->evictions > 5);
}

static void killed_processes_tear_nothing(void) {
  run(false);
  CHECK_EQUAL(tally->corrupt, 0);
}

static void damaged_entries_are_never_taken(void) {
  run(true);
  CHECK(tally->corrupt > 0);
}

int main(int argc, char **argv) {
  const struct test_row rows[] = {
      {"killed_processes_tear_nothing", killed_processes_tear_nothing},
      {"damaged_entries_are_never_taken", damaged_entries_are_never_taken}};
  if (argc > 2 && strcmp(argv[1], "--seconds") == 0) {
    seconds = strtod(argv[2], NULL) / 2;
    argc = 1;
  }
  tally = mmap(NULL, sizeof *tally, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (tally == MAP_FAILED)
    return 1;
  return run_tests_(argc, argv, rows, sizeof rows / sizeof *rows);
}
