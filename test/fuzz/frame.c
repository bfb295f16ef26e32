/* SPDX-License-Identifier: MIT */
/* See frame.h. */
#include "frame.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/files.h"
#include "base/status.h"
#include "driver/command_line.h"

enum { BATCH = 50, MAX_SECONDS = 200 };

/* What children tell: the input they are at, its text, and how far inputs came. */
struct progress {
  uint64_t at, outcomes[FUZZ_OUTCOMES];
  size_t length;
  char input[1 << 20], what[1024];
};

struct fuzz {
  const struct fuzz_target *target;
  size_t files;
  uint64_t seed, first, count, most_crashes, most_seconds;
  bool has_only, print;
  const char *folder;
  struct progress *progress; /* shared with the child */
  uint64_t crashes;
};

static const struct flag flags[] = {
    {"seed", FLAG_VALUE, "N", "which sequence of inputs (default 1)"},
    {"first", FLAG_VALUE, "I", "number of the first input (default 0)"},
    {"count", FLAG_VALUE, "N", "how many inputs (default 1000)"},
    {"seconds", FLAG_VALUE, "S", "as many inputs as S seconds of processor time allow"},
    {"crashes", FLAG_VALUE, "N", "stop after so many crashes (default 1)"},
    {"folder", FLAG_VALUE, "DIR", "where inputs that crash are written (default: this one)"},
    {"only", FLAG_VALUE, "I", "run this input in this process"},
    {"print", FLAG_VALUE, "I", "print this input and what is done with it"},
};

static tile_status on_flag(const struct flag *flag, const char *value, void *data) {
  struct fuzz *fuzz = data;
  long long number = 0;
  if (strcmp(flag->name, "folder") == 0) {
    fuzz->folder = value;
    return NULL;
  }
  TRY(parse_integer(flag->name, value, 0, INT64_MAX, &number));
  switch (flag->name[0]) {
  case 's':
    *(flag->name[2] == 'e' ? &fuzz->seed : &fuzz->most_seconds) = (uint64_t)number;
    break;
  case 'f':
    fuzz->first = (uint64_t)number;
    break;
  case 'c':
    *(flag->name[1] == 'o' ? &fuzz->count : &fuzz->most_crashes) = (uint64_t)number;
    break;
  default:
    fuzz->has_only = true;
    fuzz->print = flag->name[0] == 'p';
    fuzz->first = (uint64_t)number;
    break;
  }
  return NULL;
}

static tile_status on_file(const char *path, void *data) {
  struct fuzz *fuzz = data;
  struct text text = {0};
  tile_status status = file_read(path, &text);
  if (!status)
    fuzz->target->add_file(text_string(&text), text.length);
  fuzz->files++;
  text_free(&text);
  return status;
}

/* --- Children --------------------------------------------------------------------------------- */

/* For the parent, before the input is run. */
static void note_input(const char *text, size_t length, const char *what, void *data) {
  struct progress *progress = data;
  progress->length = length < sizeof progress->input ? length : sizeof progress->input;
  memcpy(progress->input, text, progress->length);
  snprintf(progress->what, sizeof progress->what, "%s", what);
}

/* For one input: processor time, so that a busy machine makes no hangs, and real time for waits. */
static void start_watchdog(const struct fuzz_target *target) {
  setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = target->most_cpu_seconds}, NULL);
  alarm(MAX_SECONDS);
}

/* Runs inputs [first, end) and exits; a leak found at exit is exit code 23. */
_Noreturn static void run_child(struct fuzz *fuzz, uint64_t first, uint64_t end) {
  if (!freopen("/dev/null", "w", stdout)) /* passes that print */
    exit(1);
  for (uint64_t i = first; i < end; i++) {
    start_watchdog(fuzz->target);
    fuzz->progress->at = i;
    fuzz->progress->outcomes[fuzz->target->run(fuzz->seed, i, note_input, fuzz->progress)]++;
  }
  fuzz->progress->at = end;
  exit(0);
}

/* The child's wait status. */
static int run_in_child(struct fuzz *fuzz, uint64_t first, uint64_t end) {
  fflush(NULL);
  pid_t child = fork();
  if (child == 0)
    run_child(fuzz, first, end);
  int state = 0;
  while (waitpid(child, &state, 0) < 0 && errno == EINTR)
    ;
  return state;
}

static void describe_death(const struct fuzz_target *target, int state, struct text *out) {
  if (WIFSIGNALED(state) && WTERMSIG(state) == SIGPROF)
    text_printf(out, "takes more than %d s of processor time", target->most_cpu_seconds);
  else if (WIFSIGNALED(state) && WTERMSIG(state) == SIGALRM)
    text_printf(out, "hangs (%d s)", MAX_SECONDS);
  else if (WIFSIGNALED(state))
    text_printf(out, "dies of signal %d", WTERMSIG(state));
  else
    text_printf(out, "exits with code %d", WEXITSTATUS(state));
}

static tile_status report_crash(struct fuzz *fuzz, uint64_t index, int state) {
  struct text path = {0}, death = {0};
  text_printf(&path, "%s/crash-%llu-%llu%s", fuzz->folder, (unsigned long long)fuzz->seed,
              (unsigned long long)index, fuzz->target->ending);
  describe_death(fuzz->target, state, &death);
  printf("input %llu %s: %s\n  %s\n", (unsigned long long)index, text_string(&death),
         text_string(&path), fuzz->progress->what);
  tile_status status =
      file_write(text_string(&path), fuzz->progress->input, fuzz->progress->length);
  text_free(&path);
  text_free(&death);
  fuzz->crashes++;
  return status;
}

/* A batch in which all inputs ran but the child failed at its end: each alone. */
static tile_status find_leak(struct fuzz *fuzz, uint64_t first, uint64_t end) {
  for (uint64_t i = first; i < end && fuzz->crashes < fuzz->most_crashes; i++) {
    int state = run_in_child(fuzz, i, i + 1);
    if (state)
      TRY(report_crash(fuzz, i, state));
  }
  return NULL;
}

/* Processor time of all children so far. */
static double seconds_used(void) {
  struct rusage usage;
  getrusage(RUSAGE_CHILDREN, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

static tile_status run_batches(struct fuzz *fuzz, uint64_t *done) {
  uint64_t end = fuzz->most_seconds ? UINT64_MAX : fuzz->first + fuzz->count, at = fuzz->first;
  while (at < end && fuzz->crashes < fuzz->most_crashes) {
    if (fuzz->most_seconds && seconds_used() >= (double)fuzz->most_seconds)
      break;
    uint64_t batch = fuzz->target->batch ? fuzz->target->batch : BATCH;
    uint64_t stop = end - at < batch ? end : at + batch;
    int state = run_in_child(fuzz, at, stop);
    uint64_t reached = fuzz->progress->at;
    if (state && reached < stop) {
      TRY(report_crash(fuzz, reached, state));
      stop = reached + 1;
    } else if (state) {
      TRY(find_leak(fuzz, at, stop));
    }
    at = stop;
    *done = at - fuzz->first;
  }
  return NULL;
}

/* --- Main ------------------------------------------------------------------------------------- */

static void print_input(const char *text, size_t length, const char *what, void *data) {
  (void)data;
  fprintf(stderr, "%s\n", what);
  fwrite(text, 1, length, stdout);
  fflush(stdout);
}

static void ignore_input(const char *text, size_t length, const char *what, void *data) {
  (void)text, (void)length, (void)what, (void)data;
}

static tile_status run_one(struct fuzz *fuzz) {
  fuzz->target->run(fuzz->seed, fuzz->first, fuzz->print ? print_input : ignore_input, NULL);
  return NULL;
}

static tile_status run(int argc, char **argv, struct fuzz *fuzz) {
  size_t flag_count = sizeof flags / sizeof *flags;
  TRY(command_line_parse(argc, argv, flags, flag_count, on_flag, on_file, fuzz));
  if (fuzz->files == 0) {
    printf("usage: %s [flags] FILE%s ...\n", fuzz->target->name, fuzz->target->ending);
    command_line_print_flags(flags, flag_count);
    return FAIL(TILE_INVALID_ARGUMENT, "nothing to start from: name the tests' %s files",
                fuzz->target->ending);
  }
  if (fuzz->has_only)
    return run_one(fuzz);
  fuzz->progress =
      mmap(NULL, sizeof *fuzz->progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (fuzz->progress == MAP_FAILED)
    return FAIL(TILE_OUT_OF_MEMORY, "no shared memory: %s", strerror(errno));
  uint64_t done = 0;
  TRY(run_batches(fuzz, &done));
  const uint64_t *outcomes = fuzz->progress->outcomes;
  for (size_t i = 0; i < FUZZ_OUTCOMES && fuzz->target->outcomes[i]; i++)
    printf("%s%llu %s", i ? ", " : "", (unsigned long long)outcomes[i], fuzz->target->outcomes[i]);
  printf("\n%.0f s of processor time\n", seconds_used());
  printf("%llu inputs, %llu crashes\n", (unsigned long long)done,
         (unsigned long long)fuzz->crashes);
  return fuzz->crashes ? FAIL(TILE_HAZARD, "inputs crash what is fuzzed") : NULL;
}

int fuzz_main(int argc, char **argv, const struct fuzz_target *target) {
  struct fuzz fuzz = {.target = target, .seed = 1, .count = 1000, .most_crashes = 1, .folder = "."};
  return report_status(target->name, run(argc, argv, &fuzz));
}
