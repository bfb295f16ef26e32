/* SPDX-License-Identifier: MIT */
/* Child processes: one that turns its input into its output, and one that answers lines. */
#ifndef TILE_TOOLS_TILE_BENCH_CHILD_H
#define TILE_TOOLS_TILE_BENCH_CHILD_H

#include <sys/types.h>
#include "base/text.h"
#include "tile/status.h"

/* Runs a program, found on PATH, with `input` on its standard input; appends its standard output.
   `arguments` ends with NULL. Errors: TILE_NOT_FOUND where there is no such program,
   TILE_EXTERNAL_TOOL, with what it says, when it fails. */
tile_status bench_child_filter(const char *const *arguments, const struct text *input,
                               struct text *out);

/* A program that is asked line by line. */
struct bench_child {
  pid_t process; /* 0: none */
  int to, from;  /* its standard input (a socket, so that writing to one that is gone is no signal)
                    and output */
  struct text received;
};

/* Starts it in `folder` (NULL: this one). */
tile_status bench_child_start(const char *const *arguments, const char *folder,
                              struct bench_child *out);
tile_status bench_child_send(struct bench_child *child, const struct text *line);
/* The next line, without its end, in place of what `out` holds. TILE_EXTERNAL_TOOL when it ends,
   says nothing for `seconds`, or sends a line without end. */
tile_status bench_child_receive(struct bench_child *child, int seconds, struct text *out);
/* Closes its input and waits for its end; one that does not end is killed. */
void bench_child_end(struct bench_child *child);

#endif
