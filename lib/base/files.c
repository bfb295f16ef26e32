/* Whole-file reading, and writing that leaves either the complete new file or the old state. */
#include "base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/status.h"

static tile_status read_all(int descriptor, const char *path, struct text *out) {
  char buffer[65536];
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
    return read_all(STDIN_FILENO, "standard input", out);
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return FAIL(errno == ENOENT ? TILE_NOT_FOUND : TILE_IO_ERROR, "cannot open '%s': %s", path,
                strerror(errno));
  tile_status status = read_all(descriptor, path, out);
  close(descriptor);
  return status;
}

static tile_status write_all(int descriptor, const char *path, const char *bytes, size_t length) {
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
  tile_status status = write_all(descriptor, path, bytes, length);
  close(descriptor);
  return status;
}

static tile_status write_and_rename(const char *path, const void *bytes, size_t length) {
  struct text temporary = {0};
  text_printf(&temporary, "%s.XXXXXX", path);
  int descriptor = mkstemp(temporary.data);
  if (descriptor < 0) {
    tile_status status =
        FAIL(TILE_IO_ERROR, "cannot create a file beside '%s': %s", path, strerror(errno));
    text_free(&temporary);
    return status;
  }
  mode_t mask = umask(0);
  umask(mask);
  fchmod(descriptor, 0666 & ~mask);
  tile_status status = write_all(descriptor, path, bytes, length);
  if (close(descriptor) != 0 && !status)
    status = FAIL(TILE_IO_ERROR, "cannot write '%s': %s", path, strerror(errno));
  if (!status && rename(temporary.data, path) != 0)
    status = FAIL(TILE_IO_ERROR, "cannot replace '%s': %s", path, strerror(errno));
  if (status)
    unlink(temporary.data);
  text_free(&temporary);
  return status;
}

tile_status file_write(const char *path, const void *bytes, size_t length) {
  if (strcmp(path, "-") == 0)
    return write_all(STDOUT_FILENO, "standard output", bytes, length);
  if (is_special(path))
    return write_direct(path, bytes, length);
  return write_and_rename(path, bytes, length);
}

bool file_is_executable(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}
