/* SPDX-License-Identifier: MIT */
/* The CUDA Toolkit's ptxas as a child process, on files in memory, with a time limit. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "base/files.h"
#include "base/status.h"
#include "target/assemble.h"

extern char **environ;

static bool try_directory(const char *directory, size_t length, const char *suffix,
                          struct text *path) {
  path->length = 0;
  text_append(path, directory, length);
  text_printf(path, "%s/ptxas", suffix);
  return file_is_executable(text_string(path));
}

bool ptxas_find(struct text *path) {
  const char *named = getenv("TILE_PTXAS");
  if (named) {
    text_puts(path, named);
    return file_is_executable(named);
  }
  const char *search = getenv("PATH");
  while (search && *search) {
    size_t length = strcspn(search, ":");
    if (length && try_directory(search, length, "", path))
      return true;
    search += length + (search[length] == ':');
  }
  const char *home = getenv("CUDA_HOME");
  if (home && try_directory(home, strlen(home), "/bin", path))
    return true;
  return try_directory("/usr/local/cuda", strlen("/usr/local/cuda"), "/bin", path);
}

/* What goes to ptxas and comes from it: files in memory, which go with the process. ptxas finds
   them under its own descriptors 3 and 4; its messages are what it writes to its outputs. */
struct scratch {
  int ptx, cubin, log;
};
enum { CHILD_PTX = 3, CHILD_CUBIN = 4, FIRST_OWN = 10 };
static const char child_ptx[] = "/proc/self/fd/3", child_cubin[] = "/proc/self/fd/4";

/* After those numbers that the child gives them, so that no copy overwrites another; -1 with errno.
 */
static int memory_file(const char *name) {
  int low = memfd_create(name, MFD_CLOEXEC);
  if (low < 0)
    return -1;
  int descriptor = fcntl(low, F_DUPFD_CLOEXEC, FIRST_OWN);
  close(low);
  return descriptor;
}

static tile_status scratch_create(struct scratch *scratch) {
  *scratch =
      (struct scratch){memory_file("kernel.ptx"), memory_file("kernel.cubin"), memory_file("log")};
  if (scratch->ptx < 0 || scratch->cubin < 0 || scratch->log < 0)
    return FAIL(TILE_IO_ERROR, "cannot create files in memory for ptxas: %s", strerror(errno));
  return NULL;
}

static void scratch_destroy(struct scratch *scratch) {
  const int all[] = {scratch->ptx, scratch->cubin, scratch->log};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i] >= 0)
      close(all[i]);
}

/* --- The time limit --------------------------------------------------------------------------- */

enum { USUAL_LIMIT = 600, LONGEST_LIMIT = 1000000 };

/* Seconds, 0 for none: $TILE_PTXAS_TIMEOUT, or ten minutes. */
static tile_status read_limit(long *out) {
  const char *text = getenv("TILE_PTXAS_TIMEOUT");
  char *end;
  *out = USUAL_LIMIT;
  if (!text || !*text)
    return NULL;
  *out = strtol(text, &end, 10);
  if (end == text || *end || *out < 0 || *out > LONGEST_LIMIT)
    return FAIL(
        TILE_INVALID_ARGUMENT,
        "TILE_PTXAS_TIMEOUT is a number of seconds from 1 to %d, or 0 for no limit, not '%s'",
        LONGEST_LIMIT, text);
  return NULL;
}

static long long now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

/* Waits until the child ends, at most `left` milliseconds. Linux before 5.3 has no descriptors for
   processes: there it is looked for every few milliseconds. */
static void wait_a_while(int process, long long left) {
  enum { GLANCE = 4, LONGEST_WAIT = 60000 };
  struct pollfd poll_for = {.fd = process, .events = POLLIN};
  long long most = process < 0 ? GLANCE : LONGEST_WAIT;
  (void)poll(&poll_for, 1, (int)(left < most ? left : most));
}

enum { RAN_OUT_OF_TIME = -2 };

/* The child's wait status; -1 with errno, or RAN_OUT_OF_TIME after the limit, when the child was
   killed. */
static int wait_for(pid_t child, long limit) {
  long long end = now_ms() + limit * 1000LL, left = 1;
  int process = (int)syscall(SYS_pidfd_open, child, 0), state = 0;
  pid_t ended = 0;
  while (ended == 0 && left > 0) {
    ended = waitpid(child, &state, WNOHANG);
    if (ended < 0 && errno == EINTR)
      ended = 0;
    left = limit ? end - now_ms() : LONGEST_LIMIT;
    if (ended == 0 && left > 0)
      wait_a_while(process, left);
  }
  if (ended == 0) {
    kill(child, SIGKILL);
    while (waitpid(child, &state, 0) < 0 && errno == EINTR)
      ;
    state = RAN_OUT_OF_TIME;
  }
  if (process >= 0)
    close(process);
  return ended < 0 ? -1 : state;
}

/* --- Running it ------------------------------------------------------------------------------- */

/* Runs `arguments` on the files; the exit code, -1 with errno, or RAN_OUT_OF_TIME. */
static int run_child(char *const *arguments, const struct scratch *scratch, long limit) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, scratch->log, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, scratch->log, STDERR_FILENO);
  posix_spawn_file_actions_adddup2(&actions, scratch->ptx, CHILD_PTX);
  posix_spawn_file_actions_adddup2(&actions, scratch->cubin, CHILD_CUBIN);
  pid_t child;
  int error = posix_spawn(&child, arguments[0], &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error) {
    errno = error;
    return -1;
  }
  int state = wait_for(child, limit);
  if (state < 0)
    return state;
  return WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
}

static tile_status read_back(int descriptor, struct text *out) {
  if (lseek(descriptor, 0, SEEK_SET) < 0)
    return FAIL(TILE_IO_ERROR, "cannot read what ptxas wrote: %s", strerror(errno));
  return file_read_descriptor(descriptor, "what ptxas wrote", out);
}

static tile_status run_ptxas(const char *program, const struct scratch *scratch,
                             const struct target_options *options, struct text *log) {
  long limit;
  TRY(read_limit(&limit));
  struct text architecture = {0};
  text_printf(&architecture, "--gpu-name=%s", options->target->name);
  char *arguments[10] = {(char *)program, (char *)"-v", architecture.data};
  int count = 3;
  if (options->line_tables)
    arguments[count++] = (char *)"-lineinfo";
  arguments[count++] = (char *)child_ptx;
  arguments[count++] = (char *)"-o";
  arguments[count++] = (char *)child_cubin;
  int code = run_child(arguments, scratch, limit);
  tile_status status = NULL;
  struct text messages = {0};
  if (code == RAN_OUT_OF_TIME)
    status = FAIL(TILE_EXTERNAL_TOOL,
                  "ptxas did not end within %ld s for %s, and was stopped; use smaller tiles, or "
                  "set a longer limit in "
                  "TILE_PTXAS_TIMEOUT (seconds; 0: none)",
                  limit, options->target->name);
  else if (code < 0)
    status = FAIL(TILE_EXTERNAL_TOOL, "cannot run '%s': %s", program, strerror(errno));
  else
    status = read_back(scratch->log, &messages);
  struct slice report = slice_trim((struct slice){text_string(&messages), messages.length});
  if (!status && code != 0)
    status =
        FAIL(TILE_EXTERNAL_TOOL, "ptxas failed for %s (exit code %d)%s%.*s", options->target->name,
             code, report.length ? ":\n" : " and says nothing", (int)report.length, report.data);
  if (!status && log)
    text_puts(log, text_string(&messages));
  text_free(&messages);
  text_free(&architecture);
  return status;
}

static tile_status assemble_in(const char *program, struct scratch *scratch, const char *ptx,
                               size_t length, const struct target_options *options,
                               struct text *cubin, struct text *log) {
  TRY(scratch_create(scratch));
  TRY(file_write_descriptor(scratch->ptx, "the PTX for ptxas", ptx, length));
  TRY(run_ptxas(program, scratch, options, log));
  TRY(read_back(scratch->cubin, cubin));
  if (cubin->length)
    return NULL;
  return FAIL(TILE_EXTERNAL_TOOL, "'%s' succeeded but wrote no cubin: is it ptxas?", program);
}

tile_status ptxas_assemble(const char *program, const char *ptx, size_t length,
                           const struct target_options *options, struct text *cubin,
                           struct text *log) {
  struct scratch scratch;
  tile_status status = assemble_in(program, &scratch, ptx, length, options, cubin, log);
  scratch_destroy(&scratch);
  return status;
}

/* "Cuda compilation tools, release 13.0, V13.0.88" */
static int read_release(const char *text) {
  const char *at = strstr(text, "release ");
  int major, minor;
  return at && sscanf(at, "release %d.%d", &major, &minor) == 2 ? 1000 * major + 10 * minor : 0;
}

int ptxas_release(const char *program) {
  enum { LIMIT = 60 };
  char *arguments[] = {(char *)program, (char *)"--version", NULL};
  struct scratch scratch;
  struct text said = {0};
  tile_status status = scratch_create(&scratch);
  int release = 0;
  if (!status && run_child(arguments, &scratch, LIMIT) == 0)
    status = read_back(scratch.log, &said);
  if (!status)
    release = read_release(text_string(&said));
  tile_status_free(status);
  text_free(&said);
  scratch_destroy(&scratch);
  return release;
}
