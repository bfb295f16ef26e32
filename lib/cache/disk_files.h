/* SPDX-License-Identifier: MIT */
/* What the cache asks of the file system. Each of these is one system call or a loop around one,
   returns -1 (or NULL) with errno when it fails, and first asks `disk_fault`, by which tests make
   any of them fail, or end the process there. */
#ifndef TILE_CACHE_DISK_FILES_H
#define TILE_CACHE_DISK_FILES_H

#include <dirent.h>
#include <stddef.h>
#include <sys/stat.h>
#include "base/text.h"

enum disk_step {
  DISK_OPEN,
  DISK_READ,
  DISK_CREATE,
  DISK_WRITE,
  DISK_CLOSE,
  DISK_RENAME,
  DISK_REMOVE,
  DISK_TOUCH,
  DISK_LIST,
  DISK_MAKE_FOLDER,
  DISK_STEPS
};

/* An errno to fail with, or 0 to go on. NULL outside tests; set while no thread uses a cache. */
extern int (*disk_fault)(enum disk_step step);

int disk_open(const char *path);
/* Appends all of an open file of at most `most` bytes; EFBIG for a longer one. */
int disk_read(int descriptor, size_t most, struct text *out);
/* A new file that only its owner reads; EEXIST when there is one. */
int disk_create(const char *path);
int disk_write(int descriptor, const void *bytes, size_t size);
int disk_close(int descriptor);
int disk_rename(const char *from, const char *to);
int disk_remove(const char *path);
/* Sets the time of the last use to now. */
int disk_touch(int descriptor);
DIR *disk_list(const char *folder);
/* The folder and those above it; no error when it is there. */
int disk_make_folders(const char *path);

#endif
