/* SPDX-License-Identifier: MIT */
/* Whole files in and out. */
#ifndef TILE_BASE_FILES_H
#define TILE_BASE_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include "base/text.h"
#include "tile/status.h"

/* Reads all of `path` ("-" is standard input) into `out`, which must be empty. Directories,
   missing and unreadable files are TILE_NOT_FOUND or TILE_IO_ERROR with the system's reason. */
tile_status file_read(const char *path, struct text *out);

/* Writes `length` bytes to `path` ("-" is standard output). The file appears complete or not at
   all, also when the process is killed meanwhile. Devices and pipes are written directly. */
tile_status file_write(const char *path, const void *bytes, size_t length);

struct file_content {
  const char *path; /* of an ordinary file */
  const void *bytes;
  size_t length;
};
/* Writes two files that belong together: both appear complete, or, after an error, neither is new.
 */
tile_status file_write_both(const struct file_content files[2]);

/* file_read and file_write from and to an open file, from where it stands; `name` is for messages.
 */
tile_status file_read_descriptor(int descriptor, const char *name, struct text *out);
tile_status file_write_descriptor(int descriptor, const char *name, const void *bytes,
                                  size_t length);

bool file_is_executable(const char *path);

#endif
