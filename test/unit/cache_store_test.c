/* SPDX-License-Identifier: MIT */
/* The cache's stores: what is kept, what is removed, and what a disk that fails, or a process that
   is killed, leaves behind. */
#include "cache_fixture.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include "base/files.h"

struct disk_fixture {
  char *folder;
  struct disk_store store;
};

static struct disk_fixture disk_open_fixture(uint64_t limit) {
  struct disk_fixture f = {.folder = make_test_folder()};
  disk_store_create(&f.store, f.folder, limit);
  return f;
}

static void disk_close_fixture(struct disk_fixture *f) {
  disk_store_destroy(&f->store);
  remove_test_folder(f->folder);
}

enum { MANY = 40 };
static const uint64_t ample = 1 << 30;

/* --- Keys ------------------------------------------------------------------------------------- */

/* Fields do not run into each other, and NULL is no empty string. */
static void keys_tell_fields_apart(void) {
  struct key_builder a, b, c, d;
  key_begin(&a, "k");
  key_begin(&b, "k");
  key_begin(&c, "k");
  key_begin(&d, "k");
  key_add_string(&a, "ab"), key_add_string(&a, "c");
  key_add_string(&b, "a"), key_add_string(&b, "bc");
  key_add_string(&c, ""), key_add_string(&d, NULL);
  struct cache_key keys[] = {key_end(&a), key_end(&b), key_end(&c), key_end(&d)};
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < i; k++)
      CHECK(!key_equals(&keys[i], &keys[k]));
}

/* BLAKE3 of nothing, from its specification: that it is the function it is said to be. */
static void hash_is_blake3(void) {
  static const uint8_t start[] = {0xaf, 0x13, 0x49, 0xb9, 0xf5, 0xf9, 0xa1, 0xa6};
  struct cache_key key = key_of_bytes(NULL, 0);
  CHECK(memcmp(key.bytes, start, sizeof start) == 0);
}

/* --- Disk ------------------------------------------------------------------------------------- */

static void disk_round_trip(void) {
  struct disk_fixture f = disk_open_fixture(ample);
  for (uint64_t i = 0; i < MANY; i++) {
    CHECK_EQUAL(read_number(&f.store, i), FOUND_NOTHING);
    write_number(&f.store, i);
    CHECK_EQUAL(read_number(&f.store, i), FOUND_RIGHT);
  }
  struct disk_store other; /* another process, or another run */
  disk_store_create(&other, f.folder, ample);
  for (uint64_t i = 0; i < MANY; i++)
    CHECK_EQUAL(read_number(&other, i), FOUND_RIGHT);
  CHECK_EQUAL(disk_store_measure(&other).entries, MANY);
  CHECK_EQUAL(f.store.counts.errors + other.counts.errors, 0);
  disk_store_destroy(&other);
  disk_close_fixture(&f);
}

static void no_folder_keeps_nothing(void) {
  struct disk_store store;
  disk_store_create(&store, NULL, ample);
  write_number(&store, 1);
  CHECK_EQUAL(read_number(&store, 1), FOUND_NOTHING);
  CHECK_EQUAL(disk_store_measure(&store).bytes, 0);
  disk_store_clear(&store);
  CHECK_EQUAL(store.counts.errors, 0);
  disk_store_destroy(&store);
}

static void change_byte(const char *path, size_t at) {
  int descriptor = open(path, O_RDWR);
  unsigned char byte = 0;
  CHECK(descriptor >= 0 && pread(descriptor, &byte, 1, (off_t)at) == 1);
  byte ^= 0x10;
  CHECK(pwrite(descriptor, &byte, 1, (off_t)at) == 1);
  close(descriptor);
}

/* Any byte of the header, and some of the content: the entry is gone, and can be written again. */
static void damage_is_found(void) {
  struct disk_fixture f = disk_open_fixture(ample);
  char *path = path_of_number(&f.store, 3);
  size_t size = entry_size(3) + 80, found = 0;
  for (size_t at = 0; at < size; at += at < 100 ? 1 : 997) {
    write_number(&f.store, 3);
    change_byte(path, at);
    CHECK_EQUAL(read_number(&f.store, 3), FOUND_NOTHING);
    CHECK(access(path, F_OK) != 0);
    found++;
  }
  CHECK_EQUAL(f.store.counts.corrupt, found);
  CHECK_EQUAL(f.store.counts.errors, 0);
  free(path);
  disk_close_fixture(&f);
}

static void shortened_and_lengthened_files_are_found(void) {
  struct disk_fixture f = disk_open_fixture(ample);
  char *path = path_of_number(&f.store, 3);
  const off_t whole = (off_t)entry_size(3) + 80,
              lengths[] = {0, 1, 79, 80, 100, whole - 1, whole + 1, whole + 4096};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    write_number(&f.store, 3);
    CHECK_EQUAL(truncate(path, lengths[i]), 0);
    CHECK_EQUAL(read_number(&f.store, 3), FOUND_NOTHING);
  }
  CHECK_EQUAL(f.store.counts.corrupt, sizeof lengths / sizeof *lengths);
  free(path);
  disk_close_fixture(&f);
}

/* A good entry under the name of another. */
static void an_entry_knows_its_key(void) {
  struct disk_fixture f = disk_open_fixture(ample);
  char *first = path_of_number(&f.store, 3), *second = path_of_number(&f.store, 4);
  write_number(&f.store, 3);
  write_number(&f.store, 4);
  CHECK_EQUAL(rename(first, second), 0);
  CHECK_EQUAL(read_number(&f.store, 4), FOUND_NOTHING);
  CHECK_EQUAL(f.store.counts.corrupt, 1);
  free(first);
  free(second);
  disk_close_fixture(&f);
}

static void a_folder_in_an_entrys_place(void) {
  struct disk_fixture f = disk_open_fixture(ample);
  char *path = path_of_number(&f.store, 3);
  write_number(&f.store, 3);
  CHECK_EQUAL(unlink(path), 0);
  CHECK_EQUAL(mkdir(path, 0700), 0);
  CHECK_EQUAL(read_number(&f.store, 3), FOUND_NOTHING);
  write_number(&f.store, 3);
  CHECK_EQUAL(f.store.counts.errors, 2);
  CHECK(strstr(f.store.problem, "cannot write") != NULL);
  free(path);
  disk_close_fixture(&f);
}

/* --- The bound -------------------------------------------------------------------------------- */

static void set_age(const char *path, long seconds) {
  struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = time(NULL) - seconds}};
  CHECK_EQUAL(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void age_number(struct disk_store *store, uint64_t number, long seconds) {
  char *path = path_of_number(store, number);
  set_age(path, seconds);
  free(path);
}

/* Entries that were written first are used last, and stay. */
static void least_recently_used_go_first(void) {
  enum { KEPT = 5 };
  struct disk_fixture f = disk_open_fixture(ample);
  uint64_t bytes = 0, kept = 0;
  for (uint64_t i = 0; i < MANY; i++) {
    write_number(&f.store, i);
    age_number(&f.store, i, 100000 - (long)i);
    bytes += entry_size(i) + 80;
    kept += i < KEPT ? entry_size(i) + 80 : 0;
  }
  for (uint64_t i = 0; i < KEPT; i++)
    CHECK_EQUAL(read_number(&f.store, i), FOUND_RIGHT);
  f.store.limit = kept * 10 / 9 + 100;
  disk_store_trim(&f.store);
  for (uint64_t i = 0; i < MANY; i++)
    CHECK_EQUAL(read_number(&f.store, i), i < KEPT ? FOUND_RIGHT : FOUND_NOTHING);
  CHECK_EQUAL(f.store.counts.evictions, MANY - KEPT);
  CHECK(bytes > f.store.limit);
  disk_close_fixture(&f);
}

static void writing_keeps_the_bound(void) {
  enum { LIMIT = 100000 };
  struct disk_fixture f = disk_open_fixture(LIMIT);
  for (uint64_t i = 0; i < 100; i++) {
    write_number(&f.store, i);
    CHECK(disk_store_measure(&f.store).bytes <= LIMIT + LIMIT / 64);
  }
  CHECK(f.store.counts.evictions > 50);
  CHECK(disk_store_measure(&f.store).entries > 3);
  disk_close_fixture(&f);
}

static void what_is_larger_than_the_bound_is_not_kept(void) {
  struct disk_fixture f = disk_open_fixture(1000);
  static const char bytes[2000];
  struct cache_key key = key_of_number(1);
  disk_store_write(&f.store, &key, bytes, sizeof bytes);
  CHECK_EQUAL(disk_store_measure(&f.store).bytes, 0);
  CHECK_EQUAL(f.store.counts.errors, 0);
  disk_close_fixture(&f);
}

static char *write_beside(struct disk_store *store, const char *name) {
  struct text path = {0};
  char *entry = path_of_number(store, 3);
  text_append(&path, entry, (size_t)(strrchr(entry, '/') - entry + 1));
  text_puts(&path, name);
  tile_status status = file_write(text_string(&path), "some", 4);
  CHECK(!status);
  free(entry);
  return text_take(&path);
}

/* Of files that a writer left behind the old ones go; those of others never. */
static void files_left_behind_are_removed(void) {
  struct disk_fixture f = disk_open_fixture(ample);
  write_number(&f.store, 3);
  char *old = write_beside(&f.store, "tmp.00112233445566aa"),
       *young = write_beside(&f.store, "tmp.00112233445566bb");
  char *foreign = write_beside(&f.store, "tmp.notes"), *note = write_beside(&f.store, "README");
  set_age(old, 4000);
  set_age(foreign, 4000);
  disk_store_trim(&f.store);
  CHECK(access(old, F_OK) != 0);
  CHECK(access(young, F_OK) == 0 && access(foreign, F_OK) == 0);
  disk_store_clear(&f.store);
  CHECK(access(young, F_OK) != 0);
  CHECK(access(foreign, F_OK) == 0 && access(note, F_OK) == 0);
  CHECK_EQUAL(read_number(&f.store, 3), FOUND_NOTHING);
  CHECK_EQUAL(f.store.counts.errors, 0);
  free(old), free(young), free(foreign), free(note);
  disk_close_fixture(&f);
}

/* --- A disk that fails ------------------------------------------------------------------------ */

static enum disk_step failing_step;
static int failing_error, calls_before, calls;

static int fail_from_then_on(enum disk_step step) {
  return step == failing_step && ++calls > calls_before ? failing_error : 0;
}

static void set_fault(enum disk_step step, int error, int before) {
  failing_step = step;
  failing_error = error;
  calls_before = before;
  calls = 0;
  disk_fault = fail_from_then_on;
}

/* Each call fails in its turn: nothing wrong is read, and everything works once the disk does. */
static void every_step_may_fail(void) {
  static const int errors[] = {ENOSPC, EROFS, EIO, EACCES, EMFILE, ESTALE, ENOENT};
  struct disk_fixture f = disk_open_fixture(50000);
  for (int step = 0; step < DISK_STEPS; step++)
    for (size_t e = 0; e < sizeof errors / sizeof *errors; e++)
      for (int before = 0; before < 2; before++) {
        disk_store_clear(&f.store);
        write_number(&f.store, 7);
        set_fault((enum disk_step)step, errors[e], before);
        for (uint64_t i = 5; i < 9; i++) {
          CHECK(read_number(&f.store, i) != FOUND_WRONG);
          write_number(&f.store, i);
          CHECK(read_number(&f.store, i) != FOUND_WRONG);
        }
        disk_store_trim(&f.store);
        disk_fault = NULL;
        for (uint64_t i = 5; i < 9; i++) {
          CHECK(read_number(&f.store, i) != FOUND_WRONG);
          write_number(&f.store, i);
          CHECK_EQUAL(read_number(&f.store, i), FOUND_RIGHT);
        }
      }
  CHECK(f.store.counts.errors > 100);
  CHECK(f.store.problem[0]);
  disk_close_fixture(&f);
}

static void a_full_disk_leaves_nothing(void) {
  struct disk_fixture f = disk_open_fixture(ample);
  for (int before = 0; before < 2; before++) {
    set_fault(DISK_WRITE, ENOSPC, before);
    write_number(&f.store, 3);
    disk_fault = NULL;
    CHECK_EQUAL(f.store.counts.errors, before + 1);
    CHECK(strstr(f.store.problem, "No space left on device") != NULL);
    CHECK_EQUAL(disk_store_measure(&f.store).bytes, 0); /* no file left behind either */
  }
  disk_close_fixture(&f);
}

static struct disk_store *store_to_clear;
static int clears_left;

/* Another process clears the cache between the writing of a file and its renaming. */
static int clear_before_rename(enum disk_step step) {
  if (step != DISK_RENAME || clears_left == 0)
    return 0;
  clears_left--;
  disk_store_clear(store_to_clear);
  return 0;
}

static void clearing_meets_a_writer(void) {
  struct disk_fixture f = disk_open_fixture(ample);
  for (int clears = 1; clears < 4; clears++) {
    store_to_clear = &f.store;
    clears_left = clears;
    disk_fault = clear_before_rename;
    write_number(&f.store, 3);
    disk_fault = NULL;
    CHECK_EQUAL(clears_left, 0);
    CHECK_EQUAL(f.store.counts.errors, 0);
    CHECK_EQUAL(read_number(&f.store, 3), FOUND_RIGHT);
    CHECK_EQUAL(disk_store_measure(&f.store).entries, 1);
  }
  disk_close_fixture(&f);
}

/* `ulimit -f`: a file may have so many bytes, and no more. */
static void a_limit_on_sizes_of_files_ends_no_process(void) {
  struct disk_fixture f = disk_open_fixture(ample);
  pid_t child = fork();
  if (child == 0) {
    const struct rlimit limit = {.rlim_cur = 500, .rlim_max = 500};
    bool right = setrlimit(RLIMIT_FSIZE, &limit) == 0;
    write_number(&f.store, 3);
    right = right && f.store.counts.errors == 1 && strstr(f.store.problem, "File too large");
    right = right && read_number(&f.store, 3) == FOUND_NOTHING &&
            disk_store_measure(&f.store).bytes == 0;
    _exit(right ? 0 : 1);
  }
  int state = -1;
  CHECK(child > 0 && waitpid(child, &state, 0) == child);
  CHECK_EQUAL(state, 0);
  disk_close_fixture(&f);
}

/* The folder disappears while the cache is open, and is made again. */
static void a_folder_that_vanishes(void) {
  struct disk_fixture f = disk_open_fixture(ample);
  struct text command = {0};
  text_printf(&command, "rm -rf '%s'", f.folder);
  write_number(&f.store, 1);
  CHECK_EQUAL(system(text_string(&command)), 0);
  CHECK_EQUAL(read_number(&f.store, 1), FOUND_NOTHING);
  write_number(&f.store, 1);
  CHECK_EQUAL(read_number(&f.store, 1), FOUND_RIGHT);
  CHECK_EQUAL(f.store.counts.errors, 0);
  text_free(&command);
  disk_close_fixture(&f);
}

static void a_file_in_the_folders_place(void) {
  struct disk_fixture f = disk_open_fixture(ample);
  tile_status status = file_write(f.store.folder, "", 0);
  CHECK(!status);
  write_number(&f.store, 1);
  CHECK_EQUAL(read_number(&f.store, 1), FOUND_NOTHING);
  CHECK_EQUAL(f.store.counts.errors, 1);
  CHECK(strstr(f.store.problem, "Not a directory") != NULL);
  disk_close_fixture(&f);
}

/* --- Kill ------------------------------------------------------------------------------------- */

static int die_after;

static int die_in_turn(enum disk_step step) {
  (void)step;
  if (die_after-- == 0)
    raise(SIGKILL);
  return 0;
}

/* Ends a process at each call in turn; false when it came to its end. */
static bool write_and_die(struct disk_store *store, int after) {
  pid_t child = fork();
  if (child == 0) {
    die_after = after;
    disk_fault = die_in_turn;
    write_number(store, 3);
    write_number(store, 5);
    disk_store_trim(store);
    _exit(0);
  }
  int state = 0;
  CHECK(child > 0 && waitpid(child, &state, 0) == child);
  return WIFSIGNALED(state) && WTERMSIG(state) == SIGKILL;
}

static void kill_at_every_step_leaves_nothing_torn(void) {
  struct disk_fixture f = disk_open_fixture(ample);
  int after = 0, entries = 0, left = 0;
  for (; write_and_die(&f.store, after) && after < 2000; after++) {
    CHECK(read_number(&f.store, 3) != FOUND_WRONG);
    CHECK(read_number(&f.store, 5) != FOUND_WRONG);
    struct disk_usage usage = disk_store_measure(&f.store);
    entries += usage.entries > 0;
    left += usage.bytes > 0;
    CHECK_EQUAL(f.store.counts.corrupt, 0);
    disk_store_clear(&f.store);
    CHECK_EQUAL(disk_store_measure(&f.store).bytes, 0);
  }
  CHECK(after > 10);
  CHECK(entries > 0 && left > entries); /* both kinds of death were seen */
  disk_close_fixture(&f);
}

/* --- Memory ----------------------------------------------------------------------------------- */

static void put_text(struct memory_store *store, uint64_t number, size_t size) {
  char *bytes = tile_allocate(size + 1);
  memset(bytes, (int)('a' + number % 26), size);
  struct cache_key key = key_of_number(number);
  struct cache_blob *blob = blob_create(bytes, size);
  memory_store_put(store, &key, blob);
  blob_release(blob);
  free(bytes);
}

static bool has(struct memory_store *store, uint64_t number, size_t size) {
  struct cache_key key = key_of_number(number);
  struct cache_blob *blob = memory_store_get(store, &key);
  bool right = blob && blob->size == size &&
               (size == 0 || blob->data[size - 1] == (char)('a' + number % 26));
  blob_release(blob);
  return right;
}

static void memory_round_trip(void) {
  struct memory_store store;
  memory_store_create(&store, ample);
  for (uint64_t i = 0; i < 3000; i++) /* more than there are chains */
    put_text(&store, i, i % 100);
  for (uint64_t i = 0; i < 3000; i++)
    CHECK(has(&store, i, i % 100));
  put_text(&store, 7, 50);
  CHECK(has(&store, 7, 50));
  memory_store_clear(&store);
  CHECK(!has(&store, 7, 50));
  CHECK_EQUAL(store.bytes, 0);
  memory_store_destroy(&store);
}

static void memory_is_bounded(void) {
  struct memory_store store;
  memory_store_create(&store, 10000);
  for (uint64_t i = 0; i < 8; i++) {
    put_text(&store, i, 2000);
    CHECK(has(&store, 0, 2000)); /* used all the time */
    CHECK(store.bytes <= 10000);
  }
  CHECK(!has(&store, 1, 2000));
  CHECK(has(&store, 7, 2000));
  put_text(&store, 9, 20000);
  CHECK(!has(&store, 9, 20000));
  memory_store_destroy(&store);
}

/* --- The public functions --------------------------------------------------------------------- */

static void expect_folder(const char *own, const char *caches, const char *home,
                          const char *expected) {
  own ? setenv("TILE_CACHE_DIR", own, 1) : unsetenv("TILE_CACHE_DIR");
  caches ? setenv("XDG_CACHE_HOME", caches, 1) : unsetenv("XDG_CACHE_HOME");
  home ? setenv("HOME", home, 1) : unsetenv("HOME");
  tile_cache *cache = NULL;
  CHECK(!tile_cache_open(NULL, &cache));
  CHECK_TEXT(tile_cache_folder(cache), expected);
  tile_cache_close(cache);
}

static void the_environment_names_the_folder(void) {
  expect_folder("/own", "/caches", "/home", "/own");
  expect_folder("", "/caches", "/home", "/caches/tile");
  expect_folder(NULL, "caches", "/home", "/home/.cache/tile");
  expect_folder(NULL, "", "/home", "/home/.cache/tile");
  expect_folder(NULL, NULL, "", "");
  expect_folder(NULL, NULL, NULL, "");
}

#define EXPECT_CODE(call, code_)                                                                   \
  do {                                                                                             \
    tile_status status_ = (call);                                                                  \
    CHECK_EQUAL(tile_status_code(status_), code_);                                                 \
    tile_status_free(status_);                                                                     \
  } while (0)

static void public_functions_refuse_null(void) {
  tile_cache *cache;
  tile_cache_statistics statistics;
  tile_cache_usage usage;
  EXPECT_CODE(tile_cache_open(NULL, NULL), TILE_INVALID_ARGUMENT);
  EXPECT_CODE(tile_cache_get_statistics(NULL, &statistics), TILE_INVALID_ARGUMENT);
  EXPECT_CODE(tile_cache_problem(NULL), TILE_INVALID_ARGUMENT);
  EXPECT_CODE(tile_cache_measure(NULL, &usage), TILE_INVALID_ARGUMENT);
  EXPECT_CODE(tile_cache_clear(NULL), TILE_INVALID_ARGUMENT);
  tile_cache_close(NULL);
  CHECK(!tile_cache_open(&(tile_cache_options){.folder = ""}, &cache));
  EXPECT_CODE(tile_cache_get_statistics(cache, NULL), TILE_INVALID_ARGUMENT);
  EXPECT_CODE(tile_cache_measure(cache, NULL), TILE_INVALID_ARGUMENT);
  tile_cache_close(cache);
}

static void a_cache_says_what_it_has_and_what_went_wrong(void) {
  char *folder = make_test_folder();
  tile_cache *cache;
  tile_cache_usage usage;
  tile_cache_statistics statistics;
  struct cache_key key = key_of_number(1);
  struct cache_blob *blob;
  CHECK(!tile_cache_open(&(tile_cache_options){.folder = folder, .disk_bytes = 4096}, &cache));
  CHECK_EQUAL(cache_get(cache, &key, &blob), CACHE_NOWHERE);
  cache_put(cache, &key, "abc", 3);
  CHECK_EQUAL(cache_get(cache, &key, &blob), CACHE_MEMORY);
  blob_release(blob);
  CHECK(!tile_cache_measure(cache, &usage));
  CHECK(usage.entries == 1 && usage.bytes == 83 && usage.limit == 4096);
  CHECK(!tile_cache_problem(cache));
  CHECK(!tile_cache_clear(cache));
  CHECK_EQUAL(cache_get(cache, &key, &blob), CACHE_NOWHERE);
  set_fault(DISK_CREATE, EROFS, 0);
  cache_put(cache, &key, "abc", 3);
  disk_fault = NULL;
  CHECK(!tile_cache_get_statistics(cache, &statistics));
  CHECK_EQUAL(statistics.errors, 1);
  EXPECT_CODE(tile_cache_problem(cache), TILE_IO_ERROR);
  cache_put(cache, &key, "abc", 3);
  set_fault(DISK_REMOVE, EROFS, 0);
  EXPECT_CODE(tile_cache_clear(cache), TILE_IO_ERROR);
  disk_fault = NULL;
  CHECK_EQUAL(cache_get(cache, &key, &blob), CACHE_DISK);
  CHECK(blob && blob->size == 3 && memcmp(blob->data, "abc", 4) == 0);
  blob_release(blob);
  tile_cache_close(cache);
  remove_test_folder(folder);
}

#define ROW(name)                                                                                  \
  { #name, name }

int main(int argc, char **argv) {
  const struct test_row rows[] = {ROW(keys_tell_fields_apart),
                                  ROW(hash_is_blake3),
                                  ROW(disk_round_trip),
                                  ROW(no_folder_keeps_nothing),
                                  ROW(damage_is_found),
                                  ROW(shortened_and_lengthened_files_are_found),
                                  ROW(an_entry_knows_its_key),
                                  ROW(a_folder_in_an_entrys_place),
                                  ROW(least_recently_used_go_first),
                                  ROW(writing_keeps_the_bound),
                                  ROW(what_is_larger_than_the_bound_is_not_kept),
                                  ROW(files_left_behind_are_removed),
                                  ROW(every_step_may_fail),
                                  ROW(a_full_disk_leaves_nothing),
                                  ROW(clearing_meets_a_writer),
                                  ROW(a_limit_on_sizes_of_files_ends_no_process),
                                  ROW(a_folder_that_vanishes),
                                  ROW(a_file_in_the_folders_place),
                                  ROW(kill_at_every_step_leaves_nothing_torn),
                                  ROW(memory_round_trip),
                                  ROW(memory_is_bounded),
                                  ROW(the_environment_names_the_folder),
                                  ROW(public_functions_refuse_null),
                                  ROW(a_cache_says_what_it_has_and_what_went_wrong)};
  return run_tests_(argc, argv, rows, sizeof rows / sizeof *rows);
}
