/* SPDX-License-Identifier: MIT */
/* What the decorators of a kernel say of its configurations: @triton.autotune, @triton.heuristics
   and the keywords of @triton.jit. Reading evaluates host code (host.h); what that code computes at
   run time is kept as such, with the reason. Wrong decorators are problems at their place. */
#ifndef TILE_FRONTEND_CONFIG_TUNING_H
#define TILE_FRONTEND_CONFIG_TUNING_H

#include "frontend/eval/host.h"

/* Names that a decorator lists: parameters of the kernel. */
struct name_list {
  const char **names;
  size_t count;
  const char *computed; /* its source text, when the names are known at run time only; else NULL */
};

/* One entry of prune_configs_by, as written. pruning.h carries them out. */
struct pruning {
  const char *name, *text; /* "early_config_prune", "prune" */
};

/* What @triton.autotune says of how to measure. Functions are not run: their source text, or NULL.
 */
struct tuning_settings {
  bool has_warmup, has_rep;
  double warmup, rep; /* milliseconds */
  bool use_cuda_graph, cache_results;
  const char *do_bench, *pre_hook, *post_hook;
  struct name_list written; /* "warmup = 10", ...: all that is given, as written */
};

/* A parameter (or num_warps, ...) that a heuristic computes. */
struct heuristic {
  const char *name;
  struct value function;
  struct span span;   /* of its value */
  uint32_t decorator; /* the position of its decorator from the top */
};

struct tuning {
  const struct kernel *kernel;
  bool tuned;        /* there is an @triton.autotune */
  uint32_t autotune; /* its position from the top */
  struct host_config **configs;
  size_t count;
  struct host_trouble computed; /* kind HOST_UNKNOWN: why the configurations are not known */
  struct name_list key, reset_to_zero, restore_value;
  struct pruning *prunings;
  size_t pruning_count;
  const struct node *prune_configs_by; /* or NULL */
  struct tuning_settings settings;
  struct heuristic *heuristics; /* in the order in which they are applied */
  size_t heuristic_count;
  struct host_trouble computed_heuristics; /* likewise, of some @triton.heuristics */
  unsigned *keep; /* per parameter: KEEP_UNALIGNED, KEEP_UNFOLDED (signature.h), from
                     do_not_specialize and annotations */
};

/* Reads the decorators. `host` has its arena, module, scope and capability set. False after it has
   added problems to the module. */
bool tuning_read(struct host *host, const struct kernel *kernel, struct tuning *out);

/* The index of the parameter called `name`, or -1. */
int32_t kernel_parameter(const struct kernel *kernel, struct slice name);
/* True for names that a launch takes besides the parameters: num_warps, waves_per_eu, ... */
bool is_launch_option(struct slice name);
/* struct host's capability of a target: 90 of "sm_90a"; 0 of NULL. */
int target_capability(const char *target);
/* What a target has; NULL of a name that is no target's. */
const struct machine *target_machine(const char *target);
/* Adds a problem at a place; returns false. */
bool tuning_fail(struct host *host, struct span span, const char *format, ...) TILE_PRINTF(3, 4);
/* "k.py:12:5: ", then the trouble's message; in the host's arena. */
const char *trouble_text(const struct host *host, const struct host_trouble *trouble);

#endif
