/* SPDX-License-Identifier: MIT */
/* tile-tune plan: a tuning as lines that share nothing but the table of results. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "../tile-run/tile_run.h"
#include "base/files.h"
#include "base/status.h"
#include "tile_tune.h"

/* A word as a shell reads it, and command_line_next_word. */
static void print_word(const char *word, struct text *out) {
  bool plain = *word != 0;
  for (const char *c = word; *c; c++)
    plain = plain && (isalnum((unsigned char)*c) || strchr("_-./=:,+@%", *c));
  if (plain) {
    text_puts(out, word);
    return;
  }
  text_puts(out, "'");
  for (const char *c = word; *c; c++)
    if (*c == '\'')
      text_puts(out, "'\"'\"'");
    else
      text_append(out, c, 1);
  text_puts(out, "'");
}

static tile_status check_words(const struct tune_arguments *arguments) {
  if (!arguments->rest_count)
    return FAIL(TILE_INVALID_ARGUMENT,
                "tile-tune plan needs the arguments of tile-run after --, as in "
                "tile-tune plan -- k.py --grid 8 --arg x=fp32[1024]:rand");
  for (size_t i = 0; i < arguments->rest_count; i++)
    if (strchr(arguments->rest[i], '\n'))
      return FAIL(TILE_INVALID_ARGUMENT, "a job is one line, and '%s' has a line end",
                  arguments->rest[i]);
  return NULL;
}

static void print_job(const struct tune_arguments *arguments, size_t job, size_t jobs,
                      struct text *out) {
  text_printf(out, "tile-run --tune --shard %zu/%zu", job, jobs);
  for (size_t i = 0; i < arguments->rest_count; i++) {
    text_puts(out, " ");
    print_word(arguments->rest[i], out);
  }
  text_puts(out, "\n");
}

/* Every job has the first candidate, for comparison, so that the others are what there is to
 * divide. */
tile_status database_plan(const struct tune_arguments *arguments) {
  size_t candidates;
  TRY(check_words(arguments));
  TRY(run_count_candidates(arguments->rest_count, arguments->rest, &candidates));
  size_t most = candidates > 1 ? candidates - 1 : 1;
  size_t jobs = arguments->jobs && arguments->jobs < most ? arguments->jobs : most;
  struct text out = {0};
  for (size_t i = 0; i < jobs; i++)
    print_job(arguments, i, jobs, &out);
  tile_status status =
      file_write(arguments->output ? arguments->output : "-", out.data, out.length);
  text_free(&out);
  return status;
}
