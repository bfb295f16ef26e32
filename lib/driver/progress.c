/* SPDX-License-Identifier: MIT */
/* See progress.h. */
#include "driver/progress.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { FIRST_MS = 1000, NEXT_MS = 100, BAR = 24, USUAL_COLUMNS = 80, MAX_COLUMNS = 160 };

static uint64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

void progress_begin(struct progress *progress, bool quiet) {
  *progress = (struct progress){.on = !quiet && isatty(STDERR_FILENO)};
  progress_restart(progress);
}

void progress_restart(struct progress *progress) {
  progress->begun = now_ms();
  progress->due = progress->begun + FIRST_MS;
}

unsigned progress_seconds(const struct progress *progress) {
  return (unsigned)((now_ms() - progress->begun) / 1000);
}

void progress_print(uint64_t done, uint64_t total, const char *what, size_t columns,
                    struct text *out) {
  double part = !total ? 0 : done >= total ? 1 : (double)done / (double)total;
  char line[MAX_COLUMNS + 1];
  char bar[BAR + 1] = {0};
  for (int i = 0; i < BAR; i++)
    bar[i] = i < (int)(part * BAR) ? '=' : ' ';
  int length = snprintf(line, sizeof line, "[%s] %3d%%  %s", bar, (int)(part * 100), what);
  size_t most = columns < MAX_COLUMNS ? columns : MAX_COLUMNS;
  text_append(out, line, (size_t)length < most ? (size_t)length : most);
}

/* One is left free: some terminals begin a new line after the last column. */
static size_t terminal_columns(void) {
  struct winsize size = {0};
  bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return (known ? size.ws_col : USUAL_COLUMNS) - 1u;
}

void progress_show(struct progress *progress, uint64_t done, uint64_t total, const char *what) {
  uint64_t now = progress->on ? now_ms() : 0;
  if (!progress->on || now < progress->due)
    return;
  struct text line = {0};
  progress_print(done, total, what, terminal_columns(), &line);
  fprintf(stderr, "\r\033[K%s", text_string(&line));
  fflush(stderr);
  text_free(&line);
  progress->due = now + NEXT_MS;
  progress->shown = true;
}

void progress_clear(struct progress *progress) {
  if (progress->shown)
    fputs("\r\033[K", stderr);
  progress->shown = false;
}
