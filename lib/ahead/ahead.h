/* SPDX-License-Identifier: MIT */
/* Ahead-of-time C: a kernel file compiled in several ways, to one image, a header and a source. */
#ifndef TILE_AHEAD_AHEAD_H
#define TILE_AHEAD_AHEAD_H

#include "driver/compile.h"
#include "frontend/import/import.h"

/* What the import says of a kernel's parameters. */
struct ahead_parameters;
/* Makes import options report to `seen`. */
void ahead_watch(struct import_options *options, struct ahead_parameters *seen);

/* import_kernel, with the kernel's compile-time parameters and its configuration noted in the
   module, for the image, unless the options have them visited already. */
tile_status import_kernel_noted(struct session *session, const char *name, const char *text,
                                size_t length, const struct import_options *options,
                                MlirModule *out);

/* Makes the module of a variant for a target. */
typedef tile_status ahead_load(struct session *session, void *data, const char *target,
                               struct ahead_parameters *seen, MlirModule *out);

/* One way to compile. All borrowed. */
struct ahead_variant {
  ahead_load *load;
  void *data;
  const tile_compile_options *options; /* the target is not used */
  const char *when;                    /* a condition, or NULL */
  const char *target;                  /* it is compiled for this target alone; NULL: for all */
  size_t same; /* number, from 1, of the variant before it that is the same but for the condition;
                  0: none */
};

struct ahead_options {
  const char *name;           /* of the files, without .h and .c; a path is fine */
  const char *from;           /* the kernel's file */
  const char *const *c_names; /* "KERNEL=NAME", or "NAME" for the only kernel */
  size_t c_name_count;
  const char *grid;           /* an expression, or NULL */
  const char *const *targets; /* none: the first variant's */
  size_t target_count;
  unsigned formats;                     /* bits 1 << tile_image_format; 0: PTX */
  const struct ahead_variant *variants; /* in the order in which they are tried; one at least */
  size_t variant_count;
  const char *tuned; /* lines for the header: what was tuned, and what won; or NULL */
};

/* Writes the header and the source. Errors: those of compile_to_image; TILE_INVALID_ARGUMENT for
   names and expressions. */
tile_status ahead_compile(struct session *session, const struct ahead_options *options,
                          const struct pipeline_options *how, struct text *header,
                          struct text *source);

#endif
