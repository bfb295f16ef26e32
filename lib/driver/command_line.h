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

/* --- Where values go -------------------------------------------------------------------------- */

struct flag_place;
/* Reads the value of a flag, which is written as `flag`, into its place in the struct at `data`. */
typedef tile_status flag_reader(const struct flag_place *place, const char *flag, const char *value,
                                char *data);
struct flag_place {
  const char *name; /* of the flag */
  flag_reader *read;
  size_t offset, size; /* of the member that takes the value */
  size_t count_offset; /* of a list: the size_t beside it */
  long long low, high; /* of an integer */
};

flag_reader flag_reads_switch;   /* bool */
flag_reader flag_reads_off;      /* bool: on or off; true for off */
flag_reader flag_reads_text;     /* const char *, borrowed */
flag_reader flag_reads_list;     /* const char *[], one more of them */
flag_reader flag_reads_integer;  /* of 4 or 8 bytes */
flag_reader flag_reads_choice;   /* tile_choice: on or off */
flag_reader flag_reads_programs; /* int: 1 to 32, or fill */
flag_reader flag_reads_shard;    /* struct shard */

/* A row of a table of places: what reads the value, and the member of a struct that takes it. */
#define FLAG_PLACE(name, reads, type, member)                                                      \
  { name, flag_reads_##reads, offsetof(type, member), sizeof((type *)0)->member, 0, 0, 0 }
#define FLAG_INTEGER(name, type, member, low, high)                                                \
  { name, flag_reads_integer, offsetof(type, member), sizeof((type *)0)->member, 0, low, high }
#define FLAG_LIST(name, type, list, count)                                                         \
  {                                                                                                \
    name, flag_reads_list, offsetof(type, list), sizeof((type *)0)->list, offsetof(type, count),   \
        0, 0                                                                                       \
  }

/* True when the flag has a place in the struct at `data`; `status` is then its outcome. */
bool flag_store(const struct flag_place *places, size_t count, const char *name, const char *value,
                void *data, tile_status *status);

/* The flags of tile_compile_options that each version of a kernel has, for a tool's table; the
   arguments are what three of them are without the flag. */
#define COMPILE_FLAGS(fewer_warps, low_occupancy, programs)                                        \
  {"num-warps", FLAG_VALUE, "N",                                                                   \
   "warps per program: a power of two, 1 to 32 (default: that of --config, else 4)"},              \
      {"num-stages", FLAG_VALUE, "N",                                                              \
       "iterations of a loop in progress at one time, 1 to 16, for loops of dots and others "      \
       "that load (default: that of --config, else 3)"},                                           \
      {"fewer-warps", FLAG_VALUE, "on|off",                                                        \
       "fewer warps where the tiles are too small for them (default: " fewer_warps ")"},           \
      {"low-occupancy", FLAG_VALUE, "on|off",                                                      \
       "a second version of kernels with dots, for launches of few blocks, with more stages "      \
       "(default: " low_occupancy ")"},                                                            \
      {"tensor-maps", FLAG_VALUE, "on|off",                                                        \
       "a second version of kernels whose dots read blocks through descriptors, which the "        \
       "copy engine brings (default: on)"},                                                        \
      {"pairs", FLAG_VALUE, "on|off",                                                              \
       "there the blocks of two neighbouring programs bring one another halves of what both "      \
       "read, as clusters (default: in a version for rows that begin inside of cache lines)"},     \
      {"programs-per-block", FLAG_VALUE, "N",                                                      \
       "several programs in a block of threads where they need none for themselves, at most so "   \
       "many: a power of two, or fill: what makes four warps (default: " programs ")"},            \
  {                                                                                                \
    "fmad", FLAG_VALUE, "on|off",                                                                  \
        "fuse multiplications with additions, rounding once (default: on)"                         \
  }
/* Takes them, all but --fmad. As flag_store. */
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
