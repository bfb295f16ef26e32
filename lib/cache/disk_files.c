/* SPDX-License-Identifier: MIT */
/* See disk_files.h. */
#include "cache/disk_files.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int (*disk_fault)(enum disk_step step);

static bool fails(enum disk_step step) {
  int error = disk_fault ? disk_fault(step) : 0;
  if (error)
    errno = error;
  return error != 0;
}

int disk_open(const char *path) {
  /* Not to wait for a pipe that somebody put there. */
  return fails(DISK_OPEN) ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

int disk_read(int descriptor, size_t most, struct text *out) {
  char buffer[64 << 10];
  for (;;) {
    ssize_t count = fails(DISK_READ) ? -1 : read(descriptor, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return (int)count;
    if (out->length + (size_t)count > most) {
      errno = EFBIG;
      return -1;
    }
    text_append(out, buffer, (size_t)count);
  }
}

int disk_create(const char *path) {
  return fails(DISK_CREATE) ? -1 : open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
}

/* After a limit on the sizes of files (ulimit -f) a write would end the process by SIGXFSZ.
   Blocked, the signal waits, and is taken away: the write is an error like others. */
static ssize_t write_some(int descriptor, const char *bytes, size_t size) {
  sigset_t limit, before;
  sigemptyset(&limit);
  sigaddset(&limit, SIGXFSZ);
  pthread_sigmask(SIG_BLOCK, &limit, &before);
  ssize_t count = write(descriptor, bytes, size);
  int error = errno;
  if (count < 0 && error == EFBIG && !sigismember(&before, SIGXFSZ))
    (void)sigtimedwait(&limit, NULL, &(struct timespec){0});
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = error;
  return count;
}

int disk_write(int descriptor, const void *bytes, size_t size) {
  const char *at = bytes;
  while (size) {
    ssize_t count = fails(DISK_WRITE) ? -1 : write_some(descriptor, at, size);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return -1;
    at += count;
    size -= (size_t)count;
  }
  return 0;
}

/* The descriptor is gone in any case. */
int disk_close(int descriptor) {
  bool failed = fails(DISK_CLOSE);
  int error = errno;
  int result = close(descriptor);
  if (failed)
    errno = error;
  return failed ? -1 : result;
}

int disk_rename(const char *from, const char *to) {
  return fails(DISK_RENAME) ? -1 : rename(from, to);
}

int disk_remove(const char *path) {
  return fails(DISK_REMOVE) ? -1 : unlink(path);
}

int disk_touch(int descriptor) {
  return fails(DISK_TOUCH) ? -1 : futimens(descriptor, NULL);
}

DIR *disk_list(const char *folder) {
  return fails(DISK_LIST) ? NULL : opendir(folder);
}

static int make_folder(const char *path) {
  if (fails(DISK_MAKE_FOLDER))
    return -1;
  return mkdir(path, 0700) == 0 || errno == EEXIST ? 0 : -1;
}

int disk_make_folders(const char *path) {
  if (make_folder(path) == 0)
    return 0;
  if (errno != ENOENT)
    return -1;
  struct text above = {0};
  text_puts(&above, path);
  int result = 0;
  for (size_t i = 1; i < above.length && result == 0; i++) {
    if (above.data[i] != '/')
      continue;
    above.data[i] = 0;
    result = make_folder(above.data);
    above.data[i] = '/';
  }
  text_free(&above);
  return result == 0 ? make_folder(path) : -1;
}
