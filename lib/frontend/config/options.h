/* SPDX-License-Identifier: MIT */
/* Which kernel of a file is to be compiled, and for what: what the user says. */
#ifndef TILE_FRONTEND_CONFIG_OPTIONS_H
#define TILE_FRONTEND_CONFIG_OPTIONS_H

#include "frontend/packages.h"

struct signature_entry;

struct import_options {
  const char *kernel;           /* NULL: the only one of the file */
  const char *signature;        /* "*fp32:16, i32, 1024", one entry a parameter; NULL: empty */
  const char *const *constants; /* "NAME=VALUE": parameters that the signature leaves out */
  size_t constant_count;
  /* @triton.autotune and @triton.heuristics (choice.h): */
  const char *config;                 /* the number of a configuration; NULL: none is chosen */
  const char *const *argument_values; /* "NAME=VALUE": of run-time arguments, for heuristics only */
  size_t argument_value_count;
  const char *target; /* "sm_90a": what host code asks of its device; NULL: not known */
  struct package_options packages; /* the files that this one imports from; zero: none is read */
  /* Gets the name of each file that was read, the kernel's first; or NULL. */
  void (*visit_file)(const char *name, void *data);
  void *visit_data;
  /* Gets each parameter of the kernel in order, once it is known what it is: a constant, or
     run-time. Of tuples and descriptors it gets the run-time parts, "t.0". Or NULL. */
  void (*visit_parameter)(const struct signature_entry *entry, const char *name, void *data);
  void *parameter_data;
  int num_warps, num_stages; /* of the compilation, over what a heuristic would set; 0: not given */
  /* The signature was made from a launch's arguments, whose names these are, with commas between,
     in the order of the signature's entries: they are matched by name, and do_not_specialize drops
     their hints. NULL: the signature is the user's, in the order of the parameters. */
  const char *derived_names;
  bool derived_values; /* likewise: values of names that are no parameters are ignored */
};

/* VALUE of the last NAME=VALUE in a list, or NULL. */
const char *option_value(const char *const *list, size_t count, const char *name);
/* How many of --constexpr are for parameters; the others are launch options. */
size_t option_parameters(const struct import_options *options, const struct kernel *kernel);

#endif
