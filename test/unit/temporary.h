/* SPDX-License-Identifier: MIT */
/* Files and folders of a test's own, in $TMPDIR. */
#ifndef TILE_TEST_TEMPORARY_H
#define TILE_TEST_TEMPORARY_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "base/text.h"

static inline struct text temporary_pattern(const char *name) {
  const char *place = getenv("TMPDIR");
  struct text path = {0};
  text_printf(&path, "%s/tile-%s.XXXXXX", place && *place ? place : "/tmp", name);
  return path;
}

static inline char *temporary_made(struct text *path, int made) {
  if (made < 0) {
    perror(path->data);
    exit(1);
  }
  return text_take(path);
}

/* A new folder, for the caller to remove; the name is for the caller to free. */
static inline char *temporary_folder(const char *name) {
  struct text path = temporary_pattern(name);
  return temporary_made(&path, mkdtemp(path.data) ? 0 : -1);
}

/* Removes a folder with all that is in it, and frees its name. Is it gone? */
static inline bool temporary_folder_remove(char *folder) {
  struct text command = {0};
  text_printf(&command, "rm -rf '%s'", folder);
  bool gone = system(text_string(&command)) == 0;
  text_free(&command);
  free(folder);
  return gone;
}

/* A new file that is empty, likewise. */
static inline char *temporary_file(const char *name) {
  struct text path = temporary_pattern(name);
  int descriptor = mkstemp(path.data);
  if (descriptor >= 0)
    close(descriptor);
  return temporary_made(&path, descriptor);
}

#endif
