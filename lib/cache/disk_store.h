/* SPDX-License-Identifier: MIT */
/* Entries on disk: one file each, named by its key, in FOLDER/v1/ab/cdef...

   An entry is written under a name of its own, "tmp.*" in the same folder, and renamed: whoever
   reads sees all of an old or of a new one, whatever the writer dies of. Nothing is locked, since
   locks do not work on every file system of a network. Several writers of one key write the same.
   An entry carries its key and a checksum, so that what a disk or a crash of the system has done to
   it is found: it is as good as absent, is removed, and is written again. That is why nothing is
   flushed (fsync).

   The time of an entry is that of its last use, to a minute. Now and then whoever writes looks
   through the folder and removes what was not used for longest, and files "tmp.*" that their
   writers have left behind an hour ago.

   No function fails: what the disk refuses is counted, and described in `problem`. Any thread may
   call them. */
#ifndef TILE_CACHE_DISK_STORE_H
#define TILE_CACHE_DISK_STORE_H

#include <pthread.h>
#include "base/text.h"
#include "cache/key.h"

struct disk_counts {
  uint64_t bytes_read, bytes_written, evictions, corrupt, errors;
};

struct disk_store {
  char *folder;         /* FOLDER/v1, owned; NULL: no disk */
  uint64_t limit;       /* of all entries together, in bytes */
  pthread_mutex_t lock; /* for what follows */
  struct disk_counts counts;
  uint64_t unseen;   /* bytes written since this store last looked through the folder */
  char problem[320]; /* the last error, or "" */
};

/* What is there. */
struct disk_usage {
  uint64_t entries, bytes;
};

/* `folder` is borrowed; NULL: nothing is found and nothing kept. */
void disk_store_create(struct disk_store *store, const char *folder, uint64_t limit);
void disk_store_destroy(struct disk_store *store);

/* The bytes stored under `key`, appended; false when there are none. */
bool disk_store_read(struct disk_store *store, const struct cache_key *key, struct text *out);
void disk_store_write(struct disk_store *store, const struct cache_key *key, const void *bytes,
                      size_t size);
struct disk_usage disk_store_measure(struct disk_store *store);
/* Removes all entries, and files left behind; of other files none. */
void disk_store_clear(struct disk_store *store);
/* Removes entries down to nine tenths of the limit if there is more than that, and old files left
   behind. */
void disk_store_trim(struct disk_store *store);

/* Counts an error, for the files of this part: "cannot DOING 'PATH': strerror(errno)". */
void disk_store_problem(struct disk_store *store, const char *doing, const char *path);

#endif
