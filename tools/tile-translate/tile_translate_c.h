/* SPDX-License-Identifier: MIT */
/* tile-translate --tile-to-c: its flags, and writing the two files. */
#ifndef TILE_TRANSLATE_C_H
#define TILE_TRANSLATE_C_H

#include "base/text.h"
#include "driver/source.h"
#include "ir/passes.h"

enum { MAX_C_NAMES = 64, MAX_C_TARGETS = 16, MAX_C_VARIANTS = 64, MAX_C_VERSIONS = 256 };

/* Zero-initialise. */
struct to_c_arguments {
  bool wanted;
  const char *grid;
  const char *c_names[MAX_C_NAMES];
  size_t c_name_count;
  unsigned formats;                     /* of --embed: bits 1 << tile_image_format */
  const char *variants[MAX_C_VARIANTS]; /* flags */
  size_t variant_count;
  const char *when;
  const char *tuned, *tuned_device; /* a database; a pattern */
};

/* The rows of the flags for the tool's table. */
#define TO_C_FLAGS                                                                                 \
  {"tile-to-c", FLAG_SWITCH, NULL,                                                                 \
   "write a C header and source with a function for each kernel, NAME.h and NAME.c of -o NAME"},   \
      {"grid", FLAG_VALUE, "EXPR",                                                                 \
       "with --tile-to-c: the grid, of integer arguments and constants: 'cdiv(n, BLOCK), m'"},     \
      {"c-name", FLAG_VALUE, "NAME",                                                               \
       "with --tile-to-c: the function's name; KERNEL=NAME where there are several"},              \
      {"variant", FLAG_VALUE, "FLAGS",                                                             \
       "with --tile-to-c: one way to compile, with these flags beside the others; may be "         \
       "repeated, in the order in which they are tried"},                                          \
      {"tuned", FLAG_VALUE, "DATABASE",                                                            \
       "with --tile-to-c: a version for each winner of tile-run --tune, chosen by the arguments' " \
       "values (\"\": the default database)"},                                                     \
      {"tuned-device", FLAG_VALUE, "NAME",                                                         \
       "with --tuned: winners of this device, a pattern as a shell's (default: of the device "     \
       "that the target fits)"},                                                                   \
      {"when", FLAG_VALUE, "COND",                                                                 \
       "with --tile-to-c: what must hold of the arguments of a variant: 'n <= 1024 and m % 16 == " \
       "0'"},                                                                                      \
  {                                                                                                \
    "embed", FLAG_VALUE, "CODE",                                                                   \
        "with --tile-to-c: ptx (default), cubin, emulator, or several of them with commas"         \
  }

/* True when the flag is one of these; `status` is then its outcome. */
bool to_c_flag(struct to_c_arguments *to_c, const char *name, const char *value,
               tile_status *status);

/* What else the command line says. */
struct to_c_input {
  const char *name;    /* of the kernel file, for messages */
  const char *output;  /* without .h and .c */
  const char *targets; /* "sm_80,sm_90a" */
  const struct text *source;
  const struct source_options *how_to_read;
  const tile_compile_options *options;
  const struct pipeline_options *how;
};

/* Compiles and writes both files. */
tile_status to_c_translate(struct session *session, const struct to_c_arguments *to_c,
                           const struct to_c_input *input);

#endif
