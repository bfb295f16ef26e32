/* SPDX-License-Identifier: MIT */
/* The parameters of a kernel over all variants: what is an argument in one and a constant in
   another is an argument of all, which a launch compares with the constant. Compile-time parameters
   are noted in the module, for the image. */
#ifndef TILE_AHEAD_PARAMETERS_H
#define TILE_AHEAD_PARAMETERS_H

#include "ahead/ahead.h"
#include "frontend/check/signature.h"

/* A parameter as an import has made it, or the run-time part of one. */
struct ahead_parameter {
  const char *name;
  struct dtype dtype; /* of a run-time one */
  bool is_constant;
  enum value_kind kind; /* of a constant, and as far as it is one: */
  int64_t integer;
  double number;
  const char *text; /* as Python writes it */
};

/* All of one import, in order. */
struct ahead_parameters {
  const char *config; /* the configuration that was chosen, or NULL */
  struct arena *arena;
  struct ahead_parameter *list;
  size_t count, capacity;
};

const struct ahead_parameter *parameters_find(const struct ahead_parameters *parameters,
                                              const char *name);
/* Adds the run-time ones of `seen` to `all`, each name once. */
void parameters_collect(struct ahead_parameters *all, const struct ahead_parameters *seen);
/* Writes on the module's kernel what kernel_info.h calls ATTR_FIXED_ARGUMENTS and ATTR_CONSTANTS:
   constants of `seen` that are run-time in `run_time`, and the others; and ATTR_CONFIG.
   TILE_INVALID_ARGUMENT for a constant that no argument can be equal to. */
tile_status parameters_annotate(struct session *session, MlirModule module,
                                const struct ahead_parameters *seen,
                                const struct ahead_parameters *run_time);

/* The same where there is one import, whose constants no launch passes. */
tile_status parameters_annotate_constants(struct session *session, MlirModule module,
                                          const struct ahead_parameters *seen);

#endif
