/* SPDX-License-Identifier: MIT */
/* Looking through the folder of a disk_store: measuring, removing what was not used for longest,
   clearing. Others may do the same at the same time, or write: what is gone when its turn comes is
   no error. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "base/arena.h"
#include "cache/disk_files.h"
#include "cache/disk_store.h"

enum { NAME_LENGTH = 2 * (KEY_BYTES - 1), LEFT_BEHIND_AFTER = 3600 };

struct found_file {
  unsigned char folder;
  bool temporary;
  char name[NAME_LENGTH + 1];
  uint64_t size;
  struct timespec used;
};

struct found_files {
  struct found_file *files;
  size_t count, capacity;
};

static bool is_hexadecimal(const char *name) {
  return strspn(name, "0123456789abcdef") == strlen(name);
}

/* Ours are entries, and files on their way to be some. */
static bool is_ours(const char *name, bool *temporary) {
  *temporary = strncmp(name, "tmp.", 4) == 0;
  return *temporary ? strlen(name) == 20 && is_hexadecimal(name + 4)
                    : strlen(name) == NAME_LENGTH && is_hexadecimal(name);
}

static void add(struct found_files *found, int folder, const char *name, bool temporary,
                const struct stat *info) {
  found->files = tile_grow(found->files, found->count, &found->capacity, sizeof *found->files);
  struct found_file *file = &found->files[found->count++];
  *file = (struct found_file){.folder = (unsigned char)folder,
                              .temporary = temporary,
                              .size = (uint64_t)info->st_size,
                              .used = info->st_mtim};
  memcpy(file->name, name, strlen(name) + 1);
}

/* NULL where there is none, or where the disk refuses. */
static DIR *list(struct disk_store *store, const char *path) {
  DIR *folder = disk_list(path);
  if (!folder && errno != ENOENT && errno != ENOTDIR)
    disk_store_problem(store, "list", path);
  return folder;
}

static void list_entries(struct disk_store *store, const char *name, struct found_files *found) {
  struct text path = {0};
  text_printf(&path, "%s/%s", store->folder, name);
  DIR *folder = list(store, text_string(&path));
  text_free(&path);
  if (!folder)
    return;
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    bool temporary;
    struct stat info;
    if (is_ours(entry->d_name, &temporary) &&
        fstatat(dirfd(folder), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISREG(info.st_mode))
      add(found, (int)strtol(name, NULL, 16), entry->d_name, temporary, &info);
  }
  closedir(folder);
}

static struct found_files list_all(struct disk_store *store) {
  struct found_files found = {0};
  DIR *folder = store->folder ? list(store, store->folder) : NULL;
  if (!folder)
    return found;
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
    if (strlen(entry->d_name) == 2 && is_hexadecimal(entry->d_name))
      list_entries(store, entry->d_name, &found);
  closedir(folder);
  return found;
}

static bool remove_file(struct disk_store *store, const struct found_file *file) {
  struct text path = {0};
  text_printf(&path, "%s/%02x/%s", store->folder, file->folder, file->name);
  bool removed = disk_remove(text_string(&path)) == 0;
  if (!removed && errno != ENOENT)
    disk_store_problem(store, "remove", text_string(&path));
  text_free(&path);
  return removed;
}

struct disk_usage disk_store_measure(struct disk_store *store) {
  struct disk_usage usage = {0};
  struct found_files found = list_all(store);
  for (size_t i = 0; i < found.count; i++) {
    usage.entries += !found.files[i].temporary;
    usage.bytes += found.files[i].size;
  }
  free(found.files);
  return usage;
}

void disk_store_clear(struct disk_store *store) {
  struct found_files found = list_all(store);
  for (size_t i = 0; i < found.count; i++)
    (void)remove_file(store, &found.files[i]);
  free(found.files);
}

/* --- Trimming --------------------------------------------------------------------------------- */

static int by_use(const void *a, const void *b) {
  const struct timespec *first = &((const struct found_file *)a)->used,
                        *second = &((const struct found_file *)b)->used;
  if (first->tv_sec != second->tv_sec)
    return first->tv_sec < second->tv_sec ? -1 : 1;
  return (first->tv_nsec > second->tv_nsec) - (first->tv_nsec < second->tv_nsec);
}

static void remove_left_behind(struct disk_store *store, const struct found_files *found) {
  time_t now = time(NULL);
  for (size_t i = 0; i < found->count; i++)
    if (found->files[i].temporary && now - found->files[i].used.tv_sec > LEFT_BEHIND_AFTER)
      (void)remove_file(store, &found->files[i]);
}

/* Two processes that do this at one time remove the same files. */
static void remove_least_used(struct disk_store *store, struct found_files *found, uint64_t bytes) {
  uint64_t removed = 0;
  qsort(found->files, found->count, sizeof *found->files, by_use);
  for (size_t i = 0; i < found->count && bytes > store->limit / 10 * 9; i++) {
    if (found->files[i].temporary)
      continue;
    bytes -= found->files[i].size;
    removed += remove_file(store, &found->files[i]);
  }
  pthread_mutex_lock(&store->lock);
  store->counts.evictions += removed;
  pthread_mutex_unlock(&store->lock);
}

void disk_store_trim(struct disk_store *store) {
  struct found_files found = list_all(store);
  uint64_t bytes = 0;
  for (size_t i = 0; i < found.count; i++)
    bytes += found.files[i].temporary ? 0 : found.files[i].size;
  remove_left_behind(store, &found);
  if (bytes > store->limit)
    remove_least_used(store, &found, bytes);
  free(found.files);
}
