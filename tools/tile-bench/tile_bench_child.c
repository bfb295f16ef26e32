/* SPDX-License-Identifier: MIT */
/* See tile_bench_child.h. */
#define _GNU_SOURCE
#include "tile_bench_child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "base/status.h"

extern char **environ;

enum { LONGEST_LINE = 64 << 20, GRACE_SECONDS = 10 };

/* Standard streams of a child; -1 leaves one as it is. The descriptors are closed after exec: all
   are O_CLOEXEC. */
static tile_status start(const char *const *arguments, const char *folder, int in, int out,
                         int error, pid_t *process) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  const int from[] = {in, out, error};
  for (int i = 0; i < 3; i++)
    if (from[i] >= 0)
      posix_spawn_file_actions_adddup2(&actions, from[i], i);
  if (folder)
    posix_spawn_file_actions_addchdir_np(&actions, folder);
  int failed = posix_spawnp(process, arguments[0], &actions, NULL,
                            (char *const *)(uintptr_t)arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (!failed)
    return NULL;
  return FAIL(failed == ENOENT ? TILE_NOT_FOUND : TILE_EXTERNAL_TOOL, "cannot run '%s': %s",
              arguments[0], strerror(failed));
}

static tile_status wait_for(pid_t process, const char *name, const char *said) {
  int status;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR)
      return FAIL(TILE_EXTERNAL_TOOL, "cannot wait for %s: %s", name, strerror(errno));
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return NULL;
  const char *colon = *said ? ": " : "";
  if (WIFSIGNALED(status))
    return FAIL(TILE_EXTERNAL_TOOL, "%s was ended by signal %d%s%s", name, WTERMSIG(status), colon,
                said);
  return FAIL(TILE_EXTERNAL_TOOL, "%s ended with code %d%s%s", name, WEXITSTATUS(status), colon,
              said);
}

/* --- A filter --------------------------------------------------------------------------------- */

static tile_status read_all(int from, struct text *out) {
  char bytes[1 << 16];
  for (;;) {
    ssize_t got = read(from, bytes, sizeof bytes);
    if (got == 0)
      return NULL;
    if (got < 0 && errno != EINTR)
      return FAIL(TILE_IO_ERROR, "cannot read what a program writes: %s", strerror(errno));
    if (got > 0)
      text_append(out, bytes, (size_t)got);
  }
}

/* Input and messages go through files, so that nobody waits for anybody. */
static tile_status run_filter(const char *const *arguments, FILE *input, FILE *messages,
                              struct text *out) {
  int output[2];
  pid_t process;
  struct text said = {0};
  if (pipe2(output, O_CLOEXEC) < 0)
    return FAIL(TILE_IO_ERROR, "cannot make a pipe: %s", strerror(errno));
  tile_status status = start(arguments, NULL, fileno(input), output[1], fileno(messages), &process);
  close(output[1]);
  if (!status) {
    status = read_all(output[0], out);
    rewind(messages);
    tile_status read = read_all(fileno(messages), &said);
    while (said.length && strchr(" \n", said.data[said.length - 1]))
      said.data[--said.length] = 0;
    tile_status ended = wait_for(process, arguments[0], text_string(&said));
    tile_status_free(read);
    tile_status_free(status ? ended : NULL);
    status = status ? status : ended;
  }
  close(output[0]);
  text_free(&said);
  return status;
}

tile_status bench_child_filter(const char *const *arguments, const struct text *input,
                               struct text *out) {
  FILE *from = tmpfile(), *messages = tmpfile();
  tile_status status = NULL;
  if (!from || !messages ||
      (input->length && fwrite(input->data, 1, input->length, from) != input->length) ||
      fflush(from) != 0)
    status = FAIL(TILE_IO_ERROR, "cannot write a temporary file: %s", strerror(errno));
  if (!status) {
    rewind(from);
    status = run_filter(arguments, from, messages, out);
  }
  if (from)
    fclose(from);
  if (messages)
    fclose(messages);
  return status;
}

/* --- Questions and answers -------------------------------------------------------------------- */

tile_status bench_child_start(const char *const *arguments, const char *folder,
                              struct bench_child *out) {
  int sockets[2], output[2];
  *out = (struct bench_child){.to = -1, .from = -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) < 0)
    return FAIL(TILE_IO_ERROR, "cannot make a socket: %s", strerror(errno));
  if (pipe2(output, O_CLOEXEC) < 0) {
    close(sockets[0]);
    close(sockets[1]);
    return FAIL(TILE_IO_ERROR, "cannot make a pipe: %s", strerror(errno));
  }
  tile_status status = start(arguments, folder, sockets[1], output[1], -1, &out->process);
  close(sockets[1]);
  close(output[1]);
  out->to = sockets[0];
  out->from = output[0];
  if (status) {
    out->process = 0;
    bench_child_end(out);
  }
  return status;
}

tile_status bench_child_send(struct bench_child *child, const struct text *line) {
  for (size_t sent = 0; sent < line->length;) {
    ssize_t count = send(child->to, line->data + sent, line->length - sent, MSG_NOSIGNAL);
    if (count < 0 && errno != EINTR)
      return FAIL(TILE_EXTERNAL_TOOL, "the program takes no more questions: %s", strerror(errno));
    sent += count > 0 ? (size_t)count : 0;
  }
  return NULL;
}

static bool take_line(struct text *received, struct text *out) {
  char *end = received->length ? memchr(received->data, '\n', received->length) : NULL;
  if (!end)
    return false;
  size_t length = (size_t)(end - received->data);
  out->length = 0;
  text_append(out, received->data, length);
  memmove(received->data, end + 1, received->length - length - 1);
  received->length -= length + 1;
  return true;
}

tile_status bench_child_receive(struct bench_child *child, int seconds, struct text *out) {
  char bytes[1 << 16];
  while (!take_line(&child->received, out)) {
    struct pollfd wait = {.fd = child->from, .events = POLLIN};
    int ready = poll(&wait, 1, seconds * 1000);
    if (ready < 0 && errno == EINTR)
      continue;
    if (ready == 0)
      return FAIL(TILE_EXTERNAL_TOOL, "the program has not answered for %d seconds", seconds);
    ssize_t got = read(child->from, bytes, sizeof bytes);
    if (got == 0)
      return FAIL(TILE_EXTERNAL_TOOL, "the program has ended");
    if (got < 0 && errno != EINTR)
      return FAIL(TILE_EXTERNAL_TOOL, "cannot read the program's answer: %s", strerror(errno));
    if (got > 0)
      text_append(&child->received, bytes, (size_t)got);
    if (child->received.length > LONGEST_LINE)
      return FAIL(TILE_EXTERNAL_TOOL, "the program writes a line without end");
  }
  return NULL;
}

/* It has read the end of its input, and what it writes until it ends is of no interest. */
static void await_end(struct bench_child *child) {
  struct timespec now, limit;
  char bytes[1 << 12];
  clock_gettime(CLOCK_MONOTONIC, &limit);
  limit.tv_sec += GRACE_SECONDS;
  for (;;) {
    clock_gettime(CLOCK_MONOTONIC, &now);
    long long left = (limit.tv_sec - now.tv_sec) * 1000LL + (limit.tv_nsec - now.tv_nsec) / 1000000;
    struct pollfd wait = {.fd = child->from, .events = POLLIN};
    if (left <= 0 || (poll(&wait, 1, (int)left) < 0 && errno != EINTR))
      return;
    if (wait.revents && read(child->from, bytes, sizeof bytes) <= 0)
      return;
  }
}

void bench_child_end(struct bench_child *child) {
  if (child->to >= 0)
    close(child->to);
  if (child->process > 0) {
    await_end(child);
    kill(child->process, SIGKILL); /* nothing to one that has ended; what has closed its output is
                                      done, too */
    while (waitpid(child->process, NULL, 0) < 0 && errno == EINTR)
      ;
  }
  if (child->from >= 0)
    close(child->from);
  text_free(&child->received);
  *child = (struct bench_child){.to = -1, .from = -1};
}
