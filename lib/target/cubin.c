/* PTX to cubin through the CUDA Toolkit's ptxas, run as a child process on files in memory. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/files.h"
#include "base/status.h"
#include "target/target.h"

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

void assembler_identify(struct text *out) {
  struct text path = {0};
  struct stat info;
  if (ptxas_find(&path) && stat(path.data, &info) == 0)
    text_printf(out, "%s %lld %lld.%09ld", path.data, (long long)info.st_size, (long long)info.st_mtim.tv_sec,
                info.st_mtim.tv_nsec);
  text_free(&path);
}

/* What goes to ptxas and comes from it: files in memory, which go with the process. ptxas finds them under its own
   descriptors 3 and 4; its messages are what it writes to its outputs. */
struct scratch {
  int ptx, cubin, log;
};
enum { CHILD_PTX = 3, CHILD_CUBIN = 4, FIRST_OWN = 10 };
static const char child_ptx[] = "/proc/self/fd/3", child_cubin[] = "/proc/self/fd/4";

/* Behind those numbers that the child gives them, so that no copy overwrites another; -1 with errno. */
static int memory_file(const char *name) {
  int low = memfd_create(name, MFD_CLOEXEC);
  if (low < 0)
    return -1;
  int descriptor = fcntl(low, F_DUPFD_CLOEXEC, FIRST_OWN);
  close(low);
  return descriptor;
}

static tile_status scratch_create(struct scratch *scratch) {
  *scratch = (struct scratch){memory_file("kernel.ptx"), memory_file("kernel.cubin"), memory_file("log")};
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

/* Runs `arguments` on the files; the exit code, or -1 with errno. */
static int run_child(char *const *arguments, const struct scratch *scratch) {
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
  int state;
  while (waitpid(child, &state, 0) < 0)
    if (errno != EINTR)
      return -1;
  return WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
}

static tile_status read_back(int descriptor, struct text *out) {
  if (lseek(descriptor, 0, SEEK_SET) < 0)
    return FAIL(TILE_IO_ERROR, "cannot read what ptxas wrote: %s", strerror(errno));
  return file_read_descriptor(descriptor, "what ptxas wrote", out);
}

static tile_status run_ptxas(const char *program, const struct scratch *scratch,
                             const struct target_options *options, struct text *log) {
  struct text architecture = {0};
  text_printf(&architecture, "--gpu-name=%s", options->target->name);
  char *arguments[10] = {(char *)program, (char *)"-v", architecture.data};
  int count = 3;
  if (options->line_tables)
    arguments[count++] = (char *)"-lineinfo";
  arguments[count++] = (char *)child_ptx;
  arguments[count++] = (char *)"-o";
  arguments[count++] = (char *)child_cubin;
  int code = run_child(arguments, scratch);
  tile_status status = NULL;
  struct text messages = {0};
  if (code < 0)
    status = FAIL(TILE_EXTERNAL_TOOL, "cannot run '%s': %s", program, strerror(errno));
  else
    status = read_back(scratch->log, &messages);
  struct slice report = slice_trim((struct slice){text_string(&messages), messages.length});
  if (!status && code != 0)
    status = FAIL(TILE_EXTERNAL_TOOL, "ptxas failed for %s (exit code %d)%s%.*s",
                  options->target->name, code, report.length ? ":\n" : " and says nothing",
                  (int)report.length, report.data);
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

tile_status assemble_cubin(const char *ptx, size_t length, const struct target_options *options,
                           struct text *cubin, struct text *log) {
  struct text program = {0};
  if (!ptxas_find(&program)) {
    const char *named = getenv("TILE_PTXAS");
    text_free(&program);
    if (named)
      return FAIL(TILE_NOT_FOUND,
                  "TILE_PTXAS names '%s', which is no program; correct it, or unset it to search "
                  "PATH",
                  named);
    return FAIL(TILE_NOT_FOUND,
                "ptxas was not found: install the CUDA Toolkit, put ptxas on PATH, or name it in "
                "TILE_PTXAS; --tile-to-ptx needs none");
  }
  struct scratch scratch;
  tile_status status = assemble_in(program.data, &scratch, ptx, length, options, cubin, log);
  scratch_destroy(&scratch);
  text_free(&program);
  return status;
}
