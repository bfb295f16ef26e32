/* SPDX-License-Identifier: MIT */
/* The line that shows how far work is. */
#include "driver/progress.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#include "check.h"
#include "temporary.h"

static void check_line(uint64_t done, uint64_t total, size_t columns, const char *expected) {
  struct text line = {0};
  progress_print(done, total, "timing: 3 left", columns, &line);
  CHECK_TEXT(text_string(&line), expected);
  text_free(&line);
}

static void lines(void) {
  check_line(0, 8, 80, "[                        ]   0%  timing: 3 left");
  check_line(3, 8, 80, "[=========               ]  37%  timing: 3 left");
  check_line(8, 8, 80, "[========================] 100%  timing: 3 left");
  check_line(9, 8, 80,
             "[========================] 100%  timing: 3 left"); /* more than was thought */
  check_line(0, 0, 80, "[                        ]   0%  timing: 3 left");
  check_line(UINT64_MAX / 2, UINT64_MAX, 80, "[============            ]  50%  timing: 3 left");
  check_line(3, 8, 40, "[=========               ]  37%  timing:"); /* the terminal ends */
  check_line(3, 8, 5, "[====");
}

/* What three calls write to standard error, which is a file. */
static char *drawn(bool on, uint64_t due) {
  char *path = temporary_file("progress"), *text = calloc(1, 512);
  int kept = dup(STDERR_FILENO), file = open(path, O_RDWR);
  fflush(stderr);
  dup2(file, STDERR_FILENO);
  struct progress progress;
  progress_begin(&progress, false);
  CHECK(!progress.on); /* a file is no terminal */
  progress.on = on, progress.due = due;
  progress_show(&progress, 1, 2, "first");
  progress.due = UINT64_MAX;
  progress_show(&progress, 2, 2, "too early");
  progress_clear(&progress);
  progress_clear(&progress);
  fflush(stderr);
  dup2(kept, STDERR_FILENO);
  CHECK(pread(file, text, 511, 0) >= 0);
  close(file), close(kept), unlink(path), free(path);
  return text;
}

static void drawing(void) {
  char *text = drawn(true, 0);
  CHECK_TEXT(text, "\r\033[K[============            ]  50%  first\r\033[K");
  free(text);
  text = drawn(true, UINT64_MAX);
  CHECK_TEXT(text, "");
  free(text);
  text = drawn(false, 0);
  CHECK_TEXT(text, "");
  free(text);
}

int main(int argc, char **argv) {
  return RUN_TESTS(argc, argv, {"lines", lines}, {"drawing", drawing});
}
