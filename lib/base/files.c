/* SPDX-License-Identifier: MIT */
/* Whole-file reading, and writing that leaves either the complete new file or the old state: the
   bytes go into a file without a name, which the system removes if the process ends, and which gets
   its name when it is complete. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* O_TMPFILE */
#endif
#include "base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/status.h"

tile_status file_read_descriptor(int descriptor, const char *path, struct text *out) {
  text_append(out, "", 0);
  char buffer[64 << 10];
  for (;;) {
    ssize_t count = read(descriptor, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return FAIL(TILE_IO_ERROR, "cannot read '%s': %s", path, strerror(errno));
    if (count == 0)
      return NULL;
    text_append(out, buffer, (size_t)count);
  }
}

tile_status file_read(const char *path, struct text *out) {
  text_append(out, "", 0);
  if (strcmp(path, "-") == 0)
    return file_read_descriptor(STDIN_FILENO, "standard input", out);
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return FAIL(errno == ENOENT ? TILE_NOT_FOUND : TILE_IO_ERROR, "cannot open '%s': %s", path,
                strerror(errno));
  tile_status status = file_read_descriptor(descriptor, path, out);
  close(descriptor);
  return status;
}

tile_status file_write_descriptor(int descriptor, const char *path, const void *data,
                                  size_t length) {
  const char *bytes = data;
  while (length) {
    ssize_t count = write(descriptor, bytes, length);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return FAIL(TILE_IO_ERROR, "cannot write '%s': %s", path, strerror(errno));
    bytes += count;
    length -= (size_t)count;
  }
  return NULL;
}

/* A pipe, a terminal or /dev/null has no complete state to protect. */
static bool is_special(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && !S_ISREG(info.st_mode);
}

static tile_status write_direct(const char *path, const void *bytes, size_t length) {
  int descriptor = open(path, O_WRONLY | O_CLOEXEC);
  if (descriptor < 0)
    return FAIL(TILE_IO_ERROR, "cannot open '%s' for writing: %s", path, strerror(errno));
  tile_status status = file_write_descriptor(descriptor, path, bytes, length);
  close(descriptor);
  return status;
}

/* "PATH.a1b2c3", of a file that is not there yet. */
static void temporary_name(const char *path, struct text *out) {
  static const char letters[] = "0123456789abcdefghijklmnopqrstuv";
  unsigned char random[6] = {0};
  if (getrandom(random, sizeof random, 0) < 0)
    random[0] = (unsigned char)getpid(); /* a taken name is tried again */
  out->length = 0;
  text_printf(out, "%s.", path);
  for (size_t i = 0; i < sizeof random; i++)
    text_append(out, &letters[random[i] % 32], 1);
}

/* A file in `path`'s folder that has no name and goes with the process; -1 where the file system
   has no such files. The kernel applies the umask. */
static int open_nameless(const char *path) {
  struct text folder = {0};
  const char *slash = strrchr(path, '/');
  text_append(&folder, slash ? path : ".", slash ? (size_t)(slash - path) + 1 : 1);
  int descriptor = open(text_string(&folder), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  text_free(&folder);
  return descriptor;
}

/* Gives a nameless file a name that is not taken. */
static bool give_name(int descriptor, const char *name) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  return linkat(AT_FDCWD, link, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
}

enum { MAX_NAMES = 64 }; /* that are tried until one is free */

static tile_status replace(const char *path, const char *temporary) {
  if (rename(temporary, path) == 0)
    return NULL;
  tile_status status = FAIL(TILE_IO_ERROR, "cannot replace '%s': %s", path, strerror(errno));
  unlink(temporary);
  return status;
}

static tile_status name_and_rename(int descriptor, const char *path) {
  struct text temporary = {0};
  bool named = false;
  for (int i = 0; i < MAX_NAMES && !named && (i == 0 || errno == EEXIST); i++) {
    temporary_name(path, &temporary);
    named = give_name(descriptor, text_string(&temporary));
  }
  tile_status status =
      named ? replace(path, text_string(&temporary))
            : FAIL(TILE_IO_ERROR, "cannot create a file beside '%s': %s", path, strerror(errno));
  text_free(&temporary);
  return status;
}

/* Writes a file with a name that is not taken; the name is in `temporary`, empty after an error. */
static tile_status write_temporary(const char *path, const void *bytes, size_t length,
                                   struct text *temporary) {
  int descriptor = -1;
  for (int i = 0; i < MAX_NAMES && descriptor < 0 && (i == 0 || errno == EEXIST); i++) {
    temporary_name(path, temporary);
    descriptor = open(text_string(temporary), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  }
  if (descriptor < 0) {
    temporary->length = 0;
    return FAIL(TILE_IO_ERROR, "cannot create a file beside '%s': %s", path, strerror(errno));
  }
  tile_status status = file_write_descriptor(descriptor, path, bytes, length);
  if (close(descriptor) != 0 && !status)
    status = FAIL(TILE_IO_ERROR, "cannot write '%s': %s", path, strerror(errno));
  if (status) {
    unlink(text_string(temporary));
    temporary->length = 0;
  }
  return status;
}

/* Where a file must have a name from the beginning, one that stays when the process is killed. */
static tile_status write_and_rename(const char *path, const void *bytes, size_t length) {
  struct text temporary = {0};
  tile_status status = write_temporary(path, bytes, length, &temporary);
  if (!status)
    status = replace(path, text_string(&temporary));
  text_free(&temporary);
  return status;
}

static tile_status write_nameless(int descriptor, const char *path, const void *bytes,
                                  size_t length) {
  tile_status status = file_write_descriptor(descriptor, path, bytes, length);
  if (!status && !give_name(descriptor, path))
    status =
        errno == EEXIST ? name_and_rename(descriptor, path) : write_and_rename(path, bytes, length);
  if (close(descriptor) != 0 && !status)
    status = FAIL(TILE_IO_ERROR, "cannot write '%s': %s", path, strerror(errno));
  return status;
}

tile_status file_write(const char *path, const void *bytes, size_t length) {
  if (strcmp(path, "-") == 0)
    return file_write_descriptor(STDOUT_FILENO, "standard output", bytes, length);
  if (is_special(path))
    return write_direct(path, bytes, length);
  int descriptor = open_nameless(path);
  return descriptor < 0 ? write_and_rename(path, bytes, length)
                        : write_nameless(descriptor, path, bytes, length);
}

static tile_status check_replaceable(const char *path) {
  return is_special(path)
             ? FAIL(TILE_IO_ERROR, "'%s' is there and no file; several files are written together",
                    path)
             : NULL;
}

tile_status file_write_both(const struct file_content files[2]) {
  struct text temporary[2] = {{0}};
  tile_status status = NULL;
  for (int i = 0; i < 2 && !status; i++)
    status = check_replaceable(files[i].path);
  for (int i = 0; i < 2 && !status; i++)
    status = write_temporary(files[i].path, files[i].bytes, files[i].length, &temporary[i]);
  for (int i = 0; i < 2 && !status; i++) {
    status = replace(files[i].path, text_string(&temporary[i]));
    temporary[i].length = 0; /* gone, either way */
    if (status && i)
      unlink(files[0].path);
  }
  for (int i = 0; i < 2; i++) {
    if (temporary[i].length)
      unlink(text_string(&temporary[i]));
    text_free(&temporary[i]);
  }
  return status;
}

bool file_is_executable(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}
