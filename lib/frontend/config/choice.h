/* SPDX-License-Identifier: MIT */
/* Constants of a kernel that its decorators set: a configuration chosen by its number, and
   heuristics over the arguments. Binding the parameters uses it in three steps:

       choice_begin(c, options, &choice)          reads the decorators, finds the configuration
       choice_sets(&choice, i)                    is parameter i left to the decorators?
       choice_finish(c, options, &choice, entries) computes what was left

   A launch in Triton goes through the decorators from the top: @triton.autotune adds the constants
   of a configuration, @triton.heuristics computes from the arguments and what has been added so
   far. What the signature or --constexpr gives is left alone. */
#ifndef TILE_FRONTEND_CONFIG_CHOICE_H
#define TILE_FRONTEND_CONFIG_CHOICE_H

#include "frontend/check/checker.h"
#include "frontend/config/options.h"
#include "frontend/check/signature.h"
#include "frontend/config/tuning.h"

struct config_choice {
  struct host host;
  struct tuning tuning;
  const struct host_config *config;                 /* NULL: none chosen */
  bool *left;                                       /* per parameter: left to the decorators */
  int64_t num_warps, num_stages, num_ctas, maxnreg; /* 0: not set */
  int64_t none;                                     /* what launch_options.def drops */
  struct value_dict given; /* launch options that the caller gave: no heuristic sets these */
};

/* Errors: TILE_INVALID_ARGUMENT, with problems in the module when a decorator is at fault. */
tile_status choice_begin(struct checker *c, const struct import_options *options,
                         struct config_choice *out);
/* True when a heuristic or the configuration sets the parameter; remembers that it is to. */
bool choice_sets(struct config_choice *choice, uint32_t parameter);
/* Where the signature is made of the arguments, takes back what the decorator or an annotation
   forbids to say of them. */
void choice_generalize(const struct config_choice *choice, const struct import_options *options,
                       uint32_t parameter, struct signature_entry *entry);
/* Fills the entries of the parameters that choice_sets said true for; all others are filled. */
tile_status choice_finish(struct checker *c, const struct import_options *options,
                          struct config_choice *choice, struct signature_entry *entries);
/* The error for a parameter that nothing gives: says how its decorator would, or how the caller
   may. */
tile_status choice_missing(const struct config_choice *choice, const struct import_options *options,
                           const struct node_parameter *parameter);
/* Sets tile.num_warps, tile.num_stages and tile.maxnreg on the module where they are known. */
void choice_annotate(const struct config_choice *choice, MlirModule module);

/* Can a configuration have so many blocks in a cluster? 0: none are named. */
bool config_ctas_known(int64_t count);

#endif
