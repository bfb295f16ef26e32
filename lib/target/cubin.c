/* PTX to cubin through the CUDA Toolkit's ptxas, run as a child process on temporary files. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/* Runs `arguments` with both outputs going to `log_path`; the exit code, or -1 with errno. */
static int run_logged(char *const *arguments, const char *log_path) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log_path, O_WRONLY | O_CREAT | O_TRUNC,
                                   0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
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

struct scratch {
  struct text directory, ptx, cubin, log;
};

static tile_status scratch_create(struct scratch *scratch) {
  const char *base = getenv("TMPDIR");
  text_printf(&scratch->directory, "%s/tile-ptxas-XXXXXX", base && *base ? base : "/tmp");
  if (!mkdtemp(scratch->directory.data))
    return FAIL(TILE_IO_ERROR, "cannot create a temporary folder '%s': %s",
                text_string(&scratch->directory), strerror(errno));
  text_printf(&scratch->ptx, "%s/kernel.ptx", scratch->directory.data);
  text_printf(&scratch->cubin, "%s/kernel.cubin", scratch->directory.data);
  text_printf(&scratch->log, "%s/log", scratch->directory.data);
  return NULL;
}

static void scratch_destroy(struct scratch *scratch) {
  if (scratch->ptx.length) {
    unlink(scratch->ptx.data);
    unlink(scratch->cubin.data);
    unlink(scratch->log.data);
    rmdir(scratch->directory.data);
  }
  text_free(&scratch->ptx);
  text_free(&scratch->cubin);
  text_free(&scratch->log);
  text_free(&scratch->directory);
}

static tile_status run_ptxas(const char *program, const struct scratch *scratch,
                             const struct target_options *options, struct text *log) {
  struct text architecture = {0};
  text_printf(&architecture, "--gpu-name=%s", options->target->name);
  char *arguments[10] = {(char *)program, (char *)"-v", architecture.data};
  int count = 3;
  if (options->line_tables)
    arguments[count++] = (char *)"-lineinfo";
  arguments[count++] = scratch->ptx.data;
  arguments[count++] = (char *)"-o";
  arguments[count++] = scratch->cubin.data;
  int code = run_logged(arguments, scratch->log.data);
  tile_status status = NULL;
  struct text messages = {0};
  if (code < 0)
    status = FAIL(TILE_EXTERNAL_TOOL, "cannot run '%s': %s", program, strerror(errno));
  else
    status = file_read(scratch->log.data, &messages);
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
  TRY(file_write(scratch->ptx.data, ptx, length));
  TRY(run_ptxas(program, scratch, options, log));
  tile_status status = file_read(scratch->cubin.data, cubin);
  if (tile_status_code(status) != TILE_NOT_FOUND)
    return status;
  tile_status_free(status);
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
  struct scratch scratch = {0};
  tile_status status = assemble_in(program.data, &scratch, ptx, length, options, cubin, log);
  scratch_destroy(&scratch);
  text_free(&program);
  return status;
}
