/* SPDX-License-Identifier: MIT */
/* tile-tune work: does some of the jobs of a plan, each in a process of its own, since a job may
   lose its device, and a crash is the job's alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/arena.h"
#include "base/files.h"
#include "base/status.h"
#include "tile/tools.h"
#include "tile_tune.h"

enum { MAX_WORDS = 1024 };

struct job {
  size_t line; /* from 1 */
  const char *file;
  int argc;
  char **argv; /* ended by NULL; words are the arena's */
};

struct jobs {
  struct arena arena;
  struct job *list; /* owned */
  size_t count, capacity;
};

/* --- Reading a plan --------------------------------------------------------------------------- */

static tile_status add_job(struct jobs *jobs, const char *file, size_t line, const char *text) {
  char **words = ARENA_ARRAY(&jobs->arena, char *, MAX_WORDS + 2);
  int count = 0;
  for (const char *word; (word = command_line_next_word(&text, &jobs->arena)); count++) {
    if (count == MAX_WORDS)
      return FAIL(TILE_INVALID_ARGUMENT, "'%s', line %zu has more than %d words", file, line,
                  (int)MAX_WORDS);
    words[count] = (char *)word;
  }
  if (!count || *words[0] == '#')
    return NULL;
  if (strcmp(words[0], "tile-run") != 0)
    return FAIL(TILE_INVALID_ARGUMENT,
                "'%s', line %zu is no job: it begins with '%s', not with tile-run", file, line,
                words[0]);
  jobs->list = tile_grow(jobs->list, jobs->count, &jobs->capacity, sizeof *jobs->list);
  jobs->list[jobs->count++] =
      (struct job){.line = line, .file = file, .argc = count, .argv = words};
  return NULL;
}

static tile_status read_plan(struct jobs *jobs, const char *file) {
  struct text text = {0};
  tile_status status = file_read(file, &text);
  const char *at = text_string(&text);
  for (size_t line = 1; !status && *at; line++) {
    status = add_job(jobs, file, line, at);
    at += strcspn(at, "\n");
    at += *at == '\n';
  }
  text_free(&text);
  return status;
}

/* --- Doing it --------------------------------------------------------------------------------- */

static tile_status check_end(const struct job *job, int end) {
  if (WIFEXITED(end) && WEXITSTATUS(end) == 0)
    return NULL;
  if (WIFSIGNALED(end))
    return FAIL(TILE_EXTERNAL_TOOL, "'%s', line %zu: the job was ended by signal %d", job->file,
                job->line, WTERMSIG(end));
  return FAIL(TILE_EXTERNAL_TOOL, "'%s', line %zu: the job failed", job->file, job->line);
}

/* The parent has no threads and no device: its copy may go on as it likes. */
static tile_status run_job(const struct job *job, int argc) {
  int end;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0)
    exit(tile_run_main(argc, job->argv));
  if (child < 0 || waitpid(child, &end, 0) != child)
    return FAIL(TILE_IO_ERROR, "cannot start a process for a job");
  return check_end(job, end);
}

static tile_status run_jobs(const struct tune_arguments *arguments, const struct jobs *jobs) {
  size_t failed = 0, mine = 0;
  for (size_t i = arguments->shard.index; i < jobs->count; i += arguments->shard.count) {
    const struct job *job = &jobs->list[i];
    if (!arguments->quiet)
      fprintf(stderr, "job %zu of %zu (%s, line %zu)\n", i + 1, jobs->count, job->file, job->line);
    else
      job->argv[job->argc] = "--quiet"; /* there is room for it */
    mine++;
    failed += report_status("tile-tune", run_job(job, job->argc + arguments->quiet)) != 0;
  }
  if (failed)
    return FAIL(TILE_EXTERNAL_TOOL,
                "%zu of %zu jobs failed; what the others measured is kept, and is not measured "
                "again when this "
                "command is given again",
                failed, mine);
  return NULL;
}

tile_status database_work(const struct tune_arguments *arguments) {
  struct jobs jobs = {0};
  tile_status status = NULL;
  for (size_t i = 0; i < arguments->file_count && !status; i++)
    status = read_plan(&jobs, arguments->files[i]);
  if (!status && arguments->database && setenv("TILE_TUNE_DATABASE", arguments->database, 1) != 0)
    status = FAIL(TILE_OUT_OF_MEMORY, "no memory for the environment");
  if (!status)
    status = run_jobs(arguments, &jobs);
  free(jobs.list);
  arena_destroy(&jobs.arena);
  return status;
}
