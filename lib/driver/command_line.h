/* SPDX-License-Identifier: MIT */
/* Command lines of the tools: a table of flags, one parser, one --help.

   A flag is written --name, --name=value or --name value; a short form -n may stand beside it. What
   does not begin with '-' (and "-" itself) is a positional argument. */
#ifndef TILE_DRIVER_COMMAND_LINE_H
#define TILE_DRIVER_COMMAND_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include "base/arena.h"
#include "tile/compiler.h"
#include "tile/status.h"

enum flag_kind {
  FLAG_SWITCH,        /* no value */
  FLAG_VALUE,         /* a value is needed */
  FLAG_OPTIONAL_VALUE /* --name or --name=value */
};

struct flag {
  const char *name; /* without dashes; a one-letter name is written -x */
  enum flag_kind kind;
  const char *argument; /* what --help calls the value, NULL for switches */
  const char *summary;  /* NULL hides the flag from --help */
};

/* Called for each flag in order of appearance; `value` is NULL for switches and absent values. */
typedef tile_status flag_function(const struct flag *flag, const char *value, void *data);
/* Called for each positional argument. */
typedef tile_status positional_function(const char *argument, void *data);

/* Parses argv[1..]. Unknown flags are errors that name the nearest one. */
tile_status command_line_parse(int argc, char **argv, const struct flag *flags, size_t count,
                               flag_function *on_flag, positional_function *on_positional,
                               void *data);
void command_line_print_flags(const struct flag *flags, size_t count);

/* --version: "TOOL 0.1.0", then the compiler's build id and LLVM's version. */
void command_line_print_version(const char *tool);

/* The next word of a line of flags inside a text, quotes removed, owned by the arena; NULL at the
   line's end. */
const char *command_line_next_word(const char **at, struct arena *arena);

/* Parses a whole decimal integer in [low, high]; the error names `what`. */
tile_status parse_integer(const char *what, const char *text, long long low, long long high,
                          long long *out);

/* A part of a whole that is cut into `count`: "I/COUNT", with I from 0 to COUNT - 1. */
struct shard {
  size_t index, count;
};
/* The value of --shard. */
tile_status parse_shard(const char *text, struct shard *out);

/* The value of --fmad: on or off. */
tile_status parse_fmad(const char *text, bool *out_off);
/* True when the flag is one of --num-warps, --num-stages, --programs-per-block, --fewer-warps and
   --low-occupancy, whose value goes to the options; `status` is then the outcome. */
bool compile_flag(tile_compile_options *options, const char *name, const char *value,
                  tile_status *status);

/* Prints "PROGRAM: error: MESSAGE" on standard error, frees the status and returns exit code 1; a
   NULL status returns 0. */
int report_status(const char *program, tile_status status);

/* The first thing that a tool does: standard streams that are closed stay so. Otherwise the next
   file that is opened would become the output. */
void streams_open(void);
/* The last thing: report_status, then exit code 1 and a message as well when something written to
   standard output was lost. */
int streams_finish(const char *program, tile_status status);

#endif
