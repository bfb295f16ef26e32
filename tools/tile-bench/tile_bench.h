/* SPDX-License-Identifier: MIT */
/* The parts of tile-bench (docs/benchmarking.md): what a benchmark's file says.

     a file ──▶ struct bench_file: sizes, arguments, providers
                (tile_bench_{read,sizes,providers,file}.c)
            ──▶ for each size, for each provider a struct bench_cell
                (tile_bench_{measure,kernel,command,...}.c)
            ──▶ table, CSV, JSON, plots (tile_bench_{table,records,plot}.c) */
#ifndef TILE_TOOLS_TILE_BENCH_H
#define TILE_TOOLS_TILE_BENCH_H

#include "../tile-run/tile_run.h"
#include "base/toml.h"
#include "frontend/diagnostics.h"
#include "frontend/eval/value.h"
#include "frontend/syntax.h"

enum {
  BENCH_MAX_SIZES = 8,
  BENCH_MAX_POINTS = 4096,
  BENCH_MAX_ARGUMENTS = 64,
  BENCH_MAX_PROVIDERS = 16,
  BENCH_MAX_CONFIGS = 64,
  BENCH_MAX_STEPS = 8,
  BENCH_MAX_CONSTANTS = 64,
  BENCH_MAX_NAMES = 2 * BENCH_MAX_CONSTANTS + BENCH_MAX_SIZES + 1,
  BENCH_MAX_ROUNDS = 1000
};

/* --- Numbers and expressions (tile_bench_expression.c) ---------------------------------------- */

/* What names stand for: sizes, constants of a configuration, multiprocessors; integers or floats.
 */
struct bench_names {
  struct {
    const char *name;
    struct value value;
  } list[BENCH_MAX_NAMES];
  size_t count;
};
/* A name that is there already gets the new value; what does not fit is left out. */
void bench_names_set(struct bench_names *names, const char *name, struct value value);

/* The file: its text, its tree, what is wrong with it. */
struct bench_text {
  struct arena arena;
  const char *name;
  struct source source;
  struct problems problems;
  const struct toml_value *root;
};
/* Adds an error at a place of the file; false. */
bool bench_fail(struct bench_text *text, struct toml_span span, const char *format, ...)
    TILE_PRINTF(3, 4);

/* Python's expressions over numbers: + - * / // % **, comparisons, and, or, not, `a if c else b`,
   cdiv, min, max, next_power_of_2, log2; as strings of the file, or as its numbers.
   Zero-initialised: not given. */
struct bench_expression {
  struct toml_span span; /* of the value in the file */
  uint32_t lead;         /* bytes of the file before the expression's first one; 0: not to be told
                          */
  const struct source *source;
  const struct node *node;
  struct value number; /* where node is NULL */
  bool given;
};
/* Reads part of a string value: `from` bytes from its beginning, `length` bytes. */
bool bench_expression_parse(struct bench_text *text, const struct toml_value *value, size_t from,
                            size_t length, struct bench_expression *out);
/* Of a value that is a string or a number. */
bool bench_expression_read(struct bench_text *text, const struct toml_value *value,
                           struct bench_expression *out);
bool bench_expression_evaluate(struct bench_text *text, const struct bench_expression *expression,
                               const struct bench_names *names, struct value *out);
/* The same where an integer is wanted, in a range. `what` is for messages. */
bool bench_expression_integer(struct bench_text *text, const struct bench_expression *expression,
                              const struct bench_names *names, const char *what, int64_t low,
                              int64_t high, int64_t *out);
/* One to three integers, as a grid has them. */
bool bench_expression_grid(struct bench_text *text, const struct bench_expression *expression,
                           const struct bench_names *names, uint32_t out[3]);

/* --- Reading tables (tile_bench_read.c) ------------------------------------------------------- */

/* Each leaves `out` alone where the key is not there, and is false after an error. */
bool bench_read_string(struct bench_text *text, const struct toml_value *table, const char *key,
                       const char **out);
bool bench_read_boolean(struct bench_text *text, const struct toml_value *table, const char *key,
                        bool *out);
bool bench_read_number(struct bench_text *text, const struct toml_value *table, const char *key,
                       double low, double high, double *out);
bool bench_read_integer(struct bench_text *text, const struct toml_value *table, const char *key,
                        int64_t low, int64_t high, int64_t *out);
bool bench_read_expression(struct bench_text *text, const struct toml_value *table, const char *key,
                           struct bench_expression *out);
/* An array of strings, or one string; the arena's. */
bool bench_read_strings(struct bench_text *text, const struct toml_value *table, const char *key,
                        const char ***out, size_t *count);
/* A value's string; false, after an error, for another kind, and for zeros in it. */
bool bench_string_of(struct bench_text *text, const struct toml_value *value, const char *what,
                     const char **out);
/* Every key of the table is one of the names, which end with NULL: else an error with the nearest.
   `what` is "[plot]". */
bool bench_check_keys(struct bench_text *text, const struct toml_value *table,
                      const char *const *known, const char *what);
/* A value of the file that is a table, or NULL; false, after an error, where it is something else.
 */
bool bench_read_table(struct bench_text *text, const struct toml_value *table, const char *key,
                      const struct toml_value **out);
/* A path as the file means it: relative to the file's folder. The arena's. */
const char *bench_path(struct bench_text *text, const char *path);

/* --- What a file says ------------------------------------------------------------------------- */

struct bench_argument {
  const char *name;
  struct toml_span span;
  const struct toml_value *value; /* "fp32[rows, n]:rand", "i32:n" */
  bool is_output;
  bool is_buffer;
  const char *type, *contents; /* contents: of a buffer */
  struct bench_expression shape[RUN_MAX_RANK];
  int rank;
  struct bench_expression scalar; /* of a scalar */
};
bool bench_argument_read(struct bench_text *text, const char *name, const struct toml_value *value,
                         struct bench_argument *out);

/* NAME = expression, or Python's text of something else (None, 'ieee', True). */
struct bench_constant {
  const char *name;
  struct toml_span span;
  struct bench_expression value;
  const char *text; /* or NULL */
};

struct bench_config {
  struct toml_span span;
  struct bench_constant constants[BENCH_MAX_CONSTANTS];
  size_t constant_count;
  struct bench_expression num_warps, num_stages;
  const char *number; /* of the file's @triton.autotune: "3"; or NULL */
  const char **tuned; /* of a tuning's winner: "NAME=VALUE" of all constants, launch options too; or
                         NULL */
  size_t tuned_count;
};

/* One launch. */
struct bench_step {
  struct toml_span span;
  const char *file;   /* of a kernel, or of an image */
  const char *kernel; /* NULL: the only one */
  const char *signature;
  struct bench_constant constants[BENCH_MAX_CONSTANTS];
  size_t constant_count;
  struct bench_expression grid;
  struct bench_argument arguments[BENCH_MAX_ARGUMENTS]; /* in order; those with no value name one of
                                                           the file's */
  size_t argument_count;
  bool has_arguments;
  struct bench_step_state *state; /* tile_bench_kernel.c's */
};

/* c = a b. */
struct bench_product {
  const char *names[3]; /* of the arguments a, b and c */
  bool transposed[2];   /* a, b */
  bool tf32;
  int64_t algorithms; /* how many of cuBLAS's propositions are tried */
};

/* cuDNN's: softmax of rows, y = softmax(x), or LayerNorm, y = norm(x) weight + bias. */
struct bench_normalisation {
  bool is_norm;
  const char *names[4]; /* of the arguments x, y, weight and bias; the last two of LayerNorm */
  double epsilon;
};

struct bench_provider {
  const char *name;
  struct toml_span span;
  const struct bench_provider_kind *kind;
  struct bench_step *steps; /* kernels and images */
  size_t step_count;
  struct bench_config *configs; /* none: one way, without constants */
  size_t config_count;
  bool configs_of_file, tuned;
  const char **command;                      /* ends with NULL */
  const char *folder;                        /* of a command: the file's; NULL: the current one */
  int64_t seconds;                           /* of a command: how long an answer may take */
  struct bench_product *product;             /* of cuBLAS */
  struct bench_normalisation *normalisation; /* of cuDNN */
  bool absent;                               /* noted, and left out from then on */
  void *state;                               /* the kind's */
};

struct bench_file {
  struct bench_text text;
  const char *title;
  const char *axes[BENCH_MAX_SIZES];
  size_t axis_count;
  int64_t (*points)[BENCH_MAX_SIZES];
  size_t point_count;
  struct bench_argument arguments[BENCH_MAX_ARGUMENTS];
  size_t argument_count;
  struct bench_provider providers[BENCH_MAX_PROVIDERS];
  size_t provider_count;
  struct bench_expression bytes, flops;
  double absolute, relative; /* tolerances */
  int64_t rounds;
  double warmup_ms, repeat_ms;
  int64_t data_seed;
  const char *metric; /* "ms", "GB/s", "TFLOP/s" */
  struct {
    const char *x, *x_label, *y_label;
    bool linear_x, log_y;
  } plot;
};

/* Reads the benchmark; false after problems, which are in file->text. `choices` replace sizes. */
bool bench_file_read(struct bench_file *file, const char *name, const struct text *text,
                     const char *const *choices, size_t choice_count);
void bench_file_destroy(struct bench_file *file);
bool bench_sizes_read(struct bench_file *file, const char *const *choices, size_t choice_count);
bool bench_providers_read(struct bench_file *file);
/* The names of a point: its sizes, and multiprocessors. */
void bench_point_names(const struct bench_file *file, size_t point, int multiprocessors,
                       struct bench_names *out);
const struct bench_argument *bench_find_argument(const struct bench_file *file, const char *name);
/* Reads a table of constants. */
bool bench_constants_read(struct bench_text *text, const struct toml_value *table,
                          struct bench_constant *out, size_t *count);

#endif
