/* SPDX-License-Identifier: MIT */
/* Folders and entries for tests of the cache. The bytes of entry N follow from N, so that whoever
   reads them knows. */
#ifndef TILE_TEST_CACHE_FIXTURE_H
#define TILE_TEST_CACHE_FIXTURE_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/arena.h"
#include "cache/cache.h"
#include "cache/disk_files.h"
#include "cache/disk_store.h"
#include "check.h"
#include "temporary.h"

/* A folder of the test's own, for the caller to free. */
static inline char *make_test_folder(void) {
  return temporary_folder("cache-test");
}

/* Removes it with all that is in it. */
static inline void remove_test_folder(char *folder) {
  CHECK(temporary_folder_remove(folder));
}

static inline struct cache_key key_of_number(uint64_t number) {
  struct key_builder builder;
  key_begin(&builder, "test");
  key_add_number(&builder, (int64_t)number);
  return key_end(&builder);
}

/* 0 to 16383 bytes. */
static inline size_t entry_size(uint64_t number) {
  return (size_t)(number * 2654435761u >> 3) % 16384;
}

static inline void fill_entry(uint64_t number, char *bytes) {
  uint64_t state = number * 0x9E3779B97F4A7C15u + 1;
  for (size_t i = 0; i < entry_size(number); i++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    bytes[i] = (char)(state >> 56);
  }
}

static inline void write_number(struct disk_store *store, uint64_t number) {
  static char bytes[16384];
  struct cache_key key = key_of_number(number);
  fill_entry(number, bytes);
  disk_store_write(store, &key, bytes, entry_size(number));
}

enum found { FOUND_NOTHING, FOUND_RIGHT, FOUND_WRONG };

static inline enum found read_number(struct disk_store *store, uint64_t number) {
  static char bytes[16384];
  struct cache_key key = key_of_number(number);
  struct text found = {0};
  enum found result = FOUND_NOTHING;
  fill_entry(number, bytes);
  if (disk_store_read(store, &key, &found)) {
    size_t size = entry_size(number);
    result = found.length == size && (!size || memcmp(found.data, bytes, size) == 0) ? FOUND_RIGHT
                                                                                     : FOUND_WRONG;
  }
  text_free(&found);
  return result;
}

/* The file of entry `number`, for the caller to free. */
static inline char *path_of_number(const struct disk_store *store, uint64_t number) {
  struct cache_key key = key_of_number(number);
  struct text path = {0};
  text_printf(&path, "%s/", store->folder);
  for (size_t i = 0; i < sizeof key.bytes; i++)
    text_printf(&path, "%02x%s", key.bytes[i], i ? "" : "/");
  return text_take(&path);
}

#endif
