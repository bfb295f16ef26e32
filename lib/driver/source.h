/* SPDX-License-Identifier: MIT */
/* Kernel files of either kind: MLIR (text or bytecode), or the Triton language (.py). */
#ifndef TILE_DRIVER_SOURCE_H
#define TILE_DRIVER_SOURCE_H

#include "base/element.h"
#include "base/text.h"
#include "driver/command_line.h"
#include "driver/import_files.h"
#include "frontend/import/import.h"
#include "frontend/config/listing.h"

enum { MAX_CONSTANTS = 160 };

/* What the flags --kernel, --signature, --constexpr, --config, --arg-value and -I say.
   Zero-initialise. */
struct source_options {
  struct import_options import;
  const char *constants[MAX_CONSTANTS], *argument_values[MAX_CONSTANTS];
  const char *folders[MAX_CONSTANTS];     /* -I */
  const struct package_options *packages; /* how other files are found; NULL: source_load sees to it
                                           */
  bool is_triton; /* --import-triton: the input is in the Triton language whatever its name */
  bool plain;     /* for people to read: without a note of the compile-time parameters, which is for
                     images */
};

/* The rows of these flags for a tool's table. */
#define SOURCE_FLAGS                                                                               \
  {"kernel", FLAG_VALUE, "NAME", "which kernel of a .py file, when it has several"},               \
      {"signature", FLAG_VALUE, "TEXT",                                                            \
       "one entry a parameter of a .py kernel: *fp32:16, i32, 1024, True, \"text\", None"},        \
      {"constexpr", FLAG_VALUE, "NAME=VALUE",                                                      \
       "a compile-time parameter that the signature leaves out"},                                  \
      {"I", FLAG_VALUE, "DIR",                                                                     \
       "where else the modules lie that a .py file imports from; may be repeated"},                \
      {"config", FLAG_VALUE, "N",                                                                  \
       "the configuration of @triton.autotune to take (tile-translate --list-configs)"},           \
  {                                                                                                \
    "arg-value", FLAG_VALUE, "NAME=VALUE", "a run-time argument's value, for heuristics only"      \
  }

/* True when the flag is one of these; `status` is then its outcome. */
bool source_flag(struct source_options *options, const char *name, const char *value,
                 tile_status *status);
/* "NAME=VALUE" of a scalar, as --arg-value takes it; in the arena. */
const char *source_argument_value(struct arena *arena, const char *name, enum element_type type,
                                  const void *data);
/* True for input in the Triton language: by the flag, or by the name's ending. */
bool source_is_triton(const char *name, const struct source_options *options);
/* How the modules are found that a file `name` imports from; ended with import_files_free. */
struct package_options source_packages(struct import_files *files, const char *name,
                                       const struct source_options *options);
/* An error where the content is a cubin or PTX, which are no kernel's source; it says what they are
   and how they run. */
tile_status source_refuse_code(const char *name, const char *text, size_t length);
/* Makes a module of a file's content. `text` stays alive as long as diagnostics may quote it. */
tile_status source_load(struct session *session, const char *name, const struct text *text,
                        const struct source_options *options, MlirModule *out);

/* The importer's options of the public ones. `files` is ended with import_files_free, after their
   last use. Errors: TILE_INVALID_ARGUMENT for a list without its strings. */
tile_status import_options_read(const tile_import_options *options, const char *name,
                                struct import_files *files, struct import_options *out);

/* Gives `visit` what the decorators of the kernels of a .py file say: of options->kernel, or of
   all. */
tile_status source_list_configurations(struct session *session, const char *name, const char *text,
                                       size_t length, const struct import_options *options,
                                       listing_visit *visit, void *data);

#endif
