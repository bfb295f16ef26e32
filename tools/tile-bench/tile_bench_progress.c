/* SPDX-License-Identifier: MIT */
/* How far it is: one line that is written over. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include "tile_bench_run.h"

enum { FIRST_MS = 1000, NEXT_MS = 100, BAR = 24 };

struct bench_progress {
  uint64_t due; /* milliseconds */
  bool on, shown;
};

static uint64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

struct bench_progress *bench_progress_create(bool quiet) {
  struct bench_progress *progress = tile_allocate(sizeof *progress);
  *progress = (struct bench_progress){.due = now_ms() + FIRST_MS, .on = !quiet && isatty(STDERR_FILENO)};
  return progress;
}

void bench_progress_show(struct bench_progress *progress, size_t done, size_t total, const char *what) {
  uint64_t now = now_ms();
  if (!progress->on || now < progress->due)
    return;
  progress->due = now + NEXT_MS;
  progress->shown = true;
  char bar[BAR + 1] = {0};
  for (size_t i = 0; i < BAR; i++)
    bar[i] = total && i < done * BAR / total ? '=' : ' ';
  fprintf(stderr, "\r\033[K[%s] %3zu%%  %.60s", bar, total ? done * 100 / total : 0, what);
  fflush(stderr);
}

void bench_progress_clear(struct bench_progress *progress) {
  if (progress->shown)
    fputs("\r\033[K", stderr);
  progress->shown = false;
}

void bench_progress_destroy(struct bench_progress *progress) {
  bench_progress_clear(progress);
  free(progress);
}
