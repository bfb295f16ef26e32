/* SPDX-License-Identifier: MIT */
/* The configurations of a kernel as plain data, for the public API and the tools: it outlives the
   module that it was read from. */
#ifndef TILE_FRONTEND_CONFIG_LISTING_H
#define TILE_FRONTEND_CONFIG_LISTING_H

#include "frontend/config/options.h"
#include "frontend/config/pruning.h"
#include "frontend/config/tuning.h"
#include "tile/compiler.h"

enum { TILE_NAMES_COUNT = TILE_NAMES_SETTINGS + 1 };

struct listed_names {
  const char **names;
  size_t count;
  const char *computed; /* NULL, or why there may be more */
};

struct tile_configurations {
  struct arena arena; /* owns all of it, but not this struct */
  const char *kernel;
  bool tuned; /* there is an @triton.autotune */
  tile_configuration *configs;
  size_t count;
  tile_configuration *left; /* what pruning leaves, in its order */
  int64_t *left_numbers;    /* of each: its index in `configs`, or -1 */
  size_t left_count;
  const char *pruning_note; /* NULL, or what of prune_configs_by was not carried out, and why */
  tile_tuning_settings settings;
  struct launch_parameter *parameters; /* that no configuration and no heuristic sets */
  size_t parameter_count;
  const char *computed; /* NULL, or why the configurations are not known */
  struct listed_names names[TILE_NAMES_COUNT];
};

/* Reads the decorators of the kernels of a file: of options->kernel, or, with NULL, of all, and
   prunes their configurations for the arguments that the options give. `visit` gets each in source
   order and takes it. Problems go to `problems` of the module. */
typedef void listing_visit(tile_configurations *list, void *data);
tile_status listing_read(struct module *module, const struct import_options *options,
                         listing_visit *visit, void *data);

/* The lines of --list-configs for one kernel (docs/language.md, "Configurations"). Appends. */
void listing_print(const tile_configurations *list, struct text *out);
/* The same as one line of JSON. Appends. */
void listing_print_json(const tile_configurations *list, struct text *out);

#endif
