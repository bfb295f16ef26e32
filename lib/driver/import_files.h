/* SPDX-License-Identifier: MIT */
/* The files that a kernel's file imports from, read from disk: what struct package_options asks
   for. A text lives until import_files_free. One thread at a time. */
#ifndef TILE_DRIVER_IMPORT_FILES_H
#define TILE_DRIVER_IMPORT_FILES_H

#include "base/arena.h"
#include "frontend/packages.h"

struct import_file {
  struct text text;
  struct import_file *next;
};

/* Zero-initialise. */
struct import_files {
  struct arena arena;
  struct import_file *first;
};

/* The options for a kernel's file `name`, searching `folders` besides its own package. */
struct package_options import_files_options(struct import_files *files, const char *name,
                                            const char *const *folders, size_t count);
void import_files_free(struct import_files *files);

#endif
