/* SPDX-License-Identifier: MIT */
/* See disk_store.h. Reading and writing entries; disk_trim.c removes them. */
#include "cache/disk_store.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "cache/disk_files.h"

/* Before the bytes. The version is the folder's, too: another format goes into another folder. */
struct header {
  char magic[8];
  struct cache_key key;
  uint64_t size;
  struct cache_key check; /* BLAKE3 of the bytes */
};
_Static_assert(sizeof(struct header) == 80, "a file's header has no gaps");
static const char magic[8] = "tile c1\n";

enum { TOUCH_AFTER = 60, NAMES = 16, ATTEMPTS = 8 };
static const size_t largest_entry = (size_t)1 << 30;

void disk_store_create(struct disk_store *store, const char *folder, uint64_t limit) {
  *store = (struct disk_store){.limit = limit};
  pthread_mutex_init(&store->lock, NULL);
  if (!folder)
    return;
  struct text path = {0};
  text_printf(&path, "%s/v1", folder);
  store->folder = text_take(&path);
}

void disk_store_destroy(struct disk_store *store) {
  pthread_mutex_destroy(&store->lock);
  free(store->folder);
}

void disk_store_problem(struct disk_store *store, const char *doing, const char *path) {
  const char *reason = strerror(errno);
  pthread_mutex_lock(&store->lock);
  store->counts.errors++;
  snprintf(store->problem, sizeof store->problem, "cannot %s '%.180s': %s", doing, path, reason);
  pthread_mutex_unlock(&store->lock);
}

/* --- Names ------------------------------------------------------------------------------------ */

/* FOLDER/v1/ab, and after it /cdef... */
static void print_folder(const struct disk_store *store, const struct cache_key *key,
                         struct text *out) {
  text_printf(out, "%s/%02x", store->folder, key->bytes[0]);
}

static void print_path(const struct disk_store *store, const struct cache_key *key,
                       struct text *out) {
  print_folder(store, key, out);
  text_puts(out, "/");
  for (size_t i = 1; i < sizeof key->bytes; i++)
    text_printf(out, "%02x", key->bytes[i]);
}

static void print_temporary(const struct disk_store *store, const struct cache_key *key,
                            struct text *out) {
  uint64_t random = 0;
  if (getrandom(&random, sizeof random, 0) < 0)
    random = (uint64_t)getpid(); /* a taken name is tried again */
  print_folder(store, key, out);
  text_printf(out, "/tmp.%016llx", (unsigned long long)random);
}

/* --- Reading ---------------------------------------------------------------------------------- */

/* The bytes after the header of a file, or NULL when it is not as it was written. */
static const char *check_entry(const struct text *file, const struct cache_key *key,
                               size_t *out_size) {
  struct header header;
  if (file->length < sizeof header)
    return NULL;
  memcpy(&header, file->data, sizeof header);
  *out_size = file->length - sizeof header;
  const char *bytes = file->data + sizeof header;
  if (memcmp(header.magic, magic, sizeof magic) != 0 || !key_equals(&header.key, key) ||
      header.size != *out_size)
    return NULL;
  struct cache_key check = key_of_bytes(bytes, *out_size);
  return key_equals(&check, &header.check) ? bytes : NULL;
}

static void drop_corrupt(struct disk_store *store, const char *path) {
  pthread_mutex_lock(&store->lock);
  store->counts.corrupt++;
  pthread_mutex_unlock(&store->lock);
  if (disk_remove(path) != 0 && errno != ENOENT)
    disk_store_problem(store, "remove the damaged entry", path);
}

/* Without this an entry in use would be removed. On a read-only disk nothing is removed either. */
static void note_use(int descriptor) {
  struct stat info;
  if (fstat(descriptor, &info) == 0 && time(NULL) - info.st_mtime > TOUCH_AFTER)
    (void)disk_touch(descriptor);
}

static bool is_absent(int error) {
  return error == ENOENT || error == ENOTDIR || error == ESTALE;
}

/* All of an open file; closes it. */
static bool read_file(struct disk_store *store, int descriptor, const char *path,
                      struct text *out) {
  struct stat info;
  bool regular = fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode);
  int result = regular ? disk_read(descriptor, largest_entry, out) : (errno = EINVAL, -1);
  if (result != 0 && !is_absent(errno))
    disk_store_problem(store, "read", path);
  if (result == 0)
    note_use(descriptor);
  (void)disk_close(descriptor);
  return result == 0;
}

static bool read_entry(struct disk_store *store, const struct cache_key *key, const char *path,
                       struct text *out) {
  int descriptor = disk_open(path);
  if (descriptor < 0) {
    if (!is_absent(errno))
      disk_store_problem(store, "open", path);
    return false;
  }
  struct text file = {0};
  size_t size;
  bool found = read_file(store, descriptor, path, &file);
  const char *bytes = found ? check_entry(&file, key, &size) : NULL;
  if (bytes)
    text_append(out, bytes, size);
  else if (found)
    drop_corrupt(store, path);
  text_free(&file);
  return bytes != NULL;
}

bool disk_store_read(struct disk_store *store, const struct cache_key *key, struct text *out) {
  if (!store->folder)
    return false;
  struct text path = {0};
  print_path(store, key, &path);
  size_t before = out->length;
  bool found = read_entry(store, key, text_string(&path), out);
  text_free(&path);
  pthread_mutex_lock(&store->lock);
  store->counts.bytes_read += out->length - before;
  pthread_mutex_unlock(&store->lock);
  return found;
}

/* --- Writing ---------------------------------------------------------------------------------- */

/* A new file in the key's folder, which is made where it is missing; its name in `path`. */
static int create_temporary(struct disk_store *store, const struct cache_key *key,
                            struct text *path) {
  int descriptor = -1;
  for (int i = 0; i < NAMES && descriptor < 0; i++) {
    path->length = 0;
    print_temporary(store, key, path);
    descriptor = disk_create(text_string(path));
    if (descriptor >= 0 || errno == EEXIST)
      continue;
    struct text folder = {0};
    print_folder(store, key, &folder);
    bool made = errno == ENOENT && disk_make_folders(text_string(&folder)) == 0;
    text_free(&folder);
    if (!made)
      break;
  }
  return descriptor;
}

static int write_bytes(int descriptor, const struct cache_key *key, const void *bytes,
                       size_t size) {
  struct header header = {.key = *key, .size = size, .check = key_of_bytes(bytes, size)};
  memcpy(header.magic, magic, sizeof magic);
  int result = disk_write(descriptor, &header, sizeof header);
  if (result == 0)
    result = disk_write(descriptor, bytes, size);
  int error = errno;
  if (disk_close(descriptor) != 0 && result == 0)
    return -1;
  errno = error;
  return result;
}

/* One attempt; on failure errno says why, and nothing is left behind. */
static int try_to_write(struct disk_store *store, const struct cache_key *key, const char *path,
                        const void *bytes, size_t size) {
  struct text temporary = {0};
  int descriptor = create_temporary(store, key, &temporary);
  int result = descriptor < 0 ? -1 : write_bytes(descriptor, key, bytes, size);
  if (result == 0)
    result = disk_rename(text_string(&temporary), path);
  int error = errno;
  if (result != 0 && descriptor >= 0)
    (void)disk_remove(text_string(&temporary));
  text_free(&temporary);
  errno = error;
  return result;
}

/* Whoever clears the cache meanwhile removes the new file before it has its name (ENOENT), and
   perhaps its folder: it is written again. */
static bool write_entry(struct disk_store *store, const struct cache_key *key, const void *bytes,
                        size_t size) {
  struct text path = {0};
  print_path(store, key, &path);
  int result = -1;
  for (int i = 0; i < ATTEMPTS && result != 0 && (i == 0 || errno == ENOENT); i++)
    result = try_to_write(store, key, text_string(&path), bytes, size);
  if (result != 0)
    disk_store_problem(store, "write", text_string(&path));
  text_free(&path);
  return result == 0;
}

/* Looking through the folder takes long when it is full: it is done once a sixty-fourth of the
   limit has been written, and by one write in sixty-four, for processes that write little. The key
   is as good as a random number. */
static bool is_time_to_trim(struct disk_store *store, const struct cache_key *key,
                            uint64_t written) {
  pthread_mutex_lock(&store->lock);
  store->counts.bytes_written += written;
  store->unseen += written;
  bool due = store->unseen > store->limit / 64 || key->bytes[KEY_BYTES - 1] % 64 == 0;
  if (due)
    store->unseen = 0;
  pthread_mutex_unlock(&store->lock);
  return due;
}

void disk_store_write(struct disk_store *store, const struct cache_key *key, const void *bytes,
                      size_t size) {
  uint64_t whole = size + sizeof(struct header);
  if (!store->folder || whole > store->limit || size > largest_entry)
    return;
  if (write_entry(store, key, bytes, size) && is_time_to_trim(store, key, whole))
    disk_store_trim(store);
}
