/* SPDX-License-Identifier: MIT */
/* What a tool says of itself: one description, from which come --help, the manual page and the
   completion of shells. */
#ifndef TILE_DRIVER_TOOL_H
#define TILE_DRIVER_TOOL_H

#include "driver/command_line.h"

struct tool {
  const char *name;
  const char *summary;     /* half a sentence, for the manual's heading */
  const char *usage[8];    /* command lines, up to the first NULL */
  const char *description; /* sentences; lines of at most 100 columns */
  const struct flag *flags;
  size_t flag_count;
  const char *more_heading; /* over further flags, or NULL */
  const struct flag *more;
  size_t more_count;
};

void tool_print_help(const struct tool *tool);
/* Whether --help or --version was given; prints what it asks for. */
bool tool_tells(const struct tool *tool, bool help, bool version);

/* Whether the command line is --print-interface=KIND alone, which the build asks for; `out` is the
   outcome then. Kinds: man, bash, zsh; each goes to standard output. */
bool tool_prints_interface(const struct tool *tool, int argc, char **argv, tile_status *out);

#endif
