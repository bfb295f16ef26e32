/* SPDX-License-Identifier: MIT */
/* Passes and pipelines.

   A pass is a row of passes.def and a body `run_<function>(context, root)`, which can be called
   directly or be put into an MLIR pass manager beside upstream's. Options are a table per pass;
   pass_option_* read them by index of that table.

   Pipelines are text in MLIR's notation. Ours are parsed here, because passes made through the C
   API are unknown to MLIR's parser, and names that are not ours are handed to it. */
#ifndef TILE_IR_PASSES_H
#define TILE_IR_PASSES_H

#include <mlir-c/Pass.h>
#include "ir/session.h"

enum option_kind { OPTION_INTEGER, OPTION_BOOLEAN, OPTION_STRING };

/* One option of a pass; a table ends with a row whose name is NULL. */
struct pass_option {
  const char *name;
  enum option_kind kind;
  const char *initial; /* default value, as text */
  const char *summary;
};

struct pass_value {
  int64_t integer; /* also booleans */
  char *string;    /* owned by the pass */
};

enum { MAX_PASS_OPTIONS = 8 };

/* What a pass body gets besides the operation it runs on. */
struct pass_context {
  struct session *session;
  struct pass_value values[MAX_PASS_OPTIONS];
};

typedef MlirLogicalResult pass_body(struct pass_context *context, MlirOperation root);

enum pass_kind {
#define X(function, ...) PASS_##function,
#include "ir/passes.def"
#undef X
  PASS_COUNT
};

struct pass_info {
  const char *flag, *anchor, *summary;
  const struct pass_option *options;
  pass_body *body;
};

#define X(function, flag, options, anchor, summary)                                                \
  MlirLogicalResult run_##function(struct pass_context *context, MlirOperation root);              \
  extern const struct pass_option options[];
#include "ir/passes.def"
#undef X

extern const struct pass_info pass_table[PASS_COUNT];
/* NULL when no pass of ours has this flag. */
const struct pass_info *pass_find(struct slice flag);

/* Fills the defaults, then parses "a=1 b=text" into `values`. Wrong names and values are errors
   that name the pass or pipeline `flag`. On success the strings in `values` are owned by the
   caller: pass_values_free. */
tile_status pass_parse_options(const char *flag, const struct pass_option *options,
                               struct slice text, struct pass_value values[MAX_PASS_OPTIONS]);
void pass_values_free(struct pass_value values[MAX_PASS_OPTIONS]);

/* A named pipeline: a macro over other passes. */
struct pipeline_info {
  const char *flag, *summary;
  const struct pass_option *options;
  const char *const *stages; /* as in pipelines.def; ends with NULL */
};

/* Every named pipeline; ends with a NULL flag. */
extern const struct pipeline_info pipeline_table[];

/* How a pipeline is run. */
struct pipeline_options {
  bool verify_each; /* run tile-verify after every pass of ours */
  bool timing;      /* report times on standard error at the end */
  bool print_before_all, print_after_all;
  const char *const *print_before; /* flags of passes to print the IR before; may be NULL */
  size_t print_before_count;
  const char *const *print_after;
  size_t print_after_count;
};

/* $TILE_SKIP_PASSES, to see what a pass is worth: flags with commas between them; "" without it.
   They are left out wherever a named pipeline has them, and must be stages that it marks with ?. */
const char *passes_skipped(void);

/* The upstream passes registered, for listings; ends with NULL. */
extern const char *const upstream_pass_names[];

/* Runs a pipeline such as "tile-inline,canonicalize,func.func(tile-cleanup{})" on `module`; an
   outer "builtin.module(...)" is accepted. Syntax errors and unknown names come back as a status;
   failures of passes are reported to the session's diagnostics and give TILE_INVALID_ARGUMENT. */
tile_status pipeline_run(struct session *session, const char *text,
                         const struct pipeline_options *options, MlirModule module);

#endif
