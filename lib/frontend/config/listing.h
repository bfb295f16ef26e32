/* SPDX-License-Identifier: MIT */
/* The configurations of a kernel as plain data, for the public API and the tools: it outlives the
   module that it was read from. */
#ifndef TILE_FRONTEND_CONFIG_LISTING_H
#define TILE_FRONTEND_CONFIG_LISTING_H

#include "frontend/config/tuning.h"
#include "tile/compiler.h"

enum { TILE_NAMES_COUNT = TILE_NAMES_HEURISTICS + 1 };

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
  const char *computed; /* NULL, or why the configurations are not known */
  struct listed_names names[TILE_NAMES_COUNT];
};

/* A copy of what was read of one kernel; ended with tile_configurations_destroy. */
tile_configurations *listing_create(const struct host *host, const struct tuning *tuning);
/* Reads the decorators of the kernels of a file: of the one called `kernel`, or, with NULL, of all.
   `visit` gets each in source order and takes it. Problems go to `problems` of the module. */
typedef void listing_visit(tile_configurations *list, void *data);
tile_status listing_read(struct module *module, const char *kernel, const char *target,
                         listing_visit *visit, void *data);

/* The lines of --list-configs for one kernel (docs/language.md, "Configurations"). Appends. */
void listing_print(const tile_configurations *list, struct text *out);
/* The same as one line of JSON. Appends. */
void listing_print_json(const tile_configurations *list, struct text *out);

#endif
