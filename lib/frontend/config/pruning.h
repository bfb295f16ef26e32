/* SPDX-License-Identifier: MIT */
/* prune_configs_by of @triton.autotune: which configurations are worth a try for a launch's
   arguments.

   early_config_prune(configs, named_args, **kwargs) gives those that remain, in the order in which
   they are tried. Where perf_model is given and more than top_k remain, the top_k of least estimate
   are taken: a number, or a float up to 1.0, the share of all configurations that the decorator
   has. That is what Triton's Autotuner.prune_configs does, with these differences: a launch gives
   an argument by position or by name, which a file does not say, so that `named_args` and `kwargs`
   both have all of them; and a function that cannot be evaluated leaves all, with the reason. */
#ifndef TILE_FRONTEND_CONFIG_PRUNING_H
#define TILE_FRONTEND_CONFIG_PRUNING_H

#include "frontend/config/options.h"
#include "frontend/config/tuning.h"

struct pruned {
  const struct host_config **configs; /* what remains */
  int64_t *numbers;                   /* of each: its place in the decorator's list, or -1: a
                                         function made or changed it */
  size_t count;
  const char *note; /* NULL, or what was not carried out, where and why; in the host's arena */
};

/* Prunes tuning->configs for the arguments that the options give: their signature, constants and
   argument_values. `host` as tuning_read left it. Errors: TILE_INVALID_ARGUMENT for options that
   are wrong by themselves. */
tile_status pruning_carry_out(struct host *host, const struct tuning *tuning,
                              const struct import_options *options, struct pruned *out);

/* The arguments of a launch by name, in the order of the parameters, but for those that a
   configuration or a heuristic sets. What no option gives, neither by its type nor by its value, is
   an argument of which nothing is known. Errors as above. */
tile_status launch_arguments(struct host *host, const struct tuning *tuning,
                             const struct import_options *options, struct value_dict *out);

/* A parameter of a launch, as texts. */
struct launch_parameter {
  const char *name;
  const char *type;     /* "*fp16", "i32", "(i32,*fp32)" of a tuple: as signatures write it, without
                           promises; NULL: a constant, or not known */
  const char *constant; /* as Python writes it; NULL: none, or a configuration or heuristic sets it
                         */
  const char *value;    /* of a scalar that --arg-value gives, likewise; else NULL */
};
/* All parameters that no configuration and no heuristic sets, in their order; in the host's arena.
   Errors as above. */
tile_status launch_parameters(struct host *host, const struct tuning *tuning,
                              const struct import_options *options, struct launch_parameter **out,
                              size_t *count);

#endif
