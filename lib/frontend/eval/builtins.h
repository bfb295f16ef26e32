/* SPDX-License-Identifier: MIT */
/* What the functions of builtins.def share: their prototypes, and reading arguments. */
#ifndef TILE_FRONTEND_CONFIG_HOST_BUILTINS_H
#define TILE_FRONTEND_CONFIG_HOST_BUILTINS_H

#include "frontend/eval/host.h"

typedef bool host_builtin(struct host *host, const struct host_call *call, struct value *out);

#define HOST_BUILTIN(name, fewest, most, function) host_builtin host_builtin_##function;
#define HOST_KEYWORDS(name, fewest, most, function) host_builtin host_builtin_##function;
#include "frontend/eval/builtins.def"
#undef HOST_BUILTIN
#undef HOST_KEYWORDS

/* The elements of an argument that is walked through: a list's, or the keys of a dictionary. */
bool host_get_list(struct host *host, const struct host_call *call, size_t index,
                   const struct value_list **out);
bool host_get_integer(struct host *host, const struct host_call *call, size_t index, int64_t *out);

#endif
