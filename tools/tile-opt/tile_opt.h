/* SPDX-License-Identifier: MIT */
/* The parts of tile-opt. */
#ifndef TILE_TOOLS_TILE_OPT_H
#define TILE_TOOLS_TILE_OPT_H

#include "ir/passes.h"

/* What the command line asks for. Strings are borrowed from argv unless said. */
struct opt_arguments {
  const char *input, *output;
  struct text pipeline; /* owned: from --pass-pipeline or from one flag per pass */
  bool has_pipeline_flag, has_pass_flags;
  bool split_input, verify_diagnostics, allow_unregistered;
  bool emit_bytecode, print_generic, print_locations, verify_only;
  bool list_passes, help, version;
  const char *print_reference; /* a dialect's name, or "passes" */
  struct pipeline_options how;
  const char *before[16], *after[16]; /* --mlir-print-ir-before/after */
};

/* Parses argv; the arguments must be destroyed also after an error. */
tile_status opt_parse_arguments(int argc, char **argv, struct opt_arguments *out);
void opt_arguments_destroy(struct opt_arguments *arguments);
void opt_print_help(void);
/* As tool_prints_interface. */
bool opt_prints_interface(int argc, char **argv, tile_status *out);
void opt_print_passes(void);
/* The Markdown reference page of a dialect or of the passes, on standard output. */
tile_status opt_print_reference(const char *what);

#endif
